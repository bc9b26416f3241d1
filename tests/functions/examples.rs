//! Every example in the documentation of a function gives the documented result.

use std::collections::BTreeSet;
use std::sync::Arc;

use hcl_lr::Scope;
use hcl_lr::eval::Functions;
use hcl_lr::functions::{self, FunctionEntry, FunctionSet, Host};

/// Evaluates an expression with the functions of a set; returns the printed value, or the messages.
fn outcome(expression: &str, functions: &Functions) -> Result<String, String> {
    let file =
        hcl_lr::parse::<hcl_lr::File>(format!("a = {expression}\n")).into_result().map_err(|why| why.to_string())?;
    let scope = Scope::new().with_functions(functions.clone());
    let value = file.body().attribute("a").expect("it is there").expression().evaluate(&scope);
    match value {
        Ok(value) => Ok(value.to_string()),
        Err(problems) => Err(problems.errors().map(|error| error.detail().to_owned()).collect::<Vec<_>>().join("; ")),
    }
}

struct Nothing;

impl Host for Nothing {}

#[test]
fn examples_give_what_they_say() {
    let mut wrong = Vec::new();
    let mut run = 0;
    let mut check = |entry: &FunctionEntry, functions: &Functions, set: &str| {
        for example in entry.examples() {
            run += 1;
            let outcome = outcome(example.expression(), functions);
            let right = match &outcome {
                Ok(value) => !example.fails() && value == example.result(),
                Err(message) => example.fails() && message == example.result(),
            };
            if !right {
                wrong.push(format!(
                    "{set}: {}\n  gives {outcome:?}\n  not   {:?}",
                    example.expression(),
                    example.result()
                ));
            }
        }
    };
    for set in FunctionSet::ALL {
        set.entries().iter().for_each(|entry| check(entry, &set.functions(), set.name()));
    }
    let host = functions::with_host(Arc::new(Nothing));
    functions::host_entries().iter().for_each(|entry| check(entry, &host, "host"));
    assert!(wrong.is_empty(), "{} of {run} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run > 700, "only {run} examples");
}

#[test]
fn every_function_is_documented() {
    let all = FunctionSet::ALL.iter().flat_map(|set| set.entries()).chain(functions::host_entries());
    let mut seen = BTreeSet::new();
    for entry in all {
        let (name, summary) = (entry.name(), entry.summary());
        assert!(
            summary.ends_with('.') && summary.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_alphabetic()),
            "{name}: {summary}"
        );
        assert!(entry.signature().starts_with(&format!("{name}(")), "{name}");
        assert!(!entry.examples().is_empty() || name == "regex_replace", "{name} has no examples");
        seen.insert(name);
    }
    assert!(seen.len() > 150, "{} functions", seen.len());
}

/// Our copy of the engine's library has all of its functions, and no others.
#[test]
fn the_official_library_is_complete() {
    let names: Vec<&str> = FunctionSet::Standard.entries().iter().map(FunctionEntry::name).collect();
    let theirs = include_str!("../fixtures/functions/official.txt").split_whitespace().collect::<Vec<_>>();
    assert_eq!(names, theirs);
}
