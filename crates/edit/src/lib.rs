//! Edits of HCL 2 files that keep everything else as it is, with addresses, searches, differences and merges.
//!
//! | module | contents |
//! | --- | --- |
//! | here | [`Editor`] and [`JsonEditor`]: edits of native files and of files in the JSON syntax |
//! | [`address`] | parts of a file by paths such as `resource.aws_instance.web.ami` |
//! | [`mod@diff`] | differences of two files by structure, and merges of three |
//! | `query` (feature `query`, on by default) | searches in many files by address and condition |
//!
//! # Edits
//!
//! An [`Editor`] collects edits of a parsed file and turns them into the smallest possible replacements. Everything
//! else stays, byte for byte: comments, blank lines, layout. New text follows its surroundings: indentation, aligned
//! equals signs, commas, line endings.
//!
//! ```
//! use hcl_lr::construct::NewExpression;
//! use hcl_lr_edit::{Editor, NewItem, InsertionPoint};
//!
//! let file = hcl_lr::parse::<hcl_lr::File>("\
//! service \"web\" {
//!   port   = 80 # public
//!   labels = { team = \"a\" }
//! }
//! ").into_result()?;
//! let body = file.body().blocks().next().expect("a block").body();
//! let port = body.attribute("port").expect("it is there");
//! let labels = body.attribute("labels").expect("it is there").expression();
//!
//! let mut editor = Editor::new(&file);
//! editor.set(port, 8080);
//! editor.insert(InsertionPoint::after(port), NewItem::attribute("host", NewExpression::parse("var.host")?));
//! editor.insert(InsertionPoint::end_of(labels), NewItem::entry("cost", "b"));
//! let edited = editor.finish()?;
//! assert_eq!(edited.text(), "\
//! service \"web\" {
//!   port   = 8080 # public
//!   host   = var.host
//!   labels = { team = \"a\", cost = \"b\" }
//! }
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`JsonEditor`] does the same in documents in the JSON syntax.
//!
//! | what | where it is | what can be done |
//! | --- | --- | --- |
//! | attribute, block | in a body | insert, move, remove, rename; labels |
//! | entry | in an object | insert, move, remove; its key |
//! | element | in a tuple | insert, move, remove |
//! | argument | in a call | insert, move, remove |
//! | expression | anywhere: a value, an operand, an index, a part of a `for`, an interpolation | set, wrap, unwrap |
//! | comment | above one of these, or after it in its line | read, set, remove |
//!
//! The members of bodies, objects, lists and calls are [`Item`]s of a [`Container`]. The comments on the lines right above a member, and the one after
//! it on its line, belong to it: they are moved and removed with it. A removal leaves no more blank lines than there
//! were.
//!
//! Edits refer to the nodes of the original file and may come in any order; the cost of an edit does not depend on
//! their number. The result is parsed, and its tree is compared with the request: any other change, or a new error, is
//! an [`EditError`], and there is no result. It is also an error to give an attribute or a key a name that is taken,
//! to use a node of another file, or to change a part whose end is uncertain because of a syntax error. Blocks may
//! repeat.
//!
//! New lines end as the lines of the file do. The text of a heredoc keeps its line endings, which are part of its
//! value. A last line without a newline stays so, unless it is the closing line of a heredoc, which needs one.

#![warn(missing_debug_implementations)]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod address;
mod check;
mod clear;
mod compose;
pub mod diff;
mod error;
mod gap;
mod item;
mod json;
mod names;
mod neighbours;
mod node;
mod orders;
mod parts;
mod plan;
#[cfg(feature = "query")]
pub mod query;
mod requested;
mod survey;
mod text;
mod tokens;

pub use error::EditError;
pub use item::NewItem;
pub use json::{JsonEditor, JsonPosition};
pub use node::{Container, InsertionPoint, Item};

use std::fmt;
use std::sync::Arc;

use clear::check_ends;
use hcl_lr::ParseOptions;
use hcl_lr::construct::{BuildError, NewExpression};
use hcl_lr::format::keep_layout;
use hcl_lr::internal::comment_lines;
use hcl_lr::source::{Replacement, Source};
use hcl_lr::syntax::ast::{BlockNode, ExpressionNode, File};
use hcl_lr::syntax::{Comment, is_identifier};
use hcl_lr::writer::key;
use item::{New, NewValue, Origin, trailing};
pub(crate) use names::{constant, constant_key};
use orders::{MemberOrder, Orders, PartOrder};
use text::Lines;
pub(crate) use text::reindent;

/// Edits of a file.
///
/// [`finish`](Editor::finish) reports edits that cannot be written or that conflict with each other, and nodes of
/// another file: see [`EditError::Elsewhere`].
#[derive(Clone, Debug)]
#[must_use = "edits do nothing until `finish`"]
pub struct Editor<'f> {
    file: &'f File,
    options: ParseOptions,
    orders: Orders<'f>,
    problem: Option<EditError>,
    /// Read on first use.
    lines: Option<Arc<Lines<'f>>>,
}

