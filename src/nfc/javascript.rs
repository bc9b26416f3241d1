//! Normalization by the JavaScript engine that runs the program. Characters that its version of Unicode does not have stay as they are.

use js_sys::JsString;

/// Returns the text in Normalization Form C.
pub(super) fn normalized(text: &str) -> String {
    in_form("NFC", text)
}

/// Returns true if the first character of the canonical decomposition of `c` composes with one of the others, none of which is decomposed.
#[cfg(feature = "eval")]
pub(super) fn composes(c: char, others: impl Iterator<Item = char>) -> bool {
    let mut buffer = [0; 4];
    let first = in_form("NFD", c.encode_utf8(&mut buffer)).chars().next().unwrap_or(c);
    // All pairs at once. The line breaks between them compose with nothing.
    let pairs: String = others.flat_map(|other| [first, other, '\n']).collect();
    in_form("NFC", &pairs).chars().count() < pairs.chars().count()
}

fn in_form(form: &str, text: &str) -> String {
    JsString::from(text).normalize(form).into()
}
