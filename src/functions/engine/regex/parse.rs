//! Parses patterns in Go's syntax (that of RE2) for the matcher.

use regex_syntax::hir::{Capture, Hir, Look, Repetition};

use super::class::{self, CharSet, Ranges};
use super::cost::{Cost, OPTIONAL, Size};
use super::error::{PatternError, RegexError};

/// The largest number of repetitions, multiplied by those of enclosing repetitions.
const MAX_REPETITIONS: u64 = 1_000;

/// The nesting limit of groups.
pub(super) const MAX_DEPTH: usize = 1_000;

/// The result of parsing a pattern.
pub(super) struct Parsed {
    pub hir: Hir,
    /// The names of its groups, in the order of their opening brackets.
    pub groups: Vec<Option<String>>,
    /// The depth of its groups.
    pub depth: usize,
    /// Its size with all repetitions written out.
    pub size: Size,
}

/// Reads a pattern, and charges each part of it when it is read.
pub(super) fn parse(pattern: &str, cost: &mut Cost<'_>) -> Result<Parsed, PatternError> {
    let mut parser = Parser {
        cost,
        pattern,
        at: 0,
        flags: Flags::default(),
        open: Vec::new(),
        level: Level::default(),
        groups: Vec::new(),
        depth: 0,
    };
    parser.run()?;
    if let Some(group) = parser.open.last() {
        return Err(RegexError::new(&pattern[group.start..], "the group is not closed; add a `)`").into());
    }
    let Item { hir, size, .. } = parser.level.finished();
    Ok(Parsed { hir, groups: parser.groups, depth: parser.depth, size })
}

#[derive(Clone, Copy, Default)]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
    swap_greed: bool,
}

struct Item {
    hir: Hir,
    /// The number of repetitions of its most repeated part, by counted repetitions.
    weight: u64,
    size: Size,
}

/// An open group: its alternatives, the last one unfinished.
#[derive(Default)]
struct Level {
    alternatives: Vec<Item>,
    items: Vec<Item>,
}

impl Level {
    fn push(&mut self, hir: Hir, size: Size) {
        self.items.push(Item { hir, weight: 1, size });
    }

    fn end_alternative(&mut self) {
        let items = std::mem::take(&mut self.items);
        let weight = items.iter().map(|item| item.weight).max().unwrap_or(1);
        let size = items.iter().fold(Size::ONE, |size, item| size.and(item.size));
        let hir = Hir::concat(items.into_iter().map(|item| item.hir).collect());
        self.alternatives.push(Item { hir, weight, size });
    }

    fn finished(mut self) -> Item {
        self.end_alternative();
        let weight = self.alternatives.iter().map(|item| item.weight).max().unwrap_or(1);
        let size = self.alternatives.iter().fold(Size::default(), |size, item| size.and(item.size));
        Item { hir: Hir::alternation(self.alternatives.into_iter().map(|item| item.hir).collect()), weight, size }
    }
}

struct Group {
    start: usize,
    around: Level,
    flags: Flags,
    capture: Option<u32>,
}

struct Parser<'p, 'c, 'a> {
    cost: &'c mut Cost<'a>,
    pattern: &'p str,
    at: usize,
    flags: Flags,
    open: Vec<Group>,
    level: Level,
    groups: Vec<Option<String>>,
    depth: usize,
}

/// The number of repetitions: the minimum, and the maximum if there is one.
type Count = (u32, Option<u32>);

