//! Random edits of what may be a file.

#[path = "../../syntax/edit/generate.rs"]
mod generate;
#[path = "../../syntax/edit/model.rs"]
mod model;
#[path = "../../syntax/edit/script.rs"]
mod script;
#[path = "../../syntax/edit/trial.rs"]
mod trial;

use hcl_lr::{File, parse};
use hcl_lr_edit::EditError;

use super::parts;
use super::world::diagnostics;

/// A file, then letters each of which is a random edit, or, on lines of their own, edits as in
/// `tests/fixtures/edit`.
pub fn edit(input: &str) {
    let parts = parts(input);
    let (file, list) = parse::<File>(parts[0]).into_parts();
    let Some(letters) = parts.get(1) else { return };
    if list.has_errors() {
        // Only run it: in files with mistakes, the result of an edit is not checked.
        let _ = script::run(parts[0], letters);
        return;
    }
    let reading = model::read(&file);
    for letter in letters.chars().take(6) {
        let mut random = generate::Random::new(letter.into());
        let Some(trial) = trial::trial(&mut random, &file, &reading) else { continue };
        match trial.editor.finish() {
            Ok(edited) => {
                let what = || format!("{}\n--- before\n{}\n--- after\n{}", trial.described, parts[0], edited.text());
                assert!(!parse::<File>(edited.text()).has_errors(), "it has errors: {}", what());
                assert!(
                    model::read(edited.file().expect("a file")).model == trial.expected,
                    "it says something else: {}",
                    what()
                );
                script::check_untouched(parts[0], &edited);
            }
            Err(EditError::NewErrors(list)) => diagnostics(&list, input),
            Err(error) => assert!(trial::may_be_refused(&error), "{}: {error:?}\n{}", trial.described, parts[0]),
        }
    }
    if let Ok(edited) = script::run(parts[0], letters) {
        script::check_untouched(parts[0], &edited);
        assert!(
            !parse::<File>(edited.text()).has_errors(),
            "it has errors: {letters}\n{}\n---\n{}",
            parts[0],
            edited.text()
        );
    }
}
