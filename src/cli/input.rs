//! From a path to a parsed text.

use std::fs::File as DiskFile;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::terminal;
use crate::body::{check_json, json_to_json};
use crate::diagnostic::Diagnostics;
use crate::json;
use crate::source::{MAX_LENGTH, Source};
use crate::syntax::ast::{File, body_to_json, expression_to_json, template_to_json};
use crate::syntax::{Options, OwnedExpression, OwnedTemplate, Parse, parse_expression, parse_source, parse_template};

/// What a text is as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Config,
    Expression,
    Template,
    /// The JSON syntax.
    Json,
}

impl Syntax {
    /// What a file of a name is, if nobody says otherwise.
    pub fn of_name(path: &Path) -> Syntax {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if ends(&[".tftpl", ".pkrtpl", ".pkrtpl.hcl"]) {
            Syntax::Template
        } else if ends(&[".json"]) {
            Syntax::Json
        } else {
            Syntax::Config
        }
    }
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Stdin,
    Path(PathBuf),
}

impl Origin {
    /// A path as it stands on the command line.
    pub fn of_argument(path: &Path) -> Origin {
        if path == Path::new("-") { Origin::Stdin } else { Origin::Path(path.to_owned()) }
    }

    /// What it is, if nobody says otherwise.
    pub fn syntax(&self) -> Syntax {
        match self {
            Origin::Stdin => Syntax::Config,
            Origin::Path(path) => Syntax::of_name(path),
        }
    }

    /// The same where only files with a body are wanted.
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

    fn bytes(&self) -> Result<Vec<u8>, String> {
        self.read().map_err(|error| format!("cannot read `{}`: {}", self.name(), terminal::reason(&error)))
    }

    fn source(&self) -> Result<Source, String> {
        self.bytes().map(|bytes| Source::from_bytes(&self.name(), bytes))
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        // Of what has no end, one byte too many is enough to know that it is too long.
        let most = MAX_LENGTH as u64 + 1;
        let mut bytes = Vec::new();
        match self {
            Origin::Stdin => io::stdin().lock().take(most).read_to_end(&mut bytes)?,
            Origin::Path(path) => {
                let file = DiskFile::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                if metadata.len() >= most {
                    return Err(io::Error::other("it is longer than 4 GiB, split it into several files"));
                }
                bytes.reserve_exact(metadata.len() as usize + 1);
                file.take(most).read_to_end(&mut bytes)?
            }
        };
        Ok(bytes)
    }
}

/// The bytes of a file, or of standard input for `-`, with a name for messages.
///
/// # Errors
/// A message, if it cannot be read.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), String> {
    let origin = Origin::of_argument(path);
    origin.bytes().map(|bytes| (origin.name(), bytes))
}

/// A path in messages, which must not control the terminal.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let escape = |char: char| if char.is_control() { char.escape_default().to_string() } else { char.to_string() };
    if text.contains(char::is_control) { text.chars().map(escape).collect() } else { text }
}

/// A parsed text.
pub enum Document {
    Config(File),
    Expression(OwnedExpression),
    Template(OwnedTemplate),
    Json(json::Document),
}

impl Document {
    /// Reads and parses.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn read(origin: &Origin, syntax: Syntax, options: &Options) -> Result<(Document, Diagnostics), String> {
        origin.source().map(|source| Document::parse(source, syntax, options))
    }

    /// The same, but without a look into the strings of JSON.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn read_lightly(origin: &Origin, syntax: Syntax, options: &Options) -> Result<(Document, Diagnostics), String> {
        let source = origin.source()?;
        if syntax != Syntax::Json {
            return Ok(Document::parse(source, syntax, options));
        }
        let (document, diagnostics) = json::parse_json(source, options).into_parts();
        Ok((Document::Json(document), diagnostics))
    }

    fn parse(source: Source, syntax: Syntax, options: &Options) -> (Document, Diagnostics) {
        fn with<T>(parse: Parse<T>, document: impl FnOnce(T) -> Document) -> (Document, Diagnostics) {
            let (value, diagnostics) = parse.into_parts();
            (document(value), diagnostics)
        }
        match syntax {
            Syntax::Config => with(parse_source(source, options), Document::Config),
            Syntax::Expression => with(parse_expression(source, options), Document::Expression),
            Syntax::Template => with(parse_template(source, options), Document::Template),
            Syntax::Json => {
                let outcome = check_json(source, options);
                (Document::Json(outcome.value), outcome.diagnostics)
            }
        }
    }

    /// The source with its tokens and tree, whatever it was parsed as in native syntax.
    pub fn native(&self) -> Result<File, &json::Document> {
        match self {
            Document::Config(file) => Ok(file.clone()),
            Document::Expression(expression) => Ok(expression.file()),
            Document::Template(template) => Ok(template.file()),
            Document::Json(document) => Err(document),
        }
    }

    /// Its meaning as JSON.
    pub fn to_json(&self) -> String {
        match self {
            Document::Config(file) => body_to_json(file.body()),
            Document::Expression(expression) => expression_to_json(expression.get()),
            Document::Template(template) => template_to_json(template.get()),
            Document::Json(document) => json_to_json(document),
        }
    }
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

    #[test]
    fn names_cannot_control_the_terminal() {
        assert_eq!(shown(Path::new("é\u{1b}[2J\n.tf")), "é\\u{1b}[2J\\n.tf");
    }
}
