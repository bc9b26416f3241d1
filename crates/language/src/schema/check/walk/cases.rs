//! Contents that depend on the values of labels and attributes.

use super::{Around, Walk};
use crate::schema::check::judge::Judgement;
use crate::schema::check::shape::{Expr, Shape};
use crate::schema::check::{CatalogKey, Found, words};
use crate::schema::index::{Layers, MatchNode, SchemaIndex};
use crate::schema::model::Type;
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;

/// The value of a key.
enum KeyValue {
    /// The file has it.
    Known(String, Span),
    /// The file lacks it, so the default counts.
    Default(String),
    Unknown,
}

impl<'c> Walk<'c, '_> {
    /// Adds the contents that depend on labels and attributes.
    pub(super) fn with_cases(&mut self, mut layers: Layers<'c>, around: &Around<'_, '_, 'c>) -> Layers<'c> {
        // Cases may depend on attributes that other cases add.
        let mut at = 0;
        loop {
            let Some((index, match_node)) = layers.match_nodes().nth(at) else { return layers };
            at += 1;
            match self.key(&match_node.matched.key, &layers, around) {
                KeyValue::Known(value, span) => self.case(&mut layers, index, match_node, &value, Some(span), around),
                KeyValue::Default(value) => self.case(&mut layers, index, match_node, &value, None, around),
                KeyValue::Unknown => layers.set_open(),
            }
        }
    }

    /// Adds the contents for a value. `span` is its place if the file has it.
    fn case(
        &mut self,
        layers: &mut Layers<'c>,
        index: &'c SchemaIndex,
        match_node: &'c MatchNode,
        value: &str,
        span: Option<Span>,
        around: &Around<'_, '_, 'c>,
    ) {
        if let Some(id) = match_node.cases.get(value) {
            layers.add(index, *id);
            return;
        }
        let source = match_node.matched.catalog.as_ref().and_then(|name| index.schema().catalog(name));
        if let (Some(source), Some(catalog)) = (source, self.checker.catalog.as_deref()) {
            let provider = provider(&match_node.matched.key, around);
            let key = CatalogKey { provider: provider.as_deref(), ..CatalogKey::new(value, self.judge.facts) };
            match catalog.find(source, &key) {
                Found::Contents { layers: contents, deprecated } => {
                    layers.add_all(&contents);
                    if let (Some(deprecated), Some(span)) = (deprecated, span) {
                        self.deprecated(deprecated, value, span);
                    }
                }
                Found::Missing(detail) => {
                    if let Some(span) = span {
                        let finding = Finding::error(Code::InvalidArgumentValue, span, detail);
                        let finding = self.names.suggest(finding, value, span, catalog.names(source));
                        self.push(finding, None);
                    }
                    layers.set_open();
                }
                Found::Unknown => layers.set_open(),
            }
            return;
        }
        match (match_node.otherwise, span) {
            (Some(id), _) => layers.add(index, id),
            // Where the attribute is checked, its type says more.
            (None, Some(span)) if self.is_wrong_key(&match_node.matched.key, value, span, layers) => {
                layers.set_open();
            }
            (None, Some(span)) => {
                let mut known: Vec<&str> = match_node.cases.keys().map(|name| &**name).collect();
                known.sort_unstable();
                let quoted: Vec<String> = known.iter().map(|name| format!("\"{name}\"")).collect();
                let wanted = words::alternatives(&quoted);
                let detail = format!("\"{value}\" cannot be used here: {wanted} is required");
                let finding = Finding::error(Code::InvalidArgumentValue, span, detail);
                let finding = self.names.suggest(finding, value, span, known.into_iter());
                self.push(finding, Some((&match_node.matched.place, "the known values")));
                layers.set_open();
            }
            (None, None) => layers.set_open(),
        }
    }

    /// Returns true if the value of an attribute of the body is wrong for its type.
    fn is_wrong_key(&self, key: &str, value: &str, span: Span, layers: &Layers<'c>) -> bool {
        let known = layers.attribute(key);
        known.is_some_and(|known| matches!(self.judge.text(&known.ty, value, span), Judgement::Wrong(_)))
    }

    /// Returns the value of a label or attribute by its name.
    fn key(&self, key: &str, layers: &Layers<'c>, around: &Around<'_, '_, 'c>) -> KeyValue {
        let (mut around, mut name, mut layers) = (around, key, Some(layers));
        while let Some(rest) = name.strip_prefix("parent.") {
            let Some(parent) = around.parent else { return KeyValue::Unknown };
            (around, name, layers) = (parent, rest, parent.layers);
        }
        let mut names = around.block.into_iter().flat_map(|block| &block.labels);
        if let Some(at) = names.position(|label| label.name == name)
            && let Some((text, span)) = around.labels.get(at)
        {
            return KeyValue::Known(text.to_string(), *span);
        }
        let Some(expression) = around.body.and_then(|body| body.find(name)) else {
            let default = layers.and_then(|layers| layers.attribute(name)?.default_text());
            return default.map_or(KeyValue::Unknown, KeyValue::Default);
        };
        let word = match &expression {
            Expr::Node(node) => node.as_traversal().and_then(|traversal| traversal.as_variable()).map(str::to_owned),
            Expr::Handle(_) => None,
        };
        match (expression.shape(&self.judge), word) {
            (Shape::Text(text), _) => KeyValue::Known(text.to_string(), expression.span()),
            (Shape::Number(number), _) => KeyValue::Known(number.to_string(), expression.span()),
            (Shape::Bool(value), _) => KeyValue::Known(value.to_string(), expression.span()),
            (Shape::Unknown, Some(word)) if layers.is_some_and(|layers| is_keyword(layers, name)) => {
                KeyValue::Known(word, expression.span())
            }
            _ => KeyValue::Unknown,
        }
    }
}

fn is_keyword(layers: &Layers<'_>, name: &str) -> bool {
    let index = layers.index();
    layers.attribute(name).is_some_and(|attribute| matches!(index.resolve(&attribute.ty), Type::Keyword(_)))
}

/// Returns the source text of the attribute `provider` of the body that has a key.
fn provider(key: &str, around: &Around<'_, '_, '_>) -> Option<String> {
    let (mut around, mut key) = (around, key);
    while let Some(rest) = key.strip_prefix("parent.") {
        (around, key) = (around.parent?, rest);
    }
    let expression = around.body?.find("provider")?;
    let written = match &expression {
        Expr::Node(node) => node.text().to_owned(),
        Expr::Handle(expression) => expression.static_traversal().ok()?.place().text().to_owned(),
    };
    Some(written.trim_matches('"').to_owned())
}
