//! The table of operators ("Operations"), the only place that describes them. The lexer and the formatter read the
//! spelling, the builder the precedence, the tree the name, the evaluator the types, and the messages the spellings of
//! other languages.
//!
//! Programs can read it too:
//!
//! ```
//! use hcl_lr::syntax::ast::BinaryOperator;
//! assert!(BinaryOperator::Multiply.row().level > BinaryOperator::Add.row().level);
//! ```
//!
//! The operation itself is in the evaluator, which finds it by the name of the operator, because syntax does not depend
//! on values.
//!
//! A row is enough for an operator between two operands or before one, of any signs or a word. One after its operand also
//! needs a terminal and an alternative in `grammar/expression.lalrpop`. Rows that cannot be read do not compile, and the
//! message says why. The constants `HAS_…` say that the table has no operators of a kind, so that the lexer and the
//! formatter need not look for them.

/// The meaning of chains of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Associativity {
    /// Groups from the left: `a - b - c` is `(a - b) - c`. All binary operators of the language do this. Such a chain is
    /// walked in a loop, so it has any length. A unary operator that does this is written after its operand, and counts as a
    /// level of the nesting limit.
    Left,
    /// Groups from the right: `-!a` is `-(!a)`, as of all operators before an operand. A chain nests as deep as it is
    /// long, so each of its binary operators counts as a level of the nesting limit.
    Right,
}

/// The operands that an operator evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evaluation {
    /// All operands: an error in one of them is an error of the operation.
    All,
    /// The operator short-circuits: one operand may decide the result, and then errors of the other one do not matter.
    ShortCircuit,
}

/// The type of an operator's operands, or of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperandType {
    /// A bool.
    Bool,
    /// A number.
    Number,
    /// A value of any type, which is not converted.
    Any,
}

/// The properties of an operator.
#[non_exhaustive]
#[derive(Debug)]
pub struct OperatorInfo {
    /// The operator as it is written.
    pub text: &'static str,
    /// A higher level binds tighter.
    pub level: u8,
    /// The grouping of chains of the operator.
    pub associativity: Associativity,
    /// The operands that are evaluated.
    pub evaluation: Evaluation,
    /// The type of its operands.
    pub takes: OperandType,
    /// The type of its result.
    pub gives: OperandType,
    /// The spellings of the operator in other languages, and others that are mistaken for it.
    pub elsewhere: &'static [&'static str],
}

/// A text that is no operator of the language, or not one of that kind.
///
/// ```
/// use hcl_lr::syntax::ast::{BinaryOperator, UnaryOperator};
///
/// assert_eq!("<=".parse::<BinaryOperator>(), Ok(BinaryOperator::LessOrEqual));
/// assert_eq!("and".parse::<BinaryOperator>().unwrap_err().to_string(), "\"and\" is not an operator of two operands");
/// assert_eq!("+".parse::<UnaryOperator>().unwrap_err().to_string(), "\"+\" is not an operator of one operand");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorError {
    text: String,
    operands: &'static str,
}

impl std::fmt::Display for OperatorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} is not an operator of {}", self.text, self.operands)
    }
}

impl std::error::Error for OperatorError {}

