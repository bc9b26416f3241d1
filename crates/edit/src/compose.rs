//! Composes new text between two kept members, or between a member and a bracket.
//!
//! Existing comments and white space are kept. New text follows their style. Afterwards, `format::keep_layout`
//! restores alignment.

use super::EditError;
use super::gap::Line;
use super::item::{New, Origin, ends_line};
use super::node::{Item, Shape};
use super::orders::MemberOrder;
use super::survey::{Style, Survey};
use super::text::{reindent, reindent_by};

/// A step between two kept members.
pub(super) enum Step<'n, 't> {
    Line(Line),
    /// A removed member.
    Removed,
    New(&'n New<'t>),
}

/// Composes the new text of a part of a container.
pub(super) struct Composer<'s, 't> {
    pub survey: &'s Survey<'t>,
    /// True if all members get lines of their own.
    pub opens_up: bool,
    /// The index of the member on the left; `None` for the opening bracket.
    pub left: Option<usize>,
    /// The index of the member on the right; `None` for the closing bracket.
    pub right: Option<usize>,
    pub left_order: Option<&'s MemberOrder<'t>>,
    pub right_order: Option<&'s MemberOrder<'t>>,
    /// True if the text on the left ends with the closing marker of a heredoc.
    pub left_heredoc: bool,
    pub indent: String,
}

/// Facts common to all insertions between two members.
struct Run {
    any_new: bool,
    /// True if there was a line break between the members.
    breaks: bool,
}

/// The left neighbour of an insertion.
#[derive(Clone, Copy)]
enum Before<'n, 't> {
    Left,
    New(&'n New<'t>),
}

/// The right neighbour of an insertion.
#[derive(Clone, Copy)]
enum After<'n, 't> {
    Right,
    New(&'n New<'t>),
}

