//! Function calls ("Functions and Function Calls").

use std::sync::Arc;

use super::function::{Function, FunctionError, LazyCall, Site};
use super::lazy::LazyArgument;
use super::sink::Sink;
use super::{Scope, all_marks, evaluate as evaluate_expression, failed, messages, report, strict};
use crate::diagnostic::{Code, Diagnostics, Finding};
use crate::model::{MarkSet, MarkUnion, Type, Value};
use crate::reading::liberty;
use crate::source::Place;
use crate::stack::with_room_for;
use crate::syntax::ast::{ExpressionNode, FunctionCall};

/// The number of steps for explaining the failure of a function, beyond its own steps.
const STEPS_OF_FAILURE: u64 = 16;

/// The value of a function call.
pub(super) fn evaluate(
    call: FunctionCall<'_>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    let name = call.name();
    if sink.account.steps(scope.steps_to_look()).is_err() {
        return failed();
    }
    let Some(function) = scope.function(&name) else {
        let known = scope.function_count();
        sink.report_name(known, |compares| unknown_function(call, expression, &name, scope, compares));
        return failed();
    };
    let concealed;
    let scope = match function.is_marking(scope) {
        true => {
            concealed = scope.child().concealed();
            &concealed
        }
        false => scope,
    };
    let call = Calling { call, expression, function, name: &name, scope };
    if !call.call.expands_last() && function.as_lazy().is_none() {
        return call.simple(sink);
    }
    let arguments = match call.arguments(sink) {
        Ok(arguments) => arguments,
        Err(value) => return value,
    };
    if !call.counts(&arguments, sink) {
        return failed();
    }
    let result = match function.as_lazy() {
        Some(work) => {
            function.note_call(sink.account);
            let lazy: Vec<LazyArgument<'_>> = arguments.iter().map(|argument| argument.lazy(scope)).collect();
            work(&LazyCall::new(&lazy, &Type::Dynamic, Some(call.site()), sink.account))
        }
        None => {
            let before = sink.checkpoint();
            let values: Vec<Value> =
                arguments.iter().enumerate().map(|(index, argument)| call.value(index, argument, sink)).collect();
            if sink.has_errors_since(before) {
                return failed();
            }
            function.call_at(Some(call.site()), sink.account, &values)
        }
    };
    result.unwrap_or_else(|error| {
        call.failed(error, &arguments, sink);
        failed()
    })
}

/// An argument: an expression, or an element of one that was expanded by `...`.
struct Argument<'t> {
    expression: ExpressionNode<'t>,
    value: Option<Value>,
}

impl<'t> Argument<'t> {
    fn lazy<'a>(&self, scope: &'a Scope<'a>) -> LazyArgument<'a>
    where
        't: 'a,
    {
        match &self.value {
            Some(value) => LazyArgument::of_value(value.clone()),
            None => LazyArgument::of_expression(self.expression, scope),
        }
    }

    /// Returns the span for reports. An argument from an expanded list has the span of the list.
    fn span(&self) -> crate::source::Span {
        if self.value.is_some() { self.expression.span() } else { report::start_of(self.expression) }
    }
}

struct Calling<'c, 't> {
    call: FunctionCall<'t>,
    expression: ExpressionNode<'t>,
    function: &'c Function,
    name: &'c str,
    scope: &'c Scope<'c>,
}

