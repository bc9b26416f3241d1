//! Expressions in JSON (JSON syntax specification, "Expressions" and "Static Analysis").

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::{Expression, StaticCall};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
#[cfg(feature = "decode")]
use crate::eval::used_parts::UsedParts;
use crate::eval::{Scope, limit_exceeded};
use crate::json::{Document, Node, NodeKind, Object, StringText, options_of, source_of, template_of};
use crate::limits::Account;
use crate::model::hidden::HIDDEN;
use crate::model::{MarkSet, Text, Type, Value};
use crate::source::Place;
use crate::stack;
use crate::syntax::ast::{ExpressionNode, TemplateNode};
use crate::syntax::{File, Traversal};

/// A node of a document as an expression.
#[derive(Clone)]
pub(super) struct JsonExpression {
    document: Document,
    node: u32,
}

/// A node of a document as an expression.
pub fn expression_of_json(document: &Document, node: Node<'_>) -> Expression {
    Expression::json(JsonExpression::new(document, node))
}

impl JsonExpression {
    pub fn new(document: &Document, node: Node<'_>) -> Self {
        JsonExpression { document: document.clone(), node: node.id() }
    }

    pub(super) fn node(&self) -> Node<'_> {
        self.document.node(self.node).unwrap_or_else(|| self.document.root())
    }

    fn part(&self, node: Node<'_>) -> Expression {
        Expression::json(JsonExpression::new(&self.document, node))
    }

    /// The text of a string that is no template.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        template_of(self.node().as_string()?).err()
    }

    pub fn place(&self) -> Place {
        Place::new(self.document.source(), self.node().span())
    }

    pub fn start_place(&self) -> Place {
        Place::new(self.document.source(), self.node().start_span())
    }

    pub fn evaluate(&self, scope: &Scope<'_>) -> Outcome<Value> {
        scope.metered(|scope, account| {
            let mut evaluator = Evaluator {
                scope,
                account,
                literal_only: !scope.allows_variables() && !scope.allows_functions(),
                diagnostics: Diagnostics::new(),
            };
            let value = evaluator.value(self.node());
            let mut diagnostics = evaluator.diagnostics;
            diagnostics.extend(limit_exceeded(account, || self.place()));
            diagnostics.sort();
            Outcome::new(value, diagnostics.without_repetitions())
        })
    }

    pub fn variables(&self) -> Vec<Traversal> {
        let templates = self.templates();
        templates
            .flat_map(|file| Vec::from_iter(file.template().variables().into_iter().map(Traversal::from)))
            .collect()
    }

    /// Returns the parts that the expression reads of each of its variables, in the same order.
    #[cfg(feature = "decode")]
    pub(super) fn asked(&self) -> Vec<Arc<UsedParts>> {
        self.templates().flat_map(|file| file.template().asked()).collect()
    }

    /// Returns the templates in its strings. A string that cannot be parsed needs no variables, and is reported when it
    /// is evaluated.
    pub(super) fn templates(&self) -> impl Iterator<Item = File> {
        strings_of(self.node()).into_iter().filter_map(|text| template_of(text).ok()?.into_result().ok())
    }

    pub fn static_list(&self) -> Result<Vec<Expression>, Diagnostics> {
        match self.node().kind() {
            NodeKind::Array(array) => Ok(array.elements().map(|element| self.part(element)).collect()),
            _ => Err(self.not_static("an array is required here")),
        }
    }

    pub fn static_map(&self) -> Result<Vec<(Expression, Expression)>, Diagnostics> {
        match self.node().kind() {
            NodeKind::Object(object) => {
                let members = object.properties();
                Ok(members.map(|member| (self.part(member.name_node()), self.part(member.value()))).collect())
            }
            _ => Err(self.not_static("an object is required here")),
        }
    }

    pub fn static_call(&self) -> Result<StaticCall, Diagnostics> {
        let call = self.in_string().and_then(|expression| StaticCall::of_native(expression.as_native()?).ok());
        call.ok_or_else(|| self.not_static("a string that holds a function call is required here"))
    }

    /// Returns the expression in native syntax that a string is read as.
    pub fn in_string(&self) -> Option<Expression> {
        let NodeKind::String(text) = self.node().kind() else { return None };
        options_of(text).parse::<Expression>(source_of(text)).into_result().ok()
    }

    /// The text of a string.
    pub fn text(&self) -> Option<String> {
        match self.node().kind() {
            NodeKind::String(text) => Some(text.text().into_owned()),
            _ => None,
        }
    }

    pub fn static_traversal(&self) -> Result<Traversal, Diagnostics> {
        let detail = "a string that holds a name is required here, optionally with attributes and constant indexes";
        let not_static = || self.error(self.place(), detail);
        let NodeKind::String(text) = self.node().kind() else { return Err(not_static()) };
        options_of(text).parse::<Traversal>(source_of(text)).into_result().map_err(|_| not_static())
    }

    fn not_static(&self, detail: &'static str) -> Diagnostics {
        self.error(self.start_place(), detail)
    }

    fn error(&self, place: Place, detail: &'static str) -> Diagnostics {
        let diagnostic = Diagnostic::error(Code::NotStatic, place, detail).with_context(self.place());
        let help = "this expression is not evaluated; only its written form counts";
        diagnostic.with_help(help).into()
    }
}

