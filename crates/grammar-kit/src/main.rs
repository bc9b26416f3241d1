//! A quick loop for changing a grammar: trees, derivations and values of examples with the current grammars, and the
//! commands of `hcl grammar`. It builds much less than `hcl`, with the same output.

mod watch;

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use hcl_lr::syntax::ast::TreeDump;
use hcl_lr::{ParseOptions, Source};
use hcl_lr_grammar_check::{compared, differences_in, explained, grammars_in};
use hcl_lr_grammar_kit::{
    Generator, Language, SIZE, Session, Syntax, chains, derive, ebnf, grammars, regions, shown, unread_operators,
};

const USAGE: &str = "\
Usage: hcl-lr-grammar-kit ast [--expression|--template] <FILE|->
       hcl-lr-grammar-kit ebnf
       hcl-lr-grammar-kit generate <PRODUCTION> [-n N] [--seed S] [--size N] [--invalid]
       hcl-lr-grammar-kit derive [--expression|--template|--json] <FILE|->
       hcl-lr-grammar-kit eval <LINE>
       hcl-lr-grammar-kit console
       hcl-lr-grammar-kit show <FILE|->
       hcl-lr-grammar-kit watch <FILE>
       hcl-lr-grammar-kit check [FOLDER]
       hcl-lr-grammar-kit diff <OLD> <NEW> [FILE]…

ast       Prints the tree of a source, and its errors.
ebnf      Prints the productions, in the notation of the specification.
generate  Prints random sentences of a production, each as a string of JSON in a line;
          with --invalid, near misses, which the parser rejects.
derive    Prints the derivation of a source by the productions, or where it ends and
          what could have followed. Operators are flat in the productions, so each chain is
          also printed with the parentheses of their levels.
eval      Prints the value of an expression, an attribute or a template. There are no functions.
console   Evaluates the lines of standard input; an attribute defines a variable.
show      Prints tree, derivation and value of examples, each in a line of a file.
watch     Does the same after each save of the grammars or the file, and prints the changes.
check     Explains the conflicts of the grammars in a folder, `grammar` by default, and lists
          operators of the table that are not read as it says.
diff      Compares the grammars of two folders: sentences that only the old one (`-`) or
          the new one (`+`) accepts, and those with other trees (`~`). With files in native
          syntax, lists those of them that change, each with its first region that does.

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
        ["eval", line] => Ok(evaluated(&mut Session::new(), line)),
        ["console"] => console(),
        ["show", name] => read(name)
            .and_then(|source| print(&shown(&grammars()?, source.text()).map_err(|why| format!("error: {why}"))?)),
        ["watch", name] => watched(name),
        ["check"] => check("grammar"),
        ["check", folder] => check(folder),
        ["diff", old, new, files @ ..] if !files.is_empty() => {
            listed(changed_files(Path::new(old), Path::new(new), files), "differences in these files")
        }
        ["diff", old, new] => listed(compared(Path::new(old), Path::new(new), MAX_DIFFERENCES), "differences"),
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

/// The most differences of each grammar.
const MAX_DIFFERENCES: usize = 20;

/// Prints the value of a line, or its errors.
fn evaluated(session: &mut Session, line: &str) -> ExitCode {
    match session.evaluate(line) {
        Ok(value) => {
            println!("{value}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprint!("{why}");
            ExitCode::from(1)
        }
    }
}

fn console() -> Result<ExitCode, String> {
    let mut session = Session::new();
    let mut status = ExitCode::SUCCESS;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|why| format!("error: {why}"))?;
        if !line.trim().is_empty() && evaluated(&mut session, line.trim()) != ExitCode::SUCCESS {
            status = ExitCode::from(1);
        }
    }
    Ok(status)
}

fn watched(name: &str) -> Result<ExitCode, String> {
    let project = std::env::current_dir().map_err(|why| format!("error: {why}"))?;
    watch::watch(&project, Path::new(name)).map(|()| ExitCode::SUCCESS)
}

fn check(folder: &str) -> Result<ExitCode, String> {
    listed(explained(Path::new(folder)).map(|text| text + &unread_operators()), "conflicts")
}

/// The files that change between the grammars of two folders, each with its first difference.
fn changed_files(old: &Path, new: &Path, files: &[&str]) -> Result<String, String> {
    let (old, new) = (grammars_in(old)?, grammars_in(new)?);
    let mut text = String::new();
    for name in files {
        let source = Source::read(name).into_result().map_err(|why| why.render().to_string())?;
        let outcome = Syntax::Config.parse(source, &ParseOptions::new());
        let all = regions(outcome.value(), Syntax::Config);
        for (old, new) in old.iter().zip(&new) {
            let own = all.iter().filter(|(grammar, _)| *grammar == old.name);
            let sentences: Vec<Vec<String>> = own.map(|(_, terminals)| terminals.clone()).collect();
            if let Some((_, difference)) = differences_in(old, new, &sentences)?.into_iter().next() {
                text += &format!("{name}: {}.lalrpop\n{}", old.name, difference.shown());
            }
        }
    }
    Ok(text)
}

/// Prints results, of which none is success.
fn listed(found: Result<String, String>, kind: &str) -> Result<ExitCode, String> {
    let text = found.map_err(|why| format!("error: {why}"))?;
    print(&if text.is_empty() { format!("there are no {kind}\n") } else { text.clone() })?;
    Ok(ExitCode::from(u8::from(!text.is_empty())))
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
    if let (Language::Native(syntax), None) = (language, &derivation.error) {
        print(&chains(source, syntax))?;
    }
    let Some(stop) = derivation.error else { return Ok(ExitCode::SUCCESS) };
    let place = format!("{}:{}:{}", source.name(), stop.line, stop.column);
    eprintln!("error: {place}: {} cannot follow here\nexpected one of {}", stop.found, stop.expected.join(", "));
    Ok(ExitCode::from(1))
}
