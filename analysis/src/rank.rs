//! The order of what is offered: first what was probably meant.

use std::collections::HashMap;

use crate::knowledge::LearnedAttribute;

/// The circumstances in which a value is written.
#[derive(Default)]
pub struct Context<'c> {
    /// The name of the attribute or key that the value is for.
    pub name: Option<&'c str>,
    /// The words of the header of the block.
    pub header: Vec<&'c str>,
    /// The values that attributes of this name have in bodies of the same kind.
    pub same_kind: LearnedAttribute,
    /// The values that attributes of this name have in any body.
    pub same_name: LearnedAttribute,
    /// The number of references to each address.
    pub uses: HashMap<String, usize>,
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
    /// Returns the points of a name at an address: more is better.
    pub fn points(&self, name: &str, address: &str) -> i64 {
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
        let share = |learned: &LearnedAttribute, most: i64| match learned.references.values().sum::<u32>() {
            0 => 0,
            all => most * i64::from(below(&learned.references)) / i64::from(all),
        };
        points += share(&self.same_kind, 240) + share(&self.same_name, 160);
        points += match self.uses.get(address) {
            None | Some(0) => 60,
            Some(_) => 0,
        };
        points
    }
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
}
