//! The report for people.

use std::fmt::Write;
use std::time::Duration;

use super::report::{Asked, Counts, Report, Tallies, is_habit};
use super::side_by_side::side_by_side;
use crate::suite::Level;
use hcl_lr::diagnostic::count;

/// The slowest answer is shown if it takes longer than this.
const SLOW: Duration = Duration::from_secs(1);
/// The most names of cases in a line.
const MAX_NAMES: usize = 20;

impl Report<'_> {
    /// Returns a text for people: the first differences, a line for each chapter, and the totals.
    pub fn to_text(&self, sections: bool, show: usize) -> String {
        let mut out = String::new();
        let differences = self.differences();
        for asked in differences.iter().take(show) {
            self.difference(&mut out, asked);
        }
        self.chapters(&mut out, sections);
        self.figures(&mut out);
        if differences.len() > show {
            let all = differences.len();
            let _ = writeln!(out, "{show} of {all} differences are shown; --show {all} shows all");
        }
        out
    }

    fn difference(&self, out: &mut String, asked: &Asked<'_>) {
        let case = asked.case;
        let kind = match () {
            () if asked.fault.is_some() => "fault".to_owned(),
            () if is_habit(asked) => format!("{}; a habit of the official engine", asked.level_names()),
            () => asked.level_names(),
        };
        let _ = writeln!(out, "{}: {} ({kind})", case.id, case.chapter);
        for name in &case.statements {
            if let Some(sentence) = self.sentences.get(name) {
                let _ = writeln!(out, "  {name}: {}", sentence.text);
                if !sentence.origin.is_empty() {
                    let _ = writeln!(out, "  from {}", sentence.origin);
                }
            }
        }
        let _ = writeln!(out, "  asked {}", asked.question());
        match &asked.fault {
            Some(fault) => {
                let _ = writeln!(out, "  {fault}");
            }
            None => {
                let (wanted, got) = asked.sides();
                out.push_str(&side_by_side(&format!("wanted\n{wanted}"), &format!("got\n{got}")));
            }
        }
        out.push('\n');
    }

    fn chapters(&self, out: &mut String, sections: bool) {
        let _ = write!(out, "{:40}", "");
        for level in Level::ALL {
            let _ = write!(out, "{:>11}", level.as_str());
        }
        out.push_str("      grade\n");
        let row = |out: &mut String, name: &str, tallies: &Tallies, points: Option<usize>| {
            let name: String = name.chars().take(39).collect();
            let mut line = format!("{name:40}");
            for tally in tallies {
                let _ = write!(line, "{:>11}", tally.rate());
            }
            let _ = write!(line, "{:>11}", points.map_or(String::new(), |points| points.to_string()));
            let _ = writeln!(out, "{}", line.trim_end());
        };
        for chapter in &self.chapters {
            row(out, &chapter.name, &chapter.all(), chapter.grade.points());
            for (name, tallies) in chapter.sections.iter().filter(|(name, _)| sections && !name.is_empty()) {
                row(out, &format!("  {name}"), tallies, None);
            }
        }
        row(out, "all", &self.all(), self.grade().points());
        out.push('\n');
    }

    fn figures(&self, out: &mut String) {
        let Counts { right, wrong, failed, unanswered } = self.counts(Some(false));
        let of = count(right + wrong + failed + unanswered, "case");
        let failed = if failed > 0 { format!("{failed} failed, ") } else { String::new() };
        let _ = writeln!(
            out,
            "{}: {right} right, {wrong} wrong, {failed}{unanswered} not answered, of {of}",
            self.about.name()
        );
        let grade = self.grade();
        if let Some(line) = grade.line() {
            let (right, given) = (grade.valid.right + grade.invalid.right, grade.valid.given() + grade.invalid.given());
            let _ = writeln!(
                out,
                "verdicts: {right} of {given} right; the same verdict for all would be right {} times",
                grade.floor()
            );
            let _ = writeln!(out, "{line}");
        }
        let habits = self.counts(Some(true));
        let given = habits.right + habits.wrong + habits.failed;
        if given > 0 {
            let _ = writeln!(out, "habits of the official engine: {} of {given} the same", habits.right);
        }
        for (why, cases) in &self.left_out {
            let _ = writeln!(out, "left out for lack of {why}: {}", count(*cases, "case"));
        }
        if let (lines, Some(first)) = &self.noise {
            let _ = writeln!(out, "lines that are no answers: {lines}; the first: {first}");
            let _ = writeln!(out, "write logs to standard error");
        }
        if self.slowest.0 > SLOW {
            let _ = writeln!(out, "slowest answer: {:.1} seconds, {}", self.slowest.0.as_secs_f64(), self.slowest.1);
        }
        if let Some(changes) = &self.changes {
            for (what, names) in [
                ("new failures", &changes.failures),
                ("new passes, to be removed from the baseline", &changes.passes),
                ("no longer answered", &changes.unanswered),
            ] {
                if !names.is_empty() {
                    let more = names.len().saturating_sub(MAX_NAMES);
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    let shown = &names[..names.len().min(MAX_NAMES)];
                    let _ = writeln!(out, "{what} ({}): {}{more}", names.len(), shown.join(", "));
                }
            }
            if changes.are_none() {
                let _ = writeln!(out, "all failures are those of the baseline");
            }
        }
    }
}
