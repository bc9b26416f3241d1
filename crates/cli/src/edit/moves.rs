//! `hcl mv`: renames items, and moves them within a file or to another one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use super::beside::Beside;
use super::changes::Texts;
use super::edits::{Edit, Edits};
use super::options::{Files, STATUS};
use super::references::Rename;
use super::run::run;
use super::taken::Taken;
use super::targets::{Refusal, container, item, only, place};
use crate::args::{AddressArgument, address, paths_or_folder};
use crate::callers::Callers;
use crate::context::Context;
use crate::error::Error;
use crate::project::Like;
use crate::status::Status;
use crate::terminal;
use hcl_lr::source::Place;
use hcl_lr::source::visible::path as shown;
use hcl_lr_edit::address::{Address, AddressStep, Target, TargetKind};
use hcl_lr_edit::query::Subject;
use hcl_lr_edit::{Container, Editor, InsertionPoint, Item};

const EXAMPLES: &str = "\
Examples:
  hcl mv service.web.prt service.web.port main.hcl       another name
  hcl mv resource.aws_instance.web resource.aws_instance.app main.tf
  hcl mv service.web.tags service.db.tags main.hcl       into another block
  hcl mv 'zones[2]' 'zones[0]' main.hcl                  another place in a list
  hcl mv --before a.x a.y a.y main.hcl                   same name, other place
  hcl mv --all 'module[*].vpc' 'module[*].network' .     in all modules
  hcl mv --all 'variable[*]' --into variables.tf .       into another file
  hcl mv --references var.region var.zone .              and all references to it
  hcl mv --references var.cidr var.range net --callers . and in module calls";

#[derive(clap::Args)]
#[command(after_help = help())]
#[command(override_usage = "hcl mv [OPTIONS] <FROM> [TO] [PATH|-]...")]
pub struct Move {
    /// Address of the item to rename or move
    #[arg(value_name = "FROM", value_parser = address)]
    from: AddressArgument,

    /// Its new address
    to: Option<String>,

    #[command(flatten)]
    beside: Beside,

    /// Move attributes or blocks to the end of a file, which is created if needed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["before", "after", "references"])]
    into: Option<PathBuf>,

    /// Rename what the files define, such as var.region, and all references to it
    ///
    /// The addresses are then those that expressions use, and only the name of
    /// the definition changes.
    #[arg(long, conflicts_with_all = ["before", "after", "all", "condition"])]
    references: bool,

    /// Add a `moved` block, so that Terraform keeps the resource or module
    #[arg(long, requires = "references")]
    moved: bool,

    #[command(flatten)]
    callers: Callers,

    #[command(flatten)]
    like: Like,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", STATUS)
}

impl Move {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        if let Some(into) = &self.into {
            if into == Path::new("-") || into.is_dir() {
                return Err(format!("`--into` needs a file, and `{}` is not one", shown(into)).into());
            }
            let paths: Vec<PathBuf> =
                self.to.iter().map(PathBuf::from).chain(self.files.paths.iter().cloned()).collect();
            return run(context, &self.files, &paths_or_folder(&paths)?, &Moving { args: self, to: self.from.clone() });
        }
        let Some(to) = &self.to else { return Err("there is no new address: write it after the old one".into()) };
        let to = match AddressArgument::parse("TO", to) {
            Ok(to) => to,
            Err(wrong) => {
                terminal::show(wrong.0, self.files.color.on_stderr());
                return Ok(Status::Failure);
            }
        };
        let paths = paths_or_folder(&self.files.paths)?;
        if self.references {
            let Move { from, moved, callers, like, files, .. } = self;
            return Rename { from, to: &to, moved: *moved, callers, like, files }.apply(context, &paths);
        }
        if self.callers.is_given() {
            return Err("`--callers` looks for references, and needs `--references`".into());
        }
        if self.like.choice.is_given() {
            return Err("`--schema` says what references mean, and needs `--references`".into());
        }
        run(context, &self.files, &paths, &Moving { args: self, to })
    }
}

/// A move with its new address.
struct Moving<'a> {
    args: &'a Move,
    to: AddressArgument,
}

