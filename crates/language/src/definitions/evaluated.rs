//! The results of an evaluation.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, PoisonError};

use super::companions::CompanionFile;
use super::ids::{DefinitionId, FrameId, ModuleId, NodeId};
use super::inputs::Inputs;
use super::instances::{At, GroupKind, Key};
use super::program::resolve::Site;
use super::program::{NodeKind, Program, Target, Use};
use super::state::State;
use super::tree::Collection;
use super::{Definition, schedule};
use crate::findings::without_repeated_causes;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics, Outcome};
use hcl_lr::eval::Scope;
use hcl_lr::internal::{sort_by, sort_by_key};
use hcl_lr::model::{MarkSet, Value};

/// The values of definitions, and what is wrong with them.
///
/// ```
/// use hcl_lr::{Expression, Scope, Value, parse};
/// use hcl_lr_language::definitions::Definitions;
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::ConfigFile;
///
/// let text = "locals {\n  name = \"${var.team}-web\"\n  port = 8000 + 80\n}\nvariable \"team\" {}\n";
/// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [parse::<ConfigFile>(text).into_result()?]).into_result()?;
/// let evaluated = definitions.evaluate(&Scope::new());
/// assert!(evaluated.diagnostics().is_empty());
/// assert_eq!(evaluated.get("local.port"), Some(Value::from(8080)));
/// assert!(!evaluated.get("local.name").expect("it is there").is_known());
///
/// let question = parse::<Expression>("local.port + 1").into_result()?;
/// assert_eq!(evaluated.evaluate(&question).into_result()?, Value::from(8081));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Evaluated {
    state: Arc<State>,
    diagnostics: Diagnostics,
    /// The nodes whose own evaluation had errors.
    wrong: HashSet<NodeId>,
    /// The errors of evaluating modules that are called. All calls of a module have the same places.
    in_modules: Vec<(ModuleId, Diagnostic)>,
}

impl Evaluated {
    pub(super) fn new(
        program: &Arc<Program>,
        found: &Diagnostics,
        inputs: &Inputs,
        scope: &Scope<'_>,
        threads: usize,
    ) -> Evaluated {
        let state = State::new(program, scope, inputs);
        schedule::run(&state, inputs, threads);
        Evaluated::of_state(state, found.clone())
    }

    /// The values for any values of the inputs.
    pub(super) fn of_any_input(
        program: &Arc<Program>,
        found: &Diagnostics,
        (inputs, companions): (&Inputs, &[CompanionFile]),
        scope: &Scope<'_>,
    ) -> Evaluated {
        let inputs = inputs.as_any();
        let state = State::new(program, scope, &inputs);
        schedule::run(&state, &inputs, 1);
        let mut evaluated = Evaluated::of_state(state, found.clone());
        let mut diagnostics = std::mem::take(&mut evaluated.diagnostics);
        diagnostics.append(evaluated.state.companion_values(companions));
        diagnostics.append(evaluated.elsewhere(&inputs, &diagnostics));
        diagnostics.sort();
        Evaluated { diagnostics: without_repeated_causes(diagnostics), ..evaluated }
    }

    /// The results of a finished evaluation, with the errors that do not depend on values.
    fn of_state(state: State, found: Diagnostics) -> Evaluated {
        let mut problems = std::mem::take(&mut *state.problems.lock().unwrap_or_else(PoisonError::into_inner));
        sort_by_key(&mut problems, |(node, _)| *node);
        let mut diagnostics = found;
        let is_wrong = |(_, found): &&(NodeId, Diagnostics)| found.has_errors();
        let wrong = problems.iter().filter(is_wrong).map(|(node, _)| *node).collect();
        let mut in_modules = Vec::new();
        for (node, found) in problems {
            let module = state.program[node].module;
            let found: Diagnostics =
                found.into_iter().map(|diagnostic| state.with_advice(diagnostic, module)).collect();
            if module != ModuleId::ROOT {
                in_modules.extend(found.errors().map(|error| (module, error.clone())));
            }
            diagnostics.append(found);
        }
        diagnostics.sort();
        Evaluated { state: Arc::new(state), diagnostics: diagnostics.without_repetitions(), wrong, in_modules }
    }

