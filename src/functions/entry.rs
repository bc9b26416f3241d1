//! An entry of the library: the signature, summary and examples of a function.

use crate::eval::{Attempt, Call, Function, FunctionError, LazyCall, Parameter, marks_of};
use crate::limits::steps_through;
use crate::model::refine::Refine;
use crate::model::{Type, Value, hidden};

/// A function of the library with its documentation.
///
/// ```
/// let join = hcl_lr::functions::entry("join").expect("it is there");
/// assert_eq!(join.signature(), "join(separator: string, lists...: list(string)) -> string");
/// assert!(join.summary().ends_with('.'));
/// assert_eq!(join.examples()[0].expression(), r#"join(", ", ["a", "b"])"#);
/// assert_eq!(join.examples()[0].result(), r#""a, b""#);
/// ```
#[derive(Clone, Debug)]
pub struct FunctionEntry {
    name: &'static str,
    summary: &'static str,
    result: &'static str,
    examples: Vec<FunctionExample>,
    function: Function,
}

/// A call and its result.
///
/// ```
/// let entry = hcl_lr::functions::entry("abs").expect("it is there");
/// let example = entry.examples()[0];
/// assert_eq!((example.expression(), example.result(), example.fails()), ("abs(-1)", "1", false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionExample {
    expression: &'static str,
    result: &'static str,
    fails: bool,
}

impl FunctionExample {
    /// The call, as an expression.
    pub fn expression(&self) -> &'static str {
        self.expression
    }

    /// The value as it is printed, or the message of the error.
    pub fn result(&self) -> &'static str {
        self.result
    }

    /// Returns true if the call is an error.
    pub fn fails(&self) -> bool {
        self.fails
    }
}

impl FunctionEntry {
    /// Returns the name of the function in the library.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the summary of the function, in a sentence or two.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Calls with their results.
    pub fn examples(&self) -> &[FunctionExample] {
        &self.examples
    }

    /// The function itself.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Returns the same function under another name. Its examples use the old name.
    pub(super) fn named(&self, name: &'static str) -> FunctionEntry {
        FunctionEntry { name, examples: Vec::new(), ..self.clone() }
    }

    /// Declares that the results do not depend on the arguments alone.
    pub(super) fn impure(self) -> FunctionEntry {
        FunctionEntry { function: self.function.impure(), ..self }
    }

    /// Declares that the function adds marks to its results.
    pub(super) fn marking(self) -> FunctionEntry {
        FunctionEntry { function: self.function.marking(), ..self }
    }

    /// Returns the signature of the function, with the types of its parameters and of its result.
    pub fn signature(&self) -> String {
        format!("{} -> {}", self.function.signature(self.name), self.result)
    }
}

