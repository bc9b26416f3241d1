//! Types for concepts of HCL that serde's data model lacks.
//!
//! The reader and the writer of this crate recognize them by unique names, as in `serde_spanned`. Other formats see
//! only their content.

use std::ops::{Deref, DerefMut};

use ::serde::ser::{Serialize, SerializeStruct, Serializer};

/// The newtype structure of a value that is written as a block.
pub(crate) const BLOCK: &str = "$hcl_lr::block";
/// The newtype structure of a list that is written as blocks. Only the reader knows it.
pub(crate) const BLOCKS: &str = "$hcl_lr::blocks";
/// The newtype structure of maps whose keys are the labels of blocks. Only the writer knows it.
pub(crate) const BLOCKS_BY_LABEL: &str = "$hcl_lr::blocks_by_label";
/// The newtype structure of the labels of a block.
pub(crate) const LABELS: &str = "$hcl_lr::labels";
/// The structure of the labels of a block and its content.
pub(crate) const LABELED: &str = "$hcl_lr::labeled";
/// The same with a number of labels, which is the index.
const LABELED_EXACTLY: [&str; 9] = [
    "$hcl_lr::labeled/0",
    "$hcl_lr::labeled/1",
    "$hcl_lr::labeled/2",
    "$hcl_lr::labeled/3",
    "$hcl_lr::labeled/4",
    "$hcl_lr::labeled/5",
    "$hcl_lr::labeled/6",
    "$hcl_lr::labeled/7",
    "$hcl_lr::labeled/8",
];
/// The fields of [`LABELED`].
pub(crate) const LABELED_FIELDS: &[&str] = &["labels", "value"];
/// The newtype structure of an expression as text.
pub(crate) const EXPRESSION: &str = "$hcl_lr::expression";
/// The newtype structure of a template as text.
pub(crate) const TEMPLATE: &str = "$hcl_lr::template";
/// The newtype structure of a value of the information model.
pub(crate) const VALUE: &str = "$hcl_lr::value";
/// The newtype structure of a number as text.
pub(crate) const NUMBER: &str = "$hcl_lr::number";
/// The newtype structure of a type as text.
pub(crate) const TYPE: &str = "$hcl_lr::type";

/// The newtype structure of a type constraint as text.
pub(crate) const CONSTRAINT: &str = "$hcl_lr::constraint";

/// The field of a structure that has all labels of its block.
pub(crate) const LABELS_FIELD: &str = "$labels";
/// The field of a structure that has the only label of its block.
pub(crate) const LABEL_FIELD: &str = "$label";
/// The field of a structure for the blocks that no other field takes.
pub(crate) const BLOCKS_FIELD: &str = "$blocks";

/// A value that is written as one or several blocks.
///
/// A structure is written as an object unless it is in a `BlockOf`. Reading needs no `BlockOf`, because files
/// distinguish them; with it, reading accepts a block and rejects an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockOf<T>(pub T);

/// The labels of a block, as the type of a field of the structure that the block is read into, or in [`Labeled`].
///
/// ```
/// use hcl_lr::typed::Labels;
///
/// let labels = Labels::from(["aws_instance", "web"]);
/// assert_eq!(labels[1], "web");
/// assert_eq!(labels.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labels(pub Vec<String>);

/// The labels of a block, and its content.
///
/// By default there may be any number of labels. `Labeled<T, String>` takes one label, and `Labeled<T, [String; N]>` takes `N` labels;
/// a block with another number of them is an error at its place.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::typed::Labeled;
///
/// let service = Labeled::new(["web"], 8080);
/// assert_eq!((service.label(), service.value), (Some("web"), 8080));
///
/// type Resource = Labeled<BTreeMap<String, u8>, [String; 2]>;
/// let file = hcl_lr::from_str::<BTreeMap<String, Vec<Resource>>>("resource \"disk\" \"main\" {\n  size = 8\n}\n")?;
/// let [kind, name] = &file["resource"][0].labels;
/// assert_eq!((kind.as_str(), name.as_str()), ("disk", "main"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labeled<T, L = Labels> {
    /// The labels.
    pub labels: L,
    /// The content of the block between its braces.
    pub value: T,
}

impl<T> BlockOf<T> {
    /// Returns the content of the block.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for BlockOf<T> {
    fn from(value: T) -> Self {
        BlockOf(value)
    }
}

