//! Actions: the texts that they make, and that each is offered once.

use hcl_lr::source::Span;

use super::{applied, files};

/// Returns the text of a file after an action with this title, and the number of such actions.
fn after(text: &str, title: &str) -> (usize, String) {
    let (snapshot, path, at) = files(text);
    let found = snapshot.diagnostics(&path).expect("an answer");
    let span = Span::new(at, at);
    let actions = snapshot.actions(&path, span, &found).expect("an answer");
    let mut fitting = actions.iter().filter(|action| action.title == title);
    let titles: Vec<&str> = actions.iter().map(|action| &*action.title).collect();
    let Some(first) = fitting.next() else { panic!("{title} in {titles:?}") };
    (1 + fitting.count(), applied(&snapshot, &first.edits, &first.edits[0].location.path))
}

#[test]
fn a_missing_local_value_goes_into_the_block_that_there_is() {
    let text = "=== /a/main.tf\nlocals {\n  one = 1\n}\noutput \"o\" {\n  value = local.tw¦o\n}\n";
    let (count, new) = after(text, "add `two` to `locals`");
    assert_eq!((count, new.matches("locals").count()), (1, 1), "{new}");
    assert!(new.starts_with("locals {\n  one = 1\n  two = null\n}\n"), "{new}");
    let one_line = "=== /a/main.tf\nlocals { one = 1 }\noutput \"o\" {\n  value = local.tw¦o\n}\n";
    assert!(after(one_line, "add `two` to `locals`").1.ends_with("\nlocals {\n  two = null\n}\n"));
    // The same name twice in one line is one action.
    let twice = "=== /a/main.tf\nlocals {\n  one = local.tw¦o\n}\n";
    assert_eq!(after(twice, "add `two` to `locals`").0, 1);
}

#[test]
fn missing_inputs_of_a_module_are_added_with_values_of_their_types() {
    let text = "=== /net/main.tf\nvariable \"zone\" {\n  type = string\n}\nvariable \"sizes\" {\n  type = list(number)\n}\n\
                variable \"count_of\" {\n  type    = number\n  default = 1\n}\nvariable \"tags\" {\n  type = map(string)\n}\n\
                === /main.tf\nmodule \"net\" {\n  source = \"./net\"¦\n}\n";
    let (count, new) = after(text, "add what is required");
    assert_eq!(count, 1);
    assert_eq!(new, "module \"net\" {\n  source = \"./net\"\n  zone  = \"\"\n  sizes = []\n  tags  = {}\n}\n");
}

#[test]
fn what_is_required_gets_values_of_its_types() {
    let schema = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body     = s\n  }\n}\npart \"s\" {\n  \
                  block \"b\" {\n    attribute \"text\" { type = required(string) }\n    \
                  attribute \"size\" { type = required(integer(3, 9)) }\n    \
                  attribute \"mode\" { type = required(keyword(fast, slow)) }\n    \
                  attribute \"all\" { type = required(list(string)) }\n  }\n}\n";
    let (_, new) = after(&format!("{schema}=== /x.hcl\n# hcl:schema s.cfg\nb {{¦\n}}\n"), "add what is required");
    let lines: Vec<&str> = new.lines().map(str::trim).collect();
    assert_eq!(lines[2..6], ["text = \"\"", "size = 3", "mode = fast", "all  = []"], "{new}");
}

#[test]
fn a_missing_input_gets_the_type_that_is_expected() {
    let text = |value: &str| format!("=== /main.tf\nresource \"a\" \"b\" {{\n  {value}\n}}\n");
    let (count, new) = after(&text("count = var.siz¦es"), "add variable \"sizes\"");
    assert!(count == 1 && new.ends_with("\nvariable \"sizes\" {\n  type = number\n}\n"), "{new}");
    // Nothing says what it is.
    let (_, new) = after(&text("other = var.siz¦es"), "add variable \"sizes\"");
    assert!(new.ends_with("\nvariable \"sizes\" {\n}\n"), "{new}");
}

#[test]
fn missing_inputs_and_results_are_added_to_modules() {
    let text = |inner: &str, value: &str| {
        format!(
            "=== /net/variables.tf\nvariable \"a\" {{}}\n=== /net/main.tf\nlocals {{}}\n=== /main.tf\nmodule \"net\" {{\n  source = \
             \"./net\"\n  a      = 1\n{inner}}}\noutput \"o\" {{\n  value = {value}\n}}\n"
        )
    };
    let (count, new) = after(&text("  si¦ze   = [\"x\"]\n", "1"), "add variable \"size\" to `./net`");
    assert_eq!((count, &*new), (1, "variable \"a\" {}\n\nvariable \"size\" {\n  type = list(string)\n}\n"));
    let (count, new) = after(&text("", "module.net.id¦ent"), "add output \"ident\" to `./net`");
    assert_eq!((count, &*new), (1, "locals {}\n\noutput \"ident\" {\n  value = null\n}\n"));
}
