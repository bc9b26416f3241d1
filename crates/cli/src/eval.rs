//! `hcl eval`: prints the values of a file or expression.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::body_values::{evaluate_body, evaluate_json};
use super::context::Context;
use super::disk::project_path;
use super::error::Error;
use super::input::{Document, Origin};
use super::language::FileLanguages;
use super::outside::Outside;
use super::partial_values::{Known, Reason, of_whole};
use super::project::{Like, Project};
use super::rows::{raw, yaml, yaml_of_json};
use super::status::Status;
use super::terminal::{print, show};
use super::values::{definition, json_line, pretty};
use super::variables::{Variables, scope, show_evaluated};
use super::written_blocks::known_body;
use super::{args, expanded, table};
use hcl_lr::body;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::model::Value;
use hcl_lr_language::definitions::{Definitions, Roles};

const EXAMPLES: &str = "\
Examples:
  hcl eval --expr '[for n in names: upper(n)]' --var 'names=[\"a\", \"b\"]'
  hcl eval main.hcl --vars production.json --output json
  hcl eval main.hcl --expr 'upper(name)'
  hcl eval --schema terraform --var env=prod    the files of this folder
  echo 'port = base + 1' | hcl eval - --var base=8000
  echo '{\"port\": \"${base + 1}\"}' | hcl eval - --syntax json --var base=8000

The attributes of a file can refer to each other. If --schema, a folder or a
file of a known program is given, such as main.tf or docker-bake.hcl, the files
are read by the rules of that program. Values come from the files and
environment variables that the program reads (terraform.tfvars, *.auto.tfvars,
TF_VAR_name), from --vars and from --var. Modules in folders are evaluated.
Results that are not known, such as attributes of data sources, are printed as
expressions.

Blocks are printed as nested objects: by type, then by label, then a list of
bodies. In the JSON syntax (*.json), all properties are arguments.

Exit status:
  0  success
  1  the HCL has errors
  2  the command line is wrong, a file cannot be read, or a value cannot be
     printed";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders, or - for standard input [default: . without --expr]
    #[arg(value_name = "PATH")]
    files: Vec<PathBuf>,

    /// Evaluate this expression, which can refer to names in the files
    #[arg(long, value_name = "EXPRESSION", conflicts_with = "syntax")]
    expr: Option<String>,

    #[command(flatten)]
    like: Like,

    #[command(flatten)]
    excluded: args::Excluded,

    /// Expand the `dynamic` blocks of files without a language
    #[arg(long, conflicts_with_all = ["expr", "schema"])]
    dynamic: bool,

    #[command(flatten)]
    language: args::Language,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    variables: Variables,

    #[command(flatten)]
    outside: Outside,

    /// Set the format of the output
    #[arg(long, short, value_enum, default_value_t = Output::Hcl)]
    output: Output,

    /// Print JSON: known values under "values", the others by address under "unknown"
    #[arg(long, conflicts_with = "output")]
    json: bool,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Output {
    /// HCL; marked values are hidden
    Hcl,
    /// JSON; unknown and marked values are errors
    Json,
    /// YAML; unknown and marked values are errors
    Yaml,
    /// A table of names, types and values
    Table,
    /// The value of --expr, a string without quotes; an unknown value is an error
    Raw,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        if self.output == Output::Raw && self.expr.is_none() {
            return Err("`--output raw` prints the value of an expression; use `--expr`".into());
        }
        // The files of a program are evaluated together, others one by one.
        let in_current_folder = self.files.is_empty() && self.expr.is_none();
        if in_current_folder {
            args::paths_or_folder(&self.files)?;
        }
        if self.dynamic && (in_current_folder || self.files.iter().any(|path| path.is_dir())) {
            return Err("`--dynamic` is for files without a language: name the files; a folder is read by its language, which expands its own blocks".into());
        }
        // So does the name of a file that only one program reads.
        let languages = FileLanguages::by_name(context);
        let named = !self.dynamic
            && self.language.syntax().is_none()
            && self.files.iter().any(|path| is_of_language(&languages, path));
        if in_current_folder || named || self.like.choice.is_given() || self.files.iter().any(|path| path.is_dir()) {
            let is_asked =
                in_current_folder || self.like.choice.is_given() || self.files.iter().any(|path| path.is_dir());
            if let Some(status) = of_projects(context, self, is_asked, color)? {
                return Ok(status);
            }
        }
        let variables = self.variables.all_values(context, color)?;
        if let Some(text) = &self.expr {
            let (expression, diagnostics) = self
                .accepted
                .options(context)
                .parse::<hcl_lr::Expression>(("<expression>", text.as_str()))
                .into_parts();
            let mut wrong = diagnostics.has_errors();
            show(diagnostics, color);
            let (mut defined, mut elsewhere) = (HashMap::new(), Diagnostics::new());
            for path in &self.files {
                let evaluated = values_of(context, self, path, &variables)?;
                elsewhere.append(evaluated.diagnostics);
                wrong |= !evaluated.is_read;
                let entries = evaluated.value.entries().into_iter().flatten();
                defined.extend(entries.map(|(name, value)| (name.to_owned(), value.clone())));
            }
            if wrong {
                show(elsewhere, color);
                return Ok(Status::Errors);
            }
            defined.extend(variables);
            let scope = scope(&defined, self.variables.functions(), self.variables.limits());
            let value = expression.evaluate(&scope);
            // Errors in the files matter only if the value depends on them.
            return match value {
                Ok(value) if !value.is_wholly_known() && elsewhere.has_errors() => {
                    show_evaluated(elsewhere, color);
                    Ok(Status::Errors)
                }
                value => finish(value, self),
            };
        }
        let mut status = Status::Fine;
        for path in &self.files {
            let evaluated = values_of(context, self, path, &variables)?;
            if !evaluated.diagnostics.has_errors() {
                show(evaluated.diagnostics, color);
                status = status.max(finish(Ok(evaluated.value), self)?);
                continue;
            }
            status = Status::Errors;
            if let Some(known) = evaluated.known
                && (self.json || self.output == Output::Hcl)
            {
                print_known(&known, self)?;
            }
            show_evaluated(evaluated.diagnostics, color);
        }
        Ok(status)
    }
}

