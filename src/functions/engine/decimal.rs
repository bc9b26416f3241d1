//! Numbers as text, in the notations of Go's package fmt.

use std::cmp::Ordering;

use bigdecimal::num_bigint::BigInt;

use crate::model::Number;

/// A finite number as digits: `0.d1d2d3… × 10^point`. Without digits it is zero.
struct Digits {
    negative: bool,
    digits: Vec<u8>,
    point: i64,
}

impl Digits {
    /// `None` for an infinity.
    fn of(number: &Number) -> Option<Digits> {
        let (text, scale) = number.digits_and_scale()?;
        let mut digits = text.trim_start_matches('0').as_bytes().to_vec();
        let point = digits.len() as i64 - scale;
        digits.truncate(digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1));
        let point = if digits.is_empty() { 0 } else { point };
        Some(Digits { negative: number.is_negative(), digits, point })
    }

    /// Keeps the first digits, rounded half to even.
    fn round(&mut self, kept: i64) {
        let Ok(kept) = usize::try_from(kept) else {
            *self = Digits { negative: self.negative, digits: Vec::new(), point: 0 };
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let half = self.digits[kept] == b'5' && kept + 1 == self.digits.len();
        let up = match half {
            true => kept > 0 && (self.digits[kept - 1] - b'0') % 2 == 1,
            false => self.digits[kept] >= b'5',
        };
        self.digits.truncate(kept);
        if up {
            match self.digits.iter().rposition(|digit| *digit != b'9') {
                Some(last) => {
                    self.digits[last] += 1;
                    self.digits.truncate(last + 1);
                }
                None => {
                    self.digits = vec![b'1'];
                    self.point += 1;
                }
            }
        }
        self.digits.truncate(self.digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1));
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    fn digit(&self, at: i64) -> char {
        usize::try_from(at).ok().and_then(|at| self.digits.get(at)).map_or('0', |digit| char::from(*digit))
    }

    fn fixed(&self, decimals: usize) -> String {
        let mut text = String::new();
        match self.point {
            ..=0 => text.push('0'),
            whole => text.extend((0..whole).map(|at| self.digit(at))),
        }
        if decimals > 0 {
            text.push('.');
            text.extend((0..decimals as i64).map(|at| self.digit(self.point + at)));
        }
        text
    }

    fn scientific(&self, decimals: usize, letter: char) -> String {
        let mut text = String::from(self.digit(0));
        if decimals > 0 {
            text.push('.');
            text.extend((1..=decimals as i64).map(|at| self.digit(at)));
        }
        let exponent = if self.digits.is_empty() { 0 } else { self.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("{letter}{sign}{:02}", exponent.abs()));
        text
    }
}

/// The largest number of decimals. More are rarely requested, and the formats of the standard library end at 65,535.
const MAX_DECIMALS: usize = 1_000;

/// Formats a number of few digits with a fixed number of decimals, as [`Digits`] would.
fn fixed(number: &Number, decimals: usize) -> Option<String> {
    let (digits, scale) = number.small_parts()?;
    if decimals > MAX_DECIMALS {
        return None;
    }
    let (magnitude, scale) = (digits.unsigned_abs(), usize::from(scale));
    // The dropped digits are rounded half to even.
    let dropped = 10_u64.checked_pow(u32::try_from(scale.saturating_sub(decimals)).ok()?)?;
    let (kept, rest) = (magnitude / dropped, magnitude % dropped);
    let up = match rest.cmp(&(dropped / 2)) {
        _ if rest == 0 => false,
        Ordering::Less => false,
        Ordering::Equal => kept % 2 == 1,
        Ordering::Greater => true,
    };
    let places = scale.min(decimals);
    let power = 10_u64.checked_pow(u32::try_from(places).ok()?)?;
    let kept = kept.checked_add(u64::from(up))?;
    let (sign, whole) = (if digits < 0 { "-" } else { "" }, kept / power);
    Some(match (decimals, places) {
        (0, _) => format!("{sign}{whole}"),
        (_, 0) => format!("{sign}{whole}.{:0decimals$}", 0),
        _ => format!("{sign}{whole}.{:0places$}{:0<missing$}", kept % power, "", missing = decimals - places),
    })
}

/// Formats a number in the notation `e`, `f` or `g`, in capital letters if the verb is one, with its sign if it is
/// negative or an infinity.
pub(super) fn real(number: &Number, verb: char, precision: Option<usize>) -> String {
    if let ('f', Some(text)) = (verb, fixed(number, precision.unwrap_or(6))) {
        return text;
    }
    let Some(mut digits) = Digits::of(number) else {
        return if number.is_negative() { "-Inf" } else { "+Inf" }.to_owned();
    };
    let letter = if verb.is_ascii_uppercase() { 'E' } else { 'e' };
    let text = match verb.to_ascii_lowercase() {
        'f' => {
            let decimals = precision.unwrap_or(6);
            digits.round(digits.point + decimals as i64);
            digits.fixed(decimals)
        }
        'e' => {
            let decimals = precision.unwrap_or(6);
            digits.round(1 + decimals as i64);
            digits.scientific(decimals, letter)
        }
        _ => {
            if let Some(precision) = precision {
                digits.round(precision.max(1) as i64);
            }
            let count = digits.digits.len();
            let threshold = match precision.map(|precision| precision.max(1)) {
                None => 6,
                Some(wanted) if wanted > count && count as i64 >= digits.point => count as i64,
                Some(wanted) => wanted as i64,
            };
            let exponent = digits.point - 1;
            match exponent < -4 || exponent >= threshold {
                true => digits.scientific(count.saturating_sub(1), letter),
                false => digits.fixed(usize::try_from(count as i64 - digits.point).unwrap_or(0)),
            }
        }
    };
    if digits.negative { format!("-{text}") } else { text }
}

/// Returns the shortest notation of a number, as written by `%v`.
pub(crate) fn shortest(number: &Number) -> String {
    real(number, 'g', None)
}

/// All digits of a number, without an exponent.
pub(crate) fn plain(number: &Number) -> String {
    match number.is_infinite() {
        true => shortest(number),
        false => number.to_string(),
    }
}

/// A whole number; `None` if it is not one.
pub(crate) fn whole(number: &Number) -> Option<BigInt> {
    let decimal = number.to_big_decimal().filter(|_| number.is_whole())?;
    Some(decimal.with_scale(0).into_bigint_and_exponent().0)
}

#[cfg(test)]
mod tests {
    use super::{Digits, fixed};
    use crate::model::Number;

    #[test]
    fn few_digits_are_written_as_many_are() {
        let digits = [0, 1, 5, 15, 25, 49, 50, 51, 95, 99, 125, 995, 1_005, 999_999, i64::MAX];
        for (digits, scale) in digits.into_iter().flat_map(|digits| (0..=18).map(move |scale| (digits, scale))) {
            for sign in ["", "-"] {
                let number = Number::parse(&format!("{sign}{digits}e-{scale}")).expect("a number");
                for decimals in [0, 1, 2, 3, 6, 17, 18, 19, 30] {
                    let mut all = Digits::of(&number).expect("it is finite");
                    all.round(all.point + decimals as i64);
                    let sign = if all.negative { "-" } else { "" };
                    let expected = format!("{sign}{}", all.fixed(decimals));
                    assert_eq!(fixed(&number, decimals), Some(expected), "{number} {decimals}");
                }
            }
        }
    }
}
