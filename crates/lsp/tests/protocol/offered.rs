//! Completions fit where they are offered: at random places of files, each item is inserted, with and without its
//! placeholders, and the file still parses.
//!
//! `HCL_LSP_PLACES=2000 HCL_SEED=2` in the environment makes more of them, with another seed. The texts are those of
//! `edits`.

use std::collections::BTreeMap;

use hcl_lr::source::Source;
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::BodyItem;
use hcl_lr::{ConfigFile, ParseOptions, Syntax};
use hcl_lr_analysis::Workspace;
use hcl_lr_analysis::completion::Item;

use super::edits::texts;
use super::random::{Random, number};

/// The number of items to insert at one place.
const ITEMS: usize = 30;

/// Returns a text and a place for a completion in it.
fn place(text: &str, random: &mut Random) -> Option<(String, usize, &'static str)> {
    let parsed = hcl_lr::parse::<hcl_lr::File>(text).into_result().ok()?;
    let names: Vec<_> = parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Identifier).collect();
    match random.below(3) {
        0 => Some((text.to_owned(), random.of_some(&names)?.span().end(), "after a name")),
        1 => {
            let span = random.of_some(&names)?.span();
            let text = format!("{}{}", &text[..span.start()], &text[span.end()..]);
            Some((text, span.start(), "in place of a name"))
        }
        _ => {
            let bodies = ends_in_bodies(&parsed);
            let at = *random.of_some(&bodies)?;
            let text = format!("{}\n  \n{}", &text[..at], &text[at..]);
            Some((text, at + "\n  ".len(), "in a line of its own"))
        }
    }
}

/// The same in JSON: after a brace, or in a string.
fn place_in_json(text: &str, random: &mut Random) -> Option<(String, usize, &'static str)> {
    let places: Vec<usize> =
        text.char_indices().filter(|(_, char)| matches!(char, '{' | '"' | '.' | '(')).map(|(at, _)| at + 1).collect();
    checked("a.json", text).ok()?;
    Some((text.to_owned(), *random.of_some(&places)?, "in JSON"))
}

/// The first error of a file, if there is one.
fn checked(name: &str, text: &str) -> Result<(), String> {
    let syntax = if name.ends_with(".json") { Syntax::Json } else { Syntax::Native };
    let options = ParseOptions::new().with_syntax(syntax);
    let parsed = options.parse::<ConfigFile>(Source::new(name, text)).into_result();
    parsed.map(drop).map_err(|errors| errors.iter().next().map(|error| error.detail().to_owned()).unwrap_or_default())
}

/// The ends of the items of all bodies that are written in several lines, and of their opening braces.
fn ends_in_bodies(file: &hcl_lr::File) -> Vec<usize> {
    let text = file.source().text();
    let mut found = Vec::new();
    let mut bodies = vec![file.body()];
    while let Some(body) = bodies.pop() {
        let open = body.open_brace_span().map(|span| span.end());
        let ends = body.items().filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(attribute.expression().span().end()),
            BodyItem::Block(block) => Some(block.span().end()),
            _ => None,
        });
        found.extend(open.into_iter().chain(ends).filter(|at| text[*at..].starts_with(['\n', '\r'])));
        bodies.extend(body.blocks().map(|block| block.body()));
    }
    found
}

/// Returns the text of a snippet with empty placeholders.
fn filled(snippet: &str) -> String {
    let (mut out, mut rest, mut open) = (String::new(), snippet, 0);
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        let digits = rest.trim_start_matches('{').trim_start_matches(|char: char| char.is_ascii_digit());
        match char {
            '\\' => {
                out.extend(rest.chars().next());
                rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            }
            '$' if rest.starts_with('{') => {
                rest = digits.strip_prefix(':').unwrap_or(digits);
                open += 1;
            }
            '$' => rest = digits,
            '}' if open > 0 => open -= 1,
            char => out.push(char),
        }
    }
    assert_eq!(open, 0, "{snippet}");
    out
}

fn with_item(text: &str, item: &Item, written: &str) -> String {
    format!("{}{written}{}", &text[..item.span.start()], &text[item.span.end()..])
}

#[test]
fn what_is_offered_can_be_written() {
    let (mut left, mut random) = (number("HCL_LSP_PLACES", 100), Random::of_seed(number("HCL_SEED", 1)));
    let texts = texts();
    let mut wrong: BTreeMap<String, (u32, String)> = BTreeMap::new();
    let (mut places, mut applied) = (0, 0);
    while left > 0 {
        let (name, text) = random.of(&texts).clone();
        let place = if name.ends_with(".json") { place_in_json } else { place };
        let Some((text, at, how)) = place(&text, &mut random) else { continue };
        left -= 1;
        let path = format!("/no-such-folder/{name}");
        let mut workspace = Workspace::default();
        workspace.set(&path, text.clone());
        let snapshot = workspace.snapshot();
        let found = snapshot.completion(&path, at).expect("nothing changes").items;
        places += u32::from(!found.is_empty());
        for number in 0..found.len().min(ITEMS) {
            // The first ones, and others.
            let item = if number < ITEMS / 2 { &found[number] } else { random.of(&found) };
            let forms = [Some(item.text.clone()), item.snippet.as_deref().map(filled)];
            for written in forms.into_iter().flatten() {
                applied += 1;
                let after = with_item(&text, item, &written);
                if let Err(why) = checked(&name, &after) {
                    let key = format!("{how}: {:?}", item.kind);
                    let (from, to) = (item.span.start(), item.span.start() + written.len());
                    let before = after[..from].rsplit('\n').take(3).collect::<Vec<_>>();
                    let shown = format!(
                        "{name}: {}\n  «{}»{}\n  {why}",
                        before.into_iter().rev().collect::<Vec<_>>().join("\n"),
                        &after[from..to],
                        after[to..].split('\n').next().unwrap_or_default(),
                    );
                    wrong.entry(key).or_insert((0, shown)).0 += 1;
                }
            }
        }
    }
    println!("something is offered at {places} places; {applied} items are written");
    assert!(applied > 0);
    let shown: Vec<String> =
        wrong.iter().map(|(key, (count, shown))| format!("{key}, {count} times:\n{shown}")).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n\n"));
}
