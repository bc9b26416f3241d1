//! Checks of a JSON document without a schema.

use super::json::body_required;
use crate::diagnostic::Outcome;
use crate::json::{COMMENT, Document, Node, NodeKind, StringText, source_of};
use crate::reading::ParseOptions;
use crate::source::Source;

/// Reads a JSON document and reports all its errors as far as that is known without a
/// schema: what is not JSON, a root that is neither an object nor an array of objects, and strings with
/// mistakes in their interpolations and directives. Of a property `"//"`, which in a body is a
/// comment, the strings are not looked at.
///
/// ```
/// let outcome = hcl_lr::body::check_json(("a.tf.json", r#"{"a": "\u0041 ${1 +}", "b": ["${c}"]}"#));
/// assert_eq!(
///     outcome.diagnostics().short(),
///     "a.tf.json:1:20: error[missing-expression]: a value is required here: an expression is expected here, not `}`\n",
/// );
/// ```
pub fn check_json(source: impl Into<Source>) -> Outcome<Document> {
    ParseOptions::default().check_json(source)
}

impl ParseOptions {
    /// Like [`check_json`], with these options.
    pub fn check_json(&self, source: impl Into<Source>) -> Outcome<Document> {
        check(self.parse_json_configuration(source), self)
    }
}

fn check(outcome: Outcome<Document>, options: &ParseOptions) -> Outcome<Document> {
    let (document, mut diagnostics) = outcome.into_parts();
    if diagnostics.len() > options.max_errors {
        return Outcome::new(document, diagnostics);
    }
    if let Some(array) = document.root().as_array() {
        let is_object = |node: &Node<'_>| matches!(node.kind(), NodeKind::Object(_) | NodeKind::Error);
        let others = array.elements().filter(|element| !is_object(element));
        diagnostics.extend(others.map(|element| body_required(element).in_source(document.source())));
    }
    each_string(document.root(), |text| {
        if diagnostics.len() <= options.max_errors && may_be_template(text) {
            diagnostics.append(options.parse_template(source_of(text)).into_parts().1);
        }
    });
    diagnostics.sort();
    Outcome::new(document, diagnostics.limited(options.max_errors))
}

fn may_be_template(text: StringText<'_>) -> bool {
    let text = text.text();
    text.contains("${") || text.contains("%{")
}

/// Visits all strings of a node, names of properties too, but nothing in comments.
fn each_string<'d>(node: Node<'d>, mut visit: impl FnMut(StringText<'d>)) {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            NodeKind::String(text) => visit(text),
            NodeKind::Array(array) => waiting.extend(array.elements()),
            NodeKind::Object(object) => {
                let members = object.properties().filter(|member| member.name() != COMMENT);
                waiting.extend(members.flat_map(|member| [member.name_node(), member.value()]));
            }
            _ => {}
        }
    }
}
