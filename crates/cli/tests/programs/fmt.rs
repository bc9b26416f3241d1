//! `hcl fmt` in files: the changes, and that everything else stays.

use std::fs;

use super::cli::{Scratch, hcl, text};

#[test]
fn files_are_written_in_place() {
    let scratch = Scratch::new("fmt-in-place");
    fs::create_dir(scratch.0.join("sub")).expect("a folder");
    let files = [
        ("a.tf", "a=1\n", "a = 1\n"),
        ("sub/b.tf", "b=\t1\n", "b = 1\n"),
        ("sub/c.tf", "c = 1\n", "c = 1\n"),
        ("wrong.tf", "d=\n", "d=\n"),
        ("e.tf.json", "{ \"e\":1}\n", "{ \"e\":1}\n"),
        ("f.txt", "f=1\n", "f=1\n"),
    ];
    for (name, before, _) in files {
        scratch.write(name, before);
    }
    let output = hcl().arg("fmt").arg(&scratch.0).output().expect("the program runs");
    assert_eq!(text(&output.stdout), "");
    let summary = "formatted 2 of 4 files; left alone: 1 with errors, 1 in the JSON syntax or templates\n";
    assert!(text(&output.stderr).ends_with(summary), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
    for (name, _, after) in files {
        assert_eq!(fs::read_to_string(scratch.0.join(name)).expect("it is there"), after, "{name}");
    }
}

#[test]
fn telling_what_changes_writes_nothing_unless_asked() {
    let scratch = Scratch::new("fmt-telling");
    let path = scratch.0.join("a.tf");
    let run = |args: &[&str]| {
        scratch.write("a.tf", "a=1\n");
        hcl().arg("fmt").args(args).arg(&path).output().expect("the program runs");
        fs::read_to_string(&path).expect("it is there")
    };
    for option in ["--check", "--diff", "--list"] {
        assert_eq!(run(&[option]), "a=1\n", "{option}");
        assert_eq!(run(&[option, "--write"]), "a = 1\n", "{option} --write");
    }
}

#[test]
fn with_force_files_with_errors_are_written() {
    let scratch = Scratch::new("fmt-force");
    let path = scratch.0.join("a.tf");
    fs::write(&path, b"a== \xff\nb=1\n").expect("a file");
    let run = |args: &[&str]| hcl().arg("fmt").args(args).arg(&path).output().expect("the program runs");
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["--force"]).status.code(), Some(0));
    assert_eq!(fs::read(&path).expect("it is there"), b"a == \xff\nb = 1\n");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new("fmt-read-only");
    let path = scratch.0.join("a.tf");
    scratch.write("a.tf", "a=1\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("permissions");
    let output = hcl().arg("fmt").arg(&path).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("permission denied"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "a=1\n");
}

#[test]
fn pages_of_the_manual_can_be_printed() {
    for (args, title) in [(&["man"][..], ".TH hcl 1"), (&["man", "fmt"], ".TH hcl-fmt 1")] {
        let output = hcl().args(args).output().expect("the program runs");
        assert!(text(&output.stdout).contains(title), "{}", text(&output.stdout));
    }
}
