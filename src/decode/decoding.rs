//! The state of decoding a body.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use super::Spec;
use crate::body::{Attribute, Block, BlockLabel, BlockSchema, Body, BodySchema, Content};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use crate::dynamic::Expander;
use crate::eval::{Scope, limit_exceeded};
use crate::limits::Account;
use crate::source::Place;

/// The decoding of a file.
pub(super) struct Decoding<'s> {
    pub scope: &'s Scope<'s>,
    /// The account that counts the work.
    pub account: &'s Account,
    diagnostics: Diagnostics,
    errors: usize,
    /// The settings with which dynamic blocks are expanded. Filled on first use.
    expander: OnceCell<Expander>,
}

impl<'s> Decoding<'s> {
    pub fn new(scope: &'s Scope<'s>, account: &'s Account) -> Self {
        Decoding { scope, account, diagnostics: Diagnostics::new(), errors: 0, expander: OnceCell::new() }
    }

    /// Returns a body with or without the blocks that its dynamic blocks generate, as the spec says.
    fn expanded<'b>(&self, body: &'b Body, spec: &Spec) -> Cow<'b, Body> {
        let Some(expands) = spec.expected().expands else { return Cow::Borrowed(body) };
        match body.with_expansion(expands) {
            Some(body) => Cow::Owned(body),
            None if expands => Cow::Owned(self.expander.get_or_init(|| Expander::new(self.scope)).expand(body.clone())),
            None => Cow::Borrowed(body),
        }
    }

    /// Returns the value of an outcome and keeps its diagnostics.
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> T {
        let (value, diagnostics) = outcome.into_parts();
        if !diagnostics.is_empty() {
            self.errors += diagnostics.errors().count();
            // Errors after the limit is exceeded are a consequence of it.
            if self.account.is_exceeded() {
                return value;
            }
            self.diagnostics.append(diagnostics);
        }
        value
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.take(Outcome::new((), diagnostic.into()));
    }

    /// An error of a kind at a place.
    pub fn error(&mut self, code: Code, place: &Place, detail: impl Into<String>) {
        self.report(Diagnostic::error(code, place, detail.into()));
    }

    /// Returns the number of errors, to see if something adds to them.
    pub fn errors(&self) -> usize {
        self.errors
    }

    pub fn finish<T>(mut self, value: T, content: &Content) -> Outcome<T> {
        self.diagnostics.extend(limit_exceeded(self.account, || super::missing(content)));
        for diagnostic in &mut self.diagnostics {
            // Errors in expressions of the spec itself have no place in a file.
            if *diagnostic.place() == Place::nowhere() {
                *diagnostic = diagnostic.clone().at(super::missing(content));
            }
        }
        self.diagnostics.sort();
        Outcome::new(value, self.diagnostics.without_repetitions())
    }
}

/// The body that is decoded or searched, as specs see it.
pub(super) struct BodyView<'c> {
    pub content: &'c Content,
    /// The rest of the body, if the spec allows other items.
    pub rest: Option<&'c Body>,
    /// The labels of the block that has this body, as far as specs can read them.
    pub labels: &'c [BlockLabel],
    /// True if the body belongs to a block.
    pub in_block: bool,
    by_type: OnceLock<HashMap<&'c str, Vec<&'c Block>>>,
}

impl<'c> BodyView<'c> {
    pub fn root(content: &'c Content) -> Self {
        BodyView { content, rest: None, labels: &[], in_block: false, by_type: OnceLock::new() }
    }

    /// Sets the rest of the body, which the spec does not expect.
    pub fn with_rest(self, rest: Option<&'c Body>) -> Self {
        BodyView { rest, ..self }
    }

    pub fn of_block(content: &'c Content, labels: &'c [BlockLabel]) -> Self {
        BodyView { content, rest: None, labels, in_block: true, by_type: OnceLock::new() }
    }

