//! Lists of diagnostics.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::{fmt, slice, vec};

use super::{Code, Diagnostic, Severity};
use crate::sorting::sort_by_key;
use crate::source::{Source, Span};

/// A list of diagnostics, of one or several sources.
///
/// As an error, it displays one diagnostic per line. `Debug`, which a `main` that returns an error prints, displays
/// them with their source lines.
///
/// ```
/// use hcl_lr::diagnostic::Diagnostics;
///
/// let found = |text| hcl_lr::parse::<hcl_lr::File>(text).into_parts().1;
/// let mut all: Diagnostics = [found("a = \n"), found("b = 1\n"), found("c = 'x'\n")].into_iter().flatten().collect();
/// all.retain(|diagnostic| diagnostic.code() == "single-quotes");
/// assert_eq!(all.len(), 1);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No diagnostics.
    pub fn new() -> Self {
        Diagnostics::default()
    }

    /// Adds a diagnostic at the end.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all of another list at the end.
    pub fn append(&mut self, mut other: Diagnostics) {
        if self.list.is_empty() {
            *self = other;
        } else {
            self.list.append(&mut other.list);
        }
    }

    /// Sorts the diagnostics of each source by place, and the sources in the order in which they first appear in the
    /// list. The order is stable.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
    /// use hcl_lr::source::{Place, Source, Span};
    ///
    /// let [a, b] = ["a", "b"].map(|name| Arc::new(Source::new(name, "123")));
    /// let at = |source, start| Diagnostic::note("acme/seen", Place::new(source, Span::new(start, 3)), "here");
    /// let mut all: Diagnostics = [at(&b, 1), at(&a, 2), at(&b, 0)].into_iter().collect();
    /// all.sort();
    /// let places: Vec<_> = all.iter().map(|one| one.place().to_string()).collect();
    /// assert_eq!(places, ["b:1:1", "b:1:2", "a:1:3"]);
    /// ```
    pub fn sort(&mut self) {
        let in_order = |pair: &[Diagnostic]| {
            let [one, next] = [&pair[0], &pair[1]].map(Diagnostic::place);
            Arc::ptr_eq(one.source(), next.source()) && one.span() <= next.span()
        };
        if self.list.windows(2).all(in_order) {
            return;
        }
        let mut order: HashMap<*const Source, usize> = HashMap::new();
        let mut keyed: Vec<(usize, Diagnostic)> = Vec::with_capacity(self.list.len());
        for diagnostic in std::mem::take(&mut self.list) {
            let next = order.len();
            let rank = *order.entry(Arc::as_ptr(diagnostic.place().source())).or_insert(next);
            keyed.push((rank, diagnostic));
        }
        sort_by_key(&mut keyed, |(rank, diagnostic)| (*rank, diagnostic.place().span()));
        self.list = keyed.into_iter().map(|(_, diagnostic)| diagnostic).collect();
    }

    /// Keeps only those for which the condition is true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Keeps the first `most` diagnostics.
    pub fn truncate(&mut self, most: usize) {
        self.list.truncate(most);
    }

    /// Keeps the first `limit` diagnostics, followed by one that reports that there are more.
    pub(crate) fn limited(mut self, limit: usize) -> Self {
        if let Some(next) = self.list.get(limit) {
            let more = Diagnostic::error(Code::TooManyErrors, next.place(), "errors from here on are not shown")
                .with_help(format!("correct the first {limit} and see what remains"));
            self.list.truncate(limit);
            self.list.push(more);
        }
        self
    }

    /// Removes duplicates: text that is generated repeatedly repeats its mistakes.
    pub fn without_repetitions(mut self) -> Self {
        if self.list.len() > 1 {
            let mut seen: HashSet<(*const Source, Span, Code, String)> = HashSet::new();
            self.list.retain(|diagnostic| {
                let Diagnostic { place, code, detail, .. } = diagnostic;
                seen.insert((Arc::as_ptr(place.source()), place.span(), code.clone(), detail.to_string()))
            });
        }
        self
    }

    /// Returns the diagnostics in order.
    pub fn iter(&self) -> slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Only the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// Returns true if any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// Returns the first diagnostic.
    pub fn first(&self) -> Option<&Diagnostic> {
        self.list.first()
    }

    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostics, one per line: `name:line:column: error[code]: summary: detail`.
    pub fn short(&self) -> String {
        self.iter().map(|diagnostic| format!("{diagnostic}\n")).collect()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics { list: vec![diagnostic] }
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        Diagnostics { list: diagnostics.into_iter().collect() }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        self.list.extend(diagnostics);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'d> IntoIterator for &'d mut Diagnostics {
    type Item = &'d mut Diagnostic;
    type IntoIter = slice::IterMut<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter_mut()
    }
}

/// Writes the text of [`render`](Diagnostics::render) after a line end, because `unwrap` and a `main` that returns an
/// error print this. `{:#?}` shows the fields.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() || self.list.is_empty() {
            true => f.debug_list().entries(&self.list).finish(),
            false => write!(f, "\n{}", self.render().trim_end()),
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short().trim_end())
    }
}

impl std::error::Error for Diagnostics {}
