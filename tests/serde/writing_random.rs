//! Written values read back as the same value, and the text is in canonical form: random values of random types.
//! `HCL_ROUND_TRIPS=100000` in the environment tries more of them than the suite does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hcl_lr::Value;
use hcl_lr::typed::Writer;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};

use crate::dynamic::{Dynamic, Fields, Int, Ty, Typed, VARIANTS, Val, Variant, reading};
use crate::lines::ask_program;
use crate::needs;

const INTS: [Int; 10] =
    [Int::I8, Int::I16, Int::I32, Int::I64, Int::I128, Int::U8, Int::U16, Int::U32, Int::U64, Int::U128];

/// Types whose values are plain.
fn plain_type() -> impl Strategy<Value = Ty> {
    prop_oneof![
        Just(Ty::Bool),
        prop::sample::select(&INTS[..]).prop_map(Ty::Int),
        Just(Ty::F32),
        Just(Ty::F64),
        Just(Ty::Char),
        Just(Ty::Str),
        Just(Ty::Bytes),
        Just(Ty::Unit),
        Just(Ty::UnitStruct),
    ]
}

/// Returns true if null is a value of the type: then it differs from `None` in an option.
fn has_null(ty: &Ty) -> bool {
    match ty {
        Ty::Unit | Ty::UnitStruct | Ty::Option(_) => true,
        Ty::Newtype(inner) => has_null(inner),
        _ => false,
    }
}

/// Types of attributes.
fn attribute_type() -> impl Strategy<Value = Ty> {
    plain_type().prop_recursive(3, 12, 4, |inner| {
        let several = || vec(inner.clone(), 1..4);
        let variant = prop_oneof![
            Just(Variant::Unit),
            inner.clone().prop_map(Variant::Newtype),
            vec(inner.clone(), 2..4).prop_map(Variant::Tuple),
            several().prop_map(|types| Variant::Struct(Fields::new(types, false))),
        ];
        let key = prop_oneof![Just(None), prop::sample::select(&INTS[..9]).prop_map(Some)];
        prop_oneof![
            inner.clone().prop_filter("null", |ty| !has_null(ty)).prop_map(|ty| Ty::Option(Rc::new(ty))),
            inner.clone().prop_map(|ty| Ty::Newtype(Rc::new(ty))),
            inner.clone().prop_map(|ty| Ty::Seq(Rc::new(ty))),
            several().prop_map(Ty::Tuple),
            vec(inner.clone(), 2..4).prop_map(Ty::TupleStruct),
            (key, inner.clone()).prop_map(|(key, ty)| Ty::Map(key, Rc::new(ty))),
            several().prop_map(|types| Ty::Struct(Fields::new(types, false))),
            vec(variant, 1..=VARIANTS.len()).prop_map(|variants| Ty::Enum(Rc::new(variants))),
        ]
    })
}

/// Types of what can be in a body: attributes, and blocks in all the ways that they can be held.
fn body_type() -> impl Strategy<Value = Ty> {
    attribute_type().prop_recursive(2, 12, 4, |inner| {
        let structure = vec(inner, 0..5).prop_map(|types| Ty::Struct(Fields::new(types, false)));
        let with_label = vec(attribute_type(), 0..4).prop_map(|mut types| {
            types.insert(0, Ty::Str);
            Ty::Struct(Fields::new(types, true))
        });
        let block = || structure.clone().prop_map(|ty| Rc::new(Ty::Block(Rc::new(ty))));
        prop_oneof![
            block().prop_map(|ty| (*ty).clone()),
            block().prop_map(Ty::Option),
            block().prop_map(Ty::Seq),
            structure.clone().prop_map(|ty| Ty::Block(Rc::new(Ty::Seq(Rc::new(ty))))),
            block().prop_map(|ty| Ty::Map(None, ty)),
            block().prop_map(|ty| Ty::Map(None, Rc::new(Ty::Map(None, Rc::new(Ty::Seq(ty)))))),
            (0..3_usize, structure.clone()).prop_map(|(count, ty)| Ty::Labeled(count, Rc::new(ty))),
            (0..3_usize, structure.clone()).prop_map(|(count, ty)| Ty::Seq(Rc::new(Ty::Labeled(count, Rc::new(ty))))),
            with_label.prop_map(|ty| Ty::Seq(Rc::new(Ty::Block(Rc::new(ty))))),
        ]
    })
}

