//! The index of references: from places to definitions and back.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::companions::CompanionFile;
use super::ids::{DefinitionId, Grouped, ModuleId};
use super::program::{NamedUse, Program};
use super::walk::{ReferenceEntry, SourceId, Walk};
use super::{Definition, Definitions};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::{Place, Source, Span};

/// An index of all references in files: for a place its definition, and for a definition all that refers to it.
///
/// All expressions are looked through, also those that no definition has, and what is in templates in strings of
/// the JSON syntax. A name that an expression defines itself, as `for` does, is no reference.
///
/// ```
/// use hcl_lr_language::definitions::{Definitions, References};
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::{ConfigFile, parse};
///
/// let text = "locals {\n  name = \"web\"\n}\nresource \"aws_instance\" \"web\" {\n  tags = { Name = \"x-${local.name}\" }\n}\n";
/// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
/// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [&file]).into_result()?;
/// let references = References::new(&definitions);
///
/// let name = definitions.get("local.name").expect("it is there");
/// let places: Vec<_> = references.to(&name).map(|one| one.name_place().to_string()).collect();
/// assert_eq!(places, ["main.tf:5:30"]);
///
/// let at = text.find("local.name").expect("it is there");
/// assert_eq!(references.at(file.source(), at), Some(name));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub struct References {
    program: Arc<Program>,
    all: Vec<ReferenceEntry>,
    /// For each source, the spans of the names in it, in order, and their definitions.
    names: HashMap<SourceId, Vec<(Span, DefinitionId)>>,
    /// For each definition, the indexes in `all` of the references to it (`to`), and of those in it (`within`).
    to: Grouped<DefinitionId, usize>,
    within: Grouped<DefinitionId, usize>,
    used: HashSet<DefinitionId>,
    undefined: Diagnostics,
}

/// A place that refers to a definition.
#[derive(Clone, Copy)]
pub struct Reference<'r> {
    references: &'r References,
    entry: &'r ReferenceEntry,
}

impl<'r> Reference<'r> {
    /// Returns the definition that it refers to.
    pub fn definition(self) -> Definition<'r> {
        self.references.definition(self.entry.definition)
    }

    /// Returns true if it is the name of another block with the same definition, which several blocks may share, rather
    /// than a reference in an expression. Renaming a definition changes these as well.
    pub fn is_definition(self) -> bool {
        self.entry.defines
    }

    /// Returns true if the results of a module are used without their names, as in `jsonencode(module.network)`: the
    /// names of results matter there, though they are not written.
    pub fn is_whole(self) -> bool {
        self.entry.whole
    }

    /// The definition that the reference is written in.
    pub fn within(self) -> Option<Definition<'r>> {
        self.entry.within.map(|number| self.references.definition(number))
    }

    /// The reference up to the name of the definition, such as `local.name`; of an argument of a module, and of a
    /// call of a function, just the name.
    pub fn place(self) -> &'r Place {
        &self.entry.place
    }

    /// The name of the definition in it, which is all that changes when it is renamed; of a name in brackets with
    /// its quotes.
    pub fn name_place(self) -> &'r Place {
        &self.entry.name
    }
}

impl References {
    /// The index of the files, and of the modules that they call.
    pub fn new(definitions: &Definitions) -> References {
        References::with_companions(definitions, [])
    }

    /// The index of the files, and of others that lie beside them, as the table of roles says
    /// ([`CompanionFiles`](super::CompanionFiles)): files with values, and tests. Other files are left out.
    pub fn with_companions(definitions: &Definitions, beside: impl IntoIterator<Item = CompanionFile>) -> References {
        let program = definitions.program.clone();
        let mut walk = Walk::new(&program);
        let mut seen: HashSet<&str> = HashSet::new();
        let mut named: HashMap<(ModuleId, SourceId), Vec<&NamedUse>> = HashMap::new();
        for one in program.named() {
            named.entry((one.module, SourceId::of(one.place.source()))).or_default().push(one);
        }
        for (number, module) in program.tables().modules.pairs() {
            // A module that is called twice has its files once.
            if module.key.as_deref().is_some_and(|key| !seen.insert(key)) {
                continue;
            }
            for document in &module.documents {
                let start = walk.found.len();
                walk.document(document, number);
                if let Some(named) = named.get(&(number, SourceId::of(document.source()))) {
                    walk.found.extend(named.iter().filter_map(|named| named_entry(named)));
                    sort_by_key(&mut walk.found[start..], |entry| entry.place.span());
                }
            }
        }
        for CompanionFile { document, module } in beside {
            let number = program.tables().modules.pairs().find(|(_, known)| known.key == module);
            let kind = program.roles().companions_of(document.source().name());
            if let (Some((number, _)), Some(kind)) = (number, kind) {
                let start = walk.found.len();
                walk.companion(kind, &document, number);
                sort_by_key(&mut walk.found[start..], |entry| entry.place.span());
            }
        }
        walk.undefined.extend(program.undefined_names().iter().cloned());
        walk.arguments();
        for (definition, entry) in program.tables().definitions.pairs() {
            for name in &entry.also {
                let (place, within) = (name.clone(), Some(definition));
                walk.found.push(ReferenceEntry {
                    definition,
                    within,
                    place,
                    name: name.clone(),
                    defines: true,
                    whole: false,
                });
            }
        }
        let Walk { found: all, used, undefined, .. } = walk;
        let mut names: HashMap<SourceId, Vec<(Span, DefinitionId)>> = HashMap::new();
        let mut add = |place: &Place, definition: DefinitionId| {
            names.entry(SourceId::of(place.source())).or_default().push((place.span(), definition));
        };
        for (number, entry) in program.tables().definitions.pairs() {
            add(&entry.name_place, number);
        }
        for entry in &all {
            // The reference to a result begins with that to the call of its module.
            let is_result = !program[entry.definition].has_address;
            add(if is_result { &entry.name } else { &entry.place }, entry.definition);
        }
        for list in names.values_mut() {
            // If a file is read several times, its first definition stays.
            sort_by_key(list, |&(span, number)| (span, number));
            list.dedup_by_key(|(span, _)| *span);
        }
        let count = program.tables().definitions.len();
        let to: Vec<(DefinitionId, usize)> = all.iter().enumerate().map(|(at, entry)| (entry.definition, at)).collect();
        let within: Vec<(DefinitionId, usize)> =
            all.iter().enumerate().filter_map(|(at, entry)| Some((entry.within?, at))).collect();
        let (to, within) = (Grouped::new(count, &to), Grouped::new(count, &within));
        References { program, all, names, to, within, used, undefined }
    }

