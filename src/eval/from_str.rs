//! Values read from text in native syntax.

use std::str::FromStr;

use super::Scope;
use crate::diagnostic::Diagnostics;
use crate::model::Value;
use crate::reading::ParseOptions;
use crate::syntax::expression_file;

/// Evaluates an expression that needs neither variables nor functions (information model, "Evaluation", literal-only
/// mode).
///
/// ```
/// use hcl_lr::model::Value;
///
/// let server: Value = "{ name = \"web\", ports = [80, 443], debug = false }".parse()?;
/// assert_eq!(server["ports"][1], 443.into());
///
/// let errors = "{ name = web }".parse::<Value>().unwrap_err();
/// assert_eq!(errors.iter().next().unwrap().code().as_str(), "variables-not-allowed");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// All errors in the text.
impl FromStr for Value {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Value, Diagnostics> {
        let file = expression_file(("value", text).into(), &ParseOptions::default()).into_result()?;
        file.expression().evaluate(&Scope::new())
    }
}
