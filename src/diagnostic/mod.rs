//! What is wrong, where exactly, and what to do about it.
//!
//! A [`Diagnostic`] points into one [`Source`]; [`Diagnostics`] is all that was found in one, in
//! source order, or in several that are processed together, such as the files of a folder. They can
//! be shown to people ([`Diagnostics::render`]), one a line ([`Diagnostics::short`]) or as JSON
//! ([`Diagnostics::to_json`]). What comes with diagnostics is an [`Outcome`].

mod code;
mod json;
mod outcome;
mod render;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::source::{Source, Span};

pub use code::Code;
pub use json::Json;
pub use outcome::Outcome;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The source cannot be used as it is.
    Error,
    /// The source can be used, but probably does not mean what its author thinks.
    Warning,
}

impl Severity {
    /// `"error"` or `"warning"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Another place that has to do with a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub message: Cow<'static, str>,
}

/// One thing that is wrong.
///
/// ```
/// let diagnostics = hcl_lr::parse("a = 'x'\n").into_result().unwrap_err();
/// let first = diagnostics.iter().next().unwrap();
/// assert_eq!(first.code().as_str(), "single-quotes");
/// assert_eq!(first.subject().range(), 4..7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    code: Code,
    summary: Cow<'static, str>,
    detail: Cow<'static, str>,
    subject: Span,
    context: Option<Span>,
    labels: Vec<Label>,
    help: Option<Cow<'static, str>>,
    source: Option<OtherSource>,
}

/// A source other than that of the list that a diagnostic is in.
#[derive(Clone, Debug)]
struct OtherSource(Arc<Source>);

impl PartialEq for OtherSource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for OtherSource {}

