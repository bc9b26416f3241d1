//! Every name in the documentation exists: types, functions, modules and features in the guides are public, and names and
//! paths in the documents for contributors are in the sources.
//!
//! The public names are those of `tests/fixtures/public-api`. Code in fences is compiled by the documentation tests, and
//! `crates/cli/tests/programs/documented.rs` does the same for commands and options.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "lines in fences are for the test of commands")]
#[path = "support/markdown.rs"]
mod markdown;
#[path = "support/public_api.rs"]
mod public_api;

/// Names in the guides that are not ours, with their owners.
const FOREIGN: &[(&str, &[&str])] = &[
    (
        "std",
        &[
            "Arc",
            "BTreeMap",
            "Box",
            "Copy",
            "Cow",
            "Debug",
            "Display",
            "Eq",
            "From",
            "HashMap",
            "Hex",
            "Mutex",
            "Octal",
            "into",
            "IpAddr",
            "None",
            "Option",
            "PartialEq",
            "PathBuf",
            "Rc",
            "Result",
            "String",
            "Vec",
            "is_some",
            "std::error::Error",
            "std::fs::write",
        ],
    ),
    (
        "other packages",
        &[
            "Deserialize",
            "DeserializeSeed",
            "Serialize",
            "Spanned",
            "config::File::new",
            "miette::Diagnostic",
            "serde",
            "serde_json::Value",
            "serde_spanned::Spanned",
        ],
    ),
    (
        "hcl-rs and hcl-edit",
        &[
            "Decor",
            "Formatted",
            "RawString",
            "hcl::Expression",
            "hcl::body",
            "hcl::eval::from_str",
            "hcl::from_str",
            "hcl::parse",
            "parser::Error",
        ],
    ),
    ("Dask", &["from_sequence", "map_partitions"]),
    ("Packer", &["env"]),
    ("rustc", &["derive", "forbid"]),
    ("variables of the environment", &["NOMAD_VAR_name", "PKR_VAR_name", "TF_VAR_name"]),
    ("yq and jq", &["del", "map_values", "select", "sort_by", "sort_keys", "strenv", "sub", "test", "with_entries"]),
    ("names in examples", &["Enum", "Listener", "Service", "a::b::f", "a::f", "core::upper", "f", "marked"]),
    ("schemas", &["integer", "reference", "string_name", "true", "typed_by"]),
    ("conditions of queries", &["version_compare", "version_satisfies"]),
    ("the grammar", &["Each", "Unsplat"]),
    ("JSON", &["Infinity"]),
];

