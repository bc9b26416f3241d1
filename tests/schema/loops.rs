//! Recursive schemas: they are decoded down to a limited number of levels.

use hcl_lr::{Body as FileBody, Scope, Value, parse};
use hcl_lr_language::schema::{Attribute, Block, Body, Files, Schema, Type};

/// The value of a file by a schema of one part, which the file is.
fn decoded(part: Body, types: &[(&str, Type)], text: &str) -> Value {
    let mut schema = Schema::new("loop").with_files(Files::new("loop", ["*.loop"], "loop")).with_part("loop", part);
    schema.types.extend(types.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())));
    let spec = schema.spec(&schema.files[0]).expect("a part");
    let body = parse::<FileBody>(text).into_result().expect("a file without errors");
    spec.decode(&body, &Scope::new()).into_result().expect("a value")
}

/// A block in each of several, and an attribute in the last.
fn nested(name: &str, levels: usize) -> String {
    format!("{}ports = [80]\n{}", format!("{name} {{\n").repeat(levels), "}\n".repeat(levels))
}

/// Returns the value `levels` down.
fn inner(mut value: Value, name: &str, levels: usize) -> Value {
    for _ in 0..levels {
        let blocks = value.attribute(name).expect("blocks").clone();
        value = blocks.elements().expect("a tuple")[0].clone();
    }
    value
}

#[test]
fn blocks_in_themselves_are_decoded() {
    let ports = Attribute::new("ports", Type::list(Type::String));
    let part = Body::new().with_attribute(ports.clone()).with_block(Block::new("inner", Body::new().including("loop")));
    for levels in [3, 20, 60] {
        let value = inner(decoded(part.clone(), &[], &nested("inner", levels)), "inner", levels);
        let port = value.attribute("ports").expect("it is set").elements().expect("a list")[0].clone();
        // Far down, values are taken as they are.
        assert_eq!(port, if levels < 32 { Value::from("80") } else { Value::from(80) }, "{levels}");
    }
    let names: Vec<String> = (0..20).map(|number| format!("inner{number}")).collect();
    let block = |name: &String| Block::new(name, Body::new().including("loop"));
    let part = names.iter().map(block).fold(Body::new().with_attribute(ports), Body::with_block);
    let value = inner(decoded(part, &[], &nested("inner7", 10)), "inner7", 10);
    assert_eq!(value.attribute("ports").and_then(Value::elements).map(<[Value]>::len), Some(1));
}

#[test]
fn types_in_themselves_are_decoded() {
    let named = || Type::Named("tree".to_owned());
    let tree = |names: &[&str]| {
        let object = names
            .iter()
            .fold(hcl_lr_language::schema::model::ObjectType::new(), |all, name| all.with(*name, named(), true));
        Type::Object(std::sync::Arc::new(object.with("size", Type::String, true)))
    };
    for names in [&["left"][..], &["left", "right", "middle", "other"]] {
        let part = Body::new().with_attribute(Attribute::new("tree", named()));
        let value = decoded(part, &[("tree", tree(names))], "tree = { left = { size = 1 } }\n");
        let left = value.attribute("tree").and_then(|tree| tree.attribute("left")).expect("it is set");
        assert_eq!(left.attribute("size"), Some(&Value::from("1")));
    }
}
