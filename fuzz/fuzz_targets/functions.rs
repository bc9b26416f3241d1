#![no_main]

use hcl_lr::functions::Set;
use hcl_lr::model::{CollectionKind, Number, Type, Value};

/// Arguments stand after one another, with zeros between them. The first letter of each says what it
/// is: text, a number, a list of lines, a map of lines, something unknown, null or marked.
fn argument(text: &str) -> Value {
    let Some(first) = text.chars().next() else { return Value::from("") };
    let rest = &text[first.len_utf8()..];
    match first {
        'n' => Number::parse(rest).map_or_else(|_| Value::from(rest.len()), Value::from),
        'l' => Value::list(Type::String, rest.split('\n').map(Value::from)).expect("strings"),
        's' => Value::set(Type::String, rest.split('\n').map(Value::from)).expect("strings"),
        't' => Value::tuple(rest.split('\n').map(argument)),
        'm' => Value::map(Type::String, rest.split('\n').map(|line| (line, Value::from(line)))).expect("strings"),
        'o' => Value::object(rest.split('\n').map(|line| (line, Value::from(line)))),
        'e' => Value::empty(CollectionKind::List, Type::Dynamic),
        'u' => Value::unknown(Type::String).refine().prefix(rest).value().expect("a string"),
        'd' => Value::unknown(Type::Dynamic),
        '0' => Value::null(Type::Dynamic),
        'b' => Value::from(rest.len() % 2 == 0),
        '*' => Value::from(rest).mark("secret"),
        _ => Value::from(text),
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let sets = [Set::Extended, Set::Terraform];
    let mut bytes = text.bytes();
    let (which, set) = (bytes.next().unwrap_or(0), bytes.next().unwrap_or(0));
    let entries = sets[usize::from(set) % sets.len()].entries();
    let entry = &entries[usize::from(which) % entries.len()];
    let rest = text.char_indices().nth(2).map_or("", |(at, _)| &text[at..]);
    let arguments: Vec<Value> = rest.split('\0').map(argument).collect();
    if let Ok(value) = entry.function().call(&arguments) {
        let _ = value.to_string();
    }
});
