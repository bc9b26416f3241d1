//! Edits of files in native syntax, and of templates.

use std::ops::Range;
use std::sync::Arc;

use super::EditError;
use super::clear::check_ends;
use super::item::{NewItem, NewValue, trailing};
use super::node::{InsertionPoint, Item};
use super::orders::{MemberOrder, Orders, PartOrder};
use super::sources::moved;
use super::splice::Splice;
use super::text::Lines;
use super::{check, parts, plan, tokens};
use hcl_lr::ParseOptions;
use hcl_lr::construct::{BuildError, NewExpression, NewTemplate};
use hcl_lr::diagnostic::Outcome;
use hcl_lr::format::keep_layout;
use hcl_lr::internal::{comment_lines, template_file};
use hcl_lr::source::{Replacement, Source};
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, File, TemplateNode};
use hcl_lr::syntax::is_identifier;
use hcl_lr::writer::key;

/// Edits of a file in native syntax, or of a template.
#[derive(Clone, Debug)]
pub(super) struct NativeEdits<'f> {
    file: &'f File,
    /// True if the file is a template rather than a body.
    is_template: bool,
    /// True if some new text keeps its layout, so that nothing is aligned with it.
    keeps_layout: bool,
    pub options: ParseOptions,
    orders: Orders<'f>,
    /// Read on first use.
    lines: Option<Arc<Lines<'f>>>,
}

impl<'f> NativeEdits<'f> {
    pub fn new(file: &'f File) -> Self {
        let (options, orders) = (ParseOptions::default(), Orders::new(file));
        NativeEdits { file, is_template: false, keeps_layout: false, options, orders, lines: None }
    }

    /// Creates edits of a file that is a template.
    pub fn of_template(file: &'f File) -> Self {
        NativeEdits { is_template: true, ..NativeEdits::new(file) }
    }

