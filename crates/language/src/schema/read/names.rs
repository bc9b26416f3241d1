//! Checks that the names in a schema are defined.

use std::collections::{HashMap, HashSet};

use super::fields::Reading;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::eval::{Functions, Scope};

use crate::schema::model::{Body, Check, Match, Otherwise, Schema, Type, types_of_themselves};
use hcl_lr::internal::work;
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::stack;

/// Reports undefined names of parts, types, kinds, catalogs and attributes, parts that include themselves, and types
/// that are alternatives of themselves.
pub(super) fn check(schema: &Schema, reading: &mut Reading) {
    let mut kinds = HashSet::new();
    for part in &schema.parts {
        kinds_of(&part.body, &mut kinds);
    }
    let parts = schema.parts.iter().map(|part| (part.name.as_str(), &*part.body)).collect();
    let functions = schema.functions_of_checks();
    let mut names = Names { schema, reading, kinds, parts, functions };
    for files in &schema.files {
        if !files.body.is_empty() && !names.parts.contains_key(files.body.as_str()) {
            names.unknown("part", &files.body, &files.place);
        }
    }
    for ty in schema.types.values() {
        names.ty(ty, &schema.place);
    }
    for name in types_of_themselves(&schema.types) {
        names.reading.error(schema.place.clone(), format!("the type \"{name}\" is an alternative of itself"));
    }
    let cycles = names.in_cycles();
    for part in &schema.parts {
        if cycles.contains(part.name.as_str()) {
            names.reading.error(part.place.clone(), format!("the part \"{}\" includes itself", part.name));
        }
        names.body(&part.body);
    }
}

fn kinds_of(body: &Body, kinds: &mut HashSet<String>) {
    kinds.extend(body.attributes.iter().filter_map(|attribute| Some(attribute.defines.as_ref()?.kind.clone())));
    for block in &body.blocks {
        kinds.extend(block.defines.as_ref().map(|defines| defines.kind.clone()));
        stack::with_room(|| kinds_of(&block.body, kinds));
    }
    for case in body.matches.iter().flat_map(|matched| &matched.cases) {
        stack::with_room(|| kinds_of(&case.body, kinds));
    }
    for matched in &body.matches {
        if let Otherwise::Body(body) = &matched.otherwise {
            stack::with_room(|| kinds_of(body, kinds));
        }
    }
}

struct Names<'s, 'r> {
    schema: &'s Schema,
    reading: &'r mut Reading,
    kinds: HashSet<String>,
    parts: HashMap<&'s str, &'s Body>,
    functions: Functions,
}

