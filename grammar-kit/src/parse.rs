//! Parses a source as one of the three languages.

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
