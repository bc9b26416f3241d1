//! Counts the bytes that a search examines.
//!
//! A search for the next match can examine much more text than the match: `.*x|a` reads the whole line for each `a` in
//! it, and finding all of them takes quadratic time. The matcher does not report how far it has read. So if the pattern
//! does not limit that, an automaton scans the text first, and is charged for each part. The matcher then gets only the
//! text up to the end of the match.

use regex_automata::hybrid::dfa::{Builder, Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::Hir;

use super::MAX_SIZE;
use crate::limits::{Account, Exceeded};

/// The number of bytes that are read in a step if the states of the automaton are known.
const BYTES_IN_A_STEP: usize = 16;

/// The bytes of new states that are created in a step.
const STATES_IN_A_STEP: usize = 32;

/// The number of bytes between two checks of the account.
const BLOCK: usize = 256;

/// The number of times the states are dropped for lack of room before the automaton is abandoned.
const MAX_CLEARED: usize = 4;

/// The end of a search.
pub(super) enum End {
    /// There is no match.
    Nowhere,
    /// The first match ends here.
    At(usize),
    /// There is too little room for the states.
    Unknown,
}

/// An automaton that finds the ends of matches.
pub(super) struct Scanner(DFA);

impl Scanner {
    /// The automaton for a pattern. `None` if it would be too large.
    pub fn new(hir: &Hir) -> Option<Scanner> {
        let config = thompson::Config::new().nfa_size_limit(Some(MAX_SIZE)).which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
        let config = Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MAX_CLEARED));
        Builder::new().configure(config).build_from_nfa(nfa).ok().map(Scanner)
    }

    pub fn cache(&self) -> Cache {
        self.0.create_cache()
    }

    /// Finds the end of the first match in a text after a position.
    pub fn end(&self, cache: &mut Cache, text: &str, from: usize, account: &Account) -> Result<End, Exceeded> {
        for start in from..=text.len() {
            let end = self.end_from(cache, text, start, account)?;
            match end {
                // Within a character nothing matches, not even nothing.
                End::At(at) if !text.is_char_boundary(at) => {}
                end => return Ok(end),
            }
        }
        Ok(End::Nowhere)
    }

    fn end_from(&self, cache: &mut Cache, text: &str, start: usize, account: &Account) -> Result<End, Exceeded> {
        let (dfa, bytes) = (&self.0, text.as_bytes());
        let input = Input::new(text).span(start..text.len());
        let Ok(mut state) = dfa.start_state_forward(cache, &input) else { return Ok(End::Unknown) };
        let mut end = End::Nowhere;
        let mut at = start;
        while at < bytes.len() {
            let block = at..bytes.len().min(at + BLOCK);
            let (first, before) = (at, cache.memory_usage());
            let mut is_dead = false;
            for &byte in &bytes[block] {
                let Ok(next) = dfa.next_state(cache, state, byte) else { return Ok(End::Unknown) };
                state = next;
                if state.is_tagged() {
                    if state.is_match() {
                        // A match is known one byte later.
                        end = End::At(at);
                    } else if state.is_dead() || state.is_quit() {
                        is_dead = true;
                        break;
                    }
                }
                at += 1;
            }
            let states = cache.memory_usage().saturating_sub(before) / STATES_IN_A_STEP;
            account.steps(((at - first) / BYTES_IN_A_STEP + states) as u64)?;
            if is_dead {
                return Ok(end);
            }
        }
        match dfa.next_eoi_state(cache, state) {
            Ok(state) if state.is_match() => Ok(End::At(bytes.len())),
            Ok(_) => Ok(end),
            Err(_) => Ok(End::Unknown),
        }
    }
}
