//! `hcl set`, `rm`, `mv`, `append` and `comment`: changes at addresses, in many files at once.
//!
//! Each command says what it does with what an address leads to in one file (an [`Edits`]). What they
//! share is here and in `run`: no file is written before all of them have been looked at, and if anything stands in
//! the way none is.

mod append;
mod changes;
mod comment;
mod create;
mod destination;
mod json;
mod json_blocks;
mod json_members;
mod moves;
mod present;
mod references;
mod remove;
mod repeated;
mod run;
mod set;
mod taken;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use append::Append;
pub use comment::Comment;
pub use moves::Move;
pub use remove::Remove;
pub use set::Set;

use self::changes::Changes;
use self::json::JsonEdit;
use self::run::{Report, run, write_all};
use self::taken::Taken;
use super::input::{Origin, read};
use super::{Status, args};
use crate::args::{AddressArgument, Malformed, address, condition, paths_or_folder};
use crate::rows::Format;
use hcl_lr::Expression;
use hcl_lr::diagnostic::Diagnostic;
use hcl_lr::json::Node;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{Address, Miss, NotFound, Target, TargetKind};
use hcl_lr_edit::query::{Query, QueryMatch, Subject};
use hcl_lr_edit::{Container, Editor, InsertionPoint, Item, JsonPosition};

/// The files to change, and which places in them.
#[derive(clap::Args)]
pub struct Files {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    paths: Vec<PathBuf>,

    /// Change all places that the address leads to, not only a single one
    #[arg(long)]
    all: bool,

    /// Change only places for which this expression is true, as in `hcl query`
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = condition)]
    condition: Option<Expression>,

    /// Exit with status 0 if nothing is found at the address
    #[arg(long)]
    if_present: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    diff: bool,

    /// List the places that would change, and change nothing
    ///
    /// With --output, each is an object with file, line, address, and the texts before and after.
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    listed: args::Listed,

    /// Change files with errors elsewhere, too
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    language: args::Language,

    #[command(flatten)]
    functions: args::Offered,

    #[command(flatten)]
    budget: args::Budget,

    #[command(flatten)]
    pub quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

impl Files {
    /// Returns the format of the list of places.
    ///
    /// # Errors
    /// A message, if no list is asked for.
    fn list_format(&self) -> Result<Option<Format>, String> {
        match self.listed.asked() {
            Some(_) if !self.dry_run => {
                Err("`--output` and `--json` need `--dry-run`: they set the format of its list".to_owned())
            }
            Some(_) if self.diff => {
                Err("`--diff` prints a patch, `--output` and `--json` print a list: use one of them".to_owned())
            }
            format => Ok(format),
        }
    }

    /// Splits the arguments after the address into the text, which is the first of them unless it comes from somewhere
    /// else, and the paths.
    ///
    /// # Errors
    /// A message, if the text is missing, or if no path is named and something is piped into the program.
    fn text_and_paths(&self, first: Option<&str>, elsewhere: bool) -> Result<(Option<String>, Vec<PathBuf>), String> {
        if elsewhere {
            let all: Vec<PathBuf> = first.map(PathBuf::from).into_iter().chain(self.paths.iter().cloned()).collect();
            return Ok((None, paths_or_folder(&all)?));
        }
        let Some(text) = first else { return Err("there is no value: write it after the address".to_owned()) };
        if self.paths.is_empty() && Path::new(text).is_file() {
            return Err(format!("`{text}` is a file: write the value before it"));
        }
        Ok((Some(text.to_owned()), paths_or_folder(&self.paths)?))
    }
}

/// Reads a text from a file, or from standard input for `-`.
///
/// # Errors
/// A message, if it cannot be read, is not UTF-8, or is standard input that the files come from as well.
fn text_from(path: &Path, paths: &[PathBuf]) -> Result<String, String> {
    if path == Path::new("-") && paths.iter().any(|path| path == Path::new("-")) {
        return Err("standard input cannot be both the new text and the file to change".to_owned());
    }
    let (name, bytes) = read(path)?;
    String::from_utf8(bytes).map_err(|_| format!("`{name}` is not UTF-8"))
}

