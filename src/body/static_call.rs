//! The parts of a static call.

use super::Expression;
use crate::source::Place;

/// A function call that is analyzed, not evaluated ("Static Call").
#[derive(Clone, Debug)]
pub struct StaticCall {
    pub(super) name: String,
    pub(super) name_place: Place,
    pub(super) place: Place,
    pub(super) arguments_place: Place,
    pub(super) arguments: Vec<Expression>,
}

impl StaticCall {
    /// The name of the function, with its namespaces.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the place of the name.
    pub fn name_place(&self) -> &Place {
        &self.name_place
    }

    /// Returns the place of the call.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the place of the arguments, with their parentheses.
    pub fn arguments_place(&self) -> &Place {
        &self.arguments_place
    }

    /// The arguments.
    pub fn arguments(&self) -> &[Expression] {
        &self.arguments
    }
}
