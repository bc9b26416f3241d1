//! A suite of files that any implementation can run, in the format of the official suite.
//!
//! A case of `fixtures/suite` has a file in native syntax, in JSON, or both, a spec by which each is decoded, and in `t`
//! the result:
//!
//! - `result`, an expression, and `result_type`, a type expression;
//! - `diagnostics` with an `error` or `warning` block for each that is reported, and in it the blocks
//!   `from` and `to` with `line`, `column` and `byte`;
//! - `traversals` with an `expect` block for each variable that the file needs, in it `ref`, and `range`
//!   with `from` and `to`.
//!
//! The runner of the official distribution reads the same files, except that it does not understand the
//! ranges of traversals. For it, `HCL_LR_SUITE` names a folder to which they are written.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::cases::Case;
use crate::support::golden::{case_named, cases};
use hcl_lr::body::{Body, BodySchema};
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::{Place, Source};
use hcl_lr::syntax::ast::TraversalNode;
use hcl_lr::type_expr::read_constraint;
use hcl_lr::{Scope, Traversal, parse};

/// The contents of a test file.
struct Test {
    ty: Option<Type>,
    result: Option<Value>,
    diagnostics: BTreeSet<String>,
    traversals: Option<BTreeSet<String>>,
}

impl Test {
    fn read(case: &Case) -> Result<Test, Diagnostics> {
        let schema = BodySchema::new().optional("result").optional("result_type");
        let content = parse::<Body>(("test.hcl", case.text("t")))
            .into_result()?
            .content(&schema.block("diagnostics", &[]).block("traversals", &[]))
            .into_result()?;
        let mut test = Test { ty: None, result: None, diagnostics: BTreeSet::new(), traversals: None };
        if let Some(ty) = content.attribute("result_type") {
            test.ty = Some(read_constraint(ty.expression())?.ty().clone());
        }
        if let Some(result) = content.attribute("result") {
            test.result = Some(result.expression().evaluate(&Scope::new())?);
        }
        for block in content.blocks_of_type("diagnostics") {
            let schema = BodySchema::new().block("error", &[]).block("warning", &[]);
            for one in block.body().content(&schema).into_result()?.blocks() {
                let range = range_in(one.body())?;
                test.diagnostics.insert(format!("{} {range}", one.block_type()));
            }
        }
        for block in content.blocks_of_type("traversals") {
            let expected = test.traversals.get_or_insert_default();
            for one in block.body().content(&BodySchema::new().block("expect", &[])).into_result()?.blocks() {
                let schema = BodySchema::new().required("ref").block("range", &[]);
                let content = one.body().content(&schema).into_result()?;
                let path = content.attribute("ref").expect("it is required").expression().static_traversal()?;
                let range = content.blocks().first().expect("the range of a traversal");
                expected.insert(format!("{} {}", shown(&path), range_in(range.body())?));
            }
        }
        Ok(test)
    }

    fn is_wrong(&self, spec: &SpecFile, name: &str, input: &[u8]) -> Vec<String> {
        let mut wrong = Vec::new();
        let (value, diagnostics, traversals) = run(spec, name, input);
        let found: BTreeSet<String> = diagnostics
            .iter()
            .map(|reported| {
                let place = reported.place();
                format!("{} {}", reported.severity().as_str(), range_of(place))
            })
            .collect();
        if found != self.diagnostics {
            wrong.push(format!("reported {found:?}, not {:?}: {diagnostics}", self.diagnostics));
        }
        if let Some(expected) = &self.traversals
            && *expected != traversals
        {
            wrong.push(format!("needs {traversals:?}, not {expected:?}"));
        }
        if let Some(ty) = self.ty.as_ref().filter(|ty| **ty != value.ty()) {
            wrong.push(format!("the result is a {}, not a {}", value.ty().describe(), ty.describe()));
        }
        if let Some(expected) = &self.result {
            // A tuple in the test file may stand for a list.
            let expected = expected.convert(&value.ty()).unwrap_or_else(|_| expected.clone());
            if expected != value {
                wrong.push(format!("the result is {value}, not {expected}"));
            }
        }
        wrong
    }
}

