//! The order of completions, and the text that is inserted.

use hcl_lr::ConfigFile;
use hcl_lr_analysis::Workspace;
use hcl_lr_analysis::completion::Item;

use super::{files, labels};

fn first(text: &str, label: &str) -> Item {
    let (snapshot, path, at) = files(text);
    let found = snapshot.completion(&path, at).expect("an answer");
    let item = found.items.iter().find(|item| item.label == label);
    item.unwrap_or_else(|| panic!("{label} in {:?}", found.items.iter().map(|item| &item.label).collect::<Vec<_>>()))
        .clone()
}

#[test]
fn names_that_begin_with_the_text_come_first() {
    let found = labels("=== /a.hcl\nport = 1\nlast_hope = 2\nx = p¦\n");
    assert_eq!(found[0], "port", "{found:?}");
    let place = |name: &str| found.iter().position(|label| label == name);
    assert!(place("last_hope") > place("port") && place("last_hope") > place("pow"), "{found:?}");
}

/// Functions have a second name in a namespace, which is offered once its start is typed.
#[test]
fn functions_are_offered_in_their_namespace() {
    let item = first("=== /a.tf\nlocals {\n  a = core::up¦\n}\n", "core::upper");
    assert_eq!(item.text, "core::upper()");
    assert!(labels("=== /a.tf\nlocals {\n  a = up¦\n}\n").iter().all(|label| !label.contains("::")));
    assert!(labels("=== /a.pkr.hcl\nlocals {\n  a = core::up¦\n}\n").iter().all(|label| label != "core::upper"));
}

#[test]
fn an_arrow_is_no_comparison() {
    let place = |text: &str, name: &str| labels(text).iter().position(|label| label == name).expect(name);
    let value = "=== /a.tf\nlocals {\n  a = { for k, v in var.b : k => ¦(v) }\n}\n";
    assert!(place(value, "merge") < place(value, "abs"));
    let compared = "=== /a.tf\nlocals {\n  a = 1 > ¦(v)\n}\n";
    let found = labels(compared);
    assert!(found.contains(&"abs".to_owned()) && !found.contains(&"merge".to_owned()), "{found:?}");
}

/// The result of some functions has the type of their argument, and that of conversions has another one.
#[test]
fn results_of_functions_fit_with_their_arguments() {
    let offered = |text: &str| labels(&format!("=== /a.tf\nresource \"a\" \"b\" {{\n  {text}\n}}\n"));
    assert!(offered("for_each = ¦([\"a\"])").contains(&"toset".to_owned()));
    assert!(!offered("count = ¦([\"a\"])").contains(&"coalesce".to_owned()));
    // The arguments may be long.
    let long = offered(&format!("for_each = ¦([\"{}\"])", "a".repeat(5_000)));
    assert!(long.contains(&"toset".to_owned()) && !long.contains(&"length".to_owned()), "{long:?}");
    // A text may be a number, but this one is not.
    let count = offered("count = ¦([\"a\"])");
    assert!(!count.contains(&"jsonencode".to_owned()) && count.contains(&"length".to_owned()), "{count:?}");
    assert!(offered("count = ¦(1)").contains(&"jsonencode".to_owned()));
}

#[test]
fn what_the_same_file_and_block_say_comes_first() {
    let block = "=== /a.tf\nlocals {\n  cache_name = \"a\"\n  queue_name = \"b\"\n}\n\
                 resource \"x\" \"y\" {\n  queue {\n    name = local.¦\n  }\n}\n";
    assert_eq!(labels(block)[0], "queue_name");
    let sum = "=== /a.tf\nlocals {\n  a_count = 1\n  b_count = 2\n  sum     = local.a_count + local.¦\n}\n";
    assert_eq!(labels(sum)[0], "b_count");
    let files = "=== /a.tf\nlocals {\n  north = 1\n}\n=== /b.tf\nlocals {\n  south = 2\n}\noutput \"o\" {\n  value = local.¦\n}\n";
    assert_eq!(labels(files)[0], "south");
    let calls =
        "=== /a.tf\nlocals {\n  a = md5(\"a\")\n  b = ¦(\"b\")\n}\n=== /b.tf\nlocals {\n  c = chomp(\"c\")\n}\n";
    assert_eq!(labels(calls)[0], "md5");
}

