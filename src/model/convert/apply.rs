//! Applies a conversion to a value.

use super::plan::{Change, Plan, Rule, plan};
use super::settle::settled_unknown;
use super::{ConvertError, Safety, Search, settled_type};
use crate::limits::{Account, Exceeded};
use crate::model::number::Number;
use crate::model::path::{Located, PathStep};
use crate::model::text::Text;
use crate::model::types::texts;
use crate::model::types::{CollectionKind, ObjectType, Type};
use crate::model::unify::unify_in;
use crate::model::value::{Entries, Node, Value, View, common_type};
use crate::work;

/// The steps down to the part that is being converted; only errors read them.
type Steps = Vec<PathStep>;

/// A conversion that is under way.
struct Run<'s, 'a> {
    steps: Steps,
    /// For what only the values tell.
    search: &'s mut Search<'a>,
}

pub(super) fn apply(plan: &Plan, value: &Value, search: &mut Search<'_>) -> Result<Value, ConvertError> {
    run(plan, value, &mut Run { steps: Vec::new(), search })
}

impl From<Exceeded> for ConvertError {
    fn from(exceeded: Exceeded) -> ConvertError {
        ConvertError(Located::new(Vec::new(), exceeded.to_string()))
    }
}

/// Converts an unmarked, known primitive to a primitive: the same rows of the table as in the plan, without creating
/// one. `None` for all other values.
pub(super) fn primitive(value: &Value, to: &Type) -> Option<Result<Value, ConvertError>> {
    let steps = Vec::new();
    match (value.view(), to) {
        (View::String(_), Type::String) | (View::Number(_), Type::Number) | (View::Bool(_), Type::Bool) => {
            Some(Ok(value.clone()))
        }
        (View::Number(_) | View::Bool(_), Type::String) => Some(Ok(format_primitive(value))),
        (View::String(text), Type::Number) => Some(read_number(text, &steps)),
        (View::String(text), Type::Bool) => Some(read_bool(text, &steps)),
        _ => None,
    }
}

/// Counts the work of converting a primitive: the digits of a number are written, or read.
pub(super) fn count_leaf(value: &Value, to: &Type, account: &Account) -> Result<(), Exceeded> {
    match (value.view(), to) {
        (View::Number(number), Type::String) => {
            account.steps(number.steps_with(number))?;
            account.bytes(number.digit_bytes())
        }
        (View::String(text), Type::Number) => {
            // Longer texts are refused before their digits are read one by one.
            let words = text.len().min(Number::MAX_DIGITS as usize) as u64 / 16;
            account.steps(words * words / 16)?;
            account.bytes(8 * words * words + text.len() as u64)
        }
        _ => Ok(()),
    }
}

/// Returns the largest number of steps for sorting values.
pub(crate) fn steps_to_sort(items: &[Value]) -> u64 {
    let all = items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.steps()));
    all.saturating_mul(u64::from(items.len().checked_ilog2().unwrap_or(0)) + 1)
}

/// This and the functions that call it are recursive, so they have small frames.
fn run(plan: &Plan, value: &Value, state: &mut Run<'_, '_>) -> Result<Value, ConvertError> {
    work::step(1);
    state.search.account.steps(1)?;
    let Plan::Change(change) = plan else {
        return Ok(value.clone());
    };
    let converted = match value.node() {
        Some(_) if matches!(change.how, Rule::Undecided) => {
            let (_, marks) = value.unmark_deep();
            Value::unknown(change.to.clone()).with_marks(&marks)
        }
        Some(node) => run_node(change, node, state)?,
        None => run_leaf(change, value.unmarked(), state)?,
    };
    Ok(if value.is_marked() { converted.with_marks(&value.marks()) } else { converted })
}

fn run_leaf(change: &Change, value: &Value, state: &mut Run<'_, '_>) -> Result<Value, ConvertError> {
    if !value.is_known() {
        return Ok(settled_unknown(value, &change.to, state.search));
    }
    if value.is_null() {
        return Ok(Value::null(settled_type(&value.ty(), &change.to, state.search)));
    }
    count_leaf(value, &change.to, state.search.account)?;
    match &change.how {
        Rule::Format => Ok(format_primitive(value)),
        Rule::ReadNumber => read_number(value.as_str().unwrap_or_default(), &state.steps),
        Rule::ReadBool => read_bool(value.as_str().unwrap_or_default(), &state.steps),
        _ => fail(&state.steps, format!("{} required", change.to)),
    }
}

