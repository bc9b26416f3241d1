//! Random edits of files with random mistakes, as with `--force`: the result has all tokens except for the removed
//! ones, or the edit is refused.
//!
//! The judge is independent of the editor. It compares the texts of tokens, and checks by itself that a removed part
//! has all of its brackets and nothing of a neighbour. `HCL_EDITS` and `HCL_SEED` are as in `random`.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use hcl_lr::construct::NewExpression;
use hcl_lr::parse;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, File, ObjectKey, Visitor, Walk};
use hcl_lr::syntax::{Piece, TokenKind, TriviaKind};
use hcl_lr_edit::{Container, EditError, Editor, InsertionPoint, Item, NewItem};

use super::generate::{self, Random};
use super::random::{corpus, setting};
use super::script::check_untouched;

/// A token, or text that is no token, with its start.
type Atom = (usize, String);

/// The tokens of a file in order. Line ends and commas change with the layout.
fn atoms(file: &File) -> Vec<Atom> {
    let pieces = file.tokens().pieces(..);
    let kept = pieces.filter(|piece| match piece {
        Piece::Token(token) => {
            !matches!(token.kind(), TokenKind::Newline | TokenKind::Comma) && !token.span().is_empty()
        }
        Piece::Trivia(trivia) => trivia.kind() == TriviaKind::Skipped,
    });
    let text = |piece: Piece<'_>| match piece.token() {
        Some(token) => {
            let (text, start) = (token.text(), token.span().start());
            let parts: String = token.parts().map(|part| &text[part.start() - start..part.end() - start]).collect();
            parts.replace("\r\n", "\n")
        }
        None => piece.text().to_owned(),
    };
    kept.map(|piece| (piece.span().start(), text(piece))).collect()
}

/// Returns the tokens of an inserted text, which has no mistakes.
fn atoms_of(text: &str) -> Vec<String> {
    atoms(&parse::<File>(text).into_result().unwrap_or_else(|_| panic!("{text}")))
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}

/// The comments of a file, and how often each is there.
fn comments(file: &File) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for comment in file.tokens().pieces(..).filter_map(Piece::comment) {
        *counts.entry(comment.text().trim_end().replace("\r\n", "\n")).or_default() += 1;
    }
    counts
}

/// All that can be edited, and the names that are in each container.
#[derive(Default)]
struct Parts<'f> {
    members: Vec<(Item<'f>, Container<'f>)>,
    containers: Vec<Container<'f>>,
    names: Vec<Vec<String>>,
    blocks: Vec<Vec<String>>,
}

impl<'f> Parts<'f> {
    fn of(file: &'f File) -> Parts<'f> {
        let mut parts = Parts::default();
        file.body().walk(&mut parts);
        parts
    }

    /// The number of names that are in their container once more.
    fn doubles(names: &[Vec<String>]) -> usize {
        names
            .iter()
            .map(|names| {
                let mut names = names.clone();
                names.sort();
                names.windows(2).filter(|pair| pair[0] == pair[1]).count()
            })
            .sum()
    }
}

impl<'f> Visitor<'f> for Parts<'f> {
    fn visit_body(&mut self, body: BodyNode<'f>) -> Walk {
        self.containers.push(body.into());
        self.names.push(body.attributes().map(|attribute| attribute.name().to_owned()).collect());
        let head = |block: BlockNode<'_>| {
            format!("{} {:?}", block.block_type(), block.labels().map(|l| l.text().into_owned()).collect::<Vec<_>>())
        };
        self.blocks.push(body.blocks().map(head).collect());
        self.members.extend(body.attributes().map(|attribute| (attribute.into(), body.into())));
        self.members.extend(body.blocks().map(|block| (block.into(), body.into())));
        Walk::Into
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'f>) -> Walk {
        match expression.kind() {
            ExpressionKind::Object(object) => {
                self.containers.push(expression.into());
                let whole = |entry: &hcl_lr::syntax::ast::ObjectElement<'f>| {
                    !matches!(entry.key_expression().kind(), ExpressionKind::Error(_))
                };
                let entries: Vec<_> = object.elements().filter(whole).collect();
                let key = |entry: &hcl_lr::syntax::ast::ObjectElement<'f>| match entry.key() {
                    ObjectKey::Name(name) => name.text().to_owned(),
                    ObjectKey::Expression(key) => key.text().trim_matches('"').to_owned(),
                    other => panic!("no test for {other:?}"),
                };
                self.names.push(entries.iter().map(key).collect());
                self.members.extend(entries.into_iter().map(|entry| (entry.into(), expression.into())));
            }
            ExpressionKind::Tuple(tuple) => {
                self.containers.push(expression.into());
                let whole = |element: &ExpressionNode<'f>| !matches!(element.kind(), ExpressionKind::Error(_));
                self.members
                    .extend(tuple.elements().filter(whole).map(|element| (Item::Element(element), expression.into())));
            }
            _ => {}
        }
        Walk::Into
    }
}

