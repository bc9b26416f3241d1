//! Laws that hold for all values and types, on random ones.

use hcl_lr::model::convert::{Safety, TypeConversion};
use hcl_lr::model::operations::equal;
use hcl_lr::model::unify::{unify, unify_values};
use hcl_lr::model::walk::{transform, walk};
use hcl_lr::model::{Number, Path, PathSet, Type, TypeMismatch, Value, json};
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]", "[a-z\u{e0}-\u{ff}\"${ ]{0,6}"]
}

fn types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool), Just(Type::Dynamic),];
    types_around(leaf.boxed())
}

/// Types without a dynamic part.
fn settled_types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool)];
    types_around(leaf.boxed())
}

fn types_around(leaf: BoxedStrategy<Type>) -> impl Strategy<Value = Type> {
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Type::tuple),
            prop::collection::vec((name(), inner), 0..4).prop_map(Type::object),
        ]
    })
}

proptest! {
    #[test]
    fn the_text_of_a_type_is_read_as_that_type(ty in types()) {
        // In type expressions attributes have plain names.
        let text = ty.describe();
        prop_assert_eq!(text.parse::<Type>().ok(), Some(ty).filter(|_| !text.contains('"')));
    }

    #[test]
    fn the_text_of_a_value_is_read_as_that_value(value in known()) {
        // Lists look like tuples and maps like objects; all of them have the same parts.
        let read: Value = value.to_string().parse().expect("a value");
        prop_assert_eq!(read.to_string(), value.to_string());
        prop_assert_eq!(format!("{value:#}").parse::<Value>().expect("a value"), read);
    }
}

fn leaf() -> BoxedStrategy<Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        any::<i64>().prop_map(|n| Value::from(Number::from(n).divide(&8.into()).unwrap())),
        name().prop_map(Value::from),
        types().prop_map(Value::null),
    ]
    .boxed()
}

/// Known values: no unknowns, no marks.
fn known() -> BoxedStrategy<Value> {
    around(leaf())
}

/// Any values.
fn values() -> BoxedStrategy<Value> {
    let unknown = types().prop_map(Value::unknown);
    let refined = (-5_i64..5, 0_i64..5, any::<bool>()).prop_map(|(low, more, inclusive)| {
        let value = Value::unknown(Type::Number).refine();
        let value = value.min(low.into(), inclusive).max((low + more + 1).into(), true);
        value.value().expect("a range")
    });
    let prefixed =
        name().prop_map(|text| Value::unknown(Type::String).refine().not_null().full_prefix(&text).value().unwrap());
    let plain = prop_oneof![6 => leaf(), 1 => unknown, 1 => refined, 1 => prefixed];
    let marked = (plain.clone(), "[mn]").prop_map(|(value, mark)| value.mark(&*mark));
    around(prop_oneof![5 => plain, 1 => marked].boxed())
}

fn around(leaf: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    leaf.prop_recursive(3, 24, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        let alike = (inner.clone(), 0_usize..4, "[mn]?");
        prop_oneof![
            items.clone().prop_map(Value::tuple),
            prop::collection::vec((name(), inner.clone()), 0..4).prop_map(Value::object),
            alike.clone().prop_map(|(v, n, _)| Value::list(v.ty(), vec![v; n]).unwrap()),
            alike.prop_map(|(v, n, _)| Value::set(v.ty(), vec![v; n]).unwrap()),
            items.prop_map(|items| {
                let items = unify_values(&items, Safety::Unsafe).unwrap_or_default();
                Value::list_of(items).unwrap_or_else(|_| Value::tuple([]))
            }),
            prop::collection::vec((name(), any::<i8>()), 0..4).prop_map(|entries| {
                let entries = entries.into_iter().map(|(key, n)| (key, Value::from(n)));
                Value::map(Type::Number, entries).unwrap()
            }),
        ]
    })
    .boxed()
}

fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exact_equality_is_an_equivalence(a in values(), b in values(), c in values()) {
        prop_assert_eq!(&a, &a.clone());
        prop_assert_eq!(a == b, b == a);
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        let mut sorted = [&a, &b, &c];
        sorted.sort();
        prop_assert!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2] && sorted[0] <= sorted[2]);
        prop_assert!(a != b || hash(&a) == hash(&b));
    }

    #[test]
    fn equality_of_the_language_is_an_equivalence(a in values(), b in values(), k in known()) {
        prop_assert_eq!(equal(&a, &b), equal(&b, &a));
        prop_assert_eq!(equal(&k, &k), Value::from(true));
        // A result decided for unknowns never changes later.
        if let Some(decided) = equal(&a, &k).as_bool() {
            prop_assert_eq!(equal(&k, &a).as_bool(), Some(decided));
        }
    }

    #[test]
    fn known_values_are_transitively_equal(a in known(), b in known(), c in known()) {
        let same = |x: &Value, y: &Value| equal(x, y).as_bool().unwrap();
        prop_assert!(!(same(&a, &b) && same(&b, &c)) || same(&a, &c));
    }

    #[test]
    fn conversion_to_the_own_type_is_the_identity(value in values()) {
        let own = value.ty().without_optional_attributes();
        prop_assert_eq!(value.convert(&own), Ok(value.clone()));
        prop_assert_eq!(value.convert(&Type::Dynamic), Ok(value));
    }

    #[test]
    fn conversion_gives_the_type_asked_for(value in values(), ty in types()) {
        if let Ok(converted) = value.convert(&ty) {
            prop_assert!(converted.ty().conforms_to(&ty).is_ok(), "{:?}", converted);
            // Converting once more changes nothing.
            prop_assert_eq!(converted.convert(&ty), Ok(converted));
        }
    }

    #[test]
    fn conversion_keeps_all_marks(value in values(), ty in types()) {
        if let (Ok(converted), false) = (value.convert(&ty), matches!(ty, Type::Object(_))) {
            let inner = matches!(value.unmarked().ty(), Type::Object(_) | Type::Tuple(_));
            // Attributes that the target does not have go, and their marks with them.
            if !inner && value.is_known() {
                prop_assert!(value.marks().iter().all(|m| converted.marks_deep().contains(m)));
            }
        }
    }

    #[test]
    fn safe_conversions_never_fail_and_keep_values_apart(
        a in known(),
        b in known(),
        ty in types(),
    ) {
        // The type of a part of unsettled type cannot be predicted.
        prop_assume!(!a.ty().has_dynamic());
        if let Ok(safe) = TypeConversion::new(&a.ty(), &ty, Safety::Safe) {
            let converted = safe.apply(&a);
            prop_assert!(converted.is_ok(), "{:?}", converted);
            if a.ty() == b.ty() && a != b && !loses_attributes(&a.ty(), &ty) {
                prop_assert_ne!(converted, safe.apply(&b));
            }
        }
    }

    #[test]
    fn primitives_round_trip_through_strings(n in any::<i64>(), places in 0_u32..20, b: bool) {
        let number = Number::from(n).divide(&Number::from(10_i128.pow(places))).unwrap();
        for value in [Value::from(number), Value::from(b)] {
            let text = value.convert(&Type::String).unwrap();
            prop_assert_eq!(text.convert(&value.ty()), Ok(value));
        }
    }

    #[test]
    fn unification_is_commutative(types in prop::collection::vec(types(), 1..4)) {
        let mut turned = types.clone();
        turned.reverse();
        prop_assert_eq!(unify(&types, Safety::Safe), unify(&turned, Safety::Safe));
        prop_assert_eq!(
            unify(&types, Safety::Unsafe).is_some(),
            unify(&turned, Safety::Unsafe).is_some()
        );
    }

    #[test]
    // With open types among them the engine promises more than holds: a map of strings and an
    // object with one open and one list attribute unify to a map of strings.
    fn all_types_convert_to_their_unification(
        types in prop::collection::vec(settled_types(), 1..4),
    ) {
        for safety in [Safety::Safe, Safety::Unsafe] {
            if let Some(unified) = unify(&types, safety) {
                for ty in &types {
                    let possible = *ty == unified || TypeConversion::new(ty, &unified, safety).is_ok();
                    prop_assert!(possible, "{:?} to {:?}", ty, unified);
                }
                prop_assert_eq!(unify(std::slice::from_ref(&unified), safety), Some(unified));
            }
        }
    }

    #[test]
    fn unmarked_values_can_be_marked_again(value in values()) {
        let (plain, places) = value.unmark_with_paths();
        prop_assert!(!plain.contains_marks());
        prop_assert_eq!(plain.mark_with_paths(&places), value.clone());
        let (also_plain, marks) = value.unmark_deep();
        prop_assert_eq!(&also_plain, &plain);
        prop_assert_eq!(marks.is_empty(), places.is_empty());
        for (path, _) in &places {
            prop_assert!(path.apply(&value).unwrap().is_marked());
        }
    }

    #[test]
    fn every_path_of_a_walk_leads_to_its_part(value in values()) {
        let mut seen = PathSet::default();
        let mut count = 0;
        walk(&value, |path, part| {
            assert_eq!(path.apply(&value).as_ref(), Some(part));
            count += usize::from(seen.insert(path.clone()));
            true
        });
        prop_assert_eq!(seen.len(), count);
        prop_assert!(seen.contains(&Path::default()));
    }

    #[test]
    fn a_transformation_that_changes_nothing_changes_nothing(value in values()) {
        let same = transform(&value, |_, part| Ok::<_, TypeMismatch>(part));
        prop_assert_eq!(same, Ok(value));
    }

    #[test]
    fn json_round_trips(value in known(), dynamic: bool) {
        let ty = if dynamic { Type::Dynamic } else { value.ty() };
        let text = json::encode(&value, &ty).unwrap();
        prop_assert_eq!(json::decode(&text, &ty), Ok(value));
    }

    #[test]
    fn json_types_round_trip(ty in types()) {
        prop_assert_eq!(json::decode_type(&json::encode_type(&ty).unwrap()), Ok(ty));
    }

    #[test]
    fn sets_are_ordered_and_distinct(items in prop::collection::vec(known(), 0..6)) {
        let items = unify_values(&items, Safety::Unsafe).unwrap_or_default();
        if let Ok(set) = Value::set_of(items.clone()) {
            let elements = set.elements().unwrap();
            for (at, element) in elements.iter().enumerate() {
                prop_assert!(!elements[at + 1..].contains(element));
                prop_assert!(set.set_contains(element));
            }
            let mut turned = items;
            turned.reverse();
            prop_assert_eq!(Value::set_of(turned), Ok(set));
        }
    }

    #[test]
    fn a_type_conforms_to_itself(a in types(), b in types()) {
        prop_assert!(a.conforms_to(&a).is_ok());
        let mismatch = a.conforms_to(&b);
        prop_assert!(mismatch.is_ok() || a != b);
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
    }
}