fn run_node(change: &Change, node: &Node, state: &mut Run<'_, '_>) -> Result<Value, ConvertError> {
    match &change.how {
        Rule::Elements { kind, each } => run_elements(*kind, each, change, node, state),
        Rule::Gather { kind, element, each, safety } => {
            let items = run_items(node, state, |at| &each[at])?;
            collect(*kind, element, change, node, items, *safety, state)
        }
        Rule::Tuple(each) => Ok(Value::tuple(run_items(node, state, |at| &each[at])?)),
        Rule::Object(each) => run_object(each, change, node, state),
        Rule::Spread { target, each } => run_spread(target, each, change, node, state),
        // A value with parts has neither a dynamic nor a primitive type.
        Rule::Late | Rule::Undecided | Rule::Format | Rule::ReadNumber | Rule::ReadBool => {
            fail(&state.steps, format!("{} required", change.to))
        }
    }
}

fn run_elements(
    kind: CollectionKind,
    each: &Plan,
    change: &Change,
    node: &Node,
    state: &mut Run<'_, '_>,
) -> Result<Value, ConvertError> {
    if kind == CollectionKind::List && has_open_length(node) {
        return Ok(Value::unknown(settled_type(&node.ty, &change.to, state.search)));
    }
    let items = run_items(node, state, |_| each)?;
    let element = change.to.element_type().unwrap_or(&Type::Dynamic);
    collect(kind, element, change, node, items, Safety::Safe, state)
}

/// Returns true if this is a set with unknown elements that may turn out to equal others, so that the length of a list
/// of them is unknown.
fn has_open_length(node: &Node) -> bool {
    matches!(node.ty, Type::Set(_)) && node.items.len() > 1 && node.shape.unknown
}

/// Every part through its plan.
fn run_items<'p>(
    node: &Node,
    state: &mut Run<'_, '_>,
    plan_of: impl Fn(usize) -> &'p Plan,
) -> Result<Vec<Value>, ConvertError> {
    state.search.account.elements(node.items.len())?;
    // The type of the new value may be a new one too.
    state.search.account.elements(node.items.len())?;
    let mut items = Vec::with_capacity(node.items.len());
    for (at, item) in node.items.iter().enumerate() {
        items.push(run_at(plan_of(at), node, at, item, state)?);
    }
    Ok(items)
}

fn run_at(plan: &Plan, node: &Node, at: usize, item: &Value, state: &mut Run<'_, '_>) -> Result<Value, ConvertError> {
    let Plan::Change(_) = plan else {
        return Ok(item.clone());
    };
    state.steps.push(step_to(node, at));
    let converted = run(plan, item, state)?;
    state.steps.pop();
    Ok(converted)
}

fn step_to(node: &Node, at: usize) -> PathStep {
    match (&node.ty, Entries::shared_name(node, at)) {
        (Type::Object(_), Some(name)) => PathStep::Attribute(name.clone()),
        (_, Some(key)) => PathStep::Key(key.clone()),
        _ => PathStep::Position(at),
    }
}

/// Builds a collection of converted elements. If the element type has a dynamic part, converted elements may have
/// different types; then they are unified. `planned` is the type that each was converted to.
fn collect(
    kind: CollectionKind,
    planned: &Type,
    change: &Change,
    node: &Node,
    mut items: Vec<Value>,
    safety: Safety,
    state: &mut Run<'_, '_>,
) -> Result<Value, ConvertError> {
    let wanted = change.to.element_type().cloned().unwrap_or(Type::Dynamic);
    let mut element = wanted.clone();
    if wanted.has_dynamic() {
        if items.is_empty() {
            let element_type = node.ty.element_type().filter(|_| wanted == Type::Dynamic);
            return Ok(Value::empty(kind, element_type.unwrap_or(&wanted).clone()));
        }
        element = unify_items(kind, planned, &mut items, safety, state)?;
    }
    if kind == CollectionKind::Set {
        state.search.account.steps(steps_to_sort(&items))?;
    }
    let built = match kind {
        CollectionKind::List => Value::list(element, items),
        CollectionKind::Set => Value::set(element, items),
        CollectionKind::Map => {
            let name = |at| Entries::shared_name(node, at).cloned().unwrap_or_default();
            let keys = (0..items.len()).map(name);
            let pairs: Vec<(Text, Value)> = keys.zip(items).collect();
            Value::map_of(element, pairs)
        }
    };
    built.map_err(|mismatch| below(mismatch.into(), &state.steps))
}

/// Returns true if elements with different types after conversion are unified. The official engine does that for all
/// lists, for maps of collections and of objects, but not for sets.
fn unifies(kind: CollectionKind, planned: &Type) -> bool {
    match kind {
        CollectionKind::List => true,
        CollectionKind::Set => false,
        CollectionKind::Map => planned.collection_kind().is_some() || matches!(planned, Type::Object(_)),
    }
}

