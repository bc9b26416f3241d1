//! A question with its expected answer, and the score of an answer.

use serde_json::{Map, Value, json};

use super::compare::{Typing, contains_outline, has_references, same, same_content};
use super::forms::Form;
use super::level::{Level, TREES, VALUES};
use super::needs::Need;

/// The score of an answer at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scored {
    /// The answer is right.
    Right,
    /// The answer is wrong.
    Wrong,
    /// The answer does not have this level.
    Unsupported,
}

impl Scored {
    /// Returns true if the answer is right.
    pub fn is_right(self) -> bool {
        self == Scored::Right
    }

    fn of(right: bool) -> Scored {
        if right { Scored::Right } else { Scored::Wrong }
    }
}

/// The authority behind the expected answer of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Basis {
    /// The specification, or a ruling where it is in doubt.
    #[default]
    Text,
    /// The official engine alone: the specification does not mention it.
    Engine,
    /// This implementation alone, such as the size of its limits. Other implementations do not get the case.
    Ours,
}

/// A question with its expected answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name of its example, with the suffix `/strict` for the strict dialect, or `/tokens` for its tokens.
    pub id: String,
    /// The heading of its chapter.
    pub chapter: String,
    /// The heading of its section; empty if its chapter has none.
    pub section: String,
    /// The statements that it tests.
    pub statements: Vec<String>,
    /// The levels that are scored.
    pub levels: Vec<Level>,
    /// The authority behind the expected answer.
    pub basis: Basis,
    /// The abilities that an answer takes, which not every implementation has.
    pub needs: Vec<Need>,
    /// Equivalent questions about whole files, for implementations that read nothing else.
    pub forms: Vec<Form>,
    /// The intended differences of the official engine.
    pub differs: Vec<String>,
    /// The row of `DIVERGENCES.md` with the reason.
    pub row: Option<String>,
    /// The request.
    pub request: Value,
    /// The expected answer: `ok`, the members of the protocol, and as `errors` and `warnings` their places, each with
    /// `line`, `column` and perhaps `code`.
    pub answer: Value,
}

impl Case {
    /// A line of the suite.
    pub fn to_json(&self) -> Value {
        let levels: Vec<&str> = self.levels.iter().map(|level| level.as_str()).collect();
        let mut line = json!({
            "id": self.id,
            "chapter": self.chapter,
            "section": self.section,
            "statements": self.statements,
            "levels": levels,
            "request": self.request,
            "answer": self.answer,
        });
        match self.basis {
            Basis::Text => {}
            Basis::Engine => line["engine"] = json!(true),
            Basis::Ours => line["ours"] = json!(true),
        }
        if !self.needs.is_empty() {
            line["needs"] = self.needs.iter().map(|need| need.as_str()).collect();
        }
        if !self.forms.is_empty() {
            line["files"] = self.forms.iter().map(Form::to_json).collect();
        }
        if !self.differs.is_empty() {
            line["differs"] = json!(self.differs);
        }
        if let Some(row) = &self.row {
            line["row"] = json!(row);
        }
        line
    }

