//! A role: the meaning of the blocks of a type for what the files define.

use std::sync::Arc;

use super::pattern::{Pattern, Step};
use super::string_references::StringReferences;
use hcl_lr::model::Value;

/// The definitions of blocks of a type, or of the attributes in blocks of a type.
#[derive(Clone, Debug)]
pub struct Role {
    pub(super) block_type: Option<String>,
    /// The only attribute that is a definition. `None` if all attributes, or the block, are.
    pub(super) attribute: Option<String>,
    pub(super) labels: Vec<String>,
    pub(super) pattern: Pattern,
    pub(super) kind: Kind,
    pub(super) duplicates: Duplicates,
    pub(super) options: BlockOptions,
}

/// The value of a definition.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Each attribute is a definition.
    Attributes,
    /// It comes from outside, or is the default.
    Input(InputOptions),
    /// Each attribute is an input, with its value as the default.
    Inputs(InputOptions),
    /// The value of one attribute.
    Value { attribute: String },
    /// The object of the attributes.
    Object,
    /// The results of other files.
    Module { source: String },
    /// It is only known later.
    Later,
    /// A function.
    Function,
}

/// The options for inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct InputOptions {
    /// The value of an input without a type if there is no other.
    pub otherwise: Option<Value>,
    /// True if the default sees no names.
    pub is_constant: bool,
    /// The functions that a constant default may call; if there are none, no function is allowed.
    pub functions: Vec<String>,
    /// True if a value that is given as a text is converted to the type of the default.
    pub typed_by_default: bool,
}

/// The options for blocks that are objects or modules.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockOptions {
    /// There may be more attributes than are written; these are only known later.
    pub open: bool,
    /// References to an attribute depend on this one only.
    pub by_attribute: bool,
    pub whole: bool,
    /// Attributes and blocks that are not part of the value.
    pub ignore: Vec<String>,
    /// The values of attributes that a block does not set.
    pub defaults: Vec<(String, Value)>,
    /// Types of blocks that are part of the value, as lists of objects.
    pub blocks: Vec<String>,
    /// True if all blocks are part of the value.
    pub nested: bool,
    /// True if `dynamic` blocks may generate blocks, so that a property of this name is none of the value in JSON.
    pub dynamic: bool,
    /// The attribute of a function with the name of what takes all further arguments.
    pub variadic: Option<String>,
    /// The attribute whose elements the block is repeated for.
    pub for_each: Option<String>,
    /// The attribute that says how often the block is repeated.
    pub count: Option<String>,
    /// The attribute that says that there is such a block, after the types of the blocks that it is in.
    pub enabled: Option<(Vec<String>, String)>,
    /// The name by which expressions in the block refer to it.
    pub itself: Option<String>,
    /// The attribute whose keys are variables in the block that are only known later.
    pub variables: Option<String>,
    /// The strings that name definitions.
    pub names: Vec<Arc<StringReferences>>,
    /// Other addresses by which expressions refer to it.
    pub aliases: Vec<Pattern>,
    /// True if its value is ephemeral.
    pub ephemeral: bool,
    /// Set if its arguments are stored, except those with these names.
    pub stored: Option<Vec<String>>,
    /// The blocks in it whose conditions must hold, each as the types that lead to it.
    pub checks: Vec<Vec<String>>,
}

/// The meaning of two definitions of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Duplicates {
    /// They are an error.
    #[default]
    Error,
    /// The last one counts.
    Last,
    /// Objects have the attributes of both; where both have one, the last one counts. Of definitions that are
    /// no objects the last one counts.
    Merge,
}

impl Role {
    fn new(block_type: Option<&str>, pattern: &str, kind: Kind) -> Role {
        let (pattern, labels) = Pattern::read(pattern);
        let block_type = block_type.map(str::to_owned);
        let (duplicates, options) = (Duplicates::default(), BlockOptions::default());
        Role { block_type, attribute: None, labels, pattern, kind, duplicates, options }
    }

