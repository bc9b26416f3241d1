//! Edits that editors offer: fixes, and changes that keep the meaning.

mod missing;

use hcl_lr::diagnostic::{Applicability, Diagnostic, Diagnostics, fix};
use hcl_lr::internal::{sort_by, sort_by_key};
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, ExpressionKind, ExpressionNode, TemplatePart};
use hcl_lr::syntax::{Piece, TokenKind};
use hcl_lr_edit::Editor;

use crate::diagnostics::Finding;
use crate::knowledge::KnownAttribute;
use crate::spans::touches;
use crate::workspace::{Cancelled, File, Snapshot};
use crate::{Edit, Location};

/// An edit with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The name, as a command to the editor: `write "x"`.
    pub title: String,
    /// The kind.
    pub kind: ActionKind,
    /// The edits.
    pub edits: Vec<Edit>,
    /// The index of the diagnostic that it fixes, among those of the file.
    pub mends: Option<usize>,
    /// True if it is safe to make without review.
    pub is_safe: bool,
}

/// The kind of an [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Fixes an error.
    Fix,
    /// Fixes everything that can be fixed safely.
    FixAll,
    /// Extracts a part of an expression under a name.
    Extract,
    /// Replaces a name by its value.
    Inline,
    /// Writes the same in another form.
    Rewrite,
}

impl Snapshot {
    /// Returns the edits offered for a part of a file, given its findings.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn actions(&self, path: &str, within: Span, findings: &[Finding]) -> Result<Vec<Action>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        let mut actions = Vec::new();
        for (number, finding) in findings.iter().enumerate() {
            let wrong = &finding.diagnostic;
            let apart = wrong.span().end() < within.start() || within.end() < wrong.span().start();
            if apart {
                continue;
            }
            for suggestion in wrong.suggestions() {
                let edits = suggestion
                    .edits()
                    .iter()
                    .map(|edit| Edit { location: Location::of(edit.place()), text: edit.text().to_owned() });
                actions.push(Action {
                    title: suggestion.message().to_owned(),
                    kind: ActionKind::Fix,
                    edits: edits.collect(),
                    mends: Some(number),
                    is_safe: suggestion.applicability() == Applicability::Safe,
                });
            }
            let missing = missing::definition(self, file, &project, wrong)?;
            actions.extend(missing.map(|action| Action { mends: Some(number), ..action }));
        }
        self.check()?;
        actions.extend(self.fix_all(path, findings)?);
        if let Some(native) = file.native() {
            let asked = Refactoring { snapshot: self, file, native, within };
            actions.extend(asked.all()?);
        }
        // Several findings may have one cause.
        let mut known: Vec<(String, Vec<Edit>)> = Vec::new();
        actions.retain(|action| {
            let is_new = !known.iter().any(|(title, edits)| *title == action.title && *edits == action.edits);
            if is_new {
                known.push((action.title.clone(), action.edits.clone()));
            }
            is_new
        });
        Ok(actions)
    }

    /// Returns the edit that fixes everything that can be fixed safely in a file: its syntax, its names, and by its
    /// schema.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn fix_all(&self, path: &str, findings: &[Finding]) -> Result<Option<Action>, Cancelled> {
        let Some(file) = self.file(path) else { return Ok(None) };
        let wrong = mendable(path, findings);
        if hcl_lr::diagnostic::fixable(&wrong) == 0 {
            return Ok(None);
        }
        // Each round of edits changes the text, so the diagnostics are computed again.
        let find = |bytes: &[u8]| -> Diagnostics {
            let changed =
                self.with_texts([(file.path().clone(), String::from_utf8_lossy(bytes).into_owned())]).keeping();
            changed.diagnostics(path).map(|found| mendable(path, &found)).unwrap_or_default()
        };
        let text = file.source().text();
        let fixed = fix(text.as_bytes().to_vec(), wrong, find);
        self.check()?;
        let edit = String::from_utf8(fixed.bytes).ok().and_then(|new| whole_edit(file, text, &new));
        Ok(edit.map(|edit| Action {
            title: "fix all that is safe to fix".to_owned(),
            kind: ActionKind::FixAll,
            edits: vec![edit],
            mends: None,
            is_safe: true,
        }))
    }
}

/// Returns the diagnostics of a file, without those whose edits change other files.
fn mendable(path: &str, findings: &[Finding]) -> Diagnostics {
    let is_own = |wrong: &&Diagnostic| {
        let mut edits = wrong.suggestions().iter().flat_map(|suggestion| suggestion.edits());
        edits.all(|edit| edit.place().source().name() == path)
    };
    findings.iter().map(|finding| &finding.diagnostic).filter(is_own).cloned().collect()
}

