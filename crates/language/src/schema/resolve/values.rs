//! Values of attributes.

use std::collections::BTreeMap;

use super::{Around, Resolver, VALUE, with_schema_place};
use crate::schema::check::judge::Judgement;
use crate::schema::check::shape::{Expr, names_of};
use crate::schema::model::{Attribute as KnownAttribute, Type};
use hcl_lr::body::{Attribute, Body, BodyBuilder, Expression};
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::stack;

impl<'c> Resolver<'c> {
    /// Returns the value of an attribute.
    pub(super) fn resolve_value(
        &mut self,
        attribute: &Attribute,
        known: Option<&'c KnownAttribute>,
        around: &Around<'_, 'c>,
        body: &Body,
    ) -> Value {
        let index = self.checker.index();
        let expression = attribute.expression();
        if let Some(known) = known
            && index.is_unevaluated(&known.ty)
        {
            return names_of(index.resolve(&known.ty), expression);
        }
        let scope = self.sites.scope_of(expression, around.site);
        let parts = known.and_then(|known| self.object_by_parts(&known.ty, expression, &scope));
        let (value, found) = parts.unwrap_or_else(|| expression.evaluate_partially(&scope).into_parts());
        let has_failed = found.has_errors();
        self.diagnostics.append(found);
        if has_failed {
            return value;
        }
        let value = match known {
            Some(known) => match self.checked_value(attribute, known, value) {
                Some(value) => value,
                None => return Value::unknown(index.converted_type(&known.ty)),
            },
            None => value,
        };
        if !value.is_wholly_known() && !body.is_unknown() {
            self.note_unknown(&expression.variables(), expression.place(), around.site);
        }
        value
    }

    /// Returns the value of an object some of whose attributes are not evaluated; `None` if it has no such attribute.
    fn object_by_parts(&self, ty: &Type, expression: &Expression, scope: &Scope<'_>) -> Option<(Value, Diagnostics)> {
        let index = self.checker.index();
        let unevaluated = |ty: &Type, name: &str| {
            let ty = match index.resolve(ty) {
                Type::Part(part) => index.part(part)?.attribute(name)?.ty.clone(),
                Type::Object(object) => object.attribute(name)?.ty.clone(),
                _ => return None,
            };
            index.is_unevaluated(&ty).then_some(ty)
        };
        let unevaluated = |name: &str| match index.resolve(ty) {
            Type::OneOf(types) => types.iter().find_map(|ty| unevaluated(ty, name)),
            ty => unevaluated(ty, name),
        };
        let is_object = |ty: &Type| matches!(index.resolve(ty), Type::Part(_) | Type::Object(_));
        match index.resolve(ty) {
            Type::OneOf(types) if types.iter().any(is_object) => {}
            ty if is_object(ty) => {}
            _ => return None,
        }
        let entries = expression.static_map().ok()?;
        let name_of = |key: &Expression| key.as_str().map(|text| text.into_owned()).or_else(|| key.keyword());
        let named: Vec<(String, Expression)> =
            entries.into_iter().map(|(key, value)| Some((name_of(&key)?, value))).collect::<Option<_>>()?;
        if !named.iter().any(|(name, _)| unevaluated(name).is_some()) {
            return None;
        }
        let mut all = Diagnostics::new();
        let values = named.into_iter().map(|(name, value)| match unevaluated(&name) {
            Some(ty) => (name, names_of(index.resolve(&ty), &value)),
            None => {
                let (value, found) = value.evaluate_partially(scope).into_parts();
                all.append(found);
                (name, value)
            }
        });
        let value = Value::object(values.collect::<Vec<_>>());
        Some((value, all))
    }

    /// Returns a value converted to the type of its attribute, with the defaults of objects. `None` if it is wrong.
    fn checked_value(&mut self, attribute: &Attribute, known: &'c KnownAttribute, value: Value) -> Option<Value> {
        let place = attribute.expression().place();
        let index = self.checker.index();
        let written = match attribute.expression().as_native() {
            Some(node) => Expr::Node(node),
            None => Expr::Handle(attribute.expression().clone()),
        };
        // A check of the file reports what is wrong in its text.
        if matches!(self.judge.judge(&known.ty, &written), Judgement::Wrong(_)) {
            return None;
        }
        let given = Expr::Handle(Expression::of_value(value.clone(), place.clone()));
        let is_hidden = known.is_hidden() || value.contains_marks();
        if let Judgement::Wrong(problems) = self.judge.judge(&known.ty, &given).concealed_if(is_hidden) {
            for problem in problems {
                let error: Diagnostic = problem.finding().in_source(place.source());
                self.diagnostics.push(with_schema_place(error, &known.place, "expected by this"));
            }
            return None;
        }
        for check in self.checker.failing(&known.checks, [(VALUE, value.clone())]) {
            let error = Diagnostic::error(Code::InvalidValue, place.clone(), check.message.clone());
            self.diagnostics.push(with_schema_place(error, &check.place, "the condition"));
        }
        let value = with_defaults(index.resolve(&known.ty), value, &|ty| index.resolve(ty));
        let alone = BodyBuilder::new()
            .at(place.clone())
            .with_attribute(attribute.clone().with_expression(Expression::of_value(value, place)));
        let spec = Spec::attr(attribute.name(), index.converted_type(&known.ty));
        let (value, found) = spec.decode(&alone.build(), &Scope::new()).into_parts();
        let is_right = !found.has_errors();
        self.diagnostics.append(found);
        is_right.then_some(value)
    }
}

/// Returns a value with the defaults of attributes that objects in it lack.
fn with_defaults<'t>(ty: &'t Type, value: Value, resolve: &(dyn Fn(&'t Type) -> &'t Type + Sync)) -> Value {
    if !value.is_known() || value.is_null() {
        return value;
    }
    let (plain, marks) = value.unmark();
    let changed = stack::with_room(|| match ty {
        Type::List(element) | Type::Set(element) => {
            let elements = plain.elements()?.iter();
            Some(Value::tuple(
                elements.map(|one| with_defaults(resolve(element), one.clone(), resolve)).collect::<Vec<_>>(),
            ))
        }
        Type::Map(element) => {
            let entries = plain.entries()?;
            let entries =
                entries.map(|(name, one)| (name.to_owned(), with_defaults(resolve(element), one.clone(), resolve)));
            Some(Value::object(entries.collect::<Vec<_>>()))
        }
        Type::Object(object) => {
            let mut entries: BTreeMap<String, Value> =
                plain.entries()?.map(|(name, one)| (name.to_owned(), one.clone())).collect();
            for attribute in &object.attributes {
                let given = entries.remove(&attribute.name).filter(|value| !value.is_null());
                if let Some(value) = given.or_else(|| attribute.default.clone()) {
                    let value = with_defaults(resolve(&attribute.ty), value, resolve);
                    entries.insert(attribute.name.clone(), value);
                }
            }
            Some(Value::object(entries))
        }
        _ => None,
    });
    changed.unwrap_or(plain).with_marks(&marks)
}
