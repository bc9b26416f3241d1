//! A case of `tests/fixtures/any_input` has files in either syntax, and the language as in `tests/fixtures/definitions`.
//! `messages` has all that is wrong with the files whatever the inputs are: what the schema finds in each file, the
//! definitions and the evaluation together, each mistake once. Files beside, such as `terraform.tfvars`, count too.

use hcl_lr::Scope;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr_language::definitions::{CompanionFile, Inputs, References};
use hcl_lr_language::findings::{merged, without_repeated_causes};
use hcl_lr_language::schema::{Checker, Schema};

use crate::fixtures::Read;
use crate::support::golden::{Golden, cases};

#[test]
fn what_is_wrong_for_any_input_is_said_once() {
    let mut golden = Golden::new();
    for case in cases("any_input") {
        let read = Read::new(&case);
        let shipped = case.find("roles").and_then(|name| Schema::by_name(name.text().trim()));
        let schema = shipped.or(read.schema.as_ref()).expect("a language");
        let checker = Checker::new(schema);
        let files = read.own.iter().chain(&read.beside);
        let of_schema: Diagnostics = files.flat_map(|file| checker.check(file)).collect();
        let beside: Vec<CompanionFile> = read.beside.iter().map(CompanionFile::new).collect();
        let evaluated = read.definitions.evaluate_for_any_input(&Inputs::new(), &beside, &Scope::new());
        let mut of_names = evaluated.diagnostics().clone();
        of_names.extend(References::new(&read.definitions).undefined().iter().cloned());
        let all = merged(of_schema, without_repeated_causes(of_names));
        golden.check_case(&case, "messages", &format!("{}{}", read.problems, all.render()));
    }
    golden.finish();
}