#[test]
fn labels_and_keys_are_written_as_hcl() {
    let broken = "=== /a.hcl\nservice \"a \\\"b\\\" $${c}\" \"x\" {}\nservice ¦\n";
    assert_eq!(first(broken, "a \"b\" ${c}").text, "\"a \\\"b\\\" $${c}\"");
    let in_quotes = broken.replace("service ¦", "service \"¦");
    assert_eq!(first(&in_quotes, "a \"b\" ${c}").text, "a \\\"b\\\" $${c}\"");
    let keys = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body = s\n  }\n}\npart \"s\" {\n  \
                attribute \"o\" { type = object({ \"a b\" = string, c = string }) }\n}\n\
                === /x.hcl\n# hcl:schema s.cfg\no = {\n  ¦\n}\n";
    assert_eq!(first(keys, "c").text, "c = \"\"");
    assert_eq!(first(keys, "a b").text, "\"a b\" = \"\"");
}

/// Returns the text of a snippet as an editor inserts it, with its placeholders.
fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut chars = snippet.chars().peekable();
    let mut depth = 0;
    while let Some(char) = chars.next() {
        match char {
            '\\' => out.extend(chars.next()),
            '$' if chars.peek() == Some(&'{') => {
                chars.next();
                while chars.next_if(char::is_ascii_digit).is_some() {}
                chars.next_if_eq(&':');
                depth += 1;
            }
            '$' => while chars.next_if(char::is_ascii_digit).is_some() {},
            '}' if depth > 0 => depth -= 1,
            _ => out.push(char),
        }
    }
    out
}

/// Texts in several languages, each with a place where something can be written.
const PLACES: [&str; 22] = [
    "=== /a.tf\n¦\n",
    "=== /a.tf\nvariable \"a\" {\n  ¦\n}\n",
    "=== /a.tf\nvariable \"a\" {\n  ¦ = 1\n}\n",
    "=== /a.tf\n¦ \"a\" {\n}\n",
    "=== /a.tf\nterraform {\n  ¦\n}\n",
    "=== /a.tf\nmodule \"a\" {\n  ¦\n}\n",
    "=== /a.tf\nlocals {\n  a = ¦\n}\n",
    "=== /a.tf\nlocals {\n  a = ¦(1)\n}\n",
    "=== /a.tf\nlocals {\n  a = [¦]\n}\n",
    "=== /a.tf\nlocals {\n  a = \"x-${¦}\"\n}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  c = 1\n  lifecycle {\n    ¦\n  }\n}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  c = 1\n}\nresource \"¦\" \"c\" {}\n",
    "=== /a.tf\nresource \"a\" \"b\" {\n  for_each = {}\n  c = each.¦\n}\n",
    "=== /a.tf\nvariable \"v\" {}\nlocals {\n  a = var.¦\n}\n",
    "=== /docker-bake.hcl\n¦\n",
    "=== /docker-bake.hcl\ntarget \"a\" {\n  ¦\n}\n",
    "=== /a.nomad\njob \"a\" {\n  ¦\n}\n",
    "=== /a.nomad\njob \"a\" {\n  group \"b\" {\n    task \"c\" {\n      ¦\n    }\n  }\n}\n",
    "=== /a.pkr.hcl\nbuild {\n  ¦\n}\n",
    "=== /terragrunt.hcl\n¦\n",
    "=== /a.schema.hcl\npart \"a\" {\n  ¦\n}\n",
    "=== /a.hcl\nb \"c\" {\n  d = \"e\"\n}\nb \"f\" {\n  ¦\n}\n",
];

#[test]
fn everything_that_is_offered_leaves_a_file_that_parses() {
    let mut count = 0;
    for place in PLACES {
        let (snapshot, path, at) = files(place);
        let text = snapshot.file(&path).expect("the file").source().text().to_owned();
        for item in snapshot.completion(&path, at).expect("an answer").items {
            for new in std::iter::once(item.text.clone()).chain(item.snippet.as_deref().map(plain)) {
                let mut applied = text.clone();
                applied.replace_range(item.span.range(), &new);
                let parsed = hcl_lr::parse::<ConfigFile>((path.as_str(), applied.as_str())).into_result();
                assert!(parsed.is_ok(), "{} at {place:?} gives {applied:?}", item.label);
                count += 1;
            }
        }
    }
    assert!(count > PLACES.len(), "something is offered");
}

