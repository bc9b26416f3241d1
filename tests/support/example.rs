//! Examples as programs.

use std::path::Path;
use std::process::Command;
use std::sync::Once;

/// Builds the examples with the features that `cargo test` builds them with, so that nothing is compiled twice.
fn build(package: &str, target: &Path) {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(crate::golden::root()).args(["build", "--quiet", "--offline", "--examples"]);
    if package != "hcl-lr" {
        command.args(["--package", package]);
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.arg("--target-dir").arg(target).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs an example of a package, which all tests of a program take from the same one.
pub fn run(package: &str, example: &str, arguments: &[&str]) -> String {
    static BUILT: Once = Once::new();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    BUILT.call_once(|| build(package, target));
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let program = target.join(profile).join("examples").join(example).with_extension(std::env::consts::EXE_EXTENSION);
    let mut command = Command::new(program);
    // Two of the examples read this besides a file.
    command.current_dir(crate::golden::root()).args(arguments).env("APP_WORKERS", "3");
    let output = command.output().expect("the example runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let status = output.status.code().expect("a status");
    assert!(status < 2, "{example}: {}", text(&output.stderr));
    format!("{}--- standard error, status {status}\n{}", text(&output.stdout), text(&output.stderr))
}
