//! Unicode's Normalization Form C, the form of strings in the language.
//!
//! A quick check by the package unicode-normalization accepts most texts as they are. The others are normalized by one of two modules:
//!
//! | module | normalizes | used |
//! | --- | --- | --- |
//! | `tables` | by tables of that package | by default |
//! | `javascript` | by the function `normalize` of the JavaScript engine that runs the program, so that the program has no such tables | for WebAssembly with the feature `js-normalize` |

use std::borrow::Cow;

#[cfg(feature = "eval")]
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

#[cfg(all(feature = "js-normalize", target_arch = "wasm32"))]
mod javascript;
#[cfg(not(all(feature = "js-normalize", target_arch = "wasm32")))]
mod tables;

#[cfg(all(feature = "js-normalize", target_arch = "wasm32"))]
use javascript as implementation;
#[cfg(not(all(feature = "js-normalize", target_arch = "wasm32")))]
use tables as implementation;

/// Returns true if a quick check knows that the text is in Normalization Form C.
pub(crate) fn is_normalized(text: &str) -> bool {
    text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

/// Returns the text in Normalization Form C.
pub(crate) fn nfc(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_normalized(&text) { text } else { Cow::Owned(implementation::normalized(&text)) }
}

/// Returns true if normalization combines the character with those before it, or moves it: its combining class is not zero.
#[cfg(feature = "eval")]
pub(crate) fn is_combining(c: char) -> bool {
    // There are no combining characters before that.
    c >= '\u{300}' && canonical_combining_class(c) != 0
}

/// Returns true if a character may combine with a following one to another character, or is a combining one itself.
#[cfg(feature = "eval")]
pub(crate) fn may_combine(c: char) -> bool {
    /// The combining characters of such pairs, except those of Hangul.
    const SECOND: &str = "\u{342}\u{345}\u{653}\u{654}\u{655}\u{93c}\u{9be}\u{9d7}\u{b3e}\u{b56}\u{b57}\u{bbe}\u{bd7}\u{c56}\
        \u{cc2}\u{cd5}\u{cd6}\u{d3e}\u{d57}\u{dca}\u{dcf}\u{ddf}\u{102e}\u{1b35}\u{3099}\u{309a}\u{110ba}\u{11127}\
        \u{1133e}\u{11357}\u{114b0}\u{114ba}\u{114bd}\u{115af}\u{11930}\u{1161}\u{11a8}";
    is_combining(c) || implementation::composes(c, ('\u{300}'..='\u{33f}').chain(SECOND.chars()))
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(feature = "eval")]
    fn characters_that_may_combine() {
        // The npm package has the same test (`normalization.test.mjs`), because it asks JavaScript.
        for c in "béё가न\u{1025}か=<\u{301}\u{345}\u{1100}".chars() {
            assert!(super::may_combine(c), "{c:?}");
        }
        for c in "q漢アש-§हक\u{958}\u{f900}\u{903}".chars() {
            assert!(!super::may_combine(c), "{c:?}");
        }
    }
}
