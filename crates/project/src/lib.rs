//! Projects in HCL 2: the language of a file, the files that belong together, their modules, and one list of what is
//! wrong with them.
//!
//! Every program that works with more than one file asks this package, so that all give the same answer. It reads no
//! files by itself: [`Files`] are those of a disk, of an editor, or of memory. It starts no threads and asks for no time.
//!
//! | module | contents |
//! | --- | --- |
//! | [`files`] | where files come from |
//! | [`language`], [`languages`] | languages, and the one of a file |
//! | [`project`] | files that form one name space, with their modules |
//! | [`findings`] | what is wrong in a project, each mistake once |
//! | [`values`] | the values of a project by its schema |
//! | [`scopes`] | what expressions see at their places |
//! | [`paths`] | paths as strings |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod files;
pub mod findings;
pub mod language;
pub mod languages;
mod manifest;
pub mod paths;
pub mod project;
pub mod scopes;
pub mod values;

pub use files::{Document, Files, Memory, Overlay, Unread};
pub use language::{Additions, Language};
pub use languages::{Chosen, Known, Languages, Reading, SCHEMA_FILE, WrongSchema};
#[doc(hidden)]
pub use manifest::{MANIFEST, PROVIDER_SCHEMAS, installed_folders};
pub use project::{Key, LoadOptions, Member, Project, Sources};
pub use scopes::{FileScopes, ProjectScopes};
