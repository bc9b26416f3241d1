//! The findings in the files of a project: one list for all programs, with each mistake once.
//!
//! A finding is in the text, in what the schema of the language says, in the names that files define and refer to, or in
//! values that are wrong whatever the inputs are. All of them are reported at the same places, whoever asks.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::source::{Source, Span};
use hcl_lr::{ConfigFile, Scope, json};
use hcl_lr_language::definitions::{CompanionFile, Definition, Definitions, Evaluated, Inputs, References, Roles};
use hcl_lr_language::findings::{merged, without_repeated_causes};
use hcl_lr_language::schema::has_at_top;

use crate::language::as_warning;
use crate::project::{Key, Member, Project};

impl Project {
    /// Returns the errors and warnings in a file of the project, in source order; none for a file that is not part of
    /// it. The errors of its text come first.
    ///
    /// ```
    /// use hcl_lr_project::{Key, Known, Languages, LoadOptions, Memory, Project, Reading, Sources};
    ///
    /// let files = Memory::new([("/net/main.tf", "locals {\n  zone = var.region\n}\n")]);
    /// let languages = Languages::default();
    /// let known = Known::default();
    /// let language = |path: &str| languages.choose(&Reading { files: &files, known: &known }, path, None);
    /// let sources = Sources { files: &files, language: &language };
    /// let key = Key::of(&sources, "/net/main.tf");
    /// let project = Project::load(&sources, &key, &LoadOptions::default());
    /// let findings = project.findings("/net/main.tf");
    /// assert_eq!(findings.first().expect("an error").code().as_str(), "unknown-variable");
    /// ```
    pub fn findings(&self, path: &str) -> Diagnostics {
        let all = self.own_findings(path);
        let has_names = self.language().is_checked() && self.language().has_definitions();
        let Some(member) = self.member(path).filter(|_| has_names) else { return all };
        let guesses = Guesses::new(self);
        let named = self.named_errors().get(path).into_iter().flat_map(Diagnostics::iter);
        let named = named.filter(|found| is_in_right_text(member, found) && !guesses.may_be_defined(found)).cloned();
        let unknown = unknown_arguments(member, &all);
        let named = named.filter(|found| {
            !unknown.iter().any(|span| span.start() <= found.span().start() && found.span().end() <= span.end())
        });
        merged(all, named.collect())
    }

    /// Returns the errors and warnings in a file that do not depend on the names and values of others: those of its
    /// text, and those of the schema.
    pub fn own_findings(&self, path: &str) -> Diagnostics {
        let Some(member) = self.member(path) else { return Diagnostics::new() };
        let mut all: Diagnostics = member.wrong_schema().into_iter().collect();
        all.append(self.language().text_findings(member.document.diagnostics.clone()));
        if let Some(of_schema) = &member.schema_errors {
            let known: HashSet<(Span, Code)> = all.iter().map(|found| (found.span(), found.code().clone())).collect();
            let is_new = |found: &&Diagnostic| !known.contains(&(found.span(), found.code().clone()));
            let new = of_schema.iter().filter(is_new).filter(|found| is_in_right_text(member, found));
            all.extend(new.cloned());
            return all;
        }
        if let ConfigFile::Json(document) = &member.document.file {
            let found = configuration_errors(document, all.has_errors(), self.language().roles());
            let known: HashSet<(Span, Code)> = all.iter().map(|found| (found.span(), found.code().clone())).collect();
            all.extend(found.into_iter().filter(|found| !known.contains(&(found.span(), found.code().clone()))));
        }
        let by_schema = self.language().check(&member.document.file, self.facts_for(member));
        all.extend(by_schema.into_iter().filter(|found| is_in_right_text(member, found)));
        all
    }

