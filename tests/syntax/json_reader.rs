//! The reader of JSON documents: trees, what is accepted, and inputs that are not JSON at all.
//!
//! A case of `fixtures/json` is a document and its tree; it is without errors, unless the name of the case
//! begins with `broken-`. The messages about errors are in `fixtures/diagnostics`.
//! `fixtures/json/answers.jsonl` is what the official engine answers to documents.

use crate::support::golden::{Golden, cases, fixtures};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::json::{Document, Node, NodeDump, NodeKind};
use hcl_lr::model::Number;
use hcl_lr::parse;
use hcl_lr::source::{Source, Span};
use proptest::prelude::*;

fn read(text: impl Into<Vec<u8>>) -> (Document, Diagnostics) {
    parse::<Document>(("x.json", text.into())).into_parts()
}

#[test]
fn trees_are_as_recorded() {
    let mut golden = Golden::new();
    for case in cases("json") {
        let name = &case.name;
        let (document, diagnostics) = read(case.fences[0].bytes.clone());
        assert_eq!(diagnostics.has_errors(), name.starts_with("broken-"), "the errors of {name} are: {diagnostics}");
        check(&document, &diagnostics);
        golden.check_case(&case, "tree", &NodeDump(document.root()).to_string());
    }
    golden.finish();
}

/// Each line is a document, whether the official engine accepts it, and the byte of its first
/// error. Where that of this reader is another one, which `DIVERGENCES.md` explains, it stands in
/// `ours`.
#[test]
fn answers_are_those_of_the_official_engine() {
    let path = fixtures("json", &["jsonl"]).pop().expect("the answers");
    let mut wrong = Vec::new();
    let text = std::fs::read_to_string(path).expect("readable answers");
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("an answer");
        let source = Source::new("x.json", answer["src"].as_str().expect("a document"));
        let diagnostics = parse::<hcl_lr::ConfigFile>(source).into_parts().1;
        let found = diagnostics.errors().next().map(|error| error.span().start() as u64);
        let engine = answer["at"].as_u64();
        let expected = answer["ours"].as_u64().or(engine);
        if answer["accepted"] != engine.is_none() || found != expected {
            wrong.push(format!("{line}: {diagnostics}"));
        }
    }
    assert!(text.lines().count() > 150);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_are_exact() {
    let (document, diagnostics) = read("[0.1, 1e20000, -1.50E+2, 123456789012345678901234567890]");
    assert!(diagnostics.is_empty());
    let array = document.root().as_array().expect("an array");
    let numbers: Vec<Number> = array
        .elements()
        .map(|node| match node.kind() {
            NodeKind::Number(number) => number.value(),
            _ => panic!("{node:?}"),
        })
        .collect();
    let expected = ["0.1", "1e20000", "-150", "123456789012345678901234567890"];
    assert_eq!(numbers, expected.map(|text| Number::parse(text).expect("a number")));
}

#[test]
fn members_and_elements_have_places() {
    let text = r#"{"a\n": [1, {}], "b": null}"#;
    let (document, _) = read(text);
    let object = document.root().as_object().expect("an object");
    assert_eq!((object.open_span(), object.close_span()), (Span::new(0, 1), Span::new(26, 27)));
    assert_eq!((object.len(), object.is_empty()), (2, false));
    let members: Vec<_> = object.properties().map(|m| (m.name().into_owned(), m.name_span(), m.span())).collect();
    assert_eq!(members[0], ("a\n".to_owned(), Span::new(1, 6), Span::new(1, 15)));
    assert_eq!(members[1], ("b".to_owned(), Span::new(17, 20), Span::new(17, 26)));
    let array = object.properties().next().expect("a member").value().as_array().expect("an array");
    assert_eq!((array.len(), array.open_span(), array.close_span()), (2, Span::new(8, 9), Span::new(14, 15)));
}

#[test]
fn deep_documents_need_no_stack() {
    for depth in [1_000, 1_001, 1_000_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let middle = if open == "[" { "" } else { "1" };
            let text = format!("[{}{middle}{}, tru]", open.repeat(depth - 1), close.repeat(depth - 1));
            let (document, diagnostics) = read(text);
            let codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code().clone()).collect();
            let expected: &[Code] = match depth {
                1_000 => &[Code::InvalidKeyword],
                _ => &[Code::NestingTooDeep, Code::InvalidKeyword],
            };
            assert_eq!(codes, expected, "{depth} {open}");
            check(&document, &diagnostics);
        }
    }
    let (_, diagnostics) = read("[".repeat(1_000_000));
    assert_eq!(diagnostics.len(), 1);
}

