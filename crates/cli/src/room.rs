//! Provides stack for deeply nested input.
//!
//! The parser needs none, because it keeps open constructs in a vector. But some walks over a tree recurse for each
//! level. The library promises that they work at the default limit on a stack of 2 MiB; a higher limit gets a thread
//! with a larger stack. Systems allocate the memory of a stack on first use, so unused room costs nothing.

use std::thread;

use super::error::Error;
use super::status::Status;
use super::terminal;
use hcl_lr::DEFAULT_MAX_NESTING;

/// The maximum nesting limit. Its stack is 2 GiB of address space.
pub const MAX_LEVELS: i64 = 1_000_000;

/// The stack for the default limit, as promised by the library.
const STACK: usize = 2 << 20;

/// The stack for each level: the library's promise again.
const STACK_PER_LEVEL: usize = STACK / DEFAULT_MAX_NESTING as usize;

/// The stack that work on a source of a nesting limit needs.
pub fn stack_for(max_nesting: u32) -> usize {
    STACK + STACK_PER_LEVEL * max_nesting as usize
}

/// Runs a function on a thread with enough stack for a nesting limit. Always uses a thread, because the stack size of
/// the main one depends on the system and its settings.
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
