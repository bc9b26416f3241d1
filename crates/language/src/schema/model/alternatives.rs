//! Types that are alternatives of themselves.

use std::collections::{BTreeMap, HashMap};

use super::types::Type;
use hcl_lr::stack;

/// Returns the names of types that stand for themselves, directly or through others, such as `a = one_of(a, string)`.
/// They cannot judge any value.
pub fn types_of_themselves(types: &BTreeMap<String, Type>) -> Vec<String> {
    let numbers: HashMap<&str, usize> = types.keys().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let mut ahead: Vec<Vec<usize>> = Vec::new();
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    for (from, ty) in types.values().enumerate() {
        let mut names = Vec::new();
        alternatives(ty, &mut names);
        let to: Vec<usize> = names.into_iter().filter_map(|name| numbers.get(name).copied()).collect();
        to.iter().for_each(|to| back[*to].push(from));
        ahead.push(to);
    }
    let (lead_to_loops, come_from_loops) = (endless(&ahead, &back), endless(&back, &ahead));
    let both = types.keys().zip(lead_to_loops.into_iter().zip(come_from_loops));
    both.filter(|(_, (to, from))| *to && *from).map(|(name, _)| name.clone()).collect()
}

/// Collects the names that a type stands for, or that are alternatives of it.
fn alternatives<'t>(ty: &'t Type, found: &mut Vec<&'t str>) {
    match ty {
        Type::Named(name) => found.push(name),
        Type::OneOf(types) => types.iter().for_each(|ty| stack::with_room(|| alternatives(ty, found))),
        _ => {}
    }
}

/// Returns true for each number from which the steps ahead never end.
fn endless(ahead: &[Vec<usize>], back: &[Vec<usize>]) -> Vec<bool> {
    let mut remaining: Vec<usize> = ahead.iter().map(Vec::len).collect();
    let mut ends: Vec<usize> = (0..ahead.len()).filter(|at| remaining[*at] == 0).collect();
    while let Some(end) = ends.pop() {
        for from in &back[end] {
            remaining[*from] -= 1;
            if remaining[*from] == 0 {
                ends.push(*from);
            }
        }
    }
    remaining.into_iter().map(|remaining| remaining > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found() {
        let name = |name: &str| Type::Named(name.to_owned());
        let types = [
            ("a", name("a")),
            ("b", Type::OneOf(vec![Type::String, Type::OneOf(vec![name("c"), Type::Bool])])),
            ("c", Type::OneOf(vec![name("b"), name("d")])),
            ("d", Type::OneOf(vec![Type::String, Type::list(name("d"))])),
            ("e", Type::OneOf(vec![name("c"), name("missing")])),
            ("f", Type::OneOf(vec![name("d"), name("d")])),
        ];
        let types = types.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect();
        assert_eq!(types_of_themselves(&types), ["a", "b", "c"]);
    }
}
