//! Asks another driver of the conformance protocol, such as one around the official engine, to format
//! random sources and the files of a folder, and compares its answers with those of this library:
//!
//! ```text
//! cargo run --release -p differential --bin format_differential -- SEED COUNT [FOLDER] [RECORD] -- DRIVER [ARGUMENT…]
//! ```
//!
//! COUNT random sources are formatted, most of them broken. Of the FOLDER each file is, and each with
//! other blanks in it, three times; the result must not change when it is formatted again, and have
//! the tokens of the file. Sources in which a quote, heredoc, sequence or comment has no end may differ
//! (`DIVERGENCES.md`); they are counted. With a file name as RECORD, which ends in `.jsonl`, the random
//! sources and the answers of the driver are recorded there.

mod driver;
#[path = "../../../../tests/eval/differential/questions/mutation.rs"]
mod mutation;
#[path = "../../../../tests/eval/differential/questions/random.rs"]
mod random;

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use driver::Driver;
use hcl_lr::format::{format, is_closed};
use hcl_lr::syntax::{Token, TokenKind};
use random::Random;
use serde_json::json;

/// The number of pending questions.
const WINDOW: usize = 500;

/// The number of sources with different answers that are shown.
const SHOWN: usize = 10;

/// Pieces of sources: tokens, and what looks like some.
const PIECES: [&str; 96] = [
    "a",
    "b1",
    "foo-bar",
    "in",
    "for",
    "if",
    "true",
    "é",
    "日本",
    "क्ष",
    "1",
    "1.5",
    "1e3",
    "\"s\"",
    "\"x${a}y\"",
    "\"${b}\"",
    "\"${ c }d${e ~}\"",
    "\"%{ if a }b%{ endif }\"",
    "\"",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "&&",
    "||",
    "!",
    "?",
    ":",
    "=",
    "=",
    "=",
    "=>",
    "...",
    ".",
    ",",
    "::",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    "'",
    "`",
    "&",
    "|",
    "^",
    "~",
    "@",
    "$",
    "/* c */",
    "/* c\nd */",
    "# x",
    "// y",
    "\\",
    "\n",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "${",
    "%{",
    "~}",
    "${~",
    "<<E\n text  x\nE\n",
    "<<-E\n  ${ a }  b ${\nq\n}\n  E\n",
    "\"a${",
    "}b\"",
    "  ",
    "\t",
    " ",
    "\n\n",
    "\u{feff}",
    "\u{301}",
    "\u{0}",
    "\r",
    "\u{a0}",
    "$${",
    "\\\"",
    "x = ",
    "yy = 1 # c\n",
    "}\n",
];

/// Values that stand after an equals sign.
const VALUES: [&str; 24] = [
    "1",
    "a",
    "\"s\"",
    "a.b[0]",
    "f(x, 1)",
    "[1,2]",
    "{ a = 1 }",
    "\"${a}\"",
    "-1",
    "a?b:c",
    "!a",
    "[for x in y: x]",
    "{for k,v in m: k=>v...}",
    "<<E\nq ${ a } w\nE",
    "[\n1,\n2\n]",
    "{\nx = 1\nyyy = 2 # c\n}",
    "f(\n1\n)",
    "a + b",
    "é",
    "\"日本\"",
    "\"x\ny\"",
    "(\na)",
    "[{\n a = 1\n},{\n b = 2 }]",
    "<<-E\n  a\n  E",
];

fn soup(random: &mut Random) -> String {
    let count = [2, 4, 8, 16, 40][random.below(5)];
    (0..count).map(|_| random.pick(&PIECES).to_owned() + random.pick(&["", " ", " ", "  "])).collect()
}

fn body(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.below(6) {
        text += random.pick(&["", " ", "  ", "\t"]);
        match random.below(10) {
            0..6 => {
                text += random.pick(&["a", "bb", "ccc", "\"q\"", "é"]);
                text += random.pick(&["=", " =", "= ", "  =  "]);
                text += random.pick(&VALUES);
                text += random.pick(&["", "", " # c", "  // d", " /* e */"]);
                text += random.pick(&["\n", "\n", "\n", "\r\n"]);
            }
            6 => text += random.pick(&["# c\n", "// d\n", "/* e */\n", "/* e\nf */\n", "\n"]),
            7 => text += "\n",
            _ if depth < 3 => {
                text += random.pick(&["b{\n", "b \"l\"   {\n", "b  l \"m\" { # x\n"]);
                text += &body(random, depth + 1);
                text += random.pick(&["}\n", "  }\n", "} # c\n"]);
            }
            _ => {}
        }
    }
    if depth == 0 && random.chance(20) { text.trim_end_matches('\n').to_owned() } else { text }
}

fn source(random: &mut Random) -> String {
    match random.below(3) {
        0 => soup(random),
        1 => body(random, 0),
        _ => mutation::mutated(&body(random, 0), random),
    }
}

/// The findings of a run.
#[derive(Default)]
struct Findings {
    sources: usize,
    /// Those in which something has no end, and how many of them differ.
    unclosed: (usize, usize),
    changed: usize,
    differing: Vec<String>,
}

