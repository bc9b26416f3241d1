//! The speed of evaluation, beside hcl-rs and, if a Go toolchain is installed, the official engine; see README.md.
//!
//! The engines take turns, so that a slow moment of the machine hits all of them; the median
//! counts. What is measured is evaluation alone, with dropping its result, except where a line says
//! that it parses too.

#[path = "support/cases.rs"]
mod cases;
#[path = "support/official.rs"]
mod official;

use std::hint::black_box;
use std::time::Instant;

use cases::{Case, Kind, Parsed};
use hcl::eval::{Context, Evaluate, FuncDef, ParamType};
use hcl_lr::model::json;
use official::{Answer, Official};
use serde_json::json;

/// The number of times the engines take turns, and below the number of samples each takes then.
const ROUNDS: usize = 7;
const SAMPLES_PER_ROUND: usize = 5;
/// An engine takes no more samples of a case when it has had this much time.
const SECONDS_PER_CASE: f64 = 2.0;
const COUNT: usize = 10_000;

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |case: &Case| wanted.is_empty() || wanted.iter().any(|part| title(case).starts_with(part.as_str()));
    let mut official = Official::start();
    if official.is_none() {
        println!("no Go toolchain, or it cannot build crates/benches/go: the official engine is SKIPPED\n");
    }
    println!("Milliseconds for {COUNT} elements or attributes, the median; `x` is how many times as fast hcl-lr is,");
    println!("by the median, and by the best sample of each.\n");
    println!("   hcl-lr    hcl-rs     x  best  official     x  best");
    for case in cases::cases(COUNT).iter().filter(|case| is_wanted(case)) {
        row(case, official.as_mut());
    }
    println!("\nNanoseconds for an element or attribute, and what becomes of them with a hundred times as many.\n");
    println!("   10,000   100,000  1,000,000  factor");
    for (at, case) in cases::cases(COUNT).iter().enumerate().filter(|(_, case)| is_wanted(case)) {
        let [small, middle, large] = [COUNT, 10 * COUNT, 100 * COUNT].map(|count| per_element(at, count));
        println!("{small:9.0} {middle:9.0} {large:10.0} {:7.2}  {}", large / small, title(case));
    }
}

fn title(case: &Case) -> String {
    match case.items {
        0 => case.name.to_owned(),
        _ => format!("{}, of a {}: {}", case.name, if case.tuple { "tuple" } else { "list" }, case.source),
    }
}

fn row(case: &Case, mut official: Option<&mut Official>) {
    let (parsed, scope) = (Parsed::of(case), cases::scope(case));
    let value = json::encode_implied(&parsed.value(&scope)).expect("known values");
    let rs = HclRs::of(case);
    let rs_context = HclRs::context(case);
    let rs_agrees =
        rs.value(&rs_context).map(|theirs| theirs == serde_json::from_str::<serde_json::Value>(&value).expect("JSON"));
    let mut samples = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        sample(&mut samples[0], || drop(black_box(parsed.evaluate(&scope))));
        if rs_agrees.is_ok() {
            sample(&mut samples[1], || rs.evaluate(&rs_context));
        }
        if let Some(official) = &mut official
            && samples[2].iter().sum::<f64>() < SECONDS_PER_CASE
        {
            let Answer { seconds, length, hash } = official.ask(&question(case));
            assert_eq!((length, hash), (value.len(), fnv(&value)), "{}: the values differ", case.name);
            samples[2].extend(seconds);
        }
    }
    let [ours, theirs, official] = samples;
    print!("{:9.3}", median(&ours) * 1e3);
    for other in [theirs, official] {
        match other.is_empty() {
            true => print!("         -     -     -"),
            false => {
                let (x, best) = (median(&other) / median(&ours), best(&other) / best(&ours));
                print!(" {:9.3} {x:5.1} {best:5.1}", median(&other) * 1e3);
            }
        }
    }
    println!("  {}", title(case));
    match rs_agrees {
        Ok(true) => {}
        Ok(false) => println!("          hcl-rs makes another value"),
        Err(error) => println!("          hcl-rs: {}", error.lines().next().unwrap_or_default()),
    }
}

