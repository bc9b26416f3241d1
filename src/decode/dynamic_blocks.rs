//! Specs for bodies in which dynamic blocks are expanded.

use super::decoding::{BodyView, Decoding, Expected};
use super::{Kind, Spec};
use crate::body::{BlockLabel, Body};
use crate::dynamic::NeededVariables;
use crate::model::{Type, Value};
use crate::stack;
use crate::syntax::Traversal;

#[derive(Debug)]
struct DynamicBlocks {
    spec: [Spec; 1],
    expands: bool,
}

impl Spec {
    /// Expands the [dynamic blocks](crate::dynamic) of the body, and of the bodies of its blocks, before the spec decodes
    /// it. If `expands` is false, `dynamic` is a type of blocks like others, also where the body around is expanded.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let ports = Spec::block_tuple("port", .., Spec::attr("number", Type::Number)).with_dynamic_blocks(true);
    /// let text = "port {\n  number = 80\n}\ndynamic \"port\" {\n  for_each = extra\n  content {\n    number = port.value\n  }\n}\n";
    /// let body = parse::<Body>(text).into_result()?;
    /// let value = ports.decode(&body, &Scope::new().with("extra", vec![443])).into_result()?;
    /// assert_eq!(value.to_string(), "[80, 443]");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_dynamic_blocks(self, expands: bool) -> Spec {
        Spec::new(DynamicBlocks { spec: [self], expands })
    }
}

impl Kind for DynamicBlocks {
    fn specs(&self) -> &[Spec] {
        &self.spec
    }

    fn implied_type(&self) -> Type {
        self.spec[0].implied_type()
    }

    fn expect(&self, expected: &mut Expected) {
        self.spec[0].expect(expected);
        expected.expands = Some(self.expands);
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        self.spec[0].value(view, decoding)
    }
}

/// Adds the variables that a spec needs in a body. `labels` are those of its block that the spec can read.
pub(super) fn variables_of(spec: &Spec, body: &Body, labels: Option<&[BlockLabel]>, paths: &mut Vec<Traversal>) {
    if spec.expected().expands == Some(true) {
        return needed(spec, &NeededVariables::of_content(body), paths);
    }
    let (content, _rest) = body.partial_content(spec.schema()).into_value();
    let view = match labels {
        Some(labels) => BodyView::of_block(&content, labels),
        None => BodyView::root(&content),
    };
    spec.find_variables(&view, paths);
}

/// Adds the variables of a level of a body with dynamic blocks, and those of the levels in it.
fn needed(spec: &Spec, variables: &NeededVariables, paths: &mut Vec<Traversal>) {
    let (own, inner) = variables.visit(spec.schema());
    paths.extend(own);
    let specs = spec.block_types();
    for (block_type, variables) in inner {
        if let Some((_, spec)) = specs.iter().find(|(name, _)| *name == block_type) {
            stack::with_room(|| needed(spec, &variables, paths));
        }
    }
}
