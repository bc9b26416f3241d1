//! References to definitions, by their kinds.

use std::collections::BTreeMap;

use crate::schema::model::{Body, Defines, DefinitionKind, Otherwise, Schema};
use crate::stack;

/// The kinds of definitions of a language, with the names by which their addresses begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// The first names of addresses that begin with a name, such as `var`, with the kind.
    roots: BTreeMap<String, String>,
    /// The kinds whose addresses begin with a label or the name of an attribute.
    free: Vec<String>,
    functions: bool,
}

impl Kinds {
    pub fn of(schema: &Schema) -> Kinds {
        let mut kinds = Kinds::default();
        for part in &schema.parts {
            kinds.body(&part.body);
        }
        kinds
    }

    fn body(&mut self, body: &Body) {
        for attribute in &body.attributes {
            attribute.defines.iter().for_each(|defines| self.add(defines));
        }
        for block in &body.blocks {
            block.defines.iter().for_each(|defines| self.add(defines));
            stack::with_room(|| self.body(&block.body));
        }
        for one in &body.matches {
            one.cases.iter().for_each(|case| stack::with_room(|| self.body(&case.body)));
            if let Otherwise::Body(body) = &one.otherwise {
                stack::with_room(|| self.body(body));
            }
        }
    }

    fn add(&mut self, defines: &Defines) {
        self.functions |= defines.value == DefinitionKind::Function;
        for address in defines.address.iter().chain(&defines.aliases) {
            match address.split('.').next() {
                Some(root) if !root.is_empty() && !root.starts_with('{') => {
                    self.roots.insert(root.to_owned(), defines.kind.clone());
                }
                _ => self.free.push(defines.kind.clone()),
            }
        }
    }

    /// Returns true if files can define functions.
    pub fn defines_functions(&self) -> bool {
        self.functions
    }

    /// The kind that a reference is surely to, if it is none of those that are wanted.
    pub fn other_kind(&self, root: &str, wanted: &[String]) -> Option<&str> {
        if wanted.is_empty() {
            return None;
        }
        let kind = self.roots.get(root)?;
        let is_wanted = wanted.contains(kind) || wanted.iter().any(|kind| self.has_root(kind, root));
        (!is_wanted).then_some(kind)
    }

    fn has_root(&self, kind: &str, root: &str) -> bool {
        self.roots.get(root).is_some_and(|known| known == kind)
    }
}
