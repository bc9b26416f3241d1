//! Finds the references in companion files.

use std::collections::HashSet;

use super::ConfigFile;
use super::companions::{CompanionFiles, Keys};
use super::ids::{DefinitionId, ModuleId};
use super::program::resolve::Site;
use super::walk::{CompanionScope, ReferenceEntry, Walk};
use hcl_lr::body::{Attribute, Block, Body, BodySchema};
use hcl_lr::eval::Scope;
use hcl_lr::source::Place;
use hcl_lr::syntax::Traversal;

impl CompanionFiles {
    /// Returns the attributes in a file that give values to inputs.
    pub(super) fn assignments(&self, body: &Body) -> Vec<Attribute> {
        let others = self.elsewhere(body);
        let mut found = Vec::new();
        let mut values = |body: &Body| found.extend(body.attributes().into_value().iter().cloned());
        for path in &self.inputs {
            let Some((outer, rest)) = path.split_first() else {
                values(body);
                continue;
            };
            for block in blocks_at(body, std::slice::from_ref(outer)) {
                if others.contains(&(block.block_type().to_owned(), label_of(&block))) {
                    continue;
                }
                match rest.is_empty() {
                    true => values(block.body()),
                    false => blocks_at(block.body(), rest).iter().for_each(|block| values(block.body())),
                }
            }
        }
        found
    }

    /// Returns the type and label of each block that is about files somewhere else.
    fn elsewhere(&self, body: &Body) -> HashSet<(String, String)> {
        let mut others = HashSet::new();
        for path in &self.others {
            let Some((outer, rest)) = path.split_first() else { continue };
            for block in blocks_at(body, std::slice::from_ref(outer)) {
                if !blocks_at(block.body(), rest).is_empty() {
                    others.insert((block.block_type().to_owned(), label_of(&block)));
                }
            }
        }
        others
    }
}

impl Walk<'_> {
    /// Notes the references in a companion file of a module.
    pub(super) fn companion(&mut self, kind: &CompanionFiles, document: &ConfigFile, module: ModuleId) {
        let body = document.body();
        let others = kind.elsewhere(&body);
        let results = self.program[module].results.iter();
        let names = results.filter_map(|(name, node)| {
            let definition = self.first_of(self.program[*node].definition?)?;
            Some((name.to_string(), definition))
        });
        let scope = CompanionScope { results: kind.results.clone(), names: names.collect(), others };
        for attribute in kind.assignments(&body) {
            if let Some(input) = self.input(module, attribute.name()) {
                self.name(input, attribute.name_place());
            }
        }
        for keys in &kind.keys {
            for block in blocks_at(&body, &keys.blocks) {
                self.keys(&block, keys, module);
            }
        }
        let undefined = std::mem::take(&mut self.undefined);
        self.scope = Some(scope);
        self.document(document, module);
        self.scope = None;
        self.undefined = undefined;
    }

    /// The keys of an attribute name results.
    fn keys(&mut self, block: &Block, keys: &Keys, module: ModuleId) {
        let schema = BodySchema::new().optional(&*keys.call).optional(&*keys.attribute);
        let content = block.body().expected_content(&schema).into_value();
        let (Some(call), Some(attribute)) = (content.attribute(&keys.call), content.attribute(&keys.attribute)) else {
            return;
        };
        let call = call.expression().static_traversal().ok().and_then(|call| self.call(&call, module));
        let (Some(call), Ok(entries)) = (call, attribute.expression().static_map()) else { return };
        for (key, _) in entries {
            let name = key.keyword().or_else(|| key.evaluate(&Scope::new()).ok()?.as_str().map(str::to_owned));
            if let Some(result) = name.and_then(|name| self.result_of(call, &name)) {
                self.name(result, key.place());
            }
        }
    }

    /// Returns the input of a module with a name.
    fn input(&self, module: ModuleId, name: &str) -> Option<DefinitionId> {
        let input = self.program[module].inputs.get(name)?;
        self.first_of(self.program[*input].definition?)
    }

    /// Returns the call of a module that a traversal leads to.
    fn call(&self, traversal: &Traversal, module: ModuleId) -> Option<DefinitionId> {
        let site = Site { module, frame: self.program[module].frame, block: None };
        let definition = self.program.resolve_known(traversal, site)?.definition;
        definition.filter(|definition| self.results.contains_key(definition))
    }

    /// Returns the result of a call with a name.
    fn result_of(&self, call: DefinitionId, name: &str) -> Option<DefinitionId> {
        self.first_of(*self.results.get(&call)?.get(name)?)
    }

    /// Notes a name of a definition.
    fn name(&mut self, definition: DefinitionId, name: Place) {
        let place = name.clone();
        self.found.push(ReferenceEntry { definition, within: None, place, name, defines: false, whole: false });
    }
}

fn label_of(block: &Block) -> String {
    block.label(0).unwrap_or_default().to_owned()
}

/// Returns the blocks that a path leads to; nothing for an empty path.
fn blocks_at(body: &Body, path: &[(String, usize)]) -> Vec<Block> {
    let Some(((block_type, labels), rest)) = path.split_first() else { return Vec::new() };
    let schema = BodySchema::new().block(block_type.clone(), &vec!["label"; *labels]);
    let content = body.expected_content(&schema).into_value();
    match rest.is_empty() {
        true => content.blocks().to_vec(),
        false => content.blocks().iter().flat_map(|block| blocks_at(block.body(), rest)).collect(),
    }
}
