//! New `for` expressions.

use super::expression::{identifier, in_brackets};
use super::{BuildError, NewExpression};

/// A `for` expression under construction ("For Expressions"): its variables, collection and condition. A method for the
/// result completes it.
///
/// ```
/// use hcl_lr::construct::{NewExpression, NewFor};
///
/// let each = NewFor::new("host", NewExpression::variable("hosts"));
/// let name = NewExpression::variable("host").attribute("name");
/// assert_eq!(each.clone().list(name.clone()).text()?, "[for host in hosts : host.name]");
///
/// let each = each.with_key("i").with_condition(NewExpression::variable("i"));
/// assert_eq!(each.object(name, NewExpression::variable("host")).text()?, "{ for i, host in hosts : host.name => host if i }");
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a method for the result completes the expression"]
pub struct NewFor {
    key: Option<String>,
    value: String,
    collection: NewExpression,
    condition: Option<NewExpression>,
}

impl NewFor {
    /// Creates a loop over a collection with a variable for each value.
    pub fn new(value: &str, collection: impl Into<NewExpression>) -> Self {
        NewFor { key: None, value: value.to_owned(), collection: collection.into(), condition: None }
    }

    /// Adds a variable for each key or index.
    pub fn with_key(self, key: &str) -> Self {
        NewFor { key: Some(key.to_owned()), ..self }
    }

    /// Adds the condition that elements must meet.
    pub fn with_condition(self, condition: impl Into<NewExpression>) -> Self {
        NewFor { condition: Some(condition.into()), ..self }
    }

    /// Returns the expression for a list of values: `[for v in c : value]`.
    pub fn list(self, value: impl Into<NewExpression>) -> NewExpression {
        let value = value.into();
        NewExpression::written(self.written(('[', ']'), || part(&value)))
    }

    /// Returns the expression for an object: `{ for v in c : key => value }`.
    pub fn object(self, key: impl Into<NewExpression>, value: impl Into<NewExpression>) -> NewExpression {
        let (key, value) = (key.into(), value.into());
        NewExpression::written(self.written(('{', '}'), || Ok(format!("{} => {}", part(&key)?, part(&value)?))))
    }

    /// Returns the expression for an object with a list of values for each key: `{ for v in c : key => value... }`.
    pub fn grouped(self, key: impl Into<NewExpression>, value: impl Into<NewExpression>) -> NewExpression {
        let (key, value) = (key.into(), value.into());
        NewExpression::written(self.written(('{', '}'), || Ok(format!("{} => {}...", part(&key)?, part(&value)?))))
    }

    /// Returns the words up to the collection, and the collection: `k, v in c`.
    pub(super) fn head(&self) -> Result<(String, &NewExpression), BuildError> {
        let key = self.key.as_deref().map(identifier).transpose()?;
        let key = key.map(|key| format!("{key}, ")).unwrap_or_default();
        Ok((format!("for {key}{} in", identifier(&self.value)?), &self.collection))
    }

    /// Returns the condition, which a directive cannot have.
    pub(super) fn condition(&self) -> Option<&NewExpression> {
        self.condition.as_ref()
    }

    fn written(
        &self,
        (open, close): (char, char),
        result: impl FnOnce() -> Result<String, BuildError>,
    ) -> Result<String, BuildError> {
        let (head, collection) = self.head()?;
        let blank = if open == '{' { " " } else { "" };
        let condition = self.condition.as_ref().map(part).transpose()?;
        let condition = condition.map(|condition| format!(" if {condition}")).unwrap_or_default();
        Ok(format!("{open}{blank}{head} {} : {}{condition}{blank}{close}", part(collection)?, result()?))
    }
}

fn part(expression: &NewExpression) -> Result<String, BuildError> {
    expression.raw().map(|text| in_brackets(text.to_owned()))
}
