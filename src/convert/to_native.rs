//! From JSON to native syntax.

use std::collections::HashMap;
use std::sync::Arc;

use super::native_writer::{Line, NativeWriter, widths};
use super::template::{rewritten, source_in_sequence};
use super::{Blocks, Conversion, Converted, Strings, stands_alone, tagged};
use crate::body::properties_of;
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::json::{
    BYTE_ORDER_MARK, BlockShape, COMMENT, Document, Member, Node, NodeKind, Object, Shapes, StringText, source_of,
};
use crate::model::Value;
use crate::quote::{Form, escaped, heredoc, key, quoted};
use crate::source::{Source, Span};
use crate::stack::with_room;
use crate::syntax::ast::{TemplateNode, TemplatePart};
use crate::syntax::{expression_file, is_identifier, template_file};

/// A JSON document in native syntax. The document should be without errors.
///
/// ```
/// use hcl_lr::convert::{Conversion, to_native};
/// use hcl_lr::json::parse_json_configuration;
///
/// let json = r#"{"//": "where", "port": 80, "hosts": ["${a.b}", "x"], "tags": {"a b": true}}"#;
/// let document = parse_json_configuration(("a.json", json)).into_result()?;
/// let native = to_native(&document, &Conversion::default()).into_result()?;
/// assert_eq!(native.text, "# where\nport  = 80\nhosts = [a.b, \"x\"]\ntags = {\n  \"a b\" = true\n}\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_native(document: &Document, conversion: &Conversion<'_>) -> Outcome<Converted> {
    let mut writer = Writer {
        conversion,
        source: document.source(),
        out: NativeWriter::default(),
        problems: Diagnostics::new(),
        maybe_blocks: Vec::new(),
    };
    let root = document.root();
    match conversion.blocks {
        Blocks::Tagged => tagged::read(&mut writer, root),
        Blocks::Array | Blocks::Collapse => writer.root(root),
    }
    let Writer { out, mut problems, maybe_blocks, .. } = writer;
    let converted = Converted { text: out.finish(), maybe_blocks, ..Converted::default() };
    problems.sort();
    Outcome::new(converted, problems.limited(conversion.options.max_errors))
}

pub(super) struct Writer<'c> {
    pub conversion: &'c Conversion<'c>,
    source: &'c Arc<Source>,
    pub out: NativeWriter,
    pub problems: Diagnostics,
    maybe_blocks: Vec<String>,
}

/// A value that is ready to be written, or one that is written when its turn comes, so that nothing is
/// copied for each level.
pub(super) enum Rendered<'d> {
    Text(String),
    /// An object, or an array with more in it than a line holds. The flag is whether strings are
    /// expressions as they are.
    Later(Node<'d>, bool),
}

impl Rendered<'_> {
    fn fits_line(&self) -> bool {
        matches!(self, Rendered::Text(text) if !text.contains('\n'))
    }
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// After an equals sign, up to the end of the line.
    Assigned,
    /// In a tuple, where a comma follows.
    Element,
}

/// An array in one line is at most so long.
const MAX_LIST: usize = 80;

impl<'d> Writer<'_> {
    pub fn problem(&mut self, code: Code, span: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
        self.report(Finding::error(code, span, detail));
    }

    pub fn report(&mut self, problem: Finding) {
        self.problems.push(problem.in_source(self.source));
    }

