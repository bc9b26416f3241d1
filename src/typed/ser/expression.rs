//! Writes expressions: the values of attributes, and everything in them.

use ::serde::ser::{Serialize, Serializer};

use super::handover::{given_number, given_text, given_value};
use super::impls::quoted_template;
use super::kinds::{Entries, Members, Parts, Plain, Receiver, To, deeper, no_block_here, no_labels_here, not_finite};
use super::text::key;
use super::{Settings, WriteError};
use crate::construct::write_value;
use crate::typed::wrappers::{
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

    fn word(self, text: &str) -> Written {
        self.out.push(text);
        Ok(Shape::Plain)
    }

    fn float(self, value: f64, shortest: impl std::fmt::Display + std::fmt::LowerExp) -> Written {
        if !value.is_finite() {
            return Err(not_finite(value.is_nan()));
        }
        // HCL has no negative zero.
        if value == 0.0 {
            return self.word("0");
        }
        if (1e-5..1e16).contains(&value.abs()) {
            return self.display(shortest);
        }
        self.display(format_args!("{shortest:e}"))
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

    /// Begins an object with one entry, whose value is written next.
    fn variant(self, name: &'static str) -> Result<(ObjectText, ExpressionWriter<'o>), WriteError> {
        let depth = deeper(self.depth, self.settings.max_depth)?;
        let mut object = ObjectText::new(self.out);
        object.begin_entry(name, self.out);
        Ok((object, ExpressionWriter { depth, ..self }))
    }

    /// Returns a writer for a part of this expression.
    fn part(&mut self) -> ExpressionWriter<'_> {
        ExpressionWriter { out: self.out, settings: self.settings, depth: self.depth }
    }
}

impl<'o> Receiver for ExpressionWriter<'o> {
    type Ok = Shape;
    type List = List<'o>;
    type Map = Object<'o>;
    type Struct = Object<'o>;

    /// No kind is refused.
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is not an expression"))
    }

    // Inlined, because each caller knows the kind, so that only one arm is left.
    #[inline(always)]
    fn plain(self, value: Plain<'_>) -> Written {
        match value {
            Plain::Bool(value) => self.out.push(if value { "true" } else { "false" }),
            Plain::Signed(value) => self.out.integer(value.unsigned_abs(), value < 0),
            Plain::Unsigned(value) => self.out.integer(value, false),
            Plain::LongSigned(_) | Plain::LongUnsigned(_) => self.out.display(value),
            Plain::Single(value) => return self.float(value.into(), value),
            Plain::Double(value) => return self.float(value, value),
            Plain::Char(value) => return Ok(self.out.string(value.encode_utf8(&mut [0; 4]), self.settings.heredocs)),
            Plain::Text(text) => return Ok(self.out.string(text, self.settings.heredocs)),
            Plain::Bytes(bytes) => return To(self).collect_seq(bytes),
        }
        Ok(Shape::Plain)
    }

    fn none(self) -> Written {
        self.unit()
    }

    fn unit(self) -> Written {
        self.word("null")
    }

    fn unit_variant(self, variant: &'static str) -> Written {
        self.plain(Plain::Text(variant))
    }

    fn newtype<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written {
        match name {
            BLOCK | BLOCKS_BY_LABEL => Err(no_block_here()),
            LABELS => Err(no_labels_here()),
            EXPRESSION | TYPE => Ok(self.out.expression(&given_text(value)?)),
            TEMPLATE => Ok(self.out.expression(&quoted_template(&given_text(value)?)?)),
            NUMBER => match given_number(value)? {
                number if number.is_infinite() => Err(not_finite(false)),
                number => self.display(number),
            },
            VALUE => match given_value(value) {
                Some(given) => Ok(write_value(&given, self.settings.heredocs, self.out)?),
                None => value.serialize(To(self)),
            },
            _ => value.serialize(To(self)),
        }
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, variant: &'static str, value: &T) -> Written {
        let (object, mut to) = self.variant(variant)?;
        value.serialize(To(to.part())).map_err(|error| error.below_name(variant))?;
        object.end_entry(to.out);
        Ok(object.finish(to.out))
    }

    fn list(self, _: &'static str, _: Option<usize>) -> Result<List<'o>, WriteError> {
        let depth = deeper(self.depth, self.settings.max_depth)?;
        Ok(List { text: ListText::new(self.out), count: 0, wrapped: None, to: ExpressionWriter { depth, ..self } })
    }

    fn tuple_variant(self, variant: &'static str, length: usize) -> Result<List<'o>, WriteError> {
        let (object, to) = self.variant(variant)?;
        Ok(List { wrapped: Some((object, variant)), ..to.list("a tuple", Some(length))? })
    }

    fn map(self, _: Option<usize>) -> Result<Object<'o>, WriteError> {
        self.object()
    }

    fn structure(self, name: &'static str, _: usize) -> Result<Object<'o>, WriteError> {
        if name == LABELED { Err(no_block_here()) } else { self.object() }
    }

    fn struct_variant(self, variant: &'static str, _: usize) -> Result<Object<'o>, WriteError> {
        let (object, to) = self.variant(variant)?;
        Ok(Object { wrapped: Some((object, variant)), ..to.object()? })
    }
}

/// The object with one entry for the fields of a variant, and the name of the variant.
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

    fn end_element(&mut self, shape: Shape) {
        self.text.end_element(shape, self.to.out);
        self.count += 1;
    }
}

impl Parts for List<'_> {
    type Ok = Shape;

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.text.begin_element(self.to.out);
        let shape = value.serialize(To(self.to.part()));
        let shape = shape.map_err(|error| unwrapped(&self.wrapped, error.below_index(self.count)))?;
        self.end_element(shape);
        Ok(())
    }

    fn finish(self) -> Written {
        let shape = self.text.finish(self.to.out);
        Ok(finish_wrapped(self.wrapped, shape, self.to.out))
    }
}

/// An object under way.
pub(super) struct Object<'o> {
    text: ObjectText,
    /// The key of the entry whose value comes next.
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
        value.serialize(To(self.to.part())).map_err(|error| unwrapped(&self.wrapped, error.below_name(name)))?;
        self.text.end_entry(self.to.out);
        Ok(())
    }

    pub(super) fn end(self) -> Written {
        let shape = self.text.finish(self.to.out);
        Ok(finish_wrapped(self.wrapped, shape, self.to.out))
    }
}

impl Members for Object<'_> {
    type Ok = Shape;

    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        match name {
            LABEL_FIELD | LABELS_FIELD => Err(unwrapped(&self.wrapped, no_labels_here().below_name(name))),
            _ => self.entry(name, value),
        }
    }

    fn finish(self) -> Written {
        self.end()
    }
}

impl Entries for Object<'_> {
    type Ok = Shape;

    fn key<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.key = key(value).map_err(|error| unwrapped(&self.wrapped, error))?;
        Ok(())
    }

    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.entry(&key, value)
    }

    fn finish(self) -> Written {
        self.end()
    }
}
