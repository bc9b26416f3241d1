//! Queries: finds the matches of an [address](crate::address) in files for which a condition holds.
//!
//! The condition and the result are HCL expressions. They see two variables:
//!
//! - `self` is the value of the match. A block is an object with its attributes, and its blocks by type, then by each
//!   label, then a list: `self.lifecycle[0].prevent_destroy`. Constant expressions have their value; anything else,
//!   such as a reference, is unknown.
//! - `node` describes the match:
//!
//!   | property | what it is |
//!   | --- | --- |
//!   | `kind` | `block`, `attribute`, `entry` (an element of an object), `body` (of the file), or a kind of expression |
//!   | `type` | the type of a block |
//!   | `name` | the name of an attribute or entry, of a function that is called, of a variable that is used; the last label of a block |
//!   | `labels` | the labels of a block, as a list |
//!   | `address` | its own address |
//!   | `file`, `line`, `column`, `end_line` | its place, with the line in which it ends |
//!   | `comment` | what the comments above a block or an attribute say, and the one after it in its line |
//!   | `text` | how it is written |
//!   | `value` | how its value is written, if it has one |
//!   | `value_kind` | the kind of the expression of its value |
//!   | `self` | its value: the same as the variable `self` |
//!   | `parent` | these properties of the attribute, the block, the entry or the list element that it is in, or of the file |
//!   | `block` | these properties of the block that it is in; null outside of blocks |
//!
//!   So `node.block.self` has the attributes beside a matched attribute: `node.block.self.source` for the attribute
//!   `version` of a module. `has` searches it, too: `has(node.block.self.source)`.
//!
//!   A property that does not apply is an empty text, or an empty list. The kinds of expressions are `string`,
//!   `template`, `number`, `bool`, `null`, `list`, `object`, `reference`, `call`, `operation`, `conditional`, `for`,
//!   `splat`, `access`, `parentheses` and `error`.
//!
//! All functions can be used, and also `has(NAME)`, which is true if `self` has an item with this name, whatever its
//! value: `has(tags)`, `has(tags.Name)`, `has("tags")`. In `[for disk in self.disk : has(disk.size)]` it searches
//! `disk`.
//!
//! `text(NAME)` is the source of a part of `self`, as `text(self.tags.Name)`; it is null if there is no such part.
//!
//! `version_compare(A, B)` is -1, 0 or 1, as version A is older than B, the same, or newer. `version_satisfies(VERSION,
//! CONSTRAINTS)` is true if a version fulfils constraints as Terraform writes them: `"~> 5.40"`, `">= 1.2, < 2.0"`.
//!
//! A [`Resolver`] gives references the values that they have in a program. Without it, they are unknown.
//!
//! If the value of a condition is unknown, the target is undecided: it is neither a match nor dropped, but listed
//! separately.
//!
//! ```
//! use hcl_lr_edit::query::{Query, Subject};
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
mod body_values;
mod described;
mod has;
mod missing_member;
mod node;
mod resolver;
mod result;
mod select;
mod text;
mod version;
mod written;

use std::str::FromStr;

use crate::address::{Address, AddressStep, JsonTemplates, Miss, Target, TargetKind, Trace};
use hcl_lr::body::Expression;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::functions;
use hcl_lr::internal::Account;
use hcl_lr::internal::limit_exceeded;
use hcl_lr::internal::sort_by_key;
use hcl_lr::json::Document;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::model::{Type, Value};
use hcl_lr::stack::with_room;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};

pub use body_object::{BodyObject, MAX_BLOCK_DEPTH};
pub use body_values::{evaluate_body, evaluate_json};
use node::{Owners, Surroundings, Wanted};
pub use resolver::Resolver;
pub use result::{QueryMatch, QueryResult};
use written::Form;

/// A query: the address, the condition and the result.
#[derive(Clone, Debug)]
pub struct Query {
    address: Address,
    condition: Option<Expression>,
    result: Option<(Expression, Evaluation)>,
    keys: Vec<Expression>,
    variables: Vec<(String, Value)>,
    includes_missing: bool,
    keeps_rest: bool,
    functions: Functions,
    limits: Limits,
}

/// The evaluation mode of the expression for the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evaluation {
    /// Parts of `self` that are not constant appear as source text, and missing ones are null.
    ForPeople,
    /// Parts that are not constant are unknown.
    Exact,
}