/// A file with mistakes.
fn mutated(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(3) {
        let at = |random: &mut Random, text: &str| {
            let at = random.below(text.len() + 1);
            (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
        };
        let (a, b) = (at(random, &text), at(random, &text));
        let near = (a + 1..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(a);
        match random.below(8) {
            0 => text.replace_range(a..near, ""),
            1..=3 => {
                let marks = [
                    "{", "}", "[", "]", "(", ")", ",", "=", "\"", ":", "\n", "#", "/*", "${", "<<EOT\n", "@", " x ",
                    ".", "?",
                ];
                text.insert_str(a, random.pick(&marks));
            }
            4 => {
                // The rest of a line.
                let end = text[a..].find('\n').map_or(text.len(), |end| a + end);
                text.replace_range(a..end, "");
            }
            5 => {
                // A value.
                let equals = text[a..].find('=').map(|found| a + found + 1);
                let Some(start) = equals else { continue };
                let end = text[start..].find(['\n', ',', '}', '#']).map_or(text.len(), |end| start + end);
                text.replace_range(start..end, random.pick(&["", " "]));
            }
            6 => {
                // A line break.
                if let Some(found) = text[a..].find('\n') {
                    text.replace_range(a + found..a + found + 1, random.pick(&[" ", ", "]));
                }
            }
            _ => {
                let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 12));
                let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                let copy = text[start..end].to_owned();
                let to = at(random, &text);
                text.insert_str(to, &copy);
            }
        }
    }
    text
}

/// Returns true if a removed text is self-contained: its brackets match, and outside of them there is no comma, no
/// line end and no second name with an equals sign.
fn is_closed(file: &File, span: Span, is_block: bool) -> bool {
    let mut open: Vec<char> = Vec::new();
    let mut name = false;
    for piece in file
        .tokens()
        .pieces(..)
        .filter(|piece| span.start() <= piece.span().start() && piece.span().start() < span.end())
    {
        let Some(token) = piece.token() else { continue };
        let text = token.text();
        let is_template = matches!(token.kind(), TokenKind::TemplateLiteral | TokenKind::Literal | TokenKind::String);
        if token.kind().is_opener() && token.kind() != TokenKind::Value {
            open.push(text.chars().next().unwrap_or(' '));
        } else if token.kind().is_closer() {
            if text.is_empty() || open.pop().is_none() {
                return false;
            }
        } else if open.is_empty()
            && !is_block
            && (matches!(token.kind(), TokenKind::Newline | TokenKind::Comma) || text == "=" && name)
        {
            return false;
        }
        if is_template
            && text.starts_with('"')
            && !(text.len() > 1 && text.ends_with('"'))
            && token.kind() != TokenKind::TemplateLiteral
        {
            return false;
        }
        name = matches!(token.kind(), TokenKind::Identifier | TokenKind::Literal | TokenKind::String);
    }
    open.is_empty()
}

