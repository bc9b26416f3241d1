//! The types for blocks and labels, as other formats serialize them.

use hcl_lr::typed::{BlockOf, Labeled, Labels};
use serde_json::json;

#[test]
fn other_formats_see_what_they_hold() {
    let labels = Labels::from(["a", "b"]);
    assert_eq!(serde_json::to_value(&labels).unwrap(), json!(["a", "b"]));
    assert_eq!(serde_json::to_value(BlockOf(vec![1, 2])).unwrap(), json!([1, 2]));
    let labeled = Labeled::new(labels, true);
    assert_eq!(serde_json::to_value(labeled).unwrap(), json!({"labels": ["a", "b"], "value": true}));
}
