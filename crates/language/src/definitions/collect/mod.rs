//! Collects the definitions of files.

mod calls;
mod names;
mod nested;
mod objects;
mod stored;
mod values;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::evaluated::Evaluated;
use super::ids::{DefinitionId, FrameId, ModuleId, NameId, NodeId, RoleId};
use super::inputs::Inputs;
use super::module::{LoadedModule, Loader};
use super::names::{NameEntry, Names, Parts};
use super::other_references::undefined;
use super::pattern::{Pattern, Step};
use super::program::{DefinitionEntry, Member, Module, Node, NodeKind, Program, Target};
use super::role::{Duplicates, Kind, Role};
use super::roles::Roles;
use hcl_lr::body::{Attribute, Attributes, Block, Body, BodySchema, ConfigFile, Content, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::source::Place;

/// The nesting limit for calls of modules.
const MAX_DEPTH: usize = 64;

/// The limit for all calls of modules together. A module that calls two others, each of which calls two others, and so
/// on, is soon more than can be evaluated.
const MAX_CALLS: usize = 10_000;

pub(super) struct Collector<'l> {
    pub program: Program,
    pub diagnostics: Diagnostics,
    loader: &'l dyn Loader,
    /// The scope for constants, such as defaults within types and sources of modules. All files share its meter.
    scope: Scope<'static>,
    /// The blocks of each role and file that have been found, as they are read only once.
    schema: BodySchema,
    /// The calls that have not been followed yet, by the definitions that they are, and their order.
    calls: HashMap<DefinitionId, Call>,
    waiting: VecDeque<DefinitionId>,
    /// The definitions of the module to which several blocks add.
    merged: HashMap<DefinitionId, Merged>,
    /// The first module with each key.
    by_key: HashMap<String, ModuleId>,
    /// The values of modules in which the source of another one is computed, as far as these are known without any module.
    constants: HashMap<ModuleId, Option<Evaluated>>,
    /// The values from outside, for such sources.
    inputs: &'l Inputs,
    /// True if no calls are followed.
    is_alone: bool,
    /// True if the current file overrides definitions of other files.
    overrides: bool,
    /// The places where results of the application say that they are ephemeral.
    ephemeral_results: Vec<Place>,
}

/// A call of a module that has not been followed yet.
struct Call {
    definition: DefinitionId,
    /// The source of the module.
    source: Option<Expression>,
    header: Place,
    /// The arguments, and the nodes of their values.
    arguments: Vec<(Attribute, NodeId)>,
    depth: usize,
    /// The index of the call among the names of the caller.
    name: NameId,
}

/// A definition to which several blocks add. Their members follow each other until all files are read: to put them
/// together for each block would take as long as all before it.
struct Merged {
    /// The index of the member that counts, by its name.
    places: HashMap<Box<str>, usize>,
    /// The frame that repeats them.
    frame: FrameId,
    /// The names that lead to the definition.
    names: Vec<NameId>,
}

/// A definition before it is added.
struct New<'a> {
    role: RoleId,
    module: ModuleId,
    address: Vec<&'a str>,
    /// Other addresses that it has.
    aliases: Vec<Vec<&'a str>>,
    name: Box<str>,
    name_place: Place,
    place: Place,
}

impl<'l> Collector<'l> {
    pub fn new(roles: &Roles, loader: &'l dyn Loader, inputs: &'l Inputs) -> Self {
        let mut schema = BodySchema::new();
        for role in &roles.roles {
            if let Some(block_type) = &role.block_type {
                let labels: Vec<&str> = role.labels.iter().map(String::as_str).collect();
                schema = schema.block(block_type.clone(), &labels);
            }
        }
        let program = Program::new(Arc::new(roles.clone()));
        Collector {
            program,
            diagnostics: Diagnostics::new(),
            loader,
            schema,
            calls: HashMap::new(),
            waiting: VecDeque::new(),
            merged: HashMap::new(),
            by_key: HashMap::new(),
            constants: HashMap::new(),
            inputs,
            is_alone: false,
            overrides: false,
            ephemeral_results: Vec::new(),
            scope: Scope::new().sharing_meter(),
        }
    }