impl StaticCall {
    pub(super) fn of_native(expression: ExpressionNode<'_>) -> Result<StaticCall, Diagnostics> {
        let call = expression.static_call()?;
        let source = expression.shared_source();
        Ok(StaticCall {
            name: call.name().into_owned(),
            name_place: Place::new(source, call.name_span()),
            place: expression.place(),
            arguments_place: Place::new(source, call.open_span().join(call.close_span())),
            arguments: call.arguments().map(Expression::from).collect(),
        })
    }
}

/// Returns all strings of a node, including the names of properties, in source order.
fn strings_of<'d>(node: Node<'d>) -> Vec<StringText<'d>> {
    let mut found = Vec::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        let start = waiting.len();
        match node.kind() {
            NodeKind::String(text) => found.push(text),
            NodeKind::Array(array) => waiting.extend(array.elements()),
            NodeKind::Object(object) => {
                waiting.extend(object.properties().flat_map(|member| [member.name_node(), member.value()]));
            }
            _ => {}
        }
        waiting[start..].reverse();
    }
    found
}

struct Evaluator<'s, 'p> {
    scope: &'s Scope<'p>,
    account: &'s Account,
    /// Strings are just strings (information model, "literal-only mode").
    literal_only: bool,
    diagnostics: Diagnostics,
}

impl Evaluator<'_, '_> {
    fn value(&mut self, node: Node<'_>) -> Value {
        if self.account.steps(1).is_err() {
            return Value::unknown(Type::Dynamic);
        }
        match node.kind() {
            NodeKind::String(text) => self.string(text),
            NodeKind::Number(number) => Value::from(number.value()),
            NodeKind::Bool(value) => Value::from(value),
            NodeKind::Null => Value::null(Type::Dynamic),
            // The reader has reported the error.
            NodeKind::Error => Value::unknown(Type::Dynamic),
            NodeKind::Array(array) if self.account.elements(array.len()).is_ok() => {
                stack::with_room(|| Value::tuple(array.elements().map(|element| self.value(element))))
            }
            NodeKind::Array(_) => Value::unknown(Type::Dynamic),
            NodeKind::Object(object) => stack::with_room(|| self.object(object)),
        }
    }

    fn string(&mut self, text: StringText<'_>) -> Value {
        if self.literal_only {
            let text = text.text();
            return self.plain(&text);
        }
        match template_of(text).map(Outcome::into_result) {
            Ok(Ok(template)) => self.template(template.template()),
            Ok(Err(diagnostics)) => {
                self.diagnostics.append(diagnostics);
                Value::unknown(Type::Dynamic)
            }
            Err(plain) => self.plain(&plain),
        }
    }

    /// A string without a template.
    fn plain(&self, text: &str) -> Value {
        match self.account.text(text.len()).and_then(|()| self.account.normalizing(text)) {
            Ok(()) => Value::from(text),
            Err(_) => Value::unknown(Type::String),
        }
    }

    fn template(&mut self, template: TemplateNode<'_>) -> Value {
        template.evaluate_partially(self.scope).into_value_reporting_to(&mut self.diagnostics)
    }

    /// Evaluates an object. Unless all of its keys are known, not even its type is.
    fn object(&mut self, object: Object<'_>) -> Value {
        let mut attributes: Vec<(Text, Value)> = Vec::new();
        // The place of each name, and true if it comes from a marked value.
        let mut places: HashMap<Text, (Place, bool)> = HashMap::new();
        let mut marks = MarkSet::default();
        let mut known = true;
        for member in object.properties() {
            let place = Place::new(object.node().source(), member.name_span());
            let key = self.string(member.name_text());
            let value = self.value(member.value());
            marks = marks.union(&key.marks());
            match self.name(&key, &place) {
                Some(Some(name)) => match places.get(&name) {
                    Some((first, hidden)) => {
                        let hidden = *hidden || key.is_marked() || self.scope.hides();
                        self.duplicate(if hidden { None } else { Some(&name) }, &place, first);
                    }
                    None => {
                        if self.account.bytes(2 * name.len() as u64).is_ok()
                            && self.account.element(attributes.len()).is_ok()
                        {
                            places.insert(name.clone(), (place, key.is_marked()));
                            attributes.push((name, value));
                        }
                    }
                },
                Some(None) => known = false,
                None => {}
            }
        }
        let value = if known { Value::object_of(attributes) } else { Value::unknown(Type::Dynamic) };
        value.with_marks(&marks)
    }

    /// Returns a key as a name, if it is known and can be a name.
    fn name(&mut self, key: &Value, place: &Place) -> Option<Option<Text>> {
        let problem = if key.is_null() {
            "the key must not be null".to_owned()
        } else {
            match key.unmarked().convert_within(&Type::String, self.account) {
                Ok(name) => return Some(name.as_name().cloned()),
                Err(why) => format!("this value cannot be a key: {why}"),
            }
        };
        self.diagnostics.push(Diagnostic::error(Code::InvalidKey, place, problem));
        None
    }

    /// A name from a marked value is not shown.
    fn duplicate(&mut self, name: Option<&str>, place: &Place, first: &Place) {
        let detail = match name {
            Some(name) => format!("the property \"{name}\" of the object is already set"),
            None => format!("two properties have the same name, which is {HIDDEN}"),
        };
        let diagnostic = Diagnostic::error(Code::DuplicateKey, place, detail);
        self.diagnostics.push(diagnostic.with_label(first, "first set here"));
    }
}

impl fmt::Debug for JsonExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node().fmt(f)
    }
}

/// The expression keeps the document of the node, even if another one is passed.
impl From<(&Document, Node<'_>)> for Expression {
    fn from((_, node): (&Document, Node<'_>)) -> Expression {
        Expression::json(JsonExpression::new(&node.document(), node))
    }
}
