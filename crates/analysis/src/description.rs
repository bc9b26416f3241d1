//! The description of a language by its schema.

use std::sync::{Arc, OnceLock};

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::Span;
use hcl_lr_language::schema::{Attribute, Block, Catalog, Checker, Facts, Label, Layers, Schema, Type};

use crate::Location;
use crate::knowledge::{BodyAt, Header, KnownAttribute, KnownBlock, KnownBody, KnownLabel, KnownValue};

/// The description of a language by its schema: the attributes and blocks of its bodies, and checks of files.
pub struct Description {
    checker: Checker,
    /// True if the language was chosen by file names, which several languages may share.
    by_name: bool,
    /// The checkers of shipped languages, with a catalog.
    cataloged: Vec<Checker>,
}

impl Description {
    /// Creates the description by a schema. `by_name` is true if the language was chosen by file names.
    pub(crate) fn new(checker: Checker, by_name: bool) -> Description {
        Description { checker, by_name, cataloged: Vec::new() }
    }

    /// Returns the checkers of the languages that a file may be in. Only what is wrong in all of them is reported, and
    /// what any of them knows is offered.
    fn checkers(&self, path: &str) -> Vec<&Checker> {
        let cataloged = |name: &str| self.cataloged.iter().find(|checker| checker.schema().name == name);
        let of = |schema: &'static Schema| cataloged(&schema.name).or_else(|| checker_named(&schema.name));
        let named = || Schema::all_for_file(path).filter_map(of);
        let all: Vec<&Checker> = if self.by_name { named().collect() } else { Vec::new() };
        let is_own = |checker: &&Checker| checker.schema().name == self.name();
        let fits = match self.name() {
            // OpenTofu extends Terraform.
            "terraform" => !all.is_empty(),
            _ => all.iter().any(is_own),
        };
        if fits { all } else { vec![&self.checker] }
    }
}

/// Returns the checker of a shipped language.
pub(crate) fn checker_named(name: &str) -> Option<&'static Checker> {
    type Known = Vec<(&'static str, OnceLock<Option<Checker>>)>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let all =
        KNOWN.get_or_init(|| hcl_lr_language::schema::LANGUAGES.iter().map(|name| (*name, OnceLock::new())).collect());
    let (name, checker) = all.iter().find(|(known, _)| *known == name)?;
    checker.get_or_init(|| Schema::by_name(name).map(Checker::new)).as_ref()
}

impl Description {
    /// Describes a body. `None` if it is unknown.
    pub fn body(&self, at: &BodyAt<'_>) -> Option<KnownBody> {
        let mut all = self.checkers(at.path).into_iter().filter_map(|checker| body(checker, at));
        let mut known = all.next()?;
        for other in all {
            let attributes =
                other.attributes.into_iter().filter(|attribute| known.attribute(&attribute.name).is_none());
            let attributes: Vec<KnownAttribute> = attributes.collect();
            let blocks = other.blocks.into_iter().filter(|block| known.block(&block.name).is_none());
            let blocks: Vec<KnownBlock> = blocks.collect();
            known
                .attributes
                .extend(attributes.into_iter().map(|attribute| KnownAttribute { is_required: false, ..attribute }));
            known.blocks.extend(blocks.into_iter().map(|block| KnownBlock { min: 0, ..block }));
            known.is_open |= other.is_open;
        }
        Some(known)
    }

    /// Returns the facts that the files of a program state for all of it, such as the sources of providers.
    pub fn facts(&self, program: &[&ConfigFile]) -> Facts {
        Facts::of_all(self.checker.schema(), program.iter().copied())
    }

    /// Checks a file of a program with these [facts](Self::facts).
    pub fn check(&self, file: &ConfigFile, facts: &Facts) -> Diagnostics {
        Checker::check_by_all(self.checkers(file.source().name()), |checker| checker.check_with(file, facts))
    }

    /// Returns the description with contents from a catalog, such as the schemas of providers. `None` if it uses none.
    pub fn with_catalog(&self, catalog: &Arc<dyn Catalog>) -> Option<Description> {
        let with = |checker: &Checker| checker.clone().with_catalog(Arc::clone(catalog));
        let takes = |checker: &&Checker| !checker.schema().catalogs.is_empty();
        if !takes(&&self.checker) {
            return None;
        }
        let known = hcl_lr_language::schema::LANGUAGES.iter().filter_map(|name| checker_named(name)).filter(takes);
        let cataloged = if self.by_name { known.map(with).collect() } else { Vec::new() };
        Some(Description { checker: with(&self.checker), by_name: self.by_name, cataloged })
    }

