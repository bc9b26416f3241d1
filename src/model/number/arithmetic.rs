//! Arithmetic on numbers (rulings, "number arithmetic", `1 / 0`, `5 % 0`).
//!
//! Sums, differences, products and remainders are exact. A quotient is exact when its
//! decimal expansion ends within the representable range, else rounded half to even to
//! [`Number::DIVISION_DIGITS`] significant digits.

use super::{Number, NumberError, Repr};
use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, Zero};

impl Number {
    /// Adds two numbers.
    ///
    /// # Errors
    /// The operands are opposite infinities, or the result is out of range.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// let sum = Number::parse("0.1")?.add(&Number::parse("0.2")?)?;
    /// assert_eq!(sum, Number::parse("0.3")?);
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    #[allow(clippy::should_implement_trait)] // fallible, unlike the operator trait
    pub fn add(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Infinite { negative: a }, Repr::Infinite { negative: b }) if a != b => {
                Err(NumberError::Undefined("opposite infinities have no sum"))
            }
            (Repr::Infinite { .. }, _) => Ok(self.clone()),
            (_, Repr::Infinite { .. }) => Ok(other.clone()),
            (Repr::Small { digits: a, scale: i }, Repr::Small { digits: b, scale: j }) => {
                // Each product stays below 2^123, so the sum cannot overflow.
                let top = (*i).max(*j);
                let a = i128::from(*a) * 10_i128.pow(u32::from(top - i));
                let b = i128::from(*b) * 10_i128.pow(u32::from(top - j));
                Number::from_small_parts(a + b, i64::from(top))
            }
            _ => self.with_big(other, |a, b| Number::from_big_decimal(a + b)),
        }
    }

    /// Subtracts a number.
    ///
    /// # Errors
    /// An infinity is subtracted from itself, or the result is out of range.
    pub fn subtract(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Infinite { negative: a }, Repr::Infinite { negative: b }) if a == b => {
                Err(NumberError::Undefined("an infinity minus itself has no value"))
            }
            _ => self.add(&other.negate()),
        }
    }

    /// Multiplies two numbers.
    ///
    /// # Errors
    /// Zero is multiplied by an infinity, or the result is out of range.
    pub fn multiply(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Infinite { .. }, _) | (_, Repr::Infinite { .. }) => {
                if self.is_zero() || other.is_zero() {
                    return Err(NumberError::Undefined("zero times infinity has no value"));
                }
                Ok(Number::infinity(self.is_negative() != other.is_negative()))
            }
            (Repr::Small { digits: a, scale: i }, Repr::Small { digits: b, scale: j }) => {
                Number::from_small_parts(i128::from(*a) * i128::from(*b), i64::from(i + j))
            }
            _ => self.with_big(other, |a, b| Number::from_big_decimal(a * b)),
        }
    }

    /// Divides by a number. A number other than zero divided by zero is an infinity; a finite number divided by an
    /// infinity is zero.
    ///
    /// # Errors
    /// `0 / 0`, an infinity divided by an infinity, or a result that is out of range.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::from(1).divide(&Number::from(8))?.to_string(), "0.125");
    /// assert_eq!(Number::from(-1).divide(&Number::ZERO)?, Number::NEG_INFINITY);
    /// assert!(Number::ZERO.divide(&Number::ZERO).is_err());
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn divide(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Infinite { .. }, Repr::Infinite { .. }) => {
                Err(NumberError::Undefined("infinity divided by infinity has no value"))
            }
            (Repr::Infinite { .. }, _) => Ok(Number::infinity(self.is_negative() != other.is_negative())),
            (_, Repr::Infinite { .. }) => Ok(Number::ZERO),
            _ if other.is_zero() && self.is_zero() => Err(NumberError::Undefined("zero divided by zero has no value")),
            _ if other.is_zero() => Ok(Number::infinity(self.is_negative())),
            _ if self.is_zero() => Ok(Number::ZERO),
            (Repr::Small { digits: a, scale: i }, Repr::Small { digits: b, scale: j }) => {
                // 2^63 times 10^18 fits, which covers every quotient with few digits.
                let wide = i128::from(*a) * 10_i128.pow(18);
                let b = i128::from(*b);
                if wide % b == 0 {
                    return Number::from_small_parts(wide / b, 18 + i64::from(*i) - i64::from(*j));
                }
                self.with_big(other, divide)
            }
            _ => self.with_big(other, divide),
        }
    }

    /// Returns the remainder of the division rounded towards zero; it has the sign of `self`. The remainder by zero is
    /// `self`, and with an infinity on either side the result is an infinity, as in the official engine.
    ///
    /// # Errors
    /// The operands are zero and an infinity, or the result is out of range.
    ///
    /// ```
    /// use hcl_lr::model::Number;
    /// assert_eq!(Number::from(-5).remainder(&Number::from(3))?, Number::from(-2));
    /// assert_eq!(Number::from(5).remainder(&Number::ZERO)?, Number::from(5));
    /// assert_eq!(Number::from(11).remainder(&Number::parse("5.1")?)?.to_string(), "0.8");
    /// # Ok::<(), hcl_lr::model::NumberError>(())
    /// ```
    pub fn remainder(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Infinite { .. }, _) | (_, Repr::Infinite { .. }) => {
                if self.is_zero() || other.is_zero() {
                    return Err(NumberError::Undefined("the remainder of zero and infinity has no value"));
                }
                Ok(Number::infinity(self.is_negative() != other.is_negative()))
            }
            _ if other.is_zero() => Ok(self.clone()),
            (Repr::Small { digits: a, scale: i }, Repr::Small { digits: b, scale: j }) => {
                let top = (*i).max(*j);
                let a = i128::from(*a) * 10_i128.pow(u32::from(top - i));
                let b = i128::from(*b) * 10_i128.pow(u32::from(top - j));
                Number::from_small_parts(a % b, i64::from(top))
            }
            _ => self.with_big(other, remainder),
        }
    }

    /// The number with the opposite sign.
    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Small { digits, scale } => {
                // Only the smallest `i64` does not fit the small form, and it is far inside the range.
                Number::from_small_parts(-i128::from(*digits), i64::from(*scale)).unwrap_or(Number::ZERO)
            }
            Repr::Big(big) => {
                let (digits, scale) = big.as_bigint_and_exponent();
                Number::from_parts(-digits, scale).unwrap_or(Number::ZERO)
            }
            Repr::Infinite { negative } => Number::infinity(!negative),
        }
    }

    /// The number without its sign.
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    fn infinity(negative: bool) -> Number {
        Number(Repr::Infinite { negative })
    }

    /// Runs `work` on two finite numbers in big form.
    fn with_big(
        &self,
        other: &Number,
        work: impl FnOnce(BigDecimal, BigDecimal) -> Result<Number, NumberError>,
    ) -> Result<Number, NumberError> {
        match (self.to_big_decimal(), other.to_big_decimal()) {
            (Some(a), Some(b)) => work(a, b),
            _ => Err(NumberError::Undefined("an infinity has no digits")),
        }
    }
}

