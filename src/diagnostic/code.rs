//! The kinds of diagnostics. Each has an explanation in `explain/`.

use std::borrow::Cow;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $summary:literal;)+) => {
        /// The kind of a diagnostic. Names are stable: they are never reused for something else.
        ///
        /// Applications and lint rules choose names for their own kinds, best with a prefix:
        ///
        /// ```
        /// use hcl_lr::diagnostic::Code;
        ///
        /// let code = Code::from("acme/no-tabs");
        /// assert_eq!(code.as_str(), "acme/no-tabs");
        /// // The name of a kind of the library is that kind.
        /// assert_eq!(Code::from("single-quotes"), Code::SingleQuotes);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])+ $variant,)+
            /// A kind that an application has named. Created by `from`.
            #[non_exhaustive]
            Custom(Cow<'static, str>),
        }

        impl Code {
            /// All kinds of the library.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// Returns the texts of a kind of the library; the name of any other.
            fn texts(&self) -> Result<&'static Texts, &str> {
                Ok(match self {
                    $(Code::$variant => &Texts {
                        name: $name,
                        summary: $summary,
                    },)+
                    Code::Custom(name) => return Err(name),
                })
            }

            /// The stable name, in kebab case.
            pub fn as_str(&self) -> &str {
                self.texts().map_or_else(|name| name, |texts| texts.name)
            }

            /// The kind of the library with a name.
            pub fn named(name: &str) -> Option<Code> {
                Code::ALL.iter().find(|code| code.as_str() == name).cloned()
            }

            /// Returns the explanation in Markdown: the meaning, an example of files with the error, the output for
            /// them, and the corrected files. `None` for codes of applications.
            ///
            /// Each file is a fenced block whose info string ends with its name. First come the wrong files, then a
            /// block `console` with a command and its output (or `text`, without a command), then the corrected files.
            ///
            /// ```
            /// use hcl_lr::diagnostic::Code;
            ///
            /// let text = Code::SingleQuotes.explanation().expect("a kind of the library");
            /// assert!(text.starts_with("Strings are written in double quotes."));
            /// ```
            pub fn explanation(&self) -> Option<&'static str> {
                // Apart from the other texts, so that programs without explanations do not carry them.
                Some(match self {
                    $(Code::$variant => include_str!(concat!("explain/", $name, ".md")),)+
                    Code::Custom(_) => return None,
                })
            }

            /// Returns the short description that `hcl explain` lists; empty for those of applications.
            pub fn summary(&self) -> &'static str {
                self.texts().map_or("", |texts| texts.summary)
            }
        }
    };
}

/// The texts about a kind of diagnostics, in one place because each `match` over all kinds takes time to compile.
struct Texts {
    name: &'static str,
    summary: &'static str,
}

impl Code {
    /// Returns true if the error is a missing closing bracket.
    pub(crate) fn is_unclosed(&self) -> bool {
        matches!(self, Code::UnclosedBracket | Code::UnclosedBlock | Code::UnclosedSequence)
    }
}

