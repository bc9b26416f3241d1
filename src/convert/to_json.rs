//! Converts native syntax to JSON.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::json_writer::{JsonWriter, plain_string};
use super::template::{rewritten, source_in_sequence};
use super::{ConversionOptions, Converted, JsonBlocks, JsonStrings};
use crate::diagnostic::{Code, Finding, Outcome, in_source};
use crate::json::{BYTE_ORDER_MARK, Shapes};
use crate::source::Span;
use crate::stack::with_room;
use crate::syntax::ast::{
    AttributeNode, BlockNode, BodyItem, BodyNode, Child, ExpressionKind, ExpressionNode, File, ObjectElement,
    ObjectKey, ObjectNode, TemplateNode, Tuple, UnaryOperator,
};
use crate::syntax::{Comment, is_identifier};
use crate::writer::{Form, escaped};

/// The JSON of a file, whose body `write` writes.
pub(super) fn written<'t>(
    file: &'t File,
    conversion: &ConversionOptions<'_>,
    write: impl FnOnce(&mut Writer<'t, '_>, BodyNode<'t>),
) -> Outcome<Converted> {
    let comments: Vec<Comment<'_>> = file.comments().collect();
    let mut writer = Writer {
        conversion,
        strings: conversion.strings,
        out: JsonWriter::new(2, plain_string),
        problems: Vec::new(),
        comments: if conversion.comments { &comments } else { &[] },
        reordered: Vec::new(),
        reordered_names: HashSet::new(),
    };
    write(&mut writer, file.body());
    let Writer { out, problems, reordered, .. } = writer;
    let converted = Converted {
        text: out.finish() + "\n",
        comments_left_out: if conversion.comments { 0 } else { comments.len() },
        reordered,
        ..Converted::default()
    };
    let diagnostics = in_source(file.source(), problems);
    Outcome::new(converted, diagnostics.limited(conversion.options.max_errors))
}

pub(super) struct Writer<'t, 'c> {
    pub conversion: &'c ConversionOptions<'c>,
    /// The meaning of strings in the current argument.
    strings: JsonStrings,
    pub out: JsonWriter,
    pub problems: Vec<Finding>,
    /// All comments of the file that are to be converted.
    pub comments: &'c [Comment<'t>],
    reordered: Vec<String>,
    reordered_names: HashSet<&'t str>,
}

/// The expressions in the sequences of a template.
fn sequences(template: TemplateNode<'_>, found: &mut Vec<Span>) {
    Child::Template(template).each_child(&mut |child| match child {
        Child::Expression(expression) => found.push(expression.span()),
        Child::Template(part) => with_room(|| sequences(part, found)),
        _ => {}
    });
}

/// Blocks with their labels.
struct Labelled<'t> {
    block: BlockNode<'t>,
    labels: Vec<Cow<'t, str>>,
}

/// A property for items of a body: an attribute, or blocks of one type that are written together.
enum Property<'t> {
    Attribute(AttributeNode<'t>),
    Blocks(&'t str, Vec<Labelled<'t>>),
}

impl<'t> Property<'t> {
    fn name(&self) -> &'t str {
        match self {
            Property::Attribute(attribute) => attribute.name(),
            Property::Blocks(name, _) => name,
        }
    }
}

