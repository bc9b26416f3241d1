//! Values as JSON.

use crate::error::Error;
use hcl_lr::model::{Value, View, json};
use hcl_lr::stack;
use hcl_lr::syntax::is_identifier;

/// Returns the value as a line of JSON, optionally with its type. Null properties are left out unless `keep_nulls` is
/// true.
///
/// # Errors
/// The reason why the value has no JSON.
pub(super) fn to_json(value: &Value, with_type: bool, keep_nulls: bool) -> Result<String, Error> {
    let mut writer = Writer { out: String::new(), keep_nulls, path: Vec::new() };
    let ty = value.ty();
    // A null of no type is just null.
    let with_type = with_type && ty != hcl_lr::model::Type::Dynamic;
    if with_type {
        writer.out.push_str("{\"value\":");
    }
    writer.write(value)?;
    if with_type {
        let ty = json::encode_type(&ty).map_err(|why| format!("the type cannot be written as JSON: {why}"))?;
        writer.out.push_str(",\"type\":");
        writer.out.push_str(&ty);
        writer.out.push('}');
    }
    writer.out.push('\n');
    Ok(writer.out)
}

struct Writer {
    out: String,
    keep_nulls: bool,
    /// The path of the value that is written, for messages.
    path: Vec<String>,
}

impl Writer {
    fn write(&mut self, value: &Value) -> Result<(), Error> {
        stack::with_room(|| match value.view() {
            View::List(items) | View::Set(items) | View::Tuple(items) => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.part(index > 0, format!("[{index}]"), item)?;
                }
                self.out.push(']');
                Ok(())
            }
            View::Map(entries) | View::Object(entries) => {
                self.out.push('{');
                let kept = entries.filter(|(_, item)| self.keep_nulls || !item.is_null()).collect::<Vec<_>>();
                for (index, (name, item)) in kept.into_iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    let key = json::encode_implied(&Value::from(name)).map_err(|why| why.to_string())?;
                    self.out.push_str(&key);
                    self.out.push(':');
                    self.part(false, if is_identifier(name) { format!(".{name}") } else { format!("[{key}]") }, item)?;
                }
                self.out.push('}');
                Ok(())
            }
            _ => {
                let text = json::encode_implied(value).map_err(|why| {
                    let path = self.path.concat();
                    let of = if path.is_empty() {
                        "the result".to_owned()
                    } else {
                        format!("`{}`", path.trim_start_matches('.'))
                    };
                    format!("{of} cannot be written as JSON: {why}")
                })?;
                self.out.push_str(&text);
                Ok(())
            }
        })
    }

    fn part(&mut self, comma: bool, step: String, value: &Value) -> Result<(), Error> {
        if comma {
            self.out.push(',');
        }
        self.path.push(step);
        self.write(value)?;
        self.path.pop();
        Ok(())
    }
}