/// Returns true if an object in `from` becomes one with fewer attributes, which is safe but lossy.
fn loses_attributes(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Object(a), Type::Object(b)) => {
            let lost = a.attributes().iter().any(|attribute| b.get(attribute.name()).is_none());
            let below = |name: &str, ty| a.get(name).is_some_and(|a| loses_attributes(a.ty(), ty));
            lost || b.attributes().iter().any(|attribute| below(attribute.name(), attribute.ty()))
        }
        // Elements that become equal in a set are merged.
        (_, Type::Set(_)) => true,
        (Type::Tuple(a), Type::Tuple(b)) => a.elements().iter().zip(b.elements()).any(|(a, b)| loses_attributes(a, b)),
        (Type::Tuple(a), to) => match to.element_type() {
            Some(to) => a.elements().iter().any(|from| loses_attributes(from, to)),
            None => false,
        },
        (Type::Object(a), to) => match to.element_type() {
            Some(to) => a.attributes().iter().any(|from| loses_attributes(from.ty(), to)),
            None => false,
        },
        _ => match (from.element_type(), to.element_type()) {
            (Some(from), Some(to)) => loses_attributes(from, to),
            _ => false,
        },
    }
}

proptest! {
    #[test]
    fn readers_never_panic(text in any::<String>(), jsonish in "[\\[\\]{}:,\"\\\\u0-9eE.+\\- truefalsnd]{0,24}") {
        for text in [text, jsonish] {
            let _answered = json::decode_implied(&text).is_ok() || Number::parse(&text).is_ok();
            if let Ok(value) = json::decode_implied(&text) {
                let written = json::encode_implied(&value).unwrap();
                prop_assert_eq!(json::decode_implied(&written), Ok(value));
            }
            prop_assert!(!hcl_lr_conformance::answer(&text).is_empty());
        }
    }
}

proptest! {
    #[test]
    fn messagepack_round_trips(value in values(), dynamic: bool) {
        use hcl_lr::model::msgpack;
        let (plain, _) = value.unmark_deep();
        let ty = if dynamic { Type::Dynamic } else { plain.ty() };
        let bytes = msgpack::encode(&plain, &ty).unwrap();
        prop_assert_eq!(msgpack::decode(&bytes, &ty), Ok(plain));
    }

    #[test]
    fn messagepack_never_panics(bytes: Vec<u8>, ty in types()) {
        let _answered = hcl_lr::model::msgpack::decode(&bytes, &ty).is_ok();
    }
}

proptest! {
    #[test]
    fn the_protocol_round_trips(value in values(), ty in types()) {
        use hcl_lr_conformance::{decode_type, decode_value, encode_type, encode_value};
        prop_assert_eq!(decode_type(&encode_type(&ty)), Ok(ty));
        prop_assert_eq!(decode_value(&encode_value(&value)), Ok(value));
    }
}
