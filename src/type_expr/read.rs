//! Reads expressions as types.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::defaults::{self, Level, Parts};
use super::help::{self, Wanted};
use super::{Constraint, Defaults};
use crate::body::Expression;
use crate::diagnostic::{Diagnostics, Finding};
use crate::eval::{LazyArgument, Scope};
use crate::limits::Account;
use crate::model::{AttributeType, CollectionKind, Text, Type, Value, normalized};
use crate::source::{Source, Span};
use crate::stack;
use crate::syntax::ast::{self, FunctionCall, ObjectKey};

/// Reads an expression of either syntax.
pub(super) fn read_expression(
    expression: &Expression,
    wanted: Wanted,
    account: &Account,
) -> Result<Constraint, Diagnostics> {
    if let Some(native) = expression.native_form() {
        return read_native(native, wanted, account);
    }
    let place = expression.place();
    let problem = |finding: Finding| Diagnostics::from(finding.in_source(place.source()));
    if let Some(name) = expression.keyword() {
        let ty = named(&name, wanted).ok_or_else(|| problem(help::no_such_type(&name, wanted, place.span())))?;
        return Ok(Constraint { ty, defaults: Defaults::default() });
    }
    let in_string = expression.in_string();
    match in_string.as_ref().and_then(Expression::as_native) {
        Some(native) if native.static_call().is_ok() => read_native(native, wanted, account),
        _ => Err(problem(help::no_type_in_json(expression, wanted))),
    }
}

/// Reads an expression in native syntax. Defaults are evaluated and converted on the account.
pub(crate) fn read_native(
    expression: ast::ExpressionNode<'_>,
    wanted: Wanted,
    account: &Account,
) -> Result<Constraint, Diagnostics> {
    let source = expression.shared_source();
    let mut reader = Reader { wanted, source, account, problems: Diagnostics::new(), levels: Vec::new() };
    let read_type = reader.ty(expression);
    if !reader.problems.is_empty() {
        reader.problems.sort();
        return Err(reader.problems);
    }
    let defaults = if read_type.level.is_some() { Defaults::of_levels(reader.levels) } else { Defaults::default() };
    Ok(Constraint { ty: read_type.ty, defaults })
}

/// The type of a name, if it is one.
fn named(name: &str, wanted: Wanted) -> Option<Type> {
    match name {
        "string" => Some(Type::String),
        "number" => Some(Type::Number),
        "bool" => Some(Type::Bool),
        "any" if wanted != Wanted::Exact => Some(Type::Dynamic),
        _ => None,
    }
}

struct Reader<'t> {
    wanted: Wanted,
    source: &'t Arc<Source>,
    account: &'t Account,
    problems: Diagnostics,
    levels: Vec<Level>,
}

/// A type, with the level of its defaults, if there are any.
struct ReadType {
    ty: Type,
    level: Option<usize>,
}

impl ReadType {
    fn plain(ty: Type) -> Self {
        ReadType { ty, level: None }
    }
}

