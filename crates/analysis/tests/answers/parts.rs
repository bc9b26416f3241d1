//! Parts of definitions, and names that blocks and `for` define: completion, hover, definition.

use super::{files, hover, labels};

const FILES: &str = "\
=== /a/main.tf
variable \"hosts\" {
  type = map(object({ port = number, name = string }))
}
variable \"zones\" {
  type = list(object({ id = string, tags = map(string) }))
}
variable \"obj\" {
  type = object({ size = optional(number, 1) })
}
locals {
  cfg  = { inner = { deep = 1 }, other = 2 }
  made = { for z in var.zones : z.id => { first = z.id } }
  list = [{ k = 1 }, 4]
}
resource \"host\" \"web\" {
  for_each = var.hosts
  size     = 1
  rule {
    port = 80
  }
";

fn in_resource(text: &str) -> String {
    format!("{FILES}{text}\n}}\n")
}

/// Returns the items that are offered, in the order of the alphabet.
fn sorted(text: &str) -> Vec<String> {
    let mut found = labels(text);
    found.sort();
    found
}

#[test]
fn members_of_names_of_blocks_are_offered() {
    assert_eq!(sorted(&in_resource("  a = each.value.¦")), ["name", "port"]);
    assert_eq!(sorted(&in_resource("  a = [for z in var.zones : z.¦]")), ["id", "tags"]);
    assert_eq!(sorted(&in_resource("  a = [for a in [var.zones] : [for y in a : y.¦]]")), ["id", "tags"]);
    assert_eq!(sorted(&in_resource("  a = [for k, v in var.hosts : v.¦]")), ["name", "port"]);
    assert_eq!(sorted(&in_resource("  a = [for k, v in var.hosts : k.¦]")), [""; 0]);
    // A map is no text, but its elements may be.
    assert_eq!(labels(&in_resource("  a = \"%{ for z in var.zones }${z.¦}%{ endfor }\"")), ["id", "tags"]);
    assert_eq!(sorted(&in_resource("  a = [for x in local.cfg : x.¦]")), ["deep"]);
    assert_eq!(sorted(&in_resource("  a = var.zones[0].¦")), ["id", "tags"]);
    let dynamic = |text: &str| {
        in_resource(&format!(
            "  dynamic \"rule\" {{\n    for_each = var.zones\n    content {{\n      a = {text}\n    }}\n  }}"
        ))
    };
    assert_eq!(sorted(&dynamic("rule.¦")), ["key", "value"]);
    assert_eq!(sorted(&dynamic("rule.value.¦")), ["id", "tags"]);
    let own = labels(&in_resource("  provisioner \"local-exec\" {\n    command = self.¦\n  }"));
    assert!(own.contains(&"size".to_owned()), "{own:?}");
}

/// The text of a definition and the text to which a place leads.
fn target(text: &str) -> String {
    let (snapshot, path, at) = files(text);
    let Some((_, place, _)) = snapshot.definition(&path, at).expect("an answer") else { return "nothing".to_owned() };
    let text = snapshot.file(&place.path).expect("a file").source().text();
    let line = text[..place.span.start()].lines().count();
    format!("{} in line {line}", &text[place.span.range()])
}

#[test]
fn parts_lead_to_where_they_are_set() {
    for (text, expected) in [
        ("local.cfg.in¦ner.deep", "inner in line 11"),
        ("local.cfg.inner.de¦ep", "deep in line 11"),
        ("var.obj.si¦ze", "size in line 8"),
        ("var.zones[0].i¦d", "id in line 5"),
        ("each.value.po¦rt", "port in line 2"),
        ("[for z in var.zones : z.ta¦gs]", "tags in line 5"),
        ("[for k, v in local.made : v.fi¦rst]", "first in line 12"),
        ("host.web[\"a\"].si¦ze", "size in line 17"),
        ("host.web[\"a\"].rule[0].po¦rt", "port in line 19"),
        ("host.web[\"a\"].ru¦le[0].port", "rule in line 18"),
        ("local.list[1¦]", "4 in line 13"),
        ("local.list[0][\"k¦\"]", "k in line 13"),
        ("local.cfg.mis¦sing", "nothing"),
    ] {
        assert_eq!(target(&in_resource(&format!("  a = {text}"))), expected, "{text}");
    }
}

