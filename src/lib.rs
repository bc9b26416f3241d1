//! HCL 2, the configuration language of Terraform, Packer, Nomad and others: parses, evaluates, edits, formats and
//! converts files in native syntax and in JSON, and reports every error of a file.
//!
//! ```
//! # #[cfg(feature = "eval")]
//! # fn main() -> Result<(), hcl_lr::Diagnostics> {
//! use hcl_lr::{File, Scope, parse};
//!
//! let file = parse::<File>("url = \"http://${host}:${8000 + 80}/\"\n").into_result()?;
//! let url = file.body().attribute("url").expect("an attribute").expression();
//! let value = url.evaluate(&Scope::new().with("host", "example.org"))?;
//! assert_eq!(value.as_str(), Some("http://example.org:8080/"));
//!
//! let errors = parse::<File>("ports = [80 443]\n").into_result().unwrap_err();
//! assert!(errors.render().starts_with("error[missing-comma]: elements or arguments are not separated"));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "eval"))]
//! # fn main() {}
//! ```
//!
//! # Reading text
//!
//! Two functions read text. Their return type determines how the text is read:
//!
//! | input | function | with [`ParseOptions`] |
//! | --- | --- | --- |
//! | a text or bytes, alone or as `(name, text)`: anything that becomes a [`Source`] | [`parse`] | [`ParseOptions::parse`] |
//! | the path of a file | [`parse_file`] | [`ParseOptions::parse_file`] |
//!
//! | result | in native syntax | in JSON | in the syntax of its [name](Syntax::of_name) |
//! | --- | --- | --- | --- |
//! | the meaning: attributes and blocks | | | [`Body`] |
//! | a syntax tree | [`File`] | [`json::Document`] | [`ConfigFile`] |
//! | an expression; its tree | [`Expression`]; [`syntax::ExpressionFile`] | `Expression::from` a [`json::Node`] | |
//! | a template; its tree | [`Template`]; [`syntax::TemplateFile`] | | |
//! | a path such as `a.b[0]`; one that may contain `[*]` | [`Traversal`]; [`syntax::PartialTraversal`] | | |
//! | a spec, as in `hcldec` | | | [`decode::spec_file::SpecFile`] |
//!
//! Select the type by `parse::<File>(text)` or `let file: File = …`. [`ParseOptions::with_syntax`] overrides the name,
//! and [`Parse`] adds types of an application. The result is always an [`Outcome`]: a value and diagnostics. A file can
//! have warnings, so test [`Outcome::has_errors`], or use [`Outcome::into_result`].
//!
//! Types that are not files have their own functions, which return a value or an error:
//!
//! | result | from text | errors |
//! | --- | --- | --- |
//! | an expression for new text | [`construct::NewExpression::parse`] | [`construct::BuildError`] |
//! | a value; a type | `FromStr` of [`Value`]; of [`model::Type`] | [`Diagnostics`] |
//!
//! # How do I …
//!
//! | read | by |
//! | --- | --- |
//! | load a file and show all errors | [`parse_file`], [`Outcome`], [`Diagnostics::render`] |
//! | read a file into types that derive `Deserialize` | `from_str`, `from_file`, `from_body` (feature `serde`) |
//! | see all attributes and blocks, without a schema | [`Body::content_as_written`] |
//! | declare the attributes and blocks of a body | [`body::BodySchema`], [`Body::content`] |
//! | get values by a spec, as `hcldec` does | [`decode::Spec::decode`] |
//! | look at how a file is written: comments, tokens, places | [`syntax`]; [`syntax::ast::Visitor`] |
//!
//! | evaluate | by |
//! | --- | --- |
//! | get the value of an attribute | [`Attribute::evaluate`], `TryFrom<&Value>`; the table at [`Value`] |
//! | define variables | [`Scope::with`] |
//! | offer functions, ready-made or my own | [`functions::standard`], [`Scope::with_function`], [`eval::Function`]; `examples/own_functions.rs` |
//! | find out which variables are needed | [`Expression::variables`] |
//! | fill in known values, and keep the rest as text | [`Expression::simplify`] |
//! | generate blocks from collections | [`dynamic::expand`] |
//! | evaluate untrusted input | [`Limits`], [`Scope::with_limits`] |
//!
//! | check | by |
//! | --- | --- |
//! | report my own errors | [`Diagnostic::error`] with the [`place`](Expression::place) of the mistake; `examples/lint_rule.rs` |
//!
//! | write | by |
//! | --- | --- |
//! | change a file and keep the rest of it, by spans | [`source::Replacement`]; `examples/change_value.rs` |
//! | write a new file | [`construct::NewBody`] |
//! | format a file | [`format()`](format::format), [`format::Style`] |
//! | convert between native syntax and JSON | [`convert`] |
//!
//! The guides in `docs` explain the ideas behind this table: marked and unknown values, bodies and schemas, partial
//! evaluation, places and diagnostics, limits; `docs/first-programs.md` has three complete programs.
//!
//! Options are values with private fields: `new` has the defaults, methods `max_…` set limits, methods `with_…` the
//! rest ([`ParseOptions`], [`Limits`], [`format::Style`], [`convert::ConversionOptions`]).
//!
//! # Features
//!
//! Reading text needs no feature. Each feature enables those that it needs. Seconds are CPU time
//! for a clean debug build and a clean release build together, of all packages, from the published package; hcl-rs
//! takes 49 (`crates/benches/build_cost.sh`).
//!
//! | feature | contents | enables | packages | seconds |
//! | --- | --- | --- | ---: | ---: |
//! | none | syntax trees with comments and tokens, of native syntax and JSON; all errors, rendered | | 9 | 27 |
//! | `eval` | values; evaluation of expressions and bodies of either syntax, schemas, static analysis. On by default | | 17 | 73 |
//! | `write` | formatting, new text; with `eval`, also partial evaluation ([`Expression::simplify`]), and conversion between native syntax and JSON. On by default | | | |
//! | `standard-functions` | [`functions`] that need no other packages, those that a configuration defines, types that are written as expressions | `eval` | | |
//! | `functions` | all functions, including those with hashes, compression, regular expressions and other encodings |
//! `standard-functions` | | |
//! | `decode` | values by specs, like `hcldec`; dynamic blocks | `standard-functions` | | |
//! | `serde` | reading and writing Rust types | `eval` | 24 | 96 |
//! | `derive` | the attribute `hcl`, which declares blocks and labels of Rust types | `serde` | | |
//! | `miette` | diagnostics for programs that report errors with miette | `serde` | | |
//! | `interchange` | conversion of values to and from `serde_json` and MessagePack | `eval` | | |
//! | `js-normalize` | only for WebAssembly that JavaScript runs: strings are normalized by its function `normalize`, which makes the program 24 kB smaller after compression; characters newer than the Unicode of the JavaScript engine stay as they are | | | |
//! | `grammar` | compiles the grammars with LALRPOP during the build, instead of using the generated parsers of the package. Needed and on by default in a checkout, which has no generated parsers | | | |
//! | `explain-conflicts` | for changed grammars: a conflict is explained by the shortest sentence with two readings, before LALRPOP reports it | `grammar` | | |
//!
//! Until the package is published, the dependency names the path of a checkout:
//!
//! | to | write |
//! | --- | --- |
//! | parse only | `hcl-lr = { path = "../hcl-lr", default-features = false, features = ["grammar"] }` |
//! | load and evaluate configuration | `hcl-lr = { path = "../hcl-lr" }`, mostly with `features = ["standard-functions"]` or `["serde"]` |
//! | do everything | `hcl-lr = { path = "../hcl-lr", features = ["functions", "decode", "serde", "derive"] }` |
//!
//! # Modules
//!
//! Read files:
//!
//! | module | feature | contents |
//! | --- | --- | --- |
//! | [`source`] | | text, spans, lines and columns |
//! | [`diagnostic`] | | errors and warnings with places and fixes; rendered for people and machines |
//! | [`syntax`] | | tokens and syntax trees of native syntax; comments, visitors |
//! | [`json`] | | trees of the JSON syntax, with order, duplicates and places |
//! | [`body`] | `eval` | attributes and blocks of either syntax, with or without a schema |
//! | [`typed`] | `serde` | Rust types from bodies, and bodies from Rust types |
//!
//! Evaluate:
//!
//! | module | feature | contents |
//! | --- | --- | --- |
//! | [`model`] | `eval` | values, types, numbers, conversion, unification |
//! | [`eval`] | `eval` | values of expressions and templates, in scopes; static analysis; own functions |
//! | [`functions`] | `standard-functions` | functions for scopes |
//! | [`mod@user_functions`] | `standard-functions` | functions that a configuration defines |
//! | [`type_expr`] | `standard-functions` | types that are written as expressions, with defaults; also with `serde` |
//! | [`dynamic`] | `decode` | blocks that are generated from collections |
//! | [`decode`] | `decode` | values of bodies by specs; the language of spec files |
//! | [`limits`] | `eval` | limits for the work of an evaluation |
//! | [`stack`] | | room on the stack for deeply nested input |
//!
//! Write files:
//!
//! | module | feature | contents |
//! | --- | --- | --- |
//! | [`construct`] | `write` | new files, blocks, expressions, templates; also with `serde` |
//! | [`writer`] | | keys and strings as text |
//! | [`format`](mod@format) | `write` | canonical formatting, and further styles; also with `serde` |
//! | [`convert`] | `write` | conversion between native syntax and JSON |
//!
//! # Other packages
//!
//! | package | contents |
//! | --- | --- |
//! | `hcl-lr-edit` | edits that keep the rest of a file; addresses such as `resource.aws_instance.web.ami`, searches by address and condition, differences by structure, merges |
//! | `hcl-lr-language` | languages: names that files define, their values in the order of dependencies, references; schemas and checks; schemas of Terraform, Packer, Nomad and others |
//! | `hcl-lr-schema-tools` | schemas from examples and JSON Schema; documentation, JSON Schema and types of programming languages from schemas |
//! | `hcl-lr-adapters` | files as sources for the packages config and figment |
//! | `hcl-lr-analysis`, `hcl-lr-lsp` | answers about files for editors, such as completion and renaming; the language server |
//! | `hcl-lr-cli` | the programs `hcl` and `hcldec` |
//! | `hcl-lr-conformance`, `hcl-lr-grammar-kit` | the conformance protocol and suite; tools for the grammars |
//!
//! Programs that load configuration work with [`Body`], [`Block`], [`Attribute`] and [`Expression`]. They are the same
//! for native syntax and JSON, own their data, and can be stored. The nodes of [`syntax::ast`], such as
//! [`BodyNode`](syntax::ast::BodyNode), show how a native file is written, and borrow from its tree.
//!
//! A parse always returns a tree *and* diagnostics (an [`Outcome`]). It never panics, and takes time and memory in
//! proportion to the input. Trees are immutable, `Send` and `Sync`, and know the place of everything in the source.
#![warn(missing_debug_implementations)]
#![forbid(unsafe_code)]
// A layer contains items for the layers above it, so unused items are mistakes only with all features.
#![cfg_attr(
    not(all(feature = "functions", feature = "decode", feature = "write", feature = "serde")),
    allow(dead_code, unused_imports, unused_macros, rustdoc::broken_intra_doc_links)
)]
#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The modules, from the lowest layer to the highest: a module uses only those before it. The first ones are not in any
// layer. A module with a feature exists only with that feature; see the table above. `tests/layers.rs` reads this list.

