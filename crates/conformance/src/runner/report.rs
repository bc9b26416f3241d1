//! The results of a driver, and the report for programs.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde_json::{Value, json};

use super::about::About;
use super::baseline::{Baseline, Changes};
use super::driver::Fault;
use super::grade::Grade;
use super::tally::Tally;
use super::visible::visible;
use super::{Sentence, Suite};
use crate::suite::{Basis, Case, Level, SUITE_FORM, Scored};

pub(super) type Tallies = [Tally; Level::ALL.len()];

fn tallies_to_json(tallies: &Tallies) -> Value {
    let levels = Level::ALL.into_iter().zip(tallies);
    Value::Object(levels.map(|(level, tally)| (level.as_str().to_owned(), tally.to_json())).collect())
}

/// The outcome of a case.
pub(super) enum Outcome {
    Right,
    /// Wrong at a level that decides.
    Wrong,
    /// The driver failed.
    Failed,
    Unanswered,
}

/// A case that was run.
pub(super) struct Asked<'c> {
    pub case: &'c Case,
    pub request: &'c Value,
    pub outcome: Outcome,
    /// The levels at which the answer is wrong, also those that do not decide.
    pub wrong: Vec<Level>,
    /// The answer, if it is wrong, or the fault.
    pub got: Value,
    pub fault: Option<String>,
    pub time: Duration,
}

impl Asked<'_> {
    pub fn level_names(&self) -> String {
        self.wrong.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The request in a line.
    pub fn question(&self) -> String {
        visible(&self.request.to_string())
    }

    /// The expected answer to the request.
    pub fn wanted(&self) -> &Value {
        let form = self.case.forms.iter().find(|form| std::ptr::eq(&form.request, self.request));
        form.map_or(&self.case.answer, |form| &form.answer)
    }

    /// Returns the expected and the actual result in the same form.
    pub fn sides(&self) -> (String, String) {
        let mut got = self.got.clone();
        if let Some(members) = got.as_object_mut() {
            let mut errors = Vec::new();
            for diagnostic in members.remove("diags").iter().flat_map(Value::as_array).flatten() {
                let start = diagnostic["range"].as_array().into_iter().flatten().find(|part| part.is_array());
                let start = start.cloned().unwrap_or_default();
                if diagnostic["severity"] == "error" {
                    let mut error = json!({ "line": start[0], "column": start[1] });
                    if let Some(code) = diagnostic.get("code") {
                        error["code"] = code.clone();
                    }
                    errors.push(error);
                }
            }
            if self.wanted().get("errors").is_some() || !errors.is_empty() {
                members.insert("errors".to_owned(), errors.into());
            }
            let wanted = |name: &String| self.wanted().get(name).is_some();
            members.retain(|name, _| {
                wanted(name) || !["ast", "parsed", "value", "values", "type"].contains(&name.as_str())
            });
        }
        let pretty = |json: &Value| visible(&serde_json::to_string_pretty(json).unwrap_or_default());
        (pretty(self.wanted()), pretty(&got))
    }
}

/// A chapter, and its sections.
pub(super) struct Chapter {
    pub name: String,
    pub sections: Vec<(String, Tallies)>,
    pub grade: Grade,
}

impl Chapter {
    pub fn all(&self) -> Tallies {
        sum(self.sections.iter().map(|(_, tallies)| tallies))
    }
}

fn sum<'t>(parts: impl Iterator<Item = &'t Tallies>) -> Tallies {
    let mut all = Tallies::default();
    for part in parts {
        all.iter_mut().zip(part).for_each(|(all, part)| all.add_all(*part));
    }
    all
}

/// The number of cases by their outcomes.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub right: usize,
    pub wrong: usize,
    pub failed: usize,
    pub unanswered: usize,
}

