//! `hcl convert`: folders of files in native syntax, to JSON and back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hcl_lr::syntax::ast::BodyNode;
use hcl_lr::{ConfigFile, File, parse};
use hcl_lr_language::schema::{Checker, Schema};

use crate::cli::{Scratch, hcl};
use crate::support::{cases, needs};

/// The endings of names of files in native syntax.
const ENDINGS: [&str; 6] = [".tf", ".tofu", ".hcl", ".tfvars", ".nomad", ".tfbackend"];

/// The files in native syntax in a folder and below that have no errors.
fn native_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() {
            native_files(&path, found);
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending))
            && let Ok(text) = fs::read_to_string(&path)
            && !parse::<File>(text).has_errors()
        {
            found.push(path);
        }
    }
}

/// Returns the first difference between the attributes and blocks of two bodies. The order between blocks of different
/// types has no meaning.
fn difference(ours: BodyNode<'_>, theirs: BodyNode<'_>, path: &str) -> Option<String> {
    let names = |body: BodyNode<'_>| body.attributes().map(|attribute| attribute.name().to_owned()).collect::<Vec<_>>();
    if names(ours) != names(theirs) {
        return Some(format!("arguments of `{path}`: {:?}, then {:?}", names(ours), names(theirs)));
    }
    type Blocks<'t> = BTreeMap<String, Vec<(Vec<String>, BodyNode<'t>)>>;
    fn blocks(body: BodyNode<'_>) -> Blocks<'_> {
        let mut all = Blocks::new();
        for block in body.blocks() {
            let labels: Vec<String> = block.labels().map(|label| label.text().into_owned()).collect();
            all.entry(block.block_type().to_owned()).or_default().push((labels, block.body()));
        }
        // Blocks of a type with other labels may change places, those with the same labels not.
        all.values_mut().for_each(|all| all.sort_by(|one, other| one.0.cmp(&other.0)));
        all
    }
    let (ours, theirs) = (blocks(ours), blocks(theirs));
    let headers = |all: &Blocks<'_>| {
        let one = |(name, all): (&String, &Vec<(Vec<String>, BodyNode<'_>)>)| {
            (name.clone(), all.iter().map(|(labels, _)| labels.clone()).collect::<Vec<_>>())
        };
        all.iter().map(one).collect::<Vec<_>>()
    };
    if headers(&ours) != headers(&theirs) {
        return Some(format!("blocks of `{path}`: {:?}, then {:?}", headers(&ours), headers(&theirs)));
    }
    let pairs = ours.iter().flat_map(|(name, all)| all.iter().zip(&theirs[name]).map(move |pair| (name, pair)));
    pairs.into_iter().find_map(|(name, ((_, one), (_, other)))| difference(*one, *other, &format!("{path}.{name}")))
}

/// Returns a text in JSON without what makes no difference: blanks, strings in strings, and the notation of numbers.
fn normal(json: &str) -> String {
    let text: String = json.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.replace("\"${\\\"${", "\"${").replace("}\\\"}\"", "}\"");
    let mut normal = String::new();
    for part in text.split_inclusive("}\"") {
        let number = part.rfind("\"${").map(|at| (at, &part[at + 3..]));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
        match number.and_then(|(at, rest)| Some((at, rest.strip_suffix("}\"")?))) {
            Some((at, number)) if is_number(number) => normal.extend([&part[..at], number]),
            _ => normal.push_str(part),
        }
    }
    normal
}

/// The files that came back, and those of them that mean something else, with the reason.
struct Answer {
    asked: usize,
    back: usize,
    different: Vec<String>,
}