/// An edit from the judge's view: the removed text, and the insertions by place.
#[derive(Default)]
struct UsedParts {
    described: String,
    goes: Vec<Span>,
    /// The spans that must be complete constructs for the edit, each with true for a block.
    closed: Vec<(Span, bool)>,
    comes: Vec<(usize, Vec<String>)>,
    puts_block: bool,
    may_lose_comments: bool,
}

#[derive(Default, Debug)]
struct Tally {
    made: usize,
    refused: HashMap<String, usize>,
    broken: usize,
    kinds: [usize; 8],
}

/// Asks for a random edit.
fn ask<'f>(random: &mut Random, parts: &Parts<'f>, editor: &mut Editor<'f>, kind: usize) -> Option<UsedParts> {
    let pick = |random: &mut Random| parts.members.get(random.below(parts.members.len())).copied();
    let value_text =
        |random: &mut Random| if random.one_in(10) { "<<EOT\nnew\nEOT".to_owned() } else { generate::value(random) };
    let shape = |container: Container<'f>| match container {
        Container::Body(_) => 'b',
        Container::Collection(expression) if matches!(expression.kind(), ExpressionKind::Object(_)) => 'o',
        _ => 't',
    };
    let new_item = |random: &mut Random, kind: char| -> Option<(NewItem, Vec<String>, bool)> {
        let name = random.pick(&["new", "a1", "name2", "a"]).to_owned();
        if kind == 'b' && random.one_in(3) {
            let text = random.pick(&["new {\n  x = 1\n}", "new \"a\" {}"]);
            return Some((NewItem::parse(text), atoms_of(&format!("{text}\n")), true));
        }
        let value = NewExpression::parse(&value_text(random)).ok()?;
        let text = value.text().ok()?;
        Some(match kind {
            'b' => (NewItem::attribute(&name, value), atoms_of(&format!("{name} = {text}\n")), false),
            'o' => (NewItem::entry(&name, value), atoms_of(&format!("x = {{\n{name} = {text}\n}}\n")), false),
            _ => (NewItem::element(value), atoms_of(&format!("x = [\n{text}\n]\n")), false),
        })
    };
    let inner = |kind: char, atoms: Vec<String>| match kind {
        'b' => atoms,
        _ => atoms[3..atoms.len() - 1].to_vec(),
    };
    let whole = |member: Item<'f>| match member.value() {
        Some(value) => (value.span(), false),
        None => (member.span(), true),
    };
    let mut asked = UsedParts::default();
    match kind {
        0 => {
            let (member, _) = pick(random)?;
            let old = member.value()?.span();
            let value = NewExpression::parse(&value_text(random)).ok()?;
            let atoms = atoms_of(&format!("x = {}\n", value.text().ok()?));
            asked.described = format!("set {old:?} {value}");
            asked.goes.push(old);
            asked.closed.push((old, false));
            asked.comes.push((old.start(), atoms[2..].to_vec()));
            asked.may_lose_comments = true;
            editor.set(member, value);
        }
        1 => {
            let container = parts.containers[random.below(parts.containers.len())];
            let kind = shape(container);
            let (item, atoms, is_block) = new_item(random, kind)?;
            let (all, start) = match container {
                Container::Body(body) => (body.span(), body.open_brace_span().map_or(0, |open| open.end())),
                Container::Collection(expression) => (expression.span(), expression.span().start() + 1),
                _ => unreachable!("a file in native syntax"),
            };
            let end = match container {
                Container::Body(body) => body.close_brace_span().map_or(usize::MAX, |close| close.start()),
                _ => all.end() - 1,
            };
            let at_start = random.one_in(2);
            asked.described = format!("insert at {} of {all:?} {item:?}", if at_start { "start" } else { "end" });
            asked.comes.push((if at_start { start } else { end }, inner(kind, atoms)));
            asked.puts_block = is_block;
            editor
                .insert(if at_start { InsertionPoint::Start(container) } else { InsertionPoint::End(container) }, item);
        }
        2 => {
            let (member, container) = pick(random)?;
            let kind = shape(container);
            let (item, atoms, is_block) = new_item(random, kind)?;
            let before = random.one_in(2);
            let span = member.span();
            asked.described = format!("insert {} {span:?} {item:?}", if before { "before" } else { "after" });
            asked.comes.push((if before { span.start() } else { span.end() }, inner(kind, atoms)));
            asked.puts_block = is_block;
            editor.insert(if before { InsertionPoint::Before(member) } else { InsertionPoint::After(member) }, item);
        }
        3 => {
            let (member, _) = pick(random)?;
            asked.described = format!("remove {:?}", member.span());
            asked.goes.push(member.span());
            asked.closed.push(whole(member));
            asked.may_lose_comments = true;
            editor.remove(member);
        }
        4 | 7 => {
            let ((member, from), (beside, to)) = (pick(random)?, pick(random)?);
            let (span, near) = (member.span(), beside.span());
            if shape(from) != shape(to)
                || span.start() <= near.start() && near.start() < span.end().max(span.start() + 1)
            {
                return None;
            }
            let file = match from {
                Container::Body(body) => body.file(),
                Container::Collection(expression) => expression.file(),
                _ => unreachable!("a file in native syntax"),
            };
            let atoms: Vec<Atom> =
                atoms(&file).into_iter().filter(|(at, _)| span.start() <= *at && *at < span.end()).collect();
            let mut texts: Vec<String> = atoms.iter().map(|(_, text)| text.clone()).collect();
            let before = random.one_in(2);
            let position = if before { InsertionPoint::Before(beside) } else { InsertionPoint::After(beside) };
            asked.described = format!("move {span:?} {} {near:?}", if before { "before" } else { "after" });
            if kind == 7 {
                let old = member.name_span()?;
                let name = random.pick(&["moved", "a1", "name2"]).to_owned();
                let named = atoms.iter().filter(|(at, _)| *at < old.end()).count();
                texts.splice(..named, [name.clone()]);
                asked.described += &format!(" as {name}");
                editor.move_as(member, position, &name);
            } else {
                editor.move_to(member, position);
            }
            asked.goes.push(member.span());
            asked.closed.push(whole(member));
            asked.comes.push((if before { near.start() } else { near.end() }, texts));
        }
        5 => {
            let (member, _) = pick(random)?;
            let old = member.name_span()?;
            let name = random.pick(&["renamed", "a1", "name2"]).to_owned();
            asked.described = format!("rename {old:?} {name}");
            asked.comes.push((old.start(), vec![name.clone()]));
            asked.goes.push(old);
            asked.may_lose_comments = true;
            editor.rename(member, &name);
        }
        _ => {
            let (member, _) = pick(random)?;
            let text = random.pick(&["", "A comment.", "Of two\nlines."]);
            let text = Some(text).filter(|text| !text.is_empty());
            asked.described = format!("comment {:?} {text:?}", member.span());
            asked.may_lose_comments = true;
            editor.set_comment(member, text);
        }
    }
    Some(asked)
}

