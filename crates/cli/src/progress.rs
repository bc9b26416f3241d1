//! The progress bar of long work.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal;

/// Work that is done sooner needs no progress bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// A progress bar, shown only on a terminal and only if the work takes long.
pub struct Progress {
    since: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
    total: usize,
    /// The past participle for the work on files.
    done: &'static str,
}

impl Progress {
    /// Creates a bar for the number of files that were `done`, hidden if only errors are printed.
    pub fn new(done: &'static str) -> Self {
        let wanted = !terminal::is_quiet() && io::stderr().is_terminal();
        Progress { since: Instant::now(), wanted, bar: None, total: 0, done }
    }

    /// Sets the number of files found so far.
    pub fn found(&mut self, files: usize) {
        if let Some(bar) = self.shown() {
            bar.set_position(files as u64);
        }
    }

    /// Sets the number of files after the search.
    pub fn found_all(&mut self, files: usize) {
        self.total = files;
        if let Some(bar) = &self.bar {
            set_total(bar, files, self.done);
        }
    }

    /// Sets the number of finished files.
    pub fn checked(&mut self, files: usize) {
        if let Some(bar) = self.shown() {
            bar.set_position(files as u64);
        }
    }

    /// Writes other text to the terminal, without the bar in between.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn shown(&mut self) -> Option<&ProgressBar> {
        if self.wanted && self.bar.is_none() && self.since.elapsed() > PATIENCE {
            let bar = ProgressBar::new_spinner().with_style(style("{spinner} {pos} files found"));
            if self.total > 0 {
                set_total(&bar, self.total, self.done);
            }
            self.bar = Some(bar);
        }
        self.bar.as_ref()
    }
}

fn set_total(bar: &ProgressBar, files: usize, done: &str) {
    bar.set_length(files as u64);
    bar.set_position(0);
    bar.set_style(style(&template(done)).progress_chars("=> "));
}

fn template(done: &str) -> String {
    format!("[{{bar:40}}] {{pos}} of {{len}} files {done}, {{eta}} to go")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_well_formed() {
        for template in ["{spinner} {pos} files found", &template("checked")] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
