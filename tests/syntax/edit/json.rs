//! Random edits of documents in the JSON syntax: the result parses, contains exactly the requested changes, and the
//! text outside of the edits is unchanged.

use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::parse;
use hcl_lr::source::Span;
use hcl_lr_edit::{EditError, JsonEditor, JsonPosition};

use super::generate::Random;
use super::random::setting;

/// The contents of a document.
#[derive(Clone, Debug, PartialEq)]
enum Model {
    Scalar(String),
    Array(Vec<Model>),
    Object(Vec<(String, Model)>),
}

fn read(node: Node<'_>) -> Model {
    match node.kind() {
        NodeKind::Object(object) => Model::Object(
            object.properties().map(|property| (property.name().into_owned(), read(property.value()))).collect(),
        ),
        NodeKind::Array(array) => Model::Array(array.elements().map(read).collect()),
        _ => Model::Scalar(node.text().to_owned()),
    }
}

/// A part of a document: the indexes on its path, and its node.
#[derive(Clone)]
struct Known<'d> {
    path: Vec<usize>,
    node: Node<'d>,
}

fn known<'d>(node: Node<'d>, path: Vec<usize>, found: &mut Vec<Known<'d>>) {
    let values: Vec<Node<'d>> = match node.kind() {
        NodeKind::Object(object) => object.properties().map(|property| property.value()).collect(),
        NodeKind::Array(array) => array.elements().collect(),
        _ => Vec::new(),
    };
    found.push(Known { path: path.clone(), node });
    for (index, value) in values.into_iter().enumerate() {
        let path = path.iter().copied().chain([index]).collect();
        known(value, path, found);
    }
}

impl Model {
    fn at(&mut self, path: &[usize]) -> &mut Model {
        let Some((first, rest)) = path.split_first() else { return self };
        match self {
            Model::Array(elements) => elements[*first].at(rest),
            Model::Object(properties) => properties[*first].1.at(rest),
            Model::Scalar(_) => panic!("no parts"),
        }
    }

    fn remove(&mut self, index: usize) -> Model {
        match self {
            Model::Array(elements) => elements.remove(index),
            Model::Object(properties) => properties.remove(index).1,
            Model::Scalar(_) => panic!("no parts"),
        }
    }

    fn insert(&mut self, index: usize, name: &str, value: Model) {
        match self {
            Model::Array(elements) => elements.insert(index, value),
            Model::Object(properties) => properties.insert(index, (name.to_owned(), value)),
            Model::Scalar(_) => panic!("no parts"),
        }
    }

    fn len(&self) -> usize {
        match self {
            Model::Array(elements) => elements.len(),
            Model::Object(properties) => properties.len(),
            Model::Scalar(_) => 0,
        }
    }

    fn has(&self, name: &str) -> bool {
        matches!(self, Model::Object(properties) if properties.iter().any(|(other, _)| other == name))
    }
}

/// A JSON text with the layout of a style.
fn value(random: &mut Random, depth: usize, indent: usize, style: usize, out: &mut String) {
    let (unit, lines) = ([2, 4, 0, 2][style], style != 2);
    let kind = random.below(if depth == 0 { 4 } else { 7 });
    let count = random.below(4);
    let (open, close) = match kind {
        0..=3 => {
            out.push_str(random.pick(&["1", "\"a, [b] {c}\"", "true", "null", "-2.5e3", "\"\\\"\\u00e9\""]));
            return;
        }
        4 => ('[', ']'),
        _ => ('{', '}'),
    };
    // Some are in one line in a document with lines.
    let lines = lines && !random.one_in(3);
    out.push(open);
    for index in 0..count {
        out.push_str(if index > 0 { "," } else { "" });
        match lines {
            true => out.push_str(&format!("\n{}", " ".repeat(indent + unit))),
            false => out.push_str(if index > 0 { " " } else { "" }),
        }
        if open == '{' {
            out.push_str(&format!("\"{}\"{}", ["a", "bc", "d e", "//"][index], [": ", " : ", ":", ": "][style]));
        }
        value(random, depth - 1, indent + unit, if lines { style } else { 2 }, out);
    }
    if lines && count > 0 {
        out.push_str(&format!("\n{}", " ".repeat(indent)));
    }
    out.push(close);
}

