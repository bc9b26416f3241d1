//! Files that functions may read with `--allow-files`: nothing outside of the folder, by whatever path.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::{Scratch, hcl, text};

#[test]
fn links_and_pipes_do_not_lead_out_of_the_folder() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("allowed-files-{}", std::process::id()));
    let folder = root.join("app");
    fs::create_dir_all(folder.join("own")).expect("folders");
    fs::create_dir_all(root.join("other/deep")).expect("folders");
    fs::write(root.join("secret.txt"), "hunter2").expect("a file");
    fs::write(root.join("other/deep/more.txt"), "hunter2").expect("a file");
    fs::write(folder.join("own/fine.txt"), "fine").expect("a file");
    fs::write(folder.join("main.tf"), "locals {\n  a = 1\n}\n").expect("a file");
    symlink("../secret.txt", folder.join("link.txt")).expect("a link");
    symlink("../other", folder.join("linked")).expect("a link");
    symlink("own/fine.txt", folder.join("inner.txt")).expect("a link");
    symlink("loop", folder.join("loop")).expect("a link");
    let eval = |expression: &str| {
        let mut command = hcl();
        command.current_dir(&folder).args(["eval", ".", "--allow-files", "--expr", expression]);
        command.output().expect("it runs")
    };
    for expression in [
        r#"file("link.txt")"#,
        r#"file("../secret.txt")"#,
        r#"file("linked/deep/more.txt")"#,
        r#"file("own/../../secret.txt")"#,
        r#"filebase64("link.txt")"#,
        r#"filemd5("link.txt")"#,
        r#"templatefile("link.txt", {})"#,
        r#"fileexists("link.txt")"#,
        r#"fileexists("../no-such-file")"#,
        r#"fileset("linked", "**")"#,
        r#"fileset("..", "*")"#,
        r#"file("loop")"#,
        r#"file("/dev/zero")"#,
        r#"file(".")"#,
        "file(\"a\\u0000b\")",
    ] {
        let output = eval(expression);
        assert_eq!(output.status.code(), Some(1), "{expression}: {output:?}");
        assert!(!format!("{output:?}").contains("hunter2"), "{expression}: {output:?}");
    }
    for (path, message) in [
        ("loop", "its links lead in a circle"),
        ("a\\u0000b", "it has a character that no path can have"),
        (&*"n".repeat(300), "its name is too long or not allowed here"),
        ("own/fine.txt/x", "there is a file where a folder is needed"),
        (".", "it is not a file"),
        ("nothing", "there is no such file"),
    ] {
        let err = text(&eval(&format!("file(\"{path}\")")).stderr).to_owned();
        let message = format!("invalid value for \"path\" of function \"file\": {message}\n");
        assert!(err.contains(&message), "{path}: {err}");
    }
    assert_eq!(text(&eval(r#"file("inner.txt")"#).stdout), "\"fine\"\n");
    // A link to a file of the folder is one of its files; a link out of the folder is not, and no folder is followed.
    let output = eval(r#"fileset(".", "**")"#);
    assert_eq!(text(&output.stdout), "[\"inner.txt\", \"main.tf\", \"own/fine.txt\"]\n");
    fs::remove_dir_all(root).expect("the folder can be removed");
}

/// Ways out of the folder `app` to the folder `outside`, with a `/` at the end. `ABSOLUTE` stands for the path of `outside`.
const WAYS: [&str; 16] = [
    "../outside/",
    "./../outside/",
    "own/../../outside/",
    "nosuch/../../outside/",
    "own/fine.txt/../../../outside/",
    "loop/../../outside/",
    "z\\u0000z/../../outside/",
    "../app/../outside/",
    "ABSOLUTE/",
    "own/to-outside/",
    "own/to-absolute/",
    "first/",
    "own/up/outside/",
    "own/to-outside/../app/../outside/",
    "own/to-file/../",
    "through/../../outside/",
];

/// Names in the folder `outside`.
const NAMES: [&str; 8] = ["", ".", "x", "x/y", "x/../x", "x/x/x", "a\\u0000b", "LONG"];

/// The functions that touch files.
const CALLS: [&str; 12] = [
    "file(PATH)",
    "filebase64(PATH)",
    "filemd5(PATH)",
    "filesha1(PATH)",
    "filesha256(PATH)",
    "filesha512(PATH)",
    "filebase64sha256(PATH)",
    "filebase64sha512(PATH)",
    "fileexists(PATH)",
    "templatefile(PATH, {})",
    "fileset(PATH, \"**\")",
    "fileset(PATH, \"x*\")",
];

/// The shell command that creates `outside/x` in an empty folder `outside`.
const STATES: [&str; 10] = [
    "true",
    "echo hunter2 > x",
    "mkdir x && echo hunter2 > x/y",
    "mkdir -p x/x/x",
    "echo hunter2 > x && chmod 0 x",
    "mkdir x && echo hunter2 > x/y && chmod 0 x",
    "ln -s nothing x",
    "ln -s x x",
    "mkfifo x",
    "cd .. && rmdir outside",
];

/// The answer for a path that leaves the folder is the same whatever it leads to.
#[test]
fn nobody_learns_what_is_outside() {
    let scratch = Scratch::new("allowed-table");
    let (app, outside) = (scratch.path("app"), scratch.path("outside"));
    fs::create_dir_all(app.join("own")).expect("folders");
    fs::write(app.join("own/fine.txt"), "fine").expect("a file");
    for (link, target) in [
        ("loop", Path::new("loop")),
        ("first", Path::new("own/second")),
        ("own/second", Path::new("../own/to-outside")),
        ("own/to-outside", Path::new("../../outside")),
        ("own/to-absolute", &outside),
        ("own/to-file", Path::new("../../outside/x")),
        ("own/up", Path::new("../..")),
        ("through", Path::new("../outside/x/../../app/own")),
    ] {
        symlink(target, app.join(link)).expect("a link");
    }
    let absolute = fs::canonicalize(&scratch.0).expect("the folder").join("outside");
    let mut input = String::new();
    for way in WAYS {
        for name in NAMES {
            let path = format!("{way}{name}").replace("ABSOLUTE", &absolute.to_string_lossy());
            let path = path.replace("LONG", &"n".repeat(300));
            for call in CALLS {
                let call = call.replace("PATH", &format!("\"{path}\""));
                input += &format!("{call}\n");
            }
        }
    }
    let paths = WAYS.len() * NAMES.len() * CALLS.len();
    fs::write(app.join("main.tf"), "locals {}\n").expect("a file");
    fs::write(scratch.path("input"), input).expect("a file");
    for (options, message) in [
        (&["--allow-files"][..], "it is outside of `.`; `--root DIR` allows another folder"),
        (&["--allow-files", "--root", "."], "it is outside of `.`, the folder of `--root`"),
    ] {
        let mut first = None;
        for state in STATES {
            let made = format!(
                "cd '{}' && chmod -R u+rwx outside; rm -rf outside && mkdir outside && cd outside && {state}",
                scratch.0.display()
            );
            let made = Command::new("sh").args(["-c", &made]).stderr(Stdio::null()).status();
            assert!(made.is_ok_and(|status| status.success()), "{state}");
            let input = fs::File::open(scratch.path("input")).expect("the input");
            let mut command = hcl();
            command.current_dir(&app).arg("console").args(options).arg(".").stdin(input);
            let output = command.output().expect("it runs");
            assert_eq!(output.status.code(), Some(1), "{options:?} {state}");
            let said = (text(&output.stdout).to_owned(), text(&output.stderr).to_owned());
            assert!(!said.0.contains("hunter2") && !said.1.contains("hunter2"), "{state}");
            match &first {
                None => {
                    assert_eq!(said.1.matches(message).count(), paths, "{options:?}: {}", said.1);
                    first = Some(said);
                }
                Some(first) => {
                    let differs = first.1.lines().zip(said.1.lines()).find(|(one, other)| one != other);
                    assert!(*first == said, "{options:?} {state}: {differs:?}");
                }
            }
        }
    }
    println!("{paths} paths and functions, {} states of what is outside", STATES.len());
    let _ = Command::new("chmod").args(["-R", "u+rwx"]).arg(&scratch.0).status();
}
