//! Asks another driver of the conformance protocol random questions of all kinds, and compares its answers with
//! those of this library:
//!
//! ```text
//! cargo run --release -p differential -- [--against 'COMMAND']…
//!     [--seed N] [--count N] [--kind KIND,…] [--files FOLDER] [--show N] [--record FILE] [--defect NAME]
//! ```
//!
//! A kind of questions goes to the first COMMAND that does not call it unsupported, or to the environment variable
//! `OFFICIAL_DRIVER`: `crates/conformance/drivers/go/build` builds a driver around the official library.
//!
//! Differences that are there on purpose are counted for each row of `DIVERGENCES.md`; so are those in
//! the places of errors alone. Any other difference makes the program fail: of each sort, `--show` questions are made as
//! small as they can be while the answers still differ in this way, and printed as a line of JSON with the
//! `request` and both answers.
//!
//! `--files` formats the files of a folder, as they are and with other blanks, instead of random texts. `--record` writes all
//! questions with the answers of the driver to a file, as the tests replay them. `--defect` puts a mistake into the answers of this library, to see that it is found: `--defect list` lists them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use differential::peers::{self, Answers, Driver, Ours};
use differential::questions::format;
use differential::{KINDS, Kind, Random, Verdict, defects, record, shrink};
use serde_json::{Value as Json, json};

/// The number of pending questions.
const WINDOW: usize = 500;

/// The command line.
struct Arguments {
    against: Vec<String>,
    seed: u64,
    count: usize,
    kinds: Vec<&'static Kind>,
    show: usize,
    files: Option<PathBuf>,
    record: Option<PathBuf>,
    defect: Option<&'static defects::Defect>,
}

const USAGE: &str = "usage: hcl-differ [--against 'COMMAND']… [--seed N] [--count N] [--kind KIND,…] \
                     [--files FOLDER] [--show N] [--record FILE] [--defect NAME]";

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut found = Arguments {
        against: Vec::new(),
        seed: 1,
        count: 10_000,
        kinds: Vec::new(),
        show: 3,
        files: None,
        record: None,
        defect: None,
    };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or(USAGE)?;
        match name.as_str() {
            "--against" => found.against.push(value),
            "--seed" => found.seed = value.parse()?,
            "--count" => found.count = value.parse()?,
            "--show" => found.show = value.parse()?,
            "--files" => found.files = Some(value.into()),
            "--record" => found.record = Some(value.into()),
            "--kind" => {
                for name in value.split(',') {
                    let kind = KINDS.iter().find(|kind| kind.name == name);
                    let known = || KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
                    found.kinds.push(kind.ok_or_else(|| format!("{name} is none of the kinds {}", known()))?);
                }
            }
            "--defect" => {
                let defect = defects::DEFECTS.iter().find(|defect| defect.name == value);
                let known = || defects::DEFECTS.iter().map(|defect| defect.name).collect::<Vec<_>>().join(", ");
                found.defect = Some(defect.ok_or_else(|| format!("the defects are {}", known()))?);
            }
            _ => return Err(USAGE.into()),
        }
    }
    if found.against.is_empty() {
        found.against.push(std::env::var("OFFICIAL_DRIVER").map_err(|_| USAGE)?);
    }
    if found.kinds.is_empty() {
        found.kinds = KINDS.iter().filter(|kind| found.files.is_none() || kind.name == "format").collect();
    }
    Ok(found)
}

/// The number of findings, and some of them.
type Found = (usize, Vec<Json>);

/// The findings in the questions of a kind.
#[derive(Default)]
struct Findings {
    asked: usize,
    errors: usize,
    places: usize,
    explained: BTreeMap<&'static str, usize>,
    /// By how the answers differ.
    differing: BTreeMap<String, Found>,
}

impl Findings {
    fn add(&mut self, verdict: Verdict, request: &Json, theirs: &Json) {
        self.asked += 1;
        self.errors += usize::from(theirs["ok"] == false);
        match verdict {
            Verdict::Same => {}
            Verdict::Place => self.places += 1,
            Verdict::Explained(row) => *self.explained.entry(row).or_default() += 1,
            Verdict::Different(how) => {
                let (count, some) = self.differing.entry(how).or_default();
                *count += 1;
                if some.len() < 40 {
                    some.push(request.clone());
                }
            }
        }
    }

    fn unexplained(&self) -> usize {
        self.differing.values().map(|(count, _)| count).sum()
    }
}

/// The questions of a run.
fn requests(kind: &Kind, seed: u64, count: usize, files: Option<&Path>) -> Vec<Json> {
    match files {
        Some(folder) => format::of_files(folder, &mut Random::new(seed)),
        None => std::iter::repeat_with((kind.questions)(seed)).take(count).collect(),
    }
}

