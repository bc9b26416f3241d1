//! The peak memory of a parse for each byte of the source, beside hcl-edit.
//!
//! It is a program of its own because counting slows every allocation down, and would slow those
//! down most that allocate most.

#[path = "support/cases.rs"]
mod cases;
#[path = "support/inputs.rs"]
mod inputs;
#[path = "support/definitions.rs"]
mod shapes;

use std::hint::black_box;

use inputs::Input;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    println!("Bytes of heap at the peak for a byte of the source, and allocations.\n");
    println!("    bytes  hcl-lr  allocations  hcl-edit  allocations     x");
    for Input { name, text } in inputs::inputs() {
        let (ours, our_count) = peak(&text, |text| drop(black_box(hcl_lr::parse::<hcl_lr::File>(text))));
        let (edit, edit_count) = peak(&text, |text| drop(black_box(hcl_edit::parser::parse_body(text))));
        print!("{:9} {ours:7.2} {our_count:12}", text.len());
        if hcl_edit::parser::parse_body(&text).is_ok() {
            println!(" {edit:9.1} {edit_count:12} {:5.1}  {name}", edit / ours);
        } else {
            println!("   rejects            -     -  {name}");
        }
    }
    evaluations();
    definitions();
}

/// Measures the memory kept for files whose parts refer to each other.
fn definitions() {
    println!("\nBytes of heap that a definition keeps.\n");
    println!("definitions   file  collected  evaluated");
    for shape in shapes::SHAPES {
        for &count in shape.counts {
            let text = (shape.make)(count);
            let profiler = dhat::Profiler::builder().testing().build();
            let mut before = 0;
            let mut kept = || {
                let now = dhat::HeapStats::get().curr_bytes;
                (now - std::mem::replace(&mut before, now)) as f64 / count as f64
            };
            let file = shapes::parse(&text);
            let file_bytes = kept();
            let definitions = shapes::collect(&file);
            let definition_bytes = kept();
            let evaluated = black_box(shapes::evaluate(&definitions, 1));
            println!("{count:11} {file_bytes:6.0} {definition_bytes:10.0} {:10.0}  {}", kept(), shape.name);
            drop((profiler, evaluated));
        }
    }
}

/// Measures the memory of an evaluation without its variables.
fn evaluations() {
    println!("\nBytes of heap at the peak of an evaluation for an element, and allocations.\n");
    println!("   10,000    100,000  1,000,000  factor  allocations");
    for at in 0..cases::cases(0).len() {
        let [(small, _), (middle, _), (large, count)] = [10_000, 100_000, 1_000_000].map(|count| evaluation(at, count));
        let case = cases::cases(1).swap_remove(at);
        let of = match (case.items, case.tuple) {
            (0, _) => "",
            (_, true) => ", of a tuple",
            (_, false) => ", of a list",
        };
        println!("{small:9.1} {middle:10.1} {large:10.1} {:7.2} {count:12.2}  {}{of}", large / small, case.name);
    }
}

fn evaluation(at: usize, count: usize) -> (f64, f64) {
    let case = cases::cases(count).swap_remove(at);
    let (parsed, scope) = (cases::Parsed::of(&case), cases::scope(&case));
    let profiler = dhat::Profiler::builder().testing().build();
    drop(black_box(parsed.evaluate(&scope)));
    let stats = dhat::HeapStats::get();
    drop(profiler);
    (stats.max_bytes as f64 / count as f64, stats.total_blocks as f64 / count as f64)
}

/// Bytes at the peak for each byte of a text, and the number of allocations.
fn peak(text: &str, parse: fn(&str)) -> (f64, u64) {
    // Parse once first: allocations made once for the whole program do not count.
    parse("a = 1\n");
    let profiler = dhat::Profiler::builder().testing().build();
    parse(text);
    let stats = dhat::HeapStats::get();
    drop(profiler);
    (stats.max_bytes as f64 / text.len() as f64, stats.total_blocks)
}
