//! Questions of the conformance protocol.

use serde_json::Value as Json;

/// The answer to a request.
pub fn ask(request: &Json) -> Json {
    let mut answer = Vec::new();
    hcl_lr_conformance::run(format!("{request}\n").as_bytes(), &mut answer).expect("writing to memory");
    serde_json::from_slice(&answer).expect("JSON")
}