/// The function that computes the type of the result of a call.
type ResultType = fn(&Call<'_>) -> Result<Type, FunctionError>;

/// The cost of a call, depending on its arguments. It is counted before the call; a function counts further work
/// itself.
#[derive(Clone, Copy)]
enum Cost {
    /// Reads all parts of the arguments; the result is not larger than they are.
    All,
    /// The same, for functions with more work for each part, where a few bytes are a step.
    Digest,
    /// Reads the elements of the arguments, but not their contents.
    Elements,
    /// Reads one part of the arguments, or passes them on.
    One,
    /// The function creates texts in which a byte becomes several.
    Encoding,
    /// The function creates values from texts, in the worst case one for each byte.
    Decoding,
}

/// The bytes of a value that is decoded from one or two bytes of a text.
const DECODED: u64 = 64;

/// The bytes of an encoding that escapes each byte.
const ENCODED: u64 = 6;

impl Cost {
    fn count(self, call: &Call<'_>) -> Result<(), FunctionError> {
        let (mut steps, mut bytes) = (1_u64, 0_u64);
        for argument in call.arguments() {
            let size = argument.size();
            let (more_steps, more_bytes) = match self {
                Cost::One => (1, 0),
                Cost::Elements => match argument.elements() {
                    Some(elements) => (elements.len() as u64, 64 * elements.len() as u64),
                    None => (size / 64, size),
                },
                Cost::All => (argument.as_str().map_or(size / 64, steps_through), size),
                Cost::Digest => (size / 8, size),
                // Each level of lines may be indented more than the one around it.
                Cost::Encoding => (size / 64, size.saturating_mul(ENCODED + u64::from(argument.height()))),
                Cost::Decoding => (size / 16, size.saturating_mul(DECODED)),
            };
            steps = steps.saturating_add(more_steps);
            bytes = bytes.saturating_add(more_bytes);
        }
        call.charge(steps, bytes)?;
        crate::work::step(steps as usize);
        Ok(())
    }
}

/// An entry under way.
pub(super) struct Builder {
    name: &'static str,
    summary: &'static str,
    result: &'static str,
    fixed: Option<Type>,
    typed: Option<ResultType>,
    refine: Option<fn(Refine) -> Refine>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    examples: Vec<FunctionExample>,
    cost: Cost,
    removes_marks: bool,
}

/// Begins an entry: the name and what the function does.
pub(super) fn function(name: &'static str, summary: &'static str) -> Builder {
    Builder {
        name,
        summary,
        result: "any",
        fixed: None,
        typed: None,
        refine: None,
        parameters: Vec::new(),
        variadic: None,
        examples: Vec::new(),
        cost: Cost::All,
        removes_marks: false,
    }
}

impl Builder {
    /// Sets the cost of a function that reads the elements of its arguments, but not their contents.
    pub fn looks_at_elements(self) -> Self {
        Builder { cost: Cost::Elements, ..self }
    }

    /// Sets the cost of a function that reads one part of its arguments, or passes them on.
    pub fn looks_at_one(self) -> Self {
        Builder { cost: Cost::One, ..self }
    }

    /// Sets the cost of a function that computes much for each byte of a text.
    pub fn digests(self) -> Self {
        Builder { cost: Cost::Digest, ..self }
    }

    /// Sets the cost of a function that writes values as text.
    pub fn encodes(self) -> Self {
        Builder { cost: Cost::Encoding, ..self }
    }

    /// Sets the cost of a function that reads values from text.
    pub fn decodes(self) -> Self {
        Builder { cost: Cost::Decoding, ..self }
    }

    /// Allows an unknown result to lack marks that the arguments have.
    pub fn removes_marks(self) -> Self {
        Builder { removes_marks: true, ..self }
    }

    /// One more parameter.
    pub fn takes(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// The parameter for all further arguments.
    pub fn rest(mut self, parameter: Parameter) -> Self {
        self.variadic = Some(parameter);
        self
    }

    /// Sets the type of the result, as a type and as text.
    pub fn gives(mut self, ty: Type, shown: &'static str) -> Self {
        (self.fixed, self.result) = (Some(ty), shown);
        self
    }

    /// Sets a result type that depends on the arguments, and its text.
    pub fn gives_by(mut self, shown: &'static str, typed: ResultType) -> Self {
        (self.typed, self.result) = (Some(typed), shown);
        self
    }

    pub fn gives_string(self) -> Self {
        self.gives(Type::String, "string").never_null()
    }

    pub fn gives_number(self) -> Self {
        self.gives(Type::Number, "number").never_null()
    }

    pub fn gives_bool(self) -> Self {
        self.gives(Type::Bool, "bool").never_null()
    }

    /// No result is null.
    pub fn never_null(self) -> Self {
        self.refined(|result| result.not_null())
    }

    /// Declares that an unknown result may be null.
    pub fn perhaps_null(mut self) -> Self {
        self.refine = None;
        self
    }

    /// Sets the refinements of all results.
    pub fn refined(mut self, refine: fn(Refine) -> Refine) -> Self {
        self.refine = Some(refine);
        self
    }

    /// A call and the value that comes out.
    pub fn example(mut self, expression: &'static str, result: &'static str) -> Self {
        self.examples.push(FunctionExample { expression, result, fails: false });
        self
    }

    /// A call and the message of its error.
    pub fn fails(mut self, expression: &'static str, message: &'static str) -> Self {
        self.examples.push(FunctionExample { expression, result: message, fails: true });
        self
    }

    /// Sets the body of the function, which completes the entry.
    pub fn does(
        self,
        work: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> FunctionEntry {
        let Builder { name, summary, result, fixed, typed, refine, parameters, variadic, .. } = self;
        let Builder { examples, cost, removes_marks, .. } = self;
        let fixed = fixed.unwrap_or(Type::Dynamic);
        // Many messages quote what is wrong.
        let work = move |call: &Call<'_>| {
            cost.count(call)?;
            let result = work(call).map_err(|why| why.or_concealed(hidden::UNSUITABLE))?;
            // Functions that see marks add those of the values that they read. An unknown result may become anything.
            match result.is_known() || removes_marks {
                true => Ok(result),
                false => Ok(result.with_marks(&marks_of(call.arguments(), call.account())?)),
            }
        };
        let mut function = match typed {
            Some(typed) => {
                let typed = move |call: &Call<'_>| {
                    cost.count(call)?;
                    typed(call).map_err(|why| why.or_concealed(hidden::UNSUITABLE))
                };
                Function::typed(parameters, variadic, typed, work)
            }
            None => Function::typed(parameters, variadic, move |_| Ok(fixed.clone()), work),
        };
        if let Some(refine) = refine {
            function = function.refined(refine);
        }
        FunctionEntry { name, summary, result, examples, function }
    }

    /// [`Builder::does`] for a function that evaluates its arguments itself.
    pub fn does_lazily(
        self,
        work: impl for<'c> Fn(&LazyCall<'c>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> FunctionEntry {
        let Builder { name, summary, result, parameters, variadic, examples, .. } = self;
        FunctionEntry { name, summary, result, examples, function: Function::lazy(parameters, variadic, work) }
    }

    /// Like [`Builder::does`], for a function that evaluates its arguments itself, and does nothing with them except
    /// this.
    pub fn attempts(
        self,
        attempt: Attempt,
        work: impl for<'c> Fn(&LazyCall<'c>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> FunctionEntry {
        let entry = self.does_lazily(work);
        FunctionEntry { function: entry.function.attempting(attempt), ..entry }
    }
}
