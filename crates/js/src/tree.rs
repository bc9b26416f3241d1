//! Syntax trees as JSON.
//!
//! Chains of operators and steps make trees as deep as a file is long, so the walk has a stack of its own: a node puts
//! its parts on it, and the text between them.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::{self as json_syntax, NodeKind};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{
    AccessStep, AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode, ForNames, ObjectKey,
    TemplateNode, TemplatePart,
};
use hcl_lr::syntax::{ExpressionFile, File, TemplateFile};
use hcl_lr::{ConfigFile, Source};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{self, Answer};
use crate::json;
use crate::options::Options;
use crate::places::Places;

/// Returns the tree of a file as JSON: an object with `body`, `comments` and `diagnostics`. A file whose name ends with
/// `.json` is in the JSON syntax, and has `root` in place of `body`.
#[wasm_bindgen]
pub fn parse(name: &str, text: &str, options: &str) -> Answer {
    let parsing = Options::read(options, &["dialect"])?.parsing()?;
    let (file, found) = parsing.parse::<ConfigFile>(Source::new(name, text)).into_parts();
    let mut out = "{".to_owned();
    match &file {
        ConfigFile::Native(file) => native(file, "body", Part::Body(file.body()), &mut out),
        ConfigFile::Json(document) => {
            let places = Places::new(document.source());
            Writer::new(&places, &mut out).property("root", Part::Json(document.root()));
            json::name("comments", &mut out);
            out.push_str("[]");
        }
    }
    Ok(finished(out, &found))
}

/// Returns the tree of an expression as JSON: an object with `expression`, `comments` and `diagnostics`.
#[wasm_bindgen]
pub fn parse_expression(text: &str, options: &str) -> Answer {
    let parsing = Options::read(options, &["dialect"])?.parsing()?;
    let (file, found) = parsing.parse::<ExpressionFile>(Source::new("", text)).into_parts();
    let file = File::from(file);
    let mut out = "{".to_owned();
    native(&file, "expression", Part::Expression(file.expression()), &mut out);
    Ok(finished(out, &found))
}

/// Returns the tree of a template as JSON: an object with `template`, `comments` and `diagnostics`.
#[wasm_bindgen]
pub fn parse_template(text: &str, options: &str) -> Answer {
    let parsing = Options::read(options, &["dialect"])?.parsing()?;
    let (file, found) = parsing.parse::<TemplateFile>(Source::new("", text)).into_parts();
    let file = File::from(file);
    let mut out = "{".to_owned();
    let whole = Span::new(0, text.len());
    native(&file, "template", Part::Template(file.template(), whole), &mut out);
    Ok(finished(out, &found))
}

fn native<'t>(file: &'t File, name: &str, part: Part<'t>, out: &mut String) {
    let places = Places::new(file.source());
    Writer::new(&places, out).property(name, part);
    json::name("comments", out);
    json::list(file.comments(), out, |comment, out| {
        out.push('{');
        json::text("text", comment.content().trim(), out);
        json::name("range", out);
        places.pair(comment.span(), out);
        out.push('}');
    });
}

fn finished(mut out: String, found: &Diagnostics) -> String {
    json::name("diagnostics", &mut out);
    failure::diagnostics(found, &mut out);
    out.push('}');
    out
}

