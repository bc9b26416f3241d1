//! Source as a value: constant expressions as their values, others in one of two forms.

use std::collections::HashSet;

use super::{BodyObject, Resolver};
use crate::address::{AttributeRef, BlockRef, BodyRef, Items, Target};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::eval::{Function, Functions, Parameter, Scope};
use hcl_lr::internal::bare_template;
use hcl_lr::internal::expression_of_json;
use hcl_lr::internal::limit_exceeded;
use hcl_lr::internal::template_of;
use hcl_lr::internal::{Account, Exceeded, SENSITIVE};
use hcl_lr::json::{Document, Node, NodeKind, Property};
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Place;
use hcl_lr::stack::with_room;
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, FunctionCall, ObjectElement, ObjectKey};

/// The form of an expression that is not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An unknown value.
    Unknown,
    /// The expression as a string `"${…}"`, as in the JSON syntax.
    Source,
}

/// Converts source to values.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub functions: &'a Functions,
    /// The document, if it is in the JSON syntax.
    pub document: Option<&'a Document>,
    /// The values of references, if they are not all unknown.
    pub resolver: Option<&'a dyn Resolver>,
    pub form: Form,
    /// The account for evaluation. A file can have many nested constant expressions that are costly to evaluate.
    pub account: &'a Account,
    /// The target to convert.
    pub whole: &'a Target<'a>,
}

impl<'a> Written<'a> {
    /// A body as an object: attributes by name, blocks by type, then by each label, then a list.
    pub fn body(self, body: &BodyRef<'_>) -> Result<Value, Diagnostics> {
        let items = Items::of(body);
        self.elements(items.attributes.len() + items.blocks.len())?;
        let mut members = BodyObject::default();
        for (name, attribute) in &items.attributes {
            let value = match *attribute {
                AttributeRef::Native(attribute) => self.expression(attribute.expression())?,
                AttributeRef::Json(member) => self.json(member.value())?,
            };
            members.add_attribute(name, value);
        }
        for item in &items.blocks {
            let inner = with_room(|| self.body(&item.body()))?;
            let labels = item.labels.iter().map(|label| label.clone().into_owned()).collect();
            let place = match &item.block {
                BlockRef::Native(block) => block.place(),
                BlockRef::Json(_) => Place::nowhere(),
            };
            // A block with more labels than a value can have levels is left out.
            let _ = members.add_block(&item.block_type, labels, inner, &place);
        }
        Ok(members.into_value())
    }

