//! What several test programs use.

pub mod golden;
