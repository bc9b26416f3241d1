//! The matches of a query.

use super::Resolver;
use super::described;
use super::written::{Form, Written};
use crate::address::{AddressStep, BodyRef, Miss, Target, TargetKind};
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::internal::Account;
use hcl_lr::json::Document;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Position};

/// The matches in a file.
#[derive(Debug, Default)]
pub struct QueryResult<'t> {
    pub(super) matches: Vec<QueryMatch<'t>>,
    pub(super) open: Vec<QueryMatch<'t>>,
    /// The targets for which the condition is false, and the places where a step finds nothing, if they are kept.
    pub(super) rejected: Vec<QueryMatch<'t>>,
    pub(super) misses: Vec<Miss<'t>>,
    pub(super) rejected_count: usize,
    pub(super) failed: usize,
    pub(super) diagnostics: Diagnostics,
    pub(super) exceeded: bool,
}

/// A match of a query.
#[derive(Clone, Debug)]
pub struct QueryMatch<'t> {
    pub(super) target: Target<'t>,
    pub(super) position: Position,
    pub(super) document: Option<&'t Document>,
    pub(super) schema: Option<&'t ConversionSchema>,
    pub(super) resolver: Option<&'t dyn Resolver>,
    pub(super) limits: Limits,
    /// The steps of the address that are missing in the target.
    pub(super) missing: Vec<AddressStep>,
    pub(super) result: Option<Value>,
    pub(super) keys: Vec<Value>,
    /// The parts of `self` that the result uses and that do not exist.
    pub(super) absent: Vec<String>,
}

impl<'t> QueryResult<'t> {
    /// Returns the matches.
    pub fn matches(&self) -> &[QueryMatch<'t>] {
        &self.matches
    }

    /// Returns the matches whose condition is unknown.
    pub fn open(&self) -> &[QueryMatch<'t>] {
        &self.open
    }

    /// Returns the targets for which the condition is false, if the query [keeps](super::Query::keeping_rest) them.
    pub fn rejected(&self) -> &[QueryMatch<'t>] {
        &self.rejected
    }

    /// Returns the number of targets for which the condition is false.
    pub fn rejected_count(&self) -> usize {
        self.rejected_count
    }

    /// Returns the places where a step finds nothing, if the query [keeps](super::Query::keeping_rest) them.
    pub fn misses(&self) -> &[Miss<'t>] {
        &self.misses
    }

    /// Returns the number of targets for which the condition or the result has errors. They count neither as matches
    /// nor as undecided.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Returns true if the whole file was searched, rather than only the part before a [limit](super::Query::with_limits) was
    /// exceeded.
    pub fn is_complete(&self) -> bool {
        !self.exceeded
    }

    /// Returns the errors of the condition or the result for the first target where it fails, or the exceeded limit.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    pub(super) fn fail(&mut self, why: Diagnostics) {
        if self.failed == 0 {
            self.diagnostics = why;
        }
        self.failed += 1;
    }
}

impl<'t> QueryMatch<'t> {
    /// Creates a match of which only the place is known.
    pub(super) fn at(target: Target<'t>, position: Position) -> QueryMatch<'t> {
        QueryMatch {
            target,
            position,
            document: None,
            schema: None,
            resolver: None,
            limits: Limits::default(),
            missing: Vec::new(),
            result: None,
            keys: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// Returns the steps of the address that are missing in the target; no steps if the target itself matched. See
    /// [`Query::including_missing`](super::Query::including_missing).
    pub fn missing(&self) -> &[AddressStep] {
        &self.missing
    }

    /// Returns the values of the [keys](super::Query::with_keys), in their order.
    pub fn keys(&self) -> &[Value] {
        &self.keys
    }

    /// Returns the source of the parts of `self` that the result or a key uses and that do not exist. They are null in
    /// the result.
    pub fn absent(&self) -> &[String] {
        &self.absent
    }

    /// Returns the target of the address.
    pub fn target(&self) -> &Target<'t> {
        &self.target
    }

    /// Returns the line and column of the start.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the place.
    pub fn place(&self) -> Place {
        self.target.place()
    }

    /// Returns the value of the expression for the result, if the query has one. Where the result is a part of `self`,
    /// or an object or tuple of such parts, expressions that are not constant are their source as a string `"${…}"`.
    /// Elsewhere they are unknown.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// Returns the kind of the target, as `node.kind`.
    pub fn kind(&self) -> &'static str {
        described::kind(&self.target)
    }

    /// Returns the name, as `node.name`.
    pub fn name(&self) -> String {
        described::name(&self.target)
    }

    /// The type of a block, as `node.type`.
    pub fn block_type(&self) -> String {
        described::block_type(&self.target)
    }

    /// The labels of a block, as `node.labels`.
    pub fn labels(&self) -> Vec<String> {
        described::labels(&self.target)
    }

    /// Returns the text of the comments, as `node.comment`.
    pub fn comment(&self) -> String {
        described::comment(&self.target)
    }

    /// Returns the value as conditions see it in `self`: parts that are not constant are unknown.
    ///
    /// # Errors
    /// If evaluating the constants exceeds the [limits](super::Query::with_limits) of the query.
    pub fn value(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Unknown, &self.account())
    }

    /// Returns the value, with the source of parts that are not constant as a string `"${…}"`.
    ///
    /// # Errors
    /// If evaluating the constants exceeds the [limits](super::Query::with_limits) of the query.
    pub fn value_as_written(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &self.account())
    }

    /// Returns the same value, charged to a shared meter, so that its limits apply to all users together.
    ///
    /// # Errors
    /// If evaluating the constants exceeds the rest of the meter.
    pub fn value_as_written_within(&self, functions: &Functions, meter: &Meter) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &Account::new(meter.clone()))
    }

    pub(super) fn account(&self) -> Account {
        Account::new(Meter::new(self.limits.clone()))
    }

    pub(super) fn written(&self, functions: &Functions, form: Form, account: &Account) -> Result<Value, Diagnostics> {
        let (document, resolver) = (self.document, self.resolver);
        let written = Written { functions, document, resolver, form, account, whole: &self.target };
        match self.target.kind() {
            TargetKind::Body(body) => written.body(&BodyRef::Native(*body)),
            TargetKind::Block(block) => written.body(&BodyRef::Native(block.body())),
            TargetKind::Attribute(attribute) => written.expression(attribute.expression()),
            TargetKind::Entry(element) => written.expression(element.value()),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => written.expression(*expression),
            TargetKind::JsonBody(node) => match self.schema {
                Some(schema) => written.body(&BodyRef::Json(*node, schema.root())),
                None => written.json(*node),
            },
            TargetKind::JsonBlock(block) => written.body(&BodyRef::Json(block.body(), block.shapes().clone())),
            TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => written.json(member.value()),
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => written.json(*node),
        }
    }
}
