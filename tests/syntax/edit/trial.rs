//! A random edit of a file, and its expected result.

use hcl_lr::construct::NewExpression;
use hcl_lr::parse;
use hcl_lr::source::Span;
use hcl_lr::syntax::File;
use hcl_lr_edit::{EditError, Editor, InsertionPoint, NewItem};

use super::generate::{self, Random};
use super::model::{Known, Model, Part, Piece, Place, ROOT, Reading, read};

/// An edit, in the form for the editor and as a change of the model.
pub struct Trial<'f> {
    pub editor: Editor<'f>,
    pub expected: Model,
    pub kind: usize,
    /// The spans in which text may change.
    pub allowed: Vec<Span>,
    pub described: String,
    /// The range of the insertion; removing it gives the file back.
    pub inserted: Option<(usize, usize)>,
}

/// Returns the pieces of an expression by itself.
fn pieces_of(value: &str) -> Vec<Piece> {
    let file =
        parse::<File>(format!("x = {value}\n")).into_result().unwrap_or_else(|error| panic!("{value}: {error:?}"));
    read(&file).model.members.remove(0).value
}

fn expression(random: &mut Random) -> (NewExpression, Vec<Piece>) {
    let text = if random.one_in(10) { "<<EOT\nnew\nEOT\n".to_owned() } else { generate::value(random) };
    let new = NewExpression::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let pieces = pieces_of(&new.text().expect("it can be written"));
    (new, pieces)
}

/// Creates a new item for a kind of container.
fn new_item(random: &mut Random, kind: char) -> (NewItem, Part) {
    let name = random.pick(&["new", "brand_new_name", "n"]).to_owned();
    if kind == 'b' && random.one_in(3) {
        let text = random.pick(&["new {\n  x = 1\n}", "new \"a\" {}", "new {\n\n  # c\n  x = [\n    1,\n  ]\n}"]);
        let file = parse::<File>(format!("{text}\n")).into_result().expect("a block");
        return (NewItem::parse(text), read(&file).model.members.remove(0));
    }
    let (value, pieces) = expression(random);
    let (item, head) = match kind {
        'b' => (NewItem::attribute(&name, value), vec![name]),
        'o' => (NewItem::entry(&name, value), vec![name]),
        _ => (NewItem::element(value), Vec::new()),
    };
    (item, Part { id: usize::MAX - 1, head, value: pieces, body: None })
}

/// From the end of what is before a member to the start of what is after it; for a container in one
/// line all of it, with what is after it in that line.
fn around(file: &File, reading: &Reading<'_>, container: usize, member: Option<usize>) -> Span {
    let place = reading.places.iter().find(|place| place.id == container).expect("the container");
    let text = file.source().text();
    let all = match place.container {
        hcl_lr_edit::Container::Body(body) => body.span(),
        hcl_lr_edit::Container::Collection(collection) => collection.span(),
        _ => unreachable!("a file in native syntax"),
    };
    let mut spans: Vec<Span> =
        reading.members.iter().filter(|known| known.container == container).map(|known| known.member.span()).collect();
    spans.sort();
    let one_per_line = spans.windows(2).all(|pair| text[pair[0].end()..pair[1].start()].contains('\n'));
    let first_line =
        spans.first().is_none_or(|first| container == ROOT || text[all.start()..first.start()].contains('\n'));
    let Some(member) = member.filter(|_| one_per_line && first_line) else {
        return Span::new(all.start(), all.end());
    };
    let at = spans.iter().position(|span| span.start() == member).expect("the member");
    let start = at.checked_sub(1).map_or(all.start(), |before| spans[before].end());
    let end = spans.get(at + 1).map_or(all.end(), |after| after.start());
    Span::new(start, end)
}

