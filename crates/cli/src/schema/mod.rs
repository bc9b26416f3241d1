//! `hcl schema`: checks schemas, and converts them to other forms.

mod import;
mod infer;
mod types;

use std::path::PathBuf;

use crate::context::Context;
use crate::error::Error;
use crate::input::read;
use crate::status::Status;
use crate::terminal::{self, count, show};
use crate::{args, fmt, rows, schema_file};
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::diagnostic::Severity;
use hcl_lr::model::Value;
use hcl_lr_language::schema::{LANGUAGES, Schema};
use hcl_lr_schema_tools::anchor;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

const EXAMPLES: &str = "\
Examples:
  hcl schema check service.schema.hcl
  hcl schema list                       list the languages that come with hcl
  hcl schema show terraform > terraform.schema.hcl
  hcl schema docs service.schema.hcl > service.md
  hcl schema json-schema bake > bake.schema.json
  hcl schema types --rust service.schema.hcl > service.rs
  hcl schema infer *.service.hcl > service.schema.hcl
  hcl schema import service.json > service.schema.hcl
  hcl schema from-hcldec app.hcldec > app.schema.hcl
  hcl check --schema service.schema.hcl web.service.hcl";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find all errors in schema files
    Check(Check),
    /// Format schema files, as hcl fmt does
    Fmt(fmt::Args),
    /// List the languages that come with hcl
    List(args::Listed),
    /// Print the schema of a language
    Show(Show),
    /// Write the reference of a language in Markdown or HTML
    Docs(Docs),
    /// Write a JSON Schema for files in the JSON syntax
    JsonSchema(JsonSchema),
    /// Write types in Rust, TypeScript, Go or Python
    Types(types::Args),
    /// Write a first draft of a schema from examples
    Infer(infer::Args),
    /// Write a schema from a JSON Schema
    Import(import::Args),
    /// Write a schema for the files that a spec of hcldec decodes
    FromHcldec(FromHcldec),
}

#[derive(clap::Args)]
struct FromHcldec {
    /// The spec file, in native syntax
    #[arg(value_name = "FILE")]
    spec: PathBuf,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
struct Docs {
    /// The name of a language that comes with hcl, or a schema file
    #[arg(value_name = "NAME|FILE")]
    schema: String,

    /// Write an HTML page
    #[arg(long)]
    html: bool,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
struct JsonSchema {
    /// The name of a language that comes with hcl, or a schema file
    #[arg(value_name = "NAME|FILE")]
    schema: String,

