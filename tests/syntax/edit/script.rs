//! Edits as lines of text.

use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::convert::ConversionSchema;
use hcl_lr::json::{self, Document};
use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{ExpressionKind, TemplateNode, TemplatePart, UnaryOperator};
use hcl_lr_edit::address::{Address, JsonTemplates, Target, TargetKind};
use hcl_lr_edit::{Container, Edited, Editor, InsertionPoint, Item, NewItem};

/// The file of a case.
enum Parsed {
    Native(File),
    Json(Document, ConversionSchema, JsonTemplates),
}

impl Parsed {
    fn editor(&self) -> Editor<'_> {
        match self {
            Parsed::Native(file) => Editor::new(file),
            Parsed::Json(document, schema, templates) => {
                Editor::of_json(document).with_schema(schema).with_templates(templates)
            }
        }
    }

    /// The one thing that an address leads to; with `!` before it the last one, with `2!` the second one.
    fn find(&self, address: &str) -> Result<Target<'_>, String> {
        let (number, address) =
            address.split_once('!').map_or((None, address), |(number, address)| (Some(number), address));
        let parsed: Address = address.parse().map_err(|error| format!("{address}: {error:?}"))?;
        let mut targets = match self {
            Parsed::Native(file) => parsed.resolve(file.body()),
            Parsed::Json(document, schema, templates) => parsed.resolve_json(document, schema, Some(templates)),
        };
        let index = match number {
            None if targets.len() == 1 => 0,
            Some("") => targets.len().wrapping_sub(1),
            Some(number) => number.parse::<usize>().map_err(|_| format!("{number} is no number"))?.wrapping_sub(1),
            None => usize::MAX,
        };
        if index >= targets.len() {
            return Err(format!("{address} leads to {} things", targets.len()));
        }
        Ok(targets.swap_remove(index))
    }

    fn item(&self, address: &str) -> Result<Item<'_>, String> {
        self.find(address)?.item().map_err(|_| format!("{address} is no member"))
    }
}

/// The position of a word and an address, and whether entries or elements stand there.
fn position<'f>(file: &'f Parsed, word: &str, address: &str) -> Result<(InsertionPoint<'f>, char), String> {
    let target = file.find(address)?;
    let no = |_| format!("{address} is not what is needed for {word}");
    let kind_of_container = |container: Container<'f>| match container {
        Container::Body(_) | Container::JsonBody(_) => 'b',
        Container::JsonValue(node) if node.as_object().is_some() => 'o',
        Container::Collection(mut inner) => {
            while let ExpressionKind::Parentheses(parentheses) = inner.kind() {
                inner = parentheses.inner();
            }
            if matches!(inner.kind(), ExpressionKind::Object(_)) { 'o' } else { 't' }
        }
        _ => 't',
    };
    let kind = match target.kind() {
        TargetKind::Entry(_) | TargetKind::JsonEntry(_) => 'o',
        TargetKind::Element(_) | TargetKind::Expression(_) => 't',
        TargetKind::JsonElement(_) | TargetKind::JsonValue(_) => 't',
        _ => 'b',
    };
    Ok(match word {
        "start" => target.container().map(|of| (InsertionPoint::Start(of), kind_of_container(of))).map_err(no)?,
        "end" => target.container().map(|of| (InsertionPoint::End(of), kind_of_container(of))).map_err(no)?,
        "before" => (InsertionPoint::Before(target.item().map_err(no)?), kind),
        "after" => (InsertionPoint::After(target.item().map_err(no)?), kind),
        _ => return Err(format!("{word} is no position")),
    })
}

/// The template at an address. A part in it after `>` is a directive, whose first part is meant, or the second for `>>`.
fn template<'f>(file: &'f Parsed, address: &str) -> Result<TemplateNode<'f>, String> {
    let (address, part) = address.split_once('>').map_or((address, None), |(address, part)| (address, Some(part)));
    let target = file.find(address)?;
    let of_string = |node: json::Node<'f>| match file {
        Parsed::Json(_, _, templates) => templates.template(node),
        Parsed::Native(_) => None,
    };
    let found = match target.kind() {
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => of_string(property.value()),
        _ => target.expression().and_then(|value| match value.kind() {
            ExpressionKind::Template(template) => Some(template),
            _ => None,
        }),
    };
    let found = found.ok_or_else(|| format!("{address} is no template"))?;
    let Some(part) = part else { return Ok(found) };
    let (part, is_second) = part.strip_prefix('>').map_or((part, false), |part| (part, true));
    let index: usize = part.parse().map_err(|_| format!("{part} is no number"))?;
    match found.parts().nth(index) {
        Some(TemplatePart::If(directive)) if is_second => directive.false_part().ok_or_else(|| "no else".to_owned()),
        Some(TemplatePart::If(directive)) => Ok(directive.true_part()),
        Some(TemplatePart::For(directive)) => Ok(directive.body()),
        _ => Err(format!("{index} is no directive")),
    }
}

