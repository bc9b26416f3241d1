//! Values from anything that serializes.

use std::cell::RefCell;
use std::rc::Rc;

use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::WriteError;
use super::handover::{given_number, given_value};
use super::kinds::{MAX_NESTING, deeper};
use super::text::KEY;
use crate::model::{NumberError, Text, Type, Value};
use crate::serde::wrappers::{NUMBER, VALUE};

type Written = Result<Value, WriteError>;

/// The last tuple and the last object of each depth give their types to the next ones, for many are alike.
#[derive(Default)]
pub(super) struct Types {
    by_depth: RefCell<Vec<[Type; 2]>>,
    structures: RefCell<Vec<Rc<Structure>>>,
}

/// How a structure of a program becomes an object: its fields as they come, and where they belong by name.
struct Structure {
    name: &'static str,
    fields: Vec<&'static str>,
    /// Which values to swap, one after the other, so that they are in the order of the names.
    swaps: Vec<(usize, usize)>,
    /// The type of the last one.
    ty: RefCell<Type>,
}

/// More kinds of structures are not remembered.
const MAX_STRUCTURES: usize = 64;

/// Whether two names of a program are one in memory.
fn is_same(one: &'static str, other: &'static str) -> bool {
    std::ptr::eq(one, other)
}

impl Structure {
    /// Nothing if a name is there twice.
    fn new(name: &'static str, fields: Vec<&'static str>, ty: Type) -> Option<Structure> {
        let Type::Object(object) = &ty else { return None };
        if object.attributes().len() != fields.len() {
            return None;
        }
        // Which field is at each place so far.
        let mut at: Vec<&'static str> = fields.clone();
        let mut swaps = Vec::new();
        for (place, attribute) in object.attributes().iter().enumerate() {
            let from = place + at[place..].iter().position(|field| *field == attribute.name())?;
            if from != place {
                at.swap(place, from);
                swaps.push((place, from));
            }
        }
        Some(Structure { name, fields, swaps, ty: RefCell::new(ty) })
    }

    fn object(&self, mut values: Vec<Value>) -> Value {
        for &(one, other) in &self.swaps {
            values.swap(one, other);
        }
        let mut like = self.ty.borrow_mut();
        let value = Value::object_with_names_of(&like, values);
        if !value.is_of(&like) {
            *like = value.ty();
        }
        value
    }
}

impl Types {
    /// Makes a value, given the type of the last one at a depth, which only saves making it again.
    fn like_last(&self, depth: u32, is_object: bool, make: impl FnOnce(&Type) -> Value) -> Value {
        let (mut types, depth) = (self.by_depth.borrow_mut(), depth as usize);
        if types.len() <= depth {
            types.resize(depth + 1, [Type::Dynamic, Type::Dynamic]);
        }
        let like = &mut types[depth][usize::from(is_object)];
        let value = make(like);
        if !value.is_of(like) {
            *like = value.ty();
        }
        value
    }

    fn tuple(&self, elements: Vec<Value>, depth: u32) -> Value {
        self.like_last(depth, false, |like| Value::tuple_like(elements, like))
    }

    fn object(&self, attributes: Vec<(Text, Value)>, depth: u32) -> Value {
        self.like_last(depth, true, |like| Value::object_like(attributes, like))
    }

    /// A structure with this name that has been seen before.
    fn structure(&self, name: &'static str, length: usize) -> Option<Rc<Structure>> {
        let known = self.structures.borrow();
        known.iter().find(|known| is_same(known.name, name) && known.fields.len() == length).cloned()
    }

    /// An object of fields that are seen for the first time.
    fn new_structure(&self, name: &'static str, fields: Vec<&'static str>, values: Vec<Value>) -> Value {
        let value = Value::object_of_texts(&fields, values);
        let mut known = self.structures.borrow_mut();
        if known.len() < MAX_STRUCTURES
            && let Some(structure) = Structure::new(name, fields, value.ty())
        {
            // The last one of a name counts.
            known.retain(|known| !is_same(known.name, name) || known.fields.len() != structure.fields.len());
            known.push(Rc::new(structure));
        }
        value
    }
}

/// Makes a value.
#[derive(Clone, Copy)]
pub(super) struct ValueWriter<'t> {
    types: &'t Types,
    /// In how many lists and objects it is.
    depth: u32,
}

impl<'t> ValueWriter<'t> {
    pub(super) fn new(types: &'t Types) -> Self {
        ValueWriter { types, depth: 0 }
    }

    fn deeper(self) -> Result<Self, WriteError> {
        Ok(ValueWriter { depth: deeper(self.depth, MAX_NESTING)?, ..self })
    }

    fn elements(self, length: Option<usize>, variant: Option<&'static str>) -> Result<Elements<'t>, WriteError> {
        // A length is only what somebody says.
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(Elements { list, variant, to: self.deeper()? })
    }

    fn fields(
        self,
        name: &'static str,
        length: usize,
        variant: Option<&'static str>,
    ) -> Result<Fields<'t>, WriteError> {
        let values = Vec::with_capacity(length.min(1_024));
        let structure = self.types.structure(name, length);
        Ok(Fields { name, structure, names: Vec::new(), values, variant, to: self.deeper()? })
    }

