//! `hcl graph` and `hcl refs`: dependencies and references.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use super::args;
use super::callers::{Callers, Occurrences, identity_of, occurrences};
use super::context::Context;
use super::error::Error;
use super::project::{Like, Project, find, not_found};
use super::rows::{self, Format};
use super::status::Status;
use super::terminal::{print, show};
use super::values::json_line;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr_language::definitions::{Definition, References};

const GRAPH_EXAMPLES: &str = "\
Examples:
  hcl graph                         the definitions of this folder
  hcl graph --schema terraform --dot . | dot -Tsvg > graph.svg
  hcl graph --mermaid tasks.hcl --schema tasks.schema.hcl

Without --schema, the names of the files determine the language. If they do not,
the attributes are the definitions.

Exit status:
  0  success
  1  the HCL has errors, such as undefined names
  2  the command line is wrong, or a file cannot be read";

const REFS_EXAMPLES: &str = "\
Examples:
  hcl refs var.region                      in the files of this folder
  hcl refs target.app docker-bake.hcl
  hcl refs local.name --json . | jq -r '.[].file'
  hcl refs var.cidr modules/net --callers .

The definition is printed first, then the references.

Exit status:
  0  success
  1  the name is not defined
  2  the command line is wrong, or a file cannot be read";

#[derive(clap::Args)]
#[command(after_help = GRAPH_EXAMPLES)]
pub struct Graph {
    /// Files, or a folder [default: .]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    like: Like,

    #[command(flatten)]
    excluded: args::Excluded,

    /// Print the graph in the language of Graphviz
    #[arg(long, group = "form")]
    dot: bool,

    /// Print the graph in the language of Mermaid
    #[arg(long, group = "form")]
    mermaid: bool,

    /// The output format of the definitions [default: lines of text]
    #[arg(long, short, value_enum, group = "form")]
    output: Option<Format>,

    /// Same as --output json
    #[arg(long, group = "form")]
    json: bool,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
#[command(after_help = REFS_EXAMPLES)]
pub struct Refs {
    /// The name as expressions write it, such as var.region
    #[arg(value_name = "ADDRESS")]
    address: String,

    /// Files, or a folder [default: .]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    callers: Callers,

    #[command(flatten)]
    like: Like,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    listed: args::Listed,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

/// A definition with its dependencies.
struct Node<'p> {
    definition: Definition<'p>,
    needs: BTreeSet<&'p str>,
    unused: bool,
}

/// Returns the definitions with their dependencies.
fn nodes<'p>(project: &'p Project, references: &'p References) -> Vec<Node<'p>> {
    let mut nodes = Vec::new();
    for definition in project.definitions().iter() {
        let needs = references.within(&definition).filter(|reference| !reference.is_definition());
        let needs = needs.map(|reference| reference.definition().address());
        let needs: BTreeSet<&str> = needs.collect();
        nodes.push(Node { definition, needs, unused: references.is_unused(&definition) });
    }
    nodes
}

impl Graph {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        let paths = args::paths_or_folder(&self.paths)?;
        let projects =
            Project::load(context, &self.like, (&paths, &self.excluded.exclude()?), &context.parse_options(), color)?;
        let mut status = Status::Fine;
        for project in &projects {
            let references = References::new(project.definitions());
            let nodes = nodes(project, &references);
            let mut wrong = project.model().definition_errors().clone();
            wrong.extend(references.undefined().iter().cloned());
            wrong.sort();
            let wrong = wrong.without_repetitions();
            let text = match self {
                Graph { dot: true, .. } => dot(&nodes),
                Graph { mermaid: true, .. } => mermaid(&nodes),
                Graph { json: true, .. } | Graph { output: Some(Format::Json), .. } => {
                    json(&nodes, references.undefined())?
                }
                Graph { output: Some(format), .. } => {
                    let order = ["address", "file", "line", "column", "needs", "unused"].map(str::to_owned);
                    rows::print(*format, &definitions(&nodes), &order)?
                }
                _ => plain(&nodes),
            };
            print(&text)?;
            if wrong.has_errors() || project.has_errors {
                status = Status::Errors;
            }
            show(wrong, color);
        }
        Ok(status)
    }
}

/// A place for people: `main.tf:3`.
fn line_of(place: &Place) -> String {
    format!("{}:{}", place.source().name(), place.position().line)
}

