//! Finds the parts of each variable that an expression reads.
//!
//! For example, the value of `[for i in hosts: i.name]` depends only on the `name` of each element of `hosts`. It can
//! be evaluated even if only these names are known.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Function, Functions};
use crate::sorting::sort_by_key;
use crate::stack::with_room;
use crate::syntax::ast::{
    AccessStep, BinaryOperation, Child, ExpressionKind, ExpressionNode, ForExpr, ForNames, Name, ObjectKey, Splat,
    TemplateNode, TemplatePart, TraversalNode,
};
use crate::work;

/// The number of parts above which the variable counts as read as a whole. So does a part that nests too deeply. This
/// bounds the work for each variable.
const MAX_PARTS: u32 = 64;
const MAX_HEIGHT: u32 = 6;

/// The number of steps that are distinguished after a variable that an expression binds, or after a bracket.
const MAX_STEPS: usize = 4;

/// The parts of a value that an expression reads. Reading elements includes reading their number or keys.
#[derive(Clone, Debug, Default)]
pub struct UsedParts {
    whole: bool,
    /// The number of elements, or the keys or attributes.
    keys: bool,
    /// The parts of each element.
    elements: Option<Arc<UsedParts>>,
    /// The parts of each element, or of the value itself if it is not a list.
    splat: Option<Arc<UsedParts>>,
    named: BTreeMap<Box<str>, Arc<UsedParts>>,
    /// True if this assumes that functions are those of the standard library.
    calls: bool,
    /// The number of parts.
    parts: u32,
    height: u32,
}

impl UsedParts {
    pub fn whole() -> Arc<UsedParts> {
        Arc::new(UsedParts { whole: true, ..UsedParts::default() })
    }

    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns true if this relies on functions being those of the standard library.
    pub fn relies_on_calls(&self) -> bool {
        self.calls
    }

    fn containing(inner: &Arc<UsedParts>) -> (UsedParts, Arc<UsedParts>) {
        let inner = if inner.height >= MAX_HEIGHT { UsedParts::whole() } else { inner.clone() };
        let (parts, height) = (inner.parts + 1, inner.height + 1);
        (UsedParts { calls: inner.calls, parts, height, ..UsedParts::default() }, inner)
    }

    fn element(inner: &Arc<UsedParts>) -> Arc<UsedParts> {
        let (asked, inner) = UsedParts::containing(inner);
        Arc::new(UsedParts { elements: Some(inner), ..asked })
    }

    fn splat(inner: &Arc<UsedParts>) -> Arc<UsedParts> {
        let (asked, inner) = UsedParts::containing(inner);
        Arc::new(UsedParts { splat: Some(inner), ..asked })
    }

    /// Returns the parts of a value, given the parts of one of its attributes.
    pub fn within(self: &Arc<UsedParts>, name: &str) -> Arc<UsedParts> {
        let (used, inner) = UsedParts::containing(self);
        Arc::new(UsedParts { named: BTreeMap::from([(name.into(), inner)]), ..used })
    }

