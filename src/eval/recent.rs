//! The types that an evaluation created most recently.
//!
//! An object in a loop has the same type each time, but each iteration would create that type anew, with the names in
//! it. So the last few types are kept, and values of equal types share them.

use crate::model::{Type, Value};
use crate::sorting::sort_by_key;

/// The number of types of each kind that are kept, which is enough for objects within an object.
const MAX_KEPT: usize = 8;

/// Longer tuples and objects are not compared.
const MAX_LENGTH: usize = 32;

/// Types that nest more deeply are not kept either.
const MAX_HEIGHT: u32 = 8;

fn is_small(values: &[Value]) -> bool {
    values.len() <= MAX_LENGTH && values.iter().all(|value| value.type_height() <= MAX_HEIGHT)
}

/// The types that were made last.
#[derive(Default)]
pub(super) struct Recent {
    objects: Ring<(Type, Vec<usize>)>,
    tuples: Ring<Type>,
}

impl Recent {
    /// The tuple of these elements.
    pub fn tuple(&mut self, elements: Vec<Value>) -> Value {
        if !is_small(&elements) {
            return Value::tuple(elements);
        }
        let fits = |ty: &&Type| {
            let types = ty.tuple_elements().unwrap_or_default();
            types.len() == elements.len() && types.iter().zip(&elements).all(|(ty, element)| element.is_of(ty))
        };
        if let Some(ty) = self.tuples.kept.iter().find(fits) {
            return Value::with_parts(ty.clone(), elements);
        }
        let value = Value::tuple(elements);
        self.tuples.keep(value.ty());
        value
    }

    /// Returns the object of these names and values, which are in source order.
    pub fn object<'n, I>(&mut self, names: impl Fn() -> I, mut values: Vec<Value>) -> Value
    where
        I: Iterator<Item = &'n str>,
    {
        if !is_small(&values) {
            return Value::object_of_texts(&names().collect::<Vec<_>>(), values);
        }
        let fits = |(ty, order): &&(Type, Vec<usize>)| {
            let attributes = ty.attributes().unwrap_or_default();
            order.len() == values.len()
                && names()
                    .zip(&values)
                    .zip(order)
                    .all(|((name, value), at)| attributes[*at].name() == name && value.is_of(attributes[*at].ty()))
        };
        if let Some((ty, order)) = self.objects.kept.iter().find(fits) {
            if order.is_sorted() {
                return Value::with_parts(ty.clone(), values);
            }
            let mut parts: Vec<(usize, Value)> = order.iter().copied().zip(values.drain(..)).collect();
            sort_by_key(&mut parts, |(at, _)| *at);
            values.extend(parts.into_iter().map(|(_, value)| value));
            return Value::with_parts(ty.clone(), values);
        }
        let value = Value::object(names().zip(values));
        if let Type::Object(object) = value.ty() {
            // A name that occurs twice, or is not normalized, leaves a gap.
            let order: Option<Vec<usize>> = names().map(|name| object.position(name)).collect();
            if let Some(order) = order.filter(|order| order.len() == object.attributes().len()) {
                self.objects.keep((value.ty(), order));
            }
        }
        value
    }
}

/// The last few items; a new item replaces the oldest.
struct Ring<T> {
    kept: Vec<T>,
    oldest: usize,
}

impl<T> Ring<T> {
    fn keep(&mut self, new: T) {
        if self.kept.len() < MAX_KEPT {
            return self.kept.push(new);
        }
        self.kept[self.oldest] = new;
        self.oldest = (self.oldest + 1) % MAX_KEPT;
    }
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Ring { kept: Vec::new(), oldest: 0 }
    }
}
