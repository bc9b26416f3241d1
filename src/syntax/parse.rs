//! The ways into the parser.

use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use super::ast::File;
use super::lexer::{Start, lex};
use super::{parser, strict};
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome, in_source};
use crate::reading::{Dialect, Parse, ParseOptions, bounded, parse};
use crate::source::Source;

/// Parses a configuration file in native syntax ("Configuration Files").
impl Parse for File {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<File> {
        parse_as(source, options, Start::ConfigFile)
    }
}

/// The syntax tree of a text that is a single expression in native syntax ("Expressions"): a file without a body, but
/// with an [`expression`](File::expression).
///
/// ```
/// use hcl_lr::parse;
/// use hcl_lr::syntax::{ExpressionFile, ast::ExpressionKind};
///
/// let file = parse::<ExpressionFile>("max(a, 1)").into_result()?;
/// let ExpressionKind::FunctionCall(call) = file.expression().kind() else { panic!() };
/// assert_eq!((&*call.name(), call.arguments().len()), ("max", 2));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExpressionFile(File);

/// The syntax tree of a text that is a template ("Templates"): a file without a body, but with a
/// [`template`](File::template).
///
/// ```
/// use hcl_lr::parse;
/// use hcl_lr::syntax::TemplateFile;
///
/// let file = parse::<TemplateFile>("Hello, ${name}!").into_result()?;
/// assert_eq!(file.template().parts().count(), 3);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct TemplateFile(File);

macro_rules! kinds_of_files {
    ($($kind:ident by $parse:ident)+) => {$(
        impl Parse for $kind {
            fn parse_source(source: Source, options: &ParseOptions) -> Outcome<$kind> {
                $parse(source, options).map($kind)
            }
        }

        impl Deref for $kind {
            type Target = File;

            fn deref(&self) -> &File {
                &self.0
            }
        }

        impl From<$kind> for File {
            fn from(file: $kind) -> File {
                file.0
            }
        }
    )+};
}

kinds_of_files! { ExpressionFile by expression_file TemplateFile by template_file }

/// Parses an expression from a whole text.
pub(crate) fn expression_file(source: Source, options: &ParseOptions) -> Outcome<File> {
    parse_as(source, options, Start::Expression)
}

/// Parses a template from a whole text.
pub fn template_file(source: Source, options: &ParseOptions) -> Outcome<File> {
    parse_as(source, options, Start::Template)
}

fn parse_as(source: Source, options: &ParseOptions, start: Start) -> Outcome<File> {
    let (source, too_large) = bounded(source, options);
    let lexed = lex(&source, start, options);
    let (mut tree, mut list) = parser::parse(&source, lexed, start, options.max_errors, true);
    if options.dialect == Dialect::Strict {
        tree.dialect = Dialect::Strict;
        // Ordinary errors are reported first: text that could not be parsed is not checked further.
        let known = |finding: &Finding| !finding.is_error() || *finding.code() == Code::BeyondSpecification;
        if list.iter().all(known) {
            list.extend(strict::liberties(&tree, options.max_errors));
        }
    }
    if let Some(diagnostic) = too_large {
        list = vec![diagnostic];
    }
    Outcome::new(File::new(Arc::new(tree)), in_source(&source, list).limited(options.max_errors))
}

/// Parses a file, as [`parse`](crate::parse) does.
///
/// ```
/// use hcl_lr::File;
///
/// let file: File = "a = 1\n".parse()?;
/// assert_eq!(file.to_string(), "a = 1\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
impl FromStr for File {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<File, Diagnostics> {
        parse(text).into_result()
    }
}

/// Single stages of a parse, for benchmarks.
#[doc(hidden)]
pub mod stages {
    use super::*;

    /// Copies the source and reads its tokens. Returns their number.
    pub fn tokens(text: &str) -> usize {
        lex(&Source::new("", text), Start::ConfigFile, &ParseOptions::default()).tokens.len() as usize
    }

    /// Parses without checking for duplicate names. Returns the number of nodes.
    pub fn tree(text: &str) -> usize {
        let source = Arc::new(Source::new("", text));
        let options = ParseOptions::default();
        let lexed = lex(&source, Start::ConfigFile, &options);
        parser::parse(&source, lexed, Start::ConfigFile, options.max_errors, false).0.nodes.len()
    }
}
