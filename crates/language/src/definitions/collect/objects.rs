//! Collects blocks that are objects.

use std::collections::{HashMap, HashSet};

use super::names::{has_attribute, has_block};
use super::{Collector, New, listed, parts};
use crate::definitions::ids::{DefinitionId, FrameId, ModuleId, NameId, NodeId};
use crate::definitions::program::{Frame, Member, NodeKind, Repetition, Target};
use crate::definitions::role::Role;
use hcl_lr::body::{Attribute, Attributes, Block, BodySchema, Content, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::sort_by_key;

impl Collector<'_> {
    pub(super) fn object(&mut self, block: &Block, role: &Role, new: New<'_>) {
        let module = new.module;
        let repeated = self.frame(block, role, module, &new);
        let inner = repeated.unwrap_or(self.program[module].frame);
        let first = self.program.tables().nodes.next_id();
        let (attributes, content) = self.members_of(block, role);
        let mut members: Vec<Member> = Vec::new();
        let protects = self.program.roles().protects_ephemeral();
        let generated = match role.options.dynamic {
            true => self.generated_in_json(block.body(), &attributes, role.options.nested, (module, inner)),
            false => HashMap::new(),
        };
        for attribute in &attributes {
            if let Some(generated) = generated.get(attribute.name()) {
                members.extend(generated.iter().map(|(name, node)| Member {
                    name: name.clone(),
                    node: *node,
                    name_place: attribute.name_place(),
                }));
                continue;
            }
            let node = self.attribute_node(attribute, block.block_type(), module, Some(inner));
            let is_apart = self.is_apart(role, attribute.name());
            if let NodeKind::Expression { in_open_block, apart, ephemeral, .. } = &mut self.program[node].kind {
                (*in_open_block, *apart) = (role.options.open, is_apart);
                *ephemeral = protects && role.is_write_only(attribute.name());
            }
            members.push(Member { name: attribute.name().into(), node, name_place: attribute.name_place() });
        }
        let mut blocks: Vec<(Box<str>, Vec<NodeId>)> = Vec::new();
        for name in &role.options.blocks {
            let list = content.iter().flat_map(|content| content.blocks_of_type(name));
            let list = list.map(|block| self.nested(block, module, inner)).collect();
            blocks.push((name.as_str().into(), list));
        }
        if role.options.nested {
            let nested = self.nested_blocks(block.body(), module, inner, 0);
            blocks.extend(nested.lists);
            members.extend(nested.members.into_iter().map(|(name, node, name_place)| Member {
                name,
                node,
                name_place,
            }));
        }
        self.stored_blocks(block.body(), role, module, inner);
        let own = members.len();
        let (listed, parts, merged) = match self.changed(&new, role) {
            Some(known) => {
                self.forget_repetition(known, inner);
                let (all, mut merged, _) = self.with_members(known, members, inner);
                let names = &mut self.program[module].names;
                merged.names =
                    new.aliases.iter().map(|alias| names.place_for(NameId::ROOT, alias.iter().copied())).collect();
                members = all;
                (Box::default(), None, Some(merged))
            }
            None => {
                let all = self.with_default_members(&members, role, &new, inner);
                (listed(&all), parts(role, &all), None)
            }
        };
        let kind = NodeKind::Object { members: listed, blocks: blocks.into(), open: role.options.open };
        let node = self.node(kind, module, new.name_place.clone(), Some(inner));
        let Some((definition, name)) = self.define(new, role, node, repeated, members, parts) else { return };
        if let Some(mut merged) = merged {
            merged.names.push(name);
            self.merged.insert(definition, merged);
        }
        for node in self.program.tables_mut().nodes.starting_at(first) {
            node.definition = Some(definition);
            node.block = Some(definition);
        }
        if let Some(repeat) = repeated.and_then(|frame| self.program[frame].repeat) {
            self.program[repeat].definition = Some(definition);
        }
        self.checks_in(block, role, module, definition, Some(inner));
        self.own_variables(block, role, definition);
        self.names_in(block, &role.options.names, module, Some(definition), own);
    }

    /// Returns the members of a block with those that have their defaults. The latter are part of its value only, because
    /// nothing in the files can be shown or changed for them.
    fn with_default_members(&mut self, members: &[Member], role: &Role, new: &New<'_>, frame: FrameId) -> Vec<Member> {
        let mut all: Vec<Member> = members.to_vec();
        if role.options.open {
            return all;
        }
        let written: HashSet<&str> = members.iter().map(|member| &*member.name).collect();
        for (name, value) in role.options.defaults.iter().filter(|(name, _)| !written.contains(&**name)) {
            let expression = Expression::of_value(value.clone(), new.name_place.clone());
            let node = self.expression(&expression, new.module, new.name_place.clone(), Some(frame));
            all.push(Member { name: name.as_str().into(), node, name_place: new.name_place.clone() });
        }
        all
    }

    /// Returns true if the program that reads the files does not evaluate an attribute of the blocks of a role.
    pub(super) fn is_apart(&self, role: &Role, attribute: &str) -> bool {
        role.block_type().is_some_and(|block_type| self.program.roles().has_addresses(block_type, attribute))
    }

    /// The attributes of a block that are part of its value, and its blocks that may be.
    pub(super) fn members_of(&mut self, block: &Block, role: &Role) -> (Attributes, Option<Content>) {
        let options = &role.options;
        let mut rest = block.body().clone();
        let special = || [&options.for_each, &options.count, &options.variables].into_iter().flatten();
        if special().chain(&options.ignore).any(|name| has_attribute(&rest, name)) {
            let names = special().chain(&options.ignore);
            let schema = names.fold(BodySchema::new(), |schema, name| schema.optional(name.clone()));
            (_, rest) = rest.partial_content(&schema).into_value();
        }
        let mut content = None;
        if options.blocks.iter().any(|name| has_block(&rest, name)) {
            let blocks = options.blocks.iter().fold(BodySchema::new(), |schema, name| schema.block(name.clone(), &[]));
            let found = rest.partial_content(&blocks);
            let (found, without) = found.into_value_reporting_to(&mut self.diagnostics);
            (content, rest) = (Some(found), without);
        }
        (self.attributes_of(&rest), content)
    }

    /// A block in a block: the object of its attributes.
    pub(super) fn nested(&mut self, block: &Block, module: ModuleId, frame: FrameId) -> NodeId {
        let attributes = self.attributes_of(block.body());
        let mut members = Vec::new();
        for attribute in &attributes {
            let node = self.attribute_node(attribute, block.block_type(), module, Some(frame));
            members.push((attribute.name().into(), Target::Node(node)));
        }
        let kind = NodeKind::Object { members: members.into(), blocks: Box::default(), open: false };
        self.node(kind, module, block.type_place(), Some(frame))
    }

    /// Forgets the repetition of an earlier block if a later one is repeated in another way.
    fn forget_repetition(&mut self, known: DefinitionId, frame: FrameId) {
        if let Some(before) = self.program[known].repeated.filter(|&before| before != frame)
            && let Some(repeat) = self.program[before].repeat
        {
            self.program[repeat].kind = NodeKind::Later;
        }
    }

    /// Notes the variables that only the block has.
    pub(super) fn own_variables(&mut self, block: &Block, role: &Role, definition: DefinitionId) {
        let Some(name) = role.options.variables.as_ref().filter(|name| has_attribute(block.body(), name)) else {
            return;
        };
        let content = block.body().expected_content(&BodySchema::new().optional(name.clone())).into_value();
        let Some(map) = content.attribute(name).and_then(|map| map.expression().static_map().ok()) else { return };
        let names: HashSet<Box<str>> = map
            .iter()
            .filter_map(|(key, _)| {
                key.keyword().or_else(|| key.evaluate(&self.scope).ok()?.as_str().map(str::to_owned))
            })
            .map(String::into_boxed_str)
            .collect();
        self.program[definition].variables = (!names.is_empty()).then(|| Box::new(names));
    }

    /// The attributes that repeat a block, in the order in which they are written.
    fn repetitions(&mut self, block: &Block, role: &Role) -> Vec<(Repetition, Attribute)> {
        let options = &role.options;
        let simple = [(&options.for_each, Repetition::ForEach), (&options.count, Repetition::Count)];
        let simple = simple.into_iter().filter_map(|(name, by)| Some((&[][..], name.as_ref()?, by)));
        let enabled = options.enabled.iter().map(|(blocks, name)| (&blocks[..], name, Repetition::Enabled));
        let mut found = Vec::new();
        for (blocks, name, by) in simple.chain(enabled) {
            let can_have = match blocks.first() {
                Some(first) => has_block(block.body(), first),
                None => has_attribute(block.body(), name),
            };
            if !can_have {
                continue;
            }
            let mut bodies = vec![block.body().clone()];
            for block_type in blocks {
                let schema = BodySchema::new().block(block_type.clone(), &[]);
                let inner =
                    bodies.iter().flat_map(|body| body.expected_content(&schema).into_value().blocks().to_vec());
                bodies = inner.map(|block| block.body().clone()).collect();
            }
            let schema = BodySchema::new().optional(name.clone());
            found.extend(bodies.iter().filter_map(|body| {
                let content = body.expected_content(&schema).into_value();
                Some((by, content.attribute(name)?.clone()))
            }));
        }
        sort_by_key(&mut found, |(_, attribute)| attribute.name_place().span());
        found
    }

    /// The frame of a block that is repeated.
    pub(super) fn frame(&mut self, block: &Block, role: &Role, module: ModuleId, new: &New<'_>) -> Option<FrameId> {
        let repetitions = self.repetitions(block, role);
        // A block cannot be repeated in two ways.
        if let [(_, first), (_, second), ..] = &repetitions[..] {
            let (one, other) = (first.name(), second.name());
            let detail = format!("a block cannot have both \"{one}\" and \"{other}\"");
            // A schema reports the conflict at the same place, and with the same code.
            let error = Diagnostic::error(Code::ConflictingArguments, block.body().missing_item_place(), detail)
                .with_label(first.name_place(), "it is repeated by this")
                .with_label(second.name_place(), "and by this")
                .with_help("remove one of the two");
            self.diagnostics.push(error);
        }
        let Some((by, attribute)) = repetitions.into_iter().min_by_key(|(by, _)| *by) else {
            // A changed definition keeps its repetition.
            return self.changed(new, role).and_then(|known| self.program[known].repeated);
        };
        let frame = self.program.tables().frames.next_id();
        let kind = NodeKind::Repeat { frame, expression: attribute.expression().clone(), by };
        let node = self.node(kind, module, attribute.expression().place(), None);
        let parent = Some(self.program[module].frame);
        self.program.tables_mut().frames.push(Frame { parent, repeat: Some(node) });
        Some(frame)
    }
}
