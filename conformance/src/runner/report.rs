//! The results of a driver in figures.

use std::fmt::Write;

use serde_json::{Value, json};

use super::side_by_side::side_by_side;
use crate::suite::{Case, Level, Scored};
use hcl_lr::diagnostic::count;

/// The number of right, wrong and missing answers at a level.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: usize,
    wrong: usize,
    unsupported: usize,
}

impl Tally {
    fn add(&mut self, scored: Scored) {
        match scored {
            Scored::Right => self.right += 1,
            Scored::Wrong => self.wrong += 1,
            Scored::Unsupported => self.unsupported += 1,
        }
    }

    fn add_all(&mut self, other: Tally) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.unsupported += other.unsupported;
    }

    /// Right answers of those that there are.
    fn rate(self) -> String {
        let given = self.right + self.wrong;
        match given {
            0 if self.unsupported == 0 => String::new(),
            0 => "-".to_owned(),
            _ => format!("{}/{given}", self.right),
        }
    }

    fn to_json(self) -> Value {
        json!({ "right": self.right, "wrong": self.wrong, "unsupported": self.unsupported })
    }
}

type Tallies = [Tally; Level::ALL.len()];

fn tallies_to_json(tallies: &Tallies) -> Value {
    let levels = Level::ALL.into_iter().zip(tallies);
    Value::Object(levels.map(|(level, tally)| (level.as_str().to_owned(), tally.to_json())).collect())
}

/// A case that was not answered as it should be.
struct Difference<'c> {
    case: &'c Case,
    levels: Vec<Level>,
    got: Value,
}

impl Difference<'_> {
    fn level_names(&self) -> String {
        self.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the expected and the actual result in the same form.
    fn sides(&self) -> (String, String) {
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
            if self.case.answer.get("errors").is_some() || !errors.is_empty() {
                members.insert("errors".to_owned(), errors.into());
            }
            let wanted = |name: &String| self.case.answer.get(name).is_some();
            members.retain(|name, _| {
                wanted(name) || !["ast", "parsed", "id", "value", "values", "type"].contains(&name.as_str())
            });
        }
        let pretty = |json: &Value| serde_json::to_string_pretty(json).unwrap_or_default();
        (pretty(&self.case.answer), pretty(&got))
    }
}

/// A chapter, and its sections.
struct Chapter {
    name: String,
    sections: Vec<(String, Tallies)>,
}

