//! The cost of writing with serde beside hcl-rs, in one run; see README.md.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;

const ROUNDS: usize = 9;
const SAMPLES_PER_ROUND: usize = 3;

#[derive(Serialize)]
struct Attributes {
    server: Vec<Server>,
}

#[derive(Clone, Serialize)]
struct Server {
    name: String,
    host: String,
    port: u16,
    weight: f64,
    enabled: bool,
    zones: Vec<String>,
    limits: Limits,
}

#[derive(Clone, Serialize)]
struct Limits {
    cpu: u32,
    memory: u64,
    note: String,
}

fn servers() -> Vec<Server> {
    let server = |at: u32| Server {
        name: format!("web-{at}"),
        host: format!("10.0.{}.{}", at / 256, at % 256),
        port: (8_000 + at % 1_000) as u16,
        weight: f64::from(at % 7) + 0.25,
        enabled: !at.is_multiple_of(3),
        zones: vec!["eu-west-1a".to_owned(), "eu-west-1b".to_owned()],
        limits: Limits { cpu: at % 16, memory: u64::from(at) * 1_024, note: format!("cost: ${{{at}}}\n\"ok\"") },
    };
    (0..4_500).map(server).collect()
}

#[derive(Serialize)]
struct OurBlocks {
    server: hcl_lr::typed::BlockOf<Vec<Server>>,
}

#[derive(Serialize)]
struct TheirBlocks {
    server: hcl::ser::Block<Vec<Server>>,
}

/// The medians of two works, taken in turns. The first time of a turn tidies up what the other one left to the allocator.
fn medians(ours: impl Fn(), theirs: impl Fn()) -> [Duration; 2] {
    let turn = |work: &dyn Fn(), samples: &mut Vec<Duration>| {
        work();
        samples.extend((0..SAMPLES_PER_ROUND).map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        }));
    };
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        turn(&ours, &mut samples[0]);
        turn(&theirs, &mut samples[1]);
    }
    samples.map(|mut samples| {
        samples.sort();
        samples[samples.len() / 2]
    })
}

fn tell(name: &str, ours: &str, theirs: &str, [our_time, their_time]: [Duration; 2]) {
    let speed = |text: &str, time: Duration| text.len() as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{name:12} hcl-lr {:6.2} ms {:6.1} MB/s   hcl-rs {:6.2} ms {:6.1} MB/s   {:.2} times as fast",
        our_time.as_secs_f64() * 1e3,
        speed(ours, our_time),
        their_time.as_secs_f64() * 1e3,
        speed(theirs, their_time),
        their_time.as_secs_f64() / our_time.as_secs_f64(),
    );
}

/// Does one thing once, for a program that counts instructions. `none` is what is left to take off: making
/// what is written.
fn write_once(what: &str, whose: &str) {
    let attributes = Attributes { server: servers() };
    let our_blocks = OurBlocks { server: hcl_lr::typed::BlockOf(servers()) };
    let their_blocks = TheirBlocks { server: hcl::ser::Block::new(servers()) };
    match (what, whose) {
        ("attributes", "hcl-lr") => drop(black_box(hcl_lr::to_string(&attributes))),
        ("attributes", "hcl-rs") => drop(black_box(hcl::to_string(&attributes))),
        ("blocks", "hcl-lr") => drop(black_box(hcl_lr::to_string(&our_blocks))),
        ("blocks", "hcl-rs") => drop(black_box(hcl::to_string(&their_blocks))),
        ("value", "hcl-lr") => drop(black_box(hcl_lr::to_value(&attributes))),
        ("value", "hcl-rs") => drop(black_box(hcl::to_value(&attributes))),
        _ => {}
    }
}

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    if let [_, once, what, whose] = &std::env::args().collect::<Vec<_>>()[..]
        && once == "once"
    {
        return write_once(what, whose);
    }
    let attributes = Attributes { server: servers() };
    let ours = hcl_lr::to_string(&attributes).expect("it can be written");
    let theirs = hcl::to_string(&attributes).expect("it can be written");
    let times =
        medians(|| drop(black_box(hcl_lr::to_string(&attributes))), || drop(black_box(hcl::to_string(&attributes))));
    println!("{} bytes", ours.len());
    tell("attributes", &ours, &theirs, times);

    let our_blocks = OurBlocks { server: hcl_lr::typed::BlockOf(servers()) };
    let their_blocks = TheirBlocks { server: hcl::ser::Block::new(servers()) };
    let ours = hcl_lr::to_string(&our_blocks).expect("it can be written");
    let theirs = hcl::to_string(&their_blocks).expect("it can be written");
    let times =
        medians(|| drop(black_box(hcl_lr::to_string(&our_blocks))), || drop(black_box(hcl::to_string(&their_blocks))));
    tell("blocks", &ours, &theirs, times);

    let value =
        medians(|| drop(black_box(hcl_lr::to_value(&attributes))), || drop(black_box(hcl::to_value(&attributes))));
    tell("to a value", &ours, &theirs, value);
}
