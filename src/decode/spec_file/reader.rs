//! Reads specs from the blocks of a spec file.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::block::with_other_place;
use super::arguments::Arguments;
use super::read::{self, KINDS};
use super::{Spec, SpecFile};
use crate::body::{Block, Body, BodySchema, Content};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use crate::eval::Scope;
use crate::limits::Account;
use crate::model::Value;
use crate::source::Place;
use crate::stack;
use crate::user_functions::user_functions;

/// The term for a label of a spec in an `object`.
const PROPERTY: &str = "property name";

pub(super) fn read_file(body: &Body) -> Outcome<SpecFile> {
    let scope = Arc::new(Scope::new().with_functions(super::functions()));
    let mut reader = Reader { scope: scope.clone(), account: Account::default(), diagnostics: Diagnostics::new() };
    let (functions, rest) =
        user_functions(body, "function", move || scope.clone()).into_value_reporting_to(&mut reader.diagnostics);
    let schema = with_kinds(BodySchema::new().block("variables", &[]), &[]);
    let (content, whole) = reader.content(&rest, &schema);
    let variables = reader.variables(&content);
    let specs: Vec<&Block> = content.blocks().iter().filter(|block| block.block_type() != "variables").collect();
    let spec = match specs[..] {
        // The content has errors, which are reported.
        [] if !whole => None,
        [] => {
            let detail = "a spec file needs one block, which is the spec, such as `object { … }`";
            reader.missing(&content, detail);
            None
        }
        [only] => Some(reader.spec(only, None)),
        [first, second, ..] => {
            reader.extra(second, first, "a spec file has only one spec");
            None
        }
    };
    let Reader { mut diagnostics, .. } = reader;
    diagnostics.sort();
    let spec = spec.unwrap_or_else(|| SpecFile::default().spec);
    Outcome::new(SpecFile { spec, variables, functions }, diagnostics)
}

/// The schema with blocks of all kinds of specs.
fn with_kinds(schema: BodySchema, labels: &[&str]) -> BodySchema {
    KINDS.iter().fold(schema, |schema, (name, _)| schema.block(*name, labels))
}

fn all_kinds() -> String {
    let kinds: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    format!("the specs are {}", kinds.join(", "))
}

/// Returns the advice for a spec of an unknown name that resembles no known one.
fn help_for(name: &str) -> String {
    let meant = match name {
        "attribute" | "argument" | "field" => "attr",
        "string" | "number" | "bool" | "any" => return format!("did you mean \"attr\", with `type = {name}`?"),
        "tuple" => "array",
        "list" | "blocks" => "block_list",
        "set" => "block_set",
        "map" => "block_map",
        "attrs" | "attributes" => "block_attrs",
        "value" | "constant" => "literal",
        _ => return all_kinds(),
    };
    format!("did you mean \"{meant}\"?")
}

/// Reads the specs of a file.
pub(super) struct Reader {
    /// The account for all types and defaults in the file.
    pub account: Account,
    /// The functions for expressions in the file.
    pub scope: Arc<Scope<'static>>,
    diagnostics: Diagnostics,
}

