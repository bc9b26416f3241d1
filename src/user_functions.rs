//! Functions that a configuration defines in blocks (the extension "User Functions" of the official engine).
//!
//! ```hcl
//! function "greet" {
//!   params         = [greeting]
//!   variadic_param = names
//!   result         = "${greeting}, ${join(" and ", names)}!"
//! }
//! ```
//!
//! The `result` is evaluated for each call, with the arguments as variables; other variables and functions are up to
//! the application. In JSON, the names of the parameters are strings.
//!
//! ```
//! use std::sync::Arc;
//! use hcl_lr::{Body, Scope, functions, parse};
//! use hcl_lr::model::Value;
//! use hcl_lr::user_functions::user_functions;
//!
//! let text = "function \"shout\" {\n  params = [text]\n  result = \"${upper(text)}!\"\n}\ncry = shout(\"hey\")\n";
//! let body = parse::<Body>(text).into_result()?;
//! let within = Arc::new(Scope::new().with_functions(functions::standard()));
//! let (own, rest) = user_functions(&body, "function", move || within.clone()).into_result()?;
//!
//! let cry = rest.attributes().into_result()?.get("cry").expect("it is there").expression().clone();
//! assert_eq!(cry.evaluate(&Scope::new().with_functions(own))?, Value::from("HEY!"));
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::body::{Block, Body, BodySchema, Expression};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome, Suggestion};
use crate::eval::{Call, Function, FunctionError, Functions, Parameter, Scope};
use crate::model::{Type, Value, hidden};
use crate::syntax::{File, is_identifier};

/// Returns the scope for the results of functions. It is called for each call, so that the scope can contain the
/// functions themselves.
pub(crate) type Context = dyn Fn() -> Arc<Scope<'static>> + Send + Sync;

/// Returns the functions that blocks of a type define, and the rest of the body.
///
/// Arguments may be of any type, but not null. With an unknown argument, the result is an unknown value of the type
/// that it would have.
pub fn user_functions(
    body: &Body,
    block_type: &str,
    context: impl Fn() -> Arc<Scope<'static>> + Send + Sync + 'static,
) -> Outcome<(Functions, Body)> {
    let ((content, rest), mut diagnostics) =
        body.partial_content(&BodySchema::new().block(block_type, &["name"])).into_parts();
    let context: Arc<Context> = Arc::new(context);
    let mut functions = Functions::default();
    let mut defined: HashMap<&str, &Block> = HashMap::new();
    for block in content.blocks() {
        let Some(name) = block.label(0) else { continue };
        if let Some(first) = defined.insert(name, block) {
            diagnostics.push(defined_twice(name, block, first));
        }
        if let Some(definition) = Definition::read(block, VARIADIC, &mut diagnostics) {
            functions = functions.with(name, definition.function(context.clone()));
        }
    }
    diagnostics.sort();
    Outcome::new((functions, rest), diagnostics)
}

fn defined_twice(name: &str, second: &Block, first: &Block) -> Diagnostic {
    let detail =
        format!("function \"{name}\" is already defined at {}; only this definition counts", first.type_place());
    Diagnostic::warning(Code::DuplicateDefinition, second.labels()[0].place(), detail)
        .with_label(first.labels()[0].place(), "first defined here")
        .with_help("remove one of the two, or give it another name")
}

/// The name of the attribute for the variadic parameter in the official engine.
#[doc(hidden)]
pub const VARIADIC: &str = "variadic_param";

/// A function as it is written.
#[doc(hidden)]
#[derive(Debug)]
pub struct Definition {
    parameters: Vec<String>,
    variadic: Option<String>,
    result: Expression,
    /// The functions that the result calls.
    calls: Arc<[String]>,
}

/// The bytes that a call takes, and the bytes for each of its parameters.
const CALL: u64 = 4_096;
const PARAMETER: u64 = 256;

impl Definition {
    /// Reads a block. The attribute with the name `rest` has the variadic parameter, if there is one.
    #[doc(hidden)]
    pub fn read(block: &Block, rest: &str, diagnostics: &mut Diagnostics) -> Option<Definition> {
        let schema = BodySchema::new().required("params").required("result").optional(rest);
        let content = block.body().content(&schema).into_value_reporting_to(diagnostics);
        let parameters = content.attribute("params").and_then(|params| {
            let list = params.expression().static_list();
            let names = list.map_err(|problems| diagnostics.append(problems)).ok()?;
            let names: Vec<Option<String>> = names.iter().map(|name| parameter_name(name, diagnostics)).collect();
            names.into_iter().collect::<Option<Vec<String>>>()
        });
        let variadic = match content.attribute(rest) {
            Some(attribute) => Some(parameter_name(attribute.expression(), diagnostics)?),
            None => None,
        };
        let result = content.attribute("result")?.expression().clone();
        let calls = calls_in(&result).into_iter().map(String::from).collect();
        let definition = Definition { parameters: parameters?, variadic, result, calls };
        definition.check_names(block, diagnostics);
        Some(definition)
    }

