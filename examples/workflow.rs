//! Runs tasks whose steps use the results of other tasks. Results are unknown until a task has run: everything else is
//! checked first, then each task runs in order.
//!
//! ```sh
//! cargo run --example workflow                          # reads examples/workflow.hcl
//! cargo run --example workflow -- my.hcl
//! ```

use std::process::ExitCode;

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Scope, Source, parse};
use hcl_lr_language::definitions::{Definition, Definitions, Evaluated, Inputs, References};
use hcl_lr_language::schema::Schema;

/// The schema of the language, which users could extend.
const SCHEMA: &str = include_str!("workflow.schema.hcl");

/// The tasks in dependency order. Cycles have been reported already.
fn in_order<'r>(references: &'r References, definitions: &'r Definitions) -> Vec<Definition<'r>> {
    let mut order: Vec<Definition<'r>> = Vec::new();
    let mut waiting: Vec<(Definition<'r>, bool)> = definitions.iter().map(|one| (one, false)).collect();
    waiting.reverse();
    while let Some((definition, ready)) = waiting.pop() {
        if order.contains(&definition) {
            continue;
        }
        if ready {
            order.push(definition);
            continue;
        }
        waiting.push((definition, true));
        let needed = references.within(&definition).map(|reference| reference.definition());
        waiting.extend(needed.filter(|needed| *needed != definition).map(|needed| (needed, false)));
    }
    order.retain(|definition| definition.block_type() == Some("task"));
    order
}

/// Runs a task: only prints the steps. The result is the name of a file.
fn run(evaluated: &Evaluated, task: &Definition<'_>) -> Result<Value, String> {
    let value = evaluated.value(task);
    let commands: Vec<String> = value
        .attribute("step")
        .and_then(Value::elements)
        .unwrap_or_default()
        .iter()
        .map(|step| match step.attribute("run").map(|run| (run.as_str(), run)) {
            Some((Some(text), _)) => Ok(text.to_owned()),
            Some((None, run)) => Err(format!("{}: what is to be run is {run}", task.address())),
            None => Err(format!("{}: a step has no `run`", task.address())),
        })
        .collect::<Result<_, _>>()?;
    println!("{}", task.name());
    commands.iter().for_each(|command| println!("  $ {command}"));
    Ok(Value::object([("file", Value::from(format!("out/{}.log", task.name())))]))
}

fn work(path: &str, problems: &mut Diagnostics) -> Option<Result<(), String>> {
    let schema = parse::<Schema>(("workflow.schema.hcl", SCHEMA)).report_to(problems)?;
    let source = Source::read(path).report_to(problems)?;
    let file = parse::<ConfigFile>(source).report_to(problems)?;
    let definitions = Definitions::of(&schema.roles(), [file]).report_to(problems)?;
    // `given` is unknown here, so this finds all errors that do not depend on it.
    let first = definitions.evaluate(&Scope::new());
    problems.extend(first.diagnostics().clone());
    if problems.has_errors() {
        return None;
    }
    let references = References::new(&definitions);
    for definition in definitions.iter().filter(|one| one.is_input() && !references.is_used(one)) {
        println!("nothing uses {} ({})", definition.address(), definition.name_place());
    }
    let mut given: Vec<(String, Value)> = Vec::new();
    for task in in_order(&references, &definitions) {
        // A result that no task has set yet is unknown.
        let mut all = given.clone();
        let missing = definitions.iter().filter(|one| given.iter().all(|(name, _)| name != one.name()));
        all.extend(missing.map(|one| (one.name().to_owned(), Value::unknown(Type::Dynamic))));
        let evaluated = definitions.evaluate_with(&Inputs::new(), &Scope::new().with("given", Value::object(all)));
        if evaluated.diagnostics().has_errors() {
            problems.extend(evaluated.diagnostics().clone());
            return None;
        }
        match run(&evaluated, &task) {
            Ok(value) => given.push((task.name().to_owned(), value)),
            Err(why) => return Some(Err(why)),
        }
    }
    Some(Ok(()))
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/workflow.hcl".to_owned());
    let mut problems = Diagnostics::new();
    let outcome = work(&path, &mut problems);
    eprint!("{}", problems.render());
    match outcome {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(why)) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
        None => ExitCode::FAILURE,
    }
}
