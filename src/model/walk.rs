//! Visiting and rebuilding values part by part.

use super::path::{Path, PathStep};
use super::types::{Type, TypeMismatch};
use super::value::{Entries, Node, Value};

/// The steps from the value that a walk started at. They are kept as a list, which is copied only if a path is
/// requested.
#[derive(Default)]
pub(crate) struct Steps(Vec<PathStep>);

impl Steps {
    pub fn enter(&mut self, node: &Node, at: usize) {
        self.0.push(step_to(node, at));
    }

    pub fn leave(&mut self) {
        self.0.pop();
    }

    pub fn path(&self) -> Path {
        self.0.clone().into()
    }
}

fn step_to(node: &Node, at: usize) -> PathStep {
    match (&node.ty, Entries::shared_name(node, at)) {
        (Type::Object(_), Some(name)) => PathStep::Attribute(name.clone()),
        (Type::Map(_), Some(key)) => PathStep::Key(key.clone()),
        (Type::Set(_), _) => PathStep::Element(node.items[at].clone()),
        _ => PathStep::Position(at),
    }
}

/// Calls `visit` for the value and for every part of it, the whole before its parts. If `visit` returns false, the
/// parts are skipped.
///
/// ```
/// use hcl_lr::model::{walk::walk, Value};
/// let value = Value::tuple([Value::from("a"), Value::tuple([Value::from("b")])]);
/// let mut texts = Vec::new();
/// walk(&value, |path, part| {
///     texts.extend(part.as_str().map(|text| format!("{path} {text}")));
///     true
/// });
/// assert_eq!(texts, ["[0] a", "[1][0] b"]);
/// ```
pub fn walk(value: &Value, mut visit: impl FnMut(&Path, &Value) -> bool) {
    let mut steps = Vec::new();
    walk_part(value, &mut steps, &mut visit);
}

fn walk_part(value: &Value, steps: &mut Vec<PathStep>, visit: &mut dyn FnMut(&Path, &Value) -> bool) {
    // The path is moved to the visitor and back, so that no step is copied.
    let path = Path::from(std::mem::take(steps));
    let go_on = visit(&path, value);
    *steps = path.into_steps();
    let Some(node) = value.node().filter(|_| go_on) else {
        return;
    };
    for at in 0..node.items.len() {
        steps.push(step_to(node, at));
        walk_part(&node.items[at], steps, visit);
        steps.pop();
    }
}

/// Rebuilds a value from the inside out: `change` gets each part after its own parts have been changed, and its result
/// replaces the part, so that it also decides on the marks of the part.
///
/// # Errors
/// The errors of `change`; and a [`TypeMismatch`], if the elements of a list, set or map no longer have one type.
///
/// ```
/// use hcl_lr::model::{walk::transform, TypeMismatch, Value};
/// let value = Value::tuple([Value::from("a"), Value::from(1)]);
/// let loud = transform(&value, |_, part| {
///     Ok::<_, TypeMismatch>(match part.as_str() {
///         Some(text) => Value::from(text.to_uppercase()),
///         None => part,
///     })
/// })?;
/// assert_eq!(loud.to_string(), r#"["A", 1]"#);
/// # Ok::<(), TypeMismatch>(())
/// ```
pub fn transform<E: From<TypeMismatch>>(
    value: &Value,
    mut change: impl FnMut(&Path, Value) -> Result<Value, E>,
) -> Result<Value, E> {
    transform_part(value, &mut Vec::new(), &mut change)
}

type Change<'a, E> = dyn FnMut(&Path, Value) -> Result<Value, E> + 'a;

fn transform_part<E: From<TypeMismatch>>(
    value: &Value,
    steps: &mut Vec<PathStep>,
    change: &mut Change<'_, E>,
) -> Result<Value, E> {
    let Some(node) = value.node() else {
        return changed(value.clone(), steps, change);
    };
    let mut items = Vec::with_capacity(node.items.len());
    for at in 0..node.items.len() {
        steps.push(step_to(node, at));
        items.push(transform_part(&node.items[at], steps, change)?);
        steps.pop();
    }
    changed(rebuilt(node, items)?.with_marks(&value.marks()), steps, change)
}

fn changed<E>(value: Value, steps: &mut Vec<PathStep>, change: &mut Change<'_, E>) -> Result<Value, E> {
    let path = Path::from(std::mem::take(steps));
    let answer = change(&path, value);
    *steps = path.into_steps();
    answer
}

/// Returns a value like `node` with other parts. If the element type no longer fits, it is determined again.
fn rebuilt(node: &Node, items: Vec<Value>) -> Result<Value, TypeMismatch> {
    let element = match node.ty.element_type() {
        Some(element) if items.iter().all(|item| item.ty() == *element) => element.clone(),
        _ => super::value::common_type(&items),
    };
    let names = || (0..items.len()).filter_map(|at| Entries::shared_name(node, at).cloned());
    match &node.ty {
        Type::List(_) => Value::list(element, items),
        Type::Set(_) => Value::set(element, items),
        Type::Map(_) => {
            let names: Vec<_> = names().collect();
            Value::map_of(element, names.into_iter().zip(items).collect())
        }
        Type::Object(_) => {
            let names: Vec<_> = names().collect();
            Ok(Value::object_of(names.into_iter().zip(items).collect()))
        }
        _ => Ok(Value::tuple(items)),
    }
}
