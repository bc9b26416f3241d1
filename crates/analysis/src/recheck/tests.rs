//! Random edits: what is checked again has the diagnostics of a fresh workspace with the same texts.
//!
//! `HCL_EDITS=20000 HCL_SEED=2` makes more edits, with another seed; `HCL_LR_CORPUS` names a folder whose folders are edited, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

#[path = "../../../../tests/support/random.rs"]
mod random;

use crate::finding::Finding;
use crate::settings::Settings;
use crate::workspace::{Snapshot, Workspace};
use random::{Random, boundary, number};

/// Items of a program. In place of `@` and of the first `#` is the number of the item, in place of the others any number.
const ITEMS: [&str; 24] = [
    "variable \"v#\" {\n  type        = string\n  default     = \"value #\"\n  description = \"One of many.\"\n}\n",
    "variable \"v#\" {\n  type = list(string)\n  default = [\"a#\"]\n  validation {\n    condition     = length(var.v#) > 0\n    error_message = \"At least one.\"\n  }\n}\n",
    "variable \"v#\" {\n  type      = number\n  sensitive = true\n}\n",
    "variable \"v#\" {\n  default = var.v#\n  description = local.l#\n}\n",
    "locals {\n  l# = var.v#\n  m@ = local.l#\n}\n",
    "locals {\n  l# = \"${var.v#}-${aws_instance.r#.id}\"\n  m@ = [for x in local.m# : upper(x)]\n}\n",
    "locals {\n  l# = 1 + \"a\"\n  m@ = { a = local.m#, password = var.v# }\n}\n",
    "resource \"aws_instance\" \"r#\" {\n  ami           = var.v#\n  instance_type = \"t3.micro\"\n  count = local.l# + 1\n}\n",
    "resource \"aws_instance\" \"r#\" {\n  ami           = var.v#\n  provider = aws.p@\n  tags = {\n    Name = \"${local.l#}-${aws_instance.r#.arn}\"\n  }\n  lifecycle {\n    ignore_changes = [amii]\n  }\n}\n",
    "resource \"aws_instance\" \"r#\" {\n  for_each = toset([\"a\", local.m#])\n  ami = each.value.x\n  depends_on = [aws_instance.r#]\n}\n",
    "data \"aws_ami\" \"d#\" {\n  most_recent = true\n  owners = [local.l#, self.id]\n}\n",
    "output \"o#\" {\n  value       = aws_instance.r#.id\n  description = \"The output #.\"\n}\n",
    "output \"o#\" {\n  value       = var.v# + 1\n  sensitive = aws_instance.r#.id\n  dependson = []\n}\n",
    "module \"c#\" {\n  source = \"./module\"\n  size = local.l#\n  more = var.v#\n}\noutput \"n#\" {\n  value = module.c@.out + module.c@.none\n}\n",
    "provider \"aws\" {\n  alias  = \"p#\"\n  region = var.v#\n}\n",
    "terraform {\n  required_version = \">= 1.#\"\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n",
    "terraform {\n  backend \"s3\" {\n    bucket = \"b#\"\n  }\n}\n",
    "moved {\n  from = aws_instance.r#\n  to   = aws_instance.r#\n}\n",
    "check \"k#\" {\n  assert {\n    condition     = aws_instance.r#.ami == local.l#\n    error_message = \"It is ${var.v#}.\"\n  }\n}\n",
    "# hcl:ignore unsupported-argument\nresource \"aws_instance\" \"s#\" {\n  ami = var.none#\n  count = \"x\"\n}\n",
    "import {\n  to = aws_instance.r#\n  id = var.v#\n}\n",
    "resource \"null_resource\" \"n#\" {\n  triggers = { a = path.module, b = terraform.workspace, c = count.index }\n}\n",
    "resourc \"null_resource\" \"n#\" {\n  triggers = { a = local.l# }\n  provisioner \"local-exec\" {\n    command = self.id\n  }\n}\n",
    "l# = local.l#\n",
];

