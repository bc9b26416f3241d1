//! `hcl mv --references` over modules with values, tests and callers: names change and change back. Afterwards all
//! files have the same bytes, and in between all values are the same.
//!
//! The modules are made from a seed, and taken from a corpus. `HCL_RENAMES=300`
//! renames as many names on modules of each kind, `HCL_RENAME_MODULES=50` takes so many, and `HCL_SEED` picks others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cli::{Scratch, hcl};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// The outcome of a run: its status and output.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = hcl().args(arguments).current_dir(folder).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            match path.is_dir() {
                true => waiting.push(path),
                false => drop(found.insert(path.clone(), fs::read(path).unwrap_or_default())),
            }
        }
    }
    found
}

/// The values that a folder has, as JSON; the new name is the old one in them.
fn values(folder: &Path, new: &str, old: &str) -> Value {
    let (status, out, err) = run(folder, &["eval", "--schema", "terraform", "--json", "."]);
    assert!(status != Some(2), "{}: {err}", folder.display());
    let text = out.replace(new, old);
    let mut value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    without_layout(&mut value);
    value
}

/// Expressions that are left have the layout of the file, which depends on how long names are.
fn without_layout(value: &mut Value) {
    match value {
        Value::String(text) => text.retain(|c| !c.is_whitespace()),
        Value::Array(all) => all.iter_mut().for_each(without_layout),
        Value::Object(all) => {
            all.values_mut().for_each(without_layout);
            // Names are in the order of the alphabet.
            if let Some(Value::Array(needs)) = all.get_mut("needs") {
                needs.sort_by_key(ToString::to_string);
            }
        }
        _ => {}
    }
}

/// Returns the addresses of the definitions in the module itself.
fn addresses(folder: &Path) -> Vec<String> {
    let (_, out, _) = run(folder, &["graph", "--schema", "terraform", "--json", "."]);
    let Ok(graph) = serde_json::from_str::<Value>(&out) else { return Vec::new() };
    let all = graph["definitions"].as_array().into_iter().flatten();
    let all = all.filter_map(|definition| definition["address"].as_str().map(str::to_owned));
    all.filter(|address| !address.starts_with("module.") || address.matches('.').count() == 1).collect()
}

/// Adds the files around a real module: values, a test, and a folder that calls it.
fn surround(module: &Path, caller: &Path) -> bool {
    let all = addresses(module);
    let names = |start: &str| {
        let all = all.iter().filter_map(|address| address.strip_prefix(start));
        all.map(str::to_owned).collect::<Vec<String>>()
    };
    let (inputs, results) = (names("var."), names("output."));
    if inputs.is_empty() && results.is_empty() {
        return false;
    }
    let needed = needed(module);
    let lines = |indent: &str| -> String { inputs.iter().map(|name| format!("{indent}{name} = null\n")).collect() };
    let some =
        |indent: &str| -> String { needed.iter().map(|(name, value)| format!("{indent}{name} = {value}\n")).collect() };
    let tests = module.join("tests");
    fs::create_dir_all(&tests).expect("a folder");
    let (test, values) = (tests.join("hcl-made.tftest.hcl"), module.join("hcl-made.auto.tfvars"));
    assert!(!test.exists() && !values.exists() && !caller.exists(), "{}", module.display());
    let check = |name: &String| {
        let condition = format!("output.{name} != run.first.{name}");
        format!("  assert {{\n    condition = {condition}\n    error_message = \"${{output.{name}}}\"\n  }}\n")
    };
    let checks: String = results.iter().map(check).collect();
    let expected: String = inputs.iter().map(|name| format!("var.{name}, ")).collect();
    fs::write(values, some("")).expect("a writable file");
    fs::write(module.join("hcl-made.tfvars"), lines("")).expect("a writable file");
    fs::write(module.join("hcl-made.tfvars.json"), json_values(&inputs)).expect("a writable file");
    let (all, own) = (lines("  "), lines("    "));
    let first = format!("variables {{\n{all}}}\n\nrun \"first\" {{\n  expect_failures = [{expected}]\n}}\n\n");
    let second = format!("run \"second\" {{\n  variables {{\n{own}  }}\n{checks}}}\n");
    fs::write(test, first + &second).expect("a writable file");
    fs::create_dir_all(caller).expect("a folder");
    let source = format!("../{}", module.file_name().expect("a name").to_string_lossy());
    let (arguments, some) = (lines("  "), some("  "));
    let mut text = format!("module \"one\" {{\n  source = \"{source}\"\n{some}}}\n\n");
    text += &format!("module \"many\" {{\n  for_each = {{ a = 1 }}\n  source = \"{source}\"\n{arguments}}}\n\n");
    for name in &results {
        text += &format!("output \"plain_{name}\" {{\n  value = module.one.{name}\n}}\n\n");
        let by_key = format!("module.many[\"a\"].{name}, module.many[local.key].{name}");
        let all = format!("values(module.many)[*].{name}, [for key, one in module.many : one.{name}]");
        text += &format!("output \"many_{name}\" {{\n  value = [{by_key}, {all}]\n}}\n\n");
    }
    text += "locals {\n  key = \"a\"\n}\n";
    fs::write(caller.join("main.tf"), text).expect("a writable file");
    let output = |name: &String| format!("\"json_{name}\": {{\"value\": \"${{module.json.{name}}}\"}}");
    let outputs = results.iter().map(output).collect::<Vec<_>>().join(", ");
    let call = format!("{{\"json\": {{\"source\": \"{source}\", \"depends_on\": [\"module.one\"]}}}}");
    let json = format!("{{\"module\": {call}, \"output\": {{{outputs}}}}}\n");
    fs::write(caller.join("more.tf.json"), json).expect("a writable file");
    true
}