impl<'p> Parser<'p, '_, '_> {
    fn rest(&self) -> &'p str {
        &self.pattern[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    fn wrong<T>(&self, start: usize, why: &'static str) -> Result<T, PatternError> {
        Err(RegexError::new(&self.pattern[start..self.at], why).into())
    }

    fn look(&mut self, look: Look) {
        self.level.push(Hir::look(look), Size::ONE);
    }

    /// Adds a class, with other spellings of its letters if those match, too.
    fn set(&mut self, set: CharSet) {
        let size = Size { places: 1, ranges: set.ranges() };
        self.level.push(Hir::class(set.into_class()), size);
    }

    fn run(&mut self) -> Result<(), PatternError> {
        // The start of the repetition just read, which cannot be repeated itself.
        let mut repeated = None;
        loop {
            let start = self.at;
            let before = repeated.take();
            let Some(next) = self.next() else { return Ok(()) };
            self.cost.item()?;
            match next {
                '(' => self.group(start)?,
                ')' => self.close(start)?,
                '|' => self.level.end_alternative(),
                '^' => self.look(if self.flags.multi_line { Look::StartLF } else { Look::Start }),
                '$' => self.look(if self.flags.multi_line { Look::EndLF } else { Look::End }),
                '.' => {
                    let mut excluded = CharSet::default();
                    if !self.flags.dot_newline {
                        excluded.range(0x0A, 0x0A);
                    }
                    self.set(excluded.negated(true));
                }
                '[' => {
                    let class = self.class(start)?;
                    self.set(class);
                }
                '*' | '+' | '?' | '{' => {
                    let count = match next {
                        '*' => Some((0, None)),
                        '+' => Some((1, None)),
                        '?' => Some((0, Some(1))),
                        _ => self.count(start)?,
                    };
                    match count {
                        Some(count) => {
                            self.repeat(start, before, count, next == '{')?;
                            repeated = Some(before.unwrap_or(start));
                        }
                        None => self.literal('{'),
                    }
                }
                '\\' => self.escaped(start)?,
                literal => self.literal(literal),
            }
        }
    }

    fn literal(&mut self, literal: char) {
        self.code_point(u32::from(literal));
    }

    fn code_point(&mut self, code: u32) {
        let mut set = CharSet::default();
        set.range(code, code);
        self.set(set.folded(self.flags.fold));
    }

    /// After `(`.
    fn group(&mut self, start: usize) -> Result<(), PatternError> {
        let flags = self.flags;
        let mut capture = None;
        if self.eat("?P<")
            || (self.rest().starts_with("?<")
                && !self.rest().starts_with("?<=")
                && !self.rest().starts_with("?<!")
                && self.eat("?<"))
        {
            let Some(length) = self.rest().find('>') else {
                self.at = self.pattern.len();
                return self.wrong(start, "the name of the group is not closed; write (?P<name>…)");
            };
            let name = &self.rest()[..length];
            self.at += length + 1;
            if name.is_empty() || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                return self.wrong(start, "the name of a group consists of letters, digits and `_`");
            }
            self.groups.push(Some(name.to_owned()));
            capture = Some(self.groups.len() as u32);
        } else if self.eat("?") {
            if !self.group_flags(start)? {
                return Ok(());
            }
        } else {
            self.groups.push(None);
            capture = Some(self.groups.len() as u32);
        }
        if self.open.len() >= MAX_DEPTH {
            return self.wrong(start, "groups nest too deeply here");
        }
        let around = std::mem::take(&mut self.level);
        self.open.push(Group { start, around, flags, capture });
        self.depth = self.depth.max(self.open.len());
        Ok(())
    }

    /// Reads the rest of a group after `(?`. Returns true if a group begins; otherwise the flags apply to the rest of
    /// this group.
    fn group_flags(&mut self, start: usize) -> Result<bool, PatternError> {
        let mut flags = self.flags;
        let (mut on, mut any) = (true, false);
        loop {
            let next = self.next();
            let flag = match next {
                Some('i') => &mut flags.fold,
                Some('m') => &mut flags.multi_line,
                Some('s') => &mut flags.dot_newline,
                Some('U') => &mut flags.swap_greed,
                Some('-') if on => {
                    (on, any) = (false, false);
                    continue;
                }
                Some(':' | ')') if on || any => {
                    self.flags = flags;
                    return Ok(next == Some(':'));
                }
                Some('=' | '!' | '<') => return self.wrong(start, "lookahead and lookbehind are not supported"),
                _ => return self.wrong(start, "this does not begin a group; the flags are i, m, s and U"),
            };
            *flag = on;
            any = true;
        }
    }

    fn close(&mut self, start: usize) -> Result<(), PatternError> {
        let Some(group) = self.open.pop() else {
            return self.wrong(start, "it has no matching `(`; for a literal bracket write `\\)`");
        };
        let Item { hir, weight, size } = std::mem::replace(&mut self.level, group.around).finished();
        let hir = match group.capture {
            Some(index) => {
                // We look up names ourselves, because several groups may have the same name.
                Hir::capture(Capture { index, name: None, sub: Box::new(hir) })
            }
            None => hir,
        };
        self.flags = group.flags;
        self.level.items.push(Item { hir, weight, size });
        Ok(())
    }

