//! Unicode's Normalization Form C, the form of strings in the language.
//!
//! `nfc.bin` has what the form needs of Unicode's data, packed into 12 kB, of which the tables are made on first use. A
//! test makes the file from the package unicode-normalization, whose own tables add 65 kB to a program that a browser
//! loads.

use std::borrow::Cow;
use std::sync::LazyLock;

/// Returns true if a quick check knows that the text is in Normalization Form C.
pub(crate) fn is_normalized(text: &str) -> bool {
    if text.is_ascii() {
        return true;
    }
    let mut last = 0;
    text.chars().all(|character| {
        // Nothing before this one combines, and everything is in its form.
        if character < '\u{300}' {
            last = 0;
            return true;
        }
        let class = combining_class(character);
        let is_in_order = class == 0 || last <= class;
        last = class;
        is_in_order && !TABLES.may_change(character)
    })
}

/// Returns the text in Normalization Form C.
pub(crate) fn nfc(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_normalized(&text) {
        return text;
    }
    let mut composer = Composer { text: String::with_capacity(text.len()), ..Composer::default() };
    for character in text.chars() {
        decompose(character, &mut |part| composer.push(part));
    }
    composer.finish();
    Cow::Owned(composer.text)
}

/// Returns the canonical combining class of a character.
pub(crate) fn combining_class(character: char) -> u8 {
    in_ranges(&TABLES.classes, character).unwrap_or_default()
}

/// Returns true for marks, the general category M.
pub(crate) fn is_mark(character: char) -> bool {
    in_ranges(&TABLES.marks, character).is_some()
}

/// Calls a function with each part of the canonical decomposition of a character.
pub(crate) fn decompose(character: char, part: &mut impl FnMut(char)) {
    if let Some(syllable) = hangul::index(character, hangul::SYLLABLES) {
        hangul::parts(syllable).for_each(part);
        return;
    }
    // The first part may have parts itself; the others have none.
    let (mut first, mut others) = (character, Vec::new());
    while let Some([start, rest @ ..]) = TABLES.parts(first) {
        first = *start;
        others.push(rest);
    }
    part(first);
    others.into_iter().rev().flatten().copied().for_each(part);
}

/// Returns the character that two are composed to.
pub(crate) fn compose(first: char, second: char) -> Option<char> {
    if let Some(syllable) = hangul::composed(first, second) {
        return Some(syllable);
    }
    let pairs = &TABLES.pairs;
    let at = pairs.binary_search_by_key(&(second, first), |&(second, first, _)| (second, first)).ok()?;
    Some(pairs[at].2)
}

/// Syllables of Hangul, whose parts are computed (chapter 3.12 of the Unicode Standard).
mod hangul {
    use std::ops::RangeInclusive;

    pub(super) const SYLLABLES: RangeInclusive<char> = '\u{ac00}'..='\u{d7a3}';
    const FIRST: RangeInclusive<char> = '\u{1100}'..='\u{1112}';
    pub(super) const VOWELS: RangeInclusive<char> = '\u{1161}'..='\u{1175}';
    pub(super) const LAST: RangeInclusive<char> = '\u{11a8}'..='\u{11c2}';
    const VOWEL_COUNT: u32 = 21;
    /// One more than there are, for a syllable that ends with its vowel.
    const LAST_COUNT: u32 = 28;

    /// Returns the place of a character in a range.
    pub(super) fn index(character: char, range: RangeInclusive<char>) -> Option<u32> {
        range.contains(&character).then(|| u32::from(character) - u32::from(*range.start()))
    }

    fn at(range: RangeInclusive<char>, index: u32) -> Option<char> {
        char::from_u32(u32::from(*range.start()) + index)
    }

    /// Returns the parts of a syllable, by its index.
    pub(super) fn parts(syllable: u32) -> impl Iterator<Item = char> {
        let (rest, last) = (syllable / LAST_COUNT, syllable % LAST_COUNT);
        let parts = [
            at(FIRST, rest / VOWEL_COUNT),
            at(VOWELS, rest % VOWEL_COUNT),
            last.checked_sub(1).and_then(|last| at(LAST, last)),
        ];
        parts.into_iter().flatten()
    }