/// The inputs that need a value, each with one that fits its type.
fn needed(module: &Path) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (path, bytes) in files(module) {
        if path.parent() != Some(module) || path.extension().is_none_or(|extension| extension != "tf") {
            continue;
        }
        let file = hcl_lr::parse::<hcl_lr::File>(String::from_utf8_lossy(&bytes).into_owned()).into_value();
        for block in file.body().blocks_of_type("variable") {
            let Some(label) = block.labels().next() else { continue };
            if block.body().attribute("default").is_some() {
                continue;
            }
            let ty = block.body().attribute("type").map_or("", |ty| ty.expression().text());
            let value = match ty.split('(').next().unwrap_or_default() {
                "string" => "\"x\"",
                "number" => "1",
                "bool" => "true",
                "list" | "set" | "tuple" => "[]",
                "map" | "object" => "{}",
                _ => "null",
            };
            // Another file may say more about the same variable.
            let name = label.text().into_owned();
            if found.iter().all(|(known, _)| *known != name) {
                found.push((name, value));
            }
        }
    }
    found
}

fn json_values(inputs: &[String]) -> String {
    let all: Vec<String> = inputs.iter().map(|name| format!("\"{name}\": null")).collect();
    format!("{{{}}}\n", all.join(", "))
}

/// The values of a module and of its caller.
type Values = (Value, Value);

/// Renames one name there and back. Gives whether it could be renamed.
fn there_and_back(
    (module, caller): (&Path, &Path),
    known: &Values,
    address: &str,
    number: usize,
) -> Result<(), String> {
    let (before, name) = address.rsplit_once('.').expect("an address with a dot");
    let new = match number % 3 {
        0 => format!("zq{number}"),
        1 => format!("zq{number}_{}", "x".repeat(name.len())),
        _ => format!("zq{number}_by_another_name"),
    };
    let other = format!("{before}.{new}");
    let bytes = (files(module), files(caller));
    let callers = caller.to_string_lossy();
    let rename = |from: &str, to: &str| {
        let arguments = ["mv", "--quiet", "--references", from, to, ".", "--callers", &callers];
        let (status, _, err) = run(module, &arguments);
        if status == Some(0) { Ok(()) } else { Err(format!("{}: {from} to {to}: {err}", module.display())) }
    };
    rename(address, &other)?;
    let between = (values(module, &new, name), values(caller, &new, name));
    assert!(known.0 == between.0, "{}: {address} to {other}: the values of the module changed", module.display());
    assert!(known.1 == between.1, "{}: {address} to {other}: the values of the caller changed", module.display());
    rename(&other, address)?;
    assert!(bytes == (files(module), files(caller)), "{}: {address} to {other}: the bytes changed", module.display());
    Ok(())
}