    /// The same for the value that steps begin with.
    fn before<'t>(self: &Arc<UsedParts>, steps: impl ExactSizeIterator<Item = AccessStep<'t>>) -> Arc<UsedParts> {
        let mut used = if steps.len() > MAX_STEPS { UsedParts::whole() } else { self.clone() };
        let steps: Vec<AccessStep<'t>> = steps.take(MAX_STEPS).collect();
        for step in steps.into_iter().rev() {
            used = match step {
                AccessStep::Attribute(name) => used.within(name.text()),
                AccessStep::Index(_) | AccessStep::LegacyIndex(_) => UsedParts::element(&used),
            };
        }
        used
    }

    fn called(self: Arc<UsedParts>) -> Arc<UsedParts> {
        if self.calls { self } else { Arc::new(UsedParts { calls: true, ..(*self).clone() }) }
    }

    fn add(&mut self, other: &UsedParts) {
        self.calls |= other.calls;
        self.keys |= other.keys;
        self.whole |= other.whole || self.parts + other.parts > MAX_PARTS;
        if self.whole {
            *self = UsedParts { whole: true, calls: self.calls, ..UsedParts::default() };
            return;
        }
        let children = |used: &UsedParts| used.parts;
        for (own, more) in [(&mut self.elements, &other.elements), (&mut self.splat, &other.splat)] {
            match (own, more) {
                (Some(own), Some(more)) => Arc::make_mut(own).add(more),
                (own, Some(more)) => *own = Some(more.clone()),
                (_, None) => {}
            }
        }
        for (name, more) in &other.named {
            match self.named.get_mut(name) {
                Some(own) => Arc::make_mut(own).add(more),
                None => drop(self.named.insert(name.clone(), more.clone())),
            }
        }
        let all = || self.elements.iter().chain(&self.splat).chain(self.named.values());
        self.parts = all().map(|inner| children(inner) + 1).sum();
        self.height = all().map(|inner| inner.height + 1).max().unwrap_or(0);
    }

    /// Returns the parts of the elements, if the value has elements.
    pub fn of_elements(&self) -> Arc<UsedParts> {
        let mut all = self.elements.iter().chain(&self.splat).chain(self.named.values());
        match (self.whole, all.next()) {
            (true, _) => UsedParts::whole(),
            (false, None) => Arc::new(UsedParts { calls: self.calls, ..UsedParts::default() }),
            (false, Some(first)) => {
                let mut used = first.clone();
                all.for_each(|inner| Arc::make_mut(&mut used).add(inner));
                if self.calls { used.called() } else { used }
            }
        }
    }

    /// Returns the attributes that are read, if the value is an object and not a list; `None` if something else
    /// matters.
    pub fn names(&self) -> Option<Vec<&str>> {
        if self.whole || self.keys || self.elements.is_some() {
            return None;
        }
        let mut names: Vec<&str> = self.named.keys().map(|name| &**name).collect();
        if let Some(inner) = &self.splat {
            names.extend(inner.names()?);
            names.sort_unstable();
            names.dedup();
        }
        Some(names)
    }
}

impl<'t> ExpressionNode<'t> {
    /// Returns the parts of each of its [variables](Self::variables) that the expression reads, in the same order.
    pub fn asked(self) -> Vec<Arc<UsedParts>> {
        let mut search = Search::default();
        search.expression(self, &UsedParts::whole());
        search.in_order(self.variables().len())
    }
}

impl<'t> TemplateNode<'t> {
    /// The same for a template.
    pub fn asked(self) -> Vec<Arc<UsedParts>> {
        let mut search = Search::default();
        search.template(self);
        search.in_order(self.variables().len())
    }
}

/// The functions for which it is known what they read, or which of their arguments end up in their results.
const FUNCTIONS: [&str; 9] = ["concat", "element", "keys", "length", "merge", "one", "reverse", "slice", "values"];

/// Returns true if the parts that a function of this name reads are known, if it is the one of the library.
pub fn is_known(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Returns true if the functions of these names are those of a library, as far as they exist.
pub fn are_known<'f>(function: impl Fn(&str) -> Option<&'f Function>, libraries: &[Functions]) -> bool {
    FUNCTIONS.iter().all(|name| {
        function(name)
            .is_none_or(|defined| libraries.iter().any(|set| set.get(name).is_some_and(|known| known.is_same(defined))))
    })
}

#[derive(Default)]
struct Search<'t> {
    found: Vec<(TraversalNode<'t>, Arc<UsedParts>)>,
    /// The parts that are read of variables that the expression binds itself.
    bound: HashMap<&'t str, Vec<UsedParts>>,
    splats: Vec<UsedParts>,
}

impl<'t> Search<'t> {
    fn in_order(mut self, count: usize) -> Vec<Arc<UsedParts>> {
        // In other kinds of expressions, all variables count as read as a whole.
        if self.found.len() != count {
            return vec![UsedParts::whole(); count];
        }
        sort_by_key(&mut self.found, |(path, _)| path.expression().span().start());
        self.found.into_iter().map(|(_, used)| used).collect()
    }

    fn whole(&mut self, expression: ExpressionNode<'t>) {
        self.expression(expression, &UsedParts::whole());
    }

