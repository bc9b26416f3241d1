//! Traversals that are whole texts, read and applied as by the official engine.
//!
//! `fixtures/traversals/parsed.jsonl` has texts with what the official engine makes of them, as an
//! absolute traversal and as one that may have splats: the steps, or where its errors begin.
//! `applied.jsonl` has traversals with their values in a scope, in a child of it, and applied to the
//! value of their variable.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::syntax::PartialTraversal;
use hcl_lr::syntax::TraversalStep;
use hcl_lr::syntax::ast::{AccessStep, ExpressionNode};
use hcl_lr::{File, Scope, Traversal, parse};
use hcl_lr_conformance::encode_value;
use serde_json::{Value as Json, json};

const PARSED: &str = include_str!("../fixtures/traversals/parsed.jsonl");
const APPLIED: &str = include_str!("../fixtures/traversals/applied.jsonl");

/// Texts of which the first error is at another place, as `DIVERGENCES.md` says.
const OTHER_PLACES: [&str; 1] = ["partial \"a[**]\""];

fn lines(text: &str) -> impl Iterator<Item = Json> + '_ {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"))
}

fn index(key: ExpressionNode<'_>) -> Json {
    let key = key.evaluate(&Scope::new()).expect("a literal");
    json!({ "index": encode_value(&key) })
}

fn errors(diagnostics: &Diagnostics) -> Json {
    json!({ "errors": [diagnostics.iter().map(|diagnostic| diagnostic.span().start()).min()] })
}

fn absolute(text: &str) -> Json {
    let (path, diagnostics) = parse::<Traversal>(("path", text)).into_parts();
    if diagnostics.has_errors() {
        return errors(&diagnostics);
    }
    let path = path.node().expect("a traversal");
    let steps = path.steps().map(|step| match step {
        AccessStep::Attribute(name) => json!({ "attr": name.text() }),
        AccessStep::Index(key) => index(key),
        AccessStep::LegacyIndex(number) => panic!("{} in a traversal", number.text()),
        other => panic!("no test for {other:?}"),
    });
    [json!({ "root": path.root().text() })].into_iter().chain(steps).collect()
}

fn partial(text: &str) -> Json {
    let (path, diagnostics) = parse::<PartialTraversal>(("path", text)).into_parts();
    if diagnostics.has_errors() {
        return errors(&diagnostics);
    }
    let steps = path.steps().into_iter().map(|step| match step {
        TraversalStep::Attribute(name) => json!({ "attr": name.text() }),
        TraversalStep::Index(key) => index(key),
        TraversalStep::Splat(_) => json!({ "splat": [] }),
        other => panic!("{other:?} in a traversal"),
    });
    [json!({ "root": path.root() })].into_iter().chain(steps).collect()
}

