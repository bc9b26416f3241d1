//! `hcl grammar`: inspects the grammars.

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use serde_json::Value;

use super::args;
use super::context::Context;
use super::error::Error;
use super::input::{self, Document, Origin};
use super::language::FileLanguages;
use super::run::Run;
use super::status::Status;
use super::terminal::{self, count, print};
use hcl_lr::Expression;
use hcl_lr::source::Source;
use hcl_lr::syntax::similar_name;
use hcl_lr_grammar_kit::{self as kit, Coverage, Generator, Grammar, Language, Syntax};

const EXAMPLES: &str = "\
Examples:
  hcl grammar --ebnf
  hcl grammar --railroad > grammar.html
  hcl grammar --coverage main.tf modules
  hcl grammar --generate Conditional -n 5 --seed 3
  hcl grammar --generate Body -n 100 --json | head -n 1
  hcl grammar --generate Expression -n 20 --size 8 --invalid
  hcl grammar --derive main.tf
  hcl grammar --precedence

Exit status: 0: all is well, 1: a file that is counted has errors, or a source has no derivation, 2: it cannot
be done.";

/// Flags that conflict with `--generate`; clap cannot express this as `requires`, because they exclude each other.
const OTHERS: [&str; 5] = ["ebnf", "railroad", "coverage", "precedence", "derive"];

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").required(true)))]
pub struct Args {
    /// Print the productions, in the notation of the specification
    #[arg(long, group = "what")]
    ebnf: bool,

    /// Print a page in HTML with a diagram of each production, its statements and examples
    #[arg(long, group = "what")]
    railroad: bool,

    /// Count which alternatives of which rules files and folders use; `-` is standard input
    ///
    /// Where a file has errors, the pieces that could not be understood are not looked into.
    #[arg(long, group = "what", value_name = "PATH|-", num_args = 1..)]
    coverage: Vec<PathBuf>,

    /// Print random sentences of a production, such as `Expression` or `tuple`; none comes twice
    ///
    /// Each is printed in lines of its own, with an empty line between them if one of them has several.
    #[arg(long, group = "what", value_name = "PRODUCTION")]
    generate: Option<String>,

    /// Print the derivation of a file by the productions, or where it ends and what could have followed
    #[arg(long, group = "what", value_name = "FILE|-")]
    derive: Option<PathBuf>,

    /// Print how tightly the operators bind, with examples
    #[arg(long, group = "what")]
    precedence: bool,

    /// The number of sentences
    #[arg(short = 'n', long = "number", value_name = "N", conflicts_with_all = OTHERS, default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    number: u32,

    /// Which sentences: the same number gives the same ones
    #[arg(long, value_name = "S", conflicts_with_all = OTHERS, default_value_t = 1)]
    seed: u64,

    /// About how many tokens a sentence has at most
    #[arg(long, value_name = "N", conflicts_with_all = OTHERS, default_value_t = kit::SIZE as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    size: u32,

    /// Print near misses: sentences with one mistake, which the parser rejects
    #[arg(long, conflicts_with_all = OTHERS)]
    invalid: bool,

    /// Print JSON: a line for each alternative, or a string for each sentence
    #[arg(long, conflicts_with_all = ["ebnf", "railroad", "precedence", "derive"])]
    json: bool,

    /// Where the chapters of the specification are, for links to `URL/NN-name.html#statement`
    #[arg(long, value_name = "URL", conflicts_with_all = ["ebnf", "coverage", "generate", "precedence", "derive"])]
    base_url: Option<String>,

    #[command(flatten)]
    whole: args::Whole,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    quiet: args::Quiet,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let grammars = kit::grammars()?;
        let text = if self.ebnf {
            kit::ebnf(&grammars)
        } else if self.railroad {
            kit::page(&grammars, self.base_url.as_deref())?
        } else if self.precedence {
            kit::precedence()
        } else if let Some(rule) = &self.generate {
            return generated(&grammars, rule, self);
        } else if let Some(path) = &self.derive {
            return derived(context, &grammars, path, self);
        } else {
            return covered(context, &grammars, self);
        };
        print(&text).map(|_| Status::Fine)
    }
}

