//! Regular expressions as Go reads them.
//!
//! The syntax is RE2's: no references to groups, no looking around, and a search takes time in
//! proportion to the text. We read it ourselves, since other readers differ in what classes contain
//! and what is an error, and have regex-automata run what we read.

mod class;
mod error;
mod parse;

use crate::limits::{Account, Exceeded};
use std::sync::{Arc, Mutex};

use regex_automata::meta;
use regex_automata::util::captures::Captures;

pub(crate) use error::RegexError;

use crate::stack::with_room_for;

/// How large the compiled form of a pattern may be, in bytes.
const MAX_SIZE: usize = 10 << 20;

/// How many levels of a value take as much of the stack as a group does: it has up to four levels in it
/// (alternatives, their parts, a repetition, and itself), each of which the matcher walks in large steps.
const MAX_LEVELS: u32 = 32;

/// How many patterns are kept compiled, and how large one may be for that.
const MAX_KEPT: usize = 16;
const MAX_KEPT_SIZE: usize = 1 << 20;

/// A pattern, ready to search with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Regex(Arc<Compiled>);

struct Compiled {
    pattern: String,
    regex: meta::Regex,
    groups: Vec<Option<String>>,
}

/// Where a pattern and its groups have matched.
pub(crate) struct Found<'t> {
    text: &'t str,
    captures: Captures,
}

impl<'t> Found<'t> {
    /// The text of a group, counted from 1, or with 0 of the whole match.
    pub fn group(&self, index: usize) -> Option<&'t str> {
        self.captures.get_group(index).map(|span| &self.text[span.range()])
    }
}

impl Regex {
    /// Compiles a pattern, or takes it from those that were used just now.
    ///
    /// # Errors
    /// What is not a regular expression, or too large.
    pub fn new(pattern: &str) -> Result<Regex, RegexError> {
        static RECENT: Mutex<Vec<Regex>> = Mutex::new(Vec::new());
        if let Ok(mut recent) = RECENT.lock()
            && let Some(at) = recent.iter().position(|regex| regex.0.pattern == pattern)
        {
            let regex = recent.remove(at);
            recent.push(regex.clone());
            return Ok(regex);
        }
        let regex = Regex(Arc::new(compile(pattern)?));
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
    pub fn find<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        let mut captures = self.0.regex.create_captures();
        self.0.regex.captures(text, &mut captures);
        captures.is_match().then_some(Found { text, captures })
    }

    /// Counts what a search through a text takes, at most. Where nothing quicker works, each state may be
    /// looked at for each byte.
    pub fn count(&self, text: &str, account: &Account) -> Result<(), Exceeded> {
        let states = 1 + self.0.regex.memory_usage() as u64 / (16 * 1024);
        account.steps((text.len() as u64 / 16).saturating_mul(states))
    }

    /// All matches that do not overlap, from left to right.
    pub fn find_all<'r, 't: 'r>(&'r self, text: &'t str) -> impl Iterator<Item = Found<'t>> + 'r {
        self.0.regex.captures_iter(text).map(move |captures| Found { text, captures })
    }

    /// The text with all matches replaced. In the replacement, `$1`, `$name` and `${name}` stand for
    /// groups and `$$` for a dollar sign.
    pub fn replace_all(&self, text: &str, replacement: &str, account: &Account) -> Result<String, Exceeded> {
        self.count(text, account)?;
        let mut replaced = String::new();
        let mut end = 0;
        for captures in self.0.regex.captures_iter(text) {
            let Some(whole) = captures.get_match() else { continue };
            replaced.push_str(&text[end..whole.start()]);
            end = whole.end();
            // Each reference, of two bytes at least, may stand for the whole match.
            let longest = (replacement.len() / 2).saturating_mul(whole.len()).saturating_add(replacement.len());
            account.steps(1 + longest as u64 / 64)?;
            account.more_text(replaced.len(), longest)?;
            self.expand(replacement, &Found { text, captures }, &mut replaced);
        }
        replaced.push_str(&text[end..]);
        Ok(replaced)
    }

    fn expand(&self, template: &str, found: &Found<'_>, to: &mut String) {
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

    /// The text of a group by its number, or of the first group of a name that has matched.
    fn group_named<'t>(&self, name: &str, found: &Found<'t>) -> &'t str {
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

/// The name after a dollar sign, and what follows it.
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

fn compile(pattern: &str) -> Result<Compiled, RegexError> {
    let parse::Parsed { hir, groups, depth } = parse::parse(pattern)?;
    let config = meta::Config::new().nfa_size_limit(Some(MAX_SIZE)).onepass_size_limit(Some(MAX_SIZE));
    let build = || meta::Builder::new().configure(config).build_from_hir(&hir).ok();
    match with_room_for(MAX_LEVELS * depth as u32, build) {
        Some(regex) => Ok(Compiled { pattern: pattern.to_owned(), regex, groups }),
        None => Err(RegexError::new(pattern, "the expression is too large")),
    }
}

#[cfg(test)]
mod tests;
