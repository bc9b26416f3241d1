//! Tests each answer on small files.

mod actions;
#[path = "../../../../tests/support/cases.rs"]
mod cases;
mod completion;
mod documents;
mod names;
mod offers;
mod parts;
#[path = "../../../../tests/support/random.rs"]
mod random;
mod schemas;
mod secrets;
mod typing;

use std::sync::Arc;

use hcl_lr_analysis::hints::HintOptions;
use hcl_lr_analysis::rename::RenameError;
use hcl_lr_analysis::{Edit, Languages, Settings, Snapshot, Workspace};
use hcl_lr_language::schema::ProviderSchemas;

/// Reads the files of a workspace: `# path` lines begin a file; `|` marks the place in question and is removed.
pub fn files(text: &str) -> (Snapshot, String, usize) {
    let mut workspace = Workspace::default();
    let mut asked = (String::new(), 0);
    for part in text.split("=== ").skip(1) {
        let (path, body) = part.split_once('\n').expect("a path and a text");
        let body = match body.find('¦') {
            Some(at) => {
                asked = (path.to_owned(), at);
                body.replace('¦', "")
            }
            None => body.to_owned(),
        };
        workspace.set(path, body);
    }
    (workspace.snapshot(), asked.0, asked.1)
}

pub fn labels(text: &str) -> Vec<String> {
    let (snapshot, path, at) = files(text);
    let found = snapshot.completion(&path, at).expect("an answer");
    found.items.into_iter().map(|item| item.label).collect()
}

pub fn hover(text: &str) -> String {
    let (snapshot, path, at) = files(text);
    snapshot.hover(&path, at).expect("an answer").map_or("nothing".to_owned(), |hover| hover.markdown)
}

pub fn applied(snapshot: &Snapshot, edits: &[Edit], path: &str) -> String {
    let mut text = snapshot.file(path).expect("the file").source().text().to_owned();
    let mut file_edits: Vec<&Edit> = edits.iter().filter(|edit| &*edit.location.path == path).collect();
    file_edits.sort_by_key(|edit| edit.location.span);
    for edit in file_edits.into_iter().rev() {
        text.replace_range(edit.location.span.range(), &edit.text);
    }
    text
}

const NET: &str = "\
=== /net/variables.tf
variable \"region\" {
  type        = string
  default     = \"eu\"
  description = \"Where it runs.\"
}
variable \"password\" {
  default   = \"hidden treasure\"
  sensitive = true
}
variable \"zones\" {
  type = object({ first = string, second = number })
}
=== /net/outputs.tf
output \"id\" {
  value = local.name
}
output \"key\" {
  value = var.password
}
";

#[test]
fn names_of_definitions_are_offered() {
    let found = labels(&format!("{NET}=== /net/main.tf\nlocals {{\n  name = \"n\"\n  region = var.¦\n}}\n"));
    assert_eq!(found[0], "region");
    assert!(found.contains(&"password".to_owned()) && !found.contains(&"name".to_owned()), "{found:?}");
    let found = labels(&format!("{NET}=== /net/main.tf\nlocals {{\n  name = var.zones.¦\n}}\n"));
    assert_eq!(found, ["first", "second"]);
    let found = labels(&format!("{NET}=== /net/main.tf\nlocals {{\n  name = uppe¦\n}}\n"));
    assert_eq!(found[0], "upper");
    let found = labels("=== /a/main.tf\nresource \"x\" \"y\" {\n  for_each = {}\n  a = each.¦\n}\n");
    assert_eq!(found, ["key", "value"]);
    let found = labels("=== /a/main.tf\nlocals {\n  a = [for name in [] : na¦]\n}\n");
    assert_eq!(found[0], "name");
}

#[test]
fn arguments_and_results_of_modules_are_offered() {
    let call = |inner: &str| format!("{NET}=== /main.tf\nmodule \"net\" {{\n  source = \"./net\"\n{inner}}}\n");
    let found = labels(&call("  ¦\n"));
    assert_eq!(found[0], "zones", "what is required comes first: {found:?}");
    assert!(found.contains(&"region".to_owned()));
    let found = labels(&format!("{}locals {{\n  a = module.net.¦\n}}\n", call("")));
    assert_eq!(found, ["id", "key"]);
    let found = labels(&format!("{NET}=== /main.tf\nmodule \"net\" {{\n  source = \"¦\"\n}}\n"));
    assert_eq!(found, ["./net"]);
}

