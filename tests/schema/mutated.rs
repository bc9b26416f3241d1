//! Real files with one mistake each: it is reported at its place. Prints a table by language, if there is a corpus beside
//! the project.

use std::collections::BTreeMap;
use std::path::Path;

use hcl_lr::diagnostic::Code;
use hcl_lr::schema::{Checker, Index, Layers, Schema, Type};
use hcl_lr::source::{Replacement, Span};
use hcl_lr::syntax::ast::{BodyItem, BodyNode};
use hcl_lr::{ConfigFile, File, parse};

use crate::corpus::{CORPUS, files, language};

/// The mistakes in the files of a language.
const PER_LANGUAGE: usize = 20;

/// A change of a file, and the code and the span of what must be found.
struct Mutation {
    kind: &'static str,
    code: Code,
    change: Replacement,
    /// The place in the changed file; none if something is missing, which is reported at its body.
    at: Option<usize>,
}

struct Mutator<'i> {
    index: &'i Index,
    found: Vec<Mutation>,
}

fn at(span: Span) -> u32 {
    u32::try_from(span.start()).expect("a small file")
}

impl<'i> Mutator<'i> {
    fn body(&mut self, body: BodyNode<'_>, layers: &Layers<'i>) {
        let closed = !layers.is_open();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let (name, span) = (attribute.name(), attribute.name_token().span());
                    let Some(known) = layers.attribute(name) else { continue };
                    if closed && layers.free_attribute().is_none() {
                        self.add("wrong name", Code::UnsupportedArgument, span, format!("{name}_x"), true);
                    }
                    if known.required {
                        self.add("missing argument", Code::RequiredArgument, attribute.span(), String::new(), false);
                    }
                    if let Some(wrong) = self.wrong_value(&known.ty) {
                        let value = attribute.expression().span();
                        self.add("wrong type", Code::InvalidArgumentValue, value, wrong.to_owned(), true);
                    }
                    if let Type::Address(kinds) | Type::Reference(kinds) = self.index.resolve(&known.ty)
                        && !kinds.is_empty()
                        && !kinds.iter().any(|kind| kind == "variable")
                        && self.index.schema().parts.iter().any(|part| part.name == "module")
                    {
                        let value = attribute.expression().span();
                        self.add("bad reference", Code::WrongReference, value, "var.other".to_owned(), true);
                    }
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    let Some((known, mut inner)) = layers.block(name) else { continue };
                    let span = block.type_token().span();
                    if closed && layers.free_block().is_none() {
                        self.add("wrong block", Code::UnsupportedBlock, span, format!("{name}_x"), true);
                    }
                    let labels: Vec<_> = block.labels().collect();
                    if labels.len() == known.labels.len() && !known.labels.iter().any(|label| label.repeated) {
                        let end = labels.last().map_or(span, |label| label.span()).end();
                        let end = u32::try_from(end).expect("a small file");
                        let change = Replacement::insertion(end, " \"extra\"");
                        let at = Some(end as usize + 1);
                        self.found.push(Mutation { kind: "extra label", code: Code::BlockLabels, change, at });
                    }
                    for (label, written) in known.labels.iter().zip(&labels) {
                        inner = inner.with_case(&label.name, &written.text());
                    }
                    let by_labels = |key: &str| known.labels.iter().any(|label| label.name == key);
                    if inner.matches().all(|one| by_labels(&one.key)) {
                        self.body(block.body(), &inner);
                    }
                }
                _ => {}
            }
        }
    }

    /// A value that is surely not of a type.
    fn wrong_value(&self, ty: &Type) -> Option<&'static str> {
        match self.index.resolve(ty) {
            Type::String | Type::Format(_) => Some("[]"),
            Type::Bool => Some("\"maybe\""),
            Type::Number(_) | Type::Integer(_) => Some("\"many\""),
            Type::List(_) | Type::Set(_) | Type::Map(_) => Some("5"),
            Type::Keyword(words) if !words.is_empty() => Some("nonsense"),
            _ => None,
        }
    }

    fn add(&mut self, kind: &'static str, code: Code, span: Span, text: String, here: bool) {
        let place = here.then_some(at(span) as usize);
        self.found.push(Mutation { kind, code, change: Replacement::new(span, text), at: place });
    }
}

#[test]
fn mistakes_are_reported_at_their_places() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    if !corpus.is_dir() {
        eprintln!("skipped: there is no corpus at {CORPUS}");
        return;
    }
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let mut by_language: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for path in paths {
        let name = path.strip_prefix(&corpus).expect("below the corpus").to_string_lossy().into_owned();
        let skipped = name.starts_with("invalid/") || name.starts_with("templates/") || name.ends_with(".json");
        let Some(language) = language(&name).filter(|_| !skipped) else { continue };
        if let Ok(text) = std::fs::read_to_string(&path) {
            by_language.entry(language).or_default().push((name, text));
        }
    }
    // The schemas that come with the library are files of a language, too.
    for language in hcl_lr::schema::LANGUAGES {
        let text = Schema::text_of(language).expect("a text").to_owned();
        by_language.entry("schema").or_default().push((format!("{language}.schema.hcl"), text));
    }
    let mut missed = String::new();
    let mut table = String::new();
    for (language, files) in by_language {
        let schema = Schema::by_name(language).expect("a language");
        let checker = Checker::new(schema);
        // The mistakes of each kind, from as many files as possible.
        let mut kinds: BTreeMap<&str, Vec<(usize, Mutation)>> = BTreeMap::new();
        for (number, (name, text)) in files.iter().enumerate() {
            let Ok(file) = parse::<File>((name.as_str(), text.clone())).into_result() else { continue };
            let document = ConfigFile::from(&file);
            if !checker.check(&document).is_empty() {
                continue;
            }
            let has =
                |name: &str| file.body().blocks_of_type(name).next().is_some() || file.body().attribute(name).is_some();
            let files = schema.files_for(name, has).expect("files");
            if files.is_override(name) {
                continue;
            }
            let layers = checker.index().files(files).expect("a body");
            let mut mutator = Mutator { index: checker.index(), found: Vec::new() };
            mutator.body(file.body(), &layers);
            for mutation in mutator.found {
                let known = kinds.entry(mutation.kind).or_default();
                if known.last().is_none_or(|(last, _)| *last != number) {
                    known.push((number, mutation));
                }
            }
        }
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut total = 0;
        while total < PER_LANGUAGE && kinds.values().any(|all| !all.is_empty()) {
            for (kind, all) in &mut kinds {
                if all.is_empty() || total == PER_LANGUAGE {
                    continue;
                }
                let (number, mutation) = all.remove(all.len() / 2);
                total += 1;
                let (name, text) = &files[number];
                let changed = Replacement::apply(std::slice::from_ref(&mutation.change), text).expect("a change");
                let row = counts.entry(kind).or_default();
                row.0 += 1;
                let document = parse::<ConfigFile>((name.as_str(), changed)).into_value();
                let found = checker.check(&document);
                let fits = |one: &hcl_lr::Diagnostic| {
                    one.code() == mutation.code && mutation.at.is_none_or(|at| one.span().start() == at)
                };
                match found.iter().any(fits) {
                    true => row.1 += 1,
                    false => missed.push_str(&format!("{name}: {kind} at {:?}: {}\n", mutation.at, found.short())),
                }
            }
        }
        let cells: Vec<String> = counts.iter().map(|(kind, (all, found))| format!("{kind} {found}/{all}")).collect();
        table.push_str(&format!("{language:12} {total:3}  {}\n", cells.join(", ")));
    }
    eprintln!("{table}");
    assert!(missed.is_empty(), "{missed}");
}
