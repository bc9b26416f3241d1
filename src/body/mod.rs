//! Bodies and expressions as an application sees them, whatever syntax they are written in
//! (information model, "Bodies").
//!
//! The content of a [`Body`] is read by a schema of the expected items, a [`BodySchema`], because JSON does not
//! distinguish attributes from blocks. A program that uses this module works with native syntax and JSON alike.
//!
//! [`Body`], [`Block`], [`Attribute`] and [`Expression`] own their data: they can be stored, cloned and sent to other
//! threads. The nodes of [`syntax::ast`](crate::syntax::ast), such as
//! [`ExpressionNode`](crate::syntax::ast::ExpressionNode), borrow from the tree of one file in native syntax and show
//! how it is written. Convert a [`File`](crate::File) to a [`Body`] with `from`.
//!
//! ```
//! use hcl_lr::{Body, Scope, parse};
//! use hcl_lr::body::BodySchema;
//! use hcl_lr::model::Value;
//!
//! let native = parse::<Body>("service \"web\" {\n  port = base + 80\n}\n").into_result()?;
//! let json = parse::<Body>(("web.hcl.json", r#"{"service": {"web": {"port": "${base + 80}"}}}"#)).into_result()?;
//!
//! let scope = Scope::new().with("base", 8000);
//! for body in [native, json] {
//!     let content = body.content(&BodySchema::new().block("service", &["name"])).into_result()?;
//!     let service = &content.blocks()[0];
//!     assert_eq!(service.label(0), Some("web"));
//!     let inner = service.body().content(&BodySchema::new().required("port")).into_result()?;
//!     let port = inner.attribute("port").expect("it is required").expression();
//!     assert_eq!(port.evaluate(&scope)?, Value::from(8080));
//! }
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod built;
mod config_file;
mod content;
mod expression;
mod json;
pub(crate) mod json_expression;
#[cfg(feature = "write")]
mod json_simplified;
mod matching;
mod merged;
pub(crate) mod name_suggestions;
mod native;
mod parse;
mod schema;
#[cfg(feature = "write")]
mod simplified;
mod static_call;
mod template;
pub(crate) mod unexpected;
pub(crate) mod written;

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::Outcome;
use crate::model::MarkSet;
use crate::source::Place;

use merged::MergedBody;

pub use built::BodyBuilder;
pub use config_file::ConfigFile;
pub use content::{Attribute, Attributes, Block, BlockLabel, Content};
pub use expression::Expression;
pub(crate) use expression::ExpressionForm;
pub(crate) use json::properties_of;
pub(crate) use json_expression::expression_of_json;
pub(crate) use name_suggestions::NameSuggestions;
pub use schema::{AttributeSchema, BlockSchema, BodySchema};
#[cfg(feature = "write")]
pub use simplified::Simplified;
pub use static_call::StaticCall;
pub use template::Template;
pub(crate) use written::{Written, WrittenItem};

/// A body: attributes and blocks, in either syntax. Cheap to clone.
///
/// Its content depends on a [`BodySchema`]. Processing a body partially, and the rest with another schema, has the same
/// result as processing it once with both schemas.
#[derive(Clone)]
pub struct Body(Kind);

#[derive(Clone)]
enum Kind {
    One(Arc<dyn BodySource>),
    /// Merged bodies; none of them is itself merged.
    Merged(Arc<MergedBody>),
}

/// The source of a body: one of the two syntaxes, several bodies as one, or an application's own, such as a body that
/// computes its blocks from those of another one.
pub trait BodySource: Send + Sync {
    /// Returns the part of the body that a schema expects. Anything else is an error.
    fn content(&self, schema: &BodySchema) -> Outcome<Content>;

    /// Returns the part of the body that a schema expects, and the rest as a body.
    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)>;

    /// Returns the part of the body that a schema expects, and ignores the rest.
    #[doc(hidden)]
    fn expected_content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.partial_content(schema).map(|(content, _)| content)
    }

    /// Returns the whole body as attributes. Blocks are errors.
    fn attributes(&self) -> Outcome<Attributes>;

    /// Returns the place for reports about items missing in the body.
    fn missing_item_place(&self) -> Place;

    /// Returns true if the body represents an unknown number of bodies.
    fn is_unknown(&self) -> bool {
        false
    }

    /// Returns the marks of the value that the body was generated from. Values from the body get them too.
    fn marks(&self) -> MarkSet {
        MarkSet::default()
    }

    /// Returns the written form of the body, for readers without a schema. `Written::BySchema` if it has none.
    #[doc(hidden)]
    fn written(&self) -> Written<'_> {
        Written::BySchema
    }

    /// Returns all attributes and blocks without a schema, with those that the body generates. `None` if only a schema
    /// can tell.
    #[doc(hidden)]
    fn any_content(&self) -> Option<Outcome<Content>> {
        None
    }

    /// Returns the body with or without the blocks that its dynamic blocks generate. `None` if it generates none.
    #[doc(hidden)]
    fn with_expansion(&self, _expands: bool) -> Option<Body> {
        None
    }
}

