//! Many definitions: on a small stack, in cycles, within limits.

use std::fmt::Write;

use hcl_lr::ConfigFile;
use hcl_lr::{Limits, Scope, Value, parse};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, References, Roles};

fn document(text: String) -> ConfigFile {
    parse::<ConfigFile>(("main.hcl", text)).into_result().expect("it parses")
}

/// The stack that threads have by default.
fn on_a_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        thread.spawn_scoped(scope, work).expect("a thread").join().expect("it does not fail")
    })
}

fn evaluate(text: String) -> Evaluated {
    let scope = Scope::new().with_limits(Limits::new().max_steps(1 << 40).max_bytes(1 << 40));
    Definitions::of(&Roles::attributes(), [document(text)]).into_value().evaluate(&scope)
}

#[test]
fn a_long_chain_works_on_a_small_stack_in_any_order() {
    const COUNT: usize = 100_000;
    on_a_small_stack(|| {
        let line = |n: usize| if n == 0 { "a0 = 1\n".to_owned() } else { format!("a{n} = a{} + 1\n", n - 1) };
        for text in [(0..COUNT).map(line).collect::<String>(), (0..COUNT).rev().map(line).collect()] {
            let evaluated = evaluate(text);
            assert!(evaluated.diagnostics().is_empty());
            assert_eq!(evaluated.get("a99999"), Some(Value::from(COUNT)));
        }
    });
}

#[test]
fn a_long_cycle_is_one_message() {
    const COUNT: usize = 100_000;
    on_a_small_stack(|| {
        let mut text: String = (0..COUNT).map(|n| format!("a{n} = a{} + 1\n", (n + 1) % COUNT)).collect();
        text += "b = a5 + 1\nc = 2\n";
        let evaluated = evaluate(text);
        assert_eq!(evaluated.diagnostics().len(), 1);
        let cycle = evaluated.diagnostics().first().expect("it");
        assert!(cycle.detail().contains("these 100000 definitions need each other"), "{}", cycle.detail());
        assert!(cycle.labels().len() < 20);
        assert!(!evaluated.get("b").expect("b").is_known());
        assert_eq!(evaluated.get("c"), Some(Value::from(2)));
    });
}

#[test]
fn many_cycles_are_a_message_each() {
    let text: String = (0..2_000).map(|n| format!("a{n} = b{n}\nb{n} = a{n}\nc{n} = a{n} + b{n}\n")).collect();
    let evaluated = evaluate(text);
    assert_eq!(evaluated.diagnostics().len(), 2_000);
    assert!(evaluated.diagnostics().iter().all(|diagnostic| diagnostic.code() == "definition-cycle"));
}

#[test]
fn one_that_needs_all_and_all_that_need_one() {
    const COUNT: usize = 20_000;
    on_a_small_stack(|| {
        let mut text = "one = 1\n".to_owned();
        let mut sum = "all = [one".to_owned();
        for n in 0..COUNT {
            writeln!(text, "a{n} = one + {n}").expect("it is written");
            write!(sum, ", a{n}").expect("it is written");
        }
        let evaluated = evaluate(format!("{sum}]\n{text}"));
        assert!(evaluated.diagnostics().is_empty());
        assert_eq!(evaluated.get("all").expect("it").elements().expect("a tuple").len(), COUNT + 1);
    });
}

