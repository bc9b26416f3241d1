//! `hcl merge` as the merge driver of git, and `hcl diff` as what git shows differences with.

use std::path::Path;
use std::process::Command;

use super::cli::{Scratch, text};

/// Runs git in a folder; returns its status and its output.
fn git(folder: &Path, args: &[&str]) -> (bool, String) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(args);
    // Only the configuration of the test counts.
    command.env("GIT_CONFIG_GLOBAL", folder.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().expect("git runs");
    (output.status.success(), [text(&output.stdout), text(&output.stderr)].concat())
}

#[test]
#[ignore = "needs git"]
fn needs_git_it_merges_and_compares_by_structure() {
    let scratch = Scratch::new("git-merge");
    let folder = &scratch.0;
    let run = |args: &[&str]| {
        let (fine, output) = git(folder, args);
        assert!(fine, "{args:?}: {output}");
        output
    };
    let program = env!("CARGO_BIN_EXE_hcl");
    run(&["init", "-q", "-b", "main"]);
    let driver = format!("'{program}' merge --in-place %O %A %B --path %P --marker-size %L");
    run(&["config", "merge.hcl.driver", &driver]);
    let differ = format!("f() {{ '{program}' diff --color never \"$2\" \"$5\"; test $? -lt 2; }}; f");
    run(&["config", "diff.hcl.command", &differ]);
    scratch.write(".gitattributes", "*.tf merge=hcl diff=hcl\n");
    let base = "service \"web\" {\n  port = 80\n  tags = { team = \"shop\" }\n}\n";
    scratch.write("main.tf", base);
    run(&["add", "."]);
    run(&["commit", "-qm", "base"]);
    run(&["checkout", "-qb", "topic"]);
    scratch.write("main.tf", &base.replace("{ team", "{ cost = 1, team"));
    run(&["commit", "-qam", "theirs"]);
    run(&["checkout", "-q", "main"]);
    scratch.write("main.tf", &base.replace("80", "8080 # public").replace("\"shop\"", "\"store\""));
    let shown = run(&["diff"]);
    assert!(shown.contains("main.tf:2: changed service.web.port (was "), "{shown}");
    assert!(shown.contains("  - 80\n  + 8080\n"), "{shown}");
    run(&["commit", "-qam", "ours"]);
    run(&["merge", "-q", "--no-edit", "topic"]);
    let merged = std::fs::read_to_string(scratch.path("main.tf")).expect("the file");
    let expected = "service \"web\" {\n  port = 8080 # public\n  tags = { cost = 1, team = \"store\" }\n}\n";
    assert_eq!(merged, expected);
    // A conflict is left to people.
    run(&["checkout", "-qb", "rival", "topic~1"]);
    scratch.write("main.tf", &base.replace("80", "90"));
    run(&["commit", "-qam", "rival"]);
    let (fine, output) = git(folder, &["merge", "main"]);
    assert!(!fine && output.contains("main.tf"), "{output}");
    let merged = std::fs::read_to_string(scratch.path("main.tf")).expect("the file");
    let conflict = "<<<<<<< ours\n  port = 90\n=======\n  port = 8080 # public\n>>>>>>> theirs\n";
    assert_eq!(merged, expected.replace("  port = 8080 # public\n", conflict));
}
