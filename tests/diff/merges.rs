//! Random merges of edits with known results.
//!
//! Both sides make edits of one file, which are also made in a model of it: values, items, names, labels, comments, and
//! line ends. If the edits have nothing to do with each other, the merge must have both effects and no conflict. Otherwise
//! it must have a conflict, or the effect that both orders of the edits have. A comment that no side removed is in the
//! result, or there is a note about it. `HCL_MERGES=2000` tries as many, `HCL_SEED` other ones, and `HCL_GIT_MERGES=1` lets
//! git merge the same files by lines. `HCL_MERGED=FOLDER` writes each result to a file, for another parser.

use std::collections::HashMap;
use std::process::Command;

use hcl_lr::construct::NewExpression;
use hcl_lr::format::format;
use hcl_lr::source::Span;
use hcl_lr::syntax::File;
use hcl_lr_edit::diff::{MergeOptions, merge};
use hcl_lr_edit::{Editor, InsertionPoint, Item, NewItem};

use super::generate::{self, Random};
use super::model::{Known, Model, Part, Piece, Place, ROOT, Reading, read};
use super::{canonical, setting};

/// An edit. Its numbers are those of the model of the base.
#[derive(Clone, Debug, PartialEq)]
enum Op {
    Set {
        container: usize,
        id: usize,
        value: String,
    },
    Remove {
        container: usize,
        id: usize,
    },
    Rename {
        container: usize,
        id: usize,
        name: String,
    },
    /// Other labels of a block.
    Relabel {
        container: usize,
        id: usize,
        labels: Vec<String>,
    },
    /// A comment above a member, or behind it. None is removed.
    Comment {
        container: usize,
        id: usize,
        trails: bool,
        text: Option<String>,
    },
    /// A new member; in a list, behind another one.
    Insert {
        container: usize,
        after: Option<usize>,
        text: String,
    },
}