/// Asks questions of a kind, one window after the other.
fn ask(
    kind: &Kind,
    requests: &[Json],
    them: &mut dyn Answers,
    us: &mut dyn Answers,
    record: &mut Option<BufWriter<File>>,
) -> Result<Findings, Box<dyn Error>> {
    let mut findings = Findings::default();
    for requests in requests.chunks(WINDOW) {
        let (theirs, ours) = peers::both(them, us, requests)?;
        for ((request, theirs), ours) in requests.iter().zip(&theirs).zip(&ours) {
            let mut verdict = (kind.compare)(request, theirs, ours);
            if let (Some(file), Some(line)) = (&mut *record, record::line(request, theirs, ours, &verdict)) {
                writeln!(file, "{line}")?;
            }
            if matches!(verdict, Verdict::Different(_)) && changes(kind, request, them, ours)? {
                verdict = Verdict::Explained("answers of the engine that change from time to time");
            }
            findings.add(verdict, request, theirs);
        }
    }
    Ok(findings)
}

/// Asks the other driver a few times more; returns true if one of its answers agrees with ours.
fn changes(kind: &Kind, request: &Json, them: &mut dyn Answers, ours: &Json) -> Result<bool, Box<dyn Error>> {
    let again = vec![request.clone(); 8];
    them.begin(&again)?;
    let answers = them.answers(&again)?;
    Ok(answers.iter().any(|theirs| (kind.compare)(request, theirs, ours) == Verdict::Same))
}

/// Prints what differs, made small.
fn show(
    kind: &Kind,
    findings: &Findings,
    most: usize,
    theirs: &mut dyn Answers,
    ours: &mut dyn Answers,
) -> Result<(), Box<dyn Error>> {
    for (how, (count, requests)) in &findings.differing {
        println!("{count} of {} differ: {how} ({})", findings.asked, kind.name);
        let mut shown: Vec<Json> = Vec::new();
        for request in requests.iter().step_by(requests.len().div_ceil(most.max(1)).max(1)) {
            let small = shrink::shrink(request, &mut |requests| {
                let (theirs, ours) = peers::both(theirs, ours, requests)?;
                let alike = |((request, theirs), ours): ((&Json, &Json), &Json)| {
                    (kind.compare)(request, theirs, ours) == Verdict::Different(how.clone())
                };
                Ok(requests.iter().zip(&theirs).zip(&ours).position(alike))
            })?;
            if shown.contains(&small) {
                continue;
            }
            let (theirs, ours) = peers::both(theirs, ours, std::slice::from_ref(&small))?;
            println!("{}", json!({ "request": small, "engine": theirs[0], "ours": ours[0] }));
            shown.push(small);
        }
    }
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = arguments()?;
    let mut drivers = arguments.against.iter().map(|command| Driver::start(command)).collect::<Result<Vec<_>, _>>()?;
    let mut ours = Ours { defect: arguments.defect };
    let mut record = arguments.record.as_ref().map(File::create).transpose()?.map(BufWriter::new);
    let shares: usize = arguments.kinds.iter().map(|kind| kind.share).sum();
    let started = Instant::now();
    let (mut total, mut unexplained) = (0, 0);
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    println!("{:16} {:>9} {:>9} {:>9} {:>9} {:>9}", "kind", "questions", "errors", "explained", "places", "differ");
    for kind in &arguments.kinds {
        let count = (arguments.count * kind.share).div_ceil(shares);
        let mut able = None;
        for (number, driver) in drivers.iter_mut().enumerate() {
            let answer = driver.answers(&[(kind.questions)(arguments.seed)()])?;
            if answer[0].get("unsupported").is_none() && answer[0].get("bad_request").is_none() {
                able = Some(number);
                break;
            }
        }
        let Some(driver) = able.and_then(|number| drivers.get_mut(number)) else {
            println!("{:16} unsupported", kind.name);
            continue;
        };
        let requests = requests(kind, arguments.seed, count, arguments.files.as_deref());
        let findings = ask(kind, &requests, driver, &mut ours, &mut record)?;
        let explained: usize = findings.explained.values().sum();
        let Findings { asked, errors, places, .. } = findings;
        println!("{:16} {asked:9} {errors:9} {explained:9} {places:9} {:9}", kind.name, findings.unexplained());
        for (row, count) in &findings.explained {
            *rows.entry(row).or_default() += count;
        }
        total += asked;
        unexplained += findings.unexplained();
        show(kind, &findings, arguments.show, driver, &mut ours)?;
    }
    for (row, count) in rows {
        println!("{count:9} {row}");
    }
    let (seed, seconds) = (arguments.seed, started.elapsed().as_secs());
    println!("{total} questions from seed {seed} in {seconds} s, {unexplained} differences without explanation");
    Ok(ExitCode::from(u8::from(unexplained > 0)))
}
