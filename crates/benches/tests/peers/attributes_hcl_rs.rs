use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Config {
    name: String,
    workers: u16,
    ratio: f64,
    debug: bool,
    tags: Vec<String>,
}

pub fn run(text: &str) -> Result<String, String> {
    let config: Config = hcl::from_str(text).map_err(|error| error.to_string())?;
    Ok(format!("{config:?}"))
}