    fn entries(self, length: Option<usize>) -> Result<Entries<'t>, WriteError> {
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(Entries { list, key: Text::default(), to: self.deeper()? })
    }
}

fn float(value: Result<Value, NumberError>) -> Written {
    value.map_err(|why| WriteError::new(why.to_string()).help("leave it out, or make it a string"))
}

/// A variant as other formats know it: an object with its name as the only attribute.
fn in_variant(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::object([(variant, value)]),
        None => value,
    }
}

macro_rules! converted {
    ($($method:ident($given:ty))*) => {$(
        fn $method(self, value: $given) -> Written {
            Ok(Value::from(value))
        }
    )*};
}

impl<'t> Serializer for ValueWriter<'t> {
    type Ok = Value;
    type Error = WriteError;
    type SerializeSeq = Elements<'t>;
    type SerializeTuple = Elements<'t>;
    type SerializeTupleStruct = Elements<'t>;
    type SerializeTupleVariant = Elements<'t>;
    type SerializeMap = Entries<'t>;
    type SerializeStruct = Fields<'t>;
    type SerializeStructVariant = Fields<'t>;

    converted! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_f32(self, value: f32) -> Written {
        float(Value::try_from(value))
    }

    fn serialize_f64(self, value: f64) -> Written {
        float(Value::try_from(value))
    }

    fn serialize_none(self) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        Ok(Value::from(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written {
        match name {
            NUMBER => given_number(value).map(Value::from),
            VALUE => match given_value(value)? {
                Some(given) => Ok(given),
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
        let inner = value.serialize(self.deeper()?);
        Ok(in_variant(Some(variant), inner.map_err(|error| error.below_name(variant))?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'t>, WriteError> {
        self.elements(length, None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), Some(variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'t>, WriteError> {
        self.entries(length)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Fields<'t>, WriteError> {
        self.fields(name, length, None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Fields<'t>, WriteError> {
        self.fields(variant, length, Some(variant))
    }
}

/// The elements of a tuple under way.
pub(super) struct Elements<'t> {
    list: Vec<Value>,
    variant: Option<&'static str>,
    to: ValueWriter<'t>,
}

/// The attributes of an object under way.
pub(super) struct Entries<'t> {
    list: Vec<(Text, Value)>,
    /// The key of the entry whose value comes next.
    key: Text,
    to: ValueWriter<'t>,
}

/// The fields of a structure under way.
pub(super) struct Fields<'t> {
    name: &'static str,
    /// One that has been seen before, as long as the fields are the same.
    structure: Option<Rc<Structure>>,
    /// The names of the fields so far, if they are not.
    names: Vec<&'static str>,
    values: Vec<Value>,
    variant: Option<&'static str>,
    to: ValueWriter<'t>,
}

fn within(variant: Option<&'static str>, error: WriteError) -> WriteError {
    match variant {
        Some(variant) => error.below_name(variant),
        None => error,
    }
}

impl Entries<'_> {
    fn entry<T: ?Sized + Serialize>(&mut self, name: Text, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(self.to).map_err(|error| error.below_name(&name))?;
        self.list.push((name, value));
        Ok(())
    }
}

impl Fields<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(self.to).map_err(|error| within(self.variant, error.below_name(name)))?;
        match &self.structure {
            Some(known) if known.fields.get(self.values.len()).is_some_and(|field| is_same(field, name)) => {}
            Some(known) => {
                self.names = known.fields.iter().take(self.values.len()).copied().collect();
                self.names.push(name);
                self.structure = None;
            }
            None => self.names.push(name),
        }
        self.values.push(value);
        Ok(())
    }

    fn finish(self) -> Value {
        let Fields { name, structure, mut names, values, variant, to } = self;
        let value = match structure {
            Some(known) if known.fields.len() == values.len() => known.object(values),
            known => {
                names.extend(known.iter().flat_map(|known| &known.fields).take(values.len()));
                to.types.new_structure(name, names, values)
            }
        };
        in_variant(variant, value)
    }
}

macro_rules! elements {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for Elements<'_> {
            type Ok = Value;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                let value = value.serialize(self.to);
                let value = value.map_err(|error| within(self.variant, error.below_index(self.list.len())))?;
                self.list.push(value);
                Ok(())
            }

            fn end(self) -> Written {
                Ok(in_variant(self.variant, self.to.types.tuple(self.list, self.to.depth)))
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($kind:ident)*) => {$(
        impl $kind for Fields<'_> {
            type Ok = Value;
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

fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Entries<'_> {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        let key = key.serialize(KEY)?;
        self.key = Text::from(&*key);
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.entry(key, value)
    }

    fn end(self) -> Written {
        Ok(self.to.types.object(self.list, self.to.depth))
    }
}
