//! Helpers that several test programs share.

pub mod cases;
pub mod golden;
#[allow(dead_code, reason = "not every test program asks others")]
pub mod lines;
#[allow(dead_code, reason = "not every test program reads documents")]
pub mod markdown;
#[allow(dead_code, reason = "not every test program needs more than Rust")]
pub mod needs;
#[allow(dead_code, reason = "not every test program asks")]
pub mod protocol;
