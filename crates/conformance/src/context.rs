//! The variables and functions of a request.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::decode::decode_value;
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::functions;
use hcl_lr::model::Value as ModelValue;

/// The variables and functions that a request offers.
pub(super) struct Context {
    variables: Option<HashMap<String, ModelValue>>,
    functions: Option<Functions>,
    scopes: Vec<HashMap<String, ModelValue>>,
}

impl Context {
    pub fn of(request: &Map<String, Value>) -> Result<Context, String> {
        let variables = request.get("vars").and_then(Value::as_object).map(decode_variables).transpose()?;
        let scopes = request.get("scopes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let scopes = scopes.iter().filter_map(Value::as_object).map(decode_variables).collect::<Result<_, _>>()?;
        let names = request.get("functions").and_then(Value::as_array);
        let functions = names.map(|names| offered_functions(names)).transpose()?;
        Ok(Context { variables, functions, scopes })
    }

    /// Adds the variables and functions of a spec file, except for those that exist already.
    pub fn beside(mut self, spec: &SpecFile) -> Context {
        let given = self.variables.is_some();
        let variables = spec.variables_with(self.variables.take().unwrap_or_default());
        self.variables = Some(variables).filter(|variables| given || !variables.is_empty());
        let functions = spec.functions().clone().with_all(&self.functions.take().unwrap_or_default());
        self.functions = Some(functions).filter(|functions| functions.names().next().is_some());
        self
    }

    pub fn with_scope<T>(&self, work: impl FnOnce(&Scope<'_>) -> T) -> T {
        let mut global = Scope::new();
        if let Some(functions) = &self.functions {
            global = global.with_functions(functions.clone());
        }
        let Some(variables) = &self.variables else { return with_scopes(&global, &self.scopes, work) };
        with_scopes(&global.with_variables(variables), &self.scopes, work)
    }
}

/// Each of the scopes is a child of the one before.
fn with_scopes<T>(scope: &Scope<'_>, scopes: &[HashMap<String, ModelValue>], work: impl FnOnce(&Scope<'_>) -> T) -> T {
    match scopes.split_first() {
        Some((variables, rest)) => with_scopes(&scope.child().with_variables(variables), rest, work),
        None => work(scope),
    }
}

fn decode_variables(variables: &Map<String, Value>) -> Result<HashMap<String, ModelValue>, String> {
    let decode = |(name, value): (&String, &Value)| match decode_value(value) {
        Ok(value) => Ok((name.clone(), value)),
        Err(why) => Err(format!("variable {name}: {why}")),
    };
    variables.iter().map(decode).collect()
}

fn offered_functions(names: &[Value]) -> Result<Functions, String> {
    let standard = functions::standard();
    let mut offered = Functions::default();
    for name in names.iter().filter_map(Value::as_str) {
        if name == "*" {
            offered = offered.with_all(&standard);
            continue;
        }
        let (name, implementation) = name.split_once('=').unwrap_or((name, name));
        let function = standard.get(implementation).ok_or_else(|| format!("there is no function {implementation}"))?;
        offered = offered.with(name, function.clone());
    }
    Ok(offered)
}
