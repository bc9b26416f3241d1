//! `hcl explain`: describes the code of a diagnostic.

use super::context::Context;
use super::error::Error;
use super::rows::Format;
use super::status::Status;
use super::terminal::print;
use super::{args, rows};
use hcl_lr::diagnostic::Code;
use hcl_lr::model::Value;
use hcl_lr::syntax::similar_name;

const EXAMPLES: &str = "\
Examples:
  hcl explain                    list all codes
  hcl explain single-quotes      describe `error[single-quotes]`

Exit status: 0 success, 2 there is no such code.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The code of an error or warning [default: list all codes]
    #[arg(value_name = "CODE")]
    code: Option<String>,

    #[command(flatten)]
    listed: args::Listed,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<Status, Error> {
        let Some(name) = &self.code else {
            return match self.listed.asked() {
                Some(format) => rows_of(Code::ALL, format),
                None => print(&list()).map(|_| Status::Fine),
            };
        };
        // The name may be copied from a message.
        let plain = name.trim_start_matches("error").trim_start_matches("warning").trim_matches(['[', ']', ':']);
        let code = Code::named(plain).or_else(|| Code::named(&plain.to_lowercase()));
        match (code, self.listed.asked()) {
            (Some(code), Some(format)) => rows_of(&[code], format),
            (Some(code), None) => print(&explained(&code)).map(|_| Status::Fine),
            (None, _) => {
                let tip = match similar_name(plain, Code::ALL.iter().map(Code::as_str)) {
                    Some(code) => format!("\n  tip: did you mean `hcl explain {code}`?"),
                    None => "\n  tip: `hcl explain` lists all codes; others belong to the program that shows them"
                        .to_owned(),
                };
                Err(format!("there is no code `{plain}`\n{tip}").into())
            }
        }
    }
}

/// Prints codes with their summaries and explanations.
fn rows_of(codes: &[Code], format: Format) -> Result<Status, Error> {
    let row = |code: &Code| {
        Value::object([
            ("code", Value::from(code.as_str())),
            ("summary", Value::from(code.summary())),
            ("explanation", Value::from(code.explanation().unwrap_or_default())),
        ])
    };
    let rows: Vec<Value> = codes.iter().map(row).collect();
    print(&rows::print(format, &rows, &[])?).map(|_| Status::Fine)
}

/// Returns all codes with their summaries.
fn list() -> String {
    let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
    Code::ALL.iter().map(|code| format!("{:width$}  {}\n", code.as_str(), code.summary())).collect()
}

/// Returns an explanation as plain text, in which code blocks are indented and introduced.
fn explained(code: &Code) -> String {
    let mut text = format!("{code}: {}\n\n", code.summary());
    let explanation = code.explanation().unwrap_or_default();
    let (mut printed, mut files, mut inside) = (false, 0, false);
    for line in explanation.lines() {
        let Some(info) = line.strip_prefix("```") else {
            text += if inside && !line.is_empty() { "    " } else { "" };
            text += line;
            text += "\n";
            continue;
        };
        inside = !info.is_empty();
        match info.split_once(' ') {
            _ if !inside => {}
            None => {
                printed = true;
                text += "This is what is printed:\n\n";
            }
            Some((_, name)) => {
                files += 1;
                text += &match (printed, files) {
                    (true, _) => format!("Corrected, {name}:\n\n"),
                    (false, 1) => format!("For example, {name}:\n\n"),
                    (false, _) => format!("{name}:\n\n"),
                };
            }
        }
    }
    text
}
