//! Counts of answers.

use serde_json::{Value, json};

use crate::suite::Scored;

/// The number of right, wrong and missing answers at a level.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub right: usize,
    pub wrong: usize,
    pub unsupported: usize,
}

impl Tally {
    pub fn add(&mut self, scored: Scored) {
        match scored {
            Scored::Right => self.right += 1,
            Scored::Wrong => self.wrong += 1,
            Scored::Unsupported => self.unsupported += 1,
        }
    }

    pub fn add_all(&mut self, other: Tally) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.unsupported += other.unsupported;
    }

    /// The number of answers, right and wrong.
    pub fn given(self) -> usize {
        self.right + self.wrong
    }

    /// Returns the share of right answers.
    pub fn rate(self) -> String {
        let given = self.given();
        match given {
            0 if self.unsupported == 0 => String::new(),
            0 => "-".to_owned(),
            _ => format!("{}/{given}", self.right),
        }
    }

    pub fn to_json(self) -> Value {
        json!({ "right": self.right, "wrong": self.wrong, "unsupported": self.unsupported })
    }
}