/// A part of the tree that is still to be written.
#[derive(Clone)]
enum Part<'t> {
    Body(BodyNode<'t>),
    Attribute(AttributeNode<'t>),
    Block(BlockNode<'t>),
    Expression(ExpressionNode<'t>),
    /// A template, and its span.
    Template(TemplateNode<'t>, Span),
    Piece(TemplatePart<'t>),
    Step(AccessStep<'t>),
    Error(Span),
    Json(json_syntax::Node<'t>),
    /// The name of a property, after a comma unless it is the first one.
    Name(&'static str),
    /// Text as it is.
    Text(&'static str),
    Owned(String),
}

struct Writer<'w, 't> {
    places: &'w Places,
    out: &'w mut String,
    waiting: Vec<Part<'t>>,
}

impl<'w, 't> Writer<'w, 't> {
    fn new(places: &'w Places, out: &'w mut String) -> Self {
        Writer { places, out, waiting: Vec::new() }
    }

    /// Writes a property with a part.
    fn property(&mut self, name: &str, part: Part<'t>) {
        json::name(name, self.out);
        self.waiting.push(part);
        while let Some(part) = self.waiting.pop() {
            // The parts of this one come in their order, so they are turned around.
            let first = self.waiting.len();
            self.part(part);
            self.waiting[first..].reverse();
        }
    }

    fn part(&mut self, part: Part<'t>) {
        match part {
            Part::Name(name) => json::name(name, self.out),
            Part::Text(text) => self.out.push_str(text),
            Part::Owned(text) => self.out.push_str(&text),
            Part::Error(span) => {
                self.open("error", span);
                self.out.push('}');
            }
            Part::Body(body) => {
                self.open("body", body.span());
                let items = body.items().filter_map(|item| match item {
                    BodyItem::Attribute(attribute) => Some(Part::Attribute(attribute)),
                    BodyItem::Block(block) => Some(Part::Block(block)),
                    BodyItem::Error(error) => Some(Part::Error(error.span())),
                    _ => None,
                });
                self.later_list("items", items);
                self.close();
            }
            Part::Attribute(attribute) => {
                self.open("attribute", attribute.span());
                json::text("name", attribute.name(), self.out);
                self.span("nameRange", attribute.name_token().span());
                self.later("value", Part::Expression(attribute.expression()));
                self.close();
            }
            Part::Block(block) => {
                self.open("block", block.span());
                json::text("type", block.block_type(), self.out);
                self.span("typeRange", block.type_token().span());
                json::name("labels", self.out);
                let places = self.places;
                json::list(block.labels(), self.out, |label, out| {
                    out.push('{');
                    json::text("text", &label.text(), out);
                    json::plain("quoted", label.is_quoted(), out);
                    json::name("range", out);
                    places.pair(label.span(), out);
                    out.push('}');
                });
                self.later("body", Part::Body(block.body()));
                self.close();
            }
            Part::Expression(expression) => self.expression(expression),
            Part::Template(template, span) => {
                self.open("template", span);
                json::plain("heredoc", template.is_heredoc(), self.out);
                self.later_list("parts", template.parts().map(Part::Piece));
                self.close();
            }
            Part::Piece(piece) => self.piece(piece),
            Part::Step(step) => {
                match step {
                    AccessStep::Attribute(name) => {
                        self.open("attribute", step.span());
                        json::text("name", name.text(), self.out);
                    }
                    AccessStep::LegacyIndex(number) => {
                        self.open("legacyIndex", step.span());
                        json::text("text", number.text(), self.out);
                    }
                    AccessStep::Index(key) => {
                        self.open("index", step.span());
                        self.later("key", Part::Expression(key));
                    }
                    _ => self.open("error", step.span()),
                }
                self.close();
            }
            Part::Json(node) => self.json(node),
        }
    }

    fn expression(&mut self, expression: ExpressionNode<'t>) {
        let span = expression.span();
        let kind = expression.kind();
        match kind {
            ExpressionKind::Number(number) => {
                self.open("number", span);
                json::text("text", number.text(), self.out);
            }
            ExpressionKind::Bool(value) => {
                self.open("bool", span);
                json::plain("value", value, self.out);
            }
            ExpressionKind::Null => self.open("null", span),
            ExpressionKind::SplatItem => self.open("splatItem", span),
            ExpressionKind::Template(template) => match template.as_text() {
                Some(text) if !template.is_error() => {
                    self.open("string", span);
                    json::text("value", &text, self.out);
                    json::plain("heredoc", template.is_heredoc(), self.out);
                }
                _ => return self.waiting.push(Part::Template(template, span)),
            },
            ExpressionKind::Tuple(tuple) => {
                self.open("list", span);
                self.later_list("elements", tuple.elements().map(Part::Expression));
            }
            ExpressionKind::Object(object) => {
                self.open("object", span);
                self.waiting.extend([Part::Name("entries"), Part::Text("[")]);
                for (index, entry) in object.elements().enumerate() {
                    let mut start = if index > 0 { ",".to_owned() } else { String::new() };
                    start.push('{');
                    if let ObjectKey::Name(name) = entry.key() {
                        json::text("name", name.text(), &mut start);
                    }
                    json::name("range", &mut start);
                    self.places.pair(entry.span(), &mut start);
                    self.waiting.push(Part::Owned(start));
                    self.later("key", Part::Expression(entry.key_expression()));
                    self.later("value", Part::Expression(entry.value()));
                    self.close();
                }
                self.waiting.push(Part::Text("]"));
            }
            ExpressionKind::Traversal(traversal) => {
                self.open("reference", span);
                json::text("root", traversal.root().text(), self.out);
                self.later_list("steps", traversal.steps().map(Part::Step));
            }
            ExpressionKind::RelativeTraversal(access) => {
                self.open("access", span);
                self.later("source", Part::Expression(access.source()));
                self.later_list("steps", access.steps().map(Part::Step));
            }
            ExpressionKind::Index(index) => {
                self.open("index", span);
                self.later("collection", Part::Expression(index.collection()));
                self.later("key", Part::Expression(index.key()));
            }
            ExpressionKind::Splat(splat) => {
                self.open("splat", span);
                json::plain("full", splat.is_full(), self.out);
                self.later("source", Part::Expression(splat.source()));
                self.later("each", Part::Expression(splat.each()));
            }
            ExpressionKind::FunctionCall(call) => {
                self.open("call", span);
                json::text("name", &call.name(), self.out);
                json::plain("expandsLast", call.expands_last(), self.out);
                self.later_list("arguments", call.arguments().map(Part::Expression));
            }
            ExpressionKind::Parentheses(parentheses) => {
                self.open("parentheses", span);
                self.later("inner", Part::Expression(parentheses.inner()));
            }
            ExpressionKind::Unary(operation) => {
                self.open("unary", span);
                json::text("operator", operation.operator().as_str(), self.out);
                self.later("operand", Part::Expression(operation.operand()));
            }
            ExpressionKind::Binary(operation) => {
                self.open("binary", span);
                json::text("operator", operation.operator().as_str(), self.out);
                self.later("left", Part::Expression(operation.left()));
                self.later("right", Part::Expression(operation.right()));
            }
            ExpressionKind::Conditional(conditional) => {
                self.open("conditional", span);
                self.later("condition", Part::Expression(conditional.predicate()));
                self.later("then", Part::Expression(conditional.true_result()));
                self.later("else", Part::Expression(conditional.false_result()));
            }
            ExpressionKind::For(each) => {
                self.open("for", span);
                json::plain("object", each.is_object(), self.out);
                json::plain("groups", each.groups(), self.out);
                self.names(each.names());
                self.later("collection", Part::Expression(each.collection()));
                if let Some(key) = each.key() {
                    self.later("key", Part::Expression(key));
                }
                self.later("value", Part::Expression(each.value()));
                if let Some(condition) = each.condition() {
                    self.later("condition", Part::Expression(condition));
                }
            }
            _ => self.open("error", span),
        }
        self.close();
    }

    fn names(&mut self, names: ForNames<'t>) {
        if let Some(key) = names.key {
            json::text("keyVariable", key.text(), self.out);
        }
        json::text("valueVariable", names.value.text(), self.out);
    }

    fn piece(&mut self, piece: TemplatePart<'t>) {
        match piece {
            TemplatePart::Literal(text, span) => {
                self.open("literal", span);
                json::text("value", &text, self.out);
            }
            TemplatePart::Interpolation(expression) => {
                self.open("interpolation", expression.span());
                self.later("expression", Part::Expression(expression));
            }
            TemplatePart::If(directive) => {
                let span = directive.span();
                self.open("if", span);
                self.later("condition", Part::Expression(directive.predicate()));
                self.later("then", Part::Template(directive.true_part(), span));
                if let Some(part) = directive.false_part() {
                    self.later("else", Part::Template(part, span));
                }
            }
            TemplatePart::For(directive) => {
                let span = directive.span();
                self.open("for", span);
                self.names(directive.names());
                self.later("collection", Part::Expression(directive.collection()));
                self.later("body", Part::Template(directive.body(), span));
            }
            _ => self.open("error", Span::default()),
        }
        self.close();
    }

    fn json(&mut self, node: json_syntax::Node<'t>) {
        let span = node.span();
        match node.kind() {
            NodeKind::Object(object) => {
                self.open("object", span);
                self.waiting.extend([Part::Name("properties"), Part::Text("[")]);
                for (index, property) in object.properties().enumerate() {
                    let mut start = if index > 0 { ",{".to_owned() } else { "{".to_owned() };
                    json::text("name", &property.name(), &mut start);
                    json::name("nameRange", &mut start);
                    self.places.pair(property.name_span(), &mut start);
                    self.waiting.push(Part::Owned(start));
                    self.later("value", Part::Json(property.value()));
                    self.close();
                }
                self.waiting.push(Part::Text("]"));
            }
            NodeKind::Array(array) => {
                self.open("list", span);
                self.later_list("elements", array.elements().map(Part::Json));
            }
            NodeKind::String(string) => {
                self.open("string", span);
                json::text("value", &string.text(), self.out);
            }
            NodeKind::Number(number) => {
                self.open("number", span);
                json::text("text", number.text(), self.out);
            }
            NodeKind::Bool(value) => {
                self.open("bool", span);
                json::plain("value", value, self.out);
            }
            NodeKind::Null => self.open("null", span),
            NodeKind::Error => self.open("error", span),
        }
        self.close();
    }

    /// Begins a node.
    fn open(&mut self, kind: &str, span: Span) {
        self.out.push('{');
        json::text("kind", kind, self.out);
        self.span("range", span);
    }

    fn span(&mut self, name: &str, span: Span) {
        json::name(name, self.out);
        self.places.pair(span, self.out);
    }

    fn later(&mut self, name: &'static str, part: Part<'t>) {
        self.waiting.extend([Part::Name(name), part]);
    }

    fn later_list(&mut self, name: &'static str, parts: impl Iterator<Item = Part<'t>>) {
        self.waiting.extend([Part::Name(name), Part::Text("[")]);
        for (index, part) in parts.enumerate() {
            if index > 0 {
                self.waiting.push(Part::Text(","));
            }
            self.waiting.push(part);
        }
        self.waiting.push(Part::Text("]"));
    }

    fn close(&mut self) {
        self.waiting.push(Part::Text("}"));
    }
}
