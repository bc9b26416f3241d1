//! `hcl explain`: describes the code of a diagnostic.

use super::rows::Format;
use super::terminal::{failure, print, stderr};
use super::{Status, args, outcome, rows};
use hcl_lr::diagnostic::Code;
use hcl_lr::model::Value;
use hcl_lr::syntax::similar_name;

pub const EXAMPLES: &str = "\
Examples:
  hcl explain                    list all codes
  hcl explain single-quotes      describe `error[single-quotes]`

Exit status: 0 success, 2 there is no such code.";

/// Explain the code of an error or a warning, such as `error[single-quotes]`
#[derive(clap::Args)]
pub struct Args {
    /// The code of an error or warning [default: list all codes]
    #[arg(value_name = "CODE")]
    code: Option<String>,

    #[command(flatten)]
    listed: args::Listed,
}

pub fn run(args: &Args) -> Status {
    let Some(name) = &args.code else {
        return match args.listed.asked() {
            Some(format) => rows_of(Code::ALL, format),
            None => outcome(print(&list()).map(|_| Status::Fine)),
        };
    };
    // As it is copied from a message.
    let plain = name.trim_start_matches("error").trim_start_matches("warning").trim_matches(['[', ']', ':']);
    let code = Code::named(plain).or_else(|| Code::named(&plain.to_lowercase()));
    match (code, args.listed.asked()) {
        (Some(code), Some(format)) => rows_of(&[code], format),
        (Some(code), None) => outcome(print(&explained(&code)).map(|_| Status::Fine)),
        (None, _) => {
            failure(&format!("there is no code `{plain}`"));
            stderr(&match similar_name(plain, Code::ALL.iter().map(Code::as_str)) {
                Some(code) => format!("\n  tip: did you mean `hcl explain {code}`?\n"),
                None => {
                    "\n  tip: `hcl explain` lists all codes; others belong to the program that shows them\n".to_owned()
                }
            });
            Status::Failure
        }
    }
}

/// Prints codes with their summaries and explanations.
fn rows_of(codes: &[Code], format: Format) -> Status {
    let row = |code: &Code| {
        Value::object([
            ("code", Value::from(code.as_str())),
            ("summary", Value::from(code.summary())),
            ("explanation", Value::from(code.explanation().unwrap_or_default())),
        ])
    };
    let rows: Vec<Value> = codes.iter().map(row).collect();
    outcome(rows::print(format, &rows, &[]).and_then(|text| print(&text)).map(|_| Status::Fine))
}

/// Returns all codes with their summaries.
fn list() -> String {
    let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
    Code::ALL.iter().map(|code| format!("{:width$}  {}\n", code.as_str(), code.summary())).collect()
}

/// An explanation as plain text: blocks of code are indented, and it is said what they are.
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
