//! Rules for expressions as such: constants, and names that must be defined.

use super::{Around, Walk};
use crate::schema::check::shape::Expr;
use crate::schema::model::{Attribute, Block, Type};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::eval::Scope;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::TraversalStep;

impl<'c> Walk<'c, '_> {
    /// Checks an expression by what the schema says of it besides its type.
    pub(super) fn expression(&mut self, known: &Attribute, expression: &Expr<'_>) {
        match known.constant {
            Some(true) => {
                // Without names and functions, exactly these are errors.
                let (_, problems) = expression.handle().evaluate_partially(&Scope::new()).into_parts();
                let is_of_constant =
                    |code: &Code| matches!(code, Code::VariablesNotAllowed | Code::FunctionsNotAllowed);
                for problem in problems.into_iter().filter(|problem| is_of_constant(problem.code())) {
                    self.add(problem.with_label(known.place.clone(), "a constant is required by this"));
                }
            }
            Some(false) if self.refers_to_nothing(expression) => {
                let detail = "this refers to nothing, so it is always the same";
                let finding = Finding::error(Code::InvalidArgumentValue, expression.span(), detail);
                self.push(finding, Some((&known.place, "a reference is required by this")));
            }
            _ => {}
        }
        if known.defined && self.facts.is_complete() {
            self.defined(known, &known.ty, &expression.handle());
        }
    }

    /// Adds a diagnostic of the file.
    fn add(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < super::MAX_FINDINGS {
            self.found.push(diagnostic);
        }
    }

    fn refers_to_nothing(&self, expression: &Expr<'_>) -> bool {
        match expression {
            Expr::Node(node) => node.variables().is_empty(),
            Expr::Handle(expression) => expression.variables().is_empty(),
        }
    }

    /// Reports references to what no file of the program defines.
    fn defined(&mut self, known: &Attribute, ty: &Type, expression: &Expression) {
        let index = self.checker.index();
        match index.resolve(ty) {
            Type::List(element) | Type::Set(element) => {
                for one in expression.static_list().unwrap_or_default() {
                    stack::with_room(|| self.defined(known, element, &one));
                }
            }
            Type::Map(element) => {
                for (_, one) in expression.static_map().unwrap_or_default() {
                    stack::with_room(|| self.defined(known, element, &one));
                }
            }
            Type::Reference(kinds) | Type::Address(kinds) => {
                let Ok(traversal) = expression.static_traversal() else { return };
                let names = traversal.steps().into_iter().map_while(|step| match step {
                    TraversalStep::Attribute(name) => Some(name.text().to_owned()),
                    _ => None,
                });
                let steps: Vec<String> = std::iter::once(traversal.root().to_owned()).chain(names).collect();
                let Some(missing) = self.facts.undefined(self.checker, kinds, &steps) else { return };
                let detail = format!("nothing is defined as {missing}");
                let finding = Finding::error(Code::UndefinedName, expression.place().span(), detail);
                self.push(finding, Some((&known.place, "a definition is required by this")));
            }
            _ => {}
        }
    }

    /// Reports a block of which another file, or an earlier block, has one already.
    pub(super) fn once(&mut self, known: &Block, name: &str, span: Span, around: &Around<'_, '_, 'c>) {
        if self.is_override {
            return;
        }
        let outer = std::iter::successors(Some(around), |around| around.parent);
        let mut path: Vec<&str> = outer.filter_map(|around| around.block).map(|block| block.name.as_str()).collect();
        path.reverse();
        path.push(name);
        let Some(first) = self.facts.first_block(self.checker, &path, known) else { return };
        if first.source().name() == self.source.name() && first.span() == span {
            return;
        }
        let detail = format!("there is a block of type \"{name}\" already, and all files have at most one");
        let finding: Diagnostic = Finding::error(Code::TooManyBlocks, span, detail).in_source(self.source);
        self.add(
            finding.with_label(first, "the first one is here").with_help("put the contents of both into one block"),
        );
    }
}
