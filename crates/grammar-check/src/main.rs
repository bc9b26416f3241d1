//! `hcl-lr-grammar-check [FOLDER]` explains the conflicts of the grammars in a folder.

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: hcl-lr-grammar-check [FOLDER]

Explains the conflicts of the grammars in a folder, which is `grammar` by default.

Exit status: 0: there are none, 1: there are some, 2: a grammar cannot be read.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = match arguments.as_slice() {
        [] => "grammar",
        [folder] if !folder.starts_with('-') => folder,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match hcl_lr_grammar_check::explained(Path::new(folder)) {
        Ok(text) if text.is_empty() => {
            println!("there are no conflicts");
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