/// Returns a word on an error of the result of an edit.
fn judge(old: &File, new: &File, asked: &UsedParts) -> Option<&'static str> {
    if asked.closed.iter().any(|&(span, is_block)| !is_closed(old, span, is_block)) {
        return Some("what went was not certain");
    }
    let gone = |at: usize| asked.goes.iter().any(|span| span.start() <= at && at < span.end());
    let mut expected: Vec<String> = Vec::new();
    let mut comes = asked.comes.clone();
    comes.sort_by_key(|(at, _)| *at);
    let mut comes = comes.into_iter().peekable();
    for (at, text) in atoms(old) {
        while let Some((_, texts)) = comes.next_if(|(place, _)| *place <= at) {
            expected.extend(texts);
        }
        if !gone(at) {
            expected.push(text);
        }
    }
    comes.for_each(|(_, texts)| expected.extend(texts));
    let found: Vec<String> = atoms(new).into_iter().map(|(_, text)| text).collect();
    if expected != found {
        return Some("the tokens differ");
    }
    let errors = |file: &File| parse::<File>(file.source().text()).into_parts().1.errors().count();
    if errors(new) > errors(old) {
        return Some("there are more errors");
    }
    let (before, after) = (Parts::of(old), Parts::of(new));
    if Parts::doubles(&after.names) > Parts::doubles(&before.names) {
        return Some("a name is there twice");
    }
    if !asked.puts_block && Parts::doubles(&after.blocks) > Parts::doubles(&before.blocks) {
        return Some("a block is there twice");
    }
    let left = comments(new);
    let lost = |(text, count): (String, usize)| left.get(&text).copied().unwrap_or(0) < count;
    if !asked.may_lose_comments && comments(old).into_iter().any(lost) {
        return Some("a comment is lost");
    }
    None
}

