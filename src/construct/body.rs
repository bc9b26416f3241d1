//! New bodies and blocks.

use std::fmt;

use super::{BuildError, NewExpression};
use crate::format::pieces::with_line_ends;
use crate::stack::with_room;
use crate::syntax::ast::{BlockNode, BodyItem, BodyNode, File};
use crate::syntax::is_identifier;
use crate::writer;
use crate::writer::{BlockText, Layout, quoted};

/// A new body, of a file or of a block.
///
/// Adjacent attributes are aligned, and an empty line surrounds each block.
///
/// ```
/// use hcl_lr::construct::{NewBlock, NewBody};
///
/// let mut file = NewBody::new();
/// file.add_comment("Made by a program.");
/// file.add_blank_line();
/// for name in ["a", "b"] {
///     file.add_block(NewBlock::new("user").label(name));
/// }
/// assert_eq!(file.text()?, "# Made by a program.\n\nuser \"a\" {\n}\n\nuser \"b\" {\n}\n");
/// assert!(NewBody::new().attribute("no name", 1).text().is_err());
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "its text is what is written"]
pub struct NewBody {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Attribute(String, NewExpression),
    Block(NewBlock),
    Comment(String),
    BlankLine,
    /// An item written elsewhere.
    Written(String, Option<writer::Item>),
    /// Text that is not valid.
    Broken(BuildError),
}

impl NewBody {
    /// A body with nothing in it.
    pub fn new() -> Self {
        NewBody::default()
    }

    /// The body with an attribute at its end.
    pub fn attribute(mut self, name: &str, value: impl Into<NewExpression>) -> Self {
        self.add_attribute(name, value);
        self
    }

    /// The body with a block at its end.
    pub fn block(mut self, block: NewBlock) -> Self {
        self.add_block(block);
        self
    }

    /// Adds a comment, one line for each line of the text. It belongs to the next item.
    pub fn comment(mut self, text: &str) -> Self {
        self.add_comment(text);
        self
    }

    /// The body with an empty line at its end.
    pub fn blank_line(mut self) -> Self {
        self.add_blank_line();
        self
    }

    /// Adds an attribute.
    pub fn add_attribute(&mut self, name: &str, value: impl Into<NewExpression>) {
        self.items.push(Item::Attribute(name.to_owned(), value.into()));
    }

    /// Adds a block.
    pub fn add_block(&mut self, block: NewBlock) {
        self.items.push(Item::Block(block));
    }

    /// Adds a comment, one line for each line of the text. It belongs to the next item.
    pub fn add_comment(&mut self, text: &str) {
        self.items.push(Item::Comment(text.to_owned()));
    }

    /// Adds an empty line.
    pub fn add_blank_line(&mut self) {
        self.items.push(Item::BlankLine);
    }

    /// A body with items whose text is known.
    pub(crate) fn written(out: Layout) -> Self {
        let last = out.last();
        let text = out.unformatted();
        NewBody { items: if text.is_empty() { Vec::new() } else { vec![Item::Written(text, last)] } }
    }

    /// A body that cannot be written.
    #[cfg(any(all(feature = "write", feature = "eval"), feature = "serde"))]
    pub(crate) fn refused(error: BuildError) -> Self {
        NewBody { items: vec![Item::Broken(error)] }
    }

    /// Adds what a text has: attributes, blocks and comments.
    ///
    /// ```
    /// use hcl_lr::construct::NewBody;
    ///
    /// let body = NewBody::new().parsed("# Public.\nport=80").attribute("host", "a");
    /// assert_eq!(body.text()?, "# Public.\nport = 80\nhost = \"a\"\n");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn parsed(mut self, text: &str) -> Self {
        let mut text = with_line_ends(text.trim_start_matches('\u{feff}'), "\n");
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        self.items.push(match crate::parse::<File>(text.as_str()).into_result() {
            Ok(file) => {
                let is_block = |item: BodyItem<'_>| matches!(item, BodyItem::Block(_));
                let last = file.body().items().next_back().map(|last| match is_block(last) {
                    true => writer::Item::Block,
                    false => writer::Item::Attribute,
                });
                Item::Written(text, last)
            }
            Err(diagnostics) => Item::Broken(BuildError::Syntax(diagnostics)),
        });
        self
    }

    /// Returns the text of a file with this body, in canonical form.
    ///
    /// # Errors
    /// The first item that cannot be written.
    pub fn text(&self) -> Result<String, BuildError> {
        let mut out = Layout::default();
        self.write(&mut out)?;
        Ok(out.finish())
    }

    fn write(&self, out: &mut Layout) -> Result<(), BuildError> {
        for item in &self.items {
            match item {
                Item::Attribute(name, value) => {
                    out.begin_attribute(named(name)?);
                    out.unformatted_expression(value.raw()?);
                    out.end_line();
                }
                Item::Block(block) => with_room(|| block.write(out))?,
                Item::Comment(text) => out.comment(&comment_lines(text)?),
                Item::BlankLine => out.blank_line(),
                Item::Written(text, last) => out.items(text, *last),
                Item::Broken(error) => return Err(error.clone()),
            }
        }
        Ok(())
    }
}

