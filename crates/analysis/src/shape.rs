//! The shapes of values: those that the text around a place expects, and those of definitions and functions.

use hcl_lr::model::Type;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};
use hcl_lr::syntax::operator::{OperandType, OperatorInfo};
use hcl_lr_language::definitions::Definition;

use crate::project::Project;

/// The shape of a value. Conversions between texts, numbers and bools are the only ones that change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Any,
    Text,
    /// A known text that converts to no number and no bool.
    Word,
    Number,
    Bool,
    List,
    Set,
    Map,
    /// A list, a set or a map.
    Elements,
    /// A set or a map, for whose elements a block is repeated.
    Instances,
    /// The key of an element: a text or a number.
    Key,
    /// A value that has a length: a text, a list, a set or a map.
    Measured,
}

impl Shape {
    /// Returns the shape of the values of a type.
    pub fn of_type(ty: &Type) -> Shape {
        match ty {
            Type::String => Shape::Text,
            Type::Number => Shape::Number,
            Type::Bool => Shape::Bool,
            _ if ty.attributes().is_some() => Shape::Map,
            Type::Map(_) => Shape::Map,
            Type::Set(_) => Shape::Set,
            _ if ty.element_type().is_some() || ty.tuple_elements().is_some() => Shape::List,
            _ => Shape::Any,
        }
    }

    /// Returns the shape of the results of an operator.
    fn of_operator(row: &OperatorInfo) -> Shape {
        match row.gives {
            OperandType::Number => Shape::Number,
            OperandType::Bool => Shape::Bool,
            _ => Shape::Any,
        }
    }

    /// Returns the shape of the results of a function, by its signature.
    pub fn of_result(signature: &str) -> Shape {
        let result = signature.rsplit("-> ").next().unwrap_or_default();
        let word = result.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
        match word {
            "string" => Shape::Text,
            "number" => Shape::Number,
            "bool" => Shape::Bool,
            "list" | "tuple" => Shape::List,
            "set" => Shape::Set,
            "map" | "object" => Shape::Map,
            _ => Shape::Any,
        }
    }

    /// Returns the shape of an argument of a function that accepts any type, but can use only some values.
    fn of_argument(function: &str, number: usize) -> Shape {
        match (function, number) {
            ("merge", _) | ("keys" | "values" | "lookup" | "transpose", 0) => Shape::Map,
            ("concat" | "coalescelist" | "setunion" | "setintersection" | "setproduct", _) | ("zipmap", _) => {
                Shape::List
            }
            (
                "contains" | "compact" | "distinct" | "element" | "flatten" | "index" | "reverse" | "slice" | "sort",
                0,
            ) => Shape::List,
            ("alltrue" | "anytrue" | "one" | "sum" | "tolist" | "toset" | "chunklist", 0) | ("join", 1) => Shape::List,
            ("length", 0) => Shape::Measured,
            ("tomap", 0) => Shape::Map,
            _ => Shape::Any,
        }
    }

    /// Returns the shape of the value of a definition, as far as its type or form determines it.
    pub fn of_definition(project: &Project, definition: &Definition<'_>) -> Shape {
        if let Some(constraint) = definition.constraint() {
            return Shape::of_type(constraint.ty());
        }
        let is_object = !definition.is_input() && definition.expression().is_none() && !definition.is_function();
        if is_object && definition.block_type().is_some() {
            return Shape::of_object(project, definition);
        }
        let native = definition.expression().and_then(|expression| expression.as_native());
        match native.map_or(Shape::Any, |native| Shape::of_expression(project, native)) {
            Shape::Any => Shape::of_name(definition.name()),
            shape => shape,
        }
    }

    /// Returns the shape of the value of a block: a list, if it is repeated by a count.
    fn of_object(project: &Project, definition: &Definition<'_>) -> Shape {
        let Some(repeated) = definition.repeated_by() else { return Shape::Map };
        let mut roles = project.language().roles().roles().iter();
        let role = roles.find(|role| role.block_type() == definition.block_type());
        let count = role.and_then(|role| role.repeated_by().1);
        let place = repeated.place();
        let before = place.source().text()[..place.span().start()].trim_end().trim_end_matches(['=', ':']).trim_end();
        let is_counted = count.is_some_and(|count| before.trim_end_matches('"').ends_with(count));
        if is_counted { Shape::List } else { Shape::Map }
    }

    /// Returns the likely shape of a value with this name.
    pub fn of_name(name: &str) -> Shape {
        let first = name.split('_').next().unwrap_or_default();
        match first {
            "is" | "has" | "enable" | "enabled" | "disable" | "use" | "create" if first != name => Shape::Bool,
            _ => Shape::Any,
        }
    }