    fn expression(&mut self, expression: ExpressionNode<'t>, used: &Arc<UsedParts>) {
        work::step(1);
        let (mut at, mut used) = (expression, used.clone());
        // A chain of accesses, however long.
        loop {
            match at.kind() {
                ExpressionKind::Parentheses(parentheses) => at = parentheses.inner(),
                ExpressionKind::RelativeTraversal(path) => {
                    used = used.before(path.steps());
                    at = path.source();
                }
                ExpressionKind::Index(index) => {
                    with_room(|| self.whole(index.key()));
                    used = UsedParts::element(&used);
                    at = index.collection();
                }
                _ => break,
            }
        }
        match at.kind() {
            ExpressionKind::Traversal(path) => {
                match self.bound.get_mut(path.root().text()).and_then(|all| all.last_mut()) {
                    Some(bound) => bound.add(&used.before(path.steps())),
                    None => self.found.push((path, used)),
                }
            }
            ExpressionKind::SplatItem => self.splats.last_mut().into_iter().for_each(|item| item.add(&used)),
            ExpressionKind::Binary(operation) => with_room(|| self.operators(operation)),
            _ => with_room(|| self.nested(at, &used)),
        }
    }

    /// A chain of operators, however long.
    fn operators(&mut self, mut operation: BinaryOperation<'t>) {
        loop {
            self.whole(operation.right());
            match operation.left().kind() {
                ExpressionKind::Binary(left) => operation = left,
                _ => return self.whole(operation.left()),
            }
        }
    }

    fn nested(&mut self, expression: ExpressionNode<'t>, used: &Arc<UsedParts>) {
        match expression.kind() {
            ExpressionKind::Splat(splat) => self.splat(splat, used),
            ExpressionKind::FunctionCall(call) => {
                let of_first = match &*call.name() {
                    _ if call.expands_last() => None,
                    "length" | "keys" => Some(Arc::new(UsedParts { keys: true, ..UsedParts::default() })),
                    "concat" | "merge" | "reverse" | "slice" | "values" => {
                        Some(UsedParts::element(&used.of_elements()))
                    }
                    "element" | "one" => Some(UsedParts::element(used)),
                    _ => None,
                };
                let of_first = of_first.filter(|_| !used.is_whole() || matches!(&*call.name(), "length" | "keys"));
                let of_first = of_first.map(UsedParts::called);
                let all_alike = matches!(&*call.name(), "concat" | "merge");
                for (index, argument) in call.arguments().enumerate() {
                    match &of_first {
                        Some(used) if index == 0 || all_alike => self.expression(argument, used),
                        _ => self.whole(argument),
                    }
                }
            }
            ExpressionKind::Tuple(tuple) => {
                let used = used.of_elements();
                tuple.elements().for_each(|element| self.expression(element, &used));
            }
            ExpressionKind::Object(object) => {
                let used = used.of_elements();
                for element in object.elements() {
                    if let ObjectKey::Expression(key) = element.key() {
                        self.whole(key);
                    }
                    self.expression(element.value(), &used);
                }
            }
            ExpressionKind::For(for_expr) => self.for_expression(for_expr, used),
            // The results of a conditional may be converted to one type, which depends on all of them.
            _ => Child::Expression(expression).each_child(&mut |child| match child {
                Child::Expression(part) => self.whole(part),
                Child::Template(part) => self.template(part),
                _ => {}
            }),
        }
    }

    fn splat(&mut self, splat: Splat<'t>, used: &Arc<UsedParts>) {
        self.splats.push(UsedParts::default());
        self.expression(splat.each(), &used.of_elements());
        let of_each = Arc::new(self.splats.pop().unwrap_or_default());
        self.expression(splat.source(), &UsedParts::splat(&of_each));
    }

    fn for_expression(&mut self, for_expr: ForExpr<'t>, used: &Arc<UsedParts>) {
        let mut of_value = used.of_elements();
        if for_expr.groups() {
            of_value = of_value.of_elements();
        }
        let of_each = self.iteration(for_expr.names(), |search| {
            for part in [for_expr.key(), for_expr.condition()].into_iter().flatten() {
                search.whole(part);
            }
            search.expression(for_expr.value(), &of_value);
        });
        self.expression(for_expr.collection(), &of_each);
    }

