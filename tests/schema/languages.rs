//! The languages that come with the library.

use hcl_lr::parse;
use hcl_lr_language::schema::{LANGUAGES, Schema};

#[test]
fn their_schemas_have_no_errors() {
    for name in LANGUAGES {
        let text = Schema::text_of(name).expect("a text");
        let (schema, found) = parse::<Schema>((format!("{name}.schema.hcl").as_str(), text)).into_parts();
        assert!(found.is_empty(), "{}", found.render());
        assert_eq!(schema.name, *name);
        assert!(!schema.files.is_empty(), "{name} has no files");
    }
}

#[test]
fn files_belong_to_languages_by_their_names() {
    let cases = [
        ("main.tf", "terraform", "configuration"),
        ("a/b/main.tf.json", "terraform", "configuration"),
        ("terraform.tfvars", "terraform", "values"),
        ("net.tftest.hcl", "terraform", "tests"),
        ("main.tofu", "opentofu", "configuration"),
        ("docker-bake.hcl", "bake", "bake"),
        (".tflint.hcl", "tflint", "configuration"),
        ("a\\service.schema.hcl", "schema", "schema"),
    ];
    for (file, language, files) in cases {
        let schema = Schema::for_file(file).unwrap_or_else(|| panic!("{file} is of no language"));
        let found = schema.files_of(file).expect("files");
        assert_eq!((schema.name.as_str(), found.name.as_str()), (language, files), "{file}");
    }
    assert!(Schema::for_file("main.hcl").is_none());
    assert!(Schema::for_file("tf").is_none());
}

#[test]
fn each_item_is_described_by_its_type_at_least() {
    for name in LANGUAGES {
        let schema = Schema::by_name(name).expect("it is there");
        assert!(schema.title.is_some(), "{name} has no title");
        assert!(schema.parts.iter().all(|part| part.place.source().name().ends_with(".schema.hcl")), "{name}");
    }
}
