//! Functions on the marks of values: `sensitive` for values that must not be shown, `ephemeral` for values that must
//! not be stored.

use super::{any, because};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::walk::transform;
use crate::model::{Mark, MarkSet, SENSITIVE, Type, TypeMismatch, Value};

/// The mark of values that must not be stored.
const EPHEMERAL: &str = "ephemeral";

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
                let (value, marks) = (call.argument(0), call.argument(0).marks());
                let (sensitive, others) =
                    (has(&marks, SENSITIVE), without(&Value::from(true).with_marks(&marks), SENSITIVE));
                match value.is_known() || sensitive {
                    true => Ok(Value::from(sensitive).with_marks(&others.marks())),
                    // Once it is known, it may turn out to be sensitive.
                    false => Ok(Value::unknown(Type::Bool).with_marks(&others.marks())),
                }
            }),
        function("ephemeralasnull", "Replaces all parts of a value that have the mark `ephemeral` by null.")
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
        Ok(match has(&part.marks(), EPHEMERAL) {
            true => Value::null(part.ty()),
            false => part,
        })
    })
    .map_err(|why: TypeMismatch| because(why))
}