/// Renames a number of names of modules, by turns. Gives how many were renamed, and why others were not.
fn all(modules: &[(PathBuf, PathBuf)], count: usize, random: &mut Random) -> (usize, Vec<String>) {
    let (mut done, mut refused) = (0, Vec::new());
    let names: Vec<Vec<String>> = modules.iter().map(|(module, _)| addresses(module)).collect();
    // Without a new name, nothing is put in its place.
    let of = |folder: &Path| values(folder, "no new name", "");
    let known: Vec<Values> = modules.iter().map(|(module, caller)| (of(module), of(caller))).collect();
    for number in 0..count * 2 {
        if done == count {
            break;
        }
        let at = number % modules.len();
        let Some(address) = names[at].get(random.below(names[at].len())) else { continue };
        match there_and_back((&modules[at].0, &modules[at].1), &known[at], address, number) {
            Ok(()) => {
                done += 1;
                println!("{done}: {address} in {}", modules[at].0.display());
            }
            // Some of the modules are wrong on purpose, and of others not all files are at hand.
            Err(why) if why.contains("is defined twice") => {}
            Err(why) => refused.push(why),
        }
    }
    (done, refused)
}

/// A part of a module with names in all places where they can be.
const MADE: &str = r#"
variable "in_#" {
  type = any
DEFAULT
}

locals {
  l#        = [for one in [var.in_#] : one]
  longer_#  = local.l#
}

data "image" "d#" {
  name = local.l#
}

resource "host" "h#" {
  name       = "${jsonencode(var.in_#)}-x"
  depends_on = ["data.image.d#"]
}

moved {
  from = host.before#
  to   = host.h#
}

import {
  to = host.h#
  id = "x"
}

check "c#" {
  assert {
    condition     = host.h#.name != local.l#
    error_message = "x"
  }
}

