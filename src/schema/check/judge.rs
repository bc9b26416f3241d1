//! Types against expressions.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Checker;
use super::reference::Step;
use super::shape::{Expr, Key, Shape};
use super::{format, words};
use crate::diagnostic::{Code, Finding};
use crate::model::{self, Number};
use crate::schema::facts::Facts;
use crate::schema::index::{Layers, SchemaIndex};
use crate::schema::model::{Block, ObjectType, Range, RuleKind, Type};
use crate::source::Span;
use crate::stack;
use crate::syntax::ast::{AccessStep, ExpressionKind};
use crate::syntax::{TraversalStep, similar_name};

/// The result of a check.
#[derive(Clone)]
pub(in crate::schema) enum Judgement {
    Right,
    Unknown,
    Wrong(Vec<Problem>),
}

/// Something that is wrong with a value.
#[derive(Clone)]
pub(in crate::schema) struct Problem {
    pub code: Code,
    pub span: Span,
    pub detail: String,
    pub help: Option<String>,
    /// The text that is written, and the one that was probably meant.
    pub meant: Option<(String, String)>,
    /// The number of collections around it: of several alternatives, the deepest problem says most.
    depth: u32,
}

impl Problem {
    fn new(span: Span, detail: String, depth: u32) -> Problem {
        Problem { code: Code::InvalidArgumentValue, span, detail, help: None, meant: None, depth }
    }

    pub fn finding(self) -> Finding {
        let finding = Finding::error(self.code, self.span, self.detail);
        let finding = match self.help {
            Some(help) => finding.with_help(help),
            None => finding,
        };
        match self.meant {
            Some((written, meant)) => finding.with_meant(&written, self.span, &meant),
            None => finding,
        }
    }
}

/// The values and types that are too deep to be looked at.
const MAX_DEPTH: u32 = 100;

/// Judges values of files of a program.
pub(in crate::schema) struct Judge<'c> {
    pub checker: &'c Checker,
    pub facts: &'c Facts,
    /// The judgements of parts of the value that is judged.
    known: Mutex<Known>,
}

/// Judgements by alternatives, by the address of the type, and the place and the depth of the expression: in alternatives
/// such as `one_of(list(t), set(t))`, a type in itself comes again and again to the same expression.
type Known = HashMap<(usize, Span, u32), Judgement>;

impl<'c> Judge<'c> {
    pub fn new(checker: &'c Checker, facts: &'c Facts) -> Judge<'c> {
        Judge { checker, facts, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn index(&self) -> &'c SchemaIndex {
        self.checker.index()
    }

    /// Judges an expression.
    pub fn judge(&self, ty: &Type, expression: &Expr<'_>) -> Judgement {
        self.known().clear();
        match ty {
            Type::Any | Type::Expression | Type::TypedBy(_) => Judgement::Right,
            _ => self.within(ty, expression, 0),
        }
    }

    /// Returns true if an expression surely has a value other than null.
    pub fn is_set(&self, expression: &Expr<'_>) -> bool {
        !matches!(expression.shape(self), Shape::Null | Shape::Unknown | Shape::Either(..) | Shape::Some(_))
    }

