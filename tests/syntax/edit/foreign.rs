//! Nodes of other files: each public function that takes a node and a file refuses a node of another file, however alike
//! both are.
//!
//! The table is [`attempts`] and [`WITHOUT_A_FILE`]. The functions come from `fixtures/public-api`: one without a row
//! fails the test.

use std::collections::BTreeSet;

use crate::public_api;
use hcl_lr::Expression;
use hcl_lr::construct::NewExpression;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::json::{self, Document};
use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr_edit::address::{Address, JsonTemplates, Target};
use hcl_lr_edit::{
    Container, EditError, Editor, InsertionPoint, Item, ItemSources, JsonEditor, JsonPosition, NewItem, comments_of,
    source_of,
};

/// Functions that take a node and no file beside it.
const WITHOUT_A_FILE: &[&str] = &[
    "Address::resolve",
    "Address::resolve_within",
    "Address::trace",
    "Attribute::from",
    "Block::from",
    "Body::from",
    "Container::contains",
    "Container::from",
    "ConversionSchema::of",
    "ConversionSchema::of_all",
    "ConversionSchema::of_all_in",
    "Evaluated::is_wrong",
    "Evaluated::scopes_in",
    "InsertionPoint::after",
    "InsertionPoint::before",
    "InsertionPoint::end_of",
    "InsertionPoint::start_of",
    "Item::from",
    "NewBlock::from",
    "NewBody::from",
    "NewExpression::from",
    "NewItem::parse_for",
    "NewTemplate::from",
    "NotFound::add",
    "Traversal::from",
    "Visitor::leave_attribute",
    "Visitor::leave_block",
    "Visitor::leave_body",
    "Visitor::leave_expression",
    "Visitor::leave_template",
    "Visitor::visit_attribute",
    "Visitor::visit_block",
    "Visitor::visit_body",
    "Visitor::visit_error",
    "Visitor::visit_expression",
    "Visitor::visit_template",
    "evaluate_body",
];

/// Functions that take a definition, and have rows in `tests/definitions/foreign.rs`.
const OF_DEFINITIONS: &[&str] = &[
    "Evaluated::attribute_value",
    "Evaluated::instances",
    "Evaluated::scope_in",
    "Evaluated::value",
    "References::is_unused",
    "References::is_used",
    "References::to",
    "References::within",
];

/// Types of nodes, and of other things that belong to one file.
const NODES: &[&str] = &[
    "hcl_lr_edit::Container<",
    "hcl_lr_edit::InsertionPoint<",
    "hcl_lr_edit::Item<",
    "hcl_lr_edit::JsonPosition<",
    "hcl_lr::json::Array<",
    "hcl_lr::json::Node<",
    "hcl_lr::json::Object<",
    "hcl_lr::json::Property<",
    "hcl_lr_edit::address::JsonBlock<",
    "hcl_lr_edit::address::JsonTemplates",
    "hcl_lr_edit::address::Target<",
    "hcl_lr_edit::address::Trace<",
    "hcl_lr_language::definitions::Definition<",
    "hcl_lr_language::definitions::Instance<",
    "hcl_lr_language::definitions::Reference<",
    "Node<",
    "hcl_lr::syntax::ast::ObjectElement<",
];

/// The public functions that take a node beside `self`, each as `Type::function`.
fn functions() -> BTreeSet<String> {
    // A comparison of nodes of two files has an answer.
    public_api::text().lines().filter_map(taking_a_node).filter(|name| !name.ends_with("::eq")).collect()
}

/// The name of the function of a line of the public API, if it takes a node.
fn taking_a_node(line: &str) -> Option<String> {
    let signature = line.strip_prefix("pub fn ")?;
    // The name may have parameters with parentheses of their own only behind it.
    let (name, rest) = signature.split_once('(')?;
    let mut depth = 1;
    let end = rest.find(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    NODES.iter().any(|node| rest[..end].contains(node)).then(|| short(name))
}

/// The last two names of a path, or one if the other is a module, without parameters.
fn short(path: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0;
    for letter in path.chars() {
        depth += i32::from(letter == '<');
        if depth == 0 {
            plain.push(letter);
        }
        depth -= i32::from(letter == '>');
    }
    let names: Vec<&str> = plain.split("::").collect();
    match names[..] {
        [.., owner, name] if owner.starts_with(char::is_uppercase) => format!("{owner}::{name}"),
        _ => names.last().map_or(String::new(), |name| (*name).to_owned()),
    }
}

/// The parts of a file.
#[derive(Default)]
struct Parts<'f> {
    items: Vec<Item<'f>>,
    containers: Vec<Container<'f>>,
}

