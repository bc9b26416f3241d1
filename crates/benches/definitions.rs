//! The cost of evaluating files whose parts refer to each other; see README.md.

#[path = "support/definitions.rs"]
mod shapes;

use std::hint::black_box;
use std::time::Instant;

use hcl_lr_language::definitions::References;
use shapes::{SHAPES, collect, evaluate, parse};

/// The number of samples of each.
const SAMPLES: usize = 5;

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

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Milliseconds, the least of {SAMPLES}.\n");
    println!("definitions    parse  collect evaluate  {threads} threads  references");
    for shape in SHAPES {
        for &count in shape.counts {
            let text = (shape.make)(count);
            let file = parse(&text);
            let definitions = collect(&file);
            let times = [
                least(|| parse(&text)).0,
                least(|| collect(&file)).0,
                least(|| evaluate(&definitions, 1)).0,
                least(|| evaluate(&definitions, threads)).0,
                least(|| References::new(&definitions)).0,
            ];
            println!(
                "{count:11} {:8.1} {:8.1} {:8.1} {:10.1} {:11.1}  {}",
                times[0], times[1], times[2], times[3], times[4], shape.name
            );
        }
    }
}
