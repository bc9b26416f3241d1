//! Roles: the blocks and attributes that define names, and the addresses of the definitions.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::companions::CompanionFiles;
use super::string_references::StringReferences;
use crate::eval::{Function, Functions, Parameter};
use crate::model::{Type, Value};

/// The roles of an application: the blocks and attributes of its files that define names, and the addresses of the
/// definitions in expressions.
///
/// ```
/// use hcl_lr::definitions::{Role, Roles};
///
/// let roles = Roles::new()
///     .with(Role::input("variable", "var.{name}"))
///     .with(Role::attributes("locals", "local.{attribute}"))
///     .with(Role::object("task", "task.{name}").by_attribute())
///     .with(Role::value("output", "", "value").labels(["name"]))
///     .with_later("env");
/// assert_eq!(roles.roles().len(), 4);
/// ```
///
/// A [schema](crate::schema::Schema::roles) has such a table, too: one of a file, or of a
/// [well-known program](crate::schema::LANGUAGES).
#[derive(Clone, Default)]
pub struct Roles {
    pub(super) roles: Vec<Role>,
    pub(super) later: Vec<String>,
    functions: Functions,
    /// Those whose results are only known later; a name that ends with `*` is any that begins so.
    later_functions: Vec<String>,
    /// The names of files, without their extensions, that change what the others say.
    overrides: Vec<String>,
    checks_blocks: bool,
    protects_sensitive: bool,
    undefined_is_text: bool,
    /// Types of blocks that read other files, and names below which these may define more.
    elsewhere: Vec<(String, String)>,
    /// Types of blocks with the attributes in them that hold addresses, which may be of what is not defined.
    addresses_in: Vec<(String, String)>,
    /// The strings that name definitions in blocks without a role.
    names: Vec<Arc<StringReferences>>,
    pub(super) beside: Vec<CompanionFiles>,
}

/// The definitions of blocks of a type, or of the attributes in blocks of a type.
#[derive(Clone, Debug)]
pub struct Role {
    pub(super) block_type: Option<String>,
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
    /// Attributes and blocks that are not part of the value.
    pub ignore: Vec<String>,
    /// Types of blocks that are part of the value, as lists of objects.
    pub blocks: Vec<String>,
    /// True if all blocks are part of the value.
    pub nested: bool,
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

/// The address of definitions, such as `data.{type}.{name}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern(pub Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    /// The label with this number.
    Label(usize),
    /// The name of the attribute.
    Attribute,
}

/// The step that stands for the name of an attribute.
const ATTRIBUTE: &str = "attribute";