/// The file that a query searches.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Subject<'t> {
    /// A file in native syntax.
    Native(&'t File),
    /// A document in the JSON syntax, with the schema of its blocks, and perhaps the templates in its strings.
    Json(&'t Document, &'t ConversionSchema, Option<&'t JsonTemplates>),
}

/// A query for all matches of an address.
///
/// ```
/// use hcl_lr_edit::query::{Query, Subject};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  b = 1\n}\n").into_result()?;
/// let query: Query = "a.b".parse()?;
/// assert_eq!(query.run(Subject::Native(&file)).matches().len(), 1);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
impl FromStr for Query {
    type Err = Diagnostics;

    fn from_str(address: &str) -> Result<Query, Diagnostics> {
        address.parse().map(Query::new)
    }
}

impl From<Address> for Query {
    fn from(address: Address) -> Query {
        Query::new(address)
    }
}

impl Query {
    /// Finds all matches of an address. Conditions can use the [extended](functions::extended) functions.
    pub fn new(address: Address) -> Query {
        Query {
            address,
            condition: None,
            result: None,
            keys: Vec::new(),
            variables: Vec::new(),
            includes_missing: false,
            keeps_rest: false,
            functions: functions::extended(),
            limits: Limits::default(),
        }
    }

    /// Adds a condition.
    pub fn with_condition(self, condition: Expression) -> Query {
        Query { condition: Some(condition), ..self }
    }

    /// Adds an expression whose values are the [results](QueryMatch::result).
    pub fn with_result(self, result: Expression) -> Query {
        Query { result: Some((result, Evaluation::ForPeople)), ..self }
    }

    /// Adds an expression whose values are the [results](QueryMatch::result), in which parts that are not constant are
    /// unknown, as in a condition.
    ///
    /// ```
    /// use hcl_lr_edit::query::{Query, Subject};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = \"v1\"\nb = c.d\n").into_result()?;
    /// let next = hcl_lr::parse::<hcl_lr::Expression>("replace(self, \"v1\", \"v2\")").into_result()?;
    /// let answer = Query::new("[*]".parse()?).with_evaluated_result(next).run(Subject::Native(&file));
    /// let results: Vec<bool> = answer.matches().iter().map(|one| one.result().is_some_and(|it| it.is_known())).collect();
    /// assert_eq!(results, [true, false]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_evaluated_result(self, result: Expression) -> Query {
        Query { result: Some((result, Evaluation::Exact)), ..self }
    }

    /// Adds expressions whose values are the [keys](QueryMatch::keys) of matches, for grouping or sorting. They are
    /// evaluated as the [result](Query::with_result) is.
    pub fn with_keys(self, keys: impl IntoIterator<Item = Expression>) -> Query {
        Query { keys: keys.into_iter().collect(), ..self }
    }

    /// Adds a variable beside `self` and `node`, for the condition, the result and the keys. It is an ordinary value,
    /// such as a list of the other files of a program.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// use hcl_lr_edit::query::{Query, Subject};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb = 2\n").into_result()?;
    /// let condition = hcl_lr::parse::<hcl_lr::Expression>("self > limit").into_result()?;
    /// let query = Query::new("[*]".parse()?).with_condition(condition).with_variable("limit", Value::from(1));
    /// assert_eq!(query.run(Subject::Native(&file)).matches()[0].name(), "b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_variable(mut self, name: impl Into<String>, value: Value) -> Query {
        self.variables.push((name.into(), value));
        self
    }

    /// Includes missing items: if an address of names ends in a body, a block or an object that lacks the next name,
    /// the remaining steps are [missing](QueryMatch::missing) there. In expressions, `self` is null then, `node.kind`
    /// is `"missing"`, and `node.parent` is the place where the first name is missing.
    ///
    /// ```
    /// use hcl_lr_edit::query::{Query, Subject};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("vm \"a\" {\n  zone = 1\n}\nvm \"b\" {\n}\n").into_result()?;
    /// let answer = Query::new("vm[*].zone".parse()?).including_missing().run(Subject::Native(&file));
    /// let missing: Vec<usize> = answer.matches().iter().map(|found| found.missing().len()).collect();
    /// assert_eq!(missing, [0, 1]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn including_missing(self) -> Query {
        Query { includes_missing: true, ..self }
    }

    /// Keeps what does not match: the [targets](QueryResult::rejected) for which the condition is false, and the
    /// [places](QueryResult::misses) where a step of the address finds nothing.
    pub fn keeping_rest(self) -> Query {
        Query { keeps_rest: true, ..self }
    }

    /// Returns the address of the query.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Sets the functions.
    pub fn with_functions(self, functions: Functions) -> Query {
        Query { functions, ..self }
    }

    /// Sets the limits for all evaluation in one [run](Query::run), and for each value that is read from a match:
    /// constant expressions of the file, the condition and the result. A run that exceeds them ends with the
    /// diagnostic [`limit-exceeded`](Code::LimitExceeded), and the rest of the file is not searched.
    pub fn with_limits(self, limits: Limits) -> Query {
        Query { limits, ..self }
    }

    /// Returns the matches in a file, in source order.
    pub fn run<'t>(&self, subject: Subject<'t>) -> QueryResult<'t> {
        self.run_on(subject, None)
    }

    /// Returns the matches in a file whose references have values. They are in `self`, and in the results.
    pub fn run_with<'t>(&self, subject: Subject<'t>, resolver: &'t dyn Resolver) -> QueryResult<'t> {
        self.run_on(subject, Some(resolver))
    }

    fn run_on<'t>(&self, subject: Subject<'t>, resolver: Option<&'t dyn Resolver>) -> QueryResult<'t> {
        let mut answer = QueryResult::default();
        let (source, document, schema) = match subject {
            Subject::Native(file) => (file.source(), None, None),
            Subject::Json(document, schema, _) => (document.source(), Some(document), Some(schema)),
        };
        let mut places: Vec<(Target<'t>, Vec<AddressStep>)> = Vec::new();
        if self.includes_missing || self.keeps_rest {
            let Trace { targets, misses } = subject.trace(&self.address);
            places.extend(targets.into_iter().map(|target| (target, Vec::new())));
            for miss in misses {
                match self.missing_at(&miss) {
                    Some(missing) => places.push((miss.target().clone(), missing)),
                    None => answer.misses.push(miss),
                }
            }
            if places.is_empty() && self.includes_missing {
                places.extend(self.missing_blocks(subject, &answer.misses));
            }
            if self.includes_missing {
                sort_by_key(&mut places, |(target, _)| target.place().span().start());
            }
        } else {
            places.extend(subject.resolve(&self.address).into_iter().map(|target| (target, Vec::new())));
        }
        let needs = Needs::of(self);
        let owners = needs.node.wants_owners().then(|| Owners::of(subject.resolve(&Address::root().deep())));
        let functions = self.functions.clone().with("has", has::has()).with("text", text::text());
        let functions = version::functions().into_iter().fold(functions, |all, (name, one)| all.with(name, one));
        let account = Account::new(Meter::new(self.limits.clone()));
        let mut position = source.positions();
        for (target, missing) in places {
            let position = position(target.place().span().start());
            let limits = self.limits.clone();
            let mut found =
                QueryMatch { document, schema, resolver, limits, missing, ..QueryMatch::at(target, position) };
            match self.look_at(&mut found, &needs, owners.as_ref(), &functions, &account) {
                Ok(Holds::Yes) => answer.matches.push(found),
                Ok(Holds::Open) => answer.open.push(found),
                Ok(Holds::No) => {
                    answer.rejected_count += 1;
                    answer.rejected.extend(self.keeps_rest.then_some(found));
                }
                Err(why) if account.is_exceeded() => return QueryResult { diagnostics: why, exceeded: true, ..answer },
                Err(why) => answer.fail(missing_member::with_names(why, self.expressions())),
            }
        }
        answer
    }

    /// Returns all expressions of the query.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let result = self.result.iter().map(|(result, _)| result);
        self.condition.iter().chain(result).chain(&self.keys)
    }

    /// Returns the missing steps at a place where a step finds nothing, if they are names that could be added there.
    fn missing_at(&self, miss: &Miss<'_>) -> Option<Vec<AddressStep>> {
        if !self.includes_missing || miss.is_label() {
            return None;
        }
        let rest = &self.address.steps()[miss.step()..];
        let can_have = match miss.target().kind() {
            TargetKind::Body(_) | TargetKind::Block(_) | TargetKind::JsonBody(_) | TargetKind::JsonBlock(_) => true,
            TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => {
                property.value().as_object().is_some()
            }
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => node.as_object().is_some(),
            _ => miss.target().expression().is_some_and(is_object),
        };
        (can_have && rest.iter().all(|step| matches!(step, AddressStep::Name(_)))).then(|| rest.to_vec())
    }

    /// Returns the bodies that lack a block, if the address names one and the body has only blocks with other labels.
    fn missing_blocks<'t>(&self, subject: Subject<'t>, misses: &[Miss<'t>]) -> Vec<(Target<'t>, Vec<AddressStep>)> {
        let Some(miss) = misses.iter().rev().find(|miss| miss.is_label()).filter(|_| self.address.is_exact()) else {
            return Vec::new();
        };
        // A block that has all labels is there, although something within it cannot be added.
        if misses.iter().any(|other| !other.is_label() && other.step() >= miss.step()) {
            return Vec::new();
        }
        let (outer, rest) = self.address.steps().split_at(miss.step() - miss.target().labels_named() - 1);
        if !rest.iter().all(|step| matches!(step, AddressStep::Name(_))) {
            return Vec::new();
        }
        let outer = outer.iter().cloned().fold(Address::root(), Address::step);
        subject.resolve(&outer).into_iter().map(|body| (body, rest.to_vec())).collect()
    }

    /// Checks the condition for a match. Unless it is false, the result is evaluated, too.
    fn look_at(
        &self,
        found: &mut QueryMatch<'_>,
        needs: &Needs,
        owners: Option<&Owners<'_>>,
        functions: &Functions,
        account: &Account,
    ) -> Result<Holds, Diagnostics> {
        let mut scope = Scope::new().with_functions(functions.clone()).within(account);
        for (name, value) in &self.variables {
            scope.set(name.as_str(), value.clone());
        }
        // Both variables are always defined, because a message about another name may list them.
        let value = match needs.value {
            _ if !found.missing.is_empty() => Value::null(Type::Dynamic),
            true => found.written(&self.functions, Form::Unknown, account)?,
            false => Value::unknown(Type::Dynamic),
        };
        scope.set("self", value);
        let node = match needs.node.is_empty() {
            true => Value::unknown(Type::Dynamic),
            false => {
                let around = Surroundings { owners, functions: &self.functions, account };
                needs.node.value(found, &around)?
            }
        };
        if !needs.texts.is_empty() && found.missing.is_empty() {
            scope.set(text::TEXTS, needs.texts.value(&found.target, account));
        }
        if let Some(error) = limit_exceeded(account, || found.place()) {
            return Err(error.into());
        }
        scope.set("node", node);
        let holds = self.condition.as_ref().map_or(Ok(Holds::Yes), |condition| holds(condition, &scope))?;
        if matches!(holds, Holds::Yes | Holds::Open) {
            let mut selection = select::Selection::new(&scope, found, &self.functions, account);
            let result = match &self.result {
                Some((result, Evaluation::ForPeople)) => Some(selection.select(result)?),
                Some((result, Evaluation::Exact)) => Some(result.evaluate(&scope)?),
                None => None,
            };
            let keys = self.keys.iter().map(|key| selection.select(key)).collect::<Result<_, _>>()?;
            (found.absent, found.result, found.keys) = (selection.into_absent(), result, keys);
        }
        Ok(holds)
    }
}

