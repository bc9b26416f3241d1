//! The conformance protocol: one JSON question a line in, one JSON answer a line out.
//!
//! It is how any HCL implementation can be asked the same things as any other, so that their
//! answers can be compared. A program speaks it with [`run`], a test asks single questions of
//! [`answer`].
//!
//! The protocol writes values and types in an encoding of its own, which says more than JSON can:
//! numbers as text, unknown values with what is known of them, marks ([`encode_value`]). The meaning
//! of a source, without how it is written, is the JSON of [`body_to_json`].
//!
//! ```
//! use hcl_lr_conformance::answer;
//!
//! let question = r#"{"op": "convert", "value": {"number": "1"}, "type": "string"}"#;
//! assert_eq!(answer(question), r#"{"ok":true,"value":"1"}"#);
//! ```

mod answer;
mod content;
mod context;
mod decode;
mod decoding;
mod encode;
mod json_meaning;
mod meaning;
mod members;
mod model;
pub mod runner;
pub mod suite;
mod tokens;
mod types;

use std::io::{self, BufRead, BufReader, Read, Write};

pub use answer::answer;
pub use decode::{BadRequest, decode_type, decode_value};
pub use encode::{encode_type, encode_value};
pub use json_meaning::json_to_json;
pub use meaning::{body_to_json, expression_to_json, template_to_json, traversal_to_json};

/// Returns true if all attributes of a file, also those in blocks, evaluate without variables and functions.
fn body_evaluates_alone(source: &str) -> bool {
    let file = hcl_lr::parse::<hcl_lr::File>(source);
    let mut bodies = vec![file.value().body()];
    while let Some(body) = bodies.pop() {
        if body.evaluate_attributes(&hcl_lr::eval::Scope::new()).diagnostics().has_errors() {
            return false;
        }
        bodies.extend(body.blocks().map(|block| block.body()));
    }
    true
}

/// The largest request in bytes.
const MAX_REQUEST: u64 = 256 << 20;
/// The version of the protocol that is spoken here.
pub const PROTOCOL_VERSION: u32 = 1;

/// Answers all requests of a reader. It stops at the end of the input only, never at a bad request.
///
/// Whoever asks one question at a time gets each answer before the next question: `output` is
/// flushed whenever no more input is waiting.
///
/// # Errors
/// The errors of the reader and writer; a request that is longer than 256 MiB.
///
/// ```
/// let mut answers = Vec::new();
/// hcl_lr_conformance::run("{\"op\": \"echo\", \"value\": true}\n".as_bytes(), &mut answers)?;
/// assert_eq!(answers, b"{\"ok\":true,\"value\":true}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(MAX_REQUEST).read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        if line.len() as u64 == MAX_REQUEST {
            output.flush()?;
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a request is longer than 256 MiB"));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        output.write_all(answer::answer_line(&line).as_bytes())?;
        output.write_all(b"\n")?;
        // Only buffered input is examined, because reading more would block.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}