#[test]
fn what_files_have_in_common_follows_edits() {
    let mut workspace = Workspace::default();
    let user = "service \"b\" {\n  \n}\n";
    let at = user.find("\n}").expect("a place");
    let offered = |workspace: &Workspace| -> Vec<String> {
        let found = workspace.snapshot().completion("/b/b.hcl", at).expect("an answer");
        found.items.into_iter().map(|item| item.label).collect()
    };
    workspace.set("/b/b.hcl", user);
    workspace.set("/a/a.hcl", "service \"a\" {\n  port = 1\n}\n");
    assert_eq!(offered(&workspace), ["port"]);
    workspace.set("/a/a.hcl", "service \"a\" {\n  host = 1\n  log {}\n}\n");
    assert_eq!(offered(&workspace), ["host", "log"]);
    workspace.set("/c/c.hcl", "service \"a\" {\n  host = 1\n}\n");
    workspace.remove("/a/a.hcl");
    assert_eq!(offered(&workspace), ["host"]);
    workspace.set("/c/c.hcl", "");
    assert_eq!(offered(&workspace), [""; 0]);
    // An older snapshot must not bring back what the edit removed.
    workspace.set("/c/c.hcl", "service \"a\" {\n  host = 1\n}\n");
    let old = workspace.snapshot().keeping();
    workspace.set("/c/c.hcl", "service \"a\" {\n  port = 1\n}\n");
    let _ = old.completion("/b/b.hcl", at);
    assert_eq!(offered(&workspace), ["port"]);
}

/// Constants of any kind are offered where another block has them.
#[test]
fn values_of_other_blocks_are_offered() {
    for value in ["8080", "true", "\"eu\""] {
        let other = format!("=== /a.hcl\nservice \"a\" {{\n  zone = {value}\n}}\n");
        let found = labels(&format!("{other}=== /b.hcl\nservice \"b\" {{\n  zone = ¦\n}}\n"));
        assert!(found.iter().any(|label| label == value), "{value}: {found:?}");
    }
}

#[test]
fn values_of_the_shape_that_the_place_asks_for_come_first() {
    let files = "=== /a/variables.tf\nvariable \"names\" {\n  type = list(string)\n}\nvariable \"wanted\" {\n  type = bool\n}\n\
                 variable \"zone\" {\n  type = string\n}\n=== /a/main.tf\n";
    for (text, expected) in [
        ("locals {\n  a = var.¦ ? 1 : 2\n}\n", "wanted"),
        ("locals {\n  a = [for x in var.¦ : x]\n}\n", "names"),
        ("locals {\n  a = \"x-${var.¦}\"\n}\n", "zone"),
        ("locals {\n  a = var.¦ == \"x\"\n}\n", "zone"),
        ("locals {\n  a = length(var.¦)\n}\n", "names"),
        ("resource \"a_b\" \"c\" {\n  for_each = toset(var.¦)\n}\n", "names"),
        ("locals {\n  a = ¦(local.b, \"x\") ? 1 : 2\n}\n", "can"),
        ("locals {\n  a = ¦([], \"x\") ? 1 : 2\n}\n", "contains"),
    ] {
        let found = labels(&format!("{files}{text}"));
        let first: Vec<&str> = found.iter().take(2).map(String::as_str).collect();
        match expected {
            // It takes one argument.
            "can" => assert!(!first.contains(&expected) && !first.contains(&"length"), "{text:?} {first:?}"),
            _ => assert_eq!(first[0], expected, "{text:?} {first:?}"),
        }
    }
}

#[test]
fn a_value_is_not_offered_for_itself() {
    let found = labels("=== /a/main.tf\nlocals {\n  zone_name = local.¦\n  zone      = 1\n  other     = 2\n}\n");
    assert_eq!(found, ["zone", "other"]);
}

#[test]
fn elements_of_a_list_are_offered_once_before_others() {
    let found = labels("=== /a/main.tf\nlocals {\n  all = [local.one, local.¦]\n  one = 1\n  two = 2\n}\n");
    assert_eq!(found[0], "two", "{found:?}");
}

