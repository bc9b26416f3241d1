//! The grammars of a folder.

use std::fs;
use std::path::Path;

use crate::read::Grammar;
use crate::report::check;

/// The names of the grammars; a folder has a file `NAME.lalrpop` for each.
pub const FILES: [&str; 3] = ["body", "expression", "template"];

/// Reads the grammars of a folder.
///
/// # Errors
/// The file that cannot be read, and why.
pub fn grammars_in(folder: &Path) -> Result<Vec<Grammar>, String> {
    let read = |name: &&'static str| {
        let path = folder.join(format!("{name}.lalrpop"));
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        Grammar::read(name, &text)
    };
    FILES.iter().map(read).collect()
}

/// Explains all conflicts of the grammars of a folder. The text is empty if there are none.
///
/// # Errors
/// The file that cannot be read, and why.
pub fn explained(folder: &Path) -> Result<String, String> {
    let mut texts = Vec::new();
    for grammar in grammars_in(folder)? {
        texts.extend(check(&grammar)?.into_iter().map(|cause| cause.text));
    }
    Ok(texts.join("\n"))
}
