//! Explains the conflicts of LALRPOP grammars: for each cause the shortest sentence that has two readings, both trees, the
//! two alternatives with their lines, and the usual way out.
//!
//! ```
//! use hcl_lr_grammar_check::{Grammar, check};
//!
//! let head = "extern { enum Terminal { \"a\" => A, \"+\" => Plus, } }";
//! let grammar = Grammar::read("expression", &format!("{head} pub Sum: () = {{ \"a\", Sum \"+\" Sum }};"))?;
//! let causes = check(&grammar)?;
//! assert!(causes[0].text.starts_with("error: `Sum` has two readings of \"a\" \"+\" \"a\" \"+\" \"a\""));
//! # Ok::<(), String>(())
//! ```
//!
//! `read` reads a grammar, `productions` inlines its rules, and `automaton` finds the conflicts. For each, `contexts` finds
//! beginnings that lead to it, and `search` a sentence; `machine` runs the automaton for both. `report` combines the
//! conflicts to causes. `readings` counts the readings of a sentence in another way, to check all of this.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod automaton;
mod contexts;
mod difference;
mod folder;
mod help;
mod machine;
mod productions;
mod read;
mod readings;
mod report;
mod search;
mod tree;

pub use difference::{Comparison, Difference, differences, differences_in};
pub use folder::{FILES, compared, explained, grammars_in};
pub use help::Help;
pub use read::{Alternative, Grammar, Rule, Symbol};
pub use readings::readings;
pub use report::{Cause, check};
