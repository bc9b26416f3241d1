//! Files as a format for the package [config](https://docs.rs/config) (feature `config`).
//!
//! ```
//! use config::{Config, File};
//! use hcl_lr_adapters::config::Hcl;
//!
//! let config = Config::builder()
//!     .set_default("host", "localhost")?
//!     .add_source(File::from_str("service \"web\" {\n  port = 8000 + 80\n}\n", Hcl::new()))
//!     .build()?;
//! assert_eq!(config.get::<u16>("service.web.port")?, 8080);
//! assert_eq!(config.get::<String>("host")?, "localhost");
//! # Ok::<(), config::ConfigError>(())
//! ```

use std::error::Error;

use ::config::{FileStoredFormat, Format, Map, Value, ValueKind};

use crate::untyped::{self, Placed, Untyped};
use hcl_lr::ParseOptions;
use hcl_lr::body::Body;
use hcl_lr::source::Source;
use hcl_lr::typed::Reader;

/// The format of files in native syntax; a file whose name ends in `.json` is in JSON syntax.
///
/// The package has values but no blocks: a block becomes a table, several blocks of a type an array of tables, and
/// labels become the keys of outer tables. For types that may occur once or several times, [`lists`](Hcl::lists)
/// forces an array.
///
/// Each value knows its origin, such as `file.hcl:3:8`, which errors show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hcl {
    lists: Vec<String>,
}

impl Hcl {
    /// The format.
    pub fn new() -> Self {
        Hcl::default()
    }

    /// Turns values with these names into arrays, even single ones. A nested name is written with dots and without
    /// labels: `service.listener`.
    pub fn lists<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.lists.extend(names.into_iter().map(Into::into));
        self
    }
}

impl Format for Hcl {
    fn parse(&self, uri: Option<&String>, text: &str) -> Result<Map<String, Value>, Box<dyn Error + Send + Sync>> {
        let name = uri.map_or("<text>", String::as_str);
        let body = ParseOptions::default().parse::<Body>(Source::new(name, text)).into_result()?;
        let entries = untyped::read(&body, &Reader::new(), &self.lists)?;
        Ok(entries.into_iter().map(|(name, value)| (name, value_of(value, &body))).collect())
    }
}

impl FileStoredFormat for Hcl {
    fn file_extensions(&self) -> &'static [&'static str] {
        &["hcl"]
    }
}

fn value_of(value: Placed, body: &Body) -> Value {
    let place = body.missing_item_place();
    let position = place.source().position(value.span().start);
    let origin = format!("{}:{}:{}", place.source().name(), position.line, position.column);
    let kind = match value.into_inner() {
        Untyped::Null => ValueKind::Nil,
        Untyped::Bool(value) => ValueKind::Boolean(value),
        Untyped::Integer(value) => match i64::try_from(value) {
            Ok(value) => ValueKind::I64(value),
            Err(_) => ValueKind::I128(value),
        },
        Untyped::Large(value) => ValueKind::U128(value),
        Untyped::Float(value) => ValueKind::Float(value),
        Untyped::Text(value) => ValueKind::String(value),
        Untyped::List(elements) => {
            ValueKind::Array(elements.into_iter().map(|element| value_of(element, body)).collect())
        }
        Untyped::Object(entries) => {
            ValueKind::Table(entries.into_iter().map(|(name, value)| (name, value_of(value, body))).collect())
        }
    };
    Value::new(Some(&origin), kind)
}
