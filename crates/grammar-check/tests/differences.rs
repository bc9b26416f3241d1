//! The differences between the grammars and their changes in `tests/fixtures/grammar/differences`.

use std::fs;

use hcl_lr_grammar_check::{Difference, Grammar, check, differences, grammars_in, readings};

#[path = "../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../tests/support/golden.rs"]
mod golden;

/// The length up to which sentences of the grammars of the project are compared completely.
const MIN_COMPLETE: usize = 4;

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
        let comparison = differences(&old, &new, 8).expect("two grammars");
        let found = &comparison.differences;
        let is_one_sided = found.iter().any(|difference| !matches!(difference, Difference::Trees(..)));
        assert_eq!(comparison.has_shortest(), is_one_sided, "{}", case.place());
        // The readings are counted without an automaton.
        for difference in found {
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
        let comparison = differences(&grammar, &grammar, 8).expect("a grammar");
        assert_eq!(comparison.differences, []);
        assert!(comparison.complete >= MIN_COMPLETE, "{}: {}", grammar.name, comparison.complete);
    }
}

/// What is said about lengths holds for random grammars, whose sentences are all tried.
#[test]
fn the_shortest_differences_are_found() {
    const TERMINALS: [&str; 3] = ["a", "b", "c"];
    const LENGTH: usize = 5;
    let (mut pairs, mut shortest, mut equal) = (0, 0, 0);
    for seed in 0..400 {
        let texts = [0, 1].map(|part| random_grammar(seed, part));
        let [old, new] = texts.each_ref().map(|text| Grammar::read("expression", text).expect("a grammar"));
        let is_free = |grammar: &Grammar| check(grammar).is_ok_and(|causes| causes.is_empty());
        if !is_free(&old) || !is_free(&new) {
            continue;
        }
        pairs += 1;
        let comparison = differences(&old, &new, 5).expect("two grammars");
        let mut sentences = vec![Vec::new()];
        let mut tried = vec![Vec::new()];
        for _ in 0..LENGTH {
            sentences = sentences
                .iter()
                .flat_map(|sentence: &Vec<&str>| TERMINALS.map(|next| [sentence.as_slice(), &[next]].concat()))
                .collect();
            tried.extend(sentences.iter().cloned());
        }
        let is_in = |grammar: &Grammar, sentence: &[&str]| readings(grammar, "R0", sentence, 1) == 1;
        let differing = tried.iter().find(|sentence| is_in(&old, sentence) != is_in(&new, sentence)).map(Vec::len);
        let one_sided = |difference: &&Difference| !matches!(difference, Difference::Trees(..));
        let found = comparison.differences.iter().filter(one_sided).map(|found| found.sentence().len()).min();
        match (differing, found) {
            (Some(length), Some(found)) if comparison.has_shortest() => {
                assert_eq!(found, length, "{texts:?}");
                shortest += 1;
            }
            (Some(length), _) => assert!(length > comparison.complete, "{texts:?}"),
            (None, found) => {
                assert!(found.is_none_or(|found| found > LENGTH), "{texts:?}");
                equal += 1;
            }
        }
    }
    assert!(pairs > 20 && shortest > 10 && equal > 0, "{pairs} pairs, {shortest} shortest, {equal} equal");
}

/// A grammar of three rules. Both parts of a pair share their first rules.
fn random_grammar(seed: u64, part: u64) -> String {
    let mut text = "grammar;\nextern { enum Token { \"a\" => A, \"b\" => B, \"c\" => C, } }\n".to_owned();
    for rule in 0..3 {
        let own = if rule == 2 { part } else { 0 };
        let mut state = (seed * 8 + rule * 2 + own + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
        let mut below = |end: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
        };
        text += &format!("{}R{rule}: () = {{\n", if rule == 0 { "pub " } else { "" });
        for alternative in 0..1 + below(3) {
            let symbols: Vec<String> = (0..1 + below(3))
                .map(|_| match below(5) {
                    // The first alternative has no rule up to its own, so that each rule has sentences.
                    0 | 1 if alternative > 0 => format!("R{}", below(3)),
                    2 if rule < 2 => format!("R{}", rule + 1),
                    _ => format!("\"{}\"", ["a", "b", "c"][below(3) as usize]),
                })
                .collect();
            text += &format!("    {} => (),\n", symbols.join(" "));
        }
        text += "};\n";
    }
    text
}
