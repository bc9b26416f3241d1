//! Evaluates each node once, after its dependencies.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use super::ephemeral::has_others_than_ephemeral;
use super::function::table;
use super::given::converted;
use super::ids::{FrameId, ModuleId, NameId, NodeId};
use super::inputs::Inputs;
use super::instances::{At, GroupKind, Instances, Key, counted, each, enabled, sensitive_repetition};
use super::names::NameEntry;
use super::program::{Check, NodeKind, Repetition, Target};
use super::state::{State, Values, unknown};
use super::tree::{Collection, Tree};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::internal::Account;
use hcl_lr::internal::SENSITIVE;
use hcl_lr::internal::limit_exceeded;
use hcl_lr::internal::used_parts::are_known;
use hcl_lr::internal::{EPHEMERAL, HIDDEN};
use hcl_lr::model::{Mark, MarkSet, Type, Value};

/// The bytes that a scope takes, and a part of an object with its name.
const SCOPE: u64 = 1_024;
const PART: u64 = 64;

impl State {
    /// Evaluates a node for all instances of its frame.
    pub fn node(&self, number: NodeId, inputs: &Inputs) {
        let node = &self.program[number];
        let mut diagnostics = Diagnostics::new();
        if let NodeKind::Repeat { frame, expression, by } = &node.kind {
            let instances = self.repeat(number, node.frame, expression, *by, &mut diagnostics);
            let _ = self.instances[*frame].set(instances);
            let _ = self.values[number].set(Values::One(unknown()));
        } else {
            let count = self.instances(node.frame).len();
            let mut value = |instance: usize| {
                let at = At { frame: node.frame, instance };
                let mut found = Diagnostics::new();
                let value = self.value(number, at, inputs, &mut found);
                let value = self.hidden_by_name(number, self.with_ephemeral(number, value, inputs, &mut found));
                if !found.is_empty() && self.is_uncertain(at) {
                    self.retain_certain(node.module, &mut found);
                }
                diagnostics.append(found);
                value
            };
            let values = match count {
                1 => Values::One(value(0)),
                // A list that grows has room for twice as many.
                _ if self.scope.metered(|_, account| account.elements(count.saturating_mul(2))).is_err() => {
                    Values::Many(Vec::new())
                }
                // Values after a limit is exceeded are unknown.
                _ => Values::Many(
                    (0..count).map_while(|at| self.meter.exceeded().is_none().then(|| value(at))).collect(),
                ),
            };
            let _ = self.values[number].set(values);
        }
        if self.meter.exceeded().is_some() {
            // Steps cannot be taken any more, which the account notices by trying.
            diagnostics.extend(self.scope.metered(|_, account| {
                let _ = account.steps(1);
                limit_exceeded(account, || node.place.clone())
            }));
        }
        if !diagnostics.is_empty() {
            let mut all = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
            all.push((number, diagnostics.without_repetitions()));
        }
    }

