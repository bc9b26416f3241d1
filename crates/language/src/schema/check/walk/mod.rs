//! Walks bodies, and checks them by schemas.

mod cases;
mod dynamic;
mod either;
mod expressions;
mod json;
mod labels;
mod scope;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::judge::{Judge, Judgement, rule};
use super::shape::{Expr, Key, names_of};
use super::{Checker, HiddenSpans};
use crate::schema::facts::Facts;
use crate::schema::index::Layers;
use crate::schema::lookup::attribute_of;
use crate::schema::model::{Attribute, Block, Check, Deprecated, Form, Type};
use crate::schema::versions::Versions;
use hcl_lr::body::{self, ConfigFile, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::internal::Finding;
use hcl_lr::internal::NameSuggestions;
use hcl_lr::internal::{extra_label, missing_attribute, missing_label, unsupported_attribute, unsupported_block};
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::stack;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode};
use hcl_lr::syntax::{Traversal, TraversalStep};

/// The maximum number of findings to collect in a file.
const MAX_FINDINGS: usize = 10_000;

/// Checks a file.
pub(super) fn check(
    checker: &Checker,
    document: &ConfigFile,
    layers: Layers<'_>,
    is_override: bool,
    facts: &Facts,
) -> Diagnostics {
    let mut found = walk(checker, document, layers, facts, Aim::Findings { is_override }).found;
    found.sort();
    found
}

/// Finds the values that the schema calls sensitive or write-only.
pub(super) fn hidden(checker: &Checker, document: &ConfigFile, layers: Layers<'_>, facts: &Facts) -> HiddenSpans {
    walk(checker, document, layers, facts, Aim::Sensitive).hidden
}

fn walk<'c, 's>(
    checker: &'c Checker,
    document: &'s ConfigFile,
    layers: Layers<'c>,
    facts: &'c Facts,
    aim: Aim,
) -> Walk<'c, 's> {
    let scoped = match aim {
        Aim::Findings { .. } => {
            let names = checker.kinds.scoped();
            names.filter(|name| memchr::memmem::find(document.source().bytes(), name.as_bytes()).is_some()).collect()
        }
        Aim::Sensitive => Vec::new(),
    };
    let mut walk = Walk {
        checker,
        versions: checker.versions(facts),
        facts,
        source: document.source(),
        unchecked: facts.unchecked(document.source().name()),
        judge: Judge::new(checker, facts),
        scoped,
        found: Diagnostics::new(),
        hidden: HiddenSpans::default(),
        names: NameSuggestions::default(),
        labels: HashMap::new(),
        labels_read: HashMap::new(),
        right_labels: HashSet::new(),
        is_override: matches!(aim, Aim::Findings { is_override: true }),
        only_sensitive: matches!(aim, Aim::Sensitive),
    };
    match document {
        ConfigFile::Native(file) => walk.native(file.body(), layers, &Around::default(), false),
        ConfigFile::Json(_) => walk.json(&document.body(), layers, &Around::default(), false),
    }
    walk
}

/// The aim of a walk.
enum Aim {
    /// Collect all findings. A file that overrides others need not be complete.
    Findings { is_override: bool },
    /// Collect sensitive values. Judge only what leads to them.
    Sensitive,
}

struct Walk<'c, 's> {
    checker: &'c Checker,
    versions: &'c Versions,
    facts: &'c Facts,
    source: &'s Arc<Source>,
    /// The spans of the blocks that only count.
    unchecked: Option<&'c HashSet<Span>>,
    judge: Judge<'c>,
    /// The names in the file that are defined only in some blocks.
    scoped: Vec<&'c str>,
    found: Diagnostics,
    /// The values that the schema calls sensitive or write-only.
    hidden: HiddenSpans,
    names: NameSuggestions,
    /// The labels at paths in bodies, by the place of the body; `None` if some blocks are generated.
    labels: HashMap<(Span, String), Option<HashSet<String>>>,
    /// The names of the labels that conditions read which read nothing else, by the addresses of the conditions.
    labels_read: HashMap<usize, Option<Vec<String>>>,
    /// The texts of these labels for which the conditions hold.
    right_labels: HashSet<(usize, Vec<Option<String>>)>,
    /// True if the file overrides others, so that nothing is missing in it.
    is_override: bool,
    /// True to collect only sensitive values.
    only_sensitive: bool,
}

