//! A queue of work that grows while threads take from it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue. Threads that take from it wait until there is more, or until it is complete.
pub struct Queue<T> {
    state: Mutex<(VecDeque<T>, bool)>,
    changed: Condvar,
}

/// The end of a queue that adds items. The queue is complete when this is dropped, also by a panic: otherwise threads
/// would wait for ever.
pub struct Filling<'q, T>(&'q Queue<T>);

impl<T> Queue<T> {
    /// Creates an empty queue.
    pub fn new() -> Queue<T> {
        Queue { state: Mutex::new((VecDeque::new(), false)), changed: Condvar::new() }
    }

    /// Returns the end that adds items.
    pub fn fill(&self) -> Filling<'_, T> {
        Filling(self)
    }

    /// Takes the next item, once there is one. `None` if the queue is complete.
    pub fn next(&self) -> Option<T> {
        let mut state = self.locked();
        loop {
            match state.0.pop_front() {
                None if !state.1 => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                next => return next,
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, (VecDeque<T>, bool)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Filling<'_, T> {
    /// Adds an item.
    pub fn push(&self, item: T) {
        self.0.locked().0.push_back(item);
        self.0.changed.notify_one();
    }
}

impl<T> Drop for Filling<'_, T> {
    fn drop(&mut self) {
        self.0.locked().1 = true;
        self.0.changed.notify_all();
    }
}
