//! The grammars of a folder.

use std::fs;
use std::path::Path;

use crate::difference::differences;
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

/// Compares the grammars of two folders. The text has a line for each difference, at most `most` for each grammar: `+` before
/// sentences that only the new one accepts, `-` before those that only the old one accepts, `~` before those with other
/// trees. The last line of a grammar says up to which length this is proven. The text is empty if no difference is found.
///
/// # Errors
/// The file that cannot be read, and why.
pub fn compared(old: &Path, new: &Path, most: usize) -> Result<String, String> {
    let mut text = String::new();
    for (old, new) in grammars_in(old)?.iter().zip(&grammars_in(new)?) {
        let comparison = differences(old, new, most)?;
        if !comparison.differences.is_empty() {
            text += &format!("{}.lalrpop\n", old.name);
            comparison.differences.iter().for_each(|difference| text += &difference.shown());
            text += &match comparison.has_shortest() {
                true => "no shorter sentence is in only one of the grammars\n".to_owned(),
                false => format!("all sentences of up to {} terminals have been compared\n", comparison.complete),
            };
        }
    }
    Ok(text)
}
