//! What evaluation leaves in memory, and how much it takes at its peak.
//!
//! It is a program of its own because it counts every allocation.

use hcl_lr::Scope;
use hcl_lr::functions;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Source;
use hcl_lr::syntax::{Options, OwnedExpression, parse_expression};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn expression(text: &str) -> OwnedExpression {
    parse_expression(Source::new("memory", text), &Options::default()).into_result().expect("no errors")
}

fn scope(count: usize) -> Scope<'static> {
    let numbers = Value::list(Type::Number, (0..count).map(Value::from)).expect("numbers");
    Scope::new().with("numbers", numbers).with("s", "text").with("n", 1).with_functions(functions::standard())
}

/// Counting is for the whole program, so there is one test.
#[test]
fn evaluation_leaves_nothing_behind_and_takes_linear_memory() {
    let again = expression("{ a = upper(\"${s}-${n}\"), b = [for x in [1]: x + 1], c = try(nothing, numbers[*]) }");
    let of_one = scope(1);
    // What is made once for the whole program does not count.
    again.get().evaluate(&of_one).expect("a value");
    let _profiler = dhat::Profiler::builder().testing().build();
    let before = dhat::HeapStats::get();
    for _ in 0..1_000 {
        again.get().evaluate(&of_one).expect("a value");
        let kept = functions::standard();
        assert!(kept.get("upper").is_some());
    }
    let after = dhat::HeapStats::get();
    // What runs the tests may allocate, too; a block left behind each time would be a thousand.
    assert!(after.curr_blocks < before.curr_blocks + 100, "{} blocks, then {}", before.curr_blocks, after.curr_blocks);
    let each = (after.total_blocks - before.total_blocks) / 1_000;
    assert!(each < 120, "{each} allocations for an evaluation");

    for (text, most) in [
        // The number, and its type within that of the tuple.
        ("[for x in numbers: x + 1]", 2.1),
        ("numbers[*]", 1.1),
        ("\"%{ for x in numbers }${x},%{ endfor }\"", 1.0),
        // The node of the object, its parts and its place in the tuple; no type and no names.
        ("[for x in numbers: { id = x, name = s }]", 4.1),
    ] {
        let parsed = expression(text);
        let blocks = [1_000, 4_000].map(|count| {
            let scope = scope(count);
            let before = dhat::HeapStats::get();
            let value = parsed.get().evaluate(&scope).expect("a value");
            let after = dhat::HeapStats::get();
            drop(value);
            let bytes = (after.curr_bytes - before.curr_bytes) as f64 / count as f64;
            ((after.total_blocks - before.total_blocks) as f64 / count as f64, bytes)
        });
        let [(_, small), (each, large)] = blocks;
        assert!(each < most, "{text}: {each} allocations for an element");
        assert!(large < small * 1.1 + 1.0, "{text}: {small} bytes for an element, {large} with four times as many");
    }
}
