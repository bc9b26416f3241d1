//! Ephemeral values: the definitions that have them, and the places where they are errors, because the program stores
//! what is there.
//!
//! `ephemeral = true` in an input or result, and blocks of a type such as `ephemeral`, put the mark on values, and operators and
//! functions pass it on. After an error the value is unknown and no longer ephemeral, so that each mistake is reported
//! once: in `host "a" { key = var.token }`, only there, and not where `host.a.key` is used.

use super::ids::{ModuleId, NodeId};
use super::inputs::Inputs;
use super::instances::At;
use super::program::{DefinitionEntry, InputNode, NodeKind, Stored};
use super::role::Role;
use super::state::{State, unknown};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::{EPHEMERAL, SENSITIVE};
use hcl_lr::model::{Mark, MarkSet, Path, PathStep, Value};

/// The size, in bytes, up to which the parts of values are searched. Larger ones may share parts.
const MAX_SIZE: u64 = 1 << 20;

/// The least size of a part.
const PART: u64 = 32;

impl State {
    /// Returns the value of a node with the mark, if the files declare it ephemeral. In a place where values are stored,
    /// an ephemeral one is an error.
    pub fn with_ephemeral(
        &self,
        number: NodeId,
        value: Value,
        inputs: &Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        if self.is_ephemeral(number) {
            return value.mark(EPHEMERAL);
        }
        if !value.contains_marks() || !self.is_stored(number) || !has_ephemeral(&self.marks_in(&value)) {
            return value;
        }
        let is_written_only = match &self.program[number].kind {
            NodeKind::Expression { expression, .. } => inputs.is_write_only(expression),
            NodeKind::Stored(stored) => inputs.is_write_only(&stored.expression),
            _ => false,
        };
        if is_written_only {
            // Nothing can be read from it, so that no other place has the value.
            let (plain, marks) = value.unmark_deep();
            return plain.with_marks(&without_ephemeral(&marks)).mark(SENSITIVE);
        }
        let Some(error) = self.refused(number, &value) else { return value };
        diagnostics.push(error);
        Value::unknown(value.ty()).with_marks(&without_ephemeral(&value.marks_deep()))
    }

    /// Returns true if the files say that the values of a node are ephemeral.
    pub fn is_ephemeral(&self, number: NodeId) -> bool {
        match &self.program[number].kind {
            NodeKind::Input(input) => input.ephemeral,
            NodeKind::Expression { ephemeral, .. } => *ephemeral,
            NodeKind::Object { .. } => {
                self.program.roles().protects_ephemeral()
                    && self
                        .definition_of(number)
                        .is_some_and(|(entry, role)| role.options.ephemeral && entry.node == number)
            }
            _ => false,
        }
    }

    /// Returns true if the value of a node is stored, or given to a definition whose values are.
    fn is_stored(&self, number: NodeId) -> bool {
        if !self.program.roles().protects_ephemeral() {
            return false;
        }
        match &self.program[number].kind {
            NodeKind::Input(input) => input.argument.is_some(),
            NodeKind::Stored(_) => true,
            NodeKind::Expression { .. } => self.definition_of(number).is_some_and(|(entry, role)| {
                if entry.node == number { !entry.has_address } else { role.options.stored.is_some() }
            }),
            _ => false,
        }
    }

    /// Returns the marks of a value and its parts. Those of the parts of very large values are not searched.
    fn marks_in(&self, value: &Value) -> MarkSet {
        let may_search =
            value.size() <= MAX_SIZE && self.scope.metered(|_, account| account.steps(value.size() / PART)).is_ok();
        if may_search { value.marks_deep() } else { value.marks() }
    }

    fn definition_of(&self, number: NodeId) -> Option<(&DefinitionEntry, &Role)> {
        let entry = &self.program[self.program[number].definition?];
        Some((entry, &self.program.roles().roles[entry.role]))
    }

    /// Returns the error for an ephemeral value of a node; `None` if it can have one.
    fn refused(&self, number: NodeId, value: &Value) -> Option<Diagnostic> {
        let (entry, role) = self.definition_of(number)?;
        match &self.program[number].kind {
            NodeKind::Input(input) => self.refused_by_input(input, entry),
            NodeKind::Expression { expression, .. } if entry.node == number => {
                Some(self.refused_by_result(expression, entry.module))
            }
            NodeKind::Expression { expression, .. } => refused_by_block(expression, role, value),
            NodeKind::Stored(stored) if stored.is_collection && !has_ephemeral(&value.marks()) => None,
            NodeKind::Stored(stored) => refused_by_block(&stored.expression, role, value),
            _ => None,
        }
    }

