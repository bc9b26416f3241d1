//! From the tree to the objects of python-hcl2.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use hcl_lr::internal::decode_quoted;
use hcl_lr::internal::python::{Dict, Value, number_of, str_of};
use hcl_lr::stack::with_room;
use hcl_lr::syntax::ast::{
    AccessStep, BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, ForExpr, LabelNode, ObjectElement, ObjectKey,
    TemplateNode, TemplatePart,
};
use pyo3::prelude::*;

use super::comments::{self, Comments};
use crate::node::Node;

/// The options of python-hcl2, and one of our own.
#[derive(FromPyObject, Clone)]
pub struct Options {
    with_comments: bool,
    wrap_objects: bool,
    wrap_tuples: bool,
    explicit_blocks: bool,
    preserve_heredocs: bool,
    force_operation_parentheses: bool,
    preserve_scientific_notation: bool,
    strip_string_quotes: bool,
}

/// Where an expression is.
#[derive(Clone, Copy, Default)]
struct Place {
    /// In parentheses, at any level.
    in_parentheses: bool,
    /// An operand of an operator, or another direct part of an expression that is none of brackets.
    is_operand: bool,
}

/// Makes the objects.
pub struct Serializer<'o> {
    options: &'o Options,
    /// Writing has a space between `...` and the parenthesis after it.
    writes: bool,
}

impl Options {
    /// The options by which expressions are written.
    pub fn for_writing() -> Options {
        Options {
            with_comments: false,
            wrap_objects: true,
            wrap_tuples: true,
            explicit_blocks: true,
            preserve_heredocs: true,
            force_operation_parentheses: false,
            preserve_scientific_notation: true,
            strip_string_quotes: false,
        }
    }
}

impl<'o> Serializer<'o> {
    /// Creates a serializer.
    pub fn new(options: &'o Options) -> Self {
        Serializer { options, writes: false }
    }

    /// Creates a serializer for texts that are written.
    pub fn for_writing(options: &'o Options) -> Self {
        Serializer { options, writes: true }
    }

    /// Returns the objects of a file.
    ///
    /// # Errors
    /// A message, if a name is used for an attribute and for blocks.
    pub fn file(&self, file: &File) -> Result<Value, String> {
        let comments = self.options.with_comments.then(|| Comments::of(file));
        Ok(Value::Dict(self.body(file.body(), comments.as_ref())?))
    }

    /// Returns the objects of a node.
    ///
    /// # Errors
    /// As [`file`](Self::file), and for a part of a document in JSON.
    pub fn node(&self, node: &Node<'_>) -> Result<Value, String> {
        let comments = |body: BodyNode<'_>| self.options.with_comments.then(|| Comments::of(&body.file()));
        Ok(match node {
            Node::Body(body) => Value::Dict(self.body(*body, comments(*body).as_ref())?),
            Node::Block(block) => {
                let inner = self.body(block.body(), comments(block.body()).as_ref())?;
                self.labeled(inner, block.body(), block.labels())
            }
            Node::Attribute(attribute) => {
                let mut dict = Dict::default();
                dict.set(attribute.name().to_owned(), self.value(attribute.expression(), Place::default()));
                Value::Dict(dict)
            }
            Node::Entry(entry) => {
                let mut dict = Dict::default();
                dict.set(self.key(*entry, false), self.value(entry.value(), Place::default()));
                Value::Dict(dict)
            }
            Node::Expression(expression) => self.value(*expression, Place::default()),
            Node::Json(_) => return Err("python-hcl2 has no objects for the JSON syntax".to_owned()),
        })
    }

