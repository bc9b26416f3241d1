//! Character classes: Go's Perl and POSIX classes are ASCII, its Unicode classes are categories and scripts.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A set of code points. Patterns may contain surrogates, which never occur in texts.
#[derive(Clone, Debug)]
pub(super) struct CharSet(ClassUnicode);

impl Default for CharSet {
    fn default() -> Self {
        CharSet(ClassUnicode::empty())
    }
}

impl CharSet {
    pub fn range(&mut self, first: u32, last: u32) {
        for (low, high) in [(first, last.min(0xD7FF)), (first.max(0xE000), last)] {
            if low <= high
                && let (Some(low), Some(high)) = (char::from_u32(low), char::from_u32(high))
            {
                self.0.push(ClassUnicodeRange::new(low, high));
            }
        }
    }

    /// Returns the maximum number of byte ranges of its characters.
    pub fn ranges(&self) -> u64 {
        let ranges = self.0.iter().map(|range| {
            // Each additional length in UTF-8 adds several ranges.
            1 + 3 * (range.end().len_utf8() - range.start().len_utf8()) as u64
        });
        ranges.sum()
    }

    /// With all other spellings of its letters.
    pub fn folded(mut self, fold: bool) -> Self {
        if fold {
            self.0.case_fold_simple();
        }
        self
    }

    pub fn negated(mut self, negate: bool) -> Self {
        if negate {
            self.0.negate();
        }
        self
    }

    pub fn into_class(self) -> Class {
        Class::Unicode(self.0)
    }

    fn of(ranges: &[(u8, u8)]) -> CharSet {
        let mut set = CharSet::default();
        for (first, last) in ranges {
            set.range(u32::from(*first), u32::from(*last));
        }
        set
    }
}

/// The ranges of a class in brackets while it is read. They are sorted once, at the end: keeping them sorted would take
/// quadratic time.
#[derive(Default)]
pub(super) struct Ranges(Vec<ClassUnicodeRange>);

impl Ranges {
    pub fn add(&mut self, set: CharSet) {
        self.0.extend(set.0.iter().copied());
    }

    pub fn finished(self) -> CharSet {
        CharSet(ClassUnicode::new(self.0))
    }
}

/// Returns the class of `\d`, `\s` or `\w`, without its sign.
pub(super) fn perl(letter: char) -> Option<CharSet> {
    Some(match letter {
        'd' => CharSet::of(&[(b'0', b'9')]),
        's' => CharSet::of(&[(b'\t', b'\n'), (b'\x0c', b'\r'), (b' ', b' ')]),
        'w' => CharSet::of(&[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')]),
        _ => return None,
    })
}

/// The class of `[:name:]`.
pub(super) fn posix(name: &str) -> Option<CharSet> {
    Some(CharSet::of(match name {
        "alnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "alpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "ascii" => &[(0, 0x7F)],
        "blank" => &[(b'\t', b'\t'), (b' ', b' ')],
        "cntrl" => &[(0, 0x1F), (0x7F, 0x7F)],
        "digit" => &[(b'0', b'9')],
        "graph" => &[(b'!', b'~')],
        "lower" => &[(b'a', b'z')],
        "print" => &[(b' ', b'~')],
        "punct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "space" => &[(b'\t', b'\r'), (b' ', b' ')],
        "upper" => &[(b'A', b'Z')],
        "word" => &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
        "xdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    }))
}

/// The class of `\p{name}`: a category or a script.
pub(super) fn unicode(name: &str) -> Option<CharSet> {
    let plain: String = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).collect::<String>().to_lowercase();
    match plain.as_str() {
        "any" => return Some(CharSet::default().negated(true)),
        "ascii" => return posix("ascii"),
        // No text has them in it.
        "cs" | "surrogate" => return Some(CharSet::default()),
        _ => {}
    }
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    ["gc", "sc"].iter().find_map(|property| {
        let hir = regex_syntax::parse(&format!("\\p{{{property}={plain}}}")).ok()?;
        match hir.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Some(CharSet(class)),
            // A class of one character is a literal.
            HirKind::Literal(literal) => {
                let mut set = CharSet::default();
                let only = u32::from(std::str::from_utf8(&literal.0).ok()?.chars().next()?);
                set.range(only, only);
                Some(set)
            }
            _ => None,
        }
    })
}
