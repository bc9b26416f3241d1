//! Real files with one mistake each, which must be reported at its place. Prints a table by language, if there is a
//! corpus next to the project.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hcl_lr::diagnostic::Code;
use hcl_lr::source::{Replacement, Span};
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr::{ConfigFile, File, parse};
use hcl_lr_language::schema::{Block, Body, Checker, Layers, Schema, SchemaIndex, Type};

use crate::corpus::{CorpusFile, corpus, files};
use crate::support::golden::{inputs, root};

/// The mistakes in the files of a language.
const PER_LANGUAGE: usize = 20;

/// All kinds of mistakes.
const KINDS: [&str; 10] = [
    "bad reference",
    "extra label",
    "missing argument",
    "missing block",
    "missing label",
    "too many blocks",
    "wrong block",
    "wrong name",
    "wrong type",
    "wrong word",
];

/// A change of a file, and the code and the place of the expected finding.
struct Mutation {
    kind: &'static str,
    code: Code,
    change: Replacement,
    /// The place in the changed file: exactly this, or anywhere in the body that lacks something.
    place: Expected,
}

enum Expected {
    At(usize),
    Within(Range<usize>),
}

struct Mutator<'i> {
    index: &'i SchemaIndex,
    text: &'i str,
    /// The first names of addresses, with the kinds of definitions.
    roots: Vec<(String, String)>,
    found: Vec<Mutation>,
}

/// The first names of the addresses of definitions, with their kinds.
fn roots(body: &Body, found: &mut Vec<(String, String)>) {
    let defines = body.attributes.iter().filter_map(|attribute| attribute.defines.as_ref());
    let defines = defines.chain(body.blocks.iter().filter_map(|block| block.defines.as_ref()));
    for defines in defines {
        for address in defines.address.iter().chain(&defines.aliases) {
            let root = address.split('.').next().unwrap_or_default();
            if !root.starts_with('{') && !root.is_empty() {
                found.push((root.to_owned(), defines.kind.clone()));
            }
        }
    }
    body.blocks.iter().for_each(|block| roots(&block.body, found));
    body.matches.iter().flat_map(|matched| &matched.cases).for_each(|case| roots(&case.body, found));
}

impl<'i> Mutator<'i> {
    fn new(index: &'i SchemaIndex, text: &'i str) -> Self {
        let mut found = Vec::new();
        index.schema().parts.iter().for_each(|part| roots(&part.body, &mut found));
        Mutator { index, text, roots: found, found: Vec::new() }
    }

