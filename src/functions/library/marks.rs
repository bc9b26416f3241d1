//! Functions on the marks of values: `sensitive` for values that must not be shown, `ephemeral` for values that must
//! not be stored.

use super::{any, because};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::walk::transform;
use crate::model::{EPHEMERAL, Mark, MarkSet, SENSITIVE, Type, TypeMismatch, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let value = || -> Parameter { any("value").allow_null().allow_unknown().allow_dynamic().allow_marked() };
    vec![
        function("sensitive", "Marks a value as `sensitive`, so that it is not shown.")
            .looks_at_one()
            .takes(value())
            .gives_by("any", |call| Ok(call.argument(0).ty()))
            .example("issensitive(sensitive(1))", "true")
            .does(|call| Ok(call.argument(0).mark(Mark::new(SENSITIVE))))
            .marking(),
        function("nonsensitive", "Removes the mark `sensitive` from a value, so that it can be shown.")
            .removes_marks()
            .takes(value())
            .gives_by("any", |call| Ok(call.argument(0).ty()))
            .example("issensitive(nonsensitive(sensitive(1)))", "false")
            .does(|call| Ok(without(call.argument(0), SENSITIVE))),
        function("issensitive", "Returns true if a value has the mark `sensitive`.")
            .looks_at_one()
            .removes_marks()
            .takes(value())
            .gives_bool()
            .example("issensitive(1)", "false")
            .does(|call| {
                let value = call.argument(0);
                let sensitive = has(&value.marks(), SENSITIVE);
                match value.is_known() || sensitive {
                    true => Ok(Value::from(sensitive)),
                    // Once it is known, it may turn out to be sensitive.
                    false => Ok(Value::unknown(Type::Bool)),
                }
            }),
        function("ephemeralasnull", "Replaces all parts of a value that have the mark `ephemeral` by null.")
            .removes_marks()
            .takes(value())
            .gives_by("any", |call| Ok(call.argument(0).ty()))
            .example("ephemeralasnull({ a = 1 })", "{ a = 1 }")
            .does(as_null),
    ]
}

fn has(marks: &MarkSet, name: &str) -> bool {
    marks.iter().any(|mark| mark.name() == name)
}

fn without(value: &Value, name: &str) -> Value {
    let (plain, marks) = value.unmark();
    plain.with_marks(&marks.iter().filter(|mark| mark.name() != name).cloned().collect())
}

fn as_null(call: &Call<'_>) -> Result<Value, FunctionError> {
    transform(call.argument(0), |_, part| {
        let other_marks = || without(&part, EPHEMERAL).marks();
        Ok(match has(&part.marks(), EPHEMERAL) {
            false => part,
            // Once it is known, it may turn out not to be ephemeral.
            true if !part.is_known() => without(&part, EPHEMERAL),
            true => Value::null(part.ty()).with_marks(&other_marks()),
        })
    })
    .map_err(|why: TypeMismatch| because(why))
}
