//! Texts as JSON strings.

/// Writes a JSON string. Like the official engine, escapes the characters that are special in HTML and the line
/// separators that JavaScript does not allow.
pub(crate) fn write_string(text: &str, out: &mut String) {
    let escapes = |c| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}');
    write_string_with(text, escapes, out);
}

/// Writes a JSON string. Characters for which `escapes` returns true are written by their numbers, unless JSON has a
/// short escape for them.
pub(crate) fn write_string_with(text: &str, escapes: impl Fn(char) -> bool, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if escapes(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