fn parsed(text: &str) -> File {
    hcl_lr::parse::<File>(text).into_result().unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// Returns the first member of a text, as a container of a kind reads it.
fn part(kind: char, text: &str) -> Part {
    let text = match kind {
        'b' => format!("{text}\n"),
        'o' => format!("x = {{\n{text}\n}}\n"),
        _ => format!("x = [\n{text}\n]\n"),
    };
    let mut part = read(&parsed(&text)).model.members.remove(0);
    if kind != 'b' {
        let Piece::Collection(mut model) = part.value.remove(0) else { panic!("a collection: {text}") };
        part = model.members.remove(0);
    }
    forget_numbers(&mut part);
    part
}

/// Removes the numbers from a new part, because parts of the base may have them.
fn forget_numbers(part: &mut Part) {
    part.id = usize::MAX - 1;
    let inner = part.value.iter_mut().filter_map(|piece| match piece {
        Piece::Collection(inner) => Some(inner),
        Piece::Token(_) => None,
    });
    for model in inner.chain(&mut part.body) {
        model.id = usize::MAX - 1;
        model.members.iter_mut().for_each(forget_numbers);
    }
}

impl Op {
    fn random(random: &mut Random, reading: &Reading<'_>, side: &str, number: usize) -> Option<Op> {
        let value = |random: &mut Random| generate::value(random);
        let known = (!reading.members.is_empty()).then(|| reading.members[random.below(reading.members.len())]);
        // Both sides may have the same idea.
        let name = if random.one_in(6) { "new".to_owned() } else { format!("{side}_{number}") };
        match (random.below(8), known) {
            (0 | 1, Some(Known { member, id, container, kind })) if member.value().is_some() => {
                let value = match random.below(8) {
                    0 => "12345".to_owned(),
                    1 if kind == 'b' => format!("<<EOT\n{side}\n  ${{x}}\nEOT"),
                    _ => value(random),
                };
                Some(Op::Set { container, id, value })
            }
            (5 | 6, Some(Known { id, container, .. })) => {
                let text = (!random.one_in(4)).then(|| format!("comment of {side} {number}"));
                Some(Op::Comment { container, id, trails: random.one_in(2), text })
            }
            (2, Some(Known { id, container, .. })) => Some(Op::Remove { container, id }),
            (3, Some(Known { id, container, kind, member })) if kind != 't' && !matches!(member, Item::Block(_)) => {
                Some(Op::Rename { container, id, name })
            }
            (3 | 7, Some(Known { member: Item::Block(block), id, container, .. })) if block.labels().len() > 0 => {
                let labels = block.labels().map(|label| label.text().into_owned());
                let labels = labels.enumerate().map(|(at, label)| if at == 0 { name.clone() } else { label });
                Some(Op::Relabel { container, id, labels: labels.collect() })
            }
            _ => {
                let Place { kind, id: container, .. } = reading.places[random.below(reading.places.len())];
                let text = match kind {
                    'b' if random.one_in(3) => format!("{name} \"x\" {{\n  y = {number}\n}}"),
                    'b' | 'o' => format!("{name} = {}", value(random)),
                    _ => value(random),
                };
                let members: Vec<_> = reading.members.iter().filter(|known| known.container == container).collect();
                let after = (kind == 't').then(|| random.below(members.len() + 1));
                let after = after.and_then(|index| members.get(index)).map(|known| known.id);
                Some(Op::Insert { container, after, text })
            }
        }
    }

    fn ask<'f>(&self, reading: &Reading<'f>, editor: &mut Editor<'f>) {
        let member = |id: usize| reading.members.iter().find(|known| known.id == id).expect("a member").member;
        match self {
            Op::Set { id, value, .. } => {
                editor.set(member(*id), NewExpression::parse(value).expect("a value"));
            }
            Op::Remove { id, .. } => {
                editor.remove(member(*id));
            }
            Op::Rename { id, name, .. } => {
                editor.rename(member(*id), name);
            }
            Op::Relabel { id, labels, .. } => {
                let Item::Block(block) = member(*id) else { panic!("a block") };
                editor.set_labels(block, labels.clone());
            }
            Op::Comment { id, trails: false, text, .. } => {
                editor.set_comment(member(*id), text.as_deref());
            }
            Op::Comment { id, text, .. } => {
                editor.set_trailing_comment(member(*id), text.as_deref());
            }
            Op::Insert { container, after, text } => {
                let place = reading.places.iter().find(|place| place.id == *container).expect("a place");
                let point = match (after, place.kind) {
                    (Some(after), _) => InsertionPoint::After(member(*after)),
                    (None, 't') => InsertionPoint::Start(place.container),
                    (None, _) => InsertionPoint::End(place.container),
                };
                for item in NewItem::parse_for(place.container, text).expect("an item") {
                    editor.insert(point, item);
                }
            }
        }
    }

    /// Applies the edit to the model. Returns false if its target does not exist.
    fn apply(&self, model: &mut Model) -> bool {
        let mut done = false;
        model.at(self.container(), &mut |model| {
            let position = |id: usize| model.members.iter().position(|member| member.id == id);
            match self {
                Op::Set { id, value, .. } => {
                    let Some(at) = position(*id) else { return };
                    model.members[at].value = part('t', value).value;
                }
                Op::Remove { id, .. } => {
                    let Some(at) = position(*id) else { return };
                    model.members.remove(at);
                }
                Op::Rename { id, name, .. } => {
                    let Some(at) = position(*id) else { return };
                    model.members[at].head[0].clone_from(name);
                }
                Op::Relabel { id, labels, .. } => {
                    let Some(at) = position(*id) else { return };
                    model.members[at].head.truncate(1);
                    model.members[at].head.extend(labels.iter().map(|label| format!("label {label}")));
                }
                Op::Comment { id, .. } => {
                    if position(*id).is_none() {
                        return;
                    }
                }
                Op::Insert { after, text, .. } => {
                    let at = match after {
                        Some(after) => match position(*after) {
                            Some(at) => at + 1,
                            None => return,
                        },
                        None if model.kind == 't' => 0,
                        None => model.members.len(),
                    };
                    let new = part(model.kind, text);
                    if model.kind != 't' && model.members.iter().any(|member| member.head == new.head) {
                        return;
                    }
                    model.members.insert(at, new);
                }
            }
            done = true;
        });
        done
    }

    fn container(&self) -> usize {
        match self {
            Op::Set { container, .. }
            | Op::Remove { container, .. }
            | Op::Rename { container, .. }
            | Op::Relabel { container, .. }
            | Op::Comment { container, .. }
            | Op::Insert { container, .. } => *container,
        }
    }

    /// Changes the line ends in new values.
    fn change_ends(&mut self, end: &str) {
        match self {
            Op::Set { value: text, .. } | Op::Insert { text, .. } if text.contains("<<") => {
                *text = with_ends(text, end)
            }
            _ => {}
        }
    }

    /// Returns the member that is changed as a whole.
    fn id(&self) -> Option<usize> {
        match self {
            Op::Set { id, .. }
            | Op::Remove { id, .. }
            | Op::Rename { id, .. }
            | Op::Relabel { id, .. }
            | Op::Comment { id, .. } => Some(*id),
            Op::Insert { .. } => None,
        }
    }

    /// Returns the new name, if the edit sets one.
    fn name(&self) -> Option<&str> {
        match self {
            Op::Rename { name, .. } => Some(name),
            Op::Insert { text, .. } => text.split([' ', '=']).next(),
            _ => None,
        }
    }
}