/// Texts for places in items.
const PIECES: [&str; 30] = [
    "a",
    "_",
    "1",
    " ",
    "\n",
    "\"",
    "\"x\"",
    "${",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    "=",
    ".",
    ",",
    "var.",
    "var.v1",
    "local.l2",
    "aws_instance.r1.id",
    "<<E\n",
    "# c",
    "/*",
    "null",
    "upper(",
    "\n  x = 1\n",
    "\n  lifecycle {}\n",
    "é",
    "local",
];

/// Returns the text of an item with a number. It refers to others of its group of numbers, and rarely to any.
fn numbered(text: &str, number: usize, random: &mut Random) -> String {
    let text = text.replace('@', &number.to_string());
    let mut parts = text.split('#');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        let other = match random.below(90) {
            0 => random.below(NUMBERS + 2),
            _ => number / GROUP * GROUP + random.below(GROUP),
        };
        text += &(if at == 0 { number } else { other }).to_string();
        text += part;
    }
    text
}

/// The number of different numbers of items, and of those that refer to each other.
const NUMBERS: usize = 36;
const GROUP: usize = 2;

/// A program of several files.
fn program(random: &mut Random) -> BTreeMap<String, String> {
    let mut files =
        BTreeMap::from([("/p/main.tf".to_owned(), String::new()), ("/p/more.tf".to_owned(), String::new())]);
    for number in 0..NUMBERS {
        for kind in [&ITEMS[..4], &ITEMS[4..7], &ITEMS[7..10], &ITEMS[10..]] {
            let item = *random.of(kind);
            let text = numbered(item, number, random) + "\n";
            *files.get_mut(*random.of(&["/p/main.tf", "/p/more.tf"])).expect("a file") += &text;
        }
    }
    files.insert("/p/terraform.tfvars".to_owned(), "v1 = \"one\"\nv2 = [2]\nnone = 3\n".to_owned());
    files.insert(
        "/p/module/main.tf".to_owned(),
        "variable \"size\" {\n  type = number\n}\noutput \"out\" {\n  value = var.size + 1\n}\n".to_owned(),
    );
    if random.below(3) == 0 {
        files.insert("/p/main.tftest.hcl".to_owned(), "run \"a\" {\n  variables {\n    v1 = \"x\"\n    zz = 1\n  }\n  assert {\n    condition = output.o1 == local.l1\n    error_message = \"no\"\n  }\n}\n".to_owned());
    }
    if random.below(4) == 0 {
        files.insert("/p/x_override.tf".to_owned(), numbered(ITEMS[7], 3, random));
    }
    files
}

/// The folders of the corpus with more than one file in native syntax.
fn folders() -> Vec<BTreeMap<String, String>> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = std::env::var_os("HCL_LR_CORPUS").map(PathBuf::from).into_iter().collect();
    while let Some(folder) = waiting.pop() {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if hcl_lr_project::languages::is_hcl(&entry.file_name().to_string_lossy())
                && let Ok(text) = fs::read_to_string(&path)
                && files.len() < 12
            {
                files.insert(format!("/p/{}", entry.file_name().to_string_lossy()), text);
            }
        }
        if files.values().map(String::len).sum::<usize>() < 40_000 && !files.is_empty() {
            found.push(files);
        }
    }
    found.sort();
    found
}

fn workspace(files: &BTreeMap<String, String>, large: usize) -> Workspace {
    let mut workspace = Workspace::default();
    workspace.set_settings(Settings { large, ..Settings::default() });
    files.iter().for_each(|(path, text)| workspace.set(path, text.as_str()));
    workspace
}

fn shown(found: &[Finding]) -> Vec<String> {
    let shown = |finding: &Finding| format!("{:?} {:?} {:?}", finding.diagnostic, finding.severity, finding.tag);
    found.iter().map(shown).collect()
}

fn diagnostics(snapshot: &Snapshot, path: &str) -> Vec<String> {
    shown(&snapshot.diagnostics(path).expect("nothing changes"))
}

