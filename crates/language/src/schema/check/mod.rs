//! Checks files by a schema.
//!
//! A check has three results: right, wrong, and unknown. Only wrong values are reported. The value of an expression is
//! known if it is a literal; its form may tell the type: a template with text is a string, a comparison a bool.

mod format;
mod hidden;
mod ignore;
pub(crate) mod judge;
mod reference;
pub(crate) mod shape;
mod walk;
mod words;

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::facts::Facts;
use super::index::{Layers, SchemaIndex, Table};
use super::lookup::has_at_top;
use super::model::{CatalogSource, Check, Deprecated, Files, Schema};
use super::versions::{Version, Versions};
use hcl_lr::body::ConfigFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::model::{self, Value};
use hcl_lr::source::Span;

pub use hidden::HiddenSpans;
pub(super) use reference::Kinds;

/// Provides the contents of bodies that a schema takes from a catalog, such as the arguments of the resources of a
/// provider.
///
/// [`ProviderSchemas`](super::ProviderSchemas) is one.
pub trait Catalog: Send + Sync {
    /// Returns the contents for a name.
    fn find<'c>(&'c self, catalog: &CatalogSource, key: &CatalogKey<'_>) -> Found<'c>;

    /// Returns the names in a catalog, for messages and completion.
    fn names<'c>(&'c self, catalog: &CatalogSource) -> Box<dyn Iterator<Item = &'c str> + 'c>;

    /// Returns the result type of a function by its name in expressions, such as `provider::time::parse`.
    fn function_result(&self, name: &str, facts: &Facts) -> Option<model::Type> {
        let _ = (name, facts);
        None
    }
}

/// The key of contents in a catalog: the name, and the facts that identify its provider.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CatalogKey<'k> {
    /// The name, such as `aws_instance`.
    pub name: &'k str,
    /// The source text of the attribute `provider` of the block, if there is one.
    pub provider: Option<&'k str>,
    /// The facts of the program.
    pub facts: &'k Facts,
}

impl<'k> CatalogKey<'k> {
    /// Creates the key of a name in a program.
    pub fn new(name: &'k str, facts: &'k Facts) -> Self {
        CatalogKey { name, provider: None, facts }
    }
}

/// The answer of a catalog.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Found<'c> {
    /// The contents.
    Contents {
        /// The contents.
        layers: Layers<'c>,
        /// Set if items with these contents should no longer be used.
        deprecated: Option<&'c Deprecated>,
    },
    /// The catalog has no such name. The message says so.
    Missing(String),
    /// The catalog cannot tell.
    Unknown,
}

/// Checks files by a schema. One checker can serve any number of files and threads.
///
/// ```
/// use hcl_lr::{ConfigFile, parse};
/// use hcl_lr_language::schema::{Checker, Schema};
///
/// let checker = Checker::new(Schema::by_name("terraform").expect("it comes with the library"));
/// let file = parse::<ConfigFile>(("main.tf", "variable \"zone\" {\n  defualt = \"a\"\n}\n")).into_result()?;
/// let found = checker.check(&file);
/// assert!(found.render().to_string().contains("did you mean \"default\"?"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Checker {
    index: SchemaIndex,
    functions: Functions,
    /// The result types of the functions, as far as they do not depend on the arguments.
    results: Arc<OnceLock<Table<model::Type>>>,
    kinds: Kinds,
    versions: Versions,
    catalog: Option<Arc<dyn Catalog>>,
}

impl Checker {
    /// Creates a checker for the files of a language.
    pub fn new(schema: &Schema) -> Checker {
        let index = SchemaIndex::new(schema);
        let functions = schema.functions_of_checks();
        let kinds = Kinds::of(schema);
        Checker { index, functions, results: Arc::default(), kinds, versions: Versions::default(), catalog: None }
    }

    /// Checks by a version of the language: attributes and blocks that it lacks are wrong. Without a version, the
    /// constraints in the files count, and anything is right that some allowed version has.
    pub fn with_version(mut self, version: &Version) -> Checker {
        self.versions = Versions::only(version);
        self
    }

    /// Sets the catalog for the schema.
    pub fn with_catalog(mut self, catalog: Arc<dyn Catalog>) -> Checker {
        self.catalog = Some(catalog);
        self
    }

    /// The schema.
    pub fn schema(&self) -> &Schema {
        self.index.schema()
    }

    /// The schema prepared for lookups.
    pub fn index(&self) -> &SchemaIndex {
        &self.index
    }

