//! The names that the files of a language share, and the calls between folders.
//!
//! The tables are updated file by file: an edit removes the entries of the old text of the file and adds those of the
//! new one. So its cost does not depend on the number of files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cancelled::Cancelled;
use crate::file::File;
use crate::knowledge::{Learned, LearnedAttribute, LearnedBody, add, discount};
use crate::state::State;
use crate::tables::HashMap;
use hcl_lr_project::Language;

/// The tables of a workspace, with the changes that are still pending.
pub(crate) struct Index {
    tables: Mutex<Tables>,
    /// Locked only briefly, because the thread that takes edits waits for it.
    pending: Mutex<Pending>,
}

struct Pending {
    /// True if no file has been read yet.
    all: bool,
    /// The files that have changed, with the revision of the last change.
    paths: HashMap<Arc<str>, u64>,
}

#[derive(Default)]
struct Tables {
    /// The files as they are in the tables.
    files: HashMap<Arc<str>, Arc<File>>,
    languages: HashMap<Language, Shared>,
}

/// The tables of the files of one language.
#[derive(Default)]
pub(crate) struct Shared {
    /// Bodies, by their kinds.
    bodies: HashMap<String, LearnedBody>,
    /// Attributes in bodies of any kind, by their names.
    attributes: HashMap<String, LearnedAttribute>,
    /// References that are the whole value of an attribute, with the number of their uses.
    references: BTreeMap<String, u32>,
    /// Attributes of related kinds of bodies, functions, and arguments of functions, each with its number of uses.
    families: HashMap<String, BTreeMap<String, u32>>,
    functions: BTreeMap<String, u32>,
    arguments: HashMap<String, BTreeMap<String, u32>>,
    /// The names of definitions whose values are sensitive, with the number of files that declare that.
    sensitive_names: BTreeMap<String, u32>,
    /// The constants in the blocks of inputs, by the names of the inputs, with the number of files that have them.
    of_inputs: HashMap<String, BTreeMap<String, u32>>,
    /// The files that call a folder as a module, with the number of their calls.
    callers: HashMap<String, BTreeMap<Arc<str>, u32>>,
}

impl Default for Index {
    fn default() -> Index {
        let pending = Pending { all: true, paths: HashMap::default() };
        Index { tables: Mutex::default(), pending: Mutex::new(pending) }
    }
}

impl Index {
    /// Records that a file has changed.
    pub fn changed(&self, path: &str, revision: u64) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if !pending.all {
            pending.paths.insert(path.into(), revision);
        }
    }

    /// Takes the changes up to the revision of the state. Later ones stay pending.
    fn take(&self, state: &State) -> Vec<Arc<str>> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.all {
            if state.is_outdated() {
                return Vec::new();
            }
            pending.all = false;
            // The text after an edit is still to come.
            let edited = state.path_before_edit().map(|path| (path.clone(), state.revision()));
            pending.paths.extend(edited);
            return state.files().map(|file| file.path().clone()).collect();
        }
        if state.path_before_edit().is_some() {
            // The tables have the text before the edit, or an older one. Adding the new one takes time in large files.
            return Vec::new();
        }
        let revision = state.revision();
        let due = pending.paths.iter().filter(|(_, changed)| **changed <= revision).map(|(path, _)| path.clone());
        let due: Vec<Arc<str>> = due.collect();
        for path in &due {
            pending.paths.remove(path);
        }
        due
    }

    /// Queries the tables of a language, after updating them.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn shared<R>(
        &self,
        state: &State,
        language: &Language,
        ask: impl FnOnce(&Shared) -> R,
    ) -> Result<R, Cancelled> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let due = self.take(state);
        for (at, path) in due.iter().enumerate() {
            if let Err(cancelled) = state.check() {
                self.put_back(&due[at..], state.revision());
                return Err(cancelled);
            }
            tables.replace(path, state.file(path));
        }
        Ok(match tables.languages.get(language) {
            Some(shared) => ask(shared),
            None => ask(&Shared::default()),
        })
    }

    /// Restores changes that were not applied.
    fn put_back(&self, paths: &[Arc<str>], revision: u64) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths {
            pending.paths.entry(path.clone()).or_insert(revision);
        }
    }
}

