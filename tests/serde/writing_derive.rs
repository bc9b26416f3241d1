//! The attribute macro `hcl` (feature `derive`), both ways.

use std::collections::{BTreeMap, HashMap};

use hcl_lr::{from_str, hcl, to_string};
use serde::{Deserialize, Serialize};

#[hcl]
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
struct Config {
    region: String,
    #[hcl(block)]
    log: Option<Log>,
    #[hcl(block)]
    service: Vec<Service>,
    #[hcl(block)]
    user: BTreeMap<String, User>,
    #[hcl(block)]
    #[serde(rename = "grant")]
    grants: BTreeMap<String, HashMap<String, Vec<User>>>,
    #[hcl(blocks)]
    steps: Vec<Step>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Log {
    level: u8,
}

#[hcl]
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Service {
    port: u16,
    #[hcl(label)]
    name: String,
    #[hcl(block)]
    listener: Vec<Listener>,
}

#[hcl]
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Listener {
    #[hcl(labels)]
    address: (String, u16),
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct User {
    admin: bool,
}

#[hcl]
#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Idle,
    Run {
        #[hcl(label)]
        name: String,
        command: String,
    },
    Notify(User),
}

#[test]
fn what_is_written_reads_back() {
    let text = r#"region = "eu"

log {
  level = 3
}

service "web" {
  port = 80

  listener "0.0.0.0" "80" {
  }

  listener "::" "81" {
  }
}

service "db" {
  port = 5432
}

user "Ada" {
  admin = true
}

grant "a" "b" {
  admin = false
}

grant "a" "b" {
  admin = true
}

idle {
}

run "build" {
  command = "make"
}

notify {
  admin = true
}
"#;
    let config: Config = from_str(text).expect("it can be read");
    assert_eq!(config.service[0].listener[1].address, ("::".to_owned(), 81));
    assert_eq!(config.grants["a"]["b"], [User { admin: false }, User { admin: true }]);
    assert_eq!(to_string(&config).expect("it can be written"), text);
}

#[test]
fn what_is_not_there_is_left_out() {
    let config = Config { region: "eu".to_owned(), ..Config::default() };
    let text = to_string(&config).expect("it can be written");
    assert_eq!(text, "region = \"eu\"\n");
    assert_eq!(from_str::<Config>(&text).expect("it can be read"), config);
}

#[test]
fn an_attribute_is_no_block() {
    let errors = from_str::<Config>("region = \"eu\"\nlog = { level = 1 }\n").expect_err("it is an attribute");
    assert_eq!(errors.len(), 1, "{errors}");
}

#[test]
fn no_blocks_in_a_labeled_block() {
    use hcl_lr::typed::{BlockOf, Labeled};

    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Outer {
        a: Labeled<Inner>,
    }
    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Inner {
        a: BlockOf<Vec<User>>,
        b: Vec<BlockOf<User>>,
        c: Wrapper,
    }
    #[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
    struct Wrapper(Option<u8>);
    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Several {
        a: Vec<Labeled<Inner>>,
    }
    let inner = || Labeled::new(["l"; 0], Inner { a: BlockOf(Vec::new()), b: Vec::new(), c: Wrapper(None) });
    let text = to_string(&Outer { a: inner() }).expect("it can be written");
    // serde lets a field be missing if its own type is an option, and not if that is in another one.
    assert_eq!(text, "a {\n  b = []\n  c = null\n}\n");
    assert_eq!(from_str::<Outer>(&text).expect("it can be read"), Outer { a: inner() });
    assert_eq!(from_str::<Several>(&text).expect("it can be read"), Several { a: vec![inner()] });
}
