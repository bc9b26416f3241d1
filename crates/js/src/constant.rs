//! Values that are written out, without the evaluator, which the small build lacks.

use hcl_lr::model::Number;
use hcl_lr::stack::with_room;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, UnaryOperator};

use crate::json;

/// Returns the JSON of a literal value, or of a list or object of literal values with literal keys.
pub fn read(expression: ExpressionNode<'_>) -> Option<String> {
    let mut out = String::new();
    write(expression, &mut out)?;
    Some(out)
}

fn write(expression: ExpressionNode<'_>, out: &mut String) -> Option<()> {
    match expression.kind() {
        ExpressionKind::Null => out.push_str("null"),
        ExpressionKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ExpressionKind::Number(number) => number_text(number.text(), out)?,
        ExpressionKind::Unary(operation) if operation.operator() == UnaryOperator::Negate => {
            let ExpressionKind::Number(number) = operation.operand().kind() else { return None };
            number_text(&format!("-{}", number.text()), out)?;
        }
        ExpressionKind::Template(_) => json::string(&expression.as_str()?, out),
        ExpressionKind::Parentheses(parentheses) => with_room(|| write(parentheses.inner(), out))?,
        ExpressionKind::Tuple(tuple) => {
            out.push('[');
            for (index, element) in tuple.elements().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                with_room(|| write(element, out))?;
            }
            out.push(']');
        }
        ExpressionKind::Object(object) => {
            out.push('{');
            for entry in object.elements() {
                json::name(&entry.key_text()?, out);
                with_room(|| write(entry.value(), out))?;
            }
            out.push('}');
        }
        _ => return None,
    }
    Some(())
}

/// Appends a number as JSON has it.
fn number_text(text: &str, out: &mut String) -> Option<()> {
    out.push_str(&Number::parse(text).ok()?.to_string());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_written_out_is_constant() {
        let constant = |text: &str| {
            let file: hcl_lr::File = hcl_lr::parse(format!("a = {text}\n")).into_result().expect("no errors");
            read(file.body().attribute("a").expect("it is there").expression())
        };
        let expected = r#"{"a":[1,-2.5,"x\n"],"b c":{"d":null},"e":true}"#;
        assert_eq!(
            constant(r#"{ a = [1, -2.50, "x\n"], "b c" = { d = (null) }, e = true }"#).as_deref(),
            Some(expected)
        );
        for text in ["1 + 2", "a", "\"${a}\"", "[a]", "{ (a) = 1 }", "f()"] {
            assert_eq!(constant(text), None, "{text}");
        }
    }
}