macro_rules! operators {
    ($(
        $(#[$doc:meta])+
        $name:ident of $operands:literal {
            $($variant:ident $text:literal $level:literal $associativity:ident $evaluation:ident
                ($takes:ident -> $gives:ident) $elsewhere:tt)+
        }
    )+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            #[repr(u8)]
            pub enum $name {
                $(#[doc = concat!("`", $text, "`")] $variant,)+
            }

            impl $name {
                /// All operators.
                pub const ALL: &[$name] = &[$($name::$variant),+];

                const TABLE: &[OperatorInfo] = &[$(OperatorInfo {
                    text: $text,
                    level: $level,
                    associativity: Associativity::$associativity,
                    evaluation: Evaluation::$evaluation,
                    takes: OperandType::$takes,
                    gives: OperandType::$gives,
                    elsewhere: &$elsewhere,
                }),+];

                #[inline]
                /// The row of the table.
                pub const fn row(self) -> &'static OperatorInfo {
                    &$name::TABLE[self as usize]
                }

                /// The operator as it is written.
                pub const fn as_str(self) -> &'static str {
                    self.row().text
                }

                /// Returns the longest operator with a property that a text begins with.
                #[cold]
                fn longest(text: &[u8], is_wanted: impl Fn(&OperatorInfo) -> bool) -> Option<$name> {
                    let all = $name::ALL.iter().copied();
                    let begun = all.filter(|operator| begins_with(text, operator.as_str()) && is_wanted(operator.row()));
                    begun.max_by_key(|operator| operator.as_str().len())
                }

                /// Returns the operator that corresponds to one of another language.
                pub(crate) fn meant_by(text: &str) -> Option<$name> {
                    $name::ALL.iter().copied().find(|operator| operator.row().elsewhere.contains(&text))
                }
            }

            $(const _: () = assert_readable(
                $text,
                concat!(
                    "the operator `", $text, "` cannot be read: it is empty, or a name with other signs, or it begins like a \
                     comment, a bracket, a string, a heredoc, a number, an access, `,`, `:`, `=` or `?`, which come first"
                ),
            );)+

            /// The operator as it is written.
            impl AsRef<str> for $name {
                fn as_ref(&self) -> &str {
                    self.as_str()
                }
            }

            /// Reads the operator as it is written in HCL.
            impl std::str::FromStr for $name {
                type Err = OperatorError;

                fn from_str(text: &str) -> Result<$name, OperatorError> {
                    let known = $name::ALL.iter().copied().find(|operator| operator.as_str() == text);
                    known.ok_or_else(|| OperatorError { text: text.to_owned(), operands: $operands })
                }
            }

            /// Writes the operator.
            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        )+
    };
}

operators! {
    /// An operator between two operands.
    BinaryOperator of "two operands" {
        Or             "||" 1 Left  ShortCircuit (Bool -> Bool)     ["|", "or"]
        And            "&&" 2 Left  ShortCircuit (Bool -> Bool)     ["&", "and"]
        Equal          "==" 3 Left  All          (Any -> Bool)      ["===", "is", "eq"]
        NotEqual       "!=" 3 Left  All          (Any -> Bool)      ["!=="]
        Less           "<"  4 Left  All          (Number -> Bool)   []
        LessOrEqual    "<=" 4 Left  All          (Number -> Bool)   []
        Greater        ">"  4 Left  All          (Number -> Bool)   []
        GreaterOrEqual ">=" 4 Left  All          (Number -> Bool)   []
        Add            "+"  5 Left  All          (Number -> Number) []
        Subtract       "-"  5 Left  All          (Number -> Number) []
        Multiply       "*"  6 Left  All          (Number -> Number) ["**"]
        Divide         "/"  6 Left  All          (Number -> Number) ["div"]
        Modulo         "%"  6 Left  All          (Number -> Number) ["mod"]
    }
    /// An operator before its operand.
    UnaryOperator of "one operand" {
        Negate         "-"  7 Right All          (Number -> Number) []
        Not            "!"  7 Right All          (Bool -> Bool)     ["~", "not"]
        // Others before their operand, which group from the right.
        // Operators after their operand, which group from the left.
    }
}

