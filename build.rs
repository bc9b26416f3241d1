//! Puts the parsers into cargo's output folder: with the feature `grammar` those that LALRPOP makes
//! from `grammar/`, without it those that the published package carries in `parsers/`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const GRAMMARS: [&str; 3] = ["body", "expression", "template"];

/// Beside the parsers: which text of a grammar each was made from, and whether it is complete.
const CHECKSUMS: &str = "checksums";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    #[cfg(feature = "grammar")]
    compile(&out)?;
    #[cfg(not(feature = "grammar"))]
    copy(&out)?;
    Ok(())
}

#[cfg(feature = "grammar")]
fn compile(out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=grammar");
    #[cfg(feature = "explain-conflicts")]
    {
        let conflicts = hcl_lr_grammar_check::explained(Path::new("grammar"))?;
        if !conflicts.is_empty() {
            eprint!("{conflicts}");
            std::process::exit(1);
        }
    }
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(out)
        .emit_rerun_directives(true)
        .emit_whitespace(false)
        .process()?;
    // `.ci/package` takes the parsers and this from here.
    fs::write(out.join(CHECKSUMS), checksums(out)?)?;
    Ok(())
}

#[cfg(not(feature = "grammar"))]
fn copy(out: &Path) -> Result<(), Box<dyn Error>> {
    let parsers = Path::new("parsers");
    println!("cargo::rerun-if-changed=parsers");
    println!("cargo::rerun-if-changed=grammar");
    let given = match fs::read_to_string(parsers.join(CHECKSUMS)) {
        Ok(given) => given,
        Err(_) => {
            println!(
                "cargo::error=only the published package carries the parsers that a build without the feature \
                 `grammar` needs: build with this feature (it is a default one), or make them with `.ci/package`"
            );
            return Ok(());
        }
    };
    if checksums(parsers)? != given {
        println!(
            "cargo::error=the parsers in the folder `parsers` do not belong to the grammars in `grammar`: build \
             with the feature `grammar`, or make them anew with `.ci/package`"
        );
        return Ok(());
    }
    for entry in fs::read_dir(parsers)? {
        let file = entry?;
        fs::copy(file.path(), out.join(file.file_name()))?;
    }
    Ok(())
}

/// A line for each grammar: its name, and the checksums of its text and of its parser.
fn checksums(parsers: &Path) -> Result<String, Box<dyn Error>> {
    let mut lines = String::new();
    for name in GRAMMARS {
        let grammar = checksum(&Path::new("grammar").join(format!("{name}.lalrpop")))?;
        let parser = checksum(&parsers.join(format!("{name}.rs")))?;
        lines += &format!("{name} {grammar:016x} {parser:016x}\n");
    }
    Ok(lines)
}

/// FNV-1a of a file, which is short and finds what was changed or forgotten by mistake. Line ends do
/// not count: version control may change them.
fn checksum(file: &Path) -> Result<u64, Box<dyn Error>> {
    let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let bytes = text.iter().filter(|byte| **byte != b'\r');
    Ok(bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)))
}
