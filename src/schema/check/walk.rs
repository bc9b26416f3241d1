//! Bodies against schemas.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::judge::{Judge, Judgement, rule};
use super::shape::{Expr, Shape};
use super::{Checker, Found};
use crate::body::ConfigFile;
use crate::body::{self, Expression, NameSuggestions};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Finding};
use crate::eval::Scope;
use crate::model::Value;
use crate::schema::index::Layers;
use crate::schema::model::{Attribute, Block, Check, Deprecated, Form, Label, Type};
use crate::source::{Place, Source, Span};
use crate::stack;
use crate::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode};

/// The number of findings in a file that are collected.
const MAX_FINDINGS: usize = 10_000;

/// Checks a file.
pub(super) fn check(checker: &Checker, document: &ConfigFile, layers: Layers<'_>, is_override: bool) -> Diagnostics {
    let mut found = walk(checker, document, layers, is_override).found;
    found.sort();
    found
}

/// Finds the values that the schema calls sensitive.
pub(super) fn sensitive(checker: &Checker, document: &ConfigFile, layers: Layers<'_>) -> Vec<Span> {
    let mut spans = walk(checker, document, layers, false).sensitive;
    spans.sort_unstable();
    spans
}

fn walk<'c, 's>(checker: &'c Checker, document: &'s ConfigFile, layers: Layers<'c>, is_override: bool) -> Walk<'c, 's> {
    let mut walk = Walk {
        checker,
        source: document.source(),
        judge: Judge { checker },
        found: Diagnostics::new(),
        sensitive: Vec::new(),
        names: NameSuggestions::new(),
        is_override,
    };
    match document {
        ConfigFile::Native(file) => walk.native(file.body(), layers, &Around::default(), false),
        ConfigFile::Json(_) => walk.json(&document.body(), layers, &Around::default()),
    }
    walk
}

struct Walk<'c, 's> {
    checker: &'c Checker,
    source: &'s Arc<Source>,
    judge: Judge<'c>,
    found: Diagnostics,
    /// The values that the schema calls sensitive.
    sensitive: Vec<Span>,
    names: NameSuggestions,
    /// The file changes what others define, so nothing is missing in it.
    is_override: bool,
}

/// A body with what is around it, for keys that are somewhere else.
#[derive(Clone, Copy, Default)]
struct Around<'a, 't> {
    body: Option<Content<'a, 't>>,
    labels: &'a [(Cow<'t, str>, Span)],
    names: &'a [Label],
    parent: Option<&'a Around<'a, 't>>,
}

