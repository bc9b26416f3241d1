//! Marked values are never shown: not in a message, its help, its labels or its JSON, not even in part.
//!
//! Random expressions are evaluated over values that are marked, wholly or in part, and over unmarked values in calls
//! of `sensitive`. The secrets use letters that occur nowhere else, so a single one of them in a message is a leak.
//! `HCL_SECRETS=10000` in the environment tries more expressions, and `HCL_SEED=2` others.

use std::collections::HashMap;

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::{Body, Expression, ParseOptions, Scope, Syntax, functions, parse};

/// The names that the expressions can use.
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
        self.expression_of(functions, &VARIABLES, depth)
    }

    /// An expression of these parts.
    fn expression_of(&mut self, functions: &[&str], leaves: &[&str], depth: usize) -> String {
        let leaf = depth == 0 || self.below(4) == 0;
        if leaf {
            return match self.below(8) {
                0 => self.of(&["0", "\"a\"", "true", "null", "[]", "{}", "\"b\"", "-1", "[1, \"x\"]"]).to_owned(),
                _ => self.of(leaves).to_owned(),
            };
        }
        let choice = self.below(20);
        let part = |random: &mut Random| random.expression_of(functions, leaves, depth - 1);
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

/// The expressions that once leaked a value, or nearly did.
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
        let parsed = parse::<Expression>(("e", text));
        let expression = parsed.into_result().expect("an expression");
        let diagnostics = expression.evaluate(&scope).expect_err(text);
        let shown = shown(&diagnostics);
        assert!(!betrays(&shown), "{text} shows\n{shown}");
    }
}

