//! Simplifies an expression in JSON by its known parts. The result is native text.

use std::collections::HashSet;

use super::json_expression::JsonExpression;
use crate::diagnostic::Outcome;
use crate::eval::Scope;
use crate::eval::simplify::{self, Residue, text_of_value};
use crate::json::{Node, NodeKind, StringText, template_of};
use crate::limits::Account;
use crate::model::Value;
use crate::stack;
use crate::writer::{key, quoted};

impl JsonExpression {
    /// Simplifies the expression by its known parts. The result is native text.
    pub fn residue(&self, scope: &Scope<'_>) -> Outcome<Residue> {
        scope.metered(|scope, account| {
            let before = account.impure_calls();
            let outcome = self.evaluate(scope);
            let pure = before == account.impure_calls();
            let fails = outcome.diagnostics().has_errors();
            outcome.map(|value| {
                // Strings are just strings.
                if !scope.allows_variables() && !scope.allows_functions() {
                    let text = text_of_value(&value, scope);
                    return Residue { is_known: !fails && value.is_wholly_known(), value, text };
                }
                let mut rest = Rest { scope, account, is_known: true, out: String::new() };
                let written = rest.write(self.node()).map(|()| rest.out);
                let is_known = !fails && pure && value.is_wholly_known() && rest.is_known && written.is_some();
                let text = match is_known {
                    true => text_of_value(&value, scope).or(written),
                    false => written,
                };
                Residue { value, is_known, text: text.filter(|_| !account.is_exceeded()) }
            })
        })
    }
}

/// Writes JSON as native text, with known values filled in.
struct Rest<'s, 'p> {
    scope: &'s Scope<'p>,
    account: &'s Account,
    is_known: bool,
    out: String,
}

impl Rest<'_, '_> {
    fn write(&mut self, node: Node<'_>) -> Option<()> {
        self.account.steps(1).ok()?;
        match node.kind() {
            NodeKind::String(text) => {
                let text = self.string(text)?.0;
                self.out.push_str(&text);
            }
            NodeKind::Number(number) => self.out.push_str(&text_of_value(&Value::from(number.value()), self.scope)?),
            NodeKind::Bool(value) => self.out.push_str(if value { "true" } else { "false" }),
            NodeKind::Null => self.out.push_str("null"),
            NodeKind::Error => return None,
            NodeKind::Array(array) => {
                self.out.push('[');
                for (index, element) in array.elements().enumerate() {
                    self.out.push_str(if index == 0 { "" } else { ", " });
                    stack::with_room(|| self.write(element))?;
                }
                self.out.push(']');
            }
            NodeKind::Object(object) => {
                self.out.push('{');
                let mut names = HashSet::new();
                for (index, member) in object.properties().enumerate() {
                    self.out.push_str(if index == 0 { " " } else { ", " });
                    // Equal keys are an error in JSON, so an object in which they may occur stays JSON.
                    let (text, name) = self.string(member.name_text())?;
                    let name = name?;
                    self.account.bytes(name.len() as u64).ok()?;
                    if !names.insert(name.clone()) {
                        return None;
                    }
                    self.out.push_str(&if text.starts_with('"') { key(&name) } else { format!("({text})") });
                    self.out.push_str(" = ");
                    stack::with_room(|| self.write(member.value()))?;
                }
                self.out.push_str(" }");
            }
        }
        self.account.bytes(64).ok()
    }

    /// Returns the text of an expression for a string, and the string itself if it is known.
    fn string(&mut self, text: StringText<'_>) -> Option<(String, Option<String>)> {
        match template_of(text).map(Outcome::into_result) {
            Ok(template) => {
                // A part that fails stays as it is, as in native syntax.
                let residue = simplify::template(template.ok()?.template(), self.scope).into_value();
                self.is_known &= residue.is_known;
                let known = residue.is_known && !residue.value.contains_marks();
                let name = residue.value.as_str().filter(|_| known).map(str::to_owned);
                Some((residue.text?, name))
            }
            Err(plain) => Some((quoted(&plain), Some(plain.into_owned()))),
        }
    }
}
