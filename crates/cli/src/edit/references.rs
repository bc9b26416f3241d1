//! `hcl mv --references`: renames a definition and all references to it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::changes::{ChangedPlace, Texts};
use super::options::Files;
use super::report::{Edited, Outcome, Report, write_all};
use crate::callers::{Callers, Occurrences, defined, identity_of, occurrences};
use crate::context::Context;
use crate::disk::disk_path;
use crate::error::Error;
use crate::find::Found;
use crate::input::{Origin, Syntax};
use crate::project::{Changed, Like, Project, not_found};
use crate::root::identity;
use crate::status::Status;
use crate::terminal::note;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::format::keep_layout;
use hcl_lr::source::visible::path as shown;
use hcl_lr::source::{Place, Replacement};
use hcl_lr::syntax::is_identifier;
use hcl_lr_edit::address::Address;
use hcl_lr_language::definitions::Definition;

/// A definition to rename, and the files that refer to it.
pub(super) struct Rename<'a> {
    pub from: &'a Address,
    pub to: &'a Address,
    /// True if a `moved` block is added.
    pub moved: bool,
    pub callers: &'a Callers,
    pub like: &'a Like,
    pub files: &'a Files,
}

impl Rename<'_> {
    /// Renames the definition in paths.
    ///
    /// # Errors
    /// It cannot be renamed.
    pub fn apply(&self, context: &Context, paths: &[PathBuf]) -> Result<Status, Error> {
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let color = self.files.color.on_stderr();
        let projects = Project::load(
            context,
            self.like,
            (paths, &self.files.folders.exclude()?),
            &context.parse_options(),
            color,
        )?;
        let Some((project, definition)) = defined(&projects, &from)? else {
            return Err(Error::from(not_found(&projects, &from)).with_status(Status::Errors));
        };
        let callers = self.callers.load(context, &projects, &self.files.folders)?;
        let occurrences = occurrences(project, definition, &callers, color)?;
        if let Some(wrong) = occurrences.iter().find(|files| files.project.has_errors).filter(|_| !self.files.force) {
            // The errors of the named files have been shown.
            let where_else = match std::ptr::eq(wrong.project, project) {
                true => String::new(),
                false => format!(" of `{0}`; `hcl check {0}` shows them", shown(&wrong.project.folder())),
            };
            return Err(
                format!("there are errors in the files{where_else}; `--force` changes them all the same").into()
            );
        }
        let name = new_name(definition, &from, &to)?;
        let reports = renamed(context, &occurrences, name, self.moved)?;
        notes(self, &occurrences);
        let found = Found { origins: reports.iter().map(origin_of).collect(), ..Found::default() };
        // The references in the new contents are unknown.
        write_all(self.files, &found, &reports, |_, _| Err("its references may be others now; run this again".into()))
    }
}

