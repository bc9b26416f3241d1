//! Decimal numbers as text: all digits, never an exponent.

/// The largest absolute power of ten of a number's first digit. The specification requires much less, and a bound
/// prevents a few characters (`1e999999999`) from requiring unbounded time and memory.
pub const MAX_EXPONENT: i64 = 20_000;

/// Inserts the decimal point into `digits`, or appends the necessary zeros.
pub fn plain(digits: String, scale: i64) -> String {
    let zeros = |n: u64| "0".repeat(n as usize);
    if scale <= 0 {
        return digits + &zeros(scale.unsigned_abs());
    }
    match digits.len().checked_sub(scale as usize) {
        None | Some(0) => format!("0.{}{digits}", zeros(scale as u64 - digits.len() as u64)),
        Some(whole) => format!("{}.{}", &digits[..whole], &digits[whole..]),
    }
}

/// Returns the text of a number literal's value ("Numeric Literals") after conversion to a string: `1.50e2` is `150`.
/// `None` if the text is not a literal.
pub fn text_of_literal(literal: &str) -> Option<String> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    let scale = (fraction.len() as i64).checked_sub(exponent.parse().ok()?)?;
    let scale = scale - (digits.len() - significant.len()) as i64;
    let leading = (significant.len() as i64 - 1).checked_sub(scale)?;
    let fits = leading.abs() <= MAX_EXPONENT && significant.len() as i64 <= 2 * MAX_EXPONENT + 1;
    fits.then(|| plain(significant.to_owned(), scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (literal, text) in [
            ("0", Some("0")),
            ("00.00e9", Some("0")),
            ("1.50e2", Some("150")),
            ("15e-3", Some("0.015")),
            ("1200", Some("1200")),
            ("0012.3400", Some("12.34")),
            ("1E+2", Some("100")),
            ("12345678901234567890.5e1", Some("123456789012345678905")),
            ("1e999999999999", None),
            ("1e20000", Some(&format!("1{}", "0".repeat(20_000)))),
            ("1e20001", None),
            ("1e-20001", None),
            ("1.5e-20000", Some(&format!("0.{}15", "0".repeat(19_999)))),
            ("1e", None),
            ("x", None),
        ] {
            assert!(text_of_literal(literal).as_deref() == text, "{literal}");
            #[cfg(feature = "eval")]
            assert!(crate::model::Number::parse(literal).ok().map(|number| number.to_string()).as_deref() == text);
        }
    }
}
