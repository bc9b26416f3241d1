//! The places where files set parts of definitions, in either syntax.

use hcl_lr::ConfigFile;
use hcl_lr::json::{Node, NodeKind, Property};
use hcl_lr::source::{Place, Span};
use hcl_lr::stack;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr_language::definitions::Definition;

use crate::Location;
use crate::cursor::Link;
use crate::spans::{item_at, touches};
use crate::workspace::Snapshot;

/// Returns the place where a part of a definition is set.
pub(super) fn place_of_part(snapshot: &Snapshot, definition: &Definition<'_>, rest: &[Link]) -> Option<Location> {
    let place: &Place = definition.place();
    let file = snapshot.file(place.source().name())?;
    let location = |span: Span| Location { path: file.path().clone(), span };
    let native = match file.document() {
        ConfigFile::Native(native) => native,
        ConfigFile::Json(document) => {
            let name = definition.name_place().span().start();
            let node = match definition.expression().filter(|_| !definition.is_input()) {
                Some(expression) => node_at(document.root(), expression.place().span())?,
                None => property_at(document.root(), name)?.value(),
            };
            return place_in_json(node, rest).map(location);
        }
    };
    if let Some(node) = definition.expression().filter(|_| !definition.is_input()).and_then(|all| all.as_native()) {
        return place_in(node, rest).map(location);
    }
    let BodyItem::Block(block) = item_at(native.body(), place.span().start())? else { return None };
    let span = match definition.is_input() {
        true => {
            let ty = block.body().attribute("type").and_then(|ty| place_in_type(ty.expression(), rest));
            ty.or_else(|| place_in(block.body().attribute("default")?.expression(), rest))?
        }
        false => place_in_body(block.body(), rest)?,
    };
    Some(location(span))
}

/// Returns the place of the attribute or block at a path in a body.
fn place_in_body(body: BodyNode<'_>, rest: &[Link]) -> Option<Span> {
    let (first, after) = rest.split_first()?;
    stack::with_room(|| match first {
        Link::Name(name) => match body.attribute(name) {
            Some(attribute) if after.is_empty() => Some(attribute.name_token().span()),
            Some(attribute) => place_in(attribute.expression(), after),
            None => place_in_blocks(&body.blocks_of_type(name).collect::<Vec<_>>(), 0, after),
        },
        // The key of an instance.
        Link::Index(_) | Link::Splat => place_in_body(body, after),
    })
}

/// Returns the place at a path in blocks of one type. Some of their labels have been passed already.
fn place_in_blocks(blocks: &[BlockNode<'_>], labels: usize, rest: &[Link]) -> Option<Span> {
    let first_block = *blocks.first()?;
    let Some((first, after)) = rest.split_first() else {
        let label = labels.checked_sub(1).and_then(|at| first_block.labels().nth(at));
        return Some(label.map_or_else(|| first_block.type_token().span(), |label| label.span()));
    };
    let with_label = |name: &str| -> Vec<BlockNode<'_>> {
        let has = |block: &BlockNode<'_>| block.labels().nth(labels).is_some_and(|label| label.text() == name);
        blocks.iter().copied().filter(has).collect()
    };
    stack::with_room(|| match first {
        Link::Name(name) | Link::Index(Some(name)) if !with_label(name).is_empty() => {
            place_in_blocks(&with_label(name), labels + 1, after)
        }
        Link::Index(Some(number)) => {
            let block = blocks.get(number.parse::<usize>().ok()?)?;
            place_in_blocks(std::slice::from_ref(block), labels, after)
        }
        Link::Index(None) | Link::Splat => place_in_blocks(blocks, labels, after),
        Link::Name(_) => blocks.iter().find_map(|block| place_in_body(block.body(), rest)),
    })
}

