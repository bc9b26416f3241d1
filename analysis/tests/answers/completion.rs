//! The order of what is offered, and the text that is inserted.

use hcl_lr::ConfigFile;
use hcl_lr_analysis::Workspace;
use hcl_lr_analysis::completion::Item;

use super::{files, labels};

fn first(text: &str, label: &str) -> Item {
    let (snapshot, path, at) = files(text);
    let found = snapshot.completion(&path, at).expect("an answer");
    let item = found.items.iter().find(|item| item.label == label);
    item.unwrap_or_else(|| panic!("{label} in {:?}", found.items.iter().map(|one| &one.label).collect::<Vec<_>>()))
        .clone()
}

#[test]
fn names_that_begin_with_the_text_come_first() {
    let found = labels("=== /a.hcl\nport = 1\nlast_hope = 2\nx = p¦\n");
    assert_eq!(found[0], "port", "{found:?}");
    let place = |name: &str| found.iter().position(|one| one == name);
    assert!(place("last_hope") > place("port") && place("last_hope") > place("pow"), "{found:?}");
}

#[test]
fn labels_and_keys_are_written_as_hcl() {
    let broken = "=== /a.hcl\nservice \"a \\\"b\\\" $${c}\" \"x\" {}\nservice ¦\n";
    assert_eq!(first(broken, "a \"b\" ${c}").text, "\"a \\\"b\\\" $${c}\"");
    let in_quotes = broken.replace("service ¦", "service \"¦");
    assert_eq!(first(&in_quotes, "a \"b\" ${c}").text, "a \\\"b\\\" $${c}\"");
    let keys = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body = s\n  }\n}\npart \"s\" {\n  \
                attribute \"o\" { type = object({ \"a b\" = string, c = string }) }\n}\n\
                === /x.hcl\n# hcl:schema s.cfg\no = {\n  ¦\n}\n";
    assert_eq!(first(keys, "c").text, "c = null");
    assert_eq!(first(keys, "a b").text, "\"a b\" = null");
}

/// The text of a snippet as an editor inserts it: with its placeholders.
fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut chars = snippet.chars().peekable();
    let mut depth = 0;
    while let Some(char) = chars.next() {
        match char {
            '\\' => out.extend(chars.next()),
            '$' if chars.peek() == Some(&'{') => {
                chars.next();
                while chars.next_if(char::is_ascii_digit).is_some() {}
                chars.next_if_eq(&':');
                depth += 1;
            }
            '$' => while chars.next_if(char::is_ascii_digit).is_some() {},
            '}' if depth > 0 => depth -= 1,
            _ => out.push(char),
        }
    }
    out
}

/// Texts in several languages, each with a place where something can be written.
const PLACES: [&str; 22] = [
    "=== /a.tf\n¦\n",
    "=== /a.tf\nvariable \"a\" {\n  ¦\n}\n",
    "=== /a.tf\nvariable \"a\" {\n  ¦ = 1\n}\n",
    "=== /a.tf\n¦ \"a\" {\n}\n",
    "=== /a.tf\nterraform {\n  ¦\n}\n",
    "=== /a.tf\nmodule \"a\" {\n  ¦\n}\n",
    "=== /a.tf\nlocals {\n  a = ¦\n}\n",
    "=== /a.tf\nlocals {\n  a = ¦(1)\n}\n",
    "=== /a.tf\nlocals {\n  a = [¦]\n}\n",
    "=== /a.tf\nlocals {\n  a = \"x-${¦}\"\n}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  c = 1\n  lifecycle {\n    ¦\n  }\n}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  c = 1\n}\nresource \"¦\" \"c\" {}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  for_each = {}\n  c = each.¦\n}\n",
    "=== /a.tf\nvariable \"v\" {}\nlocals {\n  a = var.¦\n}\n",
    "=== /docker-bake.hcl\n¦\n",
    "=== /docker-bake.hcl\ntarget \"a\" {\n  ¦\n}\n",
    "=== /a.nomad\njob \"a\" {\n  ¦\n}\n",
    "=== /a.nomad\njob \"a\" {\n  group \"b\" {\n    task \"c\" {\n      ¦\n    }\n  }\n}\n",
    "=== /a.pkr.hcl\nbuild {\n  ¦\n}\n",
    "=== /terragrunt.hcl\n¦\n",
    "=== /a.schema.hcl\npart \"a\" {\n  ¦\n}\n",
    "=== /a.hcl\nb \"c\" {\n  d = \"e\"\n}\nb \"f\" {\n  ¦\n}\n",
];

#[test]
fn everything_that_is_offered_leaves_a_file_that_parses() {
    let mut count = 0;
    for place in PLACES {
        let (snapshot, path, at) = files(place);
        let text = snapshot.file(&path).expect("the file").source().text().to_owned();
        for item in snapshot.completion(&path, at).expect("an answer").items {
            for new in std::iter::once(item.text.clone()).chain(item.snippet.as_deref().map(plain)) {
                let mut applied = text.clone();
                applied.replace_range(item.span.range(), &new);
                let parsed = hcl_lr::parse::<ConfigFile>((path.as_str(), applied.as_str())).into_result();
                assert!(parsed.is_ok(), "{} at {place:?} gives {applied:?}", item.label);
                count += 1;
            }
        }
    }
    assert!(count > PLACES.len(), "something is offered");
}

#[test]
fn what_files_have_in_common_follows_edits() {
    let mut workspace = Workspace::default();
    let user = "service \"b\" {\n  \n}\n";
    let at = user.find("\n}").expect("a place");
    let offered = |workspace: &Workspace| -> Vec<String> {
        let found = workspace.snapshot().completion("/b/b.hcl", at).expect("an answer");
        found.items.into_iter().map(|item| item.label).collect()
    };
    workspace.set("/b/b.hcl", user);
    workspace.set("/a/a.hcl", "service \"a\" {\n  port = 1\n}\n");
    assert_eq!(offered(&workspace), ["port"]);
    workspace.set("/a/a.hcl", "service \"a\" {\n  host = 1\n  log {}\n}\n");
    assert_eq!(offered(&workspace), ["host", "log"]);
    workspace.set("/c/c.hcl", "service \"a\" {\n  host = 1\n}\n");
    workspace.remove("/a/a.hcl");
    assert_eq!(offered(&workspace), ["host"]);
    workspace.set("/c/c.hcl", "");
    assert_eq!(offered(&workspace), [""; 0]);
    // A snapshot that is older than an edit must not bring back what the edit took out.
    workspace.set("/c/c.hcl", "service \"a\" {\n  host = 1\n}\n");
    let old = workspace.snapshot().keeping();
    workspace.set("/c/c.hcl", "service \"a\" {\n  port = 1\n}\n");
    let _ = old.completion("/b/b.hcl", at);
    assert_eq!(offered(&workspace), ["port"]);
}
