//! References to definitions, by their kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::words::alternatives;
use crate::schema::model::{AttributeRole, Body, Defines, DefinitionKind, Otherwise, Schema};
use hcl_lr::stack;

/// The kinds of definitions of a language, by the first names of their addresses.
#[derive(Clone, Debug, Default)]
pub(in crate::schema) struct Kinds {
    /// The addresses by their first name, such as `var`.
    roots: BTreeMap<String, Vec<Address>>,
    /// The names that are defined only in some blocks.
    scoped: BTreeMap<String, Scoped>,
    functions: bool,
}

/// The blocks that define a name for their expressions.
#[derive(Clone, Debug, Default)]
struct Scoped {
    types: BTreeSet<String>,
    /// Attributes of these blocks.
    attributes: BTreeSet<String>,
}

/// The name of the current element in blocks that are repeated for each element.
pub(super) const EACH: &str = "each";

/// The name of the index in blocks that are repeated by a count.
pub(super) const COUNT: &str = "count";

/// The address of the definitions of a kind.
#[derive(Clone, Debug)]
struct Address {
    kind: String,
    /// The steps after the first name; `None` for a variable step such as a label.
    steps: Vec<Option<String>>,
    /// True if an address in other files follows.
    is_module: bool,
}

/// A step of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'s> {
    Name(&'s str),
    /// An index, or a computed step.
    Other,
}

impl Address {
    /// Returns the number of steps of a reference that this address covers; `None` if it does not match. A shorter
    /// reference matches if all its steps do.
    fn length(&self, steps: &[Step<'_>]) -> Option<usize> {
        let fits = |(wanted, step): (&Option<String>, &Step<'_>)| match (wanted, step) {
            (Some(wanted), Step::Name(name)) => wanted == name,
            (None, Step::Name(_)) => true,
            (_, Step::Other) => false,
        };
        self.steps.iter().zip(steps).all(fits).then_some(self.steps.len())
    }
}

impl Kinds {
    pub fn of(schema: &Schema) -> Kinds {
        let mut kinds = Kinds::default();
        for part in &schema.parts {
            kinds.body(&part.body);
        }
        // A definition can also have the name.
        let Kinds { roots, scoped, .. } = &mut kinds;
        scoped.retain(|name, _| !roots.contains_key(name));
        kinds
    }

    fn body(&mut self, body: &Body) {
        for attribute in &body.attributes {
            attribute.defines.iter().for_each(|defines| self.add(defines));
            match attribute.role {
                Some(AttributeRole::ForEach) => self.scope_by_attribute(EACH, &attribute.name),
                Some(AttributeRole::Count) => self.scope_by_attribute(COUNT, &attribute.name),
                _ => {}
            }
        }
        for block in &body.blocks {
            block.defines.iter().for_each(|defines| self.add(defines));
            let block_name = std::slice::from_ref(&block.name);
            let own = block.defines.iter().filter_map(|defines| {
                let name = defines.itself.as_ref()?;
                Some((name, if defines.itself_in.is_empty() { block_name } else { &defines.itself_in }))
            });
            for (name, types) in own.chain(block.names.iter().map(|name| (name, block_name))) {
                self.scoped.entry(name.clone()).or_default().types.extend(types.iter().cloned());
            }
            stack::with_room(|| self.body(&block.body));
        }
        for matched in &body.matches {
            matched.cases.iter().for_each(|case| stack::with_room(|| self.body(&case.body)));
            if let Otherwise::Body(body) = &matched.otherwise {
                stack::with_room(|| self.body(body));
            }
        }
    }

    fn scope_by_attribute(&mut self, name: &str, attribute: &str) {
        self.scoped.entry(name.to_owned()).or_default().attributes.insert(attribute.to_owned());
    }

    /// Returns the names that are defined only in some blocks.
    pub fn scoped(&self) -> impl Iterator<Item = &str> {
        self.scoped.keys().map(String::as_str)
    }

    /// Returns the first names of the addresses of definitions, also of those in other blocks.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.roots.keys().map(String::as_str)
    }

