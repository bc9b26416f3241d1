//! Merges defaults, a file and the environment with figment: `figment [FILE]`. Environment variables begin with `APP_`,
//! such as `APP_WORKERS=3` and `APP_DATABASE__PORT=6543`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use figment::Figment;
use figment::providers::{Env, Serialized};
use hcl_lr_adapters::figment::Hcl;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Deserialize, Serialize)]
struct Config {
    name: String,
    workers: u8,
    verbose: bool,
    database: Database,
    route: BTreeMap<String, Route>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Database {
    host: String,
    port: u16,
}

#[derive(Debug, Deserialize, Serialize)]
struct Route {
    to: String,
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/app.hcl".to_owned());
    let config = Figment::from(Serialized::defaults(Config { workers: 1, ..Config::default() }))
        .merge(Hcl::file_exact(path))
        .merge(Env::prefixed("APP_").split("__"))
        .extract::<Config>();
    match config {
        Ok(config) => println!("{config:#?}"),
        Err(errors) => {
            for error in errors {
                eprintln!("error: {error}");
            }
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
