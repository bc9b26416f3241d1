//! Bodies: that of a file, and those of blocks.

use std::mem;

use ::serde::ser::Serialize;

use super::blocks::{VariantBlock, VariantBlocks, Variants};
use super::handover::given_value;
use super::item::{Item, Mode, Written};
use super::kinds::{Entries, Members, Receiver, To};
use super::text::{key, label, labels};
use super::{Settings, WriteError};
use crate::construct::NewBody;
use crate::model::Value;
use crate::syntax::is_identifier;
use crate::typed::wrappers::{BLOCK, BLOCKS_BY_LABEL, BLOCKS_FIELD, LABEL_FIELD, LABELED, LABELS_FIELD, VALUE};
use crate::writer::{BlockText, Layout, ListText, ObjectText, quoted};

/// The body being written: the text so far, and the place of the next item in it.
pub(super) struct BodyWriter {
    pub out: Layout,
    pub settings: Settings,
    /// The body of the next item, and those around it, outermost first.
    body: Body,
    around: Vec<Body>,
    /// The labels of the unfinished blocks that their items know, outermost first.
    pub labels: Vec<String>,
    /// The enclosing lists and maps of the next item that are empty so far: their first element decides how they are
    /// written.
    undecided: Vec<Undecided>,
    names: Names,
}

/// The number of bodies around a block, which remain when it ends.
#[derive(Clone, Copy)]
pub(super) struct Around(usize);

/// A body under way.
#[derive(Default)]
struct Body {
    /// The block; `None` for the body of a file.
    block: Option<BlockText>,
    /// The index of its first attribute among all names.
    first_name: usize,
    /// A bit for each of the names: only names with the same bit may be equal.
    name_bits: u128,
    may_repeat: bool,
    /// The number of enclosing blocks, and of the lists and maps around these.
    depth: u32,
}

/// A list, or a map with its first key.
enum Undecided {
    List,
    Map(String),
}

impl BodyWriter {
    pub(super) fn of_file(settings: Settings) -> Self {
        BodyWriter {
            out: Layout::default(),
            settings,
            body: Body::default(),
            around: Vec::new(),
            labels: Vec::new(),
            undecided: Vec::new(),
            names: Names::default(),
        }
    }

    /// Returns the depth of the next item.
    pub(super) fn depth(&self) -> u32 {
        self.body.depth
    }

    /// Writes a field or an entry.
    pub(super) fn item<T: ?Sized + Serialize>(&mut self, name: &str, value: &T, mode: Mode) -> Result<(), WriteError> {
        self.unplaced_item(name, value, mode).map_err(|error| error.below_name(name))
    }

    fn unplaced_item<T: ?Sized + Serialize>(&mut self, name: &str, value: &T, mode: Mode) -> Result<(), WriteError> {
        let written = match name {
            LABEL_FIELD => Written::Labels(Box::new([label(value)?])),
            LABELS_FIELD => Written::Labels(labels(value)?.into()),
            BLOCKS_FIELD => return value.serialize(To(VariantBlocks { body: self, mode: Mode::OneBlock })),
            _ => {
                self.undecided.clear();
                value.serialize(To(Item::new(name, mode, self)))?
            }
        };
        match written {
            Written::Nothing | Written::Blocks => Ok(()),
            Written::Empty(empty) => {
                self.begin_expression(name);
                self.out.push(empty.text());
                self.end_attribute(name)
            }
            Written::Expression(_) => self.end_attribute(name),
            Written::Labels(labels) => self.add_labels(&labels),
        }
    }

    /// Writes everything before an expression: the name of the attribute, and the lists and objects that begin with it.
    pub(super) fn begin_expression(&mut self, name: &str) {
        self.out.begin_attribute(name);
        for around in &self.undecided {
            match around {
                Undecided::List => ListText::new(&mut self.out).begin_element(&mut self.out),
                Undecided::Map(key) => ObjectText::new(&mut self.out).begin_entry(key, &mut self.out),
            }
        }
        self.undecided.clear();
    }

