//! Files of either syntax, as documents keep them.

use std::sync::Arc;

use hcl_lr::ParseOptions;
use hcl_lr::convert::{ConversionSchema, JsonStrings};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::File;
use hcl_lr_cli::embed::json_language;
use hcl_lr_edit::address::{Address, JsonTemplates, Target};
use hcl_lr_edit::query::Subject;
use hcl_lr_edit::{Edited, Editor};

/// A file in one of the syntaxes. Cheap to clone.
#[derive(Clone)]
pub enum Parsed {
    Native(File),
    Json(Arc<JsonFile>),
}

/// A file in the JSON syntax, with the blocks of the language that its name suggests.
pub struct JsonFile {
    pub document: json::Document,
    schema: Arc<ConversionSchema>,
    strings: JsonStrings,
    templates: JsonTemplates,
}

impl JsonFile {
    fn new(document: json::Document) -> Arc<JsonFile> {
        let (schema, strings) = json_language(&document);
        let templates = JsonTemplates::of(&document);
        Arc::new(JsonFile { document, schema, strings, templates })
    }

    fn subject(&self) -> Subject<'_> {
        let templates = (self.strings == JsonStrings::Template).then_some(&self.templates);
        Subject::Json(&self.document, &self.schema, templates)
    }

    /// Returns the targets for the attributes and blocks of the body.
    pub fn items(&self) -> Vec<Target<'_>> {
        self.subject().resolve(&Address::root().any())
    }

    /// Returns the meaning of strings at a path of names. Some arguments take no templates, such as the default of a
    /// variable in Terraform.
    pub fn strings_at(&self, path: &[String]) -> JsonStrings {
        let (mut shapes, mut rest) = (self.schema.root(), path);
        while let Some((name, after)) = rest.split_first() {
            let Some(block) = shapes.block(name) else {
                return if shapes.is_literal(name) { JsonStrings::Literal } else { self.strings };
            };
            let (labels, within) = after.split_at(block.labels.len().min(after.len()));
            shapes = shapes.within(Some(block), labels.iter().map(String::as_str));
            rest = within;
        }
        self.strings
    }
}

impl Parsed {
    /// Parses a text.
    pub fn new(source: Source, is_json: bool) -> (Parsed, Diagnostics) {
        if is_json {
            let (document, diagnostics) = ParseOptions::new().parse::<json::Document>(source).into_parts();
            return (Parsed::Json(JsonFile::new(document)), diagnostics);
        }
        let (file, diagnostics) = ParseOptions::new().parse::<File>(source).into_parts();
        (Parsed::Native(file), diagnostics)
    }

    /// Returns the file after edits.
    pub fn after(edited: Edited) -> Option<Parsed> {
        match edited.document() {
            Some(document) => Some(Parsed::Json(JsonFile::new(document.clone()))),
            None => edited.into_file().map(Parsed::Native),
        }
    }

    /// Returns the file if it is in the JSON syntax.
    pub fn json(&self) -> Option<&JsonFile> {
        match self {
            Parsed::Native(_) => None,
            Parsed::Json(file) => Some(file),
        }
    }

    pub fn source(&self) -> &Arc<Source> {
        match self {
            Parsed::Native(file) => file.source(),
            Parsed::Json(file) => file.document.source(),
        }
    }

    /// Returns the file as one to search.
    pub fn subject(&self) -> Subject<'_> {
        match self {
            Parsed::Native(file) => Subject::Native(file),
            Parsed::Json(file) => file.subject(),
        }
    }

    /// Returns an editor without edits.
    pub fn editor(&self) -> Editor<'_> {
        let editor = Editor::from(self.subject());
        match self {
            Parsed::Native(_) => editor,
            Parsed::Json(file) => editor.with_strings(file.strings),
        }
    }
}
