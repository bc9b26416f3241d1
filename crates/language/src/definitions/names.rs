//! The names of one name space, and the definitions that paths lead to.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::ids::{DefinitionId, FrameId, NameId, NodeId, Table};
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode};

/// A tree of names: `local`, in it `region` and `zone`, and so on.
pub(super) struct Names {
    nodes: Table<NameId, NameNode>,
}

#[derive(Default)]
pub(super) struct NameNode {
    /// The name and the node above it; a root has neither.
    name: Option<Arc<str>>,
    parent: Option<NameId>,
    #[expect(clippy::box_collection, reason = "most have none, and an empty map takes six words")]
    children: Option<Box<HashMap<Arc<str>, NameId, foldhash::fast::RandomState>>>,
    pub entry: Option<NameEntry>,
    /// True if its value is only known later.
    pub later: bool,
    /// True if more names below it may be defined elsewhere, which are only known later.
    pub open: bool,
    /// The node that is an object of everything below. Created on first use.
    pub whole: Option<NodeId>,
}

/// The meaning of a name.
pub(super) struct NameEntry {
    pub definition: DefinitionId,
    pub node: NodeId,
    /// The frame, if there is one for each instance of it.
    pub repeated: Option<FrameId>,
    /// The attributes, if references can be to one of them.
    pub parts: Option<Arc<Parts>>,
}

impl NameNode {
    /// Returns the names directly below it, in no order.
    pub fn children(&self) -> impl Iterator<Item = (&Arc<str>, NameId)> {
        self.children.iter().flat_map(|children| children.iter().map(|(name, &at)| (name, at)))
    }

    /// Returns the number of names directly below it.
    pub fn len(&self) -> usize {
        self.children.as_ref().map_or(0, |children| children.len())
    }

    fn child(&self, name: &str) -> Option<NameId> {
        self.children.as_ref()?.get(name).copied()
    }
}

#[derive(Default)]
pub(super) struct Parts {
    pub nodes: HashMap<Box<str>, NodeId, foldhash::fast::RandomState>,
    /// True if there may be more of them.
    pub open: bool,
}

/// The target of a path.
pub(super) enum Found {
    /// To the entry of a node, after so many steps.
    Entry(NameId, usize),
    /// To what has names below it, after so many steps.
    Prefix(NameId, usize),
    /// Nowhere: after so many steps there is no such name among those of this node.
    Nothing(NameId, usize),
    /// To something only known later, after so many steps.
    Later(usize),
    /// The variable is none of these names.
    Foreign,
}

impl Names {
    pub fn new() -> Self {
        Names { nodes: Table::filled(2, NameNode::default) }
    }

    pub fn node(&self, at: NameId) -> &NameNode {
        &self.nodes[at]
    }

    pub fn node_mut(&mut self, at: NameId) -> &mut NameNode {
        &mut self.nodes[at]
    }

    /// Returns the names of the first level, in alphabetic order.
    pub fn roots(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.nodes[NameId::ROOT].children().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        names
    }