#[test]
fn attributes_come_in_the_order_of_other_bodies() {
    let known = "service \"a\" {\n  host = 1\n  port = 2\n  zone = 3\n}\nservice \"b\" {\n  host = 1\n  port = 2\n  zone = 3\n}\n";
    let found = labels(&format!("=== /a.hcl\n{known}=== /b.hcl\nservice \"c\" {{\n  port = 1\n  ¦\n}}\n"));
    assert_eq!(found, ["zone", "host"]);
    let found = labels(&format!("=== /a.hcl\n{known}=== /b.hcl\nservice \"c\" {{\n  ¦\n  port = 1\n}}\n"));
    assert_eq!(found, ["host", "zone"]);
}

#[test]
fn generated_blocks_have_the_attributes_of_those_in_their_label() {
    let text = "=== /a/a.tf\nresource \"my_rule\" \"a\" {\n  ingress {\n    port_range = 1\n  }\n}\n\
                === /a/b.tf\nresource \"my_rule\" \"b\" {\n  dynamic \"ingress\" {\n    for_each = []\n    content {\n      ¦\n    }\n  }\n}\n";
    assert_eq!(labels(text)[0], "port_range");
}

/// Nomad allows dynamic blocks in jobs, and Terraform in resources, so they are offered with their parts; in JSON, too.
#[test]
fn dynamic_blocks_are_offered_where_the_language_allows_them() {
    let at = |inner: &str| labels(&format!("=== /a.nomad.hcl\njob \"a\" {{\n{inner}\n}}\n"));
    assert!(at("  ¦").contains(&"dynamic".to_owned()));
    assert!(!labels("=== /a.nomad.hcl\n¦\n").contains(&"dynamic".to_owned()));
    let types = at("  dynamic \"¦\" {}");
    assert!(types.contains(&"group".to_owned()) && !types.contains(&"dynamic".to_owned()), "{types:?}");
    assert_eq!(at("  dynamic \"group\" {\n    ¦\n  }"), ["content", "for_each", "labels", "iterator"]);
    assert_eq!(at("  dynamic \"spread\" {\n    for_each = []\n    ¦\n  }"), ["content", "iterator"]);
    let content = "  dynamic \"spread\" {\n    for_each = []\n    content {\n      ¦\n    }\n  }";
    assert!(at(content).contains(&"weight".to_owned()));
    assert!(at(content).contains(&"dynamic".to_owned()));
    let json = |inner: &str| labels(&format!("=== /a.tf.json\n{{\"resource\": {{\"t\": {{\"n\": {{{inner}}}}}}}}}\n"));
    assert_eq!(json("\"dynamic\": {\"connection\": {\"for_each\": [], \"¦\"}}"), ["content", "iterator"]);
    assert!(json("\"dynamic\": {\"connection\": {\"content\": {\"¦\"}}}").contains(&"host".to_owned()));
}

#[test]
fn files_with_values_are_offered_the_inputs() {
    let text =
        "=== /a/main.tf\nvariable \"zone\" {}\nvariable \"size\" {\n  default = 1\n}\n=== /a/terraform.tfvars\n¦\n";
    assert_eq!(labels(text), ["zone", "size"]);
    assert_eq!(labels(&text.replace('¦', "zone = 1\n¦")), ["size"]);
}

#[test]
fn functions_that_only_the_language_has_are_offered() {
    let found = labels("=== /a/terragrunt.hcl\nlocals {\n  a = find¦\n}\n");
    assert_eq!(found[0], "find_in_parent_folders", "{found:?}");
}

/// In parentheses, an expression goes on in the next line.
#[test]
fn a_condition_may_go_on_in_the_next_line() {
    let found = labels("=== /a.tf\nlocals {\n  a = (\n    ¦(var.b, \"c\")\n    ? [1]\n    : [2]\n  )\n}\n");
    assert!(found.contains(&"startswith".to_owned()) && !found.contains(&"merge".to_owned()), "{found:?}");
}

