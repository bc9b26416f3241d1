//! The items of completion are right: at places of the files in fixtures and examples, each item is put into the text, and checking the
//! file finds no error in it.
//!
//! `HCL_OFFERS=20000 HCL_SEED=2` in the environment tries more places, with another seed, and `HCL_LR_CORPUS=FOLDER` also
//! those of the files in a folder, each with the others beside it. Files with errors are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Code, Severity};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AccessStep, BodyItem, BodyNode, ExpressionKind, ExpressionNode, Visitor, Walk};
use hcl_lr_analysis::Workspace;
use hcl_lr_analysis::completion::{Item, ItemKind};

use super::cases::cases_below;
use super::random::{Random, number};

/// The number of items to try at one place.
const ITEMS: usize = 25;

/// Files by their paths, which are checked together.
type Files = Vec<(String, String)>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the files of fixtures, examples and sessions, in several languages.
fn all_files() -> Vec<Files> {
    let mut all: Vec<Files> = Vec::new();
    for folder in ["tests/fixtures/schema", "tests/fixtures/definitions"] {
        for case in cases_below(&root().join(folder)) {
            let files = case.files().filter(|(name, _)| hcl_lr_project::languages::is_hcl(name));
            let files: Files = files.map(|(name, fence)| (format!("/w/{name}"), fence.text().to_owned())).collect();
            all.extend((!files.is_empty()).then_some(files));
        }
    }
    let example = |name: &str, to: &str| {
        (format!("/w/{to}"), std::fs::read_to_string(root().join("examples").join(name)).expect("an example"))
    };
    all.push(vec![example("terraform/main.tf", "main.tf"), example("terraform/network/main.tf", "network/main.tf")]);
    all.push(vec![example("workflow.hcl", "workflow.hcl"), example("workflow.schema.hcl", "workflow.schema.hcl")]);
    all.extend(corpus());
    all
}

/// Returns the files of each folder below that of the corpus.
fn corpus() -> Vec<Files> {
    let mut folders: Vec<PathBuf> = std::env::var_os("HCL_LR_CORPUS").map(PathBuf::from).into_iter().collect();
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder of the corpus");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let mut files = Files::new();
        for path in paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if hcl_lr_project::languages::is_hcl(&name)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                files.push((path.to_string_lossy().into_owned(), text));
            }
        }
        all.extend((!files.is_empty()).then_some(files));
    }
    all
}