    /// Returns the diagnostics, file by file: those of the definitions, and those of evaluating them. A definition that
    /// needs one with errors is unknown, and causes no further errors.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the errors of evaluating modules that are called, each with the address of the call, such as
    /// `module.network`. They are in [`diagnostics`](Self::diagnostics) too, but do not tell there which of the calls of a
    /// module has the error.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Scope, parse};
    /// use hcl_lr_language::definitions::{Definitions, Loaded, LoadedModule, ModuleCall};
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let text = "module \"right\" {\n  source = \"./a\"\n  n = 1\n}\nmodule \"wrong\" {\n  source = \"./a\"\n  n = \"x\"\n}\n";
    /// let inner = "variable \"n\" {\n}\nlocals {\n  twice = var.n * 2\n}\n";
    /// let file = |text: &str| parse::<ConfigFile>(text).into_result();
    /// let (main, inner) = (file(text)?, file(inner)?);
    /// let loader = |_: &ModuleCall<'_>| Loaded::Module(LoadedModule::new("a", [inner.clone()]));
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let definitions = Definitions::with_modules(&roles, [main], &loader).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// let calls: Vec<&str> = evaluated.module_errors().map(|(call, _)| call).collect();
    /// assert_eq!(calls, ["module.wrong"]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn module_errors(&self) -> impl Iterator<Item = (&str, &Diagnostic)> {
        let address = |module: ModuleId| self.state.program[module].prefix.trim_end_matches('.');
        self.in_modules.iter().map(move |(module, error)| (address(*module), error))
    }

    pub(super) fn in_modules(&self) -> &[(ModuleId, Diagnostic)] {
        &self.in_modules
    }

    /// Returns true if the value of a definition is unknown because it is wrong: for an input, because the given value or
    /// the default does not have its type.
    pub fn is_wrong(&self, definition: &Definition<'_>) -> bool {
        self.number_of(definition).is_some_and(|number| self.wrong.contains(&self.state.program[number].node))
    }

    /// Returns an expression that can also name the results of the application, such as `output.url`, which its own files
    /// cannot refer to. A name that the files define means what they define.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Expression, Scope, Value, parse};
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let file = parse::<ConfigFile>("output \"port\" {\n  value = 80\n}\n").into_result()?;
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [file]).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// let expression = evaluated.with_results(&parse("output.port + 1").into_result()?);
    /// assert_eq!(evaluated.evaluate(&expression).into_result()?, Value::from(81));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_results(&self, expression: &Expression) -> Expression {
        let module = &self.state.program[ModuleId::ROOT];
        let roots: HashSet<&str> = module.names.roots().into_iter().collect();
        let asked: HashSet<String> = expression.variables().iter().map(|path| path.root().to_owned()).collect();
        let mut results: HashMap<String, Vec<(&str, Value)>> = HashMap::new();
        for definition in self.definitions().filter(|it| it.is_result() && it.module().is_none()) {
            let Some((root, name)) = definition.address().split_once('.') else { continue };
            if asked.contains(root) && !roots.contains(root) && self.state.scope.variable(root).is_none() {
                results.entry(root.to_owned()).or_default().push((name, self.value(&definition)));
            }
        }
        if results.is_empty() {
            return expression.clone();
        }
        let variables = results.into_iter().map(|(root, values)| (root, Value::object(values)));
        expression.with_variables(Arc::new(variables.collect()))
    }

    /// The definitions, in source order, those of modules after those of their callers.
    pub fn definitions(&self) -> impl ExactSizeIterator<Item = Definition<'_>> {
        let program = &*self.state.program;
        program.tables().definitions.ids().map(move |number| Definition { program, number })
    }

    /// The value of the definition with an address, such as `local.name`, or `output.url` for a result. `None` if
    /// there is none. The address of an attribute of a block, such as `target.app.context`, and that of a
    /// result of a module, such as `module.network.id`, have values too.
    pub fn get(&self, address: &str) -> Option<Value> {
        let program = &self.state.program;
        let steps: Vec<&str> = address.split('.').collect();
        match program.find(&steps).map(|(number, depth)| (number, &steps[depth..])) {
            Some((number, [])) => Some(self.value_of(number)),
            Some((number, [name])) => self.attribute(number, name),
            // A name in a module that is called.
            Some(_) | None => program.at_address(address).map(|number| self.value_of(number)),
        }
    }

    /// Returns the error for an exceeded limit: of the evaluation, or of later requests to it.
    pub fn limit_exceeded(&self) -> Option<hcl_lr::Diagnostic> {
        let limit = self.state.meter.exceeded()?;
        let whole =
            || self.definitions().next().map_or_else(hcl_lr::source::Place::nowhere, |first| first.place().clone());
        Some(hcl_lr::internal::over_limit(&self.state.meter, limit, whole))
    }

    /// The value of a definition. Of one in a module that is called several times, a tuple of its values; of one of
    /// other [`Definitions`](super::Definitions), unknown.
    pub fn value(&self, definition: &Definition<'_>) -> Value {
        self.number_of(definition).map_or_else(super::state::unknown, |number| self.value_of(number))
    }

    fn number_of(&self, definition: &Definition<'_>) -> Option<DefinitionId> {
        definition.number_in(&self.state.program)
    }

    fn value_of(&self, number: DefinitionId) -> Value {
        let entry = &self.state.program[number];
        let around = self.state.program[entry.module].frame;
        self.in_each_instance(around, |at| match entry.repeated {
            Some(frame) => self
                .state
                .scope
                .metered(|_, account| self.state.collect(frame, at, Collection::Whole(entry.node), account)),
            None => self.state.of_node(entry.node, at),
        })
    }

    fn in_each_instance(&self, frame: FrameId, value: impl Fn(At) -> Value) -> Value {
        match self.state.instances(frame).len() {
            1 => value(At { frame, instance: 0 }),
            count => Value::tuple((0..count).map(|instance| value(At { frame, instance }))),
        }
    }

    fn attribute(&self, number: DefinitionId, name: &str) -> Option<Value> {
        if !self.is_call(number) {
            return self.attribute_value(&Definition { program: &self.state.program, number }, name);
        }
        // A result of a module.
        let entry = &self.state.program[number];
        let NodeKind::Object { members, open: false, .. } = &self.state.program[entry.node].kind else {
            return None;
        };
        let (_, target) = members.iter().find(|(member, _)| &**member == name)?;
        let Target::Node(node) = target else { return None };
        let frame = self.state.program[*node].frame;
        Some(self.in_each_instance(frame, |at| self.state.of_node(*node, at)))
    }

    fn is_call(&self, number: DefinitionId) -> bool {
        let entry = &self.state.program[number];
        self.state.program.roles().roles[entry.role].is_module()
    }

    /// The value of an attribute of a definition that is a block, or of an argument of one that calls a module. Of
    /// a block that is repeated, a tuple of its values.
    pub fn attribute_value(&self, definition: &Definition<'_>, name: &str) -> Option<Value> {
        let entry = &self.state.program[self.number_of(definition)?];
        let member = entry.members.iter().find(|member| &*member.name == name)?;
        let frame = self.state.program[member.node].frame;
        Some(self.in_each_instance(frame, |at| self.state.of_node(member.node, at)))
    }

    /// Returns the value of a definition as it is shown: where it is unknown how many blocks `dynamic` blocks generate, the
    /// known blocks beside them are in the value, and an unknown one that stands for the others.
    #[doc(hidden)]
    pub fn shown_value(&self, definition: &Definition<'_>) -> Value {
        let Some(number) = self.number_of(definition) else { return super::state::unknown() };
        let entry = &self.state.program[number];
        let around = self.state.program[entry.module].frame;
        match entry.repeated {
            Some(_) => self.value(definition),
            None => self.in_each_instance(around, |at| self.state.shown(entry.node, at)),
        }
    }

    /// The variables and functions that an expression needs, in the files of the application: just what it refers
    /// to, and all functions. What is not known is unknown, and what is not defined is not there.
    ///
    /// Other expressions cannot be evaluated in the scope; use [`evaluate`](Self::evaluate).
    pub fn scope_for(&self, expression: &Expression) -> Scope<'_> {
        self.scope_at(expression, Site { module: ModuleId::ROOT, frame: FrameId::ROOT, block: None }, None)
    }

    /// The scope for the expression of a definition, or for one in its block: it sees what the definition sees,
    /// such as `each`. If the block is repeated, what differs is unknown. For a definition of other
    /// [`Definitions`](super::Definitions), this is the scope of the files of the application.
    pub fn scope_in(&self, definition: &Definition<'_>, expression: &Expression) -> Scope<'_> {
        let Some(number) = self.number_of(definition) else { return self.scope_for(expression) };
        let entry = &self.state.program[number];
        let frame = self.state.program[entry.node].frame;
        self.scope_at(expression, Site { module: entry.module, frame, block: Some(number) }, None)
    }

    /// The scopes for an expression of a definition, one for each of its instances: of a repeated block, or in a module
    /// that is called several times. If there are more than [`MAX_SCOPES`](Self::MAX_SCOPES), there is one scope, in
    /// which what differs is unknown, as in [`scope_in`](Self::scope_in).
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Expression, Scope, Value, parse};
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let text = "resource \"host\" \"web\" {\n  count = 2\n}\n";
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [parse::<ConfigFile>(text).into_result()?]).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// let host = evaluated.definitions().next().expect("it is there");
    /// let index = parse::<Expression>("count.index").into_result()?;
    /// let values: Vec<Value> = evaluated.scopes_in(&host, &index).iter().filter_map(|scope| index.evaluate(scope).ok()).collect();
    /// assert_eq!(values, [Value::from(0), Value::from(1)]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn scopes_in(&self, definition: &Definition<'_>, expression: &Expression) -> Vec<Scope<'_>> {
        let Some(number) = self.number_of(definition) else { return vec![self.scope_for(expression)] };
        let entry = &self.state.program[number];
        let frame = self.state.program[entry.node].frame;
        let site = Site { module: entry.module, frame, block: Some(number) };
        match self.state.instances(frame).len() {
            count if count <= Self::MAX_SCOPES => {
                (0..count).map(|instance| self.scope_at(expression, site, Some(instance))).collect()
            }
            _ => vec![self.scope_at(expression, site, None)],
        }
    }

    /// The maximum number of scopes of one expression.
    pub const MAX_SCOPES: usize = 32;

    /// The blocks that a repeated one stands for, in order. `None` if it is not repeated, or if it is not known what it
    /// is repeated for, or may not be shown; or if it is in a module that is called several times, or one of other
    /// [`Definitions`](super::Definitions).
    ///
    /// ```
    /// use hcl_lr::{Scope, Value, parse};
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::ConfigFile;
    ///
    /// let text = "resource \"host\" \"web\" {\n  for_each = { eu = 1, us = 2 }\n  name = \"${each.key}-${each.value}\"\n}\n";
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [parse::<ConfigFile>(text).into_result()?]).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// let host = definitions.get("host.web").expect("it is there");
    /// let instances = evaluated.instances(&host).expect("they are known");
    /// let names: Vec<_> = instances.iter().map(|one| (one.key(), one.attribute_value("name"))).collect();
    /// assert_eq!(names[1], (Value::from("us"), Some(Value::from("us-2"))));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn instances<'e>(&'e self, definition: &Definition<'e>) -> Option<Vec<Instance<'e>>> {
        let number = self.number_of(definition)?;
        let entry = &self.state.program[number];
        let frame = entry.repeated.filter(|_| self.state.program.is_many(entry.repeated))?;
        let all = self.state.instances(frame);
        let [group] = &all.groups[..] else { return None };
        if group.kind == GroupKind::Unknown || group.marks != MarkSet::default() {
            return None;
        }
        Some((group.start..group.end).map(|at| Instance { evaluated: self, number, frame, at }).collect())
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn scope_at(&self, expression: &Expression, site: Site, instance: Option<usize>) -> Scope<'_> {
        let program = &self.state.program;
        let mut uses: Vec<Use> = Vec::new();
        let asked = OnceCell::new();
        for (index, traversal) in expression.variables().iter().enumerate() {
            let Some(resolved) = program.resolve_known(traversal, site) else { continue };
            let asked = || asked.get_or_init(|| expression.asked()).get(index);
            program.add_uses(resolved, site.module, asked, &mut uses);
        }
        let variables = self.variables_of(uses, site, instance);
        let at = At { frame: site.frame, instance: instance.unwrap_or(0) };
        let mut scope = match site.module {
            ModuleId::ROOT => self.state.scope.child(),
            module => self.state.in_scope(module, at, Scope::to_owned_scope),
        };
        scope.extend(variables);
        scope
    }

    /// Returns the variables for references in a block, or in one of its instances.
    pub(super) fn variables_of(
        &self,
        mut uses: Vec<Use>,
        site: Site,
        instance: Option<usize>,
    ) -> HashMap<String, Value> {
        let program = &self.state.program;
        let one_instance = instance.is_some() || self.state.instances(site.frame).len() == 1;
        if !one_instance {
            // There is no single value for what belongs to an instance.
            for one in &mut uses {
                let own = one.target.nodes(&program.tables().frames).any(|node| program[node].frame == site.frame);
                if own || matches!(one.target, Target::Iteration(_)) {
                    one.target = Target::Later;
                }
            }
        }
        sort_by(&mut uses, Use::by_path);
        let at = At { frame: site.frame, instance: instance.unwrap_or(0) };
        self.state.variables(&uses, site.module, at)
    }

    /// The value of an expression that refers to the definitions, as if it stood in the files of the application.
    pub fn evaluate(&self, expression: &Expression) -> Outcome<Value> {
        let site = Site { module: ModuleId::ROOT, frame: FrameId::ROOT, block: None };
        let problems: Diagnostics = expression
            .variables()
            .iter()
            .filter_map(|traversal| self.state.program.resolve_known(traversal, site)?.problem)
            .collect();
        let (value, found) = expression.evaluate_partially(&self.scope_for(expression)).into_parts();
        let mut diagnostics = problems;
        diagnostics.extend(found.into_iter().map(|diagnostic| self.state.with_advice(diagnostic, ModuleId::ROOT)));
        diagnostics.sort();
        Outcome::new(value, diagnostics)
    }

    /// The scope with what all expressions see: the variables and functions of the scope that the evaluation began
    /// with, and the functions of the roles and the files.
    pub fn base_scope(&self) -> &Scope<'static> {
        &self.state.scope
    }
}

