//! Lists of findings in which each mistake is once, whichever check saw it first.
//!
//! A mistake is a place and a cause. The check by a schema, the definitions and the evaluation of a file look at the
//! same places: `port = [1]` is wrong for the schema and for the evaluation that converts the value. [`merged`] keeps
//! what the first list says of such a place, and [`without_repeated_causes`] does so within a list.
//!
//! ```
//! use std::sync::Arc;
//! use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
//! use hcl_lr::source::{Place, Source, Span};
//! use hcl_lr_language::findings::merged;
//!
//! let source = Arc::new(Source::new("main.tf", "port = [1]\n"));
//! let at = |start, end| Place::new(&source, Span::new(start, end));
//! let of_schema = Diagnostic::error(Code::InvalidArgumentValue, &at(7, 10), "this must be a number");
//! let of_value = Diagnostic::error(Code::InvalidArgumentValue, &at(8, 9), "the value is a tuple");
//! let of_name = Diagnostic::error(Code::UnknownVariable, &at(8, 9), "nothing is defined");
//! let found = merged(of_schema.into(), [of_value, of_name].into_iter().collect());
//! assert_eq!(found.len(), 2);
//! ```

use std::collections::{HashMap, HashSet};

use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Span;

/// The cause of a finding, as far as two checks of one place can agree in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cause {
    /// A name that is not defined. A reference begins with the name, however much of it a check names.
    Name,
    /// A value that does not fit. A check may name the whole value, and another the part that is wrong.
    Value,
    /// Anything else. There may be several of a kind at a place, such as missing arguments of a block.
    Other(Code, String),
}

impl Cause {
    /// Returns the cause for a comparison with another list. Two checks name the same conflict in other words.
    fn across(diagnostic: &Diagnostic) -> Cause {
        match diagnostic.code() {
            Code::ConflictingArguments => Cause::Other(Code::ConflictingArguments, String::new()),
            _ => Cause::of(diagnostic),
        }
    }

    fn of(diagnostic: &Diagnostic) -> Cause {
        match diagnostic.code() {
            Code::UnknownVariable | Code::UndefinedName | Code::VariablesNotAllowed => Cause::Name,
            Code::InvalidArgumentValue | Code::InvalidValue | Code::InvalidIteration | Code::InvalidCondition => {
                Cause::Value
            }
            code => Cause::Other(code.clone(), diagnostic.detail().to_owned()),
        }
    }
}

/// The part of a place that identifies a mistake: all of the span, or its start.
fn key(diagnostic: &Diagnostic, cause: &Cause) -> Span {
    let span = diagnostic.span();
    match cause {
        Cause::Name => Span::new(span.start(), span.start()),
        Cause::Value | Cause::Other(..) => span,
    }
}

/// Returns two lists as one, without the mistakes of the second that the first one has, and without those that either
/// has twice, in the order of the places.
pub fn merged(first: Diagnostics, second: Diagnostics) -> Diagnostics {
    if first.is_empty() || second.is_empty() {
        let mut all = first;
        all.append(second);
        return without_repeated_causes(all);
    }
    let known = Known::of(&first);
    let new: Vec<Diagnostic> = second.into_iter().filter(|diagnostic| !known.has(diagnostic)).collect();
    drop(known);
    // The two lists may be of two readings of one file, so names identify sources.
    let mut ranks: HashMap<String, usize> = HashMap::new();
    let rank = |diagnostic: &Diagnostic| {
        let next = ranks.len();
        *ranks.entry(diagnostic.place().source().name().to_owned()).or_insert(next)
    };
    let all: Vec<Diagnostic> = first.into_iter().chain(new).collect();
    let keys: Vec<usize> = all.iter().map(rank).collect();
    let mut keyed: Vec<(usize, Diagnostic)> = keys.into_iter().zip(all).collect();
    sort_by_key(&mut keyed, |(rank, diagnostic)| (*rank, diagnostic.span()));
    without_repeated_causes(keyed.into_iter().map(|(_, diagnostic)| diagnostic).collect())
}

/// Returns the list without mistakes that it already has: the first finding of each place and cause stays.
pub fn without_repeated_causes(all: Diagnostics) -> Diagnostics {
    if all.len() < 2 {
        return all;
    }
    let mut seen: HashSet<(String, Span, Cause)> = HashSet::new();
    let is_new = |diagnostic: &Diagnostic| {
        let cause = Cause::of(diagnostic);
        seen.insert((diagnostic.place().source().name().to_owned(), key(diagnostic, &cause), cause))
    };
    let mut all = all;
    all.retain(is_new);
    all
}

