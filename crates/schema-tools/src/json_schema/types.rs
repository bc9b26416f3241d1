//! Types as conditions of JSON Schema.

use super::words::{TEMPLATE, either, of_type, only_if_keys_are_known, reference_to, required_property};
use super::{BodyIn, Writer};
use crate::json::Json;
use hcl_lr::model::Number;
use hcl_lr::stack;
use hcl_lr_language::schema::model::{ObjectType, Range, Type};

/// A number as text.
const NUMBER: &str = "^[ \\t]*-?[0-9]";

impl Writer<'_> {
    /// A type: its values, or a template.
    pub(crate) fn ty(&mut self, ty: &Type, depth: usize) -> Json {
        const MAX_DEPTH: usize = 50;
        if let Type::Named(name) = ty
            && self.index.schema().types.contains_key(name)
        {
            if self.taken.insert(type_entry(name)) {
                self.types.push(name.clone());
            }
            return reference_to(&type_entry(name));
        }
        let ty = ty.clone();
        if depth > MAX_DEPTH {
            return Json::object::<String>([]);
        }
        let inner = |writer: &mut Self, ty: &Type| stack::with_room(|| writer.ty(ty, depth + 1));
        let literal = match &ty {
            Type::Any | Type::Expression | Type::TypedBy(_) => return Json::object::<String>([]),
            Type::String | Type::Format(_) | Type::Name(_) | Type::Catalog(_) => {
                let text = Json::object([("type", Json::texts(["string", "number", "boolean", "null"]))]);
                let format = match &ty {
                    Type::Format(format) => Some(Json::text(format!("Not checked: the format `{format}`."))),
                    _ => None,
                };
                return text.with_some("$comment", format);
            }
            Type::Number(range) => number(range, "number"),
            Type::Integer(range) => number(range, "integer"),
            Type::Bool => {
                either([of_type("boolean"), Json::object([("enum", Json::texts(["true", "false", "1", "0"]))])])
            }
            Type::Literal(value) => {
                let mut values: Vec<Json> = Json::of_value(value).into_iter().collect();
                match (value.as_str(), value.as_number(), value.as_bool()) {
                    (Some(text), ..) => values.extend(other_spelling(text)),
                    (_, Some(number), _) => values.push(Json::text(number.to_string())),
                    (.., Some(value)) => values.push(Json::text(value.to_string())),
                    _ => {}
                }
                Json::object([("enum", Json::Array(values))])
            }
            Type::List(element) | Type::Set(element) => {
                Json::object([("type", Json::text("array")), ("items", inner(self, element))])
            }
            Type::Tuple(elements) => {
                let count = elements.len().to_string();
                let elements = elements.iter().map(|element| inner(self, element)).collect();
                Json::object([("type", Json::text("array")), ("prefixItems", Json::Array(elements))])
                    .with("minItems", Json::Raw(count.clone()))
                    .with("maxItems", Json::Raw(count))
            }
            Type::Map(element) => {
                Json::object([("type", Json::text("object")), ("additionalProperties", inner(self, element))])
            }
            Type::Object(object) => self.object(object, depth),
            Type::Part(name) => self.object_of_part(name),
            Type::OneOf(types) => match words(&ty) {
                Some(words) => Json::object([("enum", Json::texts(words))]),
                None => {
                    let types: Vec<Json> = types.iter().map(|ty| inner(self, ty)).collect();
                    return Json::object([("anyOf", Json::Array(types))]);
                }
            },
            // A word is not evaluated, so it is neither a template nor null.
            Type::Keyword(words) if !words.is_empty() => {
                return Json::object([("enum", Json::texts(words))]);
            }
            _ => return Json::object([("type", Json::texts(["string", "null"]))]),
        };
        either([literal, reference_to("template"), of_type("null")])
    }

    fn object(&mut self, object: &ObjectType, depth: usize) -> Json {
        let properties = object.attributes.iter().map(|attribute| {
            let ty = stack::with_room(|| self.ty(&attribute.ty, depth + 1));
            (attribute.name.clone(), ty.with_some("default", attribute.default.as_ref().and_then(Json::of_value)))
        });
        let properties = Json::Object(properties.collect());
        let required = object.attributes.iter().filter(|attribute| !attribute.optional);
        let required = required.map(|attribute| required_property(&attribute.name)).collect();
        let others = match &object.others {
            Some(ty) => self.ty(ty, depth + 1),
            None => Json::Bool(object.drops_others || self.index.schema().ignores_unknown),
        };
        let object = Json::object([("type", Json::text("object")), ("properties", properties)])
            .with("patternProperties", Json::object([(TEMPLATE, Json::Bool(true))]))
            .with("additionalProperties", others);
        match &only_if_keys_are_known(required)[..] {
            [] => object,
            all => object.with("allOf", Json::Array(all.to_vec())),
        }
    }

    /// A part as an object in an expression.
    fn object_of_part(&mut self, part: &str) -> Json {
        match self.index.part_id(part) {
            Some(id) => self
                .closed(vec![(id, part.to_owned())], false, BodyIn::Object)
                .with("patternProperties", Json::object([(TEMPLATE, Json::Bool(true))])),
            None => Json::object::<String>([]),
        }
    }
}

/// The name of the entry of a named type. No body has a name with a blank in its first part.
pub(crate) fn type_entry(name: &str) -> String {
    format!("type {name}")
}

/// A number, or a text that is one: a JSON Schema cannot compare that with a range.
fn number(range: &Range, ty: &str) -> Json {
    let limit = |limit: &Option<Number>| limit.as_ref().map(|number| Json::Raw(number.to_scientific(21)));
    let number = of_type(ty).with_some("minimum", limit(&range.min)).with_some("maximum", limit(&range.max));
    either([number, Json::object([("type", Json::text("string")), ("pattern", Json::text(NUMBER))])])
}

/// The JSON literal that converts to a text, such as `true` for `"true"`.
fn other_spelling(text: &str) -> Option<Json> {
    match text {
        "true" | "false" => Some(Json::Raw(text.to_owned())),
        _ => {
            let number = Number::parse(text).ok()?;
            (number.to_string() == text).then(|| Json::Raw(number.to_scientific(21)))
        }
    }
}

/// The texts of a type that is a list of texts.
pub(crate) fn words(ty: &Type) -> Option<Vec<String>> {
    match ty {
        Type::Literal(value) => {
            Some(vec![value.as_str()?.to_owned()]).filter(|words| other_spelling(&words[0]).is_none())
        }
        Type::OneOf(types) => types.iter().map(words).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}
