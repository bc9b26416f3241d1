//! `Deserialize` for the types of this crate.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::passed::{self, Passed};
use crate::body::Expression;
use crate::build::NewExpression;
use crate::model::{MAX_DEPTH, Number, Type, Value};
use crate::serde::ser::new_expression;
use crate::serde::wrappers::{BLOCK, EXPRESSION, LABELED, LABELED_FIELDS, LABELS, NUMBER, TEMPLATE, TYPE, VALUE};
use crate::serde::{BlockOf, Labeled, Labels, Template};

/// Any value. From a file, it is evaluated, and may be unknown or marked; what cannot be anything else, such
/// as blocks, is an object. From other formats it is what they have, up to a thousand levels deep.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        let Some(_level) = Level::enter() else {
            return Err(de::Error::custom(format_args!("the value nests more than {MAX_DEPTH} levels deep")));
        };
        deserializer.deserialize_newtype_struct(VALUE, ValueVisitor)
    }
}

thread_local! {
    /// The number of values being read on this thread, each in the one before. Not all formats have a limit.
    static LEVELS: Cell<u32> = const { Cell::new(0) };
}

/// A level of a value that is being read.
struct Level;

impl Level {
    fn enter() -> Option<Level> {
        let levels = LEVELS.get();
        (levels < MAX_DEPTH).then(|| {
            LEVELS.set(levels + 1);
            Level
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVELS.set(LEVELS.get().saturating_sub(1));
    }
}

/// The methods of a visitor for numbers.
macro_rules! numbers {
    ($value:ty) => {
        numbers! { $value: visit_i64(i64) visit_i128(i128) visit_u64(u64) visit_u128(u128) }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<$value, E> {
            <$value>::try_from(number).map_err(E::custom)
        }
    };
    ($value:ty: $($method:ident($number:ty))*) => {$(
        fn $method<E>(self, number: $number) -> Result<$value, E> {
            Ok(<$value>::from(number))
        }
    )*};
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        match passed::take() {
            Some(Passed::Value(value)) => Ok(value),
            _ => Ok(Value::NULL),
        }
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::NULL)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    numbers! { Value }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Value::from(text)),
            Err(_) => Ok(Value::tuple(bytes.iter().map(|byte| Value::from(*byte)))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element::<Value>()? {
            values.push(value);
        }
        Ok(Value::tuple(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values: Vec<(String, Value)> = Vec::new();
        while let Some(entry) = entries.next_entry::<String, Value>()? {
            values.push(entry);
        }
        Ok(Value::object(values))
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        use de::VariantAccess;
        let (name, value) = data.variant::<String>()?;
        Ok(Value::object([(name, value.newtype_variant::<Value>()?)]))
    }
}

/// A number, exactly. From other formats also a string that says one.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct NumberVisitor;

        impl<'de> Visitor<'de> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Number, E> {
                match passed::take() {
                    Some(Passed::Number(number)) => Ok(number),
                    _ => Err(E::invalid_type(de::Unexpected::Unit, &self)),
                }
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Number, D::Error> {
                deserializer.deserialize_any(self)
            }

            numbers! { Number }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                Number::parse(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_newtype_struct(NUMBER, NumberVisitor)
    }
}

/// Reads what is left behind by this crate's deserializer, or else a text that is parsed.
struct OfText<T> {
    expecting: &'static str,
    take: fn(Passed) -> Option<T>,
    parse: fn(&str) -> Result<T, String>,
}

impl<'de, T> Visitor<'de> for OfText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_unit<E: de::Error>(self) -> Result<T, E> {
        let passed = passed::take().and_then(self.take);
        passed.ok_or_else(|| E::invalid_type(de::Unexpected::Unit, &self))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(E::custom)
    }
}

/// From a file, a type expression, such as `list(string)`; from other formats a string that says one.
impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Type, D::Error> {
        deserializer.deserialize_newtype_struct(
            TYPE,
            OfText {
                expecting: "a type, such as list(string)",
                take: |passed| if let Passed::Type(ty) = passed { Some(ty) } else { None },
                parse: |text| text.parse::<Type>().map_err(|why| why.to_string()),
            },
        )
    }
}

/// From a file, the expression as it is written, which is not evaluated; from other formats a string that
/// says one in native syntax.
impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expression, D::Error> {
        deserializer.deserialize_newtype_struct(
            EXPRESSION,
            OfText {
                expecting: "an expression",
                take: of_expression,
                parse: |text| text.parse::<Expression>().map_err(|why| why.to_string()),
            },
        )
    }
}

fn of_expression(passed: Passed) -> Option<Expression> {
    if let Passed::Expression(expression) = passed { Some(expression) } else { None }
}

/// From a file, a string or heredoc that is not evaluated; from other formats a string that is a template, in
/// quotes or without.
impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Template, D::Error> {
        deserializer.deserialize_newtype_struct(
            TEMPLATE,
            OfText {
                expecting: "a template",
                take: |passed| of_expression(passed).map(Template::from_expression),
                parse: |text| match text.parse::<Expression>() {
                    Ok(expression) if expression.as_template().is_some() => Ok(Template::from_expression(expression)),
                    _ => text.parse::<Template>().map_err(|why| why.to_string()),
                },
            },
        )
    }
}

/// From a file, an expression to be written somewhere else; from other formats a string that says one.
impl<'de> Deserialize<'de> for NewExpression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NewExpression, D::Error> {
        new_expression(&Expression::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// From a file, a block and nothing else; from other formats what it holds.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for BlockOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BlockOf<T>, D::Error> {
        struct BlockVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for BlockVisitor<T> {
            type Value = BlockOf<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a block")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<BlockOf<T>, D::Error> {
                T::deserialize(deserializer).map(BlockOf)
            }
        }

        deserializer.deserialize_newtype_struct(BLOCK, BlockVisitor(PhantomData))
    }
}

/// From a file, all labels of the block that is read; from other formats a sequence of strings.
impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Labels, D::Error> {
        struct LabelsVisitor;

        impl<'de> Visitor<'de> for LabelsVisitor {
            type Value = Labels;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the labels of a block")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Labels, D::Error> {
                Vec::deserialize(deserializer).map(Labels)
            }
        }

        deserializer.deserialize_newtype_struct(LABELS, LabelsVisitor)
    }
}

/// From a file, a block with its labels; from other formats a structure with the fields `labels` and
/// `value`.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Labeled<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Labeled<T>, D::Error> {
        struct LabeledVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for LabeledVisitor<T> {
            type Value = Labeled<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a block with labels")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Labeled<T>, A::Error> {
                let (mut labels, mut value) = (None, None);
                while let Some(field) = fields.next_key::<String>()? {
                    match &*field {
                        "labels" => labels = Some(fields.next_value()?),
                        "value" => value = Some(fields.next_value()?),
                        other => return Err(de::Error::unknown_field(other, LABELED_FIELDS)),
                    }
                }
                let labels = labels.ok_or_else(|| de::Error::missing_field("labels"))?;
                let value = value.ok_or_else(|| de::Error::missing_field("value"))?;
                Ok(Labeled { labels, value })
            }
        }

        deserializer.deserialize_struct(LABELED, LABELED_FIELDS, LabeledVisitor(PhantomData))
    }
}