fn document(random: &mut Random) -> String {
    let style = random.below(4);
    let mut text = String::new();
    value(random, 4, 0, style, &mut text);
    text.push_str(if random.one_in(2) { "\n" } else { "" });
    if random.one_in(4) { text.replace('\n', "\r\n") } else { text }
}

#[test]
fn random_edits_of_documents_give_what_was_asked() {
    let (wanted, seed) = (setting("HCL_EDITS", 3_000) as usize, setting("HCL_SEED", 1));
    let (mut made, mut refused, mut number) = ([0; 6], 0, 0);
    while made.iter().sum::<usize>() < wanted {
        number += 1;
        let mut random = Random::new(seed * 1_000_003 + number);
        let random = &mut random;
        let text = document(random);
        let parsed = parse::<Document>(text.as_str()).into_result().unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let mut all = Vec::new();
        known(parsed.root(), Vec::new(), &mut all);
        let mut expected = read(parsed.root());
        let parts: Vec<&Known<'_>> = all.iter().filter(|part| !part.path.is_empty()).collect();
        let containers: Vec<&Known<'_>> =
            all.iter().filter(|part| !matches!(read(part.node), Model::Scalar(_))).collect();
        let mut new_text = String::new();
        value(random, 2, 0, 0, &mut new_text);
        let new_document = parse::<Document>(new_text.as_str()).into_value();
        let new = read(new_document.root());
        let mut editor = JsonEditor::new(&parsed);
        let kind = random.below(6);
        // The places in which text may change.
        let mut allowed: Vec<Span> = Vec::new();
        let mut taken = false;
        match kind {
            0 => {
                let one = &all[random.below(all.len())];
                editor.set(one.node, &new_text);
                *expected.at(&one.path) = new;
                allowed.push(one.node.span());
            }
            1 if !containers.is_empty() => {
                let one = containers[random.below(containers.len())];
                let is_object = one.node.as_object().is_some();
                let model = expected.at(&one.path);
                taken = is_object && model.has("bc");
                let (position, index) = match random.one_in(2) {
                    true => (JsonPosition::Start, 0),
                    false => (JsonPosition::End, model.len()),
                };
                editor.insert(one.node, position, is_object.then_some("bc"), &new_text);
                model.insert(index, "bc", new);
                allowed.push(one.node.span());
            }
            2 if !parts.is_empty() => {
                let one = parts[random.below(parts.len())];
                let (index, outer) = one.path.split_last().expect("a part");
                let parent = all.iter().find(|other| other.path == outer).expect("its container");
                let is_object = parent.node.as_object().is_some();
                let model = expected.at(outer);
                taken = is_object && model.has("new");
                let (position, index) = match random.one_in(2) {
                    true => (JsonPosition::Before(one.node), *index),
                    false => (JsonPosition::After(one.node), index + 1),
                };
                editor.insert(parent.node, position, is_object.then_some("new"), &new_text);
                model.insert(index, "new", new);
                allowed.push(parent.node.span());
            }
            3 if !parts.is_empty() => {
                // Two parts, unless one contains the other.
                let first = parts[random.below(parts.len())];
                let second = parts[random.below(parts.len())];
                let (first, second) = if first.path > second.path { (first, second) } else { (second, first) };
                for removed in [Some(first), Some(second).filter(|part| !first.path.starts_with(&part.path))] {
                    let Some(removed) = removed else { continue };
                    let (index, outer) = removed.path.split_last().expect("a part");
                    editor.remove(removed.node);
                    expected.at(outer).remove(*index);
                    let parent = all.iter().find(|other| other.path == outer).expect("its container");
                    allowed.push(parent.node.span());
                }
            }
            4 if !parts.is_empty() => {
                let one = parts[random.below(parts.len())];
                let (index, outer) = one.path.split_last().expect("a part");
                let parent = all.iter().find(|other| other.path == outer).expect("its container");
                let Some(object) = parent.node.as_object() else { continue };
                let property = object.properties().nth(*index).expect("the property");
                taken = property.name() != "bc" && expected.at(outer).has("bc");
                editor.rename(property, "bc");
                if let Model::Object(properties) = expected.at(outer) {
                    properties[*index].0 = "bc".to_owned();
                }
                allowed.push(property.name_span());
            }
            5 if !parts.is_empty() => {
                let one = parts[random.below(parts.len())];
                let to = containers[random.below(containers.len())];
                let (index, outer) = one.path.split_last().expect("a part");
                if to.path.starts_with(&one.path) || to.path == outer {
                    continue;
                }
                let is_object = to.node.as_object().is_some();
                taken = is_object && expected.at(&to.path).has("moved");
                editor.move_to(one.node, to.node, JsonPosition::End, is_object.then_some("moved"));
                // The path to the other container is that before the removal.
                let model = expected.at(&one.path).clone();
                let target = expected.at(&to.path);
                target.insert(target.len(), "moved", model);
                expected.at(outer).remove(*index);
                let parent = all.iter().find(|other| other.path == outer).expect("its container");
                allowed.extend([parent.node.span(), to.node.span()]);
            }
            _ => continue,
        }
        let edited = match editor.finish() {
            Ok(edited) => edited,
            Err(EditError::NameTaken(_)) if taken => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("document {number}: edit {kind}: {error:?}\n{text}"),
        };
        let what = || format!("document {number}: edit {kind}\n--- before\n{text}\n--- after\n{edited}");
        assert!(!taken, "a name is there twice: {}", what());
        let found = parse::<Document>(edited.as_str());
        assert!(!found.has_errors(), "it has errors: {}", what());
        assert_eq!(read(found.value().root()), expected, "{}", what());
        let start = allowed.iter().map(|span| span.start()).min().unwrap_or_default();
        let end = allowed.iter().map(|span| span.end()).max().unwrap_or_default();
        assert!(edited.starts_with(&text[..start]) && edited.ends_with(&text[end..]), "{}", what());
        let loose = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
        assert!(!text.contains("\r\n") || loose(&edited) == 0, "line ends: {}", what());
        made[kind] += 1;
    }
    println!("{number} documents: {made:?}, {refused} refused");
    assert!(made.iter().all(|&count| count > wanted / 50), "{made:?}");
}

