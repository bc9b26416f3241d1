//! Files that lie beside those that define names, and refer to them: files with values for the inputs, and tests.

use std::collections::{HashMap, HashSet};

use super::ConfigFile;
use super::names::Path;
use super::pattern::{Pattern, Step};
use super::references::{Entry, Walk};
use super::resolve::Site;
use super::results::names_of;
use hcl_lr::body::{Block, Body, BodySchema};
use hcl_lr::eval::Scope;
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::BlockNode;

/// A kind of files that lie beside those that define names: files that give values to inputs, as `terraform.tfvars`
/// does, or tests. They define nothing, but what they name is a reference.
///
/// ```
/// use hcl_lr_language::definitions::{CompanionFile, CompanionFiles, Definitions, References, Role, Roles};
/// use hcl_lr::{ConfigFile, parse};
///
/// let roles = Roles::new()
///     .with(Role::input("variable", "var.{name}"))
///     .with_companions(CompanionFiles::new(["*.values"]).inputs(["{attribute}"]));
/// let main = parse::<ConfigFile>(("main.hcl", "variable \"zone\" {}\n")).into_result()?;
/// let values = parse::<ConfigFile>(("prod.values", "zone = \"a\"\n")).into_result()?;
/// let definitions = Definitions::of(&roles, [main]).into_result()?;
/// let zone = definitions.get("var.zone").expect("the variable");
/// let references = References::with_companions(&definitions, [CompanionFile::new(values)]);
/// let places: Vec<_> = references.to(&zone).map(|one| one.place().to_string()).collect();
/// assert_eq!(places, ["prod.values:1:1"]);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CompanionFiles {
    files: Vec<String>,
    given: Vec<String>,
    folders: Vec<String>,
    /// The blocks whose attributes give values to inputs, each as the types that lead to it and the number of labels.
    inputs: Vec<Vec<(String, usize)>>,
    results: Vec<Pattern>,
    others: Vec<Vec<(String, usize)>>,
    keys: Vec<Keys>,
}

/// An attribute whose keys are names of results.
#[derive(Clone, Debug)]
struct Keys {
    blocks: Vec<(String, usize)>,
    /// The attribute beside it that names the call of the module.
    call: String,
    attribute: String,
}

impl CompanionFiles {
    /// The files with these names, in which `*` stands for any characters.
    pub fn new<N: Into<String>>(files: impl IntoIterator<Item = N>) -> Self {
        CompanionFiles { files: files.into_iter().map(N::into).collect(), ..CompanionFiles::default() }
    }

    /// Sets the files that the program reads by default, in this order.
    pub fn given<N: Into<String>>(mut self, files: impl IntoIterator<Item = N>) -> Self {
        self.given = files.into_iter().map(N::into).collect();
        self
    }

    /// Folders below that of the files which define names, in which such files are as well.
    pub fn in_folders<N: Into<String>>(mut self, folders: impl IntoIterator<Item = N>) -> Self {
        self.folders = folders.into_iter().map(N::into).collect();
        self
    }

    /// The attributes that give values to inputs of their name: `{attribute}` for those of the file,
    /// `run.{name}.variables.{attribute}` for those in a block, whose labels stand in braces.
    pub fn inputs<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.inputs = paths.into_iter().map(|path| blocks_of(path.as_ref())).collect();
        self
    }

    /// The addresses by which expressions refer to results. The last label in braces is the name of the result.
    pub fn results<P: AsRef<str>>(mut self, addresses: impl IntoIterator<Item = P>) -> Self {
        self.results = addresses.into_iter().map(|address| Pattern::read(address.as_ref()).0).collect();
        self
    }

    /// The blocks in blocks that say that the outer one is about files somewhere else, such as `run.{name}.module`.
    /// Expressions in the outer block name nothing that these files define.
    pub fn others<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.others = paths.into_iter().map(|path| blocks_of(path.as_ref())).collect();
        self
    }

    /// The attributes that are objects whose keys are results of a module, such as `override_module.target.outputs`:
    /// the blocks with the attribute, the attribute beside it that names the call, and the attribute. Shorter paths
    /// are left out.
    pub fn result_keys<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        let keys = paths.into_iter().filter_map(|path| {
            let mut blocks = blocks_of(path.as_ref());
            let ((attribute, _), (call, _)) = (blocks.pop()?, blocks.pop()?);
            (!blocks.is_empty()).then_some(Keys { blocks, call, attribute })
        });
        self.keys = keys.collect();
        self
    }

    /// Returns true if a file with this name, without its folder, is one of them.
    pub fn has(&self, file: &str) -> bool {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        self.files.iter().any(|pattern| matches(pattern, name))
    }

    /// The place of a file among those that the program reads without being told to: they count in this order, and
    /// those of one place by their names. `None` if it is none of them.
    pub fn is_given(&self, name: &str) -> Option<usize> {
        let found = self.given.iter().position(|pattern| matches(pattern, name))?;
        let first = self.given.iter().position(|pattern| pattern.contains('*')).unwrap_or(self.given.len());
        Some(found.min(first))
    }

    /// Returns true if the attributes in blocks of these types, from the outermost, give values to inputs of their name; without
    /// a type, those at the top of the files.
    pub fn gives_inputs(&self, blocks: &[&str]) -> bool {
        self.inputs.iter().any(|path| path.iter().map(|(block_type, _)| block_type.as_str()).eq(blocks.iter().copied()))
    }

    /// The folders in which such files are, beside that of the files which define names.
    pub fn folders(&self) -> &[String] {
        &self.folders
    }
}

