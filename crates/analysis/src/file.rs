//! A file: its text, and facts about it alone, which are computed on first use.
//!
//! A tree takes six times the memory of its text, and the learned facts take twice as much. Both are kept only for
//! files with questions, and recomputed for the tables of all files.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::ast::AttributeNode;
use hcl_lr::syntax::{Token, TokenKind};
use hcl_lr::{ConfigFile, ParseOptions};
use hcl_lr_language::schema::HiddenSpans;

use crate::call_site::{CallSite, call_sites, constant_text};
use crate::knowledge::Learned;
use crate::outline::{Symbol, outline};
use hcl_lr_project::paths::split;
use hcl_lr_project::{Chosen, Document, Language};

/// The scheme of documents that are not saved yet.
pub(crate) const UNTITLED: &str = "untitled:";

/// A file of a workspace.
pub struct File {
    path: Arc<str>,
    chosen: Chosen,
    text: Text,
    parsed: OnceLock<Parsed>,
    learned: OnceLock<Learned>,
    calls: OnceLock<Vec<CallSite>>,
    descriptions: OnceLock<HashMap<usize, String>>,
    hidden: OnceLock<HiddenSpans>,
    mentions_secrets: OnceLock<bool>,
    outline: OnceLock<Vec<Symbol>>,
}

pub(crate) enum Text {
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// A parsed file.
#[derive(Clone)]
pub struct Parsed {
    /// The tree of the file.
    pub document: ConfigFile,
    /// The errors and warnings of its text.
    pub diagnostics: Diagnostics,
}

impl File {
    pub(crate) fn new(path: &str, chosen: Chosen, text: Text, parsed: OnceLock<Parsed>) -> File {
        File {
            path: path.into(),
            chosen,
            text,
            parsed,
            learned: OnceLock::new(),
            calls: OnceLock::new(),
            descriptions: OnceLock::new(),
            hidden: OnceLock::new(),
            mentions_secrets: OnceLock::new(),
            outline: OnceLock::new(),
        }
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// Returns the parsed tree, for a file with the same text.
    pub(crate) fn shared_parse(&self) -> OnceLock<Parsed> {
        self.parsed.get().cloned().map_or_else(OnceLock::new, OnceLock::from)
    }

    /// Returns the path.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Returns the number of bytes of the file.
    pub fn length(&self) -> usize {
        self.text.bytes().len()
    }

    /// Returns the name, without the folder.
    pub fn name(&self) -> &str {
        split(&self.path).1
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        split(&self.path).0
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        &self.chosen.language
    }

    /// Returns the language, with the error if the named schema cannot be used.
    pub(crate) fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// Returns the file with its tree, which is built when it is first asked for.
    pub fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| self.parse())
    }

    fn parse(&self) -> Parsed {
        let source = match &self.text {
            Text::Text(text) => Source::new(&self.path, &**text),
            Text::Bytes(bytes) => Source::from_bytes(&self.path, &**bytes),
        };
        let Document { file: document, diagnostics } = Document::parse(source, &ParseOptions::new());
        Parsed { document, diagnostics }
    }

    /// Computes the calls and the outline, without keeping a tree that does not exist yet.
    pub(crate) fn index(&self) {
        if self.calls.get().is_none() || self.outline.get().is_none() {
            self.index_from(&self.parsed.get().cloned().unwrap_or_else(|| self.parse()));
        }
    }

    /// Passes the tree to a function, without keeping it if it does not exist yet.
    pub(crate) fn with_document<R>(&self, ask: impl FnOnce(&ConfigFile) -> R) -> R {
        match self.parsed.get() {
            Some(parsed) => ask(&parsed.document),
            None => ask(&self.parse().document),
        }
    }

    fn index_from(&self, parsed: &Parsed) {
        self.calls.get_or_init(|| call_sites(self.folder(), self.language().roles(), &parsed.document));
        self.outline.get_or_init(|| outline(&parsed.document));
    }

    /// Passes the attributes and blocks used in the file to a function. They are kept only if the tree is.
    pub(crate) fn with_learned<R>(&self, ask: impl FnOnce(&Learned) -> R) -> R {
        if self.learned.get().is_some() || self.parsed.get().is_some() {
            return ask(self.learned());
        }
        let parsed = self.parse();
        self.index_from(&parsed);
        let hidden = self.hidden.get_or_init(|| self.hidden_in(&parsed.document));
        ask(&Learned::of(&parsed.document, &hidden.sensitive, self.language().roles()))
    }

