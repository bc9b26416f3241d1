//! Edits: as many of them as the file has lines, at places of all kinds.

use hcl_lr::construct::NewExpression;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};
use hcl_lr::{File, parse};
use hcl_lr_edit::{Container, Editor, InsertionPoint, Item, ItemSources, NewItem};

use super::Case;

fn attributes(count: usize) -> String {
    (0..count).map(|at| format!("# of a{at}\na{at} = {at} # too\n\n")).collect()
}

fn list(count: usize) -> String {
    format!("a = [\n{}]\n", "  1, # one\n".repeat(count))
}

fn line(count: usize) -> String {
    format!("a = [{}1]\n", "1, ".repeat(count))
}

fn object(count: usize) -> String {
    format!("a = {{ {} }}\n", (0..count).map(|at| format!("a{at} = 1")).collect::<Vec<_>>().join(", "))
}

fn value(file: &File) -> ExpressionNode<'_> {
    file.body().attribute("a").expect("it is there").expression()
}

fn members(file: &File) -> Vec<Item<'_>> {
    if file.body().attribute("a").is_none() {
        return file.body().attributes().map(Item::from).collect();
    }
    match value(file).kind() {
        ExpressionKind::Tuple(tuple) => tuple.elements().map(Item::Element).collect(),
        ExpressionKind::Object(object) => object.elements().map(Item::from).collect(),
        _ => Vec::new(),
    }
}

fn item(member: Item<'_>, at: usize) -> NewItem {
    match member {
        Item::Element(_) => NewItem::element(at),
        Item::Entry(_) => NewItem::entry(&format!("b{at}"), at),
        _ => NewItem::attribute(&format!("b{at}"), at),
    }
}

pub fn all() -> Vec<Case> {
    type Change = for<'f> fn(&mut Editor<'f>, ExpressionNode<'f>, ExpressionNode<'f>);
    type Text = fn(usize) -> String;
    type Edit = for<'f> fn(&mut Editor<'f>, &'f File, Item<'f>, usize);
    let texts: [(&str, Text); 4] = [
        ("a file", attributes),
        ("a list in lines", list),
        ("a list in a line", line),
        ("an object in a line", object),
    ];
    let edits: [(&str, Edit); 6] = [
        ("setting all of", |editor, _, member, at| {
            editor.set(member, at);
        }),
        ("removing all of", |editor, _, member, _| {
            editor.remove(member);
        }),
        ("removing each second of", |editor, _, member, at| {
            if at.is_multiple_of(2) {
                editor.remove(member);
            }
        }),
        ("inserting after all of", |editor, _, member, at| {
            editor.insert(InsertionPoint::After(member), item(member, at));
        }),
        ("inserting at the end of", |editor, file, member, at| {
            let place = match member {
                Item::Attribute(_) => Container::from(file.body()),
                _ => Container::from(value(file)),
            };
            editor.insert(InsertionPoint::End(place), item(member, at));
        }),
        ("commenting all of", |editor, _, member, _| {
            editor.set_comment(member, Some("New."));
        }),
    ];
    let mut cases = Vec::new();
    for (text_name, text) in texts {
        for (edit_name, edit) in edits {
            cases.push(Case::new(format!("{edit_name} {text_name}"), 200, move |size| {
                let file = parse::<File>(text(size)).into_value();
                move || {
                    let mut editor = Editor::new(&file);
                    members(&file)
                        .into_iter()
                        .enumerate()
                        .for_each(|(at, member)| edit(&mut editor, &file, member, at));
                    editor.finish().expect("it can be done");
                }
            }));
        }
        cases.push(Case::new(format!("the sources of all of {text_name}"), 200, move |size| {
            let file = parse::<File>(text(size)).into_value();
            move || {
                let sources = ItemSources::new(&file);
                members(&file).into_iter().for_each(|member| drop(sources.of(member).expect("it has a source")));
            }
        }));
        cases.push(Case::new(format!("moving each second of {text_name}"), 200, move |size| {
            let file = parse::<File>(text(size)).into_value();
            move || {
                let (mut editor, members) = (Editor::new(&file), members(&file));
                for pair in members.chunks_exact(2) {
                    editor.move_to(pair[0], InsertionPoint::After(members[members.len() - 1]));
                    editor.set(pair[1], NewExpression::from("x"));
                }
                editor.finish().map(drop).unwrap_or_default();
            }
        }));
    }
    let sums: [(&str, Change); 3] = [
        ("setting all operands of a sum", |editor, _, operand| _ = editor.set(operand, NewExpression::from(7))),
        ("wrapping all parts of a sum", |editor, sum, operand| {
            editor.wrap(sum, |sum| NewExpression::call("f", [sum]));
            editor.wrap(operand, |operand| NewExpression::call("g", [operand]));
        }),
        ("unwrapping the operands of a sum", |editor, sum, operand| {
            // One sum stays between two that go.
            if operand.text().ends_with('0') {
                editor.unwrap(sum, operand);
            }
        }),
    ];
    for (name, change) in sums {
        cases.push(Case::new(name, 200, move |size| {
            let operands: Vec<String> = (0..size).map(|at| format!("a{at}")).collect();
            let file = parse::<File>(format!("a = {}\n", operands.join(" + "))).into_value();
            move || {
                let mut editor = Editor::new(&file);
                let mut sum = value(&file);
                while let ExpressionKind::Binary(operation) = sum.kind() {
                    change(&mut editor, sum, operation.right());
                    sum = operation.left();
                }
                let _ = editor.finish();
            }
        }));
    }
    cases.push(Case::new("comments of all items of a file", 200, |size| {
        let file = parse::<File>(attributes(size)).into_value();
        move || {
            let counts = file.body().attributes().map(|attribute| hcl_lr_edit::comments_of(&file, attribute).0.len());
            assert_eq!(counts.sum::<usize>(), file.body().attributes().count());
        }
    }));
    cases.extend(in_json());
    cases
}

/// Edits of a document in the JSON syntax.
fn in_json() -> Vec<Case> {
    use hcl_lr::json::{Document, Node};
    use hcl_lr_edit::{JsonEditor, JsonPosition};

    type Edit = for<'d> fn(&mut JsonEditor<'d>, Node<'d>, Node<'d>, usize);
    let edits: [(&str, Edit); 5] = [
        ("setting all of", |editor, _, value, _| {
            editor.set(value, "[1, 2]");
        }),
        ("removing all of", |editor, _, value, _| {
            editor.remove(value);
        }),
        ("inserting after all of", |editor, root, value, at| {
            editor.insert(root, JsonPosition::After(value), Some(&format!("b{at}")), "1");
        }),
        ("extending all of", |editor, _, value, _| {
            editor.extend(value, "1");
        }),
        ("extending the root of", |editor, root, _, _| {
            editor.extend(root, "1");
        }),
    ];
    let case = |(name, edit): (&str, Edit)| {
        Case::new(format!("{name} an object in JSON"), 200, move |size| {
            let text: Vec<String> = (0..size).map(|at| format!("  \"a{at}\": {at}")).collect();
            let document = parse::<Document>(format!("{{\n{}\n}}\n", text.join(",\n"))).into_value();
            move || {
                let (mut editor, root) = (JsonEditor::new(&document), document.root());
                let values = root.as_object().into_iter().flat_map(|object| object.properties());
                values.enumerate().for_each(|(at, property)| edit(&mut editor, root, property.value(), at));
                editor.finish().expect("it can be done");
            }
        })
    };
    edits.into_iter().map(case).collect()
}
