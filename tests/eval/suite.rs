//! A suite of files that any implementation can run, in the format of the official suite.
//!
//! `fixtures/suite/**/NAME.t` has the result for `NAME.hcl`, `NAME.hcl.json`, or each of the two,
//! is decoded by the spec in `NAME.hcldec`:
//!
//! - `result`, an expression, and `result_type`, a type expression;
//! - `diagnostics` with an `error` or `warning` block for each that is reported, and in it the blocks
//!   `from` and `to` with `line`, `column` and `byte`;
//! - `traversals` with an `expect` block for each variable that the file needs, in it `ref`, and `range`
//!   with `from` and `to`.
//!
//! The runner of the official distribution reads the same files, except that it does not understand the
//! ranges of traversals.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::golden::fixtures;
use hcl_lr::body::{Body, BodySchema};
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::TraversalNode;
use hcl_lr::type_expr::read_constraint;
use hcl_lr::{Scope, Traversal, parse_file};

/// The contents of a test file.
struct Test {
    ty: Option<Type>,
    result: Option<Value>,
    diagnostics: BTreeSet<String>,
    traversals: Option<BTreeSet<String>>,
}

impl Test {
    fn read(path: &Path) -> Result<Test, Diagnostics> {
        let schema = BodySchema::new().optional("result").optional("result_type");
        let content = parse_file::<Body>(path)
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

    fn is_wrong(&self, spec: &SpecFile, input: &Path) -> Vec<String> {
        let mut wrong = Vec::new();
        let (value, diagnostics, traversals) = run(spec, input);
        let found: BTreeSet<String> = diagnostics
            .iter()
            .map(|one| {
                let place = one.place();
                format!("{} {}", one.severity().as_str(), range_of(place))
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
fn run(spec: &SpecFile, input: &Path) -> (Value, Diagnostics, BTreeSet<String>) {
    let (body, diagnostics) = parse_file::<Body>(input).into_parts();
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

#[test]
fn each_file_of_the_suite_means_what_its_test_says() {
    let mut wrong = Vec::new();
    let tests = fixtures("suite", &["t"]);
    for path in &tests {
        let name = path.with_extension("").display().to_string();
        let test = Test::read(path).unwrap_or_else(|problems| panic!("{}", problems.render()));
        let spec = parse_file::<SpecFile>(path.with_extension("hcldec")).into_result();
        let spec = spec.unwrap_or_else(|problems| panic!("{}", problems.render()));
        let inputs: Vec<PathBuf> = ["hcl", "hcl.json"].map(|extension| path.with_extension(extension)).to_vec();
        let inputs: Vec<PathBuf> = inputs.into_iter().filter(|input| input.exists()).collect();
        assert!(!inputs.is_empty(), "{name} has no input");
        for input in inputs {
            wrong.extend(test.is_wrong(&spec, &input).into_iter().map(|why| format!("{}: {why}", input.display())));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tests.len() >= 40, "there are {} tests", tests.len());
}

/// The runner would see it if an answer were wrong.
#[test]
fn wrong_answers_are_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/suite/expressions");
    let spec = parse_file::<SpecFile>(root.join("traversals.hcldec")).into_result();
    let spec = spec.expect("a spec");
    let input = root.join("traversals.hcl");
    let right = || Test::read(&root.join("traversals.t")).expect("a test file");
    assert!(right().is_wrong(&spec, &input).is_empty());

    let without_error = Test { diagnostics: BTreeSet::new(), ..right() };
    let without_traversal = Test { traversals: Some(BTreeSet::new()), ..right() };
    let other_type = Test { ty: Some(Type::Bool), ..right() };
    let other_result = Test { result: Some(Value::from(1)), ..right() };
    for wrong in [without_error, without_traversal, other_type, other_result] {
        assert_eq!(wrong.is_wrong(&spec, &input).len(), 1);
    }
}
