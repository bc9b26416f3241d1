//! The documents whose diagnostics are to be computed.
//!
//! The diagnostics of a document depend on the files of some folders. A change marks the documents that depend on its
//! folder, so that its cost does not grow with the number of open documents.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hcl_lr_analysis::{Cancelled, Changes};
use serde_json::Value;

/// The diagnostics of a document.
pub(super) struct Diagnosed {
    pub path: Arc<str>,
    /// The diagnostics; `None` if the check failed, so that no outdated ones stay.
    pub items: Option<Vec<Value>>,
    /// The folders that they depend on.
    pub folders: Arc<[Arc<str>]>,
}

/// Checks documents.
pub(super) fn diagnosed(
    paths: &[Arc<str>],
    find: impl Fn(&str) -> Result<(Vec<Value>, Arc<[Arc<str>]>), Cancelled>,
) -> Result<Vec<Diagnosed>, Cancelled> {
    let check = |path: &Arc<str>| {
        let found = catch_unwind(AssertUnwindSafe(|| find(path))).ok().transpose()?;
        let (items, folders) = found.map_or((None, Arc::default()), |(items, folders)| (Some(items), folders));
        Ok(Diagnosed { path: path.clone(), items, folders })
    };
    paths.iter().map(check).collect()
}

/// The documents whose diagnostics are to be computed, and those that a change of a file concerns.
#[derive(Default)]
pub(super) struct Due {
    due: BTreeSet<Arc<str>>,
    /// The folders that a document depends on.
    folders: HashMap<Arc<str>, Arc<[Arc<str>]>>,
    /// The documents that depend on a folder.
    documents: HashMap<Arc<str>, BTreeSet<Arc<str>>>,
}

impl Due {
    /// Adds a document.
    pub fn add(&mut self, path: Arc<str>) {
        self.due.insert(path);
    }

    /// Removes a document that is no longer open.
    pub fn remove(&mut self, path: &Arc<str>) {
        self.due.remove(path);
        self.depends(path, Arc::default());
        self.folders.remove(path);
    }

    /// Sets the folders that a document depends on.
    pub fn depends(&mut self, path: &Arc<str>, folders: Arc<[Arc<str>]>) {
        let before = self.folders.insert(path.clone(), folders.clone());
        if before.as_ref().is_some_and(|before| *before == folders) {
            return;
        }
        for folder in before.iter().flat_map(|before| before.iter()) {
            if let Some(documents) = self.documents.get_mut(folder) {
                documents.remove(path);
                if documents.is_empty() {
                    self.documents.remove(folder);
                }
            }
        }
        for folder in folders.iter() {
            self.documents.entry(folder.clone()).or_default().insert(path.clone());
        }
    }

    /// Adds the documents that changes concern.
    pub fn changed<'d>(&mut self, changes: &Changes, open: impl Iterator<Item = &'d Arc<str>>) {
        if changes.is_everything {
            self.due.extend(open.cloned());
            return;
        }
        for documents in changes.folders.iter().filter_map(|folder| self.documents.get(folder)) {
            self.due.extend(documents.iter().cloned());
        }
    }

    /// Takes all documents that are due.
    pub fn take(&mut self) -> Vec<Arc<str>> {
        std::mem::take(&mut self.due).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_that_fails_has_no_old_diagnostics() {
        let paths: Vec<Arc<str>> = vec!["/a.tf".into(), "/b.tf".into()];
        let find = |path: &str| match path {
            "/a.tf" => panic!("a defect"),
            _ => Ok((vec![json!(1)], Arc::default())),
        };
        let Ok(found) = diagnosed(&paths, find) else { panic!("nothing has changed") };
        let found: Vec<_> = found.into_iter().map(|found| (found.path, found.items)).collect();
        assert_eq!(found, [(paths[0].clone(), None), (paths[1].clone(), Some(vec![json!(1)]))]);
    }

    #[test]
    fn changes_concern_the_documents_that_depend_on_their_folders() {
        let names = |names: &[&str]| -> Vec<Arc<str>> { names.iter().map(|name| (*name).into()).collect() };
        let open = names(&["/a/1.tf", "/a/2.tf", "/b/1.tf"]);
        let in_folders = |folders: &[&str]| Changes {
            folders: folders.iter().map(|folder| (*folder).into()).collect(),
            is_everything: false,
        };
        let mut due = Due::default();
        due.depends(&open[0], names(&["/a", "/m"]).into());
        due.depends(&open[1], names(&["/a"]).into());
        due.depends(&open[2], names(&["/b", "/m"]).into());
        let concerned = |due: &mut Due, folders: &[&str]| {
            due.changed(&in_folders(folders), open.iter());
            due.take()
        };
        assert_eq!(concerned(&mut due, &["/a"]), names(&["/a/1.tf", "/a/2.tf"]));
        assert_eq!(concerned(&mut due, &["/m", "/c"]), names(&["/a/1.tf", "/b/1.tf"]));
        due.depends(&open[0], names(&["/a"]).into());
        assert_eq!(concerned(&mut due, &["/m"]), names(&["/b/1.tf"]));
        due.remove(&open[2]);
        assert_eq!(concerned(&mut due, &["/b"]), names(&[]));
        due.changed(&Changes { is_everything: true, ..Changes::default() }, open.iter());
        assert_eq!(due.take(), open);
    }
}