    fn value(&self, number: NodeId, at: At, inputs: &Inputs, diagnostics: &mut Diagnostics) -> Value {
        let node = &self.program[number];
        match &node.kind {
            NodeKind::Expression { expression, sensitive, ephemeral, alone: true, .. } => {
                let sensitive = *sensitive || inputs.makes_sensitive(expression);
                let named = |name: &String| Some((name.clone(), self.plain.function(name)?.clone()));
                let functions = self.program.default_functions(number);
                let functions = functions.map(|names| names.iter().filter_map(named).collect());
                let value = self.scope.metered(|_, account| {
                    // Without any function, not even the templates in strings of JSON are evaluated.
                    let scope = match functions {
                        Some(functions) => Scope::new().with_functions(functions),
                        None => Scope::new(),
                    };
                    let scope = scope.within(account);
                    let is_hidden = sensitive || *ephemeral;
                    expression.evaluate_partially(&if is_hidden { scope.concealed() } else { scope })
                });
                let value = value.into_value_reporting_to(diagnostics);
                if sensitive { value.mark(SENSITIVE) } else { value }
            }
            NodeKind::Expression { expression, sensitive, ephemeral, in_open_block, apart, constraint, .. } => {
                let sensitive = *sensitive || inputs.makes_sensitive(expression);
                let before = if *apart { Some(std::mem::take(diagnostics)) } else { None };
                let mut value = self.expression(number, expression, at, sensitive || *ephemeral, diagnostics);
                before.into_iter().for_each(|before| *diagnostics = before);
                if *in_open_block {
                    value = self.in_open_block(value);
                }
                if let Some(constraint) = constraint {
                    let place = expression.place();
                    value = self.scope.metered(|_, account| converted(value, &place, constraint, account, diagnostics));
                }
                if !sensitive && self.must_be_declared_sensitive(number, &value) {
                    let detail = "this value is sensitive, and a result must say so";
                    let error = Diagnostic::error(Code::InvalidArgumentValue, expression.place(), detail);
                    diagnostics.push(error.with_help("add `sensitive = true` to the block"));
                }
                if sensitive { value.mark(SENSITIVE) } else { value }
            }
            NodeKind::Input(input) => self.scope.metered(|_, account| {
                self.input(input, at, inputs, &node.place, account, diagnostics).with_marks(&input.marks())
            }),
            NodeKind::Object { open: true, .. } | NodeKind::Later => unknown(),
            NodeKind::Object { members, blocks, .. } => self.scope.metered(|_, account| {
                let nested = blocks.iter().map(|(_, blocks)| blocks.len()).sum::<usize>();
                let charged = account.steps(1).and_then(|()| account.elements(members.len() + blocks.len() + nested));
                if charged.is_err() {
                    return unknown();
                }
                let values = members.iter().map(|(name, target)| (&**name, self.target(target, at, account)));
                let blocks = blocks
                    .iter()
                    .map(|(name, blocks)| (&**name, Value::tuple(blocks.iter().map(|&block| self.of_node(block, at)))));
                Value::object(values.chain(blocks))
            }),
            NodeKind::Generated(generated) => self.generated(number, generated, at, diagnostics),
            NodeKind::Check(check) => {
                self.check(number, check, at, diagnostics);
                unknown()
            }
            NodeKind::Stored(stored) => self.stored(number, stored, at),
            NodeKind::Function(function) => {
                let variables = self.variables(&node.uses, node.module, at);
                // Each instance of a module has its own scope for its functions.
                let charged = self.scope.metered(|_, account| {
                    account.steps(1)?;
                    account.bytes(SCOPE)?;
                    account.elements(variables.len())
                });
                if charged.is_err() {
                    return unknown();
                }
                let mut scope = self.in_scope(node.module, at, |scope| scope.to_owned_scope());
                scope.extend(variables);
                self.contexts.set(*function, at.instance, self.instances(node.frame).len(), scope);
                unknown()
            }
            NodeKind::Repeat { .. } => unknown(),
        }
    }

    /// Keeps the errors that are certain although a block may not exist. For any input, an error in the text of the block
    /// is one, but a condition that does not hold is not: it may be the reason not to have the block. In a called module, an
    /// argument may be the reason too: its own errors are found when it is checked by itself. An argument is in the text of
    /// the call.
    fn retain_certain(&self, module: ModuleId, found: &mut Diagnostics) {
        let root = &self.program[ModuleId::ROOT].documents;
        let is_in_root = |error: &Diagnostic| {
            module == ModuleId::ROOT || root.iter().any(|file| file.source().name() == error.place().source().name())
        };
        found.retain(|error| match self.any_input && is_in_root(error) {
            true => *error.code() != Code::InvalidValue,
            false => !depends_on_values(error.code()),
        });
    }

    /// Returns the value of an attribute of an open block, as other expressions see it. A missing value may be computed.
    /// For all values of the inputs, only the marks are certain: what makes the block may convert the value to a type
    /// that the files do not tell.
    fn in_open_block(&self, value: Value) -> Value {
        match self.any_input {
            true => unknown().with_marks(&value.unmark_deep().1),
            false if value.is_null() => unknown().with_marks(&value.marks()),
            false => value,
        }
    }

    /// Marks values with secret names as sensitive, if that is set.
    fn hidden_by_name(&self, number: NodeId, value: Value) -> Value {
        let is_value = matches!(
            self.program[number].kind,
            NodeKind::Expression { .. } | NodeKind::Input(_) | NodeKind::Generated(_)
        );
        match &self.secrets {
            Some(secrets) if secrets.contains(&number) => value.hidden_by_name(),
            Some(_) if is_value => value.with_secrets_marked(),
            _ => value,
        }
    }

