//! Text in the query of a URL, as in `application/x-www-form-urlencoded`.

/// Keeps letters, digits and `-_.~`; a space becomes `+`.
pub(crate) fn encode(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            b'-' | b'_' | b'.' | b'~' => encoded.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => encoded.extend(['%', digit(byte >> 4), digit(byte)]),
        }
    }
    encoded
}

/// Reverses [`encode`]; `None` if a `%` is not followed by two hexadecimal digits.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || bytes.next().and_then(|digit| char::from(digit).to_digit(16));
                (digit()? * 16 + digit()?) as u8
            }
            _ => byte,
        });
    }
    Some(decoded)
}
