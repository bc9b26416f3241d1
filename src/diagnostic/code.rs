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

            /// The kind of the library that has a name.
            pub fn named(name: &str) -> Option<Code> {
                match name {
                    $($name => Some(Code::$variant),)+
                    _ => None,
                }
            }

            /// What it means and what to do about it, in Markdown, with an example of files that
            /// are wrong, what is printed for them, and the files as they should be. None for those
            /// of applications.
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

            /// A few words for it; none for those of applications.
            pub(crate) fn summary(&self) -> &'static str {
                match self {
                    $(Code::$variant => $summary,)+
                    Code::Custom(_) => "",
                }
            }
        }
    };
}

impl Code {
    /// Whether a closing bracket is missing.
    pub(crate) fn is_unclosed(&self) -> bool {
        matches!(self, Code::UnclosedBracket | Code::UnclosedBlock | Code::UnclosedSequence)
    }
}

codes! {
    /// A file cannot be read.
    UnreadableFile "unreadable-file" "File cannot be read";
    /// The source is longer than can be parsed.
    SourceTooLarge "source-too-large" "Source too large";
    /// More errors than are worth showing.
    TooManyErrors "too-many-errors" "Too many errors";
    /// Brackets, blocks, templates or operators are nested too deeply.
    NestingTooDeep "nesting-too-deep" "Nesting too deep";
    /// An evaluation asks for more work than its limits allow.
    LimitExceeded "limit-exceeded" "Limit exceeded";
    /// Bytes that are no UTF-8.
    InvalidUtf8 "invalid-utf8" "Invalid UTF-8";
    /// A character that has no meaning where it stands.
    InvalidCharacter "invalid-character" "Invalid character";
    /// A line that a version control system has left.
    ConflictMarker "conflict-marker" "Merge conflict";
    /// A `/*` without `*/`.
    UnclosedComment "unclosed-comment" "Unclosed comment";
    /// A quoted string without its closing quote.
    UnclosedString "unclosed-string" "Unclosed string";
    /// A heredoc without its closing marker.
    UnclosedHeredoc "unclosed-heredoc" "Unclosed heredoc";
    /// A `<<` without a marker alone after it.
    HeredocHeader "heredoc-header" "Invalid heredoc introduction";
    /// A `${` or `%{` without its closing brace.
    UnclosedSequence "unclosed-sequence" "Unclosed template sequence";
    /// A bracket without its closing one.
    UnclosedBracket "unclosed-bracket" "Unclosed bracket";
    /// A block without its closing brace.
    UnclosedBlock "unclosed-block" "Unclosed block";
    /// A closing bracket that closes nothing.
    UnexpectedCloser "unexpected-closer" "Unexpected closing bracket";
    /// A closing bracket of another kind than the opening one.
    MismatchedCloser "mismatched-closer" "Mismatched closing bracket";
    /// A backslash with something after it that is no escape sequence.
    InvalidEscape "invalid-escape" "Invalid escape sequence";
    /// A string in single quotes.
    SingleQuotes "single-quotes" "Single quotes";
    /// A string in typographic quotes.
    CurlyQuotes "curly-quotes" "Curly quotes";
    /// A string in backticks.
    Backticks "backticks" "Backticks";
    /// A semicolon.
    Semicolon "semicolon" "Semicolon";
    /// `&`, `|`, `^` or `~`.
    BitwiseOperator "bitwise-operator" "Bitwise operator";
    /// An operator of other languages.
    UnknownOperator "unknown-operator" "Unknown operator";
    /// Something else where an `=` belongs.
    WrongAssignment "wrong-assignment" "Wrong assignment operator";
    /// A `$` before a name, or `${ }` outside a template.
    DollarOutsideTemplate "dollar-outside-template" "Dollar sign outside a template";
    /// A number that is written in a way HCL does not know.
    InvalidNumber "invalid-number" "Invalid number";
    /// A number beyond the range of numbers.
    NumberOutOfRange "number-out-of-range" "Number out of range";
    /// `.0.0`
    LegacyIndex "legacy-index" "Invalid legacy index";
    /// A dot without a name.
    MissingAttributeName "missing-attribute-name" "Missing attribute name";
    /// `.*` within the reach of another `.*`.
    NestedSplat "nested-splat" "Nested splat";
    /// An expression is missing.
    MissingExpression "missing-expression" "Missing expression";
    /// Something stands after a complete expression.
    ExtraAfterExpression "extra-after-expression" "Extra characters after expression";
    /// An expression goes on in the next line without brackets.
    LineBreakInExpression "line-break-in-expression" "Line break in expression";
    /// Two elements or arguments without a comma between them.
    MissingComma "missing-comma" "Missing comma";
    /// A comma where there is no place for one.
    UnexpectedComma "unexpected-comma" "Unexpected comma";
    /// An object element without `=` or `:`.
    MissingEquals "missing-equals" "Missing equals sign";
    /// An error in a *for expression*.
    ForExpression "for-expression" "Invalid for expression";
    /// A conditional without its third part.
    IncompleteConditional "incomplete-conditional" "Incomplete conditional";
    /// `...` where it cannot stand.
    MisplacedEllipsis "misplaced-ellipsis" "Misplaced ellipsis";
    /// A function name with namespaces but without a call.
    NamespaceWithoutCall "namespace-without-call" "Namespace without function call";
    /// Something else than expected.
    UnexpectedToken "unexpected-token" "Unexpected token";
    /// A line of a body that is neither attribute nor block.
    InvalidBodyItem "invalid-body-item" "Argument or block required";
    /// A block that is not well-formed up to its opening brace.
    InvalidBlockHeader "invalid-block-header" "Invalid block header";
    /// A one-line block that is more than one attribute.
    OneLineBlock "one-line-block" "Invalid one-line block";
    /// Something after the end of an attribute or block in the same line.
    MissingNewline "missing-newline" "Missing newline";
    /// The name of an attribute in quotes.
    QuotedName "quoted-name" "Quoted argument name";
    /// A template where only a plain string can stand.
    TemplateInLabel "template-in-label" "Template in block label";
    /// A `%{` sequence that is no directive.
    UnknownDirective "unknown-directive" "Unknown template directive";
    /// Directives that do not pair.
    UnbalancedDirective "unbalanced-directive" "Unbalanced template directives";
    /// Something after a directive's end.
    ExtraInDirective "extra-in-directive" "Extra characters in directive";
    /// Two attributes of one name in a body.
    DuplicateAttribute "duplicate-attribute" "Duplicate argument";
    /// Two elements of one name in an object.
    DuplicateKey "duplicate-key" "Duplicate object key";
    /// Something that the official engine accepts and the specification does not; reported in
    /// strict mode only.
    BeyondSpecification "beyond-specification" "Beyond the specification";
    /// A text that should be a traversal and is another expression.
    NotATraversal "not-a-traversal" "Not a traversal";
    /// A variable where the application offers none.
    VariablesNotAllowed "variables-not-allowed" "Variables not allowed";
    /// A variable that there is not.
    UnknownVariable "unknown-variable" "Unknown variable";
    /// A function call where the application offers no functions.
    FunctionsNotAllowed "functions-not-allowed" "Functions not allowed";
    /// A call of a function that there is not.
    UnknownFunction "unknown-function" "Unknown function";
    /// A function call without an argument that the function needs.
    MissingArgument "missing-argument" "Missing function argument";
    /// A function call with more arguments than the function has parameters.
    ExtraArgument "extra-argument" "Too many function arguments";
    /// An argument that does not fit the parameter of the function.
    InvalidArgument "invalid-argument" "Invalid function argument";
    /// A last argument with `...` that is no list, tuple or set.
    InvalidExpansion "invalid-expansion" "Invalid expanded argument";
    /// A function that has no result for its arguments.
    FunctionFailed "function-failed" "Error in function call";
    /// An operand of the wrong type.
    InvalidOperand "invalid-operand" "Invalid operand";
    /// An operation that has no result for its operands.
    OperationFailed "operation-failed" "Operation failed";
    /// A condition that is neither true nor false.
    InvalidCondition "invalid-condition" "Invalid condition";
    /// The two results of a conditional have no common type.
    InconsistentConditional "inconsistent-conditional" "Inconsistent conditional results";
    /// A value that cannot be iterated over.
    InvalidIteration "invalid-iteration" "Invalid iteration";
    /// A value that cannot be the key of an object.
    InvalidKey "invalid-key" "Invalid object key";
    /// A key of an object that may be meant as a name or as a reference.
    AmbiguousKey "ambiguous-key" "Ambiguous object key";
    /// An index that selects nothing.
    InvalidIndex "invalid-index" "Invalid index";
    /// An attribute that the value does not have.
    UnsupportedAttribute "unsupported-attribute" "Unsupported attribute";
    /// A null value that something is asked of.
    NullValue "null-value" "Null value";
    /// A value that cannot be part of a string.
    InvalidInterpolation "invalid-interpolation" "Invalid template interpolation";
    /// An expression that has to be written in a certain way, because it is not evaluated.
    NotStatic "not-static" "Static expression required";
    /// A block where only attributes may be.
    UnexpectedBlock "unexpected-block" "Unexpected block";
    /// An attribute that is not in the schema of its body.
    UnsupportedArgument "unsupported-argument" "Unsupported argument";
    /// A block of a type that is not in the schema of its body.
    UnsupportedBlock "unsupported-block" "Unsupported block type";
    /// An attribute that must be there and is not.
    RequiredArgument "required-argument" "Missing required argument";
    /// A value that the application cannot use. Checks in specs report it, and applications with
    /// diagnostics of their own.
    InvalidValue "invalid-value" "Invalid value";
    /// A block with fewer or more labels than its type has.
    BlockLabels "block-labels" "Wrong number of block labels";
    /// Something in JSON that cannot be a body.
    InvalidJsonBody "invalid-json-body" "Object required";
    /// A dynamic block without a body for its blocks, or with two.
    DynamicContent "dynamic-content" "Invalid content of a dynamic block";
    /// A computed value that cannot be the label of a block.
    InvalidLabel "invalid-label" "Invalid block label";
    /// An expression that should say a type and says none.
    InvalidType "invalid-type" "Invalid type";
    /// A default that does not fit the type that it is for.
    InvalidDefault "invalid-default" "Invalid default";
    /// A comment in a JSON document.
    JsonComment "json-comment" "Comment in JSON";
    /// A word in a JSON document that is none of `true`, `false` and `null`.
    InvalidKeyword "invalid-keyword" "Invalid keyword";
    /// A native expression as a JSON value.
    UnquotedExpression "unquoted-expression" "Expression without quotes";
    /// The name of a JSON property without quotes.
    UnquotedName "unquoted-name" "Property name without quotes";
    /// Something else where the name of a JSON property belongs.
    MissingName "missing-name" "Missing property name";
    /// A JSON property without a colon.
    MissingColon "missing-colon" "Missing colon";
    /// A JSON property without a value.
    MissingValue "missing-value" "Missing value";
    /// A control character in a JSON string.
    ControlCharacter "control-character" "Control character in a string";
    /// A quote in a JSON string that ends it too early.
    UnescapedQuote "unescaped-quote" "Unescaped quote";
    /// Half of a surrogate pair in a JSON string.
    LoneSurrogate "lone-surrogate" "Lone surrogate";
    /// Something after the value of a JSON document.
    ExtraAfterValue "extra-after-value" "Extra characters after the value";
    /// Something that the other syntax cannot say.
    NotConvertible "not-convertible" "Cannot be converted";
    /// Something in the tagged form of JSON that it does not have.
    InvalidTagged "invalid-tagged" "Invalid tagged form";
    /// Something in a schema for conversions that it cannot mean.
    InvalidSchema "invalid-schema" "Invalid schema";
    /// A JSON document that is neither an object nor an array, where a body is expected.
    InvalidRoot "invalid-root" "Invalid root value";
    /// The value of an attribute that is not of the type that the attribute has.
    InvalidArgumentValue "invalid-argument-value" "Invalid value for argument";
    /// A block that must be there and is not.
    MissingBlock "missing-block" "Missing block";
    /// More blocks of a type than there may be.
    TooManyBlocks "too-many-blocks" "Too many blocks";
    /// Two blocks that have the same labels and must not.
    DuplicateBlock "duplicate-block" "Duplicate block";
    /// Blocks whose values have no type in common.
    InconsistentBlocks "inconsistent-blocks" "Inconsistent blocks";
    /// No spec where one is needed.
    MissingSpec "missing-spec" "Missing spec";
    /// More specs than there may be.
    ExtraSpec "extra-spec" "Extra spec";
    /// A spec that cannot be used.
    InvalidSpec "invalid-spec" "Invalid spec";
    /// A function that is not defined as it should be.
    InvalidFunctionDefinition "invalid-function-definition" "Invalid function definition";
    /// Two definitions of one name, of which only one counts.
    DuplicateDefinition "duplicate-definition" "Duplicate definition";
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
