//! Finds the HCL files in folders.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::context::Context;
use super::error::Error;
use super::ignoring;
use super::input::Origin;
use super::language::FileLanguages;
use super::resolve::Unresolved;
use super::terminal;
use hcl_lr::source::visible::{path as shown, reason};
use hcl_lr_language::schema::{FILE_EXTENSIONS, is_hcl_file};

/// The options of a search.
#[derive(Default)]
pub struct Search<'a> {
    /// Further extensions of HCL files, without the dot.
    pub extensions: &'a [String],
    /// Search everywhere, ignored and hidden folders too.
    pub everything: bool,
    /// Do not search folders within folders.
    pub flat: bool,
    /// Patterns of paths to exclude, even if they are named.
    pub exclude: Option<&'a Exclude>,
    /// The languages of files, which know further names.
    pub languages: Option<&'a FileLanguages>,
}

/// Patterns of paths, in the language of `.gitignore`, from the current folder on.
pub struct Exclude {
    patterns: Gitignore,
    folder: PathBuf,
}

impl Exclude {
    /// # Errors
    /// A message, if a pattern is invalid.
    pub fn new(patterns: &[String]) -> Result<Exclude, Error> {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            builder
                .add_line(None, pattern)
                .map_err(|error| format!("`{pattern}` is not a valid path pattern: {error}"))?;
        }
        let patterns = builder.build().map_err(|error| error.to_string())?;
        Ok(Exclude { patterns, folder: std::env::current_dir().unwrap_or_default() })
    }

    /// Returns true if a path is left out.
    pub fn matches(&self, path: &Path, is_folder: bool) -> bool {
        let path = plain(path.strip_prefix(&self.folder).unwrap_or(path));
        let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
        let path: PathBuf = parts.collect();
        !path.as_os_str().is_empty() && self.patterns.matched_path_or_any_parents(&path, is_folder).is_ignore()
    }
}

/// The files found.
#[derive(Default)]
pub struct Found {
    /// The files to check, each once, in the order of the arguments, and by name within folders.
    pub origins: Vec<Origin>,
    /// The files and folders that could not be read.
    pub failures: Vec<String>,
    /// Folders without a file that looks like HCL.
    pub empty: Vec<String>,
    /// Links in folders that lead outside and are not followed.
    pub outside: Vec<String>,
}

impl Found {
    /// Prints a note about the links that were left alone, each link once in a run.
    pub fn note_links(&self, context: &Context) {
        let mut new: Vec<&String> = self.outside.iter().collect();
        context.retain_new_links(&mut new);
        match &new[..] {
            [] => {}
            [link] => {
                terminal::note(&format!("`{link}` leads out of the folder and was left alone; name it to include it"))
            }
            [first, others @ ..] => terminal::note(&format!(
                "`{first}` and {} lead out of the folder and were left alone; name them to include them",
                terminal::count(others.len(), "other link")
            )),
        }
    }
}

