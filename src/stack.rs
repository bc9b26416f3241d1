//! Provides stack for deep expressions and values.
//!
//! Evaluation is plain recursion over the tree, which is the shape that is easiest to read and fastest to run. The
//! parser bounds how deep a tree nests, but not how large the frames of a debug build are: a thousand levels of
//! brackets, each with operators of six precedences in it, need more than the two mebibytes of a thread. So each step
//! down the tree asks for room here. If this thread has used up its budget, the rest runs on a new thread with a large
//! stack, while this one waits.
//!
//! The used amount is the distance between two addresses: that of a local variable of the first step, and that of one
//! of this step. Nobody can tell without `unsafe` how much stack the first step found, so the budget is small enough
//! for the smallest stacks in use. Files that people write stay far below it; only there could the functions of an
//! application notice that they run on another thread. The alternatives were an explicit stack of work, which every
//! construct (and every function that evaluates its arguments itself) would have to be cut into pieces for, and crates
//! that switch stacks, which need a C compiler or support fewer targets.
//!
//! WebAssembly without threads has one stack, of usually one mebibyte. There the limit of nesting is
//! lower, and no evaluation starts another one when much of the stack is used.

use std::cell::Cell;
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

/// The bytes to use of a stack that was not made here. With [`RED_ZONE`] they fit into the 512 KiB that threads of some
/// systems have.
const BUDGET: usize = 256 * 1024;

/// The bytes that a step down the tree may use before the next check, including the work of functions.
const RED_ZONE: usize = 192 * 1024;

/// The bytes to use of a stack that was made here. Pages that are not touched cost nothing.
const SEGMENT: usize = 16 * 1024 * 1024;

/// The bytes that the operations of the model need for a level of a value in a debug build: two mebibytes for values of
/// [`MAX_DEPTH`](crate::model::MAX_DEPTH).
const LEVEL: usize = 2 * 1024;

/// Values up to this height do not need more than the red zone.
const SHALLOW: u32 = 48;

/// True if a thread can be started at all.
#[doc(hidden)]
pub const HAS_THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// The known facts about the stack of this thread.
#[derive(Clone, Copy)]
struct Stack {
    /// The address at which the outermost step began; 0 while there is none.
    base: usize,
    /// The distance from there within which the next step may begin.
    budget: usize,
    /// The number of running evaluations. Threads that are started for them continue the count.
    evaluations: u32,
}

thread_local! {
    static STACK: Cell<Stack> = const { Cell::new(Stack { base: 0, budget: BUDGET, evaluations: 0 }) };
}

impl Stack {
    /// The address where the next frame will be, more or less.
    #[inline]
    fn here() -> usize {
        let mark = 0_u8;
        std::hint::black_box(&raw const mark).addr()
    }

    /// Returns true if a step may begin here that needs more than [`RED_ZONE`] by a given number of bytes.
    #[inline]
    fn has_room(self, here: usize, need: usize) -> bool {
        !HAS_THREADS || (self.base != 0 && self.base.abs_diff(here) + need <= self.budget)
    }

    fn change(change: impl FnOnce(&mut Stack)) {
        let mut stack = STACK.get();
        change(&mut stack);
        STACK.set(stack);
    }
}

/// Runs a step down a tree or a value, for recursive functions of an application: values can be so deep that the stack
/// of a thread does not suffice. If it does not, the step runs on another thread with a large stack.
///
/// ```
/// use hcl_lr::{Value, stack::with_room};
///
/// fn depth(value: &Value) -> u32 {
///     value.elements().into_iter().flatten().map(|part| with_room(|| depth(part) + 1)).max().unwrap_or(0)
/// }
///
/// let deep = (0..10_000).fold(Value::tuple([]), |inner, _| Value::tuple([inner]));
/// assert_eq!(depth(&deep), 10_000);
/// ```
pub fn with_room<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    run(0, step)
}

/// Runs an operation that walks into values of a height.
pub(crate) fn with_room_for<R: Send>(height: u32, operation: impl FnOnce() -> R + Send) -> R {
    if height <= SHALLOW {
        return operation();
    }
    run(LEVEL * height as usize, operation)
}

/// Formats a part of a value as `Debug` does, which is a step down, too.
pub(crate) fn debug_with_room(part: &(impl fmt::Debug + Sync), f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if STACK.get().has_room(Stack::here(), 0) {
        return part.fmt(f);
    }
    // A formatter cannot go to another thread.
    let alternate = f.alternate();
    f.write_str(&with_room(|| if alternate { format!("{part:#?}") } else { format!("{part:?}") }))
}

/// Runs a step that needs more than [`RED_ZONE`] by a given number of bytes.
#[inline]
fn run<R: Send>(need: usize, step: impl FnOnce() -> R + Send) -> R {
    let stack = STACK.get();
    let here = Stack::here();
    if stack.has_room(here, need) {
        return step();
    }
    run_with_room(stack, here, need, step)
}

/// The rest of [`run`] for the outermost step, and where a stack is used up.
#[inline(never)]
fn run_with_room<R: Send>(stack: Stack, here: usize, need: usize, step: impl FnOnce() -> R + Send) -> R {
    let mut result = None;
    let mut step = Some(step);
    let mut step = || result = step.take().map(|step| step());
    if stack.base == 0 && need <= stack.budget {
        from_here(here, &mut step)
    } else {
        elsewhere(need, &mut step)
    }
    result.expect("a step that was run has a result")
}

