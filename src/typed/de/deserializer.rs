//! `impl serde::Deserializer`: the methods by which types ask for an input.

use ::serde::de::value::StrDeserializer;
use ::serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_spanned::de::{SpannedDeserializer, is_spanned};

use super::access::{Elements, Variant};
use super::by_schema;
use super::contents::members;
use super::element::Element;
use super::error::{Error, Kind};
use super::input::{At, BlockRef, Input};
use super::look::{look, value_of};
use super::members::{at_of, parts};
use super::messages::{self, Wanted};
use super::named::{Named, key_of};
use super::parts::Request;
use super::pass::{De, Pass};
use super::read::read;
use super::shape::Shape;
use super::{BLOCK, BLOCKS, CONSTRAINT, EXPRESSION, LABELS, NUMBER, NUMBER_PREFIX, TEMPLATE, TYPE, VALUE};
use crate::body::{Expression, Template, expression_of_json};
use crate::json::NodeKind;
use crate::model::{Number, Value};
use crate::reading::parse;
use crate::type_expr::{read_constraint, read_type};
use crate::typed::handover::{Handed, Ticket};
use crate::typed::wrappers::labels_of_name;

impl<'de, 't> De<'_, '_, 'de, 't> {
    pub fn look(&self) -> Result<Shape<'t>, Error> {
        look(self.cx, self.input, self.path)
    }

    /// Returns true for what is no file, but a value as another format has it.
    pub fn is_value(&self) -> bool {
        matches!(self.input, Input::Value(..))
    }

    pub fn mismatch(&self, shape: &Shape<'_>, wanted: Wanted) -> Error {
        messages::mismatch(shape, self.input, wanted, self.path).into()
    }

    /// Returns true if a text may say a number or a bool: a name, a label, or any text by an option.
    fn is_converted(&self) -> bool {
        self.cx.options.converts || matches!(self.input, Input::Text(..))
    }

    /// A number, if it is one; a name or a label may say one, too.
    fn number(&self, wanted: Wanted) -> Result<Whole, Error> {
        match self.look()? {
            Shape::Small(number) => Ok(Whole::Small(number)),
            Shape::Number(number) => Ok(Whole::Number(number)),
            Shape::Text(text) if self.is_converted() => match Number::parse(&text) {
                Ok(number) => Ok(Whole::Number(number)),
                Err(_) => Err(self.mismatch(&Shape::Text(text), wanted)),
            },
            shape => Err(self.mismatch(&shape, wanted)),
        }
    }

    /// Gives a text, borrowed from the file if it stands there as it is.
    fn visit_text<V: Visitor<'de>>(&self, text: &str, visitor: V) -> Result<V::Value, Error> {
        match self.cx.lender.lend(text) {
            Some(text) => visitor.visit_borrowed_str(text),
            None => visitor.visit_str(text),
        }
    }

    fn text<V: Visitor<'de>>(&self, visitor: V, wanted: Wanted) -> Result<V::Value, Error> {
        let converts = self.cx.options.converts && matches!(wanted, Wanted::Text);
        match self.look()? {
            Shape::Text(text) => self.visit_text(&text, visitor),
            Shape::Bool(value) if converts => visitor.visit_str(if value { "true" } else { "false" }),
            Shape::Small(number) if converts => visitor.visit_string(number.to_string()),
            Shape::Number(number) if converts => visitor.visit_string(number.to_string()),
            shape => Err(self.mismatch(&shape, wanted)),
        }
    }

    /// A structure or a map.
    pub fn named<V: Visitor<'de>>(&self, visitor: V, request: Request) -> Result<V::Value, Error> {
        let key = match request {
            Request::Fields(_, key) => key,
            _ => key_of(&visitor, &[]),
        };
        by_schema::with_parts(*self, request, |de, parts| {
            let mut named = Named::new(de, parts, request, key);
            let result = visitor.visit_map(&mut named);
            named.finish(result)
        })
    }

    /// The text of a value that is in no file: what an expression or a template is in other formats.
    fn plain_text(&self) -> Option<&str> {
        match self.input {
            Input::Value(value, At::Nowhere) => value.as_str().filter(|_| !value.is_marked()),
            _ => None,
        }
    }

    /// The expression, which is not evaluated.
    fn expression(&self, wanted: Wanted) -> Result<Expression, Error> {
        if let Some(text) = self.plain_text() {
            return Ok(parse::<Expression>(text).into_result()?);
        }
        match self.input {
            Input::Native(node) => Ok(Expression::from(*node)),
            Input::Expression(expression) => Ok((*expression).clone()),
            Input::Json(json) if json.more.is_empty() => Ok(expression_of_json(json.document, json.node)),
            Input::Value(value, at) => Ok(Expression::of_value((**value).clone(), at.place())),
            Input::Evaluated(written, _) => De { input: written, ..*self }.expression(wanted),
            Input::Text(text, at) => Ok(Expression::of_value(Value::from(&**text), at.place())),
            _ => {
                let shape = self.look()?;
                Err(self.mismatch(&shape, wanted))
            }
        }
    }

    fn template(&self) -> Result<Expression, Error> {
        if let Some(text) = self.plain_text() {
            return Ok(parse::<Template>(text).into_result()?.into());
        }
        let expression = self.expression(Wanted::Template)?;
        if expression.native_form().is_some_and(is_template) || expression.text_in_json().is_some() {
            return Ok(expression);
        }
        let shape = match self.look() {
            Ok(shape) => shape,
            // It may be one, but nobody can tell before it is evaluated.
            Err(error) if expression.native_form().is_none() => return Err(error),
            Err(_) => return Err(messages::not_literally(self.input, Wanted::Template, self.path).into()),
        };
        match (&shape, self.input) {
            (Shape::Text(_), Input::Value(..) | Input::Text(..)) => Ok(expression),
            _ => Err(self.mismatch(&shape, Wanted::Template)),
        }
    }

    /// Returns the value for one of this crate's own types, unless it is read as other types are.
    fn own(&self, name: &'static str) -> Option<Result<Handed, Error>> {
        let passed = match name {
            VALUE => {
                if let Input::Absent(..) = self.input {
                    return Some(self.look().map(|_| Handed::Value(Value::NULL)));
                }
                if self.cx.options.templates_as_text {
                    return None;
                }
                return value_of(self.cx, self.input).map(|value| value.map(Handed::Value).map_err(Error::from));
            }
            EXPRESSION => self.expression(Wanted::Expression).map(Handed::Expression),
            TEMPLATE => self.template().map(Handed::Expression),
            TYPE | CONSTRAINT if matches!(self.input, Input::Value(..) | Input::Text(..)) => return None,
            TYPE => {
                self.expression(Wanted::Expression).and_then(|expression| Ok(Handed::Type(read_type(&expression)?)))
            }
            // The type is checked where its place is known.
            CONSTRAINT => self.expression(Wanted::Expression).and_then(|expression| {
                read_constraint(&expression)?;
                Ok(Handed::Expression(expression))
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
                Err(_) => Err(self.mismatch(&Shape::Number(number), wanted)),
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
                Err(_) => Err(self.mismatch(&Shape::Number(number), Wanted::Float { most: $ty::MAX.into() })),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for De<'_, '_, 'de, '_> {
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
        // serde buffers by seeds, without a type.
        let is_within = self.pass.is_none();
        if is_within
            && self.input.has_parts()
            && let Some(limit) = self.cx.buffered_too_much()
        {
            return Err(
                messages::buffered_too_much(self.input.place(), limit, self.cx.options.max_buffered_depth).into()
            );
        }
        self.cx.buffering(is_within, || self.any(visitor))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Shape::Bool(value) => visitor.visit_bool(value),
            Shape::Text(text) if self.is_converted() && matches!(&*text, "true" | "false") => {
                visitor.visit_bool(text == "true")
            }
            shape => Err(self.mismatch(&shape, Wanted::Bool)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.look()? {
            Shape::Text(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(only), None) => visitor.visit_char(only),
                    _ => Err(self.mismatch(&Shape::Text(text.clone()), Wanted::Char)),
                }
            }
            shape => Err(self.mismatch(&shape, Wanted::Char)),
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
            Shape::Text(text) => visitor.visit_bytes(text.as_bytes()),
            Shape::Tuple(_) | Shape::List(_) | Shape::JsonArray => {
                let bytes: Vec<u8> = read(self.cx, self.input, self.path)?;
                visitor.visit_byte_buf(bytes)
            }
            shape => Err(self.mismatch(&shape, Wanted::Bytes)),
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
            Shape::Null => visitor.visit_unit(),
            Shape::Other | Shape::JsonObject if self.is_empty() => visitor.visit_unit(),
            shape => Err(self.mismatch(&shape, Wanted::Nothing)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match name {
            LABELS => return self.labels(visitor),
            BLOCK | BLOCKS => {
                let is_block = match self.input {
                    Input::Value(_, At::Nowhere)
                    | Input::Blocks(_)
                    | Input::Mixed(_)
                    | Input::Body(_)
                    | Input::Absent(..)
                    | Input::Item(_)
                    | Input::Items(..) => true,
                    Input::Json(json) => json.nodes().all(|node| !matches!(node.kind(), NodeKind::String(_))),
                    _ => false,
                };
                if !is_block {
                    let mismatch = messages::mismatch(&self.look()?, self.input, Wanted::Block, self.path);
                    if !self.input.has_parts() {
                        return Err(mismatch.into());
                    }
                    // Its contents are read, too.
                    self.cx.record(mismatch);
                }
            }
            _ => {}
        }
        if name == BLOCKS {
            return self.deserialize_seq(visitor);
        }
        if name == NUMBER {
            return match self.number(Wanted::Number)? {
                Whole::Small(number) => visitor.visit_u64(number),
                Whole::Number(number) => visitor.visit_str(&number.to_string()),
            };
        }
        match self.own(name) {
            Some(handed) => {
                let ticket = Ticket::new(handed?);
                visitor.visit_u128(ticket.number())
            }
            // A value in a value is no copy of serde's.
            None if name == VALUE => {
                let pass = Pass::new(self.cx.mark());
                visitor.visit_newtype_struct(De { pass: Some(&pass), ..self })
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            // As many blocks as there are: none.
            Input::Absent(..) => visitor.visit_seq(Elements::new(self.cx, self.path, Vec::new(), false)),
            _ => self.elements(visitor, Wanted::List(Element::Plain)),
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
            _ if by_schema::is_needed(self.input) => self.named(visitor, Request::Map),
            _ => {
                let key = key_of(&visitor, &[]);
                let mut named = Named::undecided(self, key);
                let result = visitor.visit_map(&mut named);
                named.finish(result)
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
        if let Some(count) = labels_of_name(name) {
            return self.labeled(count, fields, visitor);
        }
        let key = key_of(&visitor, fields);
        self.named(visitor, Request::Fields(fields, key))
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
        let shape = self.look()?;
        match shape {
            Shape::Text(text) => visitor.visit_enum(Variant::unit(self, text, at_of(self.input))),
            Shape::Object(_) | Shape::Map(_) | Shape::JsonObject | Shape::JsonArray | Shape::Other => {
                let parts = parts(self.cx, self.input, self.path, Request::Map)?;
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
                        Err(messages::one_variant(parts.header.place(), count, variants, self.path).into())
                    }
                }
            }
            shape => Err(self.mismatch(&shape, Wanted::Variant(variants))),
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

/// Gives a number to a type that takes anything, and may be what serde buffers by: it knows whole numbers of 64 bits and
/// floats. Any other number is given as bytes, which only this crate's types take for a number.
/// A type that refuses these is given the nearest float of a fraction.
fn any_number<'de, V: Visitor<'de>>(number: &Number, visitor: V, rounds: bool) -> Result<V::Value, Error> {
    if let Ok(number) = u64::try_from(number) {
        return visitor.visit_u64(number);
    }
    if let Ok(number) = i64::try_from(number) {
        return visitor.visit_i64(number);
    }
    // The shortest decimal of the float must be the number, as nobody writes the digits that a float has.
    let float = number.to_f64();
    let rounds = rounds && float.is_finite() && float != 0.0 && !number.is_whole();
    if rounds || Number::try_from(float).is_ok_and(|same| same == *number) {
        return visitor.visit_f64(float);
    }
    visitor.visit_byte_buf([NUMBER_PREFIX, number.to_string().as_bytes()].concat())
}

impl<'de> De<'_, '_, 'de, '_> {
    /// Reads an input as it is.
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let facts = self.cx.facts(key_of(&visitor, &[]));
        let request = match facts.is_structure {
            true => Request::Structure { labels_field: facts.labels_field },
            false => Request::Any,
        };
        match self.input {
            Input::Blocks(blocks) => {
                let is_map =
                    facts.is_structure || blocks.len() == 1 || blocks.iter().all(|block| block.labels_left() > 0);
                return if is_map {
                    self.named(visitor, request)
                } else {
                    self.elements(visitor, Wanted::List(Element::Plain))
                };
            }
            Input::Body(_) | Input::Item(_) => return self.named(visitor, request),
            Input::Items(..) | Input::Labels(_) | Input::Mixed(_) => {
                return self.elements(visitor, Wanted::List(Element::Plain));
            }
            _ => {}
        }
        let shape = match self.look() {
            Ok(shape) => shape,
            Err(error) => match error.into_kind() {
                // The rest of what serde buffers is looked at, too.
                Kind::Placed(diagnostics) if !matches!(self.input, Input::Absent(..)) => {
                    diagnostics.into_iter().for_each(|diagnostic| self.cx.record(diagnostic));
                    return visitor.visit_unit();
                }
                kind => return Err(kind.into()),
            },
        };
        match shape {
            Shape::Null => visitor.visit_unit(),
            Shape::Bool(value) => visitor.visit_bool(value),
            Shape::Small(number) => visitor.visit_u64(number),
            Shape::Number(number) if self.cx.options.rounds => visitor.visit_f64(number.to_f64()),
            Shape::Number(number) => any_number(&number, visitor, self.pass.is_some_and(|pass| pass.rounds.get())),
            Shape::Text(text) => self.visit_text(&text, visitor),
            Shape::Tuple(_) | Shape::List(_) | Shape::JsonArray => self.elements(visitor, Wanted::List(Element::Plain)),
            Shape::Object(_) | Shape::Map(_) | Shape::JsonObject => self.named(visitor, request),
            shape @ (Shape::Capsule | Shape::Other) => Err(self.mismatch(&shape, Wanted::Object)),
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

impl<'de> IntoDeserializer<'de, Error> for De<'_, '_, 'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
