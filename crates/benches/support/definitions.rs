//! Files whose definitions refer to each other in several shapes, and how they are evaluated.
#![allow(dead_code)]

use hcl_lr::ConfigFile;
use hcl_lr::{Limits, Scope};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, Roles};

/// A shape with a given number of definitions, and how many are measured.
pub struct Shape {
    pub name: &'static str,
    pub make: fn(usize) -> String,
    pub counts: &'static [usize],
}

pub const SHAPES: [Shape; 6] = [
    Shape { name: "chain", make: chain, counts: &MANY },
    Shape { name: "star", make: star, counts: &MANY },
    Shape { name: "grid", make: grid, counts: &MANY },
    Shape { name: "a cycle", make: cycle, counts: &MANY },
    Shape { name: "cycles of 100", make: cycles, counts: &MANY },
    Shape { name: "with work", make: work, counts: &[1_000] },
];

const MANY: [usize; 2] = [10_000, 100_000];

pub fn parse(text: &str) -> ConfigFile {
    hcl_lr::parse::<ConfigFile>(("bench.hcl", text.to_owned())).into_result().expect("no errors")
}

pub fn collect(file: &ConfigFile) -> Definitions {
    Definitions::of(&Roles::attributes(), [file]).into_value()
}

pub fn evaluate(definitions: &Definitions, threads: usize) -> Evaluated {
    let scope = Scope::new().with_limits(Limits::new().max_steps(1 << 40).max_bytes(1 << 40));
    definitions.evaluate_on(threads, &Inputs::new(), &scope)
}

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
