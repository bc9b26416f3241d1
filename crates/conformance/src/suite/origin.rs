//! The sentence of a text that a statement follows from.

use serde_json::{Value, json};

/// The most words of a sentence that are quoted.
const MAX_WORDS: usize = 15;
/// The texts that statements follow from, and two words for statements without a text.
const TEXTS: &[&str] = &[
    "native-syntax",
    "json-syntax",
    "information-model",
    "decode-spec",
    "lexer-modes",
    "rulings",
    "engine",
    "editors",
];

/// The sentence that a statement follows from, so that anyone can check it.
///
/// ```
/// use hcl_lr_conformance::suite::Origin;
///
/// let origin = Origin::read("native-syntax, Identifiers: dashes as a special case")?.expect("an origin");
/// assert_eq!((&*origin.text, &*origin.section), ("native-syntax", "Identifiers"));
/// assert!(Origin::read("a book, page 7: it is so").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The text: `native-syntax`, `json-syntax`, `information-model`, `decode-spec`, `lexer-modes` or `rulings`;
    /// `engine` if the texts are silent and the official engine decides, `editors` if editors need it.
    pub text: String,
    /// The heading of the section with the sentence.
    pub section: String,
    /// At most fifteen words of the sentence; empty for `engine` and `editors`.
    pub quote: String,
}

impl Origin {
    /// Reads `TEXT, SECTION: WORDS`; empty text means no origin.
    ///
    /// # Errors
    /// If it has another form, quotes too many words, or names another text.
    pub fn read(written: &str) -> Result<Option<Origin>, String> {
        if written.is_empty() {
            return Ok(None);
        }
        let (head, quote) = written.split_once(": ").unwrap_or((written, ""));
        let (text, section) = head.split_once(", ").unwrap_or((head, ""));
        if !TEXTS.contains(&text) {
            return Err(format!("`{text}` is none of {}", TEXTS.join(", ")));
        }
        if quote.split_whitespace().count() > MAX_WORDS {
            return Err(format!("more than {MAX_WORDS} words are quoted"));
        }
        let is_silent = ["engine", "editors"].contains(&text);
        if is_silent != quote.is_empty() || is_silent != section.is_empty() {
            return Err("an origin is written `TEXT, SECTION: WORDS`, or `engine` or `editors` alone".to_owned());
        }
        Ok(Some(Origin { text: text.to_owned(), section: section.to_owned(), quote: quote.to_owned() }))
    }

    pub(super) fn to_json(&self) -> Value {
        match self.quote.is_empty() {
            true => json!({ "text": self.text }),
            false => json!({ "text": self.text, "section": self.section, "quote": self.quote }),
        }
    }
}
