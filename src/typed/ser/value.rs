//! Values from anything that serializes.

use std::cell::RefCell;
use std::rc::Rc;

use ::serde::ser::Serialize;

use super::WriteError;
use super::handover::{given_number, given_value};
use super::kinds::{Entries, MAX_NESTING, Members, Parts, Plain, Receiver, To, deeper};
use super::text::key;
use crate::model::{NumberError, Text, Type, Value};
use crate::typed::wrappers::{NUMBER, VALUE};

type Written = Result<Value, WriteError>;

/// The types of the last tuple and the last object at each depth, for reuse by the next ones, because many are equal.
#[derive(Default)]
pub(super) struct Types {
    by_depth: RefCell<Vec<[Type; 2]>>,
    structures: RefCell<Vec<Rc<Structure>>>,
}

/// Turns a structure of a program into an object: its fields in order, and the index of each name.
struct Structure {
    name: &'static str,
    fields: Vec<&'static str>,
    /// The sequence of swaps that sorts the values by name.
    swaps: Vec<(usize, usize)>,
    /// The type of the last one.
    ty: RefCell<Type>,
}

/// The number of kinds of structures that are remembered.
const MAX_STRUCTURES: usize = 64;

/// Returns true if two names of a program are one in memory.
fn is_same(one: &'static str, other: &'static str) -> bool {
    std::ptr::eq(one, other)
}

