//! The variables of an expression, put together from what it refers to.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::program::FrameId;
use crate::model::Value;

/// What a name stands for.
enum Part {
    Value(Value),
    Object(Names),
    /// Objects of a frame of which only some attributes are looked at.
    Instances(FrameId, BTreeMap<Box<str>, usize>),
}

/// What stands below a name.
type Names = BTreeMap<Arc<str>, Part>;

/// What is at paths such as `local.region`. No path is deeper than the patterns of the roles.
#[derive(Default)]
pub(super) struct Tree {
    names: Names,
}

impl Tree {
    /// The place for the last name of a path; `None` if a name before it has a value of its own.
    fn place<'t>(&'t mut self, path: &[Arc<str>]) -> Option<(&'t mut Names, Arc<str>)> {
        let (last, before) = path.split_last()?;
        let mut names = &mut self.names;
        for name in before {
            let part = names.entry(name.clone()).or_insert_with(|| Part::Object(Names::new()));
            match part {
                Part::Object(inner) => names = inner,
                Part::Value(_) | Part::Instances(..) => return None,
            }
        }
        Some((names, last.clone()))
    }

    /// Sets the value at a path, with all that is below.
    pub fn set(&mut self, path: &[Arc<str>], value: Value) {
        if let Some((names, last)) = self.place(path) {
            names.insert(last, Part::Value(value));
        }
    }

    /// Says that there is an object at a path.
    pub fn branch(&mut self, path: &[Arc<str>]) {
        if let Some((names, last)) = self.place(path) {
            names.entry(last).or_insert_with(|| Part::Object(Names::new()));
        }
    }

    /// Says that an attribute of what is repeated at a path is looked at.
    pub fn part(&mut self, path: &[Arc<str>], frame: FrameId, name: Box<str>, node: usize) {
        let Some((names, last)) = self.place(path) else { return };
        match names.entry(last).or_insert_with(|| Part::Instances(frame, BTreeMap::new())) {
            Part::Instances(_, parts) => {
                parts.insert(name, node);
            }
            Part::Value(_) | Part::Object(_) => {}
        }
    }

    /// Says that it is looked at what a block is repeated for.
    pub fn instances(&mut self, path: &[Arc<str>], frame: FrameId) {
        let Some((names, last)) = self.place(path) else { return };
        names.entry(last).or_insert_with(|| Part::Instances(frame, BTreeMap::new()));
    }

    /// The values of the variables.
    pub fn into_variables(self, collect: &dyn Fn(FrameId, Vec<(Box<str>, usize)>) -> Value) -> HashMap<String, Value> {
        self.names.into_iter().map(|(name, part)| ((*name).to_owned(), part.into_value(collect))).collect()
    }
}

impl Part {
    fn into_value(self, collect: &dyn Fn(FrameId, Vec<(Box<str>, usize)>) -> Value) -> Value {
        match self {
            Part::Value(value) => value,
            Part::Object(names) => {
                Value::object(names.into_iter().map(|(name, part)| (name, part.into_value(collect))))
            }
            Part::Instances(frame, parts) => collect(frame, parts.into_iter().collect()),
        }
    }
}
