//! The context of a run, built from the command line and passed down.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::reach::Reach;
use super::root::Root;
use hcl_lr::ParseOptions;
use hcl_lr::source::MAX_LENGTH;

/// The context of a run: the files that it may read, the limits of each file, and data kept until the end. Cheap to
/// clone.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    program: clap::Command,
    reach: Reach,
    /// The limit of the length of files, in bytes.
    max_file_size: u64,
    /// The limit of the levels that are nested in files.
    max_nesting: u32,
    /// The bytes of standard input, if they are read more than once.
    stdin: OnceLock<Vec<u8>>,
    /// The links that were mentioned as left alone.
    noted: Mutex<BTreeSet<String>>,
}

impl Context {
    /// Creates the context for the command line of a program.
    pub fn new(program: clap::Command, root: Root, max_file_size: Option<u64>, max_nesting: u32) -> Context {
        Context(Arc::new(Inner {
            program,
            reach: Reach::new(root),
            max_file_size: max_file_size.map_or(MAX_LENGTH as u64, |bytes| bytes.min(MAX_LENGTH as u64)),
            max_nesting,
            stdin: OnceLock::new(),
            noted: Mutex::default(),
        }))
    }

    /// Returns the command line of the program, with all commands and options.
    pub fn program(&self) -> &clap::Command {
        &self.0.program
    }

    /// Returns the folders and files that may be read.
    pub fn reach(&self) -> &Reach {
        &self.0.reach
    }

    /// Returns the folder that all files must be in.
    pub fn root(&self) -> &Root {
        self.0.reach.root()
    }

    /// Returns the limit of the length of files, in bytes.
    pub fn max_file_size(&self) -> u64 {
        self.0.max_file_size
    }

    /// Returns the limit of the levels that are nested in files.
    pub fn max_nesting(&self) -> u32 {
        self.0.max_nesting
    }

    /// Returns the options for parsing files.
    pub fn parse_options(&self) -> ParseOptions {
        ParseOptions::new().max_nesting(self.0.max_nesting)
    }

    /// Returns the storage for the bytes of standard input, for inputs that are read more than once.
    pub fn stdin(&self) -> &OnceLock<Vec<u8>> {
        &self.0.stdin
    }

    /// Keeps only the links that have not been mentioned yet, and remembers them.
    pub fn retain_new_links(&self, links: &mut Vec<&String>) {
        let mut noted = self.0.noted.lock().unwrap_or_else(PoisonError::into_inner);
        links.retain(|link| noted.insert((*link).clone()));
    }
}
