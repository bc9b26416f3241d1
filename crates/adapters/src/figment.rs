//! Files as a provider for [figment](https://docs.rs/figment) (feature `figment`).
//!
//! ```
//! use figment::Figment;
//! use figment::providers::Serialized;
//! use hcl_lr_adapters::figment::Hcl;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Deserialize, Serialize)]
//! struct Config {
//!     port: u16,
//!     host: String,
//! }
//!
//! let defaults = Config { port: 80, host: "localhost".to_owned() };
//! let figment = Figment::from(Serialized::defaults(defaults)).merge(Hcl::string("port = 8000 + 80\n"));
//! let config: Config = figment.extract().expect("it fits");
//! assert_eq!((config.port, &*config.host), (8080, "localhost"));
//!
//! let error = Figment::from(Hcl::string("port = \"none\"\n")).extract::<Config>().unwrap_err();
//! assert!(error.to_string().contains("port (line 1, column 8)"), "{error}");
//! ```

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ::figment::value::{Dict, Empty, Map, Num, Tag, Value};
use ::figment::{Error, Metadata, Profile, Provider};

use crate::untyped::{self, Placed, Untyped};
use hcl_lr::ParseOptions;
use hcl_lr::body::Body;
use hcl_lr::eval::Scope;
use hcl_lr::source::Position;
use hcl_lr::typed::Reader;

/// A provider for a file or a text. A file whose name ends in `.json` is in JSON.
///
/// figment has values but no blocks: a block becomes a dictionary, several blocks of a type an array of dictionaries,
/// and labels become the keys of outer dictionaries. For types that may occur once or several times,
/// [`lists`](Hcl::lists) forces an array.
///
/// Errors of figment include the line and the column of a value.
#[derive(Debug)]
pub struct Hcl<'s> {
    origin: Origin,
    profile: Option<Profile>,
    scope: Option<&'s Scope<'s>>,
    lists: Vec<String>,
    read: OnceLock<Result<Found, String>>,
}

#[derive(Debug)]
enum Origin {
    File(Option<PathBuf>),
    Text(String),
}

/// The data that was read.
#[derive(Debug)]
struct Found {
    values: BTreeMap<String, Placed>,
    /// The place of the value at each path.
    places: Arc<HashMap<String, Position>>,
}

impl<'s> Hcl<'s> {
    fn new(origin: Origin) -> Self {
        Hcl { origin, profile: Some(Profile::Default), scope: None, lists: Vec::new(), read: OnceLock::new() }
    }

    /// Reads a file. A relative path is searched in the current folder and its parents, as in figment's own providers.
    /// A missing file provides nothing.
    pub fn file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let found = match path.is_absolute() {
            true => Some(path.to_owned()),
            false => std::env::current_dir()
                .ok()
                .and_then(|folder| folder.ancestors().map(|folder| folder.join(path)).find(|path| path.is_file())),
        };
        Hcl::new(Origin::File(found.filter(|path| path.is_file())))
    }

    /// The file of exactly this path, which must be there.
    pub fn file_exact(path: impl AsRef<Path>) -> Self {
        Hcl::new(Origin::File(Some(path.as_ref().to_owned())))
    }

    /// A text in native syntax.
    pub fn string(text: &str) -> Self {
        Hcl::new(Origin::Text(text.to_owned()))
    }

    /// The names on the top level are those of profiles.
    pub fn nested(mut self) -> Self {
        self.profile = None;
        self
    }

    /// Provides for a profile other than the default one.
    pub fn profile(mut self, profile: impl Into<Profile>) -> Self {
        self.profile = Some(profile.into());
        self
    }

    /// Evaluates expressions in a scope.
    pub fn scope(mut self, scope: &'s Scope<'s>) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Turns values with these names into arrays, even single ones. A nested name is written with dots and without
    /// labels: `service.listener`.
    pub fn lists<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.lists.extend(names.into_iter().map(Into::into));
        self
    }

    fn found(&self) -> &Result<Found, String> {
        self.read.get_or_init(|| {
            let body = match &self.origin {
                Origin::File(None) => return Ok(Found { values: BTreeMap::new(), places: Arc::default() }),
                Origin::File(Some(path)) => ParseOptions::default().parse_file::<Body>(path),
                Origin::Text(text) => ParseOptions::default().parse::<Body>(text.as_str()),
            };
            let body = body.into_result().map_err(|diagnostics| diagnostics.to_string())?;
            let reader = match self.scope {
                Some(scope) => Reader::new().with_scope(scope),
                None => Reader::new(),
            };
            let values = untyped::read(&body, &reader, &self.lists).map_err(|diagnostics| diagnostics.to_string())?;
            let mut places = HashMap::new();
            for (name, value) in &values {
                find_places(name.clone(), value, &body, &mut places);
            }
            Ok(Found { values, places: Arc::new(places) })
        })
    }
}

