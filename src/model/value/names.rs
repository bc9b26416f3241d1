//! Sorts many names.

use super::Value;
use crate::model::text::Text;
use crate::sorting::sort_by;
use crate::work;

/// The number of names in most objects; sorting them needs no preparation.
const MAX_COMPARED: usize = 32;

/// Ordered by name; the last of equal names stays.
pub(super) fn by_name(mut pairs: Vec<(Text, Value)>) -> Vec<(Text, Value)> {
    if pairs.len() <= MAX_COMPARED {
        sort_by(&mut pairs, |a, b| a.0.cmp(&b.0));
    } else {
        (pairs, _) = order_by_name(pairs);
    }
    // The last of equal names is the last of its run.
    pairs.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            std::mem::swap(later, kept);
        }
        same
    });
    pairs
}

/// Returns the pairs sorted by name, in stable order; and their previous positions, unless they were already sorted and
/// unique.
pub(crate) fn order_by_name(mut pairs: Vec<(Text, Value)>) -> (Vec<(Text, Value)>, Option<Vec<usize>>) {
    let Some(order) = order_of(pairs.len(), &|at| &pairs[at].0) else { return (pairs, None) };
    let mut taken: Vec<Option<(Text, Value)>> = pairs.drain(..).map(Some).collect();
    pairs.extend(order.iter().filter_map(|at| taken[*at].take()));
    (pairs, Some(order))
}

/// Returns the alphabetic order of names, which is stable; `None` if they are already sorted and unique.
pub(super) fn order_of<'n>(count: usize, name: &dyn Fn(usize) -> &'n str) -> Option<Vec<usize>> {
    work::step(count);
    if (1..count).all(|at| name(at - 1) < name(at)) {
        return None;
    }
    // Many names often have a common prefix and differ soon after it. So the eight bytes after the prefix are compared
    // in place, and whole names only if these are equal.
    let first = name(0).as_bytes();
    let common = (1..count).fold(first.len(), |common, at| common_prefix(&first[..common], name(at).as_bytes()));
    let keys = (0..count).map(|at| (leading_bytes(&name(at).as_bytes()[common..]), at)).collect();
    let keys = sorted(keys);
    let mut order: Vec<usize> = keys.iter().map(|(_, at)| *at).collect();
    let mut start = 0;
    for alike in keys.chunk_by(|a, b| a.0 == b.0) {
        let end = start + alike.len();
        if alike.len() > 1 {
            order[start..end].sort_unstable_by(|a, b| name(*a)[common..].cmp(&name(*b)[common..]).then(a.cmp(b)));
        }
        start = end;
    }
    Some(order)
}

/// Sorts by the keys, stably: byte by byte from the last one on, as far as they differ.
fn sorted(mut keys: Vec<(u64, usize)>) -> Vec<(u64, usize)> {
    let first = keys.first().map_or(0, |(key, _)| *key);
    let differing = keys.iter().fold(0, |differing, (key, _)| differing | key ^ first);
    let mut moved = vec![(0, 0); keys.len()];
    for shift in (0..u64::BITS).step_by(8).filter(|shift| differing >> shift & 0xff != 0) {
        let byte = |key: u64| usize::from((key >> shift) as u8);
        let mut places = [0; 256];
        for (key, _) in &keys {
            places[byte(*key)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for pair in &keys {
            let place = &mut places[byte(pair.0)];
            moved[*place] = *pair;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut moved);
    }
    keys
}

/// Returns the length of the common prefix of two texts in bytes.
fn common_prefix(start: &[u8], text: &[u8]) -> usize {
    if text.starts_with(start) {
        return start.len();
    }
    start.iter().zip(text).take_while(|(a, b)| a == b).count()
}

/// Returns the first eight bytes as a number with the same order, padded with zeros.
fn leading_bytes(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(eight) => u64::from_be_bytes(*eight),
        None => {
            let number = bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
            number.checked_shl(8 * (8 - bytes.len() as u32)).unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::order_of;

    /// Names with a common prefix, names that are prefixes of others, equal names, and names with zeros and characters
    /// of several bytes.
    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let mut names: Vec<String> = (0..500_u64).map(|n| format!("key_{}", n * 7_919 % 1_000)).collect();
        names.extend(
            ["key_", "key_\0", "key_\0\0", "key_é", "key_è", "key_12345678a", "key_12345678"].map(str::to_owned),
        );
        names.extend((0..40).map(|n| format!("key_abcdefgh{}", n % 13)));
        for names in [names.clone(), names[..2].to_vec(), vec![String::new(), "a".to_owned(), String::new()]] {
            let mut expected: Vec<usize> = (0..names.len()).collect();
            expected.sort_by_key(|at| &names[*at]);
            assert_eq!(order_of(names.len(), &|at| &names[at]), Some(expected).filter(|order| !order.is_sorted()));
        }
    }
}
