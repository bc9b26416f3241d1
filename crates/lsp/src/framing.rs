//! Frames messages in a stream: headers, lengths, and JSON texts.
//!
//! The stream is untrusted. Headers and messages have limits, which are checked before memory is allocated. A refused
//! message gets an answer, and reading goes on: after an unusable header, the next `Content-Length:` begins a message.
//! No JSON text can look like a header, because its strings contain no line breaks.

use std::io::{self, BufRead, Read};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// A longer header is refused.
const MAX_HEADER: usize = 4 << 10;

/// A longer message is refused.
pub const MAX_MESSAGE: u64 = 64 << 20;

/// The maximum memory for the values of a message, without their texts.
const MAX_VALUES: usize = 64 << 20;

/// The field of a header that all messages have.
const LENGTH: &[u8] = b"content-length:";

/// A part of a stream.
#[derive(Debug)]
pub enum Part {
    Message(Message),
    /// Something that is refused, with the answer.
    Refused(Refusal),
    /// The stream ends; true if it ends between two messages.
    End(bool),
}

/// The answer to a message that the server cannot accept.
#[derive(Debug, PartialEq)]
pub struct Refusal {
    pub id: Option<RequestId>,
    pub code: i32,
    pub message: String,
}

impl Refusal {
    fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal { id: None, code: code as i32, message: message.into() }
    }

    /// The answer as text in JSON. Its id is null if that of the question is not known.
    pub fn text(&self) -> String {
        let error = json!({ "code": self.code, "message": self.message });
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error }).to_string()
    }
}

/// The end of a header.
enum Header {
    /// The length of the message that follows.
    Length(u64),
    Refused(String),
    /// The end of the stream; true if it is not inside a header.
    End(bool),
}

/// The messages of a stream.
pub struct Messages<S> {
    stream: S,
    /// True after a refused header, because the following bytes may belong to its message.
    is_lost: bool,
}

impl<S: BufRead> Messages<S> {
    pub fn new(stream: S) -> Self {
        Messages { stream, is_lost: false }
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn next(&mut self) -> io::Result<Part> {
        let length = match self.header()? {
            Header::Length(length) => length,
            Header::End(is_whole) => return Ok(Part::End(is_whole)),
            Header::Refused(why) => {
                self.is_lost = true;
                return Ok(Part::Refused(Refusal::new(ErrorCode::ParseError, why)));
            }
        };
        let mut text = Vec::new();
        // Memory is allocated as bytes arrive, because the stated length may be false.
        (&mut self.stream).take(length).read_to_end(&mut text)?;
        if (text.len() as u64) < length {
            return Ok(Part::End(false));
        }
        Ok(match message(&text) {
            Ok(message) => Part::Message(message),
            Err(refusal) => Part::Refused(refusal),
        })
    }

    fn header(&mut self) -> io::Result<Header> {
        let mut line = Vec::new();
        if std::mem::take(&mut self.is_lost) {
            if !self.skip_to_length()? {
                return Ok(Header::End(false));
            }
            line.extend_from_slice(LENGTH);
        }
        let (mut length, mut room) = (None, MAX_HEADER as u64);
        loop {
            let count = (&mut self.stream).take(room).read_until(b'\n', &mut line)?;
            room -= count as u64;
            if !line.ends_with(b"\n") {
                return Ok(match room {
                    0 => Header::Refused(format!("the header is longer than {MAX_HEADER} bytes")),
                    _ => Header::End(line.is_empty() && room == MAX_HEADER as u64),
                });
            }
            let text = line.trim_ascii_end();
            if text.is_empty() {
                let missing = || Header::Refused("the header has no `Content-Length`".to_owned());
                return Ok(length.map_or_else(missing, Header::Length));
            }
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
            let colon = memchr::memchr(b':', text).filter(|colon| text[..*colon].iter().all(is_part));
            let Some(colon) = colon else {
                return Ok(Header::Refused("a line of the header is not `NAME: VALUE`".to_owned()));
            };
            if text[..=colon].eq_ignore_ascii_case(LENGTH) {
                let value = text[colon + 1..].trim_ascii();
                match length_of(value) {
                    _ if length.is_some() => {
                        return Ok(Header::Refused("the header has more than one `Content-Length`".to_owned()));
                    }
                    Ok(value) => length = Some(value),
                    Err(why) => return Ok(Header::Refused(why)),
                }
            }
            line.clear();
        }
    }

    /// Skips everything up to and including the next `Content-Length:`. Returns false if there is none.
    fn skip_to_length(&mut self) -> io::Result<bool> {
        let mut matched = 0;
        loop {
            let bytes = self.stream.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            for (at, byte) in bytes.iter().map(u8::to_ascii_lowercase).enumerate() {
                matched = match byte {
                    _ if byte == LENGTH[matched] => matched + 1,
                    // The first letter is nowhere else in the word.
                    _ => usize::from(byte == LENGTH[0]),
                };
                if matched == LENGTH.len() {
                    self.stream.consume(at + 1);
                    return Ok(true);
                }
            }
            let count = bytes.len();
            self.stream.consume(count);
        }
    }
}

/// Reads the length of a message.
fn length_of(value: &[u8]) -> Result<u64, String> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err("the `Content-Length` is not a number of bytes".to_owned());
    }
    let length = std::str::from_utf8(value).ok().and_then(|text| text.parse::<u64>().ok());
    let too_long = || format!("the message is longer than {} MiB", MAX_MESSAGE >> 20);
    length.filter(|length| *length <= MAX_MESSAGE).ok_or_else(too_long)
}

