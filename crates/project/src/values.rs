//! The values of a project, as the schema of its language describes them.
//!
//! References are resolved, defaults filled in, and values converted to their types. The result is a [`Value`], or a type
//! of the program with the feature `serde`.

use std::collections::HashSet;

use hcl_lr::diagnostic::{Code, Diagnostics, Outcome};
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::{Body, ConfigFile};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, Roles};
use hcl_lr_language::findings::{merged, without_repeated_causes};
use hcl_lr_language::schema::{Checker, Files as FileKind, Resolved, Schema};

use crate::project::{Member, Project};

impl Project {
    /// Evaluates the definitions, with values for their inputs.
    ///
    /// A program that offers more functions or variables evaluates [`definitions`](Self::definitions) itself, with
    /// [`scope`](Self::scope) as a beginning.
    pub fn evaluate(&self, inputs: &Inputs) -> Evaluated {
        let mut inputs = inputs.clone();
        self.hide_sensitive(&mut inputs);
        if self.language().has_definitions() {
            return self.definitions().evaluate_with(&inputs, &self.scope());
        }
        // Where a schema defines no names, the attributes of a file can refer to each other.
        let files = self.members().iter().map(|member| member.document.file.clone());
        let definitions: Definitions = Definitions::of(&Roles::attributes(), files).into_value();
        definitions.evaluate_with(&inputs, &self.scope())
    }

