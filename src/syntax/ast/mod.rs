//! The tree as users see it: typed handles.
//!
//! A handle is a reference to the tree and an index, so it is `Copy` and costs nothing. Texts are
//! read from the source when asked for. Names follow the specification: a [`Body`] has
//! [`Attribute`]s and [`Block`]s, an [`Expression`] has a [`kind`](Expression::kind) to match on, a
//! [`Template`] has parts.
//!
//! ```
//! use hcl_lr::syntax::ast::ExpressionKind;
//!
//! let file = hcl_lr::parse("total = price * 1.19\n").into_result()?;
//! let attribute = file.body().attribute("total").expect("it is there");
//! let ExpressionKind::Binary(operation) = attribute.expression().kind() else { panic!() };
//! assert_eq!(operation.operator().as_str(), "*");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod body;
mod dump;
mod expression;
mod meaning;
mod operation;
mod path;
mod template;
mod visit;

pub use body::{Attribute, Block, Body, BodyItem, ErrorNode, File, Label};
pub use dump::{TokenDump, TreeDump};
pub use expression::{
    Expression, ExpressionKind, ForExpr, FunctionCall, Name, Number, Object, ObjectElement, ObjectKey, Parentheses,
    Tuple,
};
pub use meaning::{body_to_json, expression_to_json, template_to_json, traversal_to_json};
pub use operation::{BinaryOperation, BinaryOperator, Conditional, UnaryOperation, UnaryOperator};
pub use path::{Index, RelativeTraversal, Splat, Step, Traversal};
pub use template::{Template, TemplateFor, TemplateIf, TemplatePart};
pub use visit::{Visitor, walk_body, walk_expression, walk_template};
