//! Completions at a place, the most likely first.
//!
//! [`Cursor`] determines the kind of text to complete. Names come from the definitions of the project, attributes and
//! blocks from the description of the language and from bodies of the same kind, and the order from `rank`.

mod asked;
mod expected;
mod functions;
mod items;
mod json;
mod listed;
mod members;
mod near;
mod required;
mod tried;
mod values;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use hcl_lr::internal::sort_by;
use hcl_lr::model::Value;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::BodyNode;
use hcl_lr_language::schema::{Checker, Type};

use crate::cursor::{Cursor, Place};
use crate::knowledge::{Header, KnownBody, LearnedAttribute, family_of, kind_of};
use crate::parts::PathsAt;
use crate::project::Project;
use crate::rank::fit;
use crate::workspace::{BeforeEdit, Cancelled, File, Snapshot};
pub(crate) use items::{initial_value, inputs_of_call};

/// The possible texts at a place.
#[derive(Debug, Default)]
pub struct Completion {
    /// The texts, the most likely first.
    pub items: Vec<Item>,
    /// True if typing more shows further items.
    pub is_incomplete: bool,
}

/// A completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The text in the list.
    pub label: String,
    /// The kind.
    pub kind: ItemKind,
    /// A type, a signature or an address, in one line.
    pub detail: Option<String>,
    /// A description, in Markdown.
    pub documentation: Option<String>,
    /// The text to insert.
    pub text: String,
    /// The text to insert with placeholders, such as `name = ${1:string}`, in the notation of snippets.
    pub snippet: Option<String>,
    /// The span that the text replaces.
    pub span: Span,
    /// True if it should no longer be used.
    pub is_deprecated: bool,
    /// True if it is only the start of what is written, such as the first name of an address.
    pub is_start: bool,
    /// Points for the order; more points come first.
    points: i64,
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ItemKind {
    Attribute,
    Block,
    Label,
    Variable,
    Local,
    Module,
    Function,
    Keyword,
    Value,
    Snippet,
    Folder,
    Reference,
}

/// The maximum number of items to offer.
const MAX_ITEMS: usize = 500;

impl Item {
    fn new(label: impl Into<String>, kind: ItemKind, span: Span) -> Item {
        let label = label.into();
        Item {
            text: label.clone(),
            label,
            kind,
            detail: None,
            documentation: None,
            snippet: None,
            span,
            is_deprecated: false,
            is_start: false,
            points: 0,
        }
    }
}

/// A place to complete, with its file and project.
pub(crate) struct UsedParts<'a> {
    pub snapshot: &'a Snapshot,
    pub file: &'a Arc<File>,
    pub project: Arc<Project>,
    pub cursor: Cursor,
    /// The file and the place as the project knows them, which may be those before an edit.
    known: (&'a Arc<File>, usize),
    /// The checkers of the languages that the file may be in.
    checkers: Vec<Arc<Checker>>,
    /// The type of the input that the attribute at the place sets.
    input: OnceCell<Option<Type>>,
    /// The type that another attribute of the body denotes for the attribute at the place.
    typed_by: OnceCell<Option<Type>>,
}

impl Snapshot {
    /// Returns the completions at a byte of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn completion(&self, path: &str, offset: usize) -> Result<Completion, Cancelled> {
        let Some(file) = self.file(path) else { return Ok(Completion::default()) };
        if let Some(before) = self.before_edit(file) {
            let asked = UsedParts::after(&before, file, offset);
            return asked.map_or_else(|| Ok(Completion::default()), |asked| asked.offers());
        }
        let Some(project) = self.project(path)? else { return Ok(Completion::default()) };
        let twin = match file.native() {
            Some(_) => None,
            None => match self.twin(file, offset) {
                Some(twin) => Some(twin),
                None => return Ok(Completion::default()),
            },
        };
        let (file, offset) = twin.as_ref().map_or((file, offset), |twin| (&twin.file, twin.offset));
        let Some(native) = file.native() else { return Ok(Completion::default()) };
        let mut found = UsedParts::at(self, file, project, native, offset).offers()?;
        if let Some(twin) = &twin {
            found.items = found.items.into_iter().filter_map(|item| twin.item(item)).collect();
        }
        Ok(found)
    }
}

