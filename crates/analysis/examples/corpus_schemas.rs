//! Makes up schemas of providers for the resources of real files, as `terraform providers schema -json` prints them.
//!
//! ```sh
//! cargo run --profile quick --package hcl-lr-analysis --example corpus_schemas -- FOLDER > schemas.json
//! cd FOLDER && hcl providers import schemas.json
//! ```
//!
//! Each type of resource and data source has the attributes and blocks that the files use, with types as far as the
//! values tell them. Two of three attributes that all of at least four blocks set are required; of fewer blocks, as many as
//! in types with many blocks. Beside these there are made-up ones, which no file sets: at least as many names of other types of the
//! provider, and attributes that can only be read. Each run makes the same bytes.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use hcl_lr::ConfigFile;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind, ExpressionNode};
use serde_json::{Map, Value, json};

/// Arguments and blocks of Terraform itself, in resources and data sources, and in providers.
const META: [&str; 7] = ["count", "for_each", "depends_on", "provider", "lifecycle", "provisioner", "connection"];
const META_OF_PROVIDERS: [&str; 3] = ["alias", "for_each", "version"];

/// Attributes that no provider requires.
const OPTIONAL: [&str; 4] = ["tags", "labels", "description", "annotations"];

/// The number of bodies that show which attributes are required.
const MANY: usize = 4;

/// The percentage of required attributes among those that all bodies set.
const REQUIRED: usize = 67;

/// The number of made-up attributes of a type beside those of as many names as files use.
const MADE_UP: usize = 12;

/// The contents of the bodies of a kind.
#[derive(Default)]
struct Used {
    bodies: usize,
    /// The attributes, with the number of their uses and their types, of which there is one if all values agree.
    attributes: BTreeMap<String, (usize, Vec<Value>)>,
    blocks: BTreeMap<String, Used>,
}

impl Used {
    /// Adds a body without some of its attributes and blocks.
    fn add(&mut self, body: BodyNode<'_>, except: &[&str]) {
        self.bodies += 1;
        for attribute in body.attributes().filter(|attribute| !except.contains(&attribute.name())) {
            let (uses, types) = self.attributes.entry(attribute.name().to_owned()).or_default();
            *uses += 1;
            let ty = type_of(attribute.expression()).filter(|ty| !types.contains(ty));
            types.extend(ty);
        }
        for block in body.blocks().filter(|block| !except.contains(&block.block_type())) {
            match (block.block_type(), block.labels().next()) {
                ("dynamic", Some(label)) => {
                    for content in block.body().blocks_of_type("content") {
                        self.blocks.entry(label.text().into_owned()).or_default().add(content.body(), &[]);
                    }
                }
                (name, None) => self.blocks.entry(name.to_owned()).or_default().add(block.body(), &[]),
                _ => {}
            }
        }
    }

    /// Adds the names of attributes and blocks to those of a provider.
    fn names(&self, names: &mut Names) {
        names.attributes.extend(self.attributes.keys().cloned());
        names.blocks.extend(self.blocks.keys().cloned());
        self.blocks.values().for_each(|used| used.names(names));
    }

    /// Counts the uses of attributes in bodies of which there are many: of those that all of them set, and of all.
    fn count_always(&self, counts: &mut [usize; 2]) {
        for (uses, _) in self.attributes.values().filter(|_| self.bodies >= MANY) {
            counts[0] += if *uses == self.bodies { *uses } else { 0 };
            counts[1] += uses;
        }
        self.blocks.values().for_each(|used| used.count_always(counts));
    }

    /// Returns the schema of the body. `path` is its name in the document.
    fn schema(&self, path: &str, names: &Names) -> Value {
        let mut attributes = Map::new();
        for (name, (uses, types)) in &self.attributes {
            let is_always = *uses == self.bodies && !OPTIONAL.contains(&name.as_str());
            let share = if self.bodies >= MANY { REQUIRED } else { REQUIRED * names.always / 100 };
            let is_required = is_always && number(&(path, name)) % 100 < share;
            let ty = if let [ty] = &types[..] { ty.clone() } else { json!("dynamic") };
            let flag = if is_required { "required" } else { "optional" };
            attributes.insert(name.clone(), json!({ "type": ty, flag: true }));
        }
        let is_free = |name: &&String| !self.attributes.contains_key(*name) && !self.blocks.contains_key(*name);
        for (at, name) in picked(&names.attributes, path, self.attributes.len() + MADE_UP).filter(is_free).enumerate() {
            let flags = if at % 5 == 4 { json!({ "computed": true }) } else { json!({ "optional": true }) };
            let mut attribute = flags;
            attribute["type"] = json!("string");
            attributes.insert(name.clone(), attribute);
        }
        if !attributes.contains_key("id") && !path.contains('/') {
            attributes.insert("id".to_owned(), json!({ "type": "string", "computed": true }));
        }
        let nested = |used: Value| json!({ "nesting_mode": "list", "block": used });
        let mut blocks = Map::new();
        for (name, used) in &self.blocks {
            blocks.insert(name.clone(), nested(used.schema(&format!("{path}/{name}"), names)));
        }
        for name in picked(&names.blocks, path, 3).filter(is_free).filter(|name| !attributes.contains_key(*name)) {
            let block = json!({ "attributes": { "name": { "type": "string", "optional": true } } });
            blocks.insert(name.clone(), nested(block));
        }
        json!({ "attributes": attributes, "block_types": blocks })
    }
}

