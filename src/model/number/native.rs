//! Numbers from and to Rust's own; every way out says when it would lose something.

use super::{Number, NumberError, Repr};
use bigdecimal::num_bigint::BigInt;
use std::fmt;

/// A number has no exact counterpart in the Rust type asked for.
///
/// ```
/// use hcl_lr::model::{LossyNumber, Number};
/// let half = Number::parse("0.5")?;
/// assert_eq!(u8::try_from(&half), Err(LossyNumber::NotWhole));
/// assert_eq!(u8::try_from(&Number::from(256)), Err(LossyNumber::OutOfRange));
/// assert_eq!(f64::try_from(&Number::parse("0.1")?), Err(LossyNumber::Inexact));
/// # Ok::<(), hcl_lr::model::NumberError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossyNumber {
    /// The number has a fraction and the type has none.
    NotWhole,
    /// The number is too large or too small for the type.
    OutOfRange,
    /// The type would round the number.
    Inexact,
}

impl fmt::Display for LossyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LossyNumber::NotWhole => "a whole number is required",
            LossyNumber::OutOfRange => "the number is out of range",
            LossyNumber::Inexact => "the number cannot be held exactly",
        })
    }
}

impl std::error::Error for LossyNumber {}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl From<$int> for Number {
            fn from(int: $int) -> Number {
                match i64::try_from(int) {
                    Ok(digits) => Number(Repr::Small { digits, scale: 0 }),
                    // At most 39 digits: far inside the range.
                    Err(_) => Number::from_parts(BigInt::from(int), 0).unwrap_or(Number::ZERO),
                }
            }
        }

        impl TryFrom<&Number> for $int {
            type Error = LossyNumber;

            fn try_from(number: &Number) -> Result<$int, LossyNumber> {
                match &number.0 {
                    Repr::Small { digits, scale: 0 } => {
                        <$int>::try_from(*digits).map_err(|_| LossyNumber::OutOfRange)
                    }
                    Repr::Small { .. } => Err(LossyNumber::NotWhole),
                    Repr::Infinite { .. } => Err(LossyNumber::OutOfRange),
                    Repr::Big(big) => {
                        if !number.is_whole() {
                            return Err(LossyNumber::NotWhole);
                        }
                        // A trailing zero costs no digits but is still size.
                        if big.fractional_digit_count() < -40 {
                            return Err(LossyNumber::OutOfRange);
                        }
                        let (whole, _) = big.with_scale(0).into_bigint_and_exponent();
                        <$int>::try_from(whole).map_err(|_| LossyNumber::OutOfRange)
                    }
                }
            }
        }
    )*};
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl Number {
    /// The nearest `f64`; beyond the largest one an infinity.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::parse("0.1")?.to_f64(), 0.1);
    /// assert_eq!(Number::parse("1e400")?.to_f64(), f64::INFINITY);
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small { digits, scale: 0 } => *digits as f64,
            Repr::Infinite { negative: false } => f64::INFINITY,
            Repr::Infinite { negative: true } => f64::NEG_INFINITY,
            _ => {
                // Rust's own reader rounds correctly from any number of digits.
                let (digits, scale) = self.digits_and_scale().unwrap_or_default();
                let sign = if self.is_negative() { "-" } else { "" };
                format!("{sign}{digits}e{}", -scale)
                    .parse()
                    .unwrap_or(f64::NAN)
            }
        }
    }

    /// The exact value of a float, all its binary digits: `0.1` gives
    /// 0.1000000000000000055511151231257827…
    ///
    /// # Errors
    /// [`NumberError::Undefined`] for NaN.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::from_f64_exact(0.75)?.to_string(), "0.75");
    /// assert_ne!(Number::from_f64_exact(0.1)?, Number::parse("0.1")?);
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn from_f64_exact(float: f64) -> Result<Number, NumberError> {
        if !float.is_finite() {
            return Number::try_from(float);
        }
        let bits = float.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormal floats have no hidden leading one.
        let (mantissa, power) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | (1 << 52), exponent - 1075),
        };
        let digits = BigInt::from(mantissa) * if float < 0.0 { -1 } else { 1 };
        if power >= 0 {
            return Number::from_parts(digits << power as u64, 0);
        }
        let places = power.unsigned_abs() as u32;
        Number::from_parts(digits * BigInt::from(5).pow(places), i64::from(places))
    }
}

/// The shortest decimal that reads back as the same float: `0.1` gives 0.1.
impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(float: f64) -> Result<Number, NumberError> {
        if float.is_nan() {
            return Err(NumberError::Undefined("NaN is not a number"));
        }
        if float.is_infinite() {
            return Ok(Number::infinity_of(float));
        }
        Number::parse(&format!("{float:e}"))
    }
}

/// The shortest decimal that reads back as the same float.
impl TryFrom<f32> for Number {
    type Error = NumberError;

    fn try_from(float: f32) -> Result<Number, NumberError> {
        if !float.is_finite() {
            return Number::try_from(f64::from(float));
        }
        Number::parse(&format!("{float:e}"))
    }
}

impl Number {
    fn infinity_of(float: f64) -> Number {
        if float < 0.0 {
            Number::NEG_INFINITY
        } else {
            Number::INFINITY
        }
    }
}

/// Only a number that the float holds exactly; [`Number::to_f64`] rounds.
impl TryFrom<&Number> for f64 {
    type Error = LossyNumber;

    fn try_from(number: &Number) -> Result<f64, LossyNumber> {
        let float = number.to_f64();
        if number.is_infinite() {
            return Ok(float);
        }
        if float.is_infinite() {
            return Err(LossyNumber::OutOfRange);
        }
        match Number::from_f64_exact(float) {
            Ok(exact) if exact == *number => Ok(float),
            _ => Err(LossyNumber::Inexact),
        }
    }
}
