//! Roles of definitions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{MAX_DEPTH, MAX_REPEATED};
use crate::definitions::{CompanionFiles, Role, Roles, StringReferences};
use crate::schema::check::Kinds;
use crate::schema::index::{Layers, SchemaIndex};
use crate::schema::model::{
    Attribute, AttributeRole, Block, BlockRole, Defines, DefinitionKind, Files, NameIn, Schema, Type,
};
use hcl_lr::functions;
use hcl_lr::model::Value;
use hcl_lr::stack;

impl Schema {
    /// Returns the table of roles for the files of the language that [define names](Self::defining_files). Files with
    /// values for them, and tests, are companions.
    pub fn roles(&self) -> Roles {
        let index = SchemaIndex::new(self);
        let mut roles = Roles::new();
        let mut sets = self.functions.iter().map(|set| set.functions());
        if let Some(first) = sets.next() {
            // Functions with side effects or outside input exist, but their results are known only later.
            let namespaces = self.functions.iter().filter_map(|set| set.namespace());
            let starts = || namespaces.clone().map(|namespace| format!("{namespace}::")).chain([String::new()]);
            let entries = functions::host_entries().iter();
            let host = entries.flat_map(|entry| starts().map(move |start| start + entry.name()));
            roles = roles.with_functions(sets.fold(first, |all, set| all.with_all(&set))).with_later_functions(host);
        }
        roles = roles.with_later_functions(self.later_functions.iter().cloned());
        for name in &self.later {
            roles = roles.with_later(name);
        }
        if self.protects_sensitive {
            roles = roles.protecting_sensitive();
        }
        if self.protects_ephemeral {
            roles = roles.protecting_ephemeral();
        }
        for (outer, inner) in self.application.iter().filter_map(|path| path.split_once('.')) {
            roles = roles.with_application_blocks(outer, inner);
        }
        if self.undefined_is_text {
            roles = roles.with_undefined_as_text();
        }
        for path in &self.elsewhere {
            roles = match path.split_once('.') {
                Some((block, name)) => roles.with_elsewhere(block, name),
                None => roles.with_given_elsewhere(path),
            };
        }
        if self.checks_names {
            roles = roles.checking_blocks();
        }
        // A definition in another block has no role, and is only known later.
        let known = Kinds::of(self);
        roles = roles.with_scoped_names(known.scoped().chain(known.roots()));
        let maker = Maker { index: &index, kinds: kinds(&index, &self.files), steps: AtomicUsize::new(0) };
        let defining: Vec<&Files> = self.defining_files().collect();
        for files in &defining {
            for name in &files.overrides {
                roles = roles.with_overriding_files(name);
            }
            if let Some(layers) = index.files(files) {
                roles = maker.body(&layers, roles);
            }
        }
        for files in self.files.iter().filter(|files| !defining.iter().any(|other| other.name == files.name)) {
            if let Some(companions) = maker.companions(files) {
                roles = roles.with_companions(companions);
                if let Some(layers) = index.files(files) {
                    roles = maker.addresses(&layers, roles);
                }
            }
        }
        roles
    }
}

/// Returns the addresses of the definitions of each kind that expressions see.
fn kinds(index: &SchemaIndex, files: &[Files]) -> Vec<(String, String)> {
    let mut kinds = Vec::new();
    let mut add = |defines: &Defines| {
        if let Some(address) = defines.address.as_ref().filter(|_| !defines.apart) {
            kinds.push((defines.kind.clone(), address.clone()));
        }
    };
    let layers = files.iter().filter_map(|files| index.files(files));
    for layers in layers {
        let own = layers.attributes().chain(layers.free_attribute());
        own.filter_map(|attribute| attribute.defines.as_ref()).for_each(&mut add);
        for block in layers.blocks() {
            block.defines.iter().for_each(&mut add);
            let Some((_, inner)) = layers.block(&block.name) else { continue };
            let own = inner.attributes().chain(inner.free_attribute());
            own.filter_map(|attribute| attribute.defines.as_ref()).for_each(&mut add);
        }
    }
    kinds
}

struct Maker<'i> {
    index: &'i SchemaIndex,
    kinds: Vec<(String, String)>,
    /// The number of bodies visited. Bodies can contain each other in very many ways.
    steps: AtomicUsize,
}

/// An attribute or label that names definitions, by its path.
struct Naming {
    path: String,
    names: NameIn,
}

/// The maximum number of bodies to visit for a table, many times that of the largest shipped language.
const MAX_STEPS: usize = 200_000;

