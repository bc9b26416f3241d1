//! Judges the known parts of values by types.

use super::{Judge, Judgement, Problem};
use crate::schema::check::shape::Shape;
use crate::schema::check::{format, words};
use crate::schema::model::{Range, Type};
use hcl_lr::model::{self, Number};
use hcl_lr::source::Span;

impl<'c> Judge<'c> {
    pub(super) fn shape(&self, ty: &Type, span: Span, shape: Shape<'_>, depth: u32) -> Judgement {
        match &shape {
            Shape::Unknown | Shape::Null => return Judgement::Unknown,
            Shape::Either(a, b) => {
                // The value is one of the two, so it is wrong only if both are.
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
                // Values are converted, so `"1"` is as good as `1`.
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
                Shape::List(elements) => self.all(elements.iter().map(|value| self.within(element, value, depth + 1))),
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
                Shape::Object(entries) => {
                    self.all(entries.iter().map(|(_, value)| self.within(element, value, depth + 1)))
                }
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
}