    /// Returns true if a value is that of a result of the application that is sensitive, though nothing says so.
    fn must_be_declared_sensitive(&self, number: NodeId, value: &Value) -> bool {
        let Some(entry) = self.program[number].definition.map(|number| &self.program[number]) else {
            return false;
        };
        self.protects_sensitive()
            && entry.module == ModuleId::ROOT
            && entry.node == number
            && !entry.has_address
            && has_others_than_ephemeral(value)
    }

    /// Returns true if sensitive values are wrong where everyone can see them. A name alone makes nothing wrong.
    fn protects_sensitive(&self) -> bool {
        self.program.roles().protects_sensitive() && self.secrets.is_none()
    }

    /// The value of an expression of a node.
    fn expression(
        &self,
        number: NodeId,
        expression: &Expression,
        at: At,
        is_sensitive: bool,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let node = &self.program[number];
        let variables = self.variables(&node.uses, node.module, at);
        let outcome = self.in_scope(node.module, at, |scope| {
            let scope = scope.child().with_variables(&variables);
            expression.evaluate_partially(&if is_sensitive { scope.concealed() } else { scope })
        });
        let (value, found) = outcome.into_parts();
        diagnostics.append(found);
        value
    }

    /// Calls with the scope that all expressions of a module share.
    pub fn in_scope<R>(&self, module: ModuleId, at: At, work: impl FnOnce(&Scope<'static>) -> R) -> R {
        match self.program[module].has_functions {
            _ if module == ModuleId::ROOT => work(&self.scope),
            true => work(&self.scope_of_module(module, at)),
            false => work(&self.plain),
        }
    }

    /// The scope of a module that defines functions. Each instance has its own.
    fn scope_of_module(&self, module: ModuleId, at: At) -> Arc<Scope<'static>> {
        let instance = self.in_frame(at, self.program[module].frame);
        let make = || {
            // The evaluation in the scope notices an exceeded limit.
            let _ = self.scope.metered(|_, account| {
                account.bytes(SCOPE)?;
                account.elements(self.program.tables().functions.len())
            });
            let functions = table(&self.program.tables().functions, module, instance, &self.contexts);
            Arc::new(self.plain.child().with_functions(functions).to_owned_scope())
        };
        let mut all = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry((module, instance)).or_insert_with(make).clone()
    }

    /// Adds the name that was probably meant to an error about a name that is not defined.
    pub fn with_advice(&self, diagnostic: Diagnostic, module: ModuleId) -> Diagnostic {
        if diagnostic.code() != Code::UnknownVariable || diagnostic.help().is_some() {
            return diagnostic;
        }
        let place = diagnostic.place().clone();
        let roots = || self.program[module].names.roots();
        self.program.suggest(diagnostic, place.text(), &place, roots)
    }

    fn check(
        &self,
        number: NodeId,
        Check { condition, message, warns }: &Check,
        at: At,
        diagnostics: &mut Diagnostics,
    ) {
        let node = &self.program[number];
        let value = self.expression(number, condition, at, false, diagnostics);
        let (value, _) = value.unmark_deep();
        match value.convert(&Type::Bool) {
            // An unknown value may still have a type that is wrong.
            Ok(value) if !value.is_known() || value.as_bool() == Some(true) => return,
            Ok(value) if value.as_bool() == Some(false) => {}
            _ => {
                let detail = "the condition must be true or false";
                diagnostics.push(Diagnostic::error(Code::InvalidCondition, condition.place(), detail));
                return;
            }
        }
        let text = message.as_ref().map(|message| self.expression(number, message, at, false, diagnostics));
        let text = match &text {
            Some(text) if text.contains_marks() => format!("the message is {HIDDEN}"),
            Some(text) => text.as_str().unwrap_or("the condition does not hold").to_owned(),
            None => "the condition does not hold".to_owned(),
        };
        let (place, text) = (condition.place(), text.trim_end().to_owned());
        let mut error = match warns {
            true => Diagnostic::warning(Code::InvalidValue, place, text),
            false => Diagnostic::error(Code::InvalidValue, place, text),
        };
        if let Some(entry) = node.definition.map(|number| &self.program[number]) {
            let is_input = self.program.roles().roles[entry.role].is_input();
            let label = if is_input { "its value is checked" } else { "the condition belongs to this" };
            error = error.with_label(&entry.name_place, label);
        }
        diagnostics.push(error);
    }

