//! Reads the attributes of a block of a schema.

use std::borrow::Cow;

use hcl_lr::body::{Attribute, Block, Body, BodySchema, Content, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::ExpressionKind;

/// The known part of a body. The schema of schemas reports the rest.
pub(super) struct Fields {
    content: Content,
}

impl Fields {
    /// Reads attributes, and blocks with the given numbers of labels; `any` blocks have any number of labels.
    pub fn of(body: &Body, attributes: &[&str], blocks: &[(&str, usize)], any: &[&str]) -> Fields {
        let schema = attributes.iter().fold(BodySchema::new(), |schema, name| schema.optional(*name));
        let schema = blocks.iter().fold(schema, |schema, (name, labels)| schema.block(*name, &["name"; 1][..*labels]));
        let schema = any.iter().fold(schema, |schema, name| schema.any_block(name));
        let (content, _) = body.partial_content(&schema).into_value();
        Fields { content }
    }

    pub fn blocks(&self) -> &[Block] {
        self.content.blocks()
    }

    pub fn blocks_of<'f>(&'f self, block_type: &'f str) -> impl DoubleEndedIterator<Item = &'f Block> {
        self.content.blocks_of_type(block_type)
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.content.attribute(name)
    }

    /// Returns the word that is the value of an attribute, bare or quoted.
    pub fn word(&self, name: &str) -> Option<String> {
        bare_or_quoted(self.attribute(name)?.expression())
    }
}

/// The state of reading: the errors so far, and one budget for all expressions.
pub(super) struct Reading {
    pub diagnostics: Diagnostics,
    scope: Scope<'static>,
}

impl Reading {
    pub fn new() -> Self {
        Reading { diagnostics: Diagnostics::new(), scope: Scope::new().sharing_meter() }
    }

    pub fn error(&mut self, place: Place, detail: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(Code::InvalidSchema, place, detail.into()));
    }

    pub fn error_with_help(&mut self, place: Place, detail: impl Into<String>, help: impl Into<String>) {
        let error = Diagnostic::error(Code::InvalidSchema, place, detail.into());
        self.diagnostics.push(error.with_help(help.into()));
    }

    /// Returns the value of a constant expression; `None` after reporting an error.
    pub fn value(&mut self, expression: &Expression) -> Option<Value> {
        expression.evaluate(&self.scope).map_err(|problems| self.diagnostics.append(problems)).ok()
    }

    /// Returns the text of an attribute. A value of another type has been reported.
    pub fn text(&mut self, fields: &Fields, name: &str) -> Option<String> {
        let attribute = fields.attribute(name)?;
        self.value(attribute.expression())?.as_str().map(str::to_owned)
    }

    pub fn flag(&mut self, fields: &Fields, name: &str) -> Option<bool> {
        let attribute = fields.attribute(name)?;
        self.value(attribute.expression())?.as_bool()
    }

    pub fn count(&mut self, fields: &Fields, name: &str) -> Option<u32> {
        let attribute = fields.attribute(name)?;
        let value = self.value(attribute.expression())?;
        let number = value.as_number()?.to_string();
        let count = number.parse().ok();
        if count.is_none() {
            self.error(attribute.expression().place(), format!("{number} is not a number of blocks"));
        }
        count
    }

    /// Returns the texts of an attribute: a list, or one text.
    pub fn texts(&mut self, fields: &Fields, name: &str) -> Vec<String> {
        let Some(attribute) = fields.attribute(name) else { return Vec::new() };
        let Some(value) = self.value(attribute.expression()) else { return Vec::new() };
        match (value.as_str(), value.elements()) {
            (Some(text), _) => vec![text.to_owned()],
            (None, Some(elements)) => elements.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Returns the meaning of a word. An unknown word has been reported.
    pub fn keyword<T: Copy>(&mut self, fields: &Fields, name: &str, meanings: &[(&str, T)]) -> Option<T> {
        let word = fields.word(name)?;
        meanings.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }
}

/// Returns the words of an attribute: a list, or one word.
pub(super) fn words(expression: &Expression) -> Vec<(String, Place)> {
    match bare_or_quoted(expression) {
        Some(word) => vec![(word, expression.place())],
        None => {
            let list = expression.static_list().unwrap_or_default();
            list.iter().filter_map(|element| Some((bare_or_quoted(element)?, element.place()))).collect()
        }
    }
}

/// Returns the word in an expression, bare or quoted.
fn bare_or_quoted(expression: &Expression) -> Option<String> {
    expression.keyword().or_else(|| quoted(expression))
}

/// Returns the text of a string in native syntax.
pub(super) fn quoted(expression: &Expression) -> Option<String> {
    match expression.as_native()?.kind() {
        ExpressionKind::Template(template) => template.as_text().map(Cow::into_owned),
        _ => None,
    }
}