/// The results of a driver.
///
/// A case is right or wrong by the levels that the texts decide, unless other levels were requested. Cases that show a
/// habit of the official engine are counted separately.
pub struct Report<'c> {
    pub(super) about: About,
    version: String,
    sha256: String,
    pub(super) sentences: std::collections::HashMap<String, Sentence>,
    pub(super) chapters: Vec<Chapter>,
    pub(super) asked: Vec<Asked<'c>>,
    /// The cases that were left out, by the missing ability of the driver.
    pub(super) left_out: BTreeMap<String, usize>,
    pub(super) noise: (usize, Option<String>),
    pub(super) slowest: (Duration, String),
    /// The reason why the run ended early.
    pub(super) stopped: Option<String>,
    /// The levels that decide.
    deciding: Vec<Level>,
    pub(super) changes: Option<Changes>,
}

impl<'c> Report<'c> {
    pub(super) fn new(suite: &Suite, about: About) -> Self {
        Report {
            about,
            version: suite.version.clone(),
            sha256: suite.sha256.clone(),
            sentences: suite.statements.clone(),
            chapters: Vec::new(),
            asked: Vec::new(),
            left_out: BTreeMap::new(),
            noise: (0, None),
            slowest: Default::default(),
            stopped: None,
            deciding: Level::DECIDED.to_vec(),
            changes: None,
        }
    }

    pub(super) fn leave_out(&mut self, case: &Case, why: String) {
        *self.left_out.entry(why).or_default() += 1;
        // The chapter is listed all the same.
        self.tallies(case);
    }

    pub(super) fn add(
        &mut self,
        case: &'c Case,
        request: &'c Value,
        levels: Vec<Level>,
        answer: Value,
        time: Duration,
    ) {
        let mut of_request = case.clone();
        of_request.levels = levels;
        if let Some(form) = case.forms.iter().find(|form| std::ptr::eq(&form.request, request)) {
            of_request.answer = form.answer.clone();
        }
        let scored = of_request.score_with(&answer, self.about.typing());
        let tallies = self.tallies(case);
        for (level, scored) in &scored {
            tallies[*level as usize].add(*scored);
        }
        for (level, scored) in &scored {
            if let Some(tally) = self.graded(case, &of_request.answer, *level) {
                tally.add(*scored);
            }
        }
        let at = |wanted: Scored| scored.iter().filter(move |(_, scored)| *scored == wanted).map(|(level, _)| *level);
        let wrong: Vec<Level> = at(Scored::Wrong).collect();
        let outcome = match () {
            () if at(Scored::Unsupported).count() == scored.len() => Outcome::Unanswered,
            () if wrong.is_empty() => Outcome::Right,
            () => Outcome::Wrong,
        };
        let got = if wrong.is_empty() { Value::Null } else { answer };
        self.asked.push(Asked { case, request, outcome, wrong, got, fault: None, time });
    }

    pub(super) fn fail(&mut self, case: &'c Case, request: &'c Value, fault: &Fault, time: Duration) {
        self.tallies(case);
        // No answer is a wrong verdict.
        let wanted = case.forms.iter().find(|form| std::ptr::eq(&form.request, request)).map(|form| &form.answer);
        if case.levels.contains(&Level::Verdict)
            && let Some(tally) = self.graded(case, wanted.unwrap_or(&case.answer), Level::Verdict)
        {
            tally.wrong += 1;
        }
        let got = json!({ "fault": fault.name() });
        let fault = Some(fault.to_string());
        self.asked.push(Asked { case, request, outcome: Outcome::Failed, wrong: Vec::new(), got, fault, time });
    }

    /// The part of the grade of a chapter that a level of an answer counts for.
    fn graded(&mut self, case: &Case, wanted: &Value, level: Level) -> Option<&mut Tally> {
        let chapter = self.chapters.iter_mut().find(|chapter| chapter.name == case.chapter)?;
        match level {
            _ if case.basis == Basis::Engine => None,
            Level::Verdict if wanted["ok"] == true => Some(&mut chapter.grade.valid),
            Level::Verdict => Some(&mut chapter.grade.invalid),
            Level::Tree | Level::Value => Some(&mut chapter.grade.meaning),
            _ => None,
        }
    }

