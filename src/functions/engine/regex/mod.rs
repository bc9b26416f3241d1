//! Regular expressions with Go's syntax.
//!
//! The syntax is RE2's: no backreferences, no lookaround, and a search takes time in proportion to the text. We parse
//! it ourselves, because other parsers differ in the content of classes and in what is an error, and run the result
//! with regex-automata.

mod class;
mod cost;
mod error;
mod parse;
mod scan;

use std::sync::{Arc, Mutex, OnceLock};

use regex_automata::util::captures::Captures;
use regex_automata::util::iter::Searcher;
use regex_automata::{Input, meta};
use regex_syntax::hir::Hir;

pub(crate) use error::PatternError;

use crate::limits::{Account, Exceeded};
use crate::stack::with_room_for;
use cost::Cost;
use error::RegexError;
use scan::{End, Scanner};

/// The largest compiled form of a pattern in bytes.
const MAX_SIZE: usize = 64 << 20;

/// The levels of a value that take as much of the stack as a group does: it has up to four inner levels (alternatives,
/// their parts, a repetition, and itself), and the matcher uses large frames for each.
const MAX_LEVELS: u32 = 32;

/// The number of compiled patterns that are cached, and the largest size of one.
const MAX_KEPT: usize = 16;
const MAX_KEPT_SIZE: usize = 1 << 20;

/// The number of positions of a pattern that are visited in a step, once for each byte.
const PLACES_IN_A_STEP: u64 = 16;

/// The number of ends of groups whose copying takes as long as visiting a position.
const ENDS_OF_GROUPS: u64 = 4;

/// A search for matches of up to this number of bytes is charged as if it always examined that many beyond the match.
const SHORT: usize = 64;

/// A pattern, ready to search with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Regex(Arc<Compiled>);

struct Compiled {
    pattern: String,
    regex: meta::Regex,
    groups: Vec<Option<String>>,
    /// The steps that it takes to compile the pattern.
    steps: u64,
    /// The number of positions of the pattern at which a search may be at the same time.
    places: u64,
    hir: Hir,
    depth: usize,
    /// The largest number of bytes in a match, if that is bounded.
    longest: Option<usize>,
    /// Counts the bytes that a search examines; created on demand.
    scanner: OnceLock<Option<Scanner>>,
}

/// The ranges that a pattern and its groups have matched.
pub(crate) struct Match<'t> {
    text: &'t str,
    captures: Captures,
}

impl<'t> Match<'t> {
    /// Returns the text of a group, counted from 1; 0 is the whole match.
    pub fn group(&self, index: usize) -> Option<&'t str> {
        self.captures.get_group(index).map(|span| &self.text[span.range()])
    }
}

impl Regex {
    /// Compiles a pattern, or takes it from the cache. The charge is the same for both.
    ///
    /// # Errors
    /// The pattern is not a regular expression, is too large, or takes too much work to compile.
    pub fn new(pattern: &str, account: &Account) -> Result<Regex, PatternError> {
        static RECENT: Mutex<Vec<Regex>> = Mutex::new(Vec::new());
        let kept = RECENT.lock().ok().and_then(|mut recent| {
            let at = recent.iter().position(|regex| regex.0.pattern == pattern)?;
            let regex = recent.remove(at);
            recent.push(regex.clone());
            Some(regex)
        });
        if let Some(regex) = kept {
            account.steps(regex.0.steps)?;
            return Ok(regex);
        }
        let regex = Regex(Arc::new(compile(pattern, account)?));
        if regex.0.regex.memory_usage() <= MAX_KEPT_SIZE
            && let Ok(mut recent) = RECENT.lock()
        {
            if recent.len() >= MAX_KEPT {
                recent.remove(0);
            }
            recent.push(regex.clone());
        }
        Ok(regex)
    }

    /// The names of the groups, those that have one.
    pub fn groups(&self) -> &[Option<String>] {
        &self.0.groups
    }

