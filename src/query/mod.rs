//! Queries: what an [address](crate::address) leads to in files, for which a condition holds.
//!
//! The condition and the result are HCL expressions. They see two variables:
//!
//! - `self` is the value of what was found. A block is an object with its attributes, and its blocks by type,
//!   then by each label, then a list: `self.lifecycle[0].prevent_destroy`. Everything that is written
//!   is there. What is constant has its value; anything else, such as a reference, is unknown.
//! - `node` is what is known of it:
//!
//!   | property | what it is |
//!   | --- | --- |
//!   | `kind` | `block`, `attribute`, `entry` (an element of an object), `body` (of the file), or a kind of expression |
//!   | `type` | the type of a block |
//!   | `name` | the name of an attribute or entry, of a function that is called, of a variable that is used; the last label of a block |
//!   | `labels` | the labels of a block, as a list |
//!   | `address` | its own address |
//!   | `file`, `line`, `column` | where it is |
//!   | `comment` | what the comments above a block or an attribute say, and the one after it in its line |
//!   | `text` | how it is written |
//!   | `value` | how its value is written, if it has one |
//!
//!   A property that does not apply is an empty text, or an empty list. The kinds of expressions are `string`,
//!   `template`, `number`, `bool`, `null`, `list`, `object`, `reference`, `call`, `operation`, `conditional`, `for`,
//!   `splat`, `access`, `parentheses` and `error`.
//!
//! All functions can be used, and `has(NAME)`, which tells whether `self` has something of this name, whatever
//! its value: `has(tags)`, `has(tags.Name)`, `has("tags")`. In `[for disk in self.disk : has(disk.size)]` it looks
//! into `disk`.
//!
//! A condition whose value is unknown leaves open whether something is wanted: that is neither a match nor
//! dropped, but listed by itself.
//!
//! ```
//! use hcl_lr::query::{Query, Subject};
//!
//! let file = hcl_lr::parse::<hcl_lr::File>(
//!     "variable \"a\" {\n  description = \"what a is\"\n}\nvariable \"b\" {\n  default = var.a\n}\n",
//! )
//! .into_result()?;
//! let condition = hcl_lr::parse::<hcl_lr::Expression>("!has(description)").into_result()?;
//! let query = Query::new("variable[*]".parse()?).with_condition(condition);
//! let answer = query.run(Subject::Native(&file));
//! let found: Vec<String> = answer.matches().iter().map(|found| found.target().address().to_string()).collect();
//! assert_eq!(found, ["variable.b"]);
//!
//! let condition = hcl_lr::parse::<hcl_lr::Expression>("has(default) && self.default == 1").into_result()?;
//! let answer = Query::new("variable[*]".parse()?).with_condition(condition).run(Subject::Native(&file));
//! assert!(answer.matches().is_empty());
//! assert_eq!(answer.open()[0].target().address().to_string(), "variable.b");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod body_object;
mod has;
mod node;
mod select;
mod written;

use crate::address::{Address, BodyRef, JsonTemplates, Target, TargetKind};
use crate::body::Expression;
use crate::convert::ConversionSchema;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::eval::{Functions, Scope, limit_exceeded};
use crate::functions;
use crate::json::Document;
use crate::limits::{Account, Limits, Meter};
use crate::model::{Type, Value};
use crate::source::{Place, Position};
use crate::syntax::File;

pub use body_object::{BodyObject, MAX_BLOCK_DEPTH};
use node::Wanted;
use written::{Form, Written};

/// A query: the address, the condition and the result.
#[derive(Clone)]
pub struct Query {
    address: Address,
    condition: Option<Expression>,
    result: Option<Expression>,
    functions: Functions,
    limits: Limits,
}

/// The subject of a query: the file that is searched.
#[derive(Clone, Copy)]
pub enum Subject<'t> {
    /// A file in native syntax.
    Native(&'t File),
    /// A document in the JSON syntax, with what is a block in it, and perhaps the templates in its strings.
    Json(&'t Document, &'t ConversionSchema, Option<&'t JsonTemplates>),
}

/// The matches in a file.
#[derive(Debug, Default)]
pub struct QueryResult<'t> {
    matches: Vec<QueryMatch<'t>>,
    open: Vec<QueryMatch<'t>>,
    failed: usize,
    diagnostics: Diagnostics,
    exceeded: bool,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub struct QueryMatch<'t> {
    target: Target<'t>,
    position: Position,
    document: Option<&'t Document>,
    schema: Option<&'t ConversionSchema>,
    limits: Limits,
    result: Option<Value>,
}

