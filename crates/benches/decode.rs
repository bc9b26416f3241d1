//! The speed of decoding by a spec, beside the official program and library; see README.md.
//!
//! The input has 10,000 blocks, counted with those in blocks. Whole processes and the library take
//! turns with what they are compared with, so that a slow moment of the machine hits both; the median
//! counts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::{Body, Scope, parse};

const SPEC: &str = include_str!("support/decode.hcldec");
const SERVICES: usize = 2_500;
const ROUNDS: usize = 15;

/// Services with two ports and a health check each: four blocks.
fn input() -> String {
    let mut text = String::from("project = \"shop\"\n");
    for index in 0..SERVICES {
        let region = ["north", "south", "east"][index % 3];
        let _ = write!(
            text,
            r#"
service "{region}" "app-{index}" {{
  image    = "registry.example/${{lower("SHOP")}}/app:{index}"
  replicas = {index} % 5 + 1
  tags = {{
    team  = "team-{}"
    index = {index}
  }}

  port {{
    number = 8000 + {index}
    public = {index} > 100
  }}

  port {{
    number = "90{:02}"
  }}

  health {{
    path = "/healthz/{index}"
  }}
}}
"#,
            index % 7,
            index % 100
        );
    }
    text.replace("${lower(\"SHOP\")}", "shop")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("decode");
    std::fs::create_dir_all(&folder).expect("a folder for the input");
    folder
}

/// The time of a program that decodes the input.
fn process(program: &Path, folder: &Path) -> f64 {
    seconds(|| {
        let mut command = Command::new(program);
        command.current_dir(folder).args(["--spec=spec.hcldec", "input.hcl"]).stdout(Stdio::null());
        assert!(command.status().expect("the program starts").success(), "{} fails", program.display());
    })
}

/// The official library's times for the same, in seconds: parsing and decoding, decoding alone.
fn official_library(folder: &Path) -> Option<(f64, f64)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("go/decode");
    let program = folder.join("official");
    let built = Command::new("go").current_dir(source).args(["build", "-o"]).arg(&program).arg(".").status();
    if !built.is_ok_and(|status| status.success()) {
        return None;
    }
    let output = Command::new(program).arg(folder.join("input.hcl")).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut times = text.split_whitespace().map(|time| time.parse::<f64>().ok());
    Some((times.next()??, times.next()??))
}

fn main() {
    let (folder, text) = (folder(), input());
    std::fs::write(folder.join("input.hcl"), &text).expect("the input");
    std::fs::write(folder.join("spec.hcldec"), SPEC).expect("the spec");
    let spec = parse::<Body>(("spec.hcldec", SPEC)).into_result().expect("a file");
    let spec = SpecFile::from_body(&spec).into_result().expect("a spec");
    println!("{} bytes, {} blocks; milliseconds, the median of {ROUNDS}\n", text.len(), SERVICES * 4);

    let mut all = Vec::new();
    let mut alone = Vec::new();
    for _ in 0..ROUNDS {
        all.push(seconds(|| {
            let body = parse::<Body>(("input.hcl", text.as_str())).into_result().expect("a body");
            drop(spec.spec().decode(&body, &Scope::new()).into_result().expect("a value"));
        }));
        let body = parse::<Body>(("input.hcl", text.as_str())).into_result().expect("a body");
        alone.push(seconds(|| drop(spec.spec().decode(&body, &Scope::new()).into_result().expect("a value"))));
    }
    let (all, alone) = (median(all), median(alone));
    match official_library(&folder) {
        Some((official, official_alone)) => {
            row("library, parsed and decoded", all, Some(official));
            row("library, decoded only", alone, Some(official_alone));
        }
        None => {
            println!("no Go, or crates/benches/go/decode cannot be built: the official library is skipped");
            row("library, parsed and decoded", all, None);
            row("library, decoded only", alone, None);
        }
    }

    let Some(ours) = std::env::var_os("HCLDEC").map(PathBuf::from) else {
        println!("HCLDEC does not name the program of this project: whole processes are skipped");
        return;
    };
    let official = std::env::var_os("OFFICIAL_HCLDEC").map(PathBuf::from);
    if official.is_none() {
        println!("OFFICIAL_HCLDEC does not name the official program: it is skipped");
    }
    let (mut times, mut official_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        times.push(process(&ours, &folder));
        official_times.extend(official.iter().map(|program| process(program, &folder)));
    }
    row("hcldec, the whole process", median(times), official.map(|_| median(official_times)));
}

fn row(what: &str, ours: f64, official: Option<f64>) {
    print!("{what:28} {:8.2}", ours * 1e3);
    match official {
        Some(official) => println!("   official {:8.2}   {:5.1} times as fast", official * 1e3, official / ours),
        None => println!(),
    }
}
