//! The index of references: from places to definitions and back.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::companions::{BesideScope, CompanionFile};
use super::names::Path;
use super::other_references::{Around, may_define, members_of};
use super::program::{Program, Target};
use super::resolve::Site;
use super::results::{ResultWalk, Results, results_of};
use super::role::{Kind, Role};
use super::{ConfigFile, Definition, Definitions};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::expression_of_json;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, ExpressionNode};

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
    all: Vec<Entry>,
    /// For each source, the names in it in order: where they are, and what they mean.
    names: HashMap<SourceId, Vec<(Span, usize)>>,
    /// For each definition, where the references to it are in `to`, and so those in it in `within`.
    to: Grouped,
    within: Grouped,
    used: HashSet<usize>,
    undefined: Diagnostics,
}

/// The identity of a source in the index: its address, which stays what it is as long as the program holds the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SourceId(usize);

impl SourceId {
    fn of(source: &Arc<Source>) -> SourceId {
        SourceId(Arc::as_ptr(source) as usize)
    }
}

pub(super) struct Entry {
    pub definition: usize,
    pub within: Option<usize>,
    pub place: Place,
    pub name: Place,
    /// True if it is the name of another block that defines it, too.
    pub defines: bool,
    /// True if all of its value is used, so that the parts that matter cannot be seen.
    pub whole: bool,
}

/// A place that refers to a definition.
#[derive(Clone, Copy)]
pub struct Reference<'r> {
    references: &'r References,
    entry: &'r Entry,
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

/// Numbers by groups, one after the other.
struct Grouped {
    starts: Vec<usize>,
    items: Vec<usize>,
}

impl Grouped {
    fn new(groups: usize, pairs: &[(usize, usize)]) -> Grouped {
        let mut starts = vec![0; groups + 1];
        pairs.iter().for_each(|(group, _)| starts[group + 1] += 1);
        for at in 0..groups {
            starts[at + 1] += starts[at];
        }
        let (mut next, mut items) = (starts.clone(), vec![0; pairs.len()]);
        for &(group, item) in pairs {
            items[next[group]] = item;
            next[group] += 1;
        }
        Grouped { starts, items }
    }

    fn of(&self, group: usize) -> &[usize] {
        &self.items[self.starts[group]..self.starts[group + 1]]
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
        let mut named: HashMap<(usize, SourceId), Vec<usize>> = HashMap::new();
        for (at, one) in program.named.iter().enumerate() {
            named.entry((one.module, SourceId::of(one.place.source()))).or_default().push(at);
        }
        for (number, module) in program.modules.iter().enumerate() {
            // A module that is called twice has its files once.
            if module.key.as_deref().is_some_and(|key| !seen.insert(key)) {
                continue;
            }
            for document in &module.documents {
                let start = walk.found.len();
                walk.document(document, number);
                if let Some(named) = named.get(&(number, SourceId::of(document.source()))) {
                    walk.found.extend(named.iter().filter_map(|&at| named_entry(&program, at)));
                    walk.found[start..].sort_by_key(|entry| entry.place.span());
                }
            }
        }
        for CompanionFile { document, module } in beside {
            let number = program.modules.iter().position(|one| one.key == module);
            let kind = program.roles.companions_of(document.source().name());
            if let (Some(number), Some(kind)) = (number, kind) {
                let start = walk.found.len();
                walk.beside(kind, &document, number);
                walk.found[start..].sort_by_key(|entry| entry.place.span());
            }
        }
        walk.undefined.extend(program.undefined_names.iter().cloned());
        walk.arguments();
        for (definition, entry) in program.definitions.iter().enumerate() {
            for name in &entry.also {
                let (place, within) = (name.clone(), Some(definition));
                walk.found.push(Entry { definition, within, place, name: name.clone(), defines: true, whole: false });
            }
        }
        let Walk { found: all, used, undefined, .. } = walk;
        let mut names: HashMap<SourceId, Vec<(Span, usize)>> = HashMap::new();
        let mut add = |place: &Place, definition: usize| {
            names.entry(SourceId::of(place.source())).or_default().push((place.span(), definition));
        };
        for (number, entry) in program.definitions.iter().enumerate() {
            add(&entry.name_place, number);
        }
        for entry in &all {
            // The reference to a result begins with that to the call of its module.
            let is_result = !program.definitions[entry.definition].has_address;
            add(if is_result { &entry.name } else { &entry.place }, entry.definition);
        }
        for list in names.values_mut() {
            // If a file is read several times, its first definition stays.
            list.sort_by_key(|&(span, number)| (span, number));
            list.dedup_by_key(|(span, _)| *span);
        }
        let count = program.definitions.len();
        let to: Vec<(usize, usize)> = all.iter().enumerate().map(|(at, entry)| (entry.definition, at)).collect();
        let within: Vec<(usize, usize)> =
            all.iter().enumerate().filter_map(|(at, entry)| Some((entry.within?, at))).collect();
        let (to, within) = (Grouped::new(count, &to), Grouped::new(count, &within));
        References { program, all, names, to, within, used, undefined }
    }

