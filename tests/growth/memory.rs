//! The memory that evaluation leaves allocated, and the memory that it uses.

use crate::count::Turn;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Expression, Scope, functions, parse};

fn expression(text: &str) -> Expression {
    parse::<Expression>(("memory", text)).into_result().expect("no errors")
}

fn scope(count: usize) -> Scope<'static> {
    let numbers = Value::list(Type::Number, (0..count).map(Value::from)).expect("numbers");
    Scope::new().with("numbers", numbers).with("s", "text").with("n", 1).with_functions(functions::standard())
}

#[test]
fn evaluation_leaves_nothing_behind_and_takes_linear_memory() {
    let turn = Turn::take();
    let again = expression("{ a = upper(\"${s}-${n}\"), b = [for x in [1]: x + 1], c = try(nothing, numbers[*]) }");
    let of_one = scope(1);
    // Run once first: allocations made once for the whole program do not count.
    again.evaluate(&of_one).expect("a value");
    let stats = turn.allocated(|| {
        for _ in 0..1_000 {
            again.evaluate(&of_one).expect("a value");
            let kept = functions::standard();
            assert!(kept.get("upper").is_some());
        }
    });
    // The test runner may allocate, too; a block left after each round would be a thousand.
    let left = stats.allocations as i64 - stats.deallocations as i64;
    assert!(left < 100, "{left} blocks are left");
    let each = stats.allocations / 1_000;
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
            let mut kept = None;
            let stats = turn.allocated(|| kept = Some(parsed.evaluate(&scope).expect("a value")));
            drop(kept);
            let bytes = stats.bytes_allocated as f64 - stats.bytes_deallocated as f64;
            (stats.allocations as f64 / count as f64, bytes / count as f64)
        });
        let [(_, small), (each, large)] = blocks;
        assert!(each < most, "{text}: {each} allocations for an element");
        assert!(large < small * 1.1 + 1.0, "{text}: {small} bytes for an element, {large} with four times as many");
    }
}
