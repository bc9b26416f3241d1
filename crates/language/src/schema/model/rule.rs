//! Attributes and blocks that exclude or need each other.

use hcl_lr::source::Place;

/// Attributes and blocks of a body that exclude or need each other.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The rule.
    pub kind: RuleKind,
    /// The names of attributes and types of blocks.
    pub names: Vec<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// A rule for attributes and blocks of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleKind {
    /// `exactly_one`: exactly one of them is set.
    ExactlyOne,
    /// `at_most_one`: no two of them are set.
    AtMostOne,
    /// `at_least_one`: one or more of them are set.
    AtLeastOne,
    /// `all_or_none`: if one of them is set, all are.
    AllOrNone,
}

impl RuleKind {
    /// All rules.
    pub const ALL: [RuleKind; 4] =
        [RuleKind::ExactlyOne, RuleKind::AtMostOne, RuleKind::AtLeastOne, RuleKind::AllOrNone];

    /// Returns the name in a schema file.
    pub fn name(self) -> &'static str {
        match self {
            RuleKind::ExactlyOne => "exactly_one",
            RuleKind::AtMostOne => "at_most_one",
            RuleKind::AtLeastOne => "at_least_one",
            RuleKind::AllOrNone => "all_or_none",
        }
    }
}

impl Rule {
    /// A rule for attributes and blocks with these names.
    ///
    /// ```
    /// use hcl_lr_language::schema::model::{Rule, RuleKind};
    /// use hcl_lr_language::schema::{Attribute, Body, Type};
    ///
    /// let body = Body::new()
    ///     .with_attribute(Attribute::new("path", Type::String))
    ///     .with_attribute(Attribute::new("url", Type::String))
    ///     .with_rule(Rule::new(RuleKind::ExactlyOne, ["path", "url"]));
    /// assert_eq!(body.rules[0].kind.name(), "exactly_one");
    /// ```
    pub fn new<N: Into<String>>(kind: RuleKind, names: impl IntoIterator<Item = N>) -> Self {
        Rule { kind, names: names.into_iter().map(N::into).collect(), place: Place::nowhere() }
    }
}
