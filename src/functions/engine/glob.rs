//! Patterns for paths: `*` and `?` within a name, `**` for any names, `[a-z]`, `{one,two}`.

use super::regex::{PatternError, Regex};
use crate::limits::Account;

/// Returns the regular expression for a pattern, which matches whole paths.
pub(crate) fn matcher(pattern: &str, account: &Account) -> Result<Regex, PatternError> {
    let mut text = String::from("(?s)^(?:");
    let mut rest = pattern;
    let mut open = 0_usize;
    while let Some(c) = rest.chars().next() {
        let (piece, used) = match c {
            '*' if rest.starts_with("**/") => ("(?:[^/]+/)*".to_owned(), 3),
            '*' if rest.starts_with("**") => (".*".to_owned(), 2),
            '*' => ("[^/]*".to_owned(), 1),
            '?' => ("[^/]".to_owned(), 1),
            '{' => {
                open += 1;
                ("(?:".to_owned(), 1)
            }
            '}' if open > 0 => {
                open -= 1;
                (")".to_owned(), 1)
            }
            ',' if open > 0 => ("|".to_owned(), 1),
            '[' => match rest[1..].find(']').filter(|end| *end > 0) {
                Some(end) => {
                    let class = &rest[1..=end];
                    let (sign, class) = class.strip_prefix(['!', '^']).map_or(("", class), |class| ("^/", class));
                    (format!("[{sign}{}]", class.replace('\\', "\\\\").replace('[', "\\[")), end + 2)
                }
                None => ("\\[".to_owned(), 1),
            },
            '\\' => match rest[1..].chars().next() {
                Some(next) => (literal(next), 1 + next.len_utf8()),
                None => (literal(c), 1),
            },
            _ => (literal(c), c.len_utf8()),
        };
        text.push_str(&piece);
        rest = &rest[used..];
    }
    text.push_str(")$");
    Regex::new(&text, account)
}

fn literal(c: char) -> String {
    match c.is_ascii_punctuation() {
        true => format!("\\{c}"),
        false => c.to_string(),
    }
}