    /// Describes the blocks that define the name.
    pub fn place_of_scoped(&self, name: &str) -> String {
        let quoted =
            |names: &BTreeSet<String>| alternatives(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
        match self.scoped.get(name) {
            Some(scoped) if !scoped.attributes.is_empty() => format!("blocks that set {}", quoted(&scoped.attributes)),
            Some(scoped) => format!("{} blocks", quoted(&scoped.types)),
            None => "other blocks".to_owned(),
        }
    }

    fn add(&mut self, defines: &Defines) {
        self.functions |= defines.value == DefinitionKind::Function;
        for address in defines.address.iter().chain(&defines.aliases) {
            let mut steps = address.split('.').map(|step| (!step.starts_with('{')).then(|| step.to_owned()));
            // An address that begins with a label can begin with any name.
            let Some(Some(root)) = steps.next() else { continue };
            let is_module = defines.value == DefinitionKind::Module;
            let address = Address { kind: defines.kind.clone(), steps: steps.collect(), is_module };
            self.roots.entry(root).or_default().push(address);
        }
    }

    /// Returns true if files can define functions.
    pub fn defines_functions(&self) -> bool {
        self.functions
    }

    /// Returns the kind of the definition that a reference certainly names, if that kind is not wanted. `outside` is
    /// true if the address may be in another module.
    pub(super) fn other_kind(&self, root: &str, steps: &[Step<'_>], wanted: &[String], outside: bool) -> Option<&str> {
        if wanted.is_empty() {
            return None;
        }
        let mut fitting: Vec<(&Address, usize)> = Vec::new();
        for address in self.roots.get(root)? {
            if let Some(length) = address.length(steps) {
                // The results of a module are defined in its files, and can be of any kind.
                let behind = steps.get(length..).unwrap_or_default();
                if outside && address.is_module && behind.iter().any(|step| matches!(step, Step::Name(_))) {
                    return None;
                }
                fitting.push((address, length));
            }
        }
        // The longer of two addresses is more precise: `table.users.column.id` is a column.
        let longest_complete = fitting.iter().map(|(_, length)| *length).filter(|length| *length <= steps.len()).max();
        fitting.retain(|(_, length)| longest_complete.is_none_or(|longest| *length >= longest));
        let is_wanted = fitting.iter().any(|(address, _)| wanted.contains(&address.kind));
        fitting.first().filter(|_| !is_wanted).map(|(address, _)| address.kind.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> Kinds {
        let mut kinds = Kinds::default();
        let module = DefinitionKind::Module;
        kinds.add(&Defines::new("table", DefinitionKind::Object, "table.{name}"));
        kinds.add(&Defines::new("column", DefinitionKind::Object, "table.{table}.column.{name}"));
        kinds.add(&Defines::new("variable", DefinitionKind::Input, "var.{name}"));
        kinds.add(&Defines::new("module", module, "module.{name}"));
        kinds.add(&Defines::new("resource", DefinitionKind::Object, "{type}.{name}"));
        kinds
    }

    /// A reference, the wanted kinds, and the wrong kind that it has: as an expression, then as an address.
    type Case = (&'static str, &'static [&'static str], Option<&'static str>, Option<&'static str>);

    #[test]
    fn references_are_of_kinds() {
        let cases: [Case; 11] = [
            ("var.a", &["variable"], None, None),
            ("var.a", &["resource"], Some("variable"), Some("variable")),
            ("aws.a", &["variable"], None, None),
            ("table.users", &["table"], None, None),
            ("table.users", &["column"], None, None),
            ("table.users.column.id", &["column"], None, None),
            ("table.users.column.id", &["table"], Some("column"), Some("column")),
            ("table.users.size", &["column"], Some("table"), Some("table")),
            ("module.net", &["resource"], Some("module"), Some("module")),
            ("module.net.aws_vpc.a", &["resource"], Some("module"), None),
            ("module.net.[].aws_vpc.a", &["resource"], Some("module"), None),
        ];
        let kinds = kinds();
        for (text, wanted, in_expression, as_address) in cases {
            let mut steps = text.split('.');
            let root = steps.next().expect("a root");
            let steps: Vec<Step<'_>> =
                steps.map(|step| if step == "[]" { Step::Other } else { Step::Name(step) }).collect();
            let wanted: Vec<String> = wanted.iter().map(|kind| (*kind).to_owned()).collect();
            assert_eq!(kinds.other_kind(root, &steps, &wanted, false), in_expression, "{text}");
            assert_eq!(kinds.other_kind(root, &steps, &wanted, true), as_address, "{text} as an address");
        }
    }
}