/// The neighbour that something is put beside.
#[derive(clap::Args)]
struct Beside {
    /// Put it before the item at this address
    #[arg(long, value_name = "ADDRESS", value_parser = before, conflicts_with = "after")]
    before: Option<AddressArgument>,

    /// Put it after the item at this address
    #[arg(long, value_name = "ADDRESS", value_parser = after)]
    after: Option<AddressArgument>,
}

/// Reads the address of `--before`.
fn before(text: &str) -> Result<AddressArgument, Malformed> {
    AddressArgument::parse("--before", text)
}

/// Reads the address of `--after`.
fn after(text: &str) -> Result<AddressArgument, Malformed> {
    AddressArgument::parse("--after", text)
}

impl Beside {
    /// Returns the place that one of the options says, which is the same for all that is put there.
    fn position<'f>(&self, file: &'f File) -> Result<Option<InsertionPoint<'f>>, Refusal> {
        Ok(match (&self.before, &self.after) {
            (Some(address), _) => Some(InsertionPoint::Before(member(&only(file, address, address)?)?)),
            (_, Some(address)) => Some(InsertionPoint::After(member(&only(file, address, address)?)?)),
            _ => None,
        })
    }

    /// The same in the JSON syntax, with the object or array that it is in.
    fn position_in_json<'d>(
        &self,
        edit: &mut JsonEdit<'_, 'd>,
    ) -> Result<Option<(Node<'d>, JsonPosition<'d>)>, Refusal> {
        let (address, position): (_, fn(Node<'d>) -> JsonPosition<'d>) = match (&self.before, &self.after) {
            (Some(address), _) => (address, JsonPosition::Before),
            (_, Some(address)) => (address, JsonPosition::After),
            _ => return Ok(None),
        };
        let target = edit.only(address, address)?;
        // Beside a block is beside the property of its type.
        let node = match target.kind() {
            TargetKind::JsonBlock(block) => block.properties().next().map_or(block.body(), |one| one.value()),
            _ => json::value(&target)?,
        };
        let parent = edit.parent(node).ok_or_else(|| format!("{}: this is the whole file", target.place()))?;
        Ok(Some((parent, position(node))))
    }

    /// Returns the error that the neighbour is not in the container that something is added to.
    fn elsewhere(&self, container: &Target<'_>) -> Refusal {
        let neighbour = self.before.as_ref().or(self.after.as_ref()).map(|address| address.to_string());
        format!("{}: `{}` is not one of its items", place(container), neighbour.unwrap_or_default()).into()
    }
}

/// The end of the help of all these commands.
const STATUS: &str = "
A file is written as a whole or not at all, and only if the result has the
requested edit and no other change. If one file cannot be changed, none is
written.

Exit status:
  0  done
  1  nothing was found at the address
  2  failure: wrong command line, several places without --all, a file with
     errors without --force, or a file that cannot be read or written";

/// The work of one editing command.
trait Edits: Sync {
    /// Returns the address of what is edited.
    fn address(&self) -> &AddressArgument;

    /// Adds to the query for what is edited.
    fn query(&self, query: Query) -> Query {
        query
    }

    /// Returns the expression that computes new values.
    fn expression(&self) -> Option<&Expression> {
        None
    }

    /// Returns the reason why something that was found stays as it is.
    fn leaves(&self, _: &QueryMatch<'_>) -> Option<String> {
        None
    }

    /// Returns the reason why a place at which the address leads no further stays as it is, if that is worth saying.
    fn passes_by(&self, _: &Miss<'_>) -> Option<String> {
        None
    }

    /// Tells the editor what to do with what was found.
    ///
    /// # Errors
    /// The reason why that cannot be.
    fn edit<'f>(&self, edit: &mut Edit<'_, 'f>) -> Result<(), Refusal>;

