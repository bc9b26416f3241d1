use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Config {
    #[serde(default)]
    service: BTreeMap<String, Service>,
    #[serde(default)]
    resource: BTreeMap<String, BTreeMap<String, Resource>>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Service {
    image: String,
    replicas: Option<u32>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Resource {
    size: u8,
}

pub fn run(text: &str) -> Result<String, String> {
    let config: Config = hcl::from_str(text).map_err(|error| error.to_string())?;
    Ok(format!("{config:?}"))
}
