//! The strings of a JSON document, read as templates.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use hcl_lr::internal::template_of;
use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::TemplateNode;

/// The templates in the strings of a JSON document. With them, `**` also reaches into strings. They are parsed on
/// first use and kept.
pub struct JsonTemplates {
    document: Document,
    files: OnceLock<HashMap<u32, File>>,
}

impl JsonTemplates {
    /// Finds the templates in the strings of a document.
    ///
    /// ```
    /// use hcl_lr_edit::address::{Address, JsonTemplates};
    /// use hcl_lr::json::ConversionSchema;
    ///
    /// let document = hcl_lr::parse::<hcl_lr::json::Document>("{\"a\": \"${f(var.x)}\"}").into_result()?;
    /// let (schema, templates) = (ConversionSchema::new(), JsonTemplates::of(&document));
    /// let found = "**".parse::<Address>()?.resolve_json(&document, &schema, Some(&templates));
    /// let last = found.last().expect("a reference");
    /// assert_eq!((last.text(), last.place().to_string().as_str()), ("var.x", "<input>:1:12"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn of(document: &Document) -> JsonTemplates {
        JsonTemplates { document: document.clone(), files: OnceLock::new() }
    }

    /// Returns true if these templates come from this document.
    pub(crate) fn are_of(&self, document: &Document) -> bool {
        self.document.is_same(document)
    }

    /// Returns the template in a string if it is more than literal text.
    pub fn template(&self, string: Node<'_>) -> Option<TemplateNode<'_>> {
        if string.is_of(&self.document) { self.get(string.id()).map(File::template) } else { None }
    }

    /// Returns the parsed template of a string if it is more than literal text. Its errors are not reported here.
    pub(super) fn get(&self, id: u32) -> Option<&File> {
        self.all().get(&id)
    }

    /// Returns the parsed templates by the numbers of their strings.
    pub(crate) fn all(&self) -> &HashMap<u32, File> {
        self.files.get_or_init(|| self.parse())
    }

    fn parse(&self) -> HashMap<u32, File> {
        let nodes = (0..).map_while(|id| self.document.node(id)).filter(|node| !node.is_name());
        let templates = nodes.filter_map(|node| match node.kind() {
            NodeKind::String(text) => Some((node.id(), template_of(text).ok()?.into_value())),
            _ => None,
        });
        templates.collect()
    }
}

impl fmt::Debug for JsonTemplates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonTemplates").field("source", self.document.source()).finish_non_exhaustive()
    }
}
