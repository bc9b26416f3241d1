//! Errors in expressions that no definition evaluates: in blocks that define nothing, in nested blocks, and in parts of
//! expressions that depend on unknown values.
//!
//! Each expression is evaluated with the names that it sees. In `for_each = var.zones`, the elements of the blocks are
//! unknown, and so are the names that a `dynamic` block gives to the blocks in it. The evaluation does not look into the
//! body of a loop over an unknown collection, nor into the results of a conditional with an unknown condition. Names are
//! looked up there as well: a name that nothing defines is an error for all values. The exceptions are arguments of `try`
//! and `can`, which may fail.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::evaluated::Evaluated;
use super::ids::{DefinitionId, ModuleId};
use super::inputs::Inputs;
use super::json_parts::{JsonParts, members_of};
use super::other_references::Around;
use super::program::resolve::Site;
use super::program::{NodeKind, Program};
use super::role::{Kind, Role};
use super::roles::later;
use super::state::unknown;
use super::walk::SourceId;
use hcl_lr::body::{ConfigFile, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::{Function, Functions};
use hcl_lr::internal::calls_in;
use hcl_lr::json::{self, NodeKind as JsonKind};
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::ast::{BlockNode, BodyItem, ExpressionKind, ExpressionNode, TraversalNode, Visitor, Walk};
use hcl_lr::syntax::{Traversal, is_identifier};

impl Evaluated {
    /// Returns the errors in what the definitions do not evaluate of the application's files, without those that are
    /// known.
    pub(super) fn elsewhere(&self, inputs: &Inputs, known: &Diagnostics) -> Diagnostics {
        let program = &*self.state().program;
        let mut elsewhere = Elsewhere::new(self, inputs);
        let known: HashSet<(SourceId, Span, Code)> = known.iter().map(kind_of).collect();
        for document in &program[ModuleId::ROOT].documents {
            match document {
                ConfigFile::Native(file) => {
                    for item in file.body().items() {
                        match item {
                            BodyItem::Attribute(attribute) if program.roles().is_unevaluated("", attribute.name()) => {}
                            BodyItem::Attribute(attribute) => {
                                elsewhere.expression(attribute.expression(), elsewhere.top, None);
                            }
                            BodyItem::Block(block) => elsewhere.block(block),
                            _ => {}
                        }
                    }
                }
                ConfigFile::Json(document) => {
                    let parts = JsonParts::of(document, program.roles());
                    for member in members_of(document) {
                        let expression = Expression::from((document, member.value()));
                        match program.roles().of_block(&member.name()) {
                            None if !program.roles().may_have_block(&member.name()) => {}
                            None => {
                                elsewhere.undefined_in_json(&expression, &parts);
                                elsewhere.evaluate(&expression, elsewhere.top, None);
                            }
                            // The strings in inputs are no templates.
                            Some(role) if role.is_input() => {}
                            Some(role) => {
                                elsewhere.undefined_in_json(&expression, &parts);
                                elsewhere.ignored_in_json(document, member.value(), role);
                                elsewhere.calls(&expression, &parts, &known);
                            }
                        }
                    }
                }
            }
        }
        elsewhere.messages_in_json();
        elsewhere.addresses();
        elsewhere.found
    }
}

struct Elsewhere<'p> {
    evaluated: &'p Evaluated,
    program: &'p Program,
    inputs: &'p Inputs,
    /// The place of what is in no block with a definition.
    top: Site,
    /// The expressions that definitions evaluate.
    done: HashSet<(SourceId, Span)>,
    /// The definitions of the application by the places of their names.
    places: HashMap<(SourceId, Span), DefinitionId>,
    /// The first names of all addresses, if a name that nothing defines is an error everywhere.
    roots: Option<HashSet<&'p str>>,
    found: Diagnostics,
}

