//! What the types of this crate are to its own writers, and to other formats.

use hcl_lr::build::{NewExpression, NewTemplate};
use hcl_lr::model::{Mark, Number, Type};
use hcl_lr::serde::Template;
use hcl_lr::{Diagnostics, Value, parse_body, parse_expression, parse_template, to_value, value};
use serde::Serialize;
use serde_json::json;

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
    assert_eq!(in_json(parse_expression("a +  1").into_result().unwrap()), json!("a +  1"));
    assert_eq!(in_json(parse_template("a ${b}\n").into_result().unwrap()), json!("\"a ${b}\\n\""));
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
    let expression = parse_expression("a").into_result().unwrap().with_variables(variables);
    let error = hcl_lr::serde::to_expression(&expression).unwrap_err();
    assert_eq!(error.to_string(), "an expression with variables of its own cannot be written");
}

#[test]
fn diagnostics_have_the_shape_of_their_json() {
    let mut all: Diagnostics = hcl_lr::parse(("a.hcl", "a = 'x'\nb = \n")).into_parts().1;
    let body = parse_body(("b.hcl", "c {\n}\nc = 1\n")).into_result().unwrap();
    all.append(body.content(&hcl_lr::body::Schema::new().required("colour")).into_parts().1);
    assert!(all.len() >= 3, "{all}");
    let json: serde_json::Value = serde_json::from_str(&all.to_json()).unwrap();
    assert_eq!(in_json(&all), json);
    assert_eq!(in_json(all.first().unwrap()), json[0]);
}
