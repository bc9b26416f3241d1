//! Typed handles to the tree, its public view.
//!
//! A handle is a reference to the tree and an index, so it is `Copy` and costs nothing. Texts are read from the source
//! on demand. Names follow the specification: a [`BodyNode`] has [`AttributeNode`]s and [`BlockNode`]s, an
//! [`ExpressionNode`] has a [`kind`](ExpressionNode::kind) to match on, a [`TemplateNode`] has parts.
//!
//! Nodes show everything about how a file in native syntax is written, which suits formatters and linters. A program
//! that needs the meaning of a file, and accepts JSON too, works with [`Body`](crate::Body), [`Block`](crate::Block),
//! [`Attribute`](crate::Attribute) and [`Expression`](crate::Expression), which own their data and can be stored.
//!
//! ```
//! use hcl_lr::syntax::ast::ExpressionKind;
//!
//! let file = hcl_lr::parse::<hcl_lr::File>("total = price * 1.19\n").into_result()?;
//! let attribute = file.body().attribute("total").expect("it is there");
//! let ExpressionKind::Binary(operation) = attribute.expression().kind() else { panic!() };
//! assert_eq!(operation.operator().as_str(), "*");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! Nodes are equal if they are the same node of the same file, or of a clone of it. So a set of nodes has each one once.

macro_rules! display_as_written {
    ($($name:ident)+) => {$(
        /// Writes the source text.
        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.tree.source.slice(self.span()))
            }
        }
    )+};
}

/// Writes the name of a type and the beginning of a text, for `{:?}`.
pub(crate) fn debug_in_one_line(name: &str, text: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => write!(f, "{name}({:?}…)", &text[..end]),
        None => write!(f, "{name}({text:?})"),
    }
}

/// In one line with `{:?}`: the beginning of the source text. `{:#?}` has the tree.
macro_rules! debug_as_dump {
    ($($name:ident)+) => {$(
        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                if !f.alternate() {
                    return super::debug_in_one_line(stringify!($name), self.tree.source.slice(self.span()), f);
                }
                std::fmt::Debug::fmt(&super::TreeDump::new(self.tree, self.node), f)
            }
        }
    )+};
}

/// Two nodes are equal if they are the same node of the same tree: a file parsed again has other nodes. A clone of a file
/// has the same ones.
macro_rules! same_node {
    ($($name:ident $part:ident $same:path;)+) => {$(
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.$part == other.$part && $same(self.tree, other.tree)
            }
        }

        impl Eq for $name<'_> {}

        impl std::hash::Hash for $name<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.$part.hash(state);
            }
        }
    )+};
}

mod body;
mod dump;
mod expression;
mod operation;
mod path;
mod template;
pub(crate) mod visit;

// Each module has the nodes of one part of the specification; all of its public items are public here.
pub use body::*;
pub use dump::{TokenDump, TreeDump};
pub use expression::*;
pub use operation::*;
pub use path::*;
pub use template::*;
pub(crate) use visit::Child;
pub use visit::{ForNames, Visitor, Walk};
