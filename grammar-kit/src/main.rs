//! The loop of those who change a grammar: `ast` parses a source with the grammars as they are, and shows its tree. It
//! builds much less than `hcl ast`, which has the same output.

use std::io::Read;
use std::process::ExitCode;

use hcl_lr::syntax::ast::TreeDump;
use hcl_lr::{ParseOptions, Source};
use hcl_lr_grammar_kit::Syntax;

const USAGE: &str = "\
Usage: hcl-lr-grammar-kit ast [--expression|--template] <FILE|->

Prints the tree of a source, and what is wrong with it.
Exit status: 0: all is well, 1: the source has errors, 2: it cannot be read.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (syntax, name) = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ast", "--expression", name] => (Syntax::Expression, name.to_owned()),
        ["ast", "--template", name] => (Syntax::Template, name.to_owned()),
        ["ast", name] if !name.starts_with("--") => (Syntax::Config, name.to_owned()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match read(name) {
        Ok(source) => show(syntax, source),
        Err(why) => {
            eprint!("{why}");
            ExitCode::from(2)
        }
    }
}

fn read(name: &str) -> Result<Source, String> {
    if name != "-" {
        return Source::read(name).into_result().map_err(|why| why.render().to_string());
    }
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).map_err(|why| format!("error: {why}\n"))?;
    Ok(Source::from_bytes("<stdin>", text))
}

fn show(syntax: Syntax, source: Source) -> ExitCode {
    let outcome = syntax.parse(source, &ParseOptions::new());
    let file = outcome.value();
    print!("{}", TreeDump::of_file(file));
    eprint!("{}", outcome.diagnostics().render());
    ExitCode::from(u8::from(outcome.diagnostics().has_errors()))
}
