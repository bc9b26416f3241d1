//! Conversions between numbers and Rust types; each reports a loss.

use super::{Number, NumberError, Repr};
use bigdecimal::num_bigint::BigInt;
use std::fmt;

/// A number that does not fit the requested Rust type.
///
/// ```
/// use hcl_lr::model::{Loss, Number};
/// let error = u8::try_from(&Number::from(300)).unwrap_err();
/// assert_eq!(error.to_string(), "300 does not fit u8 (0 to 255)");
/// assert_eq!((error.number(), error.loss()), (&Number::from(300), Loss::OutOfRange));
///
/// let error = u8::try_from(&Number::parse("0.5")?).unwrap_err();
/// assert_eq!(error.to_string(), "0.5 does not fit u8: it is not a whole number");
/// # Ok::<(), hcl_lr::model::NumberError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossyNumber {
    number: Number,
    loss: Loss,
    target: Target,
}

/// The loss in a conversion of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// The number has a fraction, but the type does not.
    NotWhole,
    /// The number is too large or too small for the type.
    OutOfRange,
}

/// The target of a conversion of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Integer { name: &'static str, least: i128, most: u128 },
    F32,
    F64,
}

/// Numbers with more characters are cut in messages.
const MAX_CHARACTERS: usize = 40;

impl LossyNumber {
    /// The number.
    pub fn number(&self) -> &Number {
        &self.number
    }

    /// Returns the loss.
    pub fn loss(&self) -> Loss {
        self.loss
    }

    /// Returns the reason without the number, which may be secret.
    pub fn reason(&self) -> String {
        format!("the number {self:#}")
    }
}

/// Writes the number and the range of the type; without the number in the form `{:#}`.
impl fmt::Display for LossyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            let digits = self.number.to_string();
            match digits.char_indices().nth(MAX_CHARACTERS) {
                Some((end, _)) => write!(f, "{}… ", &digits[..end])?,
                None => write!(f, "{digits} ")?,
            }
        }
        match (self.loss, self.target) {
            (Loss::NotWhole, target) => write!(f, "does not fit {}: it is not a whole number", target.name()),
            (Loss::OutOfRange, Target::Integer { name, least, most }) => {
                write!(f, "does not fit {name} ({least} to {most})")
            }
            (Loss::OutOfRange, Target::F32) => write!(f, "does not fit f32 ({:e} to {:e})", f32::MIN, f32::MAX),
            (Loss::OutOfRange, Target::F64) => write!(f, "does not fit f64 ({:e} to {:e})", f64::MIN, f64::MAX),
        }
    }
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Integer { name, .. } => name,
            Target::F32 => "f32",
            Target::F64 => "f64",
        }
    }
}

impl std::error::Error for LossyNumber {}

/// A whole number that fits some integer type of Rust.
enum Whole {
    Signed(i128),
    Unsigned(u128),
}

