//! Three-way merges.
//!
//! A merge is decided by structure: the changes from the base to their file become edits of our file, unless we
//! changed the same parts differently. If a merge by lines gives the same content, its text is used, because it keeps
//! the comments and layout of both sides. Otherwise our layout and comments are kept, and theirs only in what they
//! changed. If the structures of the files conflict as a whole, the files are merged by lines, and the lines of an
//! item stay together.

mod conflicts;
mod extent;
mod lines;
mod plan;
mod sequence;

use std::collections::HashMap;

use self::conflicts::{Marked, Sides, line_end};
use self::lines::{Piece, pieces, pieces_of_items};
use self::plan::{Action, Files, Grain, Outlines, Plan, Point, plan};
use super::outline::{Meanings, Outline};
use super::same_meaning;
use crate::{
    Container, EditError, Edited, Editor, InsertionPoint, Item, ItemSources, NewItem, comments_of, constant_key,
};
use hcl_lr::ParseOptions;
use hcl_lr::construct::NewExpression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::format::format;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::Comment;
use hcl_lr::syntax::ast::File;

/// Options of a merge.
///
/// ```
/// use hcl_lr_edit::diff::{MergeOptions, merge_lines};
///
/// let options = MergeOptions::new().with_labels("HEAD", "base", "topic").with_base(true);
/// let merged = merge_lines("a = 1\n", "a = 2\n", "a = 3\n", &options);
/// let expected = "<<<<<<< HEAD\na = 2\n||||||| base\na = 1\n=======\na = 3\n>>>>>>> topic\n";
/// assert_eq!(merged.text(), expected);
/// ```
#[derive(Clone, Debug)]
pub struct MergeOptions {
    ours: String,
    base: String,
    theirs: String,
    with_base: bool,
    marker_size: usize,
    parse: ParseOptions,
}

impl Default for MergeOptions {
    fn default() -> Self {
        MergeOptions {
            ours: "ours".to_owned(),
            base: "base".to_owned(),
            theirs: "theirs".to_owned(),
            with_base: false,
            marker_size: 7,
            parse: ParseOptions::default(),
        }
    }
}

impl MergeOptions {
    /// Default options: markers of 7 characters with the labels `ours`, `base` and `theirs`, and no base text.
    pub fn new() -> Self {
        MergeOptions::default()
    }

    /// Sets the labels after the markers.
    pub fn with_labels(self, ours: &str, base: &str, theirs: &str) -> Self {
        MergeOptions { ours: ours.to_owned(), base: base.to_owned(), theirs: theirs.to_owned(), ..self }
    }

    /// Includes the text of the base in conflicts.
    pub fn with_base(self, with_base: bool) -> Self {
        MergeOptions { with_base, ..self }
    }

    /// Sets the length of the markers.
    pub fn with_marker_size(self, marker_size: usize) -> Self {
        MergeOptions { marker_size, ..self }
    }

    /// Sets the options for parsing the files.
    pub fn with_parse_options(self, parse: ParseOptions) -> Self {
        MergeOptions { parse, ..self }
    }
}

/// The result of a merge.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    text: String,
    conflicts: usize,
    left_out: Vec<Place>,
    by_lines: bool,
}

impl Merged {
    /// Returns the merged text, with markers around conflicts.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of conflicts.
    pub fn conflicts(&self) -> usize {
        self.conflicts
    }

    /// Returns the places of comments that neither side removed and that the result lacks: comments of theirs that
    /// belong to nothing that changed, and comments of either side whose item or value the other side removed or
    /// changed.
    ///
    /// ```
    /// use hcl_lr_edit::diff::{MergeOptions, merge};
    ///
    /// let (base, ours, theirs) = ("a = 1\nb = 2\n", "# Why.\na = 1\nb = 2\n", "b = 2\n");
    /// let merged = merge(base, ours, theirs, &MergeOptions::new())?;
    /// assert_eq!((merged.text(), merged.conflicts()), ("b = 2\n", 0));
    /// assert_eq!(merged.comments_left_out()[0].text().trim(), "# Why.");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn comments_left_out(&self) -> &[Place] {
        &self.left_out
    }

    /// Returns true if the files were merged by lines, because their parts could not be matched or by [`merge_lines`].
    pub fn is_by_lines(&self) -> bool {
        self.by_lines
    }

    fn clean(text: String) -> Merged {
        Merged { text, ..Merged::default() }
    }
}

impl From<Marked> for Merged {
    fn from(marked: Marked) -> Merged {
        Merged { text: marked.text, conflicts: marked.conflicts, ..Merged::default() }
    }
}