    fn refused_by_input(&self, input: &InputNode, entry: &DefinitionEntry) -> Option<Diagnostic> {
        let NodeKind::Expression { expression, .. } = &self.program[input.argument?].kind else { return None };
        let detail = format!("the input \"{}\" of the module is not ephemeral", entry.name);
        let error = Diagnostic::error(Code::EphemeralValue, expression.place(), detail);
        let error = error.with_label(&entry.name_place, "this input");
        Some(error.with_help("add `ephemeral = true` to the block of the input"))
    }

    fn refused_by_result(&self, expression: &Expression, module: ModuleId) -> Diagnostic {
        let detail = "a result without `ephemeral = true` is stored";
        let error = Diagnostic::error(Code::EphemeralValue, expression.place(), detail);
        error.with_help(match module {
            // The files may be a module that others call, too.
            ModuleId::ROOT => "remove the block, or add `ephemeral = true` in files that others call as a module",
            _ => "add `ephemeral = true` to the block",
        })
    }

    /// Reports an ephemeral value that repeats a block, and takes the mark away.
    pub fn refuses_repetition(
        &self,
        expression: &Expression,
        marks: &mut MarkSet,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        if !self.program.roles().protects_ephemeral() || !has_ephemeral(marks) {
            return false;
        }
        let detail = "the instances of a block are stored";
        diagnostics.push(Diagnostic::error(Code::EphemeralValue, expression.place(), detail));
        *marks = without_ephemeral(marks);
        true
    }

    /// Evaluates an argument of a block in a stored block, as far as that is possible without the generated blocks:
    /// for the first of them.
    pub fn stored(&self, number: NodeId, stored: &Stored, at: At) -> Value {
        let node = &self.program[number];
        let mut variables = self.variables(&node.uses, node.module, at);
        for (name, collection) in &stored.iterators {
            let collection = collection.map_or_else(unknown, |node| self.of_node(node, at));
            variables.insert(name.clone(), first_of(&collection));
        }
        self.in_scope(node.module, at, |scope| {
            // Errors in it are those of the block.
            stored.expression.evaluate_partially(&scope.child().with_variables(&variables).concealed()).into_value()
        })
    }
}

/// Returns the variable of a `dynamic` block for the first element of its collection.
fn first_of(collection: &Value) -> Value {
    let (plain, marks) = collection.unmark();
    let named = plain.entries().and_then(|mut entries| entries.next());
    let first = match (named, plain.elements().and_then(<[Value]>::first)) {
        (Some((name, value)), _) => Value::object([("key", Value::from(name)), ("value", value.clone())]),
        (None, Some(value)) => Value::object([("key", unknown()), ("value", value.clone())]),
        (None, None) => unknown(),
    };
    first.with_marks(&marks)
}

/// Returns the error for an ephemeral value of an argument, unless only write-only attributes of it are ephemeral.
fn refused_by_block(expression: &Expression, role: &Role, value: &Value) -> Option<Diagnostic> {
    let (_, places) = value.unmark_with_paths();
    let is_stored = |path: &Path| {
        !path.steps().iter().any(|step| match step {
            PathStep::Attribute(name) | PathStep::Key(name) => role.is_write_only(name),
            _ => false,
        })
    };
    places.iter().find(|(path, marks)| has_ephemeral(marks) && is_stored(path))?;
    let block_type = role.block_type().unwrap_or_default();
    let except = role.options.stored.as_ref().is_some_and(|except| !except.is_empty());
    let except = if except { ", unless they are write-only" } else { "" };
    let detail = format!("arguments of \"{block_type}\" blocks are stored{except}");
    Some(Diagnostic::error(Code::EphemeralValue, expression.place(), detail))
}

fn has_ephemeral(marks: &MarkSet) -> bool {
    marks.contains(&Mark::new(EPHEMERAL))
}

fn without_ephemeral(marks: &MarkSet) -> MarkSet {
    marks.iter().filter(|mark| mark.name() != EPHEMERAL).cloned().collect()
}

/// Returns true if a value or a part of it has a mark other than `ephemeral`.
pub(super) fn has_others_than_ephemeral(value: &Value) -> bool {
    value.contains_marks() && value.marks_deep().iter().any(|mark| mark.name() != EPHEMERAL)
}
