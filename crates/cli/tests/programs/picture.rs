//! The picture in the README: the report about its broken file, as the program prints it on a terminal.
//! `UPDATE_GOLDEN=1` draws it anew.

use crate::cli::{Scratch, hcl, text};
use crate::support::golden::{Golden, root};

#[test]
fn the_picture_shows_what_the_program_prints() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let (_, file) = readme.split_once("```hcl broken.hcl\n").expect("the broken file");
    let scratch = Scratch::new("picture");
    scratch.write("broken.hcl", file.split("```").next().unwrap_or_default());
    let output = hcl().current_dir(&scratch.0).args(["check", "--color", "always", "broken.hcl"]).output();
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let printed = format!("$ hcl check broken.hcl\n{}{}", text(&output.stdout), text(&output.stderr));
    // The dark red of terminals is hard to read on black.
    let picture = anstyle_svg::Term::new().render_svg(&printed).replace("#AA0000", "#FF5555");
    let mut golden = Golden::new();
    golden.check(&root().join("docs/report.svg"), &picture);
    golden.finish();
}