/// One of the blocks that a definition stands for which is repeated.
#[derive(Clone, Copy)]
pub struct Instance<'e> {
    evaluated: &'e Evaluated,
    number: DefinitionId,
    frame: FrameId,
    at: usize,
}

impl<'e> Instance<'e> {
    /// Returns the key of the instance: its number, counted from 0, or the key of the element.
    pub fn key(&self) -> Value {
        match &self.evaluated.state.instances(self.frame).keys[self.at] {
            Key::Index(index) => Value::from(*index as u64),
            Key::Each { key, .. } => key.clone(),
            Key::Only | Key::Unknown(_) => super::state::unknown(),
        }
    }

    /// The value of an attribute of the block.
    pub fn attribute_value(&self, name: &str) -> Option<Value> {
        let entry = &self.evaluated.state.program[self.number];
        let member = entry.members.iter().find(|member| &*member.name == name)?;
        Some(self.evaluated.state.of_node(member.node, At { frame: self.frame, instance: self.at }))
    }

    /// The scope for an expression in the block, which sees what this one is for.
    pub fn scope_for(&self, expression: &Expression) -> Scope<'e> {
        let module = self.evaluated.state.program[self.number].module;
        let site = Site { module, frame: self.frame, block: Some(self.number) };
        self.evaluated.scope_at(expression, site, Some(self.at))
    }
}

impl fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.evaluated.state.program[self.number].address, self.key())
    }
}

impl fmt::Debug for Evaluated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluated")
            .field("definitions", &self.state.program.tables().definitions.len())
            .field("diagnostics", &self.diagnostics.len())
            .finish_non_exhaustive()
    }
}
