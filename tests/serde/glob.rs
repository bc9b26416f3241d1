//! A program that imports all names of the library, which include a module `serde`, and derives serde's traits by their paths.

use hcl_lr::*;

#[derive(serde::Deserialize, serde::Serialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Service {
    #[serde(rename = "$label")]
    name: String,
    #[serde(default)]
    port: u16,
}

#[derive(serde::Deserialize, serde::Serialize, Debug, PartialEq)]
struct Config<T> {
    service: Vec<T>,
}

fn roundtrip<T: ::serde::de::DeserializeOwned + serde::Serialize>(value: &T) -> T {
    from_str(&to_string(value).expect("a file")).expect("the same")
}

#[test]
fn a_glob_import_leaves_serde_usable() {
    let config = Config { service: vec![Service { name: "web".to_owned(), port: 80 }] };
    assert_eq!(roundtrip(&config), config);
}