    /// Checks a file. Its name determines which of the language's kinds of files it is; by default, the first.
    ///
    /// Nothing is known about its program except this file.
    pub fn check(&self, document: &ConfigFile) -> Diagnostics {
        self.check_with(document, &Facts::of(self.schema(), [document]))
    }

    /// Checks a file of a program with known facts.
    pub fn check_with(&self, document: &ConfigFile, facts: &Facts) -> Diagnostics {
        match self.files_of(document) {
            Some(files) => self.check_files(document, files, facts),
            None => Diagnostics::new(),
        }
    }

    /// Returns the kind of files that a file belongs to.
    #[doc(hidden)]
    pub fn files_of(&self, document: &ConfigFile) -> Option<&Files> {
        self.schema().files_for(document.source().name(), |name| has_at_top(document, name))
    }

    /// Returns the conditions that do not hold for values, which they call by names. One that cannot be evaluated for a
    /// value does not apply to it.
    pub(in crate::schema) fn failing<'k, const N: usize>(
        &self,
        checks: &'k [Check],
        variables: [(&str, Value); N],
    ) -> Vec<&'k Check> {
        if checks.is_empty() {
            return Vec::new();
        }
        let scope = Scope::new().with_functions(self.functions().clone());
        let scope = variables.into_iter().fold(scope, |scope, (name, value)| scope.with(name, value));
        let fails = |check: &&Check| check.condition.evaluate(&scope).is_ok_and(|holds| holds.as_bool() == Some(false));
        checks.iter().filter(fails).collect()
    }

    /// Checks a file as one of a kind of files of the language.
    pub fn check_as(&self, document: &ConfigFile, files: &Files) -> Diagnostics {
        self.check_files(document, files, &Facts::of(self.schema(), [document]))
    }

    fn check_files(&self, document: &ConfigFile, files: &Files, facts: &Facts) -> Diagnostics {
        let Some(layers) = self.index.files(files) else { return Diagnostics::new() };
        let is_override = files.is_override(document.source().name());
        let mut found = walk::check(self, document, layers, is_override, facts);
        if let ConfigFile::Native(file) = document {
            ignore::apply(file, &mut found);
        }
        found
    }

    /// Checks a file that may be in one of several languages, such as `main.tf` in Terraform and OpenTofu. Reports
    /// what is wrong in all of them. `check` checks the file by one of them. See [`Schema::all_for_file`].
    ///
    /// ```
    /// use hcl_lr_language::schema::{Checker, Schema};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// // Only OpenTofu encrypts states.
    /// let text = "terraform {\n  encryption {}\n}\n";
    /// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
    /// let checkers: Vec<Checker> = Schema::all_for_file("main.tf").map(Checker::new).collect();
    /// assert!(!checkers[0].check(&file).is_empty());
    /// assert!(Checker::check_by_all(checkers.iter(), |checker| checker.check(&file)).is_empty());
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn check_by_all<'c>(
        checkers: impl IntoIterator<Item = &'c Checker>,
        mut check: impl FnMut(&Checker) -> Diagnostics,
    ) -> Diagnostics {
        let mut checkers = checkers.into_iter();
        let Some(first) = checkers.next() else { return Diagnostics::new() };
        let mut found = check(first);
        for checker in checkers {
            if found.is_empty() {
                break;
            }
            let others = check(checker);
            let others: HashSet<_> = others.iter().map(|finding| (finding.span(), finding.code().clone())).collect();
            found.retain(|finding| others.contains(&(finding.span(), finding.code().clone())));
        }
        found
    }

    /// Returns the spans of the values in a file that the schema calls sensitive, in source order.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Attribute, Body, Checker, Files, Schema, Type};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let mut key = Attribute::new("key", Type::String);
    /// key.sensitive = true;
    /// let body = Body::new().with_attribute(key);
    /// let schema = Schema::new("service").with_files(Files::new("all", ["*.service"], "all")).with_part("all", body);
    /// let file = parse::<ConfigFile>(("web.service", "key = \"abc\"\n")).into_result()?;
    /// let spans = Checker::new(&schema).sensitive(&file);
    /// assert_eq!(&file.source().text()[spans[0].range()], "\"abc\"");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn sensitive(&self, document: &ConfigFile) -> Vec<Span> {
        self.hidden(document).sensitive
    }

    /// Returns the spans of the values in a file that the schema calls sensitive or write-only.
    pub fn hidden(&self, document: &ConfigFile) -> HiddenSpans {
        // Most schemas have no such values.
        if self.catalog.is_none() && !self.index.has_sensitive() {
            return HiddenSpans::default();
        }
        let Some(layers) = self.files_of(document).and_then(|files| self.index.files(files)) else {
            return HiddenSpans::default();
        };
        let mut hidden = HiddenSpans::default();
        hidden.add(walk::hidden(self, document, layers.clone(), &Facts::of(self.schema(), [document])));
        if self.catalog.is_some() {
            // A source may be unfinished and name no provider yet, so any provider of this name may be meant.
            hidden.add(walk::hidden(self, document, layers, &Facts::default()));
        }
        hidden
    }

    /// Returns the contents of a body, extended by those for a value of a label or attribute that others depend on,
    /// including those of the catalog. `provider` is the source text of the attribute `provider` of the body with the
    /// key. A value without a case makes the contents open.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Checker, Facts, Schema};
    ///
    /// let checker = Checker::new(Schema::by_name("terraform").expect("it comes with the library"));
    /// let (_, connection) = checker.index().part("provisioner").and_then(|part| part.block("connection")).expect("a block");
    /// let ssh = checker.with_case(connection, "type", "ssh", None, &Facts::default());
    /// assert!(ssh.attribute("private_key").is_some() && ssh.attribute("https").is_none());
    /// ```
    pub fn with_case<'c>(
        &'c self,
        mut layers: Layers<'c>,
        key: &str,
        value: &str,
        provider: Option<&str>,
        facts: &Facts,
    ) -> Layers<'c> {
        let matches: Vec<_> = layers.match_nodes().filter(|(_, match_node)| match_node.matched.key == key).collect();
        for (index, match_node) in matches {
            if let Some(id) = match_node.cases.get(value) {
                layers.add(index, *id);
                continue;
            }
            let source = match_node.matched.catalog.as_ref().and_then(|name| index.schema().catalog(name));
            if let (Some(source), Some(catalog)) = (source, self.catalog.as_deref())
                && let Found::Contents { layers: contents, .. } =
                    catalog.find(source, &CatalogKey { provider, ..CatalogKey::new(value, facts) })
            {
                layers.add_all(&contents);
                continue;
            }
            match match_node.otherwise {
                Some(id) => layers.add(index, id),
                None => layers.set_open(),
            }
        }
        layers
    }

    /// Returns the names in a catalog of the schema; no names if it is not loaded.
    pub fn names_in(&self, catalog: &str) -> impl Iterator<Item = &str> {
        let source = self.schema().catalog(catalog);
        let names = source.zip(self.catalog.as_deref()).map(|(source, catalog)| catalog.names(source));
        names.into_iter().flatten()
    }

    /// Returns the versions of the language that a file may be for.
    fn versions<'v>(&'v self, facts: &'v Facts) -> &'v Versions {
        if self.has_version() { &self.versions } else { &facts.versions }
    }

    /// Returns true if the program states its version of the language.
    fn has_version(&self) -> bool {
        self.versions != Versions::default()
    }

    /// Returns true if the versions that a program allows are all before the first version of the language, so that its files
    /// are in another one.
    pub fn is_excluded(&self, facts: &Facts) -> bool {
        let first = self.schema().first_version.as_ref();
        first.is_some_and(|first| self.versions(facts).are_before(first))
    }

    /// Returns true if the facts of a file's program matter.
    pub fn needs_facts(&self) -> bool {
        self.catalog.is_some() || self.schema().version.is_some() && !self.has_version()
    }

    /// Returns the result type of a function for unknown arguments; dynamic if it depends on them.
    pub(super) fn result_of(&self, name: &str, facts: &Facts) -> Option<model::Type> {
        if let Some(catalog) = self.catalog.as_deref().filter(|_| name.contains("::")) {
            return catalog.function_result(name, facts);
        }
        let all = self.results.get_or_init(|| {
            let functions = self.functions.names().filter_map(|name| {
                let function = self.functions.get(name)?;
                if !function.is_pure() {
                    return None;
                }
                let unknown = |ty: &model::Type| model::Value::unknown(ty.clone());
                let arguments: Vec<_> = function.parameters().iter().map(|parameter| unknown(parameter.ty())).collect();
                Some((Box::from(name), function.call(&arguments).ok()?.ty()))
            });
            functions.collect()
        });
        // A function that files define hides one of the language.
        if self.kinds.defines_functions() { None } else { all.get(name).cloned() }
    }

    fn functions(&self) -> &Functions {
        &self.functions
    }
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").field("schema", &self.schema().name).finish_non_exhaustive()
    }
}
