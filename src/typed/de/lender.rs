//! Strings that are borrowed from the text of a file.

/// The text of a file that outlives reading, so that strings can be borrowed from it.
#[derive(Clone, Copy)]
pub(super) struct Lender<'de> {
    /// The address of the text that is parsed, and the text that is lent, which has the same bytes.
    address: usize,
    text: &'de str,
}

impl<'de> Lender<'de> {
    pub const NONE: Lender<'static> = Lender { address: 0, text: "" };

    pub fn new(parsed: &str, text: &'de str) -> Self {
        if parsed == text { Lender { address: parsed.as_ptr() as usize, text } } else { Lender::NONE }
    }

    /// Returns the same text for as long as the file lives, if it is a part of the parsed text.
    pub fn lend(&self, part: &str) -> Option<&'de str> {
        let start = (part.as_ptr() as usize).checked_sub(self.address)?;
        self.text.get(start..start.checked_add(part.len())?)
    }
}