/// Functions whose first argument is of another kind come last.
#[test]
fn functions_fit_with_the_first_argument() {
    let place = |text: &str, name: &str| {
        labels(&format!("=== /a.tf\nlocals {{\n  {text}\n}}\n")).iter().position(|label| label == name).expect(name)
    };
    let numbers = "a = [for i in ¦(3) : i]";
    assert!(place(numbers, "range") < place(numbers, "keys"));
    let object = "a = \"${¦({ b = 1 })}\"";
    assert!(place(object, "yamlencode") < place(object, "join"));
}

#[test]
fn functions_of_the_files_that_nothing_calls_come_first() {
    let text = "=== /docker-bake.hcl\nfunction \"used\" {\n  params = []\n  result = 1\n}\nfunction \"new\" {\n  params = []\n  \
                result = 1\n}\ntarget \"a\" {\n  args = {\n    b = used()\n    c = ¦\n  }\n}\n";
    let found = labels(text);
    let place = |name: &str| found.iter().position(|label| label == name).expect(name);
    assert!(place("new") < place("try"), "{found:?}");
    // Any function may be one of a plugin, so those that are called elsewhere are offered.
    let plugin = labels("=== /a/waypoint.hcl\nproject = gitrefpretty()\n=== /b/waypoint.hcl\nproject = ¦\n");
    assert!(plugin.contains(&"gitrefpretty".to_owned()), "{plugin:?}");
    let key = labels("=== /a.tf\nlocals {\n  base64_length = ¦\n}\n");
    assert!(key.iter().position(|label| label == "length") < key.iter().position(|label| label == "try"), "{key:?}");
}

/// The word in hand is no example of itself, also where the place is in its middle.
#[test]
fn words_in_hand_are_not_offered() {
    for (text, word) in [
        ("x \"a\" {\n  kind = \"on¦ce\"\n}\n", "once"),
        ("x \"a\" {\n  kind = ¦\"once\"\n}\n", "\"once\""),
        ("x \"a\" {\n  siz¦es = 1\n}\n", "sizes"),
        ("x \"a\" {\n  par¦ts {}\n}\n", "parts"),
    ] {
        let found = labels(&format!("=== /a.hcl\n{text}"));
        assert!(!found.iter().any(|label| label == word), "{text}: {found:?}");
        let other = text.replace('¦', "");
        let found = labels(&format!("=== /a.hcl\n{text}\n=== /b.hcl\n{other}"));
        // A body has an attribute once, so another one with this name is no reason to offer it.
        assert_eq!(found.iter().any(|label| label == word), word != "sizes", "{text}: {found:?}");
    }
}

/// Of the attributes in a schema, those with the name of an unused input come first, then those with words of the block.
#[test]
fn attributes_are_like_the_block_and_the_inputs() {
    let schema = "=== /s.cfg\nlanguage \"s\" {\n  files \"s\" {\n    patterns = [\"*.s\"]\n    body = s\n  }\n}\npart \"s\" {\n  \
                  block \"input\" {\n    label \"name\" {}\n    defines \"input\" { value = input }\n  }\n  \
                  block \"load_balancer\" {\n    attribute \"admin\" { type = string }\n    attribute \"balancer_zone\" { type = string }\n    \
                  attribute \"port\" { type = string }\n    block \"extra\" {\n      role = meta\n    }\n  }\n}\n";
    let found =
        labels(&format!("{schema}=== /a.s\n# hcl:schema s.cfg\ninput \"port\" {{\n}}\nload_balancer {{\n  ¦\n}}\n"));
    assert_eq!(found, ["port", "balancer_zone", "admin", "extra"]);
}

/// A name that another block of the module defines is not offered for a second definition.
#[test]
fn values_are_defined_once() {
    let found = labels(
        "=== /a/a.tf\nlocals {\n  zone = 1\n}\n=== /a/b.tf\nlocals {\n  ¦\n}\n=== /b/a.tf\nlocals {\n  size = 1\n}\n",
    );
    assert_eq!(found, ["size"]);
}