/// Merges any three texts by lines, as git does.
pub fn merge_lines(base: &str, ours: &str, theirs: &str, options: &MergeOptions) -> Merged {
    marked(pieces(base, ours, theirs), options, line_end(ours))
}

/// Assembles the pieces of a merge by lines.
fn marked(pieces: Vec<Piece<'_>>, options: &MergeOptions, end: &str) -> Merged {
    let mut marked = Marked::default();
    for piece in pieces {
        match piece {
            Piece::Agreed(text) => marked.agreed(text),
            Piece::Conflict { ours, base, theirs } => marked.conflict(&Sides { ours, base, theirs }, options, end),
        }
    }
    Merged { by_lines: true, ..marked.into() }
}

/// Merges the changes from a base to two files, each in native syntax.
///
/// A change of only one side is applied. Different changes of the same part conflict: an attribute with two new
/// values, a block that one side removed and the other changed, two new blocks with the same labels, elements inserted
/// at the same place of a list. A result without conflicts parses, and is formatted if ours was.
///
/// ```
/// use hcl_lr_edit::diff::{MergeOptions, merge};
///
/// let base = "service \"web\" {\n  port = 80\n  host = \"a\"\n}\n";
/// let ours = "service \"web\" {\n  port = 8080 # public\n  host = \"a\"\n}\n";
/// let theirs = "service \"web\" {\n  port = 80\n  host = \"b\"\n}\n";
/// let merged = merge(base, ours, theirs, &MergeOptions::new())?;
/// assert_eq!(merged.conflicts(), 0);
/// assert_eq!(merged.text(), "service \"web\" {\n  port = 8080 # public\n  host = \"b\"\n}\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// The syntax errors of the files. [`merge_lines`] merges such files.
pub fn merge(
    base: impl Into<Source>,
    ours: impl Into<Source>,
    theirs: impl Into<Source>,
    options: &MergeOptions,
) -> Result<Merged, Diagnostics> {
    merge_sources([base.into(), ours.into(), theirs.into()], options)
}

fn merge_sources(sources: [Source; 3], options: &MergeOptions) -> Result<Merged, Diagnostics> {
    let (mut wrong, mut files) = (Diagnostics::new(), Vec::new());
    for source in sources {
        let (file, diagnostics) = options.parse.parse::<File>(source).into_parts();
        if diagnostics.has_errors() {
            wrong.extend(diagnostics);
        }
        files.push(file);
    }
    let [base, ours, theirs] = &files[..] else { return Err(wrong) };
    if wrong.has_errors() {
        return Err(wrong);
    }
    let files = Files { base, ours, theirs };
    let [base, ours, theirs] = [base, ours, theirs].map(|file| file.source().text());
    if ours == theirs || base == theirs {
        return Ok(Merged::clean(ours.to_owned()));
    }
    if base == ours {
        return Ok(Merged::clean(theirs.to_owned()));
    }
    let by_lines = merge_lines(base, ours, theirs, options);
    Ok(by_structure(files, &by_lines, options).unwrap_or_else(|| {
        let by_items = marked(pieces_of_items(files.base, files.ours, files.theirs), options, line_end(ours));
        if by_items.conflicts > 0 {
            return by_items;
        }
        // A merge by lines does not notice these conflicts.
        let mut conflicting = Marked::default();
        conflicting.conflict(&Sides { ours, base, theirs }, options, line_end(ours));
        Merged { by_lines: true, ..conflicting.into() }
    }))
}

/// Merges by structure. Returns `None` if that is not possible.
fn by_structure(files: Files<'_>, by_lines: &Merged, options: &MergeOptions) -> Option<Merged> {
    let outlines = outlines(files);
    for grain in [Grain::Parts, Grain::Values, Grain::Items] {
        let plan = plan(files, &outlines, grain, (true, false));
        let is_clean = plan.conflicts.is_empty() && !plan.is_whole;
        if let Some(text) = by_lines_and_guesses(files, &outlines, by_lines, options).filter(|_| !is_clean) {
            return Some(Merged { left_out: left_out(files, [&text, &text]), ..Merged::clean(text) });
        }
        if plan.is_whole {
            continue;
        }
        let Ok(edited) = edited(files, &outlines, &plan, options.parse) else { continue };
        let (mut merged, texts) = match &plan.conflicts[..] {
            [] => {
                let text = clean(files, &edited, by_lines, options);
                (Merged::clean(text.clone()), [text.clone(), text])
            }
            conflicts => {
                let Some(file) = edited.file() else { continue };
                let edits = (file, edited.replacements());
                let Some(marked) = conflicts::mark(files, &outlines, edits, conflicts, options) else { continue };
                let is_right = |text: &str| !options.parse.parse::<File>(text).has_errors();
                if !is_right(&marked.with_ours) || !is_right(&marked.with_theirs) {
                    continue;
                }
                let texts = [marked.with_ours.clone(), marked.with_theirs.clone()];
                (Merged::from(marked), texts)
            }
        };
        merged.left_out = left_out(files, [&texts[0], &texts[1]]);
        return Some(merged);
    }
    None
}

