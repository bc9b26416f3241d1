//! Specs from files, in the language of the official program `hcldec`.
//!
//! A spec file has one block for the spec, such as
//!
//! ```hcl
//! object {
//!   attr "name" {
//!     type     = string
//!     required = true
//!   }
//!   block_map "route" {
//!     labels = ["path"]
//!     attr {
//!       name = "to"
//!       type = string
//!     }
//!   }
//! }
//! ```
//!
//! | block | arguments | spec |
//! | --- | --- | --- |
//! | `object { … }` | | [`Spec::object`]: each spec in it has a label, the name of its attribute |
//! | `array { … }` | | [`Spec::tuple`] |
//! | `attr` | `name`, `type`, `required` | [`Spec::attr`] |
//! | `block { … }` | `block_type`, `required` | [`Spec::block`] |
//! | `block_list { … }`, `block_set { … }` | `block_type`, `min_items`, `max_items` | [`Spec::block_list`], [`Spec::block_set`] |
//! | `block_map { … }` | `block_type`, `labels` | [`Spec::block_map`] |
//! | `block_attrs` | `block_type`, `element_type`, `required` | [`Spec::block_attrs`] |
//! | `literal` | `value` | [`Spec::literal`] |
//! | `default { … … }` | | [`Spec::or`]: the first that is not null |
//! | `transform { … }` | `result` | [`Spec::transform_expr`], with the variable `nested` |
//!
//! Within an `object`, the label is also the default for `name` or `block_type`. Types are [type
//! expressions](crate::type_expr). The `value` and the `result` may use the functions of [`functions`]. Besides the
//! spec, the file may contain blocks `variables { name = value … }` and `function "name" { … }` (see
//! [`user_functions`](mod@crate::user_functions)), for use in the decoded files.
//!
//! ```
//! use hcl_lr::decode::spec_file::SpecFile;
//! use hcl_lr::{Body, parse};
//!
//! let spec = "array {\n  attr {\n    name = \"port\"\n    type = number\n  }\n}\nvariables {\n  base = 8000\n}\n";
//! let spec = parse::<SpecFile>(("web.hcldec", spec)).into_result()?;
//!
//! let body = parse::<Body>("port = base + 80\n").into_result()?;
//! let value = spec.spec().decode(&body, &spec.scope()).into_result()?;
//! assert_eq!(value.to_string(), "[8080]");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod arguments;
mod read;
mod reader;

use std::collections::HashMap;

use super::Spec;
use crate::body::Body;
use crate::diagnostic::Outcome;
use crate::eval::{Functions, Scope};
use crate::model::{Type, Value};
use crate::reading::{Parse, ParseOptions};
use crate::source::Source;

/// The content of a spec file.
#[derive(Clone, Debug)]
pub struct SpecFile {
    spec: Spec,
    variables: HashMap<String, Value>,
    functions: Functions,
}

impl SpecFile {
    /// A spec without variables and functions.
    pub fn new(spec: Spec) -> SpecFile {
        SpecFile { spec, variables: HashMap::new(), functions: Functions::default() }
    }

    /// Adds functions for the decoded files.
    pub fn with_functions(mut self, functions: Functions) -> SpecFile {
        self.functions = functions.with_all(&self.functions);
        self
    }

    /// Reads a spec from a parsed body.
    pub fn from_body(body: &Body) -> Outcome<SpecFile> {
        reader::read_file(body)
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the variables that the file defines for the decoded files.
    pub fn variables(&self) -> &HashMap<String, Value> {
        &self.variables
    }

    /// Returns the functions that the file defines for the decoded files.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// A scope with the variables and the functions.
    pub fn scope(&self) -> Scope<'_> {
        scope(&self.variables, &self.functions)
    }

    /// Returns a scope with the functions and variables, and with further variables, which override those of the same
    /// name.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use hcl_lr::body::Body;
    /// use hcl_lr::decode::spec_file::SpecFile;
    /// use hcl_lr::parse;
    /// use hcl_lr::model::Value;
    ///
    /// let text = "attr {\n  name = \"a\"\n}\nvariables {\n  x = 1\n}\n";
    /// let spec = parse::<SpecFile>(text).into_result()?;
    /// let variables = spec.variables_with(HashMap::from([("x".to_owned(), Value::from(2))]));
    /// let body = parse::<Body>("a = x\n").into_result()?;
    /// assert_eq!(spec.spec().decode(&body, &spec.scope_with(&variables)).into_result()?, Value::from(2));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn scope_with<'s>(&'s self, variables: &'s HashMap<String, Value>) -> Scope<'s> {
        scope(variables, &self.functions)
    }

    /// Returns the variables and further ones, which override those of the same name.
    pub fn variables_with(&self, more: HashMap<String, Value>) -> HashMap<String, Value> {
        let mut variables = self.variables.clone();
        variables.extend(more);
        variables
    }
}

/// Without any variables or functions, none are allowed.
fn scope<'s>(variables: &'s HashMap<String, Value>, functions: &Functions) -> Scope<'s> {
    let mut scope = Scope::new();
    if functions.names().next().is_some() {
        scope = scope.with_functions(functions.clone());
    }
    if variables.is_empty() { scope } else { scope.with_variables(variables) }
}

/// Parses a spec file in either syntax of HCL. A file without a spec is an error, and its spec decodes to null.
impl Parse for SpecFile {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<SpecFile> {
        spec_of(options.parse(source))
    }
}

/// A body with syntax errors is not checked further.
fn spec_of(body: Outcome<Body>) -> Outcome<SpecFile> {
    let (body, mut diagnostics) = body.into_parts();
    if diagnostics.has_errors() {
        return Outcome::new(SpecFile::default(), diagnostics);
    }
    let spec = SpecFile::from_body(&body).into_value_reporting_to(&mut diagnostics);
    Outcome::new(spec, diagnostics)
}

/// A spec that decodes to null, without variables and functions.
impl Default for SpecFile {
    fn default() -> Self {
        let spec = Spec::literal(Value::null(Type::Dynamic));
        SpecFile { spec, variables: HashMap::new(), functions: Functions::default() }
    }
}

/// The functions that can be used in spec files.
///
/// ```
/// use hcl_lr::decode::spec_file::functions;
///
/// let reverse = functions().get("reverse").expect("it is there").clone();
/// assert_eq!(reverse.call(&["abc".into()])?, "cba".into());
/// # Ok::<(), hcl_lr::eval::FunctionError>(())
/// ```
pub fn functions() -> Functions {
    const SAME: &[&str] = &[
        "abs",
        "coalesce",
        "concat",
        "hasindex",
        "int",
        "jsondecode",
        "jsonencode",
        "length",
        "lower",
        "max",
        "min",
        "strlen",
        "substr",
        "upper",
    ];
    let all = crate::functions::standard();
    let named = SAME.iter().map(|&name| (name, name)).chain([("reverse", "strrev")]);
    named.filter_map(|(name, of)| Some((name, all.get(of)?.clone()))).collect()
}
