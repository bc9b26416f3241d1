//! Values of sensitive variables, from each place that they can come from, through each command that evaluates.
//!
//! Each value has a word in it that is nowhere else. A few random combinations are tried. `HCL_SECRETS=10000` in the
//! environment tries all of them, and `HCL_SEED=2` other ones.

use std::io::Write as _;
use std::process::Stdio;

use super::cli::{Scratch, hcl};

/// Right and wrong values.
const VALUES: [&str; 14] = [
    "\"hunter2\"",
    "hunter2",
    "hunter2.hunter2[0]",
    "{ hunter2 = 1 }",
    "{ a = hunter2 }",
    "{ a = \"hunter2\", a = \"hunter2\" }",
    "[\"hunter2\", hunter2]",
    "[1, \"hunter2\"",
    "\"hunter2",
    "\"${hunter2}\"",
    "\"x\" \"hunter2\"",
    "upper(\"hunter2\") + 1",
    "<<E\nhunter2\nE\n",
    "true ? \"hunter2\" : [hunter2]",
];

/// Types of the variable.
const TYPES: [&str; 4] =
    ["", "  type = string\n", "  type = map(number)\n", "  type = object({ name = list(number) })\n"];

/// The sources of the value.
const SOURCES: [&str; 8] = [
    "environment",
    "--var",
    "--vars",
    "automatic file",
    "automatic file in JSON",
    "test file",
    "sensitive in another file",
    "default of a local",
];

/// The commands to run.
const COMMANDS: [&[&str]; 22] = [
    &["eval"],
    &["eval", "--json"],
    &["eval", "-o", "table"],
    &["eval", "--expr", "[var.x, \"${var.x}\", var.x.hunter, var.x + 1]"],
    &["eval", "--expr", "{ for k, v in var.x : k => v.hunter }"],
    &["console"],
    &["graph"],
    &["check"],
    &["check", "--format", "short"],
    &["check", "--format", "sarif"],
    &["check", "--format", "github"],
    &["check", "--json"],
    &["eval", "-o", "yaml"],
    &["eval", "--allow-files", "--expr", "[file(var.x), templatefile(var.x, {}), fileset(\".\", var.x)]"],
    &["eval", "-o", "raw", "--expr", "var.x"],
    &["graph", "--output", "json"],
    &["refs", "var.x"],
    &["mv", "--references", "var.x", "var.y", "--dry-run"],
    &["query", "[*]", "--resolve", "--json"],
    &[
        "query",
        "[*][*]",
        "--resolve",
        "--select",
        "[self, try(upper(self), 1), try(node.block.self, 1)]",
        "-o",
        "ndjson",
    ],
    &["query", "[*]", "--resolve", "--order-by", "self", "--group-by", "self", "--where", "self != 1"],
    &["get", "[*]", "--resolve", "--at"],
];

const INPUT: &str = "var.x\n:type var.x\n:type [var.x, local.a]\nlocal.a\nlocal.b\nvar.x.hunter\nvar.x + 1\n:vars\n";

/// The attributes that hide the variable. Packer has only the first one.
const FLAGS: [&str; 2] = ["sensitive", "ephemeral"];

struct Probe {
    packer: bool,
    flag: &'static str,
    value: &'static str,
    ty: &'static str,
    source: &'static str,
    command: &'static [&'static str],
}