/// Returns the text of a merge by lines without conflicts, if a structural merge that trusts all guessed renames has
/// the same content.
fn by_lines_and_guesses(
    files: Files<'_>,
    outlines: &Outlines<'_>,
    by_lines: &Merged,
    options: &MergeOptions,
) -> Option<String> {
    if by_lines.conflicts > 0 {
        return None;
    }
    let plan = plan(files, outlines, Grain::Parts, (false, true));
    if !plan.conflicts.is_empty() || plan.is_whole {
        return None;
    }
    let edited = edited(files, outlines, &plan, options.parse).ok()?;
    let outcome = options.parse.parse::<File>(by_lines.text.as_str());
    let is_same = !outcome.has_errors() && edited.file().is_some_and(|file| same_meaning(outcome.value(), file));
    is_same.then(|| clean(files, &edited, by_lines, options))
}

/// Returns the text of a merge without conflicts: that of the merge by lines if it has the same content.
fn clean(files: Files<'_>, edited: &Edited, by_lines: &Merged, options: &MergeOptions) -> String {
    let formatted = |text: &str| {
        let ours = files.ours.source().text();
        if format(ours) == ours { format(text) } else { text.to_owned() }
    };
    if by_lines.conflicts == 0 {
        let outcome = options.parse.parse::<File>(by_lines.text.as_str());
        if !outcome.has_errors() && edited.file().is_some_and(|file| same_meaning(outcome.value(), file)) {
            return formatted(&by_lines.text);
        }
    }
    formatted(edited.text())
}

fn outlines(files: Files<'_>) -> Outlines<'_> {
    let mut meanings = Meanings::default();
    let mut outline = |file| Outline::of_file(file, &mut meanings);
    Outlines { base: outline(files.base), ours: outline(files.ours), theirs: outline(files.theirs) }
}

/// Makes the edits of a plan.
fn edited<'f>(
    files: Files<'f>,
    outlines: &Outlines<'f>,
    plan: &Plan,
    options: ParseOptions,
) -> Result<Edited, EditError> {
    let mut editor = Editor::new(files.ours).with_options(options);
    let sources = ItemSources::new(files.theirs);
    for (_, action) in &plan.actions {
        act((files, outlines, &sources), action, &mut editor)?;
    }
    editor.finish()
}

/// Makes one edit.
fn act<'f>(
    (files, outlines, sources): (Files<'f>, &Outlines<'f>, &ItemSources<'f>),
    action: &Action,
    editor: &mut Editor<'f>,
) -> Result<(), EditError> {
    let nothing = || EditError::Misplaced("this cannot be edited as an item");
    let mine = |at: usize| outlines.ours.item(at).ok_or_else(nothing);
    let yours = |at: usize| outlines.theirs.item(at).ok_or_else(nothing);
    match *action {
        Action::Remove(o) => drop(editor.remove(mine(o)?)),
        Action::Set(o, t) => {
            let value = yours(t)?.value().ok_or_else(nothing)?;
            let value = NewExpression::parse(files.theirs.source().slice(value.span()))?;
            editor.set(mine(o)?, value);
        }
        Action::Write(o, ref value) => drop(editor.set(mine(o)?, NewExpression::parse(value)?)),
        Action::Rename(o, t) => rename(mine(o)?, yours(t)?, editor).ok_or_else(nothing)?,
        Action::Insert(t, point) => {
            let item = yours(t)?;
            let text = sources.of(item)?;
            let (point, within) = match point {
                Point::Before(o) => (InsertionPoint::Before(mine(o)?), outlines.ours.nodes[o].parent),
                Point::After(o) => (InsertionPoint::After(mine(o)?), outlines.ours.nodes[o].parent),
                Point::EndOf(o) => (InsertionPoint::End(container(files, outlines, o).ok_or_else(nothing)?), o),
            };
            let container = container(files, outlines, within).ok_or_else(nothing)?;
            for new in NewItem::parse_for(container, &text)? {
                editor.insert(point, new);
            }
        }
        Action::Lead(o, t) => {
            let text = joined(&comments_of(files.theirs, yours(t)?).0);
            editor.set_comment(mine(o)?, text.as_deref());
        }
        Action::Trail(o, t) => {
            let text = joined(&comments_of(files.theirs, yours(t)?).1);
            editor.set_trailing_comment(mine(o)?, text.as_deref());
        }
    }
    Ok(())
}