mod identifier;

mod similar;

pub mod stack;

mod work;

mod decimal;

mod nfc;

pub mod writer;

mod sorting;

pub mod source;

pub mod diagnostic;

mod reading;

pub mod syntax;

#[cfg(feature = "eval")]
pub mod limits;

#[cfg(feature = "eval")]
pub mod model;

pub mod json;

// The feature `serde` writes new text.
#[cfg(any(feature = "write", feature = "serde"))]
pub mod format;

#[cfg(any(feature = "write", feature = "serde"))]
pub mod construct;

#[cfg(feature = "eval")]
pub mod eval;

#[cfg(feature = "eval")]
pub mod body;

#[cfg(any(feature = "standard-functions", feature = "serde"))]
pub mod type_expr;

#[cfg(feature = "standard-functions")]
pub mod user_functions;

#[cfg(feature = "standard-functions")]
pub mod functions;

#[cfg(feature = "decode")]
pub mod dynamic;

#[cfg(feature = "decode")]
pub mod decode;

// The feature `serde` needs a part of it, which writes expressions of JSON files in native syntax.
#[cfg(any(all(feature = "write", feature = "eval"), feature = "serde"))]
pub mod convert;

#[cfg(feature = "serde")]
pub mod typed;

#[doc(hidden)]
pub mod internal;

