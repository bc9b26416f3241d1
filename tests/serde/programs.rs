//! Configurations of programs as people write them, to see what is said about mistakes in them.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;

use hcl_lr::typed::{Labeled, Template};
use hcl_lr::{Expression, Value};
use serde::Deserialize;

/// Pipelines of a build server.
#[derive(Deserialize, Debug)]
pub struct Pipelines {
    pub version: u8,
    #[serde(default)]
    pub defaults: Defaults,
    pub pipeline: BTreeMap<String, Pipeline>,
    #[serde(default)]
    pub notify: Vec<Notify>,
}

#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    pub image: Option<String>,
    pub timeout: Option<Seconds>,
    pub retries: u8,
}

#[derive(Deserialize, Debug)]
pub struct Pipeline {
    #[serde(default)]
    pub on: Vec<Event>,
    #[serde(rename = "if")]
    pub condition: Option<Expression>,
    #[serde(default)]
    pub env: HashMap<String, String>,
    pub step: Vec<Step>,
    pub matrix: Option<BTreeMap<String, Vec<Value>>>,
}

#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    Push,
    PullRequest,
    Schedule,
}

#[derive(Deserialize, Debug)]
pub struct Step {
    #[serde(rename = "$label")]
    pub name: String,
    #[serde(default)]
    pub needs: Vec<String>,
    #[serde(flatten)]
    pub limits: Limits,
    pub run: Option<Run>,
    pub cache: Option<Cache>,
}

#[derive(Deserialize, Debug)]
pub struct Limits {
    pub timeout: Option<Seconds>,
    #[serde(default)]
    pub cpus: u16,
    pub memory: Option<Size>,
}

/// A command, or its words.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Run {
    Line(String),
    Words(Vec<String>),
    Script { shell: String, lines: Vec<String> },
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    pub key: Template,
    pub paths: Vec<PathBuf>,
}

#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Notify {
    Mail { to: Vec<String>, only_failures: bool },
    Web { url: String, retries: u8 },
}

#[derive(Deserialize, Debug)]
#[serde(try_from = "String")]
pub struct Seconds(pub u64);

impl TryFrom<String> for Seconds {
    type Error = String;

    fn try_from(text: String) -> Result<Seconds, String> {
        let (number, unit) = text.split_at(text.len().saturating_sub(1));
        let factor = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            _ => return Err(format!("{text:?} has none of the units s, m and h")),
        };
        number.parse::<u64>().map(|number| Seconds(number * factor)).map_err(|_| format!("{text:?} is no duration"))
    }
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Size {
    Bytes(u64),
    Text(String),
}

/// A load balancer.
#[derive(Deserialize, Debug)]
pub struct Balancer {
    pub admin: Option<SocketAddr>,
    pub log: Log,
    pub frontend: Vec<Labeled<Frontend>>,
    pub backend: BTreeMap<String, Backend>,
}

#[derive(Deserialize, Debug)]
pub struct Log {
    pub level: Level,
    #[serde(default)]
    pub format: Format,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Text,
    Json {
        pretty: bool,
    },
}

#[derive(Deserialize, Debug)]
pub struct Frontend {
    pub bind: Vec<SocketAddr>,
    pub tls: Option<Tls>,
    #[serde(default)]
    pub route: Vec<Route>,
    pub default_backend: String,
}

#[derive(Deserialize, Debug)]
pub struct Tls {
    pub certificate: PathBuf,
    pub key: PathBuf,
    #[serde(default)]
    pub protocols: Vec<Protocol>,
}

#[derive(Deserialize, Debug)]
pub enum Protocol {
    #[serde(rename = "TLSv1.2")]
    Tls12,
    #[serde(rename = "TLSv1.3")]
    Tls13,
}

#[derive(Deserialize, Debug)]
pub struct Route {
    pub host: Option<String>,
    pub path: Option<String>,
    pub backend: String,
    pub weight: Option<f32>,
}

#[derive(Deserialize, Debug)]
pub struct Backend {
    #[serde(default)]
    pub balance: Balance,
    pub server: BTreeMap<String, Server>,
    pub health: Option<Health>,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Balance {
    #[default]
    RoundRobin,
    LeastConnections,
    Header(String),
}

#[derive(Deserialize, Debug)]
pub struct Server {
    pub address: IpAddr,
    pub port: u16,
    #[serde(default)]
    pub backup: bool,
}

#[derive(Deserialize, Debug)]
pub struct Health {
    pub path: String,
    pub interval: NonZeroU32,
    pub expect: (u16, u16),
}

/// A job that is scheduled on a cluster.
#[derive(Deserialize, Debug)]
pub struct Jobs {
    pub job: BTreeMap<String, Job>,
}

#[derive(Deserialize, Debug)]
pub struct Job {
    pub datacenters: Vec<String>,
    #[serde(rename = "type", default)]
    pub kind: Kind,
    pub group: BTreeMap<String, Group>,
    #[serde(default)]
    pub constraint: Vec<Constraint>,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Service,
    Batch,
    System,
}

#[derive(Deserialize, Debug)]
pub struct Constraint {
    pub attribute: Template,
    pub operator: Option<String>,
    pub value: String,
}

#[derive(Deserialize, Debug)]
pub struct Group {
    pub count: Option<u32>,
    pub network: Option<Network>,
    pub task: BTreeMap<String, Task>,
    pub restart: Option<Restart>,
}

#[derive(Deserialize, Debug)]
pub struct Network {
    pub mode: Option<String>,
    pub port: BTreeMap<String, Port>,
}

#[derive(Deserialize, Debug)]
pub struct Port {
    #[serde(rename = "static")]
    pub fixed: Option<u16>,
    pub to: Option<u16>,
}

#[derive(Deserialize, Debug)]
pub struct Restart {
    pub attempts: u8,
    pub delay: Seconds,
}

#[derive(Deserialize, Debug)]
pub struct Task {
    pub driver: String,
    pub config: BTreeMap<String, Value>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    pub resources: Resources,
    #[serde(default)]
    pub template: Vec<FileTemplate>,
}

#[derive(Deserialize, Debug)]
pub struct Resources {
    pub cpu: u32,
    pub memory: u32,
}

#[derive(Deserialize, Debug)]
pub struct FileTemplate {
    pub data: String,
    pub destination: PathBuf,
}
