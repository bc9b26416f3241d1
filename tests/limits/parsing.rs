//! No input may hang, crash, or overflow the stack, however it is nested, cut, or mutated.
//!
//! Everything runs on threads with a stack of 2 MiB. Superlinear work would hardly finish here; `tests/growth` counts
//! how the work grows.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::on_small_stack;
use crate::{cases, inputs, invariants};
use differential::Random;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{BodyNode, ExpressionNode, TemplateNode, TreeDump, Visitor, Walk};
use hcl_lr_conformance::{body_to_json, expression_to_json, template_to_json};

/// The number of levels for which no stack of 2 MiB has room for a call each.
const MANY: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    File,
    Expression,
    Template,
}

impl Entry {
    fn named(name: &str) -> Entry {
        let all = [Entry::File, Entry::Expression, Entry::Template];
        all.into_iter().find(|entry| format!("{entry:?}") == name).expect("an entry")
    }
}

/// Counts the visited nodes.
#[derive(Default)]
struct Count(usize);

impl<'t> Visitor<'t> for Count {
    fn visit_body(&mut self, _: BodyNode<'t>) -> Walk {
        self.0 += 1;
        Walk::Into
    }

    fn visit_expression(&mut self, _: ExpressionNode<'t>) -> Walk {
        self.0 += 1;
        Walk::Into
    }

    fn visit_template(&mut self, _: TemplateNode<'t>) -> Walk {
        self.0 += 1;
        Walk::Into
    }
}

/// The work done with a parsed result before it is dropped.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    Drop,
    Dump,
    Walk,
    Json,
}

fn parse(entry: Entry, text: String, then: Then) -> Diagnostics {
    let (source, options) = (Source::new("input.hcl", text), ParseOptions::default());
    let mut count = Count::default();
    match entry {
        Entry::File => {
            let (file, diagnostics) = options.parse::<hcl_lr::File>(source).into_parts();
            match then {
                Then::Drop => {}
                Then::Dump => drop((format!("{file:#?}"), TreeDump::of_file(&file).to_string())),
                Then::Walk => file.body().walk(&mut count),
                Then::Json => drop(body_to_json(file.body())),
            }
            diagnostics
        }
        Entry::Expression => {
            let (expression, diagnostics) = options.parse::<hcl_lr::Expression>(source).into_parts();
            match then {
                Then::Drop => {}
                Then::Dump => drop(format!("{expression:?}")),
                Then::Walk => expression.as_native().expect("it is native").walk(&mut count),
                Then::Json => drop(expression_to_json(expression.as_native().expect("it is native"))),
            }
            diagnostics
        }
        Entry::Template => {
            let (template, diagnostics) = options.parse::<hcl_lr::Template>(source).into_parts();
            let template = template.as_template().expect("it is a template");
            match then {
                Then::Drop => {}
                Then::Dump => drop(TreeDump::of_file(&template.file()).to_string()),
                Then::Walk => template.walk(&mut count),
                Then::Json => drop(template_to_json(template)),
            }
            diagnostics
        }
    }
}

/// The number of errors, and the first one.
fn errors(entry: Entry, text: String) -> (usize, String) {
    on_small_stack(move || {
        let diagnostics = parse(entry, text, Then::Drop);
        let first = diagnostics.iter().next().map(|first| format!("{}: {}", first.code().as_str(), first.detail()));
        (diagnostics.errors().count(), first.unwrap_or_default())
    })
}

/// A nested construct: its start, its middle and its end.
#[derive(Clone, Copy)]
struct Nest {
    entry: Entry,
    before: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
    after: &'static str,
    /// The number of levels of nesting in each; none of directives.
    levels: Option<usize>,
    /// The errors of many of them; none is given for those in which each level may need more than one step of a walk.
    errors: Option<usize>,
}

/// All that nests, expressions as attributes of a file too, and directives in heredocs.
fn nests() -> Vec<Nest> {
    let mut nests = Vec::new();
    for [entry, open, middle, close, levels, errors] in inputs::rows("nests") {
        let (levels, errors) = (levels.parse().ok(), errors.parse().ok());
        let nest = Nest { entry: Entry::named(entry), before: "", open, middle, close, after: "", levels, errors };
        nests.push(nest);
        // A line end before an operator would end an attribute.
        if entry == "Expression" && !close.starts_with("\n+") {
            nests.push(Nest { entry: Entry::File, before: "a = ", after: "\n", ..nest });
        } else if levels.is_none() {
            nests.push(Nest { entry: Entry::File, before: "a = <<EOT\n", after: "\nEOT\n", ..nest });
        }
    }
    nests
}