/// The mistakes of a list, for searches.
struct Known<'d> {
    exact: HashSet<(&'d str, Span, Cause)>,
    /// The spans of wrong values, by the names of the sources; and those of what is missing or too much in objects,
    /// for which the value as a whole is wrong.
    values: HashMap<&'d str, Spans>,
    parts: HashMap<&'d str, Spans>,
}

impl<'d> Known<'d> {
    fn of(list: &'d Diagnostics) -> Known<'d> {
        let (mut values, mut parts) = (HashMap::<&str, Vec<Span>>::new(), HashMap::<&str, Vec<Span>>::new());
        let mut exact = HashSet::new();
        for diagnostic in list {
            let (name, cause) = (diagnostic.place().source().name(), Cause::across(diagnostic));
            if cause == Cause::Value {
                values.entry(name).or_default().push(diagnostic.span());
            }
            if matches!(diagnostic.code(), Code::RequiredArgument | Code::UnsupportedArgument) {
                parts.entry(name).or_default().push(diagnostic.span());
            }
            exact.insert((name, key(diagnostic, &cause), cause));
        }
        let searched = |all: HashMap<&'d str, Vec<Span>>| {
            all.into_iter().map(|(name, spans)| (name, Spans::new(spans))).collect::<HashMap<_, _>>()
        };
        Known { exact, values: searched(values), parts: searched(parts) }
    }

    fn has(&self, diagnostic: &Diagnostic) -> bool {
        let (name, cause) = (diagnostic.place().source().name(), Cause::across(diagnostic));
        let span = diagnostic.span();
        let nests = || self.values.get(name).is_some_and(|spans| spans.nest(span));
        let has_part = || self.parts.get(name).is_some_and(|spans| spans.lie_in(span));
        cause == Cause::Value && (nests() || has_part()) || self.exact.contains(&(name, key(diagnostic, &cause), cause))
    }
}

/// Spans, for searches of those that contain another or lie in it.
struct Spans {
    /// In the order of their starts.
    sorted: Vec<Span>,
    /// The greatest end of the spans up to each one, and the smallest end of those from it on.
    greatest: Vec<usize>,
    smallest: Vec<usize>,
}

impl Spans {
    fn new(mut spans: Vec<Span>) -> Spans {
        spans.sort_unstable();
        let ends = || spans.iter().map(|span| span.end());
        let greatest = ends().scan(0, |most, end| {
            *most = end.max(*most);
            Some(*most)
        });
        let greatest = greatest.collect();
        let mut smallest: Vec<usize> = ends().collect();
        for at in (1..smallest.len()).rev() {
            smallest[at - 1] = smallest[at - 1].min(smallest[at]);
        }
        Spans { sorted: spans, greatest, smallest }
    }

    /// Returns true if one of them contains a span, or lies in it.
    fn nest(&self, span: Span) -> bool {
        let after = self.sorted.partition_point(|known| known.start() <= span.start());
        let contains = after.checked_sub(1).is_some_and(|last| self.greatest[last] >= span.end());
        contains || self.lie_in(span)
    }

    /// Returns true if one of them lies in a span.
    fn lie_in(&self, span: Span) -> bool {
        let from = self.sorted.partition_point(|known| known.start() < span.start());
        self.smallest.get(from).is_some_and(|&end| end <= span.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_nest() {
        let spans =
            |list: &[(usize, usize)]| Spans::new(list.iter().map(|&(start, end)| Span::new(start, end)).collect());
        let all = spans(&[(10, 20), (30, 40), (32, 35)]);
        let cases = [((10, 20), true), ((12, 13), true), ((5, 25), true), ((15, 25), false), ((20, 30), false)];
        for ((start, end), expected) in cases {
            assert_eq!(all.nest(Span::new(start, end)), expected, "{start}..{end}");
        }
        assert!(all.nest(Span::new(33, 34)) && all.nest(Span::new(36, 38)) && !all.nest(Span::new(41, 50)));
        assert!(!spans(&[]).nest(Span::new(0, 1)));
    }
}
