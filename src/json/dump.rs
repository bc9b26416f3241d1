//! Prints the tree, for tests and debugging.

use std::fmt;

use super::tree::{Node, NodeKind};
use crate::sorting::sort_by_key;
use crate::source::Position;

/// A tree, one indented node per line: kind, line and column, and the text of leaves. Nodes deeper than a hundred
/// levels are not indented further.
///
/// ```
/// use hcl_lr::json::NodeDump;
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let document = parse::<Document>(r#"{"a": 1}"#).into_result()?;
/// assert_eq!(NodeDump(document.root()).to_string(), "Object 1:1-1:9\n  \"a\" 1:2-1:5\n  Number 1:7-1:8 1\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Copy)]
pub struct NodeDump<'t>(pub Node<'t>);

impl fmt::Display for NodeDump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut position = self.0.source().positions();
        // The ends are not in ascending order like the starts, and seeking backwards in a long line takes time.
        let nodes = (self.0.id()..self.0.end_id()).map(|id| self.0.sibling(id));
        let mut ends: Vec<usize> = nodes.map(|node| node.span().end()).collect();
        sort_by_key(&mut ends, |end| *end);
        ends.dedup();
        let mut end_position = self.0.source().positions();
        let ends: Vec<Position> = ends.into_iter().map(&mut end_position).collect();
        let end_of = |at: usize| ends.binary_search_by_key(&at, |end| end.byte).map_or(ends[0], |index| ends[index]);
        // The nodes are in source order, each container before its content.
        let mut open: Vec<u32> = Vec::new();
        let end = self.0.end_id();
        let mut id = self.0.id();
        while id < end {
            let node = self.0.sibling(id);
            while open.last().is_some_and(|&end| end <= id) {
                open.pop();
            }
            write!(f, "{:indent$}", "", indent = 2 * open.len().min(100))?;
            let name = node.is_name();
            match node.kind() {
                NodeKind::String(string) if name => write!(f, "{:?}", string.text())?,
                NodeKind::Object(_) => f.write_str("Object")?,
                NodeKind::Array(_) => f.write_str("Array")?,
                NodeKind::String(_) => f.write_str("String")?,
                NodeKind::Number(_) => f.write_str("Number")?,
                NodeKind::Bool(_) => f.write_str("Bool")?,
                NodeKind::Null => f.write_str("Null")?,
                NodeKind::Error => f.write_str("Error")?,
            }
            let (start, end) = (position(node.span().start()), end_of(node.span().end()));
            write!(f, " {}:{}-{}:{}", start.line, start.column, end.line, end.column)?;
            match node.kind() {
                NodeKind::String(string) if !name => writeln!(f, " {:?}", string.text())?,
                NodeKind::Number(_) | NodeKind::Bool(_) => writeln!(f, " {}", node.text())?,
                NodeKind::Error if !node.span().is_empty() => writeln!(f, " {:?}", node.text())?,
                _ => writeln!(f)?,
            }
            if matches!(node.kind(), NodeKind::Object(_) | NodeKind::Array(_)) {
                open.push(node.end_id());
            }
            id += 1;
        }
        Ok(())
    }
}

impl fmt::Debug for NodeDump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
