//! The layout of a container.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::EditError;
use super::clear::has_brackets;
use super::gap::Gap;
use super::node::{Container, Item, Shape};
use super::text::Lines;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::File;

/// The layout of the members of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// All on one line.
    Inline,
    /// Each on lines of its own.
    Lines,
    Mixed,
}

/// A container with its members and the text between them. For a body, that text is read on demand.
pub(super) struct Survey<'t> {
    pub file: &'t File,
    pub lines: Arc<Lines<'t>>,
    pub container: Container<'t>,
    pub shape: Shape,
    pub inside: Span,
    pub has_brackets: bool,
    pub members: Vec<Option<Item<'t>>>,
    spans: Vec<Span>,
    gaps: RefCell<HashMap<usize, Arc<Gap>>>,
    pub style: Style,
    /// True if the entries of an object on separate lines have commas.
    pub object_commas: bool,
}

impl<'t> Survey<'t> {
    pub fn new(file: &'t File, lines: &Arc<Lines<'t>>, container: Container<'t>) -> Result<Self, EditError> {
        let shape = container.shape().ok_or(EditError::Broken(container.span()))?;
        if shape != Shape::Body && !has_brackets(file, container.brackets()) {
            return Err(EditError::Broken(container.span()));
        }
        let (inside, has_brackets) = container.inside();
        let (members, spans): (Vec<_>, Vec<_>) = container.members_with_spans().into_iter().unzip();
        if shape != Shape::Body && members.iter().any(Option::is_none) {
            return Err(EditError::Broken(inside));
        }
        let gaps = RefCell::default();
        let mut survey = Survey {
            file,
            lines: lines.clone(),
            container,
            shape,
            inside,
            has_brackets,
            members,
            spans,
            gaps,
            style: Style::Lines,
            object_commas: false,
        };
        survey.find_style()?;
        Ok(survey)
    }

    fn find_style(&mut self) -> Result<(), EditError> {
        let count = self.members.len();
        if self.shape == Shape::Body {
            let one_line = self.has_brackets && !self.gap(0)?.breaks;
            self.style = if one_line { Style::Inline } else { Style::Lines };
            return Ok(());
        }
        let mut breaks = 0;
        for index in 1..count {
            let gap = self.gap(index)?;
            breaks += usize::from(gap.breaks);
            self.object_commas |= gap.breaks && gap.comma.is_some();
        }
        let last = self.gap(count)?;
        self.object_commas |= count == 1 && last.breaks && last.comma.is_some();
        self.style = match count {
            0 | 1 if self.gap(0)?.breaks => Style::Lines,
            0 | 1 => Style::Inline,
            _ if breaks == 0 => Style::Inline,
            _ if breaks == count - 1 => Style::Lines,
            _ => Style::Mixed,
        };
        Ok(())
    }

    /// Returns the gap before the member with an index. After the last one, it is the gap before the closing bracket.
    pub fn gap(&self, index: usize) -> Result<Arc<Gap>, EditError> {
        if let Some(gap) = self.gaps.borrow().get(&index) {
            return Ok(gap.clone());
        }
        let start = index.checked_sub(1).map_or(self.inside.start(), |before| self.spans[before].end());
        let end = self.spans.get(index).map_or(self.inside.end(), |span| span.start());
        if start > end {
            return Err(EditError::Broken(self.inside));
        }
        let span = Span::new(start, end);
        let at_line_start = index == 0 && !self.has_brackets;
        let gap = Arc::new(Gap::read(self.file, span, at_line_start, index == self.members.len(), self.shape)?);
        self.gaps.borrow_mut().insert(index, gap.clone());
        Ok(gap)
    }

    /// Returns the indentation of the line on which the container starts.
    pub fn own_indent(&self) -> &'t str {
        if self.has_brackets { self.lines.indent(self.container.span().start()) } else { "" }
    }

    /// Returns the indentation of members on separate lines, taken as near as possible to an index.
    pub fn member_indent(&self, near: usize) -> Result<String, EditError> {
        let around = (0..4).flat_map(|distance| [Some(near + distance), near.checked_sub(distance + 1)]).flatten();
        for index in around.filter(|&index| index < self.members.len()) {
            if self.gap(index)?.breaks {
                return Ok(self.lines.indent(self.spans[index].start()).to_owned());
            }
        }
        if !self.has_brackets {
            return Ok(String::new());
        }
        Ok(self.inner_indent())
    }

    /// Returns the indentation of members if no member shows one.
    pub fn inner_indent(&self) -> String {
        let indent = self.own_indent();
        indent.to_owned() + if indent.contains('\t') { "\t" } else { self.lines.unit(self.file) }
    }

    /// Returns true if the blocks around an index are separated from their neighbours by blank lines.
    pub fn blocks_stand_apart(&self, near: usize) -> Result<bool, EditError> {
        let is_block = |index: usize| matches!(self.members[index], Some(Item::Block(_)));
        let mut together = false;
        for index in near.saturating_sub(6).max(1)..(near + 7).min(self.members.len()) {
            if is_block(index - 1) || is_block(index) {
                if self.gap(index)?.lines.iter().any(|line| line.blank) {
                    return Ok(true);
                }
                together = true;
            }
        }
        Ok(!together)
    }
}