/// Returns a power of ten. Callers keep the exponent below twice the representable range.
fn ten_to(power: u64) -> BigInt {
    BigInt::from(10).pow(power as u32)
}

fn divide(a: BigDecimal, b: BigDecimal) -> Result<Number, NumberError> {
    let (n, n_scale) = a.into_bigint_and_exponent();
    let (d, d_scale) = b.into_bigint_and_exponent();
    let scale = n_scale - d_scale;
    // n/d ends if and only if d without its factors 2 and 5 divides n.
    let (rest, twos, fives) = without_twos_and_fives(d.clone());
    let places = twos.max(fives);
    if places <= Number::MAX_DIGITS && (&n % &rest).is_zero() {
        let missing = BigInt::from(2).pow((places - twos) as u32) * BigInt::from(5).pow((places - fives) as u32);
        let exact = Number::from_parts(n.clone() / rest * missing, scale + places as i64);
        if exact.is_ok() {
            return exact;
        }
    }
    // Scale the dividend so that the integer quotient has the required digits, then round.
    let digits = |x: &BigInt| BigDecimal::new(x.clone(), 0).digits() as i64;
    let shift = Number::DIVISION_DIGITS as i64 + digits(&d) - digits(&n);
    let (n, d) = if shift >= 0 { (n * ten_to(shift as u64), d) } else { (n, d * ten_to(shift.unsigned_abs())) };
    let quotient = &n / &d;
    // There may be one digit too many; a sticky last digit records whether anything was cut.
    let cut = match (&n % &d).is_zero() {
        true => 0,
        false if n.sign() == d.sign() => 1,
        false => -1,
    };
    let sticky = quotient * 10 + cut;
    let wide = BigDecimal::new(sticky, scale + shift + 1);
    let extra = wide.digits() - Number::DIVISION_DIGITS;
    Number::from_big_decimal(
        wide.with_scale_round(scale + shift + 1 - extra as i64, bigdecimal::RoundingMode::HalfEven),
    )
}

/// Returns `d` without its factors 2 and 5, and the number of each.
fn without_twos_and_fives(d: BigInt) -> (BigInt, u64, u64) {
    let twos = d.trailing_zeros().unwrap_or(0);
    let mut rest = d >> twos;
    let mut fives = 0;
    // 5^27 is the largest power in 64 bits; taking it first keeps long runs cheap.
    for (power, count) in [(5_u64.pow(27), 27), (5, 1)] {
        while (&rest % power).is_zero() {
            rest /= power;
            fives += count;
        }
    }
    (rest, twos, fives)
}

fn remainder(a: BigDecimal, b: BigDecimal) -> Result<Number, NumberError> {
    let (a, i) = a.into_bigint_and_exponent();
    let (b, j) = b.into_bigint_and_exponent();
    let top = i.max(j);
    let a = a * ten_to((top - i) as u64);
    let b = b * ten_to((top - j) as u64);
    Number::from_parts(a % b, top)
}
