//! The reports about the grammars in `tests/fixtures/grammar/conflicts`. LALRPOP is the judge of what is a conflict, and the
//! readings of each sentence are counted without an automaton.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hcl_lr_grammar_check::{Cause, Grammar, Help, check, grammars_in, readings};

#[path = "../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../tests/support/golden.rs"]
mod golden;

const MAX_LINES: usize = 40;

fn folder() -> PathBuf {
    golden::root().join("grammar")
}

/// A grammar with its name and its text.
fn read(name: &'static str, text: &str) -> (Grammar, Vec<Cause>) {
    let grammar = Grammar::read(name, text).unwrap_or_else(|why| panic!("{why}"));
    let causes = check(&grammar).unwrap_or_else(|why| panic!("{why}"));
    (grammar, causes)
}

/// The grammar of a case: its name, and its text.
fn grammar_of(case: &cases::Case) -> (&'static str, String) {
    let Some(before) = case.find("before") else { return ("expression", case.text("lalrpop").to_owned()) };
    let file = before.file.as_deref().expect("the file that is changed");
    let name = ["body", "expression", "template"].into_iter().find(|name| file == format!("{name}.lalrpop"));
    let text = fs::read_to_string(folder().join(file)).expect("a grammar");
    // A part of a line may be changed.
    let [before, after] = [before.text(), case.text("after")].map(|text| text.trim_end_matches('\n'));
    assert_eq!(text.matches(before).count(), 1, "{}: not once in the grammar", case.place());
    (name.expect("a grammar"), text.replace(before, after))
}

/// Returns true if LALRPOP makes a parser of a grammar.
fn is_compiled(test: &str, name: &str, text: &str) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a writable folder");
    let file = folder.join(format!("{name}.lalrpop"));
    fs::write(&file, text).expect("a writable file");
    let is_compiled = lalrpop::Configuration::new().log_quiet().set_out_dir(&folder).process_file(&file).is_ok();
    fs::remove_dir_all(&folder).expect("a writable folder");
    is_compiled
}

/// Runs a test in a process of its own, since LALRPOP prints reports that no test can capture. Returns true in that process.
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "HCL_LR_CONFLICTS_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().expect("the test program"));
    let output = command.args(["--exact", test, "--nocapture"]).env(ALONE, "1").output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stdout));
    text.lines().filter(|line| line.starts_with("grammars:")).for_each(|line| eprintln!("{line}"));
    false
}

#[test]
fn reports_are_as_recorded() {
    let mut golden = golden::Golden::new();
    let mut ambiguous = 0;
    for case in golden::cases("grammar/conflicts") {
        let (name, text) = grammar_of(&case);
        let (grammar, causes) = read(name, &text);
        for cause in &causes {
            let lines = cause.text.lines().count();
            assert!(lines <= MAX_LINES, "{}: a report has {lines} lines", case.place());
            if let Some((rule, terminals)) = &cause.ambiguous {
                let terminals: Vec<&str> = terminals.iter().map(String::as_str).collect();
                assert_eq!(readings(&grammar, rule, &terminals, 2), 2, "{}: {rule}: {terminals:?}", case.place());
                ambiguous += 1;
            }
        }
        let texts: Vec<&str> = causes.iter().map(|cause| cause.text.as_str()).collect();
        golden.check_case(&case, "report", &texts.join("\n"));
    }
    assert!(ambiguous >= 12, "{ambiguous}");
    golden.finish();
}

/// LALRPOP rejects exactly the grammars with a report. Its own reports are long, so only the small grammars are compared.
#[test]
fn lalrpop_agrees() {
    if !is_alone("lalrpop_agrees") {
        return;
    }
    let cases = golden::cases("grammar/conflicts");
    let small = cases.iter().filter(|case| case.find("lalrpop").is_some());
    let mut compiled = 0;
    for case in small {
        let (name, text) = grammar_of(case);
        let is_free = read(name, &text).1.is_empty();
        assert_eq!(is_compiled("small", name, &text), is_free, "{}", case.place());
        compiled += usize::from(is_free);
    }
    assert!(compiled >= 2);
}

/// The grammars of the project have no conflicts.
#[test]
fn the_grammars_have_no_conflicts() {
    for grammar in grammars_in(&folder()).expect("the grammars") {
        let causes = check(&grammar).expect("a grammar");
        assert!(causes.is_empty(), "{}", causes[0].text);
    }
}

/// The same for random grammars, which the seeds decide. `HCL_LR_RANDOM_GRAMMARS=500` tries more.
#[test]
fn lalrpop_agrees_on_random_grammars() {
    if !is_alone("lalrpop_agrees_on_random_grammars") {
        return;
    }
    let count = std::env::var("HCL_LR_RANDOM_GRAMMARS").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let (mut free, mut ambiguous, mut undecided) = (0, 0, 0);
    for seed in 0..count {
        let text = random_grammar(seed);
        let (grammar, causes) = read("expression", &text);
        assert_eq!(is_compiled("random", "expression", &text), causes.is_empty(), "{text}");
        free += u32::from(causes.is_empty());
        for cause in causes {
            let Some((rule, terminals)) = cause.ambiguous else {
                undecided += 1;
                continue;
            };
            let terminals: Vec<&str> = terminals.iter().map(String::as_str).collect();
            assert_eq!(readings(&grammar, &rule, &terminals, 2), 2, "{rule}: {terminals:?}\n{text}");
            ambiguous += 1;
        }
    }
    eprintln!("grammars: {count}, {free} without conflicts, {ambiguous} ambiguous causes, {undecided} others");
    assert!(free > 5 && ambiguous > 5, "{free} without conflicts, {ambiguous} ambiguous causes");
}

fn random_grammar(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
    let mut below = |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    };
    let mut text = "grammar;\nextern { enum Token { \"a\" => A, \"b\" => B, \"c\" => C, \"d\" => D, } }\n".to_owned();
    for rule in 0..4 {
        let head = if rule == 0 { "pub R0" } else { ["", "R1", "R2", "R3"][rule] };
        text += &format!("{head}: () = {{\n");
        for alternative in 0..1 + below(3) {
            // The first alternative has no rule before its own, so that each rule has sentences.
            let length = if alternative == 0 { 1 + below(3) } else { below(4) };
            let symbols: Vec<String> = (0..length)
                .map(|_| match below(5) {
                    0 | 1 if alternative > 0 || rule < 3 => {
                        let least = if alternative == 0 { rule as u64 + 1 } else { 0 };
                        format!("R{}", least + below(4 - least))
                    }
                    _ => format!("\"{}\"", ["a", "b", "c", "d"][below(4) as usize]),
                })
                .collect();
            let symbols = symbols.join(" ");
            text += &if symbols.is_empty() { "    => (),\n".to_owned() } else { format!("    {symbols} => (),\n") };
        }
        text += "};\n";
    }
    text
}

/// The guide explains each way out.
#[test]
fn the_guide_has_each_way_out() {
    let guide = fs::read_to_string(folder().join("README.md")).expect("the guide");
    let missing: Vec<&str> =
        Help::ALL.into_iter().map(Help::title).filter(|title| !guide.contains(&format!("#### {title}\n"))).collect();
    assert!(missing.is_empty(), "grammar/README.md has no heading for {missing:?}");
}
