//! The variable `node` of a condition: the kind of a match, and its place.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::QueryMatch;
use super::described::{block_type, comment, kind, labels, value_kind};
use super::written::Form;
use crate::address::{Address, AddressStep, Target, TargetKind};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::internal::Account;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::AccessStep;

/// The properties of `node` that expressions use.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    names: HashSet<String>,
    all: bool,
    /// The properties of `node.parent` and `node.block` that expressions use.
    parent: Option<Box<Wanted>>,
    block: Option<Box<Wanted>>,
}

impl Wanted {
    pub fn by<'e>(expressions: impl Iterator<Item = &'e Expression>) -> Wanted {
        let mut wanted = Wanted::default();
        for expression in expressions {
            let Some(node) = expression.native_form() else { continue };
            for path in node.variables().into_iter().filter(|path| path.root().text() == "node") {
                let names: Vec<&str> = path
                    .steps()
                    .map_while(|step| match step {
                        AccessStep::Attribute(name) => Some(name.text()),
                        _ => None,
                    })
                    .collect();
                wanted.add(&names);
            }
        }
        wanted
    }

    fn add(&mut self, names: &[&str]) {
        let mut wanted = self;
        // Past the limit there are no properties: no file nests that deep, and a long path must not use up the stack.
        for name in &names[..names.len().min(MAX_OUTER)] {
            wanted = match *name {
                "parent" => wanted.parent.get_or_insert_default(),
                "block" => wanted.block.get_or_insert_default(),
                name => {
                    wanted.names.insert(name.to_owned());
                    return;
                }
            };
        }
        wanted.all = true;
    }

    /// Returns `node` with the wanted properties. Using a property that does not exist is an error. Texts include
    /// everything inside and are charged to the account, which reports an exceeded limit later.
    ///
    /// # Errors
    /// If evaluating the value of a match or an owner exceeds the limits.
    pub fn value(&self, found: &QueryMatch<'_>, around: &Surroundings<'_, '_>) -> Result<Value, Diagnostics> {
        self.within(found, &|| found.written(around.functions, Form::Unknown, around.account), around)
    }

    fn within(
        &self,
        found: &QueryMatch<'_>,
        this: &dyn Fn() -> Result<Value, Diagnostics>,
        around: &Surroundings<'_, '_>,
    ) -> Result<Value, Diagnostics> {
        let names = PROPERTIES.iter().filter(|name| self.all || self.names.contains(**name));
        let property = |name: &str| missing(found, name).unwrap_or_else(|| property(found, name, around.account));
        let mut properties: Vec<(&str, Value)> = names.map(|name| (*name, property(name))).collect();
        let is_missing = !found.missing().is_empty();
        // A value can be large, so it is no part of `node` as a whole.
        if self.names.contains(SELF) {
            properties.push((SELF, if is_missing { Value::null(Type::Dynamic) } else { this()? }));
        }
        let target = found.target();
        let at = |index: Option<usize>| around.owners.zip(index);
        for (name, wanted) in [("parent", &self.parent), ("block", &self.block)] {
            let Some(wanted) = wanted else { continue };
            let is_block = matches!(target.kind(), TargetKind::Block(_) | TargetKind::JsonBlock(_));
            let value = match around.owners {
                // A missing attribute belongs to the matched body.
                _ if is_missing && (name == "parent" || is_block) => {
                    let found = QueryMatch { missing: Vec::new(), ..found.clone() };
                    wanted.value(&found, around)?
                }
                Some(owners) => {
                    let index = if name == "parent" { owners.parent_index(target) } else { owners.block_index(target) };
                    match at(index) {
                        Some((owners, index)) => wanted.of(owners, index, found, around)?,
                        None => Value::null(Type::Dynamic),
                    }
                }
                None => Value::null(Type::Dynamic),
            };
            properties.push((name, value));
        }
        Ok(Value::object(properties))
    }

    /// Returns the same for an owner of the match.
    fn of(
        &self,
        owners: &Owners<'_>,
        index: usize,
        of: &QueryMatch<'_>,
        around: &Surroundings<'_, '_>,
    ) -> Result<Value, Diagnostics> {
        let owner = &owners.all[index];
        let position = owner.target.place().position();
        let found = QueryMatch {
            document: of.document,
            schema: of.schema,
            resolver: of.resolver,
            ..QueryMatch::at(owner.target.clone(), position)
        };
        // The matches in a block share its value.
        let this = || match owner.value.get() {
            Some(value) => Ok(value.clone()),
            None => {
                let value = found.written(around.functions, Form::Unknown, around.account)?;
                Ok(owner.value.get_or_init(|| value).clone())
            }
        };
        self.within(&found, &this, around)
    }

    pub fn is_empty(&self) -> bool {
        !self.all && self.names.is_empty() && !self.wants_owners()
    }

    /// Returns true if properties of the owners of a match are used.
    pub fn wants_owners(&self) -> bool {
        self.parent.is_some() || self.block.is_some()
    }
}

/// The surroundings of a match, and the means of evaluating them.
pub(super) struct Surroundings<'a, 't> {
    pub owners: Option<&'a Owners<'t>>,
    pub functions: &'a Functions,
    pub account: &'a Account,
}

