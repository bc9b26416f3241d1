//! The rule for identifiers (native syntax specification, "Identifiers"), for the lexer and for everything that writes
//! names. It depends on no layer.

use std::ops::RangeInclusive;

use unicode_ident::{is_xid_continue, is_xid_start};

/// Returns true for `ID_Start` of Unicode: `XID_Start`, and the few characters that its closure under normalization
/// removes.
pub fn is_id_start(c: char) -> bool {
    is_xid_start(c)
        || matches!(c, '\u{37a}' | '\u{e33}' | '\u{eb3}' | '\u{309b}'..='\u{309c}'
        | '\u{fc5e}'..='\u{fc63}' | '\u{fdfa}'..='\u{fdfb}' | '\u{ff9e}'..='\u{ff9f}'
        | '\u{fe70}' | '\u{fe72}' | '\u{fe74}' | '\u{fe76}' | '\u{fe78}' | '\u{fe7a}' | '\u{fe7c}' | '\u{fe7e}')
}

/// `ID_Continue` of Unicode, or the dash that HCL adds.
pub fn is_identifier_part(c: char) -> bool {
    c == '-' || is_xid_continue(c) || is_id_start(c)
}

/// Returns true if a text is an identifier of HCL (native syntax specification, "Identifiers"), or one that starts with
/// an underscore, as the official engine accepts.
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

/// Returns true if a text is an identifier even for readers that only know Unicode 17, such as the official engine.
/// Other names are written in quotes if possible.
pub fn is_portable_identifier(text: &str) -> bool {
    is_identifier(text) && (text.is_ascii() || !text.chars().any(is_new))
}

/// Returns true if a character of identifiers is newer than Unicode 17.
fn is_new(c: char) -> bool {
    let at = NEW.partition_point(|range| *range.end() < c);
    NEW.get(at).is_some_and(|range| range.contains(&c))
}

/// The characters of identifiers that were added after Unicode 17, in order.
static NEW: [RangeInclusive<char>; 37] = [
    '\u{558}'..='\u{558}',
    '\u{58b}'..='\u{58c}',
    '\u{5c8}'..='\u{5c9}',
    '\u{b53}'..='\u{b54}',
    '\u{1ade}'..='\u{1adf}',
    '\u{1aec}'..='\u{1af0}',
    '\u{208f}'..='\u{208f}',
    '\u{209d}'..='\u{209f}',
    '\u{a7dd}'..='\u{a7dd}',
    '\u{a7e2}'..='\u{a7e2}',
    '\u{ab6c}'..='\u{ab6d}',
    '\u{107bb}'..='\u{107bf}',
    '\u{10ecb}'..='\u{10ecf}',
    '\u{10ed9}'..='\u{10eee}',
    '\u{10ef0}'..='\u{10ef9}',
    '\u{11b0a}'..='\u{11b0a}',
    '\u{11df0}'..='\u{11df1}',
    '\u{1246f}'..='\u{1246f}',
    '\u{12475}'..='\u{1247f}',
    '\u{12550}'..='\u{12686}',
    '\u{18cd6}'..='\u{18cda}',
    '\u{18d1f}'..='\u{18d20}',
    '\u{18e00}'..='\u{19191}',
    '\u{191a0}'..='\u{191d2}',
    '\u{1b123}'..='\u{1b128}',
    '\u{1b168}'..='\u{1b168}',
    '\u{1d127}'..='\u{1d128}',
    '\u{1d250}'..='\u{1d252}',
    '\u{1d25b}'..='\u{1d25c}',
    '\u{1d25f}'..='\u{1d25f}',
    '\u{1d280}'..='\u{1d281}',
    '\u{1d6a6}'..='\u{1d6a6}',
    '\u{1df1f}'..='\u{1df24}',
    '\u{1df2b}'..='\u{1df81}',
    '\u{1df90}'..='\u{1df96}',
    '\u{1dfcd}'..='\u{1dfff}',
    '\u{2b81e}'..='\u{2b81e}',
];

/// True for each byte that is an ASCII character of identifiers after the first one.
static IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        is_part[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        byte += 1;
    }
    is_part
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_characters_are_in_order_and_of_identifiers() {
        assert!(NEW.windows(2).all(|pair| pair[0].end() < pair[1].start()));
        assert!(NEW.iter().flat_map(Clone::clone).all(is_identifier_part));
        assert!(is_portable_identifier("größe·2") && !is_portable_identifier("a\u{107bd}"));
    }
}