/// Returns the place at a path in an expression: the key of an object, or an element.
pub(super) fn place_in(node: ExpressionNode<'_>, rest: &[Link]) -> Option<Span> {
    stack::with_room(|| match node.kind() {
        ExpressionKind::Parentheses(inner) => place_in(inner.inner(), rest),
        ExpressionKind::Conditional(conditional) => {
            place_in(conditional.true_result(), rest).or_else(|| place_in(conditional.false_result(), rest))
        }
        ExpressionKind::FunctionCall(call) => {
            // The last argument of `merge` counts; conversions leave keys as they are.
            let mut arguments: Vec<_> = call.arguments().collect();
            arguments.reverse();
            arguments.into_iter().find_map(|argument| place_in(argument, rest))
        }
        ExpressionKind::Object(object) => {
            let (first, after) = rest.split_first()?;
            let mut elements = object.elements();
            let element = match first {
                Link::Name(name) | Link::Index(Some(name)) => {
                    elements.find(|element| element.key_text().is_some_and(|key| key == *name))?
                }
                Link::Index(None) | Link::Splat => {
                    return elements.find_map(|element| place_in(element.value(), after));
                }
            };
            match after {
                [] => Some(element.key_expression().span()),
                _ => place_in(element.value(), after),
            }
        }
        ExpressionKind::Tuple(tuple) => {
            let (first, after) = rest.split_first()?;
            let mut elements = tuple.elements();
            match first {
                Link::Index(Some(index)) => {
                    let element = elements.nth(index.parse().ok()?)?;
                    if after.is_empty() { Some(element.span()) } else { place_in(element, after) }
                }
                Link::Index(None) | Link::Splat => elements.find_map(|element| place_in(element, after)),
                Link::Name(_) => None,
            }
        }
        ExpressionKind::For(each) => match rest.split_first()? {
            (Link::Index(_) | Link::Splat, after) => place_in(each.value(), after),
            (Link::Name(_), after) if each.is_object() => place_in(each.value(), after),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the place of the attribute at a path in a type.
fn place_in_type(node: ExpressionNode<'_>, rest: &[Link]) -> Option<Span> {
    let ExpressionKind::FunctionCall(call) = node.kind() else { return None };
    let argument = call.arguments().next()?;
    stack::with_room(|| match (&*call.name(), argument.kind()) {
        ("optional", _) => place_in_type(argument, rest),
        ("list" | "set" | "map", _) => place_in_type(argument, rest.split_first()?.1),
        ("object", ExpressionKind::Object(object)) => {
            let (Link::Name(name) | Link::Index(Some(name)), after) = rest.split_first()? else { return None };
            let mut elements = object.elements();
            let element = elements.find(|element| element.key_text().is_some_and(|key| key == *name))?;
            match after {
                [] => Some(element.key_expression().span()),
                _ => place_in_type(element.value(), after),
            }
        }
        _ => None,
    })
}

/// Returns the nodes in an object or array.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        NodeKind::Object(object) => object.properties().map(|property| property.value()).collect(),
        NodeKind::Array(array) => array.elements().collect(),
        _ => Vec::new(),
    }
}

/// Returns the node with a span.
fn node_at(root: Node<'_>, span: Span) -> Option<Node<'_>> {
    let mut node = root;
    while node.span() != span {
        let is_around = |inner: &Node<'_>| inner.span().start() <= span.start() && span.end() <= inner.span().end();
        node = children(node).into_iter().find(is_around)?;
    }
    Some(node)
}

/// Returns the property whose name is at a place.
fn property_at(root: Node<'_>, offset: usize) -> Option<Property<'_>> {
    properties_to(root, offset).pop()
}

/// Returns the properties around a place, from the outermost to the one whose name is there. Empty if there is none.
pub(super) fn properties_to(root: Node<'_>, offset: usize) -> Vec<Property<'_>> {
    let (mut node, mut found) = (root, Vec::new());
    loop {
        match node.kind() {
            NodeKind::Object(object) => {
                let Some(property) = object.properties().find(|property| touches(property.span(), offset)) else {
                    return Vec::new();
                };
                found.push(property);
                if touches(property.name_span(), offset) {
                    return found;
                }
                node = property.value();
            }
            NodeKind::Array(array) => match array.elements().find(|element| touches(element.span(), offset)) {
                Some(element) => node = element,
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        }
    }
}

/// Returns the place at a path in a value of a file in JSON, in which blocks are objects, or arrays of objects.
fn place_in_json(node: Node<'_>, rest: &[Link]) -> Option<Span> {
    let (first, after) = rest.split_first()?;
    stack::with_room(|| match (node.kind(), first) {
        (NodeKind::Object(object), Link::Name(name) | Link::Index(Some(name))) => {
            // Blocks of one type may be one property each.
            let all: Vec<Property<'_>> = object.properties().filter(|property| property.name() == *name).collect();
            match (&all[..], after) {
                ([_, _, ..], [Link::Index(Some(number)), after @ ..]) => {
                    let property = all.get(number.parse::<usize>().ok()?)?;
                    if after.is_empty() { Some(property.span()) } else { place_in_json(property.value(), after) }
                }
                ([property, ..], []) => Some(property.name_span()),
                ([.., property], _) => place_in_json(property.value(), after),
                // One block of a list.
                ([], []) if matches!(first, Link::Index(_)) && name == "0" => Some(node.span()),
                ([], _) if matches!(first, Link::Index(_)) && name == "0" => place_in_json(node, after),
                ([], _) => None,
            }
        }
        (NodeKind::Array(array), Link::Index(Some(number))) => {
            let element = array.elements().nth(number.parse().ok()?)?;
            if after.is_empty() { Some(element.span()) } else { place_in_json(element, after) }
        }
        (NodeKind::Array(array), Link::Name(_)) => array.elements().find_map(|element| place_in_json(element, rest)),
        (_, Link::Index(None) | Link::Splat) => {
            let inner = children(node).into_iter().find_map(|inner| place_in_json(inner, after));
            // The key of an instance.
            inner.or_else(|| place_in_json(node, after))
        }
        _ => None,
    })
}