    /// Finds mistakes in a body, which is at a span of the file.
    fn body(&mut self, body: BodyNode<'_>, layers: &Layers<'i>, span: Span) {
        let closed = !layers.is_open();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let (name, token) = (attribute.name(), attribute.name_token().span());
                    let Some(known) = layers.attribute(name) else { continue };
                    if closed && layers.free_attribute().is_none() {
                        self.at("wrong name", Code::UnsupportedArgument, token, format!("{name}_x"));
                    }
                    if known.required {
                        self.within("missing argument", Code::RequiredArgument, attribute.span(), span);
                    }
                    let value = attribute.expression().span();
                    if let Some(wrong) = self.wrong_value(&known.ty) {
                        self.at("wrong type", Code::InvalidArgumentValue, value, wrong.to_owned());
                    }
                    if let Some(wrong) = self.wrong_word(&known.ty) {
                        self.at("wrong word", Code::InvalidArgumentValue, value, wrong);
                    }
                    self.bad_reference(&known.ty, attribute.expression(), span);
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    let Some((known, mut inner)) = layers.block(name) else { continue };
                    let token = block.type_token().span();
                    if closed && layers.free_block().is_none() {
                        self.at("wrong block", Code::UnsupportedBlock, token, format!("{name}_x"));
                    }
                    self.labels(block, known);
                    let is_only = body.blocks_of_type(name).count() == 1;
                    if known.min == 1 && is_only {
                        self.within("missing block", Code::MissingBlock, block.span(), span);
                    }
                    if known.max == Some(1) && is_only {
                        let end = block.span().end();
                        let change =
                            Replacement::insertion(end, format!("\n{}", &self.text[block.span().start()..end]));
                        let place = Expected::At(end + 1);
                        self.found.push(Mutation { kind: "too many blocks", code: Code::TooManyBlocks, change, place });
                    }
                    for (label, written) in known.labels.iter().zip(block.labels()) {
                        inner = inner.with_case(&label.name, &written.text());
                    }
                    let by_labels = |key: &str| known.labels.iter().any(|label| label.name == key);
                    if inner.matches().all(|matched| by_labels(&matched.key)) {
                        self.body(block.body(), &inner, block.span());
                    }
                }
                _ => {}
            }
        }
    }

    fn labels(&mut self, block: BlockNode<'_>, known: &Block) {
        let labels: Vec<Span> = block.labels().map(|label| label.span()).collect();
        let token = block.type_token().span();
        if labels.len() == known.labels.len() && !known.labels.iter().any(|label| label.repeated) {
            let end = labels.last().copied().unwrap_or(token).end();
            let change = Replacement::insertion(end, " \"extra\"");
            let place = Expected::At(end + 1);
            self.found.push(Mutation { kind: "extra label", code: Code::BlockLabels, change, place });
        }
        if let Some((last, before)) = labels.split_last()
            && known.labels.get(before.len()).is_some_and(|label| !label.optional)
        {
            let start = before.last().copied().unwrap_or(token).end();
            let span = Span::new(start, last.end());
            self.within("missing label", Code::BlockLabels, span, block.span());
        }
    }

    /// A value that is surely not of a type.
    fn wrong_value(&self, ty: &Type) -> Option<&'static str> {
        match self.index.resolve(ty) {
            Type::String | Type::Format(_) => Some("[]"),
            Type::Bool => Some("\"maybe\""),
            Type::Number(_) | Type::Integer(_) => Some("\"many\""),
            Type::List(_) | Type::Set(_) | Type::Map(_) => Some("5"),
            _ => None,
        }
    }

    /// Returns a word that a type does not list.
    fn wrong_word(&self, ty: &Type) -> Option<String> {
        match self.index.resolve(ty) {
            Type::Keyword(words) => words.first().map(|word| format!("{word}x")),
            Type::OneOf(types) => {
                let mut words = types.iter().map(|ty| match ty {
                    Type::Literal(value) => value.as_str(),
                    _ => None,
                });
                let first = words.next()??;
                words.all(|word| word.is_some()).then(|| format!("\"{first}x\""))
            }
            _ => None,
        }
    }

    /// A reference to a definition of another kind, in the place of one or of the first in a list.
    fn bad_reference(&mut self, ty: &Type, expression: ExpressionNode<'_>, around: Span) {
        match (self.index.resolve(ty), expression.kind()) {
            (Type::Address(wanted) | Type::Reference(wanted), ExpressionKind::Traversal(_)) if !wanted.is_empty() => {
                let is_wanted =
                    |root: &str| self.roots.iter().any(|(known, kind)| known == root && wanted.contains(kind));
                let other = self.roots.iter().find(|(root, kind)| !wanted.contains(kind) && !is_wanted(root));
                if let Some((root, _)) = other {
                    self.at("bad reference", Code::WrongReference, expression.span(), format!("{root}.other"));
                } else if self.index.schema().name == "schema" {
                    // The addresses of parts have no first name: unknown names are reported when the schema is read.
                    let change = Replacement::new(expression.span(), "nothing_x");
                    let place = Expected::Within(around.start()..around.end());
                    self.found.push(Mutation { kind: "bad reference", code: Code::InvalidSchema, change, place });
                }
            }
            (Type::List(element) | Type::Set(element), ExpressionKind::Tuple(tuple)) => {
                if let Some(first) = tuple.elements().next() {
                    self.bad_reference(element, first, around);
                }
            }
            (all @ Type::OneOf(types), _) if all.is_static() => {
                types.iter().for_each(|ty| self.bad_reference(ty, expression, around));
            }
            _ => {}
        }
    }

    fn at(&mut self, kind: &'static str, code: Code, span: Span, text: String) {
        let place = Expected::At(span.start());
        self.found.push(Mutation { kind, code, change: Replacement::new(span, text), place });
    }

    /// Removes something from a block or file.
    fn within(&mut self, kind: &'static str, code: Code, span: Span, around: Span) {
        let place = Expected::Within(around.start()..around.end() - (span.end() - span.start()) + 1);
        self.found.push(Mutation { kind, code, change: Replacement::new(span, ""), place });
    }
}

