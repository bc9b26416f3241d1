//! Decodes a pipeline by a spec from a file, which other programs such as `hcldec` can read as well.
//!
//! ```sh
//! cargo run --example pipeline
//! cargo run --example pipeline -- my.hcldec my.hcl
//! ```

use std::process::ExitCode;

use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Value, json};
use hcl_lr::{Body, parse_file};

fn shown(diagnostics: Diagnostics) -> String {
    diagnostics.render()
}

fn run(spec: &str, pipeline: &str) -> Result<(), String> {
    let spec = parse_file::<SpecFile>(spec).into_result().map_err(shown)?;
    let body = parse_file::<Body>(pipeline).into_result().map_err(shown)?;

    // The needed variables are known without evaluation.
    for variable in spec.spec().variables(&body) {
        if !spec.variables().contains_key(variable.root()) {
            println!("needs {}", variable.root());
        }
    }
    let value = spec.spec().decode(&body, &spec.scope()).into_result().map_err(shown)?;

    let stages = value.attribute("stage").and_then(Value::elements).unwrap_or_default();
    for (index, stage) in stages.iter().enumerate() {
        let text = |name: &str| stage.attribute(name).map(ToString::to_string).unwrap_or_default();
        println!("stage {index}: {} for at most {} min", text("image"), text("minutes"));
        for command in stage.attribute("commands").and_then(Value::elements).unwrap_or_default() {
            println!("  {}", command.as_str().unwrap_or_default());
        }
    }
    println!("{}", json::encode_implied(&value).map_err(|why| why.to_string())?);
    Ok(())
}

fn main() -> ExitCode {
    let mut paths = std::env::args().skip(1);
    let spec = paths.next().unwrap_or_else(|| "examples/pipeline.hcldec".to_owned());
    let pipeline = paths.next().unwrap_or_else(|| "examples/pipeline.hcl".to_owned());
    match run(&spec, &pipeline) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
