//! What an identifier is (native syntax specification, "Identifiers"), for the lexer and for whoever
//! writes names. It knows none of the layers.

use unicode_ident::{is_xid_continue, is_xid_start};

/// `ID_Start` of Unicode: `XID_Start` and the few characters that its closure under normalization
/// takes away.
pub(crate) fn is_id_start(c: char) -> bool {
    is_xid_start(c)
        || matches!(c, '\u{37a}' | '\u{e33}' | '\u{eb3}' | '\u{309b}'..='\u{309c}'
        | '\u{fc5e}'..='\u{fc63}' | '\u{fdfa}'..='\u{fdfb}' | '\u{ff9e}'..='\u{ff9f}'
        | '\u{fe70}' | '\u{fe72}' | '\u{fe74}' | '\u{fe76}' | '\u{fe78}' | '\u{fe7a}' | '\u{fe7c}' | '\u{fe7e}')
}

/// `ID_Continue` of Unicode, or the dash that HCL adds.
pub(crate) fn is_identifier_part(c: char) -> bool {
    c == '-' || is_xid_continue(c) || is_id_start(c)
}

/// Whether a text is an identifier of HCL (native syntax specification, "Identifiers"), or one
/// that starts with an underscore, as the official engine accepts.
///
/// ```
/// use hcl_lr::syntax::is_identifier;
///
/// assert!(is_identifier("größe-2"));
/// assert!(!is_identifier("2nd"));
/// assert!(!is_identifier(""));
/// ```
pub fn is_identifier(text: &str) -> bool {
    if let [b'a'..=b'z' | b'A'..=b'Z' | b'_', rest @ ..] = text.as_bytes()
        && rest.iter().all(|byte| IS_PART[usize::from(*byte)])
    {
        return true;
    }
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || is_id_start(c)) && chars.all(is_identifier_part)
}

/// Whether a byte is an ASCII character that an identifier may have after its first one.
static IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        is_part[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        byte += 1;
    }
    is_part
};
