//! Diagnostics as those of the package [miette](https://docs.rs/miette) (feature `miette`).

use std::fmt;
use std::sync::Arc;

use ::miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::{ReadError, WriteError};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Place, Source};

/// The text of the source, with its name.
impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text().read_span(span, lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name().to_owned(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}

/// Provides the source, the place and the labels in the same source.
///
/// ```
/// use miette::Diagnostic;
///
/// let errors = hcl_lr::from_str::<std::collections::BTreeMap<String, u8>>("a = 1\nb = true\n").unwrap_err();
/// let error: &dyn Diagnostic = errors.first().unwrap();
/// assert_eq!(error.code().unwrap().to_string(), "invalid-argument-value");
/// assert_eq!(error.labels().unwrap().next().unwrap().offset(), 10);
/// assert_eq!(errors.related().unwrap().count(), 1);
/// ```
impl ::miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(Diagnostic::code(self)))
    }

    fn severity(&self) -> Option<::miette::Severity> {
        Some(match Diagnostic::severity(self) {
            Severity::Error => ::miette::Severity::Error,
            Severity::Warning => ::miette::Severity::Warning,
            _ => ::miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Diagnostic::help(self).map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&**self.place().source())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = |place: &Place| (place.span().start(), place.span().len());
        let main = LabeledSpan::new_primary_with_span(Some(self.detail().to_owned()), span(self.place()));
        let source = self.place().source();
        let others = Diagnostic::labels(self).iter().filter(move |label| Arc::ptr_eq(label.place().source(), source));
        let others =
            others.map(move |label| LabeledSpan::new_with_span(Some(label.message().to_owned()), span(label.place())));
        Some(Box::new(std::iter::once(main).chain(others)))
    }
}

/// Provides all diagnostics as related ones.
impl ::miette::Diagnostic for Diagnostics {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn ::miette::Diagnostic> + 'a>> {
        Some(Box::new(self.iter().map(|diagnostic| diagnostic as &dyn ::miette::Diagnostic)))
    }
}

/// As its diagnostics.
impl ::miette::Diagnostic for ReadError {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn ::miette::Diagnostic> + 'a>> {
        self.diagnostics().related()
    }
}

/// Provides only the message, which includes the help: there is no source to show.
impl ::miette::Diagnostic for WriteError {}
