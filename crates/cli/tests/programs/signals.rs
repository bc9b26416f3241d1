//! Signals end programs without temporary files left behind, whichever of them the program was started to ignore.
//!
//! A few moments are tried. `HCL_SIGNALS=1000` in the environment tries more of them.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::cli::{Scratch, hcl};

/// The number of files that a run changes.
const FILES: usize = 250;

/// The signals, by their names and numbers.
const SIGNALS: [(&str, i32); 4] = [("TERM", 15), ("HUP", 1), ("INT", 2), ("QUIT", 3)];

/// The signals that are ignored from the start, as commands of the shell.
const IGNORED: [&str; 5] = ["", "INT", "INT QUIT", "HUP", "TERM INT"];

/// Commands that write all files of the folder.
const COMMANDS: [&str; 4] =
    ["fmt --quiet .", "set --all a0 2 --quiet .", "convert --force --out-dir out .", "mv --all a0 b0 --quiet ."];

/// Files that each command changes. Some have two names, so that they are written in place.
fn prepare(scratch: &Scratch) {
    let text: String = (0..100).map(|number| format!("a{number}=1\n")).collect();
    for number in 0..FILES {
        let path = scratch.path(&format!("{number:03}.hcl"));
        let _ = fs::remove_file(&path);
        fs::write(&path, &text).expect("a file");
    }
    let _ = fs::remove_file(scratch.path("twin"));
    fs::hard_link(scratch.path("007.hcl"), scratch.path("twin")).expect("another name");
    let _ = fs::remove_dir_all(scratch.path("out"));
}

/// Starts a command in a shell that ignores signals.
fn start(scratch: &Scratch, ignored: &str, command: &str) -> Child {
    let trap = if ignored.is_empty() { String::new() } else { format!("trap '' {ignored}; ") };
    let line = format!("{trap}exec {} {command}", hcl().get_program().display());
    let mut shell = Command::new("sh");
    shell.current_dir(&scratch.0).args(["-c", &line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.spawn().expect("a shell")
}

/// Waits until a program has begun to write files, so that it is no shell any more.
fn await_begin(scratch: &Scratch, child: &mut Child) {
    let first = |path: &str| fs::metadata(scratch.path(path)).and_then(|found| found.modified()).ok();
    let before = first("twin");
    let has_begun = || first("000.hcl") > before || scratch.path("out").exists();
    while !has_begun() && child.try_wait().expect("a status").is_none() {}
}

/// Sends a signal to a program, if it has not ended.
fn send(child: &Child, number: i32) {
    let signal = Signal::try_from(number).expect("a signal");
    let _ = kill(Pid::from_raw(child.id() as i32), signal);
}

/// The number of files in the folder that are temporary.
fn left(scratch: &Scratch) -> usize {
    let of = |name: &str| fs::read_dir(scratch.path(name)).into_iter().flatten().flatten();
    of(".").chain(of("out")).filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp")).count()
}

#[test]
fn no_signal_leaves_temporary_files() {
    let scratch = Scratch::new("signals");
    let count = std::env::var("HCL_SIGNALS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut ended, mut finished) = (0, 0);
    for run in 0..count {
        let (signal, number) = SIGNALS[run % SIGNALS.len()];
        let ignored = IGNORED[run / SIGNALS.len() % IGNORED.len()];
        let command = COMMANDS[run / (SIGNALS.len() * IGNORED.len()) % COMMANDS.len()];
        prepare(&scratch);
        let mut child = start(&scratch, ignored, command);
        await_begin(&scratch, &mut child);
        let mut looks = run * run % 17;
        while looks > 0 && child.try_wait().expect("a status").is_none() {
            looks -= 1;
        }
        send(&child, number);
        let status = child.wait().expect("it ends");
        let case = format!("{command}, {signal}, ignored: {ignored}");
        assert_eq!(left(&scratch), 0, "{case}: {status:?}");
        match status.signal() {
            Some(by) => {
                assert!(by == number && !ignored.contains(signal), "{case}: {status:?}");
                ended += 1;
            }
            None => finished += 1,
        }
        let whole = |name: &str| fs::read_to_string(scratch.path(name)).expect("the file").lines().count() == 100;
        assert!((0..FILES).all(|number| whole(&format!("{number:03}.hcl"))), "{case}: a file is half written");
    }
    println!("{count} runs, {ended} ended by the signal, {finished} finished before or without it; no file left");
    assert!(ended > 0, "no signal came in time");
}

/// Another program that is started to ignore a signal does its work to the end.
#[test]
fn ignored_signals_stay_ignored() {
    let scratch = Scratch::new("signals-ignored");
    for (signal, number) in SIGNALS {
        prepare(&scratch);
        let mut child = start(&scratch, signal, "fmt --quiet .");
        await_begin(&scratch, &mut child);
        let mut sent = 0;
        while child.try_wait().expect("a status").is_none() {
            send(&child, number);
            sent += 1;
        }
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), None, "{signal}, {sent} times");
        assert_eq!(left(&scratch), 0);
    }
}

/// A limit for the size of files is an error like a full disk, without `trap '' XFSZ`.
#[test]
fn a_file_that_gets_too_long_leaves_nothing() {
    let scratch = Scratch::new("signals-size");
    let text: String = (0..1_000).map(|number| format!("a{number}=1\n")).collect();
    scratch.write("a.hcl", &text);
    let line = format!("ulimit -f 1; exec {} fmt a.hcl", hcl().get_program().display());
    let output = Command::new("sh").current_dir(&scratch.0).args(["-c", &line]).output().expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!((left(&scratch), fs::read_to_string(scratch.path("a.hcl")).ok()), (0, Some(text)));
}
