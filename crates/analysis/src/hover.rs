//! The meaning of names, attributes, blocks and functions at a place, with their values where known.

use std::sync::Arc;

use hcl_lr::Expression;
use hcl_lr::diagnostic::count;
use hcl_lr::functions::FunctionEntry;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr_language::definitions::Definition;

use crate::completion::UsedParts;
use crate::knowledge::Header;
use crate::parts::{KnownPart, PathsAt, enclosing};
use crate::project::{Project, entry_of};
use crate::spans::{innermost, item_at, touches};
use crate::workspace::{Cancelled, File, Snapshot};

/// The meaning of a text, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The span of the text.
    pub span: Span,
    /// The meaning.
    pub markdown: String,
}

/// The description of a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Described {
    pub ty: Option<Type>,
    pub type_text: Option<String>,
    pub description: Option<String>,
}

/// Says how to get the schemas of providers.
const HOW_TO_IMPORT: &str = "The schemas of providers are not known here. To complete and check what they have, run \
                             `terraform providers schema -json | hcl providers import` in this folder.";

/// The maximum size of a value, in bytes.
const MAX_SHOWN: u64 = 100_000;

/// The maximum number of lines of a value, and of characters.
const MAX_LINES: usize = 30;
const MAX_CHARACTERS: usize = 2_000;

/// Returns the type and the description of a definition.
pub(crate) fn described(snapshot: &Snapshot, definition: &Definition<'_>) -> Described {
    let ty = definition.constraint().map(|constraint| constraint.ty().clone());
    let type_text = ty.as_ref().map(Type::describe);
    let place = definition.place();
    let file = snapshot.file(place.source().name());
    let description = file.and_then(|file| file.descriptions().get(&place.span().start())).cloned();
    Described { ty, type_text, description }
}

/// Returns a value as text; `None` if it is unknown.
pub(crate) fn shown(value: &Value) -> Option<String> {
    let value = &value.with_secrets_marked();
    if !value.is_known() && !value.is_marked() {
        return None;
    }
    if value.size() > MAX_SHOWN {
        return Some(format!("(too long to be shown: {})", value.shown_type()));
    }
    let text = value.wrapped(0);
    let mut lines: Vec<&str> = text.lines().take(MAX_LINES + 1).collect();
    let is_cut = lines.len() > MAX_LINES;
    lines.truncate(MAX_LINES);
    let mut text = lines.join("\n");
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    } else if is_cut {
        text.push_str("\n…");
    }
    Some(text)
}

