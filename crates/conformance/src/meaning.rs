//! The meaning of a source as JSON, independent of its notation.
//!
//! Strip markers and heredoc indentation are applied, escapes decoded, adjacent literal texts joined, and empty text
//! is left out. Two sources with the same JSON mean the same. The format:
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

use hcl_lr::diagnostic::Json;
use hcl_lr::syntax::ast::{
    AccessStep, BodyItem, BodyNode, ExpressionKind, ExpressionNode, ForExpr, Name, ObjectKey, TemplateNode,
    TemplatePart, TraversalNode,
};

/// The JSON of a body.
///
/// ```
/// use hcl_lr_conformance::body_to_json;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = b.c\n").into_result()?;
/// assert_eq!(body_to_json(file.body()), r#"[{"attr":"a","expr":{"ref":[{"root":"b"},{"attr":"c"}]}}]"#);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn body_to_json(body: BodyNode<'_>) -> String {
    write(Task::Body(body))
}

/// The names of the attributes with the references in their values, and the headers of the blocks of a body, also of one
/// with errors.
pub(super) fn outline(body: BodyNode<'_>) -> String {
    let quoted = |text: &str| Json(text).to_string();
    let mut out = String::from("[");
    // The items that are left of each open body.
    let mut open = vec![body.items()];
    while let Some(items) = open.last_mut() {
        let header = match items.next() {
            Some(BodyItem::Attribute(attribute)) => {
                let references: Vec<String> =
                    attribute.expression().variables().into_iter().map(traversal_to_json).collect();
                format!("{{\"attr\":{},\"references\":[{}]}}", quoted(attribute.name()), references.join(","))
            }
            Some(BodyItem::Block(block)) => {
                let labels: Vec<String> = block.labels().map(|label| quoted(&label.text())).collect();
                let block_type = quoted(block.block_type());
                open.push(block.body().items());
                format!("{{\"block\":{block_type},\"labels\":[{}],\"body\":[", labels.join(","))
            }
            Some(_) => continue,
            None => {
                open.pop();
                out.push_str(if open.is_empty() { "]" } else { "]}" });
                continue;
            }
        };
        if out.ends_with('}') {
            out.push(',');
        }
        out.push_str(&header);
    }
    out
}

/// The JSON of an expression.
pub fn expression_to_json(expression: ExpressionNode<'_>) -> String {
    write(Task::Expression(expression))
}

/// The JSON of a template.
pub fn template_to_json(template: TemplateNode<'_>) -> String {
    write(Task::Template(template))
}

/// The JSON of a traversal: the list of its steps.
pub fn traversal_to_json(traversal: TraversalNode<'_>) -> String {
    let mut writer = Writer { out: String::new(), next: Vec::new() };
    writer.path(traversal);
    let steps = std::mem::take(&mut writer.next);
    steps.into_iter().for_each(|step| writer.step(step));
    writer.out
}

