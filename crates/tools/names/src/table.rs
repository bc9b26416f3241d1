//! The names that files of a language may contain.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// One name: an attribute or a block, or a member of an object.
#[derive(Clone, Debug, Default)]
pub struct Name {
    /// The number of labels if it is a block.
    pub labels: Option<usize>,
    /// The kinds of values if it is an attribute, such as `string` or `list`.
    pub shapes: Vec<String>,
    /// True if files must have it, as far as one name tells.
    pub required: bool,
    /// The version of the program that first knows it.
    pub since: Option<String>,
    /// The version of the program that no longer knows it.
    pub until: Option<String>,
}

/// The names of one kind of files, by path: `terraform.backend[s3].bucket` is an attribute of the block `backend` in the block
/// `terraform`, if the label is `s3`. The name `*` stands for any name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Each name by its path.
    pub all: BTreeMap<String, Name>,
    /// The line that names the source of a table.
    pub source: String,
}

impl Names {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// A message with the number of the line that has another form.
    pub fn of_table(text: &str) -> Result<Names, String> {
        let mut names = Names::default();
        for (index, line) in text.lines().enumerate() {
            if let Some(source) = line.strip_prefix("# source: ") {
                names.source = source.to_owned();
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [path, kind, shape, required, since, until] = fields[..] else {
                return Err(format!("line {}: six fields are wanted", index + 1));
            };
            let labels = shape.strip_prefix("labels ").map(|count| count.parse::<usize>());
            let labels = match (kind, labels) {
                ("attribute", _) => None,
                ("block", Some(Ok(count))) => Some(count),
                _ => return Err(format!("line {}: not an attribute or a block", index + 1)),
            };
            let shapes = if labels.is_some() { Vec::new() } else { shape.split('|').map(str::to_owned).collect() };
            let version = |text: &str| (text != "-").then(|| text.to_owned());
            let (since, until) = (version(since), version(until));
            names.all.insert(path.to_owned(), Name { labels, shapes, required: required == "required", since, until });
        }
        Ok(names)
    }

    /// Adds the names of a program that reads the same files. A name is required if both require it.
    pub fn join(&mut self, other: Names) {
        for (path, name) in other.all {
            match self.all.entry(path) {
                Entry::Vacant(entry) => drop(entry.insert(Name { required: false, ..name })),
                Entry::Occupied(mut entry) => {
                    let known = entry.get_mut();
                    known.required &= name.required;
                    known.labels = known.labels.or(name.labels);
                    known.shapes.extend(name.shapes);
                }
            }
        }
        self.source = format!("{}, {}", self.source, other.source);
    }

    /// The paths without the values in brackets, and without `*` for the elements of collections.
    pub(crate) fn plain(&self) -> BTreeMap<String, &Name> {
        self.all.iter().map(|(path, name)| (plain(path), name)).collect()
    }
}

/// A path without the values in brackets, and without `*` in the middle.
pub(crate) fn plain(path: &str) -> String {
    let mut short = String::new();
    let mut depth = 0_usize;
    for character in path.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => short.push(character),
            _ => {}
        }
    }
    while let Some(place) = short.find(".*.") {
        short.replace_range(place..place + 2, "");
    }
    short
}
