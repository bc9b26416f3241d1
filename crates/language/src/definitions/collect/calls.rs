//! Collects calls of modules.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Call, Collector, MAX_DEPTH, New};
use crate::definitions::evaluated::Evaluated;
use crate::definitions::ids::ModuleId;
use crate::definitions::inputs::Inputs;
use crate::definitions::module::{Loaded, LoadedModule, ModuleCall, NoModules};
use crate::definitions::names::Parts;
use crate::definitions::program::{Member, NodeKind, ReplacedArgument, Target};
use crate::definitions::role::Role;
use hcl_lr::body::{Block, BodySchema, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::model::{Type, Value};

impl Collector<'_> {
    pub(super) fn call(&mut self, block: &Block, role: &Role, new: New<'_>, source: &str, depth: usize) {
        let module = new.module;
        let before = self.changed(&new, role).and_then(|known| Some((known, self.calls.remove(&known)?)));
        let repeated = self.frame(block, role, module, &new);
        let inner = repeated.unwrap_or(self.program[module].frame);
        let content = self.part_of(block.body(), &BodySchema::new().optional(source));
        let (mut attributes, _) = self.members_of(block, role);
        attributes = attributes.into_iter().filter(|attribute| attribute.name() != source).collect();
        let first = self.program.tables().nodes.next_id();
        let mut own = Vec::new();
        let mut members = Vec::new();
        for attribute in &attributes {
            let name_place = attribute.name_place();
            let node = self.attribute_node(attribute, block.block_type(), module, Some(inner));
            let is_apart = self.is_apart(role, attribute.name());
            if let NodeKind::Expression { apart, .. } = &mut self.program[node].kind {
                *apart = is_apart;
            }
            members.push(Member { name: attribute.name().into(), node, name_place });
            own.push((attribute.clone(), node));
        }
        let is_new = before.is_none();
        // The settings of the overridden call stay, except for those that this one sets itself.
        let (mut arguments, known_source, merged, replaced) = match before {
            Some((known, call)) => {
                let (all, merged, replaced) = self.with_members(known, members, inner);
                members = all;
                (call.arguments, call.source, Some(merged), replaced)
            }
            None => Default::default(),
        };
        let own_count = own.len();
        arguments.append(&mut own);
        let kind = NodeKind::Object { members: Box::default(), blocks: Box::default(), open: true };
        let node = self.node(kind, module, new.name_place.clone(), Some(inner));
        let parts = Some(Parts { nodes: Default::default(), open: true });
        let Some((definition, name)) = self.define(new, role, node, repeated, members, parts) else { return };
        for node in self.program.tables_mut().nodes.starting_at(first) {
            node.definition = Some(definition);
            node.block = Some(definition);
        }
        if let Some(merged) = merged {
            self.merged.insert(definition, merged);
        }
        let replaced = replaced.into_iter().map(|at| {
            let (argument, _) = &arguments[at];
            ReplacedArgument { call: definition, name: argument.name().into(), name_place: argument.name_place() }
        });
        self.program.add_replaced(replaced);
        if let Some(repeat) = repeated.and_then(|frame| self.program[frame].repeat) {
            self.program[repeat].definition = Some(definition);
        }
        self.names_in(block, &role.options.names, module, Some(definition), own_count);
        let source = content.attribute(source).map(|attribute| attribute.expression().clone()).or(known_source);
        let header = block.header_place();
        self.calls.insert(definition, Call { definition, source, header, arguments, depth: depth + 1, name });
        if is_new {
            self.waiting.push_back(definition);
        }
    }

    /// Reads the module that a call leads to.
    pub(super) fn follow(&mut self, call: Call) {
        let Some(expression) = &call.source else { return };
        let entry = &self.program[call.definition];
        let (caller, frame) = (entry.module, entry.repeated.unwrap_or(self.program[entry.module].frame));
        let prefix = format!("{}.", entry.address);
        // If the source is not known, neither is the module.
        let Some(source) = self.source(expression, caller) else { return };
        let place = &expression.place();
        let caller_key = self.program[caller].key.as_deref();
        let name = &*self.program[call.definition].name;
        let request = ModuleCall { source: &source, place: place.clone(), caller: caller_key, name };
        let loaded = match self.loader.load(&request) {
            Loaded::Module(loaded) => loaded,
            Loaded::Later => return,
            Loaded::Failed(problems) => return self.diagnostics.append(problems),
        };
        let mut around = Some(caller);
        while let Some(module) = around {
            if self.program[module].key.as_deref() == Some(&loaded.key) {
                let detail = "this module calls itself, directly or through other modules";
                self.diagnostics.push(Diagnostic::error(Code::DefinitionCycle, place, detail));
                return;
            }
            around = self.program[module].parent;
        }
        if call.depth > MAX_DEPTH {
            let detail = format!("module calls are nested more than {MAX_DEPTH} levels deep here");
            self.diagnostics.push(Diagnostic::error(Code::NestingTooDeep, place, detail));
            return;
        }
        let mut loaded = loaded;
        // A module that is called twice has its files once, so that its names are at the same places.
        match self.by_key.get(&loaded.key) {
            Some(&known) => loaded.documents.clone_from(&self.program[known].documents),
            None => drop(self.by_key.insert(loaded.key.clone(), self.program.tables().modules.next_id())),
        }
        let module = self.module(frame, prefix, loaded, Some(caller), call.depth);
        self.program[module].call = Some(call.definition);
        self.connect(&call, caller, module);
    }

    /// Returns the source of a call: a constant, or a value that is known without any module, such as `local.folder`.
    fn source(&mut self, expression: &Expression, caller: ModuleId) -> Option<String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        if let Ok(value) = expression.evaluate(&self.scope) {
            return text(&value);
        }
        self.program.note_computed_source();
        self.evaluate_constants(caller);
        let evaluated = self.constants.get(&caller)?.as_ref()?;
        text(&evaluated.evaluate(expression).into_result().ok()?)
    }

    /// Evaluates a module without the modules that it calls, and before it those in which it is called, as they give it
    /// its inputs.
    fn evaluate_constants(&mut self, module: ModuleId) {
        let mut waiting = vec![module];
        while let Some(parent) = waiting.last().and_then(|&at| self.program[at].parent) {
            if self.constants.contains_key(&parent) {
                break;
            }
            waiting.push(parent);
        }
        while let Some(number) = waiting.pop() {
            if self.constants.contains_key(&number) {
                continue;
            }
            let inputs = self.constant_inputs(number);
            let module = &self.program[number];
            let mut files = LoadedModule::new("", module.documents.iter().cloned());
            files.variables = module.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            let (no_inputs, roles) = (Inputs::new(), self.program.roles());
            let mut collector = Collector::new(roles, &NoModules, &no_inputs);
            collector.run_alone(files);
            let (program, found) = collector.finish();
            let inputs = inputs.as_ref().unwrap_or(self.inputs);
            let evaluated = Evaluated::new(&program, &found, inputs, &self.scope, 1);
            self.constants.insert(number, Some(evaluated));
        }
    }

    /// The inputs of a module that is called, as far as they are known without any module; `None` for the root.
    fn constant_inputs(&self, module: ModuleId) -> Option<Inputs> {
        let (parent, call) = (self.program[module].parent?, self.program[module].call?);
        let mut inputs = Inputs::new();
        let evaluated = self.constants.get(&parent).and_then(Option::as_ref)?;
        let call = &self.program[call];
        let prefix = &self.program[parent].prefix;
        let address = call.address.strip_prefix(&**prefix).unwrap_or(&call.address);
        if let Some(definition) = evaluated.definitions().find(|call| call.is_module() && call.address() == address) {
            for part in definition.parts() {
                let value = match definition.is_repeated() {
                    true => None,
                    false => evaluated.attribute_value(&definition, part.name()),
                };
                inputs.set(part.name(), value.unwrap_or_else(|| Value::unknown(Type::Dynamic)));
            }
        }
        Some(inputs)
    }

    /// Connects the arguments of a call to the inputs of the module, and the results to the caller.
    pub(super) fn connect(&mut self, call: &Call, caller: ModuleId, module: ModuleId) {
        let inputs = std::mem::take(&mut self.program[module].inputs);
        let mut given: HashSet<&str> = HashSet::new();
        for (attribute, node) in &call.arguments {
            given.insert(attribute.name());
            match inputs.get(attribute.name()) {
                Some(&input) => {
                    if let NodeKind::Input(input) = &mut self.program[input].kind {
                        input.argument = Some(*node);
                    }
                }
                None => {
                    let detail = format!("the module has no input named \"{}\"", attribute.name());
                    let place = attribute.name_place();
                    let names = || {
                        let mut names: Vec<&str> = inputs.keys().map(String::as_str).collect();
                        names.sort_unstable();
                        names
                    };
                    let error = Diagnostic::error(Code::UnsupportedArgument, &place, detail);
                    self.diagnostics.push(self.program.suggest(error, attribute.name(), &place, names));
                }
            }
        }
        let mut missing: Vec<&str> = Vec::new();
        for (name, &node) in &inputs {
            let required = matches!(&self.program[node].kind,
                NodeKind::Input(input) if input.default.is_none() && input.otherwise.is_none());
            if required && !given.contains(name.as_str()) {
                missing.push(name);
            }
        }
        missing.sort_unstable();
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|name| format!("\"{name}\"")).collect();
            let detail = format!("the module needs a value for {}", names.join(", "));
            self.diagnostics.push(Diagnostic::error(Code::RequiredArgument, &call.header, detail));
        }
        let results = self.program[module].results.clone();
        let node = self.program[call.definition].node;
        self.program[node].kind = NodeKind::Object {
            members: results.iter().map(|(name, node)| (name.clone(), Target::Node(*node))).collect(),
            blocks: Box::default(),
            open: false,
        };
        let parts = Parts { nodes: results.into_iter().collect(), open: false };
        if let Some(entry) = &mut self.program[caller].names.node_mut(call.name).entry {
            entry.parts = Some(Arc::new(parts));
        }
        self.program[module].inputs = inputs;
    }
}