fn find_places(path: String, value: &Placed, body: &Body, places: &mut HashMap<String, Position>) {
    match value.get_ref() {
        Untyped::Object(entries) => {
            for (name, value) in entries {
                find_places(format!("{path}.{name}"), value, body, places);
            }
        }
        Untyped::List(elements) => {
            for (index, value) in elements.iter().enumerate() {
                find_places(format!("{path}.{index}"), value, body, places);
            }
        }
        _ => {}
    }
    places.insert(path, body.missing_item_place().source().position(value.span().start));
}

impl Provider for Hcl<'_> {
    fn metadata(&self) -> Metadata {
        let metadata = match &self.origin {
            Origin::Text(_) => Metadata::named("HCL source string"),
            Origin::File(None) => Metadata::named("HCL file"),
            Origin::File(Some(path)) => Metadata::from("HCL file", &**path),
        };
        let places = self.found().as_ref().map(|found| found.places.clone()).unwrap_or_default();
        let is_nested = self.profile.is_none();
        metadata.interpolater(move |profile: &Profile, keys: &[&str]| {
            let path = keys.join(".");
            let place = if is_nested { places.get(&format!("{profile}.{path}")) } else { places.get(&path) };
            match place {
                Some(Position { line, column, .. }) => format!("{path} (line {line}, column {column})"),
                None => path,
            }
        })
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let found = self.found().as_ref().map_err(|message| Error::from(message.clone()))?;
        if let Origin::File(None) = self.origin {
            return Ok(Map::new());
        }
        let Some(profile) = &self.profile else {
            let mut profiles = Map::new();
            for (name, value) in &found.values {
                let Untyped::Object(entries) = value.get_ref() else {
                    return Err(Error::from(format!("the profile `{name}` is not a block or an object")));
                };
                profiles.insert(Profile::new(name), dict(entries));
            }
            return Ok(profiles);
        };
        Ok(Map::from([(profile.clone(), dict(&found.values))]))
    }
}

fn dict(entries: &BTreeMap<String, Placed>) -> Dict {
    entries.iter().map(|(name, value)| (name.clone(), value_of(value.get_ref()))).collect()
}

fn value_of(value: &Untyped) -> Value {
    let tag = Tag::Default;
    match value {
        Untyped::Null => Value::Empty(tag, Empty::None),
        Untyped::Bool(value) => Value::Bool(tag, *value),
        Untyped::Integer(value) => Value::Num(tag, number(*value)),
        Untyped::Large(value) => Value::Num(tag, Num::U128(*value)),
        Untyped::Float(value) => Value::Num(tag, Num::F64(*value)),
        Untyped::Text(value) => Value::String(tag, value.clone()),
        Untyped::List(elements) => {
            Value::Array(tag, elements.iter().map(|element| value_of(element.get_ref())).collect())
        }
        Untyped::Object(entries) => Value::Dict(tag, dict(entries)),
    }
}

/// In the smallest form that is usual.
fn number(value: i128) -> Num {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => Num::U64(value),
        (_, Ok(value)) => Num::I64(value),
        _ => Num::I128(value),
    }
}
