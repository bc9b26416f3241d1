//! Answers about HCL files for editors: files in, answers out.
//!
//! A [`Workspace`] holds the texts of files. A [`Snapshot`] of it answers questions: the errors in a file, the
//! completions at a place, the meaning of a name, its uses. The library knows no protocol, starts no threads, and
//! reads no files or clocks, so it also runs in a browser.
//!
//! ```
//! use hcl_lr_analysis::Workspace;
//!
//! let mut workspace = Workspace::default();
//! let text = "variable \"region\" {}\nlocals {\n  zone = \"${var.regoin}-a\"\n}\n";
//! workspace.set("/net/main.tf", text);
//! let snapshot = workspace.snapshot();
//! let wrong = snapshot.diagnostics("/net/main.tf")?;
//! assert!(wrong.iter().any(|one| one.diagnostic.code().as_str() == "unknown-variable"));
//! let after_the_dot = text.find("regoin").expect("it is there");
//! let offered = snapshot.completion("/net/main.tf", after_the_dot)?;
//! assert_eq!(offered.items[0].label, "region");
//! # Ok::<(), hcl_lr_analysis::Cancelled>(())
//! ```
//!
//! Places are byte [`Span`](hcl_lr::source::Span)s. Paths are absolute, with `/` between the folders; they need not
//! exist on a disk.
//!
//! | module | contents |
//! | --- | --- |
//! | [`workspace`] | files, snapshots, caches |
//! | [`description`] | the schema of a language, as far as editors ask for it |
//! | [`knowledge`] | attributes, blocks and values that a language has; what other files use |
//! | [`project`] | files that are one name space, with the modules that they call |
//! | [`cursor`] | the construct around a place in a text that may be broken |
//!
//! Each answer has a file of its own, named after the question.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod actions;
mod call_site;
pub mod calls;
mod cancelled;
pub mod completion;
pub mod cursor;
pub mod description;
pub mod diagnostics;
mod edit;
mod file;
mod filter;
mod finding;
pub mod format;
pub mod hints;
pub mod hover;
mod index;
mod iterators;
pub mod knowledge;
pub mod lenses;
pub mod links;
mod local_names;
pub mod moves;
pub mod navigate;
mod outline;
mod parts;
pub mod project;
mod rank;
mod recheck;
pub mod rename;
mod secrets;
mod settings;
mod shape;
pub mod signature;
mod spans;
mod state;
pub mod structure;
pub mod symbols;
mod tables;
pub mod tokens;
pub mod workspace;

pub use cancelled::Cancelled;
pub use filter::FileFilter;
pub use hcl_lr_project::{Language, Languages};
pub use settings::Settings;
pub use workspace::{Changes, Snapshot, Workspace};

use std::sync::Arc;

use hcl_lr::source::{Place, Span};

/// A span in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The path of the file.
    pub path: Arc<str>,
    /// The span in its text.
    pub span: Span,
}

impl Location {
    /// Returns the location of a place in a workspace, where sources are named by their paths.
    pub fn of(place: &Place) -> Location {
        Location { path: place.source().name().into(), span: place.span() }
    }
}

/// A replacement in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace.
    pub location: Location,
    /// The new text.
    pub text: String,
}
