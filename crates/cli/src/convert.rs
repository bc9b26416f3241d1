//! `hcl convert`: converts between native syntax and JSON.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use super::context::Context;
use super::error::Error;
use super::files::{has_item, has_property};
use super::input::{Document, Origin, Syntax};
use super::language::{Choice, FileLanguages};
use super::rows::write_yaml;
use super::run::Run;
use super::status::Status;
use super::terminal::{self, count, note, print, show};
use super::{args, providers};
use crate::replace as atomic;
use hcl_lr::convert::{
    ConversionOptions, ConversionSchema, Converted, JsonBlocks, JsonStrings, to_hcl2json, to_json, to_native,
    to_python_hcl2,
};
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::json;
use hcl_lr::source::visible::path as shown;
use hcl_lr::syntax::File;
use hcl_lr::{ConfigFile, ParseOptions};
use hcl_lr_language::schema::{Facts, ProviderSchemas, Schema};
use hcl_lr_project::Language;

const EXAMPLES: &str = "\
Examples:
  hcl convert main.tf                            to JSON
  hcl convert main.tf.json                       to native syntax
  hcl convert job.json --schema nomad            the same for other file names
  hcl convert --shape hcl2json main.tf           the same bytes as hcl2json
  hcl convert --shape python-hcl2 main.tf        the objects of python-hcl2
  hcl convert --to json -o json modules          a folder, into another one
  hcl convert --print-schema app.hcl > app.schema.hcl
  hcl convert app.json --schema app.schema.hcl   with the blocks of another file
  hcl convert --blocks tagged main.tf \\
    | hcl convert --blocks tagged --syntax json -

A conversion to JSON always loses the layout, and comments unless --comments is
given. It also loses:
  --blocks array     nothing
  --blocks collapse  the order between blocks of different types; a reader must
                     accept objects and arrays, depending on the number of
                     blocks
  --blocks tagged    nothing, and no schema is needed to convert back
  --shape hcl2json   the order of everything but blocks of one type and labels,
                     all comments, and the difference between blocks and
                     arguments
  --shape python-hcl2
                     the order between blocks and arguments, all comments, the
                     difference between them, and quotes in some expressions

JSON does not distinguish blocks from arguments. The schema of a language does,
and says which arguments are references, types and keywords. By default, names
of files determine the language; without one, all properties are arguments. In
bodies that a schema leaves open, such as resources of Terraform, an array of
objects stands for blocks. A schema of your own adds block types to a language:
  language \"mine\" {
    extends = \"terraform\"
  }
  part \"module\" {
    block \"resource\" {
      match \"type\" {
        case \"aws_instance\" {
          block \"ebs_block_device\" { open = true }
        }
      }
    }
  }

If a file cannot be converted without loss, an error says why, and nothing is
written for it.
Exit status: 0 converted, 1 errors, 2 a file cannot be read or written.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders to search, or - for standard input
    ///
    /// Native syntax becomes JSON, and JSON becomes native syntax. Without -o, the results are printed
    /// one after the other.
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<PathBuf>,

    /// Convert to this syntax, and leave out files that are in it
    #[arg(long, value_enum, value_name = "SYNTAX")]
    to: Option<To>,

    /// Write the result to a file, or the results to a folder
    ///
    /// It is a folder if there is such a folder, if the path ends with `/`, or if there are several
    /// files or a folder to convert. Each file keeps its relative path; its name ends as the program
    /// expects it: `.json` is added, or removed. An existing file is an error unless --force is given.
    #[arg(long, short, value_name = "FILE|FOLDER", conflicts_with = "print_schema")]
    output: Option<PathBuf>,

    /// Write the results to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["print_schema", "output"], hide_short_help = true)]
    out_dir: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// Write the JSON of another program
    #[arg(long, value_enum, conflicts_with_all = ["blocks", "strings", "comments", "schema", "provider_schemas", "print_schema"])]
    shape: Option<Shape>,

    /// Set the form of blocks in JSON
    #[arg(long, value_enum, default_value_t = BlockForm::Collapse)]
    blocks: BlockForm,

    /// Set the meaning of strings for the reader of the JSON
    #[arg(long, value_enum, default_value_t = StringForm::Template)]
    strings: StringForm,

    #[command(flatten)]
    choice: Choice,

    /// Also know the blocks of the providers in FILE; repeatable
    ///
    /// Write the file with `terraform providers schema -json` or `tofu providers schema -json`. It adds
    /// the schema `terraform`.
    #[arg(long = "provider-schema", value_name = "FILE")]
    provider_schemas: Vec<PathBuf>,

    /// Keep comments as properties "//" of JSON
    #[arg(long)]
    comments: bool,

    /// Print the schema of native files instead
    #[arg(long, conflicts_with_all = ["schema", "provider_schemas", "comments"])]
    print_schema: bool,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    language: args::Language,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// From native syntax to JSON
    Json,
    /// From JSON to native syntax
    Native,
    /// From either syntax to YAML, in the form that the JSON has
    Yaml,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// The same bytes as hcl2json 0.6.9
    Hcl2json,
    /// The objects of python-hcl2 7.3.1, as JSON
    PythonHcl2,
}

