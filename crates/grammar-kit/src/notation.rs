//! The notation in which the specification writes productions: read, simplified, and written.

use std::fmt::Write as _;

/// The right side of a production.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notation {
    /// Another production.
    Name(String),
    /// A text in quotes.
    Text(String),
    /// Parts in sequence; may be empty.
    Sequence(Vec<Notation>),
    /// Alternatives.
    Choice(Vec<Notation>),
    Optional(Box<Notation>),
    /// Any number of times.
    Repeat(Box<Notation>),
    /// Once or more.
    Some(Box<Notation>),
}
use Notation::{Choice, Name, Optional, Repeat, Sequence, Some as OnceOrMore, Text};

/// A production.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Production {
    pub name: String,
    pub is: Notation,
}

impl Notation {
    pub const EMPTY: Notation = Sequence(Vec::new());

    /// Reads the right side of a production.
    ///
    /// # Errors
    /// The error in the notation.
    pub fn read(text: &str) -> Result<Notation, String> {
        let words = words(text)?;
        let mut words = words.as_slice();
        let notation = choice(&mut words)?;
        match words.first() {
            None => Ok(notation.simplified()),
            Some(word) => Err(format!("unexpected `{word}`")),
        }
    }

    /// One after the other, without sequences in sequences.
    pub fn sequence(parts: Vec<Notation>) -> Notation {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Sequence(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Sequence(flat) }
    }

    /// Combines parts as alternatives, without duplicates and nested choices. An empty part makes the rest optional.
    pub fn choice(parts: Vec<Notation>) -> Notation {
        let mut flat: Vec<Notation> = Vec::new();
        let (mut optional, mut waiting): (bool, Vec<Notation>) = (false, parts.into_iter().rev().collect());
        while let Some(part) = waiting.pop() {
            match part {
                Choice(inner) => waiting.extend(inner.into_iter().rev()),
                Sequence(inner) if inner.is_empty() => optional = true,
                Optional(inner) => {
                    optional = true;
                    waiting.push(*inner);
                }
                part if flat.contains(&part) => {}
                part => flat.push(part),
            }
        }
        let one = match flat.len() {
            0 => return Notation::EMPTY,
            1 => flat.swap_remove(0),
            _ => Choice(flat),
        };
        match one {
            Repeat(inner) => Repeat(inner),
            OnceOrMore(inner) if optional => Repeat(inner),
            one if optional => Optional(Box::new(one)),
            one => one,
        }
    }

    /// Returns a simplified form. The notation of a rule nests as deep as the rule.
    pub fn simplified(self) -> Notation {
        match self {
            Name(_) | Text(_) => self,
            Sequence(parts) => once_or_more(parts.into_iter().map(Notation::simplified).collect()),
            Choice(parts) => Notation::choice(common(parts.into_iter().map(Notation::simplified).collect())),
            Optional(inner) => Notation::choice(vec![Notation::EMPTY, inner.simplified()]),
            Repeat(inner) => match inner.simplified() {
                Optional(inner) | Repeat(inner) | OnceOrMore(inner) => Repeat(inner),
                inner => Repeat(Box::new(inner)),
            },
            OnceOrMore(inner) => match inner.simplified() {
                Optional(inner) | Repeat(inner) => Repeat(inner),
                OnceOrMore(inner) => OnceOrMore(inner),
                inner => OnceOrMore(Box::new(inner)),
            },
        }
    }

    /// Replaces the names for which `change` returns a notation.
    pub fn replaced(&self, change: &dyn Fn(&str) -> Option<Notation>) -> Notation {
        let all = |parts: &[Notation]| parts.iter().map(|part| part.replaced(change)).collect();
        let inner = |part: &Notation| Box::new(part.replaced(change));
        match self {
            Name(name) => change(name).unwrap_or_else(|| self.clone()),
            Text(_) => self.clone(),
            Sequence(parts) => Notation::sequence(all(parts)),
            Choice(parts) => Notation::choice(all(parts)),
            Optional(part) => Optional(inner(part)),
            Repeat(part) => Repeat(inner(part)),
            OnceOrMore(part) => OnceOrMore(inner(part)),
        }
    }

    /// Returns the names in it, with duplicates.
    pub fn names(&self) -> Vec<&str> {
        let (mut names, mut waiting) = (Vec::new(), vec![self]);
        while let Some(part) = waiting.pop() {
            match part {
                Name(name) => names.push(name.as_str()),
                Text(_) => {}
                Sequence(parts) | Choice(parts) => waiting.extend(parts),
                Optional(part) | Repeat(part) | OnceOrMore(part) => waiting.push(part),
            }
        }
        names
    }

