//! The registry of kinds of diagnostics. Each has an explanation in `explain/`.

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
            /// A kind of an application, with the name that it has given. It is made by `from`.
            #[non_exhaustive]
            Custom(Cow<'static, str>),
        }

        impl Code {
            /// All kinds of the library.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// The stable name, in kebab case.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Code::$variant => $name,)+
                    Code::Custom(name) => name,
                }
            }

            /// The kind of the library with a name.
            pub fn named(name: &str) -> Option<Code> {
                match name {
                    $($name => Some(Code::$variant),)+
                    _ => None,
                }
            }

            /// Returns the explanation in Markdown: the meaning, an example of files with the error, the output for
            /// them, and the corrected files. `None` for codes of applications.
            ///
            /// Each file is a fenced block whose info string ends with its name. First are those
            /// that are wrong, then a block `console` with a command and what it prints (or `text`,
            /// without a command), then those that are corrected.
            ///
            /// ```
            /// use hcl_lr::diagnostic::Code;
            ///
            /// let text = Code::SingleQuotes.explanation().expect("a kind of the library");
            /// assert!(text.starts_with("Strings are written in double quotes."));
            /// ```
            pub fn explanation(&self) -> Option<&'static str> {
                match self {
                    $(Code::$variant => Some(include_str!(concat!("explain/", $name, ".md"))),)+
                    Code::Custom(_) => None,
                }
            }

            /// A few words for it, as `hcl explain` lists them; none for those of applications.
            ///
            /// ```
            /// use hcl_lr::diagnostic::Code;
            ///
            /// assert_eq!(Code::SingleQuotes.summary(), "Strings need double quotes");
            /// ```
            pub fn summary(&self) -> &'static str {
                match self {
                    $(Code::$variant => $summary,)+
                    Code::Custom(_) => "",
                }
            }
        }
    };
}

impl Code {
    /// Returns true if the error is a missing closing bracket.
    pub(crate) fn is_unclosed(&self) -> bool {
        matches!(self, Code::UnclosedBracket | Code::UnclosedBlock | Code::UnclosedSequence)
    }
}

