//! Parses a source as one of the languages.

use hcl_lr::json::{Document, NodeKind};
use hcl_lr::syntax::File;
use hcl_lr::syntax::{ExpressionFile, TemplateFile};
use hcl_lr::{Outcome, ParseOptions, Source};

/// The language that a source is read as: the grammar that its first region is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// A file: attributes and blocks.
    Config,
    /// An expression alone.
    Expression,
    /// A template without quotes around it.
    Template,
}

impl Syntax {
    /// Parses a source with the parsers of hcl-lr.
    ///
    /// ```
    /// use hcl_lr_grammar_kit::Syntax;
    /// assert!(Syntax::Expression.parse("1 + ", &hcl_lr::ParseOptions::new()).diagnostics().has_errors());
    /// ```
    pub fn parse(self, source: impl Into<Source>, options: &ParseOptions) -> Outcome<File> {
        match self {
            Syntax::Config => options.parse::<File>(source),
            Syntax::Expression => options.parse::<ExpressionFile>(source).map(File::from),
            Syntax::Template => options.parse::<TemplateFile>(source).map(File::from),
        }
    }
}

/// The language of a whole source, which selects the productions and the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Native syntax.
    Native(Syntax),
    /// A file in JSON syntax.
    Json,
}

impl From<Syntax> for Language {
    fn from(syntax: Syntax) -> Language {
        Language::Native(syntax)
    }
}

impl Language {
    /// Returns true if the parsers of hcl-lr accept a source.
    ///
    /// ```
    /// use hcl_lr_grammar_kit::Language;
    /// assert!(Language::Json.accepts("{\"a\": [1]}") && !Language::Json.accepts("[1]"));
    /// ```
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Language::Native(syntax) => !syntax.parse(text, &ParseOptions::new()).diagnostics().has_errors(),
            Language::Json => hcl_lr::parse::<Document>(text).into_result().is_ok_and(|document| is_body(&document)),
        }
    }
}

/// Returns true if a document is a body: an object, or an array of objects.
fn is_body(document: &Document) -> bool {
    match document.root().kind() {
        NodeKind::Object(_) => true,
        NodeKind::Array(array) => array.elements().all(|element| element.as_object().is_some()),
        _ => false,
    }
}