impl UsedParts<'_> {
    fn offers(&self) -> Result<Completion, Cancelled> {
        let asked = self;
        let text = self.file.source().text();
        if asked.is_before_expression() {
            return Ok(Completion::default());
        }
        let (items, typed) = match &asked.cursor.place {
            Place::Nothing => (Vec::new(), ""),
            Place::Item { prefix } => (asked.items(*prefix)?, &text[prefix.range()]),
            Place::Label { header, prefix, is_quoted } => {
                (asked.labels(header, *prefix, *is_quoted)?, &text[prefix.range()])
            }
            Place::Expression { prefix } => (asked.expressions(*prefix)?, &text[prefix.range()]),
            Place::Member { chain, prefix } => (asked.members(chain, *prefix)?, &text[prefix.range()]),
            Place::Key { chain, prefix } => {
                let typed = text[prefix.range()].trim_start_matches('"');
                (asked.keys(chain, *prefix)?, typed)
            }
            Place::ObjectKey { prefix, is_quoted } => (asked.object_keys(*prefix, *is_quoted)?, &text[prefix.range()]),
            Place::Text { prefix } => (asked.texts(*prefix)?, &text[prefix.range()]),
            Place::Directive { prefix } => (directives(*prefix), &text[prefix.range()]),
        };
        self.snapshot.check()?;
        let ranked = items.into_iter().filter_map(|item| Some((fit(typed, &item.label)?, item)));
        let mut ranked: Vec<_> = ranked.collect();
        if typed.starts_with(|char: char| char.is_ascii_digit()) {
            // Only a longer number continues a number.
            ranked.retain(|(_, item)| item.label.starts_with(typed) && item.label != typed);
        }
        sort_by(&mut ranked, |(fit, one), (other_fit, other)| {
            let by_points = || other.points.cmp(&one.points).then_with(|| one.label.cmp(&other.label));
            fit.cmp(other_fit).then_with(by_points)
        });
        let mut known = HashSet::new();
        let mut items: Vec<Item> = ranked.into_iter().map(|(_, item)| item).collect();
        items.retain(|item| known.insert(item.label.clone()));
        let is_incomplete = items.len() > MAX_ITEMS;
        items.truncate(MAX_ITEMS);
        Ok(Completion { items, is_incomplete })
    }
}

fn directives(prefix: Span) -> Vec<Item> {
    let words = [
        ("if", "if ${1:condition} }$0%{ endif"),
        ("for", "for ${1:name} in ${2:collection} }$0%{ endfor"),
        ("else", ""),
        ("endif", ""),
        ("endfor", ""),
    ];
    let item = |(word, snippet): (&str, &str)| Item {
        snippet: (!snippet.is_empty()).then(|| snippet.to_owned()),
        ..Item::new(word, ItemKind::Keyword, prefix)
    };
    words.into_iter().map(item).collect()
}

impl<'a> UsedParts<'a> {
    /// Creates the parts for a place in a file in native syntax.
    pub fn at(
        snapshot: &'a Snapshot,
        file: &'a Arc<File>,
        project: Arc<Project>,
        native: &hcl_lr::syntax::File,
        offset: usize,
    ) -> UsedParts<'a> {
        let cursor = Cursor::in_file(file, native, offset);
        let checkers = file.language().checkers(file.path());
        let known = (file, offset);
        UsedParts {
            snapshot,
            file,
            project,
            cursor,
            known,
            checkers,
            input: OnceCell::new(),
            typed_by: OnceCell::new(),
        }
    }

    /// Creates the parts for a place in a file after an edit, by what is known of the files before it.
    fn after(before: &'a BeforeEdit, file: &'a Arc<File>, offset: usize) -> Option<UsedParts<'a>> {
        let parts = UsedParts::at(&before.snapshot, file, before.project.clone(), file.native()?, offset);
        Some(UsedParts { known: (&before.file, before.edit.place_before(offset)), ..parts })
    }
}

