//! Two texts beside each other, with a sign between the lines that differ.

/// The width of each side.
const WIDTH: usize = 46;
/// The number of lines above which each line is only compared with the one of the same number.
const MAX_LINES: usize = 400;

pub(super) fn side_by_side(left: &str, right: &str) -> String {
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut out = String::new();
    for (left, right) in paired(&left, &right) {
        let sign = if left == right { ' ' } else { '|' };
        let (mut left, mut right) = (cut(left.unwrap_or_default()), cut(right.unwrap_or_default()));
        while !left.is_empty() || !right.is_empty() {
            let (l, r) = (next(&mut left), next(&mut right));
            let line = format!("  {l:WIDTH$} {sign} {r}");
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

fn next(parts: &mut Vec<String>) -> String {
    if parts.is_empty() { String::new() } else { parts.remove(0) }
}

/// A line in pieces that fit.
fn cut(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    characters.chunks(WIDTH).map(|piece| piece.iter().collect()).collect()
}

type Pair<'t> = (Option<&'t str>, Option<&'t str>);

/// Lines that are the same beside each other, as many as possible.
fn paired<'t>(left: &[&'t str], right: &[&'t str]) -> Vec<Pair<'t>> {
    if left.len() > MAX_LINES || right.len() > MAX_LINES {
        let count = left.len().max(right.len());
        return (0..count).map(|at| (left.get(at).copied(), right.get(at).copied())).collect();
    }
    // The length of the longest common subsequence after each pair of places.
    let mut common = vec![vec![0_usize; right.len() + 1]; left.len() + 1];
    for l in (0..left.len()).rev() {
        for r in (0..right.len()).rev() {
            common[l][r] = match left[l] == right[r] {
                true => common[l + 1][r + 1] + 1,
                false => common[l + 1][r].max(common[l][r + 1]),
            };
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut pairs: Vec<Pair<'t>> = Vec::new();
    let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
    while l < left.len() || r < right.len() {
        let both = l < left.len() && r < right.len();
        if both && left[l] == right[r] {
            flush(&mut pairs, &mut only_left, &mut only_right);
            pairs.push((Some(left[l]), Some(right[r])));
            (l, r) = (l + 1, r + 1);
        } else if r == right.len() || both && common[l + 1][r] >= common[l][r + 1] {
            only_left.push(left[l]);
            l += 1;
        } else {
            only_right.push(right[r]);
            r += 1;
        }
    }
    flush(&mut pairs, &mut only_left, &mut only_right);
    pairs
}

/// Adds differing lines side by side, as far as they pair up.
fn flush<'t>(pairs: &mut Vec<Pair<'t>>, left: &mut Vec<&'t str>, right: &mut Vec<&'t str>) {
    let count = left.len().max(right.len());
    pairs.extend((0..count).map(|at| (left.get(at).copied(), right.get(at).copied())));
    left.clear();
    right.clear();
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn what_is_the_same_stands_beside_each_other() {
        let pad = |text: &str, sign: char, right: &str| format!("  {text:46} {sign} {right}\n");
        let text = side_by_side("a\nb\nc", "a\nx\ny\nc");
        let wanted = [pad("a", ' ', "a"), pad("b", '|', "x"), pad("", '|', "y"), pad("c", ' ', "c")].concat();
        assert_eq!(text, wanted);
        assert_eq!(side_by_side("a", ""), format!("  {:46} |\n", "a"));
        assert!(side_by_side(&"a".repeat(50), "b").lines().count() == 2);
    }
}
