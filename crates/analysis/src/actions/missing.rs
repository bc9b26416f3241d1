//! Edits that add what files refer to and nothing defines: values, inputs, and the inputs and results of modules.

use std::sync::Arc;

use hcl_lr::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::sort_by_key;
use hcl_lr::model::Type;
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::ast::{BlockNode, BodyItem};
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::schema::Type as SchemaType;
use hcl_lr_language::schema::model::DefinitionKind;

use super::{Action, ActionKind, attribute_around, block_around};
use crate::completion::UsedParts;
use crate::cursor::Link;
use crate::knowledge::Header;
use crate::parts::PathsAt;
use crate::project::Project;
use crate::spans::{item_at, touches};
use crate::workspace::{Cancelled, File, Snapshot};
use crate::{Edit, Location};

/// A block to add.
struct Missing<'m> {
    block_type: &'m str,
    name: &'m str,
    /// The lines in the block.
    lines: String,
    /// The folder of a module, for the title.
    folder: Option<&'m str>,
}

/// Returns the edit that adds the definition that an error misses. `None` if no kind of block fits, or all files are in
/// JSON.
pub(super) fn definition(
    snapshot: &Snapshot,
    file: &Arc<File>,
    project: &Arc<Project>,
    wrong: &Diagnostic,
) -> Result<Option<Action>, Cancelled> {
    if let Some(reference) = crate::diagnostics::undefined_reference(wrong) {
        return Ok(of_reference(snapshot, file, project, reference, wrong.span()));
    }
    match wrong.code() {
        Code::UnsupportedArgument => input_of_module(snapshot, file, project, wrong.span()),
        Code::UnsupportedAttribute => Ok(result_of_module(snapshot, file, project, wrong.span())),
        _ => Ok(None),
    }
}

/// Returns the edit that adds a value or an input that an expression refers to, with the type that is expected there.
fn of_reference(
    snapshot: &Snapshot,
    file: &Arc<File>,
    project: &Arc<Project>,
    reference: &str,
    place: Span,
) -> Option<Action> {
    // The roles of blocks that exist only to be referred to.
    let mut roles = file.language().roles().roles().iter();
    let (block_type, name, is_attribute) = roles.find_map(|role| {
        let is_attribute = role.defines_attributes();
        let fits = if is_attribute { role.label_names().is_empty() } else { role.is_input() };
        let name = role.name_for(&[], reference).filter(|name| fits && is_identifier(name))?;
        Some((role.block_type()?, name, is_attribute))
    })?;
    let native: Vec<&Arc<File>> = project.files().iter().filter(|file| file.native().is_some()).collect();
    if is_attribute {
        let target = target(&native, file, block_type)?;
        return Some(attribute(target, block_type, name));
    }
    let expected = file
        .native()
        .and_then(|native| UsedParts::at(snapshot, file, project.clone(), native, place.end()).expected_value_type());
    let target = target(&native, file, block_type)?;
    let lines = type_line(snapshot, target, block_type, name, expected.as_ref());
    Some(block(target, &Missing { block_type, name, lines, folder: None }))
}

/// Returns the edit that adds an input to the module that a call gives a value for it.
fn input_of_module(
    snapshot: &Snapshot,
    file: &Arc<File>,
    project: &Arc<Project>,
    place: Span,
) -> Result<Option<Action>, Cancelled> {
    let Some(native) = file.native() else { return Ok(None) };
    let Some(attribute) = attribute_around(native.body(), place.start()).filter(|it| it.name_token().span() == place)
    else {
        return Ok(None);
    };
    let Some(folder) = block_around(native.body(), place.start()).and_then(|block| folder_of(file, block)) else {
        return Ok(None);
    };
    let mut roles = file.language().roles().roles().iter();
    let Some(block_type) = roles.find(|role| role.is_input()).and_then(|role| role.block_type()) else {
        return Ok(None);
    };
    let expression = Expression::from(attribute.expression());
    let value = snapshot.value_in(file, project, place.start(), &expression)?;
    let ty = value.map(|value| usual(&value.shown_type()));
    let files = files_in(snapshot, file, folder);
    let Some(target) = target(&files, file, block_type) else { return Ok(None) };
    let name = attribute.name();
    let lines = type_line(snapshot, target, block_type, name, ty.as_ref());
    let written = hcl_lr_project::paths::relative(file.folder(), folder);
    Ok(Some(block(target, &Missing { block_type, name, lines, folder: Some(&written) })))
}

/// Returns the edit that adds a result to the module of which an expression uses it.
fn result_of_module(snapshot: &Snapshot, file: &Arc<File>, project: &Arc<Project>, place: Span) -> Option<Action> {
    let (cursor, chain, span) = snapshot.path_at(file, place.end())?;
    let paths = PathsAt::new(snapshot, file, project, &cursor);
    let (definition, rest) = paths.definition(&chain).filter(|(definition, _)| definition.is_module())?;
    let ([Link::Name(name)] | [Link::Index(_), Link::Name(name)]) = &rest[..] else { return None };
    if !touches(span, place.end()) || !is_identifier(name) {
        return None;
    }
    let home = snapshot.file(definition.place().source().name())?;
    let BodyItem::Block(call) = item_at(home.native()?.body(), definition.place().span().start())? else { return None };
    let folder = folder_of(home, call)?;
    let files = files_in(snapshot, file, folder);
    let checkers = file.language().checkers(file.path());
    let mut blocks = checkers.iter().flat_map(|checker| &checker.schema().parts).flat_map(|part| &part.body.blocks);
    // The block of a result has no address of its own.
    let result = blocks.find(|block| {
        let defines = block.defines.as_ref();
        defines.is_some_and(|defines| defines.value == DefinitionKind::Value && defines.address.is_none())
    })?;
    let target = target(&files, file, &result.name)?;
    let written = hcl_lr_project::paths::relative(file.folder(), folder);
    let lines = "  value = null\n".to_owned();
    Some(block(target, &Missing { block_type: &result.name, name, lines, folder: Some(&written) }))
}