impl Moving<'_> {
    /// The last steps of the new address that name the target, and those of the old one. The steps before them name
    /// its container.
    fn names(&self, target: &Target<'_>) -> Option<(&[AddressStep], &[AddressStep], bool)> {
        let count = names_in(target);
        let (from, to) = (self.old_steps(target), self.to.steps());
        let (from_at, to_at) = (from.len().checked_sub(count)?, to.len().checked_sub(count)?);
        Some((&from[from_at..], &to[to_at..], from[..from_at] == to[..to_at]))
    }

    /// Returns the steps of the old address, without one that chooses among several blocks of the same name.
    fn old_steps(&self, target: &Target<'_>) -> &[AddressStep] {
        let (from, whole) = (self.args.from.steps(), target.address());
        let is_block = matches!(target.kind(), TargetKind::Block(_) | TargetKind::JsonBlock(_));
        let is_one_of_several = matches!(whole.steps().last(), Some(AddressStep::Index(_)));
        match from.split_last() {
            Some((AddressStep::Index(_), rest)) if is_block => rest,
            // Without this, the address is that of the label.
            Some((AddressStep::Any, rest)) if is_block && is_one_of_several && whole.steps().len() == from.len() => {
                rest
            }
            _ => from,
        }
    }

    /// Returns the parent that the new address names.
    fn new_parent<'f>(&self, subject: Subject<'f>, count: usize) -> Result<Container<'f>, Refusal> {
        let steps = self.to.steps();
        let parent = steps[..steps.len() - count].iter().cloned().fold(Address::root(), Address::step);
        Ok(container(&only(subject, &self.to, &parent)?)?)
    }

    /// Moves one target. The neighbours of the new place are the same for all.
    fn move_item<'f>(
        &self,
        subject: Subject<'f>,
        target: &Target<'f>,
        (beside, parents): (Option<InsertionPoint<'f>>, &mut HashMap<usize, Container<'f>>),
        editor: &mut Editor<'f>,
    ) -> Result<(), Refusal> {
        let moved = item(target)?;
        let no_address = || format!("`{}` is not an address for {}", *self.to, place(target));
        let count = names_in(target);
        let (old, new, same_parent) = self.names(target).ok_or_else(no_address)?;
        if let TargetKind::Element(_) | TargetKind::Expression(_) | TargetKind::JsonElement(_) = target.kind() {
            let position = match beside {
                Some(position) => position,
                None => self.in_list(subject, old, new, same_parent).ok_or_else(no_address)?,
            };
            editor.move_to(moved, position);
            return Ok(());
        }
        let renames = old != new;
        let position = match beside {
            Some(position) => Some(position),
            None if same_parent => None,
            None => {
                if let Entry::Vacant(unknown) = parents.entry(count) {
                    unknown.insert(self.new_parent(subject, count)?);
                }
                parents.get(&count).copied().map(InsertionPoint::End)
            }
        };
        match position {
            None => rename(target, new, editor).ok_or_else(no_address)?,
            Some(position) if !renames => drop(editor.move_to(moved, position)),
            Some(position) => match (moved, new) {
                (Item::Attribute(_) | Item::Entry(_) | Item::JsonValue(_), [AddressStep::Name(name)]) => {
                    editor.move_as(moved, position, name);
                }
                _ => return Err(format!("{}: rename it first, and then move it", place(target)).into()),
            },
        }
        Ok(())
    }

    /// Returns the address that a target has after the move.
    fn new_address(&self, target: &Target<'_>) -> String {
        let (count, whole, to) = (names_in(target), target.address(), self.to.steps());
        let from = match whole.steps().split_last() {
            Some((AddressStep::Index(_), rest)) if self.old_steps(target).len() < self.args.from.steps().len() => rest,
            _ => whole.steps(),
        };
        let (Some((_, _, same_parent)), Some(at)) = (self.names(target), from.len().checked_sub(count)) else {
            return self.to.to_string();
        };
        let new_at = to.len() - count;
        let parent = if same_parent { &from[..at] } else { &to[..new_at] };
        let names = to[new_at..].iter().zip(&from[at..]);
        let names = names.map(|(new, old)| if *new == AddressStep::Any { old } else { new });
        parent.iter().chain(names).cloned().fold(Address::root(), Address::step).to_string()
    }

    /// Returns the text that changes: the address, or the file.
    fn texts(&self, target: &Target<'_>) -> Texts {
        match &self.args.into {
            Some(file) => Texts::changed(target.place().source().name(), shown(file)),
            None => Texts::changed(target.address().to_string(), self.new_address(target)),
        }
    }

    /// Returns the position at which an element gets an index.
    fn in_list<'f>(
        &self,
        subject: Subject<'f>,
        old: &[AddressStep],
        new: &[AddressStep],
        same_list: bool,
    ) -> Option<InsertionPoint<'f>> {
        let ([AddressStep::Index(from)], [AddressStep::Index(to)]) = (old, new) else { return None };
        match only(subject, &self.to, &self.to) {
            Ok(there) => {
                let there = item(&there).ok()?;
                Some(if same_list && to > from { InsertionPoint::After(there) } else { InsertionPoint::Before(there) })
            }
            Err(_) if *to == 0 => Some(InsertionPoint::End(self.new_parent(subject, 1).ok()?)),
            Err(_) => {
                let (parent, _) = self.to.split_last()?;
                let last = only(subject, &self.to, &parent.index(to - 1)).ok()?;
                Some(InsertionPoint::After(item(&last).ok()?))
            }
        }
    }
}

