//! Random edits of parts of expressions, alone and together: each result must mean what was asked.
//!
//! Each request is written anew, with parentheses around every part, so that no rule of precedence matters. Both texts
//! must have the same tree, apart from parentheses. `HCL_EDITS` makes more edits, `HCL_SEED` other ones.

use std::collections::HashMap;
use std::fmt::Write as _;

use hcl_lr::construct::{NewExpression, NewFor, NewTemplate};
use hcl_lr::syntax::ast::{
    AccessStep, BinaryOperator, ExpressionKind, ExpressionNode, ObjectKey, TemplateNode, TemplatePart, UnaryOperator,
    Visitor, Walk,
};
use hcl_lr::{File, parse};
use hcl_lr_edit::{EditError, Editor, InsertionPoint, Item, NewItem};
use serde_json::{Value as Json, json};

use super::generate::Random;
use super::random::setting;
use super::script::check_untouched;
use crate::support::lines::ask_program;
use crate::support::needs;
use crate::support::protocol::ask;

/// An edit of an expression.
#[derive(Clone, Debug)]
enum Change<'t> {
    Set(&'static str),
    /// The text around it, with `@` in its place.
    Wrap(&'static str),
    Unwrap(ExpressionNode<'t>),
    /// A new argument or element: its position, and its text.
    Insert(usize, &'static str),
    /// The argument or element with an index is removed.
    Remove(usize),
}

const NEW: [&str; 16] = [
    "n",
    "7",
    "true",
    "null",
    "a.b[0].c",
    "x + y",
    "!z",
    "-1",
    "p ? q : r",
    "f(1, x...)",
    "[1, 2]",
    "{ k = 1 }",
    "\"s ${v} t\"",
    "m[*].id",
    "[for i in l : i if i]",
    "<<EOT\ntext ${v}\nEOT",
];

const AROUND: [&str; 14] = [
    "f(@)",
    "!@",
    "-@",
    "@ + 1",
    "2 * @",
    "@ == 1 && y",
    "@.name",
    "@[0]",
    "@[*].id",
    "c ? @ : d",
    "[@, 1]",
    "{ k = @ }",
    "\"t ${@}\"",
    "[for i in @ : i]",
];

const OPERATORS: [&str; 13] = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];

/// Writes random expressions. Line breaks are only written in brackets, where they mean nothing.
struct Generator<'r> {
    random: &'r mut Random,
}

impl Generator<'_> {
    fn blank(&mut self, bracketed: bool) -> String {
        match self.random.below(12) {
            0 => "  ".to_owned(),
            1 => " /* why */ ".to_owned(),
            2 if bracketed => "\n    ".to_owned(),
            3 if bracketed => " # why\n  ".to_owned(),
            _ => " ".to_owned(),
        }
    }

    fn expression(&mut self, depth: usize, bracketed: bool) -> String {
        let mut out = self.operand(depth);
        if depth == 0 {
            return out;
        }
        match self.random.below(8) {
            0..=2 => {
                for _ in 0..=self.random.below(3) {
                    let operator = self.random.pick(&OPERATORS);
                    out += &self.blank(bracketed);
                    out += operator;
                    out += &self.blank(bracketed);
                    out += &self.operand(depth - 1);
                }
            }
            3 => {
                let (value, other) = (self.expression(depth - 1, bracketed), self.expression(depth - 1, bracketed));
                out = format!("{out}{}?{} {value} : {other}", self.blank(bracketed), self.blank(bracketed));
            }
            _ => {}
        }
        out
    }

    fn operand(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("{}{}", self.random.pick(&["!", "-", "- "]), self.term(depth)),
            _ => self.term(depth),
        }
    }

    fn term(&mut self, depth: usize) -> String {
        let kind = self.random.below(if depth == 0 { 5 } else { 17 });
        let inner = |this: &mut Self| this.expression(depth - 1, true);
        let mut out = match kind {
            0 => return self.random.pick(&["1", "2.5", "true", "null", "\"text\"", "\"\""]).to_owned(),
            1 | 2 => self.random.pick(&["a", "b-c", "var.x", "each.value", "é"]).to_owned(),
            3 => return self.random.pick(&["a.b[0]", "a[\"k\"].c", "l.0.d"]).to_owned(),
            4 => "f()".to_owned(),
            5 | 6 => format!("({}{}{})", self.blank(true), inner(self), self.blank(true)),
            7 | 8 => {
                let (first, second) = (inner(self), inner(self));
                let end = self.random.pick(&["", "...", ",", ",\n  "]);
                format!("f({first},{}{second}{end})", self.blank(true))
            }
            9 => format!("g::h({})", inner(self)),
            10 => format!("[{},{}{}]", inner(self), self.blank(true), inner(self)),
            11 => {
                let value = self.expression(depth - 1, false);
                let key = self.expression(0, true);
                format!("{{ k = {value}, \"q r\" = 1, ({key}) = {} }}", self.expression(0, false))
            }
            12 => format!("[for k, v in {} : {} if {}]", inner(self), inner(self), inner(self)),
            13 => format!("{{for k, v in {}:{}=>{}...}}", inner(self), inner(self), inner(self)),
            14 => format!("\"x ${{{}}} y ${{~ {} ~}}\"", inner(self), inner(self)),
            15 => format!(
                "\"%{{ if {} }}a%{{ else }}${{{}}}%{{ endif }}%{{for e in {}}}-%{{endfor}}\"",
                inner(self),
                inner(self),
                inner(self)
            ),
            _ => return format!("(<<-EOT\n    a ${{{}}}\n      b\n  EOT\n)", inner(self).replace(" # why\n", " ")),
        };
        for _ in 0..self.random.below(3) {
            match self.random.below(5) {
                0 => out += ".name",
                1 if depth > 0 => {
                    let key = self.expression(depth - 1, true);
                    let _ = write!(out, "[{key}]");
                }
                2 => out += "[0]",
                3 => out += "[*].id",
                // No other step of these can follow.
                _ => return out + ".*.id",
            }
        }
        out
    }
}

