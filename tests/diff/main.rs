//! Differences by structure, and merges.

mod canonical;
mod cases;
#[path = "../syntax/edit/generate.rs"]
mod generate;
mod merges;
#[path = "../syntax/edit/model.rs"]
#[allow(dead_code)]
mod model;
mod patches;
#[path = "../syntax/edit/trial.rs"]
#[allow(dead_code)]
mod trial;

/// Returns a number from the environment.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
