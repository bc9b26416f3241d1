//! The matches of a query.

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
    /// The matches of the address for which the condition does not hold, and the places where the address leads no
    /// further, if they are kept.
    pub(super) rejected: Vec<QueryMatch<'t>>,
    pub(super) misses: Vec<Miss<'t>>,
    pub(super) rejected_count: usize,
    pub(super) failed: usize,
    pub(super) diagnostics: Diagnostics,
    pub(super) exceeded: bool,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub struct QueryMatch<'t> {
    pub(super) target: Target<'t>,
    pub(super) position: Position,
    pub(super) document: Option<&'t Document>,
    pub(super) schema: Option<&'t ConversionSchema>,
    pub(super) limits: Limits,
    /// The steps of the address that are missing in the target.
    pub(super) missing: Vec<AddressStep>,
    pub(super) result: Option<Value>,
    pub(super) keys: Vec<Value>,
    /// The parts of `self` that the result asks for and that are not there.
    pub(super) absent: Vec<String>,
}

impl<'t> QueryResult<'t> {
    /// Returns the matches.
    pub fn matches(&self) -> &[QueryMatch<'t>] {
        &self.matches
    }

    /// Returns the things for which the condition is unknown.
    pub fn open(&self) -> &[QueryMatch<'t>] {
        &self.open
    }

    /// Returns the targets of the address for which the condition does not hold, if the query
    /// [keeps](super::Query::keeping_rest) them.
    pub fn rejected(&self) -> &[QueryMatch<'t>] {
        &self.rejected
    }

    /// Returns the number of targets of the address for which the condition does not hold.
    pub fn rejected_count(&self) -> usize {
        self.rejected_count
    }

    /// Returns the places where the address leads no further, if the query [keeps](super::Query::keeping_rest) them.
    pub fn misses(&self) -> &[Miss<'t>] {
        &self.misses
    }

    /// For how many things the condition or the result has errors. They are neither matches nor open.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Returns true if the whole file was searched, rather than only the part before a [limit](super::Query::with_limits) was
    /// exceeded.
    pub fn is_complete(&self) -> bool {
        !self.exceeded
    }

    /// Returns the errors of the condition or the result, for the first match for which it fails; or the limit that was
    /// exceeded.
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
    /// Something that is there, of which no more is known than its place.
    pub(super) fn at(target: Target<'t>, position: Position) -> QueryMatch<'t> {
        QueryMatch {
            target,
            position,
            document: None,
            schema: None,
            limits: Limits::default(),
            missing: Vec::new(),
            result: None,
            keys: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// Returns the steps of the address that are missing in the target; none if the target itself was found. See
    /// [`Query::including_missing`](super::Query::including_missing).
    pub fn missing(&self) -> &[AddressStep] {
        &self.missing
    }

    /// Returns the values of the [keys](super::Query::with_keys), in their order.
    pub fn keys(&self) -> &[Value] {
        &self.keys
    }

    /// Returns the parts of `self` that the result or a key asks for and that are not there, as they are written. They
    /// are null in the result.
    pub fn absent(&self) -> &[String] {
        &self.absent
    }

    /// Returns the target of the address, with its place.
    pub fn target(&self) -> &Target<'t> {
        &self.target
    }

    /// Line and column of its start.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its place.
    pub fn place(&self) -> Place {
        self.target.place()
    }

    /// The value of the expression for the result, if the query has one. What is not constant in it is the
    /// source as a string `"${…}"` where the result is a part of `self` or an object or tuple of such parts,
    /// and unknown elsewhere.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// Returns the kind of the target, as `node.kind`.
    pub fn kind(&self) -> &'static str {
        described::kind(&self.target)
    }

    /// Its name, as `node.name`.
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

    /// Returns the text of its comments, as `node.comment`.
    pub fn comment(&self) -> String {
        described::comment(&self.target)
    }

    /// Returns its value as conditions see it in `self`: parts that are not constant are unknown.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the [limits](super::Query::with_limits) of the query.
    pub fn value(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Unknown, &self.account())
    }

    /// Returns its value, with the source of parts that are not constant as a string `"${…}"`.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the [limits](super::Query::with_limits) of the query.
    pub fn value_as_written(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &self.account())
    }

    /// The same with a meter that others share, so that the limits are those of all of them together.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the meter has left.
    pub fn value_as_written_within(&self, functions: &Functions, meter: &Meter) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &Account::new(meter.clone()))
    }

    pub(super) fn account(&self) -> Account {
        Account::new(Meter::new(self.limits.clone()))
    }

    pub(super) fn written(&self, functions: &Functions, form: Form, account: &Account) -> Result<Value, Diagnostics> {
        let written = Written { functions, document: self.document, form, account, whole: &self.target };
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
