//! Emacs as a client, without a screen: `tests/emacs/session.el` follows the instructions for Emacs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::golden::Golden;
use super::neovim::program;

#[test]
#[ignore = "needs emacs"]
fn needs_emacs_it_shows_what_the_server_answers() {
    let program = program().expect("`cargo test` builds the example `serve`");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folder = std::env::temp_dir().join(format!("hcl-emacs-{}", std::process::id()));
    let (work, programs) = (folder.join("work"), folder.join("bin"));
    fs::create_dir_all(&work).expect("a folder");
    fs::create_dir_all(&programs).expect("a folder");
    fs::copy(tests.join("neovim/terraform/main.tf"), work.join("main.tf")).expect("copied");
    // The instructions name the program as it is in the path.
    fs::copy(program, programs.join("hcl").with_extension(std::env::consts::EXE_EXTENSION)).expect("copied");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let output = Command::new("emacs")
        .args(["--batch", "-l"])
        .arg(tests.join("emacs/session.el"))
        .env("README", tests.join("../../../editors/emacs/README.md"))
        .env("PATH", path)
        .env("HOME", &folder)
        .current_dir(&work)
        .stdin(Stdio::null())
        .output()
        .expect("emacs runs");
    let _ = fs::remove_dir_all(&folder);
    let mut golden = Golden::new();
    golden.check(&tests.join("emacs/session.txt"), &String::from_utf8_lossy(&output.stdout));
    golden.finish();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