impl Snapshot {
    /// Returns the meaning of the text at a byte of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn hover(&self, path: &str, offset: usize) -> Result<Option<Hover>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        let source = file.source();
        if let Some(definition) = project.at(source, offset)
            && let Some(span) = crate::navigate::span_at(&project, file, &definition, offset)
        {
            return Ok(Some(Hover { span, markdown: self.about_definition(&project, &definition)? }));
        }
        let Some(native) = file.native() else { return Ok(None) };
        if let Some(hover) = self.about_call(&project, native.body(), offset) {
            return Ok(Some(hover));
        }
        if let Some(hover) = self.about_path(file, &project, offset)? {
            return Ok(Some(hover));
        }
        if let Some(hover) = self.about_expected(file, &project, offset) {
            return Ok(Some(hover));
        }
        self.about_item(file, &project, offset)
    }

    /// Returns the value of a definition. `None` if evaluation is off.
    fn value_of(&self, project: &Project, definition: &Definition<'_>) -> Result<Option<Value>, Cancelled> {
        self.check()?;
        Ok(self.settings().evaluates.then(|| project.shown().value(definition)))
    }

    fn about_definition(&self, project: &Project, definition: &Definition<'_>) -> Result<String, Cancelled> {
        let described = described(self, definition);
        let mut head = definition.address().to_owned();
        let value = self.value_of(project, definition)?;
        let ty = described.type_text.or_else(|| {
            let ty = value.as_ref()?.shown_type();
            (ty != Type::Dynamic && ty.size() < 2_000).then(|| ty.describe())
        });
        if let Some(ty) = ty {
            head += &format!(": {ty}");
        }
        let mut parts = vec![code(&head)];
        parts.extend(described.description);
        if definition.is_ephemeral() {
            parts.push("Ephemeral.".to_owned());
        } else if definition.is_sensitive() {
            parts.push("Sensitive.".to_owned());
        }
        if let Some(known) = value.as_ref().and_then(shown) {
            parts.push(format!("Value:\n{}", code(&known)));
        } else if definition.is_input() && value.is_some() {
            parts.push("No value is known: it has no default.".to_owned());
        }
        if self.settings().evaluates
            && definition.is_repeated()
            && let Some(instances) = project.shown().instances(definition)
        {
            let keys: Vec<String> = instances.iter().take(20).map(|instance| instance.key().to_string()).collect();
            parts.push(format!("{}: {}", count(instances.len(), "instance"), keys.join(", ")));
        }
        let place = definition.name_place();
        let kind = definition.block_type().map_or(String::new(), |name| format!("`{name}`, "));
        let name = hcl_lr_project::paths::split(place.source().name()).1.to_owned();
        parts.push(format!("{kind}{name}:{}", place.position().line));
        Ok(parts.join("\n\n"))
    }

    /// Describes the function whose name is at a place.
    fn about_call(&self, project: &Project, body: BodyNode<'_>, offset: usize) -> Option<Hover> {
        let call = innermost(body, offset).into_iter().rev().find_map(|expression| match expression.kind() {
            ExpressionKind::FunctionCall(call) if touches(call.name_span(), offset) => Some(call),
            _ => None,
        })?;
        let entry = entry_of(project, &call.name())?;
        Some(Hover { span: call.name_span(), markdown: about_function(entry) })
    }

    /// Describes a word, key or type at a place by the types of the schema.
    fn about_expected(&self, file: &Arc<File>, project: &Arc<Project>, offset: usize) -> Option<Hover> {
        let native = file.native()?;
        let text = native.source().text();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let (before, after) = (text.get(..offset)?, text.get(offset..)?);
        let start = before.trim_end_matches(is_part).len();
        let end = offset + after.len() - after.trim_start_matches(is_part).len();
        let name = text.get(start..end).unwrap_or_default();
        let about = || UsedParts::at(self, file, project.clone(), native, end).about_name(name);
        if let Some(markdown) = Some(()).filter(|()| !name.is_empty()).and_then(|()| about()) {
            return Some(Hover { span: Span::new(start, end), markdown });
        }
        // The brackets of a collection, and what is not described in them.
        let around = innermost(native.body(), offset);
        let is_collection =
            |node: &&ExpressionNode<'_>| matches!(node.kind(), ExpressionKind::Tuple(_) | ExpressionKind::Object(_));
        let span = around.last().filter(is_collection)?.span();
        let types = UsedParts::at(self, file, project.clone(), native, span.start()).expected_types()?;
        Some(Hover { span, markdown: code(&types) })
    }

    /// Describes a step of a traversal after its definition, or a name of a `for`.
    fn about_path(&self, file: &Arc<File>, project: &Project, offset: usize) -> Result<Option<Hover>, Cancelled> {
        let Some(native) = file.native() else { return Ok(None) };
        let around = innermost(native.body(), offset);
        let Some(traversal) = around.iter().rev().find_map(|expression| expression.as_traversal()) else {
            return Ok(None);
        };
        let root = traversal.root();
        let mut end = root.span();
        for step in traversal.steps() {
            if end.end() >= offset && touches(end, offset) {
                break;
            }
            end = step.span();
        }
        let span = Span::new(root.span().start(), end.end());
        let is_own = around.iter().any(|expression| matches!(expression.kind(), ExpressionKind::For(all)
            if all.value_variable().text() == root.text() || all.key_variable().is_some_and(|key| key.text() == root.text())));
        let (typed, known) = self.type_of_path(file, project, offset)?;
        let typed = typed.map(|ty| ty.describe()).or_else(|| known.as_ref()?.type_text.clone());
        let head = |text: &str| typed.as_ref().map_or_else(|| code(text), |ty| code(&format!("{text}: {ty}")));
        if is_own && end == root.span() {
            return Ok(Some(Hover { span, markdown: format!("{}\n\nA name that `for` defines.", head(root.text())) }));
        }
        let text = native.source().text()[span.range()].to_owned();
        let Some(expression) = hcl_lr::parse::<hcl_lr::Expression>(text.as_str()).into_result().ok() else {
            return Ok(None);
        };
        let value = self.value_in(file, project, offset, &expression)?;
        let later = about_later(&text);
        let mut parts = vec![head(&text)];
        parts.extend(later.map(str::to_owned));
        let is_in_schema = known.is_some();
        parts.extend(known.and_then(|known| known.description));
        parts.extend(value.as_ref().and_then(shown).map(|known| format!("Value:\n{}", code(&known))));
        let is_known = parts.len() > 1 || typed.is_some() || is_in_schema;
        Ok(is_known.then(|| Hover { span, markdown: parts.join("\n\n") }))
    }

    /// Returns the type of the part of a definition at a place, if it is known, and what the schema says of the part.
    fn type_of_path(
        &self,
        file: &Arc<File>,
        project: &Project,
        offset: usize,
    ) -> Result<(Option<Type>, Option<KnownPart>), Cancelled> {
        let Some((cursor, chain, _)) = self.path_at(file, offset) else { return Ok((None, None)) };
        let paths = PathsAt::new(self, file, project, &cursor);
        let ty = paths.type_of(&chain)?;
        Ok((ty.filter(|ty| ty.size() < 2_000), paths.known_part(&chain)))
    }

    /// Returns the value of an expression at a place. `None` if it has errors, or must not be shown.
    pub(crate) fn value_in(
        &self,
        file: &File,
        project: &Project,
        offset: usize,
        expression: &Expression,
    ) -> Result<Option<Value>, Cancelled> {
        self.check()?;
        if !self.settings().evaluates || !project.files().iter().any(|project_file| project_file.path() == file.path())
        {
            return Ok(None);
        }
        let evaluated = project.shown();
        let (value, found) = match enclosing(project, file, offset) {
            Some(definition) if is_hidden(&definition) => return Ok(None),
            Some(definition) => {
                expression.evaluate_partially(&evaluated.scope_in(&definition, expression)).into_parts()
            }
            None => evaluated.evaluate(expression).into_parts(),
        };
        let is_secret = last_name(expression).is_some_and(|name| is_secret_name(&name));
        Ok((!found.has_errors() && !is_secret).then_some(value))
    }

    /// Describes the name of an attribute, the type of a block, or a label.
    fn about_item(&self, file: &Arc<File>, project: &Project, offset: usize) -> Result<Option<Hover>, Cancelled> {
        let Some(native) = file.native() else { return Ok(None) };
        let (mut body, mut blocks) = (native.body(), Vec::<Header>::new());
        loop {
            let item = item_at(body, offset);
            match item {
                Some(BodyItem::Attribute(attribute)) if touches(attribute.name_token().span(), offset) => {
                    return self.about_attribute(file, project, &blocks, attribute);
                }
                Some(BodyItem::Block(block)) if block.header_span().end() >= offset => {
                    return Ok(self.about_block(file, &blocks, block, offset));
                }
                Some(BodyItem::Block(block)) => {
                    blocks.push(Header::of(block));
                    body = block.body();
                }
                _ => return Ok(None),
            }
        }
    }

    fn about_attribute(
        &self,
        file: &Arc<File>,
        project: &Project,
        blocks: &[Header],
        attribute: AttributeNode<'_>,
    ) -> Result<Option<Hover>, Cancelled> {
        let span = attribute.name_token().span();
        let known = self.known_body(file, blocks).and_then(|body| body.attribute(attribute.name()).cloned());
        let mut head = attribute.name().to_owned();
        if let Some(ty) = known.as_ref().and_then(|known| known.type_text.as_ref()) {
            head += &format!(": {ty}");
        }
        let mut parts = vec![code(&head)];
        if let Some(known) = known {
            let words = [
                (known.is_required, "Required."),
                (known.is_read_only, "Read only."),
                (known.is_sensitive, "Sensitive."),
            ];
            let words: Vec<&str> = words.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| *word).collect();
            parts.extend((!words.is_empty()).then(|| words.join(" ")));
            parts.extend(known.deprecated.map(|reason| format!("Deprecated: {reason}")));
            parts.extend(known.description);
            parts.extend(known.default.map(|default| format!("Default: `{default}`")));
        }
        let expression = Expression::from(attribute.expression());
        let value = match file.hides(attribute) {
            true => None,
            false => self.value_in(file, project, attribute.expression().span().start(), &expression)?,
        };
        if let Some(known) = value.as_ref().and_then(shown) {
            parts.push(format!("Value:\n{}", code(&known)));
        }
        Ok((parts.len() > 1).then(|| Hover { span, markdown: parts.join("\n\n") }))
    }

    fn about_block(&self, file: &Arc<File>, blocks: &[Header], block: BlockNode<'_>, offset: usize) -> Option<Hover> {
        let known = self.known_body(file, blocks)?;
        let known = known.block(block.block_type())?;
        let name = block.type_token().span();
        if touches(name, offset) {
            let mut parts = vec![code(&known.name)];
            parts.extend(known.deprecated.as_ref().map(|reason| format!("Deprecated: {reason}")));
            parts.extend(known.description.clone());
            return Some(Hover { span: name, markdown: parts.join("\n\n") });
        }
        let (at, label) = block.labels().enumerate().find(|(_, label)| touches(label.span(), offset))?;
        let text = label.text().into_owned();
        let label_type = known.labels.get(at)?;
        let value = label_type.values.iter().find(|value| value.text == text);
        let within: Vec<Header> = blocks.iter().cloned().chain([Header::of(block)]).collect();
        let described = self.known_body(file, &within).and_then(|body| body.description);
        let description = value.and_then(|value| value.description.clone()).or(described);
        let description = description.or_else(|| label_type.description.clone());
        let mut description = description.unwrap_or_else(|| format!("The label `{}`.", label_type.name));
        if label_type.lacks_catalog {
            description += "\n\n";
            description += HOW_TO_IMPORT;
        }
        Some(Hover { span: label.span(), markdown: format!("{}\n\n{description}", code(&text)) })
    }
}

