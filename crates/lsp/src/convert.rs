//! From answers about bytes to messages of the protocol.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use gen_lsp_types::{Position, Range};
use hcl_lr::diagnostic::Severity;
use hcl_lr::source::Span;
use hcl_lr_analysis::completion::{Item, ItemKind};
use hcl_lr_analysis::diagnostics::{Finding, Tag};
use hcl_lr_analysis::symbols::SymbolKind;
use hcl_lr_analysis::{Edit, Location, Snapshot};
use serde_json::{Value, json};

use crate::client::ClientInfo;
use crate::position::{Encoding, Lines};

/// The files that an answer is about, with their lines.
pub struct Converter<'s> {
    pub snapshot: &'s Snapshot,
    pub client: &'s ClientInfo,
    lines: RefCell<HashMap<Arc<str>, Rc<Lines>>>,
}

impl<'s> Converter<'s> {
    pub fn new(snapshot: &'s Snapshot, client: &'s ClientInfo) -> Self {
        Converter { snapshot, client, lines: RefCell::default() }
    }

    pub fn encoding(&self) -> Encoding {
        self.client.encoding
    }

    /// Returns the text of a file; empty if it does not exist.
    pub fn text(&self, path: &str) -> &'s str {
        self.snapshot.file(path).map_or("", |file| file.source().text())
    }

    pub fn lines(&self, path: &str) -> Rc<Lines> {
        let mut known = self.lines.borrow_mut();
        known.entry(path.into()).or_insert_with(|| Rc::new(Lines::new(self.text(path), self.encoding()))).clone()
    }

    pub fn offset(&self, path: &str, position: Position) -> usize {
        self.lines(path).offset(self.text(path), position)
    }

    pub fn span(&self, path: &str, range: Range) -> Span {
        self.lines(path).span(self.text(path), range)
    }

    pub fn position(&self, path: &str, offset: usize) -> Position {
        self.lines(path).position(self.text(path), offset)
    }

    pub fn range(&self, path: &str, span: Span) -> Range {
        self.lines(path).range(self.text(path), span)
    }

    /// The address of a file: the one by which the client has opened it.
    pub fn uri(&self, path: &str) -> String {
        self.client.documents.address(path)
    }

    pub fn location(&self, location: &Location) -> Value {
        json!({ "uri": self.uri(&location.path), "range": self.range(&location.path, location.span) })
    }

    /// The same without white space at the end, such as the newline of an attribute.
    pub fn trimmed(&self, path: &str, span: Span) -> Span {
        let text = self.text(path).get(span.range()).unwrap_or_default();
        Span::new(span.start(), span.start() + text.trim_end().len())
    }

    pub fn edit(&self, edit: &Edit) -> Value {
        json!({ "range": self.range(&edit.location.path, edit.location.span), "newText": edit.text })
    }

    /// Converts edits of several files. Open files are named with their versions, so that the client can detect
    /// outdated edits.
    pub fn workspace_edit(&self, edits: &[Edit]) -> Value {
        let mut by_file: BTreeMap<&Arc<str>, Vec<Value>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.location.path).or_default().push(self.edit(edit));
        }
        if !self.client.versioned_edits {
            let changes: serde_json::Map<String, Value> =
                by_file.into_iter().map(|(path, edits)| (self.uri(path), Value::Array(edits))).collect();
            return json!({ "changes": changes });
        }
        let documents = by_file.into_iter().map(|(path, edits)| {
            let version = self.client.documents.version(path);
            json!({ "textDocument": { "uri": self.uri(path), "version": version }, "edits": edits })
        });
        json!({ "documentChanges": documents.collect::<Vec<_>>() })
    }

    pub fn diagnostic(&self, path: &str, finding: &Finding) -> Value {
        let wrong = &finding.diagnostic;
        let severity = match (finding.severity, finding.tag) {
            (Severity::Error, _) => 1,
            (Severity::Warning, _) => 2,
            (_, Some(Tag::Unused)) => 4,
            _ => 3,
        };
        let (summary, detail) = wrong.in_two_parts();
        let mut message = summary.to_owned();
        if !detail.is_empty() {
            message += &format!(": {detail}");
        }
        if let Some(help) = wrong.help() {
            message += &format!("\nhelp: {help}");
        }
        let mut all = json!({
            "range": self.range(path, wrong.span()),
            "severity": severity,
            "code": wrong.code().as_str(),
            "source": "hcl",
            "message": message,
        });
        if self.client.explains && hcl_lr::diagnostic::Code::named(wrong.code().as_str()).is_some() {
            all["codeDescription"] = json!({ "href": crate::uri::explanation_of(wrong.code().as_str()) });
        }
        let tag = finding.tag.map(|tag| match tag {
            Tag::Unused => 1,
            Tag::Deprecated => 2,
        });
        if let Some(tag) = tag {
            all["tags"] = json!([tag]);
        }
        let is_file = |path: &str| self.snapshot.file(path).is_some();
        let related: Vec<Value> = wrong
            .labels()
            .iter()
            .filter(|label| is_file(label.place().source().name()))
            .map(|label| {
                let location = Location::of(label.place());
                let message = if label.message().is_empty() { "here" } else { label.message() };
                json!({ "location": self.location(&location), "message": message })
            })
            .collect();
        if !related.is_empty() && self.client.related_information {
            all["relatedInformation"] = json!(related);
        }
        all
    }

    pub fn completion_item(&self, path: &str, item: &Item, order: usize) -> Value {
        let kind = match item.kind {
            ItemKind::Attribute => 10,
            ItemKind::Block => 7,
            ItemKind::Label | ItemKind::Value => 12,
            ItemKind::Variable => 6,
            ItemKind::Local => 21,
            ItemKind::Module => 9,
            ItemKind::Function => 3,
            ItemKind::Keyword => 14,
            ItemKind::Snippet => 15,
            ItemKind::Folder => 19,
            ItemKind::Reference => 18,
        };
        let snippet = item.snippet.as_ref().filter(|_| self.client.snippets);
        let text = snippet.unwrap_or(&item.text);
        let mut all = json!({
            "label": item.label,
            "kind": kind,
            "sortText": format!("{order:04}"),
            "textEdit": { "range": self.range(path, item.span), "newText": text },
        });
        if snippet.is_some() {
            all["insertTextFormat"] = json!(2);
        }
        if item.text != item.label {
            // Clients compare the typed text, including the quote if the span has one.
            let typed = self.text(path).get(item.span.range()).unwrap_or_default();
            let quote = if typed.starts_with('"') { "\"" } else { "" };
            all["filterText"] = json!(format!("{quote}{}", item.label));
        }
        if let Some(detail) = &item.detail {
            all["detail"] = json!(detail);
        }
        if let Some(text) = &item.documentation {
            all["documentation"] = self.markup(text);
        }
        if item.is_deprecated {
            all["tags"] = json!([1]);
        }
        all
    }

    pub fn markup(&self, text: &str) -> Value {
        if self.client.markdown {
            return json!({ "kind": "markdown", "value": text });
        }
        let lines = text.lines().filter(|line| !line.starts_with("```"));
        json!({ "kind": "plaintext", "value": lines.collect::<Vec<_>>().join("\n") })
    }
}

/// The number of the kind of a symbol.
pub fn symbol_kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Block => 5,
        SymbolKind::Attribute => 7,
        SymbolKind::Object => 19,
        SymbolKind::Array => 18,
        SymbolKind::String => 15,
        SymbolKind::Number => 16,
        SymbolKind::Bool => 17,
        SymbolKind::Null => 21,
    }
}
