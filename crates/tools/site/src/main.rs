//! Makes the static site of the project from its Markdown: `cargo run -p site [-- FOLDER]`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use site::Site;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("a workspace");
    let mut arguments = env::args_os().skip(1);
    let folder = arguments.next().map_or_else(|| root.join("target/site"), PathBuf::from);
    if arguments.next().is_some() || folder.to_string_lossy().starts_with('-') {
        eprintln!("usage: site [FOLDER]\n\nMakes the site in FOLDER, or in target/site.");
        return ExitCode::from(2);
    }
    let site = match Site::read(root) {
        Ok(site) => site,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::from(2);
        }
    };
    let problems = site.problems();
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    if let Err(why) = write(&site, &folder) {
        eprintln!("error: cannot write to {}: {why}", folder.display());
        return ExitCode::from(2);
    }
    println!("{site} in {}", folder.display());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes all files of the site. What else is in the folder stays.
fn write(site: &Site, folder: &Path) -> io::Result<()> {
    for (path, text) in site.files() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}
