//! Enums whose variants are types of blocks.

use ::serde::ser::{
    Impossible, Serialize, SerializeSeq, SerializeStructVariant, SerializeTuple, SerializeTupleStruct, Serializer,
};

use super::WriteError;
use super::body::{Body, BodyWriter};
use super::item::Mode;
use super::kinds::{deeper, refuse};

/// Writes several variants of enums, each as a block.
pub(super) struct VariantBlocks<'b> {
    pub body: &'b mut BodyWriter,
    /// Whether what is no structure and no map can be an attribute.
    pub mode: Mode,
}

impl VariantBlocks<'_> {
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("what is written here are blocks: a list of enums, and not {kind}"))
    }
}

impl<'b> Serializer for VariantBlocks<'b> {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Variants<'b>;
    type SerializeTuple = Variants<'b>;
    type SerializeTupleStruct = Variants<'b>;

    fn serialize_seq(self, _: Option<usize>) -> Result<Variants<'b>, WriteError> {
        Ok(Variants { body: self.body, mode: self.mode, count: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Variants<'b>, WriteError> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Variants<'b>, WriteError> {
        self.serialize_seq(None)
    }

    fn serialize_none(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    refuse! { bool numbers texts bytes unit unit_variant maps newtype_variant tuple_variant struct_variant }
}

/// Blocks under way.
pub(super) struct Variants<'b> {
    body: &'b mut BodyWriter,
    mode: Mode,
    count: usize,
}

macro_rules! elements_are_blocks {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for Variants<'_> {
            type Ok = ();
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                let written = value.serialize(VariantBlock { body: self.body, mode: self.mode });
                written.map_err(|error| error.below_index(self.count))?;
                self.count += 1;
                Ok(())
            }

            fn end(self) -> Result<(), WriteError> {
                Ok(())
            }
        }
    )*};
}

elements_are_blocks! { SerializeSeq serialize_element SerializeTuple serialize_element SerializeTupleStruct serialize_field }

/// Writes the variant of an enum as a block, the type of which is its name.
pub(super) struct VariantBlock<'b> {
    pub body: &'b mut BodyWriter,
    /// What it is if it is no structure and no map.
    pub mode: Mode,
}

impl VariantBlock<'_> {
    /// Begins the block of a variant. Gives the body that it is in.
    fn begin(&mut self, variant: &str) -> Result<Body, WriteError> {
        let depth = deeper(self.body.depth(), self.body.settings.max_depth)?;
        self.body.begin_block(variant, &[], depth)
    }

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("a list of blocks has variants of enums in it, and not {kind}"))
            .help("the name of the variant is the type of the block")
    }
}

impl<'b> Serializer for VariantBlock<'b> {
    type Ok = ();
    type Error = WriteError;
    type SerializeStructVariant = VariantFields<'b>;

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_unit_variant(mut self, _: &'static str, _: u32, variant: &'static str) -> Result<(), WriteError> {
        let around = self.begin(variant)?;
        self.body.end_block(around)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        self.body.item(variant, value, self.mode)
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<VariantFields<'b>, WriteError> {
        let around = self.begin(variant)?;
        Ok(VariantFields { body: self.body, variant, around })
    }

    refuse! { bool numbers texts bytes unit none sequences maps tuple_variant }
}

/// The fields of a variant as what is in a block.
pub(super) struct VariantFields<'b> {
    body: &'b mut BodyWriter,
    variant: &'static str,
    /// The body that the block is in.
    around: Body,
}

impl SerializeStructVariant for VariantFields<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.body.item(name, value, Mode::Open).map_err(|error| error.below_name(self.variant))
    }

    fn end(self) -> Result<(), WriteError> {
        self.body.end_block(self.around)
    }
}