impl UsedParts<'_> {
    /// Returns what leads paths at the place back to definitions.
    fn paths_at(&self) -> PathsAt<'_> {
        PathsAt::new(self.snapshot, self.file, &self.project, &self.cursor).with_known(self.known)
    }

    /// Returns true if a text is the word or the value that is being written, or was before the edit: the place is in it, or
    /// where it ends.
    fn is_being_written(&self, text: &str, prefix: Span) -> bool {
        let (file, end) = self.known;
        let is_at = |file: &File, end: usize| {
            let after = file.source().text().get(prefix.start()..).and_then(|after| after.strip_prefix(text));
            let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
            let is_longer = text.ends_with(is_name) && after.is_some_and(|after| after.starts_with(is_name));
            after.is_some() && !is_longer && end <= prefix.start() + text.len()
        };
        is_at(file, end) || is_at(self.file, prefix.end())
    }

    /// Returns the innermost body around the place in the tree.
    pub fn body(&self) -> Option<BodyNode<'_>> {
        body_at(self.file.native()?.body(), self.cursor.offset, self.cursor.blocks.len())
    }

    /// Returns the schema's description of the body around the place.
    pub fn known_body(&self) -> Option<KnownBody> {
        self.snapshot.known_body(self.file, &self.cursor.blocks)
    }

    /// Returns the attributes and blocks of bodies of this kind in the workspace, and which of them occur between two
    /// others.
    pub fn usual(&self, blocks: &[Header], previous: &str, next: &str) -> Result<Usual, Cancelled> {
        let kind = kind_of(blocks);
        self.snapshot.shared(self.file.language(), |shared| {
            let (mut next_anywhere, mut before_anywhere) = (shared.next(previous), shared.before(next));
            for names in [&mut next_anywhere, &mut before_anywhere] {
                names.retain(|name, _| shared.attribute(name).is_some());
            }
            let (next_anywhere, before_anywhere) = (Uses::of(next_anywhere), Uses::of(before_anywhere));
            let Some(body) = shared.body(&kind) else {
                return Usual { next_anywhere, before_anywhere, ..Usual::default() };
            };
            let mut before = BTreeMap::new();
            body.add_before(next, &mut before);
            let blocks = body.blocks.iter().map(|(name, block)| (name.clone(), (block.uses, block.labels.len())));
            Usual {
                bodies: body.bodies,
                attributes: body.attributes.iter().map(|(name, attribute)| (name.clone(), attribute.uses)).collect(),
                blocks: blocks.collect(),
                next: Uses::of(body.next.get(previous).cloned().unwrap_or_default()),
                before: Uses::of(before),
                next_anywhere,
                before_anywhere,
            }
        })
    }

    /// Returns the attributes of bodies of related kinds in the workspace, with the number of their uses.
    pub fn usual_in_family(&self) -> Result<BTreeMap<String, u32>, Cancelled> {
        let Some(family) = family_of(&self.cursor.blocks) else { return Ok(BTreeMap::new()) };
        let attributes = |shared: &crate::index::Shared| shared.family(&family).cloned().unwrap_or_default();
        self.snapshot.shared(self.file.language(), attributes)
    }

    /// Returns the labels at a position of blocks of a type, with the number of their uses.
    pub fn usual_labels(&self, header: &Header, at: usize) -> Result<BTreeMap<String, u32>, Cancelled> {
        let kind = kind_of(&self.cursor.blocks);
        self.snapshot.shared(self.file.language(), |shared| {
            let block = shared.body(&kind).and_then(|body| body.blocks.get(&header.block_type));
            block.and_then(|block| block.labels.get(at)).cloned().unwrap_or_default()
        })
    }

    /// Returns the uses of an attribute in bodies of a kind, and in all bodies: of the workspace, or of the folder.
    pub fn learned_attribute(
        &self,
        blocks: &[Header],
        name: &str,
        everywhere: bool,
    ) -> Result<(LearnedAttribute, LearnedAttribute), Cancelled> {
        let kind = kind_of(blocks);
        let language = self.file.language();
        if everywhere {
            return self.snapshot.shared(language, |shared| {
                let same_kind = shared.body(&kind).and_then(|body| body.attributes.get(name));
                (same_kind.cloned().unwrap_or_default(), shared.attribute(name).cloned().unwrap_or_default())
            });
        }
        let (mut same_kind, mut all) = (LearnedAttribute::default(), LearnedAttribute::default());
        let folder = self.snapshot.folder(self.file.folder());
        let files = folder.into_iter().flat_map(|folder| folder.files.values());
        for file in files.filter(|file| file.language() == language) {
            if let Some(attribute) = file.learned().body(&kind).and_then(|body| body.attributes.get(name)) {
                same_kind.add(attribute);
            }
            for attribute in file.learned().bodies().filter_map(|(_, body)| body.attributes.get(name)) {
                all.add(attribute);
            }
        }
        Ok((same_kind, all))
    }

    /// The text between the place and the end of its line.
    fn rest(&self) -> &str {
        let text = self.file.source().text().get(self.cursor.offset..).unwrap_or_default();
        text.lines().next().unwrap_or_default()
    }

    /// Returns true if an expression or key comes next in the line, after a blank: whatever is written at the place would
    /// stand before it.
    fn is_before_expression(&self) -> bool {
        let (Place::Expression { prefix } | Place::ObjectKey { prefix, is_quoted: false }) = &self.cursor.place else {
            return false;
        };
        let (rest, before) = (self.rest(), self.file.source().text().get(..prefix.start()).unwrap_or_default());
        let next = rest.trim_start_matches([' ', '\t']);
        let is_start = |char: char| char.is_alphanumeric() || matches!(char, '_' | '"');
        let is_word = ["for ", "in ", "if "].iter().any(|word| next.starts_with(word));
        // After `=`, a blank may still have to be written.
        let is_apart = next.len() < rest.len() || before.ends_with('=') && prefix.is_empty();
        is_apart && next.starts_with(is_start) && !is_word
    }

    /// Returns the quote to end a text at the place, unless the line already has one.
    pub fn closing_quote(&self) -> &'static str {
        if self.rest().matches('"').count().is_multiple_of(2) { "\"" } else { "" }
    }
}

