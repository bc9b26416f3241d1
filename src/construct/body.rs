//! New bodies and blocks.

use super::{BuildError, NewExpression};
use crate::stack::with_room;
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
#[derive(Clone, Debug, Default)]
pub struct NewBody {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
enum Item {
    Attribute(String, NewExpression),
    Block(NewBlock),
    Comment(String),
    BlankLine,
    /// An item written elsewhere.
    Written(String, Option<writer::Item>),
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
#[derive(Clone, Debug, Default)]
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
