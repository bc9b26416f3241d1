//! Decoding by specs: a [`Spec`] describes the allowed content of a body and the value to build from it, so that one
//! call checks a whole file and turns it into a [`Value`].
//!
//! | spec | value |
//! | --- | --- |
//! | [`Spec::object`], [`Spec::tuple`] | the values of the inner specs |
//! | [`Spec::attr`] | the value of an attribute, converted to a type |
//! | [`Spec::block`] | the value of the inner spec for the body of one block |
//! | [`Spec::block_list`], [`block_set`](Spec::block_set), [`block_tuple`](Spec::block_tuple) | the same for each block of a type |
//! | [`Spec::block_map`], [`Spec::block_object`] | the same, by the labels of the blocks |
//! | [`Spec::block_attrs`] | a map of all attributes of a block |
//! | [`Spec::block_label`] | a label of the block that the body belongs to |
//! | [`Spec::literal`], [`Spec::expr`] | a value that does not depend on the body |
//! | [`Spec::or`] | the value of another spec in place of a null |
//! | [`Spec::transform`], [`Spec::transform_expr`] | the result of a function or expression for a value |
//! | [`Spec::validate`], [`Spec::refine`] | the value, checked, or refined |
//!
//! The body may be written in native syntax or in JSON. Specs can also be read from a file, in a
//! language of their own: see [`spec_file`].
//!
//! ```
//! use hcl_lr::{Body, Scope, parse};
//! use hcl_lr::decode::Spec;
//! use hcl_lr::model::Type;
//!
//! let spec = Spec::object([
//!     ("name", Spec::required_attr("name", Type::String)),
//!     ("port", Spec::attr("port", Type::Number).or(Spec::literal(8080))),
//!     ("routes", Spec::block_map("route", &["path"], Spec::required_attr("to", Type::String))),
//! ]);
//! let body = parse::<Body>("name = \"web\"\nroute \"/\" {\n  to = upper_host\n}\n").into_result()?;
//! let value = spec.decode(&body, &Scope::new().with("upper_host", "EXAMPLE.ORG")).into_result()?;
//! assert_eq!(value.to_string(), r#"{ name = "web", port = 8080, routes = { "/" = "EXAMPLE.ORG" } }"#);
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod attr;
mod block;
mod block_attrs;
mod collection;
mod decoding;
mod dynamic_blocks;
mod fallback;
mod label;
mod labelled;
mod literal;
mod open;
mod same_type;
mod source_text;
pub mod spec_file;
mod structure;
mod transform;
mod validate;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::body::{Block, BlockSchema, Body, BodySchema, Content};
use crate::diagnostic::Outcome;
use crate::eval::Scope;
use crate::model::{Type, Value};
use crate::source::{Place, Source};
use crate::stack;
use crate::syntax::Traversal;

use decoding::{BodyView, Decoding, Expected, look_within, parts};
pub use validate::ValidationProblem;

/// A spec: the schema of a body, and the value decoded from it. Immutable, and cheap to clone.
///
/// A spec describes the values of one body; specs for blocks contain a spec for the bodies of the blocks. See the
/// [module](self) for all kinds.
#[derive(Clone)]
pub struct Spec(Arc<Node>);

struct Node {
    kind: Box<dyn Kind>,
    expected: OnceLock<Expected>,
    ty: OnceLock<Type>,
}

/// The common interface of all kinds of specs.
trait Kind: fmt::Debug + Send + Sync {
    /// Returns the inner specs for the same body.
    fn specs(&self) -> &[Spec] {
        &[]
    }

