//! Documents that are not files: new ones, and older texts of files.

use hcl_lr_analysis::Workspace;

/// Returns the items that are offered in a document with an identifier of a language that the editor has for it.
fn offered(path: &str, language: &str, text: &str) -> Vec<String> {
    let at = text.find('¦').expect("a place");
    let mut workspace = Workspace::default();
    workspace.set_editor_language(path, language);
    workspace.set(path, text.replace('¦', ""));
    let found = workspace.snapshot().completion(path, at).expect("an answer");
    found.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn new_documents_are_in_the_language_of_the_editor() {
    for (language, text, expected) in [
        ("terraform", "variable \"a\" {\n  ¦\n}\n", "default"),
        ("terraform", "¦\n", "resource"),
        ("opentofu", "terraform {\n  ¦\n}\n", "encryption"),
        ("nomad", "job \"a\" {\n  ¦\n}\n", "datacenters"),
        ("packer", "build {\n  ¦\n}\n", "sources"),
        ("terragrunt", "¦\n", "include"),
        ("terraform", "locals {\n  a = 1\n  b = local.¦\n}\n", "a"),
    ] {
        let found = offered("untitled:Untitled-1", language, text);
        assert!(found.contains(&expected.to_owned()), "{language} {text:?}: {found:?}");
    }
}

#[test]
fn older_texts_are_not_in_the_workspace() {
    let mut workspace = Workspace::default();
    let text = "service \"a\" {\n  new = 1\n}\n";
    workspace.set("/w/main.hcl", text);
    workspace.set("git:/w/main.hcl?old", text.replace("new", "old"));
    let names = |query: &str| -> Vec<String> {
        let found = workspace.snapshot().workspace_symbols(query).expect("an answer");
        found.into_iter().map(|(_, location)| location.path.to_string()).collect()
    };
    assert_eq!(names("service"), ["/w/main.hcl"]);
    assert_eq!(names("old"), [""; 0]);
    // Its names are not offered elsewhere.
    let at = text.len();
    workspace.set("/w/other.hcl", format!("{text}service \"b\" {{\n  "));
    let found = workspace.snapshot().completion("/w/other.hcl", at + "service \"b\" {\n  ".len()).expect("an answer");
    let labels: Vec<&str> = found.items.iter().map(|item| &*item.label).collect();
    assert!(labels.contains(&"new") && !labels.contains(&"old"), "{labels:?}");
}