/// All possible owners in source order: blocks, attributes, entries and elements.
pub(super) struct Owners<'t> {
    all: Vec<Owner<'t>>,
    spans: Vec<Span>,
}

struct Owner<'t> {
    target: Target<'t>,
    /// The index of its own owner.
    outer: Option<usize>,
    value: OnceCell<Value>,
}

impl<'t> Owners<'t> {
    /// Collects the possible owners from all targets of a file.
    pub fn of(targets: Vec<Target<'t>>) -> Owners<'t> {
        let mut owners = Owners { all: Vec::new(), spans: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        for target in targets {
            if matches!(target.kind(), TargetKind::Expression(_) | TargetKind::JsonValue(_)) {
                continue;
            }
            let span = target.place().span();
            while open.last().is_some_and(|&last| owners.spans[last].end() < span.end()) {
                open.pop();
            }
            owners.all.push(Owner { target, outer: open.last().copied(), value: OnceCell::new() });
            open.push(owners.spans.len());
            owners.spans.push(span);
        }
        owners
    }

    /// Returns the index of the innermost block around a target.
    fn block_index(&self, target: &Target<'_>) -> Option<usize> {
        let mut at = self.parent_index(target);
        while let Some(index) = at {
            let owner = &self.all[index];
            if matches!(owner.target.kind(), TargetKind::Block(_) | TargetKind::JsonBlock(_)) {
                return Some(index);
            }
            at = owner.outer;
        }
        None
    }

    /// Returns the index of the innermost owner of a target; the file has none.
    fn parent_index(&self, target: &Target<'_>) -> Option<usize> {
        let span = target.place().span();
        // Outer owners come first, so the last one that starts before the target may be a preceding sibling.
        let mut at = self.spans.partition_point(|owner| owner.start() <= span.start()).checked_sub(1);
        let is_owner = !matches!(target.kind(), TargetKind::Expression(_) | TargetKind::JsonValue(_));
        while let Some(index) = at {
            let owner = self.spans[index];
            let is_itself = owner == span && is_owner && kind(&self.all[index].target) == kind(target);
            if owner.end() >= span.end() && !is_itself && !is_within(&self.all[index].target, target, owner == span) {
                return Some(index);
            }
            at = self.all[index].outer;
        }
        None
    }
}

/// Returns true if an owner with the same span as a target is inside it, rather than the other way around.
fn is_within(owner: &Target<'_>, target: &Target<'_>, same_span: bool) -> bool {
    let outer = |target: &Target<'_>| match target.kind() {
        TargetKind::Body(_) | TargetKind::JsonBody(_) => 0,
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => 1,
        TargetKind::Attribute(_) | TargetKind::JsonAttribute(_) => 2,
        TargetKind::Entry(_) | TargetKind::JsonEntry(_) => 3,
        TargetKind::Element(_) | TargetKind::JsonElement(_) => 4,
        TargetKind::Expression(_) | TargetKind::JsonValue(_) => 5,
    };
    same_span && outer(owner) >= outer(target)
}

/// The maximum number of steps of a path such as `node.parent.parent.name`.
const MAX_OUTER: usize = 64;

/// The property with the value.
const SELF: &str = "self";

/// The names of all properties, for messages.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PROPERTIES.into_iter().chain([SELF, "parent", "block"])
}

const PROPERTIES: [&str; 13] = [
    "kind",
    "type",
    "name",
    "labels",
    "address",
    "file",
    "line",
    "column",
    "end_line",
    "comment",
    "text",
    "value",
    "value_kind",
];

/// Returns the properties of a missing item of a match.
fn missing(found: &QueryMatch<'_>, name: &str) -> Option<Value> {
    let last = found.missing().last()?;
    match name {
        "kind" => Some(Value::from("missing")),
        "name" => match last {
            AddressStep::Name(name) => Some(Value::from(name.as_str())),
            _ => Some(Value::from("")),
        },
        "address" => {
            let steps = found.missing().iter().cloned();
            Some(Value::from(steps.fold(found.target().address(), Address::step).to_string()))
        }
        "type" | "comment" | "text" | "value" | "value_kind" => Some(Value::from("")),
        "labels" => Value::list(Type::String, std::iter::empty()).ok(),
        _ => None,
    }
}

fn property(found: &QueryMatch<'_>, name: &str, account: &Account) -> Value {
    let target = found.target();
    let text = |text: &str| match account.text(text.len()) {
        Ok(()) => Value::from(text),
        Err(_) => Value::unknown(Type::String),
    };
    match name {
        "kind" => Value::from(kind(target)),
        "type" => Value::from(block_type(target)),
        "name" => Value::from(super::described::name(target)),
        "labels" => {
            let labels = labels(target).into_iter().map(Value::from);
            Value::list(Type::String, labels).unwrap_or_else(|_| Value::unknown(Type::list(Type::String)))
        }
        "address" => Value::from(target.address().to_string()),
        "file" => Value::from(target.place().source().name()),
        "line" => Value::from(found.position().line),
        "column" => Value::from(found.position().column),
        "end_line" => {
            let place = target.place();
            Value::from(place.source().position(place.span().end()).line)
        }
        "comment" => Value::from(comment(target)),
        "text" => text(target.text()),
        "value_kind" => Value::from(value_kind(target)),
        _ => text(target.value_text().unwrap_or_default()),
    }
}
