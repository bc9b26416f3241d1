//! The items to insert into a file.

use super::EditError;
use super::comments::comments_of;
use super::json::members::Member;
use super::node::{Container, Item, NO_MEMBERS, Shape};
use super::text::reindent;
use hcl_lr::ParseOptions;
#[cfg(feature = "query")]
use hcl_lr::body::{Attribute, Block};
use hcl_lr::construct::{BuildError, NewBlock, NewExpression};
use hcl_lr::convert::JsonStrings;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::format::format;
use hcl_lr::internal::comment_lines;
use hcl_lr::internal::pieces;
use hcl_lr::internal::pieces::{pieces, with_line_ends};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode, File};
use hcl_lr::syntax::{Comment, TokenKind, is_identifier};
use hcl_lr::writer::key;

/// An item to insert into a body, an object or a tuple.
///
/// ```
/// use hcl_lr_edit::{Editor, NewItem, InsertionPoint};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("ports = [80]\n").into_result()?;
/// let list = file.body().attribute("ports").expect("it is there").expression();
/// let mut editor = Editor::new(&file);
/// editor.insert(InsertionPoint::end_of(list), NewItem::element(443));
/// editor.insert(InsertionPoint::end_of(file.body()), NewItem::attribute("host", "a").comment("Where it runs."));
/// assert_eq!(editor.finish()?.text(), "ports = [80, 443]\n# Where it runs.\nhost = \"a\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem {
    text: Result<String, BuildError>,
    kind: Kind,
    lead: Option<String>,
    trail: Option<String>,
    keeps_layout: bool,
    /// The property that it is a copy of, and the meaning of the strings in it.
    json: Option<(Member, JsonStrings)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Body,
    Entry,
    Element,
}

impl NewItem {
    fn new(kind: Kind, text: Result<String, BuildError>) -> Self {
        NewItem { text, kind, lead: None, trail: None, keeps_layout: false, json: None }
    }

    /// Creates a copy of a property in the JSON syntax, with its source in native syntax.
    pub(super) fn of_json(native: Result<String, EditError>, member: Member, strings: JsonStrings) -> Self {
        let text = native.map_err(|error| match error {
            EditError::Build(error) => error,
            EditError::Conversion(diagnostics) => BuildError::Syntax(diagnostics),
            _ => BuildError::Syntax(Diagnostics::new()),
        });
        NewItem { json: Some((member, strings)), ..NewItem::new(Kind::Body, text) }
    }

    /// Returns the property that it is a copy of, for a document in which strings have a meaning.
    pub(super) fn json_member(&self, strings: JsonStrings) -> Option<&Member> {
        self.json.as_ref().filter(|(_, of)| *of == strings).map(|(member, _)| member)
    }

    /// Returns the text in native syntax, without the comments around it.
    pub(super) fn hcl(&self) -> Result<&str, EditError> {
        self.text.as_deref().map_err(|error| EditError::Build(error.clone()))
    }

    pub(super) fn keeps_layout(&self) -> bool {
        self.keeps_layout
    }

    /// Returns the number of comments around it.
    pub(super) fn comments(&self) -> usize {
        let texts = [&self.lead, &self.trail].into_iter().flatten();
        texts.filter(|text| !text.trim().is_empty()).count()
    }

    /// Returns the name of an attribute or an entry, or the type of a block, if it is one item.
    pub fn name(&self) -> Option<String> {
        if let Some((member, _)) = &self.json {
            return Some(member.name.clone());
        }
        let (shape, text) = (self.shape(), self.text.as_deref().ok()?);
        let (open, close) = brackets(shape);
        let file = parsed(format!("{open}{text}{close}")).ok()?;
        let container = match shape {
            Shape::Body => Container::Body(file.body()),
            _ => Container::Collection(collection(&file)?),
        };
        let [Some(item)] = container.members()[..] else { return None };
        item.name_span().map(|span| file.source().text()[span.range()].to_owned())
    }

    /// Returns the shape of the containers that it can be in.
    pub(super) fn shape(&self) -> Shape {
        match self.kind {
            Kind::Body => Shape::Body,
            Kind::Entry => Shape::Object,
            Kind::Element => Shape::Tuple,
        }
    }