    /// Writes it as a part of another notation.
    fn write(&self, text: &mut String, within: Within) {
        match self {
            Name(name) => *text += name,
            Text(quoted) => {
                let quote = if quoted.contains('"') { '\'' } else { '"' };
                let _ = write!(text, "{quote}{quoted}{quote}");
            }
            Sequence(parts) if parts.is_empty() => *text += "()",
            Sequence(parts) => {
                text.push_str(if within == Within::Quantifier { "(" } else { "" });
                for (index, part) in parts.iter().enumerate() {
                    text.push_str(if index > 0 { " " } else { "" });
                    part.write(text, Within::Sequence);
                }
                text.push_str(if within == Within::Quantifier { ")" } else { "" });
            }
            Choice(parts) => {
                text.push_str(if within == Within::Nothing { "" } else { "(" });
                for (index, part) in parts.iter().enumerate() {
                    text.push_str(if index > 0 { " | " } else { "" });
                    part.write(text, Within::Choice);
                }
                text.push_str(if within == Within::Nothing { "" } else { ")" });
            }
            Optional(part) | Repeat(part) | OnceOrMore(part) => {
                part.write(text, Within::Quantifier);
                text.push(match self {
                    Optional(_) => '?',
                    Repeat(_) => '*',
                    _ => '+',
                });
            }
        }
    }
}

impl std::fmt::Display for Notation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        self.write(&mut text, Within::Nothing);
        f.write_str(&text)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Nothing,
    Choice,
    Sequence,
    Quantifier,
}

/// The longest line of a production.
const WIDTH: usize = 100;

impl std::fmt::Display for Production {
    /// In one line, or with a line for each alternative.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = format!("{} = {};", self.name, self.is);
        match &self.is {
            Choice(parts) if line.len() > WIDTH => {
                writeln!(f, "{} = (", self.name)?;
                for (index, part) in parts.iter().enumerate() {
                    writeln!(f, "    {part}{}", if index + 1 < parts.len() { " |" } else { "" })?;
                }
                f.write_str(");")
            }
            Sequence(parts) if line.len() > WIDTH => {
                let mut text = format!("{} =", self.name);
                let mut width = text.len();
                for part in parts {
                    let mut shown = String::new();
                    part.write(&mut shown, Within::Sequence);
                    if let (Choice(parts), true) = (part, shown.len() > WIDTH) {
                        let parts: Vec<String> = parts.iter().map(|part| format!("\n        {part}")).collect();
                        text += &format!(" ({}\n    )", parts.join(" |"));
                        width = 5;
                        continue;
                    }
                    if width + 1 + shown.len() > WIDTH {
                        text += "\n   ";
                        width = 3;
                    }
                    width += 1 + shown.len();
                    text.push(' ');
                    text += &shown;
                }
                write!(f, "{text};")
            }
            _ => f.write_str(&line),
        }
    }
}

/// `X X*` is `X+`.
fn once_or_more(parts: Vec<Notation>) -> Notation {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Sequence(inner) => all.extend(inner),
            part => all.push(part),
        }
    }
    let mut flat: Vec<Notation> = Vec::new();
    for part in all {
        match (&part, flat.last()) {
            (Repeat(inner), Some(last)) if **inner == *last => {
                let last = flat.pop().unwrap_or(Notation::EMPTY);
                flat.push(OnceOrMore(Box::new(last)));
            }
            _ => flat.push(part),
        }
    }
    Notation::sequence(flat)
}

/// Factors adjacent alternatives: `A | A B` becomes `A B?`, and `A B D | A C D` becomes `A (B | C) D`. Two that share
/// only their first part stay separate.
fn common(parts: Vec<Notation>) -> Vec<Notation> {
    let list = |part: &Notation| match part {
        Sequence(parts) => parts.clone(),
        part => vec![part.clone()],
    };
    let mut result: Vec<Notation> = Vec::new();
    for part in parts {
        let Some(last) = result.last() else {
            result.push(part);
            continue;
        };
        let (one, two) = (list(last), list(&part));
        let start = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
        let rest = one.len().min(two.len()) - start;
        let end = one.iter().rev().zip(two.iter().rev()).take(rest).take_while(|(one, two)| one == two).count();
        if start == 0 || (end == 0 && start < one.len().min(two.len()).min(2)) {
            result.push(part);
            continue;
        }
        let middle = |parts: &[Notation]| Notation::sequence(parts[start..parts.len() - end].to_vec());
        let middle = Notation::choice(vec![middle(&one), middle(&two)]);
        let mut whole = one[..start].to_vec();
        whole.push(middle);
        whole.extend_from_slice(&one[one.len() - end..]);
        result.pop();
        result.push(Notation::sequence(whole));
    }
    result
}

