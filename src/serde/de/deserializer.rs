//! serde's side: what types ask for, and what they get.

use std::any::type_name;

use ::serde::de::value::StrDeserializer;
use ::serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_spanned::de::{SpannedDeserializer, is_spanned};

use super::access::{Elements, Named, Variant};
use super::by_schema;
use super::context::{Change, Context, TypeKey};
use super::error::Error;
use super::input::{BlockRef, Input, members};
use super::locate::stand_in;
use super::look::{Seen, look, value_of};
use super::parts::{Asking, at_of, parts};
use super::passed::{self, Passed};
use super::path::Path;
use super::words::{self, Wanted};
use super::{BLOCK, EXPRESSION, LABELED, LABELS, NUMBER, TEMPLATE, TYPE, VALUE};
use crate::body::{Expression, expression_of_json};
use crate::json::NodeKind;
use crate::model::{Number, Type, Value};
use crate::serde::Template;
use crate::serde::wrappers::wraps;

/// The input of a type, and its path.
#[derive(Clone, Copy)]
pub(super) struct De<'a, 'c, 't> {
    pub cx: &'a Context<'c>,
    pub input: &'a Input<'t>,
    pub path: &'a Path<'a>,
    /// The path at which errors end: to this belongs what is done differently when it is read again.
    pub home: &'a Path<'a>,
}

impl<'a, 'c, 't> De<'a, 'c, 't> {
    pub fn new(cx: &'a Context<'c>, input: &'a Input<'t>, path: &'a Path<'a>) -> Self {
        De { cx, input, path, home: path }
    }

    pub fn look(&self) -> Result<Seen<'t>, Error> {
        look(self.cx, self.input, self.path)
    }

    pub fn mismatch(&self, seen: &Seen<'_>, wanted: Wanted) -> Error {
        words::mismatch(seen, self.input, wanted, self.path).into()
    }

    /// A number, if it is one; a name or a label may say one, too.
    fn number(&self, wanted: Wanted) -> Result<Whole, Error> {
        match self.look()? {
            Seen::Small(number) => Ok(Whole::Small(number)),
            Seen::Number(number) => Ok(Whole::Number(number)),
            Seen::Text(text) if matches!(self.input, Input::Text(..)) => match Number::parse(&text) {
                Ok(number) => Ok(Whole::Number(number)),
                Err(_) => Err(self.mismatch(&Seen::Text(text), wanted)),
            },
            seen => Err(self.mismatch(&seen, wanted)),
        }
    }

    fn does_not_fit(&self, why: impl std::fmt::Display) -> Error {
        words::does_not_fit(why, self.input, self.path).into()
    }

    fn text<'de, V: Visitor<'de>>(&self, visitor: V, wanted: Wanted) -> Result<V::Value, Error> {
        match self.look()? {
            Seen::Text(text) => visitor.visit_str(&text),
            seen => Err(self.mismatch(&seen, wanted)),
        }
    }

    /// A structure or a map.
    fn named<'de, V: Visitor<'de>>(&self, visitor: V, asking: Asking, has_keys: bool) -> Result<V::Value, Error> {
        let memo = self.cx.memo(self.home);
        let asking = match asking {
            Asking::Map { is_structure, .. } => {
                let takes_labels = memo.as_ref().and_then(|memo| memo.takes_labels.get());
                Asking::Map { takes_labels, is_structure }
            }
            fields => fields,
        };
        by_schema::with_parts(self.cx, self.input, self.path, asking, |parts| {
            let mut named = Named::new(self.cx, self.path, self.home, parts, asking, memo)?;
            if has_keys {
                named.keys(match self.input {
                    Input::Blocks(blocks) => blocks.iter().all(|block| block.labels_left() == 0),
                    Input::Json(_) => true,
                    _ => false,
                });
            }
            let value = visitor.visit_map(&mut named)?;
            named.finish()?;
            Ok(value)
        })
    }

    /// The expression, which is not evaluated.
    fn expression(&self, wanted: Wanted) -> Result<Expression, Error> {
        match self.input {
            Input::Native(node) => Ok(Expression::from(*node)),
            Input::Expression(expression) => Ok((*expression).clone()),
            Input::Json(json) if json.more.is_empty() => Ok(expression_of_json(json.document, json.node)),
            Input::Value(value, at) => Ok(Expression::of_value((**value).clone(), at.place())),
            Input::Evaluated(written, _) => De { input: written, ..*self }.expression(wanted),
            Input::Text(text, at) => Ok(Expression::of_value(Value::from(&**text), at.place())),
            _ => {
                let seen = self.look()?;
                Err(self.mismatch(&seen, wanted))
            }
        }
    }

    fn template(&self) -> Result<Expression, Error> {
        let expression = self.expression(Wanted::Template)?;
        if expression.native_form().is_some_and(is_template) || expression.text_in_json().is_some() {
            return Ok(expression);
        }
        let seen = match self.look() {
            Ok(seen) => seen,
            // It may be one, but nobody can tell before it is evaluated.
            Err(error) if expression.native_form().is_none() => return Err(error),
            Err(_) => return Err(words::not_literally(self.input, Wanted::Template, self.path).into()),
        };
        match (&seen, self.input) {
            (Seen::Text(_), Input::Value(..) | Input::Text(..)) => Ok(expression),
            _ => Err(self.mismatch(&seen, Wanted::Template)),
        }
    }

    /// Returns the value for one of this crate's own types, unless it is read as other types are.
    fn own(&self, name: &'static str) -> Option<Result<Passed, Error>> {
        let passed = match name {
            VALUE => {
                if let Input::Absent(..) = self.input {
                    return Some(self.look().map(|_| Passed::Value(Value::NULL)));
                }
                return value_of(self.cx, self.input).map(|value| value.map(Passed::Value).map_err(Error::from));
            }
            EXPRESSION => self.expression(Wanted::Expression).map(Passed::Expression),
            TEMPLATE => self.template().map(Passed::Expression),
            TYPE => match self.expression(Wanted::Expression) {
                Ok(expression) => match self.input {
                    Input::Value(..) | Input::Text(..) => return None,
                    _ => crate::type_expr::read_type(&expression).map(Passed::Type).map_err(Error::from),
                },
                Err(error) => Err(error),
            },
            NUMBER => self.number(Wanted::Number).map(|number| {
                Passed::Number(match number {
                    Whole::Small(number) => Number::from(number),
                    Whole::Number(number) => number,
                })
            }),
            _ => return None,
        };
        Some(passed)
    }
}

