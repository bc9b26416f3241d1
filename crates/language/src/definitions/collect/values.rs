//! Collects blocks with a single value: inputs, results, functions.

use std::sync::{Arc, LazyLock};

use super::names::has_block;
use super::{Collector, New};
use crate::definitions::function::OwnFunction;
use crate::definitions::ids::{DefinitionId, FrameId, ModuleId, NodeId, RoleId};
use crate::definitions::program::{Check, InputNode, NodeKind};
use crate::definitions::role::{InputOptions, Role};
use crate::definitions::types;
use hcl_lr::body::{Attribute, Block, Body, BodySchema, Content};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::used_parts::is_known;
use hcl_lr::internal::{FunctionDefinition as Definition, VARIADIC};
use hcl_lr::model::{Type, Value};
use hcl_lr::type_expr::Constraint;

/// The parts of the block of an input.
static INPUT: LazyLock<BodySchema> = LazyLock::new(|| {
    let attributes = ["default", "type", "nullable", "sensitive", "ephemeral"];
    attributes.into_iter().fold(BodySchema::new(), BodySchema::optional).block("validation", &[])
});

impl Collector<'_> {
    pub(super) fn input(&mut self, block: &Block, role: &Role, new: New<'_>, options: &InputOptions) {
        let content = self.part_of(block.body(), &INPUT);
        let constraint = self.constraint(&content);
        let default = content.attribute("default");
        let default =
            default.map(|attribute| self.expression(attribute.expression(), new.module, attribute.name_place(), None));
        if let Some(node) = default {
            self.set_alone(node, options);
        }
        let is_root = self.program[new.module].parent.is_none();
        let given = block.labels().last().map(|label| label.text().to_owned()).unwrap_or_default();
        // Without a value, an input with a type is null.
        let otherwise = options.otherwise.as_ref().map(|value| match &constraint {
            Some(constraint) => Value::null(constraint.ty().without_optional_attributes()),
            None => value.clone(),
        });
        let mut input = InputNode {
            name: is_root.then(|| given.clone()),
            argument: None,
            default,
            constraint,
            nullable: self.flag(&content, "nullable", true).unwrap_or(true),
            // A value whose flag is invalid counts as sensitive.
            sensitive: self.flag(&content, "sensitive", true).unwrap_or(false),
            ephemeral: self.ephemeral_flag(&content).unwrap_or(false),
            otherwise,
            is_constant: options.is_constant,
            typed_by_default: options.typed_by_default,
        };
        if let Some(known) = self.changed(&new, role) {
            // Settings missing in this block stay as they were.
            if let NodeKind::Input(known) = &self.program[self.program[known].node].kind {
                input.default = input.default.or(known.default);
                input.constraint = input.constraint.or_else(|| known.constraint.clone());
                input.nullable = content.attribute("nullable").map_or(known.nullable, |_| input.nullable);
                input.sensitive = content.attribute("sensitive").map_or(known.sensitive, |_| input.sensitive);
                input.ephemeral = content.attribute("ephemeral").map_or(known.ephemeral, |_| input.ephemeral);
            }
        }
        let module = new.module;
        let node = self.node(NodeKind::Input(Box::new(input)), module, new.name_place.clone(), None);
        let Some((definition, _)) = self.define(new, role, node, None, Vec::new(), None) else { return };
        self.program[module].inputs.insert(given, node);
        if let Some(default) = default {
            self.program[default].definition = Some(definition);
        }
        for check in content.blocks_of_type("validation") {
            self.check(check, module, Some(definition), None);
        }
    }

    /// Reads the type in a block.
    fn constraint(&mut self, content: &Content) -> Option<Constraint> {
        let read = types::constraint(content.attribute("type")?.expression(), &self.scope);
        read.map_err(|problems| self.diagnostics.append(problems)).ok()
    }

    /// An attribute that is an input, with its default.
    pub(super) fn input_of(
        &mut self,
        attribute: &Attribute,
        role: &Role,
        new: New<'_>,
        options: &InputOptions,
        default: NodeId,
    ) {
        self.set_alone(default, options);
        let module = new.module;
        let is_root = self.program[module].parent.is_none();
        let input = InputNode {
            name: is_root.then(|| attribute.name().to_owned()),
            argument: None,
            default: Some(default),
            constraint: None,
            nullable: true,
            sensitive: false,
            ephemeral: false,
            otherwise: None,
            is_constant: options.is_constant,
            typed_by_default: options.typed_by_default,
        };
        let node = self.node(NodeKind::Input(Box::new(input)), module, new.name_place.clone(), None);
        let Some((definition, _)) = self.define(new, role, node, None, Vec::new(), None) else { return };
        self.program[module].inputs.insert(attribute.name().to_owned(), node);
        self.program[default].definition = Some(definition);
    }

    /// Makes a default one that sees no names, if its role says so.
    fn set_alone(&mut self, default: NodeId, options: &InputOptions) {
        if let NodeKind::Expression { alone, .. } = &mut self.program[default].kind {
            *alone = options.is_constant;
        }
    }

    /// The blocks in a block that say what must hold.
    pub(super) fn checks_in(
        &mut self,
        block: &Block,
        role: &Role,
        module: ModuleId,
        definition: DefinitionId,
        frame: Option<FrameId>,
    ) {
        for path in &role.options.checks {
            if path.first().is_some_and(|first| !has_block(block.body(), first)) {
                continue;
            }
            let mut blocks = vec![block.clone()];
            for block_type in path {
                let schema = BodySchema::new().block(block_type.clone(), &[]);
                let inner = blocks.iter().flat_map(|block| {
                    let content = block.body().expected_content(&schema).into_value();
                    content.blocks().to_vec()
                });
                blocks = inner.collect();
            }
            for check in &blocks {
                let node = self.check(check, module, Some(definition), frame);
                if let Some(node) = node {
                    self.program[node].block = Some(definition);
                }
            }
        }
    }

    /// The conditions in blocks that define nothing, whose failures are warnings. If there are definitions in the block, which
    /// only it sees, nothing is known of them.
    pub(super) fn checks_without_role(&mut self, body: &Body, module: ModuleId) {
        let roles = self.program.roles().clone();
        for (block_type, labels, condition) in roles.conditions() {
            let schema =
                BodySchema::new().block(block_type.clone(), &labels.iter().map(String::as_str).collect::<Vec<_>>());
            let ((content, _), _) = body.partial_content(&schema).into_parts();
            for block in content.blocks() {
                let defines = |role: &Role| {
                    let Some(name) = role.block_type.as_ref().filter(|name| has_block(block.body(), name)) else {
                        return false;
                    };
                    let labels: Vec<&str> = role.label_names().iter().map(String::as_str).collect();
                    let schema = BodySchema::new().block(name.clone(), &labels);
                    !block.body().expected_content(&schema).into_value().blocks().is_empty()
                };
                if roles.roles.iter().any(defines) {
                    continue;
                }
                let inner =
                    block.body().expected_content(&BodySchema::new().block(condition.clone(), &[])).into_value();
                for check in inner.blocks() {
                    self.check(check, module, None, None);
                }
            }
        }
    }

    pub(super) fn check(
        &mut self,
        block: &Block,
        module: ModuleId,
        definition: Option<DefinitionId>,
        frame: Option<FrameId>,
    ) -> Option<NodeId> {
        let schema = BodySchema::new().required("condition").optional("error_message");
        let content = self.part_of(block.body(), &schema);
        let condition = content.attribute("condition")?;
        let message = content.attribute("error_message").map(|message| message.expression().clone());
        // Without a definition, no value depends on it.
        let warns = definition.is_none();
        let check = Check { condition: condition.expression().clone(), message, warns };
        let kind = NodeKind::Check(Box::new(check));
        let node = self.node(kind, module, condition.expression().place(), frame);
        self.program[node].definition = definition;
        Some(node)
    }

    pub(super) fn value(&mut self, block: &Block, role: &Role, new: New<'_>, attribute: &str) {
        let schema = BodySchema::new().optional(attribute).optional("sensitive").optional("ephemeral");
        let schema = if self.is_apart(role, "type") { schema.optional("type") } else { schema };
        let content = self.part_of(block.body(), &schema);
        let sensitive = self.flag(&content, "sensitive", true).unwrap_or(false);
        let ephemeral = self.ephemeral_flag(&content).unwrap_or(false);
        if ephemeral && new.module == ModuleId::ROOT && role.pattern.is_empty() {
            self.ephemeral_results.extend(content.attribute("ephemeral").map(Attribute::place));
        }
        let own = self.constraint(&content).map(Box::new);
        let changed = self.changed(&new, role).map(|known| self.program[known].node);
        let (in_open_block, alone, apart) = (false, false, false);
        let kind = match (content.attribute(attribute), changed.map(|known| &self.program[known].kind)) {
            (None, Some(NodeKind::Expression { expression, sensitive: known, ephemeral: was, constraint, .. })) => {
                let (expression, constraint) = (expression.clone(), own.or_else(|| constraint.clone()));
                let sensitive = content.attribute("sensitive").map_or(*known, |_| sensitive);
                let ephemeral = content.attribute("ephemeral").map_or(*was, |_| ephemeral);
                NodeKind::Expression { expression, sensitive, ephemeral, in_open_block, alone, apart, constraint }
            }
            (Some(value), known) => {
                let known = known.and_then(|known| match known {
                    NodeKind::Expression { constraint, .. } => constraint.clone(),
                    _ => None,
                });
                let (expression, constraint) = (value.expression().clone(), own.or(known));
                NodeKind::Expression { expression, sensitive, ephemeral, in_open_block, alone, apart, constraint }
            }
            (None, _) => {
                self.part_of(block.body(), &BodySchema::new().required(attribute));
                NodeKind::Later
            }
        };
        let (module, is_result, name) = (new.module, role.pattern.is_empty(), new.name.clone());
        let node = self.node(kind, module, new.name_place.clone(), None);
        let defined = self.define(new, role, node, None, Vec::new(), None);
        if let Some((definition, _)) = defined {
            self.checks_in(block, role, module, definition, None);
            self.names_in(block, &role.options.names, module, Some(definition), 0);
        }
        if defined.is_some() && is_result {
            self.program[module].results.push((name, node));
        }
    }

    /// Returns the value of an attribute that is `true` or `false`, or a string that converts to one of them. It must
    /// be a constant; otherwise it is an error, and counts as `if_wrong`.
    pub(super) fn flag(&mut self, content: &Content, name: &str, if_wrong: bool) -> Option<bool> {
        let attribute = content.attribute(name)?;
        let value = attribute.evaluate(&self.scope).ok().and_then(|value| value.convert(&Type::Bool).ok());
        match value {
            Some(value) if value.is_null() => None,
            value => value.and_then(|value| value.as_bool()).or_else(|| {
                let detail = format!("\"{name}\" must be a literal `true` or `false`");
                let place = attribute.expression().place();
                self.diagnostics.push(Diagnostic::error(Code::InvalidArgumentValue, &place, detail));
                Some(if_wrong)
            }),
        }
    }

    /// Returns the flag `ephemeral` of an input or result, if the language has it. An invalid one counts as true.
    fn ephemeral_flag(&mut self, content: &Content) -> Option<bool> {
        if !self.program.roles().protects_ephemeral() {
            return None;
        }
        self.flag(content, "ephemeral", true)
    }

    pub(super) fn function(&mut self, block: &Block, role: RoleId, module: ModuleId) {
        let roles = self.program.roles().clone();
        let rest = roles.roles[role].options.variadic.as_deref().unwrap_or(VARIADIC);
        let Some(definition) = Definition::read(block, rest, &mut self.diagnostics) else { return };
        let Some(label) = block.labels().first() else { return };
        let number = self.program.tables().functions.next_id();
        let node = self.node(NodeKind::Function(number), module, label.place().clone(), None);
        let new = New {
            role,
            module,
            address: vec![block.block_type(), label.text()],
            aliases: Vec::new(),
            name: label.text().into(),
            name_place: label.place().clone(),
            place: block.header_place(),
        };
        if self.define(new, &roles.roles[role], node, None, Vec::new(), None).is_some() {
            let own = OwnFunction { name: label.text().into(), definition: Arc::new(definition), node, module };
            self.program[module].has_functions = true;
            self.program[module].has_other_functions |= is_known(label.text());
            self.program.tables_mut().functions.push(Arc::new(own));
        }
    }
}
