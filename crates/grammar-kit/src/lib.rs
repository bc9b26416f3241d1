//! The grammars of hcl-lr for those who read or change them: productions in the notation of the specification,
//! diagrams, random sentences, and counts of the alternatives that files use.
//!
//! ```
//! let grammars = hcl_lr_grammar_kit::grammars()?;
//! let productions = hcl_lr_grammar_kit::ebnf(&grammars);
//! assert!(productions.contains("ConfigFile"));
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod counting;
mod coverage;
mod derive;
mod ebnf;
#[cfg(test)]
mod examples;
mod generate;
mod json_tokens;
mod lab;
mod lexeme;
#[cfg(test)]
#[allow(dead_code, reason = "each test program has needs of its own")]
#[path = "../../../tests/support/needs.rs"]
mod needs;
mod notation;
mod page;
mod parse;
mod precedence;
mod railroad;
mod random;
mod rules;
mod statements;
#[cfg(test)]
mod text;

pub use counting::{Coverage, regions};
pub use coverage::{Used, lines, table, used};
pub use derive::{Derivation, derive};
pub use ebnf::printed as ebnf;
pub use generate::{Generator, SIZE, Start, names};
pub use hcl_lr_grammar_check::Grammar;
pub use lab::{Session, changes, shown};
pub use page::page;
pub use parse::{Language, Syntax};
pub use precedence::{chains, printed as precedence, unread_operators};

/// Returns the grammars in this package.
///
/// # Errors
/// The part that cannot be read.
pub fn grammars() -> Result<Vec<Grammar>, String> {
    let texts = [
        ("body", include_str!(concat!(env!("OUT_DIR"), "/body.lalrpop"))),
        ("expression", include_str!(concat!(env!("OUT_DIR"), "/expression.lalrpop"))),
        ("template", include_str!(concat!(env!("OUT_DIR"), "/template.lalrpop"))),
    ];
    texts.into_iter().map(|(name, text)| Grammar::read(name, text)).collect()
}
