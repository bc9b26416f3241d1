//! Conversion to the objects of python-hcl2.
//!
//! That library converts expressions to values of Python, and prints these into the enclosing expressions. The
//! functions here do the same, with the functions of Python that it uses: in `x ? ["a"] : []`, `str` prints the list,
//! as `['a']`.

use super::json_writer::{JsonWriter, plain_string};
use super::python::{Dict, Value, inline, number_of, str_of};
use crate::diagnostic::{Code, Finding, Outcome, in_source};
use crate::reading::ParseOptions;
use crate::source::Span;
use crate::stack::with_room;
use crate::syntax::ast::{
    AccessStep, BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, ForExpr, ObjectElement, ObjectKey,
    TemplateNode, TemplatePart,
};
use crate::work;

/// Returns the JSON of the objects that python-hcl2 7.3.1 returns for a file in native syntax. The file should have no
/// errors.
///
/// A type of blocks is an array with an object for each block, in which each label is the name of a property.
/// Expressions are strings `"${…}"` as that library prints them. `docs/convert.md` lists the differences.
///
/// ```
/// use hcl_lr::convert::to_python_hcl2;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("b \"x\" {\n  c = d+1\n}\na = 1\n").into_result()?;
/// let json = to_python_hcl2(&file).into_result()?;
/// let compact: String = json.split('\n').map(str::trim).collect();
/// assert_eq!(compact, r#"{"b": [{"x": {"c": "${d + 1}"}}],"a": 1}"#);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// A name is used for an attribute and for blocks, or texts become very long, because each level of lists in
/// expressions adds backslashes before those of its inner levels.
pub fn to_python_hcl2(file: &File) -> Outcome<String> {
    let length = file.source().text().len();
    let mut maker = Maker { left: length.saturating_mul(MAX_COPIES).saturating_add(1 << 20), problems: Vec::new() };
    let root = maker.body(file.body());
    let diagnostics = in_source(file.source(), std::mem::take(&mut maker.problems));
    let mut out = JsonWriter::new(2, plain_string);
    if diagnostics.is_empty() {
        write(&root, &mut out);
    }
    Outcome::new(out.finish(), diagnostics.limited(ParseOptions::default().max_errors))
}

/// The total number of copies of each character of a source in the texts: one for each level of the default nesting
/// limit.
const MAX_COPIES: usize = 1_000;

