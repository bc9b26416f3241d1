//! Judges expressions by types.

mod objects;
mod problem;
mod values;
mod written;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Checker;
use super::shape::{Expr, Shape};
use super::words;
use crate::schema::facts::Facts;
use crate::schema::index::SchemaIndex;
use crate::schema::model::{Check, Deprecated, Type};
use hcl_lr::body::Expression;
use hcl_lr::source::{Place, Span};
use hcl_lr::stack;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::similar_name;

pub(super) use problem::rule;
pub use problem::{Judgement, Problem};

/// The maximum depth of values and types to judge.
const MAX_DEPTH: u32 = 100;

/// Judges values in the files of a program.
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub struct Judge<'c> {
    pub checker: &'c Checker,
    pub facts: &'c Facts,
    state: Mutex<State>,
}

/// The state while judging a value.
#[derive(Default)]
struct State {
    /// Judgements by alternatives, with the parts that they met, by the address of the type and by the place and depth
    /// of the expression. With alternatives such as `one_of(list(t), set(t))`, a recursive type meets the same
    /// expression many times.
    known: HashMap<(usize, Span, u32), (Judgement, Vec<MetPart>)>,
    /// The parts of the value for which the schema has more than a type, from the alternatives that fit.
    met: Vec<MetPart>,
}

/// An attribute or block in an object, with its settings in the schema other than the type.
#[derive(Clone)]
pub struct MetPart {
    pub name: String,
    pub span: Span,
    pub sensitive: bool,
    pub since: Option<String>,
    pub until: Option<String>,
    pub deprecated: Option<Deprecated>,
    /// Conditions on the value, and the value.
    pub checks: Option<(Vec<Check>, Expression)>,
    /// The place in the schema.
    pub place: Place,
}

#[allow(missing_docs, reason = "public for the packages of this workspace only")]
impl<'c> Judge<'c> {
    pub fn new(checker: &'c Checker, facts: &'c Facts) -> Judge<'c> {
        Judge { checker, facts, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the parts met since the last call for which the schema has more than a type.
    pub fn take_met(&self) -> Vec<MetPart> {
        std::mem::take(&mut self.state().met)
    }

    /// Records a part of a value if the schema has more for it than a type.
    fn note(&self, part: MetPart) {
        let MetPart { sensitive, since, until, deprecated, checks, .. } = &part;
        if *sensitive || since.is_some() || until.is_some() || deprecated.is_some() || checks.is_some() {
            self.state().met.push(part);
        }
    }

    fn index(&self) -> &'c SchemaIndex {
        self.checker.index()
    }

    /// Judges an expression.
    pub fn judge(&self, ty: &Type, expression: &Expr<'_>) -> Judgement {
        *self.state() = State::default();
        match ty {
            Type::Any | Type::Expression | Type::TypedBy(_) => Judgement::Right,
            _ => self.within(ty, expression, 0),
        }
    }

    /// Returns true if an expression certainly has a value other than null.
    pub fn is_set(&self, expression: &Expr<'_>) -> bool {
        !matches!(expression.shape(self), Shape::Null | Shape::Unknown | Shape::Either(..) | Shape::Some(_))
    }

    /// Returns the type that the value of another attribute denotes. `None` if there is no such attribute, or its
    /// value is not a type.
    pub fn typed_by(&self, other: Option<Expr<'_>>) -> Option<Type> {
        let constraint = hcl_lr::type_expr::read_constraint(&other?.handle()).ok()?;
        Some(Type::of_values(constraint.ty()))
    }

