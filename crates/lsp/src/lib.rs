//! A language server for files in HCL 2: `hcl lsp`.
//!
//! The answers come from [`hcl_lr_analysis`]; this package has the protocol, the threads and the files. One thread
//! reads messages, and another one applies changes of documents in the order of the messages. A few workers answer
//! requests from a snapshot of the files, so that a long evaluation delays neither edits nor other answers.
//!
//! | module | contents |
//! | --- | --- |
//! | [`server`] | the loop over messages, documents, workers |
//! | `single` | the same without threads and files, for browsers |
//! | `answers` | one function for each question |
//! | `convert` | from spans of bytes to positions of the protocol |
//! | `sent` | answers that later requests refer to |
//! | `disk` | reading files and folders, within limits |
//! | `settings`, `providers` | options from the client, schemas of providers that they name |
//! | `framing`, `transport` | messages over standard input and output |
//! | `parent` | the end of the process that has started the server |
//!
//! # The packages for the protocol
//!
//! | package | for | against |
//! | --- | --- | --- |
//! | `lsp-server` (used) | synchronous channels of messages, without a runtime; from rust-analyzer, and used by ruff | says nothing about the order of answers: `server` does |
//! | `async-lsp`, `tower-lsp-server` | middleware for cancelling and limits | need an asynchronous runtime, while all work here is computation; changes of documents must stay in order, which handlers that run at once make hard |
//! | `gen-lsp-types` (used) | types made from the official description of version 3.18, so that none is missing or wrong; tells `null` from a missing property; two dependencies | young: its version is fixed in `Cargo.lock`, and all use of it is in `answers` and `convert` |
//! | `lsp-types` | known by all | its last release is of 2024: no 3.18; addresses cannot be compared after they were decoded |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answers;
mod capabilities;
mod client;
mod commands;
mod convert;
mod disk;
mod framing;
mod parent;
mod position;
mod providers;
mod question;
mod sent;
pub mod server;
mod settings;
mod single;
mod transport;
mod uri;

use std::io::Write as _;

pub use answers::TOKEN_TYPES;
use parent::End;
pub use server::serve;
pub use single::SingleThread;

/// Serves one client over standard input and output, until it sends `exit`, standard input ends, or the client's
/// process ends. Any other reason for the end is reported on standard error.
///
/// Returns true if the client requested a shutdown before.
pub fn run() -> bool {
    let (out, messages, threads) = transport::stdio();
    let (ended, end) = crossbeam_channel::unbounded();
    let parent = ended.clone();
    let serve = move || {
        let is_fine = server::serve_over(out, &messages, Some(parent));
        // The server has ended, so the reading thread has no receiver.
        drop(messages);
        let _ = ended.send(End::Served(is_fine));
    };
    let server = std::thread::Builder::new().name("server".to_owned()).stack_size(server::STACK).spawn(serve);
    let ended = match (server, end.recv()) {
        // The writing thread ends once everything is written.
        (Ok(_), Ok(End::Served(is_fine))) => threads.join().map(|()| is_fine),
        // The reading thread may wait for ever.
        (Ok(_), Ok(End::Orphaned(process))) => Err(format!("the process {process} that has started it has ended")),
        (Err(error), _) => Err(format!("no thread can be started: {error}")),
        (Ok(_), Err(_)) => Err("internal error: the server failed; please report this".to_owned()),
    };
    ended.unwrap_or_else(|why| {
        let _ = writeln!(std::io::stderr(), "error: the language server ends: {why}");
        false
    })
}