    fn root(&mut self, root: Node<'d>) {
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
        let mut attributes: Vec<(String, Rendered<'d>)> = Vec::new();
        for member in members {
            let name = member.name();
            if name == COMMENT {
                self.attributes(&mut attributes);
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
                self.attributes(&mut attributes);
                self.blocks(&name, block, member.value(), &mut Vec::new(), shapes);
                continue;
            }
            if let Some(&first) = places.get(&*name) {
                let detail = format!("the argument \"{name}\" is already set");
                let diagnostic = Finding::error(Code::DuplicateAttribute, member.name_span(), detail);
                self.report(diagnostic.with_label(first, "it is first set here"));
                continue;
            }
            let value = match shapes.is_static(&name) {
                true => self.written(member.value()),
                false => self.render(member.value(), Position::Assigned),
            };
            attributes.push((name.to_string(), value));
            places.insert(name.into_owned(), member.name_span());
        }
        self.attributes(&mut attributes);
    }

    /// Writes attributes that stand after each other.
    pub fn attributes(&mut self, attributes: &mut Vec<(String, Rendered<'d>)>) {
        if !attributes.is_empty() {
            self.out.begin(Line::Attributes);
            self.assignments(std::mem::take(attributes));
        }
    }

    fn assignments(&mut self, list: Vec<(String, Rendered<'d>)>) {
        let names: Vec<_> = list.iter().map(|(name, value)| (name.as_str(), value.fits_line())).collect();
        let widths = widths(&names);
        for ((name, value), width) in list.into_iter().zip(widths) {
            self.out.indent();
            self.out.assign(&name, width);
            self.value(value);
            self.out.out.push('\n');
        }
    }

    /// A comment is a text, or an array of texts; anything else is not meant for people.
    fn comments(&mut self, node: Node<'d>) {
        match node.kind() {
            NodeKind::String(text) => self.out.comment(&text.text()),
            NodeKind::Array(array) if array.elements().all(|element| element.as_string().is_some()) => {
                for text in array.elements().filter_map(Node::as_string) {
                    self.out.comment(&text.text());
                }
            }
            _ => self.out.comment(node.text()),
        }
    }

    /// The blocks that a value stands for, after the labels that have been found so far.
    fn blocks(
        &mut self,
        name: &str,
        block: &BlockShape,
        value: Node<'d>,
        labels: &mut Vec<String>,
        shapes: &Shapes<'_>,
    ) {
        if let Some(label) = block.labels.get(labels.len()) {
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
                    self.block(name, block, body, labels, shapes);
                }
            }
            NodeKind::Null | NodeKind::Error => {}
            _ => self.block(name, block, value, labels, shapes),
        }
    }

    fn block(&mut self, name: &str, block: &BlockShape, body: Node<'d>, labels: &[String], shapes: &Shapes<'_>) {
        self.out.header(name, labels.iter().map(|label| quoted(label)));
        let shapes = shapes.within(Some(block), labels.iter().map(String::as_str));
        self.braces(|writer| with_room(|| writer.body(body, &shapes)));
    }

    /// Writes a body in braces; without anything in it they stand together.
    pub fn braces(&mut self, body: impl FnOnce(&mut Self)) {
        let before = self.out.out.len();
        self.out.open_block();
        let start = self.out.out.len();
        body(self);
        if self.out.out.len() == start {
            self.out.out.truncate(before);
            self.out.close_empty("{}");
        } else {
            self.out.close("}");
        }
        self.out.end_block();
    }

    /// Writes a value after its name, or after the indentation of an element.
    fn value(&mut self, value: Rendered<'d>) {
        let (node, written) = match value {
            Rendered::Text(text) => return self.out.out.push_str(&text),
            Rendered::Later(node, written) => (node, written),
        };
        match node.kind() {
            NodeKind::Array(array) => {
                self.out.open("[");
                for element in array.elements() {
                    let element = if written { self.written(element) } else { self.render(element, Position::Element) };
                    self.out.indent();
                    with_room(|| self.value(element));
                    self.out.out.push_str(",\n");
                }
                self.out.close("]");
            }
            NodeKind::Object(object) => {
                let members = self.members(object, written);
                self.out.open("{");
                with_room(|| self.assignments(members));
                self.out.close("}");
            }
            _ => {}
        }
    }

    fn members(&mut self, object: Object<'d>, written: bool) -> Vec<(String, Rendered<'d>)> {
        let mut places: HashMap<Value, Span> = HashMap::new();
        let mut members = Vec::new();
        for member in object.members() {
            let key = self.key(member.name_text(), written);
            // A key that is computed is not known, and one with mistakes is empty. One that is there twice
            // is an error in JSON; those are the same that differ in normalization only.
            if !key.is_empty()
                && let Some(first) = places.insert(Value::from(key.as_str()), member.name_span())
            {
                let detail = format!("the property {} of the object is already set", quoted(&member.name()));
                let diagnostic = Finding::error(Code::DuplicateKey, member.name_span(), detail);
                self.report(diagnostic.with_label(first, "it is first set here"));
            }
            let value =
                if written { self.written(member.value()) } else { self.render(member.value(), Position::Assigned) };
            members.push((key, value));
        }
        members
    }

    fn key(&mut self, text: StringText<'d>, written: bool) -> String {
        let name = text.text();
        if written || self.conversion.strings == Strings::Literal {
            return key(&name);
        }
        if !has_sequence(&name) {
            return key(name.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&name));
        }
        self.template(text, |_, template| match template.as_text() {
            Some(text) => key(&text),
            None => format!("\"{}\"", rewritten(template, Form::Quoted)),
        })
    }

