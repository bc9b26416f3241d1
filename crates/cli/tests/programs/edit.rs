//! `hcl set`, `rm`, `mv`, `append` and `comment` in files: the changes, and that everything else stays.

use std::fs;
use std::process::{Child, Output, Stdio};

use super::cli::{Scratch, hcl, text};

fn run(scratch: &Scratch, args: &[&str]) -> Output {
    hcl().current_dir(&scratch.0).args(args).output().expect("the program runs")
}

fn read(scratch: &Scratch, name: &str) -> String {
    fs::read_to_string(scratch.0.join(name)).expect("it is there")
}

/// A number from the environment, so that more can be tried than usual.
fn setting(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn files_are_changed_in_place() {
    let scratch = Scratch::new("edit-in-place");
    fs::create_dir(scratch.0.join("sub")).expect("a folder");
    scratch.write("a.tf", "module \"x\" {\n  version = \"1\" # old\n}\n");
    scratch.write("sub/b.tf", "module \"y\" {\n  version = \"1\"\n}\r\n");
    scratch.write("sub/c.tf", "locals {}\n");
    let output = run(&scratch, &["set", "--all", "module[*].version", "\"2\"", "."]);
    assert_eq!(text(&output.stderr), "changed 2 places in 2 files\n");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
    assert_eq!(read(&scratch, "a.tf"), "module \"x\" {\n  version = \"2\" # old\n}\n");
    assert_eq!(read(&scratch, "sub/b.tf"), "module \"y\" {\n  version = \"2\"\n}\r\n");
    assert_eq!(read(&scratch, "sub/c.tf"), "locals {}\n");
}

#[test]
fn several_places_without_all_change_nothing() {
    let scratch = Scratch::new("edit-several");
    scratch.write("a.tf", "a = 1\n");
    scratch.write("b.tf", "a = 1\n");
    let output = run(&scratch, &["rm", "a", "a.tf", "b.tf"]);
    let expected = "error: the address matches 2 places; `--all` changes all of them:\n  a.tf:1: a\n  b.tf:1: a\n";
    assert_eq!((text(&output.stderr), output.status.code()), (expected, Some(2)));
    assert_eq!((read(&scratch, "a.tf"), read(&scratch, "b.tf")), ("a = 1\n".into(), "a = 1\n".into()));
}

#[test]
fn what_stands_in_the_way_in_one_file_keeps_all_as_they_are() {
    let scratch = Scratch::new("edit-in-the-way");
    scratch.write("a.tf", "a = 1\n");
    scratch.write("b.tf", "a = 1\nb = = 1\n");
    let output = run(&scratch, &["set", "--all", "a", "2", "a.tf", "b.tf"]);
    let message = "error: `b.tf` has 1 error; `--force` changes it all the same\nnote: no file was changed\n";
    assert!(text(&output.stderr).ends_with(message), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read(&scratch, "a.tf"), "a = 1\n");
    let output = run(&scratch, &["set", "--all", "--force", "a", "2", "a.tf", "b.tf"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(read(&scratch, "b.tf"), "a = 2\nb = = 1\n");
}

#[test]
fn nothing_found_is_a_status_of_its_own() {
    let scratch = Scratch::new("edit-nothing");
    scratch.write("a.tf", "a = 1\n");
    let output = run(&scratch, &["rm", "b", "."]);
    assert!(text(&output.stderr).starts_with("error[nothing-found]: nothing has this address\n"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn programs_that_edit_one_file_at_once_lose_nothing() {
    let scratch = Scratch::new("edit-at-once");
    scratch.write("a.tf", "list = []\n");
    let append = |number: usize| {
        let mut command = hcl();
        command.current_dir(&scratch.0).args(["append", "--quiet", "list", &number.to_string(), "a.tf"]);
        command.stdout(Stdio::null()).spawn().expect("the program runs")
    };
    let count = setting("HCL_PROGRAMS", 40);
    let children: Vec<Child> = (0..count).map(append).collect();
    let mut written: Vec<String> = Vec::new();
    for (number, mut child) in children.into_iter().enumerate() {
        if child.wait().expect("it ends").success() {
            written.push(number.to_string());
        }
    }
    let text = read(&scratch, "a.tf");
    let inside = text.trim().strip_prefix("list = [").and_then(|text| text.strip_suffix("]")).expect("a list");
    let mut found: Vec<String> = inside.split(", ").map(str::to_owned).collect();
    found.sort();
    written.sort();
    assert_eq!(found, written);
    assert_eq!(written.len(), count, "with a lock, all of them can");
    assert_eq!(fs::read_dir(&scratch.0).expect("the folder").count(), 1, "temporary files are left");
}

/// The formatter and edits, each in many processes, on one file.
#[test]
fn formatting_and_editing_at_once_lose_nothing() {
    let scratch = Scratch::new("edit-and-format");
    scratch.write("a.tf", "x={\na=1\n}\n");
    let run = |number: usize| {
        let mut command = hcl();
        command.current_dir(&scratch.0);
        match number % 2 {
            0 => command.args(["fmt", "--quiet", "a.tf"]),
            _ => command.args(["append", "--quiet", "x", &format!("b{number}   =    {number}"), "a.tf"]),
        };
        command.stdout(Stdio::null()).spawn().expect("the program runs")
    };
    let children: Vec<Child> = (0..20).map(run).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let text = read(&scratch, "a.tf");
    for number in (1..20).step_by(2) {
        assert!(text.contains(&format!("b{number} ")), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn links_keep_what_they_lead_to() {
    use std::os::unix::fs::{MetadataExt, symlink};
    let scratch = Scratch::new("edit-links");
    for folder in ["in", "out"] {
        fs::create_dir(scratch.0.join(folder)).expect("a folder");
    }
    scratch.write("in/a.tf", "a=1\n");
    scratch.write("out/b.tf", "a=1\n");
    let at = |name: &str| scratch.0.join(name);
    fs::hard_link(at("in/a.tf"), at("out/same.tf")).expect("another name");
    symlink("../out/b.tf", at("in/outside.tf")).expect("a link");
    symlink("a.tf", at("in/inside.tf")).expect("a link");
    let output = run(&scratch, &["fmt", "in"]);
    let message = "note: `in/outside.tf` leads out of the folder and was left alone; name it to include it\n\
                   formatted 1 of 1 file\n";
    assert_eq!((text(&output.stderr), output.status.code()), (message, Some(0)));
    assert_eq!((read(&scratch, "out/same.tf"), read(&scratch, "out/b.tf")), ("a = 1\n".into(), "a=1\n".into()));
    assert_eq!(fs::metadata(at("in/a.tf")).expect("the file").nlink(), 2);
    let output = run(&scratch, &["set", "a", "2", "in"]);
    let message = "note: `in/outside.tf` leads out of the folder and was left alone; name it to include it\n\
                   changed 1 place in 1 file\n";
    assert_eq!((text(&output.stderr), output.status.code()), (message, Some(0)));
    assert_eq!((read(&scratch, "out/same.tf"), read(&scratch, "out/b.tf")), ("a = 2\n".into(), "a=1\n".into()));
    // One that is named is followed.
    let output = run(&scratch, &["set", "a", "3", "in/outside.tf"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(read(&scratch, "out/b.tf"), "a=3\n");
    assert!(fs::symlink_metadata(at("in/outside.tf")).expect("the link").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_temporary_files() {
    let scratch = Scratch::new("edit-signal");
    let unformatted: String = (0..200).map(|number| format!("a{number}=1\n")).collect();
    for number in 0..400 {
        scratch.write(&format!("{number:03}.tf"), &unformatted);
    }
    let mut child = hcl()
        .current_dir(&scratch.0)
        .args(["fmt", "--quiet", "."])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    // It is in the middle of its work.
    while read(&scratch, "000.tf") == unformatted && child.try_wait().expect("a status").is_none() {}
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success() || child.try_wait().is_ok()));
    child.wait().expect("it ends");
    let names = fs::read_dir(&scratch.0).expect("the folder").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    for number in 0..400 {
        let text = read(&scratch, &format!("{number:03}.tf"));
        assert_eq!(text.lines().count(), 200, "a file is half written");
    }
}

#[test]
fn moving_into_a_file_loses_nothing_that_is_in_it() {
    let scratch = Scratch::new("edit-into");
    scratch.write("variables.tf", "variable \"a\" {\n}\n");
    scratch.write("main.tf", "variable \"b\" {\n}\n\nlocals {\n}\n");
    for destination in ["./variables.tf", "variables.tf"] {
        let output = run(&scratch, &["mv", "--all", "variable[*]", "--into", destination, "."]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(read(&scratch, "variables.tf"), "variable \"a\" {\n}\n\nvariable \"b\" {\n}\n");
        assert_eq!(read(&scratch, "main.tf"), "locals {\n}\n");
    }
    // One of that name is there already.
    scratch.write("main.tf", "variable \"b\" {\n}\n");
    let output = run(&scratch, &["mv", "--all", "variable[*]", "--into", "variables.tf", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read(&scratch, "main.tf"), "variable \"b\" {\n}\n");
    // The other file may be a link to the destination.
    #[cfg(unix)]
    {
        fs::remove_file(scratch.path("main.tf")).expect("it can be removed");
        std::os::unix::fs::symlink("variables.tf", scratch.path("link.tf")).expect("a link");
        let before = read(&scratch, "variables.tf");
        let output = run(&scratch, &["mv", "--all", "variable[*]", "--into", "variables.tf", "link.tf", "."]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(read(&scratch, "variables.tf"), before);
    }
}

#[test]
fn files_in_the_json_syntax_are_changed_in_place() {
    let scratch = Scratch::new("edit-json");
    scratch.write("a.tf.json", "{\n  \"locals\": {\"a\": 1, \"b\": [1,2]}\n}\n");
    scratch.write("b.tf", "locals {\n  a = 1\n}\n");
    let output = run(&scratch, &["set", "--all", "locals.a", "2", "."]);
    assert_eq!(text(&output.stderr), "changed 2 places in 2 files\n");
    assert_eq!(read(&scratch, "a.tf.json"), "{\n  \"locals\": {\"a\": 2, \"b\": [1,2]}\n}\n");
    assert_eq!(read(&scratch, "b.tf"), "locals {\n  a = 2\n}\n");
}
