//! Texts as JSON strings.

/// A JSON string. The characters that HTML would take for its own are escaped, and so are
/// the line separators that JavaScript does not allow, as the official engine does.
pub(crate) fn write_string(text: &str, out: &mut String) {
    let escapes = |c| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}');
    write_string_with(text, escapes, out);
}

/// A JSON string in which characters are written by their numbers if `escapes` says so, beside those that JSON has a short
/// escape for.
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
