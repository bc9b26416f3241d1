//! The variables that files need, as JSON.

use std::fmt::Write as _;

use hcl_lr::diagnostic::Json;
use hcl_lr::eval::Scope;
use hcl_lr::model::{Number, json};
use hcl_lr::source::Place;
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::AccessStep;

/// A JSON array with an object for each variable: its `root_name`, its `value` if the scope has one, its
/// `steps`, and its `range`.
pub(super) fn to_json(references: &[Traversal], scope: &Scope<'_>) -> String {
    let list: Vec<String> = references.iter().filter_map(|path| reference(path, scope)).collect();
    match list.is_empty() {
        true => "[]\n".to_owned(),
        false => format!("[\n  {}\n]\n", list.join(",\n  ")),
    }
}

fn reference(owned: &Traversal, scope: &Scope<'_>) -> Option<String> {
    let path = owned.node()?;
    let root = path.root();
    let mut steps = vec![format!(
        "{{\"kind\":\"root\",\"name\":{},\"range\":{}}}",
        Json(root.text()),
        range(&owned.place_of(root.span()))
    )];
    for step in path.steps() {
        let what = match step {
            AccessStep::Attribute(name) => format!("\"kind\":\"attr\",\"name\":{}", Json(name.text())),
            AccessStep::LegacyIndex(key) => format!("\"kind\":\"index\",\"key\":{}", Number::parse(key.text()).ok()?),
            AccessStep::Index(key) => {
                // It is a literal, so it has a value with a JSON form.
                let key = key.evaluate(&Scope::new()).ok()?;
                format!("\"kind\":\"index\",\"key\":{}", json::encode_implied(&key).ok()?)
            }
            _ => return None,
        };
        steps.push(format!("{{{what},\"range\":{}}}", range(&owned.place_of(step.span()))));
    }
    let mut out = String::new();
    let name = Json(root.text());
    let _ = write!(out, "{{\"root_name\":{name},");
    // An undefined variable has no value, which is not an error here.
    if let Some(value) = path.evaluate(scope).ok().and_then(|value| json::encode_implied(&value).ok()) {
        let _ = write!(out, "\"value\":{value},");
    }
    let _ = write!(out, "\"steps\":[{}],\"range\":{}}}", steps.join(","), range(&owned.place()));
    Some(out)
}

fn range(place: &Place) -> String {
    let mut out = format!("{{\"filename\":{}", Json(place.source().name()));
    for (name, offset) in [("start", place.span().start()), ("end", place.span().end())] {
        let at = place.source().position(offset);
        let _ = write!(out, ",\"{name}\":{{\"line\":{},\"column\":{},\"byte\":{}}}", at.line, at.column, at.byte);
    }
    out + "}"
}