#[cfg(feature = "eval")]
pub use body::{Attribute, Block, Body, ConfigFile, Expression, Template};
pub use diagnostic::{Diagnostic, Diagnostics, Outcome};
#[cfg(feature = "eval")]
pub use eval::Scope;
/// Marks the fields of a structure, or of the variants of an enum, that are blocks and labels. Write it above the
/// derives, because it replaces its own attributes by those of serde.
///
/// | on a field | the field is | the same without this macro |
/// | --- | --- | --- |
/// | `#[hcl(block)]` | a block; several blocks for a `Vec`; blocks by label if the name of its type ends with `Map` | `#[serde(with = "hcl_lr::typed::block")]`, `blocks_by_label` for maps, and `#[serde(default)]` for optional blocks |
/// | `#[hcl(label)]` | the only label of the block that the structure is read from | `#[serde(rename = "$label")]` |
/// | `#[hcl(labels)]` | all labels of that block: a `Vec`, an array, a tuple of strings | `#[serde(rename = "$labels")]` |
/// | `#[hcl(blocks)]` | all blocks that no other field takes: a `Vec` of an enum, whose variants are types of blocks | `#[serde(rename = "$blocks")]` |
///
/// If the package is renamed, write `#[hcl(crate = "its_name")]` above the structure.
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
#[cfg(feature = "eval")]
pub use limits::Limits;
#[cfg(feature = "eval")]
pub use model::Value;
pub use reading::{DEFAULT_MAX_NESTING, Dialect, Liberty, Parse, ParseOptions, Syntax, parse, parse_file};
pub use source::Source;
pub use syntax::{File, Traversal};
#[cfg(feature = "serde")]
pub use typed::{from_body, from_file, from_str, from_value, to_body, to_file, to_string, to_value};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Tests the guide to the library.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryGuide;

