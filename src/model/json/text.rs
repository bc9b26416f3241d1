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
    // Most text needs no escapes, so it is written in pieces instead of characters.
    let mut written = 0;
    for (at, c) in text.char_indices() {
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            c if escapes(c) => "",
            _ => continue,
        };
        out.push_str(&text[written..at]);
        out.push_str(short);
        if short.is_empty() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
        written = at + c.len_utf8();
    }
    out.push_str(&text[written..]);
    out.push('"');
}
