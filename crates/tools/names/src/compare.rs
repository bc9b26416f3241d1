//! The differences between a table and a schema.

use crate::table::{Name, Names, plain};

/// How a name differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Only the program knows the name.
    OnlyProgram,
    /// Only the schema has the name.
    OnlySchema,
    /// A block in one, an attribute in the other, or another number of labels.
    Form,
    /// The kinds of values have nothing in common.
    Type,
    /// Only one side requires the name.
    Required,
    /// The versions that know the name differ.
    Version,
}

impl Kind {
    /// All kinds, with the words for them in files of reasons.
    pub const ALL: [(Kind, &'static str); 6] = [
        (Kind::OnlyProgram, "only the program"),
        (Kind::OnlySchema, "only the schema"),
        (Kind::Form, "another form"),
        (Kind::Type, "another type"),
        (Kind::Required, "required by one"),
        (Kind::Version, "another version"),
    ];

    /// The words for this kind in files of reasons.
    pub fn text(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, text)| text)
    }
}

/// A name that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// How.
    pub kind: Kind,
    /// The path of the name.
    pub path: String,
    /// Both sides: the program's and the schema's.
    pub detail: String,
}

/// The number of names that a table and a schema share, and their differences.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The number of names that both have.
    pub both: usize,
    /// The number of names that the program has in a body where the schema allows any name.
    pub open: usize,
    /// The differences, by kind and path.
    pub differences: Vec<Difference>,
}

/// Compares a table of a program with the names of a schema.
///
/// A name below one that only one side has is not named again.
pub fn compare(program: &Names, schema: &Names) -> Comparison {
    let mut comparison = Comparison::default();
    let (program_plain, schema_plain) = (program.plain(), schema.plain());
    // A table of a single version cannot say when a name came.
    let has_versions = program.all.values().any(|name| name.since.is_some() || name.until.is_some());
    let mut only: Vec<&str> = Vec::new();
    for (path, name) in &program.all {
        if name.until.is_some() || below(&only, path) {
            continue;
        }
        let short = plain(path);
        match schema.all.get(path).or_else(|| schema_plain.get(&short).copied()) {
            Some(other) => {
                comparison.both += 1;
                let since = since_with_around(schema, path);
                let found = difference(path, name, other, since);
                comparison.differences.extend(found.filter(|found| has_versions || found.kind != Kind::Version));
            }
            None if allows_any(schema, path) => comparison.open += 1,
            None => {
                only.push(path);
                comparison.differences.push(of_one_side(Kind::OnlyProgram, path, name));
            }
        }
    }
    let mut only: Vec<&str> = Vec::new();
    for (path, name) in &schema.all {
        let short = plain(path);
        let known = program.all.contains_key(path) || program_plain.contains_key(&short);
        if known || name.until.is_some() || short.ends_with('*') || below(&only, path) || allows_any(program, path) {
            continue;
        }
        only.push(path);
        comparison.differences.push(of_one_side(Kind::OnlySchema, path, name));
    }
    comparison.differences.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
    comparison
}

/// Returns true if a path is within one of others, which stand in order.
fn below(others: &[&str], path: &str) -> bool {
    others
        .iter()
        .any(|other| path.strip_prefix(other).is_some_and(|rest| rest.starts_with('.') || rest.starts_with('[')))
}

/// Returns true if a body around a path may have any name.
fn allows_any(names: &Names, path: &str) -> bool {
    let mut rest = path;
    while let Some((around, _)) = rest.rsplit_once('.') {
        let any = format!("{around}.*");
        if names.all.contains_key(&any) || names.all.contains_key(&plain(&any)) {
            return true;
        }
        rest = around;
    }
    names.all.contains_key("*")
}

fn of_one_side(kind: Kind, path: &str, name: &Name) -> Difference {
    Difference { kind, path: path.to_owned(), detail: text(name) }
}

fn text(name: &Name) -> String {
    match name.labels {
        Some(count) => format!("a block with {count} labels"),
        None => name.shapes.join(" or "),
    }
}

/// How a name that both sides have differs, if it does.
///
/// `since` is the version from which the schema allows it, with all the bodies around it.
fn difference(path: &str, program: &Name, schema: &Name, since: Option<String>) -> Option<Difference> {
    let kind = match (program.labels, schema.labels) {
        (Some(one), Some(other)) if one != other => Kind::Form,
        (Some(_), None) if !schema.shapes.iter().any(|shape| matches!(&**shape, "object" | "map" | "list" | "any")) => {
            Kind::Form
        }
        (None, None) if !shapes_meet(&program.shapes, &schema.shapes) => Kind::Type,
        _ if program.required != schema.required => Kind::Required,
        _ if schema.since.is_some() && !same_version(program.since.as_deref(), since.as_deref()) => Kind::Version,
        _ => return None,
    };
    let detail = match kind {
        Kind::Version => {
            let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "always".to_owned());
            format!("{}, here {}", version(&program.since), version(&since))
        }
        Kind::Required if program.required => "required, here optional".to_owned(),
        Kind::Required => "optional, here required".to_owned(),
        _ => format!("{}, here {}", text(program), text(schema)),
    };
    Some(Difference { kind, path: path.to_owned(), detail })
}

/// Returns true if two sets of kinds of values have something in common.
fn shapes_meet(program: &[String], schema: &[String]) -> bool {
    let same = |one: &str, other: &str| {
        one == other
            || one == "any"
            || other == "any"
            || matches!(
                (one, other),
                ("set", "list")
                    | ("object", "map")
                    | ("map", "object")
                    | ("keyword" | "reference" | "type", "string")
                    | ("string", "keyword" | "reference" | "type")
                    | ("keyword", "reference")
                    | ("reference", "keyword")
                    | ("duration", "string" | "number")
            )
    };
    program.iter().any(|one| schema.iter().any(|other| same(one, other)))
}

/// The latest of the first versions of a name and of those around it.
fn since_with_around(names: &Names, path: &str) -> Option<String> {
    let mut latest: Option<&String> = None;
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    for since in ends.filter_map(|end| names.all.get(&path[..end])?.since.as_ref()) {
        if latest.is_none_or(|latest| numbers(latest) < numbers(since)) {
            latest = Some(since);
        }
    }
    latest.cloned()
}

/// Returns true if two versions are the same: `1.14` is `1.14.0`.
fn same_version(one: Option<&str>, other: Option<&str>) -> bool {
    one.map(numbers) == other.map(numbers)
}

/// The numbers of a version, without zeros at the end.
fn numbers(version: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = version.split('.').map(|number| number.parse().unwrap_or(0)).collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}
