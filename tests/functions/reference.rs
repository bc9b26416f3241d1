//! The reference in `docs/functions.md` equals the documentation of the functions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::support::golden::{Golden, root};
use hcl_lr::functions::{FunctionEntry, FunctionSet, host_entries};

/// The sets that a name is in, by what it means there.
fn meanings(name: &str) -> Vec<(&'static FunctionEntry, Vec<FunctionSet>)> {
    let mut meanings: Vec<(&'static FunctionEntry, Vec<FunctionSet>)> = Vec::new();
    for set in FunctionSet::ALL {
        let Some(entry) = set.entry(name) else { continue };
        match meanings
            .iter_mut()
            .find(|(known, _)| known.summary() == entry.summary() && known.signature() == entry.signature())
        {
            Some((_, sets)) => sets.push(set),
            None => meanings.push((entry, vec![set])),
        }
    }
    meanings
}

fn names(sets: &[FunctionSet]) -> String {
    sets.iter().map(|set| set.name()).collect::<Vec<_>>().join(", ")
}

fn section(text: &mut String, entry: &FunctionEntry, sets: &str) {
    let _ = write!(text, "\n`{}` ({sets})\n\n{}\n", entry.signature(), entry.summary());
    if entry.examples().is_empty() {
        return;
    }
    text.push_str("\n```text\n");
    for example in entry.examples() {
        let error = if example.fails() { "error: " } else { "" };
        let _ = write!(text, "> {}\n{error}{}\n", example.expression(), example.result());
    }
    text.push_str("```\n");
}

fn reference() -> String {
    let mut text = String::from(
        "# Functions\n\n\
         All functions of the library, as `hcl functions NAME` prints them. This page is generated from the functions\n\
         in `src/functions/library`, and its examples run as tests. After a change, run\n\
         `UPDATE_GOLDEN=1 cargo test --test functions`.\n\n\
         | set | functions |\n| --- | --- |\n",
    );
    for set in FunctionSet::ALL {
        let _ = writeln!(text, "| `{}` | {} |", set.name(), set.entries().len());
    }
    text.push_str(
        "\nThe programs select a set with `--functions SET`, Rust programs with `functions::FunctionSet`. Functions that\n\
         touch the file system, clock or random numbers are not in any set; a program offers them with\n\
         `functions::with_host`.\n\n\
         The functions of the set `terraform` have a second name in the namespace `core`, as in OpenTofu since 1.7 and\n\
         Terraform since 1.8: `core::upper` is `upper`.\n\n\
         ## Functions that differ between sets\n\n| name | set | meaning |\n| --- | --- | --- |\n",
    );
    let all: BTreeMap<&str, Vec<(&FunctionEntry, Vec<FunctionSet>)>> = FunctionSet::ALL
        .iter()
        .flat_map(|set| set.entries())
        .map(|entry| (entry.name(), meanings(entry.name())))
        .collect();
    for (name, meanings) in all.iter().filter(|(_, meanings)| meanings.len() > 1) {
        for (entry, sets) in meanings {
            let _ = writeln!(text, "| `{name}` | {} | {} |", names(sets), entry.summary());
        }
    }
    text.push_str(
        "\nIn the set `terraform`, the functions on address blocks also accept numbers with leading zeros, and host\n\
         numbers beyond 63 bits.\n\n## All functions\n",
    );
    for (name, meanings) in &all {
        let _ = write!(text, "\n### {name}\n");
        meanings.iter().for_each(|(entry, sets)| section(&mut text, entry, &names(sets)));
    }
    text.push_str("\n## Functions with side effects\n");
    for entry in host_entries() {
        let _ = write!(text, "\n### {}\n", entry.name());
        section(&mut text, entry, "with a host");
    }
    text
}

#[test]
fn the_reference_is_fresh() {
    let mut golden = Golden::new();
    golden.check(&root().join("docs/functions.md"), &reference());
    golden.finish();
}
