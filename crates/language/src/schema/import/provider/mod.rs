//! Schemas of providers, as printed by `terraform providers schema -json` and `tofu providers schema -json`.
//!
//! Such a document has 30 MB or more, and a configuration needs little of it. So one pass over the text records the
//! place of each type. The schema of a type is read on first use and kept.

mod index;
mod json;
mod read;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::schema::check::{Catalog, CatalogKey, Found};
use crate::schema::facts::Facts;
use crate::schema::index::Table;
use crate::schema::model::{CatalogSource, Type};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use hcl_lr::internal::bounded;
use hcl_lr::model;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::{Parse, ParseOptions};

/// The schemas of providers: their configuration, resources, data sources and functions.
///
/// It is the [`Catalog`] of the languages `terraform` and `opentofu`. It reads the output of
/// `terraform providers schema -json` in a format 1.x, and ignores unknown members.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_lr_language::schema::{Checker, ProviderSchemas, Schema};
/// use hcl_lr::{ConfigFile, parse};
///
/// let json = r#"{
///   "format_version": "1.0",
///   "provider_schemas": {
///     "registry.terraform.io/hashicorp/local": {
///       "resource_schemas": {
///         "local_file": {
///           "version": 0,
///           "block": { "attributes": { "filename": { "type": "string", "required": true } } }
///         }
///       }
///     }
///   }
/// }"#;
/// let schemas = parse::<ProviderSchemas>(("schemas.json", json)).into_result()?;
/// let terraform = Schema::by_name("terraform").expect("it comes with the library");
/// let checker = Checker::new(terraform).with_catalog(Arc::new(schemas));
/// let file = parse::<ConfigFile>(("main.tf", "resource \"local_file\" \"a\" {}\n")).into_result()?;
/// assert!(checker.check(&file).to_string().contains("the argument \"filename\" is required here"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Default)]
pub struct ProviderSchemas {
    /// The providers by their addresses, such as `registry.terraform.io/hashicorp/aws`.
    providers: BTreeMap<String, Provider>,
}

/// The schemas of a provider.
#[derive(Default)]
struct Provider {
    source: Option<Arc<Source>>,
    configuration: Option<Entry>,
    /// The types of each kind, by the name of the member, such as `resource_schemas`.
    sections: Table<Section>,
    functions: Section,
}

type Section = BTreeMap<Box<str>, Entry>;

/// A part of the document.
struct Entry {
    span: Span,
    contents: OnceLock<Option<Box<read::Contents>>>,
    function: OnceLock<Option<Box<ProviderFunction>>>,
}

/// The signature of a function of a provider.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProviderFunction {
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The message if the function should no longer be called.
    pub deprecated: Option<String>,
    /// The type of the result.
    pub result: Type,
    /// The parameters.
    pub parameters: Vec<FunctionParameter>,
    /// The parameter for all further arguments.
    pub variadic: Option<FunctionParameter>,
}

/// A parameter of a [`ProviderFunction`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FunctionParameter {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// True if null is allowed as an argument.
    pub is_nullable: bool,
    /// The description, in Markdown.
    pub description: Option<String>,
}

/// The registry hosts that addresses may leave out.
const HOSTS: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// The provider built into the program.
const BUILTIN: &str = "terraform.io/builtin/terraform";

/// The kinds of types in documents of all versions. If any other kind is missing, the program that wrote the document
/// may not know it.
const KINDS_OF_ALL: [&str; 2] = ["resource_schemas", "data_source_schemas"];

/// Reads the output of `terraform providers schema -json`. With errors, there are no providers.
impl Parse for ProviderSchemas {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<ProviderSchemas> {
        let (source, too_large) = bounded(source, options);
        let wrong = |span: Span, detail: String| {
            let diagnostic = Diagnostic::error(Code::InvalidSchema, Place::new(&source, span), detail);
            let help = "write the file with `terraform providers schema -json` or `tofu providers schema -json`";
            Outcome::new(ProviderSchemas::default(), Diagnostics::from_iter([diagnostic.with_help(help)]))
        };
        if let Some(finding) = too_large {
            return Outcome::new(ProviderSchemas::default(), Diagnostics::from_iter([finding.in_source(&source)]));
        }
        let start = Span::new(0, 0);
        let document = match index::read(source.text()) {
            Ok(document) => document,
            Err(problem) => {
                return wrong(Span::new(problem.offset, problem.offset), problem.detail);
            }
        };
        match document.format_version.as_deref() {
            Some(version) if version.split('.').next() == Some("1") => {}
            Some(version) => return wrong(start, format!("the format version {version} is not known, only 1.x")),
            None => {
                return wrong(start, "this JSON has no `format_version`, so it has no schemas of providers".to_owned());
            }
        }
        let mut providers = document.providers.unwrap_or_default();
        for provider in providers.values_mut() {
            provider.source = Some(Arc::clone(&source));
        }
        Outcome::new(ProviderSchemas { providers }, Diagnostics::new())
    }
}

impl ProviderSchemas {
    /// Adds the providers of another document. They replace those with the same address.
    pub fn with(mut self, other: ProviderSchemas) -> ProviderSchemas {
        self.providers.extend(other.providers);
        self
    }

