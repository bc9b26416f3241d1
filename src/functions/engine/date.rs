//! Points in time in the notation of RFC 3339, durations, and the verbs of `formatdate`.

use std::fmt;

const NANOS: i128 = 1_000_000_000;
const DAY: i64 = 86_400;

/// A point in time with the offset from UTC that it was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timestamp {
    /// Since the beginning of 1970 in UTC.
    nanos: i128,
    /// In seconds.
    offset: i64,
}

struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    weekday: i64,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Returns the days from the beginning of 1970 to a day of the Gregorian calendar. Years begin in March here, so that
/// the leap day is the last one.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The opposite of [`days_of`].
fn civil_of(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads a text from the left.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn number(&mut self, digits: usize, range: std::ops::RangeInclusive<i64>, what: &str) -> Result<i64, String> {
        let fits = self.rest.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(text) = fits else { return Err(format!("the {what} must have {digits} digits")) };
        self.rest = &self.rest[digits..];
        let number = text.parse().unwrap_or(-1);
        match range.contains(&number) {
            true => Ok(number),
            false => Err(format!("the {what} must be between {} and {}, not {text}", range.start(), range.end())),
        }
    }

    fn expect(&mut self, mark: char, before: &str) -> Result<(), String> {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(format!("`{mark}` is missing before the {before}")),
        }
    }
}

impl Timestamp {
    /// Reads `2006-01-02T15:04:05Z` and the like, strictly.
    pub fn parse(text: &str) -> Result<Timestamp, String> {
        Timestamp::read(text)
            .map_err(|why| format!("this is not an RFC 3339 timestamp such as 2006-01-02T15:04:05Z: {why}"))
    }

