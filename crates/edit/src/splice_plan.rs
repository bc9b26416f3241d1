//! New parts of templates in the place of others: texts, interpolations and directives.
//!
//! Text next to text is one part, and what it means depends on both: `$` before `{` begins a sequence. So a region goes
//! from the last text before the new parts to the first one after them; the spelling of both stays. In `"a${x}b${y}"`,
//! new text in the place of `${x}` rewrites the region `a${x}b`. A string without sequences is one token, and its region
//! is the whole string.

use std::ops::Range;

use super::EditError;
use super::orders::Orders;
use super::parts::{NewTokens, PartEdit, PartPlanner};
use super::requested::texts_of;
use super::splice::{NO_PLACE, Splice};
use hcl_lr::ParseOptions;
use hcl_lr::internal::sort_by_key;
use hcl_lr::internal::template_file;
use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, File, TemplateNode, TemplatePart};

/// The reasons why parts cannot be written.
const LAST_LINE: &str = "the text of a heredoc ends with a newline; set the whole string to end it without one";
const SIGN: &str = "`$` and `%` cannot stand before a sequence here; set the whole string";
const CHANGES: &str = "the text would not be read as it is: a strip marker, the indentation of the heredoc or its closing \
                       line would change it; set the whole string";

/// The notation of a template.
struct Notation<'t> {
    is_quoted: bool,
    /// The blanks that a `<<-` heredoc removes from each line.
    indent: &'t str,
    is_heredoc: bool,
}

/// A region that is rewritten, as the indexes of the old parts, with the new parts in it.
type Region<'s> = (Range<usize>, Vec<&'s Splice>);

impl<'t> PartPlanner<'t> {
    /// Plans the new parts of a template: of a string, or of a directive in it. `whole` is the string; a file that is a
    /// template has none.
    pub fn splice(
        &mut self,
        template: TemplateNode<'t>,
        whole: Option<ExpressionNode<'t>>,
        orders: &Orders<'t>,
    ) -> Result<(), EditError> {
        let Some(splices) = orders.splices_of(template) else { return Ok(()) };
        self.done_splices += 1;
        let source = self.file.source().text();
        let around = whole.map_or(Span::new(0, source.len()), ExpressionNode::span);
        let is_heredoc = whole.is_some() && template.is_heredoc();
        let notation = Notation {
            is_quoted: whole.is_some() && !is_heredoc,
            indent: if is_heredoc { removed_indent(&source[around.range()]) } else { "" },
            is_heredoc,
        };
        let spans: Vec<Span> = template.part_spans().collect();
        let mut edits = Vec::new();
        for (range, inner) in regions(template, splices) {
            let start = match (spans.get(range.start), spans.last()) {
                (Some(part), _) => part.start(),
                (None, Some(last)) => last.end(),
                (None, None) => template.start().ok_or(EditError::Misplaced(NO_PLACE))?,
            };
            let end = if range.is_empty() { start } else { spans[range.end - 1].end() };
            let span = Span::new(start, end);
            let text = region(&notation, (&range, &spans), (source, span), &inner)?;
            for splice in &inner {
                let replaced = &spans[splice.range.clone()];
                replaced.iter().try_for_each(|part| orders.check_free_part(*part, template))?;
            }
            self.dropped.push(span);
            self.added.push(match notation.is_quoted {
                true => format!("\"{text}\""),
                false => format!("<<hcl-lr-template\n{text}\nhcl-lr-template\n"),
            });
            edits.push((span, text));
        }
        self.put(template, whole, around, (orders, edits))
    }

