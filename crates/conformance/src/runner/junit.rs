//! The report in the form of JUnit, as systems for continuous integration read it.

use std::fmt::Write;
use std::time::Duration;

use super::report::{Asked, Outcome, Report, is_habit};
use super::side_by_side::side_by_side;

/// The outcomes of a group of cases, as attributes.
#[derive(Clone, Copy, Default)]
struct Sums {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    time: Duration,
}

impl Sums {
    fn attributes(self) -> String {
        let Sums { tests, failures, errors, skipped, time } = self;
        let time = time.as_secs_f64();
        format!(
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time:.3}\""
        )
    }
}

impl Report<'_> {
    /// A suite for each chapter, a case for each case. Failures of the driver are errors, wrong answers are failures;
    /// habits of the official engine that the driver does not share are skipped, with the reason.
    pub fn to_junit(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let name = xml(&self.about.name());
        let all = self.sums(|_| true);
        let _ = writeln!(out, "<testsuites name=\"HCL conformance of {name}\" {}>", all.attributes());
        for chapter in &self.chapters {
            let sums = self.sums(|asked| asked.case.chapter == chapter.name);
            let _ = writeln!(out, "  <testsuite name=\"{}\" {}>", xml(&chapter.name), sums.attributes());
            let _ = writeln!(out, "    <properties>");
            for (name, value) in self.properties() {
                let _ = writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", xml(&value));
            }
            let _ = writeln!(out, "    </properties>");
            for asked in self.asked.iter().filter(|asked| asked.case.chapter == chapter.name) {
                self.case(&mut out, asked);
            }
            out.push_str("  </testsuite>\n");
        }
        if let Some(why) = self.stopped() {
            let why = xml(why);
            let sums = Sums { tests: 1, errors: 1, ..Sums::default() };
            let _ = writeln!(out, "  <testsuite name=\"The run\" {}>", sums.attributes());
            let _ = writeln!(
                out,
                "    <testcase classname=\"hcl\" name=\"run\" time=\"0.000\"><error message=\"{why}\"/></testcase>"
            );
            out.push_str("  </testsuite>\n");
        }
        out.push_str("</testsuites>\n");
        out
    }

    fn sums(&self, of: impl Fn(&Asked<'_>) -> bool) -> Sums {
        let mut sums = Sums::default();
        for asked in self.asked.iter().filter(|asked| of(asked)) {
            sums.tests += 1;
            sums.time += asked.time;
            match self.outcome(asked) {
                Outcome::Right => {}
                Outcome::Failed => sums.errors += 1,
                Outcome::Wrong if !is_habit(asked) => sums.failures += 1,
                Outcome::Wrong | Outcome::Unanswered => sums.skipped += 1,
            }
        }
        sums
    }

    fn case(&self, out: &mut String, asked: &Asked<'_>) {
        let case = asked.case;
        // A statement is a class, so that the report can be folded by chapter, topic and statement.
        let class = case.statements.first().map_or("hcl", String::as_str);
        let time = asked.time.as_secs_f64();
        let _ = write!(
            out,
            "    <testcase classname=\"hcl.{}\" name=\"{}\" time=\"{time:.3}\">",
            xml(class),
            xml(&case.id)
        );
        match self.outcome(asked) {
            Outcome::Right => {}
            Outcome::Failed => {
                let fault = xml(asked.fault.as_deref().unwrap_or_default());
                let _ = write!(
                    out,
                    "<error type=\"fault\" message=\"{fault}\">{}</error>",
                    xml(&format!("asked {}", asked.question()))
                );
            }
            Outcome::Wrong if is_habit(asked) => {
                let _ = write!(out, "<skipped message=\"a habit of the official engine, which no text asks for\"/>");
            }
            Outcome::Wrong => {
                let (wanted, got) = asked.sides();
                let mut text = String::new();
                for name in &case.statements {
                    if let Some(sentence) = self.sentences.get(name) {
                        let _ = writeln!(text, "{name}: {}", sentence.text);
                        if !sentence.origin.is_empty() {
                            let _ = writeln!(text, "from {}", sentence.origin);
                        }
                    }
                }
                let _ = writeln!(text, "asked {}\n{}", asked.question(), side_by_side(&wanted, &got));
                let levels = xml(&asked.level_names());
                let _ = write!(out, "<failure type=\"{levels}\" message=\"wrong {levels}\">{}</failure>", xml(&text));
            }
            Outcome::Unanswered => {
                let _ = write!(out, "<skipped message=\"not answered\"/>");
            }
        }
        out.push_str("</testcase>\n");
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
