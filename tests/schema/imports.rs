//! Schemas from JSON Schema: the document of a case of `fixtures/schema/imports` becomes `hcl`, which begins with what is left out.
//!
//! To add one, write the JSON Schema and run `UPDATE_GOLDEN=1 cargo test --all-features --test schema imports::`.

use hcl_lr_language::schema::Schema;
use hcl_lr_schema_tools::ImportedSchema;
use serde_json::{Value as Json, json};

use crate::support::golden::{Golden, cases};

fn imported(json: &str) -> ImportedSchema {
    hcl_lr_schema_tools::from_json_schema("made", ["*.made.hcl"], ("schema.json", json)).expect("JSON")
}

/// Returns the errors of an imported schema.
fn problems(schema: &Schema) -> String {
    let text = schema.to_hcl().expect("its names are identifiers");
    let (_, problems) = hcl_lr::parse::<Schema>(("made.schema.hcl", text.as_str())).into_parts();
    if problems.is_empty() { String::new() } else { problems.render() }
}

#[test]
fn json_schemas_become_schemas_without_errors() {
    let mut golden = Golden::new();
    for case in cases("schema/imports") {
        let made = imported(case.text("json"));
        assert_eq!(problems(&made.schema), "", "{}", case.place());
        let lost: String = made.lost.iter().map(|place| format!("# left out: {place}\n")).collect();
        golden.check_case(&case, "hcl", &format!("{lost}{}", made.schema.to_hcl().expect("identifiers")));
    }
    golden.finish();
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A JSON Schema that refers to all others.
    fn schema(&mut self, depth: usize) -> Json {
        let names = ["a", "b", "c", "d-e", "*", "1x", "file", "any", "string", "count"];
        let types = ["string", "integer", "number", "boolean", "null", "array", "object"];
        let many = |random: &mut Random| (0..random.below(4)).map(|_| random.schema(depth - 1)).collect::<Json>();
        let required = |random: &mut Random| json!({ "required": [random.pick(&names)] });
        match self.below(if depth == 0 { 6 } else { 12 }) {
            0 | 1 => {
                json!({ "$ref": self.pick(&["#", "#/$defs/a", "#/$defs/b", "#/$defs/string", "#/$defs/d-e", "#/none"]) })
            }
            2 => self.pick(&[json!(true), json!(false), json!({}), json!(1), json!({ "enum": ["a", null, [1]] })]),
            3 => json!({ "const": self.pick(&[json!("a"), json!([1]), json!({ "a": 1 }), json!(null), json!(1)]) }),
            4 | 5 => json!({ "type": self.pick(&types), "minimum": self.below(9), "maximum": self.below(9) }),
            6 => json!({ self.pick(&["anyOf", "oneOf", "allOf"]): many(self) }),
            7 => {
                let items = self.schema(depth - 1);
                json!({ "type": "array", "items": items, "minItems": self.below(4), "maxItems": self.below(4) })
            }
            8 => json!({ "type": "object", "additionalProperties": self.schema(depth - 1) }),
            _ => {
                let properties: Json =
                    (0..self.below(5)).map(|_| (self.pick(&names), self.schema(depth - 1))).collect();
                let mut schema =
                    json!({ "properties": properties, "required": [self.pick(&names), self.pick(&names)] });
                match self.below(6) {
                    0 => schema["additionalProperties"] = self.schema(depth - 1),
                    1 => schema["allOf"] = many(self),
                    2 => schema["oneOf"] = json!([required(self), required(self)]),
                    3 => schema["anyOf"] = json!([required(self), required(self), required(self)]),
                    4 => schema["$ref"] = json!(self.pick(&["#", "#/$defs/a", "#/$defs/b"])),
                    _ => {}
                }
                schema
            }
        }
    }
}

#[test]
fn random_json_schemas_become_schemas_without_errors() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let mut schema = random.schema(3);
        if schema.is_object() {
            schema["$defs"] =
                ["a", "b", "string", "d-e", "file"].map(|name| (name, random.schema(2))).into_iter().collect();
        }
        assert_eq!(problems(&imported(&schema.to_string()).schema), "", "{schema}");
    }
}
