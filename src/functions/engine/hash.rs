//! Hashes of bytes, and UUIDs made from them.

use sha1::Digest;

pub(crate) fn md5(bytes: &[u8]) -> Vec<u8> {
    md5::Md5::digest(bytes).to_vec()
}

pub(crate) fn sha1(bytes: &[u8]) -> Vec<u8> {
    sha1::Sha1::digest(bytes).to_vec()
}

pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(bytes).to_vec()
}

pub(crate) fn sha512(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha512::digest(bytes).to_vec()
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the UUID of a name within a namespace (RFC 9562, version 5).
pub(crate) fn uuid_v5(namespace: u128, name: &str) -> String {
    let mut bytes = namespace.to_be_bytes().to_vec();
    bytes.extend_from_slice(name.as_bytes());
    uuid_text(&sha1(&bytes), 5)
}

/// Sixteen bytes as the UUID of a version.
pub(crate) fn uuid_text(bytes: &[u8], version: u8) -> String {
    let mut bytes: Vec<u8> = bytes.iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0F | version << 4;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let digits = hexadecimal(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// Parses a namespace: the name of a well-known one, or a UUID in one of the usual notations.
pub(crate) fn uuid_namespace(text: &str) -> Option<u128> {
    const DNS: u128 = 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8;
    let known = |number: u128| DNS + (number << 96);
    match text {
        "dns" => return Some(known(0)),
        "url" => return Some(known(1)),
        "oid" => return Some(known(2)),
        "x500" => return Some(known(4)),
        _ => {}
    }
    let digits = match text.len() {
        32 if text.is_ascii() => text.to_owned(),
        36 => hyphenated(text)?,
        38 => hyphenated(text.get(1..37)?)?,
        45 if text.get(..9)?.eq_ignore_ascii_case("urn:uuid:") => hyphenated(&text[9..])?,
        _ => return None,
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(&digits, 16).ok()
}

fn hyphenated(text: &str) -> Option<String> {
    let hyphens = text.is_ascii() && [8, 13, 18, 23].iter().all(|at| text.as_bytes()[*at] == b'-');
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    (hyphens && digits.len() == 32).then_some(digits)
}
