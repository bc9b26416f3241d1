//! A language on HCL: what its files define, and what they can contain.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hcl_lr::ConfigFile;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::functions::FunctionSet;
use hcl_lr_language::definitions::Roles;
use hcl_lr_language::schema::{Catalog, Checker, Facts, HiddenSpans, LANGUAGES, Schema, Version, is_hcl_file};

/// A language on HCL: what its files define, and what they can contain. Cheap to clone.
///
/// A language that was chosen by the name of a file may stand for several that share the name: `main.tf` is read by
/// Terraform and by OpenTofu. Then only what is wrong in all of them is an error.
#[derive(Clone)]
pub struct Language(Arc<Inner>);

struct Inner {
    name: String,
    /// The schema; `None` for a language of roles alone, and for plain HCL.
    schema: Option<Schema>,
    /// The schema that includes all languages which the name of a file may mean, as OpenTofu includes Terraform.
    defining: Option<Schema>,
    roles: OnceLock<Roles>,
    functions: FunctionSet,
    together: bool,
    is_checked: bool,
    /// True if it was chosen by the name of a file.
    is_by_name: bool,
    additions: Additions,
    /// The checkers of the schema, and of the other languages with files of the same names. Those of shipped languages
    /// without additions are shared by all.
    checkers: Mutex<HashMap<String, Arc<Checker>>>,
    /// The blocks of files in JSON, by the names of the kinds of files.
    blocks: Mutex<HashMap<String, Arc<ConversionSchema>>>,
}

/// Additions to a schema that checks take into account: catalogs, and the version.
#[derive(Clone, Default)]
pub struct Additions {
    /// The contents of catalogs, such as the schemas of providers.
    pub catalog: Option<Arc<dyn Catalog>>,
    /// The version of the language.
    pub version: Option<Version>,
}

impl Additions {
    fn checker(&self, schema: &Schema) -> Checker {
        let mut checker = Checker::new(schema);
        if let Some(version) = &self.version {
            checker = checker.with_version(version);
        }
        match &self.catalog {
            Some(catalog) => checker.with_catalog(Arc::clone(catalog)),
            None => checker,
        }
    }

    /// Returns true if checks by a schema depend on them.
    fn matter_to(&self, schema: &Schema) -> bool {
        self.version.is_some() || self.catalog.is_some() && !schema.catalogs.is_empty()
    }
}

impl Language {
    fn of(inner: Inner) -> Language {
        Language(Arc::new(inner))
    }

    /// Creates a language in which all files of a folder form one name space.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Role, Roles};
    /// use hcl_lr_project::Language;
    ///
    /// let roles = Roles::new().with(Role::object("task", "task.{name}"));
    /// assert_eq!(Language::new("tasks", roles).name(), "tasks");
    /// ```
    pub fn new(name: impl Into<String>, roles: Roles) -> Language {
        Language::of(Inner {
            name: name.into(),
            schema: None,
            defining: None,
            roles: roles.into(),
            functions: FunctionSet::Extended,
            together: true,
            is_checked: true,
            is_by_name: false,
            additions: Additions::default(),
            checkers: Mutex::default(),
            blocks: Mutex::default(),
        })
    }