/// A part of a chain of operators.
enum Part<'t> {
    Operand(ExpressionNode<'t>),
    Operator(&'static str, Span),
}

struct Maker {
    /// The number of bytes that texts may still have.
    left: usize,
    problems: Vec<Finding>,
}

impl Maker {
    /// Subtracts the length of a text from the budget. Returns an empty text once that is used up.
    fn charged(&mut self, text: String, of: ExpressionNode<'_>) -> String {
        work::step(1 + text.len() / 16);
        match self.left.checked_sub(text.len()) {
            Some(left) => {
                self.left = left;
                text
            }
            None => {
                if std::mem::take(&mut self.left) > 0 {
                    let detail = "python-hcl2 would make a very long text of this expression".to_owned();
                    self.problems.push(Finding::error(Code::NotConvertible, of.span(), detail));
                }
                String::new()
            }
        }
    }

    fn body(&mut self, body: BodyNode<'_>) -> Value {
        let mut dict = Dict::default();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let expression = attribute.expression();
                    let value = self.expression(expression);
                    let value = self.in_dollar(value, expression);
                    if dict.get_mut(attribute.name()).is_some() {
                        self.problems.push(taken(attribute.name(), attribute.span()));
                    }
                    dict.set(attribute.name().to_owned(), value);
                }
                BodyItem::Block(block) => {
                    let mut value = with_room(|| self.body(block.body()));
                    for label in block.labels().collect::<Vec<_>>().into_iter().rev() {
                        let mut outer = Dict::default();
                        outer.set(strip_quotes(body.place().source().slice(label.span())), value);
                        value = Value::Dict(outer);
                    }
                    match dict.get_mut(block.block_type()) {
                        Some(Value::List(blocks)) => blocks.push(value),
                        Some(_) => self.problems.push(taken(block.block_type(), block.header_span())),
                        None => dict.set(block.block_type().to_owned(), Value::List(vec![value])),
                    }
                }
                _ => {}
            }
        }
        Value::Dict(dict)
    }

    fn expression(&mut self, expression: ExpressionNode<'_>) -> Value {
        let text = match expression.kind() {
            ExpressionKind::Number(number) => return number_of(number.text()),
            ExpressionKind::Bool(value) => return Value::Bool(value),
            ExpressionKind::Null => return Value::None,
            ExpressionKind::Tuple(tuple) => {
                let elements = tuple.elements();
                return Value::List(elements.map(|element| self.element(element)).collect());
            }
            ExpressionKind::Object(object) => {
                let mut dict = Dict::default();
                for element in object.elements() {
                    let name = self.key(element);
                    let value = self.element(element.value());
                    dict.set(name, value);
                }
                return Value::Dict(dict);
            }
            ExpressionKind::Unary(operation) => {
                let (operator, operand) = (operation.operator().as_str(), operation.operand());
                if let (ExpressionKind::Number(number), true) =
                    (operand.kind(), operation.operator_span().end() == operand.span().start() && operator == "-")
                {
                    return number_of(&format!("-{}", number.text()));
                }
                format!("{operator}{}", or_null(with_room(|| self.expression(operand)), inline))
            }
            ExpressionKind::Template(template) => self.template(expression, template),
            ExpressionKind::Binary(_) | ExpressionKind::Conditional(_) => self.chain(expression),
            ExpressionKind::Parentheses(inner) => {
                format!("({})", str_of(&with_room(|| self.expression(inner.inner()))))
            }
            ExpressionKind::FunctionCall(call) => {
                let mut text = format!("{}(", call.name());
                for (index, argument) in call.arguments().enumerate() {
                    text.push_str(if index > 0 { ", " } else { "" });
                    text.push_str(&or_null(with_room(|| self.expression(argument)), inline));
                }
                text + ")"
            }
            ExpressionKind::For(one) => self.for_expression(one),
            ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal(_)
            | ExpressionKind::Index(_)
            | ExpressionKind::Splat(_)
            | ExpressionKind::SplatItem => self.access(expression),
            // Unchanged, like text that could not be parsed.
            _ => expression.text().to_owned(),
        };
        Value::Text(self.charged(text, expression))
    }

    /// Returns an element of a list or the value of an entry.
    fn element(&mut self, expression: ExpressionNode<'_>) -> Value {
        let value = with_room(|| self.expression(expression));
        self.in_dollar(value, expression)
    }

    fn key(&mut self, element: ObjectElement<'_>) -> String {
        let text = match element.key() {
            ObjectKey::Name(name) => name.text().to_owned(),
            ObjectKey::Expression(key) => {
                let value = with_room(|| self.expression(key));
                let is_computed = !matches!(
                    key.kind(),
                    ExpressionKind::Template(_) | ExpressionKind::Traversal(_) | ExpressionKind::Number(_)
                );
                let value = if is_computed { self.in_dollar(value, key) } else { value };
                str_of(&value)
            }
        };
        let line = text.lines().next().unwrap_or_default();
        let has_sequence = line.find("${").is_some_and(|start| line[start..].contains('}'));
        if has_sequence { text } else { strip_quotes(&text) }
    }

    /// Returns the text of operators with their operands. In the grammar of the library, everything after an operator
    /// is its right operand, unless there is a new line or a comment before the next operator.
    fn chain(&mut self, expression: ExpressionNode<'_>) -> String {
        let mut parts = Vec::new();
        let mut waiting = vec![Part::Operand(expression)];
        while let Some(part) = waiting.pop() {
            match part {
                Part::Operand(operand) => match operand.kind() {
                    ExpressionKind::Binary(one) => waiting.extend([
                        Part::Operand(one.right()),
                        Part::Operator(one.operator().as_str(), one.operator_span()),
                        Part::Operand(one.left()),
                    ]),
                    ExpressionKind::Conditional(one) => waiting.extend([
                        Part::Operand(one.false_result()),
                        Part::Operator(":", one.colon_span()),
                        Part::Operand(one.true_result()),
                        Part::Operator("?", one.question_span()),
                        Part::Operand(one.predicate()),
                    ]),
                    _ => parts.push(Part::Operand(operand)),
                },
                operator => parts.push(operator),
            }
        }
        let mut text = String::new();
        for (index, part) in parts.iter().enumerate() {
            let operand = match part {
                Part::Operand(operand) => *operand,
                Part::Operator(operator, _) => {
                    text.extend([" ", operator, " "]);
                    continue;
                }
            };
            let value = with_room(|| self.expression(operand));
            let before = index.checked_sub(1).and_then(|before| parts.get(before));
            let follows_operator =
                matches!(before, Some(Part::Operator(operator, _)) if !matches!(*operator, "?" | ":"));
            // The next operator, unless the operand ends before it.
            let next = match parts.get(index + 1) {
                Some(Part::Operator(operator, span)) => {
                    let between = Span::new(operand.span().end(), span.start());
                    let is_blank = expression.place().source().slice(between).trim_matches([' ', '\t']).is_empty();
                    Some(*operator).filter(|_| is_blank || !follows_operator)
                }
                _ => None,
            };
            match next {
                Some("?") => text.push_str(&or_null(value, str_of)),
                Some(":") | None if follows_operator => text.push_str(&or_null(value, inline)),
                Some(":") | None => text.push_str(&or_null(value, str_of)),
                Some(_) => text.push_str(without_dollar(&inline(&value))),
            }
        }
        text
    }

    /// The text of accesses to parts of a value.
    fn access(&mut self, expression: ExpressionNode<'_>) -> String {
        // From the last step to the first. The steps of a splat come before its operator.
        let (mut steps, mut splats, mut at) = (Vec::new(), Vec::new(), expression);
        let mut text = loop {
            match at.kind() {
                ExpressionKind::Traversal(path) => {
                    steps.extend(path.steps().rev().map(Step::Access));
                    break path.root().text().to_owned();
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
                    None => break String::new(),
                },
                _ => break str_of(&with_room(|| self.expression(at))),
            }
        };
        for step in steps.into_iter().rev() {
            match step {
                Step::Splat(operator) => text.push_str(operator),
                Step::Access(AccessStep::Attribute(name)) => text.extend([".", name.text()]),
                Step::Access(AccessStep::Index(key)) => {
                    text.extend(["[", &str_of(&with_room(|| self.expression(key))), "]"]);
                }
                // Only the first digit counts.
                Step::Access(AccessStep::LegacyIndex(number)) => {
                    let digits = number.text().trim_start_matches('.');
                    text.extend(["[", digits.get(..1).unwrap_or_default(), "]"]);
                }
            }
        }
        text
    }

    fn for_expression(&mut self, for_expr: ForExpr<'_>) -> String {
        let mut part = |expression: ExpressionNode<'_>| inline(&with_room(|| self.expression(expression)));
        let key = for_expr.key_variable().map(|key| format!("{key} , ")).unwrap_or_default();
        let mut text = format!("for {key}{} in {} : ", for_expr.value_variable(), part(for_expr.collection()));
        if let Some(key) = for_expr.key() {
            text.extend([&part(key), " => "]);
        }
        text.push_str(&part(for_expr.value()));
        text.push_str(if for_expr.groups() { " ..." } else { "" });
        if let Some(condition) = for_expr.condition() {
            text.extend([" if ", &part(condition)]);
        }
        if for_expr.is_object() { format!("{{{text}}}") } else { format!("[{text}]") }
    }

    /// Returns the text of a string or heredoc, in quotes and with escape sequences as written.
    fn template(&mut self, expression: ExpressionNode<'_>, template: TemplateNode<'_>) -> String {
        let written = expression.text();
        if template.is_heredoc() {
            return format!("\"{}\"", heredoc(written));
        }
        if template.as_text().is_some() {
            return written.to_owned();
        }
        let mut text = "\"".to_owned();
        for part in template.parts() {
            let span = match part {
                TemplatePart::Interpolation(inner) => {
                    text.extend(["${", &str_of(&with_room(|| self.expression(inner))), "}"]);
                    continue;
                }
                part => part.span(),
            };
            text.push_str(expression.place().source().slice(span));
        }
        text + "\""
    }

    /// Puts a text that is neither a string nor a type into `${ }`, and removes the quotes of a string.
    fn in_dollar(&mut self, value: Value, of: ExpressionNode<'_>) -> Value {
        let Value::Text(text) = value else { return value };
        let text = if is_string_dollar(&text) || is_type(&text) {
            text
        } else if is_quoted(&text) {
            strip_quotes(&text)
        } else {
            format!("${{{text}}}")
        };
        Value::Text(self.charged(text, of))
    }
}

