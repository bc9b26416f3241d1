//! The call hierarchy: folders that call each other as modules, and functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, Visitor, Walk};

use crate::Location;
use crate::workspace::{Cancelled, File, Snapshot};
use hcl_lr_project::Language;
use hcl_lr_project::paths::split;

/// A module: a folder that can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The folder.
    pub folder: String,
    /// The first file of the folder.
    pub first: Location,
}

/// A call, with the places where it occurs.
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

    /// Returns the module at a byte of a file: the target of a call there, or the module of the file itself.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn module_at(&self, path: &str, offset: usize) -> Result<Option<Module>, Cancelled> {
        let Some(file) = self.file(path).filter(|file| file.language().roles().has_modules()) else { return Ok(None) };
        let block = file
            .native()
            .and_then(|native| native.body().blocks().find(|block| crate::spans::touches(block.span(), offset)));
        let called = block
            .and_then(|block| file.calls().iter().find(|call| crate::spans::touches(block.span(), call.span.start())));
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
        let mut languages: Vec<&Language> = Vec::new();
        for file in self.folder(folder).into_iter().flat_map(|folder| folder.files.values()) {
            if !languages.contains(&file.language()) {
                languages.push(file.language());
            }
        }
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

/// A function of the language, or one that files define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name, with its namespaces.
    pub name: String,
    /// The place of the definition; for a function of the language, a place where it is called.
    pub place: Location,
}

/// The calls of functions in a part of a file.
struct FunctionCalls {
    within: Span,
    found: Vec<(String, Span)>,
}

impl<'t> Visitor<'t> for FunctionCalls {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        if let ExpressionKind::FunctionCall(call) = expression.kind()
            && crate::spans::overlap(self.within, call.name_span())
        {
            self.found.push((call.name().into_owned(), call.name_span()));
        }
        Walk::Into
    }
}

fn function_calls(file: &File, within: Span) -> Vec<(String, Span)> {
    let mut calls = FunctionCalls { within, found: Vec::new() };
    if let Some(native) = file.native() {
        native.body().walk(&mut calls);
    }
    calls.found
}

impl Snapshot {
    /// Returns the function that is defined or called at a byte of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn function_at(&self, path: &str, offset: usize) -> Result<Option<Function>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        if let Some(definition) = project.at(file.source(), offset).filter(|definition| definition.is_function()) {
            let place = Location::of(definition.name_place());
            return Ok(Some(Function { name: definition.name().to_owned(), place }));
        }
        let cursor = Span::new(offset, offset);
        let called = function_calls(file, cursor).pop();
        Ok(called.map(|(name, span)| Function { name, place: Location { path: file.path().clone(), span } }))
    }

    /// Returns the places in a project where a function is called, by file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn function_callers(&self, function: &Function) -> Result<BTreeMap<Arc<str>, Vec<Location>>, Cancelled> {
        let Some(project) = self.project(&function.place.path)? else { return Ok(BTreeMap::new()) };
        let mut found: BTreeMap<Arc<str>, Vec<Location>> = BTreeMap::new();
        for file in project.files().iter().chain(project.beside()) {
            self.check()?;
            let all = function_calls(file, Span::new(0, file.length()));
            for (_, span) in all.into_iter().filter(|(name, _)| *name == function.name) {
                found.entry(file.path().clone()).or_default().push(Location { path: file.path().clone(), span });
            }
        }
        Ok(found)
    }

    /// Returns the functions that a function of the files calls, with the places of the calls. Empty for a function of
    /// the language.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn functions_called_by(&self, function: &Function) -> Result<Vec<(Function, Vec<Location>)>, Cancelled> {
        let Some(project) = self.project(&function.place.path)? else { return Ok(Vec::new()) };
        let Some(definition) = project.defined_at(&function.place).filter(|definition| definition.is_function()) else {
            return Ok(Vec::new());
        };
        let body = self.whole(&definition);
        let Some(file) = self.file(&body.path) else { return Ok(Vec::new()) };
        let mut found: BTreeMap<String, Vec<Location>> = BTreeMap::new();
        for (name, span) in function_calls(file, body.span) {
            found.entry(name).or_default().push(Location { path: file.path().clone(), span });
        }
        let is_own = |name: &str| {
            let mut all = project
                .definitions()
                .iter()
                .filter(|definition| definition.is_function() && definition.module().is_none());
            all.find(|definition| definition.name() == name).map(|definition| Location::of(definition.name_place()))
        };
        let called = found.into_iter().filter_map(|(name, places)| {
            let place = is_own(&name).or_else(|| places.first().cloned())?;
            Some((Function { name, place }, places))
        });
        Ok(called.collect())
    }
}
