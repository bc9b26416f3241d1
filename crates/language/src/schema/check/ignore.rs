//! Comments that silence findings: `# hcl:ignore CODE` before an attribute or block, or at the end of its first line.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};

const WORD: &str = "hcl:ignore";

/// A comment, and the item that it applies to.
struct Ignore {
    start: usize,
    end: usize,
    /// The codes; all codes if empty.
    codes: Vec<String>,
    item: Option<Span>,
}

/// Removes the findings that a comment silences.
pub(super) fn apply(file: &File, found: &mut Diagnostics) {
    if found.is_empty() || memchr::memmem::find(file.source().bytes(), WORD.as_bytes()).is_none() {
        return;
    }
    let comments = file.comments().filter_map(|comment| {
        let text = comment.text();
        let (_, rest) = text.split_once(WORD)?;
        // Codes end where a sentence begins: `# hcl:ignore CODE, CODE: reason`.
        let words = rest.split([':', '\n']).next()?.trim_end_matches("*/").split([' ', ',', '\t']);
        let codes = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let span = comment.span();
        Some(Ignore { start: span.start(), end: span.end(), codes, item: None })
    });
    let mut ignores: Vec<Ignore> = comments.collect();
    let text = file.source().text();
    let mut next = 0;
    assign(file.body(), text, &mut ignores, &mut next);
    let mut ignores: Vec<(Span, Vec<String>)> =
        ignores.into_iter().filter_map(|ignore| Some((ignore.item?, ignore.codes))).collect();
    sort_by_key(&mut ignores, |(span, _)| span.start());
    found.retain(|diagnostic| {
        let span = diagnostic.span();
        let code = diagnostic.code().as_str();
        // Items are nested or disjoint, and comments of this kind are few.
        !ignores.iter().take_while(|(item, _)| item.start() <= span.start()).any(|(item, codes)| {
            span.end() <= item.end() && (codes.is_empty() || codes.iter().any(|ignored| ignored == code))
        })
    });
}

/// Finds the item of each comment, in one walk.
fn assign(body: BodyNode<'_>, text: &str, ignores: &mut [Ignore], next: &mut usize) {
    for item in body.items() {
        let (span, block) = match item {
            BodyItem::Attribute(attribute) => (attribute.span(), None),
            BodyItem::Block(block) => (block.span(), Some(block)),
            _ => continue,
        };
        while let Some(ignore) = ignores.get_mut(*next).filter(|ignore| ignore.start < span.start()) {
            ignore.item = Some(span);
            *next += 1;
        }
        // A comment applies to a block if it is on its first line, and to an attribute if it is anywhere in it.
        let first_line = text[span.start()..].find('\n').map_or(text.len(), |at| span.start() + at);
        let item_end = if block.is_some() { first_line } else { span.end().max(first_line) };
        while let Some(ignore) =
            ignores.get_mut(*next).filter(|ignore| ignore.start < item_end && ignore.end > span.start())
        {
            ignore.item = Some(span);
            *next += 1;
        }
        if let Some(block) = block {
            stack::with_room(|| assign(block.body(), text, ignores, next));
            // Comments at the end of the block apply to nothing.
            while ignores.get(*next).is_some_and(|ignore| ignore.start < span.end()) {
                *next += 1;
            }
        }
    }
}
