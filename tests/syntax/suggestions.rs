//! Suggested edits: each can be applied, fixes its problem, and does no harm if it is marked as safe.
//!
//! The sources are the fixtures of `diagnostics` and `broken`, and realistic files with one slip at a time. For these,
//! the intended text is known: where safe edits alone make such a file valid, they must restore it.

use std::sync::Arc;

use crate::support::golden::cases;
use hcl_lr::diagnostic::{Applicability, Diagnostic, Diagnostics, Suggestion};
use hcl_lr::source::{Replacement, Source};
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::{ExpressionFile, TemplateFile};
use hcl_lr::{File, ParseOptions, parse};

/// Reads a text as the extension of its file says.
fn diagnose(extension: &str, text: &str) -> Diagnostics {
    let source = Source::new("x", text);
    let options = ParseOptions::new();
    match extension {
        "expr" => options.parse::<ExpressionFile>(source).into_parts().1,
        "tmpl" => options.parse::<TemplateFile>(source).into_parts().1,
        _ => options.parse::<hcl_lr::File>(source).into_parts().1,
    }
}

/// Applies a suggestion to a text. The edits must not overlap and must be in the text.
fn made(suggestion: &Suggestion, source: &Arc<Source>) -> Result<String, String> {
    let edits = suggestion.replacements_in(source);
    if edits.is_empty() || edits.len() != suggestion.edits().len() {
        return Err(format!("`{}` edits nothing, or elsewhere", suggestion.message()));
    }
    Replacement::apply(&edits, source.text()).map_err(|error| format!("`{}`: {error}", suggestion.message()))
}

fn safe_edits(diagnostics: &Diagnostics) -> Vec<Replacement> {
    let is_safe = |suggestion: &&Suggestion| suggestion.applicability() == Applicability::Safe;
    let mut all: Vec<Replacement> = Vec::new();
    for diagnostic in diagnostics.iter() {
        let Some(suggestion) = diagnostic.suggestions().iter().find(is_safe) else { continue };
        let edits = suggestion.replacements_in(diagnostic.source());
        let mut with_these = all.clone();
        with_these.extend(edits);
        with_these.sort_by_key(Replacement::span);
        if Replacement::apply(&with_these, diagnostic.source().text()).is_ok() {
            all = with_these;
        }
    }
    all
}

/// Returns true if two diagnostics have the same content.
fn same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code() == other.code() && one.detail() == other.detail()
}

/// Returns the problems of the edits that are suggested for a text.
fn problems(extension: &str, text: &str) -> Vec<String> {
    let before = diagnose(extension, text);
    let errors = before.errors().count();
    let mut problems = Vec::new();
    for diagnostic in before.iter() {
        let code = diagnostic.code();
        for suggestion in diagnostic.suggestions() {
            let after = match made(suggestion, diagnostic.source()) {
                Ok(text) => text,
                Err(error) => {
                    problems.push(format!("[{code}] {error}"));
                    continue;
                }
            };
            let found = diagnose(extension, &after);
            let count = |list: &Diagnostics| list.iter().filter(|other| same(other, diagnostic)).count();
            if count(&found) >= count(&before) {
                problems.push(format!("[{code}] `{}` leaves it:\n{after}", suggestion.message()));
            }
            if suggestion.applicability() == Applicability::Safe && found.errors().count() > errors {
                problems.push(format!("[{code}] `{}` adds errors:\n{after}", suggestion.message()));
            }
        }
    }
    let edits = safe_edits(&before);
    match Replacement::apply(&edits, text) {
        Ok(after) if diagnose(extension, &after).errors().count() > errors => {
            problems.push(format!("the safe edits together add errors:\n{after}"));
        }
        Ok(_) => {}
        Err(error) => problems.push(error.to_string()),
    }
    problems
}

/// The sources of the cases in native syntax: names, kinds and texts. Text that is not UTF-8 has its places elsewhere.
fn sources() -> Vec<(String, String, String)> {
    let mut sources = Vec::new();
    for case in cases("diagnostics").iter().chain(&cases("broken")) {
        let input = &case.fences[0];
        if let (true, Ok(text)) = (["hcl", "expr", "tmpl"].contains(&&*input.kind), std::str::from_utf8(&input.bytes)) {
            sources.push((case.name.clone(), input.kind.clone(), text.to_owned()));
        }
    }
    sources
}

#[test]
fn each_edit_mends_what_it_is_for() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, kind, text) in sources() {
        count += diagnose(&kind, &text).iter().map(|diagnostic| diagnostic.suggestions().len()).sum::<usize>();
        wrong.extend(problems(&kind, &text).iter().map(|problem| format!("{name}: {problem}")));
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150, "only {count} edits are suggested");
}

/// The text without a piece, or with another one there.
fn replaced(text: &str, at: usize, length: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..at], &text[at + length..])
}

