//! Reads schema files.

mod fields;
mod merge;
mod names;
mod types;

use std::collections::HashSet;
use std::sync::Arc;

use fields::{Fields, Reading, quoted, words};

use super::check::Checker;
use super::languages;
use super::model::{
    Attribute, AttributeRole, Block, BlockRole, Body, Case, CatalogSource, Check, Defines, DefinitionKind, Deprecated,
    Files, Form, Include, Label, Match, Nesting, Otherwise, Part, Rule, RuleKind, Schema, Type,
};
use crate::definitions::Duplicates;
use hcl_lr::body::ConfigFile;
use hcl_lr::body::{self, Expression};
use hcl_lr::diagnostic::Outcome;
use hcl_lr::functions::FunctionSet;
use hcl_lr::source::{Place, Source};
use hcl_lr::stack;
use hcl_lr::{Parse, ParseOptions};

/// The maximum nesting of blocks in a schema. Deeper ones are reported.
const MAX_DEPTH: usize = 64;

/// The maximum number of imports of a schema in total, whether they can be read or not.
const MAX_IMPORTS: usize = 256;

/// Loads the files that a schema imports.
pub trait SchemaLoader: Send + Sync {
    /// Returns the source at a path relative to the importing file, with its name.
    ///
    /// # Errors
    /// A message, if it cannot be loaded.
    fn load(&self, path: &str, from: &str) -> Result<Source, String>;
}

/// Loads no files: importing one is an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl SchemaLoader for NoFiles {
    fn load(&self, _: &str, _: &str) -> Result<Source, String> {
        Err("no files can be imported here".to_owned())
    }
}

/// Reads a schema file without imports. If there are errors, the schema has the rest.
impl Parse for Schema {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Schema> {
        Schema::parse_with(source, options, &NoFiles)
    }
}

impl Schema {
    /// Reads a schema file, and the files that it imports.
    pub fn parse_with(source: impl Into<Source>, options: &ParseOptions, loader: &dyn SchemaLoader) -> Outcome<Schema> {
        let mut reader = Reader { reading: Reading::new(), options, loader, imported: HashSet::new(), failed: 0 };
        let schema = reader.file(source.into(), Some(languages::checker()));
        let mut diagnostics = reader.reading.diagnostics;
        diagnostics.sort();
        Outcome::new(schema, diagnostics.without_repetitions())
    }

    /// Reads the schema of schemas, which is checked only by tests.
    pub(super) fn parse_unchecked(source: impl Into<Source>) -> Outcome<Schema> {
        let mut reader = Reader {
            reading: Reading::new(),
            options: &ParseOptions::new(),
            loader: &NoFiles,
            imported: HashSet::new(),
            failed: 0,
        };
        let schema = reader.file(source.into(), None);
        Outcome::new(schema, reader.reading.diagnostics)
    }
}

struct Reader<'l> {
    reading: Reading,
    options: &'l ParseOptions,
    loader: &'l dyn SchemaLoader,
    /// The names of the imported files, and the number of failed imports.
    imported: HashSet<String>,
    failed: usize,
}

const BODY_ATTRIBUTES: &[&str] =
    &["include", "open", "dynamic", "without", "exactly_one", "at_most_one", "at_least_one", "all_or_none"];

const BODY_BLOCKS: &[(&str, usize)] = &[("attribute", 1), ("block", 1), ("match", 1), ("check", 0)];

