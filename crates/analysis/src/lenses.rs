//! Lines above definitions, with the numbers of references and instances.

use hcl_lr::diagnostic::count;
use hcl_lr::internal::sort_by;

use crate::Location;
use crate::workspace::{Cancelled, Snapshot};

/// A line above a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The place of the name of the definition.
    pub place: Location,
    /// The text.
    pub text: String,
    /// The references that it links to.
    pub references: Vec<Location>,
}

impl Snapshot {
    /// Returns the lines above the definitions of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn lenses(&self, path: &str) -> Result<Vec<Lens>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        if !file.language().is_checked() {
            return Ok(Vec::new());
        }
        let references = project.references();
        let mut callers = None;
        let mut lenses = Vec::new();
        for definition in project.definitions().in_source(path).filter(|definition| definition.module().is_none()) {
            self.check()?;
            let place = Location::of(definition.name_place());
            let mut found: Vec<Location> = references
                .to(&definition)
                .filter(|reference| !reference.is_definition())
                .map(|reference| Location::of(reference.name_place()))
                .collect();
            if definition.is_input() || definition.is_result() {
                if callers.is_none() {
                    callers = Some(self.callers(&project)?);
                }
                for caller in callers.iter().flatten() {
                    for same in caller.all_defined_at(&place) {
                        let uses = caller.references().to(&same).filter(|reference| !reference.is_definition());
                        found.extend(uses.map(|reference| Location::of(reference.name_place())));
                    }
                }
                found.sort();
                found.dedup();
            }
            let mut text = count(found.len(), "reference");
            if self.settings().evaluates
                && definition.is_repeated()
                && let Some(instances) = project.shown().instances(&definition)
            {
                text += &format!(", {}", count(instances.len(), "instance"));
            }
            lenses.push(Lens { place, text, references: found });
        }
        sort_by(&mut lenses, |left, right| left.place.cmp(&right.place));
        Ok(lenses)
    }
}
