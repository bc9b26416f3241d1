//! `Serialize` impls for this crate's types, for this crate's own writers and for any other format.

use ::serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use super::WriteError;
use super::handover::takes_tickets;
use crate::body::{Expression, ExpressionForm, Template};
use crate::construct::{BuildError, NewExpression, NewTemplate};
use crate::convert::{bare_template, quoted_template as quoted_template_of};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Label, Suggestion};
use crate::model::{MAX_DEPTH, Number, Type, Value, View};
use crate::reading::parse;
use crate::source::{Place, Position};
use crate::typed::TypeExpression;
use crate::typed::handover::{Handed, Ticket};
use crate::typed::wrappers::{EXPRESSION, NUMBER, TEMPLATE, TYPE, VALUE};
use crate::writer::{Form, escaped};

/// Passes the exact value to the writers of this crate. In other formats, collections are sequences and maps, and their
/// types are lost; unknown or marked values are errors, which reveal nothing of a marked value.
///
/// ```
/// use hcl_lr::Value;
///
/// let value = Value::object([("ports", Value::from([80, 443]))]);
/// assert_eq!(serde_json::to_string(&value)?, r#"{"ports":[80,443]}"#);
/// assert!(serde_json::to_string(&Value::UNKNOWN).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.height() > MAX_DEPTH {
            return Err(S::Error::custom(format!("the value nests more than {MAX_DEPTH} levels deep")));
        }
        serializer.serialize_newtype_struct(VALUE, &Content(self))
    }
}

/// A value for other formats.
struct Content<'v>(&'v Value);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if takes_tickets(&serializer) {
            let ticket = Ticket::new(Handed::Value(self.0.clone()));
            return serializer.serialize_u128(ticket.number());
        }
        match self.0.view() {
            View::Null => serializer.serialize_unit(),
            View::Bool(value) => serializer.serialize_bool(value),
            View::Number(number) => number.serialize(serializer),
            View::String(text) => serializer.serialize_str(text),
            View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
                let mut list = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    list.serialize_element(&Content(element))?;
                }
                list.end()
            }
            View::Map(entries) | View::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (name, value) in entries {
                    map.serialize_entry(name, &Content(value))?;
                }
                map.end()
            }
            View::Unknown(_) => Err(S::Error::custom("an unknown value cannot be written")),
            View::Marked(..) => Err(S::Error::custom("a marked value cannot be written")),
            View::Capsule(_) => Err(S::Error::custom("a value of an application's own type cannot be written")),
        }
    }
}

/// Passes the exact number to the writers of this crate. In other formats, an integer or float with exactly this value,
/// or else a string with its digits.
///
/// ```
/// use hcl_lr::model::Number;
///
/// let numbers = ["80", "0.1", "1e30", "0.12345678901234567890"].map(|text| Number::parse(text).unwrap());
/// assert_eq!(serde_json::to_string(&numbers)?, r#"[80,0.1,1e+30,"0.1234567890123456789"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NUMBER, &Digits(self))
    }
}

/// A number for other formats.
struct Digits<'n>(&'n Number);

impl Serialize for Digits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(int) = i64::try_from(self.0) {
            return serializer.serialize_i64(int);
        }
        if let Ok(int) = u64::try_from(self.0) {
            return serializer.serialize_u64(int);
        }
        let float = self.0.to_f64();
        // The written float must read back as the same number.
        match Number::try_from(float) {
            Ok(same) if same == *self.0 => serializer.serialize_f64(float),
            _ => serializer.collect_str(self.0),
        }
    }
}

/// Passes a type expression, `list(string)`, to the writers of this crate; a string with it to other formats. A type
/// may nest a thousand levels deep. When it is read, each bracket is a level, so objects count twice.
impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.height() > MAX_DEPTH {
            return Err(S::Error::custom(format!("the type nests more than {MAX_DEPTH} levels deep")));
        }
        serializer.serialize_newtype_struct(TYPE, &self.describe())
    }
}

/// Passes the expression to the writers of this crate, in native syntax and not evaluated; a string with its text to
/// other formats. An expression with its own variables cannot be written.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NewExpression::from(self).serialize(serializer)
    }
}

/// Passes the template to the writers of this crate in quotes and not evaluated; a string with its text to other
/// formats.
impl Serialize for Template {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let expression = self.expression();
        let text = match (expression.as_template(), expression.text_in_json(), expression.form()) {
            (Some(template), ..) => bare_template(template),
            (None, Some(text), _) => text,
            (None, None, ExpressionForm::Value(value)) if value.as_str().is_some() && !value.is_marked() => {
                escaped(value.as_str().unwrap_or_default(), Form::Bare)
            }
            _ => return Err(S::Error::custom("this template cannot be written")),
        };
        serializer.serialize_newtype_struct(TEMPLATE, &text)
    }
}

