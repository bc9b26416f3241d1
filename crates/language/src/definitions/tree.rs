//! Builds the variables of an expression from the definitions that it refers to.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::ids::{FrameId, NodeId};
use hcl_lr::model::Value;

/// The content of the elements of a collection.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Collection {
    /// The value of a node.
    Whole(NodeId),
    /// An object of parts. A part without a node is only known later.
    Parts(Vec<(Box<str>, Option<NodeId>)>),
}

/// The content of a name.
enum Part {
    Value(Value),
    Object(Names),
    /// Objects of a frame of which only some attributes are looked at.
    Instances(FrameId, BTreeMap<Box<str>, Option<NodeId>>),
}

/// The names below a name, in order. Most expressions have few, for which a map takes more memory.
#[derive(Default)]
struct Names(Vec<(Arc<str>, Part)>);

impl Names {
    /// The part with a name, which is the last one so far or comes after it.
    fn entry(&mut self, name: &Arc<str>, make: impl FnOnce() -> Part) -> &mut Part {
        let is_known = self.0.last().is_some_and(|(last, _)| last == name);
        if !is_known {
            debug_assert!(self.0.last().is_none_or(|(last, _)| last < name), "the paths are not in order");
            self.0.push((name.clone(), make()));
        }
        let last = self.0.len() - 1;
        &mut self.0[last].1
    }
}

/// Builds the values at paths such as `local.region`, which are given in their order. No path is deeper than the
/// patterns of the roles.
#[derive(Default)]
pub(super) struct Tree {
    names: Names,
}

impl Tree {
    /// The place for the last name of a path; `None` if a name before it has a value of its own.
    fn place<'t, 'p>(&'t mut self, path: &'p [Arc<str>]) -> Option<(&'t mut Names, &'p Arc<str>)> {
        let (last, before) = path.split_last()?;
        let mut names = &mut self.names;
        for name in before {
            match names.entry(name, || Part::Object(Names::default())) {
                Part::Object(inner) => names = inner,
                Part::Value(_) | Part::Instances(..) => return None,
            }
        }
        Some((names, last))
    }

    /// Sets the value at a path, with all that is below.
    pub fn set(&mut self, path: &[Arc<str>], value: Value) {
        if let Some((names, last)) = self.place(path) {
            *names.entry(last, || Part::Object(Names::default())) = Part::Value(value);
        }
    }

    /// Says that there is an object at a path.
    pub fn branch(&mut self, path: &[Arc<str>]) {
        if let Some((names, last)) = self.place(path) {
            names.entry(last, || Part::Object(Names::default()));
        }
    }

    /// Says that an attribute of what is repeated at a path is looked at.
    pub fn part(&mut self, path: &[Arc<str>], frame: FrameId, name: Box<str>, node: Option<NodeId>) {
        let Some((names, last)) = self.place(path) else { return };
        match names.entry(last, || Part::Instances(frame, BTreeMap::new())) {
            Part::Instances(_, parts) => {
                parts.insert(name, node);
            }
            Part::Value(_) | Part::Object(_) => {}
        }
    }

    /// Says that it is looked at what a block is repeated for.
    pub fn instances(&mut self, path: &[Arc<str>], frame: FrameId) {
        let Some((names, last)) = self.place(path) else { return };
        names.entry(last, || Part::Instances(frame, BTreeMap::new()));
    }

    /// The values of the variables.
    pub fn into_variables(self, collect: &dyn Fn(FrameId, Collection) -> Value) -> HashMap<String, Value> {
        self.names.0.into_iter().map(|(name, part)| ((*name).to_owned(), part.into_value(collect))).collect()
    }
}

impl Part {
    fn into_value(self, collect: &dyn Fn(FrameId, Collection) -> Value) -> Value {
        match self {
            Part::Value(value) => value,
            Part::Object(names) => {
                Value::object(names.0.into_iter().map(|(name, part)| (name, part.into_value(collect))))
            }
            Part::Instances(frame, parts) => collect(frame, Collection::Parts(parts.into_iter().collect())),
        }
    }
}
