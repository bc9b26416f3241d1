//! Names that are taken.
//!
//! An edit gives no member a name that another member of its container has: neither a member that is put in nor one
//! that is renamed or comes from another place. New blocks are different: a body may have several of one type,
//! even with the same labels. Members that had one name before the edit may keep it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::EditError;
use super::item::{New, Origin, collection};
use super::node::{Container, Item, Shape};
use super::orders::{ContainerOrder, MemberOrder};
use super::survey::Survey;
use crate::decimal::text_of_literal;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Place, Source, Span};
use crate::syntax::ast::{ExpressionKind, ExpressionNode, File, ObjectElement, ObjectKey};

/// The text of the key of an object element, if it does not depend on anything.
pub(crate) fn constant_key<'t>(element: ObjectElement<'t>) -> Result<Cow<'t, str>, ExpressionNode<'t>> {
    let mut expression = match element.key() {
        ObjectKey::Name(name) => return Ok(Cow::Borrowed(name.text())),
        ObjectKey::Expression(expression) => expression,
    };
    while let ExpressionKind::Parentheses(parentheses) = expression.kind() {
        expression = parentheses.inner();
    }
    constant(expression).ok_or(expression)
}

/// The text of a literal, as the key of an object.
pub(crate) fn constant(expression: ExpressionNode<'_>) -> Option<Cow<'_, str>> {
    match expression.kind() {
        ExpressionKind::Template(template) => template.as_text(),
        ExpressionKind::Number(number) => text_of_literal(number.text()).map(Cow::Owned),
        ExpressionKind::Bool(value) => Some(if value { "true" } else { "false" }.into()),
        _ => None,
    }
}

/// The name of a member, as far as its container tells members apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity<'t> {
    Attribute(Cow<'t, str>),
    Block(Cow<'t, str>, Vec<Cow<'t, str>>),
    Key(Cow<'t, str>),
}

impl<'t> Identity<'t> {
    fn of(member: Item<'t>) -> Option<Identity<'t>> {
        match member {
            Item::Attribute(attribute) => Some(Identity::Attribute(attribute.name().into())),
            Item::Block(block) => {
                let labels = block.labels().map(|label| label.text()).collect();
                Some(Identity::Block(block.block_type().into(), labels))
            }
            Item::Entry(entry) => constant_key(entry).ok().map(Identity::Key),
            Item::Element(_) => None,
        }
    }

    /// The identity of a member with another name, as it is written, and with other labels.
    fn after(member: Item<'t>, name: Option<&str>, labels: Option<&[String]>) -> Option<Identity<'t>> {
        if let (Item::Entry(_), Some(name)) = (member, name) {
            return Some(Identity::Key(written_key(name).into()));
        }
        let written = |old: Cow<'t, str>| name.map_or(old, |name| Cow::Owned(name.to_owned()));
        Some(match Identity::of(member)? {
            Identity::Attribute(old) => Identity::Attribute(written(old)),
            Identity::Block(old, old_labels) => {
                let labels = labels.map(|labels| labels.iter().map(|label| Cow::Owned(label.clone())).collect());
                Identity::Block(written(old), labels.unwrap_or(old_labels))
            }
            key => key,
        })
    }

    /// The name of an attribute or the type of a block, which are not the same in one body.
    fn in_body(&self) -> Option<(&str, bool)> {
        match self {
            Identity::Attribute(name) => Some((name, true)),
            Identity::Block(name, _) => Some((name, false)),
            Identity::Key(_) => None,
        }
    }

    fn described(&self) -> String {
        match self {
            Identity::Attribute(name) => format!("an attribute `{name}`"),
            Identity::Block(name, labels) => {
                let labels: String = labels.iter().map(|label| format!(" {}", crate::writer::quoted(label))).collect();
                format!("a block `{name}{labels}`")
            }
            Identity::Key(key) => format!("a key `{key}`"),
        }
    }

    fn code(&self) -> Code {
        match self {
            Identity::Attribute(_) => Code::DuplicateAttribute,
            Identity::Block(..) => Code::DuplicateBlock,
            Identity::Key(_) => Code::DuplicateKey,
        }
    }
}

/// The text of a key as `quote::key` writes it.
fn written_key(name: &str) -> String {
    let file = crate::parse::<crate::File>(format!("new-text = {{\n{name} = 0\n}}\n"));
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
    /// It has not had this name in this container.
    is_new: bool,
    /// It is a block that is put in, which may be one of several.
    is_one_more: bool,
}

/// Checks that what a container gets has names that are free.
///
/// # Errors
/// If one is taken.
pub(super) fn check<'t>(
    survey: &Survey<'t>,
    asked: &[Option<&MemberOrder<'t>>],
    own: &ContainerOrder<'t>,
) -> Result<(), EditError> {
    let orders = || asked.iter().flatten();
    let changes = |order: &&&MemberOrder<'t>| {
        order.name.is_some() || order.labels.is_some() || !order.before.is_empty() || !order.after.is_empty()
    };
    if survey.shape == Shape::Tuple
        || own.start.is_empty() && own.end.is_empty() && !orders().any(|order| changes(&order))
    {
        return Ok(());
    }
    let mut holders = Vec::new();
    for (member, order) in survey.members.iter().zip(asked) {
        let Some(member) = member.filter(|_| !order.is_some_and(|order| order.removed)) else { continue };
        let name = order.and_then(|order| order.name.as_deref());
        let labels = order.and_then(|order| order.labels.as_deref());
        let Some(identity) = Identity::after(member, name, labels) else { continue };
        let is_new = (name.is_some() || labels.is_some()) && Identity::of(member).as_ref() != Some(&identity);
        let place = head(survey.file.source(), member);
        holders.push(Holder { identity, place, is_new, is_one_more: false });
    }
    let here: HashSet<u32> = survey.members.iter().flatten().map(|member| member.id()).collect();
    let around = orders().flat_map(|order| order.before.iter().chain(&order.after));
    for new in own.start.iter().chain(around).chain(&own.end) {
        put_in(survey, new, &here, &mut holders);
    }
    for pair in [true, false] {
        let mut known: HashMap<Identity<'_>, &Holder<'_>> = HashMap::with_capacity(holders.len());
        // Holders that already have the name come first, so that the name is theirs.
        let (kept, new): (Vec<_>, Vec<_>) = holders.iter().partition(|holder| !holder.is_new);
        for holder in kept.into_iter().chain(new) {
            // In a body, no attribute has the name of a block either.
            let identity = match (pair, &holder.identity) {
                (true, identity) => identity.clone(),
                (false, Identity::Block(name, _)) => Identity::Attribute(name.clone()),
                (false, identity) => identity.clone(),
            };
            let Some(other) = known.insert(identity, holder) else { continue };
            let differ =
                other.identity.in_body().map(|(_, kind)| kind) != holder.identity.in_body().map(|(_, kind)| kind);
            let taken = match pair {
                true => holder.is_new && !holder.is_one_more,
                false => holder.is_new && differ,
            };
            if taken {
                return Err(EditError::NameTaken(Box::new(name_taken(other, holder))));
            }
        }
    }
    Ok(())
}

/// Adds what something new consists of. `here` has the members that are in the container already.
fn put_in<'t>(survey: &Survey<'t>, new: &New<'t>, here: &HashSet<u32>, holders: &mut Vec<Holder<'t>>) {
    match &new.origin {
        Origin::Moved(member, name) => {
            let Some(identity) = Identity::after(*member, name.as_deref(), None) else { return };
            let is_new = !here.contains(&member.id()) || Identity::of(*member).as_ref() != Some(&identity);
            let place = head(survey.file.source(), *member);
            holders.push(Holder { identity, place, is_new, is_one_more: false });
        }
        Origin::Parsed(file) => {
            for member in parsed_members(new.shape, file) {
                let Some(identity) = Identity::of(member) else { continue };
                let is_one_more = matches!(member, Item::Block(_));
                let place = match new.shape {
                    Shape::Body => head(file.source(), member),
                    _ => alone(file.source(), member),
                };
                holders.push(Holder { identity: owned(identity), place, is_new: true, is_one_more });
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
        Identity::Block(name, labels) => Identity::Block(own(name), labels.into_iter().map(own).collect()),
        Identity::Key(key) => Identity::Key(own(key)),
    }
}

/// The place of the name of a member, with the labels of a block.
fn head(source: &Arc<Source>, member: Item<'_>) -> Place {
    let name = member.name_span().unwrap_or(member.span());
    let span = match member {
        Item::Block(block) => block.labels().last().map_or(name, |label| name.join(label.span())),
        _ => name,
    };
    Place::new(source, Span::new(span.start() as u32, span.end() as u32))
}

/// The place of the key of an entry in the text of the entry alone.
fn alone(source: &Source, entry: Item<'_>) -> Place {
    let (span, name) = (entry.span(), entry.name_span().unwrap_or(entry.span()));
    let text = Arc::new(Source::new(source.name(), source.text()[span.range()].to_owned()));
    Place::new(&text, Span::new((name.start() - span.start()) as u32, (name.end() - span.start()) as u32))
}

fn name_taken(other: &Holder<'_>, new: &Holder<'_>) -> Diagnostic {
    let detail = format!("there is already {}", other.identity.described());
    Diagnostic::error(new.identity.code(), &other.place, detail)
        .with_summary("the name is taken")
        .with_label(&new.place, format!("this would be {} too", new.identity.described()))
        .with_help("rename or remove one of the two first")
}
