//! The notation of sources in examples, in which every character is visible.

/// No part of a source is repeated more often.
const MOST: usize = 100_000;

/// The bytes that the source of an example stands for.
///
/// `␉` is a tab, `␠` a space, `␍` a carriage return, `⟨U+FEFF⟩` a character, `⟨0xFF⟩` a byte, and `⟨(×3⟩` stands
/// for `(((`. A newline follows the last line if `is_file`, unless `⟨eof⟩` stands at the end of it.
///
/// # Errors
/// If there is a `⟨` that begins none of these.
///
/// ```
/// use hcl_lr_conformance::suite::visible_to_bytes;
///
/// assert_eq!(visible_to_bytes("a␉=␉1", true).as_deref(), Ok(&b"a\t=\t1\n"[..]));
/// assert_eq!(visible_to_bytes("⟨0xFF⟩", false).as_deref(), Ok(&b"\xff"[..]));
/// ```
pub fn visible_to_bytes(shown: &str, is_file: bool) -> Result<Vec<u8>, String> {
    let (text, end) = match shown.strip_suffix("⟨eof⟩") {
        Some(text) => (text, ""),
        None if is_file && !shown.is_empty() => (shown, "\n"),
        None => (shown, ""),
    };
    let text = format!("{text}{end}").replace('␉', "\t").replace('␠', " ").replace('␍', "\r");
    let mut source = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, special)) = rest.split_once('⟨') {
        let (name, after) = special.split_once('⟩').ok_or("a `⟨` without its `⟩`")?;
        source.extend(before.as_bytes());
        let hex = |digits: &str| u32::from_str_radix(digits, 16).map_err(|_| format!("`⟨{name}⟩` is no number"));
        if let Some(digits) = name.strip_prefix("U+") {
            let character = char::from_u32(hex(digits)?).ok_or_else(|| format!("`⟨{name}⟩` is no character"))?;
            source.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
        } else if let Some(digits) = name.strip_prefix("0x") {
            source.push(u8::try_from(hex(digits)?).map_err(|_| format!("`⟨{name}⟩` is no byte"))?);
        } else if let Some((part, Ok(times))) = name.rsplit_once('×').map(|(part, times)| (part, times.parse())) {
            source.extend(part.repeat(MOST.min(times)).as_bytes());
        } else {
            return Err(format!("`⟨{name}⟩` is neither `⟨U+…⟩`, `⟨0x…⟩` nor `⟨…×…⟩`"));
        }
        rest = after;
    }
    source.extend(rest.as_bytes());
    Ok(source)
}