impl Query {
    /// All that an address leads to. Conditions can use the [extended](functions::extended) functions.
    pub fn new(address: Address) -> Query {
        Query { address, condition: None, result: None, functions: functions::extended(), limits: Limits::default() }
    }

    /// The query with a condition.
    pub fn with_condition(self, condition: Expression) -> Query {
        Query { condition: Some(condition), ..self }
    }

    /// The query with an expression whose values are [results](QueryMatch::result).
    pub fn with_result(self, result: Expression) -> Query {
        Query { result: Some(result), ..self }
    }

    /// The query with other functions.
    pub fn with_functions(self, functions: Functions) -> Query {
        Query { functions, ..self }
    }

    /// The query with limits for what one [run](Query::run) evaluates, and each value that is asked of what it
    /// finds: constant expressions of the file, the condition and the result. A run that exceeds them ends with the
    /// diagnostic [`limit-exceeded`](Code::LimitExceeded); what comes after in the file is not looked at.
    ///
    /// ```
    /// use hcl_lr::Limits;
    /// use hcl_lr::diagnostic::Code;
    /// use hcl_lr::query::{Query, Subject};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [for x in [1, 2, 3, 4] : [for y in [1, 2, 3, 4] : x * y]]\n").into_result()?;
    /// let condition = hcl_lr::parse::<hcl_lr::Expression>("length(self.a) == 4").into_result()?;
    /// let query = Query::new(".".parse()?).with_condition(condition).with_limits(Limits::new().max_steps(20));
    /// let answer = query.run(Subject::Native(&file));
    /// assert!(!answer.is_complete());
    /// assert_eq!(answer.diagnostics().iter().next().map(|error| error.code()), Some(&Code::LimitExceeded));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_limits(self, limits: Limits) -> Query {
        Query { limits, ..self }
    }

    /// Returns the matches in a file, in source order.
    pub fn run<'t>(&self, subject: Subject<'t>) -> QueryResult<'t> {
        let (source, targets, document, schema) = match subject {
            Subject::Native(file) => (file.source(), self.address.resolve(file.body()), None, None),
            Subject::Json(document, schema, templates) => {
                let targets = self.address.resolve_json(document, schema, templates);
                (document.source(), targets, Some(document), Some(schema))
            }
        };
        let needs = Needs::of(self);
        let functions = self.functions.clone().with("has", has::has());
        let account = Account::new(Meter::new(self.limits.clone()));
        let mut position = source.positions();
        let mut answer = QueryResult::default();
        for target in targets {
            let position = position(target.place().span().start());
            let mut found =
                QueryMatch { target, position, document, schema, limits: self.limits.clone(), result: None };
            match self.look_at(&mut found, &needs, &functions, &account) {
                Ok(Holds::Yes) => answer.matches.push(found),
                Ok(Holds::Open) => answer.open.push(found),
                Ok(Holds::No) => {}
                Err(why) if account.is_exceeded() => return QueryResult { diagnostics: why, exceeded: true, ..answer },
                Err(why) => answer.fail(why),
            }
        }
        answer
    }

    /// Checks the condition for something that was found. If it may hold, the result is evaluated, too.
    fn look_at(
        &self,
        found: &mut QueryMatch<'_>,
        needs: &Needs,
        functions: &Functions,
        account: &Account,
    ) -> Result<Holds, Diagnostics> {
        let mut scope = Scope::new().with_functions(functions.clone()).within(account);
        // Both variables are there, whether they are used or not: a message about another name may list them.
        let value = match needs.value {
            true => found.written(&self.functions, Form::Unknown, account)?,
            false => Value::unknown(Type::Dynamic),
        };
        scope.set("self", value);
        let node = if needs.node.is_empty() { Value::unknown(Type::Dynamic) } else { needs.node.value(found, account) };
        if let Some(error) = limit_exceeded(account, || found.place()) {
            return Err(error.into());
        }
        scope.set("node", node);
        let holds = self.condition.as_ref().map_or(Ok(Holds::Yes), |condition| holds(condition, &scope))?;
        if let (Holds::Yes | Holds::Open, Some(result)) = (holds, &self.result) {
            found.result = Some(select::select(result, &scope, found, &self.functions, account)?);
        }
        Ok(holds)
    }
}

/// The outcome of a condition.
#[derive(Clone, Copy)]
enum Holds {
    Yes,
    No,
    /// Its value is unknown.
    Open,
}

/// The variables that the expressions of a query use. Others are not computed.
struct Needs {
    value: bool,
    node: Wanted,
}

impl Needs {
    fn of(query: &Query) -> Needs {
        let expressions = || query.condition.iter().chain(&query.result);
        let uses_self = expressions().filter_map(Expression::native_form).any(|expression| {
            expression.calls().iter().any(|call| call.name() == "has")
                || expression.variables().iter().any(|path| path.root().text() == "self")
        });
        Needs { value: uses_self, node: Wanted::by(expressions()) }
    }
}

