//! Tests without another driver: this library answers twice, once with a mistake.

use serde_json::{Value as Json, json};

use crate::comparison::Verdict;
use crate::defects::{DEFECTS, Defect};
use crate::peers::{Answers, Ours, both};
use crate::questions::{KINDS, Kind};
use crate::shrink::{shrink, size};

fn kind(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).expect("a kind")
}

/// The kinds of questions in which a defect shows.
fn shows_in(defect: &Defect) -> &'static str {
    match defect.name {
        "conditional" | "splat" | "modulo" => "expr",
        "heredoc" => "attributes",
        "marks" | "unknown-length" => "expr",
        "empty-set" | "null-in-list" => "conversion",
        "label" => "content",
        _ => "decode",
    }
}

/// Returns the first question of a kind in which a defect shows, and its reduced form.
fn found(defect: &'static Defect) -> (Json, Json) {
    let kind = kind(shows_in(defect));
    let (mut right, mut wrong) = (Ours { defect: None }, Ours { defect: Some(defect) });
    let mut questions = (kind.questions)(1);
    let mut verdict = |requests: &[Json]| -> Vec<Verdict> {
        let (theirs, ours) = both(&mut right, &mut wrong, requests).expect("answers");
        let all = requests.iter().zip(&theirs).zip(&ours);
        all.map(|((request, theirs), ours)| (kind.compare)(request, theirs, ours)).collect()
    };
    for _ in 0..40 {
        let requests: Vec<Json> = (0..100).map(|_| questions()).collect();
        let verdicts = verdict(&requests);
        let Some(at) = verdicts.iter().position(|verdict| matches!(verdict, Verdict::Different(_))) else { continue };
        let how = &verdicts[at];
        let small = shrink(&requests[at], &mut |requests| Ok(verdict(requests).iter().position(|other| other == how)));
        return (requests[at].clone(), small.expect("it shrinks"));
    }
    panic!("{} was not found", defect.name);
}

#[test]
fn defects_are_found_and_made_small() {
    let mut sizes = Vec::new();
    for defect in &DEFECTS {
        let (request, small) = found(defect);
        println!("{:15} {:5} bytes became {:4}: {small}", defect.name, size(&request), size(&small));
        assert!(size(&small) <= 160, "{}: {small}", defect.name);
        sizes.push(size(&small));
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 100, "{sizes:?}");
}

/// A correct engine does not differ from itself.
#[test]
fn without_a_defect_nothing_differs() {
    for kind in &KINDS {
        let mut questions = (kind.questions)(7);
        let requests: Vec<Json> = (0..60).map(|_| questions()).collect();
        let (a, b) = both(&mut Ours { defect: None }, &mut Ours { defect: None }, &requests).expect("answers");
        for ((request, a), b) in requests.iter().zip(&a).zip(&b) {
            assert!(a.get("unsupported").is_none(), "{}: {request}", kind.name);
            let verdict = (kind.compare)(request, a, b);
            assert_eq!(verdict, Verdict::Same, "{}: {request}", kind.name);
        }
    }
}

/// The same seed gives the same questions, another seed others.
#[test]
fn seeds_decide_what_is_asked() {
    for kind in &KINDS {
        let asked = |seed: u64| -> Vec<Json> {
            let mut questions = (kind.questions)(seed);
            (0..20).map(|_| questions()).collect()
        };
        assert_eq!(asked(3), asked(3), "{}", kind.name);
        assert_ne!(asked(3), asked(4), "{}", kind.name);
    }
}

/// Most questions are meaningful: they are accepted, or fail for a reason other than their form.
#[test]
fn most_questions_can_be_answered() {
    for kind in &KINDS {
        let mut questions = (kind.questions)(11);
        let requests: Vec<Json> = (0..200).map(|_| questions()).collect();
        let answers = Ours { defect: None }.answers(&requests).expect("answers");
        let bad = answers.iter().filter(|answer| answer.get("bad_request").is_some()).count();
        let right = answers.iter().filter(|answer| answer["ok"] == true).count();
        println!("{:16} {right:3} of 200 accepted, {bad} bad requests", kind.name);
        assert!(bad <= 20, "{}: {bad} of 200 are bad requests", kind.name);
        assert!(right >= 30, "{}: only {right} of 200 are accepted", kind.name);
    }
}

#[test]
fn shrinking_leaves_only_what_matters() {
    let request = json!({ "op": "x", "files": [{ "src": "a = 1\nb = [2, (3 % 4)]\nc = 5\n" }, { "src": "d" }], "vars": { "u": [1, 2, 3] } });
    let small =
        shrink(&request, &mut |requests| Ok(requests.iter().position(|request| request.to_string().contains("3 % 4"))));
    assert!(size(&small.expect("it shrinks")) <= 30);
    // A request that never satisfies the test is left alone.
    let same = shrink(&request, &mut |_| Ok(None)).expect("it is left");
    assert_eq!(same, request);
}

#[test]
fn rows_have_the_names_of_the_document() {
    let document = include_str!("../../../../DIVERGENCES.md");
    let named = |row: &&str| document.contains(&format!("| `{row}` | "));
    let unnamed: Vec<&str> = crate::comparison::rows().map(|(row, _)| *row).filter(|row| !named(row)).collect();
    assert!(unnamed.is_empty(), "no rows of DIVERGENCES.md: {unnamed:?}");
}