/// Returns typical slips, one of each kind at every possible place.
fn slips(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut put = |from: &str, with: &[&str]| {
        for (at, _) in text.match_indices(from) {
            all.extend(with.iter().map(|with| replaced(text, at, from.len(), with)));
        }
    };
    put(" = ", &[" := ", ": ", " == ", " => ", " ", " = = "]);
    put(" && ", &[" and ", " & "]);
    put(" || ", &[" or ", " | "]);
    put(" == ", &[" === ", " = "]);
    put("!", &["not ", "~"]);
    put(",", &["", ",,", ";"]);
    put("\n", &[";\n", ",\n", " ", "\u{a0}\n"]);
    put("${", &["$", "{", "$ {"]);
    put(" {\n", &["\n{\n", " = {\n", "\n"]);
    put("\\\\", &["\\"]);
    put(" in ", &[" of ", " "]);
    put(" : ", &[" ", " = "]);
    put(" => ", &[" = ", " "]);
    put("%{ endif ", &["%{ end ", "%{ endfi "]);
    for bracket in ["{", "}", "[", "]", "(", ")", "\""] {
        put(bracket, &[""]);
    }
    put("# ", &["-- ", "; "]);
    // Strings in other quotes, and names in quotes.
    for line in text.split_inclusive('\n') {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let quotes: Vec<usize> = line.match_indices('"').map(|(at, _)| at).collect();
        if let [open, close] = quotes[..] {
            let inside = &line[open + 1..close];
            for (left, right) in [("'", "'"), ("`", "`"), ("“", "”")] {
                all.push(replaced(text, start + open, close + 1 - open, &format!("{left}{inside}{right}")));
            }
            all.push(replaced(text, start + open, close + 1 - open, inside));
        }
        let name = line.trim_start();
        let length = name.find([' ', '=']).unwrap_or(0);
        if length > 0 && name[..length].chars().all(|c| c.is_alphanumeric() || c == '_') {
            let at = start + line.len() - name.len();
            all.push(replaced(text, at, length, &format!("\"{}\"", &name[..length])));
        }
    }
    all
}

/// Returns the tokens of a text, except for line ends and commas, which are interchangeable, as are the signs after a
/// key.
fn tokens(text: &str) -> Vec<String> {
    let file = parse::<File>(("x", text)).into_parts().0;
    let tokens = file.tokens().iter();
    let tokens = tokens.filter(|token| !matches!(token.kind(), TokenKind::Newline | TokenKind::Comma));
    tokens.map(|token| token.text().replace(':', "=")).collect()
}

/// Applies the safe edits to a text, then those suggested for the result, and so on.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..5 {
        let edits = safe_edits(&diagnose("hcl", &text));
        match Replacement::apply(&edits, &text) {
            Ok(next) if !edits.is_empty() => text = next,
            _ => break,
        }
    }
    text
}

#[test]
fn a_slip_in_a_realistic_file_is_mended_to_what_was_meant() {
    let (mut wrong, mut count, mut valid) = (Vec::new(), 0, 0);
    for case in cases("broken") {
        let (name, text) = (&case.name, case.text("fixed"));
        let meant = tokens(text);
        for slip in slips(text).into_iter().step_by(7) {
            if !diagnose("hcl", &slip).has_errors() {
                continue;
            }
            count += 1;
            wrong.extend(problems("hcl", &slip).into_iter().map(|problem| format!("{name}: {problem}")));
            let mended = mended(&slip);
            if !diagnose("hcl", &mended).has_errors() {
                valid += 1;
                if tokens(&mended) != meant {
                    let line = slip.lines().zip(text.lines()).position(|(slip, line)| slip != line).unwrap_or(0);
                    let near = |text: &str| text.lines().skip(line).take(3).collect::<Vec<_>>().join("\n");
                    wrong.push(format!("{name}: this\n{}\nbecame\n{}\n", near(&slip), near(&mended)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}, {valid} valid:\n{}", wrong.len(), wrong.join("\n"));
    assert!(valid * 10 > count * 3, "safe edits mend {valid} of {count} slips");
}

/// For a text cut anywhere, all suggestions can be applied.
#[test]
fn edits_of_texts_that_are_cut_can_be_made() {
    let mut count = 0;
    let mut check = |extension: &str, text: &str| {
        for diagnostic in diagnose(extension, text).iter() {
            for suggestion in diagnostic.suggestions() {
                count += 1;
                made(suggestion, diagnostic.source()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
            }
        }
    };
    for text in [":=", ":", "=>", "==", ";", "${", "${a}", ".5", "'", "\"", "--", "|| a", "{", "\"a\"", "\"a\":", "<<a"]
    {
        check("hcl", text);
        check("expr", text);
        check("tmpl", text);
    }
    for (_, kind, text) in sources() {
        for (end, _) in text.char_indices().step_by(11) {
            check(&kind, &text[..end]);
            check(&kind, &text[end..]);
        }
    }
    assert!(count > 1_000, "only {count} edits");
}
