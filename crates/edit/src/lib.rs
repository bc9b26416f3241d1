//! Edits of HCL 2 files that keep everything else as it is, with addresses, searches, differences and merges.
//!
//! | module | contents |
//! | --- | --- |
//! | here | [`Editor`]: edits of files of either syntax; [`JsonEditor`]: edits of JSON as JSON |
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
//! A file in the JSON syntax is edited in the same way: see [`Editor::of_json`].
//!
//! | what | where it is | what can be done |
//! | --- | --- | --- |
//! | attribute, block | in a body | insert, move, remove, rename; labels |
//! | entry | in an object | insert, move, remove; its key |
//! | element | in a tuple | insert, move, remove |
//! | argument | in a call | insert, move, remove |
//! | expression | anywhere: a value, an operand, an index, a part of a `for`, an interpolation | set, wrap, unwrap; the function of a call |
//! | part of a template | in a string, a heredoc, a directive | insert, replace, remove |
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
mod comments;
mod compose;
pub mod diff;
mod error;
mod gap;
mod item;
mod json;
mod names;
mod native;
mod neighbours;
mod node;
mod orders;
mod parts;
mod plan;
#[cfg(feature = "query")]
pub mod query;
mod requested;
mod sources;
mod splice;
mod splice_plan;
mod survey;
mod text;
mod tokens;

pub use comments::comments_of;
pub use error::EditError;
pub use item::NewItem;
pub use json::{JsonEditor, JsonPosition};
pub use node::{Container, InsertionPoint, Item};
pub use sources::{ItemSources, source_of};

use std::borrow::Cow;
use std::fmt;
use std::ops::{Bound, RangeBounds};

use address::JsonTemplates;
use hcl_lr::ParseOptions;
use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::convert::{ConversionSchema, JsonStrings};
use hcl_lr::json::Document;
use hcl_lr::source::Replacement;
use hcl_lr::syntax::ast::{ExpressionNode, File, TemplateNode};
use json::hcl::JsonEdits;
pub(crate) use names::{constant, constant_key};
use native::NativeEdits;
pub(crate) use text::reindent;

/// Edits of a file.
///
/// [`finish`](Editor::finish) reports edits that cannot be written or that conflict with each other, and nodes of
/// another file: see [`EditError::Elsewhere`].
#[derive(Clone, Debug)]
#[must_use = "edits do nothing until `finish`"]
pub struct Editor<'f> {
    edits: Edits<'f>,
    problem: Option<EditError>,
}

