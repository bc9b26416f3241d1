//! Blocks and definitions that the language of a file does not let repeat.
//!
//! HCL lets blocks repeat, with any labels. A language may not: two `variable` blocks with the same label are an error
//! in Terraform. So the result of an edit is checked by the language of the file.

use super::options::Files;
use super::report::Edited;
use crate::context::Context;
use crate::input::{Origin, Syntax};
use crate::language::FileLanguages;
use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use hcl_lr_language::definitions::Definitions;
use hcl_lr_language::schema::Checker;
use hcl_lr_project::Language;

/// Returns repetitions after an edit that the language of a file forbids, unless the edit is forced.
pub(super) fn repeated_by(context: &Context, files: &Files, origin: &Origin, edited: &Edited) -> Option<Diagnostics> {
    match files.force {
        true => None,
        false => newly_repeated(context, origin, files.syntax(origin), &edited.old, &edited.new),
    }
}

/// Returns repetitions after an edit that the language of a file forbids, if there were fewer before.
fn newly_repeated(context: &Context, origin: &Origin, syntax: Syntax, old: &[u8], new: &str) -> Option<Diagnostics> {
    let language = FileLanguages::by_name(context).of(origin).language;
    let of = |text: &[u8]| repeated(context, &language, syntax, Source::from_bytes(&origin.name(), text.to_vec()));
    let now = of(new.as_bytes());
    if now.is_empty() || now.len() <= of(old).len() {
        return None;
    }
    let help = "rename or remove one of the two first, or use `--force`";
    Some(now.into_iter().map(|diagnostic| diagnostic.with_help(help)).collect())
}

/// Returns the errors about repeated blocks and definitions in a text, one for each place.
fn repeated(context: &Context, language: &Language, syntax: Syntax, source: Source) -> Vec<Diagnostic> {
    let file = match syntax {
        Syntax::Json => ConfigFile::Json(context.parse_options().parse::<Document>(source).into_value()),
        _ => ConfigFile::Native(context.parse_options().parse::<File>(source).into_value()),
    };
    let mut all: Vec<Diagnostic> =
        Definitions::of(language.roles(), [file.clone()]).into_parts().1.into_iter().collect();
    if let Some(schema) = language.schema() {
        all.extend(Checker::new(schema).check(&file));
    }
    all.retain(|error| matches!(error.code(), Code::DuplicateBlock | Code::DuplicateDefinition));
    all.sort_by_key(|error| error.place().span());
    all.dedup_by_key(|error| error.place().span().start());
    all
}
