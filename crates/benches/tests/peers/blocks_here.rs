use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Config {
    server: Server,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Server {
    host: String,
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

pub fn run(text: &str) -> Result<String, String> {
    let config: Config = hcl_lr::from_str(text).map_err(|errors| errors.render())?;
    Ok(format!("{config:?}"))
}
