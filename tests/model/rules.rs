//! Single rules of the model, each shown by its smallest case.

use hcl_lr::model::convert::Safety;
use hcl_lr::model::operations::{self, equal};
use hcl_lr::model::unify::unify;
use hcl_lr::model::{AttributeType, CapsuleType, CollectionKind, Mark, Number, Path, PathStep, Type, Value};
use std::sync::Arc;

fn text(result: Result<Value, impl std::fmt::Display>) -> String {
    match result {
        Ok(value) => format!("{value:?}"),
        Err(why) => format!("error: {why}"),
    }
}

#[test]
fn strings_are_normalized_on_entry() {
    let (composed, decomposed) = (Value::from("\u{e9}"), Value::from("e\u{301}"));
    assert_eq!(composed, decomposed);
    let object = Value::object([("e\u{301}", Value::from(1))]);
    assert!(object.attribute("\u{e9}").is_some());
    let map = Value::map(Type::Number, [("e\u{301}", Value::from(1))]).unwrap();
    assert!(map.entry("\u{e9}").is_some());
    assert_eq!(Type::object([("e\u{301}", Type::Bool)]), Type::object([("\u{e9}", Type::Bool)]));
}

#[test]
fn values_print_like_hcl() {
    let value = Value::object([
        ("a b", Value::from("x\"${y}\n")),
        ("list", Value::list(Type::Number, [Value::from(1)]).unwrap()),
        ("none", Value::null(Type::String)),
        ("secret", Value::from("s3cret").mark("sensitive")),
        ("later", Value::unknown(Type::list(Type::String))),
        ("nothing", Value::tuple([])),
    ]);
    assert_eq!(
        value.to_string(),
        "{ \"a b\" = \"x\\\"$${y}\\n\", later = (unknown list of string), list = [1], \
         none = null, nothing = [], secret = (marked sensitive) }"
    );
    let some = Value::unknown(Type::Number).refine().not_null().min(1.into(), false);
    assert_eq!(text(some.value()), "unknown(number, not null, > 1)");
    let list = Value::list(Type::Bool, [Value::from(true).mark("m")]).unwrap();
    assert_eq!(format!("{list:?}"), "list[marked(m)]");
}

#[test]
fn sets_have_an_order_and_no_marks_inside() {
    let items = [Value::from("b").mark("x"), Value::from("a"), Value::from("b").mark("y")];
    let set = Value::set(Type::String, items).unwrap();
    assert_eq!(format!("{set:?}"), "marked(x, y)");
    let null = Value::null(Type::String);
    let unknown = Value::unknown(Type::String);
    let items = [unknown.clone(), null.clone(), Value::from("a"), unknown.clone(), null.clone()];
    let set = Value::set(Type::String, items).unwrap();
    // Nulls are equal, unknowns never are; known before unknown before null.
    assert_eq!(set.elements().unwrap(), [Value::from("a"), unknown.clone(), unknown, null]);
}

#[test]
fn mismatches_name_the_path() {
    let spec = Type::object_with([
        AttributeType::required("rules", Type::list(Type::object([("port", Type::Number)]))),
        AttributeType::optional("name", Type::String),
    ]);
    let rule = Value::object([("port", Value::from("http"))]);
    let value = Value::object([("rules", Value::tuple([rule]))]);
    assert_eq!(text(value.convert(&spec)), "error: .rules[0].port: a number is required");
    let value = Value::object([("rules", Value::tuple([Value::object::<&str>([])]))]);
    assert_eq!(text(value.convert(&spec)), "error: .rules[0]: attribute \"port\" is required");
    let value = Value::from(true).convert(&spec);
    assert_eq!(text(value), "error: an object is required, not a bool");
    let pair = Value::tuple([Value::from(1), Value::from(2)]);
    let wanted = Type::tuple([Type::Number]);
    assert_eq!(text(pair.convert(&wanted)), "error: a tuple of 1 element is required, not of 2");
    let mixed = Value::tuple([Value::from(1), Value::tuple([])]);
    let wanted = Type::list(Type::Dynamic);
    assert_eq!(text(mixed.convert(&wanted)), "error: all elements must have the same type");
    let map = Value::map(Type::String, [("a", Value::from("x"))]).unwrap();
    let wanted = Type::object([("b", Type::String)]);
    assert_eq!(text(map.convert(&wanted)), "error: the map has no element \"b\"");
    let capsule = Value::capsule(&CapsuleType::new("image"), Arc::new(()));
    assert_eq!(text(capsule.convert(&Type::String)), "error: a string is required, not an image");
}