impl Search<'_> {
    /// Finds the files to process. Calls `progress` with the files so far, while folders are searched. Links among them
    /// may be left out at the end.
    pub fn run(&self, context: &Context, paths: &[PathBuf], mut progress: impl FnMut(&[Origin])) -> Found {
        let mut found = Found::default();
        let mut known = Known::default();
        context.reach().name(paths);
        for path in paths {
            match std::fs::metadata(path) {
                _ if path == Path::new("-") => {
                    if !found.origins.contains(&Origin::Stdin) {
                        found.origins.push(Origin::Stdin);
                    }
                }
                Err(error) => {
                    found.failures.push(format!("cannot read `{}`: {}", shown(path), reason(&error)));
                }
                Ok(metadata) if self.excludes(path, metadata.is_dir()) => {}
                Ok(metadata) if metadata.is_dir() => self.folder(context, path, &mut found, &mut known, &mut progress),
                Ok(_) => {
                    if known.name(path) {
                        found.origins.push(Origin::Path(path.clone()));
                    }
                }
            }
        }
        if !known.links.is_empty() {
            drop_links_to_known(&known.links.into_values().collect(), &mut found);
        }
        found
    }

    fn folder(
        &self,
        context: &Context,
        root: &Path,
        found: &mut Found,
        known: &mut Known,
        progress: &mut impl FnMut(&[Origin]),
    ) {
        // Anything that is HCL, or may be but cannot be read.
        let mut any = false;
        let refused = Arc::default();
        let folder = root.canonicalize().unwrap_or_else(|_| plain(root));
        for entry in self.walk(root, &refused).into_iter().flatten() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    any = true;
                    found.failures.push(unreadable(root, &error));
                    continue;
                }
            };
            let path = entry.path();
            if entry.depth() == 0 || !self.wants(path) {
                continue;
            }
            let is_link = entry.path_is_symlink();
            match is_link.then(|| context.reach().follow(path)) {
                Some(Err(Unresolved::Outside)) => {
                    any = true;
                    if !self.excludes(path, false) {
                        found.outside.push(shown(&plain(path)));
                    }
                    continue;
                }
                // Links to folders are not followed, because they can form cycles.
                Some(Ok(target)) if target.metadata.is_file() => {}
                None if entry.file_type().is_some_and(|kind| kind.is_file()) => {}
                _ => continue,
            }
            any = true;
            if self.excludes(path, false) {
                continue;
            }
            let own_path = path.strip_prefix(root).map_or_else(|_| plain(path), |rest| folder.join(rest));
            if known.find(own_path, path, is_link) {
                found.origins.push(Origin::Path(plain(path)));
            }
            progress(&found.origins);
        }
        let refused = std::mem::take(&mut *lock(&refused));
        if !any && refused.is_empty() {
            found.empty.push(shown(root));
        }
        found.failures.extend(refused);
    }

    /// Walks a folder, except for folders whose ignore files cannot be read, which are added to `refused`.
    fn walk(&self, root: &Path, refused: &Arc<Mutex<Vec<String>>>) -> Option<ignore::Walk> {
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(!self.everything).require_git(false);
        walk.sort_by_file_name(|a, b| a.cmp(b));
        // Hidden files such as `.terraform.lock.hcl` belong to this project; hidden folders hold the data of tools.
        walk.hidden(false);
        walk.max_depth(self.flat.then_some(1));
        if !self.everything {
            let sizes = match ignoring::Sizes::of(&plain(root)) {
                Ok(sizes) => Mutex::new(sizes),
                Err(why) => {
                    lock(refused).push(why.to_string());
                    return None;
                }
            };
            let refused = Arc::clone(refused);
            walk.filter_entry(move |entry| {
                if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
                    return true;
                }
                let entered =
                    || lock(&sizes).enter(&plain(entry.path())).map_err(|why| lock(&refused).push(why.to_string()));
                !is_hidden_folder(entry) && entered().is_ok()
            });
        }
        Some(walk.build())
    }

    fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        self.exclude.is_some_and(|exclude| exclude.matches(path, is_folder))
    }

    /// Returns true if a file in a folder is meant: by its name, or by the language that is requested, or that its folder
    /// has.
    fn wants(&self, path: &Path) -> bool {
        match self.languages {
            Some(languages) if languages.explicit().is_some_and(|language| !language.is_plain()) => {
                languages.can_have(path) || self.is_further(path)
            }
            Some(languages) => self.is_hcl(path) || languages.can_have(path),
            None => self.is_hcl(path),
        }
    }

    pub fn is_hcl(&self, path: &Path) -> bool {
        // The rest of a name need not be UTF-8.
        path.file_name().is_some_and(|name| is_hcl_file(&name.to_string_lossy())) || self.is_further(path)
    }

    /// Returns true if a file has one of the further extensions, which can have several parts, such as `nomad.tpl`.
    fn is_further(&self, path: &Path) -> bool {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let mut endings = self.extensions.iter().map(|other| other.trim_start_matches('.').to_ascii_lowercase());
        endings.any(|ending| name.strip_suffix(&ending).is_some_and(|rest| rest.ends_with('.')))
    }

    /// Returns the extensions that are searched for, to be shown.
    pub fn extensions(&self) -> String {
        let others = self.extensions.iter().map(|extension| extension.trim_start_matches('.'));
        let all: Vec<_> = FILE_EXTENSIONS.into_iter().chain(others).map(|extension| format!(".{extension}")).collect();
        all.join(", ") + ", .tf.json and the like"
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_hidden_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir()) && entry.file_name().to_string_lossy().starts_with('.')
}