/// Describes a name that is known only when a program runs.
fn about_later(path: &str) -> Option<&'static str> {
    Some(match path {
        "each" | "each.key" => "The key of the current element of `for_each`. In a set, it is the element.",
        "each.value" => "The current element of `for_each`.",
        "count" | "count.index" => "The number of the current instance, counted from 0.",
        "self" => "The instance of the block that the expression is in.",
        "path.module" => "The folder of the file.",
        "path.root" => "The folder of the module that is run.",
        "path.cwd" => "The folder in which the program runs.",
        "terraform.workspace" => "The name of the workspace.",
        _ => return None,
    })
}

/// Returns true if the value of a definition must not be shown elsewhere.
fn is_hidden(definition: &Definition<'_>) -> bool {
    let has_value = definition.is_input() || definition.expression().is_some();
    definition.is_sensitive() || has_value && is_secret_name(definition.name())
}

/// Returns the name of the last step of an expression: `password` for `db.a.password`.
fn last_name(expression: &Expression) -> Option<String> {
    let native = expression.as_native()?;
    native.as_traversal()?;
    let last = native.text().rsplit(['.', '[']).next()?;
    Some(last.trim_end().trim_end_matches(']').trim_matches(['"', ' ']).to_owned())
}

fn about_function(entry: &FunctionEntry) -> String {
    let mut parts = vec![code(&entry.signature()), entry.summary().to_owned()];
    let examples: Vec<String> = entry
        .examples()
        .iter()
        .filter(|example| !example.fails())
        .take(3)
        .map(|example| format!("{}  # {}", example.expression(), example.result()))
        .collect();
    if !examples.is_empty() {
        parts.push(code(&examples.join("\n")));
    }
    parts.join("\n\n")
}

/// Returns text as an HCL code block in Markdown. The fence is longer than any in the text.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}hcl\n{text}\n{fence}")
}