impl<'i> Maker<'i> {
    /// Counts a visited body. Returns false if there were too many.
    fn may_go_on(&self) -> bool {
        self.steps.fetch_add(1, Ordering::Relaxed) < MAX_STEPS
    }

    /// Adds the roles of the top level of files.
    fn body(&self, layers: &Layers<'i>, mut roles: Roles) -> Roles {
        if !layers.is_open() && layers.free_block().is_none() {
            roles = roles.with_only_blocks(layers.blocks().map(|block| block.name.clone()));
        }
        if let Some(defines) = layers.free_attribute().and_then(|attribute| attribute.defines.as_ref()) {
            let address = defines.address.as_deref().unwrap_or_default();
            roles = roles.with(Role::top_level(address).duplicates(defines.duplicates));
        } else if layers.attributes().next().is_some() {
            // Their values are used, but nothing refers to them.
            roles = roles.with(Role::top_level(""));
        }
        roles = named_attributes(layers, None, roles);
        for attribute in layers.attributes() {
            if let Some(mut names) = self.names(&attribute.ty, 0) {
                names.optional |= names.kinds.is_empty();
                roles = roles.with_names(self.references(Naming { path: attribute.name.clone(), names }));
            }
        }
        for block in layers.blocks() {
            let Some((block, inner)) = layers.block(&block.name) else { continue };
            let defaults = self.defaults(block, &inner);
            let inner = self.with_all_cases(inner);
            let role = self.role(block, &inner);
            let with_default = |role: Role, (name, value)| role.with_default(name, value);
            let role = role.map(|role| defaults.into_iter().fold(role, with_default));
            let generates = inner.dynamic().or(layers.dynamic()) == Some(true);
            let role = role.map(|role| if generates { role.with_dynamic_blocks() } else { role });
            let mut namings = Vec::new();
            let mut path = String::new();
            if role.is_none() {
                path = step(&path, block);
            }
            self.namings(&inner, &path, role.is_none(), &mut namings, &mut Vec::new());
            match role {
                Some(role) => {
                    let role = namings.into_iter().fold(role, |role, naming| role.names(self.references(naming)));
                    roles = roles.with(role);
                }
                None => {
                    if block.defines.is_none() {
                        for check in inner.blocks().filter(|inner| inner.role == Some(BlockRole::Check)) {
                            let labels = block.labels.iter().map(|label| label.name.clone());
                            roles = roles.with_conditions(&block.name, labels, &check.name);
                        }
                    }
                    for naming in namings {
                        roles = roles.with_names(self.references(naming));
                    }
                }
            }
            roles = named_attributes(&inner, Some(block), roles);
        }
        self.addresses(layers, roles)
    }

    /// Returns the role of the blocks of a type, if they make definitions.
    fn role(&self, block: &Block, inner: &Layers<'i>) -> Option<Role> {
        if let Some(defines) = inner.free_attribute().and_then(|attribute| attribute.defines.as_ref()) {
            let address = defines.address.as_deref().unwrap_or_default();
            let role = match defines.value {
                DefinitionKind::Input => Role::inputs(&block.name, address),
                _ => Role::attributes(&block.name, address),
            };
            return Some(with_defaults(role, defines).duplicates(defines.duplicates));
        }
        let defines = block.defines.as_ref().filter(|defines| !defines.apart)?;
        let address = defines.address.as_deref().unwrap_or_default();
        let with_role = |role| {
            inner.attributes().find(|attribute| attribute.role == Some(role)).map(|attribute| attribute.name.as_str())
        };
        let name = &block.name;
        let mut role = match defines.value {
            DefinitionKind::Object => Role::object(name, address),
            DefinitionKind::Input => Role::input(name, address),
            DefinitionKind::Value => Role::value(name, address, with_role(AttributeRole::Value)?),
            DefinitionKind::Module => Role::module(name, address, with_role(AttributeRole::Source)?),
            DefinitionKind::Later => Role::later(name, address),
            DefinitionKind::Function => {
                let role = Role::function(name);
                return Some(match with_role(AttributeRole::Variadic) {
                    Some(name) => role.variadic(name),
                    None => role,
                });
            }
        };
        role = role.labels(block.labels.iter().map(|label| label.name.clone()));
        role = with_defaults(role, defines);
        if defines.nested {
            role = role.nested();
        }
        if let Some(path) = self.enabled(inner, "", 0) {
            role = role.enabled(&path);
        }
        if defines.open {
            role = role.open();
        }
        if defines.by_attribute {
            role = role.by_attribute();
        }
        if defines.whole {
            role = role.whole();
        }
        if defines.ephemeral {
            role = role.ephemeral();
        }
        if defines.stored {
            role = role.stored(defines.write_only.iter().cloned());
        }
        let meta = inner
            .attributes()
            .filter(|attribute| attribute.role == Some(AttributeRole::Meta))
            .map(|attribute| attribute.name.clone());
        role = role.ignore(meta);
        let meta = inner
            .blocks()
            .filter(|inner_block| inner_block.role == Some(BlockRole::Meta))
            .map(|inner_block| inner_block.name.clone());
        role = role.ignore(meta);
        for inner_block in inner.blocks().filter(|inner_block| inner_block.role == Some(BlockRole::Value)) {
            role = role.with_blocks(inner_block.name.clone());
        }
        if let Some(name) = with_role(AttributeRole::ForEach) {
            role = role.for_each(name);
        }
        if let Some(name) = with_role(AttributeRole::Count) {
            role = role.count(name);
        }
        if let Some(name) = with_role(AttributeRole::Variables) {
            role = role.variables(name);
        }
        if let Some(name) = &defines.itself {
            role = role.itself(name);
        }
        // The conditions of inputs have a meaning of their own.
        if defines.value != DefinitionKind::Input {
            let mut checks = Vec::new();
            self.checks(inner, "", &mut checks, 0);
            for path in checks {
                role = role.checks(&path);
            }
        }
        for address in &defines.aliases {
            role = role.alias(address);
        }
        Some(role.duplicates(defines.duplicates))
    }

