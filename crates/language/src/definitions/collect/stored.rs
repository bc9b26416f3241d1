//! Collects the arguments of blocks in stored blocks, which may not be ephemeral, though they are part of no value. Also
//! reports the results of an application that say they are ephemeral.

use super::Collector;
use super::names::has_block;
use crate::definitions::ids::{FrameId, Id, ModuleId, NodeId};
use crate::definitions::program::{Iterators, NodeKind, Stored};
use crate::definitions::role::Role;
use hcl_lr::body::{Body, BodySchema, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::Written;
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode};

impl Collector<'_> {
    /// Reports results of the application that say they are ephemeral. Files are certainly no module of another
    /// application only if they have a block that modules cannot have.
    pub(super) fn check_ephemeral_results(&mut self) {
        let places = std::mem::take(&mut self.ephemeral_results);
        if places.is_empty() || !self.is_application() {
            return;
        }
        for place in places {
            let detail = "results of the application are stored; only those of modules can be ephemeral";
            self.diagnostics
                .push(Diagnostic::error(Code::EphemeralValue, &place, detail).with_help("remove this line"));
        }
    }

    /// Removes the work for arguments of blocks in stored blocks, if no value is ephemeral, as in most programs.
    pub(super) fn forget_stored_blocks(&mut self) {
        let tables = self.program.tables();
        let roles = &self.program.roles().roles;
        let says_so = |node: NodeId| match &self.program[node].kind {
            NodeKind::Input(input) => input.ephemeral,
            NodeKind::Expression { ephemeral, .. } => *ephemeral,
            _ => false,
        };
        let has_ephemeral = tables.definitions.iter().any(|entry| roles[entry.role].options.ephemeral)
            || tables.modules.iter().any(|module| {
                let results = module.results.iter().map(|(_, node)| *node);
                module.inputs.values().copied().chain(results).any(says_so)
            });
        if has_ephemeral {
            return;
        }
        for node in self.program.tables_mut().nodes.starting_at(NodeId::new(0)) {
            if let NodeKind::Stored(_) = node.kind {
                node.kind = NodeKind::Later;
            }
        }
    }

    fn is_application(&self) -> bool {
        let roles = self.program.roles();
        let documents = &self.program[ModuleId::ROOT].documents;
        documents.iter().any(|document| {
            let body = document.body();
            roles.application_blocks().iter().any(|(outer, inner)| {
                let content = body.expected_content(&BodySchema::new().block(outer.clone(), &[])).into_value();
                content.blocks().iter().any(|block| has_block(block.body(), inner))
            })
        })
    }

    /// Makes nodes for the arguments of the blocks in a stored block. In JSON all properties are attributes, so that
    /// there are none.
    pub(super) fn stored_blocks(&mut self, body: &Body, role: &Role, module: ModuleId, frame: FrameId) {
        if role.options.stored.is_none() || !self.program.roles().protects_ephemeral() {
            return;
        }
        let Written::Native(node, _) = body.written() else { return };
        let is_part = |block: &BlockNode<'_>| !role.options.ignore.iter().any(|name| name == block.block_type());
        let mut waiting: Vec<(BlockNode<'_>, Iterators)> =
            node.blocks().filter(is_part).map(|block| (block, Vec::new())).collect();
        while let Some((block, mut iterators)) = waiting.pop() {
            let mut add = |attribute: AttributeNode<'_>, is_collection: bool| {
                let expression = Expression::from(attribute.expression());
                // Constants are not ephemeral.
                if !is_collection && expression.variables().is_empty() {
                    return None;
                }
                let stored = Stored { expression, iterators: iterators.clone(), is_collection };
                let place = Place::new(block.body().shared_source(), attribute.name_token().span());
                Some(self.node(NodeKind::Stored(Box::new(stored)), module, place, Some(frame)))
            };
            if block.block_type() == "dynamic" {
                let collection = block.body().attribute("for_each").and_then(|attribute| add(attribute, true));
                let named = block.body().attribute("iterator").and_then(|named| named.expression().keyword());
                let label = || block.labels().next().map(|label| label.text().into_owned());
                iterators.extend(named.map(str::to_owned).or_else(label).map(|name| (name, collection)));
            } else {
                for attribute in block.body().attributes().filter(|attribute| !role.is_write_only(attribute.name())) {
                    add(attribute, false);
                }
            }
            waiting.extend(block.body().blocks().map(|inner| (inner, iterators.clone())));
        }
    }
}