    /// An attribute of a body.
    pub fn attribute(name: &str, value: impl Into<NewExpression>) -> Self {
        let value = value.into();
        let text = value.raw().and_then(|value| match is_identifier(name) {
            true => Ok(format!("{name} = {value}")),
            false => Err(BuildError::Name(name.to_owned())),
        });
        NewItem { keeps_layout: value.keeps_layout(), ..NewItem::new(Kind::Body, text) }
    }

    /// A block of a body.
    pub fn block(block: &NewBlock) -> Self {
        NewItem::new(Kind::Body, block.text())
    }

    /// Parses attributes and blocks of a body from HCL text, with their comments.
    pub fn parse(text: &str) -> Self {
        NewItem::new(Kind::Body, Ok(with_line_ends(text, "\n")))
    }

    /// An entry of an object. The key is quoted if necessary.
    pub fn entry(name: &str, value: impl Into<NewExpression>) -> Self {
        let value = value.into();
        let text = value.raw().map(|value| format!("{} = {value}", key(name)));
        NewItem { keeps_layout: value.keeps_layout(), ..NewItem::new(Kind::Entry, text) }
    }

    /// An element of a tuple.
    pub fn element(value: impl Into<NewExpression>) -> Self {
        let value = value.into();
        let text = value.raw().map(str::to_owned);
        NewItem { keeps_layout: value.keeps_layout(), ..NewItem::new(Kind::Element, text) }
    }

    /// Parses HCL text as members of a container: attributes and blocks for a body, entries for an object, elements
    /// for a tuple. Comments that belong to them are kept.
    ///
    /// ```
    /// use hcl_lr_edit::{Container, NewItem};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("tags = {}\n").into_result()?;
    /// let tags = file.body().attribute("tags").expect("it is there").expression();
    /// assert_eq!(NewItem::parse_for(tags, "a = 1, b = 2")?.len(), 2);
    /// assert!(NewItem::parse_for(tags, "a").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is anything else, or the container cannot have members.
    pub fn parse_for<'c>(container: impl Into<Container<'c>>, text: &str) -> Result<Vec<NewItem>, EditError> {
        let shape = container.into().bare().shape();
        NewItem::parse_in(shape.ok_or(EditError::Misplaced(NO_MEMBERS))?, text)
    }

    fn parse_in(shape: Shape, text: &str) -> Result<Vec<NewItem>, EditError> {
        let text = with_line_ends(text, "\n");
        let (open, close) = brackets(shape);
        let file = parsed(format!("{open}{text}{close}"))?;
        if shape == Shape::Body {
            return Ok(vec![NewItem::parse(&text)]);
        }
        if file.body().items().len() != 1 {
            return Err(EditError::misplaced());
        }
        let members = collection(&file).map(|collection| Container::Collection(collection).members());
        let kind = if shape == Shape::Object { Kind::Entry } else { Kind::Element };
        let item = |member: Item<'_>| {
            let mut item = NewItem::new(kind, Ok(file.source().text()[member.span().range()].to_owned()));
            let (above, after) = comments_of(&file, member);
            item.lead = joined(above, "\n");
            item.trail = joined(after, " ");
            item
        };
        Ok(members.unwrap_or_default().into_iter().flatten().map(item).collect())
    }

    /// Keeps the layout of a text that was parsed or copied, apart from the indentation of its lines. Otherwise, it becomes
    /// canonical, and its equals sign is aligned with those of its neighbours.
    ///
    /// ```
    /// use hcl_lr_edit::{Editor, InsertionPoint, NewItem};
    ///
    /// let from = hcl_lr::parse::<hcl_lr::File>("a {\n  b { c=[1,2] }\n}\n").into_result()?;
    /// let to = hcl_lr::parse::<hcl_lr::File>("").into_result()?;
    /// let block = from.body().blocks().next().expect("a").body().blocks().next().expect("b");
    /// let mut editor = Editor::new(&to);
    /// editor.insert(InsertionPoint::end_of(to.body()), NewItem::from(block).with_layout());
    /// assert_eq!(editor.finish()?.text(), "b { c=[1,2] }\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_layout(self) -> Self {
        NewItem { keeps_layout: true, ..self }
    }

    /// Adds a comment on the lines above.
    pub fn comment(self, text: &str) -> Self {
        NewItem { lead: Some(text.to_owned()), ..self }
    }

    /// Adds a comment after the item on its line.
    pub fn trailing_comment(self, text: &str) -> Self {
        NewItem { trail: Some(text.to_owned()), ..self }
    }

    /// Returns the text to insert, if it can be written.
    pub(super) fn ready<'t>(&self) -> Result<New<'t>, EditError> {
        let text = self.text.clone()?;
        let mut new = New::parsed(self.shape(), text.trim_matches(['\n', ' ', '\t']), self.keeps_layout)?;
        new.lead = self.lead.as_deref().map(comment_lines).transpose()?.unwrap_or_default();
        new.trail = self.trail.as_deref().map(trailing).transpose()?;
        Ok(new)
    }
}

