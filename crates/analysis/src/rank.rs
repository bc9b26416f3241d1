//! Ranks completions by how likely they are meant.

use hcl_lr::internal::sort_by_key;
use std::collections::BTreeMap;

use hcl_lr_language::definitions::Definition;

use crate::knowledge::LearnedAttribute;
use crate::project::Project;
use crate::shape::{Shape, open_bracket};
use crate::tables::HashMap;

/// The circumstances in which a value is written.
#[derive(Default)]
pub struct Context<'c> {
    /// The name of the attribute or key that the value is for.
    pub name: Option<Words<'c>>,
    /// The text before it on its line that describes it, such as `"port": ` in a template.
    pub key: Option<Words<'c>>,
    /// The labels of the blocks around it, and the types of the inner ones.
    pub header: Vec<Words<'c>>,
    /// The offset of the place, and the file.
    pub place: (usize, &'c str),
    /// The values that attributes of this name have in bodies of the same kind in the folder.
    pub same_kind: LearnedAttribute,
    /// The values that attributes of this name have in any body of the folder.
    pub same_name: LearnedAttribute,
    /// The values of attributes of this name in bodies of the same kind in the workspace.
    pub kind_elsewhere: LearnedAttribute,
    pub name_elsewhere: LearnedAttribute,
    /// The number of references to each address.
    pub uses: HashMap<&'c str, usize>,
    /// The number of names that nothing refers to.
    pub unused: i64,
    /// The expected shape of the value, if the surrounding text determines it.
    pub asked: Option<Shape>,
    /// Functions in the workspace, with the number of their calls.
    pub functions: BTreeMap<String, u32>,
    /// The values of the same argument elsewhere: functions with a `(`, and references.
    pub argument: BTreeMap<String, u32>,
    /// Points of the names that are near the place.
    pub near: HashMap<&'c str, i64>,
}

/// Points for definitions and calls in the same file.
pub const HERE: i64 = 50;

/// Names of attributes that any block can have.
const GENERAL: [&str; 11] = [
    "condition",
    "content",
    "count",
    "default",
    "depends_on",
    "for_each",
    "source",
    "triggers",
    "value",
    "environment",
    "inputs",
];

