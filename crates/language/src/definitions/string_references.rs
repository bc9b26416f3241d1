//! Strings that name definitions: where they are, how they are written, and what they name.

use std::ops::Range;

use super::pattern::{Pattern, Step};

/// Strings that name definitions, as `inherits = ["base"]` does in a build. The strings may stand alone, in a list, or
/// be the values of an object; those in which something is computed are no names.
///
/// They are references, as if they were written in an expression: they are in the [index](super::References), and a
/// name that nothing has is an error.
///
/// ```
/// use hcl_lr_language::definitions::{Definitions, References, Role, Roles, StringReferences};
/// use hcl_lr::{ConfigFile, parse};
///
/// let task = Role::object("task", "task.{name}").names(StringReferences::new("after", ["task.{name}"]).needed());
/// let file = parse::<ConfigFile>("task \"build\" {}\ntask \"test\" {\n  after = [\"build\"]\n}\n").into_result()?;
/// let definitions = Definitions::of(&Roles::new().with(task), [file]).into_result()?;
/// let build = definitions.get("task.build").expect("it is there");
/// assert_eq!(References::new(&definitions).to(&build).len(), 1);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct StringReferences {
    /// The blocks that lead to the strings, each with the number of its labels.
    pub(super) blocks: Vec<(String, usize)>,
    /// The attribute; without one, the last label of the last block is the string.
    pub(super) attribute: Option<String>,
    /// The notations of the strings; if there are none, the whole string is the name.
    forms: Vec<Named>,
    /// The addresses that a name may stand for, the first that there is; if there is none, the string is an address
    /// itself.
    targets: Vec<Named>,
    pub(super) prefix: String,
    pub(super) needs: bool,
    pub(super) optional: bool,
}

/// A pattern, and what the labels in it are called.
#[derive(Clone, Debug)]
struct Named {
    pattern: Pattern,
    labels: Vec<String>,
}

impl Named {
    fn read(text: &str) -> Named {
        let (pattern, labels) = Pattern::read(text);
        Named { pattern, labels }
    }
}

/// A way to read a string: the steps of an address, and for each of them where it is in the string, if it is there.
pub(super) type Reading<'n> = Vec<(&'n str, Option<Range<usize>>)>;

impl StringReferences {
    /// The strings of an attribute name what has one of these addresses, in which a label in braces stands for the
    /// string: `["target.{name}", "group.{name}"]`. Without addresses, the strings are addresses as expressions write
    /// them, such as `"host.web"`.
    ///
    /// The attribute may be in blocks in the block, which stand before it with their labels in braces:
    /// `provisioner.{type}.only`. A path that ends with a label, as in `source.{name}`, means this label.
    pub fn new<A: AsRef<str>>(attribute: impl AsRef<str>, addresses: impl IntoIterator<Item = A>) -> Self {
        let mut blocks: Vec<(String, usize)> = Vec::new();
        for step in attribute.as_ref().split('.') {
            match (step.starts_with('{'), blocks.last_mut()) {
                (true, Some((_, labels))) => *labels += 1,
                _ => blocks.push((step.to_owned(), 0)),
            }
        }
        let attribute = blocks.pop_if(|(_, labels)| *labels == 0).map(|(name, _)| name);
        let targets = addresses.into_iter().map(|address| Named::read(address.as_ref())).collect();
        let (forms, prefix) = (Vec::new(), String::new());
        StringReferences { blocks, attribute, forms, targets, prefix, needs: false, optional: false }
    }

    /// Says how the strings may be written: names with dots between them, in which braces stand for what the addresses
    /// have in these braces, such as `{type}.{name}`. Other strings are no names.
    ///
    /// ```
    /// use hcl_lr_language::definitions::StringReferences;
    ///
    /// let names = StringReferences::new("sources", ["source.{type}.{name}"]).written(["source.{type}.{name}", "{type}.{name}"]);
    /// # let _ = names;
    /// ```
    pub fn written<F: AsRef<str>>(mut self, forms: impl IntoIterator<Item = F>) -> Self {
        self.forms = forms.into_iter().map(|form| Named::read(form.as_ref())).collect();
        self
    }

