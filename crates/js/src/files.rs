//! Projects of files in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hcl_lr::source::Source;
use hcl_lr::{ParseOptions, Value};
use hcl_lr_language::definitions::Inputs;
use hcl_lr_project::{
    Document, Files, Key, Known, Language, Languages, LoadOptions, Memory, Project, Reading, Sources, Unread,
};

use crate::failure::Failure;
use crate::json;
use crate::options::Options;

/// Files in memory, and how they are read.
pub struct Workspace {
    files: Parsed,
    paths: Vec<String>,
    languages: Languages,
    known: Known,
}

/// Files in memory that are parsed with options.
struct Parsed {
    files: Memory,
    options: ParseOptions,
}

impl Files for Parsed {
    fn names(&self, folder: &str) -> Vec<String> {
        self.files.names(folder)
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        self.files.bytes(path)
    }

    fn document(&self, path: &str) -> Result<Document, Unread> {
        let bytes = self.files.bytes(path)?;
        Ok(Document::parse(Source::from_bytes(path, &*bytes), &self.options))
    }
}

impl Workspace {
    /// Reads files from a JSON object of texts by path. The options `schema` and `dialect` count.
    ///
    /// # Errors
    /// The JSON or an option is wrong.
    pub fn read(files: &str, options: &Options) -> Result<Workspace, Failure> {
        let files = json::read(files)?;
        let texts: Option<BTreeMap<String, String>> = files.entries().and_then(|mut entries| {
            entries.try_fold(BTreeMap::new(), |mut all, (path, text): (&str, &Value)| {
                all.insert(path.to_owned(), text.as_str()?.to_owned());
                Some(all)
            })
        });
        let texts = texts.ok_or("the files are no object of texts by path")?;
        let paths = texts.keys().cloned().collect();
        let parsed = Parsed { files: Memory::new(texts), options: options.parsing()? };
        let mut languages = Languages::default();
        if let Some(name) = options.text("schema")? {
            let reading = Reading { files: &parsed, known: &Known::default() };
            languages = languages.only(language(name, &reading)?);
        }
        Ok(Workspace { files: parsed, paths, languages, known: Known::default() })
    }

    /// Returns the paths of all files, in order.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Returns the language of a file.
    pub fn language(&self, path: &str) -> Language {
        self.languages.choose(&self.reading(), path, None).language
    }

    /// Returns a parsed file.
    pub fn document(&self, path: &str) -> Option<Document> {
        self.files.document(path).ok()
    }

    /// Returns the projects of the files, each with its own paths.
    pub fn projects(&self, inputs: &Inputs, with_values: bool) -> Vec<(Project, Vec<&str>)> {
        let choose = |path: &str| self.languages.choose(&self.reading(), path, None);
        let sources = Sources { files: &self.files, language: &choose };
        let mut all: Vec<(Key, Vec<&str>)> = Vec::new();
        for path in &self.paths {
            let key = Key::of(&sources, path);
            match all.iter_mut().find(|(known, _)| *known == key) {
                Some((_, paths)) => paths.push(path),
                None => all.push((key, vec![path])),
            }
        }
        let options = LoadOptions { inputs: Some(inputs), ignores_values: !with_values, ..LoadOptions::default() };
        all.into_iter().map(|(key, paths)| (Project::load(&sources, &key, &options), paths)).collect()
    }

    fn reading(&self) -> Reading<'_> {
        Reading { files: &self.files, known: &self.known }
    }
}

/// Returns the language of a name, or of the text of a schema.
fn language(name: &str, reading: &Reading<'_>) -> Result<Language, Failure> {
    if name == "none" {
        return Ok(Language::plain());
    }
    if let Some(language) = Language::named(name) {
        return Ok(language);
    }
    if let Ok(bytes) = reading.files.bytes(name) {
        return Ok(Language::of_schema(&crate::schema::read(name, &String::from_utf8_lossy(&bytes))?));
    }
    Ok(Language::of_schema(&crate::schema::named(name)?))
}