/// The relation of two edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// They are independent.
    Apart,
    /// They are in one list or one expression.
    Near,
    /// They affect the same part.
    Overlap,
    /// One replaces a part that the other changes inside.
    Within,
}

/// Returns the members around a place, the outermost first.
fn chain<'r, 'f>(reading: &'r Reading<'f>, op: &Op) -> Vec<&'r Known<'f>> {
    let at = op.id().unwrap_or(op.container());
    let mut around: Vec<&Known<'_>> = reading
        .members
        .iter()
        .filter(|known| {
            let span: Span = known.member.span();
            op.container() != ROOT && span.start() <= at && at < span.end() || Some(known.id) == op.id()
        })
        .collect();
    around.sort_by_key(|known| known.member.span());
    around.sort_by_key(|known| (known.member.span().start(), std::cmp::Reverse(known.member.span().end())));
    around
}

fn distance(reading: &Reading<'_>, one: &Op, other: &Op) -> Distance {
    let (left, right) = (chain(reading, one), chain(reading, other));
    let common = left.iter().zip(&right).take_while(|(a, b)| a.id == b.id).count();
    if one.id().is_some() && one.id() == other.id() {
        // Two objects in the place of one are merged entry by entry.
        let is_object = |op: &Op| matches!(op, Op::Set { value, .. } if value.starts_with('{'));
        return if is_object(one) && is_object(other) { Distance::Within } else { Distance::Overlap };
    }
    let changes =
        |op: &Op, around: &[&Known<'_>]| op.id().is_some_and(|id| around[..common].iter().any(|known| known.id == id));
    if changes(one, &left) || changes(other, &right) {
        let replaces = |op: &Op| matches!(op, Op::Set { .. });
        let is_set = changes(one, &left) && replaces(one) || changes(other, &right) && replaces(other);
        return if is_set { Distance::Within } else { Distance::Overlap };
    }
    if one.container() == other.container() && one.name().is_some() && one.name() == other.name() {
        return Distance::Overlap;
    }
    // Of what both are in: an expression other than an object is merged as a whole.
    let is_object = |known: &&Known<'_>| {
        let Some(value) = known.member.value() else { return true };
        matches!(value.kind(), hcl_lr::syntax::ast::ExpressionKind::Object(_))
    };
    let repeated = |around: &[&Known<'_>]| {
        let type_of = |known: &&Known<'_>| matches!(known.member, Item::Block(block) if block.block_type() == "rule");
        around.first().is_some_and(type_of)
    };
    match left[..common].iter().all(is_object) && !(repeated(&left) && repeated(&right)) {
        true => Distance::Apart,
        false => Distance::Near,
    }
}