/// Text as the language has it: normalized.
fn text() -> impl Strategy<Value = String> {
    let characters = prop_oneof![
        3 => prop::char::range('a', 'z'),
        2 => prop::sample::select(vec!['$', '%', '{', '}', '"', '\\', '\n', '\r', '\t', ' ', '~', '#', '=', '\u{feff}', '\u{85}', '\0']),
        1 => any::<char>(),
    ];
    let words = prop::sample::select(vec![
        "null",
        "true",
        "for",
        "if",
        "in",
        "EOT\n",
        "a\nEOT\nb\n",
        "%{ if x }",
        "1",
        "$label",
    ]);
    prop_oneof![
        4 => vec(characters, 0..12).prop_map(String::from_iter),
        1 => words.prop_map(str::to_owned),
    ]
    .prop_map(|text| Value::from(text).as_str().expect("a string").to_owned())
}

fn int_value(int: Int) -> BoxedStrategy<i128> {
    match int {
        Int::I8 => any::<i8>().prop_map(i128::from).boxed(),
        Int::I16 => any::<i16>().prop_map(i128::from).boxed(),
        Int::I32 => any::<i32>().prop_map(i128::from).boxed(),
        Int::I64 => any::<i64>().prop_map(i128::from).boxed(),
        Int::I128 | Int::U128 => any::<i128>().boxed(),
        Int::U8 => any::<u8>().prop_map(i128::from).boxed(),
        Int::U16 => any::<u16>().prop_map(i128::from).boxed(),
        Int::U32 => any::<u32>().prop_map(i128::from).boxed(),
        Int::U64 => any::<u64>().prop_map(i128::from).boxed(),
    }
}

fn is_of_blocks(ty: &Ty) -> bool {
    match ty {
        Ty::Block(_) => true,
        Ty::Seq(ty) | Ty::Map(_, ty) => is_of_blocks(ty),
        _ => false,
    }
}

fn is_empty(value: &Val) -> bool {
    match value {
        Val::List(list) => list.is_empty(),
        Val::Map(map) => map.is_empty(),
        _ => false,
    }
}

fn all(types: &[Ty]) -> BoxedStrategy<Val> {
    types.iter().map(value_of).collect::<Vec<_>>().prop_map(Val::List).boxed()
}

fn value_of(ty: &Ty) -> BoxedStrategy<Val> {
    match ty {
        Ty::Bool => any::<bool>().prop_map(Val::Bool).boxed(),
        Ty::Int(Int::U128) => any::<u128>().prop_map(Val::Big).boxed(),
        Ty::Int(int) => int_value(*int).prop_map(Val::Int).boxed(),
        Ty::F32 => any::<f32>().prop_filter("finite", |float| float.is_finite()).prop_map(Val::F32).boxed(),
        Ty::F64 => any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Val::F64).boxed(),
        // A character that is more than one when it is normalized is none in the language.
        Ty::Char => any::<char>()
            .prop_filter("normalized", |c| Value::from(*c).as_str() == Some(c.encode_utf8(&mut [0; 4])))
            .prop_map(Val::Char)
            .boxed(),
        Ty::Str => text().prop_map(Val::Str).boxed(),
        Ty::Bytes => vec(any::<u8>(), 0..5).prop_map(Val::Bytes).boxed(),
        Ty::Unit | Ty::UnitStruct => Just(Val::Unit).boxed(),
        Ty::Option(ty) => prop::option::of(value_of(ty)).prop_map(|value| Val::Option(value.map(Box::new))).boxed(),
        Ty::Newtype(ty) => value_of(ty).prop_map(|value| Val::Newtype(Box::new(value))).boxed(),
        Ty::Seq(ty) => vec(value_of(ty), 0..4).prop_map(Val::List).boxed(),
        Ty::Tuple(types) | Ty::TupleStruct(types) => all(types),
        Ty::Map(None, ty) => {
            let of_blocks = matches!(**ty, Ty::Seq(_) | Ty::Map(..)) && is_of_blocks(ty);
            vec((text(), value_of(ty)), 0..4)
                .prop_map(move |entries| {
                    let mut entries: BTreeMap<String, Val> = entries.into_iter().collect();
                    // A label without blocks cannot be written.
                    entries.retain(|_, value| !of_blocks || !is_empty(value));
                    Val::Map(entries)
                })
                .boxed()
        }
        Ty::Map(Some(int), ty) => vec((int_value(*int), value_of(ty)), 0..4)
            .prop_map(|entries| Val::IntMap(entries.into_iter().collect::<BTreeMap<_, _>>()))
            .boxed(),
        Ty::Struct(fields) => all(&fields.types),
        Ty::Enum(variants) => {
            let variants = variants.clone();
            (0..variants.len())
                .prop_flat_map(move |at| {
                    let value = match &variants[at] {
                        Variant::Unit => Just(Val::Unit).boxed(),
                        Variant::Newtype(ty) => value_of(ty),
                        Variant::Tuple(types) => all(types),
                        Variant::Struct(fields) => all(&fields.types),
                    };
                    value.prop_map(move |value| Val::Variant(at, Box::new(value)))
                })
                .boxed()
        }
        Ty::Block(ty) => value_of(ty),
        Ty::Labeled(count, ty) => (vec(text(), *count), value_of(ty))
            .prop_map(|(labels, value)| Val::Labeled(labels, Box::new(value)))
            .boxed(),
    }
}

