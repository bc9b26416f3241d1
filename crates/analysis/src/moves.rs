//! Edits for files and folders that are moved.

use crate::workspace::{Cancelled, Snapshot};
use crate::{Edit, Location};
use hcl_lr_project::paths::{is_below, join, relative, split};

impl Snapshot {
    /// Returns the edits that keep the sources of modules valid when files or folders are moved. Each move is an old
    /// path and a new one; the edits are for files at their old paths.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn edits_for_moves(&self, moves: &[(String, String)]) -> Result<Vec<Edit>, Cancelled> {
        let moved = |path: &str| {
            let found = moves.iter().filter(|(old, _)| is_below(path, old)).max_by_key(|(old, _)| old.len());
            found.map_or_else(|| path.to_owned(), |(old, new)| format!("{new}{}", &path[old.len()..]))
        };
        let mut edits = Vec::new();
        for file in self.files() {
            self.check()?;
            let new_path = moved(file.path());
            let new_folder = split(&new_path).0;
            file.index();
            for call in file.calls() {
                let Some(target) = &call.folder else { continue };
                // The module moves with its folder; other folders stay.
                let new_target = moved(target);
                if join(new_folder, &call.source) != new_target {
                    let location = Location { path: file.path().clone(), span: call.span };
                    edits.push(Edit { location, text: relative(new_folder, &new_target) });
                }
            }
        }
        Ok(edits)
    }
}
