//! The functions `version_compare` and `version_satisfies`, with the versions and constraints of Terraform, OpenTofu and
//! Packer.
//!
//! A version is a list of numbers, and perhaps an identifier of a pre-release: `1.2`, `v1.2.3`, `2.0.0-beta.1`. Missing
//! numbers are 0, a pre-release is older than its release, and what follows a `+` does not count. Constraints are
//! separated by commas, and all must hold. `~> 1.2.3` allows the last number to grow, so it means `>= 1.2.3, < 1.3`.
//!
//! `schema::Version` of the package `hcl-lr-language` is another thing: it names versions of languages, whose
//! pre-releases have the features of the release.

use std::cmp::Ordering;

use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};

/// Returns the functions with their names.
pub(super) fn functions() -> [(&'static str, Function); 2] {
    let text = |name: &'static str| Parameter::new(name, Type::String);
    let compare = Function::new([text("a"), text("b")], Type::Number, |call| {
        let version = |at: usize| version_of(call.argument(at).as_str().unwrap_or_default(), at);
        Ok(Value::from(match version(0)?.order(&version(1)?) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }))
    });
    let satisfies = Function::new([text("version"), text("constraints")], Type::Bool, |call| {
        let version = version_of(call.argument(0).as_str().unwrap_or_default(), 0)?;
        let constraints = call.argument(1).as_str().unwrap_or_default();
        let all: Result<Vec<Constraint>, FunctionError> = constraints.split(',').map(constraint_of).collect();
        Ok(Value::from(all?.iter().all(|constraint| constraint.allows(&version))))
    });
    [("version_compare", compare), ("version_satisfies", satisfies)]
}

fn version_of(text: &str, argument: usize) -> Result<Version, FunctionError> {
    Version::read_version(text).ok_or_else(|| {
        let is_constraint = text.trim_start().starts_with(['=', '!', '<', '>', '~']);
        FunctionError::argument(
            argument,
            match is_constraint {
                true => "must be a version such as 1.9.2, and this is a constraint: pass it to `version_satisfies`",
                false => "must be a version such as 1.9.2",
            },
        )
    })
}

fn constraint_of(text: &str) -> Result<Constraint, FunctionError> {
    Constraint::read_constraint(text).ok_or_else(|| {
        FunctionError::argument(
            1,
            "must be constraints such as \">= 1.2, < 2.0\", with the operators =, !=, >, >=, <, <= and ~>",
        )
    })
}

/// A version.
#[derive(Debug)]
struct Version {
    /// The numbers as they are written.
    numbers: Vec<u64>,
    /// The identifier of a pre-release; empty for a release.
    early: String,
}

impl Version {
    fn read_version(text: &str) -> Option<Version> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = match text.split_once('+') {
            Some((version, build)) => is_identifier(build).then_some(version)?,
            None => text,
        };
        let is_numeric = |c: char| c.is_ascii_digit() || c == '.';
        let (numbers, early) = text.split_at(text.find(|c| !is_numeric(c)).unwrap_or(text.len()));
        let is_release = early.is_empty();
        let early = early.strip_prefix('-').filter(|identifier| !identifier.is_empty()).unwrap_or(early);
        let numbers: Option<Vec<u64>> = numbers.split('.').map(|number| number.parse().ok()).collect();
        (is_release || is_identifier(early)).then_some(Version { numbers: numbers?, early: early.to_owned() })
    }

    fn number(&self, at: usize) -> u64 {
        self.numbers.get(at).copied().unwrap_or(0)
    }

    fn is_early(&self) -> bool {
        !self.early.is_empty()
    }

    fn order_of_numbers(&self, other: &Version) -> Ordering {
        let count = self.numbers.len().max(other.numbers.len());
        (0..count)
            .map(|at| self.number(at).cmp(&other.number(at)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn order(&self, other: &Version) -> Ordering {
        let early = || match (self.is_early(), other.is_early()) {
            (true, true) => cmp_early(&self.early, &other.early),
            (this, other) => other.cmp(&this),
        };
        self.order_of_numbers(other).then_with(early)
    }
}

/// Returns true if a text is parts of letters, digits, `-` and `~`, separated by dots.
fn is_identifier(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-~".contains(c));
    text.split('.').all(is_part)
}

/// Compares identifiers of pre-releases part by part: numbers come before words, and a shorter one first.
fn cmp_early(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.split('.'), right.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(left), Some(right)) => match (left.parse::<u64>(), right.parse::<u64>()) {
                (Ok(left), Ok(right)) => left.cmp(&right),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => left.cmp(right),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// A constraint on versions.
#[derive(Debug)]
struct Constraint {
    operator: Operator,
    version: Version,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// The last number that is written may grow.
    Pessimistic,
}

impl Constraint {
    fn read_constraint(text: &str) -> Option<Constraint> {
        let text = text.trim();
        let version = text.trim_start_matches(['=', '!', '<', '>', '~']);
        let operator = match &text[..text.len() - version.len()] {
            "" | "=" => Operator::Equal,
            "!=" => Operator::NotEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            "~>" => Operator::Pessimistic,
            _ => return None,
        };
        Some(Constraint { operator, version: Version::read_version(version.trim())? })
    }

    fn allows(&self, version: &Version) -> bool {
        let order = version.order(&self.version);
        match self.operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => order.is_gt() && self.is_comparable(version),
            Operator::GreaterOrEqual => order.is_ge() && self.is_comparable(version),
            Operator::Less => order.is_lt() && self.is_comparable(version),
            Operator::LessOrEqual => order.is_le() && self.is_comparable(version),
            Operator::Pessimistic => {
                let fixed = self.version.numbers.len() - 1;
                let same = (0..fixed).all(|at| version.number(at) == self.version.number(at));
                // A constraint with a pre-release allows only those of the same version.
                let are_alike = version.is_early() == self.version.is_early();
                order.is_ge() && same && are_alike && self.is_comparable(version)
            }
        }
    }

    /// Returns true if a range may include the version: a pre-release must be named by the constraint.
    fn is_comparable(&self, version: &Version) -> bool {
        !version.is_early() || self.version.is_early() && self.version.order_of_numbers(version).is_eq()
    }
}