    fn read(text: &str) -> Result<Timestamp, String> {
        let mut reader = Reader { rest: text };
        let year = reader.number(4, 0..=9999, "year")?;
        reader.expect('-', "month")?;
        let month = reader.number(2, 1..=12, "month")?;
        reader.expect('-', "day")?;
        let day = reader.number(2, 1..=days_in(year, month), "day of this month")?;
        reader.expect('T', "hour")?;
        let hour = reader.number(2, 0..=23, "hour")?;
        reader.expect(':', "minute")?;
        let minute = reader.number(2, 0..=59, "minute")?;
        reader.expect(':', "second")?;
        let second = reader.number(2, 0..=59, "second")?;
        let mut nanos = 0;
        if let Some(fraction) = reader.rest.strip_prefix('.') {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return Err("digits are missing after the `.`".to_owned());
            }
            nanos = nanoseconds(&fraction[..digits]);
            reader.rest = &fraction[digits..];
        }
        let mut offset = 0;
        if reader.rest != "Z" {
            let sign = match reader.rest.chars().next() {
                Some('+') => 1,
                Some('-') => -1,
                _ => return Err("the offset from UTC is missing, such as Z or +02:00".to_owned()),
            };
            reader.rest = &reader.rest[1..];
            let hours = reader.number(2, 0..=23, "hour of the offset")?;
            reader.expect(':', "minute of the offset")?;
            let minutes = reader.number(2, 0..=59, "minute of the offset")?;
            if !reader.rest.is_empty() {
                return Err("there is more text after the offset".to_owned());
            }
            offset = sign * (hours * 3_600 + minutes * 60);
        }
        Ok(Timestamp::new((year, month, day), (hour, minute, second), nanos, offset))
    }

    /// Creates a point in time from its parts, which must be in range.
    pub fn new(date: (i64, i64, i64), time: (i64, i64, i64), nanos: i64, offset: i64) -> Timestamp {
        let seconds = days_of(date.0, date.1, date.2) * DAY + time.0 * 3_600 + time.1 * 60 + time.2 - offset;
        Timestamp { nanos: i128::from(seconds) * NANOS + i128::from(nanos), offset }
    }

    /// Creates a point in time from its parts, if they are in range.
    pub fn checked(date: (i64, i64, i64), time: (i64, i64, i64), nanos: i64, offset: i64) -> Option<Timestamp> {
        let (year, month, day) = date;
        let date_fits = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
        let time_fits = time.0 < 24 && time.1 < 60 && time.2 < 60;
        (date_fits && time_fits).then(|| Timestamp::new(date, time, nanos, offset))
    }

    /// Creates a point in time from seconds and nanoseconds since the beginning of 1970, in UTC.
    pub fn since_1970(seconds: i64, nanos: u32) -> Timestamp {
        Timestamp { nanos: i128::from(seconds) * NANOS + i128::from(nanos), offset: 0 }
    }

    pub fn plus(self, duration: i64) -> Timestamp {
        Timestamp { nanos: self.nanos + i128::from(duration), ..self }
    }

    /// Compares two points in time, wherever they were written.
    pub fn compare(&self, other: &Timestamp) -> std::cmp::Ordering {
        self.nanos.cmp(&other.nanos)
    }

    fn civil(&self) -> Civil {
        let seconds = self.nanos.div_euclid(NANOS) as i64 + self.offset;
        let (days, of_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = civil_of(days);
        let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
        Civil { year, month, day, hour, minute, second, weekday: (days + 4).rem_euclid(7) }
    }

    fn zone(&self, colon: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
    }

    fn zone_or_z(&self) -> String {
        if self.offset == 0 { "Z".to_owned() } else { self.zone(":") }
    }

    /// Formats the time by a layout.
    pub fn format(&self, layout: &str) -> Result<String, String> {
        let civil = self.civil();
        let mut text = String::new();
        let mut rest = layout;
        while let Some(first) = rest.chars().next() {
            if first == '\'' {
                rest = quoted(rest, &mut text)?;
                continue;
            }
            let same = first.is_ascii_alphabetic();
            let belongs = |c: char| if same { c == first } else { c != '\'' && !c.is_ascii_alphabetic() };
            let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
            let (token, after) = rest.split_at(end);
            rest = after;
            match same {
                true => text.push_str(&self.verb(&civil, token)?),
                false => text.push_str(token),
            }
        }
        Ok(text)
    }

    fn verb(&self, civil: &Civil, verb: &str) -> Result<String, String> {
        let Civil { year, month, day, hour, minute, second, weekday } = civil;
        let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
        let (month_name, day_name) = (MONTHS[*month as usize - 1], WEEKDAYS[*weekday as usize]);
        let shown = match verb {
            "YYYY" => padded(*year, 4),
            "YY" => padded(year % 100, 2),
            "MMMM" => month_name.to_owned(),
            "MMM" => month_name[..3].to_owned(),
            "MM" => padded(*month, 2),
            "M" => month.to_string(),
            "DD" => padded(*day, 2),
            "D" => day.to_string(),
            "EEEE" => day_name.to_owned(),
            "EEE" => day_name[..3].to_owned(),
            "hh" => padded(*hour, 2),
            "h" => hour.to_string(),
            "HH" => padded(twelve, 2),
            "H" => twelve.to_string(),
            "AA" => if *hour < 12 { "AM" } else { "PM" }.to_owned(),
            "aa" => if *hour < 12 { "am" } else { "pm" }.to_owned(),
            "mm" => padded(*minute, 2),
            "m" => minute.to_string(),
            "ss" => padded(*second, 2),
            "s" => second.to_string(),
            "ZZZZZ" => self.zone(":"),
            "ZZZZ" => self.zone(""),
            "ZZZ" if self.offset.abs() < 60 => "UTC".to_owned(),
            "ZZZ" => self.zone(""),
            "Z" => self.zone_or_z(),
            _ => {
                let known = match &verb[..1] {
                    "Y" => "a year is YYYY or YY",
                    "M" => "a month is MMMM, MMM, MM or M",
                    "D" => "a day of the month is DD or D",
                    "E" => "a day of the week is EEEE or EEE",
                    "h" => "an hour of 24 is hh or h",
                    "H" => "an hour of 12 is HH or H",
                    "A" | "a" => "AM or PM is AA, am or pm is aa",
                    "m" => "a minute is mm or m",
                    "s" => "a second is ss or s",
                    "Z" => "an offset from UTC is ZZZZZ, ZZZZ, ZZZ or Z",
                    _ => "literal letters are written between single quotes",
                };
                return Err(format!("`{verb}` is not a verb for dates; {known}"));
            }
        };
        Ok(shown)
    }
}

