//! Calls of modules.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Call, Collector, MAX_DEPTH, New};
use crate::body::{Block, BodySchema};
use crate::definitions::module::{Loaded, ModuleCall};
use crate::definitions::names::Parts;
use crate::definitions::program::{Member, NodeKind, Target};
use crate::definitions::roles::Role;
use crate::diagnostic::{Code, Diagnostic};

impl Collector<'_> {
    pub(super) fn call(&mut self, block: &Block, role: &Role, new: New<'_>, source: &str, depth: usize) {
        let module = new.module;
        let before = self.changed(&new, role).and_then(|known| Some((known, self.calls.remove(&known)?)));
        let repeated = self.frame(block, role, module, &new);
        let inner = repeated.unwrap_or(self.program.modules[module].frame);
        let (content, _) = self.part_of(block.body(), &BodySchema::new().optional(source));
        let (mut attributes, _) = self.members_of(block, role);
        attributes = attributes.into_iter().filter(|attribute| attribute.name() != source).collect();
        let first = self.program.nodes.len();
        let mut own = Vec::new();
        let mut members = Vec::new();
        for attribute in &attributes {
            let name_place = attribute.name_place();
            let node = self.expression(attribute.expression(), module, name_place.clone(), Some(inner));
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
        for node in &mut self.program.nodes[first..] {
            node.definition = Some(definition);
            node.block = Some(definition);
        }
        if let Some(merged) = merged {
            self.merged.insert(definition, merged);
        }
        let replaced = replaced.into_iter().map(|at| {
            let (argument, _) = &arguments[at];
            (definition, argument.name().into(), argument.name_place())
        });
        self.program.replaced.extend(replaced);
        if let Some(repeat) = repeated.and_then(|frame| self.program.frames[frame].repeat) {
            self.program.nodes[repeat].definition = Some(definition);
        }
        self.names_in(block, &role.options.names, module, Some(definition), own_count);
        let source = match content.attribute(source) {
            Some(attribute) => {
                // If the source is computed, the module is unknown.
                let text = attribute.evaluate(&self.scope).ok();
                let text = text.and_then(|value| value.as_str().map(str::to_owned));
                text.map(|text| (text, attribute.expression().place()))
            }
            None => known_source,
        };
        let header = block.header_place();
        self.calls.insert(definition, Call { definition, source, header, arguments, depth: depth + 1, name });
        if is_new {
            self.waiting.push_back(definition);
        }
    }

    /// Reads the module that a call leads to.
    pub(super) fn follow(&mut self, call: Call) {
        let Some((source, place)) = &call.source else { return };
        let entry = &self.program.definitions[call.definition];
        let (caller, frame) = (entry.module, entry.repeated.unwrap_or(self.program.modules[entry.module].frame));
        let prefix = format!("{}.", entry.address);
        let request = ModuleCall { source, place: place.clone(), caller: self.program.modules[caller].key.as_deref() };
        let loaded = match self.loader.load(&request) {
            Loaded::Module(loaded) => loaded,
            Loaded::Later => return,
            Loaded::Failed(problems) => return self.diagnostics.append(problems),
        };
        let mut around = Some(caller);
        while let Some(module) = around {
            if self.program.modules[module].key.as_deref() == Some(&loaded.key) {
                let detail = "this module calls itself, directly or through other modules";
                self.diagnostics.push(Diagnostic::error(Code::DefinitionCycle, place, detail));
                return;
            }
            around = self.program.modules[module].parent;
        }
        if call.depth > MAX_DEPTH {
            let detail = format!("module calls are nested more than {MAX_DEPTH} levels deep here");
            self.diagnostics.push(Diagnostic::error(Code::NestingTooDeep, place, detail));
            return;
        }
        let mut loaded = loaded;
        // A module that is called twice has its files once, so that its names are at the same places.
        match self.by_key.get(&loaded.key) {
            Some(&known) => loaded.documents.clone_from(&self.program.modules[known].documents),
            None => drop(self.by_key.insert(loaded.key.clone(), self.program.modules.len())),
        }
        let module = self.module(frame, prefix, loaded, Some(caller), call.depth);
        self.program.modules[module].call = Some(call.definition);
        self.connect(&call, caller, module);
    }

    /// Gives a module its arguments, and its caller the results.
    pub(super) fn connect(&mut self, call: &Call, caller: usize, module: usize) {
        let inputs = std::mem::take(&mut self.program.modules[module].inputs);
        let mut given: HashSet<&str> = HashSet::new();
        for (attribute, node) in &call.arguments {
            given.insert(attribute.name());
            match inputs.get(attribute.name()) {
                Some(&input) => {
                    if let NodeKind::Input(input) = &mut self.program.nodes[input].kind {
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
            let required = matches!(&self.program.nodes[node].kind,
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
        let results = self.program.modules[module].results.clone();
        let node = self.program.definitions[call.definition].node;
        self.program.nodes[node].kind = NodeKind::Object {
            members: results.iter().map(|(name, node)| (name.clone(), Target::Node(*node))).collect(),
            blocks: Box::default(),
            open: false,
        };
        let parts = Parts { nodes: results.into_iter().collect(), open: false };
        if let Some(entry) = &mut self.program.modules[caller].names.node_mut(call.name).entry {
            entry.parts = Some(Arc::new(parts));
        }
        self.program.modules[module].inputs = inputs;
    }
}
