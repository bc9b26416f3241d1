//! The names of a schema, in the form of a table.

use hcl_lr_language::schema::model::Otherwise;
use hcl_lr_language::schema::{Body, Schema, Type};

use crate::table::{Name, Names};

/// The deepest level of bodies and objects that is listed; the bodies of some languages are within themselves.
const LEVELS: usize = 12;

impl Names {
    /// The names that a schema has for a kind of files, or for a part if no kind has this name.
    ///
    /// Returns `None` if the schema has neither.
    pub fn of_schema(schema: &Schema, kind: &str) -> Option<Names> {
        let part = schema.files.iter().find(|files| files.name == kind).map_or(kind, |files| &files.body);
        let mut names = Names::default();
        Walk { schema, names: &mut names, around: Vec::new() }.body("", &schema.part(part)?.body);
        Some(names)
    }
}

/// A walk through the bodies of a schema.
struct Walk<'a> {
    schema: &'a Schema,
    names: &'a mut Names,
    /// The bodies around the current one.
    around: Vec<*const Body>,
}

impl Walk<'_> {
    fn body(&mut self, prefix: &str, body: &Body) {
        let address = std::ptr::from_ref(body);
        if self.around.len() > LEVELS || self.around.contains(&address) {
            return;
        }
        self.around.push(address);
        for attribute in &body.attributes {
            let (since, until) = (attribute.since.clone(), attribute.until.clone());
            let mut shapes = Vec::new();
            self.shapes(&attribute.ty, &mut shapes, 0);
            let path = format!("{prefix}{}", attribute.name);
            self.add(path.clone(), Name { labels: None, shapes, required: attribute.required, since, until });
            self.members(&path, &attribute.ty, 0);
        }
        // Reserved names are errors.
        for block in body.blocks.iter().filter(|block| block.max != Some(0)) {
            let path = format!("{prefix}{}", block.name);
            let labels = block.labels.iter().filter(|label| !label.optional).count();
            let (since, until) = (block.since.clone(), block.until.clone());
            self.add(
                path.clone(),
                Name { labels: Some(labels), required: block.min > 0, since, until, ..Name::default() },
            );
            self.body(&format!("{path}."), &block.body);
        }
        for include in &body.includes {
            if let Some(part) = self.schema.part(&include.part) {
                self.body(prefix, &part.body);
            }
        }
        for matched in &body.matches {
            for case in &matched.cases {
                for value in &case.values {
                    self.body(&within(prefix, value), &case.body);
                }
            }
            match &matched.otherwise {
                Otherwise::Body(body) => self.body(prefix, body),
                _ if matched.catalog.is_some() => self.open(prefix),
                _ => {}
            }
        }
        if body.open {
            self.open(prefix);
        }
        self.around.pop();
    }

    /// Adds that a body may have any other names.
    fn open(&mut self, prefix: &str) {
        self.add(format!("{prefix}*"), Name { shapes: vec!["any".to_owned()], ..Name::default() });
    }

    /// Adds a name. A name that is a block and an attribute keeps both.
    fn add(&mut self, path: String, name: Name) {
        let known = self.names.all.entry(path).or_default();
        known.labels = known.labels.or(name.labels);
        known.shapes.extend(name.shapes);
        known.required |= name.required;
        known.since = known.since.take().or(name.since);
        known.until = known.until.take().or(name.until);
    }

    /// Adds the attributes of the objects that a value may be.
    fn members(&mut self, path: &str, ty: &Type, level: usize) {
        if level > LEVELS {
            return;
        }
        match ty {
            Type::Object(object) => {
                for attribute in &object.attributes {
                    let path = format!("{path}.{}", attribute.name);
                    let mut shapes = Vec::new();
                    self.shapes(&attribute.ty, &mut shapes, 0);
                    self.add(path.clone(), Name { shapes, required: !attribute.optional, ..Name::default() });
                    self.members(&path, &attribute.ty, level + 1);
                }
                if object.others.is_some() {
                    self.open(&format!("{path}."));
                }
            }
            Type::Part(name) => {
                if let Some(part) = self.schema.part(name) {
                    self.body(&format!("{path}."), &part.body);
                }
            }
            Type::List(item) | Type::Set(item) => self.members(path, item, level + 1),
            Type::Map(item) => {
                self.open(&format!("{path}."));
                self.members(path, item, level + 1);
            }
            Type::OneOf(types) | Type::Tuple(types) => types.iter().for_each(|ty| self.members(path, ty, level + 1)),
            Type::Named(name) => {
                if let Some(ty) = self.schema.types.get(name) {
                    self.members(path, ty, level + 1);
                }
            }
            _ => {}
        }
    }

    /// Adds the words for the kinds of values of a type.
    fn shapes(&self, ty: &Type, shapes: &mut Vec<String>, level: usize) {
        let word = match ty {
            Type::String | Type::Name(_) | Type::Catalog(_) | Type::Format(_) => "string",
            Type::Number(_) | Type::Integer(_) => "number",
            Type::Bool => "bool",
            Type::Literal(value) if value.as_str().is_some() => "string",
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => "list",
            Type::Map(_) => "map",
            Type::Object(_) | Type::Part(_) => "object",
            Type::Keyword(_) => "keyword",
            Type::Reference(_) | Type::Address(_) | Type::Path => "reference",
            Type::TypeExpression => "type",
            Type::OneOf(types) => return types.iter().for_each(|ty| self.shapes(ty, shapes, level)),
            Type::Named(name) if level < LEVELS => {
                return self.schema.types.get(name).into_iter().for_each(|ty| self.shapes(ty, shapes, level + 1));
            }
            _ => "any",
        };
        shapes.push(word.to_owned());
    }
}

/// The prefix of the names in a body for one value of a label or attribute: `a.b.` becomes `a.b[value].`.
fn within(prefix: &str, value: &str) -> String {
    match prefix.strip_suffix('.') {
        Some(path) => format!("{path}[{value}]."),
        None => prefix.to_owned(),
    }
}
