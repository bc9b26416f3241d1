//! Expressions: what stands after the `=` of an attribute, and all that is in it.

use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::handover::{given_number, given_text, given_value};
use super::impls::quoted_template;
use super::kinds::{deeper, no_block_here, no_labels_here, not_finite};
use super::text::KEY;
use super::{Settings, WriteError};
use crate::build::write_value;
use crate::serde::wrappers::{
    BLOCK, BLOCKS_BY_LABEL, EXPRESSION, LABEL_FIELD, LABELED, LABELS, LABELS_FIELD, NUMBER, TEMPLATE, TYPE, VALUE,
};
use crate::writer::{Layout, ListText, ObjectText, Shape};

type Written = Result<Shape, WriteError>;

/// Writes an expression at the end of a text.
pub(super) struct ExpressionWriter<'o> {
    pub out: &'o mut Layout,
    pub settings: Settings,
    /// In how many lists, objects and blocks it is.
    pub depth: u32,
}

impl<'o> ExpressionWriter<'o> {
    fn display(self, value: impl std::fmt::Display) -> Written {
        self.out.display(value);
        Ok(Shape::Plain)
    }

    fn plain(self, text: &str) -> Written {
        self.out.push(text);
        Ok(Shape::Plain)
    }

    fn float(self, value: f64, shortest: impl std::fmt::Display + std::fmt::LowerExp) -> Written {
        if !value.is_finite() {
            return Err(not_finite(value.is_nan()));
        }
        // There is no negative zero.
        if value == 0.0 {
            return self.plain("0");
        }
        if (1e-5..1e16).contains(&value.abs()) {
            return self.display(shortest);
        }
        self.display(format_args!("{shortest:e}"))
    }

    fn list(self) -> Result<List<'o>, WriteError> {
        let depth = deeper(self.depth, self.settings.max_depth)?;
        Ok(List { text: ListText::new(self.out), count: 0, wrapped: None, to: ExpressionWriter { depth, ..self } })
    }

    fn object(self) -> Result<Object<'o>, WriteError> {
        let depth = deeper(self.depth, self.settings.max_depth)?;
        Ok(Object {
            text: ObjectText::new(self.out),
            key: String::new(),
            wrapped: None,
            to: ExpressionWriter { depth, ..self },
        })
    }

    /// An object with one entry, whose value is written next.
    fn variant(self, name: &'static str) -> Result<(ObjectText, ExpressionWriter<'o>), WriteError> {
        let depth = deeper(self.depth, self.settings.max_depth)?;
        let mut object = ObjectText::new(self.out);
        object.begin_entry(name, self.out);
        Ok((object, ExpressionWriter { depth, ..self }))
    }

    /// A writer for a part of what this one writes.
    fn part(&mut self) -> ExpressionWriter<'_> {
        ExpressionWriter { out: self.out, settings: self.settings, depth: self.depth }
    }
}

macro_rules! integers {
    ($($method:ident($given:ty))*) => {$(
        fn $method(self, value: $given) -> Written {
            let value = i128::from(value);
            // All of these have at most 64 bits.
            self.out.integer(value.unsigned_abs() as u64, value < 0);
            Ok(Shape::Plain)
        }
    )*};
}

impl<'o> Serializer for ExpressionWriter<'o> {
    type Ok = Shape;
    type Error = WriteError;
    type SerializeSeq = List<'o>;
    type SerializeTuple = List<'o>;
    type SerializeTupleStruct = List<'o>;
    type SerializeTupleVariant = List<'o>;
    type SerializeMap = Object<'o>;
    type SerializeStruct = Object<'o>;
    type SerializeStructVariant = Object<'o>;

