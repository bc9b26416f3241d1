//! From files to definitions.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::function::OwnFunction;
use super::module::{Loaded, LoadedModule, Loader, ModuleCall};
use super::names::{NameEntry, Names, Parts, RESULTS};
use super::program::{Entry, Frame, FrameId, InputNode, Member, Module, Node, NodeId, NodeKind, Program, ROOT, Target};
use super::roles::{Duplicates, Kind, Pattern, Role, Roles, Step};
use super::{Document, types};
use crate::body::{Attribute, Attributes, Block, Body, Content, Expression, Schema};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::eval::Scope;
use crate::model::Value;
use crate::source::Place;
use crate::user_functions::Definition;

/// So deep may modules call each other.
const MAX_DEPTH: usize = 64;

/// So many calls of modules there may be in all. A module that calls two others, each of which calls two others,
/// and so on, is soon more than can be evaluated.
const MAX_CALLS: usize = 10_000;

pub(super) struct Collector<'l> {
    pub program: Program,
    pub diagnostics: Diagnostics,
    loader: &'l dyn Loader,
    /// The blocks of each role and file that have been found, as they are read only once.
    schema: Schema,
    waiting: VecDeque<Call>,
}

/// A call of a module that has not been followed yet.
struct Call {
    definition: usize,
    source: String,
    place: Place,
    header: Place,
    /// The arguments, and the nodes of their values.
    arguments: Vec<(Attribute, NodeId)>,
    depth: usize,
    /// Where in the names of the caller the call is.
    name: usize,
}

/// A definition that is being made.
struct New {
    role: usize,
    module: usize,
    address: Vec<Box<str>>,
    name: Box<str>,
    name_place: Place,
    place: Place,
}

impl<'l> Collector<'l> {
    pub fn new(roles: &Roles, loader: &'l dyn Loader) -> Self {
        let mut schema = Schema::new();
        for role in &roles.roles {
            if let Some(block_type) = &role.block_type {
                let labels: Vec<&str> = role.labels.iter().map(String::as_str).collect();
                schema = schema.block(block_type.clone(), &labels);
            }
        }
        let program = Program {
            roles: roles.clone(),
            modules: Vec::new(),
            frames: vec![Frame { parent: None, repeat: None }],
            nodes: Vec::new(),
            definitions: Vec::new(),
            functions: Vec::new(),
            later_calls: Default::default(),
            order: Vec::new(),
        };
        Collector { program, diagnostics: Diagnostics::new(), loader, schema, waiting: VecDeque::new() }
    }

    /// Reads the files of the application, and those of all modules that are called.
    pub fn run(&mut self, documents: Vec<Document>) {
        self.module(ROOT, String::new(), LoadedModule::new("", documents), None, 0);
        let mut calls = 0;
        while let Some(call) = self.waiting.pop_front() {
            calls += 1;
            if calls > MAX_CALLS {
                let detail = format!("there are more than {MAX_CALLS} calls of modules; this one is not followed");
                self.diagnostics.push(Diagnostic::error(Code::NestingTooDeep, &call.place, detail));
                break;
            }
            self.follow(call);
        }
    }

    fn module(
        &mut self,
        frame: FrameId,
        prefix: String,
        loaded: LoadedModule,
        parent: Option<usize>,
        depth: usize,
    ) -> usize {
        let number = self.program.modules.len();
        self.program.modules.push(Module {
            frame,
            names: Names::new(),
            prefix,
            documents: loaded.documents.clone(),
            variables: loaded.variables.into_iter().collect(),
            key: parent.map(|_| loaded.key),
            parent,
            call: None,
            results: Vec::new(),
            inputs: HashMap::new(),
        });
        for path in self.program.roles.later().iter().filter(|name| name.contains('.')) {
            let names = &mut self.program.modules[number].names;
            let at = names.place_for(path.split('.'));
            names.node_mut(at).later = true;
        }
        for document in &loaded.documents {
            self.body(&document.body(), number, depth);
        }
        number
    }

