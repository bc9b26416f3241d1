//! What it takes to evaluate files whose parts refer to each other; see README.md.

use std::alloc::System;
use std::hint::black_box;
use std::time::Instant;

use hcl_lr::definitions::{Definitions, Document, Evaluated, Inputs, References, Roles};
use hcl_lr::{Limits, Scope};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many samples are taken of each.
const SAMPLES: usize = 5;

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// One needs the one before.
fn chain(count: usize) -> String {
    lines(count, |n| if n == 0 { "a0 = 1\n".to_owned() } else { format!("a{n} = a{} + 1\n", n - 1) })
}

/// All need one, and one needs all.
fn star(count: usize) -> String {
    let all: String = (0..count).map(|n| format!("a{n}, ")).collect();
    format!("all = [{all}]\none = 1\n{}", lines(count, |n| format!("a{n} = one + {n}\n")))
}

/// Each needs the one beside it and the one above it, in rows of a hundred.
fn grid(count: usize) -> String {
    lines(count, |n| match n {
        0..100 => format!("a{n} = {n}\n"),
        _ => format!("a{n} = a{} > a{} ? 1 : 2\n", n - 1, n - 100),
    })
}

/// Each makes a list of a thousand elements, and needs nothing but the list that it is made of.
fn work(count: usize) -> String {
    let all: String = (0..1_000).map(|n| format!("{n}, ")).collect();
    format!("list = [{all}]\n{}", lines(count, |n| format!("a{n} = [for x in list: x + {n}]\n")))
}

/// All need each other.
fn cycle(count: usize) -> String {
    lines(count, |n| format!("a{n} = a{} + 1\n", (n + 1) % count))
}

/// A hundred in each cycle.
fn cycles(count: usize) -> String {
    lines(count, |n| format!("a{n} = a{} + 1\n", n - n % 100 + (n + 1) % 100))
}

fn scope() -> Scope<'static> {
    Scope::new().with_limits(Limits::new().max_steps(1 << 40).max_bytes(1 << 40))
}

/// The least milliseconds that something takes, and what it gives.
fn least<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut sample = || {
        let start = Instant::now();
        let value = black_box(work());
        (start.elapsed().as_secs_f64() * 1e3, value)
    };
    let mut best = sample();
    for _ in 1..SAMPLES {
        let next = sample();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// Bytes that something keeps, for each definition.
fn kept<T>(count: usize, work: impl FnOnce() -> T) -> (f64, T) {
    let before = ALLOCATOR.stats();
    let value = work();
    let stats = ALLOCATOR.stats() - before;
    let bytes = stats.bytes_allocated as isize - stats.bytes_deallocated as isize + stats.bytes_reallocated;
    (bytes as f64 / count as f64, value)
}

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Milliseconds, the least of {SAMPLES}; bytes kept for a definition.\n");
    println!("definitions    parse  collect evaluate  {threads} threads  references |  file  collected  evaluated");
    type Make = fn(usize) -> String;
    let cases: [(&str, Make); 6] = [
        ("chain", chain),
        ("star", star),
        ("grid", grid),
        ("a cycle", cycle),
        ("cycles of 100", cycles),
        ("with work", work),
    ];
    for (name, make) in cases {
        let counts: &[usize] = if name == "with work" { &[1_000] } else { &[10_000, 100_000] };
        for &count in counts {
            let text = make(count);
            let parse = || Document::parse(("bench.hcl", text.clone())).into_result().expect("no errors");
            let roles = Roles::attributes();
            let (file_bytes, file) = kept(count, parse);
            let collect = || Definitions::of(&roles, [&file]).into_value();
            let (definition_bytes, definitions) = kept(count, collect);
            let evaluate = |threads: usize| -> Evaluated { definitions.evaluate_on(threads, &Inputs::new(), &scope()) };
            let (value_bytes, evaluated) = kept(count, || evaluate(1));
            drop(evaluated);
            let times = [
                least(parse).0,
                least(collect).0,
                least(|| evaluate(1)).0,
                least(|| evaluate(threads)).0,
                least(|| References::new(&definitions)).0,
            ];
            println!(
                "{count:11} {:8.1} {:8.1} {:8.1} {:10.1} {:11.1} | {file_bytes:5.0} {definition_bytes:10.0} {value_bytes:10.0}  {name}",
                times[0], times[1], times[2], times[3], times[4]
            );
        }
    }
}