fn is_object(expression: ExpressionNode<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Parentheses(parentheses) => with_room(|| is_object(parentheses.inner())),
        kind => matches!(kind, ExpressionKind::Object(_)),
    }
}

impl<'t> Subject<'t> {
    /// Returns the targets of an address in the file.
    pub fn resolve(self, address: &Address) -> Vec<Target<'t>> {
        match self {
            Subject::Native(file) => address.resolve(file.body()),
            Subject::Json(document, schema, templates) => address.resolve_json(document, schema, templates),
        }
    }

    /// Follows an address in the file: see [`Address::trace`].
    pub fn trace(self, address: &Address) -> Trace<'t> {
        match self {
            Subject::Native(file) => address.trace(file.body()),
            Subject::Json(document, schema, templates) => address.trace_json(document, schema, templates),
        }
    }
}

/// The outcome of a condition.
#[derive(Clone, Copy)]
enum Holds {
    Yes,
    No,
    /// The value is unknown.
    Open,
}

/// The variables that the expressions of a query use. Only these are computed.
struct Needs {
    value: bool,
    node: Wanted,
    texts: text::Paths,
}

impl Needs {
    fn of(query: &Query) -> Needs {
        let expressions = || query.expressions();
        let uses_self = expressions().filter_map(Expression::native_form).any(|expression| {
            expression.calls().iter().any(|call| call.name() == "has")
                || expression.variables().iter().any(|path| path.root().text() == "self")
        });
        let texts = text::Paths::in_expressions(expressions());
        Needs { value: uses_self, node: Wanted::by(expressions()), texts }
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
