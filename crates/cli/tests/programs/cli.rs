//! The programs `hcl` and `hcldec` as their users meet them.
//!
//! `fixtures/cli/*.txt` hold commands and all that they print, `fixtures/cli/files/*.md` the files that they are about;
//! `fixtures/cli/README.md` says how to add one. `UPDATE_GOLDEN=1` in the environment writes what is printed now into them.
//!
//! Cases that cannot be written in such a file, like pipes that close early, are tested below in Rust.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use crate::support::golden::{Golden, cases, fixtures};

pub const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/cli");

/// The folder in which the commands run, with the files of `fixtures/cli/files`.
pub fn files_folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands");
        let _ = fs::remove_dir_all(&folder);
        cases("cli/files").iter().for_each(|case| case.write_files(&folder));
        folder
    });
    &FOLDER
}

/// The program `hcl`.
pub fn hcl() -> Command {
    program(env!("CARGO_BIN_EXE_hcl"))
}

/// A program, in an environment that is the same everywhere.
fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    command.current_dir(files_folder());
    for name in ["NO_COLOR", "COLUMNS", "TERM", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    // The standard input of the tests may be a pipe.
    command.stdin(Stdio::null());
    command
}

#[test]
fn commands_print_what_their_fixtures_say() {
    let mut golden = Golden::new();
    for path in fixtures("cli", &["txt"]) {
        let recorded = fs::read_to_string(&path).expect("a fixture is text");
        golden.check(&path, &replay(&recorded));
    }
    golden.finish();
}

/// The text of a fixture, with what its commands print now.
fn replay(fixture: &str) -> String {
    let mut text = String::new();
    let mut after_command = false;
    for line in fixture.lines() {
        if after_command && line.starts_with(['|', '!', '=']) {
            continue;
        }
        after_command = line.starts_with("$ ");
        let _ = writeln!(text, "{line}");
        if let Some(command) = line.strip_prefix("$ ") {
            let output = run_line(command);
            print(&mut text, '|', &output.stdout);
            print(&mut text, '!', &output.stderr);
            let _ = writeln!(text, "= {}", output.status.code().expect("an exit status, not a signal"));
        }
    }
    text
}

fn print(text: &mut String, mark: char, output: &[u8]) {
    let output = String::from_utf8(output.to_vec()).expect("the program prints UTF-8");
    assert!(output.is_empty() || output.ends_with('\n'), "the last line is complete: {output:?}");
    // Escape sequences are shown, for fixtures are read by people.
    let output = output.replace('\u{1b}', "␛");
    for line in output.lines() {
        let _ = writeln!(text, "{}", format!("{mark} {line}").trim_end());
    }
}

fn run_line(line: &str) -> Output {
    let words = words(line);
    let mut command = match words.iter().any(|word| word == "hcldec") {
        true => program(env!("CARGO_BIN_EXE_hcldec")),
        false => hcl(),
    };
    let mut words = words.into_iter();
    for word in words.by_ref().take_while(|word| word != "hcl" && word != "hcldec") {
        let (name, value) = word.split_once('=').expect("NAME=VALUE before the program");
        command.env(name, value);
    }
    command.stdin(Stdio::null());
    while let Some(word) = words.next() {
        if word == "<" {
            let name = words.next().expect("a file after <");
            let file = fs::File::open(files_folder().join(name)).expect("the file after <");
            command.stdin(file);
        } else {
            command.arg(word);
        }
    }
    command.output().expect("the program runs")
}

pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs the program with something on standard input.
fn with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = hcl()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input");
    let input = input.to_vec();
    // From a thread, because it may write while it reads.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the thread ends").expect("the program reads all");
    output
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A folder that is gone when the test is over.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Scratch(path)
    }

    /// Returns the path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn examples_have_no_errors() {
    let examples = crate::support::golden::root().join("examples");
    let (mut files, mut waiting) = (0, vec![examples.clone()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("an entry").path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            files += usize::from(["hcl", "hcldec", "tftpl", "tf"].contains(&extension));
            if path.is_dir() {
                waiting.push(path);
            }
        }
    }
    assert!(files >= 2, "{files}");
    let output = hcl().arg("check").arg(&examples).output().expect("the program runs");
    assert_eq!(text(&output.stderr), format!("checked {files} files: no errors\n"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn results_come_in_the_order_of_the_files() {
    let scratch = Scratch::new("in-order");
    let mut expected = String::new();
    for index in 0..300 {
        let name = format!("{index:03}.hcl");
        // Files of different length, so that some are ready before those before them.
        scratch.write(&name, &format!("{}a = \n", "b {}\n".repeat(if index % 7 == 0 { 2_000 } else { 1 })));
        expected += &name;
        expected.push('\n');
    }
    let output = hcl().current_dir(&scratch.0).args(["check", "--format", "short"]).output().expect("it runs");
    let mut names = String::new();
    for line in text(&output.stdout).lines().filter(|line| line.contains("missing-expression")) {
        names += line.split(':').next().expect("a name");
        names.push('\n');
    }
    assert_eq!(names, expected);
}

#[test]
fn an_empty_folder_is_no_failure() {
    let scratch = Scratch::new("empty-folder");
    let output = hcl().current_dir(&scratch.0).arg("check").output().expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).starts_with("note: no HCL files in `.`; searched for .hcl, .tf,"));
    assert!(output.stdout.is_empty());
}

#[test]
fn an_expression_needs_no_files() {
    let scratch = Scratch::new("no-files");
    let eval = |args: &[&str]| hcl().current_dir(&scratch.0).args(["eval", "--like", "terraform"]).args(args).output();
    let output = eval(&["--expr", "cidrhost(\"10.0.0.0/8\", 1)"]).expect("it runs");
    assert_eq!((text(&output.stdout), output.status.code()), ("\"10.0.0.1\"\n", Some(0)));
    // Without one, and for a folder that is named, files are required.
    for args in [&[][..], &[".", "--expr", "1"]] {
        let output = eval(args).expect("it runs");
        assert_eq!(text(&output.stderr), "error: there are no files of terraform in `.`\n");
    }
}

