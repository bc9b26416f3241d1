//! Stable sorting for short or rare lists, with one copy of the algorithm for all types: each copy that the standard
//! library instantiates takes as long to compile as a module of this crate.

use std::cmp::Ordering;

/// The length of lists that are sorted by insertion, which needs no memory.
const MAX_INSERTED: usize = 20;

/// Sorts as [`slice::sort_by`] does.
pub fn sort_by<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if list.len() <= MAX_INSERTED {
        for end in 1..list.len() {
            let mut at = end;
            while at > 0 && compare(&list[at - 1], &list[at]).is_gt() {
                list.swap(at - 1, at);
                at -= 1;
            }
        }
        return;
    }
    let order = sorted(list.len(), &mut |a, b| compare(&list[a], &list[b]));
    each_swap(order, &mut |a, b| list.swap(a, b));
}

/// Sorts as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Returns the indexes below a length, sorted by a comparison.
fn sorted(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    if length > 1 {
        order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    }
    order
}

/// Calls `swap` with the swaps that move the item at `order[n]` to `n`, for all `n`.
fn each_swap(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_does() {
        for length in [0, 1, 2, 3, 10, 20, 21, 100, 1_000] {
            for factor in [1, 7, 7_919] {
                let list: Vec<(usize, usize)> = (0..length).map(|n| (n * factor % 37, n)).collect();
                let (mut one, mut other) = (list.clone(), list);
                sort_by_key(&mut one, |(key, _)| *key);
                other.sort_by_key(|(key, _)| *key);
                assert_eq!(one, other);
            }
        }
    }
}
