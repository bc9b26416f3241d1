//! Contents of bodies that depend on the value of a label or attribute.

use std::sync::Arc;

use super::body::Body;
use hcl_lr::source::Place;

/// Contents of a body that depend on a label or attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Match {
    /// The name of the label or attribute: of this body, or with the prefix `parent.` of an enclosing body.
    pub key: String,
    /// The contents for the listed values.
    pub cases: Vec<Case>,
    /// The catalog with the contents for more values.
    pub catalog: Option<String>,
    /// The contents for all other values.
    pub otherwise: Otherwise,
    /// The place in the schema file.
    pub place: Place,
}

/// The contents of a body for some values of a label or attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The values.
    pub values: Vec<String>,
    /// The additional contents of the body.
    pub body: Arc<Body>,
    /// The place in the schema file.
    pub place: Place,
}

/// The meaning of a value that no case lists.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Otherwise {
    /// Such a value is wrong.
    #[default]
    Wrong,
    /// The additional contents of the body.
    Body(Arc<Body>),
}

impl Case {
    /// The contents for some values.
    pub fn new<V: Into<String>>(values: impl IntoIterator<Item = V>, body: Body) -> Self {
        let values = values.into_iter().map(V::into).collect();
        Case { values, body: Arc::new(body), place: Place::nowhere() }
    }
}

impl Match {
    /// Contents that depend on a label or attribute. Values without a case are wrong.
    pub fn new(key: impl Into<String>, cases: impl IntoIterator<Item = Case>) -> Self {
        let cases = cases.into_iter().collect();
        let otherwise = Otherwise::Wrong;
        Match { key: key.into(), cases, catalog: None, otherwise, place: Place::nowhere() }
    }
}
