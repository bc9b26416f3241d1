//! Text in native syntax: the one writer of names, texts in quotes, heredocs, lists, objects, blocks and bodies.
//!
//! Values (`model`), new files (`construct`), conversion, serde, edits and partial evaluation write through it. It does
//! not depend on values and trees, so that all of them can. It writes the canonical form, which the formatter does not
//! change. The rules that both need are in `columns`.
//!
//! | module | output |
//! | --- | --- |
//! | `quote` | texts in quotes, with their escape sequences; keys of objects |
//! | `template` | texts with sequences in them |
//! | `heredoc` | texts of several lines |
//! | `layout` | lists, objects, attributes, blocks: line breaks, indentation, aligned equals signs |

pub(crate) mod columns;
mod heredoc;
mod layout;
mod quote;
mod template;

pub(crate) use heredoc::{MARKERS, heredoc, is_free, is_heredoc, is_odd};
pub(crate) use layout::{BlockText, Item, Layout, ListText, ObjectText, Shape, list_in_line, object_in_line};
pub(crate) use quote::{Form, escaped, quote_into};
pub use quote::{key, quoted};
pub(crate) use template::{Output, TemplateText};