/// Returns the folder of the module that a block calls, if it is a relative path.
fn folder_of<'f>(file: &'f File, block: BlockNode<'_>) -> Option<&'f str> {
    let span = block.span();
    let call = file.calls().iter().find(|call| span.start() <= call.span.start() && call.span.end() <= span.end())?;
    call.folder.as_deref()
}

/// Returns the files of a folder that can be edited, in the language of a file.
fn files_in<'s>(snapshot: &'s Snapshot, file: &File, folder: &str) -> Vec<&'s Arc<File>> {
    let all = snapshot.folder(folder).into_iter().flat_map(|folder| folder.files.values());
    let is_fit =
        |other: &&Arc<File>| other.language() == file.language() && other.native().is_some() && !other.is_installed();
    let mut files: Vec<&Arc<File>> = all.filter(is_fit).collect();
    sort_by_key(&mut files, |file| (!file.name().starts_with("main."), file.name().to_owned()));
    files
}

/// Returns the file for a new block: the one that is named after such blocks, the file itself, or the first one.
fn target<'f>(files: &[&'f Arc<File>], file: &File, block_type: &str) -> Option<&'f Arc<File>> {
    // Such as `variables.tf`, or `locals.tf`.
    let is_usual = |stem: &str| stem.strip_suffix('s').unwrap_or(stem) == block_type || stem == block_type;
    let usual = files.iter().find(|file| file.name().split('.').next().is_some_and(is_usual));
    let own = || files.iter().find(|other| other.path() == file.path());
    usual.or_else(own).or(files.first()).copied()
}

/// Returns the line that states the type of an input, if its block can have one.
fn type_line(snapshot: &Snapshot, file: &File, block_type: &str, name: &str, ty: Option<&Type>) -> String {
    let header = Header { block_type: block_type.to_owned(), labels: vec![name.to_owned()] };
    let known = snapshot.known_body(file, std::slice::from_ref(&header));
    let has_type = known.is_some_and(|body| {
        body.attributes.iter().any(|attribute| {
            attribute.name == "type" && matches!(attribute.schema_type, Some(SchemaType::TypeExpression))
        })
    });
    match ty.filter(|ty| has_type && **ty != Type::Dynamic && !ty.has_dynamic()) {
        Some(ty) => format!("  type = {}\n", ty.describe()),
        None => String::new(),
    }
}

/// Returns the type that people state for a value: a list for elements of one type.
fn usual(ty: &Type) -> Type {
    match ty.tuple_elements() {
        Some([first, others @ ..]) if others.iter().all(|other| other == first) => {
            Type::list(stack::with_room(|| usual(first)))
        }
        Some([]) => Type::list(Type::Dynamic),
        _ => ty.clone(),
    }
}

/// Returns the edit that adds an attribute to the last block of a type, or in a new one.
fn attribute(target: &File, block_type: &str, name: &str) -> Action {
    let title = format!("add `{name}` to `{block_type}`");
    // Attributes go into a block of the file that has them already.
    let blocks = target.native().into_iter().flat_map(|native| native.body().blocks_of_type(block_type));
    let mut all: Vec<BlockNode<'_>> = blocks.filter(|block| !block.is_one_line()).collect();
    let existing = all.pop();
    if let Some((block, close)) = existing.and_then(|block| Some((block, block.body().close_brace_span()?))) {
        let text = target.source().text();
        let line = text[..close.start()].rfind('\n').map_or(0, |at| at + 1);
        let indent = block.body().attributes().last().map_or("  ", |attribute| {
            let start = attribute.span().start();
            &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start]
        });
        let is_alone = text[line..close.start()].trim().is_empty() && indent.trim().is_empty();
        if is_alone {
            let location = Location { path: target.path().clone(), span: Span::new(line, line) };
            let edits = vec![Edit { location, text: format!("{indent}{name} = null\n") }];
            return Action { title, kind: ActionKind::Fix, edits, mends: None, is_safe: false };
        }
    }
    at_end(target, title, &format!("{block_type} {{\n  {name} = null\n}}\n"))
}

/// Returns the edit that adds a block.
fn block(target: &File, missing: &Missing<'_>) -> Action {
    let Missing { block_type, name, lines, folder } = missing;
    let place = folder.map_or_else(String::new, |folder| format!(" to `{folder}`"));
    let title = format!("add {block_type} \"{name}\"{place}");
    at_end(target, title, &format!("{block_type} \"{name}\" {{\n{lines}}}\n"))
}

/// Returns the edit that adds a text at the end of a file, after an empty line.
fn at_end(target: &File, title: String, new: &str) -> Action {
    let text = target.source().text();
    let end = Span::new(text.len(), text.len());
    let gap = match text {
        "" => "",
        _ if text.ends_with("\n\n") => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let location = Location { path: target.path().clone(), span: end };
    let edits = vec![Edit { location, text: format!("{gap}{new}") }];
    Action { title, kind: ActionKind::Fix, edits, mends: None, is_safe: false }
}