/// Splits a name into words at underscores, hyphens and changes from small to capital letters.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut small = false;
    for char in name.chars() {
        if !char.is_alphanumeric() || char.is_uppercase() && small {
            words.push(String::new());
        }
        small = char.is_lowercase() || char.is_numeric();
        if char.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(char.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A name, and its words without their plural.
pub struct Words<'n> {
    name: &'n str,
    words: Vec<String>,
    joined: String,
}

impl<'n> Words<'n> {
    pub fn of(name: &'n str) -> Words<'n> {
        let mut words = words(name);
        for word in &mut words {
            if word.ends_with('s') {
                word.pop();
            }
        }
        Words { name, joined: words.concat(), words }
    }

    /// Returns the likeness of two names that have a word in common, from 0 to 100.
    pub fn common(&self, other: &Words<'_>) -> i64 {
        let has_common = self.words.iter().any(|word| other.words.contains(word));
        if has_common { i64::from(self.likeness(other)) } else { 0 }
    }

    /// Returns the likeness of two names, from 0 to 100.
    pub fn likeness(&self, other: &Words<'_>) -> u32 {
        if self.name == other.name {
            return 100;
        }
        let (one, two) = (&self.words, &other.words);
        if one.is_empty() || two.is_empty() {
            return 0;
        }
        if one == two {
            return 95;
        }
        let common = one.iter().filter(|word| two.contains(word)).count();
        let shared = (2 * common * 70 / (one.len() + two.len())) as u32;
        let ends = if two.ends_with(one) || one.ends_with(two) { 20 } else { 0 };
        let starts = if two.starts_with(one) || one.starts_with(two) { 10 } else { 0 };
        let is_within = self.joined.contains(&other.joined) || other.joined.contains(&self.joined);
        let within = if is_within { 15 } else { 0 };
        (shared + ends + starts + within).min(94)
    }
}

impl Context<'_> {
    /// Returns the points of a definition offered under an address; more is better.
    pub fn points(&self, project: &Project, definition: &Definition<'_>, address: &str) -> i64 {
        let fits = self.asked.map_or(0, |asked| asked.points(Shape::of_definition(project, definition)));
        let (offset, path) = self.place;
        // A value cannot depend on itself.
        let place = definition.expression().map_or_else(|| definition.place().clone(), |expression| expression.place());
        let is_here = place.source().name() == path;
        let is_own = is_here && place.span().touches(offset);
        let near = if is_here { HERE } else { 0 };
        self.name_points(definition.name(), address) + fits + near - if is_own { 1_000 } else { 0 }
    }

    /// Returns the points of a function. `shape` has the functions called elsewhere with arguments like those after
    /// the place.
    pub fn call_points(&self, name: &str, shape: &BTreeMap<String, u32>) -> i64 {
        let uses = |learned: &LearnedAttribute| i64::from(learned.calls.get(name).copied().unwrap_or_default());
        // Uses in the folder also count as uses in the workspace.
        60 * uses(&self.same_kind).min(5)
            + 30 * uses(&self.same_name).min(5)
            + 30 * uses(&self.kind_elsewhere).min(10)
            + 15 * uses(&self.name_elsewhere).min(10)
            + share(&self.functions, name, 150)
            + share(&self.argument, &format!("{name}("), 300)
            + share(shape, name, 1_000)
    }

    /// Returns points for a function whose name is like that of the attribute or key.
    pub fn likeness(&self, function: &str) -> i64 {
        let words = Words::of(function);
        let is_like = |name: &&Words<'_>| !GENERAL.contains(&name.name) && function != "type";
        self.name.as_ref().filter(is_like).map_or(0, |name| 2 * name.common(&words))
    }

    /// Returns points for a name near the place: in the same expression or block, or the name of the block itself.
    fn near_points(&self, name: &str, address: &str) -> i64 {
        let near = self.near.get(address).copied().unwrap_or_default();
        near + if self.header.iter().any(|block| block.name == name) { 200 } else { 0 }
    }

    /// Returns the points of a name at an address: more is better.
    pub fn name_points(&self, name: &str, address: &str) -> i64 {
        let mut points = 0;
        let words = Words::of(name);
        // A general attribute name tells nothing; the labels of the block do.
        let attribute =
            self.name.as_ref().filter(|attribute| !GENERAL.contains(&attribute.name) || attribute.name == name);
        let weight = if self.key.is_some() { 1 } else { 3 };
        points += attribute.map_or(0, |attribute| weight * i64::from(attribute.likeness(&words)));
        points += self.key.as_ref().map_or(0, |key| 2 * i64::from(key.likeness(&words)));
        let header = self.header.iter().map(|word| i64::from(word.likeness(&words))).max().unwrap_or_default();
        points += if attribute.is_some() { header } else { 2 * header };
        let below = |uses: &std::collections::BTreeMap<String, u32>| -> u32 {
            if uses.is_empty() {
                return 0;
            }
            let start = format!("{address}.");
            uses.get(address).copied().unwrap_or_default()
                + uses
                    .range(start.clone()..)
                    .take_while(|(attribute, _)| attribute.starts_with(&start))
                    .map(|(_, uses)| uses)
                    .sum::<u32>()
        };
        let of_learned = |learned: &LearnedAttribute, most: i64| match below(&learned.references) {
            0 => 0,
            uses => most * i64::from(uses) / i64::from(learned.references.values().sum::<u32>().max(1)),
        };
        points += of_learned(&self.same_kind, 240) + of_learned(&self.same_name, 160);
        points += of_learned(&self.kind_elsewhere, 120) + of_learned(&self.name_elsewhere, 80);
        points += share(&self.argument, address, 200);
        points += self.near_points(name, address);
        points += match self.uses.get(address) {
            None | Some(0) => 60 + 240 / self.unused.max(1),
            Some(&uses) => 6 * i64::try_from(uses).unwrap_or(i64::MAX).min(10),
        };
        points
    }
}

/// Operators before an operand, or the start of a sequence in a template. Both operands are rarely the same name.
const OPERATORS: [&str; 12] = ["&&", "||", " :", "==", "!=", "<", ">", "+", "-", "*", "/", "${"];

/// Returns the points of the names in the texts before and after a place. Names just before it count most, except for
/// the other operand of an operator at the place.
pub fn near<'t>(before: &'t str, after: &'t str) -> HashMap<&'t str, i64> {
    const STEPS: usize = 3;
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let mut found: HashMap<&str, i64> = HashMap::default();
    let end = before.trim_end_matches(is_part).trim_end();
    let line = before.rsplit('\n').next().unwrap_or_default().len();
    // An element of a list rarely occurs twice.
    let (list, list_rest) = match open_bracket(end) {
        Some(('[', at)) => (before.len() - at, after.find(']').unwrap_or_default()),
        _ => (0, 0),
    };
    let is_operand = OPERATORS.iter().any(|operator| end.ends_with(operator)) && !end.ends_with("=>");
    let (beside, against) = if is_operand { (line, -150) } else { (list, -500) };
    for (text, is_before) in [(after, false), (before, true)] {
        for word in text.split(|char| !is_part(char)).filter(|word| word.contains('.')) {
            let distance = text.len() - (word.as_ptr() as usize - text.as_ptr() as usize);
            let is_beside = if is_before { distance <= beside } else { text.len() - distance < list_rest };
            let is_beside = is_beside && (is_operand || is_element(text, text.len() - distance, word));
            let usual = if is_before && distance < 120 { 140 } else { 60 };
            for (at, _) in word.match_indices('.').skip(1).take(STEPS).chain([(word.len(), "")]) {
                let points = if is_beside && (is_operand || at == word.len()) { against } else { usual };
                let known = found.entry(&word[..at]).or_default();
                *known = if is_before && points > 0 { points.max(*known) } else { points };
            }
        }
    }
    found
}

/// Returns true if a word is a whole element of a list, at its place in a text.
fn is_element(text: &str, start: usize, word: &str) -> bool {
    let (before, after) = (text[..start].trim_end(), text[start + word.len()..].trim_start());
    (before.is_empty() || before.ends_with(['[', ','])) && (after.is_empty() || after.starts_with([']', ',']))
}

/// Returns points by the share of a text in all uses.
pub fn share(all: &BTreeMap<String, u32>, text: &str, most: i64) -> i64 {
    let uses = i64::from(all.get(text).copied().unwrap_or_default());
    match uses {
        0 => 0,
        _ => most * uses / i64::from(all.values().sum::<u32>().max(1)) + most.min(uses) / 10,
    }
}

/// The match between a name and the typed text, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The name begins with the text.
    Start,
    /// The name begins with the text, ignoring case.
    StartInOtherCase,
    /// A word of the name begins with the text.
    Word,
    /// The name contains the letters in this order.
    Letters,
}

