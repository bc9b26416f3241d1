//! Addresses and queries.

use hcl_lr::convert::to_hcl2json;
use hcl_lr::json::Document;
use hcl_lr::{Expression, File, parse};
use hcl_lr_edit::address::{Address, JsonTemplates};
use hcl_lr_edit::query::{Query, Subject};
use hcl_lr_language::schema::Schema;

use super::Case;

fn blocks(count: usize) -> String {
    (0..count)
        .map(|at| {
            format!("resource \"r\" \"n{at}\" {{\n  tags = {{ Name = f([{at}]) }}\n  in {{\n  }}\n  in {{\n  }}\n}}\n")
        })
        .collect()
}

fn same_blocks(count: usize) -> String {
    "resource \"r\" \"n\" {\n  tags = 1\n}\n".repeat(count)
}

fn labels(count: usize) -> String {
    format!("resource {} {{\n}}\n", "\"r\" ".repeat(count))
}

fn long_chain(count: usize) -> String {
    format!("resource \"r\" \"n\" {{\n  tags = {}x\n}}\n", "x[0][i].a[*].b + ".repeat(count))
}

fn document(count: usize) -> String {
    let members: Vec<String> =
        (0..count).map(|at| format!("{{\"r\": {{\"n{at}\": [{{\"tags\": {{\"Name\": [{at}]}}}}]}}}}")).collect();
    format!("{{\"resource\": [{}]}}", members.join(", "))
}

pub fn all() -> Vec<Case> {
    type Text = fn(usize) -> String;
    let texts: [(&str, Text); 4] =
        [("blocks", blocks), ("the same blocks", same_blocks), ("labels", labels), ("a long chain", long_chain)];
    let mut cases = Vec::new();
    for (name, text) in texts {
        for address in ["**", "**.**.**.r.**.Name", "resource[*][*].tags.**", "**[*].**[0]"] {
            cases.push(Case::new(format!("{address} in {name}"), 200, move |size| {
                let file = parse::<File>(text(size)).into_value();
                let address: Address = address.parse().expect("an address");
                move || {
                    let found = address.resolve(file.body());
                    found.iter().for_each(|target| drop(target.address()));
                }
            }));
        }
        cases.push(Case::new(format!("hcl2json of {name}"), 200, move |size| {
            let file = parse::<File>(text(size)).into_value();
            move || drop(to_hcl2json(&file))
        }));
    }
    for address in ["**", "**.**.Name", "resource[*][*].tags.Name"] {
        cases.push(Case::new(format!("{address} in JSON"), 200, move |size| {
            let document = parse::<Document>(document(size)).into_value();
            let address: Address = address.parse().expect("an address");
            let schema = Schema::by_name("terraform").expect("it is there").conversion_schema();
            move || drop(address.resolve_json(&document, &schema, Some(&JsonTemplates::of(&document))))
        }));
    }
    cases.push(Case::new("a query", 200, |size| {
        let file = parse::<File>(blocks(size)).into_value();
        let condition = "has(tags) && !has(tags.Other) || node.line == 1";
        let condition = parse::<Expression>(condition).into_result().expect("a condition");
        let query = Query::new("resource[*][*]".parse().expect("an address")).with_condition(condition);
        move || drop(query.run(Subject::Native(&file)))
    }));
    cases.push(Case::new("a query for siblings", 200, |size| {
        let attributes: String = (0..size).map(|at| format!("  a{at} = [{at}]\n")).collect();
        let file = parse::<File>(format!("b {{\n{attributes}}}\n")).into_value();
        let condition = parse::<Expression>("node.block.self.a0 == 1").into_result().expect("a condition");
        let query = Query::new("**".parse().expect("an address")).with_condition(condition);
        move || drop(query.run(Subject::Native(&file)))
    }));
    cases
}
