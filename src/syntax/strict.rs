//! Checks for constructs that the grammars and the lexer accept beyond the letter of the specification. The finished
//! tree is searched for them, and only in the strict dialect, so the official engine's dialect pays nothing.

use std::collections::HashSet;

use super::token::{TokenKind, directive_kinds};
use super::tree::{Node, NodeKind, Tree, item_kinds, other_kinds, part_kinds};
use crate::diagnostic::Finding;
use crate::reading::{Liberty, liberty};
use crate::source::Span;
use crate::syntax::index::TokenIndex;

/// Returns the deviations from the specification in a tree, except those that the lexer reports.
pub(super) fn liberties(tree: &Tree, max_errors: usize) -> Vec<Finding> {
    let mut findings = Findings { taken: HashSet::new(), findings: Vec::new(), limit: max_errors.saturating_add(1) };
    of_nodes(tree, &mut findings);
    of_tokens(tree, &mut findings);
    findings.findings
}

/// The findings. A region that was parsed twice has its nodes twice, so each place counts once.
struct Findings {
    taken: HashSet<(Span, &'static str)>,
    findings: Vec<Finding>,
    limit: usize,
}

impl Findings {
    fn add(&mut self, liberty: &Liberty, span: Span) {
        if self.findings.len() < self.limit && self.taken.insert((span, liberty.name())) {
            self.findings.push(liberty.at(span));
        }
    }
}

fn of_nodes(tree: &Tree, findings: &mut Findings) {
    // True for each node that is an access to the element of a splat. Operands precede the nodes that use them.
    let mut of_item = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        let operand = || node.first.node().as_usize();
        match node.kind {
            NodeKind::Item => of_item[index] = true,
            NodeKind::GetAttr | NodeKind::LegacyIndex | NodeKind::Index | NodeKind::ConstIndex => {
                of_item[index] = of_item[operand()];
            }
            NodeKind::AttrSplat | NodeKind::FullSplat => {
                of_item[index] = of_item[operand()];
                let operator = tree.nodes[operand()].end + 1;
                if of_item[index] {
                    findings.add(&liberty::SPLAT_IN_SPLAT, splat_span(tree, node, operator));
                }
                if node.kind == NodeKind::AttrSplat {
                    indexes_in_splat(tree, node, findings);
                }
            }
            NodeKind::UnaryOp if tree.nodes[operand()].kind == NodeKind::UnaryOp => {
                findings.add(&liberty::REPEATED_OPERATOR, tree.token_span(tree.nodes[operand()].start));
            }
            NodeKind::FunctionCall | NodeKind::ExpandedCall => of_call(tree, node, findings),
            // These conform to the specification, but their children may not.
            NodeKind::Literal
            | NodeKind::Variable
            | NodeKind::Traversal
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::ForTuple
            | NodeKind::ForObject
            | NodeKind::ForGroup
            | NodeKind::Conditional
            | NodeKind::BinaryOp
            | NodeKind::UnaryOp
            | NodeKind::Parentheses
            | NodeKind::TemplateExpr
            | item_kinds!()
            | part_kinds!()
            | other_kinds!() => {}
        }
    }
}

/// Returns the span of a splat's operator: the first token of its kind from `from` on.
fn splat_span(tree: &Tree, splat: &Node, from: TokenIndex) -> Span {
    let wanted = if splat.kind == NodeKind::AttrSplat { TokenKind::AttrSplat } else { TokenKind::FullSplat };
    let mut tokens = from.to(splat.end + 1);
    let operator = tokens.find(|token| tree.tokens.kind(*token) == wanted);
    tree.token_span(operator.unwrap_or(splat.start))
}

/// Reports the legacy indexes that an attribute-only splat applies to each element.
fn indexes_in_splat(tree: &Tree, splat: &Node, findings: &mut Findings) {
    let mut node = tree.node(splat.second.node());
    while matches!(node.kind, NodeKind::GetAttr | NodeKind::LegacyIndex) {
        if node.kind == NodeKind::LegacyIndex {
            findings.add(&liberty::INDEX_IN_SPLAT, tree.token_span(node.end));
        }
        node = tree.node(node.first.node());
    }
}