codes! {
    /// A file cannot be read.
    UnreadableFile "unreadable-file" "The input could not be read";
    /// The source is longer than can be parsed.
    SourceTooLarge "source-too-large" "Input exceeds the maximum length";
    /// There are more errors than are worth showing.
    TooManyErrors "too-many-errors" "Some problems are not shown";
    /// Brackets, blocks, templates or operators are nested too deeply.
    NestingTooDeep "nesting-too-deep" "More levels than the limit allows";
    /// An evaluation asks for more work than its limits allow.
    LimitExceeded "limit-exceeded" "The evaluation takes too much";
    /// Bytes that are not UTF-8.
    InvalidUtf8 "invalid-utf8" "Bytes that are not UTF-8";
    /// A character that has no meaning where it stands.
    InvalidCharacter "invalid-character" "This character is not allowed here";
    /// A line that a version control system has left.
    ConflictMarker "conflict-marker" "Unresolved merge";
    /// A `/*` without `*/`.
    UnclosedComment "unclosed-comment" "`/*` without `*/`";
    /// A quoted string without its closing quote.
    UnclosedString "unclosed-string" "The closing quote is missing";
    /// A heredoc without its closing marker.
    UnclosedHeredoc "unclosed-heredoc" "`<<` without its closing marker";
    /// A `<<` without a marker alone after it.
    HeredocHeader "heredoc-header" "`<<` takes a bare word, then a new line";
    /// A `${` or `%{` without its closing brace.
    UnclosedSequence "unclosed-sequence" "`${` or `%{` without `}`";
    /// A bracket without its closing one.
    UnclosedBracket "unclosed-bracket" "A closing `)`, `]` or `}` is missing";
    /// A block without its closing brace.
    UnclosedBlock "unclosed-block" "Block without a closing brace";
    /// A closing bracket that closes nothing.
    UnexpectedCloser "unexpected-closer" "Closing bracket without an opening one";
    /// A closing bracket of another kind than the opening one.
    MismatchedCloser "mismatched-closer" "Opening and closing brackets differ";
    /// A backslash with something after it that is not an escape sequence.
    InvalidEscape "invalid-escape" "This backslash sequence has no meaning";
    /// A string in single quotes.
    SingleQuotes "single-quotes" "Strings need double quotes";
    /// A string in typographic quotes.
    CurlyQuotes "curly-quotes" "Strings need straight double quotes";
    /// A string in backticks.
    Backticks "backticks" "Backticks do not quote strings";
    /// A semicolon.
    Semicolon "semicolon" "`;` is not a separator";
    /// `&`, `|`, `^` or `~`.
    BitwiseOperator "bitwise-operator" "`&`, `|`, `^` and `~` have no meaning";
    /// An operator of other languages.
    UnknownOperator "unknown-operator" "HCL has no such operator";
    /// Something else where an `=` belongs.
    WrongAssignment "wrong-assignment" "Wrong sign between name and value";
    /// A `$` before a name, or `${ }` outside a template.
    DollarOutsideTemplate "dollar-outside-template" "`$` and `%{` have no meaning here";
    /// A number that is not written as HCL requires.
    InvalidNumber "invalid-number" "This is not how numbers are written";
    /// A text such as `nginx:latest` that is not in quotes; a date without them is a subtraction.
    UnquotedText "unquoted-text" "This value needs double quotes";
    /// A number beyond the range of numbers.
    NumberOutOfRange "number-out-of-range" "Too large or too close to zero";
    /// `.0.0`
    LegacyIndex "legacy-index" "Dots cannot chain two indexes";
    /// A dot without a name.
    MissingAttributeName "missing-attribute-name" "A dot must be followed by a name";
    /// `.*` within the reach of another `.*`.
    NestedSplat "nested-splat" "One splat applied within another";
    /// An expression is missing.
    MissingExpression "missing-expression" "No value where one is needed";
    /// Something stands after a complete expression.
    ExtraAfterExpression "extra-after-expression" "The value has already ended";
    /// An expression continues on the next line without brackets.
    LineBreakInExpression "line-break-in-expression" "Continued on the next line without brackets";
    /// Two elements or arguments without a comma between them.
    MissingComma "missing-comma" "Elements or arguments are not separated";
    /// A comma that does not belong there.
    UnexpectedComma "unexpected-comma" "A comma does not belong here";
    /// An object element without `=` or `:`.
    MissingEquals "missing-equals" "Key without `=` or `:`";
    /// An error in a *for expression*.
    ForExpression "for-expression" "`for` does not have this form";
    /// A conditional without its third part.
    IncompleteConditional "incomplete-conditional" "`?` without `:`";
    /// `...` where it cannot stand.
    MisplacedEllipsis "misplaced-ellipsis" "`...` has no meaning here";
    /// A function name with namespaces but without a call.
    NamespaceWithoutCall "namespace-without-call" "Only function names contain `::`";
    /// Something other than expected.
    UnexpectedToken "unexpected-token" "Something else is expected here";
    /// A line of a body that is neither attribute nor block.
    InvalidBodyItem "invalid-body-item" "Neither an argument nor a block";
    /// A block that is not well-formed up to its opening brace.
    InvalidBlockHeader "invalid-block-header" "A block starts with its type, labels and `{`";
    /// A one-line block that is more than one attribute.
    OneLineBlock "one-line-block" "Only `{ name = value }` fits on one line";
    /// Something after the end of an attribute or block on the same line.
    MissingNewline "missing-newline" "Each argument and block needs its own line";
    /// The name of an attribute in quotes.
    QuotedName "quoted-name" "Names are written without quotes";
    /// A template where only a plain string can stand.
    TemplateInLabel "template-in-label" "Labels are plain text";
    /// A `%{` sequence that is not a directive.
    UnknownDirective "unknown-directive" "`%{` is not followed by a keyword";
    /// Directives that do not pair.
    UnbalancedDirective "unbalanced-directive" "`if`, `for`, `else` and their ends do not pair up";
    /// Something after a directive's end.
    ExtraInDirective "extra-in-directive" "The directive should end here";
    /// Two attributes of the same name in a body.
    DuplicateAttribute "duplicate-attribute" "Argument is set more than once";
    /// Two elements of the same name in an object.
    DuplicateKey "duplicate-key" "More than one value for a key";
    /// Something that the official engine accepts and the specification does not; reported in
    /// strict mode only.
    BeyondSpecification "beyond-specification" "Not covered by the language definition";
    /// A text that should be a traversal but is another expression.
    NotATraversal "not-a-traversal" "Only names and constant indexes are allowed";
    /// A text that should be an address.
    InvalidAddress "invalid-address" "This is not how places are addressed";
    /// A variable where the application offers none.
    VariablesNotAllowed "variables-not-allowed" "The value may not refer to anything";
    /// An unknown variable.
    UnknownVariable "unknown-variable" "There is no variable of this name";
    /// A function call where the application offers no functions.
    FunctionsNotAllowed "functions-not-allowed" "Nothing can be called here";
    /// A call of an unknown function.
    UnknownFunction "unknown-function" "There is no function of this name";
    /// A function call without an argument that the function needs.
    MissingArgument "missing-argument" "Too few arguments in a call";
    /// A function call with more arguments than the function has parameters.
    ExtraArgument "extra-argument" "Too many arguments in a call";
    /// An argument that does not fit the parameter of the function.
    InvalidArgument "invalid-argument" "Function does not accept this value";
    /// A last argument with `...` that is not a list, tuple or set.
    InvalidExpansion "invalid-expansion" "`...` needs a list, set or tuple";
    /// A function that has no result for its arguments.
    FunctionFailed "function-failed" "The call returned an error";
    /// An operand of the wrong type.
    InvalidOperand "invalid-operand" "Operator does not accept this value";
    /// An operation that has no result for its operands.
    OperationFailed "operation-failed" "No result for these operands";
    /// A condition that is neither true nor false.
    InvalidCondition "invalid-condition" "Neither true nor false";
    /// The two results of a conditional have no common type.
    InconsistentConditional "inconsistent-conditional" "The two results do not fit together";
    /// A value that cannot be iterated over.
    InvalidIteration "invalid-iteration" "This is not a collection";
    /// A value that cannot be the key of an object.
    InvalidKey "invalid-key" "Keys must be strings";
    /// A key of an object that may be meant as a name or as a reference.
    AmbiguousKey "ambiguous-key" "Could be a name or a reference";
    /// An index that selects nothing.
    InvalidIndex "invalid-index" "No such element";
    /// An attribute that the value does not have.
    UnsupportedAttribute "unsupported-attribute" "The value has nothing of this name";
    /// A null value that something is asked of.
    NullValue "null-value" "Nothing can be selected from null";
    /// A value that cannot be part of a string.
    InvalidInterpolation "invalid-interpolation" "Cannot be turned into text";
    /// An expression that has to be written in a certain way, because it is not evaluated.
    NotStatic "not-static" "This must be written out";
    /// A block where only attributes may be.
    UnexpectedBlock "unexpected-block" "Only arguments belong here";
    /// An attribute that is not in the schema of its body.
    UnsupportedArgument "unsupported-argument" "Nothing of this name can be set here";
    /// A block of a type that is not in the schema of its body.
    UnsupportedBlock "unsupported-block" "No block of this type belongs here";
    /// A required attribute that is missing.
    RequiredArgument "required-argument" "A mandatory argument is not set";
    /// A value that the application cannot use. Checks in specs report it, and applications with
    /// diagnostics of their own.
    InvalidValue "invalid-value" "A requirement is not met";
    /// A block with fewer or more labels than its type has.
    BlockLabels "block-labels" "Too few or too many labels";
    /// Something in JSON that cannot be a body.
    InvalidJsonBody "invalid-json-body" "Arguments and blocks must be in objects";
    /// A dynamic block without a body for its blocks, or with two.
    DynamicContent "dynamic-content" "Exactly one body is needed for the generated blocks";
    /// A computed value that cannot be the label of a block.
    InvalidLabel "invalid-label" "A block cannot have this label";
    /// An expression that should describe a type but does not.
    InvalidType "invalid-type" "This does not describe a type";
    /// A default that does not fit the type that it is for.
    InvalidDefault "invalid-default" "The default does not match its type";
    /// A comment in a JSON document.
    JsonComment "json-comment" "`//`, `#` and `/*` have no meaning";
    /// A word in a JSON document that is not one of `true`, `false` and `null`.
    InvalidKeyword "invalid-keyword" "JSON has no such word";
    /// A native expression as a JSON value.
    UnquotedExpression "unquoted-expression" "JSON needs a string here";
    /// The name of a JSON property without quotes.
    UnquotedName "unquoted-name" "Property names need double quotes";
    /// Something else where the name of a JSON property belongs.
    MissingName "missing-name" "Property does not start with its name";
    /// A JSON property without a colon.
    MissingColon "missing-colon" "Name and value are not separated";
    /// A JSON property without a value.
    MissingValue "missing-value" "Nothing stands where a value belongs";
    /// A control character in a JSON string.
    ControlCharacter "control-character" "This must be written as an escape sequence";
    /// A quote in a JSON string that ends it too early.
    UnescapedQuote "unescaped-quote" "String ends too early";
    /// Half of a surrogate pair in a JSON string.
    LoneSurrogate "lone-surrogate" "Half of a character";
    /// Something after the value of a JSON document.
    ExtraAfterValue "extra-after-value" "The document has already ended";
    /// Something that the other syntax cannot express.
    NotConvertible "not-convertible" "The other syntax cannot express this";
    /// Something in the tagged form of JSON that it does not have.
    InvalidTagged "invalid-tagged" "Not how the tagged form is written";
    /// Something in a schema for conversions that has no meaning there.
    InvalidSchema "invalid-schema" "Schemas are not written this way";
    /// A JSON document that is neither an object nor an array, where a body is expected.
    InvalidRoot "invalid-root" "Not an object or an array of objects";
    /// The value of an attribute that is not of the type that the attribute has.
    InvalidArgumentValue "invalid-argument-value" "The value does not fit here";
    /// A required block that is missing.
    MissingBlock "missing-block" "Too few blocks of this type";
    /// There are more blocks of a type than allowed.
    TooManyBlocks "too-many-blocks" "No more blocks of this type are allowed";
    /// Two blocks that have the same labels but must not.
    DuplicateBlock "duplicate-block" "Two blocks have the same labels";
    /// Blocks whose values have no type in common.
    InconsistentBlocks "inconsistent-blocks" "Block values have no common type";
    /// No spec where one is needed.
    MissingSpec "missing-spec" "A spec is required here";
    /// There are more specs than allowed.
    ExtraSpec "extra-spec" "Only one spec can be here";
    /// A spec that cannot be used.
    InvalidSpec "invalid-spec" "This spec cannot work";
    /// A function that is not defined as it should be.
    InvalidFunctionDefinition "invalid-function-definition" "Parameters must be names";
    /// Two definitions of the same name, of which only one counts.
    DuplicateDefinition "duplicate-definition" "Defined more than once";
    /// A name that stands for a definition, where nothing of this name is defined.
    UndefinedName "undefined-name" "Nothing of this name is defined";
    /// Definitions that need each other.
    DefinitionCycle "definition-cycle" "Nothing to begin with";
    /// A reference to a definition of another kind than its place takes.
    WrongReference "wrong-reference" "This is a definition of another kind";
    /// Attributes or blocks of which only some can be there, or that need each other.
    ConflictingArguments "conflicting-arguments" "These cannot be set like this together";
    /// An attribute or block that the chosen version of a language does not have.
    WrongVersion "wrong-version" "Another release of the language has this";
    /// An attribute or block that should no longer be used.
    Deprecated "deprecated" "This should no longer be used";
    /// Something in a table of roles that has no meaning there.
    InvalidRoles "invalid-roles" "Tables of roles are not written this way";
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

/// So that the code of a diagnostic can be compared with one: `diagnostic.code() == Code::Semicolon`.
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

    /// The words of a text, without those that say nothing, each in the singular.
    fn words(text: &str) -> HashSet<String> {
        const EMPTY: &[&str] = &["a", "an", "the", "is", "are", "of", "in", "be", "been", "has", "have", "not", "no"];
        text.split(|c: char| !c.is_alphanumeric())
            .map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
            .filter(|word| !word.is_empty() && !EMPTY.contains(&word.as_str()))
            .collect()
    }

    /// The words of the code are there already.
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
