//! The language that a schema describes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::body::Body;
use super::definition::Defines;
use super::types::Type;
use hcl_lr::eval::Functions;
use hcl_lr::functions::{self, FunctionSet};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Place;

/// A schema: the description of a language.
///
/// A program reads one with [`parse`](hcl_lr::parse), or builds it:
///
/// ```
/// use hcl_lr_language::schema::{Attribute, Body, Files, Schema, Type};
///
/// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).required());
/// let schema = Schema::new("service").with_files(Files::new("service", ["*.service.hcl"], "service")).with_part("service", body);
/// assert!(schema.files_of("web.service.hcl").is_some());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the language.
    pub name: String,
    /// The display name.
    pub title: Option<String>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The address of the documentation of the language.
    pub docs: Option<String>,
    /// The extended language, whose contents are already in the schema.
    pub extends: Option<String>,
    /// The path of the attribute with the constraints on the version of the language, such as
    /// `terraform.required_version`.
    pub version: Option<String>,
    /// The first version of the language, such as `1.6.0`. A program whose constraints allow only earlier versions is not
    /// in this language.
    pub first_version: Option<String>,
    /// The files of the language.
    pub files: Vec<Files>,
    /// The functions that expressions can call. If two sets have a function of the same name, the later one counts.
    pub functions: Vec<FunctionSet>,
    /// Functions whose results are known later; `provider::*` means all functions of a namespace.
    pub later_functions: Vec<String>,
    /// Names whose values are known later, such as `path`, or `source.type`.
    pub later: Vec<String>,
    /// True if an undefined name is an error everywhere.
    pub checks_names: bool,
    /// True if results with sensitive values must be marked as sensitive.
    pub protects_sensitive: bool,
    /// True if inputs and results can be ephemeral, and ephemeral values are not allowed where values are stored.
    pub protects_ephemeral: bool,
    /// Paths of blocks that only the files of an application have, not those of modules: `terraform.backend`.
    pub application: Vec<String>,
    /// True if undefined variables stand for their own text.
    pub undefined_is_text: bool,
    /// Blocks that lead to a file, each with the kind of definitions that may be in that file: `include.dependency`. A kind
    /// alone may be in a file that nothing leads to, if the files have none of it.
    pub elsewhere: Vec<String>,
    /// True if the program ignores unknown attributes and blocks: they are warnings.
    pub ignores_unknown: bool,
    /// True if the program reads its files as HCL 1: what only HCL 1 allows is a warning.
    pub reads_hcl_1: bool,
    /// The prefix of environment variables that set an input, before its name.
    pub environment: Option<String>,
    /// The named bodies, in the order of the schema file.
    pub parts: Vec<Part>,
    /// The named types.
    pub types: BTreeMap<String, Type>,
    /// The catalogs.
    pub catalogs: Vec<CatalogSource>,
    /// The place in the schema file.
    pub place: Place,
}

/// A named body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The name.
    pub name: String,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The contents.
    pub body: Arc<Body>,
    /// The place in the schema file.
    pub place: Place,
}

/// Files of a language with the same purpose.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Files {
    /// The name of the purpose, such as `configuration`.
    pub name: String,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The names of the files; `*` stands for any characters. The folder does not matter, except that a pattern with
    /// `/` also needs the folders before it.
    pub patterns: Vec<String>,
    /// Names that other languages use, too. They count only if the user names the language.
    pub also: Vec<String>,
    /// Names of top-level attributes and blocks that distinguish these files from others with the same name. See
    /// [`has_at_top`](crate::schema::has_at_top) for the forms; `&` stands between names that must all be there.
    pub detect: Vec<String>,
    /// Blocks that make a file a program of its own, although the files of the folder form one, too.
    pub alone: Vec<String>,
    /// Names of files that override definitions of others, without extension, such as `*_override`.
    pub overrides: Vec<String>,
    /// True if the files of a folder form one program and see each other's definitions.
    pub together: bool,
    /// The name of the part that is the body of each file.
    pub body: String,
    /// The files that the program reads without being told, if they are next to others.
    pub given: Vec<String>,
    /// Subfolders of the other files' folder in which these files may be.
    pub folders: Vec<String>,
    /// The addresses of results of neighbouring files, such as `output.{name}`.
    pub results: Vec<String>,
    /// Attributes with objects whose keys are results of neighbouring files.
    pub result_keys: Vec<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// A source of bodies that is loaded on demand, such as the schemas of providers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CatalogSource {
    /// The name.
    pub name: String,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The format, such as `terraform_provider_schema`.
    pub format: String,
    /// The part of the source that has the names, such as `resource_schemas`.
    pub section: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