/// A copy of an item of any file, with the comments that belong to it. An item that cannot be copied, because of a syntax
/// error, gives an error when it is inserted.
///
/// ```
/// use hcl_lr_edit::{Editor, InsertionPoint, NewItem};
///
/// let from = hcl_lr::parse::<hcl_lr::File>("# Public.\nport = 80 # http\n").into_result()?;
/// let to = hcl_lr::parse::<hcl_lr::File>("service \"web\" {\n  name = \"a\"\n}\n").into_result()?;
/// let port = from.body().attribute("port").expect("it is there");
/// let web = to.body().blocks().next().expect("a block");
/// let mut editor = Editor::new(&to);
/// editor.insert(InsertionPoint::end_of(web), NewItem::from(port));
/// assert_eq!(
///     editor.finish()?.text(),
///     "service \"web\" {\n  name = \"a\"\n  # Public.\n  port = 80 # http\n}\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'t, T: Into<Item<'t>>> From<T> for NewItem {
    fn from(item: T) -> Self {
        let item = item.into();
        let kind = match item.shape() {
            Shape::Body => Kind::Body,
            Shape::Object => Kind::Entry,
            Shape::Tuple => Kind::Element,
        };
        let Some(file) = item.file() else {
            return NewItem::new(kind, Err(BuildError::Value(String::new(), "an item in JSON without its schema")));
        };
        let text = &file.source().text()[item.span().range()];
        let parsed = match kind {
            Kind::Body => parsed(with_line_ends(&format!("{text}\n"), "\n")).map(|_| ()),
            _ => NewItem::parse_in(item.shape(), text).map(|_| ()),
        };
        let text = match parsed {
            Ok(()) => Ok(with_line_ends(&dedented(file.source().text(), item.span(), text), "\n")),
            Err(EditError::Build(error)) => Err(error),
            Err(_) => Err(BuildError::Syntax(Diagnostics::new())),
        };
        let mut new = NewItem::new(kind, text);
        let (above, after) = comments_of(&file, item);
        new.lead = joined(above, "\n");
        new.trail = joined(after, " ");
        new
    }
}

/// Returns the text of a span without the indentation of the line on which it begins.
fn dedented(source: &str, span: Span, text: &str) -> String {
    let line = &source[source[..span.start()].rfind('\n').map_or(0, |at| at + 1)..span.start()];
    let line = line.trim_start_matches('\u{feff}');
    reindent(text, &line[..line.len() - line.trim_start_matches([' ', '\t']).len()], "", None)
}

/// The attribute of a body in either syntax, with the comments in its expression.
///
/// ```
/// use hcl_lr_edit::{Editor, InsertionPoint, NewItem};
/// use hcl_lr::{Body, File, ParseOptions, Syntax, parse};
///
/// let json: Body = ParseOptions::default().with_syntax(Syntax::Json).parse(r#"{"port": "${base + 80}"}"#).into_result()?;
/// let file = parse::<File>("name = \"a\"\n").into_result()?;
/// let mut editor = Editor::new(&file);
/// for attribute in json.content_as_written().expect("it is written").attributes().iter() {
///     editor.insert(InsertionPoint::end_of(file.body()), NewItem::from(attribute));
/// }
/// assert_eq!(editor.finish()?.text(), "name = \"a\"\nport = base + 80\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "query")]
impl From<&Attribute> for NewItem {
    fn from(attribute: &Attribute) -> Self {
        NewItem::attribute(attribute.name(), attribute.expression())
    }
}

/// The block with the comments in it, as for [`NewBlock`].
#[cfg(feature = "query")]
impl From<&Block> for NewItem {
    fn from(block: &Block) -> Self {
        NewItem::block(&block.into())
    }
}

impl From<&NewBlock> for NewItem {
    fn from(block: &NewBlock) -> Self {
        NewItem::block(block)
    }
}

/// Returns the texts of comments, if there are any.
fn joined(comments: Vec<Comment<'_>>, between: &str) -> Option<String> {
    let texts: Vec<&str> = comments.iter().map(|comment| comment.text().trim_end()).collect();
    (!texts.is_empty()).then(|| texts.join(between))
}

