//! Entries of `required_providers` and `required_plugins`, from the lock files and the other entries of the workspace.
//!
//! ```text
//! .terraform.lock.hcl                                  offered in `required_providers`
//! provider "registry.terraform.io/hashicorp/aws" {     aws = {
//!   version = "5.31.0"                                   source  = "hashicorp/aws"
//! }                                                      version = "~> 5.31"
//!                                                      }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind, ExpressionNode};

use super::items::{attribute_item, times};
use super::{Item, ItemKind, UsedParts, escaped, in_snippet};
use crate::cursor::Step;
use crate::file::File;
use crate::knowledge::{Header, KnownAttribute};

/// The types of the blocks with such entries.
const BLOCKS: [&str; 2] = ["required_providers", "required_plugins"];

/// The name of lock files.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The hosts of registries, which sources leave out.
const HOSTS: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The maximum number of files with entries to read.
const MAX_FILES: usize = 2_000;

/// Points for a lock file of the folder, and of a folder around it.
const LOCKED_HERE: i64 = 10_000;
const LOCKED_AROUND: i64 = 5_000;

/// Points for an entry with the same name.
const SAME_NAME: i64 = 100;

/// A provider or plugin in a lock file, or in an entry of a file.
struct Entry {
    /// The local name. In a lock file, it is the last part of the source.
    name: String,
    /// The source, without the host of a registry.
    source: Option<String>,
    /// The version in a lock file, or the constraint of an entry.
    version: Option<String>,
    place: EntryPlace,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryPlace {
    /// An entry of the same module.
    Here,
    /// An entry elsewhere.
    Elsewhere,
    /// A lock file, with points for its distance.
    Lock(i64),
}

/// A text to offer.
#[derive(Default)]
struct Text {
    points: i64,
    uses: u32,
    /// The version in the nearest lock file, with the points of that.
    locked: Option<(i64, String)>,
}

impl Text {
    /// Adds an entry that has the text.
    fn add(&mut self, entry: &Entry, points: i64) {
        match entry.place {
            EntryPlace::Lock(distance) => {
                self.points += distance + points;
                if self.locked.as_ref().is_none_or(|(known, _)| *known < distance) {
                    self.locked = entry.version.clone().map(|version| (distance, version));
                }
            }
            EntryPlace::Here | EntryPlace::Elsewhere => {
                self.points += points;
                self.uses += 1;
            }
        }
    }

    fn detail(&self) -> String {
        match &self.locked {
            Some((_, version)) => format!("locked at {version}"),
            None => format!("used {} in this workspace", times(self.uses)),
        }
    }
}

impl UsedParts<'_> {
    /// Returns true if the place is in a block of requirements.
    pub(super) fn is_in_requirements(&self) -> bool {
        matches!(&self.cursor.blocks[..], [.., block] if BLOCKS.contains(&&*block.block_type))
    }

    /// Returns the entries that the block at the place may get. `is_free` tells if the block has no entry with a name.
    pub(super) fn required_items(&self, prefix: Span, is_free: impl Fn(&str) -> bool) -> Vec<Item> {
        let all = self.entries();
        let here: BTreeSet<&str> =
            all.iter().filter(|entry| entry.place == EntryPlace::Here).map(|entry| &*entry.name).collect();
        let mut names: BTreeMap<&str, Text> = BTreeMap::new();
        for entry in all.iter().filter(|entry| !here.contains(&*entry.name) && is_free(&entry.name)) {
            names.entry(&entry.name).or_default().add(entry, SAME_NAME);
        }
        let item = |(name, text): (&str, Text)| {
            let attribute = KnownAttribute { name: name.to_owned(), ..KnownAttribute::default() };
            let mut item = attribute_item(&attribute, prefix, text.points);
            let (text_of_value, snippet) = match Value::of(&all, name) {
                Some(value) => (value.text(), value.snippet()),
                None => ("{}".to_owned(), "{\n  $0\n}".to_owned()),
            };
            item.text = format!("{name} = {text_of_value}");
            item.snippet = Some(format!("{name} = {snippet}"));
            Item { detail: Some(text.detail()), ..item }
        };
        names.into_iter().map(item).collect()
    }