    /// Returns the value of the files: an object of the attributes and blocks of all of them, as the schema describes
    /// them.
    ///
    /// | in the schema | in the value |
    /// | --- | --- |
    /// | an attribute | its value, converted to its type; the default or null without it |
    /// | an attribute that is not evaluated, such as a reference | the text of its expression: the name |
    /// | a single block | the object of its contents, or null |
    /// | a list or set of blocks | a tuple of such objects |
    /// | blocks with labels, or a map | an object by the labels, with a tuple of bodies, or one if they are unique |
    /// | a block that `for_each` or `count` repeats | a block for each instance, whose last label ends in its key: `web["eu"]` |
    /// | optional labels that a block lacks | an empty label |
    /// | contents that depend on a label or attribute | like others |
    /// | names that an open body does not list | their values as they are written |
    ///
    /// If the files are of several kinds, the value is an object of the values by kind. The diagnostics are the
    /// [findings](Self::findings) in the files, and the errors in their values. An input without a value is an error if
    /// the value depends on it.
    ///
    /// ```
    /// use hcl_lr_language::definitions::Inputs;
    /// use hcl_lr_project::{Key, Language, LoadOptions, Memory, Project, Sources, Chosen};
    ///
    /// let schema = r#"
    /// language "app" {
    ///   files "app" {
    ///     patterns = ["*.app"]
    ///     body     = app
    ///   }
    /// }
    /// part "app" {
    ///   block "input" {
    ///     label "name" {}
    ///     defines "input" {
    ///       value   = input
    ///       address = "input.{name}"
    ///     }
    ///     attribute "default" {}
    ///   }
    ///   block "server" {
    ///     unique = true
    ///     label "name" {}
    ///     attribute "port" { type = optional(number, 80) }
    ///     attribute "host" { type = required(string) }
    ///   }
    /// }
    /// "#;
    /// let language = Language::of_schema(&hcl_lr::parse(("app.schema.hcl", schema)).into_result()?);
    /// let files = Memory::new([("/a.app", "input \"zone\" {}\nserver \"web\" {\n  host = \"web.${input.zone}\"\n}\n")]);
    /// let chosen = |_: &str| Chosen { language: language.clone(), is_explicit: true, wrong: None };
    /// let sources = Sources { files: &files, language: &chosen };
    /// let project = Project::load(&sources, &Key::of(&sources, "/a.app"), &LoadOptions::default());
    ///
    /// let value = project.decode(&Inputs::new().with("zone", "eu")).into_result()?;
    /// let web = value.attribute("server").and_then(|servers| servers.attribute("web")).expect("it is there");
    /// assert_eq!(web.to_string(), r#"{ host = "web.eu", port = 80 }"#);
    ///
    /// let errors = project.decode(&Inputs::new()).into_result().unwrap_err();
    /// assert_eq!(errors.first().expect("an error").detail(), "the input \"zone\" has no value");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn decode(&self, inputs: &Inputs) -> Outcome<Value> {
        self.decode_evaluated(&self.evaluate(inputs), &|_| true)
    }

    /// Returns the value of some of the files, by their paths, with the results of an evaluation: see
    /// [`decode`](Self::decode).
    pub fn decode_evaluated(&self, evaluated: &Evaluated, is_meant: &dyn Fn(&str) -> bool) -> Outcome<Value> {
        let (mut resolved, diagnostics) = self.resolved_files(evaluated, is_meant).into_parts();
        let value = match resolved.len() {
            0 | 1 => resolved.pop().map_or_else(|| Value::object::<&str>([]), |(_, resolved)| resolved.value),
            _ => Value::object(resolved.into_iter().map(|(kind, resolved)| (kind, resolved.value))),
        };
        Outcome::new(value, diagnostics)
    }

    /// Reads the files into a type, as [`from_body`](hcl_lr::from_body) reads a body whose references are resolved and
    /// whose defaults are filled in.
    ///
    /// Labels and blocks are those of the attribute macro `hcl`. `hcl schema types --rust` writes the types of a schema.
    ///
    /// # Errors
    /// The errors of [`decode`](Self::decode), and those of reading the values into the type.
    #[cfg(feature = "serde")]
    pub fn decode_into<T: serde::de::DeserializeOwned>(&self, inputs: &Inputs) -> Result<T, Diagnostics> {
        let evaluated = self.evaluate(inputs);
        let resolved = self.resolved_files(&evaluated, &|_| true).into_result()?;
        let body = Body::merged(resolved.into_iter().map(|(_, resolved)| resolved.body));
        hcl_lr::from_body(&body, &hcl_lr::Scope::new())
    }

    /// Returns the resolved bodies of some of the files by the kinds of files, with all errors.
    fn resolved_files(
        &self,
        evaluated: &Evaluated,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> Outcome<Vec<(String, Resolved)>> {
        let mut members: Vec<&Member> = self.members().iter().filter(|member| is_meant(&member.path)).collect();
        if members.is_empty() {
            members = self.all_members().filter(|member| is_meant(&member.path)).collect();
        }
        let mut findings = Diagnostics::new();
        members.iter().for_each(|member| findings.append(self.findings(&member.path)));
        let mut kinds: Vec<(FileKind, Vec<Body>)> = Vec::new();
        let checker = match members.first().and_then(|member| self.language().checkers(&member.path).first().cloned()) {
            Some(checker) => checker,
            None => Checker::new(&Schema::new(self.language().name())).into(),
        };
        for member in &members {
            let file: &ConfigFile = &member.document.file;
            let anything = || FileKind::new(self.language().name(), ["*"], "");
            let kind = checker.files_of(file).cloned().unwrap_or_else(anything);
            match kinds.iter_mut().find(|(known, _)| known.name == kind.name) {
                Some((_, bodies)) => bodies.push(file.body()),
                None => kinds.push((kind, vec![file.body()])),
            }
        }
        let mut in_values = evaluated.diagnostics().clone();
        // Errors that arguments cause in modules are among the findings, at the calls.
        let place = |place: &Place| (place.source().name().to_owned(), place.span());
        let at_calls: HashSet<_> =
            findings.iter().flat_map(|found| found.labels()).map(|label| place(label.place())).collect();
        let in_modules: HashSet<_> = evaluated.module_errors().map(|(_, error)| place(error.place())).collect();
        in_values.retain(|error| {
            let own = place(error.place());
            !in_modules.contains(&own) || !at_calls.contains(&own)
        });
        if !self.language().has_definitions() {
            // Each expression is evaluated again where the schema says that it has a value.
            in_values.retain(|error| *error.code() == Code::DefinitionCycle);
        }
        let (mut all, mut misplaced) = (Vec::new(), Diagnostics::new());
        for (kind, bodies) in kinds {
            let outcome = checker.resolve(&kind, &Body::merged(bodies), self.facts(), evaluated);
            let mut resolved = outcome.into_value_reporting_to(&mut in_values);
            misplaced.append(std::mem::take(&mut resolved.misplaced));
            all.push((kind.name, resolved));
        }
        let mut found = merged(findings, without_repeated_causes(in_values));
        if !found.has_errors() {
            found = merged(found, without_repeated_causes(misplaced));
        }
        Outcome::new(all, found)
    }
}