/// Stops the build if an operator cannot be read.
const fn assert_readable(text: &str, message: &'static str) {
    let text = text.as_bytes();
    let is_readable = match text {
        [] => false,
        [first, ..] if is_letter(*first) => {
            let mut at = 0;
            while at < text.len() && (is_letter(text[at]) || text[at].is_ascii_digit()) {
                at += 1;
            }
            at == text.len()
        }
        [b'#' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b',' | b':' | b'.' | b'$', ..] => false,
        [b'/', b'/' | b'*', ..] | [b'<', b'<', ..] | [b'%', b'{', ..] | [b'=' | b'?'] | [b'=', b'>'] => false,
        [first, ..] => first.is_ascii_punctuation(),
    };
    if !is_readable {
        panic!("{}", message);
    }
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Returns true if a text begins with an operator. A word must end there.
fn begins_with(text: &[u8], operator: &str) -> bool {
    let Some(rest) = text.strip_prefix(operator.as_bytes()) else { return false };
    let continues = |byte: &u8| is_letter(*byte) || byte.is_ascii_digit() || matches!(byte, b'-' | 0x80..);
    !is_letter(operator.as_bytes()[0]) || !rest.first().is_some_and(continues)
}

const fn is_word(row: &OperatorInfo) -> bool {
    is_letter(row.text.as_bytes()[0])
}

/// Returns true if the lexer takes the first signs of a binary operator for something else, unless it looks for the
/// operator first: a minus, a negation, or the `=` of an argument.
const fn begins_otherwise(row: &OperatorInfo) -> bool {
    match row.text.as_bytes() {
        [b'-', _, ..] => true,
        [b'!' | b'=', second, ..] => *second != b'=',
        _ => false,
    }
}

/// Returns true if a row of a table has a property.
macro_rules! any_row {
    ($table:expr, |$row:ident| $property:expr) => {{
        let (mut index, mut has) = (0, false);
        while index < $table.len() {
            let $row = &$table[index];
            has |= $property;
            index += 1;
        }
        has
    }};
}

/// The operators that begin with a byte: the one of this byte alone, and the longer ones with the rest of their bytes.
#[derive(Clone, Copy)]
struct ByFirstByte {
    alone: Option<BinaryOperator>,
    longer: [(u8, Option<BinaryOperator>); 2],
    longest: [([u8; 2], Option<BinaryOperator>); 2],
}

/// The binary operators of signs by their first byte, and true if some have no room there.
const BY_FIRST_BYTE: ([ByFirstByte; 128], bool) = {
    let none = ByFirstByte { alone: None, longer: [(0, None); 2], longest: [([0; 2], None); 2] };
    let (mut all, mut has_others) = ([none; 128], false);
    let mut index = 0;
    while index < BinaryOperator::ALL.len() {
        let operator = BinaryOperator::ALL[index];
        let place = &mut all[operator.as_str().as_bytes()[0] as usize];
        match operator.as_str().as_bytes() {
            [first, ..] if is_letter(*first) => {}
            [_] => place.alone = Some(operator),
            [_, second] if place.longer[0].1.is_none() => place.longer[0] = (*second, Some(operator)),
            [_, second] if place.longer[1].1.is_none() => place.longer[1] = (*second, Some(operator)),
            [_, second, third] if place.longest[0].1.is_none() => {
                place.longest[0] = ([*second, *third], Some(operator));
            }
            [_, second, third] if place.longest[1].1.is_none() => {
                place.longest[1] = ([*second, *third], Some(operator));
            }
            _ => has_others = true,
        }
        index += 1;
    }
    (all, has_others)
};

static BEGINNINGS: [ByFirstByte; 128] = BY_FIRST_BYTE.0;

impl BinaryOperator {
    /// True if an operator is a word.
    pub(crate) const HAS_WORDS: bool = any_row!(BinaryOperator::TABLE, |row| is_word(row));
    /// True if an operator begins with signs that mean something else alone.
    pub(crate) const HAS_OTHERWISE_BEGUN: bool = any_row!(BinaryOperator::TABLE, |row| begins_otherwise(row));

    /// Returns the longest operator of signs that a text begins with.
    #[inline]
    pub(crate) fn beginning(text: &[u8]) -> Option<BinaryOperator> {
        if BY_FIRST_BYTE.1 {
            return BinaryOperator::longest(text, |row| !is_word(row));
        }
        let ByFirstByte { alone, longer: [a, b], longest } = BEGINNINGS.get(usize::from(*text.first()?))?;
        let byte_at = |at: usize| text.get(at).copied().unwrap_or(0);
        let next = [byte_at(1), byte_at(2)];
        if let Some((_, operator)) = longest.iter().find(|(rest, operator)| operator.is_some() && *rest == next) {
            *operator
        } else if next[0] == a.0 && a.1.is_some() {
            a.1
        } else if next[0] == b.0 && b.1.is_some() {
            b.1
        } else {
            *alone
        }
    }

    /// Returns the operator that is a word, if the text begins with one.
    pub(crate) fn word_beginning(text: &[u8]) -> Option<BinaryOperator> {
        if BinaryOperator::HAS_WORDS { BinaryOperator::longest(text, is_word) } else { None }
    }

    /// Returns the longest operator that begins with signs that mean something else alone, if the text begins with one.
    pub(crate) fn otherwise_beginning(text: &[u8]) -> Option<BinaryOperator> {
        BinaryOperator::longest(text, begins_otherwise)
    }

    /// Returns the operator that a text begins with. Other text has been reported, and counts as the operator that it
    /// corresponds to, or else as `||`.
    #[inline]
    pub(crate) fn beginning_of(text: &[u8]) -> BinaryOperator {
        let operator = BinaryOperator::word_beginning(text).or_else(|| BinaryOperator::beginning(text));
        operator.unwrap_or_else(|| BinaryOperator::taken_for(text.first().copied().unwrap_or(0)))
    }

    #[cold]
    fn taken_for(byte: u8) -> BinaryOperator {
        let text = [byte];
        std::str::from_utf8(&text).ok().and_then(BinaryOperator::meant_by).unwrap_or(BinaryOperator::Or)
    }

    /// Returns true if the operand `b` in `a OP b NEXT c` belongs to `OP`, which is this operator.
    #[inline]
    pub(crate) fn binds_before(self, next: BinaryOperator) -> bool {
        let (own, next) = (self.row(), next.row());
        own.level > next.level || own.level == next.level && own.associativity == Associativity::Left
    }
}

impl UnaryOperator {
    /// True if an operator is a word.
    pub(crate) const HAS_WORDS: bool = any_row!(UnaryOperator::TABLE, |row| is_word(row));
    /// True if there are others before an operand than `-` and `!`.
    pub(crate) const HAS_OTHER_SIGNS: bool =
        any_row!(UnaryOperator::TABLE, |row| !is_word(row) && !matches!(row.text.as_bytes(), b"-" | b"!"));
    /// True if there are operators after their operand.
    pub(crate) const HAS_AFTER: bool =
        any_row!(UnaryOperator::TABLE, |row| matches!(row.associativity, Associativity::Left));

    /// Returns true if the operator is written after its operand.
    pub const fn is_after(self) -> bool {
        matches!(self.row().associativity, Associativity::Left)
    }

    /// Returns the operation with an operand as text. A word has a space beside it.
    ///
    /// ```
    /// use hcl_lr::syntax::ast::UnaryOperator;
    /// assert_eq!(UnaryOperator::Not.with_operand("a"), "!a");
    /// ```
    pub fn with_operand(self, operand: &str) -> String {
        let (text, space) = (self.as_str(), if is_word(self.row()) { " " } else { "" });
        if self.is_after() { format!("{operand}{space}{text}") } else { format!("{text}{space}{operand}") }
    }

    /// Returns the longest operator before or after an operand that a text begins with.
    pub(crate) fn beginning(text: &[u8], is_after: bool) -> Option<UnaryOperator> {
        UnaryOperator::longest(text, |row| (row.associativity == Associativity::Left) == is_after)
    }

    /// The operator that a token is, before or after its operand.
    pub(crate) fn of_token(text: &str, is_after: bool) -> UnaryOperator {
        let all = UnaryOperator::ALL.iter().copied();
        let operator = all.into_iter().find(|operator| operator.as_str() == text && operator.is_after() == is_after);
        // `~` has been reported, and counts as `!`.
        operator.or_else(|| UnaryOperator::meant_by(text)).unwrap_or(UnaryOperator::Not)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::{ExpressionKind, ExpressionNode};

    /// Returns an expression with all its parentheses, as it was parsed.
    fn nested(expression: ExpressionNode<'_>) -> String {
        match expression.kind() {
            ExpressionKind::Binary(operation) => {
                let (left, right) = (nested(operation.left()), nested(operation.right()));
                format!("({left} {} {right})", operation.operator().as_str())
            }
            ExpressionKind::Unary(operation) => {
                format!("({})", operation.operator().with_operand(&nested(operation.operand())))
            }
            _ => expression.text().to_owned(),
        }
    }

    fn parsed(text: &str) -> String {
        let file = crate::parse::<crate::File>(format!("x = {text}\n")).into_result().expect("no errors");
        nested(file.body().attribute("x").expect("it is there").expression())
    }

    #[test]
    fn grammar_and_table_agree_about_each_pair() {
        for &one in BinaryOperator::ALL {
            for &two in BinaryOperator::ALL {
                let (first, second) = (one.as_str(), two.as_str());
                let left = match one.row().level.cmp(&two.row().level) {
                    std::cmp::Ordering::Equal => one.row().associativity == Associativity::Left,
                    order => order.is_gt(),
                };
                let expected =
                    if left { format!("((a {first} b) {second} c)") } else { format!("(a {first} (b {second} c))") };
                assert_eq!(parsed(&format!("a {first} b {second} c")), expected);
                if !is_word(one.row()) && !is_word(two.row()) {
                    assert_eq!(parsed(&format!("(a{first}b{second}c)")), format!("(a{first}b{second}c)"));
                }
            }
            for &unary in UnaryOperator::ALL {
                let ([a, b], sign) = (["a", "b"].map(|operand| unary.with_operand(operand)), one.as_str());
                assert_eq!(parsed(&format!("{a} {sign} {b}")), format!("(({a}) {sign} ({b}))"));
            }
        }
        for &one in UnaryOperator::ALL {
            for &two in UnaryOperator::ALL {
                // One after the operand binds tighter than one before it.
                let (outer, inner) = if one.is_after() && !two.is_after() { (two, one) } else { (one, two) };
                let text = outer.with_operand(&inner.with_operand("a"));
                assert_eq!(
                    parsed(&text),
                    format!("({})", outer.with_operand(&format!("({})", inner.with_operand("a"))))
                );
            }
        }
    }

    /// The table of the specification, from the operators that bind tightest.
    #[test]
    fn levels_are_those_of_the_specification() {
        let table = ["* / %", "+ -", "> >= < <=", "== !=", "&&", "||"];
        let levels = table.iter().rev().zip(1..);
        let mut count = 0;
        for (texts, level) in levels {
            for text in texts.split(' ') {
                let operator = BinaryOperator::beginning_of(text.as_bytes());
                assert_eq!((operator.as_str(), operator.row().level), (text, level));
                count += 1;
            }
        }
        // Operators that extend the language have other levels than these.
        let of_specification =
            BinaryOperator::ALL.iter().filter(|operator| (1..=6).contains(&operator.row().level)).count();
        assert_eq!(of_specification, count);
    }

    #[test]
    fn rows_make_sense_together() {
        let unary = UnaryOperator::ALL.iter().map(|operator| operator.row());
        let binary = BinaryOperator::ALL.iter().map(|operator| operator.row());
        let highest = binary.clone().map(|row| row.level).max();
        for one in binary.clone() {
            let same = binary.clone().filter(|other| other.level == one.level);
            assert!(same.into_iter().all(|other| other.associativity == one.associativity), "level {}", one.level);
        }
        for row in unary.clone() {
            assert!(Some(row.level) > highest, "{}", row.text);
            assert_eq!(row.evaluation, Evaluation::All, "{}", row.text);
        }
        for row in binary.clone().chain(unary) {
            for other in row.elsewhere {
                assert!(binary.clone().all(|row| row.text != *other), "`{other}` is an operator of its own");
                // The lexer looks for longer forms only before such a character.
                let rest = other.strip_prefix(row.text).unwrap_or("-");
                assert!(rest.starts_with(|next: char| next.is_ascii_punctuation()), "{other}");
            }
        }
    }

    #[test]
    fn the_longest_spelling_counts() {
        for &operator in BinaryOperator::ALL {
            let text = operator.as_str();
            let shown = |text: &str| BinaryOperator::beginning_of(text.as_bytes());
            assert_eq!((shown(text), shown(&format!("{text} 1"))), (operator, operator));
            // The table of first bytes is as good as a search.
            let searched = BinaryOperator::longest(format!("{text} 1").as_bytes(), |row| !is_word(row));
            assert_eq!(searched, Some(operator).filter(|operator| !is_word(operator.row())));
        }
        assert!([&b"=  "[..], b"&  ", b"\xc3  "].iter().all(|text| BinaryOperator::beginning(text).is_none()));
        assert_eq!(BinaryOperator::beginning_of(b"&"), BinaryOperator::And);
        assert_eq!(BinaryOperator::beginning_of(b"^"), BinaryOperator::Or);
    }
}
