//! The function `text`, which returns the source of a part of a match.

use crate::address::{Address, AddressStep, Target};
use hcl_lr::body::Expression;
use hcl_lr::eval::{Function, FunctionError, LazyCall, Parameter, Scope};
use hcl_lr::internal::Account;
use hcl_lr::model::{Type, Value};
use hcl_lr::syntax::ast::{self, ExpressionKind, TraversalNode};

/// The variable with the texts that a query uses. It is not an identifier, so no expression can use the name.
pub(super) const TEXTS: &str = "(texts)";

/// Returns the function `text(NAME)`: the source of a block, or of the value of an attribute or entry, in `self`; null
/// if `self` has nothing with this name. `NAME` is a path as for `has`.
pub(super) fn text() -> Function {
    Function::lazy([Parameter::new("name", Type::Dynamic)], None, answer)
}

fn answer(call: &LazyCall<'_>) -> Result<Value, FunctionError> {
    let wrong = || FunctionError::argument(0, "must be a path of names in `self`, such as `self.tags`");
    let texts = call.scope().and_then(|scope: &Scope<'_>| scope.variable(TEXTS));
    let path = call.argument(0).expression().and_then(|argument| argument.as_traversal()).ok_or_else(wrong)?;
    let text = texts.and_then(|texts| texts.attribute(path.expression().text()));
    text.cloned().ok_or_else(wrong)
}

/// The arguments of the calls of `text` in expressions, each with its source.
#[derive(Default)]
pub(super) struct Paths(Vec<(String, Address)>);

impl Paths {
    pub fn in_expressions<'e>(expressions: impl Iterator<Item = &'e Expression>) -> Paths {
        let mut paths: Vec<(String, Address)> = Vec::new();
        for expression in expressions.filter_map(Expression::native_form) {
            for call in expression.calls().into_iter().filter(|call| call.name() == "text") {
                let Some(path) = call.arguments().next().and_then(|argument| argument.as_traversal()) else { continue };
                let written = path.expression().text();
                if let Some(address) = address(path)
                    && !paths.iter().any(|(known, _)| known == written)
                {
                    paths.push((written.to_owned(), address));
                }
            }
        }
        Paths(paths)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the texts in a target, by path.
    pub fn value(&self, target: &Target<'_>, account: &Account) -> Value {
        let text = |address: &Address| match address.steps().is_empty() {
            true => Some(target.value_text().unwrap_or(target.text())),
            false => {
                let found = address.resolve_within(target);
                found.first().map(|part| part.value_text().unwrap_or(part.text()))
            }
        };
        Value::object(self.0.iter().map(|(written, address)| {
            let value = match text(address) {
                None => Value::null(Type::String),
                Some(text) => match account.text(text.len()) {
                    Ok(()) => Value::from(text),
                    Err(_) => Value::unknown(Type::String),
                },
            };
            (written.as_str(), value)
        }))
    }
}

/// Returns the address of a path within a target. The path may begin with `self`.
fn address(path: TraversalNode<'_>) -> Option<Address> {
    let root = path.root().text();
    let mut address = if root == "self" { Address::root() } else { Address::root().name(root) };
    for step in path.steps() {
        address = address.step(match step {
            ast::AccessStep::Attribute(name) => AddressStep::Name(name.text().to_owned()),
            ast::AccessStep::LegacyIndex(number) => AddressStep::Index(number.text().parse().ok()?),
            ast::AccessStep::Index(key) => match key.kind() {
                ExpressionKind::Number(number) => AddressStep::Index(number.text().parse().ok()?),
                ExpressionKind::Template(template) => AddressStep::Name(template.as_text()?.into_owned()),
                _ => return None,
            },
            _ => return None,
        });
    }
    Some(address)
}