/// Returns the edit that turns one text into another, reduced to the part that differs.
fn whole_edit(file: &File, old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let mut start = old.bytes().zip(new.bytes()).take_while(|(left, right)| left == right).count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let most = old.len().min(new.len()) - start;
    let mut end = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(left, right)| left == right).count();
    while !old.is_char_boundary(old.len() - end) || !new.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    let span = Span::new(start, old.len() - end);
    let location = Location { path: file.path().clone(), span };
    Some(Edit { location, text: new[start..new.len() - end].to_owned() })
}

/// Changes that keep the meaning.
struct Refactoring<'a> {
    snapshot: &'a Snapshot,
    file: &'a File,
    native: &'a hcl_lr::syntax::File,
    /// The selection.
    within: Span,
}

impl Refactoring<'_> {
    fn all(&self) -> Result<Vec<Action>, Cancelled> {
        // In broken text, only fixes are offered.
        if self.file.parsed().diagnostics.has_errors() {
            return Ok(Vec::new());
        }
        let mut actions = Vec::new();
        actions.extend(self.extract());
        actions.extend(self.inline()?);
        actions.extend(self.unquote());
        actions.extend(self.quote());
        actions.extend(self.sort());
        actions.extend(self.add_missing());
        Ok(actions)
    }

    fn action(&self, title: String, kind: ActionKind, edits: Vec<(Span, String)>) -> Action {
        let path = self.file.path();
        let edits =
            edits.into_iter().map(|(span, text)| Edit { location: Location { path: path.clone(), span }, text });
        Action { title, kind, edits: edits.collect(), mends: None, is_safe: true }
    }

    /// Returns the expressions around the selection, from the outermost.
    fn around(&self) -> Vec<ExpressionNode<'_>> {
        let all = crate::spans::innermost(self.native.body(), self.within.start());
        all.into_iter().filter(|expression| touches(expression.span(), self.within.end())).collect()
    }

    fn has_locals(&self) -> bool {
        self.file.language().roles().roles().iter().any(|role| role.block_type() == Some("locals"))
    }

    /// Extracts the selected expression as a local value.
    fn extract(&self) -> Option<Action> {
        if !self.has_locals() || self.within.is_empty() {
            return None;
        }
        let around = self.around();
        let at = around.iter().position(|expression| expression.span() == self.within)?;
        let expression = around[at];
        // A name that belongs to this place means nothing elsewhere.
        let iterators = crate::iterators::iterators(self.native.body(), self.within.start());
        let is_of_place = |name: &str| {
            matches!(name, "each" | "count" | "self")
                || iterators.iter().any(|iterator| iterator == name)
                || around[..at].iter().any(|expression| defines(*expression, name))
        };
        let whole = hcl_lr::Expression::from(expression);
        if whole.variables().iter().any(|variable| is_of_place(variable.root())) || expression.text().contains('\n') {
            return None;
        }
        let attribute = attribute_around(self.native.body(), self.within.start())?;
        let project = self.snapshot.project(self.file.path()).ok()??;
        let taken = |name: &str| project.definitions().get(&format!("local.{name}")).is_some();
        let base = attribute.name().to_owned();
        let name = (1..100)
            .map(|number| if number == 1 { base.clone() } else { format!("{base}_{number}") })
            .find(|name| !taken(name))?;
        let line = format!("{name} = {}", expression.text());
        let insert = match self.native.body().blocks_of_type("locals").last().filter(|block| !block.is_one_line()) {
            Some(block) => {
                let close = block.body().close_brace_span()?.start();
                (Span::new(close, close), format!("  {line}\n"))
            }
            None => (Span::new(0, 0), format!("locals {{\n  {line}\n}}\n\n")),
        };
        let mut edits = vec![insert, (self.within, format!("local.{name}"))];
        sort_by_key(&mut edits, |(span, _)| *span);
        Some(self.action(format!("extract to `local.{name}`"), ActionKind::Extract, edits))
    }

    /// Replaces the name of a local value by its expression, everywhere.
    fn inline(&self) -> Result<Option<Action>, Cancelled> {
        let Some(project) = self.snapshot.project(self.file.path())? else { return Ok(None) };
        let Some(definition) = project.at(self.file.source(), self.within.start()) else { return Ok(None) };
        if definition.block_type() != Some("locals") || definition.is_sensitive() || is_secret_name(definition.name()) {
            return Ok(None);
        }
        let Some(expression) = definition.expression().and_then(|expression| expression.as_native()) else {
            return Ok(None);
        };
        if !matches!(expression.kind(), ExpressionKind::Traversal(_))
            && self.snapshot.settings().evaluates
            && project.shown().value(&definition).contains_marks()
        {
            return Ok(None);
        }
        let text = expression.text();
        if text.contains('\n') || text.contains("<<") {
            return Ok(None);
        }
        let is_term = matches!(
            expression.kind(),
            ExpressionKind::Traversal(_)
                | ExpressionKind::Number(_)
                | ExpressionKind::Bool(_)
                | ExpressionKind::Null
                | ExpressionKind::Template(_)
                | ExpressionKind::FunctionCall(_)
                | ExpressionKind::Tuple(_)
                | ExpressionKind::Object(_)
                | ExpressionKind::Parentheses(_)
        );
        let text = if is_term { text.to_owned() } else { format!("({text})") };
        let place = Location::of(definition.name_place());
        let Some(found) = self.snapshot.uses_of(&place)? else { return Ok(None) };
        if found.uses.is_empty()
            || found.uses.iter().any(|reference| reference.whole.path.ends_with(".json") || reference.is_definition)
        {
            return Ok(None);
        }
        let mut edits: Vec<Edit> =
            found.uses.iter().map(|reference| Edit { location: reference.whole.clone(), text: text.clone() }).collect();
        // The attribute is removed with its line.
        let Some(home) = self.snapshot.file(&place.path).and_then(|file| file.native()) else { return Ok(None) };
        let Some(attribute) = attribute_around(home.body(), place.span.start()) else { return Ok(None) };
        let mut editor = Editor::new(home);
        editor.remove(attribute);
        let Ok(edited) = editor.finish() else { return Ok(None) };
        edits.extend(edited.replacements().iter().map(|replacement| Edit {
            location: Location { path: place.path.clone(), span: replacement.span() },
            text: replacement.text().to_owned(),
        }));
        sort_by(&mut edits, |left, right| left.location.cmp(&right.location));
        let title = format!("inline `{}`", definition.address());
        let changed = self.snapshot.with_edits(&edits);
        let is_fine = changed.files().filter(|file| edits.iter().any(|edit| edit.location.path == *file.path()));
        let is_fine = is_fine.into_iter().all(|file| !file.parsed().diagnostics.has_errors());
        Ok(is_fine.then_some(Action { title, kind: ActionKind::Inline, edits, mends: None, is_safe: true }))
    }

    /// Writes `"${x}"` as `x`.
    fn unquote(&self) -> Option<Action> {
        let around = self.around();
        let expression =
            around.iter().rev().find(|expression| matches!(expression.kind(), ExpressionKind::Template(_)))?;
        let ExpressionKind::Template(template) = expression.kind() else { return None };
        let inner = template.unwrapped().filter(|_| !template.is_heredoc())?;
        let edits = vec![(expression.span(), inner.text().to_owned())];
        Some(self.action(format!("write `{}` without quotes", short(inner.text())), ActionKind::Rewrite, edits))
    }

    /// Writes a reference as a template.
    fn quote(&self) -> Option<Action> {
        let around = self.around();
        let attribute = attribute_around(self.native.body(), self.within.start())?;
        let expression =
            around.last().filter(|expression| matches!(expression.kind(), ExpressionKind::Traversal(_)))?;
        if attribute.expression().span() != expression.span() {
            return None;
        }
        let text = expression.text();
        let edits = vec![(expression.span(), format!("\"${{{text}}}\""))];
        Some(self.action(format!("write `\"${{{}}}\"`", short(text)), ActionKind::Rewrite, edits))
    }

    /// Sorts the attributes of the innermost block.
    fn sort(&self) -> Option<Action> {
        let block = block_around(self.native.body(), self.within.start())?;
        let style = hcl_lr::format::Style::new().with_switches(true);
        let written = self.native.source().text().get(block.span().range())?;
        // The block is sorted as if it started a line, and indented again.
        let before = self.native.source().text()[..block.span().start()].rsplit('\n').next()?;
        let indent = if before.trim().is_empty() { before } else { return None };
        if !indent.is_empty() && self.has_long_text(block) {
            return None;
        }
        let mut lines = written.split_inclusive('\n');
        let first = lines.next()?.to_owned();
        let old =
            lines.fold(first, |text, line| text + line.strip_prefix(indent).unwrap_or(line.trim_start_matches(' ')));
        let sorted = style.with_sorted_attributes(true).format(&old);
        if sorted == style.format(&old) {
            return None;
        }
        let mut lines = sorted.split_inclusive('\n');
        let first = lines.next()?.to_owned();
        let sorted = lines.fold(first, |text, line| match line.trim().is_empty() {
            true => text + line,
            false => text + indent + line,
        });
        let title = format!("sort the attributes of `{}`", block.block_type());
        Some(self.action(title, ActionKind::Rewrite, vec![(block.span(), sorted)]))
    }

    /// Returns true if a block has a text of several lines, whose indentation matters.
    fn has_long_text(&self, block: BlockNode<'_>) -> bool {
        let mut pieces = self.native.pieces();
        pieces.any(|piece| match piece {
            Piece::Token(token) => {
                matches!(token.kind(), TokenKind::TemplateLiteral | TokenKind::Literal)
                    && touches(block.span(), token.span().start())
                    && token.text().contains('\n')
            }
            Piece::Trivia(_) => false,
        })
    }

    /// Adds the missing attributes and blocks that the language requires in the innermost block.
    fn add_missing(&self) -> Option<Action> {
        let at = self.within.start();
        let (mut body, mut blocks) = (self.native.body(), Vec::new());
        while let Some(block) = body.blocks().find(|block| touches(block.span(), at)) {
            blocks.push(crate::knowledge::Header::of(block));
            body = block.body();
        }
        let known = self.snapshot.known_body(self.file, &blocks)?;
        let project = self.snapshot.project(self.file.path()).ok()??;
        let inputs = crate::completion::inputs_of_call(self.snapshot, &project, &blocks);
        let missing = || {
            let all = known.attributes.iter().chain(&inputs);
            all.filter(|attribute| attribute.is_required && body.attribute(&attribute.name).is_none())
        };
        let width = missing().map(|attribute| attribute.name.chars().count()).max().unwrap_or_default();
        let line = |attribute: &KnownAttribute| {
            format!("{:width$} = {}", attribute.name, crate::completion::initial_value(attribute))
        };
        let mut lines: Vec<String> = missing().map(line).collect();
        for block in &known.blocks {
            let missing = block.min.saturating_sub(body.blocks_of_type(&block.name).count() as u64);
            let labels: String = block.labels.iter().map(|_| " \"\"").collect();
            lines.extend((0..missing.min(10)).map(|_| format!("{}{labels} {{\n}}", block.name)));
        }
        let close = body.close_brace_span()?.start();
        if lines.is_empty() || !self.native.source().text()[..close].ends_with(['\n', ' ', '{', '\t']) {
            return None;
        }
        let indent = "  ".repeat(blocks.len());
        let line_start = self.native.source().text()[..close].rfind('\n').map_or(0, |at| at + 1);
        let is_alone = self.native.source().text()[line_start..close].trim().is_empty();
        let lines: Vec<String> =
            lines.iter().map(|line| format!("{indent}{}\n", line.replace('\n', &format!("\n{indent}")))).collect();
        let (at, text) = match is_alone {
            true => (line_start, lines.concat()),
            false => (close, format!("\n{}{}", lines.concat(), "  ".repeat(blocks.len().saturating_sub(1)))),
        };
        let span = Span::new(at, at);
        Some(self.action("add what is required".to_owned(), ActionKind::Fix, vec![(span, text)]))
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns true if an expression defines a name for a part of itself.
fn defines(expression: ExpressionNode<'_>, name: &str) -> bool {
    match expression.kind() {
        ExpressionKind::For(all) => {
            all.value_variable().text() == name || all.key_variable().is_some_and(|key| key.text() == name)
        }
        ExpressionKind::Template(template) => {
            let mut waiting = vec![template];
            while let Some(template) = waiting.pop() {
                for part in template.parts() {
                    match part {
                        TemplatePart::For(all) => {
                            let is_key = all.key_variable().is_some_and(|key| key.text() == name);
                            if is_key || all.value_variable().text() == name {
                                return true;
                            }
                            waiting.push(all.body());
                        }
                        TemplatePart::If(condition) => {
                            waiting.push(condition.true_part());
                            waiting.extend(condition.false_part());
                        }
                        _ => {}
                    }
                }
            }
            false
        }
        _ => false,
    }
}

/// Returns the innermost block around a place.
fn block_around(body: hcl_lr::syntax::ast::BodyNode<'_>, offset: usize) -> Option<BlockNode<'_>> {
    let (mut body, mut found) = (body, None);
    while let Some(BodyItem::Block(block)) = crate::spans::item_at(body, offset) {
        found = Some(block);
        body = block.body();
    }
    found
}

/// Returns the attribute around a place.
fn attribute_around(body: hcl_lr::syntax::ast::BodyNode<'_>, offset: usize) -> Option<AttributeNode<'_>> {
    let mut body = body;
    loop {
        match crate::spans::item_at(body, offset)? {
            BodyItem::Attribute(attribute) => return Some(attribute),
            BodyItem::Block(block) => body = block.body(),
            _ => return None,
        }
    }
}