/// Checks the guarantees of the tree and the diagnostics for any source.
fn check(document: &Document, diagnostics: &Diagnostics) {
    let text = document.source().text();
    let at_boundaries = |span: Span| {
        assert!(span.end() <= text.len() && text.is_char_boundary(span.start()) && text.is_char_boundary(span.end()));
    };
    for diagnostic in diagnostics {
        at_boundaries(diagnostic.span());
        diagnostic.labels().iter().for_each(|label| at_boundaries(label.place().span()));
    }
    let mut waiting = vec![document.root()];
    let mut nodes = 0;
    while let Some(node) = waiting.pop() {
        nodes += 1;
        at_boundaries(node.span());
        assert_eq!(document.node(node.id()).map(Node::span), Some(node.span()));
        let mut end = node.start_span().end();
        let mut inside = |span: Span| {
            assert!(end <= span.start() && span.end() <= node.span().end(), "{span:?} in {:?}", node.span());
            end = span.end();
        };
        match node.kind() {
            NodeKind::Object(object) => {
                for member in object.properties() {
                    nodes += 1;
                    inside(member.name_span());
                    inside(member.value().span());
                    check_string(member.name_node());
                    waiting.push(member.value());
                }
            }
            NodeKind::Array(array) => {
                for element in array.elements() {
                    inside(element.span());
                    waiting.push(element);
                }
            }
            NodeKind::String(_) => check_string(node),
            NodeKind::Number(number) => drop(number.value()),
            NodeKind::Error => assert!(!diagnostics.is_empty(), "an error node without an error"),
            NodeKind::Bool(_) | NodeKind::Null => {}
        }
    }
    assert!(document.node(nodes).is_none() && document.node(nodes - 1).is_some(), "there are not {nodes} nodes");
}

/// Each character of a decoded string stands where the offsets say.
fn check_string(node: Node<'_>) {
    let string = node.as_string().expect("a string");
    let source = node.source().text();
    let (offsets, text) = (string.offsets(), string.text());
    let mut last = string.inner_span().start();
    for (inner, c) in text.char_indices() {
        let outer = offsets.outer(inner);
        assert!(last <= outer, "{node:?}");
        let rest = &source[outer..];
        assert!(rest.starts_with(c) || rest.starts_with('\\'), "{c:?} at {outer} of {source:?}");
        last = outer;
    }
    assert_eq!(offsets.outer(text.len()), string.inner_span().end(), "{source:?}");
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"",
        "\\",
        "1",
        "-2.5e3",
        "true",
        "null",
        "tru",
        " ",
        "\n",
        "\"b\":",
        "\"b\": 1,",
        "\"\\u00e9\\n\"",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\u",
        "é",
        "😀",
        "'x'",
        "“x”",
        "//",
        "/*",
        "*/",
        "#",
        "=",
        ";",
        "var.x",
        "<<A\n",
        "\t",
        "\u{1}",
        "\u{feff}",
        "\u{a0}",
        "01",
        ".",
        "+",
        "-",
        "${",
        "(",
        ")",
        "<<<<<<<",
        "\r\n",
        "{}",
        "[]",
        "\"x\n",
        "@",
    ])
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let text = || prop::string::string_regex("[a-z\"\\\\\n\té😀${}/]{0,8}").expect("a pattern");
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e300..1e300).prop_map(|number: f64| number.into()),
        text().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::hash_map(text(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The value of a document as serde_json would have it.
fn value(node: Node<'_>) -> serde_json::Value {
    match node.kind() {
        NodeKind::Object(object) => {
            object.properties().map(|member| (member.name().into_owned(), value(member.value()))).collect()
        }
        NodeKind::Array(array) => array.elements().map(value).collect(),
        NodeKind::String(string) => string.text().into(),
        NodeKind::Number(number) => match number.text().parse::<i64>() {
            Ok(integer) => integer.into(),
            Err(_) => number.text().parse::<f64>().expect("a number").into(),
        },
        NodeKind::Bool(bool) => bool.into(),
        NodeKind::Null | NodeKind::Error => serde_json::Value::Null,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_json_are_read_without_panic(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        let (document, diagnostics) = read(text.as_str());
        check(&document, &diagnostics);
        // serde_json knows no half of a surrogate pair, and only the numbers of `f64`.
        let accepted = !diagnostics.has_errors();
        let other = serde_json::from_str::<serde_json::Value>(&text).map_err(|error| error.to_string());
        let range = other.as_ref().is_err_and(|error| error.starts_with("number out of range"));
        let excused = range || accepted && text.contains("\\ud83d");
        prop_assert!(accepted == other.is_ok() || excused, "{text:?}: {diagnostics}");
    }

    #[test]
    fn bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let (document, diagnostics) = read(bytes);
        check(&document, &diagnostics);
    }

    #[test]
    fn valid_documents_are_read_as_serde_json_does(json in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) };
        let (document, diagnostics) = read(text.expect("JSON"));
        prop_assert!(diagnostics.is_empty(), "{diagnostics}");
        check(&document, &diagnostics);
        prop_assert_eq!(value(document.root()), json);
    }

    #[test]
    fn mutated_documents_are_read_without_panic(json in json(), cut in any::<prop::sample::Index>(), piece in piece(), much in 0usize..4) {
        let mut text = serde_json::to_string_pretty(&json).expect("JSON");
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) { at -= 1; }
        let end = (at..=text.len()).filter(|&end| text.is_char_boundary(end)).nth(much).unwrap_or(text.len());
        text.replace_range(at..end, piece);
        let (document, diagnostics) = read(text.as_str());
        check(&document, &diagnostics);
    }
}
