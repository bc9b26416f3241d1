//! Room on the stack for deep expressions and deep values.
//!
//! Evaluation is plain recursion over the tree, which is the shape that is easiest to read and
//! fastest to run. The parser bounds how deep a tree nests, but not how large the frames of a
//! debug build are: a thousand levels of brackets, each with operators of six precedences in it,
//! need more than the two mebibytes of a thread. So each step down the tree asks for room here,
//! and where it gets tight the rest runs on a new piece of stack. That costs two instructions
//! where there is room. The alternatives were an explicit stack of work, which every construct
//! (and every function that evaluates its arguments itself) would have to be cut into pieces for,
//! and a helper thread, on which the functions of an application would lose their thread-local
//! state.

use std::cell::Cell;

/// What a step down the tree may use before the next one asks again, with the work of functions.
const RED_ZONE: usize = 192 * 1024;

/// How large a new piece of stack is. Pages that are not touched cost nothing.
const SEGMENT: usize = 4 * 1024 * 1024;

/// What the operations of the model need for a level of a value, in a debug build: two mebibytes
/// for values of [`MAX_DEPTH`](crate::model::MAX_DEPTH).
const LEVEL: usize = 2 * 1024;

/// Values up to this height do not need more than the red zone.
const SHALLOW: u32 = 48;

/// Runs a step down the tree.
pub(crate) fn with_room<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, step)
}

/// Runs an operation that walks into values of a height.
pub(crate) fn with_room_for<R>(height: u32, operation: impl FnOnce() -> R) -> R {
    if height <= SHALLOW {
        return operation();
    }
    let room = LEVEL * height as usize + RED_ZONE;
    stacker::maybe_grow(room, room + SEGMENT, operation)
}

/// How often an evaluation may be started by a function of another one.
const MOST_EVALUATIONS: u32 = 1_000;

thread_local! {
    static EVALUATIONS: Cell<u32> = const { Cell::new(0) };
}

/// Runs an evaluation, unless too many are under way on this thread already: a function of an
/// application may evaluate an expression that calls the same function, and so on without end. As
/// there is always room on the stack, that would not stop before the memory is used up.
pub(super) fn within_limits<R>(evaluation: impl FnOnce() -> R) -> Option<R> {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            EVALUATIONS.set(EVALUATIONS.get() - 1);
        }
    }
    if EVALUATIONS.get() >= MOST_EVALUATIONS {
        return None;
    }
    EVALUATIONS.set(EVALUATIONS.get() + 1);
    let _leave = Leave;
    Some(evaluation())
}