    fn body(&self, body: BodyNode<'_>, comments: Option<&Comments>) -> Result<Dict, String> {
        let mut dict = Dict::default();
        let has_blocks = body.blocks().next().is_some();
        let mut attributes: HashSet<&str, RandomState> = HashSet::default();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    if has_blocks {
                        attributes.insert(attribute.name());
                    }
                    let value = self.value(attribute.expression(), Place::default());
                    dict.set(attribute.name().to_owned(), value);
                }
                BodyItem::Block(block) => {
                    if attributes.contains(block.block_type()) {
                        return Err(format!("Attribute {} is already defined.", block.block_type()));
                    }
                    let inner = with_room(|| self.body(block.body(), comments))?;
                    let value = self.labeled(inner, block.body(), block.labels());
                    match dict.get_mut(block.block_type()) {
                        Some(Value::List(blocks)) => blocks.push(value),
                        _ => dict.set(block.block_type().to_owned(), Value::List(vec![value])),
                    }
                }
                _ => {}
            }
        }
        if let Some(comments) = comments {
            let found = comments.of_body(body);
            for (name, texts) in [("__comments__", found.body), ("__inline_comments__", found.inline)] {
                if !texts.is_empty() {
                    dict.set(name.to_owned(), comments::objects(texts));
                }
            }
        }
        Ok(dict)
    }

    fn labeled<'t>(&self, mut body: Dict, node: BodyNode<'t>, labels: impl Iterator<Item = LabelNode<'t>>) -> Value {
        if self.options.explicit_blocks {
            body.set("__is_block__".to_owned(), Value::Bool(true));
        }
        let source = node.shared_source();
        let names: Vec<String> = labels
            .map(|label| match label.is_quoted() && self.options.strip_string_quotes {
                true => label.text().into_owned(),
                false => source.slice(label.span()).to_owned(),
            })
            .collect();
        names.into_iter().rev().fold(Value::Dict(body), |value, name| {
            let mut outer = Dict::default();
            outer.set(name, value);
            Value::Dict(outer)
        })
    }

    /// Returns the object of an expression that is not part of a text.
    fn value(&self, expression: ExpressionNode<'_>, place: Place) -> Value {
        match expression.kind() {
            ExpressionKind::Number(number) => return self.number(number.text()),
            ExpressionKind::Bool(value) => return Value::Bool(value),
            ExpressionKind::Null => return Value::None,
            // A negative number is a number, unless operations are to have parentheses.
            ExpressionKind::Unary(operation) => match operation.operand().kind() {
                ExpressionKind::Number(number)
                    if operation.operator().as_str() == "-" && !self.options.force_operation_parentheses =>
                {
                    return self.number(&format!("-{}", number.text()));
                }
                _ => {
                    if let Some(text) = negative_literal(expression) {
                        return self.number(text);
                    }
                }
            },
            ExpressionKind::Template(template) => return Value::Text(self.template(expression, template, true)),
            ExpressionKind::Traversal(path) if path.as_variable().is_some() => {
                return Value::Text(expression.text().to_owned());
            }
            ExpressionKind::Tuple(tuple) if !self.options.wrap_tuples => {
                let elements = tuple.elements();
                let element = |element| with_room(|| self.value(element, Place::default()));
                return Value::List(elements.map(element).collect());
            }
            ExpressionKind::Object(object) if !self.options.wrap_objects => {
                let mut dict = Dict::default();
                for element in object.elements() {
                    let value = with_room(|| self.value(element.value(), Place::default()));
                    dict.set(self.key(element, false), value);
                }
                return Value::Dict(dict);
            }
            ExpressionKind::Parentheses(inner) => {
                let inner = with_room(|| self.value(inner.inner(), Place { in_parentheses: true, is_operand: false }));
                let text = str_of(&inner);
                let bare = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).unwrap_or(&text);
                return Value::Text(format!("${{({bare})}}"));
            }
            _ => {}
        }
        let mut text = String::from("${");
        self.text(expression, place, &mut text);
        text.push('}');
        Value::Text(text)
    }

    fn number(&self, text: &str) -> Value {
        let has_exponent = text.contains(['e', 'E']);
        match has_exponent && self.options.preserve_scientific_notation {
            true => Value::Text(format!("${{{text}}}")),
            // An upper-case letter is part of a number for Python.
            false => number_of(&text.to_ascii_uppercase()),
        }
    }

    /// Appends the text of an expression within a text.
    pub fn expression_text(&self, expression: ExpressionNode<'_>, out: &mut String) {
        self.text(expression, Place::default(), out);
    }

    fn text(&self, expression: ExpressionNode<'_>, place: Place, out: &mut String) {
        let inner = Place { is_operand: false, ..place };
        match expression.kind() {
            ExpressionKind::Number(number) => match self.number(number.text()) {
                Value::Text(_) => out.push_str(number.text()),
                number => out.push_str(&str_of(&number)),
            },
            ExpressionKind::Template(template) => out.push_str(&self.template(expression, template, false)),
            ExpressionKind::Tuple(tuple) => {
                out.push('[');
                self.separated(tuple.elements(), inner, out);
                out.push(']');
            }
            ExpressionKind::Object(object) => {
                out.push('{');
                for (index, element) in object.elements().enumerate() {
                    // After a heredoc, the end of the line ends the entry.
                    let has_comma = index > 0 && !(self.writes && out.ends_with('\n'));
                    out.push_str(if has_comma { ", " } else { "" });
                    out.push_str(&self.key(element, true));
                    out.push_str(" = ");
                    with_room(|| self.text(element.value(), inner, out));
                }
                out.push('}');
            }
            ExpressionKind::Parentheses(parentheses) => {
                out.push('(');
                let inner = Place { in_parentheses: true, is_operand: false };
                with_room(|| self.text(parentheses.inner(), inner, out));
                out.push(')');
            }
            ExpressionKind::FunctionCall(call) => {
                out.extend([&*call.name(), "("]);
                self.separated(call.arguments(), inner, out);
                if call.expands_last() {
                    out.push_str(if self.writes { " ... " } else { " ..." });
                }
                out.push(')');
            }
            ExpressionKind::Conditional(conditional) => {
                let operand = Place { is_operand: true, ..place };
                self.wrapped(place, out, |out| {
                    with_room(|| self.text(conditional.predicate(), operand, out));
                    out.push_str(" ? ");
                    with_room(|| self.text(conditional.true_result(), operand, out));
                    out.push_str(" : ");
                    with_room(|| self.text(conditional.false_result(), operand, out));
                });
            }
            ExpressionKind::Binary(_) => self.operations(expression, place, out),
            ExpressionKind::Unary(operation) => match negative_literal(expression) {
                Some(text) => match self.number(text) {
                    Value::Text(_) => out.push_str(text),
                    number => out.push_str(&str_of(&number)),
                },
                None => self.wrapped(place, out, |out| {
                    out.push_str(operation.operator().as_str());
                    with_room(|| self.text(operation.operand(), Place { is_operand: true, ..place }, out));
                }),
            },
            ExpressionKind::For(expression) => self.for_expression(expression, place, out),
            ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal(_)
            | ExpressionKind::Index(_)
            | ExpressionKind::Splat(_)
            | ExpressionKind::SplatItem => self.access(expression, inner, out),
            _ => out.push_str(expression.text()),
        }
    }

    fn separated<'t>(&self, parts: impl Iterator<Item = ExpressionNode<'t>>, place: Place, out: &mut String) {
        for (index, part) in parts.enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            with_room(|| self.text(part, place, out));
        }
    }

    /// Writes an operation, in parentheses if they are requested and it is an operand.
    fn wrapped(&self, place: Place, out: &mut String, write: impl FnOnce(&mut String)) {
        let wraps = self.options.force_operation_parentheses && place.is_operand && !place.in_parentheses;
        out.push_str(if wraps { "(" } else { "" });
        write(out);
        out.push_str(if wraps { ")" } else { "" });
    }

    /// Writes a chain of operators from its first operand on, which is the innermost left one.
    fn operations(&self, expression: ExpressionNode<'_>, place: Place, out: &mut String) {
        let mut chain = Vec::new();
        let mut first = expression;
        while let ExpressionKind::Binary(operation) = first.kind() {
            chain.push(operation);
            first = operation.left();
        }
        let wraps = self.options.force_operation_parentheses && !place.in_parentheses;
        let opened = if wraps { chain.len() - usize::from(!place.is_operand) } else { 0 };
        (0..opened).for_each(|_| out.push('('));
        let operand = Place { is_operand: true, ..place };
        with_room(|| self.text(first, operand, out));
        for (index, operation) in chain.iter().rev().enumerate() {
            out.extend([" ", operation.operator().as_str(), " "]);
            with_room(|| self.text(operation.right(), operand, out));
            out.push_str(if index < opened { ")" } else { "" });
        }
    }

    fn for_expression(&self, expression: ForExpr<'_>, place: Place, out: &mut String) {
        let (inner, operand) = (Place { is_operand: false, ..place }, Place { is_operand: true, ..place });
        out.push(if expression.is_object() { '{' } else { '[' });
        out.push_str(if self.writes { " " } else { "" });
        self.for_intro(expression, inner, out);
        out.push(' ');
        if let Some(key) = expression.key() {
            with_room(|| self.text(key, operand, out));
            out.push_str(" => ");
        }
        with_room(|| self.text(expression.value(), operand, out));
        if expression.groups() {
            out.push_str(if self.writes { " ..." } else { "..." });
        }
        if let Some(condition) = expression.condition() {
            out.push_str(" if ");
            with_room(|| self.text(condition, inner, out));
        }
        out.push(if expression.is_object() { '}' } else { ']' });
    }

    /// Writes `for key, value in collection :`.
    fn for_intro(&self, expression: ForExpr<'_>, place: Place, out: &mut String) {
        out.push_str("for ");
        if let Some(key) = expression.key_variable() {
            out.extend([key.text(), ", "]);
        }
        out.extend([expression.value_variable().text(), " in "]);
        with_room(|| self.text(expression.collection(), place, out));
        out.push_str(" :");
    }

    /// Returns `for key, value in collection :`.
    pub fn intro(&self, expression: ForExpr<'_>) -> String {
        let mut out = String::new();
        self.for_intro(expression, Place::default(), &mut out);
        out
    }

    /// Writes accesses to attributes and elements, from the innermost expression on.
    fn access(&self, expression: ExpressionNode<'_>, place: Place, out: &mut String) {
        enum Step<'t> {
            Access(AccessStep<'t>),
            Splat(&'static str),
        }
        let (mut steps, mut splats, mut at) = (Vec::new(), Vec::new(), expression);
        loop {
            match at.kind() {
                ExpressionKind::Traversal(path) => {
                    steps.extend(path.steps().rev().map(Step::Access));
                    out.push_str(path.root().text());
                    break;
                }
                ExpressionKind::RelativeTraversal(path) => {
                    steps.extend(path.steps().rev().map(Step::Access));
                    at = path.source();
                }
                ExpressionKind::Index(index) => {
                    steps.push(Step::Access(AccessStep::Index(index.key())));
                    at = index.collection();
                }
                ExpressionKind::Splat(splat) => {
                    splats.push(splat);
                    at = splat.each();
                }
                ExpressionKind::SplatItem => match splats.pop() {
                    Some(splat) => {
                        steps.push(Step::Splat(if splat.is_full() { "[*]" } else { ".*" }));
                        at = splat.source();
                    }
                    None => break,
                },
                _ => {
                    with_room(|| self.text(at, place, out));
                    break;
                }
            }
        }
        for step in steps.into_iter().rev() {
            match step {
                Step::Splat(operator) => out.push_str(operator),
                Step::Access(AccessStep::Attribute(name)) => out.extend([".", name.text()]),
                Step::Access(AccessStep::LegacyIndex(number)) => {
                    out.extend([".", number.text().trim_start_matches('.')]);
                }
                Step::Access(AccessStep::Index(key)) => {
                    out.push('[');
                    with_room(|| self.text(key, place, out));
                    out.push(']');
                }
                Step::Access(_) => {}
            }
        }
    }

    /// Returns the key of an object, within a text or not.
    pub fn key(&self, element: ObjectElement<'_>, in_text: bool) -> String {
        let computed = |key: ExpressionNode<'_>| {
            let mut text = String::new();
            with_room(|| self.text(key, Place::default(), &mut text));
            if in_text { text } else { format!("${{{text}}}") }
        };
        match element.key() {
            ObjectKey::Name(name) => match name.text() {
                word @ ("true" | "false" | "null") if !in_text => format!("${{{word}}}"),
                name => name.to_owned(),
            },
            ObjectKey::Expression(key) => match key.kind() {
                ExpressionKind::Template(template) => self.template(key, template, !in_text),
                ExpressionKind::Number(number) => str_of(&self.number(number.text())),
                ExpressionKind::Traversal(path) if path.as_variable().is_some() => key.text().to_owned(),
                _ => computed(key),
            },
            _ => computed(element.key_expression()),
        }
    }

    /// Returns a string with its quotes, or its value if that is requested and it is not part of a text.
    fn template(&self, expression: ExpressionNode<'_>, template: TemplateNode<'_>, is_value: bool) -> String {
        let text = expression.text();
        if template.is_heredoc() {
            return self.heredoc(text);
        }
        if let Some(heredoc) = super::heredocs::decoded(text).filter(|_| self.writes) {
            return self.heredoc(&heredoc);
        }
        let strips = self.options.strip_string_quotes && is_value;
        let source = expression.shared_source();
        let mut out = String::new();
        out.push_str(if strips { "" } else { "\"" });
        for part in template.parts() {
            match part {
                TemplatePart::Literal(_, span) => {
                    let text = source.slice(span);
                    // The only part of a string without interpolations has its quotes.
                    let is_whole = span == expression.span();
                    let text = if is_whole { text.strip_prefix('"').unwrap_or(text) } else { text };
                    let text = if is_whole { text.strip_suffix('"').unwrap_or(text) } else { text };
                    match strips {
                        true => out.push_str(&unescaped(text)),
                        false => out.push_str(text),
                    }
                }
                TemplatePart::Interpolation(inner) => {
                    out.push_str("${");
                    with_room(|| self.text(inner, Place::default(), &mut out));
                    out.push('}');
                }
                // As they are written.
                TemplatePart::If(part) => out.push_str(source.slice(part.span())),
                TemplatePart::For(part) => out.push_str(source.slice(part.span())),
                _ => {}
            }
        }
        out.push_str(if strips { "" } else { "\"" });
        out
    }

    fn heredoc(&self, text: &str) -> String {
        let text = text.trim_end_matches(['\r', '\n', '\t', ' ']);
        if self.writes {
            // The line of the closing marker has nothing else.
            return format!("{text}\n");
        }
        let strips = self.options.strip_string_quotes;
        if self.options.preserve_heredocs {
            return if strips { text.to_owned() } else { format!("\"{text}\"") };
        }
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let marker = header.trim_start_matches(['<', '-']).trim_end_matches('\r');
        let content = rest.strip_suffix(marker).unwrap_or(rest).trim_end_matches([' ', '\t']);
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let mut lines: Vec<&str> = content.split('\n').collect();
        if header.starts_with("<<-") {
            let spaces = |line: &&str| line.len() - line.trim_start_matches(' ').len();
            let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(spaces).min().unwrap_or_default();
            lines = lines.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
        }
        if strips {
            return lines.join("\n");
        }
        let escaped = |line: &&str| line.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{}\"", lines.iter().map(escaped).collect::<Vec<_>>().join("\\n"))
    }
}

/// Returns the text of a negative number that python-hcl2 reads as one: with a fraction, or with two digits.
fn negative_literal<'t>(expression: ExpressionNode<'t>) -> Option<&'t str> {
    let ExpressionKind::Unary(operation) = expression.kind() else { return None };
    let ExpressionKind::Number(number) = operation.operand().kind() else { return None };
    let is_adjacent = operation.operator_span().end() == operation.operand().span().start();
    let is_literal = number.text().len() > 1 || !number.text().bytes().all(|byte| byte.is_ascii_digit());
    (operation.operator().as_str() == "-" && is_adjacent && is_literal).then(|| expression.text())
}

/// Decodes the escape sequences of a text, except in `$${…}` and `%%{…}`, which stay as they are.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = ["$${", "%%{"].iter().filter_map(|start| rest.find(start)).min() {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        out.push_str(&decode_quoted(&rest[..at]));
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    out.push_str(&decode_quoted(rest));
    out
}
