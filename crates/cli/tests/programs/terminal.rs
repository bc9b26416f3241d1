//! The effects of the programs on the terminal, on existing files and on pipes: nothing unexpected.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::cli::{Scratch, hcl};

/// Clears the screen, in two ways, and shows what follows from right to left.
const EVIL: &str = "e\u{1b}[2J\u{9b}2J\u{202e}\u{7f}\u{200f}\u{61c}\u{2066}v";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}

/// The characters of a text that would control a terminal.
fn controls(text: &str) -> Vec<char> {
    let is_bidi =
        |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|&c| c != '\n' && c.is_control() || is_bidi(c)).collect()
}

fn hcldec() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hcldec"))
}

fn run(mut command: Command, folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = command
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may well not read it.
    let _ = child.stdin.take().expect("its input").write_all(input);
    child.wait_with_output().expect("the program ends")
}

#[cfg(unix)]
#[test]
fn nothing_controls_the_terminal() {
    let scratch = Scratch::new("evil");
    let name = format!("{EVIL}.hcl");
    let label = format!("{EVIL}.json");
    scratch.write(&name, &format!("a = {EVIL}\nb \"{EVIL}\" = 'x{EVIL}'\n# {EVIL}\nc {{\n  d = [1 {EVIL}]\n}}\n"));
    scratch.write(&label, &format!("{{\"{EVIL}\": {EVIL}, \"a\": \"${{{EVIL}}}\", \"{EVIL}\": 1}}"));
    scratch.write(
        "quoted.hcl",
        "a = b[\"\\u001b[2J\"]\nc = { \"\\u009b\" = \"\\u202e\" }[\"\\u009d\"]\nd = \"\\u001b\" + 1\n",
    );
    scratch.write("spec.hcldec", &format!("attr \"{EVIL}\" {{ type = {EVIL} }}\n"));
    scratch.write("object.hcldec", "object {\n  attr \"a\" { type = number }\n}\n");
    let argument = format!("--{EVIL}");
    let own = format!("a={EVIL}");
    let missing = format!("no/{EVIL}.hcl");
    let commands: &[&[&str]] = &[
        &["check"],
        &["check", "--format", "short"],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["check", "--format", "github"],
        &["check", &missing],
        &["check", "--exclude", EVIL, "."],
        &["check", "--extension", EVIL, "."],
        &["check", "--format", EVIL],
        &["check", &argument],
        &["fmt", "--check", "--force"],
        &["fmt", "--list", "--force"],
        &["fmt", "--list", &name],
        &["fmt", "--check", &label],
        &["get", "--at", "**", "quoted.hcl"],
        &["get", EVIL, "quoted.hcl"],
        &["get", "c", &name, &label, &missing],
        &["query", "**", "--where", EVIL, "quoted.hcl"],
        &["query", EVIL],
        &["set", "nothing", EVIL, &name],
        &["rm", EVIL, &name, "quoted.hcl"],
        &["mv", "a", EVIL, "quoted.hcl"],
        &["append", EVIL, EVIL, "quoted.hcl"],
        &["comment", EVIL, EVIL, "quoted.hcl"],
        &["eval", "quoted.hcl"],
        &["eval", &name, &label],
        &["eval", "--expr", EVIL],
        &["eval", "--expr", "x", "--var", EVIL],
        &["eval", "--expr", "a[0].b", "--var", &own],
        &["eval", "--expr", "1", "--vars", &name],
        &["eval", "--expr", "1", "--vars", &missing],
        &["template", &name],
        &["convert", &name],
        &["convert", &label],
        &["convert", &missing, "--out-dir", "out"],
        &["tokens", &name],
        &["tokens", &label],
        &["ast", &name],
        &["ast", &label],
        &["console", &name],
        &["explain", EVIL],
        &["functions", EVIL],
        &["man", EVIL],
        &["completions", EVIL],
        &["decode", "--spec", "spec.hcldec", "quoted.hcl"],
        &["decode", "--spec", "object.hcldec", &name],
        &["decode", "--spec", "object.hcldec", "--diags", "json", &name, &label, &missing],
        &["decode", "--spec", "object.hcldec", "--vars", EVIL, "quoted.hcl"],
        &["decode", "--spec", "object.hcldec", "--vars", "{\"\u{1b}\"", "quoted.hcl"],
        &["decode", "--spec", &missing],
        &[EVIL],
        &[&argument],
        &[&name],
        &["help", EVIL],
        &["eval", "--max-memory", EVIL],
    ];
    let input = format!(":{EVIL}\n:help {EVIL}\n{EVIL}\na = '{EVIL}'\n:ast {EVIL}\n:tokens {EVIL}\n\"\\u001b\"[0]\n");
    for args in commands {
        let output = run(hcl(), &scratch.0, args, input.as_bytes());
        let err = text(&output.stderr);
        assert_eq!(controls(&err), [], "{args:?}: {err}");
        // The output of these commands is data, printed without escaping.
        if !["get", "query", "convert", "template"].contains(&args[0]) {
            let out = text(&output.stdout);
            assert_eq!(controls(&out), [], "{args:?}: {out}");
        }
        let (program, rest) = match args.split_first() {
            Some((&"decode", rest)) => (hcldec(), rest),
            _ => continue,
        };
        let output = run(program, &scratch.0, rest, b"");
        assert_eq!(controls(&text(&output.stderr)), [], "hcldec {rest:?}");
    }
}

