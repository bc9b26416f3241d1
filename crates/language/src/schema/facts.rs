//! Facts in files about their program as a whole: the versions of the language, and the sources of providers.

use std::collections::BTreeMap;

use super::model::Schema;
use super::versions::Versions;
use hcl_lr::body::{Block, Body, BodySchema, ConfigFile, Expression};

/// Facts that the files of a program state for all of it: the versions of the language (`language { version = … }` in
/// the schema), and the sources of providers (`required_providers`).
///
/// ```
/// use hcl_lr_language::schema::{Facts, Schema};
/// use hcl_lr::{ConfigFile, parse};
///
/// let terraform = Schema::by_name("terraform").expect("it comes with the library");
/// let text = "terraform {\n  required_providers {\n    dog = { source = \"DataDog/datadog\" }\n  }\n}\n";
/// let file = parse::<ConfigFile>(("versions.tf", text)).into_result()?;
/// let facts = Facts::of_all(terraform, [&file]);
/// assert_eq!(facts.provider_source("dog"), Some("DataDog/datadog"));
/// assert_eq!(facts.provider_source("aws"), None);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The sources of providers by their local names. Default sources are not included.
    sources: BTreeMap<String, String>,
    pub(super) versions: Versions,
    /// True if these are the facts of all files of the program.
    is_complete: bool,
}

/// The path of the block that names the providers of a program.
const PROVIDERS: [&str; 2] = ["terraform", "required_providers"];

impl Facts {
    /// Reads the facts from some files of a program, which may have others.
    pub fn of<'f>(schema: &Schema, files: impl IntoIterator<Item = &'f ConfigFile>) -> Facts {
        let mut facts = Facts::default();
        for file in files {
            facts.add(schema, file);
        }
        facts
    }

    /// Reads the facts from all files of a program. A provider that they do not name has its default source.
    pub fn of_all<'f>(schema: &Schema, files: impl IntoIterator<Item = &'f ConfigFile>) -> Facts {
        Facts { is_complete: true, ..Facts::of(schema, files) }
    }

    /// Returns true if a file with this text can state facts. Other files need not be parsed.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Facts, Schema};
    ///
    /// let terraform = Schema::by_name("terraform").expect("it comes with the library");
    /// assert!(Facts::can_be_in(terraform, b"terraform {\n  required_version = \">= 1.9\"\n}\n"));
    /// assert!(!Facts::can_be_in(terraform, b"output \"a\" {\n  value = 1\n}\n"));
    /// ```
    pub fn can_be_in(schema: &Schema, text: &[u8]) -> bool {
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        let version = schema.version.as_ref().and_then(|path| path.rsplit('.').next());
        version.is_some_and(has) || !schema.catalogs.is_empty() && has(PROVIDERS[1])
    }

    /// Returns the source of a provider by its local name, as in the file; `None` if it is not stated.
    pub fn provider_source(&self, name: &str) -> Option<&str> {
        self.sources.get(name).map(String::as_str)
    }

    /// Returns true if these are the facts of all files of the program.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn add(&mut self, schema: &Schema, file: &ConfigFile) {
        if !Facts::can_be_in(schema, file.source().bytes()) {
            return;
        }
        let body = file.body();
        if let Some(path) = &schema.version {
            let steps: Vec<&str> = path.split('.').collect();
            if let Some((name, blocks)) = steps.split_last() {
                for body in bodies(&body, blocks) {
                    let constraints = attribute(&body, name).and_then(|value| text(&value));
                    constraints.iter().for_each(|constraints| self.versions.narrow(constraints));
                }
            }
        }
        if schema.catalogs.is_empty() {
            return;
        }
        for body in bodies(&body, &PROVIDERS) {
            let (attributes, _) = body.attributes().into_parts();
            for provider in &attributes {
                let entries = provider.expression().static_map().unwrap_or_default();
                let source = entries.iter().find(|(key, _)| name_of(key).as_deref() == Some("source"));
                if let Some(source) = source.and_then(|(_, value)| text(value)) {
                    self.sources.insert(provider.name().to_owned(), source);
                }
            }
        }
    }
}

/// Returns the bodies of blocks without labels at a path.
fn bodies(body: &Body, path: &[&str]) -> Vec<Body> {
    let mut bodies = vec![body.clone()];
    for block_type in path {
        let schema = BodySchema::new().block(*block_type, &[]);
        let inner = |body: &Body| {
            let ((content, _), _) = body.partial_content(&schema).into_parts();
            content.blocks().iter().map(Block::body).cloned().collect::<Vec<_>>()
        };
        bodies = bodies.iter().flat_map(inner).collect();
    }
    bodies
}

fn attribute(body: &Body, name: &str) -> Option<Expression> {
    let ((content, _), _) = body.partial_content(&BodySchema::new().optional(name)).into_parts();
    content.attribute(name).map(|attribute| attribute.expression().clone())
}

fn text(expression: &Expression) -> Option<String> {
    expression.as_str().map(std::borrow::Cow::into_owned)
}

/// Returns the name of a key of an object: a bare name, or a string.
fn name_of(key: &Expression) -> Option<String> {
    text(key).or_else(|| key.keyword())
}
