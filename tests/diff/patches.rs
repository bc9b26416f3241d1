//! A difference, applied as edits to the old file, gives the content of the new file.
//!
//! `HCL_DIFFS=10000` in the environment tries that many pairs, and `HCL_SEED` others.

use hcl_lr::format::format;
use hcl_lr::syntax::File;
use hcl_lr_edit::diff::{ChangeKind, compare, patch};

use super::generate::{self, Random};
use super::model::read;
use super::trial::trial;
use super::{canonical, setting};

fn parsed(text: &str) -> File {
    hcl_lr::parse::<File>(("file", text)).into_result().unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// Makes some random edits.
pub fn edited(random: &mut Random, text: &str, count: usize) -> String {
    let mut text = text.to_owned();
    for _ in 0..count {
        let file = parsed(&text);
        let reading = read(&file);
        if let Some(Ok(edited)) = trial(random, &file, &reading).map(|trial| trial.editor.finish()) {
            text = edited.text().to_owned();
        }
    }
    text
}

/// The same file as somebody else would write it.
fn in_other_words(random: &mut Random, text: &str) -> String {
    match random.below(3) {
        0 => format(text),
        1 => text.replace("\r\n", "\n"),
        _ => text.to_owned(),
    }
}

#[test]
fn patches_give_what_the_new_file_says() {
    let (wanted, seed) = (setting("HCL_DIFFS", 600), setting("HCL_SEED", 1));
    let (mut kinds, mut same, mut refused) = (std::collections::BTreeMap::new(), 0, 0);
    for number in 0..wanted {
        let mut random = Random::new(seed * 1_000_003 + number);
        let old_text = generate::file(&mut random);
        let new_text = match random.below(8) {
            0 => generate::file(&mut random),
            1 => in_other_words(&mut random, &old_text),
            _ => {
                let count = 1 + random.below(6);
                let edited = edited(&mut random, &old_text, count);
                in_other_words(&mut random, &edited)
            }
        };
        let (old, new) = (parsed(&old_text), parsed(&new_text));
        let what = || format!("pair {number} of seed {seed}\n--- old\n{old_text}\n--- new\n{new_text}");
        let changes = compare(&old, &new);
        let is_same = canonical::of_file(&old) == canonical::of_file(&new);
        assert_eq!(changes.is_empty(), is_same, "{changes:?}: {}", what());
        same += usize::from(is_same);
        for change in &changes {
            *kinds.entry(change.kind().to_string()).or_insert(0) += 1;
            let sides = [(change.before(), &old), (change.after(), &new)];
            for (side, file) in sides.into_iter().filter_map(|(side, file)| Some((side?, file))) {
                let inside = side.address().to_string().contains("**");
                let targets = side.address().resolve(file.body());
                let found = targets.iter().any(|target| target.span() == side.place().span());
                assert!(inside || found, "{} leads elsewhere: {}", side.address(), what());
            }
            assert_eq!(change.before().is_none(), change.kind() == ChangeKind::Added);
            assert_eq!(change.after().is_none(), change.kind() == ChangeKind::Removed);
        }
        match patch(&old, &new) {
            Ok(patched) => {
                let file = patched.file().expect("in native syntax");
                let (found, wanted) = (canonical::of_file(file), canonical::of_file(&new));
                assert!(found == wanted, "{}\n--- patched\n{}", what(), patched.text());
                assert!(compare(file, &new).is_empty(), "{}\n--- patched\n{}", what(), patched.text());
                assert!(!is_same || patched.text() == old_text, "nothing to do: {}", what());
            }
            Err(error) => {
                refused += 1;
                println!("refused: {error}: {}", what());
            }
        }
    }
    println!("{wanted} pairs: {same} say the same, {refused} refused, {kinds:?}");
    assert_eq!(refused, 0);
    assert!(same > 0 && kinds.len() == 5, "{same} {kinds:?}");
}
