//! The scopes of the expressions in evaluated files: what they see at their places.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use hcl_lr::ConfigFile;
use hcl_lr::body::Expression;
use hcl_lr::eval::Scope;
use hcl_lr::internal::sort_by_key;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::source::{Source, Span};
use hcl_lr::stack::with_room;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};
use hcl_lr_language::definitions::{Definition, Evaluated};

use crate::project::{Member, Project};

/// The definitions of an evaluated project by file, for finding the scope of an expression.
///
/// ```
/// use hcl_lr::{Expression, Scope, Value};
/// use hcl_lr_project::{Key, Known, Languages, LoadOptions, Memory, Project, ProjectScopes, Reading, Sources};
///
/// let text = "locals {\n  zone = \"a\"\n}\nresource \"host\" \"web\" {\n  zone = local.zone\n}\n";
/// let files = Memory::new([("/net/main.tf", text)]);
/// let languages = Languages::default();
/// let known = Known::default();
/// let language = |path: &str| languages.choose(&Reading { files: &files, known: &known }, path, None);
/// let sources = Sources { files: &files, language: &language };
/// let project = Project::load(&sources, &Key::of(&sources, "/net/main.tf"), &LoadOptions::default());
/// let evaluated = project.definitions().evaluate(&Scope::new());
///
/// let scopes = ProjectScopes::of(&project, &evaluated);
/// let file = scopes.file("/net/main.tf").expect("a file of the project");
/// let hcl_lr::ConfigFile::Native(main) = &project.members()[0].document.file else { panic!("it is in native syntax") };
/// let block = main.body().blocks().nth(1).expect("a block");
/// let zone: Expression = block.body().attribute("zone").expect("it is there").expression().into();
/// assert_eq!(zone.evaluate(&file.scopes_of(&zone)[0])?, Value::from("a"));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub struct ProjectScopes<'p> {
    project: &'p Project,
    evaluated: &'p Evaluated,
    /// The definitions of each file, by the name of its source.
    definitions: HashMap<&'p str, Vec<Definition<'p>>>,
    /// For each module, by its folder, a definition in each of its calls, whose scope is that of the files.
    calls: HashMap<&'p str, Vec<Definition<'p>>>,
    /// The files and those of modules by path; of the latter with the folder.
    members: HashMap<&'p str, (Option<&'p str>, &'p Member)>,
}

impl<'p> ProjectScopes<'p> {
    /// Prepares the scopes of all files of a project, and of the modules that it calls.
    pub fn of(project: &'p Project, evaluated: &'p Evaluated) -> ProjectScopes<'p> {
        let mut definitions: HashMap<&str, Vec<Definition<'_>>> = HashMap::new();
        let mut calls: HashMap<&str, Vec<Definition<'_>>> = HashMap::new();
        let mut seen = HashSet::new();
        for definition in evaluated.definitions() {
            definitions.entry(definition.place().source().name()).or_default().push(definition);
            if let (Some(folder), Some(call)) = (definition.module_key(), definition.module())
                && !definition.is_repeated()
                && seen.insert(call)
            {
                calls.entry(folder).or_default().push(definition);
            }
        }
        let own = project.members().iter().map(|member| (None, member));
        let called =
            project.modules().flat_map(|(folder, members)| members.iter().map(move |member| (Some(folder), member)));
        // A file of the project itself comes last, so that it counts as such.
        let members = called.chain(own).map(|(folder, member)| (&*member.path, (folder, member))).collect();
        ProjectScopes { project, evaluated, definitions, calls, members }
    }

    /// Returns the scopes of a file. `None` if the project does not evaluate it, as a file with tests.
    pub fn file(&self, path: &str) -> Option<FileScopes<'p>> {
        let (module, member) = *self.members.get(path)?;
        let file = &member.document.file;
        let known = self.definitions.get(file.source().name()).map_or(&[][..], Vec::as_slice);
        let known = known.iter().filter(|definition| definition.module_key() == module);
        let sensitive = known.clone().filter(|definition| definition.is_sensitive());
        let mut starts: HashMap<usize, Vec<Definition<'p>>> = HashMap::new();
        for definition in known {
            let places = [definition.place().span().start(), definition.name_place().span().start()];
            for start in &places[..if places[0] == places[1] { 1 } else { 2 }] {
                starts.entry(*start).or_default().push(*definition);
            }
        }
        let mut areas = Areas { starts, all: Vec::new(), open: Vec::new() };
        match file {
            ConfigFile::Native(file) => areas.add_body(file.body()),
            ConfigFile::Json(document) => areas.add_json(document.root()),
        }
        let outside = module.map(|module| self.calls.get(module).cloned().unwrap_or_default());
        let mut hidden = self.project.language().hidden(file).sensitive;
        // Such as the value of an output with `sensitive = true`.
        hidden.extend(sensitive.filter_map(|definition| Some(definition.expression()?.place().span())));
        let hidden = outermost(hidden);
        Some(FileScopes { evaluated: self.evaluated, source: file.source().clone(), areas: areas.all, outside, hidden })
    }
}