codes! {
    /// A file cannot be read.
    UnreadableFile "unreadable-file" "cannot read the input";
    /// The source is longer than can be parsed.
    SourceTooLarge "source-too-large" "input exceeds the maximum length";
    /// More errors than are worth showing.
    TooManyErrors "too-many-errors" "further problems are not shown";
    /// Brackets, blocks, templates or operators are nested too deeply.
    NestingTooDeep "nesting-too-deep" "more levels than the limit allows";
    /// An evaluation that exceeds the work its limits allow.
    LimitExceeded "limit-exceeded" "evaluation takes too many steps or too much memory";
    /// Bytes that are not UTF-8.
    InvalidUtf8 "invalid-utf8" "input is not encoded as UTF-8";
    /// A character that has no meaning at its place.
    InvalidCharacter "invalid-character" "this character is not allowed here";
    /// A line that a version control system has left.
    ConflictMarker "conflict-marker" "unresolved merge";
    /// A `/*` without `*/`.
    UnclosedComment "unclosed-comment" "`/*` without `*/`";
    /// A quoted string without its closing quote.
    UnclosedString "unclosed-string" "missing closing quote";
    /// A heredoc without its closing marker.
    UnclosedHeredoc "unclosed-heredoc" "`<<` without its closing marker";
    /// A `<<` without a marker alone after it.
    HeredocHeader "heredoc-header" "`<<` must be followed by a name and a new line";
    /// A `${` or `%{` without its closing brace.
    UnclosedSequence "unclosed-sequence" "`${` or `%{` without `}`";
    /// A bracket without its closing one.
    UnclosedBracket "unclosed-bracket" "missing closing `)`, `]` or `}`";
    /// A block without its closing brace.
    UnclosedBlock "unclosed-block" "missing closing brace";
    /// A closing bracket that closes nothing.
    UnexpectedCloser "unexpected-closer" "closing bracket without an opening one";
    /// A closing bracket of another kind than the opening one.
    MismatchedCloser "mismatched-closer" "opening and closing brackets differ";
    /// A backslash that does not begin an escape sequence.
    InvalidEscape "invalid-escape" "malformed backslash sequence";
    /// A string in single quotes.
    SingleQuotes "single-quotes" "strings need double quotes";
    /// A string in typographic quotes.
    CurlyQuotes "curly-quotes" "strings need straight double quotes";
    /// A string in backticks.
    Backticks "backticks" "strings are written in double quotes";
    /// A semicolon.
    Semicolon "semicolon" "`;` is not a separator";
    /// `&`, `|`, `^` or `~`.
    BitwiseOperator "bitwise-operator" "`&`, `|`, `^` and `~` have no meaning";
    /// An operator of other languages.
    UnknownOperator "unknown-operator" "no such operator in HCL";
    /// Something else where an `=` belongs.
    WrongAssignment "wrong-assignment" "wrong sign between name and value";
    /// A `$` before a name, or `${ }` outside a template.
    DollarOutsideTemplate "dollar-outside-template" "`$` and `%{` have no meaning here";
    /// A number that is not written as HCL requires.
    InvalidNumber "invalid-number" "malformed number";
    /// A text without quotes, such as `nginx:latest`; or a date, which is a subtraction without quotes.
    UnquotedText "unquoted-text" "this value needs double quotes";
    /// A number beyond the range of numbers.
    NumberOutOfRange "number-out-of-range" "too large, or too close to zero";
    /// `.0.0`
    LegacyIndex "legacy-index" "dots cannot chain two indexes";
    /// A dot without a name.
    MissingAttributeName "missing-attribute-name" "a dot must be followed by a name";
    /// `.*` within the reach of another `.*`.
    NestedSplat "nested-splat" "splat within another splat";
    /// An expression is missing.
    MissingExpression "missing-expression" "a value is required here";
    /// Text after a complete expression.
    ExtraAfterExpression "extra-after-expression" "unexpected text after a value";
    /// An expression continues on the next line without brackets.
    LineBreakInExpression "line-break-in-expression" "continued on the next line without parentheses";
    /// Two elements or arguments without a comma between them.
    MissingComma "missing-comma" "elements or arguments are not separated";
    /// A comma that does not belong there.
    UnexpectedComma "unexpected-comma" "a comma is not allowed here";
    /// An object element without `=` or `:`.
    MissingEquals "missing-equals" "key without `=` or `:`";
    /// An error in a *for expression*.
    ForExpression "for-expression" "malformed `for`";
    /// A conditional without its third part.
    IncompleteConditional "incomplete-conditional" "`?` without `:`";
    /// `...` where it is not allowed.
    MisplacedEllipsis "misplaced-ellipsis" "`...` is not allowed here";
    /// A function name with namespaces but without a call.
    NamespaceWithoutCall "namespace-without-call" "only function names contain `::`";
    /// Something other than expected.
    UnexpectedToken "unexpected-token" "something else is expected here";
    /// A line of a body that is neither an attribute nor a block.
    InvalidBodyItem "invalid-body-item" "neither an argument nor a block";
    /// A block that is not well-formed up to its opening brace.
    InvalidBlockHeader "invalid-block-header" "a block starts with its type, labels and `{`";
    /// A one-line block that is more than one attribute.
    OneLineBlock "one-line-block" "only `{ name = value }` fits on one line";
    /// Text after the end of an attribute or block on the same line.
    MissingNewline "missing-newline" "each argument and block needs its own line";
    /// The name of an attribute in quotes.
    QuotedName "quoted-name" "names are written without quotes";
    /// A template where only a plain string is allowed.
    TemplateInLabel "template-in-label" "labels are plain text";
    /// A `%{` sequence that is not a directive.
    UnknownDirective "unknown-directive" "`%{` must be followed by a keyword";
    /// Directives that do not pair.
    UnbalancedDirective "unbalanced-directive" "`if`, `for`, `else` and their ends do not pair up";
    /// Something after a directive's end.
    ExtraInDirective "extra-in-directive" "the directive must end here";
    /// Two attributes of the same name in a body.
    DuplicateAttribute "duplicate-attribute" "argument is set more than once";
    /// Two elements of the same name in an object.
    DuplicateKey "duplicate-key" "key is set more than once";
    /// A construct that the official engine accepts beyond the specification; reported in strict mode only.
    BeyondSpecification "beyond-specification" "not covered by the language definition";
    /// A text that should be a traversal but is another expression.
    NotATraversal "not-a-traversal" "only names and constant indexes are allowed";
    /// A text that should be an address.
    InvalidAddress "invalid-address" "malformed address";
    /// An address without matches.
    NothingFound "nothing-found" "nothing has this address";
    /// A variable where the application offers none.
    VariablesNotAllowed "variables-not-allowed" "references are not allowed here";
    /// An unknown variable.
    UnknownVariable "unknown-variable" "undefined reference";
    /// A value that is required and not known, such as that of an input that is not given.
    UnknownValue "unknown-value" "a value is required here, and not known";
    /// A function call where the application offers no functions.
    FunctionsNotAllowed "functions-not-allowed" "calls are not allowed here";
    /// A call of an unknown function.
    UnknownFunction "unknown-function" "undefined function";
    /// A function call without an argument that the function needs.
    MissingArgument "missing-argument" "too few arguments in a call";
    /// A function call with more arguments than the function has parameters.
    ExtraArgument "extra-argument" "too many arguments in a call";
    /// An argument that does not fit the parameter of the function.
    InvalidArgument "invalid-argument" "function does not accept this value";
    /// A last argument with `...` that is not a list, tuple or set.
    InvalidExpansion "invalid-expansion" "`...` needs a list, set or tuple";
    /// A function that has no result for its arguments.
    FunctionFailed "function-failed" "the call returned an error";
    /// An operand of the wrong type.
    InvalidOperand "invalid-operand" "operator does not accept this value";
    /// An operation that has no result for its operands.
    OperationFailed "operation-failed" "no result for these operands";
    /// A condition that is neither true nor false.
    InvalidCondition "invalid-condition" "neither true nor false";
    /// The two results of a conditional have no common type.
    InconsistentConditional "inconsistent-conditional" "the two results have no common type";
    /// A value that cannot be iterated over.
    InvalidIteration "invalid-iteration" "not a collection";
    /// A value that cannot be the key of an object.
    InvalidKey "invalid-key" "keys must be strings";
    /// A key of an object that may be meant as a name or as a reference.
    AmbiguousKey "ambiguous-key" "could be a name or a reference";
    /// An index that selects nothing.
    InvalidIndex "invalid-index" "no such element";
    /// An attribute that the value does not have.
    UnsupportedAttribute "unsupported-attribute" "no such attribute";
    /// A part or operation of a null value.
    NullValue "null-value" "null has no attributes or elements";
    /// A value that cannot be part of a string.
    InvalidInterpolation "invalid-interpolation" "cannot be converted to a string";
    /// An expression that has to be written literally because it is not evaluated.
    NotStatic "not-static" "must be written literally";
    /// A block where only attributes may be.
    UnexpectedBlock "unexpected-block" "only arguments are allowed here";
    /// An attribute that is not in the schema of its body.
    UnsupportedArgument "unsupported-argument" "no such argument";
    /// A block of a type that is not in the schema of its body.
    UnsupportedBlock "unsupported-block" "no such block type";
    /// A required attribute that is missing.
    RequiredArgument "required-argument" "a mandatory argument is not set";
    /// A value that the application cannot use. Reported by checks in specs, and by applications themselves.
    InvalidValue "invalid-value" "a requirement is not met";
    /// A block with fewer or more labels than its type has.
    BlockLabels "block-labels" "too few or too many labels";
    /// Something in JSON that cannot be a body.
    InvalidJsonBody "invalid-json-body" "arguments and blocks must be in objects";
    /// A dynamic block without a body for its blocks, or with two.
    DynamicContent "dynamic-content" "generated blocks need exactly one `content`";
    /// A computed value that cannot be the label of a block.
    InvalidLabel "invalid-label" "cannot be used as a label";
    /// An expression that should describe a type but does not.
    InvalidType "invalid-type" "malformed type";
    /// A default that does not fit its type.
    InvalidDefault "invalid-default" "the default does not match its type";
    /// A comment in a JSON document.
    JsonComment "json-comment" "`//`, `#` and `/*` have no meaning in JSON in JSON";
    /// A word in a JSON document that is not one of `true`, `false` and `null`.
    InvalidKeyword "invalid-keyword" "no such word in JSON";
    /// A native expression as a JSON value.
    UnquotedExpression "unquoted-expression" "JSON needs a string here";
    /// The name of a JSON property without quotes.
    UnquotedName "unquoted-name" "property names need double quotes";
    /// Another token in place of the name of a JSON property.
    MissingName "missing-name" "property does not start with its name";
    /// A JSON property without a colon.
    MissingColon "missing-colon" "name and value are not separated";
    /// A JSON property without a value.
    MissingValue "missing-value" "JSON needs a value here";
    /// A control character in a JSON string.
    ControlCharacter "control-character" "must be written as an escape sequence";
    /// A quote in a JSON string that ends it too early.
    UnescapedQuote "unescaped-quote" "string ends too early";
    /// Half of a surrogate pair in a JSON string.
    LoneSurrogate "lone-surrogate" "half of a surrogate pair";
    /// Something after the value of a JSON document.
    ExtraAfterValue "extra-after-value" "unexpected text after the document";
    /// Something that the other syntax cannot express.
    NotConvertible "not-convertible" "the other syntax cannot express this";
    /// A construct that the tagged form of JSON does not have.
    InvalidTagged "invalid-tagged" "malformed tagged JSON";
    /// A construct that a schema file does not have.
    InvalidSchema "invalid-schema" "malformed schema";
    /// A JSON document that is neither an object nor an array, where a body is expected.
    InvalidRoot "invalid-root" "not an object or an array of objects";
    /// The value of an attribute that does not fit its type.
    InvalidArgumentValue "invalid-argument-value" "unsuitable value";
    /// A required block that is missing.
    MissingBlock "missing-block" "too few blocks of this type";
    /// More blocks of a type than allowed.
    TooManyBlocks "too-many-blocks" "no more blocks of this type are allowed";
    /// Two blocks with the same labels where they must differ.
    DuplicateBlock "duplicate-block" "two blocks have the same labels";
    /// Blocks whose values have no type in common.
    InconsistentBlocks "inconsistent-blocks" "values of blocks have no common type";
    /// A missing spec.
    MissingSpec "missing-spec" "a spec is required here";
    /// More specs than allowed.
    ExtraSpec "extra-spec" "only one spec is allowed here";
    /// A spec that cannot be used.
    InvalidSpec "invalid-spec" "unusable spec";
    /// A malformed function definition.
    InvalidFunctionDefinition "invalid-function-definition" "parameters must be names";
    /// Two definitions of the same name, of which only one counts.
    DuplicateDefinition "duplicate-definition" "defined more than once";
    /// A reference to a definition that does not exist.
    UndefinedName "undefined-name" "nothing of this name is defined";
    /// A definition that nothing refers to.
    UnusedDefinition "unused-definition" "nothing refers to this definition";
    /// Definitions that need each other.
    DefinitionCycle "definition-cycle" "these definitions depend on each other";
    /// A reference to a definition of the wrong kind.
    WrongReference "wrong-reference" "definition of a kind that does not fit here";
    /// Attributes or blocks that exclude or require each other.
    ConflictingArguments "conflicting-arguments" "not a valid combination";
    /// An attribute or block that does not exist in the chosen version of a language.
    WrongVersion "wrong-version" "not available in this release of the language";
    /// An attribute that only the program sets.
    ReadOnlyArgument "read-only-argument" "only the program sets this";
    /// An ephemeral value in a place whose values the program stores.
    EphemeralValue "ephemeral-value" "a value that only one run has cannot be kept here";
    /// An attribute or block that should no longer be used.
    Deprecated "deprecated" "replace or remove this";
}

