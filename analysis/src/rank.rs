//! The order of what is offered: first what was probably meant.

use std::collections::{BTreeMap, HashMap};

use hcl_lr::definitions::Definition;
use hcl_lr::model::Type;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};

use crate::knowledge::LearnedAttribute;

/// The circumstances in which a value is written.
#[derive(Default)]
pub struct Context<'c> {
    /// The name of the attribute or key that the value is for.
    pub name: Option<&'c str>,
    /// The words of the header of the block.
    pub header: Vec<&'c str>,
    /// The values that attributes of this name have in bodies of the same kind in the folder.
    pub same_kind: LearnedAttribute,
    /// The values that attributes of this name have in any body of the folder.
    pub same_name: LearnedAttribute,
    /// The same in the whole workspace.
    pub kind_elsewhere: LearnedAttribute,
    pub name_elsewhere: LearnedAttribute,
    /// The number of references to each address.
    pub uses: HashMap<String, usize>,
    /// The type of the value, if it is known.
    pub expected: Option<Type>,
    /// Functions in the workspace, with the number of their calls.
    pub functions: BTreeMap<String, u32>,
    /// The values of the same argument elsewhere: functions with a `(`, and references.
    pub argument: BTreeMap<String, u32>,
    /// Points of the names that are near the place.
    pub near: HashMap<&'c str, i64>,
}

/// The words of a name: parts between underscores, hyphens and changes from small to capital letters.
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

/// Returns the likeness of two names, from 0 to 100.
pub fn likeness(one: &str, other: &str) -> u32 {
    if one == other {
        return 100;
    }
    let (one, other) = (words(one), words(other));
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let one: Vec<String> = one.iter().map(|word| singular(word)).collect();
    let other: Vec<String> = other.iter().map(|word| singular(word)).collect();
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    if one == other {
        return 95;
    }
    let common = one.iter().filter(|word| other.contains(word)).count();
    let shared = (2 * common * 70 / (one.len() + other.len())) as u32;
    let ends = if other.ends_with(&one) || one.ends_with(&other) { 20 } else { 0 };
    let starts = if other.starts_with(&one) || one.starts_with(&other) { 10 } else { 0 };
    let (joined, other_joined) = (one.concat(), other.concat());
    let within = if joined.contains(&other_joined) || other_joined.contains(&joined) { 15 } else { 0 };
    (shared + ends + starts + within).min(94)
}

impl Context<'_> {
    /// Returns the points of a definition that is offered by an address: more is better.
    pub fn points(&self, definition: &Definition<'_>, address: &str) -> i64 {
        self.name_points(definition.name(), address) + self.type_points(definition)
    }

    /// Returns the points of a function. `shape` has those that are called elsewhere with arguments like those behind the place.
    pub fn call_points(&self, name: &str, shape: &BTreeMap<String, u32>) -> i64 {
        let uses = |learned: &LearnedAttribute| i64::from(learned.calls.get(name).copied().unwrap_or_default());
        // Uses in the folder count again as uses in the workspace.
        60 * uses(&self.same_kind).min(5)
            + 30 * uses(&self.same_name).min(5)
            + 30 * uses(&self.kind_elsewhere).min(10)
            + 15 * uses(&self.name_elsewhere).min(10)
            + share(&self.functions, name, 150)
            + share(&self.argument, &format!("{name}("), 300)
            + share(shape, name, 500)
    }

    /// Points for a name that is near: in the same expression or block, or the name of the block itself.
    fn near_points(&self, name: &str, address: &str) -> i64 {
        let near = self.near.get(address).copied().unwrap_or_default();
        near + if self.header.contains(&name) { 200 } else { 0 }
    }

    /// Points for a type that fits the one that is expected, and against one that cannot.
    fn type_points(&self, definition: &Definition<'_>) -> i64 {
        let Some(expected) = self.expected.as_ref().map(shape) else { return 0 };
        let constraint = definition.constraint().map(|constraint| shape(constraint.ty()));
        let native = definition.expression().and_then(|expression| expression.as_native());
        match (expected, constraint.or_else(|| native.map(shape_of))) {
            (Shape::Any, _) | (_, None | Some(Shape::Any)) => 0,
            (expected, Some(found)) if expected == found => 40,
            (Shape::Bool | Shape::Number | Shape::Text, Some(Shape::Bool | Shape::Number | Shape::Text)) => 0,
            _ => -150,
        }
    }

    /// Returns the points of a name at an address: more is better.
    pub fn name_points(&self, name: &str, address: &str) -> i64 {
        let mut points = 0;
        if let Some(own) = self.name {
            points += 3 * i64::from(likeness(own, name));
        }
        let header = self.header.iter().map(|word| likeness(word, name)).max().unwrap_or_default();
        points += i64::from(header) / 4;
        let below = |uses: &std::collections::BTreeMap<String, u32>| -> u32 {
            let start = format!("{address}.");
            uses.get(address).copied().unwrap_or_default()
                + uses
                    .range(start.clone()..)
                    .take_while(|(one, _)| one.starts_with(&start))
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
            None | Some(0) => 60,
            Some(&uses) => 3 * i64::try_from(uses).unwrap_or(i64::MAX).min(10),
        };
        points
    }
}

