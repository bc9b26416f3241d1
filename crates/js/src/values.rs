//! Values as JSON.

use hcl_lr::Value;
use hcl_lr::model::{Number, View};
use hcl_lr::stack::with_room;

use crate::failure::Failure;
use crate::json;
use crate::options::Options;

/// The notation of numbers that are no numbers of JavaScript.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Numbers {
    /// The nearest number.
    #[default]
    Nearest,
    /// A marked text, of which the module in JavaScript makes a `BigInt` or a string.
    Marked,
}

/// The first character of marked texts: `␀n` and the digits for a number, `␀s` and the text for a text that begins like
/// that.
const MARK: char = '\0';

/// The largest whole number up to which numbers of JavaScript have no gaps.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// The paths of the parts of a value that JSON cannot show.
#[derive(Default)]
pub struct LeftOut {
    pub unknown: Vec<String>,
    pub sensitive: Vec<String>,
}

impl LeftOut {
    /// Appends the properties `unknown` and `sensitive`.
    pub fn write(&self, out: &mut String) {
        for (name, paths) in [("unknown", &self.unknown), ("sensitive", &self.sensitive)] {
            json::name(name, out);
            json::list(paths, out, |path, out| json::string(path, out));
        }
    }
}

/// Writes values.
#[derive(Default)]
pub struct Writer {
    numbers: Numbers,
    pub left_out: LeftOut,
    path: String,
}

impl Writer {
    /// Creates a writer with the option `numbers`.
    pub fn new(options: &Options) -> Result<Writer, Failure> {
        let words = [("number", Numbers::Nearest), ("string", Numbers::Marked), ("bigint", Numbers::Marked)];
        let numbers = options.word("numbers", &words)?.unwrap_or_default();
        Ok(Writer { numbers, left_out: LeftOut::default(), path: String::new() })
    }

    /// Appends a value. Unknown and marked parts become null, and their paths are noted.
    pub fn value(&mut self, value: &Value, out: &mut String) {
        match value.view() {
            View::Null => out.push_str("null"),
            View::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
            View::Number(number) => self.number(number, out),
            View::String(text) if self.numbers == Numbers::Marked && text.starts_with(MARK) => {
                json::string(&format!("{MARK}s{text}"), out);
            }
            View::String(text) => json::string(text, out),
            View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
                json::list(elements.iter().enumerate(), out, |(index, element), out| {
                    self.part(&format!("[{index}]"), element, out);
                });
            }
            View::Map(entries) | View::Object(entries) => {
                out.push('{');
                for (name, entry) in entries {
                    json::name(name, out);
                    let step = if hcl_lr::syntax::is_identifier(name) {
                        format!(".{name}")
                    } else {
                        format!("[{}]", Value::from(name))
                    };
                    self.part(&step, entry, out);
                }
                out.push('}');
            }
            View::Unknown(_) | View::Capsule(_) => {
                self.left_out.unknown.push(self.here());
                out.push_str("null");
            }
            View::Marked(..) => {
                self.left_out.sensitive.push(self.here());
                out.push_str("null");
            }
            _ => out.push_str("null"),
        }
    }

    fn here(&self) -> String {
        self.path.strip_prefix('.').unwrap_or(&self.path).to_owned()
    }

    fn part(&mut self, step: &str, value: &Value, out: &mut String) {
        let length = self.path.len();
        self.path.push_str(step);
        with_room(|| self.value(value, out));
        self.path.truncate(length);
    }

    fn number(&self, number: &Number, out: &mut String) {
        if number.is_infinite() {
            // JavaScript reads it as its infinity.
            out.push_str(if number.is_negative() { "-1e999" } else { "1e999" });
        } else if self.numbers == Numbers::Marked && !is_number_of_javascript(number) {
            json::string(&format!("{MARK}n{number}"), out);
        } else {
            out.push_str(&number.to_string());
        }
    }
}

/// Returns true if a number of JavaScript has the same digits. Whole numbers must have no gaps between them.
fn is_number_of_javascript(number: &Number) -> bool {
    if number.is_whole() && number.abs() > Number::from(MAX_SAFE) {
        return false;
    }
    Number::try_from(number.to_f64()).is_ok_and(|nearest| nearest == *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, options: &str) -> String {
        let options = Options::read(options, &["numbers"]).expect("options");
        let mut writer = Writer::new(&options).expect("a writer");
        let mut out = String::new();
        writer.value(&json::read(text).expect("a value"), &mut out);
        out
    }

    #[test]
    fn numbers_that_javascript_has_not_are_marked_if_asked() {
        let text = r#"[9007199254740991,9007199254740993,0.1,0.12345678901234567891,"\u0000n1"]"#;
        assert_eq!(written(text, "{}"), text);
        let marked = "[9007199254740991,\"\\u0000n9007199254740993\",0.1,\"\\u0000n0.12345678901234567891\",\"\\u0000s\\u0000n1\"]";
        assert_eq!(written(text, r#"{"numbers":"bigint"}"#), marked);
    }

    #[test]
    fn hidden_and_unknown_parts_are_named() {
        let value = Value::object([
            ("a", Value::tuple([Value::from(1), Value::unknown(hcl_lr::model::Type::String)])),
            ("b c", Value::from("secret").mark("sensitive")),
        ]);
        let options = Options::read("{}", &[]).expect("options");
        let mut writer = Writer::new(&options).expect("a writer");
        let mut out = String::new();
        writer.value(&value, &mut out);
        assert_eq!(out, r#"{"a":[1,null],"b c":null}"#);
        assert_eq!(writer.left_out.unknown, ["a[1]"]);
        assert_eq!(writer.left_out.sensitive, [r#"["b c"]"#]);
    }
}