/// Returns the files with a new name of a definition, at the definition and in all references to it. The first of the
/// occurrences are those in its own project.
///
/// # Errors
/// A message, if the name is taken, or expressions would mean something else.
fn renamed(context: &Context, occurrences: &[Occurrences<'_>], name: &str, moved: bool) -> Result<Vec<Report>, Error> {
    let Some(&Occurrences { project, definition, .. }) = occurrences.first() else { return Ok(Vec::new()) };
    if !is_identifier(name) {
        return Err(format!("`{name}` cannot be a name that expressions refer to").into());
    }
    for Occurrences { project, definition, .. } in occurrences {
        if let Some(twice) = defined_twice(project, *definition) {
            let (address, first) = (definition.address(), definition.name_place());
            return Err(format!("`{address}` is defined twice: at {first} and at {}", twice.place()).into());
        }
        let new_address = new_address(*definition, name)?;
        if project.definitions().get(&new_address).is_some() {
            return Err(format!("`{new_address}` is defined already").into());
        }
    }
    let mut places = vec![definition.name_place()];
    let mut known = HashSet::from([identity_of(definition.name_place())]);
    for Occurrences { definition, references, .. } in occurrences {
        let all = references.to(definition).map(|reference| reference.name_place());
        places.extend(all.filter(|place| known.insert(identity_of(place))));
    }
    let mut reports = reports(context, occurrences, &places, definition, name)?;
    check(occurrences, name, &reports)?;
    if moved {
        add_moved(project, definition, name, &mut reports)?;
    }
    Ok(reports)
}

/// Returns the path, the old and the new text of each file in which the name of a definition changes.
///
/// # Errors
/// A message, as for the command.
pub fn new_texts(
    context: &Context,
    occurrences: &[Occurrences<'_>],
    name: &str,
    moved: bool,
) -> Result<Vec<(PathBuf, Vec<u8>, String)>, Error> {
    let reports = renamed(context, occurrences, name, moved)?;
    let texts = reports.into_iter().filter_map(|report| match report.outcome {
        Outcome::Edited(edited) => Some((report.path?, edited.old, edited.new)),
        _ => None,
    });
    Ok(texts.collect())
}

/// Adds a `moved` block for a resource or module to the file that defines it.
fn add_moved(project: &Project, definition: Definition<'_>, name: &str, reports: &mut [Report]) -> Result<(), Error> {
    let address = definition.address();
    if !project.is_of("terraform") || !matches!(definition.block_type(), Some("resource" | "module")) {
        return Err(
            format!("`moved` blocks are for resources and modules of Terraform, and `{address}` is neither").into()
        );
    }
    let place = definition.name_place();
    let report = reports.iter_mut().find(|report| report.name == place.source().name());
    let report = report.filter(|_| !place.source().name().ends_with(".json"));
    let Some(Report { outcome: Outcome::Edited(Edited { new: text, .. }), .. }) = report else {
        return Err(format!("a `moved` block cannot be added to `{}`: it is in JSON", place.source().name()).into());
    };
    // In a module, addresses are relative to the module.
    let local = |address: &str| match definition.module().and_then(|call| address.strip_prefix(call)) {
        Some(local) => local.trim_start_matches('.').to_owned(),
        None => address.to_owned(),
    };
    let (from, to) = (local(address), local(&new_address(definition, name)?));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&format!("\nmoved {{\n  from = {from}\n  to   = {to}\n}}\n"));
    Ok(())
}

/// Returns the error for a repeated definition, of which only the first counts.
fn defined_twice<'p>(project: &'p Project, definition: Definition<'_>) -> Option<&'p Diagnostic> {
    let mut errors =
        project.model().definition_errors().iter().filter(|error| *error.code() == Code::DuplicateDefinition);
    errors.find(|error| error.labels().iter().any(|label| label.place() == definition.name_place()))
}

/// The address that a definition has with another name.
fn new_address(definition: Definition<'_>, name: &str) -> Result<String, Error> {
    let Some((before, after)) = definition.around_name() else {
        let address = definition.address();
        return Err(format!(
            "`{address}` cannot be renamed: the language fixes its name, or it is named after the block around it"
        )
        .into());
    };
    Ok(format!("{before}{name}{after}"))
}

/// Prints where the old name may still be used.
fn notes(rename: &Rename<'_>, occurrences: &[Occurrences<'_>]) {
    for Occurrences { project, definition, references } in occurrences {
        let call = definition.module().filter(|_| definition.is_result());
        let Some(call) = call.and_then(|call| project.definitions().get(call)) else { continue };
        for call_reference in references.to(&call).filter(|reference| reference.is_whole()) {
            let (place, call, name) = (call_reference.place(), call.address(), definition.name());
            note(&format!("{place}: all results of `{call}` are used here; check if they include `{name}`"));
        }
    }
    let Some(Occurrences { project, definition, .. }) = occurrences.first() else { return };
    let folder = definition.module_key().map_or_else(|| project.folder(), disk_path);
    let can_be_given = definition.is_input() || definition.is_result();
    if can_be_given && project.has_modules() && !rename.callers.is_given() && !project.is_begun_in(&folder) {
        let folder = shown(&folder);
        note(&format!(
            "other folders may call `{folder}` as a module; `--callers DIR` changes the calls in all folders below DIR"
        ));
    }
}

/// Returns the new name, which must be the only difference between the addresses. They are those that expressions use,
/// or end with the name.
fn new_name<'a>(definition: Definition<'_>, from: &str, to: &'a str) -> Result<&'a str, Error> {
    let is_whole = from == definition.address();
    let (before, after) = definition.around_name().filter(|_| is_whole).unwrap_or_else(|| {
        let last = from.rfind('.').map_or(0, |at| at + 1);
        (&from[..last], "")
    });
    let name = to.strip_prefix(before).and_then(|name| name.strip_suffix(after)).filter(|name| !name.contains('.'));
    let Some(name) = name else {
        let mut steps = to.split('.');
        let name = steps.nth(before.matches('.').count()).or(to.rsplit('.').next()).unwrap_or(to);
        return Err(format!("with `--references` only the name can change: `{before}{name}{after}`").into());
    };
    Ok(name)
}

