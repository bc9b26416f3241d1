//! Provides stack for deep expressions and values.
//!
//! Evaluation is plain recursion over the tree, which is easiest to read and fastest to run. The parser limits the
//! depth of a tree, but not the size of the frames of a debug build: a thousand levels of brackets, each with operators
//! of six precedences, need more than the two mebibytes of a thread. So each step down the tree requests room here. If
//! this thread has used up its budget, the rest runs on a new thread with a large stack, while this one waits.
//!
//! The used amount is the distance between two addresses: of a local variable of the first step, and of one of this
//! step. Without `unsafe` it is unknown how much stack the first step had, so the budget is small enough for the
//! smallest common stacks. Handwritten files stay far below it, so functions of an application run on another thread
//! only for extreme input. The alternatives were an explicit stack of tasks, for which every construct (and every
//! function that evaluates its arguments itself) would have to be split up, and crates that switch stacks, which need a
//! C compiler or support fewer targets.
//!
//! WebAssembly without threads has a single stack, usually of one mebibyte. There the nesting limit is lower, and no
//! evaluation starts another one when much of the stack is used.

use std::cell::Cell;
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

/// The bytes to use of a stack that was not created here. With [`RED_ZONE`] they fit into the 512 KiB of threads on
/// some systems.
const BUDGET: usize = 256 * 1024;

/// The bytes that a step down the tree may use before the next check, including the work of functions.
const RED_ZONE: usize = 192 * 1024;

/// The bytes to use of a stack that was created here. Unused pages cost nothing.
const SEGMENT: usize = 16 * 1024 * 1024;

/// The bytes that the operations of the model need for each level of a value in a debug build: two mebibytes for values
/// of [`MAX_DEPTH`](crate::model::MAX_DEPTH).
const LEVEL: usize = 2 * 1024;

/// Values up to this height do not need more than the red zone.
const SHALLOW: u32 = 48;

/// True if threads can be started.
#[doc(hidden)]
pub const HAS_THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// The known facts about the stack of this thread.
#[derive(Clone, Copy)]
struct Stack {
    /// The address at which the outermost step began; 0 if there is none.
    base: usize,
    /// The distance from that address within which the next step may begin.
    budget: usize,
    /// The number of running evaluations. Threads that are started for them continue the count.
    evaluations: u32,
}

thread_local! {
    static STACK: Cell<Stack> = const { Cell::new(Stack { base: 0, budget: BUDGET, evaluations: 0 }) };
}

impl Stack {
    /// Returns the approximate address of the next frame.
    #[inline]
    fn here() -> usize {
        let mark = 0_u8;
        std::hint::black_box(&raw const mark).addr()
    }

    /// Returns true if there is room for a step that needs `need` bytes more than [`RED_ZONE`].
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

/// Runs a step down a tree or a value, for recursive functions of an application, because values can be too deep for
/// the stack of a thread. If it has no room left, the step runs on another thread with a large stack.
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

/// Runs an operation that recurses into values of a height.
pub(crate) fn with_room_for<R: Send>(height: u32, operation: impl FnOnce() -> R + Send) -> R {
    if height <= SHALLOW {
        return operation();
    }
    run(LEVEL * height as usize, operation)
}

/// Formats a part of a value like `Debug`, which is a step down too.
pub(crate) fn debug_with_room(part: &(impl fmt::Debug + Sync), f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if STACK.get().has_room(Stack::here(), 0) {
        return part.fmt(f);
    }
    // A formatter cannot go to another thread.
    let alternate = f.alternate();
    f.write_str(&with_room(|| if alternate { format!("{part:#?}") } else { format!("{part:?}") }))
}

/// Runs a step that needs `need` bytes more than [`RED_ZONE`].
#[inline]
fn run<R: Send>(need: usize, step: impl FnOnce() -> R + Send) -> R {
    let stack = STACK.get();
    let here = Stack::here();
    if stack.has_room(here, need) {
        return step();
    }
    let mut result = None;
    let mut step = Some(step);
    run_with_room(stack, here, need, &mut || result = step.take().map(|step| step()));
    result.expect("a step that was run has a result")
}

/// Continues [`run`] for the outermost step, or if the stack is used up. Not generic, because each copy takes time to
/// compile.
#[inline(never)]
fn run_with_room(stack: Stack, here: usize, need: usize, step: &mut (dyn FnMut() + Send)) {
    if stack.base == 0 && need <= stack.budget { from_here(here, step) } else { elsewhere(need, step) }
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

/// Runs a step on its own stack.
///
/// # Panics
/// Panics if the step does, or if the system cannot start a thread.
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

/// The maximum depth of evaluations that functions of other evaluations start.
const MAX_EVALUATIONS: u32 = 1_000;

/// Runs an evaluation, unless too many are already nested: a function of an application may evaluate an expression that
/// calls the same function, and so on endlessly. Because there is always room on the stack, that would only stop when
/// memory is used up.
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

    /// Runs on a stack as small as the smallest that threads get in practice.
    fn on_small_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("small".to_owned()).stack_size(512 * 1024);
            thread.spawn_scoped(scope, work).expect("a thread").join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Runs `work` after `steps` steps down with frames of 16 KiB.
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
        // Together 64 MiB, a hundred times the available stack.
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
