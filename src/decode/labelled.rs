//! Specs for all blocks of a type, as maps or objects by label.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::block::with_other_place;
use super::collection::{inconsistent, marks_of};
use super::decoding::{BodyView, Decoding, within};
use super::same_type::{DifferentType, unified};
use super::{Kind, Nested, Spec};
use crate::body::{Block, BlockSchema};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{CollectionKind, MarkSet, Text, Type, Value, normalized};

#[derive(Debug)]
struct Labelled {
    block_type: String,
    /// The names of the labels that are the keys. There is at least one.
    labels: Vec<String>,
    nested: Spec,
    shape: Shape,
    /// The schema of the blocks, if some of their labels are optional.
    schema: Option<BlockSchema>,
    /// The allowed number of blocks.
    count: (usize, Option<usize>),
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Map,
    Object,
    /// An object of tuples, because blocks may have equal labels.
    Groups,
}

impl Spec {
    /// Decodes all blocks of a type with a spec to maps by their labels, one level for each label. No two blocks may
    /// have the same labels. The values are converted to a common type, which must exist. Without blocks, the result is
    /// a single empty map.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let sizes = Spec::block_map("disk", &["name"], Spec::attr("size", Type::Number));
    /// let body = parse::<Body>("disk \"root\" {\n  size = 20\n}\ndisk \"data\" {}\n").into_result()?;
    /// assert_eq!(sizes.decode(&body, &Scope::new()).into_result()?.to_string(), "{ data = null, root = 20 }");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Panics
    /// Panics if there are no label names.
    pub fn block_map<L: AsRef<str>>(block_type: impl Into<String>, labels: &[L], nested: Spec) -> Spec {
        Spec::labelled(block_type.into(), labels, nested, Shape::Map)
    }

    /// Decodes all blocks of a type with a spec to objects by their labels: like [`block_map`](Spec::block_map), but
    /// the values may have different types. So the type of the object is not known in advance.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let values = Spec::block_object("set", &["name"], Spec::attr("to", Type::Dynamic));
    /// let body = parse::<Body>("set \"a\" {\n  to = 1\n}\nset \"b\" {\n  to = [true]\n}\n").into_result()?;
    /// assert_eq!(values.decode(&body, &Scope::new()).into_result()?.to_string(), "{ a = 1, b = [true] }");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Panics
    /// Panics if there are no label names.
    pub fn block_object<L: AsRef<str>>(block_type: impl Into<String>, labels: &[L], nested: Spec) -> Spec {
        Spec::labelled(block_type.into(), labels, nested, Shape::Object)
    }

    /// Decodes all blocks of a type with a spec to objects of tuples by their labels: like
    /// [`block_object`](Spec::block_object), but several blocks may have the same labels.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let rules = Spec::block_groups("rule", &["kind"], Spec::attr("port", Type::Number));
    /// let body = parse::<Body>("rule \"in\" {\n  port = 1\n}\nrule \"in\" {\n  port = 2\n}\n").into_result()?;
    /// assert_eq!(rules.decode(&body, &Scope::new()).into_result()?.to_string(), "{ in = [1, 2] }");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Panics
    /// Panics if there are no label names.
    pub fn block_groups<L: AsRef<str>>(block_type: impl Into<String>, labels: &[L], nested: Spec) -> Spec {
        Spec::labelled(block_type.into(), labels, nested, Shape::Groups)
    }

    /// Like [`block_object`](Spec::block_object), or like [`block_groups`](Spec::block_groups) if labels may repeat,
    /// but with limits for the number of blocks.
    ///
    /// A label that a block lacks is empty. If any number of labels may follow, there is a level for each label of the
    /// block with the most labels.
    #[doc(hidden)]
    pub fn counted_blocks(schema: BlockSchema, count: (usize, Option<usize>), unique: bool, nested: Spec) -> Spec {
        let (block_type, labels) = (schema.block_type().to_owned(), schema.labels().to_vec());
        let shape = if unique { Shape::Object } else { Shape::Groups };
        Spec::new(Labelled { block_type, labels, nested, shape, schema: Some(schema), count })
    }

    fn labelled<L: AsRef<str>>(block_type: String, labels: &[L], nested: Spec, shape: Shape) -> Spec {
        assert!(!labels.is_empty(), "blocks without labels have no keys");
        let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
        Spec::new(Labelled { block_type, labels, nested, shape, schema: None, count: (0, None) })
    }
}

/// The values by the labels of their blocks: indexes of values, or the next level of labels.
enum Tree {
    Value(usize),
    Labels(BTreeMap<Text, Tree>),
}

impl Tree {
    /// Inserts a value at its labels. If there already is a value, keeps it and returns its index.
    fn insert(&mut self, labels: &[&str], index: usize) -> Option<usize> {
        let mut tree = self;
        for (at, label) in labels.iter().enumerate() {
            let Tree::Labels(below) = tree else { return None };
            let last = at + 1 == labels.len();
            tree = match below.entry(normalized(label)) {
                Entry::Occupied(there) => there.into_mut(),
                Entry::Vacant(free) if last => {
                    free.insert(Tree::Value(index));
                    return None;
                }
                Entry::Vacant(free) => free.insert(Tree::Labels(BTreeMap::new())),
            };
        }
        match tree {
            Tree::Value(first) => Some(*first),
            Tree::Labels(_) => None,
        }
    }

