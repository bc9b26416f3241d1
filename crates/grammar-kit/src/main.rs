//! A quick loop for changing a grammar: `ast` parses a source with the current grammars and shows its tree; the other
//! commands are those of `hcl grammar`. It builds much less than `hcl`, with the same output.

use std::io::{Read, Write};
use std::process::ExitCode;

use hcl_lr::syntax::ast::TreeDump;
use hcl_lr::{ParseOptions, Source};
use hcl_lr_grammar_kit::{Generator, Language, SIZE, Syntax, derive, ebnf, grammars};

const USAGE: &str = "\
Usage: hcl-lr-grammar-kit ast [--expression|--template] <FILE|->
       hcl-lr-grammar-kit ebnf
       hcl-lr-grammar-kit generate <PRODUCTION> [-n N] [--seed S] [--size N] [--invalid]
       hcl-lr-grammar-kit derive [--expression|--template|--json] <FILE|->

ast       Prints the tree of a source, and its errors.
ebnf      Prints the productions, in the notation of the specification.
generate  Prints random sentences of a production, each as a string of JSON in a line;
          with --invalid, near misses, which the parser rejects.
derive    Prints the derivation of a source by the productions, or where it ends and
          what could have followed.

Exit status: 0: all is well, 1: the source has errors or no derivation, 2: it cannot be done.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ast", form, name] => native(form).and_then(|syntax| show(syntax, read(name)?)),
        ["ast", name] if !name.starts_with("--") => read(name).and_then(|source| show(Syntax::Config, source)),
        ["ebnf"] => grammars().and_then(|grammars| print(&ebnf(&grammars))),
        ["generate", production, options @ ..] => generate(production, options),
        ["derive", "--json", name] => read(name).and_then(|source| derived(&source, Language::Json)),
        ["derive", form, name] => native(form).and_then(|syntax| derived(&read(name)?, syntax.into())),
        ["derive", name] if !name.starts_with("--") => {
            read(name).and_then(|source| derived(&source, Syntax::Config.into()))
        }
        _ => Err(USAGE.to_owned()),
    };
    done.unwrap_or_else(|why| {
        eprintln!("{}", why.trim_end());
        ExitCode::from(2)
    })
}

fn native(form: &str) -> Result<Syntax, String> {
    match form {
        "--expression" => Ok(Syntax::Expression),
        "--template" => Ok(Syntax::Template),
        _ => Err(USAGE.to_owned()),
    }
}

fn read(name: &str) -> Result<Source, String> {
    if name != "-" {
        return Source::read(name).into_result().map_err(|why| why.render().to_string());
    }
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).map_err(|why| format!("error: {why}"))?;
    Ok(Source::from_bytes("<stdin>", text))
}

/// Writes to standard output. A reader that has gone needs no more.
fn print(text: &str) -> Result<ExitCode, String> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("error: {why}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn show(syntax: Syntax, source: Source) -> Result<ExitCode, String> {
    let outcome = syntax.parse(source, &ParseOptions::new());
    print(&TreeDump::of_file(outcome.value()).to_string())?;
    eprint!("{}", outcome.diagnostics().render());
    Ok(ExitCode::from(u8::from(outcome.diagnostics().has_errors())))
}

fn generate(production: &str, options: &[&str]) -> Result<ExitCode, String> {
    let (mut number, mut seed, mut size, mut is_invalid) = (10_u64, 1, SIZE as u64, false);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let target = match *option {
            "--invalid" => {
                is_invalid = true;
                continue;
            }
            "-n" => &mut number,
            "--seed" => &mut seed,
            "--size" => &mut size,
            _ => return Err(USAGE.to_owned()),
        };
        let value = options.next().ok_or_else(|| USAGE.to_owned())?;
        *target = value.parse().map_err(|_| format!("error: `{value}` for {option} is not a number"))?;
    }
    let mut generator = Generator::new(&grammars()?, seed).with_size(size as usize);
    let start = generator.start(production).ok_or_else(|| format!("error: there is no production `{production}`"))?;
    for _ in 0..number {
        let sentence = match is_invalid {
            true => generator.near_miss(&start).map_err(|why| format!("error: {why}"))?,
            false => generator.sentence(&start),
        };
        // Some productions have few sentences.
        let Some(sentence) = sentence else { break };
        print(&format!("{}\n", serde_json::Value::from(sentence)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn derived(source: &Source, language: Language) -> Result<ExitCode, String> {
    let derivation = derive(&grammars()?, source, language).map_err(|why| format!("error: {why}"))?;
    print(&derivation.text)?;
    let Some(stop) = derivation.error else { return Ok(ExitCode::SUCCESS) };
    let place = format!("{}:{}:{}", source.name(), stop.line, stop.column);
    eprintln!("error: {place}: {} cannot follow here\nexpected one of {}", stop.found, stop.expected.join(", "));
    Ok(ExitCode::from(1))
}
