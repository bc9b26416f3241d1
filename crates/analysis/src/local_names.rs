//! Names that `for` defines, whose scope is its expression or directive.

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, ForNames, Visitor, Walk};

use crate::file::File;
use crate::spans::touches;

/// A name that a `for` defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalName {
    /// The place of the definition.
    pub definition: Span,
    /// The places where it is used, in source order, without the definition.
    pub uses: Vec<Span>,
    /// The place in question.
    pub asked: Span,
}

struct Names<'t> {
    scopes: Vec<ForNames<'t>>,
    /// Each use with the place of its definition; a definition counts as a use of itself.
    uses: Vec<(Span, Span)>,
}

impl<'t> Visitor<'t> for Names<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        if let ExpressionKind::Traversal(traversal) = expression.kind() {
            let root = traversal.root();
            let mut names = self.scopes.iter().rev().flat_map(|names| names.iter());
            if let Some(name) = names.find(|name| name.text() == root.text()) {
                self.uses.push((root.span(), name.span()));
            }
        }
        Walk::Into
    }

    fn enter_scope(&mut self, names: ForNames<'t>) {
        self.uses.extend(names.iter().map(|name| (name.span(), name.span())));
        self.scopes.push(names);
    }

    fn leave_scope(&mut self, _: ForNames<'t>) {
        self.scopes.pop();
    }
}

/// Returns the name at a byte of a file, if a `for` defines it.
pub(crate) fn local_name(file: &File, offset: usize) -> Option<LocalName> {
    let mut names = Names { scopes: Vec::new(), uses: Vec::new() };
    file.native()?.body().walk(&mut names);
    let (asked, definition) = names.uses.iter().find(|(span, _)| touches(*span, offset)).copied()?;
    let same = names.uses.iter().filter(|(span, of)| *of == definition && *span != definition);
    let mut uses: Vec<Span> = same.map(|(span, _)| *span).collect();
    uses.sort_unstable();
    uses.dedup();
    Some(LocalName { definition, uses, asked })
}
