//! What several test programs use.

pub mod golden;
#[allow(dead_code, reason = "not every test program asks")]
pub mod protocol;
