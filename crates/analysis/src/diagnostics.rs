//! All diagnostics of a file.

use std::sync::Arc;

use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::sort_by;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::has_at_top;

pub use crate::finding::{Finding, Tag};
use crate::knowledge::{BodyAt, Header, KnownBody};
use crate::project::Project;
use crate::settings::Settings;
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
        let Some(file) = self.file(path) else { return Ok(Vec::new()) };
        if let Some(found) = self.rechecked(file)? {
            return Ok(found.to_vec());
        }
        let Some(project) = self.project(path)? else { return Ok(Vec::new()) };
        if let Some(known) = self.diagnosed(file, &project) {
            return Ok(known.to_vec());
        }
        project.references();
        self.check()?;
        let settings = self.settings();
        let mut findings = findings_of(&project, path, settings);
        self.check()?;
        if file.language().is_checked() {
            let all = project.model().unused(path);
            findings.extend(all.filter_map(|one| Finding::new(unused(&one), Some(Tag::Unused), settings)));
        }
        let findings = sorted(findings);
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

/// Returns what is found in a file of a project, but for definitions that nothing refers to.
pub(crate) fn findings_of(project: &Project, path: &str, settings: &Settings) -> Vec<Finding> {
    let source = project.model().member(path).map(|member| member.document.file.source());
    let found = project.model().findings(path).into_iter().map(|found| match source {
        Some(source) if !Arc::ptr_eq(source, found.source()) => in_text(found, source),
        _ => found,
    });
    found.filter_map(|found| Finding::new(found.clone(), tag_of(&found), settings)).collect()
}

/// Returns an error in a text that hides values, at its place in the text of the file: the lines are the same, and so is what
/// stands before a hidden value.
fn in_text(found: Diagnostic, source: &Arc<Source>) -> Diagnostic {
    let start = source.offset_of_utf16(found.source().utf16_position(found.span().start()));
    let line = source.text()[start..].lines().next().unwrap_or_default();
    found.at(Place::new(source, Span::new(start, start + line.trim_end().len())))
}

/// Returns findings in source order, each once.
pub(crate) fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    fn key(finding: &Finding) -> (Span, &str) {
        (finding.diagnostic.span(), finding.diagnostic.code().as_str())
    }
    sort_by(&mut findings, |one, other| key(one).cmp(&key(other)));
    findings.dedup_by(|one, other| {
        let (one, other) = (&one.diagnostic, &other.diagnostic);
        one.span() == other.span() && one.code() == other.code() && one.detail() == other.detail()
    });
    findings
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
pub(crate) fn unused(definition: &Definition<'_>) -> Diagnostic {
    let detail = format!("nothing refers to `{}`", definition.address());
    Diagnostic::note(UNUSED, definition.name_place().clone(), detail).with_summary("not used")
}
