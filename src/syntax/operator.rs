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
//! A row of the table is enough for a binary operator of one to three signs, which groups from the left or from the right.
//! More than two operators of one length that begin with the same sign do not compile. A prefix operator also needs a token
//! and a terminal, as `-` and `!` have them. A word, and an operator after its operand, need a token of the lexer and an
//! alternative in `grammar/expression.lalrpop`.

/// The meaning of chains of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Associativity {
    /// Groups from the left: `a - b - c` is `(a - b) - c`. All binary operators of the language do this. Such a chain is
    /// walked in a loop, so it has any length.
    Left,
    /// Groups from the right: `-!a` is `-(!a)`, the only possibility for prefix operators. A chain nests as deep as it is
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

macro_rules! operators {
    ($(
        $(#[$doc:meta])+
        $name:ident {
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

                /// Returns the operator that corresponds to one of another language.
                pub(crate) fn meant_by(text: &str) -> Option<$name> {
                    $name::ALL.iter().copied().find(|operator| operator.row().elsewhere.contains(&text))
                }
            }
            /// The operator as it is written.
            impl AsRef<str> for $name {
                fn as_ref(&self) -> &str {
                    self.as_str()
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
    BinaryOperator {
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
    UnaryOperator {
        Negate         "-"  7 Right All          (Number -> Number) []
        Not            "!"  7 Right All          (Bool -> Bool)     ["~", "not"]
    }
}

/// The operators that begin with a byte: the one of this byte alone, and the longer ones with the rest of their bytes.
#[derive(Clone, Copy)]
struct ByFirstByte {
    alone: Option<BinaryOperator>,
    longer: [(u8, Option<BinaryOperator>); 2],
    longest: [([u8; 2], Option<BinaryOperator>); 2],
}

/// The binary operators by their first byte.
static BEGINNINGS: [ByFirstByte; 128] = {
    let none = ByFirstByte { alone: None, longer: [(0, None); 2], longest: [([0; 2], None); 2] };
    let mut all = [none; 128];
    let mut index = 0;
    while index < BinaryOperator::ALL.len() {
        let operator = BinaryOperator::ALL[index];
        let place = &mut all[operator.as_str().as_bytes()[0] as usize];
        match operator.as_str().as_bytes() {
            [_] => place.alone = Some(operator),
            [_, second] if place.longer[0].1.is_none() => place.longer[0] = (*second, Some(operator)),
            [_, second] if place.longer[1].1.is_none() => place.longer[1] = (*second, Some(operator)),
            [_, rest @ ..] if rest.len() == 2 && place.longest[0].1.is_none() => {
                place.longest[0] = ([rest[0], rest[1]], Some(operator));
            }
            [_, rest @ ..] if rest.len() == 2 && place.longest[1].1.is_none() => {
                place.longest[1] = ([rest[0], rest[1]], Some(operator));
            }
            _ => panic!("an operator has up to three bytes, and at most two of one length begin with the same byte"),
        }
        index += 1;
    }
    all
};

impl BinaryOperator {
    /// Returns the longest operator that begins with `byte`, followed by these two.
    #[inline]
    pub(crate) fn beginning(byte: u8, next: [u8; 2]) -> Option<BinaryOperator> {
        let ByFirstByte { alone, longer: [a, b], longest } = BEGINNINGS.get(usize::from(byte))?;
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

    /// Returns the operator that a text begins with. Other text has been reported, and counts as the operator that it
    /// corresponds to, or else as `||`.
    #[inline]
    pub(crate) fn beginning_of(text: &[u8]) -> BinaryOperator {
        let byte_at = |at: usize| text.get(at).copied().unwrap_or(0);
        let byte = byte_at(0);
        BinaryOperator::beginning(byte, [byte_at(1), byte_at(2)]).unwrap_or_else(|| BinaryOperator::taken_for(byte))
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
    /// The operator that a token is.
    pub(crate) fn of_token(text: &str) -> UnaryOperator {
        let operator = UnaryOperator::ALL.iter().copied().find(|operator| operator.as_str() == text);
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
                format!("({}{})", operation.operator().as_str(), nested(operation.operand()))
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
                assert_eq!(parsed(&format!("(a{first}b{second}c)")), format!("(a{first}b{second}c)"));
            }
            for &prefix in UnaryOperator::ALL {
                let (prefix, sign) = (prefix.as_str(), one.as_str());
                assert_eq!(parsed(&format!("{prefix}a {sign} {prefix}b")), format!("(({prefix}a) {sign} ({prefix}b))"));
            }
        }
        for &one in UnaryOperator::ALL {
            for &two in UnaryOperator::ALL {
                let (first, second) = (one.as_str(), two.as_str());
                assert_eq!(parsed(&format!("{first}{second}a")), format!("({first}({second}a))"));
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
            assert_eq!((row.associativity, row.evaluation), (Associativity::Right, Evaluation::All), "{}", row.text);
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
        }
        assert_eq!(BinaryOperator::beginning(b'=', *b"  "), None);
        assert_eq!(BinaryOperator::beginning(b'&', *b"  "), None);
        assert_eq!(BinaryOperator::beginning(0xc3, *b"  "), None);
        assert_eq!(BinaryOperator::beginning_of(b"&"), BinaryOperator::And);
        assert_eq!(BinaryOperator::beginning_of(b"^"), BinaryOperator::Or);
    }
}