fn of_call(tree: &Tree, call: &Node, findings: &mut Findings) {
    let (first, end) = tree.called_name(call);
    if first + 1 != end {
        findings.add(&liberty::NAMESPACED_FUNCTION, tree.tokens_span(first, end - 1));
    } else if matches!(tree.token_text(first), "true" | "false" | "null") {
        findings.add(&liberty::KEYWORD_FUNCTION, tree.token_span(first));
    }
}

fn of_tokens(tree: &Tree, findings: &mut Findings) {
    use TokenKind::*;
    let text = tree.text().as_bytes();
    let mut open: Vec<TokenIndex> = Vec::new();
    // The last sequence with a line end: one report for each is enough.
    let mut reported = TokenIndex::NONE;
    let mut end = 0;
    for token in tree.tokens.all() {
        let (kind, span) = (tree.tokens.kind(token), tree.token_span(token));
        let inner = open.last().copied();
        if let Some(opener) = inner
            && reported != opener
            && is_sequence(tree.tokens.kind(opener))
        {
            // The newline after the closing marker belongs to the heredoc.
            let of_heredoc = end > 0
                && span.start() > end
                && text.get(end - 1) != Some(&b'"')
                && token > TokenIndex::FIRST
                && token.checked_sub(1).is_some_and(|before| tree.tokens.kind(before) == CloseTemplate);
            let within =
                if matches!(kind, GetAttr | LegacyIndex | AttrSplat | FullSplat) { span.end() } else { span.start() };
            if !of_heredoc && let Some(at) = line_end(text, end, within) {
                findings.add(&liberty::LINE_END_IN_SEQUENCE, Span::new(at, at));
                reported = opener;
            }
        }
        match kind {
            TemplateLiteral => {
                let quoted = inner.is_some_and(|opener| tree.token_text(opener) == "\"");
                if quoted {
                    long_escapes(text, span, findings);
                }
            }
            Literal | String if text[span.start()] == b'"' => long_escapes(text, span, findings),
            OpenBlock | OpenBrace | OpenBracket | OpenParen | Template | Interpolation | directive_kinds!() => {
                open.push(token);
            }
            CloseBlock | CloseBrace | CloseBracket | CloseParen | CloseTemplate | CloseSequence => drop(open.pop()),
            // The token for the value of an attribute has no closer of its own.
            Value => {}
            Illegal | Newline | EndOfFile | Identifier | For | In | If | Keyword | Literal | String | Operator
            | Minus | Not | Postfix | GetAttr | LegacyIndex | AttrSplat | FullSplat | Dot | Comma | Colon
            | DoubleColon | Assign | FatArrow | Ellipsis | Question => {}
        }
        end = span.end();
    }
}

fn is_sequence(kind: TokenKind) -> bool {
    kind == TokenKind::Interpolation || kind.is_directive()
}

/// Returns the first line end in a range, outside of inline comments.
fn line_end(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    while at < end {
        match text[at] {
            b'\n' => return Some(at),
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&text[at + 2..end], b"*/").map_or(end, |length| at + length + 4);
            }
            _ => at += 1,
        }
    }
    None
}

/// Reports escape sequences with eight digits for characters that need only four.
fn long_escapes(text: &[u8], span: Span, findings: &mut Findings) {
    let mut at = span.start();
    while let Some(length) = memchr::memchr(b'\\', &text[at..span.end()]) {
        at += length;
        let escape = &text[at..span.end().min(at + 10)];
        if escape.starts_with(b"\\U0000") {
            findings.add(&liberty::LONG_ESCAPE, Span::new(at, at + escape.len()));
        }
        at = span.end().min(at + 2);
    }
}
