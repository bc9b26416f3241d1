//! The values of files by a schema: references are resolved, defaults filled in, and blocks repeated.
//!
//! Each body becomes a value and a body without expressions. In `server "web" { port = var.port }`, with a default for
//! `host`, the attributes of the body are `port = 80` and `host = "localhost"`: the value is decoded from them, and so are
//! types in Rust. The case that a `match` selects is known here, so its contents are like any others.

mod cases;
mod values;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use crate::definitions::{BlockSite, Evaluated, Sites};
use crate::schema::check::Checker;
use crate::schema::check::judge::Judge;
use crate::schema::facts::Facts;
use crate::schema::index::Layers;
use crate::schema::model::{Block as KnownBlock, Files, Form};
use crate::schema::produce::{block_schema, blocks_spec};
use hcl_lr::body::{Attribute, Block, BlockLabel, BlockSchema, Body, BodyBuilder, BodySchema, Content, Expression};
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use hcl_lr::dynamic::{Expander, NeededVariables};
use hcl_lr::model::{self, Value, View};
use hcl_lr::source::Place;
use hcl_lr::stack;
use hcl_lr::syntax::Traversal;

/// The name of the attribute that has the value of a nested body.
const VALUE: &str = "value";

/// The maximum number of levels of blocks to search for references of `dynamic` blocks.
const MAX_DEPTH: usize = 64;

/// A body with the values of its expressions.
pub struct Resolved {
    /// The value of the body.
    pub value: Value,
    /// The body, whose expressions are values.
    pub body: Body,
    /// The errors in the attributes, blocks and labels that there are. A check of the files finds those that do not depend
    /// on values.
    pub misplaced: Diagnostics,
}

impl Checker {
    /// Resolves a body of a kind of files with the values of definitions.
    #[doc(hidden)]
    pub fn resolve(&self, files: &Files, body: &Body, facts: &Facts, evaluated: &Evaluated) -> Outcome<Resolved> {
        let mut resolver = Resolver {
            checker: self,
            judge: Judge::new(self, facts),
            sites: evaluated.sites(),
            diagnostics: Diagnostics::new(),
            misplaced: Diagnostics::new(),
            missing: BTreeMap::new(),
            unexplained: Vec::new(),
        };
        let layers = self.index().files(files).unwrap_or_else(|| self.index().anything());
        let around = Around {
            parent: None,
            block: None,
            labels: &[],
            body: body.clone(),
            site: BlockSite::ROOT,
            layers,
            keys: Mutex::default(),
        };
        let mut resolved = resolver.resolve_body(&around, None);
        resolved.misplaced = std::mem::take(&mut resolver.misplaced);
        Outcome::new(resolved, resolver.all_errors(evaluated))
    }
}

struct Resolver<'c> {
    checker: &'c Checker,
    judge: Judge<'c>,
    sites: Sites<'c>,
    diagnostics: Diagnostics,
    /// Errors in the attributes, blocks and labels that there are.
    misplaced: Diagnostics,
    /// The inputs without a value that a value needs, by the place of the name, with the first place that needs it.
    missing: BTreeMap<(String, usize), (String, Place)>,
    /// The places of unknown values that do not depend on such inputs.
    unexplained: Vec<Place>,
}

/// A body, and the bodies around it.
struct Around<'a, 'c> {
    parent: Option<&'a Around<'a, 'c>>,
    block: Option<&'c KnownBlock>,
    labels: &'a [BlockLabel],
    body: Body,
    site: BlockSite,
    /// Its contents, without those of cases.
    layers: Layers<'c>,
    /// The values of its labels and attributes on which contents depend.
    keys: Mutex<BTreeMap<String, Option<String>>>,
}

/// A body under way.
struct Level {
    body: BodyBuilder,
    /// The same body, with the values of blocks in place of their contents.
    values: BodyBuilder,
    parts: Vec<(String, Spec)>,
    names: HashSet<String>,
}

impl Level {
    fn new(body: &Body) -> Level {
        let builder = BodyBuilder::in_place_of(body);
        Level { body: builder.clone(), values: builder, parts: Vec::new(), names: HashSet::new() }
    }