    /// Returns the keys of a frame in each instance of the frame around it.
    fn repeat(
        &self,
        number: NodeId,
        frame: FrameId,
        expression: &Expression,
        by: Repetition,
        diagnostics: &mut Diagnostics,
    ) -> Instances {
        let mut all = Instances::new();
        for instance in 0..self.instances(frame).len() {
            // The instances of a frame are charged, and so are the groups that they come in.
            let charged = self.scope.metered(|_, account| {
                account.steps(1)?;
                account.bytes(Instances::bytes_of_group())
            });
            if charged.is_err() {
                return Instances::root();
            }
            let value = self.expression(number, expression, At { frame, instance }, false, diagnostics);
            let (value, mut marks) = value.unmark();
            if self.refuses_repetition(expression, &mut marks, diagnostics) {
                all.add(vec![Key::Unknown(Type::Dynamic)], GroupKind::Unknown, marks);
                continue;
            }
            let is_hidden = by != Repetition::Count && marks.contains(&Mark::new(SENSITIVE));
            let keys = self.scope.metered(|_, account| match by {
                _ if is_hidden && self.protects_sensitive() => Err(sensitive_repetition(by)),
                Repetition::Count => counted(&value, account),
                Repetition::ForEach => each(&value, account),
                Repetition::Enabled => enabled(&value),
            });
            match keys {
                Ok(Some(keys)) => {
                    let kind = match by {
                        Repetition::Count => GroupKind::Counted,
                        Repetition::ForEach => GroupKind::Each,
                        Repetition::Enabled => GroupKind::Optional,
                    };
                    all.add(keys, kind, marks);
                }
                _ if self.meter.exceeded().is_some() => return Instances::root(),
                Ok(None) => {
                    let element = value.ty().element_type().cloned().unwrap_or(Type::Dynamic);
                    all.add(vec![Key::Unknown(element)], GroupKind::Unknown, marks);
                }
                Err(detail) => {
                    let code = match by {
                        Repetition::ForEach => Code::InvalidIteration,
                        Repetition::Count | Repetition::Enabled => Code::InvalidArgumentValue,
                    };
                    diagnostics.push(Diagnostic::error(code, expression.place(), detail));
                    all.add(vec![Key::Unknown(Type::Dynamic)], GroupKind::Unknown, marks);
                }
            }
        }
        all
    }

    /// The instances of a frame. Of one whose number could not be found out, one stands for all.
    pub fn instances(&self, frame: FrameId) -> &Instances {
        self.instances[frame].get_or_init(|| {
            let around = self.program[frame].parent.and_then(|parent| self.instances[parent].get());
            let count = around.map_or(1, Instances::len);
            let charged = self.scope.metered(|_, account| {
                account.steps(count as u64)?;
                account.bytes((count as u64).saturating_mul(Instances::bytes_of_group()))
            });
            if charged.is_ok() { Instances::unknown(count) } else { Instances::root() }
        })
    }

    /// Returns true if it is not known how often a block, or one around it, is repeated: perhaps not at all.
    fn is_uncertain(&self, at: At) -> bool {
        let At { frame: mut current, mut instance } = at;
        loop {
            let (frame, instances) = (&self.program[current], self.instances(current));
            if frame.repeat.is_some() && matches!(instances.keys.get(instance), Some(Key::Unknown(_))) {
                return true;
            }
            let Some(parent) = frame.parent else { return false };
            instance = instances.parents.get(instance).copied().unwrap_or(0);
            current = parent;
        }
    }

    /// The same instance as an instance of a frame around it.
    pub fn in_frame(&self, at: At, frame: FrameId) -> usize {
        let At { frame: mut current, mut instance } = at;
        while current != frame {
            let Some(parent) = self.program[current].parent else { return 0 };
            instance = self.instances(current).parents.get(instance).copied().unwrap_or(0);
            current = parent;
        }
        instance
    }

