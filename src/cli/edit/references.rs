//! `hcl mv --references`: another name for what files define, where it is defined and in all references to it.

use std::collections::HashMap;
use std::path::PathBuf;

use super::align::aligned_again;
use super::moves::Move;
use super::{Report, write_all};
use crate::cli::Status;
use crate::cli::find::Found;
use crate::cli::graph::{find, not_found};
use crate::cli::input::Origin;
use crate::cli::project::Project;
use crate::cli::terminal::failure;
use crate::definitions::{Definition, Definitions, References};
use crate::reading::Options;
use crate::source::{Place, Replacement};
use crate::syntax::is_identifier;

/// Renames a definition.
///
/// # Errors
/// A message, if that cannot be.
pub(super) fn run(asked: &Move) -> Result<Status, String> {
    let (from, to) = (asked.from.to_string(), asked.to.to_string());
    let color = asked.files.color.on_stderr();
    let projects = match Project::load(&asked.like, &asked.files.paths, &Options::default(), color)? {
        Ok(projects) => projects,
        Err(status) => return Ok(status),
    };
    let mut found = projects.iter().filter_map(|project| Some((project, find(project, &from)?)));
    let (Some((project, definition)), more) = (found.next(), found.next()) else {
        failure(&not_found(&projects, &from));
        return Ok(Status::Errors);
    };
    if more.is_some() {
        return Err(format!("several of these files define `{from}`, each for itself: name one of them"));
    }
    if project.has_errors && !asked.files.force {
        return Err("there are errors in the files; `--force` changes them all the same".to_owned());
    }
    let name = new_name(&from, &to)?;
    let new_address = format!("{}{name}", definition.address().strip_suffix(definition.name()).unwrap_or_default());
    if project.definitions.get(&new_address).is_some() {
        return Err(format!("`{new_address}` is defined already"));
    }
    let references = References::new(&project.definitions);
    let mut places = vec![definition.name_place()];
    places.extend(references.to(&definition).map(|one| one.name_place()));
    let reports = reports(project, &places, definition, name)?;
    check(project, &references, definition, &new_address, &reports)?;
    let found = Found { origins: reports.iter().map(origin_of).collect(), ..Found::default() };
    // What refers to what in the new contents is not known.
    write_all(&asked.files, &found, &reports, |_, _| Err("its references may be others now; run this again".to_owned()))
}

/// The new name, which is all that differs between the addresses.
fn new_name<'a>(from: &str, to: &'a str) -> Result<&'a str, String> {
    let split = |address: &str| address.rfind('.').map_or(0, |at| at + 1);
    let (old, name) = (&from[..split(from)], &to[split(to)..]);
    if old != &to[..split(to)] {
        return Err(format!("with `--references` only the last name can change: `{old}{name}`"));
    }
    if !is_identifier(name) {
        return Err(format!("`{name}` cannot be a name that expressions refer to"));
    }
    Ok(name)
}

fn origin_of(report: &Report) -> Origin {
    report.path.clone().map_or(Origin::Stdin, Origin::Path)
}

/// What comes out, file by file.
fn reports(
    project: &Project,
    places: &[&Place],
    definition: Definition<'_>,
    name: &str,
) -> Result<Vec<Report>, String> {
    let mut by_file: Vec<(&Place, Vec<&Place>)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for &place in places {
        let number = *numbers.entry(place.source().name()).or_insert_with(|| {
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
        let origins = project.files.iter().find(|(_, document)| document.source().name() == source.name());
        let origin = origins.map_or_else(|| Origin::Path(PathBuf::from(source.name())), |(origin, _)| origin.clone());
        let old = match origin {
            // What was read cannot be read again.
            Origin::Stdin => source.text().as_bytes().to_vec(),
            Origin::Path(_) => origin.bytes()?,
        };
        if old != source.text().as_bytes() {
            return Err(format!("`{}` is not UTF-8, or has changed meanwhile", source.name()));
        }
        let new = Replacement::apply(&edits, source.text()).map_err(|why| why.to_string())?;
        let touched = places.iter().map(|place| place.position().line - 1);
        let new = aligned_again(source.text(), &new, &touched.collect());
        let line = |place: &Place| format!("{}:{}: {name}", source.name(), place.position().line);
        reports.push(Report {
            name: source.name().to_owned(),
            path: match origin {
                Origin::Stdin => None,
                Origin::Path(path) => Some(path),
            },
            places: places.iter().map(|place| line(place)).collect(),
            old,
            new: Some(new),
            ..Report::default()
        });
    }
    Ok(reports)
}

/// Makes sure that all references still lead where they led: a new name can hide another one, or be hidden.
fn check(
    project: &Project,
    references: &References,
    definition: Definition<'_>,
    new_address: &str,
    reports: &[Report],
) -> Result<(), String> {
    let texts = reports.iter().filter_map(|report| Some((report.name.clone(), report.new.clone()?)));
    let renamed = project.with_changes(&texts.collect());
    let same = |renamed: &Definitions| {
        let after = References::new(renamed);
        let Some(new) = renamed.get(new_address) else { return false };
        after.to(&new).len() == references.to(&definition).len()
            && after.iter().len() == references.iter().len()
            && after.undefined().len() == references.undefined().len()
    };
    match renamed.as_ref().is_some_and(same) {
        true => Ok(()),
        false => Err(format!("with the name `{new_address}`, expressions would mean something else")),
    }
}