impl<'t> Writer<'t, '_> {
    pub fn body(&mut self, body: BodyNode<'t>, shapes: &Shapes<'_>) {
        let properties = self.properties(body);
        // If a type occurs again, keeping the order requires several objects.
        let mut names = HashSet::new();
        let in_parts = !properties.iter().all(|property| names.insert(property.name()));
        if in_parts {
            self.out.open('[');
        }
        self.out.open('{');
        self.comments_of(body);
        names.clear();
        for property in properties {
            if !names.insert(property.name()) {
                self.out.close('}');
                self.out.open('{');
                names.clear();
                names.insert(property.name());
            }
            let name = property.name();
            self.out.name(name);
            match property {
                Property::Attribute(attribute) if shapes.is_static(name) => self.written(attribute.expression()),
                Property::Attribute(attribute) if shapes.is_literal(name) => {
                    let strings = std::mem::replace(&mut self.strings, JsonStrings::Literal);
                    self.expression(attribute.expression());
                    self.strings = strings;
                }
                Property::Attribute(attribute) => self.attribute(attribute, shapes),
                Property::Blocks(_, blocks) => self.blocks(&blocks, 0, shapes),
            }
        }
        self.out.close('}');
        if in_parts {
            self.out.close(']');
        }
    }

    /// Returns the items of a body in the order of writing, as far as they can be written.
    fn properties(&mut self, body: BodyNode<'t>) -> Vec<Property<'t>> {
        let mut properties: Vec<Property<'t>> = Vec::new();
        let mut attributes: HashMap<&str, Span> = HashMap::new();
        let mut types: HashMap<&str, (usize, usize, Span)> = HashMap::new();
        let mut last_type = "";
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    attributes.insert(attribute.name(), attribute.name_token().span());
                    properties.push(Property::Attribute(attribute));
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
                    let count = labels.len();
                    let span = block.header_span();
                    let (first, first_count, first_span) =
                        *types.entry(name).or_insert((properties.len(), count, span));
                    if count != first_count {
                        self.problems.push(different_labels(name, span, count, first_span, first_count));
                        continue;
                    }
                    let again = last_type != name && first < properties.len();
                    last_type = name;
                    if again && self.conversion.blocks == JsonBlocks::Array {
                        types.insert(name, (properties.len(), count, first_span));
                    } else if again && self.reordered_names.insert(name) {
                        self.reordered.push(name.to_owned());
                    }
                    let (at, ..) = types[name];
                    let labelled = Labelled { block, labels };
                    match properties.get_mut(at) {
                        Some(Property::Blocks(_, blocks)) => blocks.push(labelled),
                        _ => properties.push(Property::Blocks(name, vec![labelled])),
                    }
                }
                BodyItem::Error(_) => {}
            }
        }
        for (name, (_, _, span)) in types {
            if let Some(&attribute) = attributes.get(name) {
                let detail = format!("JSON cannot tell the argument \"{name}\" from the block of the same name");
                let diagnostic = Finding::error(Code::NotConvertible, span, detail);
                self.problems.push(diagnostic.with_label(attribute, "the argument").with_help(TAGGED));
            }
        }
        properties
    }

    /// Writes blocks of a type with the same labels up to a level.
    fn blocks(&mut self, blocks: &[Labelled<'t>], level: usize, shapes: &Shapes<'_>) {
        let Some(first) = blocks.first() else { return };
        if level == first.labels.len() {
            let block_type = first.block.block_type();
            let is_unknown = shapes.may_be_block(block_type) && shapes.block(block_type).is_none();
            let in_array = blocks.len() > 1 || is_unknown || self.conversion.blocks == JsonBlocks::Array;
            if in_array {
                self.out.open('[');
            }
            for Labelled { block, labels } in blocks {
                let shapes = shapes.within(shapes.block(block.block_type()), labels.iter().map(AsRef::as_ref));
                with_room(|| self.body(block.body(), &shapes));
            }
            if in_array {
                self.out.close(']');
            }
            return;
        }
        let groups: Vec<&[Labelled<'t>]> = blocks.chunk_by(|a, b| a.labels[level] == b.labels[level]).collect();
        let mut known = HashSet::new();
        let in_parts = !groups.iter().all(|group| known.insert(&group[0].labels[level]));
        if in_parts {
            self.out.open('[');
        }
        self.out.open('{');
        known.clear();
        for group in groups {
            let label = &group[0].labels[level];
            if !known.insert(label) {
                self.out.close('}');
                self.out.open('{');
                known.clear();
                known.insert(label);
            }
            self.out.name(label);
            with_room(|| self.blocks(group, level + 1, shapes));
        }
        self.out.close('}');
        if in_parts {
            self.out.close(']');
        }
    }

    /// Writes the comments in a body, without those of its blocks, as a property `"//"`.
    fn comments_of(&mut self, body: BodyNode<'t>) {
        let texts: Vec<&str> = self.own_comments(body).map(|comment| comment.content()).collect();
        match texts[..] {
            [] => {}
            [text] => {
                self.out.name("//");
                self.out.string(text);
            }
            _ => {
                self.out.name("//");
                self.out.open('[');
                texts.into_iter().for_each(|text| self.out.string(text));
                self.out.close(']');
            }
        }
    }

    pub fn own_comments(&self, body: BodyNode<'t>) -> impl Iterator<Item = &'_ Comment<'t>> + use<'_, 't> {
        let within = |span: Span| {
            let start = self.comments.partition_point(|comment| comment.span().start() < span.start());
            let end = self.comments.partition_point(|comment| comment.span().end() <= span.end());
            start..end.max(start)
        };
        let all = within(body.span());
        let mut own = Vec::new();
        let mut done = all.start;
        for block in body.blocks().filter(|_| !self.comments.is_empty()) {
            let inner = within(block.body().span());
            own.push(done..inner.start.max(done));
            done = inner.end.max(done);
        }
        own.push(done..all.end.max(done));
        let mut kept = Vec::new();
        for attribute in body.attributes().filter(|_| !all.is_empty()) {
            match self.conversion.blocks {
                JsonBlocks::Tagged => kept.push(attribute.expression().span()),
                JsonBlocks::Array | JsonBlocks::Collapse => self.kept_in(attribute.expression(), &mut kept),
            }
        }
        let is_kept = move |comment: &&Comment<'t>| {
            let after = kept.partition_point(|span| span.start() <= comment.span().start());
            after.checked_sub(1).is_some_and(|at| comment.span().end() <= kept[at].end())
        };
        own.into_iter().flat_map(|range| &self.comments[range]).filter(move |comment| !is_kept(comment))
    }

    /// Collects the parts of an expression that are written unchanged, including their comments.
    fn kept_in(&self, expression: ExpressionNode<'t>, kept: &mut Vec<Span>) {
        let span = expression.span();
        let next = self.comments.partition_point(|comment| comment.span().start() < span.start());
        if self.comments.get(next).is_none_or(|comment| comment.span().start() >= span.end()) {
            return;
        }
        with_room(|| match expression.kind() {
            ExpressionKind::Tuple(tuple) => tuple.elements().for_each(|element| self.kept_in(element, kept)),
            ExpressionKind::Object(object) if self.keys(object).is_some() => {
                for element in object.elements() {
                    if let ObjectKey::Expression(key) = element.key() {
                        self.kept_in(key, kept);
                    }
                    self.kept_in(element.value(), kept);
                }
            }
            ExpressionKind::Template(template) => match template.unwrapped() {
                _ if template.as_text().is_some() => {}
                Some(inner) => kept.push(inner.span()),
                None => sequences(template, kept),
            },
            ExpressionKind::Unary(operation) if matches!(operation.operand().kind(), ExpressionKind::Number(_)) => {}
            _ => kept.push(span),
        });
    }

    fn tuple(&mut self, tuple: Tuple<'t>, part: fn(&mut Self, ExpressionNode<'t>)) {
        self.out.open('[');
        tuple.elements().for_each(|element| with_room(|| part(self, element)));
        self.out.close(']');
    }

    fn object(&mut self, keys: Vec<String>, object: ObjectNode<'t>, part: fn(&mut Self, ExpressionNode<'t>)) {
        self.out.open('{');
        for (key, element) in keys.into_iter().zip(object.elements()) {
            self.out.name(&key);
            with_room(|| part(self, element.value()));
        }
        self.out.close('}');
    }

    /// Writes the value of an attribute whose entries may be read literally.
    fn attribute(&mut self, attribute: AttributeNode<'t>, shapes: &Shapes<'_>) {
        let expression = attribute.expression();
        match expression.kind() {
            ExpressionKind::Object(object) => {
                let keys = self.keys(object).filter(|keys| keys.iter().any(|key| shapes.is_static_entry(key)));
                let Some(keys) = keys else { return self.expression(expression) };
                self.out.open('{');
                for (key, element) in keys.into_iter().zip(object.elements()) {
                    self.out.name(&key);
                    match shapes.is_static_entry(&key) {
                        true => self.written(element.value()),
                        false => self.expression(element.value()),
                    }
                }
                self.out.close('}');
            }
            // An array of objects would represent blocks.
            ExpressionKind::Tuple(tuple)
                if self.strings == JsonStrings::Template
                    && shapes.may_be_block(attribute.name())
                    && tuple.elements().len() > 0
                    && tuple.elements().all(|element| matches!(element.kind(), ExpressionKind::Object(_))) =>
            {
                self.computed(expression);
            }
            _ => self.expression(expression),
        }
    }

    /// Writes an expression that the application reads literally.
    fn written(&mut self, expression: ExpressionNode<'t>) {
        match expression.kind() {
            ExpressionKind::Tuple(tuple) => self.tuple(tuple, Self::written),
            ExpressionKind::Object(object) => match written_keys(object) {
                Some(keys) => self.object(keys, object, Self::written),
                None => self.out.string(expression.text()),
            },
            // In native syntax, an address may also be in quotes.
            ExpressionKind::Template(template) => match template.as_text().filter(|text| is_address(text)) {
                Some(text) => self.out.string(&text),
                None => self.out.string(expression.text()),
            },
            _ => self.out.string(expression.text()),
        }
    }

    fn expression(&mut self, expression: ExpressionNode<'t>) {
        match expression.kind() {
            ExpressionKind::Number(number) => self.out.raw(&json_number(number.text())),
            ExpressionKind::Bool(value) => self.out.raw(if value { "true" } else { "false" }),
            ExpressionKind::Null => self.out.raw("null"),
            ExpressionKind::Unary(operation) => match (operation.operator(), operation.operand().kind()) {
                // A signed zero is a different number in JSON.
                (UnaryOperator::Negate, ExpressionKind::Number(number))
                    if number.text().bytes().any(|byte| (b'1'..=b'9').contains(&byte)) =>
                {
                    self.out.raw(&format!("-{}", json_number(number.text())));
                }
                _ => self.computed(expression),
            },
            ExpressionKind::Template(template) => self.template(template, expression),
            ExpressionKind::Tuple(tuple) => self.tuple(tuple, Self::expression),
            ExpressionKind::Object(object) => match self.keys(object) {
                Some(keys) => self.object(keys, object, Self::expression),
                None => self.computed(expression),
            },
            // In JSON, the others can only be a template with an interpolation.
            _ => self.computed(expression),
        }
    }

    fn template(&mut self, template: TemplateNode<'t>, expression: ExpressionNode<'t>) {
        match (self.strings, template.as_text(), template.unwrapped()) {
            (JsonStrings::Literal, Some(text), _) => self.out.string(&text),
            (JsonStrings::Literal, None, _) => self.computed(expression),
            (JsonStrings::Template, Some(text), _) => self.out.string(&as_template(escaped(&text, Form::Bare))),
            (JsonStrings::Template, None, Some(inner)) => self.computed(inner),
            (JsonStrings::Template, None, None) => self.out.string(&as_template(rewritten(template, Form::Bare))),
        }
    }

    /// Writes an expression that has no other form in JSON.
    fn computed(&mut self, expression: ExpressionNode<'t>) {
        if self.strings == JsonStrings::Literal {
            self.problems.push(match self.conversion.strings {
                JsonStrings::Literal => {
                    let detail = "only literal values can be written in JSON without templates";
                    let help = "`--strings template` writes it as a string with an interpolation";
                    Finding::error(Code::NotConvertible, expression.span(), detail).with_help(help)
                }
                JsonStrings::Template => {
                    let detail = "only a literal value has a form in JSON here: its strings are not evaluated";
                    Finding::error(Code::NotConvertible, expression.span(), detail)
                }
            });
        }
        self.out.string(&format!("${{{}}}", source_in_sequence(expression)));
    }

    /// Returns the keys of an object as names of properties, if that has the same meaning: JSON does not allow
    /// duplicates, so at most one key may be computed.
    fn keys(&self, object: ObjectNode<'t>) -> Option<Vec<String>> {
        let single = object.elements().len() == 1;
        let mut known = HashSet::new();
        let mut keys = Vec::new();
        for element in object.elements() {
            let key = match element.key_text() {
                Some(key) if self.strings == JsonStrings::Literal => key.into_owned(),
                Some(key) => as_template(escaped(&key, Form::Bare)),
                None if single && self.strings == JsonStrings::Template => computed_key(element)?,
                None => return None,
            };
            if !known.insert(crate::model::Value::from(key.as_str())) {
                return None;
            }
            keys.push(key);
        }
        Some(keys)
    }
}

