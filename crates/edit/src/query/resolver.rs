//! Values of references in a file, which come from outside of the query.

use std::fmt::Debug;

use hcl_lr::body::Expression;
use hcl_lr::eval::Scope;

/// Returns the values of the references in a file. Without a resolver, a query knows only constant expressions.
///
/// ```
/// use hcl_lr::{Expression, Scope};
/// use hcl_lr_edit::query::{Query, Resolver, Subject};
///
/// #[derive(Debug)]
/// struct Locals;
///
/// impl Resolver for Locals {
///     fn scopes(&self, _: &Expression) -> Vec<Scope<'_>> {
///         vec![Scope::new().with("team", "core")]
///     }
///
///     fn is_hidden(&self, _: &Expression) -> bool {
///         false
///     }
/// }
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = team\nb = other\n").into_result()?;
/// let condition = hcl_lr::parse::<Expression>("self == \"core\"").into_result()?;
/// let query = Query::new("[*]".parse()?).with_condition(condition);
/// let answer = query.run_with(Subject::Native(&file), &Locals);
/// assert_eq!(answer.matches()[0].name(), "a");
/// assert_eq!(answer.open()[0].name(), "b");
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub trait Resolver: Debug + Sync {
    /// Returns the scopes in which an expression of the file is evaluated: more than one if the file has several
    /// meanings, such as a module that is called several times. The value is known if it is the same in all scopes.
    /// Without any scope, references are unknown.
    fn scopes(&self, expression: &Expression) -> Vec<Scope<'_>>;

    /// Returns true if the value of an expression must not be shown, such as that of an argument for a password.
    fn is_hidden(&self, expression: &Expression) -> bool;
}