/// Both results of a condition have the same type.
#[test]
fn results_of_a_condition_are_of_one_type() {
    let at =
        |text: &str| labels(&format!("=== /a.tf\nlocals {{\n  part = {{ b = 1 }}\n  text = \"x\"\n  a = {text}\n}}\n"));
    let found = at("local.text == \"\" ? ¦ : local.text");
    assert!(
        found.iter().position(|label| label == "local.text") < found.iter().position(|label| label == "local.part")
    );
    assert!(!at("local.text == \"\" ? ¦ : upper(\"x\")").contains(&"merge".to_owned()));
    // Another condition in the object says nothing.
    let other = at("{ c = true ? local.part : null, d : local.¦ }");
    assert!(other.contains(&"text".to_owned()), "{other:?}");
    let constant = labels("=== /a.tf\nvariable \"v\" {\n  default = -¦\n}\nvariable \"w\" {}\n");
    assert!(!constant.contains(&"var.w".to_owned()) && !constant.contains(&"abs".to_owned()), "{constant:?}");
    assert!(!labels("=== /a.tf\nresource \"a\" \"b\" {\n  count = ¦\n}\n").contains(&"null".to_owned()));
}

/// A value deep in a result of a condition counts as well, if the results have to agree there.
#[test]
fn values_that_make_the_results_of_a_condition_differ_are_not_offered() {
    let at = |text: &str| {
        let values = "  flag = true\n  word = \"x\"\n  part = { b = 1 }\n  all = [{ c = \"y\" }]";
        labels(&format!("=== /a.tf\nlocals {{\n{values}\n  a = {text}\n}}\n"))
    };
    let has = |found: &[String], name: &str| found.iter().any(|label| label == name);
    let deep = at("local.flag ? [{ c = ¦ }] : local.all");
    assert!(has(&deep, "local.word") && !has(&deep, "toset"), "{deep:?}");
    let member = at("local.flag ? [{ c = local.¦ }] : local.all");
    assert!(has(&member, "word"), "{member:?}");
    // A value with parts may be the start of a reference to one of them.
    assert!(has(&member, "part"), "{member:?}");
    // An unknown value is wrong beside other objects, and an object is right.
    let list = at("local.flag ? [] : [{ c = \"x\" }, ¦, { c = \"y\" }]");
    assert!(has(&list, "local.part") && has(&list, "merge") && !has(&list, "local.word"), "{list:?}");
    // Only an object with the same attributes is like the others.
    let objects = at("local.flag ? [] : [{ c = \"x\", d = [1] }, ¦, { c = \"y\", d = [] }]");
    assert!(!has(&objects, "local.word") && has(&objects, "local.part"), "{objects:?}");
    // The results differ whatever is written at the place.
    let broken = at("local.flag ? [{ c = ¦ }] : 1");
    assert!(has(&broken, "local.word") && has(&broken, "toset"), "{broken:?}");
}

/// The name of an element that is known to be an object is no condition, and neither is it part of a text.
#[test]
fn names_whose_values_do_not_fit_are_not_offered() {
    let at = |text: &str| {
        let values = "  parts = { b = { on = true } }\n  words = [\"x\"]\n  number = 1\n  flag = true";
        labels(&format!("=== /a.tf\nlocals {{\n{values}\n  a = {text}\n}}\n"))
    };
    let has = |found: &[String], name: &str| found.iter().any(|label| label == name);
    let condition = at("[for word, part in { x = 1 } : 1 if ¦]");
    assert!(!has(&condition, "word") && has(&condition, "local.flag"), "{condition:?}");
    let text = at("\"x-${¦}\"");
    assert!(has(&text, "local.number") && !has(&text, "merge"), "{text:?}");
    let key = at("{ b = 1 }[¦]");
    assert!(!has(&key, "local.number"), "{key:?}");
    let set = "=== /a.tf\nlocals {\n  set = toset([\"x\"])\n  a = concat(¦, [\"a\"])\n}\n";
    assert!(first(set, "local.set").is_start && first(&set.replace('¦', "local.¦"), "set").is_start);
    assert!(!first(&set.replace("concat", "setunion"), "local.set").is_start);
    let operand = at("1 >= ¦ && true");
    assert!(has(&operand, "local.number") && !has(&operand, "local.flag"), "{operand:?}");
}