/// A random edit of a file.
pub fn trial<'f>(random: &mut Random, file: &'f File, reading: &Reading<'f>) -> Option<Trial<'f>> {
    let mut editor = Editor::new(file);
    let mut expected = reading.model.clone();
    let known = (!reading.members.is_empty()).then(|| reading.members[random.below(reading.members.len())]);
    let kind = random.below(7);
    let mut inserted = None;
    let mut allowed = Vec::new();
    let described;
    match (kind, known) {
        (0, Some(Known { member, id, container, .. })) if member.value().is_some() => {
            let (value, pieces) = expression(random);
            described = format!("set {id} {value}");
            editor.set(member, value);
            expected.at(container, &mut |model| {
                let index = model.index(id);
                model.members[index].value.clone_from(&pieces);
            });
            allowed.push(around(file, reading, container, Some(id)));
        }
        (1, _) => {
            let Place { container, kind, id } = reading.places[random.below(reading.places.len())];
            let (item, part) = new_item(random, kind);
            let start = random.one_in(2);
            described = format!("insert at {} of {id} {item:?}", if start { "start" } else { "end" });
            editor.insert(if start { InsertionPoint::Start(container) } else { InsertionPoint::End(container) }, item);
            expected.at(id, &mut |model| {
                let at = if start { 0 } else { model.members.len() };
                inserted = Some((id, at));
                model.members.insert(at, part.clone());
            });
            allowed.push(around(file, reading, id, None));
        }
        (2, Some(Known { member, kind, id, container })) => {
            let (item, part) = new_item(random, kind);
            let before = random.one_in(2);
            described = format!("insert {} {id} {item:?}", if before { "before" } else { "after" });
            editor.insert(if before { InsertionPoint::Before(member) } else { InsertionPoint::After(member) }, item);
            expected.at(container, &mut |model| {
                let at = model.index(id) + usize::from(!before);
                inserted = Some((container, at));
                model.members.insert(at, part.clone());
            });
            allowed.push(around(file, reading, container, Some(id)));
        }
        (3, Some(Known { member, id, container, .. })) => {
            described = format!("remove {id}");
            editor.remove(member);
            expected.at(container, &mut |model| {
                let index = model.index(id);
                model.members.remove(index);
            });
            allowed.push(around(file, reading, container, Some(id)));
        }
        (4, Some(Known { member, kind, id, container })) => {
            let others: Vec<&Known<'_>> = reading.members.iter().filter(|other| other.kind == kind).collect();
            let to = others[random.below(others.len())];
            let span = member.span();
            if to.id != id && span.start() <= to.id && to.id < span.end() {
                return None;
            }
            let before = random.one_in(2);
            described = format!("move {id} {} {}", if before { "before" } else { "after" }, to.id);
            editor.move_to(
                member,
                if before { InsertionPoint::Before(to.member) } else { InsertionPoint::After(to.member) },
            );
            let mut part = None;
            expected.at(container, &mut |model| {
                let index = model.index(id);
                part = Some(model.members[index].clone());
                model.members[index].id = usize::MAX - 2;
            });
            let part = part?;
            let target = if to.id == id { usize::MAX - 2 } else { to.id };
            expected.at(to.container, &mut |model| {
                let index = model.index(target) + usize::from(!before);
                model.members.insert(index, part.clone());
            });
            expected.at(container, &mut |model| {
                let index = model.index(usize::MAX - 2);
                model.members.remove(index);
            });
            allowed.push(around(file, reading, container, Some(id)));
            allowed.push(around(file, reading, to.container, Some(to.id)));
        }
        (5, Some(Known { member, kind, id, container })) if kind != 't' => {
            let name = random.pick(&["renamed", "r", "a_rather_long_name"]);
            described = format!("rename {id} {name}");
            editor.rename(member, name);
            expected.at(container, &mut |model| {
                let index = model.index(id);
                model.members[index].head[0] = name.to_owned();
            });
            allowed.push(around(file, reading, container, Some(id)));
        }
        (6, Some(Known { member, id, container, .. })) => {
            let text = random.pick(&["", "A comment.", "Of two\nlines."]);
            let trailing = random.one_in(2);
            let text = Some(text).filter(|text| !text.is_empty() && (!trailing || !text.contains('\n')));
            described = format!("comment {id} {trailing} {text:?}");
            match trailing {
                true => editor.set_trailing_comment(member, text),
                false => editor.set_comment(member, text),
            };
            allowed.push(around(file, reading, container, Some(id)));
        }
        _ => return None,
    }
    Some(Trial { editor, expected, kind, allowed, described, inserted })
}

/// Returns true if an edit may be refused for this reason.
pub fn may_be_refused(error: &EditError) -> bool {
    match error {
        EditError::NameTaken(_) => true,
        EditError::Misplaced(why) => why.contains("heredoc"),
        _ => false,
    }
}
