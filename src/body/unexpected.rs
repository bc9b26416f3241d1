//! Messages about names and labels that a schema does not expect, and about missing labels.

use super::name_suggestions::NameSuggestions;
use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Finding};
use crate::source::{Replacement, Span};

/// The common interface of attributes and blocks.
pub trait Named {
    fn name(&self) -> &str;
    fn name_span(&self) -> Span;

    /// Returns the edit that turns an attribute into a block, or a block into an attribute, if there is one.
    fn as_the_other(&self) -> Option<Replacement> {
        None
    }
}

/// A name without anything around it.
impl Named for (&str, Span) {
    fn name(&self) -> &str {
        self.0
    }

    fn name_span(&self) -> Span {
        self.1
    }
}

/// Reports an unexpected attribute. `is_block` if blocks of its name are expected; otherwise suggests one of `names`.
pub fn unsupported_attribute<'n>(
    item: &impl Named,
    is_block: bool,
    names: impl Iterator<Item = &'n str>,
    tips: &mut NameSuggestions,
) -> Finding {
    let name = item.name();
    let detail = format!("an argument named \"{name}\" is not expected here");
    let finding = Finding::error(Code::UnsupportedArgument, item.name_span(), detail);
    if is_block {
        let help = format!("did you mean to define a block? write `{name} {{ … }}`, without `=`");
        return with_other_kind(finding.with_help(help), item);
    }
    tips.suggest(finding, name, item.name_span(), names)
}

/// Reports an unexpected block. `is_attribute` if an attribute of its type is expected; otherwise suggests one of
/// `names`.
pub fn unsupported_block<'n>(
    item: &impl Named,
    is_attribute: bool,
    names: impl Iterator<Item = &'n str>,
    tips: &mut NameSuggestions,
) -> Finding {
    let name = item.name();
    let detail = format!("blocks of type \"{name}\" are not expected here");
    let finding = Finding::error(Code::UnsupportedBlock, item.name_span(), detail);
    if is_attribute {
        let help = format!("did you mean to define an argument? write `{name} = …`");
        return with_other_kind(finding.with_help(help), item);
    }
    tips.suggest(finding, name, item.name_span(), names)
}

fn with_other_kind(finding: Finding, item: &impl Named) -> Finding {
    match item.as_the_other() {
        Some(edit) => finding.with_edits(NeedsReview, [edit]),
        None => finding,
    }
}

/// An attribute that is not there, and must be.
pub fn missing_attribute(name: &str, place: Span) -> Finding {
    Finding::error(Code::RequiredArgument, place, format!("the argument \"{name}\" is required here"))
}

/// Reports a block without the required label of the name `missing`.
pub fn missing_label(span: Span, block_type: &str, labels: &[&str], missing: &str) -> Finding {
    let detail = format!("this \"{block_type}\" block needs a label here: its {missing}");
    let labels: Vec<String> = labels.iter().map(|label| format!("\"{label}\"")).collect();
    let finding = Finding::error(Code::BlockLabels, span, detail);
    finding.with_help(format!("write `{block_type} {} {{ … }}`", labels.join(" ")))
}

/// A label that a block cannot have.
pub fn extra_label(span: Span, block_type: &str, labels: &[&str]) -> Finding {
    let detail = match labels {
        [] => format!("\"{block_type}\" blocks have no labels"),
        [only] => format!("\"{block_type}\" blocks have only one label: {only}"),
        labels => format!("\"{block_type}\" blocks have only {} labels: {}", labels.len(), labels.join(", ")),
    };
    Finding::error(Code::BlockLabels, span, detail)
}
