//! Paths in a file, in names and numbers: `service["web"].listener[1].port`.

use std::fmt;

use crate::syntax::is_identifier;

/// A step from something to a part of it.
#[derive(Clone, Copy)]
pub(super) enum Step<'p> {
    /// An attribute, a block, or a property.
    Name(&'p str),
    /// A label of a block.
    Label(&'p str),
    /// An element, counted from 0.
    Index(usize),
}

/// The steps from the root of what is read. They are on the stack, and are put into words only for
/// messages.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    /// None at the root.
    last: Option<(&'p Path<'p>, Step<'p>)>,
}

impl<'p> Path<'p> {
    pub const ROOT: Path<'static> = Path { last: None };

    pub fn then(&'p self, step: Step<'p>) -> Path<'p> {
        Path { last: Some((self, step)) }
    }

    pub fn is_root(&self) -> bool {
        self.last.is_none()
    }

    /// The path to what it is in.
    pub fn parent(&self) -> Path<'p> {
        self.last.map_or(*self, |(parent, _)| *parent)
    }

    /// The last name in it, without labels and numbers.
    pub fn name(&self) -> Option<&'p str> {
        match self.last? {
            (_, Step::Name(name)) => Some(name),
            (parent, _) => parent.name(),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = Vec::new();
        let mut at = self;
        while let Some((parent, step)) = at.last {
            steps.push(step);
            at = parent;
        }
        for (index, step) in steps.iter().rev().enumerate() {
            match step {
                Step::Name(name) if is_identifier(name.trim_start_matches('$')) => {
                    f.write_str(if index == 0 { "" } else { "." })?;
                    f.write_str(name)?;
                }
                Step::Name(text) | Step::Label(text) => write!(f, "[{text:?}]")?,
                Step::Index(number) => write!(f, "[{number}]")?,
            }
        }
        Ok(())
    }
}
