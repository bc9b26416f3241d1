//! The behaviour that the tests of hcl-rs 0.20 show, rewritten for this crate. `docs/moving-from-hcl-rs.md` says of
//! each of them whether it is the same here, and why not.

use std::collections::{BTreeMap, BTreeSet};

use hcl_lr::construct::{NewBlock, NewBody, NewExpression};
use hcl_lr::typed::{BlockOf, Labeled, Reader, Template, Writer, to_expression};
use hcl_lr::{Expression, ParseOptions, Scope, Syntax, Value, from_str, to_string, value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

type Map<T> = BTreeMap<String, T>;

fn map<T, const N: usize>(entries: [(&str, T); N]) -> Map<T> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[track_caller]
fn read<T: DeserializeOwned>(text: &str) -> T {
    from_str(text).unwrap_or_else(|why| panic!("{}", why.render()))
}

/// The value of a file, for a type that takes anything and for this crate's own.
#[track_caller]
fn is_value(text: &str, expected: Value) {
    let any: serde_json::Value = read(text);
    assert_eq!(hcl_lr::to_value(&any).expect("a value"), expected);
    assert_eq!(hcl_lr::to_value(&read::<Map<Value>>(text)).expect("a value"), expected);
}

/// The text of each attribute is kept, and is what is written.
#[track_caller]
fn keeps(lines: &[&str]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let read: Map<Expression> = read(&text);
    for line in lines {
        let (name, expression) = line.split_once('=').expect("an attribute");
        assert_eq!(read[name.trim()].to_string(), expression.trim());
    }
    let written = to_string(&read).expect("text");
    assert_eq!(from_str::<Map<Expression>>(&written).expect("a file"), read);
}

#[test]
fn plain_values_are_the_same() {
    is_value("foo = \"bar\"\n", value!({ foo = "bar" }));
    is_value("foo = { bar = 42, \"baz\" = true }\n", value!({ foo = { bar = 42, baz = true } }));
    is_value("a = -4.2\nb = -4.2e10\nc = -42\n", value!({ a = (-4.2), b = (-42000000000_i64), c = (-42) }));
    #[derive(Deserialize, Debug, PartialEq)]
    struct Test {
        foo: u32,
    }
    assert_eq!(read::<Test>("foo = 1"), Test { foo: 1 });
    assert!(from_str::<Value>("invalid[").is_err());
}

#[test]
fn variables_are_evaluated_or_kept() {
    let text = "foo = [true, 2, \"three\", var.enabled]\n";
    assert!(from_str::<Map<Value>>(text).is_err(), "hcl-rs gives the text \"${{var.enabled}}\"");
    let scope = Scope::new().with("var", value!({ enabled = false }));
    let body = hcl_lr::parse::<hcl_lr::Body>(text).into_result().expect("a file");
    let evaluated: Map<Value> = hcl_lr::from_body(&body, &scope).expect("values");
    assert_eq!(evaluated["foo"], value!([true, 2, "three", false]));
    let kept: Map<Vec<Expression>> = read(text);
    assert_eq!(kept["foo"][3].to_string(), "var.enabled");
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
enum E {
    Unit,
    Newtype(u32),
    Tuple(u32, u32),
    Struct { a: u32 },
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct OfE {
    value: E,
}

#[test]
fn enums_are_the_same_and_come_back() {
    for (text, value) in
        [("value = \"Unit\"\n", E::Unit), ("value = {\n  Struct = {\n    a = 1\n  }\n}\n", E::Struct { a: 1 })]
    {
        assert_eq!(read::<OfE>(text).value, value);
        assert_eq!(to_string(&OfE { value }).expect("text"), text);
    }
    for (text, value) in [("Newtype = 1\n", E::Newtype(1)), ("Tuple = [1, 2]\n", E::Tuple(1, 2))] {
        assert_eq!(read::<E>(text), value);
        assert_eq!(to_string(&value).expect("text"), text);
    }
}

#[test]
fn blocks_are_objects_around_their_labels() {
    is_value(
        "resource \"aws_s3_bucket\" \"mybucket\" {\n  name = \"mybucket\"\n}\n",
        value!({ resource = { aws_s3_bucket = { mybucket = { name = "mybucket" } } } }),
    );
    is_value(
        "block {\n  foo {\n    bar = \"baz\"\n  }\n  foo {\n    bar = 1\n  }\n}\nother \"one\" \"two\" {\n  foo = \"bar\"\n}\n\
         other \"two\" \"three\" {\n  bar = \"baz\"\n}\n",
        value!({
            block = { foo = [{ bar = "baz" }, { bar = 1 }] },
            other = { one = { two = { foo = "bar" } }, two = { three = { bar = "baz" } } },
        }),
    );
}

#[test]
fn what_is_there_twice() {
    assert!(from_str::<Map<Value>>("foo = [1]\nfoo = [2]\n").is_err());
    // hcl-rs takes the one that comes last.
    for text in ["foo = [1]\nfoo {\n  bar = 1\n}\n", "foo {\n  bar = 1\n}\nfoo = [1]\n"] {
        assert!(from_str::<Map<Value>>(text).is_err());
        assert!(from_str::<serde_json::Value>(text).is_err());
    }
    // hcl-rs refuses it. The official engine takes the last one; here that is a warning.
    let (last, warnings) = Reader::new().read_str::<Map<Value>>("foo = { bar = 1, bar = 2 }\n").expect("a file");
    assert_eq!((last["foo"].to_string(), warnings.len()), ("{ bar = 2 }".to_owned(), 1));
}

#[test]
fn expressions_are_kept_as_text() {
    keeps(&["attr = foo(1, \"bar\", [\"baz\", \"qux\"]...)"]);
    keeps(&["unary  = !variable", "binary = 1 + 1", "null   = null_foo"]);
    keeps(&[
        "list   = [for item in items : func(item) if item]",
        "object = {for key, value in items : toupper(key) => tolower(value)...}",
    ]);
    keeps(&["providers = { (aws.eu-central-1) = aws.eu-central-1 }", "index = a.private[count.index % var.count].id"]);
    keeps(&[
        "a = b[\"c\"]",
        "splat = module.instance.*.id",
        "full = module.instance[*].id",
        "legacy = module.instance.0.id",
    ]);
    keeps(&["f = foo({ bar = baz() })", "_foo = \"bar\"", "nested = \"${\"b\"}\"", "hyphen-ated = null"]);
    keeps(&["type = object({ scopes = optional(list(string), []), path = string })"]);
}

#[test]
fn templates_are_kept_by_their_own_type() {
    let text = "foo = \"bar ${baz} %{~ if cond}qux%{ endif ~}\"\n";
    let template = read::<Map<Template>>(text)["foo"].to_string();
    assert_eq!(template, "\"bar ${baz} %{~ if cond}qux%{ endif ~}\"");
    // hcl-rs gives texts of templates and expressions to strings.
    assert!(from_str::<Map<String>>(text).is_err());
    let (texts, _) = Reader::new().with_templates_as_text(true).read_str::<Map<String>>(text).expect("texts");
    assert_eq!(texts["foo"], "bar ${baz} %{~ if cond}qux%{ endif ~}");
}

/// `$${` is `${`, and nothing else changes, wherever the template is.
#[test]
fn templates_as_text_are_for_other_programs() {
    let reader = Reader::new().with_templates_as_text(true);
    let read = |text: &str| reader.read_str::<Map<Value>>(text).expect("texts").0.remove("a").expect("a").to_string();
    let same = [
        (r#""x ${ y } $${z} %{ if b }c%{ endif } %%{d}""#, r#"x ${ y } ${z} %{ if b }c%{ endif } %{d}"#),
        (r#""$${a} b""#, "${a} b"),
        (r#""a  ${~ b ~}  c""#, "a  ${~ b ~}  c"),
        (r#""a\tb ${c ~} \n""#, "a\tb ${c ~} \n"),
    ];
    for (quoted, text) in same {
        let expected = Value::from(text).to_string();
        assert_eq!(read(&format!("a = {quoted}\n")), expected, "{quoted}");
        assert_eq!(read(&format!("a = [{quoted}]\n")), format!("[{expected}]"), "{quoted}");
        assert_eq!(read(&format!("a = {{ b = [{quoted}] }}\n")), format!("{{ b = [{expected}] }}"), "{quoted}");
        let json = reader.with_options(ParseOptions::default().with_syntax(Syntax::Json));
        let (in_json, _) = json.read_str::<Map<Vec<String>>>(&format!("{{\"a\": [{quoted}]}}")).expect("texts");
        assert_eq!(Value::from(&*in_json["a"][0]).to_string(), expected, "{quoted}");
    }
    let text = "a = <<-EOT\n    x ${~ y ~}\n      $${z}\n    %{~ if b ~}\n    %%{c}\n    %{ endif }\n  EOT\n";
    let (heredoc, _) = reader.read_str::<Map<String>>(text).expect("a text");
    assert_eq!(heredoc["a"], "x ${~ y ~}\n  ${z}\n%{~ if b ~}\n%{c}\n%{ endif }\n");
    let (plain, _) = reader.read_str::<Map<String>>("a = <<EOT\n  x ${~ y ~}  \nEOT\n").expect("a text");
    assert_eq!(plain["a"], "  x ${~ y ~}  \n");
}

#[test]
fn escape_sequences_mean_the_same() {
    #[derive(Deserialize)]
    struct Block {
        string_attr: String,
        template_attr: Template,
        object_attr: Map<bool>,
        heredoc: String,
    }
    let text = r#"
block "label\\with\\backslashes" {
  string_attr   = "I \u2665 unicode"
  template_attr = "I \u2665 ${unicode}\n"
  object_attr = {
    "key\nwith\nnewlines" = true
  }
  heredoc = <<-EOS
    heredoc template with \
    escaped newline and \\backslash is not unescaped yet
  EOS
}
"#;
    let read: Map<Map<Block>> = read(text);
    let block = &read["block"]["label\\with\\backslashes"];
    assert_eq!(block.string_attr, "I ♥ unicode");
    assert_eq!(block.template_attr.render(&Scope::new().with("unicode", "x")).expect("text"), "I ♥ x\n");
    assert!(block.object_attr["key\nwith\nnewlines"]);
    assert_eq!(block.heredoc, "heredoc template with \\\nescaped newline and \\\\backslash is not unescaped yet\n");
    let make: Map<String> = crate::from_hcl_rs::read("b = <<-EOF\n  make TARGET=$${GIT_BRANCH}\nEOF\n");
    assert_eq!(make["b"], "make TARGET=${GIT_BRANCH}\n");
    for escape in ["\\b", "\\f", "\\/"] {
        assert!(from_str::<Map<String>>(&format!("a = \"{escape}\"\n")).is_err());
    }
}

#[test]
fn a_type_for_each_part_of_a_terraform_file() {
    #[derive(Deserialize)]
    struct Bucket {
        bucket: String,
        force_destroy: bool,
        server_side_encryption_configuration: Rules,
        tags: Expression,
    }
    #[derive(Deserialize)]
    struct Rules {
        rule: Map<Default>,
    }
    #[derive(Deserialize)]
    struct Default {
        kms_master_key_id: Expression,
        sse_algorithm: String,
    }
    let file: Map<Map<Map<Bucket>>> = read(
        "resource \"aws_s3_bucket\" \"mybucket\" {\n  bucket        = \"mybucket\"\n  force_destroy = true\n\n  \
         server_side_encryption_configuration {\n    rule {\n      apply {\n        kms_master_key_id = aws_kms_key.mykey.arn\n        \
         sse_algorithm     = \"aws:kms\"\n      }\n    }\n  }\n\n  tags = {\n    (var.dynamic) = null\n    \"application\" = \"myapp\"\n    \
         team          = \"bar\"\n  }\n}\n",
    );
    let bucket = &file["resource"]["aws_s3_bucket"]["mybucket"];
    assert!(bucket.bucket == "mybucket" && bucket.force_destroy && bucket.tags.to_string().contains("var.dynamic"));
    let rule = &bucket.server_side_encryption_configuration.rule["apply"];
    assert_eq!(
        (rule.kms_master_key_id.to_string().as_str(), rule.sse_algorithm.as_str()),
        ("aws_kms_key.mykey.arn", "aws:kms")
    );
}

#[test]
fn optional_fields_of_a_labeled_block() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Project {
        proj_type: String,
        spec: Option<std::path::PathBuf>,
        dockerfile: Option<std::path::PathBuf>,
        scripts: Option<Vec<Map<String>>>,
    }
    let read: Map<Map<Project>> = read("project \"a\" {\n  proj_type = \"generic\"\n  spec = \"./test.spec\"\n}\n");
    let expected =
        Project { proj_type: "generic".into(), spec: Some("./test.spec".into()), dockerfile: None, scripts: None };
    assert_eq!(read["project"]["a"], expected);
}

#[test]
fn kinds_of_expressions_are_one_type() {
    #[derive(Deserialize)]
    struct Config {
        op: Expression,
        cond: Expression,
        nested: Nested,
    }
    #[derive(Deserialize)]
    struct Nested {
        template: Template,
        heredoc: Template,
    }
    let text = "op = 1 + 1\ncond = var ? true : false\nnested {\n  template = \"${some_var}\"\n  heredoc = <<-EOS\n    ${some_var}\n  EOS\n}\n";
    let config: Config = read(text);
    let scope = Scope::new().with("var", true).with("some_var", "x");
    assert_eq!(config.op.evaluate(&scope).expect("a value"), Value::from(2));
    assert_eq!(config.cond.evaluate(&scope).expect("a value"), Value::from(true));
    assert_eq!(config.nested.template.render(&scope).expect("a text"), "x");
    assert_eq!(config.nested.heredoc.render(&scope).expect("a text"), "x\n");
    assert!(from_str::<Map<String>>("cond = var ? true : false\n").is_err(), "hcl-rs gives the text of the expression");
}

#[test]
fn structures_are_written() {
    #[derive(Serialize)]
    struct Test {
        foo: u32,
        bar: bool,
    }
    assert_eq!(to_string(&Test { foo: 1, bar: true }).expect("text"), "foo = 1\nbar = true\n");
    let object = value!({ foo = [1, 2, 3], bar = "baz", qux = { foo = "bar", baz = "qux" } });
    let text = "bar = \"baz\"\nfoo = [1, 2, 3]\nqux = {\n  baz = \"qux\"\n  foo = \"bar\"\n}\n";
    assert_eq!(to_string(&object).expect("text"), text);
}

/// hcl-rs writes all of them into one body, which reads back as something else.
#[test]
fn several_structures_are_no_file() {
    #[derive(Serialize)]
    struct Both(Map<u8>, Map<u8>);
    assert!(to_string(&Both(map([("foo", 1)]), map([("bar", 2)]))).is_err());
    assert!(to_string(&value!([{ foo = 1 }, { bar = 2 }])).is_err());
    #[derive(Serialize)]
    struct Flat {
        #[serde(flatten)]
        one: Map<u8>,
        #[serde(flatten)]
        two: Map<u8>,
    }
    let flat = Flat { one: map([("foo", 1)]), two: map([("bar", 2)]) };
    assert_eq!(to_string(&flat).expect("text"), "foo = 1\nbar = 2\n");
}

#[test]
fn what_is_no_file_is_an_error() {
    assert!(to_string(&true).is_err() && to_string("foo").is_err() && to_string(&[1, 2]).is_err());
    assert!(to_string(&BTreeMap::from([("\"", "no name")])).is_err());
    assert!(to_string(&BTreeMap::from([(1, "bar"), (2, "qux")])).is_err());
    assert!(to_string(&"true".parse::<Expression>().expect("an expression")).is_err());
    let null = Writer::new().with_nulls(true).to_string(&BTreeMap::from([("hyphen-ated", None::<u8>)]));
    assert_eq!(null.expect("text"), "hyphen-ated = null\n");
}

#[test]
fn bodies_are_built_by_a_builder() {
    let enabled = NewExpression::parse("var.enabled").expect("an expression");
    let inner = NewBlock::new("with_labels").label("label1").label("lab\"el2").attribute("enabled", enabled);
    let body = NewBody::new().attribute("foo", 1).attribute("bar", "baz").block(NewBlock::new("qux").block(inner));
    let text = "foo = 1\nbar = \"baz\"\n\nqux {\n  with_labels \"label1\" \"lab\\\"el2\" {\n    enabled = var.enabled\n  }\n}\n";
    assert_eq!(body.text().expect("text"), text);
}

#[derive(Serialize)]
struct D {
    e: &'static str,
}

#[test]
fn wrappers_write_blocks() {
    #[derive(Serialize)]
    struct Config {
        block: BlockOf<Map<String>>,
        #[serde(with = "hcl_lr::typed::blocks_by_label")]
        labeled: Map<Map<String>>,
        #[serde(with = "hcl_lr::typed::blocks_by_label")]
        doubly: Map<Map<Map<String>>>,
    }
    let pair = |key: &str, value: &str| map([(key, value.to_owned())]);
    let config = Config {
        block: BlockOf(map([("a", "b".to_owned()), ("c", "d".to_owned())])),
        labeled: map([("one", pair("a", "b")), ("two", pair("c", "d"))]),
        doubly: map([("foo", map([("one", pair("a", "b")), ("two", pair("c", "d"))]))]),
    };
    let text = "block {\n  a = \"b\"\n  c = \"d\"\n}\n\nlabeled \"one\" {\n  a = \"b\"\n}\n\nlabeled \"two\" {\n  c = \"d\"\n}\n\n\
                doubly \"foo\" \"one\" {\n  a = \"b\"\n}\n\ndoubly \"foo\" \"two\" {\n  c = \"d\"\n}\n";
    assert_eq!(to_string(&config).expect("text"), text);

    /// hcl-rs makes labels of the names of fields; here maps have labels, or `Labeled`.
    #[derive(Serialize)]
    struct Structures {
        a: BlockOf<A>,
        b: Vec<Labeled<D>>,
    }
    #[derive(Serialize)]
    struct A {
        b: &'static str,
        d: Vec<BlockOf<D>>,
    }
    let structures = Structures {
        a: BlockOf(A { b: "c", d: vec![BlockOf(D { e: "f1" }), BlockOf(D { e: "f2" })] }),
        b: vec![Labeled::new(["c1", "d"], D { e: "f3" }), Labeled::new(["c2", "d"], D { e: "f4" })],
    };
    let text = "a {\n  b = \"c\"\n\n  d {\n    e = \"f1\"\n  }\n\n  d {\n    e = \"f2\"\n  }\n}\n\nb \"c1\" \"d\" {\n  e = \"f3\"\n}\n\n\
                b \"c2\" \"d\" {\n  e = \"f4\"\n}\n";
    assert_eq!(to_string(&structures).expect("text"), text);
}

#[test]
fn blocks_within_an_untagged_enum() {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Item {
        Expression(NewExpression),
        Block(BlockOf<Vec<Map<Item>>>),
        Labeled(Map<BlockOf<Map<Item>>>),
    }
    let expression = |text: &str| Item::Expression(NewExpression::parse(text).expect("an expression"));
    let content = map([("service_ipv4_cidr", expression("kubernetes_network_config.value"))]);
    let dynamic = map([
        ("for_each", expression("var.cidr == null ? [] : [var.cidr]")),
        ("content", Item::Block(BlockOf(vec![content]))),
    ]);
    let bucket = map([
        ("bucket", expression("\"mybucket\"")),
        ("dynamic", Item::Labeled(map([("kubernetes_network_config", BlockOf(dynamic))]))),
    ]);
    #[derive(Serialize)]
    struct Config {
        resource: Map<Map<BlockOf<Map<Item>>>>,
    }
    let config = Config { resource: map([("aws_s3_bucket", map([("mybucket", BlockOf(bucket))]))]) };
    let text = "resource \"aws_s3_bucket\" \"mybucket\" {\n  bucket = \"mybucket\"\n\n  dynamic \"kubernetes_network_config\" {\n    \
                content {\n      service_ipv4_cidr = kubernetes_network_config.value\n    }\n\n    for_each = var.cidr == null ? [] : [var.cidr]\n  }\n}\n";
    assert_eq!(to_string(&config).expect("text"), text);
}

#[test]
fn what_is_written_reads_back() {
    let texts = map([("sequence", "${foo}".to_owned()), ("control", "a\u{8}b\u{c}c".to_owned())]);
    let text = to_string(&texts).expect("text");
    assert!(text.contains("\"$${foo}\"") && text.contains("\\u0008"), "{text}");
    assert_eq!(read::<Map<String>>(&text), texts);
    let keywords = map([("o", map([("true", 1_u8), ("false", 1), ("null", 1), ("for", 1)]))]);
    let text = to_string(&keywords).expect("text");
    assert_eq!(read::<Map<Map<u8>>>(&text), keywords);
    let key = to_expression(&map([("for", 1)])).expect("an expression");
    assert_eq!(key.text().expect("text"), "{\n  \"for\" = 1\n}");
}

/// The guide names the tests here for each of those of hcl-rs, and all of them.
#[test]
fn the_guide_names_these_tests() {
    let guide = include_str!("../../docs/moving-from-hcl-rs.md");
    let (_, table) = guide.split_once("## The cases of its tests").expect("the table");
    let cells = table.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split(" | ").nth(2));
    let named: BTreeSet<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let files = [include_str!("from_hcl_rs.rs"), include_str!("from_hcl_rs_values.rs")];
    let tests = files.iter().flat_map(|file| file.split("#[test]\nfn ").skip(1));
    let tests = tests.filter_map(|test| test.split('(').next());
    let tests: BTreeSet<&str> = tests.filter(|test| *test != "the_guide_names_these_tests").collect();
    assert_eq!(named, tests);
}