    fn definition(&self, number: DefinitionId) -> Definition<'_> {
        Definition { program: &self.program, number }
    }

    fn reference(&self, at: usize) -> Reference<'_> {
        Reference { references: self, entry: &self.all[at] }
    }

    /// All references, file by file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Reference<'_>> {
        (0..self.all.len()).map(|at| self.reference(at))
    }

    /// The definition that is meant at a byte of a file, in a reference or where it is defined. The end of a name
    /// belongs to it.
    pub fn at(&self, source: &Arc<Source>, offset: usize) -> Option<Definition<'_>> {
        let list = self.names.get(&SourceId::of(source))?;
        let end = list.partition_point(|(span, _)| span.start() <= offset);
        // Names do not overlap but for what is in brackets in another reference.
        let found = list[..end].iter().rev().take(8).find(|(span, _)| span.touches(offset));
        found.map(|&(_, number)| self.definition(number))
    }

    /// The references to a definition, in source order. To one of other [`Definitions`] there are none.
    pub fn to<'r>(&'r self, definition: &Definition<'_>) -> impl ExactSizeIterator<Item = Reference<'r>> {
        let all = self.number_of(definition).map_or(&[][..], |number| self.to.of(number));
        all.iter().map(|&at| self.reference(at))
    }

    /// The references that are written in a definition. In one of other [`Definitions`] there are none.
    pub fn within<'r>(&'r self, definition: &Definition<'_>) -> impl ExactSizeIterator<Item = Reference<'r>> {
        let all = self.number_of(definition).map_or(&[][..], |number| self.within.of(number));
        all.iter().map(|&at| self.reference(at))
    }

    /// Returns true if something refers to a definition, or to all definitions of its kind as a whole, as `local` alone
    /// does.
    pub fn is_used(&self, definition: &Definition<'_>) -> bool {
        let is_used =
            |number| self.to.of(number).iter().any(|&at| !self.all[at].defines) || self.used.contains(&number);
        self.number_of(definition).is_some_and(is_used)
    }

    /// Returns true if a definition exists only to be referred to, and nothing refers to it: an input, a function, or a
    /// value that is no result. A block may have an effect without being referred to.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, References};
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::ConfigFile;
    ///
    /// let text = "locals {\n  a = 1\n  b = local.a\n}\n";
    /// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [hcl_lr::parse::<hcl_lr::ConfigFile>(text).into_result()?]).into_result()?;
    /// let references = References::new(&definitions);
    /// let unused: Vec<_> = definitions.iter().filter(|one| references.is_unused(one)).map(|one| one.address()).collect();
    /// assert_eq!(unused, ["local.b"]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn is_unused(&self, definition: &Definition<'_>) -> bool {
        let is_named = definition.is_input()
            || definition.is_function()
            || definition.expression().is_some() && definition.block_type().is_some() && !definition.is_result();
        is_named && self.number_of(definition).is_some() && !self.is_used(definition)
    }

    /// Returns true if an expression uses all definitions below a name without their names, as `jsonencode(local)` does.
    pub fn have_wholes(&self) -> bool {
        !self.used.is_empty()
    }

    /// One error for each reference to a name that is not defined.
    pub fn undefined(&self) -> &Diagnostics {
        &self.undefined
    }

    /// The definition that stands for this one: a module that is called several times has its definitions several
    /// times, at the same places. None stands for one of other definitions.
    fn number_of(&self, definition: &Definition<'_>) -> Option<DefinitionId> {
        let number = definition.number_in(&self.program)?;
        let place = definition.name_place();
        let list = self.names.get(&SourceId::of(place.source()));
        let found = list.and_then(|list| {
            let at = list.partition_point(|(span, _)| *span < place.span());
            list.get(at).filter(|(span, _)| *span == place.span())
        });
        Some(found.map_or(number, |&(_, number)| number))
    }
}

/// Returns the reference that a string makes, if it names a definition.
fn named_entry(one: &NamedUse) -> Option<ReferenceEntry> {
    let (name, within) = (one.name_place.clone(), one.definition);
    let place = match one.place.span().start() < name.span().start() {
        true => Place::new(name.source(), Span::new(one.place.span().start(), name.span().end())),
        false => name.clone(),
    };
    Some(ReferenceEntry { definition: one.target?, within, place, name, defines: false, whole: false })
}
