//! Formats with verbs, as in the function `format` of the official library.
//!
//! `%[flags][width][.precision][[index]]letter`, with the flags of Go's package fmt.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::decimal;
use crate::limits::{Account, Exceeded, steps_through};
use crate::model::{Number, Type, Value, json};

/// An error of an argument, counted from 0 after the format, or of the format.
#[derive(Debug)]
pub(crate) struct FormatError {
    pub argument: Option<usize>,
    pub message: String,
}

impl From<String> for FormatError {
    fn from(message: String) -> Self {
        FormatError { argument: None, message }
    }
}

/// A verb with all that belongs to it.
struct Verb<'f> {
    text: &'f str,
    letter: char,
    zero: bool,
    sharp: bool,
    minus: bool,
    plus: bool,
    space: bool,
    width: Option<usize>,
    precision: Option<usize>,
    /// The number of the argument, from 1.
    argument: usize,
}

/// Formats values, all of which are known.
pub(crate) fn format(
    text: &mut String,
    format: &str,
    arguments: &[&Value],
    account: &Account,
) -> Result<(), FormatError> {
    let (mut rest, mut next, mut highest) = (format, 1, 0);
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("%%") {
            text.push('%');
            rest = after;
            continue;
        }
        let (verb, after) = Verb::read(rest, next)?;
        rest = after;
        next = verb.argument.saturating_add(1);
        highest = highest.max(verb.argument);
        let Some(value) = arguments.get(verb.argument - 1) else {
            let count = arguments.len();
            let message =
                format!("`{}` needs argument {}, but there are {count} after the format", verb.text, verb.argument);
            return Err(message.into());
        };
        verb.count(value, account)?;
        let before = text.len();
        verb.apply(value, text).map_err(|why| FormatError {
            argument: Some(verb.argument - 1),
            message: format!("invalid for `{}`: {why}", verb.text),
        })?;
        account.more_text(before, text.len() - before)?;
    }
    text.push_str(rest);
    if highest < arguments.len() {
        let message = match highest {
            0 => "the format has no verbs, so it takes no arguments".to_owned(),
            _ => format!("the format uses only {highest} of the arguments"),
        };
        return Err(FormatError { argument: Some(highest), message });
    }
    Ok(())
}

/// Returns the value converted to a type; a value of the type is not copied.
fn converted<'v>(value: &'v Value, ty: &Type) -> Result<Cow<'v, Value>, String> {
    match value.is_of(ty) {
        true => Ok(Cow::Borrowed(value)),
        false => value.convert(ty).map(Cow::Owned).map_err(|why| why.to_string()),
    }
}

/// Writes a character some times.
fn fill(out: &mut String, character: char, count: usize) {
    out.extend(std::iter::repeat_n(character, count));
}

impl From<Exceeded> for FormatError {
    fn from(exceeded: Exceeded) -> Self {
        FormatError { argument: None, message: exceeded.to_string() }
    }
}

