//! Calls of functions that fail, whatever the names in the files stand for.

use std::collections::HashMap;

use super::Definitions;
use super::ids::ModuleId;
use super::other_references::members_of;
use super::program::Program;
use super::role::Role;
use super::roles::later;
use super::state::{State, unknown};
use hcl_lr::body::{ConfigFile, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::{Function, Scope};
use hcl_lr::internal::calls_in;
use hcl_lr::model::Value;
use hcl_lr::syntax::ast::{BlockNode, BodyItem};

impl Definitions {
    /// Errors in the calls of functions in the files of the application, also in blocks that define nothing: functions
    /// that there are not, too few or too many arguments, and constant arguments that a function does not accept. All
    /// names count as unknown, so that each of these calls fails whatever they stand for. The functions are those of the
    /// roles, of the files and of the scope; if there are none at all, nothing is an error.
    ///
    /// ```
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::{ConfigFile, Scope, parse};
    ///
    /// let text = "provider \"aws\" {\n  region = lowr(var.region)\n}\nvariable \"region\" {}\n";
    /// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [file]).into_result()?;
    /// let found = definitions.failing_calls(&Scope::new());
    /// assert!(found.to_string().contains("lowr"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn failing_calls(&self, scope: &Scope<'_>) -> Diagnostics {
        let program = &*self.program;
        let state = State::new(&self.program, scope, false);
        let mut calls = Calls { program, scope: own_functions(program, &state), found: Diagnostics::new() };
        if calls.scope.function_names().is_empty() {
            return calls.found;
        }
        for document in &program[ModuleId::ROOT].documents {
            match document {
                ConfigFile::Native(file) => file.body().items().for_each(|item| calls.item(item, None)),
                ConfigFile::Json(document) => {
                    // The strings in inputs are no templates.
                    let is_input = |name: &str| program.roles().of_block(name).is_some_and(Role::is_input);
                    for member in members_of(document).filter(|member| !is_input(&member.name())) {
                        calls.expression(&Expression::from((document, member.value())));
                    }
                }
            }
        }
        calls.found.sort();
        calls.found.without_repetitions()
    }
}

/// Returns the scope of the files, with functions of their own that take what they take and give something unknown.
fn own_functions(program: &Program, state: &State) -> Scope<'static> {
    let own = program.tables().functions.iter().filter(|own| own.module == ModuleId::ROOT);
    let own: Vec<(String, Function)> = own.map(|own| (own.name.to_string(), own.definition.of_unknown())).collect();
    state.plain.child().with_functions(own.into_iter().collect()).to_owned_scope()
}

struct Calls<'p> {
    program: &'p Program,
    scope: Scope<'static>,
    found: Diagnostics,
}

impl<'p> Calls<'p> {
    /// Looks at an item of a body, which may be that of a block, and at all that is in it.
    fn item(&mut self, item: BodyItem<'p>, block: Option<BlockNode<'p>>) {
        let mut waiting = vec![(item, block)];
        while let Some((item, block)) = waiting.pop() {
            match item {
                BodyItem::Attribute(attribute) => {
                    // A type looks like calls, and is none.
                    let role = block.and_then(|block| self.program.roles().of_block(block.block_type()));
                    if !(role.is_some_and(Role::is_input) && attribute.name() == "type") {
                        self.expression(&attribute.expression().into());
                    }
                }
                BodyItem::Block(inner) => {
                    waiting.extend(inner.body().items().map(|item| (item, Some(inner))));
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        // Most expressions call nothing.
        let calls = calls_in(expression);
        if calls.as_ref().is_some_and(|calls| calls.is_empty()) {
            return;
        }
        let variables: HashMap<String, Value> =
            expression.variables().iter().map(|path| (path.root().to_owned(), unknown())).collect();
        let namespaces = calls.iter().flatten().filter(|name| self.program.roles().is_later_function(name));
        let namespaces: Vec<(String, Function)> = namespaces.map(|name| (name.to_string(), later())).collect();
        let scope = self.scope.child().with_variables(&variables).with_functions(namespaces.into_iter().collect());
        let (_, mut found) = expression.evaluate_partially(&scope).into_parts();
        // In JSON it cannot be seen before which functions are called.
        let is_later = |one: &Diagnostic| self.program.roles().is_later_function(one.place().text());
        found.retain(|error| is_of_call(error.code()) && !is_later(error));
        self.found.append(found);
    }
}

/// Returns true if an error of this kind is one of a call.
fn is_of_call(code: &Code) -> bool {
    matches!(
        code,
        Code::UnknownFunction
            | Code::MissingArgument
            | Code::ExtraArgument
            | Code::InvalidArgument
            | Code::InvalidExpansion
            | Code::FunctionFailed
    )
}
