//! Random edits at random places: the result parses, contains exactly the requested changes, and all other lines are
//! unchanged.
//!
//! A run makes a few thousand edits; `HCL_EDITS=100000` in the environment makes as many, and `HCL_SEED`
//! other ones. Files are generated, and real ones of a corpus.

use std::path::PathBuf;

use hcl_lr::format::format;
use hcl_lr::source::{Replacement, Span};
use hcl_lr::{File, parse};
use hcl_lr_edit::{Edited, Editor, Item};

use super::generate::{self, Random};
use super::model::{Known, read};
use super::script::check_untouched;
use super::trial::{Trial, may_be_refused, trial};
use crate::support::needs;

pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The counts of edits by their outcome.
#[derive(Default, Debug)]
struct Tally {
    made: usize,
    refused: usize,
    undone: usize,
    /// Edits of files that were formatted, and how many of these files are formatted after them.
    canonical: usize,
    formatted: usize,
    kinds: [usize; 7],
}

fn double_blank_lines(text: &str) -> usize {
    let text = text.replace('\r', "");
    text.lines().zip(text.lines().skip(1)).filter(|(a, b)| a.trim().is_empty() && b.trim().is_empty()).count()
}

/// Makes random edits of a file.
fn edits_of(name: &str, text: &str, count: usize, random: &mut Random, tally: &mut Tally) {
    let (file, diagnostics) = parse::<File>((name, text)).into_parts();
    assert!(!diagnostics.has_errors(), "{name}: {diagnostics:?}\n{text}");
    let reading = read(&file);
    let canonical = format(text) == text;
    for _ in 0..count {
        let Some(trial) = trial(random, &file, &reading) else { continue };
        let Trial { editor, expected, kind, allowed, described, inserted } = trial;
        let edited = match editor.finish() {
            Ok(edited) => edited,
            Err(error) => {
                assert!(may_be_refused(&error), "{name}: {described}: {error:?}\n{text}");
                tally.refused += 1;
                continue;
            }
        };
        let what = || format!("{name}: {described}\n--- before\n{text}\n--- after\n{}", edited.text());
        assert!(!parse::<File>(edited.text()).has_errors(), "it has errors: {}", what());
        let found = read(edited.file().expect("a file")).model;
        assert!(found == expected, "it says something else: {}\n{found:#?}\n{expected:#?}", what());
        check_untouched(text, &edited);
        for replacement in edited.replacements() {
            let span = replacement.span();
            let within = |allowed: &Span| allowed.start() <= span.start() && span.end() <= allowed.end();
            // Elsewhere, no more than the blanks of lines that are aligned can change.
            let aligned = |allowed: &Span| is_aligned_around(text, replacement, *allowed);
            let fits = allowed.iter().any(|allowed| within(allowed) || aligned(allowed));
            assert!(fits, "{span:?} is not in {allowed:?}: {}", what());
        }
        if kind == 3 {
            let (before, after) = (double_blank_lines(text), double_blank_lines(edited.text()));
            assert!(after <= before, "blank lines are left: {}", what());
        }
        if kind != 4
            && kind != 0
            && text.contains("\r\n")
            && !described.contains("EOT")
            && !described.contains("several")
        {
            let others = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
            assert_eq!(others(text), others(edited.text()), "line ends: {}", what());
        }
        // Only a heredoc needs a newline behind it.
        let is_empty = |text: &str| text.trim_start_matches('\u{feff}').is_empty();
        let ends_with_newline = |text: &str| text.ends_with('\n');
        let has_end = ends_with_newline(text) || is_empty(text) || is_empty(edited.text());
        let needs_end = edited.text().trim_end().ends_with("EOT");
        assert!(has_end || needs_end || !ends_with_newline(edited.text()), "the end of the file: {}", what());
        if canonical {
            let formatted = format(edited.text());
            tally.formatted += usize::from(edited.text() == formatted);
            tally.canonical += 1;
            assert!(edited.text() == formatted, "it was formatted: {}\n--- formatted\n{formatted}", what());
        }
        tally.undone += usize::from(undo(text, &edited, inserted, &what));
        tally.made += 1;
        tally.kinds[kind] += 1;
    }
}