    /// Returns the definitions in a file that nothing refers to, although they exist only to be referred to.
    pub fn unused<'p>(&'p self, path: &str) -> impl Iterator<Item = Definition<'p>> + use<'p> {
        let references = self.references();
        let name = self.member(path).map(|member| member.document.file.source().name()).unwrap_or_default();
        let own = self.definitions().in_source(name).filter(|definition| definition.module().is_none());
        own.filter(move |definition| references.is_unused(definition))
    }

    /// Returns the errors in names and values of all files, by path.
    fn named_errors(&self) -> &HashMap<String, Diagnostics> {
        self.named.get_or_init(|| {
            let companions: Vec<CompanionFile> = self.companion_files().collect();
            let certain = match self.has_values {
                true => self.certain_errors_of(self.values_for_any_input(), self.definitions(), &companions),
                false => Certain { all: self.definition_errors().clone(), in_modules: Vec::new() },
            };
            let by_arguments = self.errors_by_arguments(&certain);
            let mut all = certain.all;
            all.extend(by_arguments);
            all.extend(self.references().undefined().iter().cloned());
            let mut all = self.with_programs_apart(all);
            all.extend(self.missing_modules.iter().cloned());
            all.extend(self.undeclared_values());
            all.sort();
            let all = without_repeated_causes(all);
            let members = self.members().iter().chain(self.companions());
            let paths: HashMap<&str, &str> =
                members.map(|member| (member.document.file.source().name(), &*member.path)).collect();
            let mut by_path: HashMap<String, Diagnostics> = HashMap::new();
            for found in all {
                if let Some(path) = paths.get(found.place().source().name()) {
                    by_path.entry((*path).to_owned()).or_default().push(found);
                }
            }
            by_path
        })
    }

    /// Returns the errors in called modules that the arguments of the calls cause, each at the calls that have it. Those
    /// that a module has by itself are found in its own files.
    fn errors_by_arguments(&self, certain: &Certain) -> Diagnostics {
        let mut found = Diagnostics::new();
        let mut own: HashMap<&str, HashSet<(String, Span, Code)>> = HashMap::new();
        let mut calls: HashMap<&str, Vec<Definition<'_>>> = HashMap::new();
        let mut known: HashSet<(&str, (String, Span, Code))> = HashSet::new();
        let key = |error: &Diagnostic| (error.place().source().name().to_owned(), error.span(), error.code().clone());
        let evaluated: HashSet<_> = certain.in_modules.iter().map(|(_, error)| key(error)).collect();
        // Errors that no value causes are those of all calls, and the first one has them.
        let of_all = certain.all.errors().filter(|error| !evaluated.contains(&key(error))).map(|error| (None, error));
        let of_calls = certain.in_modules.iter().map(|(module, error)| (Some(module.as_str()), error));
        for (module, error) in of_all.chain(of_calls) {
            let source = error.place().source().name();
            if self.all_members().any(|member| member.document.file.source().name() == source) {
                continue;
            }
            let has_file = |members: &[Member]| members.iter().any(|one| one.document.file.source().name() == source);
            let Some((folder, members)) = self.modules().find(|(_, members)| has_file(members)) else { continue };
            let own = own.entry(folder).or_insert_with(|| {
                let files = members.iter().map(|member| member.document.file.clone());
                let alone = Definitions::of(self.language().roles(), files).into_value();
                self.certain_errors(&alone, &[]).all.iter().map(key).collect()
            });
            if own.contains(&key(error)) {
                continue;
            }
            let is_behind = |call: &&Definition<'_>| module.is_none_or(|module| leads_to(call.address(), module));
            let calls = calls.entry(source).or_insert_with(|| self.calls_behind(source));
            let Some(call) = calls.iter().find(is_behind) else { continue };
            if !known.insert((call.address(), key(error))) {
                continue;
            }
            let detail = format!("the arguments make an error in the module: {}", error.detail());
            let at_call = Diagnostic::error(error.code().clone(), call.name_place(), detail);
            found.push(at_call.with_label(error.place(), "the error is here"));
        }
        found
    }

    /// Returns the calls in the files of the project that lead to a file of a module.
    fn calls_behind(&self, source: &str) -> Vec<Definition<'_>> {
        let modules: HashSet<&str> =
            self.definitions().in_source(source).filter_map(|definition| definition.module()).collect();
        let leads_there = |definition: &Definition<'_>| {
            let address = definition.address();
            modules.iter().any(|module| leads_to(address, module))
        };
        self.definitions()
            .iter()
            .filter(|definition| definition.module().is_none() && leads_there(definition))
            .collect()
    }

    /// Returns the warnings about values in files beside the others for inputs that nothing defines. The program ignores
    /// them. Nothing is known of the inputs if there are no other files, or some of them cannot be read.
    fn undeclared_values(&self) -> Diagnostics {
        let mut found = Diagnostics::new();
        if self.members().is_empty() || self.has_text_errors() || !self.unread().is_empty() {
            return found;
        }
        let own = || self.definitions().iter().filter(|definition| definition.module().is_none());
        let inputs: BTreeSet<&str> = own().filter(|input| input.is_input()).map(|input| input.name()).collect();
        let whole = self.companions().iter().filter(|member| !member.document.diagnostics.has_errors());
        for member in whole.filter(|member| self.assigns_inputs(member)) {
            for attribute in member.document.file.body().attributes().value() {
                let name = attribute.name();
                if !inputs.contains(name) {
                    let detail = format!("no input named \"{name}\" is defined, so the program ignores this value");
                    let warning = Diagnostic::warning(Code::UndefinedName, attribute.name_place(), detail);
                    let warning = warning.with_help("remove it, or define the input");
                    found.push(warning.with_similar(name, &attribute.name_place(), inputs.iter().copied()));
                }
            }
        }
        found
    }

    /// Returns true if all attributes of a file are values of inputs.
    fn assigns_inputs(&self, member: &Member) -> bool {
        let Some(schema) = self.language().widest_schema() else { return false };
        let part = schema.files_of(&member.path).and_then(|files| schema.part(&files.body));
        part.is_some_and(|part| {
            part.body.attributes.iter().any(|attribute| attribute.is_free() && attribute.assigns.is_some())
        })
    }

    /// Returns errors with those of files that are programs of their own in place of what is wrong in them together with
    /// others. Two of them may define the same name: this is a warning, because they cannot be used together.
    fn with_programs_apart(&self, all: Diagnostics) -> Diagnostics {
        let first_file = |found: &Diagnostic| match found.code() {
            Code::DuplicateDefinition => found.labels().first().map(|label| label.place().source().name().to_owned()),
            _ => None,
        };
        let is_between_files =
            |found: &Diagnostic| first_file(found).is_some_and(|first| first != found.place().source().name());
        if !all.iter().any(is_between_files) {
            return all;
        }
        let apart: HashMap<&str, Definitions> = self.members().iter().filter_map(|member| self.apart(member)).collect();
        let is_apart = |found: &Diagnostic| apart.contains_key(found.place().source().name());
        let mut split = Diagnostics::new();
        for found in &all {
            match first_file(found) {
                Some(first) if is_between_files(found) && is_apart(found) && apart.contains_key(first.as_str()) => {
                    split.push(defined_apart(found));
                }
                None if is_apart(found) => {}
                _ => split.push(found.clone()),
            }
        }
        for definitions in apart.values().filter(|_| self.has_values) {
            split.extend(self.certain_errors(definitions, &[]).all);
        }
        split
    }

    /// Returns the keys of the programs that the files are: one, unless files that are programs of their own define the same
    /// names. Then each of those is one, and so are the others together.
    pub fn programs(&self) -> Vec<Key> {
        let first_file =
            |found: &Diagnostic| found.labels().first().map(|label| label.place().source().name().to_owned());
        let duplicates = self.definition_errors().iter().filter(|found| *found.code() == Code::DuplicateDefinition);
        let pairs: Vec<(String, String)> = duplicates
            .filter_map(|found| Some((found.place().source().name().to_owned(), first_file(found)?)))
            .collect();
        let is_apart = |name: &str| {
            let member = self.members().iter().find(|member| member.document.file.source().name() == name);
            member.is_some_and(|member| self.apart(member).is_some())
        };
        if !pairs.iter().any(|(one, other)| one != other && is_apart(one) && is_apart(other)) {
            return vec![self.key().clone()];
        }
        let key = |paths: Vec<String>| Key::of_files(self.folder(), paths, self.language());
        let (alone, rest): (Vec<&Member>, Vec<&Member>) =
            self.members().iter().partition(|member| self.apart(member).is_some());
        let alone = alone.into_iter().map(|member| key(vec![member.path.clone()]));
        let rest: Vec<String> = rest.into_iter().map(|member| member.path.clone()).collect();
        alone.chain((!rest.is_empty()).then(|| key(rest))).collect()
    }

    /// Returns the name and the definitions of a file that is a program of its own: it has a block that makes it one, and
    /// refers only to what it defines.
    fn apart<'m>(&self, member: &'m Member) -> Option<(&'m str, Definitions)> {
        let file = &member.document.file;
        let name = file.source().name();
        let files = self.language().schema()?.files_of(name)?;
        files.alone.iter().any(|block| has_at_top(file, block)).then_some(())?;
        let (definitions, found) = Definitions::of(self.language().roles(), [file.clone()]).into_parts();
        let references = References::with_companions(&definitions, Vec::new());
        (!found.has_errors() && references.undefined().is_empty()).then_some((name, definitions))
    }

    /// Returns the errors in values that are wrong whatever the inputs are, in words that show no secret values.
    fn certain_errors(&self, definitions: &Definitions, companions: &[CompanionFile]) -> Certain {
        let plain = definitions.evaluate_for_any_input(&self.no_inputs(), companions, &self.scope());
        self.certain_errors_of(&plain, definitions, companions)
    }

    /// Returns the values of the files that are the same whatever the inputs are. Others are unknown. The findings are
    /// made of these.
    pub fn values_for_any_input(&self) -> &Evaluated {
        self.for_any_input.get_or_init(|| {
            let companions: Vec<CompanionFile> = self.companion_files().collect();
            self.definitions().evaluate_for_any_input(&self.no_inputs(), &companions, &self.scope())
        })
    }

    /// Returns inputs without values.
    fn no_inputs(&self) -> Inputs {
        let mut inputs = Inputs::new();
        self.hide_sensitive(&mut inputs);
        inputs
    }

    /// Returns the errors in evaluated definitions, in the words for those with secret names.
    fn certain_errors_of(
        &self,
        evaluated: &Evaluated,
        definitions: &Definitions,
        companions: &[CompanionFile],
    ) -> Certain {
        let plain = Certain::of(evaluated);
        let may_show = |member: &Member| is_secret_name(member.document.file.source().text());
        if plain.all.is_empty() || !self.all_members().any(may_show) {
            return plain;
        }
        let key = |found: &Diagnostic| {
            (found.place().source().name().to_owned(), found.span(), found.code().as_str().to_owned())
        };
        let inputs = self.no_inputs().with_secret_names_hidden();
        let hidden = Certain::of(&definitions.evaluate_for_any_input(&inputs, companions, &self.scope()));
        let all: HashMap<_, _> = hidden.all.iter().map(|found| (key(found), found)).collect();
        let in_modules: HashMap<_, _> =
            hidden.in_modules.iter().map(|(module, found)| ((module, key(found)), found)).collect();
        let shown = |found: Diagnostic, hidden: Option<&&Diagnostic>| hidden.map_or(found, |hidden| (*hidden).clone());
        Certain {
            all: plain
                .all
                .into_iter()
                .map(|found| (key(&found), found))
                .map(|(key, found)| shown(found, all.get(&key)))
                .collect(),
            in_modules: plain
                .in_modules
                .into_iter()
                .map(|(module, found)| {
                    let hidden = in_modules.get(&(&module, key(&found)));
                    let found = shown(found, hidden);
                    (module, found)
                })
                .collect(),
        }
    }

    /// Returns the scope for expressions of the files: the functions of the language, and the limits.
    pub fn scope(&self) -> Scope<'static> {
        let scope = Scope::new().with_limits(self.limits.clone());
        match self.language().roles().functions().names().next() {
            Some(_) => scope,
            None => scope.with_functions(self.language().functions().functions()),
        }
    }
}