#[test]
fn escapes_do_not_move_the_carets() {
    let output = run(hcl(), Path::new("."), &["check", "--quiet", "-"], "a = \"\u{1b}é\u{202e}\" 'x'\n".as_bytes());
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    let code = lines.iter().position(|line| line.starts_with("1 │ ")).expect("the line");
    assert_eq!(lines[code], "1 │ a = \"\\u{1b}é\\u{202e}\" 'x'");
    let caret = lines[code + 1].chars().position(|c| c == '^').expect("a caret");
    assert_eq!(lines[code].chars().nth(caret), Some('\''), "{out}");
    assert!(out.contains("<stdin>:1:11"), "columns are those of the file: {out}");
}

/// Data is printed unchanged: a pipe could not read anything else.
#[test]
fn data_in_pipes_are_what_they_are() {
    let source = "a = \"\\u001b[2J\\u202e\"\n";
    let raw = run(hcl(), Path::new("."), &["get", "--raw", "a", "-"], source.as_bytes());
    assert_eq!(text(&raw.stdout), "\u{1b}[2J\u{202e}\n");
    let template = run(hcl(), Path::new("."), &["template", "-"], "\u{1b}\u{202e}\n".as_bytes());
    assert_eq!(text(&template.stdout), "\u{1b}\u{202e}\n");
    let formatted = run(hcl(), Path::new("."), &["fmt", "-"], "a=1 # \u{1b}\u{202e}\n".as_bytes());
    assert_eq!(text(&formatted.stdout), "a = 1 # \u{1b}\u{202e}\n");
}

