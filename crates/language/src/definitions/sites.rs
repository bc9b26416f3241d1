//! The positions of expressions in the files of the application, for readers that go through the files themselves.
//!
//! An expression in the block of a definition sees more than one at the top of a file: `each` or `count`, and the name by
//! which the block refers to itself. A block that is repeated has a position for each of its instances.

use std::collections::{HashMap, HashSet};

use super::evaluated::Evaluated;
use super::ids::{DefinitionId, FrameId, ModuleId, NodeId};
use super::instances::{GroupKind, Key};
use super::program::resolve::Site;
use super::program::{NodeKind, Use};
use super::state::Values;
use super::{Definition, program};
use hcl_lr::body::Expression;
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::syntax::Traversal;

/// The position of an expression, as far as it determines its value.
#[derive(Clone, Copy)]
pub(crate) struct BlockSite {
    site: Site,
    instance: Option<usize>,
}

impl BlockSite {
    /// The position of an expression outside of blocks that make definitions.
    pub const ROOT: BlockSite =
        BlockSite { site: Site { module: ModuleId::ROOT, frame: FrameId::ROOT, block: None }, instance: None };
}

/// The instances of a block that makes a definition.
pub(crate) struct BlockInstances<'e> {
    /// The expression that repeats the block.
    pub repeated_by: Option<&'e Expression>,
    /// False if the number of instances is not known. One stands for all of them then.
    pub is_known: bool,
    /// The instances, each with the text after its address, such as `["eu"]` or `[0]`.
    pub instances: Vec<(Option<String>, BlockSite)>,
}

/// The positions in the files of the application.
pub(crate) struct Sites<'e> {
    evaluated: &'e Evaluated,
    /// The definitions by the name of the source and the start of the header.
    blocks: HashMap<(&'e str, usize), DefinitionId>,
    /// The nodes that were searched for inputs without a value.
    searched: HashSet<NodeId>,
}

impl Evaluated {
    /// Returns the positions of expressions.
    pub(crate) fn sites(&self) -> Sites<'_> {
        let program = &self.state().program;
        let definitions = program.tables().definitions.ids().filter(|&id| program[id].module == ModuleId::ROOT);
        let key = |id: DefinitionId| {
            let place = &program[id].place;
            (place.source().name(), place.span().start())
        };
        Sites { evaluated: self, blocks: definitions.map(|id| (key(id), id)).collect(), searched: HashSet::new() }
    }
}

impl<'e> Sites<'e> {
    /// Returns the instances of the block with a header. `None` if it makes no definition.
    pub fn instances_of(&self, header: &Place) -> Option<BlockInstances<'e>> {
        let state = self.evaluated.state();
        let program: &'e program::Program = &state.program;
        let number = *self.blocks.get(&(header.source().name(), header.span().start()))?;
        let entry = &program[number];
        let site = |frame: FrameId, instance: Option<usize>| BlockSite {
            site: Site { module: ModuleId::ROOT, frame, block: Some(number) },
            instance,
        };
        let Some(frame) = entry.repeated else {
            let instances = vec![(None, site(program[entry.node].frame, None))];
            return Some(BlockInstances { repeated_by: None, is_known: true, instances });
        };
        let repeated_by = Definition { program, number }.repeated_by();
        let all = state.instances(frame);
        let is_known = all.groups.iter().all(|group| group.kind != GroupKind::Unknown);
        let text = |key: &Key| match key {
            Key::Index(index) => Some(format!("[{index}]")),
            Key::Each { name, .. } => Some(format!("[{}]", Value::from(&**name))),
            Key::Only | Key::Unknown(_) => None,
        };
        let instances = all.keys.iter().enumerate().map(|(at, key)| (text(key), site(frame, Some(at)))).collect();
        Some(BlockInstances { repeated_by, is_known, instances })
    }

    /// Returns the expression that repeats the block at a position, by `for_each` or `count`.
    pub fn repetition_of(&self, site: BlockSite) -> Option<&'e Expression> {
        let program: &'e program::Program = &self.evaluated.state().program;
        let definition = Definition { program, number: site.site.block? };
        definition.is_repeated().then(|| definition.repeated_by())?
    }

    /// Returns the scope for an expression.
    pub fn scope_of(&self, expression: &Expression, site: BlockSite) -> Scope<'e> {
        self.evaluated.scope_at(expression, site.site, site.instance)
    }

    /// Returns the values of references.
    pub fn variables_for(&self, references: &[Traversal], site: BlockSite) -> HashMap<String, Value> {
        self.evaluated.variables_of(self.uses(references, site), site.site, site.instance)
    }

    /// Returns the scope of all expressions, without the names that the files define.
    pub fn outer_scope(&self) -> &'e Scope<'static> {
        self.evaluated.base_scope()
    }

    /// Returns the inputs without a value because of which a reference has no known value, in the order of the files. Those
    /// that an earlier call returned are left out, so that all calls together search each node once.
    pub fn missing_inputs(&mut self, reference: Option<&Traversal>, site: BlockSite) -> Vec<Definition<'e>> {
        let state = self.evaluated.state();
        let program: &'e program::Program = &state.program;
        let uses = self.uses(reference.map(std::slice::from_ref).unwrap_or_default(), site);
        let mut waiting: Vec<NodeId> = uses.iter().flat_map(|one| one.target.nodes(&program.tables().frames)).collect();
        // The `for_each` of a block decides about everything in it.
        let mut frame = Some(site.site.frame);
        while let Some(number) = frame {
            waiting.extend(program[number].repeat);
            frame = program[number].parent;
        }
        let mut missing = Vec::new();
        while let Some(number) = waiting.pop() {
            if !self.searched.insert(number) || state.values[number].get().is_some_and(is_wholly_known) {
                continue;
            }
            let node = &program[number];
            match &node.kind {
                NodeKind::Input(input) if node.module == ModuleId::ROOT => {
                    let has_value = input.default.is_some() || input.otherwise.is_some();
                    let is_given = input.name.as_ref().is_some_and(|name| state.given.contains(name));
                    missing.extend(node.definition.filter(|_| !has_value && !is_given));
                }
                _ => waiting.extend(node.needs.iter().map(|need| need.node)),
            }
        }
        missing.sort_unstable();
        missing.into_iter().map(|number| Definition { program, number }).collect()
    }

    fn uses(&self, references: &[Traversal], site: BlockSite) -> Vec<Use> {
        let program = &self.evaluated.state().program;
        let mut uses = Vec::new();
        for reference in references {
            if let Some(resolved) = program.resolve_known(reference, site.site) {
                program.add_uses(resolved, site.site.module, || None, &mut uses);
            }
        }
        uses
    }
}

fn is_wholly_known(values: &Values) -> bool {
    match values {
        Values::One(value) => value.is_wholly_known(),
        Values::Many(values) => values.iter().all(Value::is_wholly_known),
    }
}
