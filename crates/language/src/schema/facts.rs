//! Facts in files about their program as a whole: the versions of the language, and the sources of providers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use super::check::Checker;
use super::model::{self, Defines, Schema, Type};
use super::produce::block_schema;
use super::versions::Versions;
use hcl_lr::body::{Block, Body, BodySchema, ConfigFile, Expression};
use hcl_lr::internal::expression_of_json;
use hcl_lr::json::NodeKind;
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::ast::ExpressionKind;

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
    files: Vec<ConfigFile>,
    /// The spans of blocks at the top of files that are not checked themselves, by the names of the files.
    unchecked: HashMap<String, HashSet<Span>>,
    /// The addresses that files define apart from the names of expressions, by kind. Filled on first use.
    apart: OnceLock<HashMap<String, HashSet<String>>>,
}

/// The path of the block that names the providers of a program.
const PROVIDERS: [&str; 2] = ["terraform", "required_providers"];

impl Facts {
    /// Reads the facts from some files of a program, which may have others.
    pub fn of<'f>(schema: &Schema, files: impl IntoIterator<Item = &'f ConfigFile>) -> Facts {
        let mut facts = Facts::default();
        for file in files {
            facts.add(schema, file);
            facts.files.push(file.clone());
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

    /// Returns a test for blocks at the top of files, by their types and texts: true if the body can state facts, or define
    /// what expressions do not see.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Facts, Schema};
    ///
    /// let terraform = Schema::by_name("terraform").expect("it comes with the library");
    /// let can_be_in = Facts::block_test(terraform);
    /// assert!(can_be_in("terraform", b"terraform {\n  backend \"s3\" {}\n}\n"));
    /// assert!(!can_be_in("output", b"output \"a\" {\n  value = 1\n}\n"));
    /// ```
    pub fn block_test(schema: &Schema) -> impl Fn(&str, &[u8]) -> bool + use<'_> {
        let apart: HashSet<&str> = apart_blocks(schema).map(|block| &*block.name).collect();
        let mut words: HashSet<&str> = apart_lists(schema).into_iter().map(|(name, _)| name).collect();
        let mut waiting: Vec<&model::Body> =
            schema.parts.iter().flat_map(|part| &part.body.blocks).map(|block| &*block.body).collect();
        while let Some(body) = waiting.pop() {
            words.extend(body.blocks.iter().filter(|block| block.once).map(|block| &*block.name));
            waiting.extend(body.blocks.iter().map(|block| &*block.body));
        }
        move |block_type, text| {
            let has = |word: &&str| memchr::memmem::find(text, word.as_bytes()).is_some();
            apart.contains(block_type) || Facts::can_be_in(schema, text) || words.iter().any(has)
        }
    }

    /// Leaves out blocks at the top of a file: they count, but their labels and bodies are not checked.
    pub fn leave_out(&mut self, file: &str, blocks: impl IntoIterator<Item = Span>) {
        self.unchecked.entry(file.to_owned()).or_default().extend(blocks);
    }

    /// Returns the blocks at the top of a file that are not checked themselves.
    pub(super) fn unchecked(&self, file: &str) -> Option<&HashSet<Span>> {
        self.unchecked.get(file)
    }

    /// Returns true if both have the same versions and sources of providers.
    pub fn state_the_same(&self, other: &Facts) -> bool {
        self.sources == other.sources && self.versions == other.versions && self.is_complete == other.is_complete
    }

    /// Returns the source of a provider by its local name, as in the file; `None` if it is not stated.
    pub fn provider_source(&self, name: &str) -> Option<&str> {
        self.sources.get(name).map(String::as_str)
    }

    /// Returns true if these are the facts of all files of the program.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the address that a reference has if no file defines it: one with all steps of the first form of a kind.
    /// `steps` are the names of the reference.
    pub(super) fn undefined(&self, checker: &Checker, kinds: &[String], steps: &[String]) -> Option<String> {
        let of_kind = |defines: &&Defines| defines.apart && kinds.contains(&defines.kind);
        let all = apart_blocks(checker.schema()).filter_map(|block| block.defines.as_ref()).filter(of_kind);
        let mut lengths = all.filter_map(|defines| Some(defines.address.as_ref()?.split('.').count()));
        let length = lengths.next()?;
        if lengths.any(|other| other != length) {
            return None;
        }
        let address = steps.get(..length)?.join(".");
        let apart = self.apart.get_or_init(|| self.read_apart(checker));
        let is_defined = kinds.iter().any(|kind| apart.get(kind).is_some_and(|known| known.contains(&address)));
        (!is_defined).then_some(address)
    }

    /// Reads the addresses of the definitions that expressions do not see.
    fn read_apart(&self, checker: &Checker) -> HashMap<String, HashSet<String>> {
        let mut found: HashMap<String, HashSet<String>> = HashMap::new();
        let lists = apart_lists(checker.schema());
        for file in &self.files {
            let Some(layers) = checker.files_of(file).and_then(|files| checker.index().files(files)) else { continue };
            let body = file.body();
            for block in layers.blocks() {
                let Some(defines) = block.defines.as_ref().filter(|defines| defines.apart) else { continue };
                let Some((known, inner)) = layers.block(&block.name) else { continue };
                let schema = BodySchema::new().with_block(&block_schema(&block.name, known, &inner));
                let ((content, _), _) = body.partial_content(&schema).into_parts();
                let addresses = content.blocks().iter().flat_map(|block| addresses_of(defines, known, block));
                found.entry(defines.kind.clone()).or_default().extend(addresses);
            }
            for (name, kind) in &lists {
                if memchr::memmem::find(file.source().bytes(), name.as_bytes()).is_some() {
                    found.entry((*kind).to_owned()).or_default().extend(elements_named(file, name));
                }
            }
        }
        found
    }

    /// Returns the place of the type of the first block at a path in the files, without those that override others.
    pub(super) fn first_block(&self, checker: &Checker, path: &[&str], known: &model::Block) -> Option<Place> {
        let (name, outer) = path.split_last()?;
        let labels: Vec<&str> = known.labels.iter().map(|label| label.name.as_str()).collect();
        let schema = BodySchema::new().block(*name, &labels);
        let is_own = |file: &&ConfigFile| {
            memchr::memmem::find(file.source().bytes(), name.as_bytes()).is_some()
                && checker.files_of(file).is_some_and(|files| !files.is_override(file.source().name()))
        };
        let bodies = self.files.iter().filter(is_own).flat_map(|file| bodies(&file.body(), outer));
        bodies.into_iter().find_map(|body| {
            let ((content, _), _) = body.partial_content(&schema).into_parts();
            content.blocks().first().map(Block::type_place)
        })
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

/// Returns the blocks at the top of files that make definitions that expressions do not see.
fn apart_blocks(schema: &Schema) -> impl Iterator<Item = &model::Block> {
    let bodies = schema.parts.iter().map(|part| &part.body);
    let blocks = bodies.flat_map(|body| &body.blocks).map(AsRef::as_ref);
    blocks.filter(|block: &&model::Block| block.defines.as_ref().is_some_and(|defines| defines.apart))
}

/// Returns the attributes of parts whose elements are such definitions: names, and kinds.
fn apart_lists(schema: &Schema) -> Vec<(&str, &str)> {
    let attributes = schema.parts.iter().flat_map(|part| &part.body.attributes);
    let lists = attributes.filter(|attribute| matches!(attribute.ty, Type::List(_) | Type::Set(_)));
    lists.filter_map(|list| Some((&*list.name, &*list.defines.as_ref().filter(|it| it.apart)?.kind))).collect()
}

/// Returns the addresses of the definition that a block makes, as far as its labels and attributes are texts.
fn addresses_of(defines: &Defines, known: &model::Block, block: &Block) -> Vec<String> {
    let text_of = |name: &str| match known.labels.iter().position(|label| label.name == name) {
        Some(at) => block.label(at).map(str::to_owned),
        None => attribute(block.body(), name).and_then(|value| text(&value)),
    };
    let address = |pattern: &String| {
        let steps =
            pattern.split('.').map(|step| match step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
                Some(name) => text_of(name),
                None => Some(step.to_owned()),
            });
        Some(steps.collect::<Option<Vec<_>>>()?.join("."))
    };
    defines.address.iter().chain(&defines.aliases).filter_map(address).collect()
}

/// Returns the texts of the elements of all lists of a name in a file, wherever they are.
fn elements_named(file: &ConfigFile, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |list: &Expression| {
        for element in list.static_list().unwrap_or_default() {
            found.push(text(&element).unwrap_or_else(|| element.source_text()));
        }
    };
    match file {
        ConfigFile::Native(file) => {
            let mut waiting = vec![file.body()];
            while let Some(body) = waiting.pop() {
                waiting.extend(body.blocks().map(|block| block.body()));
                for attribute in body.attributes() {
                    if attribute.name() == name {
                        add(&Expression::from(attribute.expression()));
                    } else if let ExpressionKind::Object(object) = attribute.expression().kind() {
                        let own = object.elements().filter(|element| element.key_text().as_deref() == Some(name));
                        own.for_each(|element| add(&Expression::from(element.value())));
                    }
                }
            }
        }
        ConfigFile::Json(document) => {
            let mut waiting = vec![document.root()];
            while let Some(node) = waiting.pop() {
                match node.kind() {
                    NodeKind::Object(object) => {
                        for property in object.properties() {
                            match property.name() == name {
                                true => add(&expression_of_json(document, property.value())),
                                false => waiting.push(property.value()),
                            }
                        }
                    }
                    NodeKind::Array(array) => waiting.extend(array.elements()),
                    _ => {}
                }
            }
        }
    }
    found
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
