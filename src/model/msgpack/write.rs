//! Writing MessagePack.

use super::{MsgpackError, REFINED, UNKNOWN, known};
use crate::model::json::encode_type;
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::refine::{Bound, Refinement};
use crate::model::types::Type;
use crate::model::value::{Entries, Value, View};
use crate::stack::with_room_for;
use rmp::encode as put;

/// Encodes the value as MessagePack for a reader that knows `ty`; see [`decode`](super::decode).
///
/// # Errors
/// The value is not of the type (unless that is dynamic), or contains marked values or capsules.
///
/// ```
/// use hcl_lr::model::{msgpack, Type, Value};
/// assert_eq!(msgpack::encode(&Value::unknown(Type::Bool), &Type::Bool)?, [0xd4, 0, 0]);
/// # Ok::<(), msgpack::MsgpackError>(())
/// ```
pub fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, MsgpackError> {
    with_room_for(value.height(), || {
        if let Err(why) = value.ty().conforms_to(ty) {
            return Err(MsgpackError::new(why.to_string()));
        }
        let mut out = Vec::new();
        write(value, ty, &mut out)?;
        Ok(out)
    })
}

/// A length as the format has it.
fn length(length: usize) -> Result<u32, MsgpackError> {
    u32::try_from(length).map_err(|_| MsgpackError::new("it is too long for MessagePack"))
}

/// Writing to memory does not fail, but the type of the writer allows for it.
fn done<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<(), MsgpackError> {
    result.map(drop).map_err(|why| MsgpackError::new(why.to_string()))
}

/// This and the functions that call it are recursive, so they have small frames.
fn write(value: &Value, ty: &Type, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    if *ty == Type::Dynamic && value.ty() != Type::Dynamic && !value.is_marked() {
        return write_dynamic(value, out);
    }
    match value.view() {
        View::List(items) | View::Set(items) | View::Tuple(items) => write_items(items, ty, out),
        View::Map(entries) | View::Object(entries) => write_entries(entries, ty, out),
        leaf => write_leaf(leaf, out),
    }
}

fn write_dynamic(value: &Value, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    let own = value.ty();
    let json = encode_type(&own).map_err(|why| MsgpackError::new(why.to_string()))?;
    done(put::write_array_len(out, 2))?;
    done(put::write_bin(out, json.as_bytes()))?;
    write(value, &own, out)
}

fn write_leaf(leaf: View<'_>, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    match leaf {
        View::Null => done(put::write_nil(out)),
        View::Bool(b) => done(put::write_bool(out, b)),
        View::String(text) => write_text(text, out),
        View::Number(number) => write_number(number, out),
        View::Unknown(refinement) => write_unknown(refinement, out),
        View::Marked(..) => Err(MsgpackError::new("a marked value has no MessagePack form")),
        _ => Err(MsgpackError::new("a capsule has no MessagePack form")),
    }
}

fn write_entries(entries: Entries<'_>, ty: &Type, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    done(put::write_map_len(out, length(entries.len())?))?;
    for (name, item) in entries {
        let item_ty = ty.attribute_type(name).or(ty.element_type());
        write_text(name, out)?;
        if let Err(why) = write(item, item_ty.unwrap_or(&Type::Dynamic), out) {
            return Err(why.below(PathStep::key(name)));
        }
    }
    Ok(())
}

fn write_items(items: &[Value], ty: &Type, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    done(put::write_array_len(out, length(items.len())?))?;
    for (at, item) in items.iter().enumerate() {
        let item_ty = match ty {
            Type::Tuple(tuple) => tuple.elements().get(at),
            ty => ty.element_type(),
        };
        if let Err(why) = write(item, item_ty.unwrap_or(&Type::Dynamic), out) {
            return Err(why.below(PathStep::Position(at)));
        }
    }
    Ok(())
}

fn write_text(text: &str, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    length(text.len())?;
    done(put::write_str(out, text))
}

/// Writes a number without loss: whole numbers of 64 bits as integers, fractions as doubles if those are exact, all
/// others as text.
fn write_number(number: &Number, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    if let Ok(int) = i64::try_from(number) {
        return done(put::write_sint(out, int));
    }
    match number.to_f64_exact() {
        Some(float) if !number.is_whole() => done(put::write_f64(out, float)),
        _ => write_text(&number.to_string(), out),
    }
}

fn write_unknown(refinement: &Refinement, out: &mut Vec<u8>) -> Result<(), MsgpackError> {
    let (count, facts) = facts(refinement)?;
    if count == 0 {
        done(put::write_ext_meta(out, 1, UNKNOWN))?;
        out.push(0);
        return Ok(());
    }
    let mut map = Vec::new();
    done(put::write_map_len(&mut map, count))?;
    map.extend(facts);
    // The length is always written separately: readers of the official engine expect that.
    match u8::try_from(map.len()) {
        Ok(short) => out.extend([0xc7, short, REFINED as u8]),
        Err(_) => done(put::write_ext_meta(out, length(map.len())?, REFINED))?,
    }
    out.extend(map);
    Ok(())
}

/// Returns the refinements as the keys and values of a map, and their number.
fn facts(refinement: &Refinement) -> Result<(u32, Vec<u8>), MsgpackError> {
    let (mut count, mut out) = (0, Vec::new());
    let mut key = |out: &mut Vec<u8>, key| {
        count += 1;
        done(put::write_uint(out, key))
    };
    if refinement.is_not_null() {
        key(&mut out, known::NULL)?;
        done(put::write_bool(&mut out, false))?;
    }
    if !refinement.prefix().is_empty() {
        key(&mut out, known::PREFIX)?;
        write_text(refinement.prefix(), &mut out)?;
    }
    for (name, bound) in [(known::MIN, refinement.lower_bound()), (known::MAX, refinement.upper_bound())] {
        if let Some(Bound { number, inclusive }) = bound {
            key(&mut out, name)?;
            done(put::write_array_len(&mut out, 2))?;
            write_number(number, &mut out)?;
            done(put::write_bool(&mut out, *inclusive))?;
        }
    }
    if refinement.min_length() > 0 {
        key(&mut out, known::MIN_LENGTH)?;
        done(put::write_uint(&mut out, refinement.min_length()))?;
    }
    if let Some(max) = refinement.max_length() {
        key(&mut out, known::MAX_LENGTH)?;
        done(put::write_uint(&mut out, max))?;
    }
    Ok((count, out))
}