/// A pending part. Trees may nest deeply, so nothing here is recursive: each step writes the start of a node and
/// pushes the rest on a stack.
enum Task<'t> {
    Raw(&'static str),
    Body(BodyNode<'t>),
    Item(BodyItem<'t>),
    Expression(ExpressionNode<'t>),
    Key(ObjectKey<'t>),
    Step(AccessStep<'t>),
    Template(TemplateNode<'t>),
    /// The parts of a template that is not unwrapped, or of one that is missing.
    Parts(Option<TemplateNode<'t>>),
    Part(TemplatePart<'t>),
}

fn write(task: Task<'_>) -> String {
    let mut writer = Writer { out: String::new(), next: Vec::new() };
    let mut waiting = vec![task];
    while let Some(task) = waiting.pop() {
        writer.step(task);
        waiting.extend(writer.next.drain(..).rev());
    }
    writer.out
}

struct Writer<'t> {
    out: String,
    /// The parts that follow the last one written, in order.
    next: Vec<Task<'t>>,
}

impl<'t> Writer<'t> {
    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn string(&mut self, text: &str) {
        // Writing to a string does not fail.
        let _ = write!(self.out, "{}", Json(text));
    }

    fn then(&mut self, tasks: impl IntoIterator<Item = Task<'t>>) {
        self.next.extend(tasks);
    }

    /// A list, and `end` after it.
    fn then_list(&mut self, items: impl Iterator<Item = Task<'t>>, end: &'static str) {
        self.then([Task::Raw("[")]);
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.then([Task::Raw(",")]);
            }
            self.then([item]);
        }
        self.then([Task::Raw("]"), Task::Raw(end)]);
    }

    fn step(&mut self, task: Task<'t>) {
        match task {
            Task::Raw(text) => self.raw(text),
            Task::Body(body) => self.then_list(body.items().map(Task::Item), ""),
            Task::Item(item) => self.item(item),
            Task::Expression(expression) => self.expression(expression),
            Task::Key(ObjectKey::Name(name)) => {
                self.raw("{\"key\":");
                self.string(name.text());
                self.raw("}");
            }
            Task::Key(ObjectKey::Expression(key)) => self.expression(key),
            Task::Key(_) => self.raw("{\"error\":true}"),
            Task::Step(step) => self.path_step(step),
            Task::Template(template) => self.template(template),
            Task::Parts(template) => self.parts(template),
            Task::Part(part) => self.part(part),
        }
    }

    fn item(&mut self, item: BodyItem<'t>) {
        match item {
            BodyItem::Attribute(attribute) => {
                self.raw("{\"attr\":");
                self.string(attribute.name());
                self.then([Task::Raw(",\"expr\":"), Task::Expression(attribute.expression()), Task::Raw("}")]);
            }
            BodyItem::Block(block) => {
                self.raw("{\"block\":");
                self.string(block.block_type());
                self.raw(",\"labels\":[");
                for (index, label) in block.labels().enumerate() {
                    self.raw(if index > 0 { "," } else { "" });
                    self.string(&label.text());
                }
                self.then([Task::Raw("],\"body\":"), Task::Body(block.body()), Task::Raw("}")]);
            }
            _ => self.raw("{\"error\":true}"),
        }
    }

    fn expression(&mut self, expression: ExpressionNode<'t>) {
        use Task::Raw;
        match expression.kind() {
            ExpressionKind::Number(number) => {
                let _ = write!(self.out, "{{\"lit\":{{\"number\":{}}}}}", Json(number.text()));
            }
            ExpressionKind::Bool(value) => self.raw(if value { "{\"lit\":true}" } else { "{\"lit\":false}" }),
            ExpressionKind::Null => self.raw("{\"lit\":{\"null\":\"dynamic\"}}"),
            ExpressionKind::SplatItem => self.raw("{\"item\":true}"),
            ExpressionKind::Template(template) => self.template(template),
            ExpressionKind::Traversal(traversal) => {
                self.raw("{\"ref\":");
                self.path(traversal);
                self.then([Raw("}")]);
            }
            ExpressionKind::RelativeTraversal(traversal) => {
                self.then([Raw("{\"on\":"), Task::Expression(traversal.source()), Raw(",\"steps\":")]);
                self.then_list(traversal.steps().map(Task::Step), "}");
            }
            ExpressionKind::Index(index) => {
                let (on, key) = (index.collection(), index.key());
                self.then([Raw("{\"on\":"), Task::Expression(on), Raw(",\"key\":"), Task::Expression(key), Raw("}")]);
            }
            ExpressionKind::Splat(splat) => {
                let (source, each) = (splat.source(), splat.each());
                self.then([Raw("{\"splat\":"), Task::Expression(source)]);
                self.then([Raw(",\"each\":"), Task::Expression(each), Raw("}")]);
            }
            ExpressionKind::FunctionCall(call) => {
                self.raw("{\"call\":");
                self.string(&call.name());
                self.raw(",\"args\":");
                let end = if call.expands_last() { ",\"expand\":true}" } else { "}" };
                self.then_list(call.arguments().map(Task::Expression), end);
            }
            ExpressionKind::Tuple(tuple) => {
                self.raw("{\"tuple\":");
                self.then_list(tuple.elements().map(Task::Expression), "}");
            }
            ExpressionKind::Object(object) => {
                self.raw("{\"object\":[");
                for (index, element) in object.elements().enumerate() {
                    self.then([Raw(if index > 0 { ",[" } else { "[" }), Task::Key(element.key())]);
                    self.then([Raw(","), Task::Expression(element.value()), Raw("]")]);
                }
                self.then([Raw("]}")]);
            }
            ExpressionKind::For(expression) => self.for_expression(expression),
            ExpressionKind::Conditional(conditional) => {
                self.then([Raw("{\"cond\":["), Task::Expression(conditional.predicate())]);
                self.then([Raw(","), Task::Expression(conditional.true_result())]);
                self.then([Raw(","), Task::Expression(conditional.false_result()), Raw("]}")]);
            }
            ExpressionKind::Binary(operation) => {
                let _ = write!(self.out, "{{\"op\":\"{}\",\"args\":[", operation.operator().as_str());
                let (left, right) = (operation.left(), operation.right());
                self.then([Task::Expression(left), Raw(","), Task::Expression(right), Raw("]}")]);
            }
            ExpressionKind::Unary(operation) => {
                let _ = write!(self.out, "{{\"op\":\"{}\",\"args\":[", operation.operator().as_str());
                self.then([Task::Expression(operation.operand()), Raw("]}")]);
            }
            ExpressionKind::Parentheses(parentheses) => {
                self.then([Raw("{\"paren\":"), Task::Expression(parentheses.inner()), Raw("}")]);
            }
            // An error node, or a kind of expressions that the protocol does not know yet.
            _ => self.raw("{\"error\":true}"),
        }
    }

    /// The names of a *for expression* or directive, up to its collection.
    fn for_names(&mut self, key: Option<Name<'t>>, value: Name<'t>) {
        if let Some(name) = key {
            self.raw("\"key_var\":");
            self.string(name.text());
            self.raw(",");
        }
        self.raw("\"value_var\":");
        self.string(value.text());
        self.raw(",\"in\":");
    }

    fn for_expression(&mut self, expression: ForExpr<'t>) {
        use Task::Raw;
        self.raw("{\"for\":{");
        self.for_names(expression.key_variable(), expression.value_variable());
        self.then([Task::Expression(expression.collection())]);
        if let Some(key) = expression.key() {
            self.then([Raw(",\"key\":"), Task::Expression(key)]);
        }
        self.then([Raw(",\"value\":"), Task::Expression(expression.value())]);
        if let Some(condition) = expression.condition() {
            self.then([Raw(",\"if\":"), Task::Expression(condition)]);
        }
        self.then([Raw(if expression.groups() { ",\"group\":true}}" } else { "}}" })]);
    }

    fn path(&mut self, traversal: TraversalNode<'t>) {
        self.raw("[{\"root\":");
        self.string(traversal.root().text());
        self.raw("}");
        for step in traversal.steps() {
            self.then([Task::Raw(","), Task::Step(step)]);
        }
        self.then([Task::Raw("]")]);
    }

    fn path_step(&mut self, step: AccessStep<'t>) {
        match step {
            AccessStep::Attribute(name) => {
                self.raw("{\"attr\":");
                self.string(name.text());
            }
            AccessStep::LegacyIndex(number) => {
                let _ = write!(self.out, "{{\"index\":{{\"number\":{}}}", Json(number.text()));
            }
            AccessStep::Index(key) => {
                self.raw("{\"index\":");
                match key.kind() {
                    ExpressionKind::Number(number) => {
                        let _ = write!(self.out, "{{\"number\":{}}}", Json(number.text()));
                    }
                    ExpressionKind::Bool(value) => self.raw(if value { "true" } else { "false" }),
                    ExpressionKind::Template(template) => self.string(&template.as_text().unwrap_or_default()),
                    ExpressionKind::Null => self.raw("{\"null\":\"dynamic\"}"),
                    // The others are not literals.
                    _ => self.raw("{\"error\":true}"),
                }
            }
            _ => self.raw("{\"error\":true"),
        }
        self.raw("}");
    }

    fn template(&mut self, template: TemplateNode<'t>) {
        if let Some(expression) = template.unwrapped() {
            self.then([Task::Raw("{\"wrap\":"), Task::Expression(expression), Task::Raw("}")]);
        } else if template.is_error() {
            self.raw("{\"error\":true}");
        } else {
            self.parts(Some(template));
        }
    }

    fn parts(&mut self, template: Option<TemplateNode<'t>>) {
        self.raw("{\"template\":");
        let parts = template.into_iter().flat_map(TemplateNode::parts);
        let parts = parts.filter(|part| !matches!(part, TemplatePart::Literal(text, _) if text.is_empty()));
        self.then_list(parts.map(Task::Part), "}");
    }

    fn part(&mut self, part: TemplatePart<'t>) {
        use Task::Raw;
        match part {
            TemplatePart::Literal(text, _) => {
                self.raw("{\"lit\":");
                self.string(&text);
                self.raw("}");
            }
            TemplatePart::Interpolation(expression) => self.expression(expression),
            TemplatePart::If(directive) => {
                self.then([Raw("{\"cond\":["), Task::Expression(directive.predicate()), Raw(",")]);
                self.then([Task::Parts(Some(directive.true_part())), Raw(",")]);
                self.then([Task::Parts(directive.false_part()), Raw("]}")]);
            }
            TemplatePart::For(directive) => {
                self.raw("{\"join\":{\"for\":{");
                self.for_names(directive.key_variable(), directive.value_variable());
                self.then([Task::Expression(directive.collection()), Raw(",\"value\":")]);
                self.then([Task::Parts(Some(directive.body())), Raw("}}}")]);
            }
            _ => self.raw("{\"error\":true}"),
        }
    }
}
