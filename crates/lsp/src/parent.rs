//! The process that has started the server: when it has ended, nobody will end the server.

use std::thread;

use crossbeam_channel::Sender;

/// The end of a server.
pub enum End {
    /// The client has gone; true if it requested a shutdown before.
    Served(bool),
    /// The process with this number has ended, which has started the server.
    Orphaned(i32),
}

/// Reports the end of a process, checking every second. On systems where processes cannot be checked, it never
/// reports.
pub fn watch(process: i32, ended: Sender<End>) {
    let watch = move || {
        while is_there(process) {
            thread::sleep(std::time::Duration::from_secs(1));
        }
        let _ = ended.send(End::Orphaned(process));
    };
    let _ = thread::Builder::new().name("parent".to_owned()).spawn(watch);
}

#[cfg(unix)]
fn is_there(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    let process = Pid::from_raw(process).filter(|_| process > 0);
    process.is_none_or(|process| test_kill_process(process) != Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_there(_: i32) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn processes_that_have_ended_are_noticed() {
        assert!(is_there(std::process::id() as i32));
        let mut child = std::process::Command::new("true").spawn().expect("a process");
        let process = child.id() as i32;
        child.wait().expect("its end");
        let (ended, end) = crossbeam_channel::unbounded();
        watch(process, ended);
        assert!(matches!(end.recv(), Ok(End::Orphaned(known)) if known == process));
    }
}
