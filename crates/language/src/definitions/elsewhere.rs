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
use super::other_references::{Around, members_of};
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
use hcl_lr::json::NodeKind as JsonKind;
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, ExpressionKind, ExpressionNode, Visitor, Walk};

impl Evaluated {
    /// Returns the errors in what the definitions do not evaluate of the application's files.
    pub(super) fn elsewhere(&self, inputs: &Inputs) -> Diagnostics {
        let program = &*self.state().program;
        let mut elsewhere = Elsewhere::new(self, inputs);
        for document in &program[ModuleId::ROOT].documents {
            match document {
                ConfigFile::Native(file) => {
                    for item in file.body().items() {
                        match item {
                            BodyItem::Attribute(attribute) => {
                                elsewhere.expression(attribute.expression(), elsewhere.top, None);
                            }
                            BodyItem::Block(block) => elsewhere.block(block),
                            _ => {}
                        }
                    }
                }
                ConfigFile::Json(document) => {
                    for member in members_of(document) {
                        let expression = Expression::from((document, member.value()));
                        match program.roles().of_block(&member.name()) {
                            None => elsewhere.evaluate(&expression, elsewhere.top, None),
                            // The strings in inputs are no templates.
                            Some(role) if role.is_input() => {}
                            Some(_) => elsewhere.calls(&expression),
                        }
                    }
                }
            }
        }
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
        if role.is_some_and(|role| matches!(role.kind, Kind::Function)) {
            return;
        }
        let source = SourceId::of(block.body().shared_source());
        let name = block.labels().last().map_or(block.type_token().span(), |label| label.span());
        let within = role.and_then(|_| self.places.get(&(source, name)).copied());
        let frame = within.and_then(|number| self.program[number].repeated);
        let site = Site { frame: frame.unwrap_or(self.top.frame), block: within, ..self.top };
        let is_input = role.is_some_and(Role::is_input);
        let top = Around::top(block, self.program.roles());
        let mut waiting: Vec<_> = block.body().items().map(|item| (top.clone(), item, block)).collect();
        while let Some((around, item, outer)) = waiting.pop() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let name = attribute.name();
                    let is_direct = outer.span() == block.span();
                    let is_iterator = outer.block_type() == "dynamic" && name == "iterator";
                    // Types, addresses and new names are not evaluated.
                    let is_apart = self.program.roles().has_addresses(around.block_type, name)
                        || is_input && is_direct && name == "type"
                        || is_iterator;
                    if !is_apart {
                        self.expression(attribute.expression(), site, Some(&around));
                    }
                }
                BodyItem::Block(inner) => {
                    waiting.extend(Around::items(inner, &around).map(|(around, item)| (around, item, inner)));
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
        let Some(roots) = &self.roots else { return };
        let scope = &self.evaluated.state().scope;
        let mut guarded = None;
        for path in node.variables() {
            let (root, span) = (path.root().text(), path.root().span());
            if roots.contains(root) || scope.variable(root).is_some() {
                continue;
            }
            if around.is_some_and(|around| around.names(root) || around.defines(path)) {
                continue;
            }
            let guarded = guarded.get_or_insert_with(|| Guarded::of(node));
            let traversal = Traversal::from(path);
            if guarded.contains(span) || self.program.resolve_known(&traversal, site).is_some() {
                continue;
            }
            let detail = format!("there is no variable named \"{root}\"");
            let error = Diagnostic::error(Code::UnknownVariable, Place::new(node.shared_source(), span), detail);
            self.found.push(self.evaluated.state().with_advice(error, ModuleId::ROOT));
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
        let found = found.into_iter().filter(|error| !self.is_later(error));
        let found: Vec<Diagnostic> = found.map(|error| state.with_advice(error, ModuleId::ROOT)).collect();
        self.found.extend(found);
    }

    /// Reports calls that fail in an expression in JSON, parts of which are definitions, whatever its names stand for.
    fn calls(&mut self, expression: &Expression) {
        let variables: HashMap<String, Value> =
            expression.variables().iter().map(|path| (path.root().to_owned(), unknown())).collect();
        let state = self.evaluated.state();
        let scope = state.scope.child().with_variables(&variables).with_functions(self.namespaces(expression));
        let (_, mut found) = expression.evaluate_partially(&scope).into_parts();
        found.retain(|error| is_of_call(error.code()) && !self.is_later(error));
        self.found.append(found);
    }

    /// Returns functions of namespaces whose results are only known later, as far as an expression calls them.
    fn namespaces(&self, expression: &Expression) -> Functions {
        if !self.program.roles().has_later_namespaces() {
            return Functions::default();
        }
        let calls = calls_in(expression);
        let names = calls.iter().flatten().filter(|name| self.program.roles().is_later_function(name));
        let functions: Vec<(String, Function)> = names.map(|name| (name.to_string(), later())).collect();
        functions.into_iter().collect()
    }

    /// Returns true if an error is about a function of such a namespace. In JSON it cannot be seen before which functions
    /// are called.
    fn is_later(&self, error: &Diagnostic) -> bool {
        *error.code() == Code::UnknownFunction && self.program.roles().is_later_function(error.place().text())
    }
}

/// The spans of the arguments of `try` and `can`, in which errors are no mistakes.
#[derive(Default)]
struct Guarded(Vec<Span>);

impl Guarded {
    fn of(node: ExpressionNode<'_>) -> Guarded {
        let mut guarded = Guarded::default();
        node.walk(&mut guarded);
        guarded
    }

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

/// Returns the names that `dynamic` blocks in files in JSON give to the blocks in them. JSON does not tell which
/// properties are blocks, so these names are defined everywhere.
pub(super) fn iterators_in_json(program: &Program) -> Vec<String> {
    let mut names = Vec::new();
    for document in program.tables().modules.iter().flat_map(|module| &module.documents) {
        let ConfigFile::Json(document) = document else { continue };
        let mut waiting = vec![(document.root(), false)];
        while let Some((node, is_dynamic)) = waiting.pop() {
            match node.kind() {
                JsonKind::Object(object) => {
                    for member in object.properties() {
                        let name = member.name();
                        if is_dynamic {
                            names.push(name.to_string());
                        }
                        if name == "iterator" {
                            names.extend(member.value().as_string().map(|text| text.text().into_owned()));
                        }
                        waiting.push((member.value(), name == "dynamic"));
                    }
                }
                JsonKind::Array(array) => waiting.extend(array.elements().map(|node| (node, is_dynamic))),
                _ => {}
            }
        }
    }
    names
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
