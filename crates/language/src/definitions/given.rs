//! The values of inputs: those that are given from outside or as arguments, or else the defaults, converted to the types
//! of the inputs.

use std::collections::HashMap;

use super::companions::CompanionFile;
use super::concealed_errors::ConcealedErrors;
use super::ids::{ModuleId, NodeId};
use super::inputs::{Given, Inputs};
use super::instances::At;
use super::program::{InputNode, NodeKind};
use super::state::{State, unknown};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::internal::Account;
use hcl_lr::json;
use hcl_lr::model::hidden;
use hcl_lr::model::{Type, Value};
use hcl_lr::parse;
use hcl_lr::source::{Place, Source};
use hcl_lr::type_expr::Constraint;

/// A value, and the place of what is wrong if it does not fit.
type Placed = (Value, Place);

impl State {
    /// The value of an input.
    pub fn input(
        &self,
        input: &InputNode,
        at: At,
        inputs: &Inputs,
        place: &Place,
        account: &Account,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let place_of = |node: Option<NodeId>| match node.map(|node| &self.program[node].kind) {
            Some(NodeKind::Expression { expression, .. }) => expression.place(),
            _ => place.clone(),
        };
        let given = match (&input.name, input.argument) {
            (Some(name), _) => match inputs.get(name).map(|given| self.given(input, given, at, place, diagnostics)) {
                Some(None) => return unknown(),
                Some(given) => given,
                None => None,
            },
            (None, Some(argument)) => Some((self.of_node(argument, at), place_of(Some(argument)))),
            (None, None) => None,
        };
        let default = || input.default.map(|node| (self.of_node(node, at), place_of(Some(node))));
        if input.is_constant
            && let Some((value, place)) = default()
        {
            if value.is_null() && !input.nullable {
                let detail = "the default must not be null with `nullable = false`";
                diagnostics.push(Diagnostic::error(Code::InvalidArgumentValue, &place, detail));
            } else if given.is_some()
                && let Some(constraint) = &input.constraint
            {
                // A default that does not fit is an error even if another value is given.
                converted(value, &place, constraint, account, diagnostics);
            }
        }
        if inputs.are_any() && input.name.is_some() {
            if let (Some((value, place)), Some(constraint)) = (default(), &input.constraint) {
                converted(value, &place, constraint, account, diagnostics);
            }
            return unknown_of(input.constraint.as_ref());
        }
        let given = match given {
            Some((value, _)) if value.is_null() && !input.nullable && input.default.is_some() => None,
            given => given,
        };
        let Some((value, place)) = given.or_else(default) else {
            return match &input.otherwise {
                Some(value) => value.clone(),
                None => unknown_of(input.constraint.as_ref()),
            };
        };
        let value = value.with_marks(&input.marks());
        match &input.constraint {
            Some(constraint) => converted(value, &place, constraint, account, diagnostics),
            None => value,
        }
    }

    /// The value that an input is given from outside; `None` if it has errors.
    fn given(
        &self,
        input: &InputNode,
        given: &Given,
        at: At,
        place: &Place,
        diagnostics: &mut Diagnostics,
    ) -> Option<Placed> {
        let ty = input.constraint.as_ref().map(Constraint::ty);
        let text = match given {
            Given::Value(value) => return Some((value.clone(), place.clone())),
            Given::Json(source) => {
                let (document, problems) = parse::<json::Document>(source.clone()).into_parts();
                let expression = Expression::from((&document, document.root()));
                return self.given_expression(input, &expression, source, problems, place, diagnostics);
            }
            Given::Text(text) => text,
        };
        let value = match ty {
            None if input.typed_by_default => {
                let default = input.default.map(|node| self.of_node(node, at));
                like_default(text.text(), default.as_ref())
            }
            Some(ty) if input.typed_by_default && !ty.is_primitive() => comma_separated(text.text(), ty),
            _ if ty.is_none_or(Type::is_primitive) => Ok(Value::from(text.text())),
            _ => {
                let (expression, problems) = parse::<Expression>(text.clone()).into_parts();
                return self.given_expression(input, &expression, text, problems, place, diagnostics);
            }
        };
        match value {
            Ok(value) => Some((value, place.clone())),
            Err(detail) => {
                let hidden = || format!("the value is {}", hidden::because(&input.marks()));
                let detail = if input.is_hidden() { hidden() } else { detail };
                diagnostics.push(Diagnostic::error(Code::InvalidArgumentValue, place, detail));
                None
            }
        }
    }