    /// Only strings that begin so are names, and the name is what follows, as in `"target:base"`.
    pub fn after(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// A definition needs what it names: definitions that name each other are an error.
    pub fn needed(mut self) -> Self {
        self.needs = true;
        self
    }

    /// A name that nothing has is no error.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The type of the block that the path begins with, which stays the first of the blocks.
    pub(super) fn block_type(&self) -> Option<&str> {
        self.blocks.first().map(|(block_type, _)| block_type.as_str())
    }

    /// Returns the number of labels of the first block.
    pub(super) fn block_labels(&self) -> usize {
        self.blocks.first().map_or(0, |(_, labels)| *labels)
    }

    /// Returns true if the strings are addresses as expressions write them.
    pub(super) fn is_address(&self) -> bool {
        self.targets.is_empty()
    }

    /// The addresses that a string may mean, the first one first. Steps are where they are in the string.
    pub(super) fn readings<'n>(&'n self, name: &'n str) -> Vec<Reading<'n>> {
        if self.targets.is_empty() {
            return vec![steps_of(name)];
        }
        let captured: Vec<Vec<(Option<&str>, Range<usize>)>> = match self.forms.is_empty() {
            // The name stands for each label.
            true => vec![vec![(None, 0..name.len())]],
            false => self.forms.iter().filter_map(|form| form.captured(name)).collect(),
        };
        let mut readings = Vec::new();
        for captured in &captured {
            readings.extend(self.targets.iter().filter_map(|target| {
                let steps = target.pattern.0.iter().map(|step| match step {
                    Step::Name(step) => Some((step.as_str(), None)),
                    Step::Label(at) => {
                        let label = &target.labels[*at];
                        let mut all = captured.iter();
                        let (_, range) = all.find(|(known, _)| known.is_none_or(|known| known == label))?;
                        Some((&name[range.clone()], Some(range.clone())))
                    }
                    Step::Attribute => Some((name, Some(0..name.len()))),
                });
                steps.collect::<Option<Reading<'_>>>()
            }));
        }
        readings
    }

    /// The fixed beginnings of the addresses, below which the names are.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        self.targets.iter().map(|target| {
            target.pattern.0.iter().map_while(|step| match step {
                Step::Name(name) => Some(name.as_str()),
                Step::Label(_) | Step::Attribute => None,
            })
        })
    }
}

impl Named {
    /// The labels in a string that is written like this, and where they are.
    fn captured<'n>(&'n self, name: &str) -> Option<Vec<(Option<&'n str>, Range<usize>)>> {
        let (mut found, mut start) = (Vec::new(), 0);
        let parts: Vec<&str> = name.split('.').collect();
        if parts.len() != self.pattern.0.len() {
            return None;
        }
        for (part, step) in parts.into_iter().zip(&self.pattern.0) {
            match step {
                Step::Name(fixed) if fixed == part => {}
                Step::Label(at) if !part.is_empty() => {
                    found.push((Some(self.labels[*at].as_str()), start..start + part.len()));
                }
                _ => return None,
            }
            start += part.len() + 1;
        }
        Some(found)
    }
}

/// The names with which an address begins, without indexes: `a`, `b` and `c` of `a.b[0].c`.
fn steps_of(text: &str) -> Reading<'_> {
    let (mut steps, mut at) = (Vec::new(), 0);
    loop {
        let rest = &text[at..];
        let length = rest.find(['.', '[']).unwrap_or(rest.len());
        if length == 0 {
            return steps;
        }
        steps.push((&rest[..length], Some(at..at + length)));
        at += length;
        while text[at..].starts_with('[') {
            let Some(end) = text[at..].find(']') else { return steps };
            at += end + 1;
        }
        match text[at..].starts_with('.') {
            true => at += 1,
            false => return steps,
        }
    }
}
