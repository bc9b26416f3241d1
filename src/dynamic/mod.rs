//! Blocks that are generated from collections (the extension "Dynamic Blocks" of the official engine).
//!
//! ```hcl
//! dynamic "setting" {
//!   for_each = settings
//!   iterator = each            # if it is not to be called like the type, setting
//!   labels   = [each.key]      # if blocks of the type have labels
//!   content {
//!     value = each.value
//!   }
//! }
//! ```
//!
//! stands for one block of type `setting` for each element of `settings`. A body is [expanded](expand)
//! into one that behaves as if the blocks were written out, at any depth.
//!
//! ```
//! use hcl_lr::{Body, Scope, parse};
//! use hcl_lr::body::BodySchema;
//! use hcl_lr::dynamic::expand;
//!
//! let text = r#"
//! port { number = 80 }
//! dynamic "port" {
//!   for_each = [443, 8080]
//!   content { number = port.value + base }
//! }
//! "#;
//! let scope = Scope::new().with("base", 0);
//! let body = expand(parse::<Body>(text).into_result()?, &scope);
//! let content = body.content(&BodySchema::new().block("port", &[])).into_result()?;
//! let mut numbers = Vec::new();
//! for block in content.blocks() {
//!     let inner = block.body().content(&BodySchema::new().required("number")).into_result()?;
//!     numbers.push(inner.attribute("number").expect("it is required").expression().evaluate(&scope)?.to_string());
//! }
//! assert_eq!(numbers, ["80", "443", "8080"]);
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! While the collection is unknown, one block with unknown attributes represents all of them. If the collection has
//! marks, the attributes of the blocks have them too. Labels must be known and unmarked.

mod block;
mod body;
pub(crate) mod parts;
mod variables;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::body::{Body, BodySchema, Expression};
use crate::diagnostic::Diagnostics;
use crate::eval::Scope;
use crate::model::{MarkSet, Value};

use body::DynamicBody;
pub use variables::NeededVariables;

/// The type of the blocks that are expanded.
const DYNAMIC: &str = "dynamic";

type Check = dyn Fn(&Value, &Expression, &Scope<'_>) -> Diagnostics + Send + Sync;

/// Expands the dynamic blocks of a body and of its blocks. Their collections and labels are evaluated in the scope, but
/// only when the content of the body is read; errors in them are reported then.
///
/// The attributes of generated blocks have the iterators as variables, whatever scope they are evaluated in.
pub fn expand(body: Body, scope: &Scope<'_>) -> Body {
    Expander::new(scope).expand(body)
}

/// The settings with which bodies are expanded.
///
/// ```
/// use hcl_lr::{Body, Scope, parse};
/// use hcl_lr::body::BodySchema;
/// use hcl_lr::diagnostic::{Code, Diagnostic};
/// use hcl_lr::dynamic::Expander;
/// use hcl_lr::model::Value;
///
/// let text = "dynamic \"user\" {\n  for_each = secrets\n  content {}\n}\n";
/// let scope = Scope::new().with("secrets", Value::from(vec!["a"]).mark("sensitive"));
/// let expander = Expander::new(&scope).with_check(|collection, expression, _| {
///     let detail = "secret values may not decide on how many blocks there are";
///     let error = Diagnostic::error(Code::InvalidIteration, expression.place(), detail);
///     collection.is_marked().then_some(error).into_iter().collect()
/// });
/// let body = expander.expand(parse::<Body>(text).into_result()?);
/// let outcome = body.content(&BodySchema::new().block("user", &[]));
/// assert_eq!((outcome.value().blocks().len(), outcome.diagnostics().len()), (0, 1));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Expander {
    scope: Arc<Scope<'static>>,
    check: Option<Arc<Check>>,
    /// True if labels may be unknown.
    unknown_labels: bool,
}

impl fmt::Debug for Expander {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expander").field("scope", &self.scope).finish_non_exhaustive()
    }
}

impl Expander {
    /// Creates settings for expanding with the variables and functions of a scope.
    pub fn new(scope: &Scope<'_>) -> Self {
        Expander { scope: Arc::new(scope.to_owned_scope().sharing_meter()), check: None, unknown_labels: false }
    }

    /// Lets the application check the collections. If the check finds errors, no blocks are generated. It gets the
    /// value with its marks, the expression and its scope.
    pub fn with_check(
        self,
        check: impl Fn(&Value, &Expression, &Scope<'_>) -> Diagnostics + Send + Sync + 'static,
    ) -> Self {
        Expander { check: Some(Arc::new(check)), ..self }
    }

    /// Allows labels that are not known yet. They are empty, and the bodies of their blocks are unknown.
    #[doc(hidden)]
    pub fn with_unknown_labels(self) -> Self {
        Expander { unknown_labels: true, ..self }
    }

    /// The body with its dynamic blocks expanded; see [`expand`].
    pub fn expand(&self, body: Body) -> Body {
        Body::new(DynamicBody {
            original: body,
            expander: self.clone(),
            around: Surroundings::default(),
            marks: MarkSet::default(),
            taken: Arc::default(),
            expands: true,
        })
    }
}

/// The iterators and marks of the enclosing dynamic blocks.
#[derive(Clone, Default)]
struct Surroundings {
    /// The iterators that come from a marked collection, with its marks. Their values lack the marks because the
    /// attributes of the blocks have them; but neither labels nor messages may show the values.
    marked: Arc<HashMap<String, MarkSet>>,
    /// The iterators that can be seen.
    iterators: Arc<HashMap<String, Value>>,
    /// The marks of unknown values if an outer collection is unknown, which makes all values unknown; otherwise `None`.
    unknown: Option<MarkSet>,
}

impl Surroundings {
    /// Returns the marks of the collections that the iterators in an expression come from.
    fn marks_of(&self, expression: &Expression) -> MarkSet {
        if self.marked.is_empty() {
            return MarkSet::default();
        }
        let variables = expression.variables();
        let marks = variables.iter().filter_map(|path| self.marked.get(path.root()));
        marks.fold(MarkSet::default(), |all, marks| all.union(marks))
    }
}

/// Returns the schema of a body that may have dynamic blocks.
fn with_dynamic(schema: &BodySchema) -> BodySchema {
    BodySchema::new().block(DYNAMIC, &["type"]).with_all(schema)
}

/// Returns the schema without the name of dynamic blocks.
fn without_dynamic(schema: &BodySchema) -> BodySchema {
    let mut plain = BodySchema::new();
    for attribute in schema.attributes() {
        plain = match attribute.is_required() {
            true => plain.required(attribute.name()),
            false => plain.optional(attribute.name()),
        };
    }
    for block in schema.blocks().iter().filter(|block| block.block_type() != DYNAMIC) {
        plain = plain.with_block(block);
    }
    plain
}

/// The types of blocks that have already been requested from a body.
type Taken = Arc<HashSet<String>>;
