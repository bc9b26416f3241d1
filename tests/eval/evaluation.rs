//! Random sources with the answers of the official engine: expressions, templates, bodies, files,
//! variables, static expressions and traversals.
//!
//! `fixtures/sample.jsonl` was recorded by the program in `crates/tools/differential`. Where a line has an answer of
//! its own in `ours`, the two differ: in value for a reason that stands in `DIVERGENCES.md`, of
//! which `why` is the name of the row, or in the places of errors.

use std::collections::BTreeMap;

use hcl_lr::Scope;
use hcl_lr::model::{Type, Value};

use differential::Random;
use differential::comparison::answers::{Difference, difference};
use differential::comparison::rows::Case;
use differential::comparison::sources::ROWS;
use differential::questions::sources::{Kind, Question, Setting, WANTED, variables};
use serde_json::{Value as Json, json};

const SAMPLE: &str = include_str!("../fixtures/sample.jsonl");

fn ask(question: &Question) -> Json {
    crate::support::protocol::ask(&question.request(&variables()))
}

/// A recorded question, if it is one.
fn recorded_question(line: &Json) -> Option<Question> {
    let named = |name: &str| line.get(name).and_then(Json::as_str);
    let setting = named("setting").unwrap_or(Setting::Usual.name());
    Some(Question {
        kind: Kind::ALL.into_iter().find(|kind| Some(kind.op()) == named("op"))?,
        text: named("src")?.to_owned(),
        setting: Setting::ALL.into_iter().find(|known| known.name() == setting)?,
        want: named("want").map_or(Some(WANTED[0]), |want| WANTED.into_iter().find(|known| *known == want))?,
    })
}

/// The row that explains a difference between two answers.
fn row(question: &Question, theirs: &Json, ours: &Json) -> Option<&'static str> {
    Case::new(&question.request(&variables()), theirs, ours).row(ROWS)
}

fn about(kind: Kind, text: &str) -> Question {
    Question { kind, text: text.to_owned(), setting: Setting::Usual, want: "list" }
}

/// With `UPDATE_GOLDEN=1`, records where errors are now that are reported elsewhere than by the official engine, and the
/// answers that differ as a row says. Other differences stay as they are.
fn record_places() {
    let mut text = String::new();
    for line in SAMPLE.lines() {
        let mut recorded: Json = serde_json::from_str(line).expect("a line of JSON");
        let question = recorded_question(&recorded).expect("a question");
        let ours = ask(&question);
        match difference(&recorded["answer"], &ours) {
            None if recorded["why"].is_null() => drop(recorded.as_object_mut().expect("an object").remove("ours")),
            Some(difference) if difference.is_place() => {
                let why = json!(row(&question, &recorded["answer"], &ours));
                let range =
                    |diagnostic: &Json| json!({"range": diagnostic["range"], "severity": diagnostic["severity"]});
                let diagnostics: Vec<Json> = ours["diags"].as_array().expect("a list").iter().map(range).collect();
                recorded["ours"] = json!({"diags": diagnostics, "ok": ours["ok"], "parsed": ours["parsed"]});
                if ours["parsed"].is_null() {
                    recorded["ours"].as_object_mut().expect("an object").remove("parsed");
                }
                recorded["why"] = why;
            }
            Some(_) => {
                if let Some(row) = row(&question, &recorded["answer"], &ours) {
                    let why = json!(row);
                    (recorded["ours"], recorded["why"]) = (ours, why);
                }
            }
            None => {}
        }
        text += &format!("{recorded}\n");
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sample.jsonl");
    std::fs::write(path, text).expect("a writable fixture");
}

#[test]
fn the_sample_is_answered_as_by_the_official_engine() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return record_places();
    }
    let mut wrong = Vec::new();
    let mut lines: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    let (mut places, mut values) = (0, 0);
    for line in SAMPLE.lines() {
        let recorded: Json = serde_json::from_str(line).expect("a line of JSON");
        let question = recorded_question(&recorded).expect("a question");
        let answer = ask(&question);
        let (count, errors) = lines.entry(question.kind).or_default();
        *count += 1;
        *errors += usize::from(recorded["answer"]["ok"] == false);
        if let Some(difference) = difference(recorded.get("ours").unwrap_or(&recorded["answer"]), &answer) {
            wrong.push(format!("{difference:?}: {}", question.to_json()));
        }
        if recorded.get("ours").is_none() {
            continue;
        }
        // A difference from the official engine must be the one of its row.
        let difference = difference(&recorded["answer"], &answer).expect("a difference");
        match row(&question, &recorded["answer"], &answer) {
            Some(row) => {
                values += 1;
                assert_eq!(recorded["why"], row, "{}", question.to_json());
            }
            None => {
                places += 1;
                assert!(difference.is_place(), "{difference:?}: {}", question.to_json());
            }
        }
    }
    let total: usize = lines.values().map(|(count, _)| count).sum();
    assert!(wrong.is_empty(), "{} of {total} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(total >= 3_000 && lines.len() == Kind::ALL.len(), "{lines:?}");
    for (kind, (count, errors)) in lines {
        assert!(
            count >= 100 && errors * 10 > count && errors * 10 < 8 * count,
            "{kind:?}: {errors} of {count} are errors"
        );
    }
    assert!(values * 100 < total && places * 25 < total, "{values} and {places} of {total} differ");
}

