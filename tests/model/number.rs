//! Numbers against an independent library of rational numbers, and their bounds.

use hcl_lr::model::{Loss, LossyNumber, Number, NumberError};
use num_rational::BigRational;
use proptest::prelude::*;

type Integer = bigdecimal::num_bigint::BigInt;

fn ten_to(power: u32) -> BigRational {
    BigRational::from(Integer::from(10).pow(power))
}

/// The same number twice: ours, read from text, and the rational made from the same parts.
fn number() -> impl Strategy<Value = (Number, BigRational)> {
    let digits = prop_oneof![-1_000_i128..1_000, any::<i64>().prop_map(i128::from), any::<i128>(),];
    (digits, -40_i32..40).prop_map(|(digits, scale)| {
        let ours = format!("{digits}e{}", -scale).parse().expect("a number");
        let power = ten_to(scale.unsigned_abs());
        let digits = BigRational::from(Integer::from(digits));
        (ours, if scale < 0 { digits * power } else { digits / power })
    })
}

/// Our number as a rational, by way of its text.
fn rational(number: &Number) -> BigRational {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits: Integer = format!("{whole}{fraction}").parse().expect("digits");
    BigRational::from(digits) / ten_to(fraction.len() as u32)
}

proptest! {
    #[test]
    fn text_round_trips((a, exact) in number()) {
        prop_assert_eq!(rational(&a), exact);
        prop_assert_eq!(Number::parse(&a.to_string()), Ok(a));
    }

    #[test]
    fn sum_difference_product((a, x) in number(), (b, y) in number()) {
        prop_assert_eq!(rational(&a.add(&b).unwrap()), &x + &y);
        prop_assert_eq!(rational(&a.subtract(&b).unwrap()), &x - &y);
        prop_assert_eq!(rational(&a.multiply(&b).unwrap()), &x * &y);
        prop_assert_eq!(rational(&a.negate()), -&x);
    }

    #[test]
    fn comparison((a, x) in number(), (b, y) in number()) {
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
    }

    #[test]
    fn remainder((a, x) in number(), (b, y) in number()) {
        prop_assume!(!b.is_zero());
        // The rational library truncates towards zero as well.
        prop_assert_eq!(rational(&a.remainder(&b).unwrap()), &x - (&x / &y).trunc() * &y);
    }

    #[test]
    fn quotient((a, x) in number(), (b, y) in number()) {
        prop_assume!(!b.is_zero());
        let ours = rational(&a.divide(&b).unwrap());
        let exact = x / y;
        // Half a unit in the 160th digit, or nothing at all.
        let error = if ours > exact { &ours - &exact } else { &exact - &ours };
        let size = if exact < BigRational::from(Integer::from(0)) { -&exact } else { exact };
        prop_assert!(error * ten_to(159) <= size);
    }

    #[test]
    fn quotients_that_end_are_exact((a, x) in number(), (b, y) in number()) {
        let product = a.multiply(&b).unwrap();
        prop_assume!(!b.is_zero());
        prop_assert_eq!(product.divide(&b).unwrap(), a);
        prop_assert_eq!(rational(&product), x * y);
    }

    #[test]
    fn integers_round_trip(int in any::<i128>(), small in any::<i16>()) {
        prop_assert_eq!(i128::try_from(&Number::from(int)), Ok(int));
        prop_assert_eq!(i16::try_from(&Number::from(small)), Ok(small));
        prop_assert_eq!(i64::try_from(&Number::from(int)).ok(), i64::try_from(int).ok());
    }

    #[test]
    fn floats_round_trip(float in any::<f64>().prop_filter("a number", |f| !f.is_nan())) {
        prop_assert_eq!(Number::try_from(float).unwrap().to_f64(), float);
        prop_assert_eq!(f64::try_from(&Number::try_from(float).unwrap()), Ok(float));
        prop_assert_eq!(Number::from_f64_exact(float).unwrap().to_f64_exact(), Some(float));
    }

    /// Most are written with a few decimals, and take a shorter way.
    #[test]
    fn decimals_give_their_digits(digits in -1_000_000_000_000_000_i64..1_000_000_000_000_000, scale in 0_u32..9) {
        let text = format!("{digits}e-{scale}");
        let float: f64 = text.parse().unwrap();
        prop_assert_eq!(Number::parse(&text).unwrap().to_f64(), float);
        prop_assert_eq!(Number::try_from(float).unwrap(), Number::parse(&format!("{float:e}")).unwrap());
        prop_assert_eq!(Number::try_from(float).unwrap(), Number::parse(&text).unwrap());
    }

    #[test]
    fn the_nearest_float_of_a_decimal_is_found(digits: i64, scale in 0_u32..40) {
        let text = format!("{digits}e-{scale}");
        prop_assert_eq!(Number::parse(&text).unwrap().to_f64(), text.parse::<f64>().unwrap());
    }

    #[test]
    fn short_floats_round_trip(float in any::<f32>().prop_filter("a number", |f| !f.is_nan())) {
        prop_assert_eq!(f32::try_from(&Number::try_from(float).unwrap()), Ok(float));
    }
}