#[test]
fn limits_hold_for_all_together() {
    let text: String = (0..1_000).map(|n| format!("a{n} = [for x in [1, 2, 3]: x]\n")).collect();
    let definitions = Definitions::of(&Roles::attributes(), [document(text)]).into_value();
    for threads in [1, 4] {
        let scope = Scope::new().with_limits(Limits::new().max_steps(5_000));
        let evaluated = definitions.evaluate_on(threads, &Inputs::new(), &scope);
        let codes: Vec<String> =
            evaluated.diagnostics().iter().map(|diagnostic| diagnostic.code().to_string()).collect();
        assert_eq!(codes, ["limit-exceeded"]);
    }
    // Blocks that are repeated take from the limits, too.
    let text = "resource \"a\" \"b\" {\n  count = 1000000000\n  x = count.index\n}\n";
    let definitions = Definitions::of(&crate::roles_of("terraform"), [document(text.to_owned())]).into_value();
    let evaluated = definitions.evaluate(&Scope::new().with_limits(Limits::new()));
    assert!(!evaluated.get("a.b").expect("it").is_known());
    let codes: Vec<String> = evaluated.diagnostics().iter().map(|diagnostic| diagnostic.code().to_string()).collect();
    assert_eq!(codes, ["limit-exceeded"]);
}

/// Defaults within types are evaluated when the files are read, where there is no scope. The default limits apply to
/// all of them together.
#[test]
fn defaults_of_all_types_share_the_limits() {
    let (tuple, numbers) = ("[], ".repeat(1_000), "1, ".repeat(2_300));
    let default = format!("[for n in [{numbers}]: n if [{tuple}] == n]");
    let codes = |count: usize| {
        let input =
            |n: usize| format!("variable \"v{n}\" {{\n  type = object({{ a = optional(any, {default}) }})\n}}\n");
        let text: String = (0..count).map(input).collect();
        let (_, problems) = Definitions::of(&crate::roles_of("terraform"), [document(text)]).into_parts();
        problems.iter().map(|problem| problem.code().to_string()).collect::<Vec<_>>()
    };
    assert!(codes(1).is_empty());
    assert_eq!(codes(2), ["limit-exceeded"]);
}

#[test]
fn modules_that_call_others_again_and_again_come_to_an_end() {
    use hcl_lr_language::definitions::{Loaded, LoadedModule, ModuleCall};
    let twice = "module \"a\" {\n  source = \"./next\"\n}\nmodule \"b\" {\n  source = \"./next\"\n}\n";
    let loader = |call: &ModuleCall<'_>| {
        let key = format!("{}/next", call.caller().unwrap_or_default());
        Loaded::Module(LoadedModule::new(key, [document(twice.to_owned())]))
    };
    let (_, problems) =
        Definitions::with_modules(&crate::roles_of("terraform"), [document(twice.to_owned())], &loader).into_parts();
    assert_eq!(problems.len(), 1, "{problems}");
    assert!(problems.to_string().contains("more than 10000 module calls"), "{problems}");

    let deeper = "module \"a\" {\n  source = \"./next\"\n}\n";
    let loader = |call: &ModuleCall<'_>| {
        let key = format!("{}/next", call.caller().unwrap_or_default());
        Loaded::Module(LoadedModule::new(key, [document(deeper.to_owned())]))
    };
    let (_, problems) =
        Definitions::with_modules(&crate::roles_of("terraform"), [document(deeper.to_owned())], &loader).into_parts();
    assert_eq!(problems.len(), 1, "{problems}");
    assert!(problems.to_string().contains("more than 64 levels deep"), "{problems}");
}

#[test]
fn references_are_found_in_a_large_file() {
    const COUNT: usize = 20_000;
    let mut text = "locals {\n  first = 1\n".to_owned();
    for n in 0..COUNT {
        writeln!(text, "  a{n} = local.first + local.a{}", n / 2).expect("it is written");
    }
    text += "}\n";
    let file = document(text.clone());
    let definitions = Definitions::of(&crate::roles_of("terraform"), [&file]).into_value();
    let references = References::new(&definitions);
    assert_eq!(references.iter().len(), 2 * COUNT);
    let first = definitions.get("local.first").expect("it");
    assert_eq!(references.to(&first).len(), COUNT);
    for reference in references.iter() {
        let place = reference.name_place();
        assert_eq!(references.at(file.source(), place.span().start()), Some(reference.definition()));
        assert_eq!(place.text(), reference.definition().name());
    }
}
