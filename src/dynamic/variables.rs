//! The variables that expanding a body needs, and those of the expanded body.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::{DYNAMIC, with_dynamic};
use crate::body::{Block, Body, BodySchema, Expression};
use crate::syntax::Traversal;

/// The variables that a body with dynamic blocks needs, level by level: each level requires its schema.
///
/// ```
/// use hcl_lr::body::BodySchema;
/// use hcl_lr::{Body, parse};
/// use hcl_lr::dynamic::NeededVariables;
///
/// let text = "dynamic \"port\" {\n  for_each = ports\n  content {\n    number = port.value + base\n  }\n}\n";
/// let body = parse::<Body>(text).into_result()?;
/// let root = |needs: &NeededVariables, schema: &BodySchema| {
///     let (variables, inner) = needs.visit(schema);
///     let names: Vec<String> = variables.iter().map(|path| path.root().to_owned()).collect();
///     (names, inner)
/// };
/// let (outer, port) = (BodySchema::new().block("port", &[]), BodySchema::new().required("number"));
///
/// let (names, inner) = root(&NeededVariables::of_content(&body), &outer);
/// assert_eq!((names, inner[0].0.as_str()), (vec!["ports".to_owned()], "port"));
/// assert_eq!(root(&inner[0].1, &port).0, ["base"]);
///
/// let (names, inner) = root(&NeededVariables::of_expansion(&body), &outer);
/// assert_eq!(names, ["ports"]);
/// assert!(root(&inner[0].1, &port).0.is_empty());
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct NeededVariables {
    body: Body,
    /// The iterators that can be seen.
    iterators: Arc<HashSet<String>>,
    expansion_only: bool,
}

impl fmt::Debug for NeededVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NeededVariables").field("body", &self.body).finish_non_exhaustive()
    }
}

impl NeededVariables {
    /// Starts with the variables that are needed to expand the body and to evaluate its attributes.
    pub fn of_content(body: &Body) -> Self {
        NeededVariables { body: body.clone(), iterators: Arc::default(), expansion_only: false }
    }

    /// Starts with the variables that are needed to expand the body, without those of its attributes.
    pub fn of_expansion(body: &Body) -> Self {
        NeededVariables { expansion_only: true, ..NeededVariables::of_content(body) }
    }

    /// The body of this level, before it is expanded.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Returns the variables of this level, and the blocks in it by type, which are visited with their own schemas.
    /// Errors in the body are reported when it is expanded.
    pub fn visit(&self, schema: &BodySchema) -> (Vec<Traversal>, Vec<(String, NeededVariables)>) {
        let (content, _) = self.body.partial_content(&with_dynamic(schema)).into_value();
        let (mut variables, mut inner) = (Vec::new(), Vec::new());
        if !self.expansion_only {
            for attribute in content.attributes() {
                add(attribute.expression(), &self.iterators, &mut variables);
            }
        }
        for block in content.blocks() {
            match block.block_type() {
                DYNAMIC => self.dynamic(block, &mut variables, &mut inner),
                name => inner.push((name.to_owned(), self.within(block.body(), self.iterators.clone()))),
            }
        }
        (variables, inner)
    }

    fn within(&self, body: &Body, iterators: Arc<HashSet<String>>) -> NeededVariables {
        NeededVariables { body: body.clone(), iterators, expansion_only: self.expansion_only }
    }

    fn dynamic(&self, block: &Block, variables: &mut Vec<Traversal>, inner: &mut Vec<(String, NeededVariables)>) {
        let Some(block_type) = block.label(0) else { return };
        let schema =
            BodySchema::new().optional("for_each").optional("labels").optional("iterator").block("content", &[]);
        let (content, _) = block.body().partial_content(&schema).into_value();
        let given = content.attribute("iterator").and_then(|iterator| iterator.expression().keyword());
        let mut iterators = (*self.iterators).clone();
        iterators.insert(given.unwrap_or_else(|| block_type.to_owned()));
        let iterators = Arc::new(iterators);
        if let Some(for_each) = content.attribute("for_each") {
            add(for_each.expression(), &self.iterators, variables);
        }
        if let Some(labels) = content.attribute("labels") {
            add(labels.expression(), &iterators, variables);
        }
        for content in content.blocks() {
            inner.push((block_type.to_owned(), self.within(content.body(), iterators.clone())));
        }
    }
}

/// Adds the variables of an expression, without the iterators that it sees.
fn add(expression: &Expression, iterators: &HashSet<String>, variables: &mut Vec<Traversal>) {
    let needed = expression.variables();
    variables.extend(needed.into_iter().filter(|path| !iterators.contains(path.root())));
}