    /// Returns the value of the entry at the place, if only it is missing.
    pub(super) fn required_value(&self, prefix: Span) -> Option<Item> {
        let is_value = self.cursor.steps.as_ref().is_some_and(Vec::is_empty) && prefix.is_empty();
        let name = self.cursor.attribute.as_ref().filter(|_| is_value && self.is_in_requirements())?;
        let value = Value::of(&self.entries(), name)?;
        let text = value.text();
        Some(Item { points: 2_000, snippet: Some(value.snippet()), ..Item::new(text, ItemKind::Value, prefix) })
    }

    /// Returns the text of a key in the entry at the place, if it is known.
    pub(super) fn required_text(&self, key: &str) -> Option<String> {
        let is_key = matches!(key, "source" | "version") && self.is_in_requirements();
        let is_outermost = self.cursor.steps.as_ref().is_some_and(Vec::is_empty);
        let name = self.cursor.attribute.as_ref().filter(|_| is_key && is_outermost)?;
        let all = self.entries();
        let source = self.source_in_entry().or_else(|| Value::of(&all, name).map(|value| value.source));
        match key {
            "source" => source,
            _ => best(versions(&all, name, source.as_deref())),
        }
    }

    /// Returns the texts of the string at the place: sources or versions. `None` if it is not in an entry.
    pub(super) fn required_texts(&self, prefix: Span) -> Option<Vec<Item>> {
        let name = self.cursor.attribute.as_ref().filter(|_| self.is_in_requirements())?;
        let is_source = match self.cursor.steps.as_deref()? {
            [] => false,
            [Step::Key(Some(key))] if key == "source" => true,
            [Step::Key(Some(key))] if key == "version" => false,
            _ => return None,
        };
        let all = self.entries();
        let texts = match is_source {
            true => sources(&all, name),
            false => versions(&all, name, self.source_in_entry().as_deref()),
        };
        let item = |(text, known): (String, Text)| Item {
            text: format!("{}{}", escaped(&text), self.closing_quote()),
            detail: Some(known.detail()),
            points: known.points,
            ..Item::new(text, ItemKind::Value, prefix)
        };
        Some(texts.into_iter().map(item).collect())
    }

    /// Returns the names of providers for the label of a block: those that the module requires, and those that are known
    /// elsewhere.
    pub(super) fn provider_names(&self, header: &Header) -> Vec<(String, String, i64)> {
        let is_provider = header.block_type == "provider" && header.labels.is_empty() && self.cursor.blocks.is_empty();
        if !is_provider || self.file.name() == LOCK_FILE {
            return Vec::new();
        }
        let bodies = self.project.files().iter().filter_map(|file| file.native()).map(|native| native.body());
        let blocks = bodies.flat_map(|body| body.blocks_of_type("provider"));
        let others = blocks.filter(|block| !block.header_span().touches(self.cursor.offset));
        let configured: BTreeSet<String> =
            others.filter_map(|block| Some(block.labels().next()?.text().into_owned())).collect();
        let all = self.entries();
        let mut names: BTreeMap<&str, (Text, bool)> = BTreeMap::new();
        for entry in &all {
            let (text, is_here) = names.entry(&entry.name).or_default();
            text.add(entry, SAME_NAME);
            *is_here |= entry.place == EntryPlace::Here;
        }
        let name = |(name, (text, is_here)): (&str, (Text, bool))| {
            let detail = if is_here { "required here".to_owned() } else { text.detail() };
            let here = if is_here { 2 * LOCKED_HERE } else { 0 };
            // A second configuration has an alias, which is rare.
            let configured = if configured.contains(name) { 4 * LOCKED_HERE } else { 0 };
            (name.to_owned(), detail, text.points + here - configured)
        };
        names.into_iter().map(name).collect()
    }