    /// Returns the values of attributes that a block does not set, if the block makes a definition that is an object. What
    /// a case adds has no value before the case is known.
    fn defaults(&self, block: &Block, inner: &Layers<'i>) -> Vec<(String, Value)> {
        if block.defines.as_ref().is_none_or(|defines| defines.value != DefinitionKind::Object) {
            return Vec::new();
        }
        let is_part = |attribute: &&Arc<Attribute>| {
            attribute.role.is_none() && attribute.defines.is_none() && !self.index.is_unevaluated(&attribute.ty)
        };
        let attributes = inner.attributes().filter(is_part);
        attributes.filter_map(|attribute| Some((attribute.name.clone(), attribute.default.clone()?))).collect()
    }

    /// Collects the paths of blocks with conditions.
    fn checks(&self, layers: &Layers<'i>, path: &str, found: &mut Vec<String>, depth: usize) {
        if depth > 2 || !self.may_go_on() {
            return;
        }
        for block in layers.blocks() {
            let path = if path.is_empty() { block.name.clone() } else { format!("{path}.{}", block.name) };
            match block.role {
                Some(BlockRole::Check) => found.push(path),
                _ => {
                    if let Some((_, inner)) = layers.block(&block.name) {
                        self.checks(&inner, &path, found, depth + 1);
                    }
                }
            }
        }
    }

    /// Returns the path of the attribute that decides if there is an instance.
    fn enabled(&self, layers: &Layers<'i>, path: &str, depth: usize) -> Option<String> {
        if let Some(enabled) = layers.attributes().find(|attribute| attribute.role == Some(AttributeRole::Enabled)) {
            return Some(join(path, &enabled.name));
        }
        let mut inner = layers.blocks().filter(|block| block.role == Some(BlockRole::Meta) && depth < 2);
        inner.find_map(|block| self.enabled(&layers.block(&block.name)?.1, &join(path, &block.name), depth + 1))
    }

