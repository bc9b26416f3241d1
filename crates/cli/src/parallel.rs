//! Processes many files on all cores and returns results in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::progress::Progress;

/// The time to wait for the next result before updating the progress bar.
const BLINK: Duration = Duration::from_millis(100);

/// Calls `work` for each number below `count`, on threads with a given stack size, and passes each result to `take` in
/// order. If `take` fails, no more work is started.
///
/// # Errors
/// The error of `take`.
pub fn in_order<R: Send>(
    count: usize,
    stack: usize,
    work: impl Fn(usize) -> R + Sync,
    progress: &mut Progress,
    take: impl FnMut(R, &Progress) -> io::Result<()>,
) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(count);
    // Passing on each small result alone would take longer than the work itself.
    let batch = (count / (workers.max(1) * 16)).clamp(1, 16);
    let jobs = Jobs { count, batch, next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
    let (results, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (jobs, work, sender) = (&jobs, &work, results.clone());
            let run = move || jobs.run(work, &sender);
            if thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).is_err() {
                // There is no memory for another stack. The existing threads suffice, and this one has enough stack,
                // too.
                if worker == 0 {
                    jobs.run(&work, &results);
                }
                break;
            }
        }
        drop(results);
        let taken = take_in_order(&receiver, progress, take);
        jobs.stop.store(true, Ordering::Relaxed);
        taken
    })
}

/// The work to do.
struct Jobs {
    count: usize,
    /// The number of jobs begun at a time.
    batch: usize,
    /// The first that nobody has begun.
    next: AtomicUsize,
    stop: AtomicBool,
}

/// The results from a number on.
type Batch<R> = (usize, Vec<R>);

impl Jobs {
    /// Takes batches of work until none is left.
    fn run<R>(&self, work: &impl Fn(usize) -> R, results: &mpsc::Sender<Batch<R>>) {
        while !self.stop.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(self.batch, Ordering::Relaxed);
            let batch: Vec<R> = (first..self.count.min(first.saturating_add(self.batch))).map(work).collect();
            if batch.is_empty() || results.send((first, batch)).is_err() {
                break;
            }
        }
    }
}

/// Passes on each result as soon as all results before it have arrived.
fn take_in_order<R>(
    results: &mpsc::Receiver<Batch<R>>,
    progress: &mut Progress,
    mut take: impl FnMut(R, &Progress) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting: BTreeMap<usize, Vec<R>> = BTreeMap::new();
    let (mut received, mut taken) = (0, 0);
    loop {
        match results.recv_timeout(BLINK) {
            Ok((first, batch)) => {
                received += batch.len();
                waiting.insert(first, batch);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(batch) = waiting.remove(&taken) {
            taken += batch.len();
            for result in batch {
                take(result, progress)?;
            }
        }
        progress.checked(received);
    }
}
