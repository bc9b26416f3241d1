//! Reads a schema for conversions: which JSON properties are blocks, and their labels.

use std::sync::LazyLock;

use crate::body::{Body, BodySchema};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use crate::eval::Scope;
use crate::json::ConversionSchema;
use crate::model::Type;
use crate::reading::{Parse, ParseOptions, parse};
use crate::source::Source;
use crate::stack::with_room;

const TERRAFORM_FILES: &str = include_str!("schemas/terraform.hcl");

/// Parses a schema, which is written in either syntax of HCL.
impl Parse for ConversionSchema {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<ConversionSchema> {
        ConversionSchema::read(options.parse(source))
    }
}

impl ConversionSchema {
    /// The blocks of Terraform and OpenTofu files that do not depend on providers.
    ///
    /// ```
    /// let schema = hcl_lr::convert::ConversionSchema::terraform();
    /// assert!(schema.to_string().contains("block \"variable\" {\n  labels = [\"name\"]\n"));
    /// ```
    pub fn terraform() -> &'static ConversionSchema {
        static TERRAFORM: LazyLock<ConversionSchema> =
            LazyLock::new(|| parse::<ConversionSchema>(("terraform", TERRAFORM_FILES)).into_value());
        &TERRAFORM
    }

    /// The schema that a body is.
    fn read(body: Outcome<Body>) -> Outcome<ConversionSchema> {
        let (body, diagnostics) = body.into_parts();
        let mut reader = Reader { schema: ConversionSchema::new(), diagnostics, scope: Scope::new().sharing_meter() };
        if !reader.diagnostics.has_errors() {
            reader.body(&body, 0, false);
        }
        reader.diagnostics.sort();
        Outcome::new(reader.schema, reader.diagnostics)
    }
}

struct Reader {
    schema: ConversionSchema,
    diagnostics: Diagnostics,
    /// Nothing to refer to, and one budget for the whole schema.
    scope: Scope<'static>,
}

impl Reader {
    /// Reads what a body says; the labels that blocks have by it.
    fn body(&mut self, body: &Body, shape: usize, of_block: bool) -> Vec<String> {
        let expected = BodySchema::new().optional("static").block("block", &["type"]).block("when", &["label"]);
        let expected = if of_block { expected.optional("labels") } else { expected };
        let content = body.content(&expected).into_value_reporting_to(&mut self.diagnostics);
        let mut names = |attribute: &str| match content.attribute(attribute) {
            Some(attribute) => self.names(attribute.expression()),
            None => Vec::new(),
        };
        let (statics, labels) = (names("static"), names("labels"));
        self.schema.add_statics(shape, statics);
        for block in content.blocks() {
            let name = block.label(0).unwrap_or_default();
            if block.block_type() == "when" {
                let inner = self.schema.add_when(shape, name);
                with_room(|| self.body(block.body(), inner, false));
                continue;
            }
            let inner = self.schema.add_block(shape, name, Vec::new());
            let labels = with_room(|| self.body(block.body(), inner, true));
            self.schema.set_labels(shape, name, labels);
        }
        labels
    }

    fn names(&mut self, expression: &crate::body::Expression) -> Vec<String> {
        let value = expression.evaluate_partially(&self.scope).into_value_reporting_to(&mut self.diagnostics);
        if !value.is_wholly_known() {
            return Vec::new();
        }
        let place = expression.place();
        let list = value.convert(&Type::list(Type::String));
        let names: Option<Vec<String>> =
            list.ok().and_then(|list| list.elements()?.iter().map(|name| name.as_str().map(str::to_owned)).collect());
        names.unwrap_or_else(|| {
            let diagnostic = Diagnostic::error(Code::InvalidSchema, place, "a list of names is required here");
            self.diagnostics.push(diagnostic.with_help("write it as `[\"a\", \"b\"]`"));
            Vec::new()
        })
    }
}
