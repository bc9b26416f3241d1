//! The guide for drivers, followed by someone who has nothing but the guide and the release artifact: from an empty folder
//! to a report, in Python and in Rust. With `HCL_STRANGER_TIMES=1` the time of each step is printed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use super::cli::text;
use hcl_lr_conformance::suite::SUITE_VERSION;

fn root() -> &'static Path {
    crate::support::golden::root()
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Does a step, and prints its time if that is asked for.
fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    if std::env::var_os("HCL_STRANGER_TIMES").is_some() {
        let _ = writeln!(std::io::stderr(), "{name}: {:.1} seconds", start.elapsed().as_secs_f64());
    }
    result
}

fn run(program: &str, args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).output().expect("it starts")
}

/// A fenced text of the guide: the first one in this language after a heading.
fn fence(guide: &str, heading: &str, language: &str) -> String {
    let (_, section) = guide.split_once(heading).expect("the section");
    let (_, rest) = section.split_once(&format!("```{language}\n")).expect("a fence");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// The release artifact, made in a folder.
fn bundle(folder: &Path) -> PathBuf {
    let made = run("python3", &["crates/conformance/bundle.py", folder.to_str().expect("a path")], root());
    assert!(made.status.success(), "{}", text(&made.stderr));
    PathBuf::from(text(&made.stdout).trim())
}

/// The program for a driver in Rust, built from the text of the guide with the serde_json of this workspace, which the
/// tests are linked with.
fn rust_driver(source: &str, folder: &Path) -> PathBuf {
    let main = folder.join("main.rs");
    fs::write(&main, source).expect("a file");
    let dependencies = std::env::current_exe().expect("a path").parent().expect("a folder").to_owned();
    let entries = fs::read_dir(&dependencies).expect("the folder of the dependencies");
    let is_serde_json = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libserde_json-") && name.ends_with(".rlib")
    };
    let built: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).filter(is_serde_json).collect();
    let driver = folder.join("driver");
    let mut why = String::new();
    // There may be several, of other features or of another compiler.
    for library in &built {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command.args(["--edition", "2024", "-o"]).arg(&driver).arg(&main);
        command.arg("-L").arg(format!("dependency={}", dependencies.display()));
        let output = command.arg("--extern").arg(format!("serde_json={}", library.display())).output();
        let output = output.expect("rustc starts");
        if output.status.success() {
            return driver;
        }
        why = text(&output.stderr).to_owned();
    }
    panic!("the program of the guide does not compile with any of {built:?}:\n{why}");
}

/// The report without the time of the slowest answer.
fn untimed(report: &str) -> String {
    report.lines().filter(|line| !line.starts_with("slowest answer")).map(|line| format!("{line}\n")).collect()
}

#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_from_an_empty_folder_to_a_report() {
    let guide = fs::read_to_string(root().join("docs/write-a-driver.md")).expect("the guide");
    let place = folder("stranger");
    step("make the artifact", || bundle(&place));
    fs::write(place.join("driver.py"), fence(&guide, "## From an empty folder", "python")).expect("a file");
    // The commands of the guide, as they are.
    let commands = fence(&guide, "## Without a checkout", "sh");
    assert!(commands.contains(&format!("hcl-conformance-{SUITE_VERSION}/run.py")), "{commands}");
    let report = step("unpack, and run the driver in Python", || run("sh", &["-c", &commands], &place));
    let (shown, err) = (untimed(text(&report.stdout)), text(&report.stderr));
    // It accepts what it should not.
    assert_eq!((report.status.code(), err), (Some(1), ""), "{shown}");
    let last = shown.lines().find(|line| line.starts_with("mine 0.1: ")).expect("a summary");
    assert!(last.contains(" right, ") && !last.contains(" 0 right") && !last.contains(" 0 wrong"), "{last}");
    assert!(shown.contains("\n  from native-syntax, "), "{shown}");

    // The command for a checkout is that of its folder.
    let command = fence(&guide, "## From an empty folder", "sh");
    let driver = place.join("driver.py");
    let command = command.replace("driver.py", driver.to_str().expect("a path"));
    let checkout = step("the same in a checkout", || run("sh", &["-c", &command], root()));
    assert_eq!((checkout.status.code(), untimed(text(&checkout.stdout))), (Some(1), shown.clone()));

    let hcl = env!("CARGO_BIN_EXE_hcl");
    let second = step("the same with the runner in Rust", || {
        run(hcl, &["conformance", "run", "--", "python3", "driver.py"], &place)
    });
    assert_eq!((second.status.code(), untimed(text(&second.stdout))), (Some(1), shown.clone()));

    let source = fence(&guide, "## From an empty folder", "rust,no_run");
    let driver = step("compile the driver in Rust", || rust_driver(&source, &place));
    let driver = driver.to_str().expect("a path");
    let runner = format!("hcl-conformance-{SUITE_VERSION}/run.py");
    let third = step("run the driver in Rust", || run("python3", &[&runner, "--", driver], &place));
    assert_eq!((third.status.code(), untimed(text(&third.stdout))), (Some(1), shown));
}