/// A language whose definitions have lists, labels and attributes that files do not set.
const SERVICES: &str = "\
=== /s/rules.schema.hcl
language \"s\" {
  files \"s\" {
    patterns = [\"*.s\", \"*.s.json\"]
    together = true
    body     = s
  }
}
part \"s\" {
  attribute \"all\" {}
  block \"service\" {
    label \"name\" {}
    defines \"service\" {
      address = \"service.{name}\"
      nested  = true
      open    = true
    }
    attribute \"size\" {
      type        = number
      description = \"How big it is.\"
    }
    attribute \"opts\" { type = object({ mode = string }) }
    block \"port\" {
      label \"name\" {}
      attribute \"number\" { type = number }
    }
    block \"rule\" {
      attribute \"from\" { type = string }
    }
  }
}
=== /s/.hcl-schema
rules.schema.hcl
=== /s/b.s.json
{\"service\": {\"db\": {\"rule\": [{\"from\": \"x\"}, {\"from\": \"y\"}], \"port\": {\"web\": {\"number\": 1}}}}}
=== /s/a.s
service \"web\" {
  port \"http\" {
    number = 80
  }
  rule {
    from = \"a\"
  }
  rule {
    from = \"b\"
  }
}
";

#[test]
fn parts_of_blocks_lead_to_labels_and_to_json() {
    for (text, expected) in [
        ("service.web.rule[1].fr¦om", "from in line 9"),
        ("service.web.port.http.num¦ber", "number in line 3"),
        ("service.web.port[\"http\"].num¦ber", "number in line 3"),
        ("service.db.rule[1].fr¦om", "\"from\" in line 1"),
        ("service.db.rule[1¦]", "{\"from\": \"y\"} in line 1"),
        ("service.db.port.web.num¦ber", "\"number\" in line 1"),
        ("service.db.si¦ze", "nothing"),
    ] {
        assert_eq!(target(&format!("{SERVICES}=== /s/c.s\nall = {text}\n")), expected, "{text}");
    }
    for (text, expected) in [
        ("service.db.si¦ze", "service.db.size: number"),
        ("service.db.si¦ze", "How big it is."),
        ("service.web.opts.mo¦de", "service.web.opts.mode: string"),
    ] {
        let found = hover(&format!("{SERVICES}=== /s/c.s\nall = {text}\n"));
        assert!(found.contains(expected), "{text}: {found}");
    }
    assert_eq!(labels(&format!("{SERVICES}=== /s/c.s\nall = service.web.opts.¦\n")), ["mode"]);
}

#[test]
fn parts_and_names_of_blocks_are_described() {
    for (text, expected) in [
        ("each.ke¦y", "each.key"),
        ("each.ke¦y", "The key of the current element"),
        ("each.value.po¦rt", "each.value.port: number"),
        ("var.obj.si¦ze", "var.obj.size: number"),
        ("[for z in var.zones : z.i¦d]", "z.id: string"),
        ("[for z in var.zones : z¦.id]", "A name that `for` defines."),
        ("local.cfg.inn¦er", "local.cfg.inner: object({deep = number})"),
    ] {
        let found = hover(&in_resource(&format!("  a = {text}")));
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn a_type_of_resource_without_schema_says_how_to_get_it() {
    let found = hover("=== /main.tf\nresource \"aws_vpc\" \"main\" {\n}\n".replace("aws_vpc", "aws_¦vpc").as_str());
    assert!(found.contains("`terraform providers schema -json | hcl providers import`"), "{found}");
    let found = hover("=== /main.tf\nresource \"aws_vpc\" \"ma¦in\" {\n}\n");
    assert!(!found.contains("providers import"), "{found}");
}

#[test]
fn words_keys_and_types_are_described() {
    let schema = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body     = s\n  }\n}\npart \"s\" {\n  \
                  attribute \"modes\" { type = list(keyword(fast, slow)) }\n  \
                  attribute \"opts\" { type = object({ size = number }) }\n  \
                  attribute \"ty\" { type = type }\n}\n";
    for (text, expected) in [
        ("modes = [fast, sl¦ow]", "One of `fast`, `slow`."),
        ("opts = { si¦ze = 1 }", "size: number"),
        ("ty = list(obj¦ect({}))", "Attributes with a type each"),
        ("ty = list(stri¦ng)", "A text."),
        ("modes = [¦]", "list(keyword(fast, slow))"),
        ("opts = {¦\n}", "object({ size = number })"),
    ] {
        let found = hover(&format!("{schema}=== /x.hcl\n# hcl:schema s.cfg\n{text}\n"));
        assert!(found.contains(expected), "{text}: {found}");
    }
    let (snapshot, path, at) = files(&format!("{schema}=== /x.hcl\n# hcl:schema s.cfg\nopts = ¦\n"));
    let found = snapshot.completion(&path, at).expect("an answer").items;
    // An object has what it must have.
    assert!(found.iter().any(|item| item.text == "{ size = 0 }"), "{found:?}");
    let found = labels(&format!("{schema}=== /x.hcl\n# hcl:schema s.cfg\nmodes = [¦]\n"));
    assert_eq!(found, ["fast", "slow"]);
    let found = labels(&format!("{schema}=== /x.hcl\n# hcl:schema s.cfg\nopts = {{ ¦ }}\n"));
    assert_eq!(found, ["size"]);
}

