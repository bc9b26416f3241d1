//! `hcl grammar`: for those who look into the grammars, or change them.

use std::path::PathBuf;

use clap::ArgGroup;
use serde_json::Value;

use super::find::Search;
use super::input::{Document, Origin};
use super::terminal::{self, count, print};
use super::{Status, args, outcome};
use hcl_lr::diagnostic::Severity;
use hcl_lr::syntax::similar_name;
use hcl_lr::{Expression, ParseOptions};
use hcl_lr_grammar_kit::{self as kit, Coverage, Generator, Grammar, Syntax};

pub const EXAMPLES: &str = "\
Examples:
  hcl grammar --ebnf
  hcl grammar --railroad > grammar.html
  hcl grammar --coverage main.tf modules
  hcl grammar --generate Conditional -n 5 --seed 3
  hcl grammar --generate Body -n 100 --json | head -n 1
  hcl grammar --precedence

Exit status: 0: all is well, 1: a file that is counted has errors, 2: it cannot be done.";

/// Flags that conflict with `--generate`; clap cannot express this as `requires`, because they exclude each other.
const OTHERS: [&str; 4] = ["ebnf", "railroad", "coverage", "precedence"];

/// Show the grammar, what files use of it, and random sentences of it
#[derive(clap::Args)]
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

    /// Print random sentences of a rule or a production, such as `Expression` or `tuple`
    ///
    /// Each is printed in lines of its own, with an empty line between them if one of them has several.
    #[arg(long, group = "what", value_name = "RULE")]
    generate: Option<String>,

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

    /// Print JSON: a line for each alternative, or a string for each sentence
    #[arg(long, conflicts_with_all = ["ebnf", "railroad", "precedence"])]
    json: bool,

    /// Where the chapters of the specification are, for links to `URL/NN-name.html#statement`
    #[arg(long, value_name = "URL", conflicts_with_all = ["ebnf", "coverage", "generate", "precedence"])]
    base_url: Option<String>,

    #[command(flatten)]
    whole: args::Whole,
}

pub fn run(args: &Args) -> Status {
    outcome(answer(args))
}

fn answer(args: &Args) -> Result<Status, String> {
    let grammars = kit::grammars()?;
    let text = if args.ebnf {
        kit::ebnf(&grammars)
    } else if args.railroad {
        kit::page(&grammars, args.base_url.as_deref())?
    } else if args.precedence {
        kit::precedence()
    } else if let Some(rule) = &args.generate {
        return generated(&grammars, rule, args);
    } else {
        return covered(&grammars, args);
    };
    print(&text).map(|_| Status::Fine)
}

/// Prints what files use.
fn covered(grammars: &[Grammar], args: &Args) -> Result<Status, String> {
    let found = Search::default().run(&args.coverage, |_| ());
    found.failures.iter().for_each(|why| terminal::failure(why));
    found.note_links();
    for folder in &found.empty {
        terminal::note(&format!("there are no HCL files in `{folder}`"));
    }
    let syntax = |origin: &Origin| args.whole.syntax().unwrap_or_else(|| origin.syntax());
    let (mut failures, mut wrong) = (found.failures.len(), 0);
    let mut coverage = Coverage::new();
    for origin in &found.origins {
        match Document::read(origin, syntax(origin), &ParseOptions::new()) {
            Ok((document, diagnostics)) => {
                count_document(&document, &mut coverage);
                wrong += usize::from(diagnostics.iter().any(|found| found.severity() == Severity::Error));
            }
            Err(why) => {
                terminal::failure(&why);
                failures += 1;
            }
        }
    }
    let used = kit::used(grammars, &coverage);
    print(&if args.json { kit::lines(&used) } else { kit::table(&used) })?;
    if !args.json {
        let (all, any) = used
            .iter()
            .filter(|used| !used.bad)
            .fold((0, 0), |(all, any), used| (all + 1, any + usize::from(used.count > 0)));
        let files = count(found.origins.len(), "file");
        terminal::note(&format!("{any} of {all} alternatives are used by {files}"));
    }
    if wrong > 0 {
        terminal::note(&format!("{} with errors, which `hcl check` shows", count(wrong, "file")));
    }
    Ok(match (failures, wrong) {
        (0, 0) => Status::Fine,
        (0, _) => Status::Errors,
        _ => Status::Failure,
    })
}

/// Counts the alternatives that a document uses: of one in JSON, those of the templates in its strings.
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

/// The number of sentences generated before they are printed.
const BATCH: u32 = 1_000;

/// Prints random sentences.
fn generated(grammars: &[Grammar], rule: &str, args: &Args) -> Result<Status, String> {
    let mut generator = Generator::new(grammars, args.seed);
    let Some(start) = generator.start(rule) else {
        let names = kit::names(grammars);
        let tip = match similar_name(rule, names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        return Err(format!("there is no rule `{rule}`\n\n  tip: {tip}"));
    };
    let (mut left, mut apart, mut first) = (args.number, false, true);
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let sentences: Vec<String> = (0..batch).map(|_| generator.sentence(&start)).collect();
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
