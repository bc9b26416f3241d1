//! Walks over a tree without recursion: visitors, and the only list of the children of each kind of node.
//!
//! `each_child` lists the children of every kind of node, in source order, and where the scope of names that the node
//! binds begins and ends. [`Visitor`], the [variables](ExpressionNode::variables) of an expression, and all searches in
//! this crate are based on it, so a new kind of node is described once, here.

use super::body::{AttributeNode, BlockNode, BodyItem, BodyNode, ErrorNode};
use super::expression::{ExpressionKind, ExpressionNode, FunctionCall, Name, ObjectKey};
use super::path::AccessStep;
use super::template::{TemplateNode, TemplatePart};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Node, NodeKind};

/// The continuation of a walk after it entered a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Walk {
    /// To the children of the node.
    Into,
    /// Past the node, without its children.
    Over,
    /// Stop: the walk ends, and no further method of the visitor is called.
    Stop,
}

/// Methods that a walk calls for each node of a tree, in source order.
///
/// A walk enters every node: `visit_…` is called before its children, `leave_…` after them. That includes each
/// operation of a chain such as `a + b + c` and each access of `a[b].c[d]`. A variable with constant steps, such as
/// `a.b[0]`, is one expression, a [traversal](ExpressionKind::Traversal), as in the specification ("Static Traversal");
/// its children are the literal keys.
///
/// A walk over a deep tree needs no deep stack, so it is safe for any file.
///
/// ```
/// use hcl_lr::syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode, Visitor, Walk};
///
/// /// Finds comparisons with an empty list, which are never true for a list.
/// #[derive(Default)]
/// struct Comparisons<'t>(Vec<&'t str>);
///
/// impl<'t> Visitor<'t> for Comparisons<'t> {
///     fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
///         if let ExpressionKind::Binary(operation) = expression.kind()
///             && operation.operator() == BinaryOperator::Equal
///             && operation.right().text() == "[]"
///         {
///             self.0.push(expression.text());
///         }
///         Walk::Into
///     }
/// }
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = var.ids == [] && var.on\n").into_result()?;
/// let mut found = Comparisons::default();
/// file.body().walk(&mut found);
/// assert_eq!(found.0, ["var.ids == []"]);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub trait Visitor<'t> {
    /// Enters a body, of the file or of a block.
    fn visit_body(&mut self, body: BodyNode<'t>) -> Walk {
        let _ = body;
        Walk::Into
    }

    /// Leaves a body. Not called if the walk skipped it; likewise for the other nodes.
    fn leave_body(&mut self, body: BodyNode<'t>) {
        let _ = body;
    }

    /// Enters an attribute.
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        let _ = attribute;
        Walk::Into
    }

    /// Leaves an attribute.
    fn leave_attribute(&mut self, attribute: AttributeNode<'t>) {
        let _ = attribute;
    }

    /// Enters a block.
    fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
        let _ = block;
        Walk::Into
    }

    /// Leaves a block.
    fn leave_block(&mut self, block: BlockNode<'t>) {
        let _ = block;
    }

    /// Enters an expression.
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        let _ = expression;
        Walk::Into
    }

    /// Leaves an expression.
    fn leave_expression(&mut self, expression: ExpressionNode<'t>) {
        let _ = expression;
    }

    /// Enters a template: a quoted one, a heredoc, or the content of a directive.
    fn visit_template(&mut self, template: TemplateNode<'t>) -> Walk {
        let _ = template;
        Walk::Into
    }

    /// Leaves a template.
    fn leave_template(&mut self, template: TemplateNode<'t>) {
        let _ = template;
    }

    /// Visits a part of the source that could not be parsed, in a body or as an expression. The references and
    /// templates that can be read within an expression or template follow.
    fn visit_error(&mut self, error: ErrorNode<'t>) {
        let _ = error;
    }

    /// Enters the part of a `for` expression or directive in which its variables are defined.
    fn enter_scope(&mut self, names: ForNames<'t>) {
        let _ = names;
    }

    /// Leaves the part in which these variables are defined.
    fn leave_scope(&mut self, names: ForNames<'t>) {
        let _ = names;
    }
}

