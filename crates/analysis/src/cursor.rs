//! The construct around a place in a text, determined only from the text before the place.
//!
//! The tree of a broken file shows little, and a file is broken wherever somebody is typing. So the tokens before the
//! place are read as those of an unfinished text:
//!
//! ```text
//! locals {                  a block is open: `locals`
//!   a = [for x in var.l :   the attribute `a`; a bracket is open; `x` is a name
//!     f(x, local.           the second argument of `f`; the members of `local` are asked for
//! ```

mod reader;

use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::BodyItem;
use hcl_lr::syntax::unfinished::{Open as Unclosed, Unfinished};

use crate::knowledge::Header;
use crate::workspace::File;

/// The construct around a place.
#[derive(Debug)]
pub struct Cursor {
    /// The place.
    pub offset: usize,
    /// The blocks around it, from the outermost.
    pub blocks: Vec<Header>,
    /// The offsets after the `{` of each of the blocks.
    pub block_starts: Vec<usize>,
    /// The attribute whose value is being written.
    pub attribute: Option<String>,
    /// The keys of objects around it, within the value.
    pub keys: Vec<String>,
    /// The names that `for` defines around it.
    pub names: Vec<String>,
    /// The collections whose elements these names stand for.
    pub collections: Vec<ForCollection>,
    /// The calls around it, from the outermost.
    pub calls: Vec<CallAt>,
    /// The steps from the value of the attribute to the place. `None` if the place is an operand, so that the type of
    /// the attribute does not say what may stand there.
    pub steps: Option<Vec<Step>>,
    /// The kind of text that can be written at the cursor.
    pub place: Place,
}

/// The collection of a `for` around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForCollection {
    /// The names for the key and the value of each element, or only for the value.
    pub names: Vec<String>,
    /// The expression of the collection.
    pub span: Span,
}

/// A call whose arguments are being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAt {
    /// The name of the function, with its namespaces.
    pub name: String,
    /// The number of the argument, counted from 0.
    pub argument: usize,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of a key of an object; `None` if the key is computed.
    Key(Option<String>),
    /// The element of a list with this number.
    Element(usize),
    /// An argument of a call.
    Argument(CallAt),
    /// The value that a `for` makes for each element.
    EachValue {
        /// True if the `for` makes an object.
        is_object: bool,
    },
    /// A part of a string or heredoc.
    Template,
    /// An expression in a string.
    Interpolation,
    /// A name, index or condition whose type does not follow from that of the value.
    Other,
}

/// A step of the names and indexes before a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A name: the variable at the start, or an attribute.
    Name(String),
    /// An index: a number or a key, or `None` if it is computed.
    Index(Option<String>),
    /// `[*]` or `.*`.
    Splat,
}

/// The kind of text that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing that can be completed: a comment, text of a template, a new name.
    Nothing,
    /// The name of an attribute or the type of a block.
    Item {
        /// The part that is already typed.
        prefix: Span,
    },
    /// A label of a block.
    Label {
        /// The type of the block, and the labels before this one.
        header: Header,
        /// The part that is already typed, without the quote.
        prefix: Span,
        /// True after a quote.
        is_quoted: bool,
    },
    /// An expression, or the start of one.
    Expression {
        /// The part that is already typed.
        prefix: Span,
    },
    /// An attribute of a value.
    Member {
        /// The names and indexes before the dot.
        chain: Vec<Link>,
        /// The part that is already typed.
        prefix: Span,
    },
    /// A key in brackets.
    Key {
        /// The names and indexes before the bracket.
        chain: Vec<Link>,
        /// The part that is already typed, with the quote.
        prefix: Span,
    },
    /// The name of an element of an object.
    ObjectKey {
        /// The part that is already typed.
        prefix: Span,
        /// True after a quote.
        is_quoted: bool,
    },
    /// The text of a string without sequences.
    Text {
        /// The part that is already typed, without the quote.
        prefix: Span,
    },
    /// The word after `%{`.
    Directive {
        /// The part that is already typed.
        prefix: Span,
    },
}

