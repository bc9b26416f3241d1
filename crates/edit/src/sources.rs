//! The sources of items with their comments.

use super::EditError;
use super::clear::check_ends;
use super::item::{New, Origin};
use super::neighbours;
use super::node::Item;
use super::text::{Lines, reindent};
use hcl_lr::syntax::ast::File;

/// Returns the source of an item with the comments that belong to it, without the indentation of its lines.
///
/// ```
/// use hcl_lr_edit::source_of;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  # Why.\n  b = 1 # one\n}\n").into_result()?;
/// let b = file.body().blocks().next().expect("a").body().attribute("b").expect("b");
/// assert_eq!(source_of(&file, b)?, "# Why.\nb = 1 # one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the item belongs to another file, or a syntax error makes its end uncertain.
pub fn source_of<'f>(file: &'f File, item: impl Into<Item<'f>>) -> Result<String, EditError> {
    ItemSources::new(file).of(item)
}

/// The sources of many items of a file, as [`source_of`] returns them. The lines of the file are read only once.
///
/// ```
/// use hcl_lr_edit::ItemSources;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  b = 1\n  c = 2 # two\n}\n").into_result()?;
/// let sources = ItemSources::new(&file);
/// let a = file.body().blocks().next().expect("a").body();
/// let texts: Vec<String> = a.attributes().map(|item| sources.of(item)).collect::<Result<_, _>>()?;
/// assert_eq!(texts, ["b = 1", "c = 2 # two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ItemSources<'f> {
    file: &'f File,
    lines: Lines<'f>,
}

impl<'f> ItemSources<'f> {
    /// Reads the lines of a file.
    pub fn new(file: &'f File) -> Self {
        ItemSources { file, lines: Lines::new(file.source().text()) }
    }

    /// Returns the source of an item.
    ///
    /// # Errors
    /// If the item belongs to another file, or a syntax error makes its end uncertain.
    pub fn of(&self, item: impl Into<Item<'f>>) -> Result<String, EditError> {
        let New { lead, core, trail, .. } = moved(self.file, &self.lines, item.into())?;
        let between = if trail.is_some() { " " } else { "" };
        Ok(format!("{lead}{core}{between}{}", trail.unwrap_or_default()))
    }
}

/// Returns a member with its comments, to insert elsewhere.
pub(super) fn moved<'f>(file: &'f File, lines: &Lines<'f>, member: Item<'f>) -> Result<New<'f>, EditError> {
    let text = file.source().text();
    let (above, below) = neighbours::around(file, member)?;
    let span = member.span();
    check_ends(file, member)?;
    let core = reindent(&text[span.range()], lines.indent(span.start()), "", Some("\n"));
    let mut new = New::with(member.shape(), core, Origin::Moved(member, None));
    for line in above.lead() {
        new.lead.extend([text[line.span.range()].trim(), "\n"]);
    }
    if let Some(first) = above.last_comments.first() {
        let comments = &text[first.start()..span.start()];
        if comments.contains('\n') || !above.lead().is_empty() {
            new.lead.extend([comments.trim_end(), "\n"]);
        } else {
            new.core.insert_str(0, comments);
            new.name_start = comments.len();
            new.name_end = None;
        }
    }
    let trail: Vec<&str> = below.tail_comments.iter().map(|comment| text[comment.range()].trim_end()).collect();
    new.trail = (!trail.is_empty()).then(|| trail.join(" "));
    Ok(new)
}
