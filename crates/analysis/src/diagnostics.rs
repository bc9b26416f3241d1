//! All diagnostics of a file.

use std::cell::OnceCell;
use std::collections::HashSet;

use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::source::Span;

pub use crate::finding::{Finding, Tag};
use crate::knowledge::{BodyAt, Header, KnownBody};
use crate::project::Project;
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
        let mut found: Vec<(Diagnostic, Option<Tag>)> = Vec::new();
        found.extend(file.parsed().diagnostics.iter().map(|diagnostic| (diagnostic.clone(), None)));
        if file.language().is_checked() {
            project.references();
            self.check()?;
            let mut wrong = project.wrong_in(file.path());
            self.check()?;
            wrong.sort();
            // In broken text, the meaning is a guess.
            let broken: Vec<Span> = file.parsed().diagnostics.errors().map(Diagnostic::span).collect();
            wrong.retain(|diagnostic| !broken.iter().any(|span| crate::spans::overlap(*span, diagnostic.span())));
            let guesses = Guesses::new(&project);
            let wrong = wrong.without_repetitions();
            found.extend(
                wrong
                    .iter()
                    .filter(|diagnostic| !guesses.may_be_defined(diagnostic))
                    .map(|diagnostic| (diagnostic.clone(), None)),
            );
            let is_plain =
                |diagnostic: &&Diagnostic| !broken.iter().any(|span| crate::spans::overlap(*span, diagnostic.span()));
            if let Some(description) = file.language().description() {
                let wrong = description.check(file.document(), project.facts());
                found.extend(wrong.iter().filter(is_plain).map(|diagnostic| (diagnostic.clone(), tag_of(diagnostic))));
            }
            found.extend(unused(&project, file).map(|diagnostic| (diagnostic, Some(Tag::Unused))));
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
        findings.sort_by_key(|finding| (finding.diagnostic.span(), finding.diagnostic.code().as_str().to_owned()));
        findings.dedup_by(|one, other| {
            let (one, other) = (&one.diagnostic, &other.diagnostic);
            one.span() == other.span() && one.code() == other.code() && one.detail() == other.detail()
        });
        self.keep_diagnosed(file, &project, &findings);
        Ok(findings)
    }

    /// Returns the language's description of a body of a file.
    pub(crate) fn known_body(&self, file: &File, blocks: &[Header]) -> Option<KnownBody> {
        let has = |name: &str| {
            let body = file.native().map(|native| native.body());
            body.is_some_and(|body| body.attribute(name).is_some() || body.blocks_of_type(name).next().is_some())
        };
        let at =
            BodyAt { path: file.path(), blocks, value: &|depth, name| value_in(file, blocks, depth, name), has: &has };
        file.language().description()?.body(&at)
    }
}

/// Returns the tag for a finding of a schema.
fn tag_of(wrong: &Diagnostic) -> Option<Tag> {
    (wrong.code().as_str() == DEPRECATED).then_some(Tag::Deprecated)
}

/// Returns the constant value of an attribute in one of the blocks around a body.
fn value_in(file: &File, blocks: &[Header], depth: usize, name: &str) -> Option<String> {
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

/// Returns true if a diagnostic is about an undefined name.
fn is_undefined(wrong: &Diagnostic) -> bool {
    matches!(wrong.code(), Code::UndefinedName | Code::UnknownVariable)
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

/// Returns a note for each definition in a file that nothing uses.
fn unused<'p>(project: &'p Project, file: &'p File) -> impl Iterator<Item = Diagnostic> + 'p {
    let references = project.references();
    let own_definitions =
        project.definitions().in_source(file.path()).filter(|definition| definition.module().is_none());
    own_definitions.filter(move |definition| references.is_unused(definition)).map(|definition| {
        Diagnostic::note(
            UNUSED,
            definition.name_place().clone(),
            format!("nothing refers to `{}`", definition.address()),
        )
        .with_summary("not used")
    })
}

/// Names that the broken parts of files may define.
struct Guesses<'p> {
    project: &'p Project,
    /// The words at the start of a line or in quotes, from files with syntax errors. Computed on demand.
    words: OnceCell<HashSet<&'p str>>,
}

impl<'p> Guesses<'p> {
    fn new(project: &'p Project) -> Guesses<'p> {
        Guesses { project, words: OnceCell::new() }
    }

    fn words(&self) -> &HashSet<&'p str> {
        self.words.get_or_init(|| {
            let mut words = HashSet::new();
            for file in self.project.files().iter().filter(|file| file.parsed().diagnostics.has_errors()) {
                for line in file.source().text().lines() {
                    words.extend(line.split_whitespace().next().map(|word| word.trim_matches(['"', '=', '{', ':'])));
                    words.extend(line.split('"').skip(1).step_by(2));
                }
            }
            words
        })
    }

    /// Returns true if a supposedly undefined name may be defined in a part of a file that could not be read.
    fn may_be_defined(&self, wrong: &Diagnostic) -> bool {
        if !is_undefined(wrong) || self.words().is_empty() {
            return false;
        }
        let name = wrong.place().text();
        let name = name.rsplit('.').next().unwrap_or(name);
        self.words().contains(name.trim_matches('"'))
    }
}
