//! The program `hcldec` beside the official program of that name.
//!
//! A case of `fixtures/hcldec` has the `arguments` to call the program with, the files in its folder, perhaps the text of
//! `stdin`, and in `answer` what the official program (v2.25.0) answered: its status,
//! its result, the places of its errors, how many warnings. A fence `differs` says why our answer is
//! another one; that is in `ours`.
//!
//! To record answers, the official program is needed; it is named by an environment variable:
//!
//!     go install github.com/hashicorp/hcl/v2/cmd/hcldec@v2.25.0
//!     OFFICIAL_HCLDEC=~/go/bin/hcldec UPDATE_GOLDEN=1 cargo test --package hcl-lr-cli --test programs hcldec::
//!
//! Without `UPDATE_GOLDEN` that checks that it still answers what is recorded. Without the program
//! nothing can be recorded, and the test says that it was skipped.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use hcl_lr::model::json::decode_implied;
use serde_json::{Value, json};

use crate::cli::Scratch;
use crate::support::cases::Case;
use crate::support::golden::{Golden, cases};

/// Returns true if answers are to be recorded.
fn is_recording() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// The answer of a program.
struct Answer {
    status: i64,
    /// The printed JSON, unchanged; empty if there is none.
    result: String,
    /// The files, starts and ends of the errors.
    errors: BTreeSet<String>,
    /// The number of warnings.
    warnings: usize,
    stderr: String,
}

impl Answer {
    fn of(program: &str, case: &Case, folder: &Scratch) -> Answer {
        case.write_files(&folder.0);
        let mut child = Command::new(program)
            .current_dir(&folder.0)
            .arg("--diags=json")
            .args(case.text("arguments").lines())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = case.find("stdin").map_or(&[][..], |fence| &fence.bytes);
        // A program that does not read its input may be gone already.
        let _ = child.stdin.take().expect("its input").write_all(input);
        let output = child.wait_with_output().expect("the program ends");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        let diagnostics: Value = serde_json::from_str(&stderr).unwrap_or_default();
        let list = diagnostics["diagnostics"].as_array().cloned().unwrap_or_default();
        let errors =
            list.iter().filter(|diagnostic| diagnostic["severity"] == "error" && diagnostic["subject"].is_object());
        Answer {
            status: i64::from(output.status.code().expect("a status")),
            result: String::from_utf8(output.stdout).expect("UTF-8"),
            errors: errors.map(|diagnostic| range(&diagnostic["subject"])).collect(),
            warnings: list.iter().filter(|diagnostic| diagnostic["severity"] == "warning").count(),
            stderr,
        }
    }

    /// Reads a recorded answer. Without one there is nothing that another could be the same as.
    fn read(case: &Case, kind: &str) -> Answer {
        let none = || json!({ "status": -1, "result": "", "errors": [] });
        let recorded = case.find(kind).map_or_else(none, |fence| serde_json::from_str(fence.text()).expect("JSON"));
        let errors = recorded["errors"].as_array().expect("errors").iter();
        Answer {
            status: recorded["status"].as_i64().expect("a status"),
            result: recorded["result"].as_str().expect("a result").to_owned(),
            errors: errors.map(|error| error.as_str().expect("a place").to_owned()).collect(),
            warnings: recorded["warnings"].as_u64().unwrap_or(0) as usize,
            stderr: String::new(),
        }
    }

    fn to_text(&self) -> String {
        let mut answer = json!({ "status": self.status, "result": self.result, "errors": self.errors });
        if self.warnings > 0 {
            answer["warnings"] = json!(self.warnings);
        }
        serde_json::to_string_pretty(&answer).expect("JSON") + "\n"
    }

    /// Returns the difference to another answer, if any. Results are compared as JSON values.
    fn difference(&self, other: &Answer) -> Option<String> {
        let value = |text: &str| decode_implied(&in_order(text)).ok();
        let same = self.status == other.status
            && (self.result == other.result
                || value(&self.result).is_some() && value(&self.result) == value(&other.result))
            && self.errors == other.errors
            && self.warnings == other.warnings;
        (!same).then(|| {
            format!(
                "status {} and {}\n{}{}{:?}\n{:?}\n{}",
                self.status, other.status, self.result, other.result, self.errors, other.errors, other.stderr
            )
        })
    }
}

/// A result in an order of its own, if it is a list of variables: the official program lists those of
/// an object now in one order, now in another.
fn in_order(result: &str) -> String {
    match serde_json::from_str(result) {
        Ok(Value::Array(mut list)) if list.iter().all(|item| item["root_name"].is_string()) => {
            list.sort_by_key(|item| range(&item["range"]));
            Value::Array(list).to_string()
        }
        _ => result.to_owned(),
    }
}

/// `file:line:column:byte-line:column:byte`
fn range(subject: &Value) -> String {
    let at = |end: &Value| format!("{}:{}:{}", end["line"], end["column"], end["byte"]);
    format!("{}:{}-{}", subject["filename"].as_str().unwrap_or_default(), at(&subject["start"]), at(&subject["end"]))
}

#[test]
fn the_answers_are_those_of_the_official_program() {
    let (mut wrong, mut golden) = (Vec::new(), Golden::new());
    let cases = cases("hcldec");
    for case in &cases {
        let ours = Answer::of(env!("CARGO_BIN_EXE_hcldec"), case, &Scratch::new(&format!("hcldec-{}", case.name)));
        let official = Answer::read(case, "answer");
        let expected = if case.find("differs").is_some() { "ours" } else { "answer" };
        match Answer::read(case, expected).difference(&ours) {
            Some(_) if expected == "ours" && is_recording() => golden.check_case(case, "ours", &ours.to_text()),
            difference => wrong.extend(difference.map(|difference| format!("{}: {difference}", case.place()))),
        }
        if expected == "ours" && official.difference(&ours).is_none() {
            wrong.push(format!("{}: the answers do not differ any more", case.place()));
        }
    }
    golden.finish();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() >= 60, "there are {} cases", cases.len());
}

#[test]
#[ignore = "needs hcldec"]
fn needs_hcldec_the_recorded_answers_are_right() {
    let program = crate::support::needs::variable("OFFICIAL_HCLDEC");
    let (mut wrong, mut golden) = (Vec::new(), Golden::new());
    for case in cases("hcldec") {
        let answer = Answer::of(&program, &case, &Scratch::new(&format!("hcldec-official-{}", case.name)));
        match Answer::read(&case, "answer").difference(&answer) {
            Some(_) if is_recording() => golden.check_case(&case, "answer", &answer.to_text()),
            difference => wrong.extend(difference.map(|difference| format!("{}: {difference}", case.place()))),
        }
    }
    golden.finish();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
