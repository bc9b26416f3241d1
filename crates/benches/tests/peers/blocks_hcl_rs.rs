use serde::{Deserialize, Deserializer};

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Config {
    server: Server,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Server {
    host: String,
    #[serde(default, deserialize_with = "one_or_many")]
    listener: Vec<Listener>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Listener {
    port: u16,
    tls: Option<Tls>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Tls {
    cert: String,
}

/// One block is a map to hcl-rs, two are a sequence.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Listener>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(Listener),
        Many(Vec<Listener>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

pub fn run(text: &str) -> Result<String, String> {
    let config: Config = hcl::from_str(text).map_err(|error| error.to_string())?;
    Ok(format!("{config:?}"))
}