#[derive(Clone, Copy, ValueEnum)]
enum BlockForm {
    /// Each body in an array; keeps the order of all blocks
    Array,
    /// A single body of a type and labels as an object
    Collapse,
    /// Each item with its kind; loses only comments and layout
    Tagged,
}

#[derive(Clone, Copy, ValueEnum)]
enum StringForm {
    /// Templates, where ${ } is evaluated
    Template,
    /// Plain text; only literal values can be expressed
    Literal,
}

/// The result for a file.
struct Report {
    /// The name, and the path within its folder.
    name: String,
    within: PathBuf,
    /// The languages that its name suggests, if their schema was used.
    guessed: Option<String>,
    diagnostics: Diagnostics,
    /// The target syntax and the text; `None` if there are errors.
    result: Converting,
}

/// The place of the results.
enum Output {
    File(PathBuf),
    Folder(PathBuf),
}

impl Output {
    /// Returns the place named by the options. `None` means standard output.
    fn of(args: &Args, several: bool) -> Option<Output> {
        let path = match (&args.output, &args.out_dir) {
            (Some(path), _) => args::path_or_stdout(Some(path))?.clone(),
            (None, folder) => return folder.clone().map(Output::Folder),
        };
        let is_folder = path.is_dir()
            || several
            || path.as_os_str().as_encoded_bytes().ends_with(b"/")
            || args.files.iter().any(|file| file.is_dir());
        Some(if is_folder { Output::Folder(path) } else { Output::File(path) })
    }
}

type Converting = Result<Option<(To, Converted)>, Error>;

