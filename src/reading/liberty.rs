//! The deviations of the official engine from the letter of the specification.

use crate::diagnostic::{Code, Diagnostic, Finding};
use crate::source::Span;

/// A construct that the official engine accepts beyond the specification. In
/// [`Dialect::Strict`](crate::Dialect::Strict) it is an error. `docs/strict.md` lists all of them with examples in both
/// dialects.
///
/// ```
/// use hcl_lr::{Dialect, Liberty, ParseOptions};
///
/// let outcome = ParseOptions::new().with_dialect(Dialect::Strict).parse::<hcl_lr::File>("a = --b\n");
/// let liberty = outcome.diagnostics().iter().find_map(Liberty::of).expect("there is one");
/// assert_eq!(liberty.name(), "syntax.repeated-operator");
/// assert_eq!(liberty.section(), "Operations");
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Liberty {
    name: &'static str,
    section: &'static str,
    text: &'static str,
    detail: &'static str,
    help: &'static str,
}

/// Declares the liberties and the list of them.
macro_rules! liberties {
    ($($constant:ident = $name:literal, $text:ident $section:literal, $detail:literal, $help:literal;)+) => {
        impl Liberty {
            /// All liberties, in the order of `docs/strict.md`.
            pub const ALL: &'static [&'static Liberty] = &[$(&$constant),+];
        }
        $(pub(crate) const $constant: Liberty =
            Liberty { name: $name, section: $section, text: $text, detail: $detail, help: $help };)+
    };
}

const NATIVE: &str = "native syntax specification";
const JSON: &str = "JSON syntax specification";

liberties! {
    BYTE_ORDER_MARK = "syntax.byte-order-mark", NATIVE "Source Code Representation",
        "a byte order mark is not permitted", "save the file as UTF-8 without it";
    UNDERSCORE = "syntax.underscore", NATIVE "Identifiers",
        "an identifier starts with a letter", "put a letter before the underscore";
    LAST_NEWLINE = "syntax.last-newline", NATIVE "Structural Elements",
        "the last line needs a newline too", "add a newline at the end of the file";
    NUMBER_POINT = "syntax.number-point", NATIVE "Numeric Literals",
        "digits are required after the point", "write `1.0e5` or `1e5`";
    LONG_ESCAPE = "syntax.long-escape", NATIVE "Template Expressions",
        "`\\U` is for characters of supplementary planes", "write `\\u` with four digits";
    HEREDOC_INDENTED_END = "syntax.heredoc-indented-end", NATIVE "Template Expressions",
        "the closing marker of `<<` must be at the start of its line", "write `<<-`, or remove the text before the marker";
    HEREDOC_BLANKS_AFTER_END = "syntax.heredoc-blanks-after-end", NATIVE "Template Expressions",
        "the closing marker must be alone on its line", "remove the spaces after it";
    HEREDOC_OTHER_SPACES = "syntax.heredoc-other-spaces", NATIVE "Template Expressions",
        "only spaces and tabs are allowed before the closing marker", "indent it by spaces";
    LINE_END_IN_SEQUENCE = "syntax.line-end-in-sequence", NATIVE "Comments and Whitespace",
        "the line ends within an interpolation or directive, where newlines are not ignored",
        "write it on one line, or put parentheses around the expression and write `${(` and `)}`";
    REPEATED_OPERATOR = "syntax.repeated-operator", NATIVE "Operations",
        "the operand of an operator like `-` or `!` is a term, not another operation",
        "put the operand in parentheses, as in `-(-a)`";
    NAMESPACED_FUNCTION = "syntax.namespaced-function", NATIVE "Functions and Function Calls",
        "the name of a function is one identifier, without `::`", "offer the function under a plain name";
    KEYWORD_FUNCTION = "syntax.keyword-function", NATIVE "Keywords",
        "`true`, `false` and `null` are values here, not names of functions", "offer the function under another name";
    LEGACY_INDEX = "syntax.legacy-index", NATIVE "Index Operator",
        "an index after a dot has only digits, without leading zeros", "write the index in brackets";
    INDEX_IN_SPLAT = "syntax.index-in-attribute-splat", NATIVE "Splat Operators",
        "only attribute names may follow `.*`", "write `[*]` in place of `.*`";
    SPLAT_IN_SPLAT = "syntax.splat-in-splat", NATIVE "Splat Operators",
        "a splat operator has no other splat operator within it", "write a for expression";
    NULL_BLOCK = "json.null-block", JSON "Blocks",
        "a block body is an object or an array of objects, not null", "leave the property out, or write `[]`";
    NULL_OPERAND = "evaluation.null-operand", NATIVE "Logic Operators",
        "null is neither true nor false", "compare the operand with null first";
    LOGIC_CONVERSION = "evaluation.logic-conversion", NATIVE "Logic Operators",
        "logic operators apply only to true and false, but this is not a bool", "convert it by a function, such as `tobool`";
    ARITHMETIC_CONVERSION = "evaluation.arithmetic-conversion", NATIVE "Arithmetic Operators",
        "arithmetic operators apply only to numbers", "convert it by a function, such as `tonumber`";
    COMPARISON_CONVERSION = "evaluation.comparison-conversion", NATIVE "Comparison Operators",
        "this operator compares only numbers", "convert it by a function, such as `tonumber`";
    CONDITION_CONVERSION = "evaluation.condition-conversion", NATIVE "Conditional Operator",
        "the condition must be true or false, but this is not a bool", "compare it: `a == \"true\"`";
    FOR_CONDITION_CONVERSION = "evaluation.for-condition-conversion", NATIVE "For Expressions",
        "the condition must be true or false, but this is not a bool", "compare it: `a == \"true\"`";
    UNKNOWN_INTERPOLATION = "evaluation.unknown-interpolation", NATIVE "Template Interpolations",
        "a value of this type cannot be part of a string", "use a function that gives a string, such as `jsonencode`";
    ATTRIBUTE_OF_MAP = "evaluation.attribute-of-map", NATIVE "Attribute Access Operator",
        "a map has elements, not attributes", "write the key in brackets: `a[\"key\"]`";
    EXPANDED_SET = "evaluation.expanded-set", NATIVE "Functions and Function Calls",
        "the value before `...` must be a list or tuple, not a set", "make a list of it: `[for x in a : x]...`";
    KEY_WITH_EXPONENT = "evaluation.key-with-exponent", NATIVE "Index Operator",
        "a string with an exponent does not convert to a number", "write the index as a number";
}

impl Liberty {
    /// Returns the name, which is stable, such as `syntax.repeated-operator`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The section of the specification that it goes beyond.
    pub fn section(&self) -> &'static str {
        self.section
    }

    /// Returns the message for a place with this deviation.
    pub fn detail(&self) -> &'static str {
        self.detail
    }

    /// Returns the notation without it.
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// Returns the liberty that a diagnostic reports, if it reports one.
    pub fn of(diagnostic: &Diagnostic) -> Option<&'static Liberty> {
        if *diagnostic.code() != Code::BeyondSpecification {
            return None;
        }
        let (_, name) = diagnostic.help()?.strip_suffix("`)")?.rsplit_once("(`")?;
        Liberty::ALL.iter().copied().find(|liberty| liberty.name == name)
    }

    /// Returns the diagnostic for a place with this deviation.
    #[cold]
    pub(crate) fn at(&self, span: Span) -> Finding {
        let Liberty { name, section, text, detail, help } = self;
        Finding::error(Code::BeyondSpecification, span, *detail)
            .with_help(format!("{help}; see \"{section}\" in the {text} (`{name}`)"))
    }
}