    /// Returns true if an editor only shows the file, such as an older text from a version control system (`git:`). Names in
    /// it are not those of the workspace.
    pub(crate) fn is_shown_only(&self) -> bool {
        !self.path.starts_with('/') && !self.path.starts_with(UNTITLED) || self.is_installed()
    }

    /// Returns true for files of modules that a program has installed, which people do not edit.
    pub(crate) fn is_installed(&self) -> bool {
        self.path.contains("/.terraform/")
    }

    /// Returns the tree.
    pub fn document(&self) -> &ConfigFile {
        &self.parsed().document
    }

    /// Returns the file in native syntax.
    pub fn native(&self) -> Option<&hcl_lr::syntax::File> {
        match self.document() {
            ConfigFile::Native(file) => Some(file),
            ConfigFile::Json(_) => None,
        }
    }

    /// Returns the source.
    pub fn source(&self) -> &Arc<Source> {
        self.document().source()
    }

    /// Returns the attributes and blocks that the file uses.
    pub fn learned(&self) -> &Learned {
        self.learned.get_or_init(|| Learned::of(self.document(), self.sensitive(), self.language().roles()))
    }

    /// Returns the constant descriptions of the blocks of the file, by the start of each block.
    pub fn descriptions(&self) -> &HashMap<usize, String> {
        self.descriptions.get_or_init(|| {
            let blocks = self.native().into_iter().flat_map(|native| native.body().blocks());
            let described = blocks.filter_map(|block| {
                let expression = block.body().attribute("description")?.expression();
                let (text, _) = constant_text(&hcl_lr::Expression::from(expression))?;
                Some((block.header_span().start(), text))
            });
            described.collect()
        })
    }

    /// Returns the spans of the values that the language calls sensitive or write-only.
    pub(crate) fn hidden(&self) -> &HiddenSpans {
        self.hidden.get_or_init(|| self.hidden_in(self.document()))
    }

    /// Returns the spans of the values that the language calls sensitive, in source order.
    pub fn sensitive(&self) -> &[Span] {
        &self.hidden().sensitive
    }

    /// Returns true if the value of an attribute must not be shown elsewhere: the language calls it sensitive, or its
    /// name suggests a secret.
    pub(crate) fn hides(&self, attribute: AttributeNode<'_>) -> bool {
        is_secret_name(attribute.name()) || self.sensitive().binary_search(&attribute.expression().span()).is_ok()
    }

    /// Returns true if a name in the file suggests that its value is secret.
    pub(crate) fn mentions_secrets(&self) -> bool {
        *self.mentions_secrets.get_or_init(|| match self.document() {
            ConfigFile::Native(native) => {
                let text = native.source().text();
                is_secret_name(text) && native.tokens().iter().any(|token| is_secret_word(text, &token))
            }
            ConfigFile::Json(document) => is_secret_name(document.source().text()),
        })
    }

    fn hidden_in(&self, document: &ConfigFile) -> HiddenSpans {
        self.language().hidden(document)
    }

    /// Returns the symbols for searches in the workspace.
    pub(crate) fn outline(&self) -> &[Symbol] {
        self.outline.get_or_init(|| outline(self.document()))
    }

    /// Returns the calls of modules.
    pub fn calls(&self) -> &[CallSite] {
        self.calls.get_or_init(|| call_sites(self.folder(), self.language().roles(), self.document()))
    }
}

/// Returns true if a token is the name of something secret, or contains one. Steps such as `each.key` and calls of
/// functions such as `keys(…)` do not count.
fn is_secret_word(text: &str, token: &Token<'_>) -> bool {
    let span = token.span();
    let is_name = token.kind() == TokenKind::Identifier;
    let is_part = is_name && (text[..span.start()].ends_with('.') || text[span.end()..].starts_with('('));
    !is_part && is_secret_name(&text[span.range()])
}

impl Text {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Text(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    pub fn share(&self) -> Text {
        match self {
            Text::Text(text) => Text::Text(text.clone()),
            Text::Bytes(bytes) => Text::Bytes(bytes.clone()),
        }
    }
}