/// Prints a note about links that were left alone.
pub fn note(context: &Context, links: BTreeSet<PathBuf>) {
    Found { outside: links.iter().map(|link| shown(link)).collect(), ..Found::default() }.note_links(context);
}

/// Removes the links to files that are searched anyway.
fn drop_links_to_known(links: &HashSet<PathBuf>, found: &mut Found) {
    let is_link = |path: &Path| links.contains(path);
    let paths = found.origins.iter().filter_map(Origin::path).filter(|path| !is_link(path));
    let mut files: HashSet<PathBuf> = paths.filter_map(|path| path.canonicalize().ok()).collect();
    found.origins.retain(|origin| {
        let Some(path) = origin.path().filter(|path| is_link(path)) else { return true };
        path.canonicalize().is_ok_and(|file| files.insert(file))
    });
}

/// The files so far, by their absolute paths, because several paths can lead to a file. The folders in these paths are
/// not links.
#[derive(Default)]
struct Known {
    /// The named files, and the targets of named links.
    named: HashSet<PathBuf>,
    /// The files in folders.
    found: HashSet<PathBuf>,
    /// The links among the files in folders, each with its path from the named folder.
    links: HashMap<PathBuf, PathBuf>,
}

impl Known {
    /// Adds a named file. Returns false if it was added before.
    fn name(&mut self, path: &Path) -> bool {
        let real = path.canonicalize().unwrap_or_else(|_| plain(path));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let own_path = folder.canonicalize().ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
        let own_path = own_path.unwrap_or_else(|| real.clone());
        // A named link is followed wherever it leads.
        self.links.remove(&own_path);
        let is_new = [&own_path, &real].iter().all(|path| !self.found.contains(*path) && !self.named.contains(*path));
        self.named.extend([own_path, real]);
        is_new
    }

    /// Adds a file in a folder. Returns false if it was added before. The targets of links are resolved later.
    fn find(&mut self, own: PathBuf, path: &Path, is_link: bool) -> bool {
        let is_new = !self.named.contains(&own) && self.found.insert(own.clone());
        if is_new && is_link {
            self.links.insert(own, plain(path));
        }
        is_new
    }
}

/// A path without a leading `./`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, Component::CurDir)).collect()
}

/// Why a part of a folder was not searched.
fn unreadable(root: &Path, error: &ignore::Error) -> String {
    let mut path = root;
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = at;
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    match inner.io_error() {
        Some(error) => format!("cannot read `{}`: {}", shown(path), reason(error)),
        None => format!("cannot read `{}`: {inner}", shown(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_hcl() {
        let more = ["pp".to_owned(), ".Nomad.tpl".to_owned()];
        let search = Search { extensions: &more, ..Search::default() };
        let names = [
            "a.tf",
            "a.TF",
            ".terraform.lock.hcl",
            "a.pkr.hcl",
            "x.sh.tftpl",
            "a.pp",
            "a.nomad.tpl",
            "x.nomad",
            "a.tf.json",
            "x.auto.tfvars.JSON",
        ];
        for name in names {
            assert!(search.is_hcl(Path::new(name)), "{name}");
        }
        for name in ["tf", "package.json", "tf.json", "a.tpl", "a.tfstate", "a.tf.bak", "a.tf~", "hcl"] {
            assert!(!search.is_hcl(Path::new(name)), "{name}");
        }
    }
}
