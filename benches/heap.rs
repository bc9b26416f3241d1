//! How much memory a parse takes at its peak, for a byte of the source, beside hcl-edit.
//!
//! It is a program of its own because counting slows every allocation down, and would slow those
//! down most that allocate most.

#[path = "support/inputs.rs"]
mod inputs;

use std::hint::black_box;

use inputs::Input;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    println!("Bytes of heap at the peak for a byte of the source, and allocations.\n");
    println!("    bytes  hcl-lr  allocations  hcl-edit  allocations     x");
    for Input { name, text } in inputs::inputs() {
        let (ours, our_count) = peak(&text, |text| drop(black_box(hcl_lr::parse(text))));
        let (edit, edit_count) = peak(&text, |text| drop(black_box(hcl_edit::parser::parse_body(text))));
        print!("{:9} {ours:7.2} {our_count:12}", text.len());
        if hcl_edit::parser::parse_body(&text).is_ok() {
            println!(" {edit:9.1} {edit_count:12} {:5.1}  {name}", edit / ours);
        } else {
            println!("   rejects            -     -  {name}");
        }
    }
}

/// Bytes at the peak for each byte of a text, and the number of allocations.
fn peak(text: &str, parse: fn(&str)) -> (f64, u64) {
    // What is allocated once for the whole program does not count.
    parse("a = 1\n");
    let profiler = dhat::Profiler::builder().testing().build();
    parse(text);
    let stats = dhat::HeapStats::get();
    drop(profiler);
    (stats.max_bytes as f64 / text.len() as f64, stats.total_blocks)
}