impl<'f> Parts<'f> {
    fn of_body(body: BodyNode<'f>) -> Parts<'f> {
        let mut parts = Parts::default();
        parts.body(body);
        parts
    }

    fn of_value(expression: ExpressionNode<'f>) -> Parts<'f> {
        let mut parts = Parts::default();
        parts.value(expression);
        parts
    }

    fn body(&mut self, body: BodyNode<'f>) {
        self.containers.push(Container::Body(body));
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    self.items.push(Item::Attribute(attribute));
                    self.value(attribute.expression());
                }
                BodyItem::Block(block) => {
                    self.items.push(Item::Block(block));
                    self.body(block.body());
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, expression: ExpressionNode<'f>) {
        match expression.kind() {
            ExpressionKind::Object(object) => {
                self.containers.push(Container::Collection(expression));
                self.items.extend(object.elements().map(Item::Entry));
            }
            ExpressionKind::Tuple(tuple) => {
                self.containers.push(Container::Collection(expression));
                self.items.extend(tuple.elements().map(Item::Element));
            }
            _ => {}
        }
    }

    fn points(&self) -> Vec<InsertionPoint<'f>> {
        let of_items = self.items.iter().flat_map(|&item| [InsertionPoint::Before(item), InsertionPoint::After(item)]);
        let of_containers = self
            .containers
            .iter()
            .flat_map(|&container| [InsertionPoint::Start(container), InsertionPoint::End(container)]);
        of_items.chain(of_containers).collect()
    }
}

/// A file in native syntax, with its own parts and those of another file.
struct Native<'f> {
    file: &'f File,
    own: &'f Parts<'f>,
    foreign: &'f Parts<'f>,
}

impl<'f> Native<'f> {
    /// Edits the file by each foreign item.
    fn items(&self, edit: impl Fn(&mut Editor<'f>, Item<'f>)) -> Vec<Result<String, EditError>> {
        self.foreign.items.iter().map(|&item| self.edited(|editor| edit(editor, item))).collect()
    }

    fn edited(&self, edit: impl FnOnce(&mut Editor<'f>)) -> Result<String, EditError> {
        let mut editor = Editor::new(self.file);
        edit(&mut editor);
        editor.finish().map(|edited| edited.text().to_owned())
    }

    /// Moves each own item to each foreign place, and each foreign item to each own and each foreign place.
    fn moves(&self, edit: impl Fn(&mut Editor<'f>, Item<'f>, InsertionPoint<'f>)) -> Vec<Result<String, EditError>> {
        let (own, foreign) = (self.own.points(), self.foreign.points());
        let here = self.own.items.iter().flat_map(|item| foreign.iter().map(move |point| (*item, *point)));
        let there =
            self.foreign.items.iter().flat_map(|item| own.iter().chain(&foreign).map(move |point| (*item, *point)));
        here.chain(there).map(|(item, point)| self.edited(|editor| edit(editor, item, point))).collect()
    }
}

/// A document, with a value and a property of it and of another one.
struct Json<'d> {
    document: &'d Document,
    other: &'d Document,
}

impl<'d> Json<'d> {
    /// The first property of a document, and all nodes.
    fn parts(document: &'d Document) -> (json::Property<'d>, Vec<json::Node<'d>>) {
        let object = document.root().as_object().expect("an object");
        let nodes = (0..).map_while(|id| document.node(id)).filter(|node| !node.is_name());
        (object.properties().next().expect("a property"), nodes.collect())
    }