/// Lists the expressions of a file that can be set.
#[derive(Default)]
struct Expressions<'t> {
    found: Vec<ExpressionNode<'t>>,
    steps: Vec<u32>,
}

fn number(node: ExpressionNode<'_>) -> u32 {
    node.id().get()
}

impl<'t> Visitor<'t> for Expressions<'t> {
    fn visit_expression(&mut self, node: ExpressionNode<'t>) -> Walk {
        if let ExpressionKind::Splat(splat) = node.kind() {
            let mut each = splat.each();
            loop {
                self.steps.push(number(each));
                each = match each.kind() {
                    ExpressionKind::RelativeTraversal(path) => path.source(),
                    ExpressionKind::Index(index) => index.collection(),
                    ExpressionKind::Splat(splat) => splat.source(),
                    _ => break,
                };
            }
        }
        if !self.steps.contains(&number(node)) {
            self.found.push(node);
        }
        Walk::Into
    }
}

/// The expressions that are requested, with parentheses around every part.
struct Requested<'a, 't> {
    changes: &'a HashMap<u32, Vec<Change<'t>>>,
}

impl<'t> Requested<'_, 't> {
    fn of(&self, node: ExpressionNode<'t>) -> String {
        let Some(changes) = self.changes.get(&number(node)) else { return self.kept(node, &[]) };
        let members: Vec<&Change<'t>> =
            changes.iter().filter(|change| matches!(change, Change::Insert(..) | Change::Remove(_))).collect();
        let mut text = self.kept(node, &members);
        for change in changes {
            match change {
                Change::Set(new) => text = (*new).to_owned(),
                Change::Unwrap(inner) => text = self.of(*inner),
                Change::Wrap(around) => {
                    text = around.replace('@', &self.closed(&text));
                }
                _ => {}
            }
        }
        text
    }

    fn closed(&self, text: &str) -> String {
        format!("({text}{})", if text.ends_with("EOT") { "\n" } else { "" })
    }

    fn part(&self, node: ExpressionNode<'t>) -> String {
        self.closed(&self.of(node))
    }

    fn free(&self, node: ExpressionNode<'t>) -> String {
        let text = self.of(node);
        if text.ends_with("EOT") { self.closed(&text) } else { text }
    }

    /// The source of an access; the steps of a splat have no parentheses.
    fn source(&self, node: ExpressionNode<'t>) -> String {
        let mut first = node;
        loop {
            first = match first.kind() {
                ExpressionKind::RelativeTraversal(path) => path.source(),
                ExpressionKind::Index(index) => index.collection(),
                ExpressionKind::Splat(splat) => splat.source(),
                ExpressionKind::SplatItem => return self.of(node),
                _ => return self.part(node),
            };
        }
    }

    fn list(&self, parts: impl Iterator<Item = ExpressionNode<'t>>, expands: bool, changes: &[&Change<'t>]) -> String {
        let mut texts: Vec<String> = parts.map(|part| self.part(part)).collect();
        if expands && let Some(last) = texts.last_mut() {
            last.push_str("...");
        }
        for change in changes {
            match change {
                Change::Insert(at, new) => texts.insert(*at, self.closed(new)),
                Change::Remove(at) => {
                    texts.remove(*at);
                }
                _ => {}
            }
        }
        texts.join(", ")
    }

    fn steps(&self, steps: impl Iterator<Item = AccessStep<'t>>) -> String {
        let step = |step: AccessStep<'t>| match step {
            AccessStep::Attribute(name) => format!(".{}", name.text()),
            AccessStep::LegacyIndex(number) => format!(".{}", number.text()),
            AccessStep::Index(key) => format!("[{}]", self.free(key)),
            _ => panic!("another step"),
        };
        steps.map(step).collect()
    }

    fn kept(&self, node: ExpressionNode<'t>, members: &[&Change<'t>]) -> String {
        match node.kind() {
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => node.text().to_owned(),
            ExpressionKind::SplatItem => String::new(),
            ExpressionKind::Template(template) => format!("\"{}\"", self.template(template)),
            ExpressionKind::Traversal(path) => format!("{}{}", path.root().text(), self.steps(path.steps())),
            ExpressionKind::RelativeTraversal(path) => {
                format!("{}{}", self.source(path.source()), self.steps(path.steps()))
            }
            ExpressionKind::Index(index) => format!("{}[{}]", self.source(index.collection()), self.free(index.key())),
            ExpressionKind::Splat(splat) => {
                let sign = if splat.is_full() { "[*]" } else { ".*" };
                format!("{}{sign}{}", self.source(splat.source()), self.of(splat.each()))
            }
            ExpressionKind::FunctionCall(call) => {
                format!("{}({})", call.name(), self.list(call.arguments(), call.expands_last(), members))
            }
            ExpressionKind::Tuple(tuple) => format!("[{}]", self.list(tuple.elements(), false, members)),
            ExpressionKind::Object(object) => {
                let entry = |entry: hcl_lr::syntax::ast::ObjectElement<'t>| {
                    let key = match entry.key() {
                        ObjectKey::Name(name) => name.text().to_owned(),
                        _ => self.part(entry.key_expression()),
                    };
                    format!("{key} = {}", self.part(entry.value()))
                };
                format!("{{ {} }}", object.elements().map(entry).collect::<Vec<_>>().join(", "))
            }
            ExpressionKind::For(each) => {
                let key = each.key_variable().map(|key| format!("{}, ", key.text())).unwrap_or_default();
                let head = format!("for {key}{} in {} :", each.value_variable().text(), self.part(each.collection()));
                let condition = each.condition().map(|part| format!(" if {}", self.part(part))).unwrap_or_default();
                let value = self.part(each.value());
                match each.key() {
                    Some(key) => {
                        let group = if each.groups() { "..." } else { "" };
                        format!("{{{head} {} => {value}{group}{condition}}}", self.part(key))
                    }
                    None => format!("[{head} {value}{condition}]"),
                }
            }
            ExpressionKind::Conditional(conditional) => format!(
                "{} ? {} : {}",
                self.part(conditional.predicate()),
                self.part(conditional.true_result()),
                self.part(conditional.false_result())
            ),
            ExpressionKind::Binary(operation) => format!(
                "{} {} {}",
                self.part(operation.left()),
                operation.operator().as_str(),
                self.part(operation.right())
            ),
            ExpressionKind::Unary(operation) => {
                format!("{}{}", operation.operator().as_str(), self.part(operation.operand()))
            }
            ExpressionKind::Parentheses(parentheses) => self.part(parentheses.inner()),
            _ => panic!("another expression: {}", node.text()),
        }
    }

    fn template(&self, template: TemplateNode<'t>) -> String {
        let part = |part: TemplatePart<'t>| match part {
            TemplatePart::Literal(text, _) => {
                text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r")
            }
            TemplatePart::Interpolation(part) => format!("${{{}}}", self.part(part)),
            TemplatePart::If(directive) => {
                let other = directive.false_part().map(|part| format!("%{{ else }}{}", self.template(part)));
                let (condition, part) = (self.part(directive.predicate()), self.template(directive.true_part()));
                format!("%{{ if {condition} }}{part}{}%{{ endif }}", other.unwrap_or_default())
            }
            TemplatePart::For(directive) => {
                let (collection, body) = (self.part(directive.collection()), self.template(directive.body()));
                format!("%{{ for {} in {collection} }}{body}%{{ endfor }}", directive.value_variable().text())
            }
            _ => panic!("another part"),
        };
        template.parts().map(part).collect()
    }
}

