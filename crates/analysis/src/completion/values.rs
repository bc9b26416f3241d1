//! Values: references, functions, keywords, constants.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use hcl_lr::construct::key;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::{Expected, Type as SchemaType};

use super::asked::key_before;
use super::expected::Expectation;
use super::items::{Hole, times};
use super::near::{MAX_NEAR, first_part, last_part};
use super::{Item, ItemKind, MAX_ITEMS, UsedParts, escaped, in_snippet};
use crate::cursor::{Link, Step};
use crate::knowledge::argument_key;
use crate::parts::{PathsAt, defined, names_of};
use crate::rank::{Context, Fit, Words, best, fit, near};
use crate::secrets::has_flag;
use crate::shape::Shape;
use crate::workspace::Cancelled;
use hcl_lr_project::paths;

/// Names that are known only when a program runs, and the names in them.
const LATER: [(&str, &[&str]); 7] = [
    ("path", &["module", "root", "cwd"]),
    ("terraform", &["workspace", "applying"]),
    ("tofu", &["workspace"]),
    ("count", &["index"]),
    ("each", &["key", "value"]),
    ("packer", &["version", "iterationID", "versionFingerprint"]),
    (
        "build",
        &[
            "ID",
            "Host",
            "Port",
            "User",
            "Password",
            "ConnType",
            "PackerRunUUID",
            "PackerHTTPAddr",
            "SSHPublicKey",
            "SSHPrivateKey",
        ],
    ),
];

/// The maximum number of references to definitions of a kind to examine.
const MAX_REFERENCES: usize = 5_000;