impl Body {
    /// A body that an application implements itself.
    pub fn new(source: impl BodySource + 'static) -> Self {
        Body(Kind::One(Arc::new(source)))
    }

    fn source(&self) -> &dyn BodySource {
        match &self.0 {
            Kind::One(source) => &**source,
            Kind::Merged(bodies) => &**bodies,
        }
    }

    /// A body with nothing in it.
    pub fn empty() -> Self {
        BodyBuilder::new().build()
    }

    /// Returns the part of the body that a schema expects. Unexpected and missing items are errors; the content then
    /// has everything that could be read (information model, "content").
    ///
    /// ```
    /// use hcl_lr::body::BodySchema;
    /// use hcl_lr::{Body, parse};
    ///
    /// let body = parse::<Body>("name = 1\nprot = 2\n").into_result()?;
    /// let outcome = body.content(&BodySchema::new().required("name").optional("port"));
    /// assert!(outcome.value().attribute("name").is_some());
    /// let error = outcome.diagnostics().iter().next().unwrap();
    /// assert_eq!(error.help(), Some("did you mean \"port\"?"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.source().content(schema)
    }

    /// Returns the part of the body that a schema expects, and the rest as a body, which can be processed with another
    /// schema (information model, "partial content").
    ///
    /// ```
    /// use hcl_lr::body::BodySchema;
    /// use hcl_lr::{Body, parse};
    ///
    /// let body = parse::<Body>("kind = \"disk\"\nsize = 2\n").into_result()?;
    /// let (content, rest) = body.partial_content(&BodySchema::new().required("kind")).into_result()?;
    /// assert!(content.attribute("kind").is_some());
    /// assert!(rest.content(&BodySchema::new().required("size")).into_result()?.attribute("size").is_some());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        self.source().partial_content(schema)
    }

    /// Returns the part of the body that a schema expects. Not computing the rest makes this cheaper.
    #[doc(hidden)]
    pub fn expected_content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.source().expected_content(schema)
    }

    /// Returns the whole body as attributes of any names; blocks are errors (information model, "dynamic attributes").
    ///
    /// ```
    /// use hcl_lr::{Body, parse};
    ///
    /// let body = parse::<Body>(("tags.json", r#"{"team": "a", "cost": "b"}"#)).into_result()?;
    /// let attributes = body.attributes().into_result()?;
    /// assert_eq!(attributes.iter().map(|tag| tag.name()).collect::<Vec<_>>(), ["team", "cost"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn attributes(&self) -> Outcome<Attributes> {
        self.source().attributes()
    }

    /// Returns the place for reports about items missing in the body.
    pub fn missing_item_place(&self) -> Place {
        self.source().missing_item_place()
    }

    /// Returns the written form of the body, for readers that work without a schema.
    #[doc(hidden)]
    pub fn written(&self) -> Written<'_> {
        match &self.0 {
            Kind::One(source) => source.written(),
            Kind::Merged(bodies) => Written::Several(bodies.bodies()),
        }
    }

    /// Returns all attributes and blocks without a schema, with those that dynamic blocks generate. In JSON, objects are
    /// blocks only if a dynamic block generates blocks of their name. `None` if only a schema can tell.
    #[doc(hidden)]
    pub fn any_content(&self) -> Option<Outcome<Content>> {
        self.source().any_content().or_else(|| self.content_as_written().map(Outcome::from))
    }

    /// Returns the body with or without the blocks that its dynamic blocks generate. `None` if it is not
    /// [expanded](crate::dynamic::expand).
    #[doc(hidden)]
    pub fn with_expansion(&self, expands: bool) -> Option<Body> {
        self.source().with_expansion(expands)
    }

    /// Returns true if the body represents an unknown number of bodies, like a dynamic block whose collection is
    /// unknown.
    pub fn is_unknown(&self) -> bool {
        self.source().is_unknown()
    }

    /// Returns the marks of the value that the body was generated from, such as the collection of a dynamic block.
    /// Values from the body get them too.
    pub fn marks(&self) -> MarkSet {
        self.source().marks()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body at {:?}", self.missing_item_place())
    }
}