    fn serialize_bool(self, value: bool) -> Written {
        self.plain(if value { "true" } else { "false" })
    }

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }

    fn serialize_i128(self, value: i128) -> Written {
        self.display(value)
    }

    fn serialize_u128(self, value: u128) -> Written {
        self.display(value)
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.float(value.into(), value)
    }

    fn serialize_f64(self, value: f64) -> Written {
        self.float(value, value)
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Written {
        Ok(self.out.string(text, self.settings.heredocs))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.plain("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written {
        match name {
            BLOCK | BLOCKS_BY_LABEL => Err(no_block_here()),
            LABELS => Err(no_labels_here()),
            EXPRESSION | TYPE => Ok(self.out.expression(&given_text(value)?)),
            TEMPLATE => Ok(self.out.expression(&quoted_template(&given_text(value)?)?)),
            NUMBER => match given_number(value)? {
                number if number.is_infinite() => Err(not_finite(false)),
                number => self.display(number),
            },
            VALUE => match given_value(value)? {
                Some(given) => Ok(write_value(&given, self.settings.heredocs, self.out)?),
                None => value.serialize(self),
            },
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let (object, mut to) = self.variant(variant)?;
        value.serialize(to.part()).map_err(|error| error.below_name(variant))?;
        object.end_entry(to.out);
        Ok(object.finish(to.out))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'o>, WriteError> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'o>, WriteError> {
        self.list()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'o>, WriteError> {
        self.list()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'o>, WriteError> {
        let (object, to) = self.variant(variant)?;
        Ok(List { wrapped: Some((object, variant)), ..to.list()? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'o>, WriteError> {
        self.object()
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Object<'o>, WriteError> {
        if name == LABELED { Err(no_block_here()) } else { self.object() }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'o>, WriteError> {
        let (object, to) = self.variant(variant)?;
        Ok(Object { wrapped: Some((object, variant)), ..to.object()? })
    }
}

/// The object with one entry around the fields of a variant, and the name of that.
type Wrapped = Option<(ObjectText, &'static str)>;

fn unwrapped(wrapped: &Wrapped, error: WriteError) -> WriteError {
    match wrapped {
        Some((_, variant)) => error.below_name(variant),
        None => error,
    }
}

fn finish_wrapped(wrapped: Wrapped, shape: Shape, out: &mut Layout) -> Shape {
    match wrapped {
        Some((object, _)) => {
            object.end_entry(out);
            object.finish(out)
        }
        None => shape,
    }
}

/// A list under way.
pub(super) struct List<'o> {
    text: ListText,
    count: usize,
    wrapped: Wrapped,
    to: ExpressionWriter<'o>,
}

impl<'o> List<'o> {
    /// A list whose first element is written already.
    pub(super) fn continued(first: Shape, to: ExpressionWriter<'o>) -> Result<Self, WriteError> {
        let depth = deeper(to.depth, to.settings.max_depth)?;
        let mut list = List { text: ListText::begun(), count: 0, wrapped: None, to: ExpressionWriter { depth, ..to } };
        list.end_element(first);
        Ok(list)
    }

    pub(super) fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.text.begin_element(self.to.out);
        let shape =
            value.serialize(self.to.part()).map_err(|error| unwrapped(&self.wrapped, error.below_index(self.count)))?;
        self.end_element(shape);
        Ok(())
    }

    fn end_element(&mut self, shape: Shape) {
        self.text.end_element(shape, self.to.out);
        self.count += 1;
    }

    pub(super) fn finish(self) -> Shape {
        let shape = self.text.finish(self.to.out);
        finish_wrapped(self.wrapped, shape, self.to.out)
    }
}

/// An object under way.
pub(super) struct Object<'o> {
    text: ObjectText,
    /// Of the entry whose value comes next.
    key: String,
    wrapped: Wrapped,
    to: ExpressionWriter<'o>,
}

impl<'o> Object<'o> {
    /// An object whose first entry is written already.
    pub(super) fn continued(to: ExpressionWriter<'o>) -> Result<Self, WriteError> {
        let depth = deeper(to.depth, to.settings.max_depth)?;
        let text = ObjectText::begun();
        text.end_entry(to.out);
        Ok(Object { text, key: String::new(), wrapped: None, to: ExpressionWriter { depth, ..to } })
    }

    pub(super) fn entry<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), WriteError> {
        self.text.begin_entry(name, self.to.out);
        value.serialize(self.to.part()).map_err(|error| unwrapped(&self.wrapped, error.below_name(name)))?;
        self.text.end_entry(self.to.out);
        Ok(())
    }

    pub(super) fn field<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), WriteError> {
        match name {
            LABEL_FIELD | LABELS_FIELD => Err(unwrapped(&self.wrapped, no_labels_here().below_name(name))),
            _ => self.entry(name, value),
        }
    }

    fn set_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.key = key.serialize(KEY).map_err(|error| unwrapped(&self.wrapped, error))?;
        Ok(())
    }

    fn keyed<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.entry(&key, value)
    }

    pub(super) fn finish(self) -> Shape {
        let shape = self.text.finish(self.to.out);
        finish_wrapped(self.wrapped, shape, self.to.out)
    }
}

macro_rules! lists {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for List<'_> {
            type Ok = Shape;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                self.element(value)
            }

            fn end(self) -> Written {
                Ok(self.finish())
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! objects {
    ($($kind:ident)*) => {$(
        impl $kind for Object<'_> {
            type Ok = Shape;
            type Error = WriteError;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
                self.field(name, value)
            }

            fn end(self) -> Written {
                Ok(self.finish())
            }
        }
    )*};
}

objects! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Object<'_> {
    type Ok = Shape;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.set_key(key)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.keyed(value)
    }

    fn end(self) -> Written {
        Ok(self.finish())
    }
}