    /// Returns the errors of the values that files beside those of the application give to inputs: each value must fit
    /// the type of its input, whichever of the files is read. Nothing of a sensitive value is shown.
    pub fn companion_values(&self, companions: &[CompanionFile]) -> Diagnostics {
        let mut found = Diagnostics::new();
        let root = &self.program[ModuleId::ROOT];
        for CompanionFile { document, .. } in companions.iter().filter(|file| file.module.is_none()) {
            let Some(kind) = self.program.roles().companions_of(document.source().name()) else { continue };
            let mut concealed = ConcealedErrors::new(document.source().name());
            for assignment in kind.assignments(&document.body()) {
                let Some(&node) = root.inputs.get(assignment.name()) else { continue };
                let NodeKind::Input(input) = &self.program[node].kind else { continue };
                let mut problems = Diagnostics::new();
                self.companion_value(input, assignment.expression(), &mut problems);
                match input.sensitive {
                    true => {
                        concealed.add(problems, &assignment.name_place(), &format!("{} = ", assignment.name()));
                    }
                    false => found.append(problems),
                }
            }
            found.append(concealed.into_diagnostics());
        }
        found
    }

    fn companion_value(&self, input: &InputNode, expression: &Expression, problems: &mut Diagnostics) {
        let Some(constraint) = &input.constraint else { return };
        // In tests, values refer to results of other runs. The schema says where there may be references.
        let unknown = expression.variables().into_iter().map(|path| (path.root().to_owned(), unknown()));
        let variables: HashMap<String, Value> = unknown.collect();
        let scope = self.plain.child().with_variables(&variables);
        let (value, errors) = expression.evaluate_partially(&scope).into_parts();
        if !errors.has_errors() {
            self.scope.metered(|_, account| converted(value, &expression.place(), constraint, account, problems));
        }
    }

    /// The value of an expression that is given from outside. Nothing of a sensitive one is shown.
    fn given_expression(
        &self,
        input: &InputNode,
        expression: &Expression,
        source: &Source,
        mut problems: Diagnostics,
        place: &Place,
        diagnostics: &mut Diagnostics,
    ) -> Option<Placed> {
        let whole = expression.place();
        let mut value = unknown();
        if !problems.has_errors() {
            let (found, more) = self
                .scope
                .metered(|_, account| expression.evaluate_partially(&Scope::new().within(account)))
                .into_parts();
            value = found;
            problems.append(more);
        }
        let failed = problems.has_errors();
        if input.is_hidden() {
            let mut concealed = ConcealedErrors::new(source.name()).with_marks(input.marks());
            concealed.add(problems, &whole, "");
            problems = concealed.into_diagnostics();
        }
        diagnostics.append(problems);
        (!failed).then(|| (value, if input.is_hidden() { place.clone() } else { whole }))
    }
}

/// Returns an unknown value of the type of an input.
fn unknown_of(constraint: Option<&Constraint>) -> Value {
    Value::unknown(constraint.map_or(Type::Dynamic, |constraint| constraint.ty().without_optional_attributes()))
}