/// Returns the keys of an object that the application reads literally: names, texts and references such as `aws.west`.
/// `None` for other keys, and if two are equal.
fn written_keys(object: ObjectNode<'_>) -> Option<Vec<String>> {
    let mut known = HashSet::new();
    let keys = object.elements().map(|element| {
        let reference = || element.key_expression().as_traversal().map(|_| element.key_expression().text().to_owned());
        let key = element.key_text().map(Cow::into_owned).or_else(reference)?;
        known.insert(crate::model::Value::from(key.as_str())).then_some(key)
    });
    keys.collect()
}

/// Returns true if a text is a name, or names with dots between them.
fn is_address(text: &str) -> bool {
    text.split('.').all(is_identifier)
}

const TAGGED: &str = "`--blocks tagged` can express it";

fn different_labels(name: &str, span: Span, count: usize, first: Span, first_count: usize) -> Finding {
    let labels = |count: usize| {
        format!(
            "{} label{}",
            if count == 0 { "no".to_owned() } else { count.to_string() },
            if count == 1 { "" } else { "s" }
        )
    };
    let detail =
        format!("in JSON all blocks of type \"{name}\" need the same number of labels; this one has {}", labels(count));
    let diagnostic = Finding::error(Code::NotConvertible, span, detail);
    diagnostic.with_label(first, format!("this one has {}", labels(first_count))).with_help(TAGGED)
}