/// Converts files to JSON, back, and to JSON again.
fn there_and_back(files: &[PathBuf], blocks: &str) -> Answer {
    let scratch = Scratch::new(&format!("there-and-back-{blocks}-{}", files.len()));
    let place = |folder: &str, at: usize, path: &Path| {
        scratch.path(folder).join(format!("{at:04}")).join(path.file_name().unwrap_or_default())
    };
    for (at, path) in files.iter().enumerate() {
        let copy = place("in", at, path);
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::copy(path, copy).expect("a copy");
    }
    for (from, to, syntax) in [("in", "json", "json"), ("json", "back", "native"), ("back", "again", "json")] {
        let run = hcl()
            .current_dir(scratch.path(""))
            .args(["convert", "--to", syntax, from, "-o", to, "--blocks", blocks])
            .output();
        let run = run.expect("it runs");
        assert!(matches!(run.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&run.stderr));
    }
    let mut answer = Answer { asked: files.len(), back: 0, different: Vec::new() };
    for (at, path) in files.iter().enumerate() {
        let in_json = |folder: &str| {
            let folder = scratch.path(folder).join(format!("{at:04}"));
            let file = fs::read_dir(folder).into_iter().flatten().flatten().next()?;
            fs::read_to_string(file.path()).ok()
        };
        // Some files have no form in JSON, which is an error.
        let Some(first) = in_json("json") else { continue };
        answer.back += 1;
        let shown = path.display();
        let Ok(back) = fs::read_to_string(place("back", at, path)) else {
            answer.different.push(format!("{shown}: it does not come back by its name"));
            continue;
        };
        let (one, other) = (fs::read_to_string(path).expect("text"), back);
        let (one, other) = (parse::<File>(one).into_value(), parse::<File>(other).into_value());
        if let Some(difference) = difference(one.body(), other.body(), "") {
            answer.different.push(format!("{shown}: {difference}"));
        } else if in_json("again").map(|json| normal(&json)) != Some(normal(&first)) {
            answer.different.push(format!("{shown}: values differ"));
        }
    }
    answer
}

/// Returns true if a file belongs to a language by its name, and is right in it.
fn is_of_language(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let text = fs::read_to_string(path).unwrap_or_default();
    // In bodies that no schema describes, blocks cannot be told from arguments. Bodies in bodies of a schema are
    // described a few levels deep.
    if text.contains("dynamic \"") || text.contains("inner \"") || name.ends_with("fleet.schema.hcl") {
        return false;
    }
    let file = parse::<ConfigFile>((&*name, text)).into_value();
    Schema::all_for_file(&name).any(|schema| !Checker::new(schema).check(&file).has_errors())
}

#[test]
fn a_folder_comes_back_as_it_was() {
    const FILES: usize = 300;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    native_files(&root.join("examples"), &mut files);
    // The inputs of the other tests, as files.
    let scratch = Scratch::new("there-and-back-inputs");
    let fixtures = root.join("tests/fixtures");
    for (name, bytes) in cases::inputs(&fixtures) {
        let path = scratch.path("").join(Path::new(&name).strip_prefix(&fixtures).expect("below the fixtures"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
    native_files(&scratch.path(""), &mut files);
    let (known, others): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(|path| is_of_language(path));
    // As many others as there is room for, but never none.
    let most = FILES.saturating_sub(known.len()).max(50).min(others.len());
    for (files, blocks) in [(&known[..], "collapse"), (&others[..most], "tagged")] {
        let answer = there_and_back(files, blocks);
        println!("{blocks}: {} files, {} have a form in JSON", answer.asked, answer.back);
        assert!(answer.different.is_empty(), "{}", answer.different.join("\n"));
    }
}

/// Files of real projects.
#[test]
#[ignore = "needs corpus"]
fn needs_corpus_real_files_come_back_as_they_were() {
    let mut files = Vec::new();
    native_files(&needs::corpus(), &mut files);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tf") && is_of_language(path));
    let answer = there_and_back(&files, "collapse");
    let same = answer.back - answer.different.len();
    println!("*.tf: {} files, {} have a form in JSON, {same} of them come back", answer.asked, answer.back);
    println!("{}", answer.different.join("\n"));
    assert!(answer.different.len() * 50 <= answer.back, "more than one of 50 is another one");
}
