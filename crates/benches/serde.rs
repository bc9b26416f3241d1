//! The speed of reading files into structures, beside hcl-rs; see README.md.
//!
//! Both read the same text into the same types, by turns, so that a slow moment of the machine hits both; the median
//! counts. What is dropped is dropped within the time. The first time of each turn does not count: it tidies up what the
//! other one left to the allocator, which is no small part of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use hcl_lr::{Body, Scope, functions, parse};
use serde::Deserialize;

/// A little more than a megabyte.
const SERVICES: usize = 3_600;
const ROUNDS: usize = 9;
const SAMPLES_PER_ROUND: usize = 3;

#[derive(Deserialize, Debug, PartialEq)]
struct File {
    project: String,
    service: BTreeMap<String, Service>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Service {
    image: String,
    replicas: u32,
    ratio: f64,
    enabled: bool,
    command: Vec<String>,
    tags: BTreeMap<String, String>,
    owner: Option<String>,
    /// At least two, for hcl-rs does not read one block as a list.
    port: Vec<Port>,
    health: Health,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Port {
    number: u16,
    public: bool,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Health {
    path: String,
    interval: u32,
}

/// The file, with literals only or with expressions of the same values.
fn input(evaluated: bool) -> String {
    let mut text = String::from("project = \"shop\"\n");
    for index in 0..SERVICES {
        let port = 1000 + index;
        let (image, replicas, number, tag) = match evaluated {
            true => (
                format!("\"${{registry}}/app:{index}\""),
                format!("{} + base", index % 5),
                format!("{} + base * {index}", 1000),
                "upper(team)".to_owned(),
            ),
            false => (
                format!("\"registry.example/app:{index}\""),
                format!("{}", index % 5 + 1),
                format!("{port}"),
                "\"CORE\"".to_owned(),
            ),
        };
        let _ = write!(
            text,
            r#"
service "app-{index}" {{
  image    = {image}
  replicas = {replicas}
  ratio    = 0.{index}
  enabled  = true
  command  = ["serve", "--port", "{port}"]
  tags = {{
    team = {tag}
    env  = "production"
  }}

  port {{
    number = {number}
    public = false
  }}

  port {{
    number = 443
    public = true
  }}

  health {{
    path     = "/healthz/{index}"
    interval = 30
  }}
}}
"#
        );
    }
    text
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Milliseconds of two ways to the same value, by turns.
fn compare<T: PartialEq + std::fmt::Debug>(
    name: &str,
    bytes: usize,
    other: &str,
    here: impl Fn() -> T,
    there: impl Fn() -> T,
) {
    assert_eq!(here(), there(), "{name}");
    let mut times = [Vec::new(), Vec::new()];
    let turn = |work: &dyn Fn() -> T, times: &mut Vec<f64>| {
        drop(work());
        times.extend((0..SAMPLES_PER_ROUND).map(|_| {
            let start = Instant::now();
            drop(work());
            start.elapsed().as_secs_f64() * 1e3
        }));
    };
    for _ in 0..ROUNDS {
        turn(&here, &mut times[0]);
        turn(&there, &mut times[1]);
    }
    let best = times.each_ref().map(|times| times.iter().copied().fold(f64::INFINITY, f64::min));
    let [here, there] = times.map(median);
    println!(
        "{name:24} {bytes:>8} bytes  hcl-lr {here:7.2} ms  {other} {there:7.2} ms  x {:.1}  best x {:.1}",
        there / here,
        best[1] / best[0]
    );
}

/// Does one thing once, for a program that counts instructions. `parse` is what is not done by serde.
fn read_once(what: &str) {
    let literal = input(false);
    match what {
        "literals" => drop(black_box(hcl_lr::from_str::<File>(&literal))),
        "parse" => drop(black_box(parse::<Body>(&*literal))),
        "hcl-rs" => drop(black_box(hcl::from_str::<File>(&literal))),
        _ => {}
    }
}

fn main() {
    if let [_, once, what] = &std::env::args().collect::<Vec<_>>()[..]
        && once == "once"
    {
        return read_once(what);
    }
    let literal = input(false);
    compare(
        "literals",
        literal.len(),
        "hcl-rs",
        || hcl_lr::from_str::<File>(&literal).expect("it fits"),
        || hcl::from_str::<File>(&literal).expect("it fits"),
    );

    let evaluated = input(true);
    let scope = Scope::new()
        .with("registry", "registry.example")
        .with("base", 1)
        .with("team", "core")
        .with_functions(functions::standard());
    let mut context = hcl::eval::Context::new();
    context.declare_var("registry", "registry.example");
    context.declare_var("base", 1);
    context.declare_var("team", "core");
    let upper =
        |arguments: hcl::eval::FuncArgs| Ok(hcl::Value::from(arguments[0].as_str().unwrap_or_default().to_uppercase()));
    context.declare_func("upper", hcl::eval::FuncDef::builder().param(hcl::eval::ParamType::String).build(upper));
    compare(
        "with a scope",
        evaluated.len(),
        "hcl-rs",
        || {
            let body = parse::<Body>(&*evaluated).into_result().expect("it parses");
            hcl_lr::from_body::<File>(&body, &scope).expect("it fits")
        },
        || {
            use hcl::eval::Evaluate;
            let body = hcl::parse(&evaluated).expect("it parses");
            let body = body.evaluate(&context).expect("it evaluates");
            hcl::from_body::<File>(body).expect("it fits")
        },
    );

    let file = hcl_lr::from_str::<serde_json::Value>(&literal).expect("any value");
    let json = serde_json::to_string_pretty(&file).expect("JSON");
    compare(
        "JSON to any value",
        json.len(),
        "serde_json",
        || hcl_lr::typed::from_json_str::<serde_json::Value>(&json).expect("it parses"),
        || serde_json::from_str::<serde_json::Value>(&json).expect("it parses"),
    );
}
