//! Checks of a document without a schema: the root of a configuration, and the templates in strings.

use super::{COMMENT, Document, Node, NodeKind, StringText, source_of};
use crate::diagnostic::{Code, Diagnostics, Finding};
use crate::reading::ParseOptions;
use crate::syntax::template_file;

/// The message about another value in place of a body.
pub(crate) const BODY: &str =
    "an object, or an array of objects, is required here, with arguments and blocks as its properties";

/// Returns the error that an element of an array is not an object.
fn body_required(node: Node<'_>) -> Finding {
    Finding::error(Code::InvalidJsonBody, node.start_span(), BODY)
}

/// Checks that the root of a configuration is an object or an array (JSON syntax specification, "Structural Elements").
pub(crate) fn check_root(document: &Document, diagnostics: &mut Diagnostics) {
    let root = document.root();
    // After another error, the root may have been meant as an object.
    if !diagnostics.has_errors() && !matches!(root.kind(), NodeKind::Object(_) | NodeKind::Array(_)) {
        let detail = "the root of a configuration is an object, or an array of objects";
        let wrong = Finding::error(Code::InvalidRoot, root.span(), detail);
        let wrong = wrong.with_help("enclose properties in `{` and `}`");
        diagnostics.push(wrong.in_source(document.source()));
        diagnostics.sort();
    }
}

/// Checks that the elements of an array at the root of a configuration are objects.
pub(super) fn check_elements(document: &Document, diagnostics: &mut Diagnostics) {
    let Some(array) = document.root().as_array() else { return };
    let is_object = |node: &Node<'_>| matches!(node.kind(), NodeKind::Object(_) | NodeKind::Error);
    let others = array.elements().filter(|element| !is_object(element));
    diagnostics.extend(others.map(|element| body_required(element).in_source(document.source())));
}

/// Checks the interpolations and directives in strings. The strings of a property `"//"`, which in a body is a comment,
/// are not checked.
pub(super) fn check_templates(document: &Document, options: &ParseOptions, diagnostics: &mut Diagnostics) {
    each_string(document.root(), |text| {
        if diagnostics.len() <= options.max_errors && may_be_template(text) {
            diagnostics.append(template_file(source_of(text), options).into_parts().1);
        }
    });
}

fn may_be_template(text: StringText<'_>) -> bool {
    let text = text.text();
    text.contains("${") || text.contains("%{")
}

/// Visits all strings of a node, including the names of properties, but not comments.
fn each_string<'d>(node: Node<'d>, mut visit: impl FnMut(StringText<'d>)) {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            NodeKind::String(text) => visit(text),
            NodeKind::Array(array) => waiting.extend(array.elements()),
            NodeKind::Object(object) => {
                let properties = object.properties().filter(|property| property.name() != COMMENT);
                waiting.extend(properties.flat_map(|property| [property.name_node(), property.value()]));
            }
            _ => {}
        }
    }
}