    /// The type that the value of another attribute is. None if there is no such attribute, or its value is no type.
    pub fn typed_by(&self, other: Option<Expr<'_>>) -> Option<Type> {
        let constraint = crate::type_expr::read_constraint(&other?.handle()).ok()?;
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
                let known = self.known().get(&key).cloned();
                known.unwrap_or_else(|| {
                    let judgement = stack::with_room(|| self.one_of(ty, types, expression, depth));
                    self.known().insert(key, judgement.clone());
                    judgement
                })
            }
            Type::Keyword(allowed) => self.keyword(ty, allowed, expression, depth),
            Type::Reference(kinds) | Type::Address(kinds) => self.reference(ty, kinds, expression, depth),
            Type::Path => self.reference(ty, &[], expression, depth),
            Type::TypeExpression => self.type_expression(expression, depth),
            _ => {
                let shape = expression.shape(self);
                stack::with_room(|| self.shape(ty, expression.span(), shape, depth))
            }
        }
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
        for ty in types {
            match self.within(ty, expression, depth) {
                Judgement::Right => return Judgement::Right,
                Judgement::Unknown => known = false,
                Judgement::Wrong(problems) => {
                    let level = |problems: &[Problem]| problems.iter().map(|one| one.depth).max().unwrap_or(0);
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

    /// The texts that a type lists. `seen` has the addresses of the types that were looked at.
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

    /// Judges an expression that is read as it is written.
    fn keyword(&self, ty: &Type, allowed: &[String], expression: &Expr<'_>, depth: u32) -> Judgement {
        let word: Option<Cow<'_, str>> = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Traversal(traversal) if traversal.as_variable().is_some() => {
                    traversal.as_variable().map(Cow::Borrowed)
                }
                // A word in quotes is one for most programs, too.
                ExpressionKind::Template(template) => template.as_text(),
                // Such as `refresh-only`, which is a name, or `true`.
                ExpressionKind::Bool(_) | ExpressionKind::Null => Some(Cow::Borrowed(node.text())),
                _ => None,
            },
            Expr::Handle(expression) => expression.keyword().map(Cow::Owned),
        };
        match word {
            Some(word) if allowed.is_empty() || allowed.iter().any(|one| *one == *word) => Judgement::Right,
            Some(word) => {
                let detail = format!("`{word}` cannot be used here: {} is required", words::wanted(ty, self.index()));
                let mut problem = Problem::new(expression.span(), detail, depth);
                let meant = similar_name(&word, allowed.iter().map(String::as_str));
                problem.meant = meant.map(|meant| (word.to_string(), meant.to_owned()));
                Judgement::Wrong(vec![problem])
            }
            None => {
                let detail = format!("{} is required here", words::wanted(ty, self.index()));
                Judgement::Wrong(vec![Problem::new(expression.span(), detail, depth)])
            }
        }
    }

    /// Judges a reference, address or path. In quotes, it is one for most programs, too.
    fn reference(&self, ty: &Type, kinds: &[String], expression: &Expr<'_>, depth: u32) -> Judgement {
        let other = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Traversal(traversal) => {
                    let steps: Vec<Step<'_>> = traversal.steps().map(step_of_node).collect();
                    self.wrong_kind(ty, traversal.root().text(), &steps, kinds)
                }
                ExpressionKind::Template(template) if template.as_text().is_some() => return Judgement::Unknown,
                // Indexes that are computed, and other languages' ways to write an address.
                ExpressionKind::Index(_)
                | ExpressionKind::RelativeTraversal(_)
                | ExpressionKind::Splat(_)
                | ExpressionKind::Template(_)
                | ExpressionKind::Error(_) => return Judgement::Unknown,
                ExpressionKind::Parentheses(inner) => {
                    return stack::with_room(|| self.reference(ty, kinds, &Expr::Node(inner.inner()), depth));
                }
                ExpressionKind::Null => return Judgement::Unknown,
                _ => {
                    let detail = format!("{} is required here", words::wanted(ty, self.index()));
                    return Judgement::Wrong(vec![Problem::new(expression.span(), detail, depth)]);
                }
            },
            Expr::Handle(expression) => match expression.static_traversal() {
                Ok(traversal) => {
                    let steps: Vec<Step<'_>> = traversal.steps().into_iter().map(step_of).collect();
                    self.wrong_kind(ty, traversal.root(), &steps, kinds)
                }
                // A string may be an address in another language's way.
                Err(_) => match Expr::Handle(expression.clone()).shape(self) {
                    Shape::Number(_) | Shape::Bool(_) | Shape::List(_) | Shape::Object(_) => {
                        let detail = format!("{} is required here", words::wanted(ty, self.index()));
                        return Judgement::Wrong(vec![Problem::new(expression.place().span(), detail, depth)]);
                    }
                    _ => return Judgement::Unknown,
                },
            },
        };
        match other {
            Some(other) => {
                let wanted = words::alternatives(kinds);
                let detail = format!(
                    "this refers to a definition of the kind {other}, and one of the kind {wanted} is required"
                );
                let problem = Problem { code: Code::WrongReference, ..Problem::new(expression.span(), detail, depth) };
                Judgement::Wrong(vec![problem])
            }
            None => Judgement::Right,
        }
    }

    /// The kind that a reference is surely to, if it is none of those that are wanted.
    fn wrong_kind(&self, ty: &Type, root: &str, steps: &[Step<'_>], wanted: &[String]) -> Option<&'c str> {
        self.checker.kinds.other_kind(root, steps, wanted, matches!(ty, Type::Address(_)))
    }

    fn type_expression(&self, expression: &Expr<'_>, depth: u32) -> Judgement {
        // Older files have these types in quotes, and collections without the type of their elements.
        const OLD: &[&str] = &["string", "number", "bool", "list", "map", "set", "any", "object", "tuple"];
        let handle = expression.handle();
        let old = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Template(template) => template.as_text(),
                ExpressionKind::Traversal(traversal) => traversal.as_variable().map(Cow::Borrowed),
                _ => None,
            },
            Expr::Handle(expression) => expression.keyword().map(Cow::Owned),
        };
        if old.is_some_and(|word| OLD.contains(&&*word)) {
            return Judgement::Right;
        }
        match crate::type_expr::read_constraint(&handle) {
            Ok(_) => Judgement::Right,
            Err(problems) => {
                let problems = problems.iter().map(|one| {
                    let problem = Problem::new(one.span(), one.detail().to_owned(), depth);
                    Problem { code: one.code().clone(), help: one.help().map(str::to_owned), ..problem }
                });
                Judgement::Wrong(problems.collect())
            }
        }
    }

    fn shape(&self, ty: &Type, span: Span, shape: Shape<'_>, depth: u32) -> Judgement {
        match &shape {
            Shape::Unknown | Shape::Null => return Judgement::Unknown,
            Shape::Either(a, b) => {
                // One of the two is the value, so only if both are wrong it is.
                return match (self.within(ty, a, depth + 1), self.within(ty, b, depth + 1)) {
                    (Judgement::Right, Judgement::Right) => Judgement::Right,
                    (Judgement::Wrong(problems), Judgement::Wrong(_)) => Judgement::Wrong(problems),
                    _ => Judgement::Unknown,
                };
            }
            Shape::Some(known) => return self.static_type(ty, known, span, &shape, depth),
            _ => {}
        }
        match ty {
            Type::String => match shape {
                Shape::Text(_) | Shape::Number(_) | Shape::Bool(_) => Judgement::Right,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Number(range) => self.number(ty, range, false, span, &shape, depth),
            Type::Integer(range) => self.number(ty, range, true, span, &shape, depth),
            Type::Bool => match &shape {
                Shape::Bool(_) => Judgement::Right,
                Shape::Text(text) if ["true", "false", "1", "0"].contains(&&**text) => Judgement::Right,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Literal(value) => {
                let is_same = match &shape {
                    Shape::Text(text) => value.as_str() == Some(text),
                    Shape::Bool(given) => value.as_bool() == Some(*given),
                    Shape::Number(number) => value.as_number() == Some(number),
                    _ => false,
                };
                // Values are converted, so `"1"` is as right as `1`.
                let text = match &shape {
                    Shape::Text(text) => Some(text.to_string()),
                    Shape::Number(number) => Some(number.to_string()),
                    Shape::Bool(given) => Some(given.to_string()),
                    _ => None,
                };
                let as_text = value.as_str().map(str::to_owned).or_else(|| value.as_number().map(Number::to_string));
                let as_text = as_text.or_else(|| value.as_bool().map(|value| value.to_string()));
                match is_same || text.is_some() && text == as_text {
                    true => Judgement::Right,
                    false => self.wrong(ty, span, &shape, depth),
                }
            }
            Type::Format(format) => match &shape {
                Shape::Text(text) if format::is_wrong(*format, text) => self.wrong(ty, span, &shape, depth),
                Shape::Text(_) => Judgement::Right,
                Shape::Number(number) if format::is_wrong(*format, &number.to_string()) => {
                    self.wrong(ty, span, &shape, depth)
                }
                Shape::Number(_) | Shape::Bool(_) => Judgement::Unknown,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Name(_) | Type::Catalog(_) => match shape {
                Shape::Text(_) | Shape::Number(_) | Shape::Bool(_) => Judgement::Right,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::List(element) | Type::Set(element) => match shape {
                Shape::List(elements) => self.all(elements.iter().map(|one| self.within(element, one, depth + 1))),
                Shape::Sequence => Judgement::Unknown,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Tuple(types) => match shape {
                Shape::List(elements) if elements.len() == types.len() => {
                    self.all(elements.iter().zip(types).map(|(one, ty)| self.within(ty, one, depth + 1)))
                }
                Shape::Sequence => Judgement::Unknown,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Map(element) => match shape {
                Shape::Object(entries) => self.all(entries.iter().map(|(_, one)| self.within(element, one, depth + 1))),
                Shape::Entries => Judgement::Unknown,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Object(object) => match shape {
                Shape::Object(entries) => self.object(object, &entries, span, depth),
                Shape::Entries => Judgement::Unknown,
                _ => self.wrong(ty, span, &shape, depth),
            },
            Type::Part(name) => match (shape, self.index().part(name)) {
                (Shape::Object(entries), Some(layers)) => self.part(&layers, &entries, span, depth),
                (Shape::Entries, _) | (_, None) => Judgement::Unknown,
                (shape, _) => self.wrong(ty, span, &shape, depth),
            },
            _ => Judgement::Unknown,
        }
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

    fn number(&self, ty: &Type, range: &Range, whole: bool, span: Span, shape: &Shape<'_>, depth: u32) -> Judgement {
        let number = match shape {
            Shape::Number(number) => Some(number.clone()),
            Shape::Text(text) => Number::parse(text).ok(),
            _ => None,
        };
        let is_right = |number: &Number| range.contains(number) && (!whole || number.is_whole());
        match number {
            Some(number) if is_right(&number) => Judgement::Right,
            Some(number) => {
                let detail = format!("{} is required here, and this is {number}", words::wanted(ty, self.index()));
                Judgement::Wrong(vec![Problem::new(span, detail, depth)])
            }
            None => self.wrong(ty, span, shape, depth),
        }
    }

    /// Judges a value of which only the type is known.
    fn static_type(&self, ty: &Type, known: &model::Type, span: Span, shape: &Shape<'_>, depth: u32) -> Judgement {
        use model::Type as Known;
        let primitive = matches!(known, Known::String | Known::Number | Known::Bool);
        let sequence = matches!(known, Known::List(_) | Known::Set(_) | Known::Tuple(_));
        let entries = matches!(known, Known::Map(_) | Known::Object(_));
        if !primitive && !sequence && !entries {
            return Judgement::Unknown;
        }
        let wrong = match ty {
            Type::Bool => !matches!(known, Known::Bool | Known::String),
            Type::Number(_) | Type::Integer(_) => !matches!(known, Known::Number | Known::String),
            Type::String | Type::Literal(_) | Type::Format(_) | Type::Name(_) | Type::Catalog(_) => !primitive,
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => !sequence,
            Type::Map(_) | Type::Object(_) | Type::Part(_) => !entries,
            _ => false,
        };
        match (wrong, ty) {
            (true, _) => self.wrong(ty, span, shape, depth),
            (false, Type::String) => Judgement::Right,
            (false, _) => Judgement::Unknown,
        }
    }

    fn object(&self, object: &ObjectType, entries: &[(Key<'_>, Expr<'_>)], span: Span, depth: u32) -> Judgement {
        let mut problems = Vec::new();
        let mut known = true;
        for (key, value) in entries {
            let Some(name) = &key.name else {
                known = false;
                continue;
            };
            let attribute = object.attribute(name);
            if attribute.is_some_and(|attribute| attribute.read_only) && self.is_set(value) {
                let detail = format!("\"{name}\" cannot be set here");
                let problem = Problem::new(key.span, detail, depth + 1);
                problems.push(Problem { code: Code::ReadOnlyArgument, help: Some("remove it".to_owned()), ..problem });
                continue;
            }
            let ty = attribute.map(|attribute| &attribute.ty).or(object.others.as_ref());
            let Some(ty) = ty else {
                if object.drops_others {
                    continue;
                }
                let names = object.attributes.iter().map(|attribute| attribute.name.as_str());
                problems.push(unsupported(name, key.span, names, depth));
                continue;
            };
            match self.within(ty, value, depth + 1) {
                Judgement::Right => {}
                Judgement::Unknown => known = false,
                Judgement::Wrong(more) => problems.extend(more),
            }
        }
        let has = |name: &str| entries.iter().any(|(key, _)| key.name.as_deref() == Some(name));
        let all_keys = entries.iter().all(|(key, _)| key.name.is_some());
        for attribute in object.attributes.iter().filter(|attribute| !attribute.optional && all_keys) {
            if !has(&attribute.name) {
                problems.push(missing(&attribute.name, span, depth));
            }
        }
        match (problems.is_empty(), known) {
            (false, _) => Judgement::Wrong(problems),
            (true, true) => Judgement::Right,
            (true, false) => Judgement::Unknown,
        }
    }

    /// Judges an object whose attributes are those of a part.
    fn part(&self, layers: &Layers<'_>, entries: &[(Key<'_>, Expr<'_>)], span: Span, depth: u32) -> Judgement {
        let find = |name: &str| entries.iter().find(|(key, _)| key.name.as_deref() == Some(name));
        let mut layers = layers.clone();
        for one in layers.matches().map(|one| one.key.clone()).collect::<Vec<_>>() {
            let value = match find(&one).map(|(_, value)| value.shape(self)) {
                Some(Shape::Text(text)) => Some(text.into_owned()),
                Some(Shape::Number(number)) => Some(number.to_string()),
                Some(Shape::Bool(value)) => Some(value.to_string()),
                Some(_) => None,
                None => layers.attribute(&one).and_then(|attribute| attribute.default_text()),
            };
            match value {
                Some(value) => layers = layers.with_case(&one, &value),
                None => layers.set_open(),
            }
        }
        self.entries(&layers, entries, span, depth)
    }

    /// Judges an object whose attributes are those of a body with its cases.
    pub fn entries(&self, layers: &Layers<'_>, entries: &[(Key<'_>, Expr<'_>)], span: Span, depth: u32) -> Judgement {
        let mut problems = Vec::new();
        let mut known = true;
        let find = |name: &str| entries.iter().find(|(key, _)| key.name.as_deref() == Some(name));
        for (key, value) in entries {
            let Some(name) = &key.name else {
                known = false;
                continue;
            };
            let block = layers.block(name);
            let judgement = match (layers.attribute(name), block, layers.free_attribute()) {
                (Some(attribute), ..) | (None, None, Some(attribute)) => self.within(&attribute.ty, value, depth + 1),
                (None, Some((block, inner)), _) => self.nested(block, &inner, value, depth + 1),
                (None, None, None) if layers.is_open() => Judgement::Unknown,
                (None, None, None) => {
                    let names = layers.attributes().map(|attribute| attribute.name.as_str());
                    Judgement::Wrong(vec![unsupported(name, key.span, names, depth)])
                }
            };
            match judgement {
                Judgement::Right => {}
                Judgement::Unknown => known = false,
                Judgement::Wrong(more) => problems.extend(more),
            }
        }
        if entries.iter().all(|(key, _)| key.name.is_some()) {
            for attribute in layers.attributes().filter(|attribute| attribute.required) {
                if find(&attribute.name).is_none() {
                    problems.push(missing(&attribute.name, span, depth));
                }
            }
            for (kind, names) in layers.rules() {
                let there = names.iter().filter(|name| find(name).is_some()).count();
                if let Some(detail) = rule(kind, names, there) {
                    let problem = Problem::new(span, detail, depth + 1);
                    problems.push(Problem { code: Code::ConflictingArguments, ..problem });
                }
            }
        }
        match (problems.is_empty(), known) {
            (false, _) => Judgement::Wrong(problems),
            (true, true) => Judgement::Right,
            (true, false) => Judgement::Unknown,
        }
    }

    /// Judges blocks that are written as an object, or a list of objects, in an object.
    fn nested(&self, block: &Block, inner: &Layers<'_>, value: &Expr<'_>, depth: u32) -> Judgement {
        if depth > MAX_DEPTH || !block.labels.is_empty() {
            return Judgement::Unknown;
        }
        stack::with_room(|| match value.shape(self) {
            Shape::Object(entries) => self.part(inner, &entries, value.span(), depth),
            Shape::List(elements) => self.all(elements.iter().map(|one| self.nested(block, inner, one, depth + 1))),
            _ => Judgement::Unknown,
        })
    }
}

fn step_of_node<'t>(step: AccessStep<'t>) -> Step<'t> {
    match step {
        AccessStep::Attribute(name) => Step::Name(name.text()),
        _ => Step::Other,
    }
}

fn step_of<'t>(step: TraversalStep<'t>) -> Step<'t> {
    match step {
        TraversalStep::Attribute(name) => Step::Name(name.text()),
        _ => Step::Other,
    }
}

fn unsupported<'n>(name: &str, span: Span, names: impl Iterator<Item = &'n str>, depth: u32) -> Problem {
    let detail = format!("an attribute named \"{name}\" is not expected here");
    let meant = similar_name(name, names).map(|meant| (name.to_owned(), meant.to_owned()));
    Problem { code: Code::UnsupportedArgument, meant, ..Problem::new(span, detail, depth + 1) }
}

fn missing(name: &str, span: Span, depth: u32) -> Problem {
    let detail = format!("the attribute \"{name}\" is required in this object");
    Problem { code: Code::RequiredArgument, ..Problem::new(span, detail, depth + 1) }
}

/// The message about a rule that is broken, if so many of the names are there.
pub(super) fn rule(kind: RuleKind, names: &[String], there: usize) -> Option<String> {
    let listed = || {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    };
    match kind {
        RuleKind::ExactlyOne if there == 0 => Some(format!("one of {} is required here", listed())),
        RuleKind::ExactlyOne | RuleKind::AtMostOne if there > 1 => {
            Some(format!("only one of {} can be set here", listed()))
        }
        RuleKind::AtLeastOne if there == 0 => Some(format!("at least one of {} is required here", listed())),
        RuleKind::AllOrNone if there > 0 && there < names.len() => Some(format!("{} must be set together", listed())),
        _ => None,
    }
}
