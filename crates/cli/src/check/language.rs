//! The languages that files are checked by.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::context::Context;
use crate::input::{Document, Origin};
use crate::language::Language;
use crate::providers::FolderFacts;
use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr_language::schema::{Checker, Facts, ProviderSchemas, Schema, Version};

/// The languages to check files by: the requested one, or that of each file by its name.
pub struct Languages {
    context: Context,
    choice: Choice,
    options: Options,
    facts: FolderFacts,
    /// The shipped languages of the files so far.
    known: Mutex<HashMap<&'static str, Arc<Checker>>>,
}

/// Options for all languages.
#[derive(Default)]
pub struct Options {
    /// The version of the language.
    pub version: Option<Version>,
    /// The schemas of providers.
    pub providers: Option<Arc<ProviderSchemas>>,
}

enum Choice {
    /// Files are checked by no language.
    None,
    ByName,
    One(Box<Checker>),
}

impl Languages {
    /// Prepares the languages for the requested one.
    pub fn new(context: Context, asked: Option<&Language>, options: Options) -> Languages {
        let choice = match asked.map(Language::schema) {
            None => Choice::ByName,
            Some(None) => Choice::None,
            Some(Some(schema)) => Choice::One(Box::new(checker(schema, &options))),
        };
        Languages { context, choice, options, facts: FolderFacts::default(), known: Mutex::default() }
    }

    /// Checks a parsed file. Only files with bodies can be checked.
    pub fn check(&self, origin: &Origin, document: &Document) -> Diagnostics {
        let file: ConfigFile = match document {
            Document::Config(file) => file.into(),
            Document::Json(document) => document.into(),
            Document::Expression(_) | Document::Template(_) => return Diagnostics::new(),
        };
        match &self.choice {
            Choice::None => Diagnostics::new(),
            Choice::One(checker) => self.check_by(checker, origin, &file),
            Choice::ByName => self.by_name(origin, &file),
        }
    }

    /// Checks a file by the languages that its name suggests.
    fn by_name(&self, origin: &Origin, file: &ConfigFile) -> Diagnostics {
        let checkers: Vec<Arc<Checker>> =
            Schema::all_for_file(&origin.name()).map(|schema| self.checker(schema)).collect();
        Checker::check_by_all(checkers.iter().map(Arc::as_ref), |checker| self.check_by(checker, origin, file))
    }

    /// Checks a file by a language, with the facts from the other files of its folder.
    fn check_by(&self, checker: &Checker, origin: &Origin, file: &ConfigFile) -> Diagnostics {
        let schema = checker.schema();
        let path = origin.path().filter(|_| checker.needs_facts());
        match path.and_then(|path| self.facts.of(&self.context, schema, path)) {
            Some(facts) => checker.check_with(file, &facts),
            None => checker.check_with(file, &Facts::of(schema, [file])),
        }
    }

    fn checker(&self, schema: &'static Schema) -> Arc<Checker> {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        known.entry(&schema.name).or_insert_with(|| Arc::new(checker(schema, &self.options))).clone()
    }
}

fn checker(schema: &Schema, options: &Options) -> Checker {
    let mut checker = Checker::new(schema);
    if let Some(version) = &options.version {
        checker = checker.with_version(version);
    }
    match &options.providers {
        Some(providers) => checker.with_catalog(Arc::<ProviderSchemas>::clone(providers)),
        None => checker,
    }
}