/// The errors in values that are wrong whatever the inputs are.
struct Certain {
    all: Diagnostics,
    /// Those of called modules, each with the address of the call.
    in_modules: Vec<(String, Diagnostic)>,
}

impl Certain {
    fn of(evaluated: &Evaluated) -> Certain {
        let in_modules = evaluated.module_errors().map(|(call, error)| (call.to_owned(), error.clone())).collect();
        Certain { all: evaluated.diagnostics().clone(), in_modules }
    }
}

/// Returns true if a call, by its address, leads to a module, by that of its own call.
fn leads_to(call: &str, module: &str) -> bool {
    module.strip_prefix(call).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the errors of a file in JSON in its root and its templates. The strings in inputs are no templates.
fn configuration_errors(document: &json::Document, has_others: bool, roles: &Roles) -> Diagnostics {
    let is_input = |name: &str| roles.roles().iter().any(|role| role.is_input() && role.block_type() == Some(name));
    let inputs: Vec<Span> = match document.root().kind() {
        json::NodeKind::Object(object) => {
            let inputs = object.properties().filter(|property| is_input(&property.name()));
            inputs.map(|property| property.value().span()).collect()
        }
        _ => Vec::new(),
    };
    let is_literal = |span: Span| inputs.iter().any(|input| input.start() <= span.start() && span.end() <= input.end());
    document.configuration_errors(has_others).into_iter().filter(|found| !is_literal(found.span())).collect()
}

/// Returns the spans of the values of arguments that the schema does not know: what they name does not matter.
fn unknown_arguments(member: &Member, found: &Diagnostics) -> Vec<Span> {
    let names: HashSet<usize> = found
        .iter()
        .filter(|found| *found.code() == Code::UnsupportedArgument)
        .map(|found| found.span().start())
        .collect();
    let ConfigFile::Native(file) = &member.document.file else { return Vec::new() };
    if names.is_empty() {
        return Vec::new();
    }
    let (mut spans, mut waiting) = (Vec::new(), vec![file.body()]);
    while let Some(body) = waiting.pop() {
        let unknown = body.attributes().filter(|attribute| names.contains(&attribute.span().start()));
        spans.extend(unknown.map(|attribute| attribute.expression().span()));
        waiting.extend(body.blocks().map(|block| block.body()));
    }
    spans
}

/// Returns the warning about a definition that another program has, too.
fn defined_apart(found: &Diagnostic) -> Diagnostic {
    let warning = as_warning(found, ", in a file that can be used alone, like this one");
    warning.with_help("use one of the files alone, or give one of the two another name")
}

/// Returns true if a finding is outside of broken text, where the meaning is a guess.
fn is_in_right_text(member: &Member, found: &Diagnostic) -> bool {
    let touches = |span: Span| span.start() <= found.span().end() && found.span().start() <= span.end();
    !member.document.diagnostics.errors().any(|error| touches(error.span()))
}

/// Returns true if a diagnostic is about an undefined name.
fn is_undefined(found: &Diagnostic) -> bool {
    matches!(found.code(), Code::UndefinedName | Code::UnknownVariable)
}

/// Names that the broken parts of files may define.
struct Guesses<'p> {
    project: &'p Project,
    /// The words at the start of a line or in quotes, from files with syntax errors. Computed on demand.
    words: OnceCell<HashSet<&'p str>>,
}

impl<'p> Guesses<'p> {
    fn new(project: &'p Project) -> Guesses<'p> {
        Guesses { project, words: OnceCell::new() }
    }

    fn words(&self) -> &HashSet<&'p str> {
        self.words.get_or_init(|| {
            let mut words = HashSet::new();
            let broken = self.project.members().iter().filter(|member| member.document.diagnostics.has_errors());
            let texts: Vec<&Source> = match &self.project.broken_texts {
                Some(texts) => texts.iter().map(|text| &**text).collect(),
                None => broken.map(|member| &**member.document.file.source()).collect(),
            };
            for text in texts {
                for line in text.text().lines() {
                    words.extend(line.split_whitespace().next().map(|word| word.trim_matches(['"', '=', '{', ':'])));
                    words.extend(line.split('"').skip(1).step_by(2));
                }
            }
            words
        })
    }

    /// Returns true if a supposedly undefined name may be defined in a part of a file that could not be read.
    fn may_be_defined(&self, found: &Diagnostic) -> bool {
        if !is_undefined(found) {
            return false;
        }
        if self.project.leaves_out {
            return true;
        }
        let name = found.place().text();
        let name = name.rsplit('.').next().unwrap_or(name);
        self.words().contains(name.trim_matches('"'))
    }
}