#[test]
fn edits_of_unfinished_documents_are_refused() {
    let whole = "{\"a\": 1, \"b\": {\"c\": [1, {\"d\": null}]}, \"e\": [2]}";
    for end in 0..whole.len() {
        let document = parse::<Document>(&whole[..end]).into_value();
        let mut all = Vec::new();
        known(document.root(), Vec::new(), &mut all);
        for one in &all {
            for kind in 0..5 {
                let mut editor = JsonEditor::new(&document);
                let _ = match kind {
                    0 => editor.set(one.node, "7"),
                    1 => editor.remove(one.node),
                    2 => editor.insert(one.node, JsonPosition::End, Some("n"), "7"),
                    3 => editor.insert(one.node, JsonPosition::Start, None, "7"),
                    _ => editor.extend(one.node, "7"),
                };
                // Removing the root changes nothing, and leaves the errors.
                let refused = editor.finish();
                let is_refused = matches!(
                    refused,
                    Err(EditError::Broken(_) | EditError::Misplaced(_) | EditError::Within(_) | EditError::Build(_))
                );
                let is_whole = one.path.is_empty() && matches!(kind, 0 | 4);
                assert!(is_refused || is_whole, "{kind} at {:?} in {}: {refused:?}", one.path, &whole[..end]);
            }
        }
    }
}

#[test]
fn a_value_is_extended_by_all_new_elements() {
    let document = parse::<Document>("{\n  \"a\": {\"b\": 1}\n}\n").into_result().expect("JSON");
    let a = document.root().as_object().expect("an object").properties().next().expect("a").value();
    let mut editor = JsonEditor::new(&document);
    editor.extend(a, "[\n  1\n]").extend(a, "2");
    let expected = "{\n  \"a\": [{\"b\": 1}, [1], 2]\n}\n";
    assert_eq!(editor.finish().expect("an edit"), expected);
    let mut editor = JsonEditor::new(&document);
    editor.extend(a, "2").set(a, "[\n  1\n]");
    assert!(editor.finish().expect("an edit").contains("[[1], 2]"));
}