fn words(text: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => rest[1..].find(first).ok_or("a quote is not closed")? + 2,
            '(' | ')' | '|' | '?' | '*' | '+' => 1,
            c if c.is_alphanumeric() => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '<' && c != '>').unwrap_or(rest.len())
            }
            other => return Err(format!("unexpected `{other}`")),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

fn choice(words: &mut &[&str]) -> Result<Notation, String> {
    let mut parts = vec![sequence(words)?];
    while let ["|", rest @ ..] = words {
        *words = rest;
        parts.push(sequence(words)?);
    }
    Ok(Notation::choice(parts))
}

fn sequence(words: &mut &[&str]) -> Result<Notation, String> {
    let mut parts = Vec::new();
    while let [word, rest @ ..] = words {
        let mut part = match *word {
            "|" | ")" => break,
            "(" => {
                *words = rest;
                let part = choice(words)?;
                if words.first() != Some(&")") {
                    return Err("a parenthesis is not closed".to_owned());
                }
                part
            }
            "?" | "*" | "+" => return Err(format!("nothing stands before `{word}`")),
            quoted if quoted.starts_with(['"', '\'']) => Text(quoted[1..quoted.len() - 1].to_owned()),
            name => Name(name.to_owned()),
        };
        *words = &words[1..];
        while let [sign @ ("?" | "*" | "+"), rest @ ..] = words {
            let inner = Box::new(part);
            part = match *sign {
                "?" => Optional(inner),
                "*" => Repeat(inner),
                _ => OnceOrMore(inner),
            };
            *words = rest;
        }
        parts.push(part);
    }
    Ok(Notation::sequence(parts))
}

/// The productions in a text, such as a comment: each begins a line with its name and `=`, and ends with `;`. What is
/// not one is passed over.
pub fn productions(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((name, mut rest)) = begun(line) else { continue };
        let mut is = String::new();
        loop {
            if let Some(end) = end_of(rest) {
                is += &rest[..end];
                break;
            }
            is += rest;
            is.push('\n');
            // A production without an end continues to the next one.
            match lines.next_if(|line| begun(line).is_none()) {
                Some(line) => rest = line,
                None => break,
            }
        }
        found.push((name.to_owned(), is.trim().to_owned()));
    }
    found
}

/// Returns the name of the production that starts on a line, and the text after `=`.
fn begun(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once('=')?;
    let name = name.trim_end();
    (!name.is_empty() && name.chars().all(char::is_alphanumeric)).then_some((name, rest))
}

/// Returns the position of the `;` that ends a production, outside of quotes.
fn end_of(line: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            None if c == ';' => return Some(at),
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written() {
        for (text, written) in [
            ("A", "A"),
            ("( A | ) B", "A? B"),
            ("'\"' (A|B)* '\"'", "'\"' (A | B)* '\"'"),
            ("((A (\",\" A)* \",\"?)?)", "(A (\",\" A)* \",\"?)?"),
            ("A A* | B", "A+ | B"),
            ("() | A | (B | C)", "(A | B | C)?"),
            ("\"[\" A \"]\" | \"[\" A B \"]\"", "\"[\" A B? \"]\""),
            ("A B D | A C D", "A (B | C) D"),
            ("A | A B | C", "A B? | C"),
            ("A B | A C", "A B | A C"),
            ("((A)?)*", "A*"),
            ("()", "()"),
        ] {
            assert_eq!(Notation::read(text).expect(text).to_string(), written, "{text}");
        }
        for (text, wrong) in [
            ("(A", "a parenthesis is not closed"),
            ("A)", "unexpected `)`"),
            ("* A", "nothing stands before `*`"),
            ("\"A", "a quote is not closed"),
            ("A; B", "unexpected `;`"),
        ] {
            assert_eq!(Notation::read(text).expect_err(text), wrong, "{text}");
        }
    }

    #[test]
    fn productions_are_found_in_prose() {
        let text = "All of them.\nA = \";\" B; and more\nC = (\n    D\n);\nnot one = E;\n";
        let found = productions(text);
        assert_eq!(found, [("A".to_owned(), "\";\" B".to_owned()), ("C".to_owned(), "(\n    D\n)".to_owned())]);
    }
}
