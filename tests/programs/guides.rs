//! The commands in `docs/*.md` print what stands there.
//!
//! Each file in a fence whose info string ends with a name is written into a folder. In a fence `console`, `$ `
//! begins a command, and what follows is what it prints: its output, then what it says on standard error.
//! `UPDATE_GOLDEN=1` writes what is printed now into the guides.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::cli::{hcl, words};
use crate::support::golden::Golden;

/// The guides, each with the least number of commands in it.
const GUIDES: [(&str, usize); 4] = [("address.md", 20), ("convert.md", 6), ("edit.md", 20), ("query.md", 30)];

/// What a guide is with what its commands print now, and how many commands there are.
fn replay(guide: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut commands) = (String::new(), 0);
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some((_, name)) => {
                fs::write(folder.join(name), block.join("\n") + "\n").expect("a file can be written");
                block.iter().for_each(|line| text += &format!("{line}\n"));
            }
            None if info == "console" => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    commands += 1;
                    let mut words = words(command).into_iter();
                    assert_eq!(words.next().as_deref(), Some("hcl"), "{command}");
                    let output = hcl().args(words).current_dir(folder).stdin(Stdio::null()).output();
                    let output = output.expect("the program runs");
                    assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
                    let printed = [output.stdout, output.stderr].map(|part| String::from_utf8(part).expect("text"));
                    let printed = printed.concat();
                    let _ = writeln!(text, "$ {command}");
                    printed.trim_end().lines().for_each(|line| text += &format!("{line}\n"));
                }
            }
            None => block.iter().for_each(|line| text += &format!("{line}\n")),
        }
        text += "```\n";
    }
    (text, commands)
}

#[test]
fn guides_show_what_is_printed() {
    let mut golden = Golden::new();
    for (name, least) in GUIDES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guide-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (text, commands) = replay(&fs::read_to_string(&path).expect("the guide"), &folder);
        fs::remove_dir_all(&folder).expect("the folder can be removed");
        assert!(commands >= least, "{name} has only {commands} commands");
        golden.check(&path, &text);
    }
    golden.finish();
}
