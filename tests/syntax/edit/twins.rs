//! The same random edits of a file in native syntax and of its twin in the JSON syntax: both must have the same values
//! afterwards.
//!
//! The judge evaluates both results: this library, or the official engine in the test that needs it. Parts of expressions
//! in strings of the JSON file are found by their text. `HCL_EDITS` makes more edits, `HCL_SEED` other ones.

use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::json::{ConversionSchema, Document};
use hcl_lr::{File, parse};
use hcl_lr_edit::address::{Address, JsonTemplates, Target, TargetKind};
use hcl_lr_edit::{Editor, InsertionPoint, NewItem};
use serde_json::{Value as Json, json};

use super::generate::Random;
use super::random::setting;
use crate::support::lines::ask_program;
use crate::support::needs;
use crate::support::protocol::ask;

const VALUES: [&str; 14] = [
    "1",
    "x + 2",
    "\"t \\\"q\\\" \\\\ ${y}\\n\"",
    "upper(y)",
    "[x, \"é\", [y]]",
    "{ k = x, \"a b\" = upper(\"${y}-${x}\") }",
    "x > 1 ? y : \"n\"",
    "[for i in [1, x] : i * 2]",
    "\"%{ if x > 1 }${y}%{ else }o%{ endif }\"",
    "\"$${x} %%{y}\"",
    "!(x == 1)",
    "max(x, 1, 3)",
    "<<EOT\nline ${y}\nEOT",
    "null",
];

const NEW: [&str; 8] =
    ["7", "x * (x + 1)", "\"n \\\"${y}\\\" \\t\"", "[y]", "{ z = x }", "y", "upper(\"u\\\\${y}\")", "-x"];

/// The results of one edit in both syntaxes.
struct Pair {
    what: String,
    native: String,
    json: String,
}

/// Returns the targets that an edit can choose, and for each the one in the other file.
fn twins<'n, 'j>(native: Vec<Target<'n>>, json: &[Target<'j>]) -> Vec<(Target<'n>, Target<'j>)> {
    let is_item = |target: &Target<'_>| !matches!(target.kind(), TargetKind::Expression(_) | TargetKind::JsonValue(_));
    let is_inner = |target: &Target<'_>| matches!(target.kind(), TargetKind::Expression(_) | TargetKind::Element(_));
    let texts: Vec<&str> = native.iter().filter(|target| is_inner(target)).map(Target::text).collect();
    let mut pairs = Vec::new();
    for target in native {
        let address = target.address().to_string();
        let same = json.iter().find(|twin| {
            is_item(&target) && is_item(twin) && twin.expression().is_none() && twin.address().to_string() == address
        });
        if let Some(twin) = same {
            pairs.push((target, twin.clone()));
            continue;
        }
        // A text that is there once is the same part.
        let mut all = json.iter().filter(|twin| is_inner(twin) && twin.text() == target.text());
        if let (true, Some(twin), None) = (is_inner(&target), all.next(), all.next())
            && texts.iter().filter(|text| **text == target.text()).count() == 1
        {
            pairs.push((target, twin.clone()));
        }
    }
    pairs
}

fn edit<'f>(
    editor: &mut Editor<'f>,
    target: &Target<'f>,
    root: &Target<'f>,
    kind: usize,
    new: &NewExpression,
) -> Option<()> {
    let item = target.item().ok()?;
    let is_inner = matches!(target.kind(), TargetKind::Expression(_));
    match kind {
        0 => {
            editor.set(item, new.clone());
        }
        1 => {
            editor.wrap(item, |inner| NewExpression::list([inner]));
        }
        2 => {
            editor.wrap(item, |inner| NewTemplate::new().literal("\"$").interpolation(inner).into());
        }
        3 if !is_inner => {
            editor.remove(item);
        }
        4 => {
            let position = InsertionPoint::End(root.container().ok()?);
            editor.insert(position, NewItem::attribute("added", new.clone()));
        }
        5 if matches!(target.kind(), TargetKind::Attribute(_) | TargetKind::JsonAttribute(_)) => {
            editor.rename(item, "renamed");
        }
        6 => {
            let container = target.container().ok()?;
            let items =
                NewItem::parse_for(container, "end = x").or_else(|_| NewItem::parse_for(container, "y")).ok()?;
            for item in items {
                editor.insert(InsertionPoint::End(container), item);
            }
        }
        _ => return None,
    }
    Some(())
}

