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

/// The grammars as LALRPOP compiles them a second time for `hcl grammar --coverage`: in each, the action of each
/// alternative counts.
#[cfg(all(feature = "grammar", feature = "count-reductions"))]
mod counting {
    use super::{Error, GRAMMARS, Path, fs};

    /// Writes the parsers that count, and the list of the alternatives that they count.
    pub fn compile(out: &Path) -> Result<(), Box<dyn Error>> {
        let folder = out.join("counting");
        fs::create_dir_all(&folder)?;
        let mut alternatives = Vec::new();
        for name in GRAMMARS {
            let grammar = fs::read_to_string(format!("grammar/{name}.lalrpop"))?;
            let counting = grammar_that_counts(name, &grammar, &mut alternatives);
            fs::write(folder.join(format!("counting_{name}.lalrpop")), counting)?;
        }
        lalrpop::Configuration::new().set_in_dir(folder).set_out_dir(out).emit_whitespace(false).process()?;
        fs::write(out.join("alternatives.rs"), format!("&{alternatives:?}"))?;
        Ok(())
    }

    /// A grammar whose actions say which alternative is reduced, by its number in the list. The text is read no
    /// further than to where its rules and alternatives begin and end.
    fn grammar_that_counts(name: &str, grammar: &str, alternatives: &mut Vec<(String, String)>) -> String {
        let mut counting = String::new();
        let mut at = 0;
        while at < grammar.len() {
            let start = next(grammar, at);
            let word = grammar[start..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            let end = match word {
                "use" | "grammar" => find(grammar, start, &[";"], false) + 1,
                "extern" | "match" => after(grammar, find(grammar, start, &["{"], false), false),
                "" => after(grammar, start, false),
                _ => {
                    let head = find(grammar, start, &["="], true) + 1;
                    let open = next(grammar, head);
                    let braces = grammar[open..].starts_with('{');
                    let (mut from, last) = if braces { (open + 1, "}") } else { (head, ";") };
                    counting += &grammar[at..from];
                    let rule = grammar[start..head].trim_start_matches("pub ");
                    let rule = rule.split([':', '<', '=']).next().unwrap_or_default().trim();
                    loop {
                        let symbols_end = find(grammar, from, &["=>", ",", last], true);
                        let end = find(grammar, symbols_end, &[",", last], false);
                        counting += &alternative(name, rule, &grammar[from..end], alternatives);
                        from = end + 1;
                        counting += grammar.get(end..from).unwrap_or_default();
                        if !grammar[end..].starts_with(',') {
                            break;
                        }
                    }
                    at = from;
                    continue;
                }
            };
            counting += &grammar[at..end.min(grammar.len())];
            at = end;
        }
        counting
    }

    fn alternative(name: &str, rule: &str, text: &str, alternatives: &mut Vec<(String, String)>) -> String {
        let arrow = find(text, 0, &["=>"], true);
        if next(text, 0) == text.len() {
            // After the last comma.
            return text.to_owned();
        }
        let mut symbols = text[next(text, 0)..arrow].split_whitespace().collect::<Vec<_>>().join(" ");
        symbols.insert_str(0, &format!("{rule} = "));
        let count = format!("crate::work::reduced({});", alternatives.len());
        alternatives.push((name.to_owned(), symbols.trim().to_owned()));
        match text.get(arrow + 2..) {
            // An action that may fail has a question mark.
            Some(action) => match action.strip_prefix('?') {
                Some(action) => format!("{}=>? {{ {count} {action}\n}}", &text[..arrow]),
                None => format!("{}=> {{ {count} {action}\n}}", &text[..arrow]),
            },
            None => format!("{text}\n=> {{ {count} (<>) }}"),
        }
    }

    /// The first place from `at` on, outside of brackets, comments and strings, where one of these texts stands; else
    /// the end. Among symbols, `<` and `>` are brackets too.
    fn find(text: &str, mut at: usize, texts: &[&str], symbols: bool) -> usize {
        loop {
            at = next(text, at);
            if at == text.len() || texts.iter().any(|found| text[at..].starts_with(found)) {
                return at;
            }
            at = after(text, at, symbols);
        }
    }

    /// The next place that is not white space or a comment.
    fn next(text: &str, mut at: usize) -> usize {
        loop {
            at = text.len() - text[at..].trim_start().len();
            if !text[at..].starts_with("//") {
                return at;
            }
            at += text[at..].find('\n').unwrap_or(text[at..].len());
        }
    }

    /// The place after a string, brackets, or a single character.
    fn after(text: &str, at: usize, symbols: bool) -> usize {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return at };
        let closer = match first {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c: char| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                return end.map_or(text.len(), |length| at + length + 2);
            }
            '(' => ")",
            '[' => "]",
            '{' => "}",
            '<' if symbols => ">",
            _ => return at + first.len_utf8(),
        };
        (find(text, at + 1, &[closer], symbols) + 1).min(text.len())
    }
}

#[cfg(feature = "grammar")]
fn compile(out: &Path) -> Result<(), Box<dyn Error>> {
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(out)
        .emit_rerun_directives(true)
        .emit_whitespace(false)
        .process()?;
    #[cfg(feature = "count-reductions")]
    counting::compile(out)?;
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

/// A line for each grammar: its name, and the checksums of its text and of its parsers, of which the one that counts is
/// only made where it is needed.
fn checksums(parsers: &Path) -> Result<String, Box<dyn Error>> {
    let mut lines = String::new();
    for name in GRAMMARS {
        let grammar = checksum(&Path::new("grammar").join(format!("{name}.lalrpop")))?;
        let parser = checksum(&parsers.join(format!("{name}.rs")))?;
        lines += &format!("{name} {grammar:016x} {parser:016x}");
        let counting = parsers.join(format!("counting_{name}.rs"));
        if counting.exists() {
            lines += &format!(" {:016x}", checksum(&counting)?);
        }
        lines.push('\n');
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