    /// The first match.
    pub fn find<'t>(&self, text: &'t str, account: &Account) -> Result<Option<Match<'t>>, Exceeded> {
        self.charge(text.len(), account)?;
        let mut captures = self.0.regex.create_captures();
        self.0.regex.captures(text, &mut captures);
        Ok(captures.is_match().then_some(Match { text, captures }))
    }

    /// Charges a search that examines a number of bytes. Each byte may visit each position of the pattern, with the
    /// ends of all groups so far.
    fn charge(&self, bytes: usize, account: &Account) -> Result<(), Exceeded> {
        let ends = 2 * self.groups().len() as u64;
        let places = self.0.places + self.0.places.saturating_mul(ends) / (ENDS_OF_GROUPS * PLACES_IN_A_STEP);
        account.steps(1 + (bytes as u64).saturating_mul(places) / PLACES_IN_A_STEP)
    }

    /// Calls a function with all matches that do not overlap, from left to right. Each search is charged before it
    /// runs, so that the limits apply between one match and the next.
    pub fn each_match<'t>(
        &self,
        text: &'t str,
        account: &Account,
        mut each: impl FnMut(Match<'t>) -> Result<(), Exceeded>,
    ) -> Result<(), Exceeded> {
        // All searches together pass through the text once. The bytes that each examines beyond its match are charged
        // separately.
        self.charge(text.len(), account)?;
        let short = self.0.longest.filter(|&longest| longest <= SHORT);
        let scanner = match short {
            Some(_) => None,
            None => {
                account.steps(self.0.steps / 2)?;
                self.scanner()
            }
        };
        let mut cache = scanner.map(Scanner::cache);
        let mut searcher = Searcher::new(Input::new(text));
        loop {
            let mut captures = self.0.regex.create_captures();
            let mut charged = Ok(());
            let mut search = |input: &Input<'_>| {
                let from = input.start();
                let end = match (short, scanner, &mut cache) {
                    (Some(longest), ..) => {
                        self.charge(longest, account)?;
                        text.len()
                    }
                    (None, Some(scanner), Some(cache)) => match scanner.end(cache, text, from, account)? {
                        End::Nowhere => return Ok(None),
                        End::At(end) => end,
                        End::Unknown => self.charge_all(text, from, account)?,
                    },
                    _ => self.charge_all(text, from, account)?,
                };
                self.0.regex.search_captures(&input.clone().range(from..end), &mut captures);
                Ok(captures.get_match())
            };
            let found = searcher.advance(|input| {
                Ok(search(input).unwrap_or_else(|exceeded| {
                    charged = Err(exceeded);
                    None
                }))
            });
            charged?;
            if found.is_none() {
                return Ok(());
            }
            each(Match { text, captures })?;
        }
    }

    /// Charges a search that may examine the rest of a text, and returns the end of the text.
    fn charge_all(&self, text: &str, from: usize, account: &Account) -> Result<usize, Exceeded> {
        self.charge(text.len() - from.min(text.len()), account)?;
        Ok(text.len())
    }

    fn scanner(&self) -> Option<&Scanner> {
        let Compiled { scanner, hir, depth, .. } = &*self.0;
        scanner.get_or_init(|| with_room_for(MAX_LEVELS * *depth as u32, || Scanner::new(hir))).as_ref()
    }

    /// Returns the text with all matches replaced. In the replacement, `$1`, `$name` and `${name}` are groups, and `$$`
    /// is a dollar sign.
    pub fn replace_all(&self, text: &str, replacement: &str, account: &Account) -> Result<String, Exceeded> {
        let mut replaced = String::new();
        let mut end = 0;
        // Each reference to a group is parsed, and may be compared with the names of all groups.
        let references = memchr::memchr_iter(b'$', replacement.as_bytes()).count() as u64;
        let looked_up = references.saturating_mul(1 + self.groups().len() as u64 / 4);
        self.each_match(text, account, |found| {
            let Some(whole) = found.captures.get_match() else { return Ok(()) };
            replaced.push_str(&text[end..whole.start()]);
            end = whole.end();
            // Each reference, of at least two bytes, may expand to the whole match.
            let longest = (replacement.len() / 2).saturating_mul(whole.len()).saturating_add(replacement.len());
            account.steps(1 + longest as u64 / 64 + looked_up)?;
            account.more_text(replaced.len(), longest)?;
            self.expand(replacement, &found, &mut replaced);
            Ok(())
        })?;
        replaced.push_str(&text[end..]);
        Ok(replaced)
    }

    fn expand(&self, template: &str, found: &Match<'_>, to: &mut String) {
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            to.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('$') {
                to.push('$');
                rest = after;
                continue;
            }
            match reference(rest) {
                Some((name, after)) => {
                    to.push_str(self.group_named(name, found));
                    rest = after;
                }
                None => to.push('$'),
            }
        }
        to.push_str(rest);
    }

    /// Returns the text of a group by its number, or of the first matched group of a name.
    fn group_named<'t>(&self, name: &str, found: &Match<'t>) -> &'t str {
        let numbered = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
        let text = match numbered {
            true => name.parse().ok().and_then(|index| found.group(index)),
            false => {
                let named = self.groups().iter().enumerate().filter(|(_, group)| group.as_deref() == Some(name));
                named.into_iter().find_map(|(at, _)| found.group(at + 1))
            }
        };
        text.unwrap_or_default()
    }
}

/// Reads the name after a dollar sign. Returns it with the rest of the text.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (braced, inner) = text.strip_prefix('{').map_or((false, text), |inner| (true, inner));
    let length = inner.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(inner.len());
    let (name, after) = inner.split_at(length);
    if name.is_empty() {
        return None;
    }
    match braced {
        true => Some((name, after.strip_prefix('}')?)),
        false => Some((name, after)),
    }
}

fn compile(pattern: &str, account: &Account) -> Result<Compiled, PatternError> {
    let mut cost = Cost::new(account)?;
    let parse::Parsed { hir, groups, depth, size } = parse::parse(pattern, &mut cost)?;
    cost.compile(size)?;
    cost.groups(size, groups.len())?;
    let config = meta::Config::new().nfa_size_limit(Some(MAX_SIZE)).onepass_size_limit(Some(MAX_SIZE));
    let build = || meta::Builder::new().configure(config).build_from_hir(&hir).ok();
    let Some(regex) = with_room_for(MAX_LEVELS * depth as u32, build) else {
        return Err(RegexError::new(pattern, "the expression is too large").into());
    };
    // A large automaton is not cached, so each use of the pattern costs the same.
    let bytes = regex.memory_usage();
    if bytes > MAX_KEPT_SIZE {
        account.bytes(bytes as u64)?;
    }
    let (steps, places) = (cost.steps(), size.places);
    let (longest, scanner) = (hir.properties().maximum_len(), OnceLock::new());
    Ok(Compiled { pattern: pattern.to_owned(), regex, groups, steps, places, hir, depth, longest, scanner })
}

#[cfg(test)]
mod tests;
