//! Examples as programs.

use std::path::Path;
use std::process::Command;

/// Runs an example through cargo, which compiles it if it is not compiled yet.
pub fn run(package: &str, example: &str, arguments: &[&str]) -> String {
    let folder = crate::golden::root();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(["run", "--quiet", "--offline", "--package", package, "--example", example]);
    command.arg("--target-dir").arg(target);
    // The same for all of them, so that the library is built once.
    command.arg("--all-features");
    // Two of the examples read this besides a file.
    command.env("APP_WORKERS", "3");
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.arg("--").args(arguments).output().expect("cargo runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let status = output.status.code().expect("a status");
    assert!(status < 2, "{example}: {}", text(&output.stderr));
    format!("{}--- standard error, status {status}\n{}", text(&output.stdout), text(&output.stderr))
}
