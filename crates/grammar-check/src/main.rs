//! `hcl-lr-grammar-check [FOLDER]` explains the conflicts of the grammars in a folder, and `--diff` compares two folders.

use std::path::Path;
use std::process::ExitCode;

use hcl_lr_grammar_check::{compared, explained};

const USAGE: &str = "\
Usage: hcl-lr-grammar-check [FOLDER]
       hcl-lr-grammar-check --diff <OLD> <NEW>

Explains the conflicts of the grammars in a folder, which is `grammar` by default.
With --diff, prints short sentences that only one of two folders accepts (`-` only the
old one, `+` only the new one), or that have other trees (`~`).

Exit status: 0: there are none, 1: there are some, 2: a grammar cannot be read.";

/// The most differences of each grammar.
const MAX_DIFFERENCES: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => explained(Path::new("grammar")),
        ["--diff", old, new] => compared(Path::new(old), Path::new(new), MAX_DIFFERENCES),
        [folder] if !folder.starts_with('-') => explained(Path::new(folder)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(text) if text.is_empty() => {
            let kind = if arguments.len() == 3 { "differences" } else { "conflicts" };
            println!("there are no {kind}");
            ExitCode::SUCCESS
        }
        Ok(text) => {
            print!("{text}");
            ExitCode::from(1)
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
