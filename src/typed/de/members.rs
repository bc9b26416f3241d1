//! The parts from which a structure or a map is read, with the labels of its block.

use std::borrow::Cow;
use std::collections::HashMap;

use super::contents::{json_members, members};
use super::context::Context;
use super::error::Error;
use super::input::{At, BlockRef, BodyRef, Choice, Input, JsonBlock, JsonInput, Label, Member};
use super::look::{key_of, look};
use super::messages::{self, Wanted};
use super::parts::{Header, Parts, Request};
use super::path::Path;
use super::shape::Shape;
use super::{BLOCKS_FIELD, LABEL_FIELD, LABELS_FIELD};
use crate::body::{BodySchema, Content, expression_of_json};
use crate::json::COMMENT;
use crate::json::{Node, NodeKind};
use crate::model::Value;
use crate::source::Place;

impl Request {
    /// Returns the number of labels of a block in JSON. Native syntax does not need it.
    fn json_labels(self, cx: &Context<'_, '_>, choice: Option<&Choice<'_>>) -> JsonLabels {
        let with_labels = choice.is_some_and(|choice| choice.with_labels.get());
        match self {
            Request::Fields(fields, _) if fields.contains(&LABEL_FIELD) => JsonLabels::One,
            Request::Fields(fields, key)
                if with_labels || fields.contains(&LABELS_FIELD) || cx.labels_field(key).is_some() =>
            {
                JsonLabels::Until(fields)
            }
            Request::Structure { labels_field: Some(LABEL_FIELD) } => JsonLabels::One,
            Request::Structure { labels_field: Some(_) } => JsonLabels::Until(&[]),
            // Its fields are unknown.
            Request::Structure { .. } | Request::Any if with_labels => JsonLabels::Until(&[]),
            Request::Map if with_labels => JsonLabels::One,
            _ => JsonLabels::None,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum JsonLabels {
    None,
    One,
    Exactly(usize),
    /// As many as there are before an object with one of these properties.
    Until(&'static [&'static str]),
}

/// Labels nest no deeper than this.
const MAX_LABELS: usize = 16;

/// The parts of an input.
pub(super) fn parts<'t>(
    cx: &Context<'_, '_>,
    input: &Input<'t>,
    path: &Path<'_>,
    request: Request,
) -> Result<Parts<'t>, Error> {
    match input {
        Input::Blocks(blocks) => of_blocks(cx, blocks, path, request),
        Input::Mixed(inputs) => mixed(cx, inputs, path, request),
        Input::Body(body) => of_body(cx, BodyRef::Any(body), Header::Place(input.place())),
        // A template may give an object.
        Input::Json(json) if !matches!(json.node.kind(), NodeKind::String(_)) || !json.more.is_empty() => {
            match request.json_labels(cx, json.choice.as_deref()) {
                JsonLabels::None => without_labels(cx, json, path, request.is_structure()),
                labels => with_labels(cx, json, path, labels),
            }
        }
        Input::Item(member) => Ok(Parts::new(vec![(**member).clone()], Header::Place(input.place()))),
        Input::Items(items, at) => Ok(Parts::new(grouped(items.iter().cloned()), Header::At(*at))),
        _ => match look(cx, input, path)? {
            Shape::Object(object) => {
                let source = match input {
                    Input::Native(node) => node.shared_source(),
                    Input::Expression(expression) => match expression.as_native() {
                        Some(node) => node.shared_source(),
                        None => return Err(Error::reported()),
                    },
                    _ => return Err(Error::reported()),
                };
                let elements = object.elements();
                let mut members: Vec<Member<'t>> = Vec::with_capacity(elements.len());
                members.extend(elements.map(|element| Member {
                    name: key_of(element.key()),
                    at: At::Span(source, element.key_expression().span()),
                    input: Input::Native(element.value()),
                }));
                without_repeated_keys(&mut members);
                let node = object_node(input);
                Ok(Parts::new(members, Header::At(At::Span(source, node))))
            }
            Shape::Map(value) => {
                let at = at_of(input);
                let entries = value.entries().into_iter().flatten();
                let member = |(name, part): (&str, &Value)| Member {
                    name: Cow::Owned(name.to_owned()),
                    at,
                    input: Input::Value(Cow::Owned(part.clone()), at),
                };
                Ok(Parts::new(entries.map(member).collect(), Header::At(at)))
            }
            shape => {
                cx.note_no_object();
                Err(messages::mismatch(&shape, input, Wanted::Object, path).into())
            }
        },
    }
}

