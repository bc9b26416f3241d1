//! Types of the user with the names of types of this crate, and types of this crate in those of the user.

use std::collections::BTreeMap;

use hcl_lr::model::Value;
use hcl_lr::typed::{BlockOf, Labeled, from_json_str};
use hcl_lr::{Body, Expression, Scope, parse};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_spanned::Spanned;

/// The types of a program that knows nothing of this crate.
mod mine {
    use serde::{Deserialize, Serialize};

    #[derive(Serialize)]
    pub struct BlockOf<T>(pub T);

    #[derive(Serialize)]
    pub struct Labeled<T> {
        pub labels: Vec<String>,
        pub value: T,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    pub struct Expression(pub String);
}

#[test]
fn lists_of_own_types_are_lists() {
    #[derive(Serialize, Default)]
    struct File {
        a: Vec<mine::BlockOf<u8>>,
        b: Vec<mine::Labeled<u8>>,
        c: BTreeMap<String, mine::BlockOf<u8>>,
        d: Vec<BlockOf<u8>>,
        e: Vec<Labeled<u8>>,
        f: BTreeMap<String, BlockOf<u8>>,
    }
    assert_eq!(hcl_lr::to_string(&File::default()).unwrap(), "a = []\nb = []\nc = {}\nd = []\ne = []\nf = {}\n");
    let one = mine::Labeled { labels: vec!["x".to_owned()], value: 1 };
    let file = File { a: vec![mine::BlockOf(1)], b: vec![one], ..File::default() };
    let text = "a = [1]\nb = [\n  {\n    labels = [\"x\"]\n    value  = 1\n  },\n]\nc = {}\nd = []\ne = []\nf = {}\n";
    assert_eq!(hcl_lr::to_string(&file).unwrap(), text);
}

fn read<T: DeserializeOwned>(text: &'static str) -> T {
    let scope = Scope::new().with("nothing", Value::NULL).with("one", 1);
    hcl_lr::from_body(&parse::<Body>(text).into_result().unwrap(), &scope)
        .unwrap_or_else(|why| panic!("{}", why.render()))
}

#[test]
fn an_own_type_that_is_called_expression_is_evaluated() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        a: Option<mine::Expression>,
        b: Option<mine::Expression>,
    }
    let file: File = read("a = nothing\nb = \"n${one}\"\n");
    assert_eq!(file, File { a: None, b: Some(mine::Expression("n1".to_owned())) });
}

#[test]
fn optional_expressions_are_not_evaluated_whatever_is_around_them() {
    /// A newtype of the user.
    #[derive(Deserialize)]
    struct Condition(Expression);

    #[derive(Deserialize)]
    struct File {
        boxed: Option<Box<Expression>>,
        spanned: Option<Spanned<Expression>>,
        newtype: Option<Condition>,
        null: Option<Condition>,
        list: Option<Vec<Expression>>,
        missing: Option<Condition>,
    }
    let file: File =
        read("boxed = nothing\nspanned = later()\nnewtype = later.on > 1\nnull = nothing\nlist = nothing\n");
    assert_eq!(file.boxed.expect("it is written").to_string(), "nothing");
    assert_eq!(file.spanned.expect("it is written").get_ref().to_string(), "later()");
    assert_eq!(file.newtype.expect("it has no value now").0.to_string(), "later.on > 1");
    assert_eq!(file.null.expect("it is written").0.to_string(), "nothing");
    // A list is evaluated in any case to see whether it is null.
    assert!(file.list.is_none() && file.missing.is_none());

    let file: File =
        from_json_str(r#"{"boxed": "${a}", "spanned": "${b()}", "newtype": "${c}", "null": null}"#).unwrap();
    assert!(file.boxed.is_some() && file.spanned.is_some() && file.newtype.is_some() && file.null.is_none());
}

/// An expression that cannot be evaluated is still an error for all other types, and one error in an option.
#[test]
fn what_an_option_cannot_evaluate_is_one_error() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct File {
        port: Option<u16>,
        hosts: Option<Vec<String>>,
    }
    let body = parse::<Body>("port = missing\nhosts = [missing]\n").into_result().unwrap();
    let errors = hcl_lr::from_body::<File>(&body, &Scope::new()).unwrap_err();
    assert_eq!(errors.len(), 2, "{}", errors.render());
    assert!(errors.iter().all(|error| error.code().as_str() == "variables-not-allowed"), "{errors}");
}
