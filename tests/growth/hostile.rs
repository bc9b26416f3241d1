//! Configurations that ask for unbounded work. Each ends by a limit, before more work is done and more
//! memory is asked for than the limits allow; or it ends of itself, since there is less to do than it seems.

use std::sync::{Arc, OnceLock};

use hcl_lr::decode::Spec;
use hcl_lr::dynamic::expand;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::model::{Type, Value};
use hcl_lr::type_expr::type_constraint;
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Diagnostics, Scope, functions, parse_body, parse_expression, parse_json_body};

use crate::count::Turn;

/// Less of both without optimization, where each step takes ten times as long.
const STEPS: u64 = if cfg!(debug_assertions) { 250_000 } else { 10_000_000 };
const BYTES: u64 = if cfg!(debug_assertions) { 6 << 20 } else { 256 << 20 };

/// What is counted here is counted in smaller steps than those of the limits: tokens, bytes, comparisons
/// of types. Nothing hidden is in a step of the limits if there are no more than a few of these for each.
const WORK_PER_STEP: u64 = 12;

/// The most that is allocated, all in all, with what is freed again: what is counted is what values take,
/// and most of them are put together in another place.
const ALLOCATED: u64 = 5 * BYTES / 2;

/// An expression that does something so many times, each time with what came out the time before, which it
/// calls `x`.
fn again(times: usize, start: &str, step: &str, end: &str) -> String {
    let mut text = format!("[for x in [{start}]: ");
    for _ in 0..times {
        text += &format!("[for x in [{step}]: ");
    }
    text + end + &"][0]".repeat(times + 1)
}

fn scope() -> Scope<'static> {
    Scope::new()
        .with("n", 1_000)
        .with("t", true)
        .with("s", "x".repeat(1_000))
        .with("l", vec![1; 1_000])
        .with("m", Value::map(Type::Number, (0..1_000).map(|n| (format!("k{n}"), Value::from(n)))).expect("a map"))
        .with_functions(functions::terraform().with_all(&functions::extended()))
}

fn within(scope: Scope<'static>) -> (Scope<'static>, Meter) {
    let meter = Meter::new(Limits::new().max_steps(STEPS).max_bytes(BYTES));
    (scope.with_meter(&meter), meter)
}

/// How something ended: by a limit, or of itself.
type Ended = Result<bool, String>;