    /// Reads the count after `{`; `None` if it is a literal brace.
    fn count(&mut self, start: usize) -> Result<Option<Count>, PatternError> {
        let mark = self.at;
        let read = |parser: &mut Self| -> Option<u64> {
            let digits = parser.rest().len() - parser.rest().trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let text = &parser.rest()[..digits];
            parser.at += digits;
            let fine = !text.is_empty() && (text.len() == 1 || !text.starts_with('0'));
            fine.then(|| text.parse().unwrap_or(u64::MAX))
        };
        let counts = (|| {
            let least = read(self)?;
            let most = match self.eat(",") {
                false => Some(least),
                true if self.rest().starts_with('}') => None,
                true => Some(read(self)?),
            };
            self.eat("}").then_some((least, most))
        })();
        let Some((least, most)) = counts else {
            self.at = mark;
            return Ok(None);
        };
        if least.max(most.unwrap_or(0)) > MAX_REPETITIONS || most.is_some_and(|most| most < least) {
            return self.wrong(start, "a repetition is counted from 0 to 1,000, the smaller number first");
        }
        Ok(Some((least as u32, most.map(|most| most as u32))))
    }

    fn repeat(
        &mut self,
        start: usize,
        before: Option<usize>,
        (min, max): Count,
        counted: bool,
    ) -> Result<(), PatternError> {
        let lazy = self.eat("?");
        if let Some(before) = before {
            return self.wrong(before, "a repetition cannot be repeated; put the first one into (?:…)");
        }
        let Some(Item { hir, weight, size }) = self.level.items.pop() else {
            return self.wrong(start, "there is nothing before it to repeat");
        };
        let mut repeated = weight;
        if counted {
            repeated = match max {
                Some(0) => 0,
                most => weight.saturating_mul(u64::from(most.unwrap_or(min)).max(1)),
            };
            if (min >= 2 || max.is_some_and(|max| max >= 2)) && repeated > MAX_REPETITIONS {
                return self.wrong(start, "in total this is more than 1,000 repetitions");
            }
        }
        if min == 0 {
            self.cost.add(OPTIONAL)?;
        }
        let greedy = lazy == self.flags.swap_greed;
        let hir = Hir::repetition(Repetition { min, max, greedy, sub: Box::new(hir) });
        let count = u64::from(max.unwrap_or(min)).max(u64::from(min)).max(1);
        let size = size.and(Size::ONE).times(count);
        self.level.items.push(Item { hir, weight: repeated, size });
        Ok(())
    }

    /// After `\`, outside brackets.
    fn escaped(&mut self, start: usize) -> Result<(), PatternError> {
        let look = match self.rest().chars().next() {
            Some('A') => Look::Start,
            Some('z') => Look::End,
            Some('b') => Look::WordAscii,
            Some('B') => Look::WordAsciiNegate,
            Some('Q') => {
                self.at += 1;
                let literal = self.rest().split("\\E").next().unwrap_or_default();
                self.at += literal.len();
                self.eat("\\E");
                for c in literal.chars() {
                    self.cost.item()?;
                    self.literal(c);
                }
                return Ok(());
            }
            _ => {
                match self.class_escape(start)? {
                    Some(class) => self.set(class),
                    None => {
                        let code = self.escape(start)?;
                        self.code_point(code);
                    }
                }
                return Ok(());
            }
        };
        self.at += 1;
        self.look(look);
        Ok(())
    }

    /// After `\`: a class such as `\d` or `\pL`.
    fn class_escape(&mut self, start: usize) -> Result<Option<CharSet>, PatternError> {
        let Some(letter) = self.rest().chars().next() else { return Ok(None) };
        if let Some(set) = class::perl(letter.to_ascii_lowercase()) {
            self.at += 1;
            return Ok(Some(set.folded(self.flags.fold).negated(letter.is_ascii_uppercase())));
        }
        if !matches!(letter, 'p' | 'P') {
            return Ok(None);
        }
        self.at += 1;
        let mut negate = letter == 'P';
        let mut name = match self.next() {
            Some('{') => {
                let Some(length) = self.rest().find('}') else {
                    self.at = self.pattern.len();
                    return self.wrong(start, "the name of the class is not closed; write \\p{Name}");
                };
                let name = &self.rest()[..length];
                self.at += length + 1;
                name
            }
            Some(letter) => &self.pattern[self.at - letter.len_utf8()..self.at],
            None => return self.wrong(start, "the name of a class is missing, as in \\pL or \\p{Greek}"),
        };
        if let Some(rest) = name.strip_prefix('^') {
            (negate, name) = (!negate, rest);
        }
        self.cost.class_by_name(self.flags.fold)?;
        match class::unicode(name) {
            Some(set) => Ok(Some(set.folded(self.flags.fold).negated(negate))),
            None => self.wrong(start, "there is no category or script of characters with this name"),
        }
    }