impl Tables {
    fn replace(&mut self, path: &Arc<str>, file: Option<&Arc<File>>) {
        let file = file.filter(|file| !file.is_shown_only());
        let old = self.files.remove(path);
        // An edit changes little, so what both texts have stays.
        if let (Some(old), Some(file)) = (&old, file)
            && old.language() == file.language()
            && let Some(shared) = self.languages.get_mut(old.language())
        {
            old.with_learned(|before| {
                file.with_learned(|after| {
                    shared.remove(old, before, Some(after));
                    shared.add(file, after, Some(before));
                });
            });
            self.files.insert(path.clone(), file.clone());
            return;
        }
        if let Some(old) = old
            && let Some(shared) = self.languages.get_mut(old.language())
        {
            old.with_learned(|learned| shared.remove(&old, learned, None));
            if shared.bodies.is_empty() && shared.callers.is_empty() {
                self.languages.remove(old.language());
            }
        }
        if let Some(file) = file {
            let shared = self.languages.entry(file.language().clone()).or_default();
            file.with_learned(|learned| shared.add(file, learned, None));
            self.files.insert(path.clone(), file.clone());
        }
    }
}

/// Subtracts uses from a table of tables.
fn take(from: &mut HashMap<String, BTreeMap<String, u32>>, key: &str, uses: &BTreeMap<String, u32>) {
    if let Some(known) = from.get_mut(key) {
        uses.iter().for_each(|(text, uses)| discount(known, text, *uses));
        if known.is_empty() {
            from.remove(key);
        }
    }
}

impl Shared {
    /// Adds the entries of a file, without those that another text of it has as well.
    fn add(&mut self, file: &File, learned: &Learned, other: Option<&Learned>) {
        for (family, attributes) in learned.families() {
            if other.is_some_and(|other| other.family(family) == Some(attributes)) {
                continue;
            }
            add(self.families.entry(family.to_owned()).or_default(), attributes);
        }
        for (argument, uses) in learned.arguments() {
            if other.is_some_and(|other| other.argument(argument) == Some(uses)) {
                continue;
            }
            add(self.arguments.entry(argument.to_owned()).or_default(), uses);
        }
        add(&mut self.functions, learned.functions());
        for (kind, body) in learned.bodies() {
            if other.is_some_and(|other| other.body(kind) == Some(body)) {
                continue;
            }
            self.bodies.entry(kind.to_owned()).or_default().add(body);
            for (name, attribute) in &body.attributes {
                self.attributes.entry(name.clone()).or_default().add(attribute);
                for (reference, uses) in &attribute.references {
                    *self.references.entry(reference.clone()).or_default() += uses;
                }
            }
        }
        for name in learned.sensitive_names() {
            *self.sensitive_names.entry(name.clone()).or_default() += 1;
        }
        for (name, text) in learned.of_inputs() {
            *self.of_inputs.entry(name.clone()).or_default().entry(text.clone()).or_default() += 1;
        }
        for folder in file.calls().iter().filter_map(|call| call.folder.as_ref()) {
            *self.callers.entry(folder.clone()).or_default().entry(file.path().clone()).or_default() += 1;
        }
    }