/// Returns true if a file, or one in a folder, is of a language.
fn is_of_language(languages: &FileLanguages, path: &Path) -> bool {
    let language = match path.is_dir() {
        true => languages.of_folder(&project_path(path)),
        false => languages.of(&Origin::of_argument(path)).language,
    };
    !language.is_plain()
}

/// The result for a file: its values, or only the known ones if there are errors.
struct FileValues {
    /// True if its text has no errors.
    is_read: bool,
    value: Value,
    known: Option<Known>,
    diagnostics: Diagnostics,
}

/// Evaluates a file. Its attributes see each other and the variables; blocks see the attributes of the file.
fn values_of(
    context: &Context,
    args: &Args,
    path: &Path,
    variables: &HashMap<String, Value>,
) -> Result<FileValues, Error> {
    let origin = Origin::of_argument(path);
    let syntax = args.language.syntax().unwrap_or_else(|| origin.body_syntax());
    let (document, found) = Document::read(context, &origin, syntax, &args.accepted.options(context))?;
    if found.has_errors() {
        return Ok(FileValues { is_read: false, value: Value::default(), known: None, diagnostics: found });
    }
    let (functions, limits) = (args.variables.functions(), args.variables.limits());
    let mut all = variables.clone();
    let mut diagnostics = found;
    let body: body::Body = match document.native() {
        Ok(file) => body::Body::from(&file),
        Err(document) => body::Body::from(document),
    };
    // A given variable replaces an attribute with the same name.
    let attributes = body.attributes().into_value();
    if !attributes.iter().any(|attribute| variables.contains_key(attribute.name())) {
        let file = match document.native() {
            Ok(file) => hcl_lr::ConfigFile::Native(file),
            Err(document) => hcl_lr::ConfigFile::Json(document.clone()),
        };
        let definitions = Definitions::of(&Roles::attributes(), [file]).into_value();
        let evaluated = definitions.evaluate(&scope(variables, functions, limits.clone()));
        let cycles = evaluated.diagnostics().iter().filter(|error| error.code() == Code::DefinitionCycle);
        diagnostics.extend(cycles.cloned());
        for definition in evaluated.definitions() {
            all.insert(definition.name().to_owned(), evaluated.value(&definition));
        }
    }
    let scope = scope(&all, functions, limits);
    let (value, found) = match document.native() {
        Ok(file) if args.dynamic => expanded::evaluate(&file, &scope),
        Ok(file) => evaluate_body(file.body(), &scope),
        Err(_) if args.dynamic => {
            return Err("`--dynamic` does not work with JSON, which does not distinguish blocks from objects".into());
        }
        Err(document) => evaluate_json(document, &scope),
    }
    .into_parts();
    diagnostics.append(found);
    let known = match document.native() {
        Ok(file) if !args.dynamic && diagnostics.has_errors() => Some(known_body(file.body(), &scope)),
        _ => None,
    };
    Ok(FileValues { is_read: true, value, known, diagnostics })
}