/// The drivers of the guide in Go, TypeScript and Java answer as the one in Python does.
#[cfg(unix)]
#[test]
#[ignore = "needs go"]
fn needs_go_the_driver_in_go_answers_as_the_one_in_python() {
    driver_answers("go", "driver.go", &["go", "run", "driver.go"]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs typescript"]
fn needs_typescript_the_driver_in_typescript_answers_as_the_one_in_python() {
    let compiled =
        "tsc --target es2022 --module nodenext --skipLibCheck --noEmitOnError false driver.ts >&2; exec node driver.js";
    driver_answers("ts", "driver.ts", &["sh", "-c", compiled]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs java"]
fn needs_java_the_driver_in_java_answers_as_the_one_in_python() {
    let compiled = "javac -cp \"$HCL_LR_GSON\" Driver.java && exec java -cp \"$HCL_LR_GSON:.\" Driver";
    driver_answers("java", "Driver.java", &["sh", "-c", compiled]);
}

/// Asks a driver of the guide some questions, and compares its answers with those of the guide's functions.
#[cfg(unix)]
fn driver_answers(kind: &str, name: &str, command: &[&str]) {
    let guide = fs::read_to_string(root().join("docs/write-a-driver.md")).expect("the guide");
    let place = folder(&format!("stranger-{kind}"));
    fs::write(place.join(name), fence(&guide, "## From an empty folder", kind)).expect("a file");
    let questions =
        [r#"{"op":"about","id":1}"#, r#"{"op":"config","src":"a {","id":2}"#, r#"{"op":"expr","src":"1","id":"x"}"#];
    let wanted = [
        r#"{"id":1,"name":"mine","operations":["about","config"],"protocol":1,"reads":"files","version":"0.1"}"#,
        r#"{"diags":[],"id":2,"ok":false}"#,
        r#"{"id":"x","unsupported":"expr"}"#,
    ];
    fs::write(place.join("questions"), questions.map(|line| format!("{line}\n")).concat()).expect("a file");
    let input = fs::File::open(place.join("questions")).expect("a file");
    let mut program = Command::new(command[0]);
    let output = program.args(&command[1..]).current_dir(&place).stdin(input).output().expect("the driver runs");
    let answers: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let wanted = wanted.map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    assert_eq!(answers, wanted, "{}", text(&output.stderr));
    // The runner asks it the suite, and it is as often right as the one in Python.
    let args = [&["conformance", "run", "--only", "native", "--"], command].concat();
    let report = run(env!("CARGO_BIN_EXE_hcl"), &args, &place);
    fs::write(place.join("driver.py"), fence(&guide, "## From an empty folder", "python")).expect("a file");
    let args = ["conformance", "run", "--only", "native", "--", "python3", "driver.py"];
    let second = run(env!("CARGO_BIN_EXE_hcl"), &args, &place);
    let [shown, wanted] = [&report, &second].map(|report| untimed(text(&report.stdout)));
    assert!(wanted.contains("\nmine 0.1: "), "{wanted}");
    assert_eq!((report.status.code(), shown), (second.status.code(), wanted), "{}", text(&report.stderr));
}

/// The artifact has what is needed and nothing else, and the same files give the same bytes.
#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_the_artifact_is_whole() {
    let (one, two) = (folder("bundle-one"), folder("bundle-two"));
    let (first, second) = (bundle(&one), bundle(&two));
    assert_eq!(fs::read(&first).expect("the artifact"), fs::read(&second).expect("the artifact"));
    let name = format!("hcl-conformance-{SUITE_VERSION}");
    assert_eq!(first, one.join(format!("{name}.tar.gz")));
    let listed = run("tar", &["-tzf", first.to_str().expect("a path")], &one);
    let listed = text(&listed.stdout);
    let files: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix(&format!("{name}/"))).collect();
    for file in
        ["suite.jsonl", "run.py", "PROTOCOL.md", "texts/rulings.md", "LICENSE-MIT", "action.yml", "versions.txt"]
    {
        assert!(files.contains(&file), "{file} is not among {files:?}");
    }
    assert_eq!(files.len(), listed.lines().count(), "{listed}");
    // Each is also in the package.
    let package = fs::read_to_string(root().join("crates/conformance/Cargo.toml")).expect("the package");
    for file in &files {
        let part = file.split(['/', '-']).next().unwrap_or_default();
        assert!(package.contains(&format!("\"/{part}")), "{file} is not in the package");
    }
    // The texts that statements cite are all there.
    for text in fs::read_dir(root().join("crates/conformance/texts")).expect("the texts") {
        let text = format!("texts/{}", text.expect("a text").file_name().to_string_lossy());
        assert!(files.contains(&text.as_str()), "{text}");
    }
    let checked = run("sha256sum", &["--check", &format!("{name}.tar.gz.sha256")], &one);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

/// The step of the GitHub action keeps arguments with blanks together.
#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_the_action_asks_a_driver_whose_arguments_have_blanks() {
    let action = fs::read_to_string(root().join("crates/conformance/action.yml")).expect("the action");
    assert!(action.contains("uses: OWNER/REPO/crates/conformance@TAG"), "{action}");
    let (_, script) = action.split_once("run: |\n").expect("a script");
    let place = folder("action with blanks");
    let driver = place.join("my driver.py");
    fs::copy(root().join("crates/conformance/drivers/example.py"), &driver).expect("a copy");
    fs::write(place.join("known failures.txt"), "native.number.1.1\n").expect("a file");
    let mut command = Command::new("bash");
    command.args(["-e", "-c", script]).current_dir(&place).stdin(Stdio::null());
    command.env("DRIVER", "python3 'my driver.py'").env("BASELINE", "known failures.txt").env("SKIP", "");
    command.env("REPORT", "the report.json").env("RUNNER_FILE", root().join("crates/conformance/run.py"));
    let output = command.output().expect("bash starts");
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""), "{shown}");
    assert!(shown.contains("new passes, to be removed from the baseline (1): native.number.1.1\n"), "{shown}");
    let report = fs::read_to_string(place.join("the report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["changes"]["passes"][0], "native.number.1.1");
}