    fn within(&self, ty: &Type, expression: &Expr<'_>, depth: u32) -> Judgement {
        if depth > MAX_DEPTH {
            return Judgement::Unknown;
        }
        let ty = self.index().resolve(ty);
        match ty {
            Type::Any | Type::Expression => Judgement::Right,
            Type::OneOf(types) if types.iter().all(|ty| matches!(ty, Type::Literal(_))) => {
                self.one_of(ty, types, expression, depth)
            }
            Type::OneOf(types) => {
                let key = (std::ptr::from_ref(ty).addr(), expression.span(), depth);
                let known = self.state().known.get(&key).cloned();
                if let Some((judgement, met)) = known {
                    self.state().met.extend(met);
                    return judgement;
                }
                let before = self.state().met.len();
                let judgement = stack::with_room(|| self.one_of(ty, types, expression, depth));
                let mut state = self.state();
                let met = state.met[before..].to_vec();
                state.known.insert(key, (judgement.clone(), met));
                judgement
            }
            Type::Keyword(allowed) => self.keyword(ty, allowed, expression, depth),
            Type::Reference(kinds) | Type::Address(kinds) => self.reference(ty, kinds, expression, depth),
            Type::Path => self.reference(ty, &[], expression, depth),
            Type::TypeExpression => self.type_expression(expression, depth),
            Type::List(element) | Type::Set(element) | Type::Map(element)
                if self.is_apart(element) && Judge::is_name(expression) =>
            {
                let detail =
                    format!("{} is required here, and it must be written out", words::wanted(ty, self.index()));
                let mut problem = Problem::new(expression.span(), detail, depth);
                if !matches!(ty, Type::Map(_)) {
                    problem.help = Some(format!("write `[{}]`", expression.handle().source_text()));
                }
                Judgement::Wrong(vec![problem])
            }
            _ => {
                let shape = expression.shape(self);
                stack::with_room(|| self.shape(ty, expression.span(), shape, depth))
            }
        }
    }

    /// Returns true if values of a type, or of one of its alternatives, are words, references or addresses.
    fn is_apart(&self, ty: &Type) -> bool {
        match self.index().resolve(ty) {
            Type::OneOf(types) => types.iter().any(|ty| self.index().resolve(ty).is_static()),
            ty => ty.is_static(),
        }
    }

    /// Returns true if an expression in native syntax is a name, such as `a.b`: a collection of what is not evaluated
    /// cannot have one.
    fn is_name(expression: &Expr<'_>) -> bool {
        matches!(expression, Expr::Node(node) if matches!(node.kind(), ExpressionKind::Traversal(_)))
    }

    /// Returns true if an expression has a value of a type only after a conversion, or is a word or reference in quotes.
    pub(super) fn is_inexact(&self, ty: &Type, expression: &Expr<'_>) -> bool {
        let ty = self.index().resolve(ty);
        if let (Expr::Node(node), true) = (expression, self.is_apart(ty) && !matches!(ty, Type::List(_) | Type::Set(_)))
        {
            return matches!(node.kind(), ExpressionKind::Template(_));
        }
        match (expression.shape(self), ty) {
            (Shape::List(elements), Type::List(element) | Type::Set(element)) => {
                stack::with_room(|| elements.iter().any(|one| self.is_inexact(element, one)))
            }
            (shape @ (Shape::Text(_) | Shape::Number(_) | Shape::Bool(_)), ty) => !self.has_kind(ty, &shape),
            _ => false,
        }
    }

    /// Returns true if a type has values of the kind of a known value: strings, numbers or bools.
    fn has_kind(&self, ty: &Type, shape: &Shape<'_>) -> bool {
        match (self.index().resolve(ty), shape) {
            (Type::OneOf(types), _) => types.iter().any(|ty| stack::with_room(|| self.has_kind(ty, shape))),
            (Type::Literal(value), Shape::Text(_)) => value.as_str().is_some(),
            (Type::Literal(value), Shape::Number(_)) => value.as_number().is_some(),
            (Type::Literal(value), _) => value.as_bool().is_some(),
            (Type::Number(_) | Type::Integer(_), shape) => matches!(shape, Shape::Number(_)),
            (Type::Bool, shape) => matches!(shape, Shape::Bool(_)),
            (Type::String | Type::Format(_) | Type::Name(_) | Type::Catalog(_), shape) => {
                matches!(shape, Shape::Text(_))
            }
            _ => true,
        }
    }

    /// Returns the problem of a value that is not [exactly](Self::is_inexact) of a type.
    pub(super) fn inexact(&self, ty: &Type, expression: &Expr<'_>) -> Judgement {
        let shape = expression.shape(self);
        if let (Expr::Node(_), Shape::Text(text)) = (expression, &shape)
            && self.is_apart(ty)
        {
            let detail = format!("quotes are not allowed here: {} is required", words::wanted(ty, self.index()));
            let mut problem = Problem::new(expression.span(), detail, 0);
            problem.help = Some(format!("write `{text}`"));
            return Judgement::Wrong(vec![problem]);
        }
        self.wrong(ty, expression.span(), &shape, 0)
    }

