//! Walks over the files of modules and notes each reference in them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ConfigFile;
use super::ids::{DefinitionId, FunctionId, ModuleId, NameId, NodeId};
use super::json_parts::{JsonParts, members_of};
use super::names::Path;
use super::other_references::{Around, may_define};
use super::pattern::{Pattern, Step};
use super::program::resolve::Site;
use super::program::{Program, Target};
use super::results::{Found, ResultReference, ResultWalk, Results, names_of, results_of};
use super::role::{Kind, Role};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::expression_of_json;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, ExpressionNode, File, FunctionCall};

/// The identity of a source in the index: its address, which stays what it is as long as the program holds the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SourceId(usize);

impl SourceId {
    pub fn of(source: &Arc<Source>) -> SourceId {
        SourceId(Arc::as_ptr(source) as usize)
    }
}

pub(super) struct ReferenceEntry {
    pub definition: DefinitionId,
    pub within: Option<DefinitionId>,
    pub place: Place,
    pub name: Place,
    /// True if it is the name of another block that defines it, too.
    pub defines: bool,
    /// True if all of its value is used, so that the parts that matter cannot be seen.
    pub whole: bool,
}

/// The definitions that expressions of a companion file can name.
pub(super) struct CompanionScope {
    pub results: Vec<Pattern>,
    /// The results of the module by their names.
    pub names: HashMap<String, DefinitionId>,
    /// The blocks that are about files somewhere else, by their types and first labels.
    pub others: HashSet<(String, String)>,
}

impl CompanionScope {
    /// Returns the index of the name that is that of a result, and `Err` if the names lead to other files.
    pub fn result(&self, names: &[&str]) -> Option<Result<usize, ()>> {
        let pattern = self.results.iter().find(|pattern| {
            let fits = |(step, name): (&Step, &&str)| !matches!(step, Step::Name(fixed) if fixed != name);
            names.len() >= pattern.0.len() && pattern.0.iter().zip(names).all(fits)
        })?;
        let length = pattern.0.len();
        let is_other = length > 2 && self.others.contains(&(names[0].to_owned(), names[1].to_owned()));
        Some(if is_other { Err(()) } else { Ok(length - 1) })
    }

    /// Returns true if a block is about other files.
    pub fn is_other(&self, block_type: &str, label: &str) -> bool {
        !self.others.is_empty() && self.others.contains(&(block_type.to_owned(), label.to_owned()))
    }
}

pub(super) struct Walk<'p> {
    pub program: &'p Program,
    pub results: Results<'p>,
    /// The definitions that expressions of the current file can name, if it is a companion file.
    pub scope: Option<CompanionScope>,
    /// The definitions by the places of their names.
    places: HashMap<(SourceId, Span), DefinitionId, foldhash::fast::RandomState>,
    functions: HashMap<(ModuleId, &'p str), DefinitionId>,
    /// For each source in JSON, the spans of the expressions of nodes, in order.
    ranges: HashMap<SourceId, Vec<(Span, NodeId)>>,
    pub found: Vec<ReferenceEntry>,
    pub used: HashSet<DefinitionId>,
    wholes: HashSet<(ModuleId, NameId)>,
    pub undefined: Diagnostics,
}

