//! Creates attributes, entries and blocks for the names that are missing at a place.

use hcl_lr::construct::{NewBlock, NewExpression};
use hcl_lr::convert::ConversionSchema;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{AddressStep, Target, TargetKind};
use hcl_lr_edit::{Container, NewItem};

use crate::error::Error;

/// Returns the item to add to a container so that it has a value at a path of names: an attribute, an entry, an
/// object, or blocks that contain the attribute. The blocks that the language of the file has, and the other blocks of the
/// file in native syntax, decide which names are blocks. At the top of a file, a name before others is also a block.
///
/// # Errors
/// A message, if the path ends before all labels of a block are named.
pub fn missing_item(
    (file, known): (Option<&File>, &ConversionSchema),
    (target, container): (&Target<'_>, Container<'_>),
    missing: &[AddressStep],
    value: NewExpression,
) -> Result<NewItem, Error> {
    let names = names(missing);
    let [name, inner @ ..] = &names[..] else { return Err("nothing is missing".into()) };
    if let Container::Collection(_) | Container::JsonValue(_) = container {
        return Ok(NewItem::entry(name, nested(inner, value)));
    }
    let outer = target.address();
    let outer = self::names(outer.steps());
    let path: Vec<&str> = outer.iter().chain(&names).map(String::as_str).collect();
    let mut blocks = blocks_on((file, known), &path);
    // The names of existing items.
    let mut done = 0;
    while done < outer.len() && !blocks.is_empty() {
        let (_, labels) = blocks.remove(0);
        done += 1 + labels.len();
    }
    if blocks.is_empty() && matches!(target.kind(), TargetKind::Body(_)) && !inner.is_empty() {
        blocks.push((name, Vec::new()));
    }
    let named: usize = blocks.iter().map(|(_, labels)| 1 + labels.len()).sum();
    let Some((attribute, rest)) = names.get(named..).and_then(|rest| rest.split_first()) else {
        return Err(format!("`{name}` is a block, and has no value; `hcl append` adds blocks").into());
    };
    let value = nested(rest, value);
    let mut blocks = blocks
        .into_iter()
        .rev()
        .map(|(block_type, labels)| labels.into_iter().fold(NewBlock::new(block_type), NewBlock::label));
    let Some(last) = blocks.next() else { return Ok(NewItem::attribute(attribute, value)) };
    let innermost = last.attribute(attribute, value);
    Ok(NewItem::block(&blocks.fold(innermost, |inner, outer| outer.block(inner))))
}

/// Returns the names of steps. Indexes select existing blocks.
fn names(steps: &[AddressStep]) -> Vec<String> {
    let name = |step: &AddressStep| match step {
        AddressStep::Name(name) => Some(name.clone()),
        _ => None,
    };
    steps.iter().filter_map(name).collect()
}

/// Returns an object in an object for each name, with a value in the innermost one.
fn nested(names: &[String], value: NewExpression) -> NewExpression {
    names.iter().rev().fold(value, |value, name| NewExpression::object([(name, value)]))
}

/// Returns the blocks on a path according to the language, or else like other blocks in the file, which is in native syntax.
fn blocks_on<'n>((file, known): (Option<&File>, &ConversionSchema), path: &[&'n str]) -> Vec<(&'n str, Vec<&'n str>)> {
    let known = known.blocks_on_path(path);
    let others = file.map(|file| ConversionSchema::of(file.body()).blocks_on_path(path)).unwrap_or_default();
    if known.len() >= others.len() { known } else { others }
}