/// The attributes and blocks of bodies in the workspace.
#[derive(Default)]
pub(crate) struct Usual {
    /// The attributes with the number of their uses.
    pub attributes: BTreeMap<String, u32>,
    /// The types of blocks, with the number of their uses and of their labels.
    pub blocks: BTreeMap<String, (u32, usize)>,
    /// The number of bodies.
    pub bodies: u32,
    /// The names that follow the previous one in such bodies, and those that precede the next one, with the number of
    /// times.
    pub next: Uses,
    pub before: Uses,
    /// The same in bodies of any kind, for attributes alone.
    pub next_anywhere: Uses,
    pub before_anywhere: Uses,
}

/// Names with the number of their uses, and the total.
#[derive(Default)]
pub(crate) struct Uses {
    pub by_name: BTreeMap<String, u32>,
    total: i64,
}

impl Uses {
    fn of(by_name: BTreeMap<String, u32>) -> Uses {
        Uses { total: by_name.values().copied().map(i64::from).sum(), by_name }
    }

    /// Returns the share of a name in all uses, as a part of a number.
    fn share(&self, name: &str, of: i64) -> i64 {
        of * i64::from(self.by_name.get(name).copied().unwrap_or_default()) / self.total.max(1)
    }
}

impl Usual {
    /// Returns the points of a name by its uses: how many bodies have it, and how often it occurs between its
    /// neighbours.
    pub fn points(&self, name: &str, uses: u32) -> i64 {
        let share = 1_000 * i64::from(uses.min(self.bodies)) / i64::from(self.bodies.max(1));
        share
            + i64::from(uses.min(20))
            + self.next.share(name, 1_500)
            + self.before.share(name, 1_000)
            + self.next_anywhere.share(name, if self.bodies == 0 { 900 } else { 300 })
            + self.before_anywhere.share(name, if self.bodies == 0 { 600 } else { 200 })
    }
}

/// Escapes a text as the inside of quotes.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_owned()
}

/// Escapes a text as a part of a snippet.
fn in_snippet(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '\\' | '$' | '}') {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

/// Returns the innermost body around a place, at most `depth` blocks deep.
pub(crate) fn body_at(file: BodyNode<'_>, offset: usize, depth: usize) -> Option<BodyNode<'_>> {
    let mut body = file;
    for _ in 0..depth {
        let around = |block: &hcl_lr::syntax::ast::BlockNode<'_>| {
            let brace = block.body().open_brace_span();
            brace.is_some_and(|brace| brace.end() <= offset) && offset <= block.span().end()
        };
        body = body.blocks().rfind(around)?.body();
    }
    Some(body)
}
