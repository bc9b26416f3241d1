//! Provides stack for deeply nested input.
//!
//! The parser needs none: it keeps what is open in a vector. But some walks over a tree call
//! themselves for each level. The library promises that they work at the default limit on a stack
//! of 2 MiB; whoever raises the limit gets a thread with a stack to match. A system provides the
//! memory of a stack only when it is used, so that room is free until then.

use std::thread;

use super::error::Error;
use super::status::Status;
use super::terminal;
use hcl_lr::DEFAULT_MAX_NESTING;

/// The most levels that can be asked for. Their stack is 2 GiB of address space.
pub const MAX_LEVELS: i64 = 1_000_000;

/// The library's promise, for the default limit.
const STACK: usize = 2 << 20;

/// The stack for each level: the library's promise again.
const STACK_PER_LEVEL: usize = STACK / DEFAULT_MAX_NESTING as usize;

/// The stack that work on a source of a nesting limit needs.
pub fn stack_for(max_nesting: u32) -> usize {
    STACK + STACK_PER_LEVEL * max_nesting as usize
}

/// Runs something on a thread with enough stack for a nesting limit. Always on a thread, since the
/// stack of the main one is as large as the system, or whoever set its limit, likes it to be.
pub fn with_stack_for(max_nesting: u32, run: impl FnOnce() -> Status + Send) -> Status {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(stack_for(max_nesting)).spawn_scoped(scope, run);
        match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let option = format!("--max-nesting {max_nesting}");
                let task = format!("there is not enough memory for the stack that `{option}` needs");
                terminal::report(&Error::io(task, error))
            }
        }
    })
}