/// Completion enters lists, strings and parts of dynamic blocks.
#[test]
fn what_may_stand_at_a_place_is_offered() {
    let bake = "=== /docker-bake.hcl\ntarget \"base\" {}\ntarget \"app\" {\n";
    assert_eq!(labels(&format!("{bake}  inherits = [\"¦\"]\n}}\n")), ["base"]);
    assert_eq!(labels(&format!("{bake}}}\ngroup \"all\" {{\n  targets = [\"base\", \"¦\"]\n}}\n")).len(), 2);
    let policy = "=== /p.policy.hcl\n# hcl:schema vault-policy\npath \"a\" {\n  capabilities = [\"¦\"]\n}\n";
    let found = labels(policy);
    assert!(["read", "deny", "sudo"].iter().all(|word| found.contains(&(*word).to_owned())), "{found:?}");
    let terraform = |text: &str| {
        let files = "=== /main.tf\nvariable \"v\" {}\nresource \"a_b\" \"one\" {}\n";
        labels(&format!("{files}resource \"a_b\" \"two\" {{\n{text}\n}}\n"))
    };
    // Nothing is evaluated there, and a resource does not depend on itself.
    let found = terraform("  depends_on = [¦]");
    assert!(found.contains(&"a_b.one".to_owned()), "{found:?}");
    assert!(!found.iter().any(|label| ["a_b.two", "upper", "true"].contains(&&**label)), "{found:?}");
    assert_eq!(terraform("  depends_on = [a_b.¦]"), ["one"]);
    let found = terraform("  lifecycle {\n    ignore_changes = [¦]\n  }\n  size = 1");
    assert!(found.contains(&"all".to_owned()) || found.contains(&"size".to_owned()), "{found:?}");
    // A condition of an input is about its value, and its default is not.
    let input = |text: &str| labels(&format!("=== /main.tf\nvariable \"one\" {{\n{text}\n}}\nvariable \"two\" {{}}\n"));
    assert!(input("  validation {\n    condition = var.¦\n  }").contains(&"one".to_owned()));
    assert!(!input("  default = var.¦").contains(&"one".to_owned()));
    // A text has a length, too.
    let text =
        labels("=== /main.tf\nvariable \"t\" {\n  type = string\n}\noutput \"o\" {\n  value = length(var.¦)\n}\n");
    assert_eq!(text, ["t"]);
    let found = terraform("  count = ¦");
    assert!(!found.contains(&"merge".to_owned()), "{found:?}");
}