    fn tallies(&mut self, case: &Case) -> &mut Tallies {
        let chapter = match self.chapters.iter().position(|chapter| chapter.name == case.chapter) {
            Some(at) => at,
            None => {
                self.chapters.push(Chapter {
                    name: case.chapter.clone(),
                    sections: Vec::new(),
                    grade: Grade::default(),
                });
                self.chapters.len() - 1
            }
        };
        let sections = &mut self.chapters[chapter].sections;
        let section = match sections.iter().position(|(name, _)| *name == case.section) {
            Some(at) => at,
            None => {
                sections.push((case.section.clone(), Tallies::default()));
                sections.len() - 1
            }
        };
        &mut sections[section].1
    }

    /// Makes answers right or wrong by these levels, instead of those that the texts decide.
    pub fn decide_by(&mut self, levels: &[Level]) {
        self.deciding = levels.to_vec();
    }

    /// Returns the baseline of the run: its failures.
    pub fn baseline(&self) -> Baseline {
        Baseline::of(self.failures().map(|case| case.id.as_str()))
    }

    /// Compares with the failures that are expected; the differences are shown and decide the result.
    pub fn compare(&mut self, baseline: &Baseline) {
        let known: HashSet<&str> = baseline.ids().iter().map(String::as_str).collect();
        let mut changes = Changes::default();
        for asked in &self.asked {
            let id = &asked.case.id;
            let is_known = known.contains(&**id);
            match self.outcome(asked) {
                Outcome::Wrong | Outcome::Failed if !is_known && !is_habit(asked) => changes.failures.push(id.clone()),
                Outcome::Right if is_known => changes.passes.push(id.clone()),
                Outcome::Unanswered if is_known => changes.unanswered.push(id.clone()),
                _ => {}
            }
        }
        self.changes = Some(changes);
    }

    /// The outcome of a case by the levels that decide.
    pub(super) fn outcome(&self, asked: &Asked<'_>) -> Outcome {
        match asked.outcome {
            Outcome::Wrong if asked.wrong.iter().any(|level| self.deciding.contains(level)) => Outcome::Wrong,
            Outcome::Wrong | Outcome::Right => Outcome::Right,
            Outcome::Failed => Outcome::Failed,
            Outcome::Unanswered => Outcome::Unanswered,
        }
    }

