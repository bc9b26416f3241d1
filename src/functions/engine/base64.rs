//! Base64 (RFC 4648, section 4), as in Go: line breaks are skipped anywhere, the padding is required, and the unused
//! bits of the last character are ignored.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in Base64, with padding.
///
/// ```
/// use hcl_lr::functions::base64;
/// assert_eq!(base64::encode(b"hcl"), "aGNs");
/// assert_eq!(base64::decode("aGNs"), Ok(b"hcl".to_vec()));
/// ```
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(*group.get(at).unwrap_or(&0)));
        for at in 0..4 {
            match at <= group.len() {
                true => text.push(char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize])),
                false => text.push('='),
            }
        }
    }
    text
}

/// Decodes a text in Base64.
///
/// # Errors
/// The text is not Base64; the error is a phrase for a message.
pub fn decode(text: &str) -> Result<Vec<u8>, &'static str> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    if !digits.len().is_multiple_of(4) || padding > 2 {
        return Err("it is not padded with `=` to groups of four characters");
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in &digits[..digits.len() - padding] {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err("it has characters other than A-Z, a-z, 0-9, + and /"),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        }
    }
    Ok(bytes)
}
