//! Writes conflicts into a text, with the markers of git.

use std::collections::HashMap;

use super::MergeOptions;
use super::extent::{Extent, extent, line_start};
use super::plan::{Conflict, Files, Outlines, Point};
use crate::diff::outline::{Meanings, Outline};
use crate::{Item, ItemSources, reindent};
use hcl_lr::internal::pieces::with_line_ends;
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Replacement;
use hcl_lr::syntax::ast::File;

/// The two sides of a conflict and the base, each as whole lines.
pub(super) struct Sides<'s> {
    pub ours: &'s str,
    pub base: &'s str,
    pub theirs: &'s str,
}

/// A text with conflicts, and the same text with all conflicts resolved in favour of one side.
#[derive(Default)]
pub(super) struct Marked {
    pub text: String,
    pub with_ours: String,
    pub with_theirs: String,
    pub conflicts: usize,
}

impl Marked {
    /// Adds a text without conflicts.
    pub fn agreed(&mut self, text: &str) {
        for out in [&mut self.text, &mut self.with_ours, &mut self.with_theirs] {
            out.push_str(text);
        }
    }

    /// Adds a conflict.
    pub fn conflict(&mut self, sides: &Sides<'_>, options: &MergeOptions, end: &str) {
        let text = &mut self.text;
        // A marker must begin its line, so the byte order mark goes into both sides.
        let mark = if *text == "\u{feff}" { std::mem::take(text) } else { String::new() };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(end);
        }
        let marker = |sign: &str, label: &str| {
            let between = if label.is_empty() { "" } else { " " };
            format!("{}{between}{label}{end}", sign.repeat(options.marker_size))
        };
        let whole = |lines: &str| match lines {
            "" => String::new(),
            _ if lines.ends_with('\n') => format!("{mark}{lines}"),
            _ => format!("{mark}{lines}{end}"),
        };
        text.extend([marker("<", &options.ours), whole(sides.ours)]);
        if options.with_base {
            text.extend([marker("|", &options.base), whole(sides.base)]);
        }
        text.extend([marker("=", ""), whole(sides.theirs)]);
        text.push_str(&marker(">", &options.theirs));
        self.with_ours.push_str(sides.ours);
        self.with_theirs.push_str(sides.theirs);
        self.conflicts += 1;
    }
}

/// Returns the line ending of a text, taken from its first line.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// A conflict with its place in the edited text.
struct Placed {
    start: usize,
    end: usize,
    base: String,
    theirs: String,
}

/// Puts conflicts into our edited file. Returns `None` if one of them has no place there.
pub(super) fn mark(
    files: Files<'_>,
    outlines: &Outlines<'_>,
    (edited, replacements): (&File, &[Replacement]),
    conflicts: &[Conflict],
    options: &MergeOptions,
) -> Option<Marked> {
    let mut meanings = Meanings::default();
    let outline = Outline::of_file(edited, &mut meanings);
    let items = (1..outline.nodes.len()).filter_map(|at| outline.item(at));
    let (text, end) = (edited.source().text(), line_end(edited.source().text()));
    let marker = Marker {
        end,
        theirs: ItemSources::new(files.theirs),
        base: ItemSources::new(files.base),
        outlines,
        edited,
        items: items.map(|item| (item.span().start(), item)).collect(),
        shifts: shifts(replacements),
    };
    let mut placed = conflicts.iter().map(|conflict| marker.place(conflict)).collect::<Option<Vec<Placed>>>()?;
    sort_by_key(&mut placed, |conflict| (conflict.start, conflict.end));
    let (mut marked, mut done) = (Marked::default(), 0);
    for conflict in &placed {
        marked.agreed(text.get(done..conflict.start)?);
        let sides = Sides { ours: &text[conflict.start..conflict.end], base: &conflict.base, theirs: &conflict.theirs };
        marked.conflict(&sides, options, end);
        done = conflict.end;
    }
    marked.agreed(&text[done..]);
    Some(marked)
}

/// Returns the ends of replacements, each with the shift of the text after it.
fn shifts(replacements: &[Replacement]) -> Vec<(usize, isize)> {
    let mut ends: Vec<(usize, usize, isize)> = replacements
        .iter()
        .map(|replacement| {
            (
                replacement.span().end(),
                replacement.span().start(),
                replacement.text().len() as isize - replacement.span().len() as isize,
            )
        })
        .collect();
    ends.sort_unstable();
    let mut shift = 0;
    ends.into_iter()
        .map(|(end, _, by)| {
            shift += by;
            (end, shift)
        })
        .collect()
}

struct Marker<'m, 'f> {
    /// The line ending of the edited file.
    end: &'static str,
    theirs: ItemSources<'f>,
    base: ItemSources<'f>,
    outlines: &'m Outlines<'f>,
    edited: &'m File,
    /// The items of the edited file by their starts.
    items: HashMap<usize, Item<'m>>,
    shifts: Vec<(usize, isize)>,
}

impl<'m, 'f> Marker<'m, 'f> {
    /// Returns an item of ours in the edited file.
    fn edited_item(&self, at: usize) -> Option<Item<'m>> {
        let start = self.outlines.ours.item(at)?.span().start();
        let before = self.shifts.partition_point(|&(end, _)| end <= start);
        let shift = before.checked_sub(1).map_or(0, |last| self.shifts[last].1);
        self.items.get(&start.checked_add_signed(shift)?).copied()
    }

    fn extent(&self, at: usize) -> Option<Extent<'m>> {
        extent(self.edited, self.edited_item(at)?)
    }

    fn place(&self, conflict: &Conflict) -> Option<Placed> {
        let (start, end, indent, comma) = match (conflict.ours.first(), conflict.ours.last()) {
            (Some(&first), Some(&last)) => {
                let (first, last) = (self.extent(first)?, self.extent(last)?);
                (first.start, last.end, first.indent.to_owned(), last.comma)
            }
            _ => {
                let (at, indent) = self.point(conflict.point?)?;
                (at, at, indent, false)
            }
        };
        let theirs = self.lines(&self.theirs, &self.outlines.theirs, &conflict.theirs, (&indent, comma))?;
        let base = self.lines(&self.base, &self.outlines.base, &conflict.base, (&indent, comma))?;
        Some(Placed { start, end, base, theirs })
    }

    /// Returns a position in the edited file, with the indentation there.
    fn point(&self, point: Point) -> Option<(usize, String)> {
        let text = self.edited.source().text();
        Some(match point {
            Point::Before(at) => self.extent(at).map(|extent| (extent.start, extent.indent.to_owned()))?,
            Point::After(at) => self.extent(at).map(|extent| (extent.end, extent.indent.to_owned()))?,
            Point::EndOf(0) => (text.len(), String::new()),
            Point::EndOf(at) => {
                let Item::Block(block) = self.edited_item(at)? else { return None };
                let close = block.body().close_brace_span()?.start();
                let start = line_start(text, close)?;
                (start, format!("{}  ", &text[start..close]))
            }
        })
    }

    /// Returns parts of another file as lines with the given indentation.
    fn lines(
        &self,
        sources: &ItemSources<'f>,
        outline: &Outline<'f>,
        parts: &[usize],
        (indent, comma): (&str, bool),
    ) -> Option<String> {
        let mut lines = String::new();
        for &at in parts {
            let text = sources.of(outline.item(at)?).ok()?;
            let text = reindent(&text, "", indent, Some("\n"));
            lines.extend([indent, text.trim_end_matches('\n'), if comma { "," } else { "" }, "\n"]);
        }
        Some(with_line_ends(&lines, self.end))
    }
}
