//! The meaning of literals: escapes, and the range of numbers.

use std::borrow::Cow;

use memchr::memchr3_iter;

use crate::decimal::MAX_EXPONENT as MAX_NUMBER_EXPONENT;
use crate::diagnostic::{Code, Finding};
use crate::source::Span;
use crate::syntax::excerpt;

/// Why an escape sequence is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeError {
    Unknown(char),
    /// Fewer hexadecimal digits than this follow.
    Digits(usize),
    /// No such character exists.
    NoCharacter(u32),
}

impl EscapeError {
    pub fn detail(self) -> String {
        match self {
            EscapeError::Unknown(c) if c.is_control() => "a backslash begins an escape sequence".to_owned(),
            EscapeError::Unknown(c) => format!("`\\{c}` is not an escape sequence"),
            EscapeError::Digits(count) => format!("{count} hexadecimal digits are needed here"),
            EscapeError::NoCharacter(code) => format!("there is no character U+{code:04X}"),
        }
    }

    pub fn help(self) -> &'static str {
        match self {
            EscapeError::Unknown('$') => "a dollar sign needs no backslash; for a literal `${` write `$${`",
            EscapeError::Unknown('%') => "a percent sign needs no backslash; for a literal `%{` write `%%{`",
            EscapeError::Unknown('x' | '0'..='9' | 'e') => "write characters by their number, as in `\\u001b`",
            EscapeError::Unknown('\'') => "a single quote needs no backslash",
            EscapeError::Unknown(_) => {
                "for a literal backslash write `\\\\`; the escapes are \\n \\r \\t \\\" \\\\ \\uNNNN \\UNNNNNNNN"
            }
            EscapeError::Digits(4) => "a character is written by its number as `\\u` and 4 digits, or `\\U` and 8",
            EscapeError::Digits(_) => "a character is written by its number as `\\U` and 8 digits, or `\\u` and 4",
            EscapeError::NoCharacter(_) => "characters go up to U+10FFFF, except for those from U+D800 to U+DFFF",
        }
    }
}

/// Reads the escape sequence that `text` begins with. Returns its length and its character. (Native syntax
/// specification, "Template Expressions".)
pub(super) fn escape(text: &[u8]) -> (usize, Result<char, EscapeError>) {
    let digits = match text.get(1) {
        Some(b'n') => return (2, Ok('\n')),
        Some(b'r') => return (2, Ok('\r')),
        Some(b't') => return (2, Ok('\t')),
        Some(b'"') => return (2, Ok('"')),
        Some(b'\\') => return (2, Ok('\\')),
        Some(b'u') => 4,
        Some(b'U') => 8,
        None | Some(b'\n') => return (1, Err(EscapeError::Unknown('\n'))),
        Some(_) => {
            let rest = &text[1..text.len().min(5)];
            let c = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()).unwrap_or('\u{fffd}');
            return (1 + c.len_utf8().min(rest.len()), Err(EscapeError::Unknown(c)));
        }
    };
    let digit_count = text[2..].iter().take(digits).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let code = text[2..2 + digit_count]
        .iter()
        .fold(0u32, |code, &byte| code << 4 | char::from(byte).to_digit(16).unwrap_or_default());
    if digit_count < digits {
        return (2 + digit_count, Err(EscapeError::Digits(digits)));
    }
    (2 + digit_count, char::from_u32(code).ok_or(EscapeError::NoCharacter(code)))
}

/// Finds the first invalid escape sequence of a quoted text. Returns its range, the reason, and advice.
pub fn wrong_escape(text: &str) -> Option<(std::ops::Range<usize>, String, &'static str)> {
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        let start = at + next;
        let (length, result) = escape(&text.as_bytes()[start..]);
        if let Err(error) = result {
            return Some((start..start + length, error.detail(), error.help()));
        }
        at = start + length;
    }
    None
}

/// Returns the value of a quoted string without sequences. A string that is not closed, or has quotes of another kind,
/// only occurs in a source with errors.
pub(super) fn unquote(text: &str) -> Cow<'_, str> {
    if let Some(inside) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return decode_quoted(inside);
    }
    let mut chars = text.chars();
    let open = chars.next();
    let inside = chars.as_str();
    let inside = match (open, inside.chars().next_back()) {
        (Some('"'), Some('"')) => &inside[..inside.len() - 1],
        (Some('"'), _) | (_, None) => inside,
        (_, Some(last)) => &inside[..inside.len() - last.len_utf8()],
    };
    decode_quoted(inside)
}

/// Decodes the text within quotes: escape sequences, `$${` and `%%{`.
pub fn decode_quoted(text: &str) -> Cow<'_, str> {
    decode(text, true)
}

/// Decodes the text of a heredoc or bare template: `$${` and `%%{`.
pub(super) fn decode_template_text(text: &str) -> Cow<'_, str> {
    decode(text, false)
}