/// A file of a language with a mistake.
pub struct Mutated {
    /// The file that was changed, by its position in the list.
    pub file: usize,
    pub kind: &'static str,
    pub text: String,
    /// The place of the change.
    pub at: usize,
    change: String,
    code: Code,
    place: Expected,
}

/// Files of a language without findings, each with one mistake: of all kinds of mistakes, in as many files as possible.
pub fn mutated(language: &str, files: &[(String, String)]) -> Vec<Mutated> {
    let schema = Schema::by_name(language).expect("a language");
    let checker = Checker::new(schema);
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
        let mut mutator = Mutator::new(checker.index(), text);
        mutator.body(file.body(), &layers, Span::new(0, text.len()));
        for mutation in mutator.found {
            let known = kinds.entry(mutation.kind).or_default();
            if known.last().is_none_or(|(last, _)| *last != number) {
                known.push((number, mutation));
            }
        }
    }
    let mut made = Vec::new();
    while made.len() < PER_LANGUAGE && kinds.values().any(|all| !all.is_empty()) {
        for all in kinds.values_mut() {
            if all.is_empty() || made.len() == PER_LANGUAGE {
                continue;
            }
            let (file, Mutation { kind, code, change, place }) = all.remove(all.len() / 2);
            let text = Replacement::apply(std::slice::from_ref(&change), &files[file].1).expect("a change");
            let (at, change) = (change.span().start(), change.text().to_owned());
            made.push(Mutated { file, kind, text, at, change, code, place });
        }
    }
    made
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_mistakes_are_reported_at_their_places() {
    let mut by_language: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for CorpusFile { path, name, language } in corpus() {
        if name.ends_with(".json") {
            continue;
        }
        if let Ok(text) = std::fs::read_to_string(&path) {
            by_language.entry(language).or_default().push((name, text));
        }
    }
    // So are spec files of the fixtures.
    let mut specs = Vec::new();
    files(&root().join("examples"), &mut specs);
    specs.sort();
    let specs = specs.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "hcldec"));
    let specs = specs.map(|path| (path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap_or_default()));
    for (name, bytes) in specs.chain(inputs(&["hcldec"])) {
        if let Ok(text) = String::from_utf8(bytes) {
            by_language.entry("hcldec").or_default().push((name, text));
        }
    }
    // The schemas that come with the library are files of a language, too.
    for language in hcl_lr_language::schema::LANGUAGES {
        let text = Schema::text_of(language).expect("a text").to_owned();
        by_language.entry("schema").or_default().push((format!("{language}.schema.hcl"), text));
    }
    let mut missed = String::new();
    let mut table = String::new();
    let mut tried: BTreeSet<&str> = BTreeSet::new();
    let mut with_references: BTreeSet<&str> = BTreeSet::new();
    for (language, files) in by_language {
        let schema = Schema::by_name(language).expect("a language");
        let checker = Checker::new(schema);
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let all = mutated(language, &files);
        assert_eq!(all.len(), PER_LANGUAGE, "{language} has too few files");
        for Mutated { file, kind, text, change, code, place, .. } in all {
            let name = files[file].0.as_str();
            let row = counts.entry(kind).or_default();
            row.0 += 1;
            tried.insert(kind);
            if kind == "bad reference" {
                with_references.insert(language);
            }
            let document = parse::<ConfigFile>((name, text.clone())).into_value();
            let mut found = checker.check(&document);
            if language == "schema" {
                found.append(parse::<Schema>((name, text)).into_parts().1);
            }
            let fits = |one: &hcl_lr::Diagnostic| {
                let start = one.span().start();
                one.code() == code
                    && match &place {
                        Expected::At(at) => start == *at,
                        Expected::Within(range) => range.contains(&start),
                    }
            };
            match found.iter().any(fits) {
                true => row.1 += 1,
                false => missed.push_str(&format!("{name}: {kind}, {change:?}: {}\n", found.short())),
            }
        }
        let cells: Vec<String> = counts.iter().map(|(kind, (all, found))| format!("{kind} {found}/{all}")).collect();
        table.push_str(&format!("{language:12} {PER_LANGUAGE:3}  {}\n", cells.join(", ")));
    }
    eprintln!("{table}");
    assert!(missed.is_empty(), "{missed}");
    assert_eq!(tried.into_iter().collect::<Vec<_>>(), KINDS, "a kind of mistakes was not tried");
    for language in ["opentofu", "schema", "terraform"] {
        assert!(with_references.contains(language), "{language} has references, and none was wrong");
    }
}
