//! The hierarchy of calls: folders that call each other as modules.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use hcl_lr::source::Span;

use crate::Location;
use crate::language::Language;
use crate::paths::split;
use crate::workspace::{Cancelled, Snapshot};

/// Files that can be called: a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The folder.
    pub folder: String,
    /// The first file of the folder.
    pub first: Location,
}

/// A call, with the places where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The other end of the call.
    pub module: Module,
    /// The places of the calls.
    pub places: Vec<Location>,
}

impl Snapshot {
    fn module(&self, folder: &str) -> Option<Module> {
        let files = self.folder(folder)?.files.values().filter(|file| file.language().roles().has_modules());
        let first = files.min_by_key(|file| (!file.name().starts_with("main."), file.name()))?;
        let first = Location { path: first.path().clone(), span: Span::default() };
        Some(Module { folder: folder.to_owned(), first })
    }

    /// Returns the module that is meant at a byte of a file: the one that a call there leads to, or that of the file itself.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn module_at(&self, path: &str, offset: usize) -> Result<Option<Module>, Cancelled> {
        let Some(file) = self.file(path).filter(|file| file.language().roles().has_modules()) else { return Ok(None) };
        let block = file
            .native()
            .and_then(|native| native.body().blocks().find(|block| crate::navigate::touches(block.span(), offset)));
        let called = block.and_then(|block| {
            file.calls().iter().find(|call| crate::navigate::touches(block.span(), call.span.start()))
        });
        match called {
            Some(call) => Ok(call.folder.as_ref().and_then(|folder| self.module(folder))),
            None => Ok(self.module(split(path).0)),
        }
    }

    /// Returns the folders that call a folder.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn incoming_calls(&self, folder: &str) -> Result<Vec<Call>, Cancelled> {
        let mut found: BTreeMap<String, Vec<Location>> = BTreeMap::new();
        let files = self.folder(folder).into_iter().flat_map(|folder| folder.files.values());
        let languages: HashSet<&Language> = files.map(|file| file.language()).collect();
        let mut callers: BTreeSet<Arc<str>> = BTreeSet::new();
        for language in languages {
            self.shared(language, |shared| callers.extend(shared.callers(folder).cloned()))?;
        }
        for file in callers.iter().filter_map(|path| self.file(path)) {
            for call in file.calls().iter().filter(|call| call.folder.as_deref() == Some(folder)) {
                let place = Location { path: file.path().clone(), span: call.span };
                found.entry(file.folder().to_owned()).or_default().push(place);
            }
        }
        Ok(self.calls(found))
    }

    /// Returns the folders that a folder calls.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn outgoing_calls(&self, folder: &str) -> Result<Vec<Call>, Cancelled> {
        self.check()?;
        let mut found: BTreeMap<String, Vec<Location>> = BTreeMap::new();
        for file in self.folder(folder).into_iter().flat_map(|folder| folder.files.values()) {
            for call in file.calls() {
                let place = Location { path: file.path().clone(), span: call.span };
                found.entry(call.folder.clone().unwrap_or_default()).or_default().push(place);
            }
        }
        Ok(self.calls(found))
    }

    fn calls(&self, found: BTreeMap<String, Vec<Location>>) -> Vec<Call> {
        found.into_iter().filter_map(|(folder, places)| Some(Call { module: self.module(&folder)?, places })).collect()
    }
}