/// Returns the place of an expression or value.
pub(super) fn at_of<'t>(input: &Input<'t>) -> At<'t> {
    match input {
        Input::Native(node) => At::Span(node.shared_source(), node.span()),
        Input::Expression(expression) => At::Expression(expression),
        Input::Json(json) => json.at(json.node.start_span()),
        Input::Value(_, at) | Input::Text(_, at) | Input::Items(_, at) => *at,
        Input::Item(member) => member.at,
        Input::Evaluated(written, _) => at_of(written),
        Input::Blocks(blocks) => blocks[0].type_at(),
        Input::Mixed(_) | Input::Body(_) | Input::Labels(_) | Input::Absent(..) => At::Nowhere,
    }
}

/// The opening brace of an object, where what is missing in it is reported.
fn object_node(input: &Input<'_>) -> crate::source::Span {
    match input {
        Input::Native(node) => node.first_token_span(),
        Input::Expression(expression) => {
            expression.as_native().map_or_else(Default::default, |node| node.first_token_span())
        }
        _ => Default::default(),
    }
}

/// Keeps the last of several elements with the same key; the parser has reported them.
fn without_repeated_keys(members: &mut Vec<Member<'_>>) {
    /// Among so few, looking at each is faster.
    const MAX_COMPARED: usize = 8;
    let repeated = |(at, one): (usize, &Member<'_>)| members[..at].iter().any(|other| other.name == one.name);
    if members.len() <= MAX_COMPARED && !members.iter().enumerate().any(repeated) {
        return;
    }
    let last: HashMap<Cow<'_, str>, usize> =
        members.iter().enumerate().map(|(at, member)| (member.name.clone(), at)).collect();
    let mut at = 0;
    members.retain(|member| {
        at += 1;
        last.get(&member.name) == Some(&(at - 1))
    });
}

/// Items with those of one name together, as a structure or map wants them.
fn grouped<'t>(items: impl IntoIterator<Item = Member<'t>>) -> Vec<Member<'t>> {
    let mut members: Vec<Member<'t>> = Vec::new();
    let mut index: HashMap<Cow<'t, str>, usize> = Default::default();
    for item in items {
        match index.get(&item.name) {
            Some(&at) => members[at].input.join(item.input),
            None => {
                index.insert(item.name.clone(), members.len());
                members.push(item);
            }
        }
    }
    members
}

/// Blocks in both syntaxes, by label.
fn mixed<'t>(
    cx: &Context<'_, '_>,
    inputs: &[Input<'t>],
    path: &Path<'_>,
    request: Request,
) -> Result<Parts<'t>, Error> {
    if request.is_structure() {
        return Err(messages::too_many(inputs[0].place(), inputs[1].place(), path).into());
    }
    let mut members = Vec::new();
    for input in inputs {
        members.extend(parts(cx, input, path, request)?.members);
    }
    Ok(Parts { by_label: true, ..Parts::new(grouped(members), Header::Place(inputs[0].place())) })
}

fn of_blocks<'t>(
    cx: &Context<'_, '_>,
    blocks: &[BlockRef<'t>],
    path: &Path<'_>,
    request: Request,
) -> Result<Parts<'t>, Error> {
    let first = blocks[0];
    let labelled = blocks.iter().filter(|block| block.labels_left() > 0).count();
    if !request.is_structure() && labelled > 0 {
        for without in blocks.iter().filter(|block| block.labels_left() == 0) {
            cx.record(messages::missing_label(without.header(), without.block_type(), path));
        }
        let members = by_label(blocks);
        return Ok(Parts { by_label: true, ..Parts::new(members, Header::Block(first)) });
    }
    if let Some(second) = blocks.get(1) {
        return Err(messages::too_many(first.header(), second.header(), path).into());
    }
    let parts = of_body(cx, first.body(), Header::Block(first))?;
    Ok(Parts { labels: first.labels(), ..parts })
}

/// Blocks by their next label.
fn by_label<'t>(blocks: &[BlockRef<'t>]) -> Vec<Member<'t>> {
    grouped(blocks.iter().filter_map(|block| {
        let label = block.labels().into_iter().next()?;
        Some(Member { name: label.text, at: label.at, input: Input::Blocks(vec![block.after_label()]) })
    }))
}

fn of_body<'t>(cx: &Context<'_, '_>, body: BodyRef<'t>, header: Header<'t>) -> Result<Parts<'t>, Error> {
    let Some(found) = members(body, false) else { return Err(Error::reported()) };
    found.report(cx);
    Ok(Parts::new(found.all, header))
}

/// A block in JSON, or one of several, with labels before its body.
fn with_labels<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    path: &Path<'_>,
    labels: JsonLabels,
) -> Result<Parts<'t>, Error> {
    let block = chosen(cx, json, path, labels)?;
    let source = json.document.source();
    let members = json_members(json.document, properties(block.body, true));
    Ok(Parts {
        labels: block.labels,
        labels_taken: true,
        ..Parts::new(members, Header::At(At::Span(source, block.body.start_span())))
    })
}