    /// Returns the addresses of the providers, such as `registry.terraform.io/hashicorp/aws`.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.providers.keys().map(String::as_str)
    }

    /// Returns the names of the functions of a provider, which files call as `provider::NAME::FUNCTION`.
    pub fn functions(&self, provider: &str) -> impl Iterator<Item = &str> {
        self.providers.get(provider).into_iter().flat_map(|provider| provider.functions.keys()).map(|name| &**name)
    }

    /// Returns the signature of a function of a provider.
    pub fn function(&self, provider: &str, name: &str) -> Option<&ProviderFunction> {
        let provider = self.providers.get(provider)?;
        let entry = provider.functions.get(name)?;
        let read = || read::function(provider.text(entry)).map(Box::new);
        entry.function.get_or_init(read).as_deref()
    }

    /// Returns the provider with a local name in a program.
    fn provider(&self, local: &str, facts: &Facts) -> Option<(&str, &Provider)> {
        if let Some(source) = facts.provider_source(local) {
            return self.by_source(source);
        }
        let default = || match local {
            "terraform" => self.at(BUILTIN),
            _ => self.by_source(&format!("hashicorp/{local}")),
        };
        if facts.is_complete() {
            return default();
        }
        // Other files may name the source. If only one provider has this name, it must be that one.
        default().or_else(|| {
            let mut named = self.providers.keys().filter(|address| address.rsplit('/').next() == Some(local));
            named.next().filter(|_| named.next().is_none()).and_then(|address| self.at(address))
        })
    }

    fn at(&self, address: &str) -> Option<(&str, &Provider)> {
        self.providers.get_key_value(address).map(|(address, provider)| (address.as_str(), provider))
    }

    /// Returns the provider with an address that may lack the host, and `hashicorp` after it.
    fn by_source(&self, source: &str) -> Option<(&str, &Provider)> {
        let source = source.to_ascii_lowercase();
        let source = match source.matches('/').count() {
            0 => format!("hashicorp/{source}"),
            1 => source,
            _ => return self.at(&source),
        };
        HOSTS.iter().find_map(|host| self.at(&format!("{host}/{source}")))
    }
}

impl Provider {
    fn text(&self, entry: &Entry) -> &str {
        self.source.as_ref().map_or("", |source| &source.text()[entry.span.range()])
    }

    fn contents<'c>(&'c self, entry: &'c Entry) -> Found<'c> {
        let read = || read::contents(self.text(entry)).map(Box::new);
        let Some(contents) = entry.contents.get_or_init(read) else { return Found::Unknown };
        match contents.index.part(read::PART) {
            Some(layers) => Found::Contents { layers, deprecated: contents.deprecated.as_ref() },
            None => Found::Unknown,
        }
    }
}

impl Entry {
    fn at(span: Span) -> Entry {
        Entry { span, contents: OnceLock::new(), function: OnceLock::new() }
    }
}

/// Returns the local name of the provider of a type: the text before the first `_`.
fn prefix(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// The section with the configurations of providers. Its names are the local names of providers.
const CONFIGURATION: &str = "provider";

/// Describes a type of a section.
fn noun(section: &str) -> &str {
    match section {
        "resource_schemas" => "resource type",
        "data_source_schemas" => "data source",
        "ephemeral_resource_schemas" => "ephemeral resource type",
        "action_schemas" => "action",
        "list_resource_schemas" => "resource type for lists",
        other => other,
    }
}

impl Catalog for ProviderSchemas {
    fn find<'c>(&'c self, catalog: &CatalogSource, key: &CatalogKey<'_>) -> Found<'c> {
        let Some(section) = catalog.section.as_deref().filter(|_| catalog.format == FORMAT) else {
            return Found::Unknown;
        };
        let local = match (section, key.provider) {
            (CONFIGURATION, _) => key.name,
            // A configuration such as `aws.west` belongs to the provider `aws`.
            (_, Some(written)) => written.split(['.', '[']).next().unwrap_or(written),
            (_, None) => prefix(key.name),
        };
        let Some((address, provider)) = self.provider(local, key.facts) else { return Found::Unknown };
        if section == CONFIGURATION {
            return provider.configuration.as_ref().map_or(Found::Unknown, |entry| provider.contents(entry));
        }
        let types = provider.sections.get(section);
        match types.and_then(|types| types.get(key.name)) {
            Some(entry) => provider.contents(entry),
            None if types.is_some() || KINDS_OF_ALL.contains(&section) => {
                let noun = noun(section);
                Found::Missing(format!("the provider {address} has no {noun} \"{}\"", key.name))
            }
            None => Found::Unknown,
        }
    }

    fn names<'c>(&'c self, catalog: &CatalogSource) -> Box<dyn Iterator<Item = &'c str> + 'c> {
        let section = catalog.section.clone().filter(|_| catalog.format == FORMAT).unwrap_or_default();
        if section == CONFIGURATION {
            return Box::new(self.providers.keys().filter_map(|address| address.rsplit('/').next()));
        }
        let types = self.providers.values().filter_map(move |provider| provider.sections.get(section.as_str()));
        Box::new(types.flat_map(|types| types.keys().map(|name| &**name)))
    }

    fn function_result(&self, name: &str, facts: &Facts) -> Option<model::Type> {
        let mut steps = name.split("::");
        let (Some("provider"), Some(local), Some(function), None) =
            (steps.next(), steps.next(), steps.next(), steps.next())
        else {
            return None;
        };
        let (address, _) = self.provider(local, facts)?;
        let function = self.function(address, function)?;
        Some(function.result.value_type(&|_| None))
    }
}

/// The name of the format in schema files.
const FORMAT: &str = "terraform_provider_schema";

impl fmt::Debug for ProviderSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.providers()).finish()
    }
}
