//! Addresses: one small language that says where something is in a file.
//!
//! An address is written as HCL writes the path to a value:
//!
//! ```
//! use hcl_lr_edit::address::Address;
//!
//! let file = hcl_lr::parse::<hcl_lr::File>(
//!     "resource \"aws_instance\" \"web\" {\n  ami = \"ami-1\"\n  tags = {\n    Name = \"web\"\n  }\n}\n",
//! )
//! .into_result()?;
//! let address: Address = "resource.aws_instance.web.tags.Name".parse()?;
//! let found = address.resolve(file.body());
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].text(), "Name = \"web\"");
//! assert_eq!(found[0].value_text(), Some("\"web\""));
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! # Steps
//!
//! An address is a list of steps. Each step applies to all matches of the previous one. The first applies to the body
//! of the file.
//!
//! | written | what it reaches |
//! | --- | --- |
//! | `name` or `["name"]` | in a body: the attribute of this name, and the blocks of this type |
//! | | on a block whose labels have not all been named: the block, if its next label is this one |
//! | | on a block whose labels have all been named: what is in its body, as above |
//! | | on a value that is an object: the element with this key |
//! | `[2]` | on a value that is a list: the element after two others |
//! | | on a value that is an object: the element whose key is this number |
//! | | on blocks: the third of them, of those that are reached in one body; its labels need not be named |
//! | `[*]` | any attribute and any block of a body, any next label, any block, any element of a list or object |
//! | `**` | all that is reached already, and everything in it, however deep |
//! | `[(expression)]` | the element of an object whose key is computed by the expression, as it is written |
//!
//! - There is no dot before the first name or before a bracket. `.*` is another way to write `[*]`, and `.0` another
//!   way to write `[0]`. White space may surround steps.
//! - `.` alone is the address of the body of a file.
//! - Steps pass through attributes, elements and parentheses: the step after an attribute applies to its value.
//! - A label wins over a nested name: if any of the blocks matched in a body has the label `name`, then blocks without
//!   a further label are not searched for an item called `name`.
//! - `[*]` takes one thing at a time: the next label; after the last label, each of the blocks; after
//!   that, the items of their bodies. So `variable[*]` is each variable, `resource[*][*]` each resource,
//!   and `locals[*][*]` each local value.
//! - `**` also reaches the parts of expressions, such as the arguments of calls, what is within
//!   templates, and computed keys. No other step does: `a.b` finds nothing in `a = merge({ b = 1 }, c)`, and
//!   `a.**.b` finds it.
//! - Expressions are not evaluated: an address matches source text.
//!
//! The result contains each target once, in source order. The time is proportional to the length of the file times
//! that of the address.
//!
//! # Addresses of targets
//!
//! [`Target::address`] is the address of a single target: names where possible, and an index where several blocks have
//! the same type and labels. It matches that target alone, with two exceptions: names that a file should not repeat
//! (two attributes or elements with one name, or an attribute and a block), and the parts of calls, operations and
//! templates. No plain step reaches the latter, so their addresses contain `**`.
//!
//! # JSON
//!
//! [`Address::resolve_json`] does the same in files in the JSON syntax. A schema says which properties are blocks, as
//! for a conversion; without one, all are attributes. With [`JsonTemplates`], `**` also reaches into strings, which
//! are templates in JSON.

pub(crate) mod items;
mod json;
mod node;
mod parse;
mod path;
mod position;
mod resolve;
mod target;
mod templates;
mod trace;

use std::fmt;

use hcl_lr::syntax::is_identifier;
use hcl_lr::writer::quoted;

pub use items::JsonBlock;
#[cfg(feature = "query")]
pub(crate) use items::{AttributeRef, BlockRef, BodyRef, Items};
pub use target::{Target, TargetKind};
pub use templates::JsonTemplates;
pub use trace::{Miss, NotFound, Trace};

/// An address: the path to something in a file, see the [rules](self). It is made from text by `parse()`, or step by
/// step:
///
/// ```
/// use hcl_lr_edit::address::Address;
///
/// let address = Address::root().name("locals").any().deep().name("cidr block");
/// assert_eq!(address.to_string(), "locals[*].**[\"cidr block\"]");
/// assert_eq!("locals.* . ** [\"cidr block\"]".parse::<Address>()?, address);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Address {
    steps: Vec<AddressStep>,
}

/// A step of an [`Address`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressStep {
    /// `.name` or `["name"]`
    Name(String),
    /// `[2]`
    Index(u64),
    /// `[(expression)]`: the text of the expression.
    Computed(String),
    /// `[*]`
    Any,
    /// `.**`
    Deep,
}

impl Address {
    /// The address of the body of a file, which has no steps.
    pub fn root() -> Address {
        Address::default()
    }

    /// The steps.
    pub fn steps(&self) -> &[AddressStep] {
        &self.steps
    }

    /// Appends a step.
    pub fn step(mut self, step: AddressStep) -> Address {
        self.steps.push(step);
        self
    }

    /// Appends a name.
    pub fn name(self, name: impl Into<String>) -> Address {
        self.step(AddressStep::Name(name.into()))
    }

    /// Appends `[index]`.
    pub fn index(self, index: u64) -> Address {
        self.step(AddressStep::Index(index))
    }

    /// Appends `[*]`.
    pub fn any(self) -> Address {
        self.step(AddressStep::Any)
    }

    /// Appends `**`.
    pub fn deep(self) -> Address {
        self.step(AddressStep::Deep)
    }

    /// The address without its last step, and that step; `None` for the body of a file.
    ///
    /// ```
    /// use hcl_lr_edit::address::{Address, AddressStep};
    ///
    /// let address: Address = "service.web.port".parse()?;
    /// let (parent, last) = address.split_last().expect("three steps");
    /// assert_eq!((parent.to_string(), last), ("service.web".to_owned(), &AddressStep::Name("port".to_owned())));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn split_last(&self) -> Option<(Address, &AddressStep)> {
        let (last, others) = self.steps.split_last()?;
        Some((Address { steps: others.to_vec() }, last))
    }

    /// Returns true if no step is `[*]` or `**`.
    pub fn is_exact(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, AddressStep::Any | AddressStep::Deep))
    }
}

/// Writes the address in the syntax that `parse` reads.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str(".");
        }
        for (index, step) in self.steps.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            match step {
                AddressStep::Name(name) if is_identifier(name) => write!(f, "{dot}{name}")?,
                // A value would be normalized; labels are not.
                AddressStep::Name(name) => write!(f, "[{}]", quoted(name))?,
                AddressStep::Index(index) => write!(f, "[{index}]")?,
                AddressStep::Computed(text) => write!(f, "[({text})]")?,
                AddressStep::Any => f.write_str("[*]")?,
                AddressStep::Deep => write!(f, "{dot}**")?,
            }
        }
        Ok(())
    }
}