    /// Reads a case from a line of the suite.
    ///
    /// # Errors
    /// If the line is not a case.
    pub fn from_json(line: &Value) -> Result<Case, String> {
        let text = |name: &str| line[name].as_str().map(str::to_owned).ok_or(format!("there is no `{name}`"));
        let texts = |name: &str| -> Vec<String> {
            line[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let object = |name: &str| line.get(name).filter(|part| part.is_object()).cloned();
        Ok(Case {
            id: text("id")?,
            chapter: text("chapter")?,
            section: text("section")?,
            statements: texts("statements"),
            levels: texts("levels").iter().filter_map(|name| Level::named(name)).collect(),
            basis: match (line["engine"] == true, line["ours"] == true) {
                (true, _) => Basis::Engine,
                (_, true) => Basis::Ours,
                _ => Basis::Text,
            },
            needs: texts("needs").iter().filter_map(|name| Need::named(name)).collect(),
            forms: line["files"].as_array().into_iter().flatten().filter_map(Form::from_json).collect(),
            differs: texts("differs"),
            row: line["row"].as_str().map(str::to_owned),
            request: object("request").ok_or("there is no `request`")?,
            answer: object("answer").ok_or("there is no `answer`")?,
        })
    }

    /// Returns true if a name means this case, its example, one of its statements, or a part of their names:
    /// `native.for` and `native.for.7` mean `native.for.7.2`.
    pub fn is_named(&self, name: &str) -> bool {
        let begins =
            |id: &str| id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']));
        begins(&self.id) || self.statements.iter().any(|statement| begins(statement))
    }

    /// Scores an answer at each of the levels.
    pub fn score(&self, answer: &Value) -> Vec<(Level, Scored)> {
        self.score_with(answer, Typing::Typed)
    }

    /// Scores an answer whose values may lack the types of collections and of nulls.
    pub(crate) fn score_with(&self, answer: &Value, typing: Typing) -> Vec<(Level, Scored)> {
        self.levels.iter().map(|level| (*level, self.score_at(*level, answer, typing))).collect()
    }

    fn score_at(&self, level: Level, answer: &Value, typing: Typing) -> Scored {
        let Some(ok) = answer.get("ok").and_then(Value::as_bool) else {
            let unsupported = answer.get("unsupported").is_some() || level != Level::Verdict;
            return if unsupported { Scored::Unsupported } else { Scored::Wrong };
        };
        if level == Level::Recovery {
            let survives = &self.answer["survives"];
            return match answer.get("outline") {
                Some(outline) if !has_references(survives) || has_references(outline) => {
                    Scored::of(!ok && contains_outline(survives, outline))
                }
                _ => Scored::Unsupported,
            };
        }
        let right = self.answer["ok"] == ok;
        if level == Level::Verdict {
            return Scored::of(right);
        }
        // A wrong verdict is one mistake, and not one at each level.
        if !right {
            return Scored::Unsupported;
        }
        match level {
            Level::Tree => self.members(TREES, answer, Typing::Typed),
            Level::Value => match self.answer.get("content") {
                None => self.members(VALUES, answer, typing),
                Some(wanted) => match answer.get("content") {
                    Some(got) => Scored::of(same_content(wanted, got, typing)),
                    None => Scored::Unsupported,
                },
            },
            Level::Place => {
                let (wanted, got) = (self.places(), places(answer));
                // Implementations report errors in different orders.
                let first = wanted.first() == got.first() || wanted.iter().min() == got.iter().min();
                if got.is_empty() { Scored::Unsupported } else { Scored::of(first) }
            }
            _ => self.codes(answer),
        }
    }

    /// Returns the required places of errors.
    fn places(&self) -> Vec<(u64, u64)> {
        let errors = self.answer["errors"].as_array().into_iter().flatten();
        errors.filter_map(|error| Some((error["line"].as_u64()?, error["column"].as_u64()?))).collect()
    }

    /// Compares all expected members among these names.
    fn members(&self, names: &[&str], answer: &Value, typing: Typing) -> Scored {
        for name in names {
            let Some(wanted) = self.answer.get(*name) else { continue };
            match answer.get(*name) {
                Some(got) if same(wanted, got, typing) => {}
                Some(_) => return Scored::Wrong,
                None => return Scored::Unsupported,
            }
        }
        Scored::Right
    }

    fn codes(&self, answer: &Value) -> Scored {
        let of_severity = |severity: &str| -> Vec<&Map<String, Value>> {
            let list = answer["diags"].as_array().into_iter().flatten().filter_map(Value::as_object);
            list.filter(|diagnostic| diagnostic.get("severity").is_some_and(|found| found == severity)).collect()
        };
        for (member, severity) in [("errors", "error"), ("warnings", "warning")] {
            let got = of_severity(severity);
            if got.iter().any(|diagnostic| !diagnostic.contains_key("code")) {
                return Scored::Unsupported;
            }
            for (at, wanted) in self.answer[member].as_array().into_iter().flatten().enumerate() {
                let Some(code) = wanted.get("code") else { continue };
                match got.get(at) {
                    Some(diagnostic) if diagnostic.get("code") == Some(code) => {}
                    Some(_) => return Scored::Wrong,
                    None if at == 0 => return Scored::Unsupported,
                    None => return Scored::Wrong,
                }
            }
        }
        Scored::Right
    }
}

/// Returns the places of the errors of an answer, in the reported order.
fn places(answer: &Value) -> Vec<(u64, u64)> {
    let errors = answer["diags"].as_array().into_iter().flatten();
    let errors = errors.filter(|diagnostic| diagnostic["severity"] == "error");
    let place = |error: &Value| {
        // If there are several files, the name of the file precedes the two positions.
        let start = error["range"].as_array()?.iter().find_map(Value::as_array)?;
        Some((start.first()?.as_u64()?, start.get(1)?.as_u64()?))
    };
    errors.filter_map(place).collect()
}
