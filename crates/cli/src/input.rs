//! Reads and parses an input file.

use std::fs::File as Opened;
use std::io;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::error::Error;
use super::terminal::count;

use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::json;
use hcl_lr::source::visible::path as shown;
use hcl_lr::source::{Source, bounded};
use hcl_lr::syntax::ast::File;
use hcl_lr::syntax::{ExpressionFile, TemplateFile};
use hcl_lr::{ConfigFile, ParseOptions};
use hcl_lr_conformance::{body_to_json, expression_to_json, json_to_json, template_to_json};
use hcl_lr_language::schema::is_template_file;

/// The syntax of a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Config,
    Expression,
    Template,
    /// The JSON syntax.
    Json,
}

impl Syntax {
    /// Returns the syntax of a file by its name, unless an option overrides it.
    pub fn of_name(path: &Path) -> Syntax {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if is_template_file(&name) {
            Syntax::Template
        } else if name.ends_with(".json") {
            Syntax::Json
        } else {
            Syntax::Config
        }
    }
}

/// The origin of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Stdin,
    Path(PathBuf),
}

impl Origin {
    /// Returns the origin for a path on the command line.
    pub fn of_argument(path: &Path) -> Origin {
        if path == Path::new("-") { Origin::Stdin } else { Origin::Path(path.to_owned()) }
    }

    /// Returns the path; standard input has none.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Origin::Stdin => None,
            Origin::Path(path) => Some(path),
        }
    }

    /// Returns the syntax, unless an option overrides it.
    pub fn syntax(&self) -> Syntax {
        match self {
            Origin::Stdin => Syntax::Config,
            Origin::Path(path) => Syntax::of_name(path),
        }
    }

    /// Returns the syntax where only files with a body are accepted.
    pub fn body_syntax(&self) -> Syntax {
        match self.syntax() {
            Syntax::Json => Syntax::Json,
            _ => Syntax::Config,
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Origin::Stdin => "<stdin>".to_owned(),
            Origin::Path(path) => shown(path),
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn bytes(&self, context: &Context) -> Result<Vec<u8>, Error> {
        self.read(context).map_err(|error| Error::io(format!("cannot read `{}`", self.name()), error))
    }

    fn source(&self, context: &Context) -> Result<Source, Error> {
        self.bytes(context).map(|bytes| Source::from_bytes(&self.name(), bytes))
    }

    /// Its bytes, with the error of the system.
    ///
    /// # Errors
    /// It cannot be read, or is too long.
    pub fn read(&self, context: &Context) -> io::Result<Vec<u8>> {
        limited(context, |most| match self {
            Origin::Stdin => match context.stdin().get() {
                Some(bytes) => Ok(bytes.clone()),
                None => bounded::read_stream(io::stdin().lock(), 0, most),
            },
            Origin::Path(path) => bounded::read(&context.root().allowed(path)?, most),
        })
    }
}

/// Returns the bytes of a file that is open.
///
/// # Errors
/// It cannot be read, or is too long.
pub fn read_opened(context: &Context, file: Opened) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    limited(context, |most| bounded::read_stream(file, length, most))
}

/// Reads with the current limit, which the error names if it is exceeded.
fn limited(context: &Context, reading: impl FnOnce(u64) -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    let most = context.max_file_size();
    reading(most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let limit =
                if most.is_multiple_of(1 << 20) { format!("{} MiB", most >> 20) } else { count(most as usize, "byte") };
            io::Error::other(format!("it is longer than {limit}; `--max-file-size` raises the limit"))
        }
        _ => error,
    })
}

/// Reads all of standard input, so that it can be read again.
///
/// # Errors
/// A message, if it cannot be read.
pub fn keep_stdin(context: &Context) -> Result<(), Error> {
    if context.stdin().get().is_none() {
        // Nobody else reads it: commands open their files one after the other.
        let _ = context.stdin().set(Origin::Stdin.bytes(context)?);
    }
    Ok(())
}

/// Returns true if standard input is a pipe, a socket or a file, rather than a terminal or the null device.
#[cfg(unix)]
pub fn is_piped() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let Ok(stdin) = io::stdin().as_fd().try_clone_to_owned() else { return false };
    let kind = Opened::from(stdin).metadata().map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_file())
}

