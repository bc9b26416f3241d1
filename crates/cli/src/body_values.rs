//! The values of bodies as objects, as `hcl eval` prints them.

pub use hcl_lr_edit::query::{evaluate_body, evaluate_json};
