use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::Body;

#[derive(Debug)]
#[allow(dead_code)]
struct Listener {
    host: String,
    port: u16,
}

/// hcl-rs has no places, so the rule is checked on the tree of hcl-edit.
fn listener(body: &Body, text: &str) -> Result<Listener, String> {
    let find = |name: &str| body.get_attribute(name).ok_or_else(|| format!("missing field `{name}`"));
    let host = find("host")?.value.as_str().ok_or("`host` is no string")?.to_owned();
    let port: &Expression = &find("port")?.value;
    let start = port.span().map_or(0, |span| span.start);
    let line = text[..start].lines().count().max(1);
    let number = port.as_number().and_then(|number| number.as_u64()).ok_or_else(|| format!("line {line}: `port` is no number"))?;
    let number = u16::try_from(number).map_err(|_| format!("line {line}: {number} is no port"))?;
    if number < 1024 {
        return Err(format!("line {line}: port {number} is reserved"));
    }
    Ok(Listener { host, port: number })
}

pub fn run(text: &str) -> Result<String, String> {
    let body: Body = text.parse().map_err(|error: hcl_edit::parser::Error| error.to_string())?;
    let listeners = body.get_blocks("listener").map(|block| listener(&block.body, text)).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{listeners:?}"))
}
