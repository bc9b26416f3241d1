//! Texts in other encodings than UTF-8, by their IANA names.

/// An encoding that is known without tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Charset {
    Ascii,
    Utf8,
    Utf16 {
        big: bool,
    },
    Latin1,
    #[cfg(feature = "functions")]
    Other(&'static encoding_rs::Encoding),
}

fn named(name: &str) -> Result<Charset, String> {
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Ok(Charset::Utf8),
        "utf-16le" => Ok(Charset::Utf16 { big: false }),
        "utf-16be" | "utf-16" => Ok(Charset::Utf16 { big: true }),
        "us-ascii" | "ascii" => Ok(Charset::Ascii),
        "iso-8859-1" | "iso_8859-1" | "latin1" => Ok(Charset::Latin1),
        #[cfg(feature = "functions")]
        name => encoding_rs::Encoding::for_label(name.as_bytes())
            .filter(|encoding| encoding.output_encoding() == *encoding)
            .map(Charset::Other)
            .ok_or_else(|| unknown(name)),
        #[cfg(not(feature = "functions"))]
        name => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> String {
    format!("there is no encoding named `{name}`; known ones are UTF-8, UTF-16LE, UTF-16BE, ISO-8859-1, US-ASCII")
}

/// Encodes a text.
///
/// # Errors
/// The name is unknown, or the encoding lacks a character.
pub(crate) fn encode(text: &str, name: &str) -> Result<Vec<u8>, (usize, String)> {
    let charset = named(name).map_err(|why| (1, why))?;
    let lacks = || (0, format!("{name} lacks a character of the text"));
    let limited =
        |last: u32| text.chars().map(|c| u8::try_from(u32::from(c)).ok().filter(|_| u32::from(c) <= last)).collect();
    match charset {
        Charset::Utf8 => Ok(text.as_bytes().to_vec()),
        Charset::Ascii => Option::<Vec<u8>>::ok_or_else(limited(0x7F), lacks),
        Charset::Latin1 => Option::<Vec<u8>>::ok_or_else(limited(0xFF), lacks),
        Charset::Utf16 { big: true } => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        Charset::Utf16 { big: false } => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        #[cfg(feature = "functions")]
        Charset::Other(encoding) => match encoding.encode(text) {
            (bytes, _, false) => Ok(bytes.into_owned()),
            _ => Err(lacks()),
        },
    }
}

/// Decodes bytes to a text.
///
/// # Errors
/// The name is unknown, or the bytes are not text in the encoding.
pub(crate) fn decode(bytes: &[u8], name: &str) -> Result<String, (usize, String)> {
    let charset = named(name).map_err(|why| (1, why))?;
    let wrong = || (0, format!("the bytes are not text in {name}"));
    match charset {
        Charset::Utf8 => String::from_utf8(bytes.to_vec()).map_err(|_| wrong()),
        Charset::Ascii if bytes.is_ascii() => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Charset::Ascii => Err(wrong()),
        Charset::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Charset::Utf16 { big } => {
            let (units, []) = bytes.as_chunks::<2>() else { return Err(wrong()) };
            let unit = |unit: &[u8; 2]| if big { u16::from_be_bytes(*unit) } else { u16::from_le_bytes(*unit) };
            char::decode_utf16(units.iter().map(unit)).collect::<Result<String, _>>().map_err(|_| wrong())
        }
        #[cfg(feature = "functions")]
        Charset::Other(encoding) => {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
            text.map(std::borrow::Cow::into_owned).ok_or_else(wrong)
        }
    }
}
