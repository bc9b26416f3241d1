//! Objects of Python, prepared without the lock of the interpreter.
//!
//! Trees of Rust would be read and freed under the lock, and each name made again for each dict. So work without the lock
//! writes a list of steps, in which an object comes after its parts, and each text once. `{"a": [1, "b"], "c": "b"}` is
//!
//! ```text
//! text 0, whole 1, text 1, list of 2, text 2, text 1, dict of 2      0: a  1: b  2: c
//! ```
//!
//! Making the objects keeps those that are not part of another one yet on a stack, so no depth is too much.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hcl_lr::model::Number;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use std::hash::BuildHasher;

use crate::report;
use crate::values::{decimal, whole};

/// The steps that make an object, with their texts.
#[derive(Default)]
pub struct Objects {
    steps: Vec<Step>,
    /// All texts in a row, and the end of each.
    texts: String,
    ends: Vec<usize>,
    /// The numbers of texts by their hashes. Of two texts with one hash, only the first one is found.
    known: HashMap<u64, u32, RandomState>,
    hasher: RandomState,
}

/// Makes an object: of a text by its number, or of the last objects by their number.
#[derive(Clone, Copy)]
enum Step {
    None,
    Bool(bool),
    Whole(i64),
    Float(f64),
    /// A whole number of many digits.
    Long(u32),
    /// A number with a fraction.
    Decimal(u32),
    Text(u32),
    Expression(u32),
    List(u32),
    /// A dict of pairs of keys and values.
    Dict(u32),
    /// The same as `hcl_lr.Body`.
    Body(u32),
}

/// Longer texts are seldom repeated, so they are not searched for.
const MAX_SEARCHED: usize = 64;

impl Objects {
    fn text_number(&mut self, text: &str) -> u32 {
        let next = self.ends.len() as u32;
        if text.len() <= MAX_SEARCHED {
            let known = *self.known.entry(self.hasher.hash_one(text)).or_insert(next);
            if known != next && self.text_of(known) == text {
                return known;
            }
        }
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        next
    }

    fn text_of(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[number]]
    }

    pub fn none(&mut self) {
        self.steps.push(Step::None);
    }

    pub fn bool(&mut self, value: bool) {
        self.steps.push(Step::Bool(value));
    }

    pub fn float(&mut self, value: f64) {
        self.steps.push(Step::Float(value));
    }

    /// Adds the whole number of digits, which may have a sign.
    pub fn whole(&mut self, digits: &str) {
        let step = match digits.parse() {
            Ok(small) => Step::Whole(small),
            Err(_) => Step::Long(self.text_number(digits)),
        };
        self.steps.push(step);
    }

    pub fn number(&mut self, number: &Number) {
        let text = number.to_string();
        if number.is_infinite() {
            self.float(if number.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY });
        } else if number.is_whole() {
            self.whole(&text);
        } else {
            let step = Step::Decimal(self.text_number(&text));
            self.steps.push(step);
        }
    }

    pub fn text(&mut self, text: &str) {
        let step = Step::Text(self.text_number(text));
        self.steps.push(step);
    }

    /// Adds the source of an expression.
    pub fn expression(&mut self, text: &str) {
        let step = Step::Expression(self.text_number(text));
        self.steps.push(step);
    }

    /// Makes a list of the last objects.
    pub fn list(&mut self, elements: usize) {
        self.steps.push(Step::List(elements as u32));
    }

    /// Makes a dict of the last objects: pairs of a key and a value.
    pub fn dict(&mut self, pairs: usize) {
        self.steps.push(Step::Dict(pairs as u32));
    }

    /// Makes an `hcl_lr.Body` of the last objects, as [`dict`](Self::dict) does.
    pub fn body(&mut self, pairs: usize) {
        self.steps.push(Step::Body(pairs as u32));
    }

    /// Makes the object. `floats` makes numbers with a fraction of their texts.
    pub fn make<'py>(&self, py: Python<'py>, floats: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let (body, expression) = (report::of_types(py, "Body")?, report::of_types(py, "Expression")?);
        // The objects of texts that were made already: as a `str`, and as an `Expression`.
        let mut strings: Vec<Option<Bound<'py, PyAny>>> = vec![None; self.ends.len()];
        let mut expressions = strings.clone();
        let mut made: Vec<Bound<'py, PyAny>> = Vec::new();
        for step in &self.steps {
            let object = match *step {
                Step::None => py.None().into_bound(py),
                Step::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
                Step::Whole(value) => PyInt::new(py, value).into_any(),
                Step::Float(value) => PyFloat::new(py, value).into_any(),
                Step::Long(number) => whole(py, self.text_of(number))?,
                Step::Decimal(number) => floats.unwrap_or(decimal(py)?).call1((self.text_of(number),))?,
                Step::Text(number) => {
                    let new = || PyString::new(py, self.text_of(number)).into_any();
                    strings[number as usize].get_or_insert_with(new).clone()
                }
                Step::Expression(number) => match &expressions[number as usize] {
                    Some(known) => known.clone(),
                    None => {
                        let new = expression.call1((self.text_of(number),))?;
                        expressions[number as usize] = Some(new.clone());
                        new
                    }
                },
                Step::List(count) => {
                    let start = made.len() - count as usize;
                    PyList::new(py, made.drain(start..))?.into_any()
                }
                Step::Dict(pairs) => {
                    let dict = PyDict::new(py);
                    fill(&dict, &mut made, pairs)?;
                    dict.into_any()
                }
                Step::Body(pairs) => {
                    let object = body.call0()?;
                    fill(object.cast()?, &mut made, pairs)?;
                    object
                }
            };
            made.push(object);
        }
        Ok(made.pop().unwrap_or_else(|| py.None().into_bound(py)))
    }
}

/// Fills a dict with the last objects.
fn fill<'py>(dict: &Bound<'py, PyDict>, made: &mut Vec<Bound<'py, PyAny>>, pairs: u32) -> PyResult<()> {
    let start = made.len() - 2 * pairs as usize;
    for pair in made[start..].chunks_exact(2) {
        dict.set_item(&pair[0], &pair[1])?;
    }
    made.truncate(start);
    Ok(())
}
