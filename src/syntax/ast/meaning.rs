//! The meaning of a source as JSON: what it says, not how it is written.
//!
//! Strip markers and heredoc indentation are applied, escapes decoded, neighbouring literal text
//! is one, and empty text is left out. Two sources with the same JSON mean the same. The format:
//!
//! | node | JSON |
//! | --- | --- |
//! | body | list of `{"attr": name, "expr": E}` and `{"block": type, "labels": […], "body": […]}` |
//! | number, bool, null | `{"lit": {"number": "1.5"}}`, `{"lit": true}`, `{"lit": {"null": "dynamic"}}` |
//! | template | `{"template": [{"lit": "text"} or E…]}`; one lone interpolation: `{"wrap": E}` |
//! | `%{ if }` | `{"cond": [E, {"template": …}, {"template": …}]}` |
//! | `%{ for }` | `{"join": {"for": …}}` |
//! | variable with a constant path | `{"ref": [{"root": "a"}, {"attr": "b"}, {"index": V}…]}` |
//! | constant path on something else | `{"on": E, "steps": […]}` |
//! | computed index | `{"on": E, "key": E}` |
//! | splat | `{"splat": E, "each": E}`, in which the element is `{"item": true}` |
//! | call | `{"call": "name", "args": […]}`, with `"expand": true` for `...` |
//! | operators | `{"op": "+", "args": […]}`, `{"cond": [E, E, E]}`, `{"paren": E}` |
//! | tuple, object | `{"tuple": [E…]}`, `{"object": [[K, E]…]}` with `{"key": "name"}` for a bare name |
//! | for expression | `{"for": {"key_var"?, "value_var", "in", "key"?, "value", "if"?, "group"?: true}}` |
//! | what could not be understood | `{"error": true}` |

use std::fmt::Write;

use super::body::{Body, BodyItem};
use super::expression::{Expression, ExpressionKind, ForExpr, ObjectKey, Step, Traversal};
use super::template::{Template, TemplatePart};
use crate::diagnostic::Json;

/// The JSON of a body.
///
/// ```
/// use hcl_lr::syntax::ast::body_to_json;
///
/// let file = hcl_lr::parse("a = b.c\n").into_result()?;
/// assert_eq!(body_to_json(file.body()), r#"[{"attr":"a","expr":{"ref":[{"root":"b"},{"attr":"c"}]}}]"#);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn body_to_json(body: Body<'_>) -> String {
    write_to_string(|writer| writer.body(body))
}

/// The JSON of an expression.
pub fn expression_to_json(expression: Expression<'_>) -> String {
    write_to_string(|writer| writer.expression(expression))
}

/// The JSON of a template.
pub fn template_to_json(template: Template<'_>) -> String {
    write_to_string(|writer| writer.template(template))
}

/// The JSON of a traversal: the list of its steps.
pub fn traversal_to_json(traversal: Traversal<'_>) -> String {
    write_to_string(|writer| writer.path(traversal))
}

fn write_to_string(write: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer { out: String::new() };
    write(&mut writer);
    writer.out
}

struct Writer {
    out: String,
}