/// Does the work and checks that it was ended in time.
fn ends(
    turn: &Turn,
    name: &str,
    scope: Scope<'static>,
    work: impl FnOnce(&Scope<'_>) -> Result<(), Diagnostics>,
) -> Ended {
    let (scope, meter) = within(scope);
    let before = hcl_lr::work::steps();
    let mut result = Ok(());
    let allocated = turn.allocated(|| result = work(&scope)).bytes_allocated as u64;
    let work = hcl_lr::work::steps() - before;
    let name: String = name.chars().take(90).collect();
    let (steps, bytes) = (meter.steps(), meter.bytes());
    println!("{steps:9} steps {work:10} of work {bytes:10} bytes {allocated:10} allocated: {name}");
    let problem = match result {
        _ if steps > STEPS || bytes > BYTES => "more is counted than allowed".to_owned(),
        _ if work > WORK_PER_STEP * STEPS => format!("{work} steps of work"),
        _ if allocated > ALLOCATED => format!("{allocated} bytes are allocated"),
        Ok(()) if meter.exceeded().is_none() => return Ok(false),
        Ok(()) => "a limit is exceeded, and nothing says so".to_owned(),
        Err(errors) => {
            let limits = errors.iter().filter(|error| error.code().as_str() == "limit-exceeded").count();
            let shown = errors.to_string();
            match (limits, meter.exceeded()) {
                // Something else is wrong with it, which is found soon.
                (0, None) => return Ok(false),
                (1, Some(_)) if errors.len() > 1 || shown.len() < 1_000 => return Ok(true),
                _ => shown.chars().take(300).collect(),
            }
        }
    };
    Err(format!("{name}: {problem} ({:?})", meter.exceeded()))
}

fn evaluated(turn: &Turn, text: &str) -> Ended {
    let expression = parse_expression(("hostile", text)).into_result().expect("an expression");
    ends(turn, text, scope(), |scope| expression.evaluate(scope).map(drop))
}

/// Says what is wrong with all, and how many were ended.
#[track_caller]
fn check(ended: Vec<Ended>) -> usize {
    let wrong: Vec<&str> = ended.iter().filter_map(|ended| ended.as_ref().err().map(String::as_str)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = ended.iter().filter(|ended| **ended == Ok(true)).count();
    println!("{count} of {} were ended", ended.len());
    count
}

#[test]
fn what_grows_without_end() {
    // What else is done here would count for other tests.
    let turn = Turn::take();
    let texts = [
        // Texts.
        again(40, "\"xx\"", "\"${x}${x}\"", "x"),
        again(40, "\"xx\"", "join(\"\", [x, x])", "x"),
        again(40, "\"xx\"", "format(\"%s%s\", x, x)", "x"),
        again(40, "\"xx\"", "replace(x, \"x\", \"xx\")", "x"),
        again(12, "\"xx\"", "replace(x, \"\", x)", "x"),
        again(12, "\"xx\"", "regexreplace(x, \"x\", \"$0$0$0$0$0$0$0$0$0\")", "x"),
        again(40, "\"xx\"", "jsonencode(x)", "x"),
        again(40, "\"xx\"", "jsonencode([x, x])", "x"),
        again(40, "\"x\\nx\"", "indent(1000, \"${x}${x}\")", "x"),
        "format(\"%1000000000d\", 1)".into(),
        "format(\"%.1000000000f\", 1)".into(),
        "[for a in l: [for b in l: format(\"%100000d\", 1)]]".into(),
        "\"%{ for a in l }%{ for b in l }%{ for c in l }xxxx%{ endfor }%{ endfor }%{ endfor }\"".into(),
        "[for a in l: \"%{ for b in l }${s}%{ endfor }\"]".into(),
        "[for a in l: upper(join(s, [for b in l: \"x\"]))]".into(),
        "indent(1000000000, \"a\\nb\")".into(),
        // Lists and objects.
        again(40, "[1]", "concat(x, x)", "x"),
        again(40, "[1]", "flatten([x, x])", "x"),
        again(8, "[for a in l: a]", "setproduct(x, x)", "x"),
        "setproduct(l, l, l, l, l, l, l, l)".into(),
        "[for a in l: [for b in l: [for c in l: [a, b, c]]]]".into(),
        "[for a in l: [for b in l: [for c in l: null if false]]]".into(),
        "{ for a in l: \"k\" => [for b in l: [for c in l: c]]... }".into(),
        "{ for a, v in l: a => { for b, v in l: b => { for c, v in l: c => v } } }".into(),
        "[for a in l: [for b in l: merge(m, m)]]".into(),
        "[for a in l: [for b in l: keys(m)]]".into(),
        "[for a in l: [for b in l: [for c in l: distinct(l)]]]".into(),
        "[for a in l: [for b in l: sort([for c in l: \"${c}\"])]]".into(),
        "[for a in l: l[*]][*][*]".into(),
        // What is shared, and would be much if it were not.
        again(60, "[1]", "[x, x]", "jsonencode(x)"),
        again(60, "[1]", "[x, x]", "x == [x]"),
        again(60, "[1]", "[x, x]", "flatten(x)"),
        again(60, "[1]", "[x, x]", "distinct([x, x])"),
        again(60, "[1]", "{ a = x, b = x }", "yamlencode(x)"),
        again(60, "[1]", "[x, x]", "toset([x, x])"),
        again(60, "[1]", "[x, x]", "format(\"%v\", x)"),
        again(60, "1", "[x, x]", "convert(x, list(any))"),
        again(24, "1", "[x, x]", "convert([x, x], list(list(list(list(list(list(any)))))))"),
        again(60, "\"1\"", "[x, x]", "sum([for y in x: length(jsonencode(y))])"),
        again(60, "[1]", "[x, x]", "contains([x, [x]], [[x]])"),
        again(60, "1", "tolist([x, x])", "convert(x, any)"),
        // Attempts.
        again(40, "\"xx\"", "try(\"${x}${x}\", x)", "x"),
        again(40, "\"xx\"", "can(\"${x}${x}${x}${x}\") ? \"${x}${x}\" : \"\"", "x"),
        "try([for a in l: [for b in l: [for c in l: c]]], \"caught\")".into(),
        "can([for a in l: [for b in l: [for c in l: c]]])".into(),
        "[for a in l: [for b in l: [for c in l: try(a.b, b.c, c.d, nothing, [1].a, {}.b, 1)]]]".into(),
        "[for a in l: [for b in l: [for c in l: a.nothing]]]".into(),
        "t || try([for a in l: [for b in l: [for c in l: c]]], true)".into(),
        "t ? 1 : length([for a in l: [for b in l: [for c in l: c]]])".into(),
        // Numbers.
        again(60, "12345678901234567891", "x * x", "x > 1"),
        "[for a in l: [for b in l: 1e19000 / 7 * b]]".into(),
        "[for a in l: [for b in l: \"${1e19000 + 1e-19000}\"]]".into(),
        "[for a in l: [for b in l: range(1000)]]".into(),
        "[for a in l: [for b in l: (1e19999 + 1) % 7]]".into(),
        "[for a in l: [for b in l: tonumber(\"${1e19999 + b}\")]]".into(),
        "[for a in l: parseint(join(\"\", [for b in range(1000): s]), 36)]".into(),
        // Expressions and formats within texts.
        "[for a in l: [for b in l: regexall(\"(x*)*y\", s)]]".into(),
        "[for a in l: regex(\"((x{30}){30}){1}y|x\", s)]".into(),
        "[for a in l: [for b in l: jsondecode(\"[[[[[[[[[[]]]]]]]]]]\")]]".into(),
        "[for a in l: csvdecode(join(\"\\n\", [for b in [\"a\", 1, 2]: \"${b},z${b}\"]))]".into(),
        "[for a in l: [for b in l: templatestring(\"$${x}\", { x = b })]]".into(),
        "[for a in l: [for b in l: split(\"\", s)]]".into(),
        "[for a in l: [for b in l: base64encode(s)]]".into(),
        "[for a in l: [for b in l: sha512(s)]]".into(),
        "[for a in l: [for b in l: strrev(s)]]".into(),
    ];
    // Some are less than they seem: what does not look into shared values, and where the other result of a
    // conditional does not count.
    assert!(check(texts.iter().map(|text| evaluated(&turn, text)).collect()) >= 55);
}

/// Unification and conversion look at types again and again.
#[test]
fn conversions_of_what_nests() {
    // What else is done here would count for other tests.
    let turn = Turn::take();
    let mut texts = vec![
        again(24, "convert([], list(any))", "can(convert([[[1, x], x], x], list(any))) ? [x] : []", "1"),
        again(200, "[s]", "t ? [[x]] : [x]", "1"),
        again(24, "[1]", "t ? [x, [x]] : [[x], x]", "1"),
        again(24, "{}", "t ? { a = { a = 1, b = x }, b = x } : { a = x, c = x }", "1"),
        again(60, "1", "[x, [x]]", "t ? x : [x]"),
        again(60, "1", "[x, [x]]", "coalesce(x, [x], [[x]])"),
        again(60, "[1]", "[x, tolist([])]", "tolist([x, [x], [[x]]])"),
    ];
    for levels in [10, 20, 40, 80, 160] {
        let nest =
            |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
        texts.push(format!("t ? {} : m", nest("{ a = { a = 1, b = m }, b = ", "m", " }")));
        texts.push(format!("coalesce({}, m)", nest("{ a = { a = 1, b = m }, b = ", "m", " }")));
        texts.push(nest("[for q in [convert([[[1, l], l], l], list(any))]: can(", "1", ")]"));
        texts.push(format!("convert({}, list(any))", nest("[[[1, l], l], ", "l", "]")));
        texts.push(format!("convert({}, map(any))", nest("{ a = [1, l], b = ", "l", " }")));
    }
    check(texts.iter().map(|text| evaluated(&turn, text)).collect());
}

/// Functions of files may see themselves.
#[test]
fn functions_that_call_themselves() {
    // What else is done here would count for other tests.
    let turn = Turn::take();
    static WITHIN: OnceLock<Arc<Scope<'static>>> = OnceLock::new();
    let text = r#"
function "twice" {
  params = [x]
  result = [twice(x), twice(x)]
}
function "longer" {
  params = [x]
  result = longer("${x}${x}")
}
function "tries" {
  params = [x]
  result = try(tries(x).a, tries(x).b, tries(x).c)
}
function "loops" {
  params = [x]
  result = [for y in [1, 2, 3]: loops([x, y])]
}
function "asks" {
  params = [x]
  result = can(asks(x)) ? asks(x) : asks([x])
}
"#;
    let body = parse_body(("functions", text)).into_result().expect("definitions");
    let seen = || WITHIN.get().cloned().unwrap_or_default();
    let (own, _rest) = user_functions(&body, "function", seen).into_result().expect("functions");
    let scope = Scope::new().with_functions(functions::standard().with_all(&own));
    WITHIN.set(Arc::new(scope.clone())).expect("it is set once");
    let calls = ["twice(1)", "longer(\"x\")", "tries({})", "loops(1)", "asks(1)"];
    let ended = calls.map(|text| {
        let expression = parse_expression(("hostile", text)).into_result().expect("an expression");
        ends(&turn, text, scope.clone(), |scope| expression.evaluate(scope).map(drop))
    });
    assert_eq!(check(ended.into()), calls.len());
}

/// Bodies are decoded and expanded on one account.
#[test]
fn bodies() {
    // What else is done here would count for other tests.
    let turn = Turn::take();
    let blocks = "dynamic \"a\" {\n  for_each = l\n  content {\n    ".repeat(4);
    let close = "}\n}\n".repeat(4);
    let nested = format!("{blocks}v = 1\n{close}");
    let inner = Spec::attr("v", Type::Number);
    let mut deep = inner;
    for _ in 0..4 {
        deep = Spec::block_list("a", .., deep);
    }
    let decoded = |name: &str, text: &str, spec: &Spec, dynamic: bool| {
        let body = parse_body((name, text)).into_result().expect("a body");
        ends(&turn, name, scope(), |scope| {
            let body = if dynamic { expand(body, scope) } else { body };
            spec.decode(&body, scope).into_result().map(drop)
        })
    };
    let wanted = format!("type = {}string{}\n", "list(".repeat(24), ")".repeat(24));
    let read = parse_body(wanted).into_result().expect("a body").attributes().into_result().expect("attributes");
    let constraint = type_constraint(read.get("type").expect("it is there").expression()).expect("a type");
    let converted = Spec::attr("v", constraint);
    let lists = format!("v = {}\n", again(24, "1", "[x, x]", "x"));
    let attributes: String = (0..2_000).map(|n| format!("a{n} = [for x in l: x]\n")).collect();
    let many =
        Spec::object((0..2_000).map(|n| (format!("a{n}"), Spec::attr(format!("a{n}"), Type::list(Type::String)))));
    let json = format!("{{\"v\": {}}}", again_in_json(1_000));
    let of_json = parse_json_body(("json", json.as_str())).into_result().expect("a document");
    let any = Spec::attr("v", Type::Dynamic);
    let ended = vec![
        decoded("dynamic blocks in dynamic blocks", &nested, &deep, true),
        decoded("a type of many levels", &lists, &converted, false),
        decoded("many attributes", &attributes, &many, false),
        ends(&turn, "templates in JSON", scope(), |scope| any.decode(&of_json, scope).into_result().map(drop)),
    ];
    assert_eq!(check(ended), 4);
}

/// An array of templates, each of which makes a long text.
fn again_in_json(count: usize) -> String {
    let one = "\"%{ for a in l }%{ for b in l }${s}%{ endfor }%{ endfor }\"";
    format!("[{}]", vec![one; count].join(", "))
}

/// Documents in which a few bytes stand for much.
#[test]
fn documents() {
    // What else is done here would count for other tests.
    let turn = Turn::take();
    let aliases = {
        let mut text = "a0: &a0 [x, x]\n".to_owned();
        for n in 1..40 {
            text += &format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1);
        }
        text
    };
    let merged = {
        let mut text = "a0: &a0 { x: 1, y: 2 }\n".to_owned();
        for n in 1..2_000 {
            text += &format!("a{n}: &a{n} {{ <<: *a{}, z{n}: 1 }}\n", n - 1);
        }
        text
    };
    let zeros = "base64gunzip(base64gzip(join(\"\", [for x in l: s])))";
    let document = |name: &str, text: String, expression: &str| {
        let parsed = parse_expression(("hostile", expression)).into_result().expect("an expression");
        ends(&turn, name, scope().with("text", text), |scope| parsed.evaluate(scope).map(drop))
    };
    let ended = vec![
        document("aliases", aliases, "yamldecode(text)"),
        document("merged mappings", merged, "yamldecode(text)"),
        document("deep JSON", "[".repeat(500) + &"]".repeat(500), "[for a in l: [for b in l: jsondecode(text)]]"),
        document("many columns", ",".repeat(100) + &"\n,".repeat(1_000), "[for a in l: csvdecode(text)]"),
        document("compressed", String::new(), &format!("[for a in l: {zeros}]")),
    ];
    assert_eq!(check(ended), 5);
}