/// Renames an item of ours to the name of an item of theirs. Returns `None` if that name is computed.
fn rename<'f>(mine: Item<'f>, yours: Item<'f>, editor: &mut Editor<'f>) -> Option<()> {
    match (mine, yours) {
        (Item::Block(mine), Item::Block(yours)) => {
            editor.set_labels(mine, yours.labels().map(|label| label.text().into_owned()));
        }
        (_, Item::Attribute(yours)) => drop(editor.rename(mine, yours.name())),
        (_, Item::Entry(yours)) => drop(editor.rename(mine, &constant_key(yours).ok()?)),
        _ => return None,
    }
    Some(())
}

fn joined(comments: &[Comment<'_>]) -> Option<String> {
    let lines: Vec<&str> = comments.iter().map(|comment| comment.text().trim()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns a part of ours as a container.
fn container<'f>(files: Files<'f>, outlines: &Outlines<'f>, at: usize) -> Option<Container<'f>> {
    match outlines.ours.item(at) {
        None => Some(Container::Body(files.ours.body())),
        Some(Item::Block(block)) => Some(Container::Body(block.body())),
        Some(item) => item.value().map(Container::Collection),
    }
}

/// Finds the comments that neither side removed and that are in neither result: with all conflicts resolved our way,
/// and theirs.
fn left_out(files: Files<'_>, results: [&str; 2]) -> Vec<Place> {
    fn text(comment: Comment<'_>) -> String {
        comment.text().trim().replace("\r\n", "\n")
    }
    let counted = |file: &File| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        file.comments().for_each(|comment| *counts.entry(text(comment)).or_default() += 1);
        counts
    };
    let [base, ours, theirs] = [files.base, files.ours, files.theirs].map(counted);
    let results = results.map(|result| counted(&hcl_lr::parse::<File>(result).into_value()));
    let mut missing: HashMap<&str, usize> = HashMap::new();
    for text in ours.keys().chain(theirs.keys()) {
        let of = |counts: &HashMap<String, usize>| counts.get(text).copied().unwrap_or(0);
        let (in_base, in_ours, in_theirs) = (of(&base), of(&ours), of(&theirs));
        let wanted = match in_ours >= in_base && in_theirs >= in_base {
            true => in_ours.max(in_theirs),
            false => (in_ours + in_theirs).saturating_sub(in_base),
        };
        let count = wanted.saturating_sub(results.iter().map(of).max().unwrap_or(0));
        if count > 0 {
            missing.insert(text, count);
        }
    }
    let mut left_out = Vec::new();
    // A comment that both sides have is reported at its place in ours.
    for (file, has_more) in [(files.theirs, true), (files.ours, false)] {
        let mut last: Vec<Comment<'_>> = file.comments().collect();
        last.reverse();
        for comment in last {
            let text = text(comment);
            let of = |counts: &HashMap<String, usize>| counts.get(&text).copied().unwrap_or(0);
            if has_more && of(&theirs) <= of(&ours) {
                continue;
            }
            if let Some(count) = missing.get_mut(text.as_str()).filter(|count| **count > 0) {
                *count -= 1;
                left_out.push(Place::new(file.source(), comment.span()));
            }
        }
    }
    left_out.reverse();
    left_out
}

/// Edits the old file so that its content equals that of the new one.
pub(super) fn patch(old: &File, new: &File) -> Result<Edited, EditError> {
    let files = Files { base: old, ours: old, theirs: new };
    let outlines = outlines(files);
    let mut refused = EditError::NotAsAsked(Span::default());
    for grain in [Grain::Parts, Grain::Values, Grain::Items] {
        let plan = plan(files, &outlines, grain, (false, false));
        match edited(files, &outlines, &plan, ParseOptions::default()) {
            Ok(edited) if edited.file().is_some_and(|file| same_meaning(file, new)) => return Ok(edited),
            Ok(_) => {}
            Err(error) => refused = error,
        }
    }
    Err(refused)
}
