//! The text before and after a place.

/// The maximum number of bytes to examine before and after a place.
pub(super) const MAX_NEAR: usize = 2_000;

/// The maximum number of bytes of the arguments of a call.
const MAX_ARGUMENTS: usize = 20_000;

/// Returns the end of a text, of about `most` bytes.
pub(super) fn last_part(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Returns the start of a text, of about `most` bytes.
pub(super) fn first_part(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the end of the parentheses that start a text. `None` if the text starts differently, or they do not end
/// nearby.
pub(super) fn call_end(text: &str) -> Option<usize> {
    let text = first_part(text, MAX_ARGUMENTS).strip_prefix('(')?;
    let (mut depth, mut in_text, mut bytes) = (0_usize, false, text.bytes().enumerate());
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => in_text = !in_text,
            b'\\' if in_text => {
                bytes.next();
            }
            _ if in_text => {}
            b')' if depth == 0 => return Some(at + 2),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}
