//! Edits as lines of text.

use hcl_lr::construct::NewExpression;
use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr_edit::address::{Address, TargetKind};
use hcl_lr_edit::{Container, Edited, Editor, InsertionPoint, Item, NewItem};

/// The target of an address.
pub struct Found<'f> {
    member: Option<Item<'f>>,
    container: Option<Container<'f>>,
}

/// The one thing that an address leads to; with `!` before it the last one, with `2!` the second one.
fn find<'f>(file: &'f File, address: &str) -> Result<Found<'f>, String> {
    let (number, address) =
        address.split_once('!').map_or((None, address), |(number, address)| (Some(number), address));
    let parsed: Address = address.parse().map_err(|error| format!("{address}: {error:?}"))?;
    let targets = parsed.resolve(file.body());
    let targets = match number {
        None => &targets[..],
        Some("") => &targets[targets.len().saturating_sub(1)..],
        Some(number) => {
            let number: usize = number.parse().map_err(|_| format!("{number} is no number"))?;
            targets.get(number - 1..number).ok_or_else(|| format!("{address} leads to {} things", targets.len()))?
        }
    };
    let [target] = targets else { return Err(format!("{address} leads to {} things", targets.len())) };
    let member = match target.kind().clone() {
        TargetKind::Attribute(attribute) => Some(Item::Attribute(attribute)),
        TargetKind::Block(block) => Some(Item::Block(block)),
        TargetKind::Entry(entry) => Some(Item::Entry(entry)),
        TargetKind::Element(element) | TargetKind::Expression(element) => Some(Item::Element(element)),
        _ => None,
    };
    let container = match (target.kind().clone(), target.expression()) {
        (TargetKind::Body(body), _) => Some(Container::Body(body)),
        (TargetKind::Block(block), _) => Some(Container::Body(block.body())),
        (_, Some(expression)) => Some(Container::Collection(expression)),
        _ => None,
    };
    Ok(Found { member, container })
}

/// The position of a word and an address, and whether entries or elements stand there.
fn position<'f>(file: &'f File, word: &str, address: &str) -> Result<(InsertionPoint<'f>, char), String> {
    let found = find(file, address)?;
    let no = || format!("{address} is not what is needed for {word}");
    let kind_of = |container: Container<'f>| match container {
        Container::Body(_) => 'b',
        Container::Collection(expression) => {
            let mut inner = expression;
            while let ExpressionKind::Parentheses(parentheses) = inner.kind() {
                inner = parentheses.inner();
            }
            if matches!(inner.kind(), ExpressionKind::Object(_)) { 'o' } else { 't' }
        }
    };
    let member = found.member.ok_or_else(no);
    let container = found.container.ok_or_else(no);
    let kind_of_member = |member: Item<'f>| match member {
        Item::Entry(_) => 'o',
        Item::Element(_) => 't',
        _ => 'b',
    };
    Ok(match word {
        "start" => container.map(|container| (InsertionPoint::Start(container), kind_of(container)))?,
        "end" => container.map(|container| (InsertionPoint::End(container), kind_of(container)))?,
        "before" => member.map(|member| (InsertionPoint::Before(member), kind_of_member(member)))?,
        "after" => member.map(|member| (InsertionPoint::After(member), kind_of_member(member)))?,
        _ => return Err(format!("{word} is no position")),
    })
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
fn add<'f>(editor: &mut Editor<'f>, file: &'f File, line: &str) -> Result<(), String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut words = rest.splitn(2, ' ');
    let first = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default();
    let member = |address: &str| find(file, address)?.member.ok_or_else(|| format!("{address} is no member"));
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
                "!" | "-" => NewExpression::unary(rest, inner),
                "[*]" => inner.splat(),
                rest if rest.starts_with('.') => inner.attribute(&rest[1..]),
                rest => NewExpression::call(rest, [inner]),
            });
        }
        "unwrap" => {
            let Item::Element(inner) = member(rest)? else { return Err(format!("{rest} is no expression")) };
            editor.unwrap(member(first)?, inner);
        }
        "remove" => {
            editor.remove(member(first)?);
        }
        "rename" => {
            editor.rename(member(first)?, rest);
        }
        "labels" => {
            let Item::Block(block) = member(first)? else { return Err(format!("{first} is no block")) };
            editor.set_labels(block, rest.split(' ').filter(|label| !label.is_empty()));
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

/// Makes edits, one a line.
pub fn run(text: &str, edits: &str) -> Result<Edited, String> {
    let file = parse::<File>(text).into_value();
    let mut editor = Editor::new(&file);
    for line in edits.lines() {
        add(&mut editor, &file, line)?;
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
