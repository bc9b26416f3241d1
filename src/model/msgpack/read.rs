//! Reading MessagePack.

use super::{MsgpackError, REFINED, known};
use crate::model::MAX_DEPTH;
use crate::model::json::decode_type;
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::refine::Refine;
use crate::model::text::{Spellings, spelled_in_two_ways};
use crate::model::types::{AttributeType, Type, TypeMismatch, texts};
use crate::model::value::Value;
use rmp::{Marker, decode as get};

/// Reads a value of a type. Missing attributes become null.
///
/// # Errors
/// The bytes are not MessagePack, are not of the type, or continue after the value.
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, MsgpackError> {
    let mut rest = bytes;
    let value = value(&mut rest, &ty.without_optional_attributes(), 1)?;
    if !rest.is_empty() {
        return Err(MsgpackError::new("there are more bytes after the value"));
    }
    Ok(value)
}

fn bad(why: impl std::fmt::Display) -> MsgpackError {
    MsgpackError::new(format!("invalid MessagePack: {why}"))
}

fn peek(rest: &[u8]) -> Result<Marker, MsgpackError> {
    rest.first().map(|byte| Marker::from_u8(*byte)).ok_or_else(|| bad("it ends too early"))
}

/// This and the functions that call it are recursive, so they have small frames.
fn value(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    if depth > MAX_DEPTH {
        return Err(bad("it nests too deeply"));
    }
    if is_leaf(rest, ty)? {
        return leaf(rest, ty);
    }
    match ty {
        Type::List(_) | Type::Set(_) => sequence(rest, ty, depth),
        Type::Map(_) => map(rest, ty, depth),
        Type::Tuple(_) => tuple(rest, ty, depth),
        Type::Object(_) => object(rest, ty, depth),
        _ => dynamic(rest, depth),
    }
}

/// Returns true if the next value has no nested values.
fn is_leaf(rest: &[u8], ty: &Type) -> Result<bool, MsgpackError> {
    let marker = peek(rest)?;
    let without_type = marker == Marker::Null || is_extension(marker);
    Ok(without_type || ty.is_primitive() || matches!(ty, Type::Capsule(_)))
}

fn leaf(rest: &mut &[u8], ty: &Type) -> Result<Value, MsgpackError> {
    match (peek(rest)?, ty) {
        (Marker::Null, _) => {
            *rest = &rest[1..];
            Ok(Value::null(ty.clone()))
        }
        (Marker::True | Marker::False, Type::Bool) => get::read_bool(rest).map(Value::from).map_err(bad),
        (Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32, Type::String) => text(rest).map(Value::from),
        (marker, Type::Number) if !is_extension(marker) => number(rest).map(Value::from),
        (marker, _) if is_extension(marker) => unknown(rest, ty),
        (_, Type::Capsule(_)) => Err(MsgpackError::new("a capsule has no MessagePack form")),
        _ => Err(required(ty)),
    }
}

fn is_extension(marker: Marker) -> bool {
    matches!(
        marker,
        Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32
    )
}

fn required(ty: &Type) -> MsgpackError {
    MsgpackError::new(format!("{ty} required"))
}

fn text<'b>(rest: &mut &'b [u8]) -> Result<&'b str, MsgpackError> {
    let length = get::read_str_len(rest).map_err(bad)? as usize;
    let bytes = take(rest, length)?;
    std::str::from_utf8(bytes).map_err(bad)
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Result<&'b [u8], MsgpackError> {
    let (bytes, after) = rest.split_at_checked(length).ok_or_else(|| bad("it ends too early"))?;
    *rest = after;
    Ok(bytes)
}