fn ask(driver: &mut Driver, sources: &[String], findings: &mut Findings) -> Result<Vec<String>, Box<dyn Error>> {
    let requests: Vec<_> = sources.iter().map(|src| json!({"op": "format", "src": src})).collect();
    let mut texts = Vec::new();
    for (src, (theirs, ours)) in sources.iter().zip(driver.ask(&requests)?) {
        let differs = theirs["text"] != ours["text"];
        findings.sources += 1;
        findings.changed += usize::from(theirs["text"] != src.as_str());
        if !is_closed(src.as_bytes()) {
            findings.unclosed.0 += 1;
            findings.unclosed.1 += usize::from(differs);
        } else if differs {
            findings.differing.push(src.clone());
        }
        texts.push(theirs["text"].as_str().unwrap_or_default().to_owned());
    }
    Ok(texts)
}

/// The files below a folder that are UTF-8.
fn files(folder: &Path) -> Vec<String> {
    let mut waiting: Vec<PathBuf> = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if let Ok(entries) = fs::read_dir(&path) {
            waiting.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else {
            found.extend(fs::read_to_string(&path));
        }
    }
    found
}

/// The tokens of a text, if it is without errors.
fn tokens(text: &str) -> Option<Vec<String>> {
    let (file, diagnostics) = hcl_lr::parse::<hcl_lr::File>(text).into_parts();
    let token = |token: Token| format!("{:?} {}", token.kind(), spelling(&token));
    (!diagnostics.has_errors()).then(|| file.tokens().iter().map(token).collect())
}

/// The text of a token, without blanks where it may have some.
fn spelling(token: &Token) -> String {
    match token.kind() {
        TokenKind::Literal | TokenKind::String | TokenKind::Template | TokenKind::TemplateLiteral => {
            token.text().into()
        }
        _ => token.text().replace([' ', '\t'], ""),
    }
}

/// A text with other blanks where there are some: between tokens, before them and after them.
fn disturbed(text: &str, random: &mut Random) -> Option<String> {
    let (file, diagnostics) = hcl_lr::parse::<hcl_lr::File>(text).into_parts();
    if diagnostics.has_errors() {
        return None;
    }
    const BLANKS: [char; 2] = [' ', '\t'];
    let mut other = |blanks: &str| if blanks.is_empty() { "" } else { random.pick(&[" ", " ", "  ", "\t", " \t   "]) };
    let mut out = String::new();
    let mut end = 0;
    for token in file.tokens().iter() {
        let span = token.span();
        let gap = &text[end..span.start()];
        let content = gap.trim_matches(BLANKS);
        let (front, back) = gap.split_at(gap.len() - gap.trim_start_matches(BLANKS).len());
        out += other(front);
        out += content;
        out += if content.is_empty() { "" } else { other(&back[content.len()..]) };
        out += &text[span.start()..span.end()];
        end = span.end();
    }
    out += &text[end..];
    (tokens(&out) == tokens(text)).then_some(out)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let split = arguments.iter().position(|argument| argument == "--").ok_or("there is no driver after --")?;
    let (mine, command) = (&arguments[..split], &arguments[split + 1..]);
    let [seed, count, more @ ..] = mine else { return Err("SEED and COUNT are missing".into()) };
    let (seed, count): (u64, usize) = (seed.parse()?, count.parse()?);
    let (records, folders): (Vec<&String>, Vec<_>) = more.iter().partition(|name| name.ends_with(".jsonl"));
    let mut driver = Driver::start(command)?;
    let mut random = Random::new(seed);
    let mut findings = Findings::default();
    let mut record = records.first().map(File::create).transpose()?.map(BufWriter::new);

    let sources: Vec<String> = (0..count).map(|_| source(&mut random)).collect();
    for window in sources.chunks(WINDOW) {
        let texts = ask(&mut driver, window, &mut findings)?;
        for (src, text) in window.iter().zip(texts).filter(|(src, _)| is_closed(src.as_bytes())) {
            if let Some(record) = &mut record {
                writeln!(record, "{}", json!({"src": src, "text": text}))?;
            }
        }
    }
    report("random sources", &findings);

    let mut broken = findings.differing.len();
    for folder in folders {
        let (mut findings, mut wrong, mut variants) = (Findings::default(), 0, 0);
        for text in files(Path::new(folder)) {
            let mut all = vec![text.clone()];
            all.extend((0..3).filter_map(|_| disturbed(&text, &mut random)));
            variants += all.len() - 1;
            ask(&mut driver, &all, &mut findings)?;
            let expected = tokens(&text);
            for variant in all.iter().filter(|_| expected.is_some()) {
                let formatted = format(variant);
                let right = format(&formatted) == formatted && tokens(&formatted) == expected;
                wrong += usize::from(!right);
            }
        }
        report(folder, &findings);
        println!("  {variants} with other blanks; {wrong} change when formatted again, or in their tokens");
        broken += findings.differing.len() + wrong;
    }
    Ok(ExitCode::from(u8::from(broken > 0)))
}

fn report(what: &str, findings: &Findings) {
    let Findings { sources, unclosed, changed, differing } = findings;
    println!("{what}: {sources} formatted, {changed} of them changed, {} answers differ", differing.len());
    println!("  in {} something has no end; of these answers {} differ", unclosed.0, unclosed.1);
    let mut shown: Vec<&String> = differing.iter().collect();
    shown.sort_by_key(|source| source.len());
    for source in shown.into_iter().take(SHOWN) {
        println!("  {source:?}\n    ours {:?}", format(source));
    }
}
