//! Messages over a stream or in memory.
//!
//! The outline or the highlighting of a long file takes ten times as much memory as values than as text. So these
//! answers are produced as text, and written unchanged.

use std::io::{self, BufRead, Write};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};
use hcl_lr::source::visible::reason;
use lsp_server::{Message, RequestId, Response};
use serde::Serialize;
use serde_json::Value;

use crate::framing::{Messages, Part};

/// A message to the client.
pub enum Outgoing {
    Message(Message),
    /// An answer whose result is JSON text.
    Answer(RequestId, String),
    /// A message as text in JSON.
    Text(String),
}

impl<M: Into<Message>> From<M> for Outgoing {
    fn from(message: M) -> Self {
        Outgoing::Message(message.into())
    }
}

/// The way to the client.
#[derive(Clone)]
pub enum Out {
    Stream(Sender<Outgoing>),
    Memory(Sender<Message>),
}

impl Out {
    /// Sends a message. It is dropped if the client has gone.
    pub fn send(&self, message: Outgoing) {
        let _ = match (self, message) {
            (Out::Stream(out), message) => out.send(message).is_ok(),
            (Out::Memory(out), Outgoing::Message(message)) => out.send(message).is_ok(),
            // A message that arrives as a value is never refused.
            (Out::Memory(_), Outgoing::Text(_)) => true,
            (Out::Memory(out), Outgoing::Answer(id, text)) => {
                let value = serde_json::from_str(&text).unwrap_or_default();
                out.send(Response { id, response_result: Ok(value) }.into()).is_ok()
            }
        };
    }
}

/// The number of messages that wait for a client which reads slowly.
const MAX_WAITING: usize = 64;

/// The number of messages that are read ahead, by which the server sees that more is to come.
const MAX_AHEAD: usize = 4;

/// The threads that read and write.
pub struct Threads {
    reader: JoinHandle<io::Result<bool>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until everything is written. `Err` describes a failure.
    pub fn join(self) -> Result<(), String> {
        let failed = || Err("internal error: a thread failed; please report this".to_owned());
        match self.reader.join() {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return Err("standard input ends within a message".to_owned()),
            Ok(Err(error)) => return Err(format!("standard input cannot be read: {}", reason(&error))),
            Err(_) => return failed(),
        }
        match self.writer.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("standard output cannot be written: {}", reason(&error))),
            Err(_) => failed(),
        }
    }
}

/// Reads from standard input, and writes to standard output.
pub fn stdio() -> (Out, Receiver<Message>, Threads) {
    let (out, outgoing) = bounded::<Outgoing>(MAX_WAITING);
    let (incoming, messages) = bounded::<Message>(MAX_AHEAD);
    let writer = thread::spawn(move || {
        let mut stream = io::stdout().lock();
        outgoing.into_iter().try_for_each(|message| write(&message, &mut stream))
    });
    let out = Out::Stream(out);
    let answers = out.clone();
    let reader = thread::spawn(move || read(io::stdin().lock(), &incoming, &answers));
    (out, messages, Threads { reader, writer })
}

/// Reads messages until the client sends `exit`, or the stream or the server ends. Returns false if the stream ends
/// inside a message.
fn read(stream: impl BufRead, incoming: &Sender<Message>, out: &Out) -> io::Result<bool> {
    let mut messages = Messages::new(stream);
    loop {
        match messages.next()? {
            Part::Message(message) => {
                let is_last = matches!(&message, Message::Notification(notification) if notification.method == "exit");
                if incoming.send(message).is_err() || is_last {
                    return Ok(true);
                }
            }
            Part::Refused(refusal) => out.send(Outgoing::Text(refusal.text())),
            Part::End(is_whole) => return Ok(is_whole),
        }
    }
}

fn write(message: &Outgoing, stream: &mut impl Write) -> io::Result<()> {
    match message {
        Outgoing::Message(message) => message.write(stream),
        Outgoing::Answer(id, result) => {
            let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":", serde_json::to_string(id)?);
            write!(stream, "Content-Length: {}\r\n\r\n", start.len() + result.len() + "}".len())?;
            for part in [&*start, result, "}"] {
                stream.write_all(part.as_bytes())?;
            }
            stream.flush()
        }
        Outgoing::Text(text) => {
            write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len())?;
            stream.flush()
        }
    }
}

/// Returns the text of a result. The results of this package contain only names, numbers and texts, so this cannot
/// fail.
pub fn text_of(result: &impl Serialize) -> String {
    serde_json::to_string(result).unwrap_or_else(|_| "null".to_owned())
}

/// The text of a list, of which only one element is a value at a time.
pub fn text_of_each(elements: impl IntoIterator<Item = Value>) -> String {
    let mut text = "[".to_owned();
    for element in elements {
        text += if text.len() > 1 { "," } else { "" };
        text += &element.to_string();
    }
    text + "]"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_as_text_are_messages_like_others() {
        for id in [RequestId::from(7), RequestId::from("a\"b".to_owned())] {
            let value = json!([{ "name": "é\n", "kind": 5 }]);
            let mut texts = [Vec::new(), Vec::new()];
            let response = Response { id: id.clone(), response_result: Ok(value.clone()) };
            write(&response.into(), &mut texts[0]).expect("memory");
            write(&Outgoing::Answer(id, text_of(&value)), &mut texts[1]).expect("memory");
            let read =
                texts.map(|text| Message::read(&mut &text[..]).expect("a message").map(|message| json!(message)));
            assert_eq!(read[0], read[1]);
            assert_eq!(read[0].as_ref().map(|message| &message["result"]), Some(&value));
        }
    }

    #[test]
    fn lists_are_written_element_by_element() {
        for list in [json!([]), json!([1]), json!([{ "a": [] }, "b,c", null])] {
            let elements = list.as_array().cloned().unwrap_or_default();
            assert_eq!(text_of_each(elements), list.to_string());
        }
    }

    #[test]
    fn reading_ends_with_the_stream_and_after_exit() {
        let (incoming, messages) = bounded(10);
        let message = |method: &str| {
            let text = json!({ "jsonrpc": "2.0", "method": method }).to_string();
            format!("Content-Length: {}\r\n\r\n{text}", text.len())
        };
        let text = message("initialized") + &message("exit") + "what comes then is not read";
        let (out, answers) = bounded(10);
        let out = Out::Stream(out);
        assert!(matches!(read(text.as_bytes(), &incoming, &out), Ok(true)));
        assert_eq!(messages.try_iter().count(), 2);
        assert!(matches!(read(message("initialized").as_bytes(), &incoming, &out), Ok(true)));
        assert!(answers.is_empty());
        let broken = message("initialized").replace(": ", " ");
        assert!(matches!(read(broken.as_bytes(), &incoming, &out), Ok(false)));
        assert!(matches!(answers.try_recv(), Ok(Outgoing::Text(_))));
    }
}