/// Returns the result for an input: a value, the diagnostics, and the variables that are needed.
fn run(spec: &SpecFile, name: &str, input: &[u8]) -> (Value, Diagnostics, BTreeSet<String>) {
    let (body, diagnostics) = parse::<Body>(Source::from_bytes(name, input.to_vec())).into_parts();
    if diagnostics.has_errors() {
        return (Value::unknown(Type::Dynamic), diagnostics, BTreeSet::new());
    }
    let variables = spec.spec().variables(&body);
    let variables = variables.iter().map(|path| format!("{} {}", shown(path), range_of(&path.place()))).collect();
    let (value, diagnostics) = spec.spec().decode(&body, &spec.scope()).into_parts();
    (value, diagnostics, variables)
}

/// A traversal without the white space in it, in one form whatever form it is written in.
fn shown(path: &Traversal) -> String {
    let path: TraversalNode<'_> = path.node().expect("a traversal");
    hcl_lr_conformance::traversal_to_json(path)
}

fn range_of(place: &Place) -> String {
    let at = |offset: usize| {
        let position = place.source().position(offset);
        format!("{}:{}:{}", position.line, position.column, position.byte)
    };
    format!("{}-{}", at(place.span().start()), at(place.span().end()))
}

/// The range that is written in the blocks `from` and `to`.
fn range_in(body: &Body) -> Result<String, Diagnostics> {
    let content = body.content(&BodySchema::new().block("from", &[]).block("to", &[])).into_result()?;
    let mut ends = Vec::new();
    for end in ["from", "to"] {
        let block = content.blocks_of_type(end).next().unwrap_or_else(|| panic!("a range without `{end}`"));
        let schema = BodySchema::new().required("line").required("column").required("byte");
        let numbers = block.body().content(&schema).into_result()?;
        let mut texts = Vec::new();
        for name in ["line", "column", "byte"] {
            let number = numbers.attribute(name).expect("it is required").expression();
            texts.push(number.evaluate(&Scope::new())?.to_string());
        }
        ends.push(texts.join(":"));
    }
    Ok(ends.join("-"))
}

/// The spec of a case.
fn spec_of(case: &Case) -> SpecFile {
    let spec = parse::<SpecFile>(("spec.hcldec", case.text("hcldec"))).into_result();
    spec.unwrap_or_else(|problems| panic!("{}", problems.render()))
}

#[test]
fn each_file_of_the_suite_means_what_its_test_says() {
    let mut wrong = Vec::new();
    let tests = cases("suite");
    let folder = std::env::var_os("HCL_LR_SUITE").map(PathBuf::from);
    for case in &tests {
        let test = Test::read(case).unwrap_or_else(|problems| panic!("{}", problems.render()));
        let spec = spec_of(case);
        let mut inputs = case.of_kinds(&["hcl", "json"]).peekable();
        assert!(inputs.peek().is_some(), "{} has no input", case.place());
        for input in inputs {
            let name = case.file_name(input);
            let problems = test.is_wrong(&spec, &name, &input.bytes).into_iter();
            wrong.extend(problems.map(|why| format!("{}: {name}: {why}", case.place())));
        }
        if let Some(folder) = &folder {
            let folder = folder.join(case.path.file_stem().expect("a name"));
            std::fs::create_dir_all(&folder).expect("a writable folder");
            for fence in &case.fences {
                let end = if fence.kind == "json" { "hcl.json" } else { &fence.kind };
                std::fs::write(folder.join(format!("{}.{end}", case.name)), &fence.bytes).expect("a writable file");
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tests.len() >= 40, "there are {} tests", tests.len());
}

/// The runner would see it if an answer were wrong.
#[test]
fn wrong_answers_are_found() {
    let case = case_named("suite", "traversals");
    let (spec, input) = (spec_of(&case), case.text("hcl").as_bytes());
    let right = || Test::read(&case).expect("a test file");
    assert!(right().is_wrong(&spec, "a.hcl", input).is_empty());

    let without_error = Test { diagnostics: BTreeSet::new(), ..right() };
    let without_traversal = Test { traversals: Some(BTreeSet::new()), ..right() };
    let other_type = Test { ty: Some(Type::Bool), ..right() };
    let other_result = Test { result: Some(Value::from(1)), ..right() };
    for wrong in [without_error, without_traversal, other_type, other_result] {
        assert_eq!(wrong.is_wrong(&spec, "a.hcl", input).len(), 1);
    }
}