/// Returns at least `width` digits; a minus sign counts as one.
fn padded(number: i64, width: usize) -> String {
    format!("{number:0width$}")
}

/// Appends the text between single quotes, where two quotes are one. Returns the rest of the layout.
fn quoted<'t>(layout: &'t str, to: &mut String) -> Result<&'t str, String> {
    let inner = &layout[1..];
    if let Some(rest) = inner.strip_prefix('\'') {
        to.push('\'');
        return Ok(rest);
    }
    let mut rest = inner;
    while let Some(at) = rest.find('\'') {
        to.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('\'') {
            Some(after) => {
                to.push('\'');
                rest = after;
            }
            None => return Ok(rest),
        }
    }
    // Two quotes at the end of the layout are a literal quote and the end.
    match inner.ends_with('\'') {
        true => Ok(""),
        false => Err("the closing single quote is missing".to_owned()),
    }
}

/// Returns the nanoseconds of the digits after a decimal point.
pub(super) fn nanoseconds(digits: &str) -> i64 {
    let mut nanos = 0;
    for at in 0..9 {
        nanos = nanos * 10 + digits.as_bytes().get(at).map_or(0, |digit| i64::from(digit - b'0'));
    }
    nanos
}

/// Writes the time as in RFC 3339, in whole seconds.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second, .. } = self.civil();
        let sign = if year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{month:02}-{day:02}", year.abs())?;
        write!(f, "T{hour:02}:{minute:02}:{second:02}{}", self.zone_or_z())
    }
}

/// Parses a duration such as `1h30m`, `-1.5s` or `2µs` to nanoseconds: numbers with units, as in Go.
pub(crate) fn duration(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is not a duration such as 1h30m or -90s; the units are h, m, s, ms, us and ns");
    let too_long = || format!("the duration `{text}` is too long; the longest is about 292 years");
    let (negative, mut rest) = match text.chars().next() {
        Some('-') => (true, &text[1..]),
        Some('+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(wrong());
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        crate::work::step(1);
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, after) = rest.split_at(digits(rest));
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => after.split_at(digits(after)),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(wrong());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let unit: u64 = match &after[..end] {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return Err(wrong()),
        };
        rest = &after[end..];
        // Durations have 63 bits, and one more at the negative end.
        let limit = 1_u64 << 63;
        let whole = if whole.is_empty() { Some(0) } else { whole.parse::<u64>().ok() };
        let nanos = whole.filter(|whole| *whole <= limit).and_then(|whole| whole.checked_mul(unit));
        let nanos = nanos.and_then(|nanos| nanos.checked_add(part_of(fraction, unit)));
        let sum = nanos.filter(|nanos| *nanos <= limit).and_then(|nanos| total.checked_add(nanos));
        total = sum.filter(|sum| *sum <= limit).ok_or_else(too_long)?;
    }
    match negative {
        true => 0_i64.checked_sub_unsigned(total).ok_or_else(too_long),
        false => i64::try_from(total).map_err(|_| too_long()),
    }
}

/// Returns `0.fraction` of a unit, truncated to nanoseconds, with the floating-point steps of Go.
fn part_of(fraction: &str, unit: u64) -> u64 {
    let (mut digits, mut scale): (u64, f64) = (0, 1.0);
    for digit in fraction.bytes().map(|byte| u64::from(byte - b'0')) {
        match digits.checked_mul(10).and_then(|shifted| shifted.checked_add(digit)) {
            Some(next) if next <= i64::MAX as u64 => digits = next,
            _ => break,
        }
        scale *= 10.0;
    }
    (digits as f64 * (unit as f64 / scale)) as u64
}
