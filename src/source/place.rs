//! Places in sources, and sources within sources.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use super::visible::Line;
use super::{Offsets, Position, Source, Span};

/// A span with its source. Places are equal if they are the same span of the same source, not just of an equal text.
///
/// ```
/// use std::sync::{Arc, LazyLock};
/// use hcl_lr::source::{Place, Source, Span};
///
/// let source = Arc::new(Source::new("main.hcl", "a = 1\nb = 2\n"));
/// let place = Place::new(&source, Span::new(6, 7));
/// assert_eq!((place.text(), place.to_string()), ("b", "main.hcl:2:1".to_owned()));
/// ```
#[derive(Clone)]
pub struct Place {
    source: Arc<Source>,
    span: Span,
}

impl Place {
    /// Creates a place. If the source is a string within another one, the place is in that one.
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        let (mut source, mut span) = (source, span);
        while let Some(outer) = source.outer() {
            (source, span) = (&outer.source, outer.span(span));
        }
        Place { source: source.clone(), span }
    }

    /// Returns the place of an item without a source, such as one that a program has created.
    pub fn nowhere() -> Self {
        Place { source: Source::nowhere(), span: Span::default() }
    }

    /// The source.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the span in the source.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The text there.
    pub fn text(&self) -> &str {
        self.source.slice(self.span)
    }

    /// Line and column of its start.
    pub fn position(&self) -> Position {
        self.source.position(self.span.start())
    }
}

impl From<&Place> for Place {
    fn from(place: &Place) -> Place {
        place.clone()
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.span == other.span
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.source).hash(state);
        self.span.hash(state);
    }
}

/// Writes `name:line:column` of its start, in one line: control characters of the name become escape sequences.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        write!(f, "{}:{}:{}", Line(self.source.name()), position.line, position.column)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", Line(self.source.name()), self.span)
    }
}

/// The origin of a source's text in another source, where it is written as a string.
#[derive(Clone)]
pub(crate) struct Outer {
    source: Arc<Source>,
    offsets: Offsets,
}

impl Outer {
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the span in the other source that corresponds to a span of the text.
    pub fn span(&self, span: Span) -> Span {
        let start = self.offsets.outer(span.start());
        Span::new(start, self.offsets.outer(span.end()).max(start))
    }
}

impl Source {
    /// Returns the source of items without one.
    pub(crate) fn nowhere() -> Arc<Source> {
        static NOWHERE: LazyLock<Arc<Source>> = LazyLock::new(|| Arc::new(Source::new("", "")));
        NOWHERE.clone()
    }

    /// Creates a source for a string in another source, perhaps with escape sequences. Diagnostics about it become
    /// diagnostics of that source.
    pub(crate) fn string_in(source: &Arc<Source>, text: impl Into<String>, offsets: Offsets) -> Source {
        let outer = Outer { source: source.clone(), offsets };
        Source { outer: Some(Box::new(outer)), ..Source::new(source.name(), text) }
    }

    pub(crate) fn outer(&self) -> Option<&Outer> {
        self.outer.as_deref()
    }
}