    /// Returns the blocks that the spec decodes, if it does, and the spec for their bodies.
    fn nested(&self) -> Option<Nested<'_>> {
        None
    }

    /// The type of the values.
    fn implied_type(&self) -> Type;

    /// Adds the items that are expected in the body.
    fn expect(&self, expected: &mut Expected) {
        self.specs().iter().for_each(|spec| spec.expect(expected));
        if let Some(nested) = self.nested() {
            match nested.schema {
                Some(schema) => expected.blocks_of(schema),
                None => expected.blocks(nested.block_type, nested.labels, Some(nested.spec)),
            }
        }
    }

    /// The value of a body.
    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value;

    /// Returns the place of the value in a body.
    fn place(&self, view: &BodyView<'_>) -> Place {
        let of_nested = || Some(self.nested()?.place_in(view.blocks(self.nested()?.block_type).first()?));
        let of_spec = |spec: &Spec| spec.place(view);
        self.specs().first().map(of_spec).or_else(of_nested).unwrap_or_else(|| view.missing())
    }

    /// Adds the variables that the value needs.
    fn variables(&self, view: &BodyView<'_>, paths: &mut Vec<Traversal>) {
        self.specs().iter().for_each(|spec| spec.find_variables(view, paths));
        if let Some(nested) = self.nested() {
            let count = if nested.is_single { 1 } else { usize::MAX };
            for block in view.blocks(nested.block_type).into_iter().take(count) {
                let labels = block.labels().get(nested.labels.len()..).unwrap_or_default();
                dynamic_blocks::variables_of(nested.spec, block.body(), Some(labels), paths);
            }
        }
    }

    /// Adds the types of blocks that are expected, with the specs for their bodies.
    fn block_types(&self, types: &mut Vec<(String, Spec)>) {
        self.specs().iter().for_each(|spec| spec.find_block_types(types));
        types.extend(self.nested().map(|nested| (nested.block_type.to_owned(), nested.spec.clone())));
    }
}

/// The blocks that a spec is for.
struct Nested<'s> {
    block_type: &'s str,
    /// The labels that are not for the spec of the body.
    labels: &'s [String],
    /// The spec for each of their bodies.
    spec: &'s Spec,
    /// True if only the first block counts.
    is_single: bool,
    /// The schema of the blocks, if it says more than their labels.
    schema: Option<&'s BlockSchema>,
}

impl Nested<'_> {
    /// Returns the place of the value of the spec in a block; if it is not in a file, that of the block.
    fn place_in(&self, block: &Block) -> Place {
        let place = look_within(block, self.labels.len(), self.spec, |view| self.spec.place(view));
        if place == Place::nowhere() { block.header_place() } else { place }
    }
}

impl Spec {
    fn new(kind: impl Kind + 'static) -> Self {
        Spec(Arc::new(Node { kind: Box::new(kind), expected: OnceLock::new(), ty: OnceLock::new() }))
    }

