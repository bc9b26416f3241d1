//! Inlay hints: values, types and names of labels next to the text.

use hcl_lr::Expression;
use hcl_lr::internal::sort_by_key;
use hcl_lr::model::Type;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, ExpressionKind, Visitor, Walk};

use crate::workspace::{Cancelled, Snapshot};

/// An inlay hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The offset before which it is shown.
    pub offset: usize,
    /// The text.
    pub text: String,
    /// The kind.
    pub kind: HintKind,
}

/// The kind of a [`Hint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// The value of an expression.
    Value,
    /// The name of a label.
    Label,
    /// The type of an expression.
    Type,
}

/// The kinds of hints to return.
#[derive(Clone, Copy, Debug)]
pub struct HintOptions {
    /// The values of references and calls, if they are known and short.
    pub values: bool,
    /// The names of labels.
    pub labels: bool,
    /// The types of references and calls whose values are not shown.
    pub types: bool,
}

/// Only values.
impl Default for HintOptions {
    fn default() -> Self {
        HintOptions { values: true, labels: false, types: false }
    }
}

/// The maximum length of a value.
const MAX_LENGTH: usize = 40;

/// The maximum number of hints per request.
const MAX_HINTS: usize = 500;

impl Snapshot {
    /// Returns the hints for a part of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn hints(&self, path: &str, within: Span, options: HintOptions) -> Result<Vec<Hint>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        let Some(native) = file.native() else { return Ok(Vec::new()) };
        let mut hints = Vec::new();
        let mut parts = Parts { within, attributes: Vec::new(), blocks: Vec::new() };
        native.body().walk(&mut parts);
        if options.labels {
            let roles = project.language().roles().roles();
            for block in parts.blocks {
                let Some(role) = roles.iter().find(|role| role.block_type() == Some(block.block_type())) else {
                    continue;
                };
                for (label, name) in block.labels().zip(role.label_names()) {
                    hints.push(Hint { offset: label.span().start(), text: format!("{name}:"), kind: HintKind::Label });
                }
            }
        }
        if options.values || options.types {
            for attribute in parts.attributes.into_iter().take(MAX_HINTS) {
                let expression = attribute.expression();
                let is_computed = match expression.kind() {
                    ExpressionKind::Traversal(traversal) => traversal.steps().len() > 0,
                    ExpressionKind::Template(template) => template.as_text().is_none(),
                    ExpressionKind::FunctionCall(_)
                    | ExpressionKind::Conditional(_)
                    | ExpressionKind::Binary(_)
                    | ExpressionKind::Index(_)
                    | ExpressionKind::RelativeTraversal(_) => true,
                    _ => false,
                };
                if !is_computed || file.hides(attribute) {
                    continue;
                }
                let offset = expression.span().end();
                let value = self.value_in(file, &project, expression.span().start(), &Expression::from(expression))?;
                let Some(value) = value else { continue };
                let value = value.with_secrets_marked();
                let is_plain = value.is_wholly_known() && !value.contains_marks();
                let shown = crate::hover::shown(&value).filter(|text| is_plain && !text.contains('\n'));
                match shown.filter(|text| options.values && text.chars().count() <= MAX_LENGTH) {
                    Some(text) => hints.push(Hint { offset, text: format!("= {text}"), kind: HintKind::Value }),
                    None if options.types && value.shown_type() != Type::Dynamic => {
                        let text = value.shown_type().describe();
                        if text.len() <= MAX_LENGTH {
                            hints.push(Hint { offset, text: format!(": {text}"), kind: HintKind::Type });
                        }
                    }
                    None => {}
                }
            }
        }
        sort_by_key(&mut hints, |hint| hint.offset);
        Ok(hints)
    }
}

struct Parts<'t> {
    within: Span,
    attributes: Vec<AttributeNode<'t>>,
    blocks: Vec<BlockNode<'t>>,
}

impl Parts<'_> {
    fn walk(&self, span: Span) -> Walk {
        let apart = span.end() < self.within.start() || self.within.end() < span.start();
        if apart { Walk::Over } else { Walk::Into }
    }
}

impl<'t> Visitor<'t> for Parts<'t> {
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        if self.walk(attribute.span()) == Walk::Into {
            self.attributes.push(attribute);
        }
        Walk::Over
    }

    fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
        let walk = self.walk(block.span());
        if walk == Walk::Into {
            self.blocks.push(block);
        }
        walk
    }
}
