//! The text of a value in an expression, if there is one that evaluates to exactly this value.

use crate::eval::Scope;
use crate::limits::Account;
use crate::model::{Number, Type, Value, View};
use crate::reading::ParseOptions;
use crate::stack::with_room;
use crate::syntax::expression_file;
use crate::writer::{list_in_line, object_in_line, quoted};

/// The number of levels of collections that are written. The text of each level is evaluated once to check it.
const MAX_LEVELS: u32 = 8;

/// Writes values for a scope: a value without a literal form is written as a call of a function of the scope.
pub(super) struct Writer<'s> {
    pub scope: &'s Scope<'s>,
    pub account: &'s Account,
}

impl Writer<'_> {
    /// Returns the text of a value. If `loose`, it may be a tuple in place of a list, and an object in place of a map,
    /// because the elements are the same.
    pub fn text(&self, value: &Value, loose: bool) -> Option<String> {
        let mut out = String::new();
        self.write(value, loose, 0, &mut out)?;
        self.account.text(out.len()).ok()?;
        Some(out)
    }

    fn write(&self, value: &Value, loose: bool, level: u32, out: &mut String) -> Option<()> {
        self.account.steps(1).ok()?;
        match value.view() {
            View::Null if value.ty() == Type::Dynamic => out.push_str("null"),
            View::Null => return self.null(value, out),
            View::Bool(bool) => out.push_str(if bool { "true" } else { "false" }),
            View::Number(number) => {
                self.account.steps(number.steps_with(number)).ok()?;
                let text = number.to_string();
                let read = Number::parse(text.strip_prefix('-').unwrap_or(&text)).ok()?;
                let read = if text.starts_with('-') { read.negate() } else { read };
                if read != *number {
                    return None;
                }
                out.push_str(&text);
            }
            View::String(text) => out.push_str(&quoted(text)),
            View::Tuple(elements) => return with_room(|| self.tuple(elements, level, out)),
            View::Object(_) => return with_room(|| self.object(value, level, out)),
            View::List(elements) if loose => return with_room(|| self.tuple(elements, level, out)),
            View::Map(_) if loose => return with_room(|| self.object(value, level, out)),
            View::List(_) | View::Set(_) | View::Map(_) if level == MAX_LEVELS => return None,
            View::List(_) | View::Set(_) | View::Map(_) => return with_room(|| self.collection(value, level + 1, out)),
            View::Unknown(_) | View::Capsule(_) | View::Marked(..) => return None,
        }
        Some(())
    }

    fn tuple(&self, elements: &[Value], level: u32, out: &mut String) -> Option<()> {
        list_in_line(elements, out, |element, out| self.write(element, false, level, out).ok_or(())).ok()
    }

    fn object(&self, value: &Value, level: u32, out: &mut String) -> Option<()> {
        object_in_line(value.entries()?, out, |element, out| self.write(element, false, level, out).ok_or(())).ok()
    }

    /// A null that has a type.
    fn null(&self, value: &Value, out: &mut String) -> Option<()> {
        let name = match value.ty() {
            Type::String => "tostring",
            Type::Number => "tonumber",
            Type::Bool => "tobool",
            _ => "",
        };
        let null = Value::null(Type::Dynamic);
        if self.makes(name, &null, value) {
            out.extend([name, "(null)"]);
            return Some(());
        }
        self.converted("null", value, out)
    }

    /// Writes a list, set or map as a call of the function that converts a tuple or object to it.
    fn collection(&self, value: &Value, level: u32, out: &mut String) -> Option<()> {
        let elements = || value.elements().unwrap_or_default().iter().cloned();
        let (name, plain) = match value.view() {
            View::List(_) => ("tolist", Value::tuple(elements())),
            View::Set(_) => ("toset", Value::tuple(elements())),
            _ => ("tomap", Value::object(value.entries()?.map(|(name, value)| (name.to_owned(), value.clone())))),
        };
        let mut inner = String::new();
        match plain.entries() {
            Some(_) if name == "tomap" => self.object(&plain, level, &mut inner)?,
            _ => self.tuple(plain.elements().unwrap_or_default(), level, &mut inner)?,
        }
        if self.makes(name, &plain, value) {
            out.extend([name, "(", &inner, ")"]);
            return Some(());
        }
        self.converted(&inner, value, out)
    }

    /// Returns true if a function converts one value to another.
    pub fn makes(&self, name: &str, from: &Value, wanted: &Value) -> bool {
        let Some(function) = self.scope.function(name) else { return false };
        if function.as_lazy().is_some() || !function.is_pure() || function.parameters().len() != 1 {
            return false;
        }
        let parameter = function.parameters().first().map_or(&Type::Dynamic, |parameter| parameter.ty());
        let Ok(argument) = from.convert_within(parameter, self.account) else { return false };
        function.call_within(&[argument], self.account).is_ok_and(|made| made == *wanted)
    }

    /// Writes a value as a call of a function that converts to a type, which some languages have.
    fn converted(&self, plain: &str, value: &Value, out: &mut String) -> Option<()> {
        if self.scope.function("convert").is_none_or(|function| !function.is_pure()) {
            return None;
        }
        let text = format!("convert({plain}, {})", value.ty().describe());
        self.account.text(text.len()).ok()?;
        let file = expression_file(("value", text.as_str()).into(), &ParseOptions::default()).into_result().ok()?;
        let made = file.expression().evaluate(self.scope).ok()?;
        (made == *value).then(|| out.push_str(&text))
    }
}
