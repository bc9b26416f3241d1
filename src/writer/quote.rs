//! Writes quoted strings and object keys: the one place for values, new files and partial evaluation.

use crate::identifier::is_portable_identifier;

/// The notation of the text of a template.
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
    escape_into(text, form, &mut out);
    out
}

fn escape_into(text: &str, form: Form, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| MAY_BE_SPECIAL[usize::from(byte)]) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next() {
            Some(c @ ('$' | '%')) => {
                out.push(c);
                out.extend(chars.as_str().starts_with('{').then_some(c));
            }
            Some(c @ ('"' | '\\')) if form == Form::Quoted => out.extend(['\\', c]),
            Some('\n') if form == Form::Quoted => out.push_str("\\n"),
            Some('\r') if form == Form::Quoted => out.push_str("\\r"),
            Some('\t') if form == Form::Quoted => out.push_str("\\t"),
            Some(c) if form == Form::Quoted && (c.is_control() || c == '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// True for each byte that may need escaping, or begins a character that may.
static MAY_BE_SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < special.len() {
        // Control characters beyond ASCII begin with the second last of these, the byte order mark with the last.
        special[byte] = matches!(byte as u8, 0..0x20 | b'"' | b'$' | b'%' | b'\\' | 0x7f | 0xc2 | 0xef);
        byte += 1;
    }
    special
};

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(text, &mut out);
    out
}

/// Writes a text in quotes.
pub(crate) fn quote_into(text: &str, out: &mut String) {
    out.push('"');
    escape_into(text, Form::Quoted, out);
    out.push('"');
}

/// Returns the text of an object's key: bare if possible, else in quotes.
pub fn key(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    key_into(text, &mut out);
    out
}

/// Writes the key of an object.
pub(crate) fn key_into(text: &str, out: &mut String) {
    if is_bare_key(text) { out.push_str(text) } else { quote_into(text, out) }
}

/// Returns true if the key of an object needs no quotes. After a brace, `for` begins a *for expression*; `null`, `true`
/// and `false` are names there. The newest characters are quoted, so that programs with an older Unicode can read the
/// text.
pub(crate) fn is_bare_key(text: &str) -> bool {
    text != "for" && is_portable_identifier(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let text = "a\t\"$${b} %{c} %\u{85}é\u{feff}\u{ef}\\\n$";
        let quoted = "\"a\\t\\\"$$${b} %%{c} %\\u0085é\\ufeff\u{ef}\\\\\\n$\"";
        assert_eq!(super::quoted(text), quoted);
        assert_eq!(escaped(text, Form::Bare), "a\t\"$$${b} %%{c} %\u{85}é\u{feff}\u{ef}\\\n$");
    }

    #[test]
    fn keys() {
        for bare in ["a", "_", "größe-2", "null", "true", "if", "in", "a·b"] {
            assert_eq!(key(bare), bare);
        }
        for text in ["for", "", "2nd", "a b", "a.b", "a²", "\u{107bb}", "a\u{558}", "-"] {
            assert_eq!(key(text), quoted(text));
        }
    }
}