#[derive(Clone, Debug)]
enum Edits<'f> {
    Native(NativeEdits<'f>),
    Json(Box<JsonEdits<'f>>),
}

/// Calls a function of the edits, of either syntax, and records an error.
macro_rules! record {
    ($editor:ident.$change:ident($($argument:expr),*)) => {{
        let result = match &mut $editor.edits {
            Edits::Native(edits) => edits.$change($($argument),*),
            Edits::Json(edits) => edits.$change($($argument),*),
        };
        if let Err(problem) = result {
            $editor.problem.get_or_insert(problem);
        }
        $editor
    }};
}

impl<'f> Editor<'f> {
    /// Creates an editor without edits.
    pub fn new(file: &'f File) -> Self {
        Editor { edits: Edits::Native(NativeEdits::new(file)), problem: None }
    }

    /// Creates an editor of a file in the JSON syntax. Values and items are given as for native syntax, and converted.
    ///
    /// A schema says which properties are blocks; without one, all are attributes. Blocks of a type share a property, so
    /// a new one is added to the others. Expressions in strings can be edited, too: see
    /// [`with_templates`](Self::with_templates). There are no comments in JSON.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    /// use hcl_lr::json::Document;
    /// use hcl_lr_edit::{Container, Editor, InsertionPoint, NewItem};
    ///
    /// let document = hcl_lr::parse::<Document>("{\n  \"port\": 80,\n  \"zones\": [\"a\"]\n}\n").into_result()?;
    /// let mut properties = document.root().as_object().expect("an object").properties();
    /// let (port, zones) = (properties.next().expect("port"), properties.next().expect("zones"));
    /// let mut editor = Editor::of_json(&document);
    /// editor.set(port, NewExpression::parse("base + 80")?);
    /// editor.insert(InsertionPoint::after(port), NewItem::attribute("host", "a"));
    /// editor.insert(InsertionPoint::end_of(zones.value()), NewItem::element("b"));
    /// let expected = "{\n  \"port\": \"${base + 80}\",\n  \"host\": \"a\",\n  \"zones\": [\"a\", \"b\"]\n}\n";
    /// assert_eq!(editor.finish()?.text(), expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_json(document: &'f Document) -> Self {
        Editor { edits: Edits::Json(Box::new(JsonEdits::new(document))), problem: None }
    }

    /// Sets the options that the file was parsed with.
    pub fn with_options(mut self, options: ParseOptions) -> Self {
        match &mut self.edits {
            Edits::Native(edits) => edits.options = options,
            Edits::Json(edits) => edits.set_options(options),
        }
        self
    }

    /// Sets the schema that says which properties of a file in the JSON syntax are blocks. Native syntax needs none.
    pub fn with_schema(mut self, schema: &'f ConversionSchema) -> Self {
        if let Edits::Json(edits) = &mut self.edits {
            edits.schema = Cow::Borrowed(schema);
        }
        self
    }

    /// Sets the meaning of strings in a file in the JSON syntax.
    pub fn with_strings(mut self, strings: JsonStrings) -> Self {
        if let Edits::Json(edits) = &mut self.edits {
            edits.strings = strings;
        }
        self
    }

    /// Sets the templates in the strings of a file in the JSON syntax. The editor then takes their nodes, too.
    ///
    /// ```
    /// use hcl_lr::json::Document;
    /// use hcl_lr_edit::Editor;
    /// use hcl_lr_edit::address::{Address, JsonTemplates};
    ///
    /// let document = hcl_lr::parse::<Document>(r#"{"a": "x \"${f(b)}\" y"}"#).into_result()?;
    /// let (schema, templates) = (Default::default(), JsonTemplates::of(&document));
    /// let found = "**".parse::<Address>()?.resolve_json(&document, &schema, Some(&templates));
    /// let last = found.last().expect("an argument").item()?;
    /// let mut editor = Editor::of_json(&document).with_templates(&templates);
    /// editor.set(last, "c");
    /// assert_eq!(editor.finish()?.text(), r#"{"a": "x \"${f(\"c\")}\" y"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_templates(mut self, templates: &'f JsonTemplates) -> Self {
        if let Edits::Json(edits) = &mut self.edits {
            edits.set_templates(templates);
        }
        self
    }

    /// Returns the first error of the edits so far, which [`finish`](Self::finish) also returns.
    pub fn problem(&self) -> Option<&EditError> {
        self.problem.as_ref()
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
        record!(self.set(part.into(), value.into()))
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
        record!(self.wrap(part.into(), wrap))
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
        record!(self.unwrap(part.into(), inner))
    }

    /// Replaces parts of a template, those with the indexes of a range, by the parts of another template: texts,
    /// interpolations and directives. An empty range inserts before the part with its index, an empty template removes.
    /// The other parts stay as they are written. New text is escaped for its place: a string in quotes, or a heredoc,
    /// whose text must end with a newline.
    ///
    /// ```
    /// use hcl_lr::construct::{NewExpression, NewTemplate};
    /// use hcl_lr::syntax::ast::ExpressionKind;
    /// use hcl_lr_edit::Editor;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = \"\\u0041-${ b }-c\"\n").into_result()?;
    /// let ExpressionKind::Template(name) = file.body().attribute("a").expect("a").expression().kind() else {
    ///     unreachable!("a string")
    /// };
    /// let mut editor = Editor::new(&file);
    /// editor.splice(name, 1..2, NewExpression::variable("d"));
    /// editor.splice(name, 3.., "\"!\"");
    /// assert_eq!(editor.finish()?.text(), "a = \"\\u0041-${d}-c\\\"!\\\"\"\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn splice(
        &mut self,
        template: TemplateNode<'f>,
        parts: impl RangeBounds<usize>,
        new: impl Into<NewTemplate>,
    ) -> &mut Self {
        let start = match parts.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match parts.end_bound() {
            Bound::Included(end) => end.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => template.part_spans().count(),
        };
        record!(self.splice(template, start..end, new.into()))
    }

    /// Renames an attribute, changes the type of a block, the key of an entry, or the function of a call.
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
        record!(self.rename(member.into(), name))
    }

    /// Sets the labels of a block. Labels that stay keep their notation. In the JSON syntax, the schema gives the number of
    /// labels.
    pub fn set_labels<L: Into<String>>(
        &mut self,
        block: impl Into<Item<'f>>,
        labels: impl IntoIterator<Item = L>,
    ) -> &mut Self {
        record!(self.set_labels(block.into(), labels.into_iter().map(Into::into).collect()))
    }

    /// Inserts an item. Several insertions at one place keep their order.
    pub fn insert(&mut self, position: InsertionPoint<'f>, item: NewItem) -> &mut Self {
        record!(self.insert(position, &item))
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
        record!(self.remove(member.into()))
    }

    /// Replaces an item by a new one, with the comments that belong to it. In the JSON syntax, a block can be replaced by
    /// one of the same type and labels.
    ///
    /// ```
    /// use hcl_lr_edit::{Editor, NewItem};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("# Old.\na {\n}\nb = 1\n").into_result()?;
    /// let block = file.body().blocks().next().expect("a block");
    /// let mut editor = Editor::new(&file);
    /// editor.replace(block, NewItem::parse("c {\n}"));
    /// assert_eq!(editor.finish()?.text(), "c {\n}\nb = 1\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(&mut self, item: impl Into<Item<'f>>, new: NewItem) -> &mut Self {
        record!(self.replace(item.into(), &new))
    }

    /// Moves a member, with its comments. Its lines get the indentation of their new place.
    pub fn move_to(&mut self, member: impl Into<Item<'f>>, position: InsertionPoint<'f>) -> &mut Self {
        record!(self.move_to(member.into(), position, None))
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
        record!(self.move_to(member.into(), position, Some(name)))
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
        record!(self.set_comment(member.into(), text))
    }

    /// Sets the comment of one line after a member, or removes it with `None`.
    pub fn set_trailing_comment(&mut self, member: impl Into<Item<'f>>, text: Option<&str>) -> &mut Self {
        record!(self.set_trailing_comment(member.into(), text))
    }

    /// Applies all edits.
    ///
    /// # Errors
    /// If they cannot be made, or would change something else. See [`EditError`].
    pub fn finish(self) -> Result<Edited, EditError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        match self.edits {
            Edits::Native(edits) => {
                let (file, replacements) = edits.finish()?;
                Ok(Edited { parsed: Parsed::Native(file), replacements, comments_left_out: 0 })
            }
            Edits::Json(edits) => {
                let (document, replacements, comments_left_out) = edits.finish()?;
                Ok(Edited { parsed: Parsed::Json(document), replacements, comments_left_out })
            }
        }
    }

    /// Returns the text of an expression at the place of an item: in the JSON syntax, it is JSON.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn text_of(&self, item: impl Into<Item<'f>>, value: &NewExpression) -> Result<String, EditError> {
        match &self.edits {
            Edits::Native(edits) => edits.text_of(item.into(), value),
            Edits::Json(edits) => edits.text_of(item.into(), value),
        }
    }

    /// Returns a copy of an item with the comments that belong to it, for another file of either syntax. Its lines have no
    /// indentation.
    ///
    /// # Errors
    /// If the item belongs to another file, or a syntax error makes its end uncertain.
    pub fn copy_of(&self, item: impl Into<Item<'f>>) -> Result<NewItem, EditError> {
        match &self.edits {
            Edits::Native(edits) => edits.copy_of(item.into()),
            Edits::Json(edits) => edits.copy_of(item.into()),
        }
    }
}

