//! Heredocs within the expressions of python-hcl2, which has them in quotes, with their lines: `"<<EOT`, the content, and
//! `EOT"`. No other string in an expression has lines.
//!
//! To be read, such a heredoc becomes a string of one line, in which other characters stand for the ends of lines, quotes
//! and others. It becomes a heredoc again when the expression is written.

use std::borrow::Cow;
use std::collections::HashMap;

use hcl_lr::syntax::is_identifier;

/// Characters of private use, and the characters that they stand for.
const STAND_INS: [(char, char); 5] =
    [('\u{E000}', '\n'), ('\u{E001}', '"'), ('\u{E002}', '\\'), ('\u{E003}', '$'), ('\u{E004}', '%')];

/// Returns the text of an expression with its heredocs as strings of one line.
pub fn encoded(text: &str) -> Cow<'_, str> {
    if !text.contains("\"<<") || text.contains(STAND_INS.map(|(stand_in, _)| stand_in)) {
        return Cow::Borrowed(text);
    }
    // Where the closing markers end, by their names: `EOT"` at the start of a line.
    let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, _) in text.match_indices('\n') {
        let line = text[at + 1..].trim_start_matches([' ', '\t']);
        let start = text.len() - line.len();
        let length = line.find(|character: char| !is_of_marker(character)).unwrap_or(line.len());
        if line[length..].starts_with('"') {
            ends.entry(&line[..length]).or_default().push(start + length);
        }
    }
    let (mut out, mut at) = (String::new(), 0);
    while let Some(quote) = text[at..].find("\"<<").map(|found| at + found) {
        let header = text[quote + 1..].split('\n').next().unwrap_or_default();
        let marker = header.trim_start_matches(['<', '-']).trim_end();
        let ends = ends.get(marker).map_or(&[][..], Vec::as_slice);
        let end = ends.get(ends.partition_point(|end| *end < quote + header.len()));
        out.push_str(&text[at..=quote]);
        at = quote + 1;
        if let Some(end) = end.filter(|_| is_identifier(marker)) {
            let stand_in = |character| STAND_INS.iter().find(|(_, other)| *other == character);
            let heredoc = text[at..*end].chars();
            out.extend(heredoc.map(|character| stand_in(character).map_or(character, |(stand_in, _)| *stand_in)));
            at = *end;
        }
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

/// Returns the heredoc that a string of one line stands for.
pub fn decoded(string: &str) -> Option<String> {
    let inside = string.strip_prefix('"')?.strip_suffix('"')?;
    let original = |character| STAND_INS.iter().find(|(stand_in, _)| *stand_in == character);
    (inside.starts_with("<<") && inside.contains(STAND_INS[0].0))
        .then(|| inside.chars().map(|character| original(character).map_or(character, |(_, other)| *other)).collect())
}

/// Returns true for characters that may be in the marker of a heredoc.
fn is_of_marker(character: char) -> bool {
    character == '-' || character == '_' || character.is_alphanumeric()
}
