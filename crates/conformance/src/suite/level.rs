//! The levels at which answers are scored.

use std::fmt;

use serde_json::Value;

/// A level at which answers are scored. An implementation can be right at one and wrong at another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The source is accepted or rejected.
    Verdict,
    /// The meaning, as a tree or as tokens; a static analysis; the variables that are needed.
    Tree,
    /// The resulting value or type.
    Value,
    /// The line and column of the first error. No text defines them, so they are reported separately.
    Place,
    /// The codes of errors and warnings, for implementations that have the codes of this one.
    Code,
    /// The attributes and blocks of a broken source that are still found. No text asks for it, but editors do.
    Recovery,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 6] = [Level::Verdict, Level::Tree, Level::Value, Level::Place, Level::Code, Level::Recovery];
    /// The levels that the texts decide. They alone make an answer right or wrong; the others are reported separately.
    pub const DECIDED: [Level; 3] = [Level::Verdict, Level::Tree, Level::Value];

    /// Its name, in small letters.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Verdict => "verdict",
            Level::Tree => "tree",
            Level::Value => "value",
            Level::Place => "place",
            Level::Code => "code",
            Level::Recovery => "recovery",
        }
    }

    /// The level of a name.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// The levels by which answers are scored that are to say this.
    pub(super) fn of(answer: &Value) -> Vec<Level> {
        if answer.get("survives").is_some() {
            return vec![Level::Recovery];
        }
        let has = |names: &[&str]| names.iter().any(|name| answer.get(*name).is_some());
        let mistakes = answer["errors"].as_array().into_iter().chain(answer["warnings"].as_array()).flatten();
        let codes = mistakes.filter(|mistake| mistake.get("code").is_some()).count() > 0;
        let levels = [
            (Level::Verdict, true),
            (Level::Tree, has(TREES)),
            (Level::Value, has(VALUES) || has(&["content"])),
            (Level::Place, answer["errors"].as_array().is_some_and(|errors| !errors.is_empty())),
            (Level::Code, codes),
        ];
        levels.into_iter().filter(|(_, there)| *there).map(|(level, _)| level).collect()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The members of answers that are trees.
pub(super) const TREES: &[&str] = &["ast", "steps", "list", "map", "call", "args", "keyword", "variables", "tokens"];
/// Those that are values and types.
pub(super) const VALUES: &[&str] = &["value", "values", "type"];