/// Returns the lines of a comment, each with `#` unless it already is a comment.
///
/// A text that is enclosed in `/*` and `*/` stays as it is.
pub fn comment_lines(text: &str) -> Result<String, BuildError> {
    let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    let text = text.replace("\r\n", "\n");
    if text.contains(odd) {
        return Err(BuildError::Comment("a comment cannot have control characters"));
    }
    let block = text.trim();
    if block.len() >= 4 && block.starts_with("/*") && block.find("*/") == Some(block.len() - 2) {
        return Ok(format!("{block}\n"));
    }
    let mut out = String::new();
    for line in text.trim_end_matches('\n').split('\n') {
        let marked = line.starts_with('#') || line.starts_with("//");
        let line = if marked { line.to_owned() } else { format!("# {line}") };
        out.extend([line.trim_end(), "\n"]);
    }
    Ok(out)
}

/// The body with its comments, of a file or of a block. Its layout becomes canonical.
///
/// ```
/// use hcl_lr::construct::NewBody;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a {\n      # One.\n      b = 1\n}\n").into_result()?;
/// let a = file.body().blocks().next().expect("a block");
/// assert_eq!(NewBody::from(a.body()).attribute("c", 2).text()?, "# One.\nb = 1\nc = 2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<BodyNode<'_>> for NewBody {
    fn from(body: BodyNode<'_>) -> Self {
        let file = body.file();
        let text = &file.source().text()[body.span().range()];
        let inside = match body.open_brace_span() {
            Some(_) => text.strip_prefix('{').map(|text| text.strip_suffix('}').unwrap_or(text)),
            None => None,
        };
        NewBody::new().parsed(inside.unwrap_or(text).trim_matches([' ', '\t', '\r', '\n']))
    }
}

/// The block with the comments in it. Its labels are written in quotes.
///
/// ```
/// use hcl_lr::construct::NewBlock;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("user Ada { admin = true }\n").into_result()?;
/// let user = file.body().blocks().next().expect("a block");
/// assert_eq!(NewBlock::from(user).attribute("id", 1).text()?, "user \"Ada\" {\n  admin = true\n  id    = 1\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<BlockNode<'_>> for NewBlock {
    fn from(block: BlockNode<'_>) -> Self {
        let labels = block.labels().map(|label| label.text().into_owned()).collect();
        NewBlock { block_type: block.block_type().to_owned(), labels, body: block.body().into() }
    }
}

/// Its text, or the error in brackets.
impl fmt::Display for NewBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "({error})"),
        }
    }
}

/// Its text, or the error in brackets.
impl fmt::Display for NewBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "({error})"),
        }
    }
}

fn named(name: &str) -> Result<&str, BuildError> {
    if is_identifier(name) { Ok(name) } else { Err(BuildError::Name(name.to_owned())) }
}

/// A block of a [`NewBody`]: a type, labels, and a body.
///
/// ```
/// use hcl_lr::construct::NewBlock;
///
/// let block = NewBlock::new("user").label("Ada").attribute("admin", true);
/// assert_eq!(block.text()?, "user \"Ada\" {\n  admin = true\n}\n");
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "its text is what is written"]
pub struct NewBlock {
    block_type: String,
    labels: Vec<String>,
    body: NewBody,
}

impl NewBlock {
    /// Creates an empty block of a type, without labels.
    pub fn new(block_type: &str) -> Self {
        NewBlock { block_type: block_type.to_owned(), ..NewBlock::default() }
    }

    /// Adds a label after the existing ones. It is written in quotes.
    pub fn label(mut self, label: &str) -> Self {
        self.labels.push(label.to_owned());
        self
    }

    /// The block with another body.
    pub fn body(self, body: NewBody) -> Self {
        NewBlock { body, ..self }
    }

    /// Adds an attribute at the end of the body.
    pub fn attribute(mut self, name: &str, value: impl Into<NewExpression>) -> Self {
        self.body.add_attribute(name, value);
        self
    }

    /// Adds a block at the end of the body.
    pub fn block(mut self, block: NewBlock) -> Self {
        self.body.add_block(block);
        self
    }

    /// Adds a comment at the end of the body.
    pub fn comment(mut self, text: &str) -> Self {
        self.body.add_comment(text);
        self
    }

    /// Returns the text of the block, in canonical form.
    ///
    /// # Errors
    /// The first item that cannot be written.
    pub fn text(&self) -> Result<String, BuildError> {
        let mut out = Layout::default();
        self.write(&mut out)?;
        Ok(out.finish())
    }

    fn write(&self, out: &mut Layout) -> Result<(), BuildError> {
        let block = BlockText::new(named(&self.block_type)?, self.labels.iter().map(|label| quoted(label)), out);
        self.body.write(out)?;
        block.finish(out);
        Ok(())
    }
}
