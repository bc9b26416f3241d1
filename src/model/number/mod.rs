//! Exact decimal numbers (information model, "number").
//!
//! A [`Number`] is an exact decimal or one of the two infinities; there is no NaN and no negative zero. Numbers that
//! fit into 64 bits with at most 18 decimal places are stored in place; all others are a shared [`BigDecimal`]. Both
//! forms are canonical, so equality and hashing do not depend on how a number was computed.
//!
//! # Range
//! A finite number is zero, or its leading digit has a power of ten between -[`Number::MAX_EXPONENT`] and
//! [`Number::MAX_EXPONENT`], and it has at most [`Number::MAX_DIGITS`] significant digits. Operations detect results
//! beyond that before the work is done, and return an error, so no input makes an operation use unbounded time or
//! memory.

mod arithmetic;
mod native;
mod text;

use bigdecimal::num_bigint::{BigInt, Sign};
use bigdecimal::{BigDecimal, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

pub use native::{Loss, LossyNumber};

/// The maximum number of decimal places of the small form: ten to this power still fits an `i64`.
const SMALL_SCALE: u8 = 18;

/// An exact decimal number or an infinity.
///
/// See the information model, "number". Cheap to clone.
///
/// ```
/// use hcl_lr::model::Number;
/// let a: Number = "1.1".parse()?;
/// assert_eq!(a.multiply(&a)?.to_string(), "1.21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// `digits / 10^scale`; `scale` is 0 or `digits` does not end in a zero.
    Small { digits: i64, scale: u8 },
    /// A number that does not fit the small form, without trailing zeros.
    Big(Arc<BigDecimal>),
    /// Positive or negative infinity.
    Infinite { negative: bool },
}

