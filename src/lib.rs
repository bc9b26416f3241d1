//! HCL, the HashiCorp Configuration Language 2: a parser that reads like the specification, with
//! every error of a file, and an evaluator.
//!
//! ```
//! let file = hcl_lr::parse("greeting = \"Hello, ${upper(name)}!\"\n").into_result()?;
//! let greeting = file.body().attribute("greeting").expect("it is there");
//! assert_eq!(greeting.expression().text(), "\"Hello, ${upper(name)}!\"");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! How do I …
//!
//! | … | by |
//! | --- | --- |
//! | load a file and show all that is wrong with it | [`parse_body_file`], or [`parse_file`] for native syntax with its tree; [`Outcome`], [`Diagnostics::render`] |
//! | read text, bytes, an expression, a template | [`parse_body`], [`parse`], [`parse_expression`], [`parse_template`]: anything that becomes a [`Source`], and [`Options`] with methods of the same names |
//! | point at a mistake of my own | [`Diagnostic::error`] with the [`place`](Expression::place) of what is wrong; `examples/lint_rule.rs` |
//! | get the value of an attribute | [`Body::attributes`], [`Attribute::evaluate`], `TryFrom<&Value>`; the table at [`Value`] |
//! | give variables to a file | [`Scope::with`] |
//! | give it functions, ready ones or my own | [`functions::standard`], [`Scope::with_function`], [`eval::Function`]; `examples/own_functions.rs` |
//! | say which attributes and blocks there may be | [`body::Schema`], [`Body::content`] |
//! | read a file into types that derive `Deserialize` | `from_str`, `from_file`, `from_body` (feature `serde`) |
//! | get values by a spec, as `hcldec` does | [`decode::Spec::decode`] |
//! | read the JSON syntax | [`parse_json_body`]; a [`Body`] does not show in which syntax it was written |
//! | generate blocks from collections | [`dynamic::expand`] |
//! | find out which variables are needed | [`Expression::variables`] |
//! | put in what is known, and keep the rest as text | [`Expression::simplify`] |
//! | look at how a file is written: comments, tokens, places | [`syntax`] |
//! | change a file and keep the rest of it | [`edit::Editor`]; by spans, [`source::Replacement`] and `examples/change_value.rs` |
//! | write a new file | [`build::NewBody`] |
//! | find something by its path, or by a condition | [`address::Address`], [`query::Query`] |
//! | evaluate files whose parts refer to each other | [`definitions::Definitions`] |
//! | evaluate what strangers have written | [`Limits`], [`Scope::with_limits`] |
//! | format a file | [`format()`](format::format) |
//! | convert between native syntax and JSON | [`convert`] |
//!
//! Data flows one way, and a module imports only from those above it:
//!
//! | module | what it is | what it does not know |
//! | --- | --- | --- |
//! | [`source`] | text, spans, lines and columns | syntax |
//! | [`limits`] | how much work an evaluation may do, and what counts it | values |
//! | [`diagnostic`] | what is wrong, where, and what to do; rendered for people and machines | syntax |
//! | [`model`] | values, types, numbers, conversion, unification; a library of its own | syntax, places |
//! | [`syntax`] | from text to tokens to the tree; handles, comments, visitors | values |
//! | [`format`](mod@format) | canonical formatting, and styles beyond it | trees |
//! | [`build`](mod@build) | new text: files, blocks, expressions, templates | places |
//! | [`edit`](mod@edit) | changes in files that leave all else as it is | evaluation |
//! | [`eval`] | expressions, templates and bodies to values, in scopes; static analysis | JSON syntax |
//! | [`json`] | the JSON syntax: from text to a tree that keeps order, duplicates and places | schemas |
//! | [`body`] | bodies and expressions of either syntax, by schema | decoding |
//! | [`dynamic`] | bodies with blocks that are generated from collections | decoding |
//! | [`type_expr`] | types that are written as expressions, with defaults | |
//! | [`functions`] | functions for scopes | places |
//! | [`mod@user_functions`] | functions that a configuration defines | |
//! | [`decode`] | from bodies to values by specs; the language for spec files | programs |
//! | [`convert`] | from native syntax to JSON and back | values |
//! | `serde` | from bodies to Rust types and back, behind the feature of that name | programs |
//! | [`address`] | what a path such as `resource.aws_instance.web.ami` leads to in a file | values |
//! | [`query`] | what addresses lead to, by conditions | programs |
//! | [`definitions`] | names that the files define: values, in the order of what they need, and references | programs |
//!
//! [`Body`], [`Block`], [`Attribute`] and [`Expression`] are what a program works with that reads files:
//! they are the same for native syntax and JSON, own what they need, and can be stored. The nodes of
//! [`syntax::ast`], such as [`BodyNode`](syntax::ast::BodyNode), show how a file in native syntax is
//! written; they borrow from its tree.
//!
//! A parse always gives a tree *and* diagnostics (an [`Outcome`]); it never panics, whatever the
//! input, and takes time and memory in proportion to its length. The tree is immutable, `Send` and
//! `Sync`, and knows the place of everything in the source.
//!
//! Features: `serde` for Rust types from and to files, `serde_json` for values to and from `serde_json`, `msgpack` for values in MessagePack,
//! `conformance` for the protocol and the suite by which implementations are compared, and `cli` for the programs
//! of this package, which live in the module `cli`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod address;
#[cfg(any(feature = "cli", feature = "serde"))]
mod atomic;
pub mod body;
pub mod build;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod convert;
pub mod decode;
pub mod definitions;
pub mod diagnostic;
pub mod dynamic;
pub mod edit;
pub mod eval;
pub mod format;
pub mod functions;
mod identifier;
pub mod json;
pub mod limits;
pub mod model;
pub mod query;
mod reading;
#[cfg(feature = "serde")]
pub mod serde;
pub mod source;
mod stack;
pub mod syntax;
pub mod type_expr;
pub mod user_functions;
#[cfg(feature = "count-reductions")]
#[doc(hidden)]
pub mod work;
#[cfg(not(feature = "count-reductions"))]
mod work;
#[allow(dead_code, unused_imports, reason = "each layer that is left out leaves parts of it unused")]
mod writer;