impl From<Cow<'static, str>> for Code {
    fn from(name: Cow<'static, str>) -> Self {
        Code::named(&name).unwrap_or(Code::Custom(name))
    }
}

impl From<&'static str> for Code {
    fn from(name: &'static str) -> Self {
        Code::from(Cow::Borrowed(name))
    }
}

impl From<String> for Code {
    fn from(name: String) -> Self {
        Code::from(Cow::Owned(name))
    }
}

impl From<&Code> for Code {
    fn from(code: &Code) -> Self {
        code.clone()
    }
}

/// Allows comparing the code of a diagnostic: `diagnostic.code() == Code::Semicolon`.
impl PartialEq<Code> for &Code {
    fn eq(&self, other: &Code) -> bool {
        *self == other
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Returns the significant words of a text, each in the singular.
    fn words(text: &str) -> HashSet<String> {
        const EMPTY: &[&str] = &["a", "an", "the", "is", "are", "of", "in", "be", "been", "has", "have", "not", "no"];
        text.split(|c: char| !c.is_alphanumeric())
            .map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
            .filter(|word| !word.is_empty() && !EMPTY.contains(&word.as_str()))
            .collect()
    }

    /// The words of the code are already included.
    #[test]
    fn summaries_say_more_than_their_code() {
        let mut all = HashSet::new();
        for code in Code::ALL {
            let (name, summary) = (words(code.as_str()), words(code.summary()));
            assert!(!summary.is_subset(&name), "{code}: {}", code.summary());
            assert!(name.len() < 2 || !name.is_subset(&summary), "{code}: {}", code.summary());
            assert!(all.insert(code.summary()), "{code} has the summary of another code: {}", code.summary());
            assert!(code.summary().len() <= 60 && !code.summary().ends_with('.'), "{code}: {}", code.summary());
        }
    }
}
