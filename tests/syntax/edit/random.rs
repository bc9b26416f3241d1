//! Random edits at random places: the result parses, says what was asked and nothing else, and all lines
//! that an edit does not touch are as they were.
//!
//! A run makes a few thousand edits; `HCL_EDITS=100000` in the environment makes as many, and `HCL_SEED`
//! other ones. Files are generated, and those of `../shared/corpus` if that is there.

use std::path::{Path, PathBuf};

use hcl_lr::build::NewExpression;
use hcl_lr::edit::{EditError, Edited, Editor, Member, NewItem, Position};
use hcl_lr::format::format;
use hcl_lr::parse;
use hcl_lr::source::Span;
use hcl_lr::syntax::File;

use super::generate::{self, Random};
use super::model::{Known, Model, Part, Piece, Place, ROOT, Reading, read};
use super::script::check_untouched;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// How edits went.
#[derive(Default, Debug)]
struct Tally {
    made: usize,
    refused: usize,
    undone: usize,
    kinds: [usize; 7],
}

/// An edit, as it is asked of the editor and as it changes the model.
struct Trial<'f> {
    editor: Editor<'f>,
    expected: Model,
    kind: usize,
    /// Where text may change.
    allowed: Vec<Span>,
    described: String,
    /// What was put in, which removed gives the file back.
    inserted: Option<(usize, usize)>,
    /// It is about the members of a body.
    in_body: bool,
}

/// What an expression says by itself.
fn pieces_of(value: &str) -> Vec<Piece> {
    let file = parse(format!("x = {value}\n")).into_result().unwrap_or_else(|error| panic!("{value}: {error:?}"));
    read(&file).model.members.remove(0).value
}

fn expression(random: &mut Random) -> (NewExpression, Vec<Piece>) {
    let text = if random.one_in(10) { "<<EOT\nnew\nEOT\n".to_owned() } else { generate::value(random) };
    let new = NewExpression::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let pieces = pieces_of(&new.text().expect("it can be written"));
    (new, pieces)
}

/// A new thing for a container of a kind.
fn new_item(random: &mut Random, kind: char) -> (NewItem, Part) {
    let name = random.pick(&["new", "brand_new_name", "n"]).to_owned();
    if kind == 'b' && random.one_in(3) {
        let text = random.pick(&["new {\n  x = 1\n}", "new \"a\" {}", "new {\n\n  # c\n  x = [\n    1,\n  ]\n}"]);
        let file = parse(format!("{text}\n")).into_result().expect("a block");
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
        hcl_lr::edit::Container::Body(body) => body.span(),
        hcl_lr::edit::Container::Collection(collection) => collection.span(),
    };
    let mut spans: Vec<Span> =
        reading.members.iter().filter(|known| known.container == container).map(|known| known.member.span()).collect();
    spans.sort();
    let one_per_line = spans.windows(2).all(|pair| text[pair[0].end()..pair[1].start()].contains('\n'));
    let first_line =
        spans.first().is_none_or(|first| container == ROOT || text[all.start()..first.start()].contains('\n'));
    let Some(member) = member.filter(|_| one_per_line && first_line) else {
        return Span::new(all.start() as u32, all.end() as u32);
    };
    let at = spans.iter().position(|span| span.start() == member).expect("the member");
    let start = at.checked_sub(1).map_or(all.start(), |before| spans[before].end());
    let end = spans.get(at + 1).map_or(all.end(), |after| after.start());
    Span::new(start as u32, end as u32)
}

/// A random edit of a file.
fn trial<'f>(random: &mut Random, file: &'f File, reading: &Reading<'f>) -> Option<Trial<'f>> {
    let mut editor = Editor::new(file);
    let mut expected = reading.model.clone();
    let known = (!reading.members.is_empty()).then(|| reading.members[random.below(reading.members.len())]);
    let kind = random.below(7);
    let mut inserted = None;
    let mut allowed = Vec::new();
    let described;
    let mut in_body = known.is_some_and(|known| known.kind == 'b');
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
            in_body = kind == 'b';
            let (item, part) = new_item(random, kind);
            let start = random.one_in(2);
            described = format!("insert at {} of {id} {item:?}", if start { "start" } else { "end" });
            editor.insert(if start { Position::Start(container) } else { Position::End(container) }, item);
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
            editor.insert(if before { Position::Before(member) } else { Position::After(member) }, item);
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
            editor.move_to(member, if before { Position::Before(to.member) } else { Position::After(to.member) });
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
    Some(Trial { editor, expected, kind, allowed, described, inserted, in_body })
}

/// Whether an edit may be refused for a reason.
fn may_be_refused(error: &EditError) -> bool {
    match error {
        // A name that is there already.
        EditError::NewErrors(_) => true,
        EditError::Misplaced(why) => why.contains("heredoc"),
        _ => false,
    }
}

fn double_blank_lines(text: &str) -> usize {
    let text = text.replace('\r', "");
    text.lines().zip(text.lines().skip(1)).filter(|(a, b)| a.trim().is_empty() && b.trim().is_empty()).count()
}

