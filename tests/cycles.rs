//! Finds import cycles between files of each package, because such files can only be understood together, and compares
//! them with `fixtures/cycles.md`, which has the reason for each.
//!
//! The imports are read from the text: the paths that begin with `crate`, `super` or `self`. A file with its own
//! folder, such as `mod.rs`, is not part of a cycle: it combines the files of the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folders of the packages.
const PACKAGES: [&str; 13] = [
    "",
    "crates/adapters",
    "crates/analysis",
    "crates/cli",
    "crates/conformance",
    "crates/edit",
    "crates/grammar-check",
    "crates/grammar-kit",
    "crates/language",
    "crates/lsp",
    "crates/project",
    "crates/python",
    "crates/schema-tools",
];

type ModulePath = Vec<String>;

/// The modules of a package.
#[derive(Default)]
struct Modules {
    /// The code of each, without comments and tests.
    code: BTreeMap<ModulePath, String>,
    /// The modules of re-exported names, by the module that re-exports them: `pub use part::Name`.
    names: BTreeMap<(ModulePath, String), ModulePath>,
}

impl Modules {
    fn of(folder: &Path) -> Modules {
        let mut modules = Modules::default();
        modules.read(folder, &[]);
        let parents = modules.code.keys().filter(|module| modules.has_folder(module)).cloned();
        for module in parents.collect::<Vec<_>>() {
            for path in modules.uses_in(&module) {
                let target = modules.prefix(&path);
                if let Some(name) = path.last().filter(|_| target != module) {
                    modules.names.insert((module.clone(), name.clone()), target);
                }
            }
        }
        modules
    }

    fn read(&mut self, folder: &Path, module: &[String]) {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
            let inner: ModulePath = module.iter().cloned().chain([name.clone()]).collect();
            if path.is_dir() {
                self.read(&path, &inner);
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "main" && name != "tests" {
                let text = std::fs::read_to_string(&path).expect("a readable file");
                let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
                let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
                let is_folder = matches!(name.as_str(), "mod" | "lib");
                self.code.insert(if is_folder { module.to_vec() } else { inner }, lines.collect::<Vec<_>>().join("\n"));
            }
        }
    }

    fn has_folder(&self, module: &[String]) -> bool {
        let mut later = self.code.range(module.to_vec()..).skip(1);
        later.next().is_some_and(|(other, _)| other.starts_with(module))
    }

    /// The longest module that a path begins with.
    fn prefix(&self, path: &[String]) -> ModulePath {
        let lengths = (0..=path.len()).rev();
        lengths.map(|length| &path[..length]).find(|start| self.code.contains_key(*start)).unwrap_or(&[]).to_vec()
    }

    /// Returns the module that defines the item at a path, perhaps re-exported elsewhere.
    fn home(&self, path: &[String]) -> ModulePath {
        let mut path = path.to_vec();
        // No name is passed on through more modules.
        for _ in 0..8 {
            let module = self.prefix(&path);
            let Some(name) = path.get(module.len()) else { return module };
            let Some(target) = self.names.get(&(module.clone(), name.clone())) else { return module };
            path = target.iter().cloned().chain(path[module.len()..].iter().cloned()).collect();
        }
        self.prefix(&path)
    }

    /// The paths in a module, from the root of the package.
    fn paths_in(&self, module: &[String]) -> Vec<ModulePath> {
        let mut found = Vec::new();
        let mut rest = self.code[module].as_str();
        while let Some(at) = next_path(rest) {
            let (before, tree) = (&rest[..at], &rest[at..]);
            let end = if before.trim_end().ends_with("use") { tree.find(';') } else { None };
            let length = end.unwrap_or_else(|| {
                tree.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(tree.len())
            });
            for path in branches(&tree[..length]) {
                found.push(steps(module, &path));
            }
            rest = &tree[length.max(1)..];
        }
        found
    }