/// Passes the source of the type expression to the writers of this crate; a string with it to other formats.
impl Serialize for TypeExpression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = NewExpression::from(self.expression());
        serializer.serialize_newtype_struct(TYPE, &text.text().map_err(S::Error::custom)?)
    }
}

/// The text of a template in quotes.
pub(super) fn quoted_template(text: &str) -> Result<String, WriteError> {
    let template = parse::<Template>(text).into_result().map_err(|why| WriteError::new(why.to_string()))?;
    Ok(template.expression().as_template().map_or_else(|| "\"\"".to_owned(), quoted_template_of))
}

/// Passes the expression to the writers of this crate; a string with its text to other formats.
impl Serialize for NewExpression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.raw() {
            Ok(text) => serializer.serialize_newtype_struct(EXPRESSION, text),
            Err(BuildError::Value(path, why)) if path.is_empty() => {
                Err(S::Error::custom(format!("{why} cannot be written")))
            }
            Err(error) => Err(S::Error::custom(error)),
        }
    }
}

/// The template in quotes, as an expression.
impl Serialize for NewTemplate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.clone().quoted().serialize(serializer)
    }
}

/// A list, in the shape of [`to_json`](Diagnostics::to_json).
impl Serialize for Diagnostics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

/// A structure in the shape of [`Diagnostics::to_json`]. It has the names of files, but not their texts;
/// [`DiagnosticsIn`](crate::typed::DiagnosticsIn) reads it, given the texts.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (summary, detail) = self.in_two_parts();
        let context = self.context().map(JsonPlace);
        let labels: Vec<JsonLabel<'_>> = self.labels().iter().map(JsonLabel).collect();
        let suggestions: Vec<JsonSuggestion<'_>> = self.suggestions().iter().map(JsonSuggestion).collect();
        let optional = [context.is_some(), !labels.is_empty(), self.help().is_some(), !suggestions.is_empty()];
        let length = 5 + optional.iter().filter(|is_there| **is_there).count();
        let mut to = serializer.serialize_struct("Diagnostic", length)?;
        to.serialize_field("severity", self.severity().as_str())?;
        to.serialize_field("code", self.code().as_str())?;
        to.serialize_field("summary", summary)?;
        to.serialize_field("detail", detail)?;
        to.serialize_field("subject", &JsonPlace(self.place()))?;
        match context {
            Some(context) => to.serialize_field("context", &context)?,
            None => to.skip_field("context")?,
        }
        match labels.is_empty() {
            false => to.serialize_field("labels", &labels)?,
            true => to.skip_field("labels")?,
        }
        match self.help() {
            Some(help) => to.serialize_field("help", help)?,
            None => to.skip_field("help")?,
        }
        match suggestions.is_empty() {
            false => to.serialize_field("suggestions", &suggestions)?,
            true => to.skip_field("suggestions")?,
        }
        to.end()
    }
}

/// Serializes a structure with these fields.
macro_rules! structure {
    ($this:ident: $wrapper:ident($inner:ty) as $name:literal { $($field:literal: $value:expr,)* }) => {
        struct $wrapper<'d>(&'d $inner);

        impl Serialize for $wrapper<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self.0;
                let mut to = serializer.serialize_struct($name, [$($field),*].len())?;
                $(to.serialize_field($field, $value)?;)*
                to.end()
            }
        }
    };
}

structure! { label: JsonLabel(Label) as "Label" {
    "message": label.message(),
    "place": &JsonPlace(label.place()),
} }

structure! { suggestion: JsonSuggestion(Suggestion) as "Suggestion" {
    "message": suggestion.message(),
    "applicability": suggestion.applicability().as_str(),
    "edits": &suggestion.edits().iter().map(JsonEdit).collect::<Vec<_>>(),
} }

structure! { edit: JsonEdit(Edit) as "Edit" {
    "place": &JsonPlace(edit.place()),
    "text": edit.text(),
} }

structure! { place: JsonPlace(Place) as "Place" {
    "filename": place.source().name(),
    "start": &JsonPosition(&place.source().position(place.span().start())),
    "end": &JsonPosition(&place.source().position(place.span().end())),
} }

structure! { position: JsonPosition(Position) as "Position" {
    "line": &position.line,
    "column": &position.column,
    "byte": &position.byte,
} }
