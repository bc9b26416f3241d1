//! The items of the files of a project, and which of them refer to which.

use std::collections::HashMap;
use std::sync::Arc;

use hcl_lr::diagnostic::Code;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};
use hcl_lr_language::definitions::Roles;
use hcl_lr_language::schema::Facts;

use crate::file::File;
use crate::project::Project;

/// The number of bytes from which a body is left out where it does not matter. Less is not worth it.
const WORTH: usize = 16;

/// The number of undefined names up to which each of them surely has a suggestion, so that none depends on how many the others
/// have taken.
const MAX_UNDEFINED: usize = 60;

/// The number of an item in a project.
pub(crate) type ItemId = usize;

/// The items of the files of a project, and which of them refer to which.
pub(crate) struct Items {
    files: Vec<FileItems>,
    /// The positions of the files by their sources.
    by_source: HashMap<SourceId, usize>,
    positions: HashMap<Arc<str>, usize>,
    /// For each item, those that it refers to, and those that refer to it.
    needs: Vec<Vec<ItemId>>,
    needed_by: Vec<Vec<ItemId>>,
}

/// Identifies a source, while it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SourceId(usize);

impl SourceId {
    fn of(source: &Arc<Source>) -> SourceId {
        SourceId(Arc::as_ptr(source) as usize)
    }
}

/// The items of a file.
pub(crate) struct FileItems {
    pub file: Arc<File>,
    /// The number of the first item.
    pub first: ItemId,
    pub items: Vec<Item>,
    /// True if the file is taken as one item: it is in JSON, or lies beside those that define names.
    pub is_one: bool,
}

/// An item of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub span: Span,
    /// The end of the type and the labels, or of the name of an attribute.
    pub header_end: usize,
    /// The inside of the body, if it matters only to the item and to what refers to it.
    pub inside: Option<Span>,
}

impl Items {
    /// Returns the items of a project. `None` if they depend on each other in ways that references do not show: an expression
    /// uses all definitions of a kind, or several definitions have one name.
    pub fn of(project: &Project) -> Option<Items> {
        let references = project.references();
        let many = references.undefined().len() > MAX_UNDEFINED;
        let mut errors = project.model().definition_errors().iter();
        if many || references.have_wholes() || errors.any(|error| *error.code() == Code::DuplicateDefinition) {
            return None;
        }
        let mut all = Items {
            files: Vec::new(),
            by_source: HashMap::new(),
            positions: HashMap::new(),
            needs: Vec::new(),
            needed_by: Vec::new(),
        };
        let mut count = 0;
        let defining = project.files().iter().map(|file| (file, false));
        for (file, is_one) in defining.chain(project.beside().iter().map(|file| (file, true))) {
            let items = FileItems::of(file, count, is_one);
            count += items.items.len();
            all.by_source.insert(SourceId::of(file.source()), all.files.len());
            all.positions.insert(file.path().clone(), all.files.len());
            all.files.push(items);
        }
        all.needs.resize_with(count, Vec::new);
        all.needed_by.resize_with(count, Vec::new);
        for definition in project.definitions().iter() {
            all.keep_inside(definition.name_place());
        }
        for reference in references.iter() {
            let (from, to) = (reference.place(), reference.definition().name_place());
            if reference.is_definition() {
                all.keep_inside(from);
            }
            let (Some(from), Some(to)) = (all.at(from), all.at(to)) else { continue };
            all.connect(from, to);
            if reference.is_definition() {
                all.connect(to, from);
            }
        }
        for list in all.needs.iter_mut().chain(&mut all.needed_by) {
            list.sort_unstable();
            list.dedup();
        }
        Some(all)
    }

    fn connect(&mut self, from: ItemId, to: ItemId) {
        if from != to {
            self.needs[from].push(to);
            self.needed_by[to].push(from);
        }
    }

    /// Notes that the inside of a body matters to others, because a name is defined in it.
    fn keep_inside(&mut self, name: &Place) {
        let Some(file) = self.by_source.get(&SourceId::of(name.source())) else { return };
        let file = &mut self.files[*file];
        let Some(at) = file.position(name.span()) else { return };
        let item = &mut file.items[at];
        item.inside = item.inside.filter(|inside| name.span().end() <= inside.start());
    }

    /// Returns the files.
    pub fn files(&self) -> &[FileItems] {
        &self.files
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.needs.len()
    }

    /// Returns the items of a file.
    pub fn file(&self, path: &str) -> Option<&FileItems> {
        self.positions.get(path).map(|at| &self.files[*at])
    }