    /// Returns the shape of the value of an expression, as far as its form determines it.
    pub fn of_expression(project: &Project, mut expression: ExpressionNode<'_>) -> Shape {
        /// The maximum number of nested forms to examine.
        const MAX_STEPS: usize = 8;
        for _ in 0..MAX_STEPS {
            return match expression.kind() {
                ExpressionKind::Parentheses(inner) => {
                    expression = inner.inner();
                    continue;
                }
                ExpressionKind::Conditional(conditional) => {
                    let results = [conditional.true_result(), conditional.false_result()];
                    let is_null = matches!(results[0].kind(), ExpressionKind::Null);
                    expression = results[usize::from(is_null)];
                    continue;
                }
                ExpressionKind::Template(template) => match (template.as_text(), template.unwrapped()) {
                    (Some(text), _) if is_word(&text) => Shape::Word,
                    (None, Some(_)) => Shape::Any,
                    // It begins with letters.
                    _ if expression.text()[1..].starts_with(char::is_alphabetic) => Shape::Word,
                    _ => Shape::Text,
                },
                ExpressionKind::Number(_) => Shape::Number,
                ExpressionKind::Bool(_) => Shape::Bool,
                ExpressionKind::Tuple(_) => Shape::List,
                ExpressionKind::Object(_) => Shape::Map,
                ExpressionKind::Splat(_) => Shape::List,
                ExpressionKind::For(expression) if expression.is_object() => Shape::Map,
                ExpressionKind::For(_) => Shape::List,
                ExpressionKind::Binary(operation) => Shape::of_operator(operation.operator().row()),
                ExpressionKind::Unary(operation) => Shape::of_operator(operation.operator().row()),
                ExpressionKind::FunctionCall(call) => match crate::project::entry_of(project, &call.name()) {
                    Some(entry) => Shape::of_result(&entry.signature()),
                    None => Shape::Any,
                },
                ExpressionKind::Traversal(_) => {
                    let named = project.definitions().get(expression.text());
                    named
                        .and_then(|definition| Some(Shape::of_type(definition.constraint()?.ty())))
                        .unwrap_or(Shape::Any)
                }
                _ => Shape::Any,
            };
        }
        Shape::Any
    }

    /// Returns true if values of the shape have attributes or elements, which may be of another shape.
    pub fn has_parts(self) -> bool {
        matches!(self, Shape::List | Shape::Set | Shape::Map | Shape::Elements)
    }

    /// Returns true if a value of a shape is wrong where this one is expected. Texts may convert to numbers and bools.
    pub fn excludes(self, found: Shape) -> bool {
        matches!((self, found), (Shape::Number, Shape::Bool) | (Shape::Bool, Shape::Number))
            || self.points(found) <= -150
    }

    /// Returns the points for a value of a shape where this one is expected; negative if it does not fit.
    pub fn points(self, found: Shape) -> i64 {
        use Shape::*;
        match (self, found) {
            (Any, _) | (_, Any) => 0,
            (Text, Word) => 40,
            (Number | Bool, Word) => -150,
            (Bool, Bool) => 80,
            (one, other) if one == other => 40,
            (Elements, List | Set | Map) | (List | Set | Map, Elements) | (List, Set) | (Set, List) => 40,
            (Instances, Set | Map | Elements) | (Measured, List | Set | Map | Elements) => 40,
            (Measured, Text | Word) => 0,
            (Key, Text | Word | Number) => 0,
            (Bool, Text | Number) => -100,
            (Text, Bool) => -60,
            (Number, Text) => -30,
            (Number, Bool) => -100,
            (Text, Number) => 0,
            _ => -150,
        }
    }
}

/// Returns the shape of the literal that starts a text; any shape, if there is none.
pub fn of_literal(text: &str) -> Shape {
    match text.chars().next() {
        Some('"') => Shape::Text,
        Some('0'..='9' | '-') => Shape::Number,
        Some('[') => Shape::List,
        Some('{') => Shape::Map,
        _ if text.starts_with("<<") => Shape::Text,
        _ if ["true", "false"].iter().any(|word| text.starts_with(word)) => Shape::Bool,
        _ => Shape::Any,
    }
}

/// Returns true if a text converts to no number and no bool.
fn is_word(text: &str) -> bool {
    !matches!(text, "true" | "false") && text.parse::<f64>().is_err()
}

/// Returns the shape that the operators and brackets next to a name expect: the one that binds it.
pub fn asked_by_neighbours(before: &str, after: &str) -> Option<Shape> {
    let is_looser = ["?", "&&", "||"].iter().any(|operator| after.trim_start().starts_with(operator));
    if is_looser && ["==", "!="].iter().any(|operator| before.trim_end().ends_with(operator)) {
        return Some(Shape::Any);
    }
    match asked_before(before, after) {
        Some(Shape::Number) if is_looser => Some(Shape::Number),
        of_before => asked_after(after).or(of_before),
    }
}

