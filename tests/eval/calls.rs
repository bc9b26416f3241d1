//! The input of functions: arguments, their places, and the type of the result.

use hcl_lr::eval::{Call, Function, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Place;
use hcl_lr::{File, Scope, parse};

/// A function that returns the source text of its arguments, of the argument after them, and of the call.
fn places(lazy: bool) -> Function {
    let any = || Some(Parameter::new("values", Type::Dynamic).allow_null());
    let told = |texts: Vec<Option<Place>>| {
        let texts = texts.iter().map(|place| Value::from(place.as_ref().map(|place| place.text().to_owned())));
        Ok(Value::tuple(texts))
    };
    match lazy {
        true => Function::lazy([], any(), move |call| {
            let places = (0..=call.arguments().len()).map(|index| call.place(index));
            told(places.chain([call.call_place()]).collect())
        }),
        false => Function::typed(
            [],
            any(),
            |_| Ok(Type::Dynamic),
            move |call| {
                let places = (0..=call.arguments().len()).map(|index| call.place(index));
                told(places.chain([call.call_place()]).collect())
            },
        ),
    }
}

#[test]
fn arguments_know_where_they_are_written() {
    for lazy in [false, true] {
        let scope = Scope::new().with("list", vec![1, 2]).with_function("places", places(lazy));
        let value = |text: &str| {
            let file = parse::<File>(format!("a = {text}\n")).into_result().expect("an attribute");
            file.body().attribute("a").expect("it is there").expression().evaluate(&scope).expect("a value").to_string()
        };
        assert_eq!(value("places()"), r#"[null, "places()"]"#);
        assert_eq!(value("places(1 + 1, list)"), r#"["1 + 1", "list", null, "places(1 + 1, list)"]"#);
        assert_eq!(value("places(0, list...)"), r#"["0", "list", "list", null, "places(0, list...)"]"#);
    }
}

#[test]
fn a_call_from_a_program_has_no_places() {
    for lazy in [false, true] {
        let value = places(lazy).call(&[Value::from(1)]).expect("a value");
        assert_eq!(value, Value::tuple([Value::NULL, Value::NULL, Value::NULL]));
    }
}

#[test]
fn what_is_not_there_is_null() {
    let lazy = Function::lazy([], None, |call| Ok(call.argument(3).evaluate()?));
    assert_eq!(lazy.call(&[]).expect("a value"), Value::NULL);
    let one = [Parameter::new("value", Type::String)];
    let function = Function::new(one, Type::String, |call| Ok(format!("{call:?} {}", call.argument(1)).into()));
    let shown = function.call(&[Value::from("secret")]).expect("a value").to_string();
    assert!(!shown.contains("secret") && shown.contains("arguments: 1") && shown.contains("null"), "{shown}");
}

#[test]
fn the_result_type_is_known_to_the_body() {
    let any = [Parameter::new("value", Type::Dynamic)];
    let list_of = |call: &Call<'_>| {
        assert_eq!(*call.result_type(), Type::Dynamic);
        Ok(Type::list(call.argument(0).ty()))
    };
    let function = Function::typed(any, None, list_of, |call| Ok(Value::tuple([]).convert(call.result_type())?));
    assert_eq!(function.call(&[Value::from(true)]).expect("a value").ty(), Type::list(Type::Bool));
}
