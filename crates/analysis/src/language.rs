//! Languages: the files of each, and the roles of their definitions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use globset::{Glob, GlobMatcher};
use hcl_lr::functions::FunctionSet;
use hcl_lr_language::definitions::Roles;
use hcl_lr_language::schema::{Catalog, Checker, Schema, is_hcl_file, is_template_file};

use crate::description::{Description, checker_named};

/// A file that names the schema of all files in its folder and below.
pub const SCHEMA_FILE: &str = ".hcl-schema";

/// A language on HCL: what its files define, and what they can contain. Cheap to clone.
#[derive(Clone)]
pub struct Language(Arc<Inner>);

struct Inner {
    name: String,
    roles: Roles,
    functions: FunctionSet,
    together: bool,
    is_checked: bool,
    description: Option<Arc<Description>>,
}

impl Language {
    /// Creates a language in which all files of a folder form one name space.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Role, Roles};
    /// use hcl_lr_analysis::Language;
    ///
    /// let roles = Roles::new().with(Role::object("task", "task.{name}"));
    /// assert_eq!(Language::new("tasks", roles).name(), "tasks");
    /// ```
    pub fn new(name: impl Into<String>, roles: Roles) -> Language {
        Language(Arc::new(Inner {
            name: name.into(),
            roles,
            functions: FunctionSet::Extended,
            together: true,
            is_checked: true,
            description: None,
        }))
    }

    /// The language that a schema describes.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr_analysis::Language;
    ///
    /// let text = "language \"service\" {\n  files \"all\" {\n    patterns = [\"*.service.hcl\"]\n    body     = all\n  }\n}\npart \"all\" {\n  attribute \"port\" {\n    type = number\n  }\n}\n";
    /// let schema: Schema = hcl_lr::parse(("service.schema.hcl", text)).into_result()?;
    /// assert_eq!(Language::of_schema(&schema).name(), "service");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn of_schema(schema: &Schema) -> Language {
        Language::described_by(schema, schema, Description::new(Checker::new(schema), false))
    }

    /// Creates the language of a schema, with the definitions of another one that extends it.
    fn described_by(schema: &Schema, defining: &Schema, description: Description) -> Language {
        // Bodies of schemas nest to any depth, and expressions refer to nothing in them.
        let roles = if schema.name == "schema" { Roles::new() } else { defining.roles() };
        let functions = schema.functions.last().copied();
        let together = schema.files.first().is_some_and(|files| files.together);
        let language = Language::new(&schema.name, roles).with_functions(functions.unwrap_or(FunctionSet::Extended));
        let language = language.with_description(Arc::new(description));
        if together { language } else { language.file_by_file() }
    }

    /// Returns the shipped language with a name: one of [`hcl_lr_language::schema::LANGUAGES`]. Terraform includes the
    /// definitions of OpenTofu, because both read the same files.
    ///
    /// ```
    /// use hcl_lr_analysis::Language;
    ///
    /// assert_eq!(Language::named("bake").expect("it is there").name(), "bake");
    /// assert!(Language::named("cobol").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Language> {
        shipped(name, false)
    }

    /// Returns plain HCL: the attributes of a file can refer to each other, and no name is an error.
    pub fn plain() -> Language {
        static PLAIN: OnceLock<Language> = OnceLock::new();
        let make = || {
            Language::new("hcl", Roles::attributes()).with(|inner| (inner.together, inner.is_checked) = (false, false))
        };
        PLAIN.get_or_init(make).clone()
    }

    /// Returns a language for files that belong to a program, but define and refer to nothing.
    pub fn data(name: &str) -> Language {
        Language::new(name, Roles::new()).with(|inner| (inner.together, inner.is_checked) = (false, false))
    }

    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Language {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            change(inner);
        }
        self
    }

    /// Adds a description of the bodies.
    fn with_description(&self, description: Arc<Description>) -> Language {
        let Inner { name, roles, functions, together, is_checked, .. } = &*self.0;
        Language(Arc::new(Inner {
            name: name.clone(),
            roles: roles.clone(),
            functions: *functions,
            together: *together,
            is_checked: *is_checked,
            description: Some(description),
        }))
    }

    /// Adds contents from a catalog, such as the schemas of providers. A language that uses none is unchanged.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use hcl_lr_language::schema::{Catalog, ProviderSchemas};
    /// use hcl_lr_analysis::Languages;
    ///
    /// let schemas = hcl_lr::parse::<ProviderSchemas>(("schemas.json", "{ \"format_version\": \"1.0\" }")).into_result()?;
    /// let catalog: Arc<dyn Catalog> = Arc::new(schemas);
    /// let languages = Languages::default().with_catalog(catalog);
    /// assert_eq!(languages.of("/a/main.tf").name(), "terraform");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_catalog(&self, catalog: &Arc<dyn Catalog>) -> Language {
        match self.description().and_then(|description| description.with_catalog(catalog)) {
            Some(description) => self.with_description(Arc::new(description)),
            None => self.clone(),
        }
    }

    /// Sets the functions for completion and help.
    pub fn with_functions(self, functions: FunctionSet) -> Language {
        self.with(|inner| inner.functions = functions)
    }

    /// Makes each file a name space of its own.
    pub fn file_by_file(self) -> Language {
        self.with(|inner| inner.together = false)
    }

    /// Returns the name, such as `terraform`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the roles of definitions.
    pub fn roles(&self) -> &Roles {
        &self.0.roles
    }

    /// Returns the functions that files can call, for completion and help.
    pub fn functions(&self) -> FunctionSet {
        self.0.functions
    }

    /// Returns true if all files of a folder form one name space.
    pub fn is_together(&self) -> bool {
        self.0.together
    }

    /// Returns true if undefined names are errors.
    pub fn is_checked(&self) -> bool {
        self.0.is_checked
    }

    /// Returns the description of the bodies, if there is one.
    pub fn description(&self) -> Option<&Description> {
        self.0.description.as_deref()
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

/// The languages of files, by file name.
///
/// ```
/// use hcl_lr_analysis::{Language, Languages};
///
/// let languages = Languages::default();
/// assert_eq!(languages.of("/a/main.tf").name(), "terraform");
/// assert_eq!(languages.of("/a/settings.hcl").name(), "hcl");
///
/// let languages = languages.with("*.tasks.hcl", Language::named("bake").expect("it is there"))?;
/// assert_eq!(languages.of("/a/my.tasks.hcl").name(), "bake");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Languages {
    own: Vec<(GlobMatcher, Language)>,
    catalog: Option<Cataloged>,
}

