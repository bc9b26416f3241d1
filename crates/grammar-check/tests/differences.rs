//! The differences between the grammars and their changes in `tests/fixtures/grammar/differences`.

use std::fs;

use hcl_lr_grammar_check::{Difference, Grammar, differences, grammars_in, readings};

#[path = "../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../tests/support/golden.rs"]
mod golden;

/// The old and the new grammar of a case.
fn grammars_of(case: &cases::Case) -> [Grammar; 2] {
    let file = case.fences[0].file.as_deref().expect("the file that is changed");
    let name = ["body", "expression", "template"].into_iter().find(|name| file == format!("{name}.lalrpop"));
    let old = fs::read_to_string(golden::root().join("grammar").join(file)).expect("a grammar");
    let mut new = old.clone();
    let texts: Vec<&str> =
        case.of_kinds(&["before", "after"]).map(|fence| fence.text().trim_end_matches('\n')).collect();
    for change in texts.chunks(2) {
        assert_eq!(old.matches(change[0]).count(), 1, "{}: not once in the grammar", case.place());
        new = new.replace(change[0], change[1]);
    }
    [old, new].map(|text| Grammar::read(name.expect("a grammar"), &text).expect("a grammar"))
}

#[test]
fn differences_are_as_recorded() {
    let mut golden = golden::Golden::new();
    for case in golden::cases("grammar/differences") {
        let [old, new] = grammars_of(&case);
        let found = differences(&old, &new, 8).expect("two grammars");
        // The readings are counted without an automaton.
        for difference in &found {
            let sentence: Vec<&str> =
                ["separator"].into_iter().chain(difference.sentence().iter().map(String::as_str)).collect();
            let is_read = [&old, &new].map(|grammar| {
                let start = grammar.rules.iter().find(|rule| rule.public).expect("a start");
                readings(grammar, &start.name, &sentence, 1) == 1
            });
            let wanted = match difference {
                Difference::OnlyOld(_) => [true, false],
                Difference::OnlyNew(_) => [false, true],
                _ => [true, true],
            };
            assert_eq!(is_read, wanted, "{}: {sentence:?}", case.place());
        }
        golden.check_case(&case, "differences", &found.iter().map(Difference::shown).collect::<String>());
    }
    golden.finish();
}

#[test]
fn a_grammar_is_like_itself() {
    for grammar in grammars_in(&golden::root().join("grammar")).expect("the grammars") {
        assert_eq!(differences(&grammar, &grammar, 8), Ok(Vec::new()));
    }
}
