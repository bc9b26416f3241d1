//! Runs the examples of `tests/spec`, and checks that they and the statements belong together. How to add
//! one is explained in `tests/FORMS.md`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::Path;

use crate::examples::{cases, suite};
use crate::support::lines::ask_program;
use crate::support::needs;
use crate::support::protocol::ask;
use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::{Basis, Case, Level, Scored};
use serde_json::{Value, json};

/// Kinds of diagnostics that no text can have that is one source, or that are not about what the
/// specification says. Each has fixtures of its own.
const ELSEWHERE: &[&str] = &[
    "unreadable-file",
    "definition-cycle",
    "undefined-name",
    "source-too-large",
    "too-many-errors",
    "limit-exceeded",
    "invalid-address",
    "invalid-value",
    "not-convertible",
    "invalid-tagged",
    "invalid-schema",
    "nothing-found",
    "unused-definition",
    "wrong-reference",
    "conflicting-arguments",
    "ephemeral-value",
    "wrong-version",
    "read-only-argument",
    "unknown-value",
    "deprecated",
];

#[test]
fn examples_are_as_they_say() {
    let suite = suite();
    let places: HashMap<&str, &str> =
        suite.examples.iter().map(|example| (example.id.as_str(), example.place.as_str())).collect();
    let mut problems = Vec::new();
    let cases = cases(&suite);
    let strict: HashSet<&str> = cases.iter().filter_map(|case| case.id.strip_suffix("/strict")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance/known.txt");
    let known = hcl_lr_conformance::runner::Baseline::read(&fs::read_to_string(path).expect("the known failures"));
    for id in known.ids() {
        let case = cases.iter().find(|case| case.id == *id).unwrap_or_else(|| panic!("{id} is no case"));
        assert!(
            check(case, &ask(&case.request)).is_err(),
            "{id} is right: take it out of crates/conformance/known.txt"
        );
    }
    for case in cases.iter().filter(|case| !known.ids().contains(&case.id)) {
        let mut asked = vec![(case.request.clone(), case.clone())];
        // Statements that do not mention the strict dialect hold in it, but errors may be elsewhere.
        if !case.id.ends_with("/strict") && !strict.contains(case.id.trim_end_matches("/tokens")) {
            let mut request = case.request.clone();
            request["dialect"] = json!("strict");
            let mut wanted = case.clone();
            if wanted.answer["ok"] == false {
                wanted.answer = json!({ "ok": false });
                wanted.levels = vec![Level::Verdict];
            }
            asked.push((request, wanted));
        }
        for (request, wanted) in asked {
            let answer = ask(&request);
            if let Err(what) = check(&wanted, &answer) {
                let id = wanted.id.split('/').next().unwrap_or_default();
                let dialect = request.get("dialect").map(|_| " in the strict dialect").unwrap_or_default();
                problems.push(format!(
                    "{} ({}): {what}{dialect}\n  asked   {request}\n  wanted  {}\n  got     {answer}",
                    wanted.id, places[id], wanted.answer
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n\n{}\n", problems.len(), problems.join("\n\n"));
}

/// Checks that an answer is right at all levels, and contains nothing more: no other warnings, and all of the errors
/// that the example lists.
fn check(case: &Case, answer: &Value) -> Result<(), String> {
    if let Some((level, _)) = case.score(answer).into_iter().find(|(_, scored)| !scored.is_right()) {
        return Err(format!("the {level} is another one"));
    }
    if case.levels.contains(&Level::Place) || case.answer["ok"] == true {
        for (member, severity) in [("errors", "error"), ("warnings", "warning")] {
            let got = places(answer, severity);
            let wanted: Vec<String> = case.answer[member].as_array().into_iter().flatten().map(place).collect();
            let listed = wanted.len() <= got.len()
                && wanted.iter().zip(&got).all(|(wanted, got)| got == wanted || got.starts_with(&format!("{wanted} ")));
            let others = wanted.len() < got.len() && (member == "warnings" && case.answer["ok"] == true);
            if !listed || others {
                return Err(format!("the {member} are others: {got:?}"));
            }
        }
    }
    Ok(())
}

fn place(mistake: &Value) -> String {
    let code = mistake["code"].as_str().map(|code| format!(" {code}")).unwrap_or_default();
    format!("{}:{}{code}", mistake["line"], mistake["column"])
}

fn places(answer: &Value, severity: &str) -> Vec<String> {
    let list = answer["diags"].as_array().into_iter().flatten();
    let list = list.filter(|diagnostic| diagnostic["severity"] == severity);
    let show = |diagnostic: &Value| {
        let start = diagnostic["range"].as_array().into_iter().flatten().find(|part| part.is_array());
        let start = start.cloned().unwrap_or_default();
        format!("{}:{} {}", start[0], start[1], diagnostic["code"].as_str().unwrap_or_default())
    };
    list.map(show).collect()
}

/// The output of `hcl conformance dump` is the file in the folder `conformance`.
#[test]
fn the_suite_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance/suite.jsonl");
    let lines = suite().to_lines().unwrap_or_else(|problems| panic!("{}", problems.join("\n")));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &lines).expect("a writable file");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == lines, "crates/conformance/suite.jsonl is not what `hcl conformance dump` prints");
}

/// The names of the last version of the suite are still there, or `crates/conformance/CHANGELOG.md` retires them.
#[test]
fn names_of_cases_stay() {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance").join(name);
        fs::read_to_string(path).expect("a file of the suite")
    };
    let (ids, changes) = (read("ids.txt"), read("CHANGELOG.md"));
    let known: HashSet<String> = cases(&suite()).into_iter().map(|case| case.id).collect();
    let is_gone = |id: &&str| !id.starts_with('#') && !known.contains(*id) && !changes.contains(&format!("`{id}`"));
    let gone: Vec<&str> = ids.lines().filter(is_gone).collect();
    assert!(gone.is_empty(), "name them as retired in crates/conformance/CHANGELOG.md: {gone:?}");
    let version = hcl_lr_conformance::suite::SUITE_VERSION;
    assert!(
        changes.contains(&format!("\n## {version}\n")),
        "crates/conformance/CHANGELOG.md says nothing of {version}"
    );
}

/// A version of the suite has one hash, in `crates/conformance/versions.txt`: cases whose questions or answers change need a
/// version of their own. `UPDATE_GOLDEN=1` adds the line of a new version, and never changes one.
#[test]
fn a_version_has_one_set_of_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance/versions.txt");
    let version = hcl_lr_conformance::suite::SUITE_VERSION;
    let mut lines = fs::read_to_string(&path).expect("the versions");
    let hash = suite().sha256();
    let known = lines.lines().find_map(|line| line.strip_prefix(version)?.strip_prefix("  ")).map(str::to_owned);
    if known.is_none() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        lines.push_str(&format!("{version}  {hash}\n"));
        fs::write(&path, &lines).expect("a writable file");
        return;
    }
    assert_eq!(
        known.as_deref(),
        Some(&*hash),
        "the cases are no longer those of suite {version}: give SUITE_VERSION in crates/conformance/src/suite/mod.rs a new \
         number, say in crates/conformance/CHANGELOG.md what has changed, and run this test with UPDATE_GOLDEN=1"
    );
}