fn holds(condition: &Expression, scope: &Scope<'_>) -> Result<Holds, Diagnostics> {
    let (value, _) = condition.evaluate(scope)?.unmark_deep();
    if !value.is_known() {
        return Ok(Holds::Open);
    }
    let wrong = |detail: &str| {
        let error = Diagnostic::error(Code::InvalidCondition, condition.place(), detail.to_owned());
        Diagnostics::from(error)
    };
    match value.convert(&Type::Bool) {
        Ok(value) if value.is_null() => Err(wrong("a condition must be true or false, and this is null")),
        Ok(value) if value.as_bool() == Some(true) => Ok(Holds::Yes),
        Ok(_) => Ok(Holds::No),
        Err(why) => Err(wrong(&format!("a condition must be true or false: {why}"))),
    }
}

impl<'t> QueryResult<'t> {
    /// Returns the matches.
    pub fn matches(&self) -> &[QueryMatch<'t>] {
        &self.matches
    }

    /// Returns the things for which the condition is unknown.
    pub fn open(&self) -> &[QueryMatch<'t>] {
        &self.open
    }

    /// For how many things the condition or the result has errors. They are neither matches nor open.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Returns true if the whole file was searched, rather than only the part before a [limit](Query::with_limits) was
    /// exceeded.
    pub fn is_complete(&self) -> bool {
        !self.exceeded
    }

    /// Returns the errors of the condition or the result, for the first match for which it fails; or the limit that was
    /// exceeded.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    fn fail(&mut self, why: Diagnostics) {
        if self.failed == 0 {
            self.diagnostics = why;
        }
        self.failed += 1;
    }
}

impl<'t> QueryMatch<'t> {
    /// Returns the target of the address, with its place.
    pub fn target(&self) -> &Target<'t> {
        &self.target
    }

    /// Line and column of its start.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its place.
    pub fn place(&self) -> Place {
        self.target.place()
    }

    /// The value of the expression for the result, if the query has one. What is not constant in it is the
    /// source as a string `"${…}"` where the result is a part of `self` or an object or tuple of such parts,
    /// and unknown elsewhere.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// Returns the kind of the target, as `node.kind`.
    pub fn kind(&self) -> &'static str {
        node::kind(&self.target)
    }

    /// Its name, as `node.name`.
    pub fn name(&self) -> String {
        node::name(&self.target)
    }

    /// The type of a block, as `node.type`.
    pub fn block_type(&self) -> String {
        node::block_type(&self.target)
    }

    /// The labels of a block, as `node.labels`.
    pub fn labels(&self) -> Vec<String> {
        node::labels(&self.target)
    }

    /// Returns the text of its comments, as `node.comment`.
    pub fn comment(&self) -> String {
        node::comment(&self.target)
    }

    /// Its value as conditions see it as `self`: what is not constant is unknown.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the [limits](Query::with_limits) of the query.
    pub fn value(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Unknown, &self.account())
    }

    /// Its value, in which what is not constant is the source as a string `"${…}"`.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the [limits](Query::with_limits) of the query.
    pub fn value_as_written(&self, functions: &Functions) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &self.account())
    }

    /// The same with a meter that others share, so that the limits are those of all of them together.
    ///
    /// # Errors
    /// To evaluate what is constant takes more than the meter has left.
    pub fn value_as_written_within(&self, functions: &Functions, meter: &Meter) -> Result<Value, Diagnostics> {
        self.written(functions, Form::Source, &Account::new(meter.clone()))
    }

    fn account(&self) -> Account {
        Account::new(Meter::new(self.limits.clone()))
    }

    fn written(&self, functions: &Functions, form: Form, account: &Account) -> Result<Value, Diagnostics> {
        let written = Written { functions, document: self.document, form, account, whole: &self.target };
        match self.target.kind() {
            TargetKind::Body(body) => written.body(&BodyRef::Native(*body)),
            TargetKind::Block(block) => written.body(&BodyRef::Native(block.body())),
            TargetKind::Attribute(attribute) => written.expression(attribute.expression()),
            TargetKind::Entry(element) => written.expression(element.value()),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => written.expression(*expression),
            TargetKind::JsonBody(node) => match self.schema {
                Some(schema) => written.body(&BodyRef::Json(*node, schema.root())),
                None => written.json(*node),
            },
            TargetKind::JsonBlock(block) => written.body(&BodyRef::Json(block.body(), block.shapes().clone())),
            TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => written.json(member.value()),
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => written.json(*node),
        }
    }
}
