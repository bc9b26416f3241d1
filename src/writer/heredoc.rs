//! Text in heredocs.

use crate::identifier::is_identifier;

/// The markers of a [`heredoc`], the first choice first.
pub(crate) const MARKERS: [&str; 3] = ["EOT", "EOF", "END"];

/// Returns a bare template as a heredoc, if that is readable and equivalent: it has several lines, and the last one
/// ends with a newline.
pub(crate) fn heredoc(bare: &str) -> Option<String> {
    let lines = bare.strip_suffix('\n')?;
    if !lines.contains('\n') || bare.contains(is_odd) {
        return None;
    }
    let marker = MARKERS.iter().find(|marker| is_free(marker, bare))?;
    Some(format!("<<{marker}\n{bare}{marker}"))
}

/// Returns true if an expression ends with the closing marker of a heredoc, which must end its line.
pub(crate) fn is_heredoc(text: &str) -> bool {
    let Some((before, last)) = text.rsplit_once('\n') else { return false };
    let marker = last.trim();
    let begins = |line: &str| {
        line.trim_end().strip_suffix(marker).is_some_and(|line| line.ends_with("<<") || line.ends_with("<<-"))
    };
    is_identifier(marker) && before.lines().any(begins)
}

/// Returns true if a character would be invisible in a heredoc, or would have another meaning.
pub(crate) fn is_odd(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || c == '\u{feff}'
}

/// Returns true if no line of a text would be taken for the marker.
pub(crate) fn is_free(marker: &str, bare: &str) -> bool {
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

    #[test]
    fn expressions_that_end_with_a_heredoc() {
        for text in ["<<EOT\nEOT", "a + <<-E\n  b\n  E", "<<A\n${<<B\nB\n}\nA"] {
            assert!(is_heredoc(text), "{text:?}");
        }
        for text in ["EOT", "<<EOT", "\"<<EOT\"", "[\n\"<<a\",\n]", "f(<<E\nE\n)", "f(\n\"<<\"\n).a"] {
            assert!(!is_heredoc(text), "{text:?}");
        }
    }
}