/// Returns true if a name matches a pattern, in which the only `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => pattern == name,
    }
}

/// The blocks in a path, each with the number of labels after it. What stands for an attribute is none.
fn blocks_of(path: &str) -> Vec<(String, usize)> {
    let mut blocks: Vec<(String, usize)> = Vec::new();
    for step in path.split('.').filter(|step| *step != "{attribute}") {
        match (step.starts_with('{'), blocks.last_mut()) {
            (true, Some((_, labels))) => *labels += 1,
            _ => blocks.push((step.to_owned(), 0)),
        }
    }
    blocks
}

/// A file that lies beside those that define names.
#[derive(Clone, Debug)]
pub struct CompanionFile {
    /// The file.
    pub document: ConfigFile,
    /// The key of the module that it lies beside; `None` for the files of the application.
    pub module: Option<String>,
}

impl CompanionFile {
    /// A file beside those of the application.
    pub fn new(document: impl Into<ConfigFile>) -> Self {
        CompanionFile { document: document.into(), module: None }
    }

    /// A file beside those of a module, by its [key](super::LoadedModule::new).
    pub fn of_module(mut self, key: impl Into<String>) -> Self {
        self.module = Some(key.into());
        self
    }
}

/// The definitions that the expressions of a file beside can name, with the module.
pub(super) struct BesideScope {
    module: usize,
    results: Vec<Pattern>,
    /// The results of the module by their names.
    names: HashMap<String, usize>,
    /// The blocks that are about files somewhere else, by their types and first labels.
    others: HashSet<(String, String)>,
}

impl BesideScope {
    /// The number of the name that is one of a result; `Err` if the names lead to files somewhere else.
    pub fn result(&self, names: &[&str]) -> Option<Result<usize, ()>> {
        let pattern = self.results.iter().find(|pattern| {
            let fits = |(step, name): (&Step, &&str)| !matches!(step, Step::Name(fixed) if fixed != name);
            names.len() >= pattern.0.len() && pattern.0.iter().zip(names).all(fits)
        })?;
        let length = pattern.0.len();
        let is_other = length > 2 && self.others.contains(&(names[0].to_owned(), names[1].to_owned()));
        Some(if is_other { Err(()) } else { Ok(length - 1) })
    }

    /// The number of the module that the file lies beside.
    pub fn module(&self) -> usize {
        self.module
    }

    /// Returns true if a block is about files somewhere else.
    pub fn is_other(&self, block_type: &str, label: &str) -> bool {
        !self.others.is_empty() && self.others.contains(&(block_type.to_owned(), label.to_owned()))
    }
}