fn origin_of(report: &Report) -> Origin {
    report.path.clone().map_or(Origin::Stdin, Origin::Path)
}

/// Returns the results, file by file.
fn reports(
    context: &Context,
    occurrences: &[Occurrences<'_>],
    places: &[&Place],
    definition: Definition<'_>,
    name: &str,
) -> Result<Vec<Report>, Error> {
    let mut by_file: Vec<(&Place, Vec<&Place>)> = Vec::new();
    let mut numbers: HashMap<PathBuf, usize> = HashMap::new();
    for &place in places {
        let number = *numbers.entry(identity_of(place).0).or_insert_with(|| {
            by_file.push((place, Vec::new()));
            by_file.len() - 1
        });
        by_file[number].1.push(place);
    }
    let mut reports = Vec::new();
    for (first, mut places) in by_file {
        let source = first.source();
        places.sort_by_key(|place| (place.span().start(), place.span().end()));
        places.dedup_by_key(|place| place.span());
        let edits: Vec<Replacement> = places
            .iter()
            .map(|place| {
                // A label is in quotes, and the key of an index in a string of JSON in escaped ones.
                let written = place.text();
                match written.trim_matches(['"', '\\']) == definition.name() {
                    true => Ok(Replacement::new(place.span(), written.replacen(definition.name(), name, 1))),
                    false => Err(format!("{place}: the name is written in a way that cannot be changed")),
                }
            })
            .collect::<Result<_, _>>()?;
        let origin = occurrences.iter().find_map(|files| files.project.origin_of(source.name()));
        let origin = origin.unwrap_or_else(|| Origin::Path(PathBuf::from(source.name())));
        let old = match origin {
            // Standard input cannot be read again.
            Origin::Stdin => source.text().as_bytes().to_vec(),
            Origin::Path(_) => origin.bytes(context)?,
        };
        if old != source.text().as_bytes() {
            return Err(format!("`{}` is not UTF-8, or has changed meanwhile", source.name()).into());
        }
        let new_texts: Vec<String> = edits.iter().map(|edit| edit.text().to_owned()).collect();
        let edits = match origin.syntax() {
            Syntax::Json => Ok(edits),
            _ => keep_layout(&edits, source.text()),
        };
        let new = edits.and_then(|edits| Replacement::apply(&edits, source.text()));
        let new = new.map_err(|why| why.to_string())?;
        let changed = |(place, edit): (&&Place, String)| ChangedPlace {
            file: source.name().to_owned(),
            line: place.position().line,
            address: name.to_owned(),
            texts: Texts::changed(place.text(), edit),
        };
        reports.push(Report {
            name: source.name().to_owned(),
            places: places.iter().zip(new_texts).map(changed).collect(),
            outcome: Outcome::Edited(Edited::new(old, new)),
            ..Report::of(&origin)
        });
    }
    Ok(reports)
}

/// Checks that all references keep their targets: a new name can hide another one, or be hidden.
fn check(occurrences: &[Occurrences<'_>], name: &str, reports: &[Report]) -> Result<(), Error> {
    let texts = reports.iter().filter_map(|report| {
        let path = report.path.as_deref().unwrap_or(Path::new(&report.name));
        Some((identity(path), report.edited()?.new.clone()))
    });
    let texts: HashMap<PathBuf, String> = texts.collect();
    for Occurrences { project, definition, references } in occurrences {
        let new_address = new_address(*definition, name)?;
        let renamed = project.with_changes(&texts, definition);
        let same = |renamed: &Changed| {
            let Some(new) = renamed.definitions().get(&new_address) else { return false };
            let after = project.references_with(renamed, &new);
            after.to(&new).len() == references.to(definition).len()
                && after.iter().len() == references.iter().len()
                && after.undefined().len() == references.undefined().len()
        };
        if !renamed.as_ref().is_some_and(same) {
            return Err(format!("with the name `{new_address}`, expressions would mean something else").into());
        }
    }
    Ok(())
}