/// Makes edits. Returns the text, unless the editor refuses them or they concern each other.
fn made(file: &File, reading: &Reading<'_>, ops: &[Op]) -> Option<String> {
    let apart =
        |one: &Op, other: &Op| distance(reading, one, other) <= Distance::Near && one.container() != other.container();
    if ops.iter().enumerate().any(|(index, op)| ops[..index].iter().any(|other| !apart(op, other))) {
        return None;
    }
    let mut editor = Editor::new(file);
    ops.iter().for_each(|op| op.ask(reading, &mut editor));
    editor.finish().ok().map(|edited| edited.text().to_owned())
}

/// Returns the content after edits, if all can be applied one after the other.
fn after<'o>(model: &Model, ops: impl Iterator<Item = &'o Op>) -> Option<String> {
    let mut model = model.clone();
    for op in ops {
        if !op.apply(&mut model) {
            return None;
        }
    }
    Some(canonical::of_model(&model))
}

/// Chooses one side of all conflicts.
fn resolved(text: &str, ours: bool) -> String {
    let (mut out, mut state) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        match line.trim_end() {
            "<<<<<<< ours" => state = 1,
            "=======" if state == 1 => state = 2,
            ">>>>>>> theirs" => state = 0,
            _ if state == 0 || state == 1 && ours || state == 2 && !ours => out.push_str(line),
            _ => {}
        }
    }
    out
}

#[derive(Debug, Default)]
struct Tally {
    merges: usize,
    clean: usize,
    conflicts: usize,
    conflicts_of_apart: usize,
    /// Conflicts where git merges, and is right.
    conflicts_where_git_is_right: usize,
    wrong: usize,
    /// Comments that no side removed and that are gone, without a note.
    comments_lost: usize,
    /// Those with a note.
    comments_noted: usize,
    unparsable: usize,
    not_judged: usize,
}

impl Tally {
    /// Counts a result; `None` means conflicts. Returns true if it is wrong.
    fn count(&mut self, result: Option<&str>, expected: Option<&str>, distance: Distance) -> bool {
        self.merges += 1;
        let Some(text) = result else {
            self.conflicts += 1;
            self.conflicts_of_apart += usize::from(distance == Distance::Apart);
            return false;
        };
        self.clean += 1;
        let Ok(file) = hcl_lr::parse::<File>(text).into_result() else {
            self.unparsable += 1;
            return true;
        };
        if distance == Distance::Within {
            self.not_judged += 1;
            return false;
        }
        let wrong = expected != Some(canonical::of_file(&file).as_str());
        self.wrong += usize::from(wrong);
        wrong
    }
}

fn with_ends(text: &str, end: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', end)
}

/// Changes the line ends in heredocs.
fn change_ends(model: &mut Model, end: &str) {
    for member in &mut model.members {
        member.body.iter_mut().for_each(|body| change_ends(body, end));
        for piece in &mut member.value {
            match piece {
                Piece::Collection(inner) => change_ends(inner, end),
                Piece::Token(text) if text.starts_with("<<") => {}
                Piece::Token(text) => *text = with_ends(text, end),
            }
        }
    }
}

/// The numbers of the comments of a text, which may have errors.
fn comments(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for comment in hcl_lr::parse::<File>(text).into_value().comments() {
        *counts.entry(comment.text().trim().replace("\r\n", "\n")).or_default() += 1;
    }
    counts
}

/// Returns the comments that a merge must have, for each the number that is missing in the result.
fn missing_comments([base, ours, theirs]: [&str; 3], merged: &[&str]) -> Vec<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(comments);
    let merged: Vec<HashMap<String, usize>> = merged.iter().map(|text| comments(text)).collect();
    let mut missing = Vec::new();
    for text in ours.keys().chain(theirs.keys().filter(|text| !ours.contains_key(*text))) {
        let count = |counts: &HashMap<String, usize>| counts.get(text).copied().unwrap_or(0);
        let (b, o, t) = (count(&base), count(&ours), count(&theirs));
        let wanted = if o >= b && t >= b { o.max(t) } else { (o + t).saturating_sub(b) };
        let found = merged.iter().map(count).max().unwrap_or(0);
        missing.extend((found..wanted).map(|_| text.clone()));
    }
    missing
}