    /// Reads the files of one module, and no others.
    fn run_alone(&mut self, files: LoadedModule) {
        self.is_alone = true;
        self.run(files);
    }

    /// Reads the files of the application, and those of all modules that are called.
    pub fn run(&mut self, files: LoadedModule) {
        self.module(FrameId::ROOT, String::new(), files, None, 0);
        if self.is_alone {
            self.calls.clear();
        }
        let mut calls = 0;
        while let Some(call) = self.waiting.pop_front().and_then(|definition| self.calls.remove(&definition)) {
            calls += 1;
            if calls > MAX_CALLS {
                let detail = format!("there are more than {MAX_CALLS} module calls; this one is ignored");
                self.diagnostics.push(Diagnostic::error(Code::NestingTooDeep, &call.header, detail));
                break;
            }
            self.follow(call);
        }
        self.mark_hidden();
        self.check_ephemeral_results();
        self.forget_stored_blocks();
    }

    /// Resolves the references, and returns the errors that do not depend on values.
    pub fn finish(self) -> (Arc<Program>, Diagnostics) {
        let Collector { mut program, diagnostics: mut found, .. } = self;
        found.append(program.resolve());
        program.resolve_named();
        found.extend(program.undefined_names().iter().cloned());
        found.append(program.set_order());
        found.append(undefined(&program));
        found.sort();
        (Arc::new(program), found.without_repetitions())
    }

    /// Makes the defaults and arguments of sensitive inputs sensitive, and those of ephemeral inputs ephemeral.
    fn mark_hidden(&mut self) {
        let given = |node: NodeId| match &self.program[node].kind {
            NodeKind::Input(input) if input.is_hidden() => {
                [input.default, input.argument].map(|given| Some((given?, input.sensitive, input.ephemeral)))
            }
            _ => [None, None],
        };
        // Nodes of blocks that others override are not among them.
        let inputs = self.program.tables().modules.iter().flat_map(|module| module.inputs.values().copied());
        let given: Vec<(NodeId, bool, bool)> = inputs.flat_map(given).flatten().collect();
        for (node, is_sensitive, is_ephemeral) in given {
            if let NodeKind::Expression { sensitive, ephemeral, .. } = &mut self.program[node].kind {
                *sensitive |= is_sensitive;
                *ephemeral |= is_ephemeral;
            }
        }
    }

    fn module(
        &mut self,
        frame: FrameId,
        prefix: String,
        loaded: LoadedModule,
        parent: Option<ModuleId>,
        depth: usize,
    ) -> ModuleId {
        let number = self.program.tables_mut().modules.push(Module {
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
            has_functions: false,
            has_other_functions: false,
        });
        let roles = self.program.roles().clone();
        let patterns = roles.roles.iter().flat_map(|role| std::iter::once(&role.pattern).chain(&role.options.aliases));
        let names = &mut self.program[number].names;
        for pattern in patterns {
            // Paths that begin with these names can only lead to these definitions, even if there are none.
            let fixed = pattern.0.iter().map_while(|step| match step {
                Step::Name(name) => Some(name.as_str()),
                Step::Label(_) | Step::Attribute => None,
            });
            names.place_for(NameId::ROOT, fixed);
        }
        for path in roles.later().iter().filter(|name| name.contains('.')) {
            let names = &mut self.program[number].names;
            let at = names.place_for(NameId::ROOT, path.split('.'));
            names.node_mut(at).later = true;
        }
        let has = |block_type: &str| {
            let schema = BodySchema::new().block(block_type, &["label"]);
            let content = |document: &ConfigFile| document.body().expected_content(&schema).into_value();
            loaded.documents.iter().any(|document| !content(document).blocks().is_empty())
        };
        let included = roles.elsewhere().iter().filter(|(block_type, _)| has(block_type)).map(|(_, name)| name);
        for name in included.chain(roles.given_elsewhere().iter().filter(|name| !has(name))) {
            let names = &mut self.program[number].names;
            let at = names.place_for(NameId::ROOT, [name.as_str()]);
            names.node_mut(at).open = true;
        }
        let (overriding, plain): (Vec<&ConfigFile>, Vec<&ConfigFile>) =
            loaded.documents.iter().partition(|document| roles.is_overriding(document.source().name()));
        for (documents, overrides) in [(plain, false), (overriding, true)] {
            self.overrides = overrides;
            for document in documents {
                self.body(&document.body(), number, depth);
            }
        }
        self.overrides = false;
        self.settle(number);
        number
    }

