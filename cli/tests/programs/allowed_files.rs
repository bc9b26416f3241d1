//! Files that functions may read with `--allow-files`: nothing outside of the folder, by whatever path.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::cli::{hcl, text};

#[test]
fn links_and_pipes_do_not_lead_out_of_the_folder() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("allowed-files-{}", std::process::id()));
    let folder = root.join("app");
    fs::create_dir_all(folder.join("own")).expect("folders");
    fs::create_dir_all(root.join("other/deep")).expect("folders");
    fs::write(root.join("secret.txt"), "hunter2").expect("a file");
    fs::write(root.join("other/deep/more.txt"), "hunter2").expect("a file");
    fs::write(folder.join("own/fine.txt"), "fine").expect("a file");
    fs::write(folder.join("main.tf"), "locals {\n  a = 1\n}\n").expect("a file");
    symlink("../secret.txt", folder.join("link.txt")).expect("a link");
    symlink("../other", folder.join("linked")).expect("a link");
    symlink("own/fine.txt", folder.join("inner.txt")).expect("a link");
    symlink("loop", folder.join("loop")).expect("a link");
    let eval = |expression: &str| {
        let mut command = hcl();
        command.current_dir(&folder).args(["eval", ".", "--allow-files", "--expr", expression]);
        command.output().expect("it runs")
    };
    for expression in [
        r#"file("link.txt")"#,
        r#"file("../secret.txt")"#,
        r#"file("linked/deep/more.txt")"#,
        r#"file("own/../../secret.txt")"#,
        r#"filebase64("link.txt")"#,
        r#"filemd5("link.txt")"#,
        r#"templatefile("link.txt", {})"#,
        r#"fileexists("link.txt")"#,
        r#"fileexists("../no-such-file")"#,
        r#"fileset("linked", "**")"#,
        r#"fileset("..", "*")"#,
        r#"file("loop")"#,
        r#"file("/dev/zero")"#,
        r#"file(".")"#,
        "file(\"a\\u0000b\")",
    ] {
        let output = eval(expression);
        assert_eq!(output.status.code(), Some(1), "{expression}: {output:?}");
        assert!(!format!("{output:?}").contains("hunter2"), "{expression}: {output:?}");
    }
    assert_eq!(text(&eval(r#"file("inner.txt")"#).stdout), "\"fine\"\n");
    // A link to a file of the folder is one of its files; a link out of the folder is not, and no folder is followed.
    let output = eval(r#"fileset(".", "**")"#);
    assert_eq!(text(&output.stdout), "[\"inner.txt\", \"main.tf\", \"own/fine.txt\"]\n");
    fs::remove_dir_all(root).expect("the folder can be removed");
}