    /// The value of a node of this frame, or of one around it.
    pub fn of_node(&self, node: NodeId, at: At) -> Value {
        let instance = self.in_frame(at, self.program[node].frame);
        self.values[node].get().and_then(|values| values.get(instance)).cloned().unwrap_or_else(unknown)
    }

    pub fn target(&self, target: &Target, at: At, account: &Account) -> Value {
        match target {
            Target::Node(node) => self.of_node(*node, at),
            Target::Collect { frame, node } => self.collect(*frame, at, Collection::Whole(*node), account),
            Target::Part { frame, name, node } => {
                self.collect(*frame, at, Collection::Parts(vec![(name.clone(), *node)]), account)
            }
            Target::Instances(frame) => self.collect(*frame, at, Collection::Parts(Vec::new()), account),
            Target::Iteration(frame) => self.iteration(*frame, at),
            Target::Text(text) => Value::from(&**text),
            Target::Below(_) | Target::Later | Target::Given | Target::Absent => unknown(),
        }
    }

    /// Returns an object of everything below a name of a module.
    fn below(&self, module: ModuleId, name: NameId, at: At, account: &Account) -> Value {
        let names = &self.program[module].names;
        let node = names.node(name);
        if account.elements(node.len()).is_err() {
            return unknown();
        }
        Value::object(node.children().map(|(name, child)| {
            let value = match &names.node(child).entry {
                Some(NameEntry { repeated: Some(frame), node, .. }) => {
                    self.collect(*frame, at, Collection::Whole(*node), account)
                }
                Some(entry) => self.of_node(entry.node, at),
                // As deep as the patterns of the roles are long.
                None => self.below(module, child, at, account),
            };
            (&**name, value)
        }))
    }

    /// Returns `each` or `count`. It has the marks of the value for which the block is repeated.
    fn iteration(&self, frame: FrameId, at: At) -> Value {
        let (instance, instances) = (self.in_frame(at, frame), self.instances(frame));
        let value = match instances.keys.get(instance) {
            Some(Key::Index(index)) => Value::object([("index", Value::from(*index as u64))]),
            Some(Key::Each { key, value, .. }) => Value::object([("key", key.clone()), ("value", value.clone())]),
            Some(Key::Unknown(element)) if self.any_input => self.unknown_iteration(frame, element),
            Some(Key::Only | Key::Unknown(_)) | None => unknown(),
        };
        let group = instances.parents.get(instance).and_then(|&around| instances.groups.get(around));
        match group {
            Some(group) if group.marks != MarkSet::default() => value.with_marks(&group.marks),
            _ => value,
        }
    }

    /// Returns `each` or `count` of an unknown instance.
    fn unknown_iteration(&self, frame: FrameId, element: &Type) -> Value {
        let of = |ty: Type| Value::unknown(ty);
        match self.program.repetition(frame) {
            Some(Repetition::Count) => Value::object([("index", of(Type::Number))]),
            Some(Repetition::ForEach) => Value::object([("key", of(Type::String)), ("value", of(element.clone()))]),
            Some(Repetition::Enabled) | None => unknown(),
        }
    }

