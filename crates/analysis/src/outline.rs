//! The blocks and attributes of a file.

use hcl_lr::ConfigFile;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};

/// A block, an attribute or a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name: that of the attribute, or the type and the labels of the block.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The whole span.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The index of the parent symbol.
    pub parent: Option<usize>,
}

/// The kind of a [`Symbol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum SymbolKind {
    Block,
    Attribute,
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

/// The maximum number of symbols of a file.
const MAX_SYMBOLS: usize = 50_000;

/// Returns the top-level symbols of a file, and the attributes of blocks that define names by attributes.
pub(crate) fn outline(document: &ConfigFile) -> Vec<Symbol> {
    let ConfigFile::Native(native) = document else { return Vec::new() };
    let mut symbols = of_body(native.body(), 2);
    let is_named = |symbol: &Symbol, all: &[Symbol]| symbol.parent.is_none_or(|parent| !all[parent].name.contains(' '));
    let keep: Vec<bool> = symbols.iter().map(|symbol| is_named(symbol, &symbols)).collect();
    let mut keep = keep.into_iter();
    symbols.retain(|_| keep.next().unwrap_or_default());
    symbols
}

pub(crate) fn of_body(body: BodyNode<'_>, depth: usize) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut stack = vec![(body.items(), None)];
    while let Some((items, parent)) = stack.last_mut() {
        let parent = *parent;
        let Some(item) = items.next() else {
            stack.pop();
            continue;
        };
        if symbols.len() >= MAX_SYMBOLS {
            break;
        }
        match item {
            BodyItem::Attribute(attribute) => symbols.push(Symbol {
                name: attribute.name().to_owned(),
                kind: SymbolKind::Attribute,
                span: attribute.span(),
                name_span: attribute.name_token().span(),
                parent,
            }),
            BodyItem::Block(block) => {
                let labels: Vec<String> = block.labels().map(|label| format!(" \"{}\"", label.text())).collect();
                let name_span = block.labels().last().map_or(block.type_token().span(), |label| label.span());
                symbols.push(Symbol {
                    name: format!("{}{}", block.block_type(), labels.concat()),
                    kind: SymbolKind::Block,
                    span: block.span(),
                    name_span,
                    parent,
                });
                if stack.len() < depth {
                    stack.push((block.body().items(), Some(symbols.len() - 1)));
                }
            }
            _ => {}
        }
    }
    symbols
}

pub(crate) fn of_json(root: Node<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut stack: Vec<(Node<'_>, Option<usize>)> = vec![(root, None)];
    while let Some((node, parent)) = stack.pop() {
        if symbols.len() >= MAX_SYMBOLS {
            break;
        }
        let mut inner = Vec::new();
        match node.kind() {
            NodeKind::Object(object) => {
                for member in object.properties() {
                    inner.push((member.name().into_owned(), member.name_span(), member.span(), member.value()));
                }
            }
            NodeKind::Array(array) => {
                for (at, element) in array.elements().enumerate() {
                    if element.as_object().is_some() || element.as_array().is_some() {
                        inner.push((format!("[{at}]"), element.start_span(), element.span(), element));
                    }
                }
            }
            _ => {}
        }
        let mut next = Vec::new();
        for (name, name_span, span, value) in inner {
            let kind = match value.kind() {
                NodeKind::Object(_) => SymbolKind::Object,
                NodeKind::Array(_) => SymbolKind::Array,
                NodeKind::String(_) => SymbolKind::String,
                NodeKind::Number(_) => SymbolKind::Number,
                NodeKind::Null => SymbolKind::Null,
                _ => SymbolKind::Bool,
            };
            symbols.push(Symbol { name, kind, span, name_span, parent });
            next.push((value, Some(symbols.len() - 1)));
        }
        stack.extend(next.into_iter().rev());
    }
    symbols
}