    /// Removes the entries of a file, without those that another text of it has as well.
    fn remove(&mut self, file: &File, learned: &Learned, other: Option<&Learned>) {
        for (family, attributes) in learned.families() {
            if other.is_some_and(|other| other.family(family) == Some(attributes)) {
                continue;
            }
            take(&mut self.families, family, attributes);
        }
        for (argument, uses) in learned.arguments() {
            if other.is_some_and(|other| other.argument(argument) == Some(uses)) {
                continue;
            }
            take(&mut self.arguments, argument, uses);
        }
        for (function, uses) in learned.functions() {
            discount(&mut self.functions, function, *uses);
        }
        for (kind, body) in learned.bodies() {
            if other.is_some_and(|other| other.body(kind) == Some(body)) {
                continue;
            }
            if let Some(known) = self.bodies.get_mut(kind) {
                known.remove(body);
                if known.bodies == 0 {
                    self.bodies.remove(kind);
                }
            }
            for (name, attribute) in &body.attributes {
                if let Some(known) = self.attributes.get_mut(name) {
                    known.remove(attribute);
                    if known.uses == 0 {
                        self.attributes.remove(name);
                    }
                }
                for (reference, uses) in &attribute.references {
                    discount(&mut self.references, reference, *uses);
                }
            }
        }
        for name in learned.sensitive_names() {
            discount(&mut self.sensitive_names, name, 1);
        }
        for (name, text) in learned.of_inputs() {
            take(&mut self.of_inputs, name, &BTreeMap::from([(text.clone(), 1)]));
        }
        for folder in file.calls().iter().filter_map(|call| call.folder.as_ref()) {
            if let Some(callers) = self.callers.get_mut(folder) {
                callers.remove(file.path());
                if callers.is_empty() {
                    self.callers.remove(folder);
                }
            }
        }
    }

    /// Returns the learned contents of bodies of a kind.
    pub fn body(&self, kind: &str) -> Option<&LearnedBody> {
        self.bodies.get(kind)
    }

    /// Returns the names that follow a name in bodies of any kind, with the number of times.
    pub fn next(&self, previous: &str) -> BTreeMap<String, u32> {
        let mut all = BTreeMap::new();
        self.bodies.values().filter_map(|body| body.next.get(previous)).for_each(|names| add(&mut all, names));
        all
    }

    /// Returns the names that precede a name in bodies of any kind, with the number of times.
    pub fn before(&self, next: &str) -> BTreeMap<String, u32> {
        let mut all = BTreeMap::new();
        self.bodies.values().for_each(|body| body.add_before(next, &mut all));
        all
    }

    /// Returns the attributes of bodies of related kinds, with the number of their uses.
    pub fn family(&self, family: &str) -> Option<&BTreeMap<String, u32>> {
        self.families.get(family)
    }

    /// Returns the called functions, with the number of their calls.
    pub fn functions(&self) -> &BTreeMap<String, u32> {
        &self.functions
    }

    /// Returns the functions and references that make up an argument of a function.
    pub fn argument(&self, key: &str) -> Option<&BTreeMap<String, u32>> {
        self.arguments.get(key)
    }

    /// Returns the uses of an attribute in bodies of any kind.
    pub fn attribute(&self, name: &str) -> Option<&LearnedAttribute> {
        self.attributes.get(name)
    }

    /// Returns the references that begin with a text, with the number of their uses.
    pub fn references<'s>(&'s self, start: &'s str) -> impl Iterator<Item = (&'s str, u32)> {
        let range = self.references.range(start.to_owned()..);
        range
            .take_while(move |(reference, _)| reference.starts_with(start))
            .map(|(reference, uses)| (reference.as_str(), *uses))
    }

    /// Returns true if a file declares the value of a definition with this name sensitive.
    pub fn is_sensitive_name(&self, name: &str) -> bool {
        self.sensitive_names.contains_key(name)
    }

    /// Returns the constants of inputs that another file declares sensitive.
    fn secret_constants(&self) -> BTreeSet<&str> {
        let inputs = self.sensitive_names.keys().filter_map(|name| self.of_inputs.get(name));
        inputs.flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    /// Removes the values of an attribute that must not be offered.
    pub fn without_secrets(&self, mut values: BTreeMap<String, u32>) -> BTreeMap<String, u32> {
        let secrets = self.secret_constants();
        values.retain(|value, _| !secrets.contains(value.as_str()));
        values
    }

    /// Returns the files that call a folder as a module.
    pub fn callers(&self, folder: &str) -> impl Iterator<Item = &Arc<str>> {
        self.callers.get(folder).into_iter().flat_map(BTreeMap::keys)
    }
}
