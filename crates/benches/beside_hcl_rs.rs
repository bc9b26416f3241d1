//! Parsing, edits, evaluation and serde beside hcl-rs and hcl-edit in one run; see README.md.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use hcl::eval::{Context, Evaluate, FuncArgs, FuncDef, ParamType};
use hcl_lr::syntax::ast::File;
use hcl_lr::{Body, Scope, Value, functions, parse};
use hcl_lr_edit::Editor;
use serde::{Deserialize, Serialize};

/// The number of times that the work is done, in turns.
const ROUNDS: usize = 41;
const RESOURCES: usize = 3_400;
const ATTRIBUTES: usize = 5_000;

/// A piece of work, by its name.
type Work<'w> = (&'static str, Box<dyn Fn() + 'w>);

/// The same work done by this library, and by another one.
struct Row<'w> {
    name: &'static str,
    ours: Work<'w>,
    theirs: Work<'w>,
}

/// A file of about a megabyte, like those of Terraform.
fn resources() -> String {
    let resource = |at: usize| {
        format!(
            "# The server {at}.\nresource \"aws_instance\" \"web{at}\" {{\n  ami           = \"ami-{at}\" # pinned\n  \
             instance_type = var.large ? \"m5.large\" : \"t3.micro\"\n  tags = {{\n    Name = \"web-${{var.name}}-{at}\"\n    \
             Team = \"core\"\n  }}\n\n  ebs_block_device {{\n    device_name = \"/dev/sdf\"\n    volume_size = {at} + 1\n  }}\n}}\n\n"
        )
    };
    (0..RESOURCES).map(resource).collect()
}

