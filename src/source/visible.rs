//! Escapes control characters, so that untrusted text cannot control a terminal.
//!
//! Control characters can move the cursor or hide printed text; those for bidirectional text change the order in which
//! it is shown. Each is shown as an escape sequence: `\u{1b}`, or `\n`, `\r` and `\t`, and a byte that is not UTF-8 as
//! `\xff`. HCL has no escape sequences in braces, so the output cannot be confused with source text.
//!
//! Diagnostics are already shown like this; programs need it for their other output.
//!
//! ```
//! assert_eq!(hcl_lr::source::visible::line("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
//! ```

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::io;
use std::path::Path;

/// Returns true for characters with an effect beyond being visible: the control characters of Unicode (C0, delete and
/// C1), and those that change the direction of text.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text in one line: all control characters are escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    without(text, is_control)
}

/// A text in lines: line ends stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    without(text, |c| c != '\n' && is_control(c))
}

/// Returns a text with control characters escaped, except line ends and tabs.
pub fn text(text: &str) -> Cow<'_, str> {
    without(text, |c| !matches!(c, '\n' | '\t') && is_control(c))
}

/// The same for bytes that should be UTF-8.
pub fn bytes(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(valid) => text(valid),
        Err(_) => {
            let mut out = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                out.push_str(&text(chunk.valid()));
                chunk.invalid().iter().for_each(|&byte| push_byte(&mut out, byte));
            }
            out.into()
        }
    }
}

/// The name of a file in a line.
pub fn path(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        out.push_str(&line(chunk.valid()));
        chunk.invalid().iter().for_each(|&byte| push_byte(&mut out, byte));
    }
    out
}

/// Returns the reason of a system error, in the same words on all systems for common errors.
pub fn reason(error: &io::Error) -> Cow<'static, str> {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::NotADirectory => "there is a file where a folder is needed".into(),
        io::ErrorKind::InvalidFilename => "its name is too long or not allowed here".into(),
        io::ErrorKind::StorageFull => "no space left on the device".into(),
        _ => match error.raw_os_error() {
            Some(code) => words_of_system(&error.to_string(), code).into(),
            None => error.to_string().into(),
        },
    }
}

/// Returns the system's description of an error, in lower case and without its number.
fn words_of_system(text: &str, code: i32) -> String {
    let words = text.strip_suffix(&format!(" (os error {code})")).unwrap_or(text).trim_end_matches('.');
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Displays a text in one line.
pub(crate) struct Line<'t>(pub &'t str);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self.0))
    }
}

fn without(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Nearly all text is printable ASCII.
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'));
    if (plain && !is_escaped('\n')) || !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) { push_escaped(&mut out, c) } else { out.push(c) }
    }
    out.into()
}

/// A control character as an escape sequence.
pub(crate) fn push_escaped(out: &mut String, c: char) {
    out.extend(c.escape_default());
}

/// A byte that is not part of a character.
pub(crate) fn push_byte(out: &mut String, byte: u8) {
    // Writing to memory does not fail.
    let _ = write!(out, "\\x{byte:02x}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_is_escaped_and_the_rest_stays() {
        assert_eq!(line("a\u{1b}[2J\n\t\u{7f}\u{9b}é\u{202e}x"), "a\\u{1b}[2J\\n\\t\\u{7f}\\u{9b}é\\u{202e}x");
        assert_eq!(lines("a\n\tb\r"), "a\n\\tb\\r");
        assert_eq!(text("a\n\tb\r"), "a\n\tb\\r");
        assert_eq!(bytes(b"a\xff\n\x1b"), "a\\xff\n\\u{1b}");
        assert!(matches!(line("क्ष 👩‍👩‍👧 עברית \\u{1b}"), Cow::Borrowed(_)));
        for c in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{2066}', '\u{2069}', '\u{0}', '\u{80}'] {
            assert!(is_control(c), "{c:?}");
        }
        for c in ['\u{200d}', '\u{2065}', '\u{206a}', '\u{a0}', '\u{feff}'] {
            assert!(!is_control(c), "{c:?}");
        }
    }

    #[test]
    fn errors_of_the_system_have_no_numbers() {
        for code in 1..=130 {
            let error = io::Error::from_raw_os_error(code);
            let words = reason(&error);
            assert!(!words.contains("os error") && !words.ends_with('.'), "{words}");
            assert!(!words.starts_with(|c: char| c.is_uppercase()), "{words}");
        }
        assert_eq!(reason(&io::Error::other("A reason (os error 1)")), "A reason (os error 1)");
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(path(Path::new(OsStr::from_bytes(b"\xe9\xc3\xa9\n.tf"))), "\\xe9é\\n.tf");
    }
}
