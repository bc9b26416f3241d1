//! Files whose parts refer to each other.

use super::Case;
use hcl_lr::ConfigFile;
use hcl_lr::{Limits, Scope, parse};
use hcl_lr_language::definitions::{Definitions, Inputs, References, Roles};

fn text(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// One needs the one before.
fn chain(count: usize) -> String {
    text(count, |n| if n == 0 { "a0 = 1\n".to_owned() } else { format!("a{n} = a{} + 1\n", n - 1) })
}

/// All need one, and one needs all.
fn star(count: usize) -> String {
    let all: String = (0..count).map(|n| format!("a{n}, ")).collect();
    format!("all = [{all}]\none = 1\n{}", text(count, |n| format!("a{n} = one + {n}\n")))
}

/// Each needs the one beside it and the one above it in rows of ten.
fn grid(count: usize) -> String {
    text(count, |n| match n {
        0..10 => format!("a{n} = {n}\n"),
        _ => format!("a{n} = a{} > a{} ? 1 : 2\n", n - 1, n - 10),
    })
}

/// The first needs the last.
fn cycle(count: usize) -> String {
    text(count, |n| format!("a{n} = a{}\n", (n + 1) % count))
}

/// Locals, and outputs that use all of them.
fn wholes(count: usize) -> String {
    let locals = text(count, |n| format!("  a{n} = {n}\n"));
    let outputs = text(count, |n| format!("output \"o{n}\" {{\n  value = local != null\n}}\n"));
    format!("locals {{\n{locals}}}\n{outputs}")
}

/// Blocks repeated for each element of a collection, with references to one of them.
fn repeated(count: usize) -> String {
    let outputs = text(count, |n| format!("output \"o{n}\" {{\n  value = a_b.c[{n}].x\n}}\n"));
    format!("resource \"a_b\" \"c\" {{\n  count = {count}\n  x = count.index\n}}\n{outputs}")
}

/// Repeated blocks, references to attributes of all of them, and many references to one by a computed index.
fn splats(count: usize) -> String {
    let locals = text(4, |n| format!("  a{n} = [a_b.c[*].x{n}, [for i in a_b.c : i.x0], values(a_b.d)[*].x0]\n"));
    let outputs = text(count, |n| {
        format!("output \"o{n}\" {{\n  value = [a_b.c[local.n[{n}]].x2, length(a_b.c), length(a_b.d)]\n}}\n")
    });
    format!(
        r#"
        resource "a_b" "c" {{
          count = {count}
          x0    = count.index
          x1    = 1
          x2    = a_b.d[tostring(count.index)].x0
          x3    = a_b.c[count.index].x1
        }}
        resource "a_b" "d" {{
          for_each = {{ for n in local.n : tostring(n) => n }}
          x0       = each.value
        }}
        locals {{
          n = range({count})
          {locals}
        }}
        {outputs}
        "#
    )
}

/// A definition that uses one attribute of each of many blocks, and all attributes of one.
fn looks(count: usize) -> String {
    let blocks = text(count, |n| format!("resource \"a_b\" \"c{n}\" {{\n  x = {n}\n}}\n"));
    let all: String = (0..count).map(|n| format!("a_b.c{n}, ")).collect();
    let written = text(count, |n| format!("  x{n} = {n}\n"));
    let asked: String = (0..count).map(|n| format!("i.x{n}, ")).collect();
    format!(
        "{blocks}resource \"a_b\" \"all\" {{\n  count = 2\n{written}}}\nlocals {{\n  one = [for i in [{all}] : i.x]\n  each = [for i in a_b.all : [{asked}]]\n}}\n"
    )
}

/// Targets that refer to attributes of others, and to one as a whole.
fn targets(count: usize) -> String {
    let targets = text(count, |n| {
        format!("target \"t{n}\" {{\n  a = target.base.a\n  b = target.t{}.a\n  c = target.base\n}}\n", n / 2)
    });
    format!("target \"base\" {{\n  a = 1\n}}\n{targets}")
}

/// Undefined names, next to as many defined ones.
fn undefined(count: usize) -> String {
    text(count, |n| format!("a{n} = missing{n}\n"))
}

/// Blocks in blocks, with labels and without.
fn nested(count: usize) -> String {
    let blocks = text(count, |n| {
        format!("  group \"g{n}\" {{\n    task \"t\" \"{n}\" {{\n      a = {n}\n    }}\n    b {{}}\n  }}\n")
    });
    format!("job \"j\" {{\n{blocks}}}\n")
}

/// Calls of functions in blocks that define nothing, most of them wrong.
fn calls(count: usize) -> String {
    format!("provider {{\n{}}}\n", text(count, |n| format!("  a{n} = uppr(lower(var.x{n}))\n")))
}

fn undefined_locals(count: usize) -> String {
    format!("locals {{\n{}}}\n", text(count, |n| format!("a{n} = local.missing{n}\n")))
}

/// Blocks that add to the first one, each with an attribute that is new and one that is not.
fn added(count: usize) -> String {
    text(count, |n| format!("target \"one\" {{\n  inherits = [\"one\"]\n  a{n} = {n}\n}}\n"))
}

/// Blocks of another file that change the first one.
fn changes(header: &str, count: usize) -> String {
    text(count, |n| format!("{header} {{\n  a{n} = {n}\n}}\n"))
}

fn scope() -> Scope<'static> {
    Scope::new().with_limits(Limits::new().max_steps(1 << 40).max_bytes(1 << 40))
}