/// Returns true if a text is short and needs neither decoding nor normalization. Most texts are like that, and
/// preparing a search in them would take longer than looking at each byte.
pub(super) fn means_itself(text: &str) -> bool {
    const MAX_PLAIN: usize = 32;
    text.len() <= MAX_PLAIN && !text.bytes().any(|byte| matches!(byte, b'\\' | b'$' | b'%' | 0x80..))
}

fn decode(text: &str, backslashes: bool) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if means_itself(text) {
        return Cow::Borrowed(text);
    }
    let special = |at: usize| match bytes[at] {
        b'\\' => backslashes,
        byte => bytes.get(at + 1) == Some(&byte) && bytes.get(at + 2) == Some(&b'{'),
    };
    let mut found = memchr3_iter(b'\\', b'$', b'%', bytes).filter(|&at| special(at)).peekable();
    if found.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut done = 0;
    for at in found {
        if at < done {
            continue;
        }
        decoded.push_str(&text[done..at]);
        done = match bytes[at] {
            b'\\' => {
                let (length, result) = escape(&bytes[at..]);
                decoded.push(result.unwrap_or('\u{fffd}'));
                at + length
            }
            // One of the two characters stays, with the brace.
            byte => {
                decoded.push(char::from(byte));
                decoded.push('{');
                at + 3
            }
        };
    }
    decoded.push_str(&text[done..]);
    Cow::Owned(decoded)
}

/// Returns the diagnostic for a number literal that is too large, too small or too long.
pub(crate) fn number_out_of_range(text: &str, span: Span) -> Option<Finding> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let significant = integer.trim_start_matches('0');
    let leading = match significant.len() as i64 {
        0 => {
            let zeros = fraction.len() - fraction.trim_start_matches('0').len();
            if zeros == fraction.len() {
                return None;
            }
            -1 - zeros as i64
        }
        length => length - 1,
    };
    // An exponent with too many digits to fit is out of range anyway.
    let exponent =
        exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 });
    let leading = leading.saturating_add(exponent);
    let last = exponent.saturating_sub(fraction.trim_end_matches('0').len() as i64);
    let why = if leading > MAX_NUMBER_EXPONENT {
        "is too large"
    } else if leading < -MAX_NUMBER_EXPONENT {
        "is too close to zero"
    } else if last < -MAX_NUMBER_EXPONENT {
        "has too many digits"
    } else {
        return None;
    };
    let detail = format!("`{}` {why}", excerpt(text));
    let help = format!("numbers reach from 1e-{MAX_NUMBER_EXPONENT} to 1e{MAX_NUMBER_EXPONENT}");
    Some(Finding::error(Code::NumberOutOfRange, span, detail).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(escape(b"\\u00e9x"), (6, Ok('é')));
        assert_eq!(escape(b"\\U0001F600"), (10, Ok('😀')));
        assert_eq!(escape(b"\\u12\""), (4, Err(EscapeError::Digits(4))));
        assert_eq!(escape(b"\\ud800"), (6, Err(EscapeError::NoCharacter(0xd800))));
        assert_eq!(escape("\\é".as_bytes()), (3, Err(EscapeError::Unknown('é'))));
        assert_eq!(escape(b"\\"), (1, Err(EscapeError::Unknown('\n'))));
        assert_eq!(escape(b"\\U00110000"), (10, Err(EscapeError::NoCharacter(0x110000))));
    }

    #[test]
    fn texts() {
        assert_eq!(unquote("\"a\\n$${b} %%{ $$ \\u00e9\""), "a\n${b} %{ $$ é");
        assert_eq!(decode_template_text("a\\n$${b} $$${c"), "a\\n${b} $${c");
        assert_eq!(unquote("\"\""), "");
        assert_eq!(unquote("\""), "");
        assert_eq!(unquote("'é'"), "é");
        assert_eq!(unquote("\"\\"), "\u{fffd}");
    }

    #[cfg(feature = "eval")]
    #[test]
    fn literals_and_numbers_have_one_range() {
        assert_eq!(MAX_NUMBER_EXPONENT, crate::model::Number::MAX_EXPONENT);
        assert_eq!(2 * MAX_NUMBER_EXPONENT as u64 + 1, crate::model::Number::MAX_DIGITS);
    }

    #[test]
    fn the_range_of_numbers() {
        let out = |text: &str| number_out_of_range(text, Span::default()).is_some();
        for text in [
            "1",
            "0",
            "0e99999999999",
            "0.00",
            "1e20000",
            "9.9e20000",
            "1e-20000",
            "0.001e-19997",
            "1e-99999999999999999999999",
        ] {
            assert_eq!(out(text), text.contains("e-99"), "{text}");
        }
        for text in ["1e20001", "10e20000", "1e-20001", "1.5e-20000", "1e99999999999999999999999"] {
            assert!(out(text), "{text}");
        }
        assert!(out(&"1".repeat(20_002)));
        assert!(!out(&"1".repeat(20_001)));
    }
}
