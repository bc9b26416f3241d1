//! The files that projects are read from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::Source;
use hcl_lr::{ConfigFile, ParseOptions, Syntax};

use crate::paths::{join, split};

/// Gives the files of a project: those of a disk, of an editor, or of memory. Paths have `/` between folders.
///
/// The language of a file, and what belongs to it, are decided by its path and contents alone, so a project is the same
/// wherever its files come from.
pub trait Files: Sync {
    /// Returns the names of the files in a folder, in order; none if it cannot be read.
    fn names(&self, folder: &str) -> Vec<String>;

    /// Returns the contents of a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread>;

    /// Returns at least the first bytes of a file, as far as the comment with its schema may be.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn start(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        self.bytes(path)
    }

    /// Returns a parsed file, in the syntax that its name says. The name of its source is the one for messages.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn document(&self, path: &str) -> Result<Document, Unread> {
        let bytes = self.bytes(path)?;
        Ok(Document::parse(Source::from_bytes(path, &*bytes), &ParseOptions::new()))
    }

    /// Returns true if a folder has files in HCL that must not be read, such as links that lead elsewhere. They may
    /// define names.
    fn leaves_out(&self, _folder: &str) -> bool {
        false
    }

    /// Returns the folder that a path in a file of another folder names.
    ///
    /// # Errors
    /// Why files in it must not be read.
    fn folder(&self, from: &str, path: &str) -> Result<String, Unread> {
        Ok(join(from, path))
    }

    /// Returns the folder above another one, whose file `.hcl-schema` counts for both; `None` at the top of what is
    /// read.
    fn above(&self, folder: &str) -> Option<String> {
        (!matches!(folder, "" | ".")).then(|| split(folder).0.to_owned())
    }
}

/// The reason why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unread {
    /// There is no such file, or it cannot be opened. Who named the file reports it.
    Missing,
    /// It is not part of what the user lets a program read; nothing can be said about the rest without it.
    Refused(String),
}

/// A parsed file. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file.
    pub file: ConfigFile,
    /// The errors and warnings of its text.
    pub diagnostics: Diagnostics,
}

impl Document {
    /// Parses a file, in JSON if its name ends so.
    ///
    /// ```
    /// use hcl_lr::{ParseOptions, Source};
    /// use hcl_lr_project::Document;
    ///
    /// let document = Document::parse(Source::new("main.tf.json", "{}"), &ParseOptions::new());
    /// assert!(!document.diagnostics.has_errors());
    /// ```
    pub fn parse(source: Source, options: &ParseOptions) -> Document {
        let is_json = source.name().to_ascii_lowercase().ends_with(".json");
        let syntax = if is_json { Syntax::Json } else { Syntax::Native };
        let (file, diagnostics) = options.with_syntax(syntax).parse::<ConfigFile>(source).into_parts();
        Document { file, diagnostics }
    }
}

/// Files in memory.
///
/// ```
/// use hcl_lr_project::{Files, Memory};
///
/// let files = Memory::new([("/net/main.tf", "a = 1\n"), ("/net/b/main.tf", "")]);
/// assert_eq!(files.names("/net"), ["main.tf"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// Creates files with these paths and texts.
    pub fn new<P: Into<String>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> Memory {
        Memory { files: files.into_iter().map(|(path, text)| (path.into(), text.into())).collect() }
    }
}

impl Files for Memory {
    fn names(&self, folder: &str) -> Vec<String> {
        let paths = self.files.keys().map(|path| split(path));
        paths.filter(|(own, _)| *own == folder).map(|(_, name)| name.to_owned()).collect()
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        self.files.get(path).map(|bytes| Cow::from(&**bytes)).ok_or(Unread::Missing)
    }
}

/// Other files with the texts of some of them replaced, such as documents that an editor has open.
pub struct Overlay<'f> {
    below: &'f dyn Files,
    texts: BTreeMap<String, Document>,
}

impl<'f> Overlay<'f> {
    /// Replaces or adds documents, by their paths.
    pub fn new(below: &'f dyn Files, texts: impl IntoIterator<Item = (String, Document)>) -> Overlay<'f> {
        Overlay { below, texts: texts.into_iter().collect() }
    }
}

impl Files for Overlay<'_> {
    fn names(&self, folder: &str) -> Vec<String> {
        let mut names = self.below.names(folder);
        let own = self.texts.keys().map(|path| split(path)).filter(|(own, _)| *own == folder);
        names.extend(own.map(|(_, name)| name.to_owned()));
        names.sort();
        names.dedup();
        names
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        match self.texts.get(path) {
            Some(document) => Ok(document.file.source().text().as_bytes().into()),
            None => self.below.bytes(path),
        }
    }

    fn leaves_out(&self, folder: &str) -> bool {
        self.below.leaves_out(folder)
    }

    fn start(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        if self.texts.contains_key(path) { self.bytes(path) } else { self.below.start(path) }
    }

    fn document(&self, path: &str) -> Result<Document, Unread> {
        self.texts.get(path).cloned().map_or_else(|| self.below.document(path), Ok)
    }

    fn folder(&self, from: &str, path: &str) -> Result<String, Unread> {
        self.below.folder(from, path)
    }

    fn above(&self, folder: &str) -> Option<String> {
        self.below.above(folder)
    }
}
