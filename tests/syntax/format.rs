//! Formatting: fixtures for each rule, answers of the official engine, and what holds for every text.
//!
//! The cases of `fixtures/format/STYLE.md` are files and what is `formatted` in a style. Those of
//! `canonical.md` are what the official engine makes of it. `fixtures/format/answers.jsonl` has random
//! sources, most of them broken, each with the answer of the official engine as `text`.

use std::collections::HashMap;

use crate::support::golden::{Golden, cases, fixtures, inputs};
use hcl_lr::format::{Style, format};
use hcl_lr::syntax::{File, Token, TokenKind};

/// The styles by the names of their files.
fn styles() -> Vec<(&'static str, Style)> {
    let none = Style::default();
    vec![
        ("canonical", none),
        ("terraform", none.with_terraform_rules(true)),
        ("switches", none.with_switches(true)),
        ("final-newline", none.with_final_newline(true)),
        ("one-blank-line", none.with_one_blank_line(true)),
        ("no-alignment", none.with_alignment(false)),
        ("sort-attributes", none.with_sorted_attributes(true)),
        ("sort-blocks", none.with_sorted_blocks(true)),
    ]
}

/// All rules at once.
const ALL: Style = Style::new()
    .with_terraform_rules(true)
    .with_switches(true)
    .with_final_newline(true)
    .with_one_blank_line(true)
    .with_alignment(true)
    .with_sorted_attributes(true)
    .with_sorted_blocks(true);

#[test]
fn each_style_gives_what_is_recorded() {
    let mut golden = Golden::new();
    let styles: HashMap<&str, Style> = styles().into_iter().collect();
    for case in cases("format") {
        let file = case.path.file_stem().expect("a name").to_string_lossy();
        let style = styles.get(&*file).unwrap_or_else(|| panic!("there is no style {file}"));
        let formatted = style.format(case.text("hcl"));
        assert_eq!(style.format(&formatted), formatted, "{} changes when it is formatted again", case.place());
        golden.check_case(&case, "formatted", &formatted);
    }
    golden.finish();
}

#[test]
fn the_official_engine_answers_the_same() {
    let path = fixtures("format", &["jsonl"]).remove(0);
    let answers = std::fs::read_to_string(path).expect("recorded answers");
    let mut changed = 0;
    for line in answers.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let (src, text) = (answer["src"].as_str().expect("a source"), answer["text"].as_str().expect("an answer"));
        assert_eq!(format(src), text, "of {src:?}");
        changed += usize::from(src != text);
    }
    assert!(changed > 500, "only {changed} sources are no canonical form already");
}

/// The valid ones among the fixtures of all tests, with a name.
fn valid_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (name, bytes) in inputs(&["hcl", "tf", "tfvars"]) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if !parse(&text).1 {
            files.push((name, text));
        }
    }
    assert!(files.len() > 200, "only {} fixtures are valid", files.len());
    files
}

/// The tree of a text, and whether it has errors.
fn parse(text: &str) -> (File, bool) {
    let (file, diagnostics) = hcl_lr::parse::<File>(("x.hcl", text)).into_parts();
    (file, diagnostics.has_errors())
}

fn tokens(text: &str) -> Vec<String> {
    let (file, _) = parse(text);
    file.tokens().iter().map(|token| format!("{:?} {}", token.kind(), spelling(&token))).collect()
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

#[test]
fn valid_files_keep_their_tokens_and_need_no_second_run() {
    for (name, text) in valid_files() {
        let formatted = format(&text);
        assert_eq!(tokens(&formatted), tokens(&text), "{name}");
        assert_eq!(format(&formatted), formatted, "{name} changes when it is formatted again");
    }
}

#[test]
fn valid_files_stay_valid_in_every_style() {
    for (name, text) in valid_files() {
        for style in styles().into_iter().map(|(_, style)| style).chain([ALL]) {
            let formatted = style.format(&text);
            assert!(!parse(&formatted).1, "{name} is broken by {style:?}:\n{formatted}");
            assert_eq!(style.format(&formatted), formatted, "{name} changes again by {style:?}");
        }
    }
}

/// Returns the text without blanks.
fn without_blanks(text: &[u8]) -> Vec<u8> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.iter().copied().filter(|byte| !b" \t".contains(byte)).collect()
}

#[test]
fn nothing_but_blanks_changes_in_any_bytes() {
    let pieces: [&[u8]; 30] = [
        b"a",
        b" ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        b"=",
        b"\"",
        b"${",
        b"}",
        b"{",
        b"(",
        b")",
        b"[",
        b"]",
        b"<<E\n",
        b"E\n",
        b"\\",
        b"# c",
        b"/*",
        b"*/",
        b"\xff",
        b"\xe2\x82",
        b"\xc3\xa9",
        b"\0",
        b"-",
        b"1.5",
        b"~}",
        b"%{",
        b",",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = Vec::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.extend_from_slice(pieces[(state >> 33) as usize % pieces.len()]);
        }
        let formatted = Style::default().format_bytes(&text);
        assert_eq!(without_blanks(&formatted), without_blanks(&text), "{}", text.escape_ascii());
    }
}

/// Work that grows with the depth or the number of open constructs at each step would never end here.
#[test]
fn deep_and_broken_texts_end() {
    const MANY: usize = 200_000;
    let texts = [
        format!("a = {}b{}\n", "\"${".repeat(MANY), "}\"".repeat(MANY)),
        format!("{}{}\n", "a {\n".repeat(1_000), "}\n".repeat(1_000)),
        "a {".repeat(MANY) + &"}".repeat(MANY),
        "<<a".repeat(MANY),
        "1.".repeat(MANY),
        "\"\\\n".repeat(MANY),
        "<<E\n${".repeat(MANY),
        "# a\n".repeat(MANY) + "b = 1",
    ];
    // In this one, what is not a comment may become one.
    assert_eq!(without_blanks(ALL.format(&"/*".repeat(MANY)).as_bytes()), "/*".repeat(MANY).as_bytes());
    for text in texts {
        let formatted = ALL.format(&text);
        assert_eq!(ALL.format(&formatted), formatted, "{:.40}", text);
    }
}

#[test]
fn a_short_text_does_not_become_endless() {
    let deep = "[\n".repeat(100_000);
    assert_eq!(format(&deep), deep);
    let wide = format!("{}=1\n{}", "a".repeat(1_000_000), "b = 1\n".repeat(10_000));
    assert_eq!(format(&wide), wide);
    // Text that nests deeper than any parser allows is still indented.
    let nested = "[\n".repeat(2_000);
    assert_eq!(format(&nested).len(), nested.len() + 2_000 * 1_999);
}