/// New text for a container of a kind.
fn item(kind: char, text: &str) -> Result<NewItem, String> {
    let (text, trail) = text.split_once(" @@ ").map_or((text, None), |(text, trail)| (text, Some(trail)));
    let (text, lead) = text.split_once(" @ ").map_or((text, None), |(text, lead)| (text, Some(lead)));
    let text = text.replace("\\n", "\n");
    let expression = |text: &str| NewExpression::parse(text).map_err(|error| error.to_string());
    let mut item = match kind {
        'b' => NewItem::parse(&text),
        'o' => {
            let (key, value) = text.split_once(" = ").ok_or("an entry needs an equals sign")?;
            NewItem::entry(key, expression(value)?)
        }
        _ => NewItem::element(expression(&text)?),
    };
    if let Some(lead) = lead {
        item = item.comment(&lead.replace("\\n", "\n"));
    }
    if let Some(trail) = trail {
        item = item.trailing_comment(trail);
    }
    Ok(item)
}

/// Adds the edit of a line to a set.
fn add<'f>(editor: &mut Editor<'f>, file: &'f Parsed, line: &str) -> Result<(), String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut words = rest.splitn(2, ' ');
    let first = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default();
    let member = |address: &str| file.item(address);
    let comment = |text: &str| (!text.is_empty()).then(|| text.replace("\\n", "\n"));
    match verb {
        "set" => {
            let value = NewExpression::parse(&rest.replace("\\n", "\n").replace('␍', "\r"))
                .map_err(|error| error.to_string())?;
            editor.set(member(first)?, value);
        }
        "key" => {
            let Item::Entry(entry) = member(first)? else { return Err(format!("{first} is no entry")) };
            editor.set(entry.key_expression(), NewExpression::parse(rest).map_err(|error| error.to_string())?);
        }
        "wrap" => {
            editor.wrap(member(first)?, |inner| match rest {
                "!" => NewExpression::unary(UnaryOperator::Not, inner),
                "-" => NewExpression::unary(UnaryOperator::Negate, inner),
                "[*]" => inner.splat(),
                rest if rest.starts_with('.') => inner.attribute(&rest[1..]),
                rest => NewExpression::call(rest, [inner]),
            });
        }
        "unwrap" => {
            let Item::Element(inner) = member(rest)? else { return Err(format!("{rest} is no expression")) };
            editor.unwrap(member(first)?, inner);
        }
        "splice" => {
            let (range, text) = rest.split_once(' ').unwrap_or((rest, ""));
            let (start, end) = range.split_once("..").ok_or("a range")?;
            let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text} is no number"));
            let new = parse::<File>(format!("new = \"{text}\"\n")).into_result().map_err(|_| "a template")?;
            let new = new.body().attribute("new").map(|new| new.expression().kind());
            let Some(ExpressionKind::Template(new)) = new else { return Err("a template".to_owned()) };
            editor.splice(template(file, first)?, number(start)?..number(end)?, NewTemplate::from(new));
        }
        "remove" => {
            editor.remove(member(first)?);
        }
        "rename" => {
            editor.rename(member(first)?, rest);
        }
        "labels" => {
            editor.set_labels(member(first)?, rest.split(' ').filter(|label| !label.is_empty()));
        }
        "comment" => {
            editor.set_comment(member(first)?, comment(rest).as_deref());
        }
        "trailing" => {
            editor.set_trailing_comment(member(first)?, comment(rest).as_deref());
        }
        "insert" => {
            let (address, text) = rest.split_once(' ').ok_or("an address and a text")?;
            let (position, kind) = position(file, first, address)?;
            editor.insert(position, item(kind, text)?);
        }
        "move" => {
            let (word, address) = rest.split_once(' ').ok_or("a position and an address")?;
            let (position, _) = position(file, word, address)?;
            editor.move_to(member(first)?, position);
        }
        _ => return Err(format!("{verb} is no edit")),
    }
    Ok(())
}

/// Makes edits of a file in native syntax, one a line.
pub fn run(text: &str, edits: &str) -> Result<Edited, String> {
    run_in(&Parsed::Native(parse::<File>(text).into_value()), edits)
}

/// Makes edits of a file in the JSON syntax. The blocks of a file in native syntax say which properties are blocks.
pub fn run_json(text: &str, like: &str, edits: &str) -> Result<Edited, String> {
    let document = parse::<Document>(text).into_value();
    let schema = ConversionSchema::of(parse::<File>(like).value().body());
    let templates = JsonTemplates::of(&document);
    run_in(&Parsed::Json(document, schema, templates), edits)
}

fn run_in(file: &Parsed, edits: &str) -> Result<Edited, String> {
    let mut editor = file.editor();
    for line in edits.lines() {
        add(&mut editor, file, line)?;
    }
    editor.finish().map_err(|error| error.to_string())
}

/// Checks that the text outside of the replacements is unchanged, and that undoing them restores all of it.
pub fn check_untouched(before: &str, edited: &Edited) {
    let (mut undone, mut at, mut done) = (String::new(), 0, 0);
    for replacement in edited.replacements() {
        let kept = replacement.span().start() - done;
        undone.push_str(&edited.text()[at..at + kept]);
        undone.push_str(&before[replacement.span().range()]);
        at += kept;
        assert_eq!(&edited.text()[at..at + replacement.text().len()], replacement.text());
        at += replacement.text().len();
        done = replacement.span().end();
    }
    undone.push_str(&edited.text()[at..]);
    assert_eq!(undone, before, "undoing does not give the file back");
}
