//! Edits for files and folders that are moved.

use hcl_lr::ConfigFile;
use hcl_lr::syntax::ast::{ExpressionNode, Visitor, Walk};

use crate::links::ReadPath;
use crate::workspace::{Cancelled, File, Snapshot};
use crate::{Edit, Location};
use hcl_lr_project::paths::{is_below, join, relative, split};

impl Snapshot {
    /// Returns the edits that keep the sources of modules, and the paths of files that functions read, valid when files or
    /// folders are moved. Each move is an old
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
            edits.extend(edits_of_paths(file, new_folder, &moved));
        }
        Ok(edits)
    }
}

/// Returns the edits of the paths of files that functions read, for a file that will be in a folder.
///
/// A path that begins with `${path.module}` is relative to the folder of its file. Any other one is relative to the folder
/// where the program runs, which is taken to be that of the file; it stays unless the file that it names is moved.
fn edits_of_paths(file: &File, new_folder: &str, moved: &dyn Fn(&str) -> String) -> Vec<Edit> {
    // The names of all these functions contain this word.
    if !file.text().bytes().windows(4).any(|word| word == b"file") {
        return Vec::new();
    }
    let mut edits = Vec::new();
    file.with_document(|document| {
        let ConfigFile::Native(native) = document else { return };
        let mut paths = Paths(Vec::new());
        native.body().walk(&mut paths);
        for read in paths.0 {
            let target = join(file.folder(), read.path());
            let new_target = moved(&target);
            let from = if read.is_of_module() { new_folder } else { file.folder() };
            let is_valid = join(from, read.path()) == new_target;
            if is_valid {
                continue;
            }
            let path = relative(from, &new_target);
            // A path stays without `./` if it had none.
            let path = path.strip_prefix("./").filter(|_| !read.path().starts_with("./")).unwrap_or(&path);
            let start = read.span.end() - read.path().len();
            let span = hcl_lr::source::Span::new(start, read.span.end());
            edits.push(Edit { location: Location { path: file.path().clone(), span }, text: path.to_owned() });
        }
    });
    edits
}

/// Collects the paths of files that functions read.
struct Paths<'t>(Vec<ReadPath<'t>>);

impl<'t> Visitor<'t> for Paths<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        self.0.extend(ReadPath::of(expression));
        Walk::Into
    }
}
