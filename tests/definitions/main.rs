//! Definitions: files that refer to themselves.

mod basics;
