//! `Deserialize` for the types of this crate.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::NUMBER_PREFIX;
use crate::body::Expression;
use crate::construct::NewExpression;
use crate::diagnostic::Diagnostics;
use crate::model::{MAX_DEPTH, Number, Type, Value};
use crate::typed::handover::{Handed, take};
use crate::typed::wrappers::labeled_name;
use crate::typed::wrappers::{BLOCK, CONSTRAINT, EXPRESSION, LABELED_FIELDS, LABELS, NUMBER, TEMPLATE, TYPE, VALUE};
use crate::typed::{BlockLabels, BlockOf, Labeled, Labels, Template, TypeExpression};

/// Any value. From a file, it is evaluated, and may be unknown or marked; what cannot be anything else, such
/// as blocks, is an object. From other formats it is what they have, up to a thousand levels deep.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        ValueSeed { level: 0 }.deserialize(deserializer)
    }
}

/// A value, in how many others it is.
#[derive(Clone, Copy)]
struct ValueSeed {
    level: u32,
}

impl ValueSeed {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        // Not all formats have a limit.
        match self.level + 1 < MAX_DEPTH {
            true => Ok(ValueSeed { level: self.level + 1 }),
            false => Err(E::custom(format_args!("the value nests more than {MAX_DEPTH} levels deep"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(VALUE, self)
    }
}

/// The methods of a visitor for numbers.
macro_rules! numbers {
    ($value:ty) => {
        numbers! { $value: visit_i64(i64) visit_i128(i128) visit_u64(u64) }

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

impl<'de> Visitor<'de> for ValueSeed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::NULL)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::NULL)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    numbers! { Value }

    fn visit_u128<E>(self, number: u128) -> Result<Value, E> {
        match take(number) {
            Some(Handed::Value(value)) => Ok(value),
            _ => Ok(Value::from(number)),
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        match (exact_number(bytes), std::str::from_utf8(bytes)) {
            (Some(number), _) => Ok(Value::from(number)),
            (None, Ok(text)) => Ok(Value::from(text)),
            (None, Err(_)) => Ok(Value::tuple(bytes.iter().map(|byte| Value::from(*byte)))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let within = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(within)? {
            values.push(value);
        }
        Ok(Value::tuple(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let within = self.deeper()?;
        let mut values: Vec<(String, Value)> = Vec::new();
        while let Some(name) = entries.next_key()? {
            values.push((name, entries.next_value_seed(within)?));
        }
        Ok(Value::object(values))
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        use de::VariantAccess;
        let (name, value) = data.variant::<String>()?;
        Ok(Value::object([(name, value.newtype_variant_seed(self.deeper()?)?)]))
    }
}

/// The number that the bytes are with which one passes through what serde buffers.
fn exact_number(bytes: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(bytes.strip_prefix(NUMBER_PREFIX)?).ok()?;
    Number::parse(text).ok()
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

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Number, D::Error> {
                deserializer.deserialize_any(self)
            }

            numbers! { Number }

            fn visit_u128<E>(self, number: u128) -> Result<Number, E> {
                Ok(Number::from(number))
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Number, E> {
                exact_number(bytes).ok_or_else(|| E::invalid_type(de::Unexpected::Bytes(bytes), &self))
            }

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
    take: fn(Handed) -> Option<T>,
    parse: fn(&str) -> Result<T, String>,
}

impl<'de, T> Visitor<'de> for OfText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_u128<E: de::Error>(self, number: u128) -> Result<T, E> {
        let handed = take(number).and_then(self.take);
        handed.ok_or_else(|| E::invalid_type(de::Unexpected::Other("a number"), &self))
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
                take: |handed| if let Handed::Type(ty) = handed { Some(ty) } else { None },
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

fn of_expression(handed: Handed) -> Option<Expression> {
    if let Handed::Expression(expression) = handed { Some(expression) } else { None }
}

/// From a file, a string or heredoc that is not evaluated; from other formats a string that is a template, in
/// quotes or without.
impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Template, D::Error> {
        deserializer.deserialize_newtype_struct(
            TEMPLATE,
            OfText {
                expecting: "a template",
                take: |handed| of_expression(handed).map(Template::from_expression),
                parse: |text| match text.parse::<Expression>() {
                    Ok(expression) if expression.as_template().is_some() => Ok(Template::from_expression(expression)),
                    _ => text.parse::<Template>().map_err(|why| why.to_string()),
                },
            },
        )
    }
}

/// From a file, a type expression; from other formats a string that says one.
impl<'de> Deserialize<'de> for TypeExpression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TypeExpression, D::Error> {
        deserializer.deserialize_newtype_struct(
            CONSTRAINT,
            OfText {
                expecting: "a type expression",
                take: |handed| TypeExpression::new(of_expression(handed)?).ok(),
                parse: |text| text.parse().map_err(|why: Diagnostics| why.to_string()),
            },
        )
    }
}

/// From a file, an expression to be written somewhere else; from other formats a string that says one.
impl<'de> Deserialize<'de> for NewExpression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NewExpression, D::Error> {
        let new = NewExpression::from(&Expression::deserialize(deserializer)?);
        new.raw().map_err(de::Error::custom)?;
        Ok(new)
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
impl<'de, T: Deserialize<'de>, L: BlockLabels> Deserialize<'de> for Labeled<T, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Labeled<T, L>, D::Error> {
        struct LabeledVisitor<T, L>(PhantomData<(T, L)>);

        impl<'de, T: Deserialize<'de>, L: BlockLabels> Visitor<'de> for LabeledVisitor<T, L> {
            type Value = Labeled<T, L>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match L::COUNT {
                    None => f.write_str("a block with labels"),
                    Some(1) => f.write_str("a block with 1 label"),
                    Some(count) => write!(f, "a block with {count} labels"),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Labeled<T, L>, A::Error> {
                let (mut labels, mut value) = (None::<Labels>, None);
                while let Some(field) = fields.next_key::<String>()? {
                    match &*field {
                        "labels" => labels = Some(fields.next_value()?),
                        "value" => value = Some(fields.next_value()?),
                        other => return Err(de::Error::unknown_field(other, LABELED_FIELDS)),
                    }
                }
                let labels = labels.ok_or_else(|| de::Error::missing_field("labels"))?;
                let value = value.ok_or_else(|| de::Error::missing_field("value"))?;
                match L::from_labels(labels) {
                    Ok(labels) => Ok(Labeled { labels, value }),
                    Err(labels) => Err(de::Error::invalid_length(labels.len(), &self)),
                }
            }
        }

        deserializer.deserialize_struct(labeled_name(L::COUNT), LABELED_FIELDS, LabeledVisitor(PhantomData))
    }
}
