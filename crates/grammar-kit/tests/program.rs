//! The program of the package: the output of each command, and its exit status.

use std::process::{Command, Stdio};

#[path = "../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../tests/support/golden.rs"]
mod golden;

/// The exit status, standard output and standard error of a run.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl-lr-grammar-kit"));
    let command = command.args(args).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).stdin(Stdio::null());
    let output = command.output().expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_commands_do_what_those_of_the_library_do() {
    let grammars = hcl_lr_grammar_kit::grammars().expect("the grammars");
    assert_eq!(run(&["ebnf"]), (Some(0), hcl_lr_grammar_kit::ebnf(&grammars), String::new()));
    let written = |name: &str| {
        let case = golden::case_named("grammar/derivations", name);
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{name}"));
        std::fs::write(&path, &case.fences[0].bytes).expect("a writable folder");
        (path.to_str().expect("a path").to_owned(), case.text("derivation").to_owned())
    };
    for (name, form) in [("json-blocks", Some("--json")), ("json-arrays", Some("--json")), ("attribute", None)] {
        let (path, recorded) = written(name);
        let args: Vec<&str> = ["derive"].into_iter().chain(form).chain([path.as_str()]).collect();
        assert_eq!(run(&args), (Some(0), recorded, String::new()), "{name}");
    }
    let path = &*written("error-json-word").0;
    let wrong = format!(
        "error: {path}:1:7: `tru` cannot follow here\nexpected one of \"[\", \"false\", \"null\", \"true\", \"{{\", JsonNumber, JsonString\n"
    );
    assert_eq!(run(&["derive", "--json", path]), (Some(1), String::new(), wrong));
    let (status, tree, _) = run(&["ast", &written("attribute").0]);
    assert!(status == Some(0) && tree.starts_with("Body"), "{tree}");
}

#[test]
fn sentences_are_lines_of_json() {
    let (status, sentences, err) = run(&["generate", "JsonFile", "-n", "20", "--seed", "3", "--size", "12"]);
    assert_eq!((status, &*err), (Some(0), ""));
    let language = hcl_lr_grammar_kit::Language::Json;
    let sentence = |line: &str| serde_json::from_str::<String>(line).expect("a string");
    assert!(sentences.lines().count() == 20 && sentences.lines().all(|line| language.accepts(&sentence(line))));
    let (_, misses, _) = run(&["generate", "JsonFile", "-n", "20", "--invalid"]);
    assert!(misses.lines().count() == 20 && misses.lines().all(|line| !language.accepts(&sentence(line))), "{misses}");
}

#[test]
fn values_are_printed() {
    assert_eq!(run(&["eval", "[for x in [1, 2] : x * 2]"]), (Some(0), "[2, 4]\n".to_owned(), String::new()));
    let (status, out, err) = run(&["eval", "a + 1"]);
    assert!(status == Some(1) && out.is_empty() && err.starts_with("error[variables-not-allowed]"), "{err}");
    let case = golden::case_named("grammar/examples", "lines");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("program-examples");
    std::fs::write(&path, &case.fences[0].bytes).expect("a writable folder");
    let (status, out, err) = run(&["show", path.to_str().expect("a path")]);
    assert_eq!((status, &*err), (Some(0), ""));
    let mut golden = golden::Golden::new();
    golden.check_case(&case, "shown", &out);
    golden.finish();
}

#[test]
fn chains_of_operators_are_shown_as_they_nest() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("program-chain");
    std::fs::write(&path, "1 + 2 * (3 - 4 - 5)").expect("a writable file");
    let (status, out, _) = run(&["derive", "--expression", path.to_str().expect("a path")]);
    let chains: Vec<&str> = out.lines().filter(|line| line.starts_with("by the levels")).collect();
    let wanted = [
        "by the levels of the operators, `1 + 2 * (3 - 4 - 5)` is `1 + (2 * (3 - 4 - 5))`",
        "by the levels of the operators, `3 - 4 - 5` is `(3 - 4) - 5`",
    ];
    assert_eq!((status, chains.as_slice()), (Some(0), &wanted[..]), "{out}");
}

#[test]
fn the_grammars_are_checked() {
    assert_eq!(run(&["check"]), (Some(0), "there are no conflicts\n".to_owned(), String::new()));
    assert_eq!(run(&["diff", "grammar", "grammar"]), (Some(0), "there are no differences\n".to_owned(), String::new()));
    let same = "there are no differences in these files\n".to_owned();
    assert_eq!(run(&["diff", "grammar", "grammar", "examples/service.hcl"]), (Some(0), same, String::new()));
    // Labels that are strings are left out of the new grammars.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("program-grammars");
    std::fs::create_dir_all(&folder).expect("a writable folder");
    for name in hcl_lr_grammar_check::FILES {
        let file = format!("{name}.lalrpop");
        let text = std::fs::read_to_string(golden::root().join("grammar").join(&file)).expect("a grammar");
        std::fs::write(folder.join(file), text.replace(", <Labels> \"string\"", "")).expect("a writable folder");
    }
    let (status, out, err) = run(&["diff", "grammar", folder.to_str().expect("a path"), "examples/service.hcl"]);
    assert!(
        status == Some(1) && err.is_empty() && out.starts_with("examples/service.hcl: body.lalrpop\n- "),
        "{out}{err}"
    );
    let (status, out, err) = run(&["check", "no-such-folder"]);
    assert!(status == Some(2) && out.is_empty() && err.starts_with("error: no-such-folder"), "{err}");
}

#[test]
fn mistakes_are_told() {
    for (args, wanted) in [
        (&["generate", "Expresion"][..], "error: there is no production `Expresion`\n"),
        (&["generate", "Body", "-n", "many"], "error: `many` for -n is not a number\n"),
        (
            &["generate", "forCond", "--invalid"],
            "error: near misses are made of whole sources, and `forCond` is a part of one: try `Expression`, `Body` or `JsonFile`\n",
        ),
        (&["watch", "no-such-file"], "error: there is no file no-such-file\n"),
    ] {
        assert_eq!(run(args), (Some(2), String::new(), wanted.to_owned()), "{args:?}");
    }
    let (status, out, err) = run(&["dance"]);
    assert!(status == Some(2) && out.is_empty() && err.starts_with("Usage: hcl-lr-grammar-kit ast "), "{err}");
}
