//! The ways into the parser, and what they give.

use std::sync::Arc;

use super::ast::{Expression, ExpressionKind, File, Step};
use super::lexer::{Start, lex};
use super::owned::{OwnedExpression, OwnedTemplate, OwnedTraversal};
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

    fn map<U>(self, map: impl FnOnce(T) -> U) -> Parse<U> {
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

/// Parses an absolute traversal that is a whole text: a name, and behind it attribute names and
/// literal indexes ("Static Traversal").
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, parse_traversal};
///
/// let source = Source::new("input", "aws_instance.web[0].id");
/// let traversal = parse_traversal(source, &Options::default()).into_result()?;
/// assert_eq!(traversal.get().expect("a path").steps().count(), 3);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_traversal(source: Source, options: &Options) -> Parse<OwnedTraversal> {
    let Parse { value, mut diagnostics } = parse_expression(source, options);
    let (tree, node) = value.into_parts();
    if !diagnostics.has_errors()
        && let Some(diagnostic) = not_a_traversal(Expression::new(&tree, node))
    {
        diagnostics = Diagnostics::new(tree.source.clone(), vec![diagnostic]);
    }
    Parse { value: OwnedTraversal::new(tree, node), diagnostics }
}

/// Why an expression is no traversal in the narrow form of a text that is nothing else.
fn not_a_traversal(expression: Expression<'_>) -> Option<Diagnostic> {
    let error = |span: Span, detail: &'static str| Some(Diagnostic::error(Code::NotATraversal, span, detail));
    let index = "an index must be a literal number or a string in quotes";
    if let Some(traversal) = expression.as_traversal() {
        return traversal.steps().find_map(|step| match step {
            Step::Attribute(_) => None,
            Step::LegacyIndex(number) => error(number.span(), "a name is expected behind a dot"),
            Step::Index(key) => match key.kind() {
                ExpressionKind::Number(_) => None,
                ExpressionKind::Template(template) if !template.is_heredoc() => None,
                _ => error(key.span(), index),
            },
        });
    }
    let source = match expression.kind() {
        ExpressionKind::RelativeTraversal(traversal) => traversal.source(),
        ExpressionKind::Index(access) => {
            let inner = not_a_traversal(access.collection());
            return inner.or_else(|| error(access.key().span(), index));
        }
        ExpressionKind::Splat(splat) => {
            let inner = not_a_traversal(splat.source());
            return inner.or_else(|| error(splat.operator_span(), "a splat cannot stand in a traversal"));
        }
        ExpressionKind::FunctionCall(call) => {
            return error(call.open_span(), "a traversal is names and indexes, without calls");
        }
        ExpressionKind::Binary(operation) => {
            let inner = not_a_traversal(operation.left());
            return inner.or_else(|| error(operation.operator_span(), "an operator cannot stand in a traversal"));
        }
        ExpressionKind::Conditional(conditional) => {
            let inner = not_a_traversal(conditional.predicate());
            return inner.or_else(|| error(conditional.question_span(), "an operator cannot stand in a traversal"));
        }
        _ => return error(expression.first_token_span(), "a traversal begins with the name of a variable"),
    };
    not_a_traversal(source)
}

fn parse_as(source: Source, options: &Options, start: Start) -> Parse<Arc<Tree>> {
    let too_large = (source.text().len() > MAX_LENGTH).then(|| {
        Diagnostic::error(Code::SourceTooLarge, Span::default(), "the source is longer than 4 GiB")
            .with_help("split it into several files")
    });
    let source = match too_large {
        Some(_) => Arc::new(Source::new(source.name(), "")),
        None => Arc::new(source),
    };
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
