//! The types of this crate, as its own writers and other formats serialize them.

use std::sync::Arc;

use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::diagnostic::{Code, Diagnostic, Suggestion};
use hcl_lr::model::{Mark, Number, Type};
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::typed::{DiagnosticsIn, Template};
use hcl_lr::{Body, Diagnostics, Expression, Value, parse, to_value, value};
use serde::de::{DeserializeSeed, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::golden::cases;

fn in_json<T: Serialize>(value: T) -> serde_json::Value {
    serde_json::to_value(value).expect("it can be written")
}

#[test]
fn values_stay_what_they_are() {
    let values = [
        Value::NULL,
        Value::null(Type::String),
        Value::UNKNOWN,
        Value::unknown(Type::list(Type::Number)),
        Value::list_of([Value::from(1)]).unwrap(),
        Value::set_of([Value::from("a")]).unwrap(),
        Value::map(Type::Bool, [("a", Value::from(true))]).unwrap(),
        Value::from("a").mark(Mark::new("m")),
        value!({ a = [1, null, { b = 2.5 }] }),
    ];
    for value in values {
        assert_eq!(to_value(&value).unwrap(), value);
        assert_eq!(to_value(&Some(&value)).unwrap(), value);
        let tuple = to_value(&(1, &value)).unwrap();
        assert_eq!(tuple, Value::tuple([Value::from(1), value]));
    }
}

#[test]
fn values_in_other_formats_are_what_they_look_like() {
    let value = value!({ a = [1, null, { b = 2.5 }], n = -1, t = "x", u = u64::MAX, yes = true });
    assert_eq!(in_json(&value), json!({"a": [1, null, {"b": 2.5}], "n": -1, "t": "x", "u": u64::MAX, "yes": true}));
    assert_eq!(in_json(Value::set_of([Value::from("a")]).unwrap()), json!(["a"]));
    let marked = value!({ a = Value::from("secret").mark(Mark::new("m")) });
    let error = serde_json::to_string(&marked).unwrap_err().to_string();
    assert_eq!(error, "a marked value cannot be written");
    assert_eq!(serde_json::to_string(&[Value::UNKNOWN]).unwrap_err().to_string(), "an unknown value cannot be written");
}

#[test]
fn numbers_are_exact() {
    for text in ["0", "-1", "9223372036854775807", "18446744073709551615", "0.1", "1e300"] {
        let number = Number::parse(text).unwrap();
        assert!(in_json(&number).is_number(), "{text}");
        assert_eq!(to_value(&number).unwrap(), Value::from(number));
    }
    for text in ["18446744073709551617", "0.12345678901234567890123", "-170141183460469231731687303715884105729"] {
        let number = Number::parse(text).unwrap();
        assert_eq!(in_json(&number), json!(number.to_string()));
        assert_eq!(to_value(&number).unwrap(), Value::from(number));
    }
    assert_eq!(to_value(&Number::INFINITY).unwrap(), Value::from(Number::INFINITY));
}

#[test]
fn types_expressions_and_templates_are_their_text() {
    assert_eq!(in_json(Type::list(Type::String)), json!("list(string)"));
    assert_eq!(in_json(parse::<Expression>("a +  1").into_result().unwrap()), json!("a +  1"));
    assert_eq!(in_json(Expression::from(parse::<Template>("a ${b}\n").into_result().unwrap())), json!("\"a ${b}\\n\""));
    assert_eq!(in_json(NewExpression::from("a")), json!("\"a\""));
    assert_eq!(in_json(NewTemplate::new().literal("a")), json!("\"a\""));
    let template: Template = "a \"${b}\"\n".parse().unwrap();
    assert_eq!(in_json(&template), json!("a \"${b}\"\n"));
    #[derive(Serialize)]
    struct Config {
        template: Template,
    }
    assert_eq!(hcl_lr::to_string(&Config { template }).unwrap(), "template = \"a \\\"${b}\\\"\\n\"\n");
}

#[test]
fn an_expression_with_variables_of_its_own_cannot_be_written() {
    let variables = std::sync::Arc::new(std::collections::HashMap::from([("a".to_owned(), Value::from(1))]));
    let expression = parse::<Expression>("a").into_result().unwrap().with_variables(variables);
    let error = hcl_lr::typed::to_expression(&expression).unwrap_err();
    assert_eq!(error.to_string(), "an expression with variables of its own cannot be written");
}

#[test]
fn diagnostics_have_the_shape_of_their_json() {
    let mut all: Diagnostics = hcl_lr::parse::<hcl_lr::File>(("a.hcl", "a = 'x'\nb = \n")).into_parts().1;
    let body = parse::<Body>(("b.hcl", "c {\n}\nc = 1\n")).into_result().unwrap();
    all.append(body.content(&hcl_lr::body::BodySchema::new().required("colour")).into_parts().1);
    assert!(all.len() >= 3, "{all}");
    let json: serde_json::Value = serde_json::from_str(&all.to_json()).unwrap();
    assert_eq!(in_json(&all), json);
    assert_eq!(in_json(all.first().unwrap()), json[0]);
}

/// Everything that is found in the fixtures goes to JSON and back.
#[test]
fn diagnostics_are_read_with_the_texts_that_they_are_about() {
    let mut count = 0;
    for case in cases("diagnostics") {
        let Some(input) = case.find("hcl") else { continue };
        let found = hcl_lr::parse::<hcl_lr::File>(Source::from_bytes("a.hcl", input.bytes.clone())).into_parts().1;
        let Some(first) = found.first() else { continue };
        let received = received(&serde_json::to_string(&found).unwrap(), first.source()).unwrap();
        assert_eq!(received.to_json(), found.to_json(), "{}", case.place());
        assert_eq!(received.render(), found.render(), "{}", case.place());
        assert!(received.iter().zip(&found).all(|(received, found)| received.code() == found.code()));
        count += received.len();
    }
    assert!(count > 100, "only {count}");
}

fn received(json: &str, source: &Arc<Source>) -> Result<Diagnostics, String> {
    let seed = DiagnosticsIn::new([source.clone()]);
    seed.deserialize(&mut serde_json::Deserializer::from_str(json)).map_err(|error| error.to_string())
}

#[test]
fn diagnostics_of_programs_are_read() {
    let source = Arc::new(Source::new("a.hcl", "größe = 1\n"));
    let place = Place::new(&source, Span::new(0, 7));
    let mut all = Diagnostics::new();
    all.push(Diagnostic::note("acme/plain", Place::nowhere(), "nothing but this"));
    all.push(Diagnostic::error("acme/own", place.clone(), "with a headline").with_summary("A headline"));
    all.push(Diagnostic::warning("acme/none", place.clone(), "").with_summary("Only a headline"));
    let suggestion = Suggestion::new("rename it").replace(&place, "e\u{301}");
    all.push(
        Diagnostic::error(Code::SingleQuotes, place.clone(), "with all")
            .with_context(place.clone())
            .with_label(place.clone(), "here")
            .with_help("look")
            .with_suggestion(suggestion.clone())
            .with_suggestion(Suggestion::safe("remove it").remove(&place)),
    );
    let json = serde_json::to_string(&all).unwrap();
    let read = received(&json, &source).unwrap();
    assert_eq!(read.to_json(), all.to_json());
    assert_eq!(read.render(), all.render());
    assert_eq!(read.iter().last().unwrap().suggestions(), all.iter().last().unwrap().suggestions());

    let error = |from: &str, to: &str| received(&json.replacen(from, to, 1), &source).unwrap_err();
    let other = Arc::new(Source::new("b.hcl", "größe = 1\n"));
    assert!(received(&json, &other).unwrap_err().starts_with("the source \"a.hcl\" is not among those given"));
    let short = Arc::new(Source::new("a.hcl", "gr"));
    assert!(received(&json, &short).unwrap_err().contains("0 to 7 are not a place in the given text of \"a.hcl\""));
    assert!(error("\"byte\":7", "\"byte\":3").contains("0 to 3 are not a place"), "within a character");
    assert!(error("\"note\"", "\"hint\"").contains("\"hint\" is none of error, warning, note"));
    assert!(error("\"severity\"", "\"weight\"").contains("missing field `severity`"));
    assert!(error("[", "[1,").contains("an object with the properties of a diagnostic"));
}

/// Nests without end as far as its type goes.
struct Nest(u32);

impl<'de> Deserializer<'de> for Nest {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            0 => visitor.visit_unit(),
            levels => visitor.visit_seq(serde::de::value::SeqDeserializer::new(std::iter::once(Nest(levels - 1)))),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> serde::de::IntoDeserializer<'de> for Nest {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[test]
fn deep_values_and_types_are_errors_and_no_overflow() {
    let work = || {
        assert_eq!(Value::deserialize(Nest(999)).unwrap().height(), 1_000);
        for levels in [1_000, 1_000_000] {
            let error = Value::deserialize(Nest(levels)).unwrap_err();
            assert_eq!(error.to_string(), "the value nests more than 1000 levels deep");
        }
        // A rejected value leaves no state behind.
        assert_eq!(Value::deserialize(Nest(999)).unwrap().height(), 1_000);
        let deep = |levels| (1..levels).fold(Value::NULL, |inner, _| Value::tuple([inner]));
        assert!(serde_json::to_string(&deep(1_000)).is_ok());
        let error = serde_json::to_string(&deep(100_000)).unwrap_err();
        assert_eq!(error.to_string(), "the value nests more than 1000 levels deep");
        assert!(hcl_lr::to_string(&value!({ a = deep(100_000) })).is_err());

        let lists = |levels| (1..levels).fold(Type::String, |inner, _| Type::list(inner));
        let text = serde_json::to_string(&lists(1_000)).unwrap();
        assert_eq!(serde_json::from_str::<Type>(&text).unwrap(), lists(1_000));
        let written = hcl_lr::to_string(&std::collections::BTreeMap::from([("type", lists(1_000))])).unwrap();
        let read: std::collections::BTreeMap<String, Type> = hcl_lr::from_str(&written).unwrap();
        assert_eq!(read["type"], lists(1_000));
        for levels in [1_001, 100_000] {
            let error = serde_json::to_string(&lists(levels)).unwrap_err();
            assert_eq!(error.to_string(), "the type nests more than 1000 levels deep");
        }
        let error = serde_json::from_str::<Type>(&format!("\"{}\"", "list(".repeat(100_000))).unwrap_err();
        assert!(error.to_string().contains("nesting-too-deep"), "{error}");
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}