impl Nest {
    fn closed(&self, count: usize) -> String {
        let Nest { before, open, middle, close, after, .. } = self;
        format!("{before}{}{middle}{}{after}", open.repeat(count), close.repeat(count))
    }

    fn unclosed(&self, count: usize) -> String {
        let Nest { before, open, .. } = self;
        format!("{before}{}", open.repeat(count))
    }
}

#[test]
fn levels_without_number_that_are_closed_are_one_error() {
    many(Nest::closed, |nest| nest.errors.expect("a number"));
}

#[test]
fn levels_without_number_that_are_not_closed_are_one_error() {
    // A heredoc that is not closed either is a second one.
    many(Nest::unclosed, |nest| if nest.before.contains("<<") { 2 } else { 1 });
}

fn many(text: fn(&Nest, usize) -> String, expected: fn(&Nest) -> usize) {
    let mut wrong = Vec::new();
    for nest in nests().iter().filter(|nest| nest.errors.is_some()) {
        let (name, expected) = (text(nest, 1), expected(nest));
        if nest.open.is_empty() && name == text(nest, 2) {
            continue;
        }
        let (errors, first) = errors(nest.entry, text(nest, MANY));
        if errors != expected {
            wrong.push(format!("{name:?}: {errors} errors instead of {expected}, the first {first:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs `check` on a small stack with a text of each nest that has just as many levels as are
/// allowed, and with one that has more.
fn at_the_limit(then: Then) {
    for nest in nests().into_iter().filter(|nest| nest.levels.is_some_and(|levels| levels > 0)) {
        let pure = nest.errors.is_some();
        let (entry, name) = (nest.entry, nest.open);
        // Levels of different kinds are counted together, and some count more than once.
        let limit = ParseOptions::default().get_max_nesting() as usize;
        let fits = (1..).map(move |parts| nest.closed(limit / parts - 2));
        let beyond = nest.closed(limit + 2);
        on_small_stack(move || {
            let fits = fits.map(|text| parse(entry, text, then)).take(4).find(Diagnostics::is_empty);
            assert!(fits.is_some(), "{name:?}");
            let diagnostics = parse(entry, beyond, then);
            // Mixed nests leave more than one error today.
            assert!(diagnostics.len() == 1 || !pure && !diagnostics.is_empty(), "{name:?}: {diagnostics:?}");
            assert_eq!(diagnostics.iter().next().expect("one").code().as_str(), "nesting-too-deep");
        });
    }
}

#[test]
fn at_the_limit_trees_can_be_dumped() {
    at_the_limit(Then::Dump);
}

#[test]
fn at_the_limit_trees_can_be_walked() {
    at_the_limit(Then::Walk);
}

#[test]
fn at_the_limit_trees_can_be_written_as_json() {
    at_the_limit(Then::Json);
}

/// Chains are not nesting, and must be walked without recursion.
#[test]
fn chains_of_a_hundred_thousand_can_be_walked() {
    for (middle, link) in [
        ("a", ".b"),
        ("a", "[0]"),
        ("f()", "[0]"),
        ("f()", ".b"),
        ("a", ".0.b"),
        ("1", " + 1"),
        ("1", " == 2 && x || -3 * y"),
    ] {
        chain(middle, link, &[Then::Walk, Then::Json]);
    }
    chain("a", "[b]", &[Then::Walk]);
    chain("f()", "[b]", &[Then::Walk]);
}

#[test]
fn chains_of_a_hundred_thousand_indexes_can_be_walked() {
    for link in ["[b]", "[b].c", "[b][0]"] {
        chain("a", link, &[Then::Walk, Then::Json]);
    }
}

fn chain(middle: &'static str, link: &'static str, each: &[Then]) {
    for &then in each {
        let text = format!("a = {middle}{}\n", link.repeat(MANY));
        let diagnostics = on_small_stack(move || parse(Entry::File, text, then));
        assert!(diagnostics.is_empty(), "{link:?}: {diagnostics:?}");
    }
}

/// The number of reports of each kind of mistake is limited, however many mistakes there are.
#[test]
fn garbage_in_great_numbers_is_reported_up_to_a_limit() {
    for garbage in inputs::texts("garbage") {
        for [entry, opener] in inputs::rows("before garbage") {
            let entry = Entry::named(entry);
            let piece = format!("{opener}{garbage}");
            let (errors, _) = errors(entry, piece.repeat(10_000));
            assert!(errors <= ParseOptions::default().get_max_errors() * 3, "{piece:?}: {errors} errors");
        }
    }
}

type Check = fn(&[u8]);

/// All fixtures, as bytes, with the check for their kind.
fn fixtures() -> Vec<(String, Vec<u8>, Check)> {
    let inputs = cases::inputs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    let check = |name: &str| -> Option<Check> {
        match () {
            () if cases::has_extension(name, &["hcl", "tf"]) => Some(invariants::config),
            () if cases::has_extension(name, &["tmpl"]) => Some(invariants::template),
            () => None,
        }
    };
    inputs.into_iter().filter_map(|(name, bytes)| check(&name).map(|check| (name, bytes, check))).collect()
}

/// The checks of all accessors need a stack of their own at the limit of nesting.
const STACK_OF_CHECKS: usize = 64 << 20;

/// Runs a check for each fixture, on all cores of the machine, and names the fixture in which it fails.
fn for_each_fixture(run: fn(&[u8], Check, u64)) {
    let (fixtures, next) = (fixtures(), AtomicUsize::new(0));
    let work = || {
        let mut failed = Vec::new();
        while let Some((name, bytes, check)) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
            if std::panic::catch_unwind(|| run(bytes, *check, bytes.len() as u64)).is_err() {
                failed.push(name.clone());
            }
        }
        failed
    };
    let failed: Vec<String> = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let spawn =
            |_| std::thread::Builder::new().stack_size(STACK_OF_CHECKS).spawn_scoped(scope, work).expect("a thread");
        let threads: Vec<_> = (0..count).map(spawn).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it catches panics")).collect()
    });
    assert!(failed.is_empty(), "the messages above tell the inputs; they were made of:\n{}", failed.join("\n"));
}

/// Returns the share of inputs to test when cutting and changing fixtures: one in this many. `HCL_LR_THOROUGH=1` tests
/// all, which takes minutes.
fn share() -> usize {
    if std::env::var_os("HCL_LR_THOROUGH").is_some() { 1 } else { 16 }
}

#[test]
fn fixtures_can_be_cut_at_every_byte() {
    for_each_fixture(|bytes, check, _| {
        // Only some bytes of a long text are tried, or its work would be that of all others together.
        let step = 1 + bytes.len() * bytes.len() / (1 << 19);
        // Texts of different lengths are cut at different bytes.
        let first = bytes.len() % share();
        (first..=bytes.len()).step_by(step * share()).for_each(|end| check(&bytes[..end]));
    });
}

#[test]
fn fixtures_can_be_parsed_as_anything() {
    for_each_fixture(|bytes, _, _| invariants::all(bytes));
}

#[test]
fn fixtures_can_be_mutated() {
    for_each_fixture(|bytes, check, seed| {
        let tokens: Vec<&str> = inputs::texts("tokens").collect();
        let mut random = Random::new(seed);
        for _ in 0..40_usize.div_ceil(share()) {
            let mut mutated = bytes.to_vec();
            for _ in 0..=random.below(3) {
                mutate(&mut mutated, &tokens, &mut random);
            }
            check(&mutated);
        }
    });
}

/// Deletes, repeats, or replaces some bytes, or inserts a token.
fn mutate(bytes: &mut Vec<u8>, tokens: &[&str], random: &mut Random) {
    let start = random.below(bytes.len() + 1);
    let end = (start + random.below(12)).min(bytes.len());
    let token = random.pick(tokens).bytes();
    match random.below(5) {
        0 => drop(bytes.drain(start..end)),
        1 => {
            let run = bytes[start..end].to_vec();
            drop(bytes.splice(end..end, run));
        }
        2 => (start..end).for_each(|at| bytes[at] = random.below(256) as u8),
        3 => drop(bytes.splice(start..end, token)),
        _ => drop(bytes.splice(start..start, token)),
    }
}
