//! Renaming, extracting, and who calls whom.

use hcl_lr::source::Span;
use hcl_lr_analysis::rename::RenameError;

use super::{applied, files};

/// Returns the text after extracting the selected text, if that is offered.
fn extracted(text: &str, selected: &str) -> Option<String> {
    let (snapshot, path, _) = files(text);
    let source = snapshot.file(&path).expect("the file").source().text().to_owned();
    let start = source.find(selected).expect("the text") as u32;
    let span = Span::new(start, start + selected.len() as u32);
    let actions = snapshot.actions(&path, span, &[]).expect("an answer");
    let action = actions.iter().find(|action| action.title.starts_with("extract"))?;
    Some(applied(&snapshot, &action.edits, &path))
}

#[test]
fn what_a_dynamic_block_defines_is_not_extracted() {
    let block = |iterator: &str, value: &str| {
        format!(
            "=== /main.tf\nresource \"a\" \"b\" {{\n  dynamic \"rule\" {{\n    for_each = [1]\n{iterator}    content {{\n      \
             port = {value}\n    }}\n  }}\n}}\n¦"
        )
    };
    assert_eq!(extracted(&block("", "rule.value + 1"), "rule.value + 1"), None);
    assert_eq!(extracted(&block("    iterator = it\n", "it.value + 1"), "it.value + 1"), None);
    assert!(extracted(&block("", "1 + 2"), "1 + 2").is_some());
    // The label of the block means nothing if `iterator` sets another name.
    assert!(extracted(&block("    iterator = it\n", "other.value + 1"), "other.value + 1").is_some());
}

const MODULE: &str = "=== /net/main.tf\nvariable \"zo¦ne\" {}\n";

#[test]
fn renaming_looks_at_the_callers() {
    // In the caller, the new name of the output is taken.
    let text = "=== /net/main.tf\noutput \"o¦ne\" {\n  value = 1\n}\n=== /main.tf\n\
                module \"net\" {\n  source = \"./net\"\n}\noutput \"a\" {\n  value = module.net.one\n}\n\
                output \"b\" {\n  value = module.net.two\n}\n";
    let (snapshot, path, at) = files(text);
    let Err(RenameError::Refused(why)) = snapshot.rename(&path, at, "two") else { panic!("it is refused") };
    assert!(why.contains("would mean something else"), "{why}");
    assert!(snapshot.rename(&path, at, "three").is_ok());
    // The caller already sets the new name.
    let text =
        format!("{MODULE}=== /main.tf\nmodule \"net\" {{\n  source = \"./net\"\n  zone   = 1\n  place  = 2\n}}\n");
    let (snapshot, path, at) = files(&text);
    assert!(snapshot.rename(&path, at, "place").is_err());
    assert!(snapshot.rename(&path, at, "spot").is_ok());
}

/// References above the definition move it when their names get longer or shorter.
#[test]
fn references_above_a_definition_are_renamed() {
    let text = "=== /main.tf\noutput \"a\" {\n  value = var.one + var.one\n}\nvariable \"o¦ne\" {}\n";
    let (snapshot, path, at) = files(text);
    for name in ["a_longer_name", "two", "b"] {
        let edits = snapshot.rename(&path, at, name).expect("edits");
        assert_eq!(edits.iter().filter(|edit| edit.text.contains(name)).count(), 3, "{name}");
    }
}

/// A name in the middle of an address is renamed there, in both syntaxes.
#[test]
fn a_name_in_the_middle_of_an_address_is_renamed() {
    let native = "=== /terragrunt.hcl\nfeature \"r¦un\" {\n  default = 1\n}\ninputs = {\n  a = feature.run.value\n}\n";
    let json = "=== /terragrunt.hcl.json\n{\"feature\": {\"r¦un\": {\"default\": 1}}, \
                \"inputs\": {\"a\": \"${feature.run.value}\"}}\n";
    for text in [native, json] {
        let (snapshot, path, at) = files(text);
        let edits = snapshot.rename(&path, at, "go").expect("edits");
        let new = applied(&snapshot, &edits, &path);
        assert_eq!((new.matches("feature.go.value").count(), new.matches("run").count()), (1, 0), "{new}");
    }
}

#[test]
fn all_calls_of_a_module_follow() {
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"./net\"\n  zone   = 1\n}}\n");
    let text = format!("{MODULE}=== /main.tf\n{}{}", call("a"), call("b"));
    let (snapshot, path, at) = files(&text);
    let edits = snapshot.rename(&path, at, "place").expect("edits");
    assert_eq!(applied(&snapshot, &edits, "/main.tf").matches("place ").count(), 2, "{edits:?}");
    let found = snapshot.references(&path, at).expect("an answer").expect("a definition");
    assert_eq!(found.uses.len(), 2);
}
