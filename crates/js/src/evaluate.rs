//! Values of files and expressions.

use std::collections::HashMap;
use std::time::Duration;

use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::{Function, FunctionError, Functions, Parameter, Scope};
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Limits;
use hcl_lr::model::{Type, Value, json as model_json};
use hcl_lr::{ConfigFile, Expression, Source};
use hcl_lr_edit::query::{evaluate_body, evaluate_json};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, Roles};
use hcl_lr_project::Project;
use js_sys::{Date, Function as Host};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{self, Answer, Failure};
use crate::files::Workspace;
use crate::json;
use crate::options::Options;
use crate::values::Writer;

const OPTIONS: [&str; 10] =
    ["schema", "dialect", "variables", "functions", "functionSet", "expression", "file", "numbers", "limits", "errors"];

thread_local! {
    /// The function of JavaScript that calls the functions of the running evaluation.
    static HOST: std::cell::RefCell<Option<Host>> = const { std::cell::RefCell::new(None) };
}

/// Returns the values of files, or of an expression that can refer to them, as JSON: an object with `value`, `unknown`,
/// `sensitive` and `diagnostics`.
///
/// `host` calls a function of JavaScript: its arguments are a name and the arguments as JSON, its result is JSON, and
/// begins with `!` if it is a message of an error.
#[wasm_bindgen]
pub fn evaluate(files: &str, options: &str, host: Host) -> Answer {
    // A function may evaluate something itself, with functions of its own.
    let outer = HOST.replace(Some(host));
    let answer = evaluated(files, options);
    HOST.set(outer);
    answer
}

fn evaluated(files: &str, options: &str) -> Answer {
    let options = Options::read(options, &OPTIONS)?;
    let workspace = Workspace::read(files, &options)?;
    let variables = variables(&options)?;
    let own = own_functions(&options)?;
    let limits = limits(&options)?;
    let inputs: Inputs = variables.clone().into_iter().collect();
    let expression = match options.text("expression")? {
        Some(text) => Some(options.parsing()?.parse::<Expression>(Source::new("the expression", text)).into_result()?),
        None => None,
    };
    let mut projects = workspace.projects(&inputs, true);
    if let Some(file) = options.text("file")? {
        projects.retain(|(_, paths)| paths.contains(&file));
    }
    let set: Option<FunctionSet> = options.text("functionSet")?.map(str::parse).transpose()?;
    let (value, found) = match (projects.len(), &expression) {
        (0, Some(expression)) => {
            let functions = set.unwrap_or(FunctionSet::Extended).functions().with_all(&own);
            let scope = Scope::new().with_functions(functions).with_limits(limits).with_variables(&variables);
            match expression.evaluate(&scope) {
                Ok(value) => (value, Diagnostics::new()),
                Err(found) => (Value::unknown(Type::Dynamic), found),
            }
        }
        (0, None) => return Err("there are no files, and no expression".into()),
        (1, _) => {
            let (project, _) = &projects[0];
            of_project(project, expression.as_ref(), &Given { inputs, variables: &variables, own, set, limits })
        }
        (count, _) => {
            return Err(format!("the files are {count} projects; the option `file` names one of them").into());
        }
    };
    if found.has_errors() && !options.flag("errors")? {
        return Err(found.into());
    }
    let mut writer = Writer::new(&options)?;
    let mut out = "{".to_owned();
    json::name("value", &mut out);
    writer.value(&value, &mut out);
    writer.left_out.write(&mut out);
    json::name("diagnostics", &mut out);
    failure::diagnostics(&found, &mut out);
    out.push('}');
    Ok(out)
}

/// The inputs, functions and limits of an evaluation.
struct Given<'g> {
    inputs: Inputs,
    variables: &'g HashMap<String, Value>,
    own: Functions,
    set: Option<FunctionSet>,
    limits: Limits,
}

/// Returns the value of a project, or of an expression that refers to it.
fn of_project(project: &Project, expression: Option<&Expression>, given: &Given<'_>) -> (Value, Diagnostics) {
    let mut inputs = given.inputs.clone();
    project.hide_sensitive(&mut inputs);
    let has_definitions = project.language().has_definitions();
    let functions = given.set.unwrap_or_else(|| project.language().functions()).functions();
    let scope = Scope::new().with_limits(given.limits.clone()).with_functions(functions.with_all(&given.own));
    // Without inputs, the values are variables.
    let has_inputs = has_definitions && !project.language().is_plain();
    let scope = if has_inputs { scope } else { scope.with_variables(given.variables) };
    let evaluated = match has_definitions {
        true => project.definitions().evaluate_with(&inputs, &scope),
        false => {
            let files = project.members().iter().map(|member| member.document.file.clone());
            let definitions: Definitions = Definitions::of(&Roles::attributes(), files).into_value();
            definitions.evaluate_with(&inputs, &scope)
        }
    };
    if let Some(expression) = expression {
        let mut found = evaluated.errors_behind(expression);
        let expression = evaluated.with_results(expression);
        let (value, more) = evaluated.evaluate(&expression).into_parts();
        found.append(more);
        return (value, with_limit(found.without_repetitions(), &evaluated));
    }
    if project.language().schema().is_some() {
        let (value, found) = project.decode_evaluated(&evaluated, &|_| true).into_parts();
        return (value, with_limit(found, &evaluated));
    }
    let (value, found) = plain(project, &evaluated, &scope);
    (value, with_limit(found, &evaluated))
}