    /// Returns the expression that a call evaluates.
    #[doc(hidden)]
    pub fn result(&self) -> &Expression {
        &self.result
    }

    /// The names that the arguments have in the result.
    #[doc(hidden)]
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().chain(&self.variadic).map(String::as_str)
    }

    /// Checks the names of parameters: of two equal ones only the last can be used.
    fn check_names(&self, block: &Block, diagnostics: &mut Diagnostics) {
        let (mut seen, mut reported) = (HashSet::new(), HashSet::new());
        for name in self.parameters.iter().chain(&self.variadic) {
            if !seen.insert(name) && reported.insert(name) {
                let place = block.labels()[0].place();
                let detail =
                    format!("several parameters of this function are named \"{name}\"; only the last one can be used");
                diagnostics.push(
                    Diagnostic::warning(Code::DuplicateDefinition, place, detail)
                        .with_help("give each parameter a name of its own"),
                );
            }
        }
    }

    fn function(self, context: Arc<Context>) -> Function {
        Definition::function_of(&Arc::new(self), context)
    }

    /// Returns the function, whose result is evaluated in the scope of a context.
    #[doc(hidden)]
    pub fn function_of(self: &Arc<Self>, context: Arc<Context>) -> Function {
        let parameter = |name: &String| Parameter::new(name.clone(), Type::Dynamic);
        let parameters: Vec<Parameter> = self.parameters.iter().map(parameter).collect();
        let variadic = self.variadic.as_ref().map(parameter);
        let definition = self.clone();
        let (for_type, for_value) = ((definition.clone(), context.clone()), (definition, context));
        let function = Function::typed(
            parameters,
            variadic,
            move |call: &Call<'_>| {
                let arguments = call.arguments();
                // Known arguments yield a value, which has a type. Evaluating the result for its type first would
                // double the work with each function that calls another one.
                if arguments.iter().all(Value::is_known) {
                    return Ok(Type::Dynamic);
                }
                for_type.0.call(call, &for_type.1).map(|result| result.ty())
            },
            move |call| for_value.0.call(call, &for_value.1),
        );
        function.calling(&self.calls)
    }

    fn call(&self, call: &Call<'_>, context: &Arc<Context>) -> Result<Value, FunctionError> {
        let arguments = call.arguments();
        call.charge(1, CALL + PARAMETER * arguments.len() as u64)?;
        let (named, others) = arguments.split_at(self.parameters.len().min(arguments.len()));
        let mut variables: HashMap<String, Value> =
            self.parameters.iter().cloned().zip(named.iter().cloned()).collect();
        if let Some(variadic) = &self.variadic {
            variables.insert(variadic.clone(), Value::tuple(others.to_vec()));
        }
        let outer = context();
        let scope = outer.child().with_variables(&variables).counted_by(call);
        let outcome = self.result.evaluate_partially(&scope);
        let diagnostics = match outcome.into_result() {
            Ok(value) => return Ok(value),
            Err(diagnostics) => diagnostics,
        };
        // The error is at the call, because the cause may be in another file.
        let problems: Vec<String> =
            diagnostics.errors().map(|error| format!("{}: {}", error.place(), error.detail())).collect();
        let places: Vec<String> = diagnostics.errors().map(|error| error.place().to_string()).collect();
        let concealed = format!("{}: {}", places.join(", "), hidden::ARGUMENT);
        Err(FunctionError::from(problems.join("; ")).or_concealed(&concealed))
    }
}

/// Returns the names of the functions that an expression calls. In JSON, the templates in its strings call them.
#[doc(hidden)]
pub fn calls_in(expression: &Expression) -> HashSet<Box<str>> {
    let in_strings: Vec<File> = expression.templates().collect();
    let calls = match (expression.native_form(), expression.as_template()) {
        (Some(node), _) => node.calls(),
        (None, Some(template)) => template.calls(),
        (None, None) => in_strings.iter().flat_map(|file| file.template().calls()).collect(),
    };
    calls.into_iter().map(|call| call.name().into()).collect()
}

/// The name that an expression is.
fn parameter_name(expression: &Expression, diagnostics: &mut Diagnostics) -> Option<String> {
    let name = expression.keyword();
    if name.is_none() {
        let place = expression.place();
        let quoted = place.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned);
        let diagnostic = Diagnostic::error(Code::InvalidFunctionDefinition, &place, "a parameter must be a plain name");
        diagnostics.push(match quoted.filter(|text| is_identifier(text)) {
            Some(name) => {
                let help = format!("write it without quotes: {name}");
                diagnostic.with_help(help.clone()).with_suggestion(Suggestion::safe(help).replace(place, name))
            }
            None => diagnostic.with_help("for example `params = [first, second]`"),
        });
    }
    name
}
