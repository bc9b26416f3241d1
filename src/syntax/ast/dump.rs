//! Tokens and trees as text, for debugging and tests.

use std::borrow::Cow;
use std::fmt;

use super::body::File;
use crate::source::visible;
use crate::syntax::index::{NodeIndex, TokenIndex};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{NodeKind, Tree};

/// The tokens of a file, one per line: kind, line and column, and text.
///
/// ```
/// use hcl_lr::syntax::ast::TokenDump;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\n").into_result()?;
/// assert_eq!(TokenDump(&file).to_string(), "\
/// Identifier         1:1     a
/// Value              1:3     =
/// Literal            1:5     1
/// Newline            1:6     \\n
/// EndOfFile          2:1
/// ");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct TokenDump<'f>(
    /// The file.
    pub &'f File,
);

impl fmt::Display for TokenDump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depth = 0;
        let mut position = self.0.source().positions();
        for token in self.0.tokens().iter() {
            let kind = token.kind();
            if closes(kind) {
                depth -= 1;
            }
            let position = position(token.span().start());
            let place = format!("{}:{}", position.line, position.column);
            let name = format!("{kind:?}");
            let text = escaped(token.text());
            let line = format!("{:indent$}{name:18} {place:7} {text}", "", indent = 2 * depth.min(40));
            writeln!(f, "{}", line.trim_end())?;
            if kind.is_opener() && kind != TokenKind::Value {
                depth += 1;
            }
        }
        Ok(())
    }
}

/// Returns a text in one line: newlines and other control characters become escape sequences.
fn escaped(text: &str) -> Cow<'_, str> {
    visible::line(text)
}

fn closes(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, CloseBlock | CloseBrace | CloseBracket | CloseParen | CloseTemplate | CloseSequence)
}

/// A tree, one indented node per line: kind, line and column, and the text of leaves.
///
/// ```
/// use hcl_lr::syntax::ast::TreeDump;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = -b.c\n").into_result()?;
/// assert_eq!(TreeDump::of_file(&file).to_string(), "\
/// Body 1:1
///   Attribute 1:1 a
///     UnaryOp 1:5 -
///       Traversal 1:6 b.c
/// ");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub struct TreeDump<'t> {
    tree: &'t Tree,
    node: NodeIndex,
}

impl<'t> TreeDump<'t> {
    pub(in crate::syntax) fn new(tree: &'t Tree, node: NodeIndex) -> Self {
        TreeDump { tree, node }
    }

    /// The tree of all that was parsed.
    pub fn of_file(file: &'t File) -> Self {
        let tree = file.tree();
        TreeDump { tree, node: tree.root }
    }

    /// Returns the names that a node binds, and the commas between them. They are between its keyword and its first
    /// part.
    fn names_bound(&self, index: NodeIndex) -> impl Iterator<Item = TokenIndex> {
        let node = self.tree.node(index);
        let kind = |token: TokenIndex| self.tree.tokens.kind(token);
        let mut first = node.end;
        self.tree.each_child(index, |child| first = first.min(self.tree.node(child).start));
        let keyword = node.start.to(first).take(2).find(|&token| kind(token).binds_names());
        let names = keyword.map(|keyword| {
            let names = (keyword + 1).to(first).skip_while(move |&token| kind(token) == TokenKind::Keyword);
            names.take_while(move |&token| matches!(kind(token), TokenKind::Identifier | TokenKind::Comma))
        });
        names.into_iter().flatten()
    }

    /// Returns the details shown beside the kind of a node.
    fn detail(&self, index: NodeIndex) -> String {
        use NodeKind::*;
        let node = self.tree.node(index);
        let token = |token: TokenIndex| escaped(self.tree.name_text(token)).into_owned();
        match node.kind {
            Literal | Variable | TemplateLiteral => token(node.start),
            UnaryOp => token(self.tree.unary_operator(node).0),
            Attribute => token(node.first.token()),
            Block => {
                let brace = self.tree.node(node.second.node()).start;
                node.first.token().to(brace).map(token).collect::<Vec<_>>().join(" ")
            }
            GetAttr | LegacyIndex => format!(".{}", token(node.end)),
            Traversal => {
                let names: Vec<_> = node.start.to(node.end + 1).map(token).collect();
                names.join(".")
            }
            BinaryOp => token(self.tree.node(node.first.node()).end + 1),
            FunctionCall | ExpandedCall => {
                let (first, end) = self.tree.called_name(node);
                first.to(end).map(token).collect()
            }
            Error => escaped(self.tree.source.slice(self.tree.tokens_span(node.start, node.end))).into_owned(),
            // The kind, the bound names and the children describe the rest.
            _ => self.names_bound(index).map(token).collect::<Vec<_>>().join(" ").replace(" , ", ", "),
        }
    }
}

impl fmt::Display for TreeDump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = vec![(self.node, 0usize)];
        let mut position = self.tree.source.positions();
        while let Some((index, depth)) = waiting.pop() {
            let node = self.tree.node(index);
            let mut line = format!("{:indent$}{:?}", "", node.kind, indent = 2 * depth.min(100));
            if node.start != TokenIndex::NONE {
                let position = position(self.tree.tokens.start(node.start) as usize);
                line += &format!(" {}:{}", position.line, position.column);
            }
            let detail = self.detail(index);
            if !detail.is_empty() {
                line = line + " " + &detail;
            }
            writeln!(f, "{line}")?;
            let first = waiting.len();
            self.tree.each_child(index, |child| waiting.push((child, depth + 1)));
            waiting[first..].reverse();
        }
        Ok(())
    }
}

impl fmt::Debug for TreeDump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