fn number(rest: &mut &[u8]) -> Result<Number, MsgpackError> {
    let wrong = |_| required(&Type::Number);
    match peek(rest)? {
        Marker::F32 => {
            let float = get::read_f32(rest).map_err(bad)?;
            Number::from_f64_exact(f64::from(float)).map_err(bad)
        }
        Marker::F64 => Number::from_f64_exact(get::read_f64(rest).map_err(bad)?).map_err(bad),
        Marker::U64 => get::read_u64(rest).map(Number::from).map_err(bad),
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => Number::parse(text(rest)?).map_err(wrong),
        _ => get::read_int::<i64, _>(rest).map(Number::from).map_err(|_| required(&Type::Number)),
    }
}

/// Returns the capacity for a claimed length, which is limited by the bytes that are left.
fn room(length: u32, rest: &[u8]) -> usize {
    (length as usize).min(rest.len())
}

/// Reads a part, and adds the step to it to an error.
fn part(rest: &mut &[u8], ty: &Type, depth: u32, step: impl FnOnce() -> PathStep) -> Result<Value, MsgpackError> {
    match value(rest, ty, depth + 1) {
        Ok(value) => Ok(value),
        Err(why) => Err(why.below(step())),
    }
}

fn array_length(rest: &mut &[u8], ty: &Type) -> Result<u32, MsgpackError> {
    get::read_array_len(rest).map_err(|_| required(ty))
}

fn map_length(rest: &mut &[u8], ty: &Type) -> Result<u32, MsgpackError> {
    get::read_map_len(rest).map_err(|_| required(ty))
}

fn sequence(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    let length = array_length(rest, ty)?;
    let element = ty.element_type().unwrap_or(&Type::Dynamic);
    let mut items = Vec::with_capacity(room(length, rest));
    for at in 0..length as usize {
        items.push(part(rest, element, depth, || PathStep::Position(at))?);
    }
    built(match ty {
        Type::Set(_) => Value::set(element.clone(), items),
        _ => Value::list(element.clone(), items),
    })
}

fn built(value: Result<Value, TypeMismatch>) -> Result<Value, MsgpackError> {
    value.map_err(bad)
}

fn map(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    let length = map_length(rest, ty)?;
    let element = ty.element_type().unwrap_or(&Type::Dynamic);
    let mut entries = Vec::with_capacity(room(length, rest));
    let mut spellings = Spellings::default();
    for _ in 0..length {
        let key = text(rest)?;
        entries.push((spellings.normalized(key), part(rest, element, depth, || PathStep::key(key))?));
    }
    if let Some(name) = spellings.with_two(entries.iter().map(|(name, _)| name)) {
        return Err(MsgpackError::new(spelled_in_two_ways(&name)));
    }
    built(Value::map_of(element.clone(), entries))
}

fn tuple(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    let length = array_length(rest, ty)? as usize;
    let types = ty.tuple_elements().unwrap_or_default();
    if length != types.len() {
        return Err(MsgpackError::new(texts::count(types.len(), length)));
    }
    let mut items = Vec::with_capacity(length);
    for (at, ty) in types.iter().enumerate() {
        items.push(part(rest, ty, depth, || PathStep::Position(at))?);
    }
    Ok(Value::tuple(items))
}

fn object(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    let length = map_length(rest, ty)?;
    let attributes = ty.attributes().unwrap_or_default();
    let mut items: Vec<Value> = attributes.iter().map(|a| Value::null(a.ty().clone())).collect();
    for _ in 0..length {
        let name = text(rest)?;
        let at = position(attributes, name)?;
        items[at] = part(rest, attributes[at].ty(), depth, || PathStep::attribute(name))?;
    }
    let names = attributes.iter().map(|a| a.shared_name().clone());
    Ok(Value::object_of(names.zip(items).collect()))
}

fn position(attributes: &[AttributeType], name: &str) -> Result<usize, MsgpackError> {
    let position = attributes.binary_search_by(|a| a.name().cmp(name));
    position.map_err(|_| MsgpackError::new(format!("unexpected attribute \"{name}\"")))
}