impl Schema {
    /// Returns the functions that conditions can call.
    pub(in crate::schema) fn functions_of_checks(&self) -> Functions {
        self.functions.iter().fold(functions::standard(), |all, set| all.with_all(&set.functions()))
    }

    /// A schema for a language without files.
    pub fn new(name: impl Into<String>) -> Self {
        Schema {
            name: name.into(),
            title: None,
            description: None,
            docs: None,
            extends: None,
            version: None,
            first_version: None,
            files: Vec::new(),
            functions: Vec::new(),
            later_functions: Vec::new(),
            later: Vec::new(),
            checks_names: false,
            protects_sensitive: false,
            protects_ephemeral: false,
            application: Vec::new(),
            undefined_is_text: false,
            elsewhere: Vec::new(),
            ignores_unknown: false,
            reads_hcl_1: false,
            environment: None,
            parts: Vec::new(),
            types: BTreeMap::new(),
            catalogs: Vec::new(),
            place: Place::nowhere(),
        }
    }

    /// Adds files.
    pub fn with_files(mut self, files: Files) -> Self {
        self.files.push(files);
        self
    }

    /// Adds a named body. It replaces one with the same name.
    pub fn with_part(mut self, name: impl Into<String>, body: Body) -> Self {
        let (name, place) = (name.into(), body.place.clone());
        self.parts.retain(|part| part.name != name);
        self.parts.push(Part { name, description: None, body: Arc::new(body), place });
        self
    }

    /// Adds a catalog.
    pub fn with_catalog(mut self, catalog: CatalogSource) -> Self {
        self.catalogs.push(catalog);
        self
    }

    /// Returns the part with a name.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Returns the display name.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// Returns the patterns of the names of all files, each of them once.
    pub fn patterns(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let all = self.files.iter().flat_map(|files| &files.patterns).map(String::as_str);
        all.filter(|pattern| seen.insert(*pattern)).collect()
    }

    /// Returns the files that define names to which expressions in them can refer.
    pub fn defining_files(&self) -> impl Iterator<Item = &Files> {
        self.files.iter().filter(|files| !files.is_companion() && self.defines(files))
    }

    /// Returns true if files make definitions that expressions see.
    fn defines(&self, files: &Files) -> bool {
        let is_seen = |defines: &Option<Defines>| defines.as_ref().is_some_and(|defines| !defines.apart);
        let parts: HashMap<&str, &Body> =
            self.parts.iter().rev().map(|part| (part.name.as_str(), &*part.body)).collect();
        let (mut waiting, mut seen) = (vec![files.body.as_str()], HashSet::new());
        while let Some(name) = waiting.pop() {
            let Some(body) = parts.get(name).filter(|_| seen.insert(name)) else { continue };
            let in_blocks = body.blocks.iter().any(|block| {
                is_seen(&block.defines)
                    || block.body.attributes.iter().any(|attribute| attribute.is_free() && is_seen(&attribute.defines))
            });
            if in_blocks || body.attributes.iter().any(|attribute| is_seen(&attribute.defines)) {
                return true;
            }
            waiting.extend(body.includes.iter().map(|include| include.part.as_str()));
        }
        false
    }

    /// Returns true if a program of the language reads a file with this name in a folder for its definitions. With
    /// `also`, names that other languages use count, too.
    pub fn defines_names_in(&self, name: &str, also: bool) -> bool {
        self.defining_files().any(|files| files.fit(name, false).is_some() || also && files.fit(name, true).is_some())
    }

    /// Returns the catalog with a name.
    pub fn catalog(&self, name: &str) -> Option<&CatalogSource> {
        self.catalogs.iter().find(|catalog| catalog.name == name)
    }

    /// Returns the files that a file belongs to by its name or path. If several match, the longest pattern wins.
    pub fn files_of(&self, path: &str) -> Option<&Files> {
        self.fitting(path, false).first().copied()
    }

    /// Returns true if a file can belong to the language: by its name, and if all files with such a name have contents
    /// that distinguish them, by those. `has` returns true if the top level of the file has an attribute or block with a
    /// name, in one of the forms of [`has_at_top`](crate::schema::has_at_top).
    pub fn fits(&self, path: &str, has: impl Fn(&str) -> bool) -> bool {
        self.length_of_fit(path, &has).is_some()
    }

    /// Returns the length of the longest pattern by which a file [fits](Self::fits).
    pub(in crate::schema) fn length_of_fit(&self, path: &str, has: &impl Fn(&str) -> bool) -> Option<usize> {
        let fit = |files: &Files| {
            let length = files.fit(path, false)?;
            (files.detect.is_empty() || files.is_detected(has)).then_some(length)
        };
        self.files.iter().filter_map(fit).max()
    }