impl Walk<'_> {
    /// Notes the references in a file beside those of a module.
    pub(super) fn beside(&mut self, kind: &CompanionFiles, document: &ConfigFile, module: usize) {
        let body = document.body();
        let mut others = HashSet::new();
        for path in &kind.others {
            let Some((outer, rest)) = path.split_first() else { continue };
            for block in blocks_at(&body, std::slice::from_ref(outer)) {
                if !blocks_at(block.body(), rest).is_empty() {
                    others.insert((block.block_type().to_owned(), label_of(&block)));
                }
            }
        }
        let results = self.program.modules[module].results.iter();
        let names = results.filter_map(|(name, node)| {
            let definition = self.first_of(self.program.nodes[*node].definition?)?;
            Some((name.to_string(), definition))
        });
        let scope = BesideScope { module, results: kind.results.clone(), names: names.collect(), others };
        for path in &kind.inputs {
            let Some((outer, rest)) = path.split_first() else {
                self.values(&body, module);
                continue;
            };
            for block in blocks_at(&body, std::slice::from_ref(outer)) {
                if scope.is_other(block.block_type(), &label_of(&block)) {
                    continue;
                }
                match rest.is_empty() {
                    true => self.values(block.body(), module),
                    false => blocks_at(block.body(), rest).iter().for_each(|one| self.values(one.body(), module)),
                }
            }
        }
        for keys in &kind.keys {
            for block in blocks_at(&body, &keys.blocks) {
                self.keys(&block, keys, module);
            }
        }
        self.file_beside(document, scope);
    }

    /// The keys of an attribute name results.
    fn keys(&mut self, block: &Block, keys: &Keys, module: usize) {
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

    /// The attributes of a body name inputs.
    fn values(&mut self, body: &Body, module: usize) {
        let (attributes, _) = body.attributes().into_parts();
        for attribute in &attributes {
            if let Some(input) = self.input(module, attribute.name()) {
                self.name(input, attribute.name_place());
            }
        }
    }
}

/// Finds the references in files beside those that define names.
impl Walk<'_> {
    /// Notes the references in a file beside.
    pub(super) fn file_beside(&mut self, document: &ConfigFile, scope: BesideScope) {
        let undefined = std::mem::take(&mut self.undefined);
        let module = scope.module();
        self.scope = Some(scope);
        self.document(document, module);
        self.scope = None;
        self.undefined = undefined;
    }

    /// The input of a module.
    pub(super) fn input(&self, module: usize, name: &str) -> Option<usize> {
        let input = self.program.modules[module].inputs.get(name)?;
        self.first_of(self.program.nodes[*input].definition?)
    }

    /// The call of a module that a traversal leads to.
    pub(super) fn call(&self, traversal: &Traversal, module: usize) -> Option<usize> {
        let site = Site { module, frame: self.program.modules[module].frame, block: None };
        let definition = self.program.resolve_known(traversal, site)?.definition;
        definition.filter(|definition| self.results.contains_key(definition))
    }

    /// The result of a call.
    pub(super) fn result_of(&self, call: usize, name: &str) -> Option<usize> {
        self.first_of(*self.results.get(&call)?.get(name)?)
    }

    /// Notes that a name is that of a definition.
    pub(super) fn name(&mut self, definition: usize, name: Place) {
        let place = name.clone();
        self.found.push(Entry { definition, within: None, place, name, defines: false, whole: false });
    }

    pub(super) fn is_other(&self, block: BlockNode<'_>) -> bool {
        let label = || block.labels().next().map(|label| label.text().into_owned()).unwrap_or_default();
        self.scope.as_ref().is_some_and(|scope| scope.is_other(block.block_type(), &label()))
    }

    /// Notes the result that a traversal in a file beside leads to. Gives whether it can lead to nothing else.
    pub(super) fn result(&mut self, traversal: &Traversal) -> bool {
        let (Some(scope), Some(path)) = (&self.scope, Path::of(traversal)) else { return false };
        let names = names_of(&path);
        let Some(found) = scope.result(&names) else { return false };
        let Ok(at) = found else { return true };
        let Some(&definition) = scope.names.get(names[at]) else { return true };
        let (first, last) = (&path.segments[0], &path.segments[at]);
        let place = traversal.place_of(Span::new(first.span.start() as u32, last.end));
        let name = traversal.place_of(last.span);
        self.found.push(Entry { definition, within: None, place, name, defines: false, whole: false });
        true
    }
}

fn label_of(block: &Block) -> String {
    block.label(0).unwrap_or_default().to_owned()
}

/// The blocks that a path leads to; nothing for an empty path.
fn blocks_at(body: &Body, path: &[(String, usize)]) -> Vec<Block> {
    let Some(((block_type, labels), rest)) = path.split_first() else { return Vec::new() };
    let schema = BodySchema::new().block(block_type.clone(), &vec!["label"; *labels]);
    let content = body.expected_content(&schema).into_value();
    match rest.is_empty() {
        true => content.blocks().to_vec(),
        false => content.blocks().iter().flat_map(|block| blocks_at(block.body(), rest)).collect(),
    }
}
