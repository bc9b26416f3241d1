//! The official engine, as far as its programs are at hand.

use std::io::Write;
use std::process::{Command, Stdio};

use differential::peers::{Answers, Driver};
use serde_json::{Value as Json, json};

use crate::answer::shown;
use crate::table::{Example, UsedParts};

pub struct Engine {
    driver: Option<Driver>,
    tofu: Option<String>,
}

impl Engine {
    pub fn from_environment() -> Engine {
        let named = |variable: &str| std::env::var(variable).ok().filter(|program| !program.is_empty());
        Engine {
            driver: named("OFFICIAL_DRIVER").map(|program| Driver::start(&program).expect("the driver starts")),
            tofu: named("OFFICIAL_TOFU"),
        }
    }

    /// The answer of the official engine; nothing if its program is not at hand, or another test asks it.
    pub fn answer(&mut self, example: &Example) -> Option<Result<Json, String>> {
        match &example.asked {
            UsedParts::Request(request) => {
                let answers = self.driver.as_mut()?.answers(std::slice::from_ref(request));
                Some(answers.map(|answers| shown(&example.show, &answers[0])).map_err(|why| why.to_string()))
            }
            UsedParts::TerraformFmt(text) => Some(formatted(self.tofu.as_ref()?, text)),
            UsedParts::Hcldec(_) | UsedParts::OpenTofu(_) => None,
        }
    }
}

fn formatted(program: &str, text: &str) -> Result<Json, String> {
    let command = Command::new(program).args(["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = command.map_err(|why| format!("{program}: {why}"))?;
    child.stdin.take().expect("its input").write_all(text.as_bytes()).map_err(|why| why.to_string())?;
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    Ok(json!({ "text": String::from_utf8_lossy(&output.stdout) }))
}
