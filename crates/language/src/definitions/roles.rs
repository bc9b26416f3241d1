//! Roles: the blocks and attributes that define names, and the addresses of the definitions.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::companions::CompanionFiles;
use super::ids::{RoleId, Table};
use super::role::{Kind, Role};
use super::string_references::StringReferences;
use hcl_lr::eval::{Function, Functions, Parameter};
use hcl_lr::model::{Type, Value};

/// The roles of an application: the blocks and attributes of its files that define names, and the addresses of the
/// definitions in expressions.
///
/// ```
/// use hcl_lr_language::definitions::{Role, Roles};
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
    pub(super) roles: Table<RoleId, Role>,
    pub(super) later: Vec<String>,
    functions: Functions,
    /// Those whose results are only known later; a name that ends with `*` is any that begins so.
    later_functions: Vec<String>,
    /// The names of files, without their extensions, that change what the others say.
    overrides: Vec<String>,
    checks_blocks: bool,
    protects_sensitive: bool,
    protects_ephemeral: bool,
    /// The blocks that only the files of an application have, each as a type and the type of a block in it.
    application_blocks: Vec<(String, String)>,
    undefined_is_text: bool,
    /// The blocks without a role that have conditions: the type, the names of the labels, and the type of the blocks in it.
    conditions: Vec<(String, Vec<String>, String)>,
    /// Names that only some blocks define, such as `self`.
    scoped_names: Vec<String>,
    /// The types of blocks that the files may have; `None` if any may be meant.
    block_types: Option<Vec<String>>,
    /// Types of blocks that read other files, and names below which these may define more.
    elsewhere: Vec<(String, String)>,
    /// Types of blocks, which are also the first names of their addresses, that other files may define for these ones.
    given_elsewhere: Vec<String>,
    /// Types of blocks with the attributes in them that hold addresses, which may be of what is not defined.
    addresses_in: Vec<(String, String)>,
    /// Types of blocks with the attributes in them that are not evaluated. The type of the file itself is empty.
    unevaluated: Vec<(String, String)>,
    /// The strings that name definitions in blocks without a role.
    names: Vec<Arc<StringReferences>>,
    pub(super) beside: Vec<CompanionFiles>,
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
    /// use hcl_lr_language::definitions::{Definitions, Roles};
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

    /// The table with one more role. Of two roles for one type of block, or for one of its attributes, the last one counts.
    pub fn with(mut self, role: Role) -> Self {
        self.roles.retain(|known| (&known.block_type, &known.attribute) != (&role.block_type, &role.attribute));
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
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
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
    /// use hcl_lr_language::definitions::{Definitions, Inputs, Role, Roles};
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

    /// The table, for files whose inputs and results can say `ephemeral = true`. Their values are in no stored data, so
    /// they are errors in results and inputs that do not say so, in the attributes that repeat blocks, and in
    /// [blocks that are stored](Role::stored).
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::ConfigFile;
    ///
    /// let roles = Roles::new()
    ///     .with(Role::input("variable", "var.{name}"))
    ///     .with(Role::object("host", "host.{name}").stored(["*_wo"]))
    ///     .protecting_ephemeral();
    /// let text = "variable \"key\" {\n  ephemeral = true\n  default = \"a\"\n}\nhost \"a\" {\n  key_wo = var.key\n  key    = var.key\n}\n";
    /// let definitions = Definitions::of(&roles, [hcl_lr::parse::<hcl_lr::ConfigFile>(text).into_result()?]).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// assert_eq!(evaluated.get("var.key").expect("it is there").to_string(), "(ephemeral value)");
    /// assert_eq!(evaluated.diagnostics().iter().map(|error| error.place().position().line).collect::<Vec<_>>(), [7]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn protecting_ephemeral(mut self) -> Self {
        self.protects_ephemeral = true;
        self
    }

    pub(super) fn protects_ephemeral(&self) -> bool {
        self.protects_ephemeral
    }

    /// The table with a type of blocks in blocks of another type that only the files of an application have, not those of
    /// modules: `terraform` and `backend` in Terraform. In files with such a block, a result must not be ephemeral.
    pub fn with_application_blocks(mut self, outer: impl Into<String>, inner: impl Into<String>) -> Self {
        self.application_blocks.push((outer.into(), inner.into()));
        self
    }

    /// The table with a type of blocks that define nothing and have conditions, in blocks of another type in them. A condition that
    /// does not hold is a warning: `check` and `assert` in Terraform.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Scope, parse};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    ///
    /// let roles = Roles::new().with(Role::attributes("locals", "local.{attribute}")).with_conditions("check", ["name"], "assert");
    /// let text = "locals {\n  a = 1\n}\ncheck \"size\" {\n  assert {\n    condition     = local.a > 1\n    error_message = \"Too few.\"\n  }\n}\n";
    /// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
    /// let evaluated = Definitions::of(&roles, [file]).into_result()?.evaluate(&Scope::new());
    /// assert!(!evaluated.diagnostics().has_errors() && evaluated.diagnostics().to_string().contains("Too few."));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_conditions<L: Into<String>>(
        mut self,
        block_type: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
        condition: impl Into<String>,
    ) -> Self {
        self.conditions.push((block_type.into(), labels.into_iter().map(Into::into).collect(), condition.into()));
        self
    }

    pub(super) fn conditions(&self) -> &[(String, Vec<String>, String)] {
        &self.conditions
    }

    pub(super) fn application_blocks(&self) -> &[(String, String)] {
        &self.application_blocks
    }

    /// The table, for files in which a variable that nothing defines stands for its own text, so that another program can
    /// fill it in later: `"${host.name}"` is just that string.
    ///
    /// ```
    /// use hcl_lr::{Scope, Value};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
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

    /// The table with names that only some blocks define, such as `self`. A [check](crate::schema::Checker) of the files
    /// reports them in other blocks.
    pub fn with_scoped_names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.scoped_names.extend(names.into_iter().map(N::into));
        self
    }

    /// The table with the only types of blocks that the files can have. Expressions in others are not evaluated: a
    /// [check](crate::schema::Checker) of the files reports the blocks, unless they are in another language.
    pub fn with_only_blocks<N: Into<String>>(mut self, types: impl IntoIterator<Item = N>) -> Self {
        self.block_types.get_or_insert_default().extend(types.into_iter().map(N::into));
        self
    }

    /// Returns true if files can have blocks of a type.
    pub(super) fn may_have_block(&self, block_type: &str) -> bool {
        self.block_types.as_ref().is_none_or(|types| types.iter().any(|known| known == block_type))
    }

    pub(super) fn scoped_names(&self) -> &[String] {
        &self.scoped_names
    }

    /// The table with a type of blocks that read other files, which may define more below a name. In files with such a
    /// block, what is not defined below the name is only known later.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
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

    /// The table with a type of blocks that other files may define for these ones, without being named in them. In files
    /// without such a block, what is not defined below a name is only known later.
    pub fn with_given_elsewhere(mut self, name: impl Into<String>) -> Self {
        self.given_elsewhere.push(name.into());
        self
    }

    pub(super) fn given_elsewhere(&self) -> &[String] {
        &self.given_elsewhere
    }

    /// The table with an attribute of blocks of a type in which names that are not defined are no mistake, as in
    /// `moved { from = host.old }`. The attribute `*` stands for all.
    pub fn with_addresses_in(mut self, block_type: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.addresses_in.push((block_type.into(), attribute.into()));
        self
    }

    pub(super) fn has_addresses(&self, block_type: &str, attribute: &str) -> bool {
        self.addresses_in.iter().any(|(known, name)| known == block_type && (name == attribute || name == "*"))
    }

    /// The table with an attribute of blocks of a type that is not evaluated, such as a type. Its value is its source text.
    /// With an empty type it is an attribute of the files themselves.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Scope, parse};
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    ///
    /// let roles = Roles::new().with(Role::object("field", "field.{name}").by_attribute()).with_unevaluated("field", "type");
    /// let text = "field \"a\" {\n  type = list(string)\n}\n";
    /// let file = parse::<ConfigFile>(text).into_result()?;
    /// let evaluated = Definitions::of(&roles, [file]).into_result()?.evaluate(&Scope::new());
    /// assert_eq!(evaluated.get("field.a.type"), Some("list(string)".into()));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_unevaluated(mut self, block_type: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.unevaluated.push((block_type.into(), attribute.into()));
        self
    }

    /// Returns true if an attribute is not evaluated. The type of an input never is.
    pub(super) fn is_unevaluated(&self, block_type: &str, attribute: &str) -> bool {
        let is_input = |role: &Role| matches!(role.kind, Kind::Input(_));
        attribute == "type" && self.of_block(block_type).is_some_and(is_input)
            || self.unevaluated.iter().any(|(known, name)| known == block_type && name == attribute)
    }

    /// Adds strings that name definitions. The path of `names` begins with the type of a block of the file, which
    /// needs no role, as in `build.sources`.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, References, Role, Roles, StringReferences};
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

    /// The strings that name definitions in attributes at the top of files.
    pub(super) fn names_at_top(&self) -> impl Iterator<Item = &Arc<StringReferences>> {
        self.names.iter().filter(|names| names.block_type().is_none())
    }

    /// The types of blocks without a role in which strings name definitions, with the number of their labels.
    pub(super) fn blocks_with_names(&self) -> impl Iterator<Item = (&str, usize)> {
        let is_first =
            |at: usize, block_type| self.names[..at].iter().all(|names| names.block_type() != Some(block_type));
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
        self.roles.iter().find(|role| role.attribute.is_none() && role.block_type.as_deref() == Some(block_type))
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
        self.roles.as_slice()
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