impl Diagnostic {
    /// An error of a kind at a place; `detail` says what is wrong there.
    pub fn error(code: Code, subject: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            summary: code.summary().into(),
            detail: detail.into(),
            subject,
            context: None,
            labels: Vec::new(),
            help: None,
            source: None,
        }
    }

    /// A warning of a kind at a place.
    pub fn warning(code: Code, subject: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, subject, detail) }
    }

    pub(crate) fn extend_subject(&mut self, end: usize) {
        self.subject = Span::new(self.subject.start() as u32, end as u32);
    }

    /// Lets a bracket that is open at the end of a source be reported there.
    pub(crate) fn move_unclosed_to_end(&mut self, end: usize) {
        if self.code.is_unclosed() && self.context == Some(Span::new(end as u32, end as u32)) {
            let opener = std::mem::replace(&mut self.subject, Span::new(end as u32, end as u32));
            self.labels.insert(0, Label { span: opener, message: "this is never closed".into() });
            self.detail = "the end of the file comes before the end of what is open".into();
        }
    }

    /// Says what to do about it.
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that has to do with it.
    pub fn with_label(mut self, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds the wider construct in which the subject stands.
    pub fn with_context(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// The list that has this diagnostic only. Its labels are in the same source.
    pub(crate) fn alone(self, source: &Arc<Source>) -> Diagnostics {
        Diagnostics::new(source.clone(), vec![self])
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The stable name of its kind.
    pub fn code(&self) -> Code {
        self.code
    }

    /// A few words for the kind of problem.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// A sentence for what is wrong here.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Where it is, as exactly as possible.
    pub fn subject(&self) -> Span {
        self.subject
    }

    /// The construct in which the subject stands.
    pub fn context(&self) -> Option<Span> {
        self.context
    }

    /// Other places that have to do with it.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

/// All diagnostics of one source, in the order of their places; or those of several sources, those of
/// one behind those of the other.
///
/// As an error, it shows the diagnostics one a line.
#[derive(Clone)]
pub struct Diagnostics {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Diagnostics of a source; they are put in the order of their places. If the source is a string
    /// within another one, they become diagnostics of that one.
    pub fn new(source: Arc<Source>, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|diagnostic| (diagnostic.subject.start(), diagnostic.subject.end()));
        Diagnostics { source, list }.outward()
    }

    /// Diagnostics that keep to their source even if it is a string within another one, as long as
    /// they go no further than the evaluation of it.
    pub(crate) fn within(source: Arc<Source>, list: Vec<Diagnostic>) -> Self {
        Diagnostics { source, list }
    }

    /// Puts the diagnostics of a string within another source where the string stands there.
    fn outward(mut self) -> Self {
        while let Some(outer) = self.source.outer() {
            for diagnostic in &mut self.list {
                diagnostic.subject = outer.span(diagnostic.subject);
                diagnostic.context = diagnostic.context.map(|context| outer.span(context));
                diagnostic.labels.iter_mut().for_each(|label| label.span = outer.span(label.span));
            }
            let source = outer.source().clone();
            self.source = source;
        }
        self
    }

    /// No diagnostics.
    pub fn none() -> Self {
        Diagnostics { source: Source::nowhere(), list: Vec::new() }
    }

    /// The first of the diagnostics of a source; if there are more, one says so.
    pub(crate) fn limited(source: Arc<Source>, list: Vec<Diagnostic>, limit: usize) -> Self {
        let mut diagnostics = Diagnostics::new(source, list);
        if let Some(next) = diagnostics.list.get(limit) {
            let more = Diagnostic::error(Code::TooManyErrors, next.subject(), "from here on errors are not shown");
            diagnostics.list.truncate(limit);
            diagnostics.list.push(more.with_help(format!("correct the first {limit} and see what remains")));
        }
        diagnostics
    }

    /// Adds diagnostics of the same or another source behind those that there are.
    ///
    /// ```
    /// use hcl_lr::source::Source;
    /// use hcl_lr::syntax::{Options, parse_source};
    ///
    /// let problems = |name| parse_source(Source::new(name, "a = \n"), &Options::default()).into_parts().1;
    /// let mut all = problems("a.hcl");
    /// all.append(problems("b.hcl"));
    /// let names: Vec<_> = all.iter().map(|diagnostic| all.source_of(diagnostic).name()).collect();
    /// assert_eq!(names, ["a.hcl", "b.hcl"]);
    /// ```
    pub fn append(&mut self, other: Diagnostics) {
        if self.list.is_empty() {
            *self = other;
            return;
        }
        let same = Arc::ptr_eq(&self.source, &other.source);
        let source = other.source;
        self.list.extend(other.list.into_iter().map(|mut diagnostic| {
            if !same && diagnostic.source.is_none() {
                diagnostic.source = Some(OtherSource(source.clone()));
            }
            diagnostic
        }));
    }

    /// Puts the diagnostics of each source in the order of their places. The sources keep the order of
    /// their first diagnostics.
    ///
    /// ```
    /// use hcl_lr::body::load_text;
    ///
    /// let attributes = load_text("a.hcl", "a = x\nb = y\n").value.attributes().into_result()?;
    /// let problems = |name| attributes.get(name).unwrap().expression().evaluate(&Default::default()).unwrap_err();
    /// let mut all = problems("b");
    /// all.append(problems("a"));
    /// let places: Vec<_> = all.in_order().iter().map(|problem| problem.subject().start()).collect();
    /// assert_eq!(places, [4, 10]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn in_order(mut self) -> Self {
        let sorted = |list: &[Diagnostic]| list.is_sorted_by_key(|diagnostic| diagnostic.subject);
        if self.list.iter().all(|diagnostic| diagnostic.source.is_none()) {
            if !sorted(&self.list) {
                self.list.sort_by_key(|diagnostic| diagnostic.subject);
            }
            return self;
        }
        let mut order: HashMap<*const Source, usize> = HashMap::new();
        let mut keyed: Vec<(usize, Diagnostic)> = Vec::with_capacity(self.list.len());
        for diagnostic in std::mem::take(&mut self.list) {
            let source = Arc::as_ptr(self.source_of(&diagnostic));
            let next = order.len();
            let rank = *order.entry(source).or_insert(next);
            keyed.push((rank, diagnostic));
        }
        keyed.sort_by_key(|(rank, diagnostic)| (*rank, diagnostic.subject));
        self.list = keyed.into_iter().map(|(_, diagnostic)| diagnostic).collect();
        self
    }

    /// Each of them once: what is generated from one text has its mistakes as often as it is generated.
    pub(crate) fn without_repetitions(mut self) -> Self {
        if self.list.len() < 2 {
            return self;
        }
        let mut seen: HashSet<(*const Source, Span, Code, Cow<'static, str>)> = HashSet::new();
        let list = std::mem::take(&mut self.list);
        self.list = list
            .into_iter()
            .filter(|diagnostic| {
                let source = Arc::as_ptr(diagnostic.source.as_ref().map_or(&self.source, |other| &other.0));
                seen.insert((source, diagnostic.subject, diagnostic.code, diagnostic.detail.clone()))
            })
            .collect();
        self
    }

    /// The source they are about; if there are several, the first of them.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The source that one of them is about.
    pub fn source_of<'d>(&'d self, diagnostic: &'d Diagnostic) -> &'d Arc<Source> {
        diagnostic.source.as_ref().map_or(&self.source, |other| &other.0)
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Only the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether an error is among them.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Keeps the first `most` of them.
    pub fn truncate(&mut self, most: usize) {
        self.list.truncate(most);
    }

    /// The diagnostics one a line: `name:line:column: error[code]: summary: detail`.
    pub fn short(&self) -> String {
        let mut text = String::new();
        for diagnostic in &self.list {
            text.push_str(&self.short_line(diagnostic));
            text.push('\n');
        }
        text
    }

    fn short_line(&self, diagnostic: &Diagnostic) -> String {
        let Diagnostic { severity, code, summary, detail, subject, .. } = diagnostic;
        let source = self.source_of(diagnostic);
        let position = source.position(subject.start());
        let (name, line, column) = (source.name(), position.line, position.column);
        format!("{name}:{line}:{column}: {}[{code}]: {summary}: {detail}", severity.as_str())
    }
}

/// No diagnostics.
impl Default for Diagnostics {
    fn default() -> Self {
        Diagnostics::none()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short().trim_end())
    }
}

impl std::error::Error for Diagnostics {}