    /// Returns the spans of the values in a file that must not be shown, in source order.
    pub fn sensitive(&self, file: &ConfigFile) -> Vec<Span> {
        let all = self.checkers(file.source().name());
        let mut spans: Vec<Span> = all.into_iter().flat_map(|checker| checker.sensitive(file)).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// Returns the path of the schema file; `None` for a shipped schema.
    pub fn path(&self) -> Option<&str> {
        let path = self.checker.schema().place.source().name();
        // Shipped schemas are not files.
        path.starts_with('/').then_some(path)
    }

    /// Returns the patterns of the names of files in the language.
    pub fn patterns(&self) -> Vec<String> {
        self.checker.schema().files.iter().flat_map(|files| files.patterns.iter().cloned()).collect()
    }

    /// Returns true if the name of a file is one of the language.
    pub fn has_file(&self, path: &str) -> bool {
        self.checker.schema().files_of(path).is_some()
    }

    /// Returns the name of the language.
    pub fn name(&self) -> &str {
        &self.checker.schema().name
    }
}

/// Describes a body by one schema.
fn body(checker: &Checker, at: &BodyAt<'_>) -> Option<KnownBody> {
    let index = checker.index();
    let files = checker.schema().files_for(at.path, at.has)?;
    let mut layers = index.files(files)?;
    let mut description = checker.schema().description.clone();
    let mut place = layers.place();
    let mut labels: Vec<&[Label]> = Vec::new();
    for (depth, header) in at.blocks.iter().enumerate() {
        let (block, inner) = match header.block_type.as_str() {
            "dynamic" => {
                // A dynamic block contains blocks of the type in its label.
                let known = layers.block("dynamic");
                known?
            }
            "content" if depth > 0 && at.blocks[depth - 1].block_type == "dynamic" => {
                let generated = at.blocks[depth - 1].labels.first()?;
                layers.block(generated)?
            }
            name => layers.block(name).or_else(|| layers.free_block())?,
        };
        labels.push(&block.labels);
        layers = with_cases(checker, inner, at, &labels, depth);
        description = block.description.clone();
        place = layers.place();
    }
    let resolve = |ty: &Type| Some(index.resolve(ty).clone());
    let mut known = KnownBody { description, place: place.and_then(location), ..Default::default() };
    for attribute in layers.attributes() {
        known.attributes.push(known_attribute(attribute, index.resolve(&attribute.ty), &resolve));
    }
    for block in layers.blocks() {
        let mut described = known_block(block, &resolve);
        let inner = layers.block(&block.name).map(|(_, inner)| inner);
        if let Some(inner) = inner {
            let required = inner.attributes().filter(|attribute| attribute.required);
            described.required =
                required.map(|attribute| known_attribute(attribute, index.resolve(&attribute.ty), &resolve)).collect();
            for matched in inner.matches() {
                let label = described.labels.iter_mut().find(|label| label.name == matched.key);
                let values = matched.cases.iter().flat_map(|case| &case.values);
                if let Some(label) = label.filter(|label| label.values.is_empty()) {
                    label.values = values.map(|text| KnownValue { text: text.clone(), description: None }).collect();
                }
            }
        }
        for (label, described) in described.labels.iter_mut().zip(&block.labels) {
            if let Type::Catalog(name) = index.resolve(&described.ty)
                && label.values.is_empty()
            {
                let names = checker.names_in(name);
                label.values = names.map(|text| KnownValue { text: text.to_owned(), description: None }).collect();
            }
        }
        known.blocks.push(described);
    }
    known.is_open = layers.is_open() || layers.free_attribute().is_some() || layers.free_block().is_some();
    Some(known)
}

/// Returns the contents of a body with those for the values of its labels and attributes. For an unknown value, those
/// for all values are possible.
fn with_cases<'i>(
    checker: &'i Checker,
    mut layers: Layers<'i>,
    at: &BodyAt<'_>,
    labels: &[&[Label]],
    depth: usize,
) -> Layers<'i> {
    let matches: Vec<hcl_lr_language::schema::model::Match> = layers.matches().cloned().collect();
    for matched in matches {
        let (key, up) = {
            let (mut key, mut up) = (matched.key.as_str(), 0);
            while let Some(rest) = key.strip_prefix("parent.") {
                (key, up) = (rest, up + 1);
            }
            (key, up)
        };
        let own_depth = depth.checked_sub(up);
        let value = own_depth.and_then(|depth| value_of(at, labels, depth, key));
        match value {
            Some(value) => {
                let provider = own_depth.and_then(|depth| (at.value)(depth, "provider"));
                layers = checker.with_case(layers, &matched.key, &value, provider.as_deref(), &Facts::default());
            }
            None => {
                for value in matched.cases.iter().filter_map(|case| case.values.first()) {
                    layers = layers.with_case(&matched.key, value);
                }
            }
        }
    }
    layers
}

