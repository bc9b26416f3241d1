//! The common traits of the public types, as a table: types × traits. Reads the lists of public items in
//! `tests/fixtures/public-api`, and checks the rules of `docs/api-guidelines.md` that such a table can check.
//! `UPDATE_GOLDEN=1` writes the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

#[path = "support/cases.rs"]
mod cases;
#[path = "support/golden.rs"]
mod golden;
#[path = "support/public_api.rs"]
mod public_api;

use golden::Golden;

/// The columns of the table. The last two are known by the types that lack them.
const TRAITS: [&str; 12] =
    ["Clone", "Debug", "PartialEq", "Eq", "Hash", "Ord", "Default", "Display", "FromStr", "Error", "Send", "Sync"];

/// Types without `Debug`, with the reasons.
const WITHOUT_DEBUG: &[(&str, &str)] = &[
    ("Additions", "its parts are functions"),
    ("ConcealedErrors", "it is used on errors at once"),
    ("Known", "it borrows what a project knows"),
    ("LoadOptions", "it has functions"),
    ("Overlay", "it borrows files"),
    ("Project", "it borrows files, whose texts are long"),
    ("Reading", "it has the texts of files"),
    ("Reference", "it borrows definitions"),
    ("References", "it borrows definitions"),
    ("Sources", "it has the texts of files"),
];

/// Returns a line without attributes such as `#[non_exhaustive]`.
fn without_attributes(mut line: &str) -> &str {
    while let Some((_, rest)) = line.strip_prefix("#[").and_then(|rest| rest.split_once("] ")) {
        line = rest;
    }
    line
}

/// Returns a text without what is in angle brackets.
fn without_arguments(text: &str) -> String {
    let (mut bare, mut depth) = (String::new(), 0_usize);
    for c in text.replace("->", "  ").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Returns a type's package and name, without the modules between: a type may be exported at several paths.
fn named(path: &str) -> String {
    format!("{}::{}", path.split("::").next().unwrap_or_default(), last(path))
}

/// The traits of each public type. A type is known by its package and its name, which `public_names.rs` keeps unique.
fn traits_of_types(list: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut implemented: Vec<(String, String)> = Vec::new();
    for line in list.lines().map(without_attributes) {
        let bare = without_arguments(line);
        let words: Vec<&str> = bare.split_whitespace().collect();
        match words[..] {
            ["pub", "struct" | "enum" | "union", path, ..] => {
                let path = path.split(['(', '{', ';']).next().unwrap_or(path);
                types.entry(named(path)).or_default();
            }
            ["impl", name, "for", ty] if !name.starts_with('!') => {
                implemented.push((named(ty), last(name).to_owned()));
            }
            _ => {}
        }
    }
    for (ty, name) in implemented {
        if let Some(traits) = types.get_mut(&ty) {
            traits.insert(name);
        }
    }
    types
}

/// The types that are not `Send` or not `Sync`: lines `impl !core::marker::Send for TYPE`.
fn not_shared(list: &str) -> BTreeSet<(String, String)> {
    let pairs =
        list.lines().filter_map(|line| without_arguments(line).split_once('!').map(|(_, rest)| rest.to_owned()));
    pairs
        .filter_map(|rest| Some((named(rest.split_once(" for ")?.1), last(rest.split_once(" for ")?.0).to_owned())))
        .collect()
}

fn types() -> BTreeMap<String, BTreeSet<String>> {
    let lacking = not_shared(&public_api::not_shared());
    let mut types = traits_of_types(&public_api::with_projects());
    for (ty, traits) in &mut types {
        let shared = ["Send", "Sync"].map(str::to_owned).into_iter();
        traits.extend(shared.filter(|name| !lacking.contains(&(ty.clone(), name.clone()))));
    }
    types
}

#[test]
fn the_table_is_as_recorded() {
    let mut table = String::from("# Types and traits\n\nMade by `tests/public_traits.rs`.\n\n| type |");
    TRAITS.iter().for_each(|name| write!(table, " {name} |").expect("text"));
    table += "\n| --- |";
    table += &" --- |".repeat(TRAITS.len());
    table.push('\n');
    for (ty, traits) in types() {
        let _ = write!(table, "| `{ty}` |");
        for name in TRAITS {
            table += if traits.contains(name) { " yes |" } else { " |" };
        }
        table.push('\n');
    }
    let mut golden = Golden::new();
    golden.check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/public-api/traits.md"), &table);
    golden.finish();
}

#[test]
fn traits_follow_the_rules() {
    let types = types();
    assert!(types.len() > 200, "only {} types", types.len());
    let mut broken = Vec::new();
    let mut without_debug: BTreeSet<&str> = WITHOUT_DEBUG.iter().map(|(ty, _)| *ty).collect();
    for (ty, traits) in &types {
        let has = |name: &str| traits.contains(name);
        let mut rule = |holds: bool, rule: &str| {
            if !holds {
                broken.push(format!("{ty}: {rule}"));
            }
        };
        rule(has("Debug") != without_debug.remove(last(ty)), "has `Debug`, or is listed with a reason");
        rule(!ty.ends_with("Error") || has("Error"), "an error implements `Error`");
        rule(!has("Error") || has("Display") && has("Debug"), "an error has `Display` and `Debug`");
        rule(!has("Error") || has("Send") && has("Sync"), "an error is `Send` and `Sync`");
        rule(!has("Hash") || has("Eq"), "what has `Hash` has `Eq`");
        rule(!has("Eq") || has("PartialEq"), "what has `Eq` has `PartialEq`");
        rule(!has("Copy") || has("Clone"), "what has `Copy` has `Clone`");
        rule(!has("FromStr") || has("Display") || has("Debug"), "what is parsed can be shown");
    }
    assert!(broken.is_empty(), "public types break rules:\n{}", broken.join("\n"));
    assert!(without_debug.is_empty(), "these exceptions are not needed: {without_debug:?}");
}

#[test]
fn traits_are_read_from_lines() {
    let list = "\
pub struct a::b::Node<'t>
#[non_exhaustive] pub enum a::Kind<T: core::marker::Copy>
impl<'t> core::clone::Clone for a::b::Node<'t>
impl<T: core::fmt::Debug> core::fmt::Debug for a::Kind<T>
impl core::cmp::PartialEq<str> for a::Kind<u8>
impl !core::marker::Send for a::b::Node<'t>
";
    let types = traits_of_types(list);
    let of = |ty: &str| types[&format!("a::{ty}")].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!((of("Node"), of("Kind")), (vec!["Clone"], vec!["Debug", "PartialEq"]));
    assert_eq!(not_shared(list).into_iter().collect::<Vec<_>>(), [("a::Node".to_owned(), "Send".to_owned())]);
}
