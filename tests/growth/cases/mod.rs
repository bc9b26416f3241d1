//! Inputs of any size, and the work on them.

pub mod addresses;
pub mod bodies;
pub mod definitions;
pub mod differences;
pub mod edits;
pub mod evaluation;
pub mod functions;
pub mod json;
pub mod model;
pub mod operations;
pub mod parsing;
pub mod schemas;
pub mod types;

/// Returns the roles of a shipped language.
pub fn roles_of(name: &str) -> hcl_lr_language::definitions::Roles {
    hcl_lr_language::schema::Schema::by_name(name).expect("a language").roles()
}

type Work = Box<dyn FnOnce()>;

/// Something that is done with an input of any size.
pub struct Case {
    pub name: String,
    /// A size large enough that the work exceeds the constant overhead.
    pub size: usize,
    prepare: Box<dyn Fn(usize) -> Work>,
}

impl Case {
    /// Creates a case. `prepare` makes the input of a size, and returns the work on it.
    pub fn new<W: FnOnce() + 'static>(
        name: impl Into<String>,
        size: usize,
        prepare: impl Fn(usize) -> W + 'static,
    ) -> Case {
        Case { name: name.into(), size, prepare: Box::new(move |size| Box::new(prepare(size))) }
    }

    /// The work on an input of a size, ready to be done.
    pub fn prepared(&self, size: usize) -> Work {
        (self.prepare)(size)
    }
}