/// An object in JSON whose properties are the parts.
fn without_labels<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    path: &Path<'_>,
    is_structure: bool,
) -> Result<Parts<'t>, Error> {
    let start = json.at(json.node.start_span());
    let objects = objects_of(cx, json, json.nodes(), path)?;
    let Some(&first) = objects.first() else {
        return match is_structure && !json.is_body {
            true => Err(messages::no_block(start.place(), path).into()),
            false => Ok(Parts { labels_known: false, ..Parts::new(Vec::new(), Header::At(start)) }),
        };
    };
    if let (true, false, Some(second)) = (is_structure, json.is_body, objects.get(1)) {
        let source = json.document.source();
        let [first, second] = [first, *second].map(|node| Place::new(source, node.start_span()));
        return Err(messages::too_many(first, second, path).into());
    }
    let hides_comments = is_structure || json.is_body;
    let mut found = Vec::new();
    for object in &objects {
        for (name, span, value) in properties(*object, hides_comments) {
            let name = if hides_comments { name } else { evaluated_key(cx, json, name, span, *object)? };
            found.push((name, span, value));
        }
    }
    let members = json_members(json.document, found.into_iter());
    let header = Header::At(json.at(first.start_span()));
    Ok(Parts { labels_known: false, ..Parts::new(members, header) })
}

/// The properties of an object in JSON.
fn properties<'t>(
    object: Node<'t>,
    hides_comments: bool,
) -> impl Iterator<Item = (Cow<'t, str>, crate::source::Span, Node<'t>)> {
    let members = object.as_object().map(|object| object.properties()).into_iter().flatten();
    members
        .map(|member| (member.name(), member.name_span(), member.value()))
        .filter(move |(name, ..)| !hides_comments || name != COMMENT)
}

/// The keys of an object in an expression are templates.
fn evaluated_key<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    name: Cow<'t, str>,
    span: crate::source::Span,
    object: Node<'t>,
) -> Result<Cow<'t, str>, Error> {
    if cx.literal_only || (!name.contains("${") && !name.contains("%{")) {
        return Ok(name);
    }
    let members = object.as_object().map(|object| object.properties()).into_iter().flatten();
    let Some(member) = members.into_iter().find(|member| member.name_span() == span) else { return Ok(name) };
    let key = expression_of_json(json.document, member.name_node()).evaluate(cx.scope)?;
    match key.as_str() {
        Some(text) if !key.is_marked() => Ok(Cow::Owned(text.to_owned())),
        _ => Ok(name),
    }
}

/// The objects that nodes stand for: themselves, or the elements of arrays.
fn objects_of<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    nodes: impl IntoIterator<Item = Node<'t>>,
    path: &Path<'_>,
) -> Result<Vec<Node<'t>>, Error> {
    let wrong = |node: Node<'t>| -> Error {
        let part = Input::Json(JsonInput { node, more: Vec::new(), ..json.clone() });
        cx.note_no_object();
        match look(cx, &part, path) {
            Ok(shape) => messages::mismatch(&shape, &part, Wanted::Object, path).into(),
            Err(error) => error,
        }
    };
    let mut objects = Vec::new();
    for node in nodes {
        match node.kind() {
            NodeKind::Object(_) => objects.push(node),
            NodeKind::Array(array) => {
                for element in array.elements() {
                    match element.kind() {
                        NodeKind::Object(_) => objects.push(element),
                        _ => return Err(wrong(element)),
                    }
                }
            }
            _ => return Err(wrong(node)),
        }
    }
    Ok(objects)
}

/// The block to be read, of all that are in an object in JSON.
pub(super) fn chosen<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    path: &Path<'_>,
    labels: JsonLabels,
) -> Result<JsonBlock<'t>, Error> {
    let source = json.document.source();
    if let Some(choice) = &json.choice
        && let Some(blocks) = &*choice.blocks.borrow()
        && let Some(block) = blocks.get(choice.done.get())
    {
        return Ok(block.clone());
    }
    let mut blocks = Vec::new();
    for object in objects_of(cx, json, json.nodes(), path)? {
        expand(cx, json, object, &mut Vec::new(), labels, path, &mut blocks)?;
    }
    let Some(first) = blocks.first().cloned() else {
        return Err(messages::missing_label(json.at(json.node.start_span()).place(), "", path).into());
    };
    let may_be_many = json.choice.as_ref().is_some_and(|choice| choice.many);
    if let (false, Some(second)) = (may_be_many, blocks.get(1)) {
        let [first, second] = [&first, second].map(|block| Place::new(source, block.body.start_span()));
        return Err(messages::too_many(first, second, path).into());
    }
    if let Some(choice) = &json.choice {
        *choice.blocks.borrow_mut() = Some(blocks);
    }
    Ok(first)
}

