//! Blocks as they are written, with what is known of their attributes.
//!
//! Definitions have values, but not every block is one, and blocks in blocks are not always part of a value. What is
//! printed has all of them.

use std::collections::{HashMap, HashSet};

use super::partial_values::{Index, Known, insert};
use hcl_lr::body::Expression;
use hcl_lr::eval::Scope;
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};
use hcl_lr_edit::query::MAX_BLOCK_DEPTH;
use hcl_lr_language::definitions::{Definition, Roles};

/// Returns the scope of an expression.
type ScopeOf<'s> = dyn Fn(&Expression) -> Scope<'s> + Sync + 's;

/// A file in native syntax, with the spans of the values that must not be shown, in order.
pub struct WrittenFile {
    pub file: File,
    pub hidden: Vec<Span>,
}

/// The blocks at the top of files, and whether definitions are in them.
pub struct WrittenBlocks<'f> {
    blocks: Vec<WrittenBlock<'f>>,
    /// The numbers of the blocks of each source, in order.
    by_source: HashMap<&'f str, Vec<usize>>,
    defining: HashSet<usize>,
    roles: &'f Roles,
}

/// A block with the spans of hidden values in its file.
pub struct WrittenBlock<'f> {
    block: BlockNode<'f>,
    hidden: &'f [Span],
    roles: &'f Roles,
}

impl<'f> WrittenBlocks<'f> {
    pub fn of(files: &'f [WrittenFile], roles: &'f Roles) -> WrittenBlocks<'f> {
        let mut all = WrittenBlocks { blocks: Vec::new(), by_source: HashMap::new(), defining: HashSet::new(), roles };
        for WrittenFile { file, hidden } in files {
            let numbers = all.by_source.entry(file.source().name()).or_default();
            for block in file.body().blocks() {
                numbers.push(all.blocks.len());
                all.blocks.push(WrittenBlock { block, hidden, roles });
            }
        }
        all
    }

    /// Returns the block that a definition is in.
    pub fn defining(&mut self, definition: &Definition<'_>) -> Option<&WrittenBlock<'f>> {
        let place = definition.name_place();
        let numbers = self.by_source.get(place.source().name())?;
        let after = numbers.partition_point(|&at| self.blocks[at].block.span().start() <= place.span().start());
        let at = numbers[after.checked_sub(1)?];
        if self.blocks[at].block.span().end() < place.span().end() {
            return None;
        }
        self.defining.insert(at);
        self.blocks.get(at)
    }

    /// Returns the blocks in which no definition was found.
    pub fn others(&self) -> impl Iterator<Item = &WrittenBlock<'f>> {
        // A block that defines something again has an error, and no value of its own.
        let defines = |block: &WrittenBlock<'_>| {
            self.roles.roles().iter().any(|role| role.block_type() == Some(block.block.block_type()))
        };
        let others = self.blocks.iter().enumerate().filter(|(at, _)| !self.defining.contains(at));
        others.map(|(_, block)| block).filter(move |block| !defines(block))
    }
}

impl WrittenBlock<'_> {
    /// Returns true if there are blocks in the block.
    pub fn has_blocks(&self) -> bool {
        self.block.body().blocks().next().is_some()
    }

    /// Adds the blocks in the block whose names are not among the parts.
    pub fn add_blocks<'s>(&self, parts: &mut Vec<(String, Known)>, scope_of: &ScopeOf<'s>) {
        let known: HashSet<String> = parts.iter().map(|(name, _)| name.clone()).collect();
        let role = self.roles.roles().iter().find(|role| role.block_type() == Some(self.block.block_type()));
        // A block such as `lifecycle` describes the one around it, and is not part of its value; one that `dynamic` generates may be.
        let is_known = |block: &BlockNode<'_>| {
            let name = block.block_type();
            name == "dynamic" || known.contains(name) || role.is_some_and(|role| role.ignores(name))
        };
        let mut index = Index::default();
        for block in self.block.body().blocks().filter(|block| !is_known(block)) {
            WrittenBlock { block, ..*self }.add_to(parts, &mut index, scope_of);
        }
    }

    /// Adds the block to an object: by its type, then by each label, as an element of a list.
    pub fn add_to<'s>(&self, all: &mut Vec<(String, Known)>, index: &mut Index, scope_of: &ScopeOf<'s>) {
        let inner = Reader { hidden: self.hidden, scope_of }.body(self.block.body()).0;
        let labels: Vec<String> = self.block.labels().map(|label| label.text().into_owned()).collect();
        let steps: Vec<&str> =
            std::iter::once(self.block.block_type()).chain(labels.iter().map(String::as_str)).collect();
        insert(all, index, &steps, Known::List(vec![inner]));
    }
}

/// Returns the known parts of a body, whose blocks become lists of objects: by type, then by each label. A block with so
/// many labels that its value would nest too deeply is left out; the evaluation has reported it.
pub fn known_body(body: BodyNode<'_>, scope: &Scope<'_>) -> Known {
    Reader { hidden: &[], scope_of: &|_| scope.child() }.body(body).0
}

/// Reads bodies.
struct Reader<'r, 's> {
    hidden: &'r [Span],
    scope_of: &'r ScopeOf<'s>,
}

impl Reader<'_, '_> {
    /// Returns the known parts of a body, and their nesting depth.
    fn body(&self, body: BodyNode<'_>) -> (Known, u32) {
        let (mut all, mut index, mut height) = (Vec::new(), Index::default(), 0);
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let expression = Expression::from(attribute.expression());
                    let known = match self.hidden.binary_search(&attribute.expression().span()) {
                        Ok(_) => Known::hidden(),
                        Err(_) => Known::of(&expression, &(self.scope_of)(&expression)),
                    };
                    height = height.max(if let Known::Value(value) = &known { value.height() } else { 1 });
                    insert(&mut all, &mut index, &[attribute.name()], known);
                }
                BodyItem::Block(block) => {
                    let labels: Vec<String> = block.labels().map(|label| label.text().into_owned()).collect();
                    let (inner, levels) = stack::with_room(|| self.body(block.body()));
                    let levels = (labels.len() as u64 + 1).saturating_add(u64::from(levels));
                    if levels > u64::from(MAX_BLOCK_DEPTH) {
                        continue;
                    }
                    height = height.max(levels as u32);
                    let mut steps = vec![block.block_type()];
                    steps.extend(labels.iter().map(String::as_str));
                    insert(&mut all, &mut index, &steps, Known::List(vec![inner]));
                }
                _ => {}
            }
        }
        (Known::Object(all), height + 1)
    }
}
