//! Normalization by tables.
//!
//! The package unicode-normalization makes all forms by one iterator, which brings the tables of all forms into a program,
//! 80 kB. This module needs the tables of this form only.

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

/// Returns the text in Normalization Form C.
pub(super) fn normalized(text: &str) -> String {
    let mut composer = Composer { text: String::with_capacity(text.len()), ..Composer::default() };
    for character in text.chars() {
        decompose_canonical(character, |part| composer.push(part));
    }
    composer.finish();
    composer.text
}

/// Returns true if the first character of the canonical decomposition of `c` composes with one of the others.
#[cfg(feature = "eval")]
pub(super) fn composes(c: char, mut others: impl Iterator<Item = char>) -> bool {
    let mut first = None;
    decompose_canonical(c, |part| first = first.or(Some(part)));
    others.any(|other| compose(first.unwrap_or(c), other).is_some())
}

/// Composes decomposed characters again: the canonical composition of UAX #15.
#[derive(Default)]
struct Composer {
    text: String,
    /// The last character that is not a mark, which marks and another one may be composed with.
    base: Option<char>,
    /// The marks after it, with their combining classes.
    marks: Vec<(u8, char)>,
}

impl Composer {
    fn push(&mut self, character: char) {
        let class = canonical_combining_class(character);
        if class != 0 {
            self.marks.push((class, character));
            return;
        }
        self.compose_marks();
        match self.base.and_then(|base| compose(base, character)).filter(|_| self.marks.is_empty()) {
            Some(composed) => self.base = Some(composed),
            None => {
                self.write();
                self.base = Some(character);
            }
        }
    }

    /// Composes the base with the marks, in the order of their classes. What cannot be composed stays.
    fn compose_marks(&mut self) {
        // Marks of one class keep their order.
        self.marks.sort_by_key(|(class, _)| *class);
        let Some(mut base) = self.base else { return };
        let mut blocked = 0;
        self.marks.retain(|&(class, mark)| match compose(base, mark) {
            Some(composed) if class != blocked => {
                base = composed;
                false
            }
            _ => {
                blocked = class;
                true
            }
        });
        self.base = Some(base);
    }

    fn finish(&mut self) {
        self.compose_marks();
        self.write();
    }

    /// Writes the base and the marks after it.
    fn write(&mut self) {
        self.text.extend(self.base.take());
        self.text.extend(self.marks.drain(..).map(|(_, mark)| mark));
    }
}

#[cfg(test)]
mod tests {
    use super::super::nfc;
    use std::borrow::Cow;
    use unicode_normalization::UnicodeNormalization;

    fn normal(text: &str) -> String {
        nfc(Cow::Borrowed(text)).into_owned()
    }

    #[test]
    fn every_character_is_normalized_as_by_the_package() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(normal(&text), text.nfc().collect::<String>(), "U+{:X}", character as u32);
            let decomposed: String = text.nfd().collect();
            assert_eq!(
                normal(&decomposed),
                decomposed.nfc().collect::<String>(),
                "the parts of U+{:X}",
                character as u32
            );
        }
    }

    #[test]
    fn rows_of_marks_are_normalized_as_by_the_package() {
        // Bases, marks of equal and of different classes, halves of Hangul, and a mark that composes with nothing.
        let parts = [
            'a', 'q', 'ё', '\u{301}', '\u{308}', '\u{323}', '\u{327}', '\u{1100}', '\u{1161}', '\u{11a8}', '\u{345}',
            '\u{9c7}', '\u{9be}',
        ];
        let mut state = 1_u32;
        for _ in 0..100_000 {
            let text: String = (0..6)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    parts[(state >> 16) as usize % parts.len()]
                })
                .collect();
            assert_eq!(normal(&text), text.nfc().collect::<String>(), "{text:?}");
        }
    }
}
