//! Small changes to sources: what people get wrong when they type.

use crate::random::Random;

/// The texts that are inserted into a source. Each of them means something somewhere.
const INSERTED: [&str; 48] = [
    "(", ")", "[", "]", "{", "}", ",", ".", "\"", "$", "%", "*", "!", "=", "?", ":", " ", "\n", "\t", "${", "%{", "~",
    "...", "=>", "==", "&&", "for ", "in ", "if ", "else", "endif", "endfor", "<<A\n", "A\n", "\\", "'", "#", "/*",
    "*/", "//", "-", "1", "a", "é", "::", "[*]", ".*", "\r",
];

/// The source with one to three changes.
pub fn mutated(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(8) / 6 + random.below(12) / 11 {
        text = if random.chance(50) {
            changed(text.chars().map(String::from).collect(), random)
        } else {
            changed(tokens(&text), random)
        };
    }
    text
}

/// Now and then the text with a character too many or too few, or without its end.
pub fn slip(random: &mut Random, text: String, percent: usize, inserted: &[&str]) -> String {
    if !random.chance(percent) {
        return text;
    }
    let chars: Vec<char> = text.chars().collect();
    let (before, after) = chars.split_at(random.below(chars.len().max(1)));
    let (before, after): (String, String) = (before.iter().collect(), after.iter().collect());
    match random.below(3) {
        0 => before + &after.chars().skip(1).collect::<String>(),
        1 => before + random.pick(inserted) + &after,
        _ => before,
    }
}

fn changed(mut pieces: Vec<String>, random: &mut Random) -> String {
    let at = random.below(pieces.len().max(1));
    let other = random.below(pieces.len().max(1));
    match random.below(12) {
        0..4 if at < pieces.len() => drop(pieces.remove(at)),
        4..8 => pieces.insert(at, random.pick(&INSERTED).to_owned()),
        8 if at + 1 < pieces.len() => pieces.swap(at, at + 1),
        9 if other < pieces.len() => pieces.swap(at, other),
        10 if at < pieces.len() => pieces.insert(at, pieces[other].clone()),
        _ => pieces.truncate(at),
    }
    pieces.concat()
}

/// Words, runs of white space, and whatever else stands alone. What they are called does not
/// matter here: it is enough that they are about as long as tokens.
fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        '=' | '&' | '|' | '<' | '>' | '.' | '%' | '$' => 2,
        _ => 3,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 3;
    for c in text.chars() {
        match tokens.last_mut() {
            Some(token) if kind(c) == last && last != 3 => token.push(c),
            _ => tokens.push(c.to_string()),
        }
        last = kind(c);
    }
    tokens
}
