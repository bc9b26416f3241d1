//! Schemas that files name, and that schemas import.

use hcl_lr_analysis::{Language, Settings, Workspace};

fn codes(workspace: &Workspace, path: &str) -> Vec<String> {
    let found = workspace.snapshot().diagnostics(path).expect("an answer");
    let codes = found.iter().map(|finding| finding.diagnostic.code().as_str().to_owned());
    codes.filter(|code| code != "unused-definition").collect()
}

fn schema(import: &str, name: &str) -> String {
    format!(
        "{import}language \"service\" {{\n  files \"service\" {{\n    patterns = [\"*.service\"]\n    body     = service\n  }}\n}}\n\
         part \"service\" {{\n  include = [{name}]\n}}\n"
    )
}

fn part(attribute: &str) -> String {
    format!("part \"common\" {{\n  attribute \"{attribute}\" {{ type = number }}\n}}\n")
}

#[test]
fn schemas_import_others_of_the_workspace() {
    let mut workspace = Workspace::default();
    workspace.set("/s/service.hcl", schema("import = [\"parts/common.hcl\"]\n", "common"));
    workspace.set("/s/.hcl-schema", "service.hcl");
    workspace.set("/s/web.service.hcl", "port = 1\n");
    // The imported file comes last, and changes then.
    let without = ["invalid-schema", "unsupported-argument"];
    assert_eq!(codes(&workspace, "/s/web.service.hcl"), without);
    workspace.set("/s/parts/common.hcl", part("port"));
    assert_eq!(codes(&workspace, "/s/web.service.hcl"), [""; 0]);
    workspace.set("/s/parts/common.hcl", part("host"));
    assert_eq!(codes(&workspace, "/s/web.service.hcl"), ["unsupported-argument"]);
    workspace.set("/s/parts/common.hcl", part("port"));
    workspace.remove("/s/parts/common.hcl");
    assert_eq!(codes(&workspace, "/s/web.service.hcl"), without);
}

#[test]
fn a_schema_that_is_read_after_its_users_applies() {
    let body = schema("", "common") + &part("port");
    for (path, user, text) in [
        ("/s/rules.hcl", "/s/web.hcl", "# hcl:schema rules.hcl\nprot = 1\n"),
        ("/s/rules.cfg", "/s/web.hcl", "# hcl:schema rules.cfg\nprot = 1\n"),
    ] {
        let mut workspace = Workspace::default();
        workspace.set(user, text);
        assert_eq!(codes(&workspace, user), ["invalid-schema"]);
        workspace.set(path, body.as_str());
        assert_eq!(codes(&workspace, user), ["unsupported-argument"], "{path}");
        workspace.remove(path);
        assert_eq!(codes(&workspace, user), ["invalid-schema"]);
    }
    // One that the settings name.
    let settings = Settings { schemas: vec!["/s/rules.cfg".to_owned()], ..Settings::default() };
    let mut workspace = Workspace::default();
    workspace.set_settings(settings);
    workspace.set("/s/web.service", "prot = 1\n");
    assert!(workspace.filter().wants("/s/rules.cfg") && !workspace.filter().wants("/s/db.service"));
    workspace.set("/s/rules.cfg", body);
    assert_eq!(codes(&workspace, "/s/web.service"), ["unsupported-argument"]);
    assert!(workspace.filter().wants("/s/db.service"), "the patterns of its schema");
}

#[test]
fn features_of_opentofu_are_no_errors_in_files_of_both() {
    let mut workspace = Workspace::default();
    let text =
        "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"a\" {\n      passphrase = \"x\"\n    }\n  }\n}\n";
    workspace.set("/main.tf", text);
    assert_eq!(codes(&workspace, "/main.tf"), [""; 0]);
    // A block that neither schema has is an error.
    workspace.set("/main.tf", "terraform {\n  encrpytion {}\n}\n");
    assert_eq!(codes(&workspace, "/main.tf"), ["unsupported-block"]);
    // Both are offered, and OpenTofu's alone where only it reads the file.
    let text = "terraform {\n  \n}\n";
    for path in ["/main.tf", "/main.tofu"] {
        workspace.set(path, text);
        let offered =
            workspace.snapshot().completion(path, text.find("  \n").expect("a place") + 2).expect("an answer");
        assert!(offered.items.iter().any(|item| item.label == "encryption"), "{path}");
    }
    // A file that says that it is in Terraform is checked by that alone.
    workspace.set("/main.tf", "# hcl:schema terraform\nterraform {\n  encryption {}\n}\n");
    assert_eq!(codes(&workspace, "/main.tf"), ["unsupported-block"]);
}

#[test]
fn languages_of_one_name_are_told_apart() {
    use hcl_lr_language::definitions::{Role, Roles};
    let language =
        |block: &str| Language::new("tasks", Roles::new().with(Role::object(block, &format!("{block}.{{name}}"))));
    let mut settings = Settings::default();
    settings.languages = settings.languages.with("*.one", language("one")).expect("a pattern");
    settings.languages = settings.languages.with("*.two", language("two")).expect("a pattern");
    let mut workspace = Workspace::default();
    workspace.set_settings(settings);
    workspace.set("/a.one", "one \"x\" {}\none \"y\" {\n  a = one.x\n}\n");
    workspace.set("/a.two", "two \"x\" {}\ntwo \"y\" {\n  a = two.x\n}\n");
    let snapshot = workspace.snapshot();
    for (path, text) in [("/a.one", "one.x"), ("/a.two", "two.x")] {
        let at = snapshot.file(path).expect("the file").source().text().find(text).expect("a reference") + 4;
        assert!(snapshot.definition(path, at).expect("an answer").is_some(), "{path}");
    }
}
