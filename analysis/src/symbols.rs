//! The outline of a file, and names in all files.

use hcl_lr::ConfigFile;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};

use crate::Location;
use crate::rank::fits;
use crate::workspace::{Cancelled, Snapshot};

/// A block, an attribute or a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name: that of the attribute, or the type and the labels of the block.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The whole of it.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
    /// The number of the symbol that it is in.
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

/// No more symbols of a file are listed.
const MAX_SYMBOLS: usize = 50_000;

/// No more symbols of a workspace are listed.
const MAX_FOUND: usize = 500;

impl Snapshot {
    /// Returns the outline of a file, each symbol after the one that it is in.
    pub fn symbols(&self, path: &str) -> Vec<Symbol> {
        let Some(file) = self.file(path) else { return Vec::new() };
        match file.document() {
            ConfigFile::Native(native) => of_body(native.body(), usize::MAX),
            ConfigFile::Json(document) => of_json(document.root()),
        }
    }

    /// Returns the blocks and attributes of all files whose names have the letters of a text, in its order.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn workspace_symbols(&self, text: &str) -> Result<Vec<(Symbol, Location)>, Cancelled> {
        let mut found = Vec::new();
        for file in self.files() {
            self.check()?;
            file.index();
            for symbol in file.outline() {
                if fits(text, &symbol.name) {
                    let location = Location { path: file.path().clone(), span: symbol.name_span };
                    found.push((symbol.clone(), location));
                }
            }
        }
        // Names that begin with the text come first, then short ones.
        let text = text.to_lowercase();
        found.sort_by_cached_key(|(symbol, location)| {
            let name = symbol.name.to_lowercase();
            let place = match name.find(&text) {
                Some(at) if at == 0 || name[..at].ends_with([' ', '.', '_']) => 0,
                Some(_) => 1,
                None => 2,
            };
            (place, name.len(), name, location.clone())
        });
        found.truncate(MAX_FOUND);
        Ok(found)
    }
}

/// The symbols at the top of a file, and the attributes of blocks that define names by attributes.
pub(crate) fn outline(document: &ConfigFile) -> Vec<Symbol> {
    let ConfigFile::Native(native) = document else { return Vec::new() };
    let mut symbols = of_body(native.body(), 2);
    let is_named = |symbol: &Symbol, all: &[Symbol]| symbol.parent.is_none_or(|parent| !all[parent].name.contains(' '));
    let keep: Vec<bool> = symbols.iter().map(|one| is_named(one, &symbols)).collect();
    let mut keep = keep.into_iter();
    symbols.retain(|_| keep.next().unwrap_or_default());
    symbols
}

fn of_body(body: BodyNode<'_>, depth: usize) -> Vec<Symbol> {
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

fn of_json(root: Node<'_>) -> Vec<Symbol> {
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