impl<'p> Elsewhere<'p> {
    fn new(evaluated: &'p Evaluated, inputs: &'p Inputs) -> Self {
        let program = &*evaluated.state().program;
        let (mut done, mut places) = (HashSet::new(), HashMap::new());
        let key = |place: &Place| (SourceId::of(place.source()), place.span());
        for node in program.tables().nodes.iter().filter(|node| node.module == ModuleId::ROOT) {
            match &node.kind {
                NodeKind::Expression { expression, .. } | NodeKind::Repeat { expression, .. } => {
                    done.insert(key(&expression.place()));
                }
                // The message is evaluated if the condition does not hold.
                NodeKind::Check(check) => drop(done.insert(key(&check.condition.place()))),
                _ => {}
            }
        }
        for (number, entry) in program.tables().definitions.pairs().filter(|(_, entry)| entry.module == ModuleId::ROOT)
        {
            for name in std::iter::once(&entry.name_place).chain(&entry.also) {
                places.entry(key(name)).or_insert(number);
            }
        }
        let root = &program[ModuleId::ROOT];
        let roles = program.roles();
        let is_strict = roles.checks_blocks() && !roles.undefined_is_text();
        let roots = is_strict.then(|| {
            let given = roles.later().iter().filter_map(|name| name.split('.').next());
            given.chain(root.names.roots()).chain(root.variables.keys().map(String::as_str)).collect()
        });
        let top = Site { module: ModuleId::ROOT, frame: root.frame, block: None };
        Elsewhere { evaluated, program, inputs, top, done, places, roots, found: Diagnostics::new() }
    }

