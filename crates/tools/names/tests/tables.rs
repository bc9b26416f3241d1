//! Shipped schemas have the names of the programs, or there is a reason.

use std::path::Path;

use names::Table;

#[test]
fn differences_have_reasons() {
    let tables = Table::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")).expect("the tables can be read");
    assert!(!tables.is_empty());
    let mut wrong = Vec::new();
    for Table { name, comparison, reasons, .. } in &tables {
        assert!(comparison.both > 0, "{name}: no name in common");
        for difference in comparison.differences.iter().filter(|difference| reasons.of(difference).is_none()) {
            wrong.push(format!("{name}: {}: {}: {}", difference.kind.text(), difference.path, difference.detail));
        }
        wrong.extend(
            reasons.unused(&comparison.differences).into_iter().map(|line| format!("{name}: no longer so: {line}")),
        );
    }
    assert!(
        wrong.is_empty(),
        "mend the schema, or give the reason in crates/tools/names/tables/NAME.reasons:\n{}",
        wrong.join("\n")
    );
}