fn with_limit(mut found: Diagnostics, evaluated: &Evaluated) -> Diagnostics {
    if !found.iter().any(|error| *error.code() == Code::LimitExceeded) {
        found.extend(evaluated.limit_exceeded());
    }
    found
}

/// Returns the value of files of which no schema is known: attributes, which can refer to each other, and blocks by
/// their types and labels.
fn plain(project: &Project, evaluated: &Evaluated, scope: &Scope<'_>) -> (Value, Diagnostics) {
    let mut found = Diagnostics::new();
    let is_cycle = |error: &&Diagnostic| *error.code() == Code::DefinitionCycle;
    let mut scope = scope.child();
    for definition in evaluated.definitions() {
        scope.set(definition.name(), evaluated.value(&definition));
    }
    let mut values = Vec::new();
    for member in project.members() {
        found.append(member.document.diagnostics.clone());
        if member.document.diagnostics.has_errors() {
            continue;
        }
        let outcome = match &member.document.file {
            ConfigFile::Native(file) => evaluate_body(file.body(), &scope),
            ConfigFile::Json(document) => evaluate_json(document, &scope),
        };
        values.push(outcome.into_value_reporting_to(&mut found));
    }
    found.extend(evaluated.diagnostics().iter().filter(is_cycle).cloned());
    found.sort();
    let entries = values.iter().flat_map(|value| value.entries().into_iter().flatten());
    let value = Value::object(entries.map(|(name, value)| (name, value.clone())));
    (value, found.without_repetitions())
}

fn variables(options: &Options) -> Result<HashMap<String, Value>, Failure> {
    let Some(value) = options.value("variables") else { return Ok(HashMap::new()) };
    let entries = value.entries().ok_or("the option `variables` is an object")?;
    Ok(entries.map(|(name, value)| (name.to_owned(), value.clone())).collect())
}

/// Returns the functions of JavaScript, whose names are the option `functions`.
fn own_functions(options: &Options) -> Result<Functions, Failure> {
    let mut all = Functions::default();
    let names = options.value("functions").and_then(Value::elements).unwrap_or_default();
    for name in names {
        let name = name.as_str().ok_or("the option `functions` is a list of names")?.to_owned();
        let arguments = Parameter::new("arguments", Type::Dynamic).allow_null().allow_dynamic();
        let called = name.clone();
        let function =
            Function::variadic([], arguments, Type::Dynamic, move |call| called_in_host(&called, call.arguments()));
        all = all.with(name, function.impure());
    }
    Ok(all)
}

/// Calls a function of JavaScript.
fn called_in_host(name: &str, arguments: &[Value]) -> Result<Value, FunctionError> {
    if !arguments.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(Type::Dynamic));
    }
    let arguments = model_json::encode_implied(&Value::tuple(arguments.iter().cloned()))
        .map_err(|error| format!("an argument has no JSON: {error}"))?;
    let host = HOST.with_borrow(Clone::clone).ok_or("there is no such function")?;
    let answer = host
        .call2(&JsValue::NULL, &JsValue::from_str(name), &JsValue::from_str(&arguments))
        .map_err(|_| format!("{name} failed"))?;
    let answer = answer.as_string().ok_or("the result has no JSON")?;
    match answer.strip_prefix('!') {
        Some(message) => Err(message.into()),
        None => model_json::decode_implied(&answer).map_err(|error| format!("the result is no JSON: {error}").into()),
    }
}

/// Returns the limits: `steps`, `bytes`, `milliseconds`, by the clock of JavaScript.
fn limits(options: &Options) -> Result<Limits, Failure> {
    let mut limits = Limits::new();
    let Some(written) = options.value("limits") else { return Ok(limits) };
    for (name, value) in written.entries().ok_or("the option `limits` is an object")? {
        let number = value.as_number().filter(|number| !number.is_negative()).ok_or("limits are numbers")?;
        let number = number.to_f64();
        limits = match name {
            "steps" => limits.max_steps(number as u64),
            "bytes" => limits.max_bytes(number as u64),
            "milliseconds" => limits.with_clock(now).max_time(Duration::from_secs_f64(number / 1000.0)),
            _ => return Err(format!("there is no limit `{name}`; the limits are steps, bytes, milliseconds").into()),
        };
    }
    Ok(limits)
}

fn now() -> Duration {
    Duration::from_secs_f64(Date::now() / 1000.0)
}
