//! Addresses: what each leads to, the errors of a text that is none, and what holds for all.
//!
//! A case of `fixtures/address` has an address in each line of `addresses`. They are looked for in a file, or in
//! a document in JSON with a `schema`; `found` has what they lead to. Without a file, the lines are texts that are
//! no addresses, and `found` has the messages.

use crate::support::golden::{Golden, cases};
use hcl_lr::convert::{ConversionSchema, to_hcl2json};
use hcl_lr::json::Document;
use hcl_lr::{Expression, File, parse};
use hcl_lr_edit::address::{Address, JsonTemplates, Target, TargetKind};
use hcl_lr_edit::query::{Query, Subject};

fn kind(target: &Target<'_>) -> &'static str {
    match target.kind() {
        TargetKind::Body(_) | TargetKind::JsonBody(_) => "body",
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => "block",
        TargetKind::Attribute(_) | TargetKind::JsonAttribute(_) => "attribute",
        TargetKind::Entry(_) | TargetKind::JsonEntry(_) => "entry",
        TargetKind::Element(_) | TargetKind::JsonElement(_) => "element",
        TargetKind::Expression(_) | TargetKind::JsonValue(_) => "value",
        other => panic!("{other:?}"),
    }
}

/// Describes the targets of an address, one in each line.
fn found(address: &Address, targets: &[Target<'_>]) -> String {
    let mut text = format!("{address}\n");
    for target in targets {
        let position = target.place().position();
        let (line, column) = (position.line, position.column);
        let first = target.text().lines().next().unwrap_or_default();
        let labels = match target.labels_named() {
            0 => String::new(),
            named => format!(" ({named} named)"),
        };
        text += &format!("  {line}:{column} {}{labels} {}: {first}\n", kind(target), target.address());
    }
    if targets.is_empty() {
        text += "  nothing\n";
    }
    text
}

#[test]
fn addresses_lead_to_what_is_recorded() {
    let mut golden = Golden::new();
    for case in cases("address").into_iter().filter(|case| case.of_kinds(&["hcl", "json"]).next().is_some()) {
        let mut text = String::new();
        for address in case.text("addresses").lines().filter(|line| !line.is_empty()) {
            let address: Address = address.parse().unwrap_or_else(|wrong| panic!("{address}: {wrong}"));
            let again: Address = address.to_string().parse().expect("as it is read");
            assert_eq!(again, address);
            if let Some(native) = case.find("hcl") {
                let file = parse::<File>(native.text()).into_result().expect("a file without errors");
                text += &found(&address, &address.resolve(file.body()));
            } else {
                let document = parse::<Document>(case.text("json")).into_result().expect("a document without errors");
                let schema =
                    case.find("schema").map(|schema| parse::<File>(schema.text()).into_result().expect("a file"));
                let schema = schema.map_or_else(ConversionSchema::new, |file| ConversionSchema::of(file.body()));
                text +=
                    &found(&address, &address.resolve_json(&document, &schema, Some(&JsonTemplates::of(&document))));
            }
        }
        golden.check_case(&case, "found", &text);
    }
    golden.finish();
}

#[test]
fn what_is_no_address_is_said_where_it_stands() {
    let case = cases("address").into_iter().find(|case| case.of_kinds(&["hcl", "json"]).next().is_none());
    let case = case.expect("the texts that are no addresses");
    let mut text = String::new();
    for address in case.text("addresses").lines() {
        let wrong = address.parse::<Address>().expect_err(address);
        text += &wrong.render();
        text.push('\n');
    }
    let mut golden = Golden::new();
    golden.check_case(&case, "found", &text);
    golden.finish();
}

/// Its own address leads to each thing in a file, and only to it, but for what the rules say.
fn check_own_addresses(text: &str, name: &str) -> usize {
    let file = parse::<File>(text).into_value();
    let everything = Address::root().deep().resolve(file.body());
    let mut seen = std::collections::HashSet::new();
    // To resolve each takes as long as the file is: of a large file, a part is enough.
    let every = 1 + everything.len() / 150;
    for target in everything.iter().step_by(every) {
        let address = target.address();
        let again: Address = address.to_string().parse().unwrap_or_else(|wrong| panic!("{name}: {address}: {wrong}"));
        assert_eq!(again, address, "{name}");
        let found = address.resolve(file.body());
        let same = |other: &&Target<'_>| other.span() == target.span();
        match target.kind() {
            // A value has the address of what has this value, which is around it.
            TargetKind::Expression(_) => {
                let around = |other: &&Target<'_>| {
                    other.span().start() <= target.span().start() && other.span().end() >= target.span().end()
                };
                assert!(found.iter().any(|other| around(&other)), "{name}: {address}");
            }
            _ => {
                assert!(found.iter().any(|other| same(&other)), "{name}: {address}");
                let distinct = seen.insert(address.to_string());
                if address.is_exact() && distinct && found.len() > 1 {
                    let names_twice = found.iter().all(|other| other.address() == address);
                    assert!(names_twice, "{name}: {address} leads to {found:?}");
                }
            }
        }
    }
    everything.len()
}

#[test]
fn own_addresses_lead_back() {
    let mut things = 0;
    for case in cases("address").into_iter().chain(cases("syntax")) {
        things += case.find("hcl").map_or(0, |file| check_own_addresses(file.text(), &case.place()));
    }
    assert!(things > 400, "{things}");
}

#[test]
fn many_steps_to_any_depth_take_no_longer_than_a_few() {
    let depth = 200;
    let text = format!("{}x = [1]\n{}", "a \"b\" {\n".repeat(depth), "}\n".repeat(depth));
    let file = parse::<File>(text).into_result().expect("no errors");
    let address: Address = vec!["**"; 100].join(".").parse().expect("an address");
    let found = address.resolve(file.body());
    // The body of the file, the blocks, the attribute, its value and the element.
    assert_eq!(found.len(), 1 + depth + 3);
}

#[test]
fn what_nests_as_deep_as_it_may_is_found_on_a_small_stack() {
    let depth = 900;
    let repeated =
        |open: &str, inner: &str, close: &str, depth| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    let nested = |open: &str, inner: &str, close: &str| repeated(open, inner, close, depth);
    let texts = [
        format!("{}\n", nested("a \"b\" {\n", "x = f(1)\n", "}\n")),
        format!("x = {}\n", nested("[", "f(1)", "]")),
        format!("x = {}\n", nested("{ a = ", "f(1)", " }")),
        format!("x = {}\n", nested("(", "f(1)", ")")),
        format!("x = {}\n", nested("g(", "f(1)", ")")),
        format!("x = \"{}\"\n", nested("%{ if a }", "${f(1)}", "%{ endif }")),
        format!("x = {}\n", repeated("\"${", "f(1)", "}\"", depth / 2)),
    ];
    let condition =
        parse::<Expression>("node.kind == \"call\" && node.name == \"f\"").into_result().expect("a condition");
    let everything = parse::<Expression>("has(a) || has(x) || true").into_result().expect("a condition");
    let run = move || {
        for text in texts {
            let file = parse::<File>(text.as_str()).into_result().expect("no errors");
            let query = Query::new(Address::root().deep()).with_condition(condition.clone());
            assert_eq!(query.run(Subject::Native(&file)).matches().len(), 1, "{}", &text[..20]);
            let query = Query::new(Address::root()).with_condition(everything.clone());
            let answer = query.run(Subject::Native(&file));
            assert_eq!(answer.matches().len(), 1, "{}", &text[..20]);
            let value = answer.matches()[0].value_as_written(&hcl_lr::functions::standard()).expect("within limits");
            assert!(value.entries().is_some(), "{}", &text[..20]);
            assert!(!to_hcl2json(&file).into_result().expect("JSON").is_empty());
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(run).expect("a thread");
    thread.join().expect("the thread ends");
}