/// The contents of a body.
#[derive(Clone, Copy)]
enum Content<'a, 't> {
    Native(BodyNode<'t>),
    Json(&'a body::Body),
}

/// The value that a key has.
enum KeyValue {
    Known(String, Span),
    Unknown,
}

/// A count of the blocks of a type.
struct Counted<'c> {
    block: &'c Arc<Block>,
    count: u32,
    /// The labels of those that there are, if no two may have the same.
    labels: HashSet<Vec<String>>,
}

impl<'c> Walk<'c, '_> {
    fn push(&mut self, finding: Finding, schema: Option<(&Place, &'static str)>) {
        if self.found.len() >= MAX_FINDINGS {
            return;
        }
        let finding = match finding.code() {
            Code::UnsupportedArgument | Code::UnsupportedBlock if self.checker.schema().ignores_unknown => {
                finding.into_warning()
            }
            _ => finding,
        };
        let mut diagnostic: Diagnostic = finding.in_source(self.source);
        if let Some((place, message)) = schema
            && !place.source().name().is_empty()
        {
            diagnostic = diagnostic.with_label(place.clone(), message);
        }
        self.found.push(diagnostic);
    }

    /// Checks a body in native syntax.
    fn native<'t>(&mut self, body: BodyNode<'t>, layers: Layers<'c>, around: &Around<'_, 't>, dynamic: bool) {
        let around = Around { body: Some(Content::Native(body)), ..*around };
        let dynamic = layers.nodes().find_map(|node| node.dynamic).unwrap_or(dynamic);
        let layers = self.with_cases(layers, &around);
        let mut required: Vec<*const Attribute> = Vec::new();
        let mut counted: Vec<Counted<'c>> = Vec::new();
        let mut generated = false;
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let (name, span) = (attribute.name(), attribute.name_token().span());
                    let expression = attribute.expression();
                    match layers.attribute(name) {
                        Some(known) => {
                            if known.required {
                                required.push(Arc::as_ptr(known));
                            }
                            self.attribute(known, name, span, Expr::Node(expression));
                        }
                        None => self.other_attribute(attribute, &layers, &mut counted),
                    }
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    let span = block.type_token().span();
                    match layers.block(name) {
                        Some((known, inner)) => {
                            self.block(block, known, inner, &around, dynamic, &mut counted);
                        }
                        None if name == "dynamic" && dynamic => {
                            generated = true;
                            self.dynamic(block, &layers, &around);
                        }
                        None => match layers.free_block() {
                            Some((known, inner)) => self.block(block, known, inner, &around, dynamic, &mut counted),
                            None if layers.is_open() => {}
                            None => self.unsupported_block(block, name, span, &layers),
                        },
                    }
                }
                BodyItem::Error(_) => generated = true,
            }
        }
        let place = body::Body::from(body).missing_item_place().span();
        self.missing(&layers, &required, &counted, generated, place, &around);
    }

    /// Adds the contents that depend on labels and attributes.
    fn with_cases(&mut self, mut layers: Layers<'c>, around: &Around<'_, '_>) -> Layers<'c> {
        // Cases may depend on attributes that other cases have.
        let mut at = 0;
        loop {
            let Some((index, one)) = layers.match_nodes().nth(at) else { return layers };
            at += 1;
            let (value, span) = match self.key(&one.matched.key, &layers, around) {
                KeyValue::Known(value, span) => (value, span),
                KeyValue::Unknown => {
                    layers.set_open();
                    continue;
                }
            };
            if let Some(id) = one.cases.get(value.as_str()) {
                layers.add(index, *id);
                continue;
            }
            let source = one.matched.catalog.as_ref().and_then(|name| index.schema().catalog(name));
            if let (Some(source), Some(catalog)) = (source, self.checker.catalog.as_deref()) {
                let provider = provider(around);
                match catalog.find(source, &value, provider.as_deref()) {
                    Found::Contents(contents) => {
                        layers.add_all(&contents);
                        continue;
                    }
                    Found::Missing => {
                        let detail = format!("there is no \"{value}\" in the catalog of {}", source.name);
                        let finding = Finding::error(Code::InvalidArgumentValue, span, detail);
                        let names = catalog.names(source);
                        let finding = self.names.suggest(finding, &value, span, names);
                        self.push(finding, None);
                        layers.set_open();
                        continue;
                    }
                    Found::Unknown => {
                        layers.set_open();
                        continue;
                    }
                }
            }
            match one.otherwise {
                Some(id) => layers.add(index, id),
                None => {
                    let mut known: Vec<&str> = one.cases.keys().map(|name| &**name).collect();
                    known.sort_unstable();
                    let quoted: Vec<String> = known.iter().map(|name| format!("\"{name}\"")).collect();
                    let wanted = super::words::alternatives(&quoted);
                    let detail = format!("\"{value}\" cannot be used here: {wanted} is required");
                    let finding = Finding::error(Code::InvalidArgumentValue, span, detail);
                    let finding = self.names.suggest(finding, &value, span, known.into_iter());
                    self.push(finding, Some((&one.matched.place, "the known values")));
                    layers.set_open();
                }
            }
        }
    }

    /// The value of a label or attribute by its name.
    fn key(&self, key: &str, layers: &Layers<'c>, around: &Around<'_, '_>) -> KeyValue {
        let (mut around, mut name, mut own) = (around, key, true);
        while let Some(rest) = name.strip_prefix("parent.") {
            let Some(parent) = around.parent else { return KeyValue::Unknown };
            (around, name, own) = (parent, rest, false);
        }
        if let Some(at) = around.names.iter().position(|label| label.name == name)
            && let Some((text, span)) = around.labels.get(at)
        {
            return KeyValue::Known(text.to_string(), *span);
        }
        let expression = match around.body {
            Some(Content::Native(body)) => body.attribute(name).map(|attribute| Expr::Node(attribute.expression())),
            Some(Content::Json(body)) => attribute_of(body, name).map(Expr::Handle),
            None => None,
        };
        match expression {
            Some(expression) => {
                let word = match &expression {
                    Expr::Node(node) => node.as_traversal().and_then(|one| one.as_variable()).map(str::to_owned),
                    Expr::Handle(_) => None,
                };
                match (expression.shape(self.checker), word) {
                    (Shape::Text(text), _) => KeyValue::Known(text.to_string(), expression.span()),
                    (Shape::Number(number), _) => KeyValue::Known(number.to_string(), expression.span()),
                    (Shape::Bool(value), _) => KeyValue::Known(value.to_string(), expression.span()),
                    (Shape::Unknown, Some(word)) if self.is_keyword(layers, name, own) => {
                        KeyValue::Known(word, expression.span())
                    }
                    _ => KeyValue::Unknown,
                }
            }
            None => {
                let default = layers.attribute(name).filter(|_| own).and_then(|one| one.default.as_ref());
                match default.and_then(Value::as_str) {
                    Some(default) => KeyValue::Known(default.to_owned(), Span::new(0, 0)),
                    None => KeyValue::Unknown,
                }
            }
        }
    }

    fn is_keyword(&self, layers: &Layers<'c>, name: &str, own: bool) -> bool {
        let index = layers.index();
        own && layers.attribute(name).is_some_and(|one| matches!(index.resolve(&one.ty), Type::Keyword(_)))
    }

    /// Checks an attribute that is listed, or one of any name.
    fn attribute(&mut self, known: &Attribute, name: &str, span: Span, expression: Expr<'_>) {
        if known.sensitive {
            self.sensitive.push(expression.span());
        }
        self.version(known.since.as_deref(), known.until.as_deref(), name, span, &known.place);
        if let Some(deprecated) = &known.deprecated {
            self.deprecated(deprecated, name, span);
        }
        if let Judgement::Wrong(problems) = self.judge.judge(&known.ty, &expression) {
            for problem in problems {
                self.push(problem.finding(), Some((&known.place, "expected by this")));
            }
        } else if !known.checks.is_empty() {
            self.checks(&known.checks, "value", &expression.handle(), expression.span());
        }
    }

    /// Checks conditions on a value. Those that cannot be known hold.
    fn checks(&mut self, checks: &[Check], name: &str, value: &Expression, span: Span) {
        let scope = Scope::new().with_functions(self.checker.functions().clone());
        let (value, _) = value.evaluate_partially(&scope).into_parts();
        self.conditions(checks, name, value, span);
    }

    fn conditions(&mut self, checks: &[Check], name: &str, value: Value, span: Span) {
        let scope = Scope::new().with_functions(self.checker.functions().clone()).with(name, value);
        for check in checks {
            // A condition that cannot be evaluated for a value says nothing about it.
            let Ok(holds) = check.condition.evaluate(&scope) else { continue };
            if holds.as_bool() == Some(false) {
                let finding = Finding::error(Code::InvalidValue, span, check.message.clone());
                self.push(finding, Some((&check.place, "the condition")));
            }
        }
    }

    /// Checks an attribute that is not listed.
    fn other_attribute(&mut self, attribute: AttributeNode<'_>, layers: &Layers<'c>, counted: &mut Vec<Counted<'c>>) {
        let (name, span) = (attribute.name(), attribute.name_token().span());
        if let Some((known, inner)) = layers.block(name) {
            if known.form == Form::Either {
                self.either(known, inner, &Expr::Node(attribute.expression()), counted);
                return;
            }
            let detail = format!("an argument named \"{name}\" is not expected here");
            let help = format!("did you mean to define a block? write `{name} {{ … }}`, without `=`");
            let finding = Finding::error(Code::UnsupportedArgument, span, detail).with_help(help);
            self.push(finding, Some((&known.place, "blocks of this type")));
            return;
        }
        match layers.free_attribute() {
            Some(known) => self.attribute(known, name, span, Expr::Node(attribute.expression())),
            None if layers.is_open() => {}
            None => self.unsupported_attribute(name, span, layers),
        }
    }

    fn unsupported_attribute(&mut self, name: &str, span: Span, layers: &Layers<'c>) {
        let detail = format!("an argument named \"{name}\" is not expected here");
        let finding = Finding::error(Code::UnsupportedArgument, span, detail);
        let names = layers.attributes().map(|attribute| attribute.name.as_str());
        let finding = self.names.suggest(finding, name, span, names);
        self.push(finding, layers.place().map(|place| (place, "expected by this")));
    }

    fn unsupported_block(&mut self, block: BlockNode<'_>, name: &str, span: Span, layers: &Layers<'c>) {
        let detail = format!("blocks of type \"{name}\" are not expected here");
        let finding = Finding::error(Code::UnsupportedBlock, span, detail);
        if let Some(known) = layers.attribute(name) {
            let help = format!("did you mean to define an argument? write `{name} = …`");
            let _ = block;
            self.push(finding.with_help(help), Some((&known.place, "an argument")));
            return;
        }
        let names = layers.blocks().map(|block| block.name.as_str());
        let finding = self.names.suggest(finding, name, span, names);
        self.push(finding, layers.place().map(|place| (place, "expected by this")));
    }

    /// Checks a block.
    fn block<'t>(
        &mut self,
        block: BlockNode<'t>,
        known: &'c Arc<Block>,
        inner: Layers<'c>,
        around: &Around<'_, 't>,
        dynamic: bool,
        counted: &mut Vec<Counted<'c>>,
    ) {
        let labels: Vec<(Cow<'t, str>, Span)> = block.labels().map(|label| (label.text(), label.span())).collect();
        let missing = || block.body().open_brace_span().unwrap_or_else(|| block.span());
        let span = block.type_token().span();
        self.header(known, block.block_type(), span, &labels, missing, counted);
        let around = Around { body: None, labels: &labels, names: &known.labels, parent: Some(around) };
        stack::with_room(|| self.native(block.body(), inner, &around, dynamic));
    }

    /// Checks the type, labels and number of blocks.
    fn header(
        &mut self,
        known: &'c Arc<Block>,
        name: &str,
        span: Span,
        labels: &[(Cow<'_, str>, Span)],
        missing: impl Fn() -> Span,
        counted: &mut Vec<Counted<'c>>,
    ) {
        self.version(known.since.as_deref(), known.until.as_deref(), name, span, &known.place);
        if let Some(deprecated) = &known.deprecated {
            self.deprecated(deprecated, name, span);
        }
        self.labels(known, name, labels, missing);
        if known.min == 0 && known.max.is_none() && !known.unique {
            return;
        }
        let at = counted.iter().position(|one| std::ptr::eq(one.block, known)).unwrap_or_else(|| {
            counted.push(Counted { block: known, count: 0, labels: HashSet::new() });
            counted.len() - 1
        });
        let one = &mut counted[at];
        one.count += 1;
        let is_new = !known.unique || one.labels.insert(labels.iter().map(|(text, _)| text.to_string()).collect());
        if known.max.is_some_and(|max| one.count == max.saturating_add(1)) {
            let most = known.max.unwrap_or_default();
            let detail = match most {
                1 => format!("only one block of type \"{name}\" is allowed here"),
                most => format!("only {most} blocks of type \"{name}\" are allowed here"),
            };
            let finding = Finding::error(Code::TooManyBlocks, span, detail);
            self.push(finding, Some((&known.place, "blocks of this type")));
        }
        if !is_new {
            let which: Vec<String> = labels.iter().map(|(text, _)| format!("\"{text}\"")).collect();
            let detail = format!("there is a block `{name} {}` already", which.join(" "));
            let finding = Finding::error(Code::DuplicateBlock, span, detail);
            self.push(finding, Some((&known.place, "no two of these blocks have the same labels")));
        }
    }

    fn labels(&mut self, known: &Block, name: &str, labels: &[(Cow<'_, str>, Span)], missing: impl Fn() -> Span) {
        let repeated = known.labels.last().filter(|label| label.repeated);
        for (at, (text, span)) in labels.iter().enumerate() {
            let Some(label) = known.labels.get(at).or(repeated) else {
                let names: Vec<&str> = known.labels.iter().map(|label| label.name.as_str()).collect();
                let detail = match names[..] {
                    [] => format!("\"{name}\" blocks have no labels"),
                    [only] => format!("\"{name}\" blocks have only one label: {only}"),
                    _ => format!("\"{name}\" blocks have only {} labels: {}", names.len(), names.join(", ")),
                };
                let finding = Finding::error(Code::BlockLabels, *span, detail);
                self.push(finding, Some((&known.place, "blocks of this type")));
                return;
            };
            if let Judgement::Wrong(problems) = self.judge.text(&label.ty, text, *span) {
                for problem in problems {
                    self.push(problem.finding(), Some((&label.place, "the label")));
                }
            }
        }
        if let Some(label) = known.labels.get(labels.len()).filter(|label| !label.optional) {
            let detail = format!("this \"{name}\" block needs a label here: its {}", label.name);
            let all: Vec<String> = known.labels.iter().map(|label| format!("\"{}\"", label.name)).collect();
            let finding = Finding::error(Code::BlockLabels, missing(), detail);
            let finding = finding.with_help(format!("write `{name} {} {{ … }}`", all.join(" ")));
            self.push(finding, Some((&label.place, "the label")));
        }
    }

    /// Checks blocks that are written as an attribute.
    fn either(&mut self, known: &'c Arc<Block>, inner: Layers<'c>, value: &Expr<'_>, counted: &mut Vec<Counted<'c>>) {
        let count = |walk: &mut Self, counted: &mut Vec<Counted<'c>>, span: Span| {
            walk.header(known, &known.name, span, &[], || span, counted);
        };
        match value.shape(self.checker) {
            Shape::Object(_) | Shape::Entries if known.labels.iter().all(|label| label.optional) => {
                count(self, counted, value.span());
            }
            Shape::List(elements) => {
                for element in &elements {
                    count(self, counted, element.span());
                }
            }
            Shape::Text(_) | Shape::Number(_) | Shape::Bool(_) => {
                let detail = format!("\"{}\" is a block or an object", known.name);
                let finding = Finding::error(Code::InvalidArgumentValue, value.span(), detail);
                self.push(finding, Some((&known.place, "blocks of this type")));
            }
            _ => {
                // The number of blocks is not known.
                counted.push(Counted { block: known, count: known.min, labels: HashSet::new() });
            }
        }
        let _ = inner;
    }

    /// Checks a block that generates others.
    fn dynamic<'t>(&mut self, block: BlockNode<'t>, layers: &Layers<'c>, around: &Around<'_, 't>) {
        let Some(label) = block.labels().next() else { return };
        let name = label.text();
        let contents = layers.block(&name).or_else(|| layers.free_block());
        let Some((known, inner)) = contents else {
            if !layers.is_open() {
                let detail = format!("blocks of type \"{name}\" are not expected here");
                let finding = Finding::error(Code::UnsupportedBlock, label.span(), detail);
                let names = layers.blocks().map(|block| block.name.as_str());
                let finding = self.names.suggest(finding, &name, label.span(), names);
                self.push(finding, layers.place().map(|place| (place, "expected by this")));
            }
            return;
        };
        let around = Around { body: None, labels: &[], names: &known.labels, parent: Some(around) };
        for content in block.body().blocks_of_type("content") {
            stack::with_room(|| self.native(content.body(), inner.clone(), &around, true));
        }
    }

    /// Reports what is missing, and rules that are broken.
    fn missing(
        &mut self,
        layers: &Layers<'c>,
        required: &[*const Attribute],
        counted: &[Counted<'c>],
        generated: bool,
        place: Span,
        around: &Around<'_, '_>,
    ) {
        if self.is_override {
            return;
        }
        for node in layers.nodes() {
            for attribute in &node.required {
                if !required.contains(&Arc::as_ptr(attribute)) && !generated {
                    let detail = format!("the argument \"{}\" is required here", attribute.name);
                    let finding = Finding::error(Code::RequiredArgument, place, detail);
                    self.push(finding, Some((&attribute.place, "the argument")));
                }
            }
            for block in node.required_blocks.iter().filter(|_| !generated) {
                let count = counted.iter().find(|one| Arc::ptr_eq(one.block, block)).map_or(0, |one| one.count);
                if count < block.min {
                    let name = &block.name;
                    let detail = match block.min {
                        1 => format!("a block of type \"{name}\" is required here"),
                        min => format!("{min} blocks of type \"{name}\" are required here"),
                    };
                    let finding = Finding::error(Code::MissingBlock, place, detail);
                    self.push(finding, Some((&block.place, "blocks of this type")));
                }
            }
            for one in &node.rules {
                let has = |name: &String| match around.body {
                    Some(Content::Native(body)) => {
                        body.attribute(name).is_some() || body.blocks_of_type(name).next().is_some()
                    }
                    Some(Content::Json(body)) => attribute_of(body, name).is_some(),
                    None => false,
                };
                let there = one.names.iter().filter(|name| has(name)).count();
                if let Some(detail) = rule(one.kind, &one.names, there).filter(|_| !generated) {
                    let finding = Finding::error(Code::ConflictingArguments, place, detail);
                    self.push(finding, Some((&one.place, "the rule")));
                }
            }
            if !node.checks.is_empty() {
                let value = self.body_value(layers, around);
                self.conditions(&node.checks, "body", value, place);
            }
        }
    }

    /// The object of the attributes of a body. Those that are listed and not set have their default, or are null.
    fn body_value(&self, layers: &Layers<'c>, around: &Around<'_, '_>) -> Value {
        let scope = Scope::new().with_functions(self.checker.functions().clone());
        let mut entries: Vec<(String, Value)> = Vec::new();
        for attribute in layers.attributes() {
            let expression = match around.body {
                Some(Content::Native(body)) => body.attribute(&attribute.name).map(|one| one.expression().into()),
                Some(Content::Json(body)) => attribute_of(body, &attribute.name),
                None => None,
            };
            let value = match expression {
                Some(expression) => expression.evaluate_partially(&scope).into_value(),
                None => attribute.default.clone().unwrap_or_else(|| Value::null(crate::model::Type::Dynamic)),
            };
            entries.push((attribute.name.clone(), value));
        }
        Value::object(entries)
    }

    fn version(&mut self, since: Option<&str>, until: Option<&str>, name: &str, span: Span, place: &Place) {
        let Some(version) = &self.checker.version else { return };
        let title = self.checker.schema().title();
        let detail = match (since, until) {
            (Some(since), _) if version.has(since) == Some(false) => format!("\"{name}\" exists since {title} {since}"),
            (_, Some(until)) if version.has(until) == Some(true) => {
                format!("\"{name}\" does not exist since {title} {until}")
            }
            _ => return,
        };
        self.push(Finding::error(Code::WrongVersion, span, detail), Some((place, "its versions")));
    }

    fn deprecated(&mut self, deprecated: &Deprecated, name: &str, span: Span) {
        if let (Some(since), Some(version)) = (&deprecated.since, &self.checker.version)
            && version.has(since) == Some(false)
        {
            return;
        }
        let detail = format!("\"{name}\" is deprecated");
        let mut finding = Finding::warning(Code::Deprecated, span, detail);
        match (&deprecated.replacement, &deprecated.message) {
            (Some(other), message) => {
                let help = message.clone().unwrap_or_else(|| format!("write \"{other}\" instead"));
                finding = finding.with_help(help).with_renaming(span, name, other);
            }
            (None, Some(message)) => finding = finding.with_help(message.clone()),
            (None, None) => {}
        }
        self.push(finding, Some((&deprecated.place, "deprecated here")));
    }

    /// Checks a body in the JSON syntax.
    fn json(&mut self, body: &body::Body, layers: Layers<'c>, around: &Around<'_, '_>) {
        let around = Around { body: Some(Content::Json(body)), ..*around };
        let layers = self.with_cases(layers, &around);
        let mut schema = body::BodySchema::new();
        for attribute in layers.attributes() {
            schema = schema.optional(attribute.name.as_str());
        }
        for block in layers.blocks().filter(|block| layers.attribute(&block.name).is_none()) {
            let optional = block.labels.iter().any(|one| one.optional) && self.has_labels(body, &layers, block);
            let labels = block.labels.iter().filter(|one| optional || !one.optional);
            let labels: Vec<&str> = labels.map(|one| &*one.name).collect();
            schema = schema.block(block.name.as_str(), &labels);
        }
        let ((content, rest), problems) = body.partial_content(&schema).into_parts();
        self.found.append(problems);
        let mut required: Vec<*const Attribute> = Vec::new();
        let mut counted: Vec<Counted<'c>> = Vec::new();
        for attribute in content.attributes() {
            if let Some(known) = layers.attribute(attribute.name()) {
                if known.required {
                    required.push(Arc::as_ptr(known));
                }
                let span = attribute.name_place().span();
                self.attribute(known, attribute.name(), span, Expr::Handle(attribute.expression().clone()));
            }
        }
        for block in content.blocks() {
            let Some((known, inner)) = layers.block(block.block_type()) else { continue };
            let labels: Vec<(Cow<'_, str>, Span)> =
                block.labels().iter().map(|label| (Cow::Borrowed(label.text()), label.place().span())).collect();
            let span = block.type_place().span();
            self.header(known, block.block_type(), span, &labels, || span, &mut counted);
            let around = Around { body: None, labels: &labels, names: &known.labels, parent: Some(&around) };
            stack::with_room(|| self.json(block.body(), inner, &around));
        }
        if layers.free_attribute().is_some() || !layers.is_open() {
            let (attributes, _) = rest.attributes().into_parts();
            for attribute in &attributes {
                let (name, span) = (attribute.name(), attribute.name_place().span());
                match layers.free_attribute() {
                    Some(known) => self.attribute(known, name, span, Expr::Handle(attribute.expression().clone())),
                    None if layers.free_block().is_some() || name == "dynamic" => {}
                    None => self.unsupported_property(name, span, &layers),
                }
            }
        }
        let generated = attribute_of(body, "dynamic").is_some();
        let place = body.missing_item_place().span();
        self.missing(&layers, &required, &counted, generated, place, &around);
    }

    /// Returns true if blocks in JSON have their optional labels: then the names in them are not those of their contents.
    fn has_labels(&self, body: &body::Body, layers: &Layers<'c>, block: &Block) -> bool {
        let Some(value) = attribute_of(body, &block.name) else { return false };
        let (Ok(entries), Some((_, inner))) = (value.static_map(), layers.block(&block.name)) else { return false };
        let names = entries.iter().map(|(key, _)| Expr::Handle(key.clone()).shape(self.checker));
        let mut names = names.filter_map(|shape| match shape {
            Shape::Text(text) => Some(text),
            _ => None,
        });
        !inner.is_open() && !names.any(|name| inner.attribute(&name).is_some() || inner.block(&name).is_some())
    }

    fn unsupported_property(&mut self, name: &str, span: Span, layers: &Layers<'c>) {
        let detail = format!("a property named \"{name}\" is not expected here");
        let finding = Finding::error(Code::UnsupportedArgument, span, detail);
        let attributes = layers.attributes().map(|attribute| attribute.name.as_str());
        let names = attributes.chain(layers.blocks().map(|block| block.name.as_str()));
        let finding = self.names.suggest(finding, name, span, names);
        self.push(finding, layers.place().map(|place| (place, "expected by this")));
    }
}

/// An attribute of a body in either syntax.
pub(super) fn attribute_of(body: &body::Body, name: &str) -> Option<Expression> {
    let schema = body::BodySchema::new().optional(name);
    let ((content, _), _) = body.partial_content(&schema).into_parts();
    content.attribute(name).map(|attribute| attribute.expression().clone())
}

/// The attribute `provider` of a body, as it is written.
fn provider(around: &Around<'_, '_>) -> Option<String> {
    match around.body? {
        Content::Native(body) => {
            let expression = body.attribute("provider")?.expression();
            Some(expression.text().trim_matches('"').to_owned())
        }
        Content::Json(body) => {
            let expression = attribute_of(body, "provider")?;
            let traversal = expression.static_traversal().ok()?;
            Some(traversal.place().text().trim_matches('"').to_owned())
        }
    }
}