    /// Returns the source that the entry at the place has already.
    fn source_in_entry(&self) -> Option<String> {
        let expression = self.body()?.attribute(self.cursor.attribute.as_ref()?)?.expression();
        text_of_key(expression, "source")
    }

    /// Returns what the workspace knows of providers, or of plugins, without the entry at the place.
    fn entries(&self) -> Vec<Entry> {
        let required = self.cursor.blocks.last().map_or(BLOCKS[0], |block| &*block.block_type);
        let mut all = Vec::new();
        let is_named = |file: &File| {
            let text = std::str::from_utf8(file.text().bytes());
            text.is_ok_and(|text| text.contains(required))
        };
        let files = self.snapshot.files().filter(|file| !file.is_shown_only());
        for file in files.filter(|file| file.name() == LOCK_FILE || is_named(file)).take(MAX_FILES) {
            let is_lock = file.name() == LOCK_FILE;
            file.with_document(|document| {
                let hcl_lr::ConfigFile::Native(native) = document else { return };
                match is_lock {
                    true => all.extend(locked(native.body(), self.distance(file.folder()))),
                    false => self.add_required(file, native.body(), required, &mut all),
                }
            });
        }
        all
    }

    /// Returns the points of a lock file in a folder.
    fn distance(&self, folder: &str) -> i64 {
        let own = self.file.folder();
        let is_around = own.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        match own == folder {
            true => LOCKED_HERE,
            false if is_around => LOCKED_AROUND,
            false => 0,
        }
    }

    /// Adds the entries of a file.
    fn add_required(&self, file: &File, body: BodyNode<'_>, required: &str, all: &mut Vec<Entry>) {
        let is_here = file.folder() == self.file.folder() && file.language() == self.file.language();
        let place = if is_here { EntryPlace::Here } else { EntryPlace::Elsewhere };
        let inner = body.blocks().flat_map(|block| block.body().blocks_of_type(required).collect::<Vec<_>>());
        for block in body.blocks_of_type(required).chain(inner) {
            for attribute in block.body().attributes() {
                if file.path() == self.file.path() && attribute.span().touches(self.cursor.offset) {
                    continue;
                }
                let value = attribute.expression();
                let source = text_of_key(value, "source").map(|source| without_host(&source).to_owned());
                let version = text_of_key(value, "version").or_else(|| text(value));
                all.push(Entry { name: attribute.name().to_owned(), source, version, place });
            }
        }
    }
}

/// The value of an entry.
struct Value {
    source: String,
    version: Option<String>,
}

impl Value {
    /// Returns the most likely value of the entry with a name. `None` if no source of it is known.
    fn of(all: &[Entry], name: &str) -> Option<Value> {
        let mut sources = sources(all, name);
        sources.retain(|_, text| text.points >= SAME_NAME);
        let source = best(sources)?;
        Some(Value { version: best(versions(all, name, Some(&source))), source })
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let version = self.version.iter().map(|version| ("version", escaped(version)));
        [("source", escaped(&self.source))].into_iter().chain(version).collect()
    }

    /// Returns the value on one line.
    fn text(&self) -> String {
        let lines: Vec<String> = self.lines().into_iter().map(|(key, text)| format!("{key} = \"{text}\"")).collect();
        format!("{{ {} }}", lines.join(", "))
    }

    /// Returns the value on several lines, in the notation of snippets.
    fn snippet(&self) -> String {
        let lines = self.lines();
        let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        let line = |(key, text): &(&str, String)| format!("\n  {key:width$} = \"{}\"", in_snippet(text));
        format!("{{{}\n}}", lines.iter().map(line).collect::<String>())
    }
}

/// Returns the text with the most points.
fn best(texts: BTreeMap<String, Text>) -> Option<String> {
    // Of several, the first by the alphabet.
    texts.into_iter().rev().max_by_key(|(_, text)| text.points).map(|(text, _)| text)
}

