//! `hcl merge`: three-way merges by structure.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::context::Context;
use super::error::Error;
use super::input::{Document, Origin, Syntax};
use super::status::Status;
use super::terminal::{self, count};
use super::{args, replace};
use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown;
use hcl_lr_edit::diff::{MergeOptions, Merged, merge, merge_lines};

const EXAMPLES: &str = "\
Examples:
  hcl merge base.tf ours.tf theirs.tf
  hcl merge base.tf ours.tf theirs.tf -o merged.tf
  hcl merge --in-place %O %A %B --path %P --marker-size %L

The last one is for git, in a configuration such as
  git config merge.hcl.name 'merge HCL by structure'
  git config merge.hcl.driver 'hcl merge --in-place %O %A %B --path %P'
and a file .gitattributes with the line
  *.tf merge=hcl

The result has every change that only one side made, and keeps the comments
and the layout of OURS. Items that both sides changed differently are put as a
whole between conflict markers. A result without conflicts has no errors, and
is formatted if OURS was. Files with errors, and files in the JSON syntax, are
merged by lines, as git does.

Exit status:
  0  merged
  1  there are conflicts, or the result has errors
  2  a file cannot be read or written, or the command line is wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file that both sides began with
    #[arg(value_name = "BASE")]
    base: PathBuf,

    /// The file of our side
    #[arg(value_name = "OURS")]
    ours: PathBuf,

    /// The file of their side
    #[arg(value_name = "THEIRS")]
    theirs: PathBuf,

    /// Write the result to this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,

    /// Write the result to OURS
    #[arg(long)]
    in_place: bool,

    /// Use this path to find out the syntax, and in messages
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,

    /// Set what conflicts show
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = ConflictStyle::Merge)]
    conflict_style: ConflictStyle,

    /// Set the length of conflict markers
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    marker_size: u16,

    /// Set the labels of OURS, BASE and THEIRS in conflict markers, in this order
    #[arg(short = 'L', long, value_name = "LABEL")]
    label: Vec<String>,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ConflictStyle {
    /// Both sides
    Merge,
    /// Both sides, and the base between them
    Diff3,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        if self.label.len() > 3 {
            return Err("there are only three labels: of OURS, BASE and THEIRS".into());
        }
        let paths = [&self.base, &self.ours, &self.theirs];
        if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err("standard input cannot be several files".into());
        }
        if self.in_place && self.ours == Path::new("-") {
            return Err("standard input cannot be changed in place".into());
        }
        let mut sources = Vec::new();
        for path in paths {
            let origin = Origin::of_argument(path);
            let text =
                String::from_utf8(origin.bytes(context)?).map_err(|_| format!("`{}` is not UTF-8", origin.name()))?;
            sources.push(Source::new(&origin.name(), text));
        }
        let [base, ours, theirs] = &sources[..] else { return Err("three files are needed".into()) };
        let path = self.path.as_ref().unwrap_or(&self.ours);
        let (name, syntax) = (shown(path), Origin::of_argument(path).syntax());
        let label = |index: usize, usual: &'static str| self.label.get(index).map_or(usual, String::as_str);
        let options = MergeOptions::new()
            .with_labels(label(0, "ours"), label(1, "base"), label(2, "theirs"))
            .with_base(self.conflict_style == ConflictStyle::Diff3)
            .with_marker_size(usize::from(self.marker_size));
        let mut is_by_lines = false;
        let mut by_lines = || {
            is_by_lines = true;
            merge_lines(base.text(), ours.text(), theirs.text(), &options)
        };
        let merged = match syntax {
            Syntax::Json | Syntax::Template => {
                let what = if syntax == Syntax::Json { "in the JSON syntax" } else { "a template" };
                terminal::note(&format!("`{name}` is {what}, and was merged by lines"));
                by_lines()
            }
            _ => merge(base.clone(), ours.clone(), theirs.clone(), &options).unwrap_or_else(|errors| {
                terminal::show(errors, self.color.on_stderr());
                terminal::note(&format!("`{name}` was merged by lines, since there are errors"));
                by_lines()
            }),
        };
        if merged.is_by_lines() && !is_by_lines {
            terminal::note(&format!("`{name}` was merged by lines, since its parts could not be matched"));
        }
        let mut status = Status::Fine;
        if merged.conflicts() > 0 {
            status = Status::Errors;
            terminal::note(&format!("`{name}` has {}", count(merged.conflicts(), "conflict")));
        } else if syntax != Syntax::Template && has_errors(context, &name, &merged, syntax) {
            status = Status::Errors;
            terminal::failure(format!("the result for `{name}` has errors; `hcl check` shows them"));
        }
        for place in merged.comments_left_out() {
            let why = match place.source().name() == theirs.name() {
                true => "it belongs to nothing that was merged",
                false => "theirs removed or replaced what it belongs to",
            };
            terminal::note(&format!("{place}: this comment is not in the result, since {why}"));
        }
        let target = if self.in_place { Some(&self.ours) } else { args::path_or_stdout(self.output.as_ref()) };
        match target {
            None => terminal::print(merged.text()).map(|_| status),
            Some(path) => {
                let failed = |error| Error::io(format!("cannot write `{}`", shown(path)), error);
                replace::write(path, merged.text().as_bytes()).map_err(failed).map(|()| status)
            }
        }
    }
}

fn has_errors(context: &Context, name: &str, merged: &Merged, syntax: Syntax) -> bool {
    Document::parse(Source::new(name, merged.text()), syntax, &context.parse_options()).1.has_errors()
}