/// Converts all items to one type and returns it.
fn unify_items(
    kind: CollectionKind,
    planned: &Type,
    items: &mut [Value],
    safety: Safety,
    state: &mut Run<'_, '_>,
) -> Result<Type, ConvertError> {
    let common = common_type(items.iter());
    let settled = |item: &Value| matches!(item.ty(), ty if ty == common || ty == Type::Dynamic);
    if items.iter().all(settled) {
        return Ok(common);
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    if !unifies(kind, planned) {
        return fail(&state.steps, one_type_text(kind));
    }
    let Some(unified) = unify_in(&types, safety, state.search) else {
        return fail(&state.steps, one_type_text(kind));
    };
    for item in items.iter_mut() {
        let ty = item.ty();
        if ty != unified {
            let Some(plan) = plan(&ty, &unified, safety, state.search) else {
                return fail(&state.steps, one_type_text(kind));
            };
            *item = run(&plan, item, state)?;
        }
    }
    // If they unify to dynamic, each keeps its own type: that is not a collection.
    let common = common_type(items.iter());
    let settled = |item: &Value| matches!(item.ty(), ty if ty == common || ty == Type::Dynamic);
    if !items.iter().all(settled) {
        return fail(&state.steps, one_type_text(kind));
    }
    Ok(common)
}

fn one_type_text(kind: CollectionKind) -> String {
    let kind = match kind {
        CollectionKind::List => "list",
        CollectionKind::Set => "set",
        CollectionKind::Map => "map",
    };
    format!("all elements of a {kind} must have the same type")
}

fn run_object(
    each: &[Option<(usize, Plan)>],
    change: &Change,
    node: &Node,
    state: &mut Run<'_, '_>,
) -> Result<Value, ConvertError> {
    let attributes = change.to.attributes().unwrap_or_default();
    state.search.account.elements(each.len())?;
    let mut items = Vec::with_capacity(each.len());
    for (source, want) in each.iter().zip(attributes) {
        items.push(match source {
            Some((at, plan)) => run_at(plan, node, *at, &node.items[*at], state)?,
            None => Value::null(want.ty().clone()),
        });
    }
    Ok(object_as(&change.to, items))
}

/// Builds an object of that type; if the type is dynamic, or a converted attribute has another type, of a new type.
fn object_as(ty: &Type, items: Vec<Value>) -> Value {
    let attributes = ty.attributes().unwrap_or_default();
    let exact = attributes.iter().zip(&items).all(|(want, item)| item.ty() == *want.ty());
    if exact {
        return Value::with_parts(ty.clone(), items);
    }
    let names = attributes.iter().map(|a| a.shared_name().clone());
    Value::object_of(names.zip(items).collect())
}

fn run_spread(
    target: &ObjectType,
    each: &[Option<Plan>],
    change: &Change,
    node: &Node,
    state: &mut Run<'_, '_>,
) -> Result<Value, ConvertError> {
    let settled = change.to.attributes().unwrap_or_default();
    state.search.account.elements(each.len())?;
    let mut items = Vec::with_capacity(each.len());
    for ((want, plan), settled) in target.attributes().iter().zip(each).zip(settled) {
        let position = node.keys.binary_search(want.shared_name());
        items.push(match (position, plan) {
            (Ok(at), Some(plan)) => run_at(plan, node, at, &node.items[at], state)?,
            (Ok(at), None) => {
                state.steps.push(step_to(node, at));
                let have = node.items[at].ty();
                return fail(&state.steps, texts::instead(&want.ty().to_string(), &have.to_string()));
            }
            (Err(_), _) if want.is_optional() => Value::null(settled.ty().clone()),
            (Err(_), _) => {
                return fail(&state.steps, format!("the map has no element \"{}\"", want.name()));
            }
        });
    }
    Ok(object_as(&change.to, items))
}

fn format_primitive(value: &Value) -> Value {
    match value.as_number() {
        Some(number) => Value::string(&number.to_string()),
        None => Value::string(if value.as_bool() == Some(true) { "true" } else { "false" }),
    }
}

fn read_number(text: &str, steps: &Steps) -> Result<Value, ConvertError> {
    match Number::parse(text) {
        Ok(number) => Ok(Value::from(number)),
        Err(why) => fail(steps, why.to_string()),
    }
}

fn read_bool(text: &str, steps: &Steps) -> Result<Value, ConvertError> {
    match text {
        "true" | "1" => return Ok(Value::from(true)),
        "false" | "0" => return Ok(Value::from(false)),
        _ => {}
    }
    let hint = ["true", "false"].into_iter().find(|word| text.eq_ignore_ascii_case(word));
    let hint = hint.map(|word| format!("; write \"{word}\" in lower case")).unwrap_or_default();
    fail(steps, format!("a bool is required{hint}"))
}

fn fail<T>(steps: &Steps, why: String) -> Result<T, ConvertError> {
    Err(ConvertError(Located::new(steps.clone(), why)))
}

/// Returns an error of a part with the path from the value that the conversion started at.
fn below(error: ConvertError, steps: &Steps) -> ConvertError {
    ConvertError(error.0.below(steps.clone()))
}