/// Returns the number of names of a target: a block has a type and labels, everything else has one name or index.
fn names_in(target: &Target<'_>) -> usize {
    match target.kind() {
        TargetKind::Block(block) => 1 + block.labels().len(),
        TargetKind::JsonBlock(block) => 1 + block.labels().len(),
        _ => 1,
    }
}

/// Renames a target to the last steps of an address.
fn rename<'f>(target: &Target<'f>, steps: &[AddressStep], editor: &mut Editor<'f>) -> Option<()> {
    let names: Option<Vec<Option<&str>>> = steps
        .iter()
        .map(|step| match step {
            AddressStep::Name(name) => Some(Some(name.as_str())),
            AddressStep::Any => Some(None),
            _ => None,
        })
        .collect();
    let names = names?;
    let moved = item(target).ok()?;
    let (old_name, labels): (Option<String>, Vec<String>) = match target.kind() {
        TargetKind::Attribute(attribute) => (Some(attribute.name().to_owned()), Vec::new()),
        TargetKind::Block(block) => {
            (Some(block.block_type().to_owned()), block.labels().map(|label| label.text().into_owned()).collect())
        }
        TargetKind::JsonBlock(block) => {
            (Some(block.block_type().into_owned()), block.labels().map(|label| label.into_owned()).collect())
        }
        _ => (None, Vec::new()),
    };
    if let Some(name) = names.first().copied().flatten().filter(|name| old_name.as_deref() != Some(*name)) {
        editor.rename(moved, name);
    }
    if names.len() > 1 {
        let labels = names[1..].iter().zip(labels).map(|(new, old)| new.map_or(old, str::to_owned));
        editor.set_labels(moved, labels.collect::<Vec<String>>());
    }
    Some(())
}

impl Edits for Moving<'_> {
    fn address(&self) -> &AddressArgument {
        &self.args.from
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        if self.args.into.is_some() {
            for found in edit.found {
                let target = found.target();
                let head = match target.kind() {
                    TargetKind::Block(block) => block.header_span(),
                    TargetKind::Attribute(_) | TargetKind::JsonAttribute(_) | TargetKind::JsonBlock(_) => target.span(),
                    _ => {
                        let place = place(target);
                        return Err(format!("{place}: only attributes and blocks can be moved to another file").into());
                    }
                };
                let moved = item(target)?;
                let copy = edit.editor.copy_of(moved).map_err(|error| error.to_string())?;
                edit.changes.add(|| self.texts(target));
                edit.taken.push(Taken { item: copy, place: Place::new(target.place().source(), head) });
                edit.editor.remove(moved);
            }
            return Ok(());
        }
        let (beside, mut parents) = (self.args.beside.position(edit.subject)?, HashMap::new());
        for found in edit.found {
            edit.changes.add(|| self.texts(found.target()));
            self.move_item(edit.subject, found.target(), (beside, &mut parents), &mut edit.editor)?;
            edit.check(found.target())?;
        }
        Ok(())
    }

    fn names_blocks(&self) -> bool {
        true
    }

    fn destination(&self) -> Option<&Path> {
        self.args.into.as_deref()
    }
}
