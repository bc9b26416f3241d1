//! Types that hcl-rs and this crate write in different ways.

use hcl_lr::typed::BlockOf;
use serde::Serialize;

#[derive(Serialize)]
struct Port {
    port: u16,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Run { command: &'static str },
}

/// Tests the claims of the guide about moving over.
#[test]
fn hcl_rs_writes_some_things_otherwise() {
    #[derive(Serialize)]
    struct Config<B> {
        none: Option<u8>,
        object: Port,
        step: B,
    }
    let config = |step| Config { none: None, object: Port { port: 1 }, step };
    let run = || Step::Run { command: "ls" };
    let theirs = hcl::to_string(&config(hcl::ser::Block::new(run()))).expect("it can be written");
    assert_eq!(theirs, "none = null\nobject = {\n  \"port\" = 1\n}\n\nstep {\n  run {\n    command = \"ls\"\n  }\n}\n");
    let config = Config { none: None, object: Port { port: 1 }, step: BlockOf(run()) };
    assert_eq!(
        hcl_lr::to_string(&config).expect("it can be written"),
        "object = {\n  port = 1\n}\n\nstep \"run\" {\n  command = \"ls\"\n}\n"
    );
}
