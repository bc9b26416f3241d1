//! `hcl set`, `rm`, `mv`, `append` and `comment`: changes at addresses, in many files at once.
//!
//! Each command defines its changes for the targets of an address in one file (an [`Edits`](edits::Edits)). The shared
//! part is here and in `run`: no file is written before all have been processed, and none if there is an error.

mod append;
mod beside;
mod changes;
mod comment;
mod create;
mod destination;
mod edits;
mod json;
mod moves;
mod options;
mod present;
mod references;
mod remove;
mod repeated;
mod report;
mod run;
mod set;
mod taken;
mod targets;

pub use append::Append;
pub use comment::Comment;
pub use create::missing_item;
pub use json::strings_of;
pub use moves::Move;
pub use references::new_texts;
pub use remove::Remove;
pub use set::Set;