/// Reads a message.
fn message(text: &[u8]) -> Result<Message, Refusal> {
    let wrong = |why: &str| Refusal::new(ErrorCode::ParseError, why);
    let text = std::str::from_utf8(text).map_err(|_| wrong("the message is not UTF-8"))?;
    if weight(text.as_bytes()) > MAX_VALUES {
        return Err(wrong("the message has too many values"));
    }
    let value: Value = serde_json::from_str(text).map_err(|why| wrong(&format!("the message is not JSON: {why}")))?;
    let invalid = |id: &Option<RequestId>, why: &str| Refusal {
        id: id.clone(),
        ..Refusal::new(ErrorCode::InvalidRequest, format!("the message is neither a request nor a notification: {why}"))
    };
    let Value::Object(mut fields) = value else { return Err(invalid(&None, "it is not an object")) };
    let has_id = fields.contains_key("id");
    let id = fields.remove("id").and_then(|id| serde_json::from_value::<RequestId>(id).ok());
    let params = fields.remove("params").unwrap_or_default();
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Ok(Request { id, method, params }.into()),
        (Some(Value::String(method)), None) if !has_id => Ok(Notification { method, params }.into()),
        (Some(Value::String(_)), None) => Err(invalid(&None, "its id is neither a number of 32 bits nor a string")),
        (Some(_), id) => Err(invalid(&id, "its method is not a string")),
        (None, Some(id)) if fields.contains_key("error") => {
            let error = serde_json::from_value(fields.remove("error").unwrap_or_default());
            let error = error.map_err(|_| invalid(&Some(id.clone()), "its error has no code and message"))?;
            Ok(Response { id, response_result: Err(error) }.into())
        }
        (None, Some(id)) if fields.contains_key("result") => {
            Ok(Response { id, response_result: Ok(fields.remove("result").unwrap_or_default()) }.into())
        }
        (None, id) => Err(invalid(&id, "it has no method")),
    }
}