/// Converts the value of an input or a result to its type.
pub(super) fn converted(
    value: Value,
    place: &Place,
    constraint: &Constraint,
    account: &Account,
    diagnostics: &mut Diagnostics,
) -> Value {
    match constraint.convert_within(&value, account) {
        Ok(value) => value,
        Err(why) => {
            let why = if value.contains_marks() { why.reason().to_owned() } else { why.to_string() };
            let detail = format!("the value does not have the required type: {why}");
            let error = Diagnostic::error(Code::InvalidArgumentValue, place, detail);
            diagnostics.push(error);
            unknown_of(Some(constraint))
        }
    }
}

/// A value that is given as a text, with the type of the default.
fn like_default(text: &str, default: Option<&Value>) -> Result<Value, String> {
    let ty = match default {
        Some(default) if !default.is_null() => default.ty(),
        _ => Type::Dynamic,
    };
    match ty {
        Type::Dynamic => Ok(Value::from(text)),
        ty => primitive(text, &ty).ok_or_else(|| {
            let is_other = !ty.is_primitive();
            let tip = if is_other { "; a variable with a `type` can be given as comma-separated values" } else { "" };
            format!("the value must be a {}, like the default{tip}", ty.describe())
        }),
    }
}

/// A text as a value of a primitive type.
fn primitive(text: &str, ty: &Type) -> Option<Value> {
    match ty {
        Type::String => Some(Value::from(text)),
        Type::Bool => match text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(Value::from(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(Value::from(false)),
            _ => None,
        },
        Type::Number => Value::from(text).convert(&Type::Number).ok(),
        _ => None,
    }
}

/// The elements of a list, set or tuple that are given as comma-separated values.
fn comma_separated(text: &str, ty: &Type) -> Result<Value, String> {
    let fields = fields_of(text).ok_or("the quotes in the comma-separated values do not match")?;
    let wrong = |field: &str| format!("`{field}` in the comma-separated values does not have the required type");
    let types: Vec<&Type> = match (ty.element_type(), ty.tuple_elements()) {
        (Some(element), _) if !matches!(ty, Type::Map(_)) => vec![element; fields.len()],
        (_, Some(types)) if types.len() == fields.len() => types.iter().collect(),
        (_, Some(types)) => return Err(format!("{} comma-separated values are required", types.len())),
        _ => Vec::new(),
    };
    if types.len() != fields.len() || !types.iter().all(|ty| ty.is_primitive()) {
        return Err(format!(
            "values of the type {} cannot be given as comma-separated values; give one in JSON",
            ty.describe()
        ));
    }
    let elements = fields.iter().zip(types).map(|(field, ty)| primitive(field, ty).ok_or_else(|| wrong(field)));
    let elements = elements.collect::<Result<Vec<Value>, String>>()?;
    Ok(Value::tuple(elements))
}

/// The fields of a line of comma-separated values. Quotes around a field may contain commas, and two quotes stand for one.
fn fields_of(text: &str) -> Option<Vec<String>> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut rest = text.chars().peekable();
    loop {
        if rest.next_if_eq(&'"').is_some() {
            loop {
                match rest.next()? {
                    '"' if rest.next_if_eq(&'"').is_some() => field.push('"'),
                    '"' => break,
                    c => field.push(c),
                }
            }
            if !matches!(rest.peek(), None | Some(',')) {
                return None;
            }
        }
        match rest.next() {
            Some(',') => fields.push(std::mem::take(&mut field)),
            Some('"') => return None,
            Some(c) => field.push(c),
            None => {
                fields.push(field);
                return Some(fields);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fields_of;

    #[test]
    fn fields_may_be_in_quotes() {
        let fields = |text| fields_of(text).map(|fields| fields.join("|"));
        assert_eq!(fields("a,b c,").as_deref(), Some("a|b c|"));
        assert_eq!(fields(r#""a,b","say ""x""",c"#).as_deref(), Some(r#"a,b|say "x"|c"#));
        assert_eq!(fields(r#""a"#), None);
        assert_eq!(fields(r#""a"b"#), None);
        assert_eq!(fields(r#"a"b"#), None);
    }
}