impl<'f> Editor<'f> {
    /// Creates an editor without edits.
    pub fn new(file: &'f File) -> Self {
        Editor { file, options: ParseOptions::default(), orders: Orders::new(file), problem: None, lines: None }
    }

    /// Sets the options that the file was parsed with.
    pub fn with_options(self, options: ParseOptions) -> Self {
        Editor { options, ..self }
    }

    fn lines(&mut self) -> Arc<Lines<'f>> {
        self.lines.get_or_insert_with(|| Arc::new(Lines::new(self.file.source().text()))).clone()
    }

    fn note(&mut self, result: Result<(), EditError>) -> &mut Self {
        if let Err(problem) = result {
            self.problem.get_or_insert(problem);
        }
        self
    }

    /// Records a change of a member. Errors of the member come before errors of the change.
    fn change(
        &mut self,
        member: Item<'f>,
        change: impl FnOnce(&mut MemberOrder<'f>) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        change(self.orders.member(member)?)
    }

    /// Returns the changes of the value of an item, or of any expression.
    fn part(&mut self, item: Item<'f>) -> Result<&mut PartOrder<'f>, EditError> {
        item.check_file(self.file)?;
        self.orders.part(item.value().ok_or(EditError::Misplaced("a block has no value"))?)
    }

    /// Sets the value of an attribute or an entry, or any expression: an element, an argument, an operand, a condition,
    /// the key of an index or of an entry, a part of a `for`, an interpolation. The new expression gets parentheses
    /// where it needs them. It takes the place of earlier changes of the same expression.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    /// use hcl_lr::syntax::ast::ExpressionKind;
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 2 * b # twice\n").into_result()?;
    /// let ExpressionKind::Binary(product) = file.body().attribute("a").expect("a").expression().kind() else {
    ///     unreachable!("a product")
    /// };
    /// let mut editor = Editor::new(&file);
    /// editor.set(product.right(), NewExpression::parse("b + 1")?);
    /// assert_eq!(editor.finish()?.text(), "a = 2 * (b + 1) # twice\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, part: impl Into<Item<'f>>, value: impl Into<NewExpression>) -> &mut Self {
        let set = self.part(part.into()).and_then(|order| {
            let new = value.into();
            let value = Some(NewValue::of(&new)?);
            *order = PartOrder { value, last: Some(new), inner: None, wraps: Vec::new(), ..*order };
            Ok(())
        });
        self.note(set)
    }

    /// Puts a new expression around a value or any other expression. The function receives the expression, and returns a
    /// new one that contains it exactly once. Edits of parts of the expression are made, too, and another `wrap` goes
    /// around this one.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = b + /* two */ 2\n").into_result()?;
    /// let mut editor = Editor::new(&file);
    /// editor.wrap(file.body().attribute("a").expect("a"), |sum| NewExpression::call("abs", [sum]));
    /// assert_eq!(editor.finish()?.text(), "a = abs(b + /* two */ 2)\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wrap(&mut self, part: impl Into<Item<'f>>, wrap: impl FnOnce(NewExpression) -> NewExpression) -> &mut Self {
        let wrapped = self.part(part.into()).and_then(|order| {
            if order.value.is_some() {
                let new = wrap(order.last.take().unwrap_or_else(|| order.node.into()));
                order.value = Some(NewValue::of(&new)?);
                order.last = Some(new);
                return Ok(());
            }
            let new = wrap(match &order.last {
                Some(last) => last.stand_in(parts::STAND_IN),
                None => NewExpression::standing_for(order.kept(), parts::STAND_IN),
            });
            order.wraps.push(NewValue::around(&new)?);
            order.last = Some(new);
            Ok(())
        });
        self.note(wrapped)
    }

    /// Puts a part of an expression in its place: `f(a + b)` becomes `a + b`, or `a`. Comments in the rest of the
    /// expression are removed with it. Edits within the part are made, too. Earlier changes of the same expression are
    /// taken back.
    ///
    /// ```
    /// use hcl_lr::syntax::ast::ExpressionKind;
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 2 * int(b + 1)\n").into_result()?;
    /// let call = file.body().calls()[0];
    /// let ExpressionKind::Binary(product) = file.body().attribute("a").expect("a").expression().kind() else {
    ///     unreachable!("a product")
    /// };
    /// let mut editor = Editor::new(&file);
    /// editor.unwrap(product.right(), call.arguments().next().expect("an argument"));
    /// assert_eq!(editor.finish()?.text(), "a = 2 * (b + 1)\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unwrap(&mut self, part: impl Into<Item<'f>>, inner: ExpressionNode<'f>) -> &mut Self {
        let file = self.file;
        let unwrapped = self.part(part.into()).and_then(|order| {
            let (outer, span) = (order.node.span(), inner.span());
            if !inner.is_of(file) {
                return Err(EditError::Elsewhere);
            }
            if span == outer || span.start() < outer.start() || outer.end() < span.end() {
                return Err(EditError::Misplaced("the inner expression must be a part of the outer one"));
            }
            *order = PartOrder { value: None, last: None, inner: Some(inner), wraps: Vec::new(), ..*order };
            Ok(())
        });
        self.note(unwrapped)
    }

    /// Renames an attribute, changes the type of a block, or changes the key of an entry.
    ///
    /// ```
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a  = 1 # one\nbc = 2\n").into_result()?;
    /// let mut editor = Editor::new(&file);
    /// editor.rename(file.body().attribute("bc").expect("it is there"), "b");
    /// assert_eq!(editor.finish()?.text(), "a = 1 # one\nb = 2\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rename(&mut self, member: impl Into<Item<'f>>, name: &str) -> &mut Self {
        let member = member.into();
        let renamed = self.change(member, |order| written_name(member, name).map(|name| order.name = Some(name)));
        self.note(renamed)
    }

    /// Sets the labels of a block. Labels that stay keep their notation.
    pub fn set_labels<L: Into<String>>(
        &mut self,
        block: BlockNode<'f>,
        labels: impl IntoIterator<Item = L>,
    ) -> &mut Self {
        let labels = labels.into_iter().map(Into::into).collect();
        let set = self.orders.member(block.into()).map(|order| order.labels = Some(labels));
        self.note(set)
    }

    /// Inserts an item. Several insertions at one place keep their order.
    pub fn insert(&mut self, position: InsertionPoint<'f>, item: NewItem) -> &mut Self {
        let inserted = position.check(self.file).and_then(|()| self.orders.insert(position, item.ready()?));
        self.note(inserted)
    }

    /// Removes a member, and the comments that belong to it.
    ///
    /// ```
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\n\n# Two.\nb = 2 # two\n\nc = 3\n").into_result()?;
    /// let mut editor = Editor::new(&file);
    /// editor.remove(file.body().attribute("b").expect("it is there"));
    /// assert_eq!(editor.finish()?.text(), "a = 1\n\nc = 3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, member: impl Into<Item<'f>>) -> &mut Self {
        let removed = self.orders.member(member.into()).map(|order| order.removed = true);
        self.note(removed)
    }

    /// Moves a member, perhaps under another name.
    fn change_place(
        &mut self,
        member: Item<'f>,
        position: InsertionPoint<'f>,
        name: Option<&str>,
    ) -> Result<(), EditError> {
        position.check(self.file)?;
        let mut new = moved(self.file, &self.lines(), member)?;
        if let Some(name) = name {
            new.rename(member, &written_name(member, name)?);
        }
        self.orders.insert(position, new)?;
        self.orders.member(member)?.removed = true;
        Ok(())
    }

    /// Moves a member, with its comments. Its lines get the indentation of their new place.
    pub fn move_to(&mut self, member: impl Into<Item<'f>>, position: InsertionPoint<'f>) -> &mut Self {
        let moved = self.change_place(member.into(), position, None);
        self.note(moved)
    }

    /// Moves a member as [`move_to`](Editor::move_to) does, and renames it as [`rename`](Editor::rename) does.
    ///
    /// ```
    /// use hcl_lr_edit::{Editor, InsertionPoint};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb {\n}\n").into_result()?;
    /// let (a, b) = (file.body().attribute("a").expect("a"), file.body().blocks().next().expect("b"));
    /// let mut editor = Editor::new(&file);
    /// editor.move_as(a, InsertionPoint::end_of(b), "c");
    /// assert_eq!(editor.finish()?.text(), "b {\n  c = 1\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_as(&mut self, member: impl Into<Item<'f>>, position: InsertionPoint<'f>, name: &str) -> &mut Self {
        let moved = self.change_place(member.into(), position, Some(name));
        self.note(moved)
    }

    /// Sets the comment on the lines above a member, or removes it with `None`. Each line gets a `#` unless it begins
    /// with `#` or `//`.
    ///
    /// ```
    /// use hcl_lr_edit::{Editor, Item};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("ports = [80, 443]\n").into_result()?;
    /// let ports = file.body().attribute("ports").expect("it is there");
    /// let mut editor = Editor::new(&file);
    /// editor.set_comment(ports, Some("Both are public."));
    /// assert_eq!(editor.finish()?.text(), "# Both are public.\nports = [80, 443]\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_comment(&mut self, member: impl Into<Item<'f>>, text: Option<&str>) -> &mut Self {
        let member = member.into();
        let set = self.change(member, |order| {
            order.lead = Some(text.map(comment_lines).transpose()?.unwrap_or_default());
            Ok(())
        });
        self.note(set)
    }

    /// Sets the comment of one line after a member, or removes it with `None`.
    pub fn set_trailing_comment(&mut self, member: impl Into<Item<'f>>, text: Option<&str>) -> &mut Self {
        let member = member.into();
        let set = self.change(member, |order| {
            order.trail = Some(text.map(trailing).transpose()?);
            Ok(())
        });
        self.note(set)
    }

    /// Applies all edits.
    ///
    /// # Errors
    /// If they cannot be made, or would change something else. See [`EditError`].
    pub fn finish(mut self) -> Result<Edited, EditError> {
        let lines = self.lines();
        let Editor { file, options, mut orders, problem, .. } = self;
        if let Some(problem) = problem {
            return Err(problem);
        }
        let source = file.source();
        if !source.invalid_utf8().is_empty() {
            return Err(EditError::Unreadable);
        }
        let mut plan = plan::plan(file, lines, &mut orders)?;
        plan.replacements = keep_layout(&plan.replacements, source.text()).map_err(|_| EditError::Unreadable)?;
        let text = Replacement::apply(&plan.replacements, source.text()).map_err(|_| EditError::Unreadable)?;
        let (edited, diagnostics) = options.parse::<File>(Source::new(source.name(), text)).into_parts();
        let was_broken = || options.parse::<File>((**source).clone()).into_parts().1;
        if diagnostics.has_errors() {
            check::no_new_errors(&was_broken(), &diagnostics)?;
        }
        let compared = tokens::compare(file, &edited, &orders, &plan, diagnostics.has_errors());
        compared.map_err(EditError::NotAsAsked).and_then(|()| check::check(file, &edited, &orders, &plan)).map_err(
            |error| match error {
                // After a syntax error, the parser may read the same text differently.
                EditError::NotAsAsked(span) if was_broken().has_errors() => EditError::Broken(span),
                other => other,
            },
        )?;
        Ok(Edited { file: edited, replacements: plan.replacements })
    }
}