impl Report {
    fn new(name: String, within: PathBuf, diagnostics: Diagnostics, result: Converting) -> Report {
        Report { name, within, guessed: None, diagnostics, result }
    }
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let options = self.accepted.options(context);
        let color = self.color.on_stderr();
        let languages = FileLanguages::new(context, &context.parse_options(), self.choice.languages(context, color)?);
        let providers = providers::load(context, &self.provider_schemas, color)?;
        let conversion = ConversionOptions::new()
            .with_blocks(match self.blocks {
                BlockForm::Array => JsonBlocks::Array,
                BlockForm::Collapse => JsonBlocks::Collapse,
                BlockForm::Tagged => JsonBlocks::Tagged,
            })
            .with_strings(match self.strings {
                StringForm::Template => JsonStrings::Template,
                StringForm::Literal => JsonStrings::Literal,
            })
            .with_comments(self.comments)
            .with_parse_options(options);
        let mut run = Run::new(context, (&self.files, &languages), &self.folders, "converted")?;
        run.retain(|origin| is_wanted(origin, self));
        run.notes();
        let mut status = Status::Fine;
        if self.print_schema {
            for message in &run.found.failures {
                status = Status::Failure;
                terminal::failure(message);
            }
            return Ok(status.max(print_schema(context, &run.found.origins, self, &languages, &options, color)?));
        }
        let several = run.found.origins.len() > 1;
        let output = Output::of(self, several);
        let mut totals = Converted::default();
        let mut written: HashMap<PathBuf, String> = HashMap::new();
        let mut guesses = BTreeSet::new();
        let convert = |origin: &Origin| converted(context, origin, self, &languages, &conversion, providers.as_deref());
        let result = run.each("convert", convert, |report, progress| {
            let report = match report {
                Ok(report) => report,
                Err(failure) => {
                    progress.aside(|| terminal::report(&failure));
                    return Ok(());
                }
            };
            if let Some(language) = report.guessed {
                guesses.insert(language);
            }
            let (to, converted) = match progress.aside(|| tell(report.diagnostics, report.result, color)) {
                Ok(Some(converted)) => converted,
                Ok(None) => {
                    status = status.max(Status::Errors);
                    return Ok(());
                }
                Err(failure) => {
                    status = Status::Failure;
                    progress.aside(|| terminal::report(&failure));
                    return Ok(());
                }
            };
            totals.comments_left_out += converted.comments_left_out;
            totals.reordered.extend(converted.reordered);
            totals.maybe_blocks.extend(converted.maybe_blocks);
            let Some(output) = &output else {
                let mut text = converted.text;
                if several && to != To::Json {
                    text.insert_str(0, &format!("# {}\n", report.name));
                }
                if several && to == To::Yaml {
                    text.insert_str(0, "---\n");
                }
                if several && !text.ends_with('\n') {
                    text.push('\n');
                }
                return progress.aside(|| terminal::write_data(text.as_bytes()));
            };
            let path = match output {
                Output::File(path) => path.clone(),
                Output::Folder(folder) => folder.join(new_name(&report.within, to, languages.explicit())),
            };
            if let Err(failure) = save(&path, &converted.text, &report.name, self.force, &mut written) {
                status = Status::Failure;
                progress.aside(|| terminal::report(&failure));
            }
            Ok(())
        });
        status = status.max(run.status());
        totals.reordered = once_each(totals.reordered);
        totals.maybe_blocks = once_each(totals.maybe_blocks);
        if !guesses.is_empty() {
            let subject = if several { "by their names, files are" } else { "by its name, the file is" };
            let languages: Vec<String> = guesses.into_iter().collect();
            note(&format!("{subject} read as {}; `--schema` names another language", languages.join(", ")));
        }
        notes(&totals);
        if let Some(Output::Folder(folder)) = &output {
            note(&format!("wrote {} into `{}`", count(written.len(), "file"), shown(folder)));
        }
        Ok(terminal::written(result, status))
    }
}

/// Shows the errors of a file. Its result is used only if there are none.
fn tell(diagnostics: Diagnostics, result: Converting, color: bool) -> Converting {
    let wrong = diagnostics.has_errors();
    show(diagnostics, color);
    result.map(|converted| converted.filter(|_| !wrong))
}

/// Returns true if a file is to be converted: if it was named, or if its target syntax differs.
fn is_wanted(origin: &Origin, args: &Args) -> bool {
    let is_json = syntax_of(origin, args) == Syntax::Json;
    let Origin::Path(path) = origin else { return true };
    let named = args.files.contains(path);
    match args.to {
        Some(To::Json) if is_json => false,
        Some(To::Native) if !is_json => false,
        // The form of JSON, in YAML.
        Some(To::Yaml) if is_json => true,
        // Templates have no body, and the other shape is only for native syntax.
        _ => named || origin.syntax() != Syntax::Template && !(is_json && args.shape.is_some()),
    }
}

fn syntax_of(origin: &Origin, args: &Args) -> Syntax {
    args.language.syntax().unwrap_or_else(|| origin.body_syntax())
}

/// Returns the schema of a language with the blocks of the providers that a file uses. `None` for languages without
/// providers.
fn with_providers(language: &Language, providers: &ProviderSchemas, document: &Document) -> Option<ConversionSchema> {
    let schema = language.schema().filter(|schema| !schema.catalogs.is_empty())?;
    let file: ConfigFile = match document {
        Document::Config(file) => file.into(),
        Document::Json(document) => document.into(),
        Document::Expression(_) | Document::Template(_) => return None,
    };
    // Type names are labels or properties, so they are quoted.
    let quoted: HashSet<&str> = file.source().text().split('"').collect();
    let facts = Facts::of(schema, [&file]);
    Some(schema.conversion_schema_with(providers, &facts, &|name| quoted.contains(name)))
}