    /// Describe these files of the language [default: the first]
    #[arg(long, value_name = "NAME")]
    files: Option<String>,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
struct Check {
    /// Schema files, or - for standard input
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
struct Show {
    /// The name of the language
    #[arg(value_name = "NAME")]
    name: String,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        match &self.command {
            Command::Check(args) => args.run(context),
            Command::Fmt(args) => args.run(context),
            Command::List(listed) => list(listed),
            Command::Show(args) => args.run(),
            Command::Docs(args) => args.run(context),
            Command::JsonSchema(args) => args.run(context),
            Command::Types(args) => args.run(context),
            Command::Infer(args) => args.run(context),
            Command::Import(args) => args.run(context),
            Command::FromHcldec(args) => args.run(context),
        }
    }
}

impl FromHcldec {
    fn run(&self, context: &Context) -> Result<Status, Error> {
        let (name, bytes) = read(context, &self.spec)?;
        let (body, problems) = hcl_lr::parse::<hcl_lr::Body>((&name, bytes)).into_parts();
        // A spec with errors would give a schema with errors.
        let (_, found) = SpecFile::from_body(&body).into_parts();
        let wrong = problems.has_errors() || found.has_errors();
        show(if problems.has_errors() { problems } else { found }, self.color.on_stderr());
        if wrong {
            return Ok(Status::Errors);
        }
        let stem = self.spec.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let made = hcl_lr_schema_tools::from_hcldec(stem.split('.').next().unwrap_or_default(), &body);
        for what in &made.left_out {
            terminal::note(&format!("left out, {what}"));
        }
        Ok(terminal::stdout(made.text.as_bytes(), Status::Fine))
    }
}

impl Docs {
    fn run(&self, context: &Context) -> Result<Status, Error> {
        let schema = schema_file::named(context, &self.schema, self.color.on_stderr())?;
        let text = hcl_lr_schema_tools::to_markdown(&schema);
        let text = if self.html { page(schema.title(), &text) } else { text };
        Ok(terminal::stdout(text.as_bytes(), Status::Fine))
    }
}

/// The beginning of a page, with a style that follows the colours of the reader's system.
const PAGE_HEAD: &str = "\
<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<style>
:root { color-scheme: light dark; }
body { font-family: sans-serif; line-height: 1.5; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8888; padding: 0.2em 0.6em; text-align: left; vertical-align: top; }
pre { padding: 0.6em; border: 1px solid #8888; }
</style>
";

/// Returns an HTML page for a Markdown text. HTML in the text is escaped, because descriptions may be untrusted.
fn page(title: &str, markdown: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES)
        .map(|event| match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) if !is_safe(&dest_url) => {
                Event::Start(Tag::Link { link_type, dest_url: "#".into(), title, id })
            }
            other => other,
        })
        .collect();
    let mut heading = String::new();
    for at in (0..events.len()).rev() {
        match &mut events[at] {
            Event::End(TagEnd::Heading(_)) => heading.clear(),
            Event::Text(text) | Event::Code(text) => heading.insert_str(0, text),
            Event::Start(Tag::Heading { id, .. }) => *id = Some(anchor(&heading).into()),
            _ => {}
        }
    }
    let mut title_text = String::new();
    html::push_html(&mut title_text, std::iter::once(Event::Text(title.into())));
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    format!("{PAGE_HEAD}<title>{title_text}</title>\n</head>\n<body>\n{body}</body>\n</html>\n")
}

/// Returns true if a link leads to a part of the page or to another page, and is not a script.
fn is_safe(link: &str) -> bool {
    link.starts_with('#') || link.starts_with("https://") || link.starts_with("http://")
}

impl JsonSchema {
    fn run(&self, context: &Context) -> Result<Status, Error> {
        let schema = schema_file::named(context, &self.schema, self.color.on_stderr())?;
        let files = schema_file::files(&schema, self.files.as_deref())?;
        Ok(terminal::stdout(hcl_lr_schema_tools::to_json_schema(&schema, files).as_bytes(), Status::Fine))
    }
}

impl Check {
    fn run(&self, context: &Context) -> Result<Status, Error> {
        let mut status = Status::Fine;
        for file in &self.files {
            let (schema, problems) = match schema_file::load(context, file) {
                Ok(loaded) => loaded,
                Err(error) => {
                    status = status.max(terminal::report(&error));
                    continue;
                }
            };
            let errors = problems.errors().count();
            let warnings = problems.iter().filter(|problem| problem.severity() == Severity::Warning).count();
            show(problems, self.color.on_stderr());
            if errors > 0 {
                status = status.max(Status::Errors);
            }
            let name = file.display().to_string();
            let found = match (errors, warnings) {
                (0, 0) => format!("no errors in {}", count(schema.parts.len(), "part")),
                (0, warnings) => count(warnings, "warning"),
                (errors, 0) => count(errors, "error"),
                (errors, warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
            };
            terminal::stderr(&format!(
                "{}: language `{}`: {found}\n",
                hcl_lr::source::visible::line(&name),
                schema.name
            ));
        }
        Ok(status)
    }
}

fn list(listed: &args::Listed) -> Result<Status, Error> {
    let (mut text, mut all) = (String::new(), Vec::new());
    for name in LANGUAGES {
        let Some(schema) = Schema::by_name(name) else { continue };
        let patterns = schema.patterns();
        text += &format!("{name:14} {:24} {}\n", schema.title(), patterns.join(" "));
        let files = Value::tuple(patterns.into_iter().map(Value::from));
        all.push(Value::object([
            ("name", Value::from(*name)),
            ("title", Value::from(schema.title())),
            ("files", files),
        ]));
    }
    if let Some(format) = listed.asked() {
        text = rows::print(format, &all, &["name", "title", "files"].map(str::to_owned))?;
    }
    Ok(terminal::stdout(text.as_bytes(), Status::Fine))
}

impl Show {
    fn run(&self) -> Result<Status, Error> {
        let text = Schema::text_of(&self.name)
            .ok_or_else(|| format!("there is no language named `{}`; there are {}", self.name, LANGUAGES.join(", ")))?;
        Ok(terminal::stdout(text.as_bytes(), Status::Fine))
    }
}