impl<'p> Walk<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut places = HashMap::default();
        places.reserve(program.tables().definitions.len());
        for (number, entry) in program.tables().definitions.pairs() {
            let place = (SourceId::of(entry.name_place.source()), entry.name_place.span());
            places.entry(place).or_insert(number);
            // The name in another block with the same definition is within that definition.
            for name in &entry.also {
                places.entry((SourceId::of(name.source()), name.span())).or_insert(number);
            }
        }
        let functions = program.tables().functions.iter();
        let functions =
            functions.filter_map(|own| Some(((own.module, &*own.name), program[own.node].definition?))).collect();
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

    pub fn defined_at(&self, source: &Arc<Source>, span: Span) -> Option<DefinitionId> {
        self.places.get(&(SourceId::of(source), span)).copied()
    }

    /// Returns the first definition with its name at the same place.
    pub fn first_of(&self, definition: DefinitionId) -> Option<DefinitionId> {
        let place = &self.program[definition].name_place;
        self.defined_at(place.source(), place.span())
    }

    pub fn document(&mut self, document: &ConfigFile, module: ModuleId) {
        match document {
            ConfigFile::Native(file) => {
                for item in file.body().items() {
                    match item {
                        BodyItem::Attribute(attribute) if self.program.roles().is_unevaluated("", attribute.name()) => {
                        }
                        BodyItem::Attribute(attribute) => self.attribute(attribute, module),
                        BodyItem::Block(block) if self.is_other(block) => {}
                        BodyItem::Block(block) => self.block(block, module),
                        _ => {}
                    }
                }
            }
            ConfigFile::Json(document) => {
                let ranges = self.ranges.remove(&SourceId::of(document.source())).unwrap_or_default();
                let parts = JsonParts::of(document, self.program.roles());
                for member in members_of(document) {
                    let undefined =
                        may_define(member, self.program.roles()).then(|| std::mem::take(&mut self.undefined));
                    let first = self.found.len();
                    let value = expression_of_json(document, member.value());
                    for traversal in value.variables() {
                        if parts.hides(&traversal) {
                            continue;
                        }
                        let (site, node) = self.site_in_json(&ranges, traversal.place().span(), module);
                        let own = node.and_then(|node| self.program[node].function());
                        if !own.is_some_and(|function| self.has_parameter(function, traversal.root())) {
                            self.traversal(&traversal, site, node.and_then(|node| self.program[node].definition));
                        }
                    }
                    let site = Site { module, frame: self.program[module].frame, block: None };
                    self.results_in_json(value.templates(), site, first);
                    self.calls_in_json(&value, &ranges, module);
                    self.undefined = undefined.unwrap_or_else(|| std::mem::take(&mut self.undefined));
                }
            }
        }
    }

    /// Returns the position of a part of a document in JSON, and the node whose expression it is in.
    fn site_in_json(&self, ranges: &[(Span, NodeId)], part: Span, module: ModuleId) -> (Site, Option<NodeId>) {
        let at = ranges.partition_point(|(span, _)| span.start() <= part.start());
        let found = at.checked_sub(1).map(|at| ranges[at]).filter(|(span, _)| part.start() < span.end());
        let node = found.map(|(_, node)| node);
        let frame = node.map_or(self.program[module].frame, |node| self.program[node].frame);
        (Site { module, frame, block: node.and_then(|node| self.program[node].block) }, node)
    }

    /// Notes the calls of functions that the files define.
    fn calls_in_json(&mut self, value: &Expression, ranges: &[(Span, NodeId)], module: ModuleId) {
        if self.functions.is_empty() {
            return;
        }
        for file in value.templates() {
            for call in file.template().calls() {
                let name = Place::new(file.source(), call.name_span());
                let (_, node) = self.site_in_json(ranges, name.span(), module);
                self.own_call(call, name, module, node.and_then(|node| self.program[node].definition));
            }
        }
    }

    fn own_call(&mut self, call: FunctionCall<'_>, name: Place, module: ModuleId, within: Option<DefinitionId>) {
        let Some(&definition) = self.functions.get(&(module, &*call.name())) else { return };
        let place = name.clone();
        self.found.push(ReferenceEntry { definition, within, name, place, defines: false, whole: false });
    }

    fn has_parameter(&self, function: FunctionId, name: &str) -> bool {
        self.program[function].definition.parameters().any(|parameter| parameter == name)
    }

    fn attribute(&mut self, attribute: AttributeNode<'_>, module: ModuleId) {
        let source = attribute.expression().shared_source().clone();
        let within = self.defined_at(&source, attribute.name_token().span());
        self.expression(
            attribute.expression(),
            Site { module, frame: self.program[module].frame, block: None },
            within,
            None,
        );
    }

    fn block(&mut self, block: BlockNode<'_>, module: ModuleId) {
        let name = block.block_type();
        let role = self.program.roles().of_block(name);
        if role.is_some_and(Role::defines_attributes) {
            let roles = self.program.roles().clone();
            let attributes = block.body().attributes();
            let attributes = attributes.filter(|attribute| !roles.is_unevaluated(name, attribute.name()));
            return attributes.for_each(|attribute| self.attribute(attribute, module));
        }
        let source = block.body().shared_source().clone();
        let span = block.labels().last().map_or(block.type_token().span(), |label| label.span());
        let within = role.and_then(|_| self.defined_at(&source, span));
        let frame = within.and_then(|number| self.program[number].repeated);
        let site = Site { module, frame: frame.unwrap_or(self.program[module].frame), block: within };
        let top = Around::top(block, self.program.roles());
        let mut waiting: Vec<_> = block.body().items().map(|item| (top.clone(), item)).collect();
        waiting.reverse();
        while let Some((around, item)) = waiting.pop() {
            match item {
                // A type is no reference, whatever its words are.
                BodyItem::Attribute(attribute)
                    if self.program.roles().is_unevaluated(around.block_type, attribute.name()) => {}
                BodyItem::Attribute(attribute) => {
                    // The evaluation reports all references in a constant default.
                    let is_constant = is_constant_default(role, around.block_type, attribute.name());
                    let may_be_gone =
                        is_constant || self.program.roles().has_addresses(around.block_type, attribute.name());
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
        within: Option<DefinitionId>,
        around: Option<&Around<'_>>,
    ) {
        let own = within.and_then(|number| self.program[self.program[number].node].function());
        let start = self.found.len();
        for path in expression.variables() {
            let is_parameter = own.is_some_and(|function| self.has_parameter(function, path.root().text()));
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
                let name = Place::new(expression.shared_source(), call.name_span());
                self.own_call(call, name, site.module, within);
            }
        }
    }

    fn traversal(&mut self, traversal: &Traversal, site: Site, within: Option<DefinitionId>) {
        if self.scope.is_some() && self.result(traversal) {
            return;
        }
        let Some(resolved) = self.program.resolve_known(traversal, site) else { return };
        self.undefined.extend(resolved.problem);
        if let Target::Below(name) = resolved.target.target
            && !is_unfinished(traversal)
        {
            self.use_all(site.module, name);
        }
        let (Some(definition), Some(path)) = (resolved.definition, Path::of(traversal)) else { return };
        let steps: Vec<&str> = path.segments[..resolved.depth].iter().filter_map(|step| step.name.as_deref()).collect();
        let role = &self.program.roles().roles[self.program[definition].role];
        let last = &path.segments[resolved.depth - 1];
        let name = role.name_step(&steps).map_or(last, |at| &path.segments[at]);
        let start = path.segments[0].span.start();
        self.found.push(ReferenceEntry {
            definition,
            within,
            place: traversal.place_of(Span::new(start, last.end)),
            name: traversal.place_of(name.span),
            defines: false,
            whole: self.results.contains_key(&definition),
        });
    }

    /// Notes that everything below a name is used.
    fn use_all(&mut self, module: ModuleId, name: NameId) {
        let names = &self.program[module].names;
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
    pub fn arguments(&mut self) {
        let mut replaced: HashMap<DefinitionId, Vec<(&str, &Place)>> = HashMap::new();
        for argument in self.program.replaced() {
            replaced.entry(argument.call).or_default().push((&argument.name, &argument.name_place));
        }
        for module in self.program.tables().modules.iter().filter(|module| module.parent.is_some()) {
            let Some(number) = module.call else { continue };
            let members = self.program[number].members.iter();
            let members = members.map(|member| (&*member.name, &member.name_place));
            let replaced = replaced.get(&number).into_iter().flatten().copied();
            for (name, name_place) in members.chain(replaced) {
                let input = module.inputs.get(name).and_then(|&node| self.program[node].definition);
                let Some(definition) = input else { continue };
                let place = &self.program[definition].name_place;
                let definition = self.defined_at(place.source(), place.span()).unwrap_or(definition);
                let name = name_place.clone();
                let (within, place) = (Some(number), name.clone());
                self.found.push(ReferenceEntry { definition, within, place, name, defines: false, whole: false });
            }
        }
    }

    pub(super) fn is_other(&self, block: BlockNode<'_>) -> bool {
        let label = || block.labels().next().map(|label| label.text().into_owned()).unwrap_or_default();
        self.scope.as_ref().is_some_and(|scope| scope.is_other(block.block_type(), &label()))
    }

    /// Notes the result that a traversal in a companion file leads to. Returns true if it cannot lead to anything else.
    pub(super) fn result(&mut self, traversal: &Traversal) -> bool {
        let (Some(scope), Some(path)) = (&self.scope, Path::of(traversal)) else { return false };
        let names = names_of(&path);
        let Some(found) = scope.result(&names) else { return false };
        let Ok(at) = found else { return true };
        let Some(&definition) = scope.names.get(names[at]) else { return true };
        let (first, last) = (&path.segments[0], &path.segments[at]);
        let place = traversal.place_of(Span::new(first.span.start(), last.end));
        let name = traversal.place_of(last.span);
        self.found.push(ReferenceEntry { definition, within: None, place, name, defines: false, whole: false });
        true
    }

    pub(super) fn results_in_json(&mut self, templates: impl Iterator<Item = File>, site: Site, first: usize) {
        if self.results.is_empty() {
            return;
        }
        for file in templates {
            let mut walk = ResultWalk::new(self.program, &self.results, site, file.source());
            file.template().walk(&mut walk);
            let found = walk.finish();
            self.add_results(found, None, first);
        }
    }

    /// Adds the references to results. Of the references from a number on, those to modules of which something else is
    /// used than results by their names stay wholes.
    pub(super) fn add_results(&mut self, found: Found, within: Option<DefinitionId>, first: usize) {
        for entry in self.found[first..].iter_mut().filter(|entry| entry.whole) {
            let (source, start) = (entry.place.source(), entry.place.span().start());
            entry.whole = !found.by_name.contains(&Place::new(source, Span::new(start, start)));
        }
        for ResultReference { result, place, name } in found.references {
            if let Some(definition) = self.first_of(result) {
                self.found.push(ReferenceEntry { definition, within, place, name, defines: false, whole: false });
            }
        }
    }
}

/// Returns true if an attribute is the default of an input that may refer to nothing.
fn is_constant_default(role: Option<&Role>, block_type: &str, attribute: &str) -> bool {
    let is_constant = role.is_some_and(|role| match &role.kind {
        Kind::Input(options) => options.is_constant && role.block_type() == Some(block_type),
        _ => false,
    });
    is_constant && attribute == "default"
}

/// Returns the ranges of the nodes' expressions in the files in JSON, in order.
fn ranges_in_json(program: &Program) -> HashMap<SourceId, Vec<(Span, NodeId)>> {
    let documents = program.tables().modules.iter().flat_map(|module| &module.documents);
    let mut ranges: HashMap<SourceId, Vec<(Span, NodeId)>> = documents
        .filter(|document| matches!(document, ConfigFile::Json(_)))
        .map(|document| (SourceId::of(document.source()), Vec::new()))
        .collect();
    if ranges.is_empty() {
        return ranges;
    }
    for (number, node) in program.tables().nodes.pairs() {
        if let Some(list) = ranges.get_mut(&SourceId::of(node.place.source())) {
            list.extend(program.expressions_of(number).map(|expression| (expression.place().span(), number)));
        }
    }
    ranges.values_mut().for_each(|list| list.sort_unstable());
    ranges
}

/// Returns true if a name is missing after a dot, because it is still being typed.
fn is_unfinished(traversal: &Traversal) -> bool {
    let place = traversal.place();
    place.source().text()[place.span().end()..].starts_with('.')
}