    fn definition(&self, number: usize) -> Definition<'_> {
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

    /// One error for each reference to a name that is not defined.
    pub fn undefined(&self) -> &Diagnostics {
        &self.undefined
    }

    /// The definition that stands for this one: a module that is called several times has its definitions several
    /// times, at the same places. None stands for one of other definitions.
    fn number_of(&self, definition: &Definition<'_>) -> Option<usize> {
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

pub(super) struct Walk<'p> {
    pub program: &'p Program,
    pub results: Results<'p>,
    /// The definitions that expressions of the current file can name, if it lies beside those that define names.
    pub scope: Option<BesideScope>,
    /// The definitions by where their names are.
    places: HashMap<(SourceId, Span), usize, foldhash::fast::RandomState>,
    functions: HashMap<(usize, &'p str), usize>,
    /// For each source in JSON, where the expressions of nodes are in it, in order.
    ranges: HashMap<SourceId, Vec<(Span, usize)>>,
    pub found: Vec<Entry>,
    used: HashSet<usize>,
    wholes: HashSet<(usize, usize)>,
    pub undefined: Diagnostics,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        let mut places = HashMap::default();
        places.reserve(program.definitions.len());
        for (number, entry) in program.definitions.iter().enumerate() {
            let place = (SourceId::of(entry.name_place.source()), entry.name_place.span());
            places.entry(place).or_insert(number);
            // The name in another block with the same definition is within that definition.
            for name in &entry.also {
                places.entry((SourceId::of(name.source()), name.span())).or_insert(number);
            }
        }
        let functions = program.functions.iter();
        let functions =
            functions.filter_map(|own| Some(((own.module, &*own.name), program.nodes[own.node].definition?))).collect();
        Walk {
            program,
            results: results_of(program),
            scope: None,
            places,
            functions,
            ranges: ranges_in_json(program),
            found: Vec::new(),
            used: HashSet::new(),
            wholes: HashSet::new(),
            undefined: Diagnostics::new(),
        }
    }

    pub fn defined_at(&self, source: &Arc<Source>, span: Span) -> Option<usize> {
        self.places.get(&(SourceId::of(source), span)).copied()
    }

    /// The definition that stands for this one: the first of those at its place.
    pub fn first_of(&self, definition: usize) -> Option<usize> {
        let place = &self.program.definitions[definition].name_place;
        self.defined_at(place.source(), place.span())
    }

    pub fn document(&mut self, document: &ConfigFile, module: usize) {
        match document {
            ConfigFile::Native(file) => {
                for item in file.body().items() {
                    match item {
                        BodyItem::Attribute(attribute) => self.attribute(attribute, module),
                        BodyItem::Block(block) if self.is_other(block) => {}
                        BodyItem::Block(block) => self.block(block, module),
                        _ => {}
                    }
                }
            }
            ConfigFile::Json(document) => {
                let ranges = self.ranges.remove(&SourceId::of(document.source())).unwrap_or_default();
                for member in members_of(document) {
                    let undefined =
                        may_define(member, &self.program.roles).then(|| std::mem::take(&mut self.undefined));
                    let first = self.found.len();
                    for traversal in expression_of_json(document, member.value()).variables() {
                        let start = traversal.place().span().start();
                        let at = ranges.partition_point(|(span, _)| span.start() <= start);
                        let found = at.checked_sub(1).map(|at| ranges[at]).filter(|(span, _)| start < span.end());
                        let within = found.and_then(|(_, node)| self.program.nodes[node].definition);
                        let frame = found
                            .map_or(self.program.modules[module].frame, |(_, node)| self.program.nodes[node].frame);
                        let block = found.and_then(|(_, node)| self.program.nodes[node].block);
                        self.traversal(&traversal, Site { module, frame, block }, within);
                    }
                    let site = Site { module, frame: self.program.modules[module].frame, block: None };
                    self.results_in_json(expression_of_json(document, member.value()).templates(), site, first);
                    self.undefined = undefined.unwrap_or_else(|| std::mem::take(&mut self.undefined));
                }
            }
        }
    }

    fn attribute(&mut self, attribute: AttributeNode<'_>, module: usize) {
        let source = attribute.expression().shared_source().clone();
        let within = self.defined_at(&source, attribute.name_token().span());
        self.expression(
            attribute.expression(),
            Site { module, frame: self.program.modules[module].frame, block: None },
            within,
            None,
        );
    }

    fn block(&mut self, block: BlockNode<'_>, module: usize) {
        let name = block.block_type();
        let role = self.program.roles.of_block(name);
        if role.is_some_and(Role::defines_attributes) {
            return block.body().attributes().for_each(|attribute| self.attribute(attribute, module));
        }
        let source = block.body().shared_source().clone();
        let span = block.labels().last().map_or(block.type_token().span(), |label| label.span());
        let within = role.and_then(|_| self.defined_at(&source, span));
        let frame = within.and_then(|number| self.program.definitions[number].repeated);
        let site = Site { module, frame: frame.unwrap_or(self.program.modules[module].frame), block: within };
        let is_input = role.is_some_and(|role| matches!(role.kind, Kind::Input(_)));
        let top = Around::top(block, &self.program.roles);
        let mut waiting: Vec<_> = block.body().items().map(|item| (top.clone(), item)).collect();
        waiting.reverse();
        while let Some((around, item)) = waiting.pop() {
            match item {
                // A type is no reference, whatever its words are.
                BodyItem::Attribute(attribute) if is_input && attribute.name() == "type" => {}
                BodyItem::Attribute(attribute) => {
                    let may_be_gone = self.program.roles.has_addresses(around.block_type, attribute.name());
                    let undefined = may_be_gone.then(|| std::mem::take(&mut self.undefined));
                    let first = self.found.len();
                    self.expression(attribute.expression(), site, within, Some(&around));
                    if may_be_gone || role.is_some_and(|role| role.has_addresses_in(attribute.name())) {
                        self.found[first..].iter_mut().for_each(|entry| entry.whole = false);
                    }
                    self.undefined = undefined.unwrap_or_else(|| std::mem::take(&mut self.undefined));
                }
                BodyItem::Block(block) => {
                    let start = waiting.len();
                    waiting.extend(Around::items(block, &around));
                    waiting[start..].reverse();
                }
                _ => {}
            }
        }
    }

    fn expression(
        &mut self,
        expression: ExpressionNode<'_>,
        site: Site,
        within: Option<usize>,
        around: Option<&Around<'_>>,
    ) {
        let own = within.and_then(|number| self.program.nodes[self.program.definitions[number].node].function());
        let start = self.found.len();
        for path in expression.variables() {
            let is_parameter = own.is_some_and(|function| {
                self.program.functions[function].definition.parameters().any(|name| name == path.root().text())
            });
            // The iterator of a generated block has a name of its own, and so may definitions in the block.
            let is_of_around = || around.is_some_and(|it| it.names(path.root().text()) || it.defines(path));
            if !is_parameter && !is_of_around() {
                self.traversal(&Traversal::from(path), site, within);
            }
        }
        if !self.results.is_empty() {
            let mut walk = ResultWalk::new(self.program, &self.results, site, expression.shared_source());
            expression.walk(&mut walk);
            let found = walk.finish();
            self.add_results(found, within, start);
        }
        if !self.functions.is_empty() {
            for call in expression.calls() {
                let Some(&definition) = self.functions.get(&(site.module, &*call.name())) else { continue };
                let place = Place::new(expression.shared_source(), call.name_span());
                self.found.push(Entry { definition, within, name: place.clone(), place, defines: false, whole: false });
            }
        }
    }

    fn traversal(&mut self, traversal: &Traversal, site: Site, within: Option<usize>) {
        if self.scope.is_some() && self.result(traversal) {
            return;
        }
        let Some(resolved) = self.program.resolve_known(traversal, site) else { return };
        self.undefined.extend(resolved.problem);
        if let Target::Below(name) = resolved.target.target {
            self.use_all(site.module, name);
        }
        let (Some(definition), Some(path)) = (resolved.definition, Path::of(traversal)) else { return };
        let last = &path.segments[resolved.depth - 1];
        let start = path.segments[0].span.start() as u32;
        self.found.push(Entry {
            definition,
            within,
            place: traversal.place_of(Span::new(start, last.end)),
            name: traversal.place_of(last.span),
            defines: false,
            whole: self.results.contains_key(&definition),
        });
    }

    /// Notes that all that is below a name is used.
    fn use_all(&mut self, module: usize, name: usize) {
        let names = &self.program.modules[module].names;
        let mut waiting = vec![name];
        while let Some(at) = waiting.pop() {
            if self.wholes.insert((module, at)) {
                let node = names.node(at);
                self.used.extend(node.entry.as_ref().map(|entry| entry.definition));
                waiting.extend(node.children().map(|(_, at)| at));
            }
        }
    }

    /// The arguments of modules refer to their inputs.
    fn arguments(&mut self) {
        let mut replaced: HashMap<usize, Vec<(&str, &Place)>> = HashMap::new();
        for (call, name, place) in &self.program.replaced {
            replaced.entry(*call).or_default().push((name, place));
        }
        for module in self.program.modules.iter().filter(|module| module.parent.is_some()) {
            let Some(number) = module.call else { continue };
            let members = self.program.definitions[number].members.iter();
            let members = members.map(|member| (&*member.name, &member.name_place));
            let replaced = replaced.get(&number).into_iter().flatten().copied();
            for (name, name_place) in members.chain(replaced) {
                let input = module.inputs.get(name).and_then(|&node| self.program.nodes[node].definition);
                let Some(definition) = input else { continue };
                let place = &self.program.definitions[definition].name_place;
                let definition = self.defined_at(place.source(), place.span()).unwrap_or(definition);
                let name = name_place.clone();
                let (within, place) = (Some(number), name.clone());
                self.found.push(Entry { definition, within, place, name, defines: false, whole: false });
            }
        }
    }
}

/// The reference that a string is.
fn named_entry(program: &Program, at: usize) -> Option<Entry> {
    let one = &program.named[at];
    let (name, within) = (one.name_place.clone(), one.definition);
    let place = match one.place.span().start() < name.span().start() {
        true => Place::new(name.source(), Span::new(one.place.span().start() as u32, name.span().end() as u32)),
        false => name.clone(),
    };
    Some(Entry { definition: one.target?, within, place, name, defines: false, whole: false })
}

/// Returns the ranges of the nodes' expressions in the files in JSON, in order.
fn ranges_in_json(program: &Program) -> HashMap<SourceId, Vec<(Span, usize)>> {
    let documents = program.modules.iter().flat_map(|module| &module.documents);
    let mut ranges: HashMap<SourceId, Vec<(Span, usize)>> = documents
        .filter(|document| matches!(document, ConfigFile::Json(_)))
        .map(|document| (SourceId::of(document.source()), Vec::new()))
        .collect();
    if ranges.is_empty() {
        return ranges;
    }
    for (number, node) in program.nodes.iter().enumerate() {
        if let Some(list) = ranges.get_mut(&SourceId::of(node.place.source())) {
            list.extend(program.expressions_of(number).map(|one| (one.place().span(), number)));
        }
    }
    ranges.values_mut().for_each(|list| list.sort_unstable());
    ranges
}