    /// Looks at a block of a file, and at all that is in it.
    fn block(&mut self, block: BlockNode<'p>) {
        let role = self.program.roles().of_block(block.block_type());
        // The parameters of a function are names that only its result sees.
        let is_function = role.is_some_and(|role| matches!(role.kind, Kind::Function));
        if is_function || !self.program.roles().may_have_block(block.block_type()) {
            return;
        }
        let source = SourceId::of(block.body().shared_source());
        let name = block.labels().last().map_or(block.type_token().span(), |label| label.span());
        let within = role.and_then(|_| self.places.get(&(source, name)).copied());
        let frame = within.and_then(|number| self.program[number].repeated);
        let site = Site { frame: frame.unwrap_or(self.top.frame), block: within, ..self.top };
        let top = Around::top(block, self.program.roles());
        let mut waiting: Vec<_> = block.body().items().map(|item| (top.clone(), item)).collect();
        while let Some((around, item)) = waiting.pop() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let name = attribute.name();
                    // Types and addresses are not evaluated.
                    let roles = self.program.roles();
                    let is_apart =
                        roles.has_addresses(around.block_type, name) || roles.is_unevaluated(around.block_type, name);
                    if !is_apart {
                        self.expression(attribute.expression(), site, Some(&around));
                    }
                }
                BodyItem::Block(inner) => {
                    waiting.extend(Around::items(inner, &around));
                }
                _ => {}
            }
        }
    }

    /// Looks at an expression in native syntax.
    fn expression(&mut self, node: ExpressionNode<'p>, site: Site, around: Option<&Rc<Around<'p>>>) {
        if matches!(node.kind(), ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null) {
            return;
        }
        self.undefined(node, site, around);
        if !self.done.contains(&(SourceId::of(node.shared_source()), node.span())) {
            self.evaluate(&node.into(), site, around);
        }
    }

    /// Reports names that nothing defines, wherever they are in an expression.
    fn undefined(&mut self, node: ExpressionNode<'p>, site: Site, around: Option<&Rc<Around<'p>>>) {
        let is_around =
            |path: TraversalNode<'_>| around.is_some_and(|it| it.names(path.root().text()) || it.defines(path));
        let unknown = self.not_defined(node.variables(), site, is_around);
        if unknown.is_empty() {
            return;
        }
        let mut guarded = Guarded::default();
        node.walk(&mut guarded);
        self.report_undefined(unknown, &guarded);
    }

    /// The same for the templates in an expression in JSON. A block there may define names that only it sees.
    fn undefined_in_json(&mut self, expression: &Expression, parts: &JsonParts) {
        if self.roots.is_none() {
            return;
        }
        for file in expression.templates() {
            let template = file.template();
            let unknown =
                self.not_defined(template.variables(), self.top, |path| parts.may_be_undefined(&Traversal::from(path)));
            if !unknown.is_empty() {
                let mut guarded = Guarded::default();
                template.walk(&mut guarded);
                self.report_undefined(unknown, &guarded);
            }
        }
    }

    /// Evaluates the messages of conditions in JSON, which are evaluated otherwise only if the condition does not hold.
    fn messages_in_json(&mut self) {
        let program = self.program;
        for node in program.tables().nodes.iter().filter(|node| node.module == ModuleId::ROOT) {
            if let NodeKind::Check(check) = &node.kind
                && let Some(message) = check.message.as_ref().filter(|message| message.native_form().is_none())
            {
                let site = Site { module: node.module, frame: node.frame, block: node.block };
                self.evaluate(message, site, None);
            }
        }
    }

    /// Reports strings with addresses whose first names nothing defines.
    fn addresses(&mut self) {
        let Some(roots) = self.roots.clone() else { return };
        for named in self.program.named() {
            let must_exist = named.names.is_address() && !named.names.optional;
            let is_lost = named.module == ModuleId::ROOT && named.target.is_none() && must_exist;
            let mut steps = named.name.split('.');
            let (Some(root), Some(_)) = (steps.next(), steps.next()) else { continue };
            let is_known = roots.contains(root) || self.evaluated.state().scope.variable(root).is_some();
            if !is_lost || is_known || !named.name.split('.').all(is_identifier) {
                continue;
            }
            let detail = format!("there is no variable named \"{root}\"");
            let place = &named.place;
            let place = match place.text().trim_start_matches('"').starts_with(root) {
                true => {
                    let quote = usize::from(place.text().starts_with('"'));
                    let start = place.span().start() + quote;
                    Place::new(place.source(), Span::new(start, start + root.len()))
                }
                false => place.clone(),
            };
            let error = Diagnostic::error(Code::UnknownVariable, &place, detail);
            self.found.push(self.evaluated.state().with_advice(error, ModuleId::ROOT));
        }
    }

    /// Returns the first names of references that lead nowhere: their spans in the expression, and their places.
    fn not_defined<'t>(
        &self,
        paths: Vec<TraversalNode<'t>>,
        site: Site,
        is_around: impl Fn(TraversalNode<'t>) -> bool,
    ) -> Vec<(Span, Place)> {
        let Some(roots) = &self.roots else { return Vec::new() };
        let scope = &self.evaluated.state().scope;
        let leads_nowhere = |path: &TraversalNode<'t>| {
            let root = path.root().text();
            !roots.contains(root)
                && scope.variable(root).is_none()
                && !is_around(*path)
                && self.program.resolve_known(&Traversal::from(*path), site).is_none()
        };
        let unknown = paths.into_iter().filter(leads_nowhere);
        let place = |path: TraversalNode<'t>| {
            let span = path.root().span();
            (span, Traversal::from(path).place_of(span))
        };
        unknown.map(place).collect()
    }

    fn report_undefined(&mut self, names: Vec<(Span, Place)>, guarded: &Guarded) {
        for (_, place) in names.into_iter().filter(|(span, _)| !guarded.contains(*span)) {
            let detail = format!("there is no variable named \"{}\"", place.text());
            let error = Diagnostic::error(Code::UnknownVariable, &place, detail);
            self.found.push(self.evaluated.state().with_advice(error, ModuleId::ROOT));
        }
    }

    /// Evaluates the properties of blocks in JSON that are not part of the value of the block, such as provisioners.
    fn ignored_in_json(&mut self, document: &json::Document, blocks: json::Node<'_>, role: &Role) {
        // A block that is only known later has no value.
        let is_later = matches!(role.kind, Kind::Later);
        let is_asked = is_later || !role.options.ignore.is_empty();
        let Some(block_type) = role.block_type().filter(|_| is_asked) else { return };
        // As deep as blocks have labels.
        let mut waiting = vec![(blocks, 0, None)];
        while let Some((node, depth, label)) = waiting.pop() {
            match node.kind() {
                JsonKind::Array(array) => waiting.extend(array.elements().map(|node| (node, depth, label))),
                JsonKind::Object(object) if depth < role.labels.len() => {
                    let members =
                        object.properties().map(|member| (member.value(), depth + 1, Some(member.name_node())));
                    waiting.extend(members);
                }
                JsonKind::Object(object) => {
                    let place = label.map(|label: json::Node<'_>| (SourceId::of(document.source()), label.span()));
                    let block = place.and_then(|place| self.places.get(&place).copied());
                    let frame = block.and_then(|number| self.program[number].repeated).unwrap_or(self.top.frame);
                    let site = Site { frame, block, ..self.top };
                    for member in object.properties() {
                        let name = member.name();
                        let is_ignored = is_later || role.options.ignore.iter().any(|ignored| *ignored == name);
                        if is_ignored && !self.program.roles().has_addresses(block_type, &name) {
                            self.evaluate(&Expression::from((document, member.value())), site, None);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn evaluate(&mut self, expression: &Expression, site: Site, around: Option<&Rc<Around<'p>>>) {
        let state = self.evaluated.state();
        let mut scope = self.evaluated.scope_at(expression, site, None);
        if let Some(around) = around {
            for path in expression.variables().iter().filter(|path| around.names(path.root())) {
                scope.set(path.root(), unknown());
            }
        }
        let scope = scope.with_functions(self.namespaces(expression));
        let scope = if self.inputs.makes_sensitive(expression) { scope.concealed() } else { scope };
        let (_, found) = expression.evaluate_partially(&scope).into_parts();
        let found: Vec<Diagnostic> = found.into_iter().map(|error| state.with_advice(error, ModuleId::ROOT)).collect();
        self.found.extend(found);
    }

    /// Reports calls that fail in an expression in JSON, parts of which are definitions, whatever its names stand for.
    fn calls(&mut self, expression: &Expression, parts: &JsonParts, known: &HashSet<(SourceId, Span, Code)>) {
        let variables: HashMap<String, Value> =
            expression.variables().iter().map(|path| (path.root().to_owned(), unknown())).collect();
        let state = self.evaluated.state();
        let scope = state.scope.child().with_variables(&variables).with_functions(self.namespaces(expression));
        let (_, mut found) = expression.evaluate_partially(&scope).into_parts();
        found.retain(|error| {
            is_of_call(error.code()) && !parts.is_unevaluated(error.place()) && !known.contains(&kind_of(error))
        });
        self.found.append(found);
    }

    /// Returns functions of namespaces whose results are only known later, as far as an expression calls them.
    fn namespaces(&self, expression: &Expression) -> Functions {
        if !self.program.roles().has_later_namespaces() {
            return Functions::default();
        }
        let calls = calls_in(expression);
        let names = calls.iter().filter(|name| self.program.roles().is_later_function(name));
        let functions: Vec<(String, Function)> = names.map(|name| (name.to_string(), later())).collect();
        functions.into_iter().collect()
    }
}

/// The spans of the arguments of `try` and `can`, in which errors are no mistakes.
#[derive(Default)]
struct Guarded(Vec<Span>);

impl Guarded {
    /// Returns true if a span is in one of them. They are in order, and none contains another.
    fn contains(&self, span: Span) -> bool {
        let after = self.0.partition_point(|known| known.start() <= span.start());
        after.checked_sub(1).is_some_and(|at| self.0[at].end() >= span.end())
    }
}

impl<'t> Visitor<'t> for Guarded {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        match expression.kind() {
            ExpressionKind::FunctionCall(call) if matches!(&*call.name(), "try" | "can") => {
                self.0.push(expression.span());
                Walk::Over
            }
            _ => Walk::Into,
        }
    }
}

/// Returns the place and the kind of an error. With other values, its words may be others.
fn kind_of(error: &Diagnostic) -> (SourceId, Span, Code) {
    (SourceId::of(error.place().source()), error.span(), error.code().clone())
}

/// Returns true if an error of this kind is one of a call.
fn is_of_call(code: &Code) -> bool {
    matches!(
        code,
        Code::UnknownFunction
            | Code::MissingArgument
            | Code::ExtraArgument
            | Code::InvalidArgument
            | Code::InvalidExpansion
            | Code::FunctionFailed
    )
}
