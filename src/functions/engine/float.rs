//! Logarithms and powers of floating-point numbers, in the same steps as in Go, so that the last digits are the same.

/// Returns the natural logarithm, by the method of FreeBSD's msun library.
pub(crate) fn log(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    let (mut fraction, mut exponent) = split(x);
    if fraction < std::f64::consts::FRAC_1_SQRT_2 {
        fraction *= 2.0;
        exponent -= 1;
    }
    let f = fraction - 1.0;
    let k = f64::from(exponent);
    let s = f / (2.0 + f);
    let (s2, s4) = (s * s, s * s * (s * s));
    const ODD: [f64; 4] =
        [6.666_666_666_666_735e-1, 2.857_142_874_366_239e-1, 1.818_357_216_161_805e-1, 1.479_819_860_510_658_6e-1];
    const EVEN: [f64; 3] = [3.999_999_999_940_942e-1, 2.222_219_843_214_978_4e-1, 1.531_383_769_920_937_3e-1];
    let t1 = s2 * (ODD[0] + s4 * (ODD[1] + s4 * (ODD[2] + s4 * ODD[3])));
    let t2 = s4 * (EVEN[0] + s4 * (EVEN[1] + s4 * EVEN[2]));
    let half = 0.5 * f * f;
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    k * LN2_HIGH - ((half - (s * (half + (t1 + t2)) + k * LN2_LOW)) - f)
}

/// Splits a positive finite number into a fraction from a half to below one, and a power of two.
fn split(x: f64) -> (f64, i32) {
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * (1_u64 << 52) as f64, -52) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    (f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52), exponent - 1022 + shift)
}

/// A fraction times a power of two.
fn scale(fraction: f64, exponent: i64) -> f64 {
    // In three steps, so that no intermediate result overflows; the last one rounds.
    let exponent = exponent.clamp(-2_200, 2_200) as i32;
    let step = exponent / 3;
    let power = |exponent: i32| 2_f64.powi(exponent);
    match exponent < -1_000 {
        true => fraction * power(-900) * power(exponent + 900),
        false => fraction * power(step) * power(step) * power(exponent - 2 * step),
    }
}

/// Returns the exponential function, by the Taylor series of Shibata's method, for the remaining exponents of a power,
/// which are far from overflow.
fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_805_596_63e-1;
    const LN2_LOW: f64 = 2.823_529_056_303_157_7e-13;
    /// The coefficients of the series from the seventh power down.
    const FACTORS: [f64; 7] = [1.0 / 5_040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    let exponent = (x * std::f64::consts::LOG2_E).round_ties_even();
    let rest = exponent.mul_add(-LN2_LOW, exponent.mul_add(-LN2_HIGH, x)) * 0.0625;
    let series = FACTORS.iter().fold(1.0 / 40_320.0, |sum: f64, factor| rest.mul_add(sum, *factor));
    // The result for a sixteenth, minus one; squared four times.
    let mut less = rest * series;
    for _ in 0..3 {
        less *= less + 2.0;
    }
    less.mul_add(less + 2.0, 1.0) * 2_f64.powi(exponent as i32)
}

/// Returns a power, by squaring; the fraction of the exponent by way of the logarithm.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 {
        return x;
    }
    if x.is_nan() || y.is_nan() || x == 0.0 || x.is_infinite() || y.is_infinite() {
        return x.powf(y);
    }
    if y == 0.5 {
        return x.sqrt();
    }
    if y == -0.5 {
        return 1.0 / x.sqrt();
    }
    let (mut whole, mut part) = (y.abs().trunc(), y.abs().fract());
    // So large a power is nothing, everything, or one.
    if whole >= 9.223_372_036_854_776e18 {
        return x.powf(y);
    }
    if part != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if part > 0.5 {
        (whole, part) = (whole + 1.0, part - 1.0);
    }
    let (mut fraction, mut exponent) = (1.0, 0_i64);
    if part != 0.0 {
        fraction = exp(part * log(x));
    }
    let mut left = whole as i64;
    let (base, base_exponent) = split(x.abs());
    let (mut base, mut base_exponent) = (base.copysign(x), i64::from(base_exponent));
    while left != 0 {
        if base_exponent.abs() > 1 << 12 {
            exponent += base_exponent;
            break;
        }
        if left & 1 == 1 {
            fraction *= base;
            exponent += base_exponent;
        }
        base *= base;
        base_exponent <<= 1;
        if base < 0.5 {
            base += base;
            base_exponent -= 1;
        }
        left >>= 1;
    }
    if y < 0.0 {
        fraction = 1.0 / fraction;
        exponent = -exponent;
    }
    scale(fraction, exponent)
}