/// Makes random edits of a file.
fn edits_of(name: &str, text: &str, count: usize, random: &mut Random, tally: &mut Tally) {
    let (file, diagnostics) = parse((name, text)).into_parts();
    assert!(!diagnostics.has_errors(), "{name}: {diagnostics:?}\n{text}");
    let reading = read(&file);
    let canonical = format(text) == text;
    for _ in 0..count {
        let Some(trial) = trial(random, &file, &reading) else { continue };
        let Trial { editor, expected, kind, allowed, described, inserted, in_body } = trial;
        let edited = match editor.finish() {
            Ok(edited) => edited,
            Err(error) => {
                assert!(may_be_refused(&error), "{name}: {described}: {error:?}\n{text}");
                tally.refused += 1;
                continue;
            }
        };
        let what = || format!("{name}: {described}\n--- before\n{text}\n--- after\n{}", edited.text());
        assert!(!parse(edited.text()).has_errors(), "it has errors: {}", what());
        let found = read(edited.file()).model;
        assert!(found == expected, "it says something else: {}\n{found:#?}\n{expected:#?}", what());
        check_untouched(text, &edited);
        for replacement in edited.replacements() {
            let span = replacement.span();
            let within = |allowed: &Span| allowed.start() <= span.start() && span.end() <= allowed.end();
            assert!(allowed.iter().any(within), "{span:?} is not in {allowed:?}: {}", what());
        }
        if kind == 3 {
            let (before, after) = (double_blank_lines(text), double_blank_lines(edited.text()));
            assert!(after <= before, "blank lines are left: {}", what());
        }
        if kind != 4
            && kind != 0
            && text.contains("\r\n")
            && !described.contains("EOT")
            && !described.contains("several")
        {
            let others = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
            assert_eq!(others(text), others(edited.text()), "line ends: {}", what());
        }
        // In lists and objects the canonical form indents oddly where brackets close and open in a line.
        if canonical && in_body {
            let indents = |text: &str| -> Vec<String> {
                text.lines().map(|line| line[..line.len() - line.trim_start().len()].to_owned()).collect()
            };
            let formatted = format(edited.text());
            assert_eq!(indents(edited.text()), indents(&formatted), "indentation: {}\n--- undone\n{formatted}", what());
        }
        tally.undone += usize::from(undo(text, &edited, inserted, &what));
        tally.made += 1;
        tally.kinds[kind] += 1;
    }
}

/// Removes what was put in, which gives the file back, unless its layout had to change for it.
fn undo(before: &str, edited: &Edited, inserted: Option<(usize, usize)>, what: &dyn Fn() -> String) -> bool {
    let Some((container, index)) = inserted else { return false };
    let [replacement] = edited.replacements() else { return false };
    // Only an insertion has changed nothing that was there.
    if !replacement.span().is_empty() || !before.ends_with('\n') || replacement.text().contains("EOT") {
        return false;
    }
    let reading = read(edited.file());
    let members: Vec<&Known<'_>> = reading.members.iter().filter(|known| known.container == container).collect();
    let mut members: Vec<Member<'_>> = members.iter().map(|known| known.member).collect();
    members.sort_by_key(|member| member.span());
    if members.len() < 2 {
        return false;
    }
    let mut editor = Editor::new(edited.file());
    editor.remove(members[index]);
    let undone = editor.finish().unwrap_or_else(|error| panic!("{error}: {}", what()));
    // A blank line that was put before or after a block may have been there, too.
    let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(undone.text()), lines(before), "undoing: {}\n--- undone\n{}", what(), undone.text());
    undone.text() == before
}

/// The files of the corpus, if it is there.
fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let (mut waiting, mut files) = (vec![root], Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| entry.path()));
        } else if path
            .extension()
            .is_some_and(|extension| ["tf", "hcl", "tfvars"].iter().any(|known| extension == *known))
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn random_edits_of_generated_files_give_what_was_asked() {
    let (wanted, seed) = (setting("HCL_EDITS", 3_000) as usize, setting("HCL_SEED", 1));
    let mut tally = Tally::default();
    let mut number = 0;
    while tally.made < wanted {
        number += 1;
        let mut random = Random::new(seed * 1_000_003 + number);
        let text = generate::file(&mut random);
        edits_of(&format!("file {number} of seed {seed}"), &text, 8, &mut random, &mut tally);
    }
    println!("{number} files: {tally:?}");
    assert!(tally.kinds.iter().all(|&count| count > wanted / 50), "{tally:?}");
    assert!(tally.undone > wanted / 20, "{tally:?}");
}

#[test]
fn random_edits_of_real_files_give_what_was_asked() {
    let files = corpus();
    if files.is_empty() {
        println!("skipped: there is no corpus");
        return;
    }
    let (wanted, seed) = (setting("HCL_EDITS", 1_000) as usize, setting("HCL_SEED", 1));
    let mut tally = Tally::default();
    let mut random = Random::new(seed);
    while tally.made < wanted {
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        // Each edit parses the file; large ones would take all the time.
        if text.len() > 60_000 || parse(text.as_str()).has_errors() {
            continue;
        }
        edits_of(&path.display().to_string(), &text, 8, &mut random, &mut tally);
    }
    println!("{tally:?}");
}