/// The memory that the values of a text in JSON take, roughly and without their texts.
fn weight(text: &[u8]) -> usize {
    /// An object has room for several members, and a list for a few elements.
    const OBJECT: usize = 640;
    const LIST: usize = 128;
    const ELEMENT: usize = 64;
    let (mut weight, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
                    at += found;
                    if text[at] == b'"' {
                        break;
                    }
                    at += 2;
                }
            }
            b'{' => weight += OBJECT,
            b'[' => weight += LIST,
            b',' => weight += ELEMENT,
            _ => {}
        }
        at += 1;
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a stream, in words.
    fn parts(stream: &[u8]) -> Vec<String> {
        let mut messages = Messages::new(stream);
        let mut found = Vec::new();
        loop {
            match messages.next().expect("memory") {
                Part::Message(message) => found.push(json!(message).to_string()),
                Part::Refused(refusal) => found.push(refusal.text()),
                Part::End(is_whole) => {
                    found.push(format!("end {is_whole}"));
                    return found;
                }
            }
        }
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    const GOOD: &str = r#"{"method":"initialized"}"#;

    #[test]
    fn after_what_is_refused_the_next_message_is_read() {
        let long = "A: b\r\n".repeat(1_000);
        let headers = [
            "Content-Length: 999999999999999999\r\n\r\n",
            "Content-Length: 18446744073709551615\r\n\r\n{}",
            "Content-Length: 18446744073709551616\r\n\r\n",
            "Content-Length: -5\r\n\r\nabcde",
            "Content-Length: five\r\n\r\nabcde",
            "Content-Length:\r\n\r\n",
            "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
            "Content-Type: text\r\n\r\n",
            "\r\n",
            "no header\r\n",
            &long,
            &"x".repeat(MAX_HEADER),
        ];
        for header in headers {
            let found = parts((header.to_owned() + &framed(GOOD)).as_bytes());
            assert_eq!(found.len(), 3, "{header}: {found:?}");
            assert!(found[0].contains("\"code\":-32700") && found[0].contains("\"id\":null"), "{header}: {found:?}");
            assert_eq!(found[1..], [GOOD, "end true"], "{header}");
        }
    }

    #[test]
    fn messages_that_cannot_be_read_are_answered() {
        let many = format!("[{}0]", "0,".repeat(2_000_000));
        for (text, code, id) in [
            ("", "-32700", "null"),
            ("{", "-32700", "null"),
            (r#"{"method":"\ud800"}"#, "-32700", "null"),
            (&*many, "-32700", "null"),
            (&"[".repeat(100_000), "-32700", "null"),
            ("[]", "-32600", "null"),
            ("5", "-32600", "null"),
            ("{}", "-32600", "null"),
            (r#"{"id":1.5,"method":"a"}"#, "-32600", "null"),
            (r#"{"id":null,"method":"a"}"#, "-32600", "null"),
            (r#"{"id":7,"method":5}"#, "-32600", "7"),
            (r#"{"id":"a"}"#, "-32600", "\"a\""),
            (r#"{"id":7,"error":5}"#, "-32600", "7"),
        ] {
            let found = parts((framed(text) + &framed(GOOD)).as_bytes());
            let start = text.get(..30).unwrap_or(text);
            assert_eq!(found.len(), 3, "{start}: {found:?}");
            let answer: Value = serde_json::from_str(&found[0]).expect("JSON");
            let shown = (answer["error"]["code"].to_string(), answer["id"].to_string());
            assert_eq!(shown, (code.to_owned(), id.to_owned()), "{start}");
            assert_eq!(found[1..], [GOOD, "end true"]);
        }
        let bytes = [b"Content-Length: 1\r\n\r\n\xff", framed(GOOD).as_bytes()].concat();
        let found = parts(&bytes);
        assert!(found[0].contains("not UTF-8"), "{found:?}");
        assert_eq!(found[1..], [GOOD, "end true"]);
    }

    #[test]
    fn messages_are_of_three_kinds() {
        for text in [
            r#"{"id":1,"method":"a","params":{"b":["[\"{"]}}"#,
            r#"{"method":"a","params":[1]}"#,
            r#"{"id":"b","result":null}"#,
            r#"{"id":1,"error":{"code":5,"message":"c"}}"#,
        ] {
            let found = parts(framed(text).replace("Length", "length").as_bytes());
            let found = found.iter().map(|part| serde_json::from_str::<Value>(part).ok()).collect::<Vec<_>>();
            assert_eq!(found, [serde_json::from_str(text).ok(), None]);
        }
    }

    #[test]
    fn an_end_within_a_message_is_told_from_others() {
        let whole = framed(GOOD);
        assert_eq!(parts(whole.as_bytes()), [GOOD, "end true"]);
        for end in 1..whole.len() {
            assert_eq!(parts(&whole.as_bytes()[..end]), ["end false"], "{end}");
        }
    }
}
