//! Files that define names, such as `var.region` and `local.name`: values in dependency order, and references.
//!
//! Most applications let expressions refer to what is defined elsewhere in the files: `local.name` to an attribute
//! in a `locals` block, `var.region` to a `variable` block, `target.app.tags` to an attribute of another block. A
//! table of [`Roles`] says what defines names and how they are referred to. [`Definitions`] are what files of
//! either syntax define by such a table, and [`Evaluated`] their values.
//!
//! ```
//! use hcl_lr::{Scope, Value, parse};
//! use hcl_lr::definitions::{Definitions, Inputs, Role, Roles};
//! use hcl_lr::ConfigFile;
//!
//! let roles = Roles::new()
//!     .with(Role::input("variable", "var.{name}"))
//!     .with(Role::object("task", "task.{name}").by_attribute());
//! let text = r#"
//! task "build" {
//!   folder = "${var.root}/out"
//! }
//! task "test" {
//!   command = "run ${task.build.folder}/tests"
//! }
//! variable "root" {
//!   default = "/src"
//! }
//! "#;
//! let file = parse::<ConfigFile>(("tasks.hcl", text)).into_result()?;
//! let definitions = Definitions::of(&roles, [file]).into_result()?;
//! let evaluated = definitions.evaluate(&Scope::new());
//! assert_eq!(evaluated.get("task.test.command"), Some(Value::from("run /src/out/tests")));
//!
//! let evaluated = definitions.evaluate_with(&Inputs::new().with("root", "/home/ada"), &Scope::new());
//! assert_eq!(evaluated.get("task.test.command"), Some(Value::from("run /home/ada/out/tests")));
//! # Ok::<(), hcl_lr::Diagnostics>(())
//! ```
//!
//! - Each definition is evaluated once, after those that it needs, in time and memory in proportion to the
//!   definitions and references; independent ones on several threads if that is [wanted](Definitions::evaluate_on).
//! - A value that is not known is unknown, and so are the parts of values that need it. So is what has an error, so
//!   that an error is reported once.
//! - Definitions that need each other are one diagnostic with all of its steps.
//! - [Limits](crate::Limits) hold for the evaluation as a whole.

mod collect;
mod companions;
mod concealed_errors;
mod definition;
mod evaluate;
mod evaluated;
mod function;
mod inputs;
mod instances;
mod module;
mod named;
mod names;
mod order;
mod other_references;
mod program;
mod references;
mod resolve;
mod results;
mod role_file;
mod roles;
mod schedule;
mod state;
mod string_references;
mod tree;
mod types;

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Diagnostics, Outcome};
use crate::eval::Scope;

use collect::Collector;
use module::NoModules;
use program::Program;

use crate::body::ConfigFile;
pub use companions::{CompanionFile, CompanionFiles};
pub use concealed_errors::ConcealedErrors;
pub use definition::{Definition, Part};
pub use evaluated::{Evaluated, Instance};
pub use inputs::Inputs;
pub use module::{Loaded, LoadedModule, Loader, ModuleCall};
pub use references::{Reference, References};
pub use role_file::RoleTable;
pub use roles::{Duplicates, Role, Roles};
pub use string_references::StringReferences;

/// The definitions in files: names, and the dependencies between them. Cheap to clone.
#[derive(Clone)]
pub struct Definitions {
    program: Arc<Program>,
    /// The errors that do not depend on values.
    found: Diagnostics,
}

impl Definitions {
    /// Collects the definitions in files. Modules that they call are only known later.
    ///
    /// Errors that do not depend on values are in the outcome, and in the result of each evaluation, too: two
    /// definitions of one name, references to names that are not defined, definitions that need each other.
    ///
    /// ```
    /// use hcl_lr::definitions::{Definitions, Roles};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let file = parse::<ConfigFile>(("main.tf", "locals {\n  a = local.b\n  b = [local.a]\n}\n")).into_result()?;
    /// let (definitions, problems) = Definitions::of(&Roles::terraform(), [file]).into_parts();
    /// assert_eq!(definitions.iter().map(|one| one.address()).collect::<Vec<_>>(), ["local.a", "local.b"]);
    /// assert!(problems.to_string().contains("local.a → local.b → local.a"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn of<D: Into<ConfigFile>>(roles: &Roles, files: impl IntoIterator<Item = D>) -> Outcome<Definitions> {
        Definitions::with_modules(roles, files, &NoModules)
    }

    /// Collects the definitions in files, and in the modules that they call.
    pub fn with_modules<D: Into<ConfigFile>>(
        roles: &Roles,
        files: impl IntoIterator<Item = D>,
        loader: &dyn Loader,
    ) -> Outcome<Definitions> {
        let mut collector = Collector::new(roles, loader);
        collector.run(files.into_iter().map(D::into).collect());
        let Collector { mut program, diagnostics: mut found, .. } = collector;
        found.append(program.resolve());
        program.resolve_named();
        found.extend(program.undefined_names.iter().cloned());
        found.append(program.set_order());
        found.append(other_references::undefined(&program));
        found.sort();
        found = found.without_repetitions();
        let definitions = Definitions { program: Arc::new(program), found: found.clone() };
        Outcome::new(definitions, found)
    }

    /// The definitions, in source order, those of modules after those of their callers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Definition<'_>> {
        let program = &*self.program;
        (0..program.definitions.len()).map(move |number| Definition { program, number })
    }

    /// The definition with an address.
    pub fn get(&self, address: &str) -> Option<Definition<'_>> {
        let steps: Vec<&str> = address.split('.').collect();
        match self.program.find(&steps) {
            Some((number, depth)) if depth == steps.len() => Some(Definition { program: &self.program, number }),
            _ => self.program.at_address(address).map(|number| Definition { program: &self.program, number }),
        }
    }

    /// The values of all definitions. Expressions see the variables and functions of the scope, and its limits hold
    /// for all of them together.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Evaluated {
        self.evaluate_on(1, &Inputs::new(), scope)
    }

    /// The values of all definitions with values from outside.
    pub fn evaluate_with(&self, inputs: &Inputs, scope: &Scope<'_>) -> Evaluated {
        self.evaluate_on(1, inputs, scope)
    }

    /// The values of all definitions, evaluated on several threads. What comes out is the same.
    pub fn evaluate_on(&self, threads: usize, inputs: &Inputs, scope: &Scope<'_>) -> Evaluated {
        Evaluated::new(&self.program, &self.found, inputs, scope, threads)
    }

    /// The names under which values are given that no input of the files has, in alphabetic order.
    pub fn unused_inputs(&self, inputs: &Inputs) -> Vec<String> {
        let mut names = self.program.check_inputs(inputs);
        names.sort_unstable();
        names
    }
}

impl fmt::Debug for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
