//! `hcl template`: renders a template.

use std::path::PathBuf;

use super::input::read;
use super::terminal::{failure, print, show};
use super::variables::{Variables, scope, show_evaluated};
use super::{Status, args};
use hcl_lr::model::{Type, hidden};

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl template motd.tftpl --vars host.json
  echo 'Hello, ${name}!' | hcl template - --var name=Ada

Exit status: 0 success, 1 the template has errors, 2 the command line is wrong,
or a file cannot be read.";

#[derive(clap::Args)]
pub(super) struct Args {
    /// The template, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    variables: Variables,

    /// Print the text even if parts of it are sensitive
    #[arg(long)]
    show_sensitive: bool,

    #[command(flatten)]
    pub quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let color = args.color.on_stderr();
    let variables = match args.variables.load(color)? {
        Ok(variables) => variables,
        Err(status) => return Ok(status),
    };
    let (name, bytes) = read(&args.file)?;
    let (template, diagnostics) = args.accepted.options().parse::<hcl_lr::Template>((&name, bytes)).into_parts();
    let wrong = diagnostics.has_errors();
    show(diagnostics, color);
    if wrong {
        return Ok(Status::Errors);
    }
    let value = match template.evaluate(&scope(&variables, args.variables.functions(), args.variables.limits())) {
        Ok(value) => value,
        Err(diagnostics) => {
            show_evaluated(diagnostics, color);
            return Ok(Status::Errors);
        }
    };
    if value.contains_marks() && !args.show_sensitive {
        let why = hidden::because(&value.marks_deep());
        failure(&format!("the text of `{name}` is {why}; `--show-sensitive` prints it anyway"));
        return Ok(Status::Errors);
    }
    let (value, _) = value.unmark_deep();
    // A template that is one interpolation gives the value of that, which need not be a string.
    let problem = match value.convert(&Type::String) {
        Ok(text) => match text.as_str() {
            Some(text) => return print(text).map(|_| Status::Fine),
            None => "its value is null".to_owned(),
        },
        Err(why) => why.to_string(),
    };
    failure(&format!("`{name}` does not produce text: {problem}"));
    Ok(Status::Errors)
}
