//! The cases of hcl-lang, the library below Terraform's language server, answered by this project.
//!
//! hcl-lang's tests have schemas, texts and places, with the right answers. Go downloads them, and they are nowhere here: a
//! program in Go writes them as JSON, `schema.rs` makes an HCL Schema of each schema, and the analysis answers. `misses.md`
//! has a reason for each answer that is different. A new difference fails, and so does one that is no more.
//!
//! `HCL_LANG_SHOWN=completion` prints the differences of a kind that have no reason yet.

mod ask;
mod cases;
mod schema;

use std::collections::{BTreeMap, BTreeSet};

/// The reasons for the differences. Below each `##` heading are the cases: `- TEST NUMBER, NUMBER ADDRESS; …`.
const MISSES: &str = include_str!("misses.md");

/// The kinds of questions with the least share of answers as hcl-lang gives them, in per cent.
const LEVELS: [(&str, usize); 6] =
    [("completion", 95), ("hover", 90), ("target", 90), ("origin", 100), ("token", 100), ("validation", 100)];

/// Returns the names of the differences that have a reason: a test, the number of the case, and what is asked about.
fn known_misses() -> BTreeSet<String> {
    let lines = MISSES.lines().filter_map(|line| line.strip_prefix("- "));
    let names = lines.filter_map(|line| line.split_once(": "));
    names.flat_map(|(test, cases)| cases.split(", ").map(move |case| format!("{test}: {case}"))).collect()
}

#[test]
#[ignore = "needs go"]
fn needs_go_cases_of_hcl_lang_have_the_same_answers() {
    let known = known_misses();
    let shown = std::env::var("HCL_LANG_SHOWN").unwrap_or_default();
    let (mut right, mut all): (BTreeMap<&str, usize>, BTreeMap<&str, usize>) = Default::default();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let (mut problems, mut misses) = (Vec::new(), BTreeSet::new());
    for case in cases::all() {
        let answers = match ask::ask(&case) {
            Ok(answers) => answers,
            Err(reason) => {
                *others.entry(reason).or_default() += 1;
                continue;
            }
        };
        for answer in answers {
            *all.entry(answer.kind).or_default() += 1;
            let about = if answer.about.is_empty() { String::new() } else { format!(" {}", answer.about) };
            let name = format!("{}: {}{about}", case.test, case.number);
            match answer.wrong {
                None => *right.entry(answer.kind).or_default() += 1,
                Some(wrong) => {
                    if !known.contains(&name) {
                        if shown == answer.kind || shown == "all" {
                            println!("{name}: {wrong}");
                        }
                        problems.push(format!("{name}: {wrong}"));
                    }
                    misses.insert(name);
                }
            }
        }
    }
    println!("not compared:");
    others.iter().for_each(|(reason, count)| println!("  {count}: {reason}"));
    for (kind, least) in LEVELS {
        let (right, all) = (right.get(kind).copied().unwrap_or_default(), all.get(kind).copied().unwrap_or_default());
        println!("{kind}: {right} of {all}");
        if right * 100 < all * least || all == 0 {
            problems.push(format!("{kind}: {right} of {all} are less than {least} per cent"));
        }
    }
    problems
        .extend(known.difference(&misses).map(|name| format!("{name}: the answer is right: remove it from misses.md")));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
