//! Links in folders that lead out of them: each command leaves them alone, and says so in the same words, whatever they
//! lead to.
//!
//! Each command meets each link, but not each combination of link, target and state. `HCL_LINKS=1` in the environment tries
//! all of them.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use super::cli::{Scratch, hcl, text};

/// The names of links in the folder.
const LINKS: [&str; 9] = [
    "z.tf",
    "z.tf.json",
    "z_override.tf",
    "terraform.tfvars",
    "z.auto.tfvars",
    "z.auto.tfvars.json",
    "z.tftest.hcl",
    "tests/z.tftest.hcl",
    "net/z.tf",
];

/// The commands on a folder.
const COMMANDS: [&[&str]; 21] = [
    &["check", "."],
    &["check", "--schema", "terraform", "."],
    &["check", "--format", "short", "."],
    &["check", "--fix", "."],
    &["fmt", "--check", "."],
    &["fmt", "--diff", "."],
    &["get", "locals.a", "."],
    &["query", "locals", "."],
    &["query", "locals[(length(files) > 0)]", "."],
    &["set", "locals.a", "1", "--dry-run", "."],
    &["rm", "locals.gone", "--dry-run", "."],
    &["mv", "locals.a", "locals.b", "--dry-run", "."],
    &["mv", "--references", "local.a", "local.b", "--dry-run", "."],
    &["mv", "--references", "var.x", "var.y", "--dry-run", "--callers", ".", "."],
    &["eval", "."],
    &["eval", "--allow-files", "."],
    &["eval", "--root", ".", "."],
    &["console", "."],
    &["graph", "."],
    &["refs", "var.x", "."],
    &["diff", ".", "."],
];

/// The contents of the folder outside, as a command of the shell in an empty folder.
const STATES: [&str; 6] = [
    "echo 'hunter2 = { hunter2 hunter2' > target; mkdir folder; echo 'output hunter2 {' > folder/main.tf",
    "true",
    "mkdir target; touch folder",
    "ln -s /dev/zero target; ln -s /dev folder",
    "mkfifo target; ln -s folder folder",
    "ln -s target target; ln -s /proc/self folder",
];

/// The target of a link, from the folder that it is in.
const TARGETS: [&str; 4] = ["OUTSIDE/target", "/dev/zero", "/proc/self/environ", "/nothing/here"];

fn folder(scratch: &Scratch) {
    let _ = Command::new("chmod").args(["-R", "u+rwx"]).arg(&scratch.0).stderr(Stdio::null()).status();
    let _ = fs::remove_dir_all(scratch.path("in"));
    for folder in ["in/tests", "in/net"] {
        fs::create_dir_all(scratch.path(folder)).expect("a folder");
    }
    scratch.write("in/main.tf", MAIN);
    scratch.write("in/net/main.tf", "output \"o\" {\n  value = 1\n}\n");
}

const MAIN: &str = "variable \"x\" {\n  default = 1\n}\n\nlocals {\n  a = [var.x, module.net.o]\n}\n\nmodule \"net\" {\n  \
                    source = \"./net\"\n}\n\noutput \"a\" {\n  value = local.a\n}\n";

fn set_outside(scratch: &Scratch, state: &str) {
    let _ = fs::remove_dir_all(scratch.path("out"));
    fs::create_dir_all(scratch.path("out")).expect("a folder");
    let made = Command::new("sh").current_dir(scratch.path("out")).args(["-c", state]).status();
    assert!(made.is_ok_and(|status| status.success()), "{state}");
}