impl Reader<'_> {
    /// Reads a whole file. The schema includes everything that it imports and extends.
    fn file(&mut self, source: Source, checker: Option<&Checker>) -> Schema {
        let (document, diagnostics) = self.options.parse::<ConfigFile>(source).into_parts();
        let is_broken = diagnostics.has_errors();
        self.reading.diagnostics.append(diagnostics);
        if let Some(checker) = checker
            && !is_broken
        {
            self.reading.diagnostics.append(checker.check(&document));
        }
        let body = document.body();
        let mut schema = self.language(&body, document.source().name());
        self.import(&mut schema, document, checker);
        names::check(&schema, &mut self.reading);
        schema
    }

    /// Adds the contents of the imported files.
    fn import(&mut self, schema: &mut Schema, document: ConfigFile, checker: Option<&Checker>) {
        let mut waiting = vec![document];
        // Paths are relative to a file, so they mean the same in all files of a folder.
        let mut seen: HashSet<(String, String)> = HashSet::new();
        let mut parts: HashSet<String> = schema.parts.iter().map(|part| part.name.clone()).collect();
        while let Some(document) = waiting.pop() {
            let from = document.source().name().to_owned();
            let folder = &from[..from.rfind(['/', '\\']).map_or(0, |at| at + 1)];
            let fields = Fields::of(&document.body(), &["import"], &[], &[]);
            let Some(attribute) = fields.attribute("import") else { continue };
            let place = attribute.expression().place();
            for path in self.reading.texts(&fields, "import") {
                if self.imported.len() + self.failed >= MAX_IMPORTS {
                    self.reading.error(place.clone(), format!("more than {MAX_IMPORTS} files are imported"));
                    return;
                }
                let key = (folder.to_owned(), path);
                if seen.contains(&key) {
                    continue;
                }
                let path = &key.1;
                let source = match self.loader.load(path, &from) {
                    Ok(source) => source,
                    Err(why) => {
                        self.failed += 1;
                        self.reading.error(place.clone(), format!("cannot import \"{path}\": {why}"));
                        continue;
                    }
                };
                seen.insert(key);
                if !self.imported.insert(source.name().to_owned()) {
                    continue;
                }
                let (document, diagnostics) = self.options.parse::<ConfigFile>(source).into_parts();
                if let Some(checker) = checker
                    && !diagnostics.has_errors()
                {
                    self.reading.diagnostics.append(checker.check(&document));
                }
                self.reading.diagnostics.append(diagnostics);
                let other = self.language(&document.body(), document.source().name());
                merge::import(schema, other, &mut parts);
                waiting.push(document);
            }
        }
    }

    /// Reads the top level of a file.
    fn language(&mut self, body: &body::Body, file: &str) -> Schema {
        let fields = Fields::of(body, &[], &[("language", 1), ("part", 1), ("types", 0), ("catalog", 1)], &[]);
        let mut schema = Schema::new(file.rsplit(['/', '\\']).next().unwrap_or(file).split('.').next().unwrap_or(file));
        schema.place = body.missing_item_place();
        let mut extends = None;
        for block in fields.blocks() {
            match block.block_type() {
                "language" => extends = self.language_block(&mut schema, block),
                "part" => {
                    let part = self.part(block);
                    schema.parts.push(part);
                }
                "catalog" => {
                    let catalog = self.catalog(block);
                    schema.catalogs.push(catalog);
                }
                _ => self.types(&mut schema, block.body()),
            }
        }
        if let Some((name, place)) = extends {
            match Schema::by_name(&name) {
                Some(base) => {
                    schema.extends = Some(name);
                    schema = merge::extend(base, schema, &mut self.reading);
                }
                None => {
                    let known = languages::names();
                    self.reading.error(place, format!("there is no language named \"{name}\"; there are {known}"));
                }
            }
        }
        schema
    }

    /// Reads the block `language`. Returns the language that it extends.
    fn language_block(&mut self, schema: &mut Schema, block: &body::Block) -> Option<(String, Place)> {
        const NAMES: &[&str] = &[
            "title",
            "description",
            "docs",
            "extends",
            "functions",
            "later_functions",
            "later",
            "checks_names",
            "environment",
            "unknown_names",
            "reads_hcl_1",
            "protects_sensitive",
            "protects_ephemeral",
            "application",
            "undefined_is_text",
            "elsewhere",
            "version",
            "first_version",
        ];
        let fields = Fields::of(block.body(), NAMES, &[("files", 1)], &[]);
        let reading = &mut self.reading;
        schema.name = block.label(0).unwrap_or_default().to_owned();
        schema.place = block.header_place();
        schema.title = reading.text(&fields, "title");
        schema.description = reading.text(&fields, "description");
        schema.docs = reading.text(&fields, "docs");
        schema.later_functions = reading.texts(&fields, "later_functions");
        schema.later = reading.texts(&fields, "later");
        schema.checks_names = reading.flag(&fields, "checks_names").unwrap_or(false);
        schema.protects_sensitive = reading.flag(&fields, "protects_sensitive").unwrap_or(false);
        schema.protects_ephemeral = reading.flag(&fields, "protects_ephemeral").unwrap_or(false);
        schema.application = reading.texts(&fields, "application");
        schema.undefined_is_text = reading.flag(&fields, "undefined_is_text").unwrap_or(false);
        schema.elsewhere = reading.texts(&fields, "elsewhere");
        schema.ignores_unknown = reading.keyword(&fields, "unknown_names", &[("warning", true)]).unwrap_or(false);
        schema.reads_hcl_1 = reading.flag(&fields, "reads_hcl_1").unwrap_or(false);
        schema.environment = reading.text(&fields, "environment");
        schema.version = fields.attribute("version").and_then(|path| {
            let bare = path.expression().static_traversal().ok();
            let bare = bare.map(|path| path.place().text().trim_matches('"').to_owned());
            bare.or_else(|| quoted(path.expression()))
        });
        schema.first_version = reading.text(&fields, "first_version");
        for name in reading.texts(&fields, "functions") {
            match name.parse::<FunctionSet>() {
                Ok(set) => schema.functions.push(set),
                Err(why) => {
                    let place = fields.attribute("functions").map(|attribute| attribute.expression().place());
                    reading.error(place.unwrap_or_else(Place::nowhere), why);
                }
            }
        }
        for block in fields.blocks() {
            let files = self.files(block);
            schema.files.push(files);
        }
        let extends = self.reading.text(&fields, "extends")?;
        Some((extends, fields.attribute("extends")?.expression().place()))
    }

    fn files(&mut self, block: &body::Block) -> Files {
        const NAMES: &[&str] = &[
            "description",
            "patterns",
            "also",
            "detect",
            "alone",
            "overrides",
            "together",
            "body",
            "given",
            "folders",
            "results",
            "result_keys",
        ];
        let fields = Fields::of(block.body(), NAMES, &[], &[]);
        let body = fields.word("body").unwrap_or_default();
        let reading = &mut self.reading;
        let mut files = Files::new(block.label(0).unwrap_or_default(), reading.texts(&fields, "patterns"), body);
        files.description = reading.text(&fields, "description");
        files.also = reading.texts(&fields, "also");
        files.detect = reading.texts(&fields, "detect");
        files.alone = reading.texts(&fields, "alone");
        files.overrides = reading.texts(&fields, "overrides");
        files.together = reading.flag(&fields, "together").unwrap_or(false);
        files.given = reading.texts(&fields, "given");
        files.folders = reading.texts(&fields, "folders");
        files.results = reading.texts(&fields, "results");
        files.result_keys = reading.texts(&fields, "result_keys");
        files.place = block.header_place();
        files
    }

    fn catalog(&mut self, block: &body::Block) -> CatalogSource {
        let fields = Fields::of(block.body(), &["description", "format", "section"], &[], &[]);
        CatalogSource {
            name: block.label(0).unwrap_or_default().to_owned(),
            description: self.reading.text(&fields, "description"),
            format: fields.word("format").unwrap_or_default(),
            section: self.reading.text(&fields, "section"),
            place: block.header_place(),
        }
    }

    fn types(&mut self, schema: &mut Schema, body: &body::Body) {
        let (attributes, _) = body.attributes().into_parts();
        for attribute in &attributes {
            let ty = self.reading.outer(attribute.expression(), true).ty;
            schema.types.insert(attribute.name().to_owned(), ty);
        }
    }

    fn part(&mut self, block: &body::Block) -> Part {
        let fields = Fields::of(block.body(), &["description"], &[], &[]);
        Part {
            name: block.label(0).unwrap_or_default().to_owned(),
            description: self.reading.text(&fields, "description"),
            body: Arc::new(self.body(block, 0)),
            place: block.header_place(),
        }
    }

    /// Reads a body.
    fn body(&mut self, block: &body::Block, depth: usize) -> Body {
        let place = block.header_place();
        if depth > MAX_DEPTH {
            self.reading.error(place, format!("blocks are nested in more than {MAX_DEPTH} levels here"));
            return Body::new().open();
        }
        let fields = Fields::of(block.body(), BODY_ATTRIBUTES, BODY_BLOCKS, &[]);
        let mut body = Body { place, ..Body::new() };
        if let Some(include) = fields.attribute("include") {
            let names = words(include.expression()).into_iter();
            body.includes = names.map(|(part, place)| Include { part, place }).collect();
        }
        body.without = fields.attribute("without").map(|names| words(names.expression())).unwrap_or_default();
        body.open = self.reading.flag(&fields, "open").unwrap_or(false);
        body.dynamic = self.reading.flag(&fields, "dynamic");
        for kind in RuleKind::ALL {
            self.rules(&fields, kind, &mut body.rules);
        }
        for block in fields.blocks() {
            stack::with_room(|| match block.block_type() {
                "attribute" => body.attributes.push(Arc::new(self.attribute(block))),
                "block" => body.blocks.push(Arc::new(self.block(block, depth + 1))),
                "match" => body.matches.push(self.matched(block, depth + 1)),
                _ => body.checks.extend(self.check(block)),
            });
        }
        body
    }

    /// Reads the rules of a kind: one list of names, or several.
    fn rules(&mut self, fields: &Fields, kind: RuleKind, rules: &mut Vec<Rule>) {
        let Some(attribute) = fields.attribute(kind.name()) else { return };
        let Some(value) = self.reading.value(attribute.expression()) else { return };
        let place = attribute.place();
        let list = |value: &hcl_lr::model::Value| -> Vec<String> {
            let names = value.elements().into_iter().flatten();
            names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let lists: Vec<Vec<String>> = match value.elements() {
            Some(elements) if elements.iter().any(|element| element.elements().is_some()) => {
                elements.iter().map(list).collect()
            }
            _ => vec![list(&value)],
        };
        for names in lists {
            if names.len() < 2 {
                self.reading.error(place.clone(), format!("`{}` takes at least two names", kind.name()));
                continue;
            }
            rules.push(Rule { kind, names, place: place.clone() });
        }
    }

    fn attribute(&mut self, block: &body::Block) -> Attribute {
        const NAMES: &[&str] = &[
            "type",
            "assigns",
            "sensitive",
            "computed",
            "read_only",
            "write_only",
            "exact",
            "constant",
            "defined",
            "label_of",
            "role",
            "description",
            "docs",
            "since",
            "until",
        ];
        const ROLES: &[(&str, AttributeRole)] = &[
            ("value", AttributeRole::Value),
            ("source", AttributeRole::Source),
            ("count", AttributeRole::Count),
            ("for_each", AttributeRole::ForEach),
            ("enabled", AttributeRole::Enabled),
            ("variables", AttributeRole::Variables),
            ("variadic", AttributeRole::Variadic),
            ("meta", AttributeRole::Meta),
        ];
        let fields = Fields::of(block.body(), NAMES, &[("check", 0), ("deprecated", 0), ("defines", 1)], &[]);
        let mut attribute = Attribute::new(block.label(0).unwrap_or_default(), Type::Any);
        if let Some(ty) = fields.attribute("type") {
            let outer = self.reading.outer(ty.expression(), false);
            attribute.ty = outer.ty;
            attribute.required = outer.required == Some(true);
            attribute.default = outer.default;
        }
        let reading = &mut self.reading;
        attribute.assigns = fields.word("assigns");
        attribute.sensitive = reading.flag(&fields, "sensitive").unwrap_or(false);
        attribute.computed = reading.flag(&fields, "computed").unwrap_or(false);
        attribute.read_only = reading.flag(&fields, "read_only").unwrap_or(false);
        attribute.write_only = reading.flag(&fields, "write_only").unwrap_or(false);
        attribute.exact = reading.flag(&fields, "exact").unwrap_or(false);
        attribute.constant = reading.flag(&fields, "constant");
        attribute.defined = reading.flag(&fields, "defined").unwrap_or(false);
        attribute.label_of = reading.texts(&fields, "label_of");
        attribute.role = reading.keyword(&fields, "role", ROLES);
        attribute.description = reading.text(&fields, "description");
        attribute.docs = reading.text(&fields, "docs");
        attribute.since = reading.text(&fields, "since");
        attribute.until = reading.text(&fields, "until");
        attribute.deprecated = fields.blocks_of("deprecated").next().map(|block| self.deprecated(block));
        attribute.checks = fields.blocks_of("check").filter_map(|block| self.check(block)).collect();
        attribute.defines = fields.blocks_of("defines").next().map(|block| self.defines(block));
        attribute.place = block.header_place();
        attribute
    }

    fn block(&mut self, block: &body::Block, depth: usize) -> Block {
        const NAMES: &[&str] = &[
            "min",
            "max",
            "required",
            "unique",
            "once",
            "nesting",
            "form",
            "names",
            "role",
            "description",
            "docs",
            "since",
            "until",
        ];
        const NESTINGS: &[(&str, Nesting)] =
            &[("single", Nesting::Single), ("list", Nesting::List), ("set", Nesting::Set), ("map", Nesting::Map)];
        const ROLES: &[(&str, BlockRole)] = &[
            ("check", BlockRole::Check),
            ("value", BlockRole::Value),
            ("meta", BlockRole::Meta),
            ("elsewhere", BlockRole::Elsewhere),
        ];
        let fields = Fields::of(block.body(), NAMES, &[("label", 1), ("deprecated", 0), ("defines", 1)], &[]);
        let mut result = Block::new(block.label(0).unwrap_or_default(), self.body(block, depth));
        let reading = &mut self.reading;
        let nesting = reading.keyword(&fields, "nesting", NESTINGS).unwrap_or_default();
        result = result.with_nesting(nesting);
        result.min = reading.count(&fields, "min").unwrap_or(0);
        if reading.flag(&fields, "required") == Some(true) {
            result.min = result.min.max(1);
        }
        if let Some(max) = reading.count(&fields, "max") {
            result.max = Some(max);
        }
        if result.max.is_some_and(|max| max < result.min) {
            reading.error(block.header_place(), "there must be more blocks of this type than there may be");
        }
        result.unique = reading.flag(&fields, "unique").unwrap_or(nesting == Nesting::Map);
        result.once = reading.flag(&fields, "once").unwrap_or(false);
        result.form = reading.keyword(&fields, "form", &[("either", Form::Either)]).unwrap_or_default();
        result.names = reading.texts(&fields, "names");
        result.role = reading.keyword(&fields, "role", ROLES);
        result.description = reading.text(&fields, "description");
        result.docs = reading.text(&fields, "docs");
        result.since = reading.text(&fields, "since");
        result.until = reading.text(&fields, "until");
        for label in fields.blocks_of("label") {
            let label = self.label(label, result.labels.last());
            result.labels.push(label);
        }
        result.deprecated = fields.blocks_of("deprecated").next().map(|block| self.deprecated(block));
        result.defines = fields.blocks_of("defines").next().map(|block| self.defines(block));
        result.place = block.header_place();
        result
    }

    fn label(&mut self, block: &body::Block, before: Option<&Label>) -> Label {
        let fields = Fields::of(block.body(), &["type", "description"], &[], &[]);
        let mut label = Label::new(block.label(0).unwrap_or_default(), Type::String);
        if let Some(ty) = fields.attribute("type") {
            let outer = self.reading.outer(ty.expression(), true);
            label.ty = outer.ty;
            label.optional = outer.required == Some(false) || outer.repeated;
            label.repeated = outer.repeated;
        }
        label.description = self.reading.text(&fields, "description");
        label.place = block.header_place();
        match before {
            Some(before) if before.repeated => {
                self.reading.error(label.place.clone(), "no label can follow one that is `repeated`");
            }
            Some(before) if before.optional && !label.optional => {
                self.reading.error(label.place.clone(), "a label after one that is optional must be optional, too");
            }
            _ => {}
        }
        label
    }

    fn matched(&mut self, block: &body::Block, depth: usize) -> Match {
        let fields = Fields::of(block.body(), &["from"], &[("otherwise", 0)], &["case"]);
        let mut made = Match::new(block.label(0).unwrap_or_default(), []);
        made.place = block.header_place();
        made.catalog = fields.attribute("from").and_then(|from| self.catalog_name(from.expression()));
        for block in fields.blocks() {
            let body = Arc::new(self.body(block, depth));
            if block.block_type() == "otherwise" {
                made.otherwise = Otherwise::Body(body);
                continue;
            }
            let values = block.labels().iter().map(|label| label.text().to_owned()).collect();
            made.cases.push(Case { values, body, place: block.header_place() });
        }
        made
    }

    fn catalog_name(&mut self, expression: &Expression) -> Option<String> {
        match self.reading.outer(expression, true).ty {
            Type::Catalog(name) => Some(name),
            _ => {
                self.reading.error(expression.place(), "a catalog is required here: `catalog(NAME)`");
                None
            }
        }
    }

    fn deprecated(&mut self, block: &body::Block) -> Deprecated {
        let fields = Fields::of(block.body(), &["use", "message", "since"], &[], &[]);
        Deprecated {
            replacement: self.reading.text(&fields, "use"),
            message: self.reading.text(&fields, "message"),
            since: self.reading.text(&fields, "since"),
            place: block.header_place(),
        }
    }

    fn check(&mut self, block: &body::Block) -> Option<Check> {
        let fields = Fields::of(block.body(), &["condition", "message"], &[], &[]);
        let condition = fields.attribute("condition")?.expression().clone();
        let message = self.reading.text(&fields, "message")?;
        Some(Check { condition, message, place: block.header_place() })
    }

    fn defines(&mut self, block: &body::Block) -> Defines {
        const NAMES: &[&str] = &[
            "value",
            "address",
            "aliases",
            "open",
            "by_attribute",
            "whole",
            "apart",
            "itself",
            "itself_in",
            "otherwise",
            "constant",
            "functions",
            "typed_by_default",
            "nested",
            "ephemeral",
            "stored",
            "write_only",
            "duplicates",
        ];
        const KINDS: &[(&str, DefinitionKind)] = &[
            ("object", DefinitionKind::Object),
            ("value", DefinitionKind::Value),
            ("input", DefinitionKind::Input),
            ("module", DefinitionKind::Module),
            ("later", DefinitionKind::Later),
            ("function", DefinitionKind::Function),
        ];
        const DUPLICATES: &[(&str, Duplicates)] =
            &[("error", Duplicates::Error), ("last", Duplicates::Last), ("merge", Duplicates::Merge)];
        let fields = Fields::of(block.body(), NAMES, &[], &[]);
        for name in ["address", "aliases"] {
            let place = fields.attribute(name).map_or_else(Place::nowhere, |attribute| attribute.expression().place());
            for text in self.reading.texts(&fields, name) {
                self.address(&text, place.clone());
            }
        }
        let reading = &mut self.reading;
        let value = reading.keyword(&fields, "value", KINDS).unwrap_or_default();
        let mut defines = Defines::new(block.label(0).unwrap_or_default(), value, "");
        defines.address = reading.text(&fields, "address");
        defines.aliases = reading.texts(&fields, "aliases");
        defines.open = reading.flag(&fields, "open").unwrap_or(false);
        defines.by_attribute = reading.flag(&fields, "by_attribute").unwrap_or(false);
        defines.whole = reading.flag(&fields, "whole").unwrap_or(false);
        defines.apart = reading.flag(&fields, "apart").unwrap_or(false);
        defines.itself = reading.text(&fields, "itself");
        defines.itself_in = reading.texts(&fields, "itself_in");
        if let Some(otherwise) = fields.attribute("otherwise") {
            defines.otherwise = reading.value(otherwise.expression());
        }
        defines.constant = reading.flag(&fields, "constant").unwrap_or(false);
        defines.functions = reading.texts(&fields, "functions");
        defines.typed_by_default = reading.flag(&fields, "typed_by_default").unwrap_or(false);
        defines.nested = reading.flag(&fields, "nested").unwrap_or(false);
        defines.ephemeral = reading.flag(&fields, "ephemeral").unwrap_or(false);
        defines.stored = reading.flag(&fields, "stored").unwrap_or(false);
        defines.write_only = reading.texts(&fields, "write_only");
        defines.duplicates = reading.keyword(&fields, "duplicates", DUPLICATES).unwrap_or_default();
        defines.place = block.header_place();
        defines
    }

    /// Checks the braces of an address: each contains a name and fills a whole step.
    fn address(&mut self, address: &str, place: Place) {
        let wrong = address.split('.').find(|step| {
            let inner = step.strip_prefix('{').and_then(|step| step.strip_suffix('}')).unwrap_or(step);
            inner.is_empty() || inner.contains(['{', '}'])
        });
        if let Some(step) = wrong {
            let help = "an address is names with dots between them, with labels in braces: `data.{type}.{name}`";
            let detail = format!("\"{step}\" is neither a name nor a name in braces");
            self.reading.error_with_help(place, detail, help);
        }
    }
}
