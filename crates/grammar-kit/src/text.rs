//! Compares the productions of the grammars with those of the specification, which are comments in them: both must
//! give the same sentences up to a length, or `tests/fixtures/grammar/productions.txt` has the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::notation::{Notation, productions};
use crate::{ebnf, grammars, needs};
use hcl_lr_grammar_check::Grammar;

/// The largest number of symbols in the sentences that are compared: the lower bound, raised up to the upper one until
/// there are `ENOUGH` sentences. A symbol is a text in quotes, or a name that is not replaced.
const LONGEST: std::ops::RangeInclusive<usize> = 5..=20;
const ENOUGH: usize = 300;

type Sentences = BTreeSet<Vec<String>>;

/// The sentences of a notation, with those of the names in it that are known by now.
fn sentences(is: &Notation, known: &BTreeMap<&str, Sentences>, longest: usize) -> Sentences {
    match is {
        Notation::Name(name) => match known.get(name.as_str()) {
            Some(sentences) => sentences.clone(),
            None => BTreeSet::from([vec![name.clone()]]),
        },
        Notation::Text(text) => BTreeSet::from([vec![format!("\"{text}\"")]]),
        Notation::Sequence(parts) => {
            let empty = BTreeSet::from([Vec::new()]);
            parts.iter().fold(empty, |before, part| joined(&before, &sentences(part, known, longest), longest))
        }
        Notation::Choice(parts) => parts.iter().flat_map(|part| sentences(part, known, longest)).collect(),
        Notation::Optional(part) => {
            let mut all = sentences(part, known, longest);
            all.insert(Vec::new());
            all
        }
        Notation::Repeat(part) | Notation::Some(part) => {
            let once = sentences(part, known, longest);
            let mut all = match is {
                Notation::Repeat(_) => BTreeSet::from([Vec::new()]),
                _ => once.clone(),
            };
            // Each round extends the results of the previous one.
            let mut last = all.clone();
            while !last.is_empty() {
                let more = joined(&last, &once, longest);
                last = more.difference(&all).cloned().collect();
                all.extend(last.iter().cloned());
            }
            all
        }
    }
}

fn joined(one: &Sentences, two: &Sentences, longest: usize) -> Sentences {
    let mut all = Sentences::new();
    for start in one {
        for end in two.iter().filter(|end| start.len() + end.len() <= longest) {
            let mut sentence = start.clone();
            sentence.extend_from_slice(end);
            all.insert(sentence);
        }
    }
    all
}

/// Returns the sentences of a production after replacing some names, including its own, by their definitions.
fn sentences_of(name: &str, all: &BTreeMap<String, Notation>, replaced: &BTreeSet<&str>, longest: usize) -> Sentences {
    // Only the needed ones, because others may have very many.
    let mut known: BTreeMap<&str, Sentences> = BTreeMap::from([(name, Sentences::new())]);
    let mut waiting = vec![name];
    while let Some(next) = waiting.pop() {
        for other in all[next].names() {
            if replaced.contains(other) && all.contains_key(other) && known.insert(other, Sentences::new()).is_none() {
                waiting.push(other);
            }
        }
    }
    loop {
        let next: BTreeMap<&str, Sentences> =
            known.keys().map(|&other| (other, sentences(&all[other], &known, longest))).collect();
        if next == known {
            return known.remove(name).expect("it is one of them");
        }
        known = next;
    }
}

/// The productions in the comments of the grammars, in their order.
fn in_comments(grammars: &[Grammar]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for grammar in grammars {
        let terminals = grammar.terminals.iter().map(|(_, comment)| comment);
        let rules = grammar.rules.iter().flat_map(|rule| {
            std::iter::once(&rule.comment).chain(rule.alternatives.iter().filter_map(|other| other.comment.as_ref()))
        });
        for (name, is) in terminals.chain(rules).flat_map(|comment| productions(comment)) {
            if all.iter().all(|(other, _)| *other != name) {
                all.push((name, is));
            }
        }
    }
    all
}

/// The differences that are allowed.
#[derive(Default)]
struct Exceptions {
    lexer: BTreeSet<String>,
    part: BTreeSet<String>,
    with: BTreeMap<String, String>,
    form: BTreeMap<String, Notation>,
    slip: BTreeSet<String>,
}

fn exceptions() -> Exceptions {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/grammar/productions.txt");
    let text = std::fs::read_to_string(path).expect("the exceptions");
    let mut all = Exceptions::default();
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    while let Some(line) = lines.next() {
        let (kind, rest) = line.split_once(' ').expect("a kind and a name");
        let is_new = match kind {
            "lexer" => all.lexer.insert(rest.to_owned()),
            "part" => all.part.insert(rest.to_owned()),
            "slip" => all.slip.insert(rest.to_owned()),
            "with" => {
                let (name, other) = rest.split_once(' ').expect("two names");
                all.with.insert(name.to_owned(), other.to_owned()).is_none()
            }
            "form" => {
                let (name, is) = rest.split_once(" = ").expect("a production");
                all.form.insert(name.to_owned(), Notation::read(is).expect(is)).is_none()
            }
            _ => panic!("{line}"),
        };
        assert!(is_new, "twice: {line}");
        assert!(lines.next_if(|line| line.starts_with("  ")).is_some(), "no reason: {line}");
        while lines.next_if(|line| line.starts_with("  ")).is_some() {}
    }
    all
}