    fn push_attribute(&mut self, attribute: Attribute) {
        self.body = std::mem::take(&mut self.body).with_attribute(attribute.clone());
        self.values = std::mem::take(&mut self.values).with_attribute(attribute);
    }

    /// Adds the part of the value with a name. Returns false if it is there already.
    fn push_part(&mut self, name: &str, spec: Spec) -> bool {
        let is_new = self.names.insert(name.to_owned());
        if is_new {
            self.parts.push((name.to_owned(), spec));
        }
        is_new
    }

    fn push_block(&mut self, block: &Block, labels: Vec<BlockLabel>, resolved: Resolved) {
        let value = BodyBuilder::in_place_of(&resolved.body).attribute(VALUE, resolved.value).build();
        let with =
            |body: Body| match labels.iter().map(BlockLabel::text).eq(block.labels().iter().map(BlockLabel::text)) {
                true => block.clone().with_body(body),
                false => Block::new(block.block_type(), labels.iter().cloned(), body),
            };
        self.body = std::mem::take(&mut self.body).with_block(with(resolved.body));
        self.values = std::mem::take(&mut self.values).with_block(with(value));
    }
}

impl<'c> Resolver<'c> {
    /// Returns the errors, with those about unknown values.
    fn all_errors(self, evaluated: &Evaluated) -> Diagnostics {
        let mut all = self.diagnostics;
        for (name, place) in self.missing.into_values() {
            let error = Diagnostic::error(Code::UnknownValue, place, format!("the input \"{name}\" has no value"));
            all.push(error.with_help(format!("set it with `--var {name}=VALUE`, or give it a default")));
        }
        // Other errors explain unknown values.
        if !all.has_errors() && !evaluated.diagnostics().has_errors() {
            let unknown = |place| Diagnostic::error(Code::UnknownValue, place, "the value is only known later");
            all.extend(self.unexplained.into_iter().map(unknown));
        }
        all.sort();
        all.without_repetitions()
    }

    fn keep<T>(&mut self, outcome: Outcome<T>) -> T {
        let (value, diagnostics) = outcome.into_parts();
        for diagnostic in diagnostics {
            let list = if is_of_place(diagnostic.code()) { &mut self.misplaced } else { &mut self.diagnostics };
            list.push(diagnostic);
        }
        value
    }

    /// Resolves a body. `expands` is true if the body around allows dynamic blocks in it.
    fn resolve_body(&mut self, around: &Around<'_, 'c>, expands: Option<bool>) -> Resolved {
        let layers = self.with_selected_cases(around.layers.clone(), around);
        let expands = layers.dynamic().or(expands);
        let needed = match expands {
            Some(true) => self.expansion_references(&around.body, &layers),
            _ => Vec::new(),
        };
        let body = self.expand_body(&around.body, expands, &needed, around.site);
        let schema = lenient_schema(&layers);
        let (content, rest) = self.keep(body.partial_content(&schema));
        let mut level = Level::new(&body);
        let open = self.unlisted_content(&layers, &rest);
        self.resolve_attributes(
            &layers,
            around,
            &body,
            content.attributes().iter().chain(open.attributes()),
            &mut level,
        );
        self.resolve_blocks(&layers, around, (&content, &open), expands, &mut level);
        self.resolve_either(&layers, around, &rest, &mut level);
        if body.is_unknown() {
            self.note_unknown(&needed, body.missing_item_place(), around.site);
        }
        let values = level.values.build();
        let value = self.keep(Spec::object(level.parts).decode(&values, self.sites.outer_scope()));
        Resolved { value, body: level.body.build(), misplaced: Diagnostics::new() }
    }

