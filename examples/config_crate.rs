//! Merges defaults, a file and the environment with the package config: `config_crate [FILE]`. Environment variables begin
//! with `APP_`, such as `APP_WORKERS=3` and `APP_DATABASE__PORT=6543`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use config::{ConfigError, Environment, File};
use hcl_lr_adapters::config::Hcl;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is only shown")]
struct Config {
    name: String,
    workers: u8,
    verbose: bool,
    database: Database,
    route: BTreeMap<String, Route>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is only shown")]
struct Database {
    host: String,
    port: u16,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is only shown")]
struct Route {
    to: String,
}

fn load(path: &str) -> Result<Config, ConfigError> {
    config::Config::builder()
        .set_default("workers", 1)?
        .set_default("verbose", false)?
        .add_source(File::new(path, Hcl::new()))
        .add_source(Environment::with_prefix("APP").prefix_separator("_").separator("__").try_parsing(true))
        .build()?
        .try_deserialize()
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/app.hcl".to_owned());
    match load(&path) {
        Ok(config) => println!("{config:#?}"),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