#[test]
fn items_come_from_the_schema() {
    let found = labels("=== /main.tf\nvariable \"a\" {\n  ¦\n}\n");
    for name in ["type", "default", "validation", "sensitive"] {
        assert!(found.contains(&name.to_owned()), "{name} in {found:?}");
    }
    let found = labels("=== /main.tf\nvar¦\n");
    assert_eq!(found[0], "variable");
    let found = labels("=== /my.hcl\nservice \"a\" {\n  port = 1\n}\nservice \"b\" {\n  ¦\n}\n");
    assert_eq!(found, ["port"]);
}

#[test]
fn values_are_shown_unless_they_are_sensitive() {
    let shown = hover(&format!("{NET}=== /net/main.tf\nlocals {{\n  name = \"x-${{var.reg¦ion}}\"\n}}\n"));
    assert!(
        shown.contains("var.region: string") && shown.contains("Where it runs.") && shown.contains("\"eu\""),
        "{shown}"
    );
    for text in [
        "a = var.pass¦word",
        "a¦ = var.password",
        "a¦ = \"${var.password}!\"",
        "a = local.b¦\n  b = upper(var.password)",
    ] {
        let shown = hover(&format!("{NET}=== /net/main.tf\nlocals {{\n  {text}\n}}\n"));
        assert!(!shown.to_lowercase().contains("treasure") && shown != "nothing", "{text}: {shown}");
    }
    let shown = hover("=== /a.tf\nlocals {\n  a = j¦oin(\"\", [])\n}\n");
    assert!(shown.contains("join(separator: string, lists...: list(string)) -> string"), "{shown}");
    let (snapshot, path, _) =
        files(&format!("{NET}=== /net/main.tf\nlocals {{\n  a = \"${{var.region}}!\"\n  b = var.password\n}}\n¦"));
    let range = hcl_lr::source::Span::new(0, 1_000);
    let hints = snapshot.hints(&path, range, HintOptions::default()).expect("an answer");
    let hints: Vec<&str> = hints.iter().map(|hint| hint.text.as_str()).collect();
    assert!(hints.contains(&"= \"eu!\"") && hints.iter().all(|hint| !hint.contains("treasure")), "{hints:?}");
}

#[test]
fn names_change_everywhere() {
    let text = format!(
        "{NET}=== /net/terraform.tfvars\nregion = \"us\"\n=== /net/main.tf\nlocals {{\n  name = \"${{var.reg¦ion}}\"\n}}\n\
         === /main.tf\nmodule \"net\" {{\n  source = \"./net\"\n  region = \"x\"\n  zones = {{}}\n}}\n"
    );
    let (snapshot, path, at) = files(&text);
    let edits = snapshot.rename(&path, at, "place").expect("edits");
    assert!(applied(&snapshot, &edits, "/net/main.tf").contains("var.place"));
    assert!(applied(&snapshot, &edits, "/net/variables.tf").contains("variable \"place\""));
    assert!(applied(&snapshot, &edits, "/net/terraform.tfvars").starts_with("place ="));
    assert!(applied(&snapshot, &edits, "/main.tf").contains("  place = \"x\""));
    assert_eq!(edits.len(), 4);
    for (name, why) in [("password", "defined already"), ("a b", "cannot be a name")] {
        let Err(RenameError::Refused(message)) = snapshot.rename(&path, at, name) else { panic!("{name} is refused") };
        assert!(message.contains(why), "{message}");
    }
    let found = snapshot.references(&path, at).expect("an answer").expect("a definition");
    assert_eq!(found.uses.len(), 3);
    let given = snapshot.implementation(&path, at).expect("an answer");
    let given: Vec<&str> = given.iter().map(|location| &*location.path).collect();
    assert_eq!(given, ["/main.tf", "/net/terraform.tfvars"]);
}