#[test]
fn equal_numbers_hash_alike_however_they_were_made() {
    use std::collections::HashSet;
    let same = ["100000000000000000000", "1e20", "100e18", "1.0e20", "100000000000000000000.000"];
    let set: HashSet<Number> = same.iter().map(|text| text.parse().unwrap()).collect();
    assert_eq!(set.len(), 1);
    let small = ["0.5", "5e-1", "0.50", "+.5"];
    assert_eq!(small.iter().map(|text| Number::parse(text).unwrap()).collect::<HashSet<_>>().len(), 1);
}

#[test]
fn infinities() {
    let (up, down) = (Number::INFINITY, Number::NEG_INFINITY);
    let (zero, one) = (Number::ZERO, Number::from(1));
    assert!(up.add(&down).is_err() && up.subtract(&up).is_err());
    assert_eq!(up.subtract(&down), Ok(up.clone()));
    assert!(zero.multiply(&up).is_err());
    assert_eq!(up.multiply(&Number::from(-2)), Ok(down.clone()));
    assert!(zero.divide(&zero).is_err() && up.divide(&down).is_err());
    assert_eq!(one.divide(&zero), Ok(up.clone()));
    assert_eq!(one.divide(&down), Ok(zero.clone()));
    assert_eq!(Number::from(-3).remainder(&up), Ok(down.clone()));
    assert!(zero.remainder(&up).is_err() && up.remainder(&zero).is_err());
    assert_eq!((up.to_string(), down.to_string()), ("+Inf".to_string(), "-Inf".to_string()));
}

#[test]
fn what_is_not_a_number() {
    for text in ["", "-", ".", "e1", "1e", "1e+", "inf", "+Inf", "nan", "1p4", "0x10", "1_0", " 1", "1 "] {
        assert_eq!(Number::parse(text), Err(NumberError::Syntax), "{text:?}");
    }
}

/// Digits that alternate, so that nothing is trimmed away.
fn long_number(digits: usize) -> String {
    "37".repeat(digits / 2 + 1)[..digits].to_string()
}

#[test]
fn the_range_is_what_it_says() {
    let most = Number::MAX_DIGITS as usize;
    // As many digits as allowed are only inside the range half before, half after the point.
    let widest = format!("{}.{}", long_number(20_001), long_number(most - 20_001));
    assert_eq!(Number::parse(&widest).expect("inside the range").to_string(), widest);
    assert_eq!(Number::parse(&format!("{widest}1")), Err(NumberError::OutOfRange));
    assert!(Number::parse("9.99e20000").is_ok() && Number::parse("1e-20000").is_ok());
    for text in ["1e20001", "9.99e-20001", "1e99999999999999999999", "1e-99999999999999999999"] {
        assert_eq!(Number::parse(text), Err(NumberError::OutOfRange), "{text}");
    }
    assert_eq!(Number::parse("0e99999999999999999999"), Ok(Number::ZERO));
}

