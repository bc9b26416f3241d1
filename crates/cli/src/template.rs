//! `hcl template`: renders a template.

use std::path::PathBuf;

use super::args;
use super::context::Context;
use super::error::Error;
use super::input::read;
use super::status::Status;
use super::terminal::{print, show};
use super::variables::{Variables, scope, show_evaluated};
use hcl_lr::model::{Type, hidden};

const EXAMPLES: &str = "\
Examples:
  hcl template motd.tftpl --vars host.json
  echo 'Hello, ${name}!' | hcl template - --var name=Ada

Exit status: 0 success, 1 the template has errors, 2 the command line is wrong,
or a file cannot be read.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
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
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        let variables = self.variables.all_values(context, color)?;
        let (name, bytes) = read(context, &self.file)?;
        let (template, diagnostics) =
            self.accepted.options(context).parse::<hcl_lr::Template>((&name, bytes)).into_parts();
        let wrong = diagnostics.has_errors();
        show(diagnostics, color);
        if wrong {
            return Ok(Status::Errors);
        }
        let value = match template.evaluate(&scope(&variables, self.variables.functions(), self.variables.limits())) {
            Ok(value) => value,
            Err(diagnostics) => {
                show_evaluated(diagnostics, color);
                return Ok(Status::Errors);
            }
        };
        if value.contains_marks() && !self.show_sensitive {
            let why = hidden::because(&value.marks_deep());
            return Err(Error::from(format!("the text of `{name}` is {why}; `--show-sensitive` prints it anyway"))
                .with_status(Status::Errors));
        }
        let (value, _) = value.unmark_deep();
        // A template that is a single interpolation has its value, which need not be a string.
        let problem = match value.convert(&Type::String) {
            Ok(text) => match text.as_str() {
                Some(text) => return print(text).map(|_| Status::Fine),
                None => "its value is null".to_owned(),
            },
            Err(why) => why.to_string(),
        };
        Err(Error::from(format!("`{name}` does not produce text: {problem}")).with_status(Status::Errors))
    }
}
