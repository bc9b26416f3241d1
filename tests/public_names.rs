//! A public name means one thing: no two public types have the same last segment. Reads the list of public items in
//! `tests/fixtures/public-api.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names that several types have, each with the reason.
const SHARED: &[(&str, &str)] = &[
    ("Attribute", "the model of a schema describes attributes"),
    ("Block", "the model of a schema describes blocks"),
    ("Body", "the model of a schema describes bodies"),
    ("Hcl", "adapters for two packages, which applications use one at a time"),
    ("Label", "the model of a schema describes labels"),
    ("ObjectType", "the model of a schema describes types"),
    ("Type", "the model of a schema describes types"),
];

/// Returns a line without attributes such as `#[non_exhaustive]`.
fn without_attributes(mut line: &str) -> &str {
    while let Some((_, rest)) = line.strip_prefix("#[").and_then(|rest| rest.split_once("] ")) {
        line = rest;
    }
    line
}

/// The path that a text begins with, without generic arguments.
fn path_of(text: &str) -> String {
    let (mut path, mut depth) = (String::new(), 0_usize);
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if c.is_ascii_alphanumeric() || "_:".contains(c) => path.push(c),
            _ => break,
        }
    }
    path.trim_end_matches(':').to_owned()
}

/// Collects the paths of each name of a type. The items of `schema::model` are those of `schema`.
///
/// A type that is exported at several paths has its functions at one of them, so the others are left out.
fn paths_of_types(list: &str) -> BTreeMap<String, BTreeSet<String>> {
    let lines = || list.lines().map(without_attributes);
    let mut owners = BTreeSet::new();
    for line in lines() {
        let Some(function) = ["pub fn ", "pub const fn "].iter().find_map(|start| line.strip_prefix(start)) else {
            continue;
        };
        if let Some((owner, _)) = path_of(function).rsplit_once("::") {
            owners.insert(owner.to_owned());
        }
    }
    let mut paths: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines() {
        let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub union "];
        let Some(path) = kinds.iter().find_map(|kind| line.strip_prefix(kind)).map(path_of) else { continue };
        let name = path.rsplit("::").next().unwrap_or_default().to_owned();
        if owners.contains(&path) {
            paths.entry(name).or_default().insert(path.replace("::schema::model::", "::schema::"));
        }
    }
    paths
}

/// The names that several types have, with their paths.
fn shared(list: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut paths = paths_of_types(list);
    paths.retain(|_, paths| paths.len() > 1);
    paths
}

#[test]
fn no_two_public_types_have_one_name() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/public-api.txt");
    let list = std::fs::read_to_string(list).expect("a readable list");
    assert!(paths_of_types(&list).contains_key("Diagnostics"), "the list has another form");
    let mut shared = shared(&list);
    for (name, why) in SHARED {
        assert!(shared.remove(*name).is_some(), "`{name}` is the name of one type now, so remove the exception: {why}");
    }
    assert!(shared.is_empty(), "several public types have one name: {shared:#?}");
}

#[test]
fn types_with_one_name_are_found_and_exports_are_not() {
    let list = "\
pub struct a::Index
pub fn a::Index::new() -> a::Index
#[non_exhaustive] pub enum a::b::Index<'t>
pub a::b::Index::One
pub fn a::b::Index<'t>::fmt(&self)
pub struct a::Node
pub fn a::Node::new() -> a::Node
pub struct a::c::Node
";
    let found: Vec<String> = shared(list).into_keys().collect();
    assert_eq!(found, ["Index"]);
}