/// Nothing is offered where it would stand before an expression, and what `for` makes is judged by itself.
#[test]
fn what_would_be_wrong_is_not_offered() {
    let locals = |text: &str| labels(&format!("=== /main.tf\nvariable \"list\" {{}}\nlocals {{\n{text}\n}}\n"));
    for text in ["a =¦ b", "a = [¦ \"x\"]", "a = {\n ¦ b = 1\n}", "a = [1, ¦ 2]"] {
        assert_eq!(locals(text), [""; 0], "{text}");
    }
    assert!(locals("a = { for k, v in var¦ : k => v }").contains(&"var.list".to_owned()));
    assert!(locals("a = [for v in [1] : v¦]").contains(&"v".to_owned()));
    let input = |ty: &str| labels(&format!("=== /main.tf\nvariable \"v\" {{\n  type = {ty}\n}}\n"));
    assert_eq!(input("object({ ¦ })"), ["name = type"]);
    for text in ["list(string, ¦)", "{ a = ¦ }", "[¦]"] {
        assert_eq!(input(text), [""; 0], "{text}");
    }
    let count = "=== /a.s\n# hcl:schema s.cfg\nitem \"a\" {\n  copies = 2\n  size = ¦\n}\n";
    let schema = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body     = s\n  }\n}\npart \"s\" {\n  \
                  block \"item\" {\n    label \"name\" {}\n    attribute \"copies\" {\n      type = number\n      role = count\n    }\n    \
                  attribute \"size\" { type = number }\n  }\n}\n";
    assert!(labels(&format!("{schema}{count}")).contains(&"count.index".to_owned()));
}

#[test]
fn sources_of_providers_are_those_that_other_files_have() {
    let found = labels(
        "=== /a/versions.tf\nterraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\n\
         === /b/versions.tf\nterraform {\n  required_providers {\n    mine = {\n      source = \"¦\"\n    }\n  }\n}\n",
    );
    assert_eq!(found, ["hashicorp/aws"]);
}

/// Files with a lock file: a folder that requires a provider, and another one.
const LOCKED: &str = "\
=== /a/.terraform.lock.hcl
provider \"registry.terraform.io/hashicorp/aws\" {
  version = \"5.31.0\"
}
=== /b/.terraform.lock.hcl
provider \"registry.terraform.io/hashicorp/aws\" {
  version = \"4.2.0\"
}
provider \"registry.terraform.io/hashicorp/null\" {
  version = \"3.2.1\"
}
=== /c/versions.tf
terraform {
  required_providers {
    aws = { source = \"hashicorp/aws\", version = \"= 3.0.1\" }
    own = { source = \"acme/own\" }
  }
}
";

/// The nearest lock file counts most, and other entries less.
#[test]
fn versions_of_providers_are_those_that_are_locked() {
    let at = |path: &str, text: &str| {
        labels(&format!("{LOCKED}=== {path}\nterraform {{\n  required_providers {{\n    {text}\n  }}\n}}\n"))
    };
    assert_eq!(at("/a/main.tf", "aws = { version = \"¦\" }"), ["~> 5.31", "= 3.0.1", "~> 4.2"]);
    assert_eq!(at("/a/net/main.tf", "aws = { version = \"¦\" }")[0], "~> 5.31");
    assert_eq!(at("/b/main.tf", "aws = \"¦\"")[0], "~> 4.2");
    // The source says which provider it is.
    assert_eq!(at("/b/main.tf", "cloud = { source = \"hashicorp/null\", version = \"¦\" }"), ["~> 3.2"]);
    assert_eq!(at("/b/main.tf", "other = { version = \"¦\" }"), [""; 0]);
    assert_eq!(at("/a/main.tf", "own = { source = \"¦\" }"), ["acme/own", "hashicorp/aws", "hashicorp/null"]);
    // The module requires it already, so it is no other one.
    assert_eq!(at("/c/main.tf", "null = { source = \"¦\" }"), ["hashicorp/null"]);
    assert_eq!(at("/c/main.tf", "¦"), ["null"]);
}

#[test]
fn entries_of_providers_are_objects_in_json() {
    let json = "=== /a/main.tf.json\n{ \"terraform\": { \"required_providers\": { \"¦\" } } }\n";
    let (snapshot, path, at) = files(&format!("{LOCKED}{json}"));
    let items = snapshot.completion(&path, at).expect("an answer").items;
    let aws = items.iter().find(|item| item.label == "aws").expect("it is locked");
    assert_eq!(aws.text, "\"aws\": { \"source\": \"hashicorp/aws\", \"version\": \"~> 5.31\" }");
    assert_eq!(aws.detail.as_deref(), Some("locked at 5.31.0"));
}