    /// Returns the parts of a collection that are read by an expression for each of its elements. Its keys always
    /// count.
    fn iteration(&mut self, names: ForNames<'t>, within: impl FnOnce(&mut Self)) -> Arc<UsedParts> {
        for name in names.iter() {
            self.bound.entry(name.text()).or_default().push(UsedParts::default());
        }
        within(self);
        let mut take = |name: Name<'_>| self.bound.get_mut(name.text()).and_then(Vec::pop).unwrap_or_default();
        let of_each = Arc::new(take(names.value));
        names.key.map(take);
        UsedParts::element(&of_each)
    }

    fn template(&mut self, template: TemplateNode<'t>) {
        for part in template.parts() {
            match part {
                TemplatePart::Interpolation(expression) => self.whole(expression),
                TemplatePart::If(directive) => with_room(|| {
                    self.whole(directive.predicate());
                    self.template(directive.true_part());
                    directive.false_part().into_iter().for_each(|part| self.template(part));
                }),
                TemplatePart::For(directive) => with_room(|| {
                    let of_each = self.iteration(directive.names(), |search| search.template(directive.body()));
                    self.expression(directive.collection(), &of_each);
                }),
                // Text.
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UsedParts;
    use crate::reading::ParseOptions;
    use crate::syntax::{File, expression_file};

    fn parsed(source: &str) -> File {
        expression_file(("test", source).into(), &ParseOptions::default()).into_result().expect("it parses")
    }

    /// Returns the parts as text.
    fn text(asked: &UsedParts) -> String {
        if asked.whole {
            return "*".to_owned();
        }
        let mut parts: Vec<String> = asked.keys.then(|| "keys".to_owned()).into_iter().collect();
        parts.extend(asked.elements.iter().map(|inner| format!("each({})", text(inner))));
        parts.extend(asked.splat.iter().map(|inner| format!("splat({})", text(inner))));
        parts.extend(asked.named.iter().map(|(name, inner)| format!("{name}({})", text(inner))));
        parts.join(", ")
    }

    #[test]
    fn only_what_is_looked_at_is_asked_for() {
        let cases = [
            ("a", "*"),
            ("a[b].c", "each(c(*)); *"),
            ("a[*].b", "splat(b(*))"),
            ("a.*.b[0].c", "splat(b(c(*)))"),
            ("length(a)", "keys"),
            ("keys(a)[0]", "keys"),
            ("values(a)[*].b", "each(b(*))"),
            ("element(a, b).c", "each(c(*)); *"),
            ("one(a[*].b)", "splat(b(*))"),
            ("concat(a, b)[0].c", "each(c(*)); each(c(*))"),
            ("concat(a, b)", "*; *"),
            ("merge(a, { b = c })[d].e", "each(e(*)); e(*); *"),
            ("[for k, x in a: x.b]", "each(b(*))"),
            ("[for k, x in a: k]", "each()"),
            ("[for x in a: x]", "each(*)"),
            ("[for x in a: x.b if x.c == d]", "each(b(*), c(*)); *"),
            ("[for x in a: x][*].b", "each(b(*))"),
            ("{for x in a: x.b => x.c...}", "each(b(*), c(*))"),
            ("[for x in a: [for x in x.l: x.m]]", "each(l(each(m(*))))"),
            ("[for x in [a, b]: x.c]", "c(*); c(*)"),
            ("(c ? a : b)[0].d", "*; *; *"),
            ("\"%{ for x in a }${x.b}%{ endfor }\"", "each(b(*))"),
            ("a + b * c == f(d...)", "*; *; *; *"),
            ("[for x in a: x.b.c.d.e.f.g]", "each(b(c(d(e(*)))))"),
        ];
        for (source, expected) in cases {
            let file = parsed(source);
            let expression = file.expression();
            let found = expression.asked();
            assert_eq!(found.len(), expression.variables().len(), "{source}");
            let found: Vec<String> = found.iter().map(|asked| text(asked)).collect();
            assert_eq!(found.join("; "), expected, "{source}");
        }
    }

    #[test]
    fn many_parts_are_the_whole() {
        let parts = |count: usize| (0..count).map(|n| format!("x.p{n}, ")).collect::<String>();
        for (count, whole) in [(10, false), (1_000, true)] {
            let source = format!("[for x in a: [{}]]", parts(count));
            let found = parsed(&source).expression().asked();
            assert_eq!(found[0].of_elements().is_whole(), whole);
        }
    }
}