/// Everything that a command prints, and its status.
fn said(scratch: &Scratch, command: &[&str]) -> String {
    let mut program = hcl();
    program.current_dir(scratch.path("in")).args(command).env("SECRET", "hunter2").arg("--max-file-size=1M");
    let output = program.output().expect("it runs");
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Says which combinations are tried: one of four, or all.
fn some() -> impl FnMut() -> bool {
    let all = std::env::var_os("HCL_LINKS").is_some();
    let mut seen = 0;
    move || {
        seen += 1;
        all || seen % 4 == 0
    }
}

#[test]
fn links_out_of_a_folder_are_left_alone_by_all_commands() {
    let scratch = Scratch::new("links-table");
    let (mut cases, mut is_tried) = (0, some());
    for link in LINKS {
        let up = if link.contains('/') { "../.." } else { ".." };
        let out = fs::canonicalize(&scratch.0).expect("the folder").join("out").to_string_lossy().into_owned();
        let targets = TARGETS.map(|target| target.replace("OUTSIDE", &format!("{up}/out")));
        // Chains: in the folder, and by an absolute path.
        for (index, target) in targets.into_iter().chain([format!("{out}/target")]).enumerate() {
            folder(&scratch);
            let note = format!("note: `{link}` leads out of the folder and was left alone; name it to include it\n");
            match index % 2 {
                0 => symlink(&target, scratch.path("in").join(link)).expect("a link"),
                _ => {
                    symlink(&target, scratch.path("in/net/chain")).expect("a link");
                    let first = if link.contains('/') { "../net/chain" } else { "net/chain" };
                    symlink(first, scratch.path("in").join(link)).expect("a link");
                }
            }
            let is_outside = target.contains("target");
            for command in COMMANDS {
                if !is_tried() {
                    continue;
                }
                let mut first = None;
                // One of the states for each command, and the first one, is what a difference needs.
                for state in [STATES[0], STATES[1 + cases % (STATES.len() - 1)]] {
                    if state != STATES[0] && !is_outside {
                        continue;
                    }
                    set_outside(&scratch, state);
                    let said = said(&scratch, command);
                    let case = format!("{command:?}, {link} to {target}, {state}:\n{said}");
                    assert!(!said.contains("hunter2"), "{case}");
                    assert_eq!(said.matches(&note).count(), 1, "{case}");
                    assert!(!said.starts_with("None") && !said.starts_with("Some(2)"), "{case}");
                    assert_eq!(*first.get_or_insert_with(|| said.clone()), said, "{case}");
                    cases += 1;
                }
            }
        }
    }
    println!("{cases} commands with links");
}

#[test]
fn modules_behind_links_out_of_a_folder_are_not_read() {
    let mut is_tried = some();
    let scratch = Scratch::new("links-modules");
    for (link, target) in
        [("in/net", "../out/folder"), ("in/net", "/dev"), ("in/net", "hop"), ("in/tests", "../out/folder")]
    {
        folder(&scratch);
        let _ = fs::remove_dir_all(scratch.path(link));
        symlink("../out/folder", scratch.path("in/hop")).expect("a link");
        symlink(target, scratch.path(link)).expect("a link");
        for command in COMMANDS {
            let mut first = None;
            for state in STATES {
                if !is_tried() {
                    continue;
                }
                set_outside(&scratch, state);
                let said = said(&scratch, command);
                let case = format!("{command:?}, {link} to {target}, {state}:\n{said}");
                assert!(!said.contains("hunter2"), "{case}");
                assert_eq!(*first.get_or_insert_with(|| said.clone()), said, "{case}");
            }
        }
    }
}

/// Links within the folder, and those that are named, are followed by all commands.
#[test]
fn links_in_a_folder_are_followed() {
    let scratch = Scratch::new("links-within");
    folder(&scratch);
    scratch.write("in/tests/values", "x = 5\n");
    fs::create_dir_all(scratch.path("out")).expect("a folder");
    scratch.write("out/values", "x = 6\n");
    scratch.write("out/main.tf", "locals {}\n");
    symlink("tests/values", scratch.path("in/z.auto.tfvars")).expect("a link");
    let eval = |paths: &[&str]| said(&scratch, &[&["eval", "--expr", "var.x"], paths].concat());
    assert_eq!(eval(&["."]), "Some(0)\n5\n");
    symlink("../in/../in/net/../tests/values", scratch.path("in/y.auto.tfvars")).expect("a link");
    assert_eq!(eval(&["."]), "Some(0)\n5\n");
    symlink("../out/values", scratch.path("in/zz.auto.tfvars")).expect("a link");
    assert!(eval(&["."]).starts_with("Some(0)\n5\nnote: `zz.auto.tfvars` leads out"));
    for paths in [&[".", "zz.auto.tfvars"][..], &[".", "./zz.auto.tfvars"], &[".", "../out"]] {
        assert!(eval(paths).contains("\n6\n"), "{paths:?}: {}", eval(paths));
    }
    // A module beside the folder, as files may name it, but not by a link that leads elsewhere.
    scratch.write("in/main.tf", &MAIN.replace("./net", "../net"));
    fs::create_dir_all(scratch.path("net")).expect("a folder");
    scratch.write("net/main.tf", "output \"o\" {\n  value = 7\n}\n");
    assert!(said(&scratch, &["eval", "--expr", "local.a", "."]).contains("7]"));
    fs::rename(scratch.path("net"), scratch.path("real")).expect("another name");
    symlink("real", scratch.path("net")).expect("a link");
    assert!(said(&scratch, &["eval", "--expr", "local.a", "."]).contains("7]"));
    fs::remove_file(scratch.path("net")).expect("it can be removed");
    let elsewhere = Path::new("..").join(scratch.0.file_name().expect("a name")).join("real");
    symlink(elsewhere, scratch.path("net")).expect("a link");
    assert!(said(&scratch, &["eval", "--expr", "local.a", "."]).contains("7]"), "out and in again");
    fs::remove_file(scratch.path("net")).expect("it can be removed");
    fs::remove_file(scratch.path("in/zz.auto.tfvars")).expect("it can be removed");
    symlink("/proc/self", scratch.path("net")).expect("a link");
    let note = "note: `../net` leads out of the folder and was left alone; name it to include it\n";
    for command in [&["eval", "."][..], &["graph", "."], &["check", "."], &["refs", "var.x", "."]] {
        assert!(said(&scratch, command).contains(note), "{command:?}: {}", said(&scratch, command));
    }
}

/// A file that is left alone may define what others refer to. So `check` does not call its names undefined, and the same
/// command does where nothing is left alone.
#[test]
fn names_that_a_link_may_define_are_not_undefined() {
    let scratch = Scratch::new("links-names");
    ["in", "out"].iter().for_each(|folder| fs::create_dir_all(scratch.path(folder)).expect("a folder"));
    scratch.write("in/main.tf", "output \"o\" {\n  value = var.elsewhere\n}\n");
    scratch.write("out/variables.tf", "variable \"elsewhere\" {}\n");
    assert!(said(&scratch, &["check", "."]).contains("nothing is defined as var.elsewhere"));
    symlink("../out/variables.tf", scratch.path("in/variables.tf")).expect("a link");
    let note = "note: `variables.tf` leads out of the folder and was left alone; name it to include it\n";
    assert_eq!(said(&scratch, &["check", "."]), format!("Some(0)\n{note}checked 1 file: no errors\n"));
}

/// Imports of schemas stay in the folder of the schema.
#[test]
fn imports_do_not_leave_the_folder_of_the_schema() {
    let scratch = Scratch::new("links-imports");
    folder(&scratch);
    symlink("../out/target", scratch.path("in/link.hcl")).expect("a link");
    for state in STATES {
        set_outside(&scratch, state);
        for path in ["../out/target", "link.hcl", "/dev/zero", "net/../../out/target", "nothing/../../out/target/x"] {
            scratch.write("in/s.schema.hcl", &format!("import = [\"{path}\"]\n\nlanguage \"s\" {{\n}}\n"));
            for command in [&["schema", "check", "s.schema.hcl"][..], &["check", "--schema", "s.schema.hcl", "main.tf"]]
            {
                let said = said(&scratch, command);
                assert!(!said.contains("hunter2"), "{said}");
                let why = format!("cannot import \"{path}\": it is outside of `.`; `--root DIR` allows another folder");
                assert!(said.contains(&why), "{state}: {said}");
            }
        }
    }
    scratch.write("in/net/common.hcl", "import = [\"../more.hcl\"]\n");
    scratch.write("in/more.hcl", "\n");
    scratch.write("in/s.schema.hcl", "import = [\"net/common.hcl\"]\n\nlanguage \"s\" {\n}\n");
    assert!(said(&scratch, &["schema", "check", "s.schema.hcl"]).starts_with("Some(0)"));
    scratch.write("out.hcl", "\n");
    scratch.write("in/more.hcl", "import = [\"../out.hcl\"]\n");
    assert!(said(&scratch, &["schema", "check", "s.schema.hcl"]).contains("it is outside of `.`"));
    assert!(said(&scratch, &["schema", "check", "s.schema.hcl", "--root", ".."]).starts_with("Some(0)"));
}

/// Files that say what to ignore are read up to a limit, and only if they are files.
#[test]
fn ignore_files_are_bounded() {
    let scratch = Scratch::new("links-ignore");
    fs::create_dir_all(scratch.path("a/b")).expect("folders");
    scratch.write("a/b/main.tf", "locals {}\n");
    let too_long = "longer than 256 KiB";
    for (name, state, why) in [
        (".gitignore", "ln -s /dev/zero .gitignore", "not a file"),
        (".ignore", "mkfifo .ignore", "not a file"),
        (".gitignore", "yes '[a-z]?**/' | head -c 300000 > .gitignore", too_long),
        (".git/info/exclude", "mkdir -p .git/info && ln -s /dev/zero .git/info/exclude", "not a file"),
        ("b/commondir", "echo 'gitdir: b' > .git && mkfifo b/commondir", "not a file"),
    ] {
        let made = Command::new("sh").current_dir(scratch.path("a")).args(["-c", state]).status();
        assert!(made.is_ok_and(|status| status.success()), "{state}");
        for folder in [".", "a", "a/b"] {
            let mut program = hcl();
            // The path of the folder of a working tree counts from the current folder on.
            program.current_dir(if name == "b/commondir" { scratch.path("a") } else { scratch.0.clone() });
            let folder = if name == "b/commondir" { "." } else { folder };
            let output = program.args(["check", folder]).output().expect("it runs");
            let err = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{state}: {err}");
            // The folders above the folder of the tests may have such files, too.
            let above = if why == too_long { "with those in the folders above, " } else { "" };
            let rest = format!("{name}`: {above}it is {why}; `--no-ignore` searches the folder without it\n");
            let rest = rest + "1 path could not be checked\n";
            let path = err.strip_prefix("error: cannot read `").and_then(|err| err.strip_suffix(&rest));
            assert!(path.is_some_and(|path| path.is_empty() || path.ends_with("a/")), "{state}: {err}");
        }
        let output = hcl().current_dir(&scratch.0).args(["check", "--no-ignore", "a"]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{state}: {}", text(&output.stderr));
        let _ = fs::remove_file(scratch.path("a/b/commondir"));
        for left in [".gitignore", ".ignore", ".git"] {
            let left = scratch.path("a").join(left);
            let _ = fs::remove_file(&left).or_else(|_| fs::remove_dir_all(&left));
        }
    }
}
