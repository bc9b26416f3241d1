//! Runs a command on many files: finds them, processes them on all cores, and passes on the results in order.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use super::args::Folders;
use super::context::Context;
use super::error::Error;
use super::find::{Found, Search};
use super::input::Origin;
use super::language::FileLanguages;
use super::progress::Progress;
use super::status::Status;
use super::terminal::{self, count};
use super::{parallel, room};

/// The files of a run.
pub struct Run {
    pub found: Found,
    /// The number of files that were worked on.
    pub files: usize,
    /// The number of files and folders that could not be read or worked on.
    pub failures: usize,
    /// The kind of files that were searched for, and their names, for people.
    what: String,
    extensions: String,
    progress: Progress,
    context: Context,
}

impl Run {
    /// Finds the files at paths, which the languages name. `done` is the past participle of the work, for the progress bar.
    ///
    /// # Errors
    /// A message, if a pattern to exclude is invalid.
    pub fn new(
        context: &Context,
        (paths, languages): (&[PathBuf], &FileLanguages),
        folders: &Folders,
        done: &'static str,
    ) -> Result<Run, Error> {
        let exclude = folders.exclude()?;
        let search = Search { languages: Some(languages), ..folders.search(&exclude) };
        let mut progress = Progress::new(done);
        let found = search.run(context, paths, |files| progress.found(files.len()));
        let language = languages.explicit().filter(|language| !language.is_plain());
        let (what, extensions) = match language {
            Some(language) => (format!("files of {}", language.name()), language.patterns().join(", ")),
            None => ("HCL files".to_owned(), search.extensions()),
        };
        Ok(Run { context: context.clone(), what, extensions, found, progress, files: 0, failures: 0 })
    }

    /// Creates a run for files that were found otherwise.
    pub fn of(context: &Context, found: Found, done: &'static str) -> Run {
        Run {
            context: context.clone(),
            what: String::new(),
            extensions: String::new(),
            found,
            progress: Progress::new(done),
            files: 0,
            failures: 0,
        }
    }

    /// Keeps only some of the files.
    pub fn retain(&mut self, keep: impl FnMut(&Origin) -> bool) {
        self.found.origins.retain(keep);
    }

    /// Processes each file, and passes on the results in the order of the files, after the messages about what could
    /// not be read during the search. `task` is a verb for the message about a file whose processing panics; other
    /// files are still processed.
    ///
    /// A second call counts the files again.
    ///
    /// # Errors
    /// The error of `take`, after which no more work is started.
    pub fn each<R: Send>(
        &mut self,
        task: &str,
        work: impl Fn(&Origin) -> Result<R, Error> + Sync,
        take: impl FnMut(Result<R, Error>, &Progress) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each_numbered(task, |_, origin| work(origin), take)
    }

    /// Does the same with the index of each file.
    ///
    /// # Errors
    /// The error of `take`, after which no more work is started.
    pub fn each_numbered<R: Send>(
        &mut self,
        task: &str,
        work: impl Fn(usize, &Origin) -> Result<R, Error> + Sync,
        mut take: impl FnMut(Result<R, Error>, &Progress) -> io::Result<()>,
    ) -> io::Result<()> {
        let Run { found, progress, files, failures, context, .. } = self;
        (*files, *failures) = (0, 0);
        progress.found_all(found.origins.len());
        let safely = |index: usize| {
            let origin = &found.origins[index];
            // The panic itself is on standard error already.
            let broken = |_| Err(terminal::internal_error(&format!("cannot {task} `{}`", origin.name())).into());
            catch_unwind(AssertUnwindSafe(|| work(index, origin))).unwrap_or_else(broken)
        };
        let stack = room::stack_for(context.max_nesting());
        let mut counted = |result: Result<R, Error>, progress: &Progress| {
            *if result.is_ok() { &mut *files } else { &mut *failures } += 1;
            take(result, progress)
        };
        let unread = found.failures.iter().try_for_each(|message| counted(Err(Error::from(message.clone())), progress));
        let result = unread.and_then(|()| parallel::in_order(found.origins.len(), stack, safely, progress, counted));
        self.progress.finish();
        result
    }

    /// Returns the status: a failure if something could not be read or processed.
    pub fn status(&self) -> Status {
        if self.failures > 0 { Status::Failure } else { Status::Fine }
    }

    /// Returns the part of a summary about files that could not be processed. `done` is the past participle of the
    /// work.
    pub fn undone(&self, done: &str) -> Option<String> {
        (self.failures > 0).then(|| format!("{} could not be {done}", count(self.failures, "path")))
    }

    /// Prints notes about links that were not followed, and about folders without matching files.
    pub fn notes(&self) {
        self.found.note_links(&self.context);
        self.note_empty();
    }

    /// Prints notes about folders without matching files.
    pub fn note_empty(&self) {
        for folder in &self.found.empty {
            terminal::note(&format!("no {} in `{folder}`; searched for {}", self.what, self.extensions));
        }
    }
}