/// Structures with fields of such types, and values of them.
fn values(field: impl Strategy<Value = Ty>) -> impl Strategy<Value = (Ty, Val)> {
    vec(field, 0..6).prop_flat_map(|types| {
        let ty = Ty::Struct(Fields::new(types, false));
        let value = value_of(&ty);
        (Just(ty), value)
    })
}

fn runner(cases: u32) -> TestRunner {
    let cases = match std::env::var("HCL_ROUND_TRIPS") {
        Ok(count) => count.parse().expect("HCL_ROUND_TRIPS is a number"),
        Err(_) => cases,
    };
    TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() })
}

#[test]
fn what_is_written_reads_back_as_the_same() {
    written_and_read();
}

/// The official engine reads the same from the first texts that are written.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_reads_what_is_written() {
    let texts = written_and_read();
    let questions: Vec<Json> = texts.iter().map(|text| json!({"op": "config", "src": text, "ast": true})).collect();
    for ((text, question), engine) in texts.iter().zip(&questions).zip(ask_program(&needs::engine(), &questions)) {
        let ours = hcl_lr_conformance::answer(&question.to_string());
        let ours = serde_json::from_str::<Json>(&ours).expect("JSON");
        assert_eq!(engine["ok"], true, "{text}");
        assert_eq!(as_floats(&engine["ast"]), as_floats(&ours["ast"]), "{text}");
    }
}

/// Asserts that random values are written as what reads back as the same, and returns the first of the texts.
fn written_and_read() -> Vec<String> {
    let strategy = (values(body_type()), any::<bool>(), any::<bool>());
    let texts = RefCell::new(Vec::new());
    let result = runner(500).run(&strategy, |((ty, value), heredocs, nulls)| {
        let writer = Writer::new().with_heredocs(heredocs).with_nulls(nulls);
        let text = writer.to_string(&Typed(&ty, &value)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&hcl_lr::format::format(&text), &text, "it is not in canonical form");
        let read = reading(&ty, || hcl_lr::from_str::<Dynamic>(&text));
        let read = read.map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        prop_assert_eq!(read.0, value, "{}", text);
        if texts.borrow().len() < SECOND_READER {
            texts.borrow_mut().push(text);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    texts.into_inner()
}

/// An answer with floats for its numbers: those of the official engine are binary.
fn as_floats(answer: &Json) -> Json {
    match answer {
        Json::Array(parts) => parts.iter().map(as_floats).collect(),
        Json::Object(members) => match members.get("number").and_then(Json::as_str) {
            Some(number) => json!(number.parse::<f64>().expect("a number")),
            None => members.iter().map(|(name, part)| (name.clone(), as_floats(part))).collect(),
        },
        other => other.clone(),
    }
}

/// The number of texts that the official engine reads, too.
const SECOND_READER: usize = 2_000;

#[test]
fn values_read_back_as_the_same() {
    let result = runner(500).run(&values(body_type()), |(ty, value)| {
        let made = hcl_lr::to_value(&Typed(&ty, &value)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let read = reading(&ty, || hcl_lr::from_value::<Dynamic>(&made));
        let read = read.map_err(|error| TestCaseError::fail(format!("{error:?}\n{made}")))?;
        prop_assert_eq!(read.0, value, "{}", made);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