/// Tests the pages about values, bodies, partial evaluation, diagnostics and limits.
#[cfg(doctest)]
#[doc = include_str!("../docs/values.md")]
#[doc = include_str!("../docs/bodies.md")]
#[doc = include_str!("../docs/partial-evaluation.md")]
#[doc = include_str!("../docs/diagnostics.md")]
#[doc = include_str!("../docs/limits.md")]
pub struct Ideas;

/// Tests the three first programs.
#[cfg(doctest)]
#[doc = include_str!("../docs/first-programs.md")]
pub struct FirstPrograms;

/// Tests the guide for programs that used hcl-edit.
#[cfg(doctest)]
#[doc = include_str!("../docs/moving-from-hcl-edit.md")]
pub struct MovingFromHclEdit;

/// Tests the guide to addresses.
#[cfg(doctest)]
#[doc = include_str!("../docs/address.md")]
pub struct AddressGuide;

/// Tests the guide to formatting.
#[cfg(doctest)]
#[doc = include_str!("../docs/format.md")]
pub struct FormatGuide;

/// Tests the guide to definitions.
#[cfg(doctest)]
#[doc = include_str!("../docs/definitions.md")]
pub struct DefinitionsGuide;

/// Tests the guide to edits.
#[cfg(doctest)]
#[doc = include_str!("../docs/edit.md")]
pub struct EditGuide;

/// Tests the guide for describing a language.
#[cfg(doctest)]
#[doc = include_str!("../docs/your-own-language.md")]
pub struct OwnLanguageGuide;

/// Tests the guide to serde.
#[cfg(doctest)]
#[doc = include_str!("../docs/serde.md")]
pub struct SerdeGuide;

/// Tests the guide for programs that used hcl-rs.
#[cfg(doctest)]
#[doc = include_str!("../docs/moving-from-hcl-rs.md")]
pub struct MovingFromHclRs;