    fn end_attribute(&mut self, name: &str) -> Result<(), WriteError> {
        if !is_identifier(name) {
            return Err(no_name(name, "an attribute"));
        }
        self.out.end_line();
        let letters = name.as_bytes();
        let letter = |at: usize| letters.get(at).map_or(0, |letter| usize::from(*letter));
        let hash = letters.len() * 29
            + letter(0) * 13
            + letter(letters.len() / 2) * 5
            + letter(letters.len().saturating_sub(1));
        let bit = 1 << (hash % u128::BITS as usize);
        self.body.may_repeat |= self.body.name_bits & bit != 0;
        self.body.name_bits |= bit;
        self.names.add(name);
        Ok(())
    }

    /// Records that the next item is the first element of a list.
    pub(super) fn in_list(&mut self) {
        self.undecided.push(Undecided::List);
    }

    /// Records that the next item is the first entry of a map.
    pub(super) fn in_map(&mut self, key: &str) {
        self.undecided.push(Undecided::Map(key.to_owned()));
    }

    /// There was no next item.
    pub(super) fn not_in_list(&mut self) {
        self.undecided.pop();
    }

    fn add_labels(&mut self, labels: &[String]) -> Result<(), WriteError> {
        let Some(block) = &mut self.body.block else {
            return Err(WriteError::new("only blocks have labels, and this is a file")
                .help("put what has these labels into a field of the type `BlockOf`"));
        };
        labels.iter().for_each(|label| block.add_label(label, &mut self.out));
        Ok(())
    }

    /// Begins a block, which contains the next items. Its labels start at an index.
    pub(super) fn begin_block(&mut self, name: &str, first_label: usize, depth: u32) -> Result<Around, WriteError> {
        if !is_identifier(name) {
            return Err(no_name(name, "a block"));
        }
        self.undecided.clear();
        let labels = self.labels[first_label..].iter();
        let block = Some(BlockText::new(name, labels.map(|label| quoted(label)), &mut self.out));
        let body = Body { block, first_name: self.names.count(), depth, ..Body::default() };
        self.around.push(mem::replace(&mut self.body, body));
        Ok(Around(self.around.len() - 1))
    }

    /// Ends the block with a number of bodies around it.
    pub(super) fn end_block(&mut self, around: Around) -> Result<(), WriteError> {
        self.end_names()?;
        // A `Serialize` that ignores errors may have left unfinished blocks in it.
        self.around.truncate(around.0 + 1);
        let around = self.around.pop().unwrap_or_default();
        if let Some(block) = mem::replace(&mut self.body, around).block {
            block.finish(&mut self.out);
        }
        Ok(())
    }

    fn end_names(&mut self) -> Result<(), WriteError> {
        if self.body.may_repeat
            && let Some(name) = self.names.duplicate(self.body.first_name)
        {
            return Err(WriteError::new("two attributes have this name").help("rename one of them").below_name(name));
        }
        self.names.truncate(self.body.first_name);
        Ok(())
    }

    /// The text of the file.
    pub(super) fn into_text(mut self) -> Result<String, WriteError> {
        self.end_names()?;
        Ok(self.out.finish())
    }

    pub(super) fn into_body(mut self) -> Result<NewBody, WriteError> {
        self.end_names()?;
        Ok(NewBody::written(self.out))
    }

    /// Writes the attributes of an object as those of a body.
    pub(super) fn value(&mut self, value: &Value) -> Result<(), WriteError> {
        let Some(entries) = value.entries().filter(|_| !value.is_marked()) else {
            let what = match value {
                value if value.is_marked() => "a marked value".to_owned(),
                value if !value.is_known() => "an unknown value".to_owned(),
                value if value.is_null() => "null".to_owned(),
                value => format!("a {}", value.shown_type()),
            };
            return Err(no_body(self.body.block.is_some(), &what));
        };
        for (name, value) in entries {
            self.item(name, value, Mode::Open)?;
        }
        Ok(())
    }
}

/// The names of the attributes of all unfinished bodies, outermost first.
#[derive(Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns a duplicate name among those from an index on.
    fn duplicate(&self, first: usize) -> Option<&str> {
        let name = |at: usize| &self.text[at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]];
        let count = self.count().saturating_sub(first);
        if count > 8 {
            let mut names: Vec<&str> = (first..self.count()).map(name).collect();
            names.sort_unstable();
            return names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        }
        (first..self.count()).find(|&at| (first..at).any(|before| name(before) == name(at))).map(name)
    }

    fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.text.truncate(self.ends.last().copied().unwrap_or_default());
    }
}

