//! Modules: files that others call.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::Value;
use hcl_lr::source::Place;

use super::ConfigFile;

/// Gives the files of modules. The library reads no files by itself.
///
/// A closure is one:
///
/// ```
/// use hcl_lr::{Scope, Value, parse};
/// use hcl_lr_language::definitions::{Definitions, Loaded, LoadedModule, ModuleCall};
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::ConfigFile;
///
/// let main = parse::<ConfigFile>("module \"name\" {\n  source = \"./name\"\n  words = [\"a\", \"b\"]\n}\n").into_result()?;
/// let name = "variable \"words\" {}\noutput \"joined\" {\n  value = join(\"-\", var.words)\n}\n";
/// let loader = |call: &ModuleCall<'_>| match call.source() {
///     "./name" => Loaded::Module(LoadedModule::new("name", parse::<ConfigFile>(name).into_result().ok())),
///     _ => Loaded::Later,
/// };
/// let definitions = Definitions::with_modules(&Schema::by_name("terraform").expect("it is there").roles(), [main], &loader).into_result()?;
/// let evaluated = definitions.evaluate(&Scope::new());
/// assert_eq!(evaluated.get("module.name.joined"), Some(Value::from("a-b")));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub trait Loader {
    /// The files of a module.
    fn load(&self, call: &ModuleCall<'_>) -> Loaded;
}

impl<F: Fn(&ModuleCall<'_>) -> Loaded> Loader for F {
    fn load(&self, call: &ModuleCall<'_>) -> Loaded {
        self(call)
    }
}

/// A call of a module.
#[derive(Debug)]
pub struct ModuleCall<'c> {
    pub(super) source: &'c str,
    pub(super) place: Place,
    pub(super) caller: Option<&'c str>,
    pub(super) name: &'c str,
}

impl ModuleCall<'_> {
    /// Returns the module's source as the call gives it, such as `./network`.
    pub fn source(&self) -> &str {
        self.source
    }

    /// Returns the place of the source in the call.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the name of the call, which is its last label.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The [key](LoadedModule::new) of the module that the call is in; `None` for the files of the application.
    pub fn caller(&self) -> Option<&str> {
        self.caller
    }
}

/// The result of a [`Loader`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Loaded {
    /// The files of the module.
    Module(LoadedModule),
    /// They are not at hand: the results of the module are only known later.
    Later,
    /// They cannot be read; the results of the module are unknown.
    Failed(Diagnostics),
}

/// The files of a module.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    pub(super) key: String,
    pub(super) documents: Vec<ConfigFile>,
    pub(super) variables: Vec<(String, Value)>,
}

impl LoadedModule {
    /// A module. Its key says where it is, such as its folder: calls in the module have it, and a module that
    /// calls itself is recognized by it. Of a module that is called twice the files that were given first count.
    pub fn new(key: impl Into<String>, documents: impl IntoIterator<Item = ConfigFile>) -> Self {
        LoadedModule { key: key.into(), documents: documents.into_iter().collect(), variables: Vec::new() }
    }

    /// The module with a variable that only its own expressions see, such as `path`.
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }
}

/// The loader of an application without modules.
pub(super) struct NoModules;

impl Loader for NoModules {
    fn load(&self, _: &ModuleCall<'_>) -> Loaded {
        Loaded::Later
    }
}