/// Returns the points of the names in the texts before and after a place: names just before it count most.
pub fn near<'t>(before: &'t str, after: &'t str) -> HashMap<&'t str, i64> {
    const STEPS: usize = 3;
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let mut found: HashMap<&str, i64> = HashMap::new();
    for (text, is_before) in [(after, false), (before, true)] {
        for word in text.split(|char| !is_part(char)).filter(|word| word.contains('.')) {
            let distance = text.len() - (word.as_ptr() as usize - text.as_ptr() as usize);
            let points = if is_before && distance < 120 { 140 } else { 60 };
            for (at, _) in word.match_indices('.').skip(1).take(STEPS).chain([(word.len(), "")]) {
                let known = found.entry(&word[..at]).or_default();
                *known = if is_before { points.max(*known) } else { points };
            }
        }
    }
    found
}

/// Points by the share of a text in all uses.
fn share(all: &BTreeMap<String, u32>, text: &str, most: i64) -> i64 {
    let uses = i64::from(all.get(text).copied().unwrap_or_default());
    match uses {
        0 => 0,
        _ => most * uses / i64::from(all.values().sum::<u32>().max(1)) + most.min(uses) / 10,
    }
}

/// The shape of a value, which conversions do not change, but for those between texts, numbers and bools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Any,
    Text,
    Number,
    Bool,
    List,
    Map,
}

fn shape(ty: &Type) -> Shape {
    match ty {
        Type::String => Shape::Text,
        Type::Number => Shape::Number,
        Type::Bool => Shape::Bool,
        _ if ty.attributes().is_some() => Shape::Map,
        Type::Map(_) => Shape::Map,
        _ if ty.element_type().is_some() || ty.tuple_elements().is_some() => Shape::List,
        _ => Shape::Any,
    }
}

/// The shape of the value of an expression, as far as its form says it.
fn shape_of(expression: ExpressionNode<'_>) -> Shape {
    match expression.kind() {
        ExpressionKind::Template(template) if template.unwrapped().is_none() => Shape::Text,
        ExpressionKind::Number(_) => Shape::Number,
        ExpressionKind::Bool(_) => Shape::Bool,
        ExpressionKind::Tuple(_) => Shape::List,
        ExpressionKind::Object(_) => Shape::Map,
        _ => Shape::Any,
    }
}

/// The likeness of a name to a text that is typed of it, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The name begins with the text.
    Start,
    /// The name begins with the text, but for capital letters.
    StartInOtherCase,
    /// A word of the name begins with the text.
    Word,
    /// The letters are in the name, in this order.
    Letters,
}

/// Returns how well a text fits a name. `None` if it does not.
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

/// Returns true if the letters of a text are in a name, in this order.
pub fn fits(typed: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|letter| letters.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        sorted.sort_by_key(|name| fit("p", name));
        assert_eq!(sorted, ["port", "Port", "http_port", "lookup", "upper_mount"]);
        assert_eq!((fit("vi", "vpc_id"), fit("dv", "vpc_id")), (Some(Fit::Letters), None));
    }
}
