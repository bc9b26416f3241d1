//! Files that lie beside those that define names, and refer to them: files with values for the inputs, and tests.

use super::ConfigFile;
use super::pattern::Pattern;

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
    pub(super) inputs: Vec<Vec<(String, usize)>>,
    pub(super) results: Vec<Pattern>,
    pub(super) others: Vec<Vec<(String, usize)>>,
    pub(super) keys: Vec<Keys>,
}

/// An attribute whose keys are names of results.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub blocks: Vec<(String, usize)>,
    /// The attribute beside it that names the call of the module.
    pub call: String,
    pub attribute: String,
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