/// Attributes of the kinds that configurations have.
fn attributes() -> String {
    let attribute = |number: usize| match number % 5 {
        0 => format!("attribute_{number} = \"${{prefix}}-{number}\"\n"),
        1 => format!("attribute_{number} = base + {number} * 2\n"),
        2 => format!("attribute_{number} = [\"a\", {number}, {{ name = prefix, size = base }}]\n"),
        3 => format!("attribute_{number} = enabled ? upper(prefix) : \"none\"\n"),
        _ => format!("attribute_{number} = \"text number {number}\"\n"),
    };
    (0..ATTRIBUTES).map(attribute).collect()
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Service {
    image: String,
    replicas: u32,
    ports: Vec<u16>,
    labels: HashMap<String, String>,
}

fn services() -> HashMap<String, Service> {
    let service = |at: usize| Service {
        image: format!("registry/image:{at}"),
        replicas: at as u32 % 7,
        ports: vec![80, 443, 8080],
        labels: HashMap::from([("team".to_owned(), "core".to_owned())]),
    };
    (0..RESOURCES).map(|at| (format!("service_{at}"), service(at))).collect()
}

fn edit(file: &File) {
    let mut editor = Editor::new(file);
    let block = file.body().blocks().nth(RESOURCES / 2).expect("a block");
    editor.set(block.body().attribute("ami").expect("it is there"), "other");
    black_box(editor.finish().expect("it can be done"));
}

fn context() -> Context<'static> {
    let mut context = Context::new();
    context.declare_var("prefix", "web");
    context.declare_var("base", 1000);
    context.declare_var("enabled", true);
    let upper = |arguments: FuncArgs| Ok(hcl::Value::from(arguments[0].as_str().unwrap_or_default().to_uppercase()));
    context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
    context
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let (text, flat, services) = (resources(), attributes(), services());
    let written = hcl_lr::to_string(&services).expect("it can be written");
    let scope = Scope::new().with("prefix", "web").with("base", 1000).with("enabled", true);
    let scope = scope.with_functions(functions::standard());
    let file = parse::<File>(text.as_str()).into_value();
    let loose = parse::<File>(format!("x   =1\n\n{text}")).into_value();
    let body = parse::<Body>(flat.as_str()).into_value();
    let list = body.attributes().into_value();
    let (context, theirs) = (context(), hcl::parse(&flat).expect("it parses"));
    let edit_theirs = |mut body: hcl_edit::structure::Body| {
        let block = body.get_blocks_mut("resource").nth(RESOURCES / 2).expect("a block");
        *block.body.get_attribute_mut("ami").expect("it is there").value_mut() = "other".into();
        black_box(body.to_string());
    };
    let parsed_theirs = hcl_edit::parser::parse_body(&text).expect("it parses");
    let parse_theirs = || drop(black_box(hcl_edit::parser::parse_body(&text).expect("it parses")));
    let rows = [
        Row {
            name: "parse 1 MB",
            ours: ("parse", Box::new(|| drop(black_box(parse::<File>(text.as_str()))))),
            theirs: ("hcl-edit", Box::new(parse_theirs)),
        },
        Row {
            name: "parse 1 MB, set one value, write",
            ours: ("edit-text", Box::new(|| edit(&parse::<File>(text.as_str()).into_value()))),
            theirs: (
                "hcl-edit-text",
                Box::new(|| edit_theirs(hcl_edit::parser::parse_body(&text).expect("it parses"))),
            ),
        },
        Row {
            name: "set one value of a parsed file; hcl-edit changes a copy, and checks nothing",
            ours: ("edit", Box::new(|| edit(&file))),
            theirs: ("hcl-edit-copy", Box::new(|| edit_theirs(parsed_theirs.clone()))),
        },
        Row {
            name: "the same, of a file that is not formatted",
            ours: ("edit-loose", Box::new(|| edit(&loose))),
            theirs: ("hcl-edit-copy", Box::new(|| edit_theirs(parsed_theirs.clone()))),
        },
        Row {
            name: "evaluate 5,000 attributes one by one",
            ours: (
                "attributes",
                Box::new(|| list.iter().for_each(|item| drop(black_box(item.evaluate(&scope).expect("a value"))))),
            ),
            theirs: (
                "hcl-rs-attributes",
                Box::new(|| {
                    let evaluate = |item: &hcl::Attribute| item.expr.evaluate(&context).expect("a value");
                    theirs.attributes().for_each(|item| drop(black_box(evaluate(item))));
                }),
            ),
        },
        Row {
            name: "evaluate them as a body",
            ours: (
                "body",
                Box::new(|| {
                    drop(black_box(hcl_lr::from_body::<HashMap<String, Value>>(&body, &scope).expect("values")))
                }),
            ),
            theirs: ("hcl-rs-body", Box::new(|| drop(black_box(theirs.evaluate(&context).expect("values"))))),
        },
        Row {
            name: "write structures (serde)",
            ours: ("write", Box::new(|| drop(black_box(hcl_lr::to_string(&services).expect("a text"))))),
            theirs: ("hcl-rs-write", Box::new(|| drop(black_box(hcl::to_string(&services).expect("a text"))))),
        },
        Row {
            name: "read them (serde)",
            ours: (
                "read",
                Box::new(|| {
                    drop(black_box(hcl_lr::from_str::<HashMap<String, Service>>(&written).expect("structures")));
                }),
            ),
            theirs: (
                "hcl-rs-read",
                Box::new(|| drop(black_box(hcl::from_str::<HashMap<String, Service>>(&written).expect("structures")))),
            ),
        },
    ];
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [once, name] = &arguments[..]
        && once == "once"
    {
        // For counting instructions; an unknown name only prepares.
        let all = rows.iter().flat_map(|row| [&row.ours, &row.theirs]);
        all.filter(|(known, _)| known == name).take(1).for_each(|(_, work)| work());
        return;
    }
    let mut samples = vec![[const { Vec::new() }; 2]; rows.len()];
    for _ in 0..ROUNDS {
        for (row, samples) in rows.iter().zip(&mut samples) {
            for (work, samples) in [&row.ours, &row.theirs].into_iter().zip(samples) {
                let start = Instant::now();
                work.1();
                samples.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    println!(
        "Milliseconds, the median; `x` is how many times as fast hcl-lr is, by the median, and by the best sample.\n"
    );
    println!("   hcl-lr    others      x   best");
    for (row, [ours, theirs]) in rows.iter().zip(&mut samples) {
        let (a, b) = (median(ours), median(theirs));
        println!("{a:9.2} {b:9.2} {:6.2} {:6.2}  {}", b / a, theirs[0] / ours[0], row.name);
    }
}