/// A comment that ends a line.
pub(super) fn trailing(text: &str) -> Result<String, BuildError> {
    // There may be several comments, of which only the last may end the line.
    let is_comment = |kind| matches!(kind, pieces::Kind::BlockComment | pieces::Kind::LineComment);
    let read = pieces(text.as_bytes()).list;
    if read.len() > 2 && read[..read.len() - 1].iter().all(|piece| is_comment(piece.kind)) && !text.contains('\n') {
        return Ok(text.trim().to_owned());
    }
    let lines = comment_lines(text)?;
    match lines.trim_end_matches('\n') {
        line if line.contains('\n') => Err(BuildError::Comment("a comment after something has one line only")),
        line => Ok(line.to_owned()),
    }
}

/// A new member as text, without indentation and with `\n` as line ending.
#[derive(Clone, Debug)]
pub(super) struct New<'t> {
    /// The comment lines above it.
    pub lead: String,
    pub core: String,
    /// The start of the name of a moved member, after the comments right before it.
    pub name_start: usize,
    /// The comments after it on its line.
    pub trail: Option<String>,
    pub shape: Shape,
    /// True if it begins, or ends, with a block rather than an attribute.
    pub begins_with_block: bool,
    pub ends_with_block: bool,
    /// True if its last line is the closing marker of a heredoc.
    pub ends_with_heredoc: bool,
    /// The end of the name, if the text is one line that begins with a name and an equals sign.
    pub name_end: Option<usize>,
    /// True if it belongs to the item after it rather than to the one before.
    pub before: bool,
    pub origin: Origin<'t>,
}

/// The origin of an inserted member, which determines its meaning.
#[derive(Clone, Debug)]
pub(super) enum Origin<'t> {
    /// A member that was already in the file, perhaps renamed.
    Moved(Item<'t>, Option<String>),
    /// New content: a file with the items, or with an attribute whose collection holds them.
    Parsed(File),
}

impl<'t> New<'t> {
    /// Parses new text.
    fn parsed(shape: Shape, text: &str, keeps_layout: bool) -> Result<New<'t>, EditError> {
        let (open, close) = brackets(shape);
        let whole = |text: &str| format!("{open}{text}{close}");
        let file = parsed(whole(text))?;
        if shape != Shape::Body && file.body().items().len() != 1 {
            return Err(EditError::misplaced());
        }
        if keeps_layout {
            let core = text.trim_end_matches([' ', '\t', ',', '\n']).to_owned();
            return Ok(New { name_end: None, ..New::with(shape, core, Origin::Parsed(file)) });
        }
        // In canonical form.
        let formatted = format(&whole(text));
        let step = if shape == Shape::Body { "" } else { "  " };
        let formatted = formatted.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        let core = formatted
            .map_or_else(|| text.to_owned(), |core| reindent(core.strip_prefix(step).unwrap_or(core), step, "", None));
        let core = core.trim_end_matches([' ', '\t', ',', '\n']).to_owned();
        Ok(New::with(shape, core, Origin::Parsed(file)))
    }

    /// Determines the facts about a text.
    pub fn with(shape: Shape, core: String, origin: Origin<'t>) -> New<'t> {
        let mut new = New {
            lead: String::new(),
            core,
            name_start: 0,
            trail: None,
            shape,
            begins_with_block: false,
            ends_with_block: false,
            ends_with_heredoc: false,
            name_end: None,
            before: false,
            origin,
        };
        match &new.origin {
            Origin::Parsed(file) => {
                new.ends_with_heredoc = match shape {
                    Shape::Body => last_item_ends_with_heredoc(file.body()),
                    _ => collection(file).is_some_and(|collection| match collection.kind() {
                        ExpressionKind::Object(object) => {
                            object.elements().next_back().is_some_and(|entry| ends_with_heredoc(entry.value()))
                        }
                        ExpressionKind::Tuple(tuple) => tuple.elements().next_back().is_some_and(ends_with_heredoc),
                        _ => false,
                    }),
                };
                if shape == Shape::Body {
                    let is_block = |item: BodyItem<'_>| matches!(item, BodyItem::Block(_));
                    new.begins_with_block = file.body().items().next().is_some_and(is_block);
                    new.ends_with_block = file.body().items().next_back().is_some_and(is_block);
                    let attribute = file.body().attributes().next().filter(|_| file.body().items().len() == 1);
                    let name = attribute.map(|attribute| attribute.name_token().span().len());
                    new.name_end = name.filter(|_| !new.core.contains('\n'));
                } else if shape == Shape::Object && !new.core.contains('\n') {
                    new.name_end = entry_key_length(&new.core);
                }
            }
            Origin::Moved(member, _) => {
                new.ends_with_heredoc = member.value().is_some_and(ends_with_heredoc);
                let is_block = matches!(member, Item::Block(_));
                (new.begins_with_block, new.ends_with_block) = (is_block, is_block);
                let name = member.name_span().filter(|_| !is_block && !new.core.contains('\n'));
                new.name_end = name.map(|name| name.len());
            }
        }
        new
    }

    /// Renames a moved member.
    pub fn rename(&mut self, member: Item<'t>, name: &str) {
        let old = member.name_span().map_or(0, |name| name.len());
        self.core.replace_range(self.name_start..self.name_start + old, name);
        self.name_end = self.name_end.map(|_| name.len());
        self.origin = Origin::Moved(member, Some(name.to_owned()));
    }

    /// Returns true if it needs lines of its own: it has comments, or nothing can follow it on its line.
    pub fn needs_lines(&self) -> bool {
        !self.lead.is_empty() || self.ends_with_heredoc || self.trail.as_deref().is_some_and(ends_line)
    }
}

