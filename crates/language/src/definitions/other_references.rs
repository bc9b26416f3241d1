//! References outside of definitions: in blocks without a role and in nested blocks. They affect no value, but an
//! undefined name is an error there, too.

use std::collections::HashSet;
use std::rc::Rc;

use super::ConfigFile;
use super::ids::{FrameId, ModuleId};
use super::json_parts::{JsonParts, members_of};
use super::pattern::Step;
use super::program::Program;
use super::program::resolve::Site;
use super::role::{Kind, Role};
use super::roles::Roles;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::expression_of_json;
use hcl_lr::json::{NodeKind, Property};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{self, BlockNode, BodyItem, ExpressionNode, TraversalNode};

/// The names that blocks around an expression give it.
pub(super) struct Around<'t> {
    /// The type of the block that it is in.
    pub block_type: &'t str,
    iterator: Option<String>,
    /// The addresses of what is defined in a block without a role, as a `data` block in a `check`: only expressions in
    /// that block can refer to it.
    inside: Vec<Vec<String>>,
    outer: Option<Rc<Around<'t>>>,
}

impl<'t> Around<'t> {
    /// Around what is in a block of a file.
    pub fn top(block: BlockNode<'t>, roles: &Roles) -> Rc<Around<'t>> {
        let inside = match roles.of_block(block.block_type()) {
            Some(_) => Vec::new(),
            None => block.body().blocks().filter_map(|inner| address_of(inner, roles)).collect(),
        };
        Rc::new(Around { block_type: block.block_type(), iterator: None, inside, outer: None })
    }

    /// Returns true if a path leads to a definition in an enclosing block.
    pub fn defines(&self, path: TraversalNode<'_>) -> bool {
        let mut at = Some(self);
        while let Some(around) = at {
            if around.inside.iter().any(|address| leads_to(path, address)) {
                return true;
            }
            at = around.outer.as_deref();
        }
        false
    }

    /// Returns the items of a nested block that may have expressions, with their surroundings.
    pub fn items(
        block: BlockNode<'t>,
        outer: &Rc<Around<'t>>,
    ) -> impl Iterator<Item = (Rc<Around<'t>>, BodyItem<'t>)> + use<'t> {
        let (inner, outer) = (around_block(block, outer), outer.clone());
        let is_dynamic = block.block_type() == "dynamic";
        // The iterator is a new name, and no expression.
        let is_name =
            move |item: &BodyItem<'_>| matches!(item, BodyItem::Attribute(it) if is_dynamic && it.name() == "iterator");
        block.body().items().filter(move |item| !is_name(item)).map(move |item| {
            // The attributes of a `dynamic` block are evaluated outside of the generated blocks, except for their labels.
            let is_within = match item {
                BodyItem::Attribute(attribute) => !is_dynamic || attribute.name() == "labels",
                _ => true,
            };
            (if is_within { inner.clone() } else { outer.clone() }, item)
        })
    }

    /// Returns true if an enclosing block provides a variable.
    pub fn names(&self, name: &str) -> bool {
        let mut at = Some(self);
        while let Some(around) = at {
            if around.iterator.as_deref() == Some(name) {
                return true;
            }
            at = around.outer.as_deref();
        }
        false
    }
}

impl Drop for Around<'_> {
    /// Blocks nest as deep as a file says.
    fn drop(&mut self) {
        let mut outer = self.outer.take();
        while let Some(around) = outer.and_then(Rc::into_inner) {
            let mut around = around;
            outer = around.outer.take();
        }
    }
}

/// One error for each name that is not defined, in what no definition evaluates.
pub(super) fn undefined(program: &Program) -> Diagnostics {
    let mut found = Diagnostics::new();
    if !program.roles().checks_blocks() {
        return found;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for (number, module) in program.tables().modules.pairs() {
        // A module that is called twice has its files once.
        if module.key.as_deref().is_some_and(|key| !seen.insert(key)) {
            continue;
        }
        for document in &module.documents {
            match document {
                ConfigFile::Native(file) => {
                    for item in file.body().items() {
                        if let BodyItem::Block(block) = item {
                            top_block(program, block, number, &mut found);
                        }
                    }
                }
                // JSON does not tell which properties are blocks.
                ConfigFile::Json(document) => {
                    let parts = JsonParts::of(document, program.roles());
                    for member in members_of(document).filter(|member| !may_define(*member, program.roles())) {
                        for traversal in expression_of_json(document, member.value()).variables() {
                            if !parts.may_be_undefined(&traversal) {
                                look_up(program, &traversal, number, &mut found);
                            }
                        }
                    }
                }
            }
        }
    }
    found
}

/// Returns true if a property of JSON may be a block without a role that has definitions of its own.
pub(super) fn may_define(member: Property<'_>, roles: &Roles) -> bool {
    let has_role = |name: &str| roles.of_block(name).is_some();
    if has_role(&member.name()) {
        return false;
    }
    let mut waiting = vec![member.value()];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            NodeKind::Object(object) => {
                for member in object.properties() {
                    if has_role(&member.name()) {
                        return true;
                    }
                    waiting.push(member.value());
                }
            }
            NodeKind::Array(array) => waiting.extend(array.elements()),
            _ => {}
        }
    }
    false
}