fn converted(
    context: &Context,
    origin: &Origin,
    args: &Args,
    languages: &FileLanguages,
    conversion: &ConversionOptions<'_>,
    providers: Option<&ProviderSchemas>,
) -> Result<Report, Error> {
    let name = origin.name();
    let within = match origin {
        Origin::Stdin => PathBuf::from("stdin.hcl"),
        Origin::Path(path) => place_within(path, &args.files),
    };
    let (document, mut diagnostics) =
        Document::read_lightly(context, origin, syntax_of(origin, args), conversion.get_parse_options())?;
    if diagnostics.has_errors() {
        return Ok(Report::new(name, within, diagnostics, Ok(None)));
    }
    let needs_schema = args.shape.is_none() && !matches!(args.blocks, BlockForm::Tagged);
    let guessed = if needs_schema && languages.explicit().is_none() { guessed(origin) } else { None };
    let mut blocks = match document.native() {
        _ if !needs_schema => Arc::default(),
        Ok(file) => languages.blocks(origin, |name| has_item(&file, name)),
        Err(document) => languages.blocks(origin, |name| has_property(document, name)),
    };
    if let Some(providers) = providers.filter(|_| needs_schema)
        && let Some(with_providers) = with_providers(&languages.of(origin).language, providers, &document)
    {
        blocks = Arc::new(with_providers);
    }
    let conversion = &conversion.clone().with_schema(&blocks);
    let (to, outcome) = match document.native() {
        Ok(file) if args.shape.is_some() => {
            let outcome = match args.shape {
                Some(Shape::PythonHcl2) => to_python_hcl2(&file),
                _ => to_hcl2json(&file),
            };
            let outcome = outcome.map(|text| {
                let mut converted = Converted::default();
                converted.text = text;
                converted
            });
            (To::Json, outcome)
        }
        Ok(file) => (To::Json, to_json(&file, conversion)),
        Err(document) if args.to == Some(To::Yaml) => {
            let mut converted = Converted::default();
            document.root().text().clone_into(&mut converted.text);
            (To::Json, Outcome::new(converted, Diagnostics::new()))
        }
        Err(_) if args.shape.is_some() => {
            let failure = format!("`{name}` is in the JSON syntax already; `--shape` is for files in native syntax");
            return Ok(Report::new(name, within, diagnostics, Err(failure.into())));
        }
        Err(document) => (To::Native, to_native(document, conversion)),
    };
    let (mut converted, found) = outcome.into_parts();
    if languages.explicit().is_some() || guessed.is_some() {
        // The schema knows that these are not blocks.
        converted.maybe_blocks.clear();
    }
    diagnostics.extend(found);
    let result = match args.to {
        Some(To::Yaml) if !diagnostics.has_errors() => yaml(converted, conversion).map(|yaml| Some((To::Yaml, yaml))),
        _ => Ok(Some((to, converted))),
    };
    Ok(Report { name, within, guessed, diagnostics, result })
}

/// Converts a JSON result to YAML.
fn yaml(converted: Converted, conversion: &ConversionOptions<'_>) -> Result<Converted, Error> {
    let json = conversion.get_parse_options().parse::<json::Document>(("json", converted.text.as_str())).into_value();
    let mut text = String::new();
    write_yaml(&json.root(), 0, &mut text)?;
    let mut yaml = converted;
    yaml.text = text;
    Ok(yaml)
}

/// Returns the names of the languages that the name of a file suggests.
fn guessed(origin: &Origin) -> Option<String> {
    let path = origin.path()?.to_string_lossy().into_owned();
    let names = |path: &str| Schema::all_for_file(path).map(|schema| schema.name.as_str()).collect::<Vec<_>>();
    let found = match names(&path) {
        found if found.is_empty() => names(path.strip_suffix(".json")?),
        found => found,
    };
    (!found.is_empty()).then(|| found.join(" or "))
}

/// Returns the path of a file within the named folder; only its name for a named file.
fn place_within(path: &Path, named: &[PathBuf]) -> PathBuf {
    let folders = named.iter().filter_map(|folder| {
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        let folder: PathBuf = folder.components().filter(|part| !matches!(part, Component::CurDir)).collect();
        path.strip_prefix(&folder).ok().map(Path::to_owned)
    });
    let inner = folders.filter(|inner| !inner.as_os_str().is_empty()).min_by_key(|inner| inner.components().count());
    match inner {
        Some(inner) if !named.iter().any(|other| other == path) => inner,
        _ => path.file_name().map_or_else(|| path.to_owned(), PathBuf::from),
    }
}