impl Structure {
    /// Returns `None` if a name is there twice.
    fn new(name: &'static str, fields: Vec<&'static str>, ty: Type) -> Option<Structure> {
        let Type::Object(object) = &ty else { return None };
        if object.attributes().len() != fields.len() {
            return None;
        }
        // The field at each position so far.
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
    /// Creates a value, given the type of the last one at a depth, which only avoids creating it again.
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

    /// Returns a known structure with this name.
    fn structure(&self, name: &'static str, length: usize) -> Option<Rc<Structure>> {
        let known = self.structures.borrow();
        known.iter().find(|known| is_same(known.name, name) && known.fields.len() == length).cloned()
    }

    /// Returns an object of fields that are new.
    fn new_structure(&self, name: &'static str, fields: Vec<&'static str>, values: Vec<Value>) -> Value {
        let value = Value::object_of_texts(&fields, values);
        let mut known = self.structures.borrow_mut();
        if known.len() < MAX_STRUCTURES
            && let Some(structure) = Structure::new(name, fields, value.ty())
        {
            // The last field of a name wins.
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

    fn elements(self, length: Option<usize>, variant: Option<&'static str>) -> Result<ElementsSoFar<'t>, WriteError> {
        // The announced length may be wrong.
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(ElementsSoFar { list, variant, to: self.deeper()? })
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

    fn entries(self, length: Option<usize>) -> Result<EntriesSoFar<'t>, WriteError> {
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(EntriesSoFar { list, key: Text::default(), to: self.deeper()? })
    }
}

fn float(value: Result<Value, NumberError>) -> Written {
    value.map_err(|why| WriteError::new(why.to_string()).help("leave it out, or make it a string"))
}

/// Returns a variant in the form of other formats: an object with its name as the only attribute.
fn in_variant(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::object([(variant, value)]),
        None => value,
    }
}

impl<'t> Receiver for ValueWriter<'t> {
    type Ok = Value;
    type List = ElementsSoFar<'t>;
    type Map = EntriesSoFar<'t>;
    type Struct = Fields<'t>;

    /// No kind is refused.
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} cannot be a value"))
    }

    // Inlined, because each caller knows the kind, so that only one arm is left.
    #[inline(always)]
    fn plain(self, value: Plain<'_>) -> Written {
        Ok(match value {
            Plain::Bool(value) => value.into(),
            Plain::Signed(value) => value.into(),
            Plain::Unsigned(value) => value.into(),
            Plain::LongSigned(value) => value.into(),
            Plain::LongUnsigned(value) => value.into(),
            Plain::Single(value) => return float(Value::try_from(value)),
            Plain::Double(value) => return float(Value::try_from(value)),
            Plain::Char(value) => value.into(),
            Plain::Text(value) => value.into(),
            Plain::Bytes(value) => value.into(),
        })
    }

    fn none(self) -> Written {
        Ok(Value::NULL)
    }

    fn unit(self) -> Written {
        Ok(Value::NULL)
    }

    fn unit_variant(self, variant: &'static str) -> Written {
        Ok(Value::from(variant))
    }

    fn newtype<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written {
        match name {
            NUMBER => given_number(value).map(Value::from),
            VALUE => match given_value(value) {
                Some(given) => Ok(given),
                None => value.serialize(To(self)),
            },
            _ => value.serialize(To(self)),
        }
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, variant: &'static str, value: &T) -> Written {
        let inner = value.serialize(To(self.deeper()?));
        Ok(in_variant(Some(variant), inner.map_err(|error| error.below_name(variant))?))
    }

    fn list(self, _: &'static str, length: Option<usize>) -> Result<ElementsSoFar<'t>, WriteError> {
        self.elements(length, None)
    }

    fn tuple_variant(self, variant: &'static str, length: usize) -> Result<ElementsSoFar<'t>, WriteError> {
        self.elements(Some(length), Some(variant))
    }

    fn map(self, length: Option<usize>) -> Result<EntriesSoFar<'t>, WriteError> {
        self.entries(length)
    }

    fn structure(self, name: &'static str, length: usize) -> Result<Fields<'t>, WriteError> {
        self.fields(name, length, None)
    }

    fn struct_variant(self, variant: &'static str, length: usize) -> Result<Fields<'t>, WriteError> {
        self.fields(variant, length, Some(variant))
    }
}

/// The elements of a tuple under way.
pub(super) struct ElementsSoFar<'t> {
    list: Vec<Value>,
    variant: Option<&'static str>,
    to: ValueWriter<'t>,
}

/// The attributes of an object under way.
pub(super) struct EntriesSoFar<'t> {
    list: Vec<(Text, Value)>,
    /// The key of the entry whose value comes next.
    key: Text,
    to: ValueWriter<'t>,
}

/// The fields of a structure under way.
pub(super) struct Fields<'t> {
    name: &'static str,
    /// A known structure, as long as the fields are the same.
    structure: Option<Rc<Structure>>,
    /// The names of the fields so far, if they differ.
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

impl Members for Fields<'_> {
    type Ok = Value;

    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(To(self.to)).map_err(|error| within(self.variant, error.below_name(name)))?;
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

    fn finish(self) -> Written {
        let Fields { name, structure, mut names, values, variant, to } = self;
        let value = match structure {
            Some(known) if known.fields.len() == values.len() => known.object(values),
            known => {
                names.extend(known.iter().flat_map(|known| &known.fields).take(values.len()));
                to.types.new_structure(name, names, values)
            }
        };
        Ok(in_variant(variant, value))
    }
}

impl Parts for ElementsSoFar<'_> {
    type Ok = Value;

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(To(self.to));
        let value = value.map_err(|error| within(self.variant, error.below_index(self.list.len())))?;
        self.list.push(value);
        Ok(())
    }

    fn finish(self) -> Written {
        Ok(in_variant(self.variant, self.to.types.tuple(self.list, self.to.depth)))
    }
}

impl Entries for EntriesSoFar<'_> {
    type Ok = Value;

    fn key<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.key = Text::from(&*key(value)?);
        Ok(())
    }

    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let name = std::mem::take(&mut self.key);
        let value = value.serialize(To(self.to)).map_err(|error| error.below_name(&name))?;
        self.list.push((name, value));
        Ok(())
    }

    fn finish(self) -> Written {
        Ok(self.to.types.object(self.list, self.to.depth))
    }
}