/// Writes the new text.
impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A file after edits.
#[derive(Clone, Debug)]
pub struct Edited {
    file: File,
    replacements: Vec<Replacement>,
}

impl Edited {
    /// Returns the new text.
    pub fn text(&self) -> &str {
        self.file.source().text()
    }

    /// Returns the new file, parsed.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the new file by value, for further edits.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Returns the replacements, with spans in the original text.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }
}

/// Returns the name of a member in HCL notation.
fn written_name(member: Item<'_>, name: &str) -> Result<String, EditError> {
    match member {
        Item::Element(_) => Err(EditError::Misplaced("an element of a list has no name")),
        Item::Entry(_) => Ok(key(name)),
        _ if is_identifier(name) => Ok(name.to_owned()),
        _ => Err(EditError::Build(BuildError::Name(name.to_owned()))),
    }
}

/// Returns a member with its comments, to insert elsewhere.
fn moved<'f>(file: &'f File, lines: &Lines<'f>, member: Item<'f>) -> Result<New<'f>, EditError> {
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

/// Returns the comments that belong to a member: those above it up to a blank line or right before it on its line, and
/// those after it on its line. A member of another file has none.
///
/// ```
/// use hcl_lr_edit::{Item, comments_of};
/// use hcl_lr::syntax::ast::ExpressionKind;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = [\n  # one\n  1, # first\n  2,\n]\n").into_result()?;
/// let ExpressionKind::Tuple(list) = file.body().attribute("a").expect("a").expression().kind() else {
///     unreachable!("a list")
/// };
/// let (above, after) = comments_of(&file, Item::Element(list.elements().next().expect("an element")));
/// assert_eq!((above[0].text(), after[0].text()), ("# one", "# first"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn comments_of<'f>(file: &'f File, member: impl Into<Item<'f>>) -> (Vec<Comment<'f>>, Vec<Comment<'f>>) {
    let Ok((above, below)) = neighbours::around(file, member.into()) else { return Default::default() };
    let lead = (above.lead_start() as usize)..above.span.end();
    let trail = below.span.start()..below.tail_end as usize;
    let within = |range: std::ops::Range<usize>| -> Vec<Comment<'f>> {
        let pieces = file.tokens().pieces(file.tokens().at(range.start).index()..);
        let before_end = pieces.take_while(|piece| piece.span().start() < range.end);
        before_end.filter_map(|piece| piece.comment()).filter(|comment| comment.span().start() >= range.start).collect()
    };
    (within(lead), within(trail))
}

/// Edits and answers can be made on one thread and used on another.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Editor<'_>>();
    is_shared::<Edited>();
    is_shared::<address::Trace<'_>>();
    is_shared::<JsonEditor<'_>>();
    #[cfg(feature = "query")]
    is_shared::<(query::Query, query::QueryResult<'_>)>();
};