    fn lines(&mut self) -> Arc<Lines<'f>> {
        self.lines.get_or_insert_with(|| Arc::new(Lines::new(self.file.source().text()))).clone()
    }

    /// Records a change of a member. Errors of the member come before errors of the change.
    fn change(
        &mut self,
        member: Item<'f>,
        change: impl FnOnce(&mut MemberOrder<'f>) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        change(self.orders.member(member)?)
    }

    /// Returns the changes of the value of an item, or of any expression.
    fn part(&mut self, item: Item<'f>) -> Result<&mut PartOrder<'f>, EditError> {
        item.check_file(self.file)?;
        self.orders.part(item.value().ok_or(EditError::Misplaced("a block has no value"))?)
    }

    pub fn set(&mut self, item: Item<'f>, new: NewExpression) -> Result<(), EditError> {
        self.keeps_layout |= new.keeps_layout();
        let order = self.part(item)?;
        let value = Some(NewValue::of(&new)?);
        let node = order.node;
        *order = PartOrder { node, value, function: None, last: Some(new), inner: None, wraps: Vec::new() };
        Ok(())
    }

    pub fn wrap(&mut self, item: Item<'f>, wrap: impl FnOnce(NewExpression) -> NewExpression) -> Result<(), EditError> {
        let order = self.part(item)?;
        if order.value.is_some() {
            let new = wrap(order.last.take().unwrap_or_else(|| order.node.into()));
            order.value = Some(NewValue::of(&new)?);
            order.last = Some(new);
            return Ok(());
        }
        let new = wrap(match &order.last {
            Some(last) => last.stand_in(parts::STAND_IN),
            None => NewExpression::standing_for(order.kept(), parts::STAND_IN),
        });
        order.wraps.push(NewValue::around(&new)?);
        order.last = Some(new);
        Ok(())
    }

    pub fn unwrap(&mut self, item: Item<'f>, inner: ExpressionNode<'f>) -> Result<(), EditError> {
        let file = self.file;
        let order = self.part(item)?;
        let (outer, span) = (order.node.span(), inner.span());
        if !inner.is_of(file) {
            return Err(EditError::Elsewhere);
        }
        if span == outer || span.start() < outer.start() || outer.end() < span.end() {
            return Err(EditError::Misplaced("the inner expression must be a part of the outer one"));
        }
        let node = order.node;
        *order = PartOrder { node, value: None, function: None, last: None, inner: Some(inner), wraps: Vec::new() };
        Ok(())
    }

    pub fn rename(&mut self, member: Item<'f>, name: &str) -> Result<(), EditError> {
        if let Item::Element(node) = member
            && let ExpressionKind::FunctionCall(_) = node.kind()
        {
            if !name.split("::").all(is_identifier) {
                return Err(EditError::Build(BuildError::Name(name.to_owned())));
            }
            let order = self.part(member)?;
            if order.value.is_some() || order.inner.is_some() {
                return Err(EditError::Within(node.span()));
            }
            order.function = Some(name.to_owned());
            return Ok(());
        }
        self.change(member, |order| written_name(member, name).map(|name| order.name = Some(name)))
    }

    pub fn set_labels(&mut self, block: Item<'f>, labels: Vec<String>) -> Result<(), EditError> {
        if !matches!(block, Item::Block(_)) {
            return Err(EditError::Misplaced("only blocks have labels"));
        }
        self.change(block, |order| {
            order.labels = Some(labels);
            Ok(())
        })
    }

    pub fn insert(&mut self, position: InsertionPoint<'f>, item: &NewItem) -> Result<(), EditError> {
        position.check(self.file)?;
        self.keeps_layout |= item.keeps_layout();
        self.orders.insert(position, item.ready()?)
    }

    pub fn remove(&mut self, member: Item<'f>) -> Result<(), EditError> {
        self.change(member, |order| {
            order.removed = true;
            Ok(())
        })
    }

    /// Moves a member, perhaps under another name.
    pub fn move_to(
        &mut self,
        member: Item<'f>,
        position: InsertionPoint<'f>,
        name: Option<&str>,
    ) -> Result<(), EditError> {
        position.check(self.file)?;
        let mut new = moved(self.file, &self.lines(), member)?;
        if let Some(name) = name {
            new.rename(member, &written_name(member, name)?);
        }
        self.orders.insert(position, new)?;
        self.remove(member)
    }

    pub fn replace(&mut self, item: Item<'f>, new: &NewItem) -> Result<(), EditError> {
        self.insert(InsertionPoint::Before(item), new)?;
        self.remove(item)
    }

    pub fn splice(
        &mut self,
        template: TemplateNode<'f>,
        range: Range<usize>,
        new: NewTemplate,
    ) -> Result<(), EditError> {
        self.orders.splice(template, Splice::new(range, new)?)
    }

    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    pub fn text_of(&self, item: Item<'f>, value: &NewExpression) -> Result<String, EditError> {
        item.check_file(self.file)?;
        Ok(value.text()?)
    }

    pub fn copy_of(&self, item: Item<'f>) -> Result<NewItem, EditError> {
        item.check_file(self.file)?;
        check_ends(self.file, item)?;
        Ok(NewItem::from(item))
    }

    pub fn set_comment(&mut self, member: Item<'f>, text: Option<&str>) -> Result<(), EditError> {
        self.change(member, |order| {
            order.lead = Some(text.map(comment_lines).transpose()?.unwrap_or_default());
            Ok(())
        })
    }

    pub fn set_trailing_comment(&mut self, member: Item<'f>, text: Option<&str>) -> Result<(), EditError> {
        self.change(member, |order| {
            order.trail = Some(text.map(trailing).transpose()?);
            Ok(())
        })
    }

    fn parse(&self, source: Source) -> Outcome<File> {
        if self.is_template { template_file(source, &self.options) } else { self.options.parse::<File>(source) }
    }

    /// Applies all edits, and returns the new file.
    pub fn finish(mut self) -> Result<(File, Vec<Replacement>), EditError> {
        let lines = self.lines();
        let file = self.file;
        let source = file.source();
        if !source.invalid_utf8().is_empty() {
            return Err(EditError::Unreadable);
        }
        let mut plan = plan::plan(file, self.is_template, lines, &mut self.orders)?;
        // The lines of a template are text.
        if !self.is_template && !self.keeps_layout {
            plan.replacements = keep_layout(&plan.replacements, source.text()).map_err(|_| EditError::Unreadable)?;
        }
        let text = Replacement::apply(&plan.replacements, source.text()).map_err(|_| EditError::Unreadable)?;
        let (edited, diagnostics) = self.parse(Source::new(source.name(), text)).into_parts();
        let was_broken = || self.parse((**source).clone()).into_parts().1;
        if diagnostics.has_errors() {
            check::no_new_errors(&was_broken(), &diagnostics)?;
        }
        let orders = &self.orders;
        let compared = tokens::compare(file, &edited, orders, &plan, diagnostics.has_errors());
        let checked = compared.map_err(EditError::NotAsAsked);
        checked.and_then(|()| check::check(file, &edited, self.is_template, orders, &plan)).map_err(|error| {
            match error {
                // After a syntax error, the parser may read the same text differently.
                EditError::NotAsAsked(span) if was_broken().has_errors() => EditError::Broken(span),
                other => other,
            }
        })?;
        Ok((edited, plan.replacements))
    }
}

/// Returns the name of a member in HCL notation.
fn written_name(member: Item<'_>, name: &str) -> Result<String, EditError> {
    match member {
        Item::Element(_) => Err(EditError::Misplaced("an element of a list has no name")),
        Item::Entry(_) => Ok(key(name)),
        _ if is_identifier(name) => Ok(name.to_owned()),
        _ => Err(EditError::Build(BuildError::Name(name.to_owned()))),
    }
}
