//! The ways into the parser, and what they give.

use std::sync::Arc;

use super::ast::File;
use super::lexer::{Start, lex};
use super::owned::{OwnedExpression, OwnedTemplate};
use super::tree::Tree;
use super::{Options, parser};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{MAX_LENGTH, Source, Span};

/// What a parse gives: always a value, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Parse<T> {
    value: T,
    diagnostics: Diagnostics,
}

impl<T> Parse<T> {
    pub(crate) fn new(value: T, diagnostics: Diagnostics) -> Self {
        Parse { value, diagnostics }
    }

    /// What was parsed. Where there are errors, it holds what was understood.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// What is wrong, in source order.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Both.
    pub fn into_parts(self) -> (T, Diagnostics) {
        (self.value, self.diagnostics)
    }

    /// The value, if there is no error in it; warnings are left out.
    ///
    /// # Errors
    /// All diagnostics, if one of them is an error.
    pub fn into_result(self) -> Result<T, Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(self.value) }
    }

    pub(super) fn map<U>(self, map: impl FnOnce(T) -> U) -> Parse<U> {
        Parse { value: map(self.value), diagnostics: self.diagnostics }
    }
}

/// Parses a configuration file ("Configuration Files").
///
/// ```
/// let file = hcl_lr::parse("service \"web\" {\n  port = 80\n}\n").into_result()?;
/// let block = file.body().blocks().next().expect("a block");
/// assert_eq!(block.block_type(), "service");
/// assert_eq!(block.labels().next().expect("a label").text(), "web");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse(text: &str) -> Parse<File> {
    parse_source(Source::new("<input>", text), &Options::default())
}

/// Parses a configuration file with a name, from bytes or text, with [`Options`].
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, parse_source};
///
/// let source = Source::from_bytes("main.hcl", b"a = \"\xff\"\n".to_vec());
/// let parse = parse_source(source, &Options::default());
/// assert_eq!(parse.diagnostics().short(), "main.hcl:1:6: error[invalid-utf8]: Invalid UTF-8: this byte is not valid UTF-8\n");
/// ```
pub fn parse_source(source: Source, options: &Options) -> Parse<File> {
    parse_as(source, options, Start::ConfigFile).map(File::new)
}

/// Parses an expression that is a whole text ("Expressions"). Newlines are white space in it.
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, parse_expression};
///
/// let parse = parse_expression(Source::new("input", "1 + 2 * 3"), &Options::default());
/// let expression = parse.into_result()?;
/// assert_eq!(expression.get().text(), "1 + 2 * 3");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_expression(source: Source, options: &Options) -> Parse<OwnedExpression> {
    parse_as(source, options, Start::Expression).map(|tree| {
        let node = tree.root;
        OwnedExpression::new(tree, node)
    })
}

/// Parses a template that is a whole text ("Templates").
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, parse_template};
///
/// let source = Source::new("motd", "Hello, ${name}!");
/// let template = parse_template(source, &Options::default()).into_result()?;
/// assert_eq!(template.get().parts().count(), 3);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_template(source: Source, options: &Options) -> Parse<OwnedTemplate> {
    parse_as(source, options, Start::Template).map(OwnedTemplate::new)
}

/// A source that can be parsed: of one that is too long, nothing but its name, and what is wrong.
pub(crate) fn bounded(source: Source) -> (Arc<Source>, Option<Diagnostic>) {
    if source.text().len() <= MAX_LENGTH {
        return (Arc::new(source), None);
    }
    let diagnostic = Diagnostic::error(Code::SourceTooLarge, Span::default(), "the source is longer than 4 GiB")
        .with_help("split it into several files");
    (Arc::new(Source::new(source.name(), "")), Some(diagnostic))
}

pub(super) fn parse_as(source: Source, options: &Options, start: Start) -> Parse<Arc<Tree>> {
    let (source, too_large) = bounded(source);
    let lexed = lex(&source, start, options);
    let (tree, mut list) = parser::parse(&source, lexed, start, options.max_errors, true);
    if let Some(diagnostic) = too_large {
        list = vec![diagnostic];
    }
    Parse { value: Arc::new(tree), diagnostics: Diagnostics::limited(source, list, options.max_errors) }
}

/// Single stages of a parse, for benchmarks.
#[doc(hidden)]
pub mod stages {
    use super::*;

    /// Copies the source and reads its tokens: how many there are.
    pub fn tokens(text: &str) -> usize {
        lex(&Source::new("", text), Start::ConfigFile, &Options::default()).tokens.len() as usize
    }

    /// A parse that does not look for names that are used twice: how many nodes the tree has.
    pub fn tree(text: &str) -> usize {
        let source = Arc::new(Source::new("", text));
        let options = Options::default();
        let lexed = lex(&source, Start::ConfigFile, &options);
        parser::parse(&source, lexed, Start::ConfigFile, options.max_errors, false).0.nodes.len()
    }
}