    /// Returns the attributes and blocks that the schema does not list, if it allows any.
    fn unlisted_content(&mut self, layers: &Layers<'c>, rest: &Body) -> Content {
        let allows_attributes = layers.is_open() || layers.free_attribute().is_some();
        let allows_blocks = layers.is_open() || layers.free_block().is_some();
        let none = || Content::new(Default::default(), Vec::new(), rest.missing_item_place());
        if !allows_attributes && !allows_blocks {
            return none();
        }
        if !allows_attributes && let Some((block, inner)) = layers.free_block() {
            // All other names are types of blocks, which JSON does not tell from attributes.
            let written = rest.content_as_written().unwrap_or_else(none);
            let names = written.attributes().iter().map(Attribute::name);
            let names = names.chain(written.blocks().iter().map(Block::block_type));
            let schema =
                names.fold(BodySchema::new(), |schema, name| schema.with_block(&block_schema(name, block, &inner)));
            return self.keep(rest.expected_content(&schema));
        }
        match rest.any_content() {
            Some(content) => self.keep(content),
            None => none(),
        }
    }

    fn resolve_attributes<'a>(
        &mut self,
        layers: &Layers<'c>,
        around: &Around<'_, 'c>,
        body: &Body,
        written: impl Iterator<Item = &'a Attribute>,
        level: &mut Level,
    ) {
        let mut values: BTreeMap<String, Value> = BTreeMap::new();
        let mut is_computed = false;
        let repeated_by = around.block.and_then(|_| self.sites.repetition_of(around.site)).map(Expression::place);
        for attribute in written {
            let (name, place) = (attribute.name(), attribute.expression().place());
            if layers.attribute(name).is_none() && layers.block(name).is_some() {
                continue;
            }
            let known = layers.attribute(name).or(layers.free_attribute());
            is_computed |= !attribute.expression().variables().is_empty();
            let value = match repeated_by.as_ref() == Some(&place) {
                // It has become the instances.
                true => Value::null(model::Type::Dynamic),
                false => self.resolve_value(attribute, known.map(|known| &**known), around, body),
            };
            let default = known.and_then(|known| known.default.clone());
            let value = if value.is_null() { default.unwrap_or(value) } else { value };
            values.insert(name.to_owned(), value.clone());
            level.push_part(name, Spec::attr(name, value.ty()));
            level.push_attribute(attribute.clone().with_expression(Expression::of_value(value, place)));
        }
        for known in layers.attributes() {
            let ty = match self.checker.index().is_unevaluated(&known.ty) {
                true => model::Type::Dynamic,
                false => self.checker.index().converted_type(&known.ty),
            };
            if !level.push_part(&known.name, Spec::attr(&known.name, ty)) {
                continue;
            }
            let place = body.missing_item_place();
            if let Some(default) = &known.default {
                let expression = Expression::of_value(default.clone(), place);
                level.push_attribute(Attribute::new(&known.name, expression));
            }
            values.insert(known.name.clone(), known.default.clone().unwrap_or_default());
        }
        if is_computed {
            self.check_conditions(layers, values, around, body);
        }
    }

    /// Checks the conditions on a whole body, some of whose values are computed.
    fn check_conditions(
        &mut self,
        layers: &Layers<'c>,
        values: BTreeMap<String, Value>,
        around: &Around<'_, 'c>,
        body: &Body,
    ) {
        let value = Value::object(values);
        let names = around.block.into_iter().flat_map(|block| &block.labels);
        let labels = names.zip(around.labels);
        let labels = Value::object(labels.map(|(known, label)| (known.name.clone(), Value::from(label.text()))));
        for node in layers.nodes() {
            for check in self.checker.failing(&node.checks, [("body", value.clone()), ("labels", labels.clone())]) {
                let error = Diagnostic::error(Code::InvalidValue, body.missing_item_place(), check.message.clone());
                self.diagnostics.push(with_schema_place(error, &check.place, "the condition"));
            }
        }
    }

    /// Records an unknown value that depends on references.
    fn note_unknown(&mut self, references: &[Traversal], place: Place, site: BlockSite) {
        // Without a reference, it depends on what the block is repeated for.
        let references = references.iter().map(|reference| (Some(reference), reference.place().clone()));
        let mut is_explained = false;
        for (reference, place) in references.chain([(None, place.clone())]) {
            for input in self.sites.missing_inputs(reference, site) {
                is_explained = true;
                let key = (input.name_place().source().name().to_owned(), input.name_place().span().start());
                self.missing.entry(key).or_insert_with(|| (input.name().to_owned(), place.clone()));
            }
        }
        if !is_explained {
            self.unexplained.push(place);
        }
    }

    /// Resolves the blocks of a body.
    fn resolve_blocks(
        &mut self,
        layers: &Layers<'c>,
        around: &Around<'_, 'c>,
        (content, open): (&Content, &Content),
        expands: Option<bool>,
        level: &mut Level,
    ) {
        let inner_value = || Spec::attr(VALUE, model::Type::Dynamic);
        // A type of which no blocks are allowed is a reserved name.
        let known = layers.blocks().filter(|block| block.max != Some(0));
        for known in known.filter(|block| layers.attribute(&block.name).is_none()) {
            let Some((known, inner)) = layers.block(&known.name) else { continue };
            level.push_part(&known.name, blocks_spec(known, block_schema(&known.name, known, &inner), inner_value()));
        }
        for (name, labels) in labels_of(open.blocks()) {
            let spec = match labels {
                (_, 0) => Spec::block_tuple(name, .., inner_value()),
                (least, most) => {
                    let schema = BlockSchema::new(name, &vec!["label"; most]);
                    Spec::counted_blocks(
                        schema.with_optional_labels(least, false, None),
                        (0, None),
                        false,
                        inner_value(),
                    )
                }
            };
            level.push_part(name, spec);
        }
        // The bodies before `dynamic` blocks were expanded: those of definitions have names of their own.
        let written: HashMap<(usize, usize), Body> = match expands {
            Some(true) => {
                let content = around.body.expected_content(&lenient_schema(layers)).into_value();
                content.blocks().iter().map(|block| (header_key(block), block.body().clone())).collect()
            }
            _ => HashMap::new(),
        };
        for block in content.blocks().iter().chain(open.blocks()) {
            let (known, inner) = match layers.block(block.block_type()).or_else(|| layers.free_block()) {
                Some((known, inner)) => (Some(&**known), inner),
                None => (None, self.checker.index().anything()),
            };
            let Some(instances) = self.sites.instances_of(&block.header_place()) else {
                self.resolve_block(
                    block,
                    (known, inner),
                    around,
                    (block.body().clone(), around.site, None),
                    expands,
                    level,
                );
                continue;
            };
            if let Some(repeated_by) = instances.repeated_by.filter(|_| !instances.is_known) {
                self.note_unknown(&repeated_by.variables(), repeated_by.place(), around.site);
            }
            for (key, site) in instances.instances {
                let body = written.get(&header_key(block)).unwrap_or(block.body()).clone();
                self.resolve_block(block, (known, inner.clone()), around, (body, site, key), expands, level);
            }
        }
    }

    /// Resolves a block, or one of its instances. The key of an instance is a part of its last label, as in its address.
    fn resolve_block(
        &mut self,
        block: &Block,
        (known, inner): (Option<&'c KnownBlock>, Layers<'c>),
        around: &Around<'_, 'c>,
        (body, site, key): (Body, BlockSite, Option<String>),
        expands: Option<bool>,
        level: &mut Level,
    ) {
        let around = Around {
            parent: Some(around),
            block: known,
            labels: block.labels(),
            body,
            site,
            layers: inner,
            keys: Mutex::default(),
        };
        let resolved = stack::with_room(|| self.resolve_body(&around, expands));
        let mut labels = block.labels().to_vec();
        if let (Some(key), Some(last)) = (key, labels.last_mut()) {
            *last = BlockLabel::new(&format!("{}{key}", last.text()), last.place().clone());
        }
        level.push_block(block, labels, resolved);
    }

    /// Resolves blocks that are written as attributes.
    fn resolve_either(&mut self, layers: &Layers<'c>, around: &Around<'_, 'c>, rest: &Body, level: &mut Level) {
        let of_form = layers.blocks().filter(|block| block.form == Form::Either && block.labels.is_empty());
        let schema = of_form.fold(BodySchema::new(), |schema, block| schema.optional(&*block.name));
        if schema.attributes().is_empty() {
            return;
        }
        let content = rest.expected_content(&schema).into_value();
        for attribute in content.attributes() {
            let Some((known, inner)) = layers.block(attribute.name()) else { continue };
            let (expression, place) = (attribute.expression(), attribute.expression().place());
            let scope = self.sites.scope_of(expression, around.site);
            let value = self.keep(expression.evaluate_partially(&scope));
            if !value.is_wholly_known() {
                self.note_unknown(&expression.variables(), place.clone(), around.site);
            }
            let (plain, marks) = value.unmark();
            let objects = match plain.view() {
                View::List(elements) | View::Set(elements) | View::Tuple(elements) => elements.to_vec(),
                _ if plain.entries().is_some() => vec![plain.clone()],
                _ => Vec::new(),
            };
            for object in objects {
                let entries = object.entries().into_iter().flatten();
                let body = entries.fold(BodyBuilder::new().at(place.clone()), |body, (name, value)| {
                    body.attribute(name, value.with_marks(&marks))
                });
                let block = Block::new(attribute.name(), [], body.build());
                let body = (block.body().clone(), around.site, None);
                self.resolve_block(&block, (Some(known), inner.clone()), around, body, None, level);
            }
        }
    }

    /// Returns the references that expanding the `dynamic` blocks of a body and of those in it needs.
    fn expansion_references(&self, body: &Body, layers: &Layers<'c>) -> Vec<Traversal> {
        let mut found = Vec::new();
        let mut waiting = vec![(NeededVariables::of_expansion(body), layers.clone(), 0)];
        while let Some((needs, layers, depth)) = waiting.pop() {
            let (variables, inner) = needs.visit(&layers.body_schema());
            found.extend(variables);
            for (name, needs) in inner.into_iter().filter(|_| depth < MAX_DEPTH) {
                if let Some((_, layers)) = layers.block(&name) {
                    waiting.push((needs, layers, depth + 1));
                }
            }
        }
        found
    }

    /// Returns a body with or without the blocks that its `dynamic` blocks generate.
    fn expand_body(&self, body: &Body, expands: Option<bool>, needed: &[Traversal], site: BlockSite) -> Body {
        let Some(expands) = expands else { return body.clone() };
        match body.with_expansion(expands) {
            Some(body) => body,
            None if expands => {
                let variables = self.sites.variables_for(needed, site);
                let scope = self.sites.outer_scope().child();
                Expander::new(&scope.with_variables(&variables)).expand(body.clone())
            }
            None => body.clone(),
        }
    }
}