impl Chapter {
    fn all(&self) -> Tallies {
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

/// The results of a driver.
pub struct Report<'c> {
    about: Value,
    chapters: Vec<Chapter>,
    /// Each case that was asked, with what is wrong with the answer.
    results: Vec<(&'c Case, Option<usize>, bool)>,
    differences: Vec<Difference<'c>>,
    pub(super) crashes: usize,
    pub(super) timeouts: usize,
}

impl<'c> Report<'c> {
    /// `about` is what the driver says of itself, or null.
    pub(super) fn new(about: Value) -> Self {
        let (chapters, results, differences) = (Vec::new(), Vec::new(), Vec::new());
        Report { about, chapters, results, differences, crashes: 0, timeouts: 0 }
    }

    pub(super) fn add(&mut self, case: &'c Case, answer: Value) {
        let scored = case.score(&answer);
        let tallies = self.tallies(case);
        for (level, scored) in &scored {
            tallies[*level as usize].add(*scored);
        }
        let at = |wanted: Scored| scored.iter().filter(move |(_, scored)| *scored == wanted).map(|(level, _)| *level);
        let wrong: Vec<Level> = at(Scored::Wrong).collect();
        let nothing = at(Scored::Unsupported).count() == scored.len();
        let difference = (!wrong.is_empty()).then_some(self.differences.len());
        self.results.push((case, difference, nothing));
        if !wrong.is_empty() {
            self.differences.push(Difference { case, levels: wrong, got: answer });
        }
    }

    fn tallies(&mut self, case: &Case) -> &mut Tallies {
        let chapter = match self.chapters.iter().position(|chapter| chapter.name == case.chapter) {
            Some(at) => at,
            None => {
                self.chapters.push(Chapter { name: case.chapter.clone(), sections: Vec::new() });
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

    /// True if no answer is wrong.
    pub fn is_right(&self) -> bool {
        self.differences.is_empty()
    }

    fn name(&self) -> String {
        match (self.about["name"].as_str(), self.about["version"].as_str()) {
            (Some(name), Some(version)) => format!("{name} {version}"),
            (Some(name), None) => name.to_owned(),
            _ => "the driver".to_owned(),
        }
    }

    fn all(&self) -> Tallies {
        let chapters: Vec<Tallies> = self.chapters.iter().map(Chapter::all).collect();
        sum(chapters.iter())
    }

    /// For people: a line for each chapter, and the first differences.
    pub fn to_text(&self, sections: bool, show: usize) -> String {
        let mut out = String::new();
        for difference in self.differences.iter().take(show) {
            let case = difference.case;
            let _ = writeln!(out, "{}: {} ({})", case.id, case.chapter, difference.level_names());
            let _ = writeln!(out, "  asked {}", case.request);
            let (wanted, got) = difference.sides();
            out.push_str(&side_by_side(&format!("wanted\n{wanted}"), &format!("got\n{got}")));
            out.push('\n');
        }
        let _ = write!(out, "{:40}", "");
        for level in Level::ALL {
            let _ = write!(out, "{:>11}", level.as_str());
        }
        out.push('\n');
        let row = |out: &mut String, name: &str, tallies: &Tallies| {
            let name: String = name.chars().take(39).collect();
            let mut line = format!("{name:40}");
            for tally in tallies {
                let _ = write!(line, "{:>11}", tally.rate());
            }
            let _ = writeln!(out, "{}", line.trim_end());
        };
        for chapter in &self.chapters {
            row(&mut out, &chapter.name, &chapter.all());
            for (name, tallies) in chapter.sections.iter().filter(|(name, _)| sections && !name.is_empty()) {
                row(&mut out, &format!("  {name}"), tallies);
            }
        }
        let all = self.all();
        row(&mut out, "all", &all);
        out.push('\n');
        let unsupported = self.results.iter().filter(|(.., nothing)| *nothing).count();
        let wrong = self.differences.len();
        let right = self.results.len() - wrong - unsupported;
        let of = count(self.results.len(), "case");
        let _ = writeln!(out, "{}: {right} right, {wrong} wrong, {unsupported} not answered, of {of}", self.name());
        if self.crashes + self.timeouts > 0 {
            let crashes = count(self.crashes, "time");
            let timeouts = count(self.timeouts, "time");
            let _ = writeln!(out, "it ended {crashes} and gave no answer {timeouts}, and was started again");
        }
        if wrong > show {
            let _ = writeln!(out, "{} of {wrong} differences are shown; --show {wrong} shows all", show.min(wrong));
        }
        out
    }

    /// For programs: JSON with all differences.
    pub fn to_json(&self) -> String {
        let chapter = |chapter: &Chapter| {
            let sections = chapter.sections.iter().filter(|(name, _)| !name.is_empty());
            let sections: Vec<Value> = sections
                .map(|(name, tallies)| json!({ "section": name, "levels": tallies_to_json(tallies) }))
                .collect();
            json!({ "chapter": chapter.name, "levels": tallies_to_json(&chapter.all()), "sections": sections })
        };
        let difference = |difference: &Difference<'_>| {
            let levels: Vec<&str> = difference.levels.iter().map(|level| level.as_str()).collect();
            json!({
                "id": difference.case.id,
                "statements": difference.case.statements,
                "levels": levels,
                "request": difference.case.request,
                "wanted": difference.case.answer,
                "got": difference.got,
            })
        };
        let report = json!({
            "driver": self.about,
            "cases": self.results.len(),
            "crashes": self.crashes,
            "timeouts": self.timeouts,
            "levels": tallies_to_json(&self.all()),
            "chapters": self.chapters.iter().map(chapter).collect::<Vec<_>>(),
            "differences": self.differences.iter().map(difference).collect::<Vec<_>>(),
        });
        format!("{report}\n")
    }

    /// A suite for each chapter, a case for each case.
    pub fn to_junit(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        for chapter in &self.chapters {
            let results = || self.results.iter().filter(|(case, ..)| case.chapter == chapter.name);
            let failures = results().filter(|(_, difference, _)| difference.is_some()).count();
            let skipped = results().filter(|(.., nothing)| *nothing).count();
            let name = xml(&chapter.name);
            let tests = results().count();
            let _ = writeln!(
                out,
                "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\">"
            );
            for (case, difference, nothing) in results() {
                let class = xml(if case.section.is_empty() { &case.chapter } else { &case.section });
                let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{}\"", xml(&case.id));
                match difference.map(|at| &self.differences[at]) {
                    Some(difference) => {
                        let (wanted, got) = difference.sides();
                        let text = format!("asked {}\n{}", case.request, side_by_side(&wanted, &got));
                        let levels = xml(&difference.level_names());
                        let _ = writeln!(out, "><failure message=\"{levels}\">{}</failure></testcase>", xml(&text));
                    }
                    None if *nothing => out.push_str("><skipped/></testcase>\n"),
                    None => out.push_str("/>\n"),
                }
            }
            out.push_str("  </testsuite>\n");
        }
        out.push_str("</testsuites>\n");
        out
    }
}

/// A text in XML. What XML cannot hold is left out.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(character),
        }
    }
    out
}