/// Returns true if standard input is a pipe or a file, rather than a terminal. Only on Unix can a file be told from
/// the null device, so elsewhere nothing counts as piped.
#[cfg(not(unix))]
pub fn is_piped() -> bool {
    false
}

/// The largest size of a file, unless `--max-file-size` overrides it.
pub const DEFAULT_MAX_FILE_SIZE: &str = "256M";

/// The bytes of a file, or of standard input for `-`, with a name for messages.
///
/// # Errors
/// A message, if it cannot be read.
pub fn read(context: &Context, path: &Path) -> Result<(String, Vec<u8>), Error> {
    let origin = Origin::of_argument(path);
    origin.bytes(context).map(|bytes| (origin.name(), bytes))
}

/// A parsed text.
pub enum Document {
    Config(File),
    Expression(File),
    Template(File),
    Json(json::Document),
}

impl Document {
    /// Reads and parses.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn read(
        context: &Context,
        origin: &Origin,
        syntax: Syntax,
        options: &ParseOptions,
    ) -> Result<(Document, Diagnostics), Error> {
        origin.source(context).map(|source| Document::parse(source, syntax, options))
    }

    /// Reads a document without parsing the strings in JSON.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn read_lightly(
        context: &Context,
        origin: &Origin,
        syntax: Syntax,
        options: &ParseOptions,
    ) -> Result<(Document, Diagnostics), Error> {
        let source = origin.source(context)?;
        if syntax != Syntax::Json {
            return Ok(Document::parse(source, syntax, options));
        }
        let (document, diagnostics) = options.parse::<hcl_lr::json::Document>(source).into_parts();
        Ok((Document::Json(document), diagnostics))
    }

    /// Parses a text that has been read.
    pub fn parse(source: Source, syntax: Syntax, options: &ParseOptions) -> (Document, Diagnostics) {
        fn with<T>(parse: Outcome<T>, document: impl FnOnce(T) -> Document) -> (Document, Diagnostics) {
            let (value, diagnostics) = parse.into_parts();
            (document(value), diagnostics)
        }
        match syntax {
            Syntax::Config => with(options.parse::<File>(source), Document::Config),
            Syntax::Expression => with(options.parse::<ExpressionFile>(source).map(File::from), Document::Expression),
            Syntax::Template => with(options.parse::<TemplateFile>(source).map(File::from), Document::Template),
            Syntax::Json => with(options.with_json_checks(true).parse::<json::Document>(source), Document::Json),
        }
    }

    /// The source with its tokens and tree, whatever it was parsed as in native syntax.
    pub fn native(&self) -> Result<File, &json::Document> {
        match self {
            Document::Config(file) | Document::Expression(file) | Document::Template(file) => Ok(file.clone()),
            Document::Json(document) => Err(document),
        }
    }

    /// Its meaning as JSON.
    pub fn to_json(&self) -> String {
        match self {
            Document::Config(file) => body_to_json(file.body()),
            Document::Expression(file) => expression_to_json(file.expression()),
            Document::Template(file) => template_to_json(file.template()),
            Document::Json(document) => json_to_json(document),
        }
    }
}

/// Parses the bytes of a file with a body in either syntax.
pub fn document_of(origin: &Origin, bytes: Vec<u8>, options: &ParseOptions) -> hcl_lr_project::Document {
    let source = Source::from_bytes(&origin.name(), bytes);
    let (file, diagnostics) = match origin.body_syntax() {
        // Strings in JSON may be literal: only the evaluation knows which are templates.
        Syntax::Json => options.parse::<json::Document>(source).map(ConfigFile::Json).into_parts(),
        _ => options.parse::<File>(source).map(ConfigFile::Native).into_parts(),
    };
    hcl_lr_project::Document { file, diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_file_is() {
        let syntax = |name: &str| Syntax::of_name(Path::new(name));
        assert_eq!(syntax("a/main.tf"), Syntax::Config);
        assert_eq!(syntax("anything"), Syntax::Config);
        assert_eq!(syntax("a.pkr.hcl"), Syntax::Config);
        assert_eq!(syntax("user-data.sh.tftpl"), Syntax::Template);
        assert_eq!(syntax("a.PKRTPL.hcl"), Syntax::Template);
        assert_eq!(syntax("main.tf.json"), Syntax::Json);
    }
}