    /// Tells the editor of a document in the JSON syntax what to do with what was found.
    ///
    /// # Errors
    /// The reason why that cannot be.
    fn edit_json(&self, edit: &mut JsonEdit<'_, '_>) -> Result<(), Refusal>;

    /// Returns true if it may give blocks the type and labels of others.
    fn names_blocks(&self) -> bool {
        false
    }

    /// Returns a hint for an address without matches.
    fn tip(&self, _: &NotFound) -> Option<String> {
        None
    }

    /// Returns a hint about an edit that may not be what was meant.
    fn note(&self, _: &[QueryMatch<'_>]) -> Option<String> {
        None
    }

    /// Returns the file that what is taken out of others is added to.
    fn destination(&self) -> Option<&Path> {
        None
    }
}

/// The reason why an edit cannot be made.
enum Refusal {
    Message(String),
    /// An error with its place in an argument.
    Diagnostic(Box<Diagnostic>),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Message(message)
    }
}

/// The edit of one file.
struct Edit<'e, 'f> {
    origin: &'e Origin,
    file: &'f File,
    found: &'e [QueryMatch<'f>],
    editor: Editor<'f>,
    /// The items that are removed here and added to another file.
    taken: Vec<Taken>,
    /// The texts of what changes.
    changes: Changes,
}

/// Returns a target as a part of its parent, if it can be edited as one.
fn member<'f>(target: &Target<'f>) -> Result<Item<'f>, String> {
    match target.kind() {
        TargetKind::Attribute(attribute) => Ok(Item::Attribute(*attribute)),
        TargetKind::Block(block) => Ok(Item::Block(*block)),
        TargetKind::Entry(entry) => Ok(Item::Entry(*entry)),
        TargetKind::Element(element) => Ok(Item::Element(*element)),
        TargetKind::Body(_) => Err(format!("{}: this is the whole file", target.place())),
        _ => Err(format!("{}: only attributes, blocks and parts of objects and lists can be changed", target.place())),
    }
}

/// Returns a target as a container of parts.
fn container<'f>(target: &Target<'f>) -> Result<Container<'f>, String> {
    match target.kind() {
        TargetKind::Body(body) => Ok(Container::Body(*body)),
        TargetKind::Block(block) => Ok(Container::Body(block.body())),
        _ => match target.expression() {
            Some(expression) => Ok(Container::Collection(expression)),
            None => Err(format!("{}: this cannot contain attributes or blocks", target.place())),
        },
    }
}

/// Returns the one thing that an address leads to in a file: that of an argument, or of its first steps.
fn only<'f>(file: &'f File, argument: &AddressArgument, address: &Address) -> Result<Target<'f>, Refusal> {
    only_of(Subject::Native(file), file.source(), argument, address)
}

/// The same in a file of either syntax.
fn only_of<'t>(
    subject: Subject<'t>,
    source: &Arc<Source>,
    argument: &AddressArgument,
    address: &Address,
) -> Result<Target<'t>, Refusal> {
    let trace = subject.trace(address);
    let mut why = NotFound::default();
    why.add(address, &trace);
    let mut targets = trace.into_targets();
    match (targets.pop(), targets.len()) {
        (Some(target), 0) => Ok(target),
        (None, _) => {
            let here = Place::new(source, Span::new(0, 0));
            Err(Refusal::Diagnostic(Box::new(argument.nothing_found(&why).with_label(&here, "in this file"))))
        }
        (Some(_), others) => Err(format!("{}: `{address}` matches {} places", source.name(), others + 1).into()),
    }
}

/// Returns a place for people: `main.tf:3: service.web.port`.
fn place(target: &Target<'_>) -> String {
    let place = target.place();
    let line = place.source().position(place.span().start()).line;
    format!("{}:{line}: {}", place.source().name(), target.address())
}