impl fmt::Debug for ProjectScopes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProjectScopes").field("folder", &self.project.folder()).finish_non_exhaustive()
    }
}

/// The scopes of the expressions in a file.
pub struct FileScopes<'p> {
    evaluated: &'p Evaluated,
    source: Arc<Source>,
    areas: Vec<Area<'p>>,
    /// In a module, a definition in each of its calls.
    outside: Option<Vec<Definition<'p>>>,
    /// The spans of the values that must not be shown, which do not overlap.
    hidden: Vec<Span>,
}

/// The text of a block or an attribute that defines something.
struct Area<'p> {
    span: Span,
    /// The definitions: one for each call of a module.
    definitions: Vec<Definition<'p>>,
    /// The index of the area around it.
    outer: Option<usize>,
}

impl<'p> FileScopes<'p> {
    /// Returns the text of the file that was evaluated.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the scopes of an expression of the file, or of the same text that was parsed again: one for each call
    /// of the module that the file belongs to, and for each instance of a repeated block.
    pub fn scopes_of(&self, expression: &Expression) -> Vec<Scope<'p>> {
        let definitions = match (self.area_at(expression.place().span()), &self.outside) {
            (Some(area), _) => &area.definitions,
            (None, Some(calls)) => calls,
            (None, None) => return vec![self.evaluated.scope_for(expression)],
        };
        definitions.iter().flat_map(|definition| self.evaluated.scopes_in(definition, expression)).collect()
    }

    /// Returns true if the value of an expression must not be shown, because the schema or the file calls it sensitive.
    pub fn hides(&self, expression: &Expression) -> bool {
        let span = expression.place().span();
        let before = self.hidden.partition_point(|hidden| hidden.start() <= span.start());
        before.checked_sub(1).is_some_and(|at| self.hidden[at].end() >= span.end())
    }

    fn area_at(&self, span: Span) -> Option<&Area<'p>> {
        let mut at = self.areas.partition_point(|area| area.span.start() <= span.start()).checked_sub(1);
        while let Some(index) = at {
            let area = &self.areas[index];
            if area.span.end() >= span.end() {
                return Some(area);
            }
            at = area.outer;
        }
        None
    }
}

impl fmt::Debug for FileScopes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileScopes").field("file", &self.source.name()).finish_non_exhaustive()
    }
}

/// Collects the areas of a file, in source order.
struct Areas<'p> {
    /// The definitions by the start of their places and names.
    starts: HashMap<usize, Vec<Definition<'p>>>,
    all: Vec<Area<'p>>,
    open: Vec<usize>,
}

impl Areas<'_> {
    fn add_body(&mut self, body: BodyNode<'_>) {
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    self.within(attribute.span(), |_| ());
                }
                BodyItem::Block(block) => {
                    self.within(block.span(), |areas| with_room(|| areas.add_body(block.body())));
                }
                _ => {}
            }
        }
    }

    fn add_json(&mut self, node: Node<'_>) {
        match node.kind() {
            NodeKind::Object(object) => {
                for property in object.properties() {
                    let span = property.name_node().span().join(property.value().span());
                    self.within(span, |areas| with_room(|| areas.add_json(property.value())));
                }
            }
            NodeKind::Array(array) => array.elements().for_each(|element| {
                let span = element.span();
                self.within(span, |areas| with_room(|| areas.add_json(element)));
            }),
            _ => {}
        }
    }

    /// Adds an area, if something is defined at its start, and the areas inside.
    fn within(&mut self, span: Span, inside: impl FnOnce(&mut Self)) {
        let Some(definitions) = self.starts.remove(&span.start()) else { return inside(self) };
        self.open.push(self.all.len());
        let outer = self.open.len().checked_sub(2).map(|at| self.open[at]);
        self.all.push(Area { span, definitions, outer });
        inside(self);
        self.open.pop();
    }
}

/// Returns the spans that are in no other one, in source order.
fn outermost(mut spans: Vec<Span>) -> Vec<Span> {
    sort_by_key(&mut spans, |span| (span.start(), std::cmp::Reverse(span.end())));
    let mut end = 0;
    spans.retain(|span| {
        let is_outer = span.end() > end;
        end = end.max(span.end());
        is_outer
    });
    spans
}
