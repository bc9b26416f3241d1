//! Evaluates nodes in their order, on one thread or on several.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::ids::{Grouped, NodeId, Table};
use super::inputs::Inputs;
use super::state::State;

/// Threads are started after this many steps, if there were at least `MIN_STEPS_FOR_NODE` for each node so far:
/// handing a node to another thread takes longer than adding two numbers.
const MIN_STEPS: u64 = 10_000;
const MIN_STEPS_FOR_NODE: u64 = 50;

/// The number of nodes that a thread takes at once, if there are as many.
const BATCH: usize = 32;

pub(super) fn run(state: &State, inputs: &Inputs, threads: usize) {
    let order = state.program.order();
    for (done, &node) in order.iter().enumerate() {
        let steps = state.meter.steps();
        let pays = steps >= MIN_STEPS && steps / MIN_STEPS_FOR_NODE >= done as u64;
        if pays && threads > 1 && hcl_lr::internal::HAS_THREADS {
            return in_parallel(state, inputs, threads, &order[done..]);
        }
        state.node(node, inputs);
    }
}

/// Evaluates the remaining nodes on several threads.
fn in_parallel(state: &State, inputs: &Inputs, threads: usize, order: &[NodeId]) {
    let queue = Queue::new(state, order);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If there are no more threads to be had, the others do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || queue.work(state, inputs));
        }
        queue.work(state, inputs);
    });
}

/// When a function of an application panics in a thread, the others must not wait for what it would have done.
struct End<'q>(&'q Queue);

impl Drop for End<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.left.store(0, Ordering::Release);
            drop(self.0.ready.lock().unwrap_or_else(PoisonError::into_inner));
            self.0.more.notify_all();
        }
    }
}

/// The nodes that can be evaluated.
struct Queue {
    ready: Mutex<Vec<NodeId>>,
    more: Condvar,
    /// For each node, the number of needed nodes that are not evaluated yet.
    missing: Table<NodeId, AtomicU32>,
    /// For each node, those that need it.
    needed_by: Grouped<NodeId, NodeId>,
    left: AtomicUsize,
}

impl Queue {
    /// Creates the queue of these nodes, in this order. All others have been evaluated, or are in cycles.
    fn new(state: &State, order: &[NodeId]) -> Queue {
        let program = &state.program;
        let count = program.tables().nodes.len();
        let mut in_order: Table<NodeId, bool> = Table::filled(count, || false);
        order.iter().for_each(|&node| in_order[node] = true);
        let mut missing: Table<NodeId, AtomicU32> = Table::filled(count, || AtomicU32::new(0));
        // Nodes in a cycle are never evaluated, and no node waits for them, nor for nodes that are done.
        let mut pairs = Vec::new();
        for &node in order {
            let needs = program[node].needs.iter().map(|need| need.node).filter(|&need| in_order[need]);
            let before = pairs.len();
            pairs.extend(needs.map(|need| (need, node)));
            *missing[node].get_mut() = (pairs.len() - before) as u32;
        }
        let needed_by = Grouped::new(count, &pairs);
        let ready = order.iter().rev().copied().filter(|&node| *missing[node].get_mut() == 0).collect();
        let left = AtomicUsize::new(order.len());
        Queue { ready: Mutex::new(ready), more: Condvar::new(), missing, needed_by, left }
    }

    fn work(&self, state: &State, inputs: &Inputs) {
        let _end = End(self);
        let mut freed: Vec<NodeId> = Vec::new();
        loop {
            let batch = {
                let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
                if freed.len() > 1 {
                    self.more.notify_all();
                }
                ready.append(&mut freed);
                while ready.is_empty() {
                    if self.left.load(Ordering::Acquire) == 0 {
                        return;
                    }
                    ready = self.more.wait(ready).unwrap_or_else(PoisonError::into_inner);
                }
                // The rest is for the other threads.
                let most = ready.len().div_ceil(4).min(BATCH);
                let rest = ready.len() - most;
                ready.split_off(rest)
            };
            let count = batch.len();
            for node in batch {
                state.node(node, inputs);
                for &waiting in self.needed_by.of(node) {
                    if self.missing[waiting].fetch_sub(1, Ordering::AcqRel) == 1 {
                        freed.push(waiting);
                    }
                }
            }
            if self.left.fetch_sub(count, Ordering::AcqRel) <= count {
                // The other threads wake up and see that nothing is left.
                drop(self.ready.lock().unwrap_or_else(PoisonError::into_inner));
                self.more.notify_all();
                return;
            }
        }
    }
}
