//! Checks for names that are taken.
//!
//! No edit may give an attribute or key a name that another member of its container has, whether the member is
//! inserted, renamed or moved. In a body, an attribute must also differ from all block types. Blocks may repeat, even
//! with the same labels; only a schema could forbid that. Members that shared a name before the edit may keep it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::EditError;
use super::item::{New, Origin, collection};
use super::node::{Container, Item, Shape};
use super::orders::{ContainerOrder, MemberOrder};
use super::survey::Survey;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::text_of_literal;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, File, ObjectElement, ObjectKey};

/// Returns the text of the key of an object element, if it is constant.
pub(crate) fn constant_key<'t>(element: ObjectElement<'t>) -> Result<Cow<'t, str>, ExpressionNode<'t>> {
    let mut expression = match element.key() {
        ObjectKey::Name(name) => return Ok(Cow::Borrowed(name.text())),
        ObjectKey::Expression(expression) => expression,
        _ => return Err(element.key_expression()),
    };
    while let ExpressionKind::Parentheses(parentheses) = expression.kind() {
        expression = parentheses.inner();
    }
    constant(expression).ok_or(expression)
}

/// Returns the text of a literal as an object key.
pub(crate) fn constant(expression: ExpressionNode<'_>) -> Option<Cow<'_, str>> {
    match expression.kind() {
        ExpressionKind::Template(template) => template.as_text(),
        ExpressionKind::Number(number) => text_of_literal(number.text()).map(Cow::Owned),
        ExpressionKind::Bool(value) => Some(if value { "true" } else { "false" }.into()),
        _ => None,
    }
}

/// The name of a member, as far as its container tells members apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity<'t> {
    Attribute(Cow<'t, str>),
    /// The type.
    Block(Cow<'t, str>),
    Key(Cow<'t, str>),
}

impl<'t> Identity<'t> {
    fn of(member: Item<'t>) -> Option<Identity<'t>> {
        match member {
            Item::Attribute(attribute) => Some(Identity::Attribute(attribute.name().into())),
            Item::Block(block) => Some(Identity::Block(block.block_type().into())),
            Item::Entry(entry) => constant_key(entry).ok().map(Identity::Key),
            Item::Element(_) | Item::JsonValue(_) | Item::JsonBlock(..) => None,
        }
    }

    /// Returns the identity of a member under another name in HCL notation.
    fn after(member: Item<'t>, name: Option<&str>) -> Option<Identity<'t>> {
        let Some(name) = name else { return Identity::of(member) };
        match member {
            Item::Attribute(_) => Some(Identity::Attribute(name.to_owned().into())),
            Item::Block(_) => Some(Identity::Block(name.to_owned().into())),
            Item::Entry(_) => Some(Identity::Key(written_key(name).into())),
            Item::Element(_) | Item::JsonValue(_) | Item::JsonBlock(..) => None,
        }
    }

    fn name(&self) -> &str {
        match self {
            Identity::Attribute(name) | Identity::Block(name) | Identity::Key(name) => name,
        }
    }

    fn described(&self) -> String {
        match self {
            Identity::Attribute(name) => format!("an attribute `{name}`"),
            Identity::Block(name) => format!("a block `{name}`"),
            Identity::Key(key) => format!("a key `{key}`"),
        }
    }

    fn code(&self) -> Code {
        match self {
            Identity::Attribute(_) | Identity::Block(_) => Code::DuplicateAttribute,
            Identity::Key(_) => Code::DuplicateKey,
        }
    }
}

/// Returns a key as `quote::key` writes it.
fn written_key(name: &str) -> String {
    let file = hcl_lr::parse::<hcl_lr::File>(format!("new-text = {{\n{name} = 0\n}}\n"));
    let collection = collection(file.value());
    let members = collection.map(|collection| Container::Collection(collection).members()).unwrap_or_default();
    match members.first() {
        Some(Some(Item::Entry(entry))) => constant_key(*entry).map_or_else(|_| name.to_owned(), Cow::into_owned),
        _ => name.to_owned(),
    }
}

/// A member of a container after the edits.
struct Holder<'t> {
    identity: Identity<'t>,
    place: Place,
    /// True if it did not have this name in this container before.
    is_new: bool,
}

/// Checks that the new members of a container have free names.
///
/// # Errors
/// If a name is taken.
pub(super) fn check<'t>(
    survey: &Survey<'t>,
    asked: &[Option<&MemberOrder<'t>>],
    own: &ContainerOrder<'t>,
) -> Result<(), EditError> {
    let orders = || asked.iter().flatten();
    let changes =
        |order: &&&MemberOrder<'t>| order.name.is_some() || !order.before.is_empty() || !order.after.is_empty();
    if survey.shape == Shape::Tuple
        || own.start.is_empty() && own.end.is_empty() && !orders().any(|order| changes(&order))
    {
        return Ok(());
    }
    let mut holders = Vec::new();
    for (member, order) in survey.members.iter().zip(asked) {
        let Some(member) = member.filter(|_| !order.is_some_and(|order| order.removed)) else { continue };
        let name = order.and_then(|order| order.name.as_deref());
        let Some(identity) = Identity::after(member, name) else { continue };
        let is_new = name.is_some() && Identity::of(member).as_ref() != Some(&identity);
        let place = head(survey.file.source(), member);
        holders.push(Holder { identity, place, is_new });
    }
    let present: HashSet<usize> = survey.members.iter().flatten().map(|member| member.id()).collect();
    let around = orders().flat_map(|order| order.before.iter().chain(&order.after));
    for new in own.start.iter().chain(around).chain(&own.end) {
        put_in(survey, new, &present, &mut holders);
    }
    // Holders that already have the name come first, so that they keep it.
    let (kept, new): (Vec<_>, Vec<_>) = holders.iter().partition(|holder| !holder.is_new);
    let (mut single, mut blocks): (HashMap<&str, &Holder<'_>>, HashMap<&str, &Holder<'_>>) = Default::default();
    for holder in kept.into_iter().chain(new) {
        let name = holder.identity.name();
        let is_block = matches!(holder.identity, Identity::Block(_));
        let rival = single.get(name).or_else(|| blocks.get(name).filter(|_| !is_block));
        if let Some(rival) = rival.filter(|_| holder.is_new) {
            return Err(EditError::NameTaken(Box::new(name_taken(rival, holder))));
        }
        if is_block { &mut blocks } else { &mut single }.insert(name, holder);
    }
    Ok(())
}

/// Adds the members of a new item. `here` has the ids of the members already in the container.
fn put_in<'t>(survey: &Survey<'t>, new: &New<'t>, here: &HashSet<usize>, holders: &mut Vec<Holder<'t>>) {
    match &new.origin {
        Origin::Moved(member, name) => {
            let Some(identity) = Identity::after(*member, name.as_deref()) else { return };
            let is_new = !here.contains(&member.id()) || Identity::of(*member).as_ref() != Some(&identity);
            let place = head(survey.file.source(), *member);
            holders.push(Holder { identity, place, is_new });
        }
        Origin::Parsed(file) => {
            for member in parsed_members(new.shape, file) {
                let Some(identity) = Identity::of(member) else { continue };
                let place = match new.shape {
                    Shape::Body => head(file.source(), member),
                    _ => alone(file.source(), member),
                };
                holders.push(Holder { identity: owned(identity), place, is_new: true });
            }
        }
    }
}

fn parsed_members(shape: Shape, file: &File) -> Vec<Item<'_>> {
    let container = match shape {
        Shape::Body => Some(Container::Body(file.body())),
        _ => collection(file).map(Container::Collection),
    };
    container.map(Container::members).unwrap_or_default().into_iter().flatten().collect()
}

fn owned<'o>(identity: Identity<'_>) -> Identity<'o> {
    let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    match identity {
        Identity::Attribute(name) => Identity::Attribute(own(name)),
        Identity::Block(name) => Identity::Block(own(name)),
        Identity::Key(key) => Identity::Key(own(key)),
    }
}

/// Returns the place of the name of a member, with the labels of a block.
fn head(source: &Arc<Source>, member: Item<'_>) -> Place {
    let name = member.name_span().unwrap_or(member.span());
    let span = match member {
        Item::Block(block) => block.labels().last().map_or(name, |label| name.join(label.span())),
        _ => name,
    };
    Place::new(source, Span::new(span.start(), span.end()))
}

/// Returns the place of the key of an entry in the text of the entry alone.
fn alone(source: &Source, entry: Item<'_>) -> Place {
    let (span, name) = (entry.span(), entry.name_span().unwrap_or(entry.span()));
    let text = Arc::new(Source::new(source.name(), source.text()[span.range()].to_owned()));
    Place::new(&text, Span::new(name.start() - span.start(), name.end() - span.start()))
}

fn name_taken(other: &Holder<'_>, new: &Holder<'_>) -> Diagnostic {
    let detail = format!("there is already {}", other.identity.described());
    Diagnostic::error(new.identity.code(), &other.place, detail)
        .with_summary("the name is taken")
        .with_label(&new.place, format!("this would be {} too", new.identity.described()))
        .with_help("rename or remove one of the two first")
}