impl Writer {
    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn string(&mut self, text: &str) {
        // Writing to a string does not fail.
        let _ = write!(self.out, "{}", Json(text));
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.raw("[");
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.raw(",");
            }
            write(self, item);
        }
        self.raw("]");
    }

    fn body(&mut self, body: Body<'_>) {
        self.list(body.items(), Self::item);
    }

    fn item(&mut self, item: BodyItem<'_>) {
        match item {
            BodyItem::Attribute(attribute) => {
                self.raw("{\"attr\":");
                self.string(attribute.name());
                self.raw(",\"expr\":");
                self.expression(attribute.expression());
                self.raw("}");
            }
            BodyItem::Block(block) => {
                self.raw("{\"block\":");
                self.string(block.block_type());
                self.raw(",\"labels\":");
                self.list(block.labels(), |writer, label| writer.string(&label.text()));
                self.raw(",\"body\":");
                self.body(block.body());
                self.raw("}");
            }
            BodyItem::Error(_) => self.raw("{\"error\":true}"),
        }
    }

    fn expression(&mut self, expression: Expression<'_>) {
        match expression.kind() {
            ExpressionKind::Number(number) => {
                let _ = write!(self.out, "{{\"lit\":{{\"number\":{}}}}}", Json(number.text()));
            }
            ExpressionKind::Bool(value) => self.raw(if value { "{\"lit\":true}" } else { "{\"lit\":false}" }),
            ExpressionKind::Null => self.raw("{\"lit\":{\"null\":\"dynamic\"}}"),
            ExpressionKind::SplatItem => self.raw("{\"item\":true}"),
            ExpressionKind::Error(_) => self.raw("{\"error\":true}"),
            ExpressionKind::Template(template) => self.template(template),
            ExpressionKind::Traversal(traversal) => {
                self.raw("{\"ref\":");
                self.path(traversal);
                self.raw("}");
            }
            ExpressionKind::RelativeTraversal(traversal) => {
                self.member("{\"on\":", traversal.source());
                self.raw(",\"steps\":");
                self.list(traversal.steps(), Self::step);
                self.raw("}");
            }
            ExpressionKind::Index(index) => {
                self.member("{\"on\":", index.collection());
                self.member(",\"key\":", index.key());
                self.raw("}");
            }
            ExpressionKind::Splat(splat) => {
                self.member("{\"splat\":", splat.source());
                self.member(",\"each\":", splat.each());
                self.raw("}");
            }
            ExpressionKind::FunctionCall(call) => {
                self.raw("{\"call\":");
                self.string(&call.name());
                self.raw(",\"args\":");
                self.list(call.arguments(), Self::expression);
                self.raw(if call.expands_last() { ",\"expand\":true}" } else { "}" });
            }
            ExpressionKind::Tuple(tuple) => {
                self.raw("{\"tuple\":");
                self.list(tuple.elements(), Self::expression);
                self.raw("}");
            }
            ExpressionKind::Object(object) => {
                self.raw("{\"object\":");
                self.list(object.elements(), |writer, element| {
                    writer.raw("[");
                    match element.key() {
                        ObjectKey::Name(name) => {
                            writer.raw("{\"key\":");
                            writer.string(name.text());
                            writer.raw("}");
                        }
                        ObjectKey::Expression(key) => writer.expression(key),
                    }
                    writer.member(",", element.value());
                    writer.raw("]");
                });
                self.raw("}");
            }
            ExpressionKind::For(expression) => self.for_expression(expression),
            ExpressionKind::Conditional(conditional) => {
                self.member("{\"cond\":[", conditional.predicate());
                self.member(",", conditional.true_result());
                self.member(",", conditional.false_result());
                self.raw("]}");
            }
            ExpressionKind::Binary(_) => self.operations(expression),
            ExpressionKind::Unary(operation) => {
                let _ = write!(self.out, "{{\"op\":\"{}\",\"args\":", operation.operator().as_str());
                self.member("[", operation.operand());
                self.raw("]}");
            }
            ExpressionKind::Parentheses(parentheses) => {
                self.member("{\"paren\":", parentheses.inner());
                self.raw("}");
            }
        }
    }

    fn member(&mut self, before: &str, expression: Expression<'_>) {
        self.raw(before);
        self.expression(expression);
    }

    /// A chain of operators, which may be long: without a call for each of its left operands.
    fn operations(&mut self, expression: Expression<'_>) {
        let (mut right, mut left) = (Vec::new(), expression);
        while let ExpressionKind::Binary(operation) = left.kind() {
            let _ = write!(self.out, "{{\"op\":\"{}\",\"args\":[", operation.operator().as_str());
            right.push(operation.right());
            left = operation.left();
        }
        self.expression(left);
        while let Some(operand) = right.pop() {
            self.member(",", operand);
            self.raw("]}");
        }
    }

    fn for_expression(&mut self, expression: ForExpr<'_>) {
        self.raw("{\"for\":{");
        if let Some(name) = expression.key_variable() {
            self.raw("\"key_var\":");
            self.string(name.text());
            self.raw(",");
        }
        self.raw("\"value_var\":");
        self.string(expression.value_variable().text());
        self.member(",\"in\":", expression.collection());
        if let Some(key) = expression.key() {
            self.member(",\"key\":", key);
        }
        self.member(",\"value\":", expression.value());
        if let Some(condition) = expression.condition() {
            self.member(",\"if\":", condition);
        }
        self.raw(if expression.groups() { ",\"group\":true}}" } else { "}}" });
    }

    fn path(&mut self, traversal: Traversal<'_>) {
        self.raw("[{\"root\":");
        self.string(traversal.root().text());
        self.raw("}");
        for step in traversal.steps() {
            self.raw(",");
            self.step(step);
        }
        self.raw("]");
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Attribute(name) => {
                self.raw("{\"attr\":");
                self.string(name.text());
            }
            Step::LegacyIndex(number) => {
                let _ = write!(self.out, "{{\"index\":{{\"number\":{}}}", Json(number.text()));
            }
            Step::Index(key) => {
                self.raw("{\"index\":");
                match key.kind() {
                    ExpressionKind::Number(number) => {
                        let _ = write!(self.out, "{{\"number\":{}}}", Json(number.text()));
                    }
                    ExpressionKind::Bool(value) => self.raw(if value { "true" } else { "false" }),
                    ExpressionKind::Template(template) => self.string(&template.as_text().unwrap_or_default()),
                    _ => self.raw("{\"null\":\"dynamic\"}"),
                }
            }
        }
        self.raw("}");
    }

    fn template(&mut self, template: Template<'_>) {
        if let Some(expression) = template.unwrapped() {
            self.member("{\"wrap\":", expression);
            self.raw("}");
        } else if template.is_error() {
            self.raw("{\"error\":true}");
        } else {
            self.parts(Some(template));
        }
    }

    /// The parts of a template that is not unwrapped.
    fn parts(&mut self, template: Option<Template<'_>>) {
        self.raw("{\"template\":[");
        let mut any = false;
        let parts = template.into_iter().flat_map(Template::parts);
        for part in parts.filter(|part| !matches!(part, TemplatePart::Literal(text, _) if text.is_empty())) {
            if any {
                self.raw(",");
            }
            any = true;
            match part {
                TemplatePart::Literal(text, _) => {
                    self.raw("{\"lit\":");
                    self.string(&text);
                    self.raw("}");
                }
                TemplatePart::Interpolation(expression) => self.expression(expression),
                TemplatePart::If(directive) => {
                    self.member("{\"cond\":[", directive.predicate());
                    self.raw(",");
                    self.parts(Some(directive.true_part()));
                    self.raw(",");
                    self.parts(directive.false_part());
                    self.raw("]}");
                }
                TemplatePart::For(directive) => {
                    self.raw("{\"join\":{\"for\":{");
                    if let Some(name) = directive.key_variable() {
                        self.raw("\"key_var\":");
                        self.string(name.text());
                        self.raw(",");
                    }
                    self.raw("\"value_var\":");
                    self.string(directive.value_variable().text());
                    self.member(",\"in\":", directive.collection());
                    self.raw(",\"value\":");
                    self.parts(Some(directive.body()));
                    self.raw("}}}");
                }
            }
        }
        self.raw("]}");
    }
}
