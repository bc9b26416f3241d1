//! All diagnostics of a file.

use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::sort_by_key;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::has_at_top;

pub use crate::finding::{Finding, Tag};
use crate::knowledge::{BodyAt, Header, KnownBody};
use crate::workspace::{Cancelled, File, Snapshot};

/// The code for a definition that exists only to be referred to, and never is.
pub const UNUSED: &str = "unused-definition";

/// The code for deprecated attributes and blocks.
pub const DEPRECATED: &str = "deprecated";

impl Snapshot {
    /// Returns the diagnostics of a file in source order: of its syntax, of the names that it refers to, and of the
    /// values. Empty for a missing file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn diagnostics(&self, path: &str) -> Result<Vec<Finding>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        if let Some(known) = self.diagnosed(file, &project) {
            return Ok(known.to_vec());
        }
        project.references();
        self.check()?;
        let all = project.model().findings(path);
        self.check()?;
        let mut found: Vec<(Diagnostic, Option<Tag>)> =
            all.into_iter().map(|found| (found.clone(), tag_of(&found))).collect();
        if file.language().is_checked() {
            found.extend(project.model().unused(path).map(|definition| (unused(&definition), Some(Tag::Unused))));
        }
        let settings = self.settings();
        let severity = |diagnostic: &Diagnostic| match settings.severities.get(diagnostic.code().as_str()) {
            Some(severity) => *severity,
            None => Some(diagnostic.severity()),
        };
        let mut findings: Vec<Finding> = found
            .into_iter()
            .filter_map(|(diagnostic, tag)| Some(Finding { severity: severity(&diagnostic)?, diagnostic, tag }))
            .collect();
        sort_by_key(&mut findings, |finding| {
            (finding.diagnostic.span(), finding.diagnostic.code().as_str().to_owned())
        });
        findings.dedup_by(|one, other| {
            let (one, other) = (&one.diagnostic, &other.diagnostic);
            one.span() == other.span() && one.code() == other.code() && one.detail() == other.detail()
        });
        self.keep_diagnosed(file, &project, &findings);
        Ok(findings)
    }

    /// Returns the language's description of a body of a file.
    pub(crate) fn known_body(&self, file: &File, blocks: &[Header]) -> Option<KnownBody> {
        let has = |name: &str| file.native().is_some_and(|native| has_at_top(&native.into(), name));
        let at =
            BodyAt { path: file.path(), blocks, value: &|depth, name| value_in(file, blocks, depth, name), has: &has };
        crate::description::body(file.language(), &at)
    }
}

/// Returns the tag for a finding of a schema.
fn tag_of(wrong: &Diagnostic) -> Option<Tag> {
    (wrong.code().as_str() == DEPRECATED).then_some(Tag::Deprecated)
}

/// Returns the constant value of an attribute in one of the blocks around a body.
pub(crate) fn value_in(file: &File, blocks: &[Header], depth: usize, name: &str) -> Option<String> {
    let mut body = file.native()?.body();
    for header in blocks.get(..=depth)? {
        let mut all = body.blocks_of_type(&header.block_type);
        body = all
            .find(|block| block.labels().map(|label| label.text()).eq(header.labels.iter().map(|label| &**label)))?
            .body();
    }
    let expression = hcl_lr::Expression::from(body.attribute(name)?.expression());
    crate::call_site::constant_text(&expression).map(|(text, _)| text)
}

/// Returns the source of a reference with an undefined name: `var.zone.name` for the place of `zone`. `None` if the
/// diagnostic is about something else, such as a string that names a definition.
pub(crate) fn undefined_reference(wrong: &Diagnostic) -> Option<&str> {
    if *wrong.code() != Code::UnknownVariable {
        return None;
    }
    let (text, span) = (wrong.place().source().text(), wrong.span());
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let start = text[..span.start()].trim_end_matches(is_part).len();
    let after = &text[span.end()..];
    let end = text.len() - after.trim_start_matches(is_part).len();
    Some(text[start..end].trim_end_matches('.'))
}

/// Returns the note about a definition that nothing uses.
fn unused(definition: &Definition<'_>) -> Diagnostic {
    let detail = format!("nothing refers to `{}`", definition.address());
    Diagnostic::note(UNUSED, definition.name_place().clone(), detail).with_summary("not used")
}