    /// Returns the syllable of two parts, or of a syllable without a last part and such a part.
    pub(super) fn composed(first: char, second: char) -> Option<char> {
        if let (Some(first), Some(vowel)) = (index(first, FIRST), index(second, VOWELS)) {
            return at(SYLLABLES, (first * VOWEL_COUNT + vowel) * LAST_COUNT);
        }
        let syllable = index(first, SYLLABLES).filter(|syllable| syllable % LAST_COUNT == 0)?;
        at(SYLLABLES, syllable + index(second, LAST)? + 1)
    }
}

/// Ranges of characters from a start to an end, both included, with a value for each range.
type Ranges = Vec<(char, char, u8)>;

fn in_ranges(ranges: &Ranges, character: char) -> Option<u8> {
    let after = ranges.partition_point(|(start, _, _)| *start <= character);
    let (_, end, value) = ranges.get(after.checked_sub(1)?)?;
    (character <= *end).then_some(*value)
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::read(include_bytes!("nfc.bin")));

/// What the form needs of Unicode's data, but for Hangul.
#[derive(Default)]
struct Tables {
    /// The characters with a canonical decomposition, in order, with the ends of their parts and whether they are composed again.
    decomposed: Vec<(char, u16, bool)>,
    /// The parts of these, one after the other. The first part of several may have parts itself.
    parts: Vec<char>,
    /// Pairs that are composed, sorted: the second character, the first one, and the result.
    pairs: Vec<(char, char, char)>,
    /// The combining classes that are not 0.
    classes: Ranges,
    marks: Ranges,
}

impl Tables {
    /// Reads the file: numbers of bytes with seven bits each, of which all but the last have the highest bit. Characters are
    /// differences.
    ///
    /// First, the number of decompositions, and for each: the difference of the character from the last one, four times the
    /// number of parts with 2 if they are composed again, and the parts, of which the first one is a difference as well. Then the
    /// number of ranges with a combining class, and for each: the difference of its start from the last end, its length
    /// and its class. Then the same for marks, without a class.
    fn read(bytes: &[u8]) -> Tables {
        let mut reader = Numbers(bytes.iter());
        let mut tables = Tables::default();
        let (mut last, mut first) = (0, 0);
        for _ in 0..reader.next() {
            last += reader.next();
            let kind = reader.next();
            let parts = tables.parts.len();
            let difference = reader.next();
            first = if difference % 2 == 0 { first + difference / 2 } else { first - difference / 2 };
            tables.parts.push(character(first));
            for _ in 1..kind / 4 {
                tables.parts.push(character(reader.next()));
            }
            let (whole, is_composed) = (character(last), kind & 2 != 0);
            if let ([first, second], true) = (&tables.parts[parts..], is_composed) {
                tables.pairs.push((*second, *first, whole));
            }
            tables.decomposed.push((whole, tables.parts.len() as u16, is_composed));
        }
        tables.pairs.sort_unstable();
        for has_class in [true, false] {
            let mut last = 0;
            let mut ranges = Vec::new();
            for _ in 0..reader.next() {
                let start = last + reader.next();
                last = start + reader.next();
                let class = if has_class { reader.next() as u8 } else { 0 };
                ranges.push((character(start), character(last), class));
            }
            *(if has_class { &mut tables.classes } else { &mut tables.marks }) = ranges;
        }
        tables
    }

    /// Returns the parts of a character with a decomposition.
    fn parts(&self, character: char) -> Option<&[char]> {
        let at = self.decomposed.binary_search_by_key(&character, |(whole, _, _)| *whole).ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.decomposed[before].1);
        Some(&self.parts[usize::from(start)..usize::from(self.decomposed[at].1)])
    }

    /// Returns true if a character is never or not always in the form: it is not composed again, or its start may be
    /// composed with a character before it.
    fn may_change(&self, character: char) -> bool {
        let mut first = character;
        while let Ok(at) = self.decomposed.binary_search_by_key(&first, |(whole, _, _)| *whole) {
            let (_, end, is_composed) = self.decomposed[at];
            if !is_composed {
                return true;
            }
            // Those that are composed again have two parts.
            first = self.parts[usize::from(end) - 2];
        }
        let at = self.pairs.partition_point(|(second, _, _)| *second < first);
        let is_second = self.pairs.get(at).is_some_and(|(second, _, _)| *second == first);
        is_second || hangul::VOWELS.contains(&first) || hangul::LAST.contains(&first)
    }
}

