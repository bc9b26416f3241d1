//! Every message that a person can see stands in a fixture, as it is shown.
//!
//! A case of `fixtures/diagnostics` is a source with something wrong in it, and the `messages` that are printed for it. The
//! kind of the source is `hcl` for a configuration file, `expr` for an expression, `tmpl` for a template, `path` for a
//! traversal, `json` for a body in JSON. If the name of a case begins with `strict-`, it is read in the strict dialect.
//!
//! A case of `fixtures/broken` is a realistic file with mistakes that people make. `slips` has the
//! line of each with a description, `fixed` the file without them. Every slip must be reported
//! at its line, and nothing else.

use std::collections::BTreeSet;

use crate::support::cases::Case;
use crate::support::golden::{self, Golden, cases, fixtures};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::source::Source;
use hcl_lr::{Dialect, File, ParseOptions, parse};

/// Returns the diagnostics of a case, parsed as the kind of its source.
fn diagnose(case: &Case) -> Diagnostics {
    let input = &case.fences[0];
    let name = case.file_name(input);
    let source = Source::from_bytes(&name, input.bytes.clone());
    let dialect = if name.starts_with("strict-") { Dialect::Strict } else { Dialect::Engine };
    let options = ParseOptions::new().with_dialect(dialect);
    match input.kind.as_str() {
        "expr" => options.parse::<hcl_lr::Expression>(source).into_parts().1,
        "tmpl" => options.parse::<hcl_lr::Template>(source).into_parts().1,
        "path" => options.parse::<hcl_lr::Traversal>(source).into_parts().1,
        "json" => options.parse::<hcl_lr::ConfigFile>(source).into_parts().1,
        "hcl" => options.parse::<hcl_lr::File>(source).into_parts().1,
        other => panic!("{}: {other} is not a kind of source", case.place()),
    }
}

#[test]
fn messages_are_as_recorded() {
    let mut golden = Golden::new();
    for case in cases("diagnostics").iter().chain(&cases("broken")) {
        golden.check_case(case, "messages", &diagnose(case).render());
    }
    golden.finish();
}

#[test]
fn every_kind_of_message_has_a_fixture() {
    let mut missing: BTreeSet<Code> = Code::ALL.iter().cloned().collect();
    // These files are compared with the actual output by the tests that they belong to.
    for path in fixtures("", &["txt", "md"]) {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        missing.retain(|code| !text.contains(&format!("[{code}]: ")));
    }
    // The output of commands, and the messages that are the same for both syntaxes.
    for path in fixtures("cli", &["txt"]).into_iter().chain(fixtures("twins", &["md"])) {
        let text = std::fs::read_to_string(path).expect("a fixture is text");
        missing.retain(|code| !text.contains(&format!("error[{code}]")));
    }
    // The pages of `hcl explain`, whose output is compared too.
    let explained = std::fs::read_dir(golden::root().join("src/diagnostic/explain")).expect("the explanations");
    let explained = explained.map(|entry| entry.expect("a readable entry").path());
    for path in explained {
        let text = std::fs::read_to_string(path).expect("a fixture is text");
        missing.retain(|code| !text.contains(&format!("[{code}]: ")));
    }
    // It needs a source that is too large for a fixture.
    missing.remove(&Code::SourceTooLarge);
    assert!(missing.is_empty(), "no fixture shows {missing:?}");
}

#[test]
fn every_slip_of_a_realistic_file_is_reported() {
    let mut wrong = Vec::new();
    let cases = cases("broken");
    for case in &cases {
        let slips = case.text("slips").lines();
        let number = |line: &str| line.split(':').next().unwrap_or_default().parse().expect("a line number");
        let mut expected: Vec<usize> = slips.map(number).collect();
        expected.sort_unstable();
        let diagnostics = diagnose(case);
        let reported: Vec<usize> = diagnostics.iter().map(|diagnostic| diagnostic.position().line).collect();
        if reported != expected {
            wrong.push(format!("{}: slips in {expected:?}, reported {reported:?}", case.place()));
        }
        let fixed = case.find("fixed").expect("the fixed file");
        if let Err(diagnostics) = parse::<File>(("fixed", fixed.text())).into_result() {
            wrong.push(format!("{}: the fixed file is rejected: {diagnostics}", case.place()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() >= 40, "there are {} files", cases.len());
}

#[test]
fn errors_are_limited_in_number() {
    // Ten bytes a line, with one error each: first those of the grammars, then those of the lexer.
    let line = |index: usize| if index < 50 { format!("a{index:02} = = 1\n") } else { format!("b{index:02} = '1'\n") };
    let text: String = (0..100).map(line).collect();
    let options = ParseOptions::new().max_errors(20);
    let diagnostics = options.parse::<hcl_lr::File>(("many", text)).into_parts().1;
    assert_eq!(diagnostics.len(), 21);
    let last = diagnostics.iter().last().expect("the last of them");
    assert_eq!((last.code(), last.span().start()), (&Code::TooManyErrors, 20 * 10 + 6));
}