    fn edited(&self, edit: impl FnOnce(&mut JsonEditor<'d>)) -> Result<String, EditError> {
        let mut editor = JsonEditor::new(self.document);
        edit(&mut editor);
        editor.finish()
    }

    fn nodes(&self, edit: impl Fn(&mut JsonEditor<'d>, json::Node<'d>)) -> Vec<Result<String, EditError>> {
        let (_, nodes) = Json::parts(self.other);
        nodes.into_iter().map(|node| self.edited(|editor| edit(editor, node))).collect()
    }

    /// The containers and positions of which at least one is foreign.
    fn places(&self) -> Vec<(json::Node<'d>, JsonPosition<'d>)> {
        let (own, own_value) = (self.document.root(), Json::parts(self.document).0.value());
        let (foreign, foreign_value) = (self.other.root(), Json::parts(self.other).0.value());
        vec![
            (foreign, JsonPosition::Start),
            (foreign, JsonPosition::End),
            (foreign, JsonPosition::Before(foreign_value)),
            (foreign, JsonPosition::After(own_value)),
            (own, JsonPosition::Before(foreign_value)),
            (own, JsonPosition::After(foreign_value)),
        ]
    }
}

/// All tries of a function with nodes of another file. `None` if the function has no row.
fn attempts<'f>(name: &str, native: &Native<'f>, json: &Json<'f>) -> Option<Vec<Result<String, EditError>>> {
    let file = native.file;
    let item = |point: &InsertionPoint<'_>| match point {
        InsertionPoint::Before(Item::Entry(_)) | InsertionPoint::After(Item::Entry(_)) => NewItem::entry("new", 1),
        InsertionPoint::Before(Item::Element(_)) | InsertionPoint::After(Item::Element(_)) => NewItem::element(1),
        InsertionPoint::Start(Container::Collection(list)) | InsertionPoint::End(Container::Collection(list)) => {
            match list.kind() {
                ExpressionKind::Tuple(_) => NewItem::element(1),
                _ => NewItem::entry("new", 1),
            }
        }
        _ => NewItem::attribute("new", 1),
    };
    Some(match name {
        "Editor::set" => native.items(|editor, item| {
            editor.set(item, NewExpression::from(7));
        }),
        "Editor::wrap" => native.items(|editor, item| {
            editor.wrap(item, |inner| NewExpression::call("f", [inner]));
        }),
        "Editor::unwrap" => native.items(|editor, item| {
            match item.value() {
                Some(value) => editor.unwrap(item, value),
                None => editor.remove(item),
            };
        }),
        "Editor::rename" => native.items(|editor, item| {
            editor.rename(item, "renamed");
        }),
        "Editor::remove" => native.items(|editor, item| {
            editor.remove(item);
        }),
        "Editor::set_comment" => native.items(|editor, item| {
            editor.set_comment(item, Some("new"));
        }),
        "Editor::set_trailing_comment" => native.items(|editor, item| {
            editor.set_trailing_comment(item, None);
        }),
        "Editor::set_labels" => {
            let blocks = native.foreign.items.iter().copied().filter(|item| matches!(item, Item::Block(_)));
            blocks
                .map(|block| {
                    native.edited(|editor| {
                        editor.set_labels(block, ["new"]);
                    })
                })
                .collect()
        }
        "Editor::insert" => {
            let points = native.foreign.points().into_iter();
            points
                .map(|point| {
                    native.edited(|editor| {
                        editor.insert(point, item(&point));
                    })
                })
                .collect()
        }
        "Editor::replace" => native.items(|editor, item| {
            editor.replace(item, NewItem::attribute("new", 1));
        }),
        "Editor::splice" => {
            let templates = native.foreign.items.iter().filter_map(|item| match item.value()?.kind() {
                ExpressionKind::Template(template) => Some(template),
                _ => None,
            });
            let spliced = |template| {
                native.edited(|editor| {
                    editor.splice(template, .., "new");
                })
            };
            templates.map(spliced).collect()
        }
        "Editor::copy_of" | "Editor::text_of" => {
            let editor = Editor::new(file);
            let value = NewExpression::from(7);
            let tried = |&item: &Item<'f>| match name {
                "Editor::copy_of" => editor.copy_of(item).map(|_| String::new()),
                _ => editor.text_of(item, &value),
            };
            native.foreign.items.iter().map(tried).collect()
        }
        "JsonTemplates::template" => {
            let templates = JsonTemplates::of(json.document);
            let tried =
                |node| if templates.template(node).is_some() { Ok(String::new()) } else { Err(EditError::Elsewhere) };
            Json::parts(json.other).1.into_iter().map(tried).collect()
        }
        // Templates of another document are not used.
        "Editor::with_templates" => {
            let templates = JsonTemplates::of(json.other);
            let deep: Address = "**".parse().expect("an address");
            let schema = ConversionSchema::new();
            let found = deep.resolve_json(json.other, &schema, Some(&templates));
            let tried = |target: &Target<'_>| {
                let mut editor = Editor::of_json(json.document).with_templates(&templates);
                editor.set(target.item()?, 7);
                editor.finish().map(|edited| edited.text().to_owned())
            };
            found.iter().filter(|target| target.expression().is_some()).map(tried).collect()
        }
        "Editor::move_to" => native.moves(|editor, item, point| {
            editor.move_to(item, point);
        }),
        "Editor::move_as" => native.moves(|editor, item, point| {
            editor.move_as(item, point, "new");
        }),
        "ItemSources::of" => {
            let sources = ItemSources::new(file);
            native.foreign.items.iter().map(|&item| sources.of(item)).collect()
        }
        "source_of" => native.foreign.items.iter().map(|&item| source_of(file, item)).collect(),
        // These have none.
        "comments_of" => {
            let count = |&item: &Item<'f>| match comments_of(file, item) {
                (above, after) if above.is_empty() && after.is_empty() => Err(EditError::Elsewhere),
                (above, after) => Ok(format!("{} comments", above.len() + after.len())),
            };
            native.foreign.items.iter().map(count).collect()
        }
        "JsonEditor::set" => json.nodes(|editor, node| {
            editor.set(node, "7");
        }),
        "JsonEditor::extend" => json.nodes(|editor, node| {
            editor.extend(node, "7");
        }),
        "JsonEditor::remove" => json.nodes(|editor, node| {
            editor.remove(node);
        }),
        "JsonEditor::remove_up_to" => {
            let root = json.document.root();
            let mut all = json.nodes(|editor, node| {
                editor.remove_up_to(node, root);
            });
            let own = Json::parts(json.document).0.value();
            all.extend(json.nodes(|editor, node| {
                editor.remove_up_to(own, node);
            }));
            all
        }
        "JsonEditor::rename" => {
            vec![json.edited(|editor| {
                editor.rename(Json::parts(json.other).0, "renamed");
            })]
        }
        "JsonEditor::insert" => {
            let insert = |editor: &mut JsonEditor<'f>, (container, position)| {
                editor.insert(container, position, Some("new"), "7");
            };
            json.places().into_iter().map(|place| json.edited(|editor| insert(editor, place))).collect()
        }
        "JsonEditor::move_to" => {
            let own = Json::parts(json.document).1[2];
            let moved = |editor: &mut JsonEditor<'f>, (container, position)| {
                editor.move_to(own, container, position, Some("new"));
            };
            let mut all: Vec<_> =
                json.places().into_iter().map(|place| json.edited(|editor| moved(editor, place))).collect();
            let root = json.document.root();
            all.extend(json.nodes(|editor, node| {
                editor.move_to(node, root, JsonPosition::End, Some("new"));
            }));
            all
        }
        "JsonEditor::source_of" => {
            let editor = JsonEditor::new(json.document);
            Json::parts(json.other).1.into_iter().map(|node| editor.source_of(node)).collect()
        }
        // Templates of another document are not used: the strings are not led into.
        "Address::resolve_json" | "Address::trace_json" => {
            let (schema, templates) = (ConversionSchema::new(), JsonTemplates::of(json.other));
            let deep: Address = "**".parse().expect("an address");
            let count = |templates| match name {
                "Address::trace_json" => deep.trace_json(json.document, &schema, templates).targets().len(),
                _ => deep.resolve_json(json.document, &schema, templates).len(),
            };
            let own = JsonTemplates::of(json.document);
            assert!(count(Some(&own)) > count(None));
            vec![if count(Some(&templates)) == count(None) { Err(EditError::Elsewhere) } else { Ok(String::new()) }]
        }
        // The expression is that of the node, whatever the document is.
        "Expression::from" => {
            let nodes = Json::parts(json.other).1.into_iter();
            let text = |expression: Expression| expression.place().text().to_owned();
            let same = |node: json::Node<'f>| text(Expression::from((json.document, node))) == node.text();
            nodes.map(|node| if same(node) { Err(EditError::Elsewhere) } else { Ok(String::new()) }).collect()
        }
        _ => return None,
    })
}