pub use body::{
    Attribute, Block, Body, Expression, parse_body, parse_body_file, parse_expression, parse_expression_file,
    parse_json_body, parse_template, parse_template_file,
};
pub use diagnostic::{Diagnostic, Diagnostics, Outcome};
pub use eval::Scope;
/// Says which fields of a structure, or of the variants of an enum, are blocks and labels. It stands above the
/// derives, for it puts attributes of serde in the place of its own.
///
/// | on a field | the field is | the same without this macro |
/// | --- | --- | --- |
/// | `#[hcl(block)]` | a block; several if it is a `Vec`; by label if its type is called `…Map` | `#[serde(with = "hcl_lr::serde::block")]`, `blocks_by_label` for maps, and `#[serde(default)]` for what may be left out |
/// | `#[hcl(label)]` | the only label of the block that the structure is | `#[serde(rename = "$label")]` |
/// | `#[hcl(labels)]` | all labels of that block: a `Vec`, an array, a tuple of strings | `#[serde(rename = "$labels")]` |
/// | `#[hcl(blocks)]` | all blocks that no other field is for: a `Vec` of an enum, whose variants are types of blocks | `#[serde(rename = "$blocks")]` |
///
/// Where the package has another name, `#[hcl(crate = "its_name")]` above the structure says so.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::hcl;
/// use serde::{Deserialize, Serialize};
///
/// #[hcl]
/// #[derive(Debug, PartialEq, Deserialize, Serialize)]
/// struct Config {
///     region: String,
///     #[hcl(block)]
///     service: Vec<Service>,
///     #[hcl(block)]
///     user: BTreeMap<String, User>,
/// }
///
/// #[hcl]
/// #[derive(Debug, PartialEq, Deserialize, Serialize)]
/// struct Service {
///     #[hcl(label)]
///     name: String,
///     port: u16,
/// }
///
/// #[derive(Debug, PartialEq, Deserialize, Serialize)]
/// struct User {
///     admin: bool,
/// }
///
/// let text = "\
/// region = \"eu\"
///
/// service \"web\" {
///   port = 80
/// }
///
/// user \"Ada\" {
///   admin = true
/// }
/// ";
/// let config = Config {
///     region: "eu".to_owned(),
///     service: vec![Service { name: "web".to_owned(), port: 80 }],
///     user: BTreeMap::from([("Ada".to_owned(), User { admin: true })]),
/// };
/// assert_eq!(hcl_lr::to_string(&config)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "derive")]
pub use hcl_lr_derive::hcl;
pub use json::{parse_json, parse_json_file};
pub use limits::Limits;
pub use model::Value;
pub use reading::{DEFAULT_MAX_NESTING, Dialect, Liberty, Options, read_source};
#[cfg(feature = "serde")]
pub use serde::{from_body, from_file, from_str, from_value, to_body, to_file, to_string, to_value};
pub use source::Source;
pub use syntax::{File, Traversal, parse, parse_file, parse_partial_traversal, parse_traversal};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So are those of the guide for definitions.
#[cfg(doctest)]
#[doc = include_str!("../docs/definitions.md")]
pub struct DefinitionsGuide;

/// So are those of the guide for edits.
#[cfg(doctest)]
#[doc = include_str!("../docs/edit.md")]
pub struct EditGuide;

/// And those of the guide for serde.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../docs/serde.md")]
pub struct SerdeGuide;