/// Returns the sources for a name: those of entries with this name, and then all others.
fn sources(all: &[Entry], name: &str) -> BTreeMap<String, Text> {
    let mut found: BTreeMap<String, Text> = BTreeMap::new();
    let here: BTreeSet<&String> =
        all.iter().filter(|entry| entry.place == EntryPlace::Here).filter_map(|entry| entry.source.as_ref()).collect();
    for entry in all {
        let Some(source) = entry.source.as_ref().filter(|source| !here.contains(source)) else { continue };
        match entry.name == name {
            true => found.entry(source.clone()).or_default().add(entry, SAME_NAME),
            // The distance of a lock file says nothing about another provider.
            false => {
                let text = found.entry(source.clone()).or_default();
                let before = text.points;
                text.add(entry, 0);
                text.points = before + 1;
            }
        }
    }
    found
}

/// Returns the constraints for the versions of a provider: `~> X.Y` for a locked version, and those of other entries.
fn versions(all: &[Entry], name: &str, source: Option<&str>) -> BTreeMap<String, Text> {
    let mut found: BTreeMap<String, Text> = BTreeMap::new();
    let source = source.map(without_host);
    let is_same = |entry: &&Entry| match (source, &entry.source) {
        (Some(source), Some(other)) => source == other,
        _ => entry.name == name,
    };
    for entry in all.iter().filter(is_same) {
        let text = match (&entry.version, entry.place) {
            (Some(version), EntryPlace::Lock(_)) => constraint(version),
            (Some(version), _) => version.clone(),
            (None, _) => continue,
        };
        found.entry(text).or_default().add(entry, SAME_NAME);
    }
    found
}

/// Returns the providers in a lock file.
fn locked(body: BodyNode<'_>, distance: i64) -> Vec<Entry> {
    let provider = |block: hcl_lr::syntax::ast::BlockNode<'_>| {
        let label = block.labels().next()?.text().into_owned();
        let version = text(block.body().attribute("version")?.expression())?;
        let name = label.rsplit('/').next()?.to_owned();
        let source = Some(without_host(&label).to_owned());
        Some(Entry { name, source, version: Some(version), place: EntryPlace::Lock(distance) })
    };
    body.blocks_of_type("provider").filter_map(provider).collect()
}

/// Returns a constraint for the locked version and later minor versions: `~> 5.31` for `5.31.0`. Only the version itself
/// matches a version before a release, such as `6.0.0-beta1`.
fn constraint(version: &str) -> String {
    let parts: Vec<&str> = version.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts[..] {
        [major, minor, _] if parts.iter().all(is_number) => format!("~> {major}.{minor}"),
        _ => version.to_owned(),
    }
}

/// Returns a source without the host of a registry.
fn without_host(source: &str) -> &str {
    HOSTS.iter().find_map(|host| source.strip_prefix(host)).unwrap_or(source)
}

/// Returns the constant text of an expression.
fn text(expression: ExpressionNode<'_>) -> Option<String> {
    match expression.kind() {
        ExpressionKind::Template(template) => template.as_text().map(|text| text.into_owned()),
        _ => None,
    }
}

/// Returns the constant text of a key of an object.
fn text_of_key(expression: ExpressionNode<'_>, key: &str) -> Option<String> {
    let ExpressionKind::Object(object) = expression.kind() else { return None };
    let mut elements = object.elements();
    let element = elements.find(|element| element.key_text().is_some_and(|known| known == key))?;
    text(element.value()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_later_minor_versions() {
        for (version, expected) in [("5.31.0", "~> 5.31"), ("0.9.1", "~> 0.9"), ("6.0.0-beta1", "6.0.0-beta1")] {
            assert_eq!(constraint(version), expected);
        }
        assert_eq!(without_host("registry.opentofu.org/hashicorp/aws"), "hashicorp/aws");
        assert_eq!(without_host("example.com/a/b"), "example.com/a/b");
    }
}
