//! The operators by precedence, with examples of how the parser nests them.

use std::collections::HashSet;
use std::fmt::Write as _;

use hcl_lr::source::Source;
use hcl_lr::syntax::ExpressionFile;
use hcl_lr::syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode, UnaryOperator, Visitor, Walk};
use hcl_lr::syntax::operator::{Associativity, Evaluation, OperandType, OperatorInfo};
use hcl_lr::{ParseOptions, parse};

use crate::parse::Syntax;

/// A line of the table: operators with the same precedence.
struct Line {
    level: u8,
    texts: Vec<&'static str>,
    place: &'static str,
    associates: &'static str,
    takes: &'static str,
    gives: &'static str,
    short: bool,
}

fn lines() -> Vec<Line> {
    let place = |operator: &UnaryOperator| if operator.is_after() { "after" } else { "before" };
    let unary = UnaryOperator::ALL.iter().map(|operator| (operator.row(), place(operator)));
    let binary = BinaryOperator::ALL.iter().map(|operator| (operator.row(), "between"));
    let mut lines: Vec<Line> = Vec::new();
    for (row, place) in unary.chain(binary) {
        let line = line(row, place);
        let same = lines.iter_mut().find(|other| {
            (other.level, other.place, other.takes, other.gives) == (line.level, line.place, line.takes, line.gives)
        });
        match same {
            Some(same) => same.texts.push(row.text),
            None => lines.push(line),
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.level));
    lines
}

fn line(row: &OperatorInfo, place: &'static str) -> Line {
    let kind = |operand| match operand {
        OperandType::Bool => "bool",
        OperandType::Number => "number",
        _ => "any",
    };
    Line {
        level: row.level,
        texts: vec![row.text],
        place,
        associates: if row.associativity == Associativity::Left { "left" } else { "right" },
        takes: kind(row.takes),
        gives: kind(row.gives),
        short: row.evaluation == Evaluation::ShortCircuit,
    }
}

/// The table and the examples.
pub fn printed() -> String {
    let lines = lines();
    let mut text = String::from("level  operators   stand    associate  take    give\n");
    for line in &lines {
        let Line { level, texts, place, associates, takes, gives, short } = line;
        let texts = texts.join(" ");
        let short = if *short { "  and short-circuit" } else { "" };
        let row = format!("{level:>5}  {texts:10}  {place:7}  {associates:9}  {takes:6}  {gives:6}{short}");
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text += "\nA higher level binds tighter. Accesses such as `.name`, `[0]` and `[*]` bind tighter than all of them, and\n\
             `? :` less tightly. With the parentheses that the parser sees:\n\n";
    let examples: Vec<(String, String)> =
        examples(&lines).into_iter().map(|example| (nested_text(&example), example)).map(|(is, of)| (of, is)).collect();
    let width = examples.iter().map(|(example, _)| example.len()).max().unwrap_or(0);
    for (example, nested) in examples {
        let _ = writeln!(text, "  {example:width$}  is  {nested}");
    }
    text
}

/// Returns expressions that show the levels: neighbours in both orders, chains, and operators before an operand.
fn examples(lines: &[Line]) -> Vec<String> {
    let binary: Vec<&Line> = lines.iter().filter(|line| line.place == "between").collect();
    let is_shown = |operator: &UnaryOperator| {
        lines.iter().any(|line| line.place != "between" && line.texts[0] == operator.as_str())
    };
    let unary: Vec<UnaryOperator> = UnaryOperator::ALL.iter().copied().filter(is_shown).collect();
    let mut examples = Vec::new();
    for operator in &unary {
        examples.push(operator.with_operand("a.b"));
        examples.push(operator.with_operand(&operator.with_operand("a")));
    }
    if let (Some(operator), Some(tightest)) = (unary.first(), binary.first()) {
        examples.push(format!("{} {} b", operator.with_operand("a"), tightest.texts[0]));
    }
    for (tighter, looser) in binary.iter().zip(binary.iter().skip(1)) {
        let (tight, loose) = (tighter.texts[0], looser.texts[0]);
        if tighter.level != looser.level {
            examples.push(format!("a {loose} b {tight} c"));
            examples.push(format!("a {tight} b {loose} c"));
        }
    }
    for line in &binary {
        let last = line.texts.last().unwrap_or(&line.texts[0]);
        examples.push(format!("a {} b {last} c", line.texts[0]));
    }
    if let Some(loosest) = binary.last() {
        examples.push(format!("a {} b ? c : d ? e : f", loosest.texts[0]));
    }
    examples
}

/// The most operators of a chain that is shown.
const MAX_CHAIN: usize = 20;
/// The most bytes of a chain that is shown.
const MAX_TEXT: usize = 200;

/// Returns a line for each chain of operators in a source: the productions have chains that are flat, and the levels of the
/// operators decide how they nest. Single operations and long chains have no line.
///
/// ```
/// use hcl_lr_grammar_kit::{Syntax, chains};
/// let source = hcl_lr::Source::new("in.hcl", "1 + 2 * 3");
/// let line = "by the levels of the operators, `1 + 2 * 3` is `1 + (2 * 3)`\n";
/// assert_eq!(chains(&source, Syntax::Expression), line);
/// ```
pub fn chains(source: &Source, syntax: Syntax) -> String {
    struct Chains {
        /// The places of the operations in chains that are shown.
        within: HashSet<(usize, usize)>,
        text: String,
    }
    impl<'t> Visitor<'t> for Chains {
        fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
            let mut waiting = vec![expression];
            let mut count = 0;
            while let Some(operand) = waiting.pop() {
                let ExpressionKind::Binary(operation) = operand.kind() else { continue };
                let place = (operand.span().start(), operand.span().end());
                if !self.within.insert(place) {
                    return Walk::Into;
                }
                count += 1;
                waiting.extend([operation.left(), operation.right()]);
            }
            if (2..=MAX_CHAIN).contains(&count) && expression.text().len() <= MAX_TEXT {
                let (flat, nested) = (expression.text(), nested(expression, true));
                let _ = writeln!(self.text, "by the levels of the operators, `{flat}` is `{nested}`");
            }
            Walk::Into
        }
    }
    let mut chains = Chains { within: HashSet::new(), text: String::new() };
    let outcome = syntax.parse(source.clone(), &ParseOptions::new());
    match syntax {
        Syntax::Config => outcome.value().body().walk(&mut chains),
        Syntax::Expression => outcome.value().expression().walk(&mut chains),
        Syntax::Template => outcome.value().template().walk(&mut chains),
    }
    chains.text
}