/// Makes edits of twins.
fn pairs(count: u64) -> (Vec<Pair>, [usize; 7], usize) {
    let (wanted, seed) = (setting("HCL_EDITS", count) as usize, setting("HCL_SEED", 1));
    let (mut all, mut kinds, mut refused, mut number) = (Vec::new(), [0; 7], 0, 0);
    while all.len() < wanted {
        number += 1;
        let mut random = Random::new(seed * 1_000_003 + number);
        let text: String = ["a", "bc", "d"].iter().map(|name| format!("{name} = {}\n", random.pick(&VALUES))).collect();
        let file = parse::<File>(text.as_str()).into_result().expect("a file");
        let converted = to_json(&file, &ConversionOptions::new()).into_result().expect("it can be JSON").text;
        let document = parse::<Document>(converted.as_str()).into_result().expect("JSON");
        let (schema, templates) = (ConversionSchema::new(), JsonTemplates::of(&document));
        let (deep, root): (Address, Address) = ("**".parse().expect("an address"), Address::root());
        let in_json = deep.resolve_json(&document, &schema, Some(&templates));
        let roots = (root.resolve(file.body()), root.resolve_json(&document, &schema, None));
        let twins = twins(deep.resolve(file.body()), &in_json);
        for _ in 0..4 {
            let Some((native, twin)) = twins.get(random.below(twins.len())) else { continue };
            let kind = random.below(7);
            let new = NewExpression::parse(random.pick(&NEW)).expect("an expression");
            let (mut first, mut second) =
                (Editor::new(&file), Editor::of_json(&document).with_schema(&schema).with_templates(&templates));
            let made = edit(&mut first, native, &roots.0[0], kind, &new)
                .and_then(|()| edit(&mut second, twin, &roots.1[0], kind, &new));
            if made.is_none() {
                continue;
            }
            let what = format!("edit {kind} of {native:?} and {twin:?}\n--- native\n{text}\n--- JSON\n{converted}");
            match (first.finish(), second.finish()) {
                (Ok(native), Ok(json)) => {
                    kinds[kind] += 1;
                    let (native, json) = (native.text().to_owned(), json.text().to_owned());
                    all.push(Pair { what, native, json });
                }
                (Err(_), Err(_)) => refused += 1,
                (native, json) => panic!("{native:?}\n{json:?}\n{what}"),
            }
        }
    }
    (all, kinds, refused)
}

fn questions(pair: &Pair) -> [Json; 2] {
    let vars = json!({ "x": { "number": "2" }, "y": "s" });
    [("attributes", &pair.native), ("json_attributes", &pair.json)]
        .map(|(op, src)| json!({ "op": op, "src": src, "vars": vars, "functions": ["*"] }))
}

fn compare(pair: &Pair, native: &Json, json: &Json) {
    let what = || format!("{}\n--- native after\n{}\n--- JSON after\n{}", pair.what, pair.native, pair.json);
    assert_eq!(native["ok"], json["ok"], "{native}\n{json}\n{}", what());
    if native["ok"] == true {
        assert_eq!(native["values"], json["values"], "{}", what());
    }
}

fn report(pairs: &[Pair], right: usize, kinds: [usize; 7], refused: usize) {
    println!("{} edits {kinds:?}, {right} with values, {refused} refused in both syntaxes", pairs.len());
    assert!(kinds.iter().all(|&count| count > pairs.len() / 100), "{kinds:?}");
    assert!(right > pairs.len() / 3, "{right} of {}", pairs.len());
}

#[test]
fn twins_have_the_same_values_after_the_same_edits() {
    let (pairs, kinds, refused) = pairs(600);
    let mut right = 0;
    for pair in &pairs {
        let [native, json] = questions(pair).map(|question| ask(&question));
        compare(pair, &native, &json);
        right += usize::from(native["ok"] == true);
    }
    report(&pairs, right, kinds, refused);
}

