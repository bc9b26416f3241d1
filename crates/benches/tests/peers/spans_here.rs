use hcl_lr::diagnostic::Diagnostic;
use hcl_lr::source::{Place, Source};
use hcl_lr::Diagnostics;
use serde::Deserialize;
use serde_spanned::Spanned;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Config {
    listener: Vec<Listener>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Listener {
    host: String,
    port: Spanned<u16>,
}

fn read(text: &str) -> Result<Config, Diagnostics> {
    let config: Config = hcl_lr::from_str(text)?;
    let source = std::sync::Arc::new(Source::from(text));
    let reserved = config.listener.iter().filter(|listener| *listener.port.get_ref() < 1024).map(|listener| {
        let place = Place::new(&source, listener.port.span().into());
        Diagnostic::error("acme/reserved-port", place, "this port is reserved")
    });
    let errors: Diagnostics = reserved.collect();
    if errors.is_empty() { Ok(config) } else { Err(errors) }
}

pub fn run(text: &str) -> Result<String, String> {
    let config = read(text).map_err(|errors| errors.render())?;
    let listeners = config.listener.iter().map(|listener| (&listener.host, listener.port.get_ref()));
    Ok(format!("{:?}", listeners.collect::<Vec<_>>()))
}