/// Returns the name for the converted file: the one under which its program reads it, if the language is known.
fn new_name(path: &Path, to: To, asked: Option<&Language>) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let text = name.to_string_lossy();
    // `main.pkr.hcl` and `main.pkr.json` are the same file in the two syntaxes.
    let other = match to {
        To::Json => text.strip_suffix(".hcl").map(|stem| format!("{stem}.json")),
        To::Native => text.strip_suffix(".json").map(|stem| format!("{stem}.hcl")),
        To::Yaml => None,
    };
    let is_known = |name: &str, other: &str| match asked {
        Some(language) => language.has_file(name) && language.has_file(other),
        None => Schema::all_for_file(name).any(|schema| schema.files_of(other).is_some()),
    };
    if let Some(other) = other.filter(|other| is_known(&text, other)) {
        return path.with_file_name(other);
    }
    let with = |name: &OsStr, ending: &str| [name, OsStr::new(ending)].into_iter().collect::<OsString>();
    let name = match to {
        To::Json => with(name, ".json"),
        To::Yaml => with(OsStr::new(text.strip_suffix(".json").unwrap_or(&text)), ".yaml"),
        To::Native if path.extension().is_some_and(|extension| extension == "json") => {
            let stem = path.file_stem().unwrap_or_default();
            match stem.as_encoded_bytes().contains(&b'.') {
                true => stem.to_owned(),
                false => with(stem, ".hcl"),
            }
        }
        To::Native => with(name, ".hcl"),
    };
    path.with_file_name(name)
}

fn save(path: &Path, text: &str, from: &str, force: bool, written: &mut HashMap<PathBuf, String>) -> Result<(), Error> {
    if let Some(other) = written.get(path) {
        return Err(format!("`{from}` and `{other}` would both be written to `{}`", shown(path)).into());
    }
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::from(format!("`{}` is there already; `--force` replaces it", shown(path)))
        }
        _ => Error::io(format!("cannot write `{}`", shown(path)), error),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let write = if force { atomic::write } else { atomic::create };
    write(path, text.as_bytes()).map_err(failed)?;
    written.insert(path.to_owned(), from.to_owned());
    Ok(())
}

/// Prints the schema with which JSON is converted back to the same files.
fn print_schema(
    context: &Context,
    origins: &[Origin],
    args: &Args,
    languages: &FileLanguages,
    options: &ParseOptions,
    color: bool,
) -> Result<Status, Error> {
    let mut files: Vec<(File, Arc<ConversionSchema>)> = Vec::new();
    for origin in origins {
        let (document, diagnostics) = Document::read_lightly(context, origin, syntax_of(origin, args), options)?;
        let wrong = diagnostics.has_errors();
        show(diagnostics, color);
        if wrong {
            return Ok(Status::Errors);
        }
        match document.native() {
            Ok(file) => {
                let known = languages.blocks(origin, |name| has_item(&file, name));
                files.push((file, known));
            }
            Err(_) if origins.len() > 1 => {}
            Err(_) => {
                let name = origin.name();
                return Err(
                    format!("there is no schema in `{name}`: JSON does not distinguish blocks from objects").into()
                );
            }
        }
    }
    let schema = ConversionSchema::of_all_in(files.iter().map(|(file, known)| (file.body(), &**known)));
    print(&schema.to_string()).map(|_| Status::Fine)
}

fn once_each(mut names: Vec<String>) -> Vec<String> {
    let mut known = HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    names
}

/// Prints notes about parts that were lost or may be read differently.
fn notes(converted: &Converted) {
    if converted.comments_left_out > 0 {
        let comments = count(converted.comments_left_out, "comment");
        let were = if converted.comments_left_out == 1 { "was" } else { "were" };
        note(&format!("{comments} {were} left out; `--comments` keeps them"));
    }
    if !converted.reordered.is_empty() {
        let names = list(&converted.reordered);
        let types = if converted.reordered.len() == 1 { "type" } else { "types" };
        note(&format!(
            "blocks of the {types} {names} are now together; `--blocks array` keeps the order of all blocks"
        ));
    }
    if !converted.maybe_blocks.is_empty() {
        let names = list(&converted.maybe_blocks);
        let (became, are) = match converted.maybe_blocks.len() {
            1 => ("an argument", "it is a block"),
            _ => ("arguments", "they are blocks"),
        };
        note(&format!("without a schema {names} became {became}; if {are}, say so with `--schema`"));
    }
}

fn list(names: &[String]) -> String {
    const MAX_NAMES: usize = 5;
    let mut all: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MAX_NAMES {
        all.push("…".to_owned());
    }
    all.join(", ")
}