impl Probe {
    /// Everything that the command prints.
    fn output(&self, scratch: &Scratch) -> String {
        let (file, ending, prefix) =
            if self.packer { ("main.pkr.hcl", "pkrvars.hcl", "PKR_VAR_") } else { ("main.tf", "tfvars", "TF_VAR_") };
        let own = self.source == "default of a local";
        let result = if self.packer { ("local", "expression") } else { ("output", "value") };
        let elsewhere = self.source == "sensitive in another file";
        let sensitive = if elsewhere { String::new() } else { format!("  {} = true\n", self.flag) };
        let mut text = format!(
            "variable \"x\" {{\n{}{sensitive}{}}}\nvariable \"later\" {{}}\nlocals {{\n  a = \"${{var.x}}-${{var.later}}\"\n  \
             b = [var.x, upper(var.later)]\n  c = {{ d = var.x, e = var.later }}\n}}\n{} \"o\" {{\n  {} = \"${{var.later}}-x\"\n  \
             sensitive = true\n}}\n",
            self.ty,
            if own { "  default = null\n" } else { "" },
            result.0,
            result.1,
        );
        if own {
            // Only what is computed of a text in the file is a secret.
            let computed = "jsondecode(\"\\\"\\u0068unter\\u0032\\\"\")";
            text += &format!("{} \"p\" {{\n  {} = {computed}\n  sensitive = true\n}}\n", result.0, result.1);
            text += &format!(
                "locals {{\n  d = sensitive({computed})\n  e = \"${{sensitive({computed})}}${{var.later}}\"\n}}\n"
            );
        }
        let _ = std::fs::remove_dir_all(&scratch.0);
        std::fs::create_dir_all(&scratch.0).expect("a folder");
        scratch.write(file, &text);
        let mut command = hcl();
        command.current_dir(&scratch.0).env_remove("TF_VAR_x").env_remove("PKR_VAR_x");
        command.args(self.command);
        let is_check = self.command[0] == "check";
        if !is_check {
            command.args(["--schema", if self.packer { "packer" } else { "terraform" }, "."]);
        }
        let is_query = matches!(self.command[0], "query" | "get");
        let takes_values = is_query || matches!(self.command[0], "eval" | "console");
        // Queries search files with values, too, and show what is found.
        let is_source = is_check || is_query;
        match self.source {
            "environment" => drop(command.env(format!("{prefix}x"), self.value)),
            "sensitive in another file" => {
                command.env(format!("{prefix}x"), self.value);
                scratch.write("z_override.tf", &format!("variable \"x\" {{\n  {} = true\n}}\n", self.flag));
            }
            "--var" if takes_values => drop(command.args(["--var", &format!("x={}", self.value)])),
            "--vars" if takes_values => {
                scratch.write("given.vars", &format!("later = 1\nx = {}\n", self.value));
                command.args(["--vars", "given.vars"]);
            }
            // Files with values are source code to `check`, which shows the lines that it is about.
            "automatic file in JSON" if !is_source => {
                let name = format!("given.auto.{}.json", ending.trim_end_matches(".hcl"));
                scratch.write(&name, &format!("{{\"later\": 1, \"x\": {}}}\n", self.value));
            }
            "test file" if !is_source => {
                let text = format!("run \"a\" {{\n  variables {{\n    x = {}\n  }}\n}}\n", self.value);
                scratch.write("given.tftest.hcl", &text);
            }
            "automatic file" if !is_source => {
                scratch.write(&format!("given.auto.{ending}"), &format!("x = {}\n", self.value));
            }
            _ => {}
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let _ = child.stdin.take().expect("its standard input").write_all(INPUT.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.code().is_some_and(|code| code <= 2), "{:?} {:?}", self.command, output.status);
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn no_command_shows_what_a_sensitive_variable_is_given() {
    let mut all = Vec::new();
    for packer in [false, true] {
        for source in SOURCES {
            for ty in TYPES {
                for value in VALUES {
                    // Packer has neither tests nor files that change others.
                    if packer && matches!(source, "test file" | "sensitive in another file") {
                        continue;
                    }
                    for flag in &FLAGS[..if packer { 1 } else { 2 }] {
                        all.extend(COMMANDS.map(|command| Probe { packer, flag, value, ty, source, command }));
                    }
                }
            }
        }
    }
    let (seed, count) = (setting("HCL_SEED", 1), setting("HCL_SECRETS", 150) as usize);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..all.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(at, (state >> 33) as usize % (at + 1));
    }
    let scratch = Scratch::new("secrets");
    let mut leaks = Vec::new();
    let probes = all.len().min(count);
    for probe in all.iter().take(count) {
        let output = probe.output(&scratch);
        if output.contains("hunter2") {
            let Probe { packer, flag, value, ty, source, command } = probe;
            leaks.push(format!("{command:?} packer={packer} {flag} {source} {ty:?} {value:?}:\n{output}"));
        }
    }
    println!("{probes} probes with seed {seed}, {} leaks", leaks.len());
    assert!(leaks.is_empty(), "{} of {probes}, such as\n{}", leaks.len(), leaks[..leaks.len().min(6)].join("\n\n"));
}

/// Values of attributes that a schema calls secret, through each command and format.
#[test]
fn no_command_shows_the_value_of_an_attribute_that_a_schema_calls_secret() {
    let scratch = Scratch::new("secrets-schema");
    let computed = "jsondecode(\"\\\"\\u0068unter\\u0032\\\"\")";
    let mut probes = 0;
    for word in ["sensitive", "write_only"] {
        for ty in ["string", "number", "keyword(a, b)", "list(number)"] {
            let attribute = format!("attribute \"key\" {{\n    type = {ty}\n    {word} = true\n  }}\n");
            let schema = format!(
                "language \"s\" {{\n  files \"all\" {{\n    patterns = [\"*.s\"]\n    body = all\n  }}\n}}\n\npart \"all\" {{\n  \
                 {attribute}  attribute \"copy\" {{\n    type = any\n  }}\n  attribute \"part\" {{\n    type = object(inner)\n  }}\n}}\n\n\
                 part \"inner\" {{\n  {attribute}}}\n"
            );
            scratch.write("s.schema.hcl", &schema);
            let text = format!(
                "key = {computed}\ncopy = [key, upper(key), key + 1, part.key]\npart = {{\n  key = {computed}\n}}\n"
            );
            scratch.write("main.s", &text);
            for command in COMMANDS.iter().filter(|command| !command.iter().any(|word| word.contains("var.x"))) {
                let mut program = hcl();
                program.current_dir(&scratch.0).args(*command).args(["--schema", "s.schema.hcl", "main.s"]);
                let mut child = program
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("the program starts");
                let input = b"key\ncopy\n:type copy\nkey + 1\npart\nkey.a\n:vars\n";
                let _ = child.stdin.take().expect("its standard input").write_all(input);
                let output = child.wait_with_output().expect("the program ends");
                let all =
                    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                assert!(!all.contains("hunter2"), "{word} {ty} {command:?}:\n{all}");
                assert!(output.status.code().is_some_and(|code| code <= 1), "{word} {ty} {command:?}:\n{all}");
                probes += 1;
            }
        }
    }
    println!("{probes} probes");
}
