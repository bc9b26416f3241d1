//! Formats of strings: finds texts that are certainly not in a format.

use std::net::IpAddr;

use crate::schema::model::Format;
use hcl_lr::internal::identifier::is_identifier;

/// Returns true if a text is certainly not in a format.
pub(super) fn is_wrong(format: Format, text: &str) -> bool {
    match format {
        Format::Duration => !is_duration(text),
        Format::Identifier => !is_identifier(text),
        Format::Version => !is_version(text.trim()),
        Format::VersionConstraint => !text.split(',').all(|constraint| is_constraint(constraint.trim())),
        Format::Url => !has_scheme(text),
        Format::IpAddress => text.parse::<IpAddr>().is_err(),
        Format::Cidr => !is_cidr(text),
        Format::Uuid => !is_uuid(text),
        Format::Size => !is_size(text),
        Format::DateTime => !is_date_time(text),
        Format::FilePath | Format::FolderPath => text.contains('\0'),
        // The rules depend on the library that the program uses.
        Format::Regex | Format::Json => false,
    }
}

/// Numbers with units, as in `1h30m`.
fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    if text == "0" {
        return true;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = &rest[..digits];
        if !number.contains(|c: char| c.is_ascii_digit()) || number.matches('.').count() > 1 {
            return false;
        }
        rest = &rest[digits..];
        let unit = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
        if !["ns", "us", "µs", "μs", "ms", "s", "m", "h"].contains(&&rest[..unit]) {
            return false;
        }
        rest = &rest[unit..];
    }
    !text.is_empty()
}

fn is_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    !numbers.is_empty()
        && numbers.split('.').all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_constraint(text: &str) -> bool {
    let Some(version) = without_operator(text) else { return false };
    // Some programs accept `1.x` and `*` as constraints.
    let wild = version.trim_end_matches(['x', '*']).trim_end_matches('.');
    is_version(version) || wild.len() < version.len() && (wild.is_empty() || is_version(wild)) || is_range(version)
}

/// Returns the version after the operator of a constraint; `None` if there is no such operator.
fn without_operator(text: &str) -> Option<&str> {
    let version = text.trim_start_matches(OPERATOR_CHARACTERS);
    let operator = &text[..text.len() - version.len()];
    OPERATORS.contains(&operator).then(|| version.trim_start())
}

const OPERATOR_CHARACTERS: [char; 6] = ['=', '!', '<', '>', '~', '^'];

/// The operators of all programs.
const OPERATORS: [&str; 13] = ["", "=", "==", "!=", "<", "<=", "=<", ">", ">=", "=>", "~>", "~", "^"];

/// Alternatives separated by `||`, or several constraints separated by spaces.
fn is_range(text: &str) -> bool {
    let mut words = text.split([' ', '|']).filter(|word| !word.is_empty()).peekable();
    let several = text.contains([' ', '|']);
    several
        && words.all(|word| {
            is_version(word.trim_start_matches(OPERATOR_CHARACTERS).trim_start_matches('-'))
                || word.trim_matches(OPERATOR_CHARACTERS).trim_matches('-').is_empty()
        })
}

fn has_scheme(text: &str) -> bool {
    let scheme = text.split(':').next().unwrap_or_default();
    scheme.len() < text.len()
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    match (address.parse::<IpAddr>(), bits.parse::<u8>()) {
        (Ok(IpAddr::V4(_)), Ok(bits)) => bits <= 32,
        (Ok(IpAddr::V6(_)), Ok(bits)) => bits <= 128,
        _ => false,
    }
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn is_size(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
    let units = ["", "b", "k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib", "t", "tb", "tib"];
    unit.len() < text.len() && units.contains(&unit.to_ascii_lowercase().as_str())
}

/// A date and time in RFC 3339 form. The day need not exist in the calendar.
fn is_date_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = b"0000-00-00T00:00:00";
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        b'T' => byte.eq_ignore_ascii_case(&b'T'),
        other => byte == other,
    };
    bytes.len() > shape.len()
        && bytes.iter().zip(shape).all(fits)
        && (text.ends_with(['Z', 'z']) || bytes[bytes.len() - 3] == b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_in_their_formats() {
        for format in Format::ALL {
            assert!(!is_wrong(*format, format.example()), "{format}: {}", format.example());
        }
    }

    #[test]
    fn other_texts_are_not() {
        let wrong = [
            (Format::Duration, ["", "5", "5 minutes", "1h30", "h"].as_slice()),
            (Format::Identifier, &["", "1a", "a b"]),
            (Format::Version, &["", "latest", "1."]),
            (Format::VersionConstraint, &["latest", ">= ", ">= 1.0,", ">> 1.0", "=! 1.0", "~>> 1.0"]),
            (Format::Url, &["example.com", "/a"]),
            (Format::IpAddress, &["10.0.0", "a"]),
            (Format::Cidr, &["10.0.0.0", "10.0.0.0/33"]),
            (Format::Uuid, &["", "6d3a6ac5"]),
            (Format::Size, &["MB", "ten"]),
            (Format::DateTime, &["2026-01-31", "12:00"]),
        ];
        for (format, texts) in wrong {
            for text in texts {
                assert!(is_wrong(format, text), "{format}: {text}");
            }
        }
        for text in ["~> 1.0", ">= 1.3, < 2.0", "!= 1.4.0", "1.x", "*", ">= 1.0 < 2.0", "= 1.0.0-beta1", ">=1.0||<0.5"]
        {
            assert!(!is_wrong(Format::VersionConstraint, text), "{text}");
        }
    }
}