    fn body(&mut self, body: &Body, module: usize, depth: usize) {
        let (content, rest) = body.partial_content(&self.schema).into_value_reporting_to(&mut self.diagnostics);
        // The roles are looked up by type once, not for each block.
        let roles = self.program.roles.clone();
        let by_type: HashMap<&str, usize> = roles
            .roles
            .iter()
            .enumerate()
            .filter_map(|(number, role)| Some((role.block_type.as_deref()?, number)))
            .collect();
        let top = roles.roles.iter().position(|role| role.block_type.is_none());
        if let Some(number) = top {
            let (attributes, _) = rest.attributes().into_parts();
            for attribute in &attributes {
                self.attribute(attribute, &[], &roles.roles[number], number, module);
            }
        }
        for block in content.blocks() {
            if let Some(&number) = by_type.get(block.block_type()) {
                self.block(block, &roles.roles[number], number, module, depth);
            }
        }
    }

    fn block(&mut self, block: &Block, role: &Role, number: usize, module: usize, depth: usize) {
        let labels: Vec<&str> = block.labels().iter().map(|label| label.text()).collect();
        if let Kind::Attributes = role.kind {
            let attributes = self.attributes_of(block.body());
            for attribute in &attributes {
                self.attribute(attribute, &labels, role, number, module);
            }
            return;
        }
        if let Kind::Function = role.kind {
            return self.function(block, number, module);
        }
        let (name, name_place) = match block.labels().last() {
            Some(label) => (label.text().into(), label.place().clone()),
            None => (block.block_type().into(), block.type_place()),
        };
        let address = match role.pattern.is_empty() {
            false => match self.address(&role.pattern, &labels, None) {
                Some(address) => address,
                None => return,
            },
            true => std::iter::once(block.block_type()).chain(labels.iter().copied()).map(Box::from).collect(),
        };
        let new = New { role: number, module, address, name, name_place, place: block.header_place() };
        match &role.kind {
            Kind::Input { otherwise } => self.input(block, role, new, otherwise.clone()),
            Kind::Value { attribute } => self.value(block, role, new, attribute),
            Kind::Object => self.object(block, role, new),
            Kind::Module { source } => self.call(block, role, new, source, depth),
            Kind::Later => {
                let node = self.node(NodeKind::Later, module, new.place.clone(), None);
                self.define(new, role, node, None, Vec::new(), None);
            }
            Kind::Attributes | Kind::Function => {}
        }
    }

    /// The attributes of a body, in which blocks may be as well.
    fn attributes_of(&mut self, body: &Body) -> Attributes {
        let (attributes, mut diagnostics) = body.attributes().into_parts();
        diagnostics.retain(|diagnostic| diagnostic.code() != Code::UnexpectedBlock);
        self.diagnostics.append(diagnostics);
        attributes
    }

    /// The part of a body that a schema expects; what else is in it does not matter.
    fn part_of(&mut self, body: &Body, schema: &Schema) -> (Content, Body) {
        body.partial_content(schema).into_value_reporting_to(&mut self.diagnostics)
    }

    fn attribute(&mut self, attribute: &Attribute, labels: &[&str], role: &Role, number: usize, module: usize) {
        let address = match role.pattern.is_empty() {
            false => self.address(&role.pattern, labels, Some(attribute.name())),
            true => Some(role.block_type.iter().map(|name| &**name).chain([attribute.name()]).map(Box::from).collect()),
        };
        let Some(address) = address else { return };
        let new = New {
            role: number,
            module,
            address,
            name: attribute.name().into(),
            name_place: attribute.name_place(),
            place: attribute.place(),
        };
        let node = self.expression(attribute.expression(), module, attribute.name_place(), None);
        self.define(new, role, node, None, Vec::new(), None);
    }