/// A step of an access.
enum Step<'t> {
    Access(AccessStep<'t>),
    Splat(&'static str),
}

fn taken(name: &str, span: Span) -> Finding {
    let detail = format!("`{name}` is the name of an attribute and of blocks, for which this shape has one property");
    Finding::error(Code::NotConvertible, span, detail)
}

/// Returns the content of a heredoc without trailing blanks. For `<<-`, removes the spaces that all lines begin with;
/// empty lines count as having none.
fn heredoc(written: &str) -> String {
    let (first, rest) = written.split_once('\n').unwrap_or((written, ""));
    let marker = first.trim_end().trim_start_matches("<<").trim_start_matches('-');
    let text = rest.trim_end().strip_suffix(marker).unwrap_or(rest).trim_end_matches(['\n', '\t', ' ']);
    if !first.starts_with("<<-") {
        return text.to_owned();
    }
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = text.split('\n').map(spaces).min().unwrap_or(0);
    text.split('\n').map(|line| &line[least..]).collect::<Vec<_>>().join("\n")
}

fn is_string_dollar(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}')
}

fn without_dollar(text: &str) -> &str {
    if is_string_dollar(text) { &text[2..text.len() - 1] } else { text }
}

fn is_type(text: &str) -> bool {
    matches!(text, "bool" | "number" | "string")
}

