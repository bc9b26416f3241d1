//! The ways into the parser.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::ast::File;
use super::lexer::{Start, lex};
use super::{parser, strict};
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome, in_source};
use crate::reading::{Dialect, ParseOptions, bounded, parse_path};
use crate::source::Source;

/// Parses a configuration file in native syntax ("Configuration Files"): from a text, bytes, or either
/// with a name that is used in diagnostics.
///
/// ```
/// let file = hcl_lr::parse::<hcl_lr::File>("service \"web\" {\n  port = 80\n}\n").into_result()?;
/// let block = file.body().blocks().next().expect("a block");
/// assert_eq!(block.block_type(), "service");
/// assert_eq!(block.labels().next().expect("a label").text(), "web");
///
/// let outcome = hcl_lr::parse::<hcl_lr::File>(("main.hcl", b"a = \"\xff\"\n"));
/// assert_eq!(
///     outcome.diagnostics().short(),
///     "main.hcl:1:6: error[invalid-utf8]: input is not encoded as UTF-8: this byte is not valid UTF-8\n",
/// );
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse(source: impl Into<Source>) -> Outcome<File> {
    ParseOptions::default().parse(source)
}

/// Reads a file and parses it as [`parse`] does. If it cannot be read, that is a diagnostic, and the
/// file is empty.
///
/// ```
/// let outcome = hcl_lr::parse_file::<hcl_lr::File>("no/such.hcl");
/// assert_eq!(
///     outcome.diagnostics().short(),
///     "no/such.hcl:1:1: error[unreadable-file]: cannot read the input: there is no such file or folder\n",
/// );
/// ```
pub fn parse_file(path: impl AsRef<Path>) -> Outcome<File> {
    ParseOptions::default().parse_file(path)
}

impl ParseOptions {
    /// Like [`parse`](fn@crate::parse), with these options.
    pub fn parse(&self, source: impl Into<Source>) -> Outcome<File> {
        parse_as(source.into(), self, Start::ConfigFile)
    }

    /// Like [`parse_file`](crate::parse_file), with these options.
    pub fn parse_file(&self, path: impl AsRef<Path>) -> Outcome<File> {
        parse_path(path.as_ref(), self, |source| self.parse(source))
    }
}

/// Parses an expression that is a whole text ("Expressions"), to look at it: a file without a body, whose
/// [`expression`](File::expression) it is.
///
/// ```
/// use hcl_lr::syntax::ExpressionFile;
/// use hcl_lr::{ParseOptions, Source, parse};
/// use hcl_lr::syntax::ast::ExpressionKind;
///
/// let file = parse::<ExpressionFile>("max(a, 1)").into_result()?;
/// let ExpressionKind::FunctionCall(call) = file.expression().kind() else { panic!() };
/// assert_eq!((&*call.name(), call.arguments().len()), ("max", 2));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn expression_file(source: Source, options: &ParseOptions) -> Outcome<File> {
    parse_as(source, options, Start::Expression)
}

/// Parses a template that is a whole text ("Templates"), to look at it: a file without a body, whose
/// [`template`](File::template) it is.
///
/// ```
/// use hcl_lr::syntax::TemplateFile;
/// use hcl_lr::{ParseOptions, Source, parse};
///
/// let file = parse::<TemplateFile>("Hello, ${name}!").into_result()?;
/// assert_eq!(file.template().parts().count(), 3);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
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

/// Parses a file, as [`parse`](fn@crate::parse) does.
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

    /// Copies the source and reads its tokens: how many there are.
    pub fn tokens(text: &str) -> usize {
        lex(&Source::new("", text), Start::ConfigFile, &ParseOptions::default()).tokens.len() as usize
    }

    /// A parse that does not look for names that are used twice: how many nodes the tree has.
    pub fn tree(text: &str) -> usize {
        let source = Arc::new(Source::new("", text));
        let options = ParseOptions::default();
        let lexed = lex(&source, Start::ConfigFile, &options);
        parser::parse(&source, lexed, Start::ConfigFile, options.max_errors, false).0.nodes.len()
    }
}