impl<T> Deref for BlockOf<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for BlockOf<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl Deref for Labels {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<L: Into<String>> FromIterator<L> for Labels {
    fn from_iter<I: IntoIterator<Item = L>>(labels: I) -> Self {
        Labels(labels.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<String>, const N: usize> From<[L; N]> for Labels {
    fn from(labels: [L; N]) -> Self {
        labels.into_iter().collect()
    }
}

impl From<Vec<String>> for Labels {
    fn from(labels: Vec<String>) -> Self {
        Labels(labels)
    }
}

/// The labels that a [`Labeled`] has: [`Labels`] of any number, a `String` for one label, an array for as many as it has
/// elements. No other types implement it.
pub trait BlockLabels: Sized + sealed::Sealed {
    /// The number of labels, unless any number is allowed.
    const COUNT: Option<usize>;

    /// Returns the labels in their order.
    fn as_slice(&self) -> &[String];

    /// Returns labels of this type, or the same labels if their number is another one.
    ///
    /// # Errors
    /// The number of labels is not [`COUNT`](Self::COUNT).
    fn from_labels(labels: Labels) -> Result<Self, Labels>;
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::Labels {}
    impl Sealed for String {}
    impl<const N: usize> Sealed for [String; N] {}
}

impl BlockLabels for Labels {
    const COUNT: Option<usize> = None;

    fn as_slice(&self) -> &[String] {
        self
    }

    fn from_labels(labels: Labels) -> Result<Self, Labels> {
        Ok(labels)
    }
}

impl BlockLabels for String {
    const COUNT: Option<usize> = Some(1);

    fn as_slice(&self) -> &[String] {
        std::slice::from_ref(self)
    }

    fn from_labels(labels: Labels) -> Result<Self, Labels> {
        <[String; 1]>::try_from(labels.0).map(|[label]| label).map_err(Labels)
    }
}

impl<const N: usize> BlockLabels for [String; N] {
    const COUNT: Option<usize> = Some(N);

    fn as_slice(&self) -> &[String] {
        self
    }

    fn from_labels(labels: Labels) -> Result<Self, Labels> {
        labels.0.try_into().map_err(Labels)
    }
}

impl<T> Labeled<T> {
    /// A value with the labels of its block.
    pub fn new(labels: impl Into<Labels>, value: T) -> Self {
        Labeled { labels: labels.into(), value }
    }
}

impl<T, const N: usize> Labeled<T, [String; N]> {
    /// A value with the labels of its block, whose number is a part of the type.
    pub fn exact(labels: [impl Into<String>; N], value: T) -> Self {
        Labeled { labels: labels.map(Into::into), value }
    }
}

impl<T, L: BlockLabels> Labeled<T, L> {
    /// Returns the first label, if there is one.
    pub fn label(&self) -> Option<&str> {
        self.labels.as_slice().first().map(String::as_str)
    }
}

/// Returns the name of the structure of a block with so many labels. More labels than any file has are counted by the type.
pub(crate) fn labeled_name(count: Option<usize>) -> &'static str {
    count.and_then(|count| LABELED_EXACTLY.get(count)).copied().unwrap_or(LABELED)
}

/// Returns the number of labels of a structure with this name, if it is the one of [`Labeled`].
pub(crate) fn labels_of_name(name: &str) -> Option<Option<usize>> {
    if name == LABELED {
        return Some(None);
    }
    let count = name.strip_prefix(LABELED)?.strip_prefix('/')?;
    count.parse().ok().map(Some)
}

/// Serializes the content, for other formats.
impl<T: Serialize> Serialize for BlockOf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCK, &self.0)
    }
}

/// A sequence of strings, to other formats.
impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(LABELS, &self.0)
    }
}

/// Labels that are borrowed.
struct AsLabels<'l>(&'l [String]);

impl Serialize for AsLabels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(LABELS, self.0)
    }
}

/// In other formats, a structure with two fields, `labels` and `value`.
impl<T: Serialize, L: BlockLabels> Serialize for Labeled<T, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut labeled = serializer.serialize_struct(LABELED, LABELED_FIELDS.len())?;
        labeled.serialize_field(LABELED_FIELDS[0], &AsLabels(self.labels.as_slice()))?;
        labeled.serialize_field(LABELED_FIELDS[1], &self.value)?;
        labeled.end()
    }
}
