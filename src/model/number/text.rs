//! Reads and writes numbers as decimal digits.

use super::{Number, NumberError, Repr};
use crate::decimal::plain;
use bigdecimal::num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

impl Number {
    /// Reads a decimal number: an optional sign, digits with an optional fraction (either
    /// side of the point may be missing), an optional decimal exponent. Names for infinity,
    /// other radixes, separators and white space are not numbers.
    ///
    /// # Errors
    /// [`NumberError::Syntax`] for any other text, [`NumberError::OutOfRange`] beyond the
    /// representable range.
    ///
    /// ```
    /// use hcl_lr::model::{Number, NumberError};
    /// assert_eq!(Number::parse("1.50e2")?, Number::from(150));
    /// assert_eq!(Number::parse("inf"), Err(NumberError::Syntax));
    /// assert_eq!(Number::parse("1e999999999999"), Err(NumberError::OutOfRange));
    /// # Ok::<(), NumberError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        let (negative, body) = match text.as_bytes() {
            [b'-', ..] => (true, &text[1..]),
            [b'+', ..] => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match body.find(['e', 'E']) {
            Some(at) => (&body[..at], Some(&body[at + 1..])),
            None => (body, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(NumberError::Syntax);
        }
        let exponent = exponent.map_or(Ok(0), parse_exponent)?;
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let scale = fraction.len() as i64 - exponent;
        if whole.len() + fraction.len() <= 18 {
            let mut digits = 0_i128;
            for byte in whole.bytes().chain(fraction.bytes()) {
                digits = digits * 10 + i128::from(byte - b'0');
            }
            return Number::from_small_parts(if negative { -digits } else { digits }, scale);
        }
        Number::parse_long(negative, whole, fraction, scale)
    }

    /// Continues [`Number::parse`] if a machine word is too small. The range is checked on the text, because creating a
    /// big integer takes more than linear time.
    fn parse_long(negative: bool, whole: &str, fraction: &str, scale: i64) -> Result<Number, NumberError> {
        let mut text = String::with_capacity(whole.len() + fraction.len());
        text.push_str(whole);
        text.push_str(fraction);
        let digits = text.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Number::ZERO);
        }
        let scale = scale - (digits.len() - significant.len()) as i64;
        Number::check_range(significant.len() as u64, scale)?;
        let digits = BigInt::from_str(significant).map_err(|_| NumberError::Syntax)?;
        Number::from_parts(if negative { -digits } else { digits }, scale)
    }
}

/// Parses a decimal exponent. One that is too large saturates far outside the range.
fn parse_exponent(text: &str) -> Result<i64, NumberError> {
    const FAR: i64 = 1 << 40;
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let size = digits.bytes().fold(0_i64, |n, b| (n * 10 + i64::from(b - b'0')).min(FAR));
    Ok(if negative { -size } else { size })
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Number, NumberError> {
        Number::parse(text)
    }
}

/// Writes all digits, without an exponent (conversion number to string in the information model); the infinities are
/// `+Inf` and `-Inf`, as in the official engine.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small { digits, scale: 0 } => fmt::Display::fmt(digits, f),
            Repr::Infinite { negative } => f.pad(if *negative { "-Inf" } else { "+Inf" }),
            _ => {
                let (digits, scale) = self.digits_and_scale().unwrap_or_default();
                f.pad_integral(!self.is_negative(), "", &plain(digits, scale))
            }
        }
    }
}

impl Number {
    /// Adds the text of the number to a string, like `Display`. The formatting machinery takes longer than the digits
    /// of most numbers.
    pub(crate) fn write_to(&self, text: &mut String) {
        let Repr::Small { digits, scale: 0 } = self.0 else {
            return text.push_str(&self.to_string());
        };
        let mut buffer = [0; 20];
        let (mut at, mut rest) = (buffer.len(), digits.unsigned_abs());
        loop {
            at -= 1;
            buffer[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if digits < 0 {
            text.push('-');
        }
        text.push_str(std::str::from_utf8(&buffer[at..]).unwrap_or_default());
    }

    /// Returns all digits, with an exponent if the number is below 0.0001 or not below ten to the power `plain_below`:
    /// `1e+30`, `0.001`, `-inf`. Only for ordering and encodings.
    pub fn to_scientific(&self, plain_below: i64) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        let Some((all_digits, scale)) = self.digits_and_scale() else {
            return format!("{sign}inf");
        };
        let digits = all_digits.trim_end_matches('0');
        if digits.is_empty() {
            return "0".to_string();
        }
        let exponent = all_digits.len() as i64 - 1 - scale;
        if (-4..plain_below).contains(&exponent) {
            return format!("{sign}{}", plain(digits.to_string(), digits.len() as i64 - 1 - exponent));
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let down = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{first}{point}{rest}e{down}{:02}", exponent.unsigned_abs())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_added_to_a_string_as_they_are_displayed() {
        for number in
            ["0", "7", "-7", "10", "1200", "-9223372036854775808", "9223372036854775807", "1e30", "-0.05", "12.5"]
        {
            let number = Number::parse(number).expect("a number");
            let mut text = "a".to_owned();
            number.write_to(&mut text);
            assert_eq!(text, format!("a{number}"));
        }
    }
}
