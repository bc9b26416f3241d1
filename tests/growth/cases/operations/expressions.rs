//! Expressions: evaluated, simplified, and read without evaluation.

use hcl_lr::body::BodySchema;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Body, Expression, Limits, ParseOptions, Scope, functions, parse};

use super::{Case, DEEP, WIDE, doubled, list, object, wide};

fn options() -> ParseOptions {
    ParseOptions::new().max_nesting(100_000)
}

fn expression(text: String) -> Expression {
    options().parse::<Expression>(("growth", text)).into_result().expect("no errors")
}

/// The same text as the value of an attribute in a JSON file.
fn in_json(text: &str) -> Expression {
    let body: Body = parse::<Body>(("a.json", format!("{{\"a\": {text}}}"))).into_result().expect("no errors");
    let attributes = body.attributes().into_result().expect("attributes");
    attributes.iter().next().expect("one").expression().clone()
}

fn scope() -> Scope<'static> {
    Scope::new()
        .with("t", true)
        .with("n", 1)
        .with("s", "text")
        .with("l", Value::list(Type::Number, [Value::from(1)]).expect("numbers"))
        .with("u", Value::unknown(Type::Dynamic))
        .with("m", Value::from(1).mark("m"))
        .with_functions(functions::standard())
        .with_limits(Limits::none())
}

/// The texts with many parts side by side: before, each, after.
const WIDE_TEXTS: [[&str; 3]; 14] = [
    ["[", "n, ", "]"],
    ["[", "{ a = n, b = \"${s}\" }, ", "]"],
    ["{", "(\"${n}\") = u, ", "}"],
    ["\"", "${n}-", "\""],
    ["\"", "%{ if t }${s}%{ else }x%{ endif }", "\""],
    ["\"", "%{ for x in l }${x}%{ endfor }", "\""],
    ["n", " + n", ""],
    ["t", " && t", ""],
    ["coalesce(", "u, ", "n)"],
    ["[", "l[0], l[*], upper(s), t ? n : s, ", "]"],
    ["[", "[for x in l: x if x > 0], ", "]"],
    ["[", "try(nothing, n), ", "]"],
    ["[", "m, ", "]"],
    ["[", "u, ", "]"],
];

/// The texts that nest: before each level, in the middle, after each level.
const DEEP_TEXTS: [[&str; 3]; 13] = [
    ["[", "n", "]"],
    ["{ a = ", "n", " }"],
    ["(", "n", ")"],
    ["-", "n", ""],
    ["\"${", "s", "}\""],
    ["t ? ", "n", " : n"],
    ["upper(", "s", ")"],
    ["[for x in l: ", "x", "]"],
    ["1 + (", "n", ")"],
    ["[u, ", "n", "]"],
    ["[m, ", "n", "]"],
    ["\"%{ if t }${", "s", "}%{ endif }\""],
    ["\"${u}%{ for x in l }${", "u", "}%{ endfor }\""],
];

fn on_expressions(operation: &'static str, work: impl Fn(Expression) + Clone + 'static) -> Vec<Case> {
    let mut cases = Vec::new();
    for [before, each, after] in WIDE_TEXTS {
        let text = move |n: usize| expression(format!("{before}{}{after}", each.repeat(n)));
        cases.push(case!(operation: &format!("{before}{each}…{after}"), WIDE, text => work.clone()));
    }
    for [before, inner, after] in DEEP_TEXTS {
        let text = move |n: usize| {
            // Templates in quotes are read level by level, and so are fewer.
            expression(format!("{}{inner}{}", before.repeat(n), after.repeat(n)))
        };
        cases.push(case!(operation: &format!("{before}…{inner}…{after}"), DEEP / 2, text => work.clone()));
    }
    cases
}