    /// What to make of the template that a string is.
    fn template(&mut self, text: StringText<'d>, write: impl FnOnce(&mut Self, TemplateNode<'_>) -> String) -> String {
        match template_file(source_of(text), &self.conversion.options).into_result() {
            Ok(file) => write(self, file.template()),
            Err(diagnostics) => {
                self.problems.append(diagnostics);
                String::new()
            }
        }
    }

    fn render(&mut self, node: Node<'d>, position: Position) -> Rendered<'d> {
        Rendered::Text(match node.kind() {
            NodeKind::Number(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Error => node.text().to_owned(),
            NodeKind::String(text) => self.string(text, position),
            NodeKind::Object(object) if object.is_empty() => "{}".to_owned(),
            NodeKind::Object(_) => return Rendered::Later(node, false),
            NodeKind::Array(array) => {
                let simple = |node: Node<'_>| !matches!(node.kind(), NodeKind::Object(_) | NodeKind::Array(_));
                let length = node.span().len();
                if length > 2 * MAX_LIST || !array.elements().all(simple) {
                    return Rendered::Later(node, false);
                }
                let known = self.problems.len();
                let elements: Vec<String> = array
                    .elements()
                    .filter_map(|element| match self.render(element, Position::Element) {
                        Rendered::Text(text) => Some(text),
                        Rendered::Later(..) => None,
                    })
                    .collect();
                let list = format!("[{}]", elements.join(", "));
                if list.len() > MAX_LIST || list.contains('\n') {
                    // What is wrong is reported when the elements are written.
                    self.problems.truncate(known);
                    return Rendered::Later(node, false);
                }
                list
            }
        })
    }

    fn string(&mut self, text: StringText<'d>, position: Position) -> String {
        let plain = text.text();
        if self.conversion.strings == Strings::Literal {
            return plain_text(&plain, position);
        }
        if !has_sequence(&plain) {
            return plain_text(plain.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&plain), position);
        }
        self.template(text, |writer, template| match (template.as_text(), template.unwrapped()) {
            (Some(text), _) => plain_text(&text, position),
            (None, Some(expression)) => {
                let source = source_in_sequence(expression);
                let ends_line = source.len() > expression.text().len();
                if stands_alone(expression.text(), &writer.conversion.options)
                    && (position == Position::Assigned || !ends_line)
                {
                    expression.text().to_owned()
                } else {
                    format!("\"${{{source}}}\"")
                }
            }
            (None, None) => {
                let lines = (position == Position::Assigned && has_simple_parts(template))
                    .then(|| heredoc(&rewritten(template, Form::Bare)));
                lines.flatten().unwrap_or_else(|| format!("\"{}\"", rewritten(template, Form::Quoted)))
            }
        })
    }

    /// A value whose strings are expressions, which the application reads as they are written.
    fn written(&mut self, node: Node<'d>) -> Rendered<'d> {
        let text = match node.kind() {
            NodeKind::Object(_) | NodeKind::Array(_) => return Rendered::Later(node, true),
            NodeKind::String(text) => text,
            _ => return Rendered::Text(node.text().to_owned()),
        };
        match expression_file(source_of(text), &self.conversion.options).into_result() {
            Ok(file) if stands_alone(file.expression().text(), &self.conversion.options) => {
                return Rendered::Text(file.expression().text().to_owned());
            }
            Ok(_) => {
                let detail = "this expression cannot be written in native syntax as it is: it spans several lines";
                let diagnostic = Finding::error(Code::NotConvertible, node.span(), detail);
                self.report(diagnostic.with_help("write it on one line, or with brackets around it"));
            }
            Err(diagnostics) => self.problems.append(diagnostics),
        }
        Rendered::Text(String::new())
    }
}

fn members_of(node: Node<'_>) -> Vec<Member<'_>> {
    properties_of(node, &String::new, &mut |_| ())
}

/// Whether a value looks like the bodies of blocks, or like labels with bodies after them.
fn may_be_blocks(value: Node<'_>) -> bool {
    match value.kind() {
        NodeKind::Object(_) => true,
        NodeKind::Array(array) => {
            !array.is_empty() && array.elements().all(|element| matches!(element.kind(), NodeKind::Object(_)))
        }
        _ => false,
    }
}

fn has_sequence(text: &str) -> bool {
    text.contains("${") || text.contains("%{")
}

fn plain_text(text: &str, position: Position) -> String {
    let lines = (position == Position::Assigned).then(|| heredoc(&escaped(text, Form::Bare)));
    lines.flatten().unwrap_or_else(|| quoted(text))
}

/// Whether a template is text with interpolations that fit their lines.
fn has_simple_parts(template: TemplateNode<'_>) -> bool {
    template.parts().all(|part| match part {
        TemplatePart::Literal(..) => true,
        TemplatePart::Interpolation(expression) => !expression.text().contains('\n'),
        TemplatePart::If(_) | TemplatePart::For(_) => false,
    })
}