/// Edits a text at a random place.
fn edited(text: &str, random: &mut Random) -> String {
    let start = boundary(text, random.below(text.len() + 1));
    let end = boundary(text, start + *random.of(&[0, 0, 0, 1, 1, 3, 12])).max(start);
    let piece = match random.below(4) {
        0 => "",
        1 => {
            let from = boundary(text, random.below(text.len() + 1));
            &text[from..boundary(text, from + random.below(12)).max(from)]
        }
        _ => *random.of(&PIECES),
    };
    format!("{}{piece}{}", &text[..start], &text[end..])
}

/// Returns the end of what differs between two texts, in the second.
fn edited_end(before: &str, after: &str) -> usize {
    let same = before.bytes().rev().zip(after.bytes().rev()).take_while(|(one, other)| one == other).count();
    (after.len() - same..=after.len()).find(|at| after.is_char_boundary(*at)).unwrap_or_default()
}

#[test]
fn diagnostics_after_edits_are_those_of_a_fresh_workspace() {
    let (edits, mut random) = (number("HCL_EDITS", 60), Random::of_seed(number("HCL_SEED", 1)));
    let folders = folders();
    let (mut made, mut rechecked, mut others) = (0, 0, 0);
    while made < edits {
        let mut files = match folders.is_empty() || random.below(4) > 0 {
            true => program(&mut random),
            false => random.of(&folders).clone(),
        };
        let paths: Vec<String> = files.keys().cloned().collect();
        let mut workspace = workspace(&files, 0);
        let ask = |workspace: &Workspace| {
            paths.iter().map(|path| diagnostics(&workspace.snapshot(), path)).collect::<Vec<_>>()
        };
        ask(&workspace);
        for _ in 0..12 {
            let edited_path = random.of(&paths).clone();
            let before = files[&edited_path].clone();
            let text = edited(&before, &mut random);
            let old = files.clone();
            workspace.set(&edited_path, text.as_str());
            files.insert(edited_path.clone(), text.clone());
            made += 1;
            let snapshot = workspace.snapshot();
            if random.below(3) == 0 {
                // Another question is faster.
                snapshot.project(&edited_path).expect("nothing changes");
            }
            let is_part = |path: &String| {
                let file = snapshot.file(path).expect("a file");
                snapshot.rechecked(file).expect("nothing changes").is_some()
            };
            let parts: Vec<bool> = paths.iter().map(is_part).collect();
            rechecked += u64::from(parts.contains(&true));
            let fresh = self::workspace(&files, usize::MAX);
            for ((one, path), part) in ask(&workspace).iter().zip(&paths).zip(parts) {
                let other = diagnostics(&fresh.snapshot(), path);
                assert_eq!(
                    *one, other,
                    "{path} (in part: {part}) after an edit of {edited_path}:\n{before}\n---\n{files:#?}"
                );
            }
            let at = edited_end(&before, &text);
            let offered = |workspace: &Workspace| {
                let found = workspace.snapshot().completion(&edited_path, at).expect("nothing changes");
                found.items.into_iter().map(|item| item.label).collect::<BTreeSet<_>>()
            };
            // The first question is the one that a client has while the new project is not known.
            let mut typed = self::workspace(&old, 0);
            ask(&typed);
            typed.set(&edited_path, text.as_str());
            others += u64::from(offered(&typed) != offered(&fresh));
            // A wrong text stays wrong, and hides what follows.
            if random.below(3) == 0 {
                workspace.set(&edited_path, before.as_str());
                files.insert(edited_path, before);
                ask(&workspace);
            }
        }
    }
    println!("{rechecked} of {made} edits were checked in part; after {others} other items were offered");
    assert!(rechecked * 8 > made, "{rechecked} of {made}");
    // Where a text is broken, the items are those of the text before, which may be better or worse.
    assert!(others * 50 <= made, "{others} of {made}");
}
