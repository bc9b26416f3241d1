//! The outline of a file, and searches for names in all files.

use hcl_lr::ConfigFile;

use crate::Location;
pub use crate::outline::{Symbol, SymbolKind};
use crate::outline::{of_body, of_json};
use crate::rank::fits;
use crate::workspace::{Cancelled, Snapshot};

/// The maximum number of symbols of a workspace.
const MAX_FOUND: usize = 500;

impl Snapshot {
    /// Returns the outline of a file, where each symbol follows its parent.
    pub fn symbols(&self, path: &str) -> Vec<Symbol> {
        let Some(file) = self.file(path) else { return Vec::new() };
        match file.document() {
            ConfigFile::Native(native) => of_body(native.body(), usize::MAX),
            ConfigFile::Json(document) => of_json(document.root()),
        }
    }

    /// Returns the blocks and attributes of all files whose names contain the letters of a text in its order.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn workspace_symbols(&self, text: &str) -> Result<Vec<(Symbol, Location)>, Cancelled> {
        let mut found = Vec::new();
        for file in self.files().filter(|file| !file.is_shown_only()) {
            self.check()?;
            file.index();
            for symbol in file.outline() {
                if fits(text, &symbol.name) {
                    let location = Location { path: file.path().clone(), span: symbol.name_span };
                    found.push((symbol.clone(), location));
                }
            }
        }
        // Names that start with the text come first, then short ones.
        let text = text.to_lowercase();
        found.sort_by_cached_key(|(symbol, location)| {
            let name = symbol.name.to_lowercase();
            let place = match name.find(&text) {
                Some(at) if at == 0 || name[..at].ends_with([' ', '.', '_']) => 0,
                Some(_) => 1,
                None => 2,
            };
            (place, name.len(), name, location.clone())
        });
        found.truncate(MAX_FOUND);
        Ok(found)
    }
}