/// Merges by lines with git.
fn by_git(texts: [&str; 3]) -> Option<String> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let paths = ["ours", "base", "theirs"].map(|name| folder.join(format!("{name}-{}", std::process::id())));
    for (path, text) in paths.iter().zip(texts) {
        std::fs::write(path, text).expect("a file");
    }
    let output = Command::new("git").args(["merge-file", "-p"]).args(&paths).output().expect("git");
    paths.iter().for_each(|path| std::fs::remove_file(path).expect("the file"));
    output.status.success().then(|| String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn random_merges_have_both_effects_or_a_conflict() {
    let (wanted, seed) = (setting("HCL_MERGES", 400) as usize, setting("HCL_SEED", 1));
    let with_git = setting("HCL_GIT_MERGES", 0) > 0;
    let mut problems: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let folder = std::env::var_os("HCL_MERGED").map(std::path::PathBuf::from);
    let (mut tally, mut git, mut number, mut failures) = (Tally::default(), Tally::default(), 0, 0);
    while tally.merges < wanted {
        number += 1;
        let mut random = Random::new(seed * 1_000_003 + number);
        let mut base_text = generate::file(&mut random);
        if random.one_in(3) && base_text.ends_with('\n') {
            for index in 0..2 + random.below(3) {
                base_text += &format!("rule {{\n  from = {index}\n  to   = 1\n  name = \"{}\"\n}}\n", index * 7);
            }
        }
        let base = parsed(&base_text);
        let reading = read(&base);
        let (our_count, their_count) = (1 + random.below(3), 1 + random.below(3));
        let mut our_ops: Vec<Op> =
            (0..our_count).filter_map(|index| Op::random(&mut random, &reading, "ours", index)).collect();
        let mut their_ops: Vec<Op> =
            (0..their_count).filter_map(|index| Op::random(&mut random, &reading, "theirs", index)).collect();
        // Sometimes both do the same, or change the same part.
        if random.one_in(8) {
            their_ops.clone_from(&our_ops);
        } else if let (true, Some(Op::Set { container, id, .. })) = (random.one_in(8), our_ops.first().cloned()) {
            their_ops = vec![Op::Set { container, id, value: generate::value(&mut random) }];
        }
        let (Some(ours), Some(theirs)) = (made(&base, &reading, &our_ops), made(&base, &reading, &their_ops)) else {
            continue;
        };
        if ours == base_text || theirs == base_text {
            continue;
        }
        let (mut ours, mut theirs) = (ours, theirs);
        let mut model = reading.model.clone();
        // One side has other line ends, also in the values of heredocs.
        let changes_ends = random.one_in(10);
        if changes_ends {
            let (text, ops) = match random.one_in(2) {
                true => (&mut ours, &mut our_ops),
                false => (&mut theirs, &mut their_ops),
            };
            let end = if text.contains("\r\n") { "\n" } else { "\r\n" };
            *text = with_ends(text, end);
            ops.iter_mut().for_each(|op| op.change_ends(end));
            change_ends(&mut model, end);
        }
        for (side, text) in [("ours", &mut ours), ("theirs", &mut theirs)] {
            if random.one_in(12) && !text.starts_with('\u{feff}') {
                let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
                text.insert_str(0, &format!("# Free comment of {side}.{end}{end}"));
            }
        }
        let pairs = our_ops.iter().flat_map(|our_op| their_ops.iter().map(move |other| (our_op, other)));
        let distance = pairs.map(|(one, other)| distance(&reading, one, other)).max().unwrap_or(Distance::Apart);
        // One side may have changed only the line endings of a part that the other removed.
        let distance = if changes_ends && base_text.contains("<<") { distance.max(Distance::Near) } else { distance };
        let model = &model;
        let same_ops = our_ops == their_ops && !changes_ends;
        let expected = match same_ops || canonical::of_text(&ours) == canonical::of_text(&theirs) {
            true => Some(canonical::of_text(&ours)),
            false => {
                let unchanged = canonical::of_model(&reading.model);
                let effective = |op: &&Op| after(&reading.model, std::iter::once(*op)).as_ref() != Some(&unchanged);
                let ours: Vec<&Op> = our_ops.iter().filter(effective).collect();
                let others = their_ops.iter().filter(effective).filter(|op| !ours.contains(op));
                let theirs: Vec<&Op> = others.collect();
                let one = after(model, ours.iter().chain(&theirs).copied());
                let other = after(model, theirs.iter().chain(&ours).copied());
                one.filter(|merged| Some(merged) == other.as_ref())
            }
        };
        let merged = merge(base_text.as_str(), ours.as_str(), theirs.as_str(), &MergeOptions::new());
        let merged = merged.unwrap_or_else(|errors| panic!("{errors:?}"));
        let is_clean = merged.conflicts() == 0;
        let what = || {
            format!(
                "merge {number} of seed {seed}: {distance:?}, expected {expected:?}\n{our_ops:#?}\n{their_ops:#?}\n--- base\n{base_text}\n\
                 --- ours\n{ours}\n--- theirs\n{theirs}\n--- merged\n{}",
                merged.text()
            )
        };
        let mut problem = None;
        if tally.count(is_clean.then_some(merged.text()), expected.as_deref(), distance) {
            problem = Some("wrong");
        }
        let sides = [resolved(merged.text(), true), resolved(merged.text(), false)];
        let notes: Vec<String> =
            merged.comments_left_out().iter().map(|place| place.text().trim().replace("\r\n", "\n")).collect();
        let mut silent = missing_comments([&base_text, &ours, &theirs], &[&sides[0], &sides[1]]);
        tally.comments_noted += notes.len();
        for note in &notes {
            if let Some(at) = silent.iter().position(|text| text == note) {
                silent.swap_remove(at);
            }
        }
        tally.comments_lost += silent.len();
        if !silent.is_empty() {
            problem = Some("comments are lost");
        }
        if !is_clean && distance == Distance::Apart {
            problem = Some("a conflict for nothing");
        }
        if is_clean && format(&ours) == ours && format(merged.text()) != merged.text() {
            problem = Some("not formatted");
        }
        if !is_clean {
            for (resolved, text) in sides.iter().zip([&ours, &theirs]) {
                let Ok(file) = hcl_lr::parse::<File>(resolved.as_str()).into_result() else {
                    problem = Some("a resolution that does not parse");
                    continue;
                };
                let alone = our_ops.len() == 1 && their_ops.len() == 1 && !changes_ends;
                if alone && canonical::of_file(&file) != canonical::of_text(text) {
                    problem = Some("a resolution that is not what the side says");
                }
            }
        }
        if let Some(problem) = problem {
            failures += 1;
            *problems.entry(problem).or_default() += 1;
            println!("{problem}: {}\n", what());
        }
        if with_git {
            let result = by_git([&ours, &base_text, &theirs]);
            let is_wrong = git.count(result.as_deref(), expected.as_deref(), distance);
            if let Some(text) = result {
                let lost = missing_comments([&base_text, &ours, &theirs], &[&text]);
                git.comments_lost += lost.len();
                if !is_clean && !is_wrong && distance != Distance::Within && lost.is_empty() {
                    tally.conflicts_where_git_is_right += 1;
                    if std::env::var_os("HCL_SHOW").is_some() {
                        println!("a conflict where git is right: {}\n", what());
                    }
                }
            }
        }
        if let Some(folder) = &folder {
            let write = |name: &str, text: &str| {
                std::fs::write(folder.join(format!("{seed}-{number}.{name}")), text).expect("a file");
            };
            if is_clean {
                write("hcl", merged.text());
                write("said", &canonical::of_text(merged.text()));
            }
        }
    }
    println!("by structure: {tally:?}, {problems:?}");
    if with_git {
        println!("by git: {git:?}");
    }
    assert_eq!(failures, 0);
    assert!(tally.clean > wanted / 3 && tally.conflicts > wanted / 50, "{tally:?}");
}
