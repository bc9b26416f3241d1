//! Options: input that is null, or not.

use ::serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_spanned::de::{SpannedDeserializer, is_spanned};

use super::error::{Error, Kind};
use super::input::Input;
use super::look::value_of;
use super::pass::De;
use super::{CONSTRAINT, EXPRESSION, NUMBER, TEMPLATE, TYPE, VALUE};
use crate::json::NodeKind;
use crate::syntax::ast::ExpressionKind;

impl<'de> De<'_, '_, 'de, '_> {
    /// Reads an option. Input that is evidently null, or not, is not evaluated.
    pub(super) fn option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Native(node) => match node.kind() {
                ExpressionKind::Null => return visitor.visit_none(),
                ExpressionKind::Number(_)
                | ExpressionKind::Bool(_)
                | ExpressionKind::Tuple(_)
                | ExpressionKind::Object(_)
                | ExpressionKind::Error(_) => return visitor.visit_some(self),
                ExpressionKind::Template(template) if template.is_plain() => return visitor.visit_some(self),
                _ => {}
            },
            Input::Json(json) => {
                if json.nodes().all(|node| matches!(node.kind(), NodeKind::Null)) {
                    return visitor.visit_none();
                }
                if !matches!(json.node.kind(), NodeKind::String(_)) || self.cx.literal_only {
                    return visitor.visit_some(self);
                }
            }
            Input::Text(..) => return visitor.visit_some(self),
            Input::Value(value, _) if value.is_null() && !value.is_marked() => return visitor.visit_none(),
            Input::Value(..) => return visitor.visit_some(self),
            _ => {}
        }
        match (self.pass, value_of) {
            // An expression that is not to be evaluated is null only if it is written so.
            (Some(pass), _) if !pass.is_evaluated.get() => visitor.visit_some(Unevaluated(self)).map_err(|error| {
                let is_evaluated = matches!(error.kind(), Kind::Reported);
                pass.is_evaluated.set(is_evaluated);
                if is_evaluated { Kind::Again.into() } else { error }
            }),
            (_, value_of) => match value_of(self.cx, self.input) {
                Some(Ok(value)) if value.is_null() && !value.is_marked() => visitor.visit_none(),
                // The option may contain a user's type for an expression, even if it cannot be evaluated.
                Some(outcome) => {
                    let input = Input::Evaluated(Box::new(self.input.clone()), outcome);
                    visitor.visit_some(De { input: &input, ..self })
                }
                None => visitor.visit_some(self),
            },
        }
    }
}

/// Input of an option that is not evaluated, for types that do not want its value; all others refuse it.
struct Unevaluated<'a, 'c, 'de, 't>(De<'a, 'c, 'de, 't>);

impl<'de> Deserializer<'de> for Unevaluated<'_, '_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::reported())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match name {
            EXPRESSION | TEMPLATE | TYPE | CONSTRAINT => self.0.deserialize_newtype_struct(name, visitor),
            VALUE | NUMBER => Err(Error::reported()),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if !is_spanned(name) {
            return Err(Error::reported());
        }
        let span = self.0.input.span();
        visitor.visit_map(SpannedDeserializer::new(self, span.range()))
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Unevaluated<'_, '_, 'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