/// The starts of words that name methods, also without parentheses.
const METHODS: [&str; 8] = ["as_", "from_", "into_", "max_", "set_", "to_", "with_", "without_"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with an extension, without those that a build makes.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !["target", "node_modules", "fixtures", ".git"].contains(&name) {
                files(&path, extension, found);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// Returns a line of the public API without generic arguments, results and parameters.
fn bare(line: &str) -> String {
    let (mut text, mut depth) = (String::new(), 0_usize);
    for c in line.replace("->", "  ").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

/// The names in a list of public items: each ending of each path, from `Value` to `hcl_lr::model::Value`.
fn names_of(list: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in list.lines() {
        for path in markdown::paths(&bare(line)) {
            let mut rest = path;
            names.insert(rest.to_owned());
            while let Some((_, ending)) = rest.split_once("::") {
                rest = ending;
                names.insert(rest.to_owned());
            }
        }
    }
    names
}

/// The functions of HCL, which have a heading each.
fn functions_of_hcl() -> BTreeSet<String> {
    let text = read(&root().join("docs/functions.md"));
    text.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect()
}

/// The words with a capital and a small letter, which is how types and traits are named.
fn type_names(span: &str) -> impl Iterator<Item = &str> {
    let is_type = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.contains(|c: char| c.is_ascii_lowercase())
    };
    let whole = span.split(['<', '>', ',', ' ']).all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    span.split(|c: char| !c.is_alphanumeric() && c != '_').filter(move |word| whole && is_type(word))
}

/// The names that an inline span uses: paths, types, and functions with parentheses.
fn names_in(span: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        markdown::paths(span).into_iter().filter(|path| path.contains("::")).map(str::to_owned).collect();
    if !span.contains(' ') || span.contains('<') {
        names.extend(type_names(span).map(str::to_owned));
    }
    names.extend(markdown::calls(span).into_iter().map(str::to_owned));
    let is_word = span.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if is_word && METHODS.iter().any(|start| span.len() > start.len() && span.starts_with(start)) {
        names.insert(span.to_owned());
    }
    names
}

/// The words in the sources of the Python package.
fn words_of_python() -> BTreeSet<String> {
    let mut paths = Vec::new();
    for extension in ["py", "pyi", "rs"] {
        files(&root().join("crates/python"), extension, &mut paths);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    paths.iter().flat_map(|path| read(path).split(|c| !is_part(c)).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The guides, and the documentation at the top of each library.
fn guides() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "SECURITY.md", "CHANGELOG.md"].map(|name| root().join(name)).into();
    files(&root().join("docs"), "md", &mut paths);
    let mut guides: Vec<(String, String)> = paths.iter().map(|path| (shown(path), read(path))).collect();
    let mut libraries = vec![root().join("src/lib.rs")];
    let mut members: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    members.sort();
    libraries.extend(members.iter().map(|member| member.join("src/lib.rs")).filter(|path| path.exists()));
    for path in libraries {
        let text = read(&path);
        let lines: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        guides.push((shown(&path), lines.join("\n")));
    }
    guides
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn names_in_the_guides_are_public() {
    let (public, functions) = (names_of(&public_api::with_projects()), functions_of_hcl());
    assert!(public.contains("Diagnostics::render") && functions.contains("upper"), "the lists have another form");
    let python = words_of_python();
    let mut foreign: BTreeMap<&str, bool> =
        FOREIGN.iter().flat_map(|(_, names)| names.iter().map(|name| (*name, false))).collect();
    let (mut unknown, mut checked) = (String::new(), 0);
    for (guide, text) in guides() {
        // A library that is not for applications is described beside its own names.
        let package = guide.strip_prefix("crates/").and_then(|rest| rest.split('/').next());
        let list = package.map(|name| root().join(format!("tests/fixtures/public-api/hcl-lr-{name}.txt")));
        let mut own = list.filter(|list| list.exists()).map(|list| names_of(&read(&list))).unwrap_or_default();
        if guide.contains("python") {
            own.extend(python.iter().cloned());
        }
        for (line, span) in markdown::spans(&markdown::without_columns(&text, &["hcl-rs", "hcl-edit", "tests of"])) {
            for name in names_in(&span) {
                checked += 1;
                if let Some(used) = foreign.get_mut(name.as_str()) {
                    *used = true;
                } else if !public.contains(&name) && !own.contains(&name) && !functions.contains(&name) {
                    let _ = writeln!(unknown, "{guide}:{line}: `{name}`");
                }
            }
        }
    }
    assert!(unknown.is_empty(), "names in the guides that are not public:\n{unknown}");
    let unused: Vec<&str> = foreign.iter().filter(|(_, used)| !**used).map(|(name, _)| *name).collect();
    assert!(unused.is_empty(), "no guide has these names, so remove the exceptions: {unused:?}");
    assert!(checked > 1000, "only {checked} names were found");
}

/// The features of all packages.
fn features() -> BTreeSet<String> {
    let mut manifests = vec![root().join("Cargo.toml")];
    files(&root().join("crates"), "toml", &mut manifests);
    let mut features = BTreeSet::new();
    for manifest in manifests {
        let text = read(&manifest);
        let lines =
            text.lines().skip_while(|line| *line != "[features]").skip(1).take_while(|line| !line.starts_with('['));
        features.extend(
            lines
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| line.split_once(" = "))
                .map(|(name, _)| name.to_owned()),
        );
    }
    features
}

/// Collects the names after "feature" and "features": `a`, `b` and `c`.
fn named_features(text: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut names = Vec::new();
    for after in text.split("eature").skip(1) {
        let Some(mut rest) = after.strip_prefix("s ").or_else(|| after.strip_prefix(' ')) else { continue };
        while let Some((name, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            names.push(name.to_owned());
            rest = after.strip_prefix(", ").unwrap_or(after);
            rest = [" and ", "and ", " or ", "or "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
        }
    }
    names
}

#[test]
fn features_in_the_guides_exist() {
    let features = features();
    let mut checked = 0;
    for (guide, text) in guides() {
        for name in named_features(&text) {
            checked += 1;
            assert!(features.contains(&name), "{guide}: there is no feature `{name}`");
        }
        for (line, text) in text.lines().enumerate() {
            let listed = text.split_once("features = [").and_then(|(_, rest)| rest.split_once(']'));
            for name in listed
                .into_iter()
                .filter(|_| text.contains("hcl-lr"))
                .flat_map(|(names, _)| names.split('"').skip(1).step_by(2))
            {
                checked += 1;
                assert!(features.contains(name), "{guide}:{}: there is no feature `{name}`", line + 1);
            }
        }
    }
    assert!(checked > 20, "only {checked} features were found");
    assert_eq!(named_features("the\nfeatures `a`, `b` and `c`. A feature\n`d`, a `type`"), ["a", "b", "c", "d",]);
}

/// The documents for contributors.
fn internal_documents() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    for folder in ["tests", "grammar", "crates"] {
        let mut found = Vec::new();
        files(&root().join(folder), "md", &mut found);
        paths.extend(found.into_iter().filter(|path| path.ends_with("README.md") || path.ends_with("FORMS.md")));
    }
    paths
}

/// The words of all sources.
fn words_of_sources() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut sources = Vec::new();
    for (folder, extension) in [
        ("src", "rs"),
        ("crates", "rs"),
        ("tests", "rs"),
        ("fuzz", "rs"),
        ("grammar", "lalrpop"),
        ("crates", "py"),
        ("crates", "go"),
        ("crates", "mjs"),
        ("crates", "js"),
        ("crates", "rb"),
        ("crates", "java"),
    ] {
        files(&root().join(folder), extension, &mut sources);
    }
    for source in sources.iter().filter(|path| !path.ends_with("documented_names.rs")) {
        words.extend(read(source).split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
    }
    words
}

#[test]
fn names_and_paths_in_documents_for_contributors_exist() {
    let words = words_of_sources();
    let (mut unknown, mut checked) = (String::new(), 0);
    for document in internal_documents() {
        let folder = document.parent().expect("a folder");
        for (line, span) in markdown::spans(&read(&document)) {
            for name in names_in(&span) {
                checked += 1;
                if !name.split("::").all(|part| words.contains(part)) {
                    let _ = writeln!(unknown, "{}:{line}: `{name}`", shown(&document));
                }
            }
            let is_path = ["src/", "crates/", "tests/", "docs/", "grammar/", "examples/", "editors/", "fuzz/", ".ci/"]
                .iter()
                .any(|start| span.starts_with(start));
            if is_path && !span.contains([' ', '*', '{', '<', '…']) && !span.contains("NAME") {
                checked += 1;
                let path = span.split('#').next().unwrap_or_default();
                if !root().join(path).exists() && !folder.join(path).exists() {
                    let _ = writeln!(unknown, "{}:{line}: `{span}`", shown(&document));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "names and paths that are nowhere:\n{unknown}");
    assert!(checked > 350, "only {checked} names and paths were found");
}

#[test]
fn names_are_found_in_spans() {
    let names = |span: &str| names_in(span).into_iter().collect::<Vec<_>>();
    assert_eq!(names("Vec<Labeled<T>>"), ["Labeled", "Vec"]);
    assert_eq!(names("Limits::max_time(duration)"), ["Limits::max_time"]);
    assert_eq!(names("file.body().attribute(\"a\")"), ["attribute", "body"]);
    assert_eq!(names("Content-Length"), [""; 0]);
    assert_eq!(
        markdown::without_columns(
            "| hcl-rs 1 | here |\n| --- | --- |\n| `a` | `b` |\n\n| here |\n| `c` |\n",
            &["hcl-rs"]
        ),
        "| here |\n| --- |\n| `b` |\n\n| here |\n| `c` |\n"
    );
}
