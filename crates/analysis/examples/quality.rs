//! Measures completion in real files without typed letters: hides a name, and searches for it among the completions.
//!
//! ```sh
//! cargo run --profile quick --package hcl-lr-analysis --example quality -- ../shared/corpus
//! ```
//!
//! Prints, for each kind of name, how many were hidden, and how often the right one came first, was among the first
//! five, or was offered. For a call, the parentheses and arguments stay; for an attribute, nothing does. Names that no
//! file of the corpus defines are counted separately, because the corpus has only some files of each project.
//! `SHOW=function` lists the names of a kind that are not among the first five, with the first five; `SHOW=all` those
//! of all kinds. With `--errors`, lists the diagnostics of all files instead, except for hints about unused
//! definitions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AccessStep, AttributeNode, ExpressionKind, ExpressionNode, Visitor, Walk};
use hcl_lr_analysis::{Snapshot, Workspace};
use hcl_lr_project::languages::is_hcl;

/// A name that is hidden: its kind, and its place.
struct Hidden {
    kind: &'static str,
    path: String,
    span: Span,
}

#[derive(Default)]
struct Names {
    found: Vec<(&'static str, Span)>,
}

impl<'t> Visitor<'t> for Names {
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        self.found.push(("attribute", attribute.name_token().span()));
        Walk::Into
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        match expression.kind() {
            ExpressionKind::Traversal(traversal) => {
                let steps: Vec<AccessStep<'_>> = traversal.steps().collect();
                let name = |at: usize| match steps.get(at) {
                    Some(AccessStep::Attribute(name)) => Some(name.span()),
                    _ => None,
                };
                match traversal.root().text() {
                    "var" => self.found.extend(name(0).map(|span| ("var.", span))),
                    "local" => self.found.extend(name(0).map(|span| ("local.", span))),
                    "module" => {
                        self.found.extend(name(0).map(|span| ("module.", span)));
                        self.found.extend(name(1).map(|span| ("module.name.", span)));
                    }
                    "data" => self.found.extend(name(2).map(|span| ("data.type.name.", span))),
                    root if root.contains('_') => {
                        self.found.extend(name(0).map(|span| ("resource_type.", span)));
                        self.found.extend(name(1).map(|span| ("resource_type.name.", span)));
                    }
                    _ => {}
                }
            }
            ExpressionKind::FunctionCall(call) => self.found.push(("function", call.name_span())),
            _ => {}
        }
        Walk::Into
    }
}

fn read(folder: &Path, workspace: &mut Workspace) -> Vec<String> {
    let mut folders = vec![folder.to_owned()];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => folders.push(entry.path()),
                false => paths.push(entry.path()),
            }
        }
    }
    paths.sort();
    let mut names = Vec::new();
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        if path.file_name().is_some_and(|name| is_hcl(&name.to_string_lossy()))
            && let Ok(bytes) = fs::read(&path)
        {
            workspace.set_bytes(&name, bytes);
            names.push(name);
        }
    }
    names
}

fn errors(snapshot: &Snapshot, names: &[String]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let found = snapshot.diagnostics(name).unwrap_or_default();
        for finding in found.iter().filter(|finding| finding.diagnostic.code().as_str() != "unused-definition") {
            let wrong = &finding.diagnostic;
            *counts.entry(format!("{} {}", finding.severity, wrong.code())).or_default() += 1;
            let line = wrong.position().line;
            println!("{name}:{line}: {} {}: {}", finding.severity, wrong.code(), wrong.detail().replace('\n', " "));
        }
    }
    println!("\nin {} files:", names.len());
    for (kind, count) in counts {
        println!("{count:6} {kind}");
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let lists_errors =
        arguments.iter().position(|argument| argument == "--errors").map(|at| arguments.remove(at)).is_some();
    let typed: usize = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let root = PathBuf::from(arguments.first().map_or("../shared/corpus", String::as_str));
    let Ok(root) = root.canonicalize() else {
        println!("there is no folder {}", root.display());
        return;
    };
    let mut workspace = Workspace::default();
    // Each project of the corpus is a workspace of its own.
    let mut all: Vec<PathBuf> = fs::read_dir(&root).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    if lists_errors {
        let names = read(&root, &mut workspace);
        errors(&workspace.snapshot(), &names);
        return;
    }
    let mut results: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let most: BTreeMap<&str, usize> = BTreeMap::from([("attribute", 2_000), ("function", 1_000)]);
    for project in all {
        let mut workspace = Workspace::default();
        let names = read(&project, &mut workspace);
        let mut hidden = Vec::new();
        for name in &names {
            let snapshot = workspace.snapshot();
            let Some(native) = snapshot.file(name).and_then(|file| file.native()) else { continue };
            let mut found = Names::default();
            native.body().walk(&mut found);
            hidden.extend(found.found.into_iter().map(|(kind, span)| Hidden { kind, path: name.clone(), span }));
        }
        // Takes every few of them, so that no project dominates.
        let step = (hidden.len() / 700).max(1);
        for Hidden { kind, path, span } in hidden.into_iter().step_by(step) {
            // A name that no file of the sample defines cannot be known.
            let is_reference = !matches!(kind, "attribute" | "function");
            let is_known = !is_reference
                || workspace.snapshot().definition(&path, span.start()).is_ok_and(|found| found.is_some());
            let kind = if is_known { kind } else { "(not in the sample)" };
            let counts = results.entry(kind).or_default();
            if counts[0] >= *most.get(kind).unwrap_or(&5_000) {
                continue;
            }
            let text = workspace.snapshot().file(&path).map(|file| file.source().text().to_owned()).unwrap_or_default();
            let name = text[span.range()].to_owned();
            let kept = name.char_indices().nth(typed).map_or(name.len(), |(at, _)| at);
            let mut end = span.end();
            if kind == "attribute" {
                // The whole attribute is yet to be written.
                let rest = &text[span.end()..];
                end += rest.find('\n').unwrap_or(rest.len());
            }
            let broken = format!("{}{}{}", &text[..span.start()], &name[..kept], &text[end..]);
            workspace.set(&path, broken);
            let offered = workspace.snapshot().completion(&path, span.start() + kept).unwrap_or_default();
            let place = offered.items.iter().position(|item| item.label == name);
            counts[0] += 1;
            counts[1] += usize::from(place == Some(0));
            counts[2] += usize::from(place.is_some_and(|place| place < 5));
            counts[3] += usize::from(place.is_some());
            if std::env::var("SHOW").is_ok_and(|wanted| wanted == kind || wanted == "all")
                && place.is_none_or(|place| place >= 5)
            {
                let first: Vec<&str> = offered.items.iter().take(5).map(|item| &*item.label).collect();
                let line = text[..span.start()].rsplit('\n').next().unwrap_or_default().trim();
                println!("{kind} {path}: {line} ⟨{name}⟩ {place:?} {first:?}");
            }
            workspace.set(&path, text);
        }
    }
    println!("{:22}{:>8}{:>8}{:>8}{:>8}", format!("{typed} letters typed"), "names", "first", "five", "all");
    for (kind, [count, first, five, all]) in results {
        let share = |part: usize| format!("{:.1} %", 100.0 * part as f64 / count.max(1) as f64);
        println!("{kind:22}{count:8}{:>8}{:>8}{:>8}", share(first), share(five), share(all));
    }
}
