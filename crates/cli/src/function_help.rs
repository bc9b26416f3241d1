//! Lists and describes functions.

use super::error::Error;
use hcl_lr::functions::{FunctionEntry, FunctionSet, host_entries};
use hcl_lr::syntax::similar_name;

/// Returns the signatures of all functions of a set, one a line.
pub fn list(set: FunctionSet) -> String {
    set.entries().iter().map(|entry| entry.signature() + "\n").collect()
}

/// Returns the documentation of a function.
///
/// # Errors
/// A message, if there is no such function.
pub fn explained(name: &str, set: FunctionSet) -> Result<String, Error> {
    let outside = || host_entries().iter().find(|entry| entry.name() == set.plain_name(name));
    if let Some(entry) = set.entry(name) {
        return Ok(explanation(entry));
    }
    if let Some(entry) = outside() {
        let note = "It needs something from outside, so only programs that provide that offer it.\n";
        return Ok(format!("{}\n{}\n{note}", entry.signature(), entry.summary()));
    }
    let shown: String = name.chars().take(60).flat_map(char::escape_debug).collect();
    let elsewhere = FunctionSet::ALL.into_iter().find(|other| other.entry(name).is_some());
    Err(match (elsewhere, similar_name(name, set.entries().iter().map(FunctionEntry::name))) {
        (Some(other), _) => format!("`{shown}` is not in the set {set}; `--functions {other}` has it").into(),
        (None, Some(other)) => format!("there is no function named `{shown}`; did you mean `{other}`?").into(),
        (None, None) => format!("there is no function named `{shown}`{}", others_with(name, set)).into(),
    })
}

/// Names the functions that have a text in their names.
fn others_with(part: &str, set: FunctionSet) -> String {
    let part = part.to_lowercase();
    // Shorter texts are in names by chance.
    let has_part = |entry: &&FunctionEntry| part.len() > 2 && entry.name().contains(&*part);
    let names: Vec<String> = set.entries().iter().filter(has_part).map(|entry| format!("`{}`", entry.name())).collect();
    match &names[..] {
        [] => "; `hcl functions` lists all functions".to_owned(),
        [only] => format!("; there is {only}"),
        _ => format!("; there are {}", names.join(", ")),
    }
}

fn explanation(entry: &FunctionEntry) -> String {
    let mut text = format!("{}\n{}\n", entry.signature(), entry.summary());
    for example in entry.examples() {
        let result = if example.fails() { format!("error: {}", example.result()) } else { example.result().to_owned() };
        text.push_str(&format!("\n> {}\n{result}\n", example.expression()));
    }
    text
}
