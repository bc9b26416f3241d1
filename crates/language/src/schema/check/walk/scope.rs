//! Names that are defined only in some blocks, such as `self` and `each`.

use super::{Around, Walk};
use crate::schema::check::reference::{COUNT, EACH};
use crate::schema::check::shape::Expr;
use crate::schema::model::{AttributeRole, Block, Type};
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;

impl<'c> Walk<'c, '_> {
    /// Checks the names in an expression that blocks around it define.
    pub(super) fn names_in(&mut self, ty: Option<&Type>, expression: &Expr<'_>, around: &Around<'_, '_, 'c>) {
        self.scoped_names(ty, expression, around);
        if !self.only_sensitive && ty.is_none_or(|ty| !self.is_apart(ty)) {
            self.iterator_members(expression, around);
        }
    }

    /// Reports names in an expression that are defined only in other blocks.
    pub(super) fn scoped_names(&mut self, ty: Option<&Type>, expression: &Expr<'_>, around: &Around<'_, '_, 'c>) {
        if self.scoped.is_empty() || ty.is_some_and(|ty| self.is_apart(ty)) {
            return;
        }
        let mut wrong: Vec<(&'c str, Span)> = Vec::new();
        let mut look = |root: &str, span: Span, scoped: &[&'c str]| {
            if let Some(name) = scoped.iter().find(|name| **name == root)
                && !around.has_name(name)
            {
                wrong.push((name, span));
            }
        };
        match expression {
            Expr::Node(node) => {
                let text = node.text();
                if !self.scoped.iter().any(|name| text.contains(name)) {
                    return;
                }
                for variable in node.variables() {
                    look(variable.root().text(), variable.root().span(), &self.scoped);
                }
            }
            Expr::Handle(expression) => {
                for variable in expression.variables() {
                    look(variable.root(), variable.place().span(), &self.scoped);
                }
            }
        }
        for (name, span) in wrong {
            let place = self.checker.kinds.place_of_scoped(name);
            let detail = format!("`{name}` can be used only in {place}");
            self.push(Finding::error(Code::UndefinedName, span, detail), None);
        }
    }

    /// Returns true if expressions of a type are not evaluated, so that names in them mean something else.
    fn is_apart(&self, ty: &Type) -> bool {
        let ty = self.checker.index().resolve(ty);
        ty.is_static() || matches!(ty, Type::Expression)
    }
}

impl Around<'_, '_, '_> {
    /// Returns true if a name is defined in the body.
    fn has_name(&self, name: &str) -> bool {
        let mut inner = None;
        for around in std::iter::successors(Some(self), |around| around.parent) {
            if around.brings(name, inner) {
                return true;
            }
            inner = around.block.or(inner);
        }
        false
    }

    /// Returns true if the block of the body defines a name for expressions in it, or in one of its blocks.
    fn brings(&self, name: &str, inner: Option<&Block>) -> bool {
        let repeats = |role: AttributeRole, usual: &str| {
            self.body.is_some_and(|body| {
                let mut attributes = self.layers.into_iter().flat_map(|layers| layers.attributes());
                body.has(usual) || attributes.any(|attribute| attribute.role == Some(role) && body.has(&attribute.name))
            })
        };
        let of_block = self.block.is_some_and(|block| {
            let is_itself = block.defines.as_ref().is_some_and(|defines| {
                let is_inside = || inner.is_some_and(|inner| defines.itself_in.contains(&inner.name));
                defines.itself.as_deref() == Some(name) && (defines.itself_in.is_empty() || is_inside())
            });
            is_itself || block.names.iter().any(|defined| defined == name)
        });
        of_block
            || self.iterator.is_some_and(|(iterator, _)| iterator == name)
            || name == EACH && repeats(AttributeRole::ForEach, "for_each")
            || name == COUNT && repeats(AttributeRole::Count, "count")
    }
}
