//! Edits of a file by addresses. Each takes the text, and returns the text after it. A file named `*.json` is in the JSON
//! syntax.

use std::cmp::Reverse;
use std::sync::Arc;

use hcl_lr::construct::NewExpression;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{Address, AddressStep, JsonTemplates, NotFound, Target, TargetKind, Trace};
use hcl_lr_edit::{Container, EditError, Editor, InsertionPoint, Item, NewItem, comments_of};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::constant;
use crate::convert;
use crate::failure::{Answer, Failure};
use crate::json;
use crate::options::Options;
use crate::places::Places;

/// Returns the parts at an address as JSON: a list of objects with `address`, `kind`, `range` and `text`; with `value`
/// and `valueRange` if they have a value, and with `constant` if it is written out.
#[wasm_bindgen]
pub fn find(name: &str, text: &str, address: &str) -> Answer {
    let file = Parsed::new(name, text)?;
    let (address, _) = read_address(address)?;
    let places = Places::new(file.source());
    let mut out = String::new();
    json::list(file.resolve(&address), &mut out, |target, out| one(&file, &target, &places, out));
    Ok(out)
}

fn one(file: &Parsed, target: &Target<'_>, places: &Places, out: &mut String) {
    let kind = match target.kind() {
        TargetKind::Body(_) | TargetKind::JsonBody(_) => "body",
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => "block",
        TargetKind::Attribute(_) | TargetKind::JsonAttribute(_) => "attribute",
        TargetKind::Entry(_) | TargetKind::JsonEntry(_) => "entry",
        TargetKind::Element(_) | TargetKind::JsonElement(_) => "element",
        _ => "expression",
    };
    out.push('{');
    json::text("address", &target.address().to_string(), out);
    json::text("kind", kind, out);
    json::name("range", out);
    places.pair(target.span(), out);
    json::text("text", target.text(), out);
    if let (Some(span), Some(text)) = (target.value_span(), target.value_text()) {
        json::text("value", text, out);
        json::name("valueRange", out);
        places.pair(span, out);
        if let Some(constant) = target.expression().and_then(constant::read) {
            json::name("constant", out);
            out.push_str(&constant);
        }
    }
    if let (Parsed::Native(file), Ok(item)) = (file, target.item()) {
        let (above, after) = comments_of(file, item);
        let lines: Vec<&str> = above.iter().chain(&after).map(|comment| comment.content().trim()).collect();
        json::text("comment", &lines.join("\n"), out);
    }
    out.push('}');
}

/// Returns the address of the innermost attribute, block or part of a value at an offset; an empty text for none.
#[wasm_bindgen]
pub fn address_of(name: &str, text: &str, offset: usize) -> Answer {
    let file = Parsed::new(name, text)?;
    let byte = Places::new(file.source()).byte(offset);
    let is_around = |target: &Target<'_>| target.span().start() <= byte && byte <= target.span().end();
    let everything = Address::root().deep();
    let found = file.resolve(&everything).into_iter().filter(is_around);
    let found = found.filter(|target| !is_inner(target.kind()));
    // The last one of the shortest is the innermost.
    let innermost = found.max_by_key(|target| Reverse(target.span().len()));
    Ok(innermost.map_or_else(String::new, |target| target.address().to_string()))
}

/// Returns true for a whole file, and for expressions that only `**` finds.
fn is_inner(kind: &TargetKind<'_>) -> bool {
    use TargetKind::{Body, Expression, JsonBody, JsonValue};
    matches!(kind, Body(_) | Expression(_) | JsonBody(_) | JsonValue(_))
}

/// Changes the values at an address. `value` is JSON, or an expression with the option `expression`. If only the last
/// name is missing, an attribute or entry is added. The option `all` allows several places.
#[wasm_bindgen]
pub fn set(name: &str, text: &str, address: &str, value: &str, options: &str) -> Answer {
    let options = Options::read(options, &["all", "expression"])?;
    let new = match options.flag("expression")? {
        true => NewExpression::parse(value).map_err(|error| error.to_string())?,
        false => NewExpression::from(json::read(value)?),
    };
    let edit = Edit::new(name, text, address)?;
    let mut editor = edit.file.editor();
    match edit.targets(options.flag("all")?) {
        Ok(targets) => {
            for target in &targets {
                editor.set(item(target)?, new.clone());
            }
        }
        Err(why) => {
            let (container, name) = edit.missing().ok_or(why)?;
            let item = match container {
                Container::Body(_) | Container::JsonBody(_) => NewItem::attribute(&name, new),
                _ => NewItem::entry(&name, new),
            };
            editor.insert(InsertionPoint::End(container), item);
        }
    }
    finished(editor)
}

