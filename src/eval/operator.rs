//! Operators ("Operations", "Comparison Operators", "Arithmetic Operators", "Logic Operators").

use super::sink::{Checkpoint, Sink};
use super::{Scope, all_marks, evaluate, messages, report, strict};
use crate::diagnostic::Code;
use crate::limits::{Account, Exceeded};
use crate::model::operations::{self, OperationError, Side};
use crate::model::{MarkSet, MarkUnion, Type, Value, View};
use crate::stack::with_room_for;
use crate::syntax::ast::{
    BinaryOperation, BinaryOperator, ExpressionKind, ExpressionNode, UnaryOperation, UnaryOperator,
};
use crate::syntax::operator::{Evaluation, OperandType};

/// The largest number of operators in a short chain.
const MAX_SHORT: usize = 4;

/// Evaluates a chain of operators, `a + b - c`, however long it is, without recursion.
pub(super) fn binary(expression: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    // Most chains are short and need no list of their operations.
    let mut short = [expression; MAX_SHORT];
    let mut long = Vec::new();
    let (mut length, mut first) = (0, expression);
    while let ExpressionKind::Binary(operation) = first.kind() {
        match short.get_mut(length) {
            Some(place) => *place = first,
            None => long.push(first),
        }
        length += 1;
        first = operation.left();
    }
    let start = sink.checkpoint();
    let mut left = evaluate(first, scope, sink);
    let short = &short[..length.min(MAX_SHORT)];
    for &whole in long.iter().rev().chain(short.iter().rev()) {
        let ExpressionKind::Binary(operation) = whole.kind() else { continue };
        let left_fails = sink.has_errors_since(start);
        let middle = sink.checkpoint();
        let right = evaluate(operation.right(), scope, sink);
        let right_fails = sink.has_errors_since(middle);
        let operands = Operands { left, left_fails, right, right_fails, start, middle };
        left = apply(whole, operation, operands, scope, sink);
    }
    left
}

/// The operands of a binary operation, and which of them failed.
struct Operands {
    left: Value,
    left_fails: bool,
    right: Value,
    right_fails: bool,
    /// Before the left operand.
    start: Checkpoint,
    /// Between the two.
    middle: Checkpoint,
}

/// Returns the type of an operand or result; a dynamic operand keeps its type.
fn type_of(operand: OperandType) -> Type {
    match operand {
        OperandType::Bool => Type::Bool,
        OperandType::Number => Type::Number,
        OperandType::Any => Type::Dynamic,
    }
}

/// The outcome of an operation, without the marks of the operands.
enum Outcome {
    Value(Value),
    /// An operand failed, so the result is unknown.
    Open,
    /// The operation failed, and that is reported.
    Failed,
}

/// Applies a binary operator: the operation sees its operands without marks, and the result gets all of the marks.
fn apply(
    whole: ExpressionNode<'_>,
    operation: BinaryOperation<'_>,
    operands: Operands,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    let result = type_of(operation.operator().row().gives);
    let (left, right) = (&operands.left, &operands.right);
    match outcome(whole, operation, &operands, scope, sink) {
        Outcome::Value(value) => with_marks_of(&[left, right], value, sink.account),
        Outcome::Open => Value::unknown(result).with_marks(&left.marks().union(&right.marks())),
        Outcome::Failed => Value::unknown(result),
    }
}

/// Adds all marks of the operands to the result. Marks within an operand are added too, unless the result already has
/// them within.
fn with_marks_of(operands: &[&Value], result: Value, account: &Account) -> Value {
    if !operands.iter().any(|operand| operand.contains_marks()) {
        return result;
    }
    let (mut on, mut within) = (MarkUnion::default(), MarkUnion::default());
    for operand in operands {
        on.add(&operand.marks());
        within.add(&all_marks(operand, account));
    }
    let (on, within) = (on.set(), within.set());
    let result = result.with_marks(&on);
    if on == within {
        return result;
    }
    let result_marks = all_marks(&result, account);
    let missing: MarkSet = within.iter().filter(|mark| !result_marks.contains(mark)).cloned().collect();
    result.with_marks(&missing)
}