fn no_name(name: &str, what: &str) -> WriteError {
    WriteError::new(format!("{name:?} cannot be the name of {what}")).help(
        "names are letters, digits, `_` and `-`, and do not begin with a digit or `-`; the keys of an object can be any text",
    )
}

/// Returns the error for a value that is neither a file nor a block.
pub(super) fn no_body(is_block: bool, kind: &str) -> WriteError {
    let what = if is_block { "a block" } else { "a file" };
    let error = WriteError::new(format!("{what} must be a structure or a map, not {kind}"));
    match is_block {
        true => error.help("take it out of its `BlockOf` to write an attribute"),
        false => error.help("put it into a field, to write it as an attribute of this name"),
    }
}

/// Writes the body of a file.
pub(super) struct FileWriter<'b> {
    pub body: &'b mut BodyWriter,
}

impl<'b> FileWriter<'b> {
    /// Returns a writer of a file that consists of the variant of an enum as its only block.
    fn variant(self) -> VariantBlock<'b> {
        VariantBlock { body: self.body, mode: Mode::Either }
    }
}

impl<'b> Receiver for FileWriter<'b> {
    type Ok = ();
    type List = Variants<'b>;
    type Map = Fields<'b>;
    type Struct = Fields<'b>;

    fn refused(&self, kind: &str) -> WriteError {
        no_body(false, kind)
    }

    fn none(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn unit(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn unit_variant(self, variant: &'static str) -> Result<(), WriteError> {
        self.variant().unit_variant(variant)
    }

    fn newtype<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), WriteError> {
        match name {
            VALUE => match given_value(value) {
                Some(given) => self.body.value(&given),
                None => value.serialize(To(self)),
            },
            BLOCK | BLOCKS_BY_LABEL => Err(no_type()),
            _ => value.serialize(To(self)),
        }
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, variant: &'static str, value: &T) -> Result<(), WriteError> {
        self.variant().newtype_variant(variant, value)
    }

    fn list(self, kind: &'static str, length: Option<usize>) -> Result<Variants<'b>, WriteError> {
        VariantBlocks { body: self.body, mode: Mode::Either }.list(kind, length)
    }

    fn tuple_variant(self, variant: &'static str, length: usize) -> Result<Variants<'b>, WriteError> {
        self.variant().tuple_variant(variant, length)
    }

    fn map(self, _: Option<usize>) -> Result<Fields<'b>, WriteError> {
        Ok(Fields { body: self.body, key: String::new(), block: None })
    }

    fn structure(self, name: &'static str, _: usize) -> Result<Fields<'b>, WriteError> {
        if name == LABELED { Err(no_type()) } else { self.map(None) }
    }

    fn struct_variant(self, variant: &'static str, length: usize) -> Result<Fields<'b>, WriteError> {
        self.variant().struct_variant(variant, length)
    }
}

fn no_type() -> WriteError {
    WriteError::new("a block needs a type, and a file has none")
        .help("put the `BlockOf` or `Labeled` into a field with the name of the type")
}

/// Writes the fields of a structure, or the entries of a map, as items of a body.
pub struct Fields<'b> {
    pub(super) body: &'b mut BodyWriter,
    /// The key of the entry whose value comes next.
    pub(super) key: String,
    /// If a variant of an enum is written as a block: the name of the variant, and the bodies around the block.
    pub(super) block: Option<(&'static str, Around)>,
}

impl Members for Fields<'_> {
    type Ok = ();

    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.body.item(name, value, Mode::Open).map_err(|error| match &self.block {
            Some((variant, _)) => error.below_name(variant),
            None => error,
        })
    }

    fn finish(self) -> Result<(), WriteError> {
        match self.block {
            Some((_, around)) => self.body.end_block(around),
            None => Ok(()),
        }
    }
}

impl Entries for Fields<'_> {
    type Ok = ();

    fn key<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.key = key(value)?;
        Ok(())
    }

    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = mem::take(&mut self.key);
        self.body.item(&key, value, Mode::Open)
    }

    fn finish(self) -> Result<(), WriteError> {
        Ok(())
    }
}
