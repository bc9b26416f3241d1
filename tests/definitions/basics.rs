use hcl_lr::ConfigFile;
use hcl_lr::{Scope, Value, parse};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, Loaded, LoadedModule, ModuleCall, Roles};

use crate::roles_of;

fn evaluate(roles: &Roles, text: &str) -> Evaluated {
    let file = parse::<ConfigFile>(("main.hcl", text)).into_result().expect("it parses");
    Definitions::of(roles, [file]).into_value().evaluate(&Scope::new())
}

#[track_caller]
fn get(evaluated: &Evaluated, address: &str) -> String {
    evaluated.get(address).unwrap_or_else(|| panic!("no {address}")).to_string()
}

#[test]
fn attributes_see_each_other() {
    let evaluated = evaluate(&Roles::attributes(), "c = b * 2\nb = a + 1\na = 1\n");
    assert_eq!(get(&evaluated, "c"), "4");
    assert!(evaluated.diagnostics().is_empty());
}

#[test]
fn what_is_repeated() {
    let text = r#"
resource "aws_x" "a" {
  for_each = toset(["p", "q"])
  name     = "n-${each.key}"
}
resource "aws_x" "b" {
  count = 2
  name  = "n-${count.index}"
}
locals {
  one   = aws_x.a["p"].name
  other = aws_x.b[1].name
  id    = aws_x.b[1].id
  all   = keys(aws_x.a)
  many  = length(aws_x.b)
}
"#;
    let evaluated = evaluate(&roles_of("terraform"), text);
    assert!(evaluated.diagnostics().is_empty(), "{}", evaluated.diagnostics().render());
    assert_eq!(get(&evaluated, "local.one"), "\"n-p\"");
    assert_eq!(get(&evaluated, "local.other"), "\"n-1\"");
    assert_eq!(get(&evaluated, "local.many"), "2");
    assert_eq!(get(&evaluated, "local.all"), "[\"p\", \"q\"]");
    assert!(!evaluated.get("local.id").unwrap().is_known());
    assert_eq!(get(&evaluated, "aws_x.b.name"), "[\"n-0\", \"n-1\"]");
}

#[test]
fn modules_in_modules_that_are_repeated() {
    let main = parse::<ConfigFile>((
        "main.tf",
        "module \"a\" {\n  source = \"./a\"\n  for_each = { x = 1, y = 2 }\n  n = each.value\n}\noutput \"all\" {\n  value = [module.a[\"x\"].sum, module.a[\"y\"].sum, module.a]\n}\n",
    ))
    .into_result()
    .unwrap();
    let a = "variable \"n\" {}\nmodule \"b\" {\n  source = \"./b\"\n  count = var.n\n  m = var.n * 10 + count.index\n}\noutput \"sum\" {\n  value = module.b[*].out\n}\n";
    let b = "variable \"m\" {\n  type = number\n}\nlocals {\n  twice = var.m * 2\n}\noutput \"out\" {\n  value = local.twice\n}\n";
    let loader = |call: &ModuleCall<'_>| {
        let text = if call.source() == "./a" { a } else { b };
        let document = parse::<ConfigFile>((call.source(), text)).into_result().unwrap();
        Loaded::Module(LoadedModule::new(call.source(), [document]))
    };
    let definitions = Definitions::with_modules(&roles_of("terraform"), [main], &loader).into_result().unwrap();
    let evaluated = definitions.evaluate(&Scope::new());
    assert!(evaluated.diagnostics().is_empty(), "{}", evaluated.diagnostics().render());
    assert_eq!(get(&evaluated, "output.all"), "[[20], [40, 42], { x = { sum = [20] }, y = { sum = [40, 42] } }]");
    assert_eq!(get(&evaluated, "module.a.module.b.local.twice"), "[20, 40, 42]");
}

#[test]
fn functions_refer_to_definitions() {
    let text = r#"
variable "REG" { default = "docker.io" }
function "image" {
  params = [name]
  result = "${REG}/${name}:${tag()}"
}
function "tag" {
  params = []
  result = upper(VERSION)
}
VERSION = "v1"
target "app" {
  tags = [image("app")]
}
target "app" {
  context = target.base.context
}
target "base" { context = "." }
"#;
    let evaluated = evaluate(&roles_of("bake"), text);
    assert!(evaluated.diagnostics().is_empty(), "{}", evaluated.diagnostics().render());
    assert_eq!(get(&evaluated, "target.app"), "{ context = \".\", tags = [\"docker.io/app:V1\"] }");
}

#[test]
fn wrong_things() {
    let text = r#"
locals {
  a = local.b
  b = local.a
  c = local.regoin
  region = 1
  d = local.a + 1
  e = 1 + "x"
  f = local.e + 1
  g = aws_y.z.id
}
variable "n" {
  default = 3
  validation {
    condition     = var.n > local.region + 5
    error_message = "Too small: ${var.n}."
  }
}
"#;
    let evaluated = evaluate(&roles_of("terraform"), text);
    println!("{}", evaluated.diagnostics().render());
    assert_eq!(evaluated.diagnostics().len(), 5);
}

#[test]
fn threads_do_not_matter() {
    // Only with work in each of them are they handed to several threads.
    let list = (1..=200).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let text: String = (0..2000)
        .map(|n| {
            format!(
                "a{n} = {}\n",
                if n < 50 {
                    "1".to_owned()
                } else {
                    format!("a{} + a{}", n - 1, n - 50).replace("+ a", "+ 0 * a") + " * [for x in list: x][0]"
                }
            )
        })
        .collect();
    let text = format!("list = [{list}]\n{text}");
    let file = parse::<ConfigFile>(("main.hcl", text.as_str())).into_result().unwrap();
    let definitions = Definitions::of(&Roles::attributes(), [file]).into_result().unwrap();
    let one = definitions.evaluate(&Scope::new());
    let four = definitions.evaluate_on(4, &Inputs::new(), &Scope::new());
    for definition in one.definitions() {
        assert_eq!(one.value(&definition), four.get(definition.address()).unwrap());
    }
    assert_eq!(one.get("a1999"), Some(Value::from(1)));
}