#[test]
fn the_productions_are_those_of_the_text() {
    let grammars = grammars().expect("the grammars");
    let exceptions = exceptions();
    let comments = in_comments(&grammars);
    assert_eq!(comments.len(), 46, "{comments:?}");
    let mut text: BTreeMap<String, Notation> = BTreeMap::new();
    for (name, is) in comments.iter().filter(|(name, _)| !exceptions.lexer.contains(name)) {
        let notation = Notation::read(is).unwrap_or_else(|why| panic!("{name}: {why}: {is}"));
        text.insert(name.clone(), notation);
    }
    let ours: BTreeMap<String, Notation> = grammars
        .iter()
        .flat_map(ebnf::definitions)
        .map(|definition| (definition.production.name, definition.production.is))
        .collect();
    // To compare the others, an exception counts as its definition in the grammars.
    let mut mended = text.clone();
    mended.extend(exceptions.form.clone());
    let mut problems = Vec::new();
    let mut same = 0;
    for name in text.keys().filter(|name| !exceptions.with.contains_key(*name)) {
        if exceptions.part.contains(name) {
            if ours.contains_key(name) {
                problems.push(format!("{name} is in the grammars by its name"));
            }
            continue;
        }
        let Some(own) = ours.get(name) else {
            problems.push(format!("{name} is not in the grammars"));
            continue;
        };
        let together = exceptions.with.iter().filter(|(_, other)| *other == name).map(|(part, _)| part.as_str());
        let mut replaced: BTreeSet<&str> = together.collect();
        if replaced.contains("attrSplat") {
            replaced.extend(["Index", "GetAttr"]);
        }
        replaced.extend(exceptions.part.iter().map(String::as_str));
        let by_text = |all, longest| sentences_of(name, all, &replaced, longest);
        let enough = |&longest: &usize| by_text(&mended, longest).len() >= ENOUGH;
        let longest = LONGEST.into_iter().find(enough).unwrap_or(*LONGEST.end());
        let mut plain = mended.clone();
        plain.insert(name.clone(), text[name].clone());
        let (as_is, wanted) = (by_text(&plain, longest), by_text(&mended, longest));
        let unnamed = ours.keys().filter(|other| !text.contains_key(*other)).map(String::as_str);
        let replaced: BTreeSet<&str> = replaced.iter().copied().chain(unnamed).collect();
        let got = sentences_of(name, &ours, &replaced, longest);
        assert!(!got.is_empty(), "{name} has no sentences");
        if got != wanted {
            let some = |one: &Sentences, two: &Sentences| -> Vec<String> {
                one.difference(two).take(3).map(|sentence| sentence.join(" ")).collect()
            };
            problems.push(format!(
                "{name} = {own}\n  only the grammar has {:?}\n  only the text has {:?}",
                some(&got, &wanted),
                some(&wanted, &got)
            ));
        } else if exceptions.form.contains_key(name) && as_is == got {
            problems.push(format!("{name} is what the text says, and no exception"));
        } else {
            same += usize::from(!exceptions.form.contains_key(name));
        }
    }
    let listed = [&exceptions.lexer, &exceptions.part].into_iter().flatten();
    for name in listed.chain(exceptions.with.keys()).chain(exceptions.form.keys()) {
        assert!(comments.iter().any(|(other, _)| other == name), "there is no {name} in the text");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(same >= 16, "only {same} productions are the same");
}

/// Any difference in a production is detected.
#[test]
fn a_difference_is_found() {
    let all = |is: &str| BTreeMap::from([("A".to_owned(), Notation::read(is).expect(is))]);
    let of = |is: &str| sentences_of("A", &all(is), &BTreeSet::new(), 8);
    assert_eq!(of("B (\",\" B)*"), of("B | A \",\" B"));
    assert_eq!(of("(B | C)* D?"), of("() | D | (B | C)+ D | (C | B)+"));
    assert_ne!(of("B (\",\" B)* \",\"?"), of("B (\",\" B)*"));
    assert_ne!(of("B+"), of("B*"));
}

/// The comments match the specification, except for its slips.
#[test]
#[ignore = "needs specifications"]
fn needs_specifications_the_comments_are_those_of_the_text() {
    let text = needs::specification("native-syntax.md");
    let fenced = text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let fenced: String = fenced.map(|(_, block)| block).filter(|block| block.contains(';')).collect();
    let theirs = productions(&fenced);
    let ours = in_comments(&grammars().expect("the grammars"));
    let names = |all: &[(String, String)]| all.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    assert_eq!(names(&theirs), names(&ours));
    // Lines, spaces and outer parentheses are ignored.
    let plain = |is: &str| is.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let same = |one: &str, two: &str| {
        let (one, two) = (plain(one), plain(two));
        one == two || one == format!("({two})") || two == format!("({one})")
    };
    let differ: BTreeSet<String> = theirs
        .iter()
        .filter(|(name, is)| ours.iter().any(|(own, other)| own == name && !same(other, is)))
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(differ, exceptions().slip);
}
