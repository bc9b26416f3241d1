//! Typing in large files: completions that are computed from what was known before an edit are those of a fresh start.

use std::collections::BTreeSet;

use hcl_lr_analysis::Workspace;

/// A file that makes the project large, next to the one in which somebody types.
fn many() -> String {
    let block = |number: usize| {
        format!(
            "variable \"name_{number}\" {{\n  type        = string\n  description = \"One of many.\"\n}}\n\
             resource \"aws_instance\" \"web_{number}\" {{\n  ami  = var.name_{number}\n  tags = {{ Name = \"web\" }}\n}}\n"
        )
    };
    (0..20).map(block).chain(["# A comment.\n".repeat(10_000)]).collect()
}

const TEXT: &str = "locals {
  zones  = { a = { size = 1, open = true }, b = { size = 2, open = false } }
  hosts  = [\"x\", \"y\"]
  ¦1
  after  = local.hosts
}

variable \"hosts\" {
  type = list(object({ name = string, port = optional(number, 80) }))
  ¦2
}

resource \"aws_instance\" \"own\" {
  for_each = local.zones
  ami      = \"ami-1\"
  ¦3
  tags = { Name = each.key }
}

output \"o\" {
  value = [for host in var.hosts : host.name]
  ¦4
}
";

/// The texts that are typed at places, each from the start of a line.
const TYPED: [(&str, &str); 14] = [
    ("¦1", "first = local.zones.a.size"),
    ("¦1", "text = \"${upper(local.hosts[0])} and ${var.name_1}\""),
    ("¦1", "all = [for name, zone in local.zones : zone.open if name != \"x\"]"),
    ("¦1", "one = aws_instance.own[\"a\"].ami"),
    ("¦1", "list = [var.hosts[0].port, merge({}, local.zones)]"),
    ("¦2", "default = []"),
    ("¦2", "sensitive = true"),
    ("¦2", "description = \"the hosts\""),
    ("¦3", "instance_type = each.value.open ? \"t3.micro\" : local.hosts[0]"),
    ("¦3", "depends_on = [aws_instance.web_1]"),
    ("¦3", "lifecycle { ignore_changes = [tags] }"),
    ("¦3", "provisioner \"local-exec\" { command = self.ami }"),
    ("¦4", "sensitive = local.zones.a.open"),
    ("¦4", "precondition { condition = length(var.hosts) > 0 }"),
];

fn with_more(text: &str) -> Workspace {
    let mut workspace = Workspace::default();
    workspace.set("/a/more.tf", many());
    workspace.set("/a/main.tf", text);
    workspace
}

fn labels(workspace: &Workspace, at: usize) -> BTreeSet<String> {
    let found = workspace.snapshot().completion("/a/main.tf", at).expect("an answer");
    found.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn completions_while_typing_are_those_of_a_fresh_start() {
    let (mut different, mut from_before, mut anew) = (Vec::new(), 0, 0);
    for (place, typed) in TYPED {
        let at = TEXT.find(place).expect("the place");
        let clean =
            |text: &str| ["¦1", "¦2", "¦3", "¦4"].iter().fold(text.to_owned(), |text, mark| text.replace(mark, ""));
        let (before, after) = (clean(&TEXT[..at]), clean(&TEXT[at..]));
        let mut workspace = with_more(&(before.clone() + &after));
        labels(&workspace, before.len());
        workspace.take_replaced();
        for end in (1..=typed.len()).filter(|end| end % 2 == 0 || *end == typed.len()) {
            let text = format!("{before}{}{after}", &typed[..end]);
            workspace.set("/a/main.tf", text.clone());
            let found = labels(&workspace, before.len() + end);
            let expected = labels(&with_more(&text), before.len() + end);
            match workspace.take_replaced().is_empty() {
                true => from_before += 1,
                false => anew += 1,
            }
            // A fresh start cannot tell the half-typed word from names that are there.
            let word = typed[..end].rsplit(['.', ' ', '[', '(', '"']).next().unwrap_or_default();
            let difference: Vec<&String> =
                found.symmetric_difference(&expected).filter(|label| *label != word).collect();
            if !difference.is_empty() {
                different.push(format!("{place} {}: {difference:?}", &typed[..end]));
            }
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    // Only the letters of a new name in `locals` may change what the others can refer to.
    assert!(from_before > 9 * anew, "{from_before} by what was known, {anew} anew");
}