impl Pattern {
    /// The pattern, and what the labels in it are called.
    pub(super) fn read(text: &str) -> (Pattern, Vec<String>) {
        let mut labels: Vec<String> = Vec::new();
        let steps = text.split('.').filter(|step| !step.is_empty()).map(|step| {
            match step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
                Some(ATTRIBUTE) => Step::Attribute,
                Some(label) => Step::Label(labels.iter().position(|known| known == label).unwrap_or_else(|| {
                    labels.push(label.to_owned());
                    labels.len() - 1
                })),
                None => Step::Name(step.to_owned()),
            }
        });
        (Pattern(steps.collect()), labels)
    }

    /// Returns true if expressions cannot refer to it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Roles {
    /// A table without roles: nothing is defined.
    pub fn new() -> Self {
        Roles::default()
    }

    /// The table for files without blocks that define anything: the attributes of a file see each other.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value, parse};
    /// use hcl_lr::definitions::{Definitions, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let file = parse::<ConfigFile>("b = a + 1\na = 1\n").into_result()?;
    /// let definitions = Definitions::of(&Roles::attributes(), [file]).into_result()?;
    /// assert_eq!(definitions.evaluate(&Scope::new()).get("b"), Some(Value::from(2)));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn attributes() -> Self {
        Roles::new().with(Role::top_level("{attribute}"))
    }

    /// The table with one more role. Of two roles for one type of block the last one counts.
    pub fn with(mut self, role: Role) -> Self {
        self.roles.retain(|known| known.block_type != role.block_type);
        self.roles.push(role);
        self
    }

    /// The table with a name that stands for something only known later, as `path` and `terraform` do in
    /// Terraform, or with names in a name, such as `source.type`. A variable of this name in the scope of an
    /// evaluation hides it.
    pub fn with_later(mut self, name: impl Into<String>) -> Self {
        self.later.push(name.into());
        self
    }

    /// The table with functions that the files can use.
    pub fn with_functions(mut self, functions: Functions) -> Self {
        self.functions = functions;
        self
    }

    /// The table with functions whose results are only known later, by name, or all of a namespace, as in
    /// `provider::*`. A function of this name in the scope of an evaluation hides it.
    pub fn with_later_functions<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        let (all, names): (Vec<String>, Vec<String>) =
            names.into_iter().map(N::into).partition(|name| name.ends_with('*'));
        self.later_functions.extend(all.into_iter().map(|name| name.trim_end_matches('*').to_owned()));
        let known: Vec<(String, Function)> = names.into_iter().map(|name| (name, later())).collect();
        let known: Functions = known.into_iter().collect();
        self.functions = known.with_all(&self.functions);
        self
    }

    /// Returns true if the result of a function is only known later, according to its namespace.
    pub(super) fn is_later_function(&self, name: &str) -> bool {
        self.later_functions.iter().any(|start| name.starts_with(start.as_str()))
    }

    /// Returns true if there are namespaces of such functions.
    pub(super) fn has_later_namespaces(&self) -> bool {
        !self.later_functions.is_empty()
    }

    /// The table with a name of files, without the extension, that override the others: a definition in such
    /// a file inherits everything that it does not set from the one of its name in another file. A name that begins with
    /// `*` matches all files whose names end so.
    pub fn with_overriding_files(mut self, name: impl Into<String>) -> Self {
        self.overrides.push(name.into());
        self
    }

    /// The table, for files in which a name that is not defined is an error in all blocks: also in those without a
    /// role, and in blocks in blocks, on which no value depends.
    ///
    /// ```
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let roles = Roles::new().with(Role::attributes("locals", "local.{attribute}"));
    /// let file = parse::<ConfigFile>("locals {\n  a = 1\n}\nprovider {\n  b = local.c\n}\n").into_result()?;
    /// assert!(Definitions::of(&roles, [file.clone()]).into_result().is_ok());
    /// assert!(Definitions::of(&roles.checking_blocks(), [file]).into_result().is_err());
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn checking_blocks(mut self) -> Self {
        self.checks_blocks = true;
        self
    }

    pub(super) fn checks_blocks(&self) -> bool {
        self.checks_blocks
    }

    /// The table, for files in which sensitive values stay hidden: a result of the application with a sensitive value must
    /// say `sensitive = true`, and blocks cannot be repeated for sensitive elements.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value};
    /// use hcl_lr::definitions::{Definitions, Inputs, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new()
    ///     .with(Role::input("variable", "var.{name}"))
    ///     .with(Role::value("output", "", "value").labels(["name"]))
    ///     .protecting_sensitive();
    /// let text = "variable \"key\" {\n  sensitive = true\n}\noutput \"key\" {\n  value = var.key\n}\n";
    /// let definitions = Definitions::of(&roles, [hcl_lr::parse::<hcl_lr::ConfigFile>(text).into_result()?]).into_result()?;
    /// let evaluated = definitions.evaluate_with(&Inputs::new().with("key", "1"), &Scope::new());
    /// assert!(evaluated.diagnostics().to_string().contains("this value is sensitive"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn protecting_sensitive(mut self) -> Self {
        self.protects_sensitive = true;
        self
    }

    pub(super) fn protects_sensitive(&self) -> bool {
        self.protects_sensitive
    }

    /// The table, for files in which a variable that nothing defines stands for its own text, so that another program can
    /// fill it in later: `"${host.name}"` is just that string.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value};
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new().with(Role::attributes("locals", "local.{attribute}")).with_undefined_as_text();
    /// let file = hcl_lr::parse::<hcl_lr::ConfigFile>("locals {\n  a = \"on ${host.name}\"\n}\n").into_result()?;
    /// let evaluated = Definitions::of(&roles, [file]).into_result()?.evaluate(&Scope::new());
    /// assert_eq!(evaluated.get("local.a"), Some(Value::from("on ${host.name}")));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_undefined_as_text(mut self) -> Self {
        self.undefined_is_text = true;
        self
    }

    pub(super) fn undefined_is_text(&self) -> bool {
        self.undefined_is_text
    }

    /// The table with a type of blocks that read other files, which may define more below a name. In files with such a
    /// block, what is not defined below the name is only known later.
    ///
    /// ```
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new().with(Role::later("dependency", "dependency.{name}"));
    /// let roles = roles.with(Role::attributes("locals", "local.{attribute}")).with_elsewhere("include", "dependency");
    /// let file = hcl_lr::parse::<hcl_lr::ConfigFile>("include \"root\" {}\nlocals {\n  id = dependency.vpc.id\n}\n").into_result()?;
    /// assert!(Definitions::of(&roles, [file]).into_result().is_ok());
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_elsewhere(mut self, block_type: impl Into<String>, name: impl Into<String>) -> Self {
        self.elsewhere.push((block_type.into(), name.into()));
        self
    }

    pub(super) fn elsewhere(&self) -> &[(String, String)] {
        &self.elsewhere
    }

    /// The table with an attribute of blocks of a type in which names that are not defined are no mistake, as in
    /// `moved { from = host.old }`.
    pub fn with_addresses_in(mut self, block_type: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.addresses_in.push((block_type.into(), attribute.into()));
        self
    }

    pub(super) fn has_addresses(&self, block_type: &str, attribute: &str) -> bool {
        self.addresses_in.iter().any(|(known, name)| known == block_type && name == attribute)
    }

    /// Adds strings that name definitions. The path of `names` begins with the type of a block of the file, which
    /// needs no role, as in `build.sources`.
    ///
    /// ```
    /// use hcl_lr::definitions::{Definitions, References, Role, Roles, StringReferences};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let roles = Roles::new()
    ///     .with(Role::object("source", "source.{type}.{name}"))
    ///     .with_names(StringReferences::new("build.sources", ["source.{type}.{name}"]).written(["{type}.{name}"]));
    /// let text = "source \"null\" \"a\" {}\nbuild {\n  sources = [\"null.a\"]\n}\n";
    /// let definitions = Definitions::of(&roles, [parse::<ConfigFile>(text).into_result()?]).into_result()?;
    /// let source = definitions.get("source.null.a").expect("the source");
    /// assert_eq!(References::new(&definitions).to(&source).len(), 1);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_names(mut self, names: StringReferences) -> Self {
        self.names.push(Arc::new(names));
        self
    }

    /// The strings that name definitions in blocks of a type that has no role.
    pub(super) fn names_in_block<'r>(&'r self, block_type: &'r str) -> impl Iterator<Item = &'r Arc<StringReferences>> {
        self.names.iter().filter(move |names| names.block_type() == Some(block_type))
    }

    /// The types of blocks without a role in which strings name definitions, with the number of their labels.
    pub(super) fn blocks_with_names(&self) -> impl Iterator<Item = (&str, usize)> {
        let is_first = |at: usize, block_type| self.names[..at].iter().all(|one| one.block_type() != Some(block_type));
        let all = self.names.iter().enumerate();
        all.filter_map(move |(at, names)| {
            let block_type = names.block_type().filter(|block_type| is_first(at, block_type))?;
            Some((block_type, names.block_labels()))
        })
    }

    /// Returns true if files can call others as modules.
    pub fn has_modules(&self) -> bool {
        self.roles.iter().any(Role::is_module)
    }

    /// Adds files that lie beside those that define names, and refer to them.
    pub fn with_companions(mut self, beside: CompanionFiles) -> Self {
        self.beside.push(beside);
        self
    }

    /// The kinds of files that lie beside those that define names.
    pub fn beside(&self) -> &[CompanionFiles] {
        &self.beside
    }

    /// The kind of a file beside, by its name.
    pub fn companions_of(&self, file: &str) -> Option<&CompanionFiles> {
        self.beside.iter().find(|beside| beside.has(file))
    }

    /// The role of the blocks of a type.
    pub(super) fn of_block(&self, block_type: &str) -> Option<&Role> {
        self.roles.iter().find(|role| role.block_type.as_deref() == Some(block_type))
    }

    /// Returns true if a file overrides definitions of others.
    pub(super) fn is_overriding(&self, file: &str) -> bool {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        // The extension may be of two parts, as in `main_override.tf.json`.
        let name = name.strip_suffix(".json").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.overrides.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => stem.ends_with(end),
            None => stem == pattern,
        })
    }

    /// The roles.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The names that stand for something only known later.
    pub fn later(&self) -> &[String] {
        &self.later
    }

    /// The functions that the files can use.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }
}