/// Removes the parts at an address, with their comments.
#[wasm_bindgen]
pub fn remove(name: &str, text: &str, address: &str, options: &str) -> Answer {
    let options = Options::read(options, &["all"])?;
    let edit = Edit::new(name, text, address)?;
    let mut editor = edit.file.editor();
    // A removed part takes everything inside it along.
    let mut end = 0;
    for target in edit.targets(options.flag("all")?)? {
        if target.span().start() >= end {
            editor.remove(item(&target)?);
        }
        end = end.max(target.span().end());
    }
    finished(editor)
}

/// Adds items, written in HCL, to the block, object or list at an address. The options `before` and `after` name a
/// neighbour, and `start` puts them first.
#[wasm_bindgen]
pub fn insert(name: &str, text: &str, address: &str, items: &str, options: &str) -> Answer {
    let options = Options::read(options, &["all", "start", "before", "after"])?;
    let edit = Edit::new(name, text, address)?;
    let beside = edit.beside(&options)?;
    let mut editor = edit.file.editor();
    for target in edit.targets(options.flag("all")?)? {
        let container = container(&target)?;
        let end = match options.flag("start")? {
            true => InsertionPoint::Start(container),
            false => InsertionPoint::End(container),
        };
        for item in NewItem::parse_for(container, items).map_err(|error| failed(&error))? {
            editor.insert(beside.unwrap_or(end), item);
        }
    }
    finished(editor)
}

/// Moves the part at an address before or after another one, or to the end of the container `into`.
#[wasm_bindgen]
pub fn move_item(name: &str, text: &str, address: &str, options: &str) -> Answer {
    let options = Options::read(options, &["before", "after", "into"])?;
    let edit = Edit::new(name, text, address)?;
    let position = match (edit.beside(&options)?, options.text("into")?) {
        (Some(position), None) => position,
        (None, Some(into)) => InsertionPoint::End(container(&edit.only(into)?)?),
        _ => return Err("a move needs one of the options `before`, `after` and `into`".into()),
    };
    let targets = edit.targets(false)?;
    let mut editor = edit.file.editor();
    for target in &targets {
        editor.move_to(item(target)?, position);
    }
    finished(editor)
}

/// Renames the attribute or entry at an address, or sets the last label of a block.
#[wasm_bindgen]
pub fn rename(name: &str, text: &str, address: &str, new: &str) -> Answer {
    let edit = Edit::new(name, text, address)?;
    let targets = edit.targets(false)?;
    let mut editor = edit.file.editor();
    for target in &targets {
        let mut labels: Vec<String> = match target.kind() {
            TargetKind::Block(block) => block.labels().map(|label| label.text().into_owned()).collect(),
            TargetKind::JsonBlock(block) => block.labels().map(|label| label.into_owned()).collect(),
            _ => Vec::new(),
        };
        match labels.last_mut() {
            Some(last) => {
                new.clone_into(last);
                editor.set_labels(item(target)?, labels);
            }
            None => {
                editor.rename(item(target)?, new);
            }
        }
    }
    finished(editor)
}

/// Sets the comment above the parts at an address, or after them in their line with the option `trailing`. An empty
/// text removes it.
#[wasm_bindgen]
pub fn comment(name: &str, text: &str, address: &str, comment: &str, options: &str) -> Answer {
    let options = Options::read(options, &["all", "trailing"])?;
    let edit = Edit::new(name, text, address)?;
    let comment = Some(comment).filter(|comment| !comment.is_empty());
    let mut editor = edit.file.editor();
    for target in edit.targets(options.flag("all")?)? {
        match options.flag("trailing")? {
            true => editor.set_trailing_comment(item(&target)?, comment),
            false => editor.set_comment(item(&target)?, comment),
        };
    }
    finished(editor)
}

/// Returns a value in JSON as an expression of HCL.
#[wasm_bindgen]
pub fn to_hcl(value: &str) -> Answer {
    NewExpression::from(json::read(value)?).text().map_err(|error| error.to_string().into())
}

/// A file with the address that an edit is about.
struct Edit {
    file: Parsed,
    address: Address,
    source: Arc<Source>,
    spans: Vec<hcl_lr::source::Span>,
}