/// Returns how well a text matches a name. `None` if it does not.
pub fn fit(typed: &str, name: &str) -> Option<Fit> {
    let name = name.strip_prefix('"').unwrap_or(name);
    if name.starts_with(typed) {
        return Some(Fit::Start);
    }
    let (small, lower) = (typed.to_lowercase(), name.to_lowercase());
    if lower.starts_with(&small) {
        return Some(Fit::StartInOtherCase);
    }
    let is_word = |at: usize| !lower[..at].ends_with(char::is_alphanumeric);
    if lower.match_indices(&small).any(|(at, _)| is_word(at)) {
        return Some(Fit::Word);
    }
    fits(typed, name).then_some(Fit::Letters)
}

/// Returns the best candidates, one more than the maximum.
pub fn best<T>(mut all: Vec<(Fit, i64, T)>, most: usize) -> Vec<(Fit, i64, T)> {
    sort_by_key(&mut all, |(fit, points, _)| (*fit, std::cmp::Reverse(*points)));
    all.truncate(most + 1);
    all
}

/// Returns true if a name contains the letters of a text in their order.
pub fn fits(typed: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|letter| letters.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> u32 {
        Words::of(one).likeness(&Words::of(other))
    }

    #[test]
    fn like_names_are_like() {
        assert_eq!(likeness("region", "region"), 100);
        assert!(likeness("vpc_id", "vpcId") > 90);
        assert!(likeness("subnets", "subnet") > 90);
        assert!(likeness("region", "aws_region") > likeness("region", "registry"));
        assert!(likeness("name", "cluster_name") > likeness("name", "cluster_size"));
        assert!(fits("vid", "vpc_id") && fits("", "x") && !fits("dv", "vpc_id"));
    }

    #[test]
    fn the_start_of_a_name_fits_best() {
        let names = ["lookup", "Port", "http_port", "port", "upper_mount"];
        let mut sorted: Vec<&str> = names.into_iter().filter(|name| fit("p", name).is_some()).collect();
        sort_by_key(&mut sorted, |name| fit("p", name));
        assert_eq!(sorted, ["port", "Port", "http_port", "lookup", "upper_mount"]);
        assert_eq!((fit("vi", "vpc_id"), fit("dv", "vpc_id")), (Some(Fit::Letters), None));
    }
}