/// A function of any arguments whose result is only known later.
pub(super) fn later() -> Function {
    static FUNCTION: OnceLock<Function> = OnceLock::new();
    let make = || {
        Function::variadic(
            [],
            Parameter::new("arguments", Type::Dynamic).allow_null().allow_unknown(),
            Type::Dynamic,
            |_| Ok(Value::unknown(Type::Dynamic)),
        )
    };
    FUNCTION.get_or_init(make).clone()
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roles").field("roles", &self.roles).field("later", &self.later).finish_non_exhaustive()
    }
}

impl Role {
    fn new(block_type: Option<&str>, pattern: &str, kind: Kind) -> Role {
        let (pattern, labels) = Pattern::read(pattern);
        let block_type = block_type.map(str::to_owned);
        let (duplicates, options) = (Duplicates::default(), BlockOptions::default());
        Role { block_type, labels, pattern, kind, duplicates, options }
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
    /// use hcl_lr::definitions::{Definitions, Inputs, Role, Roles};
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

    /// Attributes, and types of blocks, that are not part of the value.
    pub fn ignore<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Role {
        self.options.ignore.extend(names.into_iter().map(N::into));
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
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
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
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
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
    /// use hcl_lr::definitions::{Definitions, Role, Roles};
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
    pub(super) fn defines_attributes(&self) -> bool {
        matches!(self.kind, Kind::Attributes | Kind::Inputs(_))
    }

    pub(super) fn is_input(&self) -> bool {
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
    ///
    /// ```
    /// use hcl_lr::schema::Schema;
    ///
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let module = roles.roles().iter().find(|role| role.block_type() == Some("module")).expect("it is there");
    /// assert_eq!(module.module_source(), Some("source"));
    /// ```
    pub fn module_source(&self) -> Option<&str> {
        match &self.kind {
            Kind::Module { source } => Some(source),
            _ => None,
        }
    }

    /// Returns the attribute that repeats the blocks for each element of a collection, and the one for a number of them.
    ///
    /// ```
    /// use hcl_lr::definitions::Role;
    ///
    /// let role = Role::object("task", "task.{name}").for_each("for_each");
    /// assert_eq!(role.repeated_by(), (Some("for_each"), None));
    /// ```
    pub fn repeated_by(&self) -> (Option<&str>, Option<&str>) {
        (self.options.for_each.as_deref(), self.options.count.as_deref())
    }

    /// Returns the name by which expressions in a block refer to the block, such as `self`.
    ///
    /// ```
    /// use hcl_lr::definitions::Role;
    ///
    /// assert_eq!(Role::object("task", "task.{name}").itself("self").own_name(), Some("self"));
    /// ```
    pub fn own_name(&self) -> Option<&str> {
        self.options.itself.as_deref()
    }

    /// Returns the names of the labels of the blocks.
    pub fn label_names(&self) -> &[String] {
        &self.labels
    }
}
