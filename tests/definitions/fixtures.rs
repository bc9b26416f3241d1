//! A case of `tests/fixtures/definitions` has files in either syntax. The language is named in `roles`,
//! or its schema is `schema.hcl`; values from outside are the attributes of `inputs.hcl`. Folders are modules, which
//! files call by `./FOLDER`.
//!
//! `values` has all definitions and their values, `messages` the errors. If there is a fence `references`, it
//! has the references to each definition, with names that are not defined. Files that the language says lie beside those
//! that define names, such as `terraform.tfvars`, are only there for these references.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hcl_lr::ConfigFile;
use hcl_lr::{Body, Scope, Value, parse};
use hcl_lr_language::definitions::{
    CompanionFile, Definitions, Evaluated, Inputs, Loaded, LoadedModule, ModuleCall, References,
};
use hcl_lr_language::schema::Schema;

use crate::roles_of;
use crate::support::cases::{Case, Fence};
use crate::support::golden::{Golden, cases};

/// Returns the files of a folder of a case; no files if it does not exist.
fn documents(case: &Case, folder: &Path) -> Vec<ConfigFile> {
    let is_within = |name: &str| Path::new(name).parent() == Some(folder);
    let files = case.files().filter(|(name, _)| is_within(name) && !["schema.hcl", "inputs.hcl"].contains(name));
    let mut files: Vec<(&str, &Fence)> = files.collect();
    files.sort_by_key(|(name, _)| Path::new(*name));
    let read =
        |(name, fence): (&str, &Fence)| parse::<ConfigFile>((name, fence.text())).into_result().expect("it parses");
    files.into_iter().map(read).collect()
}

fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            std::path::Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

fn values(evaluated: &Evaluated) -> String {
    let mut text = String::new();
    for definition in evaluated.definitions().filter(|definition| !definition.is_function()) {
        let value = evaluated.value(&definition);
        text += &format!("{} = {value}\n", definition.address());
        for part in definition.parts() {
            let value = evaluated.attribute_value(&definition, part.name()).unwrap_or_else(|| Value::from("nothing"));
            text += &format!("  .{} = {value}\n", part.name());
        }
    }
    text
}

fn references(definitions: &Definitions, beside: &[ConfigFile]) -> String {
    let references = References::with_companions(definitions, beside.iter().map(CompanionFile::new));
    let mut text = String::new();
    for definition in definitions.iter() {
        text += &format!("{} at {}\n", definition.address(), definition.name_place());
        for reference in references.to(&definition) {
            // A module that is called twice has its definitions twice, at the same places.
            assert_eq!(reference.definition().name_place(), definition.name_place());
            let (place, name) = (reference.place(), reference.name_place());
            let at = references.at(name.source(), name.span().start()).expect("the definition");
            assert_eq!(at.name_place(), definition.name_place(), "{name}");
            let within = reference.within().map_or(String::new(), |within| format!(" in {}", within.address()));
            let within = format!("{within}{}", if reference.is_whole() { ", as a whole" } else { "" });
            text += &format!("  {place} {}, {}{within}\n", place.text(), name.position().column);
        }
        if !references.is_used(&definition) {
            text += "  unused\n";
        }
    }
    text + &references.undefined().render()
}

/// The files of a case, as they are read.
pub struct Read {
    pub schema: Option<Schema>,
    pub definitions: Definitions,
    pub own: Vec<ConfigFile>,
    pub beside: Vec<ConfigFile>,
    /// The errors of the schema.
    pub problems: String,
}

impl Read {
    pub fn new(case: &Case) -> Read {
        let (mut schema, mut problems) = (None, String::new());
        let roles = match case.find("roles") {
            Some(name) => roles_of(name.text().trim()),
            None => {
                let text = case.file("schema.hcl").expect("roles or schema.hcl").text();
                let (read, found) = parse::<Schema>(("schema.hcl", text)).into_parts();
                problems += &found.render();
                schema.insert(read).roles()
            }
        };
        let loader = |call: &ModuleCall<'_>| {
            let folder = normal(&Path::new(call.caller().unwrap_or("")).join(call.source()));
            let documents = documents(case, &folder);
            if !call.source().starts_with('.') || documents.is_empty() {
                return Loaded::Later;
            }
            Loaded::Module(LoadedModule::new(folder.to_string_lossy(), documents))
        };
        let is_beside = |document: &ConfigFile| roles.companions_of(document.source().name()).is_some();
        let (mut beside, own): (Vec<ConfigFile>, Vec<ConfigFile>) =
            documents(case, Path::new("")).into_iter().partition(|document| is_beside(document));
        let further: BTreeSet<&String> = roles.beside().iter().flat_map(|kind| kind.folders()).collect();
        for folder in further {
            beside.extend(documents(case, Path::new(folder)));
        }
        let definitions = Definitions::with_modules(&roles, own.clone(), &loader).into_value();
        Read { schema, definitions, own, beside, problems }
    }
}

#[test]
fn fixtures_have_the_values_and_messages_that_are_recorded() {
    let mut golden = Golden::new();
    for case in cases("definitions") {
        let Read { definitions, beside, problems, .. } = Read::new(&case);
        let mut messages = problems;
        let inputs: Inputs = match case.file("inputs.hcl") {
            Some(file) => {
                let body = parse::<Body>(("inputs.hcl", file.text())).into_result().expect("inputs");
                let attributes = body.attributes().into_result().expect("attributes");
                let value = |name: &str| attributes.get(name).expect("it").evaluate(&Scope::new()).expect("a value");
                attributes.iter().map(|attribute| (attribute.name(), value(attribute.name()))).collect()
            }
            None => Inputs::new(),
        };
        let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
        messages += &evaluated.diagnostics().render();
        golden.check_case(&case, "values", &values(&evaluated));
        golden.check_case(&case, "messages", &messages);
        if case.find("references").is_some() {
            golden.check_case(&case, "references", &references(&definitions, &beside));
        }
        // Several threads give the same result.
        let again = definitions.evaluate_on(3, &inputs, &Scope::new());
        assert_eq!(again.diagnostics().render(), evaluated.diagnostics().render(), "{}", case.place());
    }
    golden.finish();
}