#[test]
fn mistakes_are_found_and_mended() {
    let (snapshot, path, _) =
        files("=== /main.tf\nvariable \"zone\" {}\nlocals {\n  a = var.zoen\n  b = 'x'\n  c = 1 + true\n}\n¦");
    let found = snapshot.diagnostics(&path).expect("an answer");
    let codes: Vec<&str> = found.iter().map(|finding| finding.diagnostic.code().as_str()).collect();
    assert!(
        codes.contains(&"unknown-variable") && codes.contains(&"single-quotes") && codes.contains(&"unused-definition"),
        "{codes:?}"
    );
    let range = hcl_lr::source::Span::new(0, 100);
    let actions = snapshot.actions(&path, range, &found).expect("an answer");
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    assert!(titles.contains(&"write `zone`") && titles.iter().any(|title| title.starts_with("fix all")), "{titles:?}");
    assert!(titles.contains(&"add variable \"zoen\""), "{titles:?}");
}

#[test]
fn names_in_broken_parts_are_not_called_undefined() {
    let (snapshot, path, _) =
        files("=== /main.tf\nlocals {\n  a = var.zone\n}\n¦=== /variables.tf\nvariable \"zone\" {\n  type = \n");
    let found = snapshot.diagnostics(&path).expect("an answer");
    assert!(found.iter().all(|finding| finding.diagnostic.code().as_str() != "unknown-variable"), "{found:?}");
}

#[test]
fn values_are_extracted_and_inlined() {
    let (snapshot, path, _) =
        files("=== /main.tf\nlocals {\n  name = \"a\"\n}\noutput \"o\" {\n  value = upper(\"x-${local.name}\")\n}\n¦");
    let text = snapshot.file(&path).expect("the file").source().text().to_owned();
    let start = text.find("\"x-").expect("the string");
    let selected = hcl_lr::source::Span::new(start, start + "\"x-${local.name}\"".len());
    let actions = snapshot.actions(&path, selected, &[]).expect("an answer");
    let extract = actions.iter().find(|action| action.title.starts_with("extract")).expect("an action");
    let after = applied(&snapshot, &extract.edits, &path);
    assert!(after.contains("  value = \"x-${local.name}\"\n") && after.contains("upper(local.value)"), "{after}");
    let at = text.find("local.name").expect("the reference") + 7;
    let actions = snapshot.actions(&path, hcl_lr::source::Span::new(at, at), &[]).expect("an answer");
    let inline = actions.iter().find(|action| action.title.starts_with("inline")).expect("an action");
    let after = applied(&snapshot, &inline.edits, &path);
    assert!(after.contains("upper(\"x-${\"a\"}\")") && !after.contains("name ="), "{after}");
}

#[test]
fn sources_follow_folders() {
    let text = format!("{NET}=== /app/main.tf\nmodule \"net\" {{\n  source = \"../net\"\n}}\n");
    let (snapshot, ..) = files(&text);
    let moves = [("/net".to_owned(), "/modules/net".to_owned())];
    let edits = snapshot.edits_for_moves(&moves).expect("an answer");
    assert!(applied(&snapshot, &edits, "/app/main.tf").contains("\"../modules/net\""), "{edits:?}");
    let moves = [("/app/main.tf".to_owned(), "/app/inner/main.tf".to_owned())];
    let edits = snapshot.edits_for_moves(&moves).expect("an answer");
    assert_eq!(edits[0].text, "../../net");
    let calls = snapshot.incoming_calls("/net").expect("an answer");
    assert_eq!(calls[0].module.folder, "/app");
    let calls = snapshot.outgoing_calls("/app").expect("an answer");
    assert_eq!(calls[0].module.folder, "/net");
}

#[test]
fn formatting_touches_only_what_differs() {
    let (snapshot, path, _) = files("=== /main.hcl\na=1\nbb = 2\n\nc = 3\n¦");
    let edits = snapshot.format(&path, None).expect("it can be formatted");
    assert_eq!(applied(&snapshot, &edits, &path), "a  = 1\nbb = 2\n\nc = 3\n");
    assert_eq!(edits.len(), 1);
    assert!(snapshot.format(&path, Some(hcl_lr::source::Span::new(12, 17))).expect("it can").is_empty());
}

#[test]
fn a_snapshot_of_the_past_stops() {
    let mut workspace = Workspace::default();
    workspace.set("/a.tf", "locals {\n  a = 1\n}\n");
    let snapshot = workspace.snapshot();
    workspace.set("/a.tf", "locals {\n  a = 2\n}\n");
    assert!(snapshot.diagnostics("/a.tf").is_err());
    assert!(snapshot.keeping().diagnostics("/a.tf").is_ok());
}