    fn value(&self, values: &[Value], shape: Shape, element: &Type) -> Value {
        match self {
            Tree::Value(index) => values.get(*index).cloned().unwrap_or_else(|| Value::unknown(element.clone())),
            Tree::Labels(below) => {
                let entries: Vec<(Text, Value)> =
                    below.iter().map(|(label, tree)| (label.clone(), tree.value(values, shape, element))).collect();
                match shape {
                    Shape::Object | Shape::Groups => Value::object_of(entries),
                    Shape::Map => {
                        let ty = entries.first().map_or_else(|| element.clone(), |(_, value)| value.ty());
                        // All values have been converted to one type.
                        Value::map_of(ty.clone(), entries).unwrap_or_else(|_| Value::unknown(Type::map(ty)))
                    }
                }
            }
        }
    }
}

impl Labelled {
    fn nested_blocks(&self) -> Nested<'_> {
        Nested {
            block_type: &self.block_type,
            labels: &self.labels,
            spec: &self.nested,
            is_single: false,
            schema: self.schema.as_ref(),
        }
    }

    /// Returns the labels of a block that make its key. Those that it lacks are empty.
    fn key<'c>(&self, block: &'c Block, levels: usize) -> Vec<&'c str> {
        (0..levels).map(|at| block.label(at).unwrap_or_default()).collect()
    }

    /// Returns the number of labels of each key.
    fn levels(&self, blocks: &[&Block]) -> usize {
        let most = blocks.iter().map(|block| block.labels().len()).max().unwrap_or_default();
        if self.schema.is_some() { most.max(self.labels.len()) } else { self.labels.len() }
    }

    fn duplicate(&self, second: &Block, first: &Block, decoding: &mut Decoding<'_>) {
        let (place, before) = (second.header_place(), first.header_place());
        let labels = second.labels().iter().take(self.levels(&[second]));
        let labels: Vec<String> = labels.map(|label| format!("\"{}\"", label.text())).collect();
        let name = &self.block_type;
        let labels = labels.join(" ");
        let detail = match place == before {
            true => format!("this makes more than one block `{name} {labels}`"),
            false => format!("there is already a block `{name} {labels}`, at {before}"),
        };
        let diagnostic = Diagnostic::error(Code::DuplicateBlock, place, detail)
            .with_help(format!("no two \"{name}\" blocks may have the same labels"));
        decoding.report(with_other_place(diagnostic, &before, "the first one is here"));
    }

    /// The map type below the first labels.
    fn map_type(&self, labels: usize) -> Type {
        (0..labels).fold(self.nested.implied_type(), |ty, _| Type::map(ty))
    }
}

impl Kind for Labelled {
    fn nested(&self) -> Option<Nested<'_>> {
        Some(self.nested_blocks())
    }

    fn implied_type(&self) -> Type {
        match self.shape {
            Shape::Map => self.map_type(self.labels.len()),
            Shape::Object | Shape::Groups => Type::Dynamic,
        }
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let blocks = view.blocks(&self.block_type);
        let levels = self.levels(&blocks);
        let mut values = Vec::with_capacity(blocks.len());
        let mut kept = Vec::with_capacity(blocks.len());
        let mut groups: Vec<Vec<Value>> = Vec::new();
        let mut tree = Tree::Labels(BTreeMap::new());
        let (mut unknown, mut unknown_marks) = (false, MarkSet::default());
        for block in &blocks {
            let value = within(block, self.labels.len(), &self.nested, decoding, |view, decoding| {
                self.nested.value(view, decoding)
            });
            let value = value.with_marks(&block.body().marks());
            // These blocks may turn out not to exist, so they never exceed the limit of a name.
            if block.body().is_unknown() {
                unknown = true;
                unknown_marks = unknown_marks.union(&value.marks_deep());
                continue;
            }
            match tree.insert(&self.key(block, levels), values.len()) {
                Some(first) if matches!(self.shape, Shape::Groups) => groups[first].push(value),
                Some(first) => self.duplicate(block, kept[first], decoding),
                None if matches!(self.shape, Shape::Groups) => {
                    groups.push(vec![value]);
                    values.push(Value::default());
                }
                None => {
                    values.push(value);
                    kept.push(*block);
                }
            }
        }
        if let Shape::Groups = self.shape {
            values = groups.into_iter().map(Value::tuple).collect();
        }
        if unknown {
            // The number of blocks is unknown.
            return Value::unknown(self.implied_type()).with_marks(&marks_of(&values).union(&unknown_marks));
        }
        self.nested_blocks().check_count(self.count, view, decoding);
        if let Shape::Object | Shape::Groups = self.shape {
            return tree.value(&values, self.shape, &Type::Dynamic);
        }
        if values.is_empty() {
            return Value::empty(CollectionKind::Map, self.map_type(self.labels.len() - 1));
        }
        let marks = marks_of(&values);
        match unified(values, self.nested.ty(), decoding.account) {
            Ok((element, values)) => tree.value(&values, self.shape, &element),
            Err(different) => {
                self.inconsistent(view, &kept, &different, decoding);
                Value::unknown(Type::Dynamic).with_marks(&marks)
            }
        }
    }
}

impl Labelled {
    fn inconsistent(
        &self,
        view: &BodyView<'_>,
        blocks: &[&Block],
        different: &DifferentType,
        decoding: &mut Decoding<'_>,
    ) {
        let place = blocks.get(different.first).map(|block| self.nested_blocks().place_in(block));
        let other = blocks.get(different.index).map(|block| block.header_place());
        let place = place.unwrap_or_else(|| self.place(view));
        inconsistent(&self.block_type, &place, other.as_ref(), different, decoding);
    }
}
