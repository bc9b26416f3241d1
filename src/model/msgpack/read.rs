//! Reading MessagePack.

use super::{MsgpackError, REFINED, known};
use crate::model::MAX_DEPTH;
use crate::model::json::decode_type;
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::refine::Refine;
use crate::model::types::{ObjectType, Type, texts};
use crate::model::value::Value;
use rmp::{Marker, decode as get};

/// Reads a value of a type. Attributes that are missing become null.
///
/// # Errors
/// Bytes that are not MessagePack, or not of the type, and bytes after the value.
///
/// ```
/// use hcl_lr::model::{msgpack, Type, Value};
/// assert_eq!(msgpack::decode(&[0xa1, b'x'], &Type::String)?, Value::from("x"));
/// # Ok::<(), msgpack::MsgpackError>(())
/// ```
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, MsgpackError> {
    let mut rest = bytes;
    let value = value(&mut rest, &ty.without_optional_attributes(), 1)?;
    if !rest.is_empty() {
        return Err(MsgpackError::new("there is more after the value"));
    }
    Ok(value)
}

fn bad(why: impl std::fmt::Display) -> MsgpackError {
    MsgpackError::new(format!("invalid MessagePack: {why}"))
}

fn peek(rest: &[u8]) -> Result<Marker, MsgpackError> {
    rest.first()
        .map(|byte| Marker::from_u8(*byte))
        .ok_or_else(|| bad("it ends too early"))
}

fn value(rest: &mut &[u8], ty: &Type, depth: u32) -> Result<Value, MsgpackError> {
    if depth > MAX_DEPTH {
        return Err(bad("it nests too deeply"));
    }
    match peek(rest)? {
        Marker::Null => {
            *rest = &rest[1..];
            return Ok(Value::null(ty.clone()));
        }
        Marker::FixExt1
        | Marker::FixExt2
        | Marker::FixExt4
        | Marker::FixExt8
        | Marker::FixExt16
        | Marker::Ext8
        | Marker::Ext16
        | Marker::Ext32 => return unknown(rest, ty),
        _ => {}
    }
    match ty {
        Type::Dynamic => dynamic(rest, depth),
        Type::Bool => get::read_bool(rest)
            .map(Value::from)
            .map_err(|_| required(ty)),
        Type::String => text(rest).map(Value::from).map_err(|_| required(ty)),
        Type::Number => number(rest).map(Value::from),
        Type::List(element) => {
            let items = items(rest, ty, element.get(), depth)?;
            Value::list(element.get().clone(), items).map_err(bad)
        }
        Type::Set(element) => {
            let items = items(rest, ty, element.get(), depth)?;
            Value::set(element.get().clone(), items).map_err(bad)
        }
        Type::Map(element) => map(rest, element.get(), depth),
        Type::Tuple(tuple) => tuple_value(rest, ty, tuple.elements(), depth),
        Type::Object(object) => object_value(rest, object, depth),
        Type::Capsule(_) => Err(MsgpackError::new("a capsule has no MessagePack")),
    }
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
    let (bytes, after) = rest
        .split_at_checked(length)
        .ok_or_else(|| bad("it ends too early"))?;
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
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
            Number::parse(text(rest)?).map_err(wrong)
        }
        _ => get::read_int::<i64, _>(rest)
            .map(Number::from)
            .map_err(|_| required(&Type::Number)),
    }
}

/// A claimed length is not believed further than there are bytes for it.
fn room(length: u32, rest: &[u8]) -> usize {
    (length as usize).min(rest.len())
}

fn items(
    rest: &mut &[u8],
    ty: &Type,
    element: &Type,
    depth: u32,
) -> Result<Vec<Value>, MsgpackError> {
    let length = get::read_array_len(rest).map_err(|_| required(ty))?;
    let mut items = Vec::with_capacity(room(length, rest));
    for at in 0..length as usize {
        let item = value(rest, element, depth + 1);
        items.push(item.map_err(|why| why.below(PathStep::Position(at)))?);
    }
    Ok(items)
}

fn map(rest: &mut &[u8], element: &Type, depth: u32) -> Result<Value, MsgpackError> {
    let length = get::read_map_len(rest).map_err(|_| required(&Type::map(element.clone())))?;
    let mut entries = Vec::with_capacity(room(length, rest));
    for _ in 0..length {
        let key = text(rest)?;
        let item = value(rest, element, depth + 1);
        entries.push((key, item.map_err(|why| why.below(PathStep::key(key)))?));
    }
    Value::map(element.clone(), entries).map_err(bad)
}

fn tuple_value(
    rest: &mut &[u8],
    ty: &Type,
    types: &[Type],
    depth: u32,
) -> Result<Value, MsgpackError> {
    let length = get::read_array_len(rest).map_err(|_| required(ty))? as usize;
    if length != types.len() {
        return Err(MsgpackError::new(texts::count(types.len(), length)));
    }
    let mut items = Vec::with_capacity(length);
    for (at, ty) in types.iter().enumerate() {
        let item = value(rest, ty, depth + 1);
        items.push(item.map_err(|why| why.below(PathStep::Position(at)))?);
    }
    Ok(Value::tuple(items))
}

fn object_value(rest: &mut &[u8], object: &ObjectType, depth: u32) -> Result<Value, MsgpackError> {
    let length = get::read_map_len(rest).map_err(|_| MsgpackError::new("object required"))?;
    let attributes = object.attributes();
    let mut items: Vec<Value> = attributes
        .iter()
        .map(|a| Value::null(a.ty().clone()))
        .collect();
    for _ in 0..length {
        let name = text(rest)?;
        let Some(at) = object.position(name) else {
            return Err(MsgpackError::new(format!(
                "unexpected attribute \"{name}\""
            )));
        };
        let item = value(rest, attributes[at].ty(), depth + 1);
        items[at] = item.map_err(|why| why.below(PathStep::attribute(name)))?;
    }
    let names = attributes.iter().map(|a| a.shared_name().clone());
    Ok(Value::object_of(names.zip(items).collect()))
}

/// An array of the type, as JSON, and the value.
fn dynamic(rest: &mut &[u8], depth: u32) -> Result<Value, MsgpackError> {
    if get::read_array_len(rest).map_err(bad)? != 2 {
        return Err(MsgpackError::new(
            "a value of any type is an array of type and value",
        ));
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
    // Any extension stands for an unknown; only one says more.
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

/// Adds one thing that is known. What later versions of the format may add is skipped, and
/// so is what is not about this type.
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
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
            u64::from(get::read_array_len(body).map_err(bad)?)
        }
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
            2 * u64::from(get::read_map_len(body).map_err(bad)?)
        }
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
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
            get::read_bin_len(body).map_err(bad)? as usize
        }
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