    /// Collects the values for each instance of a frame.
    pub fn collect(&self, frame: FrameId, at: At, content: Collection, account: &Account) -> Value {
        let around = self.in_frame(at, self.program[frame].parent.unwrap_or(FrameId::ROOT));
        let instances = self.instances(frame);
        let Some(group) = instances.groups.get(around) else { return unknown() };
        if group.kind == GroupKind::Unknown {
            let value = if self.any_input { self.unknown_collection(frame, group.start, &content) } else { unknown() };
            let value = value.with_marks(&group.marks);
            return match content {
                Collection::Whole(node) if self.is_ephemeral(node) => value.mark(EPHEMERAL),
                _ => value,
            };
        }
        let key = (frame, around, content);
        let known = |all: &HashMap<_, Value>| all.get(&key).cloned();
        if let Some(known) = known(&self.collected.lock().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        let count = (group.end - group.start) as u64;
        let charged = account.elements(group.end - group.start).and_then(|()| {
            let parts = match &key.2 {
                Collection::Whole(_) => count,
                Collection::Parts(parts) => count.saturating_mul(parts.len() as u64),
            };
            account.steps(count.saturating_add(parts))?;
            account.bytes(parts.saturating_mul(PART))
        });
        if charged.is_err() {
            return unknown();
        }
        let value = |instance: usize| {
            let of = |node: NodeId| self.of_node(node, At { frame, instance });
            match &key.2 {
                Collection::Whole(node) => of(*node),
                Collection::Parts(parts) => {
                    Value::object(parts.iter().map(|(name, node)| (&**name, node.map_or_else(unknown, of))))
                }
            }
        };
        let members = group.start..group.end;
        let value = match group.kind {
            GroupKind::Counted => Value::tuple(members.map(value)),
            GroupKind::Optional => members.map(value).next().unwrap_or_else(|| Value::null(Type::Dynamic)),
            GroupKind::Each | GroupKind::Unknown => Value::object(members.map(|instance| {
                let name = match &instances.keys[instance] {
                    Key::Each { name, .. } => name.clone(),
                    Key::Index(_) | Key::Only | Key::Unknown(_) => Box::from(""),
                };
                (name, value(instance))
            })),
        };
        let value = value.with_marks(&group.marks);
        self.collected.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value.clone());
        value
    }

    /// Returns an unknown collection of the values for the instances of a frame whose number is unknown. Which kind of
    /// collection it is does not depend on the inputs.
    fn unknown_collection(&self, frame: FrameId, instance: usize, content: &Collection) -> Value {
        let of = |node: NodeId| self.of_node(node, At { frame, instance }).ty();
        let element = match content {
            Collection::Whole(node) => of(*node),
            Collection::Parts(parts) => {
                Type::object(parts.iter().map(|(name, node)| (name.to_string(), node.map_or(Type::Dynamic, of))))
            }
        };
        match self.program.repetition(frame) {
            Some(Repetition::Count) => Value::unknown(Type::list(element)),
            Some(Repetition::ForEach) => Value::unknown(Type::map(element)),
            Some(Repetition::Enabled) | None => unknown(),
        }
    }

    /// Returns true if `values` and others are the functions of a library rather than the program's own.
    fn has_known_functions(&self) -> bool {
        let libraries = || FunctionSet::ALL.map(FunctionSet::functions);
        *self.has_known_functions.get_or_init(|| are_known(|name| self.plain.function(name), &libraries()))
    }

    /// Returns the variables that an expression refers to. The uses are in the order of their paths.
    pub fn variables(&self, uses: &[super::program::Use], module: ModuleId, at: At) -> HashMap<String, Value> {
        let (number, module) = (module, &self.program[module]);
        let mut tree = Tree::default();
        self.scope.metered(|_, account| {
            for one in uses {
                if account.steps(1).and_then(|()| account.bytes(PART)).is_err() {
                    break;
                }
                match &one.target {
                    _ if one.relies_on_calls && !self.has_known_functions() => tree.set(&one.path, unknown()),
                    Target::Given => {
                        let name = &*one.path[0];
                        if let Some(value) = module.variables.get(name) {
                            tree.set(&one.path, value.clone());
                        } else if self.scope.variable(name).is_none() {
                            tree.set(&one.path, unknown());
                        }
                    }
                    Target::Absent => tree.branch(&one.path),
                    Target::Below(name) => tree.set(&one.path, self.below(number, *name, at, account)),
                    Target::Part { frame, name, node } => {
                        tree.part(&one.path, *frame, name.clone(), *node);
                    }
                    Target::Instances(frame) => tree.instances(&one.path, *frame),
                    target => tree.set(&one.path, self.target(target, at, account)),
                }
            }
            tree.into_variables(&|frame, content| self.collect(frame, at, content, account))
        })
    }
}

/// Returns true if an error of this kind may not occur with other values.
fn depends_on_values(code: &Code) -> bool {
    !matches!(
        code,
        Code::UnknownVariable
            | Code::VariablesNotAllowed
            | Code::UnknownFunction
            | Code::FunctionsNotAllowed
            | Code::MissingArgument
            | Code::ExtraArgument
            | Code::LimitExceeded
            | Code::EphemeralValue
    )
}