#[test]
fn operations_outside_the_range_are_errors() {
    let huge = Number::parse("1e20000").unwrap();
    let tiny = Number::parse("1e-20000").unwrap();
    let ten = Number::from(10);
    assert_eq!(huge.multiply(&ten), Err(NumberError::OutOfRange));
    assert_eq!(tiny.divide(&ten), Err(NumberError::OutOfRange));
    assert_eq!(huge.multiply(&tiny), Ok(Number::from(1)));
    assert_eq!(huge.add(&tiny).unwrap().to_string().len(), 40_002);
    assert_eq!(huge.remainder(&Number::from(7)).unwrap().to_string().len(), 1);
}

#[test]
fn the_longest_numbers_have_a_result_or_are_out_of_range() {
    let a = Number::parse(&format!("{}.{}", long_number(20_001), long_number(20_000))).unwrap();
    let b = Number::parse(&format!("{}e-19000", long_number(30_000))).unwrap();
    let fives = Number::parse("1e20000").unwrap().divide(&Number::parse("7e-19000").unwrap());
    assert!(fives.is_err());
    assert!(a.multiply(&b).is_err());
    assert!(a.divide(&b).is_ok() && a.remainder(&b).is_ok() && a.add(&b).is_ok());
    assert!(Number::parse(&"9".repeat(10_000_000)).is_err());
    assert!(a < Number::INFINITY && a.to_f64().is_infinite());
}

#[test]
fn native_conversions_say_what_they_lose() {
    let parse = |text| Number::parse(text).unwrap();
    let why = |error: LossyNumber| (error.loss(), error.to_string());
    assert_eq!(u8::try_from(&parse("255")), Ok(255));
    assert_eq!(i128::try_from(&parse("1e30")), Ok(10_i128.pow(30)));
    assert_eq!(f64::try_from(&parse("0.75")), Ok(0.75));
    assert_eq!(f64::try_from(&parse("0.1")), Ok(0.1));
    assert_eq!(f32::try_from(&parse("0.1")), Ok(0.1));
    assert_eq!(f32::try_from(&Number::INFINITY), Ok(f32::INFINITY));
    for (error, message) in [
        (u8::try_from(&parse("-1")).unwrap_err(), "-1 does not fit u8 (0 to 255)"),
        (
            i64::try_from(&parse("1e20")).unwrap_err(),
            "100000000000000000000 does not fit i64 (-9223372036854775808 to 9223372036854775807)",
        ),
        (
            u128::try_from(&parse("-1")).unwrap_err(),
            "-1 does not fit u128 (0 to 340282366920938463463374607431768211455)",
        ),
        (
            i8::try_from(&parse("1e20000")).unwrap_err(),
            "1000000000000000000000000000000000000000… does not fit i8 (-128 to 127)",
        ),
        (
            f32::try_from(&parse("1e39")).unwrap_err(),
            "1000000000000000000000000000000000000000 does not fit f32 (-3.4028235e38 to 3.4028235e38)",
        ),
    ] {
        assert_eq!(why(error), (Loss::OutOfRange, message.to_owned()));
    }
    assert_eq!(i64::try_from(&Number::INFINITY).unwrap_err().loss(), Loss::OutOfRange);
    assert_eq!(f64::try_from(&parse("-1e400")).unwrap_err().loss(), Loss::OutOfRange);
    let fraction = i64::try_from(&parse("2.5")).unwrap_err();
    assert_eq!(why(fraction), (Loss::NotWhole, "2.5 does not fit i64: it is not a whole number".to_owned()));
    assert_eq!(i64::try_from(&parse("1e-30")).unwrap_err().loss(), Loss::NotWhole);
    assert!(Number::try_from(f64::NAN).is_err());
    assert_eq!(Number::try_from(0.1_f32), Number::parse("0.1"));
}