/// The difference of an answer with this value to ours, and its explanation.
fn compared(kind: Kind, text: &str, value: Json) -> Option<(Difference, Option<&'static str>)> {
    let (question, theirs) = (about(kind, text), json!({ "parsed": true, "ok": true, "diags": [], "value": value }));
    let ours = ask(&question);
    let difference = difference(&theirs, &ours)?;
    Some((difference, row(&question, &theirs, &ours)))
}

#[test]
fn what_differs_on_purpose_is_explained() {
    let value = |row| Some((Difference::Value, Some(row)));
    let dynamic = json!({"unknown": "dynamic"});
    let text = json!({"unknown": "string", "refine": {"notnull": true}});
    let cases = [
        (Kind::Template, "${-z}.", json!("-0."), "values.negative-zero"),
        (Kind::Expression, "\"${1.1 * 1.1}!\"", json!(format!("1.21{}1!", "0".repeat(100))), "values.arithmetic"),
        (Kind::Expression, "-usm", json!({"unknown": "number", "refine": {"notnull": true}}), "values.marks-of-unary"),
        (Kind::Expression, "l[dm]", dynamic.clone(), "values.marks-of-index"),
        (Kind::Expression, "{(dm) = 1}", dynamic.clone(), "values.marks-of-keys"),
        (Kind::Expression, "[for x in dm: x]", dynamic, "values.marks-of-dynamic"),
        (Kind::Template, "%{for x in l}${usm}%{endfor}", text, "values.marks-of-join"),
        (Kind::Template, "%{if f}${nm}%{endif}", json!(""), "values.marks-of-failure"),
    ];
    for (kind, text, theirs, row) in cases {
        assert_eq!(compared(kind, text, theirs), value(row), "{text}");
    }
}

#[test]
fn what_differs_in_another_way_is_not_explained() {
    let open = Some((Difference::Value, None));
    assert_eq!(compared(Kind::Template, "${-z}.", json!("-1.")), open);
    assert_eq!(compared(Kind::Template, "${z}.", json!("-0.")), open);
    assert_eq!(compared(Kind::Expression, "usm", json!({"unknown": "string"})), open);
    assert_eq!(compared(Kind::Expression, "-usm", json!({"unknown": "string"})), open);
    assert_eq!(compared(Kind::Expression, "\"${1.5 * 1.5}\"", json!("2.26")), open);
    assert_eq!(compared(Kind::Expression, "1 + 1", json!({"number": "2"})), None);
}

#[test]
fn the_same_seed_gives_the_same_questions() {
    let names = ["a".to_owned()];
    let questions = |seed| {
        let mut random = Random::new(seed);
        let kinds = Kind::ALL.iter().cycle().take(100);
        kinds.map(|kind| Question::random(&mut random, *kind, &names)).collect::<Vec<_>>()
    };
    assert_eq!(questions(7), questions(7));
    assert_ne!(questions(7), questions(8));
    for question in questions(9) {
        let recorded = recorded_question(&question.to_json()).expect("a question");
        assert_eq!((&recorded.text, recorded.kind), (&question.text, question.kind));
        assert_eq!(recorded.request(&variables()), question.request(&variables()));
    }
}

/// Names are the same however their characters are put together, as in the official engine.
#[test]
fn names_are_normalized_where_they_are_selected() {
    let value = Value::object([("é", Value::from(1))]);
    let scope = Scope::new()
        .with("u", value.clone())
        .with("m", Value::map(Type::Number, [("é", Value::from(1))]).expect("a map"))
        .with("l", Value::tuple([value]));
    let one = Value::from(1);
    for (text, wanted) in [
        ("{ e\u{301} = 1 }.e\u{301}", one.clone()),
        ("{ é = 1 }.e\u{301}", one.clone()),
        ("u.e\u{301}", one.clone()),
        ("m.e\u{301}", one.clone()),
        ("u[\"e\u{301}\"]", one.clone()),
        ("l[*].e\u{301}", Value::tuple([one.clone()])),
        ("l.*.e\u{301}", Value::tuple([one.clone()])),
        ("l[0].e\u{301}", one.clone()),
    ] {
        let expression = hcl_lr::parse::<hcl_lr::Expression>(text).into_result().expect("an expression");
        assert_eq!(expression.evaluate(&scope).expect(text), wanted, "{text}");
    }
    let path = hcl_lr::parse::<hcl_lr::Traversal>("u.e\u{301}").into_result().expect("a path");
    assert_eq!(path.evaluate(&scope).expect("a value"), one);
}

/// An empty list of any type goes with all lists, as in the official engine.
#[test]
fn lists_are_concatenated_with_empty_ones() {
    let concat = hcl_lr::functions::standard().get("concat").cloned().expect("it is there");
    let none = Value::list(Type::Dynamic, []).expect("nothing");
    let some = Value::list(Type::String, [Value::from("a")]).expect("strings");
    for arguments in [[none.clone(), some.clone()], [some.clone(), none.clone()]] {
        assert_eq!(concat.call(&arguments).expect("a list"), some);
    }
    assert_eq!(concat.call(&[none.clone(), none.clone()]).expect("a list"), none);
}