    pub fn attribute(&self, name: &str) -> Option<&'c Attribute> {
        self.content.attribute(name)
    }

    /// The blocks of a type.
    pub fn blocks(&self, block_type: &str) -> Vec<&'c Block> {
        /// Up to this number of items, a linear search is faster than an index.
        const MAX_COMPARED: usize = 16;
        let all = self.content.blocks();
        if all.len() <= MAX_COMPARED {
            return all.iter().filter(|block| block.block_type() == block_type).collect();
        }
        let by_type = self.by_type.get_or_init(|| {
            let mut by_type: HashMap<&str, Vec<&Block>> = HashMap::new();
            for block in all {
                by_type.entry(block.block_type()).or_default().push(block);
            }
            by_type
        });
        by_type.get(block_type).cloned().unwrap_or_default()
    }

    /// Returns the place for reports about missing items.
    pub fn missing(&self) -> Place {
        super::missing(self.content)
    }
}

/// Returns the content that a spec expects in a body, and the rest, if other items are allowed.
pub(super) fn parts(body: &Body, spec: &Spec, decoding: &mut Decoding<'_>) -> (Content, Option<Body>) {
    let body = decoding.expanded(body, spec);
    match spec.expected().is_open {
        true => {
            let (content, rest) = decoding.take(body.partial_content(spec.schema()));
            (content, Some(rest))
        }
        false => (decoding.take(body.content(spec.schema())), None),
    }
}

/// Runs `work` within the body of a block, whose first labels belong to the calling spec.
pub(super) fn within<R>(
    block: &Block,
    labels: usize,
    spec: &Spec,
    decoding: &mut Decoding<'_>,
    work: impl FnOnce(&BodyView<'_>, &mut Decoding<'_>) -> R,
) -> R {
    let (content, rest) = parts(block.body(), spec, decoding);
    let labels = block.labels().get(labels..).unwrap_or_default();
    work(&BodyView::of_block(&content, labels).with_rest(rest.as_ref()), decoding)
}

/// The same, whatever is wrong there.
pub(super) fn look_within<R>(block: &Block, labels: usize, spec: &Spec, look: impl FnOnce(&BodyView<'_>) -> R) -> R {
    let (content, _rest) = block.body().partial_content(spec.schema()).into_value();
    let labels = block.labels().get(labels..).unwrap_or_default();
    look(&BodyView::of_block(&content, labels))
}

/// The attributes and blocks that specs expect in a body.
#[derive(Default)]
pub(super) struct Expected {
    schema: BodySchema,
    /// The labels of the block itself that specs for its body read.
    labels: BTreeMap<usize, String>,
    /// True if other attributes and blocks are allowed.
    is_open: bool,
    /// True if dynamic blocks are expanded in the body and in those within; `None` if the body around decides.
    pub expands: Option<bool>,
}

impl Expected {
    pub fn anything(&mut self) {
        self.is_open = true;
    }

    pub fn attribute(&mut self, name: &str, required: bool) {
        let schema = std::mem::take(&mut self.schema);
        self.schema = if required { schema.required(name) } else { schema.optional(name) };
    }

    pub fn label(&mut self, index: usize, name: &str) {
        self.labels.entry(index).or_insert_with(|| name.to_owned());
    }

    /// Adds blocks with the labels that the spec reads, followed by those that the spec for their bodies reads.
    pub fn blocks(&mut self, block_type: &str, labels: &[String], nested: Option<&Spec>) {
        let mut names: Vec<&str> = labels.iter().map(String::as_str).collect();
        if let Some(within) = nested.map(Spec::expected)
            && let Some((&last, _)) = within.labels.last_key_value()
        {
            names.extend((0..=last).map(|index| within.labels.get(&index).map_or("label", String::as_str)));
        }
        let schema = std::mem::take(&mut self.schema);
        self.schema = schema.block(block_type, &names);
    }

    /// Adds blocks with the labels that the schema says.
    pub fn blocks_of(&mut self, schema: &BlockSchema) {
        self.schema = std::mem::take(&mut self.schema).with_block(schema);
    }

    pub fn schema(&self) -> &BodySchema {
        &self.schema
    }
}
