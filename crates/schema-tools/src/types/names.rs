//! Names of types and fields.

use std::collections::HashSet;

use hcl_lr::internal::identifier::is_identifier;
use hcl_lr::source::visible::is_control;

/// Names of types that generated code uses itself, in one of the languages.
const TAKEN: &[&str] = &[
    "Any", "Blocks", "Box", "Callable", "Dict", "Err", "False", "Labeled", "List", "Literal", "None", "Ok", "Option",
    "Optional", "Self", "Some", "String", "True", "Tuple", "Union", "Vec",
];

/// The names that are in use.
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// The names of types.
    pub fn of_types() -> Self {
        Names(TAKEN.iter().map(|name| (*name).to_owned()).collect())
    }

    /// The names of fields of a record.
    pub fn of_fields() -> Self {
        Names(HashSet::new())
    }

    /// Takes the first name that is not in use, or adds a number to the last one.
    pub fn take(&mut self, names: impl IntoIterator<Item = String>) -> String {
        let mut last = String::new();
        for name in names {
            if self.0.insert(name.clone()) {
                return name;
            }
            last = name;
        }
        // Only as many names as there are can be in use, but one number for each would take quadratic time.
        let mut number = self.0.len() + 1;
        loop {
            let name = format!("{last}{number}");
            if self.0.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }
}

/// Splits a name into words at characters other than letters and digits.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

/// A name such as `HealthCheck` for `health_check`.
pub(crate) fn pascal(name: &str) -> String {
    let mut text: String = parts(name)
        .map(|part| {
            let (first, rest) = part.split_at(1);
            first.to_ascii_uppercase() + rest
        })
        .collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'X');
    }
    text
}

/// A name such as `health_check` for `health-check` or `healthCheck`.
pub(crate) fn snake(name: &str) -> String {
    let mut text = String::new();
    for part in parts(name) {
        if !text.is_empty() {
            text.push('_');
        }
        let mut lower = false;
        for c in part.chars() {
            if c.is_ascii_uppercase() && lower {
                text.push('_');
            }
            lower = c.is_ascii_lowercase() || c.is_ascii_digit();
            text.push(c.to_ascii_lowercase());
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "x_");
    }
    text
}

/// Returns true if a name is an identifier in ASCII, without `-`.
pub(crate) fn is_plain(name: &str) -> bool {
    is_identifier(name) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The lines of a description. Control characters are blanks.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    text.trim().lines().map(|line| {
        let line: String = line.chars().map(|c| if c.is_control() || is_control(c) { ' ' } else { c }).collect();
        line.trim_end().to_owned()
    })
}

/// A text in double quotes, with the escape sequences of JSON, which are those of Go, Python and TypeScript, too.
pub(crate) fn quoted(text: &str) -> String {
    hcl_lr::internal::PlainJson(text).to_string()
}
