//! Names in files that belong together: undefined names, cycles, calls that cannot succeed, and unused definitions.
//!
//! The files of a folder that a program reads together form a group, which is read once, whichever of its files are
//! checked. A finding is reported with the file that contains it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::context::Context;
use crate::input::Origin;
use crate::language::Language;
use crate::project::Project;
use crate::root::identity;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr_language::definitions::{Definition, References};

/// The maximum number of further places that an error about a name shows.
const MAX_SHOWN: usize = 4;

/// The checks of names, for all files of a run.
pub struct Names {
    context: Context,
    /// The requested language.
    asked: Option<Language>,
    options: ParseOptions,
    groups: Mutex<HashMap<Group, Arc<OnceLock<Found>>>>,
    /// Links to modules, and inside them, that were not followed.
    left: Mutex<BTreeSet<PathBuf>>,
}

/// Files that belong together: those of a folder, or a single one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Group {
    language: Language,
    folder: PathBuf,
    file: Option<PathBuf>,
}

/// The findings by file.
type Found = HashMap<PathBuf, Diagnostics>;

impl Names {
    pub fn new(context: Context, asked: Option<Language>, options: ParseOptions) -> Names {
        Names { context, asked, options, groups: Mutex::default(), left: Mutex::default() }
    }

    /// Returns the findings about names in a file. Empty if its language does not define names, or if one of the files
    /// that belong together has syntax errors.
    pub fn of(&self, origin: &Origin) -> Diagnostics {
        let Origin::Path(path) = origin else { return Diagnostics::new() };
        let Some(group) = self.group(path) else { return Diagnostics::new() };
        let cell = {
            let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
            groups.entry(group.clone()).or_default().clone()
        };
        // Files that need the same group wait for it, while other groups proceed.
        let found = cell.get_or_init(|| self.found(&group));
        found.get(&identity(path)).cloned().unwrap_or_default()
    }

    /// Returns the links to modules, and inside them, that were not followed.
    pub fn left(&self) -> BTreeSet<PathBuf> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The group that a file is in.
    fn group(&self, path: &Path) -> Option<Group> {
        let name = path.file_name()?.to_string_lossy();
        let language = match &self.asked {
            Some(language) => language.reads(&name).then(|| language.clone())?,
            None => Language::claiming(&name)?,
        };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let file = (!language.is_together()).then(|| path.to_owned());
        Some(Group { language, folder, file })
    }

    fn found(&self, group: &Group) -> Found {
        let files = match &group.file {
            Some(file) => vec![file.clone()],
            None => {
                let folder = if group.folder.as_os_str().is_empty() { Path::new(".") } else { &group.folder };
                // The check of single files reports unreadable ones.
                group.language.files_in(&self.context, folder).unwrap_or_default()
            }
        };
        let is_claimed = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.asked.is_some() || Language::claiming(&name).as_ref() == Some(&group.language)
        };
        let origins: Vec<Origin> = files.into_iter().filter(is_claimed).map(Origin::Path).collect();
        if origins.is_empty() {
            return Found::new();
        }
        match Project::quietly(&self.context, origins, &group.language, &self.options) {
            Ok(project) if !project.has_errors => {
                self.left.lock().unwrap_or_else(PoisonError::into_inner).extend(project.left.iter().cloned());
                by_file(problems(&project))
            }
            _ => Found::new(),
        }
    }
}

/// All that is wrong with the names in the files of a project.
fn problems(project: &Project) -> Diagnostics {
    let references = References::new(&project.definitions);
    let mut all = project.found.clone();
    all.extend(references.undefined().iter().cloned());
    all.append(project.definitions.failing_calls(&project.scope()));
    all.sort();
    let mut all = grouped(all.without_repetitions());
    let own_definitions = project.definitions.iter().filter(|definition| definition.module().is_none());
    all.extend(own_definitions.filter(|definition| references.is_unused(definition)).map(unused));
    all.sort();
    all
}

/// Returns the warning about an unused definition.
fn unused(definition: Definition<'_>) -> Diagnostic {
    let detail = format!("nothing refers to `{}`", definition.address());
    Diagnostic::warning(Code::UnusedDefinition, definition.name_place(), detail).with_help("remove it, or use it")
}

/// Combines the errors about each name into one that shows the other places.
fn grouped(all: Diagnostics) -> Diagnostics {
    let is_of_name = |diagnostic: &Diagnostic| {
        matches!(diagnostic.code(), Code::UnknownVariable | Code::UnknownFunction | Code::UndefinedName)
    };
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

fn by_file(all: Diagnostics) -> Found {
    let mut found = Found::new();
    let mut identities: HashMap<String, PathBuf> = HashMap::new();
    for diagnostic in all {
        let name = diagnostic.source().name().to_owned();
        let path = identities.entry(name).or_insert_with_key(|name| identity(Path::new(name))).clone();
        found.entry(path).or_default().push(diagnostic);
    }
    found
}
