//! Types read from text.

use std::str::FromStr;

use super::help::Wanted;
use super::read::read_native;
use crate::diagnostic::Diagnostics;
use crate::limits::Account;
use crate::model::Type;
use crate::reading::ParseOptions;
use crate::syntax::expression_file;

/// Parses a type as written by [`Type::describe`], if attributes have plain names. `any` is the dynamic pseudo-type,
/// and attributes may be `optional`, but without defaults.
///
/// ```
/// use hcl_lr::model::Type;
///
/// assert_eq!("list(string)".parse::<Type>()?, Type::list(Type::String));
/// let errors = "lst(string)".parse::<Type>().unwrap_err();
/// assert_eq!(errors.iter().next().unwrap().code().as_str(), "invalid-type");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the text.
impl FromStr for Type {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Type, Diagnostics> {
        let file = expression_file(("type", text).into(), &ParseOptions::default()).into_result()?;
        read_native(file.expression(), Wanted::Constraint, &Account::default())
            .map(|constraint| constraint.into_parts().0)
    }
}