impl Reader<'_> {
    /// Reads a type from an expression. An invalid one is reported and counts as any type, so that the rest can be
    /// checked.
    fn ty(&mut self, expression: ast::ExpressionNode<'_>) -> ReadType {
        if let Some(name) = expression.keyword() {
            return match named(name, self.wanted) {
                Some(ty) => ReadType::plain(ty),
                None => self.fail(help::no_such_type(name, self.wanted, expression.span())),
            };
        }
        match expression.static_call() {
            Ok(call) => stack::with_room(|| self.call(expression, call)),
            Err(_) => self.fail(help::no_type(expression, self.wanted)),
        }
    }

    fn fail(&mut self, problem: Finding) -> ReadType {
        self.report(problem);
        ReadType::plain(Type::Dynamic)
    }

    fn report(&mut self, problem: Finding) {
        self.problems.push(problem.in_source(self.source));
    }

    fn call(&mut self, expression: ast::ExpressionNode<'_>, call: FunctionCall<'_>) -> ReadType {
        let name = call.name();
        match &*name {
            "optional" => return self.fail(help::misplaced_optional(call, expression.span())),
            "string" | "number" | "bool" | "any" => {
                return self.fail(help::takes_no_argument(call, expression.span()));
            }
            "list" | "set" | "map" | "tuple" | "object" => {}
            name => return self.fail(help::no_such_constructor(name, expression)),
        }
        let mut arguments = call.arguments();
        let argument = match (arguments.next(), arguments.next()) {
            (Some(only), None) => only,
            (None, _) => return self.fail(help::missing_argument(call)),
            (Some(_), Some(extra)) => {
                let last = arguments.last().unwrap_or(extra);
                return self.fail(help::extra_argument(call, extra.span().join(last.span())));
            }
        };
        match &*name {
            "list" => self.collection(argument, CollectionKind::List),
            "set" => self.collection(argument, CollectionKind::Set),
            "map" => self.collection(argument, CollectionKind::Map),
            "tuple" => self.tuple(argument),
            _ => self.object(argument),
        }
    }

    fn collection(&mut self, element: ast::ExpressionNode<'_>, kind: CollectionKind) -> ReadType {
        let ReadType { ty, level } = self.ty(element);
        ReadType { ty: kind.of(ty), level: level.map(|level| self.level(Vec::new(), Parts::Each(level))) }
    }

    fn tuple(&mut self, argument: ast::ExpressionNode<'_>) -> ReadType {
        let Ok(elements) = argument.static_list() else {
            return self.fail(help::no_list_of_types(argument));
        };
        let read_types: Vec<ReadType> = elements.into_iter().map(|element| self.ty(element)).collect();
        let positions: Vec<Option<usize>> = read_types.iter().map(|read_types| read_types.level).collect();
        let level = match positions.iter().any(Option::is_some) {
            true => Some(self.level(Vec::new(), Parts::Positions(positions))),
            false => None,
        };
        ReadType { ty: Type::tuple(read_types.into_iter().map(|read_types| read_types.ty)), level }
    }

    fn object(&mut self, argument: ast::ExpressionNode<'_>) -> ReadType {
        let ast::ExpressionKind::Object(object) = argument.kind() else {
            return self.fail(help::no_map_of_types(argument));
        };
        let mut known: BTreeMap<Text, Span> = BTreeMap::new();
        let mut attributes = Vec::new();
        let mut values = Vec::new();
        let mut levels = BTreeMap::new();
        for element in object.elements() {
            let name = match element.key() {
                ObjectKey::Name(name) => name,
                ObjectKey::Expression(key) => {
                    self.report(help::no_attribute_name(key));
                    continue;
                }
            };
            let (name, span) = (name.text(), name.span());
            // Two spellings of one name are the same attribute.
            let normal = normalized(name);
            if let Some(first) = known.insert(normal.clone(), span) {
                self.report(help::duplicate_attribute(name, span, first));
                continue;
            }
            let FoundAttribute { found, default, optional } = self.attribute(element.value());
            if let Some(level) = found.level {
                levels.insert(normal.to_string(), level);
            }
            if let Some(default) = default {
                let complete = match found.level {
                    Some(level) => defaults::apply(&self.levels, level, &default, self.account),
                    None => default,
                };
                values.push((normal.to_string(), complete));
            }
            attributes.push(match optional {
                true => AttributeType::optional(name, found.ty),
                false => AttributeType::required(name, found.ty),
            });
        }
        let level = match (values.is_empty(), levels.is_empty()) {
            (true, true) => None,
            (false, true) => Some(self.level(values, Parts::None)),
            (_, false) => Some(self.level(values, Parts::Names(levels))),
        };
        ReadType { ty: Type::object_with(attributes), level }
    }

    /// The type of an attribute, perhaps within `optional`.
    fn attribute(&mut self, expression: ast::ExpressionNode<'_>) -> FoundAttribute {
        let optional = match expression.static_call() {
            Ok(call) if call.name() == "optional" => call,
            _ => return FoundAttribute { found: self.ty(expression), default: None, optional: false },
        };
        let arguments: Vec<ast::ExpressionNode<'_>> = optional.arguments().collect();
        let most = if self.wanted == Wanted::Defaults { 2 } else { 1 };
        let well_formed = match self.wanted {
            _ if arguments.is_empty() => Err(help::missing_argument(optional)),
            Wanted::Exact => Err(help::optional_in_exact_type(optional)),
            _ if arguments.len() > most => Err(help::extra_in_optional(optional, most)),
            _ => Ok(()),
        };
        let is_well_formed = well_formed.is_ok();
        if let Err(problem) = well_formed {
            self.report(problem);
        }
        let found = match arguments.first() {
            Some(&ty) => self.ty(ty),
            None => ReadType::plain(Type::Dynamic),
        };
        let default = arguments.get(1).filter(|_| is_well_formed);
        let default = default.and_then(|default| self.default(*default, &found.ty));
        FoundAttribute { found, default, optional: true }
    }

    /// Returns the value of a default, converted to the type of its attribute.
    fn default(&mut self, expression: ast::ExpressionNode<'_>, ty: &Type) -> Option<Value> {
        let value = match LazyArgument::of_expression(expression, &Scope::new().within(self.account)).evaluate() {
            Ok(value) => value,
            Err(diagnostics) => {
                self.problems.extend(diagnostics.into_iter().map(help::constant_default));
                return None;
            }
        };
        let height = value.height().max(ty.height());
        let converted = stack::with_room_for(height, || value.convert_within(ty, self.account));
        converted.map_err(|why| self.report(help::unsuitable_default(expression, ty, &why.to_string()))).ok()
    }

    /// Adds a level; its index.
    fn level(&mut self, values: Vec<(String, Value)>, parts: Parts) -> usize {
        self.levels.push(Level { values, parts });
        self.levels.len() - 1
    }
}

struct FoundAttribute {
    found: ReadType,
    default: Option<Value>,
    optional: bool,
}