fn value_of(at: &BodyAt<'_>, labels: &[&[Label]], depth: usize, key: &str) -> Option<String> {
    let position = labels.get(depth)?.iter().position(|label| label.name == key);
    let header: &Header = at.blocks.get(depth)?;
    position.and_then(|position| header.labels.get(position).cloned()).or_else(|| (at.value)(depth, key))
}

fn location(place: &hcl_lr::source::Place) -> Option<Location> {
    // Shipped schemas are not files.
    place.source().name().starts_with('/').then(|| Location::of(place))
}

fn known_attribute(attribute: &Attribute, ty: &Type, resolve: &dyn Fn(&Type) -> Option<Type>) -> KnownAttribute {
    let mut values = Vec::new();
    values_of(ty, resolve, 0, &mut values);
    KnownAttribute {
        name: attribute.name.clone(),
        type_text: Some(attribute.ty.to_string()),
        ty: (!ty.is_static()).then(|| ty.value_type(resolve)).filter(|ty| *ty != hcl_lr::model::Type::Dynamic),
        description: documented(&attribute.description, &attribute.docs),
        is_required: attribute.required,
        is_read_only: attribute.read_only,
        is_meta: attribute.role.is_some(),
        is_sensitive: attribute.is_hidden(),
        deprecated: attribute.deprecated.as_ref().map(reason),
        default: attribute.default.as_ref().map(ToString::to_string),
        values,
        place: location(&attribute.place),
    }
}

fn known_block(block: &Block, resolve: &dyn Fn(&Type) -> Option<Type>) -> KnownBlock {
    let labels = block.labels.iter().filter(|label| !label.optional).map(|label| {
        let mut values = Vec::new();
        values_of(&label.ty, resolve, 0, &mut values);
        for value in &mut values {
            value.text = value.text.trim_matches('"').to_owned();
        }
        KnownLabel { name: label.name.clone(), values }
    });
    KnownBlock {
        name: block.name.clone(),
        labels: labels.collect(),
        description: documented(&block.description, &block.docs),
        deprecated: block.deprecated.as_ref().map(reason),
        min: block.min.into(),
        max: block.max.map(u64::from),
        required: Vec::new(),
        place: location(&block.place),
    }
}

fn documented(description: &Option<String>, docs: &Option<String>) -> Option<String> {
    match (description, docs) {
        (Some(text), Some(page)) => Some(format!("{text}\n\n[Documentation]({page})")),
        (Some(text), None) => Some(text.clone()),
        (None, Some(page)) => Some(format!("[Documentation]({page})")),
        (None, None) => None,
    }
}

fn reason(deprecated: &hcl_lr_language::schema::model::Deprecated) -> String {
    match (&deprecated.message, &deprecated.replacement) {
        (Some(message), _) => message.clone(),
        (None, Some(name)) => format!("use `{name}`"),
        (None, None) => "do not use it any more".to_owned(),
    }
}

/// Collects the values that a type lists, in HCL notation.
fn values_of(ty: &Type, resolve: &dyn Fn(&Type) -> Option<Type>, depth: usize, found: &mut Vec<KnownValue>) {
    // A type may refer to itself.
    const MAX_DEPTH: usize = 8;
    if depth > MAX_DEPTH {
        return;
    }
    let mut add = |text: String| found.push(KnownValue { text, description: None });
    match ty {
        Type::Literal(value) => add(value.to_string()),
        Type::Keyword(words) => words.iter().cloned().for_each(add),
        Type::Bool => ["true", "false"].map(str::to_owned).into_iter().for_each(add),
        Type::OneOf(types) => types.iter().for_each(|ty| values_of(ty, resolve, depth + 1, found)),
        Type::Named(_) => {
            if let Some(ty) = resolve(ty) {
                values_of(&ty, resolve, depth + 1, found);
            }
        }
        _ => {}
    }
}
