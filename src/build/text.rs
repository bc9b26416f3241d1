//! Text as it is written in quotes, in heredocs, and as the key of an object.

use crate::syntax::is_identifier;

/// How the text of a template is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// By itself, as in JSON, or in a heredoc.
    Bare,
    /// In quotes, with escape sequences.
    Quoted,
}

/// Text as it is written in a template.
pub(crate) fn escaped(text: &str, form: Form) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '$' | '%' if chars.peek() == Some(&'{') => out.extend([c, c]),
            '"' | '\\' if form == Form::Quoted => out.extend(['\\', c]),
            '\n' if form == Form::Quoted => out.push_str("\\n"),
            '\r' if form == Form::Quoted => out.push_str("\\r"),
            '\t' if form == Form::Quoted => out.push_str("\\t"),
            c if form == Form::Quoted && (c.is_control() || c == '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, Form::Quoted))
}

/// The key of an object: a bare name, or else in quotes. `for` would begin a *for expression*.
pub(crate) fn key(text: &str) -> String {
    if is_identifier(text) && text != "for" { text.to_owned() } else { quoted(text) }
}

/// A bare template as a heredoc, if that is readable and says the same: it has several lines, and the
/// last of them ends with a newline.
pub(crate) fn heredoc(bare: &str) -> Option<String> {
    let lines = bare.strip_suffix('\n')?;
    if !lines.contains('\n') || bare.contains(is_odd) {
        return None;
    }
    let mut markers = ["EOT", "EOF", "END"].into_iter();
    let marker = markers.find(|marker| is_free(marker, bare))?;
    Some(format!("<<{marker}\n{bare}{marker}"))
}

/// Whether a character would not be seen in a heredoc, or not mean itself.
pub(super) fn is_odd(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || c == '\u{feff}'
}

/// Whether no line of a text would be taken for the marker.
pub(super) fn is_free(marker: &str, bare: &str) -> bool {
    bare.lines().all(|line| line.trim() != marker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heredocs() {
        assert_eq!(heredoc("a\nb\n").as_deref(), Some("<<EOT\na\nb\nEOT"));
        assert_eq!(heredoc("a\n EOT\n").as_deref(), Some("<<EOF\na\n EOT\nEOF"));
        for text in ["a\n", "a\nb", "a\r\nb\n", "EOT\nEOF\nEND\n", "\u{feff}a\nb\n"] {
            assert_eq!(heredoc(text), None, "{text:?}");
        }
    }
}
