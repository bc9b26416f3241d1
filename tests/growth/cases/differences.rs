//! Differences and merges: as many changes as the file has lines, of all kinds.

use hcl_lr::{File, parse};
use hcl_lr_edit::diff::{MergeOptions, compare, merge, patch};

use super::Case;

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// A file, what ours and what theirs make of it.
type Texts = fn(usize) -> [String; 3];

fn attributes(count: usize) -> [String; 3] {
    let text = |changed: usize| {
        joined(count, |at| format!("# of a{at}\na{at} = {}\n\n", if at % 3 == changed { at + count } else { at }))
    };
    [text(3), text(0), text(1)]
}

fn conflicts(count: usize) -> [String; 3] {
    [1, 2, 3].map(|value| joined(count, |at| format!("a{at} = {value}\n")))
}

fn elements(count: usize) -> [String; 3] {
    let list = |text: String| format!("a = [{text}]\n");
    [
        list(joined(count, |at| format!("{at}, "))),
        list(joined(count, |at| if at % 4 == 0 { String::new() } else { format!("{at}, ") })),
        list(joined(count, |at| if at % 4 == 2 { format!("{at}, x, ") } else { format!("{at}, ") })),
    ]
}

fn repeated(count: usize) -> [String; 3] {
    let text = |changed: usize| {
        let rule = |at: usize| if at % 3 == changed { format!("  from = {at}\n") } else { format!("  from = {at}0\n") };
        joined(count, |at| format!("rule {{\n{}  to = {at}\n  name = \"n{at}\"\n}}\n", rule(at)))
    };
    [text(3), text(0), text(1)]
}

fn renamed(count: usize) -> [String; 3] {
    let text = |label: &str, value: usize| {
        joined(count, |at| {
            format!("b \"{label}{at}\" {{\n  one = {at}\n  two = 1\n  three = {value}\n  four = {at}\n}}\n")
        })
    };
    [text("old", 1), text("new", 1), text("old", 2)]
}

fn all_removed(count: usize) -> [String; 3] {
    let text = |kept: &dyn Fn(usize) -> bool| {
        joined(count, |at| if kept(at) { format!("r {{\n  a = {at}\n}}\n") } else { String::new() })
    };
    [text(&|_| true), text(&|at| at == 0), text(&|at| at % 2 == 0)]
}

pub fn all() -> Vec<Case> {
    let texts: [(&str, Texts); 6] = [
        ("attributes", attributes),
        ("attributes in conflict", conflicts),
        ("elements in a line", elements),
        ("blocks of one name", repeated),
        ("renamed blocks", renamed),
        ("blocks that are removed", all_removed),
    ];
    let mut cases = Vec::new();
    for (name, texts) in texts {
        let parsed = |text: &str| parse::<File>(text).into_value();
        cases.push(Case::new(format!("comparing {name}"), 300, move |size| {
            let [_, ours, theirs] = texts(size);
            let (ours, theirs) = (parsed(&ours), parsed(&theirs));
            move || assert!(!compare(&ours, &theirs).is_empty())
        }));
        cases.push(Case::new(format!("patching {name}"), 300, move |size| {
            let [base, ours, _] = texts(size);
            let (base, ours) = (parsed(&base), parsed(&ours));
            move || drop(patch(&base, &ours).expect("it can be done"))
        }));
        cases.push(Case::new(format!("merging {name}"), 300, move |size| {
            let [base, ours, theirs] = texts(size);
            move || {
                let options = MergeOptions::new();
                let merged = merge(base.as_str(), ours.as_str(), theirs.as_str(), &options).expect("no errors");
                assert!(!merged.text().is_empty());
            }
        }));
    }
    cases
}
