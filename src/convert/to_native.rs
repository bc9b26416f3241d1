//! Converts JSON to native syntax.

use std::collections::HashMap;
use std::sync::Arc;

use super::template::{rewritten, source_in_sequence};
use super::{ConversionOptions, Converted, JsonStrings, stands_alone};
use crate::body::properties_of;
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::json::{
    BYTE_ORDER_MARK, BlockShape, COMMENT, Document, Node, NodeKind, Object, Property, Shapes, StringText, check_root,
    source_of,
};
use crate::model::Value;
use crate::source::{Source, Span};
use crate::stack::with_room;
use crate::syntax::ast::{File, TemplateNode, TemplatePart};
use crate::syntax::{expression_file, is_identifier, template_file};
use crate::writer::{BlockText, Form, Item, Layout, ListText, ObjectText, Shape, heredoc, key, quoted};

/// Converts a document without a schema, so that all properties become attributes.
pub(crate) fn attributes(document: &Document) -> Outcome<Converted> {
    written(document, &ConversionOptions::default(), |writer, root| writer.root(root))
}

/// A document in native syntax, whose root `write` writes.
pub(super) fn written<'d>(
    document: &'d Document,
    conversion: &ConversionOptions<'_>,
    write: impl FnOnce(&mut Writer<'_>, Node<'d>),
) -> Outcome<Converted> {
    let mut writer = Writer {
        conversion,
        strings: conversion.strings,
        source: document.source(),
        out: Layout::default(),
        problems: Diagnostics::new(),
        maybe_blocks: Vec::new(),
    };
    write(&mut writer, document.root());
    let Writer { out, mut problems, maybe_blocks, .. } = writer;
    let converted = Converted { text: out.finish(), maybe_blocks, ..Converted::default() };
    check_root(document, &mut problems);
    problems.sort();
    Outcome::new(converted, problems.limited(conversion.options.max_errors))
}

pub(super) struct Writer<'c> {
    pub conversion: &'c ConversionOptions<'c>,
    /// The meaning of strings in the current argument.
    strings: JsonStrings,
    source: &'c Arc<Source>,
    pub out: Layout,
    pub problems: Diagnostics,
    maybe_blocks: Vec<String>,
}

/// The position of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// After an equals sign, where the line end ends the expression.
    Assigned,
    /// In a tuple, where a comma follows.
    Element,
}

impl<'d> Writer<'_> {
    pub fn problem(&mut self, code: Code, span: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
        self.report(Finding::error(code, span, detail));
    }

    pub fn report(&mut self, problem: Finding) {
        self.problems.push(problem.in_source(self.source));
    }

    pub fn root(&mut self, root: Node<'d>) {
        let shapes = self.conversion.schema.root();
        if self.conversion.schema.has_no_blocks() {
            let names = members_of(root).into_iter().filter(|member| may_be_blocks(member.value()));
            let names = names.map(|member| member.name().into_owned()).filter(|name| name != COMMENT);
            self.maybe_blocks.extend(names.filter(|name| !shapes.is_static(name)));
        }
        self.body(root, &shapes);
    }

    fn body(&mut self, node: Node<'d>, shapes: &Shapes<'_>) {
        let required = || {
            "an object, or an array of objects, is required here, with arguments and blocks as its properties"
                .to_owned()
        };
        let members = properties_of(node, &required, &mut |problem| self.report(problem));
        let mut places: HashMap<String, Span> = HashMap::new();
        for member in members {
            let name = member.name();
            if name == COMMENT {
                self.comments(member.value());
                continue;
            }
            if !is_identifier(&name) {
                let detail = format!("{} cannot be the name of an argument or block in native syntax", quoted(&name));
                let help = "names are letters, digits, `_` and `-`, and do not begin with a digit or `-`";
                let diagnostic = Finding::error(Code::NotConvertible, member.name_span(), detail);
                self.report(diagnostic.with_help(help));
                continue;
            }
            if let Some(block) = shapes.block(&name) {
                self.blocks(&name, block, member.value(), &mut Vec::new(), shapes);
                continue;
            }
            if shapes.may_be_block(&name)
                && let NodeKind::Array(array) = member.value().kind()
                && may_be_blocks(member.value())
            {
                array.elements().for_each(|body| self.block(&name, None, body, &[], shapes));
                continue;
            }
            if let Some(&first) = places.get(&*name) {
                let detail = format!("the argument \"{name}\" is already set");
                let diagnostic = Finding::error(Code::DuplicateAttribute, member.name_span(), detail);
                self.report(diagnostic.with_label(first, "first set here"));
                continue;
            }
            self.attribute(&name, |writer| match member.value().kind() {
                _ if shapes.is_static(&name) => writer.written(member.value()),
                _ if shapes.is_literal(&name) => {
                    let strings = std::mem::replace(&mut writer.strings, JsonStrings::Literal);
                    let shape = writer.value(member.value(), Position::Assigned);
                    writer.strings = strings;
                    shape
                }
                NodeKind::Object(object) => with_room(|| {
                    writer.object(object, Self::key, &|writer, key, value| match shapes.is_static_entry(key) {
                        true => writer.written(value),
                        false => writer.value(value, Position::Assigned),
                    })
                }),
                _ => writer.value(member.value(), Position::Assigned),
            });
            places.insert(name.into_owned(), member.name_span());
        }
    }

