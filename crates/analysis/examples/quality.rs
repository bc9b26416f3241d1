//! Measures completion in real files without typed letters: hides a name, and searches for it among the completions.
//!
//! ```sh
//! cargo run --profile quick --package hcl-lr-analysis --example quality -- ../shared/corpus
//! ```
//!
//! Prints, for each kind of name (attributes of resources, data sources and providers apart), how many were hidden, and how often the right one came first, was among the first
//! five, or was offered. For a call, the parentheses and arguments stay; for an attribute, nothing does. Names that no
//! file of the corpus defines, and attributes and functions that are nowhere else, are counted separately, because the
//! corpus has only some files of each project.
//! `SHOW=function` lists the names of a kind that are not among the first five, with the first five; `SHOW=all` those
//! of all kinds. With `--errors`, lists the diagnostics of all files instead, except for hints about unused
//! definitions.
//!
//! Schemas of providers that `hcl providers import` has kept in the folder count for all of its files. The example
//! `corpus_schemas` makes them up.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AccessStep, AttributeNode, BodyItem, ExpressionKind, ExpressionNode, Visitor, Walk};
use hcl_lr_analysis::{Languages, Settings, Snapshot, Workspace};
use hcl_lr_language::schema::ProviderSchemas;
use hcl_lr_project::PROVIDER_SCHEMAS;
use hcl_lr_project::languages::is_hcl;

/// A name that is hidden: its kind, and its place.
struct Hidden {
    kind: &'static str,
    path: String,
    span: Span,
}

struct Names {
    /// The kind of the attributes.
    attribute: &'static str,
    found: Vec<(&'static str, Span)>,
}

impl<'t> Visitor<'t> for Names {
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        self.found.push((self.attribute, attribute.name_token().span()));
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

/// Returns the settings with the schemas of providers that are kept in a folder.
fn settings(root: &Path) -> Settings {
    let Ok(bytes) = fs::read(root.join(PROVIDER_SCHEMAS)) else { return Settings::default() };
    let schemas = hcl_lr::parse::<ProviderSchemas>((PROVIDER_SCHEMAS, bytes)).into_value();
    println!("with the schemas of {} providers", schemas.providers().count());
    let languages = Languages::default().with_catalog(Arc::new(schemas));
    Settings { languages, ..Settings::default() }
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
    let settings = settings(&root);
    let mut workspace = Workspace::default();
    workspace.set_settings(settings.clone());
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
    for project in all {
        let mut workspace = Workspace::default();
        workspace.set_settings(settings.clone());
        let names = read(&project, &mut workspace);
        let mut hidden = Vec::new();
        for name in &names {
            let snapshot = workspace.snapshot();
            let Some(native) = snapshot.file(name).and_then(|file| file.native()) else { continue };
            let mut found = Names { attribute: "attribute", found: Vec::new() };
            for item in native.body().items() {
                match item {
                    BodyItem::Block(block) => {
                        let is_of_provider = ["resource", "data", "provider"].contains(&block.block_type());
                        found.attribute = if is_of_provider { "attribute (provider)" } else { "attribute" };
                        block.body().walk(&mut found);
                    }
                    BodyItem::Attribute(attribute) => {
                        found.attribute = "attribute";
                        found.visit_attribute(attribute);
                        attribute.expression().walk(&mut found);
                    }
                    _ => {}
                }
            }
            hidden.extend(found.found.into_iter().map(|(kind, span)| Hidden { kind, path: name.clone(), span }));
        }
        let mut uses: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for Hidden { kind, path, span } in &hidden {
            let snapshot = workspace.snapshot();
            let name = snapshot.file(path).map(|file| file.source().text()[span.range()].to_owned());
            *uses.entry((kind, name.unwrap_or_default())).or_default() += 1;
        }
        // Takes every few of them, so that no project dominates.
        let step = (hidden.len() / 700).max(1);
        for Hidden { kind, path, span } in hidden.into_iter().step_by(step) {
            // A name that no file of the sample defines cannot be known.
            let is_attribute = kind.starts_with("attribute");
            let is_reference = !is_attribute && kind != "function";
            let is_known = !is_reference
                || workspace.snapshot().definition(&path, span.start()).is_ok_and(|found| found.is_some());
            let kind = if is_known { kind } else { "(not in the sample)" };
            let text = workspace.snapshot().file(&path).map(|file| file.source().text().to_owned()).unwrap_or_default();
            let name = text[span.range()].to_owned();
            let kept = name.char_indices().nth(typed).map_or(name.len(), |(at, _)| at);
            let mut end = span.end();
            if is_attribute {
                // The whole attribute is yet to be written.
                let rest = &text[span.end()..];
                end += rest.find('\n').unwrap_or(rest.len());
            }
            let broken = format!("{}{}{}", &text[..span.start()], &name[..kept], &text[end..]);
            workspace.set(&path, broken);
            let offered = workspace.snapshot().completion(&path, span.start() + kept).unwrap_or_default();
            let place = offered.items.iter().position(|item| item.label == name);
            // Neither can an attribute or function that is nowhere else.
            let is_elsewhere = uses.get(&(kind, name.clone())).is_some_and(|uses| *uses > 1);
            let kind = if is_reference || place.is_some() || is_elsewhere { kind } else { "(not in the sample)" };
            let counts = results.entry(kind).or_default();
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