/// Prints the usage of alternatives in files.
fn covered(context: &Context, grammars: &[Grammar], args: &Args) -> Result<Status, Error> {
    let mut run = Run::new(context, (&args.coverage, &FileLanguages::by_name(context)), &args.folders, "read")?;
    run.notes();
    let syntax = |origin: &Origin| args.whole.syntax().unwrap_or_else(|| origin.syntax());
    let mut wrong = 0;
    let mut coverage = Coverage::new();
    let counted = run.each(
        "read",
        |origin| Document::read(context, origin, syntax(origin), &context.parse_options()),
        |read, progress| {
            match read {
                Ok((document, diagnostics)) => {
                    count_document(&document, &mut coverage);
                    wrong += usize::from(diagnostics.has_errors());
                }
                Err(error) => drop(progress.aside(|| terminal::report(&error))),
            }
            Ok(())
        },
    );
    counted?;
    let used = kit::used(grammars, &coverage);
    print(&if args.json { kit::lines(&used) } else { kit::table(&used) })?;
    if !args.json {
        let (all, any) = used
            .iter()
            .filter(|used| !used.bad)
            .fold((0, 0), |(all, any), used| (all + 1, any + usize::from(used.count > 0)));
        let files = count(run.files, "file");
        terminal::note(&format!("{any} of {all} alternatives are used by {files}"));
    }
    if wrong > 0 {
        terminal::note(&format!("{} with errors, which `hcl check` shows", count(wrong, "file")));
    }
    let status = if wrong > 0 { Status::Errors } else { Status::Fine };
    Ok(run.status().max(status))
}

/// Counts the alternatives that a document uses. In JSON, these are those of the templates in its strings.
fn count_document(document: &Document, coverage: &mut Coverage) {
    match document {
        Document::Config(file) => coverage.add(file, Syntax::Config),
        Document::Expression(file) => coverage.add(file, Syntax::Expression),
        Document::Template(file) => coverage.add(file, Syntax::Template),
        Document::Json(document) => {
            for template in Expression::from((document, document.root())).templates() {
                coverage.add(&template, Syntax::Template);
            }
        }
    }
}

/// Prints the derivation of a file.
fn derived(context: &Context, grammars: &[Grammar], path: &Path, args: &Args) -> Result<Status, Error> {
    let origin = Origin::of_argument(path);
    let language = match args.whole.syntax().unwrap_or_else(|| origin.syntax()) {
        input::Syntax::Config => Language::Native(Syntax::Config),
        input::Syntax::Expression => Language::Native(Syntax::Expression),
        input::Syntax::Template => Language::Native(Syntax::Template),
        input::Syntax::Json => Language::Json,
    };
    let source = Source::from_bytes(&origin.name(), origin.bytes(context)?);
    let derivation = kit::derive(grammars, &source, language)?;
    print(&derivation.text)?;
    let Some(stop) = derivation.error else {
        if let Language::Native(syntax) = language {
            print(&kit::chains(&source, syntax))?;
        }
        return Ok(Status::Fine);
    };
    let place = format!("{}:{}:{}", origin.name(), stop.line, stop.column);
    Err(Error::from(format!(
        "{place}: {} cannot follow here\nexpected one of {}",
        stop.found,
        stop.expected.join(", ")
    ))
    .with_status(Status::Errors))
}

/// The number of sentences to generate before printing.
const BATCH: u32 = 1_000;

/// Prints random sentences.
fn generated(grammars: &[Grammar], rule: &str, args: &Args) -> Result<Status, Error> {
    let mut generator = Generator::new(grammars, args.seed).with_size(args.size as usize);
    let Some(start) = generator.start(rule) else {
        let names = kit::names(grammars);
        let tip = match similar_name(rule, names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        return Err(format!("there is no production `{rule}`\n\n  tip: {tip}").into());
    };
    let (mut left, mut apart, mut first) = (args.number, false, true);
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let mut sentences = Vec::new();
        for _ in 0..batch {
            let sentence = if args.invalid { generator.near_miss(&start)? } else { generator.sentence(&start) };
            sentences.extend(sentence);
        }
        // Some productions have few sentences.
        if sentences.len() < batch as usize {
            terminal::note(&format!("`{rule}` has no other sentences of this size"));
            left = 0;
        }
        let mut text = String::new();
        for sentence in &sentences {
            if args.json {
                text += &format!("{}\n", Value::from(sentence.as_str()));
                continue;
            }
            let sentence = sentence.trim_end_matches('\n');
            let several = sentence.contains('\n');
            if (apart || several) && !first {
                text.push('\n');
            }
            // Separate the next item after several lines, too.
            apart = several;
            first = false;
            text += sentence;
            text.push('\n');
        }
        if print(&text)? == terminal::Reader::Gone {
            break;
        }
    }
    Ok(Status::Fine)
}
