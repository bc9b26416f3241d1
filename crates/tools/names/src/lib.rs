//! Compares the names of shipped languages with those that the languages' own programs know.
//!
//! A *table* lists the names of one kind of files as a program has them; `tables/make` makes it from the program's source.
//! [`Names::of_schema`] lists those of a shipped schema in the same form, and [`compare`] tells how the two differ. A file beside the
//! table gives the reason for each difference that stays.

#![forbid(unsafe_code)]

mod compare;
mod files;
mod reasons;
mod schema;
mod table;
mod tables;

pub use compare::{Comparison, Difference, Kind, compare};
pub use files::{Checked, check};
pub use reasons::Reasons;
pub use table::{Name, Names};
pub use tables::Table;