/// Returns the shape that the text after a name expects.
fn asked_after(after: &str) -> Option<Shape> {
    match after.chars().next() {
        Some('[') => return Some(Shape::Elements),
        Some('.') if !after.starts_with("..") => return Some(Shape::Map),
        _ => {}
    }
    let after = after.trim_start_matches([' ', '\t']);
    let starts = |texts: &[&str]| texts.iter().any(|text| after.starts_with(text));
    if starts(&["//", "/*", "=>"]) {
        None
    } else if starts(&["==", "!="]) {
        let other = after[2..].trim_start();
        Some(of_literal(other))
    } else if starts(&["?", "&&", "||"]) {
        Some(Shape::Bool)
    } else if starts(&["<", ">", "+", "-", "*", "/", "%"]) && !after.starts_with("%{") {
        Some(Shape::Number)
    } else if after.starts_with("...") {
        Some(Shape::List)
    } else {
        None
    }
}

/// Returns the shape that the text before a name expects.
fn asked_before(before: &str, after: &str) -> Option<Shape> {
    let before = before.trim_end();
    let ends = |texts: &[&str]| texts.iter().any(|text| before.ends_with(text));
    let word = before.rsplit(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default();
    if ends(&["=>"]) {
        // In an object or a `for` expression, anything fits.
        None
    } else if ends(&["!", "&&", "||"]) || word == "if" {
        Some(Shape::Bool)
    } else if word == "in" {
        Some(Shape::Elements)
    } else if ends(&["<", ">", "<=", ">=", "+", "*", "%"]) {
        Some(Shape::Number)
    } else if ends(&["${", "${~"]) && !(before.ends_with("\"${") && after.starts_with("}\"")) {
        Some(Shape::Text)
    } else {
        None
    }
}

/// Returns the shape of an argument of a call.
pub fn asked_by_call(project: &Project, function: &str, argument: usize) -> Shape {
    let entry = crate::project::entry_of(project, function);
    let parameter = entry.and_then(|entry| {
        let function = entry.function();
        function.parameters().get(argument).or(function.variadic_parameter())
    });
    match parameter.map_or(Shape::Any, |parameter| Shape::of_type(parameter.ty())) {
        Shape::Any => Shape::of_argument(function, argument),
        shape => shape,
    }
}

/// Returns the last unclosed bracket in a text, and its place.
pub fn open_bracket(text: &str) -> Option<(char, usize)> {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices().rev() {
        match char {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth == 0 => return Some((char, at)),
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the type of an attribute or element.
pub fn member_type(ty: &Type, name: &str) -> Option<Type> {
    let index = || ty.tuple_elements()?.get(name.parse::<usize>().ok()?);
    ty.attribute_type(name).or_else(index).or_else(|| ty.element_type()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_around_a_name_asks_for_a_shape() {
        for (before, after, expected) in [
            ("count = ", " ? 1 : 0", Some(Shape::Bool)),
            ("a = b && ", "", Some(Shape::Bool)),
            ("a = !", "\n", Some(Shape::Bool)),
            ("a = [for x in ", " : x]", Some(Shape::Elements)),
            ("a = ", "[0]", Some(Shape::Elements)),
            ("a = ", ".name", Some(Shape::Map)),
            ("a = ", " + 1", Some(Shape::Number)),
            ("a = ", " // text", None),
            ("count = ", " == null ? 1 : 0", Some(Shape::Any)),
            ("count = ", " != \"\" ? 1 : 0", Some(Shape::Text)),
            ("a = \"x-${", "}\"", Some(Shape::Text)),
            ("a = \"${", "}\"", None),
            ("a = { for k, v in x : k ", "=> v }", None),
            ("a = 1 >= ", " && b", Some(Shape::Number)),
            ("a = 1 + ", "\n ? 2 : 3", Some(Shape::Number)),
            ("a = b == ", " ? 2 : 3", Some(Shape::Any)),
            ("a = 1 >= b && ", " && c", Some(Shape::Bool)),
        ] {
            let found = asked_by_neighbours(before, after);
            assert_eq!(found, expected, "{before:?} {after:?}");
        }
        assert_eq!(open_bracket("f(a[1], {b = [c"), Some(('[', 13)));
        assert_eq!(open_bracket("f(a[1], "), Some(('(', 1)));
        assert_eq!(Shape::of_result("contains(list, value) -> bool"), Shape::Bool);
        assert!(Shape::Bool.points(Shape::Bool) > Shape::Bool.points(Shape::Any));
        assert!(Shape::Bool.points(Shape::Text) < 0 && Shape::List.points(Shape::Text) < 0);
    }
}