output "out_#" {
  value = [local.longer_#, module.inner.same]
}
"#;

/// A module with names in all places where they can be.
fn made(folder: &Path, random: &mut Random) {
    fs::create_dir_all(folder.join("inner")).expect("a folder");
    let mut text = String::new();
    let count = 2 + random.below(4);
    for at in 0..count {
        let default = ["", "  default = 1\n", "  default = [1, 2]\n", "  default = { a = 1 }\n"][random.below(4)];
        text += &MADE.replace('#', &at.to_string()).replace("DEFAULT\n", default);
    }
    text += "module \"inner\" {\n  source = \"./inner\"\n  given  = var.in_0\n}\n";
    fs::write(folder.join("main.tf"), text).expect("a writable file");
    let inner = "variable \"given\" {}\n\noutput \"same\" {\n  value = var.given\n}\n";
    fs::write(folder.join("inner/main.tf"), inner).expect("a writable file");
}

#[test]
fn names_of_made_modules_change_and_change_back_everywhere() {
    let scratch = Scratch::new("renames-made");
    let mut random = Random(number("HCL_SEED", 1));
    let count = number("HCL_RENAMES", 8) as usize;
    let mut modules = Vec::new();
    for at in 0..number("HCL_RENAME_MODULES", 2) {
        let (module, caller) = (scratch.path(&format!("m{at}")), scratch.path(&format!("c{at}")));
        made(&module, &mut random);
        assert!(surround(&module, &caller));
        modules.push((module, caller));
    }
    let (done, refused) = all(&modules, count, &mut random);
    println!("{done} names of {} modules", modules.len());
    assert!(refused.is_empty() && done == count, "{}", refused.join("\n"));
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_names_of_modules_change_and_change_back_everywhere() {
    let corpus = crate::support::needs::corpus();
    let scratch = Scratch::new("renames-corpus");
    let mut random = Random(number("HCL_SEED", 1));
    let (count, wanted) = (number("HCL_RENAMES", 4) as usize, number("HCL_RENAME_MODULES", 2) as usize);
    let mut folders = folders(&corpus);
    let mut modules = Vec::new();
    let mut tried = 0;
    while modules.len() < wanted && !folders.is_empty() {
        tried += 1;
        let folder = &folders.swap_remove(random.below(folders.len()));
        if !is_right(folder) || addresses(folder).len() < 4 {
            continue;
        }
        let repository = folder.strip_prefix(&corpus).expect("a folder in it").iter().next().expect("a name");
        let copy = scratch.path(&format!("r{tried}"));
        copy_modules(&corpus.join(repository), &copy);
        let module = copy.join(folder.strip_prefix(corpus.join(repository)).expect("a folder in it"));
        let caller = module.with_file_name("hcl-made-caller");
        match module != copy && surround(&module, &caller) {
            true => modules.push((module, caller)),
            false => fs::remove_dir_all(&copy).expect("the copy can be removed"),
        }
    }
    let (done, refused) = all(&modules, count, &mut random);
    println!("{done} names of {} modules, {} refused", modules.len(), refused.len());
    println!("{}", refused.join("\n"));
    assert!(refused.is_empty() && done == count, "{}", refused.join("\n"));
}

/// The folders with files of Terraform.
fn folders(corpus: &Path) -> Vec<PathBuf> {
    let is_module = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "tf");
    let all = files(corpus);
    let folders: BTreeSet<&Path> = all.keys().filter(is_module).filter_map(|path| path.parent()).collect();
    folders.into_iter().map(Path::to_owned).collect()
}

/// Returns true if all files of a folder can be read.
fn is_right(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    entries.all(|path| {
        path.extension().is_none_or(|extension| extension != "tf")
            || hcl_lr::parse::<hcl_lr::File>(fs::read_to_string(&path).unwrap_or_else(|_| "(".to_owned()))
                .into_result()
                .is_ok()
    })
}

fn copy_modules(from: &Path, to: &Path) {
    for (path, bytes) in files(from) {
        let name = path.to_string_lossy();
        if [".tf", ".tf.json", ".tfvars", ".tfvars.json", ".tftest.hcl"].iter().any(|end| name.ends_with(end)) {
            let to = to.join(path.strip_prefix(from).expect("a path in it"));
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::write(to, bytes).expect("a writable file");
        }
    }
}

/// Modules outside of the folder that `--root` names are refused. Links to files there are left alone.
#[cfg(unix)]
#[test]
fn links_out_of_the_root_are_refused() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("renames-root");
    scratch.write("secret.tf", "locals {\n  secret = 1\n}\n");
    fs::create_dir_all(scratch.path("in/module")).expect("a folder");
    fs::create_dir_all(scratch.path("out")).expect("a folder");
    scratch.write("in/main.tf", "module \"m\" {\n  source = \"./module\"\n}\n");
    scratch.write("in/module/main.tf", "output \"a\" {\n  value = 1\n}\n");
    scratch.write("out/main.tf", "output \"a\" {\n  value = 2\n}\n");
    let eval = || run(&scratch.path("in"), &["eval", "--schema", "terraform", "--root", ".", "."]);
    assert_eq!(eval().0, Some(0), "{}", eval().2);
    let without = eval();
    for (link, to) in
        [("link.tf", "../secret.tf"), ("module/link.tf", "../../secret.tf"), ("terraform.tfvars", "../secret.tf")]
    {
        symlink(to, scratch.path("in").join(link)).expect("a link");
        let (status, out, err) = eval();
        fs::remove_file(scratch.path("in").join(link)).expect("the link can be removed");
        assert_eq!((status, &out), (Some(0), &without.1), "{link}: {err}");
        let note = format!("note: `{link}` leads out of the folder and was left alone; name it to include it\n");
        assert_eq!(err, note);
    }
    fs::remove_dir_all(scratch.path("in/module")).expect("the folder can be removed");
    for to in ["../out", "../nothing"] {
        symlink(to, scratch.path("in/module")).expect("a link");
        let refused = "error: cannot read `module`: it is outside of `.`, the folder of `--root`\n";
        assert_eq!(eval(), (Some(2), String::new(), refused.to_owned()));
        fs::remove_file(scratch.path("in/module")).expect("the link can be removed");
    }
}
