use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Careful,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Plan {
    mode: Mode,
    #[serde(rename = "$blocks")]
    steps: Vec<Step>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
enum Step {
    Copy { from: String, to: String },
    Wait { seconds: u32 },
}

pub fn run(text: &str) -> Result<String, String> {
    let plan: Plan = hcl_lr::from_str(text).map_err(|errors| errors.render())?;
    Ok(format!("{plan:?}"))
}
