//! What is marked is shown nowhere: not in a message, not in its help, its labels or its JSON, nor a
//! part of it.
//!
//! Random expressions are evaluated over values that are marked, wholly or in part. The secrets are
//! written in letters that stand nowhere else, so that a single one of them in a message betrays it.

use std::collections::HashMap;

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::{Scope, functions, parse_expression};

/// The names of what the expressions can use.
const VARIABLES: [&str; 18] = [
    "text",
    "digits",
    "number",
    "yes",
    "object",
    "map",
    "list",
    "set",
    "tuple",
    "inner_map",
    "inner_object",
    "inner_list",
    "nulls",
    "open",
    "one",
    "word",
    "keys",
    "nested",
];

/// Functions of an application, with parameters of all types.
const OWN: [&str; 8] = ["numbers", "table", "record", "either", "pair", "refuses", "small", "sizes"];

fn hidden(value: impl Into<Value>) -> Value {
    value.into().mark("sensitive")
}

fn function(ty: Type) -> Function {
    Function::new([Parameter::new("given", ty)], Type::Number, |_| Ok(Value::from(1)))
}

fn scope() -> Scope<'static> {
    let text = || Value::from("жцюф");
    let number = || Value::from(731_946_285);
    let object =
        || Value::object([("щэъы", text()), ("жёлт", number()), ("ящик", Value::from(true)), ("hunter", text())]);
    let map = || {
        Value::map(Type::String, [("щэъы", text()), ("жёлт", Value::from("юный")), ("hunter", text())])
            .expect("strings")
    };
    let list = || Value::list(Type::String, [text(), Value::from("эхо")]).expect("strings");
    let set = || Value::set(Type::String, [text(), Value::from("эхо")]).expect("strings");
    let names = [("щэъы", Type::Number)];
    Scope::new()
        .with("text", hidden("жцюф"))
        .with("digits", hidden("731946285"))
        .with("number", hidden(number()))
        .with("yes", hidden(true))
        .with("object", hidden(object()))
        .with("map", hidden(map()))
        .with("list", hidden(list()))
        .with("set", hidden(set()))
        .with("tuple", hidden(Value::tuple([text(), number(), object()])))
        .with("inner_map", Value::object([("a", hidden(map())), ("b", Value::from(1))]))
        .with("inner_object", Value::tuple([hidden(object()), Value::from(1)]))
        .with("inner_list", Value::list(Type::String, [hidden("жцюф"), Value::from("b")]).expect("strings"))
        .with("nulls", hidden(Value::null(Type::object(names.clone()))))
        .with("open", hidden(Value::unknown(Type::object(names))))
        .with("one", 1)
        .with("word", "plain")
        .with("keys", Value::tuple([hidden("щэъы"), hidden("жцюф"), hidden(number())]))
        .with("nested", hidden(Value::tuple([Value::map(map().ty(), [("ёж", map())]).expect("maps"), list()])))
        .with_functions(functions::standard())
        .with_function("numbers", function(Type::list(Type::Number)))
        .with_function("table", function(Type::map(Type::Number)))
        .with_function("record", function(Type::object([("a", Type::Number), ("b", Type::list(Type::Bool))])))
        .with_function("either", function(Type::set(Type::map(Type::Bool))))
        .with_function("pair", function(Type::tuple([Type::Number, Type::map(Type::Number)])))
        .with_function(
            "refuses",
            Function::new([Parameter::new("given", Type::Dynamic)], Type::String, |_| {
                Err::<Value, _>(FunctionError::argument(0, "will not do"))
            }),
        )
        .with_function(
            "small",
            Function::new([Parameter::new("given", Type::Dynamic)], Type::Number, |call| {
                Ok(call.get_as::<u8>(0)?.into())
            }),
        )
        .with_function(
            "sizes",
            Function::new([Parameter::new("given", Type::Dynamic)], Type::Number, |call| {
                Ok(HashMap::<String, u8>::try_from(call.argument(0))?.len().into())
            }),
        )
}