fn sample(seconds: &mut Vec<f64>, work: impl Fn()) {
    if seconds.iter().sum::<f64>() < SECONDS_PER_CASE {
        // The first one warms up.
        work();
        seconds.extend((0..SAMPLES_PER_ROUND).map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        }));
    }
}

fn per_element(case: usize, count: usize) -> f64 {
    let case = cases::cases(count).swap_remove(case);
    let (parsed, scope) = (Parsed::of(&case), cases::scope(&case));
    let mut seconds = Vec::new();
    for _ in 0..(300 * COUNT / count).clamp(5, 50) {
        let start = Instant::now();
        drop(black_box(parsed.evaluate(&scope)));
        seconds.push(start.elapsed().as_secs_f64());
    }
    median(&seconds) / count as f64 * 1e9
}

fn median(seconds: &[f64]) -> f64 {
    let mut seconds = seconds.to_vec();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// The sample that other work on the machine disturbed least.
fn best(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Returns the request for the official engine.
fn question(case: &Case) -> serde_json::Value {
    let kind = format!("{:?}", case.kind).to_lowercase();
    let Case { source, items, tuple, .. } = case;
    json!({ "kind": kind, "source": source, "count": items, "tuple": tuple, "samples": SAMPLES_PER_ROUND })
}

/// FNV-1a, which the Go program has in its library.
fn fnv(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// A case as hcl-rs has it.
enum HclRs {
    Expression(Box<hcl::Expression>),
    Template(hcl::Template),
    Body(hcl::Body),
    Source(String),
}

impl HclRs {
    fn of(case: &Case) -> HclRs {
        match case.kind {
            Kind::Expression => {
                let body = hcl::parse(&format!("a = {}\n", case.source)).expect("parses");
                HclRs::Expression(Box::new(body.into_attributes().next().expect("an attribute").expr))
            }
            Kind::Template => HclRs::Template(case.source.parse().expect("parses")),
            Kind::Body => HclRs::Body(hcl::parse(&case.source).expect("parses")),
            Kind::ParsedBody => HclRs::Source(case.source.clone()),
        }
    }

    fn context(case: &Case) -> Context<'static> {
        let mut context = Context::new();
        let value = json::encode_implied(cases::scope(case).variable("items").expect("it is there")).expect("known");
        context.declare_var("items", serde_json::from_str::<hcl::Value>(&value).expect("JSON"));
        context.declare_var("prefix", "web");
        context.declare_var("base", 1000);
        context.declare_var("enabled", true);
        let upper = |arguments: hcl::eval::FuncArgs| {
            Ok(hcl::Value::from(arguments[0].as_str().unwrap_or_default().to_uppercase()))
        };
        context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
        context
    }

    fn evaluate(&self, context: &Context<'_>) {
        match self {
            HclRs::Expression(expression) => drop(black_box(expression.evaluate(context))),
            HclRs::Template(template) => drop(black_box(template.evaluate(context))),
            HclRs::Body(body) => drop(black_box(body.evaluate(context))),
            HclRs::Source(text) => drop(black_box(hcl::parse(text).expect("parses").evaluate(context))),
        }
    }

    fn value(&self, context: &Context<'_>) -> Result<serde_json::Value, String> {
        let of_body = |body: &hcl::Body| {
            let attributes = body.evaluate(context)?.into_attributes();
            Ok(attributes.map(|attribute| (attribute.key.to_string(), hcl::Value::from(attribute.expr))).collect())
        };
        let value = match self {
            HclRs::Expression(expression) => expression.evaluate(context),
            HclRs::Template(template) => template.evaluate(context).map(hcl::Value::from),
            HclRs::Body(body) => of_body(body).map(hcl::Value::Object),
            HclRs::Source(text) => of_body(&hcl::parse(text).expect("parses")).map(hcl::Value::Object),
        };
        let value = value.map_err(|error: hcl::eval::Error| error.to_string())?;
        serde_json::to_value(value).map_err(|error| error.to_string())
    }
}
