//! Why something cannot be written.

use std::borrow::Cow;
use std::{fmt, io};

use crate::construct::BuildError;
use crate::syntax::is_identifier;
use crate::writer::quoted;

/// The reason why a value cannot be written as HCL, with the path in the value.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let config = BTreeMap::from([("limits", vec![1.0, f64::NAN])]);
/// let error = hcl_lr::to_string(&config).unwrap_err();
/// assert_eq!(error.path(), "limits[1]");
/// assert_eq!(error.to_string(), "limits[1]: HCL has no NaN; leave it out, or write it as a string");
/// ```
///
/// `Debug`, which `unwrap` and `main` print, shows the same, and the cause, which is otherwise the
/// [`source`](std::error::Error::source).
pub struct WriteError(Box<Inner>);

struct Inner {
    /// The steps to the part that cannot be written, the last one first.
    steps: Vec<String>,
    message: Cow<'static, str>,
    help: Option<Cow<'static, str>>,
    io: Option<io::Error>,
}

impl WriteError {
    pub(super) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        WriteError(Box::new(Inner { steps: Vec::new(), message: message.into(), help: None, io: None }))
    }

    pub(super) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(super) fn io(message: String, error: io::Error) -> Self {
        let mut this = WriteError::new(message);
        this.0.io = Some(error);
        this
    }

    /// Returns the error with a name added before the path.
    pub(super) fn below_name(mut self, name: &str) -> Self {
        // Names that only serde uses, such as `$label`, are easier to read without brackets.
        let is_plain = is_identifier(name.strip_prefix('$').unwrap_or(name));
        self.0.steps.push(if is_plain { format!(".{name}") } else { format!("[{}]", quoted(name)) });
        self
    }

    /// Returns the error with a label of blocks added before the path.
    pub(super) fn below_label(mut self, label: &str) -> Self {
        self.0.steps.push(format!("[{}]", quoted(label)));
        self
    }

    /// The same, seen from a list.
    pub(super) fn below_index(mut self, index: usize) -> Self {
        self.0.steps.push(format!("[{index}]"));
        self
    }

    /// Returns the path of the error in the value, such as `service["web"].port`; empty for the value itself.
    pub fn path(&self) -> String {
        let path: String = self.0.steps.iter().rev().map(String::as_str).collect();
        path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        f.write_str(&path)?;
        f.write_str(if path.is_empty() { "" } else { ": " })?;
        f.write_str(&self.0.message)?;
        match &self.0.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match &self.0.io {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| error as _)
    }
}

/// Takes the message of a user's `Serialize`.
impl ::serde::ser::Error for WriteError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        WriteError::new(message.to_string())
    }
}

impl From<BuildError> for WriteError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Value(path, why) => {
                let mut this = WriteError::new(format!("{why} cannot be written"));
                if !path.is_empty() {
                    this.0.steps.push(path);
                }
                this
            }
            other => WriteError::new(other.to_string()),
        }
    }
}