/// Returns the names that `dynamic` blocks in files in JSON give to the blocks in them. JSON does not tell which
/// properties are blocks, so these names are defined everywhere.
pub(super) fn iterators_in_json(program: &Program) -> Vec<String> {
    let mut names = Vec::new();
    for document in program.tables().modules.iter().flat_map(|module| &module.documents) {
        let ConfigFile::Json(document) = document else { continue };
        let mut waiting = vec![(document.root(), false)];
        while let Some((node, is_dynamic)) = waiting.pop() {
            match node.kind() {
                NodeKind::Object(object) => {
                    for member in object.properties() {
                        let name = member.name();
                        if is_dynamic {
                            names.push(name.to_string());
                        }
                        if name == "iterator" {
                            names.extend(member.value().as_string().map(|text| text.text().into_owned()));
                        }
                        waiting.push((member.value(), name == "dynamic"));
                    }
                }
                NodeKind::Array(array) => waiting.extend(array.elements().map(|node| (node, is_dynamic))),
                _ => {}
            }
        }
    }
    names
}

fn top_block(program: &Program, block: BlockNode<'_>, module: ModuleId, found: &mut Diagnostics) {
    let role = program.roles().of_block(block.block_type());
    if role.is_some_and(|role| matches!(role.kind, Kind::Attributes | Kind::Inputs(_) | Kind::Function)) {
        return;
    }
    let top = Around::top(block, program.roles());
    let mut waiting: Vec<(Rc<Around<'_>>, BodyItem<'_>)> = Vec::new();
    for item in block.body().items() {
        let is_elsewhere = match item {
            BodyItem::Attribute(attribute) => role.is_none_or(|role| !evaluates(role, attribute.name())),
            BodyItem::Block(inner) => {
                role.is_none_or(|role| !role.options.blocks.iter().any(|it| it == inner.block_type()))
            }
            _ => false,
        };
        if is_elsewhere {
            waiting.push((top.clone(), item));
        }
    }
    while let Some((around, item)) = waiting.pop() {
        match item {
            BodyItem::Attribute(attribute)
                if program.roles().has_addresses(around.block_type, attribute.name())
                    || program.roles().is_unevaluated(around.block_type, attribute.name()) => {}
            BodyItem::Attribute(attribute) => {
                expression(program, attribute.expression(), role, &around, module, found);
            }
            BodyItem::Block(block) => waiting.extend(Around::items(block, &around)),
            _ => {}
        }
    }
}

/// Returns the surroundings of the items of a nested block.
fn around_block<'t>(block: BlockNode<'t>, outer: &Rc<Around<'t>>) -> Rc<Around<'t>> {
    let iterator = (block.block_type() == "dynamic").then(|| {
        let named = block.body().attribute("iterator").and_then(|attribute| attribute.expression().keyword());
        let label = || block.labels().next().map(|label| label.text().into_owned());
        named.map(str::to_owned).or_else(label).unwrap_or_default()
    });
    Rc::new(Around { block_type: block.block_type(), iterator, inside: Vec::new(), outer: Some(outer.clone()) })
}

/// The address that a block has by its role.
fn address_of(block: BlockNode<'_>, roles: &Roles) -> Option<Vec<String>> {
    let role = roles.of_block(block.block_type())?;
    let labels: Vec<_> = block.labels().map(|label| label.text().into_owned()).collect();
    let steps = role.pattern.0.iter().map(|step| match step {
        Step::Name(name) => Some(name.clone()),
        Step::Label(at) => labels.get(*at).cloned(),
        Step::Attribute => None,
    });
    steps.collect::<Option<Vec<_>>>().filter(|address| !address.is_empty())
}

fn leads_to(path: TraversalNode<'_>, address: &[String]) -> bool {
    let (root, rest) = address.split_first().map_or(("", &[][..]), |(root, rest)| (root.as_str(), rest));
    let mut steps = path.steps();
    let next = |name: &String| matches!(steps.next(), Some(ast::AccessStep::Attribute(step)) if step.text() == name);
    path.root().text() == root && rest.iter().all(next)
}

/// Returns true if an attribute is evaluated with its block.
fn evaluates(role: &Role, name: &str) -> bool {
    match &role.kind {
        Kind::Value { attribute } => attribute == name,
        // Its type is no reference, whatever its words are.
        Kind::Input(_) => true,
        Kind::Module { source } if source == name => false,
        Kind::Object | Kind::Module { .. } => !role.options.ignore.iter().any(|ignored| ignored == name),
        Kind::Attributes | Kind::Inputs(_) | Kind::Function | Kind::Later => false,
    }
}

fn expression(
    program: &Program,
    expression: ExpressionNode<'_>,
    role: Option<&Role>,
    around: &Around<'_>,
    module: ModuleId,
    found: &mut Diagnostics,
) {
    for path in expression.variables() {
        let root = path.root().text();
        let is_own = role.is_some_and(|role| role.options.itself.as_deref() == Some(root));
        if !is_own && !around.names(root) && !around.defines(path) {
            look_up(program, &Traversal::from(path), module, found);
        }
    }
}

fn look_up(program: &Program, traversal: &Traversal, module: ModuleId, found: &mut Diagnostics) {
    let site = Site { module, frame: FrameId::ROOT, block: None };
    found.extend(program.resolve_known(traversal, site).and_then(|resolved| resolved.problem));
}