    /// Merges the members of definitions to which several blocks add.
    fn settle(&mut self, module: ModuleId) {
        let roles = self.program.roles().clone();
        for (number, Merged { places, frame, names }) in std::mem::take(&mut self.merged) {
            let tables = self.program.tables_mut();
            let entry = &mut tables.definitions[number];
            let counts = |at: usize, name: &str| places.get(name) == Some(&at);
            let members = std::mem::take(&mut entry.members).into_iter().enumerate();
            entry.members = members.filter(|(at, one)| counts(*at, &one.name)).map(|(_, one)| one).collect();
            for member in &entry.members {
                tables.nodes[member.node].frame = frame;
            }
            let role = &roles.roles[entry.role];
            if let Kind::Module { .. } = role.kind {
                if let Some(call) = self.calls.get_mut(&number) {
                    let arguments = std::mem::take(&mut call.arguments).into_iter().enumerate();
                    let arguments = arguments.filter(|(at, (attribute, _))| counts(*at, attribute.name()));
                    call.arguments = arguments.map(|(_, one)| one).collect();
                }
                continue;
            }
            if let NodeKind::Object { members, .. } = &mut tables.nodes[entry.node].kind {
                *members = listed(&entry.members);
            }
            let parts = parts(role, &entry.members).map(Arc::new);
            for name in names {
                if let Some(entry) = &mut tables.modules[module].names.node_mut(name).entry
                    && entry.definition == number
                {
                    entry.parts = parts.clone();
                }
            }
        }
        // The last of several results of one name counts.
        let results = &mut self.program[module].results;
        let mut known = HashSet::new();
        results.reverse();
        results.retain(|(name, _)| known.insert(name.clone()));
        results.reverse();
    }

    /// The members of a definition with those of a block that adds to it, and where those are that no longer count.
    fn with_members(
        &mut self,
        known: DefinitionId,
        own: Vec<Member>,
        frame: FrameId,
    ) -> (Vec<Member>, Merged, Vec<usize>) {
        let mut members = std::mem::take(&mut self.program[known].members);
        let places = match self.merged.remove(&known) {
            Some(merged) => merged.places,
            None => members.iter().enumerate().map(|(at, member)| (member.name.clone(), at)).collect(),
        };
        let mut merged = Merged { places, frame, names: Vec::new() };
        let mut replaced = Vec::new();
        for member in own {
            if let Some(before) = merged.places.insert(member.name.clone(), members.len()) {
                self.program[members[before].node].kind = NodeKind::Later;
                replaced.push(before);
            }
            members.push(member);
        }
        (members, merged, replaced)
    }