/// Numbers of a file. There are none after its end.
struct Numbers<'b>(std::slice::Iter<'b, u8>);

impl Numbers<'_> {
    fn next(&mut self) -> u32 {
        let mut number = 0;
        for (place, byte) in self.0.by_ref().enumerate() {
            number |= u32::from(byte & 127) << (7 * place);
            if *byte < 128 {
                break;
            }
        }
        number
    }
}

fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or_default()
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
        let class = combining_class(character);
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
    use super::*;
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char as package;

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

    /// The file as it should be, by the package.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        let all = || ('\u{80}'..=char::MAX).filter(|c| !hangul::SYLLABLES.contains(c));
        let parts = |c: char| {
            let mut parts = Vec::new();
            package::decompose_canonical(c, |part| parts.push(part));
            parts
        };
        let has_parts: Vec<char> = all().filter(|&c| parts(c) != [c]).collect();
        number(has_parts.len() as u32, &mut bytes);
        let (mut last, mut first) = (0, 0);
        for c in has_parts {
            let mut parts = parts(c);
            let composed = parts.split_last().filter(|(_, before)| !before.is_empty()).and_then(|(last, before)| {
                let first = before[1..].iter().try_fold(before[0], |first, part| package::compose(first, *part))?;
                (package::compose(first, *last) == Some(c)).then_some([first, *last])
            });
            if let Some(pair) = composed {
                parts = pair.to_vec();
            }
            number(u32::from(c) - last, &mut bytes);
            last = u32::from(c);
            number(4 * parts.len() as u32 + if composed.is_some() { 2 } else { 0 }, &mut bytes);
            let fresh = u32::from(parts[0]);
            number(2 * fresh.abs_diff(first) + u32::from(fresh < first), &mut bytes);
            first = fresh;
            parts[1..].iter().for_each(|part| number(u32::from(*part), &mut bytes));
        }
        for class in [true, false] {
            let value = |c: char| {
                if class { package::canonical_combining_class(c) } else { package::is_combining_mark(c).into() }
            };
            let mut ranges: Ranges = Vec::new();
            for c in all().filter(|&c| value(c) != 0) {
                match ranges.last_mut() {
                    Some((_, end, known)) if u32::from(*end) + 1 == u32::from(c) && *known == value(c) => *end = c,
                    _ => ranges.push((c, c, value(c))),
                }
            }
            number(ranges.len() as u32, &mut bytes);
            let mut last = 0;
            for (start, end, value) in ranges {
                number(u32::from(start) - last, &mut bytes);
                number(u32::from(end) - u32::from(start), &mut bytes);
                last = u32::from(end);
                if class {
                    number(value.into(), &mut bytes);
                }
            }
        }
        bytes
    }

    fn number(mut number: u32, bytes: &mut Vec<u8>) {
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    #[test]
    fn the_file_has_the_data_of_the_package() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/nfc.bin");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, file()).unwrap();
        }
        assert!(std::fs::read(path).unwrap() == file(), "write src/nfc.bin with UPDATE_GOLDEN=1");
    }

    #[test]
    fn every_character_is_as_in_the_package() {
        let seconds: Vec<char> =
            TABLES.pairs.iter().map(|(second, _, _)| *second).chain(hangul::VOWELS).chain(hangul::LAST).collect();
        for character in '\0'..=char::MAX {
            assert_eq!(
                combining_class(character),
                package::canonical_combining_class(character),
                "U+{:X}",
                character as u32
            );
            assert_eq!(is_mark(character), package::is_combining_mark(character), "U+{:X}", character as u32);
            let text = character.to_string();
            let is_known =
                unicode_normalization::is_nfc_quick(text.chars()) == unicode_normalization::IsNormalized::Yes;
            assert_eq!(is_normalized(&text), is_known, "U+{:X}", character as u32);
        }
        for first in TABLES.pairs.iter().map(|(_, first, _)| *first).chain(['가', '각', 'ᄀ', 'x']) {
            for &second in &seconds {
                assert_eq!(compose(first, second), package::compose(first, second), "{first:?} and {second:?}");
            }
        }
    }
}