    /// Judges a text, such as a label.
    pub fn text(&self, ty: &Type, text: &str, span: Span) -> Judgement {
        let ty = self.index().resolve(ty);
        match ty {
            Type::Any | Type::Expression => Judgement::Right,
            Type::OneOf(types) => {
                let mut known = true;
                for ty in types {
                    match self.text(ty, text, span) {
                        Judgement::Right => return Judgement::Right,
                        Judgement::Unknown => known = false,
                        Judgement::Wrong(_) => {}
                    }
                }
                match known {
                    true => self.wrong(ty, span, &Shape::Text(Cow::Borrowed(text)), 0),
                    false => Judgement::Unknown,
                }
            }
            Type::Keyword(allowed) => match allowed.is_empty() || allowed.iter().any(|word| word == text) {
                true => Judgement::Right,
                false => self.wrong(ty, span, &Shape::Text(Cow::Borrowed(text)), 0),
            },
            _ => self.shape(ty, span, Shape::Text(Cow::Borrowed(text)), 0),
        }
    }

    fn one_of(&self, ty: &Type, types: &[Type], expression: &Expr<'_>, depth: u32) -> Judgement {
        let mut known = true;
        let mut deepest: Vec<Problem> = Vec::new();
        let mut several = false;
        let before = self.state().met.len();
        for ty in types {
            let judgement = self.within(ty, expression, depth);
            if !matches!(judgement, Judgement::Right) {
                self.state().met.truncate(before);
            }
            match judgement {
                Judgement::Right => return Judgement::Right,
                Judgement::Unknown => known = false,
                Judgement::Wrong(problems) => {
                    let level = |problems: &[Problem]| problems.iter().map(|problem| problem.depth).max().unwrap_or(0);
                    let (new, old) = (level(&problems), level(&deepest));
                    several |= new > depth && new == old;
                    if deepest.is_empty() || new > old {
                        deepest = problems;
                    }
                }
            }
        }
        if !known {
            return Judgement::Unknown;
        }
        // An error within a list or object is more precise than "no alternative fits".
        if !several && deepest.iter().any(|problem| problem.depth > depth) {
            return Judgement::Wrong(deepest);
        }
        self.wrong(ty, expression.span(), &expression.shape(self), depth)
    }

    fn all(&self, judgements: impl Iterator<Item = Judgement>) -> Judgement {
        let (mut known, mut problems) = (true, Vec::new());
        for judgement in judgements {
            match judgement {
                Judgement::Right => {}
                Judgement::Unknown => known = false,
                Judgement::Wrong(more) => problems.extend(more),
            }
        }
        match (problems.is_empty(), known) {
            (false, _) => Judgement::Wrong(problems),
            (true, true) => Judgement::Right,
            (true, false) => Judgement::Unknown,
        }
    }

    fn wrong(&self, ty: &Type, span: Span, shape: &Shape<'_>, depth: u32) -> Judgement {
        let wanted = words::wanted(ty, self.index());
        let mut problem = Problem::new(span, String::new(), depth);
        let text = match shape {
            Shape::Text(text) if text.len() < 100 => Some(text),
            _ => None,
        };
        let mut words = Vec::new();
        self.words_of(ty, &mut HashSet::new(), &mut words);
        problem.detail = match text {
            Some(text) if !words.is_empty() => format!("\"{text}\" cannot be used here: {wanted} is required"),
            _ => format!("{wanted} is required here, not {}", words::given(shape)),
        };
        if let Some(text) = text {
            let meant = similar_name(text, words.iter().copied());
            problem.meant = meant.map(|meant| (text.to_string(), meant.to_owned()));
        }
        Judgement::Wrong(vec![problem])
    }

    /// Collects the texts that a type lists. `seen` has the addresses of the types visited so far.
    fn words_of<'t>(&'t self, ty: &'t Type, seen: &mut HashSet<usize>, found: &mut Vec<&'t str>) {
        let ty = self.index().resolve(ty);
        if !seen.insert(std::ptr::from_ref(ty).addr()) {
            return;
        }
        match ty {
            Type::Literal(value) => found.extend(value.as_str()),
            Type::Keyword(words) => found.extend(words.iter().map(String::as_str)),
            Type::OneOf(types) => types.iter().for_each(|ty| stack::with_room(|| self.words_of(ty, seen, found))),
            Type::Format(_) => found.push(""),
            _ => {}
        }
    }
}
