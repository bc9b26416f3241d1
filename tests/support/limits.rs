//! A stack as small as threads usually have.

/// The stack that threads usually have.
const STACK: usize = 2 << 20;

/// Runs something on a thread with a small stack.
pub fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
