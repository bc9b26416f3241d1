//! The tree that edits of expressions ask for, compared with the tree of the result.
//!
//! A view is a node of the original file in which parts are replaced and wrapped as requested. Parentheses count on
//! neither side: they change no meaning that the rest of the tree does not show. Accesses are compared step by step,
//! because `a.b` is one node, while the same steps from `f(x)` are another.

use super::item::NewValue;
use super::node::Container;
use super::orders::{Orders, PartOrder};
use super::parts::STAND_IN;
use super::splice::Splice;
use hcl_lr::internal::sort_by_key;
use hcl_lr::syntax::ast::{
    AccessStep, ExpressionKind, ExpressionNode, ForNames, ObjectKey, TemplateNode, TemplatePart,
};

/// An expression as it is requested.
#[derive(Clone, Copy)]
struct View<'a> {
    node: ExpressionNode<'a>,
    origin: Origin<'a>,
}

#[derive(Clone, Copy)]
enum Origin<'a> {
    /// A node of the original file, to which its own order applies.
    Old,
    /// A node of the original file whose own order is already applied.
    Kept,
    /// A node of new text.
    New,
    /// A node of a new expression around a part: the order, and the index of the expression in it.
    Wrap(&'a PartOrder<'a>, usize),
}

/// A step of an access.
enum Step<'a> {
    Name(&'a str),
    Legacy(&'a str),
    Key(View<'a>),
}

/// The first expression of an access.
enum Base<'a> {
    Variable(&'a str),
    View(View<'a>),
}

/// A piece of a template.
enum Piece<'a> {
    Text(String),
    Interpolation(View<'a>),
    If(View<'a>),
    For(ForNames<'a>, View<'a>),
    Else,
    End,
}

/// Compares requested expressions with those of the result.
pub(super) struct Comparison<'a, 'n> {
    pub orders: &'a Orders<'a>,
    /// The collections of the original file whose members have orders, each with its counterpart.
    pub collections: Vec<(Container<'a>, Container<'n>)>,
    waiting: Vec<(View<'a>, ExpressionNode<'n>)>,
}

impl<'a, 'n> Comparison<'a, 'n> {
    pub fn new(orders: &'a Orders<'a>) -> Self {
        Comparison { orders, collections: Vec::new(), waiting: Vec::new() }
    }

    /// Returns true if an expression of the result is the requested one, apart from `collections`.
    pub fn is_requested(&mut self, old: ExpressionNode<'a>, new: ExpressionNode<'n>) -> bool {
        self.waiting.push((View { node: old, origin: Origin::Old }, new));
        self.all_are_requested()
    }

    /// Returns true if a template of the result is the requested one, apart from `collections`.
    pub fn is_requested_template(&mut self, old: TemplateNode<'a>, new: TemplateNode<'n>) -> bool {
        self.templates(Origin::Old, old, Origin::New, new) && self.all_are_requested()
    }

    fn all_are_requested(&mut self) -> bool {
        while let Some((view, new)) = self.waiting.pop() {
            if !self.compare(view, new) {
                return false;
            }
        }
        true
    }

    /// Applies orders at the root of a view, and removes parentheses.
    fn resolve(&self, mut view: View<'a>) -> View<'a> {
        loop {
            if let Origin::Old = view.origin
                && let Some(order) = self.orders.part_of(view.node)
            {
                view = match order.value.as_ref().and_then(NewValue::expression) {
                    Some(node) => View { node, origin: Origin::New },
                    None => within(order, order.wraps.len()),
                };
            } else if let ExpressionKind::Parentheses(parentheses) = view.node.kind() {
                view = view.child(parentheses.inner());
            } else if let Origin::Wrap(order, index) = view.origin
                && is_stand_in(view.node)
            {
                view = within(order, index);
            } else {
                return view;
            }
        }
    }

    fn compare(&mut self, view: View<'a>, new: ExpressionNode<'n>) -> bool {
        let (base, steps) = access(view, |view| self.resolve(view));
        let edited = access(View { node: new, origin: Origin::New }, bare);
        if steps.len() != edited.1.len() {
            return false;
        }
        for (asked, found) in steps.into_iter().zip(edited.1) {
            match (asked, found) {
                (Step::Name(asked), Step::Name(found)) | (Step::Legacy(asked), Step::Legacy(found)) => {
                    if asked != found {
                        return false;
                    }
                }
                (Step::Key(asked), Step::Key(found)) => self.waiting.push((asked, found.node)),
                _ => return false,
            }
        }
        match (base, edited.0) {
            (Base::Variable(asked), Base::Variable(found)) => asked == found,
            (Base::View(asked), Base::View(found)) => self.nodes(asked, found.node),
            _ => false,
        }
    }

    /// Compares two expressions that are no accesses.
    fn nodes(&mut self, view: View<'a>, new: ExpressionNode<'n>) -> bool {
        use ExpressionKind as Kind;
        let is_old = matches!(view.origin, Origin::Old | Origin::Kept);
        let has_orders = is_old && self.orders.within(view.node.span());
        match (view.node.kind(), new.kind()) {
            (Kind::Number(asked), Kind::Number(found)) => asked.text() == found.text(),
            (Kind::Bool(asked), Kind::Bool(found)) => asked == found,
            (Kind::Null, Kind::Null) | (Kind::SplatItem, Kind::SplatItem) => true,
            (Kind::Object(_), Kind::Object(_))
            | (Kind::Tuple(_), Kind::Tuple(_))
            | (Kind::FunctionCall(_), Kind::FunctionCall(_))
                if has_orders =>
            {
                self.collections.push((Container::Collection(view.node), Container::Collection(new)));
                true
            }
            (Kind::Tuple(asked), Kind::Tuple(found)) => self.all(view, asked.elements(), found.elements()),
            (Kind::FunctionCall(asked), Kind::FunctionCall(found)) => {
                asked.name() == found.name()
                    && asked.expands_last() == found.expands_last()
                    && self.all(view, asked.arguments(), found.arguments())
            }
            (Kind::Object(asked), Kind::Object(found)) => {
                asked.elements().len() == found.elements().len()
                    && asked.elements().zip(found.elements()).all(|(asked, found)| {
                        self.waiting.push((view.child(asked.value()), found.value()));
                        match (asked.key(), found.key()) {
                            (ObjectKey::Name(asked), ObjectKey::Name(found)) => asked.text() == found.text(),
                            (ObjectKey::Expression(asked), ObjectKey::Expression(found)) => {
                                self.waiting.push((view.child(asked), found));
                                true
                            }
                            _ => false,
                        }
                    })
            }
            (Kind::For(asked), Kind::For(found)) => {
                let parts = |each: hcl_lr::syntax::ast::ForExpr<'a>| {
                    [Some(each.collection()), each.key(), Some(each.value()), each.condition()]
                };
                let news = [Some(found.collection()), found.key(), Some(found.value()), found.condition()];
                asked.is_object() == found.is_object()
                    && asked.groups() == found.groups()
                    && same_names(asked.names(), found.names())
                    && parts(asked).into_iter().zip(news).all(|pair| match pair {
                        (Some(asked), Some(found)) => {
                            self.waiting.push((view.child(asked), found));
                            true
                        }
                        (asked, found) => asked.is_none() && found.is_none(),
                    })
            }
            (Kind::Conditional(asked), Kind::Conditional(found)) => {
                let parts = [asked.predicate(), asked.true_result(), asked.false_result()];
                let news = [found.predicate(), found.true_result(), found.false_result()];
                self.all(view, parts.into_iter(), news.into_iter())
            }
            (Kind::Binary(asked), Kind::Binary(found)) => {
                let (parts, news) = ([asked.left(), asked.right()], [found.left(), found.right()]);
                asked.operator() == found.operator() && self.all(view, parts.into_iter(), news.into_iter())
            }
            (Kind::Unary(asked), Kind::Unary(found)) => {
                self.waiting.push((view.child(asked.operand()), found.operand()));
                asked.operator() == found.operator()
            }
            (Kind::Splat(asked), Kind::Splat(found)) => {
                self.waiting.push((view.child(asked.source()), found.source()));
                self.waiting.push((view.child(asked.each()), found.each()));
                asked.is_full() == found.is_full()
            }
            (Kind::Template(asked), Kind::Template(found)) => self.templates(view.origin, asked, Origin::New, found),
            (Kind::Error(_), Kind::Error(_)) => view.node.text() == new.text(),
            _ => false,
        }
    }

    fn all(
        &mut self,
        view: View<'a>,
        asked: impl ExactSizeIterator<Item = ExpressionNode<'a>>,
        found: impl ExactSizeIterator<Item = ExpressionNode<'n>>,
    ) -> bool {
        let same = asked.len() == found.len();
        self.waiting.extend(asked.map(|part| view.child(part)).zip(found));
        same
    }

    fn templates(
        &mut self,
        origin: Origin<'a>,
        asked: TemplateNode<'a>,
        new: Origin<'n>,
        found: TemplateNode<'n>,
    ) -> bool {
        let (asked, found) = (pieces(origin, asked, Some(self.orders), None), pieces(new, found, None, None));
        asked.len() == found.len()
            && asked.into_iter().zip(found).all(|pair| match pair {
                (Piece::Text(asked), Piece::Text(found)) => asked == found,
                (Piece::Interpolation(asked), Piece::Interpolation(found)) | (Piece::If(asked), Piece::If(found)) => {
                    self.waiting.push((asked, found.node));
                    true
                }
                (Piece::For(names, asked), Piece::For(new_names, found)) => {
                    self.waiting.push((asked, found.node));
                    same_names(names, new_names)
                }
                (Piece::Else, Piece::Else) | (Piece::End, Piece::End) => true,
                _ => false,
            })
    }
}

impl<'a> View<'a> {
    fn child(self, node: ExpressionNode<'a>) -> View<'a> {
        self.origin.child(node)
    }
}

impl<'a> Origin<'a> {
    /// Returns a part of an expression of this origin.
    fn child(self, node: ExpressionNode<'a>) -> View<'a> {
        let origin = match self {
            Origin::Kept => Origin::Old,
            origin => origin,
        };
        View { node, origin }
    }
}

/// Returns what is within the first expressions around a part: the next one, or the part.
fn within<'a>(order: &'a PartOrder<'a>, wraps: usize) -> View<'a> {
    let wrap = wraps.checked_sub(1).and_then(|index| Some((order.wraps.get(index)?.expression()?, index)));
    match (wrap, order.inner) {
        (Some((node, index)), _) => View { node, origin: Origin::Wrap(order, index) },
        (None, Some(node)) => View { node, origin: Origin::Old },
        (None, None) => View { node: order.node, origin: Origin::Kept },
    }
}

/// Splits an access into its first expression and its steps, the last one first.
fn access<'v>(view: View<'v>, resolve: impl Fn(View<'v>) -> View<'v>) -> (Base<'v>, Vec<Step<'v>>) {
    let (mut view, mut steps) = (resolve(view), Vec::new());
    loop {
        let step = |step: AccessStep<'v>| match step {
            AccessStep::Attribute(name) => Step::Name(name.text()),
            AccessStep::LegacyIndex(number) => Step::Legacy(number.text()),
            AccessStep::Index(key) => Step::Key(view.child(key)),
            _ => Step::Name(""),
        };
        let next = match view.node.kind() {
            ExpressionKind::Traversal(path) => {
                steps.extend(path.steps().rev().map(step));
                match view.origin {
                    Origin::Wrap(order, index) if path.root().text() == STAND_IN => within(order, index),
                    _ => return (Base::Variable(path.root().text()), steps),
                }
            }
            ExpressionKind::RelativeTraversal(path) => {
                steps.extend(path.steps().rev().map(step));
                view.child(path.source())
            }
            ExpressionKind::Index(index) => {
                steps.push(Step::Key(view.child(index.key())));
                view.child(index.collection())
            }
            _ => return (Base::View(view), steps),
        };
        view = resolve(next);
    }
}

/// Returns an expression of the result without parentheses around it.
fn bare(mut view: View<'_>) -> View<'_> {
    while let ExpressionKind::Parentheses(parentheses) = view.node.kind() {
        view.node = parentheses.inner();
    }
    view
}

fn is_stand_in(node: ExpressionNode<'_>) -> bool {
    match node.kind() {
        ExpressionKind::Traversal(path) => path.as_variable() == Some(STAND_IN),
        ExpressionKind::Template(template) => {
            template.is_heredoc() && node.text().starts_with("<<") && node.text()[2..].starts_with(STAND_IN)
        }
        _ => false,
    }
}

fn same_names(asked: ForNames<'_>, found: ForNames<'_>) -> bool {
    asked.iter().map(|name| name.text()).eq(found.iter().map(|name| name.text()))
}

/// Returns the texts of a template; `None` for each sequence. The new parts are those of one template: itself, or one in
/// it.
pub(super) fn texts_of(
    template: TemplateNode<'_>,
    orders: Option<(&Orders<'_>, TemplateNode<'_>)>,
) -> Vec<Option<String>> {
    let text = |piece: Piece<'_>| match piece {
        Piece::Text(text) => Some(text),
        _ => None,
    };
    let (orders, only) = orders.unzip();
    pieces(Origin::Old, template, orders, only).into_iter().map(text).collect()
}

/// Returns the pieces of a template, with adjacent text joined. New parts that are requested replace others.
/// With `only`, those of other templates do not count.
fn pieces<'a>(
    origin: Origin<'a>,
    template: TemplateNode<'a>,
    orders: Option<&'a Orders<'_>>,
    only: Option<TemplateNode<'_>>,
) -> Vec<Piece<'a>> {
    enum Task<'a> {
        Template(TemplateNode<'a>, Origin<'a>),
        Piece(Piece<'a>),
    }
    let (mut tasks, mut found) = (vec![Task::Template(template, origin)], Vec::new());
    while let Some(task) = tasks.pop() {
        let (template, view) = match task {
            Task::Template(template, origin) => (template, origin),
            Task::Piece(piece) => {
                found.push(piece);
                continue;
            }
        };
        let first = tasks.len();
        let is_old = matches!(view, Origin::Old | Origin::Kept);
        let counts = is_old && only.is_none_or(|only| only == template);
        let splices = orders.filter(|_| counts).and_then(|orders| orders.splices_of(template)).unwrap_or_default();
        let begins = |at: usize| splices.iter().filter(move |splice| splice.range.start == at);
        let is_replaced = |at: usize| splices.iter().any(|splice| splice.range.contains(&at));
        let new = |at: usize, tasks: &mut Vec<Task<'a>>| {
            let mut all: Vec<&Splice> = begins(at).collect();
            sort_by_key(&mut all, |splice| splice.range.end);
            let templates = all.into_iter().filter_map(Splice::template);
            tasks.extend(templates.map(|template| Task::Template(template, Origin::New)));
        };
        let mut count = 0;
        for (at, part) in template.parts().enumerate() {
            count += 1;
            new(at, &mut tasks);
            if is_replaced(at) {
                continue;
            }
            match part {
                TemplatePart::Literal(text, _) => tasks.push(Task::Piece(Piece::Text(text.into_owned()))),
                TemplatePart::Interpolation(part) => tasks.push(Task::Piece(Piece::Interpolation(view.child(part)))),
                TemplatePart::If(directive) => {
                    tasks.push(Task::Piece(Piece::If(view.child(directive.predicate()))));
                    tasks.push(Task::Template(directive.true_part(), view));
                    if let Some(part) = directive.false_part() {
                        tasks.extend([Task::Piece(Piece::Else), Task::Template(part, view)]);
                    }
                    tasks.push(Task::Piece(Piece::End));
                }
                TemplatePart::For(directive) => {
                    let collection = view.child(directive.collection());
                    tasks.push(Task::Piece(Piece::For(directive.names(), collection)));
                    tasks.extend([Task::Template(directive.body(), view), Task::Piece(Piece::End)]);
                }
                _ => {}
            }
        }
        new(count, &mut tasks);
        tasks[first..].reverse();
    }
    let mut joined: Vec<Piece<'a>> = Vec::new();
    for piece in found {
        match (joined.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}