/// Removes parentheses from a tree, and joins the steps of accesses.
pub fn plain(tree: &Json) -> Json {
    match tree {
        Json::Array(list) => list.iter().map(plain).collect(),
        Json::Object(members) => {
            if let Some(inner) = members.get("paren") {
                return plain(inner);
            }
            let members: serde_json::Map<String, Json> =
                members.iter().map(|(name, value)| (name.clone(), plain(value))).collect();
            if let (Some(on), Some(Json::Array(steps))) = (members.get("on"), members.get("steps")) {
                for (name, base) in [("ref", on.get("ref")), ("steps", on.get("steps"))] {
                    if let Some(Json::Array(first)) = base {
                        let mut joined = on.clone();
                        joined[name] = first.iter().chain(steps).cloned().collect();
                        return joined;
                    }
                }
            }
            Json::Object(members)
        }
        other => other.clone(),
    }
}

/// An edited file, and the same edits as a text with all parentheses.
struct Pair {
    before: String,
    after: String,
    requested: String,
    described: String,
}

#[derive(Default, Debug)]
struct Tally {
    files: u64,
    sets: usize,
    wraps: usize,
    unwraps: usize,
    members: usize,
    together: usize,
    refused: usize,
}

/// Makes a random change of an expression.
fn change<'t>(random: &mut Random, node: ExpressionNode<'t>) -> Option<Change<'t>> {
    let count = match node.kind() {
        ExpressionKind::FunctionCall(call) if !call.expands_last() => call.arguments().len(),
        ExpressionKind::Tuple(tuple) => tuple.elements().len(),
        _ => 0,
    };
    if count > 0 && random.one_in(2) {
        return Some(match random.below(3) {
            0 => Change::Remove(random.below(count)),
            _ => Change::Insert(random.below(count + 1), random.pick(&NEW)),
        });
    }
    Some(match random.below(4) {
        0 | 1 => Change::Set(random.pick(&NEW)),
        2 => Change::Wrap(random.pick(&AROUND)),
        _ => {
            let mut inner = Expressions::default();
            node.walk(&mut inner);
            let span = node.span();
            let steps = &inner.steps;
            let within = inner.found.iter().filter(|part| part.span() != span && !steps.contains(&number(**part)));
            let within: Vec<_> = within.filter(|part| !matches!(part.kind(), ExpressionKind::SplatItem)).collect();
            if within.is_empty() {
                return None;
            }
            Change::Unwrap(*within[random.below(within.len())])
        }
    })
}