/// On a terminal, data are not shown so that they control it. (`script` of util-linux makes one.)
#[cfg(target_os = "linux")]
#[test]
fn data_on_a_terminal_do_not_control_it() {
    let scratch = Scratch::new("terminal");
    scratch.write("a.hcl", "a = \"\\u001b[2J\\u202e\"\nb=1 # \u{1b}[2J\n");
    let on_terminal = |args: &str| {
        let line = format!("{} {args}", env!("CARGO_BIN_EXE_hcl"));
        let output = Command::new("script").current_dir(&scratch.0).args(["-qec", &line, "/dev/null"]).output();
        output.ok().filter(|output| output.status.success()).map(|output| text(&output.stdout))
    };
    let Some(raw) = on_terminal("get --raw a a.hcl") else {
        eprintln!("left out: there is no program `script` here that can make a terminal");
        return;
    };
    assert_eq!(raw.trim_end(), "\\u{1b}[2J\\u{202e}");
    for args in [
        "get b a.hcl --at --color never",
        "get b a.hcl",
        "query b a.hcl",
        "fmt --diff a.hcl",
        "template a.hcl",
        "fmt --diff --color never a.hcl",
    ] {
        let out = on_terminal(args).expect("it runs");
        assert!(
            out.contains("b=1 # \\u{1b}[2J")
                || out.contains(":2: 1")
                || out.contains("b=1")
                || out.starts_with("1\r\n"),
            "{args}: {out:?}"
        );
        assert!(!out.contains("\u{1b}[2J"), "{args}: {out:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new("names");
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let folder = scratch.0.join(name(b"\xe9t\xe9"));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name(b"\xff\x1b.tf"));
    fs::write(&file, "a=1\n").expect("a file");
    fs::write(folder.join(name(b"\xfe.tf.json")), "{\"a\": 1}").expect("a file");
    let within = |args: &[&str]| {
        let output = run(hcl(), &scratch.0, args, b"");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let shown = "\\xe9t\\xe9/\\xff\\u{1b}.tf";
    assert_eq!(
        within(&["check", "--schema", "none", "."]),
        (Some(0), String::new(), "checked 2 files: no errors\n".to_owned())
    );
    assert_eq!(within(&["fmt", "--list", "--quiet", "."]), (Some(0), format!("{shown}\n"), String::new()));
    assert_eq!(within(&["get", "--at", "a", "."]).1, format!("\\xe9t\\xe9/\\xfe.tf.json:1: 1\n{shown}:1: 1\n"));
    assert!(within(&["query", "a", ".", "--output", "ndjson"]).1.contains("\\\\xff\\\\u{1b}.tf"));
    assert_eq!(within(&["set", "--all", "a", "2", ".", "--quiet"]).0, Some(0));
    assert_eq!(fs::read_to_string(&file).expect("the file"), "a=2\n");
    assert_eq!(within(&["fmt", "--quiet", "."]).0, Some(0));
    assert_eq!(fs::read_to_string(&file).expect("the file"), "a = 2\n");

    let named = |args: &[&str]| {
        let output = hcl().current_dir(&scratch.0).args(args).arg(&file).output().expect("it runs");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    assert_eq!(
        named(&["check", "--schema", "none", "--no-names"]),
        (Some(0), "checked 1 file: no errors\n".to_owned())
    );
    assert_eq!(named(&["eval"]).0, Some(0));
    assert_eq!(named(&["convert", "--out-dir", "out"]).0, Some(0));
    assert!(scratch.0.join("out").join(name(b"\xff\x1b.tf.json")).exists());
    scratch.write("a.hcldec", "object {\n  attr \"a\" { type = number }\n}\n");
    assert_eq!(named(&["decode", "--spec", "a.hcldec", "--vars"]).0, Some(0));
    assert_eq!(named(&["decode", "--spec", "a.hcldec"]), (Some(0), "{\"a\":2}\n".to_owned()));
    fs::write(&file, "a = 'x'\n").expect("a file");
    assert!(named(&["check", "--format", "short"]).1.contains("/\\xff\\u{1b}.tf:1:5: error[single-quotes]"));
    let output = hcl().arg("check").arg(name(b"no\xff.tf")).output().expect("it runs");
    assert_eq!(
        text(&output.stderr),
        "error: cannot read `no\\xff.tf`: there is no such file or folder\nno\
               thing\n"
            .replace("nothing", "1 path could not be checked")
    );
    let output = hcl().args(["check", "--format"]).arg(name(b"\xff\x1b")).output().expect("it runs");
    assert_eq!(controls(&text(&output.stderr)), []);
}

/// Whatever has something to say on standard output.
const SAYING: [&[&str]; 24] = [
    &["--help"],
    &["-h"],
    &["--version"],
    &["help", "check"],
    &["fmt", "--help"],
    &["man"],
    &["man", "fmt"],
    &["completions", "bash"],
    &["functions"],
    &["functions", "upper"],
    &["explain"],
    &["explain", "single-quotes"],
    &["eval", "--expr", "1"],
    &["get", "a", "-"],
    &["query", "a", "-"],
    &["query", "a", "--count", "-"],
    &["tokens", "-"],
    &["ast", "-"],
    &["convert", "-"],
    &["fmt", "-"],
    &["set", "a", "2", "-"],
    &["template", "-"],
    &["decode", "--spec", "/dev/null", "-"],
    &["console"],
];

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_a_failure_for_all() {
    let scratch = Scratch::new("full");
    scratch.write("spec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    // Without an end of line, which is what makes some outputs flush.
    scratch.write("input", "a = 1");
    scratch.write("expression", "1");
    for (program, args) in SAYING.into_iter().map(|args| ("hcl", args)).chain([
        ("hcldec", &["--help"][..]),
        ("hcldec", &["--version"]),
        ("hcldec", &["--spec", "spec"]),
    ]) {
        let args: Vec<&str> = args.iter().map(|&word| if word == "/dev/null" { "spec" } else { word }).collect();
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let mut command = if program == "hcl" { hcl() } else { hcldec() };
        let output = command
            .current_dir(&scratch.0)
            .args(&args)
            .stdin(
                fs::File::open(scratch.0.join(if args == ["console"] { "expression" } else { "input" })).expect("it"),
            )
            .stdout(full)
            .output()
            .expect("the program runs");
        let err = text(&output.stderr);
        let failed = if args.contains(&"--spec") { 1 } else { 2 };
        assert_eq!(output.status.code(), Some(failed), "{program} {args:?}: {err}");
        assert!(err.contains("error: cannot write the output: no space left on the device"), "{args:?}: {err}");
    }
}

/// Nobody reads what is printed, and the input never ends.
#[test]
fn all_end_when_their_reader_has_gone() {
    let scratch = Scratch::new("gone");
    scratch.write("spec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    for args in SAYING {
        let args: Vec<&str> = args.iter().map(|&word| if word == "/dev/null" { "spec" } else { word }).collect();
        let mut child = hcl()
            .current_dir(&scratch.0)
            .args(&args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("its input");
        if args == ["console"] {
            // Until it has had enough.
            while stdin.write_all(b"1 + 1\n").is_ok() {}
        } else {
            let _ = stdin.write_all(b"a = 1\n");
        }
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("error"), "{args:?}: {err}");
    }
}

/// A limit for the size of files is a disk that gets full. (The signal that comes with it is ignored, as a
/// full disk sends none.)
#[cfg(unix)]
#[test]
fn on_a_full_disk_files_stay_what_they_are() {
    let scratch = Scratch::new("disk");
    let long: String = (0..1_000).map(|number| format!("a{number}=1\n")).collect();
    let json = format!("{{\"a\": [{}]}}", vec!["1"; 2_000].join(","));
    let wrong = format!("{long}b = 'x'\n");
    for (name, content) in [("long.tf", &long), ("wrong.hcl", &wrong), ("old.json", &json), ("in.tf.json", &json)] {
        scratch.write(name, content);
    }
    scratch.write("spec", "attr {\n  name = \"a\"\n  type = list(number)\n}\n");
    let (hcl, hcldec) = (env!("CARGO_BIN_EXE_hcl"), env!("CARGO_BIN_EXE_hcldec"));
    for (command, status) in [
        (format!("{hcl} fmt long.tf"), 2),
        (format!("{hcl} check --fix wrong.hcl"), 2),
        (format!("{hcl} set a1 2 long.tf"), 2),
        (format!("{hcl} convert in.tf.json --out-dir ."), 2),
        (format!("{hcl} convert in.tf.json --out-dir . --force"), 2),
        (format!("{hcl} decode --spec spec --out old.json in.tf.json"), 1),
        (format!("{hcldec} --spec spec -o old.json in.tf.json"), 1),
        (format!("{hcldec} --spec spec -o new.json in.tf.json"), 1),
    ] {
        let full = format!("trap '' XFSZ; ulimit -f 1; exec {command}");
        let output = Command::new("sh").current_dir(&scratch.0).args(["-c", &full]).output().expect("a shell");
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{command}: {err}");
        assert!(err.contains("cannot write"), "{command}: {err}");
        let mut names: Vec<String> = fs::read_dir(&scratch.0)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["in.tf.json", "long.tf", "old.json", "spec", "wrong.hcl"], "{command}");
        for (name, content) in [("long.tf", &long), ("wrong.hcl", &wrong), ("old.json", &json)] {
            assert_eq!(&fs::read_to_string(scratch.0.join(name)).expect("the file"), content, "{command}: {name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn results_are_written_as_a_whole_with_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("results");
    scratch.write("spec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    scratch.write("real.json", "old");
    symlink("real.json", scratch.0.join("link.json")).expect("a link");
    fs::set_permissions(scratch.0.join("real.json"), fs::Permissions::from_mode(0o600)).expect("permissions");
    let out = |name: &str| {
        let output = run(hcldec(), &scratch.0, &["--spec", "spec", "-o", name], b"a = 1\n");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(out("link.json"), (Some(0), String::new(), String::new()));
    assert_eq!(fs::read_to_string(scratch.0.join("real.json")).expect("the file"), "1\n");
    assert!(fs::symlink_metadata(scratch.0.join("link.json")).expect("the link").is_symlink());
    assert_eq!(fs::metadata(scratch.0.join("real.json")).expect("it").permissions().mode() & 0o777, 0o600);
    assert_eq!(out("new.json"), (Some(0), String::new(), String::new()));
    assert_eq!(out("/dev/stdout"), (Some(0), "1\n".to_owned(), String::new()));
    assert!(out("no/such.json").2.contains("cannot write `no/such.json`: there is no such file or folder"));
    assert!(out(".").2.contains("cannot write `.`"));
    // A long name is no reason to fail.
    assert_eq!(out(&"n".repeat(255)).0, Some(0));
}

#[test]
fn what_is_too_long_is_not_read() {
    let scratch = Scratch::new("long");
    scratch.write("a.tf", "a = 12345\n");
    scratch.write("spec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    let err = |args: &[&str], input: &[u8]| {
        let output = run(hcl(), &scratch.0, args, input);
        (output.status.code(), text(&output.stderr))
    };
    let too_long = |name: &str, limit: &str| {
        format!("error: cannot read `{name}`: it is longer than {limit}; `--max-file-size` raises the limit\n")
    };
    for args in [
        &["check", "--quiet", "--max-file-size", "9", "a.tf"][..],
        &["--max-file-size", "9", "fmt", "--quiet", "a.tf"],
        &["get", "a", "--max-file-size=9", "a.tf"],
        &["eval", "--max-file-size=9", "a.tf"],
        &["eval", "--expr", "1", "--max-file-size=9", "--vars", "a.tf"],
        &["set", "a", "2", "--max-file-size=9", "--quiet", "a.tf"],
        &["convert", "--max-file-size=9", "a.tf"],
        &["tokens", "--max-file-size=9", "a.tf"],
        &["decode", "--max-file-size=9", "--spec", "a.tf"],
    ] {
        assert_eq!(err(args, b""), (Some(2), too_long("a.tf", "9 bytes")), "{args:?}");
    }
    let stdin = too_long("<stdin>", "9 bytes");
    assert_eq!(err(&["check", "-q", "--max-file-size=9", "-"], b"a = 12345\n"), (Some(2), stdin));
    assert_eq!(err(&["check", "-q", "--max-file-size=10", "-"], b"a = 12345\n"), (Some(0), String::new()));
    let output = run(hcldec(), &scratch.0, &["--max-file-size=99", "--spec", "spec"], b"a = 1");
    assert_eq!(text(&output.stdout), "1\n");
}

/// Neither does it matter that a device does not say how long it is.
#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_not_read_without_end() {
    for args in [&["check", "--quiet", "/dev/zero"][..], &["eval", "/dev/zero"], &["fmt", "-q", "/dev/zero"]] {
        let output = hcl().args(args).arg("--max-file-size=8M").output().expect("it runs");
        let err = "error: cannot read `/dev/zero`: it is longer than 8 MiB; `--max-file-size` raises the limit\n";
        assert_eq!((output.status.code(), &*text(&output.stderr)), (Some(2), err), "{args:?}");
    }
    let zero = fs::File::open("/dev/zero").expect("the device");
    let mut child = hcl()
        .args(["check", "-q", "--max-file-size=8M", "-"])
        .stdin(zero)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut err = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    assert!(err.contains("it is longer than 8 MiB"), "{err}");
}
