//! Removes temporary files when a signal ends the program.
//!
//! On Unix, a handler cannot remove files safely. So the signals are blocked in all threads, and one thread waits for
//! them. It removes the files, unblocks the signal and sends it again, which ends the program in the default way:
//! shells see which signal it was.
//!
//! Signals that the program was started to ignore, as by `nohup` or for a background command (`&`) in a script, stay
//! ignored individually.

#[cfg(unix)]
pub use unix::watch;

#[cfg(not(unix))]
/// Removes temporary files from now on when Ctrl-C ends the program.
pub fn watch() {
    /// The exit status after Ctrl-C, as shells show it.
    const INTERRUPTED: i32 = 130;

    // If another part of the program handles it already, it does.
    drop(ctrlc::try_set_handler(|| crate::atomic::exit(INTERRUPTED)));
}

#[cfg(unix)]
mod unix {
    use nix::sys::signal::{SigSet, Signal, raise};

    /// The signals that end a program, except for those about its own errors.
    const SIGNALS: [Signal; 5] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGXCPU];

    /// The room on the stack of the thread.
    const STACK: usize = 128 << 10;

    /// Starts to remove temporary files when a signal ends the program. Must be called before other threads exist.
    pub fn watch() {
        let (Some(ignored), Ok(blocked)) = (ignored(), SigSet::thread_get_mask()) else { return };
        let mut signals = SigSet::empty();
        for signal in SIGNALS {
            if !blocked.contains(signal) && ignored & bit(signal) == 0 {
                signals.add(signal);
            }
        }
        // A file that gets too long for `ulimit -f` is an error then, as on a full disk.
        let mut too_long = SigSet::empty();
        too_long.add(Signal::SIGXFSZ);
        let _ = too_long.thread_block();
        if signals.thread_block().is_err() {
            return;
        }
        let wait = move || {
            while let Ok(signal) = signals.wait() {
                crate::atomic::end(|| {
                    let signal_alone = SigSet::from(signal);
                    let _ = signal_alone.thread_unblock();
                    let _ = raise(signal);
                    // It is ignored: see `ignored`.
                    let _ = signal_alone.thread_block();
                });
            }
        };
        let thread = std::thread::Builder::new().name("signals".to_owned()).stack_size(STACK);
        if thread.spawn(wait).is_err() {
            let _ = signals.thread_unblock();
        }
    }

    fn bit(signal: Signal) -> u64 {
        1 << (signal as i32 - 1)
    }

    /// Returns the ignored signals, one bit each. `None` if unknown.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn ignored() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    }

    /// Other systems do not tell. Most of them drop ignored signals even if they are blocked. Where the thread
    /// receives one, the program continues, but files being written at that time are not written, which is an error.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn ignored() -> Option<u64> {
        Some(0)
    }
}