fn pair(random: &mut Random, number_of_file: u64, tally: &mut Tally) -> Vec<Pair> {
    let mut generator = Generator { random };
    let values: Vec<String> = (0..2).map(|_| generator.expression(3, false)).collect();
    let text = format!("a = {} # end\nlong_name = {}\n", values[0], values[1]);
    let text = if random.one_in(4) { text.replace('\n', "\r\n") } else { text };
    let (file, diagnostics) = parse::<File>(text.as_str()).into_parts();
    assert!(!diagnostics.has_errors(), "file {number_of_file}: {diagnostics:?}\n{text}");
    let mut all = Expressions::default();
    file.body().walk(&mut all);
    let all = all.found;
    let mut pairs = Vec::new();
    for _ in 0..6 {
        let mut editor = Editor::new(&file);
        let mut changes: HashMap<u32, Vec<Change<'_>>> = HashMap::new();
        let mut described = Vec::new();
        for _ in 0..=random.below(3) {
            let node = all[random.below(all.len())];
            let Some(change) = change(random, node) else { continue };
            let known = changes.entry(number(node)).or_default();
            // A later change of a node takes the place of an earlier one, except for `wrap`.
            if !known.is_empty() && !matches!(change, Change::Wrap(_)) {
                continue;
            }
            described.push(format!("{change:?} of {}", node.text()));
            match &change {
                Change::Set(new) => editor.set(node, NewExpression::parse(new).expect("an expression")),
                Change::Wrap(around) => editor.wrap(node, |inner| wrapped(around, inner)),
                Change::Unwrap(inner) => editor.unwrap(node, *inner),
                Change::Insert(at, new) => {
                    let item = NewItem::element(NewExpression::parse(new).expect("an expression"));
                    match members(node).get(*at) {
                        Some(member) => editor.insert(InsertionPoint::before(*member), item),
                        None => editor.insert(InsertionPoint::end_of(node), item),
                    }
                }
                Change::Remove(at) => editor.remove(Item::Element(members(node)[*at])),
            };
            known.push(change);
        }
        let edited = match editor.finish() {
            Ok(edited) => edited,
            Err(EditError::Within(_) | EditError::Conflict(_)) if described.len() > 1 => {
                tally.refused += 1;
                continue;
            }
            Err(error) => panic!("file {number_of_file}: {error:?}: {described:#?}\n{text}"),
        };
        check_untouched(&text, &edited);
        for change in changes.values().flatten() {
            *match change {
                Change::Set(_) => &mut tally.sets,
                Change::Wrap(_) => &mut tally.wraps,
                Change::Unwrap(_) => &mut tally.unwraps,
                Change::Insert(..) | Change::Remove(_) => &mut tally.members,
            } += 1;
        }
        tally.together += usize::from(described.len() > 1);
        let requested = Requested { changes: &changes };
        let line = |attribute: hcl_lr::syntax::ast::AttributeNode<'_>| {
            let value = file.body().attribute(attribute.name()).expect("it is there").expression();
            format!("{} = {}\n", attribute.name(), requested.part(value))
        };
        pairs.push(Pair {
            requested: file.body().attributes().map(line).collect(),
            before: text.clone(),
            after: edited.text().to_owned(),
            described: format!("file {number_of_file}: {described:#?}"),
        });
    }
    pairs
}

