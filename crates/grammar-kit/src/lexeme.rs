//! The tokens of the productions.

use crate::rules::Node;

/// The kind of a token, as the productions have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A production of the lexer.
    Name(&'static str),
    /// A text in quotes.
    Text,
    /// No token.
    Nothing,
}

/// A token of the productions.
#[derive(Clone, Debug)]
pub struct Lexeme {
    pub class: Class,
    pub text: String,
    pub at: usize,
}

impl Lexeme {
    pub fn is(&self, node: &Node) -> bool {
        match (node, &self.class) {
            (Node::Token(name), Class::Name(own)) => name == own,
            (Node::Text(text), Class::Text) => *text == self.text,
            _ => false,
        }
    }

    pub fn shown(&self) -> String {
        match self.class {
            Class::Name("Newline") => "the end of the line".to_owned(),
            _ => format!("`{}`", self.text.escape_debug()),
        }
    }
}
