//! Finds attributes and blocks of files in either syntax by their names.

use hcl_lr::ConfigFile;
use hcl_lr::body::{self, Expression};

/// Returns true if the top level of a file has an attribute or block with a name. The name can say more:
///
/// - `NAME =` is an attribute,
/// - `NAME {}` a block without labels, and `NAME label {}` one with labels,
/// - `NAME.INNER` a block with an attribute or block in it,
/// - `* =` attributes, and no block at all.
///
/// In JSON, attributes and blocks look the same: a property has all forms that its value allows.
///
/// ```
/// use hcl_lr::{ConfigFile, parse};
/// use hcl_lr_language::schema::has_at_top;
///
/// let text = "server = true\nagent \"a\" {\n  policy = \"read\"\n}\n";
/// let file = parse::<ConfigFile>(("a.hcl", text)).into_result()?;
/// assert!(has_at_top(&file, "server") && has_at_top(&file, "server =") && !has_at_top(&file, "server {}"));
/// assert!(!has_at_top(&file, "* ="));
/// assert!(has_at_top(&file, "agent label {}") && !has_at_top(&file, "agent {}") && has_at_top(&file, "agent.policy"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub fn has_at_top(file: &ConfigFile, name: &str) -> bool {
    if name == "* =" {
        // In JSON, a property with an object may be a block.
        let ConfigFile::Native(native) = file else { return false };
        return native.body().attributes().next().is_some() && native.body().blocks().next().is_none();
    }
    let (name, form) = name.split_once(' ').map_or((name, ""), |(name, form)| (name, form.trim()));
    let (name, inner) = name.split_once('.').map_or((name, None), |(name, inner)| (name, Some(inner)));
    match file {
        ConfigFile::Native(native) => {
            let body = native.body();
            let is_attribute = || body.attribute(name).is_some();
            let mut blocks = body.blocks_of_type(name);
            match (inner, form) {
                (Some(inner), _) => blocks.any(|block| {
                    block.body().attribute(inner).is_some() || block.body().blocks_of_type(inner).next().is_some()
                }),
                (None, "=") => is_attribute(),
                (None, "{}") => blocks.any(|block| block.labels().next().is_none()),
                (None, "label {}") => blocks.any(|block| block.labels().next().is_some()),
                (None, _) => is_attribute() || blocks.next().is_some(),
            }
        }
        ConfigFile::Json(_) => {
            let Some(value) = attribute_of(&file.body(), name) else { return false };
            match (inner, form) {
                (Some(inner), _) => {
                    let entries = value.static_map().unwrap_or_default();
                    entries.iter().any(|(key, _)| key.as_str().is_some_and(|key| key == inner))
                }
                (None, "{}" | "label {}") => has_objects(&value),
                (None, _) => true,
            }
        }
    }
}

/// Returns true if a value is an object, or an array with objects in it.
pub(super) fn has_objects(value: &Expression) -> bool {
    let elements = value.static_list().unwrap_or_default();
    value.static_map().is_ok() || elements.iter().any(|element| element.static_map().is_ok())
}

/// Returns an attribute of a body in either syntax.
pub(super) fn attribute_of(body: &body::Body, name: &str) -> Option<Expression> {
    let schema = body::BodySchema::new().optional(name);
    let ((content, _), _) = body.partial_content(&schema).into_parts();
    content.attribute(name).map(|attribute| attribute.expression().clone())
}