impl Cursor {
    /// Finds the construct around a place in a file in native syntax.
    ///
    /// ```
    /// use hcl_lr_analysis::cursor::{Cursor, Link, Place};
    ///
    /// let text = "locals {\n  a = max(1, var.si";
    /// let cursor = Cursor::at(text, text.len());
    /// assert_eq!(cursor.blocks[0].block_type, "locals");
    /// assert_eq!((cursor.calls[0].name.as_str(), cursor.calls[0].argument), ("max", 1));
    /// let Place::Member { chain, prefix } = cursor.place else { panic!("a member") };
    /// assert_eq!((chain, &text[prefix.range()]), (vec![Link::Name("var".to_owned())], "si"));
    /// ```
    pub fn at(text: &str, offset: usize) -> Cursor {
        Cursor::from(0, text, offset)
    }

    /// Does the same for a parsed file. Reads only the top-level item around the place, if there is no error before
    /// it.
    pub(crate) fn in_file(file: &File, native: &hcl_lr::syntax::File, offset: usize) -> Cursor {
        let starts = native.body().items().filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(attribute.span().start()),
            BodyItem::Block(block) => Some(block.span().start()),
            _ => None,
        });
        let start = starts.take_while(|start| *start <= offset).last().unwrap_or_default();
        let is_clean = file.parsed().diagnostics.errors().all(|error| error.span().start() >= start);
        Cursor::from(if is_clean { start } else { 0 }, native.source().text(), offset)
    }

    /// Reads the tokens from the start of a top-level item.
    fn from(start: usize, text: &str, offset: usize) -> Cursor {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let text = &text[..offset];
        let unfinished = Unfinished::read(Source::new("", &text[start..]), true);
        let in_comment = matches!(unfinished.open, Some(Unclosed::Comment));
        let tokens = unfinished.tokens().into_iter().map(|(kind, span)| {
            let moved = Span::new(start + span.start(), start + span.end());
            (kind, moved)
        });
        let tokens: Vec<(TokenKind, Span)> =
            tokens.filter(|(kind, span)| *kind != TokenKind::EndOfFile && span.end() <= offset).collect();
        reader::cursor(text, &tokens, in_comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let cursor = Cursor::at(text, text.len());
        let at = |span: &Span| text[span.range()].to_owned();
        let links = |chain: &[Link]| {
            let text = |link: &Link| match link {
                Link::Name(name) => name.clone(),
                Link::Index(index) => format!("[{}]", index.as_deref().unwrap_or("?")),
                Link::Splat => "[*]".to_owned(),
            };
            chain.iter().map(text).collect::<Vec<_>>().join(".")
        };
        match &cursor.place {
            Place::Nothing => "nothing".to_owned(),
            Place::Item { prefix } => format!("item {}", at(prefix)),
            Place::Label { header, prefix, .. } => {
                format!("label {} {:?} {}", header.block_type, header.labels, at(prefix))
            }
            Place::Expression { prefix } => format!("expression {}", at(prefix)),
            Place::Member { chain, prefix } => format!("member {} {}", links(chain), at(prefix)),
            Place::Key { chain, prefix } => format!("key {} {}", links(chain), at(prefix)),
            Place::ObjectKey { prefix, .. } => format!("object key {}", at(prefix)),
            Place::Text { prefix } => format!("text {}", at(prefix)),
            Place::Directive { prefix } => format!("directive {}", at(prefix)),
        }
    }

    #[test]
    fn places_are_told_by_the_text_before_them() {
        for (text, expected) in [
            ("", "item "),
            ("res", "item res"),
            ("x {\n  lif", "item lif"),
            ("x {\n  a = 1\n  ", "item "),
            ("x {}\n", "item "),
            ("x {} ", "nothing"),
            ("resource ", "label resource [] "),
            ("resource \"aws_", "label resource [] aws_"),
            ("resource \"a\" \"b", "label resource [\"a\"] b"),
            ("a = ", "expression "),
            ("a = va", "expression va"),
            ("a = var.", "member var "),
            ("a = var.x[0].y", "member var.x.[0] y"),
            ("a = var.x[local.i].", "member var.x.[?] "),
            ("a = var.x[*].y", "member var.x.[*] y"),
            ("a = f(x).y", "nothing"),
            ("a = var.x[\"k", "key var.x \"k"),
            ("a = \"x", "text x"),
            ("a = \"x\" ", "nothing"),
            ("a = \"x ${va", "expression va"),
            ("a = \"x ${b} va", "nothing"),
            ("a = \"%{ i", "directive i"),
            ("a = \"%{ if ", "expression "),
            ("a = {\n  b", "object key b"),
            ("a = {\n  b = ", "expression "),
            ("a = { b = 1, ", "object key "),
            ("a = [for x", "nothing"),
            ("a = [for x, y", "nothing"),
            ("a = [for x in ", "expression "),
            ("# va", "nothing"),
            ("a = 1 # va", "nothing"),
            ("# text\nva", "item va"),
            ("# text\n", "item "),
            ("a = f(\n  # text\n  ", "expression "),
            ("a = f( /* text */ ", "expression "),
            ("a = [\n  b, // te", "nothing"),
            ("/* va", "nothing"),
            ("a = <<E\nva", "nothing"),
            ("a = <<E\n${va", "expression va"),
            ("a = provider::x::f", "expression provider::x::f"),
            ("x {\n  a = [\n    b,\n    ", "expression "),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn steps_lead_from_the_value_to_the_place() {
        let call = |name: &str, argument| Step::Argument(CallAt { name: name.to_owned(), argument });
        let key = |name: &str| Step::Key(Some(name.to_owned()));
        for (text, expected) in [
            ("a = ", Some(vec![])),
            ("a = [1, ", Some(vec![Step::Element(1)])),
            ("a = [[1], [", Some(vec![Step::Element(1), Step::Element(0)])),
            ("a = { b = [", Some(vec![key("b"), Step::Element(0)])),
            ("a = { b = 1, c = ", Some(vec![key("c")])),
            ("a = {\n  b = 1\n  c = ", Some(vec![key("c")])),
            ("a = { \"b\" = ", Some(vec![key("b")])),
            ("a = { (b) = ", Some(vec![Step::Key(None)])),
            ("a = f([1], ", Some(vec![call("f", 1)])),
            ("a = (", Some(vec![])),
            ("a = b ? ", Some(vec![])),
            ("a = b == 1 ? 2 : ", Some(vec![])),
            ("a = [b ? 1 : 2, ", Some(vec![Step::Element(1)])),
            ("a = b + ", None),
            ("a = b == [", None),
            ("a = !", None),
            ("a = [b + 1, ", Some(vec![Step::Element(1)])),
            ("a = x[", Some(vec![Step::Other])),
            ("a = [for x in ", Some(vec![Step::Other])),
            ("a = [for x in y : ", Some(vec![Step::EachValue { is_object: false }])),
            ("a = [for x in y : x if ", Some(vec![Step::Other])),
            ("a = { for x in y : ", Some(vec![Step::Other])),
            ("a = { for k, x in y : k => ", Some(vec![Step::EachValue { is_object: true }])),
            ("a = \"${", Some(vec![Step::Template, Step::Interpolation])),
        ] {
            assert_eq!(Cursor::at(text, text.len()).steps, expected, "{text:?}");
        }
    }

    #[test]
    fn names_calls_and_keys_are_known() {
        let text = "x \"l\" {\n  y {\n    a = { k = f(1, [for v, w in z : g(";
        let cursor = Cursor::at(text, text.len());
        let types: Vec<&str> = cursor.blocks.iter().map(|block| &*block.block_type).collect();
        assert_eq!((types, &*cursor.blocks[0].labels[0]), (vec!["x", "y"], "l"));
        assert_eq!((cursor.attribute.as_deref(), cursor.keys), (Some("a"), vec!["k".to_owned()]));
        assert_eq!(cursor.names, ["v", "w"]);
        let calls: Vec<(&str, usize)> = cursor.calls.iter().map(|call| (&*call.name, call.argument)).collect();
        assert_eq!(calls, [("f", 1), ("g", 0)]);
        let text = "a = [for k, v in var.l : [for x in v.y : x.";
        let cursor = Cursor::at(text, text.len());
        let found = cursor.collections.iter().map(|found| (found.names.join(","), text[found.span.range()].trim()));
        assert_eq!(found.collect::<Vec<_>>(), [("k,v".to_owned(), "var.l"), ("x".to_owned(), "v.y")]);
        let text = "a = \"%{ for z in var.l }${z.";
        let cursor = Cursor::at(text, text.len());
        assert_eq!(cursor.collections.len(), 1, "{cursor:?}");
        let text = "a = \"%{ for i in l }%{ for j in k }${j}%{ endfor }${";
        assert_eq!(Cursor::at(text, text.len()).names, ["i"]);
    }
}