impl<'t> Composer<'_, 't> {
    /// Returns the text.
    pub fn compose(&self, steps: &[Step<'_, 't>]) -> Result<String, EditError> {
        let nothing_new = steps.iter().all(|step| match step {
            Step::Line(line) => line.blank,
            Step::Removed => true,
            Step::New(_) => false,
        });
        let is_all = self.left.is_none() && self.right.is_none() && self.survey.shape != Shape::Body;
        if is_all && nothing_new && self.survey.gap(0)?.tail_comments.is_empty() {
            return Ok(String::new());
        }
        let run = Run { any_new: steps.iter().any(|step| matches!(step, Step::New(_))), breaks: self.run_breaks()? };
        let mut out = String::new();
        let mut before = Before::Left;
        let mut done = 0;
        for (index, step) in steps.iter().enumerate() {
            if let Step::New(new) = step {
                self.between(&mut out, before, After::New(new), &steps[done..index], &run)?;
                before = Before::New(new);
                done = index + 1;
            }
        }
        self.between(&mut out, before, After::Right, &steps[done..], &run)?;
        self.keep_open_end(&mut out, before);
        Ok(out)
    }

    /// Removes the final line break of a file that had none. A heredoc needs one after it.
    fn keep_open_end(&self, out: &mut String, before: Before<'_, 't>) {
        let heredoc = match before {
            Before::Left => self.left_heredoc,
            Before::New(new) => new.ends_with_heredoc,
        };
        if self.is_end_of_file(After::Right) && !self.file_ends_with_newline() && !heredoc {
            out.truncate(out.trim_end_matches(['\n', '\r']).len());
        }
    }

    fn text(&self) -> &'t str {
        self.survey.file.source().text()
    }

    fn last_gap(&self) -> usize {
        self.survey.members.len()
    }

    /// Returns true if the right neighbour is the end of the file.
    fn is_end_of_file(&self, after: After<'_, 't>) -> bool {
        matches!(after, After::Right) && self.right.is_none() && !self.survey.has_brackets
    }

    fn between(
        &self,
        out: &mut String,
        before: Before<'_, 't>,
        after: After<'_, 't>,
        steps: &[Step<'_, 't>],
        run: &Run,
    ) -> Result<(), EditError> {
        let lines = self.merged(before, after, steps);
        let breaks = self.breaks(before, after, &lines, run)?;
        self.finish(out, before, after, breaks, !lines.is_empty())?;
        if !breaks {
            return self.lead_inline(out, before, after);
        }
        if lines.first().is_some_and(|line| !line.blank) && matches!(before, Before::New(new) if new.ends_with_block) {
            out.push_str(self.survey.lines.end());
        }
        for line in &lines {
            let text = &self.text()[line.span.range()];
            out.push_str(text);
            out.push_str(if text.ends_with('\n') { "" } else { self.survey.lines.end() });
        }
        if self.stands_apart(before, after, &lines)? {
            out.push_str(self.survey.lines.end());
        }
        self.lead_in_lines(out, after)
    }

    /// Returns the lines to keep, without the blank lines that a removal makes redundant.
    fn merged(&self, before: Before<'_, 't>, after: After<'_, 't>, steps: &[Step<'_, 't>]) -> Vec<Line> {
        let opens = matches!(before, Before::Left) && self.left.is_none();
        let closes = matches!(after, After::Right) && self.right.is_none();
        let parts: Vec<Vec<Line>> = steps
            .split(|step| matches!(step, Step::Removed))
            .map(|part| {
                let line = |step: &Step<'_, 't>| match step {
                    Step::Line(line) => Some(*line),
                    _ => None,
                };
                part.iter().filter_map(line).collect()
            })
            .collect();
        let count = parts.len();
        let mut merged: Vec<Line> = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let blank = |line: &Line| line.blank;
            if index > 0 && closes && index + 1 == count && part.iter().all(blank) {
                while merged.pop_if(|line| line.blank).is_some() {}
                merged.extend(part);
                continue;
            }
            let starts = opens && merged.iter().all(blank);
            let skip = index > 0 && (starts || merged.last().is_some_and(blank));
            merged.extend(part.into_iter().skip_while(|line| skip && line.blank));
        }
        merged
    }

    /// Returns true if a line ends between two neighbours.
    fn breaks(
        &self,
        before: Before<'_, 't>,
        after: After<'_, 't>,
        lines: &[Line],
        run: &Run,
    ) -> Result<bool, EditError> {
        let survey = self.survey;
        if self.opens_up || !lines.is_empty() {
            return Ok(true);
        }
        if survey.shape == Shape::Body {
            return Ok(survey.style != Style::Inline);
        }
        let left_ends_line = match before {
            Before::New(new) => new.ends_with_heredoc || new.trail.as_deref().is_some_and(ends_line),
            Before::Left => self.left_heredoc || self.left_comment_ends_line()?,
        };
        let right_begins_line = match after {
            After::New(new) => !new.lead.is_empty(),
            After::Right => self.right_has_lines_above()?,
        };
        if left_ends_line || right_begins_line {
            return Ok(true);
        }
        if matches!(before, Before::Left) && self.left.is_none() {
            return Ok(survey.gap(0)?.breaks);
        }
        if matches!(after, After::Right) && self.right.is_none() {
            return Ok(survey.gap(self.last_gap())?.breaks);
        }
        Ok(match survey.style {
            Style::Lines => true,
            Style::Inline => false,
            Style::Mixed if !run.any_new => run.breaks,
            Style::Mixed => match (before, after) {
                (Before::Left, After::New(new)) if new.before => run.breaks,
                (Before::New(new), After::Right) if !new.before => run.breaks,
                (Before::New(left), After::New(right)) if !left.before && right.before => run.breaks,
                _ => false,
            },
        })
    }

    /// Returns true if there was a line break between the left and the right.
    fn run_breaks(&self) -> Result<bool, EditError> {
        let first = self.left.map_or(0, |left| left + 1);
        let last = self.right.unwrap_or(self.last_gap());
        for index in first..=last {
            if self.survey.gap(index)?.breaks {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn left_comment_ends_line(&self) -> Result<bool, EditError> {
        let Some(left) = self.left else { return Ok(false) };
        if let Some(trail) = self.left_order.and_then(|order| order.trail.as_ref()) {
            return Ok(trail.as_deref().is_some_and(ends_line));
        }
        let gap = self.survey.gap(left + 1)?;
        Ok(gap.tail_comments.last().is_some_and(|comment| ends_line(&self.text()[comment.range()])))
    }

    fn right_has_lines_above(&self) -> Result<bool, EditError> {
        let Some(right) = self.right else { return Ok(false) };
        if let Some(order) = self.right_order {
            if !order.more_lead.is_empty() {
                return Ok(true);
            }
            if let Some(lead) = &order.lead {
                return Ok(!lead.is_empty());
            }
        }
        Ok(self.survey.gap(right)?.lead_lines > 0)
    }

    /// Writes the end of a member: a comma, the comments, and the line break.
    fn finish(
        &self,
        out: &mut String,
        before: Before<'_, 't>,
        after: After<'_, 't>,
        breaks: bool,
        lines_follow: bool,
    ) -> Result<(), EditError> {
        let end = self.survey.lines.end();
        match before {
            Before::Left => match self.left {
                None => {
                    let gap = self.survey.gap(0)?;
                    let text = |end: usize| &self.text()[gap.span.start()..end];
                    if breaks && gap.breaks && self.survey.has_brackets {
                        out.push_str(text(gap.tail_end));
                    } else if self.survey.has_brackets {
                        // In empty brackets, comments belong to neither side.
                        out.push_str(if self.survey.members.is_empty() { text(gap.tail_text_end) } else { "" });
                        out.push_str(if breaks { end } else { "" });
                    }
                }
                Some(left) => self.finish_left(out, left, after, breaks, lines_follow)?,
            },
            Before::New(new) => {
                let comma = self.comma_after_new(new, after, breaks)?;
                if comma && new.ends_with_heredoc {
                    out.extend([end, &self.indent]);
                }
                // On a line with other members, a comment after the comma would belong to the next one.
                let (comma, inline_comma) = if breaks { (comma, false) } else { (false, comma) };
                out.push_str(if comma { "," } else { "" });
                if let Some(trail) = &new.trail {
                    out.extend([" ", trail]);
                }
                out.push_str(if inline_comma { "," } else { "" });
                let at_end = self.is_end_of_file(after) && !lines_follow && !new.ends_with_heredoc;
                // A last line without a newline stays without one.
                let open_end = at_end && !self.file_ends_with_newline();
                out.push_str(if breaks && !open_end { end } else { "" });
            }
        }
        Ok(())
    }

    fn file_ends_with_newline(&self) -> bool {
        let text = self.text();
        text.ends_with('\n') || text.trim_start_matches('\u{feff}').is_empty()
    }

    fn finish_left(
        &self,
        out: &mut String,
        left: usize,
        after: After<'_, 't>,
        breaks: bool,
        lines_follow: bool,
    ) -> Result<(), EditError> {
        let (gap, text, end) = (self.survey.gap(left + 1)?, self.text(), self.survey.lines.end());
        let comma = self.comma_after_left(left, after, breaks)?;
        let (start, tail_end) = (gap.span.start(), gap.tail_text_end);
        let mut tail = match self.left_order.and_then(|order| order.trail.as_ref()) {
            Some(trail) => {
                let trail = trail.as_deref().map(|trail| format!(" {trail}")).unwrap_or_default();
                format!("{}{trail}", if comma { "," } else { "" })
            }
            None => match gap.comma {
                Some(there) if !comma => {
                    // Apart from the comma, only comments and the blanks before them are left.
                    let rest = &text[there.end()..tail_end.max(there.end())];
                    format!("{}{rest}", text[start..there.start()].trim_end())
                }
                None if comma => format!(",{}", &text[start..tail_end]),
                _ => text[start..tail_end].to_owned(),
            },
        };
        if self.left_heredoc && !tail.is_empty() && !tail.starts_with(['\n', '\r']) {
            tail = format!("{end}{}{}", self.indent, tail.trim_start());
        }
        out.push_str(&tail);
        let kept_break = &text[tail_end..gap.tail_end];
        if breaks {
            let at_end = self.is_end_of_file(after) && !lines_follow;
            if gap.breaks {
                out.push_str(kept_break);
            } else if !at_end || self.left_heredoc {
                out.push_str(end);
            }
        }
        Ok(())
    }

    fn comma_after_left(&self, left: usize, after: After<'_, 't>, breaks: bool) -> Result<bool, EditError> {
        let survey = self.survey;
        let closes = matches!(after, After::Right) && self.right.is_none();
        let gap = survey.gap(left + 1)?;
        Ok(match survey.shape {
            Shape::Body => false,
            Shape::Object if self.left_heredoc => false,
            // No comma can follow an argument that `...` expands.
            Shape::Tuple if left + 1 == survey.members.len() && survey.container.ellipsis().is_some() => false,
            _ if closes => self.trailing_comma(breaks)?,
            Shape::Tuple => true,
            Shape::Object if !breaks => true,
            // A member before a line break keeps its comma or lack of one; otherwise the other members decide.
            Shape::Object if gap.breaks && left + 1 < survey.members.len() => gap.comma.is_some(),
            Shape::Object => survey.object_commas,
        })
    }

    fn comma_after_new(&self, new: &New<'t>, after: After<'_, 't>, breaks: bool) -> Result<bool, EditError> {
        let closes = matches!(after, After::Right) && self.right.is_none();
        Ok(match self.survey.shape {
            Shape::Body => false,
            Shape::Object if new.ends_with_heredoc => false,
            _ if closes => self.trailing_comma(breaks)?,
            Shape::Tuple => true,
            Shape::Object => !breaks || self.survey.object_commas,
        })
    }

    /// Returns true if a comma precedes the closing bracket.
    fn trailing_comma(&self, breaks: bool) -> Result<bool, EditError> {
        let survey = self.survey;
        let gap = survey.gap(self.last_gap())?;
        let opened = self.opens_up || survey.members.is_empty() || !gap.breaks;
        Ok(match (breaks, opened) {
            (true, true) if survey.shape == Shape::Tuple => survey.style != Style::Lines || gap.breaks,
            (true, true) => survey.object_commas,
            (false, _) => gap.comma.is_some() && !gap.breaks,
            (true, false) => gap.comma.is_some(),
        })
    }

    /// Returns true if a blank line is added between two items of a body.
    fn stands_apart(&self, before: Before<'_, 't>, after: After<'_, 't>, lines: &[Line]) -> Result<bool, EditError> {
        let is_new = matches!(after, After::New(_));
        if let Some(last) = lines.last() {
            // A comment that belongs to nothing must not become the comment of a new member.
            return Ok(!last.blank && is_new);
        }
        if self.survey.shape != Shape::Body || !is_new && matches!(before, Before::Left) {
            return Ok(false);
        }
        let is_block = |index: usize| matches!(self.survey.members[index], Some(Item::Block(_)));
        let block_before = match (before, self.left) {
            (Before::New(new), _) => new.ends_with_block,
            (Before::Left, Some(left)) => is_block(left),
            (Before::Left, None) => return Ok(false),
        };
        let block_after = match (after, self.right) {
            (After::New(new), _) => new.begins_with_block,
            (After::Right, Some(right)) => is_block(right),
            (After::Right, None) => return Ok(false),
        };
        Ok((block_before || block_after) && self.survey.blocks_stand_apart(self.right.unwrap_or(self.last_gap()))?)
    }

    /// Writes the start of a member on the line of its left neighbour.
    fn lead_inline(&self, out: &mut String, before: Before<'_, 't>, after: After<'_, 't>) -> Result<(), EditError> {
        let opens = matches!(before, Before::Left) && self.left.is_none();
        let closes = matches!(after, After::Right) && self.right.is_none();
        let pad = match (opens, closes) {
            (true, true) => String::new(),
            (true, false) => self.pad_after_opener()?,
            (false, true) => self.pad_before_closer()?,
            (false, false) => self.pad_between()?,
        };
        out.push_str(&pad);
        match after {
            After::New(new) => out.push_str(&self.placed(new)),
            After::Right => out.push_str(&self.right_comments()?),
        }
        Ok(())
    }

    /// Returns the comments before the right neighbour on its line.
    fn right_comments(&self) -> Result<String, EditError> {
        let Some(right) = self.right else { return Ok(String::new()) };
        let gap = self.survey.gap(right)?;
        let replaced = self.right_order.is_some_and(|order| order.lead.is_some());
        Ok(match gap.last_comments.first() {
            Some(first) if !replaced => self.text()[first.start()..gap.span.end()].to_owned(),
            _ => String::new(),
        })
    }

    fn pad_after_opener(&self) -> Result<String, EditError> {
        let gap = self.survey.gap(0)?;
        if self.survey.members.is_empty() || gap.breaks {
            let close = self.survey.shape == Shape::Tuple && gap.tail_comments.is_empty();
            return Ok(if close { "" } else { " " }.to_owned());
        }
        Ok(leading_blanks(&self.text()[gap.tail_end..gap.span.end()]).to_owned())
    }

    fn pad_before_closer(&self) -> Result<String, EditError> {
        let gap = self.survey.gap(self.last_gap())?;
        if self.survey.members.is_empty() || gap.breaks {
            return Ok(if self.survey.shape == Shape::Tuple { "" } else { " " }.to_owned());
        }
        Ok(self.text()[gap.tail_end..gap.span.end()].to_owned())
    }

    fn pad_between(&self) -> Result<String, EditError> {
        if self.survey.members.len() > 1 {
            let near = self.right.unwrap_or(self.last_gap() - 1).max(1);
            let gap = self.survey.gap(near)?;
            if !gap.breaks {
                return Ok(leading_blanks(&self.text()[gap.tail_end..gap.span.end()]).to_owned());
            }
        }
        Ok(" ".to_owned())
    }

    /// Writes the start of a member at the beginning of a line.
    fn lead_in_lines(&self, out: &mut String, after: After<'_, 't>) -> Result<(), EditError> {
        match (after, self.right) {
            (After::New(new), _) => {
                self.comment_lines(out, &new.lead, &self.indent);
                out.extend([&self.indent, self.placed(new).as_str()]);
            }
            (After::Right, None) => {
                let gap = self.survey.gap(self.last_gap())?;
                match gap.breaks || !self.survey.has_brackets {
                    true => out.push_str(&self.text()[gap.last_start..gap.span.end()]),
                    false => out.push_str(self.survey.own_indent()),
                }
            }
            (After::Right, Some(right)) => self.lead_of_right(out, right)?,
        }
        Ok(())
    }

    /// Writes comments on lines of their own.
    fn comment_lines(&self, out: &mut String, comments: &str, indent: &str) {
        let comments = comments.trim_end_matches('\n');
        if !comments.is_empty() {
            let end = self.survey.lines.end();
            out.extend([indent, &reindent(comments, "", indent, Some(end)), end]);
        }
    }

    fn lead_of_right(&self, out: &mut String, right: usize) -> Result<(), EditError> {
        let (gap, text) = (self.survey.gap(right)?, self.text());
        let order = self.right_order;
        let own_indent = &text[gap.last_start..gap.span.end()];
        let indent = if gap.breaks { leading_blanks(own_indent) } else { &self.indent };
        match order.and_then(|order| order.lead.as_ref()) {
            Some(lead) => self.comment_lines(out, lead, indent),
            None => gap.lead().iter().for_each(|line| out.push_str(&text[line.span.range()])),
        }
        if let Some(order) = order {
            self.comment_lines(out, &order.more_lead, indent);
        }
        let replaced = order.is_some_and(|order| order.lead.is_some());
        match gap.breaks && !replaced {
            true => out.push_str(own_indent),
            false => out.extend([indent, &self.right_comments()?]),
        }
        Ok(())
    }

    /// Returns the text of a new member, indented for its place.
    fn placed(&self, new: &New<'t>) -> String {
        let indent =
            if self.survey.style == Style::Inline && !self.opens_up { self.survey.own_indent() } else { &self.indent };
        let end = Some(self.survey.lines.end());
        let text = match new.origin {
            Origin::Parsed(_) => {
                let unit = if indent.contains('\t') { "\t" } else { self.survey.lines.unit(self.survey.file) };
                self.survey.lines.ended(reindent_by(&new.core, ("", indent, unit), end))
            }
            Origin::Moved(..) => reindent(&new.core, "", indent, end),
        };
        let Some((name_text, rest)) = new.name_end.and_then(|end| text.split_at_checked(end)) else { return text };
        let rest = rest.trim_start_matches([' ', '\t']);
        if !rest.starts_with('=') {
            return text;
        }
        // `keep_layout` aligns the lines once all are known.
        format!("{name_text} {rest}")
    }
}

fn leading_blanks(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
}