/// Evaluates files with definitions. `None` if this is not requested, and they have no definitions.
fn of_projects(context: &Context, args: &Args, is_asked: bool, color: bool) -> Result<Option<Status>, Error> {
    let load = if args.expr.is_some() { Project::load_for_expression } else { Project::load };
    let projects =
        load(context, &args.like, (&args.files, &args.excluded.exclude()?), &args.accepted.options(context), color)?;
    let is_empty = |project: &Project| {
        !project.has_errors && !project.definitions().iter().any(|definition| project.is_named(definition.name_place()))
    };
    if !is_asked && projects.iter().all(is_empty) {
        return Ok(None);
    }
    let mut status = Status::Fine;
    let inputs = projects.iter().flat_map(|project| project.definitions().iter());
    let inputs = inputs.filter(|input| input.is_input() && input.module().is_none());
    let inputs = inputs.map(|input| input.name().to_owned()).collect();
    for project in &projects {
        let evaluated = project.evaluate_among((&args.variables, &inputs), &args.outside, color)?;
        let mut diagnostics = evaluated.diagnostics().clone();
        let known = match &args.expr {
            Some(text) => {
                let (expression, found) = args
                    .accepted
                    .options(context)
                    .parse::<hcl_lr::Expression>(("<expression>", text.as_str()))
                    .into_parts();
                if found.has_errors() {
                    show(found, color);
                    return Ok(Some(Status::Errors));
                }
                // Errors elsewhere do not matter here.
                diagnostics = evaluated.errors_behind(&expression);
                let expression = evaluated.with_results(&expression);
                diagnostics.append(evaluated.evaluate(&expression).into_parts().1);
                diagnostics = diagnostics.without_repetitions();
                let known = Known::of(&expression, &evaluated.scope_for(&expression));
                let defined = || Known::of_address(text.trim(), &evaluated).unwrap_or_else(|| known.clone());
                if matches!(known, Known::Rest { .. }) { defined() } else { known }
            }
            None => {
                diagnostics.retain(|error| project.is_named(error.place()) || project.is_elsewhere(error.place()));
                let files = project.written_files();
                Known::of_project(&evaluated, (&files, project.roles()), |place| project.is_named(place))
            }
        };
        // Once a limit is exceeded, expressions stay as they are.
        if !diagnostics.iter().any(|error| *error.code() == Code::LimitExceeded) {
            diagnostics.extend(evaluated.limit_exceeded());
        }
        print_known(&known, args)?;
        if diagnostics.has_errors() || project.has_errors {
            status = Status::Errors;
        }
        show(diagnostics, color);
    }
    Ok(Some(status))
}

fn print_known(known: &Known, args: &Args) -> Result<(), Error> {
    // Sorting the output needs all of its parts.
    let size = match args.output {
        Output::Hcl if !args.json => known.size().saturating_mul(2),
        Output::Table if !args.json => known.size_of_rows(),
        _ => known.size(),
    };
    args.variables.check_text(size, "the values")?;
    let text = match args.output {
        _ if args.json => known.to_json()?,
        Output::Json => known.to_json()?,
        Output::Yaml => yaml_of_json(&known.to_json()?)?,
        Output::Hcl if args.expr.is_some() => known.clone().with_needs() + "\n",
        Output::Hcl => known.to_hcl(),
        Output::Raw => match known {
            Known::Value(value) => raw(value) + "\n",
            Known::Nothing { why: Reason::Ephemeral, .. } => {
                return Err("the value is ephemeral, and is not printed".into());
            }
            Known::Nothing { why: Reason::Marked, .. } => {
                return Err("the value is sensitive, and is not printed".into());
            }
            Known::Rest { marked: true, .. } => {
                return Err("the value is sensitive or ephemeral, and is not printed".into());
            }
            _ => return Err("the value is not known; `--output hcl` prints the expression".into()),
        },
        Output::Table => table::aligned(&known.rows()),
    };
    args.variables.check_text(text.len() as u64, "the values")?;
    print(&text).map(drop)
}

/// Prints a value, or the errors.
fn finish(value: Result<Value, Diagnostics>, args: &Args) -> Result<Status, Error> {
    match value {
        Ok(value) => {
            args.variables.check_size(&value)?;
            if args.json {
                return print_known(&Known::of_value(&value), args).map(|()| Status::Fine);
            }
            print(&text_of(&value, args.output)?).map(|_| Status::Fine)
        }
        Err(diagnostics) => {
            show_evaluated(diagnostics, args.color.on_stderr());
            Ok(Status::Errors)
        }
    }
}

fn text_of(value: &Value, output: Output) -> Result<String, Error> {
    match output {
        Output::Json => Ok(json_line(value)? + "\n"),
        Output::Yaml => yaml(value),
        Output::Raw if value.contains_marks() => Ok(pretty(value) + "\n"),
        Output::Raw if value.is_wholly_known() => Ok(raw(value) + "\n"),
        Output::Raw => Err("the value is not known; `--output hcl` prints the expression".into()),
        Output::Hcl => match value.entries() {
            Some(entries) if !value.is_marked() => {
                Ok(entries.map(|(name, value)| definition(name, value) + "\n").collect())
            }
            _ => Ok(pretty(value) + "\n"),
        },
        Output::Table => {
            let rows: Vec<[String; 3]> = match value.entries() {
                Some(entries) if !value.is_marked() => entries
                    .map(|(name, value)| [name.to_owned(), value.shown_type().to_string(), value.to_string()])
                    .collect(),
                _ => vec![[of_whole("").to_owned(), value.shown_type().to_string(), value.to_string()]],
            };
            Ok(table::aligned(&rows))
        }
    }
}
