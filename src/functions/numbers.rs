//! Functions on numbers.

use crate::eval::{Function, Parameter};
use crate::model::{Type, operations};

pub(super) fn all() -> [(&'static str, Function); 1] {
    let number = [Parameter::new("num", Type::Number).allow_dynamic().allow_marked()];
    let negate = Function::new(number, Type::Number, |arguments| Ok(operations::negate(&arguments[0])?));
    [("negate", negate.refined(|result| result.not_null()))]
}