/// Returns true for errors in the attributes, blocks and labels that there are, rather than in values.
fn is_of_place(code: &Code) -> bool {
    matches!(
        code,
        Code::BlockLabels
            | Code::DuplicateAttribute
            | Code::DuplicateBlock
            | Code::MissingBlock
            | Code::RequiredArgument
            | Code::TooManyBlocks
            | Code::UnexpectedBlock
            | Code::UnsupportedArgument
            | Code::UnsupportedBlock
    )
}

/// Returns the schema of a body in which nothing is required.
fn lenient_schema(layers: &Layers<'_>) -> BodySchema {
    let schema = layers.attributes().fold(BodySchema::new(), |schema, known| schema.optional(&*known.name));
    let blocks = layers.blocks().filter(|block| layers.attribute(&block.name).is_none());
    blocks.fold(schema, |schema, block| match layers.block(&block.name) {
        Some((block, inner)) => schema.with_block(&block_schema(&block.name, block, &inner)),
        None => schema,
    })
}

/// Returns the least and most labels of the blocks of each type, in the order of the types.
fn labels_of(blocks: &[Block]) -> BTreeMap<&str, (usize, usize)> {
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for block in blocks {
        let count = block.labels().len();
        let (least, most) = found.entry(block.block_type()).or_insert((count, count));
        (*least, *most) = ((*least).min(count), (*most).max(count));
    }
    found
}

/// Identifies a block by its header, among those of one body.
fn header_key(block: &Block) -> (usize, usize) {
    let place = block.header_place();
    (Arc::as_ptr(place.source()).addr(), place.span().start())
}

fn with_schema_place(error: Diagnostic, place: &Place, label: &'static str) -> Diagnostic {
    match place.source().name().is_empty() {
        true => error,
        false => error.with_label(place.clone(), label),
    }
}