fn plain(nodes: &[Node<'_>]) -> String {
    let mut out = String::new();
    for node in nodes {
        let unused = if node.unused { ", unused" } else { "" };
        out += &format!("{}  ({}{unused})\n", node.definition.address(), line_of(node.definition.name_place()));
        for name in &node.needs {
            out += &format!("  {name}\n");
        }
    }
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn dot(nodes: &[Node<'_>]) -> String {
    let mut out = String::from("digraph definitions {\n  rankdir = \"LR\"\n  node [shape = \"box\"]\n");
    for node in nodes {
        let name = quoted(node.definition.address());
        let style = if node.unused { " [style = \"dashed\"]" } else { "" };
        out += &format!("  {name}{style}\n");
        for needed in &node.needs {
            out += &format!("  {name} -> {}\n", quoted(needed));
        }
    }
    out + "}\n"
}

fn mermaid(nodes: &[Node<'_>]) -> String {
    let mut out = String::from("flowchart LR\n");
    let number = |address: &str| nodes.iter().position(|node| node.definition.address() == address);
    let numbers: std::collections::HashMap<&str, usize> =
        nodes.iter().enumerate().rev().map(|(at, node)| (node.definition.address(), at)).collect();
    for (at, node) in nodes.iter().enumerate() {
        let text = node.definition.address().replace('"', "#quot;");
        out += &format!("  n{at}[\"{text}\"]{}\n", if node.unused { ":::unused" } else { "" });
    }
    for (at, node) in nodes.iter().enumerate() {
        for needed in &node.needs {
            if let Some(to) = numbers.get(needed).copied().or_else(|| number(needed)) {
                out += &format!("  n{at} --> n{to}\n");
            }
        }
    }
    if nodes.iter().any(|node| node.unused) {
        out += "  classDef unused stroke-dasharray: 4\n";
    }
    out
}

/// Returns the members of an object that describe a place.
fn members(place: &Place) -> Vec<(&'static str, Value)> {
    let position = place.position();
    vec![
        ("file", Value::from(place.source().name())),
        ("line", Value::from(position.line)),
        ("column", Value::from(position.column)),
    ]
}

/// Returns the definitions as objects.
fn definitions(nodes: &[Node<'_>]) -> Vec<Value> {
    let object = |node: &Node<'_>| {
        let mut object = vec![("address", Value::from(node.definition.address()))];
        object.extend(members(node.definition.name_place()));
        object.push(("needs", Value::tuple(node.needs.iter().map(|name| Value::from(*name)))));
        if node.unused {
            object.push(("unused", Value::from(true)));
        }
        Value::object(object)
    };
    nodes.iter().map(object).collect()
}

/// Returns the definitions and the errors about undefined names as one JSON object.
fn json(nodes: &[Node<'_>], undefined: &Diagnostics) -> Result<String, Error> {
    let undefined = undefined.iter().map(|error| {
        let mut object = vec![("detail", Value::from(error.detail()))];
        object.extend(members(error.place()));
        Value::object(object)
    });
    let lists = [("definitions", definitions(nodes)), ("undefined", undefined.collect())];
    let list = |(name, rows): &(&str, Vec<Value>)| {
        let rows: Vec<String> =
            rows.iter().map(|row| Ok(format!("    {}", json_line(row)?))).collect::<Result<_, Error>>()?;
        let rows = if rows.is_empty() { String::new() } else { format!("\n{}\n  ", rows.join(",\n")) };
        Ok(format!("  \"{name}\": [{rows}]"))
    };
    let lists: Vec<String> = lists.iter().map(list).collect::<Result<_, Error>>()?;
    Ok(format!("{{\n{}\n}}\n", lists.join(",\n")))
}

impl Refs {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        let paths = args::paths_or_folder(&self.paths)?;
        let projects =
            Project::load(context, &self.like, (&paths, &self.folders.exclude()?), &context.parse_options(), color)?;
        let callers = self.callers.load(context, &projects, &self.folders)?;
        let mut found = false;
        for project in &projects {
            let Some(definition) = find(project, &self.address) else { continue };
            found = true;
            let all = occurrences(project, definition, &callers, color)?;
            let mut lines = vec![Line { place: definition.name_place(), within: None, defines: true }];
            let mut known = HashSet::from([identity_of(definition.name_place())]);
            for Occurrences { definition, references, .. } in &all {
                lines.extend(
                    references
                        .to(definition)
                        .filter(|reference| known.insert(identity_of(reference.name_place())))
                        .map(|reference| {
                            let within = reference.within().map(Definition::address);
                            Line { place: reference.place(), within, defines: reference.is_definition() }
                        }),
                );
            }
            let out = match self.listed.asked() {
                Some(format) => {
                    let order = ["file", "line", "column", "in", "defined"].map(str::to_owned);
                    rows::print(format, &lines.iter().map(as_value).collect::<Vec<_>>(), &order)?
                }
                None => lines.iter().map(as_line).collect(),
            };
            print(&out)?;
        }
        if !found {
            return Err(Error::from(not_found(&projects, &self.address)).with_status(Status::Errors));
        }
        Ok(Status::Fine)
    }
}

/// The place of a definition or reference.
struct Line<'p> {
    place: &'p Place,
    within: Option<&'p str>,
    defines: bool,
}

fn as_line(Line { place, within, defines }: &Line<'_>) -> String {
    match within {
        _ if *defines => format!("{place}: defined\n"),
        Some(within) => format!("{place}: in {within}\n"),
        None => format!("{place}\n"),
    }
}

fn as_value(Line { place, within, defines }: &Line<'_>) -> Value {
    let mut object = members(place);
    match within {
        _ if *defines => object.push(("defined", Value::from(true))),
        Some(within) => object.push(("in", Value::from(*within))),
        None => {}
    }
    Value::object(object)
}
