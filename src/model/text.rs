//! Text in the model: NFC-normalized and shared.

use smol_str::SmolStr;
use std::borrow::{Borrow, Cow};
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

pub(crate) use crate::nfc::is_normalized;
use crate::nfc::nfc;

/// A name or text of the model, in Unicode's Normalization Form C.
///
/// It is cheap to clone: a short text is copied, a long one shared. Up to 23 bytes need no allocation, which suits most
/// names and many values.
#[derive(Clone, Default, Eq, PartialOrd, Ord)]
pub struct Text(SmolStr);

impl Text {
    /// A text that is known to be normalized.
    pub(crate) fn known(text: &str) -> Text {
        Text(SmolStr::from(text))
    }
}

/// Shared texts are equal without a comparison.
impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        std::ptr::eq::<str>(&**self, &**other) || **self == **other
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        normalized(text)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Returns the text in Normalization Form C. ASCII text, and text that a quick check accepts as normalized, is copied
/// as it is.
pub(crate) fn normalized(text: &str) -> Text {
    if is_normalized(text) {
        return Text::known(text);
    }
    crate::work::step(text.len());
    Text(nfc(Cow::Borrowed(text)).into())
}

/// The spellings of names that normalization changes, for detecting two names that become the same.
#[derive(Default)]
pub(crate) struct Spellings {
    /// The number of names so far.
    count: usize,
    /// The names that normalization changed, by number.
    changed: HashMap<usize, String>,
}

impl Spellings {
    /// Returns the normalized name.
    pub fn normalized(&mut self, name: &str) -> Text {
        let text = normalized(name);
        if *text != *name {
            self.changed.insert(self.count, name.to_owned());
        }
        self.count += 1;
        text
    }

    /// Returns the first name, of all that came, that was spelled in two ways.
    pub fn with_two<'t>(&self, names: impl Iterator<Item = &'t Text>) -> Option<Text> {
        if self.changed.is_empty() {
            return None;
        }
        let mut seen: HashMap<&str, &str> = HashMap::new();
        names.enumerate().find_map(|(at, name)| {
            let spelling = self.changed.get(&at).map_or(&**name, String::as_str);
            (*seen.entry(name).or_insert(spelling) != spelling).then(|| name.clone())
        })
    }
}

/// Returns the message for a name that was spelled in two ways.
pub(crate) fn spelled_in_two_ways(name: &str) -> String {
    format!("two names are the same after normalization: {name:?}")
}
