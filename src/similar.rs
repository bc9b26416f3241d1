//! The name that was meant by a misspelt one.

/// Returns the candidate that a misspelt name was probably meant to be. Candidates that differ only in case, `_` and
/// `-` are the nearest. More than 2,000 candidates are not searched: that would take long, and the result would be a
/// guess.
///
/// ```
/// assert_eq!(hcl_lr::syntax::similar_name("endfi", ["endif", "endfor"]), Some("endif"));
/// assert_eq!(hcl_lr::syntax::similar_name("instanceType", ["instances", "instance_type"]), Some("instance_type"));
/// assert_eq!(hcl_lr::syntax::similar_name("x", ["endif", "endfor"]), None);
/// ```
pub fn similar_name<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    most_similar(name, &mut candidates.into_iter())
}

/// The number of names above which none is suggested. The work for a name is bounded, regardless of its length and the
/// number of candidates.
pub(crate) const MAX_CANDIDATES: usize = 2_000;

fn most_similar<'c>(name: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    // Any two letters are equally similar.
    let single = |name: &str| name.chars().nth(1).is_none();
    if name.len() > MAX_LENGTH {
        return None;
    }
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'c str)> = None;
    for (index, candidate) in candidates.enumerate() {
        if index >= MAX_CANDIDATES {
            return None;
        }
        if candidate.len() > MAX_LENGTH {
            continue;
        }
        let distance = if candidate == name {
            Some(0)
        } else if plain_letters(candidate).eq(plain_letters(name)) {
            Some(1)
        // A character has at most four bytes, which bounds the difference in characters from below.
        } else if single(name) || single(candidate) || candidate.len().abs_diff(name.len()) > 4 * limit {
            None
        } else {
            edit_distance(name, candidate, limit).map(|distance| distance + 1)
        };
        if let Some(distance) = distance
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The letters of a name that count most.
fn plain_letters(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase)
}

/// Returns the number of characters to add, remove, replace or swap with their neighbour; counting stops above `limit`.
/// Does not allocate, because a loop may fail and suggest very often.
fn edit_distance(from: &str, to: &str, limit: usize) -> Option<usize> {
    let (from, from_length) = letters(from);
    let (to, to_length) = letters(to);
    if from_length.abs_diff(to_length) > limit {
        return None;
    }
    // The last two rows and the next one. No distance exceeds the length.
    let mut rows = [[0_u8; MAX_LENGTH + 1]; 3];
    for (column, distance) in rows[1].iter_mut().enumerate().take(to_length + 1) {
        *distance = column as u8;
    }
    for row in 0..from_length {
        let [before, last, next] = &mut rows;
        next[0] = row as u8 + 1;
        let mut least = next[0];
        for column in 0..to_length {
            let replaced = last[column] + u8::from(from[row] != to[column]);
            let mut best = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && from[row] == to[column - 1] && from[row - 1] == to[column] {
                best = best.min(before[column - 1] + 1);
            }
            next[column + 1] = best;
            least = least.min(best);
        }
        // A swap depends on the row before the last one, so the next distance may be smaller by one.
        if usize::from(least) > limit + 1 {
            return None;
        }
        rows.rotate_left(1);
    }
    let distance = usize::from(rows[1][to_length]);
    (distance <= limit).then_some(distance)
}

/// Returns the characters of a text with at most [`MAX_LENGTH`] bytes, and their number.
fn letters(text: &str) -> ([char; MAX_LENGTH], usize) {
    let mut letters = ['\0'; MAX_LENGTH];
    let mut length = 0;
    for (place, letter) in letters.iter_mut().zip(text.chars()) {
        *place = letter;
        length += 1;
    }
    (letters, length)
}

/// Longer names are not compared.
const MAX_LENGTH: usize = 64;
