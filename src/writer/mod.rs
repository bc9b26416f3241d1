//! Lists, objects, attributes, blocks and bodies in native syntax: the one layout of all that is written.
//!
//! Values (`model`), new files (`build`), conversion and serde write through it, with the texts of `quote`. It knows no
//! values and no trees, so that all of them can. Its layout is the canonical form: what it writes, the formatter leaves
//! as it is. The rules that both need are in `columns`.

pub(crate) mod columns;
mod layout;

pub(crate) use layout::{BlockText, Item, Layout, ListText, ObjectText, Shape, list_in_line, object_in_line};