#[test]
fn conformance_is_without_conversion() {
    let spec = Type::object_with([
        AttributeType::required("a", Type::list(Type::Dynamic)),
        AttributeType::optional("b", Type::Bool),
    ]);
    let fits = Type::object([("a", Type::list(Type::String))]);
    assert_eq!(fits.conforms_to(&spec), Ok(()));
    let why = |ty: Type| ty.conforms_to(&spec).unwrap_err().to_string();
    assert_eq!(
        why(Type::object([("a", Type::set(Type::Bool))])),
        ".a: a list of any type is required, not a set of bool"
    );
    let extra = Type::object([("a", Type::list(Type::Bool)), ("c", Type::Bool)]);
    assert_eq!(why(extra), "unexpected attribute \"c\"");
    let nested = Type::map(Type::tuple([Type::Bool]));
    let error = nested.conforms_to(&Type::map(Type::tuple([Type::String]))).unwrap_err();
    assert_eq!(error.to_string(), "[*][0]: a string is required, not a bool");
}

#[test]
fn refinements_survive_conversion_as_far_as_they_hold() {
    let list = Value::unknown(Type::list(Type::Number)).refine().not_null();
    let list = list.min_length(2).max_length(4).value().unwrap();
    let set = list.convert(&Type::set(Type::String));
    assert_eq!(text(set), "unknown(set(string), not null, length >= 1, length <= 4)");
    let tuple = Value::unknown(Type::tuple([Type::Bool, Type::Bool]));
    let list = tuple.convert(&Type::list(Type::Bool));
    assert_eq!(text(list), "unknown(list(bool), length >= 2, length <= 2)");
}

#[test]
fn refinements_that_contradict_are_errors() {
    let number = || Value::unknown(Type::Number).refine();
    assert!(number().min(2.into(), true).max(1.into(), true).value().is_err());
    // Bounds that meet leave the number itself, or none.
    assert!(number().min(1.into(), true).max(1.into(), true).value().is_ok());
    assert!(number().min(1.into(), false).max(1.into(), true).value().is_err());
    assert!(number().full_prefix("x").value().is_err());
    assert!(Value::unknown(Type::String).refine().full_prefix("ab").full_prefix("ac").value().is_err());
    assert!(Value::null(Type::Bool).refine().not_null().value().is_err());
    assert!(Value::unknown(Type::Bool).refine().not_null().null().value().is_err());
    let list = Value::list(Type::Bool, [Value::from(true)]).unwrap();
    assert!(list.refine().min_length(2).value().is_err());
    assert_eq!(list.refine().min_length(1).max_length(1).value(), Ok(list));
}

#[test]
fn operators_keep_marks_and_know_unknowns() {
    let secret = Value::from(1).mark("s");
    let sum = operations::add(&secret, &Value::unknown(Type::Number).mark("t"));
    assert_eq!(text(sum.clone().map(|sum| sum.unmarked().clone())), "unknown(number, not null)");
    assert_eq!(text(sum), "marked(s, t)");
    let inside = Value::tuple([Value::from(1).mark("s")]);
    assert!(equal(&inside, &Value::tuple([Value::from(1)])).is_marked());
    let part = operations::index(&inside.mark("t"), &Value::from(0).mark("k"));
    assert_eq!(part.unwrap().marks().len(), 3);
    assert_eq!(
        text(operations::less_than(&Value::null(Type::Number), &Value::from(1))),
        "error: the left operand must not be null"
    );
}

/// The deliberate differences from the official engine, one by one. The engine's side is named in each remark.
#[test]
fn listed_divergences() {
    let n = |text: &str| Number::parse(text).unwrap();
    // Engine: false, and 0.80…024, in binary fractions.
    assert_eq!(n("1.1").multiply(&n("1.1")), Ok(n("1.21")));
    assert_eq!(n("11").remainder(&n("5.1")), Ok(n("0.8")));
    // Engine: infinity, and 16.
    for text in ["inf", "+Inf", "1p4"] {
        assert!(Value::from(text).convert(&Type::Number).is_err(), "{text}");
    }
    // Engine: "-0".
    assert_eq!(Value::from("-0").convert(&Type::Number).unwrap(), Value::from(0));
    // Engine: loses the mark on the null.
    let null = Value::tuple([Value::null(Type::Number).mark("m")]);
    let list = null.convert(&Type::list(Type::String)).unwrap();
    assert!(list.elements().unwrap()[0].is_marked());
    // Engine: an unknown list of number, though a list of string was asked for.
    let set = [Value::from(1), Value::unknown(Type::Number)];
    let set = Value::set(Type::Number, set).unwrap();
    let list = set.convert(&Type::list(Type::String)).unwrap();
    assert_eq!(list, Value::unknown(Type::list(Type::String)));
    // Engine: the null keeps the optional attribute in its type.
    let inner = Type::object_with([AttributeType::optional("x", Type::Bool)]);
    let target = Type::object_with([AttributeType::optional("a", inner)]);
    let map = Value::empty(CollectionKind::Map, Type::object([("x", Type::Bool)]));
    let object = map.convert(&target).unwrap();
    assert!(!object.ty().has_optional_attributes());
    // Engine: panics, or leaves an object type without attributes in that place.
    let pair = Type::tuple([Type::Dynamic, Type::Bool]);
    let target = Type::object_with([AttributeType::optional("a", pair.clone())]);
    let null = Value::null(Type::map(Type::set(Type::Bool)));
    let wanted = Type::object([("a", pair)]);
    assert_eq!(null.convert(&target), Ok(Value::null(wanted)));
    // Engine: the first set, because it comes first; turned round, the other one.
    let texts = || Type::set(Type::String);
    let first = Type::set(Type::object([("b", texts()), ("c", texts())]));
    let more = [("a", Type::map(Type::Bool)), ("b", texts()), ("c", texts())];
    let numbers = ("b", Type::list(Type::Number));
    let last = Type::set(Type::object([numbers, ("c", Type::set(Type::Dynamic))]));
    let maps = Type::list(Type::map(texts()));
    let mut types = [first, maps, Type::list(Type::object(more)), last.clone()];
    assert_eq!(unify(&types, Safety::Unsafe), Some(last.clone()));
    types.reverse();
    assert_eq!(unify(&types, Safety::Unsafe), Some(last));
    // Engine: false for identical sets whose elements are partly unknown.
    let element = Value::tuple([Value::unknown(Type::Bool)]);
    let set = Value::set(element.ty(), [element]).unwrap();
    assert!(!equal(&set, &set).is_known());
    // Engine: the marks of the key of an unknown, and of a negated unknown, are lost.
    let unknown = Value::unknown(Type::list(Type::Bool));
    assert!(operations::index(&unknown, &Value::from(0).mark("k")).unwrap().is_marked());
    assert!(operations::negate(&Value::unknown(Type::Number).mark("m")).unwrap().is_marked());
}