    /// The attributes in blocks of a type are definitions, referred to as `pattern` says: in it, `{attribute}`
    /// stands for the name of the attribute and any other name in braces for a label, as in
    /// `local.{attribute}`.
    pub fn attributes(block_type: &str, pattern: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Attributes)
    }

    /// The attributes of the files themselves are definitions.
    pub fn top_level(pattern: &str) -> Role {
        Role::new(None, pattern, Kind::Attributes)
    }

    /// Limits a role about attributes to the attribute with a name. Blocks of the type can have another role, too.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Scope, Value, parse};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    ///
    /// let roles = Roles::new()
    ///     .with(Role::object("server", "server.{name}"))
    ///     .with(Role::attributes("server", "port_of.{name}").labels(["name"]).named("port"));
    /// let text = "server \"a\" {\n  port = 80\n  next = port_of.b + 1\n}\nserver \"b\" {\n  port = 90\n}\n";
    /// let file = parse::<ConfigFile>(text).into_result()?;
    /// let evaluated = Definitions::of(&roles, [file]).into_result()?.evaluate(&Scope::new());
    /// assert_eq!(evaluated.get("port_of.a"), Some(Value::from(80)));
    /// assert_eq!(evaluated.get("server.a.next"), Some(Value::from(91)));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn named(mut self, attribute: impl Into<String>) -> Role {
        self.attribute = Some(attribute.into());
        self
    }

    /// A block whose value comes from outside by its last label, or is its `default`, which may be converted by
    /// its `type`, checked by its `validation` blocks, and marked if it is `sensitive`. If there is neither
    /// value nor default, it is only known later.
    pub fn input(block_type: &str, pattern: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Input(InputOptions::default()))
    }

    /// A block of which each attribute is an input with its value as the default, whose type the input has.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr_language::definitions::{Definitions, Inputs, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new().with(Role::inputs("variables", "var.{attribute}"));
    /// let file = hcl_lr::parse::<hcl_lr::ConfigFile>("variables {\n  size = 1\n}\n").into_result()?;
    /// let definitions = Definitions::of(&roles, [file]).into_result()?;
    /// let evaluated = definitions.evaluate_with(&Inputs::new().with_text("size", "2"), &Scope::new());
    /// assert_eq!(evaluated.get("var.size"), Some(2.into()));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn inputs(block_type: &str, pattern: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Inputs(InputOptions::default())).typed_by_default()
    }

    /// A block whose value is that of one of its attributes, marked if its attribute `sensitive` says so.
    /// With an empty pattern nothing can refer to it: it is a result.
    pub fn value(block_type: &str, pattern: &str, attribute: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Value { attribute: attribute.to_owned() })
    }

    /// A block whose value is the object of its attributes.
    pub fn object(block_type: &str, pattern: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Object)
    }

    /// A block that calls other files, which its attribute `source` says, with its other attributes as their
    /// inputs. Its value is the object of their results.
    pub fn module(block_type: &str, pattern: &str, source: &str) -> Role {
        let role = Role::new(Some(block_type), pattern, Kind::Module { source: source.to_owned() });
        role.by_attribute()
    }

    /// A block whose value is only known later, whatever is written in it.
    pub fn later(block_type: &str, pattern: &str) -> Role {
        Role::new(Some(block_type), pattern, Kind::Later)
    }

    /// A block with a label that defines a function of this name, by `params`, `variadic_param` and `result`.
    pub fn function(block_type: &str) -> Role {
        Role::new(Some(block_type), "", Kind::Function).labels(["name"])
    }

    /// Sets the attribute of a function with the name of what takes all further arguments, which is `variadic_param` by
    /// default.
    pub fn variadic(mut self, attribute: impl Into<String>) -> Role {
        self.options.variadic = Some(attribute.into());
        self
    }

    /// Sets the names of the labels of the blocks, if these differ from those in the pattern, in this order. A label in
    /// the pattern that is not among them never matches.
    pub fn labels<L: Into<String>>(mut self, labels: impl IntoIterator<Item = L>) -> Role {
        let labels: Vec<String> = labels.into_iter().map(L::into).collect();
        for step in &mut self.pattern.0 {
            if let Step::Label(at) = step {
                *at = labels.iter().position(|label| *label == self.labels[*at]).unwrap_or(usize::MAX);
            }
        }
        self.labels = labels;
        self
    }

    fn input_options(&mut self, change: impl FnOnce(&mut InputOptions)) {
        if let Kind::Input(options) | Kind::Inputs(options) = &mut self.kind {
            change(options);
        }
    }

    /// The value of an input that has neither been given nor has a default. With a `type` it is null.
    pub fn otherwise(mut self, value: impl Into<Value>) -> Role {
        self.input_options(|options| options.otherwise = Some(value.into()));
        self
    }

    /// The default of an input must be a constant: it refers to nothing, and calls nothing but these functions. If there
    /// are none, strings in JSON are no templates. It must fit the type even if another value is given.
    pub fn constant_default<N: Into<String>>(mut self, functions: impl IntoIterator<Item = N>) -> Role {
        let functions = functions.into_iter().map(N::into).collect();
        self.input_options(|options| (options.is_constant, options.functions) = (true, functions));
        self
    }

    /// Returns the functions that a constant default may call; `None` if it may call none.
    pub(super) fn default_functions(&self) -> Option<&[String]> {
        match &self.kind {
            Kind::Input(options) | Kind::Inputs(options) => {
                Some(&options.functions[..]).filter(|functions| !functions.is_empty())
            }
            _ => None,
        }
    }

    /// A value of an input without a `type` that is given as a text has the type of the default, if that is a string, a
    /// number or a bool. Without a default it is a string.
    pub fn typed_by_default(mut self) -> Role {
        self.input_options(|options| options.typed_by_default = true);
        self
    }

    /// The value of the block is in no stored data: it has the mark `ephemeral`, if the table
    /// [protects such values](super::Roles::protecting_ephemeral).
    pub fn ephemeral(mut self) -> Role {
        self.options.ephemeral = true;
        self
    }

    /// The arguments of the block are stored, so that ephemeral values are errors, except in arguments with these names. A
    /// name that begins with `*` matches all that end so.
    pub fn stored<N: Into<String>>(mut self, except: impl IntoIterator<Item = N>) -> Role {
        self.options.stored = Some(except.into_iter().map(N::into).collect());
        self
    }

    /// Returns true if the value of an argument is used without being stored.
    pub(super) fn is_write_only(&self, name: &str) -> bool {
        self.options.stored.iter().flatten().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => name.ends_with(end),
            None => name == pattern,
        })
    }

    /// The block has attributes that are not written, too: these, those that are null, and all of it as one value,
    /// are only known later.
    pub fn open(mut self) -> Role {
        self.options.open = true;
        self
    }

    /// A reference to an attribute of the block depends on this attribute only, and not on all of the block.
    pub fn by_attribute(mut self) -> Role {
        self.options.by_attribute = true;
        self
    }
    /// The definition depends on all that its block refers to: two cannot need each other, even by different attributes, and
    /// none can refer to itself by its address.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, parse};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    ///
    /// let roles = Roles::new().with(Role::object("task", "task.{name}").by_attribute().whole());
    /// let text = "task \"a\" {\n  x = 1\n  y = task.b.x\n}\ntask \"b\" {\n  x = task.a.x\n}\n";
    /// let file = parse::<ConfigFile>(("tasks.hcl", text)).into_result()?;
    /// let problems = Definitions::of(&roles, [file]).into_parts().1;
    /// assert!(problems.to_string().contains("task.a → task.b → task.a"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn whole(mut self) -> Role {
        self.options.whole = true;
        self
    }

    /// Returns true if an attribute or block of this name in the block is not part of its value.
    #[doc(hidden)]
    pub fn ignores(&self, name: &str) -> bool {
        self.options.ignore.iter().any(|known| known == name)
    }

    /// Attributes, and types of blocks, that are not part of the value.
    pub fn ignore<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Role {
        self.options.ignore.extend(names.into_iter().map(N::into));
        self
    }

    /// An attribute that has a value where the block does not set it.
    pub fn with_default(mut self, name: impl Into<String>, value: impl Into<Value>) -> Role {
        self.options.defaults.push((name.into(), value.into()));
        self
    }

    /// A type of blocks in the block that are part of the value, as a list of objects. Others are not.
    pub fn with_blocks(mut self, block_type: impl Into<String>) -> Role {
        self.options.blocks.push(block_type.into());
        self
    }

    /// All that is in the block is part of its value: its blocks are lists of objects by their types and labels.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new().with(Role::object("job", "job.{name}").nested());
    /// let text = "job \"a\" {\n  group \"web\" {\n    count = 1 + 1\n  }\n}\n";
    /// let evaluated = Definitions::of(&roles, [hcl_lr::parse::<hcl_lr::ConfigFile>(text).into_result()?]).into_result()?.evaluate(&Scope::new());
    /// assert_eq!(evaluated.get("job.a").expect("it is there").to_string(), "{ group = { web = [{ count = 2 }] } }");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn nested(mut self) -> Role {
        self.options.nested = true;
        self
    }

    /// `dynamic` blocks may generate blocks in the block. In native syntax they always do.
    pub fn with_dynamic_blocks(mut self) -> Role {
        self.options.dynamic = true;
        self
    }

    /// The block stands for one for each element of a map, an object or a set, which is the value of this
    /// attribute. In the block, `each.key` and `each.value` are what it is for. Its value is an object.
    pub fn for_each(mut self, attribute: impl Into<String>) -> Role {
        self.options.for_each = Some(attribute.into());
        self
    }

    /// The block stands for as many as the value of this attribute. In the block, `count.index` says which of
    /// them it is, counted from 0. Its value is a tuple.
    pub fn count(mut self, attribute: impl Into<String>) -> Role {
        self.options.count = Some(attribute.into());
        self
    }

    /// There is such a block only if this attribute is true, which may be in blocks in the block, as in
    /// `lifecycle.enabled`. If there is none, its value is null.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new().with(Role::object("task", "task.{name}").by_attribute().enabled("when.enabled"));
    /// let text = "task \"a\" {\n  n = 1\n  when {\n    enabled = false\n  }\n}\n";
    /// let evaluated = Definitions::of(&roles, [hcl_lr::parse::<hcl_lr::ConfigFile>(text).into_result()?]).into_result()?.evaluate(&Scope::new());
    /// assert!(evaluated.get("task.a").is_some_and(|value| value.is_null()));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn enabled(mut self, path: &str) -> Role {
        let mut blocks: Vec<String> = path.split('.').map(str::to_owned).collect();
        self.options.enabled = blocks.pop().map(|attribute| (blocks, attribute));
        self
    }

    /// Blocks in the block say what must hold: each has a `condition`, and an `error_message` for when it is false. A
    /// path such as `lifecycle.precondition` leads to those in other blocks.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    /// use hcl_lr::{Scope, parse};
    ///
    /// let roles = Roles::new().with(Role::object("task", "task.{name}").by_attribute().checks("require").itself("self"));
    /// let text = "task \"a\" {\n  n = 1\n  require {\n    condition = self.n > 1\n    error_message = \"n is small\"\n  }\n}\n";
    /// let file = parse::<ConfigFile>(text).into_result()?;
    /// let evaluated = Definitions::of(&roles, [file]).into_result()?.evaluate(&Scope::new());
    /// assert!(evaluated.diagnostics().to_string().contains("n is small"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn checks(mut self, path: &str) -> Role {
        self.options.checks.push(path.split('.').map(str::to_owned).collect());
        self
    }

    /// Expressions in the block can refer to its attributes by this name, such as `self`.
    pub fn itself(mut self, name: impl Into<String>) -> Role {
        self.options.itself = Some(name.into());
        self
    }

    /// The keys of this attribute, an object, are variables in the block that are only known later, as the
    /// `matrix` of a build is.
    pub fn variables(mut self, attribute: impl Into<String>) -> Role {
        self.options.variables = Some(attribute.into());
        self
    }

    /// Expressions can refer to it in another way, too, as `resource.aws_vpc.main` is `aws_vpc.main` in Terraform. The
    /// address has the labels of the first one, by the same names.
    pub fn alias(mut self, address: &str) -> Role {
        let (mut pattern, labels) = Pattern::read(address);
        for step in &mut pattern.0 {
            if let Step::Label(at) = step {
                *at = self.labels.iter().position(|label| *label == labels[*at]).unwrap_or(usize::MAX);
            }
        }
        self.options.aliases.push(pattern);
        self
    }

    /// Adds strings in the block that name definitions.
    pub fn names(mut self, names: StringReferences) -> Role {
        self.options.names.push(Arc::new(names));
        self
    }

    /// Sets the meaning of two definitions of one name.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Role {
        self.duplicates = duplicates;
        self
    }

    /// Returns true if an attribute names definitions instead of using their values.
    pub(super) fn has_addresses_in(&self, attribute: &str) -> bool {
        let mut names = self.options.names.iter().filter(|names| names.is_address());
        names.any(|names| names.attribute.as_deref() == Some(attribute))
    }

    /// Returns true if each attribute of the block is a definition.
    pub fn defines_attributes(&self) -> bool {
        self.attribute.is_none() && matches!(self.kind, Kind::Attributes | Kind::Inputs(_))
    }

    /// Returns true if the blocks, or their attributes, take values from outside.
    pub fn is_input(&self) -> bool {
        matches!(self.kind, Kind::Input(_) | Kind::Inputs(_))
    }

    pub(super) fn is_module(&self) -> bool {
        matches!(self.kind, Kind::Module { .. })
    }

    /// The type of the blocks; `None` if it is about the attributes of the files themselves.
    pub fn block_type(&self) -> Option<&str> {
        self.block_type.as_deref()
    }

    /// Returns the attribute that names the files which blocks of the type call as a module. `None` if they call none.
    pub fn module_source(&self) -> Option<&str> {
        match &self.kind {
            Kind::Module { source } => Some(source),
            _ => None,
        }
    }

    /// Returns the attribute that repeats the blocks for each element of a collection, and the one for a number of them.
    pub fn repeated_by(&self) -> (Option<&str>, Option<&str>) {
        (self.options.for_each.as_deref(), self.options.count.as_deref())
    }

    /// Returns the name by which expressions in a block refer to the block, such as `self`.
    pub fn own_name(&self) -> Option<&str> {
        self.options.itself.as_deref()
    }

    /// Returns the name that a block needs so that a reference leads to it, or to an attribute in it: its next label after
    /// those that it has, or else the name of the attribute. `None` if the reference leads elsewhere.
    ///
    /// ```
    /// use hcl_lr_language::definitions::Role;
    ///
    /// let data = Role::object("data", "data.{type}.{name}");
    /// assert_eq!(data.name_for(&["dns"], "data.dns.main.id"), Some("main"));
    /// assert_eq!(data.name_for(&["file"], "data.dns.main.id"), None);
    /// assert_eq!(Role::attributes("locals", "local.{attribute}").name_for(&[], "local.name"), Some("name"));
    /// ```
    pub fn name_for<'r>(&self, labels: &[&str], reference: &'r str) -> Option<&'r str> {
        let patterns = || std::iter::once(&self.pattern).chain(&self.options.aliases);
        let name = patterns().find_map(|pattern| pattern.next_name(self.labels.len(), labels, reference))?;
        Some(name).filter(|name| self.attribute.as_ref().is_none_or(|only| only == name))
    }

    /// Returns the position of the name of a definition among the steps of an address that leads to it: of its last
    /// label, or of its attribute. `None` if the address does not contain it.
    pub(super) fn name_step(&self, steps: &[&str]) -> Option<usize> {
        let patterns = std::iter::once(&self.pattern).chain(&self.options.aliases);
        let fits = |pattern: &&Pattern| {
            let is_same = |(part, step): (&Step, &&str)| !matches!(part, Step::Name(fixed) if fixed != step);
            pattern.0.len() == steps.len() && pattern.0.iter().zip(steps).all(is_same)
        };
        let is_name = |part: &Step| match part {
            Step::Name(_) => false,
            Step::Label(at) => self.attribute.is_none() && at + 1 == self.labels.len(),
            Step::Attribute => true,
        };
        patterns.filter(fits).find_map(|pattern| pattern.0.iter().rposition(is_name))
    }

    /// Returns the names of the labels of the blocks.
    pub fn label_names(&self) -> &[String] {
        &self.labels
    }
}