/// The variables that a `for` expression or directive defines ("For Expressions", "Template For Directive").
#[derive(Clone, Copy, Debug)]
pub struct ForNames<'t> {
    /// The variable for the key, if it has one.
    pub key: Option<Name<'t>>,
    /// The variable for the value.
    pub value: Name<'t>,
    /// The collection that is iterated over. The variables are not defined in it.
    pub collection: ExpressionNode<'t>,
}

impl<'t> ForNames<'t> {
    /// The names, in source order.
    pub fn iter(self) -> impl Iterator<Item = Name<'t>> {
        self.key.into_iter().chain([self.value])
    }

    /// Returns the names as a `for` has them: `key, value`.
    pub(crate) fn written(self) -> String {
        let key = self.key.map(|key| format!("{}, ", key.text())).unwrap_or_default();
        key + self.value.text()
    }
}

/// A node, or the start or end of the scope of names.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub enum Child<'t> {
    Body(BodyNode<'t>),
    Attribute(AttributeNode<'t>),
    Block(BlockNode<'t>),
    Expression(ExpressionNode<'t>),
    Template(TemplateNode<'t>),
    Error(ErrorNode<'t>),
    EnterScope(ForNames<'t>),
    LeaveScope(ForNames<'t>),
}

impl<'t> Child<'t> {
    /// Calls `child` with the children of a node, in source order, and with the boundaries of scopes between them.
    #[doc(hidden)]
    pub fn each_child(self, child: &mut impl FnMut(Child<'t>)) {
        match self {
            Child::Body(body) => body.items().for_each(|item| {
                child(match item {
                    BodyItem::Attribute(attribute) => Child::Attribute(attribute),
                    BodyItem::Block(block) => Child::Block(block),
                    BodyItem::Error(error) => Child::Error(error),
                });
            }),
            Child::Attribute(attribute) => child(Child::Expression(attribute.expression())),
            Child::Block(block) => child(Child::Body(block.body())),
            Child::Expression(expression) => of_expression(expression, child),
            Child::Template(template) => of_template(template, child),
            Child::Error(_) | Child::EnterScope(_) | Child::LeaveScope(_) => {}
        }
    }

    /// Walks over the node and everything in it.
    pub(crate) fn walk(self, visitor: &mut (impl Visitor<'t> + ?Sized)) {
        // Most expressions are so small that they need no list of tasks.
        if let Child::Expression(expression) = self
            && expression.is_leaf()
        {
            if let Walk::Into = self.enter(visitor) {
                let mut stopped = false;
                // A string is a template, in which nothing is.
                self.each_child(&mut |child| match child.enter(visitor) {
                    Walk::Into => child.leave(visitor),
                    Walk::Over => {}
                    Walk::Stop => stopped = true,
                });
                if !stopped {
                    self.leave(visitor);
                }
            }
            return;
        }
        let mut waiting = vec![Task::Enter(self)];
        while let Some(task) = waiting.pop() {
            let entered = match task {
                Task::Leave(left) => {
                    left.leave(visitor);
                    continue;
                }
                Task::Enter(entered) => entered,
            };
            match entered.enter(visitor) {
                Walk::Into => {
                    waiting.push(Task::Leave(entered));
                    let first = waiting.len();
                    entered.each_child(&mut |child| waiting.push(Task::Enter(child)));
                    waiting[first..].reverse();
                }
                Walk::Over => {}
                Walk::Stop => return,
            }
        }
    }

    fn enter(self, visitor: &mut (impl Visitor<'t> + ?Sized)) -> Walk {
        match self {
            Child::Body(body) => return visitor.visit_body(body),
            Child::Attribute(attribute) => return visitor.visit_attribute(attribute),
            Child::Block(block) => return visitor.visit_block(block),
            Child::Expression(expression) => return visitor.visit_expression(expression),
            Child::Template(template) => return visitor.visit_template(template),
            Child::Error(error) => visitor.visit_error(error),
            Child::EnterScope(names) => visitor.enter_scope(names),
            Child::LeaveScope(names) => visitor.leave_scope(names),
        }
        Walk::Over
    }

    fn leave(self, visitor: &mut (impl Visitor<'t> + ?Sized)) {
        match self {
            Child::Body(body) => visitor.leave_body(body),
            Child::Attribute(attribute) => visitor.leave_attribute(attribute),
            Child::Block(block) => visitor.leave_block(block),
            Child::Expression(expression) => visitor.leave_expression(expression),
            Child::Template(template) => visitor.leave_template(template),
            // These are passed, not entered.
            Child::Error(_) | Child::EnterScope(_) | Child::LeaveScope(_) => {}
        }
    }
}

/// A pending step of a walk.
enum Task<'t> {
    Enter(Child<'t>),
    Leave(Child<'t>),
}

fn of_expression<'t>(expression: ExpressionNode<'t>, child: &mut impl FnMut(Child<'t>)) {
    let mut part = |part: ExpressionNode<'t>| child(Child::Expression(part));
    match expression.kind() {
        ExpressionKind::Template(template) => child(Child::Template(template)),
        ExpressionKind::Traversal(path) => path.steps().filter_map(key_of).for_each(part),
        ExpressionKind::RelativeTraversal(path) => {
            part(path.source());
            path.steps().filter_map(key_of).for_each(part);
        }
        ExpressionKind::Object(object) => object.elements().for_each(|element| {
            if let ObjectKey::Expression(key) = element.key()
                && !element.is_error()
            {
                part(key);
            }
            part(element.value());
        }),
        ExpressionKind::For(for_expr) => {
            let names = for_expr.names();
            part(names.collection);
            child(Child::EnterScope(names));
            let within = [for_expr.key(), Some(for_expr.value()), for_expr.condition()];
            within.into_iter().flatten().for_each(|part| child(Child::Expression(part)));
            child(Child::LeaveScope(names));
        }
        ExpressionKind::Error(error) => {
            child(Child::Error(error));
            of_error(error, child);
        }
        // These have only expressions below them, or nothing.
        _ => {
            expression.tree.each_child(expression.node, |node| part(ExpressionNode::new(expression.tree, node)));
        }
    }
}

/// The literal key of a step with brackets.
fn key_of(step: AccessStep<'_>) -> Option<ExpressionNode<'_>> {
    match step {
        AccessStep::Index(key) => Some(key),
        AccessStep::Attribute(_) | AccessStep::LegacyIndex(_) => None,
    }
}

/// Calls `child` with the expressions and templates that can be read within a part that could not be parsed, except
/// those that may be in the scope of a `for` whose names are not known.
fn of_error<'t>(error: ErrorNode<'t>, child: &mut impl FnMut(Child<'t>)) {
    let tree = error.tree;
    let (mut token, mut scoped) = (tree.node(error.node).start, false);
    tree.each_child(error.node, |node| {
        let Node { kind: NodeKind::Orphan, start, end, second, .. } = *tree.node(node) else {
            return;
        };
        // A directive without an expression defines no usable names.
        let binds_names = |kind: TokenKind| kind.binds_names() && !kind.is_directive();
        scoped |= token.to(start).any(|token| binds_names(tree.tokens.kind(token)));
        let root = second.node();
        match tree.tokens.kind(start) {
            // The parser has made sure that the name is not bound by a `for`.
            TokenKind::Identifier => child(Child::Expression(ExpressionNode::new(tree, root))),
            TokenKind::Value | TokenKind::OpenBlock => {}
            _ if scoped => {}
            TokenKind::Template => child(Child::Template(TemplateNode::of_node(tree, node))),
            _ => child(Child::Expression(ExpressionNode::new(tree, root))),
        }
        scoped |= tree.tokens.kind(start).binds_names();
        token = end + 1;
    });
}

fn of_template<'t>(template: TemplateNode<'t>, child: &mut impl FnMut(Child<'t>)) {
    if let Some(error) = template.error() {
        of_error(error, child);
    }
    for part in template.parts() {
        match part {
            TemplatePart::Literal(..) => {}
            TemplatePart::Interpolation(expression) => child(Child::Expression(expression)),
            TemplatePart::If(directive) => {
                child(Child::Expression(directive.predicate()));
                child(Child::Template(directive.true_part()));
                directive.false_part().into_iter().for_each(|part| child(Child::Template(part)));
            }
            TemplatePart::For(directive) => {
                let names = directive.names();
                child(Child::Expression(names.collection));
                child(Child::EnterScope(names));
                child(Child::Template(directive.body()));
                child(Child::LeaveScope(names));
            }
        }
    }
}

/// Collects function calls.
struct Calls<'t>(Vec<FunctionCall<'t>>);

impl<'t> Visitor<'t> for Calls<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        if let ExpressionKind::FunctionCall(call) = expression.kind() {
            self.0.push(call);
        }
        Walk::Into
    }
}

macro_rules! walks {
    ($($node:ident $child:ident $what:literal)+) => {
        $(impl<'t> $node<'t> {
            #[doc = concat!("Calls the methods of a [`Visitor`] for ", $what, " and all that is in it.")]
            pub fn walk(self, visitor: &mut (impl Visitor<'t> + ?Sized)) {
                Child::$child(self).walk(visitor);
            }

            #[doc = concat!("Returns all function calls in ", $what, ", in source order.")]
            pub fn calls(self) -> Vec<FunctionCall<'t>> {
                let mut calls = Calls(Vec::new());
                self.walk(&mut calls);
                calls.0
            }
        })+
    };
}

walks! {
    BodyNode Body "the body"
    AttributeNode Attribute "the attribute"
    BlockNode Block "the block"
    ExpressionNode Expression "the expression"
    TemplateNode Template "the template"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Texts {
        visited: Vec<String>,
        left: Vec<String>,
    }

    impl<'t> Visitor<'t> for Texts {
        fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
            self.visited.push(expression.text().to_owned());
            Walk::Into
        }

        fn leave_expression(&mut self, expression: ExpressionNode<'t>) {
            self.left.push(expression.text().to_owned());
        }
    }

    fn walked(text: &str) -> Texts {
        let file = crate::parse::<crate::File>(format!("x = {text}\n")).into_result().expect("no errors");
        let mut texts = Texts::default();
        file.body().walk(&mut texts);
        texts
    }

    #[test]
    fn every_expression_is_visited_in_source_order() {
        let cases: &[(&str, &[&str])] = &[
            ("a.b[0].c", &["a.b[0].c", "0"]),
            (
                "a.b[0][c.d].e[f][1]",
                &[
                    "a.b[0][c.d].e[f][1]",
                    "a.b[0][c.d].e[f]",
                    "a.b[0][c.d].e",
                    "a.b[0][c.d]",
                    "a.b[0]",
                    "0",
                    "c.d",
                    "f",
                    "1",
                ],
            ),
            ("x[var.i].1[var.j]", &["x[var.i].1[var.j]", "x[var.i].1", "x[var.i]", "x", "var.i", "var.j"]),
            ("f(g)[h].i", &["f(g)[h].i", "f(g)[h]", "f(g)", "g", "h"]),
            ("a == [] && b", &["a == [] && b", "a == []", "a", "[]", "b"]),
            ("a + b + c * d", &["a + b + c * d", "a + b", "a", "b", "c * d", "c", "d"]),
            ("{a = b, (c) = d, \"e\" = f}", &["{a = b, (c) = d, \"e\" = f}", "b", "(c)", "c", "d", "\"e\"", "f"]),
            ("[for k, v in a : b if c]", &["[for k, v in a : b if c]", "a", "b", "c"]),
            ("{for v in a : b => c...}", &["{for v in a : b => c...}", "a", "b", "c"]),
            ("a ? b : c[*].d", &["a ? b : c[*].d", "a", "b", "c[*].d", "c", "[*].d", "[*]"]),
            ("\"${a}%{ if b }${c}%{ endif }\"", &["\"${a}%{ if b }${c}%{ endif }\"", "a", "b", "c"]),
        ];
        for (text, expected) in cases {
            let texts = walked(text);
            assert_eq!(texts.visited, *expected, "{text}");
            assert_eq!(texts.left.len(), expected.len(), "{text}");
            assert_eq!(texts.left.last().map(String::as_str), Some(*text));
        }
    }

    #[test]
    fn a_small_expression_is_walked_as_one_within_another() {
        #[derive(Default)]
        struct Events(Vec<String>, bool);
        impl<'t> Visitor<'t> for Events {
            fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
                self.0.push(format!("in {expression}"));
                Walk::Into
            }

            fn leave_expression(&mut self, expression: ExpressionNode<'t>) {
                self.0.push(format!("out {expression}"));
            }

            fn visit_template(&mut self, _: TemplateNode<'t>) -> Walk {
                self.0.push("in template".to_owned());
                if self.1 { Walk::Stop } else { Walk::Into }
            }

            fn leave_template(&mut self, _: TemplateNode<'t>) {
                self.0.push("out template".to_owned());
            }
        }
        for stops in [false, true] {
            for text in ["1", "true", "a", "a.b.c", "\"text\"", "\"\""] {
                let file = crate::parse::<crate::File>(format!("x = {text}\n")).into_result().expect("no errors");
                let (mut alone, mut within) = (Events(Vec::new(), stops), Events(Vec::new(), stops));
                file.body().attribute("x").expect("it is there").expression().walk(&mut alone);
                file.body().walk(&mut within);
                assert_eq!(alone.0, within.0, "{text}");
                assert_eq!(alone.0.contains(&"in template".to_owned()), text.starts_with('"'), "{text}");
            }
        }
    }

    #[test]
    fn what_can_be_read_in_a_broken_part_is_visited() {
        struct Names(Vec<String>);
        impl<'t> Visitor<'t> for Names {
            fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
                if let ExpressionKind::Traversal(path) = expression.kind() {
                    self.0.push(path.root().text().to_owned());
                }
                Walk::Into
            }
        }
        let cases: &[(&str, &[&str])] = &[
            ("\"%{ if a }${b}\"", &["a", "b"]),
            // The value of `y` may be used in the rest, if there is a collection.
            ("\"${a}%{ for y in b }${c}\"", &["a", "b"]),
            ("\"${a}%{ for y }${b}%{ endfor }${c}\"", &["a", "b", "c"]),
            ("\"%{ for y, }${a}\"", &["a"]),
            // Consecutive words are a text without quotes.
            ("[a b, \"${c}\"]", &["c"]),
            ("[for y in a.b + : c, \"${y}\"]", &["a", "c"]),
        ];
        for (text, expected) in cases {
            let file = crate::parse::<crate::File>(format!("x = {text}\n"));
            assert!(file.diagnostics().has_errors(), "{text}");
            let mut names = Names(Vec::new());
            file.value().body().walk(&mut names);
            assert_eq!(names.0, *expected, "{text}");
        }
    }

    #[test]
    fn chains_of_any_length_need_no_stack() {
        #[derive(Default)]
        struct Count {
            visited: usize,
            left: usize,
        }
        impl<'t> Visitor<'t> for Count {
            fn visit_expression(&mut self, _: ExpressionNode<'t>) -> Walk {
                self.visited += 1;
                Walk::Into
            }

            fn leave_expression(&mut self, _: ExpressionNode<'t>) {
                self.left += 1;
            }
        }
        let count = 100_000;
        for (link, visited) in [(" + a", 2 * count + 1), ("[a]", 2 * count + 1), ("[a].b", 3 * count + 1), (".b", 1)] {
            let text = format!("x = a{}\n", link.repeat(count));
            let file = crate::parse::<crate::File>(text).into_result().expect("no errors");
            let mut counted = Count::default();
            file.body().walk(&mut counted);
            assert_eq!((counted.visited, counted.left), (visited, visited), "{link}");
        }
    }

    #[test]
    fn a_visitor_stops_goes_over_and_knows_scopes() {
        struct Names<'t>(Vec<&'t str>, bool);
        impl<'t> Visitor<'t> for Names<'t> {
            fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
                match expression.kind() {
                    ExpressionKind::Traversal(path) if path.root().text() == "stop" => return Walk::Stop,
                    ExpressionKind::Tuple(_) => return Walk::Over,
                    ExpressionKind::Traversal(path) => self.0.push(path.root().text()),
                    _ => {}
                }
                Walk::Into
            }

            fn enter_scope(&mut self, names: ForNames<'t>) {
                self.0.push("in");
                self.0.extend(names.iter().map(Name::text));
            }

            fn leave_scope(&mut self, _: ForNames<'t>) {
                self.0.push("out");
            }

            fn leave_attribute(&mut self, _: AttributeNode<'t>) {
                self.1 = true;
            }
        }
        let text = "a = [for k, v in b: c]\nd = f([e], { for w in g : h => i })\nj = stop + k\nl = m\n";
        let file = crate::parse::<crate::File>(text).into_result().expect("no errors");
        let mut names = Names(Vec::new(), false);
        file.body().walk(&mut names);
        assert_eq!(names.0, ["b", "in", "k", "v", "c", "out", "g", "in", "w", "h", "i", "out"]);
        assert!(names.1);
    }
}
