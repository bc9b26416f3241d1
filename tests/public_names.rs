//! A public name means one thing: no two public types have the same last segment. Reads the list of public items in
//! `tests/fixtures/public-api`.

use std::collections::{BTreeMap, BTreeSet};

#[path = "support/public_api.rs"]
mod public_api;

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

/// The items of a type that the list has at one path.
#[derive(Default)]
struct Listed {
    is_type: bool,
    has_functions: bool,
    /// The names of its fields or variants.
    members: BTreeSet<String>,
}

/// Reads the types of the list, by their paths. The items of `schema::model` are those of `schema`.
fn types(list: &str) -> BTreeMap<String, Listed> {
    let mut types: BTreeMap<String, Listed> = BTreeMap::new();
    for line in list.lines().map(without_attributes) {
        let Some(item) = line.strip_prefix("pub ") else { continue };
        let item = if item.starts_with("const fn ") { &item["const ".len()..] } else { item };
        let (kind, rest) = item.split_once(' ').unwrap_or((item, ""));
        let is_type = ["struct", "enum", "trait", "union"].contains(&kind);
        let is_function = kind == "fn";
        let path = path_of(if is_type || is_function { rest } else { item });
        let path = path.replace("::schema::model::", "::schema::");
        if is_type {
            types.entry(path).or_default().is_type = true;
        } else if let Some((owner, member)) = path.rsplit_once("::") {
            let owner = types.entry(owner.to_owned()).or_default();
            match is_function {
                true => owner.has_functions = true,
                false => drop(owner.members.insert(member.to_owned())),
            }
        }
    }
    types.retain(|_, listed| listed.is_type);
    types
}

/// Collects the paths of each name of a type, one path for each type.
///
/// A type that is exported at several paths has its fields and variants at each of them, and its functions at one.
fn paths_of_types(list: &str) -> BTreeMap<String, BTreeSet<String>> {
    let types = types(list);
    let (owners, others): (Vec<_>, Vec<_>) = types.iter().partition(|(_, listed)| listed.has_functions);
    let mut found: BTreeMap<String, BTreeMap<&str, &Listed>> = BTreeMap::new();
    for (path, listed) in owners.into_iter().chain(others) {
        let same_name = found.entry(path.rsplit("::").next().unwrap_or_default().to_owned()).or_default();
        let is_export = listed.members.is_empty() || same_name.values().any(|other| other.members == listed.members);
        if listed.has_functions || !is_export {
            same_name.insert(path, listed);
        }
    }
    let paths = |types: BTreeMap<&str, &Listed>| types.into_keys().map(str::to_owned).collect();
    found.into_iter().map(|(name, types)| (name, paths(types))).collect()
}

/// The names that several types have, with their paths.
fn shared(list: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut paths = paths_of_types(list);
    paths.retain(|_, paths| paths.len() > 1);
    paths
}

#[test]
fn no_two_public_types_have_one_name() {
    let list = public_api::text();
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
pub struct a::Part
pub a::Part::name: alloc::string::String
pub struct a::b::Part
pub fn a::b::Part::name(&self) -> &str
pub enum a::Kind
pub a::Kind::One
pub fn a::Kind::all() -> [a::Kind; 1]
pub enum a::b::Kind
pub a::b::Kind::One
";
    let found: Vec<String> = shared(list).into_keys().collect();
    assert_eq!(found, ["Index", "Part"]);
}