fn edits_of(name: &str, text: &str, count: usize, random: &mut Random, tally: &mut Tally) {
    let (file, diagnostics) = parse::<File>((name, text)).into_parts();
    let parts = Parts::of(&file);
    for _ in 0..count {
        let kind = random.below(8);
        let mut editor = Editor::new(&file);
        let Some(asked) = ask(random, &parts, &mut editor, kind) else { continue };
        let what = || format!("{name}: {}\n--- before\n{text}", asked.described);
        let result =
            catch_unwind(AssertUnwindSafe(|| editor.finish())).unwrap_or_else(|_| panic!("it panics: {}", what()));
        match result {
            Ok(edited) => {
                check_untouched(text, &edited);
                let wrong = judge(&file, edited.file().expect("a file"), &asked);
                assert!(wrong.is_none(), "{}: {}\n--- after\n{}", wrong.unwrap_or_default(), what(), edited.text());
                tally.made += 1;
                tally.kinds[kind] += 1;
                tally.broken += usize::from(diagnostics.has_errors());
            }
            Err(error) => {
                assert!(!matches!(error, EditError::NotAsAsked(_)), "{error}: {}", what());
                let variant = format!("{error:?}");
                let variant = variant.split(['(', ' ']).next().unwrap_or_default().to_owned();
                *tally.refused.entry(variant).or_default() += 1;
            }
        }
    }
}

#[test]
fn edits_of_broken_files_lose_nothing() {
    edits_of_broken_files(&[]);
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_edits_of_broken_files_lose_nothing() {
    edits_of_broken_files(&corpus());
}

/// Edits randomly broken files: generated ones and, for a third, the given ones.
fn edits_of_broken_files(files: &[PathBuf]) {
    let (wanted, seed) = (setting("HCL_EDITS", 1_500) as usize, setting("HCL_SEED", 1));
    let mut tally = Tally::default();
    let mut random = Random::new(seed.wrapping_mul(7_919));
    let mut number = 0;
    while tally.made < wanted {
        number += 1;
        let real = if !files.is_empty() && random.one_in(3) { files.get(random.below(files.len())) } else { None };
        let read = real.and_then(|path| std::fs::read_to_string(path).ok()).filter(|text| text.len() < 8_000);
        let text = read.unwrap_or_else(|| generate::file(&mut random));
        let text = if random.one_in(5) { text } else { mutated(&mut random, &text) };
        edits_of(&format!("file {number} of seed {seed}"), &text, 8, &mut random, &mut tally);
    }
    println!("{number} files: {tally:?}");
    assert!(tally.kinds.iter().all(|&count| count > wanted / 100), "{tally:?}");
    assert!(tally.broken > wanted / 4, "{tally:?}");
}