/// The names of the attributes and blocks of a provider, each once for each type that has it.
#[derive(Default)]
struct Names {
    /// The percentage of required attributes in bodies of which there are few.
    always: usize,
    attributes: Vec<String>,
    blocks: Vec<String>,
}

/// Returns a number for a key: the same one in each run.
fn number(key: &impl Hash) -> usize {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    (hasher.finish() % (1 << 32)) as usize
}

/// Picks some of the names for a body.
fn picked<'n>(names: &'n [String], path: &str, count: usize) -> impl Iterator<Item = &'n String> {
    let count = if names.is_empty() { 0 } else { count };
    (0..count).map(move |at| &names[number(&(path, at)) % names.len()])
}

/// Returns the type of a constant, as in the document. `None` if the value does not tell.
fn type_of(expression: ExpressionNode<'_>) -> Option<Value> {
    Some(match expression.kind() {
        ExpressionKind::Template(template) if template.unwrapped().is_none() => json!("string"),
        ExpressionKind::Number(_) => json!("number"),
        ExpressionKind::Bool(_) => json!("bool"),
        ExpressionKind::Tuple(tuple) => match tuple.elements().next().and_then(type_of) {
            Some(Value::String(element)) => json!(["list", element]),
            _ => return None,
        },
        ExpressionKind::Object(object) => match object.elements().next().and_then(|element| type_of(element.value())) {
            Some(Value::String(element)) => json!(["map", element]),
            _ => return None,
        },
        ExpressionKind::FunctionCall(call) => match &*call.name() {
            "jsonencode" | "yamlencode" | "file" | "templatefile" | "format" | "join" | "base64encode" => {
                json!("string")
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the files of Terraform in a folder.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => folders.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tf" || extension == "tofu"));
    files.sort();
    files
}

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        println!("name the folder with the files");
        return;
    };
    // The kinds of types by the name of the provider: the configuration, resources, data sources.
    let mut providers: BTreeMap<String, BTreeMap<&str, BTreeMap<String, Used>>> = BTreeMap::new();
    let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files(PathBuf::from(folder)) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let name = path.to_string_lossy().into_owned();
        let ConfigFile::Native(file) = hcl_lr::parse::<ConfigFile>((name.as_str(), bytes)).into_value() else {
            continue;
        };
        for block in file.body().blocks() {
            let section = match block.block_type() {
                "resource" => "resource_schemas",
                "data" => "data_source_schemas",
                "provider" => "provider",
                "terraform" => {
                    let required = block.body().blocks_of_type("required_providers");
                    for entry in required.flat_map(|block| block.body().attributes().collect::<Vec<_>>()) {
                        let ExpressionKind::Object(object) = entry.expression().kind() else { continue };
                        let mut elements = object.elements();
                        let source = elements.find(|element| element.key_text().is_some_and(|key| key == "source"));
                        let source = source.map(|element| element.value().text().trim_matches('"').to_lowercase());
                        let known = sources.entry(entry.name().to_owned()).or_default();
                        known.extend(source.filter(|source| !known.contains(source)));
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(label) = block.labels().next().map(|label| label.text().into_owned()) else { continue };
            let provider = label.split('_').next().unwrap_or(&label).to_owned();
            let sections = providers.entry(provider).or_default();
            let except = if section == "provider" { &META_OF_PROVIDERS[..] } else { &META };
            sections.entry(section).or_default().entry(label).or_default().add(block.body(), except);
        }
    }
    let mut counts = [0, 0];
    providers
        .values()
        .flat_map(BTreeMap::values)
        .flat_map(BTreeMap::values)
        .for_each(|used| used.count_always(&mut counts));
    let always = 100 * counts[0] / counts[1].max(1);
    eprintln!("{always} % of the attributes in blocks of which there are many are in all of these");
    let mut document = Map::new();
    for (provider, sections) in &providers {
        let mut names = Names { always, ..Names::default() };
        sections.values().flat_map(BTreeMap::values).for_each(|used| used.names(&mut names));
        let mut schema = Map::new();
        for (section, types) in sections {
            let types = types.iter();
            let types: Map<String, Value> = types
                .map(|(name, used)| (name.clone(), json!({ "version": 0, "block": used.schema(name, &names) })))
                .collect();
            let value = match *section {
                "provider" => types.into_values().next().unwrap_or_default(),
                _ => Value::Object(types),
            };
            schema.insert((*section).to_owned(), value);
        }
        let default = vec![format!("hashicorp/{provider}")];
        for source in sources.get(provider).into_iter().flatten().chain(&default) {
            let host = if source.matches('/').count() > 1 { "" } else { "registry.terraform.io/" };
            document.insert(format!("{host}{source}"), Value::Object(schema.clone()));
        }
    }
    println!("{}", json!({ "format_version": "1.0", "provider_schemas": document }));
}
