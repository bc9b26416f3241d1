//! Findings in the files of a run, project by project.
//!
//! The files of a folder that a program reads together are a project, which is read once, whichever of its files are
//! checked. A finding is reported with the file that contains it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::Error;
use crate::input::{Document, Origin};
use crate::language::FileLanguages;
use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::Facts;
use hcl_lr_project::{Files, Key, LoadOptions, Project};

/// The maximum number of further places that an error about a name shows.
const MAX_SHOWN: usize = 4;

/// The findings of all files of a run.
pub struct Projects {
    languages: FileLanguages,
    /// True to check the names and values of the files that belong together, too.
    checks_names: bool,
    known: Mutex<HashMap<Key, Arc<OnceLock<Found>>>>,
    facts: Mutex<HashMap<Key, Arc<OnceLock<Facts>>>>,
}

/// The findings by path.
type Found = HashMap<String, Diagnostics>;

impl Projects {
    pub fn new(languages: FileLanguages, checks_names: bool) -> Projects {
        Projects { languages, checks_names, known: Mutex::default(), facts: Mutex::default() }
    }

    /// Returns the languages of the files.
    pub fn languages(&self) -> &FileLanguages {
        &self.languages
    }

    /// Returns the findings in a file, those of its text first.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn of(&self, origin: &Origin) -> Result<Diagnostics, Error> {
        let path = self.languages.disk.name(origin);
        let key = self.key(origin, &path);
        let cell = lock(&self.known).entry(key.clone()).or_default().clone();
        // Files that need the same project wait for it, while others proceed.
        let found = cell.get_or_init(|| self.found(&key));
        if let Some(found) = found.get(&path) {
            return Ok(found.clone());
        }
        // The project does not have the file, such as one with another name than those of the requested language.
        let document = self.languages.disk.document(&path).map_err(|_| self.languages.disk.why_unread(&path))?;
        let mut all = key.language().text_findings(document.diagnostics);
        all.append(self.by_schema(origin, &document.file));
        all.sort();
        Ok(all)
    }

    /// Returns the findings of the schema in a parsed file, with the facts of its project.
    pub fn of_document(&self, origin: &Origin, document: &Document) -> Diagnostics {
        let file: ConfigFile = match document {
            Document::Config(file) => file.into(),
            Document::Json(document) => document.into(),
            Document::Expression(_) | Document::Template(_) => return Diagnostics::new(),
        };
        self.by_schema(origin, &file)
    }

    fn by_schema(&self, origin: &Origin, file: &ConfigFile) -> Diagnostics {
        let path = self.languages.disk.name(origin);
        let key = self.key(origin, &path);
        if !key.language().needs_facts() || key.is_part() {
            return key.language().check(file, &key.language().facts([file]));
        }
        let cell = lock(&self.facts).entry(key.clone()).or_default().clone();
        let facts = cell.get_or_init(|| {
            let project = self.load(&key);
            project.language().facts(project.members().iter().map(|member| &member.document.file))
        });
        key.language().check(file, facts)
    }

    fn load(&self, key: &Key) -> Project {
        let disk = &self.languages.disk;
        self.languages.with_sources(disk, |sources| Project::load(sources, key, &LoadOptions::default()))
    }

    /// Returns the links to files and modules that were not followed.
    pub fn take_left(&self) -> BTreeSet<PathBuf> {
        self.languages.disk.take_left()
    }

    /// Returns the key of the project of a file. What is no file in a folder, such as a pipe, is one by itself.
    fn key(&self, origin: &Origin, path: &str) -> Key {
        match origin {
            Origin::Path(file) if file.is_file() => {
                self.languages.with_sources(&self.languages.disk, |sources| Key::of(sources, path))
            }
            _ => Key::of_file(path, &self.languages.of(origin).language),
        }
    }

    fn found(&self, key: &Key) -> Found {
        let project = self.load(key);
        let is_alone = key.is_part() && key.language().is_together();
        let checks_names = self.checks_names;
        let members = || project.all_members();
        let mut findings = Diagnostics::new();
        for member in members() {
            findings.extend(match checks_names {
                true => project.findings(&member.path),
                false => project.own_findings(&member.path),
            });
        }
        if is_alone {
            // The rest of the program is elsewhere: it may define the names, and have the modules.
            let is_of_module =
                |found: &Diagnostic| *found.code() == Code::UnreadableFile && found.severity() == Severity::Warning;
            findings.retain(|found| !is_of_name(found) && !is_of_module(found));
        }
        let mut findings = grouped(findings);
        // A reference may be in text that cannot be read.
        if checks_names && !is_alone && project.language().is_checked() && !project.has_text_errors() {
            let unused = members().flat_map(|member| project.unused(&member.path));
            findings.extend(unused.map(unused_definition));
        }
        let paths: HashMap<&str, &str> =
            members().map(|member| (member.document.file.source().name(), &*member.path)).collect();
        let mut found: Found = members().map(|member| (member.path.clone(), Diagnostics::new())).collect();
        for finding in findings {
            if let Some(all) = paths.get(finding.source().name()).and_then(|path| found.get_mut(*path)) {
                all.push(finding);
            }
        }
        found.values_mut().for_each(Diagnostics::sort);
        found
    }
}

/// Returns the warning about an unused definition.
fn unused_definition(definition: Definition<'_>) -> Diagnostic {
    let detail = format!("nothing refers to `{}`", definition.address());
    Diagnostic::warning(Code::UnusedDefinition, definition.name_place(), detail).with_help("remove it, or use it")
}

/// Returns true if an error is about a name.
fn is_of_name(found: &Diagnostic) -> bool {
    matches!(found.code(), Code::UnknownVariable | Code::UnknownFunction | Code::UndefinedName)
}

/// Combines the errors about each name into one that shows the other places.
fn grouped(all: Diagnostics) -> Diagnostics {
    let mut first: BTreeMap<(Code, String), usize> = BTreeMap::new();
    let mut kept: Vec<(Diagnostic, usize)> = Vec::new();
    for diagnostic in all {
        if !is_of_name(&diagnostic) {
            kept.push((diagnostic, 0));
            continue;
        }
        let key = (diagnostic.code().clone(), diagnostic.detail().to_owned());
        match first.get(&key) {
            None => {
                first.insert(key, kept.len());
                kept.push((diagnostic, 0));
            }
            Some(&at) => {
                let (known, more) = &mut kept[at];
                *more += 1;
                if *more <= MAX_SHOWN {
                    *known = known.clone().with_label(diagnostic.place(), "and here");
                }
            }
        }
    }
    let finished = kept.into_iter().map(|(diagnostic, more)| match more.saturating_sub(MAX_SHOWN) {
        0 => diagnostic,
        hidden => {
            let places = if hidden == 1 { "1 more place".to_owned() } else { format!("{hidden} more places") };
            let help = diagnostic.help().map_or_else(String::new, |help| format!("{help}; "));
            diagnostic.with_help(format!("{help}the same is wrong in {places}"))
        }
    });
    finished.collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
