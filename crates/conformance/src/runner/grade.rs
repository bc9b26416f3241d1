//! The grade of a driver: a number that drivers without an understanding of HCL do not get.
//!
//! Most sources of the suite are valid, so a driver that always says `ok` is right more often than not. So valid and
//! invalid sources count apart: the shares of right verdicts of both are added, and 1 is taken away. The same verdict for
//! everything gives 0, and so do random ones on average. What is left is multiplied by the share of right trees and
//! values. All of that is a number up to 100.

use serde_json::{Value, json};

use super::tally::Tally;

/// The answers that decide a grade. Habits of the official engine are not among them.
#[derive(Clone, Copy, Default)]
pub(super) struct Grade {
    /// Verdicts on sources that are valid.
    pub valid: Tally,
    /// Verdicts on sources that are not.
    pub invalid: Tally,
    /// Trees and values.
    pub meaning: Tally,
}

impl Grade {
    pub fn add(&mut self, other: &Grade) {
        self.valid.add_all(other.valid);
        self.invalid.add_all(other.invalid);
        self.meaning.add_all(other.meaning);
    }

    /// The number, up to 100; `None` without verdicts on both kinds of sources.
    pub fn points(&self) -> Option<usize> {
        let [valid, invalid, meaning] =
            [self.valid, self.invalid, self.meaning].map(|tally| (tally.right, tally.given()));
        if valid.1 == 0 || invalid.1 == 0 {
            return None;
        }
        let verdicts = (valid.0 * invalid.1 + invalid.0 * valid.1).saturating_sub(valid.1 * invalid.1);
        let (right, given) = if meaning.1 == 0 { (1, 1) } else { meaning };
        Some(100 * verdicts * right / (valid.1 * invalid.1 * given))
    }

    /// The number of right verdicts of a driver that gives the more frequent verdict to all sources.
    pub fn floor(&self) -> usize {
        self.valid.given().max(self.invalid.given())
    }

    /// The grade and its parts as a line, if there is one.
    pub fn line(&self) -> Option<String> {
        let points = self.points()?;
        let share = |tally: Tally| match tally.given() {
            0 => "none".to_owned(),
            given => {
                let permille = 1000 * tally.right / given;
                format!("{}.{} %", permille / 10, permille % 10)
            }
        };
        Some(format!(
            "grade: {points} of 100 (right verdicts on valid sources {}, on invalid ones {}; right trees and values {})",
            share(self.valid),
            share(self.invalid),
            share(self.meaning)
        ))
    }

    pub fn to_json(self) -> Value {
        json!({
            "points": self.points(),
            "floor": self.floor(),
            "valid": self.valid.to_json(),
            "invalid": self.invalid.to_json(),
            "meaning": self.meaning.to_json(),
        })
    }
}
