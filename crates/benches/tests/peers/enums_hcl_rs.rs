use hcl::{Body, Structure};
use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Careful,
}

#[derive(Debug)]
#[allow(dead_code)]
struct Plan {
    mode: Mode,
    steps: Vec<Step>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
enum Step {
    Copy { from: String, to: String },
    Wait { seconds: u32 },
}

/// hcl-rs puts blocks of one type together, so their order is only kept by going through the body.
fn read(text: &str) -> hcl::Result<Plan> {
    let body: Body = hcl::parse(text)?;
    let (mut mode, mut steps) = (None, Vec::new());
    for structure in body {
        match structure {
            Structure::Attribute(attribute) if attribute.key() == "mode" => {
                mode = Some(hcl::value::from_value(hcl::Value::from(attribute.expr.clone()))?);
            }
            Structure::Attribute(_) => {}
            Structure::Block(block) => {
                let step = Body::from_iter([block]);
                steps.push(hcl::from_body(step)?);
            }
        }
    }
    let mode = mode.ok_or_else(|| <hcl::Error as serde::de::Error>::missing_field("mode"))?;
    Ok(Plan { mode, steps })
}

pub fn run(text: &str) -> Result<String, String> {
    let plan = read(text).map_err(|error| error.to_string())?;
    Ok(format!("{plan:?}"))
}