fn is_template(node: crate::syntax::ast::ExpressionNode<'_>) -> bool {
    matches!(node.kind(), crate::syntax::ast::ExpressionKind::Template(_))
}

enum Whole {
    Small(u64),
    Number(Number),
}

macro_rules! integers {
    ($($method:ident $visit:ident $ty:ident;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let wanted = Wanted::Whole { least: $ty::MIN as i128, most: $ty::MAX as u128 };
            let number = match self.number(wanted)? {
                Whole::Small(number) => match $ty::try_from(number) {
                    Ok(number) => return visitor.$visit(number),
                    Err(_) => Number::from(number),
                },
                Whole::Number(number) => number,
            };
            match $ty::try_from(&number) {
                Ok(number) => visitor.$visit(number),
                Err(why) => Err(self.does_not_fit(why)),
            }
        }
    )+};
}

macro_rules! floats {
    ($($method:ident $visit:ident $ty:ident;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = match self.number(Wanted::Number)? {
                Whole::Small(number) => return visitor.$visit(number as $ty),
                Whole::Number(number) => number,
            };
            match $ty::try_from(&number) {
                Ok(number) => visitor.$visit(number),
                Err(why) => Err(self.does_not_fit(why)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for De<'_, '_, '_> {
    type Error = Error;

    integers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
    }

    floats! {
        deserialize_f32 visit_f32 f32;
        deserialize_f64 visit_f64 f64;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.cx.note_buffered(self.path);
        // An enum with a tag is a structure; what else is buffered may be a map.
        let is_structure = type_name::<V>().contains("TaggedContentVisitor");
        let map = Asking::Map { takes_labels: None, is_structure };
        // A key has the path of its value, and is not changed.
        let is_key = matches!(self.input, Input::Text(..));
        if let Some(change) = self.cx.change(self.path).filter(|_| !is_key) {
            return match change {
                Change::Null => visitor.visit_unit(),
                Change::StandIn(expected) => stand_in(&expected, visitor),
                Change::List => self.visit_elements(visitor, vec![self.input.clone()], None),
            };
        }
        match self.input {
            // A field that serde looks for in what it has buffered: if it is not a list, the type says so.
            Input::Absent(_, around) if around.key.is_none() && !self.cx.broken => {
                return self.visit_elements(visitor, Vec::new(), None);
            }
            Input::Blocks(blocks) => {
                let is_map = is_structure || blocks.len() == 1 || blocks.iter().all(|block| block.labels_left() > 0);
                return if is_map { self.named(visitor, map, false) } else { self.elements(visitor, Wanted::List) };
            }
            Input::Body(_) | Input::Item(_) => return self.named(visitor, map, false),
            Input::Items(..) | Input::Labels(_) | Input::Mixed(_) => return self.elements(visitor, Wanted::List),
            _ => {}
        }
        match self.look()? {
            Seen::Null => visitor.visit_unit(),
            Seen::Bool(value) => visitor.visit_bool(value),
            Seen::Small(number) => visitor.visit_u64(number),
            Seen::Number(number) => any_number(&number, visitor),
            Seen::Text(text) => visitor.visit_str(&text),
            Seen::Tuple(_) | Seen::List(_) | Seen::JsonArray => self.elements(visitor, Wanted::List),
            Seen::Object(_) | Seen::Map(_) | Seen::JsonObject => self.named(visitor, map, false),
            seen @ (Seen::Capsule | Seen::Other) => Err(self.mismatch(&seen, Wanted::Object)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Seen::Bool(value) => visitor.visit_bool(value),
            Seen::Text(text) if matches!(self.input, Input::Text(..)) && matches!(&*text, "true" | "false") => {
                visitor.visit_bool(text == "true")
            }
            seen => Err(self.mismatch(&seen, Wanted::Bool)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Seen::Text(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(only), None) => visitor.visit_char(only),
                    _ => Err(self.mismatch(&Seen::Text(text.clone()), Wanted::Char)),
                }
            }
            seen => Err(self.mismatch(&seen, Wanted::Char)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor, Wanted::Text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor, Wanted::Text)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Seen::Text(text) => visitor.visit_bytes(text.as_bytes()),
            Seen::Tuple(_) | Seen::List(_) | Seen::JsonArray => {
                let bytes: Vec<u8> = super::context::read(self.cx, self.input, self.path)?;
                visitor.visit_byte_buf(bytes)
            }
            seen => Err(self.mismatch(&seen, Wanted::Bytes)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Blocks(_)
            | Input::Mixed(_)
            | Input::Body(_)
            | Input::Items(..)
            | Input::Item(_)
            | Input::Labels(_) => visitor.visit_some(self),
            Input::Native(_)
            | Input::Json(_)
            | Input::Expression(_)
            | Input::Value(..)
            | Input::Evaluated(..)
            | Input::Text(..) => self.option(visitor),
            // serde gives `None` to a field that is an option by itself; this one is one within a newtype.
            Input::Absent(..) => visitor.visit_none(),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Seen::Null => visitor.visit_unit(),
            Seen::Other | Seen::JsonObject if self.is_empty() => visitor.visit_unit(),
            seen => Err(self.mismatch(&seen, Wanted::Nothing)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match name {
            LABELS => return self.labels(visitor),
            BLOCK => {
                let is_block = match self.input {
                    Input::Blocks(_)
                    | Input::Mixed(_)
                    | Input::Body(_)
                    | Input::Absent(..)
                    | Input::Item(_)
                    | Input::Items(..) => true,
                    Input::Json(json) => json.nodes().all(|node| !matches!(node.kind(), NodeKind::String(_))),
                    _ => false,
                };
                if !is_block {
                    return Err(self.mismatch(&self.look()?, Wanted::Block));
                }
            }
            _ => {}
        }
        match self.own(name) {
            Some(passed) => {
                passed::pass(passed?);
                visitor.visit_unit()
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            // As many blocks as there are: none.
            Input::Absent(..) => visitor.visit_seq(Elements::new(self.cx, self.path, Vec::new(), false)),
            _ => self.elements(visitor, Wanted::List),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.elements(visitor, Wanted::Elements(length))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.elements(visitor, Wanted::Elements(length))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Absent(..) => visitor.visit_map(::serde::de::value::MapDeserializer::new(std::iter::empty::<(
                StrDeserializer<'_, Error>,
                StrDeserializer<'_, Error>,
            )>())),
            _ => {
                // A structure with `flatten` asks for a map, too. The names of its fields are shown as names.
                let is_structure = type_name::<V>().contains("::__Visitor");
                self.named(visitor, Asking::Map { takes_labels: None, is_structure }, !is_structure)
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if is_spanned(name) {
            let span = self.input.span();
            return visitor.visit_map(SpannedDeserializer::new(self, span.range()));
        }
        if name == LABELED {
            return self.labeled(visitor);
        }
        let key: TypeKey = (type_name::<V>(), fields.as_ptr());
        self.named(visitor, Asking::Fields(fields, key), false)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Input::Item(member) = self.input {
            return visitor.visit_enum(Variant::with_value(self, (**member).clone(), self.path));
        }
        let seen = self.look()?;
        match seen {
            Seen::Text(text) => visitor.visit_enum(Variant::unit(self, text, at_of(self.input))),
            Seen::Object(_) | Seen::Map(_) | Seen::JsonObject | Seen::JsonArray | Seen::Other => {
                let asking = Asking::Map { takes_labels: None, is_structure: false };
                let parts = parts(self.cx, self.input, self.path, asking)?;
                let mut members = parts.members;
                match (members.pop(), members.len()) {
                    (Some(only), 0) => {
                        let (name, by_label) = (only.name.clone(), parts.by_label);
                        let step = match by_label {
                            true => super::path::Step::Label(&name),
                            false => super::path::Step::Name(&name),
                        };
                        let path = self.path.then(step);
                        visitor.visit_enum(Variant::with_value(self, only, &path))
                    }
                    (last, rest) => {
                        let count = rest + usize::from(last.is_some());
                        Err(words::one_variant(parts.header.place(), count, variants, self.path).into())
                    }
                }
            }
            seen => Err(self.mismatch(&seen, Wanted::Variant(variants))),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Text(text, _) => visitor.visit_str(text),
            _ => self.text(visitor, Wanted::Text),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // Ignored input is not evaluated.
        visitor.visit_unit()
    }
}

/// The nearest thing to a number that serde's data model has.
fn any_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Error> {
    if let Ok(number) = u64::try_from(number) {
        return visitor.visit_u64(number);
    }
    if let Ok(number) = i64::try_from(number) {
        return visitor.visit_i64(number);
    }
    if let Ok(number) = u128::try_from(number) {
        return visitor.visit_u128(number);
    }
    if let Ok(number) = i128::try_from(number) {
        return visitor.visit_i128(number);
    }
    visitor.visit_f64(number.to_f64())
}

impl<'a> De<'a, '_, '_> {
    /// Reads an option. Input that is evidently null, or not, is not evaluated.
    fn option<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        use crate::syntax::ast::ExpressionKind;
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
            _ => {}
        }
        // An expression that is not to be evaluated is null only if it is written so. serde does not tell
        // what is in the option, but the name of the visitor does.
        let asks = type_name::<V>();
        let own = [type_name::<Expression>(), type_name::<Template>(), type_name::<Type>()];
        if own.iter().any(|name| wraps(asks, name)) {
            return visitor.visit_some(self);
        }
        match value_of(self.cx, self.input) {
            Some(Ok(value)) if value.is_null() && !value.is_marked() => visitor.visit_none(),
            // The option may contain a user's type for an expression, even if it cannot be evaluated.
            Some(outcome) => {
                let input = Input::Evaluated(Box::new(self.input.clone()), outcome);
                visitor.visit_some(De { input: &input, ..self })
            }
            None => visitor.visit_some(self),
        }
    }

    /// Returns true if it is a block with nothing in it.
    fn is_empty(&self) -> bool {
        match self.input {
            Input::Blocks(blocks) => {
                let empty = |block: &BlockRef<'_>| {
                    block.labels_left() == 0 && members(block.body(), false).is_some_and(|found| found.all.is_empty())
                };
                blocks.len() == 1 && empty(&blocks[0])
            }
            Input::Json(json) => json.node.as_object().is_some_and(|object| object.is_empty()),
            _ => false,
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for De<'_, '_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