impl<'f> Verb<'f> {
    /// Reads the verb that a text begins with. Returns it with the rest of the text.
    fn read(text: &'f str, next: usize) -> Result<(Verb<'f>, &'f str), FormatError> {
        let mut verb = Verb {
            text,
            letter: ' ',
            zero: false,
            sharp: false,
            minus: false,
            plus: false,
            space: false,
            width: None,
            precision: None,
            argument: next,
        };
        let bytes = text.as_bytes();
        let mut at = 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'0' => verb.zero = true,
                b'#' => verb.sharp = true,
                b'-' => verb.minus = true,
                b'+' => verb.plus = true,
                b' ' => verb.space = true,
                _ => break,
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let start = *at;
            *at += bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let digits = &text[start..*at];
            if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(usize::MAX)) }
        };
        verb.width = number(&mut at);
        if bytes.get(at) == Some(&b'.') {
            at += 1;
            verb.precision = Some(number(&mut at).unwrap_or(0));
        }
        if bytes.get(at) == Some(&b'[') {
            at += 1;
            let start = at;
            match number(&mut at) {
                Some(index) if bytes[start] != b'0' && bytes.get(at) == Some(&b']') => verb.argument = index,
                _ => return Err(unknown(text, at)),
            }
            at += 1;
        }
        match bytes.get(at) {
            Some(letter) if letter.is_ascii_alphabetic() => verb.letter = char::from(*letter),
            _ => return Err(unknown(text, at)),
        }
        let (own, after) = text.split_at(at + 1);
        verb.text = own;
        Ok((verb, after))
    }

    /// Counts what writing the value takes.
    fn count(&self, value: &Value, account: &Account) -> Result<(), Exceeded> {
        let wanted = self.width.unwrap_or(0).max(self.precision.unwrap_or(0));
        account.text(wanted)?;
        account.text(wanted)?;
        match value.as_number() {
            Some(number) => {
                // In base 2 there are more digits.
                account.bytes(8 * number.digit_bytes())?;
                account.steps(1 + number.steps_with(number))
            }
            None => {
                account.bytes(value.size().saturating_mul(6))?;
                account.steps(1 + value.as_str().map_or_else(|| value.steps(), steps_through))
            }
        }
    }

    fn apply(&self, value: &Value, out: &mut String) -> Result<(), String> {
        if self.letter != 'v' && value.is_null() {
            return Err("it is null".to_owned());
        }
        match self.letter {
            'v' => self.as_it_is(value, out),
            't' => {
                let truth = converted(value, &Type::Bool)?.as_bool().unwrap_or_default();
                out.push_str(if truth { "true" } else { "false" });
                Ok(())
            }
            'b' | 'd' | 'o' | 'x' | 'X' => match converted(value, &Type::Number)?.as_number() {
                Some(number) => self.integer(number, out),
                None => Err("a number is required".to_owned()),
            },
            'e' | 'E' | 'f' | 'g' | 'G' => match converted(value, &Type::Number)?.as_number() {
                Some(number) => {
                    self.real(number, out);
                    Ok(())
                }
                None => Err("a number is required".to_owned()),
            },
            's' | 'q' => self.string(converted(value, &Type::String)?.as_str().unwrap_or_default(), out),
            _ => Err("there is no such verb; the verbs are v, t, b, d, o, x, X, e, E, f, g, G, s, q".to_owned()),
        }
    }

    fn as_it_is(&self, value: &Value, out: &mut String) -> Result<(), String> {
        if !self.sharp {
            if let Some(text) = value.as_str() {
                self.padded(text, out);
                return Ok(());
            }
            if let Some(number) = value.as_number() {
                self.padded(&decimal::shortest(number), out);
                return Ok(());
            }
        }
        self.padded(&json::encode_implied(value).map_err(|why| why.to_string())?, out);
        Ok(())
    }

    fn string(&self, text: &str, out: &mut String) -> Result<(), String> {
        let text = match self.precision {
            Some(most @ 1..) => text.grapheme_indices(true).nth(most).map_or(text, |(end, _)| &text[..end]),
            _ => text,
        };
        match self.letter {
            's' => self.padded(text, out),
            _ => self.padded(&json::encode_implied(&Value::from(text)).map_err(|why| why.to_string())?, out),
        }
        Ok(())
    }

    /// Pads a text to its width, in characters as readers perceive them.
    fn padded(&self, text: &str, out: &mut String) {
        let Some(width) = self.width else { return out.push_str(text) };
        // There are at most as many characters as bytes, so most texts need not be counted.
        let length = if text.is_ascii() && !text.contains('\r') { text.len() } else { text.graphemes(true).count() };
        let (padding, missing) = (if self.zero { '0' } else { ' ' }, width.saturating_sub(length));
        if self.minus {
            out.push_str(text);
            fill(out, padding, missing);
        } else {
            fill(out, padding, missing);
            out.push_str(text);
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn integer(&self, number: &Number, out: &mut String) -> Result<(), String> {
        let (radix, prefix) = match self.letter {
            'b' => (2, "0b"),
            'o' => (8, "0"),
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            _ => (10, ""),
        };
        let prefix = if self.sharp { prefix } else { "" };
        let digits = match number.small_parts() {
            Some((small, 0)) if radix == 10 => small.unsigned_abs().to_string(),
            _ => {
                let Some(whole) = decimal::whole(number) else { return Err("a whole number is required".to_owned()) };
                whole.magnitude().to_str_radix(radix)
            }
        };
        let digits = if self.letter == 'X' { digits.to_ascii_uppercase() } else { digits };
        if digits == "0" && self.precision == Some(0) {
            return Ok(());
        }
        let sign = self.sign(number.is_negative());
        let mut zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let length = sign.len() + prefix.len() + zeros + digits.len();
        let missing = self.width.unwrap_or(0).saturating_sub(length);
        let (mut left, mut right) = (0, 0);
        match (self.minus, self.zero && self.precision.is_none()) {
            (true, _) => right = missing,
            (_, true) => zeros = missing,
            _ => left = missing,
        }
        fill(out, ' ', left);
        out.push_str(sign);
        out.push_str(prefix);
        fill(out, '0', zeros);
        out.push_str(&digits);
        fill(out, ' ', right);
        Ok(())
    }

    fn real(&self, number: &Number, out: &mut String) {
        let text = decimal::real(number, self.letter, self.precision);
        let (sign, digits) = match text.split_at_checked(1) {
            Some(("-", digits)) => ("-", digits),
            Some(("+", digits)) => (if self.space { " " } else { "+" }, digits),
            _ => (self.sign(false), text.as_str()),
        };
        let missing = self.width.unwrap_or(0).saturating_sub(sign.len() + digits.len());
        // Unlike for whole numbers, zeros override the side here.
        let (left, zeros, right) = match (self.zero && !number.is_infinite(), self.minus) {
            (true, _) => (0, missing, 0),
            (_, true) => (0, 0, missing),
            _ => (missing, 0, 0),
        };
        fill(out, ' ', left);
        out.push_str(sign);
        fill(out, '0', zeros);
        out.push_str(digits);
        fill(out, ' ', right);
    }
}

fn unknown(text: &str, at: usize) -> FormatError {
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let message = match text.len() == at {
        true => format!("the verb `{text}` is not complete; for a literal percent sign write `%%`"),
        false => format!("`{}` is not a verb; for a literal percent sign write `%%`", &text[..end]),
    };
    message.into()
}