/// Directives right within directives, with text that changes in the middle.
fn directives(levels: usize, before: &str, inner: &str, after: &str) -> Expression {
    expression(format!("\"${{n}}${{u}}{}{inner}{}\"", before.repeat(levels), after.repeat(levels)))
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(on_expressions("eval/mod evaluate", |expression| drop(expression.evaluate_partially(&scope()))));
    cases.extend(on_expressions("eval/variables variables", |expression| drop(expression.variables())));
    let simplified = |one: Expression| {
        let known = Scope::new().with("n", 1).with("t", true).with_functions(functions::standard());
        drop(one.simplify(&known.with_limits(Limits::none())));
    };
    cases.extend(on_expressions("eval/simplify/mod simplify", simplified));
    let tuple = |n: usize| expression(format!("[{}]", "a.b, ".repeat(n)));
    let map = |n: usize| expression(format!("{{{}}}", (0..n).map(|at| format!("k{at} = a.b, ")).collect::<String>()));
    let call = |n: usize| expression(format!("f({}a)", "a.b, ".repeat(n)));
    let path = |n: usize| expression(format!("a{}", ".b[0][\"c\"]".repeat(n)));
    let json_list = |n: usize| in_json(&format!("[{}1]", "\"${a.b}\", ".repeat(n)));
    let json_object = |n: usize| {
        in_json(&format!("{{{}\"z\": 1}}", (0..n).map(|at| format!("\"k{at}\": \"${{n}}\", ")).collect::<String>()))
    };
    let json_deep = |n: usize| in_json(&format!("{}\"${{n}}\"{}", "[".repeat(n), "]".repeat(n)));
    cases.extend([
        case!("eval/analysis static_list": "many", WIDE, tuple => |expression| expression.static_list()),
        case!("eval/analysis static_list": "many in JSON", WIDE, json_list => |expression| expression.static_list()),
        case!("eval/analysis static_map": "many", WIDE, map => |expression| expression.static_map()),
        case!("eval/analysis static_map": "many in JSON", WIDE, json_object => |expression| expression.static_map()),
        case!("eval/analysis static_call": "many", WIDE, call =>
            |expression| expression.static_call().map(|call| call.arguments().len())),
        case!("eval/analysis static_traversal": "a long one", WIDE, path => |expression| expression.static_traversal()),
        case!("eval/variables variables": "a long path", WIDE, path => |expression| expression.variables()),
        case!("body/json_expression evaluate": "a list", WIDE, json_list => |expression| expression.evaluate_partially(&scope())),
        case!("body/json_expression evaluate": "an object", WIDE, json_object =>
            |expression| expression.evaluate_partially(&scope())),
        case!("body/json_expression evaluate": "deep", DEEP, json_deep => |expression| expression.evaluate_partially(&scope())),
        case!("body/json_expression variables": "a list", WIDE, json_list => |expression| expression.variables()),
        case!("body/json_expression variables": "an object", WIDE, json_object => |expression| expression.variables()),
        case!("body/json_expression variables": "deep", DEEP, json_deep => |expression| expression.variables()),
        case!("eval/simplify/mod simplify": "conditions right within each other", DEEP / 2,
            |n| directives(n, "%{ if u }$${", "${n}", "%{ else }${t}%{ endif }") =>
            simplified),
        case!("eval/simplify/mod simplify": "conditions right within each other that fail", DEEP / 2,
            |n| directives(n, "%{ if t }", "${null}", "%{ endif }") =>
            simplified),
        case!("eval/simplify/mod simplify": "loops right within each other", DEEP / 2,
            |n| directives(n, "%{ for x in u }", "${n}", "%{ endfor }") =>
            simplified),
        case!("body/json_expression simplify": "an object", WIDE, json_object =>
            |expression| expression.simplify(&Scope::new().with("n", 1))),
        case!("eval/traversal evaluate": "a long one", DEEP,
            |n| {
                let value = (0..n).fold(Value::from(1), |value, _| Value::object([("b", value)]));
                let path =
                    hcl_lr::parse::<hcl_lr::Traversal>(format!("a{}", ".b".repeat(n))).into_result().expect("a path");
                (path, value)
            } => |(path, value)| path.evaluate(&Scope::new().with("a", value))),
        case!("syntax/traversal parse": "a long one", WIDE, |n| format!("a{}", ".b[0]".repeat(n)) =>
            hcl_lr::parse::<hcl_lr::Traversal>),
        case!("eval/scope with": "many", WIDE, |n| n =>
            |n| (0..n).fold(Scope::new(), |scope, at| scope.with(format!("v{at}"), at))),
        case!("eval/scope variable_names": "many", WIDE,
            |n| (0..n).fold(Scope::new(), |scope, at| scope.with(format!("v{at}"), at)) =>
            |scope| (scope.variable_names().len(), scope.function_names().len())),
        case!("eval/scope to_owned_scope": "many", WIDE,
            |n| (0..n).fold(Scope::new(), |scope, at| scope.with(format!("v{at}"), at)) =>
            |scope| scope.to_owned_scope()),
        case!("eval/function/mod with_all": "many", WIDE, |n| n => |n| {
            let double = functions::standard().get("abs").expect("it is there").clone();
            let all = (0..n)
                .fold(hcl_lr::eval::Functions::default(), |all, at| all.with(format!("f{at}"), double.clone()));
            (all.clone().with_namespace("own", &all), all.clone().with_all(&all), all.names().count())
        }),
    ]);
    cases.extend([
        case!("body/expression keyword": "a long path", WIDE, |n| expression(format!("a{}", ".b".repeat(n))) =>
            |written| (0..8).filter(|_| written.keyword().is_some()).count()),
        case!("body/expression keyword": "a long path in JSON", WIDE,
            |n| in_json(&format!("\"a{}\"", ".b".repeat(n))) =>
            |written| (0..8).filter(|_| written.keyword().is_some()).count()),
        case!("body/json_expression in_string": "a long call", WIDE,
            |n| in_json(&format!("\"f({})\"", "a, ".repeat(n))) =>
            |written| written.static_call().map(|call| call.arguments().len())),
        case!("body/expression start_place": "a long operation", WIDE,
            |n| expression(format!("n{}", " + n".repeat(n))) =>
            |written| written.start_place()),
        case!("body/schema attribute": "each of many", WIDE,
            |n| (n, (0..n).fold(BodySchema::new(), |schema, at| schema.optional(format!("a{at}")))) =>
            |(n, schema)| (0..n).filter(|at| schema.attribute(&format!("a{at}")).is_some()).count()),
    ]);
    // Expressions over values from outside.
    let over: [(&str, &str); 12] = [
        ("v[*].name", "wide"),
        ("[for x in v: x]", "wide"),
        ("{ for i, x in v: \"${i}\" => x.port }", "wide"),
        ("{ for x in v: \"k\" => x... }", "wide"),
        ("\"%{ for x in v }${x.name}%{ endfor }\"", "wide"),
        ("v == v2", "wide"),
        ("t ? v : v2", "wide"),
        ("v[*].name", "list"),
        ("t ? v : v2", "list"),
        ("{ for k, x in v: k => x }", "object"),
        ("t ? v : v2", "object"),
        ("v == v2", "doubled"),
    ];
    for (text, kind) in over {
        let (make, size): (fn(usize) -> Value, usize) = match kind {
            "wide" => (wide, WIDE),
            "list" => (list, WIDE),
            "object" => (object, WIDE),
            _ => (doubled, super::DOUBLED),
        };
        let shape = format!("{text} of {kind}");
        cases.push(case!("eval/mod evaluate": &shape, size, move |n| (make(n), make(n)) =>
            move |(a, b)| expression(text.to_owned()).evaluate(&scope().with("v", a).with("v2", b))));
    }
    cases
}