fn outcome(
    whole: ExpressionNode<'_>,
    operation: BinaryOperation<'_>,
    operands: &Operands,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Outcome {
    let fails = operands.left_fails || operands.right_fails;
    let (left, right) = (operands.left.unmarked(), operands.right.unmarked());
    let operator = operation.operator();
    let row = operator.row();
    if count(operator, left, right, sink.account).is_err() {
        return Outcome::Failed;
    }
    if let Some(value) = of_plain_numbers(operator, left, right)
        && !fails
    {
        return Outcome::Value(value);
    }
    let height = left.height().max(right.height());
    if type_of(row.takes) != Type::Dynamic {
        let fits = check(left, operation.left(), operator, Side::Left, scope, sink)
            & check(right, operation.right(), operator, Side::Right, scope, sink);
        if !fits {
            return Outcome::Failed;
        }
    }
    let outcome = with_room_for(height, || compute(operator, left, right));
    if fails {
        if row.evaluation != Evaluation::ShortCircuit {
            return Outcome::Open;
        }
        if whole.is_strict() {
            return Outcome::Value(strict::open_bool());
        }
        let both_count = keep_what_counts(operator, operands, sink);
        return outcome.ok().filter(|_| !both_count).map_or(Outcome::Open, Outcome::Value);
    }
    match outcome {
        Ok(value) if whole.is_strict() => Outcome::Value(strict::result(operator, left, right, value)),
        Ok(value) => Outcome::Value(value),
        Err(why) => {
            sink.report(|| report::error(Code::OperationFailed, whole.span(), detail(&why), whole, scope));
            Outcome::Failed
        }
    }
}

/// Drops errors of the operand that does not affect the result of a short-circuit operator. One operand may decide,
/// whatever the errors of the other one. If only one operand is unknown, only its errors count. Returns true if the
/// result depends on both.
fn keep_what_counts(operator: BinaryOperator, operands: &Operands, sink: &mut Sink) -> bool {
    let Operands { left, left_fails, right, start, middle, .. } = operands;
    let (left_counts, right_counts) = match (
        decides(operator, left, Side::Left, sink.account),
        decides(operator, right, Side::Right, sink.account),
    ) {
        (true, _) => (true, false),
        (false, true) => (false, true),
        (false, false) => match (left.is_known(), right.is_known()) {
            (false, true) => (true, false),
            (true, false) => (false, true),
            // If the left operand is unknown, it is undecided whether the right one counts.
            (false, false) => (true, *left_fails),
            (true, true) => (true, true),
        },
    };
    let of_right = sink.rollback(*middle);
    if !left_counts {
        sink.rollback(*start);
    }
    if right_counts {
        sink.restore(of_right);
    }
    left_counts && right_counts
}

/// Returns true if the operand on one side decides the result, whatever the other operand is.
fn decides(operator: BinaryOperator, value: &Value, side: Side, account: &Account) -> bool {
    use BinaryOperator::*;
    let as_bool = |decides: fn(&Value) -> bool| {
        value.unmarked().convert_within(&Type::Bool, account).is_ok_and(|value| decides(&value))
    };
    match (operator, side) {
        (Or, _) => as_bool(|value| value.as_bool() == Some(true)),
        (And, _) => as_bool(|value| value.is_null() || value.as_bool() == Some(false)),
        // All operands of these count.
        (Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual, _) => false,
        (Add | Subtract | Multiply | Divide | Modulo, _) => false,
    }
}

/// Returns true if a value can be converted to an operand of the operator; if not, reports an error.
fn check(
    value: &Value,
    operand: ExpressionNode<'_>,
    operator: BinaryOperator,
    side: Side,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> bool {
    let wanted = &type_of(operator.row().takes);
    // Numbers in arithmetic and bools in logic need no conversion.
    let plain = match wanted {
        Type::Number => value.as_number().is_some(),
        _ => value.as_bool().is_some(),
    };
    if plain {
        return true;
    }
    match with_room_for(value.height(), || value.unmarked().convert_within(wanted, sink.account)) {
        Ok(_) if operand.is_strict() => strict::operand(value, operand, operator, scope, sink),
        Ok(_) => true,
        Err(why) => {
            let detail = format!("invalid {side}: {}", messages::excerpt(&why.to_string()));
            sink.report(|| report::error(Code::InvalidOperand, operand.span(), detail, operand, scope));
            false
        }
    }
}

/// Counts the work of an operator with large operands.
#[inline]
fn count(operator: BinaryOperator, left: &Value, right: &Value, account: &Account) -> Result<(), Exceeded> {
    match (left.view(), right.view()) {
        (View::Number(a), View::Number(b)) if a.is_small() && b.is_small() => Ok(()),
        (View::Number(a), View::Number(b)) => {
            let longer = if a.extra_bytes() > b.extra_bytes() { a } else { b };
            account.steps(longer.steps_with(longer))?;
            account.bytes(longer.digit_bytes())
        }
        _ => match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => count_equality(left, right, account),
            _ => Ok(()),
        },
    }
}

/// Equality compares all parts of the smaller value, and removes the marks from all parts of both.
fn count_equality(left: &Value, right: &Value, account: &Account) -> Result<(), Exceeded> {
    account.steps(left.steps().min(right.steps()))?;
    for value in [left, right].into_iter().filter(|value| value.contains_marks()) {
        account.steps(value.steps())?;
        account.bytes(value.size())?;
    }
    Ok(())
}

/// Returns the result for two known numbers without marks, as most operands are: nothing needs to be converted, marked
/// or looked up. Errors are left to [`compute`].
fn of_plain_numbers(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    use BinaryOperator::*;
    let (View::Number(a), View::Number(b)) = (left.view(), right.view()) else { return None };
    let number = match operator {
        Add => a.add(b),
        Subtract => a.subtract(b),
        Multiply => a.multiply(b),
        Divide => a.divide(b),
        Modulo => a.remainder(b),
        Less => return Some(Value::from(a < b)),
        LessOrEqual => return Some(Value::from(a <= b)),
        Greater => return Some(Value::from(a > b)),
        GreaterOrEqual => return Some(Value::from(a >= b)),
        Equal => return Some(Value::from(a == b)),
        NotEqual => return Some(Value::from(a != b)),
        Or | And => return None,
    };
    number.ok().map(Value::from)
}

fn detail(why: &OperationError) -> String {
    messages::excerpt(&why.to_string()).into_owned()
}

fn compute(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, OperationError> {
    match operator {
        BinaryOperator::Or => operations::or(left, right),
        BinaryOperator::And => operations::and(left, right),
        BinaryOperator::Equal => Ok(operations::equal(left, right)),
        BinaryOperator::NotEqual => Ok(operations::not_equal(left, right)),
        BinaryOperator::Less => operations::less_than(left, right),
        BinaryOperator::LessOrEqual => operations::less_or_equal(left, right),
        BinaryOperator::Greater => operations::greater_than(left, right),
        BinaryOperator::GreaterOrEqual => operations::greater_or_equal(left, right),
        BinaryOperator::Add => operations::add(left, right),
        BinaryOperator::Subtract => operations::subtract(left, right),
        BinaryOperator::Multiply => operations::multiply(left, right),
        BinaryOperator::Divide => operations::divide(left, right),
        BinaryOperator::Modulo => operations::remainder(left, right),
    }
}

/// A negation.
pub(super) fn unary(
    operation: UnaryOperation<'_>,
    whole: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    let before = sink.checkpoint();
    let operand = evaluate(operation.operand(), scope, sink);
    let operator = operation.operator();
    let result = type_of(operator.row().gives);
    if whole.is_strict() && !strict::unary_operand(&operand, operation, scope, sink) {
        return Value::unknown(result);
    }
    let outcome = with_room_for(operand.height(), || match operator {
        UnaryOperator::Negate => operations::negate(operand.unmarked()),
        UnaryOperator::Not => operations::not(operand.unmarked()),
    });
    let why = match outcome {
        Ok(value) if !sink.has_errors_since(before) => return with_marks_of(&[&operand], value, sink.account),
        Ok(_) => return Value::unknown(result),
        Err(why) => why,
    };
    match why {
        OperationError::Operand(..) => {
            let subject = operation.operand();
            sink.report(|| report::error(Code::InvalidOperand, subject.span(), detail(&why), subject, scope));
        }
        // An operand that failed is reported already.
        _ if sink.has_errors_since(before) => {}
        _ => sink.report(|| report::error(Code::OperationFailed, whole.span(), detail(&why), whole, scope)),
    }
    Value::unknown(result)
}

#[cfg(test)]
mod tests {
    use super::with_marks_of;
    use crate::limits::Account;
    use crate::model::{Type, Value};

    /// The result of an operator whose author did not think of marks.
    #[test]
    fn marks_of_operands_come_by_themselves() {
        let account = Account::default();
        let secret = |value: Value| value.mark("sensitive");
        let null = secret(Value::null(Type::String));
        let plain = Value::from("a");
        assert_eq!(with_marks_of(&[&null, &plain], plain.clone(), &account), secret(plain.clone()));
        assert_eq!(with_marks_of(&[&plain, &null], plain.clone(), &account), secret(plain.clone()));
        assert_eq!(with_marks_of(&[&plain, &plain], plain.clone(), &account), plain);

        // Marks within an operand stay within a result that contains the part, and apply to any other result as a
        // whole.
        let list = Value::tuple([secret(Value::from("b")), plain.clone()]);
        assert_eq!(with_marks_of(&[&list, &plain], list.clone(), &account), list);
        assert_eq!(with_marks_of(&[&list, &plain], Value::from(true), &account), secret(Value::from(true)));
        let other = Value::tuple([plain.clone().mark("other"), plain]);
        let both = with_marks_of(&[&list, &other], list.clone(), &account);
        assert_eq!(both, list.mark("other"));
    }
}
