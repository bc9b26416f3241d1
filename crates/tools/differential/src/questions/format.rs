//! Texts to format, many of them broken, and files with other blanks.

use std::fs;
use std::path::{Path, PathBuf};

use hcl_lr::syntax::{Token, TokenKind};
use serde_json::{Value as Json, json};

use super::mutation::mutated;
use super::texts::list;
use crate::random::Random;

/// Tokens, and what looks like some.
fn soup(random: &mut Random) -> String {
    let count = [2, 4, 8, 16, 40][random.below(5)];
    (0..count).map(|_| random.pick(list("format pieces")).to_owned() + random.pick(&["", " ", " ", "  "])).collect()
}

fn body(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.below(6) {
        text += random.pick(&["", " ", "  ", "\t"]);
        match random.below(10) {
            0..6 => {
                text += random.pick(&["a", "bb", "ccc", "\"q\"", "é"]);
                text += random.pick(&["=", " =", "= ", "  =  "]);
                text += random.pick(list("format values"));
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
        _ => mutated(&body(random, 0), random),
    }
}

/// Returns a question about a random text.
pub fn question(random: &mut Random) -> Json {
    json!({ "op": "format", "src": source(random) })
}

/// Returns questions about the files of a folder: each as it is, and three times with other blanks.
pub fn of_files(folder: &Path, random: &mut Random) -> Vec<Json> {
    let variants = |text: String| {
        let mut all: Vec<String> = (0..3).filter_map(|_| disturbed(&text, random)).collect();
        all.push(text);
        all
    };
    files(folder).into_iter().flat_map(variants).map(|src| json!({ "op": "format", "src": src })).collect()
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