/// Returns a line for each operator of the table that the parser does not read as the table says, with what it reads. The text is
/// empty if there is none.
///
/// ```
/// assert_eq!(hcl_lr_grammar_kit::unread_operators(), "");
/// ```
pub fn unread_operators() -> String {
    let mut text = String::new();
    for &operator in BinaryOperator::ALL {
        let is_own = |kind: ExpressionKind<'_>| matches!(kind, ExpressionKind::Binary(operation) if operation.operator() == operator);
        text += &unread(operator.as_str(), &format!("a {operator} b"), &is_own);
    }
    for &operator in UnaryOperator::ALL {
        let is_own = |kind: ExpressionKind<'_>| matches!(kind, ExpressionKind::Unary(operation) if operation.operator() == operator);
        text += &unread(operator.as_str(), &operator.with_operand("a"), &is_own);
    }
    text
}

/// Returns the report about an example that is not an operation of its operator.
fn unread(operator: &str, example: &str, is_own: &dyn Fn(ExpressionKind<'_>) -> bool) -> String {
    let outcome = parse::<ExpressionFile>(example);
    let reading = match outcome.diagnostics().iter().next() {
        Some(diagnostic) => format!("{}: {}", diagnostic.code(), diagnostic.detail()),
        None if is_own(outcome.value().expression().kind()) => return String::new(),
        None => "it is read as something else".to_owned(),
    };
    format!(
        "error: `{example}` is not an operation with the operator `{operator}`: {reading}\n  \
         see \"What the table can do\" in grammar/README.md\n"
    )
}

fn nested_text(example: &str) -> String {
    let source = Source::new("example", example);
    let (file, _) = parse::<ExpressionFile>(source).into_parts();
    nested(file.expression(), true)
}

/// An expression with parentheses around each operation but the outermost. The examples are short.
fn nested(expression: ExpressionNode<'_>, outermost: bool) -> String {
    let text = match expression.kind() {
        ExpressionKind::Binary(operation) => {
            let (left, right) = (nested(operation.left(), false), nested(operation.right(), false));
            format!("{left} {} {right}", operation.operator().as_str())
        }
        ExpressionKind::Unary(operation) => {
            let operand = operation.operand();
            // An access is not an operation, but its precedence is worth showing.
            let inner = match operand.kind() {
                ExpressionKind::Traversal(_) if operand.text().contains('.') => format!("({})", operand.text()),
                _ => nested(operand, false),
            };
            operation.operator().with_operand(&inner)
        }
        ExpressionKind::Conditional(conditional) => {
            let [a, b, c] = [conditional.predicate(), conditional.true_result(), conditional.false_result()];
            format!("{} ? {} : {}", nested(a, false), nested(b, false), nested(c, false))
        }
        _ => return expression.text().to_owned(),
    };
    if outermost { text } else { format!("({text})") }
}
