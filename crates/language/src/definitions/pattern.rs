//! Addresses of definitions, such as `data.{type}.{name}`.

/// The address of definitions, such as `data.{type}.{name}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern(pub Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    /// The label with this number.
    Label(usize),
    /// The name of the attribute.
    Attribute,
}

/// The step that stands for the name of an attribute.
const ATTRIBUTE: &str = "attribute";

impl Pattern {
    /// The pattern, and what the labels in it are called.
    pub(super) fn read(text: &str) -> (Pattern, Vec<String>) {
        let mut labels: Vec<String> = Vec::new();
        let steps = text.split('.').filter(|step| !step.is_empty()).map(|step| {
            match step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
                Some(ATTRIBUTE) => Step::Attribute,
                Some(label) => Step::Label(labels.iter().position(|known| known == label).unwrap_or_else(|| {
                    labels.push(label.to_owned());
                    labels.len() - 1
                })),
                None => Step::Name(step.to_owned()),
            }
        });
        (Pattern(steps.collect()), labels)
    }

    /// Returns the step of a reference that stands for the label after those that a block has, of so many, or for the
    /// attribute if it has all. `None` if the reference does not begin with such an address.
    pub(super) fn next_name<'r>(&self, count: usize, labels: &[&str], reference: &'r str) -> Option<&'r str> {
        let (mut steps, mut found) = (reference.split('.'), None);
        for part in &self.0 {
            let step = steps.next()?;
            match part {
                Step::Name(name) if name != step => return None,
                Step::Name(_) => {}
                Step::Label(at) => match labels.get(*at) {
                    Some(label) if *label != step => return None,
                    Some(_) => {}
                    None if *at == labels.len() => found = Some(step),
                    None => {}
                },
                Step::Attribute if labels.len() >= count => found = Some(step),
                Step::Attribute => {}
            }
        }
        found.filter(|name| !name.is_empty())
    }

    /// Returns true if expressions cannot refer to it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