/// Runs the outermost step of this thread.
fn from_here(base: usize, step: &mut dyn FnMut()) {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            Stack::change(|stack| stack.base = 0);
        }
    }
    Stack::change(|stack| stack.base = base);
    let _leave = Leave;
    step();
}

/// Runs a step on a stack of its own.
///
/// # Panics
/// If the step does, and if the system gives no thread any more.
#[cold]
#[inline(never)]
fn elsewhere(need: usize, step: &mut (dyn FnMut() + Send)) {
    let evaluations = STACK.get().evaluations;
    let budget = SEGMENT + need;
    let mut thread = thread::Builder::new().stack_size(budget + 2 * RED_ZONE);
    if let Some(name) = thread::current().name() {
        thread = thread.name(name.to_owned());
    }
    let ended = thread::scope(|scope| {
        let run = || {
            STACK.set(Stack { base: Stack::here(), budget, evaluations });
            step();
        };
        thread.spawn_scoped(scope, run).expect("a thread for what nests deeply").join()
    });
    ended.unwrap_or_else(|panic| resume_unwind(panic));
}

/// The number of evaluations that functions of other evaluations may start, one within the other.
const MAX_EVALUATIONS: u32 = 1_000;

/// Runs an evaluation, unless too many are under way already: a function of an
/// application may evaluate an expression that calls the same function, and so on without end. As
/// there is always room on the stack, that would not stop before the memory is used up.
pub(crate) fn within_limits<R>(evaluation: impl FnOnce() -> R) -> Option<R> {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            Stack::change(|stack| stack.evaluations -= 1);
        }
    }
    let stack = STACK.get();
    let here = Stack::here();
    if stack.evaluations >= MAX_EVALUATIONS {
        return None;
    }
    if !HAS_THREADS {
        match stack.evaluations {
            0 => Stack::change(|stack| stack.base = here),
            _ if stack.base.abs_diff(here) > BUDGET => return None,
            _ => {}
        }
    }
    Stack::change(|stack| stack.evaluations += 1);
    let _leave = Leave;
    Some(evaluation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::panic::catch_unwind;
    use std::thread::ThreadId;

    /// Runs on a stack as small as those of threads get on systems in use.
    fn on_small_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("small".to_owned()).stack_size(512 * 1024);
            thread.spawn_scoped(scope, work).expect("a thread").join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Goes down a given number of steps with frames of 16 KiB, and does something there.
    fn at_depth<R: Send>(steps: u32, work: &(dyn Fn() -> R + Sync)) -> R {
        let frame = black_box([1_u8; 16 * 1024]);
        match steps {
            0 => work(),
            _ => with_room(|| at_depth(steps - u32::from(frame[0]), work)),
        }
    }

    fn threads(steps: u32) -> (ThreadId, ThreadId) {
        on_small_stack(|| (thread::current().id(), at_depth(steps, &|| thread::current().id())))
    }

    #[test]
    fn a_few_steps_stay_on_their_thread_and_many_find_room_on_others() {
        let (start, end) = threads(5);
        assert_eq!(start, end);
        // Together 64 MiB, a hundred times what there is.
        let (start, end) = threads(4_000);
        assert_ne!(start, end);
    }

    #[test]
    fn deep_values_find_room() {
        let place = || thread::current().id();
        on_small_stack(|| {
            assert_eq!(place(), with_room_for(SHALLOW, place));
            assert_ne!(place(), with_room_for(1_000, place));
            assert_ne!(place(), with_room(|| with_room_for(1_000_000, place)));
            assert_eq!(place(), with_room(place));
        });
    }

    #[test]
    fn what_is_under_way_is_known_on_other_threads_and_forgotten_afterwards() {
        let evaluations = || STACK.get().evaluations;
        on_small_stack(|| {
            assert_eq!(within_limits(|| at_depth(100, &|| within_limits(evaluations))), Some(Some(2)));
            let Stack { base, budget, evaluations } = STACK.get();
            assert_eq!((base, budget, evaluations), (0, BUDGET, 0));
        });
    }

    #[test]
    fn a_panic_goes_on_to_the_caller() {
        let panic = on_small_stack(|| {
            let fail = || -> () {
                assert_eq!(thread::current().name(), Some("small"));
                resume_unwind(Box::new("from below"))
            };
            let caught = catch_unwind(|| at_depth(100, &fail));
            assert_eq!(STACK.get().base, 0);
            caught.expect_err("a panic")
        });
        assert_eq!(panic.downcast_ref(), Some(&"from below"));
    }

    #[test]
    fn debug_text_is_the_same_on_any_thread() {
        struct Shown(Vec<Option<u8>>);
        impl fmt::Debug for Shown {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                debug_with_room(&self.0, f)
            }
        }
        let list = vec![Some(1), None];
        for shallow in [true, false] {
            let show = || (format!("{:?}", Shown(list.clone())), format!("{:#?}", Shown(list.clone())));
            let shown = if shallow { with_room(show) } else { show() };
            assert_eq!(shown, (format!("{list:?}"), format!("{list:#?}")));
        }
    }
}
