//! Sensitive values are nowhere in the answers.

use hcl_lr::source::Span;
use hcl_lr_analysis::Snapshot;
use hcl_lr_analysis::hints::HintOptions;

use super::{files, hover};

fn offered(text: &str) -> Vec<String> {
    let (snapshot, path, at) = files(text);
    let found = snapshot.completion(&path, at).expect("an answer");
    found.items.into_iter().flat_map(|item| [item.label, item.text]).collect()
}

/// Everything that is shown beside the text of a file.
fn hints(snapshot: &Snapshot, path: &str) -> Vec<String> {
    let found = snapshot.hints(path, Span::new(0, 10_000), HintOptions::default()).expect("an answer");
    found.into_iter().map(|hint| hint.text).collect()
}

#[test]
fn values_of_secrets_are_not_offered_elsewhere() {
    for (one, other) in [
        // By its name, after the `=` and within quotes.
        ("resource \"db\" \"a\" {\n  password = \"treasure\"\n}", "resource \"db\" \"b\" {\n  password = ¦\n}"),
        ("resource \"db\" \"a\" {\n  password = \"treasure\"\n}", "resource \"db\" \"b\" {\n  password = \"¦\"\n}"),
        ("resource \"db\" \"a\" {\n  pin_token = 4711\n}", "resource \"db\" \"b\" {\n  pin_token = ¦\n}"),
        // Because its block says so.
        ("variable \"a\" {\n  default   = \"treasure\"\n  sensitive = true\n}", "variable \"b\" {\n  default = ¦\n}"),
        (
            "variable \"a\" {\n  default   = \"treasure\"\n  sensitive = true\n}",
            "variable \"b\" {\n  default = \"¦\"\n}",
        ),
        // Because the module says so, whatever the argument is called.
        (
            "module \"a\" {\n  source = \"./m\"\n  pw     = \"treasure\"\n}\n=== /m/main.tf\nvariable \"pw\" {\n  sensitive = true\n}\n=== /b.tf",
            "module \"b\" {\n  source = \"./m\"\n  pw     = \"¦\"\n}",
        ),
    ] {
        let found = offered(&format!("=== /a.tf\n{one}\n=== /c.tf\n{other}\n"));
        assert!(found.iter().all(|text| !text.contains("treasure") && !text.contains("4711")), "{other}: {found:?}");
    }
    // Others are.
    let found =
        offered("=== /a.tf\nvariable \"a\" {\n  default = \"plain\"\n}\nvariable \"b\" {\n  default = \"¦\"\n}\n");
    assert!(found.contains(&"plain".to_owned()), "{found:?}");
}

const SCHEMA: &str = "\
=== /db.schema.hcl
language \"db\" {
  files \"db\" {
    patterns = [\"*.db.hcl\"]
    body     = db
    together = true
  }
}
part \"db\" {
  block \"db\" {
    label \"name\" {}
    defines \"db\" {
      address = \"db.{name}\"
      nested  = true
    }
    attribute \"host\" { type = string }
    attribute \"pass\" {
      type      = string
      sensitive = true
    }
    block \"login\" {
      attribute \"code\" {
        type      = string
        sensitive = true
      }
    }
    attribute \"url\" {}
  }
}
=== /.hcl-schema
db.schema.hcl
=== /a.db.hcl
db \"main\" {
  host = \"example\"
  pass = \"treasure\"
  login {
    code = \"treasure\"
  }
}
";

#[test]
fn values_that_the_schema_calls_sensitive_stay_hidden_in_references() {
    for url in [
        "u¦rl = db.main.pass",
        "url = db.main.pa¦ss",
        "url = db.ma¦in.pass",
        "u¦rl = \"${db.main.host}:${db.main.pass}\"",
        "u¦rl = db.main.login[0].code",
        "u¦rl = [for one in [db.main] : one.pass]",
    ] {
        let text = format!("{SCHEMA}=== /b.db.hcl\ndb \"other\" {{\n  {url}\n}}\n");
        let shown = hover(&text);
        assert!(!shown.contains("treasure"), "{url}: {shown}");
        let (snapshot, path, _) = files(&text);
        assert!(hints(&snapshot, &path).iter().all(|hint| !hint.contains("treasure")), "{url}");
    }
    let shown = hover(&format!("{SCHEMA}=== /b.db.hcl\ndb \"other\" {{\n  u¦rl = db.main.host\n}}\n"));
    assert!(shown.contains("\"example\""), "{shown}");
    let found = offered(&format!("{SCHEMA}=== /b.db.hcl\ndb \"other\" {{\n  pass = ¦\n}}\n"));
    assert!(found.iter().all(|text| !text.contains("treasure")), "{found:?}");
}

#[test]
fn errors_in_values_that_are_hidden_are_at_the_values() {
    let inputs = "variable \"a\" {\n  type      = number\n  sensitive = true\n}\nvariable \"b\" {\n  type      = number\n  sensitive = true\n}\n";
    let text = format!(
        "=== /main.tf\n{inputs}=== /terraform.tfvars\n# Two treasures.\na = \"treasure\"\n\nb = [\"treasure\"] # 2\n¦"
    );
    let (snapshot, path, _) = files(&text);
    let found = snapshot.diagnostics(&path).expect("an answer");
    let shown: Vec<(&str, &str)> =
        found.iter().map(|one| (one.diagnostic.place().text(), one.diagnostic.detail())).collect();
    let why = "the value is hidden because it is marked sensitive";
    assert_eq!(shown, [("\"treasure\"", why), ("[\"treasure\"] # 2", why)]);
}
