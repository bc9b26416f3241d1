//! Checks files by a schema.
//!
//! A check has three results: right, wrong, and not known. Only what is wrong is reported. What an expression gives is
//! known if it is a literal, or from its form: a template with text is a string, a comparison a bool.

mod format;
mod ignore;
mod judge;
mod reference;
mod shape;
mod versions;
mod walk;
mod words;

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::index::{Index, Layers, Table};
use super::model::{CatalogSource, Files, Schema};
use crate::body::ConfigFile;
use crate::diagnostic::Diagnostics;
use crate::eval::Functions;
use crate::functions;
use crate::model;

use reference::Kinds;
use versions::Version;

/// Gives the contents of bodies that a schema takes from a catalog, such as the arguments of the resources of a provider.
pub trait Catalog: Send + Sync {
    /// The contents for a name. `provider` is the attribute `provider` of the block, as it is written, if there is one.
    fn find<'c>(&'c self, catalog: &CatalogSource, name: &str, provider: Option<&str>) -> Found<'c>;

    /// The names in a catalog, for messages and completion.
    fn names<'c>(&'c self, catalog: &CatalogSource) -> Box<dyn Iterator<Item = &'c str> + 'c>;
}

/// The answer of a catalog.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Found<'c> {
    /// The contents.
    Contents(Layers<'c>),
    /// There is no such name.
    Missing,
    /// The catalog cannot know.
    Unknown,
}

/// Checks files by a schema. It can be used for any number of files, by several threads.
///
/// ```
/// use hcl_lr::{ConfigFile, parse};
/// use hcl_lr::schema::{Checker, Schema};
///
/// let checker = Checker::new(Schema::by_name("terraform").expect("it comes with the library"));
/// let file = parse::<ConfigFile>(("main.tf", "variable \"zone\" {\n  defualt = \"a\"\n}\n")).into_result()?;
/// let found = checker.check(&file);
/// assert!(found.to_string().contains("did you mean \"default\"?"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Checker {
    index: Index,
    functions: Functions,
    /// The types of the results of the functions, as far as their arguments do not matter.
    results: Arc<OnceLock<Table<model::Type>>>,
    kinds: Kinds,
    version: Option<Version>,
    catalog: Option<Arc<dyn Catalog>>,
}

impl Checker {
    /// A checker for the files of a language.
    pub fn new(schema: &Schema) -> Checker {
        let index = Index::new(schema);
        let functions = schema.functions.iter().fold(functions::standard(), |all, set| all.with_all(&set.functions()));
        let kinds = Kinds::of(schema);
        Checker { index, functions, results: Arc::default(), kinds, version: None, catalog: None }
    }

    /// Checks by a version of the language: attributes and blocks that it does not have are wrong. Without a version,
    /// those of all versions are right. A text that is no version is ignored.
    pub fn with_version(mut self, version: &str) -> Checker {
        self.version = Version::parse(version);
        self
    }

    /// Sets the catalog that has contents for the schema.
    pub fn with_catalog(mut self, catalog: Arc<dyn Catalog>) -> Checker {
        self.catalog = Some(catalog);
        self
    }

    /// The schema.
    pub fn schema(&self) -> &Schema {
        self.index.schema()
    }

    /// The schema prepared for lookups.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Checks a file. Its name says which files of the language it is one of; if it does not, it is one of the first.
    pub fn check(&self, document: &ConfigFile) -> Diagnostics {
        let has = |name: &str| match document {
            ConfigFile::Native(file) => {
                file.body().attribute(name).is_some() || file.body().blocks_of_type(name).next().is_some()
            }
            ConfigFile::Json(_) => walk::attribute_of(&document.body(), name).is_some(),
        };
        match self.schema().files_for(document.source().name(), has) {
            Some(files) => self.check_as(document, files),
            None => Diagnostics::new(),
        }
    }

    /// Checks a file as one of some files of the language.
    pub fn check_as(&self, document: &ConfigFile, files: &Files) -> Diagnostics {
        let Some(layers) = self.index.files(files) else { return Diagnostics::new() };
        let is_override = files.is_override(document.source().name());
        let mut found = walk::check(self, document, layers, is_override);
        if let ConfigFile::Native(file) = document {
            ignore::apply(file, &mut found);
        }
        found
    }

    /// The type of the result of a function for unknown arguments; dynamic if it depends on them.
    pub(super) fn result_of(&self, name: &str) -> Option<&model::Type> {
        let all = self.results.get_or_init(|| {
            let functions = self.functions.names().filter_map(|name| {
                let function = self.functions.get(name)?;
                if !function.is_pure() {
                    return None;
                }
                let unknown = |ty: &model::Type| model::Value::unknown(ty.clone());
                let arguments: Vec<_> = function.parameters().iter().map(|one| unknown(one.ty())).collect();
                Some((Box::from(name), function.call(&arguments).ok()?.ty()))
            });
            functions.collect()
        });
        // A function that files define hides those of the language.
        if self.kinds.defines_functions() { None } else { all.get(name) }
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