impl<'s> Names<'s, '_> {
    fn unknown(&mut self, what: &str, name: &str, place: &Place) {
        let known: Vec<&str> = match what {
            "part" => self.parts.keys().copied().collect(),
            "type" => self.schema.types.keys().map(String::as_str).collect(),
            "catalog" => self.schema.catalogs.iter().map(|catalog| catalog.name.as_str()).collect(),
            _ => self.kinds.iter().map(String::as_str).collect(),
        };
        let mut known = known;
        known.sort_unstable();
        let detail = format!("there is no {what} named \"{name}\"");
        let error = Diagnostic::error(Code::InvalidSchema, place, detail);
        self.reading.diagnostics.push(match error.with_similar(name, place, known.iter().copied()) {
            error if error.help().is_some() || known.is_empty() => error,
            error => error.with_help(format!("there are {}", known.join(", "))),
        });
    }

    fn body(&mut self, body: &Body) {
        let names = self.names_in(body);
        for (name, place) in &body.without {
            let detail = format!("\"{name}\" cannot be taken out: the extended language has no such body");
            self.reading.error(place.clone(), detail);
        }
        for include in &body.includes {
            if !self.parts.contains_key(include.part.as_str()) {
                self.unknown("part", &include.part, &include.place);
            }
        }
        let mut seen = HashSet::new();
        for attribute in &body.attributes {
            self.ty(&attribute.ty, &attribute.place);
            if !attribute.checks.is_empty() {
                let named = |ty: &Type| self.named(ty);
                let value = Value::unknown(attribute.ty.value_type(&named).without_optional_attributes());
                self.conditions(&attribute.checks, &[("value", value)]);
            }
            if let Type::TypedBy(name) = &attribute.ty
                && !names.contains(name.as_str())
            {
                let detail = format!("there is no attribute \"{name}\" in this body that is a type");
                self.reading.error(attribute.place.clone(), detail);
            }
            if !seen.insert((attribute.name.as_str(), false)) {
                self.reading
                    .error(attribute.place.clone(), format!("there is an attribute \"{}\" already", attribute.name));
            }
            if let Some(deprecated) = &attribute.deprecated {
                self.replacement(deprecated.replacement.as_deref(), &names, &deprecated.place);
            }
            if let Some(kind) = &attribute.assigns
                && !self.kinds.contains(kind)
            {
                self.unknown("kind of definitions", kind, &attribute.place);
            }
        }
        for rule in &body.rules {
            for name in rule.names.iter().filter(|name| !names.contains(name.as_str())) {
                let detail = format!("there is neither an attribute nor a block \"{name}\" in this body");
                self.reading.error(rule.place.clone(), detail);
            }
        }
        let of_body = ["body", "labels"].map(|name| (name, Value::UNKNOWN));
        self.conditions(&body.checks, &of_body);
        for matched in &body.matches {
            self.matched(matched);
        }
        for block in &body.blocks {
            if !seen.insert((block.name.as_str(), true)) {
                self.reading.error(block.place.clone(), format!("there is a block \"{}\" already", block.name));
            }
            for label in &block.labels {
                self.ty(&label.ty, &label.place);
            }
            if let Some(deprecated) = &block.deprecated {
                self.replacement(deprecated.replacement.as_deref(), &names, &deprecated.place);
            }
            stack::with_room(|| self.body(&block.body));
        }
    }

    /// Returns the type that a type name stands for.
    fn named(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Named(name) => self.schema.types.get(name).cloned(),
            _ => None,
        }
    }

    /// Reports errors in conditions that do not depend on the value, such as undefined functions.
    fn conditions(&mut self, checks: &[Check], variables: &[(&str, Value)]) {
        for check in checks {
            let scope = Scope::new().with_functions(self.functions.clone());
            let scope = variables.iter().fold(scope, |scope, (name, value)| scope.with(*name, value.clone()));
            if let Err(wrong) = check.condition.evaluate(&scope) {
                self.reading.diagnostics.append(wrong);
            }
        }
    }

    fn matched(&mut self, matched: &Match) {
        if let Some(catalog) = &matched.catalog
            && self.schema.catalog(catalog).is_none()
        {
            self.unknown("catalog", catalog, &matched.place);
        }
        let mut values = HashSet::new();
        for case in &matched.cases {
            for value in &case.values {
                if !values.insert(value.as_str()) {
                    self.reading.error(case.place.clone(), format!("there is a case \"{value}\" already"));
                }
            }
            stack::with_room(|| self.body(&case.body));
        }
        if let Otherwise::Body(body) = &matched.otherwise {
            stack::with_room(|| self.body(body));
        }
    }

    fn replacement(&mut self, name: Option<&str>, names: &HashSet<&str>, place: &Place) {
        if let Some(name) = name
            && !names.contains(name)
        {
            let detail = format!("there is neither an attribute nor a block \"{name}\" in this body to use");
            self.reading.error(place.clone(), detail);
        }
    }

    /// Returns the names of the possible attributes and blocks of a body.
    fn names_in<'b>(&self, body: &'b Body) -> HashSet<&'b str>
    where
        's: 'b,
    {
        let mut names = HashSet::new();
        let (mut waiting, mut included): (Vec<&'b Body>, HashSet<&str>) = (vec![body], HashSet::new());
        while let Some(body) = waiting.pop() {
            names.extend(body.attributes.iter().map(|attribute| attribute.name.as_str()));
            names.extend(body.blocks.iter().map(|block| block.name.as_str()));
            for matched in &body.matches {
                waiting.extend(matched.cases.iter().map(|case| &*case.body));
                if let Otherwise::Body(body) = &matched.otherwise {
                    waiting.push(body);
                }
            }
            for include in &body.includes {
                if included.insert(&include.part)
                    && let Some(part) = self.parts.get(include.part.as_str())
                {
                    waiting.push(*part);
                }
            }
        }
        names
    }

    /// Returns the parts that include themselves, perhaps through others: those of strongly connected components with
    /// more than one part, and those that include themselves directly. Uses Tarjan's algorithm with an explicit stack.
    fn in_cycles(&self) -> HashSet<&'s str> {
        let mut found = HashSet::new();
        let mut numbers: HashMap<&'s str, usize> = HashMap::new();
        let mut lowest: Vec<usize> = Vec::new();
        let (mut open, mut is_open): (Vec<&'s str>, HashSet<&'s str>) = (Vec::new(), HashSet::new());
        for start in &self.schema.parts {
            let mut path: Vec<(&'s str, usize)> = vec![(&start.name, 0)];
            while let Some((name, next)) = path.pop() {
                let Some(body) = self.parts.get(name).copied() else { continue };
                if next == 0 {
                    if numbers.contains_key(name) {
                        continue;
                    }
                    numbers.insert(name, lowest.len());
                    lowest.push(lowest.len());
                    open.push(name);
                    is_open.insert(name);
                }
                work::step(1);
                let number = numbers[name];
                if let Some(before) = next.checked_sub(1).and_then(|at| body.includes.get(at)) {
                    let part = before.part.as_str();
                    if is_open.contains(part) {
                        lowest[number] = lowest[number].min(lowest[numbers[part]]);
                    }
                    if part == name {
                        found.insert(name);
                    }
                }
                if let Some(include) = body.includes.get(next) {
                    path.extend([(name, next + 1), (include.part.as_str(), 0)]);
                    continue;
                }
                if lowest[number] == number {
                    let at = open.iter().rposition(|part| *part == name).unwrap_or_default();
                    let component = open.split_off(at);
                    for part in &component {
                        is_open.remove(part);
                    }
                    if component.len() > 1 {
                        found.extend(component);
                    }
                }
            }
        }
        found
    }

    fn ty(&mut self, ty: &Type, place: &Place) {
        match ty {
            Type::Named(name) if !self.schema.types.contains_key(name) => {
                let help = "types are string, number, integer, bool, any, list(…), map(…), object({…}), one_of(…), \
                            keyword(…), reference(…), formats such as duration, and names of `types`";
                let detail = format!("there is no type named \"{name}\"");
                let error = Diagnostic::error(Code::InvalidSchema, place, detail);
                self.reading.diagnostics.push(error.with_help(help));
            }
            Type::Part(name) if !self.parts.contains_key(name.as_str()) => self.unknown("part", name, place),
            Type::Catalog(name) if self.schema.catalog(name).is_none() => self.unknown("catalog", name, place),
            Type::Reference(kinds) | Type::Address(kinds) => self.kinds(kinds, place),
            Type::Name(name) => self.kinds(&name.kinds, place),
            Type::List(inner) | Type::Set(inner) | Type::Map(inner) => stack::with_room(|| self.ty(inner, place)),
            Type::Tuple(types) | Type::OneOf(types) => {
                types.iter().for_each(|ty| stack::with_room(|| self.ty(ty, place)));
            }
            Type::Object(object) => {
                let types = object.attributes.iter().map(|attribute| &attribute.ty).chain(&object.others);
                types.for_each(|ty| stack::with_room(|| self.ty(ty, place)));
            }
            _ => {}
        }
    }

    fn kinds(&mut self, kinds: &[String], place: &Place) {
        for kind in kinds.iter().filter(|kind| !self.kinds.contains(*kind)).cloned().collect::<Vec<_>>() {
            self.unknown("kind of definitions", &kind, place);
        }
    }
}