/// Values without marks are shown as before.
#[test]
fn names_of_what_is_not_marked_are_shown() {
    let scope = scope().with("plain", Value::object([("hunter", Value::from("жцюф"))]));
    let cases = ["table(plain)", "plain.hunte", "[for v in [plain] : table(v)]", "sizes(plain)", "small(731946285)"];
    for text in cases {
        let parsed = parse::<Expression>(("e", text));
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
        let parsed = parse::<Expression>(("e", text.clone()));
        let Ok(expression) = parsed.into_result() else { panic!("not an expression: {text}") };
        let left = expression.simplify(&scope).into_value().to_string();
        // The names of attributes that the expressions ask for are written in them.
        if betrays(&left.replace("hunte", "")) {
            leaks.push(format!("{text} is simplified to {left}"));
        }
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

/// A number from the environment.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Returns values that are unmarked, and that expressions use only within calls that add marks.
fn plain_scope() -> Scope<'static> {
    let json = r#"{"p":"жцюф","n":731946285,"щэъы":["эхо"]}"#;
    let encoded = functions::standard().get("base64encode").expect("a function").call(&[Value::from(json)]);
    let object =
        || Value::object([("щэъы", Value::from("жцюф")), ("a", Value::from(731_946_285)), ("p", "эхо".into())]);
    let definition = "function \"secret\" {\n  params = [p]\n  result = sensitive(p)\n}\n\
                      function \"deep\" {\n  params = [p]\n  result = [sensitive({ a = p })]\n}\n";
    let body = hcl_lr::parse::<hcl_lr::Body>(("functions", definition)).into_result().expect("a body");
    let within = functions::terraform();
    let (own, _) = hcl_lr::user_functions::user_functions(&body, "function", move || {
        std::sync::Arc::new(Scope::new().with_functions(within.clone()))
    })
    .into_result()
    .expect("functions");
    let marks =
        Function::new([Parameter::new("given", Type::Dynamic)], Type::String, |call| match call.argument(0).as_str() {
            Some(text) => Ok(Value::from(text).mark("sensitive")),
            None => Err(format!("{} is not a text", call.argument(0)).into()),
        });
    Scope::new()
        .with("phrase", "жцюф")
        .with("digits", "731946285")
        .with("number", 731_946_285)
        .with("json", json)
        .with("encoded", encoded.expect("a text"))
        .with("object", object())
        .with(
            "map",
            Value::map(
                Type::String,
                [("щэъы", "жцюф"), ("жёлт", "юный")].map(|(name, text)| (name, Value::from(text))),
            )
            .expect("strings"),
        )
        .with("list", Value::list(Type::String, ["жцюф", "эхо"].map(Value::from)).expect("strings"))
        .with("set", Value::set(Type::String, ["жцюф", "эхо"].map(Value::from)).expect("strings"))
        .with("tuple", Value::tuple([Value::from("жцюф"), object()]))
        .with("marked", hidden("жцюф"))
        .with("keys", hidden(object()))
        .with("one", 1)
        .with("word", "plain")
        .with("later", Value::unknown(Type::String))
        .with("open", Value::unknown(Type::Dynamic))
        .with("many", Value::unknown(Type::list(Type::String)))
        .with_functions(functions::terraform().with_all(&own))
        .with_function("marks", marks.marking())
}

/// All outputs of the library for an expression.
fn outputs(expression: &hcl_lr::Expression, scope: &Scope<'_>) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let (left, found) = expression.simplify(scope).into_parts();
    all.push(("simplify", left.to_string()));
    all.push(("Debug of simplify", format!("{left:?}")));
    all.push(("messages of simplify", shown(&found)));
    let (value, found) = expression.evaluate_partially(scope).into_parts();
    all.push(("Display", format!("{value} {value:#}")));
    all.push(("Debug", format!("{value:?} {expression:?} {scope:?}")));
    all.push(("messages", shown(&found)));
    all.push(("JSON", format!("{:?}", hcl_lr::model::json::encode_implied(&value))));
    let converted = [Type::Number, Type::map(Type::Bool), Type::list(Type::Number)].map(|ty| value.convert(&ty).err());
    all.push(("conversion", format!("{converted:?}")));
    all
}

/// Expressions with parts in marked values show nothing: as they are, as a template, and in JSON.
#[test]
fn nothing_shows_what_goes_into_a_marked_value() {
    let scope = plain_scope();
    let functions = functions::terraform();
    let hiding = ["nonsensitive", "sensitive", "templatestring"];
    let functions: Vec<&str> = functions.names().filter(|name| !hiding.contains(name)).collect();
    let plain = ["phrase", "digits", "number", "json", "encoded", "object", "map", "list", "set", "tuple", "later"];
    let decoded = ["jsondecode(json).p", "jsondecode(base64decode(encoded)).n", "jsondecode(json)", "{(phrase) = 1}"];
    let inner_leaves: Vec<&str> = plain.into_iter().chain(decoded).collect();
    let calls = ["sensitive", "secret", "deep", "marks"];
    let (seed, count) = (setting("HCL_SEED", 1), setting("HCL_SECRETS", 1_500));
    let mut random = Random(seed.wrapping_mul(7_919));
    let (mut probes, mut leaks) = (0, Vec::new());
    for _ in 0..count {
        let secrets: Vec<String> = (0..3)
            .map(|_| {
                let depth = random.below(3);
                let inner = random.expression_of(&functions, &inner_leaves, depth);
                format!("{}({inner})", random.of(&calls))
            })
            .collect();
        let mut leaves: Vec<&str> = vec!["later", "open", "many", "one", "word", "marked", "keys"];
        leaves.extend(secrets.iter().map(String::as_str).cycle().take(8));
        let depth = random.below(4);
        let text = random.expression_of(&functions, &leaves, depth);
        let native = parse::<Expression>(("e", text.clone())).into_result().expect("an expression");
        let template = hcl_lr::parse::<hcl_lr::Template>(("t", format!("${{{text}}}-${{word}}"))).into_result();
        let document = serde_free_json(&format!("${{{text}}}${{later}}"));
        let body = ParseOptions::new()
            .with_syntax(Syntax::Json)
            .parse::<Body>(("j", document))
            .into_result()
            .expect("a document");
        let attributes = body.attributes().into_result().expect("an attribute");
        let json = attributes.get("v").expect("it is there").expression().clone();
        for (kind, expression) in
            [("native", Some(native)), ("template", template.ok().map(Expression::from)), ("JSON", Some(json))]
        {
            let Some(expression) = expression else { continue };
            for (output, shown) in outputs(&expression, &scope) {
                probes += 1;
                if betrays(&shown.replace("hunte", "")) {
                    leaks.push(format!("{output} of {kind} {text}:\n{}", excerpt(&shown)));
                }
            }
        }
    }
    println!("{probes} probes of {count} expressions with seed {seed}, {} leaks", leaks.len());
    leaks.sort_by_key(String::len);
    assert!(leaks.is_empty(), "{} leaks, such as\n{}", leaks.len(), leaks[..leaks.len().min(12)].join("\n\n"));
    assert!(probes >= 20 * count, "only {probes} probes");
}

/// A JSON document with one string.
fn serde_free_json(text: &str) -> String {
    format!("{{\"v\": {}}}", hcl_lr::model::json::encode_implied(&Value::from(text)).expect("a string"))
}

/// Returns the lines with a leak.
fn excerpt(shown: &str) -> String {
    let lines: Vec<&str> = shown.lines().filter(|line| betrays(line)).take(4).collect();
    lines.join("\n").chars().take(600).collect()
}

/// Reading into Rust types.
#[test]
fn no_error_of_serde_shows_what_is_marked() {
    use std::collections::BTreeMap;

    fn error<T: serde::de::DeserializeOwned>(text: &str, scope: &Scope<'_>) -> String {
        let read = hcl_lr::typed::Reader::new().with_scope(scope).read_source::<T>(("s", text));
        read.err().map_or_else(String::new, |diagnostics| shown(&diagnostics))
    }
    let scope = plain_scope();
    let values = [
        "marked",
        "keys",
        "sensitive(phrase)",
        "sensitive(map)",
        "deep(object)",
        "marks(phrase)",
        "marks(number)",
        "sensitive(jsondecode(json))",
        "{ a = sensitive(object), b = [marked] }",
        "[for k, v in sensitive(map) : v]",
        "{ for k, v in sensitive(map) : k => v }",
        "\"${sensitive(phrase)}-${word}\"",
        "sensitive(phrase) + 1",
        "sensitive(number + phrase)",
        "sensitive(map).nothing",
    ];
    let mut leaks = Vec::new();
    for value in values {
        let attribute = format!("v = {value}\n");
        let all = [
            error::<BTreeMap<String, u8>>(&attribute, &scope),
            error::<BTreeMap<String, bool>>(&attribute, &scope),
            error::<BTreeMap<String, String>>(&attribute, &scope),
            error::<BTreeMap<String, Vec<u8>>>(&attribute, &scope),
            error::<BTreeMap<String, BTreeMap<String, u8>>>(&attribute, &scope),
            error::<BTreeMap<String, (u8, String)>>(&attribute, &scope),
            error::<BTreeMap<String, Option<char>>>(&attribute, &scope),
            error::<BTreeMap<String, BTreeMap<u8, Vec<bool>>>>(&attribute, &scope),
        ];
        leaks.extend(all.into_iter().filter(|shown| betrays(shown)).map(|shown| format!("{value}: {shown}")));
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

/// Returns secrets in each place of a value that can have text, with or without a mark around it.
fn secrets() -> Vec<Value> {
    let text = || Value::from("жцюф");
    let marked = || hidden("жцюф");
    let object = || Value::object([("щэъы", text()), ("b", Value::from(731_946_285))]);
    let mut all = vec![
        marked(),
        hidden("731946285"),
        hidden(731_946_285),
        hidden(object()),
        hidden(Value::tuple([text(), object()])),
        hidden(Value::map(Type::String, [("щэъы", text())]).expect("strings")),
        hidden(Value::list(Type::String, [text()]).expect("strings")),
        hidden(Value::set(Type::String, [text()]).expect("strings")),
        hidden(Value::null(object().ty())),
        hidden(Value::unknown(object().ty())),
        Value::unknown(Type::String).refine().prefix("жцюф").value().expect("a prefix").mark("sensitive"),
        Value::object([("a", marked()), ("b", Value::from(1))]),
        Value::tuple([hidden(object()), Value::from(1)]),
        Value::list(Type::String, [marked()]).expect("strings"),
        Value::list(object().ty(), [hidden(object())]).expect("objects"),
        Value::map(Type::String, [("k", marked())]).expect("strings"),
        Value::set(Type::String, [marked(), Value::from("b")]).expect("strings"),
    ];
    let nested: Vec<Value> = all.iter().map(|value| Value::tuple([Value::object([("x", value.clone())])])).collect();
    all.extend(nested);
    all
}

/// Messages of all operations of the model and of the front ends show nothing marked.
#[test]
fn no_operation_shows_what_is_marked() {
    use hcl_lr::decode::Spec;
    use hcl_lr::dynamic::expand;
    use hcl_lr::model::convert::{Safety, TypeConversion};
    use hcl_lr::model::unify::unify_values;
    use hcl_lr::model::{CollectionKind, json, operations};

    let (values, mut count, mut leaks) = (secrets(), 0, Vec::new());
    let mut check = |what: &str, value: &Value, shown: String| {
        count += 1;
        if betrays(&shown) {
            leaks.push(format!("{what} of {value}: {shown}"));
        }
    };
    let types = [
        Type::Bool,
        Type::Number,
        Type::list(Type::Number),
        Type::set(Type::Bool),
        Type::map(Type::Number),
        Type::map(Type::list(Type::Number)),
        Type::tuple([Type::Number, Type::Number]),
        Type::tuple([Type::object([("x", Type::Number)])]),
        Type::object([("a", Type::Number), ("b", Type::map(Type::Bool))]),
        Type::list(Type::object([("z", Type::Number)])),
    ];
    for value in &values {
        check("Display", value, format!("{value} {value:#}"));
        check("Debug", value, format!("{value:?} {value:#?}"));
        check("Debug of many", value, format!("{:?} {:?}", vec![value.clone()], Some(value)));
        check("Debug of a spec", value, format!("{:?}", Spec::literal(value.clone())));
        check("Debug of a scope", value, format!("{:?}", Scope::new().with("x", value.clone())));
        for ty in &types {
            if let Err(why) = value.convert(ty) {
                check("convert", value, format!("{why} {why:?} {} {}", why.path(), why.reason()));
            }
            if let Ok(conversion) = TypeConversion::new(&value.ty(), ty, Safety::Unsafe)
                && let Err(why) = conversion.apply(value)
            {
                check("apply", value, format!("{why} {why:?}"));
            }
            if let Err(why) = json::encode(value, ty) {
                check("json::encode", value, format!("{why} {why:?}"));
            }
        }
        if let Err(why) = json::encode_implied(value) {
            check("json::encode_implied", value, format!("{why} {why:?}"));
        }
        check("Vec<u8>", value, format!("{:?}", Vec::<u8>::try_from(value).err()));
        check("u8", value, format!("{:?}", u8::try_from(value).err()));
        check("&str", value, format!("{:?}", <&str>::try_from(value).err()));
        check("bool", value, format!("{:?}", bool::try_from(value).err()));
        check("a map of numbers", value, format!("{:?}", HashMap::<String, u8>::try_from(value).err()));
        check("list_of", value, format!("{:?}", Value::list_of([value.clone(), Value::from(1)]).err()));
        check("list", value, format!("{:?}", Value::list(Type::Number, [value.clone()]).err()));
        check("map", value, format!("{:?}", Value::map(Type::Number, [("k", value.clone())]).err()));
        check("set", value, format!("{:?}", Value::set_of([value.clone()])));
        check("empty", value, format!("{:?}", Value::empty(CollectionKind::List, Type::Number).refine().value()));
        for other in values.iter().chain([&Value::from(1), &Value::from("b")]) {
            for (name, result) in [
                ("add", operations::add(value, other)),
                ("divide", operations::divide(value, other)),
                ("less", operations::less_than(value, other)),
                ("and", operations::and(value, other)),
                ("index", operations::index(value, other)),
                ("equal", Ok(operations::equal(value, other))),
                ("has_index", operations::has_index(value, other)),
                ("negate", operations::negate(value)),
                ("not", operations::not(value)),
                ("length", operations::length(value)),
                ("attribute", operations::attribute(value, "nothing")),
            ] {
                let shown = match result {
                    Ok(value) => format!("{value:?}"),
                    Err(why) => format!("{why} {why:?}"),
                };
                check(name, value, shown);
            }
            let unified = unify_values(&[value.clone(), other.clone()], Safety::Unsafe);
            check("unify_values", value, format!("{unified:?}"));
        }
    }

    // Bodies: attributes, labels and names of properties from a value, and functions of files.
    let body = |text: &str| hcl_lr::parse::<hcl_lr::Body>(("body", text)).into_result().expect("a body");
    let number = |name: &str| Spec::attr(name, Type::Number);
    let specs = [
        ("v = x\n", number("v")),
        ("v = x\n", Spec::attr("v", Type::map(Type::Number))),
        ("v = x\n", Spec::attr("v", Type::list(Type::object([("z", Type::Bool)])))),
        ("b \"${x}\" {\n}\n", Spec::block_map("b", &["name"], number("v"))),
        ("b {\n  v = x\n}\n", Spec::block_attrs("b", Type::Number)),
        ("b {\n  v = x\n}\nb {\n  v = [x, 1]\n}\n", Spec::block_list("b", .., Spec::attr("v", Type::Dynamic))),
        ("b {\n  v = x\n}\nb {\n  v = 1\n}\n", Spec::block_set("b", .., Spec::attr("v", Type::Dynamic))),
        (
            "dynamic \"b\" {\n  for_each = x\n  labels = [b.value]\n  content {\n  }\n}\n",
            Spec::block_map("b", &["name"], number("v")),
        ),
        (
            "dynamic \"b\" {\n  for_each = x\n  labels = [b.key]\n  content {\n  }\n}\n",
            Spec::block_object("b", &["name"], number("v")),
        ),
        (
            "dynamic \"b\" {\n  for_each = x\n  content {\n    v = { a = 1 }[b.value]\n  }\n}\n",
            Spec::block_list("b", .., number("v")),
        ),
        (
            "dynamic \"b\" {\n  for_each = x\n  content {\n    dynamic \"c\" {\n      for_each = { (b.key) = 1 }\n      \
             labels = [c.key]\n      content {\n      }\n    }\n  }\n}\n",
            Spec::block_list("b", .., Spec::block_map("c", &["name"], number("v"))),
        ),
        ("v = f(x)\n", Spec::attr("v", Type::Dynamic)),
        ("v = g(x)\n", Spec::attr("v", Type::Dynamic)),
        ("v = upper(f(x))\n", number("v")),
        ("v = own(x)\n", number("v")),
    ];
    let defined = body(
        "function \"f\" {\n  params = [p]\n  result = { a = 1 }[p]\n}\n\
         function \"g\" {\n  params = [p]\n  result = [for q in p: [1][q]]\n}\n",
    );
    let (own, _rest) = hcl_lr::user_functions::user_functions(&defined, "function", Default::default)
        .into_result()
        .expect("functions");
    let says = Function::new([Parameter::new("given", Type::Dynamic)], Type::Number, |call| {
        Err::<Value, _>(format!("{} will not do", call.argument(0)).into())
    });
    for value in &values {
        let scope = Scope::new()
            .with("x", value.clone())
            .with_functions(functions::standard().with_all(&own))
            .with_function("own", says.clone());
        for (text, spec) in &specs {
            for dynamic in [false, true] {
                let parsed = match hcl_lr::parse::<hcl_lr::Body>(("body", *text)).into_result() {
                    Ok(parsed) if dynamic => expand(parsed, &scope),
                    Ok(parsed) => parsed,
                    Err(_) => continue,
                };
                let (decoded, diagnostics) = spec.decode(&parsed, &scope).into_parts();
                check(text, value, shown(&diagnostics));
                check(text, value, format!("{decoded:?} {decoded}"));
            }
        }
        for text in [
            "{\"v\": {\"${x}\": 1, \"${x}\": 2}}",
            "{\"v\": {\"a${x}\": 1, \"a${x}\": 2}}",
            "{\"v\": \"${x[0].b.c}${x}\"}",
            "{\"v\": {\"${[x]}\": 1}}",
        ] {
            let parsed = ParseOptions::new()
                .with_syntax(Syntax::Json)
                .parse::<Body>(("json", text))
                .into_result()
                .expect("a document");
            let (decoded, diagnostics) = Spec::attr("v", Type::Number).decode(&parsed, &scope).into_parts();
            check(text, value, shown(&diagnostics));
            check(text, value, format!("{decoded:?} {decoded}"));
        }
    }
    assert!(
        leaks.is_empty(),
        "{} of {count} are leaks, such as\n{}",
        leaks.len(),
        leaks[..leaks.len().min(25)].join("\n")
    );
    println!("{count} cases, no leaks");
    assert!(count > 15_000, "only {count} cases");
}