    /// Writes an attribute with its value.
    pub fn attribute(&mut self, name: &str, value: impl FnOnce(&mut Self) -> Shape) {
        self.out.begin_attribute(name);
        value(self);
        self.out.end_line();
    }

    /// Writes the lines of a comment.
    pub fn comment(&mut self, text: &str) {
        if self.out.last() == Some(Item::Attribute) {
            self.out.blank_line();
        }
        let lines: Vec<String> = text.lines().map(|line| format!("# {line}").trim_end().to_owned()).collect();
        self.out.comment(&lines.join("\n"));
    }

    /// A comment is a text, or an array of texts; other values are not meant as comments.
    fn comments(&mut self, node: Node<'d>) {
        match node.kind() {
            NodeKind::String(text) => self.comment(&text.text()),
            NodeKind::Array(array) if array.elements().all(|element| element.as_string().is_some()) => {
                for text in array.elements().filter_map(Node::as_string) {
                    self.comment(&text.text());
                }
            }
            _ => self.comment(node.text()),
        }
    }

    /// Writes the blocks of a value, after the labels that have been read so far.
    fn blocks(
        &mut self,
        name: &str,
        block: &BlockShape,
        value: Node<'d>,
        labels: &mut Vec<String>,
        shapes: &Shapes<'_>,
    ) {
        let label = block.labels.get(labels.len());
        if let Some(label) = label.filter(|_| labels.len() < block.required || has_labels(value)) {
            let required = || {
                format!(
                    "an object, or an array of objects, is required here, with the {label} of each \"{name}\" block as a property name"
                )
            };
            for member in properties_of(value, &required, &mut |problem| self.report(problem)) {
                labels.push(member.name().into_owned());
                with_room(|| self.blocks(name, block, member.value(), labels, shapes));
                labels.pop();
            }
            return;
        }
        match value.kind() {
            NodeKind::Array(array) => {
                for body in array.elements() {
                    self.block(name, Some(block), body, labels, shapes);
                }
            }
            NodeKind::Null | NodeKind::Error => {}
            _ => self.block(name, Some(block), value, labels, shapes),
        }
    }

    fn block(
        &mut self,
        name: &str,
        block: Option<&BlockShape>,
        body: Node<'d>,
        labels: &[String],
        shapes: &Shapes<'_>,
    ) {
        let shapes = shapes.within(block, labels.iter().map(String::as_str));
        let block = BlockText::new(name, labels.iter().map(|label| quoted(label)), &mut self.out);
        with_room(|| self.body(body, &shapes));
        block.finish_short(&mut self.out);
    }