impl Reader {
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> T {
        outcome.into_value_reporting_to(&mut self.diagnostics)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn append(&mut self, diagnostics: Diagnostics) {
        self.diagnostics.append(diagnostics);
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Reads a block as a spec. In an `object`, the spec is for a property.
    pub fn spec(&mut self, block: &Block, property: Option<&str>) -> Spec {
        let kind = KINDS.iter().find(|(name, _)| *name == block.block_type());
        match kind {
            Some((_, read)) => stack::with_room(|| read(self, block, property)),
            // The schema lets no other block through.
            None => read::failed(),
        }
    }

    /// Reads the arguments of a block without inner specs.
    pub fn leaf<'b>(&mut self, block: &'b Block, schema: &BodySchema, property: Option<&'b str>) -> Arguments<'b> {
        let content = self.take(block.body().content(schema));
        Arguments { block, content, property }
    }

    /// Reads the arguments of a block with one inner spec, and that spec.
    pub fn wrapper<'b>(
        &mut self,
        block: &'b Block,
        schema: BodySchema,
        property: Option<&'b str>,
        purpose: &str,
    ) -> (Arguments<'b>, Spec) {
        let (content, whole) = self.content(block.body(), &with_kinds(schema, &[]));
        let spec = match content.blocks() {
            [] if !whole => read::failed(),
            [] => {
                let detail = format!("a `{}` block needs one spec in it, {purpose}", block.block_type());
                self.missing(&content, &detail);
                read::failed()
            }
            [only] => self.spec(only, None),
            [first, second, ..] => {
                let detail = format!("a `{}` block has only one spec in it, {purpose}", block.block_type());
                self.extra(second, first, &detail);
                read::failed()
            }
        };
        (Arguments { block, content, property }, spec)
    }

    /// Reads the specs in a block. Returns its content, whether all of it is valid, and the specs.
    pub fn specs(&mut self, block: &Block) -> (Content, bool, Vec<Spec>) {
        let (content, whole) = self.content(block.body(), &with_kinds(BodySchema::new(), &[]));
        let specs = content.blocks().iter().map(|block| self.spec(block, None)).collect();
        (content, whole, specs)
    }

    /// Returns the content of a body, and true if it has no errors.
    fn content(&mut self, body: &Body, schema: &BodySchema) -> (Content, bool) {
        let (value, diagnostics) = body.content(schema).into_parts();
        let whole = !diagnostics.has_errors();
        self.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| {
            match (diagnostic.code(), diagnostic.help()) {
                (Code::UnsupportedBlock, None) => {
                    let help = help_for(diagnostic.place().text());
                    diagnostic.with_help(help)
                }
                _ => diagnostic,
            }
        }));
        (value, whole)
    }

    /// The specs in an object, by their names.
    pub fn named_specs(&mut self, block: &Block) -> Vec<(String, Spec)> {
        let (content, _) = self.content(block.body(), &with_kinds(BodySchema::new(), &[PROPERTY]));
        let mut names: HashMap<String, Place> = HashMap::new();
        let mut specs = Vec::with_capacity(content.blocks().len());
        for block in content.blocks() {
            let Some(label) = block.labels().first() else { continue };
            if let Some(first) = names.insert(label.text().to_owned(), label.place().clone()) {
                let detail = format!("the object already has a property \"{}\", at {first}", label.text());
                let diagnostic = Diagnostic::warning(Code::DuplicateDefinition, label.place(), detail)
                    .with_label(first, "the first one is here");
                self.report(diagnostic.with_help("only the last one counts; give it another name"));
            }
            specs.push((label.text().to_owned(), self.spec(block, Some(label.text()))));
        }
        specs
    }

    pub fn missing(&mut self, content: &Content, detail: &str) {
        let place = content.missing_item_place();
        let diagnostic = Diagnostic::error(Code::MissingSpec, place, detail.to_owned());
        self.report(diagnostic.with_help(all_kinds()));
    }

    fn extra(&mut self, second: &Block, first: &Block, detail: &str) {
        let before = first.type_place();
        let detail = format!("{detail}, and there is already one at {before}");
        let help = "to have several values, put the specs into an `object` or an `array`";
        let diagnostic = Diagnostic::error(Code::ExtraSpec, second.type_place(), detail).with_help(help);
        self.report(with_other_place(diagnostic, &before, "the first one is here"));
    }

    /// The values of all `variables` blocks.
    fn variables(&mut self, content: &Content) -> HashMap<String, Value> {
        let mut variables = HashMap::new();
        for block in content.blocks_of_type("variables") {
            for attribute in self.take(block.body().attributes()) {
                let value = self.take(attribute.expression().evaluate_partially(&self.scope.clone()));
                variables.insert(attribute.name().to_owned(), value);
            }
        }
        variables
    }
}