fn members(node: ExpressionNode<'_>) -> Vec<ExpressionNode<'_>> {
    match node.kind() {
        ExpressionKind::FunctionCall(call) => call.arguments().collect(),
        ExpressionKind::Tuple(tuple) => tuple.elements().collect(),
        _ => Vec::new(),
    }
}

/// Builds the expression around a part that [`AROUND`] has as text.
fn wrapped(around: &str, inner: NewExpression) -> NewExpression {
    let variable = NewExpression::variable;
    match around {
        "f(@)" => NewExpression::call("f", [inner]),
        "@ + 1" => NewExpression::operation(inner, BinaryOperator::Add, 1),
        "2 * @" => NewExpression::operation(2, BinaryOperator::Multiply, inner),
        "@ == 1 && y" => {
            let is_one = NewExpression::operation(inner, BinaryOperator::Equal, 1);
            NewExpression::operation(is_one, BinaryOperator::And, variable("y"))
        }
        "@.name" => inner.attribute("name"),
        "@[0]" => inner.index(0),
        "c ? @ : d" => NewExpression::conditional(variable("c"), inner, variable("d")),
        "[@, 1]" => NewExpression::list([inner, 1.into()]),
        "{ k = @ }" => NewExpression::object([("k", inner)]),
        "\"t ${@}\"" => NewTemplate::new().literal("t ").interpolation(inner).into(),
        "!@" => NewExpression::unary(UnaryOperator::Not, inner),
        "-@" => NewExpression::unary(UnaryOperator::Negate, inner),
        "@[*].id" => inner.splat().attribute("id"),
        "[for i in @ : i]" => NewFor::new("i", inner).list(variable("i")),
        other => panic!("{other} has no constructor"),
    }
}

fn question(text: &str) -> Json {
    json!({ "op": "config", "src": text })
}

fn compare(pair: &Pair, after: &Json, requested: &Json) {
    let what = || {
        let Pair { before, after, requested, described } = pair;
        format!("{described}\n--- before\n{before}\n--- after\n{after}\n--- requested\n{requested}")
    };
    for answer in [after, requested] {
        assert_eq!(answer["ok"], true, "{answer}\n{}", what());
    }
    let (found, wanted) = (plain(&after["ast"]), plain(&requested["ast"]));
    assert!(found == wanted, "the trees differ:\n{found}\n{wanted}\n{}", what());
}

fn pairs(count: u64) -> (Vec<Pair>, Tally) {
    let (wanted, seed) = (setting("HCL_EDITS", count) as usize, setting("HCL_SEED", 1));
    let (mut all, mut tally) = (Vec::new(), Tally::default());
    while all.len() < wanted {
        tally.files += 1;
        let mut random = Random::new(seed * 1_000_003 + tally.files);
        all.extend(pair(&mut random, tally.files, &mut tally));
    }
    (all, tally)
}

#[test]
fn random_edits_of_expressions_give_what_was_asked() {
    let (pairs, tally) = pairs(600);
    for pair in &pairs {
        compare(pair, &ask(&question(&pair.after)), &ask(&question(&pair.requested)));
    }
    println!("{} edits: {tally:?}", pairs.len());
    let least = pairs.len() / 50;
    let counts = [tally.sets, tally.wraps, tally.unwraps, tally.members, tally.together];
    assert!(counts.iter().all(|&count| count > least), "{tally:?}");
    assert!(tally.refused < pairs.len(), "{tally:?}");
}

#[test]
#[ignore = "needs engine"]
fn needs_engine_it_reads_edited_expressions_as_asked() {
    let (pairs, tally) = pairs(3_000);
    let questions: Vec<Json> =
        pairs.iter().flat_map(|pair| [question(&pair.after), question(&pair.requested)]).collect();
    let answers = ask_program(&needs::engine(), &questions);
    for (pair, answers) in pairs.iter().zip(answers.chunks(2)) {
        compare(pair, &answers[0], &answers[1]);
    }
    println!("{} edits: {tally:?}", pairs.len());
}

#[test]
fn parts_that_are_no_expressions_are_refused() {
    let file = parse::<File>("a = b[*].c\no = { k = v }\n").into_result().expect("no errors");
    let value = |name: &str| file.body().attribute(name).expect("it is there").expression();
    let ExpressionKind::Splat(splat) = value("a").kind() else { panic!("a splat") };
    let ExpressionKind::Object(object) = value("o").kind() else { panic!("an object") };
    let key = object.elements().next().expect("an entry").key_expression();
    let refused = |edit: &dyn for<'e, 'f> Fn(&'e mut Editor<'f>, ExpressionNode<'f>)| {
        let mut editor = Editor::new(&file);
        edit(&mut editor, splat.each());
        editor.finish().expect_err("it is refused").to_string()
    };
    let message = refused(&|editor, each| _ = editor.set(each, 1));
    assert!(message.starts_with("a part of an expression cannot"), "{message}");
    let message = refused(&|editor, each| _ = editor.wrap(each, |inner| inner));
    assert!(message.starts_with("a part of an expression cannot"), "{message}");

    let mut editor = Editor::new(&file);
    editor.wrap(key, |key| NewExpression::call("f", [key]));
    let message = editor.finish().expect_err("a name is no expression").to_string();
    assert_eq!(message, "a key that is a name is not an expression; set the key instead");

    for around in [NewExpression::variable("x"), NewExpression::list([1, 2])] {
        let mut editor = Editor::new(&file);
        editor.wrap(value("a"), |_| around);
        let message = editor.finish().expect_err("it is lost").to_string();
        assert_eq!(message, "the new expression must contain the wrapped one exactly once");
    }
}