const TEXT: &str = "a = 1 # one\nt = \"u${v}\"\nlist = [\n  # first\n  10,\n  20,\n]\nobject = { x = 1, y = 2 }\n\n# Why.\nservice \"web\" {\n  port = 80\n}\n";
const JSON: &str = "{\"a\": \"${[1, f(2)]}\", \"b\": {\"c\": [true, \"x${v}\"]}}";

#[test]
fn nodes_of_other_files_are_refused() {
    let older = format!("z = 0\n{TEXT}");
    let (other, older_json) = (TEXT.replace("web", "db").replace("80", "443"), JSON.replace("true", "null"));
    let scenes = [
        ("the same text, parsed twice", TEXT, TEXT, JSON, JSON),
        ("an older version", TEXT, older.as_str(), JSON, older_json.as_str()),
        ("a newer version", older.as_str(), TEXT, older_json.as_str(), JSON),
        ("another file", TEXT, other.as_str(), JSON, "{\"z\": [1, {\"y\": \"${[1, 2]}\"}]}"),
        ("strings of a document in JSON", TEXT, "", JSON, JSON),
    ];
    let names = functions();
    assert!(names.len() > 50, "{names:?}");
    let mut tries = 0;
    for (what, text, foreign_text, json_text, foreign_json) in scenes {
        let file = parse::<File>(text).into_result().expect("no errors");
        let foreign_file = parse::<File>(foreign_text).into_result().expect("no errors");
        let document = parse::<Document>(json_text).into_result().expect("no errors");
        let other_document = parse::<Document>(foreign_json).into_result().expect("no errors");
        let (schema, templates) = (ConversionSchema::new(), JsonTemplates::of(&other_document));
        let deep: Address = "a.**".parse().expect("an address");
        let in_strings = deep.resolve_json(&other_document, &schema, Some(&templates));
        let own = Parts::of_body(file.body());
        let foreign = match foreign_text {
            "" => {
                let mut values = in_strings.iter().filter_map(|target| target.expression());
                let list = values.find(|value| matches!(value.kind(), ExpressionKind::Tuple(_)));
                Parts::of_value(list.expect("a list in a string"))
            }
            _ => Parts::of_body(foreign_file.body()),
        };
        let native = Native { file: &file, own: &own, foreign: &foreign };
        let json = Json { document: &document, other: &other_document };
        for name in &names {
            if WITHOUT_A_FILE.contains(&name.as_str()) || OF_DEFINITIONS.contains(&name.as_str()) {
                continue;
            }
            let Some(results) = attempts(name, &native, &json) else {
                panic!("`{name}` takes a node: add a row to `attempts` or to `WITHOUT_A_FILE`");
            };
            assert!(!results.is_empty() || foreign_text.is_empty(), "{name}: {what}: nothing was tried");
            tries += results.len();
            for result in results {
                assert!(matches!(result, Err(EditError::Elsewhere)), "{name}: {what}: {result:?}");
            }
        }
    }
    println!("{tries} tries with nodes of other files, each refused");
    let known = WITHOUT_A_FILE.iter().chain(OF_DEFINITIONS);
    let gone: Vec<&&str> = known.filter(|name| !names.contains(**name)).collect();
    assert!(gone.is_empty(), "there are no such functions any more: {gone:?}");
}

/// A clone of a file is the file.
#[test]
fn nodes_of_clones_are_accepted() {
    let file = parse::<File>(TEXT).into_result().expect("no errors");
    let clone = file.clone();
    let mut editor = Editor::new(&clone);
    editor.set(file.body().attribute("a").expect("a"), 7);
    assert!(editor.finish().expect("it is the file").text().starts_with("a = 7 # one\n"));
    let document = parse::<Document>(JSON).into_result().expect("no errors");
    let clone = document.clone();
    let mut editor = JsonEditor::new(&clone);
    editor.set(Json::parts(&document).0.value(), "7");
    assert!(editor.finish().expect("it is the document").starts_with("{\"a\": 7,"));
}

/// A position beside a value of another object is refused, rather than forgotten.
#[test]
fn positions_in_other_objects_are_refused() {
    let document = parse::<Document>(JSON).into_result().expect("no errors");
    let inner = Json::parts(&document).1[4];
    let mut editor = JsonEditor::new(&document);
    editor.insert(document.root(), JsonPosition::Before(inner), Some("new"), "7");
    assert!(matches!(editor.finish(), Err(EditError::Misplaced(_))));
}