impl UsedParts<'_> {
    /// Returns the circumstances of the value at the place.
    fn context(&self, prefix: Span) -> Result<Context<'_>, Cancelled> {
        let name = self.cursor.keys.last().or(self.cursor.attribute.as_ref());
        let (same_kind, same_name) = match &self.cursor.attribute {
            Some(attribute) => self.learned_attribute(&self.cursor.blocks, attribute, false)?,
            None => Default::default(),
        };
        let (kind_elsewhere, name_elsewhere) = match &self.cursor.attribute {
            Some(attribute) => self.learned_attribute(&self.cursor.blocks, attribute, true)?,
            None => Default::default(),
        };
        let references = self.project.references();
        let uses = self.project.definitions().iter().filter(|definition| definition.module().is_none());
        let uses: HashMap<&str, usize> = uses
            .map(|definition| {
                (
                    definition.address(),
                    references.to(&definition).filter(|definition| !definition.is_definition()).count(),
                )
            })
            .collect();
        // The type of an outer block says what kind of thing it is; that of an inner block says what it is for.
        let inner = self.cursor.blocks.iter().skip(1).map(|block| &block.block_type);
        let labels = self.cursor.blocks.iter().flat_map(|block| &block.labels);
        let header = labels.chain(inner).map(|label| Words::of(label)).collect();
        let name = name.map(|name| Words::of(name));
        let key = self.cursor.calls.last().map(|call| argument_key(&call.name, call.argument));
        let (functions, argument) = self.snapshot.shared(self.file.language(), |shared| {
            let argument = key.and_then(|key| shared.argument(&key)).cloned();
            (shared.functions().clone(), argument.unwrap_or_default())
        })?;
        let text = self.file.source().text();
        let start = self.cursor.block_starts.first().copied().unwrap_or_default();
        let before = text.get(start..self.cursor.offset).unwrap_or_default();
        let after = text.get(self.cursor.offset..).unwrap_or_default();
        Ok(Context {
            name,
            key: key_before(before),
            header,
            place: (self.cursor.offset, self.file.path()),
            same_kind,
            same_name,
            kind_elsewhere,
            name_elsewhere,
            unused: uses.values().filter(|uses| **uses == 0).count() as i64,
            uses,
            asked: self.asked(prefix),
            functions,
            argument,
            near: near(last_part(before, MAX_NEAR), first_part(after, MAX_NEAR / 4)),
        })
    }

    /// Filters the values from elsewhere that may be offered for the attribute at the place.
    fn offered(&self, attribute: &str, values: BTreeMap<String, u32>) -> Result<BTreeMap<String, u32>, Cancelled> {
        let hides_values = self.hides_values(attribute);
        self.snapshot.shared(self.file.language(), |shared| {
            // It may set a value of a definition in other files.
            match hides_values || shared.is_sensitive_name(attribute) {
                true => BTreeMap::new(),
                false => shared.without_secrets(values),
            }
        })
    }

    /// Returns true if values from elsewhere must not be offered for the attribute at the place.
    fn hides_values(&self, attribute: &str) -> bool {
        let known = self.known_body();
        let is_known =
            known.as_ref().and_then(|body| body.attribute(attribute)).is_some_and(|attribute| attribute.is_sensitive);
        let body = self.body();
        let is_sensitive_block = || body.is_some_and(has_flag);
        let is_sensitive_input =
            || self.inputs_of_call().iter().any(|input| input.name == attribute && input.is_sensitive);
        is_secret_name(attribute) || is_known || is_sensitive_block() || is_sensitive_input()
    }

    /// Returns completions for the start of an expression.
    pub(super) fn expressions(&self, prefix: Span) -> Result<Vec<Item>, Cancelled> {
        if self.rest().starts_with("::") {
            // A namespace of functions.
            return Ok(Vec::new());
        }
        let expectation = self.expectation();
        if expectation.is_type() {
            return Ok(self.types(prefix));
        }
        let context = self.context(prefix)?;
        let mut items = match expectation.is_static() {
            true if self.rest().starts_with('(') => Vec::new(),
            true => self.unevaluated(&expectation, &context, prefix),
            false if expectation.is_brackets() => self.listed(&expectation, prefix),
            false => self.evaluated_expressions(&expectation, &context, prefix)?,
        };
        self.retain_accepted(&expectation, "", &mut items);
        Ok(items)
    }

    /// Returns completions for the start of an expression that is evaluated.
    fn evaluated_expressions(
        &self,
        expectation: &Expectation<'_>,
        context: &Context<'_>,
        prefix: Span,
    ) -> Result<Vec<Item>, Cancelled> {
        let mut items = self.ranked_functions(expectation, context, prefix)?;
        if self.rest().starts_with('(') {
            // Only functions have namespaces.
            return Ok(items);
        }
        items.extend(self.listed(expectation, prefix));
        let is_excluded = |shape: Shape| expectation.excludes(context, shape);
        if expectation.constant().is_some() {
            if expectation.is_schema_type() {
                return Ok(self.schema_types(expectation, prefix));
            }
            items.extend(self.learned_values(context, prefix)?);
            let is_nullable = self.is_nullable();
            items.extend(keywords(prefix).filter(|item| is_nullable || item.label != "null"));
            return Ok(items);
        }
        for name in &self.cursor.names {
            items.push(Item { points: 500, ..Item::new(name, ItemKind::Local, prefix) });
        }
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        let mut roots: BTreeSet<&str> = BTreeSet::new();
        let mut found: Vec<(Fit, i64, (Definition<'_>, bool))> = Vec::new();
        let refuses = self.refused_marks();
        for definition in self.own_definitions().filter(|definition| !self.is_inside(definition)) {
            let address = definition.address();
            if !address.split('.').all(is_identifier) || refuses(&definition) {
                continue;
            }
            if let Some((root, _)) = address.split_once('.') {
                roots.insert(root);
            }
            let Some(fit) = fit(typed, address) else { continue };
            let shape = self.shape_of(&definition);
            let is_start = is_excluded(shape);
            if !is_start || shape.has_parts() {
                found.push((fit, context.points(&self.project, &definition, address), (definition, is_start)));
            }
        }
        for (_, points, (definition, is_start)) in best(found, MAX_ITEMS) {
            items.push(Item { points, is_start, ..self.definition_item(&definition, definition.address(), prefix) });
        }
        let roles = self.project.language().roles();
        let later = roles.later().iter().map(|name| name.split('.').next().unwrap_or(name));
        for root in roots.into_iter().chain(later) {
            items.push(Item { points: 20, is_start: true, ..Item::new(root, ItemKind::Reference, prefix) });
        }
        let each = [Link::Name("each".to_owned()), Link::Name("value".to_owned())];
        let paths = PathsAt { snapshot: self.snapshot, file: self.file, project: &self.project, cursor: &self.cursor };
        let has_each = self.block_names().iter().any(|name| name == "each");
        let each_value = if has_each { paths.type_of(&each)? } else { None };
        let shape_of_each = each_value.as_ref().map_or(Shape::Any, Shape::of_type);
        items.extend(self.names_of_blocks(prefix, |path| {
            !is_excluded(match path {
                "count.index" => Shape::Number,
                "each.key" => Shape::Text,
                "each.value" => shape_of_each,
                _ => Shape::Any,
            })
        }));
        items.extend(self.learned_values(context, prefix)?);
        let is_own = |function: &str| crate::project::entry_of(&self.project, function).is_none();
        let is_element = matches!(self.cursor.steps.as_deref(), Some([Step::Argument(_), .., Step::Element(_)]));
        let has_shape = is_element
            || expectation.is_unknown() && context.asked.is_some_and(|asked| asked != Shape::Any)
            || self.cursor.calls.last().is_some_and(|call| is_own(&call.name))
            || self.cursor.attribute.as_deref() == Some("labels") && self.is_in_dynamic();
        items.extend(keywords(prefix).filter(|item| match &*item.label {
            "null" => !has_shape,
            _ => !is_excluded(Shape::Bool),
        }));
        Ok(items)
    }

    /// Returns false if the input around the place cannot be null.
    fn is_nullable(&self) -> bool {
        let start = self.cursor.block_starts.last().copied().unwrap_or_default();
        let lines = self.file.source().text().get(start..).unwrap_or_default().lines().map(str::trim);
        let mut flags = lines.take_while(|line| *line != "}").filter_map(|line| line.strip_prefix("nullable"));
        !flags.any(|rest| {
            rest.trim_start().strip_prefix('=').is_some_and(|value| value.trim().trim_matches('"') == "false")
        })
    }

    /// Returns a function that says which definitions cannot be used at the place, because it keeps values: sensitive and
    /// ephemeral ones.
    fn refused_marks(&self) -> impl Fn(&Definition<'_>) -> bool + use<> {
        let (sensitive, ephemeral) = (self.refuses_sensitive(), self.refuses_ephemeral());
        move |definition| sensitive && definition.is_sensitive() || ephemeral && definition.is_ephemeral()
    }

    /// Returns the shape of the value of a definition. The result of a call may be known only by its value.
    pub(super) fn shape_of(&self, definition: &Definition<'_>) -> Shape {
        let shape = Shape::of_definition(&self.project, definition);
        let native = definition.expression().and_then(|expression| expression.as_native());
        let is_call = native.is_some_and(|node| matches!(node.kind(), ExpressionKind::FunctionCall(_)));
        let may_be_known = is_call || native.is_none() && definition.expression().is_some();
        if shape != Shape::Any || !may_be_known || !self.snapshot.settings().evaluates {
            return shape;
        }
        Shape::of_type(&self.project.evaluated().value(definition).shown_type())
    }

    /// Returns the names that blocks around the place define, with their members, as far as a place can have them.
    pub(super) fn names_of_blocks(&self, prefix: Span, fits: impl Fn(&str) -> bool) -> Vec<Item> {
        let mut items = Vec::new();
        for name in self.block_names() {
            for (_, members) in LATER.iter().filter(|(root, _)| *root == name.as_str()) {
                let paths = members.iter().map(|member| format!("{name}.{member}")).filter(|path| fits(path));
                items.extend(paths.map(|path| Item { points: 300, ..Item::new(path, ItemKind::Reference, prefix) }));
            }
            items.push(Item { points: 250, is_start: true, ..Item::new(name, ItemKind::Reference, prefix) });
        }
        items
    }

    /// Returns the constants that the attribute has in other bodies of the same kind.
    fn learned_values(&self, context: &Context<'_>, prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let values = match &self.cursor.attribute {
            Some(attribute) => self.offered(attribute, context.same_kind.values.clone())?,
            None => BTreeMap::new(),
        };
        let item = |(value, &uses): (&String, &u32)| {
            let detail = Some(format!("used {} here", times(uses)));
            Item { detail, points: 30 * i64::from(uses), ..Item::new(value, ItemKind::Value, prefix) }
        };
        Ok(values.iter().map(item).collect())
    }

    /// Returns the definitions that expressions of the project's own files can refer to.
    pub(super) fn own_definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        let all = self.project.definitions().iter();
        all.filter(|definition| definition.module().is_none() && !definition.is_result() && !definition.is_function())
    }

    pub(super) fn definition_item(&self, definition: &Definition<'_>, label: &str, prefix: Span) -> Item {
        let described = crate::hover::described(self.snapshot, definition);
        let kind = match definition {
            definition if definition.is_input() => ItemKind::Variable,
            definition if definition.is_module() => ItemKind::Module,
            definition if definition.expression().is_some() => ItemKind::Local,
            _ => ItemKind::Reference,
        };
        let detail = described.type_text.or_else(|| definition.block_type().map(str::to_owned));
        Item { detail, documentation: described.description, ..Item::new(label, kind, prefix) }
    }

    /// Returns the names that blocks around the place define for themselves: `each`, `count`, `self`.
    fn block_names(&self) -> Vec<String> {
        let roles = self.project.language().roles().roles();
        let mut names: Vec<String> = Vec::new();
        let (Some(outer), Some(body)) = (self.cursor.blocks.first(), self.outermost()) else { return names };
        if let Some(role) = roles.iter().find(|role| role.block_type() == Some(&outer.block_type)) {
            let (for_each, count) = role.repeated_by();
            names.extend(for_each.filter(|name| body.attribute(name).is_some()).map(|_| "each".to_owned()));
            names.extend(count.filter(|name| body.attribute(name).is_some()).map(|_| "count".to_owned()));
            if self.cursor.blocks.len() > 1 {
                names.extend(role.own_name().map(str::to_owned));
            }
        }
        // Within `content`, the name of a dynamic block is the type of the blocks that it generates, or its
        // `iterator`.
        let generates = self.cursor.blocks.iter().any(|block| block.block_type == "content");
        if let Some(native) = self.file.native().filter(|_| generates) {
            names.extend(crate::iterators::iterators(native.body(), self.cursor.offset));
        }
        for pair in self.cursor.blocks.windows(2) {
            // The tree of a broken file may not have the block.
            if pair[0].block_type == "dynamic" && pair[1].block_type == "content" && names.is_empty() {
                names.extend(pair[0].labels.first().cloned());
            }
        }
        names
    }

    /// Returns true for the name by which the block around the place refers to itself.
    fn is_own_name(&self, name: &str) -> bool {
        let roles = self.project.language().roles().roles();
        roles.iter().any(|role| role.own_name() == Some(name))
    }

    fn outermost(&self) -> Option<hcl_lr::syntax::ast::BodyNode<'_>> {
        super::body_at(self.file.native()?.body(), self.cursor.offset, 1)
    }

    /// Returns the attributes of the value before the dot.
    pub(super) fn members(&self, chain: &[Link], prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let context = self.context(prefix)?;
        let expectation = self.expectation();
        // Where nothing is evaluated, only the definitions of the kinds that are wanted count.
        let wanted: Option<HashSet<&str>> = expectation.is_static().then(|| {
            let referenced = self.referenced(&expectation).into_iter();
            referenced.map(|definition| definition.address()).collect()
        });
        let refuses = self.refused_marks();
        let is_excluded = |shape: Shape| expectation.excludes(&context, shape);
        let mut items = Vec::new();
        let names: Vec<&str> = chain
            .iter()
            .map_while(|link| match link {
                Link::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        if names.len() == chain.len() {
            let path = format!("{}.", names.join("."));
            let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
            // The best definition of each step, and whether it is the whole address.
            let mut seen: BTreeMap<&str, (i64, bool, Definition<'_>)> = BTreeMap::new();
            for definition in self.own_definitions() {
                let Some(rest) = definition.address().strip_prefix(&path) else { continue };
                let is_whole = definition.address().len() == path.len() + step_of(rest).len();
                let shape = if is_whole { self.shape_of(&definition) } else { Shape::Any };
                if self.is_inside(&definition)
                    || refuses(&definition)
                    || is_whole && is_excluded(shape) && !shape.has_parts()
                    || wanted.as_ref().is_some_and(|wanted| !wanted.contains(definition.address()))
                {
                    continue;
                }
                let step = step_of(rest);
                if !is_identifier(step) {
                    continue;
                }
                let address = &definition.address()[..path.len() + step.len()];
                let is_whole = step.len() == rest.len();
                let points = match is_whole {
                    true => context.points(&self.project, &definition, address),
                    false => context.name_points(step, address),
                };
                let known = seen.entry(step).or_insert((points, is_whole, definition));
                if known.0 < points {
                    *known = (points, is_whole, definition);
                }
            }
            let found = seen.into_iter().filter_map(|(step, known)| Some((fit(typed, step)?, known.0, (step, known))));
            for (_, points, (step, (_, is_whole, definition))) in best(found.collect(), MAX_ITEMS) {
                let item = match is_whole {
                    true => Item {
                        is_start: is_excluded(self.shape_of(&definition)),
                        ..self.definition_item(&definition, step, prefix)
                    },
                    false => Item { is_start: true, ..Item::new(step, ItemKind::Reference, prefix) },
                };
                items.push(Item { points, ..item });
            }
            self.snapshot.check()?;
            if let [root] = names[..]
                && wanted.is_none()
            {
                if self.block_names().iter().any(|name| name == root) && !LATER.iter().any(|(name, _)| *name == root) {
                    let is_iterator = !self.is_own_name(root);
                    let members = ["key", "value"].into_iter().filter(|_| is_iterator);
                    items.extend(members.map(|member| Item::new(member, ItemKind::Reference, prefix)));
                }
                let later = LATER.iter().filter(|(name, _)| *name == root);
                items.extend(later.flat_map(|(_, members)| {
                    members.iter().map(|member| Item::new(*member, ItemKind::Reference, prefix))
                }));
            }
        }
        let attributes = if wanted.is_some() { Vec::new() } else { self.attributes_of(chain, &context)? };
        let refuses_sensitive = !attributes.is_empty() && self.refuses_sensitive();
        for (name, ty, points) in attributes {
            if refuses_sensitive && is_secret_name(&name) {
                continue;
            }
            let shape = ty.as_deref().map_or(Shape::Any, Shape::of_result);
            let is_start = is_excluded(shape);
            if is_start && !shape.has_parts() {
                continue;
            }
            let points = if is_start { points - 100 } else { points };
            items.push(Item { detail: ty, points, is_start, ..Item::new(name, ItemKind::Attribute, prefix) });
        }
        if names.len() == chain.len() {
            self.retain_accepted(&expectation, &format!("{}.", names.join(".")), &mut items);
        }
        Ok(items)
    }

    /// Returns the attributes of the value at a path, with their types.
    fn attributes_of(
        &self,
        chain: &[Link],
        context: &Context<'_>,
    ) -> Result<Vec<(String, Option<String>, i64)>, Cancelled> {
        let mut found: BTreeMap<String, (Option<String>, i64)> = BTreeMap::new();
        let points =
            |name: &str| context.name.as_ref().map_or(0, |target| i64::from(target.likeness(&Words::of(name))));
        let paths = PathsAt { snapshot: self.snapshot, file: self.file, project: &self.project, cursor: &self.cursor };
        let Some((definition, rest)) = paths.definition(chain) else {
            let members = paths.members(chain)?.into_iter().filter(|(name, _)| is_identifier(name));
            let typed = |ty: &Type| (*ty != Type::Dynamic).then(|| ty.describe());
            let members = members.map(|(name, ty)| {
                let points = points(&name);
                (name, typed(&ty), points)
            });
            return Ok(members.collect());
        };
        if rest.is_empty() || rest.iter().all(|link| !matches!(link, Link::Name(_))) {
            for part in definition.parts().filter(|_| !definition.is_module()) {
                found.insert(part.name().to_owned(), (None, points(part.name())));
            }
            // A block without further attributes has only those that it sets.
            let header = header_of(&definition).filter(|_| is_block(&definition) && definition.is_open());
            if let Some(header) = header {
                for attribute in self
                    .snapshot
                    .known_body(self.file, &[header])
                    .into_iter()
                    .flat_map(|body| body.attributes)
                    .filter(|attribute| !attribute.is_meta)
                {
                    let more = i64::from(attribute.is_read_only) * 10;
                    found.insert(attribute.name.clone(), (attribute.type_text, points(&attribute.name) + more));
                }
            }
            for (name, uses) in self.usual_attributes(&definition)? {
                let more = 30 * i64::from(uses).min(10);
                let entry = found.entry(name.clone()).or_insert_with(|| (None, points(&name)));
                entry.1 += more;
            }
        }
        self.snapshot.check()?;
        if self.snapshot.settings().evaluates {
            let value = self.project.evaluated().value(&definition);
            for (name, ty) in names_of(&value, &rest) {
                let text = (ty != Type::Dynamic).then(|| ty.describe());
                let more = points(&name) + 50;
                found.entry(name).and_modify(|known| known.0 = text.clone().or(known.0.take())).or_insert((text, more));
            }
        }
        Ok(found
            .into_iter()
            .filter(|(name, _)| is_identifier(name))
            .map(|(name, (ty, points))| (name, ty, points))
            .collect())
    }

    /// Returns the attributes that other references to definitions of the same kind use, with the number of their
    /// uses.
    fn usual_attributes(&self, definition: &Definition<'_>) -> Result<BTreeMap<String, u32>, Cancelled> {
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        // Another call of a module may be of another module.
        let kind = match definition.is_module() {
            true => Some(format!("{}.", definition.address())),
            false => definition.address().strip_suffix(definition.name()).map(str::to_owned),
        };
        let Some(kind) = kind.filter(|kind| !kind.is_empty()) else {
            return Ok(found);
        };
        if !is_block(definition) && !definition.is_module() {
            return Ok(found);
        }
        self.snapshot.shared(self.file.language(), |shared| {
            for (reference, uses) in shared.references(&kind).take(MAX_REFERENCES) {
                let rest = &reference[kind.len()..];
                let rest = if definition.is_module() { Some(rest) } else { rest.split_once('.').map(|(_, rest)| rest) };
                let Some(rest) = rest else { continue };
                let name = rest.split(['.', '[']).next().unwrap_or(rest);
                if is_identifier(name) {
                    *found.entry(name.to_owned()).or_default() += uses;
                }
            }
        })?;
        Ok(found)
    }

    /// Returns the keys of the value before the bracket, in quotes.
    pub(super) fn keys(&self, chain: &[Link], prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let Some((definition, rest)) = defined(&self.project, chain) else { return self.expressions(prefix) };
        let value = match self.snapshot.settings().evaluates {
            true => self.project.evaluated().value(&definition),
            false => return self.expressions(prefix),
        };
        let mut items: Vec<Item> = names_of(&value, rest)
            .into_iter()
            .map(|(name, ty)| Item {
                text: Value::from(name.as_str()).to_string(),
                detail: (ty != Type::Dynamic).then(|| ty.describe()),
                points: 1_000,
                ..Item::new(name, ItemKind::Value, prefix)
            })
            .collect();
        if prefix.is_empty() {
            // A definition with a known value that is not one of the keys is wrong.
            let known: HashSet<String> = items.iter().map(|item| item.label.clone()).collect();
            let is_other = |address: &str| {
                let value = self.project.definitions().get(address).map(|found| self.project.evaluated().value(&found));
                let text = |value: Value| value.convert(&Type::String).ok()?.as_str().map(str::to_owned);
                value.and_then(text).is_some_and(|text| !known.contains(&text))
            };
            let others = self.expressions(prefix)?.into_iter();
            items.extend(others.filter(|item| known.is_empty() || !is_other(&item.label)));
        }
        Ok(items)
    }

    /// Returns the keys of the object that is being written, the required ones first.
    pub(super) fn object_keys(&self, prefix: Span, is_quoted: bool) -> Result<Vec<Item>, Cancelled> {
        let expectation = self.expectation();
        let written = self.written_keys(prefix);
        let has_value = self.rest().trim_start().starts_with(['=', ':']);
        let mut items = Vec::new();
        for (checker, expected) in expectation.alternatives() {
            if let Expected::Type(SchemaType::Map(element)) = expected
                && prefix.is_empty()
                && !is_quoted
                && !has_value
            {
                let hole = Hole::of(checker.index().resolve(element));
                items.push(Item {
                    text: format!("key = {}", hole.text()),
                    snippet: Some(format!("${{1:key}} = {}", hole.snippet(2))),
                    detail: Some(element.to_string()),
                    ..Item::new("key", ItemKind::Snippet, prefix)
                });
            }
            for known in expected.keys().iter().filter(|key| !key.is_read_only() && !written.contains(key.name())) {
                let name = known.name();
                let hole = known.ty().map_or_else(Hole::default, |ty| Hole::of(checker.index().resolve(ty)));
                items.push(Item {
                    text: match is_quoted {
                        true => format!("{}{}", escaped(name), self.closing_quote()),
                        false if has_value => key(name),
                        false => format!("{} = {}", key(name), hole.text()),
                    },
                    snippet: (!is_quoted && !has_value)
                        .then(|| format!("{} = {}", in_snippet(&key(name)), hole.snippet(0))),
                    detail: known.ty().map(ToString::to_string),
                    documentation: known.description().map(str::to_owned),
                    is_deprecated: known.is_deprecated(),
                    points: if known.is_required() { 100 } else { 0 } - if known.is_deprecated() { 50 } else { 0 },
                    ..Item::new(name, ItemKind::Attribute, prefix)
                });
            }
        }
        Ok(items)
    }

    /// Returns the keys that the object around the place has already, without the one at the place.
    fn written_keys(&self, prefix: Span) -> HashSet<String> {
        let Some(native) = self.file.native() else { return HashSet::new() };
        let around = crate::spans::innermost(native.body(), self.cursor.offset);
        let object = around.into_iter().rev().find_map(|expression| match expression.kind() {
            ExpressionKind::Object(object) => Some(object),
            _ => None,
        });
        let elements = object.into_iter().flat_map(|object| object.elements());
        let others = elements.filter(|element| !element.key_expression().span().touches(prefix.start()));
        others.filter_map(|element| element.key_text().map(|key| key.into_owned())).collect()
    }

    /// Returns the type of a module's input by the name of the argument.
    pub(super) fn type_of_input(&self, argument: &str) -> Option<Type> {
        let [header] = &self.cursor.blocks[..] else { return None };
        let name = header.labels.last()?;
        let mut inputs = self
            .project
            .definitions()
            .iter()
            .filter(|definition| definition.is_input() && definition.name() == argument);
        let input =
            inputs.find(|definition| definition.module().is_some_and(|call| call.rsplit('.').next() == Some(name)))?;
        crate::hover::described(self.snapshot, &input).ty
    }

    /// Returns an item for a text in quotes, with the closing quote.
    fn text_item(&self, text: &str, kind: ItemKind, prefix: Span) -> Item {
        Item { text: format!("{text}{}", self.closing_quote()), ..Item::new(text, kind, prefix) }
    }

    /// Returns the possible texts of a string.
    pub(super) fn texts(&self, prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let mut items = Vec::new();
        let expectation = self.expectation();
        for item in self.listed(&expectation, prefix) {
            let text = match item.kind {
                ItemKind::Keyword => Some(&*item.label),
                _ => item.label.strip_prefix('"').and_then(|text| text.strip_suffix('"')),
            };
            items.extend(text.map(|text| Item { points: item.points, ..self.text_item(text, item.kind, prefix) }));
        }
        let named = self.naming_texts(&expectation);
        if !named.is_empty() {
            let context = self.context(prefix)?;
            items.extend(named.into_iter().map(|(text, definition)| {
                let points = context.name_points(definition.name(), &text);
                let item = self.definition_item(&definition, &text, prefix);
                Item { text: format!("{}{}", escaped(&text), self.closing_quote()), points, ..item }
            }));
        }
        let Some(attribute) = &self.cursor.attribute else { return Ok(items) };
        let roles = self.project.language().roles().roles();
        let outer = self.cursor.blocks.last().map(|block| &*block.block_type);
        let is_source = roles.iter().any(|role| role.module_source() == Some(attribute) && role.block_type() == outer);
        if is_source {
            for folder in self.snapshot.folders().filter(|folder| *folder != self.file.folder()) {
                let files = self.snapshot.folder(folder).into_iter().flat_map(|folder| folder.files.values());
                if files.into_iter().any(|file| file.language() == self.file.language()) {
                    let written = paths::relative(self.file.folder(), folder);
                    let points = -(written.matches('/').count() as i64);
                    items.push(Item { points, ..self.text_item(&written, ItemKind::Folder, prefix) });
                }
            }
            return Ok(items);
        }
        let (same_kind, _) = self.learned_attribute(&self.cursor.blocks, attribute, true)?;
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        for (value, uses) in self.offered(attribute, same_kind.values)? {
            let Some(text) = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else { continue };
            // The string being written does not count as an example.
            if uses == 1 && text == typed {
                continue;
            }
            let detail = Some(format!("used {} in this workspace", times(uses)));
            if !expectation.accepts(&value) {
                continue;
            }
            items.push(Item { detail, points: i64::from(uses), ..self.text_item(text, ItemKind::Value, prefix) });
        }
        Ok(items)
    }
}

/// Returns the first step of an address.
fn step_of(rest: &str) -> &str {
    rest.split('.').next().unwrap_or(rest)
}

/// Returns the words that are values.
fn keywords(prefix: Span) -> impl Iterator<Item = Item> {
    let item = move |word| Item { points: -10, ..Item::new(word, ItemKind::Keyword, prefix) };
    ["true", "false", "null"].into_iter().map(item)
}

/// Returns true if the value of a definition consists of the attributes of its block.
fn is_block(definition: &Definition<'_>) -> bool {
    !definition.is_input() && !definition.is_module() && definition.expression().is_none()
}

/// Returns the header of the block of a definition, with the labels that say what kind of thing it is.
pub(crate) fn header_of(definition: &Definition<'_>) -> Option<crate::knowledge::Header> {
    let block_type = definition.block_type()?.to_owned();
    let mut labels: Vec<String> = definition.address().split('.').map(str::to_owned).collect();
    if labels.first() == Some(&block_type) {
        labels.remove(0);
    }
    Some(crate::knowledge::Header { block_type, labels })
}
