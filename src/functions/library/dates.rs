//! Functions on points in time.

use super::{blame, made, str_of, text};
use crate::functions::engine::date::{Timestamp, duration};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("formatdate", "Formats a timestamp in a layout such as `DD MMM YYYY hh:mm ZZZ`.")
            .takes(text("format"))
            .takes(text("time"))
            .gives_string()
            .example("formatdate(\"DD MMM YYYY hh:mm ZZZ\", \"2018-01-02T23:12:01Z\")", "\"02 Jan 2018 23:12 UTC\"")
            .example("formatdate(\"EEEE, 'the' D\", \"2018-01-02T23:12:01-08:00\")", "\"Tuesday, the 2\"")
            .fails(
                "formatdate(\"YYY\", \"2018-01-02T23:12:01Z\")",
                "invalid value for \"format\" of function \"formatdate\": `YYY` is not a verb for dates; a year is YYYY or YY",
            )
            .does(|call| {
                // Parsing the time and examining each letter of the layout takes longer than copying them.
                call.charge(4 + str_of(call, 0).len() as u64 / 8, 0)?;
                let time = Timestamp::parse(str_of(call, 1)).map_err(|why| blame(1, why))?;
                made(call, time.format(str_of(call, 0)).map_err(|why| blame(0, why))?)
            }),
        function("timeadd", "Adds a duration to a timestamp; a negative one such as `-1h30m` subtracts.")
            .takes(text("timestamp"))
            .takes(text("duration"))
            .gives(Type::String, "string")
            .example("timeadd(\"2017-11-22T00:00:00Z\", \"10m\")", "\"2017-11-22T00:10:00Z\"")
            .fails(
                "timeadd(\"2017-11-22T00:00:00Z\", \"1d\")",
                "invalid value for \"duration\" of function \"timeadd\": `1d` is not a duration such as 1h30m or -90s; the \
                 units are h, m, s, ms, us and ns",
            )
            .does(|call| {
                call.charge(4 + str_of(call, 1).len() as u64 / 8, 0)?;
                let time = Timestamp::parse(str_of(call, 0)).map_err(|why| blame(0, why))?;
                let later = time.plus(duration(str_of(call, 1)).map_err(|why| blame(1, why))?);
                Ok(Value::from(later.to_string()))
            }),
    ]
}