    /// The language that a schema describes.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr_project::Language;
    ///
    /// let text = "language \"service\" {\n  files \"all\" {\n    patterns = [\"*.service.hcl\"]\n    body     = all\n  }\n}\npart \"all\" {\n  attribute \"port\" {\n    type = number\n  }\n}\n";
    /// let schema: Schema = hcl_lr::parse(("service.schema.hcl", text)).into_result()?;
    /// assert_eq!(Language::of_schema(&schema).name(), "service");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn of_schema(schema: &Schema) -> Language {
        Language::described_by(schema, schema, false)
    }

    /// Creates the language of a schema, with the definitions of another one that extends it.
    fn described_by(schema: &Schema, defining: &Schema, is_by_name: bool) -> Language {
        let plain = Language::new(&schema.name, Roles::new());
        plain.with(|inner| {
            // Bodies of schemas nest to any depth, and expressions refer to nothing in them.
            inner.roles = if schema.name == "schema" { Roles::new().into() } else { OnceLock::new() };
            inner.functions = schema.functions.last().copied().unwrap_or(FunctionSet::Extended);
            let mut kinds = schema.defining_files().chain(schema.files.first()).map(|files| files.together);
            // Files that define nothing need no others.
            inner.together = match schema.defining_files().next() {
                Some(_) => schema.defining_files().any(|files| files.together),
                None => kinds.next().unwrap_or_default(),
            };
            inner.is_by_name = is_by_name;
            inner.defining = Some(defining.clone());
            inner.schema = Some(schema.clone());
        })
    }

    /// Returns the shipped language with a name: one of [`LANGUAGES`].
    ///
    /// ```
    /// use hcl_lr_project::Language;
    ///
    /// assert_eq!(Language::named("bake").expect("it is there").name(), "bake");
    /// assert!(Language::named("cobol").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Language> {
        shipped(name, false)
    }

    /// Returns the language that the name of a file suggests; plain HCL if there is none. `has` returns true if the top
    /// level of the file has an attribute or block with a name: some names are used by several languages.
    pub fn by_name(path: &str, has: &dyn Fn(&str) -> bool) -> Language {
        let found = Schema::detect_for_file(path, has);
        let language = found.and_then(|schema| shipped(&schema.extended().unwrap_or(schema).name, true));
        match language {
            Some(language) if path.ends_with(".terraform.lock.hcl") => language.as_data(),
            language => language.unwrap_or_else(Language::plain),
        }
    }

    /// Returns plain HCL: the attributes of a file can refer to each other, and no name is an error.
    pub fn plain() -> Language {
        static PLAIN: OnceLock<Language> = OnceLock::new();
        let make = || {
            let plain = Language::new("hcl", Roles::attributes());
            plain.with(|inner| (inner.together, inner.is_checked) = (false, false))
        };
        PLAIN.get_or_init(make).clone()
    }

    /// Returns the language for files of the program that define and refer to nothing.
    fn as_data(&self) -> Language {
        static KNOWN: OnceLock<Language> = OnceLock::new();
        let make = || {
            let language = self.schema().map(|schema| Language::described_by(schema, schema, true));
            language.unwrap_or_else(Language::plain).with(|inner| {
                inner.name += "-lock";
                inner.roles = Roles::new().into();
                (inner.together, inner.is_checked) = (false, false);
            })
        };
        KNOWN.get_or_init(make).clone()
    }

    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Language {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            change(inner);
        }
        self
    }

    /// Adds contents of catalogs, such as the schemas of providers, and the version. A language that does not depend
    /// on them is unchanged.
    #[must_use]
    pub fn with_additions(&self, additions: &Additions) -> Language {
        let Some(schema) = self.0.schema.as_ref().filter(|schema| additions.matter_to(schema)) else {
            return self.clone();
        };
        let defining = self.0.defining.as_ref().unwrap_or(schema);
        let (functions, together, is_checked) = (self.0.functions, self.0.together, self.0.is_checked);
        Language::described_by(schema, defining, self.0.is_by_name).with(|inner| {
            (inner.functions, inner.together, inner.is_checked) = (functions, together, is_checked);
            inner.additions = additions.clone();
        })
    }

    /// Sets the functions for completion and help.
    #[must_use]
    pub fn with_functions(self, functions: FunctionSet) -> Language {
        self.with(|inner| inner.functions = functions)
    }

    /// Makes each file a name space of its own.
    #[must_use]
    pub fn file_by_file(self) -> Language {
        self.with(|inner| inner.together = false)
    }

    /// Returns the name, such as `terraform`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns true if this is the language with a name, or one that extends it.
    pub fn is(&self, name: &str) -> bool {
        self.0.name == name || self.schema().is_some_and(|schema| schema.extends.as_deref() == Some(name))
    }

    /// Returns true for plain HCL, of which nothing is known.
    pub fn is_plain(&self) -> bool {
        *self == Language::plain()
    }

    /// Returns the schema; `None` for plain HCL.
    pub fn schema(&self) -> Option<&Schema> {
        self.0.schema.as_ref()
    }

    /// Returns the findings in the text of a file, where errors about what only HCL 1 allows are warnings if the program
    /// reads its files as HCL 1.
    ///
    /// ```
    /// use hcl_lr_project::Language;
    ///
    /// let text = "path \"a\"\n{\n  \"capabilities\" = [\"read\"],\n}\npath \"b\" { policy = \"read\", name = 1 }\n";
    /// let found = hcl_lr::parse::<hcl_lr::File>(text).into_parts().1;
    /// let errors = |name: &str| {
    ///     let language = Language::named(name).expect("it is there");
    ///     language.text_findings(found.clone()).errors().count()
    /// };
    /// assert_eq!(found.len(), 4);
    /// assert_eq!((errors("vault-policy"), errors("terraform")), (0, 4));
    /// ```
    pub fn text_findings(&self, found: Diagnostics) -> Diagnostics {
        match self.schema().is_some_and(|schema| schema.reads_hcl_1) {
            true => {
                found.into_iter().map(|found| if is_valid_hcl_1(&found) { allowed(&found) } else { found }).collect()
            }
            false => found,
        }
    }

    /// Returns the schema that includes all languages that the files may be in: OpenTofu for a file that Terraform and
    /// OpenTofu read.
    pub fn widest_schema(&self) -> Option<&Schema> {
        self.0.defining.as_ref()
    }

    /// Returns the roles of definitions.
    pub fn roles(&self) -> &Roles {
        self.0.roles.get_or_init(|| self.0.defining.as_ref().map(Schema::roles).unwrap_or_default())
    }

    /// Returns the language for evaluating its files: if the schema defines no names, the attributes of a file can refer
    /// to each other, as in plain HCL.
    #[must_use]
    pub fn for_values(&self) -> Language {
        let Some(schema) = self.schema().filter(|_| !self.has_definitions()) else { return self.clone() };
        let additions = self.0.additions.clone();
        Language::described_by(schema, schema, self.0.is_by_name).with(|inner| {
            inner.roles = Roles::attributes().into();
            inner.additions = additions;
        })
    }

    /// Returns the functions that files can call, for completion and help. If several sets have one of a name, the
    /// function of this set counts.
    pub fn functions(&self) -> FunctionSet {
        self.0.functions
    }

    /// Returns the prefix of environment variables that set inputs, if there is one.
    pub fn environment(&self) -> Option<&str> {
        self.schema()?.environment.as_deref()
    }

    /// Returns true if all files of a folder form one name space.
    pub fn is_together(&self) -> bool {
        self.0.together
    }

    /// Returns true if undefined names are errors.
    pub fn is_checked(&self) -> bool {
        self.0.is_checked
    }

    /// Returns true if files define names to which expressions refer. In others, names have a meaning of their own.
    pub fn has_definitions(&self) -> bool {
        self.0.defining.as_ref().is_none_or(|schema| schema.defining_files().next().is_some())
    }

    /// Returns true if the name or path of a file is one of the language.
    pub fn has_file(&self, path: &str) -> bool {
        self.0.defining.as_ref().is_some_and(|schema| schema.files_of(path).is_some())
    }

    /// Returns true if the name or path of a file is one of the language, if the user names the language: also one that
    /// other languages use. Plain HCL can have any file.
    pub fn can_have_file(&self, path: &str) -> bool {
        match &self.0.defining {
            Some(schema) => schema.files.is_empty() || schema.can_have_file(path),
            None => is_hcl_file(path),
        }
    }

    /// Returns the patterns of the names of files in the language.
    pub fn patterns(&self) -> Vec<String> {
        self.schema().into_iter().flat_map(Schema::patterns).map(str::to_owned).collect()
    }

    /// Returns the path of the schema file; `None` for a shipped schema.
    pub fn schema_path(&self) -> Option<&str> {
        let schema = self.schema().filter(|schema| !is_shipped(schema))?;
        let path = schema.place.source().name();
        (!path.is_empty()).then_some(path)
    }

    /// Returns true if a program of the language reads a file with this name in a folder.
    pub fn reads(&self, name: &str) -> bool {
        if name.starts_with(['.', '#']) || name.ends_with('~') {
            return false;
        }
        match &self.0.defining {
            Some(schema) if schema.defining_files().next().is_some() => {
                schema.defines_names_in(name, !self.0.is_by_name) || self.roles().companions_of(name).is_some()
            }
            Some(schema) => schema.files_of(name).is_some(),
            None => is_hcl_file(name),
        }
    }

    /// Returns the checkers of the languages that a file may be in. Only what is wrong in all of them is reported, and
    /// what any of them knows is offered.
    pub fn checkers(&self, path: &str) -> Vec<Arc<Checker>> {
        let Some(schema) = self.schema() else { return Vec::new() };
        let own = || vec![self.checker_of(schema)];
        if !self.0.is_by_name {
            return own();
        }
        let fits = |other: &&Schema| other.name == schema.name || other.extends.as_deref() == Some(&schema.name);
        let all: Vec<&Schema> = Schema::all_for_file(path).filter(fits).collect();
        if all.is_empty() { own() } else { all.into_iter().map(|schema| self.checker_of(schema)).collect() }
    }

    /// Returns the checker of a schema with the additions, built once.
    fn checker_of(&self, schema: &Schema) -> Arc<Checker> {
        if is_shipped(schema) && !self.0.additions.matter_to(schema) {
            return shipped_checker(schema);
        }
        let mut known = self.0.checkers.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(schema.name.clone()).or_insert_with(|| Arc::new(self.0.additions.checker(schema))).clone()
    }

    /// Returns true if checks of a file depend on facts that other files state.
    pub fn needs_facts(&self) -> bool {
        self.schema().is_some_and(|schema| self.checker_of(schema).needs_facts())
    }

    /// Returns the facts that the files of a program state for all of it, such as the sources of providers.
    pub fn facts<'f>(&self, program: impl IntoIterator<Item = &'f ConfigFile>) -> Facts {
        self.schema().map(|schema| Facts::of_all(schema, program)).unwrap_or_default()
    }

    /// Checks a file of a program with these [facts](Self::facts) by the schema. Languages whose versions the program
    /// excludes do not count, unless it excludes all.
    pub fn check(&self, file: &ConfigFile, facts: &Facts) -> Diagnostics {
        let mut checkers = self.checkers(file.source().name());
        if checkers.iter().any(|checker| !checker.is_excluded(facts)) {
            checkers.retain(|checker| !checker.is_excluded(facts));
        }
        Checker::check_by_all(checkers.iter().map(Arc::as_ref), |checker| checker.check_with(file, facts))
    }

    /// Returns the spans of the values in a file that must not be shown.
    pub fn hidden(&self, file: &ConfigFile) -> HiddenSpans {
        let mut hidden = HiddenSpans::default();
        for checker in self.checkers(file.source().name()) {
            hidden.add(checker.hidden(file));
        }
        hidden
    }

    /// Returns the blocks of a file of the language in JSON. `has` returns true if the top level of the file has an
    /// attribute or block with a name.
    pub fn blocks(&self, path: &str, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
        // A file in JSON may have the name of one in native syntax, and `.json` after it.
        let name = match path.strip_suffix(".json") {
            Some(stem) if !self.has_file(path) => stem,
            _ => path,
        };
        let files = self.widest_schema().and_then(|schema| Some((schema, schema.files_for(name, has)?)));
        let Some((schema, files)) = files else { return Arc::default() };
        let mut known = self.0.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(schema.conversion_schema_of(files));
        known.entry(files.name.clone()).or_insert_with(make).clone()
    }
}

