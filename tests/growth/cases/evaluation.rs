//! Expressions over many elements, large expressions, and levels that must not do the work of the next
//! one twice.

use hcl_lr::eval::{Function, Parameter};
use hcl_lr::model::{Mark, Type, Value};
use hcl_lr::{Expression, ParseOptions, Scope, functions, parse};

use super::Case;

/// Standard functions, and some that evaluate expressions themselves or give back what they get.
fn scope() -> Scope<'static> {
    let any = || [Parameter::new("value", Type::Dynamic).allow_null().allow_dynamic().allow_unknown()];
    let same = Function::typed(any(), None, |call| Ok(call.argument(0).ty()), |call| Ok(call.argument(0).clone()));
    let lazy = Function::lazy(any(), None, |call| {
        let (expression, scope) = (call.argument(0).expression(), call.argument(0).scope());
        match expression.zip(scope) {
            Some((expression, scope)) => Ok(expression.evaluate(scope)?),
            None => Ok(call.argument(0).evaluate()?),
        }
    });
    Scope::new()
        .with("n", 1)
        .with("t", true)
        .with("f", false)
        .with("s", "text")
        .with("one", vec![1])
        .with("list", Value::list(Type::Number, [Value::from(1)]).expect("numbers"))
        .with("empty", Value::list(Type::Number, []).expect("no numbers"))
        .with("unknown", Value::unknown(Type::list(Type::Number)))
        .with("maybe", Value::unknown(Type::Bool))
        .with_functions(functions::standard())
        .with_function("same", same)
        .with_function("lazy", lazy)
}

fn parsed(text: &str) -> Expression {
    parse::<Expression>(("growth", text)).into_result().expect("no errors")
}

fn evaluate(expression: Expression, scope: Scope<'static>) -> impl FnOnce() {
    move || {
        let evaluation = expression.evaluate_partially(&scope);
        drop(evaluation.diagnostics().render().to_string());
    }
}

pub fn loops() -> Vec<Case> {
    let mut cases = Vec::new();
    for expression in [
        "[for x in numbers: x + 1 if x != 5]",
        "{ for x in numbers: \"key ${x}\" => x }",
        "{ for i, x in numbers: x => i }",
        "{ for x in numbers: \"key ${x % 10}\" => x... }",
        "\"%{ for i, x in numbers }${x}, %{ endfor }\"",
        "numbers[*]",
        "[for x in numbers: { id = x, name = \"n\" }][*].id",
        "[for x in numbers: [x]]",
        "concat(numbers, numbers, [1])",
        "length(concat([for x in numbers: x]...))",
        "[for x in numbers: try(x.nothing, x)]",
        "[for x in numbers: x.nothing]",
        "[for x in numbers: nothing]",
        "[for x in numbers: x if x.nothing]",
        "{ for x in numbers: \"same\" => x }",
        "{ for x in numbers: x.nothing => x }",
        "numbers[*].nothing",
        "\"%{ for x in numbers }${x.nothing}%{ endfor }\"",
        "[for x in numbers: upper([x])]",
        "[for x in numbers: t ? x : x.nothing]",
        "[for x in numbers: f ? x : s.nothing]",
    ] {
        // A thousand errors are kept; for as many that is more work than for the others.
        cases.push(Case::new(expression, 4_000, move |size| {
            let numbers = Value::list(Type::Number, (0..size).map(Value::from)).expect("numbers");
            evaluate(parsed(expression), scope().with("numbers", numbers))
        }));
    }
    for expression in [
        "[for x in items: x + 1]",
        "{ for x in items: \"key ${x}\" => x }",
        "\"%{ for x in items }${x}%{ endfor }\"",
        "[for x in items: x if x > 3]",
        "items[*]",
    ] {
        cases.push(Case::new(format!("{expression} of marked ones"), 1_000, move |size| {
            let items = (0..size).map(|number| Value::from(number).mark(Mark::new(&format!("mark {number}"))));
            evaluate(parsed(expression), scope().with("items", Value::tuple(items)))
        }));
    }
    cases
}