    /// Checks that the template is read as requested, and adds the replacements.
    fn put(
        &mut self,
        template: TemplateNode<'t>,
        whole: Option<ExpressionNode<'t>>,
        around: Span,
        (orders, edits): (&Orders<'t>, Vec<(Span, String)>),
    ) -> Result<(), EditError> {
        let source = self.file.source().text();
        let (mut text, mut places, mut done) = (String::new(), Vec::new(), around.start());
        if whole.is_some() {
            text.push_str("new-text = ");
        }
        for (span, new) in &edits {
            text.push_str(&source[done..span.start()]);
            places.push(Span::new(text.len(), text.len() + new.len()));
            text.push_str(new);
            done = span.end();
        }
        text.push_str(&source[done..around.end()]);
        let parsed = match whole {
            None => template_file(Source::new("new text", text), &ParseOptions::default()),
            Some(_) => ParseOptions::default().parse::<File>(("new text", text + "\n")),
        };
        let file = parsed.into_result().map_err(|_| EditError::Misplaced(CHANGES))?;
        let value = file.body().attribute("new-text").map(|attribute| attribute.expression());
        let (old, new) = match (whole.map(ExpressionNode::kind), value.map(ExpressionNode::kind)) {
            (None, _) => (self.file.template(), file.template()),
            (Some(ExpressionKind::Template(old)), Some(ExpressionKind::Template(new))) => (old, new),
            _ => return Err(EditError::Misplaced(CHANGES)),
        };
        if texts_of(old, Some((orders, template))) != texts_of(new, None) {
            return Err(EditError::Misplaced(CHANGES));
        }
        // A string without sequences is one token.
        let is_plain = |template: TemplateNode<'_>| template.as_text().is_some() && !template.is_heredoc();
        if let (Some(whole), Some(value)) = (whole, value)
            && (is_plain(old) || is_plain(new))
        {
            let tokens = vec![NewTokens::Of(file.clone(), value.span())];
            self.edits.push(PartEdit { span: whole.span(), text: value.text().to_owned(), after: false, tokens });
            return Ok(());
        }
        for ((span, text), place) in edits.into_iter().zip(places) {
            let tokens = vec![NewTokens::Of(file.clone(), place)];
            self.edits.push(PartEdit { span, text, after: false, tokens });
        }
        Ok(())
    }
}

/// Returns the new text of a region.
fn region(
    notation: &Notation<'_>,
    (range, spans): (&Range<usize>, &[Span]),
    (source, span): (&str, Span),
    splices: &[&Splice],
) -> Result<String, EditError> {
    let mut text = String::new();
    let mut kept = range.start;
    let keep = |parts: &[Span], text: &mut String| {
        parts.iter().try_for_each(|part| join(text, &source[part.range()], notation, true))
    };
    let begins_line = |text: &str| match text.is_empty() {
        true => notation.is_heredoc && source[..span.start()].ends_with('\n'),
        false => text.ends_with('\n'),
    };
    for splice in splices {
        keep(&spans[kept..splice.range.start], &mut text)?;
        let new = splice.new.raw(notation.is_quoted)?;
        let new = indented(&new, notation.indent, begins_line(&text));
        join(&mut text, &new, notation, false)?;
        kept = splice.range.end;
    }
    keep(&spans[kept..range.end], &mut text)?;
    match spans.get(range.end) {
        Some(next) => {
            // What follows may need another spelling of the end.
            let next = &source[next.range()];
            join(&mut text, next, notation, true)?;
            text.truncate(text.len() - next.len());
        }
        None if notation.is_heredoc && !begins_line(&text) => return Err(EditError::Misplaced(LAST_LINE)),
        None => {}
    }
    Ok(text)
}

/// Returns the regions that the new parts rewrite.
fn regions<'s>(template: TemplateNode<'_>, splices: &'s [Splice]) -> Vec<Region<'s>> {
    let is_text: Vec<bool> = template.parts().map(|part| matches!(part, TemplatePart::Literal(..))).collect();
    let mut sorted: Vec<&Splice> = splices.iter().collect();
    sort_by_key(&mut sorted, |splice| (splice.range.start, splice.range.end));
    let mut regions: Vec<Region<'s>> = Vec::new();
    for splice in sorted {
        let Range { mut start, mut end } = splice.range.clone();
        start -= usize::from(start > 0 && is_text[start - 1]);
        end += usize::from(is_text.get(end) == Some(&true));
        match regions.last_mut().filter(|(last, _)| start < last.end || start == last.end && last.is_empty()) {
            Some((last, inner)) => {
                last.end = last.end.max(end);
                inner.push(splice);
            }
            None => regions.push((start..end, vec![splice])),
        }
    }
    regions
}

/// Adds raw text to other raw text, so that both mean what they mean alone.
fn join(text: &mut String, next: &str, notation: &Notation<'_>, is_kept: bool) -> Result<(), EditError> {
    let sign = text.chars().next_back().filter(|last| matches!(last, '$' | '%'));
    let Some(sign) = sign else {
        text.push_str(next);
        return Ok(());
    };
    let begins_sequence = next.strip_prefix(sign).is_some_and(|rest| rest.starts_with('{'));
    if next.starts_with('{') {
        // `$${` means `${`.
        text.push(sign);
        text.push_str(next);
    } else if !begins_sequence {
        text.push_str(next);
    } else if notation.is_quoted {
        text.pop();
        text.push_str(&format!("\\u{:04x}", u32::from(sign)));
        text.push_str(next);
    } else if !is_kept {
        // The strip marker removes the blank.
        let (open, rest) = next.split_at(2);
        text.extend([" ", open, "~", rest]);
    } else {
        return Err(EditError::Misplaced(SIGN));
    }
    Ok(())
}

/// Returns text with its lines indented. The first line only if it begins one.
fn indented(text: &str, indent: &str, begins_line: bool) -> String {
    if indent.is_empty() {
        return text.to_owned();
    }
    let mut out = String::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_blank = line.trim().is_empty() && line.ends_with('\n');
        if (index > 0 || begins_line) && !is_blank {
            out.push_str(indent);
        }
        out.push_str(line);
    }
    out
}

/// Returns the blanks that a heredoc removes from its lines.
fn removed_indent(heredoc: &str) -> &str {
    if !heredoc.starts_with("<<-") {
        return "";
    }
    let lines: Vec<&str> = heredoc.lines().skip(1).collect();
    // The last line has the closing marker.
    let lines = lines[..lines.len().saturating_sub(1)].iter().filter(|line| !line.trim().is_empty());
    let blanks = lines.map(|line| &line[..line.len() - line.trim_start().len()]);
    blanks.min_by_key(|blanks| blanks.chars().count()).unwrap_or_default()
}