    /// Decodes a body. Items that the spec does not expect are errors.
    ///
    /// If there are errors, the value is partial: the parts that failed are unknown.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let spec = Spec::object([("a", Spec::attr("a", Type::Number)), ("b", Spec::attr("b", Type::Number))]);
    /// let body = parse::<Body>("a = 1\nb = \"x\"\nc = 3\n").into_result()?;
    /// let outcome = spec.decode(&body, &Scope::new());
    /// assert_eq!(outcome.value().attribute("a"), Some(&Value::from(1)));
    /// let lines: Vec<_> = outcome.diagnostics().iter().map(|error| error.code().as_str()).collect();
    /// assert_eq!(lines, ["invalid-argument-value", "unsupported-argument"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn decode(&self, body: &Body, scope: &Scope<'_>) -> Outcome<Value> {
        scope.metered(|scope, account| {
            let mut decoding = Decoding::new(scope, account);
            let (content, rest) = parts(body, self, &mut decoding);
            let value = self.value(&BodyView::root(&content).with_rest(rest.as_ref()), &mut decoding);
            decoding.finish(value, &content)
        })
    }

    /// Decodes a part of a body, and returns the rest of the body too. Within blocks, items that the spec does not
    /// expect are still errors.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let body = parse::<Body>("kind = \"disk\"\nsize = 20\n").into_result()?;
    /// let kind = Spec::required_attr("kind", Type::String);
    /// let (kind, rest) = kind.partial_decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(kind, Value::from("disk"));
    /// let size = Spec::attr("size", Type::Number).decode(&rest, &Scope::new()).into_result()?;
    /// assert_eq!(size, Value::from(20));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn partial_decode(&self, body: &Body, scope: &Scope<'_>) -> Outcome<(Value, Body)> {
        scope.metered(|scope, account| {
            let mut decoding = Decoding::new(scope, account);
            let (content, rest) = decoding.take(body.partial_content(self.schema()));
            let value = self.value(&BodyView::root(&content), &mut decoding);
            decoding.finish((value, rest), &content)
        })
    }

    /// Returns the type of the decoded values. It is dynamic, or has dynamic parts, if it depends on the body.
    ///
    /// ```
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let ports = Spec::block_list("port", .., Spec::attr("number", Type::Number));
    /// assert_eq!(ports.implied_type(), Type::list(Type::Number));
    /// ```
    pub fn implied_type(&self) -> Type {
        self.ty().clone()
    }

    fn ty(&self) -> &Type {
        self.0.ty.get_or_init(|| stack::with_room(|| self.0.kind.implied_type()))
    }

    /// Returns the schema that the body is processed with.
    pub fn schema(&self) -> &BodySchema {
        self.expected().schema()
    }

    /// Returns everything that the spec expects in a body. This is computed once, because specs for blocks depend on
    /// the specs for their bodies.
    fn expected(&self) -> &Expected {
        self.0.expected.get_or_init(|| {
            let mut expected = Expected::default();
            self.expect(&mut expected);
            expected
        })
    }

    /// Returns the variables that decoding a body needs, each with the constant path after it, in source order. Errors
    /// in the body are not reported here.
    ///
    /// ```
    /// use hcl_lr::{Body, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let body = parse::<Body>("disk {\n  size = limits.disk\n}\n").into_result()?;
    /// let spec = Spec::block("disk", Spec::attr("size", Type::Number));
    /// let variables = spec.variables(&body);
    /// assert_eq!(variables[0].to_string(), "limits.disk");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn variables(&self, body: &Body) -> Vec<Traversal> {
        let mut paths = Vec::new();
        dynamic_blocks::variables_of(self, body, None, &mut paths);
        in_source_order(paths)
    }

    /// Returns the place of the value in a body, for errors that an application finds in the value later. It is exact
    /// for a single item, such as an attribute; for a whole body it is where the body begins or ends.
    ///
    /// ```
    /// use hcl_lr::{Body, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let body = parse::<Body>("disk {\n  size = 20\n}\n").into_result()?;
    /// let size = Spec::block("disk", Spec::attr("size", Type::Number));
    /// assert_eq!(size.place_in(&body).text(), "20");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn place_in(&self, body: &Body) -> Place {
        let (content, _rest) = body.partial_content(self.schema()).into_value();
        self.place(&BodyView::root(&content))
    }

    /// Returns the types of blocks that are expected in the body, with the specs for the bodies of the blocks.
    pub fn block_types(&self) -> Vec<(String, Spec)> {
        let mut types = Vec::new();
        self.find_block_types(&mut types);
        types
    }

    fn expect(&self, expected: &mut Expected) {
        stack::with_room(|| self.0.kind.expect(expected));
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        if decoding.account.steps(1).is_err() {
            return Value::unknown(Type::Dynamic);
        }
        stack::with_room(|| self.0.kind.value(view, decoding))
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        stack::with_room(|| self.0.kind.place(view))
    }

    fn find_variables(&self, view: &BodyView<'_>, paths: &mut Vec<Traversal>) {
        stack::with_room(|| self.0.kind.variables(view, paths));
    }

    fn find_block_types(&self, types: &mut Vec<(String, Spec)>) {
        stack::with_room(|| self.0.kind.block_types(types));
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        stack::debug_with_room(&self.0.kind, f)
    }
}

/// Sorts traversals by their places in a source; the sources keep their order.
fn in_source_order(paths: Vec<Traversal>) -> Vec<Traversal> {
    let mut order: HashMap<*const Source, usize> = HashMap::new();
    let mut keyed: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let place = path.place();
            let next = order.len();
            let rank = *order.entry(Arc::as_ptr(place.source())).or_insert(next);
            ((rank, place.span()), path)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, path)| path).collect()
}

/// Returns the place of missing items.
fn missing(content: &Content) -> Place {
    content.missing_item_place().clone()
}
