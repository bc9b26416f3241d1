//! The meaning of a scalar in YAML.

use crate::functions::engine::date::{Timestamp, nanoseconds};
use crate::model::{Number, Type, Value};

/// The prefix of YAML's own tags.
const CORE: &str = "tag:yaml.org,2002:";

/// The style of a scalar, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Quoted,
    /// After `|` or `>`.
    Block,
}

/// The tag of a scalar, from its full name.
fn short(tag: &str) -> Result<&str, String> {
    let known = match tag {
        "" => Some(""),
        _ => tag.strip_prefix(CORE),
    };
    known
        .filter(|tag| matches!(*tag, "" | "str" | "bool" | "int" | "float" | "null" | "timestamp" | "binary"))
        .ok_or_else(|| format!("the tag `{}` is not supported", tag.replacen(CORE, "!!", 1)))
}

/// The value of a scalar.
pub(super) fn scalar(tag: &str, text: &str, style: Style) -> Result<Value, String> {
    let tag = short(tag)?;
    let cannot = || format!("`{text}` cannot be read as {tag}");
    match tag {
        "str" => return Ok(Value::from(text)),
        "binary" => {
            let valid = crate::functions::engine::base64::decode(text).is_ok();
            return if valid { Ok(Value::from(text)) } else { Err(format!("`{text}` is not Base64")) };
        }
        _ => {}
    }
    let first = text.chars().next();
    let special = matches!(
        first,
        None | Some('+' | '-' | '0'..='9' | 'y' | 'Y' | 'n' | 'N' | 't' | 'T' | 'f' | 'F' | 'o' | 'O' | '~' | '.')
    );
    if special {
        if style == Style::Quoted {
            return Ok(Value::from(text));
        }
        if let Some(value) = word(text) {
            return Ok(value);
        }
        if tag.is_empty() && matches!(text, ".nan" | ".NaN" | ".NAN") {
            return Err("NaN cannot be represented".to_owned());
        }
        match first {
            Some('.') => {
                if let Some(value) = number(text)? {
                    return Ok(value);
                }
            }
            Some('+' | '-' | '0'..='9') => {
                if matches!(tag, "" | "timestamp")
                    && let Some(time) = timestamp(text)
                {
                    return Ok(Value::from(time.to_string()));
                }
                if let Some(value) = number(text)? {
                    return Ok(value);
                }
            }
            _ => {}
        }
    }
    match tag {
        "" => Ok(Value::from(text)),
        "null" => Ok(Value::null(Type::Dynamic)),
        "int" | "float" => {
            let plain = text.replace('_', "");
            match number(&plain)? {
                Some(value) => Ok(value),
                None => integer(&plain).map(Value::from).ok_or_else(cannot),
            }
        }
        _ => Err(cannot()),
    }
}

/// The words that are not strings.
fn word(text: &str) -> Option<Value> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::from(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::from(false),
        "" | "~" | "null" | "Null" | "NULL" => Value::null(Type::Dynamic),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::from(Number::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Value::from(Number::NEG_INFINITY),
        _ => return None,
    })
}

/// Parses a number in decimal notation, or one with `0x` or `0o` before it; `None` if it is a text.
fn number(text: &str) -> Result<Option<Value>, String> {
    // Most are short and have digits only.
    if text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(text.parse::<u64>().ok().map(Value::from));
    }
    let radix_digits = |prefix: &str, radix: u32| {
        text.strip_prefix(prefix)
            .filter(|digits| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)))
    };
    if let Some((digits, radix)) =
        radix_digits("0o", 8).map(|d| (d, 8)).or_else(|| radix_digits("0x", 16).map(|d| (d, 16)))
    {
        let number = u64::from_str_radix(digits, radix);
        return number.map(|number| Some(Value::from(number))).map_err(|_| format!("`{text}` has more than 64 bits"));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let fine = digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    if !fine || power.is_some_and(|power| power.is_empty() || !digits(power)) {
        return Ok(None);
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let (whole, fraction) =
        (if whole.is_empty() { "0" } else { whole }, if fraction.is_empty() { "0" } else { fraction });
    let plain = format!("{sign}{whole}.{fraction}e{}", exponent.unwrap_or("0").trim_start_matches('+'));
    Number::parse(&plain).map(|number| Some(Value::from(number))).map_err(|why| format!("`{text}`: {why}"))
}

/// Parses a whole number with a radix prefix, as a tag may require.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.split_at_checked(2) {
        Some(("0x", digits)) => (16, digits),
        Some(("0b", digits)) => (2, digits),
        Some(("0o", digits)) => (8, digits),
        _ => return None,
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = i128::from_str_radix(digits, radix).ok()?;
    let number = if negative { -magnitude } else { magnitude };
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number).then_some(number)
}

/// Parses a date, or a date with a time: `2006-1-2`, `2006-1-2 15:4:5`, `2006-1-2T15:4:5Z`.
fn timestamp(text: &str) -> Option<Timestamp> {
    let mut rest = text;
    let number = |rest: &mut &str, least: usize, most: usize| -> Option<i64> {
        let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let number = rest[..digits].parse().ok().filter(|_| digits >= least)?;
        *rest = &rest[digits..];
        Some(number)
    };
    let year = number(&mut rest, 4, 4)?;
    rest = rest.strip_prefix('-')?;
    let month = number(&mut rest, 1, 2)?;
    rest = rest.strip_prefix('-')?;
    let day = number(&mut rest, 1, 2)?;
    let (mut time, mut nanos, mut offset) = ((0, 0, 0), 0, 0);
    if !rest.is_empty() {
        let zoned = !rest.starts_with(' ');
        rest = rest.strip_prefix(['T', 't', ' '])?;
        time.0 = number(&mut rest, 1, 2)?;
        rest = rest.strip_prefix(':')?;
        time.1 = number(&mut rest, 1, 2)?;
        rest = rest.strip_prefix(':')?;
        time.2 = number(&mut rest, 1, 2)?;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            nanos = nanoseconds(&fraction[..digits]);
            rest = &fraction[digits..];
            if digits == 0 {
                return None;
            }
        }
        if zoned && rest != "Z" {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            rest = rest.strip_prefix(['+', '-'])?;
            let hours = number(&mut rest, 2, 2).filter(|hours| *hours <= 24)?;
            rest = rest.strip_prefix(':')?;
            let minutes = number(&mut rest, 2, 2).filter(|minutes| *minutes < 60)?;
            offset = sign * (hours * 3_600 + minutes * 60);
        } else if zoned {
            rest = "";
        }
    }
    Timestamp::checked((year, month, day), time, nanos, offset).filter(|_| rest.is_empty())
}