/// The reason why a number cannot be created or an operation on numbers has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// The text is not a decimal number.
    Syntax,
    /// The result is too large, too close to zero or has too many digits.
    OutOfRange,
    /// The operation has no meaning for these operands, such as `0 / 0`.
    Undefined(&'static str),
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::Syntax => f.write_str("a number is required"),
            NumberError::OutOfRange => {
                let most = Number::MAX_EXPONENT;
                write!(f, "the number is out of range: numbers reach from 1e-{most} to 1e{most}")
            }
            NumberError::Undefined(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// The largest absolute power of ten of the leading digit.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert!(Number::parse("1e20000").is_ok());
    /// assert!(Number::parse("1e20001").is_err());
    /// ```
    pub const MAX_EXPONENT: i64 = 20_000;
    /// The most significant digits that a number may have.
    pub const MAX_DIGITS: u64 = 40_001;
    /// The number of significant digits that an inexact quotient keeps (rounded half to even).
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// let third = Number::from(1).divide(&Number::from(3))?;
    /// assert_eq!(third.to_string().len() as u64, 2 + Number::DIVISION_DIGITS);
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub const DIVISION_DIGITS: u64 = 160;
    /// Zero.
    pub const ZERO: Number = Number(Repr::Small { digits: 0, scale: 0 });
    /// Positive infinity.
    pub const INFINITY: Number = Number(Repr::Infinite { negative: false });
    /// Negative infinity.
    pub const NEG_INFINITY: Number = Number(Repr::Infinite { negative: true });

    /// Returns true if this is one of the two infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Infinite { .. })
    }

    /// Returns true if this is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { digits: 0, .. })
    }

    /// Returns true if this is less than zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { digits, .. } => *digits < 0,
            Repr::Big(big) => big.sign() == Sign::Minus,
            Repr::Infinite { negative } => *negative,
        }
    }

    /// Returns true if this is a whole number. The infinities are not.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Repr::Small { scale, .. } => *scale == 0,
            Repr::Big(big) => big.fractional_digit_count() <= 0,
            Repr::Infinite { .. } => false,
        }
    }

    /// The exact decimal, or `None` for an infinity.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::parse("2.50")?.to_big_decimal().unwrap().to_string(), "2.5");
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn to_big_decimal(&self) -> Option<BigDecimal> {
        match &self.0 {
            Repr::Small { digits, scale } => Some(BigDecimal::new(BigInt::from(*digits), i64::from(*scale))),
            Repr::Big(big) => Some((**big).clone()),
            Repr::Infinite { .. } => None,
        }
    }

    /// Converts a decimal.
    ///
    /// # Errors
    /// [`NumberError::OutOfRange`] if it is not representable.
    pub fn from_big_decimal(decimal: BigDecimal) -> Result<Number, NumberError> {
        let (digits, scale) = decimal.into_bigint_and_exponent();
        Number::from_parts(digits, scale)
    }

    /// Returns true if its digits fit into a machine word.
    pub(crate) fn is_small(&self) -> bool {
        !matches!(self.0, Repr::Big(_))
    }

    /// Returns the bytes that the number takes beyond its place in a value, for its digits and its written zeros. The
    /// text of a number has at most three times that and 64 bytes.
    pub(crate) fn extra_bytes(&self) -> u64 {
        match &self.0 {
            Repr::Big(big) => {
                let (digits, scale) = big.as_bigint_and_scale();
                digits.bits() / 8 + scale.unsigned_abs() / 2 + 32
            }
            Repr::Small { .. } | Repr::Infinite { .. } => 0,
        }
    }

    /// Returns the largest number of bytes with which the number is written.
    pub(crate) fn written_bytes(&self) -> u64 {
        3 * self.extra_bytes() + 64
    }

    /// Returns the number of bytes that are allocated temporarily if the number is an operand, written or read: digits
    /// are processed a word at a time, and each time all of them are copied.
    pub(crate) fn digit_bytes(&self) -> u64 {
        let words = self.extra_bytes() / 8;
        32 * words * words + self.written_bytes()
    }

    /// Returns the number of steps of an operation with two numbers, or of one that reads or writes digits.
    pub(crate) fn steps_with(&self, other: &Number) -> u64 {
        // Words of 64 bits, each with each.
        (self.extra_bytes() / 8).saturating_mul(other.extra_bytes() / 8) / 16
    }

    /// `digits / 10^scale` in canonical form, or out of range.
    fn from_parts(digits: BigInt, scale: i64) -> Result<Number, NumberError> {
        if digits.is_zero() {
            return Ok(Number::ZERO);
        }
        if let Ok(small) = i128::try_from(&digits) {
            return Number::from_small_parts(small, scale);
        }
        // 2^10 > 10^3, so three digits in ten bits never counts too many.
        if digits.bits() / 10 * 3 > Number::MAX_DIGITS + 3 * Number::MAX_EXPONENT as u64 {
            return Err(NumberError::OutOfRange);
        }
        let decimal = BigDecimal::new(digits, scale).normalized();
        let (digits, scale) = decimal.as_bigint_and_exponent();
        if let Ok(small) = i64::try_from(&digits)
            && (-i64::from(SMALL_SCALE)..=i64::from(SMALL_SCALE)).contains(&scale)
        {
            return Number::from_small_parts(i128::from(small), scale);
        }
        Number::check_range(decimal.digits(), scale)?;
        Ok(Number(Repr::Big(Arc::new(decimal))))
    }

    /// Like [`Number::from_parts`], but does not allocate if the small form is enough.
    fn from_small_parts(mut digits: i128, mut scale: i64) -> Result<Number, NumberError> {
        if digits == 0 {
            return Ok(Number::ZERO);
        }
        while scale > 0 && digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        while (-i64::from(SMALL_SCALE)..0).contains(&scale) {
            match digits.checked_mul(10) {
                Some(shifted) => digits = shifted,
                None => break,
            }
            scale += 1;
        }
        if (0..=i64::from(SMALL_SCALE)).contains(&scale)
            && let Ok(small) = i64::try_from(digits)
        {
            return Ok(Number(Repr::Small { digits: small, scale: scale as u8 }));
        }
        while digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        Number::check_range(u64::from(digits.unsigned_abs().ilog10()) + 1, scale)?;
        Ok(Number(Repr::Big(Arc::new(BigDecimal::new(BigInt::from(digits), scale)))))
    }

    /// Checks that a number with this number of digits and this scale is inside the range.
    fn check_range(digits: u64, scale: i64) -> Result<(), NumberError> {
        let exponent = (digits as i64 - 1).checked_sub(scale).ok_or(NumberError::OutOfRange)?;
        if exponent.abs() > Number::MAX_EXPONENT || digits > Number::MAX_DIGITS {
            return Err(NumberError::OutOfRange);
        }
        Ok(())
    }

    /// Returns the number as `digits / 10^scale` if it is stored like that, with a `scale` of at most 18.
    pub(crate) fn small_parts(&self) -> Option<(i64, u8)> {
        match self.0 {
            Repr::Small { digits, scale } => Some((digits, scale)),
            _ => None,
        }
    }

    /// Returns the decimal digits without sign, and the scale; `None` for an infinity.
    pub(crate) fn digits_and_scale(&self) -> Option<(String, i64)> {
        match &self.0 {
            Repr::Small { digits, scale } => Some((digits.unsigned_abs().to_string(), i64::from(*scale))),
            Repr::Big(big) => {
                let (digits, scale) = big.as_bigint_and_exponent();
                Some((digits.magnitude().to_string(), scale))
            }
            Repr::Infinite { .. } => None,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders numbers by their value, with the infinities at the ends.
impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let rank = |number: &Number| match &number.0 {
            Repr::Infinite { negative: true } => -1,
            Repr::Infinite { negative: false } => 1,
            _ => 0,
        };
        match (&self.0, &other.0) {
            (Repr::Small { digits: a, scale: i }, Repr::Small { digits: b, scale: j }) => {
                if i == j {
                    return a.cmp(b);
                }
                // 2^63 times 10^18 stays below 2^127.
                let top = (*i).max(*j);
                let a = i128::from(*a) * 10_i128.pow(u32::from(top - i));
                let b = i128::from(*b) * 10_i128.pow(u32::from(top - j));
                a.cmp(&b)
            }
            (Repr::Infinite { .. }, _) | (_, Repr::Infinite { .. }) => rank(self).cmp(&rank(other)),
            _ => self.cmp_big(other),
        }
    }
}

impl Number {
    /// Compares two finite numbers: by sign and size first, by digits only if those are equal.
    fn cmp_big(&self, other: &Number) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            _ => {}
        }
        if self.is_zero() || other.is_zero() {
            return other.is_zero().cmp(&self.is_zero()).then(Ordering::Equal);
        }
        let (Some(a), Some(b)) = (self.to_big_decimal(), other.to_big_decimal()) else {
            return Ordering::Equal;
        };
        let size = |d: &BigDecimal| d.digits() as i64 - 1 - d.fractional_digit_count();
        let by_size = size(&a).cmp(&size(&b));
        if by_size != Ordering::Equal {
            return if self.is_negative() { by_size.reverse() } else { by_size };
        }
        a.cmp(&b)
    }
}