    /// The definition that the longest part of a path leads to, and how many names that are.
    pub fn entry_at<'p>(&self, root: NameId, path: impl Iterator<Item = &'p str>) -> Option<(DefinitionId, usize)> {
        let (mut at, mut found) = (root, None);
        for (depth, name) in path.enumerate() {
            let Some(next) = self.nodes[at].child(name) else { break };
            at = next;
            found = self.nodes[at].entry.as_ref().map(|entry| (entry.definition, depth + 1)).or(found);
        }
        found
    }

    /// Returns true if a path begins with a known name, and continues with an unknown one.
    pub fn lacks<'p>(&self, path: impl Iterator<Item = &'p str>) -> bool {
        let mut at = NameId::ROOT;
        for (depth, name) in path.enumerate() {
            match self.nodes[at].child(name) {
                Some(next) if self.nodes[next].entry.is_none() && !self.nodes[next].later => at = next,
                Some(_) => return false,
                None => return depth > 0 && !self.nodes[at].open,
            }
        }
        false
    }

    /// The names right below a path, unless there are more of them than `most`.
    pub fn below<'p>(&self, mut path: impl Iterator<Item = &'p str>, most: usize) -> Vec<&str> {
        let at = path.try_fold(NameId::ROOT, |at, name| self.nodes[at].child(name));
        let node = at.map(|at| &self.nodes[at]).filter(|node| node.len() <= most);
        node.into_iter().flat_map(NameNode::children).map(|(name, _)| &**name).collect()
    }

    /// The place for a path, which is made if it is not there.
    pub fn place_for<'p>(&mut self, root: NameId, path: impl IntoIterator<Item = &'p str>) -> NameId {
        let mut at = root;
        for name in path {
            at = match self.nodes[at].child(name) {
                Some(next) => next,
                None => {
                    let name = Arc::<str>::from(name);
                    let node = NameNode { name: Some(name.clone()), parent: Some(at), ..NameNode::default() };
                    let next = self.nodes.push(node);
                    self.nodes[at].children.get_or_insert_default().insert(name, next);
                    next
                }
            };
        }
        at
    }

    /// The names that lead to a node.
    pub fn path_to(&self, mut at: NameId) -> Vec<Arc<str>> {
        let mut path = Vec::with_capacity(4);
        while let Some(name) = &self.nodes[at].name {
            path.push(name.clone());
            let Some(parent) = self.nodes[at].parent else { break };
            at = parent;
        }
        path.reverse();
        path
    }

    /// Finds the target of the longest defined part of a path.
    pub fn find(&self, path: &Path<'_>) -> Found {
        let (mut at, mut entry) = (NameId::ROOT, None);
        for (depth, segment) in path.segments.iter().enumerate() {
            let next = segment.name.as_deref().and_then(|name| self.nodes[at].child(name));
            let Some(next) = next else {
                return match (entry, &segment.name) {
                    (Some((found, depth)), _) => Found::Entry(found, depth),
                    (None, _) if depth == 0 => Found::Foreign,
                    (None, Some(_)) if self.nodes[at].open => Found::Later(depth + 1),
                    (None, Some(_)) => Found::Nothing(at, depth),
                    // An index that is no name leads to something in all that is below.
                    (None, None) => Found::Prefix(at, depth),
                };
            };
            at = next;
            if self.nodes[at].later {
                return Found::Later(depth + 1);
            }
            if self.nodes[at].entry.is_some() {
                entry = Some((at, depth + 1));
            }
        }
        match entry {
            Some((found, depth)) => Found::Entry(found, depth),
            None => Found::Prefix(at, path.segments.len()),
        }
    }
}

/// The beginning of a traversal.
pub(super) struct Path<'t> {
    pub segments: Vec<Segment<'t>>,
}

/// The variable, or a step.
pub(super) struct Segment<'t> {
    /// The name, if it is one: of an attribute, or a string in brackets.
    pub name: Option<Cow<'t, str>>,
    /// The span of the name in the source of the traversal, with its quotes.
    pub span: Span,
    /// The end of the step, with its bracket.
    pub end: usize,
}

/// The number of steps that suffices to find a definition and the part that is read of it.
const MAX_SEGMENTS: usize = 16;

impl<'t> Path<'t> {
    pub fn of(traversal: &'t Traversal) -> Option<Path<'t>> {
        let node = traversal.node()?;
        let span = node.root().span();
        let root = Segment { name: Some(node.root().text().into()), span, end: span.end() };
        let mut segments = Vec::with_capacity(4);
        segments.push(root);
        segments.extend(node.steps().take(MAX_SEGMENTS).map(|step| {
            let end = step.span().end();
            match step {
                AccessStep::Attribute(name) => Segment { name: Some(name.text().into()), span: name.span(), end },
                AccessStep::Index(key) => Segment { name: text_of(key), span: key.span(), end },
                _ => Segment { name: None, span: step.span(), end },
            }
        }));
        Some(Path { segments })
    }

    pub fn root(&self) -> &str {
        self.segments[0].name.as_deref().unwrap_or_default()
    }

    /// The names of the first segments.
    pub fn names(&self, count: usize) -> Box<[Arc<str>]> {
        self.segments[..count].iter().filter_map(|segment| segment.name.as_deref().map(Arc::from)).collect()
    }

    /// The name after so many segments.
    pub fn name_at(&self, at: usize) -> Option<&str> {
        self.segments.get(at)?.name.as_deref()
    }

    /// Returns the place of a segment.
    pub fn place_of(&self, at: usize, traversal: &Traversal) -> Place {
        traversal.place_of(self.segments[at].span)
    }
}

/// The text of a literal string.
pub(super) fn text_of(key: ExpressionNode<'_>) -> Option<Cow<'_, str>> {
    match key.kind() {
        ExpressionKind::Template(template) => template.as_text(),
        _ => None,
    }
}
