//! `hcl eval` and `hcl template`, run as programs.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn hcl(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads its input");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a status"), text(stdout), text(stderr))
}

#[test]
fn a_file_gives_its_values_in_three_forms() {
    let source = "port = base + 1\nservice \"web\" {\n  name = upper(name)\n}\nservice \"db\" {}\n";
    let variables = ["--var", "base=8000", "--var", "name=ada"];
    let run = |output: &str| {
        let arguments: Vec<&str> = ["eval", "-", "--output", output].into_iter().chain(variables).collect();
        let (status, out, err) = hcl(&arguments, source);
        assert_eq!((status, &*err), (0, ""));
        out
    };
    assert_eq!(run("json"), "{\"port\":8001,\"service\":{\"db\":[{}],\"web\":[{\"name\":\"ADA\"}]}}\n");
    assert_eq!(run("hcl"), "port = 8001\nservice = { db = [{}], web = [{ name = \"ADA\" }] }\n");
    assert!(run("table").starts_with("port     number  8001\n"));
}

#[test]
fn an_expression_sees_variables_of_every_kind() {
    let arguments = ["eval", "--expr", "[n, s, t[1]]", "--var", "n=1.5", "--var", "s=plain text", "--var", "t=[1, 2]"];
    assert_eq!(hcl(&arguments, ""), (0, "[1.5, \"plain text\", 2]\n".to_owned(), String::new()));
}

#[test]
fn a_template_becomes_a_text() {
    let template = "%{ for n in names ~}\nHello, ${n}!\n%{ endfor ~}\n";
    let (status, out, err) = hcl(&["template", "-", "--var", "names=[\"Ada\", \"Grace\"]"], template);
    assert_eq!((status, &*out, &*err), (0, "Hello, Ada!\nHello, Grace!\n", ""));
}

#[test]
fn what_is_wrong_is_said_and_counts() {
    let (status, out, err) = hcl(&["eval", "-"], "a = b\n");
    // Unknown expressions stay as they are written.
    assert_eq!((status, &*out), (1, "a = b\n"));
    assert!(err.starts_with("error[unknown-variable]"), "{err}");
    let (status, _, err) = hcl(&["template", "-", "--var", "names"], "x");
    assert_eq!((status, &*err), (2, "error: `--var names` has no value; write `--var names=…`\n"));
    let (status, _, err) = hcl(&["eval", "there/is/no/such/file"], "");
    assert!(status == 2 && err.starts_with("error: cannot read `there/is/no/such/file`"), "{err}");
}

#[test]
fn of_very_many_errors_the_first_ones_are_shown() {
    let (status, _, err) = hcl(&["eval", "-"], &"a = [1 2]\n".repeat(60));
    assert_eq!(status, 1);
    assert_eq!(err.matches("error[").count(), 50);
    assert!(err.ends_with("\nnote: 69 more errors not shown\n"), "{err:.2000}");
}