pub fn large() -> Vec<Case> {
    let mut cases = vec![Case::new("a body of many attributes", 1_000, |size| {
        let text: String = (0..size).map(|number| format!("attribute_{number} = n + {number}\n")).collect();
        let file = hcl_lr::parse::<hcl_lr::File>(text).into_result().expect("no errors");
        move || drop(file.body().evaluate_attributes(&scope()))
    })];
    for (open, part, close) in [
        ("{ ", "a_NUMBER = 1, ", "}"),
        ("{ ", "(\"z${NUMBER}\") = 1, ", "}"),
        ("[", "NUMBER, ", "]"),
        ("\"", "a ${n} NUMBER", "\""),
        ("\"", "%{ if t }a%{ endif }${NUMBER}", "\""),
        ("same([for x in [", "NUMBER,", "]: x])"),
        ("try(", "nothing_NUMBER, ", "n)"),
        ("try(", "nothing_NUMBER, ", "nothing)"),
        ("concat(", "[NUMBER], ", "[])"),
        ("[", "nothing_NUMBER, ", "1]"),
        ("\"", "${nothing}", "\""),
        ("1", " + NUMBER", ""),
        ("n", " == 1 == t && NUMBER", ""),
        ("same(one)", "[*][0]", ""),
    ] {
        cases.push(Case::new(format!("{open}{part}{close}"), 900, move |size| {
            let parts: String = (0..size).map(|number| part.replace("NUMBER", &number.to_string())).collect();
            let options = ParseOptions::new().max_nesting(10_000);
            let source = ("growth", format!("{open}{parts}{close}"));
            evaluate(options.parse::<Expression>(source).into_result().expect("no errors"), scope())
        }));
    }
    cases.push(Case::new("many variables, each of them used", 1_000, |size| {
        let mut scope = Scope::new();
        (0..size).for_each(|number| scope.set(format!("variable_{number}"), number));
        let sum: Vec<String> = (0..size).map(|number| format!("variable_{number}")).collect();
        evaluate(parsed(&sum.join(" + ")), scope)
    }));
    cases.push(Case::new("many variables, and many others that are not there", 2_500, |size| {
        let mut scope = scope();
        (0..size).for_each(|number| scope.set(format!("variable_{number}"), number));
        let list: Vec<String> = (0..size).map(|number| format!("try(variabel_{number}, 1)")).collect();
        evaluate(parsed(&format!("[{}]", list.join(", "))), scope)
    }));
    for expression in [
        "{ for k, v in object: upper(k) => v + 1 }",
        "[for x in numbers: object[\"key_${x}\"]]",
        "[for x in numbers: try(object.nothing, x)]",
        "object == same(object)",
        "object == { a = 1 }",
        "t ? object : object",
    ] {
        cases.push(Case::new(format!("{expression} of many keys"), 2_500, move |size| {
            let object = Value::object((0..size).map(|number| (format!("key_{number}"), Value::from(number))));
            let numbers = Value::tuple((0..size).map(Value::from));
            let work = evaluate(parsed(expression), scope().with("object", object.clone()).with("numbers", numbers));
            // Some take the same for all sizes: looking at each key once makes them grow.
            move || {
                work();
                let again = object.entries().into_iter().flatten();
                assert_eq!(object, Value::object(again.map(|(name, value)| (name, value.clone()))));
            }
        }));
    }
    cases
}

/// Long texts, of what may combine with its neighbours too: that is the hardest for normalization and
/// for prefixes.
pub fn texts() -> Vec<Case> {
    let mut cases = Vec::new();
    for piece in ["a", "e\u{301}", "\u{301}", "$"] {
        for expression in [
            "\"${big}${big}\"",
            "\"${big}${open}\"",
            "upper(lower(big))",
            "big != more ? big : more",
            "{ (big) = 1, (more) = 2 }[big]",
            "{ for x in [big, more]: x => x }",
            "concat([big], [more])",
            "maybe ? big : more",
        ] {
            cases.push(Case::new(format!("{expression} of {piece:?}"), 5_000, move |size| {
                let text = piece.repeat(size);
                let scope = scope().with("big", text.as_str()).with("more", format!("{text}!"));
                let work = evaluate(parsed(expression), scope.with("open", Value::unknown(Type::String)));
                // Some only pass it on: reading it once makes them grow.
                move || {
                    work();
                    drop(Value::from(text));
                }
            }));
        }
    }
    cases
}

/// Loops in loops, of which only the last element of each goes on to the next one.
pub fn loops_in_loops() -> impl FnOnce() {
    let numbers = Value::tuple((0..1_000).map(Value::from));
    let text = "[for a in numbers: [for b in numbers: [for c in numbers: c if c > a] if b > 998] if a > 998]";
    evaluate(parsed(text), Scope::new().with("numbers", numbers))
}

/// Expressions that nest, a given number of levels deep.
pub fn levels() -> Vec<Case> {
    let nests = [
        ("[for x in list: x if length(", "list", ") == 1 && t]"),
        ("[for x in list: x if length(try(", "list", ")) > 0]"),
        ("[for x in list: x if length(lazy(", "list", ")) > 0]"),
        ("[for x in list: x if can(", "nothing", ")]"),
        ("{ for x in list: \"k\" => x if length(", "list", ") == 1 }"),
        ("[for x in unknown: x if length(", "list", ") == 1]"),
        ("[for x in empty: x if length(", "nothing", ") == 1]"),
        ("[for x in [", "nothing", "]: x]"),
        ("[", "nothing", "][*].a"),
        ("same([", "nothing", "][*].a)"),
        ("[for y in list: list[*][", "0", "]][0]"),
        ("list[*][0 * length([", "n", "])]"),
        ("try(list[*][length([", "n", "])], 0)"),
        ("maybe ? [", "n", "] : [s, s]"),
        ("maybe ? { a = ", "n", " } : { b = s }"),
        ("t ? [", "n", ", n] : [[s]]"),
        ("t ? {a = ", "n", ", b = n} : {a = [], c = {}}"),
        ("t ? [[", "n", "], list] : list"),
        ("try(t ? [", "n", "] : {}, [n])"),
        ("upper(\"a%{ if t }${", "s", "}%{ endif }\")"),
    ];
    let case = |(open, inner, close): (&'static str, &'static str, &'static str)| {
        Case::new(format!("{open}{inner}{close}"), 5, move |levels| {
            evaluate(parsed(&format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))), scope())
        })
    };
    nests.into_iter().map(case).collect()
}