/// A catalog, and the languages with it. Each is created once, so that equal languages compare as equal.
#[derive(Clone)]
struct Cataloged {
    catalog: Arc<dyn Catalog>,
    known: Arc<Mutex<Vec<(Language, Language)>>>,
}

impl fmt::Debug for Cataloged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cataloged")
    }
}

impl Cataloged {
    fn of(&self, language: Language) -> Language {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, with)) = known.iter().find(|(without, with)| *without == language || *with == language) {
            return with.clone();
        }
        let with = language.with_catalog(&self.catalog);
        known.push((language, with.clone()));
        with
    }
}

impl Languages {
    /// Adds a language for files that match a pattern. A pattern without `/` matches names; any other matches paths.
    /// The first matching pattern wins, before the well-known names.
    ///
    /// # Errors
    /// A message, if the pattern cannot be read.
    pub fn with(mut self, pattern: &str, language: Language) -> Result<Languages, String> {
        self.own.push((pattern_of(pattern)?, language));
        Ok(self)
    }

    /// Returns the language of a file.
    pub fn of(&self, path: &str) -> Language {
        self.with_contents(self.given(path).unwrap_or_else(|| by_name(crate::paths::split(path).1)))
    }

    /// Adds contents from a catalog, such as the schemas of providers.
    pub fn with_catalog(mut self, catalog: Arc<dyn Catalog>) -> Languages {
        self.catalog = Some(Cataloged { catalog, known: Arc::default() });
        self
    }

    /// Adds the contents of the catalog to a language, if there is one.
    pub(crate) fn with_contents(&self, language: Language) -> Language {
        match &self.catalog {
            Some(cataloged) => cataloged.of(language),
            None => language,
        }
    }

    /// Returns the language of a file by the added patterns.
    pub(crate) fn given(&self, path: &str) -> Option<Language> {
        self.own.iter().find(|(pattern, _)| pattern.is_match(path)).map(|(_, language)| language.clone())
    }
}

/// Parses a pattern of paths: without `/`, it matches names in any folder.
///
/// # Errors
/// A message, if the pattern cannot be read.
pub fn pattern_of(pattern: &str) -> Result<GlobMatcher, String> {
    let absolute = match pattern.contains('/') {
        true if pattern.starts_with(['/', '*']) => pattern.to_owned(),
        true => format!("**/{pattern}"),
        false => format!("**/{pattern}"),
    };
    Glob::new(&absolute)
        .map(|glob| glob.compile_matcher())
        .map_err(|why| format!("the pattern `{pattern}` is wrong: {why}"))
}

/// Returns a shipped language. `by_name` is true if it was chosen by file names, which other languages may share.
fn shipped(name: &str, by_name: bool) -> Option<Language> {
    type Known = Vec<(&'static str, [OnceLock<Option<Language>>; 2])>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let all = KNOWN
        .get_or_init(|| hcl_lr_language::schema::LANGUAGES.iter().map(|name| (*name, Default::default())).collect());
    let (name, languages) = all.iter().find(|(known, _)| *known == name)?;
    let make = || {
        let schema = Schema::by_name(name)?;
        let checker = checker_named(name)?.clone();
        let description = Description::new(checker, by_name);
        Some(Language::described_by(schema, schema.extension().unwrap_or(schema), description))
    };
    languages[usize::from(by_name)].get_or_init(make).clone()
}

/// Returns the language that the name of a file suggests.
fn by_name(name: &str) -> Language {
    if name == ".terraform.lock.hcl" {
        return Language::data("terraform-lock");
    }
    let language = Schema::for_file(name).and_then(|schema| shipped(&schema.extended().unwrap_or(schema).name, true));
    language.unwrap_or_else(Language::plain)
}

/// Returns true if the name is that of an HCL file in either syntax, or of a file that names the schema of others.
/// Templates are excluded, and so are the lock links that Emacs creates next to a changed file.
pub fn is_hcl(name: &str) -> bool {
    let is_file = !name.starts_with(".#") && is_hcl_file(name) && !is_template_file(name);
    is_file || name == SCHEMA_FILE
}
