//! Items for the packages of this workspace, which other packages do not need. They may change or disappear in any
//! version.

#[cfg(feature = "write")]
pub use crate::construct::body::comment_lines;
pub use crate::decimal::text_of_literal;
pub use crate::diagnostic::count;
pub use crate::diagnostic::finding::Finding;
pub use crate::diagnostic::json::PlainJson;
#[cfg(feature = "write")]
pub use crate::json::shapes::{BlockShape, MAX_INDENT, Shapes};
pub use crate::json::template::template_of;
pub use crate::sorting::{sort_by, sort_by_key};
pub use crate::stack::HAS_THREADS;
pub use crate::syntax::ast::visit::Child;
pub use crate::syntax::literal::{decode_quoted, wrong_escape};
pub use crate::syntax::meaning::meaning;
pub use crate::syntax::parse::template_file;

/// Texts as pieces, as the formatter processes them: tokens and the text between them.
#[cfg(feature = "write")]
pub mod pieces {
    pub use crate::format::pieces::*;
}

/// Characters of identifiers.
pub mod identifier {
    pub use crate::identifier::*;
}

/// Steps of work, which tests count.
pub mod work {
    pub use crate::work::*;
}

#[cfg(feature = "eval")]
pub use crate::{
    body::json_expression::expression_of_json,
    body::name_suggestions::NameSuggestions,
    body::unexpected::{extra_label, missing_attribute, missing_label, unsupported_attribute, unsupported_block},
    body::written::{Written, WrittenItem},
    eval::sink::{limit_exceeded, over_limit},
    limits::account::{Account, Exceeded},
    model::hidden::{EPHEMERAL, HIDDEN, SENSITIVE},
    reading::bounded,
};

#[cfg(feature = "decode")]
pub use crate::dynamic::parts::{Parts as DynamicParts, unsupported_type as unsupported_dynamic, wrong_collection};

#[cfg(all(feature = "write", feature = "eval"))]
pub use crate::convert::template::bare as bare_template;

#[cfg(feature = "standard-functions")]
pub use crate::{
    type_expr::constraint_within,
    user_functions::{Definition as FunctionDefinition, VARIADIC, calls_in},
};

/// JSON text.
#[cfg(all(feature = "write", feature = "eval"))]
pub mod json_writer {
    pub use crate::convert::json_writer::*;
}

/// Values of Python, for conversions to the objects of python-hcl2.
#[cfg(all(feature = "write", feature = "eval"))]
pub mod python {
    pub use crate::convert::python::*;
}

/// The parts of variables that an expression reads. The package for languages needs them, and has this feature.
#[cfg(feature = "decode")]
pub mod used_parts {
    pub use crate::eval::used_parts::*;
}
