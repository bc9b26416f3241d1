//! Signature help for the call that is being written.

use crate::cursor::Cursor;
use crate::workspace::{Cancelled, Snapshot};

/// A function with the active parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The whole signature, such as `join(separator: string, lists...: list(string)) -> string`.
    pub label: String,
    /// The description of the function.
    pub documentation: Option<String>,
    /// The parameters, as in the label.
    pub parameters: Vec<String>,
    /// The index of the active parameter; `None` if there are fewer parameters.
    pub active: Option<usize>,
}

impl Snapshot {
    /// Returns the function whose arguments contain a byte of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn signature(&self, path: &str, offset: usize) -> Result<Option<Signature>, Cancelled> {
        let Some(file) = self.file(path) else { return Ok(None) };
        let (Some(native), Some(project)) = (file.native(), self.project(path)?) else { return Ok(None) };
        let cursor = Cursor::in_file(file, native, offset);
        let Some(call) = cursor.calls.last() else { return Ok(None) };
        let (label, documentation) = match crate::project::entry_of(&project, &call.name) {
            Some(entry) => (entry.signature(), Some(entry.summary().to_owned())),
            None => {
                let functions = project.language().roles().functions();
                let Some(function) = functions.get(&call.name) else { return Ok(None) };
                (function.signature(&call.name), None)
            }
        };
        let parameters = parameters_of(&label);
        let is_variadic = parameters.last().is_some_and(|last| last.contains("..."));
        let active = match call.argument < parameters.len() {
            true => Some(call.argument),
            false => is_variadic.then(|| parameters.len() - 1),
        };
        Ok(Some(Signature { label, documentation, parameters, active }))
    }
}

/// Returns the parameters of a signature: the texts between its first parenthesis and the matching one.
fn parameters_of(label: &str) -> Vec<String> {
    let Some(open) = label.find('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0_usize, open + 1, Vec::new());
    for (at, char) in label.char_indices().skip_while(|(at, _)| *at < open) {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => {
                found.push(label[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            found.push(label[start..at].trim().to_owned());
            break;
        }
    }
    found.retain(|parameter| !parameter.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_split_at_commas() {
        assert_eq!(
            parameters_of("f(a: object({x = string, y = number}), b...: any) -> any"),
            ["a: object({x = string, y = number})", "b...: any"]
        );
        assert!(parameters_of("now() -> string").is_empty());
    }
}