    /// Returns the items of the file with a source.
    pub fn of_source(&self, source: &Arc<Source>) -> Option<&FileItems> {
        self.by_source.get(&SourceId::of(source)).map(|at| &self.files[*at])
    }

    /// Returns the item at a place.
    pub fn at(&self, place: &Place) -> Option<ItemId> {
        let file = self.of_source(place.source())?;
        file.position(place.span()).map(|at| file.first + at)
    }

    /// Adds the items that some refer to, and those that these refer to.
    pub fn add_needed(&self, items: &mut Set) {
        items.close(&self.needs);
    }

    /// Adds the items that refer to some, and those that refer to these.
    pub fn add_dependent(&self, items: &mut Set) {
        items.close(&self.needed_by);
    }
}

impl FileItems {
    fn of(file: &Arc<File>, first: ItemId, is_one: bool) -> FileItems {
        // Places count in the text without a mark at its start.
        let native = file.native().filter(|native| !is_one && native.source().text().len() == file.length());
        let items = match native {
            None => {
                let span = Span::new(0, file.source().text().len());
                vec![Item { span, header_end: 0, inside: None }]
            }
            Some(native) => {
                let text = native.source().text();
                let test = file.language().schema().map(Facts::block_test);
                let matters = |block_type: &str, span: Span| {
                    test.as_ref().is_some_and(|test| test(block_type, text[span.range()].as_bytes()))
                };
                let errors: Vec<Span> = file.parsed().diagnostics.errors().map(|error| error.span()).collect();
                let is_broken =
                    |span: Span| errors.iter().any(|error| error.start() <= span.end() && span.start() <= error.end());
                let inside = |item: BodyItem<'_>| {
                    let BodyItem::Block(block) = item else { return None };
                    let (open, close) = (block.body().open_brace_span()?, block.body().close_brace_span()?);
                    let is_kept = close.is_empty()
                        || close.start() < open.end() + WORTH
                        || matters(block.block_type(), item.span())
                        || is_broken(item.span());
                    (!is_kept).then(|| Span::new(open.end(), close.start()))
                };
                let items = units(native.body(), file.language().roles()).into_iter();
                items
                    .map(|item| Item { span: item.span(), header_end: header_end(item), inside: inside(item) })
                    .collect()
            }
        };
        FileItems { file: file.clone(), first, items, is_one: native.is_none() }
    }

    /// Returns the position of the item that a span lies in.
    pub fn position(&self, span: Span) -> Option<usize> {
        position(&self.items, span)
    }
}

/// Returns the items of a file. A block whose attributes are definitions of their own, such as `locals`, stands for these.
pub(super) fn units<'t>(file: BodyNode<'t>, roles: &Roles) -> Vec<BodyItem<'t>> {
    let defines = |block: &BlockNode<'_>| {
        let mut roles = roles.roles().iter();
        roles.any(|role| role.block_type() == Some(block.block_type()) && role.defines_attributes())
            && block.body().items().all(|item| matches!(item, BodyItem::Attribute(_)))
    };
    let mut units = Vec::new();
    for item in file.items() {
        match item {
            BodyItem::Block(block) if defines(&block) => units.extend(block.body().items()),
            item => units.push(item),
        }
    }
    units
}

/// Returns the end of the type and the labels of a block, or of the name of an attribute.
pub(super) fn header_end(item: BodyItem<'_>) -> usize {
    match item {
        BodyItem::Attribute(attribute) => attribute.name_token().span().end(),
        BodyItem::Block(block) => block.header_span().end(),
        _ => item.span().start(),
    }
}

/// Returns the position of the item that a span lies in.
pub(super) fn position(items: &[Item], span: Span) -> Option<usize> {
    let at = items.partition_point(|item| item.span.start() <= span.start()).checked_sub(1)?;
    (span.end() <= items[at].span.end()).then_some(at)
}

/// A set of items.
#[derive(Clone)]
pub(crate) struct Set {
    has: Vec<bool>,
    list: Vec<ItemId>,
}

impl Set {
    /// An empty set for this many items.
    pub fn new(count: usize) -> Set {
        Set { has: vec![false; count], list: Vec::new() }
    }

    /// Adds an item.
    pub fn insert(&mut self, item: ItemId) {
        if !std::mem::replace(&mut self.has[item], true) {
            self.list.push(item);
        }
    }

    /// Returns true if an item is in the set.
    pub fn has(&self, item: ItemId) -> bool {
        self.has[item]
    }

    /// Adds what the items of a set lead to.
    fn close(&mut self, next: &[Vec<ItemId>]) {
        let mut at = 0;
        while let Some(item) = self.list.get(at) {
            for other in &next[*item] {
                self.insert(*other);
            }
            at += 1;
        }
    }
}
