//! Cuts a JSON text into the tokens of its productions, without the reader of the library.

use crate::lexeme::{Class, Lexeme};

/// Splits a text into tokens. White space is dropped, and invalid text becomes a kind of token that no production has.
pub fn cut(text: &str) -> Vec<Lexeme> {
    let bytes = text.as_bytes();
    let (mut lexemes, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let is_end = |byte: &u8| !(byte.is_ascii_alphanumeric() || b"+-._".contains(byte));
        let run = || at + bytes[at..].iter().position(is_end).unwrap_or(bytes.len() - at);
        let (class, end) = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'{' | b'}' | b'[' | b']' | b',' | b':' => (Class::Text, at + 1),
            b'"' => match string_end(bytes, at) {
                Some(end) => (Class::Name("JsonString"), end),
                None => (Class::Nothing, at + text[at..].find('\n').unwrap_or(text.len() - at)),
            },
            byte if byte == b'-' || byte.is_ascii_digit() => match run() {
                end if is_number(&text[at..end]) => (Class::Name("JsonNumber"), end),
                end => (Class::Nothing, end),
            },
            byte if byte.is_ascii_alphabetic() => match run() {
                end if ["true", "false", "null"].contains(&&text[at..end]) => (Class::Text, end),
                end => (Class::Nothing, end),
            },
            _ => (Class::Nothing, at + text[at..].chars().next().map_or(1, char::len_utf8)),
        };
        lexemes.push(Lexeme { class, text: text[at..end].to_owned(), at });
        at = end;
    }
    lexemes
}

/// Returns the end of a string that begins with a quote; `None` if it is not a string.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => 6,
                _ => return None,
            },
            0..=0x1f => return None,
            _ => 1,
        }
    }
}

/// Returns true if a text is a `JsonNumber`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(head, tail)| (head, Some(tail)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(head, tail)| (head, Some(tail)));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|power| digits(power.strip_prefix(['+', '-']).unwrap_or(power)))
}

#[cfg(test)]
mod tests {
    use super::{Class, cut};

    #[test]
    fn texts_are_cut_into_tokens() {
        let cut_of = |text: &str| {
            let shown = cut(text).into_iter().map(|lexeme| match lexeme.class {
                Class::Name(name) => format!("{name} {}", lexeme.text),
                Class::Text => lexeme.text,
                Class::Nothing => format!("? {}", lexeme.text),
            });
            shown.collect::<Vec<_>>().join("|")
        };
        assert_eq!(
            cut_of("{\"a\\u00e9\": -1.5e+3,\n true}"),
            "{|JsonString \"a\\u00e9\"|:|JsonNumber -1.5e+3|,|true|}"
        );
        for (text, wanted) in [
            ("01", "? 01"),
            ("1.", "? 1."),
            ("-", "? -"),
            ("tru", "? tru"),
            ("+1", "? +|JsonNumber 1"),
            ("\"a\n1", "? \"a|JsonNumber 1"),
            ("\"\\x\"", "? \"\\x\""),
            ("ä", "? ä"),
        ] {
            assert_eq!(cut_of(text), wanted, "{text}");
        }
    }
}