/// A body with its surroundings, for keys that are elsewhere.
#[derive(Clone, Copy, Default)]
struct Around<'a, 't, 'c> {
    body: Option<Content<'a, 't>>,
    /// The attributes and blocks that the body can have.
    layers: Option<&'a Layers<'c>>,
    labels: &'a [(Cow<'t, str>, Span)],
    /// The type of blocks that the body belongs to.
    block: Option<&'a Block>,
    /// The name of the current element in generated blocks, and an element of unknown values.
    iterator: Option<(&'a str, &'a Value)>,
    parent: Option<&'a Around<'a, 't, 'c>>,
}

/// The contents of a body.
#[derive(Clone, Copy)]
enum Content<'a, 't> {
    Native(BodyNode<'t>),
    Json(&'a body::Body),
    /// An object in place of a block.
    Object(&'a [(Key<'t>, Expr<'t>)]),
}

impl<'t> Content<'_, 't> {
    fn find(&self, name: &str) -> Option<Expr<'t>> {
        match self {
            Content::Native(body) => body.attribute(name).map(|attribute| Expr::Node(attribute.expression())),
            Content::Json(body) => attribute_of(body, name).map(Expr::Handle),
            Content::Object(entries) => {
                let entry = entries.iter().find(|(key, _)| key.name.as_deref() == Some(name));
                entry.map(|(_, value)| value.clone())
            }
        }
    }

    /// Returns true if there is an attribute or block of a name.
    fn has(&self, name: &str) -> bool {
        match self {
            Content::Native(body) => body.attribute(name).is_some() || body.blocks_of_type(name).next().is_some(),
            _ => self.find(name).is_some(),
        }
    }
}

/// The number of blocks of a type in a body.
#[derive(Default)]
struct Counted {
    count: u32,
    labels: HashSet<Vec<String>>,
}

/// Contents of a body that are not written as such.
#[derive(Default)]
struct Unwritten {
    /// True if a part of the body could not be parsed.
    broken: bool,
    /// The types of blocks that are generated.
    generated: HashSet<String>,
}

/// The numbers of blocks in a body, by the addresses of their types in the schema.
type Counts = HashMap<*const Block, Counted>;

impl<'c> Walk<'c, '_> {
    fn push(&mut self, finding: Finding, schema: Option<(&Place, &'static str)>) {
        if self.found.len() >= MAX_FINDINGS {
            return;
        }
        let finding = match finding.code() {
            Code::UnsupportedArgument | Code::UnsupportedBlock if self.checker.schema().ignores_unknown => {
                finding.into_warning()
            }
            _ => finding,
        };
        let mut diagnostic: Diagnostic = finding.in_source(self.source);
        if let Some((place, message)) = schema
            && !place.source().name().is_empty()
        {
            diagnostic = diagnostic.with_label(place.clone(), message);
        }
        self.found.push(diagnostic);
    }

    /// Checks a body in native syntax.
    fn native<'t>(&mut self, body: BodyNode<'t>, layers: Layers<'c>, around: &Around<'_, 't, 'c>, dynamic: bool) {
        if self.only_sensitive && !layers.may_hide(self.checker.catalog.is_some()) {
            return;
        }
        let around = Around { body: Some(Content::Native(body)), ..*around };
        let dynamic = layers.dynamic().unwrap_or(dynamic);
        let layers = self.with_cases(layers, &around);
        let around = Around { layers: Some(&layers), ..around };
        let mut required: Vec<*const Attribute> = Vec::new();
        let mut counted: Counts = Counts::new();
        let mut unwritten = Unwritten::default();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let (name, span) = (attribute.name(), attribute.name_token().span());
                    let expression = attribute.expression();
                    let known = layers.attribute(name);
                    self.names_in(known.map(|known| &known.ty), &Expr::Node(expression), &around);
                    match known {
                        Some(known) => {
                            if known.required {
                                required.push(Arc::as_ptr(known));
                            }
                            self.attribute(known, name, span, &Expr::Node(expression), &around);
                        }
                        None => self.other_attribute(attribute, &layers, &around, &mut counted),
                    }
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    match layers.block(name) {
                        Some((known, inner)) => {
                            self.block(block, known, inner, &around, dynamic, &mut counted);
                        }
                        None if name == "dynamic" && dynamic => {
                            self.dynamic(block, &layers, &around, (&mut counted, &mut unwritten));
                        }
                        None => match layers.free_block() {
                            Some((known, inner)) => self.block(block, known, inner, &around, dynamic, &mut counted),
                            None if layers.is_open() && dynamic => self.unlisted(block, &around),
                            None if layers.is_open() => {}
                            None => self.unsupported_block(block, &layers),
                        },
                    }
                }
                _ => unwritten.broken = true,
            }
        }
        if self.only_sensitive {
            return;
        }
        let place = body::Body::from(body).missing_item_place().span();
        self.missing(&layers, &required, &counted, &unwritten, place, &around);
    }

    /// Checks an attribute by its own entry in the schema, or by the one for any name.
    fn attribute<'t>(
        &mut self,
        known: &Attribute,
        name: &str,
        span: Span,
        expression: &Expr<'t>,
        around: &Around<'_, 't, 'c>,
    ) {
        if known.is_hidden() || self.only_sensitive && self.has_sensitive_part(&known.ty, expression) {
            self.hidden.sensitive.push(expression.span());
        }
        if known.write_only {
            self.hidden.write_only.push(expression.span());
        }
        if self.only_sensitive {
            return;
        }
        self.version(known.since.as_deref(), known.until.as_deref(), name, span, &known.place);
        if let Some(deprecated) = &known.deprecated {
            self.deprecated(deprecated, name, span);
        }
        if known.read_only && self.judge.is_set(expression) {
            let detail = format!("\"{name}\" cannot be set here");
            let finding = Finding::error(Code::ReadOnlyArgument, span, detail).with_help("remove it");
            self.push(finding, Some((&known.place, "only the program sets it")));
            return;
        }
        let typed = match self.checker.index().resolve(&known.ty) {
            Type::TypedBy(other) => self.judge.typed_by(around.body.and_then(|body| body.find(other))),
            _ => None,
        };
        let mut judgement = self.judge.judge(typed.as_ref().unwrap_or(&known.ty), expression);
        if known.exact && !matches!(judgement, Judgement::Wrong(_)) && self.judge.is_inexact(&known.ty, expression) {
            judgement = self.judge.inexact(&known.ty, expression);
        }
        if let Judgement::Wrong(problems) = judgement.concealed_if(known.is_hidden()) {
            for problem in problems {
                self.push(problem.finding(), Some((&known.place, "expected by this")));
            }
        } else if !known.checks.is_empty() {
            self.checks(&known.checks, Some(&known.ty), &expression.handle(), expression.span());
        }
        self.met_parts();
        self.expression(known, expression);
        if !known.label_of.is_empty() {
            self.label_of(known, expression, around);
        }
    }

    /// Returns true if a value certainly or possibly has a sensitive part.
    fn has_sensitive_part(&self, ty: &Type, expression: &Expr<'_>) -> bool {
        self.checker.index().may_hide(ty)
            && (matches!(self.judge.judge(ty, expression), Judgement::Unknown)
                || self.judge.take_met().iter().any(|part| part.sensitive))
    }

    /// Checks the settings of the object parts that have just been judged. Returns true if one is sensitive.
    fn met_parts(&mut self) -> bool {
        let met = self.judge.take_met();
        let is_sensitive = met.iter().any(|part| part.sensitive);
        if self.only_sensitive {
            return is_sensitive;
        }
        for part in met {
            self.version(part.since.as_deref(), part.until.as_deref(), &part.name, part.span, &part.place);
            if let Some(deprecated) = &part.deprecated {
                self.deprecated(deprecated, &part.name, part.span);
            }
            if let Some((checks, value)) = &part.checks {
                self.checks(checks, None, value, value.place().span());
            }
        }
        is_sensitive
    }

    /// Checks conditions on a value. Unknown conditions count as true.
    fn checks(&mut self, checks: &[Check], ty: Option<&Type>, value: &Expression, span: Span) {
        let value = self.value_of(ty, value);
        self.conditions(checks, [("value", value)], span);
    }

    /// Returns the value of an expression, as far as it is known without any names; the text if it is not evaluated.
    fn value_of(&self, ty: Option<&Type>, expression: &Expression) -> Value {
        let index = self.checker.index();
        match ty.filter(|ty| index.is_unevaluated(ty)) {
            Some(ty) => names_of(index.resolve(ty), expression),
            None => {
                let scope = Scope::new().with_functions(self.checker.functions().clone());
                expression.evaluate_partially(&scope).into_value()
            }
        }
    }

    fn conditions<const N: usize>(&mut self, checks: &[Check], variables: [(&str, Value); N], span: Span) {
        for check in self.checker.failing(checks, variables) {
            let finding = Finding::error(Code::InvalidValue, span, check.message.clone());
            self.push(finding, Some((&check.place, "the condition")));
        }
    }

    /// Checks an attribute that the schema does not list.
    fn other_attribute<'t>(
        &mut self,
        attribute: AttributeNode<'t>,
        layers: &Layers<'c>,
        around: &Around<'_, 't, 'c>,
        counted: &mut Counts,
    ) {
        let (name, span) = (attribute.name(), attribute.name_token().span());
        let block = layers.block(name);
        if let Some((known, inner)) = &block
            && known.form == Form::Either
        {
            self.either(known, inner, &Expr::Node(attribute.expression()), around, counted);
            return;
        }
        match layers.free_attribute() {
            Some(known) if block.is_none() => {
                self.attribute(known, name, span, &Expr::Node(attribute.expression()), around);
            }
            None if block.is_none() && layers.is_open() => {}
            _ => {
                let names = layers.attributes().map(|attribute| attribute.name.as_str());
                let finding = unsupported_attribute(&attribute, block.is_some(), names, &mut self.names);
                let schema = match &block {
                    Some((known, _)) => Some((&known.place, "blocks of this type")),
                    None => layers.place().map(|place| (place, "expected by this")),
                };
                self.push(finding, schema);
            }
        }
    }

    fn unsupported_block(&mut self, block: BlockNode<'_>, layers: &Layers<'c>) {
        let known = layers.attribute(block.block_type());
        let names = layers.blocks().map(|block| block.name.as_str());
        let finding = unsupported_block(&block, known.is_some(), names, &mut self.names);
        let schema = match known {
            Some(known) => Some((&known.place, "an argument")),
            None => layers.place().map(|place| (place, "expected by this")),
        };
        self.push(finding, schema);
    }

    /// Checks a block.
    fn block<'t>(
        &mut self,
        block: BlockNode<'t>,
        known: &'c Arc<Block>,
        inner: Layers<'c>,
        around: &Around<'_, 't, 'c>,
        dynamic: bool,
        counted: &mut Counts,
    ) {
        if self.only_sensitive && block.body().items().next().is_none() {
            return;
        }
        let labels: Vec<(Cow<'t, str>, Span)> = block.labels().map(|label| (label.text(), label.span())).collect();
        if self.unchecked.is_some_and(|unchecked| unchecked.contains(&block.span())) {
            self.count(known, block.block_type(), block.type_token().span(), &labels, counted);
            return;
        }
        let missing = || block.body().open_brace_span().unwrap_or_else(|| block.span());
        let span = block.type_token().span();
        self.header(known, block.block_type(), span, &labels, missing, (around, counted));
        let around = Around { labels: &labels, block: Some(known), parent: Some(around), ..Around::default() };
        stack::with_room(|| self.native(block.body(), inner, &around, dynamic));
    }

    /// Checks the type, labels and number of blocks.
    fn header(
        &mut self,
        known: &'c Arc<Block>,
        name: &str,
        span: Span,
        labels: &[(Cow<'_, str>, Span)],
        missing: impl Fn() -> Span,
        (around, counted): (&Around<'_, '_, 'c>, &mut Counts),
    ) {
        self.block_type(known, name, span);
        self.labels(known, name, labels, missing);
        if known.once {
            self.once(known, name, span, around);
        }
        self.count(known, name, span, labels, counted);
    }

    /// Counts a block, and reports what is wrong with the number of them.
    fn count(
        &mut self,
        known: &'c Arc<Block>,
        name: &str,
        span: Span,
        labels: &[(Cow<'_, str>, Span)],
        counted: &mut Counts,
    ) {
        if known.min == 0 && known.max.is_none() && !known.unique {
            return;
        }
        let count = counted.entry(Arc::as_ptr(known)).or_default();
        count.count += 1;
        let is_new = !known.unique || count.labels.insert(labels.iter().map(|(text, _)| text.to_string()).collect());
        if known.max.is_some_and(|max| count.count == max.saturating_add(1)) {
            self.too_many_blocks(known, name, span);
        }
        if !is_new {
            let which: Vec<String> = labels.iter().map(|(text, _)| format!("\"{text}\"")).collect();
            let detail = format!("there is a block `{name} {}` already", which.join(" "));
            let finding = Finding::error(Code::DuplicateBlock, span, detail);
            self.push(finding, Some((&known.place, "no two of these blocks have the same labels")));
        }
    }

    /// Checks the type of a block.
    fn block_type(&mut self, known: &Block, name: &str, span: Span) {
        self.version(known.since.as_deref(), known.until.as_deref(), name, span, &known.place);
        if let Some(deprecated) = &known.deprecated {
            self.deprecated(deprecated, name, span);
        }
    }

    fn too_many_blocks(&mut self, known: &Block, name: &str, span: Span) {
        let detail = match known.max.unwrap_or_default() {
            0 => format!("blocks of type \"{name}\" are not allowed here"),
            1 => format!("only one block of type \"{name}\" is allowed here"),
            most => format!("only {most} blocks of type \"{name}\" are allowed here"),
        };
        let finding = Finding::error(Code::TooManyBlocks, span, detail);
        self.push(finding, Some((&known.place, "blocks of this type")));
    }

    fn labels(&mut self, known: &Block, name: &str, labels: &[(Cow<'_, str>, Span)], missing: impl Fn() -> Span) {
        let repeated = known.labels.last().filter(|label| label.repeated);
        let names = || known.labels.iter().map(|label| label.name.as_str()).collect::<Vec<_>>();
        for (at, (text, span)) in labels.iter().enumerate() {
            let Some(label) = known.labels.get(at).or(repeated) else {
                self.push(extra_label(*span, name, &names()), Some((&known.place, "blocks of this type")));
                return;
            };
            if let Judgement::Wrong(problems) = self.judge.text(&label.ty, text, *span) {
                for problem in problems {
                    self.push(problem.finding(), Some((&label.place, "the label")));
                }
            }
        }
        if let Some(label) = known.labels.get(labels.len()).filter(|label| !label.optional) {
            let finding = missing_label(missing(), name, &names(), &label.name);
            self.push(finding, Some((&label.place, "the label")));
        }
    }

    /// Reports missing items and broken rules.
    fn missing(
        &mut self,
        layers: &Layers<'c>,
        required: &[*const Attribute],
        counted: &Counts,
        unwritten: &Unwritten,
        place: Span,
        around: &Around<'_, '_, 'c>,
    ) {
        if self.is_override {
            return;
        }
        let Unwritten { broken, generated } = unwritten;
        for node in layers.nodes() {
            for attribute in &node.required {
                // Blocks of the same name may take its place.
                let as_blocks = || {
                    let name = &attribute.name;
                    layers.block(name).is_some()
                        && (around.body.is_some_and(|body| body.has(name)) || generated.contains(name))
                };
                if !required.contains(&Arc::as_ptr(attribute)) && !broken && !as_blocks() {
                    let finding = missing_attribute(&attribute.name, place);
                    self.push(finding, Some((&attribute.place, "the argument")));
                }
            }
            for block in node.required_blocks.iter().filter(|_| !broken) {
                let count = counted.get(&Arc::as_ptr(block)).map_or(0, |counted| counted.count);
                if count < block.min {
                    let name = &block.name;
                    let detail = match block.min {
                        1 => format!("a block of type \"{name}\" is required here"),
                        min => format!("{min} blocks of type \"{name}\" are required here"),
                    };
                    let finding = Finding::error(Code::MissingBlock, place, detail);
                    self.push(finding, Some((&block.place, "blocks of this type")));
                }
            }
            for body_rule in &node.rules {
                let has = |name: &&String| around.body.is_some_and(|body| body.has(name));
                let there = body_rule.names.iter().filter(has).count();
                // The number of generated blocks may be unknown.
                let is_open = *broken || body_rule.names.iter().any(|name| generated.contains(name));
                if let Some(detail) = rule(body_rule.kind, &body_rule.names, there).filter(|_| !is_open) {
                    let finding = Finding::error(Code::ConflictingArguments, place, detail);
                    self.push(finding, Some((&body_rule.place, "the rule")));
                }
            }
            self.body_conditions(&node.checks, layers, place, around);
        }
    }

    /// Checks conditions on a body and the labels of its block. Conditions on labels alone are evaluated once for the
    /// same labels.
    fn body_conditions(&mut self, checks: &'c [Check], layers: &Layers<'c>, place: Span, around: &Around<'_, '_, 'c>) {
        let mut values = None;
        for check in checks {
            let address = std::ptr::from_ref(check).addr();
            let names = self.labels_read.entry(address).or_insert_with(|| labels_read_by(check));
            let key = names.as_ref().map(|names| {
                let labels = names.iter().map(|name| label_text(around, name).map(str::to_owned));
                (address, labels.collect::<Vec<_>>())
            });
            if key.as_ref().is_some_and(|key| self.right_labels.contains(key)) {
                continue;
            }
            let before = self.found.len();
            let (body, labels) = match &key {
                Some(_) => (Value::UNKNOWN, labels_value(around)),
                None => values.get_or_insert_with(|| (self.body_value(layers, around), labels_value(around))).clone(),
            };
            self.conditions(std::slice::from_ref(check), [("body", body), ("labels", labels)], place);
            if self.found.len() == before {
                self.right_labels.extend(key);
            }
        }
    }

    /// Returns the attributes of a body as an object. Listed attributes that are not set have their default, or are
    /// null.
    fn body_value(&self, layers: &Layers<'c>, around: &Around<'_, '_, 'c>) -> Value {
        let mut entries: Vec<(String, Value)> = Vec::new();
        for attribute in layers.attributes() {
            let expression = around.body.and_then(|body| body.find(&attribute.name));
            let value = match expression {
                Some(expression) => self.value_of(Some(&attribute.ty), &expression.handle()),
                None => attribute.default.clone().unwrap_or_else(|| Value::null(hcl_lr::model::Type::Dynamic)),
            };
            entries.push((attribute.name.clone(), value));
        }
        Value::object(entries)
    }

    fn version(&mut self, since: Option<&str>, until: Option<&str>, name: &str, span: Span, place: &Place) {
        let schema = self.checker.schema();
        let title = schema.title();
        let (detail, change) = match (since, until) {
            (Some(since), _) if self.versions.are_before(since) => {
                (format!("\"{name}\" exists since {title} {since}"), "later")
            }
            (_, Some(until)) if self.versions.are_from(until) => {
                (format!("\"{name}\" does not exist since {title} {until}"), "earlier")
            }
            _ => return,
        };
        let mut finding = Finding::error(Code::WrongVersion, span, detail);
        if let Some(path) = schema.version.as_ref().filter(|_| !self.checker.has_version()) {
            finding = finding.with_help(format!("allow {change} versions in `{path}`, or remove this"));
        }
        self.push(finding, Some((place, "its versions")));
    }

    fn deprecated(&mut self, deprecated: &Deprecated, name: &str, span: Span) {
        if deprecated.since.as_ref().is_some_and(|since| self.versions.are_before(since)) {
            return;
        }
        let detail = format!("\"{name}\" is deprecated");
        let mut finding = Finding::warning(Code::Deprecated, span, detail);
        match (&deprecated.replacement, &deprecated.message) {
            (Some(other), message) => {
                let help = message.clone().unwrap_or_else(|| format!("write \"{other}\" instead"));
                finding = finding.with_help(help).with_renaming(span, name, other);
            }
            (None, Some(message)) => finding = finding.with_help(message.clone()),
            (None, None) => {}
        }
        self.push(finding, Some((&deprecated.place, "deprecated here")));
    }
}

/// Returns the labels of the block of a body as an object.
/// Returns the names of the labels that a condition reads, if it reads nothing else.
fn labels_read_by(check: &Check) -> Option<Vec<String>> {
    let variables = check.condition.variables();
    let label = |variable: &Traversal| match (variable.root(), variable.steps().first()) {
        ("labels", Some(TraversalStep::Attribute(name))) => Some(name.text().to_owned()),
        _ => None,
    };
    variables.iter().map(label).collect()
}

/// Returns the text of the label of a block by the name of the label.
fn label_text<'a>(around: &'a Around<'_, '_, '_>, name: &str) -> Option<&'a str> {
    let at = around.block?.labels.iter().position(|label| label.name == name)?;
    around.labels.get(at).map(|(text, _)| text.as_ref())
}

fn labels_value(around: &Around<'_, '_, '_>) -> Value {
    let names = around.block.into_iter().flat_map(|block| &block.labels).enumerate();
    Value::object(names.filter_map(|(at, label)| {
        let value = match around.labels.get(at) {
            Some((text, _)) => Value::from(text.as_ref()),
            None if label.optional => return None,
            None => Value::UNKNOWN,
        };
        Some((label.name.clone(), value))
    }))
}
