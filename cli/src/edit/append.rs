//! `hcl append`: adds attributes, blocks, entries of objects and elements of lists.

use std::path::PathBuf;

use super::json::{self, JsonEdit};
use super::{Beside, Edit, Edits, Files, Refusal, address, container, place, text_from};
use crate::args::AddressArgument;
use hcl_lr::address::{Target, TargetKind};
use hcl_lr::edit::{InsertionPoint, JsonPosition, NewItem};
use hcl_lr::json::Document;
use hcl_lr::parse;
use hcl_lr::query::QueryMatch;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind};

const EXAMPLES: &str = "\
Examples:
  hcl append service.web 'port = 8080' main.hcl
  hcl append . 'variable \"region\" {}' variables.tf   at the end of the file
  hcl append . --from common.hcl main.hcl            what is in a file
  hcl append service.web.tags 'Team = \"a\"' main.hcl  an entry of an object
  hcl append zones '\"c\"' main.hcl                    an element of a list
  hcl append --start zones '\"a\"' main.hcl
  hcl append --after service.web.port service.web 'host = \"a\"' main.hcl
  hcl append --all 'module[*]' 'enabled = true' --if-missing .";

/// Add attributes, blocks, entries of objects or elements of lists
///
/// New items get the layout of their neighbours: indentation, alignment, commas.
#[derive(clap::Args)]
#[command(override_usage = "hcl append [OPTIONS] <ADDRESS> [TEXT] [PATH|-]...", after_help = help())]
pub struct Append {
    /// The container: a block, an object, a list, or `.` for the file
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    /// The new items, in HCL
    #[arg(allow_negative_numbers = true)]
    text: Option<String>,

    /// Read the new items from a file, or from standard input for `-`
    #[arg(long, value_name = "FILE|-")]
    from: Option<PathBuf>,

    /// Leave containers alone that have an attribute, an entry or a block of that
    /// name already, or an equal element
    #[arg(long)]
    if_missing: bool,

    /// Add at the start, not at the end
    #[arg(long, conflicts_with_all = ["before", "after"])]
    start: bool,

    #[command(flatten)]
    beside: Beside,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Append {
    pub fn run(&self) -> Result<super::Status, String> {
        let (text, paths) = self.files.text_and_paths(self.text.as_deref(), self.from.is_some())?;
        let text = match (text, &self.from) {
            (Some(text), _) => text,
            (None, Some(path)) => text_from(path, &paths)?,
            (None, None) => String::new(),
        };
        super::run(&self.files, &paths, &Adding { args: self, text })
    }
}

struct Adding<'a> {
    args: &'a Append,
    text: String,
}

impl Adding<'_> {
    /// Returns true if a container has one of the new items already.
    fn is_there(&self, target: &Target<'_>) -> bool {
        let body = match target.kind() {
            TargetKind::Body(body) => Some(*body),
            TargetKind::Block(block) => Some(block.body()),
            _ => None,
        };
        if let Some(body) = body {
            let new = parse::<File>(("new text", self.text.as_str())).into_value();
            return new.body().items().any(|item| has(body, item));
        }
        let Some(value) = target.expression() else { return false };
        match value.kind() {
            ExpressionKind::Object(object) => {
                let new = parse::<File>(("new text", format!("new = {{\n{}\n}}\n", self.text))).into_value();
                let Some(attribute) = new.body().attribute("new") else { return false };
                let ExpressionKind::Object(entries) = attribute.expression().kind() else { return false };
                let key = |text: &str| text.trim_matches(['"', '(', ')']).to_owned();
                entries.elements().any(|entry| {
                    let name = key(entry.key_expression().text());
                    object.elements().any(|old| key(old.key_expression().text()) == name)
                })
            }
            ExpressionKind::Tuple(tuple) => tuple.elements().any(|element| element.text() == self.text.trim()),
            _ => false,
        }
    }
}