    /// Returns the contents with those of all cases.
    fn with_all_cases(&self, layers: Layers<'i>) -> Layers<'i> {
        let cases: Vec<_> = layers.matches().flat_map(|matched| &matched.cases).map(|case| case.body.clone()).collect();
        let mut layers = layers;
        for body in cases {
            if let Some(inner) = self.index.of_body(&body) {
                layers.add_all(&inner);
            }
        }
        layers
    }

    /// Collects the attributes and labels that name definitions.
    fn namings(
        &self,
        layers: &Layers<'i>,
        path: &str,
        without_role: bool,
        found: &mut Vec<Naming>,
        above: &mut Vec<usize>,
    ) {
        let identity = layers.identity();
        if !self.may_go_on()
            || above.len() >= MAX_DEPTH
            || above.iter().filter(|outer| **outer == identity).count() >= MAX_REPEATED
        {
            return;
        }
        above.push(identity);
        for attribute in layers.attributes() {
            let Some(mut names) = self.names(&attribute.ty, 0) else { continue };
            names.optional |= without_role && names.kinds.is_empty();
            let path = join(path, &attribute.name);
            found.push(Naming { path, names });
        }
        for block in layers.blocks() {
            let Some((block, inner)) = layers.block(&block.name) else { continue };
            let path = step(path, block);
            if let Some(label) = block.labels.last()
                && let Some(names) = self.names(&label.ty, 0)
            {
                found.push(Naming { path: path.clone(), names });
            }
            let inner = self.with_all_cases(inner);
            stack::with_room(|| self.namings(&inner, &path, without_role, found, above));
        }
        above.pop();
    }

    /// Returns the way in which the strings of a type name definitions.
    fn names(&self, ty: &Type, depth: usize) -> Option<NameIn> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.index.resolve(ty) {
            Type::Name(name) => Some((**name).clone()),
            Type::Reference(kinds) if self.are_seen(kinds) => Some(NameIn::default()),
            // An address may be that of a definition that no longer exists.
            Type::Address(kinds) if !kinds.is_empty() && self.are_seen(kinds) => {
                Some(NameIn { optional: true, ..NameIn::default() })
            }
            Type::List(inner) | Type::Set(inner) | Type::Map(inner) => self.names(inner, depth + 1),
            Type::OneOf(types) => types.iter().find_map(|ty| self.names(ty, depth + 1)),
            Type::Tuple(types) => self.names_of_all(types.iter(), depth),
            Type::Object(object) if object.others.is_none() => {
                self.names_of_all(object.attributes.iter().map(|attribute| &attribute.ty), depth)
            }
            Type::Part(name) => {
                let layers = self.index.part(name)?;
                let types: Vec<&Type> = layers.attributes().map(|attribute| &attribute.ty).collect();
                let is_closed = layers.blocks().next().is_none() && layers.free_attribute().is_none();
                is_closed.then(|| self.names_of_all(types.into_iter(), depth)).flatten()
            }
            _ => None,
        }
    }