const SERVICE: &str = "\
language \"service\" {
  files \"service\" {
    patterns = [\"*.service.hcl\"]
    body     = service
  }
}
part \"service\" {
  attribute \"port\" {
    type        = required(number)
    description = \"The port that the service listens on.\"
  }
  attribute \"mode\" {
    type = one_of(\"fast\", \"safe\")
  }
}
";

#[test]
fn files_follow_their_schema() {
    let mut workspace = Workspace::default();
    workspace.set("/my/service.schema.hcl", SERVICE);
    workspace.set("/my/.hcl-schema", "service.schema.hcl\n");
    workspace.set("/my/web.hcl", "port = \"x\"\nmode = \n");
    workspace.set("/other/web.hcl", "# hcl:schema ../my/service.schema.hcl\nprot = 1\n");
    let codes = |workspace: &Workspace, path: &str| -> Vec<String> {
        let found = workspace.snapshot().diagnostics(path).expect("an answer");
        found.iter().map(|finding| finding.diagnostic.code().as_str().to_owned()).collect()
    };
    assert!(codes(&workspace, "/my/web.hcl").contains(&"invalid-argument-value".to_owned()));
    assert!(codes(&workspace, "/other/web.hcl").contains(&"unsupported-argument".to_owned()));
    let offered = workspace.snapshot().completion("/my/web.hcl", "port = \"x\"\nmode = ".len()).expect("an answer");
    let labels: Vec<&str> = offered.items.iter().take(2).map(|item| item.label.as_str()).collect();
    assert_eq!(labels, ["\"fast\"", "\"safe\""]);
    let hover = workspace.snapshot().hover("/my/web.hcl", 1).expect("an answer").expect("a description");
    assert!(hover.markdown.contains("listens on"), "{}", hover.markdown);
    // The schema changes while the files are open.
    workspace.set("/my/service.schema.hcl", SERVICE.replace("\"port\"", "\"prot\""));
    assert!(!codes(&workspace, "/other/web.hcl").contains(&"unsupported-argument".to_owned()));
    assert!(codes(&workspace, "/my/web.hcl").contains(&"unsupported-argument".to_owned()));
    // Without the schema, nothing is known.
    workspace.remove("/my/.hcl-schema");
    assert!(!codes(&workspace, "/my/web.hcl").contains(&"unsupported-argument".to_owned()));
}

#[test]
fn contents_of_providers_are_known() {
    let json = r#"{ "format_version": "1.0", "provider_schemas": { "registry.terraform.io/example/cloud": { "resource_schemas": {
        "cloud_server": { "block": { "attributes": {
            "size": { "type": "number", "required": true, "description": "The size of the server." },
            "address": { "type": "string", "computed": true } } } } } } } }"#;
    let schemas: ProviderSchemas = hcl_lr::parse(("schemas.json", json)).into_result().expect("schemas");
    let languages = Languages::default().with_catalog(Arc::new(schemas));
    let mut workspace = Workspace::default();
    workspace.set_settings(Settings { languages, ..Settings::default() });
    workspace.set(
        "/a/versions.tf",
        "terraform {\n  required_providers {\n    own = { source = \"example/cloud\" }\n  }\n}\n",
    );
    let text =
        "resource \"cloud_server\" \"a\" {\n  provider = own\n  size     = true\n  \n}\nresource \"\" \"b\" {}\n";
    workspace.set("/a/main.tf", text);
    let snapshot = workspace.snapshot();

    let labels = |at: usize| -> Vec<String> {
        let found = snapshot.completion("/a/main.tf", at).expect("an answer");
        found.items.into_iter().map(|item| item.label).collect()
    };
    assert!(labels(text.find("\n}").expect("the end")).contains(&"lifecycle".to_owned()));
    assert!(labels(text.find("\"\" \"b\"").expect("a label") + 1).contains(&"cloud_server".to_owned()));
    let hover = snapshot.hover("/a/main.tf", text.find("size").expect("it is there")).expect("an answer");
    assert!(hover.expect("a hover").markdown.contains("The size of the server."));
    // The provider is named in another file.
    let found = snapshot.diagnostics("/a/main.tf").expect("an answer");
    let found: Vec<&str> = found.iter().map(|finding| finding.diagnostic.detail()).collect();
    assert!(found.contains(&"a number is required here, not a bool"), "{found:?}");
}
