//! Renaming, extracting, and who calls whom.

use hcl_lr::source::Span;
use hcl_lr_analysis::rename::RenameError;

use super::{applied, files};

/// Returns the text after extracting the selected text, if that is offered.
fn extracted(text: &str, selected: &str) -> Option<String> {
    let (snapshot, path, _) = files(text);
    let source = snapshot.file(&path).expect("the file").source().text().to_owned();
    let start = source.find(selected).expect("the text");
    let span = Span::new(start, start + selected.len());
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

/// Returns the files after a rename, without their names, or why there is none.
fn renamed(text: &str, name: &str) -> String {
    let (snapshot, path, at) = files(text);
    match snapshot.rename(&path, at, name) {
        Ok(edits) => {
            let mut paths: Vec<&str> = edits.iter().map(|edit| &*edit.location.path).collect();
            paths.dedup();
            paths.into_iter().map(|path| applied(&snapshot, &edits, path)).collect::<Vec<_>>().join("---\n")
        }
        Err(why) => why.to_string(),
    }
}

/// The number of references to what is at a place, and its address.
fn references(text: &str) -> String {
    let (snapshot, path, at) = files(text);
    let found = snapshot.references(&path, at).expect("an answer");
    found.map_or("nothing".to_owned(), |found| format!("{}: {}", found.address, found.uses.len()))
}

const PARTS: &str = "\
=== /w/main.tf
locals {
  cfg  = { inner = { deep = 1 }, other = 2 }
  deep = local.cfg.inner.deep + local.cfg[\"inner\"].deep
  all  = [for part in [1] : local.cfg.other + part]
  each = [for h in var.hosts : h.port]
}
variable \"hosts\" {
  type    = list(object({ port = number }))
  default = [{ port = 80 }]
}
";

#[test]
fn parts_have_references() {
    let at = |from: &str, to: &str| references(&PARTS.replace(from, to));
    assert_eq!(at("{ inner =", "{ in¦ner ="), "local.cfg.inner: 2");
    assert_eq!(at("cfg.inner.deep", "cfg.inner.de¦ep"), "local.cfg.inner.deep: 2");
    assert_eq!(at("cfg[\"inner\"]", "cfg[\"in¦ner\"]"), "local.cfg.inner: 2");
    assert_eq!(at("other = 2", "oth¦er = 2"), "local.cfg.other: 1");
    assert_eq!(at("({ port", "({ po¦rt"), "var.hosts[*].port: 2");
    assert_eq!(at("h.port", "h.po¦rt"), "var.hosts[*].port: 2");
    let resource = "=== /w/main.tf\nresource \"a\" \"b\" {\n  si¦ze = 1\n}\noutput \"o\" {\n  value = a.b.size\n}\n";
    assert_eq!(references(resource), "a.b.size: 1");
    assert_eq!(renamed(resource, "width"), "`a.b.size` has no name of its own, so it cannot be renamed");
}

#[test]
fn parts_are_renamed() {
    let found = renamed(&PARTS.replace("{ inner =", "{ in¦ner ="), "core");
    assert!(found.contains("{ core = { deep = 1 }"), "{found}");
    assert!(found.contains("local.cfg.core.deep + local.cfg[\"core\"].deep"), "{found}");
    let found = renamed(&PARTS.replace("h.port", "h.po¦rt"), "number");
    assert!(found.contains("object({ number = number })") && found.contains("[{ number = 80 }]"), "{found}");
    assert!(found.contains("h.number"), "{found}");
    let found = renamed(&PARTS.replace("{ inner =", "{ in¦ner ="), "other");
    assert_eq!(found, "`local.cfg.other` is defined already; choose another name");
    // The callers of a module set the part, too.
    let module = "=== /w/net/main.tf\nvariable \"opts\" {\n  type = object({ si¦ze = number })\n}\noutput \"o\" {\n  value = \
                  var.opts.size\n}\n=== /w/main.tf\nmodule \"net\" {\n  source = \"./net\"\n  opts   = { size = 1 }\n}\n";
    let found = renamed(module, "width");
    assert!(found.contains("{ width = 1 }") && found.contains("var.opts.width"), "{found}");
    // What the whole value is used for is not known, or it is an error then.
    let merged = "=== /w/main.tf\nlocals {\n  a = { si¦ze = 1 }\n  b = merge(local.a, {})\n  c = local.b.size\n}\n";
    assert_eq!(renamed(merged, "width"), "with the name `local.a.width`, expressions would mean something else");
}

#[test]
fn a_rename_says_that_a_resource_has_moved() {
    let text = "=== /w/main.tf\nresource \"a\" \"o¦ld\" {\n}\noutput \"o\" {\n  value = a.old\n}\n";
    assert_eq!(
        renamed(text, "new"),
        "resource \"a\" \"new\" {\n}\n\nmoved {\n  from = a.old\n  to   = a.new\n}\noutput \"o\" {\n  value = a.new\n}\n"
    );
    // Nothing is kept of data, of locals and in other languages.
    for text in [
        "=== /w/main.tf\ndata \"a\" \"o¦ld\" {\n}\n",
        "=== /w/main.tf\nlocals {\n  o¦ld = 1\n}\n",
        "=== /w/docker-bake.hcl\ntarget \"o¦ld\" {\n}\n",
    ] {
        let found = renamed(text, "new");
        assert!(found.contains("new") && !found.contains("moved"), "{found}");
    }
}

/// Strings name definitions at the top of a file, too, and in tuples and objects of references.
#[test]
fn strings_at_the_top_name_definitions() {
    let schema = "=== /s/rules.schema.hcl\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\", \"*.s.json\"]\n    together = true\n    \
                  body     = s\n  }\n}\npart \"s\" {\n  attribute \"main\" { type = reference(service) }\n  attribute \"pair\" { type = \
                  tuple([reference(service), reference(service)]) }\n  attribute \"other\" { type = object({ a = reference(service), b = \
                  string }) }\n  block \"service\" {\n    label \"name\" {}\n    defines \"service\" { address = \"service.{name}\" }\n  }\n}\n\
                  === /s/.hcl-schema\nrules.schema.hcl\n";
    let service = "=== /s/b.s\nservice \"w¦eb\" {}\n";
    let at = |text: &str| references(&format!("{schema}=== /s/a.s.json\n{text}\n{service}"));
    assert_eq!(at("{\"main\": \"service.web\"}"), "service.web: 1");
    assert_eq!(at("{\"pair\": [\"service.web\", \"service.db\"]}"), "service.web: 1");
    // A part of the object is a text.
    assert_eq!(at("{\"other\": {\"a\": 1, \"b\": \"service.web\"}}"), "service.web: 0");
}

/// A name that is still being typed uses none of those that it may become.
#[test]
fn unused_names_stay_unused_while_another_is_typed() {
    for value in ["var.", "var.a", "[var.]"] {
        let text = format!(
            "=== /main.tf\nvariable \"a\" {{}}\nvariable \"b\" {{}}\noutput \"c\" {{\n  value = {value}\n}}\n¦"
        );
        let (snapshot, path, _) = super::files(&text);
        let found = snapshot.diagnostics(&path).expect("an answer");
        let unused: Vec<&str> = found
            .iter()
            .filter(|found| found.diagnostic.code().as_str() == "unused-definition")
            .map(|found| found.diagnostic.place().text())
            .collect();
        let expected: &[&str] = if value == "var.a" { &["\"b\""] } else { &["\"a\"", "\"b\""] };
        assert_eq!(unused, expected, "{value}");
    }
}