/// The official engine agrees wherever the examples do not say that it differs.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_agrees() {
    let (mut asked, mut problems) = (0, Vec::new());
    let cases: Vec<_> = cases(&suite()).into_iter().filter(|case| !case.id.ends_with("/strict")).collect();
    let questions: Vec<Value> = cases.iter().map(|case| case.request.clone()).collect();
    for (mut case, answer) in cases.into_iter().zip(ask_program(&needs::engine(), &questions)) {
        if answer.get("unsupported").is_some() || answer["bad_request"].as_str().is_some_and(|why| why.contains("op")) {
            continue;
        }
        asked += 1;
        case.levels.retain(|level| ![Level::Code, Level::Recovery].contains(level));
        let wrong = case.score(&answer).into_iter().filter(|(_, scored)| *scored == Scored::Wrong);
        let wrong: Vec<String> = wrong.map(|(level, _)| level.to_string()).collect();
        if wrong != case.differs {
            let (differs, wanted) = (&case.differs, &case.answer);
            problems.push(format!(
                "{}: {wrong:?}, marked {differs:?}\n  {}\n  {wanted}\n  {answer}",
                case.id, case.request
            ));
        }
    }
    assert!(asked > 1_000, "only {asked} questions were answered");
    assert!(problems.is_empty(), "{} problems:\n\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn statements_and_examples_belong_together() {
    let suite = suite();
    let cases = cases(&suite);
    let mut problems = Vec::new();
    let mut holding: HashSet<&str> = HashSet::new();
    let mut failing: HashSet<&str> = HashSet::new();
    for case in &cases {
        let found = if case.answer["ok"] == true { &mut holding } else { &mut failing };
        found.extend(case.statements.iter().map(String::as_str));
        // Something is left of every broken source.
        if case.levels.contains(&Level::Recovery) {
            holding.extend(case.statements.iter().map(String::as_str));
        }
    }
    for statement in &suite.statements {
        let id = statement.id.as_str();
        if !holding.contains(id) {
            problems.push(format!("{}: {id} has no example that holds", statement.place));
        }
        if statement.forbids() && !failing.contains(id) {
            problems.push(format!("{}: {id} has no example of the error", statement.place));
        }
    }
    let statements: HashSet<&str> = suite.statements.iter().map(|statement| statement.id.as_str()).collect();
    let mut ids = HashSet::new();
    for example in &suite.examples {
        if !ids.insert(&example.id) {
            problems.push(format!("{}: there is another example {}", example.place, example.id));
        }
        if example.covers.is_empty() {
            problems.push(format!("{}: {} is an example of nothing", example.place, example.id));
        }
        for unknown in example.covers.iter().filter(|id| !statements.contains(id.as_str())) {
            problems.push(format!("{}: there is no statement {unknown}", example.place));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}\n", problems.len(), problems.join("\n"));
    // Not by a macro for printing: what these print is shown for failing tests only.
    let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
    for statement in &suite.statements {
        *texts.entry(statement.id.split('.').next().unwrap_or_default()).or_default() += 1;
    }
    let values = cases.iter().filter(|case| case.levels.contains(&Level::Value)).count();
    let _ = writeln!(
        std::io::stderr(),
        "{} statements {texts:?}; {} examples, {values} of them with values; {} cases",
        suite.statements.len(),
        suite.examples.len(),
        cases.len()
    );
}

/// The texts of which `crates/conformance/texts` has the sections that statements cite. The others are the official ones.
const OWN_TEXTS: &[&str] = &["rulings", "information-model", "decode-spec"];

const OTHER_TEXTS: &[&str] = &["native-syntax", "json-syntax", "lexer-modes"];

fn own_text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance/texts").join(format!("{name}.md"));
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// A text as a whole.
fn whole_text(name: &str) -> String {
    needs::specification(&format!("{}.md", if name == "rulings" { "RULINGS" } else { name }))
}

/// The excerpts in `crates/conformance/texts` are sections of their texts, word for word.
#[test]
#[ignore = "needs specifications"]
fn needs_specifications_excerpts_are_sections_of_their_texts() {
    for name in OWN_TEXTS {
        let excerpts = sections(&own_text(name));
        let cited: Vec<_> = excerpts.iter().filter(|(heading, _)| !heading.is_empty()).collect();
        assert!(!cited.is_empty(), "{name}");
        let whole = sections(&whole_text(name));
        for section in cited {
            assert!(whole.contains(section), "{name}: {} is another one in the text", section.0);
        }
    }
}

/// Every statement names the sentence that it follows from. Where the texts are silent, that is said, and nothing counts
/// against the official engine.
#[test]
fn each_statement_names_its_sentence() {
    let mut problems = sentences_not_in(OWN_TEXTS, own_text);
    for case in cases(&suite()) {
        let deciding =
            case.differs.iter().any(|level| Level::DECIDED.iter().any(|deciding| deciding.as_str() == level));
        if deciding && case.basis == Basis::Engine {
            problems.push(format!("{} is a habit of the official engine, and counts against it", case.id));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}\n", problems.len(), problems.join("\n"));
}

/// The texts that are not in `crates/conformance/texts` have the sentences that statements cite.
#[test]
#[ignore = "needs specifications"]
fn needs_specifications_each_statement_names_its_sentence() {
    let problems = sentences_not_in(OTHER_TEXTS, whole_text);
    assert!(problems.is_empty(), "{} problems:\n{}\n", problems.len(), problems.join("\n"));
}

/// Returns the statements that name no sentence, or one that does not stand under its heading in one of some texts.
fn sentences_not_in(names: &[&str], read: impl Fn(&str) -> String) -> Vec<String> {
    let mut problems = Vec::new();
    let texts: HashMap<&str, Vec<(String, String)>> = names.iter().map(|name| (*name, sections(&read(name)))).collect();
    for statement in &suite().statements {
        let (id, place) = (&statement.id, &statement.place);
        let Some(origin) = &statement.origin else {
            problems.push(format!("{place}: {id} does not say what it follows from: write `> TEXT, SECTION: WORDS`"));
            continue;
        };
        if origin.quote.is_empty() {
            continue;
        }
        let Some(sections) = texts.get(&*origin.text) else {
            if ![OWN_TEXTS, OTHER_TEXTS].concat().contains(&&*origin.text) {
                problems.push(format!("{place}: {id}: there is no text {}", origin.text));
            }
            continue;
        };
        let quote = words(&origin.quote);
        if !sections.iter().any(|(heading, text)| *heading == origin.section && text.contains(&quote)) {
            problems.push(format!("{place}: {id}: {} does not say so under {}", origin.text, origin.section));
        }
    }
    problems
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The headings of a text in Markdown, without signs for code, each with the text up to the next one.
fn sections(text: &str) -> Vec<(String, String)> {
    let (mut sections, mut fenced) = (vec![(String::new(), String::new())], false);
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        match line.strip_prefix('#').filter(|_| !fenced) {
            Some(heading) => sections.push((heading.trim_start_matches('#').trim().replace('`', ""), String::new())),
            None => sections.last_mut().expect("a section").1.extend([line, "\n"]),
        }
    }
    sections.into_iter().map(|(heading, text)| (heading, words(&text))).collect()
}

/// Every difference from the official engine is explained by a row of the table of divergences.
#[test]
fn rows_of_divergences_are_there() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("DIVERGENCES.md");
    let table = fs::read_to_string(path).expect("the table of divergences");
    let rows: HashSet<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let mut problems = Vec::new();
    for example in &suite().examples {
        let (id, place) = (&example.id, &example.place);
        match &example.row {
            Some(row) if !rows.contains(row.as_str()) => problems.push(format!("{place}: {id}: there is no row {row}")),
            Some(_) if example.differs.is_empty() => {
                problems.push(format!("{place}: {id} has a row, and differs in nothing"))
            }
            None if !example.differs.is_empty() => {
                problems.push(format!("{place}: {id} differs, and names no row"));
            }
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn each_kind_of_diagnostic_stands_in_an_example() {
    let suite = suite();
    let mut used = HashSet::new();
    for case in cases(&suite) {
        for mistake in ["errors", "warnings"].iter().flat_map(|list| case.answer[*list].as_array()).flatten() {
            used.extend(mistake["code"].as_str().map(str::to_owned));
        }
    }
    let names = || Code::ALL.iter().map(Code::as_str);
    let missing: Vec<&str> = names().filter(|name| !used.contains(*name) && !ELSEWHERE.contains(name)).collect();
    assert!(missing.is_empty(), "no example has\n  {}\n", missing.join("\n  "));
    for name in ELSEWHERE {
        assert!(names().any(|code| code == *name) && !used.contains(*name), "{name} is in the list without need");
    }
}