    /// Returns the way in which strings of all these types name definitions. `None` if one of them does not.
    fn names_of_all<'t>(&self, types: impl Iterator<Item = &'t Type>, depth: usize) -> Option<NameIn> {
        let all: Vec<NameIn> = types.map(|ty| self.names(ty, depth + 1)).collect::<Option<_>>()?;
        let first = all.first()?.clone();
        let is_address = |names: &NameIn| *names == NameIn { optional: names.optional, ..NameIn::default() };
        match all.iter().all(|names| *names == first) {
            true => Some(first),
            false => all.iter().all(is_address).then(|| NameIn { optional: true, ..NameIn::default() }),
        }
    }

    /// Returns true if expressions see the definitions of these kinds by their addresses.
    fn are_seen(&self, kinds: &[String]) -> bool {
        kinds.is_empty() || kinds.iter().any(|kind| self.kinds.iter().any(|(known, _)| known == kind))
    }

    fn references(&self, naming: Naming) -> StringReferences {
        let kinds = naming.names.kinds.iter();
        let addresses: Vec<&str> = kinds
            .flat_map(|kind| self.kinds.iter().filter(move |(known, _)| known == kind))
            .map(|(_, address)| address.as_str())
            .collect();
        let mut references = StringReferences::new(&naming.path, addresses).written(&naming.names.forms);
        if let Some(prefix) = naming.names.prefix {
            references = references.after(prefix);
        }
        if naming.names.needed {
            references = references.needed();
        }
        if naming.names.optional { references.optional() } else { references }
    }

    /// Adds the attributes in which names need not be defined.
    fn addresses(&self, layers: &Layers<'i>, mut roles: Roles) -> Roles {
        let mut waiting: Vec<(String, Layers<'i>, usize, bool)> = Vec::new();
        let inner_of = |layers: &Layers<'i>, depth: usize, waiting: &mut Vec<_>| {
            for block in layers.blocks() {
                if let Some((block, inner)) = layers.block(&block.name) {
                    let is_function =
                        block.defines.as_ref().is_some_and(|defines| defines.value == DefinitionKind::Function);
                    waiting.push((block.name.clone(), self.with_all_cases(inner), depth, is_function));
                }
            }
        };
        for attribute in layers.attributes().filter(|attribute| self.is_unevaluated(&attribute.ty)) {
            roles = roles.with_unevaluated("", &attribute.name);
        }
        inner_of(layers, 1, &mut waiting);
        let mut known = std::collections::HashSet::new();
        while let Some((block, layers, depth, is_function)) = waiting.pop() {
            if !self.may_go_on() {
                break;
            }
            let attributes = layers.attributes().chain(layers.free_attribute());
            for attribute in attributes.filter(|attribute| self.has_addresses(&attribute.ty, 0)) {
                if known.insert((block.clone(), attribute.name.clone())) {
                    roles = roles.with_addresses_in(&block, &attribute.name);
                    // The expressions of a function are those that calls evaluate.
                    if !is_function && self.is_unevaluated(&attribute.ty) {
                        roles = roles.with_unevaluated(&block, &attribute.name);
                    }
                }
            }
            if depth < 6 && waiting.len() < 10_000 {
                inner_of(&layers, depth + 1, &mut waiting);
            }
        }
        roles
    }

    fn has_addresses(&self, ty: &Type, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match self.index.resolve(ty) {
            Type::Address(_) | Type::Path | Type::Keyword(_) | Type::TypeExpression | Type::Expression => true,
            Type::Reference(kinds) => !self.are_seen(kinds),
            Type::List(inner) | Type::Set(inner) | Type::Map(inner) => self.has_addresses(inner, depth + 1),
            Type::OneOf(types) => types.iter().any(|ty| self.has_addresses(ty, depth + 1)),
            Type::Object(object) => {
                object.attributes.iter().any(|attribute| self.has_addresses(&attribute.ty, depth + 1))
            }
            Type::Part(name) => {
                let layers = self.index.part(name);
                let attributes = layers.iter().flat_map(Layers::attributes);
                attributes.into_iter().any(|attribute| self.may_go_on() && self.has_addresses(&attribute.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// Returns true if values of a type are expressions that the program reads without evaluating them.
    fn is_unevaluated(&self, ty: &Type) -> bool {
        matches!(self.index.resolve(ty), Type::Expression | Type::TypeExpression)
    }

    /// Returns the companions of the files that define names; `None` if nothing in them refers to these names.
    fn companions(&self, files: &Files) -> Option<CompanionFiles> {
        let layers = self.index.files(files)?;
        let (mut inputs, mut elsewhere) = (Vec::new(), Vec::new());
        self.inputs(&layers, "", &mut inputs, &mut elsewhere, 0);
        if inputs.is_empty() && files.results.is_empty() {
            return None;
        }
        let companions = CompanionFiles::new(&files.patterns)
            .given(&files.given)
            .in_folders(&files.folders)
            .inputs(inputs)
            .results(&files.results)
            .others(elsewhere)
            .result_keys(&files.result_keys);
        Some(companions)
    }

    /// Collects the paths of attributes that set inputs, and of blocks that declare that others are about files
    /// elsewhere.
    fn inputs(
        &self,
        layers: &Layers<'i>,
        path: &str,
        inputs: &mut Vec<String>,
        elsewhere: &mut Vec<String>,
        depth: usize,
    ) {
        if depth > 3 || !self.may_go_on() {
            return;
        }
        if layers.free_attribute().is_some_and(|attribute| attribute.assigns.is_some()) {
            inputs.push(join(path, "{attribute}"));
        }
        for block in layers.blocks() {
            let path = step(path, block);
            if block.role == Some(BlockRole::Elsewhere) {
                elsewhere.push(path);
            } else if let Some((_, inner)) = layers.block(&block.name) {
                self.inputs(&inner, &path, inputs, elsewhere, depth + 1);
            }
        }
    }
}

/// Adds the roles of listed attributes that make definitions: those of the files, or of blocks of a type.
fn named_attributes(layers: &Layers<'_>, block: Option<&Block>, mut roles: Roles) -> Roles {
    for attribute in layers.attributes() {
        let Some(defines) = attribute.defines.as_ref().filter(|defines| !defines.apart) else { continue };
        let address = defines.address.as_deref().unwrap_or_default();
        let role = match (block, defines.value) {
            (Some(block), DefinitionKind::Input) => Role::inputs(&block.name, address),
            (Some(block), _) => Role::attributes(&block.name, address),
            (None, _) => Role::top_level(address),
        };
        let role = role.labels(block.into_iter().flat_map(|block| &block.labels).map(|label| label.name.clone()));
        roles = roles.with(with_defaults(role, defines).duplicates(defines.duplicates).named(&attribute.name));
    }
    roles
}

/// Adds the meaning of defaults of inputs.
fn with_defaults(mut role: Role, defines: &Defines) -> Role {
    if let Some(otherwise) = &defines.otherwise {
        role = role.otherwise(otherwise.clone());
    }
    if defines.constant {
        role = role.constant_default(defines.functions.clone());
    }
    if defines.typed_by_default { role.typed_by_default() } else { role }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Returns the path of blocks in a body, with their labels in braces.
fn step(path: &str, block: &Block) -> String {
    let mut path = join(path, &block.name);
    for label in &block.labels {
        path = format!("{path}.{{{}}}", label.name);
    }
    path
}
