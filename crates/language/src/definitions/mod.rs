//! Files that define names, such as `var.region` and `local.name`: values in dependency order, and references.
//!
//! Most applications let expressions refer to what is defined elsewhere in the files: `local.name` to an attribute
//! in a `locals` block, `var.region` to a `variable` block, `target.app.tags` to an attribute of another block. A
//! table of [`Roles`] says what defines names and how they are referred to. [`Definitions`] are what files of
//! either syntax define by such a table, and [`Evaluated`] their values.
//!
//! ```
//! use hcl_lr::{Scope, Value, parse};
//! use hcl_lr_language::definitions::{Definitions, Inputs, Role, Roles};
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
//! - [Limits](hcl_lr::Limits) hold for the evaluation as a whole.

mod behind;
mod collect;
mod companion_walk;
mod companions;
mod concealed_errors;
mod definition;
mod elsewhere;
mod ephemeral;
mod evaluate;
mod evaluated;
mod function;
mod generated;
mod given;
mod ids;
mod inputs;
mod instances;
mod json_parts;
mod module;
mod names;
mod other_references;
mod pattern;
mod program;
mod references;
mod results;
mod role;
mod roles;
mod schedule;
mod sites;
mod state;
mod string_references;
mod tree;
mod types;
mod walk;

use std::fmt;
use std::sync::Arc;

use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::eval::Scope;

use collect::Collector;
use module::NoModules;
use program::Program;

pub use companions::{CompanionFile, CompanionFiles};
pub use concealed_errors::ConcealedErrors;
pub use definition::{Definition, DefinitionAttribute};
pub use evaluated::{Evaluated, Instance};
use hcl_lr::body::ConfigFile;
pub use inputs::Inputs;
pub use module::{Loaded, LoadedModule, Loader, ModuleCall};
pub use references::{Reference, References};
pub use role::{Duplicates, Role};
pub use roles::Roles;
pub(crate) use sites::{BlockSite, Sites};
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
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let file = parse::<ConfigFile>(("main.tf", "locals {\n  a = local.b\n  b = [local.a]\n}\n")).into_result()?;
    /// let (definitions, problems) = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [file]).into_parts();
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
        let files = LoadedModule::new("", files.into_iter().map(D::into));
        Definitions::with_inputs(roles, files, loader, &Inputs::new())
    }

    /// Collects the definitions in the files of an application, which are given as a module, and in the modules that they
    /// call. The variables of the module are those of the application's own files. The inputs matter where the source
    /// of a module is computed from them; each evaluation has inputs of its own.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value};
    /// use hcl_lr::ConfigFile;
    /// use hcl_lr_language::definitions::{Definitions, Inputs, Loaded, LoadedModule, ModuleCall};
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let main = "variable \"kind\" {}\nmodule \"net\" {\n  source = \"./${var.kind}\"\n}\n";
    /// let files = LoadedModule::new("", hcl_lr::parse::<ConfigFile>(("main.tf", main)).into_result().ok());
    /// let loader = |call: &ModuleCall<'_>| {
    ///     let text = format!("output \"source\" {{\n  value = \"{}\"\n}}\n", call.source());
    ///     Loaded::Module(LoadedModule::new(call.source(), hcl_lr::parse::<ConfigFile>(text.as_str()).into_result().ok()))
    /// };
    /// let inputs = Inputs::new().with("kind", "small");
    /// let definitions = Definitions::with_inputs(&Schema::by_name("terraform").expect("it is there").roles(), files, &loader, &inputs).into_result()?;
    /// let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
    /// assert_eq!(evaluated.get("module.net.source"), Some(Value::from("./small")));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_inputs(
        roles: &Roles,
        files: LoadedModule,
        loader: &dyn Loader,
        inputs: &Inputs,
    ) -> Outcome<Definitions> {
        let mut collector = Collector::new(roles, loader, inputs);
        collector.run(files);
        let (program, found) = collector.finish();
        Outcome::new(Definitions { program, found: found.clone() }, found)
    }

    /// Returns true if the source of a module is computed, so that [inputs](Definitions::with_inputs) can decide which
    /// module is called.
    pub fn has_computed_sources(&self) -> bool {
        self.program.computes_sources()
    }

    /// The definitions, in source order, those of modules after those of their callers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Definition<'_>> {
        let program = &*self.program;
        program.tables().definitions.ids().map(move |number| Definition { program, number })
    }

    /// The definitions whose names are in a source, by its name, in source order.
    ///
    /// ```
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let file = |name, text| parse::<ConfigFile>((name, text)).into_result();
    /// let files = [file("a.tf", "variable \"one\" {}\n")?, file("b.tf", "variable \"two\" {}\n")?];
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), files).into_result()?;
    /// assert_eq!(definitions.in_source("b.tf").map(|one| one.name()).collect::<Vec<_>>(), ["two"]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn in_source(&self, name: &str) -> impl Iterator<Item = Definition<'_>> {
        let program = &*self.program;
        program.in_source(name).iter().map(move |&number| Definition { program, number })
    }

    /// The definition with an address. A result of a module has two: its own, as `module.net.output.id`, and the one by
    /// which expressions refer to it, as `module.net.id`.
    pub fn get(&self, address: &str) -> Option<Definition<'_>> {
        let program = &*self.program;
        let steps: Vec<&str> = address.split('.').collect();
        let found = match program.find(&steps) {
            Some((number, depth)) if depth == steps.len() => Some(number),
            Some((number, depth)) if depth + 1 == steps.len() => program.result(number, steps[depth]),
            _ => None,
        };
        let found = found.or_else(|| program.at_address(address));
        // A call in a module: its address is known, and so are the names of its results.
        let found = found.or_else(|| {
            let (call, name) = address.rsplit_once('.')?;
            program.result(program.at_address(call)?, name)
        });
        found.map(|number| Definition { program, number })
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

    /// The values of all definitions for any input: the values of inputs are unknown values of their types, and not the
    /// defaults, and so are the attributes of open blocks, which the program that reads the files may compute. So the
    /// diagnostics are those that hold whatever is given.
    ///
    /// All expressions of the application's files are evaluated, also in blocks that define nothing. Of the given
    /// inputs, only the sensitive places and names count. Values in companion files, such as `terraform.tfvars`, must
    /// fit the types of the inputs.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Inputs};
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::{ConfigFile, Scope, parse};
    ///
    /// let text = "variable \"zone\" {\n  type = object({ name = string })\n  default = { name = \"a\" }\n}\n\
    ///             locals {\n  a = var.zone.nme\n  b = var.zone.name == \"a\" ? 1 : local.c.x\n  c = {}\n}\n";
    /// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let definitions = Definitions::of(&roles, [file]).into_result()?;
    /// let checked = definitions.evaluate_for_any_input(&Inputs::new(), &[], &Scope::new());
    /// assert_eq!(checked.diagnostics().len(), 1);
    /// assert!(checked.diagnostics().to_string().contains("no attribute \"nme\""));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn evaluate_for_any_input(
        &self,
        inputs: &Inputs,
        companions: &[CompanionFile],
        scope: &Scope<'_>,
    ) -> Evaluated {
        Evaluated::of_any_input(&self.program, &self.found, (inputs, companions), scope)
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