/// The blocks that an object stands for, after the labels that have been found so far.
fn expand<'t>(
    cx: &Context<'_, '_>,
    json: &JsonInput<'t>,
    object: Node<'t>,
    labels: &mut Vec<Label<'t>>,
    wanted: JsonLabels,
    path: &Path<'_>,
    blocks: &mut Vec<JsonBlock<'t>>,
) -> Result<(), Error> {
    let is_body = match wanted {
        JsonLabels::None => true,
        JsonLabels::One => labels.len() == 1,
        JsonLabels::Exactly(count) => labels.len() == count,
        JsonLabels::Until(fields) => labels.len() == MAX_LABELS || is_body(object, fields),
    };
    if is_body {
        blocks.push(JsonBlock { labels: labels.clone(), body: object });
        return Ok(());
    }
    for (name, span, value) in properties(object, false) {
        labels.push(Label { text: name, at: json.at(span) });
        let value = Some(value).filter(|value| !matches!(value.kind(), NodeKind::Null));
        for object in objects_of(cx, json, value, path)? {
            expand(cx, json, object, labels, wanted, path, blocks)?;
        }
        labels.pop();
    }
    Ok(())
}

/// Returns true if an object is the body of a block with these fields, rather than an object whose properties are
/// labels.
fn is_body(object: Node<'_>, fields: &[&str]) -> bool {
    let mut is_empty = true;
    let holds_objects = |value: Node<'_>| match value.kind() {
        NodeKind::Object(_) | NodeKind::Null => true,
        NodeKind::Array(array) => !array.is_empty() && array.elements().all(|element| element.as_object().is_some()),
        _ => false,
    };
    for (name, _, value) in properties(object, true) {
        is_empty = false;
        if fields.contains(&&*name) || !holds_objects(value) {
            return true;
        }
    }
    is_empty
}

/// The parts that no field asks for, if a structure has a field for blocks: those that may be blocks.
pub(super) fn take_blocks<'t>(members: &mut Vec<Member<'t>>, fields: &[&str], at: At<'t>) -> Input<'t> {
    let mut items = Vec::new();
    members.retain(|member| {
        if fields.contains(&&*member.name) && member.name != BLOCKS_FIELD {
            return true;
        }
        match &member.input {
            Input::Blocks(blocks) => {
                items.extend(blocks.iter().map(|block| Member {
                    at: block.type_at(),
                    name: member.name.clone(),
                    input: Input::Blocks(vec![*block]),
                }));
                false
            }
            Input::Json(json) if json.nodes().all(|node| is_blocks(node)) => {
                add_json_items(member, json, &mut items);
                false
            }
            _ => true,
        }
    });
    // In the order of the source, whatever types they are of.
    items.sort_by_key(|item| item.at.place().span());
    Input::Items(items, at)
}

fn is_blocks(node: Node<'_>) -> bool {
    match node.kind() {
        NodeKind::Object(_) => true,
        NodeKind::Array(array) => array.elements().all(|element| element.as_object().is_some()),
        _ => false,
    }
}

/// The blocks that a property stands for, one by one.
pub(super) fn add_json_items<'t>(member: &Member<'t>, json: &JsonInput<'t>, items: &mut Vec<Member<'t>>) {
    for node in json.nodes() {
        let single = |node: Node<'t>| Member {
            name: member.name.clone(),
            at: member.at,
            input: Input::Json(JsonInput::new(json.document, node)),
        };
        match node.kind() {
            NodeKind::Array(array) if is_blocks(node) => items.extend(array.elements().map(single)),
            _ => items.push(single(node)),
        }
    }
}

/// Returns the schema for a body, if nothing else can tell its content.
pub(super) fn schema_of(fields: &[&str]) -> BodySchema {
    fields
        .iter()
        .filter(|field| !field.starts_with('$'))
        .fold(BodySchema::new(), |schema, field| schema.optional(*field).any_block(field))
}

/// The parts that a schema has found.
pub(super) fn of_content(content: &Content) -> Vec<Member<'_>> {
    let attributes = content.attributes().iter().map(Member::attribute);
    let mut members: Vec<Member<'_>> = attributes.collect();
    let blocks = content.blocks().iter().map(|block| {
        let block = BlockRef::owned(block);
        Member { name: Cow::Borrowed(block.block_type()), at: block.type_at(), input: Input::Blocks(vec![block]) }
    });
    members.extend(grouped(blocks));
    members
}
