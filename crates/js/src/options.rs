//! Options, which come as a JSON object.

use hcl_lr::model::{Value, json};
use hcl_lr::{Dialect, ParseOptions};

use crate::failure::Failure;

/// Options by their names. The names are checked, so that a wrong one is an error.
pub struct Options(Value);

impl Options {
    /// Reads options.
    ///
    /// # Errors
    /// The text is no JSON object, or has a name that is not known.
    pub fn read(text: &str, names: &[&str]) -> Result<Options, Failure> {
        let value = json::decode_implied(text).map_err(|error| format!("the options are no JSON: {error}"))?;
        let wrong = value.entries().into_iter().flatten().find(|(name, _)| !names.contains(name));
        match wrong {
            Some((name, _)) => Err(format!("there is no option `{name}`; the options are {}", names.join(", ")).into()),
            None => Ok(Options(value)),
        }
    }

    /// Returns the value of an option.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.attribute(name).filter(|value| !value.is_null())
    }

    /// Returns the text of an option.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Failure> {
        self.read_as(name, "a string", Value::as_str)
    }

    /// Returns true if an option is set.
    pub fn flag(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.read_as(name, "a boolean", Value::as_bool)?.unwrap_or_default())
    }

    /// Returns one of some words.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(format!("the option `{name}` is one of {}, not `{text}`", words.join(", ")).into())
            }
        }
    }

    /// Returns the options for parsing: `dialect`.
    pub fn parsing(&self) -> Result<ParseOptions, Failure> {
        let mut options = ParseOptions::new();
        if let Some(dialect) = self.word("dialect", &[("engine", Dialect::Engine), ("strict", Dialect::Strict)])? {
            options = options.with_dialect(dialect);
        }
        Ok(options)
    }

    fn read_as<'o, T>(
        &'o self,
        name: &str,
        kind: &str,
        read: impl Fn(&'o Value) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        match self.value(name) {
            Some(value) => match read(value) {
                Some(read) => Ok(Some(read)),
                None => Err(format!("the option `{name}` is {kind}").into()),
            },
            None => Ok(None),
        }
    }
}