    /// The paths of all imports of a module, also those that begin with the name of an inner one.
    fn uses_in(&self, module: &[String]) -> Vec<ModulePath> {
        let statements = self.code[module].split("use ").skip(1);
        let paths = statements.flat_map(|rest| branches(rest.split(';').next().unwrap_or_default()));
        paths.map(|path| steps(module, &path)).collect()
    }

    /// The sets of modules that import each other in a cycle.
    fn cycles(&self) -> BTreeSet<Vec<ModulePath>> {
        let leaves: BTreeSet<&ModulePath> = self.code.keys().filter(|module| !self.has_folder(module)).collect();
        let imports: BTreeMap<&ModulePath, BTreeSet<ModulePath>> = leaves
            .iter()
            .map(|&module| {
                let homes = self.paths_in(module).into_iter().map(|path| self.home(&path));
                (module, homes.filter(|home| home != module && leaves.contains(home)).collect())
            })
            .collect();
        let reached = |from: &ModulePath| {
            let (mut reached, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(next) = waiting.pop() {
                waiting.extend(imports[&next].iter().filter(|&module| reached.insert(module.clone())).cloned());
            }
            reached
        };
        let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            leaves.iter().map(|&module| (module, reached(module))).collect();
        let in_cycles = leaves.iter().filter(|&&module| reached[module].contains(module));
        let with_others = |module: &&ModulePath| {
            let both = |other: &&&ModulePath| reached[**other].contains(*module) && reached[*module].contains(**other);
            leaves.iter().filter(both).map(|&other| other.clone()).collect()
        };
        in_cycles.copied().map(|module| with_others(&module)).collect()
    }
}

/// Returns the path from the root of the package for a path in a module.
fn steps(module: &[String], path: &str) -> ModulePath {
    let path = path.trim();
    let mut from = if path.starts_with("crate") { Vec::new() } else { module.to_vec() };
    for step in path.split("::").map(str::trim) {
        match step {
            "" | "crate" | "self" | "*" => {}
            "super" => drop(from.pop()),
            _ => from.push(step.split(" as ").next().unwrap_or(step).to_owned()),
        }
    }
    from
}

/// The place of the next path.
fn next_path(text: &str) -> Option<usize> {
    let places = ["crate", "super", "self"].into_iter().filter_map(|keyword| {
        let starts = text.match_indices(keyword).map(|(at, _)| at);
        let mut starts = starts.filter(|&at| {
            text[at + keyword.len()..].starts_with("::")
                && !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$'))
        });
        starts.next()
    });
    places.min()
}

/// The paths of a tree of imports, such as `a::{b, c::d}`.
fn branches(tree: &str) -> Vec<String> {
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in inner.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("one part").push(letter);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| branches(part)).map(|part| format!("{}{part}", start.trim())).collect()
}

#[test]
fn trees_of_imports_have_branches() {
    assert_eq!(branches("crate::a::{b, c::{d, e}}"), ["crate::a::b", "crate::a::c::d", "crate::a::c::e"]);
    assert_eq!(next_path("x$crate::y, crate::z"), Some(12));
}

#[test]
fn files_import_each_other_in_a_cycle_only_for_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    let mut files = 0;
    for package in PACKAGES {
        let folder = root.join(package).join("src");
        if !folder.is_dir() {
            // The published package has the library only.
            continue;
        }
        let modules = Modules::of(&folder);
        files += modules.code.len();
        let name = |module: &ModulePath| module.join("/");
        for cycle in modules.cycles() {
            let names: Vec<String> = cycle.iter().map(name).collect();
            found.insert(format!("{}: {}", Path::new(package).join("src").display(), names.join(", ")));
        }
    }
    assert!(files > 200, "only {files} files were read");
    let list = std::fs::read_to_string(root.join("tests/fixtures/cycles.md")).expect("the list");
    let listed: BTreeSet<String> = list.lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect();
    let new: Vec<&String> = found.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "not in tests/fixtures/cycles.md: {new:#?}\nno cycle any more: {gone:#?}"
    );
}