    /// After `\`: one character, by its code point.
    fn escape(&mut self, start: usize) -> Result<u32, PatternError> {
        let unknown = "there is no such escape sequence; for a literal backslash write `\\\\`";
        let Some(next) = self.next() else {
            return self.wrong(start, "nothing follows the backslash; for a literal one write `\\\\`");
        };
        let code = match next {
            'a' => 0x07,
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            'x' => return self.hexadecimal(start),
            '0'..='7' => {
                let octal = |parser: &Self| parser.rest().chars().next().and_then(|c| c.to_digit(8));
                let mut code = u32::from(next) - 0x30;
                if code > 0 && octal(self).is_none() {
                    return self.wrong(start, "references to groups are not supported");
                }
                for _ in 0..2 {
                    let Some(digit) = octal(self) else { break };
                    self.at += 1;
                    code = code * 8 + digit;
                }
                code
            }
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => u32::from(c),
            _ => return self.wrong(start, unknown),
        };
        Ok(code)
    }

    /// After `\x`.
    fn hexadecimal(&mut self, start: usize) -> Result<u32, PatternError> {
        let why = "a character is written \\x7F or \\x{10FFFF}";
        let digits = if self.eat("{") {
            let Some(length) = self.rest().find('}') else { return self.wrong(start, why) };
            let digits = &self.rest()[..length];
            self.at += length + 1;
            digits
        } else {
            let digits = self.rest().get(..2).unwrap_or_default();
            self.at += digits.len();
            if digits.is_empty() {
                return self.wrong(start, why);
            }
            digits
        };
        let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(code) if valid && code <= 0x10_FFFF => Ok(code),
            _ => self.wrong(start, why),
        }
    }

    /// After `[`.
    fn class(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let negate = self.eat("^");
        let mut set = Ranges::default();
        let mut first = true;
        while first || !self.rest().starts_with(']') {
            first = false;
            if self.rest().is_empty() {
                return self.wrong(start, "the class is not closed; add a `]`");
            }
            self.cost.item()?;
            let item = self.at;
            if self.rest().starts_with("[:")
                && let Some(length) = self.rest()[2..].find(":]")
            {
                let name = &self.rest()[2..2 + length];
                self.at += length + 4;
                let (plain, negate) = name.strip_prefix('^').map_or((name, false), |plain| (plain, true));
                let Some(named) = class::posix(plain) else {
                    return self.wrong(item, "there is no class of this name");
                };
                set.add(named.folded(self.flags.fold).negated(negate));
                continue;
            }
            if self.rest().starts_with('\\') {
                self.at += 1;
                if let Some(class) = self.class_escape(item)? {
                    set.add(class);
                    continue;
                }
                self.at = item;
            }
            let low = self.class_character()?;
            let mut high = low;
            if self.rest().starts_with('-') && self.rest().len() > 1 && !self.rest().starts_with("-]") {
                self.at += 1;
                high = self.class_character()?;
                if high < low {
                    return self.wrong(item, "the ends of the range are in the wrong order");
                }
            }
            let mut range = CharSet::default();
            range.range(low, high);
            self.cost.folded_range(low, high, self.flags.fold)?;
            set.add(range.folded(self.flags.fold));
        }
        self.at += 1;
        Ok(set.finished().negated(negate))
    }

    fn class_character(&mut self) -> Result<u32, PatternError> {
        let start = self.at;
        match self.next() {
            Some('\\') => self.escape(start),
            Some(c) => Ok(u32::from(c)),
            None => self.wrong(start, "the class is not closed; add a `]`"),
        }
    }
}