fn is_quoted(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"')
}

/// Removes quotes, and decodes escape sequences like the library: one kind after the other.
fn strip_quotes(text: &str) -> String {
    if !is_quoted(text) {
        return text.to_owned();
    }
    let inner = &text[1..text.len() - 1];
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let pairs = [("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\\"", "\""), ("\\\\", "\\")];
    pairs.iter().fold(inner.to_owned(), |text, (sequence, character)| text.replace(sequence, character))
}

fn or_null(value: Value, text: fn(&Value) -> String) -> String {
    if matches!(value, Value::None) { "null".to_owned() } else { text(&value) }
}

/// Writes the JSON of a value.
fn write(value: &Value, out: &mut JsonWriter) {
    work::step(1);
    match value {
        Value::Text(text) => out.string(text),
        Value::Number(text) => out.raw(text),
        Value::Bool(value) => out.raw(if *value { "true" } else { "false" }),
        Value::None => out.raw("null"),
        Value::List(elements) => {
            out.open('[');
            elements.iter().for_each(|element| with_room(|| write(element, out)));
            out.close(']');
        }
        Value::Dict(dict) => {
            out.open('{');
            for (name, value) in &dict.entries {
                out.name(name);
                with_room(|| write(value, out));
            }
            out.close('}');
        }
    }
}
