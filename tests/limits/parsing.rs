//! No input may hang, crash, or overflow the stack, however it is nested, cut, or mutated.
//!
//! Everything runs on threads with a stack of 2 MiB. What takes more than linear work would hardly come
//! to an end here; how the work grows is counted in `tests/growth`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::invariants;
use crate::limits::on_small_stack;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{BodyNode, ExpressionNode, TemplateNode, TreeDump, Visitor, Walk};
use hcl_lr_conformance::{body_to_json, expression_to_json, template_to_json};

/// The number of levels for which no stack of 2 MiB has room for a call each.
const MANY: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Config,
    Expression,
    Template,
}
use Entry::{Config, Expression as Expr, Template as Tmpl};

/// Counts what it visits.
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
        Config => {
            let (file, diagnostics) = options.parse::<hcl_lr::File>(source).into_parts();
            match then {
                Then::Drop => {}
                Then::Dump => drop((format!("{file:?}"), TreeDump::of_file(&file).to_string())),
                Then::Walk => file.body().walk(&mut count),
                Then::Json => drop(body_to_json(file.body())),
            }
            diagnostics
        }
        Expr => {
            let (expression, diagnostics) = options.parse::<hcl_lr::Expression>(source).into_parts();
            match then {
                Then::Drop => {}
                Then::Dump => drop(format!("{expression:?}")),
                Then::Walk => expression.as_native().expect("it is native").walk(&mut count),
                Then::Json => drop(expression_to_json(expression.as_native().expect("it is native"))),
            }
            diagnostics
        }
        Tmpl => {
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

/// Something that nests: what opens, what is in the middle, what closes, and the errors of many of them.
struct Nest {
    entry: Entry,
    before: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
    after: &'static str,
    errors: usize,
    /// The number of levels of nesting in each.
    levels: usize,
}

const fn nest(entry: Entry, open: &'static str, middle: &'static str, close: &'static str) -> Nest {
    Nest { entry, before: "", open, middle, close, after: "", errors: 1, levels: 1 }
}

const fn in_attribute(open: &'static str, middle: &'static str, close: &'static str) -> Nest {
    Nest { before: "a = ", after: "\n", ..nest(Config, open, middle, close) }
}

const NESTS: &[Nest] = &[
    in_attribute("(", "1", ")"),
    in_attribute("[", "1", "]"),
    in_attribute("{ a = ", "1", "}"),
    in_attribute("f(", "1", ")"),
    in_attribute("a[", "1", "]"),
    in_attribute("[for x in ", "y", ": x]"),
    in_attribute("-", "1", ""),
    in_attribute("!", "true", ""),
    in_attribute("a ? b : ", "c", ""),
    in_attribute("a ? ", "c", " : d"),
    in_attribute("", "a", "[*]"),
    Nest { errors: 0, levels: 0, ..in_attribute("", "a", ".b") },
    Nest { errors: 0, levels: 0, ..in_attribute("", "a", "[0]") },
    Nest { errors: 0, levels: 0, ..in_attribute("", "a", "[b]") },
    Nest { errors: 0, levels: 0, ..in_attribute("", "a", ".0.b") },
    Nest { levels: 0, ..in_attribute("", "a", ".*") },
    Nest { errors: 0, levels: 0, ..in_attribute("", "1", " + 1") },
    Nest { errors: 0, levels: 0, ..in_attribute("", "1", " == 2 && x || -3 * y") },
    Nest { levels: 2, ..in_attribute("\"${", "1", "}\"") },
    nest(Config, "b {\n", "a = 1\n", "}\n"),
    nest(Expr, "(", "1", ")"),
    nest(Expr, "[", "1", "]"),
    nest(Expr, "{\n a = ", "1", "\n}"),
    nest(Expr, "-", "1", ""),
    nest(Expr, "a ? b : ", "c", ""),
    Nest { levels: 2, ..nest(Expr, "\"${", "1", "}\"") },
    Nest { errors: 0, levels: 0, ..nest(Expr, "", "1", "\n+ 1") },
    Nest { levels: 2, ..nest(Tmpl, "${\"", "a", "\"}") },
    Nest { errors: 0, levels: 0, ..nest(Tmpl, "", "a", "${b}") },
];

const DIRECTIVES: &[Nest] = &[
    nest(Tmpl, "%{if x}", "a", "%{endif}"),
    nest(Tmpl, "%{for a in b}", "a", "%{endfor}"),
    Nest { before: "a = <<EOT\n", after: "\nEOT\n", ..nest(Config, "%{if x}", "a", "%{endif}") },
];

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
    many(NESTS, Nest::closed, |nest| nest.errors);
}

#[test]
fn levels_without_number_that_are_not_closed_are_one_error() {
    many(NESTS, Nest::unclosed, |_| 1);
}

#[test]
fn directives_without_number_are_one_error() {
    many(DIRECTIVES, Nest::closed, |_| 1);
    // A heredoc that is not closed either is a second one.
    many(DIRECTIVES, Nest::unclosed, |nest| if nest.after.is_empty() { 1 } else { 2 });
}