/// Returns a number of native syntax in JSON notation: without leading zeros, and without a dot that no digit follows.
pub(super) fn json_number(text: &str) -> Cow<'_, str> {
    let digits = text.trim_start_matches('0');
    let begins = digits.starts_with(|c: char| c.is_ascii_digit());
    // In a file with errors, the zero before the dot may be missing.
    let number = if begins { digits } else { &text[text.len().saturating_sub(digits.len() + 1)..] };
    match number.split_once(['e', 'E']) {
        Some((before, exponent)) if before.ends_with('.') => {
            Cow::Owned(format!("{}e{exponent}", before.trim_end_matches('.')))
        }
        _ => Cow::Borrowed(number),
    }
}

/// Returns the key of an object element as a template. Unlike a template, a path is an error as a key.
fn computed_key(element: ObjectElement<'_>) -> Option<String> {
    let key = element.key_expression();
    match key.kind() {
        ExpressionKind::Template(template) => match template.unwrapped() {
            Some(inner) => Some(format!("${{{}}}", source_in_sequence(inner))),
            None => Some(as_template(rewritten(template, Form::Bare))),
        },
        ExpressionKind::Traversal(_) => None,
        _ => Some(format!("${{{}}}", source_in_sequence(key))),
    }
}

/// Returns the text of a string that is read as a template. The reader skips the first byte order mark.
fn as_template(text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) { format!("{BYTE_ORDER_MARK}{text}") } else { text }
}