/// Reads an array of the type, as JSON, and the value.
fn dynamic(rest: &mut &[u8], depth: u32) -> Result<Value, MsgpackError> {
    if get::read_array_len(rest).map_err(bad)? != 2 {
        return Err(MsgpackError::new("a value of any type is an array of type and value"));
    }
    let json = match peek(rest)? {
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
            let length = get::read_bin_len(rest).map_err(bad)? as usize;
            std::str::from_utf8(take(rest, length)?).map_err(bad)?
        }
        _ => text(rest)?,
    };
    let ty = decode_type(json).map_err(bad)?;
    value(rest, &ty.without_optional_attributes(), depth + 1)
}

fn unknown(rest: &mut &[u8], ty: &Type) -> Result<Value, MsgpackError> {
    let meta = get::read_ext_meta(rest).map_err(bad)?;
    let mut body = take(rest, meta.size as usize)?;
    let unknown = Value::unknown(ty.clone());
    // Any extension is an unknown value; only one has refinements.
    if meta.typeid != REFINED || *ty == Type::Dynamic {
        return Ok(unknown);
    }
    let mut refine = unknown.refine();
    for _ in 0..get::read_map_len(&mut body).map_err(bad)? {
        let key: u64 = get::read_int(&mut body).map_err(bad)?;
        refine = fact(refine, key, &mut body, ty)?;
    }
    refine.value().map_err(bad)
}

/// Adds a refinement. Refinements from later versions of the format are skipped, and so are those that do not apply to
/// this type.
fn fact(refine: Refine, key: u64, body: &mut &[u8], ty: &Type) -> Result<Refine, MsgpackError> {
    let sized = ty.collection_kind().is_some();
    Ok(match (key, ty) {
        (known::NULL, _) => match get::read_bool(body).map_err(bad)? {
            true => refine.null(),
            false => refine.not_null(),
        },
        (known::PREFIX, Type::String) => refine.full_prefix(text(body)?),
        (known::MIN | known::MAX, Type::Number) => {
            if get::read_array_len(body).map_err(bad)? != 2 {
                return Err(bad("a bound is an array of two"));
            }
            let number = number(body)?;
            let inclusive = get::read_bool(body).map_err(bad)?;
            match key {
                known::MIN => refine.min(number, inclusive),
                _ => refine.max(number, inclusive),
            }
        }
        (known::MIN_LENGTH, _) if sized => refine.min_length(get::read_int(body).map_err(bad)?),
        (known::MAX_LENGTH, _) if sized => refine.max_length(get::read_int(body).map_err(bad)?),
        _ => {
            skip(body, 1)?;
            refine
        }
    })
}

/// Reads over one value of any kind.
fn skip(body: &mut &[u8], depth: u32) -> Result<(), MsgpackError> {
    if depth > MAX_DEPTH {
        return Err(bad("it nests too deeply"));
    }
    let parts = match peek(body)? {
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => u64::from(get::read_array_len(body).map_err(bad)?),
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => 2 * u64::from(get::read_map_len(body).map_err(bad)?),
        marker => return skip_leaf(body, marker),
    };
    for _ in 0..parts {
        skip(body, depth + 1)?;
    }
    Ok(())
}

fn skip_leaf(body: &mut &[u8], marker: Marker) -> Result<(), MsgpackError> {
    let length = match marker {
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
            get::read_str_len(body).map_err(bad)? as usize
        }
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => get::read_bin_len(body).map_err(bad)? as usize,
        Marker::U8 | Marker::I8 => 2,
        Marker::U16 | Marker::I16 => 3,
        Marker::U32 | Marker::I32 | Marker::F32 => 5,
        Marker::U64 | Marker::I64 | Marker::F64 => 9,
        Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::True | Marker::False => 1,
        Marker::Reserved => return Err(bad("a reserved byte")),
        _ => get::read_ext_meta(body).map_err(bad)?.size as usize,
    };
    take(body, length).map(drop)
}
