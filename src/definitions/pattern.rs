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

    /// Returns true if expressions cannot refer to it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