fn document(text: String) -> ConfigFile {
    named("growth.hcl", text)
}

fn named(name: &str, text: String) -> ConfigFile {
    parse::<ConfigFile>((name, text)).into_result().expect("no errors")
}

pub fn all() -> Vec<Case> {
    type Make = fn(usize) -> String;
    type Kind = (&'static str, usize, Make, fn() -> Roles);
    let attributes = || Roles::attributes();
    let kinds: [Kind; 14] = [
        ("a chain", 2_000, chain, attributes),
        ("a star", 2_000, star, attributes),
        ("a grid", 2_000, grid, attributes),
        ("a cycle", 2_000, cycle, attributes),
        ("all of them, many times", 1_000, wholes, || super::roles_of("terraform")),
        ("blocks that are repeated", 500, repeated, || super::roles_of("terraform")),
        ("one that looks at many blocks", 500, looks, || super::roles_of("terraform")),
        ("splats over blocks that are repeated", 250, splats, || super::roles_of("terraform")),
        ("blocks that refer to blocks", 500, targets, || super::roles_of("bake")),
        ("blocks that add to one", 500, added, || super::roles_of("bake")),
        ("names that are not defined", 3_000, undefined, attributes),
        ("locals that are not defined", 3_000, undefined_locals, || super::roles_of("terraform")),
        ("blocks in blocks", 500, nested, || super::roles_of("nomad")),
        ("calls of functions that there are not", 500, calls, || super::roles_of("terraform")),
    ];
    let mut cases = Vec::new();
    for (name, size, make, roles) in kinds {
        cases.push(Case::new(format!("definitions: {name}"), size, move |count| {
            let (roles, file) = (roles(), document(make(count)));
            move || drop(Definitions::of(&roles, [file]).into_value().evaluate(&scope()))
        }));
        cases.push(Case::new(format!("definitions: {name}, on threads"), size, move |count| {
            let (roles, file) = (roles(), document(make(count)));
            let definitions = Definitions::of(&roles, [file]).into_value();
            move || drop(definitions.evaluate_on(3, &Inputs::new(), &scope()))
        }));
        cases.push(Case::new(format!("references: {name}"), size, move |count| {
            let (roles, file) = (roles(), document(make(count)));
            let definitions = Definitions::of(&roles, [file]).into_value();
            move || drop(References::new(&definitions))
        }));
        cases.push(Case::new(format!("definitions: {name}, for any input"), size, move |count| {
            let (roles, file) = (roles(), document(make(count)));
            let definitions = Definitions::of(&roles, [file]).into_value();
            move || drop(definitions.evaluate_for_any_input(&Inputs::new(), &[], &scope()))
        }));
    }
    for (name, header) in [("a block", "resource \"a\" \"b\""), ("a call", "module \"m\"")] {
        cases.push(Case::new(format!("definitions: {name} that is changed many times"), 1_000, move |count| {
            let first = named("main.tf", format!("{header} {{\n  source = \"./m\"\n}}\n"));
            let files = [first, named("main_override.tf", changes(header, count))];
            move || drop(Definitions::of(&super::roles_of("terraform"), files).into_value().evaluate(&scope()))
        }));
    }
    cases
}
