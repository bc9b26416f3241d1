//! Functions that choose one of their arguments.

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::convert::Safety;
use crate::model::unify::unify;
use crate::model::{Type, Value};

pub(super) fn all() -> [(&'static str, Function); 1] {
    let values = Parameter::new("vals", Type::Dynamic).allow_null().allow_unknown().allow_dynamic();
    let coalesce = Function::typed([], Some(values), common_type, first_not_null).refined(|result| result.not_null());
    [("coalesce", coalesce)]
}

fn common_type(arguments: &[Value]) -> Result<Type, FunctionError> {
    let types: Vec<Type> = arguments.iter().map(Value::ty).collect();
    unify(&types, Safety::Unsafe).ok_or_else(|| "all arguments must have one type".into())
}

/// The first argument that is not null. Behind an unknown one, which may turn out to be null, nobody
/// can say.
fn first_not_null(arguments: &[Value], ty: &Type) -> Result<Value, FunctionError> {
    for argument in arguments {
        let argument = argument.convert(ty)?;
        if !argument.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        if !argument.is_null() {
            return Ok(argument);
        }
    }
    Err("no argument is there that is not null".into())
}