    /// The path by which a definition is referred to.
    fn address(&self, pattern: &Pattern, labels: &[&str], attribute: Option<&str>) -> Option<Vec<Box<str>>> {
        let steps = pattern.0.iter().map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Label(at) => labels.get(*at).copied(),
            Step::Attribute => attribute,
        });
        steps.map(|step| step.map(Box::from)).collect()
    }

    fn node(&mut self, kind: NodeKind, module: usize, place: Place, frame: Option<FrameId>) -> NodeId {
        let frame = frame.unwrap_or(self.program.modules[module].frame);
        self.program.nodes.push(Node {
            kind,
            module,
            frame,
            uses: Vec::new(),
            needs: Vec::new(),
            definition: None,
            place,
            problems: Diagnostics::new(),
            block: None,
        });
        self.program.nodes.len() - 1
    }

    fn expression(&mut self, expression: &Expression, module: usize, place: Place, frame: Option<FrameId>) -> NodeId {
        let kind = NodeKind::Expression { expression: expression.clone(), sensitive: false };
        self.node(kind, module, place, frame)
    }

    /// Adds a definition, unless there is one at its address. Its number and its place among the names.
    fn define(
        &mut self,
        new: New,
        role: &Role,
        node: NodeId,
        repeated: Option<FrameId>,
        members: Vec<Member>,
        parts: Option<Parts>,
    ) -> Option<(usize, usize)> {
        let has_address = !role.pattern.is_empty();
        let number = self.program.definitions.len();
        let module = &mut self.program.modules[new.module];
        // Results are in a tree of their own: no variable has the name of a bracket.
        let results: &[&str] = if has_address { &[] } else { &[RESULTS] };
        let path = results.iter().copied().chain(new.address.iter().map(|name| &**name));
        let name = module.names.place_for(path);
        let mut number_before = None;
        if let Some(known) = &module.names.node(name).entry {
            let first = known.definition;
            if role.duplicates == Duplicates::Error {
                let entry = &self.program.definitions[first];
                let detail = format!("{} is already defined at {}", entry.address, entry.name_place);
                self.diagnostics.push(
                    Diagnostic::error(Code::DuplicateDefinition, &new.name_place, detail)
                        .with_label(&entry.name_place, "this is the first one")
                        .with_help("remove one of the two, or give it another name"),
                );
                return None;
            }
            number_before = Some(first);
        }
        let address = format!("{}{}", module.prefix, new.address.join("."));
        let entry = Entry {
            address: address.into(),
            name: new.name,
            module: new.module,
            role: new.role,
            name_place: new.name_place,
            place: new.place,
            node,
            repeated,
            members,
            has_address,
            variables: HashSet::new(),
        };
        let number = number_before.unwrap_or(number);
        let module = &mut self.program.modules[new.module];
        module.names.node_mut(name).entry = Some(NameEntry { definition: number, node, repeated, parts });
        for &member in entry.members.iter().map(|member| &member.node).chain([&node]) {
            self.program.nodes[member].definition = Some(number);
        }
        match self.program.definitions.get_mut(number) {
            Some(known) => *known = entry,
            None => self.program.definitions.push(entry),
        }
        Some((number, name))
    }

    /// Whether an attribute of a block says `true`. It must be a constant.
    fn flag(&mut self, content: &Content, name: &str) -> Option<bool> {
        let attribute = content.attribute(name)?;
        // Where it is none, the program that the file is for says so.
        attribute.evaluate(&Scope::new()).ok()?.as_bool()
    }

    fn input(&mut self, block: &Block, role: &Role, new: New, otherwise: Option<Value>) {
        let schema = Schema::new()
            .optional("default")
            .optional("type")
            .optional("nullable")
            .optional("sensitive")
            .block("validation", &[]);
        let (content, _) = self.part_of(block.body(), &schema);
        let constraint = content.attribute("type").and_then(|ty| {
            types::constraint(ty.expression()).map_err(|problems| self.diagnostics.append(problems)).ok()
        });
        let default = content.attribute("default");
        let default = default.map(|one| self.expression(one.expression(), new.module, one.name_place(), None));
        let is_root = self.program.modules[new.module].parent.is_none();
        let given = block.labels().last().map(|label| label.text().to_owned()).unwrap_or_default();
        let input = InputNode {
            name: is_root.then(|| given.clone()),
            argument: None,
            default,
            constraint,
            nullable: self.flag(&content, "nullable").unwrap_or(true),
            sensitive: self.flag(&content, "sensitive").unwrap_or(false),
            otherwise,
        };
        let module = new.module;
        let node = self.node(NodeKind::Input(Box::new(input)), module, new.name_place.clone(), None);
        let Some((definition, _)) = self.define(new, role, node, None, Vec::new(), None) else { return };
        self.program.modules[module].inputs.insert(given, node);
        if let Some(default) = default {
            self.program.nodes[default].definition = Some(definition);
        }
        for check in content.blocks_of_type("validation") {
            self.check(check, module, definition);
        }
    }

    fn check(&mut self, block: &Block, module: usize, definition: usize) {
        let schema = Schema::new().required("condition").optional("error_message");
        let (content, _) = self.part_of(block.body(), &schema);
        let Some(condition) = content.attribute("condition") else { return };
        let message = content.attribute("error_message").map(|message| message.expression().clone());
        let kind = NodeKind::Check { condition: condition.expression().clone(), message };
        let node = self.node(kind, module, condition.expression().place(), None);
        self.program.nodes[node].definition = Some(definition);
    }

    fn value(&mut self, block: &Block, role: &Role, new: New, attribute: &str) {
        let schema = Schema::new().optional(attribute).optional("sensitive");
        let (content, _) = self.part_of(block.body(), &schema);
        let sensitive = self.flag(&content, "sensitive").unwrap_or(false);
        let kind = match content.attribute(attribute) {
            Some(value) => NodeKind::Expression { expression: value.expression().clone(), sensitive },
            None => {
                let detail = format!("the argument \"{attribute}\" is required here");
                self.diagnostics.push(Diagnostic::error(Code::RequiredArgument, block.header_place(), detail));
                NodeKind::Later
            }
        };
        let (module, is_result, name) = (new.module, role.pattern.is_empty(), new.name.clone());
        let node = self.node(kind, module, new.name_place.clone(), None);
        if self.define(new, role, node, None, Vec::new(), None).is_some() && is_result {
            self.program.modules[module].results.push((name, node));
        }
    }

    /// The frame of a block that is repeated.
    fn frame(&mut self, block: &Block, role: &Role, module: usize) -> Option<FrameId> {
        let names = [(&role.options.for_each, false), (&role.options.count, true)];
        for (name, counts) in names {
            let Some(name) = name else { continue };
            let (content, _) = block.body().partial_content(&Schema::new().optional(name.clone())).into_value();
            if let Some(attribute) = content.attribute(name) {
                let frame = self.program.frames.len();
                let kind = NodeKind::Repeat { frame, expression: attribute.expression().clone(), counts };
                let node = self.node(kind, module, attribute.expression().place(), None);
                let parent = Some(self.program.modules[module].frame);
                self.program.frames.push(Frame { parent, repeat: Some(node) });
                return Some(frame);
            }
        }
        None
    }

    /// The attributes of a block that are part of its value, and its blocks that may be.
    fn members_of(&mut self, block: &Block, role: &Role) -> (Attributes, Content) {
        let options = &role.options;
        let mut schema = Schema::new();
        let special = [&options.for_each, &options.count, &options.variables];
        for name in special.into_iter().flatten().chain(&options.ignore) {
            schema = schema.optional(name.clone());
        }
        let (_, rest) = block.body().partial_content(&schema).into_value();
        let blocks = options.blocks.iter().fold(Schema::new(), |schema, name| schema.block(name.clone(), &[]));
        let (content, rest) = self.part_of(&rest, &blocks);
        (self.attributes_of(&rest), content)
    }

    fn object(&mut self, block: &Block, role: &Role, new: New) {
        let module = new.module;
        let repeated = self.frame(block, role, module);
        let inner = repeated.unwrap_or(self.program.modules[module].frame);
        let first = self.program.nodes.len();
        let (attributes, content) = self.members_of(block, role);
        let mut members: Vec<Member> = Vec::new();
        for attribute in &attributes {
            let node = self.expression(attribute.expression(), module, attribute.name_place(), Some(inner));
            members.push(Member { name: attribute.name().into(), node, name_place: attribute.name_place() });
        }
        let mut blocks: Vec<(Box<str>, Vec<NodeId>)> = Vec::new();
        for name in &role.options.blocks {
            let list = content.blocks_of_type(name).map(|block| self.nested(block, module, inner)).collect();
            blocks.push((name.as_str().into(), list));
        }
        if role.duplicates == Duplicates::Merge {
            self.keep_members(&new, &mut members);
        }
        let open = role.options.open;
        let listed = members.iter().map(|member| (member.name.clone(), Target::Node(member.node))).collect();
        let kind = NodeKind::Object { members: listed, blocks, open };
        let node = self.node(kind, module, new.name_place.clone(), Some(inner));
        let parts = (role.options.by_attribute && role.options.blocks.is_empty())
            .then(|| Parts { nodes: members.iter().map(|member| (member.name.clone(), member.node)).collect(), open });
        let Some((definition, _)) = self.define(new, role, node, repeated, members, parts) else { return };
        for node in &mut self.program.nodes[first..] {
            node.definition = Some(definition);
            node.block = Some(definition);
        }
        if let Some(repeat) = repeated.and_then(|frame| self.program.frames[frame].repeat) {
            self.program.nodes[repeat].definition = Some(definition);
        }
        self.own_variables(block, role, definition);
    }

    /// Notes the variables that only the block has.
    fn own_variables(&mut self, block: &Block, role: &Role, definition: usize) {
        let Some(name) = &role.options.variables else { return };
        let (content, _) = block.body().partial_content(&Schema::new().optional(name.clone())).into_value();
        let Some(map) = content.attribute(name).and_then(|map| map.expression().static_map().ok()) else { return };
        let names: HashSet<Box<str>> = map
            .iter()
            .filter_map(|(key, _)| {
                key.keyword().or_else(|| key.evaluate(&Scope::new()).ok()?.as_str().map(str::to_owned))
            })
            .map(String::into_boxed_str)
            .collect();
        self.program.definitions[definition].variables = names;
    }

    /// A block in a block: the object of its attributes.
    fn nested(&mut self, block: &Block, module: usize, frame: FrameId) -> NodeId {
        let attributes = self.attributes_of(block.body());
        let mut members = Vec::new();
        for attribute in &attributes {
            let node = self.expression(attribute.expression(), module, attribute.name_place(), Some(frame));
            members.push((attribute.name().into(), Target::Node(node)));
        }
        let kind = NodeKind::Object { members, blocks: Vec::new(), open: false };
        self.node(kind, module, block.type_place(), Some(frame))
    }

    /// Adds the attributes of an earlier definition of the name that this one does not have.
    fn keep_members(&mut self, new: &New, members: &mut Vec<Member>) {
        let names = &mut self.program.modules[new.module].names;
        let at = names.place_for(new.address.iter().map(|name| &**name));
        let Some(known) = names.node(at).entry.as_ref().map(|entry| entry.definition) else { return };
        let have: HashSet<Box<str>> = members.iter().map(|member| member.name.clone()).collect();
        let mut all = std::mem::take(&mut self.program.definitions[known].members);
        all.retain(|member| !have.contains(&member.name));
        all.append(members);
        *members = all;
    }

    fn call(&mut self, block: &Block, role: &Role, new: New, source: &str, depth: usize) {
        let module = new.module;
        let repeated = self.frame(block, role, module);
        let inner = repeated.unwrap_or(self.program.modules[module].frame);
        let (content, _) = self.part_of(block.body(), &Schema::new().optional(source));
        let (mut attributes, _) = self.members_of(block, role);
        attributes = attributes.into_iter().filter(|attribute| attribute.name() != source).collect();
        let first = self.program.nodes.len();
        let mut arguments = Vec::new();
        for attribute in &attributes {
            let node = self.expression(attribute.expression(), module, attribute.name_place(), Some(inner));
            arguments.push((attribute.clone(), node));
        }
        let kind = NodeKind::Object { members: Vec::new(), blocks: Vec::new(), open: true };
        let node = self.node(kind, module, new.name_place.clone(), Some(inner));
        let members = arguments.iter().map(|(attribute, node)| Member {
            name: attribute.name().into(),
            node: *node,
            name_place: attribute.name_place(),
        });
        let members = members.collect();
        let parts = Some(Parts { nodes: HashMap::new(), open: true });
        let Some((definition, name)) = self.define(new, role, node, repeated, members, parts) else { return };
        for node in &mut self.program.nodes[first..] {
            node.block = Some(definition);
        }
        if let Some(repeat) = repeated.and_then(|frame| self.program.frames[frame].repeat) {
            self.program.nodes[repeat].definition = Some(definition);
        }
        // Where the source is computed, it is not known where the module is.
        let Some(attribute) = content.attribute(source) else { return };
        let Ok(value) = attribute.evaluate(&Scope::new()) else { return };
        let Some(source) = value.as_str() else { return };
        self.waiting.push_back(Call {
            definition,
            source: source.to_owned(),
            place: attribute.expression().place(),
            header: block.header_place(),
            arguments,
            depth: depth + 1,
            name,
        });
    }

    /// Reads the module that a call leads to.
    fn follow(&mut self, call: Call) {
        let entry = &self.program.definitions[call.definition];
        let (caller, frame) = (entry.module, entry.repeated.unwrap_or(self.program.modules[entry.module].frame));
        let prefix = format!("{}.", entry.address);
        let request = ModuleCall {
            source: &call.source,
            place: call.place.clone(),
            caller: self.program.modules[caller].key.as_deref(),
        };
        let loaded = match self.loader.load(&request) {
            Loaded::Module(loaded) => loaded,
            Loaded::Later => return,
            Loaded::Failed(problems) => return self.diagnostics.append(problems),
        };
        let mut around = Some(caller);
        while let Some(module) = around {
            if self.program.modules[module].key.as_deref() == Some(&loaded.key) {
                let detail = "the module that this leads to is one that this call is in, so there would be no end";
                self.diagnostics.push(Diagnostic::error(Code::DefinitionCycle, &call.place, detail));
                return;
            }
            around = self.program.modules[module].parent;
        }
        if call.depth > MAX_DEPTH {
            let detail = format!("modules call each other more than {MAX_DEPTH} deep here");
            self.diagnostics.push(Diagnostic::error(Code::NestingTooDeep, &call.place, detail));
            return;
        }
        let module = self.module(frame, prefix, loaded, Some(caller), call.depth);
        self.program.modules[module].call = Some(call.definition);
        self.connect(&call, caller, module);
    }

    /// Gives a module its arguments, and its caller the results.
    fn connect(&mut self, call: &Call, caller: usize, module: usize) {
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
                    let names = inputs.keys().map(String::as_str);
                    let error = Diagnostic::error(Code::UnsupportedArgument, &place, detail);
                    self.diagnostics.push(super::resolve::suggest(error, attribute.name(), &place, names));
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
            blocks: Vec::new(),
            open: false,
        };
        let parts = Parts { nodes: results.into_iter().collect(), open: false };
        if let Some(entry) = &mut self.program.modules[caller].names.node_mut(call.name).entry {
            entry.parts = Some(parts);
        }
        self.program.modules[module].inputs = inputs;
    }

    fn function(&mut self, block: &Block, role: usize, module: usize) {
        // Those of a module that is called are its own affair.
        if self.program.modules[module].parent.is_some() {
            return;
        }
        let Some(definition) = Definition::read(block, &mut self.diagnostics) else { return };
        let Some(label) = block.labels().first() else { return };
        let number = self.program.functions.len();
        let node = self.node(NodeKind::Function(number), module, label.place().clone(), None);
        let new = New {
            role,
            module,
            address: vec![block.block_type().into(), label.text().into()],
            name: label.text().into(),
            name_place: label.place().clone(),
            place: block.header_place(),
        };
        let roles = self.program.roles.clone();
        if self.define(new, &roles.roles[role], node, None, Vec::new(), None).is_some() {
            let own = OwnFunction { name: label.text().into(), definition: Arc::new(definition), node };
            self.program.functions.push(Arc::new(own));
        }
    }
}