    pub fn expression(self, expression: ExpressionNode<'_>) -> Result<Value, Diagnostics> {
        if self.form == Form::Unknown {
            return self.constant(expression);
        }
        match expression.kind() {
            ExpressionKind::Parentheses(parentheses) => with_room(|| self.expression(parentheses.inner())),
            ExpressionKind::Tuple(tuple) => {
                self.elements(tuple.elements().len())?;
                let values = tuple.elements().map(|element| with_room(|| self.expression(element)));
                Ok(Value::tuple(values.collect::<Result<Vec<_>, _>>()?))
            }
            ExpressionKind::Object(object) => {
                self.elements(object.elements().len())?;
                let entry = |element: ObjectElement<'_>| {
                    Ok((self.key(element)?, with_room(|| self.expression(element.value()))?))
                };
                Ok(Value::object(object.elements().map(entry).collect::<Result<Vec<_>, Diagnostics>>()?))
            }
            _ => {
                let value = self.constant(expression)?;
                if self.is_shown(&value) {
                    return Ok(value);
                }
                self.counted(self.account.text(expression.text().len()))?;
                Ok(Value::from(source_text(expression)))
            }
        }
    }

    fn key(self, element: ObjectElement<'_>) -> Result<String, Diagnostics> {
        Ok(match element.key() {
            ObjectKey::Name(name) => name.text().to_owned(),
            ObjectKey::Expression(key) => {
                let value = self.constant(key)?.convert(&Type::String);
                match value.as_ref().ok().and_then(Value::as_str) {
                    Some(key) => key.to_owned(),
                    None => source_text(key),
                }
            }
            _ => source_text(element.key_expression()),
        })
    }

    /// Charges a collection with this number of elements.
    fn elements(self, count: usize) -> Result<(), Diagnostics> {
        self.counted(self.account.steps(count as u64).and_then(|()| self.account.elements(count)))
    }

    /// Charges a search of a whole expression for its references, and its scope.
    fn looking_through(self, text: &str) -> Result<(), Diagnostics> {
        const SCOPE: u64 = 6;
        const BYTES_IN_A_STEP: u64 = 16;
        self.counted(self.account.steps(SCOPE + text.len() as u64 / BYTES_IN_A_STEP))
    }

    fn counted(self, result: Result<(), Exceeded>) -> Result<(), Diagnostics> {
        match limit_exceeded(self.account, || self.whole.place()) {
            Some(error) if result.is_err() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Returns true if a value appears in place of its source. A resolved value may have come from elsewhere, where it
    /// is hidden.
    fn is_shown(self, value: &Value) -> bool {
        value.is_wholly_known() && !(self.resolver.is_some() && value.contains_marks())
    }

    /// Returns the value of an expression. Undefined variables and the results of undefined functions are unknown.
    fn constant(self, expression: ExpressionNode<'_>) -> Result<Value, Diagnostics> {
        let variables = expression.variables();
        let roots: Vec<&str> = variables.iter().map(|variable| variable.root().text()).collect();
        let calls = names_of(expression.calls());
        self.resolved(&expression.into(), expression.text(), &roots, &calls)
    }

    /// Evaluates an expression with these variables and calls in all scopes of the resolver.
    fn resolved(
        self,
        expression: &Expression,
        text: &str,
        variables: &[&str],
        calls: &HashSet<String>,
    ) -> Result<Value, Diagnostics> {
        let scopes = match self.resolver {
            Some(resolver) if !(variables.is_empty() && calls.is_empty()) => resolver.scopes(expression),
            _ => Vec::new(),
        };
        let value = if scopes.is_empty() {
            let scope = Scope::new().with_functions(self.functions.clone());
            self.in_scope(expression, text, self.complete(scope, variables, calls))?
        } else {
            let mut common: Option<Value> = None;
            for scope in scopes {
                let value = self.in_scope(expression, text, self.complete(scope, variables, calls))?;
                common = Some(common.map_or_else(|| value.clone(), |common| common_part(&common, &value)));
            }
            common.unwrap_or_default()
        };
        let is_hidden = self.resolver.is_some_and(|resolver| resolver.is_hidden(expression));
        Ok(if is_hidden { value.mark(SENSITIVE) } else { value })
    }

    fn in_scope(self, expression: &Expression, text: &str, scope: Scope<'_>) -> Result<Value, Diagnostics> {
        self.looking_through(text)?;
        self.known(expression.evaluate_partially(&scope.within(self.account)))
    }

    /// Ignores the errors of an expression, except for an exceeded limit.
    fn known(self, outcome: Outcome<Value>) -> Result<Value, Diagnostics> {
        match limit_exceeded(self.account, || self.whole.place()) {
            Some(error) => Err(error.into()),
            None => Ok(outcome.into_value()),
        }
    }

    /// Adds the names to a scope that it lacks.
    fn complete<'s>(self, mut scope: Scope<'s>, variables: &[&str], calls: &HashSet<String>) -> Scope<'s> {
        for name in variables {
            if scope.variable(name).is_none() {
                scope.set(*name, Value::unknown(Type::Dynamic));
            }
        }
        for name in calls {
            if scope.function(name).is_none() {
                scope = scope.with_function(name, unknown_function());
            }
        }
        scope
    }

    pub fn json(self, node: Node<'_>) -> Result<Value, Diagnostics> {
        match node.kind() {
            NodeKind::Array(array) => {
                let values = array.elements().map(|element| with_room(|| self.json(element)));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                self.elements(values.len())?;
                Ok(Value::tuple(values))
            }
            NodeKind::Object(object) => {
                let entry =
                    |member: Property<'_>| Ok((member.name().into_owned(), with_room(|| self.json(member.value()))?));
                let entries = object.properties().map(entry).collect::<Result<Vec<_>, Diagnostics>>()?;
                self.elements(entries.len())?;
                Ok(Value::object(entries))
            }
            _ => {
                let value = self.constant_json(node)?;
                Ok(match node.as_string() {
                    Some(text) if self.form == Form::Source && !self.is_shown(&value) => Value::from(&*text.text()),
                    _ => value,
                })
            }
        }
    }

    fn constant_json(self, node: Node<'_>) -> Result<Value, Diagnostics> {
        let Some(document) = self.document else { return Ok(Value::unknown(Type::Dynamic)) };
        let expression = expression_of_json(document, node);
        let variables = expression.variables();
        let roots: Vec<&str> = variables.iter().map(Traversal::root).collect();
        let calls = match node.as_string().map(template_of) {
            Some(Ok(template)) => names_of(template.into_value().template().calls()),
            _ => HashSet::new(),
        };
        self.resolved(&expression, node.text(), &roots, &calls)
    }
}

/// Returns what two values have in common: parts that differ are unknown.
fn common_part(left: &Value, right: &Value) -> Value {
    if left == right {
        return left.clone();
    }
    if left.is_marked() || right.is_marked() {
        let (left_marks, right_marks) = (left.marks(), right.marks());
        return Value::unknown(Type::Dynamic).with_marks(&left_marks).with_marks(&right_marks);
    }
    match (left.ty(), right.ty()) {
        (Type::Object(_), Type::Object(_)) if left.is_known() && right.is_known() => {
            let (left, right) = (left.entries().into_iter().flatten(), right.entries().into_iter().flatten());
            let (left, right): (Vec<_>, Vec<_>) = (left.collect(), right.collect());
            let same_names =
                left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| left.0 == right.0);
            if !same_names {
                return Value::unknown(Type::Dynamic);
            }
            let members = left.iter().zip(&right);
            Value::object(members.map(|(left, right)| (left.0, with_room(|| common_part(left.1, right.1)))))
        }
        (Type::Tuple(_), Type::Tuple(_)) => match (left.elements(), right.elements()) {
            (Some(left), Some(right)) if left.len() == right.len() => {
                let elements = left.iter().zip(right.iter());
                Value::tuple(elements.map(|(left, right)| with_room(|| common_part(left, right))))
            }
            _ => Value::unknown(Type::Dynamic),
        },
        (left, right) if left == right => Value::unknown(left),
        _ => Value::unknown(Type::Dynamic),
    }
}

/// Returns the source of an expression as a template: `${…}`, or its own source if it is a template.
pub(super) fn source_text(expression: ExpressionNode<'_>) -> String {
    match expression.kind() {
        ExpressionKind::Template(template) => match template.unwrapped() {
            Some(inner) => format!("${{{}}}", inner.text()),
            None => bare_template(template),
        },
        _ => format!("${{{}}}", expression.text()),
    }
}

/// Returns a function with an unknown result.
fn unknown_function() -> Function {
    let any = Parameter::new("arguments", Type::Dynamic);
    Function::lazy([], Some(any), |_| Ok(Value::unknown(Type::Dynamic)))
}

/// Returns the names of the called functions.
fn names_of(calls: Vec<FunctionCall<'_>>) -> HashSet<String> {
    calls.into_iter().map(|call| call.name().into_owned()).collect()
}