#[test]
fn texts_are_read_as_by_the_official_engine() {
    let (mut wrong, mut elsewhere, mut accepted) = (Vec::new(), Vec::new(), [0, 0]);
    for line in lines(PARSED) {
        let text = line["src"].as_str().expect("a text");
        for (at, (kind, ours)) in [("absolute", absolute(text)), ("partial", partial(text))].into_iter().enumerate() {
            let theirs = &line[kind];
            accepted[at] += usize::from(theirs.is_array());
            if ours.is_array() || theirs.is_array() {
                if ours != *theirs {
                    wrong.push(format!("{kind} {text:?}: {ours} instead of {theirs}"));
                }
            } else if ours["errors"][0] != theirs["errors"][0] {
                elsewhere.push(format!("{kind} {text:?}: {ours} instead of {theirs}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed = |line: &String| OTHER_PLACES.iter().any(|text| line.starts_with(&format!("{text}: ")));
    let (listed, open): (Vec<_>, Vec<_>) = elsewhere.into_iter().partition(listed);
    assert!(open.is_empty(), "{}", open.join("\n"));
    assert_eq!(listed.len(), OTHER_PLACES.len());
    assert!(accepted[0] >= 40 && accepted[1] >= accepted[0] + 15, "{accepted:?} are accepted");
}

fn server() -> Value {
    Value::object([
        ("name", Value::from("web")),
        ("ports", Value::tuple([Value::from(80), Value::from(443)])),
        ("secret", Value::from("hunter2").mark("sensitive")),
        ("later", Value::unknown(Type::String)),
        ("none", Value::null(Type::String)),
    ])
}

fn variables() -> Vec<(&'static str, Value)> {
    let object = Type::object([("a", Type::Bool)]);
    vec![
        ("server", server()),
        ("hidden", server().mark("hidden")),
        ("list", Value::list(Type::String, [Value::from("x"), Value::from("y")]).expect("strings")),
        ("map", Value::map(Type::Number, [("k", Value::from(1)), ("0", Value::from(2))]).expect("numbers")),
        ("set", Value::set(Type::String, [Value::from("p")]).expect("strings")),
        ("text", Value::from("abc")),
        ("true", Value::from("a variable")),
        ("none", Value::null(Type::Dynamic)),
        ("open", Value::unknown(Type::Dynamic)),
        ("open_list", Value::unknown(Type::list(Type::String))),
        ("open_object", Value::unknown(object)),
    ]
}

fn answer(result: Result<Value, Diagnostics>) -> Json {
    match result {
        Ok(value) => json!({ "value": encode_value(&value) }),
        Err(diagnostics) => {
            let subject = diagnostics.iter().next().expect("an error").span();
            json!({ "error": [subject.start(), subject.end()] })
        }
    }
}

#[test]
fn traversals_lead_where_the_official_engine_gets() {
    let global = variables().into_iter().fold(Scope::new(), |scope, (name, value)| scope.with(name, value));
    let child = global.child().with("text", 7).with("own", true);
    let empty = child.child();
    let (mut wrong, mut values) = (Vec::new(), 0);
    for line in lines(APPLIED) {
        let text = line["src"].as_str().expect("a text");
        let path = parse::<Traversal>(("path", text)).into_result().expect("a path");
        let path = path.node().expect("a path");
        let root = path.root().text();
        let whole = variables().into_iter().find(|(name, _)| *name == root);
        let ours = [
            ("global", Some(answer(path.evaluate(&global)))),
            ("child", Some(answer(path.evaluate(&empty)))),
            ("applied", whole.map(|(_, value)| answer(path.apply_to(&value)))),
        ];
        for (kind, ours) in ours {
            let theirs = line.get(kind).cloned();
            values += usize::from(theirs.as_ref().is_some_and(|theirs| theirs.get("value").is_some()));
            if ours != theirs {
                wrong.push(format!("{kind} {text}: {ours:?} instead of {theirs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(values >= 80, "there are {values} values");
}

#[test]
fn a_traversal_of_a_file_is_applied_as_one_of_its_own() {
    let file = parse::<File>("a = server.ports[1]\n").into_result().expect("a file");
    let expression = file.body().attribute("a").expect("it is there").expression();
    let path = expression.static_traversal().expect("a path");
    assert_eq!(path.apply_to(&server()).expect("a value"), Value::from(443));
    let scope = Scope::new().with("server", server());
    assert_eq!(path.evaluate(&scope).expect("a value"), expression.evaluate(&scope).expect("a value"));
}

#[test]
fn long_paths() {
    let read = |path: &str, times| {
        let text = format!("a{}", path.repeat(times));
        parse::<PartialTraversal>(("path", text)).into_result()
    };
    assert_eq!(read(".b[0]", 100_000).expect("a path").steps().len(), 200_000);
    assert_eq!(read("[*].b[0]", 900).expect("a path").steps().len(), 2_700);
    let refused = read("[*].b[0]", 100_000).expect_err("splats are nested");
    assert_eq!(refused.iter().next().expect("an error").code().as_str(), "nesting-too-deep");
}
