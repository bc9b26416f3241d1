//! Functions on blocks of IP addresses.

use super::{blame, list_of, number, number_of, str_of, text, whole};
use crate::eval::{Call, FunctionError};
use crate::functions::engine::cidr::{Block, Zeros};
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    of_blocks(Zeros::Refused)
}

/// Returns the functions, with or without leading zeros in the numbers of an IPv4 address.
pub(in crate::functions) fn of_blocks(zeros: Zeros) -> Vec<FunctionEntry> {
    vec![
        of_block(
            "cidrhost",
            "Returns the address with a number in an address block. Negative numbers count from the end.",
        )
        .takes(number("hostnum"))
        .gives(Type::String, "string")
        .example("cidrhost(\"10.12.112.0/20\", 16)", "\"10.12.112.16\"")
        .example("cidrhost(\"10.12.112.0/20\", -1)", "\"10.12.127.255\"")
        .fails(
            "cidrhost(\"10.0.0.0/30\", 4)",
            "invalid value for \"hostnum\" of function \"cidrhost\": 10.0.0.0/30 has no address with number 4",
        )
        .does(move |call| {
            host_number(call, 1, zeros)?;
            Ok(Value::from(block(call, zeros)?.host(number_of(call, 1)).map_err(|why| blame(1, why))?))
        }),
        of_block("cidrnetmask", "Returns the prefix of an address block as a mask.")
            .gives(Type::String, "string")
            .example("cidrnetmask(\"172.16.0.0/12\")", "\"255.240.0.0\"")
            .does(move |call| {
                let block = block(call, zeros)?;
                // Programs that ignore leading zeros have no masks for IPv6.
                match zeros == Zeros::Ignored && !block.is_v4() {
                    true => Err(blame(0, "only IPv4 addresses have masks")),
                    false => Ok(Value::from(block.mask())),
                }
            }),
        of_block(
            "cidrsubnet",
            "Returns the part with a number of an address block that is divided by a prefix of more bits.",
        )
        .takes(number("newbits"))
        .takes(number("netnum"))
        .gives(Type::String, "string")
        .example("cidrsubnet(\"172.16.0.0/12\", 4, 2)", "\"172.18.0.0/16\"")
        .fails(
            "cidrsubnet(\"10.0.0.0/30\", 4, 0)",
            "invalid value for \"newbits\" of function \"cidrsubnet\": the prefix of 10.0.0.0/30 cannot be 4 bits \
                 longer; the address has 32 bits",
        )
        .does(move |call| {
            let block = block(call, zeros)?;
            let more = more_bits(call, 1, 0)?;
            host_number(call, 2, zeros)?;
            let number = number_of(call, 2);
            let index = if more > block.free() { 1 } else { 2 };
            Ok(Value::from(block.part(more, number).map_err(|why| blame(index, why))?.to_string()))
        }),
        of_block("cidrsubnets", "Returns consecutive parts of an address block, each with a prefix of more bits.")
            .rest(number("newbits"))
            .gives(Type::list(Type::String), "list(string)")
            .example("cidrsubnets(\"10.1.0.0/16\", 4, 4, 8)", "[\"10.1.0.0/20\", \"10.1.16.0/20\", \"10.1.32.0/24\"]")
            .does(move |call| {
                let block = block(call, zeros)?;
                let more: Result<Vec<u32>, _> =
                    (1..call.arguments().len()).map(|index| more_bits(call, index, 1)).collect();
                let parts = block.parts(&more?).map_err(|(index, why)| blame(index + 1, why))?;
                list_of(Type::String, parts.iter().map(|part| Value::from(part.to_string())).collect())
            }),
    ]
}

fn of_block(name: &'static str, summary: &'static str) -> Builder {
    function(name, summary).takes(text("prefix"))
}

fn block(call: &Call<'_>, zeros: Zeros) -> Result<Block, FunctionError> {
    Block::parse(str_of(call, 0), zeros).map_err(|why| blame(0, why))
}

/// Checks the number of an address or subnet. Programs that ignore leading zeros accept numbers of any size.
fn host_number(call: &Call<'_>, index: usize, zeros: Zeros) -> Result<(), FunctionError> {
    match zeros {
        Zeros::Refused => whole(call, index).map(|_| ()),
        Zeros::Ignored if number_of(call, index).is_whole() => Ok(()),
        Zeros::Ignored => Err(blame(index, "a whole number is required")),
    }
}

/// By how many bits prefixes can grow at once.
const MAX_BITS: i64 = 32;

fn more_bits(call: &Call<'_>, index: usize, least: i64) -> Result<u32, FunctionError> {
    let more = whole(call, index)?;
    match (least..=MAX_BITS).contains(&more) {
        true => Ok(more as u32),
        false => Err(blame(index, format!("a prefix can grow by {least} to {MAX_BITS} bits"))),
    }
}
