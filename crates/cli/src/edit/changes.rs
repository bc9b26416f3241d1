//! The places that an edit changes, for people and as rows for programs.

use std::fmt;

use hcl_lr::model::{Type, Value};
use hcl_lr_edit::query::QueryMatch;

/// A place that changes. People see it as `file:line: address`.
pub(super) struct ChangedPlace {
    pub file: String,
    pub line: usize,
    pub address: String,
    /// The text before and after the edit, if requested.
    pub texts: Texts,
}

/// The changed text, before and after an edit.
#[derive(Default)]
pub(super) struct Texts {
    pub before: Option<String>,
    pub after: Option<String>,
}

impl ChangedPlace {
    /// Returns the place of a match. A missing item gets its future address.
    pub fn of(found: &QueryMatch<'_>) -> ChangedPlace {
        let missing = found.missing().iter().cloned();
        let address = missing.fold(found.target().address(), |address, step| address.step(step));
        let file = found.place().source().name().to_owned();
        let line = found.position().line;
        ChangedPlace { file, line, address: address.to_string(), texts: Texts::default() }
    }

    /// Returns the place as an object.
    pub fn row(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map_or_else(|| Value::null(Type::String), Value::from);
        let values = [
            Value::from(&*self.file),
            Value::from(self.line),
            Value::from(&*self.address),
            text(&self.texts.before),
            text(&self.texts.after),
        ];
        Value::object(COLUMNS.into_iter().zip(values))
    }

    /// Returns the names of the columns.
    pub fn columns() -> [String; 5] {
        COLUMNS.map(str::to_owned)
    }
}

const COLUMNS: [&str; 5] = ["file", "line", "address", "before", "after"];

impl fmt::Display for ChangedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.address)
    }
}

/// The texts of the places of a file, in order, if requested, because they may be long.
pub(super) struct Changes(Option<Vec<Texts>>);

impl Changes {
    /// Creates an empty list.
    pub fn new(wanted: bool) -> Changes {
        Changes(wanted.then(Vec::new))
    }

    /// Adds the texts of the next place.
    pub fn add(&mut self, texts: impl FnOnce() -> Texts) {
        if let Some(all) = &mut self.0 {
            all.push(texts());
        }
    }

    /// Adds texts to their places.
    pub fn add_to(self, places: &mut [ChangedPlace]) {
        for (place, texts) in places.iter_mut().zip(self.0.into_iter().flatten()) {
            place.texts = texts;
        }
    }
}

impl Texts {
    /// A text that is replaced.
    pub fn changed(before: impl Into<String>, after: impl Into<String>) -> Texts {
        Texts { before: Some(before.into()), after: Some(after.into()) }
    }

    /// A text that is added.
    pub fn added(after: impl Into<String>) -> Texts {
        Texts { before: None, after: Some(after.into()) }
    }

    /// A text that is removed.
    pub fn removed(before: impl Into<String>) -> Texts {
        Texts { before: Some(before.into()), after: None }
    }
}