/// The flag counts behind nested blocks, too.
#[test]
fn null_is_no_default_of_an_input_that_cannot_be_null() {
    let at = |flag: &str| {
        let condition = "  validation {\n    condition     = true\n    error_message = \"No.\"\n  }\n";
        labels(&format!("=== /a.tf\nvariable \"v\" {{\n  default = nu¦\n{condition}{flag}}}\n"))
    };
    assert!(at("").contains(&"null".to_owned()));
    assert!(!at("  nullable = false\n").contains(&"null".to_owned()));
}

/// A value cannot need itself, not even by others.
#[test]
fn values_that_need_the_one_at_the_place_are_not_offered() {
    let text =
        "=== /a.tf\nlocals {\n  first = second_¦\n  second_a = local.third\n  third = local.first\n  second_b = 1\n}\n";
    let found = labels(&text.replace("second_¦", "¦"));
    let has = |name: &str| found.iter().any(|label| label == name);
    assert!(has("local.second_b") && !has("local.second_a") && !has("local.third"), "{found:?}");
    let members = labels(&text.replace("second_¦", "local.¦"));
    assert!(!members.contains(&"third".to_owned()) && members.contains(&"second_b".to_owned()), "{members:?}");
    // An argument of a module may be made of its results.
    let module = "=== /a.tf\nmodule \"m\" {\n  source = \"./m\"\n  x = ¦\n}\nlocals {\n  y = module.m.z\n}\n\
                  === /m/a.tf\nvariable \"x\" {}\noutput \"z\" {\n  value = 1\n}\n";
    assert!(labels(module).contains(&"local.y".to_owned()));
    assert!(!labels(&module.replace("x = ¦", "count = ¦")).contains(&"local.y".to_owned()));
}

/// Results do not show what is sensitive by what it refers to, and those of an application are no ephemeral ones.
#[test]
fn results_are_not_offered_what_they_cannot_keep() {
    let files = |inner: &str, terraform: &str| {
        labels(&format!(
            "=== /a.tf\n{terraform}variable \"s\" {{\n  sensitive = true\n}}\nlocals {{\n  s = \"-${{var.s}}\"\n  t = 1\n}}\n\
             output \"o\" {{\n  {inner}\n}}\n"
        ))
    };
    let found = files("value = ¦", "");
    assert!(found.contains(&"local.t".to_owned()) && !found.contains(&"local.s".to_owned()), "{found:?}");
    let chosen = "variable \"c\" {\n  default = false\n}\nlocals {\n  u = var.c ? var.s : \"\"\n}\n";
    assert!(!files("value = ¦", chosen).contains(&"local.u".to_owned()));
    assert!(files("sensitive = true\n  value = lo¦", "").contains(&"local.s".to_owned()));
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    assert!(files("¦", "").contains(&"ephemeral".to_owned()));
    assert!(!files("¦", backend).contains(&"ephemeral".to_owned()));
}

/// Nothing is known of the blocks that a dynamic block in another one generates, but the dynamic block itself is known.
#[test]
fn dynamic_blocks_in_unknown_blocks_have_their_attributes() {
    let other = "resource \"t\" \"b\" {\n  dynamic \"part\" {\n    for_each = []\n    content {\n      size = 1\n      dynamic \"inner\" {\n        colour = 1\n        for_each = []\n        content {}\n      }\n    }\n  }\n}\n";
    let text = other.replace("colour = 1\n        for_each = []\n        content {}", "¦").replace("\"b\"", "\"c\"");
    assert_eq!(labels(&format!("=== /a.tf\n{other}{text}")), ["content", "for_each", "iterator", "labels"]);
}

/// A port is named by its label in the same group.
#[test]
fn labels_of_blocks_are_offered_where_they_are_named() {
    let job = |port: &str| {
        format!(
            "job \"a\" {{\n  group \"g\" {{\n    network {{\n      port \"http\" {{}}\n    }}\n    service {{\n      port = {port}\n    }}\n  }}\n}}\n"
        )
    };
    let other = job("\"other\"").replace("http", "other");
    let found = labels(&format!("=== /a.nomad\n{}=== /b.nomad\n{other}", job("\"¦\"")));
    assert_eq!(found, ["http"]);
    let found = labels(&format!("=== /a.nomad\n{}=== /b.nomad\n{other}", job("¦")));
    assert!(!found.contains(&"\"other\"".to_owned()), "{found:?}");
}
