//! Moves of blocks and arguments in the JSON syntax.
//!
//! A block is a body in a property for its type, inside an object for each label. The property may contain other
//! blocks, so it is not moved. Instead, the body is removed with everything that becomes empty, and is added at its
//! new place, where other blocks of its type may be.

use super::json::{self, JsonEdit, is_alone, strings_of};
use super::json_members::Member;
use super::taken::Taken;
use super::targets::place;
use crate::error::Error;
use hcl_lr::json::Node;
use hcl_lr::source::Place;
use hcl_lr_edit::JsonPosition;
use hcl_lr_edit::address::{JsonBlock, Target, TargetKind};

/// Moves a block to a place, or changes its type and labels in place.
///
/// # Errors
/// A message, if the block cannot have these names there.
pub(super) fn move_block<'d>(
    edit: &mut JsonEdit<'_, 'd>,
    (target, block): (&Target<'d>, &JsonBlock<'d>),
    names: &[String],
    new_place: Option<(Node<'d>, JsonPosition<'d>)>,
) -> Result<(), Error> {
    let wrong = |why: String| format!("{}: {why}", place(target));
    let outermost = block.properties().next().ok_or_else(|| wrong("this is no block".to_owned()))?;
    let current = edit.parent(outermost.value()).ok_or_else(|| wrong("this is the whole file".to_owned()))?;
    let (container, position) = new_place.unwrap_or((current, JsonPosition::End));
    let (body, within) = (block.body().span(), container.span());
    if body.start() <= within.start() && within.end() <= body.end() {
        return Err(wrong("a block cannot be moved into itself".to_owned()).into());
    }
    let keeps_name = block.properties().map(|property| property.name()).eq(names.iter().map(String::as_str));
    // Other blocks of its type share the property and would move, too.
    if !matches!(position, JsonPosition::End)
        && (container.id() == current.id() || edit.property(container, &names[0]).is_some())
    {
        if !keeps_name {
            return Err(wrong("rename it first, and then move it".to_owned()).into());
        }
        if container.id() != current.id() || !is_alone(outermost, block) {
            let name = &names[0];
            return Err(
                wrong(format!("in JSON, all `{name}` blocks are in one property, and only move together")).into()
            );
        }
        edit.editor.move_to(outermost.value(), container, position, Some(&names[0]));
        return Ok(());
    }
    let member =
        Member::of_block(names, source(edit, block.body())?).ok_or_else(|| wrong("a block has a type".to_owned()))?;
    edit.editor.remove_up_to(block.body(), outermost.value());
    edit.add(container, position, &member)
}

/// Returns the text of a value of the file.
fn source<'d>(edit: &JsonEdit<'_, 'd>, value: Node<'d>) -> Result<String, Error> {
    edit.editor.source_of(value).map_err(|error| error.to_string().into())
}

/// Takes a block or an argument out of a file, for adding it to another one.
///
/// # Errors
/// A message, if it is anything else.
pub(super) fn take<'d>(edit: &mut JsonEdit<'_, 'd>, target: &Target<'d>) -> Result<(), Error> {
    let address = target.address();
    let mut path = json::names(&address);
    let head = Place::new(edit.document.source(), target.span());
    let (member, header) = match target.kind() {
        TargetKind::JsonBlock(block) => {
            let names: Vec<String> = block.properties().map(|property| property.name().into_owned()).collect();
            path.truncate(path.len().saturating_sub(names.len()));
            (Member::of_block(&names, source(edit, block.body())?), Some(names))
        }
        TargetKind::JsonAttribute(property) => {
            path.pop();
            let json = source(edit, property.value())?;
            (Some(Member { name: property.name().into_owned(), labels: None, json }), None)
        }
        _ => (None, None),
    };
    let other = || format!("{}: only attributes and blocks can be moved to another file", place(target));
    let member = member.ok_or_else(other)?;
    let native = edit.native(&member, &path).map_err(|error| error.to_string());
    let json = Some((member, strings_of(edit.document.root())));
    edit.taken.push(Taken { native, json, header, place: head });
    json::remove(&mut edit.editor, target)
}