#[test]
#[ignore = "needs engine"]
fn needs_engine_twins_have_the_same_values_after_the_same_edits() {
    let (pairs, kinds, refused) = pairs(3_000);
    let questions: Vec<Json> = pairs.iter().flat_map(questions).collect();
    let answers = ask_program(&needs::engine(), &questions);
    let mut right = 0;
    for (pair, answers) in pairs.iter().zip(answers.chunks(2)) {
        compare(pair, &answers[0], &answers[1]);
        right += usize::from(answers[0]["ok"] == true);
    }
    report(&pairs, right, kinds, refused);
}

/// Comments of new text stay in native syntax, and each one that JSON cannot have is counted.
#[test]
fn comments_of_new_text_are_kept_or_counted() {
    let native = parse::<File>("web \"a\" {\n  name = 1\n}\nport = 2\n").into_result().expect("it parses");
    let json = "{\"web\": {\"a\": {\"name\": 1}}, \"port\": 2}\n";
    let json = parse::<Document>(json).into_result().expect("it parses");
    let (schema, templates) = (ConversionSchema::of(native.body()), JsonTemplates::of(&json));
    let from = parse::<File>("# one\nsize = 3 # two\n").into_result().expect("it parses");
    let size = || NewItem::from(from.body().attribute("size").expect("it is there"));
    let block = |text: &str| NewItem::parse(text);
    type Edit<'e> = &'e dyn for<'f> Fn(&mut Editor<'f>, &Target<'f>, &Target<'f>);
    let edits: [(&str, usize, Edit<'_>); 7] = [
        ("a value", 1, &|editor, _, port| {
            let value = NewExpression::parse("[1, # one\n  2]").expect("it parses");
            editor.set(port.item().expect("an item"), value);
        }),
        ("a text", 2, &|editor, web, _| {
            let end = InsertionPoint::End(web.container().expect("a block"));
            editor.insert(end, NewItem::parse("# one\nsize = 3 # two"));
        }),
        ("an item", 2, &|editor, web, _| {
            let item = NewItem::attribute("size", 3).comment("one").trailing_comment("two");
            editor.insert(InsertionPoint::End(web.container().expect("a block")), item);
        }),
        ("a copy of another file", 2, &|editor, web, _| {
            editor.insert(InsertionPoint::End(web.container().expect("a block")), size());
        }),
        ("a copy of this file", 1, &|editor, web, port| {
            let copy = editor.copy_of(port.item().expect("an item")).expect("it can be copied");
            let end = InsertionPoint::End(web.container().expect("a block"));
            editor.insert(end, copy.comment("one"));
        }),
        ("a block", 2, &|editor, web, _| {
            editor.replace(web.item().expect("an item"), block("web \"a\" {\n  # one\n  size = 3 # two\n}"));
        }),
        ("a block below a comment", 2, &|editor, web, _| {
            let item = block("web \"a\" {\n  size = 3 # two\n}").comment("one");
            editor.replace(web.item().expect("an item"), item);
        }),
    ];
    let [web, port]: [Address; 2] = ["web.a", "port"].map(|address| address.parse().expect("an address"));
    for (what, comments, edit) in edits {
        let targets = [&web, &port].map(|address| address.resolve(native.body()).remove(0));
        let mut editor = Editor::new(&native);
        edit(&mut editor, &targets[0], &targets[1]);
        let edited = editor.finish().unwrap_or_else(|error| panic!("{what}: {error}"));
        let kept = ["# one", "# two"].into_iter().filter(|comment| edited.text().contains(comment)).count();
        assert_eq!((edited.comments_left_out(), kept), (0, comments), "{what}: {}", edited.text());
        let targets = [&web, &port].map(|address| address.resolve_json(&json, &schema, Some(&templates)).remove(0));
        let mut editor = Editor::of_json(&json).with_schema(&schema).with_templates(&templates);
        edit(&mut editor, &targets[0], &targets[1]);
        let edited = editor.finish().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(edited.comments_left_out(), comments, "{what}: {}", edited.text());
    }
}