/// Random numbers, the same ones in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn expression(&mut self, functions: &[&str], depth: usize) -> String {
        let leaf = depth == 0 || self.below(4) == 0;
        if leaf {
            return match self.below(8) {
                0 => self.of(&["0", "\"a\"", "true", "null", "[]", "{}", "\"b\"", "-1", "[1, \"x\"]"]).to_owned(),
                _ => self.of(&VARIABLES).to_owned(),
            };
        }
        let choice = self.below(20);
        let part = |random: &mut Random| random.expression(functions, depth - 1);
        let (a, b, c) = (part(self), part(self), part(self));
        match choice {
            0 => format!("({a} {} {b})", self.of(&["+", "-", "*", "/", "%", "&&", "||", "<", ">=", "==", "!="])),
            1 => format!("{}{a}", self.of(&["-", "!"])),
            2 => format!("({a} ? {b} : {c})"),
            3 => format!("({a})[{b}]"),
            4 => format!("({a}).{}", self.of(&["a", "b", "name", "0", "*.a", "*.hunte", "hunte"])),
            5 => format!("({a})[*]{}", self.of(&["", ".a", "[0]", "[\"hunte\"]", ".hunte"])),
            6 => format!("[for v in {a} : {b}]"),
            7 => format!("[for k, v in {a} : {} if {b}]", self.of(&["k", "v", "v.a", "v.hunte", "v[0]", "k + 1"])),
            8 => format!("{{for k, v in {a} : {} => {b}}}", self.of(&["k", "v", "text", "0", "v.b"])),
            9 => format!("{{for v in {a} : v => {b}...}}"),
            10 => format!("\"x${{{a}}}y${{{b}}}\""),
            11 => format!("\"%{{ for v in {a} }}${{v}}%{{ endfor }}\""),
            12 => format!("\"%{{ if {a} }}${{{b}}}%{{ endif }}\""),
            13 => format!("{{({a}) = {b}, {} = {c}}}", self.of(&["a", "b", "text"])),
            14 => format!("[{a}, {b}]"),
            15 => format!("{}({a}...)", self.of(functions)),
            16 => format!("{}({a})", self.of(functions)),
            17 => format!("{}({a}, {b})", self.of(functions)),
            18 => format!("{}({a}, {b}, {c})", self.of(functions)),
            _ => format!("{}({a})", self.of(&OWN)),
        }
    }
}

/// Everything that can be shown of diagnostics.
fn shown(diagnostics: &Diagnostics) -> String {
    format!("{}{}{}{diagnostics}{diagnostics:?}", diagnostics.render(), diagnostics.short(), diagnostics.to_json())
}

fn betrays(shown: &str) -> bool {
    let secret = |c: char| ('а'..='я').contains(&c) || ('А'..='Я').contains(&c) || "ёЁ".contains(c);
    // A name that is nearly that of an attribute is not corrected.
    shown.contains(secret) || shown.contains("hunter") || shown.contains("7319") || shown.contains("6285")
}

/// Where something was shown, or nearly.
const CASES: [&str; 23] = [
    "table(map)",
    "table(object)",
    "table(inner_map.a)",
    "table(inner_map)",
    "either([map])",
    "pair([1, object])",
    "[for v in list : numbers(v)]",
    "[for v in tuple : table(v)]",
    "[for k, v in object : k.x]",
    "{for k, v in map : (k == \"\" ? \"a\" : \"a\") => v}",
    "[for v in tuple : v.hunte]",
    "[for v in tuple : [for w in [1] : numbers(v)]]",
    "\"%{ for v in tuple }${v}%{ endfor }\"",
    "tuple[*].hunte",
    "nested[*].hunte",
    "object.hunte",
    "map[\"hunte\"]",
    "one[keys[0]]",
    "jsondecode(text)",
    "small(number)",
    "sizes(object)",
    "[for v in tuple : small(v)]",
    "[for v in [object] : sizes(v)]",
];

#[test]
fn no_message_shows_what_a_case_hides() {
    let scope = scope();
    for text in CASES {
        let parsed = parse_expression(("e", text));
        let expression = parsed.into_result().expect("an expression");
        let diagnostics = expression.evaluate(&scope).expect_err(text);
        let shown = shown(&diagnostics);
        assert!(!betrays(&shown), "{text} shows\n{shown}");
    }
}

/// Of what is not marked as much is shown as before.
#[test]
fn names_of_what_is_not_marked_are_shown() {
    let scope = scope().with("plain", Value::object([("hunter", Value::from("жцюф"))]));
    let cases = ["table(plain)", "plain.hunte", "[for v in [plain] : table(v)]", "sizes(plain)", "small(731946285)"];
    for text in cases {
        let parsed = parse_expression(("e", text));
        let expression = parsed.into_result().expect("an expression");
        let diagnostics = expression.evaluate(&scope).expect_err(text);
        assert!(betrays(&diagnostics.render()), "{text}: {}", diagnostics.render());
    }
}

#[test]
fn no_message_shows_what_is_marked() {
    let scope = scope();
    let standard = functions::standard();
    let functions: Vec<&str> = standard.names().chain(OWN).collect();
    let (mut random, mut errors) = (Random(7), 0);
    let mut leaks: Vec<String> = Vec::new();
    for _ in 0..10_000 {
        let text = random.expression(&functions, 3);
        let parsed = parse_expression(("e", text.clone()));
        let Ok(expression) = parsed.into_result() else { panic!("not an expression: {text}") };
        if let Err(diagnostics) = expression.evaluate(&scope) {
            errors += 1;
            let shown = shown(&diagnostics);
            if betrays(&shown) {
                let lines = shown.lines().take_while(|line| !line.starts_with("e:"));
                let lines: Vec<_> = lines.filter(|line| betrays(line) || line.contains(" │ ")).take(8).collect();
                leaks.push(lines.join("\n"));
            }
        }
    }
    leaks.sort_by_key(String::len);
    assert!(
        leaks.is_empty(),
        "{} messages show secrets, such as\n{}",
        leaks.len(),
        leaks[..leaks.len().min(12)].join("\n\n")
    );
    assert!(errors > 4_000, "only {errors} expressions were wrong");
}