/// `hcl … | head -c 1` ends quietly, whatever it writes.
#[test]
fn a_reader_may_leave_early() {
    let scratch = Scratch::new("early-leave");
    scratch.write("long.tf", &"a = [1 2]\n".repeat(20_000));
    for (args, status) in [
        (&["check", "--format", "short", "--max-errors", "20000", "--quiet"][..], 1),
        (&["check", "--format", "json", "--max-errors", "20000", "--quiet"], 1),
        (&["tokens", "--color", "never", "long.tf"], 1),
        (&["ast", "long.tf"], 1),
        (&["ast", "--json", "long.tf"], 1),
        (&["completions", "bash"], 0),
    ] {
        let mut child = hcl()
            .current_dir(&scratch.0)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = child.stdout.take().expect("its standard output");
        stdout.read_exact(&mut [0]).expect("a byte");
        drop(stdout);
        let output = child.wait_with_output().expect("the program ends");
        let stderr = text(&output.stderr);
        assert!(!stderr.contains("panicked") && !stderr.contains("cannot write"), "{args:?}: {stderr}");
        assert_eq!(output.status.code(), Some(status), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    for args in [&["check", "--format", "short", "wrong.tf"][..], &["ast", "right.tf"], &["completions", "zsh"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let output = hcl().args(args).stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains("cannot write the output: no space left on the device"), "{args:?}");
    }
}

#[test]
#[cfg(unix)]
fn links_are_followed_to_files_only() {
    let scratch = Scratch::new("links");
    scratch.write("a.hcl", "a = 1\n");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, scratch.0.join(name)).expect("a link");
    link("a.hcl", "b.hcl");
    link(".", "circle");
    link("nowhere", "broken.hcl");
    let output = hcl().current_dir(&scratch.0).arg("check").output().expect("it runs");
    // Both names are of one file.
    assert_eq!(text(&output.stderr), "checked 1 file: no errors\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn colours_are_for_terminals() {
    let colored = |args: &[&str]| hcl().args(args).output().expect("it runs").stdout.contains(&0x1b);
    assert!(!colored(&["check", "wrong.tf"]));
    assert!(colored(&["check", "--color", "always", "wrong.tf"]));
    assert!(!colored(&["check", "--color", "never", "wrong.tf"]));
}

/// At the limit and, if a higher one is asked for, far beyond the default one.
#[test]
fn deep_nesting_fits_the_stack() {
    type Source = fn(usize) -> String;
    let sources: [(&str, Source); 9] = [
        ("parentheses", |n| format!("a = {}1{}\n", "(".repeat(n), ")".repeat(n))),
        ("tuples", |n| format!("a = {}{}\n", "[".repeat(n), "]".repeat(n))),
        ("objects", |n| format!("a = {}1{}\n", "{ b = ".repeat(n), " }".repeat(n))),
        ("calls", |n| format!("a = {}1{}\n", "f(".repeat(n), ")".repeat(n))),
        ("for expressions", |n| format!("a = {}1{}\n", "[for x in y: ".repeat(n), "]".repeat(n))),
        ("templates", |n| format!("a = {}1{}\n", "\"x${".repeat(n / 2), "}\"".repeat(n / 2))),
        ("blocks", |n| format!("{}{}", "a {\n".repeat(n), "}\n".repeat(n))),
        ("unary operators", |n| format!("a = {}1\n", "!".repeat(n))),
        ("conditionals", |n| format!("a = {}1\n", "x ? y : ".repeat(n))),
    ];
    for (name, source) in sources {
        for limit in [1_000, 20_000] {
            let limit_text = limit.to_string();
            // Only the JSON printer is recursive.
            let commands = [&["ast", "--json"][..], &["check", "--quiet"], &["ast"], &["tokens"]];
            for args in if limit == 1_000 { &commands[..] } else { &commands[..2] } {
                let args = [*args, &["--max-nesting", &limit_text, "-"]].concat();
                let output = with_input(&args, source(limit - 1).as_bytes());
                assert_eq!(output.status.code(), Some(0), "{limit} {name}, {args:?}: {}", text(&output.stderr));
                assert!(args[0] == "check" || output.stdout.len() > limit, "{limit} {name}, {args:?}");
            }
        }
    }
    let output = with_input(&["check", "--format", "short", "-"], sources[0].1(5_000).as_bytes());
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(text(&output.stdout).contains("nesting-too-deep"), "{}", text(&output.stdout));
}

/// Columns and equals signs stand below each other, whatever the length of what is there.
#[test]
fn names_can_be_longer_than_any_line() {
    let name = "n".repeat(70_000);
    let native = format!(
        "{name} = 1\nb = 2\nr \"{name}\" {{\n  {name} = 1\n  c = {{ {name} = 1, d = \"{name}\" }}\n}}\nt = {name} +\n"
    );
    let right = native.replace(&format!("t = {name} +\n"), "t = 1\n");
    let json = format!(r#"{{"{name}": 1, "b": {{"{name}": "${{{name}}}", "c": 1}}}}"#);
    let aligned = format!("{name} = 1\nb{} = 2\n", " ".repeat(name.len() - 1));
    let commands: &[(&str, &[&str], i32)] = &[
        (&native, &["check", "-"], 1),
        (&native, &["check", "--format", "json", "-"], 1),
        (&native, &["ast", "-"], 1),
        (&native, &["tokens", "-"], 1),
        (&right, &["eval", "-"], 0),
        (&right, &["eval", "--output", "table", "-"], 0),
        (&right, &["eval", "--schema", "nomad", "--output", "table", "-"], 0),
        (&right, &["fmt", "-"], 0),
        (&right, &["query", "**", "--output", "table", "-"], 0),
        (&right, &["query", "**", "--output", "table", "--select", "self", "-"], 0),
        (&right, &["query", "**", "--output", "table", "--select", "{name = node.name, text = node.text}", "-"], 0),
        (&right, &["get", "**", "--at", "-"], 0),
        (&right, &["convert", "-"], 0),
        (&aligned, &["mv", "b", "cc", "-"], 0),
        (&aligned, &["append", ".", "zz = 1", "-"], 0),
        (&aligned, &["fmt", "--check", "-"], 0),
        (&json, &["convert", "--syntax", "json", "-"], 0),
        (&json, &["tokens", "--syntax", "json", "-"], 0),
        (&json, &["query", "**", "--syntax", "json", "--output", "table", "-"], 0),
    ];
    for (input, args, status) in commands {
        let output = with_input(args, input.as_bytes());
        let shown: Vec<String> = args.iter().map(|arg| arg.chars().take(20).collect()).collect();
        let errors: String = text(&output.stderr).chars().take(2_000).collect();
        assert_eq!(output.status.code(), Some(*status), "{shown:?}: {errors}");
        assert!(!errors.contains("panicked"), "{shown:?}: {errors}");
    }
}

/// Any text may be typed; the console goes on with the next input.
#[test]
fn no_input_breaks_the_console() {
    let deep = "[".repeat(100_000);
    let operators = format!("1 {}\n1 + {}1\n", "+ 1".repeat(20_000), "-".repeat(999));
    let long = format!("length([{}])", "1, ".repeat(300_000));
    let commands = ":\n:\u{1b}[2J\n:type\n:ast [\n\n:tokens \u{0}\n".to_owned();
    let value = format!("deep = {}1{}\ndeep\n:type deep\n:vars\n:ast deep", "[".repeat(990), "]".repeat(990));
    for input in
        [&*deep, &operators, &long, &commands, &value, "\u{0}\u{feff}\r\r\n\u{2028}", "\"${\"${\"%{\n\n<<A\n<<A\n"]
    {
        let output = with_input(&["console"], format!("{input}\n\n\n\"still there\"\n").as_bytes());
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(matches!(output.status.code(), Some(0 | 1)), "{input:.60}: {err:.2000}");
        let open_to_the_end = input.contains("<<A");
        assert!(open_to_the_end || out.ends_with("\"still there\"\n"), "{input:.60}: {err:.2000}");
        assert!(!err.contains("panicked") && !err.contains('\u{1b}'), "{input:.60}: {err:.2000}");
    }
    let bytes: Vec<u8> = (0..=255).flat_map(|byte| [byte, b'\n']).collect();
    assert_eq!(with_input(&["console"], &bytes).status.code(), Some(1));
}

/// An input that never ends costs no more than another one.
#[test]
fn an_input_over_many_lines_is_bounded() {
    let lines = format!("[\n{}]\n", "1,\n".repeat(2_000));
    let output = with_input(&["console"], lines.as_bytes());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let lines = format!("[\n{}", format!("{},\n", "1, ".repeat(20_000)).repeat(60));
    let output = hcl_with_file(&["console"], &lines);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: an input has too many lines; put it in a file\n");
}

/// Runs the program with a file as standard input, which it may leave unread.
fn hcl_with_file(args: &[&str], input: &str) -> Output {
    let scratch = Scratch::new("standard-input");
    scratch.write("input", input);
    let file = fs::File::open(scratch.0.join("input")).expect("the file");
    hcl().args(args).stdin(file).output().expect("the program runs")
}

/// The same for the JSON syntax, and from one syntax to the other.
#[test]
fn deep_json_fits_the_stack() {
    let json = |n: usize| format!("{{\"a\": {}1{}}}", "[".repeat(n - 1), "]".repeat(n - 1));
    let objects = |n: usize| format!("{}1{}", "{\"a\": ".repeat(n), "}".repeat(n));
    for source in [json, objects] {
        for limit in [1_000, 20_000] {
            let limit_text = limit.to_string();
            for command in ["check", "ast", "tokens", "convert"] {
                let args = [command, "--syntax", "json", "--max-nesting", &limit_text, "-"];
                let output = with_input(&args, source(limit).as_bytes());
                assert_eq!(output.status.code(), Some(0), "{limit}, {args:?}: {}", text(&output.stderr));
            }
        }
        let output = with_input(&["eval", "--syntax", "json", "-"], source(1_000).as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let output = with_input(&["convert", "--syntax", "json", "-"], source(1_001).as_bytes());
        assert_eq!(output.status.code(), Some(1));
    }
    for source in [
        "a = ".to_owned() + &"[".repeat(19_000) + &"]".repeat(19_000) + "\n",
        "a {\n".repeat(19_000) + &"}\n".repeat(19_000),
    ] {
        for blocks in ["array", "collapse", "tagged"] {
            let args = ["convert", "--max-nesting", "20000", "--blocks", blocks, "-"];
            let output = with_input(&args, source.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        }
    }
}

/// A driver is asked one question at a time, and answers it before the next one comes.
#[test]
fn conformance_answers_at_once_and_goes_on() {
    let mut child =
        hcl().arg("conformance").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut questions = child.stdin.take().expect("its standard input");
    let mut answers = BufReader::new(child.stdout.take().expect("its standard output"));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (question, answer) in [
        (
            r#"{"op":"expr","src":"1","id":7}"#,
            r#"{"id":7,"parsed":true,"ast":{"lit":{"number":"1"}},"ok":true,"diags":[]}"#,
        ),
        (r#"{"op":"config","src":"a = 1","ast":false}"#, r#"{"ok":true,"diags":[]}"#),
        (r#"{"op":"format","src":"a=1"}"#, r#"{"ok":true,"text":"a = 1"}"#),
        (r#"{"op":"dance","id":"x"}"#, r#"{"id":"x","unsupported":"dance"}"#),
        (r#"{"op":"expr","src":["#, r#"{"bad_request":"#),
        (r#"["op"]"#, r#"{"bad_request":"#),
        (r#"{"op":"expr","src":5,"id":null}"#, r#"{"id":null,"bad_request":"src is not a string"}"#),
        (r#"{"id":1}"#, r#"{"id":1,"bad_request":"there is no op"}"#),
        (&deep, r#"{"bad_request":"#),
        (r#"{"op":"traversal","src":"a.b"}"#, r#"{"ok":true,"diags":[],"steps":[{"root":"a"},{"attr":"b"}]}"#),
    ] {
        writeln!(questions, "{question}").expect("the question is read");
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        assert!(line.starts_with(answer), "{question:.100}\n{line}");
    }
    questions.write_all(b"\xff\xfe\n\n{\"op\":\"expr\",\"src\":\"x\",\"ast\":false}").expect("the questions are read");
    drop(questions);
    let mut rest = String::new();
    answers.read_to_string(&mut rest).expect("answers");
    let lines: Vec<_> = rest.lines().collect();
    assert!(lines[0].starts_with(r#"{"bad_request":"#), "{rest}");
    assert_eq!(lines[1..], [r#"{"parsed":true,"ok":true,"diags":[]}"#]);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = hcl().args(["completions", shell]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{shell}");
        for word in
            ["check", "tokens", "ast", "convert", "console", "no-history", "conformance", "completions", "max-nesting"]
        {
            assert!(text(&output.stdout).contains(word), "{shell}: {word}");
        }
    }
}

/// All there is to say fits a usual terminal.
#[test]
fn help_is_not_wider_than_a_page() {
    for args in [
        &["--help"][..],
        &["check", "--help"],
        &["fmt", "--help"],
        &["get", "--help"],
        &["query", "--help"],
        &["set", "--help"],
        &["rm", "--help"],
        &["mv", "--help"],
        &["append", "--help"],
        &["comment", "--help"],
        &["diff", "--help"],
        &["merge", "--help"],
        &["refs", "--help"],
        &["graph", "--help"],
        &["functions", "--help"],
        &["explain", "--help"],
        &["man", "--help"],
        &["tokens", "--help"],
        &["ast", "--help"],
        &["eval", "--help"],
        &["console", "--help"],
        &["template", "--help"],
        &["convert", "--help"],
        &["completions", "--help"],
        &["conformance", "--help"],
    ] {
        let output = hcl().args(args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let help = text(&output.stdout);
        assert!(help.contains("Examples"), "{args:?}");
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}
