//! A build tool in the style of `docker buildx bake`: targets that inherit from each other, and refer to variables,
//! functions and other targets. Prints the targets in build order, with their attributes.
//!
//! ```sh
//! cargo run --example build_tool                             # the group "default" of examples/build.hcl
//! cargo run --example build_tool -- examples/build.hcl api TAG=v2
//! ```

use std::collections::HashSet;
use std::process::ExitCode;

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::model::Value;
use hcl_lr::{Scope, Source, functions, parse};
use hcl_lr_language::definitions::{Definitions, Evaluated, Inputs, Role, Roles};

/// Returns the definitions in a build file: the blocks and attributes that define names.
fn roles() -> Roles {
    Roles::new()
        .with(Role::input("variable", "{name}"))
        .with(Role::function("function"))
        .with(Role::object("target", "target.{name}").by_attribute())
        .with(Role::object("group", "group.{name}"))
        .with_functions(functions::standard())
}

/// A target with its inherited attributes. Its own attributes override inherited ones, and later parents override earlier
/// ones.
struct Build<'e> {
    evaluated: &'e Evaluated,
    done: HashSet<String>,
    problems: Diagnostics,
}

impl Build<'_> {
    /// Builds a target or group after its dependencies. `within` contains the targets that depend on it.
    fn run(&mut self, name: &str, within: &mut Vec<String>) {
        if within.iter().any(|outer| outer == name) {
            let way = format!("{} → {name}", within.join(" → "));
            return self.wrong(name, format!("this inherits from itself, or needs itself: {way}"));
        }
        if !self.done.insert(name.to_owned()) {
            return;
        }
        within.push(name.to_owned());
        if let Some(group) = self.evaluated.get(&format!("group.{name}")) {
            names(&group, "targets").iter().for_each(|target| self.run(target, within));
        } else if let Some(target) = self.evaluated.get(&format!("target.{name}")) {
            names(&target, "needs").iter().for_each(|needed| self.run(needed, within));
            println!("build {name}");
            for (attribute, value) in self.inherited(name, &mut Vec::new()) {
                println!("  {attribute} = {value}");
            }
        } else {
            let outer = within.get(within.len().wrapping_sub(2)).cloned().unwrap_or_default();
            self.wrong(&outer, format!("there is no target or group named \"{name}\""));
        }
        within.pop();
    }

    /// The attributes of a target, in alphabetic order.
    fn inherited(&mut self, name: &str, within: &mut Vec<String>) -> Vec<(String, Value)> {
        if within.iter().any(|inner| inner == name) {
            self.wrong(name, "this inherits from itself".to_owned());
            return Vec::new();
        }
        within.push(name.to_owned());
        let mut all: Vec<(String, Value)> = Vec::new();
        let target = self.evaluated.get(&format!("target.{name}"));
        match &target {
            Some(target) => {
                for parent in names(target, "inherits") {
                    all.extend(self.inherited(&parent, within));
                }
                let own = target.entries().into_iter().flatten();
                let own = own.filter(|(attribute, _)| !["inherits", "needs"].contains(attribute));
                all.extend(own.map(|(attribute, value)| (attribute.to_owned(), value.clone())));
            }
            None => {
                self.wrong(within.first().map_or("", |first| first), format!("there is no target named \"{name}\""))
            }
        }
        within.pop();
        // Later attributes override earlier ones.
        all.reverse();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all.dedup_by(|next, kept| next.0 == kept.0);
        all
    }

    /// Reports a problem at the definition of a target or group.
    fn wrong(&mut self, name: &str, detail: String) {
        let address = [format!("target.{name}"), format!("group.{name}")];
        let mut all = self.evaluated.definitions();
        let place = all.find(|one| address.iter().any(|address| address == one.address()));
        let place = place.map_or_else(hcl_lr::source::Place::nowhere, |one| one.name_place().clone());
        self.problems
            .push(Diagnostic::error("build/target", place, detail).with_summary("this target cannot be built"));
    }
}

/// The strings of an attribute that is a list.
fn names(object: &Value, attribute: &str) -> Vec<String> {
    let elements = object.attribute(attribute).and_then(Value::elements).unwrap_or_default();
    elements.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "examples/build.hcl".to_owned());
    let (settings, mut wanted): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument.contains('='));
    if wanted.is_empty() {
        wanted.push("default".to_owned());
    }
    let mut inputs = Inputs::new();
    for (name, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
        inputs.set_text(name, (name, value));
    }
    let mut problems = Diagnostics::new();
    let source = Source::read(&path).into_value_reporting_to(&mut problems);
    let file = parse::<ConfigFile>(source).into_value_reporting_to(&mut problems);
    let evaluated = Definitions::of(&roles(), [file]).into_value().evaluate_with(&inputs, &Scope::new());
    problems.extend(evaluated.diagnostics().clone());
    if !problems.has_errors() {
        let mut build = Build { evaluated: &evaluated, done: HashSet::new(), problems: Diagnostics::new() };
        wanted.iter().for_each(|name| build.run(name, &mut Vec::new()));
        problems.append(build.problems);
    }
    eprint!("{}", problems.render());
    if problems.has_errors() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