impl Number {
    fn whole(&self) -> Result<Whole, Loss> {
        match &self.0 {
            Repr::Small { digits, scale: 0 } => Ok(Whole::Signed(i128::from(*digits))),
            Repr::Small { .. } => Err(Loss::NotWhole),
            Repr::Infinite { .. } => Err(Loss::OutOfRange),
            Repr::Big(_) if !self.is_whole() => Err(Loss::NotWhole),
            // Trailing zeros are not stored as digits, but still count for the size.
            Repr::Big(big) if big.fractional_digit_count() < -40 => Err(Loss::OutOfRange),
            Repr::Big(big) => {
                let (whole, _) = big.with_scale(0).into_bigint_and_exponent();
                let signed = i128::try_from(&whole).map(Whole::Signed);
                signed.or_else(|_| u128::try_from(&whole).map(Whole::Unsigned)).map_err(|_| Loss::OutOfRange)
            }
        }
    }
}

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
                let lossy = |loss| {
                    // The minimum of an unsigned type is zero, the maximum of a signed one is positive.
                    let (least, most) = (<$int>::MIN as i128, <$int>::MAX as u128);
                    let target = Target::Integer { name: stringify!($int), least, most };
                    LossyNumber { number: number.clone(), loss, target }
                };
                let int = match &number.0 {
                    Repr::Small { digits, scale: 0 } => <$int>::try_from(*digits).ok(),
                    _ => match number.whole().map_err(lossy)? {
                        Whole::Signed(digits) => <$int>::try_from(digits).ok(),
                        Whole::Unsigned(digits) => <$int>::try_from(digits).ok(),
                    },
                };
                int.ok_or_else(|| lossy(Loss::OutOfRange))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

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
            // Both are exact, so their quotient is the nearest float.
            Repr::Small { digits, scale } if digits.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS && *scale <= 22 => {
                *digits as f64 / POWERS_OF_TEN[usize::from(*scale)]
            }
            // Rust's parser rounds correctly from any number of digits.
            _ => self.in_exponent_form().parse().unwrap_or(f64::NAN),
        }
    }

    /// Returns the nearest `f32`; an infinity beyond the largest one. It is rounded once, not by way of an `f64`.
    fn to_f32(&self) -> f32 {
        match &self.0 {
            Repr::Small { digits, scale: 0 } => *digits as f32,
            Repr::Infinite { negative: false } => f32::INFINITY,
            Repr::Infinite { negative: true } => f32::NEG_INFINITY,
            _ => self.in_exponent_form().parse().unwrap_or(f32::NAN),
        }
    }

    fn in_exponent_form(&self) -> String {
        let (digits, scale) = self.digits_and_scale().unwrap_or_default();
        let sign = if self.is_negative() { "-" } else { "" };
        format!("{sign}{digits}e{}", -scale)
    }

    /// Returns the float that equals this number exactly, if there is one.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::parse("0.75")?.to_f64_exact(), Some(0.75));
    /// assert_eq!(Number::parse("0.1")?.to_f64_exact(), None);
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn to_f64_exact(&self) -> Option<f64> {
        let float = self.to_f64();
        Number::from_f64_exact(float).is_ok_and(|exact| exact == *self).then_some(float)
    }

    /// Converts a float exactly, with all its binary digits: `0.1` becomes 0.1000000000000000055511151231257827…
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

/// Converts to the shortest decimal that reads back as the same float: `0.1` becomes 0.1.
impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(float: f64) -> Result<Number, NumberError> {
        if float.is_nan() {
            return Err(NumberError::Undefined("NaN is not a number"));
        }
        if float.is_infinite() {
            return Ok(Number::infinity_of(float));
        }
        match few_decimals(float) {
            Some((digits, scale)) => Number::from_small_parts(digits, scale),
            None => Number::parse(&format!("{float:e}")),
        }
    }
}

/// Those that are floats exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Returns digits and scale of a float that is a decimal with few digits, as most floats in configurations are.
fn few_decimals(float: f64) -> Option<(i128, i64)> {
    // Different decimals with up to this many digits are different floats, so this one is the shortest.
    const LARGEST: f64 = 999_999_999_999_999.0;
    let mut power = 1.0;
    for scale in 0..=6 {
        let digits = float * power;
        if digits.abs() > LARGEST {
            return None;
        }
        // Both are exact, so the quotient is the float nearest to the decimal.
        if digits.trunc() == digits && digits / power == float {
            return Some((digits as i128, scale));
        }
        power *= 10.0;
    }
    None
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
        if float < 0.0 { Number::NEG_INFINITY } else { Number::INFINITY }
    }
}

/// The nearest float; [`Number::to_f64_exact`] does not round. An infinity is itself.
impl TryFrom<&Number> for f64 {
    type Error = LossyNumber;

    fn try_from(number: &Number) -> Result<f64, LossyNumber> {
        let float = number.to_f64();
        if float.is_infinite() && !number.is_infinite() {
            return Err(LossyNumber { number: number.clone(), loss: Loss::OutOfRange, target: Target::F64 });
        }
        Ok(float)
    }
}

/// The nearest float. An infinity is itself.
impl TryFrom<&Number> for f32 {
    type Error = LossyNumber;

    fn try_from(number: &Number) -> Result<f32, LossyNumber> {
        let float = number.to_f32();
        if float.is_infinite() && !number.is_infinite() {
            return Err(LossyNumber { number: number.clone(), loss: Loss::OutOfRange, target: Target::F32 });
        }
        Ok(float)
    }
}
