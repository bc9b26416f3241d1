//! Every message about what does not fit, as it is shown.
//!
//! The cases of `fixtures/serde/errors/TYPE.md` are read as a type that [`read`] names, and `messages` is
//! what is printed for them. A name that begins with `warn-` or `refuse-` says what to do
//! with names that a structure does not have.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::net::IpAddr;
use std::num::NonZeroU8;

use hcl_lr::model::{Number, Type, Value};
use hcl_lr::source::Source;
use hcl_lr::typed::{BlockOf, Labeled, Labels, Reader, Template, UnknownFields};
use hcl_lr::{Diagnostics, Expression, Scope, functions};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::golden::{Golden, cases};
use crate::programs::{Balancer, Jobs, Pipelines};

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Gateway {
    domain: String,
    workers: u16,
    #[serde(default)]
    mode: Mode,
    tls: Option<Tls>,
    listener: Vec<Listener>,
    backend: BTreeMap<String, Backend>,
    #[serde(default)]
    weights: Vec<f32>,
    #[serde(default)]
    enabled: bool,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only errors are looked at")]
enum Mode {
    #[default]
    Fast,
    Careful,
    Custom {
        retries: u8,
    },
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Tls {
    cert: String,
    key: String,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Listener {
    #[serde(rename = "$label")]
    name: String,
    port: u16,
    #[serde(default)]
    hosts: Vec<String>,
}

/// A structure with a field for which nothing can stand in.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Backend {
    address: IpAddr,
    spare: Option<IpAddr>,
    weight: i8,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Strict {
    name: String,
    inner: Option<Inner>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Inner {
    size: u8,
}

/// The types that serde buffers and reads later without places.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Buffered {
    port: u16,
    #[serde(flatten)]
    common: Common,
    #[serde(default)]
    job: Vec<Job>,
    #[serde(default)]
    either: Option<Either>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Common {
    owner: String,
    size: u8,
    retries: Option<u8>,
    #[serde(default)]
    limit: Vec<Inner>,
}

#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "only errors are looked at")]
enum Job {
    Copy { from: String, count: u8 },
    Wait { seconds: u8 },
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
#[allow(dead_code, reason = "only errors are looked at")]
enum Either {
    Number(u8),
    Inner(Inner),
}

/// One of each type that a message may be about.
#[derive(Deserialize, Debug, Default)]
#[serde(default)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Small {
    flag: Option<bool>,
    letter: Option<char>,
    pair: Option<(u8, u8)>,
    array: Option<[u8; 2]>,
    nothing: Option<()>,
    count: Option<NonZeroU8>,
    big: Option<i128>,
    float: Option<f32>,
    number: Option<Number>,
    ty: Option<Type>,
    block: Option<BlockOf<Inner>>,
    labeled: Option<Labeled<Inner>>,
    template: Option<Template>,
    expression: Option<Expression>,
    value: Option<Value>,
    map: Option<BTreeMap<u8, bool>>,
    set: Option<HashSet<String>>,
    mode: Option<Mode>,
    text: String,
    percent: Option<Percent>,
    plain: Option<Inner>,
    by_label: BTreeMap<String, Inner>,
    ids: Vec<Identified>,
    once: Option<Identified>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Identified {
    id: Labels,
    size: u8,
}

/// Lists of blocks, some of them with a number of labels.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Blocks {
    step: Vec<Inner>,
    named: Vec<Named>,
    tags: Vec<BTreeMap<String, u8>>,
    spanned: Vec<serde_spanned::Spanned<Option<Inner>>>,
    block: Vec<BlockOf<Inner>>,
    words: Vec<String>,
    any: Vec<Labeled<Inner>>,
    one: Vec<Labeled<Inner, String>>,
    two: Vec<Labeled<Inner, [String; 2]>>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Named {
    #[serde(rename = "$label")]
    name: String,
    size: u8,
}

/// A type with a rule of its own.
#[derive(Deserialize, Debug)]
#[serde(try_from = "u16")]
struct Percent(#[allow(dead_code, reason = "only errors are looked at")] u16);

impl TryFrom<u16> for Percent {
    type Error = String;

    fn try_from(number: u16) -> Result<Percent, String> {
        if number <= 100 { Ok(Percent(number)) } else { Err(format!("{number} is more than 100 %")) }
    }
}

/// Blocks of several types in one list.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only errors are looked at")]
enum Step {
    Copy(Inner),
    Wait { seconds: u8 },
    Stop,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Recursive {
    size: u8,
    child: Option<Box<Recursive>>,
}

/// Values of which there are several forms, with and without something buffered around them.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Forms {
    target: Option<Target>,
    #[serde(default)]
    targets: Vec<Target>,
    #[serde(flatten)]
    more: MoreForms,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct MoreForms {
    #[serde(default)]
    fallback: Vec<Target>,
    limit: Option<Percent>,
    #[serde(default)]
    by_name: BTreeMap<String, Target>,
    #[serde(default)]
    inner: Vec<Inner>,
    #[serde(default)]
    mode: Mode,
    pair: Option<(u8, u8)>,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
#[allow(dead_code, reason = "only errors are looked at")]
enum Target {
    Port(u16),
    Names(Vec<String>),
    Address { host: String, port: u16 },
    Pair(u8, u8),
    Limited(Limited),
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Limited {
    limit: Percent,
}

/// Blocks with and without labels.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct ByLabel {
    #[serde(default)]
    service: BTreeMap<String, Service>,
    #[serde(default)]
    resource: BTreeMap<String, BTreeMap<String, Service>>,
    #[serde(default)]
    task: Vec<Task>,
    #[serde(default)]
    job: Vec<Job>,
    #[serde(default)]
    counts: BTreeMap<String, u8>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Service {
    port: u16,
    health: Option<Inner>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Task {
    command: Option<String>,
    #[serde(flatten)]
    limits: Limits,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Limits {
    cpu: u8,
    memory: Option<u8>,
}

/// Mistakes that must not hide each other.
#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Collected {
    #[serde(alias = "addr")]
    address: String,
    port: u16,
    max_size: Option<u8>,
    method: Option<Method>,
    server: Vec<Server>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
enum Method {
    #[serde(rename = "GET")]
    Get,
    #[serde(rename = "POST")]
    Post,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Server {
    #[serde(rename = "$label")]
    name: String,
    port: u16,
    address: IpAddr,
    log: Option<BlockOf<Inner>>,
    even: Even,
}

/// A type for which no number stands in.
#[derive(Deserialize, Debug)]
#[serde(try_from = "u16")]
struct Even(#[allow(dead_code, reason = "only errors are looked at")] u16);

impl TryFrom<u16> for Even {
    type Error = String;

    fn try_from(number: u16) -> Result<Even, String> {
        if number > 1 && number.is_multiple_of(2) { Ok(Even(number)) } else { Err(format!("{number} is not even")) }
    }
}

fn read(ty: &str, reader: &Reader<'_>, source: Source) -> Diagnostics {
    fn of<T: DeserializeOwned + Debug>(reader: &Reader<'_>, source: Source) -> Diagnostics {
        match reader.read_source::<T>(source) {
            Ok((_, warnings)) => warnings,
            Err(errors) => errors,
        }
    }
    match ty {
        "gateway" => of::<Gateway>(reader, source),
        "strict" => of::<Strict>(reader, source),
        "buffered" => of::<Buffered>(reader, source),
        "small" => of::<Small>(reader, source),
        "collected" => of::<Collected>(reader, source),
        "steps" => of::<Vec<Step>>(reader, source),
        "forms" => of::<Forms>(reader, source),
        "by_label" => of::<ByLabel>(reader, source),
        "pipelines" => of::<Pipelines>(reader, source),
        "balancer" => of::<Balancer>(reader, source),
        "jobs" => of::<Jobs>(reader, source),
        "recursive" => of::<Recursive>(reader, source),
        "blocks" => of::<Blocks>(reader, source),
        other => panic!("no type {other}"),
    }
}

#[test]
fn messages_are_as_recorded() {
    let scope = Scope::new()
        .with("password", Value::from("hunter2").mark("sensitive"))
        .with("later", Value::unknown(Type::Number))
        .with("port", 8080)
        .with("nothing", Value::NULL)
        .with("servers", vec!["a", "b"])
        .with_functions(functions::standard());
    let mut golden = Golden::new();
    for case in cases("serde/errors") {
        let (name, input) = (case.name.clone(), &case.fences[0]);
        let ty = case.path.file_stem().expect("a name").to_string_lossy().into_owned();
        let unknown_fields = match &name {
            name if name.starts_with("warn-") => UnknownFields::Warn,
            name if name.starts_with("refuse-") => UnknownFields::Error,
            _ => UnknownFields::Ignore,
        };
        let reader = Reader::new().with_scope(&scope).with_unknown_fields(unknown_fields);
        let reader = if ty == "recursive" { reader.max_depth(8) } else { reader };
        let source = Source::from_bytes(&case.file_name(input), input.bytes.clone());
        let found = read(&ty, &reader, source);
        assert!(!found.is_empty(), "{ty}/{name} has nothing wrong");
        golden.check_case(&case, "messages", &found.render());
    }
    golden.finish();
}
