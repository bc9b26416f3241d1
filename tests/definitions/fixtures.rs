//! `tests/fixtures/definitions/NAME/` is a folder with files in either syntax. The language is named in `roles`,
//! or its schema is `schema.hcl`; values from outside are the attributes of `inputs.hcl`. Folders in it are modules, which
//! files call by `./FOLDER`.
//!
//! `values.txt` has all definitions and their values, `messages.txt` the errors. If there is a `references.txt`, it
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
use crate::support::golden::Golden;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/definitions")
}

/// The files of a folder; their names are those in the folder of the fixture.
fn documents(case: &Path, folder: &Path) -> Vec<ConfigFile> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.is_file() && !["roles", "schema.hcl", "inputs.hcl"].contains(&&*name) && !name.ends_with(".txt")
    });
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(case).expect("a file of the case").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(path).expect("a readable file").replace("\r\n", "\n");
        parse::<ConfigFile>((name.as_str(), text)).into_result().expect("it parses")
    };
    paths.iter().map(read).collect()
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

#[test]
fn fixtures_have_the_values_and_messages_that_are_recorded() {
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(root()).expect("the fixtures").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    let mut golden = Golden::new();
    for case in cases {
        let mut messages = String::new();
        let roles = match std::fs::read_to_string(case.join("roles")) {
            Ok(name) => roles_of(name.trim()),
            Err(_) => {
                let text = std::fs::read_to_string(case.join("schema.hcl")).expect("roles or schema.hcl");
                let (schema, problems) = parse::<Schema>(("schema.hcl", text)).into_parts();
                messages += &problems.render();
                schema.roles()
            }
        };
        let inputs: Inputs = match std::fs::read_to_string(case.join("inputs.hcl")) {
            Ok(text) => {
                let body = parse::<Body>(("inputs.hcl", text)).into_result().expect("inputs");
                let attributes = body.attributes().into_result().expect("attributes");
                let value = |name: &str| attributes.get(name).expect("it").evaluate(&Scope::new()).expect("a value");
                attributes.iter().map(|attribute| (attribute.name(), value(attribute.name()))).collect()
            }
            Err(_) => Inputs::new(),
        };
        let loader = |call: &ModuleCall<'_>| {
            let folder = normal(&Path::new(call.caller().unwrap_or("")).join(call.source()));
            let path = case.join(&folder);
            if !call.source().starts_with('.') || !path.is_dir() {
                return Loaded::Later;
            }
            Loaded::Module(LoadedModule::new(folder.to_string_lossy(), documents(&case, &path)))
        };
        let is_beside = |document: &ConfigFile| roles.companions_of(document.source().name()).is_some();
        let (mut beside, own): (Vec<ConfigFile>, Vec<ConfigFile>) =
            documents(&case, &case).into_iter().partition(|document| is_beside(document));
        let further: BTreeSet<&String> = roles.beside().iter().flat_map(|kind| kind.folders()).collect();
        for folder in further.into_iter().map(|folder| case.join(folder)).filter(|folder| folder.is_dir()) {
            beside.extend(documents(&case, &folder));
        }
        let definitions = Definitions::with_modules(&roles, own, &loader).into_value();
        let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
        messages += &evaluated.diagnostics().render();
        golden.check(&case.join("values.txt"), &values(&evaluated));
        golden.check(&case.join("messages.txt"), &messages);
        if case.join("references.txt").is_file() {
            golden.check(&case.join("references.txt"), &references(&definitions, &beside));
        }
        // On several threads the same comes out.
        let again = definitions.evaluate_on(3, &inputs, &Scope::new());
        assert_eq!(again.diagnostics().render(), evaluated.diagnostics().render(), "{}", case.display());
    }
    golden.finish();
}
