//! Writes the sources of the site, and is a preprocessor of mdBook:
//!
//! - `book write FOLDER [--playground FOLDER]` writes the sources, and checks all links.
//! - `book supports RENDERER`, and `book` alone with a book on standard input, are the calls of mdBook.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use book::{Book, blocks};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => answer(preprocess()),
        ["supports", renderer] => ExitCode::from(u8::from(renderer != "html")),
        ["write", folder] => answer(write(Path::new(folder), None)),
        ["write", folder, "--playground", playground] => answer(write(Path::new(folder), Some(Path::new(playground)))),
        _ => {
            eprintln!("usage: book write FOLDER [--playground FOLDER]");
            ExitCode::from(2)
        }
    }
}

fn answer(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Colours the blocks of the book on standard input.
fn preprocess() -> Result<(), String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|why| why.to_string())?;
    let book = blocks::preprocess(&text)?;
    io::stdout().write_all(book.as_bytes()).map_err(|why| why.to_string())
}

/// Writes the sources to a folder, which is made anew.
fn write(folder: &Path, playground: Option<&Path>) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("a workspace");
    let book = Book::read(root, playground.is_some())?;
    if !book.problems.is_empty() {
        return Err(book.problems.join("\nerror: "));
    }
    let failed = |path: &Path, why: io::Error| format!("cannot write {}: {why}", path.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|why| failed(folder, why))?;
    }
    for (path, text) in &book.files {
        write_file(&folder.join(path), text.as_bytes())?;
    }
    if let Some(from) = playground {
        copy(from, &folder.join("src/playground"))?;
    }
    println!("{} pages in {}", book.pages, folder.display());
    Ok(())
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|why| format!("cannot write {}: {why}", path.display()))
}

/// Copies the files of a folder without folders in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |why: io::Error| format!("cannot read {}: {why}", from.display());
    let entries: Vec<PathBuf> =
        fs::read_dir(from).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect()).map_err(failed)?;
    for path in entries.iter().filter(|path| path.is_file()) {
        let bytes = fs::read(path).map_err(failed)?;
        write_file(&to.join(path.file_name().unwrap_or_default()), &bytes)?;
    }
    Ok(())
}
