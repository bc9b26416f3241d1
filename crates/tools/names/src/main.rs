//! `hcl-names` prints how the names of shipped languages differ from those of their programs: a row for each table, or the differences
//! of the named ones (`hcl-names nomad.job`). The folder with the tables is `crates/tools/names/tables`, or what `--tables` says.
//! `hcl-names files HCL FOLDER …` checks the files of folders with the program `hcl`, and counts files and errors by language;
//! with `--errors`, it prints the errors, too.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use names::{Checked, Kind, Table, check};

fn main() -> ExitCode {
    let mut folder = PathBuf::from("crates/tools/names/tables");
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if(|first| first == "files").is_some() {
        return real_files(arguments);
    }
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--tables" => folder = arguments.next().unwrap_or_default().into(),
            _ => wanted.push(argument),
        }
    }
    let tables = match Table::all(&folder) {
        Ok(tables) => tables,
        Err(message) => {
            eprintln!("hcl-names: {message}");
            return ExitCode::from(2);
        }
    };
    if let Some(name) = wanted.iter().find(|name| !tables.iter().any(|table| table.name == **name)) {
        eprintln!("hcl-names: no table `{name}` in {}", folder.display());
        return ExitCode::from(2);
    }
    if wanted.is_empty() {
        println!(
            "| files | programs | names | both | open here | only the program | only the schema | other form, type, need, version | without a reason |"
        );
        println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        tables.iter().for_each(row);
    }
    tables.iter().filter(|table| wanted.contains(&table.name)).for_each(list);
    ExitCode::SUCCESS
}

/// Prints the numbers of files and errors of each language in folders.
fn real_files(arguments: impl Iterator<Item = String>) -> ExitCode {
    let (options, paths): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument == "--errors");
    let Some((hcl, folders)) = paths.split_first().filter(|(_, folders)| !folders.is_empty()) else {
        eprintln!("hcl-names: usage: hcl-names files [--errors] HCL FOLDER …");
        return ExitCode::from(2);
    };
    let mut all: BTreeMap<String, Checked> = BTreeMap::new();
    for folder in folders {
        // The program runs in the folder.
        let hcl = Path::new(hcl).canonicalize().unwrap_or_else(|_| hcl.into());
        match check(&hcl, Path::new(folder)) {
            Ok(found) => found.into_iter().for_each(|(language, checked)| {
                let known = all.entry(language).or_default();
                known.files += checked.files;
                known.wrong += checked.wrong;
                known.errors.extend(checked.errors.into_iter().map(|error| format!("{folder}/{error}")));
            }),
            Err(message) => {
                eprintln!("hcl-names: {message}");
                return ExitCode::from(2);
            }
        }
    }
    println!("| language | files | with errors | errors |\n| --- | ---: | ---: | ---: |");
    for (language, Checked { files, wrong, errors }) in &all {
        println!("| {language} | {files} | {wrong} | {} |", errors.len());
    }
    if !options.is_empty() {
        all.iter().for_each(|(language, checked)| checked.errors.iter().for_each(|one| println!("{language}: {one}")));
    }
    ExitCode::SUCCESS
}

/// Prints the numbers of one table.
fn row(table: &Table) {
    let Table { name, program, comparison, reasons } = table;
    let count = |kinds: &[Kind]| comparison.differences.iter().filter(|one| kinds.contains(&one.kind)).count();
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
        program.source,
        program.all.len(),
        comparison.both,
        comparison.open,
        count(&[Kind::OnlyProgram]),
        count(&[Kind::OnlySchema]),
        count(&[Kind::Form, Kind::Type, Kind::Required, Kind::Version]),
        comparison.differences.iter().filter(|difference| reasons.of(difference).is_none()).count()
    );
}

/// Prints the differences of one table, those without a reason first.
fn list(table: &Table) {
    let (explained, open): (Vec<_>, Vec<_>) =
        table.comparison.differences.iter().partition(|difference| table.reasons.of(difference).is_some());
    for difference in open.iter().chain(&explained) {
        let reason = table.reasons.of(difference).map(|reason| format!(" ({reason})")).unwrap_or_default();
        println!("{}: {}: {}{reason}", difference.kind.text(), difference.path, difference.detail);
    }
}