impl Edit {
    fn new(name: &str, text: &str, address: &str) -> Result<Edit, Failure> {
        let source = Source::new("the address", address);
        let (address, spans) = Address::parse_with_spans(source.clone())?;
        Ok(Edit { file: Parsed::new(name, text)?, address, source: Arc::new(source), spans })
    }

    /// Returns the targets: one, unless several are allowed.
    fn targets(&self, all: bool) -> Result<Vec<Target<'_>>, Failure> {
        let trace = self.file.trace(&self.address);
        let mut why = NotFound::default();
        why.add(&self.address, &trace);
        let targets = trace.into_targets();
        match targets.len() {
            0 => Err(Diagnostics::from(why.diagnostic(&self.source, &self.spans)).into()),
            1 => Ok(targets),
            _ if all => Ok(targets),
            count => Err(format!("`{}` matches {count} places; the option `all` allows several", self.address).into()),
        }
    }

    /// Returns the container and the name to add, if only the last name of the address is missing.
    fn missing(&self) -> Option<(Container<'_>, String)> {
        let (outer, AddressStep::Name(name)) = self.address.split_last()? else { return None };
        let mut targets = self.file.resolve(&outer).into_iter();
        let (target, None) = (targets.next()?, targets.next()) else { return None };
        Some((container(&target).ok()?, name.clone()))
    }

    /// Returns the single target of another address in the file.
    fn only(&self, address: &str) -> Result<Target<'_>, Failure> {
        let (address, _) = read_address(address)?;
        let mut targets = self.file.resolve(&address);
        match (targets.pop(), targets.len()) {
            (Some(target), 0) => Ok(target),
            (None, _) => Err(format!("nothing found at `{address}`").into()),
            (Some(_), others) => Err(format!("`{address}` matches {} places", others + 1).into()),
        }
    }

    /// Returns the position beside the neighbour that an option names.
    fn beside(&self, options: &Options) -> Result<Option<InsertionPoint<'_>>, Failure> {
        match (options.text("before")?, options.text("after")?) {
            (None, None) => Ok(None),
            (Some(before), None) => Ok(Some(InsertionPoint::before(item(&self.only(before)?)?))),
            (None, Some(after)) => Ok(Some(InsertionPoint::after(item(&self.only(after)?)?))),
            _ => Err("the options `before` and `after` exclude each other".into()),
        }
    }
}

/// A parsed file. Files with errors can be edited where the errors are not: the editor refuses the rest.
enum Parsed {
    Native(File),
    Json(Document, Arc<ConversionSchema>, JsonTemplates),
}

impl Parsed {
    fn new(name: &str, text: &str) -> Result<Parsed, Failure> {
        let source = Source::new(name, text);
        if !name.ends_with(".json") {
            return Ok(Parsed::Native(hcl_lr::parse::<File>(source).into_value()));
        }
        let document = hcl_lr::parse::<Document>(source).into_value();
        let templates = JsonTemplates::of(&document);
        Ok(Parsed::Json(document, convert::schema(&Options::read("{}", &[])?, name)?, templates))
    }

    fn source(&self) -> &Arc<Source> {
        match self {
            Parsed::Native(file) => file.source(),
            Parsed::Json(document, ..) => document.source(),
        }
    }

    fn editor(&self) -> Editor<'_> {
        match self {
            Parsed::Native(file) => Editor::new(file),
            Parsed::Json(document, schema, templates) => {
                Editor::of_json(document).with_schema(schema).with_templates(templates)
            }
        }
    }

    fn trace(&self, address: &Address) -> Trace<'_> {
        match self {
            Parsed::Native(file) => address.trace(file.body()),
            Parsed::Json(document, schema, templates) => address.trace_json(document, schema, Some(templates)),
        }
    }

    fn resolve(&self, address: &Address) -> Vec<Target<'_>> {
        self.trace(address).into_targets()
    }
}

fn read_address(text: &str) -> Result<(Address, Vec<hcl_lr::source::Span>), Failure> {
    Ok(Address::parse_with_spans(Source::new("the address", text))?)
}

fn item<'f>(target: &Target<'f>) -> Result<Item<'f>, Failure> {
    target.item().map_err(|error| format!("`{}`: {error}", target.address()).into())
}

fn container<'f>(target: &Target<'f>) -> Result<Container<'f>, Failure> {
    target.container().map_err(|error| format!("`{}`: {error}", target.address()).into())
}

fn failed(error: &EditError) -> Failure {
    error.to_string().into()
}

fn finished(editor: Editor<'_>) -> Answer {
    editor.finish().map(|edited| edited.text().to_owned()).map_err(|error| failed(&error))
}