    fn body(&mut self, body: &Body, module: ModuleId, depth: usize) {
        let (content, rest) = body.partial_content(&self.schema).into_value_reporting_to(&mut self.diagnostics);
        // The roles are looked up by type once, not for each block.
        let roles = self.program.roles().clone();
        let whole = || roles.roles.pairs().filter(|(_, role)| role.attribute.is_none());
        let by_type: HashMap<&str, RoleId> =
            whole().filter_map(|(number, role)| Some((role.block_type.as_deref()?, number))).collect();
        let top = whole().find(|(_, role)| role.block_type.is_none());
        let mut named: HashMap<Option<&str>, Vec<(RoleId, &Role)>> = HashMap::new();
        for (number, role) in roles.roles.pairs().filter(|(_, role)| role.attribute.is_some()) {
            named.entry(role.block_type.as_deref()).or_default().push((number, role));
        }
        let named_here = named.get(&None).map(Vec::as_slice).unwrap_or_default();
        self.named_attributes(&rest, &[], named_here, module);
        if let Some((number, role)) = top {
            let (attributes, _) = rest.attributes().into_parts();
            self.program.tables_mut().nodes.reserve(attributes.len());
            self.program.tables_mut().definitions.reserve(attributes.len());
            for attribute in attributes.iter().filter(|attribute| !is_named(named_here, attribute)) {
                self.attribute(attribute, &[], role, number, module);
            }
        }
        // A block is a definition with a few nodes.
        self.program.tables_mut().definitions.reserve(content.blocks().len());
        self.program.tables_mut().nodes.reserve(2 * content.blocks().len());
        for block in content.blocks() {
            let named = named.get(&Some(block.block_type())).map(Vec::as_slice).unwrap_or_default();
            if let Some(&number) = by_type.get(block.block_type()) {
                self.block(block, (&roles.roles[number], number), named, module, depth);
            }
            let labels: Vec<&str> = block.labels().iter().map(|label| label.text()).collect();
            self.named_attributes(block.body(), &labels, named, module);
        }
        self.names_without_role(body, module);
        self.checks_without_role(&rest, module);
    }

    /// Adds the definitions of attributes that have roles of their own.
    fn named_attributes(&mut self, body: &Body, labels: &[&str], roles: &[(RoleId, &Role)], module: ModuleId) {
        for (number, role) in roles {
            let Some(name) = &role.attribute else { continue };
            let content = body.expected_content(&BodySchema::new().optional(name.clone())).into_value();
            if let Some(attribute) = content.attribute(name) {
                self.attribute(attribute, labels, role, *number, module);
            }
        }
    }