/// Compares identities: another language with the same name may differ.
impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Language {}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns true for the schema of a shipped language, rather than one of a file with the same name.
fn is_shipped(schema: &Schema) -> bool {
    Schema::by_name(&schema.name).is_some_and(|shipped| Arc::ptr_eq(shipped.place.source(), schema.place.source()))
}

/// Returns a shipped language. `is_by_name` is true if it was chosen by file names, which other languages may share.
fn shipped(name: &str, is_by_name: bool) -> Option<Language> {
    type Known = Vec<(&'static str, [OnceLock<Option<Language>>; 2])>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let all = KNOWN.get_or_init(|| LANGUAGES.iter().map(|name| (*name, Default::default())).collect());
    let (name, languages) = all.iter().find(|(known, _)| *known == name)?;
    let make = || {
        let schema = Schema::by_name(name)?;
        let defining = if is_by_name { schema.extension().unwrap_or(schema) } else { schema };
        Some(Language::described_by(schema, defining, is_by_name))
    };
    languages[usize::from(is_by_name)].get_or_init(make).clone()
}

/// Returns the checker of a shipped schema without additions, built once for the process.
fn shipped_checker(schema: &Schema) -> Arc<Checker> {
    type Known = Mutex<HashMap<String, Arc<Checker>>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(schema.name.clone()).or_insert_with(|| Arc::new(Checker::new(schema))).clone()
}

/// Returns true for an error about a form that HCL 1 allows: there, line breaks are like blanks, commas may follow arguments,
/// and names may be in quotes.
fn is_valid_hcl_1(found: &Diagnostic) -> bool {
    match found.code() {
        Code::QuotedName | Code::OneLineBlock | Code::MissingNewline | Code::UnexpectedComma => true,
        Code::InvalidBlockHeader => found.labels().iter().any(|label| label.place().text() == "{"),
        _ => false,
    }
}

/// Returns the warning about what only HCL 1 allows, with the fixes of the error.
fn allowed(error: &Diagnostic) -> Diagnostic {
    let warning = as_warning(error, " in HCL 2, but the program reads HCL 1, which allows this");
    let warning = error.suggestions().iter().cloned().fold(warning, Diagnostic::with_suggestion);
    let warning = error.context().into_iter().fold(warning, |warning, context| warning.with_context(context));
    error.help().into_iter().fold(warning, |warning, help| warning.with_help(help.to_owned()))
}

/// Returns a warning in place of an error, with the same labels, and with more words after those of the error.
pub(crate) fn as_warning(error: &Diagnostic, more: &str) -> Diagnostic {
    let warning = Diagnostic::warning(error.code().clone(), error.place(), format!("{}{more}", error.detail()));
    let labels = error.labels().iter();
    labels.fold(warning, |warning, label| warning.with_label(label.place(), label.message().to_owned()))
}
