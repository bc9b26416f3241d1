//! What can be said about a JSON document without a schema.

use super::json::{COMMENT, body_required};
use super::json_expression::source_of;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::json::{Document, Node, NodeKind, StringText, parse_json_body};
use crate::source::Source;
use crate::syntax::{Options, parse_template};

/// Reads a JSON document and reports all that is wrong with it as far as that is known without a
/// schema: what is no JSON, a root that is neither an object nor an array of objects, and strings with
/// mistakes in their interpolations and directives. Of a property `"//"`, which in a body is a
/// comment, the strings are not looked at.
///
/// ```
/// use hcl_lr::body::check_json;
/// use hcl_lr::source::Source;
///
/// let source = Source::new("a.tf.json", r#"{"a": "\u0041 ${1 +}", "b": ["${c}"]}"#);
/// let diagnostics = check_json(source, &Default::default()).diagnostics;
/// assert_eq!(
///     diagnostics.short(),
///     "a.tf.json:1:20: error[missing-expression]: Missing expression: an expression is expected here, not `}`\n",
/// );
/// ```
pub fn check_json(source: Source, options: &Options) -> Outcome<Document> {
    let (document, diagnostics) = parse_json_body(source, options).into_parts();
    if diagnostics.len() > options.max_errors {
        return Outcome { value: document, diagnostics };
    }
    let mut list: Vec<_> = diagnostics.iter().cloned().collect();
    if let Some(array) = document.root().as_array() {
        let is_object = |node: &Node<'_>| matches!(node.kind(), NodeKind::Object(_) | NodeKind::Error);
        list.extend(array.elements().filter(|element| !is_object(element)).map(body_required));
    }
    each_string(document.root(), |text| {
        if list.len() <= options.max_errors && may_be_template(text) {
            let (_, problems) = parse_template(source_of(text), options).into_parts();
            list.extend(problems.iter().cloned());
        }
    });
    let diagnostics = Diagnostics::limited(document.source().clone(), list, options.max_errors);
    Outcome { value: document, diagnostics }
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
                let members = object.members().filter(|member| member.name() != COMMENT);
                waiting.extend(members.flat_map(|member| [member.name_node(), member.value()]));
            }
            _ => {}
        }
    }
}
