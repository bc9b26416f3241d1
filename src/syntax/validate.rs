//! What holds in bodies and objects beyond their grammar. Escapes, numbers and nesting are looked
//! at where the lexer reads them.

use std::collections::HashMap;

use super::index::TokenIndex;
use super::parser::builder::Builder;
use super::token::Tokens;
use super::tree::NodeKind;
use crate::diagnostic::{Code, Finding as Diagnostic};
use crate::source::Span;

/// Up to so many names are compared with each other; more are put into a table.
const MAX_COMPARED: usize = 24;

/// Looks for names that are used twice. Bodies and objects are given as runs of the children of a
/// [`Builder`].
pub(super) struct Names<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    pub diagnostics: Vec<Diagnostic>,
    /// How many are reported.
    limit: usize,
    /// The names of the body or object at hand, and where they are.
    names: Vec<(&'t [u8], Span)>,
    /// A bit for each of 64 classes of names that is among them, and whether one was there twice: if
    /// not, no two names are equal.
    classes: u64,
    repeated: bool,
}

impl<'t> Names<'t> {
    pub fn new(text: &'t str, tokens: &'t Tokens, max_errors: usize) -> Self {
        // One more than are shown, so that it is seen that there are more.
        let limit = max_errors.saturating_add(1);
        Names {
            text,
            tokens,
            diagnostics: Vec::new(),
            limit,
            names: Vec::with_capacity(32),
            classes: 0,
            repeated: false,
        }
    }

    /// Looks through what has been built since the last time.
    pub fn check(&mut self, builder: &mut Builder<'_>) {
        self.check_bodies(builder);
        self.check_objects(builder);
        builder.named_bodies.clear();
        builder.named_objects.clear();
    }

    /// Reports attributes that have the name of an earlier one in their body ("Attribute
    /// Definitions").
    fn check_bodies(&mut self, builder: &Builder<'_>) {
        for run in &builder.named_bodies {
            self.clear();
            for &item in run.of(&builder.children) {
                let node = &builder.nodes[item.as_usize()];
                if node.kind == NodeKind::Attribute {
                    self.add(node.first.token());
                }
            }
            self.report_duplicates(duplicate_attribute);
        }
    }

    /// Warns of keys that are names or plain strings and occur twice in an object: only the last
    /// of them counts ("Collection Values").
    fn check_objects(&mut self, builder: &Builder<'_>) {
        for run in &builder.named_objects {
            self.clear();
            for pair in run.of(&builder.children).chunks_exact(2) {
                let node = &builder.nodes[pair[0].as_usize()];
                if matches!(node.kind, NodeKind::Variable | NodeKind::Literal) {
                    self.add(node.start);
                }
            }
            self.report_duplicates(duplicate_key);
        }
    }

    #[inline]
    fn add(&mut self, token: TokenIndex) {
        let span = self.tokens.span(token);
        let mut name = &self.text.as_bytes()[span.range()];
        // One with escape sequences is not compared as what it means.
        if let [b'"', inside @ .., b'"'] = name {
            name = inside;
        }
        // Names of one class may be the same; if no class occurs twice, there is nothing to sort.
        let (first, last) = (name.first().unwrap_or(&0), name.last().unwrap_or(&0));
        let class = 1 << (((name.len() as u8).wrapping_mul(7) ^ first.wrapping_mul(5) ^ last) % 64);
        self.repeated |= self.classes & class != 0;
        self.classes |= class;
        self.names.push((name, span));
    }

    fn clear(&mut self) {
        self.names.clear();
        self.classes = 0;
        self.repeated = false;
    }

    fn report_duplicates(&mut self, diagnostic: fn(&str, Span, Span) -> Diagnostic) {
        if !self.repeated {
            return;
        }
        let mut report = |name: &[u8], span: Span, earlier: Span| {
            if self.diagnostics.len() < self.limit {
                self.diagnostics.push(diagnostic(&String::from_utf8_lossy(name), span, earlier));
            }
        };
        if self.names.len() <= MAX_COMPARED {
            for (index, &(name, span)) in self.names.iter().enumerate() {
                if let Some(&(_, earlier)) = self.names[..index].iter().find(|other| other.0 == name) {
                    report(name, span, earlier);
                }
            }
        } else {
            let mut table = HashMap::with_capacity(self.names.len());
            for &(name, span) in &self.names {
                let earlier = *table.entry(name).or_insert(span);
                if earlier != span {
                    report(name, span, earlier);
                }
            }
        }
    }
}

#[cold]
fn duplicate_attribute(name: &str, span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateAttribute, span, format!("`{name}` is set a second time"))
        .with_label(earlier, "it is first set here")
        .with_help("an argument can be set only once in a body; remove one of the two")
}

#[cold]
fn duplicate_key(name: &str, span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::warning(Code::DuplicateKey, span, format!("this replaces the earlier value of `{name}`"))
        .with_label(earlier, "the earlier one")
        .with_help("only the last of several elements with the same key counts; remove the others")
}