#[test]
fn paths_read_like_hcl() {
    let path = Path::from(vec![
        PathStep::attribute("a"),
        PathStep::attribute("b c"),
        PathStep::Position(1),
        PathStep::key("k\""),
        PathStep::Element(Value::from("x")),
    ]);
    assert_eq!(path.to_string(), ".a[\"b c\"][1][\"k\\\"\"][\"x\"]");
}

#[test]
fn capsules_are_compared_as_their_type_says() {
    let (by_place, by_data) = (CapsuleType::new("a"), CapsuleType::with_equality::<u8>("b"));
    let place = Value::capsule(&by_place, Arc::new(1_u8));
    assert_eq!(place, place.clone());
    assert_ne!(place, Value::capsule(&by_place, Arc::new(1_u8)));
    let data = |n: u8| Value::capsule(&by_data, Arc::new(n));
    assert_eq!(equal(&data(1), &data(1)), Value::from(true));
    let set = Value::set(data(1).ty(), [data(2), data(1), data(2)]).unwrap();
    assert_eq!(set.elements().unwrap().len(), 2);
}

#[test]
fn marks_with_payloads_are_told_apart() {
    let payload: Arc<u8> = Arc::new(1);
    let one = Mark::with_payload("m", payload.clone());
    let same = Mark::with_payload("m", payload);
    let other = Mark::with_payload("m", Arc::new(1_u8));
    let marked = Value::from(1).mark(one.clone()).mark(same).mark(other).mark("m");
    assert_eq!(marked.marks().len(), 3);
    assert!(marked.marks().contains(&one));
}

/// The prefix of a text that stays the same whatever follows: recorded from the official engine.
#[test]
fn safe_prefixes_are_as_long_as_in_the_official_engine() {
    let cases = [
        ("", ""),
        ("a", ""),
        ("ab", "a"),
        ("ab-", "ab-"),
        ("ab\t", "ab\t"),
        ("a=", "a"),
        ("é", ""),
        ("x\u{1}-", "x\u{1}-"),
        // It does not look after a newline, unless the last character may still change.
        ("\n", ""),
        ("a\n", "a"),
        ("a\nb", "a\n"),
        ("a\né", "a\n"),
        ("a\n가", "a\n"),
        ("a\n\nb", "a\n\n"),
        ("a\nq", "a"),
        ("a\n-", "a"),
        ("a\nbc-", "a"),
        ("a\r-", "a"),
        ("a\r\n", "a"),
        ("a\r\n-", "a\r\n-"),
        ("a\r\n\n-", "a\r\n"),
    ];
    for (text, kept) in cases {
        let value = Value::unknown(Type::String).refine().prefix(text).value().expect("a prefix");
        assert_eq!(value.refinement().prefix(), kept, "{text:?}");
    }
}

/// `<=` is `<` or `==`, and two numbers of which one may be null are not known to be different.
#[test]
fn comparisons_of_ranges_that_are_apart() {
    let above = Value::unknown(Type::Number).refine().min(2.into(), true).value().unwrap();
    let below = Value::unknown(Type::Number).refine().max(1.into(), true).value().unwrap();
    let open = || Ok(Value::unknown(Type::Bool).refine().not_null().value().unwrap());
    assert_eq!(operations::less_than(&above, &below), Ok(Value::from(false)));
    assert_eq!(operations::less_or_equal(&above, &below), open());
    assert_eq!(operations::greater_or_equal(&below, &above), open());
    assert_eq!(operations::greater_or_equal(&above, &below), Ok(Value::from(true)));
    assert_eq!(operations::less_or_equal(&above, &Value::from(1)), Ok(Value::from(false)));
}
