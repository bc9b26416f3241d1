//! The growth of work with the input, counted instead of timed, so that neither a slow machine nor a busy one changes
//! the result.
//!
//! The cases are in `cases`, where the benchmark `growth` finds them too: it takes their time.

mod cases;
mod count;
mod hostile;
mod inputs;
mod memory;
mod operations;
#[path = "../support/cases.rs"]
mod written;

use cases::Case;
use count::Turn;

/// Measures the work of each case for its size, for twice and for four times the size. Linear work grows twice as much
/// from two to four as from one to two; quadratic work four times as much. Constant work, and work for the first
/// thousand errors only, cancels out.
#[track_caller]
fn linear(cases: Vec<Case>) {
    at_most(3.0, 0.02, cases);
}

/// Like [`linear`], where the second step may be at most `most` times the first one, and at least `least` for each
/// added unit.
#[track_caller]
fn at_most(most: f64, least: f64, cases: Vec<Case>) {
    let turn = Turn::take();
    let mut wrong = Vec::new();
    for case in cases {
        // The test program allocates, too, when another test starts or ends, so failed measurements are repeated.
        wrong.extend((0..3).try_fold(String::new(), |_, _| problem(&turn, &case, most, least)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the message about a case whose work grows too fast or too slowly.
fn problem(turn: &Turn, case: &Case, most: f64, least: f64) -> Option<String> {
    let [one, two, four] = [1, 2, 4].map(|factor| turn.count(case.prepared(factor * case.size)) as f64);
    let (first, second) = (two - one, four - two);
    println!("{:6.2} {one:10} {two:10} {four:10} {}", second / first, case.name);
    let steps = format!("{}: {one} steps for {}, {two} for twice as much, {four} for four times", case.name, case.size);
    // Tables double their size now and then.
    if second > most * first + one / 16.0 {
        return Some(format!("{steps}, which grows too fast"));
    }
    // Work that is not counted cannot be seen to grow.
    (second < least * case.size as f64).then(|| format!("{steps}, which cannot be all"))
}

/// The cost of a case for its size, for twice and for four times as much.
struct Row {
    name: String,
    counts: [u64; 3],
}

impl Row {
    fn count(turn: &Turn, case: &Case) -> Row {
        let counts = [1, 2, 4].map(|factor| turn.count(case.prepared(factor * case.size)));
        Row { name: case.name.clone(), counts }
    }

    /// Returns the growth when the input doubles, in the worse one of the two steps.
    fn worst(&self) -> f64 {
        let [one, two, four] = self.counts.map(|count| count.max(1) as f64);
        (two / one).max(four / two)
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [one, two, four] = self.counts;
        write!(f, "{:6.2} {one:10} {two:10} {four:10} {}", self.worst(), self.name)
    }
}

/// Returns the row of a case. The test program allocates, too, when another test starts or ends, so bad measurements
/// are repeated.
fn row(turn: &Turn, case: &Case, most: f64) -> Row {
    let first = Row::count(turn, case);
    (0..2).fold(first, |row, _| match row.worst() > most {
        true => Some(Row::count(turn, case)).filter(|again| again.worst() < row.worst()).unwrap_or(row),
        false => row,
    })
}

/// Tests of cases whose work is linear.
macro_rules! linear {
    ($($name:ident: $cases:expr;)*) => {
        $(
            #[test]
            fn $name() {
                linear($cases);
            }
        )*
    };
}

linear! {
    of_nested_sources: cases::parsing::nests();
    of_sources_with_mistakes: cases::parsing::mistakes();
    of_long_lines_and_many_regions: cases::parsing::long();
    of_diagnostics_that_are_shown: cases::parsing::shown();
    of_json_documents: cases::json::documents();
    of_json_documents_with_mistakes: cases::json::mistakes();
    of_bodies: cases::bodies::all();
    of_conversions_to_the_other_syntax: cases::bodies::converted();
    of_definitions: cases::definitions::all();
    of_loops: cases::evaluation::loops();
    of_large_expressions: cases::evaluation::large();
    of_long_texts: cases::evaluation::texts();
    of_operations_on_values: cases::model::all();
    of_many_different_types: cases::types::many();
    of_addresses_and_queries: cases::addresses::all();
    of_differences_and_merges: cases::differences::all();
    of_edits: cases::edits::all();
    of_layouts_of_yaml: cases::functions::layouts();
}

/// A level may examine everything inside it. Work that doubles with each level would take longer than the age of the
/// universe at the limit of nesting, and 1,024 times as much here.
#[test]
fn of_levels() {
    at_most(5.0, 0.0, cases::evaluation::levels());
}

#[test]
fn of_functions() {
    // Allocations of the preparation would count for other tests.
    let turn = Turn::take();
    let (all, digits) = (cases::functions::linear(), cases::functions::digits());
    drop(turn);
    linear(all);
    at_most(3.5, 0.02, digits);
}

/// No function is left out.
#[test]
fn each_function_has_large_arguments_or_takes_none() {
    use cases::functions::{arguments, entries};
    // Its allocations would count for other tests.
    let _turn = Turn::take();
    // Their arguments cannot be large, or they only call the host, or they pass a large argument to a single call of
    // the standard library, such as a search, a comparison or a hash: there is no loop to count.
    let tables = ["functions of small values", "functions of one call"];
    let small: Vec<&str> = tables.into_iter().flat_map(inputs::texts).collect();
    for (set, entry) in entries() {
        let name = entry.name();
        let left_out = small.contains(&name) || name == "convert";
        assert!(arguments(name, set, 2).is_some() || left_out || name == "index", "{name}");
    }
}

/// Unification and conversion ask about the parts of types again and again.
#[test]
fn of_types_that_nest() {
    // One-time work of the whole program must not count, here or in other tests.
    let cases = {
        let _turn = Turn::take();
        cases::types::deep()
    };
    linear(cases);
}

#[test]
fn of_loops_in_loops_that_are_not_entered() {
    let steps = Turn::take().count(cases::evaluation::loops_in_loops());
    // Three times a thousand elements, with some steps for each; not their product.
    assert!(steps < 100_000, "{steps} steps");
}

#[test]
fn of_schemas() {
    at_most(3.0, 0.0, cases::schemas::all());
}