fn many(nests: &[Nest], text: fn(&Nest, usize) -> String, expected: fn(&Nest) -> usize) {
    let mut wrong = Vec::new();
    for nest in nests {
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

/// Further nests, in which each level may need more than one step of a walk.
const MIXED: &[Nest] = &[
    in_attribute("1 + (", "1", ")"),
    in_attribute("!a || [", "1", "][0]"),
    in_attribute("{ (", "1", ") = 2 }"),
    in_attribute("{ a = 1 + f(", "1", ") }"),
    in_attribute("a ? (", "1", ") : 2"),
    in_attribute("[for x in y : x if ", "true", "]"),
    in_attribute("{ for x in y : x => ", "z", " }"),
    Nest { levels: 2, ..in_attribute("\"a${", "1", "}\"") },
    Nest { levels: 2, ..in_attribute("[\"a%{ if ", "b", " }c%{ endif }\"]") },
];

/// Runs `check` on a small stack with a text of each nest that has just as many levels as are
/// allowed, and with one that has more.
fn at_the_limit(then: Then) {
    let pure = NESTS.iter().map(|nest| (nest, true));
    let mixed = MIXED.iter().map(|nest| (nest, false));
    for (nest, pure) in pure.chain(mixed).filter(|(nest, _)| nest.levels > 0) {
        let (entry, name) = (nest.entry, nest.open);
        // Levels of different kinds in one count together, and some of them more than one.
        let limit = ParseOptions::default().get_max_nesting() as usize;
        let fits = (1..).map(move |parts| limit / parts - 2).map(|count| nest.closed(count));
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
        let diagnostics = on_small_stack(move || parse(Config, text, then));
        assert!(diagnostics.is_empty(), "{link:?}: {diagnostics:?}");
    }
}

/// The number of reports of each kind of mistake is limited, however many mistakes there are.
#[test]
fn garbage_in_great_numbers_is_reported_up_to_a_limit() {
    const GARBAGE: &[&str] =
        &["@", "'", ")", "]", "}", "\"\n", "<<X\n", "/*", "$", "\\", "é", "\u{1a}", "“", ":=", "\n"];
    const OPENERS: &[(Entry, &str)] = &[
        (Config, ""),
        (Config, "a = "),
        (Config, "a = ("),
        (Config, "b {\n"),
        (Config, "b {"),
        (Expr, "["),
        (Expr, "{ a = "),
        (Expr, "f("),
        (Expr, "\"${"),
        (Expr, "- "),
        (Expr, "a ? b : "),
        (Tmpl, "${"),
        (Tmpl, "%{ if x "),
    ];
    for garbage in GARBAGE {
        for &(entry, opener) in OPENERS {
            let piece = format!("{opener}{garbage}");
            let (errors, _) = errors(entry, piece.repeat(10_000));
            assert!(errors <= ParseOptions::default().get_max_errors() * 3, "{piece:?}: {errors} errors");
        }
    }
}

type Check = fn(&[u8]);

/// All fixtures, as bytes, with the check for their kind.
fn fixtures() -> Vec<(PathBuf, Vec<u8>, Check)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")];
    let mut fixtures: Vec<(PathBuf, Vec<u8>, Check)> = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten();
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let check: Check = match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => {
                    folders.push(path);
                    continue;
                }
                Some("hcl" | "tf") => invariants::config,
                Some("tmpl") => invariants::template,
                _ => continue,
            };
            let bytes = fs::read(&path).expect("a fixture");
            fixtures.push((path, bytes, check));
        }
    }
    fixtures.sort();
    fixtures
}

/// The checks of all accessors need a stack of their own at the limit of nesting.
const STACK_OF_CHECKS: usize = 64 << 20;

/// Runs a check for each fixture, on as many threads as the machine has, and says in which fixture
/// it fails.
fn for_each_fixture(run: fn(&[u8], Check, u64)) {
    let (fixtures, next) = (fixtures(), AtomicUsize::new(0));
    let work = || {
        let mut failed = Vec::new();
        while let Some((path, bytes, check)) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
            if std::panic::catch_unwind(|| run(bytes, *check, bytes.len() as u64)).is_err() {
                failed.push(path.display().to_string());
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

/// The part of the work of the tests that cut and change fixtures: one of so many inputs is tried. `HCL_LR_THOROUGH=1` tries
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
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
        for _ in 0..40_usize.div_ceil(share()) {
            let mut mutated = bytes.to_vec();
            for _ in 0..=random.below(3) {
                mutate(&mut mutated, &mut random);
            }
            check(&mutated);
        }
    });
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

const INTERESTING: &[&str] = &[
    "${",
    "${~",
    "~}",
    "%{ if x }",
    "%{ else }",
    "%{ endif }",
    "%{ for k, v in m }",
    "%{ endfor }",
    "%{",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "<<EOT\n",
    "<<-EOT\n",
    "\nEOT\n",
    "/*",
    "*/",
    "//",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "=",
    "=>",
    "==",
    ":",
    "::",
    ":=",
    "?",
    ",",
    ".",
    "...",
    ".*",
    "[*]",
    ".0",
    "1e999999999",
    "0x1",
    "1.",
    "for x in y : ",
    "for ",
    " in ",
    " if ",
    "-",
    "!",
    "&",
    "&&",
    "|",
    "~",
    "\\",
    "\\u12",
    "\\U0010FFFF",
    "$",
    "$${",
    "%%{",
    "@",
    "é",
    "e\u{301}",
    "“",
    "\u{feff}",
    "\0",
    "\u{1a}",
    "a = 1\n",
    "b \"l\" {\n",
    "b { a = 1 }\n",
    "true",
    "null",
    "endif",
    "Ω",
    "👋🏽",
];

/// Deletes, repeats, or replaces some bytes, or inserts a token.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let start = random.below(bytes.len() + 1);
    let end = (start + random.below(12)).min(bytes.len());
    let token = INTERESTING[random.below(INTERESTING.len())].bytes();
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
