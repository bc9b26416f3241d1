//! Values: references, functions, keywords, constants.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hcl_lr::internal::{EPHEMERAL, SENSITIVE};
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Mark, MarkSet, Type};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, TraversalNode};
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::Checker;
use hcl_lr_language::schema::model::AttributeRole;

use super::asked::key_before;
use super::expected::Expectation;
use super::items::times;
use super::near::{MAX_NEAR, first_part, last_part};
use super::{Item, ItemKind, MAX_ITEMS, UsedParts, escaped};
use crate::cursor::{Link, Step};
use crate::description::{self, BodyIn};
use crate::knowledge::{BodyAt, Header, argument_key};
use crate::rank::{Context, Fit, Words, best, fit, near};
use crate::secrets::has_flag;
use crate::shape::Shape;
use crate::tables::HashMap;
use crate::workspace::Cancelled;
use hcl_lr_project::paths;

/// Names that are known only when a program runs, and the names in them.
pub(super) const LATER: [(&str, &[&str]); 7] = [
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

impl UsedParts<'_> {
    /// Returns the circumstances of the value at the place.
    pub(super) fn context(&self, prefix: Span) -> Result<Context<'_>, Cancelled> {
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
            place: (self.known.1, self.file.path()),
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
        if !expectation.is_static() {
            self.retain_fitting(prefix, &mut items)?;
        }
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
        let is_excluded = |shape: Shape| expectation.excludes(context, shape) || self.refuses_sets(context, shape);
        if expectation.constant().is_some() {
            if expectation.is_schema_type() {
                return Ok(self.schema_types(expectation, prefix));
            }
            items.extend(self.learned_values(context, prefix)?);
            let is_nullable = self.is_nullable();
            items.extend(keywords(prefix).filter(|item| match &*item.label {
                "null" => is_nullable,
                _ => expectation.takes_bools() && self.default_may_be_bool(),
            }));
            return Ok(items);
        }
        for name in &self.cursor.names {
            items.push(Item { points: 500, ..Item::new(name, ItemKind::Local, prefix) });
        }
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        let mut roots: BTreeSet<&str> = BTreeSet::new();
        let mut found: Vec<(Fit, i64, (Definition<'_>, bool))> = Vec::new();
        let refuses = self.refused_marks();
        let dependents = self.dependents();
        for definition in self.own_definitions().filter(|definition| !self.is_inside(definition)) {
            let address = definition.address();
            if !address.split('.').all(is_identifier) || refuses(&definition) || dependents.contains(address) {
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
        let paths = self.paths_at();
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
        let needs_reference = self.needs_reference();
        items.extend(keywords(prefix).filter(|item| match &*item.label {
            "null" => !has_shape && !needs_reference && !self.is_repetition(),
            _ => !is_excluded(Shape::Bool) && expectation.takes_bools() && !needs_reference,
        }));
        Ok(items)
    }

    /// Returns true for sets where an argument must be a list: other functions that take lists convert sets.
    pub(super) fn refuses_sets(&self, context: &Context<'_>, shape: Shape) -> bool {
        shape == Shape::Set
            && context.asked == Some(Shape::List)
            && self.cursor.calls.last().is_some_and(|call| call.name == "concat")
    }

    /// Returns true if the value must refer to something, as a condition must, and nothing else in it does.
    fn needs_reference(&self) -> bool {
        let Some(name) = &self.cursor.attribute else { return false };
        let is_needed = |checker: &Arc<Checker>| {
            let value = |at: usize, name: &str| crate::diagnostics::value_in(self.file, &self.cursor.blocks, at, name);
            let at = BodyAt { path: self.file.path(), blocks: &self.cursor.blocks, value: &value, has: &|_| false };
            match description::find(checker, &at) {
                Some(BodyIn::Known { layers, .. }) => {
                    layers.attribute(name).is_some_and(|attribute| attribute.constant == Some(false))
                }
                _ => false,
            }
        };
        let written = self.body().and_then(|body| body.attribute(name)).map(|attribute| attribute.expression());
        let is_other = |path: TraversalNode<'_>| !path.expression().span().touches(self.cursor.offset);
        self.checkers.iter().any(is_needed)
            && !written.is_some_and(|written| written.variables().into_iter().any(is_other))
    }

    /// Returns false if the place is in the default of an attribute of a type, and the type is not a bool.
    fn default_may_be_bool(&self) -> bool {
        let Some(native) = self.file.native() else { return true };
        let around = crate::spans::innermost(native.body(), self.cursor.offset);
        let ty = around.iter().rev().find_map(|node| match node.kind() {
            ExpressionKind::FunctionCall(call) if call.name() == "optional" => call.arguments().next(),
            _ => None,
        });
        let ty = ty.and_then(|ty| hcl_lr::type_expr::read_constraint(&ty.into()).ok());
        ty.is_none_or(|ty| matches!(ty.ty(), Type::Bool | Type::Dynamic))
    }

    /// Returns false if the input around the place cannot be null. The tree of a broken file may not have the flag.
    fn is_nullable(&self) -> bool {
        let flag = self.body().and_then(|body| body.attribute("nullable"));
        if flag.is_some_and(|flag| flag.expression().text() == "false") {
            return false;
        }
        let start = self.cursor.block_starts.last().copied().unwrap_or_default();
        let lines = self.file.source().text().get(start..).unwrap_or_default().lines().map(str::trim);
        let mut flags = lines.take_while(|line| *line != "}").filter_map(|line| line.strip_prefix("nullable"));
        !flags.any(|rest| {
            rest.trim_start().strip_prefix('=').is_some_and(|value| value.trim().trim_matches('"') == "false")
        })
    }

    /// Returns a function that says which definitions cannot be used at the place, because it keeps values: sensitive and
    /// ephemeral ones, which are so themselves or by what they refer to.
    pub(super) fn refused_marks(&self) -> impl Fn(&Definition<'_>) -> bool {
        let (sensitive, ephemeral) = (self.refuses_sensitive(), self.refuses_ephemeral());
        move |definition| {
            let marks = || match self.snapshot.settings().evaluates {
                true => self.project.model().values_for_any_input().value(definition).marks_deep(),
                false => MarkSet::default(),
            };
            sensitive && (definition.is_sensitive() || marks().contains(&Mark::new(SENSITIVE)))
                || ephemeral && (definition.is_ephemeral() || marks().contains(&Mark::new(EPHEMERAL)))
        }
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
            if self.is_own_name(&name) {
                let parts = self.own_parts().map(|part| format!("{name}.{part}")).filter(|path| fits(path));
                items.extend(parts.map(|path| Item { points: 200, ..Item::new(path, ItemKind::Reference, prefix) }));
            }
            items.push(Item { points: 250, is_start: true, ..Item::new(name, ItemKind::Reference, prefix) });
        }
        items
    }

    /// Returns the names of the attributes that the block around the place sets, without the one at the place.
    fn own_parts(&self) -> impl Iterator<Item = &str> {
        let definition = crate::parts::enclosing(&self.project, self.known.0, self.known.1);
        let parts = definition.into_iter().flat_map(|definition| definition.parts());
        let is_other = |name: &&str| self.cursor.blocks.len() > 1 || self.cursor.attribute.as_deref() != Some(*name);
        parts.map(|part| part.name()).filter(move |name| is_other(name))
    }

    /// Returns the constants that the attribute has in other bodies of the same kind.
    fn learned_values(&self, context: &Context<'_>, prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let values = match &self.cursor.attribute {
            Some(attribute) => self.offered(attribute, context.same_kind.values.clone())?,
            None => BTreeMap::new(),
        };
        let labels = self.labels_to_name();
        let is_named = |value: &str| match (&labels, value.strip_prefix('"').and_then(|text| text.strip_suffix('"'))) {
            (Some(labels), Some(text)) => labels.contains(text),
            _ => true,
        };
        let item = |(value, &uses): (&String, &u32)| {
            let detail = Some(format!("used {} here", times(uses)));
            Item { detail, points: 30 * i64::from(uses), ..Item::new(value, ItemKind::Value, prefix) }
        };
        let is_other = |value: &str, uses: u32| uses > 1 || !self.is_being_written(value, prefix);
        Ok(values.iter().filter(|(value, uses)| is_named(value) && is_other(value, **uses)).map(item).collect())
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
    pub(super) fn block_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let blocks = &self.cursor.blocks;
        for checker in &self.checkers {
            for depth in 1..=blocks.len() {
                names.extend(self.names_of_block(checker, depth));
            }
        }
        if self.checkers.is_empty() {
            names.extend(self.names_of_role());
        }
        names.sort();
        names.dedup();
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

    /// Returns the names that the outermost block defines, in a language that is described by roles alone.
    fn names_of_role(&self) -> Vec<String> {
        let mut names = Vec::new();
        let body = self.file.native().and_then(|file| super::body_at(file.body(), self.cursor.offset, 1));
        let (Some(outer), Some(body)) = (self.cursor.blocks.first(), body) else { return names };
        let roles = self.project.language().roles().roles();
        if let Some(role) = roles.iter().find(|role| role.block_type() == Some(&outer.block_type)) {
            let (for_each, count) = role.repeated_by();
            names.extend(for_each.filter(|name| body.attribute(name).is_some()).map(|_| "each".to_owned()));
            names.extend(count.filter(|name| body.attribute(name).is_some()).map(|_| "count".to_owned()));
            names.extend(role.own_name().filter(|_| self.cursor.blocks.len() > 1).map(str::to_owned));
        }
        names
    }

    /// Returns the names that a block defines by the schema for the expressions in it. `depth` is the number of blocks to
    /// it.
    fn names_of_block(&self, checker: &Checker, depth: usize) -> Vec<String> {
        let (around, inner) = self.cursor.blocks.split_at(depth);
        let value = |at: usize, name: &str| crate::diagnostics::value_in(self.file, around, at, name);
        let has = |_: &str| false;
        let at = BodyAt { path: self.file.path(), blocks: around, value: &value, has: &has };
        let Some(BodyIn::Known { layers, block: Some(block), .. }) = description::find(checker, &at) else {
            return Vec::new();
        };
        let mut names = block.names.clone();
        if let Some(defines) = &block.defines {
            let is_in = |header: &Header| defines.itself_in.contains(&header.block_type);
            let is_seen = defines.itself_in.is_empty() || inner.iter().any(is_in);
            names.extend(defines.itself.clone().filter(|_| is_seen));
        }
        let body = self.file.native().and_then(|file| super::body_at(file.body(), self.cursor.offset, depth));
        let is_set = |name: &str| body.is_some_and(|body| body.attribute(name).is_some());
        for attribute in layers.attributes().filter(|attribute| is_set(&attribute.name)) {
            names.extend(match attribute.role {
                Some(AttributeRole::ForEach) => Some("each".to_owned()),
                Some(AttributeRole::Count) => Some("count".to_owned()),
                _ => None,
            });
        }
        names
    }

    /// Returns true for the name by which the block around the place refers to itself.
    pub(super) fn is_own_name(&self, name: &str) -> bool {
        let roles = self.project.language().roles().roles();
        roles.iter().any(|role| role.own_name() == Some(name))
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
        if let Some(required) = self.required_texts(prefix) {
            return Ok(required);
        }
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
        for (text, uses) in self.texts_of_key() {
            let detail = Some(format!("used {} in this workspace", times(uses)));
            items.push(Item { detail, points: i64::from(uses), ..self.text_item(&text, ItemKind::Value, prefix) });
        }
        if let Some(labels) = self.labels_to_name() {
            items.extend(labels.iter().map(|label| self.text_item(label, ItemKind::Reference, prefix)));
            return Ok(items);
        }
        let (same_kind, _) = self.learned_attribute(&self.cursor.blocks, attribute, true)?;
        for (value, uses) in self.offered(attribute, same_kind.values)? {
            let Some(text) = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else { continue };
            // The string being written does not count as an example.
            if uses == 1 && self.is_being_written(text, prefix) {
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

    /// Returns the texts that a key of an object has in attributes of bodies of the same kind, such as the sources of
    /// providers. The key is in the value of the attribute at the place.
    fn texts_of_key(&self) -> BTreeMap<String, u32> {
        let mut found = BTreeMap::new();
        let Some([Step::Key(Some(key))]) = self.cursor.steps.as_deref() else { return found };
        if is_secret_name(key) || self.cursor.blocks.is_empty() {
            return found;
        }
        let language = self.file.language();
        for file in self.snapshot.files().filter(|file| file.language() == language).take(MAX_FILES) {
            let Some(native) = file.native() else { continue };
            let mut bodies = vec![native.body()];
            for header in &self.cursor.blocks {
                bodies = bodies
                    .iter()
                    .flat_map(|body| body.blocks_of_type(&header.block_type))
                    .map(|it| it.body())
                    .collect();
            }
            let is_here =
                |node: ExpressionNode<'_>| file.path() == self.file.path() && node.span().touches(self.cursor.offset);
            for attribute in
                bodies.iter().flat_map(|body| body.attributes()).filter(|attribute| !file.hides(*attribute))
            {
                let ExpressionKind::Object(object) = attribute.expression().kind() else { continue };
                let mut elements = object.elements();
                let element = elements.find(|element| element.key_text().is_some_and(|known| known == *key));
                let value = element.map(|element| element.value()).filter(|value| !is_here(*value));
                if let Some(ExpressionKind::Template(template)) = value.map(|value| value.kind())
                    && let Some(text) = template.as_text()
                {
                    *found.entry(text.into_owned()).or_default() += 1;
                }
            }
        }
        found
    }
}

/// The maximum number of files to search for texts.
const MAX_FILES: usize = 2_000;

/// Returns the words that are values.
fn keywords(prefix: Span) -> impl Iterator<Item = Item> {
    let item = move |word| Item { points: -10, ..Item::new(word, ItemKind::Keyword, prefix) };
    ["true", "false", "null"].into_iter().map(item)
}
