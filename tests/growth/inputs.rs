//! The inputs of the tests of growth and of limits: the tables in `fixtures/growth/inputs.json`, and a scope for expressions.

use std::sync::LazyLock;

use hcl_lr::Scope;
use hcl_lr::eval::{Function, Parameter};
use hcl_lr::functions;
use hcl_lr::model::{Type, Value};
use serde_json::Value as Json;

/// Returns the texts of a table, one in each row.
pub fn texts(table: &'static str) -> impl Iterator<Item = &'static str> {
    rows(table).map(|[text]| text)
}

/// Returns the rows of a table.
pub fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    static TABLES: LazyLock<Json> =
        LazyLock::new(|| serde_json::from_str(include_str!("../fixtures/growth/inputs.json")).expect("tables"));
    let rows = TABLES[table].as_array().unwrap_or_else(|| panic!("inputs.json has no table {table:?}")).iter();
    rows.map(move |row| {
        let columns = row.as_array().map_or(std::slice::from_ref(row), Vec::as_slice);
        let texts: Vec<&str> = columns.iter().filter_map(Json::as_str).collect();
        texts.try_into().unwrap_or_else(|_| panic!("a row of {table:?} has not {COLUMNS} texts: {row}"))
    })
}

/// Returns a scope with standard functions, and some that evaluate expressions themselves or give back what they get.
pub fn scope() -> Scope<'static> {
    let any = || [Parameter::new("value", Type::Dynamic).allow_null().allow_dynamic().allow_unknown()];
    let same = Function::typed(any(), None, |call| Ok(call.argument(0).ty()), |call| Ok(call.argument(0).clone()));
    let lazy = Function::lazy(any(), None, |call| {
        let (expression, scope) = (call.argument(0).expression(), call.argument(0).scope());
        match expression.zip(scope) {
            Some((expression, scope)) => Ok(expression.evaluate(scope)?),
            None => Ok(call.argument(0).evaluate()?),
        }
    });
    Scope::new()
        .with("n", 1)
        .with("t", true)
        .with("f", false)
        .with("s", "text")
        .with("one", vec![1])
        .with("two", vec![1, 2])
        .with("list", Value::list(Type::Number, [Value::from(1)]).expect("numbers"))
        .with("none", Value::tuple([]))
        .with("empty", Value::list(Type::Number, []).expect("no numbers"))
        .with("unknown", Value::unknown(Type::list(Type::Number)))
        .with("open", Value::unknown(Type::Dynamic))
        .with("maybe", Value::unknown(Type::Bool))
        .with_functions(functions::standard())
        .with_function("same", same)
        .with_function("lazy", lazy)
}