/// The places of a text: spans to replace by what is offered there.
#[derive(Default)]
struct Places(Vec<(Span, &'static str)>);

impl<'t> Visitor<'t> for Places {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        match expression.kind() {
            ExpressionKind::Traversal(traversal) => {
                self.0.push((expression.span(), "in place of a value"));
                if let Some(AccessStep::Attribute(name)) = traversal.steps().last() {
                    self.0.push((name.span(), "in place of a member"));
                }
            }
            ExpressionKind::Template(template) if !template.is_heredoc() && template.as_text().is_some() => {
                self.0.push((expression.span(), "in place of a value"));
                let span = expression.span();
                let inner = Span::new(span.start() + 1, span.end() - 1);
                self.0.push((inner, "in a string"));
            }
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => {
                self.0.push((expression.span(), "in place of a value"));
            }
            ExpressionKind::FunctionCall(call) => self.0.push((call.name_span(), "in place of a function")),
            ExpressionKind::Tuple(_) | ExpressionKind::Object(_) => {
                self.0.push((expression.span(), "in place of a value"));
            }
            _ => {}
        }
        Walk::Into
    }
}

impl Places {
    fn of(body: BodyNode<'_>) -> Places {
        let mut places = Places::default();
        body.walk(&mut places);
        let mut bodies = vec![body];
        while let Some(body) = bodies.pop() {
            for item in body.items() {
                match item {
                    BodyItem::Attribute(attribute) => {
                        places.0.push((attribute.name_token().span(), "in place of a name"))
                    }
                    BodyItem::Block(block) => {
                        for label in block.labels().filter(|label| label.is_quoted()) {
                            let span = label.span();
                            let inner = Span::new(span.start() + 1, span.end() - 1);
                            places.0.push((inner, "in a label"));
                        }
                    }
                    _ => {}
                }
            }
            bodies.extend(body.blocks().map(|block| block.body()));
        }
        places
    }
}

/// Returns true for errors about the parts of an item that are still to be written, and for those that depend on more than
/// types.
fn is_unfinished(how: &str, code: &Code, detail: &str, item: &Item) -> bool {
    use Code::{BlockLabels, DefinitionCycle, DynamicContent, InvalidArgument, InvalidArgumentValue, InvalidValue};
    use Code::{MissingArgument, MissingBlock, RequiredArgument, UnknownFunction};
    item.is_start
        // A condition that the files state for a value, and what a function says about one.
        || matches!(code, InvalidValue)
        || matches!(code, InvalidArgument) && !detail.contains("is required")
        // The value is that of another name.
        || how == "in place of a name" && matches!(code, DefinitionCycle)
        // A call whose arguments are still to be written.
        || matches!(item.kind, ItemKind::Function) && detail.starts_with("this refers to nothing")
        // The arguments that are written are those of another function.
        || how == "in place of a function" && !matches!(code, InvalidArgumentValue | UnknownFunction)
        || matches!(code, RequiredArgument | MissingArgument | MissingBlock | BlockLabels | DynamicContent)
}

fn workspace(files: &Files, path: &str, text: &str) -> Workspace {
    let mut workspace = Workspace::default();
    for (name, known) in files {
        workspace.set(name, if name == path { text.to_owned() } else { known.clone() });
    }
    workspace
}

/// Returns the first error that touches a span, if there is one.
fn error_at(files: &Files, path: &str, text: &str, span: Option<Span>) -> Option<(Code, String)> {
    let found = workspace(files, path, text).snapshot().diagnostics(path).expect("nothing changes");
    let touches = |found: Span| span.is_none_or(|span| found.start() < span.end() && span.start() < found.end());
    let mut errors = found.into_iter().filter(|finding| finding.severity == Severity::Error);
    let error = errors.find(|finding| touches(finding.diagnostic.span()))?;
    Some((error.diagnostic.code().clone(), error.diagnostic.detail().to_owned()))
}

#[test]
fn what_is_offered_is_right() {
    let (most, mut random) = (number("HCL_OFFERS", 150) as usize, Random::of_seed(number("HCL_SEED", 1)));
    let mut places: Vec<(usize, usize, Span, &'static str)> = Vec::new();
    let all = all_files();
    for (group, files) in all.iter().enumerate() {
        for (at, (path, text)) in files.iter().enumerate() {
            let Ok(ConfigFile::Native(file)) =
                hcl_lr::parse::<ConfigFile>((path.as_str(), text.as_str())).into_result()
            else {
                continue;
            };
            if error_at(files, path, text, None).is_none() {
                places.extend(Places::of(file.body()).0.into_iter().map(|(span, how)| (group, at, span, how)));
            }
        }
    }
    let (mut offered, mut tried) = (0, 0);
    let mut wrong: BTreeMap<String, (u32, String)> = BTreeMap::new();
    let total = places.len();
    for _ in 0..most {
        let (group, at, span, how) = places[random.below(total)];
        let (files, (path, text)) = (&all[group], &all[group][at]);
        let before = format!("{}{}", &text[..span.start()], &text[span.end()..]);
        let snapshot = workspace(files, path, &before).snapshot();
        let items = snapshot.completion(path, span.start()).expect("nothing changes").items;
        offered += usize::from(!items.is_empty());
        for number in 0..items.len().min(ITEMS) {
            // The first ones, and others.
            let item = &items[if number < ITEMS / 2 { number } else { random.below(items.len()) }];
            let after = format!("{}{}{}", &before[..item.span.start()], item.text, &before[item.span.end()..]);
            let written = Span::new(item.span.start(), item.span.start() + item.text.len());
            tried += 1;
            if let Some((code, detail)) = error_at(files, path, &after, Some(written))
                && !is_unfinished(how, &code, &detail, item)
            {
                let line = after[..written.start()].rsplit('\n').next().unwrap_or_default();
                let rest = after[written.end()..].split('\n').next().unwrap_or_default();
                if std::env::var_os("HCL_OFFERS_SHOWN").is_some() {
                    println!("{after}");
                }
                let shown = format!("  {path}: {line}«{}»{rest}\n  {code}: {detail}", item.text);
                wrong.entry(format!("{how}: {:?}, {code}", item.kind)).or_insert((0, shown)).0 += 1;
            }
        }
    }
    println!("{total} places, {offered} with offers; {tried} items are tried");
    assert!(tried > 0);
    let shown: Vec<String> =
        wrong.iter().map(|(key, (count, shown))| format!("{key}, {count} times:\n{shown}")).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
}