    /// Returns true if a file can belong to the language by its name, if the user names the language: also by a name
    /// that other languages use.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let nomad = Schema::by_name("nomad").expect("it is there");
    /// assert!(nomad.can_have_file("web.nomad") && nomad.can_have_file("web.hcl") && !nomad.can_have_file("web.tf"));
    /// ```
    pub fn can_have_file(&self, path: &str) -> bool {
        self.files.iter().any(|files| files.fit(path, false).is_some() || files.fit(path, true).is_some())
    }

    /// Returns the files that a file may belong to by its name, those with the longest matching pattern first.
    fn fitting(&self, path: &str, also: bool) -> Vec<&Files> {
        let mut found: Vec<(usize, &Files)> =
            self.files.iter().filter_map(|files| Some((files.fit(path, also)?, files))).collect();
        sort_by_key(&mut found, |(length, _)| std::cmp::Reverse(*length));
        found.into_iter().map(|(_, files)| files).collect()
    }

    /// Returns the files that a file belongs to if the user names this language: by its name, else by a name that
    /// other languages use, too, else the first ones. If several match, the contents decide: `has` returns true if the
    /// top level of the file has an attribute or block with a name.
    pub fn files_for(&self, path: &str, has: impl Fn(&str) -> bool) -> Option<&Files> {
        let named = self.fitting(path, false);
        let candidates = if named.is_empty() { self.fitting(path, true) } else { named };
        let detected = candidates.iter().find(|files| files.is_detected(&has));
        let first = || candidates.iter().find(|files| files.detect.is_empty()).or(candidates.first());
        detected.or_else(first).copied().or_else(|| self.files.first())
    }
}

impl CatalogSource {
    /// A catalog with a name, and the format of its source, such as `terraform_provider_schema`.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr_language::schema::model::CatalogSource;
    ///
    /// let source = CatalogSource::new("resources", "terraform_provider_schema").with_section("resource_schemas");
    /// let schema = Schema::new("infra").with_catalog(source);
    /// assert_eq!(schema.catalog("resources").expect("it was added").section.as_deref(), Some("resource_schemas"));
    /// ```
    pub fn new(name: impl Into<String>, format: impl Into<String>) -> Self {
        CatalogSource {
            name: name.into(),
            description: None,
            format: format.into(),
            section: None,
            place: Place::nowhere(),
        }
    }

    /// Sets the part of the source that has the names.
    pub fn with_section(mut self, section: impl Into<String>) -> Self {
        self.section = Some(section.into());
        self
    }
}

impl Files {
    /// Files with names, where `*` stands for any characters, and the part for their bodies.
    pub fn new<P: Into<String>>(
        name: impl Into<String>,
        patterns: impl IntoIterator<Item = P>,
        body: impl Into<String>,
    ) -> Self {
        Files {
            name: name.into(),
            description: None,
            patterns: patterns.into_iter().map(P::into).collect(),
            also: Vec::new(),
            detect: Vec::new(),
            alone: Vec::new(),
            overrides: Vec::new(),
            together: false,
            body: body.into(),
            given: Vec::new(),
            folders: Vec::new(),
            results: Vec::new(),
            result_keys: Vec::new(),
            place: Place::nowhere(),
        }
    }

    /// Returns true if the top level of a file has what distinguishes these files.
    fn is_detected(&self, has: &impl Fn(&str) -> bool) -> bool {
        self.detect.iter().any(|names| names.split('&').all(|name| has(name.trim())))
    }

    /// Returns true if the files are next to those that define names, and refer to these names.
    fn is_companion(&self) -> bool {
        !self.given.is_empty() || !self.folders.is_empty() || !self.results.is_empty()
    }

    /// Returns true if a file overrides definitions of others.
    pub fn is_override(&self, path: &str) -> bool {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let name = name.strip_suffix(".json").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.overrides.iter().any(|pattern| matches(pattern, stem))
    }

    /// Returns the length of the longest pattern that matches a path.
    fn fit(&self, path: &str, also: bool) -> Option<usize> {
        let patterns = if also { &self.also } else { &self.patterns };
        let path = path.replace('\\', "/");
        let name = path.rsplit('/').next().unwrap_or(&path);
        let fits = |pattern: &str| match pattern.contains('/') {
            true => matches(pattern, &path) || path.match_indices('/').any(|(at, _)| matches(pattern, &path[at + 1..])),
            false => matches(pattern, name),
        };
        patterns.iter().filter(|pattern| fits(pattern)).map(String::len).max()
    }
}

/// Returns true if a name matches a pattern, in which each `*` stands for any characters except `/`. The time is
/// proportional to the product of the lengths.
pub(in crate::schema) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(byte) if *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) if name[from] != b'/' => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                _ => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}