    fn block(
        &mut self,
        block: &Block,
        (role, number): (&Role, RoleId),
        named: &[(RoleId, &Role)],
        module: ModuleId,
        depth: usize,
    ) {
        let labels: Vec<&str> = block.labels().iter().map(|label| label.text()).collect();
        if role.defines_attributes() {
            let attributes = self.attributes_of(block.body());
            for attribute in attributes.iter().filter(|attribute| !is_named(named, attribute)) {
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
            true => std::iter::once(block.block_type()).chain(labels.iter().copied()).collect(),
        };
        let aliases = role.options.aliases.iter().filter_map(|alias| self.address(alias, &labels, None)).collect();
        let new = New { role: number, module, address, aliases, name, name_place, place: block.header_place() };
        match &role.kind {
            Kind::Input(options) => self.input(block, role, new, options),
            Kind::Value { attribute } => self.value(block, role, new, attribute),
            Kind::Object => self.object(block, role, new),
            Kind::Module { source } => self.call(block, role, new, source, depth),
            Kind::Later => {
                let node = self.node(NodeKind::Later, module, new.place.clone(), None);
                self.define(new, role, node, None, Vec::new(), None);
            }
            Kind::Attributes | Kind::Inputs(_) | Kind::Function => {}
        }
    }

    /// Returns the attributes of a body. Blocks are allowed beside them.
    fn attributes_of(&mut self, body: &Body) -> Attributes {
        let (attributes, mut diagnostics) = body.attributes().into_parts();
        diagnostics.retain(|diagnostic| diagnostic.code() != Code::UnexpectedBlock);
        self.diagnostics.append(diagnostics);
        attributes
    }

    /// Returns the part of a body that a schema expects. Other items are ignored.
    fn part_of(&mut self, body: &Body, schema: &BodySchema) -> Content {
        body.expected_content(schema).into_value_reporting_to(&mut self.diagnostics)
    }

    fn attribute(&mut self, attribute: &Attribute, labels: &[&str], role: &Role, number: RoleId, module: ModuleId) {
        let address = match role.pattern.is_empty() {
            false => self.address(&role.pattern, labels, Some(attribute.name())),
            true => Some(role.block_type.iter().map(|name| &**name).chain([attribute.name()]).collect()),
        };
        let Some(address) = address else { return };
        let new = New {
            role: number,
            module,
            address,
            aliases: Vec::new(),
            name: attribute.name().into(),
            name_place: attribute.name_place(),
            place: attribute.place(),
        };
        let node = self.attribute_node(attribute, role.block_type.as_deref().unwrap_or_default(), module, None);
        match &role.kind {
            Kind::Inputs(options) => self.input_of(attribute, role, new, options, node),
            _ => drop(self.define(new, role, node, None, Vec::new(), None)),
        }
    }

    /// Returns the path by which expressions refer to a definition.
    fn address<'a>(
        &self,
        pattern: &'a Pattern,
        labels: &[&'a str],
        attribute: Option<&'a str>,
    ) -> Option<Vec<&'a str>> {
        let steps = pattern.0.iter().map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Label(at) => labels.get(*at).copied(),
            Step::Attribute => attribute,
        });
        steps.collect()
    }

    /// Returns the definition at the address of a new one, if the new one changes it.
    fn changed(&mut self, new: &New<'_>, role: &Role) -> Option<DefinitionId> {
        if role.duplicates != Duplicates::Merge && !self.overrides {
            return None;
        }
        let names = &mut self.program[new.module].names;
        let at = names.place_for(root_of(role), new.address.iter().copied());
        names.node(at).entry.as_ref().map(|entry| entry.definition)
    }

    fn node(&mut self, kind: NodeKind, module: ModuleId, place: Place, frame: Option<FrameId>) -> NodeId {
        let frame = frame.unwrap_or(self.program[module].frame);
        self.program.tables_mut().nodes.push(Node {
            kind,
            module,
            frame,
            uses: Box::default(),
            needs: Box::default(),
            definition: None,
            place,
            block: None,
        })
    }

    /// Adds the node of an attribute in a block of a type. An attribute that is not evaluated is its source text.
    fn attribute_node(
        &mut self,
        attribute: &Attribute,
        block_type: &str,
        module: ModuleId,
        frame: Option<FrameId>,
    ) -> NodeId {
        let expression = attribute.expression();
        if self.program.roles().is_unevaluated(block_type, attribute.name()) {
            let text = Value::from(expression.source_text());
            let expression = Expression::of_value(text, expression.place());
            return self.expression(&expression, module, attribute.name_place(), frame);
        }
        self.expression(expression, module, attribute.name_place(), frame)
    }

    fn expression(
        &mut self,
        expression: &Expression,
        module: ModuleId,
        place: Place,
        frame: Option<FrameId>,
    ) -> NodeId {
        let expression = expression.clone();
        let kind = NodeKind::Expression {
            expression,
            sensitive: false,
            ephemeral: false,
            in_open_block: false,
            alone: false,
            apart: false,
            constraint: None,
        };
        self.node(kind, module, place, frame)
    }

    /// Adds a definition, unless there is one at its address. Returns it and its name.
    fn define(
        &mut self,
        new: New<'_>,
        role: &Role,
        node: NodeId,
        repeated: Option<FrameId>,
        members: Vec<Member>,
        parts: Option<Parts>,
    ) -> Option<(DefinitionId, NameId)> {
        let has_address = !role.pattern.is_empty();
        let roles = self.program.roles().clone();
        let tables = self.program.tables_mut();
        let number = tables.definitions.next_id();
        let module = &mut tables.modules[new.module];
        let name = module.names.place_for(root_of(role), new.address.iter().copied());
        let mut number_before = None;
        let mut also = Vec::new();
        if let Some(known) = &module.names.node(name).entry {
            let first = known.definition;
            let entry = &mut tables.definitions[first];
            // An attribute of the files takes the place of an input of its name, wherever it stands.
            let set = matches!(roles.roles[entry.role].kind, Kind::Attributes);
            if set && role.is_input() && role.duplicates != Duplicates::Error {
                return None;
            }
            if role.duplicates == Duplicates::Error && !self.overrides {
                let detail = format!("{} is already defined at {}", entry.address, entry.name_place);
                self.diagnostics.push(
                    Diagnostic::error(Code::DuplicateDefinition, &new.name_place, detail)
                        .with_label(&entry.name_place, "first defined here")
                        .with_help("remove one of the two, or give it another name"),
                );
                return None;
            }
            number_before = Some(first);
            also = std::mem::take(&mut entry.also);
            also.push(entry.name_place.clone());
            self.merged.remove(&first);
            // A replaced definition is not evaluated: what is said only here, such as that it is sensitive, holds for all of it.
            let replaced = entry.node;
            if let NodeKind::Expression { .. } | NodeKind::Object { .. } | NodeKind::Input(_) =
                tables.nodes[replaced].kind
            {
                tables.nodes[replaced].kind = NodeKind::Later;
            }
        }
        let length = new.address.iter().map(|step| step.len() + 1).sum::<usize>();
        let mut address = String::with_capacity(module.prefix.len() + length);
        address.push_str(&module.prefix);
        for (at, step) in new.address.iter().enumerate() {
            address.push_str(if at == 0 { "" } else { "." });
            address.push_str(step);
        }
        if number_before.is_none() && self.overrides {
            let written = new.address.join(".");
            let detail = format!("this override file changes {written}, which no other file defines");
            let problem = Diagnostic::error(Code::UndefinedName, &new.name_place, detail);
            self.diagnostics.push(problem.with_help("define it in another file, or rename this one"));
        }
        let entry = DefinitionEntry {
            address: address.into(),
            name: new.name,
            module: new.module,
            role: new.role,
            name_place: new.name_place,
            also,
            place: new.place,
            node,
            repeated,
            members,
            has_address,
            variables: None,
        };
        let number = number_before.unwrap_or(number);
        let parts = parts.map(Arc::new);
        let module = &mut self.program[new.module];
        module.names.node_mut(name).entry =
            Some(NameEntry { definition: number, node, repeated, parts: parts.clone() });
        for alias in &new.aliases {
            let name = module.names.place_for(NameId::ROOT, alias.iter().copied());
            let parts = parts.clone();
            module.names.node_mut(name).entry = Some(NameEntry { definition: number, node, repeated, parts });
        }
        self.program[node].definition = Some(number);
        match self.program.tables_mut().definitions.get_mut(number) {
            Some(known) => *known = entry,
            None => drop(self.program.tables_mut().definitions.push(entry)),
        }
        Some((number, name))
    }
}

/// Returns true if an attribute has a role of its own.
fn is_named(roles: &[(RoleId, &Role)], attribute: &Attribute) -> bool {
    roles.iter().any(|(_, role)| role.attribute.as_deref() == Some(attribute.name()))
}

/// Returns the root of the tree of names that has the definitions of a role.
fn root_of(role: &Role) -> NameId {
    if role.pattern.is_empty() { NameId::RESULTS } else { NameId::ROOT }
}

/// The attributes of an object, as its node has them.
fn listed(members: &[Member]) -> Box<[(Box<str>, Target)]> {
    members.iter().map(|member| (member.name.clone(), Target::Node(member.node))).collect()
}

/// The attributes of an object, where references can be to one of them.
fn parts(role: &Role, members: &[Member]) -> Option<Parts> {
    let options = &role.options;
    // Write-only arguments are only written: nothing can be read from them.
    let members = members.iter().filter(|member| !role.is_write_only(&member.name));
    let nodes = || members.map(|member| (member.name.clone(), member.node)).collect();
    (options.by_attribute && options.blocks.is_empty()).then(|| Parts { nodes: nodes(), open: options.open })
}
