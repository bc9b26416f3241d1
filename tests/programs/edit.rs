//! `hcl set`, `rm`, `mv`, `append` and `comment` in files: what is written, and what stays.

use std::fs;
use std::process::Output;

use super::cli::{Scratch, hcl, text};

fn run(scratch: &Scratch, args: &[&str]) -> Output {
    hcl().current_dir(&scratch.0).args(args).output().expect("the program runs")
}

fn read(scratch: &Scratch, name: &str) -> String {
    fs::read_to_string(scratch.0.join(name)).expect("it is there")
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
    let expected = "error: the address leads to 2 places; `--all` changes all of them:\n  a.tf:1: a\n  b.tf:1: a\n";
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
    assert_eq!(text(&output.stderr), "error: the address leads to nothing\n");
    assert_eq!(output.status.code(), Some(1));
}