impl<'t> Calling<'_, 't> {
    fn site(&self) -> Site<'_> {
        Site { call: self.call, expression: self.expression, scope: self.scope }
    }

    /// Returns the value of a call of a function that takes values, if no argument comes from an expanded list.
    fn simple(&self, sink: &mut Sink) -> Value {
        let arguments = || self.call.arguments().map(|expression| Argument { expression, value: None });
        let (least, given) = (self.function.parameters().len(), self.call.arguments().len());
        if (given < least || given > least && self.function.variadic_parameter().is_none())
            && !self.counts(&arguments().collect::<Vec<_>>(), sink)
        {
            return failed();
        }
        let before = sink.checkpoint();
        if sink.account.elements(given).is_err() {
            return failed();
        }
        let mut values = Vec::with_capacity(given);
        values.extend(arguments().enumerate().map(|(index, argument)| self.value(index, &argument, sink)));
        if sink.has_errors_since(before) {
            return failed();
        }
        self.function.call_at(Some(self.site()), sink.account, &values).unwrap_or_else(|error| {
            self.failed(error, &arguments().collect::<Vec<_>>(), sink);
            failed()
        })
    }

    /// Returns the arguments, with expanded lists as single elements; or the value of the call if the expanded list
    /// already decides it.
    fn arguments(&self, sink: &mut Sink) -> Result<Vec<Argument<'t>>, Value> {
        let mut arguments: Vec<Argument<'t>> =
            self.call.arguments().map(|expression| Argument { expression, value: None }).collect();
        if !self.call.expands_last() {
            return Ok(arguments);
        }
        let Some(Argument { expression, .. }) = arguments.pop() else { return Ok(arguments) };
        let before = sink.checkpoint();
        let list = evaluate_expression(expression, self.scope, sink);
        if sink.has_errors_since(before) {
            return Err(failed());
        }
        if expression.is_strict() && matches!(list.ty(), Type::Set(_)) {
            let liberty = || strict::report(&liberty::EXPANDED_SET, expression, self.scope);
            sink.report(|| liberty().with_context(self.expression.span()));
            return Err(failed());
        }
        let problem = match list.ty() {
            Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_) if list.is_null() => {
                "the value before `...` must not be null".to_owned()
            }
            Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_) => {
                let marks = list.marks();
                let Some(elements) = list.elements() else { return Err(self.open_call(&arguments, &marks, sink)) };
                if sink.account.elements(elements.len()).is_err() {
                    return Err(failed());
                }
                let each = |value: &Value| Argument { expression, value: Some(value.with_marks(&marks)) };
                arguments.extend(elements.iter().map(each));
                return Ok(arguments);
            }
            ty => format!("the value before `...` must be a list, set or tuple, not {}", messages::with_article(&ty)),
        };
        sink.report(|| {
            report::error(Code::InvalidExpansion, expression.span(), problem, expression, self.scope)
                .with_context(self.expression.span())
        });
        Err(failed())
    }

    /// Returns the value of a call whose list of arguments is unknown. Errors in the other arguments do not matter, as
    /// in the official engine; their marks do.
    fn open_call(&self, others: &[Argument<'t>], marks: &MarkSet, sink: &mut Sink) -> Value {
        let mut marks = MarkUnion::from(marks.clone());
        if self.function.as_lazy().is_none() {
            let before = sink.checkpoint();
            for other in others {
                let value = evaluate_expression(other.expression, self.scope, sink);
                marks.add(&all_marks(&value, sink.account));
            }
            sink.rollback(before);
        }
        failed().with_marks(&marks.set())
    }

    /// Returns true if the number of arguments is one that the function takes.
    fn counts(&self, arguments: &[Argument<'t>], sink: &mut Sink) -> bool {
        let parameters = self.function.parameters();
        let name = self.name;
        let diagnostic = if arguments.len() < parameters.len() {
            let detail = self.missing_arguments(arguments.len(), parameters.len());
            Finding::error(Code::MissingArgument, self.call.close_span(), detail)
        } else if let (Some(extra), None) = (arguments.get(parameters.len()), self.function.variadic_parameter()) {
            let detail = match parameters.len() {
                0 => format!("function \"{name}\" takes no arguments"),
                1 => format!("function \"{name}\" takes only one argument"),
                count => format!("function \"{name}\" takes only {count} arguments"),
            };
            Finding::error(Code::ExtraArgument, extra.span(), detail)
        } else {
            return true;
        };
        sink.report(|| self.with_signature(diagnostic));
        false
    }

    fn with_signature(&self, diagnostic: Finding) -> Finding {
        let help = format!("the signature is {}", self.function.signature(self.name));
        diagnostic.with_context(self.expression.span()).with_help(help)
    }

    /// Returns the names of the missing arguments of a call with too few.
    fn missing_arguments(&self, given: usize, needed: usize) -> String {
        let variadic = self.function.variadic_parameter();
        let at_least = if variadic.is_some() { "at least " } else { "" };
        let count = if needed == 1 { "one argument".to_owned() } else { format!("{needed} arguments") };
        let mut missing: Vec<String> = Vec::new();
        for parameter in self.function.parameters().iter().chain(variadic).take(needed).skip(given) {
            missing.push(format!("\"{}\"", parameter.name()));
        }
        let last = missing.pop().unwrap_or_default();
        let (others, are) =
            if missing.is_empty() { (String::new(), "is") } else { (missing.join(", ") + " and ", "are") };
        format!("function \"{}\" needs {at_least}{count}: {others}{last} {are} missing", self.name)
    }

    /// Returns the value of an argument, converted to the type of its parameter.
    fn value(&self, index: usize, argument: &Argument<'t>, sink: &mut Sink) -> Value {
        let value = match &argument.value {
            Some(value) => value.clone(),
            None => evaluate_expression(argument.expression, self.scope, sink),
        };
        let wanted = self.function.parameter(index).map_or(&Type::Dynamic, |parameter| parameter.ty());
        match with_room_for(value.height(), || value.convert_within(wanted, sink.account)) {
            Ok(value) => value,
            Err(why) => {
                let why = report::why(&why, self.scope);
                sink.report(|| self.with_signature(self.invalid_argument(index, argument, &why)));
                value
            }
        }
    }

    fn invalid_argument(&self, index: usize, argument: &Argument<'t>, why: &str) -> Finding {
        let parameter = self.function.parameter(index).map_or("", |parameter| parameter.name());
        let why = messages::excerpt(why);
        let detail = format!("invalid value for \"{parameter}\" of function \"{}\": {why}", self.name);
        report::error(Code::InvalidArgument, argument.span(), detail, argument.expression, self.scope)
            .with_context(self.expression.span())
    }

    /// Reports what a function says.
    fn failed(&self, error: FunctionError, arguments: &[Argument<'t>], sink: &mut Sink) {
        // The error has been described, even if there are too many to keep it.
        let _ = sink.account.steps(STEPS_OF_FAILURE);
        let error = if self.scope.hides() { error.without_values() } else { error };
        // An error in another source, which the function evaluated, has no place in this one.
        let place = Place::new(self.expression.shared_source(), self.expression.span());
        let is_here = |diagnostics: &&Diagnostics| {
            diagnostics.iter().all(|diagnostic| Arc::ptr_eq(diagnostic.source(), place.source()))
        };
        if let Some(diagnostics) = error.diagnostics().filter(|diagnostics| !diagnostics.is_empty()).filter(is_here) {
            return sink.absorb(diagnostics);
        }
        let blamed = error.argument_index().and_then(|index| Some((index, arguments.get(index)?)));
        if let Some((index, argument)) = blamed {
            return sink.report(|| self.invalid_argument(index, argument, &error.to_string()));
        }
        if let Some(parameter) = error.argument_index().and_then(|index| self.function.parameter(index)) {
            // Functions that take any number of arguments report it themselves if they need at least one.
            let why = error.to_string();
            let (name, why) = (parameter.name(), messages::excerpt(&why));
            let detail = format!("function \"{}\" has no argument for \"{name}\": {why}", self.name);
            let subject = report::start_of(self.expression);
            return sink.report(|| self.with_signature(Finding::error(Code::MissingArgument, subject, detail)));
        }
        let detail = format!("function \"{}\" failed: {}", self.name, messages::excerpt(&error.to_string()));
        let subject = report::start_of(self.expression);
        sink.report(|| report::error(Code::FunctionFailed, subject, detail, self.expression, self.scope));
    }
}

fn unknown_function(
    call: FunctionCall<'_>,
    expression: ExpressionNode<'_>,
    name: &str,
    scope: &Scope<'_>,
    compares: bool,
) -> Finding {
    if !scope.allows_functions() {
        return Finding::error(Code::FunctionsNotAllowed, expression.span(), "functions cannot be called here");
    }
    let names = if compares { scope.function_names() } else { Vec::new() };
    let namespace = name.rfind("::").map_or("", |at| &name[..at + 2]);
    let detail = if namespace.is_empty() {
        format!("there is no function named \"{name}\"")
    } else if !compares || names.iter().any(|known| known.starts_with(namespace)) {
        format!("there is no function named \"{}\" in namespace {namespace}", &name[namespace.len()..])
    } else {
        format!("there are no functions in namespace {namespace}")
    };
    let diagnostic = Finding::error(Code::UnknownFunction, call.name_span(), detail);
    diagnostic.with_context(expression.span()).with_similar(name, call.name_span(), names)
}