    /// The cases that are wrong or at which the driver failed, without habits of the official engine.
    pub(super) fn failures(&self) -> impl Iterator<Item = &'c Case> {
        let failed = |asked: &&Asked<'c>| matches!(self.outcome(asked), Outcome::Wrong | Outcome::Failed);
        self.asked.iter().filter(failed).filter(|asked| !is_habit(asked)).map(|asked| asked.case)
    }

    /// Returns true if no answer is wrong and the driver never failed, or, with a baseline, if nothing has changed.
    pub fn is_right(&self) -> bool {
        let is_clean = match &self.changes {
            Some(changes) => changes.are_none(),
            None => self.failures().next().is_none(),
        };
        is_clean && self.noise.0 == 0
    }

    /// Returns the reason why the run has no result: it was stopped, or there were no answers.
    pub fn stopped(&self) -> Option<&str> {
        let counts = self.counts(None);
        match &self.stopped {
            Some(why) => Some(why),
            None if counts.right + counts.wrong == 0 => Some("nothing was answered"),
            None => None,
        }
    }

    /// The outcomes of the cases with this authority, or of all.
    pub(super) fn counts(&self, basis: Option<bool>) -> Counts {
        let mut counts = Counts::default();
        for asked in self.asked.iter().filter(|asked| basis.is_none_or(|habits| is_habit(asked) == habits)) {
            match self.outcome(asked) {
                Outcome::Right => counts.right += 1,
                Outcome::Wrong => counts.wrong += 1,
                Outcome::Failed => counts.failed += 1,
                Outcome::Unanswered => counts.unanswered += 1,
            }
        }
        counts
    }

    /// The driver and the suite, for reports that have names with values.
    pub(super) fn properties(&self) -> [(&'static str, String); 3] {
        [("driver", self.about.name()), ("suite.version", self.version.clone()), ("suite.sha256", self.sha256.clone())]
    }

    /// The grade of all chapters.
    pub(super) fn grade(&self) -> Grade {
        let mut all = Grade::default();
        self.chapters.iter().for_each(|chapter| all.add(&chapter.grade));
        all
    }

    pub(super) fn all(&self) -> Tallies {
        let chapters: Vec<Tallies> = self.chapters.iter().map(Chapter::all).collect();
        sum(chapters.iter())
    }

    /// Returns the cases to show: wrong ones before those that are wrong only at levels that do not decide.
    pub(super) fn differences(&self) -> Vec<&Asked<'c>> {
        let shown = |asked: &&Asked<'_>| asked.fault.is_some() || !asked.wrong.is_empty();
        let mut found: Vec<&Asked<'c>> = self.asked.iter().filter(shown).collect();
        found.sort_by_key(|asked| (!matches!(self.outcome(asked), Outcome::Wrong | Outcome::Failed), is_habit(asked)));
        found
    }

    /// For programs: JSON with all differences.
    pub fn to_json(&self) -> String {
        let chapter = |chapter: &Chapter| {
            let sections = chapter.sections.iter().filter(|(name, _)| !name.is_empty());
            let sections: Vec<Value> = sections
                .map(|(name, tallies)| json!({ "section": name, "levels": tallies_to_json(tallies) }))
                .collect();
            json!({
                "chapter": chapter.name,
                "levels": tallies_to_json(&chapter.all()),
                "grade": chapter.grade.to_json(),
                "sections": sections,
            })
        };
        let difference = |asked: &&Asked<'_>| {
            let levels: Vec<&str> = asked.wrong.iter().map(|level| level.as_str()).collect();
            let mut found = json!({
                "id": asked.case.id,
                "statements": asked.case.statements,
                "levels": levels,
                "counts": matches!(self.outcome(asked), Outcome::Wrong | Outcome::Failed),
                "habit": is_habit(asked),
                "request": asked.request,
                "wanted": asked.wanted(),
                "got": asked.got,
            });
            if let Some(fault) = &asked.fault {
                found["fault"] = json!(fault);
            }
            found
        };
        let counts = |counts: Counts| {
            let Counts { right, wrong, failed, unanswered } = counts;
            json!({ "right": right, "wrong": wrong, "failed": failed, "unanswered": unanswered })
        };
        let mut report = json!({
            "driver": self.about.json,
            "suite": { "form": SUITE_FORM, "version": self.version, "sha256": self.sha256 },
            "cases": self.asked.len(),
            "left_out": self.left_out,
            "counts": counts(self.counts(Some(false))),
            "habits": counts(self.counts(Some(true))),
            "noise": self.noise.0,
            "levels": tallies_to_json(&self.all()),
            "grade": self.grade().to_json(),
            "chapters": self.chapters.iter().map(chapter).collect::<Vec<_>>(),
            "differences": self.differences().iter().map(difference).collect::<Vec<_>>(),
        });
        if let Some(why) = self.stopped() {
            report["stopped"] = json!(why);
        }
        if let Some(changes) = &self.changes {
            let Changes { failures, passes, unanswered } = changes;
            report["changes"] = json!({ "failures": failures, "passes": passes, "unanswered": unanswered });
        }
        format!("{report}\n")
    }
}

pub(super) fn is_habit(asked: &Asked<'_>) -> bool {
    asked.case.basis == Basis::Engine
}