/// Returns true if a replacement changes only blanks within lines outside of a span.
fn is_aligned_around(text: &str, replacement: &Replacement, allowed: Span) -> bool {
    let (old, new) = (&text[replacement.span().range()], replacement.text());
    let blanks = |text: &str| text.chars().all(|c| c == ' ');
    let (start, end) = (replacement.span().start(), replacement.span().end());
    if end <= allowed.start() || start >= allowed.end() {
        return blanks(old) && blanks(new);
    }
    // The text before and after the span stays as it is, but for blanks.
    let packed = |text: &str| text.replace(' ', "");
    let (before, after) = (&text[start..start.max(allowed.start())], &text[end.min(allowed.end())..end]);
    let (new, before, after) = (packed(new), packed(before), packed(after));
    new.len() >= before.len() + after.len() && new.starts_with(&before) && new.ends_with(&after)
}

/// Removes an insertion, which restores the file, unless its layout had to change.
fn undo(before: &str, edited: &Edited, inserted: Option<(usize, usize)>, what: &dyn Fn() -> String) -> bool {
    let Some((container, index)) = inserted else { return false };
    let [replacement] = edited.replacements() else { return false };
    // Only a pure insertion leaves the existing text unchanged.
    if !replacement.span().is_empty() || !before.ends_with('\n') || replacement.text().contains("EOT") {
        return false;
    }
    let reading = read(edited.file().expect("a file"));
    let members: Vec<&Known<'_>> = reading.members.iter().filter(|known| known.container == container).collect();
    let mut members: Vec<Item<'_>> = members.iter().map(|known| known.member).collect();
    members.sort_by_key(|member| member.span());
    if members.len() < 2 {
        return false;
    }
    let mut editor = Editor::new(edited.file().expect("a file"));
    editor.remove(members[index]);
    let undone = editor.finish().unwrap_or_else(|error| panic!("{error}: {}", what()));
    // A blank line that was put before or after a block may have been there, too.
    // Other lines may have been aligned with it.
    let lines = |text: &str| {
        text.lines().map(|line| line.replace(' ', "")).filter(|line| !line.trim().is_empty()).collect::<Vec<String>>()
    };
    assert_eq!(lines(undone.text()), lines(before), "undoing: {}\n--- undone\n{}", what(), undone.text());
    undone.text() == before
}

/// The files of the corpus.
pub fn corpus() -> Vec<PathBuf> {
    let (mut waiting, mut files) = (vec![needs::corpus()], Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| entry.path()));
        } else if path
            .extension()
            .is_some_and(|extension| ["tf", "hcl", "tfvars"].iter().any(|known| extension == *known))
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn random_edits_of_generated_files_give_what_was_asked() {
    let (wanted, seed) = (setting("HCL_EDITS", 3_000) as usize, setting("HCL_SEED", 1));
    let mut tally = Tally::default();
    let mut number = 0;
    while tally.made < wanted {
        number += 1;
        let mut random = Random::new(seed * 1_000_003 + number);
        let text = generate::file(&mut random);
        edits_of(&format!("file {number} of seed {seed}"), &text, 8, &mut random, &mut tally);
    }
    println!("{number} files: {tally:?}");
    assert!(tally.kinds.iter().all(|&count| count > wanted / 50), "{tally:?}");
    assert!(tally.undone > wanted / 20, "{tally:?}");
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_random_edits_give_what_was_asked() {
    let files = corpus();
    let (wanted, seed) = (setting("HCL_EDITS", 1_000) as usize, setting("HCL_SEED", 1));
    let mut tally = Tally::default();
    let mut random = Random::new(seed);
    while tally.made < wanted {
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        // Each edit parses the file; large ones would take all the time.
        if text.len() > 60_000 || parse::<File>(text.as_str()).has_errors() {
            continue;
        }
        edits_of(&path.display().to_string(), &text, 8, &mut random, &mut tally);
    }
    println!("{tally:?}");
}
