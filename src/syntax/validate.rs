//! Rules for bodies and objects beyond their grammar. The lexer checks escapes, numbers and nesting as it reads them.

use std::collections::HashMap;

use super::index::TokenIndex;
use super::parser::builder::Builder;
use super::token::Tokens;
use super::tree::NodeKind;
use crate::diagnostic::{Code, Finding};
use crate::source::Span;

/// The number of names up to which each pair is compared; more names are put into a table.
const MAX_COMPARED: usize = 24;

/// Finds names that are used twice. Bodies and objects are given as runs of the children of a [`Builder`].
pub(super) struct Names<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    pub diagnostics: Vec<Finding>,
    /// The number of errors that are reported.
    limit: usize,
    /// The names of the current body or object with their places, if two of them may be equal.
    names: Vec<(&'t [u8], Span)>,
}

impl<'t> Names<'t> {
    pub fn new(text: &'t str, tokens: &'t Tokens, max_errors: usize) -> Self {
        // One more than are shown, so that the report can tell that there are more.
        let limit = max_errors.saturating_add(1);
        Names { text, tokens, diagnostics: Vec::new(), limit, names: Vec::new() }
    }

    /// Checks everything that has been built since the last call.
    pub fn check(&mut self, builder: &mut Builder<'_>) {
        self.check_bodies(builder);
        self.check_objects(builder);
        builder.named_bodies.clear();
        builder.named_objects.clear();
    }

    /// Reports attributes with the name of an earlier one in their body ("Attribute Definitions").
    fn check_bodies(&mut self, builder: &Builder<'_>) {
        for run in &builder.named_bodies {
            let items = run.of(&builder.children).iter().map(|item| &builder.nodes[item.as_usize()]);
            let attributes = items.filter(|node| node.kind == NodeKind::Attribute);
            self.check_names(attributes.map(|node| node.first.token()), duplicate_attribute);
        }
    }

    /// Warns about keys that are names or plain strings and occur twice in an object: only the last one counts
    /// ("Collection Values").
    fn check_objects(&mut self, builder: &Builder<'_>) {
        for run in &builder.named_objects {
            let keys = run.of(&builder.children).iter().step_by(2).map(|key| &builder.nodes[key.as_usize()]);
            let names = keys.filter(|node| matches!(node.kind, NodeKind::Variable | NodeKind::Literal));
            self.check_names(names.map(|node| node.start), duplicate_key);
        }
    }

    /// Returns the text of a name. Names with escape sequences are compared as written, not decoded.
    #[inline]
    fn name(&self, token: TokenIndex) -> (&'t [u8], Span) {
        let span = self.tokens.span(token);
        match &self.text.as_bytes()[span.range()] {
            [b'"', inside @ .., b'"'] => (inside, span),
            name => (name, span),
        }
    }

    #[inline]
    fn check_names(
        &mut self,
        names: impl Iterator<Item = TokenIndex> + Clone,
        diagnostic: fn(&str, Span, Span) -> Finding,
    ) {
        // A bit for each class of names. If no class occurs twice, no two names are equal.
        let mut classes = 0_u128;
        let repeated = names.clone().any(|token| {
            let (name, _) = self.name(token);
            let class = 1 << class(name);
            let known = classes & class != 0;
            classes |= class;
            known
        });
        if repeated {
            let mut list = std::mem::take(&mut self.names);
            list.clear();
            list.extend(names.map(|token| self.name(token)));
            self.names = list;
            self.report_duplicates(diagnostic);
        }
    }

    fn report_duplicates(&mut self, diagnostic: fn(&str, Span, Span) -> Finding) {
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

/// Returns one of 128 classes for a name. Equal names are in the same class.
#[inline]
fn class(name: &[u8]) -> u8 {
    let (first, last) = (name.first().unwrap_or(&0), name.last().unwrap_or(&0));
    ((name.len() as u8).wrapping_mul(7) ^ first.wrapping_mul(5) ^ last) % 128
}

#[cold]
fn duplicate_attribute(name: &str, span: Span, earlier: Span) -> Finding {
    Finding::error(Code::DuplicateAttribute, span, format!("`{name}` is set a second time"))
        .with_label(earlier, "first set here")
        .with_help("an argument can be set only once in a body; remove one of them")
}

#[cold]
fn duplicate_key(name: &str, span: Span, earlier: Span) -> Finding {
    Finding::warning(Code::DuplicateKey, span, format!("this replaces the earlier value of `{name}`"))
        .with_label(earlier, "first set here")
        .with_help("only the last of several elements with the same key counts; remove the others")
}