    /// Writes a value.
    fn value(&mut self, node: Node<'d>, position: Position) -> Shape {
        match node.kind() {
            NodeKind::Number(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Error => self.plain(node.text()),
            NodeKind::String(text) => self.string(text, position),
            NodeKind::Object(object) => with_room(|| {
                self.object(object, Self::key, &|writer, _, value| writer.value(value, Position::Assigned))
            }),
            NodeKind::Array(array) => {
                let list = ListText::new(&mut self.out);
                with_room(|| {
                    self.list(list, array.elements(), |writer, element| writer.value(element, Position::Element))
                })
            }
        }
    }

    fn plain(&mut self, text: &str) -> Shape {
        self.out.push(text);
        Shape::Plain
    }

    fn list(
        &mut self,
        mut list: ListText,
        elements: impl Iterator<Item = Node<'d>>,
        write: fn(&mut Self, Node<'d>) -> Shape,
    ) -> Shape {
        for element in elements {
            list.begin_element(&mut self.out);
            let shape = write(self, element);
            list.end_element(shape, &mut self.out);
        }
        list.finish(&mut self.out)
    }

    fn object(
        &mut self,
        object: Object<'d>,
        key: fn(&mut Self, StringText<'d>) -> String,
        write: &dyn Fn(&mut Self, &str, Node<'d>) -> Shape,
    ) -> Shape {
        let mut places: HashMap<Value, Span> = HashMap::new();
        let mut text = ObjectText::new(&mut self.out);
        for member in object.properties() {
            let key = key(self, member.name_text());
            // A computed key is unknown, and one with mistakes is empty. Duplicates are errors in JSON, also if they
            // only differ in normalization.
            if !key.is_empty()
                && let Some(first) = places.insert(Value::from(key.as_str()), member.name_span())
            {
                let detail = format!("the property {} of the object is already set", quoted(&member.name()));
                let diagnostic = Finding::error(Code::DuplicateKey, member.name_span(), detail);
                self.report(diagnostic.with_label(first, "first set here"));
            }
            text.begin_written_entry(&key, &mut self.out);
            write(self, &member.name(), member.value());
            text.end_entry(&mut self.out);
        }
        text.finish(&mut self.out)
    }

    /// Returns a key that the application reads literally: a reference is written as one.
    fn written_key(&mut self, text: StringText<'d>) -> String {
        let name = text.text();
        let is_reference = |file: &File| {
            let expression = file.expression();
            expression.as_traversal().is_some() && expression.text() == &*name
        };
        match expression_file(source_of(text), &self.conversion.options).into_result() {
            Ok(file) if !is_identifier(&name) && is_reference(&file) => name.into_owned(),
            _ => key(&name),
        }
    }

    fn key(&mut self, text: StringText<'d>) -> String {
        let name = text.text();
        if self.strings == JsonStrings::Literal {
            return key(&name);
        }
        if !has_sequence(&name) {
            return key(name.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&name));
        }
        let template = self.template(text).map(|file| match file.template().as_text() {
            Some(text) => key(&text),
            None => format!("\"{}\"", rewritten(file.template(), Form::Quoted)),
        });
        template.unwrap_or_default()
    }

    /// Returns the template of a string, if it is one.
    fn template(&mut self, text: StringText<'d>) -> Option<File> {
        let outcome = template_file(source_of(text), &self.conversion.options);
        outcome.into_result().map_err(|diagnostics| self.problems.append(diagnostics)).ok()
    }

    fn string(&mut self, text: StringText<'d>, position: Position) -> Shape {
        let plain = text.text();
        let heredocs = position == Position::Assigned;
        if self.strings == JsonStrings::Literal {
            return self.out.string(&plain, heredocs);
        }
        if !has_sequence(&plain) {
            return self.out.string(plain.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&plain), heredocs);
        }
        let Some(file) = self.template(text) else { return Shape::Plain };
        let template = file.template();
        let text = match (template.as_text(), template.unwrapped()) {
            (Some(text), _) => return self.out.string(&text, heredocs),
            (None, Some(expression)) => {
                let source = source_in_sequence(expression);
                let ends_line = source.len() > expression.text().len();
                if stands_alone(expression.text(), &self.conversion.options) && (heredocs || !ends_line) {
                    expression.text().to_owned()
                } else {
                    format!("\"${{{source}}}\"")
                }
            }
            (None, None) => {
                let lines = (heredocs && has_simple_parts(template)).then(|| heredoc(&rewritten(template, Form::Bare)));
                lines.flatten().unwrap_or_else(|| format!("\"{}\"", rewritten(template, Form::Quoted)))
            }
        };
        self.out.expression(&text)
    }

    /// Writes a value whose strings are expressions, which the application reads literally.
    fn written(&mut self, node: Node<'d>) -> Shape {
        let text = match node.kind() {
            NodeKind::Object(object) => {
                return with_room(|| self.object(object, Self::written_key, &|writer, _, value| writer.written(value)));
            }
            NodeKind::Array(array) => {
                let list = ListText::in_lines(&mut self.out);
                return with_room(|| self.list(list, array.elements(), Self::written));
            }
            NodeKind::String(text) => text,
            _ => return self.plain(node.text()),
        };
        match expression_file(source_of(text), &self.conversion.options).into_result() {
            Ok(file) if stands_alone(file.expression().text(), &self.conversion.options) => {
                return self.out.expression(file.expression().text());
            }
            Ok(_) => {
                let detail = "this expression cannot be written in native syntax as it is: it spans several lines";
                let diagnostic = Finding::error(Code::NotConvertible, node.span(), detail);
                self.report(diagnostic.with_help("write it on one line, or with brackets around it"));
            }
            Err(diagnostics) => self.problems.append(diagnostics),
        }
        Shape::Plain
    }
}

fn members_of(node: Node<'_>) -> Vec<Property<'_>> {
    properties_of(node, &String::new, &mut |_| ())
}

/// Returns true if a value looks like the bodies of blocks, or like labels with bodies.
fn may_be_blocks(value: Node<'_>) -> bool {
    match value.kind() {
        NodeKind::Object(_) => true,
        NodeKind::Array(array) => {
            !array.is_empty() && array.elements().all(|element| matches!(element.kind(), NodeKind::Object(_)))
        }
        _ => false,
    }
}

/// Returns true if the properties of a value look like labels: all of their values look like bodies of blocks.
fn has_labels(value: Node<'_>) -> bool {
    let members = members_of(value);
    !members.is_empty() && members.iter().all(|member| may_be_blocks(member.value()))
}

fn has_sequence(text: &str) -> bool {
    text.contains("${") || text.contains("%{")
}

/// Returns true if a template is text with interpolations that fit their lines.
fn has_simple_parts(template: TemplateNode<'_>) -> bool {
    template.parts().all(|part| match part {
        TemplatePart::Literal(..) => true,
        TemplatePart::Interpolation(expression) => !expression.text().contains('\n'),
        _ => false,
    })
}