/// Returns true if a body has an attribute of this name, or a block of this type with these labels.
fn has(body: BodyNode<'_>, item: BodyItem<'_>) -> bool {
    match item {
        BodyItem::Attribute(attribute) => body.attribute(attribute.name()).is_some(),
        BodyItem::Block(block) => body
            .blocks_of_type(block.block_type())
            .any(|old| old.labels().map(|label| label.text()).eq(block.labels().map(|label| label.text()))),
        _ => false,
    }
}

/// Returns true if an object or array in the JSON syntax has one of the new members or elements.
fn has_in_json(target: &Target<'_>, text: &str) -> bool {
    let Ok(container) = json::container(target) else { return false };
    let is_body = matches!(target.kind(), TargetKind::JsonBody(_) | TargetKind::JsonBlock(_));
    let whole = if is_body { format!("{text}\n") } else { format!("new = {{\n{text}\n}}\n") };
    let new = parse::<File>(("new text", whole)).into_value();
    if is_body {
        return new.body().items().any(|item| match item {
            BodyItem::Attribute(attribute) => json::property_of(container, attribute.name()).is_some(),
            BodyItem::Block(block) => {
                let labels: Vec<String> = block.labels().map(|label| label.text().into_owned()).collect();
                let mut names = std::iter::once(block.block_type()).chain(labels.iter().map(String::as_str));
                let first = names.next().and_then(|name| json::property_of(container, name));
                let last = names.try_fold(first, |found, name| Some(Some(json::property_of(found?.value(), name)?)));
                last.flatten().is_some()
            }
            _ => false,
        });
    }
    let Some(attribute) = new.body().attribute("new") else { return false };
    let ExpressionKind::Object(entries) = attribute.expression().kind() else { return false };
    let key = |text: &str| text.trim_matches(['"', '(', ')']).to_owned();
    entries.elements().any(|entry| json::property_of(container, &key(entry.key_expression().text())).is_some())
}

impl Edits for Adding<'_> {
    fn address(&self) -> &AddressArgument {
        &self.args.address
    }

    fn leaves(&self, found: &QueryMatch<'_>) -> Option<String> {
        let is_there = |target| self.is_there(target) || has_in_json(target, &self.text);
        (self.args.if_missing && is_there(found.target())).then(|| "it is there already".to_owned())
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        let beside = self.args.beside.position(edit.file)?;
        for found in edit.found {
            let target = found.target();
            let container = container(target)?;
            let end = if self.args.start { InsertionPoint::Start(container) } else { InsertionPoint::End(container) };
            let items = NewItem::parse_for(container, &self.text);
            for item in items.map_err(|error| format!("{}: {error}", place(target)))? {
                edit.editor.insert(beside.unwrap_or(end), item);
            }
        }
        Ok(())
    }
    fn edit_json(&self, edit: &mut JsonEdit<'_, '_>) -> Result<(), Refusal> {
        let beside = self.args.beside.position_in_json(edit)?;
        for found in edit.found {
            let target = found.target();
            let container = json::container(target)?;
            let end = if self.args.start { JsonPosition::Start } else { JsonPosition::End };
            let (container, position) = beside.unwrap_or((container, end));
            let path = json::names(&target.address());
            let wrong = |why: String| format!("{}: {why}", place(target));
            if let TargetKind::JsonBody(_) | TargetKind::JsonBlock(_) = target.kind() {
                for member in edit.members(&path, &self.text).map_err(wrong)? {
                    edit.add(container, position, &member)?;
                }
                continue;
            }
            let is_list = container.as_array().is_some();
            let (open, close) = if is_list { ('[', ']') } else { ('{', '}') };
            let json = edit.value(&path, &format!("{open}\n{}\n{close}", self.text)).map_err(wrong)?;
            let new = parse::<Document>(json.as_str()).into_value();
            for element in new.root().as_array().into_iter().flat_map(|array| array.elements()) {
                edit.editor.insert(container, position, None, element.text());
            }
            for property in new.root().as_object().into_iter().flat_map(|object| object.properties()) {
                edit.editor.insert(container, position, Some(&property.name()), property.value().text());
            }
        }
        Ok(())
    }
}