/// An editor of the file that a query searches.
#[cfg(feature = "query")]
impl<'f> From<query::Subject<'f>> for Editor<'f> {
    fn from(subject: query::Subject<'f>) -> Self {
        match subject {
            query::Subject::Native(file) => Editor::new(file),
            query::Subject::Json(document, schema, templates) => {
                let editor = Editor::of_json(document).with_schema(schema);
                match templates {
                    Some(templates) => editor.with_templates(templates),
                    None => editor,
                }
            }
        }
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
    parsed: Parsed,
    replacements: Vec<Replacement>,
    comments_left_out: usize,
}

#[derive(Clone, Debug)]
enum Parsed {
    Native(File),
    Json(Document),
}

impl Edited {
    /// Returns the new text.
    pub fn text(&self) -> &str {
        match &self.parsed {
            Parsed::Native(file) => file.source().text(),
            Parsed::Json(document) => document.source().text(),
        }
    }

    /// Returns the new file, parsed; `None` for the JSON syntax.
    pub fn file(&self) -> Option<&File> {
        match &self.parsed {
            Parsed::Native(file) => Some(file),
            Parsed::Json(_) => None,
        }
    }

    /// Returns the new file by value, for further edits; `None` for the JSON syntax.
    pub fn into_file(self) -> Option<File> {
        match self.parsed {
            Parsed::Native(file) => Some(file),
            Parsed::Json(_) => None,
        }
    }

    /// Returns the new document of a file in the JSON syntax.
    pub fn document(&self) -> Option<&Document> {
        match &self.parsed {
            Parsed::Native(_) => None,
            Parsed::Json(document) => Some(document),
        }
    }

    /// Returns the number of comments of new items that the JSON syntax cannot have.
    pub fn comments_left_out(&self) -> usize {
        self.comments_left_out
    }

    /// Returns the replacements, with spans in the original text.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }
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