/// Returns true if nothing can follow the comments on their line.
pub(super) fn ends_line(comments: &str) -> bool {
    !comments.trim_end().ends_with("*/")
}

fn last_item_ends_with_heredoc(body: BodyNode<'_>) -> bool {
    match body.items().next_back() {
        Some(BodyItem::Attribute(attribute)) => ends_with_heredoc(attribute.expression()),
        _ => false,
    }
}

fn entry_key_length(core: &str) -> Option<usize> {
    let file = hcl_lr::parse::<File>(format!("{NAME} = {{\n{core}\n}}\n"));
    let ExpressionKind::Object(object) = collection(file.value())?.kind() else { return None };
    let entry = object.elements().next()?;
    Some(entry.key_expression().text().len())
}

/// Returns the text to put around an insertion so that it parses by itself.
fn brackets(shape: Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Body => ("", "\n"),
        Shape::Object => ("new-text = {\n", "\n}\n"),
        Shape::Tuple => ("new-text = [\n", "\n]\n"),
    }
}

/// The name of the attribute in a file that is parsed for its value.
const NAME: &str = "new-text";

/// Returns the collection of a file that consists of nothing else.
pub(super) fn collection(file: &File) -> Option<ExpressionNode<'_>> {
    Some(file.body().attribute(NAME)?.expression())
}

fn parsed(text: String) -> Result<File, EditError> {
    let outcome = ParseOptions::default().parse::<File>(("new text", text));
    outcome.into_result().map_err(|diagnostics| EditError::Build(BuildError::Syntax(diagnostics)))
}

/// Returns true if the last line of an expression is the closing marker of a heredoc.
pub(super) fn ends_with_heredoc(expression: ExpressionNode<'_>) -> bool {
    let file = expression.file();
    let last = file.tokens().at(expression.span().end().saturating_sub(1));
    last.kind() == TokenKind::CloseTemplate && last.text() != "\""
}

/// A value to write in the place of another, in canonical form without indentation, with the file that it was parsed
/// from.
#[derive(Clone, Debug)]
pub(super) struct NewValue {
    pub text: String,
    pub file: File,
    pub ends_with_heredoc: bool,
}

impl NewValue {
    pub fn of(expression: &NewExpression) -> Result<NewValue, EditError> {
        const LEAD: &str = "new-text = ";
        let file = parsed(format!("{LEAD}{}\n", expression.raw()?))?;
        let text = match expression.keeps_layout() {
            true => expression.raw()?.to_owned(),
            false => {
                let formatted = format(&format!("{LEAD}{}\n", expression.raw()?));
                formatted.strip_prefix(LEAD).unwrap_or_default().trim_end_matches('\n').to_owned()
            }
        };
        let ends_with_heredoc = collection(&file).is_some_and(ends_with_heredoc);
        Ok(NewValue { text, file, ends_with_heredoc })
    }

    /// Returns the parsed expression.
    pub fn expression(&self) -> Option<ExpressionNode<'_>> {
        collection(&self.file)
    }
}
